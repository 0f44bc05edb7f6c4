//! Counts groups for all questions at once.
//!
//! Each group has a *row* with four bits for each question about groups: 1 if the question counts the group.
//! The sum of a reading's rows has all counts. Take "at least two pungs of dragons". Its count begins at 6,
//! which is two below 8. So its highest bit is set exactly if there are two or more. Each row is stored with the fu of
//! its group.

use crate::decompose::Grammar;
use crate::meld::Group;
use crate::score::facts::{Class, ClassPart, Fact, FamilySet};
use crate::set::KindSet;
use crate::tile::{Kind, Suit};

/// Questions whose answers fill one word.
const WORD: usize = 64;
/// The part of a row for one word of answers: 64 counts, sixteen in each part.
type Row = [u64; PARTS];
const PARTS: usize = WORD / 16;
/// The most words of answers.
pub(super) const MOST: usize = 5;
/// No reading has more groups. A count begins at 7 or less, so four bits hold it.
const MOST_GROUPS: i32 = 8;

/// The sums of a reading's rows, and the fu of its groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    counts: [Row; MOST],
    pub(super) fu: i64,
}

impl Sums {
    /// All zero. [`GroupRows::begin`] sets where the counts begin.
    pub(super) const fn new() -> Self {
        Self {
            counts: [[0; PARTS]; MOST],
            fu: 0,
        }
    }
}

/// The number of codes (see [`GroupRows::code`]): family, lowest rank or zero, middle rank, highest rank.
const CODES: usize = 6 * 17 * 16 * 16;
/// The lanes of a code: one for each suit, one for honours, and three for honours that are the seat wind, the
/// prevailing wind, or both.
const LANES: usize = 7;

/// Whether a group is of the seat wind, and of the prevailing wind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Own {
    seat: bool,
    round: bool,
}

impl Own {
    const ALL: [Self; 4] = [
        Self::new(false, false),
        Self::new(true, false),
        Self::new(false, true),
        Self::new(true, true),
    ];

    const fn new(seat: bool, round: bool) -> Self {
        Self { seat, round }
    }

    /// The place in [`Own::ALL`].
    fn place(self) -> usize {
        usize::from(self.seat) + 2 * usize::from(self.round)
    }
}

/// The questions that rows answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Questions {
    asked: Vec<(Fact, i32)>,
    /// Facts, each with the fu for every group that it counts.
    pub(super) fu: Vec<(Fact, i64)>,
}

/// The place of the answer to a question about groups.
pub(super) enum Place {
    /// None, because the answer is always no: no reading has as many groups.
    Never,
    /// The word of answers, and the bit in it.
    At(usize, u32),
    /// None, because there is no room left.
    Nowhere,
}

impl Questions {
    /// True for facts that count groups one by one.
    pub(super) const fn are_about(fact: &Fact) -> bool {
        matches!(fact, Fact::Melds { .. } | Fact::GroupsWith { .. })
    }

    /// How many words the answers fill.
    pub(super) fn words(&self) -> usize {
        self.asked.len().div_ceil(WORD)
    }

    /// The place of the answer to `fact >= least`, for a fact about groups and a `least` of 1 or more. A new
    /// question gets the next free place.
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
        // Answers of the four parts are interleaved, see `answer`.
        let (word, part, shift) = bits_of(number);
        Place::At(word, (shift + part) as u32)
    }
}

/// The rows of all groups that a grammar knows.
#[derive(Clone, Debug)]
pub(super) struct GroupRows {
    /// How many words the answers fill.
    words: usize,
    /// Where the counts begin.
    start: [Row; MOST],
    /// The number of each code. 0 is for groups that the grammar does not know. Their rows are empty.
    numbers: Vec<u16>,
    /// For each number and lane the row of the concealed group, then that of the open one. A row has `words`
    /// entries.
    rows: Vec<Row>,
    /// The fu of each row.
    fu: Vec<i64>,
    /// Families whose open and concealed groups have different rows.
    pub(super) ask_open: FamilySet,
}

