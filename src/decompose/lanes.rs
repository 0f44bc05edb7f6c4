//! A hand taken apart into lanes, and put together again to what it lacks.
//!
//! Groups stay within a lane, so each lane has its costs, and four lanes combine by min-plus. Costs are
//! looked up, remembered or [searched](super::distance). A long lane, of more tiles than tables know,
//! is searched together with what the light ones lack: only the sum is asked for.

use super::costs::{Costs, Zeros};
use super::distance::{Lane, Scratch};
use super::grammar::Grammar;
use super::holding::Holding;
use super::lane_tables::{self, Tables};
use super::long_lanes;
use super::special;
use crate::counts::{Counts, ZERO_NIBBLE, lane_sum};
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;

/// How zeros are reckoned with.
///
/// Nearly always it does not matter how many a target uses in all: it has at most four runs, so at
/// most four zeros in runs; and where zeros beside them make a pair or a pung, one of these can
/// serve a run that lacks its zero as well, until either all of them do (and unheld tiles, of which
/// a roomy set has enough, make the pair) or no run lacks one. Only with four zeros in hand, or with
/// some of them declared, can a target be out of reach because it would use a fifth; then they are
/// counted.
fn zeros_of(grammar: &Grammar, holding: &Holding, limits: &Counts) -> Zeros {
    if !grammar.uses_zero {
        return Zeros::None;
    }
    let held = usize::from(holding.concealed.get(Kind::ZERO));
    if grammar.roomy && held < 4 && limits.get(Kind::ZERO) == 4 {
        Zeros::Shared(held)
    } else {
        Zeros::Counted(held)
    }
}

/// A hand taken apart into lanes.
pub(super) struct Lanes<'a> {
    grammar: &'a Grammar,
    tables: Option<&'a Tables>,
    holding: Holding,
    limits: Counts,
    zeros: Zeros,
    /// Of the light lanes.
    costs: [Costs; 4],
    long: Option<usize>,
}

impl<'a> Lanes<'a> {
    /// Lanes are looked up in tables as far as these are given and serve.
    pub(super) fn new(
        grammar: &'a Grammar,
        tables: Option<&'a Tables>,
        holding: &Holding,
        scratch: &mut Scratch,
    ) -> Self {
        let limits = grammar.copies.saturating_minus(&holding.declared);
        let mut lanes = Self {
            grammar,
            tables,
            holding: *holding,
            limits,
            zeros: zeros_of(grammar, holding, &limits),
            costs: [Costs::FAR; 4],
            long: None,
        };
        lanes.long = (0..4).find(|&lane| lanes.is_long(lane, holding.concealed.lane(lane)));
        for lane in (0..4).filter(|&lane| lanes.long != Some(lane)) {
            lanes.costs[lane] = lanes.costs_of(lane, holding.concealed.lane(lane), scratch);
        }
        lanes
    }

    /// True for a lane that is searched together with the others.
    fn is_long(&self, index: usize, counts: u64) -> bool {
        let Some(most) = lane_tables::tiles(self.zeros).filter(|_| self.tables.is_some()) else {
            return false;
        };
        let tiles = lane_sum(self.lane(index, counts).counts) as usize;
        // Of so many tiles two lanes cannot be long, not even with one more.
        tiles > most && self.holding.concealed.total() <= 2 * most
    }

    fn lane(&self, index: usize, counts: u64) -> Lane {
        // Zeros are the third coordinate, not tiles of the lane.
        let zeros = match index {
            3 if self.grammar.uses_zero => ZERO_NIBBLE,
            _ => 0,
        };
        Lane {
            index,
            counts: counts & !zeros,
            limit: self.limits.lane(index) & !zeros,
            zeros: self.zeros,
        }
    }

    fn costs_of(&self, index: usize, counts: u64, scratch: &mut Scratch) -> Costs {
        let lane = self.lane(index, counts);
        let tables = self.tables;
        match tables.and_then(|tables| tables.costs(self.grammar, &lane)) {
            Some(costs) => *costs,
            None => scratch.costs(self.grammar, &lane),
        }
    }

    fn need(&self) -> usize {
        self.grammar.groups.saturating_sub(self.holding.melds)
    }

    /// Zeros that are held, and that may be used.
    fn zeros_in_all(&self) -> (usize, usize) {
        match self.zeros {
            Zeros::None => (0, 0),
            Zeros::Shared(held) => (held, held),
            Zeros::Counted(held) => (held, usize::from(self.limits.get(Kind::ZERO))),
        }
    }

    /// The least cost of a whole hand from the costs of some lanes and of the others.
    fn total(&self, some: &Costs, others: &Costs) -> u8 {
        let planes = self.zeros.planes();
        some.least(others, self.need(), planes, self.zeros_in_all())
    }

