//! [`Encoder`]: writes observations.

use super::EncodeError;
use super::observation::{LAST_DISCARDS, NO_COLUMN, Observation, TILES};
use super::scalars::{Table, Values, each_of_table, flag};
use crate::counts::Counts;
use crate::hand::MAX_MELDS;
use crate::list::List;
use crate::meld::Meld;
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use crate::set::{KindSet, SeatSet};
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
    /// The planes of hands and of seen tiles of each seat, one block after another. All other planes of the seat and the
    /// table are 0 here.
    own: Vec<T>,
    /// The planes of melds and discards of each seat, one block after another.
    blocks: Vec<T>,
    /// The scalars of each seat, one block after another.
    scalars: Vec<f32>,
    /// The totals in `scalars`. `None` if there are none yet.
    points: Option<BySeat<i64>>,
    seats: [Known; MAX_PLAYERS],
    /// The tiles of all melds in `blocks`, and all discards that were not claimed.
    shown: Counts,
    /// The discards in `blocks`.
    discards: Vec<Discard>,
}

/// What the blocks of a seat hold.
#[derive(Clone, Debug)]
struct Known {
    concealed: Counts,
    seen: Counts,
    /// The [keys](meld_key) of the melds.
    melds: List<u64, MAX_MELDS>,
    melded: Counts,
    discarded: Counts,
    riichi: Option<u8>,
    /// The columns of the last discards, the last one first.
    last: [u8; LAST_DISCARDS],
    discards: u8,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            concealed: Counts::EMPTY,
            seen: Counts::EMPTY,
            melds: List::over(HIDDEN),
            melded: Counts::EMPTY,
            discarded: Counts::EMPTY,
            riichi: None,
            last: [NO_COLUMN; LAST_DISCARDS],
            discards: 0,
        }
    }
}

/// The key of a kong that lies face down.
const HIDDEN: u64 = 0;

