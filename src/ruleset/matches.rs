//! [`MatchRules`]: who deals, how long a match lasts, and what is added at its end.

use crate::seat::MAX_PLAYERS;
use smallvec::SmallVec;

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
    /// The most kongs of a deal after whose used-up wall the dealer deals again. `u32::MAX` if their number does not matter.
    pub keeps_kongs: u32,
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
