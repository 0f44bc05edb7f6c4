//! [`Grammar`]: the groups and forms of a ruleset.

use super::classical::TableForms;
use super::costs::MOST_GROUPS;
use super::form::{FormError, SpecialForm, shrink};
use super::special::{Beside, Forms, Way};
use crate::counts::{Counts, ONES, at, gather, lane_covers, lowest_place, nibble};
use crate::hand::Hand;
use crate::meld::{Family, Group, Meld};
use crate::set::KindSet;
use crate::tile::{Kind, RANK_DIGITS, Suit};
use smallvec::SmallVec;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// A run: three different ranks that make a group, the same in every suit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    family: Family,
    /// Rising ranks; 0 is the zero tile used as a number.
    ranks: [u8; 3],
    /// A lane with a 1 in the nibble of each rank, without the zero.
    pub(crate) mask: u64,
    /// The run as a group, by suit.
    groups: [Group; 3],
}

impl Shape {
    fn new(family: Family, ranks: [u8; 3]) -> Self {
        let numbers = ranks.into_iter().filter(|&rank| rank > 0);
        let group = |suit: Suit| {
            let kind = |rank: u8| match rank {
                0 => Kind::ZERO,
                _ => Kind::at(suit.lane(), u32::from(rank - 1)),
            };
            Group::run(family, ranks.map(kind))
        };
        Self {
            family,
            ranks,
            mask: numbers.fold(0, |mask, rank| mask | 1 << (4 * (rank - 1))),
            groups: Suit::ALL.map(group),
        }
    }

    /// The family of the run.
    pub fn family(&self) -> Family {
        self.family
    }

    /// The three ranks, rising; 0 is the zero tile used as a number.
    pub fn ranks(&self) -> [u8; 3] {
        self.ranks
    }

    /// True if the lowest rank is a zero.
    #[inline]
    pub fn takes_zero(&self) -> bool {
        self.ranks[0] == 0
    }

    /// The run as a group of a suit.
    #[inline]
    pub fn group(&self, suit: Suit) -> Group {
        self.group_in(suit.lane())
    }

    /// The run as a group of lane 0, 1 or 2.
    #[inline]
    pub(super) fn group_in(&self, lane: usize) -> Group {
        self.groups[lane]
    }

    /// True for three ranks in a row without a zero.
    fn is_consecutive(&self) -> bool {
        let [low, middle, high] = self.ranks;
        low > 0 && middle == low + 1 && high == middle + 1
    }

    /// The place of the lowest rank, the zero left out.
    fn lowest(&self) -> usize {
        usize::from(if self.takes_zero() {
            self.ranks[1]
        } else {
            self.ranks[0]
        }) - 1
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ranks
            .iter()
            .try_for_each(|&rank| write!(f, "{}", RANK_DIGITS[usize::from(rank)] as char))
    }
}

/// The number of a shape in its grammar, 0 to 127.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ShapeId(u8);

/// The places where classical runs begin: the ranks from 1 to 7.
const CLASSICAL_STARTS: u64 = ONES & (at(7, 1) - 1);

impl ShapeId {
    /// The number as an index, 0 to 127.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of shapes of one grammar, one bit per shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ShapeSet(u128);

impl FromIterator<ShapeId> for ShapeSet {
    fn from_iter<T: IntoIterator<Item = ShapeId>>(shapes: T) -> Self {
        let mut set = Self::EMPTY;
        shapes.into_iter().for_each(|id| set.insert(id));
        set
    }
}

impl ShapeSet {
    /// The set without shapes.
    pub const EMPTY: Self = Self(0);

    #[inline]
    pub(crate) const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn bits(self) -> u128 {
        self.0
    }

    /// Adds a shape.
    #[inline]
    pub fn insert(&mut self, id: ShapeId) {
        self.0 |= 1 << id.0;
    }

    /// Removes a shape.
    #[inline]
    pub fn remove(&mut self, id: ShapeId) {
        self.0 &= !(1 << id.0);
    }

    /// The shapes that are in both sets.
    #[inline]
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The shapes that are in this set and not in the other.
    #[inline]
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True if the shape is in the set.
    #[inline]
    pub fn contains(self, id: ShapeId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// True if the set has no shapes.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of shapes.
    #[inline]
    pub fn len(self) -> usize {
        // Most sets are empty, and this test is cheaper than counting.
        if self.0 == 0 {
            return 0;
        }
        self.0.count_ones() as usize
    }

    /// The shapes in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = ShapeId> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            let id = ShapeId(bits.trailing_zeros() as u8);
            bits &= bits - 1;
            Some(id)
        })
    }
}