/// What planes show of a meld, as a number. Different melds have different keys.
#[inline]
fn meld_key(meld: Option<&Meld>) -> u64 {
    let Some(meld) = meld else { return HIDDEN };
    let claimed = meld.claimed.map_or(0, Tile::code);
    let [a, b, c, d] = meld.group.bits().to_le_bytes();
    u64::from_le_bytes([a, b, c, d, claimed, meld.reds, meld.wild, 1])
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
            own: vec![T::from(0); players * observation.rows.players],
            blocks: vec![T::from(0); players * observation.of_player.len],
            scalars: vec![0.0; players * observation.player_scalars.len],
            points: None,
            seats: Default::default(),
            shown: Counts::EMPTY,
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
        memory.note_discards(shape, view.discards());
        memory.note_points(shape, view);
        let mut turned: List<Kind, MOST_INDICATORS> = List::over(Kind::EAST);
        if shape.uses.indicators {
            let kinds = view.turned().filter_map(Tile::kind);
            turned.extend(kinds.take(MOST_INDICATORS));
        }
        let changed = memory.forget_melds(view);
        let mut seat = view.seat();
        for _ in 0..view.players() {
            if changed.contains(seat) {
                memory.write_melds(shape, view, seat);
            }
            memory.note_seat(shape, view, seat, &turned);
            seat = seat.next(view.players());
        }
        let waits = waits(shape, view);
        memory.note_own(shape, view, &turned);
        memory.write_planes(shape, view, waits, &turned, planes);
        let (of_table, of_players) = scalars.split_at_mut(shape.of_table);
        memory.write_player_scalars(shape, view.seat(), of_players);
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
                    if let Some(kind) = last.tile.kind() {
                        self.shown.try_remove(kind);
                    }
                }
                // Another deal.
                _ => {
                    self.own.fill(T::from(0));
                    self.blocks.fill(T::from(0));
                    self.scalars.fill(0.0);
                    self.points = None;
                    self.seats = Default::default();
                    self.shown = Counts::EMPTY;
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
        let mut next = column;
        for (place, last) in known.last.iter_mut().enumerate() {
            let plane = rows.discard_last + place * width;
            if *last != NO_COLUMN {
                grid.put(plane, *last, 0);
            }
            grid.put(plane, next, 1);
            next = std::mem::replace(last, next);
            if next == NO_COLUMN {
                break;
            }
        }
        if !discard.drawn {
            grid.put(rows.discard_held, column, 1);
        }
        if discard.claimed {
            grid.put(rows.discard_claimed, column, 1);
        } else {
            self.shown.try_add(kind);
        }
        if discard.tile.is_red() {
            grid.put(rows.discard_red, column, 1);
        }
    }

    /// Takes the tiles of melds that have changed out of those shown. A tile may have gone from the meld of one seat to that of
    /// another, so all are taken out before any is added. Returns the seats whose planes must be written.
    #[inline]
    fn forget_melds(&mut self, view: &View<'_>) -> SeatSet {
        let mut changed = SeatSet::EMPTY;
        for seat in Seat::all(view.players()) {
            let known = &mut self.seats[seat.index()];
            let melds = view.melds(seat);
            let is_same = melds.len() == known.melds.len()
                && melds
                    .zip(&*known.melds)
                    .all(|(meld, own)| meld_key(meld) == *own);
            if !is_same {
                changed.insert(seat);
                self.shown = self.shown.saturating_minus(&known.melded);
            }
        }
        changed
    }

    /// Brings the planes of a seat's melds up to date.
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
        known.melded = Counts::EMPTY;
        for (place, meld) in view.melds(seat).enumerate() {
            known.melds.push(meld_key(meld));
            let Some(meld) = meld else { continue };
            let mut tiles = Counts::EMPTY;
            for kind in meld.kinds() {
                tiles.try_add(kind);
                known.melded.try_add(kind);
                self.shown.try_add(kind);
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
        let hidden = known.melds.iter().filter(|&&key| key == HIDDEN);
        let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
        numbers.put(shape.player_scalars.melds, known.melds.len() as f32);
        numbers.put(shape.player_scalars.hidden_kongs, hidden.count() as f32);
    }

    /// Brings the scalars of a seat up to date that may change with every decision, and its riichi.
    #[inline]
    fn note_seat(&mut self, shape: &Observation, view: &View<'_>, seat: Seat, turned: &[Kind]) {
        let (places, uses) = (&shape.player_scalars, &shape.uses);
        if uses.riichi {
            self.note_riichi(shape, view, seat);
        }
        let mut numbers = Self::scalars(&mut self.scalars, shape, seat);
        numbers.put(places.concealed, view.concealed_len(seat) as f32);
        let gives = view.claimable().is_some_and(|(_, from)| from == seat);
        numbers.put(places.gives, flag(gives));
        if uses.riichi {
            numbers.put(places.riichi, flag(view.riichi(seat).is_some()));
        }
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
        if uses.indicators {
            // What everybody sees of each player, and what the seat itself holds.
            let (known, mut bonus) = (&self.seats[seat.index()], 0);
            for &kind in turned {
                let kind = shape.indicated[kind.index()];
                bonus += known.melded.get(kind) + known.discarded.get(kind);
                if seat == view.seat() {
                    bonus += view.hand().concealed().get(kind);
                }
            }
            numbers.put(places.bonus_tiles, bonus.into());
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

    /// Writes the scalars of all players, those of a seat first.
    #[inline]
    fn write_player_scalars(&self, shape: &Observation, seat: Seat, out: &mut [f32]) {
        let places = &shape.player_scalars;
        let (before, from) = self.scalars.split_at(seat.index() * places.len);
        let (own, after) = from.split_at(places.len.min(from.len()));
        // The seat itself gives nothing.
        let (own_first, own_last) = own.split_at(places.gives.min(own.len()));
        let own_last = own_last.get(1..).unwrap_or_default();
        let mut rest = out;
        for part in [own_first, own_last, after, before] {
            let (out, others) = rest.split_at_mut(part.len());
            out.copy_from_slice(part);
            rest = others;
        }
    }

    /// Brings the plane of the discard with which a seat declared riichi up to date.
    #[inline]
    fn note_riichi(&mut self, shape: &Observation, view: &View<'_>, seat: Seat) {
        let discard = |riichi: u8| {
            let discard = view.discards().get(usize::from(riichi));
            discard.filter(|discard| discard.seat == seat)
        };
        let riichi = view.riichi(seat).map(|riichi| riichi.discard);
        // The discard comes after the declaration.
        let riichi = riichi.filter(|&riichi| discard(riichi).is_some());
        let known = &mut self.seats[seat.index()];
        if known.riichi == riichi {
            return;
        }
        known.riichi = riichi;
        let mut grid = Self::block(&mut self.blocks, shape, seat);
        let plane = shape.of_player.discard_riichi;
        grid.clear(plane, shape.kinds.len());
        if let Some(discard) = riichi.and_then(discard) {
            grid.set(plane, discard.tile);
        }
    }

    /// Brings the planes of the seat's hand and of the tiles that it sees up to date.
    fn note_own(&mut self, shape: &Observation, view: &View<'_>, turned: &[Kind]) {
        let (rows, width) = (&shape.rows, shape.kinds.len());
        let (seat, concealed) = (view.seat(), *view.hand().concealed());
        let seen = self
            .seen(shape, view, turned)
            .unwrap_or_else(|| view.seen());
        let start = seat.index() * rows.players;
        let mut grid = Grid {
            planes: &mut self.own[start..start + rows.players],
            columns: &shape.columns,
        };
        let known = &mut self.seats[seat.index()];
        concealed.visit_differing(&known.concealed, |kind| {
            let (column, count) = (grid.column_of(kind), concealed.get(kind));
            for least in 1..=4 {
                let plane = rows.hand + usize::from(least - 1) * width;
                grid.put(plane, column, u8::from(count >= least));
            }
        });
        seen.visit_differing(&known.seen, |kind| {
            grid.put(rows.seen, grid.column_of(kind), seen.get(kind));
        });
        (known.concealed, known.seen) = (concealed, seen);
    }

    /// All tiles that a seat sees. `None` where seats show more than melds, discards and indicators.
    fn seen(&self, shape: &Observation, view: &View<'_>, turned: &[Kind]) -> Option<Counts> {
        let is_whole = turned.len() < MOST_INDICATORS;
        if shape.uses.plays_on || shape.uses.set_aside || !is_whole {
            return None;
        }
        let mut seen = self.shown.try_plus(view.hand().concealed())?;
        for &kind in turned {
            seen.try_add(kind);
        }
        Some(seen)
    }

    fn write_planes(
        &self,
        shape: &Observation,
        view: &View<'_>,
        waits: KindSet,
        turned: &[Kind],
        planes: &mut [T],
    ) {
        let (rows, hand, width) = (&shape.rows, view.hand(), shape.kinds.len());
        let (seat, players) = (view.seat(), view.players());
        let (own, others) = planes.split_at_mut(rows.players);
        let start = seat.index() * rows.players;
        own.copy_from_slice(&self.own[start..start + rows.players]);
        let columns = &shape.columns;
        let mut grid = Grid {
            planes: own,
            columns,
        };
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
        for (place, &kind) in turned.iter().enumerate() {
            // Indicators of one kind point to one kind, and no others do.
            let alike = turned[..=place].iter().filter(|&&other| other == kind);
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
        let (blocks, shown) = others.split_at_mut(players * len);
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
