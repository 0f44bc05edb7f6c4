//! [`Observation`]: what a seat may know, as arrays.

use super::scalars::{self, NONE, PlayerScalars, Scalar};
use super::uses::Uses;
use crate::counts::{Counts, nibbles_as_bytes};
use crate::ruleset::{Plan, WildStep};
use crate::tile::{Flower, Kind, Rank, Suit, Tile, Wind};
use std::fmt;
use std::sync::Arc;

/// One more than the highest [`Tile::code`].
pub(super) const TILES: usize = Kind::COUNT + Suit::ALL.len() + Flower::COUNT + 1;

/// How many of a player's last discards have a plane each.
pub(super) const LAST_DISCARDS: usize = 8;

/// The column of a tile that is not in play.
pub(super) const NO_COLUMN: u8 = u8::MAX;

/// The encoding of what a seat may know, for networks. An encoding has two arrays:
///
/// - *Planes*, of shape ([`planes`](Self::planes), [`kinds`](Self::kinds)): one row for each fact, one column for each
///   kind of tile in play, in notation order. A value is 1 where the fact holds of the kind, or a number of tiles, and 0
///   elsewhere.
/// - *Scalars*, one number for each fact of the table, in natural units. [`Scalar::scale`] has a typical magnitude.
///
/// Players come in turn order from the seat itself. A plane or a scalar that a ruleset has no use for does not exist.
/// The shape follows from the ruleset. Version 1 ([`Observation::v1`]) never changes.
///
/// An [`Encoder`](super::Encoder) writes an encoding from a [`View`](crate::state::View), so it holds nothing that the
/// seat cannot see. A view of a replayed log gives the same encoding.
///
/// ```
/// use paishan::{Match, Rules, encode::{Encoder, Observation}};
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let encoding = Observation::v1(rules.plan());
/// let deal = Match::new(&rules, 7).start_deal();
/// let seat = deal.state().waiting().first().expect("the dealer discards");
///
/// let mut planes = vec![0_u8; encoding.planes().len() * encoding.kinds().len()];
/// let mut scalars = vec![0.0; encoding.scalars().len()];
/// Encoder::new(&encoding).write(&deal.state().view(seat), &mut planes, &mut scalars)?;
/// // The first plane has the kinds in the hand.
/// let kinds = &planes[..encoding.kinds().len()];
/// let held = kinds.iter().filter(|&&value| value == 1).count();
/// assert_eq!(held, deal.state().hand(seat).kinds().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The planes of version 1, in order:
///
/// | planes | values |
/// | --- | --- |
/// | `hand` 1 to 4 | 1 where the seat holds at least so many concealed tiles |
/// | `hand-red` | 1 for a concealed red five |
/// | `drawn` | 1 for the tile that the seat has just drawn |
/// | `waits` | 1 for the kinds that complete its hand without the tile just drawn; 0 in a turn that began with a claim |
/// | `chosen` | 1 for the tiles that it has chosen for the exchange |
/// | `claimable` | 1 for the tile that it may claim or win on |
/// | `seen` | the number of tiles that it sees ([`View::seen`](crate::state::View::seen)) |
/// | `indicator` | the number of indicators that lie face up |
/// | `indicated` | the number of indicators that point to the kind |
/// | `round-wind`, `seat-wind` | 1 for the wind of the round, and of the seat |
/// | `barred` | 1 for the kinds of its missing suit |
///
/// Then for each player:
///
/// | planes | values |
/// | --- | --- |
/// | `meld` 1 to 4, or as many as a hand has groups | the tiles of the first meld, the second, and so on; of a kong that lies face down nothing |
/// | `meld-claimed` | 1 for claimed tiles in melds |
/// | `meld-red` | 1 for red fives in melds |
/// | `meld-joker` | 1 for the kinds that jokers in melds stand for |
/// | `discard` | the number of discards, claimed ones included |
/// | `discard-held` | 1 for discards that were not just drawn |
/// | `discard-claimed` | 1 for discards that were claimed |
/// | `discard-red` | 1 for discarded red fives |
/// | `discard-riichi` | 1 for the discard with which riichi was declared |
/// | `discard-last` 1 to 8 | 1 for the last discard, for the one before it, and so on |
///
/// Then for each player but the seat itself: `shown`, the concealed tiles of a winner that is out of play.
#[derive(Clone)]
pub struct Observation {
    pub(super) plan: Arc<Plan>,
    pub(super) kinds: Vec<Kind>,
    /// The column of each tile by [`Tile::code`]. A red five has that of its kind, a flower has none.
    pub(super) columns: [u8; TILES],
    /// All kinds, in order.
    pub(super) segments: Vec<Segment>,
    pub(super) planes: Vec<Plane>,
    pub(super) scalars: Vec<Scalar>,
    pub(super) uses: Uses,
    pub(super) rows: Rows,
    /// The places of the planes of a player in its block.
    pub(super) of_player: PlayerRows,
    /// How many scalars are about the seat and the table. They come first.
    pub(super) of_table: usize,
    /// The places of the scalars of each other player.
    pub(super) player_scalars: PlayerScalars,
    /// The kind that an indicator of each kind points to.
    pub(super) indicated: Vec<Kind>,
    /// Cached waits may be a superset of the true ones.
    pub(super) checks_waits: bool,
}

