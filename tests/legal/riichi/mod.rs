//! The legal actions of `riichi-mcgill`, derived a second time from the rules by the obvious slow
//! way, at every decision of games in which riichi, kongs and furiten are frequent. Sources:
//! `rulesets/riichi-mcgill.md` §1 to §8 and §13, `src/log/format.md` for red fives in claims.
//!
//! With the variable `PAISHAN_LONG` set to a number of seconds, games under drawn options follow.

mod events;
mod forms;
mod players;
mod table;
mod walls;

use crate::common::{agents, ruleset_with};
use paishan::agent::Agent;
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{Rules, Ruleset};
use paishan::state::OnTable;
use paishan::{Player, Seat, Wind, game_seed};
use players::*;
use std::cell::RefCell;
use std::io::Write as _;
use std::time::{Duration, Instant};
use table::*;
use walls::*;

/// Names the game that fails.
struct Named<'a>(&'a [&'a str], Style, u64);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self(options, style, seed) = self;
            tell(&format!("{style:?}, seed {seed}, {options:?}"));
        }
    }
}

fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A ruleset with options, and the same without red fives.
struct Variants<'a> {
    set: &'a [&'a str],
    full: Rules,
    plain: Rules,
    greedy: Vec<Box<dyn Agent>>,
}

impl<'a> Variants<'a> {
    fn new(set: &'a [&'a str]) -> Self {
        let others = set
            .iter()
            .copied()
            .filter(|text| !text.starts_with("red-fives"));
        let plain: Vec<&str> = others.chain(["red-fives=[0,0,0]"]).collect();
        let full = ruleset_with("riichi-mcgill", set);
        Self {
            set,
            greedy: agents(&full, "greedy"),
            full,
            plain: ruleset_with("riichi-mcgill", &plain),
        }
    }
}

/// Plays one deal, and says how many decisions it had.
fn play(
    all: &mut Variants<'_>,
    style: Style,
    seed: u64,
    situations: &RefCell<Situations>,
) -> usize {
    let _named = Named(all.set, style, seed);
    let rules: &dyn Ruleset = &all.full;
    let mut stream = Stream::new(seed, 31);
    let habits = Habits::of(style, &mut stream);
    let series = Match::with_dealer(rules, seed, Player::FIRST);
    let mut setup = match style {
        Style::Natural => series.state().setup(),
        _ => series
            .state()
            .setup_with(stacked(rules, style, &mut stream)),
    };
    setup.round = pick(&mut stream, &[Wind::East, Wind::South]);
    for seat in Seat::all(4) {
        let totals: &[i64] = if chance(&mut stream, 85) {
            &[1000, 25_000, 31_000]
        } else {
            &[999, 0, -400]
        };
        setup.points[seat] = pick(&mut stream, totals);
    }
    setup.on_table = OnTable {
        counters: pick(&mut stream, &[0, 0, 1, 5]),
        deposits: stream.below(3),
    };
    setup.dealer_wins = pick(&mut stream, &[0, 0, 6, 7]);
    let mut table = Table::new(
        &all.plain,
        Options::new(all.set),
        setup.dealer_wins,
        situations,
    );
    let mut deal = Deal::start_observed(rules, setup, &mut table);
    let mut decisions = 0;
    while let Some(seat) = deal.state().deciding().next() {
        table.check(&deal);
        let action = choose(
            &table,
            &deal,
            seat,
            style,
            &habits,
            &mut all.greedy,
            &mut stream,
        );
        decisions += 1;
        deal.act_observed(seat, action, &mut table)
            .expect("it is legal");
    }
    decisions
}

/// Settings under which games are always played.
const SETTINGS: [&[&str]; 8] = [
    &[],
    &[
        "temporary-furiten=any-wait",
        "temporary-furiten-until=discard",
        "riichi-pass=until-draw",
        "swap-call=same-tile-forbidden",
        "kan-after-riichi=same-waits",
    ],
    &[
        "karaten=false",
        "furiten-riichi=false",
        "kan-after-riichi=none",
        "riichi-points=0",
        "riichi-live-tiles=0",
    ],
    &[
        "four-kans-draw=false",
        "four-winds-draw=false",
        "four-riichi-draw=false",
        "nine-orphans-draw=false",
        "triple-ron=nearest",
        "rob-concealed-kan=none",
    ],
    &[
        "minimum-han=2",
        "swap-call=allowed",
        "red-fives=[0,0,0]",
        "riichi-points=25000",
        "riichi-live-tiles=30",
    ],
    &[
        "two-han-from-honba=5",
        "red-fives=[4,2,3]",
        "responsibility-kan-replacement=false",
        "karaten=false",
    ],
    &[
        "temporary-furiten=any-wait",
        "double-ron=true",
        "triple-ron=all",
        "open-all-simples=false",
        "gift-of-man=none",
        "eight-dealer-keeps=false",
        "red-fives=[2,2,2]",
    ],
    &[
        "minimum-han=4",
        "temporary-furiten=any-wait",
        "ippatsu=false",
        "pinfu-self-pick=false",
        "gift-of-man=mangan",
        "riichi-pass=until-draw",
    ],
];

