//! Answers for a hand on turn, one discard after another.
//!
//! A discard changes one lane. The other lanes keep their classes and their rows, so these are looked up once for
//! all discards.

use super::FOLDED;
use super::hand::{Folds, LaneHand};
use super::rows::Row;
use crate::counts::at;
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;

/// A hand on turn with at most one zero.
pub(in crate::decompose) struct Discards<'a> {
    hand: LaneHand<'a>,
    rows: [Option<Row>; 4],
    folds: Folds,
    /// The classes with one more zero in hand, if lanes are folded for that number.
    with_zero: Option<Folds>,
    /// The accepted tiles of the other lanes beside a lane that has some class: the class and the places by lane.
    beside: SmallVec<[(usize, [u16; 4]); 8]>,
    /// The lane that `beside` is about.
    lane: usize,
}

/// The hand after a discard.
pub(in crate::decompose) struct AfterDiscard<'a> {
    hand: LaneHand<'a>,
    /// The lane of the discard.
    lane: usize,
    folds: Folds,
}

impl<'a> Discards<'a> {
    /// `None` with more zeros, or if the tables lack a lane.
    pub(in crate::decompose) fn of(hand: LaneHand<'a>) -> Option<Self> {
        if hand.zeros >= FOLDED {
            return None;
        }
        let rows = hand.rows();
        let with_zero = match hand.zeros + 1 {
            zeros if hand.tables.uses_zero && zeros < FOLDED => Some(hand.folds(zeros)?),
            _ => None,
        };
        Some(Self {
            rows,
            folds: hand.folds(hand.zeros)?,
            with_zero,
            beside: SmallVec::new(),
            lane: 0,
            hand,
        })
    }

    /// The tiles missing from groups and a pair before the discard.
    pub(in crate::decompose) fn missing(&self) -> u8 {
        self.hand.missing_of(&self.folds)
    }

    /// The hand without one tile of a kind, which must not be the zero. `None` if the tables lack its lane.
    pub(in crate::decompose) fn without(&self, kind: Kind) -> Option<AfterDiscard<'a>> {
        let mut hand = self.hand;
        let lane = match kind.lane() {
            0 if hand.tables.joined => 3,
            lane => lane,
        };
        hand.lanes[lane] -= at(kind.place(), 1);
        hand.numbers[lane] = hand.tables.numbering(lane).number(hand.lanes[lane]);
        let class = hand.class(lane, hand.zeros)?;
        let folds = hand.with_class(lane, class, &self.folds)?;
        Some(AfterDiscard { hand, lane, folds })
    }

    /// The tiles missing after a discard with one more zero in hand. `None` if the tables lack a lane.
    pub(in crate::decompose) fn missing_with_zero(&self, after: &AfterDiscard<'a>) -> Option<u8> {
        let Some(folds) = &self.with_zero else {
            return after.hand.missing(1);
        };
        let class = after.hand.class(after.lane, folds.zeros)?;
        let folds = after.hand.with_class(after.lane, class, folds)?;
        Some(after.hand.missing_of(&folds))
    }

    /// The kinds of `wanted`, zeros left out, that leave fewer than `missing` tiles missing when drawn after a
    /// discard. `None` if the tables lack a lane with one tile more. `missing` must be the same for all discards.
    /// Call it for all discards of one lane in sequence.
    pub(in crate::decompose) fn accepts(
        &mut self,
        after: &AfterDiscard<'a>,
        missing: u8,
        wanted: KindSet,
    ) -> Option<KindSet> {
        let AfterDiscard { hand, lane, folds } = after;
        let asked = hand.by_lane(wanted);
        let class = folds.classes[*lane];
        if self.lane != *lane {
            self.lane = *lane;
            self.beside.clear();
        }
        let known = self.beside.iter().find(|(other, _)| *other == class);
        let mut accepts = match known {
            Some((_, accepts)) => *accepts,
            None => {
                let mut accepts = [0; 4];
                for other in (0..4).filter(|other| other != lane) {
                    // Looks up all places, because another discard may want more of them.
                    let all = if asked[other] == 0 { 0 } else { u16::MAX };
                    let row = self.rows[other].as_ref();
                    accepts[other] = hand.accepts_in(other, folds, (missing, all), row)?;
                }
                self.beside.push((class, accepts));
                accepts
            }
        };
        let row = hand.row(*lane);
        accepts[*lane] = hand.accepts_in(*lane, folds, (missing, asked[*lane]), row.as_ref())?;
        for (accepts, asked) in accepts.iter_mut().zip(asked) {
            *accepts &= asked;
        }
        Some(hand.kinds_of(accepts, wanted))
    }
}

impl AfterDiscard<'_> {
    /// The tiles missing from groups and a pair.
    pub(in crate::decompose) fn missing(&self) -> u8 {
        self.hand.missing_of(&self.folds)
    }
}
