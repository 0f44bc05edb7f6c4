//! Whole games with wild tiles: what they may do, and what hands are worth by trying every kind in their place.

use crate::common::all_tiles;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::state::{Action, DealState, Legal, Phase, Win};
use paishan::{Counts, Hand, Kind, Seat, Tile, game_seed, simulate};

const WILD: Kind = Kind::WHITE;

/// How many tiles of each kind, with as many of a kind as wild tiles bring.
type Tiles = [u8; Kind::COUNT];

/// True if some kinds in the place of so many wild tiles, none before `from`, make tiles of which `fits` holds.
fn any_replaced(
    tiles: &mut Tiles,
    wilds: u8,
    from: &[Kind],
    fits: &impl Fn(&mut Tiles) -> bool,
) -> bool {
    if wilds == 0 {
        return fits(tiles);
    }
    (0..from.len()).any(|place| {
        let index = from[place].index();
        tiles[index] += 1;
        let found = any_replaced(tiles, wilds - 1, &from[place..], fits);
        tiles[index] -= 1;
        found
    })
}

/// True if the tiles are so many groups, and a pair if one is needed.
fn is_groups(tiles: &mut Tiles, groups: usize, pair: bool) -> bool {
    let Some(first) = Kind::all().find(|kind| tiles[kind.index()] > 0) else {
        return groups == 0 && !pair;
    };
    let index = first.index();
    let starts_run = first.rank().is_some_and(|rank| rank.get() <= 7);
    let run = starts_run.then_some(([index, index + 1, index + 2], groups.wrapping_sub(1), pair));
    let pung = ([index; 3], groups.wrapping_sub(1), pair);
    let choices = run.into_iter().chain([pung]);
    let of_groups = choices.filter(|_| groups > 0).any(|(group, groups, pair)| {
        let mut rest = *tiles;
        let held = group.iter().all(|&index| {
            let has = rest[index] > 0;
            rest[index] -= u8::from(has);
            has
        });
        held && is_groups(&mut rest, groups, pair)
    });
    of_groups
        || pair && tiles[index] >= 2 && {
            let mut rest = *tiles;
            rest[index] -= 2;
            is_groups(&mut rest, groups, false)
        }
}

/// The forms of a hand with its last tile, by trying everything: 0 for groups and a pair, 1 for seven pairs. Wild tiles
/// may stand for copies beyond the set if `beyond`.
fn forms(copies: &Counts, beyond: bool, hand: &Hand, last: Kind) -> Vec<u8> {
    let kinds: Vec<Kind> = copies.kinds().iter().collect();
    let melded = hand.melded();
    let mut tiles = [0; Kind::COUNT];
    for kind in hand.concealed().iter().chain([last]) {
        tiles[kind.index()] += 1;
    }
    let wilds = std::mem::take(&mut tiles[WILD.index()]);
    let in_set = |tiles: &Tiles| {
        let used = |kind: Kind| tiles[kind.index()] + melded.get(kind);
        beyond || kinds.iter().all(|&kind| used(kind) <= copies.get(kind))
    };
    let groups = 4 - hand.melds().len();
    let of_groups = |tiles: &mut Tiles| in_set(tiles) && is_groups(tiles, groups, true);
    let of_pairs = |tiles: &mut Tiles| {
        in_set(tiles) && hand.melds().is_empty() && tiles.iter().all(|count| count % 2 == 0)
    };
    let mut found = Vec::new();
    if any_replaced(&mut tiles, wilds, &kinds, &of_groups) {
        found.push(0);
    }
    if any_replaced(&mut tiles, wilds, &kinds, &of_pairs) {
        found.push(1);
    }
    found
}

