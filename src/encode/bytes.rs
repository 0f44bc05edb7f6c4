//! Bytes for actions, moves, matches and deals in play.

use crate::game::{Deal, Match, Moves, MovesError, RestoreError, SavedMatch};
use crate::meld::{Family, Group};
use crate::random::Seed;
use crate::ruleset::Ruleset;
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::state::{Action, MeldTiles, OnTable, WORDS};
use crate::text::fnv_1a;
use crate::tile::{Face, Flower, Kind, Suit, Tile};

/// The first bytes of everything but a single action.
const MAGIC: [u8; 4] = *b"PSHN";

/// The version of the format.
const VERSION: u8 = 1;

/// The start of the hash with which the bytes end.
const CHECK: u64 = 0xcbf2_9ce4_8422_2325;

/// The error for bytes that are no action, moves, match or checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BytesError {
    /// The bytes do not begin as those of this crate do.
    #[error("the bytes are not of this crate")]
    Foreign,
    /// The bytes are of a later version of the format.
    #[error("the bytes have version {found}; this version of the crate reads up to {VERSION}")]
    Version {
        /// The version of the bytes.
        found: u8,
    },
    /// The bytes are of something else.
    #[error("the bytes are not of {wanted}")]
    Other {
        /// What was to be read.
        wanted: &'static str,
    },
    /// Bytes were changed, added or lost.
    #[error("the bytes are damaged")]
    Damaged,
    /// Bytes that name nothing that exists.
    #[error("byte {at} names no {what}")]
    Unknown {
        /// Index of the first byte of the value.
        at: usize,
        /// What should be there.
        what: &'static str,
    },
}

/// The error for a checkpoint that cannot be resumed.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeCheckpointError {
    /// The match cannot be restored.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The moves do not fit the match.
    #[error(transparent)]
    Moves(#[from] MovesError),
}

/// A match at any moment: the match before a deal, and the decisions made since.
///
/// ```
/// use paishan::encode::Checkpoint;
/// use paishan::game::Moves;
/// use paishan::{Match, Rules};
/// let rules = Rules::by_id("woo")?;
/// let series = Match::new(&rules, 7);
/// let mut moves = Moves::new(7);
/// let mut deal = series.start_deal_observed(&mut moves);
/// for _ in 0..20 {
///     let seat = deal.state().deciding().next().expect("somebody decides");
///     let action = deal.legal(seat).default_action().expect("a legal action");
///     deal.act_observed(seat, action, &mut moves)?;
/// }
/// let bytes = Checkpoint { saved: series.save(), moves }.to_bytes();
///
/// let (_, resumed) = Checkpoint::from_bytes(&bytes)?.resume(&rules)?;
/// assert_eq!(resumed.expect("a deal is being played").state(), deal.state());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Checkpoint {
    /// The match before the first of these moves.
    pub saved: SavedMatch,
    /// The decisions since.
    pub moves: Moves,
}

impl Checkpoint {
    /// Restores the match and the deal in play. The deal is `None` between two deals.
    ///
    /// # Errors
    /// [`ResumeCheckpointError`] for other rules, and for moves of another match.
    pub fn resume<R: Ruleset + Clone>(
        &self,
        rules: R,
    ) -> Result<(Match<R>, Option<Deal<R>>), ResumeCheckpointError> {
        let series = Match::restore(rules, &self.saved)?;
        Ok(self.moves.resume(series)?)
    }

    /// The checkpoint as bytes with a version and a check. They are the same on every machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::begin(What::Checkpoint);
        writer.saved(&self.saved);
        writer.moves(&self.moves);
        writer.end()
    }

    /// Reads a checkpoint from bytes.
    ///
    /// # Errors
    /// [`BytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        Reader::read(bytes, What::Checkpoint, |reader| {
            let (saved, moves) = (reader.saved()?, reader.moves()?);
            Ok(Self { saved, moves })
        })
    }
}

