//! What each group adds to the counts that are asked for: a row of small numbers a group, so that a reading's
//! counts are the sum of its rows.
//!
//! A question such as "two groups or more are pungs of dragons" has four bits of a row. They begin so far
//! below 8 as the number that is asked for; each group that is one adds 1, and 8 is the answer. A row
//! ends with the fu of the group.

use crate::decompose::Grammar;
use crate::meld::Group;
use crate::score::facts::{Class, ClassPart, Fact};
use crate::tile::{Kind, Suit};

/// Questions whose answers fill one word.
const WORD: usize = 64;
/// Words of a row for the questions of one word of answers.
const PARTS: usize = WORD / 16;
/// The most words of answers.
pub(super) const MOST: usize = 5;
/// The most words of a row.
const WIDEST: usize = MOST * PARTS + 1;
/// More groups than this no reading has, so that four bits are enough for every number that is asked.
const MOST_GROUPS: i32 = 8;

/// A reading's counts.
pub(super) type Sums = [u64; WIDEST];

/// The counts of nothing, not even of what they begin with.
pub(super) const NOTHING: Sums = [0; WIDEST];

/// Kinds by index, then honours that are the wind of the seat, of the round, of both.
const COLUMNS: usize = 64 + 3 * 16;

/// No shape of the grammar.
const NO_SHAPE: u8 = u8::MAX;
/// The lowest ranks of a run, from 0 to 16.
const RANKS: u32 = 17;

/// How the wind of a group is the player's.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Own {
    seat: bool,
    round: bool,
}

/// What a row is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions {
    asked: Vec<(Fact, i32)>,
    /// Facts and the fu for each of their groups.
    pub(super) fu: Vec<(Fact, i64)>,
}

/// Where the answer to a question about groups is.
pub(super) enum Place {
    /// Fewer groups than it asks for.
    Never,
    /// The word of answers and the bit.
    At(usize, u32),
    /// There is no more room.
    Nowhere,
}

impl Questions {
    /// True for facts that count groups one by one.
    pub(super) const fn are_about(fact: &Fact) -> bool {
        matches!(fact, Fact::Melds { .. } | Fact::GroupsWith(_))
    }

    /// Where it is answered whether a fact that counts groups is at least so much, 1 or more.
    pub(super) fn place(&mut self, fact: Fact, least: i32) -> Place {
        if least > MOST_GROUPS {
            return Place::Never;
        }
        let known = self.asked.iter().position(|one| *one == (fact, least));
        let number = known.unwrap_or(self.asked.len());
        if number == MOST * WORD {
            return Place::Nowhere;
        }
        if known.is_none() {
            self.asked.push((fact, least));
        }
        // Four words are laid into one another, see `answers`.
        let (word, within) = (number / WORD, number % WORD);
        Place::At(word, (4 * (within % 16) + within / 16) as u32)
    }
}

/// The rows of all groups that a grammar knows.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Words of a row.
    width: usize,
    /// Where counts begin.
    start: Vec<u64>,
    /// Rows one after another: concealed groups, then open ones.
    rows: Vec<u64>,
    /// Rows of concealed groups.
    count: usize,
    /// The number of a shape by its family and ranks.
    shapes: Vec<u8>,
    shape_count: usize,
    /// Open groups and concealed ones differ.
    pub(super) asks_open: bool,
}

impl Rows {
    pub(super) fn new(questions: &Questions, grammar: &Grammar) -> Self {
        let words = questions.asked.len().div_ceil(WORD);
        let width = words * PARTS + 1;
        let mut start = vec![0; width];
        for (number, &(_, least)) in questions.asked.iter().enumerate() {
            start[number / 16] |= ((MOST_GROUPS - least) as u64) << (4 * (number % 16));
        }
        let mut shapes = vec![NO_SHAPE; 3 * RANKS as usize * 16 * 16];
        for (id, shape) in grammar.shapes() {
            shapes[shape_place(shape.group(Suit::Tong))] = id.index() as u8;
        }
        let shape_count = grammar.shapes().len();
        let count = 3 * COLUMNS + 3 * shape_count;
        let mut rows = Self {
            width,
            start,
            rows: vec![0; 2 * count * width],
            count,
            shapes,
            shape_count,
            asks_open: false,
        };
        let nobody = Own {
            seat: false,
            round: false,
        };
        let make = [Group::pair, Group::pung, Group::kong];
        for kind in Kind::all() {
            for group in make.map(|make| make(kind)) {
                rows.fill(questions, group, nobody);
                if kind.is_honour() {
                    for (seat, round) in [(true, false), (false, true), (true, true)] {
                        rows.fill(questions, group, Own { seat, round });
                    }
                }
            }
        }
        for (_, shape) in grammar.shapes() {
            for suit in Suit::ALL {
                rows.fill(questions, shape.group(suit), nobody);
            }
        }
        let (concealed, open) = rows.rows.split_at(count * width);
        rows.asks_open = concealed != open;
        rows
    }

