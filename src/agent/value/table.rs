//! [`Table`]: what the agent knows at a decision, and what points are worth there.

use super::super::simple::unseen;
use super::bonus;
use super::course::{SPARED, TURNS, own_discards, threat, turns_left};
use super::gain::Seen;
use super::goal::{Chance, Goal};
use super::knowledge::Knowledge;
use super::outlook::Outlook;
use crate::aside::Aside;
use crate::random::Stream;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::View;
use crate::tile::Kind;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// The number of random sets of bonus tiles that a gain is averaged over where bonus tiles can change whether a hand wins.
pub(super) const ASIDES: usize = 4;
/// The assumed time until a win, as a part of the remaining turns. Not tuned.
const UNTIL_WIN: f64 = 0.5;

/// What the agent knows at a decision.
pub(super) struct Table {
    pub seen: Seen,
    /// Bonus tiles that the seat may have when it wins: equally likely sets.
    pub asides: SmallVec<[Aside; ASIDES]>,
    /// How many draws the seat has left.
    pub turns: usize,
    /// How much of a threat the others are.
    pub threat: usize,
    /// The chance that another player wins if the seat never does.
    pub idle: f64,
    /// How many turns the seat has on average until another player wins or the wall is used up.
    pub turns_to_come: f64,
    /// The kinds that the seat has discarded, where it may not win off a discard if it waits for one of them.
    pub discarded: KindSet,
    /// [`Course::offered`](super::course::Course::offered) of each unseen kind.
    pub offered: [f64; Kind::COUNT],
    /// What points are worth.
    pub worths: Arc<Worths>,
    /// The seat leaves its hand silent where it may declare riichi.
    pub silent: bool,
}

impl Table {
    /// What the seat of a view knows. `latest` is what points were worth at the latest table. `stream` says which bonus tiles
    /// may come.
    pub(super) fn new(
        know: &Knowledge,
        view: &View<'_>,
        stream: &Stream,
        latest: Option<&Arc<Worths>>,
    ) -> Self {
        let unseen = unseen(know.copies(), view);
        let seen = Seen::new(view.seat(), view.round(), unseen, view.turned().collect());
        let furiten = know.plan.procedures.furiten;
        let discarded = match furiten.is_some_and(|rules| rules.own_discards) {
            true => own_discards(view, view.seat()),
            false => KindSet::EMPTY,
        };
        let turns = turns_left(view);
        let (threat, mut stays, mut turns_to_come) = (threat(view), 1.0, 0.0);
        for left in 1..=turns {
            let goes_on = 1.0 - know.course.hazard[threat][left];
            stays *= goes_on;
            turns_to_come = goes_on * (1.0 + turns_to_come);
        }
        let outlook = Outlook::of(&know.plan, &know.course, view);
        let on_table = know.plan.settlement.on_table_gain(view.on_table()) as f64;
        let is_same = |one: &&Arc<Worths>| one.outlook == outlook && one.on_table == on_table;
        let worths = match latest.filter(is_same) {
            Some(latest) => latest.clone(),
            None => Arc::new(Worths::of(know, outlook, on_table)),
        };
        let kinds = seen.unseen.kinds();
        let mut offered = [1.0; Kind::COUNT];
        for kind in kinds {
            offered[kind.index()] = know.course.offered(kind, &seen.unseen, kinds);
        }
        Self {
            asides: asides(know, view, stream, turns, seen.left),
            seen,
            turns,
            threat,
            idle: 1.0 - stays,
            turns_to_come,
            discarded,
            offered,
            worths,
            silent: false,
        }
    }

    /// What a hand is worth that brings so much, and with this chance to win what lies on the table as well.
    pub(super) fn gain(&self, gain: f64, wins: f64) -> f64 {
        self.worths.gain(gain + wins * self.worths.on_table)
    }

    /// What a chance is worth beyond never winning.
    pub(super) fn worth(&self, chance: Chance, gain: f64, wins: f64) -> f64 {
        let spared = (self.idle - chance.lose).max(0.0) * wins * self.worths.spared;
        chance.win * gain + spared + chance.held * self.worths.held
    }

