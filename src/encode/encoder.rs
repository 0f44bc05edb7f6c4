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

/// Writes what a seat may know into arrays, as an [`Observation`] describes. The planes are `u8` or `f32`.
///
/// [`write`](Self::write) writes into any arrays, [`update`](Self::update) into those that hold what the encoder wrote
/// last. What they write depends on the view alone.
///
/// ```
/// use paishan::{Match, Rules, encode::{Encoder, Observation}};
/// let rules = Rules::by_id("woo")?;
/// let encoding = Observation::v1(rules.plan());
/// let mut encoder = Encoder::new(&encoding);
/// let mut planes = vec![0.0_f32; encoding.planes().len() * encoding.kinds().len()];
/// let mut scalars = vec![0.0; encoding.scalars().len()];
///
/// let mut deal = Match::new(&rules, 7).start_deal();
/// while let Some(seat) = deal.state().waiting().first() {
///     encoder.update(&deal.state().view(seat), &mut planes, &mut scalars)?;
///     let action = deal.legal(seat).default_action().expect("a legal action");
///     deal.act(seat, action)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoder {
    observation: Arc<Observation>,
    memory: Memory,
}

/// The most indicators that are written.
const MOST_INDICATORS: usize = 16;

/// What was written last.
#[derive(Clone, Debug)]
struct Memory {
    /// The seat that it was written for, whose planes come before those of the other players. `None` if nothing was
    /// written.
    seat: Option<Seat>,
    /// The scalars of each seat, one block after another.
    scalars: Vec<f32>,
    /// The totals in `scalars`. `None` if there are none yet.
    points: Option<BySeat<i64>>,
    /// The seat whose tile may be claimed in `scalars`.
    gives: Option<Seat>,
    /// The indicators that lie face up.
    turned: List<Kind, MOST_INDICATORS>,
    seats: [Known; MAX_PLAYERS],
    /// The numbers of the tiles of all melds, and of all discards that were not claimed, by column.
    shown: Columns,
    /// The discards.
    discards: Vec<Discard>,
}

/// What the planes and scalars of a seat hold.
#[derive(Clone, Debug)]
struct Known {
    /// The [keys](meld_key) of the melds.
    melds: List<u128, MAX_MELDS>,
    melded: Counts,
    discarded: Counts,
    riichi: ShownRiichi,
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
            discards: 0,
            bonus: 0,
        }
    }
}

/// What the planes show of a riichi.
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

