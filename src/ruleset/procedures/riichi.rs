//! Riichi: `[procedures.riichi]`.
//!
//! A player whose closed hand is ready after a discard may declare riichi with it. The player deposits points,
//! and the hand does not change any more. Source: `rulesets/riichi-mcgill.md` §3.

use crate::decompose::{Decomposer, Holding};
use crate::meld::Group;
use crate::ruleset::read::terms::{read_condition, read_flag, read_resolved};
use crate::ruleset::read::vocabulary::Vocabulary;
use crate::ruleset::source::{RulesetError, RulesetFault, Section};
use crate::score::condition::Condition;
use crate::score::facts::{Fact, Scope};
use crate::score::{Reading, TableFacts};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, DealState, Event, Legal, Phase, Riichi, Turn};
use crate::tile::Kind;
use crate::tile_set::TileSet;
use std::cell::Cell;
use std::ops::ControlFlow;

/// Says whether a hand with these waits counts as ready.
pub(in crate::ruleset) type CountsAsReady<'a> = &'a dyn Fn(&Holding, KindSet) -> bool;

/// Which concealed kongs may be declared in riichi, with the tile just drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KongInRiichi {
    /// None.
    None,
    /// Those that do not change the waits.
    SameWaits,
    /// Those that do not change the waits, and whose other three tiles are a pung in every way to complete
    /// the hand.
    SameShape,
}

/// Who may declare riichi, and what is allowed afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RiichiDeclarationRules {
    /// Ordinary draws that must be left in the wall.
    pub live_tiles: usize,
    /// The total that a player must have, in the least unit of the ruleset.
    pub points: i64,
    /// Riichi may be declared by a player who has discarded a kind that completes the hand.
    pub while_furiten: bool,
    /// Which concealed kongs may be declared in riichi.
    pub kongs: KongInRiichi,
    /// The index of the flag of a win in riichi, among the ruleset's `[flags]`.
    pub flag: Option<usize>,
}

/// What a seat must meet to declare riichi, beside a ready hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::ruleset) struct RiichiCondition {
    condition: Condition,
    /// The condition as the file has it, with the values of options.
    pub(in crate::ruleset) text: String,
}

impl RiichiCondition {
    /// True when `is` holds for some fact of the condition.
    pub(in crate::ruleset) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        self.condition.any_fact(is)
    }

    /// Reads the condition of a section. Nobody has won yet, so it does not know of wins.
    pub(super) fn read(
        section: &Section<'_>,
        names: &Vocabulary<'_>,
    ) -> Result<Option<Self>, RulesetError> {
        let condition = read_condition(section, "when", Scope::Table, names)?;
        let text = read_resolved(section, "when", Scope::Table, names)?;
        let (Some(condition), Some(node)) = (condition, section.node("when")) else {
            return Ok(None);
        };
        let unknown = Cell::new(None);
        condition.any_fact(&|fact| {
            let is_unknown = fact.is_of_win() || fact.is_of_winning_tile();
            if is_unknown {
                unknown.set(Some(fact.name().unwrap_or("a flag of a win")));
            }
            is_unknown
        });
        match unknown.get() {
            Some(fact) => {
                let key = section.join("when");
                let why = "which is known of wins alone".to_owned();
                let fault = RulesetFault::UnknownFact { key, fact, why };
                Err(section.texts().error(node.place, 0, fault))
            }
            None => Ok(Some(Self {
                condition,
                text: text.unwrap_or_default(),
            })),
        }
    }

    /// Takes the declaration back from a seat that does not meet the condition.
    pub(in crate::ruleset) fn adjust(
        &self,
        set: &TileSet,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        if !legal.contains(Action::Riichi) {
            return;
        }
        let reading = Reading {
            table: TableFacts::at(state, seat),
            ..Reading::circumstances(set, state.hand(seat), seat, state.round(), None)
        };
        if !self.condition.holds(&reading) {
            legal.set(Action::Riichi, false);
        }
    }
}

impl RiichiDeclarationRules {
    pub(super) fn read(
        section: &Section<'_>,
        names: &Vocabulary<'_>,
    ) -> Result<Self, RulesetError> {
        let kongs = [
            ("none", KongInRiichi::None),
            ("same-waits", KongInRiichi::SameWaits),
            ("same-shape", KongInRiichi::SameShape),
        ];
        Ok(Self {
            live_tiles: section.int("live-tiles", 0..=1000)?.unwrap_or(0) as usize,
            points: section.int("points", 0..=1_000_000_000)?.unwrap_or(0),
            while_furiten: section.bool("while-furiten")?.unwrap_or(true),
            kongs: section.word("kongs", &kongs)?.unwrap_or(KongInRiichi::None),
            flag: read_flag(section, "flag", names)?,
        })
    }

    /// Offers the declaration, and limits the actions of a seat that has made it.
    #[inline]
    pub(in crate::ruleset) fn adjust(
        &self,
        decomposer: &Decomposer,
        counts: CountsAsReady<'_>,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        let declared = state.riichi(seat);
        if declared.is_some() || state.may_wait(seat) {
            self.adjust_near(declared, decomposer, counts, state, seat, legal);
        }
    }

    /// Notes the declaration of a seat.
    pub(super) fn declared(&self, state: &mut DealState, seat: Seat) -> Event {
        state.riichi[seat] = Some(Riichi {
            at_once: !state.has_discarded(seat) && state.is_untouched(),
            accepted: false,
            discard: state.discards.len() as u8,
            unbroken: true,
        });
        Event::RiichiDeclared { seat }
    }