/// Finds shapes by the places of their numbers, from the lowest up. A `u64` here is a set of places, with a 1
/// in the nibble of each.
#[derive(Clone, Debug)]
struct Runs {
    /// By the lower place: the higher places that make a shape with it and a zero.
    with_zero: [u64; 16],
    /// By the lowest place: the middle places.
    seconds: [u64; 16],
    /// By the lowest and the middle place: the highest places.
    thirds: [[u64; 16]; 16],
    /// By the lowest, middle and highest place: the first shape with these numbers. Row 16 has the shapes
    /// with a zero, by their two places.
    first: [[[u8; 16]; 16]; 17],
    /// True if shapes of different families have the same ranks.
    are_alike: bool,
    partners: Partners,
}

/// The numbers that make a run with a number or a zero and one more tile. A `u16` here is a set of places,
/// one bit each.
#[derive(Clone, Debug)]
struct Partners {
    /// By one place: the third places of its runs with any place of a set.
    of_two: [Unions; 16],
    /// By one place: the places that make a run with it and a zero.
    of_zero: [u16; 16],
    /// The places that make a run with a zero and some place of a set.
    of_zeros: Unions,
}

impl Partners {
    /// `of_two` has the third places of the runs with two given places.
    fn new(of_two: &[[u16; 16]; 16], of_zero: [u16; 16]) -> Self {
        Self {
            of_two: of_two.each_ref().map(Unions::of),
            of_zero,
            of_zeros: Unions::of(&of_zero),
        }
    }

    /// True if a number makes a run with two of these places or, given a zero, with one of them and the zero.
    #[inline]
    fn meet(&self, place: usize, among: u16, zero: bool) -> bool {
        let of_zero = self.of_zero[place % 16] * u16::from(zero);
        (self.of_two[place % 16].all(among) | of_zero) & among != 0
    }

    /// True if a zero makes a run with two of these places.
    #[inline]
    fn meet_zero(&self, among: u16) -> bool {
        self.of_zeros.all(among) & among != 0
    }
}

/// The unions of the partners of sets of places, by the lower and the upper byte of a set.
#[derive(Clone, Debug)]
struct Unions([[u16; 256]; 2]);

impl Unions {
    fn of(partners: &[u16; 16]) -> Self {
        let mut unions = [[0; 256]; 2];
        for (unions, partners) in unions.iter_mut().zip(partners.chunks_exact(8)) {
            for set in 1..256_usize {
                // One place fewer.
                let first = set.trailing_zeros() as usize;
                unions[set] = unions[set & (set - 1)] | partners[first];
            }
        }
        Self(unions)
    }

    /// The union of the partners of all places in a set.
    #[inline]
    fn all(&self, set: u16) -> u16 {
        let [low, high] = set.to_le_bytes().map(usize::from);
        self.0[0][low] | self.0[1][high]
    }
}

impl Runs {
    fn of(shapes: &[Shape]) -> Self {
        let (mut of_two, mut of_zero) = ([[0; 16]; 16], [0; 16]);
        let mut runs = Self {
            with_zero: [0; 16],
            seconds: [0; 16],
            thirds: [[0; 16]; 16],
            first: [[[0; 16]; 16]; 17],
            are_alike: shapes.windows(2).any(|pair| pair[0].ranks == pair[1].ranks),
            partners: Partners::new(&of_two, of_zero),
        };
        // In reverse, so that the first of several shapes with the same ranks is kept.
        for (number, shape) in shapes.iter().enumerate().rev() {
            let [low, middle, high] = shape.ranks.map(|rank| usize::from(rank).wrapping_sub(1));
            let one = |place: usize| at(place as u32, 1);
            if shape.takes_zero() {
                for (a, b) in [(middle, high), (high, middle)] {
                    of_zero[a] |= 1 << b;
                }
                runs.with_zero[middle] |= one(high);
                runs.first[16][middle][high] = number as u8;
            } else {
                let places = [low, middle, high];
                for (a, b) in (0..9).map(|n| (n / 3, n % 3)).filter(|(a, b)| a != b) {
                    of_two[places[a]][places[b]] |= 1 << places[3 - a - b];
                }
                runs.seconds[low] |= one(middle);
                runs.thirds[low][middle] |= one(high);
                runs.first[low][middle][high] = number as u8;
            }
        }
        runs.partners = Partners::new(&of_two, of_zero);
        runs
    }
}

