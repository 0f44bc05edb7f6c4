//! All discards of a hand on turn: which of them keep its distance, and what it accepts after each.

use super::holding::Holding;
use super::limits::Limits;
use super::{Decomposer, Scratch, lane_tables};
use crate::counts::{CountBits, Counts};
use crate::set::KindSet;
use crate::tile::Kind;

impl Decomposer {
    /// The distance of a hand on turn. For each discard that keeps it, visits the kind and what the hand
    /// accepts after that discard. A complete hand has no such discards.
    pub fn discards(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Kind, KindSet),
    ) -> i8 {
        if let Some(wild) = &self.wild {
            return wild.discards(holding, scratch, &mut visit);
        }
        let as_told = |_: &mut Scratch, kind, accepts| visit(kind, accepts);
        if holding.declared.is_empty() {
            return self.discards_at_once(holding, scratch, as_told);
        }
        if self.limits_matter(holding) {
            return self.discards_one_by_one(holding, scratch, as_told);
        }
        let mut within = WithinLimits::of(self, holding);
        self.discards_at_once(holding, scratch, |scratch, kind, accepts| {
            visit(kind, within.accepts_after(kind, accepts, scratch));
        })
    }

    /// [`Self::discards`] of a hand whose limits do not matter for its distance. They may matter for its accepted
    /// tiles.
    #[inline]
    fn discards_at_once(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        mut visit: impl FnMut(&mut Scratch, Kind, KindSet),
    ) -> i8 {
        if let Some(sight) = self.looked_up(holding) {
            let beside = &self.grammar.beside;
            let missing = sight.missing();
            if !beside.is_empty() && beside.missing_below(holding, missing + 1) <= missing {
                return self.discards_one_by_one(holding, scratch, visit);
            }
            let visit = |kind, accepts| visit(scratch, kind, accepts);
            return sight.discards(&holding.concealed, visit) as i8 - 1;
        }
        let hand = self
            .lane_tables()
            .and_then(|tables| lane_tables::LaneHand::of(tables, &self.grammar, holding));
        match hand.and_then(lane_tables::Discards::of) {
            Some(discards) => self.discards_by_lanes(holding, discards, scratch, visit),
            None => self.discards_one_by_one(holding, scratch, visit),
        }
    }

    fn discards_by_lanes(
        &self,
        holding: &Holding,
        mut discards: lane_tables::Discards<'_>,
        scratch: &mut Scratch,
        mut visit: impl FnMut(&mut Scratch, Kind, KindSet),
    ) -> i8 {
        let grammar = &self.grammar;
        let missing = grammar.special.missing_below(holding, discards.missing());
        let distance = missing as i8 - 1;
        if distance < 0 {
            return distance;
        }
        for kind in holding.concealed.kinds().iter() {
            let mut rest = *holding;
            rest.concealed.sub(kind, 1);
            let is_zero = grammar.uses_zero && kind == Kind::ZERO;
            let hand = if is_zero {
                None
            } else {
                discards.without(kind)
            };
            let found = hand.and_then(|after| {
                let of_groups = after.missing();
                if grammar.special.missing_below(&rest, of_groups) > missing {
                    return Some(None);
                }
                let with_zero = discards.missing_with_zero(&after);
                let of_others = |missing, others| discards.accepts(&after, missing, others);
                let found = self.accepts_among(&rest, of_groups, scratch, || with_zero, of_others);
                found.map(|(_, accepts)| Some(accepts))
            });
            let accepts = found.unwrap_or_else(|| self.accepts_after(&rest, distance, scratch));
            if let Some(accepts) = accepts {
                visit(scratch, kind, accepts);
            }
        }
        distance
    }

    /// The accepted tiles of the hand if it has this distance, from the tables or the search.
    fn accepts_after(
        &self,
        rest: &Holding,
        distance: i8,
        scratch: &mut Scratch,
    ) -> Option<KindSet> {
        let is_kept = self.distance(rest, scratch) == distance;
        is_kept.then(|| self.accepts(rest, scratch).1)
    }

    /// [`Self::discards`], each discard computed separately.
    fn discards_one_by_one(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        mut visit: impl FnMut(&mut Scratch, Kind, KindSet),
    ) -> i8 {
        let distance = self.distance(holding, scratch);
        if distance < 0 {
            return distance;
        }
        for kind in holding.concealed.kinds().iter() {
            let mut rest = *holding;
            rest.concealed.try_remove(kind);
            if let Some(accepts) = self.accepts_after(&rest, distance, scratch) {
                visit(scratch, kind, accepts);
            }
        }
        distance
    }

    /// [`Self::discards`], with how many of the accepted tiles are among the `unseen` ones.
    ///
    /// ```
    /// use paishan::decompose::{Holding, Scratch};
    /// use paishan::{Counts, Notation, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let mut tiles = Counts::EMPTY;
    /// for tile in Notation::Ujmj.parse("123456t789s2378mE")? {
    ///     tiles.try_add(tile.kind().expect("no flowers here"));
    /// }
    /// let unseen = woo.plan().tiles().copies().saturating_minus(&tiles);
    /// let mut best = None;
    /// let (holding, mut scratch) = (Holding::of_tiles(tiles), Scratch::new());
    /// let decomposer = &woo.plan().decomposer();
    /// let distance = decomposer.discards_counted(&holding, &unseen, &mut scratch, |kind, _, count| {
    ///     best = best.max(Some((count, kind)));
    /// });
    /// assert_eq!(distance, 1);
    /// assert!(best.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn discards_counted(
        &self,
        holding: &Holding,
        unseen: &Counts,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Kind, KindSet, u32),
    ) -> i8 {
        let unseen = CountBits::of(unseen);
        self.discards(holding, scratch, |kind, accepts| {
            visit(kind, accepts, unseen.count_in(accepts));
        })
    }
}

