//! [`Plan`]: the data half of a ruleset, checked, with options applied.

use super::matches::MatchRules;
use super::opening::OpeningStep;
use super::options::{OptionError, Options};
use super::play::{ClaimKind, PlayRules};
use super::procedures::Procedures;
use super::source::{RulesetError, RulesetErrors, nearest};
use crate::decompose::{Decomposer, Holding, ShapeSet};
use crate::hand::Hand;
use crate::lang::{Lang, Names};
use crate::notation::{TileNames, Wording};
use crate::score;
use crate::score::facts::Fact;
use crate::score::{
    Condition, Dead, Explanation, Happening, InPlay, Mechanisms, PaymentHook, PaymentRules,
    Reading, RuleNames, Score, ScoreInput, ScoreRules, Settlement, SettlementRules, TableFacts,
    declared,
};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{
    Action, ActionNames, DealState, FlagSet, Legal, OnTable, OpeningChoice, Phase, Way, Win,
};
use crate::text::fnv_1a;
use crate::tile::{Kind, Suit, Tile, Wind};
use crate::tile_set::TileSet;
use crate::wall::WallRules;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A circumstance of a win.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Flag {
    /// The id.
    pub id: String,
    /// What it says.
    pub doc: String,
    /// When the table sets the flag. `None` means never.
    pub(crate) when: Option<Condition>,
    /// What a request must meet besides, see [`Condition::by_stage`].
    pub(super) consistent: [Option<Condition>; 2],
}

/// A property that the designer of a ruleset wants its values to keep. Options may break it;
/// [`judge`](crate::lint::judge) finds out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Invariant {
    /// The id.
    pub id: String,
    /// The condition on the winning hands.
    pub given: Condition,
    /// What must hold for the results of all these hands.
    pub(crate) then: Condition,
    /// What it says.
    pub doc: String,
    /// The source.
    pub src: String,
}

/// Everything that the file of a ruleset says, checked, with options applied.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    pub(crate) id: String,
    pub(crate) names: Names,
    pub(crate) version: String,
    pub(crate) doc: String,
    pub(crate) source: String,
    pub(crate) content_hash: u64,
    pub(crate) players: usize,
    pub(crate) options: Options,
    pub(crate) tiles: TileSet,
    pub(crate) classes: Vec<(String, KindSet)>,
    /// The ids of the rows of `[aside]`.
    pub(crate) aside_ids: Vec<String>,
    /// The ids of the rows of `[turned]` whose tiles are turned during a deal.
    pub(crate) turned_ids: Vec<String>,
    /// The id of the row of `[turned]` whose tile is turned when the tiles are dealt.
    pub(crate) turned_when_dealt: Option<String>,
    /// What is chosen before the first turn.
    pub(crate) opening: Vec<OpeningStep>,
    pub(crate) tile_names: TileNames,
    pub(crate) action_names: ActionNames,
    pub(crate) wall: WallRules,
    pub(crate) play: PlayRules,
    /// Splits hands of every deal, or of none in particular if a turned tile says which kind is wild.
    pub(crate) decomposer: Arc<Decomposer>,
    /// Where a turned tile says which kind is wild: for each turned kind what splits hands, built at first use.
    pub(super) by_turned: Vec<OnceLock<Arc<Decomposer>>>,
    pub(crate) score: ScoreRules,
    pub(crate) settlement: SettlementRules,
    pub(crate) payments: PaymentRules,
    pub(crate) matches: MatchRules,
    pub(crate) forms: Vec<String>,
    pub(crate) flags: Vec<Flag>,
    pub(crate) invariants: Vec<Invariant>,
    pub(crate) kong_flag: Option<usize>,
    /// Some flag asks how many copies of the winning tile everybody sees.
    pub(crate) asks_visible_copies: bool,
    pub(crate) procedures: Procedures,
    pub(super) ways: SmallVec<[Way; 4]>,
    pub(crate) kong_feeder_answers: bool,
    /// Runs that may be laid down: the shapes of the families in [`PlayRules::lay_down`].
    pub(crate) laid_runs: ShapeSet,
    /// What every win must meet, see [`Condition::by_stage`]. `score` knows what readings must meet.
    pub(super) when: [Option<Condition>; 2],
    /// `[win] when` with the values of options.
    pub(crate) win_when: Option<String>,
    /// What the names of `[conditions]` stand for, with the values of options.
    pub(crate) named: Vec<(String, String)>,
    /// `[win] when` may refuse a complete hand without flags that is drawn from the wall.
    pub(super) may_refuse_drawn: bool,
    /// `[win] when` may refuse a complete hand without flags that is won off a discard.
    pub(super) may_refuse_claimed: bool,
    /// What the declared melds and flowers of a seat must meet before it claims a discard for a meld. `None` without
    /// conditions.
    pub(crate) claim_conditions: Option<Box<ClaimConditions>>,
}

