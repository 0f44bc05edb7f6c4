//! The costs of a lane, and how lanes combine.
//!
//! A *target* of a lane is some groups, with or without a pair, that the lane's tiles may become. Its *cost*
//! is how many of its tiles the hand lacks. A *plane* has the least cost for each of 0 to 5 groups and 0 or 1
//! pairs, one byte each; such a byte is a *cell*. The costs of a lane are a plane for each number of zeros.
//!
//! Combining two planes takes a few operations on sixteen bytes at once, which the compiler generates from
//! plain loops.

use std::hash::{Hash, Hasher};

/// More tiles than any hand can lack. The sum of two still fits a byte.
pub(super) const FAR: u8 = 60;

/// The number of zeros is 0 to 4.
pub(super) const ZEROS: usize = 5;

/// The most groups of a hand.
pub(super) const MOST_GROUPS: usize = 5;
/// Numbers of groups: from none to the most.
const GROUPS: usize = MOST_GROUPS + 1;

/// Sixteen bytes, of which twelve are cells. [`cell`] gives the index.
pub(super) type Plane = [u8; 16];

/// The costs of a lane: a plane for each number of zeros, see [`Zeros`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Costs(pub(super) [Plane; ZEROS]);

impl Hash for Costs {
    // Mixes all bytes to one word first, because hashing eighty bytes one by one takes long.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mixed = self.0.iter().fold(0, |mixed: u64, plane| {
            let plane = u128::from_le_bytes(*plane);
            let word = plane as u64 ^ ((plane >> 64) as u64).rotate_left(32);
            (mixed.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        state.write_u64(mixed);
    }
}

/// The index of a cell in a plane.
#[inline]
pub(super) const fn cell(groups: usize, pair: usize) -> usize {
    groups * 2 + pair
}

/// A plane prepared for combining. It is stored unchanged, and with its costs without a pair moved to the
/// cells with a pair. Both follow sixteen bytes of [`FAR`], so that they can be shifted by whole groups.
struct Addend {
    as_is: [u8; 32],
    with_pair: [u8; 32],
}

impl Addend {
    #[inline]
    fn new(plane: &Plane) -> Self {
        let mut addend = Self {
            as_is: [FAR; 32],
            with_pair: [FAR; 32],
        };
        addend.as_is[16..].copy_from_slice(plane);
        for i in 0..8 {
            addend.with_pair[17 + 2 * i] = plane[2 * i];
        }
        addend
    }

    /// Lowers `sum` to the costs of `plane` and this plane combined.
    #[inline]
    fn add_to(&self, sum: &mut Plane, plane: &Plane) {
        for groups in 0..GROUPS {
            let (single, paired) = (plane[cell(groups, 0)], plane[cell(groups, 1)]);
            // Hands of five groups are rare.
            if groups == MOST_GROUPS && single.min(paired) >= FAR {
                break;
            }
            let shift = 16 - 2 * groups;
            // Always `Some`. A fixed length lets the compiler work on whole planes.
            if let (Some(as_is), Some(with_pair)) = (
                self.as_is[shift..].first_chunk::<16>(),
                self.with_pair[shift..].first_chunk::<16>(),
            ) {
                lower(sum, as_is, single);
                lower(sum, with_pair, paired);
            }
        }
    }
}

/// Lowers each cell of `sum` to that of `addend` plus `more`, if that is less.
#[inline(always)]
fn lower(sum: &mut Plane, addend: &Plane, more: u8) {
    for (sum, &addend) in sum.iter_mut().zip(addend) {
        *sum = (*sum).min(addend + more);
    }
}

impl Costs {
    pub(super) const FAR: Self = Self([[FAR; 16]; ZEROS]);

    /// The costs of two lanes combined, in the first `planes` planes.
    #[inline]
    pub(super) fn plus(&self, other: &Self, planes: usize) -> Self {
        let mut sum = Self::FAR;
        for theirs in 0..planes {
            let addend = Addend::new(&other.0[theirs]);
            for mine in 0..planes - theirs {
                addend.add_to(&mut sum.0[mine + theirs], &self.0[mine]);
            }
        }
        sum
    }

