//! The legal actions of `traditional` and `celestial`, derived a second time from the rules by the
//! obvious slow way, at every decision of random games. Sources: `rulesets/traditional.md` §4 to §6, §10,
//! `rulesets/celestial.md` §4, §6.

use crate::common::naive::{run_name, runs, splits, without};
use crate::common::{agents, rigged, ruleset_with};
use paishan::decompose::Scratch;
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::Ruleset;
use paishan::state::{Action, Announcement, DealState, Phase, Turn, Window};
use paishan::{Group, Kind, Notation, Player, Seat, SeatSet, Tile, Wall, game_seed};
use std::collections::BTreeSet;

struct Rules<'a> {
    rules: &'a dyn Ruleset,
    traditional: bool,
    frozen: bool,
    penalties: bool,
}

fn kinds(state: &DealState, seat: Seat) -> Vec<Kind> {
    let tiles = state.hand(seat).tiles();
    tiles
        .map(|tile| tile.kind().expect("flowers are laid down"))
        .collect()
}

fn held(tiles: &[Kind], kind: Kind) -> usize {
    tiles.iter().filter(|k| **k == kind).count()
}

impl Rules<'_> {
    fn describe(&self, action: Action) -> String {
        action.to_string()
    }

    fn complete(&self, tiles: &[Kind], melds: usize) -> bool {
        if !splits(tiles, 4 - melds, true).is_empty() {
            return true;
        }
        if melds > 0 {
            return false;
        }
        let orphans: BTreeSet<Kind> = Kind::all()
            .filter(|kind| self.rules.plan().tiles.copies().get(*kind) > 0)
            .filter(|kind| kind.rank().is_none_or(|rank| matches!(rank.get(), 1 | 9)))
            .collect();
        let set: BTreeSet<Kind> = tiles.iter().copied().collect();
        let pairs = tiles
            .iter()
            .all(|kind| held(tiles, *kind).is_multiple_of(2));
        set == orphans || !self.traditional && pairs
    }

    /// One tile short: some kind of which hand and melds hold fewer than four completes the hand.
    fn ready(&self, tiles: &[Kind], melds: &[Group]) -> bool {
        Kind::all().any(|kind| {
            let declared = melds
                .iter()
                .flat_map(|group| group.tiles())
                .filter(|k| *k == kind);
            let mut whole = tiles.to_vec();
            whole.push(kind);
            let used = held(&whole, kind) + declared.count();
            used <= usize::from(self.rules.plan().tiles.copies().get(kind))
                && self.complete(&whole, melds.len())
        })
    }

    fn on_turn(&self, state: &DealState, turn: &Turn) -> BTreeSet<String> {
        let seat = turn.seat;
        let tiles = kinds(state, seat);
        let melds: Vec<Group> = state.hand(seat).melds().iter().map(|m| m.group).collect();
        let open: Vec<Group> = state
            .hand(seat)
            .melds()
            .iter()
            .filter(|m| m.open)
            .map(|m| m.group)
            .collect();
        let discarded = state.discards().iter().any(|discard| discard.seat == seat);
        let stands = state.announced(seat) == Some(Announcement::Standing);
        let ready_without = |kind| self.ready(&without(&tiles, &[kind]).unwrap(), &melds);
        let drawn = turn.drawn.and_then(|tile| tile.kind());
        let mut legal = BTreeSet::new();
        let mut say = |action| {
            legal.insert(self.describe(action));
        };
        let mut before = tiles.clone();
        let free = |kind: Kind, is_drawn: bool| {
            if stands && discarded && self.frozen {
                is_drawn
            } else {
                !stands || ready_without(kind)
            }
        };
        if let Some(kind) = drawn {
            before = without(&tiles, &[kind]).unwrap();
            if free(kind, true) {
                say(Action::Discard {
                    tile: kind.into(),
                    drawn: true,
                });
            }
        }
        for &kind in &before {
            if free(kind, false) {
                say(Action::Discard {
                    tile: Tile::plain(kind),
                    drawn: false,
                });
            }
        }
        let wins = drawn.is_some() && self.complete(&tiles, melds.len());
        let bound = stands && !discarded;
        if wins && !bound {
            say(Action::Win);
        }
        if self.penalties && !self.complete(&tiles, melds.len()) && !bound {
            say(Action::FalseWin);
        }
        let may_stand = tiles.iter().any(|&kind| ready_without(kind));
        if self.traditional && !stands && !discarded && may_stand {
            say(Action::Stand);
        }
        let reserve = state.wall().reserve() - state.wall().taken().1;
        let kongs = reserve > 0 && !bound && !(stands && self.frozen);
        for kind in Kind::all().filter(|_| kongs) {
            if held(&tiles, kind) == 4 && melds.len() < 4 {
                let mut after = melds.clone();
                after.push(Group::kong(kind));
                let rest = without(&tiles, &[kind; 4]).unwrap();
                if !stands || self.ready(&rest, &after) {
                    say(Action::ConcealedKong(kind));
                }
            }
            if held(&tiles, kind) == 1 && open.contains(&Group::pung(kind)) {
                let mut after: Vec<Group> = melds.clone();
                after.retain(|group| *group != Group::pung(kind));
                after.push(Group::kong(kind));
                let rest = without(&tiles, &[kind]).unwrap();
                if !stands || self.ready(&rest, &after) {
                    say(Action::AddedKong(kind));
                }
            }
        }
        legal
    }

    fn on_tile(
        &self,
        state: &DealState,
        seat: Seat,
        window: Window,
        tile: Tile,
        from: Seat,
    ) -> BTreeSet<String> {
        let kind = tile.kind().unwrap();
        let tiles = kinds(state, seat);
        let melds = state.hand(seat).melds().len();
        let stands = state.announced(seat) == Some(Announcement::Standing);
        let discard = matches!(window, Window::Discard);
        let mut legal = BTreeSet::new();
        let mut whole = tiles.clone();
        whole.push(kind);
        let wins = self.complete(&whole, melds);
        if wins {
            legal.insert(self.describe(Action::Win));
        }
        if discard && !stands && melds < 4 {
            if held(&tiles, kind) >= 2 {
                legal.insert(self.describe(Action::claim(Group::pung(kind))));
            }
            let reserve = state.wall().reserve() - state.wall().taken().1;
            if held(&tiles, kind) == 3 && reserve > 0 {
                legal.insert(self.describe(Action::claim(Group::kong(kind))));
            }
            for (suit, rank, three) in runs() {
                let others: Vec<Kind> = three.iter().copied().filter(|k| *k != kind).collect();
                let fits = others.len() == 2 && without(&tiles, &others).is_some();
                if seat.steps_from(from, 4) == 1 && fits {
                    legal.insert(format!("chi {}", run_name(suit, rank)));
                }
            }
        }
        if discard && self.penalties && !wins {
            legal.insert(self.describe(Action::FalseWin));
        }
        if !legal.is_empty() {
            legal.insert(self.describe(Action::Pass));
        }
        legal
    }
}

