//! The legal actions of games of several sizes and with wild tiles, derived a second time by the obvious slow way, at
//! every decision of whole games. Sources: the `[claims]`, `[kongs]`, `[turn]` and `[win]` of their files.

use crate::common::all_tiles;
use paishan::game::Match;
use paishan::random::Stream;
use paishan::ruleset::{OptionValue, Ruleset, by_id};
use paishan::state::{Action, DealState, MeldTiles, Phase, Window};
use paishan::{Family, Group, Kind, Notation, Rank, Seat, Tile, game_seed};
use std::collections::BTreeSet;

/// A game in a few words.
struct Game {
    id: &'static str,
    options: &'static [(&'static str, i64)],
    groups: usize,
    /// The kind that is wild, and the one that is only wild.
    wild: Option<Kind>,
    /// A wild tile stands for any kind, whatever copies the hand has.
    any_copies: bool,
    /// Wild tiles in claimed pungs and chows, and whether they may be taken out again.
    in_melds: bool,
    /// A kong may be declared right after a claim.
    kong_after_claim: bool,
    /// A tile of one's own goes to a pung only if it was just drawn.
    added_drawn: bool,
    /// Seven pairs are a hand: all different, or also four alike.
    seven_pairs: Option<bool>,
    /// Hands are won off others.
    off_others: bool,
    /// The last discard may be claimed for a meld, not only for a win.
    last_claims: bool,
    /// The most chows of a player.
    chows: usize,
}

const PLAIN: Game = Game {
    id: "",
    options: &[],
    groups: 4,
    wild: None,
    any_copies: false,
    in_melds: false,
    kong_after_claim: true,
    added_drawn: false,
    seven_pairs: None,
    off_others: true,
    last_claims: true,
    chows: 5,
};

const GAMES: [Game; 4] = [
    Game {
        id: "taiwanese",
        groups: 5,
        ..PLAIN
    },
    Game {
        id: "two-player",
        options: &[("minimum", 0)],
        seven_pairs: Some(true),
        ..PLAIN
    },
    Game {
        id: "hangzhou",
        wild: Some(Kind::WHITE),
        any_copies: true,
        kong_after_claim: false,
        seven_pairs: Some(false),
        off_others: false,
        last_claims: false,
        chows: 2,
        ..PLAIN
    },
    Game {
        id: "malaysian",
        options: &[("minimum", 0)],
        wild: Some(Kind::JOKER),
        in_melds: true,
        kong_after_claim: false,
        added_drawn: true,
        last_claims: false,
        ..PLAIN
    },
];

type Counts = [i8; Kind::COUNT];

/// The kind so many ranks above another, if there is one.
fn above(kind: Kind, steps: i8) -> Option<Kind> {
    let rank = u8::try_from(kind.rank()?.get() as i8 + steps).ok()?;
    let rank = Rank::new(rank).filter(|rank| rank.get() <= 9)?;
    Some(Kind::number(kind.suit()?, rank))
}

/// What a hand may still become.
#[derive(Clone)]
struct Rest {
    held: Counts,
    jokers: usize,
    /// The copies that a joker may stand for.
    left: Counts,
    groups: usize,
    pair: bool,
}

impl Rest {
    /// Uses a tile of a kind in the hand, or a joker in its place.
    fn with(&self, kind: Kind, is_joker: bool) -> Option<Self> {
        let mut rest = self.clone();
        let from = match is_joker {
            true => &mut rest.left,
            false => &mut rest.held,
        };
        from[kind.index()] -= 1;
        let fits = from[kind.index()] >= 0;
        if is_joker {
            rest.jokers = rest.jokers.checked_sub(1)?;
        }
        fits.then_some(rest)
    }

    /// Uses these tiles in every way.
    fn uses(&self, kinds: &[Kind]) -> Vec<Self> {
        kinds.iter().fold(vec![self.clone()], |all, &kind| {
            let both = |rest: &Self| [rest.with(kind, false), rest.with(kind, true)];
            all.iter().flat_map(both).flatten().collect()
        })
    }

    /// True if groups and a pair can be made of all of it.
    fn is_complete(&self) -> bool {
        if self.groups == 0 && !self.pair {
            return self.held.iter().all(|&held| held == 0) && self.jokers == 0;
        }
        // The lowest tile is in some group. Jokers alone may be any.
        let first = Kind::all().find(|kind| self.held[kind.index()] > 0);
        let starts: Vec<Kind> = match first {
            Some(kind) => vec![kind],
            None => Kind::all()
                .filter(|kind| self.left[kind.index()] > 0)
                .collect(),
        };
        let is_used = |rest: &Self| {
            first.is_none_or(|kind| rest.held[kind.index()] < self.held[kind.index()])
        };
        starts.iter().any(|&kind| {
            let mut groups: Vec<Vec<Kind>> = Vec::new();
            if self.groups > 0 {
                groups.push(vec![kind; 3]);
                for low in -2..=0 {
                    let run = (low..low + 3).map(|step| above(kind, step));
                    groups.extend(run.collect::<Option<Vec<Kind>>>());
                }
            }
            let of_groups = groups.iter().any(|group| {
                let next = self.uses(group).into_iter().filter(is_used);
                next.into_iter().any(|mut rest| {
                    rest.groups -= 1;
                    rest.is_complete()
                })
            });
            of_groups
                || self.pair
                    && self
                        .uses(&[kind; 2])
                        .into_iter()
                        .filter(is_used)
                        .any(|mut rest| {
                            rest.pair = false;
                            rest.is_complete()
                        })
        })
    }
}