    /// What a seat loses on average that never wins.
    pub(super) fn loss(&self) -> f64 {
        self.idle * self.worths.spared / SPARED + (1.0 - self.idle) * self.worths.unready
    }

    /// The seat has a draw more.
    pub(super) fn add_turn(&mut self) {
        self.turns = (self.turns + 1).min(TURNS - 1);
    }

    /// The draws left, and the threat.
    pub(super) fn when(&self) -> (usize, usize) {
        (self.turns, self.threat)
    }
}

/// Returns [`Table::asides`]. `left` is the number of unseen tiles, without bonus tiles.
fn asides(
    know: &Knowledge,
    view: &View<'_>,
    stream: &Stream,
    turns: usize,
    left: f64,
) -> SmallVec<[Aside; ASIDES]> {
    let own = view.aside(view.seat());
    if !know.bonus_decides {
        return smallvec![own];
    }
    let laid = Seat::all(view.players()).map(|seat| view.aside(seat));
    let bonus = bonus::left(&know.plan, laid);
    let chance = UNTIL_WIN * turns as f64 / (left + bonus.len() as f64);
    // A copy, so that `explain`, which builds a table more often, changes no later decision.
    let mut stream = stream.clone();
    let case = |_| bonus::with_some(own, &bonus, chance, &mut stream);
    (0..ASIDES).map(case).collect()
}

/// What points are worth. It depends on the totals and on what lies on the table.
#[derive(Debug, PartialEq)]
pub(super) struct Worths {
    /// `None` where points are worth what they are.
    pub outlook: Option<Outlook>,
    /// What counters and deposits bring the winner.
    pub on_table: f64,
    /// What a win of each goal is worth: closed, and with an open meld.
    pub goals: Vec<[f64; 2]>,
    /// What a win of another player costs if the seat has not given the tile.
    pub lost: f64,
    /// What a win spares: [`Course::spared`](super::course::Course::spared).
    spared: f64,
    /// What a ready hand is worth if nobody wins: [`Course::held`](super::course::Course::held).
    pub held: f64,
    /// What a seat without a ready hand pays then.
    unready: f64,
    /// What a declared riichi costs that does not win.
    pub deposit: f64,
}

impl Worths {
    pub(super) fn of(know: &Knowledge, outlook: Option<Outlook>, on_table: f64) -> Self {
        let course = &know.course;
        let cost = |lost: f64| match &outlook {
            Some(outlook) => outlook.lost(lost, course.won),
            None => lost,
        };
        let deposit = know.plan.settlement.deposit() as f64;
        let mut this = Self {
            goals: Vec::new(),
            lost: cost(course.lost),
            spared: cost(course.spared) * SPARED,
            held: 0.0,
            unready: 0.0,
            deposit: outlook
                .as_ref()
                .map_or(deposit, |outlook| outlook.paid(deposit)),
            on_table,
            outlook,
        };
        let of_goal = |goal: &Goal| {
            let gain = |at: usize| this.gain(goal.gain[at] + goal.wins[at] * on_table);
            [gain(0), gain(1)]
        };
        this.goals = know.goals.iter().map(of_goal).collect();
        this.held = this.gain(course.held);
        this.unready = this.gain(course.unready);
        this
    }

    /// What a win is worth that brings so much, where the end of the match may add something.
    fn gain(&self, gain: f64) -> f64 {
        let outlook = self.outlook.as_ref();
        outlook.map_or(gain, |outlook| outlook.gain(gain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;
    use crate::state::OnTable;

    #[test]
    fn wins_take_what_lies_on_the_table() {
        let rules = Rules::by_id("riichi-tenhou").unwrap();
        let on_table = OnTable {
            counters: 2,
            deposits: 3,
        };
        let on_table = rules.plan().settlement.on_table_gain(on_table);
        assert_eq!(on_table, 3_600);
        let know = Knowledge::of(rules.plan());
        let gain = |on_table| Worths::of(&know, None, on_table).goals[0][1];
        let more = gain(on_table as f64) - gain(0.0);
        // Open hands often have no yaku.
        assert!((more - 3_600.0 * know.goals[0].wins[1]).abs() < 1e-6);
        assert!(more > 0.0 && more < 3_600.0);
    }
}