/// The groups and forms of a ruleset.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The identity of this grammar. A clone has the same.
    pub(super) id: GrammarId,
    pub(crate) groups: usize,
    pub(crate) shapes: Vec<Shape>,
    /// The shapes by the places of their numbers.
    runs: Box<Runs>,
    pub(crate) has_pung: bool,
    pub(crate) has_kong: bool,
    /// The families of more tiles alike that can be declared, a bit each in the order of [`Family::LARGER`].
    larger: u8,
    pub(crate) uses_zero: bool,
    /// Groups and a pair are a complete hand. Otherwise special forms alone are.
    pub(crate) standard: bool,
    /// A declared kong takes four tiles of the hand, and a larger group all of its tiles:
    /// [`SpecialForm::declared_kongs`].
    pub(crate) whole_kongs: bool,
    /// The shapes that take a zero.
    pub(crate) zero_shapes: ShapeSet,
    /// By place: the shapes that have this number.
    pub(crate) shapes_with: [ShapeSet; 16],
    pub(crate) forms: Vec<SpecialForm>,
    pub(crate) copies: Counts,
    /// The concrete hands of all forms but those of `of_wild`.
    pub(super) special: Forms,
    /// The concrete hands that need wild tiles.
    of_wild: Vec<Way>,
    /// Those that the classical tables do not know, in a grammar that uses these tables.
    pub(super) beside: Forms,
    /// Kinds that are in no run, as full nibbles of lanes. Empty if the grammar has no pungs.
    pub(super) alone: [u64; 4],
    /// The same for hands without a zero, so runs that take one do not count.
    pub(super) alone_without_zero: [u64; 4],
    /// `alone` and `alone_without_zero` as sets of kinds.
    pub(super) alone_kinds: [KindSet; 2],
    /// The forms of a classical grammar; `None` for any other grammar. A grammar is classical if it has nine
    /// ranks a suit, seven honours and four copies of each kind. A hand is four groups and a pair. The groups
    /// are pungs and runs of three ranks in a row. The tables know seven pairs and thirteen orphans. Other
    /// forms are evaluated beside them.
    pub(super) tables: Option<TableForms>,
    /// The forms of a grammar whose hands are hands of the classical grammar, so that its tables give lower bounds.
    pub(super) bounds: Option<TableForms>,
    /// At least 3 × groups + 2 kinds have three copies. So a pung or a pair of unused tiles is always
    /// available, and the search need not try groups without any held tile.
    pub(crate) roomy: bool,
    /// The set has four copies of each of its kinds.
    pub(super) has_four_of_each: bool,
}

/// Four copies of the ranks 1 to 9 of each suit, of each wind and of each dragon.
fn classical_copies() -> Counts {
    let numbers = (0..3).flat_map(|lane| (0..9).map(move |place| Kind::at(lane, place)));
    let winds = [Kind::EAST, Kind::SOUTH, Kind::WEST, Kind::NORTH];
    let mut copies = Counts::EMPTY;
    for kind in numbers
        .chain(winds)
        .chain([Kind::RED, Kind::GREEN, Kind::WHITE])
    {
        copies.set(kind, 4);
    }
    copies
}

/// The number of tiles of melds beyond three of each.
fn beyond_three(melds: &[Meld]) -> usize {
    let more = |meld: &Meld| meld.group.len().saturating_sub(3);
    melds.iter().map(more).sum()
}

/// Identifies a grammar within the process. The number is arbitrary, so `Debug` hides it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct GrammarId(u64);

impl GrammarId {
    /// A number that no grammar has.
    pub(super) const NONE: Self = Self(0);

    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl fmt::Debug for GrammarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GrammarId")
    }
}

/// Why a [`Grammar`] cannot be built.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrammarError {
    /// There are more than 128 shapes.
    #[error("{0} shapes of runs, at most 128 are possible")]
    TooManyShapes(usize),
    /// A run does not have three rising ranks from 0 to 16.
    #[error("`{0:?}` is no run of three different ranks from 0 to 16")]
    NoRun([u8; 3]),
    /// The number of groups is not 1 to 5.
    #[error("{0} groups beside the pair, 1 to 5 are possible")]
    Groups(usize),
    /// A form is invalid.
    #[error(transparent)]
    Form(#[from] FormError),
}