impl Game {
    fn is_wild(&self, kind: Kind) -> bool {
        self.wild == Some(kind)
    }

    fn completes(
        &self,
        rules: &dyn Ruleset,
        state: &DealState,
        seat: Seat,
        last: Option<Kind>,
    ) -> bool {
        let hand = state.hand(seat);
        let mut held: Counts = [0; Kind::COUNT];
        for kind in hand.tiles().filter_map(Tile::kind).chain(last) {
            held[kind.index()] += 1;
        }
        let mut left: Counts = [0; Kind::COUNT];
        for kind in Kind::all().filter(|&kind| kind != Kind::JOKER) {
            let copies = rules.plan().tiles.copies().get(kind) as i8;
            let melded = hand.melds().iter().flat_map(|meld| meld.kinds());
            let melded = melded.filter(|&one| one == kind).count() as i8;
            let plain = match self.is_wild(kind) {
                true => 0,
                false => held[kind.index()],
            };
            left[kind.index()] = match self.any_copies {
                true => copies,
                false => copies - melded - plain,
            };
        }
        let jokers = self
            .wild
            .map_or(0, |kind| std::mem::take(&mut held[kind.index()]) as usize);
        let rest = Rest {
            held,
            jokers,
            left,
            groups: self.groups - hand.melds().len(),
            pair: true,
        };
        let singles = Kind::all().filter(|kind| held[kind.index()] % 2 == 1);
        let pairs = match self.seven_pairs {
            _ if !hand.melds().is_empty() => false,
            None => false,
            Some(true) => held.iter().all(|&held| held == 0 || held == 2),
            // Jokers that are left make a pair of their own.
            Some(false) => {
                let wanted: Vec<Kind> = singles.collect();
                let are_left = wanted.iter().all(|kind| left[kind.index()] > 0);
                are_left && wanted.len() <= jokers && (jokers - wanted.len()).is_multiple_of(2)
            }
        };
        pairs || rest.is_complete()
    }

    /// Everything that a seat may do.
    fn allowed(&self, rules: &dyn Ruleset, state: &DealState, seat: Seat) -> BTreeSet<String> {
        let hand = state.hand(seat);
        let held: Vec<Kind> = hand.tiles().filter_map(Tile::kind).collect();
        let count = |kind: Kind| held.iter().filter(|&&one| one == kind).count();
        let room = hand.melds().len() < self.groups;
        let may_kong = state.wall().has_replacement();
        let grammar = rules.plan().decomposer.grammar();
        let mut found: Vec<Action> = Vec::new();
        match state.phase() {
            Phase::Turn(turn) => {
                let drawn = turn.drawn.filter(|&tile| hand.holds(tile));
                let natural = held.iter().any(|&kind| !self.is_wild(kind));
                for (place, &kind) in held.iter().enumerate() {
                    if !(self.is_wild(kind) && natural) {
                        let first = held[..place].iter().all(|&before| before != kind);
                        let drawn = first && drawn == Some(kind.into());
                        let tile = kind.into();
                        found.push(Action::Discard { tile, drawn });
                    }
                }
                let kongs =
                    may_kong && (turn.drawn.is_some() && !turn.claimed || self.kong_after_claim);
                for kind in Kind::all().filter(|&kind| !self.is_wild(kind) && kongs) {
                    if count(kind) == 4 && room {
                        found.push(Action::ConcealedKong(kind));
                    }
                    let grows = hand.melds().iter().any(|meld| meld.kinds().eq([kind; 3]));
                    let is_drawn = turn.drawn == Some(kind.into()) || !self.added_drawn;
                    if grows && is_drawn && count(kind) == 1 {
                        found.push(Action::AddedKong(kind));
                    }
                }
                if turn.drawn.is_some() && self.in_melds {
                    for meld in hand.melds().iter() {
                        let mut jokers = meld.group.tiles().zip(meld.kinds());
                        let stands_for = jokers.find(|(_, tile)| self.is_wild(*tile));
                        if stands_for.is_some_and(|(kind, _)| count(kind) > 0) {
                            found.push(Action::TakeJoker(meld.into()));
                        }
                    }
                    if count(Kind::JOKER) > 0 && may_kong && !turn.claimed {
                        found.push(Action::SetAside);
                    }
                }
                if turn.drawn.is_some()
                    && drawn.is_some()
                    && self.completes(rules, state, seat, None)
                {
                    found.push(Action::Win);
                }
            }
            Phase::Claims(claims) => {
                let kind = claims.tile.kind().unwrap();
                if self.off_others && self.completes(rules, state, seat, Some(kind)) {
                    found.push(Action::Win);
                }
                let may_claim = self.last_claims || state.wall().draws_left() > 0;
                if claims.window == Window::Discard && may_claim && !self.is_wild(kind) {
                    let jokers = if self.in_melds { count(Kind::JOKER) } else { 0 };
                    if room && count(kind) >= 2 {
                        found.push(Action::claim(Group::pung(kind)));
                    }
                    if room && jokers >= 1 && count(kind) >= 1 {
                        found.push(claim([Kind::JOKER, kind, kind]));
                    }
                    if room && jokers >= 2 {
                        found.push(claim([Kind::JOKER, Kind::JOKER, kind]));
                    }
                    if room && count(kind) == 3 && may_kong {
                        found.push(Action::claim(Group::kong(kind)));
                    }
                    let follows = seat.steps_from(claims.from, state.players()) == 1;
                    let runs = hand
                        .melds()
                        .iter()
                        .filter(|meld| meld.group.family().is_run());
                    let may_chow = room && follows && runs.count() < self.chows;
                    for (_, shape) in grammar.shapes().filter(|_| may_chow) {
                        let Some(suit) = kind.suit() else { continue };
                        let run: Vec<Kind> = shape.group(suit).tiles().collect();
                        let others: Vec<Kind> =
                            run.iter().copied().filter(|&one| one != kind).collect();
                        if others.len() != 2 {
                            continue;
                        }
                        let has = |kind: Kind| count(kind) > 0 && !self.is_wild(kind);
                        if has(others[0]) && has(others[1]) {
                            found.push(Action::claim(shape.group(suit)));
                        }
                        for (own, joker) in [(others[0], others[1]), (others[1], others[0])] {
                            if jokers >= 1 && has(own) {
                                let tile =
                                    |&one: &Kind| if one == joker { Kind::JOKER } else { one };
                                let run: Vec<Kind> = run.iter().map(tile).collect();
                                found.push(claim([run[0], run[1], run[2]]));
                            }
                        }
                    }
                }
                if !found.is_empty() {
                    found.push(Action::Pass);
                }
            }
            phase => panic!("{phase:?}"),
        }
        found.iter().map(|action| format!("{action:?}")).collect()
    }
}

