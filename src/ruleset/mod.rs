//! Rulesets: the trait [`Ruleset`], the rulesets that are built in, and loading one from a text.

mod options;
mod plan;
mod read;
mod source;

pub use options::{OptionError, OptionSpec, OptionType, OptionValue, Options, parse_option};
pub use plan::{
    AddedTo, ClaimKind, ClaimRank, FirstDealer, Flag, FlowersLaid, LoadError, MatchRules,
    NextDealer, Plan, PlayRules, Winners,
};
pub use source::{RulesetError, RulesetFault};

use crate::score::{self, Score, ScoreError, ScoreInput, Settlement};
use crate::seat::{BySeat, Player, Seat};
use crate::state::{DealState, Legal, Win};
use source::{Node, Texts, nearest};
use std::fmt::Debug;
use std::sync::Arc;

/// The rules of a game. [`Ruleset::plan`] is data; the other methods are what data cannot say, and
/// each has a default that asks the plan. The trait is dyn-compatible.
pub trait Ruleset: Debug + Send + Sync {
    /// The data: tiles, decomposer, wall, claims, patterns, settlement, match.
    fn plan(&self) -> &Plan;

    /// The worth of one hand, won (`input.win` is some) or not.
    ///
    /// # Errors
    /// [`ScoreError`].
    fn score(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
        let plan = self.plan();
        score::best(&plan.score, &plan.decomposer, &plan.tiles, input)
    }

    /// What each player gains or pays, in whole units of the ruleset. `hands` are all hands of the
    /// table in seat order; nobody wins in a drawn deal.
    ///
    /// # Errors
    /// [`ScoreError`] when a win is none.
    fn settle(&self, hands: &[ScoreInput<'_>]) -> Result<Settlement, ScoreError> {
        let plan = self.plan();
        let mut scores: BySeat<Option<Score>> = BySeat::default();
        if hands.iter().any(|hand| hand.win.is_some()) {
            for hand in hands {
                scores[hand.seat] = match self.score(hand) {
                    Ok(score) => Some(score),
                    Err(ScoreError::NotScored) => None,
                    Err(error) => return Err(error),
                };
            }
        }
        Ok(plan.settlement.settle(scores))
    }

    /// Whether `seat` may win now with a tile. Asked when the tiles may be complete.
    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        let plan = self.plan();
        let hand = state.hand_before(seat, win);
        plan.score.win.can_win(&plan.decomposer, &hand, seat, win)
    }

    /// The last step of building a set of legal actions: forbids or adds.
    fn adjust(&self, _state: &DealState, _seat: Seat, _legal: &mut Legal) {}

    /// Who deals after a deal; `winner` is the first winner in turn order.
    fn next_dealer(&self, dealer: Player, winner: Option<Player>) -> Player {
        let plan = self.plan();
        match plan.matches.next_dealer {
            NextDealer::Winner => winner.unwrap_or(dealer),
            NextDealer::Rotate => dealer.after(1, plan.players),
        }
    }

    /// Whether a match is over after so many deals with these totals.
    fn is_over(&self, deals: u32, _totals: &[i64]) -> bool {
        deals >= self.plan().matches.deals
    }
}

macro_rules! forward {
    ($($type:ty),*) => {$(
        impl<R: Ruleset + ?Sized> Ruleset for $type {
            #[inline]
            fn plan(&self) -> &Plan {
                (**self).plan()
            }
            fn score(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
                (**self).score(input)
            }
            fn settle(&self, hands: &[ScoreInput<'_>]) -> Result<Settlement, ScoreError> {
                (**self).settle(hands)
            }
            fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
                (**self).may_win(state, seat, win)
            }
            fn adjust(&self, state: &DealState, seat: Seat, legal: &mut Legal) {
                (**self).adjust(state, seat, legal);
            }
            fn next_dealer(&self, dealer: Player, winner: Option<Player>) -> Player {
                (**self).next_dealer(dealer, winner)
            }
            fn is_over(&self, deals: u32, totals: &[i64]) -> bool {
                (**self).is_over(deals, totals)
            }
        }
    )*};
}

forward!(&R, Box<R>, Arc<R>);

const _: Option<&dyn Ruleset> = None;

/// A ruleset that its file says completely.
#[derive(Clone, Debug)]
pub struct DataRuleset {
    plan: Plan,
}