/// What has to come up, or the games have shown nothing.
const COMMON: [&str; 43] = [
    "added kan",
    "chii refused that leaves no discard",
    "chii with a red five",
    "claim of the last discard refused",
    "claim refused before a draw",
    "complete without yaku",
    "concealed kan",
    "double riichi",
    "draw: fifth kan",
    "draw: four kans",
    "draw: four riichi",
    "draw: four winds",
    "draw: nine orphans",
    "draw: three rons",
    "fifth kan",
    "first turn",
    "furiten by own discards alone",
    "furiten by passing alone",
    "furiten by passing in riichi alone",
    "kan after the last tile refused",
    "kan in riichi",
    "kan in riichi changes the waits",
    "kan in riichi leaves the shape",
    "kan in riichi leaves the waits alone",
    "kan in riichi without the tile drawn",
    "karaten",
    "nine orphans",
    "nine orphans after a meld refused",
    "one kan too many refused",
    "open kan",
    "riichi",
    "riichi while furiten",
    "robbing of a concealed kan",
    "robbing of an added kan",
    "self-pick",
    "self-pick passed in riichi",
    "swap-call refused",
    "too late for riichi",
    "too poor for riichi",
    "win off a discard",
    "win off a discard that brings a draw",
    "win with a replacement",
    "pon with a red five",
];

#[test]
fn legal_actions_are_those_of_the_rules() {
    let situations = RefCell::default();
    let mut decisions = 0;
    for (i, set) in SETTINGS.into_iter().enumerate() {
        let mut rules = Variants::new(set);
        for game in 0..30 {
            for style in STYLES {
                let seed = game_seed(110 + i as u64, game * 16 + style as u64);
                decisions += play(&mut rules, style, seed, &situations);
            }
        }
    }
    for situation in COMMON {
        let met = situations.borrow().contains_key(situation);
        assert!(met, "{situation}: {situations:#?}");
    }
    assert!(decisions > 20_000, "{decisions} decisions");
    let Ok(seconds) = std::env::var("PAISHAN_LONG") else {
        return;
    };
    tell(&format!("{decisions} decisions, {situations:#?}"));
    let (begin, limit) = (Instant::now(), seconds.parse().expect("seconds"));
    let mut games = 0;
    while begin.elapsed() < Duration::from_secs(limit) {
        let mut stream = Stream::new(game_seed(111, games), 32);
        let drawn = drawn_settings(&mut stream);
        let set: Vec<&str> = drawn.iter().map(String::as_str).collect();
        let mut rules = Variants::new(&set);
        for style in STYLES.into_iter().cycle().take(44) {
            games += 1;
            decisions += play(&mut rules, style, game_seed(112, games), &situations);
        }
    }
    tell(&format!("{decisions} decisions, {situations:#?}"));
}

/// Each option that matters for legal actions at its default or one of its other values.
fn drawn_settings(stream: &mut Stream) -> Vec<String> {
    let values: [(&str, &[&str]); 28] = [
        ("temporary-furiten", &["any-wait"]),
        ("temporary-furiten-until", &["discard"]),
        ("riichi-pass", &["until-draw"]),
        ("swap-call", &["same-tile-forbidden", "allowed"]),
        ("kan-after-riichi", &["none", "same-waits"]),
        ("karaten", &["false"]),
        ("furiten-riichi", &["false"]),
        ("riichi-points", &["0", "999", "25000"]),
        ("riichi-live-tiles", &["0", "1", "30", "69"]),
        ("four-kans-draw", &["false"]),
        ("four-winds-draw", &["false"]),
        ("four-riichi-draw", &["false"]),
        ("nine-orphans-draw", &["false"]),
        ("triple-ron", &["nearest", "all"]),
        ("double-ron", &["true"]),
        ("rob-concealed-kan", &["none"]),
        ("minimum-han", &["2", "3", "4"]),
        ("two-han-from-honba", &["1", "5"]),
        ("red-fives", &["[0,0,0]", "[4,4,4]", "[2,0,3]"]),
        ("responsibility-kan-replacement", &["false"]),
        ("ippatsu", &["false"]),
        ("open-all-simples", &["false"]),
        ("pinfu-self-pick", &["false"]),
        ("gift-of-man", &["none", "mangan"]),
        ("eight-dealer-keeps", &["false"]),
        ("kan-dora-concealed", &["after-discard"]),
        ("kan-dora-open", &["after-discard"]),
        ("kan-dora-added", &["at-once"]),
    ];
    let mut set = Vec::new();
    for (name, others) in values {
        if chance(stream, 35) {
            set.push(format!("{name}={}", pick(stream, others)));
        }
    }
    set
}
