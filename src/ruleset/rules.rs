//! [`Rules`]: a ruleset defined by a file.

use super::Ruleset;
#[cfg(feature = "toml")]
use super::options::{OptionValue, merged};
#[cfg(feature = "toml")]
use super::plan::LoadError;
use super::plan::Plan;
use super::procedures::Adjusts;
#[cfg(feature = "toml")]
use super::text::{Parsed, Source};
use crate::score::{self, ScoreInput};
use crate::seat::Seat;
use crate::state::{DealState, Win};
use std::fmt;
use std::sync::Arc;

/// The rules of a game: a ruleset file with the values of its options. A clone shares the data and is cheap.
///
/// ```
/// use paishan::{Match, Rules};
///
/// let rules = Rules::by_id("riichi-tenhou")?.with("double-ron", false)?;
/// let deal = Match::new(&rules, 7).start_deal();
/// assert_eq!(deal.state().players(), 4);
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
///
/// For a rule that a file cannot express, wrap the rules: see [`Ruleset`].
#[derive(Clone)]
pub struct Rules {
    plan: Arc<Plan>,
    /// The parsed source, which [`Rules::with_options`] reads again.
    #[cfg(feature = "toml")]
    parsed: Arc<Parsed>,
    /// The options that were set.
    #[cfg(feature = "toml")]
    options: Vec<(String, OptionValue)>,
    /// The names given to [`Rules::with_house_rule`].
    house_rules: Vec<String>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("id", &self.plan.id)
            .field(
                "content_hash",
                &format_args!("{:016x}", self.plan.content_hash),
            )
            .finish_non_exhaustive()
    }
}

impl Rules {
    /// The data of the rules: tiles, wall, patterns, settlement, options.
    #[inline]
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The same rules with a different hash, for a type in Rust that changes the rules of the file
    /// ([`Plan::with_house_rule`]).
    ///
    /// ```
    /// use paishan::game::RestoreError;
    /// use paishan::{Match, Rules};
    /// let plain = Rules::by_id("woo")?;
    /// let house = plain.clone().with_house_rule("self-draw-only");
    /// let saved = Match::new(&house, 7).save();
    /// assert!(Match::restore(&house, &saved).is_ok());
    /// let error = Match::restore(&plain, &saved).unwrap_err();
    /// assert!(matches!(error, RestoreError::OtherRules { .. }));
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    #[must_use]
    pub fn with_house_rule(mut self, name: &str) -> Self {
        self.plan = Arc::new(self.plan.with_house_rule(name));
        self.house_rules.push(name.to_owned());
        self
    }
}