impl Ruleset for DataRuleset {
    #[inline]
    fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// The texts that are built in, by id.
const BUILT_IN: &[(&str, &str, &str)] = &[(
    "woo",
    "rulesets/woo.toml",
    include_str!("../../rulesets/woo.toml"),
)];

/// The ids of the rulesets that are built in.
///
/// ```
/// assert!(paishan::ruleset::ids().any(|id| id == "woo"));
/// ```
pub fn ids() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(id, ..)| *id)
}

/// The text of a built-in ruleset, to read or to start one's own from.
pub fn text(id: &str) -> Option<&'static str> {
    BUILT_IN
        .iter()
        .find(|(known, ..)| *known == id)
        .map(|(.., text)| *text)
}

/// A built-in ruleset with some options set.
///
/// ```
/// use paishan::{Ruleset, ruleset};
/// let woo = ruleset::by_id("woo", &[("cap".into(), 500.into())])?;
/// assert_eq!(woo.plan().options.get("cap"), Some(&500.into()));
/// assert!(ruleset::by_id("wooo", &[]).is_err());
/// # Ok::<(), ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`LoadError`] for an unknown id or option, or a bad value.
pub fn by_id(id: &str, options: &[(String, OptionValue)]) -> Result<Arc<dyn Ruleset>, LoadError> {
    let Some((_, file, text)) = BUILT_IN.iter().find(|(known, ..)| *known == id) else {
        return Err(LoadError::UnknownRuleset {
            id: id.to_owned(),
            suggestion: nearest(id, ids()),
        });
    };
    Ok(Arc::new(load(file, text, options)?))
}

/// A ruleset from a text, with some options set. `file` names the text in errors. The text may
/// extend a built-in ruleset.
///
/// ```
/// use paishan::{Ruleset, ruleset};
/// let text = r#"
/// ruleset = { id = "short-woo", extends = "woo" }
/// options = { rounds = { default = 2 } }
/// "#;
/// let short = ruleset::from_toml("short-woo.toml", text, &[])?;
/// assert_eq!(short.plan().matches.deals, 2);
/// let fault = ruleset::from_toml("my.toml", "[wal]\n", &[]).unwrap_err();
/// assert!(fault.to_string().starts_with("my.toml:1:"));
/// # Ok::<(), ruleset::LoadError>(())
/// ```
///
/// # Errors
/// [`LoadError`] with the place of the first fault. Every option is tried at the ends of its range
/// and with each of its words, so that what loads cannot fail later.
pub fn from_toml(
    file: &str,
    text: &str,
    options: &[(String, OptionValue)],
) -> Result<DataRuleset, LoadError> {
    let loaded = load(file, text, options)?;
    let (texts, tree) = parse(file, text)?;
    for variation in loaded.plan.options.variations() {
        let (name, _) = &variation;
        let mut set: Vec<_> = options.iter().filter(|(n, _)| n != name).cloned().collect();
        set.push(variation);
        Plan::read(&texts, &tree, &set)?;
    }
    Ok(loaded)
}

fn load(
    file: &str,
    text: &str,
    options: &[(String, OptionValue)],
) -> Result<DataRuleset, LoadError> {
    let (texts, tree) = parse(file, text)?;
    let plan = Plan::read(&texts, &tree, options)?;
    Ok(DataRuleset { plan })
}

/// The tree of a text laid over what it extends.
fn parse(file: &str, text: &str) -> Result<(Texts, Node), LoadError> {
    let mut texts = Texts::default();
    let mut tree = texts.add(file, text)?;
    let mut layers = 0;
    while let Some((parent, place)) = tree.header_text("extends") {
        let Some((_, parent_file, parent_text)) = BUILT_IN.iter().find(|(id, ..)| *id == parent)
        else {
            let fault = RulesetFault::UnknownName {
                what: "built-in ruleset",
                found: parent.to_owned(),
                suggestion: nearest(parent, ids()),
            };
            return Err(texts.error(place, 0, fault).into());
        };
        layers += 1;
        if layers > BUILT_IN.len() {
            let fault = RulesetFault::Contradiction("rulesets extend each other".to_owned());
            return Err(texts.error(place, 0, fault).into());
        }
        let mut base = texts.add(parent_file, parent_text)?;
        let next = base.header_text("extends").map(|(id, _)| id.to_owned());
        base.merge(tree);
        tree = base;
        if next.is_none() {
            break;
        }
        tree.set_extends(next);
    }
    Ok((texts, tree))
}

#[cfg(test)]
mod tests;
