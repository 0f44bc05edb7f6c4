//! Checks the invariants of a ruleset: properties that its values should keep.

use crate::decompose::Decomposer;
use crate::hand::Hand;
use crate::illustrate::Hands;
use crate::notation::Notation;
use crate::ruleset::{Invariant, Plan, Ruleset};
use crate::score::{
    self, Pattern, PatternValue, Score, ScoreError, ScoreFamily, ScoreInput, ScoreRules, Tallied,
    Tally,
};
use crate::seat::Seat;
use crate::state::{Way, Win};
use crate::tile::Wind;

/// Whether an invariant holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Judgement {
    /// It follows from the patterns that every hand meeting `given` has.
    Proved,
    /// Some hand breaks it. This is the cheapest one found.
    Refuted {
        /// The hand and its last tile.
        hand: String,
        /// What it is worth, such as `3.6 fan`.
        worth: String,
    },
    /// Neither a proof nor a counterexample was found.
    Open,
}

/// Tries to prove an invariant from the values of patterns. Failing that, searches for the cheapest hand that
/// breaks it.
pub fn judge(rules: &dyn Ruleset, invariant: &Invariant) -> Judgement {
    if is_proved(rules.plan(), invariant) {
        return Judgement::Proved;
    }
    let found = cheapest(rules.plan(), invariant);
    found.map_or(Judgement::Open, |(_, worth, hand)| Judgement::Refuted {
        hand,
        worth,
    })
}

/// True if an invariant follows from the values of patterns. This is fast, because it scores no hand.
///
/// ```
/// use paishan::{Rules, lint, ruleset};
/// let holds = |option: &str| {
///     let rules = Rules::by_id_with("uzje", &[ruleset::parse_option(option)?])?;
///     let mut all = rules.plan().invariants().iter();
///     Ok::<_, Box<dyn std::error::Error>>(all.all(|one| lint::is_proved(rules.plan(), one)))
/// };
/// assert!(holds("threshold=2.5")? && !holds("threshold=4.5")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_proved(plan: &Plan, invariant: &Invariant) -> bool {
    least(plan, invariant).is_some_and(|least| invariant.then.holds_from(&least))
}

/// A lower bound for the value of every winning hand that meets `given`. `None` if the values imply none.
fn least(plan: &Plan, invariant: &Invariant) -> Option<Tallied> {
    let score = &plan.score;
    let patterns = score.patterns();
    // In Riichi values alone imply no bound: counters raise the minimum of han, bonus han need a yaku, and some
    // han count alone.
    if matches!(score.family(), ScoreFamily::HanFu(_)) {
        return None;
    }
    let worth = |pattern: &Pattern| worth(score.family(), pattern.value);
    let counts = |pattern: &&Pattern| !pattern.value.is_off();
    if patterns
        .iter()
        .filter(counts)
        .any(|pattern| worth(pattern).1 < 0)
    {
        return None;
    }
    let is_certain: Vec<bool> = patterns
        .iter()
        .map(|pattern| counts(&pattern) && invariant.given.implies_pattern(pattern))
        .collect();
    // Perhaps only some of the patterns that combine melds count. Those that do are worth at least as much as the most
    // valuable one.
    let mut is_certain = is_certain;
    let combined =
        (0..patterns.len()).filter(|&i| is_certain[i] && !patterns[i].combines.is_empty());
    let best = combined.clone().max_by_key(|&i| worth(&patterns[i]));
    for i in combined.collect::<Vec<_>>() {
        is_certain[i] = Some(i) == best;
    }
    let takes = |other: &Pattern, place: usize| counts(&other) && other.supersedes.contains(&place);
    let mut of: [i64; 2] = [0; 2];
    for (place, pattern) in patterns.iter().enumerate().filter(|(i, _)| is_certain[*i]) {
        let taken = |(i, other): (usize, &Pattern)| is_certain[i] && takes(other, place);
        if !patterns.iter().enumerate().any(taken) {
            let (early, all) = worth(pattern);
            of[0] += early;
            of[1] += all;
        }
    }
    // Another pattern may supersede some of these. The bound drops by the amount by which they exceed its value.
    for (i, other) in patterns.iter().enumerate().filter(|(i, _)| !is_certain[*i]) {
        let lost = (0..patterns.len()).filter(|&place| is_certain[place] && takes(other, place));
        let lost: Vec<(i64, i64)> = lost.map(|place| worth(&patterns[place])).collect();
        // A pattern that is always superseded does not lower the bound.
        let always_counts = |(taker, one): &(usize, &Pattern)| {
            is_certain[*taker]
                && one.combines.is_empty()
                && takes(one, i)
                && !patterns.iter().any(|other| takes(other, *taker))
        };
        if patterns.iter().enumerate().any(|one| always_counts(&one)) {
            continue;
        }
        // The value of a pattern that can itself be superseded does not offset the loss, nor does that of one that
        // combines melds.
        let stays = other.combines.is_empty() && !patterns.iter().any(|taker| takes(taker, i));
        if lost.is_empty() || other.value.is_limit() && stays {
            continue;
        }
        let (early, all) = if stays { worth(other) } else { (0, 0) };
        of[0] -= (lost.iter().map(|lost| lost.0).sum::<i64>() - early).max(0);
        of[1] -= (lost.iter().map(|lost| lost.1).sum::<i64>() - all).max(0);
    }
    // A win on a flower scores only patterns for such wins. It has at least one of them.
    for pattern in score.flower_wins().iter().map(|&place| &patterns[place]) {
        if counts(&pattern) && !pattern.value.is_limit() {
            let (early, all) = worth(pattern);
            of = [of[0].min(early), of[1].min(all)];
        }
    }
    let nothing = Tallied::nothing(score.family());
    Some(match score.family() {
        ScoreFamily::Fan(_) => Tallied {
            fan: of[1],
            wins: of[0] > nothing.minimum,
            ..nothing
        },
        family => Tallied {
            doubles: of[1],
            // Points are not added up here, so a minimum of points cannot be proved.
            wins: of[0] >= nothing.minimum
                && !matches!(family, ScoreFamily::Doubles(rules) if rules.minimum_points > 0),
            ..nothing
        },
    })
}