    /// The costs in the order in which another lane needs them: each cell has the cost of the rest of `need`
    /// groups and a pair.
    #[inline]
    pub(super) fn complement(&self, need: usize, planes: usize) -> Self {
        // A cell without a pair is combined with the other groups and a pair, and vice versa. So the
        // complement is the cells up to `need` groups and a pair in reverse order.
        let beyond = 8 * (14 - 2 * need as u32);
        let far = u128::from_le_bytes([FAR; 16]);
        let mut rest = Self::FAR;
        for (to, from) in rest.0.iter_mut().zip(&self.0).take(planes) {
            let turned = u128::from_be_bytes(*from) >> beyond;
            *to = (turned | far & !(u128::MAX >> beyond)).to_le_bytes();
        }
        rest
    }

    /// The fewest missing tiles of two lanes for `need` groups and a pair. `zeros` are the zeros in hand and
    /// the most that may be used. Each zero beyond those in hand costs one.
    #[inline]
    pub(super) fn least(
        &self,
        other: &Self,
        need: usize,
        planes: usize,
        zeros: (usize, usize),
    ) -> u8 {
        self.least_with(&other.complement(need, planes), planes, zeros)
    }

    /// [`Self::least`] with the [complement](Self::complement) of the other lane.
    #[inline]
    pub(super) fn least_with(
        &self,
        rest: &Self,
        planes: usize,
        (held, most): (usize, usize),
    ) -> u8 {
        let mut least = FAR;
        for used in 0..planes.min(most + 1) {
            let paid = used.saturating_sub(held) as u8;
            let mut plane = [FAR; 16];
            for mine in 0..=used {
                let (a, b) = (&self.0[mine], &rest.0[used - mine]);
                for i in 0..16 {
                    plane[i] = plane[i].min(a[i] + b[i]);
                }
            }
            let found = plane.into_iter().min().unwrap_or(FAR);
            least = least.min(found + paid);
        }
        least
    }
}

/// The costs of adding groups to a target. Each plane is indexed by the total number of groups. A *seed* is a
/// group with one held tile; it costs two. A group without held tiles costs three.
#[derive(Debug)]
pub(super) struct Fillers {
    /// Without a pair, by the groups of the target and the number of seeds.
    single: [[Plane; GROUPS]; GROUPS],
    /// The same with a pair.
    paired: [[Plane; GROUPS]; GROUPS],
    /// Adds no group, for sets so small that groups may run out. By the groups of the target and its pairs.
    alone: [[Plane; 2]; GROUPS],
    /// A lower bound on the cost of further groups, by the groups of the target and the tiles left.
    floor: [[Plane; 20]; GROUPS],
    /// A lower bound from the least cost of one further group, by the groups of the target and that cost.
    each: [[Plane; 4]; GROUPS],
}

/// The fillers for hands of up to `most` groups. Cells of more groups stay far.
const fn fillers(most: usize) -> Fillers {
    let mut table = Fillers {
        single: [[[FAR; 16]; GROUPS]; GROUPS],
        paired: [[[FAR; 16]; GROUPS]; GROUPS],
        alone: [[[FAR; 16]; 2]; GROUPS],
        floor: [[[FAR; 16]; 20]; GROUPS],
        each: [[[FAR; 16]; 4]; GROUPS],
    };
    let mut groups = 0;
    while groups <= most {
        table.alone[groups][0][cell(groups, 0)] = 0;
        table.alone[groups][1][cell(groups, 1)] = 0;
        let mut all = groups;
        while all <= most {
            let more = all - groups;
            let mut seeds = 0;
            while seeds < GROUPS {
                let cheap = if more < seeds { more } else { seeds };
                let cost = (2 * cheap + 3 * (more - cheap)) as u8;
                table.single[groups][seeds][cell(all, 0)] = cost;
                table.paired[groups][seeds][cell(all, 1)] = cost;
                seeds += 1;
            }
            if more > 0 {
                let mut left = 0;
                while left < 20 {
                    let mut pair = 0;
                    while pair < 2 {
                        let tiles = 3 * more + 2 * pair;
                        let lacks = tiles.saturating_sub(left);
                        table.floor[groups][left][cell(all, pair)] = lacks as u8;
                        pair += 1;
                    }
                    left += 1;
                }
                let mut each = 0;
                while each < 4 {
                    table.each[groups][each][cell(all, 0)] = (each * more) as u8;
                    table.each[groups][each][cell(all, 1)] = (each * more) as u8;
                    each += 1;
                }
            }
            all += 1;
        }
        groups += 1;
    }
    table
}

