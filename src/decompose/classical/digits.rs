//! Turns the lanes of the classical set into numbers, three kinds at a time.
//!
//! The *number* of a lane is its index in the tables. It has a digit in base five for each kind. Three digits take
//! seven bits.
//!
//! The *sums* are counts over the whole hand, such as its pairs. The distances to the special forms follow from them.
//!
//! A *word* has two parts: what three neighbouring kinds add to the number of their lane, and what they add to the sums.
//! The words of one lane add up to its number, and those of all lanes to the sums.

use super::forms::TableForms;
use super::set::{HONOURS, RANKS};
use crate::counts::Counts;
use crate::decompose::costs::FAR;

/// Numbers for three kinds: three digits in base five, rounded up to a power of two.
pub(super) const IN_ROW_STEP: usize = 128;
/// The numbers of lanes are less than this.
pub(super) const NUMBERS: usize = IN_ROW_STEP.pow(3);

/// What one tile of a kind adds to the number of a suit.
pub(super) const SUIT_STEPS: [usize; RANKS] = {
    let mut steps = [0; RANKS];
    let mut kind = 0;
    while kind < RANKS {
        steps[kind] = IN_ROW_STEP.pow(kind as u32 / 3) * 5_usize.pow(kind as u32 % 3);
        kind += 1;
    }
    steps
};

/// What one tile of a kind adds to the number of the honours. The three parts are three winds, the fourth
/// wind, and three dragons.
pub(super) const HONOUR_STEPS: [usize; HONOURS] = {
    let [a, b, c, d, _, _, e, f, g] = SUIT_STEPS;
    [a, b, c, d, e, f, g]
};

/// The lowest bit of each sum in a word, with room for any hand. In this order: kinds held, kinds held twice,
/// kinds held four times, orphans held, orphans held twice, tiles.
const KINDS: u32 = NUMBERS.ilog2() + 3;
const PAIRS: u32 = KINDS + 6;
const FOURS: u32 = PAIRS + 6;
const ORPHANS: u32 = FOURS + 6;
const ORPHAN_PAIRS: u32 = ORPHANS + 4;
const TILES: u32 = ORPHAN_PAIRS + 4;

/// Values of three nibbles, without the guard bit of the highest.
const THREE: usize = 1 << 11;

/// The words by suit or honours, by which three kinds of the lane, and by their counts.
static WORDS: [[[u64; THREE]; 3]; 2] = [words(true), words(false)];

const fn words(of_suit: bool) -> [[u64; THREE]; 3] {
    let mut words = [[0; THREE]; 3];
    // The lane of honours has four winds and, two places further, three dragons.
    let firsts = if of_suit { [0, 3, 6] } else { [0, 3, 4] };
    let lengths = if of_suit { [3, 3, 3] } else { [3, 1, 3] };
    let mut place = 0;
    while place < 3 {
        let mut counts = 0;
        while counts < THREE {
            words[place][counts] = word(of_suit, firsts[place], lengths[place], counts);
            counts += 1;
        }
        place += 1;
    }
    words
}

/// The word of three counts; 0 for impossible counts.
const fn word(of_suit: bool, first: usize, length: usize, counts: usize) -> u64 {
    let mut word = 0;
    let mut i = 0;
    while i < 3 {
        let count = counts >> (4 * i) & 15;
        if count > 4 || count > 0 && i >= length {
            return 0;
        }
        let kind = first + i;
        let is_orphan = !of_suit || kind == 0 || kind == RANKS - 1;
        let (one, two) = ((count > 0) as u64, (count > 1) as u64);
        word += (count as u64) << TILES | one << KINDS | two << PAIRS;
        word += ((count == 4) as u64) << FOURS;
        if is_orphan {
            word += one << ORPHANS | two << ORPHAN_PAIRS;
        }
        if i < length {
            let step = if of_suit {
                SUIT_STEPS[kind]
            } else {
                HONOUR_STEPS[kind]
            };
            word += (count * step) as u64;
        }
        i += 1;
    }
    word
}

/// The sum of the words of a lane.
#[inline]
fn lane_word(concealed: &Counts, lane: usize) -> u64 {
    let tiles = concealed.lane(lane);
    let ([a, b, c], tiles) = match lane {
        3 => (&WORDS[1], tiles >> 4),
        _ => (&WORDS[0], tiles),
    };
    let three = |from: u32| (tiles >> from) as usize % THREE;
    a[three(0)] + b[three(12)] + c[three(24)]
}

/// The number of a lane.
#[inline]
pub(super) fn number(concealed: &Counts, lane: usize) -> usize {
    lane_word(concealed, lane) as usize % NUMBERS
}

