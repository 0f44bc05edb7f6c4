//! Scores of `riichienv-core` for the hands that win in games: melds, red fives, indicators and circumstances as they came.
//! Compares that the hand wins, limit hands, han, fu and points. Fails if any of them differ.
//!
//! ```text
//! cargo run --locked --release --manifest-path benches/peers/Cargo.toml -- wins [HANDS]
//! ```
//!
//! The first few differences of each kind are printed.

use crate::play::Wins;
use paishan::meld::Family;
use paishan::random::Stream;
use paishan::score::{ScoreInput, Tally};
use paishan::state::{Way, Win};
use paishan::{Meld, Rules, Ruleset, Seat, Tile};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::types::{Conditions, Meld as TheirMeld, MeldType, WinResult, Wind as TheirWind};
use std::collections::BTreeMap;

/// How many differences of a kind are printed.
const SHOWN: usize = 3;

/// The place of a tile in the order of the peer, which has 34 kinds.
fn place(tile: Tile) -> usize {
    let kind = tile.kind().expect("no flower");
    crate::hands::kinds().iter().position(|one| *one == kind).expect("a kind of the peer")
}

/// Numbers tiles, each copy differently.
struct Copies([u8; 34]);

impl Copies {
    fn id(&mut self, tile: Tile) -> u8 {
        let place = place(tile);
        let first = 4 * place as u8;
        if tile.is_red() {
            return first;
        }
        let taken = &mut self.0[place];
        *taken += 1;
        // The first five of a suit is the red one.
        first + *taken - u8::from(!matches!(place, 4 | 13 | 22))
    }

    fn meld(&mut self, meld: &Meld) -> TheirMeld {
        let mut reds = meld.reds();
        let tiles = meld.kinds().map(|kind| {
            let red = kind.suit().map(Tile::red_five).filter(|red| reds > 0 && red.kind() == Some(kind));
            reds -= u8::from(red.is_some());
            self.id(red.unwrap_or(kind.into()))
        });
        let tiles = tiles.collect();
        let meld_type = match meld.group().family() {
            Family::Kong if meld.is_added() => MeldType::Kakan,
            Family::Kong if meld.is_open() => MeldType::Daiminkan,
            Family::Kong => MeldType::Ankan,
            Family::Pung => MeldType::Pon,
            _ => MeldType::Chi,
        };
        TheirMeld::new(meld_type, tiles, meld.is_open(), 0, None)
    }
}

fn wind(place: usize) -> TheirWind {
    [TheirWind::East, TheirWind::South, TheirWind::West, TheirWind::North][place]
}

/// Scores a win with the peer.
fn theirs(rules: &dyn Ruleset, input: &ScoreInput<'_>, win: &Win) -> WinResult {
    let plan = rules.plan();
    let has = |flag: &str| plan.flag(flag).is_some_and(|place| win.flags.contains(place));
    let drawn = matches!(win.way, Way::Wall | Way::Replacement);
    let conditions = Conditions {
        tsumo: drawn,
        riichi: has("riichi") || has("double-riichi"),
        double_riichi: has("double-riichi"),
        ippatsu: has("ippatsu"),
        haitei: has("last-tile") && drawn,
        houtei: has("last-tile") && !drawn,
        rinshan: win.way == Way::Replacement,
        chankan: win.way == Way::RobbedKong,
        tsumo_first_turn: has("first-turn") && drawn,
        player_wind: wind(input.seat.index()),
        round_wind: wind(input.round as usize),
        ..Conditions::default()
    };
    let mut copies = Copies([0; 34]);
    let melds = input.hand.melds().iter().map(|meld| copies.meld(meld)).collect();
    let concealed = input.hand.tiles().map(|tile| copies.id(tile)).collect();
    let last = copies.id(win.tile);
    let ids = |tiles: &[Tile]| tiles.iter().map(|&tile| Copies([0; 34]).id(tile)).collect();
    let ura = if conditions.riichi { ids(input.ura) } else { Vec::new() };
    HandEvaluator::new(concealed, melds).calc(last, ids(input.bonus), ura, Some(conditions))
}

#[derive(Default)]
struct Compared {
    hands: usize,
    open: usize,
    limits: usize,
    differ: BTreeMap<String, usize>,
}

impl Compared {
    fn compare(&mut self, rules: &dyn Ruleset, input: &ScoreInput<'_>) {
        let Some(win) = input.win else { return };
        let score = rules.score_hand(input).expect("a hand that won");
        let Tally::HanFu(ours) = score.tally else { panic!("a score in han and fu") };
        let theirs = theirs(rules, input, win);
        let paid = match (win.way, input.seat) {
            (Way::Wall | Way::Replacement, Seat::EAST) => 3 * theirs.tsumo_agari_ko,
            (Way::Wall | Way::Replacement, _) => theirs.tsumo_agari_oya + 2 * theirs.tsumo_agari_ko,
            _ => theirs.ron_agari,
        };
        self.hands += 1;
        self.open += usize::from(score.is_open);
        self.limits += usize::from(ours.limits > 0);
        let what = if !theirs.is_win {
            "no win"
        } else if theirs.yakuman != (ours.limits > 0) {
            "yakuman"
        } else if !theirs.yakuman && ours.han != theirs.han {
            "han"
        } else if !theirs.yakuman && ours.fu != theirs.fu {
            "fu"
        } else if score.points != i64::from(paid) {
            "points"
        } else {
            return;
        };
        let count = self.differ.entry(what.to_owned()).or_default();
        *count += 1;
        if *count <= SHOWN {
            println!("{what}: {:?} {:?} {win:?}: ours {score:?}, theirs {theirs:?}", input.hand, input.seat);
        }
    }
}

/// Compares at least so many wins.
pub fn all(hands: usize) {
    let rules = Rules::by_id("riichi-mahjong-soul").expect("a ruleset");
    let mut compared = Compared::default();
    let mut stream = Stream::new(8, 1);
    for player in ["greedy", "value"] {
        for won in Wins::of(&rules, player, hands.div_ceil(2)) {
            let mut input = won.input();
            // The indicators under others are hidden, so random tiles serve.
            let mut hidden: Vec<Tile> = Vec::new();
            for _ in input.bonus {
                hidden.push(crate::hands::kinds()[stream.below(34) as usize].into());
            }
            input.ura = &hidden;
            compared.compare(&rules, &input);
        }
    }
    let Compared { hands, open, limits, differ } = compared;
    println!("{hands} wins compared, {open} of them open, {limits} limit hands");
    println!("differences: {differ:?}");
    assert!(differ.is_empty(), "scores differ");
}