impl Grammar {
    /// Builds the grammar of a hand of `groups` groups and a pair, over a set with these `copies`. `runs` are
    /// families with their rising ranks; rank 0 is the zero tile as a number. Runs that the set cannot make
    /// are dropped.
    ///
    /// # Errors
    /// [`GrammarError`] if there are too many runs or groups, or if a run, the forms or a list is invalid.
    pub fn new(
        copies: Counts,
        groups: usize,
        runs: &[(Family, [u8; 3])],
        has_pung: bool,
        has_kong: bool,
        forms: Vec<SpecialForm>,
    ) -> Result<Self, GrammarError> {
        if !(1..=MOST_GROUPS).contains(&groups) {
            return Err(GrammarError::Groups(groups));
        }
        let whole = 3 * groups + 2;
        let mut ways = Vec::new();
        for (number, form) in (1..=u8::MAX).zip(&forms) {
            ways.extend(form.expand(number, &copies, whole)?);
        }
        shrink(&mut ways)?;
        let mut shapes = Vec::new();
        for &(family, ranks) in runs {
            if !(ranks[0] < ranks[1] && ranks[1] < ranks[2] && ranks[2] <= 16) {
                return Err(GrammarError::NoRun(ranks));
            }
            let shape = Shape::new(family, ranks);
            let zero_in_play = ranks[0] > 0 || copies.get(Kind::ZERO) > 0;
            let suits = (0..3).filter(|&lane| lane_covers(copies.lane(lane), shape.mask));
            if zero_in_play && suits.count() > 0 {
                shapes.push(shape);
            }
        }
        shapes.sort_by_key(|shape| (shape.lowest(), shape.ranks, shape.family));
        shapes.dedup();
        if shapes.len() > 128 {
            return Err(GrammarError::TooManyShapes(shapes.len()));
        }
        let those = |wanted: &dyn Fn(&Shape) -> bool| -> ShapeSet {
            let numbered = shapes.iter().enumerate();
            let those = numbered.filter(|(_, shape)| wanted(shape));
            those.map(|(i, _)| ShapeId(i as u8)).collect()
        };
        let zero_shapes = those(&Shape::takes_zero);
        let shapes_with =
            std::array::from_fn(|place| those(&|shape| nibble(shape.mask, place as u32) == 1));
        let [alone, alone_without_zero] = [true, false].map(|zeros| -> [u64; 4] {
            let mut alone = [u64::MAX; 4];
            for shape in shapes.iter().filter(|shape| zeros || !shape.takes_zero()) {
                for (lane, alone) in alone[..3].iter_mut().enumerate() {
                    if lane_covers(copies.lane(lane), shape.mask) {
                        *alone &= !(15 * shape.mask);
                    }
                }
                if shape.takes_zero() {
                    alone[3] &= !at(Kind::ZERO.place(), 15);
                }
            }
            if has_pung { alone } else { [0; 4] }
        });
        let is_classical = groups == 4
            && has_pung
            && copies == classical_copies()
            && shapes.len() == 7
            && shapes.iter().all(|shape| shape.is_consecutive());
        // With fewer kinds and runs no hand is nearer to completion.
        let within_classical = groups == 4
            && has_pung
            && copies.is_within(&classical_copies())
            && (0..4).all(|lane| copies.lane(lane) & !(4 * ONES) == 0)
            && shapes.iter().all(Shape::is_consecutive);
        let grammar = Self {
            tables: is_classical.then(TableForms::default),
            bounds: within_classical.then(TableForms::default),
            special: Forms::default(),
            of_wild: Vec::new(),
            beside: Forms::default(),
            id: GrammarId::next(),
            groups,
            runs: Box::new(Runs::of(&shapes)),
            has_pung,
            has_kong,
            larger: 0,
            uses_zero: !zero_shapes.is_empty(),
            standard: true,
            whole_kongs: forms.iter().any(|form| form.declared_kongs),
            zero_shapes,
            shapes_with,
            shapes,
            forms,
            copies,
            alone,
            alone_without_zero,
            alone_kinds: [alone, alone_without_zero].map(|lanes| {
                let is_alone = |kind: &Kind| nibble(lanes[kind.lane()], kind.place()) != 0;
                Kind::all().filter(is_alone).collect()
            }),
            has_four_of_each: (0..4).all(|lane| copies.lane(lane) & !(4 * ONES) == 0),
            roomy: has_pung && copies.at_least(3).len() >= 3 * groups + 2,
        };
        Ok(grammar.with_ways(ways))
    }

    /// The same grammar, in which groups and a pair are no complete hand: special forms alone are. Groups may still be
    /// declared.
    #[must_use]
    pub fn only_forms(mut self) -> Self {
        self.standard = false;
        (self.tables, self.bounds) = (None, None);
        self.beside = Forms::default();
        self
    }

    /// The same grammar in which groups of these families of more than four tiles alike can be declared.
    #[must_use]
    pub(crate) fn with_larger(mut self, families: impl IntoIterator<Item = Family>) -> Self {
        self.larger = families.into_iter().fold(0, |all, family| {
            let place = Family::LARGER.iter().position(|own| *own == family);
            all | place.map_or(0, |place| 1 << place)
        });
        self
    }

    /// The families of more than four tiles alike that can be declared.
    #[inline]
    pub(crate) fn larger(&self) -> impl Iterator<Item = Family> + use<> {
        let larger = self.larger;
        let numbered = Family::LARGER.into_iter().enumerate();
        numbered.filter_map(move |(place, family)| (larger >> place & 1 == 1).then_some(family))
    }

