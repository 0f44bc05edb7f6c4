//! Splits a hand into lanes and combines the costs of the lanes into the distance.
//!
//! A group stays within a lane, so each lane has its own costs. Four lanes combine by min-plus: the least
//! sum over every way to share out the groups, the pair and the zeros. Costs come from tables, from the cache
//! in the [`Scratch`], or from the [search](super::distance).
//!
//! A *long* lane has more tiles than the tables cover; the others are *light*. The long lane is searched
//! together with the costs of the light ones. Only the sum is needed, which is much faster to find.

use super::costs::{Costs, FAR, Zeros};
use super::distance::{Lane, Scratch};
use super::grammar::Grammar;
use super::holding::Holding;
use super::lane_tables::{self, Tables};
use super::long_lanes;
use super::zeros::zeros_of;
use crate::counts::{Counts, ZERO_NIBBLE, lane_sum};
use crate::set::KindSet;
use crate::tile::Kind;
use smallvec::SmallVec;

/// A hand split into lanes.
pub(super) struct Lanes<'a> {
    grammar: &'a Grammar,
    tables: Option<&'a Tables>,
    holding: Holding,
    /// Copies that a target may use: those of the set without the declared ones.
    limits: Counts,
    zeros: Zeros,
    /// The costs of the light lanes.
    costs: [Costs; 4],
    /// The long lane, if there is one.
    long: Option<usize>,
}

impl<'a> Lanes<'a> {
    /// Splits a hand. Costs come from `tables` where given, otherwise from `scratch` or the search.
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
            zeros: zeros_of(grammar, holding),
            costs: [Costs::FAR; 4],
            long: None,
        };
        if !grammar.standard {
            return lanes;
        }
        lanes.long = (0..4).find(|&lane| lanes.is_long(lane, holding.concealed.lane(lane)));
        for lane in (0..4).filter(|&lane| lanes.long != Some(lane)) {
            lanes.costs[lane] = lanes.costs_of(lane, holding.concealed.lane(lane), scratch);
        }
        lanes
    }

    /// True if the lane with these counts is long. Without tables, or if zeros are counted, no lane is.
    fn is_long(&self, index: usize, counts: u64) -> bool {
        let Some(most) = lane_tables::tiles(self.zeros).filter(|_| self.tables.is_some()) else {
            return false;
        };
        let tiles = lane_sum(self.lane(index, counts).counts) as usize;
        // With so few tiles in hand, two lanes cannot both be long, not even after one more tile.
        tiles > most && self.holding.concealed.total() <= 2 * most
    }

    fn lane(&self, index: usize, counts: u64) -> Lane {
        // Zeros are a coordinate of the costs, not tiles of the lane.
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

    /// The zeros in hand, and the zeros that a target may use.
    fn zeros_in_all(&self) -> (usize, usize) {
        match self.zeros {
            Zeros::None => (0, 0),
            Zeros::Shared(held) => (held, held),
            Zeros::Counted(held) => (held, usize::from(self.limits.get(Kind::ZERO))),
        }
    }

    /// The tiles missing from the whole hand, from the costs of some lanes and of all others.
    fn total(&self, some: &Costs, others: &Costs) -> u8 {
        let planes = self.zeros.planes();
        some.least(others, self.need(), planes, self.zeros_in_all())
    }

    /// The costs of all lanes but `lanes`, combined. The long lane must be among `lanes`, and at least one
    /// lane must remain.
    fn beside(&self, lanes: &[usize]) -> Costs {
        let mut others = (0..4)
            .filter(|lane| !lanes.contains(lane))
            .map(|lane| self.costs[lane]);
        let first = others.next().unwrap_or(Costs::FAR);
        others.fold(first, |sum, costs| sum.plus(&costs, self.zeros.planes()))
    }

    /// The missing tiles of a long lane and the others together, if fewer than `bound`; otherwise `bound`.
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

    /// The tiles missing if one light lane has these `costs`. `others` are the costs of the other light
    /// lanes, `rest` is their complement. A long lane is searched in addition. The answer is exact if it is
    /// less than `bound`.
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
        if !self.grammar.standard {
            return self.grammar.special.missing_below(&self.holding, FAR) as i8 - 1;
        }
        let most = (3 * self.need() + 2) as u8;
        let standard = match self.long {
            Some(long) => {
                let counts = self.holding.concealed.lane(long);
                let bound = self.grammar.special.missing_below(&self.holding, most);
                self.with_long(long, counts, &self.beside(&[long]), bound)
            }
            None => self.total(&self.costs[0], &self.beside(&[0])),
        };
        self.grammar.special.missing_below(&self.holding, standard) as i8 - 1
    }

    /// The kinds that lower the distance when drawn.
    pub(super) fn accepts(&self, distance: i8, scratch: &mut Scratch) -> KindSet {
        let mut accepts = KindSet::EMPTY;
        if distance < 0 {
            return accepts;
        }
        let missing = distance as u8 + 1;
        // The costs of changed lanes so far, and whether they lower the distance. Few changed lanes differ in
        // costs.
        let mut met: SmallVec<[(Costs, bool); 8]> = SmallVec::new();
        let mut beside = (4, [Costs::FAR; 2]);
        // If one more tile makes the current lane long: the places that lower the distance.
        let mut heavier = None;
        // One tile lowers the number of missing tiles by at most one. So only forms with exactly `missing`
        // missing tiles count.
        if self
            .grammar
            .special
            .missing_below(&self.holding, missing + 1)
            == missing
        {
            accepts = self.grammar.special.accepts(&self.holding, missing);
        }
        if !self.grammar.standard {
            return accepts;
        }
        for kind in self.grammar.copies.kinds().iter() {
            if accepts.contains(kind) || self.holding.is_exhausted(kind, &self.grammar.copies) {
                continue;
            }
            let more = self.holding.with_beyond(kind);
            if self.grammar.uses_zero && kind == Kind::ZERO {
                // One more zero changes the costs of every lane.
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

    /// The places where one more tile lowers `missing`, for a lane that the tile makes long. `None` for other
    /// lanes. `with` are the counts with one more tile, `others` the costs of the other lanes.
    fn heavier(&self, index: usize, with: u64, others: &Costs, missing: u8) -> Option<u16> {
        let is_made_heavy = self.long.is_none() && self.is_long(index, with);
        let tables = self.tables.filter(|_| is_made_heavy)?;
        let lane = self.lane(index, self.holding.concealed.lane(index));
        long_lanes::lowering(self.grammar, tables, &lane, (others, self.need()), missing)
    }
}
