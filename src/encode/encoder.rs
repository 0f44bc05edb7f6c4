//! [`Encoder`]: writes observations.

use super::EncodeError;
use super::observation::{
    Columns, LAST_DISCARDS, MOST_COLUMNS, NO_COLUMN, NO_TILES, Observation, TILES, columns_of,
};
use super::scalars::{Table, Values, each_of_table, flag};
use crate::counts::Counts;
use crate::hand::MAX_MELDS;
use crate::list::List;
use crate::meld::Meld;
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use crate::set::KindSet;
use crate::state::{Announcement, Discard, View};
use crate::tile::{Kind, Rank, Suit, Tile};
use std::sync::Arc;

/// Writes what a seat may know into arrays, as an [`Observation`] describes. `T` is `u8` or `f32`.
///
/// An encoder remembers the melds and discards that it wrote last and writes only what is new. What it writes depends on
/// the view alone, but it is fastest with one encoder for each table.
///
/// ```
/// use paishan::{Match, Rules, encode::{Encoder, Observation}};
/// let rules = Rules::by_id("woo")?;
/// let encoding = Observation::v1(rules.plan());
/// let mut encoder = Encoder::<f32>::new(&encoding);
/// let mut planes = vec![0.0; encoding.planes().len() * encoding.kinds().len()];
/// let mut scalars = vec![0.0; encoding.scalars().len()];
///
/// let mut deal = Match::new(&rules, 7).start_deal();
/// while let Some(seat) = deal.state().waiting().first() {
///     encoder.write(&deal.state().view(seat), &mut planes, &mut scalars)?;
///     let action = deal.legal(seat).default_action().expect("a legal action");
///     deal.act(seat, action)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder<T = u8> {
    observation: Arc<Observation>,
    memory: Memory<T>,
}

/// The most indicators that are written.
const MOST_INDICATORS: usize = 16;

/// What was written last.
#[derive(Clone, Debug)]
struct Memory<T> {
    /// The planes of melds and discards of each seat, one block after another.
    blocks: Vec<T>,
    /// The scalars of each seat, one block after another.
    scalars: Vec<f32>,
    /// The totals in `scalars`. `None` if there are none yet.
    points: Option<BySeat<i64>>,
    /// The seat whose tile may be claimed in `scalars`.
    gives: Option<Seat>,
    /// The indicators that lie face up.
    turned: List<Kind, MOST_INDICATORS>,
    seats: [Known; MAX_PLAYERS],
    /// The numbers of the tiles of all melds in `blocks`, and of all discards that were not claimed, by column.
    shown: Columns,
    /// The discards in `blocks`.
    discards: Vec<Discard>,
}

/// What the blocks of a seat hold.
#[derive(Clone, Debug)]
struct Known {
    /// The [keys](meld_key) of the melds.
    melds: List<u128, MAX_MELDS>,
    melded: Counts,
    discarded: Counts,
    riichi: ShownRiichi,
    /// The column of the last discard.
    last: u8,
    discards: u8,
    /// The bonus tiles that everybody sees.
    bonus: u8,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            melds: List::over(HIDDEN),
            melded: Counts::EMPTY,
            discarded: Counts::EMPTY,
            riichi: ShownRiichi::default(),
            last: NO_COLUMN,
            discards: 0,
            bonus: 0,
        }
    }
}

/// What the blocks show of a riichi.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct ShownRiichi {
    declared: bool,
    /// The index of its discard, which comes after the declaration.
    discard: Option<u8>,
}

/// The key of a kong that lies face down.
const HIDDEN: u128 = 0;

/// A meld as a number. Different melds have different keys.
#[inline]
fn meld_key(meld: Option<&Meld>) -> u128 {
    meld.map_or(HIDDEN, Meld::bits)
}

/// Adds to a number of tiles, modulo 256.
#[inline(always)]
fn add_to(columns: &mut Columns, column: u8, more: u8) {
    if let Some(count) = columns.get_mut(usize::from(column)) {
        *count = count.wrapping_add(more);
    }
}

/// Scalars that are being written.
struct Numbers<'a>(&'a mut [f32]);

impl Numbers<'_> {
    /// Writes a value. Does nothing for a scalar that does not exist.
    #[inline(always)]
    fn put(&mut self, place: usize, value: f32) {
        if let Some(place) = self.0.get_mut(place) {
            *place = value;
        }
    }
}

/// Planes that are being written.
struct Grid<'a, T> {
    planes: &'a mut [T],
    columns: &'a [u8; TILES],
}

