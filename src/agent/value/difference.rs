//! How much the discard matters to what a hand brings, learnt from hands that are nearly complete.

use super::gain::Seen;
use super::goal::Goal;
use super::knowledge::{Knowledge, Urn};
use crate::counts::Counts;
use crate::decompose::{Holding, Scratch};
use crate::hand::Hand;
use crate::random::Stream;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::tile::{Kind, Wind};
use smallvec::SmallVec;

/// How many hands are looked at.
const HANDS: usize = 48;
/// How many tiles of a complete hand become others.
const REPLACED: usize = 3;
/// How often each hand is completed.
const COMPLETIONS: usize = 32;
/// Fewer completions say too little of a discard.
const FEWEST: usize = 3;
/// The least difference. Estimates are below 0 where there is none.
const LEAST: f64 = 0.0025;

impl Knowledge {
    /// The variance of the mean gains after different discards, as a part of the squared mean.
    pub(super) fn difference(&self) -> f64 {
        let (mut stream, mut scratch) = (Stream::new(2, 0), Scratch::new());
        let Some(goal) = self.goals.iter().find(|goal| goal.is_any) else {
            return LEAST;
        };
        let (mut variances, mut squares) = (0.0, 0.0);
        for _ in 0..HANDS {
            let Some((hand, unseen)) = self.nearly_complete(goal, &mut stream, &mut scratch) else {
                continue;
            };
            let done = self.completions(goal, &hand, unseen, &mut stream, &mut scratch);
            if let Some((variance, mean)) = of_discards(hand.concealed(), &done) {
                variances += variance;
                squares += mean * mean;
            }
        }
        match squares > 0.0 {
            true => (variances / squares).max(LEAST),
            false => LEAST,
        }
    }

    /// A hand on turn that few tiles keep from being complete, and the unseen tiles.
    fn nearly_complete(
        &self,
        goal: &Goal,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> Option<(Hand, Counts)> {
        let (hand, unseen) = self.random_hand(stream);
        let done = self.complete(goal, (&hand, None), unseen, stream, scratch, None)?;
        let mut whole = done.hand;
        whole.add(done.tile.into());
        let mut unseen = self.copies().saturating_minus(whole.concealed());
        let mut tiles: SmallVec<[Kind; 18]> = whole.concealed().iter().collect();
        stream.shuffle(&mut tiles);
        for tile in tiles.iter_mut().take(REPLACED) {
            let other = Urn::of(KindSet::ALL, &unseen).draw(stream)?;
            unseen.try_remove(other);
            *tile = other;
        }
        let mut hand = Hand::new();
        hand.aside = whole.aside;
        tiles.iter().for_each(|&kind| hand.add(kind.into()));
        Some((hand, unseen))
    }

    /// Completes a hand on turn again and again: the tiles used, and the gain.
    fn completions(
        &self,
        goal: &Goal,
        hand: &Hand,
        unseen: Counts,
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> Vec<(Counts, f64)> {
        let seen = Seen::new(Seat::EAST, Wind::East, unseen, SmallVec::new());
        let Some(aim) = goal.aim(&Holding::from(hand), &[]) else {
            return Vec::new();
        };
        let distance = self.distance(goal, &aim, scratch);
        if distance < 1 {
            return Vec::new();
        }
        let mut complete = || {
            let mut hand = *hand;
            let spare = self.spare(goal, (&hand, &aim), distance, stream, scratch)?;
            hand.take_kind(spare, 1);
            let start = (&hand, Some(distance));
            let done = self.complete(goal, start, unseen, stream, scratch, None)?;
            let gain = self.one_gain(&done, goal.drawn[0], &seen, stream);
            let mut used = *done.hand.concealed();
            used.try_add(done.tile);
            Some((used, gain))
        };
        (0..COMPLETIONS).filter_map(|_| complete()).collect()
    }
}

/// The variance of the mean gains after different discards, and the mean of all, from hands completed: the tiles used, and the
/// gain. A hand is completed after a discard if it does without that tile. The variance is that of the means less what chance
/// adds to it, so it may be below 0. It is a little low, because what discards add counts as chance, too. `None` if there are too
/// few hands.
fn of_discards(held: &Counts, done: &[(Counts, f64)]) -> Option<(f64, f64)> {
    let len = done.len() as f64;
    let mean = done.iter().map(|(_, gain)| gain).sum::<f64>() / len;
    let off = |gain: f64| (gain - mean) * (gain - mean);
    let variance = done.iter().map(|(_, gain)| off(*gain)).sum::<f64>() / (len - 1.0);
    let (mut sum, mut discards) = (0.0, 0.0);
    for kind in held.kinds().iter() {
        let without = |(used, _): &&(Counts, f64)| used.get(kind) < held.get(kind);
        let gains: SmallVec<[f64; COMPLETIONS]> =
            done.iter().filter(without).map(|(_, gain)| *gain).collect();
        if gains.len() < FEWEST {
            continue;
        }
        let count = gains.len() as f64;
        let of_kind = gains.iter().sum::<f64>() / count;
        sum += off(of_kind) - variance * (1.0 / count - 1.0 / len);
        discards += 1.0;
    }
    (discards > 0.0).then(|| (sum / discards, mean))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands of six kinds, each completed without one of them. What the discard adds to the gain is found beneath chance that
    /// is ten times as large.
    #[test]
    fn what_discards_add_is_told_from_chance() {
        let mut stream = Stream::new(5, 5);
        let held = *"123456t".parse::<Hand>().unwrap().concealed();
        let kinds: Vec<Kind> = held.iter().collect();
        for adds in [0.0, 1.0, 2.0] {
            let (mut found, hands) = (0.0, 4_000);
            for _ in 0..hands {
                let mut one = || {
                    let place = stream.below(6);
                    let mut used = held;
                    used.try_remove(kinds[place as usize]);
                    // Even kinds add something. Chance adds -6 to 6.
                    let gain = 20.0 + adds * f64::from(place % 2);
                    (used, gain + f64::from(stream.below(13)) - 6.0)
                };
                let done: Vec<_> = (0..COMPLETIONS).map(|_| one()).collect();
                found += of_discards(&held, &done).unwrap().0 / f64::from(hands);
            }
            let expected = adds * adds / 4.0;
            let least = 0.75 * expected - 0.1;
            assert!((least..expected + 0.1).contains(&found), "{adds}: {found}");
        }
    }
}