impl Moves {
    /// The moves as bytes with a version and a check. They are the same on every machine.
    ///
    /// ```
    /// use paishan::game::Moves;
    /// use paishan::{Rules, agent, simulate};
    /// let woo = Rules::by_id("woo")?;
    /// let mut moves = Moves::new(7);
    /// simulate::play(&woo, &mut agent::for_all("random", woo.plan())?, 7, &mut moves)?;
    /// let bytes = moves.to_bytes();
    /// assert_eq!(Moves::from_bytes(&bytes)?, moves);
    /// assert!(Moves::from_bytes(&bytes[1..]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::begin(What::Moves);
        writer.moves(self);
        writer.end()
    }

    /// Reads moves from bytes.
    ///
    /// # Errors
    /// [`BytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        Reader::read(bytes, What::Moves, |reader| reader.moves())
    }
}

impl SavedMatch {
    /// The match as bytes with a version and a check. They are the same on every machine.
    ///
    /// ```
    /// use paishan::game::SavedMatch;
    /// use paishan::{Match, Rules};
    /// let saved = Match::new(Rules::by_id("woo")?, 7).save();
    /// assert_eq!(SavedMatch::from_bytes(&saved.to_bytes())?, saved);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::begin(What::SavedMatch);
        writer.saved(self);
        writer.end()
    }

    /// Reads a match from bytes.
    ///
    /// # Errors
    /// [`BytesError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        Reader::read(bytes, What::SavedMatch, |reader| reader.saved())
    }
}

impl Action {
    /// The action as bytes. They are the same on every machine and under all rules.
    ///
    /// ```
    /// use paishan::Action;
    /// let action: Action = "chi 4R6t".parse()?;
    /// assert_eq!(Action::from_bytes(action.to_bytes()), Ok(action));
    /// # Ok::<(), paishan::ParseError>(())
    /// ```
    pub fn to_bytes(self) -> [u8; 8] {
        key(self).to_le_bytes()
    }

    /// Reads an action from bytes.
    ///
    /// # Errors
    /// [`BytesError::Unknown`] for bytes that are no action.
    pub fn from_bytes(bytes: [u8; 8]) -> Result<Self, BytesError> {
        let key = u64::from_le_bytes(bytes);
        let action = action_of(key).filter(|&action| {
            // Only what can be written as text is an action.
            self::key(action) == key && action.to_string().parse() == Ok(action)
        });
        let unknown = || BytesError::Unknown {
            at: 0,
            what: "action",
        };
        action.ok_or_else(unknown)
    }
}

/// The actions by the highest two bytes of their keys.
mod tag {
    pub const WORD: u64 = 0;
    pub const CLAIM: u64 = 1;
    pub const CONCEALED_KONG: u64 = 2;
    pub const ADDED_KONG: u64 = 3;
    pub const SWAP: u64 = 4;
    pub const LAY: u64 = 5;
    pub const MISSING: u64 = 6;
    pub const EXCHANGE: u64 = 7;
    pub const DISCARD: u64 = 8;
    pub const DISCARD_DRAWN: u64 = 9;
    pub const ASIDE: u64 = 10;
    pub const SHOW: u64 = 11;
}

/// A tile as a number that never changes, from 1: kinds up to the blossom, red fives, flowers, then the extra kinds, which
/// came later.
#[inline]
fn tile_number(tile: Tile) -> u64 {
    const EXTRAS: u64 = Kind::EXTRA.len() as u64;
    const FIRST: u64 = Kind::EXTRA[0].index() as u64 + 1;
    const OTHERS: u64 = (Suit::ALL.len() + Flower::COUNT) as u64;
    match u64::from(tile.code()) {
        code if code < FIRST => code,
        code if code < FIRST + EXTRAS => code + OTHERS,
        code => code - EXTRAS,
    }
}

/// An action as a number. Different actions have different keys.
#[inline]
pub(super) fn key(action: Action) -> u64 {
    let tagged = |tag: u64, what: u64| tag << 48 | what;
    let meld = |tag, tiles: MeldTiles| {
        let places = u64::from(tiles.reds()) << 32 | u64::from(tiles.wild()) << 40;
        tagged(tag, u64::from(tiles.group().bits()) | places)
    };
    match action {
        Action::Claim(tiles) => meld(tag::CLAIM, tiles),
        Action::Aside(kind) => tagged(tag::ASIDE, kind.index() as u64),
        Action::ConcealedKong(kind) => tagged(tag::CONCEALED_KONG, kind.index() as u64),
        Action::AddedKong(kind) => tagged(tag::ADDED_KONG, kind.index() as u64),
        Action::Swap(tiles) => meld(tag::SWAP, tiles),
        Action::Lay(group) => tagged(tag::LAY, u64::from(group.bits())),
        Action::Show => tagged(tag::SHOW, 0),
        Action::Missing(suit) => tagged(tag::MISSING, suit.lane() as u64),
        Action::Exchange(kind) => tagged(tag::EXCHANGE, kind.index() as u64),
        Action::Discard { tile, drawn: false } => tagged(tag::DISCARD, tile_number(tile)),
        Action::Discard { tile, drawn: true } => tagged(tag::DISCARD_DRAWN, tile_number(tile)),
        word => {
            let place = WORDS.iter().position(|(own, _)| *own == word);
            tagged(tag::WORD, place.unwrap_or(WORDS.len()) as u64)
        }
    }
}