impl<T: Copy + From<u8>> Grid<'_, T> {
    #[inline(always)]
    fn column(&self, tile: Tile) -> u8 {
        self.columns[usize::from(tile.code())]
    }

    /// Writes a value into a column of the plane that begins at a place. Does nothing for a plane that does not exist.
    #[inline(always)]
    fn put(&mut self, plane: usize, column: u8, value: u8) {
        debug_assert!(column != NO_COLUMN);
        if let Some(place) = self.planes.get_mut(plane + usize::from(column)) {
            *place = T::from(value);
        }
    }

    #[inline(always)]
    fn set(&mut self, plane: usize, tile: Tile) {
        if !tile.is_flower() {
            self.put(plane, self.column(tile), 1);
        }
    }

    /// The column of a kind: that of its plain tile.
    #[inline(always)]
    fn column_of(&self, kind: Kind) -> u8 {
        self.columns[kind.index() + 1]
    }

    #[inline(always)]
    fn kinds(&mut self, plane: usize, kinds: KindSet) {
        for kind in kinds.iter() {
            self.put(plane, self.column_of(kind), 1);
        }
    }

    #[inline(always)]
    fn counts(&mut self, plane: usize, counts: &Counts) {
        for kind in counts.kinds().iter() {
            self.put(plane, self.column_of(kind), counts.get(kind));
        }
    }

    /// Writes a value for each kind into the plane that begins at a place, found from the number of its tiles. Some places
    /// behind the plane are set to `value(0)`, which is 0. It always writes the same number of places, so that the
    /// processor mispredicts nothing.
    #[inline(always)]
    fn spread(&mut self, plane: usize, columns: &Columns, value: impl Fn(u8) -> u8) {
        let places = self.planes.get_mut(plane..).unwrap_or_default();
        match places.first_chunk_mut::<MOST_COLUMNS>() {
            Some(places) => {
                for (place, count) in places.iter_mut().zip(columns) {
                    *place = T::from(value(*count));
                }
            }
            None => {
                for (place, count) in places.iter_mut().zip(columns) {
                    *place = T::from(value(*count));
                }
            }
        }
    }

    /// Sets planes to 0.
    fn clear(&mut self, plane: usize, len: usize) {
        if let Some(planes) = self.planes.get_mut(plane..plane + len) {
            planes.fill(T::from(0));
        }
    }
}

impl<T: Copy + From<u8>> Encoder<T> {
    /// An encoder that remembers nothing.
    pub fn new(observation: &Observation) -> Self {
        let players = observation.plan.players;
        let memory = Memory {
            blocks: vec![T::from(0); players * observation.of_player.len],
            scalars: vec![0.0; players * observation.player_scalars.len],
            points: None,
            gives: None,
            turned: List::over(Kind::EAST),
            seats: Default::default(),
            shown: NO_TILES,
            discards: Vec::with_capacity(observation.plan.tiles.len()),
        };
        let observation = Arc::new(observation.clone());
        Self {
            observation,
            memory,
        }
    }

    /// The encoding that is written.
    pub fn observation(&self) -> &Observation {
        &self.observation
    }

    /// Writes what a seat may know: all planes row by row, and all scalars. Allocates nothing.
    ///
    /// # Errors
    /// [`EncodeError::Length`] if an array has another length than its shape says, [`EncodeError::OtherRules`] for a view
    /// under other rules. Nothing is written then.
    pub fn write(
        &mut self,
        view: &View<'_>,
        planes: &mut [T],
        scalars: &mut [f32],
    ) -> Result<(), EncodeError> {
        let Self {
            observation: shape,
            memory,
        } = self;
        EncodeError::check_len(planes.len(), shape.planes.len() * shape.kinds.len())?;
        EncodeError::check_len(scalars.len(), shape.scalars.len())?;
        let (found, expected) = (view.rules_hash(), shape.plan.content_hash);
        if found != expected {
            return Err(EncodeError::OtherRules { found, expected });
        }
        memory.note_turned(shape, view);
        memory.note_discards(shape, view.discards());
        memory.note_points(shape, view);
        memory.note_players(shape, view);
        let waits = waits(shape, view);
        memory.write_planes(shape, view, waits, planes);
        let (of_table, of_players) = scalars.split_at_mut(shape.of_table);
        memory.write_player_scalars(shape, view, of_players);
        let values = Values {
            view,
            table: Table {
                ready: !waits.is_empty(),
                asked: view.asked_for(),
            },
            places: of_table.iter_mut(),
        };
        each_of_table(&shape.plan, &shape.uses, values);
        Ok(())
    }
}