impl GroupRows {
    pub(super) fn new(questions: &Questions, grammar: &Grammar) -> Self {
        let words = questions.words();
        let mut start = [[0; PARTS]; MOST];
        for (number, &(_, least)) in questions.asked.iter().enumerate() {
            let (word, part, shift) = bits_of(number);
            start[word][part] |= ((MOST_GROUPS - least) as u64) << shift;
        }
        let same = [Group::pair, Group::pung, Group::kong];
        let of_kinds = |kind: Kind| same.map(|make| make(kind));
        let groups = Kind::all().flat_map(of_kinds);
        let runs = grammar.shapes();
        let runs = runs.flat_map(|(_, shape)| Suit::ALL.map(|suit| shape.group(suit)));
        let groups: Vec<Group> = groups.chain(runs).collect();
        let mut numbers = vec![0; CODES];
        let mut count = 1;
        for &group in &groups {
            let number = &mut numbers[Self::code(group)];
            if *number == 0 {
                *number = count;
                count += 1;
            }
        }
        let count = 2 * LANES * usize::from(count);
        let asked: Vec<Counted> = questions
            .asked
            .iter()
            .map(|(fact, _)| fact.into())
            .collect();
        let fu: Vec<(Counted, i64)> = questions
            .fu
            .iter()
            .map(|(fact, fu)| (fact.into(), *fu))
            .collect();
        let mut rows = Self {
            words,
            start,
            numbers,
            rows: vec![[0; PARTS]; count * words],
            fu: vec![0; count],
            ask_open: FamilySet::default(),
        };
        for group in groups {
            for own in Own::ALL {
                if own.place() == 0 || group.kind().is_honour() && !group.family().is_run() {
                    rows.fill(&asked, &fu, group, own);
                }
            }
        }
        rows
    }

    /// Writes the two rows of a group.
    fn fill(&mut self, asked: &[Counted], fu: &[(Counted, i64)], group: Group, own: Own) {
        let (place, _) = self.place(group, own);
        let (concealed, open) =
            self.rows[place * self.words..][..2 * self.words].split_at_mut(self.words);
        for (number, counted) in asked.iter().enumerate() {
            let (word, part, shift) = bits_of(number);
            let counts = counted.counts(group, own);
            for (rows, counts) in [&mut *concealed, &mut *open].into_iter().zip(counts) {
                rows[word][part] |= u64::from(counts) << shift;
            }
        }
        for (counted, fu) in fu {
            for (of_row, counts) in self.fu[place..].iter_mut().zip(counted.counts(group, own)) {
                *of_row += fu * i64::from(counts);
            }
        }
        let [concealed, open] = [place, place + 1].map(|at| (self.rows_at(at), self.fu[at]));
        if concealed != open {
            self.ask_open.insert(group.family());
        }
    }

    /// A number that two groups share exactly if they are equal or differ only in suit.
    #[inline]
    fn code(group: Group) -> usize {
        let [low, middle, high] = group.kinds();
        // A zero in a run sorts below rank 1.
        let low = if low.is_honour() { 0 } else { 1 + low.place() };
        let family = group.family() as u32;
        (((family * 17 + low) * 16 + middle.place()) * 16 + high.place()) as usize
    }

    #[inline]
    fn rows_at(&self, place: usize) -> &[Row] {
        &self.rows[place * self.words..(place + 1) * self.words]
    }

    #[inline]
    fn place(&self, group: Group, own: Own) -> (usize, bool) {
        let number = self.numbers[Self::code(group)];
        let lane = group.kinds()[2].lane() + own.place();
        (2 * (LANES * usize::from(number) + lane), number > 0)
    }

    /// The index of a concealed group's row, for a seat with these winds. The open group's row is the next
    /// one. False for a group that the grammar does not know.
    #[inline]
    pub(super) fn of(&self, group: Group, seat_wind: Kind, round_wind: Kind) -> (usize, bool) {
        let own = Own {
            seat: group.kind() == seat_wind,
            round: group.kind() == round_wind,
        };
        self.place(group, own)
    }

    /// Sets the counts for no groups.
    #[inline]
    pub(super) fn begin(&self, sums: &mut Sums) {
        sums.counts[..self.words].copy_from_slice(&self.start[..self.words]);
        sums.fu = 0;
    }