/// The action with a key, if its parts exist.
fn action_of(key: u64) -> Option<Action> {
    let what = key & 0xffff_ffff_ffff;
    let index = usize::try_from(what).ok();
    let kind = || index.and_then(Kind::from_index);
    let group = || {
        let [family, kinds @ ..] = (what as u32).to_le_bytes();
        let [a, b, c] = kinds.map(|kind| Kind::from_index(kind.into()));
        let (a, b, c) = (a?, b?, c?);
        let mut alike = Family::ALIKE.into_iter().skip(1);
        match alike.find(|own| *own as u8 == family) {
            Some(own) => Some(Group::same(own, a)),
            None => Group::of(&[a, b, c]),
        }
    };
    let meld = || {
        let [.., reds, wild, _, _] = key.to_le_bytes();
        MeldTiles::from(group()?).with_wild(wild).with_reds(reds)
    };
    let tile = || {
        let kinds = Kind::all().map(Tile::from);
        let reds = Suit::ALL.into_iter().map(Tile::red_five);
        let flowers = Flower::all().map(Tile::flower);
        let mut all = kinds.chain(reds).chain(flowers);
        all.find(|&tile| tile_number(tile) == what)
    };
    let discard = |drawn| {
        let tile = tile().filter(|tile| !matches!(tile.face(), Face::Flower(_)))?;
        Some(Action::Discard { tile, drawn })
    };
    match key >> 48 {
        tag::WORD => WORDS.get(index?).map(|(word, _)| *word),
        tag::CLAIM => Some(Action::Claim(meld()?)),
        tag::ASIDE => Some(Action::Aside(kind()?)),
        tag::CONCEALED_KONG => Some(Action::ConcealedKong(kind()?)),
        tag::ADDED_KONG => Some(Action::AddedKong(kind()?)),
        tag::SWAP => Some(Action::Swap(meld()?)),
        tag::LAY => Some(Action::Lay(group()?)),
        tag::MISSING => Some(Action::Missing(*Suit::ALL.get(index?)?)),
        tag::SHOW => Some(Action::Show),
        tag::EXCHANGE => Some(Action::Exchange(kind()?)),
        tag::DISCARD => discard(false),
        tag::DISCARD_DRAWN => discard(true),
        _ => None,
    }
}

/// What bytes are of.
#[derive(Clone, Copy)]
enum What {
    SavedMatch = 1,
    Moves = 2,
    Checkpoint = 3,
}

impl What {
    fn words(self) -> &'static str {
        match self {
            Self::SavedMatch => "a match",
            Self::Moves => "moves",
            Self::Checkpoint => "a checkpoint",
        }
    }
}

/// Writes numbers, the lowest byte first.
struct Writer(Vec<u8>);

