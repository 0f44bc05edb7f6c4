//! What several tests use.
#![allow(dead_code, reason = "each test uses a part")]

pub mod classical;
pub mod complete;
pub mod legality;
pub mod naive;
pub mod patterns;
pub mod rigged;

use paishan::agent::{self, Agent};
use paishan::game::Outcome;
use paishan::log::{Line, LogOptions, Recorder};
use paishan::ruleset::{self, OptionValue, Ruleset};
use paishan::simulate::{Summary, play};
use paishan::state::{DealState, Way, Win};
use paishan::{Notation, Player, Rules, Seat, Seeds, Tile, game_seed};

/// The rulesets for four players that only set options of `riichi-mcgill`.
pub const RIICHI_PRESETS: [&str; 8] = [
    "riichi-tenhou",
    "riichi-mahjong-soul",
    "riichi-ema",
    "riichi-wrc",
    "riichi-m-league",
    "riichi-jpml",
    "riichi-saikouisen",
    "riichi-rmu",
];

pub fn woo() -> Rules {
    Rules::by_id("woo").unwrap()
}

pub fn with(options: &[(&str, OptionValue)]) -> Rules {
    let set = |rules: Rules, (name, value): &(&str, OptionValue)| {
        rules.with(name, value.clone()).unwrap()
    };
    options.iter().fold(woo(), set)
}

/// A built-in ruleset with options such as `flowers=false`.
pub fn ruleset_with(id: &str, options: &[&str]) -> Rules {
    let set: Vec<_> = options
        .iter()
        .map(|text| ruleset::parse_option(text).unwrap())
        .collect();
    Rules::by_id_with(id, &set).unwrap()
}

pub fn agents(rules: &dyn Ruleset, name: &str) -> Vec<Box<dyn Agent>> {
    (0..rules.plan().players())
        .map(|_| agent::by_name(name, rules.plan()).unwrap())
        .collect()
}

/// How many games a second derivation follows: `usual`, or as many as `PAISHAN_GAMES` says unless that is none.
pub fn games(usual: u64) -> u64 {
    match std::env::var("PAISHAN_GAMES") {
        Ok(games) if usual > 0 => games.parse().expect("PAISHAN_GAMES is a number"),
        _ => usual,
    }
}

/// The lines of one game with the same agent at every seat.
pub fn game_log(
    rules: &dyn Ruleset,
    agent: &str,
    seeds: impl Into<Seeds>,
    viewer: Option<Player>,
    with_legal: bool,
) -> Vec<Line> {
    let mut options = LogOptions::new(
        vec![agent.to_owned(); rules.plan().players()],
        Notation::Ujmj,
    );
    options.viewer = viewer;
    options.with_legal = with_legal;
    let mut lines = Vec::new();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    play(rules, &mut agents(rules, agent), seeds, &mut recorder).unwrap();
    drop(recorder);
    lines
}

/// Decisions, draws, winners' points, and the FNV-1a hash of all lines of some games.
pub fn golden(rules: &dyn Ruleset, agent: &str, games: u64) -> (u64, u64, i64, u64) {
    let mut summary = Summary::default();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for game in 0..games {
        let seed = game_seed(7, game);
        play(rules, &mut agents(rules, agent), seed, &mut summary).unwrap();
        for mut line in game_log(rules, agent, seed, None, true) {
            // The games are the same, however the rules are written down.
            if let Line::StartGame(start) = &mut line {
                start.ruleset_hash = None;
            }
            for byte in serde_json::to_vec(&line).unwrap() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    (
        summary.decisions,
        summary.draws,
        summary.winning_points.iter().sum(),
        hash,
    )
}

/// All tiles of a deal that is over.
pub fn all_tiles_at_end(state: &DealState, outcome: &Outcome) -> Vec<Tile> {
    let mut tiles = all_tiles(state);
    // A robbed tile lies in no hand when the deal is over, nor does one that was set aside. Flowers stay.
    let last = state.discards().last();
    let is_gone = |win: &&Win| match win.way {
        Way::RobbedKong => true,
        Way::Discard if win.tile.is_flower() => false,
        Way::Discard => last.map(|last| (last.seat, last.tile)) != win.from.zip(Some(win.tile)),
        _ => false,
    };
    let robbed = outcome.wins().first().map(|(_, win)| win);
    let robbed = robbed.filter(|win| state.wins().is_empty() && is_gone(win));
    tiles.extend(robbed.map(|win| win.tile));
    tiles.sort();
    tiles
}

/// All tiles of a deal, wherever they are.
pub fn all_tiles(state: &DealState) -> Vec<Tile> {
    let mut tiles = Vec::new();
    for seat in Seat::all(state.players()) {
        let hand = state.hand(seat);
        tiles.extend(hand.tiles());
        tiles.extend(hand.aside().tiles());
        for meld in hand.melds().iter() {
            let mut reds = meld.reds();
            tiles.extend(meld.kinds().map(|kind| match (kind.suit(), kind.rank()) {
                (Some(suit), Some(rank)) if rank.get() == 5 && reds > 0 => {
                    reds -= 1;
                    Tile::red_five(suit)
                }
                _ => Tile::plain(kind),
            }));
        }
    }
    let loose = state.discards().iter().filter(|discard| !discard.claimed);
    tiles.extend(loose.map(|discard| discard.tile));
    tiles.extend(state.robbed());
    tiles.extend(state.turned().iter().map(|turned| turned.tile));
    let wall = state.wall();
    let (front, back) = wall.taken();
    let gone: Vec<usize> = wall.back_places().take(back).collect();
    let undrawn = wall.tiles().enumerate().skip(front);
    tiles.extend(
        undrawn
            .filter(|(i, _)| !gone.contains(i))
            .map(|(_, tile)| tile),
    );
    tiles.sort();
    tiles
}
