//! Random rounds under random options. By hand, with every assertion of debug builds and overflow checks:
//!
//! ```text
//! CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true PAISHAN_ROUNDS=200000 \
//!     cargo test --release --target-dir target/checked --test games rounds
//! ```

use crate::common::all_tiles_at_end;
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{self, OptionType, OptionValue};
use paishan::{Decimal, Rules, Seat, Tile};

/// A value that an option may have.
fn any_value(kind: &OptionType, stream: &mut Stream) -> Option<OptionValue> {
    let mut up_to = |most: i64| i64::from(stream.below(most.clamp(0, 1 << 20) as u32 + 1));
    Some(match kind {
        OptionType::Bool => (up_to(1) == 1).into(),
        OptionType::Int { min, max, step } => {
            let steps = (max - min) / step;
            OptionValue::Int(min + up_to(steps) * step)
        }
        OptionType::Decimal { min, max, step } => {
            let steps = (max.tenths() - min.tenths()) / step.tenths();
            Decimal::from_tenths(min.tenths() + up_to(steps) * step.tenths()).into()
        }
        OptionType::Enum { values } => values[up_to(values.len() as i64 - 1) as usize]
            .as_str()
            .into(),
        OptionType::Words { values } => {
            let kept = values.iter().filter(|_| up_to(1) == 1);
            OptionValue::Words(kept.cloned().collect())
        }
        OptionType::Ints { len, min, max } if *max - *min < 100 => {
            OptionValue::Ints((0..*len).map(|_| min + up_to(max - min)).collect())
        }
        _ => return None,
    })
}

/// A ruleset with about a third of its options set at random, as long as it loads so.
fn any_options(id: &str, stream: &mut Stream) -> Rules {
    let plain = Rules::by_id(id).unwrap();
    loop {
        let mut set = Vec::new();
        for (spec, _) in plain.plan().options().iter() {
            if stream.below(3) == 0
                && let Some(value) = any_value(&spec.kind, stream)
            {
                set.push((spec.name.clone(), value));
            }
        }
        if let Ok(rules) = Rules::by_id_with(id, &set) {
            return rules;
        }
    }
}

/// Plays so many rounds at random, at most some of each match.
fn play_rounds(id: &str, rounds: u64) {
    let mut stream = Stream::new(rounds, 99);
    let mut played = 0;
    let mut won = 0;
    while played < rounds {
        let rules = any_options(id, &mut stream);
        let plan = rules.plan();
        let tiles: Vec<Tile> = plan.tiles().iter().collect();
        let mut series = Match::new(&rules, u64::from(stream.below(u32::MAX)));
        let start: i64 = series.totals().iter().sum();
        for _ in 0..20 {
            if series.is_over() {
                break;
            }
            let mut deal = Deal::start(&rules, series.state().setup());
            while let Some(seat) = deal.state().deciding().next() {
                let legal = deal.legal(seat);
                // Wins and what is rare are not left to chance alone.
                let place = match stream.below(4) {
                    0 => 0,
                    1 => stream.below(3).min(legal.len() as u32 - 1),
                    _ => stream.below(legal.len() as u32),
                };
                let action = legal.nth(place as usize).unwrap();
                deal.act(seat, action).unwrap();
            }
            let state = deal.state().clone();
            let outcome = deal.outcome().unwrap().clone();
            assert_eq!(all_tiles_at_end(&state, &outcome), tiles);
            series.finish(&deal).unwrap();
            won += u64::from(!outcome.wins().is_empty());
            played += 1;
            let deposits =
                i64::from(series.state().on_table().deposits) * plan.settlement().deposit();
            let sum: i64 = series.totals().iter().sum::<i64>() + deposits;
            let own_points = *plan.settlement() == paishan::score::SettlementRules::OwnPoints;
            assert!(own_points || sum == start, "points come from nowhere");
            for seat in Seat::all(plan.players()) {
                let shown = state.view(seat).snapshot();
                assert!(
                    shown
                        .melds
                        .iter()
                        .flatten()
                        .all(|meld| meld.tiles != "????")
                );
            }
        }
    }
    // Chance alone hardly ever wins.
    assert!(rounds < 10_000 || won > 0, "{id}");
}

#[test]
fn rounds_of_any_options_keep_what_always_holds() {
    let rounds = std::env::var("PAISHAN_ROUNDS").map_or(150, |text| text.parse().unwrap());
    for id in ruleset::ids() {
        play_rounds(id, rounds);
    }
}
