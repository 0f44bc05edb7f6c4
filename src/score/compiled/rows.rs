//! Counts groups for all questions at once.
//!
//! Each group has a *row* with four bits for each question about groups: 1 if the question counts the group.
//! The sum of a reading's rows has all counts. Take "at least two pungs of dragons". Its count begins at 6,
//! which is two below 8. So its highest bit is set exactly if there are two or more. Each row is stored with the fu of
//! its group.

use crate::decompose::Grammar;
use crate::meld::{Family, Group};
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
const CODES: usize = 8 * 17 * 16 * 16;
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
    /// The rows, and how many of them count for each question.
    pub(super) fn new(questions: &Questions, grammar: &Grammar) -> (Self, Shares) {
        let words = questions.words();
        let mut start = [[0; PARTS]; MOST];
        for (number, &(_, least)) in questions.asked.iter().enumerate() {
            let (word, part, shift) = bits_of(number);
            start[word][part] |= ((MOST_GROUPS - least) as u64) << shift;
        }
        let alike = [Family::Pair, Family::Pung, Family::Kong];
        let alike: Vec<Family> = alike.into_iter().chain(grammar.larger()).collect();
        let of_kinds = |kind: Kind| alike.iter().map(move |&family| Group::same(family, kind));
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
        let mut rows = Self {
            words,
            start,
            numbers,
            rows: vec![[0; PARTS]; count * words],
            fu: vec![0; count],
            ask_open: FamilySet::default(),
        };
        let mut slots = Vec::with_capacity(2 * groups.len());
        for group in groups {
            let has_own = group.kind().is_honour() && !group.family().is_run();
            let own = if has_own {
                &Own::ALL[..]
            } else {
                &Own::ALL[..1]
            };
            slots.extend(own.iter().map(|&own| Slot {
                place: rows.place(group, own).0,
                family: group.family(),
                kinds: group.kind_set(),
                own: own.place(),
            }));
        }
        let mut counted = Vec::with_capacity(questions.asked.len());
        for (number, (fact, _)) in questions.asked.iter().enumerate() {
            let (word, part, shift) = bits_of(number);
            let counts = Counted::of(fact);
            let [concealed, open] = counts.of_rows();
            let mut found = 0;
            for slot in &slots {
                if counts.includes(slot) {
                    let place = slot.place;
                    rows.rows[place * words + word][part] |= concealed << shift;
                    rows.rows[(place + 1) * words + word][part] |= open << shift;
                    found += concealed + open;
                }
            }
            counted.push(found);
        }
        for (fact, fu) in &questions.fu {
            let counts = Counted::of(fact);
            let [concealed, open] = counts.of_rows();
            for slot in &slots {
                if counts.includes(slot) {
                    let place = slot.place;
                    rows.fu[place] += fu * concealed as i64;
                    rows.fu[place + 1] += fu * open as i64;
                }
            }
        }
        let mut used = 0;
        for Slot { place, family, .. } in slots {
            let [concealed, open] = [place, place + 1].map(|at| (rows.rows_at(at), rows.fu[at]));
            used += [concealed, open]
                .iter()
                .filter(|(row, _)| row.iter().flatten().any(|&part| part > 0))
                .count() as u64;
            if concealed != open {
                rows.ask_open.insert(family);
            }
        }
        (rows, Shares { counted, used })
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
}

/// How many rows count for each question, and how many count for any.
pub(super) struct Shares {
    counted: Vec<u64>,
    used: u64,
}

impl Shares {
    /// For each question the word and bit of its answer, how many of `of` groups it counts, and the number
    /// that it asks for.
    pub(super) fn of<'a>(
        &'a self,
        questions: &'a Questions,
        of: u64,
    ) -> impl Iterator<Item = (usize, u32, u64, i32)> + 'a {
        let asked = questions.asked.iter().zip(&self.counted).enumerate();
        asked.map(move |(number, (&(_, least), counted))| {
            let (word, part, shift) = bits_of(number);
            (
                word,
                (shift + part) as u32,
                counted * of / self.used.max(1),
                least,
            )
        })
    }
}

/// The place of a question in a row: the word, the part, and the shift within the part.
fn bits_of(number: usize) -> (usize, usize, usize) {
    let within = number % WORD;
    (number / WORD, within / 16, 4 * (within % 16))
}

/// A group whose rows are filled.
struct Slot {
    /// The place of the concealed group's row. That of the open one is the next.
    place: usize,
    family: Family,
    kinds: KindSet,
    /// The place in [`Own::ALL`].
    own: usize,
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

impl Counted {
    fn of(fact: &Fact) -> Self {
        let kinds_of = |part: &ClassPart, own: Own| {
            let all = part.seat_wind && own.seat || part.round_wind && own.round;
            if all { KindSet::ALL } else { part.kinds }
        };
        let (families, class, any, open) = match fact {
            Fact::Melds {
                families,
                class,
                open,
            } => (*families, class, false, *open),
            Fact::GroupsWith { class } => (FamilySet::ALL, class, true, None),
            _ => (FamilySet::default(), &Class::default(), false, None),
        };
        let kinds = Own::ALL
            .map(|own| kinds_of(&class.include, own).difference(kinds_of(&class.exclude, own)));
        Self {
            families,
            kinds,
            any,
            open,
        }
    }

    /// 1 if the row of a concealed group counts, or 0; then the same for the row of an open one.
    fn of_rows(&self) -> [u64; 2] {
        [false, true].map(|open| u64::from(self.open.is_none_or(|wanted| wanted == open)))
    }

    /// True if a group is counted when it is open or concealed as the fact asks.
    #[inline]
    fn includes(&self, slot: &Slot) -> bool {
        let kinds = self.kinds[slot.own];
        self.families.contains(slot.family)
            && match self.any {
                true => !slot.kinds.intersection(kinds).is_empty(),
                false => slot.kinds.is_subset(kinds),
            }
    }
}