impl<T: Copy + From<u8>> Memory<T> {
    /// The block of a seat.
    #[inline(always)]
    fn block<'a>(blocks: &'a mut [T], shape: &'a Observation, seat: Seat) -> Grid<'a, T> {
        let start = seat.index() * shape.of_player.len;
        Grid {
            planes: &mut blocks[start..start + shape.of_player.len],
            columns: &shape.columns,
        }
    }

    /// The scalars of a seat.
    #[inline(always)]
    fn scalars<'a>(scalars: &'a mut [f32], shape: &Observation, seat: Seat) -> Numbers<'a> {
        let len = shape.player_scalars.len;
        Numbers(&mut scalars[seat.index() * len..][..len])
    }

    /// Brings the totals and the places up to date.
    fn note_points(&mut self, shape: &Observation, view: &View<'_>) {
        let points = view.all_points();
        if self.points.as_ref() != Some(points) {
            self.points = Some(*points);
            self.write_points(shape, &points.as_slice()[..view.players()]);
        }
    }

    #[inline(never)]
    fn write_points(&mut self, shape: &Observation, all: &[i64]) {
        let places = &shape.player_scalars;
        let per_point = shape.plan.units_per_point() as f32;
        for (seat, &points) in Seat::all(all.len()).zip(all) {
            let higher = all.iter().filter(|&&other| other > points);
            let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
            numbers.put(places.points, points as f32 / per_point);
            numbers.put(places.place, 1.0 + higher.count() as f32);
            numbers.put(places.deals, flag(seat == Seat::EAST));
        }
    }

    /// Brings the planes of discards up to date.
    fn note_discards(&mut self, shape: &Observation, now: &[Discard]) {
        let mut known = self.discards.len();
        if !begins_with(now, &self.discards) {
            match self.discards.split_last() {
                // The last discard was claimed.
                Some((last, before))
                    if begins_with(now, before)
                        && now.get(before.len())
                            == Some(&Discard {
                                claimed: true,
                                ..*last
                            }) =>
                {
                    let seat = last.seat;
                    let mut grid = Self::block(&mut self.blocks, shape, seat);
                    grid.set(shape.of_player.discard_claimed, last.tile);
                    if last.tile.kind().is_some() {
                        add_to(&mut self.shown, grid.column(last.tile), u8::MAX);
                    }
                }
                // Another deal.
                _ => {
                    self.blocks.fill(T::from(0));
                    self.scalars.fill(0.0);
                    (self.points, self.gives) = (None, None);
                    self.seats = Default::default();
                    self.shown = NO_TILES;
                    known = 0;
                }
            }
            self.discards.clear();
            self.discards.extend_from_slice(&now[..known]);
        }
        for discard in &now[known..] {
            self.add_discard(shape, discard);
            self.discards.push(*discard);
        }
    }

    fn add_discard(&mut self, shape: &Observation, discard: &Discard) {
        let (rows, width) = (&shape.of_player, shape.kinds.len());
        let known = &mut self.seats[discard.seat.index()];
        let mut grid = Self::block(&mut self.blocks, shape, discard.seat);
        let Some(kind) = discard.tile.kind() else {
            return;
        };
        let column = grid.column(discard.tile);
        known.discarded.try_add(kind);
        grid.put(rows.discard, column, known.discarded.get(kind));
        known.discards = known.discards.saturating_add(1);
        let mut numbers = Self::scalars(&mut self.scalars, shape, discard.seat);
        numbers.put(shape.player_scalars.discards, known.discards.into());
        numbers.put(shape.player_scalars.last_drawn, flag(discard.drawn));
        if shape.uses.indicators {
            let is_it = |turned: &&Kind| shape.indicated[turned.index()] == kind;
            let bonus = self.turned.iter().filter(is_it).count() as u8;
            known.bonus = known.bonus.saturating_add(bonus);
            numbers.put(shape.player_scalars.bonus_tiles, known.bonus.into());
        }
        let (last, len) = (rows.discard_last, (LAST_DISCARDS - 1) * width);
        grid.planes.copy_within(last..last + len, last + width);
        match known.last {
            NO_COLUMN => {}
            before => grid.put(last, before, 0),
        }
        grid.put(last, column, 1);
        known.last = column;
        if !discard.drawn {
            grid.put(rows.discard_held, column, 1);
        }
        if discard.claimed {
            grid.put(rows.discard_claimed, column, 1);
        } else {
            add_to(&mut self.shown, column, 1);
        }
        if discard.tile.is_red() {
            grid.put(rows.discard_red, column, 1);
        }
    }

    /// Brings the indicators up to date.
    #[inline]
    fn note_turned(&mut self, shape: &Observation, view: &View<'_>) {
        if !shape.uses.indicators {
            return;
        }
        let now = || view.turned().filter_map(Tile::kind).take(MOST_INDICATORS);
        if !now().eq(self.turned.iter().copied()) {
            self.turned.clear();
            self.turned.extend(now());
            Seat::all(view.players()).for_each(|seat| self.write_bonus_tiles(shape, seat));
        }
    }

    /// Brings the melds and the scalars of all players up to date.
    #[inline]
    fn note_players(&mut self, shape: &Observation, view: &View<'_>) {
        let (places, uses) = (&shape.player_scalars, &shape.uses);
        let mut next = Seat::EAST;
        for _ in 0..view.players() {
            let seat = next;
            next = seat.next(view.players());
            let known = &self.seats[seat.index()].melds;
            let melds = view.melds(seat);
            let is_known = |(meld, own): (_, &u128)| meld_key(meld) == *own;
            if melds.len() != known.len() || !melds.zip(&**known).all(is_known) {
                self.write_melds(shape, view, seat);
            }
            let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
            numbers.put(places.concealed, view.concealed_len(seat) as f32);
            if uses.riichi
                && (view.riichi(seat).is_some() || self.seats[seat.index()].riichi.declared)
            {
                self.note_riichi(shape, view, seat);
            }
        }
        let gives = view.claimable().map(|(_, from)| from);
        let before = std::mem::replace(&mut self.gives, gives);
        if before != gives {
            for (seat, value) in before
                .into_iter()
                .map(|seat| (seat, 0.0))
                .chain(gives.map(|seat| (seat, 1.0)))
            {
                Self::scalars(&mut self.scalars, shape, seat).put(places.gives, value);
            }
        }
        if uses.special {
            Seat::all(view.players()).for_each(|seat| self.note_special(shape, view, seat));
        }
    }

    #[inline(never)]
    fn write_melds(&mut self, shape: &Observation, view: &View<'_>, seat: Seat) {
        let (rows, width) = (&shape.of_player, shape.kinds.len());
        let known = &mut self.seats[seat.index()];
        let mut grid = Self::block(&mut self.blocks, shape, seat);
        grid.clear(rows.meld, shape.plan.decomposer.grammar().groups() * width);
        for plane in [rows.meld_claimed, rows.meld_red, rows.meld_joker] {
            grid.clear(plane, width);
        }
        known.melds = List::over(HIDDEN);
        for kind in known.melded.kinds().iter() {
            let gone = known.melded.get(kind).wrapping_neg();
            add_to(&mut self.shown, grid.column_of(kind), gone);
        }
        known.melded = Counts::EMPTY;
        for (place, meld) in view.melds(seat).enumerate() {
            known.melds.push(meld_key(meld));
            let Some(meld) = meld else { continue };
            let mut tiles = Counts::EMPTY;
            for kind in meld.kinds() {
                tiles.try_add(kind);
                known.melded.try_add(kind);
            }
            grid.counts(rows.meld + place * width, &tiles);
            if let Some(tile) = meld.claimed_tile() {
                grid.set(rows.meld_claimed, tile);
            }
            if meld.reds() > 0 {
                let is_five = |kind: &Kind| kind.rank() == Some(Rank::FIVE);
                grid.kinds(rows.meld_red, meld.kinds().filter(is_five).collect());
            }
            if meld.jokers() > 0 {
                let jokers = meld.kinds().zip(meld.group().tiles());
                let stand_for = jokers.filter(|(kind, _)| *kind == Kind::JOKER);
                grid.kinds(rows.meld_joker, stand_for.map(|(_, kind)| kind).collect());
            }
        }
        for kind in known.melded.kinds().iter() {
            add_to(
                &mut self.shown,
                grid.column_of(kind),
                known.melded.get(kind),
            );
        }
        let hidden = known.melds.iter().filter(|&&key| key == HIDDEN);
        let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
        numbers.put(shape.player_scalars.melds, known.melds.len() as f32);
        numbers.put(shape.player_scalars.hidden_kongs, hidden.count() as f32);
        if shape.uses.indicators {
            self.write_bonus_tiles(shape, seat);
        }
    }

    /// Counts the bonus tiles that everybody sees of a player.
    #[inline(never)]
    fn write_bonus_tiles(&mut self, shape: &Observation, seat: Seat) {
        let known = &mut self.seats[seat.index()];
        let of = |kind: Kind| known.melded.get(kind) + known.discarded.get(kind);
        let indicated = self.turned.iter().map(|kind| shape.indicated[kind.index()]);
        known.bonus = indicated.map(of).sum();
        let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
        numbers.put(shape.player_scalars.bonus_tiles, known.bonus.into());
    }

    /// Brings the scalars of a seat up to date that few rulesets have.
    #[inline(never)]
    fn note_special(&mut self, shape: &Observation, view: &View<'_>, seat: Seat) {
        let (places, uses) = (&shape.player_scalars, &shape.uses);
        let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
        if uses.announced {
            let announced = view.announced(seat);
            let is = |what| flag(announced == Some(what));
            numbers.put(places.calling, is(Announcement::Calling));
            numbers.put(places.standing, is(Announcement::Standing));
        }
        if uses.dead {
            numbers.put(places.dead, flag(view.is_dead(seat)));
        }
        if uses.plays_on {
            numbers.put(places.out, flag(view.has_won(seat)));
        }
        if uses.set_aside {
            let kinds = view.aside(seat).kinds().count();
            numbers.put(places.set_aside, kinds as f32);
        }
        if uses.missing {
            let missing = view.missing_suit(seat);
            for (place, suit) in (places.missing..).zip(Suit::ALL) {
                numbers.put(place, flag(missing == Some(suit)));
            }
        }
        if !uses.flowers.is_empty() {
            let laid = view.aside(seat).flowers();
            for (place, flower) in (places.flowers..).zip(uses.flowers.iter()) {
                numbers.put(place, flag(laid.contains(flower)));
            }
        }
    }

    /// Writes the scalars of all players, those of the seat itself first.
    #[inline]
    fn write_player_scalars(&self, shape: &Observation, view: &View<'_>, out: &mut [f32]) {
        let seat = view.seat();
        let places = &shape.player_scalars;
        let (before, from) = self.scalars.split_at(seat.index() * places.len);
        let (own, after) = from.split_at(places.len.min(from.len()));
        // The seat itself gives nothing.
        let (own_first, own_last) = own.split_at(places.gives.min(own.len()));
        let own_last = own_last.get(1..).unwrap_or_default();
        let mut rest = &mut *out;
        for part in [own_first, own_last, after, before] {
            let (out, others) = rest.split_at_mut(part.len());
            out.copy_from_slice(part);
            rest = others;
        }
        // The seat itself sees the bonus tiles in its hand, too.
        if let Some(place) = out.get_mut(places.bonus_tiles - 1) {
            let concealed = view.hand().concealed();
            let held = |kind: &Kind| concealed.get(shape.indicated[kind.index()]);
            *place += f32::from(self.turned.iter().map(held).sum::<u8>());
        }
    }

    /// Brings the scalar of a riichi and the plane of its discard up to date.
    #[inline(never)]
    fn note_riichi(&mut self, shape: &Observation, view: &View<'_>, seat: Seat) {
        let discard = |riichi: u8| {
            let discard = view.discards().get(usize::from(riichi));
            discard.filter(|discard| discard.seat == seat)
        };
        let declared = view.riichi(seat);
        let shown = declared.and_then(|riichi| discard(riichi.discard));
        let riichi = ShownRiichi {
            declared: declared.is_some(),
            discard: declared
                .map(|riichi| riichi.discard)
                .filter(|_| shown.is_some()),
        };
        let known = &mut self.seats[seat.index()];
        if known.riichi == riichi {
            return;
        }
        known.riichi = riichi;
        let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
        numbers.put(shape.player_scalars.riichi, flag(riichi.declared));
        let mut grid = Self::block(&mut self.blocks, shape, seat);
        let plane = shape.of_player.discard_riichi;
        grid.clear(plane, shape.kinds.len());
        if let Some(discard) = shown {
            grid.set(plane, discard.tile);
        }
    }

    /// The numbers of tiles that a seat sees, which holds `held`.
    #[inline]
    fn seen(&self, shape: &Observation, view: &View<'_>, held: &Columns) -> Columns {
        let is_whole = self.turned.len() < MOST_INDICATORS;
        if shape.uses.plays_on || shape.uses.set_aside || !is_whole {
            // Seats show more than melds, discards and indicators.
            return columns_of(&shape.segments, &view.seen());
        }
        let mut seen = self.shown;
        for (seen, held) in seen.iter_mut().zip(held) {
            *seen = seen.wrapping_add(*held);
        }
        for &kind in self.turned.iter() {
            add_to(&mut seen, shape.columns[kind.index() + 1], 1);
        }
        debug_assert_eq!(seen, columns_of(&shape.segments, &view.seen()));
        seen
    }

    fn write_planes(&self, shape: &Observation, view: &View<'_>, waits: KindSet, planes: &mut [T]) {
        let (rows, hand, width) = (&shape.rows, view.hand(), shape.kinds.len());
        let (seat, players) = (view.seat(), view.players());
        let columns = &shape.columns;
        planes[4 * width..rows.players].fill(T::from(0));
        let mut grid = Grid {
            planes: &mut *planes,
            columns,
        };
        // These reach into the planes behind them, so they come first, in order.
        let held = columns_of(&shape.segments, hand.concealed());
        for least in 1..=4 {
            let plane = rows.hand + usize::from(least - 1) * width;
            grid.spread(plane, &held, |count| u8::from(count >= least));
        }
        let seen = self.seen(shape, view, &held);
        grid.spread(rows.seen, &seen, |count| count);
        if hand.has_reds() {
            let reds = Suit::ALL.into_iter().filter(|&suit| hand.reds(suit) > 0);
            reds.for_each(|suit| grid.set(rows.hand_red, Tile::red_five(suit)));
        }
        if let Some(tile) = view.drawn() {
            grid.set(rows.drawn, tile);
        }
        grid.kinds(rows.waits, waits);
        for &kind in view.chosen_for_exchange() {
            grid.set(rows.chosen, kind.into());
        }
        if let Some((tile, _)) = view.claimable() {
            grid.set(rows.claimable, tile);
        }
        for (place, &kind) in self.turned.iter().enumerate() {
            // Indicators of one kind point to one kind, and no others do.
            let alike = self.turned[..=place].iter().filter(|&&other| other == kind);
            let (count, next) = (alike.count() as u8, shape.indicated[kind.index()]);
            grid.put(rows.indicator, grid.column_of(kind), count);
            grid.put(rows.indicated, grid.column_of(next), count);
        }
        if shape.uses.winds {
            grid.set(rows.round_wind, shape.wind(view.round()));
            grid.set(rows.seat_wind, shape.wind(seat.wind()));
        }
        if shape.uses.missing {
            let in_play = shape.plan.tiles.kinds();
            grid.kinds(rows.barred, view.barred_kinds().intersection(in_play));
        }

        let len = shape.of_player.len;
        let (blocks, shown) = planes[rows.players..].split_at_mut(players * len);
        let (before, from) = self.blocks.split_at(seat.index() * len);
        let (first, last) = blocks.split_at_mut(from.len());
        first.copy_from_slice(from);
        last.copy_from_slice(before);
        if shape.uses.plays_on {
            shown.fill(T::from(0));
            for (after, plane) in (1..players).zip(shown.chunks_exact_mut(width)) {
                if let Some(hand) = view.shown_hand(seat.after(after, players)) {
                    let mut grid = Grid {
                        planes: plane,
                        columns,
                    };
                    grid.counts(0, hand.concealed());
                }
            }
        }
    }
}

/// True if a list of discards begins with others. Compares all of them, which is faster than to stop at the first
/// difference: nearly always there is none.
#[inline]
fn begins_with(discards: &[Discard], others: &[Discard]) -> bool {
    let Some(first) = discards.get(..others.len()) else {
        return false;
    };
    let differ = |(one, other): (&Discard, &Discard)| one.bits() ^ other.bits();
    first
        .iter()
        .zip(others)
        .map(differ)
        .fold(0, |all, one| all | one)
        == 0
}

/// The kinds that complete the seat's hand without the tile just drawn.
fn waits(shape: &Observation, view: &View<'_>) -> KindSet {
    let waits = view.cached_waits();
    if waits.is_empty() {
        return waits;
    }
    let mut hand = *view.hand();
    let decomposer = shape.plan.decomposer_of(view.turned().next());
    match view.drawn() {
        Some(tile) if hand.holds(tile) => hand.take(tile),
        None if decomposer.grammar().size(&hand) == decomposer.grammar().hand_tiles() => {}
        _ => return KindSet::EMPTY,
    }
    match shape.checks_waits {
        true => waits.intersection(decomposer.waits_of(&hand)),
        false => waits,
    }
}
