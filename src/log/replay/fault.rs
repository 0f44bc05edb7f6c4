//! [`LogFault`]: what is wrong with a log that cannot be replayed.

use super::super::FORMAT;
use crate::game::RecordError;
use crate::notation::ParseTilesError;
use crate::tile::Tile;

/// Why a log cannot be a record of a match.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogFault {
    /// The log does not begin with `start_game`.
    #[error("a match begins with start_game")]
    NoStartGame,
    /// A deal does not begin with `start_kyoku`.
    #[error("a deal begins with start_kyoku")]
    NoStartKyoku,
    /// The log has no deal.
    #[error("a match without a deal")]
    NoDeal,
    /// The log ends before the match is over.
    #[error("the log breaks off within a match")]
    BreaksOff,
    /// The log goes on after the match is over.
    #[error("the match is over")]
    TrailingLines,
    /// The log has another format than [`FORMAT`].
    #[error("format {found}; this engine reads {FORMAT}")]
    Format {
        /// The format of the log.
        found: u32,
    },
    /// The notation is unknown.
    #[error("unknown notation `{name}`")]
    Notation {
        /// Its name in the log.
        name: String,
    },
    /// Plain mjai records only Riichi rulesets.
    #[error("plain mjai cannot record the ruleset `{ruleset}`")]
    NoPlainMjai {
        /// The id of the ruleset.
        ruleset: String,
    },
    /// A line names a player who is not at the table.
    #[error("no player {player} at the table")]
    NoSuchPlayer {
        /// The number in the log.
        player: usize,
    },
    /// The first dealer is not at the table, or no line names the dealer.
    #[error("the first dealer is no player")]
    NoFirstDealer,
    /// Another player deals.
    #[error("player {found} deals, not player {expected}")]
    OtherDealer {
        /// The dealer in the log.
        found: usize,
        /// The dealer by the rules, the seed or the dice.
        expected: usize,
    },
    /// A string is not a tile.
    #[error("{0}")]
    Tile(ParseTilesError),
    /// A tile on the table is not shown.
    #[error("a tile on the table is not shown")]
    HiddenTile,
    /// The log hides tiles, but this function needs a log that shows every tile.
    #[error("only a log that shows every tile can be replayed here")]
    HiddenTiles,
    /// A kong lies face down, and neither the end of the deal nor a challenge shows it.
    #[error("this kong is never shown")]
    HiddenKong,
    /// A seat in riichi wins, and the log does not show the under-indicators.
    #[error("the log does not show the under-indicators of a win in riichi")]
    HiddenUra,
    /// The number of dealt hands is not the number of players, or the dealer is not one of the players.
    #[error("expected a dealer and one hand for each player")]
    HandCount,
    /// A hand is dealt too many or too few tiles.
    #[error("a hand has a wrong number of dealt tiles")]
    HandSize,
    /// A player gives away a tile that is not in his hand.
    #[error("this tile is not in the hand")]
    NotInHand,
    /// A player shows more tiles than he drew.
    #[error("player {player} never drew these tiles")]
    NeverDrawn {
        /// The player.
        player: usize,
    },
    /// The log shows more copies of a tile than the set has.
    #[error("more copies of {tile} than the set has")]
    TooManyCopies {
        /// The tile.
        tile: Tile,
    },
    /// More tiles are drawn, or more indicators turned, than the wall has.
    #[error("more tiles are drawn or turned than the wall has")]
    TooManyDrawn,
    /// The tiles of the wall are not those of the set.
    #[error("the tiles of the wall are not the tile set")]
    OtherTiles,
    /// The wall or its dice are not those of the `game_seed`.
    #[error("this is not the wall of game_seed, or not its dice")]
    OtherWall,
    /// The wall is broken at a player who is not at the table, or after too many stacks.
    #[error("the break of the wall is invalid")]
    InvalidBreak,
    /// The dice break the wall at another place.
    #[error("the dice do not break the wall there")]
    WrongBreak,
    /// The ruleset has no wall that is broken there.
    #[error("the ruleset has no such wall")]
    NoSuchWall,
    /// No distribution of the hidden tiles agrees with the rest of the log.
    #[error("no tiles fit this deal")]
    NothingFits,
    /// The search for hidden tiles found none with which a hand can do what the log says. There may be some, because the
    /// search has a limit.
    #[error("no tiles were found with which player {player} can do this")]
    Unfitted {
        /// The player.
        player: usize,
    },
    /// A decision is of another player, or its index is out of range.
    #[error("player {player} decides, among {actions} actions")]
    OtherDecision {
        /// The player who decides.
        player: usize,
        /// How many actions are legal.
        actions: usize,
    },
    /// An event is not a legal action of the player who decides.
    #[error("the event is not a legal action of player {player}")]
    NoAction {
        /// The player who decides.
        player: usize,
    },
    /// The match does not record the deal. Only a faulty ruleset causes this.
    #[error("{0}")]
    Record(RecordError),
}