#[cfg(feature = "toml")]
impl Rules {
    /// A built-in ruleset. [`ids`](super::ids) lists them.
    ///
    /// ```
    /// use paishan::Rules;
    /// assert_eq!(Rules::by_id("woo")?.plan().players(), 4);
    /// let error = Rules::by_id("wooo").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown ruleset `wooo`; did you mean `woo`?");
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError::UnknownRuleset`] for an unknown id.
    pub fn by_id(id: &str) -> Result<Self, LoadError> {
        Self::by_id_with(id, &[])
    }

    /// A built-in ruleset with some options set, as in the header of a log: see [`log::replay`](crate::log::replay).
    ///
    /// # Errors
    /// [`LoadError`], as [`Rules::by_id`] and [`Rules::with`] do.
    pub fn by_id_with(id: &str, options: &[(String, OptionValue)]) -> Result<Self, LoadError> {
        Source::BuiltIn(id.to_owned()).load(options)
    }

    /// A ruleset from a text, which may extend a built-in one. `file` names the text in errors.
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::ruleset::MatchEnd;
    /// let text = r#"
    /// ruleset = { id = "short-woo", extends = "woo" }
    /// options = { rounds = { default = 2 } }
    /// "#;
    /// let short = Rules::from_toml("short-woo.toml", text)?;
    /// assert_eq!(short.plan().matches().ends()[..], [MatchEnd::Deals(2)]);
    /// let error = Rules::from_toml("my.toml", "[wal]\n").unwrap_err();
    /// assert!(error.to_string().starts_with("my.toml:1:"));
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError`] with the place of each fault. Every option is tried at the ends of its range and with each of its
    /// words, so loaded rules cannot fail later.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, LoadError> {
        Source::text(file, text).load(&[])
    }

    /// The same rules with one more option set. The value replaces an earlier one of the same option, and values of
    /// patterns are combined. [`Source::load`] sets several options that are only valid together.
    ///
    /// ```
    /// use paishan::Rules;
    /// let woo = Rules::by_id("woo")?.with("cap", 500)?.with("rounds", 4)?;
    /// assert_eq!(woo.plan().options().get("cap"), Some(&500.into()));
    /// let error = Rules::by_id("woo")?.with("cup", 500).unwrap_err();
    /// assert!(error.to_string().contains("did you mean `cap`?"), "{error}");
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// [`LoadError::Option`] for an unknown option or a value outside its range, another [`LoadError`] where the rules
    /// contradict each other with this value.
    pub fn with(self, option: &str, value: impl Into<OptionValue>) -> Result<Self, LoadError> {
        let mut options = self.options.clone();
        options.push((option.to_owned(), value.into()));
        self.with_options(&merged(&options))
    }

    /// The same ruleset with these options set, and no others. It is faster than [`Source::load`], which parses the text
    /// again.
    ///
    /// # Errors
    /// As [`Rules::with`].
    pub fn with_options(&self, options: &[(String, OptionValue)]) -> Result<Self, LoadError> {
        let changed = Self::read(Arc::clone(&self.parsed), options)?;
        let house_rules = self.house_rules.iter();
        Ok(house_rules.fold(changed, |rules, name| rules.with_house_rule(name)))
    }

    fn read(parsed: Arc<Parsed>, options: &[(String, OptionValue)]) -> Result<Self, LoadError> {
        Ok(Self {
            plan: Arc::new(parsed.read(options)?),
            parsed,
            options: options.to_vec(),
            house_rules: Vec::new(),
        })
    }
}

#[cfg(feature = "toml")]
impl Rules {
    /// The plan after each change of one option ([`Options::variations`](super::Options::variations)).
    pub(crate) fn varied(&self) -> Vec<super::text::Varied> {
        let settings = self.plan.options.variations();
        self.parsed.varied(&merged(&self.options), settings)
    }
}

#[cfg(feature = "toml")]
impl Source {
    /// The ruleset, with some options set, such as those that [`parse_option`](super::parse_option) reads.
    ///
    /// # Errors
    /// [`LoadError`], as [`Rules::by_id`], [`Rules::from_toml`] and [`Rules::with`] do.
    pub fn load(&self, options: &[(String, OptionValue)]) -> Result<Rules, LoadError> {
        Rules::read(Arc::new(Parsed::new(self.clone())?), options)
    }
}

impl Ruleset for Rules {
    #[inline]
    fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    fn has_score(&self, input: &ScoreInput<'_>) -> bool {
        let Plan { score, tiles, .. } = &*self.plan;
        let decomposer = self.plan.decomposer_of(input.turned_tile());
        score::wins(score, decomposer, tiles, input)
    }

    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        let score = &self.plan.score;
        if !self.plan.allows_win(state, seat, win) {
            return false;
        }
        if score.must_score_to_win() {
            let ask = |input: &ScoreInput<'_>| self.has_score(input);
            return self.plan.ask_about_win(state, seat, win, ask);
        }
        // Every complete hand has a score.
        let hand = state.hand_before(seat, win);
        let decomposer = self.plan.decomposer_of(state.turned_tile());
        score.win.can_win(decomposer, &hand, seat, win)
    }

    fn adjusts(&self) -> Adjusts {
        Adjusts::Never
    }
}
