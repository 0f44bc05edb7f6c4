//! Rulesets: the trait [`Ruleset`], the rulesets that are built in, and loading one from a text.

mod options;
mod plan;
mod procedures;
mod read;
mod source;

pub use options::{
    OptionError, OptionSpec, OptionType, OptionValue, Options, PatternValues, merged, parse_option,
};
pub use plan::{
    AddedTo, ClaimKind, ClaimRank, FirstDealer, Flag, FlowersLaid, Invariant, KongAfterClaim,
    LoadError, MatchEnd, MatchRules, NextDealer, Plan, PlayRules, RequestRules, Winners,
};
pub use procedures::{ChallengeRules, FalseWinRules, FishingRules, Procedures};
pub use source::{RulesetError, RulesetFault};

use crate::score::{self, OnTable, Score, ScoreError, ScoreInput, Settlement};
use crate::seat::{BySeat, Player, Seat};
use crate::state::{DealState, Legal, Win};
use crate::tile::Tile;
use smallvec::SmallVec;
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

    /// What each player gains or pays, in the least unit of the ruleset, with every payment. `hands`
    /// are all hands of the table in seat order; nobody wins in a drawn deal.
    ///
    /// # Errors
    /// [`ScoreError`] when a win is none.
    fn settle(&self, hands: &[ScoreInput<'_>], table: OnTable) -> Result<Settlement, ScoreError> {
        let plan = self.plan();
        let mut scores: BySeat<Option<Score>> = BySeat::default();
        let mut short = None;
        if hands.iter().any(|hand| hand.win.is_some()) {
            for hand in hands {
                scores[hand.seat] = match self.score(hand) {
                    Ok(score) => Some(score),
                    Err(ScoreError::NotScored) => None,
                    // A hand that is none goes before one that is not worth enough.
                    Err(error @ ScoreError::BelowMinimum(_)) => {
                        short.get_or_insert(error);
                        None
                    }
                    Err(error) => return Err(error),
                };
            }
        }
        if let Some(error) = short {
            return Err(error);
        }
        Ok(plan.settlement.settle(&plan.score, hands, scores, table))
    }

    /// Whether `seat` may win now with a tile. Asked when the tiles may be complete, and of a
    /// flower that was laid down.
    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        let plan = self.plan();
        let hand = state.hand_before(seat, win);
        if plan.score.must_score_to_win() {
            let bonus: SmallVec<[Tile; 16]> = state.wall().turned().collect();
            let input = ScoreInput {
                bonus: &bonus,
                ..ScoreInput::new(&hand, seat, state.round(), Some(win))
            };
            return self.score(&input).is_ok();
        }
        plan.score.win.can_win(&plan.decomposer, &hand, seat, win)
    }

    /// Whether `seat` may challenge the face-down kong that `owner` has just declared: its tiles
    /// are shown then. What `seat` cannot see must not matter.
    fn may_challenge(&self, _state: &DealState, _seat: Seat, _owner: Seat) -> bool {
        false
    }

    /// The last step of building a set of legal actions: forbids or adds. The phase of the state
    /// says what the seat is asked.
    fn adjust(&self, _state: &DealState, _seat: Seat, _legal: &mut Legal) {}

    /// Whether `seat`, about to discard `tile`, is calling from then on: the table announces it.
    fn is_calling(&self, _state: &DealState, _seat: Seat, _tile: Tile) -> bool {
        false
    }

    /// Who deals after a deal; the winners are in turn order.
    fn next_dealer(&self, dealer: Player, winners: &[Player]) -> Player {
        let plan = self.plan();
        match plan.matches.next_dealer {
            NextDealer::Winner => winners.first().copied().unwrap_or(dealer),
            NextDealer::DealerKeeps if winners.is_empty() || winners.contains(&dealer) => dealer,
            NextDealer::DealerKeeps | NextDealer::Rotate => dealer.after(1, plan.players),
        }
    }

    /// Whether a match is over.
    fn is_over(&self, standing: &Standing<'_>) -> bool {
        let plan = self.plan();
        plan.matches.ends.iter().any(|end| match *end {
            MatchEnd::Deals(deals) => standing.deals >= deals,
            MatchEnd::Rounds(rounds) => standing.rounds >= rounds,
            MatchEnd::Below(points) => {
                let units = points * plan.settlement.units_per_point();
                standing.totals.iter().any(|&total| total < units)
            }
        })
    }
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing<'a> {
    /// Deals played, drawn ones included.
    pub deals: u32,
    /// Rounds played to their end: the deal has come back to the first dealer so often.
    pub rounds: u32,
    /// Totals by player, in the least unit of the ruleset.
    pub totals: &'a [i64],
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
            fn settle(
                &self,
                hands: &[ScoreInput<'_>],
                table: OnTable,
            ) -> Result<Settlement, ScoreError> {
                (**self).settle(hands, table)
            }
            fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
                (**self).may_win(state, seat, win)
            }
            fn adjust(&self, state: &DealState, seat: Seat, legal: &mut Legal) {
                (**self).adjust(state, seat, legal);
            }
            fn is_calling(&self, state: &DealState, seat: Seat, tile: Tile) -> bool {
                (**self).is_calling(state, seat, tile)
            }
            fn may_challenge(&self, state: &DealState, seat: Seat, owner: Seat) -> bool {
                (**self).may_challenge(state, seat, owner)
            }
            fn next_dealer(&self, dealer: Player, winners: &[Player]) -> Player {
                (**self).next_dealer(dealer, winners)
            }
            fn is_over(&self, standing: &Standing<'_>) -> bool {
                (**self).is_over(standing)
            }
        }
    )*};
}

