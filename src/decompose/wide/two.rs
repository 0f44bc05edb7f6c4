//! Hands with two zeros: of their lanes there are too many classes to fold, and their vectors are added up.

use super::FOLDED;
use super::hand::Hand;
use crate::decompose::costs::Costs;
use smallvec::SmallVec;

/// A plane for no zero, one and two.
const PLANES: usize = FOLDED + 1;
/// Zeros that are held, and that may be used.
const ZEROS: (usize, usize) = (FOLDED, FOLDED);

impl Hand<'_> {
    /// What the lanes lack that are in use; `None` where one is not looked up.
    fn vectors(&self) -> Option<SmallVec<[(usize, &Costs); 4]>> {
        let tables = self.tables;
        let vector = |lane: usize| {
            let search = || tables.search(self.grammar, lane, self.lanes[lane], FOLDED);
            let costs = tables.of_two[tables.alike[lane]].costs_of(self.numbers[lane], search);
            costs.map(|costs| (lane, costs))
        };
        (usize::from(tables.joined)..4).map(vector).collect()
    }

    /// Tiles missing from groups and a pair.
    pub(super) fn missing_with_two(&self) -> Option<u8> {
        let vectors = self.vectors()?;
        let (_, last) = vectors.last()?;
        let others = sum_of(&vectors, |lane| lane < 3);
        Some(last.least(&others, self.need, PLANES, ZEROS))
    }

    /// Kinds of `wanted` by lanes of which one more leaves less than `missing` tiles missing; `None` where some lane
    /// with one tile more is not looked up.
    pub(super) fn accepts_with_two(&self, missing: u8, wanted: &[u16; 4]) -> Option<[u16; 4]> {
        let tables = self.tables;
        let vectors = self.vectors()?;
        let mut accepts = [0; 4];
        for &(lane, _) in vectors.iter().filter(|&&(lane, _)| wanted[lane] != 0) {
            let (numbering, counts) = (tables.numbering(lane), self.lanes[lane]);
            if !numbering.has(counts, 1) {
                return None;
            }
            let of_two = &tables.of_two[tables.alike[lane]];
            let rest = sum_of(&vectors, |other| other != lane).complement(self.need, PLANES);
            // Few classes differ: of each that was met whether it lacks less.
            let mut met: SmallVec<[(usize, bool); 16]> = SmallVec::new();
            let mut lost = false;
            numbering.numbers_with_one_more(counts, |place, number| {
                let with = counts + (1 << (4 * place));
                let search = || tables.search(self.grammar, lane, with, FOLDED);
                let Some(class) = of_two.class(number, search) else {
                    lost = true;
                    return;
                };
                let lowers = match met.iter().find(|(other, _)| *other == class) {
                    Some(&(_, lowers)) => lowers,
                    None => {
                        let after = of_two.costs(class).least_with(&rest, PLANES, ZEROS);
                        met.push((class, after < missing));
                        after < missing
                    }
                };
                accepts[lane] |= u16::from(lowers) << place;
            });
            if lost {
                return None;
            }
            accepts[lane] &= wanted[lane];
        }
        Some(accepts)
    }
}

/// The costs of some lanes together, of which there is at least one.
fn sum_of(vectors: &[(usize, &Costs)], is_in: impl Fn(usize) -> bool) -> Costs {
    let mut some = vectors.iter().filter(|(lane, _)| is_in(*lane));
    let first = some.next().map_or(Costs::FAR, |(_, costs)| **costs);
    some.fold(first, |sum, (_, costs)| sum.plus(costs, PLANES))
}