/// A hand of the classical set: the numbers of its lanes, and its sums.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    pub(super) numbers: [usize; 4],
    sums: u64,
}

impl Digits {
    #[inline]
    pub(super) fn of(concealed: &Counts) -> Self {
        let words: [u64; 4] = std::array::from_fn(|lane| lane_word(concealed, lane));
        Self {
            numbers: words.map(|word| word as usize % NUMBERS),
            sums: words.iter().sum(),
        }
    }

    #[inline]
    const fn sum(&self, from: u32, bits: u32) -> u32 {
        (self.sums >> from) as u32 & ((1 << bits) - 1)
    }

    /// The number of tiles.
    #[inline]
    pub(super) const fn tiles(&self) -> usize {
        self.sum(TILES, 8) as usize
    }

    /// The tiles missing from seven pairs, for a hand of at most fourteen tiles. [`FAR`] if the grammar has
    /// no such form.
    #[inline]
    pub(super) const fn missing_pairs(&self, forms: TableForms) -> u8 {
        let pairs = self.sum(PAIRS, 6);
        // `begun` counts whole pairs and pairs that lack one tile. A hand has seven whole pairs at most; of
        // those begun, seven count.
        let (pairs, begun) = match forms.pairs {
            Some(true) => (pairs, self.sum(KINDS, 6)),
            // Four of a kind are two pairs. The third tile of a kind begins another pair.
            Some(false) => {
                let pairs = pairs + self.sum(FOURS, 6);
                (pairs, self.tiles() as u32 - pairs)
            }
            None => return FAR,
        };
        14 - (pairs + if begun < 7 { begun } else { 7 }) as u8
    }

    /// The tiles missing from thirteen orphans. [`FAR`] if the grammar has no such form.
    #[inline]
    pub(super) const fn missing_orphans(&self, forms: TableForms) -> u8 {
        if !forms.orphans {
            return FAR;
        }
        let twice = self.sum(ORPHAN_PAIRS, 4) > 0;
        14 - self.sum(ORPHANS, 4) as u8 - twice as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decompose::{FormItem, Grammar, Holding, SpecialForm};
    use crate::meld::Family;
    use crate::random::Stream;
    use crate::ruleset::Rules;
    use crate::set::KindSet;
    use crate::tile::Kind;

    #[test]
    fn sums_tell_what_forms_lack() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let grammar = rules.plan().decomposer.grammar();
        let copies = grammar.copies();
        let pairs = |distinct| {
            let pairs = FormItem::pairs(7, KindSet::ALL, distinct);
            SpecialForm::new(vec![vec![pairs]], true)
        };
        let chows: Vec<_> = (1..8)
            .map(|rank| (Family::Arith, [rank, rank + 1, rank + 2]))
            .collect();
        let orphans = grammar.forms()[1].clone();
        let grammars = [pairs(false), pairs(true), orphans]
            .map(|form| Grammar::new(*copies, 4, &chows, true, true, vec![form]).unwrap());
        let all: Vec<Kind> = copies.kinds().iter().collect();
        let is_orphan = |kind: &Kind| kind.rank().is_none_or(|rank| matches!(rank.get(), 1 | 9));
        let mut stream = Stream::new(14, 14);
        let mut least = 14;
        for round in 0..4000 {
            let mut pick = |n: usize| stream.below(n as u32) as usize;
            let few: Vec<Kind> = match round % 3 {
                0 => all.clone(),
                // Orphans only; after that few kinds, so that many tiles are alike.
                1 => all.iter().copied().filter(is_orphan).collect(),
                _ => (0..5 + pick(5)).map(|_| all[pick(34)]).collect(),
            };
            let mut tiles = Counts::EMPTY;
            let size = 13 + pick(2);
            for _ in 0..1000 {
                if tiles.total() == size {
                    break;
                }
                tiles.try_add(few[pick(few.len())]);
            }
            let (holding, digits) = (Holding::of_tiles(tiles), Digits::of(&tiles));
            assert_eq!(digits.tiles(), tiles.total());
            if holding.melds > 0 {
                continue;
            }
            for grammar in &grammars {
                let forms = grammar.tables.unwrap();
                let of_pairs = digits.missing_pairs(forms);
                let told = of_pairs.min(digits.missing_orphans(forms));
                let missing = grammar.special.missing(1, &holding);
                assert_eq!(told, missing, "{tiles:?}");
                least = least.min(told);
            }
        }
        assert!(least < 2, "{least}");
    }
}
