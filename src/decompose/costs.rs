//! What a lane lacks for each number of groups, pairs and zeros, and how lanes combine.
//!
//! A plane holds a byte for each of 0 to 4 groups and 0 or 1 pairs; adding a plane to another is a
//! handful of operations on sixteen bytes at once, which the compiler makes of plain loops.

/// More tiles than any hand can lack. Two of them still fit a byte.
pub(super) const FAR: u8 = 60;

/// Zeros 0 to 4.
pub(super) const ZEROS: usize = 5;

/// Sixteen bytes, of which ten count: `2 * groups + pair`.
pub(super) type Plane = [u8; 16];

/// A plane for each number of zeros that the lane's target uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Costs(pub(super) [Plane; ZEROS]);

/// The place of a number of groups and pairs in a plane.
#[inline]
pub(super) const fn cell(groups: usize, pair: usize) -> usize {
    groups * 2 + pair
}

/// A plane ready to be added to others: itself, and itself with its pairless costs moved to the
/// cells with a pair, each behind room to be shifted.
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

    /// Lowers `sum` to the costs of `plane` and this one together.
    #[inline]
    fn add_to(&self, sum: &mut Plane, plane: &Plane) {
        for groups in 0..5 {
            let (single, paired) = (plane[cell(groups, 0)], plane[cell(groups, 1)]);
            let shift = 16 - 2 * groups;
            // Both are there for every shift; fixed lengths let the compiler work on whole planes.
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

/// Lowers each cell to the addend's and `more`.
#[inline(always)]
fn lower(sum: &mut Plane, addend: &Plane, more: u8) {
    for (sum, &addend) in sum.iter_mut().zip(addend) {
        *sum = (*sum).min(addend + more);
    }
}

impl Costs {
    pub(super) const FAR: Self = Self([[FAR; 16]; ZEROS]);

    /// The costs of two lanes together, for up to `planes` numbers of zeros.
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

    /// The costs as they complete another lane: `need` groups and a pair less what is asked.
    #[inline]
    pub(super) fn complement(&self, need: usize, planes: usize) -> Self {
        // What has so many groups and no pair goes with the others and a pair, and so on: the cells of a plane up to
        // all groups and a pair from behind.
        let beyond = 8 * (14 - 2 * need as u32);
        let far = u128::from_le_bytes([FAR; 16]);
        let mut rest = Self::FAR;
        for (to, from) in rest.0.iter_mut().zip(&self.0).take(planes) {
            let turned = u128::from_be_bytes(*from) >> beyond;
            *to = (turned | far & !(u128::MAX >> beyond)).to_le_bytes();
        }
        rest
    }

    /// The least that two lanes lack for `need` groups and a pair when `held` zeros are there, `most`
    /// may be used, and each further one must be paid for.
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

    /// The same, given the [complement](Self::complement) of the other.
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

/// What groups beside a target cost: a row for the groups that the target has and the seeds there
/// are, a cell for the groups in all. A seed costs two, a group of which no tile is held three.
pub(super) struct Fillers {
    /// Without a pair, by groups and seeds.
    single: [[Plane; 5]; 5],
    /// With a pair.
    paired: [[Plane; 5]; 5],
    /// The same where groups beside the target may run out: none is added.
    alone: [[Plane; 2]; 5],
    /// What the missing tiles of targets with more groups cost at least, by groups and tiles left.
    floor: [[Plane; 20]; 5],
    /// Groups beyond those of the target times what each costs at least, by groups and that cost.
    each: [[Plane; 4]; 5],
}

const fn fillers() -> Fillers {
    let mut table = Fillers {
        single: [[[FAR; 16]; 5]; 5],
        paired: [[[FAR; 16]; 5]; 5],
        alone: [[[FAR; 16]; 2]; 5],
        floor: [[[FAR; 16]; 20]; 5],
        each: [[[FAR; 16]; 4]; 5],
    };
    let mut groups = 0;
    while groups < 5 {
        table.alone[groups][0][cell(groups, 0)] = 0;
        table.alone[groups][1][cell(groups, 1)] = 0;
        let mut all = groups;
        while all < 5 {
            let more = all - groups;
            let mut seeds = 0;
            while seeds < 5 {
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

static FILLERS: Fillers = fillers();

/// What the planes of a lane stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Zeros {
    /// The grammar has none: one plane.
    None,
    /// A plane for each number of held zeros, from none to all of the hand, that this lane has for
    /// itself. Further zeros of a target are tiles that it lacks.
    Shared(usize),
    /// A plane for each number of zeros, 0 to 4, that the lane's target uses. They are paid for
    /// once lanes are put together, and can be counted against what the set has.
    Counted(usize),
}

impl Zeros {
    /// Zeros in hand that lanes share; `None` where they are counted.
    pub(super) const fn shared(self) -> Option<usize> {
        match self {
            Self::None => Some(0),
            Self::Shared(held) => Some(held),
            Self::Counted(_) => None,
        }
    }

    pub(super) const fn planes(self) -> usize {
        match self {
            Self::None => 1,
            Self::Shared(held) => held + 1,
            Self::Counted(_) => ZEROS,
        }
    }
}

/// The costs found so far in a lane, kept so that what is possible with fewer zeros is possible
/// with more.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) costs: Costs,
    zeros: Zeros,
    planes: usize,
    aim: Option<Aim>,
}

/// What is asked for where a lane is searched together with others: one number.
#[derive(Clone, Debug)]
struct Aim {
    /// What the others lack beside each target of the lane.
    others: Costs,
    least: u8,
}

/// What a target with some groups is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) groups: usize,
    pub(super) zeros: usize,
    /// Tiles that it lacks, all its zeros being there.
    pub(super) cost: u8,
}

impl Found {
    pub(super) fn new(zeros: Zeros) -> Self {
        Self {
            costs: Costs::FAR,
            zeros,
            planes: zeros.planes(),
            aim: None,
        }
    }

    /// Looks only for the least that a lane lacks together with others for `need` groups and a pair, less
    /// than `bound`. Zeros are shared.
    pub(super) fn with_aim(zeros: Zeros, others: &Costs, need: usize, bound: u8) -> Self {
        let planes = zeros.planes();
        let mut others = others.complement(need, planes);
        // What zeros this lane has the others lack.
        others.0[..planes].reverse();
        Self::aiming(zeros, others, bound)
    }

    /// The same, told what others lack beside each target of the lane.
    pub(super) fn aiming(zeros: Zeros, others: Costs, bound: u8) -> Self {
        let mut found = Self::new(zeros);
        found.aim = Some(Aim {
            others,
            least: bound,
        });
        found.look_below(bound);
        found
    }

    /// What others lack beside each target of the lane.
    pub(super) fn others(&self) -> Option<&Costs> {
        self.aim.as_ref().map(|aim| &aim.others)
    }

    /// The least found with an aim.
    pub(super) fn least(&self) -> u8 {
        self.aim.as_ref().map_or(FAR, |aim| aim.least)
    }

    /// With an aim, costs are bounds: only what is below them makes for less than the least.
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

    /// Lowers the costs of a plane.
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

    /// The planes that a target stands in, each with the zeros that it leaves and those that it
    /// lacks.
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

    /// True when some plane has so many zeros.
    #[inline]
    pub(super) fn has(&self, zeros: usize) -> bool {
        zeros < self.planes
    }

    /// True when a target may use so many zeros.
    #[inline]
    pub(super) fn allows(&self, zeros: usize) -> bool {
        zeros < ZEROS || matches!(self.zeros, Zeros::Shared(_))
    }

    /// Notes a target that stands alone, with or without a pair.
    pub(super) fn note_alone(&mut self, target: Target, pair: usize) {
        let plane = &FILLERS.alone[target.groups][pair];
        for (at, _, lacks) in self.planes_of(target) {
            self.lower(at, plane, target.cost + lacks);
        }
    }

    /// Notes a target with groups beside it: `seeds` of them hold a tile, `zero_seeds` a zero.
    #[inline]
    pub(super) fn note(&mut self, target: Target, pair: usize, seeds: usize, zero_seeds: usize) {
        let rows = if pair == 0 {
            &FILLERS.single
        } else {
            &FILLERS.paired
        };
        let rows = &rows[target.groups];
        for (at, left, lacks) in self.planes_of(target) {
            let plane = &rows[(seeds + left.min(zero_seeds)).min(4)];
            self.lower(at, plane, target.cost + lacks);
        }
    }

    /// False when no target that goes on from here with groups that cost `each` or more can be
    /// cheaper than what was found with as many zeros, or, zeros being paid for, with fewer. Zeros
    /// of other lanes can only make more of them to be paid for.
    #[inline]
    pub(super) fn may_better(&self, target: Target, tiles: usize, each: u8) -> bool {
        let each = &FILLERS.each[target.groups][usize::from(each)];
        let mut bound = [FAR; 16];
        for zeros in 0..self.planes {
            let found = &self.costs.0[zeros];
            match self.zeros {
                Zeros::Counted(held) => {
                    // Found with fewer zeros and one more paid for is as good.
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
            let floor = &FILLERS.floor[target.groups][left];
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
