//! [`Plan`]: the data half of a ruleset, checked, with options applied.

use super::options::{OptionError, Options};
use super::procedures::Procedures;
use super::source::{RulesetError, RulesetErrors, nearest};
use crate::decompose::{Decomposer, Holding, ShapeSet};
use crate::hand::{Hand, MAX_MELDS, SetAside};
use crate::list::List;
use crate::meld::Meld;
use crate::meld::{Family, Group};
use crate::score;
use crate::score::{
    ChowFrom, Condition, Dead, FamilySet, InPlay, ReadGroup, Reading, ScoreInput, ScoreRules,
    Settlement, SettlementRules, TableFacts,
};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::{FlowerSet, KindSet};
use crate::state::{Action, DealState, FlagSet, Legal, Way, Win};
use crate::text::fnv_1a;
use crate::tile::{Kind, Tile, Wind};
use crate::tile_set::TileSet;
use crate::wall::WallRules;
use smallvec::SmallVec;

/// When dealt flowers are laid down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FlowersLaid {
    /// By each player at the start of his first turn, before he draws.
    OwnTurn,
    /// By each player in his first turn, after he has drawn or claimed. He lays down all that he holds in
    /// tile order, then those that he draws instead.
    AfterDraw,
    /// By all, the dealer first, before the first draw.
    BeforePlay,
}

/// Who wins if several seats could win on a discard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Winners {
    /// The first in turn order after the discarder, alone.
    Nearest,
    /// All of these seats.
    All,
    /// No seat: the deal is drawn.
    Nobody,
}

/// How a kong was made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KongWay {
    /// With four tiles of the player's own.
    Concealed,
    /// With a claimed discard.
    Claimed,
    /// By adding a tile to a pung on the table.
    Added,
}

/// When the indicator of a kong is turned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IndicatorTurn {
    /// Not at all.
    Never,
    /// Before its replacement is drawn.
    AtOnce,
    /// After its replacement was drawn.
    AfterReplacement,
    /// With the next discard. A win with the replacement, or another kong, turns it earlier.
    AfterDiscard,
}

/// The pungs on the table that become a kong with a tile of the player's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AddedTo {
    /// None.
    None,
    /// A pung laid down concealed.
    Laid,
    /// A pung made with a claimed tile.
    Claimed,
}

/// Whether kongs may be declared in a turn that began with a claimed pung or run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KongAfterClaim {
    /// Not at all.
    Never,
    /// Once a tile was drawn to replace a flower.
    AfterReplacement,
    /// At once.
    Always,
}

/// What may be done in a turn and with a discard: `[turn]`, `[claims]`, `[kongs]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PlayRules {
    /// When dealt flowers are laid down.
    pub flowers: FlowersLaid,
    /// Families of concealed melds that a player may lay down on his turn.
    pub lay_down: FamilySet,
    /// Each claim with its rank. The highest rank goes first.
    pub precedence: [ClaimRank; 4],
    /// Who wins if several seats could win on a discard.
    pub winners: Winners,
    /// Who wins if exactly two seats could, and if three or more could.
    pub several_winners: [Winners; 2],
    /// Whose discard may be claimed for a chow.
    pub chow_from: ChowFrom,
    /// A player who laid down a concealed pung may claim the fourth tile for a kong.
    pub claimed_kong_on_laid: bool,
    /// The pungs that may take a fourth tile of the player's own.
    pub added_to: AddedTo,
    /// Concealed kongs lie face down.
    pub hidden_kongs: bool,
    /// Players may win on a tile added to a pung.
    pub rob_added: bool,
    /// Players may win on a tile of a concealed kong, if the flags of the win allow it.
    pub rob_concealed: bool,
    /// The index of the only form that may rob a concealed kong. `None` means any form.
    pub rob_concealed_form: Option<usize>,
    /// When the indicators of concealed, claimed and added kongs are turned.
    pub indicator_turns: [IndicatorTurn; 3],
    /// A win with a replacement first turns the indicators that the discard would turn.
    pub replacement_win_turns: bool,
    /// Indicators under the face-up ones (ura) count for some winners.
    pub ura: bool,
    /// Ura indicators of kongs count, too.
    pub kong_ura: bool,
    /// Whether kongs may be declared in a turn that began with a claimed pung or run.
    pub kong_after_claim: KongAfterClaim,
    /// The most kongs of a deal. `None` if only replacements limit them.
    pub most_kongs: Option<u8>,
    /// A kong takes only a tile that was just drawn as its fourth.
    pub added_when_drawn: bool,
    /// The most jokers in a claimed meld.
    pub jokers: JokersInMelds,
    /// A player may take a joker out of a claimed meld of his own on his turn, for the tile that it stands for.
    pub take_jokers: bool,
    /// The kind that a player may set aside on his turn, for a replacement.
    pub set_aside: Option<Kind>,
    /// Players may win on a tile that is set aside.
    pub rob_set_aside: bool,
    /// A flower drawn for a kong is replaced, too. That replacement also counts as drawn for the kong.
    pub kong_through_flowers: bool,
    /// A discard after which no player can draw may only be claimed for a win.
    pub last_discard_wins_only: bool,
    /// Play goes on after a win, until one player is left or the wall is used up.
    pub plays_on: bool,
    /// The tiles that are exchanged before the first turn.
    pub exchange: Option<ExchangeRules>,
    /// Each seat declares a missing suit before the first turn: a suit that its winning hand may not have.
    pub missing_suit: bool,
}