/// What the declared melds and flowers of a seat must meet before it claims a discard for a meld, in the order of
/// [`ClaimKind`]: `when` of `[claims.kong]` and of the others.
pub(crate) type ClaimConditions = [Option<Condition>; ClaimKind::WORDS.len()];

/// The error for ids that are not a set of flags.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlagError {
    /// The ruleset has no such flag.
    #[error("unknown flag `{id}`{}", suggestion.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    Unknown {
        /// The id.
        id: String,
        /// The nearest id that exists, if one is near.
        suggestion: Option<String>,
    },
    /// A flag is given more than once.
    #[error("flag `{id}` is given twice")]
    Repeated {
        /// The id.
        id: String,
    },
}

/// The error for circumstances of a win that contradict each other or the hand.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CircumstanceError {
    /// The ruleset has no wins of this way.
    #[error("nothing is won by `{}`", way.word())]
    Way {
        /// The way.
        way: Way,
    },
    /// A flag does not go with the rest of the win.
    #[error("flag `{flag}` contradicts the win")]
    FlagAndWin {
        /// Id of the flag.
        flag: String,
    },
    /// A flag does not go with the declared melds, the flowers or the tiles set aside.
    #[error("flag `{flag}` contradicts the hand")]
    FlagAndHand {
        /// Id of the flag.
        flag: String,
    },
    /// The way of the win asks for a flag, or excludes one.
    #[error("the flags do not fit the way of the win")]
    FlagsAndWay,
    /// The way of the win is impossible with the declared melds, the flowers or the tiles set aside.
    #[error("the melds do not fit the way of the win")]
    MeldsAndWay,
    /// `[win] when` refuses every win in these circumstances.
    #[error("`[win] when` refuses such a win")]
    Refused,
}

/// The error for a ruleset that cannot be loaded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text has a fault.
    #[error(transparent)]
    Text(#[from] RulesetError),
    /// The text has several faults.
    #[error(transparent)]
    Texts(RulesetErrors),
    /// An option cannot be set that way.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// There is no ruleset of this id.
    #[error("unknown ruleset `{id}`{}", suggestion.as_ref().map(|s| format!("; did you mean `{s}`?")).unwrap_or_default())]
    UnknownRuleset {
        /// The id.
        id: String,
        /// The nearest id that exists, if one is near.
        suggestion: Option<String>,
    },
}

impl From<RulesetErrors> for LoadError {
    /// A single fault is shown like any other.
    fn from(mut errors: RulesetErrors) -> Self {
        match (errors.shown.len(), errors.shown.pop()) {
            (1, Some(error)) => Self::Text(error),
            (_, last) => {
                errors.shown.extend(last);
                Self::Texts(errors)
            }
        }
    }
}

impl LoadError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Texts(_) => "bad-request",
            Self::Option(error) => error.code(),
            Self::UnknownRuleset { .. } => "unknown-ruleset",
        }
    }
}

impl Plan {
    /// The id.
    #[inline]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The English name, for people.
    pub fn name(&self) -> &str {
        self.names.get(Lang::EN)
    }

