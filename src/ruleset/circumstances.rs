//! Checks a win of a request: its way and its flags against each other and against the declared melds.
//!
//! A request does not know what happened in the deal. So `when` of each flag is evaluated with bounds of the facts that only the
//! table knows. If it is certainly false, the table would not have set the flag.

use super::plan::{CircumstanceError, Flag, Plan};
use crate::aside::{Aside, AsideId};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Meld};
use crate::score::facts::Fact;
use crate::score::{Condition, ReadGroup, Reading, declared};
use crate::seat::Seat;
use crate::state::{DrawSource, FlagSet, Way, Win};
use crate::tile::Wind;

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