    /// True if groups of this family can be declared.
    pub fn has(&self, family: Family) -> bool {
        match family {
            Family::Pair => false,
            Family::Pung => self.has_pung,
            Family::Kong => self.has_kong,
            Family::Quint | Family::Sextet => self.larger().any(|own| own == family),
            run => self.shapes.iter().any(|shape| shape.family == run),
        }
    }

    /// The number of tiles that count for the size of a hand: the concealed ones, and three for each meld, or all of its
    /// tiles where [kongs take four](SpecialForm::declared_kongs).
    #[inline]
    pub(crate) fn size(&self, hand: &Hand) -> usize {
        match self.whole_kongs {
            true => hand.size() + beyond_three(hand.melds()),
            false => hand.size(),
        }
    }

    /// The number of tiles that melds take of a hand.
    pub(crate) fn tiles_of_melds(&self, melds: &[Meld]) -> usize {
        let more = match self.whole_kongs {
            true => beyond_three(melds),
            false => 0,
        };
        3 * melds.len() + more
    }

    /// The same grammar with these concrete hands of forms.
    fn with_ways(mut self, ways: Vec<Way>) -> Self {
        let (ways, of_wild): (Vec<Way>, Vec<Way>) =
            ways.into_iter().partition(|way| way.wilds == 0);
        let (forms, others) = TableForms::split(&ways, &self.copies);
        let others = if self.bounds.is_some() {
            others
        } else {
            Vec::new()
        };
        let (special, beside) = (self.forms_of(ways, false), self.forms_of(others, true));
        self.tables = self.tables.map(|_| forms);
        self.bounds = self.bounds.map(|_| forms);
        (self.special, self.beside, self.of_wild) = (special, beside, of_wild);
        self
    }

    /// These concrete hands, with tables that answer for groups and a pair or without.
    fn forms_of(&self, ways: Vec<Way>, has_tables: bool) -> Forms {
        let in_suits = |shape: &Shape| Suit::ALL.map(|suit| shape.group(suit));
        let runs: Vec<Group> = self.shapes.iter().flat_map(in_suits).collect();
        let beside = Beside {
            copies: &self.copies,
            whole: 3 * self.groups + 2,
            has_pung: self.has_pung,
            runs: &runs,
            has_tables,
        };
        Forms::new(ways, &beside)
    }

    /// The same grammar without the concrete hands that need or limit wild tiles, and these hands. `None` if there are none.
    pub(super) fn without_limits(&self) -> Option<(Self, Forms)> {
        let (mut free, mut limited) = self.special.by_limits();
        limited.extend(self.of_wild.iter().cloned());
        if !self.standard {
            // Substituting kinds for wild tiles one by one would take too long for many wild tiles. Concrete hands say
            // what wild tiles stand for.
            limited.append(&mut free);
        }
        if limited.is_empty() {
            return None;
        }
        let limited = self.forms_of(limited, false);
        Some((self.clone().with_ways(free), limited))
    }

    /// The same grammar over the same set without these kinds. `None` if the set has none of them.
    pub(super) fn without(&self, kinds: KindSet) -> Option<Self> {
        let mut copies = self.copies;
        for kind in kinds.intersection(copies.kinds()).iter() {
            copies.set(kind, 0);
        }
        (copies != self.copies).then(|| self.over(copies)).flatten()
    }

    /// The same grammar for lanes in which groups may run out.
    pub(super) fn cramped(&self) -> Self {
        Self {
            id: GrammarId::next(),
            roomy: false,
            ..self.clone()
        }
    }

    /// The same grammar over a set with seven copies of each kind, the most that a hand with four wild tiles can use.
    /// Zeros that are numbers in runs keep their copies. Always `Some`: the larger set can make all forms and runs.
    pub(super) fn beyond_copies(&self) -> Option<Self> {
        let mut copies = self.copies.filled();
        if self.uses_zero {
            copies.set(Kind::ZERO, self.copies.get(Kind::ZERO));
        }
        self.over(copies)
    }

    /// The same grammar over another set.
    fn over(&self, copies: Counts) -> Option<Self> {
        self.with(copies, self.forms.clone())
    }

    /// The same grammar with these special forms. `None` if it has the same ones, or if no hand would be complete.
    pub(super) fn with_forms(&self, forms: Vec<SpecialForm>) -> Option<Self> {
        if forms == self.forms || (forms.is_empty() && !self.standard) {
            return None;
        }
        // What is remembered of lanes does not depend on forms.
        Some(Self {
            id: self.id,
            ..self.with(self.copies, forms)?
        })
    }