/// A plane of an [`Observation`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Plane {
    /// What the plane is about.
    pub name: &'static str,
    /// Whose plane it is, in steps of turn order after the seat. `None` for the seat's own secrets and for the table.
    pub player: Option<usize>,
    /// The number among the planes of this name and this player, from 1.
    pub number: usize,
}

/// Consecutive columns of consecutive kinds of one lane of [`Counts`].
#[derive(Clone, Copy)]
pub(super) struct Segment {
    lane: usize,
    /// The place of the first kind in the lane, in bits.
    shift: u32,
    /// The nibbles of the kinds, from the lowest one.
    mask: u64,
    /// The column of the first kind.
    column: usize,
}

impl Segment {
    /// The segments of these kinds.
    fn of(kinds: &[Kind]) -> Vec<Self> {
        let follows = |one: &Kind, other: &Kind| {
            one.lane() == other.lane() && one.place() + 1 == other.place()
        };
        let mut column = 0;
        let segments = kinds.chunk_by(follows).map(|kinds| {
            let (lane, place) = (kinds[0].lane(), kinds[0].place());
            let segment = Self {
                lane,
                shift: 4 * place,
                mask: u64::MAX >> (64 - 4 * kinds.len()),
                column,
            };
            column += kinds.len();
            segment
        });
        segments.collect()
    }
}

/// The numbers of tiles of all kinds by column, then zeros.
pub(super) type Columns = [u8; MOST_COLUMNS + 16];

/// No ruleset has more columns.
pub(super) const MOST_COLUMNS: usize = Kind::COUNT.next_power_of_two();

/// No tiles.
pub(super) const NO_TILES: Columns = [0; MOST_COLUMNS + 16];

/// Finds the numbers of tiles of all kinds.
#[inline(always)]
pub(super) fn columns_of(segments: &[Segment], counts: &Counts) -> Columns {
    let mut columns = NO_TILES;
    for segment in segments {
        let nibbles = counts.lane(segment.lane & 3) >> segment.shift & segment.mask;
        // A segment writes zeros behind it, so the next one comes later.
        let places = columns.get_mut(segment.column..).unwrap_or_default();
        if let Some(places) = places.first_chunk_mut() {
            *places = nibbles_as_bytes(nibbles);
        }
    }
    columns
}

/// Where the planes of the seat and of the table begin in the array.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) hand: usize,
    pub(super) hand_red: usize,
    pub(super) drawn: usize,
    pub(super) waits: usize,
    pub(super) chosen: usize,
    pub(super) claimable: usize,
    pub(super) seen: usize,
    pub(super) indicator: usize,
    pub(super) indicated: usize,
    pub(super) round_wind: usize,
    pub(super) seat_wind: usize,
    pub(super) barred: usize,
    /// Where the blocks of the players begin. That of the seat comes first.
    pub(super) players: usize,
    /// The hands of winners, from the next player on.
    pub(super) shown: usize,
}

/// Where the planes of a player begin in the block of the player.
#[derive(Clone, Copy)]
pub(super) struct PlayerRows {
    pub(super) meld: usize,
    pub(super) meld_claimed: usize,
    pub(super) meld_red: usize,
    pub(super) meld_joker: usize,
    pub(super) discard: usize,
    pub(super) discard_held: usize,
    pub(super) discard_claimed: usize,
    pub(super) discard_red: usize,
    pub(super) discard_riichi: usize,
    pub(super) discard_last: usize,
    /// The size of a block.
    pub(super) len: usize,
}

/// Registers planes and returns the place of the first one of each name in the array.
struct Register {
    planes: Vec<Plane>,
    width: usize,
}

impl Register {
    fn add(
        &mut self,
        name: &'static str,
        player: Option<usize>,
        number: usize,
        exists: bool,
    ) -> usize {
        if !exists {
            return NONE;
        }
        let first = self.planes.len() * self.width;
        let planes = (1..=number).map(|number| Plane {
            name,
            player,
            number,
        });
        self.planes.extend(planes);
        first
    }
}