    /// The costs of the lanes beside some, one of them at least light.
    fn beside(&self, lanes: &[usize]) -> Costs {
        let mut others = (0..4)
            .filter(|lane| !lanes.contains(lane))
            .map(|lane| self.costs[lane]);
        let first = others.next().unwrap_or(Costs::FAR);
        others.fold(first, |sum, costs| sum.plus(&costs, self.zeros.planes()))
    }

    /// What a long lane and the others lack, where that is less than `bound`.
    fn with_long(&self, index: usize, counts: u64, others: &Costs, bound: u8) -> u8 {
        let lane = self.lane(index, counts);
        long_lanes::least_with(
            self.grammar,
            self.tables,
            &lane,
            (others, self.need()),
            bound,
        )
    }

    /// What a light lane and those others that are light, whose complement is the `rest`, lack together with
    /// the long one, if there is one; at least `bound` where it is not less.
    fn with_light(&self, costs: &Costs, [others, rest]: &[Costs; 2], bound: u8) -> u8 {
        let planes = self.zeros.planes();
        match self.long {
            Some(long) => {
                let counts = self.holding.concealed.lane(long);
                self.with_long(long, counts, &others.plus(costs, planes), bound)
            }
            None => costs.least_with(rest, planes, self.zeros_in_all()),
        }
    }

    /// The distance of the hand.
    pub(super) fn distance(&self) -> i8 {
        let most = (3 * self.need() + 2) as u8;
        let standard = match self.long {
            Some(long) => {
                let counts = self.holding.concealed.lane(long);
                let bound = special::missing_below(self.grammar, &self.holding, most);
                self.with_long(long, counts, &self.beside(&[long]), bound)
            }
            None => self.total(&self.costs[0], &self.beside(&[0])),
        };
        special::missing_below(self.grammar, &self.holding, standard) as i8 - 1
    }

    /// Kinds that lower the distance when drawn.
    pub(super) fn accepts(&self, distance: i8, scratch: &mut Scratch) -> KindSet {
        let mut accepts = KindSet::EMPTY;
        if distance < 0 {
            return accepts;
        }
        let missing = distance as u8 + 1;
        // Of a changed lane and whether it lowers the distance: few changes differ.
        let mut met: SmallVec<[(Costs, bool); 8]> = SmallVec::new();
        let mut beside = (4, [Costs::FAR; 2]);
        // Of a lane that one tile more makes long the places of which that lowers the distance.
        let mut heavier = None;
        // One tile makes up for one that is missing, so only what lacks no more can come to lack less.
        if special::missing_below(self.grammar, &self.holding, missing + 1) == missing {
            accepts = special::accepts(self.grammar, &self.holding, missing);
        }
        for kind in self.grammar.copies.kinds().iter() {
            if accepts.contains(kind) || self.holding.is_exhausted(kind, &self.grammar.copies) {
                continue;
            }
            let mut more = self.holding;
            if !more.concealed.try_add(kind) {
                continue;
            }
            if self.grammar.uses_zero && kind == Kind::ZERO {
                // A zero more changes what every lane may use.
                let lanes = Lanes::new(self.grammar, self.tables, &more, scratch);
                if lanes.distance() < distance {
                    accepts.insert(kind);
                }
                continue;
            }
            let lane = kind.lane();
            if beside.0 != lane {
                let long = self.long.filter(|&long| long != lane);
                let others = self.beside(&[lane, long.unwrap_or(lane)]);
                let rest = others.complement(self.need(), self.zeros.planes());
                heavier = self.heavier(lane, more.concealed.lane(lane), &others, missing);
                beside = (lane, [others, rest]);
                met.clear();
            }
            let (counts, others) = (more.concealed.lane(lane), &beside.1);
            let lowers = if let Some(places) = heavier {
                places >> kind.place() & 1 == 1
            } else if self.is_long(lane, counts) {
                self.with_long(lane, counts, &others[0], missing) < missing
            } else {
                let costs = self.costs_of(lane, counts, scratch);
                match met.iter().find(|(met, _)| *met == costs) {
                    Some(&(_, lowers)) => lowers,
                    None => {
                        let lowers = self.with_light(&costs, others, missing) < missing;
                        met.push((costs, lowers));
                        lowers
                    }
                }
            };
            if lowers {
                accepts.insert(kind);
            }
        }
        accepts
    }

    /// Places of a lane of which one more tile lowers what is `missing`, where that makes it long; the others together
    /// lack those costs.
    fn heavier(&self, index: usize, with: u64, others: &Costs, missing: u8) -> Option<u16> {
        let is_made_heavy = self.long.is_none() && self.is_long(index, with);
        let tables = self.tables.filter(|_| is_made_heavy)?;
        let lane = self.lane(index, self.holding.concealed.lane(index));
        long_lanes::lowering(self.grammar, tables, &lane, (others, self.need()), missing)
    }
}
