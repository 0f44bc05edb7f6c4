//! The legal actions of `woo`, derived a second time from the rules by the obvious slow way, at
//! every decision of random games. Source: `rulesets/woo.md` §4 to §7.

use crate::common::naive::{run_name, runs, splits, without};
use crate::common::{with, woo};
use paishan::game::Match;
use paishan::random::Stream;
use paishan::ruleset::OptionValue;
use paishan::state::{Action, DealState, Phase, Turn};
use paishan::{Group, Kind, Seat, SeatSet, Tile, game_seed};
use std::collections::BTreeSet;

struct Rules {
    chow_next: bool,
    chow_any: bool,
}

impl Rules {
    fn describe(&self, action: Action) -> String {
        action.to_string()
    }

    fn on_turn(&self, state: &DealState, turn: &Turn) -> BTreeSet<String> {
        let hand = state.hand(turn.seat);
        let kinds: Vec<Kind> = hand.tiles().filter_map(|tile| tile.kind()).collect();
        assert_eq!(kinds.len(), hand.concealed_len(), "flowers are laid down");
        let mut legal = BTreeSet::new();
        let mut say = |action| {
            legal.insert(self.describe(action));
        };
        let drawn = turn
            .drawn
            .filter(|tile| kinds.contains(&tile.kind().unwrap()));
        let mut before = kinds.clone();
        if let Some(tile) = drawn {
            say(Action::Discard { tile, drawn: true });
            before = without(&kinds, &[tile.kind().unwrap()]).unwrap();
        }
        for &kind in &before {
            let tile = Tile::plain(kind);
            say(Action::Discard { tile, drawn: false });
        }
        if turn.drawn.is_none() {
            return legal;
        }
        let melds = hand.melds().len();
        if drawn.is_some() && !splits(&kinds, 4 - melds, true).is_empty() {
            say(Action::Win);
        }
        let held = |kind| kinds.iter().filter(|k| **k == kind).count();
        let loose_tile = state.wall().remaining() > 14;
        for kind in Kind::all() {
            if held(kind) >= 3 && melds < 4 {
                say(Action::Lay(Group::pung(kind)));
            }
            if held(kind) == 4 && melds < 4 && loose_tile {
                say(Action::ConcealedKong(kind));
            }
            let laid = hand
                .melds()
                .iter()
                .any(|m| m.group == Group::pung(kind) && !m.open);
            if held(kind) == 1 && laid && loose_tile {
                say(Action::AddedKong(kind));
            }
        }
        if melds < 4 {
            for (suit, rank, three) in runs() {
                if without(&kinds, &three).is_some() {
                    legal.insert(format!("lay {}", run_name(suit, rank)));
                }
            }
        }
        legal
    }

    fn on_discard(
        &self,
        state: &DealState,
        seat: Seat,
        tile: Tile,
        from: Seat,
    ) -> BTreeSet<String> {
        let hand = state.hand(seat);
        let kind = tile.kind().unwrap();
        let kinds: Vec<Kind> = hand.tiles().filter_map(|tile| tile.kind()).collect();
        let (held, melds) = (
            kinds.iter().filter(|k| **k == kind).count(),
            hand.melds().len(),
        );
        let steps = seat.steps_from(from, 4);
        let chow = if self.chow_next {
            steps == 3
        } else {
            steps == 1
        };
        let mut legal = BTreeSet::new();
        if held >= 2 && melds < 4 {
            legal.insert(self.describe(Action::claim(Group::pung(kind))));
        }
        let laid = hand
            .melds()
            .iter()
            .any(|m| m.group == Group::pung(kind) && !m.open);
        if (held == 3 && melds < 4 || laid) && state.wall().remaining() > 14 {
            legal.insert(self.describe(Action::claim(Group::kong(kind))));
        }
        for (suit, rank, three) in runs() {
            let others: Vec<Kind> = three.iter().copied().filter(|k| *k != kind).collect();
            if chow && melds < 4 && others.len() == 2 && without(&kinds, &others).is_some() {
                legal.insert(format!("chi {}", run_name(suit, rank)));
            }
        }
        let mut whole = kinds.clone();
        whole.push(kind);
        // Flowers that are held keep a hand from being complete.
        let complete = hand.held_flowers().is_empty()
            && splits(&whole, 4 - melds, true)
                .iter()
                .flatten()
                .any(|group| {
                    let is_run = group[0] != group[1];
                    group.contains(&kind) && group.len() == 3 && (!is_run || chow || self.chow_any)
                });
        if complete {
            legal.insert(self.describe(Action::Win));
        }
        if !legal.is_empty() {
            legal.insert(self.describe(Action::Pass));
        }
        legal
    }
}

#[test]
fn legal_actions_are_those_of_the_rules() {
    let (mut decisions, mut wins) = (0, 0);
    let options: [&[(&str, OptionValue)]; 3] = [
        &[],
        &[("chow-from", "next".into()), ("flowers", 1.into())],
        &[("woo-chow-any", true.into()), ("flowers", 0.into())],
    ];
    for (i, options) in options.into_iter().enumerate() {
        let rules = if options.is_empty() {
            woo()
        } else {
            with(options)
        };
        let naive = Rules {
            chow_next: i == 1,
            chow_any: i == 2,
        };
        let mut greedy = crate::common::agents(&*rules, "greedy");
        for game in 0..60 {
            let seed = game_seed(60 + i as u64, game);
            let series = Match::new(&*rules, seed);
            let mut deal = series.start_deal(&mut ());
            let mut stream = Stream::new(seed, 31);
            // Random hands hardly ever win: half of the games are played for a win.
            let random = game % 2 == 0;
            let mut judged = None;
            while let Some(seat) = deal.state().waiting().first() {
                let state = deal.state();
                let all = |seat: Seat| -> BTreeSet<String> {
                    let list: Vec<String> =
                        deal.legal(seat).iter().map(|a| naive.describe(a)).collect();
                    let set: BTreeSet<String> = list.iter().cloned().collect();
                    assert_eq!(set.len(), list.len(), "an action is listed twice");
                    set
                };
                match state.phase() {
                    Phase::Turn(turn) => {
                        assert_eq!(all(seat), naive.on_turn(state, turn), "{turn:?}");
                    }
                    Phase::Claims(claims) if judged != Some(state.discards().len()) => {
                        judged = Some(state.discards().len());
                        let mut asked = SeatSet::EMPTY;
                        for other in Seat::all(4).filter(|&other| other != claims.from) {
                            let want = naive.on_discard(state, other, claims.tile, claims.from);
                            assert_eq!(all(other), want, "{other} on {}", claims.tile);
                            if !want.is_empty() {
                                asked.insert(other);
                            }
                        }
                        assert_eq!(state.waiting(), asked);
                    }
                    _ => {}
                }
                let legal = deal.legal(seat).clone();
                let action = if random {
                    legal
                        .nth(stream.below(legal.len() as u32) as usize)
                        .unwrap()
                } else {
                    greedy[seat.index()].decide(&state.view(seat), &legal)
                };
                wins += usize::from(legal.contains(Action::Win));
                decisions += 1;
                deal.act(seat, action, &mut ()).unwrap();
            }
        }
    }
    assert!(
        decisions > 5_000 && wins > 60,
        "{decisions} decisions, {wins} wins"
    );
}