/// The claim of a meld of these tiles, jokers in the place of what they stand for.
fn claim(tiles: [Kind; 3]) -> Action {
    let text = Notation::Ujmj.print(tiles.map(Tile::plain));
    let tiles: MeldTiles = text.parse().unwrap();
    Action::Claim(tiles)
}

#[test]
fn every_legal_action_is_one_by_the_rules_in_words() {
    for game in &GAMES {
        let options: Vec<(String, OptionValue)> = game
            .options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).into()))
            .collect();
        let rules = by_id(game.id, &options).unwrap();
        let all: Vec<Tile> = rules.plan().tiles.iter().collect();
        let players = rules.plan().players;
        let (mut decisions, mut wins, mut jokers, mut taken) = (0, 0, 0, 0);
        for number in 0..60 {
            let seed = game_seed(26, number);
            let mut deal = Match::new(&*rules, seed).start_deal(&mut ());
            let mut stream = Stream::new(seed, 31);
            let mut greedy = crate::common::agents(&*rules, "greedy");
            let mut judged = None;
            while let Some(seat) = deal.state().waiting().first() {
                let state = deal.state();
                assert_eq!(all_tiles(state), all);
                let of = |seat: Seat| -> BTreeSet<String> {
                    deal.legal(seat)
                        .iter()
                        .map(|action| format!("{action:?}"))
                        .collect()
                };
                match state.phase() {
                    Phase::Claims(claims) => {
                        let at = Some((state.discards().len(), state.wall().remaining()));
                        let others = Seat::all(players).filter(|&one| one != claims.from);
                        for other in others.filter(|_| judged != at) {
                            let want = game.allowed(&*rules, state, other);
                            assert_eq!(of(other), want, "{}: {other} {state:?}", game.id);
                        }
                        judged = at;
                    }
                    _ => {
                        let want = game.allowed(&*rules, state, seat);
                        assert_eq!(of(seat), want, "{}: {seat} {state:?}", game.id);
                    }
                }
                let legal = deal.legal(seat).clone();
                let action = match number % 2 {
                    0 => legal.pick(|len| stream.below(len as u32) as usize).unwrap(),
                    _ => greedy[seat.index()].decide(&state.view(seat), &legal),
                };
                decisions += 1;
                wins += u32::from(action == Action::Win);
                taken += u32::from(matches!(action, Action::TakeJoker { .. }));
                deal.act(seat, action, &mut ()).unwrap();
            }
            for seat in Seat::all(players) {
                for meld in deal
                    .state()
                    .hand(seat)
                    .melds()
                    .iter()
                    .filter(|meld| meld.jokers() > 0)
                {
                    assert!(meld.open && meld.group.family() != Family::Kong);
                    jokers += 1;
                }
            }
        }
        assert!(
            decisions > 1000 && wins > 3,
            "{}: {decisions} {wins}",
            game.id
        );
        if game.in_melds {
            assert!(jokers > 10 && taken > 2, "{jokers} {taken}");
        }
    }
}