/// The most jokers beside a claimed tile, by what it is claimed for. A kong takes none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct JokersInMelds {
    /// In a pung: 0 to 2.
    pub pung: u8,
    /// In a chow of three ranks in a row: 0 or 1.
    pub chow: u8,
}

impl JokersInMelds {
    /// True if a claimed meld may have jokers.
    #[inline]
    pub(crate) const fn any(self) -> bool {
        self.pung | self.chow != 0
    }

    /// The most jokers in a claimed group.
    pub(crate) fn most_in(self, group: Group) -> u8 {
        match group.family() {
            Family::Pung => self.pung,
            Family::Arith if group.is_consecutive() => self.chow,
            _ => 0,
        }
    }
}

/// Tiles that all seats exchange at the same time, before the first turn: `[exchange]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ExchangeRules {
    /// How many tiles each seat gives away.
    pub tiles: u8,
    /// All of these tiles are of one suit, if the hand has that many of any suit.
    pub same_suit: bool,
    pub(crate) to: List<ExchangeTo, 6>,
}

/// The receiver of the tiles of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ExchangeTo {
    /// The next player in turn order.
    Next,
    /// The player opposite, at a table of four.
    Across,
    /// The player before.
    Previous,
}

impl ExchangeRules {
    /// Who receives them. The sum of the dice of the wall is counted along this list, which begins again after its end.
    pub fn to(&self) -> &[ExchangeTo] {
        &self.to
    }

    /// Who receives the tiles of a seat after these dice.
    pub(crate) fn receiver<D: AsRef<[u8]>>(&self, seat: Seat, dice: &[D], players: usize) -> Seat {
        let sum: usize = dice
            .iter()
            .flat_map(|roll| roll.as_ref())
            .map(|&die| usize::from(die))
            .sum();
        let place = (sum + self.to.len() - 1) % self.to.len().max(1);
        let steps = match self.to.get(place) {
            None | Some(ExchangeTo::Next) => 1,
            Some(ExchangeTo::Across) => players / 2,
            Some(ExchangeTo::Previous) => players - 1,
        };
        seat.after(steps, players)
    }
}

/// A claim with its rank. Higher ranks go first, equal ranks in turn order.
pub type ClaimRank = (ClaimKind, u8);

/// What a discard is claimed for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ClaimKind {
    /// A win.
    Win,
    /// A kong.
    Kong,
    /// A pung.
    Pung,
    /// A run.
    Chow,
}

impl ClaimKind {
    /// The meld for which an action claims a discard, if any.
    pub(crate) const fn of_meld(action: Action) -> Option<Self> {
        match action {
            Action::Claim(tiles) => Some(match tiles.group().family() {
                Family::Kong => Self::Kong,
                Family::Pair | Family::Pung => Self::Pung,
                Family::Arith | Family::Gem | Family::Power => Self::Chow,
            }),
            _ => None,
        }
    }
}

impl PlayRules {
    /// Who wins if `count` seats could.
    pub(crate) fn winners_of(&self, count: usize) -> Winners {
        match count {
            0 | 1 => self.winners,
            2 => self.several_winners[0],
            _ => self.several_winners[1],
        }
    }

    /// The rank of a claim. Of several claims the highest rank counts.
    #[inline]
    pub fn rank(&self, kind: ClaimKind) -> u8 {
        self.precedence
            .iter()
            .find(|(k, _)| *k == kind)
            .map_or(0, |(_, rank)| *rank)
    }
}

