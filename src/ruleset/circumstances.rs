//! Checks conditions of a win before all is known that they ask.
//!
//! A request does not know what happened in the deal. So `when` of each flag is evaluated with bounds of the facts that only the
//! table knows. If it is certainly false, the table would not have set the flag. A player who may claim a tile does not know the
//! rest of the hand. If `[win] when` is certainly false for all hands with the meld, the hand cannot win any more.

use super::plan::{CircumstanceError, Flag, Plan};
use crate::aside::{Aside, AsideId};
use crate::hand::{Hand, MAX_MELDS};
use crate::list::List;
use crate::meld::{Family, Group, Meld};
use crate::score::facts::Fact;
use crate::score::{Condition, ReadGroup, Reading, declared};
use crate::seat::Seat;
use crate::state::{DrawSource, FlagSet, Way, Win};
use crate::tile::{Kind, Wind};

/// What a check of a win knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// The circumstances of the win.
    Circumstances,
    /// The declared melds and bonus tiles as well.
    Melds,
}

impl Plan {
    /// Checks the way and the flags of a win against each other, the declared melds and the tiles laid aside.
    ///
    /// # Errors
    /// [`CircumstanceError`] if they contradict each other.
    pub fn check_win(
        &self,
        melds: &[Meld],
        aside: Aside,
        seat: Seat,
        round: Wind,
        win: &Win,
    ) -> Result<(), CircumstanceError> {
        if !self.ways.contains(&win.way) {
            return Err(CircumstanceError::Way { way: win.way });
        }
        if win.way == Way::Turned && !melds.is_empty() {
            return Err(CircumstanceError::MeldsAndWay);
        }
        let mut hand = Hand::new();
        self.check_known(Known::Circumstances, &hand, &[], seat, round, win)?;
        // Too many melds are another fault, reported later. All melds are checked here.
        let groups = self.decomposer.grammar().groups();
        hand.melds = List::first_of(melds.iter().copied().take(groups));
        hand.aside = aside;
        self.check_known(Known::Melds, &hand, &declared(melds), seat, round, win)
    }

    /// Checks that the table may have set the flags of a win, that they are consistent, and what every win must meet.
    fn check_known(
        &self,
        known: Known,
        hand: &Hand,
        groups: &[ReadGroup],
        seat: Seat,
        round: Wind,
        win: &Win,
    ) -> Result<(), CircumstanceError> {
        let reading = |win| Reading {
            groups,
            ..Reading::circumstances(&self.tiles, hand, seat, round, Some(win))
        };
        let fails = |parts: &[Option<Condition>; 2]| {
            let part = parts[known as usize].as_ref();
            part.is_some_and(|part| !part.holds(&reading(win)))
        };
        // The table sets each flag before it knows the others.
        let unflagged = Win {
            flags: FlagSet::EMPTY,
            ..*win
        };
        let at_table = reading(&unflagged);
        let sources: Vec<Option<DrawSource>> = match win.way {
            Way::Wall => vec![Some(DrawSource::Wall)],
            Way::Replacement => {
                let rows = 0..self.play.aside.rows().len();
                let asides = rows.map(|place| Some(DrawSource::Aside(AsideId::at(place))));
                [Some(DrawSource::Kong)].into_iter().chain(asides).collect()
            }
            Way::Discard | Way::RobbedKong | Way::Turned => vec![None],
        };
        let may_hold = |flag: &Flag, source| {
            let bounds = |fact: &Fact| self.bounds(fact, &at_table, &unflagged, source, known);
            flag.when.as_ref().is_none_or(|when| when.may_hold(&bounds))
        };
        let flags = || win.flags.iter().filter_map(|place| self.flags.get(place));
        for flag in flags() {
            let is_possible = sources.iter().any(|&source| may_hold(flag, source));
            if !is_possible || fails(&flag.consistent) {
                let flag = flag.id.clone();
                return Err(match known {
                    Known::Circumstances => CircumstanceError::FlagAndWin { flag },
                    Known::Melds => CircumstanceError::FlagAndHand { flag },
                });
            }
        }
        let all_hold = |&source: &_| flags().all(|flag| may_hold(flag, source));
        if sources.iter().any(all_hold) && !fails(&self.when) {
            return Ok(());
        }
        // With other flags the win might be allowed.
        let with_any_flags = |fact: &Fact| match fact {
            Fact::Flag(_) => fact.range(),
            fact => self.bounds(fact, &at_table, &unflagged, None, known),
        };
        let when = self.when[known as usize].as_ref();
        Err(match known {
            _ if when.is_some_and(|when| !when.may_hold(&with_any_flags)) => {
                CircumstanceError::Refused
            }
            Known::Circumstances => CircumstanceError::FlagsAndWay,
            Known::Melds => CircumstanceError::MeldsAndWay,
        })
    }