impl Encoder {
    /// An encoder that has written nothing.
    pub fn new(observation: &Observation) -> Self {
        let memory = Memory {
            seat: None,
            scalars: vec![0.0; observation.plan.players * observation.player_scalars.len],
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
    pub fn write<T: Copy + From<u8>>(
        &mut self,
        view: &View<'_>,
        planes: &mut [T],
        scalars: &mut [f32],
    ) -> Result<(), EncodeError> {
        self.memory.seat = None;
        self.update(view, planes, scalars)
    }

    /// Like [`write`](Self::write), for planes that hold what this encoder wrote last, or anything before it writes for the
    /// first time. Moves planes that are there and writes only what is new, which is faster: at a table that is played
    /// on, give each encoder arrays of its own. If the planes have been changed, wrong planes are written.
    ///
    /// # Errors
    /// Those of [`write`](Self::write).
    pub fn update<T: Copy + From<u8>>(
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
        let (own, rest) = planes.split_at_mut(shape.rows.players);
        let (blocks, shown) = rest.split_at_mut(view.players() * shape.of_player.len);
        let mut blocks = Blocks {
            planes: blocks,
            shape,
            first: view.seat(),
            players: view.players(),
        };
        memory.turn(&mut blocks);
        memory.note_turned(shape, view);
        memory.note_discards(&mut blocks, view.discards());
        memory.note_points(shape, view);
        memory.note_players(&mut blocks, view);
        let waits = waits(shape, view);
        memory.write_own(shape, view, waits, own);
        if shape.uses.plays_on {
            write_shown(shape, view, shown);
        }
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

/// The planes of all players, one block for each.
struct Blocks<'a, T> {
    planes: &'a mut [T],
    shape: &'a Observation,
    /// The seat whose block comes first. The others follow in turn order.
    first: Seat,
    players: usize,
}

impl<T: Copy + From<u8>> Blocks<'_, T> {
    /// Where the block of a seat starts.
    #[inline(always)]
    fn start(&self, seat: Seat) -> usize {
        let (seat, first) = (seat.index(), self.first.index());
        let after = if seat < first { self.players } else { 0 };
        (seat + after - first) * self.shape.of_player.len
    }

    /// The block of a seat.
    #[inline(always)]
    fn of(&mut self, seat: Seat) -> Grid<'_, T> {
        let start = self.start(seat);
        Grid {
            planes: &mut self.planes[start..][..self.shape.of_player.len],
            columns: &self.shape.columns,
        }
    }

    /// Makes room for new discards of a seat before its last ones.
    #[inline]
    fn shift_last_discards(&mut self, seat: Seat, new: usize) {
        let (last, width) = (self.shape.of_player.discard_last, self.shape.kinds.len());
        let grid = self.of(seat);
        let planes = &mut grid.planes[last..][..LAST_DISCARDS * width];
        let start = new.min(LAST_DISCARDS) * width;
        planes.copy_within(..LAST_DISCARDS * width - start, start);
        planes[..start].fill(T::from(0));
    }
}

impl Memory {
    /// Puts the block of another seat first.
    #[inline]
    fn turn<T: Copy + From<u8>>(&mut self, blocks: &mut Blocks<'_, T>) {
        let seat = blocks.first;
        match self.seat.replace(seat) {
            None => self.forget(blocks),
            Some(before) if before == seat => {}
            Some(before) => {
                blocks.first = before;
                let start = blocks.start(seat);
                blocks.planes.rotate_left(start);
                blocks.first = seat;
            }
        }
    }