impl Observation {
    /// Version 1 of the encoding for a ruleset.
    pub fn v1(plan: &Arc<Plan>) -> Self {
        let uses = Uses::of(plan);
        let kinds: Vec<Kind> = plan.tiles.kinds().iter().collect();
        let mut columns = [NO_COLUMN; TILES];
        for (column, &kind) in (0..).zip(&kinds) {
            let red = kind.suit().filter(|_| kind.rank() == Some(Rank::FIVE));
            let tiles = [Some(kind.into()), red.map(Tile::red_five)];
            for tile in tiles.into_iter().flatten() {
                columns[usize::from(tile.code())] = column;
            }
        }
        let mut planes = Register {
            planes: Vec::new(),
            width: kinds.len(),
        };
        let groups = plan.decomposer.grammar().groups();
        let mut own = |name, number, exists| planes.add(name, None, number, exists);
        let mut rows = Rows {
            hand: own("hand", 4, true),
            hand_red: own("hand-red", 1, uses.reds),
            drawn: own("drawn", 1, true),
            waits: own("waits", 1, true),
            chosen: own("chosen", 1, uses.exchange),
            claimable: own("claimable", 1, true),
            seen: own("seen", 1, true),
            indicator: own("indicator", 1, uses.indicators),
            indicated: own("indicated", 1, uses.indicators),
            round_wind: own("round-wind", 1, uses.winds && plan.matches.round_winds),
            seat_wind: own("seat-wind", 1, uses.winds),
            barred: own("barred", 1, uses.missing),
            players: own("", 0, true),
            shown: NONE,
        };
        let mut block = |player| {
            let start = planes.planes.len() * planes.width;
            let mut own = |name, number, exists| {
                // A plane that does not exist stays beyond every array.
                planes.add(name, Some(player), number, exists) - start
            };
            PlayerRows {
                meld: own("meld", groups, true),
                meld_claimed: own("meld-claimed", 1, uses.melds_claimed),
                meld_red: own("meld-red", 1, uses.reds),
                meld_joker: own("meld-joker", 1, uses.jokers),
                discard: own("discard", 1, true),
                discard_held: own("discard-held", 1, true),
                discard_claimed: own("discard-claimed", 1, uses.melds_claimed),
                discard_red: own("discard-red", 1, uses.reds),
                discard_riichi: own("discard-riichi", 1, uses.riichi),
                discard_last: own("discard-last", LAST_DISCARDS, true),
                len: own("", 0, true),
            }
        };
        // The blocks of all players are alike.
        let of_player = block(0);
        (1..plan.players).for_each(|player| {
            block(player);
        });
        if uses.plays_on {
            rows.shown = planes.planes.len() * planes.width;
            for player in 1..plan.players {
                planes.add("shown", Some(player), 1, true);
            }
        }
        let points_to = |kind| match plan.play.wild.turned {
            Some(WildStep::Itself) => kind,
            Some(WildStep::Next) | None => plan.tiles.indicated(kind),
        };
        let indicated = Kind::all().map(points_to).collect();
        let mut scalars = Vec::new();
        scalars::each_of_table(plan, &uses, &mut scalars);
        let of_table = scalars.len();
        let mut register = |player| PlayerScalars::register(plan, &uses, player, &mut scalars);
        let own_scalars = register(0);
        // Those of all other players are alike.
        let player_scalars = (1..plan.players).map(register).last();
        Self {
            segments: Segment::of(&kinds),
            kinds,
            columns,
            planes: planes.planes,
            scalars,
            uses,
            rows,
            of_player,
            of_table,
            player_scalars: player_scalars.unwrap_or(own_scalars),
            indicated,
            checks_waits: !plan.decomposer.has_tables() || plan.changes_wild(),
            plan: Arc::clone(plan),
        }
    }

    /// The version: 1.
    pub const fn version(&self) -> u32 {
        1
    }

    /// The kinds of tiles in play, one column of a plane for each.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The planes, one row for each.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// The scalars in order.
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// The tile of a wind: of the compressed wind where plain winds are not in play.
    pub(super) fn wind(&self, wind: Wind) -> Tile {
        match self.columns[usize::from(Tile::from(wind.kind()).code())] {
            NO_COLUMN => wind.compressed().into(),
            _ => wind.kind().into(),
        }
    }
}

impl fmt::Debug for Observation {
    /// Writes the shape.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation")
            .field("version", &self.version())
            .field("planes", &self.planes.len())
            .field("kinds", &self.kinds.len())
            .field("scalars", &self.scalars.len())
            .finish()
    }
}