/// What a hand is worth by `rulesets/hangzhou.toml`.
fn worth(copies: &Counts, beyond: bool, hand: &Hand, win: &Win) -> i64 {
    let last = win.tile.kind().unwrap();
    let melded = hand.melded();
    let is_open = |kind: &Kind| hand.concealed().get(*kind) + melded.get(*kind) < copies.get(*kind);
    let any = copies.kinds().iter().filter(is_open);
    let is_any = any.clone().count() > 0
        && any
            .into_iter()
            .all(|kind| !forms(copies, beyond, hand, kind).is_empty());
    let tiles = hand.concealed().with(last).unwrap();
    let fours = copies
        .kinds()
        .iter()
        .filter(|&kind| tiles.get(kind) == 4)
        // Four white dragons are a four where none of them has to help another tile.
        .filter(|&kind| {
            let others = tiles.kinds().iter().filter(|&other| other != WILD);
            kind != WILD
                || others
                    .clone()
                    .all(|other| tiles.get(other).is_multiple_of(2))
        })
        .count();
    let doubles = |form: u8| {
        let pairs = if form > 0 { 1 + fours } else { 0 };
        let whites = usize::from(tiles.get(WILD) == 4);
        pairs + usize::from(is_any) + whites + usize::from(win.kongs_in_row)
    };
    let all = forms(copies, beyond, hand, last).into_iter();
    1 << all.map(doubles).max().expect("a complete hand")
}

struct Watch {
    copies: Counts,
    beyond: bool,
    all: Vec<Tile>,
    wins: u32,
    with_wild: u32,
    any: u32,
    kept: u32,
}

impl Observer for Watch {
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, _: Action) {
        assert_eq!(all_tiles(state), self.all);
        let hand = state.hand(seat);
        let has_others = hand.kinds().iter().any(|kind| kind != WILD);
        for action in legal.iter() {
            match action {
                Action::Discard { tile, .. } => {
                    assert!(tile.kind() != Some(WILD) || !has_others);
                }
                Action::ConcealedKong(kind) | Action::AddedKong(kind) => assert_ne!(kind, WILD),
                Action::Win => assert!(matches!(state.phase(), Phase::Turn(_))),
                _ => {}
            }
        }
        // A hand may win exactly when some kinds in the place of its wild tiles complete it.
        if let Phase::Turn(turn) = state.phase()
            && let Some(drawn) = turn.drawn
        {
            let win = Win::drawn(drawn);
            let before = state.hand_before(seat, &win);
            if before.size() == 13 {
                let last = drawn.kind().unwrap();
                let complete = !forms(&self.copies, self.beyond, &before, last).is_empty();
                assert_eq!(legal.contains(Action::Win), complete, "{before:?}");
            }
        }
        self.kept += u32::from(hand.concealed().get(WILD));
        for seat in Seat::all(4) {
            for meld in state.hand(seat).melds().iter() {
                assert!(meld.group().tiles().all(|kind| kind != WILD));
            }
        }
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        for (seat, win) in outcome.wins() {
            assert!(win.way.is_self_draw());
            let hand = state.hand_before(*seat, win);
            let score = outcome.settlement.scores[*seat].as_ref().unwrap();
            assert_eq!(
                score.points,
                worth(&self.copies, self.beyond, &hand, win),
                "{hand:?} {win:?}"
            );
            self.wins += 1;
            self.with_wild += u32::from(hand.concealed().get(WILD) > 0);
            self.any += u32::from(score.lines.len() > 1);
        }
    }
}

#[test]
fn wild_tiles_take_the_best_use() {
    for option in ["any", "set"] {
        wild_tiles_take_the_best_use_of(option);
    }
}

fn wild_tiles_take_the_best_use_of(copies: &str) {
    let rules = crate::common::ruleset_with("hangzhou", &[&format!("wild-copies={copies}")]);
    let mut watch = Watch {
        copies: *rules.plan().tiles().copies(),
        beyond: copies == "any",
        all: rules.plan().tiles().iter().collect(),
        wins: 0,
        with_wild: 0,
        any: 0,
        kept: 0,
    };
    for (name, games) in [("greedy", 5), ("random", 1)] {
        let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
        for game in 0..games {
            simulate::play(&rules, &mut agents, game_seed(26, game), &mut watch).unwrap();
        }
    }
    let Watch {
        wins,
        with_wild,
        any,
        kept,
        ..
    } = watch;
    assert!(
        wins > 30 && with_wild > 15 && any > 3 && kept > 100,
        "{wins} {with_wild} {any} {kept}"
    );
}
