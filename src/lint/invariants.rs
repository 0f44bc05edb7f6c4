//! Checks the invariants of a ruleset: properties that its values should keep.

use crate::decimal::Decimal;
use crate::decompose::Decomposer;
use crate::hand::Hand;
use crate::illustrate::Hands;
use crate::notation::Notation;
use crate::ruleset::{Invariant, Plan};
use crate::score::{
    self, Condition, MOST_SUMS, Pattern, PatternValue, Score, ScoreError, ScoreFamily, ScoreInput,
    ScoreRules, Tallied, Tally,
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
pub fn judge(plan: &Plan, invariant: &Invariant) -> Judgement {
    if is_proved(plan, invariant) {
        return Judgement::Proved;
    }
    let found = cheapest(plan, invariant);
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
    let sums = least_sums(plan, &invariant.given, &worth)?;
    let minimum = plan.score.family().minimum();
    let wins = minimum.is_none_or(|minimum| {
        // A minimum may ask for one column less another, which rises although one of them does not.
        let together = |pattern: &Pattern, times: &[i64; MOST_SUMS]| -> i64 {
            let amounts = worth(pattern).into_iter().zip(times);
            amounts.map(|(amount, times)| amount * times).sum()
        };
        minimum.condition.holds_from_sums(&|times| {
            let ScoreFamily::Sums(rules) = plan.score.family() else {
                return None;
            };
            // The greatest amount is not the sum.
            let is_greatest = |column: usize| times[column] != 0 && rules.takes_greatest(column);
            if (0..MOST_SUMS).any(is_greatest) {
                return times.iter().all(|&times| times >= 0).then_some(0);
            }
            let of = |pattern: &Pattern| {
                let mut sums = [0; MOST_SUMS];
                sums[0] = together(pattern, times);
                sums
            };
            least_sums(plan, &invariant.given, &of).map(|sums| sums[0])
        })
    });
    Some(Tallied {
        wins,
        sums,
        ..Tallied::default()
    })
}

/// A lower bound for what patterns add to the columns of every winning hand that meets `given`, in tenths. `worth` says what
/// a pattern adds. `None` if the values imply none.
fn least_sums(
    plan: &Plan,
    given: &Condition,
    worth: &dyn Fn(&Pattern) -> [i64; MOST_SUMS],
) -> Option<[i64; MOST_SUMS]> {
    let score = &plan.score;
    let patterns = score.patterns();
    // In Riichi values alone imply no bound: counters raise the minimum of han, bonus han need a yaku, and some
    // han count alone.
    let ScoreFamily::Sums(rules) = score.family() else {
        return None;
    };
    let counts = |pattern: &&Pattern| !pattern.value.is_off();
    let is_negative = |pattern: &Pattern| worth(pattern).iter().any(|&tenths| tenths < 0);
    if patterns.iter().filter(counts).any(is_negative) {
        return None;
    }
    let is_certain: Vec<bool> = patterns
        .iter()
        .map(|pattern| counts(&pattern) && given.implies_pattern(pattern))
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
    let mut of = [0; MOST_SUMS];
    for (place, pattern) in patterns.iter().enumerate().filter(|(i, _)| is_certain[*i]) {
        let taken = |(i, other): (usize, &Pattern)| is_certain[i] && takes(other, place);
        if !patterns.iter().enumerate().any(taken) {
            for (of, amount) in of.iter_mut().zip(worth(pattern)) {
                *of += amount;
            }
        }
    }
    // Another pattern may supersede some of these. The bound drops by the amount by which they exceed its value.
    for (i, other) in patterns.iter().enumerate().filter(|(i, _)| !is_certain[*i]) {
        let lost = (0..patterns.len()).filter(|&place| is_certain[place] && takes(other, place));
        let lost: Vec<[i64; MOST_SUMS]> = lost.map(|place| worth(&patterns[place])).collect();
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
        let other = if stays { worth(other) } else { [0; MOST_SUMS] };
        for (column, of) in of.iter_mut().enumerate() {
            let lost: i64 = lost.iter().map(|lost| lost[column]).sum();
            *of -= (lost - other[column]).max(0);
        }
    }
    // A win on a flower scores only patterns for such wins. It has at least one of them.
    for pattern in score.flower_wins().iter().map(|&place| &patterns[place]) {
        if counts(&pattern) && !pattern.value.is_limit() {
            for (of, amount) in of.iter_mut().zip(worth(pattern)) {
                *of = amount.min(*of);
            }
        }
    }
    for (column, of) in of.iter_mut().enumerate() {
        // The greatest amount is not the sum.
        if rules.takes_greatest(column) {
            *of = 0;
        }
    }
    Some(of)
}

/// A lower bound for what patterns add to the columns of every winning hand, in tenths. 0 where the values imply none.
pub(crate) fn least_of_winners(plan: &Plan) -> [i64; MOST_SUMS] {
    least_sums(plan, &Condition::always(), &worth).unwrap_or_default()
}

/// What a pattern adds to each column each time it counts, in tenths.
fn worth(pattern: &Pattern) -> [i64; MOST_SUMS] {
    match pattern.value {
        PatternValue::Sums(amounts) => amounts.columns().map(Decimal::tenths),
        _ => [0; MOST_SUMS],
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
        let tallied = Tallied::of(&score);
        if !is_meant || invariant.then.holds_of(&tallied) {
            continue;
        }
        let (order, worth) = told(&rules, &score);
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
            Tally::Sums(sum) => sum.limits,
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
fn told(rules: &ScoreRules, score: &Score) -> ((i64, i64), String) {
    let points = match score.tally.wins() {
        true => score.points,
        false => 0,
    };
    let count = match &score.tally {
        Tally::Sums(sum) => sum.worth.tenths(),
        Tally::HanFu(sum) => i64::from(sum.han * 1000 + sum.fu),
    };
    let text = rules.sum_in_words(score);
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

    use crate::ruleset::{Rules, Source};

    /// The minimum of Hong Kong is that of one column less another.
    #[test]
    fn an_invariant_of_a_difference_of_columns_is_proved() {
        let proved = |given: &str, minimum: i64| {
            let text = format!(
                "[ruleset]\nid = \"club\"\nname = \"Club\"\nextends = \"hong-kong-old-style\"\n\
                [invariants.wins]\ngiven = \"{given}\"\nthen = \"wins\"\ndoc = \"It wins.\"\n"
            );
            let option = ("minimum".to_owned(), minimum.into());
            let rules = Source::text("club", text).load(&[option]).unwrap();
            is_proved(rules.plan(), &rules.plan().invariants()[0])
        };
        assert!(proved("suits == 1 and not has(honour)", 6));
        let mixed = "suits == 1 and has(honour)";
        assert!(proved(mixed, 3) && !proved(mixed, 4));
        // Bonus doubles do not count towards the minimum.
        assert!(proved("self-draw", 1) && !proved("self-draw", 2));
        assert!(!proved("aside(flower) >= 1", 1));
    }

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
                let tallied = Tallied::of(&score);
                for line in &score.lines {
                    let Some(mark) = usize::from(line.pattern).checked_sub(count) else {
                        continue;
                    };
                    let least = &bounds[mark];
                    checked += 1;
                    let mut sums = tallied.sums.iter().zip(&least.sums);
                    assert!(
                        sums.all(|(sum, least)| sum >= least),
                        "{id}: {} is {tallied:?}, not {least:?}",
                        written(&hand, seat, &win)
                    );
                }
            }
            assert!(checked > 1000, "{id}: {checked}");
        }
    }
}