/// A wall from which everybody is dealt three groups and four other tiles.
fn near_wall(rules: &dyn Ruleset, stream: &mut Stream) -> Wall {
    let mut left: Vec<Tile> = rules
        .plan()
        .tiles
        .iter()
        .filter(|t| !t.is_flower())
        .collect();
    stream.shuffle(&mut left);
    let mut take = |kind: Kind| {
        let place = left.iter().position(|tile| tile.kind() == Some(kind))?;
        Some(left.swap_remove(place))
    };
    let all: Vec<[Kind; 3]> = runs()
        .map(|(_, _, kinds)| kinds)
        .chain(Kind::all().map(|kind| [kind; 3]))
        .collect();
    let mut hands: Vec<Vec<Tile>> = Vec::new();
    for _ in 0..4 {
        let mut hand = Vec::new();
        while hand.len() < 9 {
            let group = all[stream.below(all.len() as u32) as usize];
            let tiles: Vec<Tile> = group.into_iter().filter_map(&mut take).collect();
            hand.extend(tiles);
        }
        hands.push(hand);
    }
    for hand in &mut hands {
        while hand.len() < 13 {
            hand.extend(left.pop());
        }
        // Two groups that overlap may have brought more.
        left.extend(hand.drain(13..));
    }
    let text = |tiles: &[Tile]| Notation::Ujmj.print(tiles.iter().copied());
    let hands: Vec<String> = hands.iter().map(|hand| text(hand)).collect();
    let hands = [0, 1, 2, 3].map(|seat| hands[seat].as_str());
    rigged::wall(rules, hands, &text(&left[..40]), "", "")
}