/// Nearly all hands have four groups. Their costs must not have cells of five groups, because such cells would make
/// equal lanes differ.
static OF_FOUR: Fillers = fillers(4);
static OF_FIVE: Fillers = fillers(MOST_GROUPS);

/// What the planes of a lane mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Zeros {
    /// The grammar has no zeros: one plane.
    None,
    /// The lanes share this number of zeros in hand. There is a plane for each number of them that is assigned
    /// to this lane, from none to all. Further zeros of a target are missing tiles.
    Shared(usize),
    /// The zeros of a target are counted. The number is that of the zeros in hand. There is a plane for each
    /// number of zeros, 0 to 4, that the target of this lane uses. Zeros not in hand are charged after the lanes
    /// are combined, when their number can be compared with the copies in the set.
    Counted(usize),
}

impl Zeros {
    /// The zeros in hand that lanes share; `None` if zeros are counted.
    pub(super) const fn shared(self) -> Option<usize> {
        match self {
            Self::None => Some(0),
            Self::Shared(held) => Some(held),
            Self::Counted(_) => None,
        }
    }

    /// The number of planes that a lane has.
    pub(super) const fn planes(self) -> usize {
        match self {
            Self::None => 1,
            Self::Shared(held) => held + 1,
            Self::Counted(_) => ZEROS,
        }
    }
}

/// The least costs found so far in a lane. A target that is possible with some zeros is possible with more, so
/// it is noted in all those planes.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) costs: Costs,
    zeros: Zeros,
    planes: usize,
    aim: Option<Aim>,
    fillers: &'static Fillers,
}

/// The aim of a search for one number: the fewest tiles that a lane and the others lack together.
#[derive(Clone, Debug)]
struct Aim {
    /// What the other lanes lack beside each target of this lane.
    others: Costs,
    /// The fewest so far.
    least: u8,
}

/// The groups of a target so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) groups: usize,
    /// Zeros that it uses.
    pub(super) zeros: usize,
    /// Tiles that it lacks, if all its zeros are there.
    pub(super) cost: u8,
}

impl Found {
    /// Nothing found yet, for hands of up to `groups` groups.
    pub(super) fn new(zeros: Zeros, groups: usize) -> Self {
        Self {
            costs: Costs::FAR,
            zeros,
            planes: zeros.planes(),
            aim: None,
            fillers: if groups > 4 { &OF_FIVE } else { &OF_FOUR },
        }
    }

    /// Looks for one number: the fewest tiles that the lane and the others lack together for `need` groups
    /// and a pair. Only numbers less than `bound` count. The zeros must be shared.
    pub(super) fn with_aim(zeros: Zeros, others: &Costs, need: usize, bound: u8) -> Self {
        let planes = zeros.planes();
        let mut others = others.complement(need, planes);
        // The lanes share the zeros: the others cannot use those of this lane.
        others.0[..planes].reverse();
        Self::aiming(zeros, others, bound)
    }

    /// [`Self::with_aim`] if the caller knows what the others lack beside each target of the lane.
    pub(super) fn aiming(zeros: Zeros, others: Costs, bound: u8) -> Self {
        // Only hands of four groups have tables, and only then is there an aim.
        let mut found = Self::new(zeros, 4);
        found.aim = Some(Aim {
            others,
            least: bound,
        });
        found.look_below(bound);
        found
    }

    /// What the others lack beside each target of the lane; `None` without an aim.
    pub(super) fn others(&self) -> Option<&Costs> {
        self.aim.as_ref().map(|aim| &aim.others)
    }

    /// The fewest tiles found with an aim.
    pub(super) fn least(&self) -> u8 {
        self.aim.as_ref().map_or(FAR, |aim| aim.least)
    }

