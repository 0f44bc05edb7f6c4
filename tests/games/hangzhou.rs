//! Whole games with wild tiles: what they may do, and what hands are worth by trying every kind in their place.

use crate::common::all_tiles;
use paishan::decompose::{Arrangement, Decomposer, Holding};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::state::{Action, DealState, Legal, Phase, Win};
use paishan::{Counts, Hand, Kind, Ruleset, Seat, Tile, game_seed, ruleset, simulate};
use std::ops::ControlFlow;

const WILD: Kind = Kind::WHITE;

/// Every way to put kinds in the place of wild tiles.
fn replaced(tiles: Counts, copies: &Counts, from: Kind, visit: &mut impl FnMut(&Counts)) {
    fn go(plain: Counts, wilds: u8, copies: &Counts, from: usize, visit: &mut impl FnMut(&Counts)) {
        if wilds == 0 {
            return visit(&plain);
        }
        for kind in copies.kinds().iter().filter(|kind| kind.index() >= from) {
            if let Some(more) = plain.with(kind) {
                go(more, wilds - 1, copies, kind.index(), visit);
            }
        }
    }
    let wilds = tiles.get(from);
    let mut plain = tiles;
    plain.set(from, 0);
    go(plain, wilds, copies, 0, visit);
}

/// The forms of a hand with its last tile, by trying everything.
fn forms(natural: &Decomposer, hand: &Hand, last: Kind) -> Vec<u8> {
    let copies = *natural.grammar().copies();
    let Some(tiles) = hand.concealed().with(last) else {
        return Vec::new();
    };
    let melded = hand.melded();
    let mut found = Vec::new();
    replaced(tiles, &copies, WILD, &mut |concealed| {
        let fits = |kind: Kind| concealed.get(kind) + melded.get(kind) <= copies.get(kind);
        if !concealed.kinds().iter().all(fits) {
            return;
        }
        let whole = Holding {
            concealed: *concealed,
            ..Holding::from(hand)
        };
        let _ = natural.arrangements(&whole, |arrangement: &Arrangement| {
            found.push(arrangement.form);
            ControlFlow::Continue(())
        });
    });
    found
}

/// What a hand is worth by `rulesets/hangzhou.toml`.
fn worth(natural: &Decomposer, hand: &Hand, win: &Win) -> i64 {
    let last = win.tile.kind().unwrap();
    let copies = *natural.grammar().copies();
    let melded = hand.melded();
    let is_open = |kind: &Kind| hand.concealed().get(*kind) + melded.get(*kind) < copies.get(*kind);
    let any = copies.kinds().iter().filter(is_open);
    let is_any = any.clone().count() > 0
        && any
            .into_iter()
            .all(|kind| !forms(natural, hand, kind).is_empty());
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
    let all = forms(natural, hand, last).into_iter();
    1 << all.map(doubles).max().expect("a complete hand")
}

struct Watch<'a> {
    natural: &'a Decomposer,
    all: Vec<Tile>,
    wins: u32,
    with_wild: u32,
    any: u32,
    kept: u32,
}

impl Observer for Watch<'_> {
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
                let complete = !forms(self.natural, &before, drawn.kind().unwrap()).is_empty();
                assert_eq!(legal.can_win(), complete, "{before:?}");
            }
        }
        self.kept += u32::from(hand.concealed().get(WILD));
        for seat in Seat::all(4) {
            for meld in state.hand(seat).melds.iter() {
                assert!(meld.group.tiles().all(|kind| kind != WILD));
            }
        }
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        for (seat, win) in &outcome.wins {
            assert!(win.way.is_self_draw());
            let hand = state.hand_before(*seat, win);
            let score = outcome.settlement.scores[*seat].as_ref().unwrap();
            assert_eq!(
                score.points,
                worth(self.natural, &hand, win),
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
    let rules = ruleset::by_id("hangzhou", &[]).unwrap();
    // The same tiles and groups, where nothing is wild.
    let natural = rules
        .plan()
        .decomposer
        .clone()
        .with_wild(paishan::set::KindSet::EMPTY);
    let mut watch = Watch {
        natural: &natural,
        all: rules.plan().tiles.iter().collect(),
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