    /// Pays the deposit of a seat after no seat won off its riichi discard.
    #[inline]
    pub(super) fn accepted(
        &self,
        state: &mut DealState,
        seat: Seat,
        deposit: i64,
    ) -> Option<Event> {
        match &mut state.riichi[seat] {
            Some(riichi) if !riichi.accepted => riichi.accepted = true,
            _ => return None,
        }
        let (points, deposits) = (&mut state.points[seat], &mut state.on_table.deposits);
        *points = points.saturating_sub(deposit);
        *deposits = deposits.saturating_add((deposit > 0).into());
        Some(Event::RiichiAccepted { seat })
    }

    /// Notes a discard. The first one after the deposit ends the turn in which a win is at once.
    #[inline]
    pub(super) fn discarded(&self, state: &mut DealState, seat: Seat) {
        if let Some(riichi) = &mut state.riichi[seat] {
            riichi.unbroken &= !riichi.accepted;
        }
    }

    /// Notes that play was interrupted.
    #[inline]
    pub(super) fn interrupted(&self, state: &mut DealState) {
        for seat in Seat::all(state.players()) {
            if let Some(riichi) = &mut state.riichi[seat] {
                riichi.unbroken = false;
            }
        }
    }

    fn adjust_near(
        &self,
        declared: Option<Riichi>,
        decomposer: &Decomposer,
        counts: CountsAsReady<'_>,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        let Phase::Turn(turn) = state.phase() else {
            if declared.is_some() {
                legal.retain_others(|_| false);
            }
            return;
        };
        match declared {
            None => {
                let may = self.may_declare(decomposer, counts, state, turn, legal);
                legal.set(Action::Riichi, may);
            }
            Some(riichi) if riichi.accepted => {
                legal.keep_drawn(turn.drawn);
                legal.retain_others(|action| match action {
                    Action::ConcealedKong(kind) => self.allows_kong(decomposer, state, turn, kind),
                    Action::Aside(_) => true,
                    _ => false,
                });
            }
            Some(_) => {
                // After the declaration only the discard may follow.
                legal.set(Action::Win, false);
                legal.retain_others(|_| false);
                let discards = self
                    .discards(decomposer, counts, state, seat, legal)
                    .collect::<KindSet>();
                // In an imagined deal the hand need not be ready. Then no discard keeps it ready, and all are
                // legal.
                if !discards.is_empty() {
                    legal.keep_discards(discards);
                }
            }
        }
    }

    fn may_declare(
        &self,
        decomposer: &Decomposer,
        counts: CountsAsReady<'_>,
        state: &DealState,
        turn: &Turn,
        legal: &Legal,
    ) -> bool {
        let seat = turn.seat;
        turn.drawn.is_some()
            && state.hand(seat).is_closed()
            && !state.hand(seat).dead
            && state.points(seat) >= self.points
            && state.wall().draws_left() >= self.live_tiles
            // A wait for a fifth copy counts as a hand with two missing tiles here.
            && decomposer.missing_lower_bound(state.hand(seat)) <= 2
            && self.discards(decomposer, counts, state, seat, legal).next().is_some()
    }

    /// Kinds whose discard may declare riichi.
    fn discards<'a>(
        &'a self,
        decomposer: &'a Decomposer,
        counts: CountsAsReady<'a>,
        state: &'a DealState,
        seat: Seat,
        legal: &Legal,
    ) -> impl Iterator<Item = Kind> + 'a {
        let holding = Holding::from(state.hand(seat));
        let ready = move |kind: &Kind| {
            let mut rest = holding;
            if !rest.concealed.try_remove(*kind) {
                return false;
            }
            let waits = decomposer.waits(&rest);
            let mut discarded = state.furiten.discarded[seat];
            discarded.insert(*kind);
            let free = self.while_furiten || !state.furiten.own_discards;
            counts(&rest, waits) && (free || waits.intersection(discarded).is_empty())
        };
        legal.discard_kinds().iter().filter(ready)
    }

    /// True when a seat in riichi may declare a concealed kong of a kind of which it holds four tiles.
    fn allows_kong(
        &self,
        decomposer: &Decomposer,
        state: &DealState,
        turn: &Turn,
        kind: Kind,
    ) -> bool {
        if turn.drawn.and_then(|tile| tile.kind()) != Some(kind) {
            return false;
        }
        let holding = Holding::from(state.hand(turn.seat));
        let mut before = holding;
        before.concealed.try_remove(kind);
        let waits = decomposer.waits(&before);
        let same_waits = || decomposer.waits(&holding.after_kong(kind, false)) == waits;
        match self.kongs {
            KongInRiichi::None => false,
            KongInRiichi::SameWaits => same_waits(),
            KongInRiichi::SameShape => {
                same_waits()
                    && waits
                        .iter()
                        .all(|wait| is_always_pung(decomposer, &before, wait, kind))
            }
        }
    }
}

/// True when the tiles of a kind are a pung in every way in which `wait` completes the hand.
fn is_always_pung(decomposer: &Decomposer, hand: &Holding, wait: Kind, kind: Kind) -> bool {
    let whole = Holding {
        concealed: hand.concealed.with_beyond(wait),
        ..*hand
    };
    let pung = Group::pung(kind);
    decomposer
        .arrangements(&whole, |arrangement| {
            if arrangement.groups.contains(&pung) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
        .is_continue()
}