    /// Adds the row at an index.
    #[inline]
    pub(super) fn add(&self, sums: &mut Sums, place: usize) {
        for (counts, row) in sums.counts.iter_mut().zip(self.rows_at(place)) {
            for (count, add) in counts.iter_mut().zip(row) {
                *count = count.wrapping_add(*add);
            }
        }
        sums.fu += self.fu[place];
    }

    /// Takes out a row that was added.
    #[inline]
    pub(super) fn subtract(&self, sums: &mut Sums, place: usize) {
        for (counts, row) in sums.counts.iter_mut().zip(self.rows_at(place)) {
            for (count, less) in counts.iter_mut().zip(row) {
                *count = count.wrapping_sub(*less);
            }
        }
        sums.fu -= self.fu[place];
    }

    /// Writes the answers: the highest bit of each count, the four parts interleaved.
    #[inline]
    pub(super) fn answer(&self, sums: &Sums, words: &mut [u64]) {
        const EIGHTS: u64 = 0x8888_8888_8888_8888;
        for (word, [a, b, c, d]) in words.iter_mut().zip(&sums.counts[..self.words]) {
            let [a, b, c, d] = [a, b, c, d].map(|part| part & EIGHTS);
            *word = a >> 3 | b >> 2 | c >> 1 | d;
        }
    }

    /// For each question the word and bit of its answer, how many of `of` groups it counts, and the number
    /// that it asks for.
    pub(super) fn shares<'a>(
        &'a self,
        questions: &'a Questions,
        of: u64,
    ) -> impl Iterator<Item = (usize, u32, u64, i32)> + 'a {
        let rows = self.rows.chunks_exact(self.words.max(1));
        let rows = rows.filter(|rows| rows.iter().flatten().any(|&part| part > 0));
        let rows: Vec<_> = rows.collect();
        let all = rows.len().max(1) as u64;
        let questions = questions.asked.iter().enumerate();
        questions.map(move |(number, &(_, least))| {
            let (word, part, shift) = bits_of(number);
            let counted = rows.iter().map(|rows| rows[word][part] >> shift & 1);
            let share = counted.sum::<u64>() * of / all;
            (word, (shift + part) as u32, share, least)
        })
    }
}

/// The place of a question in a row: the word, the part, and the shift within the part.
fn bits_of(number: usize) -> (usize, usize, usize) {
    let within = number % WORD;
    (number / WORD, within / 16, 4 * (within % 16))
}

/// Which groups a fact counts.
struct Counted {
    families: FamilySet,
    /// The kinds that are counted for groups of neither wind, of the seat wind, of the prevailing wind, and of both.
    kinds: [KindSet; 4],
    /// One kind of the group suffices.
    any: bool,
    open: Option<bool>,
}

impl From<&Fact> for Counted {
    fn from(fact: &Fact) -> Self {
        let kinds_of = |part: &ClassPart, own: Own| {
            let all = part.seat_wind && own.seat || part.round_wind && own.round;
            if all { KindSet::ALL } else { part.kinds }
        };
        let kinds = |class: &Class| {
            Own::ALL
                .map(|own| kinds_of(&class.include, own).difference(kinds_of(&class.exclude, own)))
        };
        match fact {
            Fact::Melds {
                families,
                class,
                open,
            } => Self {
                families: *families,
                kinds: kinds(class),
                any: false,
                open: *open,
            },
            Fact::GroupsWith { class } => Self {
                families: FamilySet::ALL,
                kinds: kinds(class),
                any: true,
                open: None,
            },
            _ => Self {
                families: FamilySet::default(),
                kinds: [KindSet::default(); 4],
                any: false,
                open: None,
            },
        }
    }
}

impl Counted {
    /// True for the concealed group, and for the open one, if they are counted.
    fn counts(&self, group: Group, own: Own) -> [bool; 2] {
        let kinds = self.kinds[own.place()];
        let of_group = group.kind_set();
        let counts = self.families.contains(group.family())
            && match self.any {
                true => !of_group.intersection(kinds).is_empty(),
                false => of_group.is_subset(kinds),
            };
        [false, true].map(|open| counts && self.open.is_none_or(|wanted| wanted == open))
    }
}