/// The choice of the first dealer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FirstDealer {
    /// Drawn from the game's seed.
    Random,
    /// Player 0.
    Fixed,
    /// Player 0 rolls the dice of the first wall. He counts the roll in playing order, and the player before
    /// him is 0. Source: `rulesets/uzje.md` §4.3.
    Roll,
}

/// The choice of the next dealer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum NextDealer {
    /// The winner. After a draw, the dealer again.
    Winner,
    /// The next player, after every deal.
    Rotate,
    /// The dealer again if he is among the winners, and after a draw. Otherwise the next player.
    DealerKeeps(DealerKeepsOn),
}

/// After which exhausted walls the dealer keeps the deal. He also keeps it after his own win and after any
/// other draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DealerKeepsOn {
    /// None.
    Win,
    /// Those after which his hand is ready.
    Ready,
    /// All.
    Draw,
}

/// When a match is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum MatchEnd {
    /// After this many deals, draws included.
    Deals(u32),
    /// After this many rounds. A round ends when the deal comes back to the first dealer.
    Rounds(u32),
    /// After this many rounds, if a player has reached the goal. Otherwise one more round is played, which ends early
    /// after a deal that leaves a player at the goal.
    RoundsOrGoal {
        /// Rounds.
        rounds: u32,
        /// Points.
        goal: i64,
    },
    /// After a deal of the last dealer in the last of this many rounds, or a repeat of it. The dealer must have won
    /// that deal or been ready. He must be first and have reached the goal.
    DealerLeads {
        /// Rounds.
        rounds: u32,
        /// Points.
        goal: i64,
        /// His win may end the match. Otherwise only an exhausted wall with a ready hand may.
        on_win: bool,
        /// An exhausted wall with a ready hand may end the match.
        on_ready: bool,
        /// Only if the dealer chooses to end the match.
        by_choice: bool,
    },
    /// After a deal that leaves a player with fewer points than this.
    Below(i64),
}

/// The length and the dealers of a match: `[match]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct MatchRules {
    /// The starting points of each player.
    pub start_points: i64,
    pub(crate) ends: SmallVec<[MatchEnd; 2]>,
    /// The most deals of a match. After so many it is over, whatever `ends` says.
    pub max_deals: u32,
    /// The prevailing wind changes from round to round. Otherwise it is always East.
    pub round_winds: bool,
    /// The choice of the first dealer.
    pub first_dealer: FirstDealer,
    /// The choice of the next dealer.
    pub next_dealer: NextDealer,
    /// What is added to the totals at the end.
    pub result: Option<ResultRules>,
}

impl MatchRules {
    /// When the match is over: when the first of these has come.
    pub fn ends(&self) -> &[MatchEnd] {
        &self.ends
    }
}

/// What is added to the totals of a match: `[match.result]`. Source: `rulesets/riichi-mcgill.md` §7.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ResultRules {
    /// The total that counts as neither won nor lost. Its excess over the starting points is paid to the first by every
    /// player.
    pub return_points: i64,
    /// Points by rank (uma). Ties go by the seats in the first deal.
    pub by_rank: [i64; MAX_PLAYERS],
    /// Deposits that no player won go to the first. Otherwise they are lost.
    pub deposits_to_first: bool,
}

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
    /// What the circumstances of a win with the flag must meet.
    pub(super) requires: Option<Condition>,
    /// What the declared melds and flowers of a win with the flag must meet.
    pub(super) requires_hand: Option<Condition>,
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
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) doc: String,
    pub(crate) source: String,
    pub(crate) content_hash: u64,
    pub(crate) players: usize,
    pub(crate) options: Options,
    pub(crate) tiles: TileSet,
    pub(crate) classes: Vec<(String, KindSet)>,
    pub(crate) wall: WallRules,
    pub(crate) play: PlayRules,
    pub(crate) decomposer: Decomposer,
    pub(crate) score: ScoreRules,
    pub(crate) settlement: SettlementRules,
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
    /// What the circumstances of every win must meet.
    pub(super) requires: Option<Condition>,
    /// What the declared melds and flowers of every win must meet.
    pub(super) requires_hand: Option<Condition>,
    /// `requires` or `requires_hand` may refuse a complete hand without flags that is drawn from the wall.
    pub(super) may_refuse_drawn: bool,
    /// `requires` or `requires_hand` may refuse a complete hand without flags that is won off a discard.
    pub(super) may_refuse_claimed: bool,
    /// What the declared melds and flowers of a seat must meet before it claims a discard for a meld. `None` without
    /// conditions.
    pub(super) claim_conditions: Option<Box<ClaimConditions>>,
}