    /// False when `[win] when` refuses every win with these melds, whatever the rest of the hand and further melds.
    pub(crate) fn may_win_with(&self, melds: &[Meld], seat: Seat, round: Wind) -> bool {
        let mut hand = Hand::new();
        hand.melds = List::first_of(melds.iter().copied().take(MAX_MELDS));
        let groups = declared(&hand.melds);
        let parts = || self.when.iter().flatten().chain(self.score.required());
        self.ways.iter().any(|&way| {
            let win = Win {
                way,
                ..Win::drawn(Kind::EAST.into())
            };
            let known = Reading::circumstances(&self.tiles, &hand, seat, round, Some(&win));
            let known = known.with_melds(&groups);
            let bounds = |fact: &Fact| self.bounds_with_melds(fact, &known);
            parts().all(|part| part.may_hold(&bounds))
        })
    }

    /// The least and the greatest value that a fact may have in a win with melds that are declared already. Of the tiles that
    /// win nothing is known.
    fn bounds_with_melds(&self, fact: &Fact, known: &Reading<'_>) -> (i64, i64) {
        let (least, most) = fact.range();
        let read = |fact: &Fact, known: &Reading<'_>| i64::from(fact.read(known));
        match fact {
            Fact::Winner
            | Fact::SelfDraw
            | Fact::Way { .. }
            | Fact::Seat { .. }
            | Fact::Round { .. } => (read(fact, known), read(fact, known)),
            // Further melds may be open.
            Fact::Closed | Fact::AllTiles { .. } => (least, read(fact, known)),
            Fact::DeclaredMelds => (read(fact, known), self.decomposer.grammar().groups() as i64),
            &Fact::Declared {
                families,
                class,
                open,
            } => {
                let with_concealed = Fact::Melds {
                    families,
                    class,
                    open,
                };
                self.bounds_with_melds(&with_concealed, known)
            }
            Fact::Melds { families, .. } => {
                // A pung may still become a kong.
                let counts = known.groups.iter().map(|group| {
                    let kong = ReadGroup {
                        group: Group::kong(group.group.kind()),
                        ..*group
                    };
                    let is_pung = group.group.family() == Family::Pung;
                    let [now, then] = [*group, if is_pung { kong } else { *group }].map(|group| {
                        let groups = [group];
                        let known = Reading {
                            groups: &groups,
                            ..known.clone()
                        };
                        read(fact, &known)
                    });
                    (now.min(then), now.max(then))
                });
                let (least, declared) =
                    counts.fold((0, 0), |(least, most), one| (least + one.0, most + one.1));
                let groups = self.decomposer.grammar().groups();
                let left = groups.saturating_sub(known.groups.len()) as i64;
                // Hands without melds may be special ones with more groups.
                match known.groups.is_empty() || families.contains(Family::Pair) {
                    true => (least, most),
                    false => (least, declared + left),
                }
            }
            Fact::Suits
            | Fact::Has { .. }
            | Fact::Count { .. }
            | Fact::Kinds { .. }
            | Fact::GroupsWith { .. } => (read(fact, known), most),
            _ => (least, most),
        }
    }

