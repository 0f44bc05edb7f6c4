//! Hands with two or three zeros. Their lanes have too many classes to fold, so their cost vectors are
//! combined.

use super::MOST_ZEROS;
use super::hand::LaneHand;
use crate::counts::at;
use crate::decompose::costs::Costs;
use smallvec::SmallVec;
use std::ops::Range;

impl LaneHand<'_> {
    /// The costs of each lane. `None` if the tables lack one.
    #[inline]
    fn vectors(&self) -> Option<[&Costs; 4]> {
        let tables = self.tables;
        let mut vectors = [&Costs::FAR; 4];
        for lane in self.used() {
            let search = || tables.find_costs(self.grammar, lane, self.lanes[lane], MOST_ZEROS);
            vectors[lane] = tables.many[tables.alike[lane]].costs_of(self.numbers[lane], search)?;
        }
        Some(vectors)
    }

    /// The lanes in use: lane 0 is empty if it is joined to the honours.
    fn used(&self) -> Range<usize> {
        usize::from(self.tables.joined)..4
    }

    /// The costs of all lanes but one, combined.
    #[inline]
    fn beside(&self, lane: usize, vectors: &[&Costs; 4], planes: usize) -> Costs {
        let mut others = self.used().filter(|&other| other != lane);
        let first = others.next().map_or(Costs::FAR, |other| *vectors[other]);
        others.fold(first, |sum, other| sum.plus(vectors[other], planes))
    }

    /// The tiles missing from groups and a pair with this many zeros in hand. `None` for all four zeros, or
    /// if the tables lack a lane.
    pub(super) fn missing_with_many(&self, zeros: usize) -> Option<u8> {
        if zeros > MOST_ZEROS {
            return None;
        }
        let (planes, vectors) = (zeros + 1, self.vectors()?);
        let others = self.beside(3, &vectors, planes);
        Some(vectors[3].least(&others, self.need, planes, (zeros, zeros)))
    }

    /// The kinds of `wanted`, by lane, that leave fewer than `missing` tiles missing when drawn. `None` if
    /// the tables lack a lane with one tile more.
    pub(super) fn accepts_with_many(&self, missing: u8, wanted: &[u16; 4]) -> Option<[u16; 4]> {
        let (tables, zeros) = (self.tables, self.zeros);
        let planes = zeros + 1;
        let vectors = self.vectors()?;
        let mut accepts = [0; 4];
        for lane in self.used().filter(|&lane| wanted[lane] != 0) {
            let (numbering, counts) = (tables.numbering(lane), self.lanes[lane]);
            if !numbering.has(counts, 1) {
                return None;
            }
            let many = &tables.many[tables.alike[lane]];
            let rest = self.beside(lane, &vectors, planes);
            let rest = rest.complement(self.need, planes);
            // The classes so far, and whether they leave fewer tiles missing. Few differ.
            let mut met: SmallVec<[(usize, bool); 16]> = SmallVec::new();
            let mut lost = false;
            numbering.numbers_with_one_more(counts, |place, number| {
                let with = counts + at(place as u32, 1);
                let search = || tables.find_costs(self.grammar, lane, with, MOST_ZEROS);
                let Some(class) = many.class(number, search) else {
                    lost = true;
                    return;
                };
                let lowers = match met.iter().find(|(other, _)| *other == class) {
                    Some(&(_, lowers)) => lowers,
                    None => {
                        let after = many.costs(class).least_with(&rest, planes, (zeros, zeros));
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