    /// Forgets what was written.
    #[inline(never)]
    fn forget<T: Copy + From<u8>>(&mut self, blocks: &mut Blocks<'_, T>) {
        blocks.planes.fill(T::from(0));
        self.scalars.fill(0.0);
        (self.points, self.gives) = (None, None);
        self.seats = Default::default();
        self.shown = NO_TILES;
        self.discards.clear();
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
    #[inline]
    fn note_discards<T: Copy + From<u8>>(&mut self, blocks: &mut Blocks<'_, T>, now: &[Discard]) {
        if !begins_with(now, &self.discards) {
            match self.discards.split_last_mut() {
                // The last discard was claimed.
                Some((last, before))
                    if begins_with(now, before)
                        && now.get(before.len())
                            == Some(&Discard {
                                claimed: true,
                                ..*last
                            }) =>
                {
                    last.claimed = true;
                    let (claimed, last) = (blocks.shape.of_player.discard_claimed, *last);
                    let mut grid = blocks.of(last.seat);
                    grid.set(claimed, last.tile);
                    if last.tile.kind().is_some() {
                        add_to(&mut self.shown, grid.column(last.tile), u8::MAX);
                    }
                }
                // Another deal.
                _ => self.forget(blocks),
            }
        }
        let new = now.get(self.discards.len()..).unwrap_or_default();
        let of_kinds = || new.iter().filter(|discard| !discard.tile.is_flower());
        // How many discards of each seat come later.
        let mut later = BySeat::<usize>::default();
        for discard in of_kinds() {
            later[discard.seat] += 1;
        }
        for (seat, &new) in Seat::all(blocks.players).zip(later.as_slice()) {
            if new > 0 {
                blocks.shift_last_discards(seat, new);
            }
        }
        for discard in of_kinds() {
            later[discard.seat] -= 1;
            self.add_discard(blocks, discard, later[discard.seat]);
        }
        self.discards.extend_from_slice(new);
    }

    fn add_discard<T: Copy + From<u8>>(
        &mut self,
        blocks: &mut Blocks<'_, T>,
        discard: &Discard,
        later: usize,
    ) {
        let shape = blocks.shape;
        let rows = &shape.of_player;
        let known = &mut self.seats[discard.seat.index()];
        let mut grid = blocks.of(discard.seat);
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
        if later < LAST_DISCARDS {
            grid.put(rows.discard_last + later * shape.kinds.len(), column, 1);
        }
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
        let is_known = view.turned().len() == self.turned.len()
            && view
                .turned()
                .zip(&*self.turned)
                .all(|(tile, known)| tile.kind() == Some(*known));
        if !is_known {
            self.turned.clear();
            let kinds = view.turned().filter_map(Tile::kind);
            self.turned.extend(kinds.take(MOST_INDICATORS));
            Seat::all(view.players()).for_each(|seat| self.write_bonus_tiles(shape, seat));
        }
    }

    /// Brings the melds and the scalars of all players up to date.
    #[inline]
    fn note_players<T: Copy + From<u8>>(&mut self, blocks: &mut Blocks<'_, T>, view: &View<'_>) {
        let shape = blocks.shape;
        let uses = &shape.uses;
        for seat in Seat::all(view.players()) {
            let (known, melds) = (&self.seats[seat.index()].melds, view.melds(seat));
            let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
            numbers.put(
                shape.player_scalars.concealed,
                view.concealed_len(seat) as f32,
            );
            let is_known = melds.len() == known.len() && {
                let differ = |(meld, own): (_, &u128)| meld_key(meld) ^ own;
                let all = melds.zip(&**known).map(differ);
                all.fold(0, |all, one| all | one) == 0
            };
            if !is_known {
                self.write_melds(blocks, view, seat);
            }
            if uses.riichi
                && (view.riichi(seat).is_some() || self.seats[seat.index()].riichi.declared)
            {
                self.note_riichi(blocks, view, seat);
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
                Self::scalars(&mut self.scalars, shape, seat)
                    .put(shape.player_scalars.gives, value);
            }
        }
        if uses.special {
            Seat::all(view.players()).for_each(|seat| self.note_special(shape, view, seat));
        }
    }

    #[inline(never)]
    fn write_melds<T: Copy + From<u8>>(
        &mut self,
        blocks: &mut Blocks<'_, T>,
        view: &View<'_>,
        seat: Seat,
    ) {
        let shape = blocks.shape;
        let (rows, width) = (&shape.of_player, shape.kinds.len());
        let known = &mut self.seats[seat.index()];
        let mut grid = blocks.of(seat);
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
        // The seat itself gives nothing.
        let (first, last) = from.split_at(places.gives.min(from.len()));
        let mut rest = &mut *out;
        for part in [first, last.get(1..).unwrap_or_default(), before] {
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
    fn note_riichi<T: Copy + From<u8>>(
        &mut self,
        blocks: &mut Blocks<'_, T>,
        view: &View<'_>,
        seat: Seat,
    ) {
        let shape = blocks.shape;
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
        let mut grid = blocks.of(seat);
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

    /// Writes the planes of the seat and of the table.
    fn write_own<T: Copy + From<u8>>(
        &self,
        shape: &Observation,
        view: &View<'_>,
        waits: KindSet,
        planes: &mut [T],
    ) {
        let (rows, hand, width) = (&shape.rows, view.hand(), shape.kinds.len());
        planes[4 * width..].fill(T::from(0));
        let mut grid = Grid {
            planes,
            columns: &shape.columns,
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
            grid.set(rows.seat_wind, shape.wind(view.seat().wind()));
        }
        if shape.uses.missing {
            let in_play = shape.plan.tiles.kinds();
            grid.kinds(rows.barred, view.barred_kinds().intersection(in_play));
        }
    }
}

/// Writes the hands of winners that are out of play.
#[inline(never)]
fn write_shown<T: Copy + From<u8>>(shape: &Observation, view: &View<'_>, planes: &mut [T]) {
    let (seat, players) = (view.seat(), view.players());
    planes.fill(T::from(0));
    for (after, planes) in (1..players).zip(planes.chunks_exact_mut(shape.kinds.len())) {
        if let Some(hand) = view.shown_hand(seat.after(after, players)) {
            let mut grid = Grid {
                planes,
                columns: &shape.columns,
            };
            grid.counts(0, hand.concealed());
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