    /// The names by language, for people.
    #[inline]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The version of the rules.
    #[inline]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the game is.
    #[inline]
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// The document behind it.
    #[inline]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A hash of everything that the file says with the options in force, without documentation, and of the names of
    /// house rules ([`Plan::with_house_rule`]). The same rules have the same hash on every machine.
    #[inline]
    pub fn content_hash(&self) -> u64 {
        self.content_hash
    }

    /// Players at the table.
    #[inline]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Options with their values in force.
    #[inline]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The tiles.
    #[inline]
    pub fn tiles(&self) -> &TileSet {
        &self.tiles
    }

    /// What the tiles are called, for people.
    pub fn tile_names(&self) -> &TileNames {
        &self.tile_names
    }

    /// What actions are called, for people. [`Plan::describe`] puts an action in words.
    pub fn action_names(&self) -> &ActionNames {
        &self.action_names
    }

    /// Puts an action in words for people. The phase, that of [`DealState::phase`] before the action, tells a win with a
    /// drawn tile from one with a claimed tile.
    ///
    /// ```
    /// use paishan::{Action, Lang, Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let deal = Match::new(&woo, 7).start_deal();
    /// let say = |action: Action, lang| woo.plan().describe(action, deal.state().phase(), lang);
    /// assert_eq!(say("chi 4tR6t".parse()?, Lang::EN), "claim 456t with a red five");
    /// assert_eq!(say("dahai 5t tsumogiri".parse()?, Lang::EN), "discard 5t, just drawn");
    /// assert_eq!(say("pon CCC".parse()?, Lang::ZH), "碰");
    /// assert_eq!(say("hora".parse()?, Lang::JA), "ツモ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self, action: Action, phase: &Phase, lang: Lang) -> String {
        let names = &self.action_names;
        let shown = self.step_of(phase).map_or("", |step| step.name_in(lang));
        names.describe(action, phase, (&self.tile_names, shown), lang)
    }

    /// The ids of the rows of `[aside]`, in the order of the file.
    pub fn aside_ids(&self) -> &[String] {
        &self.aside_ids
    }

    /// The ids of the rows of `[turned]` whose tiles are turned during a deal, in the order of the file.
    pub fn turned_ids(&self) -> &[String] {
        &self.turned_ids
    }

    /// What all seats choose before the first turn, step by step.
    pub fn opening(&self) -> &[OpeningStep] {
        &self.opening
    }

    /// True if there is a step before the first turn in which this is chosen.
    pub(crate) fn opens_with(&self, choice: OpeningChoice) -> bool {
        self.opening.iter().any(|step| step.choice() == choice)
    }

    /// The step that an opening phase is in.
    pub(crate) fn step_of(&self, phase: &Phase) -> Option<&OpeningStep> {
        match phase {
            Phase::Opening(opening) => self.opening.get(usize::from(opening.step)),
            _ => None,
        }
    }

    /// Named classes of tiles in the order of the file.
    #[inline]
    pub fn classes(&self) -> &[(String, KindSet)] {
        &self.classes
    }

    /// How the wall is built and dealt.
    #[inline]
    pub fn wall(&self) -> &WallRules {
        &self.wall
    }

    /// What players may do.
    #[inline]
    pub fn play(&self) -> &PlayRules {
        &self.play
    }

    /// Splits hands into groups.
    #[inline]
    pub fn decomposer(&self) -> &Decomposer {
        &self.decomposer
    }

    /// Splits hands into groups in a deal with this [turned tile](DealState::turned_tile). It is [`Self::decomposer`]
    /// unless the turned tile says which kind is wild.
    #[inline]
    pub fn decomposer_of(&self, turned: Option<Tile>) -> &Decomposer {
        self.arc_of_turned(turned)
    }

    #[inline]
    pub(crate) fn arc_of_turned(&self, turned: Option<Tile>) -> &Arc<Decomposer> {
        match turned.and_then(Tile::kind) {
            Some(kind) if !self.by_turned.is_empty() => self.with_turned(kind),
            _ => &self.decomposer,
        }
    }

    /// True if a turned tile says which kind is wild in a deal.
    pub(crate) fn changes_wild(&self) -> bool {
        !self.by_turned.is_empty()
    }

    /// The plan of a deal with this turned tile, in which the same kinds are always wild.
    pub(crate) fn of_deal(&self, turned: Option<Tile>) -> Self {
        Self {
            decomposer: Arc::clone(self.arc_of_turned(turned)),
            by_turned: Vec::new(),
            ..self.clone()
        }
    }

    /// The plan whose decomposer agents aim by: without special forms that need only wild tiles and any others. Its forms have
    /// other numbers, so it scores nothing.
    pub(crate) fn of_aims(&self) -> Cow<'_, Self> {
        let kinds = self.decomposer.natural_kinds();
        let mut forms = self.decomposer.grammar().forms().to_vec();
        forms.retain(|form| !form.needs_only_wild_tiles(kinds));
        match self.decomposer.with_forms(forms) {
            None => Cow::Borrowed(self),
            Some(decomposer) => Cow::Owned(Self {
                decomposer: Arc::new(decomposer),
                by_turned: vec![OnceLock::new(); self.by_turned.len()],
                ..self.clone()
            }),
        }
    }

    #[inline(never)]
    fn with_turned(&self, turned: Kind) -> &Arc<Decomposer> {
        let Some(of_kind) = self.by_turned.get(turned.index()) else {
            return &self.decomposer;
        };
        of_kind.get_or_init(|| {
            let wild = &self.play.wild;
            let kinds = wild.kinds_with(turned, &self.tiles);
            let plain = Decomposer::clone(&self.decomposer);
            Arc::new(plain.with_wild(kinds, wild.copies))
        })
    }

    /// How hands are scored.
    #[inline]
    pub fn score(&self) -> &ScoreRules {
        &self.score
    }

    /// Who pays whom.
    #[inline]
    pub fn settlement(&self) -> &SettlementRules {
        &self.settlement
    }

    /// What is paid for wins, kongs and other events beside what the family of the settlement pays.
    #[inline]
    pub fn payments(&self) -> &PaymentRules {
        &self.payments
    }

    /// How long a match lasts.
    #[inline]
    pub fn matches(&self) -> &MatchRules {
        &self.matches
    }

    /// Ids of the special forms, in the order of the grammar.
    #[inline]
    pub fn forms(&self) -> &[String] {
        &self.forms
    }

    /// Circumstances of wins.
    #[inline]
    pub fn flags(&self) -> &[Flag] {
        &self.flags
    }

    /// Properties that the values should keep.
    #[inline]
    pub fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }

    /// The index of the flag of a win on a tile drawn for a kong. Kongs in a row are counted beside it.
    #[inline]
    pub fn kong_flag(&self) -> Option<usize> {
        self.kong_flag
    }

    /// Rules that need code, such as riichi.
    #[inline]
    pub fn procedures(&self) -> &Procedures {
        &self.procedures
    }

    /// The player who fed a claimed kong is liable for a win with its replacement.
    #[inline]
    pub fn kong_feeder_answers(&self) -> bool {
        self.kong_feeder_answers
    }

    /// True when a hand with these waits counts as ready. Source: `rulesets/riichi-mcgill.md` §5.
    pub(crate) fn counts_as_ready(&self, hand: &Holding, waits: KindSet) -> bool {
        let empty_waits = self.settlement.counts_empty_waits();
        let copies = self.tiles.copies();
        let has_all = |kind: &Kind| hand.held(*kind) >= copies.get(*kind);
        !waits.is_empty() && (empty_waits || !waits.iter().all(|kind| has_all(&kind)))
    }

    /// The waits of a hand that is one tile short, if it counts as ready, otherwise none. A wait counts only if a win
    /// with it meets `[win] when`.
    pub(crate) fn ready_with(
        &self,
        hand: &Hand,
        seat: Seat,
        round: Wind,
        turned: Option<Tile>,
    ) -> KindSet {
        let holding = Holding::from(hand);
        let waits = self.decomposer_of(turned).waits(&holding);
        let waits = self.winning(waits, hand, seat, round, turned);
        if self.counts_as_ready(&holding, waits) {
            waits
        } else {
            KindSet::EMPTY
        }
    }

    /// True when `[win]` may refuse a wait both drawn and claimed. A distance of the decomposer is then a lower bound.
    pub fn may_refuse_waits(&self) -> bool {
        self.may_refuse_drawn && self.may_refuse_claimed
    }

    /// True when `[win]` may refuse a wait drawn, claimed, or both.
    pub(crate) fn may_refuse_some(&self) -> bool {
        self.may_refuse_drawn || self.may_refuse_claimed
    }

    /// True when a complete hand may be refused as a win: as worth too little, or by `[win]`.
    pub(crate) fn may_refuse_complete(&self) -> bool {
        self.score.must_score_to_win() || self.may_refuse_some()
    }

    /// The tiles and groups that hands can have.
    pub(crate) fn in_play(&self) -> InPlay<'_> {
        InPlay {
            kinds: self.decomposer.grammar().copies().kinds(),
            flowers: self.tiles.flowers(),
            grammar: self.decomposer.grammar(),
            aside: self.play.aside.kinds(),
            ways: &self.ways,
            mechanisms: Mechanisms {
                wild: !self.play.wild.kinds.is_empty() || self.play.wild.turned.is_some(),
                red_fives: Suit::ALL.into_iter().any(|suit| self.tiles.reds(suit) > 0),
                indicators: self.wall.indicators.is_some(),
                ura: self.play.ura && self.wall.indicators.is_some(),
                barred: self.opens_with(OpeningChoice::MissingSuit),
                stands: self.procedures.fishing.is_some(),
                riichi: self.procedures.riichi.is_some(),
                rounds: self.matches.round_winds,
                robs: self.play.rob_added
                    || self.play.rob_concealed
                    || self.procedures.challenge.is_some(),
            },
        }
    }

    /// True when no hand meets `[win] when`.
    pub(crate) fn never_wins(&self, in_play: InPlay<'_>) -> bool {
        let mut parts = self.when.iter().flatten().chain(self.score.required());
        parts.any(|part| part.dead(in_play) == Dead::Whole)
    }

    /// True when `[win] when` allows a win at the table, whatever the reading of the hand.
    #[inline]
    pub(crate) fn allows_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        self.when.iter().all(Option::is_none)
            || self.allows_hand(&state.hand_before(seat, win), seat, state.round(), win)
    }

    /// True when `[win] when` allows a win, whatever the reading. The hand is without the winning tile.
    pub(crate) fn allows_hand(&self, hand: &Hand, seat: Seat, round: Wind, win: &Win) -> bool {
        let groups = declared(&hand.melds);
        let reading = Reading {
            groups: &groups,
            ..Reading::circumstances(&self.tiles, hand, seat, round, Some(win))
        };
        let mut parts = self.when.iter().flatten();
        parts.all(|part| part.holds(&reading))
    }

    /// The waits of a hand that meet `[win] when`, drawn or claimed.
    pub(crate) fn winning(
        &self,
        waits: KindSet,
        hand: &Hand,
        seat: Seat,
        round: Wind,
        turned: Option<Tile>,
    ) -> KindSet {
        if !self.may_refuse_waits() {
            return waits;
        }
        let asks_readings = self.score.required().is_some();
        let wins = |kind: &Kind| {
            let drawn = Win::drawn((*kind).into());
            let claimed = Win {
                way: Way::Discard,
                ..drawn
            };
            [drawn, claimed].iter().any(|win| {
                if !self.allows_hand(hand, seat, round, win) {
                    return false;
                }
                let input = ScoreInput {
                    bonus: turned.as_slice(),
                    ..ScoreInput::new(hand, seat, round, Some(win))
                };
                let decomposer = self.decomposer_of(turned);
                !asks_readings || score::has_reading(&self.score, decomposer, &self.tiles, &input)
            })
        };
        waits.iter().filter(wins).collect()
    }

    /// True when points may be paid while a deal goes on: for wins after which play goes on, for kongs and for tiles laid
    /// aside.
    pub fn pays_within_deals(&self) -> bool {
        let pays = |on| self.payments.pays(on);
        let hooks = PaymentHook::WORDS.into_iter();
        let mut within = hooks.filter(|(_, on)| on.is_within_deal());
        self.play.plays_on || within.any(|(_, on)| pays(on))
    }

    /// How many of the ruleset's least units make a point: 1, or 2 if there are half points.
    #[inline]
    pub fn units_per_point(&self) -> i64 {
        self.payments.units_per_point()
    }

    /// True when there are counters. With Riichi's payments there is one for each deal in a row that the dealer won or
    /// that ended without a win; with rows that pay for counters, for each deal in a row that the dealer kept.
    pub fn has_counters(&self) -> bool {
        matches!(self.settlement, SettlementRules::Riichi(_)) || self.payments.asks_counters()
    }

    /// True if it matters which hands are ready when the wall is used up.
    pub fn pays_at_exhausted_wall(&self) -> bool {
        matches!(self.settlement, SettlementRules::Riichi(_)) || self.payments.asks_ready()
    }

    /// Adds the payments for wins and for the end of a deal to a settlement that has the scores.
    pub(crate) fn pay(
        &self,
        hands: &[ScoreInput<'_>],
        settlement: &mut Settlement,
        table: OnTable,
    ) {
        self.settlement
            .settle(&self.score, hands, settlement, table);
        let turned = hands.first().and_then(ScoreInput::turned_tile);
        let of_deal = (self.decomposer_of(turned), &self.tiles);
        self.payments
            .settle(&self.score, of_deal, hands, settlement, table);
    }

    /// The wild kinds at the table of these hands.
    fn wild_in(&self, hands: &[ScoreInput<'_>]) -> KindSet {
        let turned = hands.first().and_then(ScoreInput::turned_tile);
        self.decomposer_of(turned).wild()
    }

    /// Adds the payments for a wall that was used up to a settlement.
    pub(crate) fn pay_wall_end(
        &self,
        hands: &[ScoreInput<'_>],
        happening: Happening<'_>,
        settlement: &mut Settlement,
    ) {
        let tiles = (&self.tiles, self.wild_in(hands));
        self.payments
            .settle_wall_end(tiles, hands, happening, settlement);
    }

    /// What a win with a hand of `points` points brings `winner` at a full table, in the least unit of the ruleset: what
    /// the others pay, without counters, deposits, liability and what losers' own hands change. A win off a discard of
    /// `giver`, or self-drawn without a giver.
    ///
    /// ```
    /// use paishan::tile::Wind;
    /// use paishan::{Rules, Seat};
    /// let tenhou = Rules::by_id("riichi-tenhou")?;
    /// let gain = tenhou.plan().win_gain(7700, Seat::EAST, Wind::East, None);
    /// assert_eq!(gain, 7700);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn win_gain(&self, points: i64, winner: Seat, round: Wind, giver: Option<Seat>) -> i64 {
        let of_family = self.settlement.win_gain(points, winner, self.players);
        let of_rows = self
            .payments
            .win_gain(points, (winner, round), giver, self.players);
        of_family.saturating_add(of_rows)
    }

    /// The settlement of a false win. `None` if the rules have no false wins.
    pub(crate) fn false_win(&self, seat: Seat) -> Option<Settlement> {
        let per_point = self.units_per_point();
        match (self.procedures.false_win, self.settlement) {
            (Some(rules), _) => Some(rules.settle(seat, self.players, per_point)),
            (None, SettlementRules::Riichi(rules)) => Some(rules.false_win(seat, self.players)),
            _ => None,
        }
    }

    /// Calls `ask` with the hand of a possible win, as the table would score it. A type that overrides both
    /// `score_hand` and [`Ruleset::may_win`](crate::Ruleset::may_win) checks its own score by
    /// `self.plan().ask_about_win(state, seat, win, |input| self.has_score(input))`.
    pub fn ask_about_win<T>(
        &self,
        state: &DealState,
        seat: Seat,
        win: &Win,
        ask: impl FnOnce(&ScoreInput<'_>) -> T,
    ) -> T {
        let hand = state.hand_before(seat, win);
        let bonus: SmallVec<[Tile; 16]> = state.wall().turned().collect();
        ask(&ScoreInput {
            bonus: &bonus,
            counters: state.on_table().counters,
            ..ScoreInput::new(&hand, seat, state.round(), Some(win))
        })
    }

    /// The indicators under the face-up ones that count.
    pub(crate) fn ura(&self, state: &DealState) -> impl Iterator<Item = Tile> + use<> {
        let most = match (self.play.ura, self.play.kong_ura) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => usize::MAX,
        };
        let under: SmallVec<[Tile; 8]> = state.wall().under_turned().take(most).collect();
        under.into_iter()
    }

    /// The index of a flag, by its id.
    pub fn flag(&self, id: &str) -> Option<usize> {
        self.flags.iter().position(|flag| flag.id == id)
    }

    /// The flags with these ids.
    ///
    /// ```
    /// use paishan::Rules;
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let flags = rules.plan().flag_set(["riichi", "ippatsu"])?;
    /// assert_eq!(flags.iter().count(), 2);
    /// assert!(rules.plan().flag_set(["richi"]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FlagError`] for an unknown id, or one that is given twice.
    pub fn flag_set<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> Result<FlagSet, FlagError> {
        let mut flags = FlagSet::EMPTY;
        for id in ids {
            let known = self.flags.iter().map(|flag| flag.id.as_str());
            let place = self.flag(id).ok_or_else(|| FlagError::Unknown {
                id: id.to_owned(),
                suggestion: nearest(id, known),
            })?;
            if flags.contains(place) {
                return Err(FlagError::Repeated { id: id.to_owned() });
            }
            flags.insert(place);
        }
        Ok(flags)
    }

    /// The ways in which a hand may be won.
    pub fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The flags that the table sets for a win. `win.flags` is ignored.
    pub fn flags_at_table(
        &self,
        hand: &Hand,
        seat: Seat,
        round: Wind,
        win: &Win,
        table: TableFacts,
    ) -> FlagSet {
        let reading = Reading {
            table,
            ..Reading::circumstances(&self.tiles, hand, seat, round, Some(win))
        };
        let mut flags = FlagSet::EMPTY;
        for (i, flag) in self.flags.iter().enumerate() {
            if flag.when.as_ref().is_some_and(|when| when.holds(&reading)) {
                flags.insert(i);
            }
        }
        flags
    }

    /// Explains the score of a hand: why each pattern counts, how the points come about, and what the next best reading
    /// is. [`Rules::explain`](crate::Rules::explain) does the same for a request. `wording` is a
    /// [`Notation`](crate::Notation), or one with a language for names
    /// ([`Notation::in_lang`](crate::Notation::in_lang)).
    pub fn explain(
        &self,
        input: &ScoreInput<'_>,
        score: &Score,
        wording: impl Into<Wording>,
    ) -> Explanation {
        let rules = &self.score;
        let decomposer = self.decomposer_of(input.turned_tile());
        rules.explain(score, decomposer, &self.tiles, input, wording.into())
    }

    /// Why a pattern does not count in a hand: the parts of its condition that fail, with what they are and what they should
    /// be. Empty if it counts, and `None` if there is no such pattern. [`Rules::why_not`](crate::Rules::why_not) does the
    /// same for a request.
    pub fn why_not(&self, input: &ScoreInput<'_>, score: &Score, id: &str) -> Option<Vec<String>> {
        let game = (self.decomposer_of(input.turned_tile()), &self.tiles);
        self.score
            .why_not(id, score, game, input, &self.rule_names())
    }

    /// The names with which conditions are written.
    pub(crate) fn rule_names(&self) -> RuleNames<'_> {
        RuleNames {
            flags: self.flags.iter().map(|flag| flag.id.as_str()).collect(),
            forms: &self.forms,
            classes: &self.classes,
            asides: &self.aside_ids,
            turned: &self.turned_ids,
            steps: self.opening.iter().map(|step| step.id.as_str()).collect(),
        }
    }

    /// True if claims may need more than the tiles for them.
    #[inline]
    pub(crate) fn limits_claims(&self) -> bool {
        self.claim_conditions.is_some()
    }

    /// True if claims may depend on the hands that the melds may be part of.
    pub(crate) fn counts_forms_left(&self) -> bool {
        let all = self.claim_conditions.iter().flat_map(|all| all.iter());
        let asks = |one: &Condition| one.asks(Fact::FormsLeft);
        all.flatten().any(asks)
    }

    /// Each claim of a meld that needs more than the tiles for it, with its word in ruleset files.
    pub(crate) fn conditions_of_claims(
        &self,
    ) -> impl Iterator<Item = (&'static str, ClaimKind, &Condition)> {
        let all = self.claim_conditions.iter().flat_map(|all| all.iter());
        let named = ClaimKind::WORDS.into_iter().zip(all);
        named.filter_map(|((word, kind), condition)| Some((word, kind, condition.as_ref()?)))
    }

    /// True if the declared melds and flowers of a seat allow it to claim a discard for a meld, after which its melds may be part
    /// of `forms_left` hands of special forms.
    pub(crate) fn allows_claim(
        &self,
        claim: ClaimKind,
        hand: &Hand,
        seat: Seat,
        round: Wind,
        forms_left: usize,
    ) -> bool {
        let Some(conditions) = &self.claim_conditions else {
            return true;
        };
        let condition = &conditions[claim as usize];
        let groups = declared(&hand.melds);
        let reading = Reading {
            groups: &groups,
            table: TableFacts {
                forms_left,
                ..TableFacts::default()
            },
            ..Reading::circumstances(&self.tiles, hand, seat, round, None)
        };
        condition
            .as_ref()
            .is_none_or(|condition| condition.holds(&reading))
    }

    /// The same plan with a different hash. A type in Rust that changes the rules of its file needs such a plan, so
    /// that its states, saved matches, moves and logs are refused under the rules of the file. Add several house rules
    /// in a fixed order.
    ///
    /// ```
    /// use paishan::{Rules, ruleset};
    /// let woo = Rules::by_id("woo")?;
    /// let house = woo.plan().with_house_rule("self-draw-only");
    /// assert_ne!(house.content_hash(), woo.plan().content_hash());
    /// # Ok::<(), ruleset::LoadError>(())
    /// ```
    #[must_use]
    pub fn with_house_rule(&self, name: &str) -> Self {
        Self {
            content_hash: fnv_1a(self.content_hash, format!("\nhouse-rule = {name:?}\n")),
            ..self.clone()
        }
    }

    /// Lets the procedures forbid and add actions. `decomposer` is that of the deal.
    #[inline]
    pub(crate) fn adjust(
        &self,
        decomposer: &Decomposer,
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        let counts = |rest: &Holding, waits: KindSet| {
            let mut hand = *state.hand(seat);
            let discarded = hand.concealed().saturating_minus(&rest.concealed);
            for kind in discarded.iter() {
                hand.take_kind(kind, 1);
            }
            let waits = self.winning(waits, &hand, seat, state.round(), state.turned_tile());
            self.counts_as_ready(rest, waits)
        };
        let game = (decomposer, &self.play);
        self.procedures.adjust(game, &counts, state, seat, legal);
        if let Some(when) = &self.procedures.riichi_when {
            when.adjust(&self.tiles, state, seat, legal);
        }
    }
}
