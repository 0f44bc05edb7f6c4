//! Whether the values of a ruleset keep what their designer wants.

use crate::decimal::Decimal;
use crate::hand::Hand;
use crate::meld::Group;
use crate::notation::Notation;
use crate::random::Stream;
use crate::ruleset::{Invariant, Plan, Ruleset};
use crate::score::{Pattern, PatternValue, ScoreError, ScoreFamily, ScoreInput, Tally};
use crate::seat::Seat;
use crate::state::{FlagSet, Way, Win};
use crate::tile::{Kind, Suit, Tile, Wind};

/// Whether an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Its patterns are worth enough by themselves, and nothing takes them away.
    Proved,
    /// A hand that breaks it: the cheapest that was found.
    Refuted {
        /// The hand and its last tile.
        hand: String,
        /// What it is worth.
        fan: Decimal,
    },
    /// Neither a proof nor a hand was found.
    Open,
}

/// Hands that are tried for one that breaks an invariant.
const TRIES: usize = 20_000;

/// Proves an invariant from the values of patterns, or looks for the cheapest hand that breaks it.
pub fn judge(rules: &dyn Ruleset, invariant: &Invariant) -> Judgement {
    let plan = rules.plan();
    let patterns = &plan.score.patterns;
    let value = |place: &usize| worth(plan, patterns[*place].value);
    // A pattern that takes others away must be worth as much as they together.
    let takes_away = |other: &Pattern| {
        let lost = invariant
            .patterns
            .iter()
            .filter(|place| other.supersedes.contains(place));
        let lost: i64 = lost.map(value).sum();
        lost > worth(plan, other.value)
    };
    let sum: i64 = invariant.patterns.iter().map(value).sum();
    let lacks = invariant.lacks_at_most.tenths();
    let is_enough = match &plan.score.family {
        ScoreFamily::Fan(rules) => sum + lacks > rules.minimum.tenths(),
        ScoreFamily::Doubles(rules) => sum + lacks >= 10 * i64::from(rules.minimum),
        // Counters raise the minimum, limit hands need none: this is not told by values alone.
        ScoreFamily::HanFu(_) => false,
    };
    if is_enough && !patterns.iter().any(takes_away) {
        return Judgement::Proved;
    }
    let found = cheapest(rules, invariant);
    found.map_or(Judgement::Open, |(fan, hand)| Judgement::Refuted {
        hand,
        fan,
    })
}

/// What a pattern adds towards the minimum, in tenths.
fn worth(plan: &Plan, value: PatternValue) -> i64 {
    match &plan.score.family {
        ScoreFamily::Fan(rules) => rules.value(value).tenths(),
        ScoreFamily::Doubles(_) => match value {
            PatternValue::Doubles(doubles) => 10 * i64::from(doubles),
            _ => 0,
        },
        ScoreFamily::HanFu(_) => 0,
    }
}

/// The cheapest complete hand with the patterns of an invariant that lacks more than it says.
fn cheapest(rules: &dyn Ruleset, invariant: &Invariant) -> Option<(Decimal, String)> {
    let plan = rules.plan();
    let ScoreFamily::Fan(fan_rules) = &plan.score.family else {
        return None;
    };
    let grammar = plan.decomposer.grammar();
    let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
    let shapes: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
    let mut stream = Stream::new(1, 1);
    let mut best: Option<(Decimal, String)> = None;
    for _ in 0..TRIES {
        let mut pick = |n: usize| stream.below(n.max(1) as u32) as usize;
        let mut tiles: Vec<Kind> = vec![kinds[pick(kinds.len())]; 2];
        for _ in 0..grammar.groups() {
            let group = match shapes.get(pick(shapes.len() + shapes.len() / 2)) {
                Some(shape) => shape.group(Suit::ALL[pick(3)]),
                None => Group::pung(kinds[pick(kinds.len())]),
            };
            tiles.extend(group.tiles());
        }
        let last = tiles.swap_remove(pick(tiles.len()));
        tiles.sort_unstable();
        let held: Vec<Tile> = tiles.iter().map(|&kind| Tile::plain(kind)).collect();
        let Ok(hand) = Hand::try_new(&plan.tiles, &held, &[], &[]) else {
            continue;
        };
        if hand.concealed().get(last) >= grammar.copies().get(last) {
            continue;
        }
        let (way, from, said) = match pick(2) {
            0 => (Way::Wall, None, "from the wall"),
            _ => (Way::Discard, Some(Seat::EAST), "off a discard"),
        };
        let win = Win {
            tile: Tile::plain(last),
            way,
            from,
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        let input = ScoreInput::new(
            &hand,
            Seat::EAST.after(1, plan.players),
            Wind::East,
            Some(&win),
        );
        let Err(ScoreError::BelowMinimum(score)) = rules.score(&input) else {
            continue;
        };
        let Tally::Fan(sum) = score.tally else {
            continue;
        };
        // A pattern that was taken away is there, too.
        let has = |place: &usize| {
            score
                .lines
                .iter()
                .map(|line| usize::from(line.pattern))
                .any(|counted| {
                    counted == *place || plan.score.patterns[counted].supersedes.contains(place)
                })
        };
        let lacks_more =
            sum.fan.tenths() + invariant.lacks_at_most.tenths() <= fan_rules.minimum.tenths();
        if invariant.patterns.iter().all(has) && lacks_more {
            let name = Notation::Ujmj;
            let text = format!(
                "{} with {} {said}",
                name.print(held.iter().copied()),
                name.print_one(Tile::plain(last))
            );
            if best
                .as_ref()
                .is_none_or(|(fan, hand)| (sum.fan.tenths(), &text) < (fan.tenths(), hand))
            {
                best = Some((sum.fan, text));
            }
        }
    }
    best
}