    /// The least and the greatest value that a fact may have at the table. `source` is where the winning tile was drawn.
    fn bounds(
        &self,
        fact: &Fact,
        reading: &Reading<'_>,
        win: &Win,
        source: Option<DrawSource>,
        known: Known,
    ) -> (i64, i64) {
        let (least, most) = fact.range();
        let (melds, laid) = (reading.hand.melds(), reading.hand.aside.len());
        let (self_drawn, is_dealer) = (win.way.is_self_draw(), reading.seat == Seat::EAST);
        let claimed = melds.iter().filter(|meld| meld.open).count();
        let at_least = |number: usize| (number as i64, most);
        let only_if = |may: bool| (least, i64::from(may));
        let row = match source {
            Some(DrawSource::Aside(id)) => self.play.aside.rows().get(id.index()),
            _ => None,
        };
        match *fact {
            // The tile is offered before the first turn.
            Fact::Discards | Fact::HasDiscarded | Fact::Claims | Fact::Kongs
                if win.way == Way::Turned =>
            {
                (0, 0)
            }
            Fact::Discards => {
                // The first turn is the dealer's, and it ends with a discard.
                let may_be_first = match self_drawn {
                    true => is_dealer,
                    false => !is_dealer && win.from.is_none_or(|from| from == Seat::EAST),
                };
                // Each claimed tile was discarded. Tiles laid aside are no discards.
                let before = claimed.max(usize::from(!may_be_first));
                let is_discard =
                    win.way == Way::Discard && self.play.aside.row_of(win.tile).is_none();
                at_least(before + usize::from(is_discard))
            }
            Fact::HasDiscarded => {
                let had_turn = !self_drawn && (is_dealer || !melds.is_empty());
                (i64::from(had_turn), most)
            }
            Fact::Claims => at_least(claimed),
            Fact::Kongs => {
                let is_kong = |meld: &&Meld| meld.group.family() == Family::Kong;
                let drawn = usize::from(source == Some(DrawSource::Kong));
                at_least(melds.iter().filter(is_kong).count().max(drawn))
            }
            Fact::Asides => at_least(laid.max(usize::from(row.is_some()))),
            Fact::Replaced { replaced } => {
                let is_so = i64::from(source == Some(replaced));
                (is_so, is_so)
            }
            Fact::KongDiscard => only_if(win.way == Way::Discard),
            Fact::RobbedConcealed => only_if(win.way == Way::RobbedKong),
            Fact::InRiichi | Fact::RiichiAtOnce => only_if(claimed == 0),
            Fact::RiichiUnbroken => {
                let is_broken =
                    source == Some(DrawSource::Kong) || row.is_some_and(|row| row.by_choice);
                only_if(claimed == 0 && !is_broken)
            }
            Fact::From { .. } if !self_drawn && win.from.is_none() => (least, most),
            Fact::Closed | Fact::DeclaredMelds | Fact::Declared { .. }
                if known == Known::Circumstances =>
            {
                (least, most)
            }
            Fact::VisibleCopies
            | Fact::DrawsLeft
            | Fact::Stands
            | Fact::DealerWins
            | Fact::KongsInRow => (least, most),
            ref fact => {
                let value = i64::from(fact.read(reading));
                (value, value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent;
    use crate::game::Match;
    use crate::ruleset::Rules;
    use crate::set::KindSet;
    use crate::state::Action;

    fn with(when: &str) -> Rules {
        let text = format!(
            "ruleset = {{ id = \"my\", extends = \"woo\" }}\n\
             [tiles.classes]\nfaces = \"ESWNCFP\"\ncolours = \"CFP\"\n\
             small = \"12345t12345s12345mESWNCFP\"\n[win]\nwhen = \"{when}\"\n"
        );
        Rules::from_toml("my.toml", &text).unwrap()
    }

    /// Conditions, and whether melds of a complete hand may rule out all wins.
    const CONDITIONS: [(&str, bool); 18] = [
        ("closed", true),
        ("declared-melds <= 1", true),
        ("declared-melds >= 2", false),
        ("suits == 1", true),
        ("suits <= 2 or closed", true),
        ("has(colours)", false),
        ("not has(colours)", true),
        ("all-tiles(small)", true),
        ("count(faces) <= 3", true),
        ("kinds(faces) == 0", true),
        ("melds(chow, any) == 0", true),
        ("declared(chow, any) == 0 and round is E", true),
        ("round is N", true),
        ("melds(pung, any) <= 1", false),
        ("melds(pung|kong, any) <= 1", true),
        ("melds(pung|kong, any) >= 3", true),
        (
            "melds(chow, any, concealed) >= 2 and groups-with(faces) == 0",
            true,
        ),
        ("self-draw", false),
    ];

    /// A hand that wins could still win with each of its melds.
    #[test]
    fn melds_of_wins_rule_out_no_win() {
        let all = CONDITIONS.map(|(when, rules_out)| (with(when), when, rules_out));
        let mut ruled_out = [0; CONDITIONS.len()];
        let plain = Rules::by_id("woo").unwrap();
        let mut agents = agent::for_all("greedy", plain.plan()).unwrap();
        for seed in 0..12 {
            let mut series = Match::new(&plain, seed);
            while !series.is_over() {
                let mut deal = series.start_deal();
                while let Some(seat) = deal.state().deciding().next() {
                    let (state, legal) = (deal.state(), deal.legal(seat));
                    let view = state.view(seat);
                    if legal.contains(Action::Win) {
                        let tile = view.drawn().or(view.claimable().map(|(tile, _)| tile));
                        let win = Win::drawn(tile.unwrap());
                        let mut hand = *view.hand();
                        if view.drawn().is_some() {
                            hand = state.hand_before(seat, &win);
                        }
                        let waits: KindSet = win.tile.kind().into_iter().collect();
                        for ((rules, when, _), ruled_out) in all.iter().zip(&mut ruled_out) {
                            let plan = rules.plan();
                            let wins = !plan
                                .winning(waits, &hand, seat, state.round(), None)
                                .is_empty();
                            for known in 0..=hand.melds().len() {
                                let melds = &hand.melds()[..known];
                                let may_win = plan.may_win_with(melds, seat, state.round());
                                assert!(may_win || !wins, "{when}: {melds:?}, {hand:?}");
                                *ruled_out += usize::from(!may_win);
                            }
                        }
                    }
                    let action = agents[seat.index()].decide(&view, legal);
                    deal.act(seat, action).unwrap();
                }
                series.finish(&deal).unwrap();
            }
        }
        for ((when, rules_out), ruled_out) in CONDITIONS.into_iter().zip(ruled_out) {
            assert_eq!(ruled_out > 0, rules_out, "{when}: {ruled_out}");
        }
    }

    /// A pung on the table may become a kong.
    #[test]
    fn pungs_may_become_kongs() {
        let rules = with("melds(kong, any) == 1 and melds(chow, any) == 0");
        let pung = Meld::of_own(Group::pung(Kind::EAST));
        let kong = Meld::of_own(Group::kong(Kind::EAST));
        let south = Meld::of_own(Group::kong(Kind::SOUTH));
        let may_win = |melds: &[Meld]| rules.plan().may_win_with(melds, Seat::EAST, Wind::East);
        assert!(may_win(&[pung]) && may_win(&[kong]) && may_win(&[pung, south]));
        assert!(!may_win(&[kong, south]));
    }
}