/// What a pattern adds each time it counts, in tenths: towards the minimum, and in total.
fn worth(family: &ScoreFamily, value: PatternValue) -> (i64, i64) {
    match (family, value) {
        (ScoreFamily::Fan(_), PatternValue::Limits(_)) => (0, 0),
        (ScoreFamily::Fan(_), PatternValue::BonusFan(fan)) => (0, fan.tenths()),
        (ScoreFamily::Fan(rules), value) => {
            let fan = rules.value(value).tenths();
            (fan, fan)
        }
        (_, PatternValue::Doubles(doubles)) => (10 * i64::from(doubles), 10 * i64::from(doubles)),
        (_, PatternValue::FinalDoubles(doubles)) => (0, 10 * i64::from(doubles)),
        _ => (0, 0),
    }
}

/// How many random hands to try.
const TRIES: usize = 20_000;
/// A hand that was found: its sort key as in [`told`], its value as text, and the hand as text.
type Found = ((i64, i64), String, String);

/// The cheapest winning hand found that meets `given` and breaks `then`. A limit hand counts as more than any
/// number of fan, doubles or han. Wins on flowers are not tried.
fn cheapest(plan: &Plan, invariant: &Invariant) -> Option<Found> {
    let mut hands = Hands::new(plan);
    // A marker pattern without value shows whether the reading that counts meets `given`.
    let marker = plan.score.patterns().len();
    let marking = Pattern::marking(invariant.given.clone());
    let rules = plan.score.with(&[marking], plan.decomposer.grammar());
    let mut best: Option<Found> = None;
    for _ in 0..TRIES {
        let Some((hand, seat, win)) = hands.next() else {
            continue;
        };
        let Some(score) = scored(&rules, &plan.decomposer, plan, &hand, seat, &win) else {
            continue;
        };
        let is_meant = score
            .lines
            .iter()
            .any(|line| usize::from(line.pattern) == marker);
        let tallied = Tallied::of(rules.family(), &score);
        if !is_meant || invariant.then.holds_of(&tallied) {
            continue;
        }
        let (order, worth) = told(&score);
        if best.as_ref().is_none_or(|(least, ..)| order <= *least) {
            let found = (order, worth, written(&hand, seat, &win));
            best = match best {
                Some(best) if best <= found => Some(best),
                _ => Some(found),
            };
        }
    }
    best
}

/// Which winning hands a search found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Winnable {
    /// No hand wins.
    Nothing,
    /// Only limit hands.
    Limits,
    /// Other hands too.
    Any,
}