/// The accepted tiles of a hand with declared tiles after its discards. Its limits do not matter before it draws.
struct WithinLimits<'a> {
    decomposer: &'a Decomposer,
    holding: &'a Holding,
    limits: Limits<'a>,
    exhausted: KindSet,
    /// The kinds that were tested, and those of them that may bring the hand near its limits.
    seen: KindSet,
    doubtful: KindSet,
}

impl<'a> WithinLimits<'a> {
    fn of(decomposer: &'a Decomposer, holding: &'a Holding) -> Self {
        Self {
            decomposer,
            holding,
            limits: Limits::of(&decomposer.grammar, holding),
            exhausted: holding.exhausted(&decomposer.grammar.copies),
            seen: KindSet::EMPTY,
            doubtful: KindSet::EMPTY,
        }
    }

    /// The accepted tiles after a discard. `accepts` is the answer of the tables, and the hand accepts no other
    /// kinds.
    fn accepts_after(&mut self, kind: Kind, accepts: KindSet, scratch: &mut Scratch) -> KindSet {
        let mut accepts = accepts.difference(self.exhausted);
        let unseen = accepts.difference(self.seen);
        if !unseen.is_empty() {
            self.seen = self.seen.union(unseen);
            // Limits that do not matter for more tiles do not matter for fewer.
            let doubtful = self.limits.doubtful(&self.holding.concealed, unseen);
            self.doubtful = self.doubtful.union(doubtful);
        }
        let doubtful = accepts.intersection(self.doubtful);
        if doubtful.is_empty() {
            return accepts;
        }
        let mut rest = *self.holding;
        rest.concealed.try_remove(kind);
        let distance = self.decomposer.distance(&rest, scratch);
        for kind in doubtful.iter() {
            let more = rest.with(kind);
            let lowers = |more: &Holding| self.decomposer.distance(more, scratch) < distance;
            if !more.as_ref().is_some_and(lowers) {
                accepts.remove(kind);
            }
        }
        accepts
    }
}