#[test]
fn legal_actions_are_those_of_the_rules() {
    let (mut decisions, mut wins, mut stands) = (0, 0, 0);
    let tables: [(&str, &[&str]); 5] = [
        ("traditional", &[]),
        ("traditional", &["standing-frozen=true", "kong-box=1"]),
        ("traditional", &["penalties=true", "flowers=false"]),
        ("celestial", &[]),
        ("celestial", &["sacred-hill=2"]),
    ];
    for (i, (id, options)) in tables.into_iter().enumerate() {
        let rules = ruleset_with(id, options);
        let naive = Rules {
            rules: &*rules,
            traditional: id == "traditional",
            frozen: options.contains(&"standing-frozen=true"),
            penalties: options.contains(&"penalties=true"),
        };
        let mut greedy = agents(&*rules, "greedy");
        for game in 0..40 {
            let seed = game_seed(70 + i as u64, game);
            let mut stream = Stream::new(seed, 31);
            let mut deal = if game % 2 == 0 {
                let series = Match::with_dealer(&*rules, seed, Player::FIRST);
                let setup = series.setup_with(near_wall(&*rules, &mut stream));
                Deal::start(&*rules, setup, &mut ())
            } else {
                Deal::start(&*rules, Match::new(&*rules, seed).setup(), &mut ())
            };
            // Random hands hardly ever win: most games are played for a win, kongs made where they can.
            let random = game % 4 == 0;
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
                    Phase::Claims(claims) => {
                        let rob = matches!(claims.window, Window::AddedKong(_));
                        let window = (state.discards().len(), rob);
                        if judged != Some(window) {
                            judged = Some(window);
                            let mut asked = SeatSet::EMPTY;
                            for other in Seat::all(4).filter(|&other| other != claims.from) {
                                let want = naive.on_tile(
                                    state,
                                    other,
                                    claims.window,
                                    claims.tile,
                                    claims.from,
                                );
                                assert_eq!(all(other), want, "{other} on {}", claims.tile);
                                if !want.is_empty() {
                                    asked.insert(other);
                                }
                            }
                            assert_eq!(state.waiting(), asked);
                        }
                    }
                    other => unreachable!("{other:?}: somebody is on turn or may claim"),
                }
                let legal = deal.legal(seat).clone();
                stands += usize::from(legal.contains(Action::Stand));
                wins += usize::from(legal.contains(Action::Win));
                decisions += 1;
                let kong = legal.iter().find(|action| {
                    matches!(action, Action::AddedKong(_) | Action::ConcealedKong(_))
                });
                let action = if random {
                    legal
                        .nth(stream.below(legal.len() as u32) as usize)
                        .unwrap()
                } else if let Some(kong) = kong {
                    kong
                } else {
                    greedy[seat.index()].decide(&state.view(seat), &legal)
                };
                deal.act(seat, action, &mut ()).unwrap();
            }
        }
    }
    assert!(
        decisions > 5_000 && wins > 60 && stands > 10,
        "{decisions} decisions, {wins} wins, {stands} stands"
    );
}

/// Near a complete hand and far from it.
#[test]
fn a_hand_is_ready_where_its_distance_is_none() {
    let mut scratch = Scratch::new();
    let mut ready = 0;
    for id in ["woo", "traditional", "celestial", "uzje"] {
        let rules = ruleset_with(id, &[]);
        let decomposer = &rules.plan().decomposer;
        let mut greedy = agents(&*rules, "greedy");
        for game in 0..12 {
            let series = Match::new(&*rules, game_seed(90, game));
            let mut deal = series.start_deal(&mut ());
            while let Some(seat) = deal.state().waiting().first() {
                for other in Seat::all(4) {
                    let holding = paishan::decompose::Holding::from(deal.state().hand(other));
                    if holding.concealed.total() % 3 == 1 {
                        let distance = decomposer.distance(&holding, &mut scratch);
                        assert_eq!(decomposer.is_ready(&holding), distance == 0, "{holding:?}");
                        ready += usize::from(distance == 0);
                    }
                }
                let legal = deal.legal(seat).clone();
                let action = greedy[seat.index()].decide(&deal.state().view(seat), &legal);
                deal.act(seat, action, &mut ()).unwrap();
            }
        }
    }
    assert!(ready > 100, "{ready} ready hands");
}