/// Searches for hands that are worth enough to win. If there are none, or only limit hands, a match may never
/// see a win.
pub(super) fn winnable(plan: &Plan) -> Winnable {
    let rules = &plan.score;
    if !plan.may_refuse_complete() {
        return Winnable::Any;
    }
    let judge = |(hand, seat, win): (Hand, Seat, Win)| {
        let score = scored(rules, &plan.decomposer, plan, &hand, seat, &win);
        let limits = |score: &Score| match &score.tally {
            Tally::Doubles(sum) => sum.limit_hands,
            Tally::Fan(sum) => sum.limits,
            Tally::HanFu(sum) => sum.limits,
        };
        match score {
            Some(score) if !score.tally.wins() => Winnable::Nothing,
            Some(score) if limits(&score) > 0 => Winnable::Limits,
            Some(_) => Winnable::Any,
            None => Winnable::Nothing,
        }
    };
    let mut hands = Hands::new(plan);
    let forms = hands.of_forms();
    let mut tried = (0..TRIES).filter_map(|_| hands.next()).chain(forms);
    let mut best = Winnable::Nothing;
    while let (Some(hand), true) = (tried.next(), best < Winnable::Any) {
        best = best.max(judge(hand));
    }
    best
}

/// Scores a hand. `None` if `[win]` rejects it. A hand worth too little to win has a score, too.
fn scored(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    plan: &Plan,
    hand: &Hand,
    seat: Seat,
    win: &Win,
) -> Option<Score> {
    let round = Wind::East;
    let input = ScoreInput::new(hand, seat, round, Some(win));
    if !plan.allows_hand(hand, seat, round, win) {
        return None;
    }
    match score::best(rules, decomposer, &plan.tiles, &input) {
        Ok(score) => Some(score),
        Err(ScoreError::BelowMinimum(score)) => Some(*score),
        Err(_) => None,
    }
}

/// The sort key of a hand, cheapest first, and its value as text.
fn told(score: &Score) -> ((i64, i64), String) {
    let points = match score.tally.wins() {
        true => score.points,
        false => 0,
    };
    let (count, text) = match &score.tally {
        Tally::Fan(sum) => (sum.fan.tenths(), format!("{} fan", sum.fan)),
        Tally::Doubles(sum) => (i64::from(sum.doubles), format!("{} doubles", sum.doubles)),
        Tally::HanFu(sum) => (
            i64::from(sum.han * 1000 + sum.fu),
            format!("{} han {} fu", sum.han, sum.fu),
        ),
    };
    let paid = match points {
        0 => "too little to win".to_owned(),
        points => format!("{points} points"),
    };
    ((points, count), format!("{text}, {paid}"))
}

/// A hand as text.
fn written(hand: &Hand, seat: Seat, win: &Win) -> String {
    let name = Notation::Ujmj;
    let mut text = name.print(hand.tiles());
    for meld in hand.melds.iter() {
        text.push_str(&format!(" [{}]", name.print_group(meld.group)));
    }
    let came = match win.way {
        Way::Wall => "from the wall",
        _ => "off a discard",
    };
    text + &format!(" with {} {came}, seat {seat}", name.print_one(win.tile))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::ruleset::Rules;
    use crate::score::Condition;

    /// No random hand is worth less than the lower bound for the patterns that it has.
    #[test]
    fn no_hand_comes_to_less_than_the_least() {
        for id in ["uzje", "hong-kong-old-style", "traditional", "celestial"] {
            let rules = Rules::by_id(id).unwrap();
            let plan = rules.plan();
            let count = plan.score.patterns().len();
            let (mut marking, mut bounds) = (Vec::new(), Vec::new());
            for when in plan
                .score
                .patterns()
                .iter()
                .filter_map(|one| one.when.clone())
            {
                let then = Condition::always();
                let (doc, src) = (String::new(), String::new());
                let given = when.clone();
                let invariant = Invariant {
                    id: String::new(),
                    given,
                    then,
                    doc,
                    src,
                };
                marking.push(Pattern::marking(when));
                bounds.push(least(plan, &invariant).unwrap());
            }
            let marked = plan.score.with(&marking, plan.decomposer.grammar());
            let (mut hands, mut checked) = (Hands::new(plan), 0);
            for _ in 0..20_000 {
                let Some((hand, seat, win)) = hands.next() else {
                    continue;
                };
                let score = scored(&marked, &plan.decomposer, plan, &hand, seat, &win);
                let Some(score) = score else { continue };
                let tallied = Tallied::of(marked.family(), &score);
                for line in &score.lines {
                    let Some(mark) = usize::from(line.pattern).checked_sub(count) else {
                        continue;
                    };
                    let least = &bounds[mark];
                    checked += 1;
                    assert!(
                        tallied.fan >= least.fan && tallied.doubles >= least.doubles,
                        "{id}: {} is {tallied:?}, not {least:?}",
                        written(&hand, seat, &win)
                    );
                }
            }
            assert!(checked > 1000, "{id}: {checked}");
        }
    }
}