impl Writer {
    fn begin(what: What) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, what as u8]);
        Self(bytes)
    }

    fn end(mut self) -> Vec<u8> {
        let check = fnv_1a(CHECK, &self.0);
        self.0.extend(check.to_le_bytes());
        self.0
    }

    fn long(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn int(&mut self, number: u32) {
        self.0.extend(number.to_le_bytes());
    }

    fn len(&mut self, len: usize) {
        self.long(len as u64);
    }

    fn saved(&mut self, saved: &SavedMatch) {
        self.long(saved.rules_hash);
        self.0.extend(saved.game_seed.to_bytes());
        let OnTable { counters, deposits } = saved.on_table;
        for number in [saved.deal, saved.rounds, saved.won, saved.dealer_wins] {
            self.int(number);
        }
        self.int(counters);
        self.int(deposits);
        let players = [saved.dealer, saved.first_dealer];
        self.0.extend(players.map(|player| player.index() as u8));
        self.0.push(saved.is_over.into());
        self.len(saved.totals.len());
        for &total in &saved.totals {
            self.0.extend(total.to_le_bytes());
        }
    }

    fn moves(&mut self, moves: &Moves) {
        self.0.extend(moves.game_seed().to_bytes());
        self.0.push(moves.rules_hash().is_some().into());
        self.long(moves.rules_hash().unwrap_or_default());
        self.len(moves.decisions().len());
        for (seat, action) in moves.decisions() {
            self.0.push(seat.index() as u8);
            self.0.extend(action.to_bytes());
        }
        self.len(moves.dead().len());
        for &(decisions, seat) in moves.dead() {
            self.len(decisions);
            self.0.push(seat.index() as u8);
        }
    }
}