/// What the declared melds and flowers of a seat must meet before it claims a discard: `requires-hand` of `[claims.kong]`,
/// `[claims.pung]` and `[claims.chow]`.
#[derive(Clone, Debug, Default)]
pub(super) struct ClaimConditions {
    pub(super) kong: Option<Condition>,
    pub(super) pung: Option<Condition>,
    pub(super) chow: Option<Condition>,
}

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

/// Declared melds as groups of a reading.
fn declared(melds: &[Meld]) -> SmallVec<[ReadGroup; MAX_MELDS]> {
    let read = |meld: &Meld| ReadGroup::new(meld.group, meld.open, true);
    melds.iter().map(read).collect()
}

impl Plan {
    /// The id.
    #[inline]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name for people.
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
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
}

impl Plan {
    /// True when a hand with these waits counts as ready. Source: `rulesets/riichi-mcgill.md` §5.
    pub(crate) fn counts_as_ready(&self, hand: &Holding, waits: KindSet) -> bool {
        let empty_waits = self.settlement.counts_empty_waits();
        let copies = self.tiles.copies();
        let has_all = |kind: &Kind| hand.held(*kind) >= copies.get(*kind);
        !waits.is_empty() && (empty_waits || !waits.iter().all(|kind| has_all(&kind)))
    }

    /// The waits of a hand that is one tile short, if it counts as ready, otherwise none. A wait counts only if a win
    /// with it meets the requirements of `[win]`.
    pub(crate) fn ready_with(&self, hand: &Hand, seat: Seat, round: Wind) -> KindSet {
        let holding = Holding::from(hand);
        let waits = self.decomposer.waits(&holding);
        let waits = self.winning(waits, hand, seat, round);
        if self.counts_as_ready(&holding, waits) {
            waits
        } else {
            KindSet::EMPTY
        }
    }

    /// True when `[win]` may refuse a wait both drawn and claimed.
    pub(crate) fn may_refuse_waits(&self) -> bool {
        self.score.requires_of_every_win() || self.may_refuse_drawn && self.may_refuse_claimed
    }

    /// True when a complete hand may be refused as a win: as worth too little, or by `[win]`.
    pub(crate) fn may_refuse_complete(&self) -> bool {
        self.score.must_score_to_win() || self.may_refuse_drawn || self.may_refuse_claimed
    }

    /// The key of `[win]` whose requirement no hand meets, if any.
    pub(crate) fn never_wins(&self, in_play: InPlay<'_>) -> Option<&'static str> {
        let is_dead = |one: &Option<Condition>| {
            let dead = one.as_ref().map(|one| one.dead(in_play));
            dead == Some(Dead::Whole)
        };
        match () {
            () if is_dead(&self.requires) => Some("requires"),
            () if is_dead(&self.requires_hand) => Some("requires-hand"),
            () if self.score.never_wins(in_play) => Some("requires-reading"),
            () => None,
        }
    }

    /// True when `[win] requires` and `requires-hand` allow a win at the table.
    #[inline]
    pub(crate) fn allows_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        self.requires.is_none() && self.requires_hand.is_none()
            || self.allows_hand(&state.hand_before(seat, win), seat, state.round(), win)
    }

    /// True when `[win] requires` and `requires-hand` allow a win. The hand is without the winning tile.
    pub(crate) fn allows_hand(&self, hand: &Hand, seat: Seat, round: Wind, win: &Win) -> bool {
        let groups = declared(&hand.melds);
        let reading = Reading {
            groups: &groups,
            ..Reading::circumstances(&self.tiles, hand, seat, round, Some(win))
        };
        let mut required = self.requires.iter().chain(&self.requires_hand);
        required.all(|condition| condition.holds(&reading))
    }

