//! Perft counts the nodes of the tree of decisions to a depth, from fixed seeds, split by the first action. The
//! numbers stand in `tests/perft/`. A change of any rule of play changes some; the first branch that differs is shown.
//!
//! `cargo test` checks the upper levels, in about a second. These go deeper, and write the numbers anew:
//!
//! ```text
//! PAISHAN_PERFT=deep cargo test --release --test games perft
//! PAISHAN_WRITE=1 PAISHAN_PERFT=deep cargo test --release --test games perft
//! ```

use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{self, Ruleset};
use paishan::state::Action;
use paishan::{Lang, Rules};
use std::fmt::Write;
use std::path::PathBuf;

/// The tables: the name of a file, the ruleset and its options.
const TABLES: [(&str, &str, &[&str]); 25] = [
    ("american", "american", &[]),
    ("american-as-dealt", "american", &["charleston=none"]),
    ("celestial", "celestial", &[]),
    ("changsha", "changsha", &[]),
    ("filipino", "filipino", &[]),
    ("fuzhou", "fuzhou", &[]),
    ("hangzhou", "hangzhou", &[]),
    ("hong-kong-old-style", "hong-kong-old-style", &[]),
    ("malaysian", "malaysian", &[]),
    ("mcr", "mcr", &[]),
    ("riichi-ema", "riichi-ema", &[]),
    ("riichi-mcgill", "riichi-mcgill", &[]),
    ("riichi-sanma", "riichi-sanma", &[]),
    ("riichi-tenhou", "riichi-tenhou", &[]),
    ("riichi-wrc", "riichi-wrc", &[]),
    ("sichuan", "sichuan", &[]),
    ("taiwanese", "taiwanese", &[]),
    ("traditional", "traditional", &[]),
    ("traditional-penalties", "traditional", &["penalties=true"]),
    ("two-player", "two-player", &[]),
    ("uzje", "uzje", &[]),
    (
        "uzje-hidden",
        "uzje",
        &["closed-quads=hidden", "players=3", "winds=compressed"],
    ),
    ("uzje-six", "uzje", &["players=6", "tongs=all"]),
    ("woo", "woo", &[]),
    ("zung-jung", "zung-jung", &[]),
];

/// Seeds, and how many decisions are made before the tree begins: chosen by a stream of their own.
const ROOTS: [(u64, usize); 4] = [(1, 0), (2, 30), (3, 60), (4, 85)];
/// Depths that are always checked, and those that are checked by hand.
const SHALLOW: std::ops::RangeInclusive<usize> = 1..=5;
const DEEP: std::ops::RangeInclusive<usize> = 6..=7;

fn rules(id: &str, options: &[&str]) -> Rules {
    let options: Vec<_> = options
        .iter()
        .map(|text| ruleset::parse_option(text).unwrap())
        .collect();
    Rules::by_id_with(id, &options).unwrap()
}

/// The deal of a seed after so many decisions.
fn root(rules: &dyn Ruleset, seed: u64, decisions: usize) -> Deal<&dyn Ruleset> {
    let series = Match::new(rules, seed);
    let mut deal = Deal::start(rules, series.state().setup());
    let mut stream = Stream::new(seed, 1 << 40);
    for _ in 0..decisions {
        let Some(seat) = deal.state().deciding().next() else {
            break;
        };
        let legal = deal.legal(seat);
        let place = stream.below(legal.len() as u32) as usize;
        let action = legal.nth(place).unwrap();
        if action == Action::Win {
            continue;
        }
        deal.act(seat, action).unwrap();
    }
    deal
}

/// Nodes at a depth below this one. A deal that is over has none below.
fn nodes(deal: &Deal<&dyn Ruleset>, depth: usize) -> u64 {
    let Some(seat) = deal.state().deciding().next() else {
        return 0;
    };
    if depth == 1 {
        return deal.legal(seat).len() as u64;
    }
    let actions: Vec<Action> = deal.legal(seat).iter().collect();
    let below = actions.into_iter().map(|action| {
        let mut next = deal.clone();
        next.act(seat, action).unwrap();
        nodes(&next, depth - 1)
    });
    below.sum()
}

/// What one root comes to: a line for the sum, a line for each first action.
fn entry(deal: &Deal<&dyn Ruleset>, head: &str, depth: usize) -> Vec<String> {
    // The words are those of a ruleset that has no names of its own.
    let words = Rules::by_id("woo").unwrap();
    let Some(seat) = deal.state().deciding().next() else {
        return vec![format!("{head}, depth {depth}: over")];
    };
    let mut lines = Vec::new();
    let mut sum = 0;
    for action in deal.legal(seat).iter() {
        let mut next = deal.clone();
        next.act(seat, action).unwrap();
        let count = match depth {
            1 => 1,
            _ => nodes(&next, depth - 1),
        };
        sum += count;
        let action = words
            .plan()
            .describe(action, deal.state().phase(), Lang::EN);
        lines.push(format!("  {seat} {action}: {count}"));
    }
    lines.insert(0, format!("{head}, depth {depth}: {sum}"));
    lines
}

fn table(id: &str, options: &[&str], is_deep: bool) -> Vec<Vec<String>> {
    let rules = rules(id, options);
    let mut entries = Vec::new();
    for (seed, decisions) in ROOTS {
        let deal = root(&rules, seed, decisions);
        let head = format!("seed {seed} after {decisions} decisions");
        let deepest = if is_deep { *DEEP.end() } else { *SHALLOW.end() };
        for depth in *SHALLOW.start()..=deepest {
            // The last roots have few branches left, and the first too many.
            if depth < 7 || decisions > 0 {
                entries.push(entry(&deal, &head, depth));
            }
        }
    }
    entries
}

#[test]
fn trees_have_the_nodes_that_they_had() {
    let is_deep = std::env::var("PAISHAN_PERFT").is_ok_and(|value| value == "deep");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    for (name, id, options) in TABLES {
        let found = table(id, options, is_deep);
        let path = folder.join(format!("{name}.txt"));
        if std::env::var_os("PAISHAN_WRITE").is_some() {
            let mut text = format!(
                "# {id} {}: nodes of the tree of decisions\n",
                options.join(" ")
            );
            for line in found.iter().flatten() {
                writeln!(text, "{line}").unwrap();
            }
            std::fs::write(&path, text).unwrap();
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for entry in found {
            let head = entry[0].rsplit_once(": ").unwrap().0;
            let known: Vec<&str> = text
                .lines()
                .skip_while(|line| {
                    line.rsplit_once(": ")
                        .is_none_or(|(start, _)| start != head)
                })
                .take(entry.len())
                .collect();
            let differs = (1..entry.len().max(known.len()))
                .chain([0])
                .find(|&i| entry.get(i).map(String::as_str) != known.get(i).copied());
            if let Some(at) = differs {
                panic!(
                    "{name}, {head}: the first branch that differs\n  was {:?}\n  is  {:?}",
                    known.get(at),
                    entry.get(at)
                );
            }
        }
    }
}
