//! [`Worlds`]: deals that a seat may imagine, with hands as good as they would be by now.

use super::agent::Value;
use super::course::is_announced;
use super::knowledge::Knowledge;
use super::signs::Signs;
use crate::decompose::{Holding, Scratch};
use crate::random::Stream;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{DealState, View};
use std::sync::Arc;

/// How many tiles at most are tried until an announced hand is ready.
const TRIES: u32 = 2_000;
/// An announced hand takes any tile after so many tries, so that it does not get stuck.
const SHAKE: u32 = 40;

/// Imagines deals.
#[derive(Debug)]
pub(super) struct Worlds {
    know: Arc<Knowledge>,
    scratch: Scratch,
}

impl Worlds {
    pub(super) fn new(value: &Value) -> Self {
        Self {
            know: value.knowledge(),
            scratch: Scratch::new(),
        }
    }

    /// A deal that the seat may imagine. Hidden hands have taken what they could use of as many tiles as the seat has
    /// discarded. Announced ones are ready for tiles with which they may win, if the wall has tiles enough.
    pub(super) fn imagine(&mut self, view: &View<'_>, stream: &mut Stream) -> DealState {
        let mut world = view.imagine(stream);
        let places: Vec<usize> = world.undrawn().collect();
        if places.is_empty() {
            return world;
        }
        let is_hidden = |seat: &Seat| {
            *seat != view.seat() && view.shown_hand(*seat).is_none() && !view.is_dead(*seat)
        };
        for seat in Seat::all(view.players()).filter(is_hidden) {
            let draws = view
                .discards()
                .iter()
                .filter(|one| one.seat == seat)
                .count() as u32;
            let must_be_ready = is_announced(view, seat);
            let barred = match must_be_ready {
                true => Signs::of(&self.know.plan, view, seat).safe,
                false => KindSet::EMPTY,
            };
            self.improve(
                &mut world,
                seat,
                draws,
                (must_be_ready, barred),
                &places,
                stream,
            );
        }
        world
    }

    /// Swaps tiles of a hand for better ones of the wall.
    fn improve(
        &mut self,
        world: &mut DealState,
        seat: Seat,
        draws: u32,
        (must_be_ready, barred): (bool, KindSet),
        places: &[usize],
        stream: &mut Stream,
    ) {
        let know = self.know.clone();
        let Some(goal) = know.goals.first() else {
            return;
        };
        let mut found = None;
        for tried in 0..TRIES {
            let hand = *world.hand(seat);
            let (distance, accepts) = match found {
                Some(found) => found,
                None => {
                    let Some(aim) = goal.aim(&Holding::from(&hand), &hand.melds) else {
                        return;
                    };
                    *found.insert(know.accepts(goal, &aim, &mut self.scratch))
                }
            };
            let is_ready = distance <= 0 && accepts.intersection(barred).is_empty();
            if is_ready || !must_be_ready && (distance <= 0 || tried >= draws) {
                return;
            }
            let place = places[stream.below(places.len() as u32) as usize];
            let Some(kind) = world.undrawn_kind(place) else {
                continue;
            };
            // A hand that waits for a tile with which it may not win takes any tile.
            let takes_any = distance <= 0 || must_be_ready && tried % SHAKE == SHAKE - 1;
            if !takes_any && !accepts.contains(kind) {
                continue;
            }
            let mut more = hand;
            more.add(kind.into());
            let spare = match takes_any {
                false => {
                    let aim = goal.aim(&Holding::from(&more), &more.melds);
                    aim.and_then(|aim| {
                        let hand = (&more, &aim);
                        know.spare(goal, hand, distance - 1, stream, &mut self.scratch)
                    })
                }
                true => {
                    let kinds = hand.concealed().kinds();
                    kinds.nth(stream.below(kinds.len().max(1) as u32) as usize)
                }
            };
            if let Some(spare) = spare {
                world.swap_with_wall(seat, spare, place);
                found = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::game::Match;
    use crate::ruleset::Rules;

    /// Late in deals, imagined hands are nearer to ready ones than hands dealt at random, and announced hands are ready.
    #[test]
    fn imagined_hands_are_as_far_along_as_the_deal() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let decomposer = &rules.plan().decomposer;
        let (mut announced, mut unfit, mut ripe, mut random) = (0, 0, 0, 0);
        let mut stream = Stream::new(4, 4);
        for seed in 0..6 {
            let mut deal = Match::new(&rules, seed).start_deal();
            let mut value = Value::new(rules.plan());
            let mut worlds = Worlds::new(&value);
            value.begin(Stream::new(1, seed));
            while let Some(seat) = deal.state().deciding().next() {
                let (view, legal) = (deal.state().view(seat), deal.legal(seat));
                let plain = view.imagine(&mut stream);
                let world = worlds.imagine(&view, &mut stream);
                assert_eq!(world.hand(seat), view.hand());
                let tiles = |state: &DealState| {
                    let hands =
                        Seat::all(4).flat_map(|seat| state.hand(seat).tiles().collect::<Vec<_>>());
                    let wall = state
                        .undrawn()
                        .filter_map(|place| state.undrawn_kind(place));
                    let mut all: Vec<_> =
                        hands.filter_map(|tile| tile.kind()).chain(wall).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(tiles(&world), tiles(&plain));
                for other in Seat::all(4).filter(|other| *other != seat) {
                    let distance = |state: &DealState| {
                        let hand = Holding::from(state.hand(other));
                        decomposer.accepts(&hand, &mut Scratch::new())
                    };
                    let (far, waits) = distance(&world);
                    if is_announced(&view, other) {
                        let barred = Signs::of(rules.plan(), &view, other).safe;
                        let is_fit = far == 0 && waits.intersection(barred).is_empty();
                        unfit += u32::from(!is_fit);
                        announced += 1;
                    } else if view.discards().len() > 30 {
                        ripe += i32::from(far);
                        random += i32::from(distance(&plain).0);
                    }
                }
                let action = value.decide(&view, legal);
                deal.act(seat, action).unwrap();
            }
        }
        // At the end of the wall there may not be tiles enough.
        assert!(
            announced > 20 && 50 * unfit < announced,
            "{announced} {unfit}"
        );
        assert!(2 * ripe < random, "{ripe} {random}");
    }
}