forward!(&R, Box<R>, Arc<R>);

const _: Option<&dyn Ruleset> = None;

/// A ruleset as its file says it, with the procedures that it asks for.
#[derive(Clone, Debug)]
struct DataRuleset {
    /// Some procedure adjusts legal actions: asked for every seat of every discard.
    adjusts: bool,
    plan: Plan,
}

impl Ruleset for DataRuleset {
    #[inline]
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn may_challenge(&self, state: &DealState, seat: Seat, owner: Seat) -> bool {
        let Plan {
            procedures,
            decomposer,
            ..
        } = &self.plan;
        let challenge = procedures.challenge.as_ref();
        challenge.is_some_and(|rules| rules.allow(decomposer, state, seat, owner))
    }

    #[inline]
    fn adjust(&self, state: &DealState, seat: Seat, legal: &mut Legal) {
        if !self.adjusts {
            return;
        }
        let Plan {
            procedures,
            decomposer,
            ..
        } = &self.plan;
        if let Some(rules) = &procedures.fishing {
            rules.adjust(decomposer, state, seat, legal);
        }
        if let Some(rules) = &procedures.false_win {
            rules.adjust(decomposer, state, seat, legal);
        }
    }

    #[inline]
    fn is_calling(&self, state: &DealState, seat: Seat, tile: Tile) -> bool {
        let Plan {
            procedures,
            decomposer,
            ..
        } = &self.plan;
        procedures.fishing.is_some()
            && tile
                .kind()
                .is_some_and(|kind| procedures::is_ready_without(decomposer, state, seat, kind))
    }
}

/// A text by its id, with the name of its file.
type Text = (&'static str, &'static str, &'static str);

/// What several rulesets extend and nobody plays by itself.
const PARENTS: &[Text] = &[(
    "chinese",
    "rulesets/chinese.toml",
    include_str!("../../rulesets/chinese.toml"),
)];

/// The texts that are built in, by id.
const BUILT_IN: &[Text] = &[
    (
        "celestial",
        "rulesets/celestial.toml",
        include_str!("../../rulesets/celestial.toml"),
    ),
    (
        "riichi-mcgill",
        "rulesets/riichi-mcgill.toml",
        include_str!("../../rulesets/riichi-mcgill.toml"),
    ),
    (
        "riichi-tenhou",
        "rulesets/riichi-tenhou.toml",
        include_str!("../../rulesets/riichi-tenhou.toml"),
    ),
    (
        "traditional",
        "rulesets/traditional.toml",
        include_str!("../../rulesets/traditional.toml"),
    ),
    (
        "uzje",
        "rulesets/uzje.toml",
        include_str!("../../rulesets/uzje.toml"),
    ),
    (
        "woo",
        "rulesets/woo.toml",
        include_str!("../../rulesets/woo.toml"),
    ),
];

/// The ids of the rulesets that are built in.
///
/// ```
/// assert!(paishan::ruleset::ids().any(|id| id == "woo"));
/// ```
pub fn ids() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(id, ..)| *id)
}

/// The texts that a ruleset may extend: those that are built in and their parents.
fn extendable() -> impl Iterator<Item = &'static Text> {
    BUILT_IN.iter().chain(PARENTS)
}

/// The text of a built-in ruleset, or of what several of them extend (`chinese`), to read or to
/// start one's own from.
pub fn text(id: &str) -> Option<&'static str> {
    extendable()
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
/// assert_eq!(short.plan().matches.ends[..], [ruleset::MatchEnd::Deals(2)]);
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
) -> Result<Arc<dyn Ruleset>, LoadError> {
    let loaded = load(file, text, options)?;
    let (texts, tree) = parse(file, text)?;
    for variation in loaded.plan.options.variations() {
        let (name, _) = &variation;
        let mut set: Vec<_> = options.iter().filter(|(n, _)| n != name).cloned().collect();
        set.push(variation);
        Plan::read(&texts, &tree, &set)?;
    }
    Ok(Arc::new(loaded))
}

fn load(
    file: &str,
    text: &str,
    options: &[(String, OptionValue)],
) -> Result<DataRuleset, LoadError> {
    let (texts, tree) = parse(file, text)?;
    let plan = Plan::read(&texts, &tree, options)?;
    let adjusts = plan.procedures.fishing.is_some() || plan.procedures.false_win.is_some();
    Ok(DataRuleset { adjusts, plan })
}

/// The tree of a text laid over what it extends.
fn parse(file: &str, text: &str) -> Result<(Texts, Node), LoadError> {
    let mut texts = Texts::default();
    let mut tree = texts.add(file, text)?;
    let mut layers = 0;
    while let Some((parent, place)) = tree.header_text("extends") {
        let Some((_, parent_file, parent_text)) = extendable().find(|(id, ..)| *id == parent)
        else {
            let fault = RulesetFault::UnknownName {
                what: "built-in ruleset",
                found: parent.to_owned(),
                suggestion: nearest(parent, extendable().map(|(id, ..)| *id)),
            };
            return Err(texts.error(place, 0, fault).into());
        };
        layers += 1;
        if layers > extendable().count() {
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