    /// The same groups over a set, with these special forms.
    fn with(&self, copies: Counts, forms: Vec<SpecialForm>) -> Option<Self> {
        let shapes = self.shapes.iter();
        let runs: Vec<_> = shapes.map(|shape| (shape.family, shape.ranks)).collect();
        let (pung, kong) = (self.has_pung, self.has_kong);
        let grammar = Self::new(copies, self.groups, &runs, pung, kong, forms);
        let grammar = grammar.ok()?.with_larger(self.larger());
        Some(match self.standard {
            true => grammar,
            false => grammar.only_forms(),
        })
    }

    /// The groups of a standard hand, without the pair.
    #[inline]
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// True if the classical tables answer questions about hands.
    #[inline]
    pub(crate) const fn is_classical(&self) -> bool {
        self.tables.is_some()
    }

    /// The tiles of a hand before it draws, a declared group counted as three: 13 for four groups.
    #[inline]
    pub fn hand_tiles(&self) -> usize {
        3 * self.groups + 1
    }

    /// The copies of each kind in the set.
    pub fn copies(&self) -> &Counts {
        &self.copies
    }

    /// The runs with their numbers.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = (ShapeId, &Shape)> {
        self.shapes
            .iter()
            .enumerate()
            .map(|(i, shape)| (ShapeId(i as u8), shape))
    }

    /// A run by its number. `None` for a number of another grammar, if this one has no such run.
    pub fn shape(&self, id: ShapeId) -> Option<&Shape> {
        self.shapes.get(usize::from(id.0))
    }

    /// A run by one of this grammar's own numbers.
    #[inline]
    pub(crate) fn own_shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[usize::from(id.0)]
    }

    /// Visits the runs whose lowest number is at `place` and whose other numbers are `held`, in the order of
    /// their numbers. `held` is a lane of ones. With `zero`, it also visits runs of two such numbers and a
    /// zero.
    // A visitor instead of an iterator: nested iterators take twice as long.
    #[inline]
    pub(super) fn runs_from(
        &self,
        place: u32,
        held: u64,
        zero: bool,
        mut visit: impl FnMut(usize, &Shape) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let low = place as usize % 16;
        let runs = &*self.runs;
        let mut middles = runs.seconds[low] & held;
        let mut highs = if zero { runs.with_zero[low] & held } else { 0 };
        let mut first = &runs.first[16][low];
        loop {
            while highs == 0 {
                if middles == 0 {
                    return ControlFlow::Continue(());
                }
                let middle = lowest_place(middles) as usize;
                middles &= middles - 1;
                highs = runs.thirds[low][middle] & held;
                first = &runs.first[low][middle];
            }
            let mut number = usize::from(first[lowest_place(highs) as usize]);
            highs &= highs - 1;
            let ranks = self.shapes[number].ranks;
            loop {
                visit(number, &self.shapes[number])?;
                number += 1;
                let is_alike = |shape: &Shape| shape.ranks == ranks;
                if !runs.are_alike || !self.shapes.get(number).is_some_and(is_alike) {
                    break;
                }
            }
        }
    }

    /// The runs that a lane holds completely. Runs with a zero are included if `zero`.
    #[inline]
    pub(crate) fn runs_within(&self, lane: u64, zero: bool) -> ShapeSet {
        if self.tables.is_some() {
            // Classical runs are three ranks in a row, numbered by the lowest.
            let held = lane | lane >> 1 | lane >> 2;
            let first = gather(held & held >> 4 & held >> 8 & CLASSICAL_STARTS);
            return ShapeSet(u128::from(first));
        }
        // The shapes with at least one, two or three numbers held.
        let (mut one, mut two, mut three) = (0, 0, 0);
        let mut left = lane;
        while left != 0 {
            let place = lowest_place(left);
            left &= !at(place, 15);
            let with = self.shapes_with[place as usize].0;
            three |= two & with;
            two |= one & with;
            one |= with;
        }
        let with_zero = if zero { two & self.zero_shapes.0 } else { 0 };
        ShapeSet(three | with_zero)
    }

    /// The runs that a suit with these copies can make, with a zero or without.
    pub(super) fn runs_of(&self, copies: u64) -> ShapeSet {
        let fits = self
            .shapes()
            .filter(|(_, shape)| lane_covers(copies, shape.mask));
        fits.map(|(id, _)| id).collect()
    }

    /// True if some run contains a place and one of `others`, which are ones in the nibbles of their places.
    pub(super) fn runs_meet(&self, place: u32, others: u64) -> bool {
        let with = self.shapes_with[place as usize];
        let mut left = others;
        while left != 0 {
            let other = lowest_place(left);
            left &= left - 1;
            if !with
                .intersection(self.shapes_with[other as usize])
                .is_empty()
            {
                return true;
            }
        }
        false
    }

    /// True if a lane has the other two tiles of each of `times` runs through a place. `times` is one or two, and a run
    /// may be counted twice. Zeros are not in the lane.
    #[inline]
    pub(super) fn has_runs_but_one(&self, place: u32, lane: u64, zeros: u8, times: usize) -> bool {
        let with = self.shapes_with[place as usize].0;
        let mut one = if zeros > 0 {
            with & self.zero_shapes.0
        } else {
            0
        };
        let mut two = 0;
        let mut left = lane;
        while left != 0 {
            let other = lowest_place(left);
            left &= !at(other, 15);
            let with_both = with & self.shapes_with[other as usize].0;
            two |= one & with_both;
            one |= with_both;
        }
        if times < 2 || two == 0 {
            return two != 0;
        }
        let need = |shape: ShapeId| {
            let shape = self.own_shape(shape);
            (shape.mask & !at(place, 15), u8::from(shape.takes_zero()))
        };
        let runs: SmallVec<[(u64, u8); 16]> = ShapeSet(two).iter().map(need).collect();
        runs.iter().enumerate().any(|(i, (some, zero))| {
            let mut others = runs[i..].iter();
            others.any(|(more, other)| zero + other <= zeros && lane_covers(lane, some + more))
        })
    }

    /// False if the lowest tile of a lane fits nowhere: it is the only one of its kind, and no run starts with it.
    /// Runs with a zero are included if `zero`.
    #[inline]
    pub(super) fn may_begin(&self, lane: u64, zero: bool) -> bool {
        let low = lowest_place(lane);
        if lane == 0 || nibble(lane, low) > 1 {
            return true;
        }
        let held = (lane | lane >> 1 | lane >> 2) & ONES;
        let any = self.runs_from(low, held, zero, |_, _| ControlFlow::Break(()));
        any.is_break()
    }

    /// False if these kinds certainly hold no run. Only the classical grammar has this quick test; for others
    /// it is always true.
    #[inline]
    pub(crate) fn may_hold_run(&self, held: KindSet) -> bool {
        // A run cannot span two suits: the places after the ninth rank are empty.
        let suits = held.bits() & 0xffff_ffff_ffff;
        self.tables.is_none() || suits & suits >> 1 & suits >> 2 != 0
    }

    /// True if the kind makes a run with two of the held kinds.
    #[inline]
    pub(crate) fn makes_run(&self, held: KindSet, kind: Kind) -> bool {
        let bits = held.bits();
        if self.tables.is_some() {
            // Two of the four nearest places: both below, one on each side, or both above. No run spans two
            // suits, because the places after the ninth rank are empty.
            let near = bits << 2 >> kind.index() & 0b11011;
            return (kind.lane() < 3) & (near & (near >> 1 | near >> 2) != 0);
        }
        self.makes_listed_run(held, kind)
    }

    /// [`Self::makes_run`] for a grammar with a list of runs.
    #[inline(never)]
    fn makes_listed_run(&self, held: KindSet, kind: Kind) -> bool {
        let bits = held.bits();
        let zero = self.uses_zero & held.contains(Kind::ZERO);
        let in_lane = |lane: usize| (bits >> (16 * lane)) as u16;
        let partners = &self.runs.partners;
        // Computed for honours, too: a test for one would be a branch that the processor mispredicts.
        let (lane, place) = (kind.lane(), kind.place() as usize);
        let number = (lane < 3) & partners.meet(place, in_lane(lane), zero);
        number | (kind == Kind::ZERO && (0..3).any(|lane| partners.meet_zero(in_lane(lane))))
    }

    /// True if three of a kind are a group.
    pub fn has_pung(&self) -> bool {
        self.has_pung
    }

    /// True if four of a kind can be declared.
    pub fn has_kong(&self) -> bool {
        self.has_kong
    }

    /// The special forms.
    pub fn forms(&self) -> &[SpecialForm] {
        &self.forms
    }

    /// The meld that these tiles make, in any order. A zero is an honour beside other zeros, and a
    /// number in a run. `None` if the grammar has no such meld.
    pub fn meld_of(&self, kinds: &[Kind]) -> Option<Group> {
        let first = kinds.first()?;
        if kinds.iter().all(|kind| kind == first) {
            return Group::of(kinds).filter(|group| self.has(group.family()));
        }
        if kinds.len() != 3 {
            return None;
        }
        let suit = kinds.iter().find_map(|kind| kind.suit())?;
        let mut ranks = [0; 3];
        for (rank, kind) in ranks.iter_mut().zip(kinds) {
            *rank = match (kind.suit(), kind.rank()) {
                (Some(of), Some(number)) if of == suit => number.get(),
                (None, None) if *kind == Kind::ZERO => 0,
                _ => return None,
            };
        }
        ranks.sort_unstable();
        let shape = self.shapes.iter().find(|shape| shape.ranks == ranks)?;
        Some(shape.group(suit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;

    #[test]
    fn runs_within_a_lane_are_those_that_it_covers() {
        let mut stream = crate::random::Stream::new(3, 3);
        for id in ["uzje", "woo", "riichi-mcgill"] {
            let rules = Rules::by_id(id).unwrap();
            let grammar = rules.plan().decomposer.grammar();
            let ranks = if id == "uzje" { 16 } else { 9 };
            for _ in 0..2000 {
                let held = (0..ranks).filter(|_| stream.below(3) == 0);
                let lane: u64 = held.map(|place| at(place, 1)).sum();
                let lane = lane * u64::from(1 + stream.below(4));
                for zero in [false, true] {
                    let covered = |shape: &Shape| {
                        lane_covers(lane, shape.mask) && (zero || !shape.takes_zero())
                    };
                    let mut runs = ShapeSet::EMPTY;
                    for (id, _) in grammar.shapes().filter(|(_, shape)| covered(shape)) {
                        runs.insert(id);
                    }
                    assert_eq!(grammar.runs_within(lane, zero), runs, "{lane:x}");
                    let held = (lane | lane >> 1 | lane >> 2) & ONES;
                    let mut listed = Vec::new();
                    for place in (0..16).filter(|place| nibble(held, *place) == 1) {
                        let _ = grammar.runs_from(place, held, zero, |number, shape| {
                            assert_eq!(&grammar.shapes[number], shape);
                            listed.push(number);
                            ControlFlow::Continue(())
                        });
                    }
                    let numbers: Vec<usize> = runs.iter().map(|id| id.index()).collect();
                    assert_eq!(listed, numbers, "{lane:x}");
                }
            }
        }
    }

    /// `makes_run` is exact. `may_hold_run` is never false for kinds that hold a run.
    #[test]
    fn runs_are_ruled_out_where_there_are_none() {
        let mut stream = crate::random::Stream::new(4, 4);
        for id in ["uzje", "woo", "riichi-mcgill"] {
            let rules = Rules::by_id(id).unwrap();
            let grammar = rules.plan().decomposer.grammar();
            let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
            let of_suit = |suit| grammar.shapes().map(move |(_, shape)| shape.group(suit));
            let groups: Vec<Group> = Suit::ALL.into_iter().flat_map(of_suit).collect();
            let mut there = 0;
            for _ in 0..300 {
                let share = 2 + stream.below(8);
                let held = kinds.iter().filter(|_| stream.below(share) == 0);
                let held: KindSet = held.copied().collect();
                let is_held = |group: &Group| group.tiles().all(|kind| held.contains(kind));
                let has_run = groups.iter().any(is_held);
                assert!(!has_run || grammar.may_hold_run(held), "{id} {held:?}");
                for &kind in &kinds {
                    let completes = |group: &&Group| {
                        let mut others = group.tiles().filter(|&other| other != kind);
                        group.tiles().any(|own| own == kind) && others.all(|own| held.contains(own))
                    };
                    let may = grammar.makes_run(held, kind);
                    let does = groups.iter().find(completes).is_some();
                    assert_eq!(may, does, "{id} {held:?} {kind}");
                    there += u32::from(does);
                }
            }
            assert!(there > 500, "{there}");
        }
    }

    /// As many runs as possible start with one rank.
    #[test]
    fn many_runs_may_have_the_same_lowest_number() {
        let runs = (2..=16u8).flat_map(|b| (b + 1..=16).map(move |c| (Family::Gem, [1, b, c])));
        let runs: Vec<(Family, [u8; 3])> = runs.collect();
        assert_eq!(runs.len(), 105);
        let mut copies = Counts::EMPTY;
        for kind in Kind::all().filter(|kind| kind.lane() < 3) {
            copies.set(kind, 4);
        }
        let grammar = Grammar::new(copies, 4, &runs, true, true, vec![]).unwrap();
        let decomposer = crate::decompose::Decomposer::new(grammar.clone());
        for (_, shape) in grammar.shapes() {
            let mut tiles = shape.group(Suit::Circles).counts();
            tiles.set(Kind::at(1, 3), 2);
            let holding = crate::decompose::Holding::of_tiles(tiles);
            assert!(decomposer.is_complete(&holding), "{shape:?}");
        }
    }
}