    /// With an aim, the costs turn into upper bounds: only a cost below them leads to less than `least`.
    fn look_below(&mut self, least: u8) {
        if let Some(aim) = &mut self.aim {
            aim.least = least;
            for (costs, others) in self.costs.0.iter_mut().zip(&aim.others.0).take(self.planes) {
                for (cost, other) in costs.iter_mut().zip(others) {
                    *cost = (*cost).min(least.saturating_sub(*other));
                }
            }
        }
    }

    /// Lowers the costs in the plane at index `at`.
    #[inline]
    fn lower(&mut self, at: usize, plane: &Plane, more: u8) {
        lower(&mut self.costs.0[at], plane, more);
        if let Some(aim) = &self.aim {
            let sums = self.costs.0[at].iter().zip(&aim.others.0[at]);
            let least = sums.map(|(cost, other)| cost + other).min().unwrap_or(FAR);
            if least < aim.least {
                self.look_below(least);
            }
        }
    }

    /// The planes in which a target counts. Each comes with the zeros that the target leaves and those that
    /// it lacks.
    #[inline]
    fn planes_of(&self, target: Target) -> impl Iterator<Item = (usize, usize, u8)> + use<> {
        let first = match self.zeros {
            Zeros::Counted(_) => target.zeros,
            Zeros::None | Zeros::Shared(_) => 0,
        };
        (first..self.planes).map(move |plane| {
            let left = plane.saturating_sub(target.zeros);
            (plane, left, target.zeros.saturating_sub(plane) as u8)
        })
    }

    /// True if some plane is for this many zeros.
    #[inline]
    pub(super) fn has(&self, zeros: usize) -> bool {
        zeros < self.planes
    }

    /// True if a target may use this many zeros.
    #[inline]
    pub(super) fn allows(&self, zeros: usize) -> bool {
        zeros < ZEROS || matches!(self.zeros, Zeros::Shared(_))
    }

    /// Notes a target without further groups, with or without a pair.
    pub(super) fn note_alone(&mut self, target: Target, pair: usize) {
        let plane = &self.fillers.alone[target.groups][pair];
        for (at, _, lacks) in self.planes_of(target) {
            self.lower(at, plane, target.cost + lacks);
        }
    }

    /// Notes a target with further groups: `seeds` of them may hold a tile, `zero_seeds` may hold a zero.
    #[inline]
    pub(super) fn note(&mut self, target: Target, pair: usize, seeds: usize, zero_seeds: usize) {
        let rows = if pair == 0 {
            &self.fillers.single
        } else {
            &self.fillers.paired
        };
        let rows = &rows[target.groups];
        for (at, left, lacks) in self.planes_of(target) {
            let plane = &rows[(seeds + left.min(zero_seeds)).min(MOST_GROUPS)];
            self.lower(at, plane, target.cost + lacks);
        }
    }

    /// False if this target cannot become better than those found, whatever groups it adds. `tiles` are the
    /// held tiles that it does not use. Each added group costs at least `each`. If zeros are counted, the target
    /// is also compared with those found with fewer zeros. Zeros in other lanes only raise the number that is
    /// charged.
    #[inline]
    pub(super) fn may_better(&self, target: Target, tiles: usize, each: u8) -> bool {
        let each = &self.fillers.each[target.groups][usize::from(each)];
        let mut bound = [FAR; 16];
        for zeros in 0..self.planes {
            let found = &self.costs.0[zeros];
            match self.zeros {
                Zeros::Counted(held) => {
                    // A zero that is not in hand costs one. So this cost plus one, with one zero fewer, is
                    // just as good.
                    let paid = u8::from(zeros > held);
                    for (bound, found) in bound.iter_mut().zip(found) {
                        *bound = bound.saturating_sub(paid).min(*found);
                    }
                    if zeros < target.zeros {
                        continue;
                    }
                }
                Zeros::None | Zeros::Shared(_) => bound = *found,
            }
            let left = (tiles + zeros.saturating_sub(target.zeros)).min(19);
            let cost = target.cost + target.zeros.saturating_sub(zeros) as u8;
            let floor = &self.fillers.floor[target.groups][left];
            let mut better = 0u8;
            for i in 0..16 {
                better |= u8::from(cost + floor[i].max(each[i]) < bound[i]);
            }
            if better != 0 {
                return true;
            }
        }
        false
    }
}