    /// Writes the rows of a group.
    fn fill(&mut self, questions: &Questions, group: Group, own: Own) {
        let Some(place) = self.place(group, own) else {
            return;
        };
        for open in [false, true] {
            let at = (usize::from(open) * self.count + place) * self.width;
            let row = &mut self.rows[at..at + self.width];
            for (number, (fact, _)) in questions.asked.iter().enumerate() {
                row[number / 16] |=
                    u64::from(counts(fact, group, open, own)) << (4 * (number % 16));
            }
            let fu = questions.fu.iter();
            let fu = fu.filter(|(fact, _)| counts(fact, group, open, own));
            let fu: i64 = fu.map(|(_, fu)| fu).sum();
            row[self.width - 1] = fu as u64;
        }
    }

    /// The place of a group's row; `None` for a run that the grammar does not know.
    #[inline]
    fn place(&self, group: Group, own: Own) -> Option<usize> {
        let family = group.family() as usize;
        let kind = group.kind();
        if group.family().is_run() {
            let shape = self.shapes[shape_place(group)];
            let lane = group.kinds()[2].lane();
            let place = 3 * COLUMNS + lane * self.shape_count + usize::from(shape);
            return (shape != NO_SHAPE).then_some(place);
        }
        let own = usize::from(own.seat) + 2 * usize::from(own.round);
        let column = match own {
            0 => kind.index(),
            _ => 64 + 3 * kind.place() as usize + own - 1,
        };
        Some(family * COLUMNS + column)
    }

    /// The rows of a group of a player with these winds, concealed and open: the places where they
    /// begin; `None` for a run that the grammar does not know.
    #[inline]
    pub(super) fn of(&self, group: Group, seat_wind: Kind, round_wind: Kind) -> Option<[usize; 2]> {
        let own = Own {
            seat: group.kind() == seat_wind,
            round: group.kind() == round_wind,
        };
        let place = self.place(group, own)?;
        Some([place, self.count + place].map(|place| place * self.width))
    }

    /// The counts of no group.
    #[inline]
    pub(super) fn begin(&self, sums: &mut Sums) {
        for (sum, start) in sums.iter_mut().zip(&self.start) {
            *sum = *start;
        }
    }

    /// Counts a group by its row.
    #[inline]
    pub(super) fn add(&self, sums: &mut Sums, row: usize) {
        for (sum, add) in sums.iter_mut().zip(&self.rows[row..row + self.width]) {
            *sum = sum.wrapping_add(*add);
        }
    }

    /// Counts a group by another row.
    #[inline]
    pub(super) fn exchange(&self, sums: &mut Sums, row: usize, by: usize) {
        let (old, new) = (row..row + self.width, by..by + self.width);
        for (sum, (old, new)) in sums
            .iter_mut()
            .zip(self.rows[old].iter().zip(&self.rows[new]))
        {
            *sum = sum.wrapping_sub(*old).wrapping_add(*new);
        }
    }

    /// Writes the answers, a bit each; says what the groups' fu are.
    #[inline]
    pub(super) fn answer(&self, sums: &Sums, words: &mut [u64]) -> i64 {
        const EIGHTS: u64 = 0x8888_8888_8888_8888;
        let parts = sums[..self.width - 1].chunks_exact(PARTS);
        for (word, parts) in words.iter_mut().zip(parts) {
            let parts = parts.iter().enumerate();
            *word = parts.fold(0, |all, (i, part)| all | (part & EIGHTS) >> (PARTS - 1 - i));
        }
        sums[self.width - 1] as i64
    }

    /// How many of so many groups a question counts, and how many it asks for.
    pub(super) fn share(
        &self,
        questions: &Questions,
        word: usize,
        bit: u32,
        of: u64,
    ) -> (u64, i32) {
        let number = WORD * word + (16 * (bit % 4) + bit / 4) as usize;
        let counts = |row: &&[u64]| row[number / 16] >> (4 * (number % 16)) & 15 != 0;
        let rows = self
            .rows
            .chunks_exact(self.width)
            .filter(|row| row.iter().any(|&n| n > 0));
        let all = rows.clone().count().max(1) as u64;
        let share = rows.filter(counts).count() as u64 * of / all;
        (
            share,
            questions.asked.get(number).map_or(1, |&(_, least)| least),
        )
    }
}

/// The place of a run's shape: its family, its lowest rank or 0, the places of the others.
#[inline]
fn shape_place(group: Group) -> usize {
    let [low, middle, high] = group.kinds();
    let low = if low.is_honour() { 0 } else { low.place() + 1 };
    let family = group.family() as u32 % 3;
    (((family * RANKS + low) * 16 + middle.place()) * 16 + high.place()) as usize
}

/// True when a fact counts a group of a player whose winds are such.
fn counts(fact: &Fact, group: Group, is_open: bool, own: Own) -> bool {
    let is_in = |part: &ClassPart, kind: &Kind| {
        part.kinds.contains(*kind) || part.seat_wind && own.seat || part.round_wind && own.round
    };
    let has =
        |class: &Class, kind: &Kind| is_in(&class.include, kind) && !is_in(&class.exclude, kind);
    match fact {
        Fact::Melds {
            families,
            class,
            open,
        } => {
            families.contains(group.family())
                && open.is_none_or(|open| open == is_open)
                && group.kinds().iter().all(|kind| has(class, kind))
        }
        Fact::GroupsWith(class) => group.kinds().iter().any(|kind| has(class, kind)),
        _ => false,
    }
}