    /// The waits of a hand that meet the requirements of `[win]`, drawn or claimed.
    pub(crate) fn winning(&self, waits: KindSet, hand: &Hand, seat: Seat, round: Wind) -> KindSet {
        if !self.may_refuse_waits() {
            return waits;
        }
        let asks_readings = self.score.requires_of_every_win();
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
                let input = ScoreInput::new(hand, seat, round, Some(win));
                !asks_readings
                    || score::has_reading(&self.score, &self.decomposer, &self.tiles, &input)
            })
        };
        waits.iter().filter(wins).collect()
    }

    /// True when points may be paid while a deal goes on: for wins after which play goes on, for kongs and for flowers.
    pub fn pays_within_deals(&self) -> bool {
        let pays = match self.settlement {
            SettlementRules::Linear(rules) => rules.pays_kongs() || rules.pays_flowers(),
            _ => false,
        };
        self.play.plays_on || pays
    }

    /// The settlement of a false win. `None` if the rules have no false wins.
    pub(crate) fn false_win(&self, seat: Seat) -> Option<Settlement> {
        let per_point = self.settlement.units_per_point();
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

    /// The fault in the circumstances of a win, whatever its tiles.
    pub fn check_circumstances(&self, seat: Seat, win: &Win) -> Option<String> {
        if !self.ways.contains(&win.way) {
            return Some(format!("nothing is won by `{}`", win.way.word()));
        }
        let hand = Hand::new();
        let reading = Reading::circumstances(&self.tiles, &hand, seat, Wind::East, Some(win));
        let broken = win.flags.iter().find(|&i| {
            let requires = self.flags.get(i).and_then(|flag| flag.requires.as_ref());
            requires.is_some_and(|requires| !requires.holds(&reading))
        });
        if let Some(i) = broken {
            return Some(format!("flag `{}` contradicts the win", self.flags[i].id));
        }
        let requires = self.requires.as_ref();
        requires
            .is_some_and(|requires| !requires.holds(&reading))
            .then(|| "the flags do not fit the way of the win".to_owned())
    }

    /// True if claims may need more than the tiles for them.
    #[inline]
    pub(crate) fn limits_claims(&self) -> bool {
        self.claim_conditions.is_some()
    }

    /// True if the declared melds and flowers of a seat allow it to claim a discard for a meld.
    pub(crate) fn allows_claim(
        &self,
        claim: ClaimKind,
        hand: &Hand,
        seat: Seat,
        round: Wind,
    ) -> bool {
        let Some(conditions) = &self.claim_conditions else {
            return true;
        };
        let condition = match claim {
            ClaimKind::Win => &None,
            ClaimKind::Kong => &conditions.kong,
            ClaimKind::Pung => &conditions.pung,
            ClaimKind::Chow => &conditions.chow,
        };
        let groups = declared(&hand.melds);
        let reading = Reading {
            groups: &groups,
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
            content_hash: fnv_1a(self.content_hash, &format!("\nhouse-rule = {name:?}\n")),
            ..self.clone()
        }
    }

    /// The fault in the flags of a win, given the declared melds, laid-down flowers and tiles set aside.
    pub fn check_hand(
        &self,
        melds: &[Meld],
        flowers: FlowerSet,
        set_aside: SetAside,
        seat: Seat,
        round: Wind,
        win: &Win,
    ) -> Option<String> {
        // Too many melds are another fault, reported later. All melds are checked here.
        let groups = self.decomposer.grammar().groups();
        let mut hand = Hand::new();
        hand.melds = List::first_of(melds.iter().copied().take(groups));
        hand.flowers = flowers;
        hand.set_aside = set_aside;
        let groups = declared(melds);
        let reading = Reading {
            groups: &groups,
            ..Reading::circumstances(&self.tiles, &hand, seat, round, Some(win))
        };
        let whole = self.requires_hand.as_ref();
        if whole.is_some_and(|requires| !requires.holds(&reading)) {
            return Some("the melds do not fit the way of the win".to_owned());
        }
        let broken = win.flags.iter().find(|&i| {
            let requires = self
                .flags
                .get(i)
                .and_then(|flag| flag.requires_hand.as_ref());
            requires.is_some_and(|requires| !requires.holds(&reading))
        })?;
        Some(format!(
            "flag `{}` contradicts the hand",
            self.flags[broken].id
        ))
    }
}

impl Plan {
    /// Lets the procedures forbid and add actions.
    pub(crate) fn adjust(&self, state: &DealState, seat: Seat, legal: &mut Legal) {
        let counts = |rest: &Holding, waits: KindSet| {
            let mut hand = *state.hand(seat);
            let discarded = hand.concealed().saturating_minus(&rest.concealed);
            for kind in discarded.iter() {
                hand.take_kind(kind, 1);
            }
            let waits = self.winning(waits, &hand, seat, state.round());
            self.counts_as_ready(rest, waits)
        };
        let procedures = &self.procedures;
        procedures.adjust(&self.decomposer, &counts, state, seat, legal);
    }
}