/// Reads what [`Writer`] writes.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn read<T>(
        bytes: &[u8],
        what: What,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, BytesError>,
    ) -> Result<T, BytesError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(BytesError::Foreign);
        }
        let (Some((body, check)), Some(&version)) =
            (bytes.split_last_chunk(), bytes.get(MAGIC.len()))
        else {
            return Err(BytesError::Damaged);
        };
        if version > VERSION {
            return Err(BytesError::Version { found: version });
        }
        if fnv_1a(CHECK, body) != u64::from_le_bytes(*check) || version == 0 {
            return Err(BytesError::Damaged);
        }
        let at = MAGIC.len() + 1;
        let mut reader = Reader { bytes: body, at };
        if reader.byte()? != what as u8 {
            let wanted = what.words();
            return Err(BytesError::Other { wanted });
        }
        let value = read(&mut reader)?;
        match reader.at == body.len() {
            true => Ok(value),
            false => Err(BytesError::Damaged),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], BytesError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let chunk = rest.first_chunk().ok_or(BytesError::Damaged)?;
        self.at += N;
        Ok(*chunk)
    }

    fn byte(&mut self) -> Result<u8, BytesError> {
        self.take().map(|[byte]| byte)
    }

    fn long(&mut self) -> Result<u64, BytesError> {
        self.take().map(u64::from_le_bytes)
    }

    fn int(&mut self) -> Result<u32, BytesError> {
        self.take().map(u32::from_le_bytes)
    }

    /// A number of items that each take at least `size` bytes.
    fn len(&mut self, size: usize) -> Result<usize, BytesError> {
        let len = usize::try_from(self.long()?).map_err(|_| BytesError::Damaged)?;
        let rest = self.bytes.len() - self.at;
        match len.checked_mul(size).is_some_and(|bytes| bytes <= rest) {
            true => Ok(len),
            false => Err(BytesError::Damaged),
        }
    }

    fn unknown<T>(
        &self,
        size: usize,
        what: &'static str,
    ) -> impl FnOnce() -> Result<T, BytesError> {
        let at = self.at - size;
        move || Err(BytesError::Unknown { at, what })
    }

    fn flag(&mut self) -> Result<bool, BytesError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => self.unknown(1, "flag")(),
        }
    }

    fn seat(&mut self) -> Result<Seat, BytesError> {
        let seat = Seat::new(self.byte()?.into());
        seat.map_or_else(self.unknown(1, "seat"), Ok)
    }

    fn player(&mut self) -> Result<Player, BytesError> {
        let player = Player::new(self.byte()?.into());
        player.map_or_else(self.unknown(1, "player"), Ok)
    }

    fn action(&mut self) -> Result<Action, BytesError> {
        let action = Action::from_bytes(self.take()?);
        action.or_else(|_| self.unknown(8, "action")())
    }

    fn saved(&mut self) -> Result<SavedMatch, BytesError> {
        let rules_hash = self.long()?;
        let game_seed = Seed::from_bytes(self.take()?);
        let (deal, rounds, won, dealer_wins) = (self.int()?, self.int()?, self.int()?, self.int()?);
        let (counters, deposits) = (self.int()?, self.int()?);
        let (dealer, first_dealer) = (self.player()?, self.player()?);
        let is_over = self.flag()?;
        let len = self.len(8)?;
        if len > MAX_PLAYERS {
            return Err(BytesError::Damaged);
        }
        let total = |_| self.take().map(i64::from_le_bytes);
        let totals = (0..len).map(total).collect::<Result<_, _>>()?;
        Ok(SavedMatch {
            rules_hash,
            game_seed,
            deal,
            rounds,
            won,
            dealer,
            first_dealer,
            dealer_wins,
            on_table: OnTable { counters, deposits },
            totals,
            is_over,
        })
    }

    fn moves(&mut self) -> Result<Moves, BytesError> {
        let game_seed = Seed::from_bytes(self.take()?);
        let has_hash = self.flag()?;
        let rules_hash = self.long()?;
        if !has_hash && rules_hash != 0 {
            return Err(BytesError::Damaged);
        }
        let len = self.len(9)?;
        let decision = |_| Ok((self.seat()?, self.action()?));
        let decisions = (0..len).map(decision).collect::<Result<_, _>>()?;
        let len = self.len(9)?;
        let dead = |_| Ok((self.len(0)?, self.seat()?));
        let dead = (0..len).map(dead).collect::<Result<_, _>>()?;
        let rules_hash = has_hash.then_some(rules_hash);
        Ok(Moves::of_parts(game_seed, rules_hash, decisions, dead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes with a correct check.
    fn checked(mut body: Vec<u8>) -> Vec<u8> {
        let check = fnv_1a(CHECK, &body);
        body.extend(check.to_le_bytes());
        body
    }

    proptest! {
        /// Eight bytes are an action or an error, and an action has one form.
        #[test]
        fn bytes_of_an_action_are_unique(bytes: [u8; 8], tag in 0..11_u16, small in any::<bool>()) {
            let mut bytes = bytes;
            bytes[6..].copy_from_slice(&tag.to_le_bytes());
            if small {
                bytes[1..6].fill(0);
            }
            if let Ok(action) = Action::from_bytes(bytes) {
                prop_assert_eq!(action.to_bytes(), bytes);
            }
        }

        /// Whatever stands in a body, reading neither panics nor reserves much memory.
        #[test]
        fn bodies_of_any_bytes_are_read(kind in 0..5_u8, body: Vec<u8>) {
            let mut bytes = MAGIC.to_vec();
            bytes.extend([VERSION, kind]);
            bytes.extend(body);
            let bytes = checked(bytes);
            let read = [
                Moves::from_bytes(&bytes).is_ok(),
                SavedMatch::from_bytes(&bytes).is_ok(),
                Checkpoint::from_bytes(&bytes).is_ok(),
            ];
            prop_assert!(read.into_iter().filter(|&is_ok| is_ok).count() <= 1);
        }
    }

    #[test]
    fn tiles_keep_their_numbers() {
        let number = |text: &str| tile_number(text.parse().unwrap());
        let numbers = ["1t", "B", "Rt", "Rm", "h", "z", "A", "K"].map(number);
        assert_eq!(numbers, [1, 60, 61, 63, 64, 79, 80, 83]);
        for kind in Kind::EXTRA {
            let action = Action::Discard {
                tile: kind.into(),
                drawn: true,
            };
            assert_eq!(Action::from_bytes(action.to_bytes()), Ok(action));
        }
    }

    #[test]
    fn every_change_of_a_byte_is_noticed() {
        let moves = Moves::of(7, vec![(Seat::EAST, "dahai 5t".parse().unwrap())]);
        let bytes = moves.to_bytes();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Moves::from_bytes(&changed).is_err(), "{at}");
            assert!(Moves::from_bytes(&bytes[..at]).is_err(), "{at}");
        }
        assert_eq!(
            SavedMatch::from_bytes(&bytes),
            Err(BytesError::Other { wanted: "a match" })
        );
        assert_eq!(Moves::from_bytes(b"{}"), Err(BytesError::Foreign));
        let mut later = bytes[..bytes.len() - 8].to_vec();
        later[4] = 2;
        let error = Moves::from_bytes(&checked(later)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the bytes have version 2; this version of the crate reads up to 1"
        );
        let mut seat = bytes[..bytes.len() - 8].to_vec();
        let at = seat.len() - 17;
        seat[at] = 9;
        let error = Moves::from_bytes(&checked(seat)).unwrap_err();
        assert_eq!(error.to_string(), format!("byte {at} names no seat"));
    }
}
