//! The decomposer: every arrangement of a complete hand, and how far an unfinished one is.
//!
//! [`Decomposer`] is the one door. What stands behind it – a search for arrangements, a bounded
//! search a lane with a cache for distances – is nobody else's business and may change.

mod arrange;
mod arrangement;
mod classical;
mod costs;
mod distance;
mod floor;
mod form;
mod grammar;
mod holding;
mod kinds;
mod lane_tables;
mod lanes;
mod long_lanes;
#[cfg(test)]
mod naive;
mod ready;
mod special;

pub use arrangement::Arrangement;
use classical::TableForms;
pub use distance::Scratch;

pub use form::SpecialForm;
pub use grammar::{Grammar, GrammarError, Shape, ShapeId, ShapeSet};
pub use holding::Holding;

use crate::counts::Counts;
use crate::hand::Hand;
use crate::set::KindSet;
use crate::tile::Kind;
use holding::{HAND, goes_with_forms};
use kinds::Kinds;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// One tile of a kind in the lane of the honours; nothing for a number.
#[inline]
const fn one_honour(kind: Kind) -> u64 {
    ((kind.lane() == 3) as u64) << (4 * kind.place())
}

/// Answers questions about tiles under one [`Grammar`]. It is immutable and shared between
/// threads; memory that is written to is a [`Scratch`] which the caller owns.
#[derive(Clone, Debug)]
pub struct Decomposer {
    grammar: Grammar,
    /// What is looked up beyond the classical grammar, shared with all clones, made at first use.
    lane_tables: Arc<OnceLock<Option<lane_tables::Tables>>>,
}

impl Decomposer {
    /// A decomposer for a grammar.
    pub fn new(grammar: Grammar) -> Self {
        Self {
            grammar,
            lane_tables: Arc::default(),
        }
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Visits every way to read concealed tiles as a complete hand beside the declared groups: each
    /// multiset of groups once, then each special form. The visitor may stop early.
    ///
    /// ```
    /// use paishan::decompose::Holding;
    /// use paishan::{Counts, Notation, Ruleset, ruleset};
    /// use std::ops::ControlFlow;
    /// let woo = ruleset::by_id("woo", &[])?;
    /// let mut tiles = Counts::EMPTY;
    /// for tile in Notation::Ujmj.parse("11122233344455s")? {
    ///     tiles.try_add(tile.kind().expect("no flowers here"));
    /// }
    /// let mut ways = 0;
    /// let _ = woo.plan().decomposer.arrangements(&Holding::of_tiles(tiles), |_| {
    ///     ways += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(ways, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn arrangements(
        &self,
        holding: &Holding,
        mut visit: impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.may_be_complete(holding.concealed.lane(3)) {
            return ControlFlow::Continue(());
        }
        self.arrangements_indeed(holding, &mut visit)
    }

    /// The same for hands that are not ruled out at a glance.
    // Apart, for most are, and whoever asks should not call for that.
    #[inline(never)]
    fn arrangements_indeed(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Holding {
            concealed, melds, ..
        } = holding;
        // Of a fifth copy tables know nothing.
        let forms = self.forms_of(concealed);
        let Some(forms) = forms.filter(|_| !concealed.goes_beyond()) else {
            return self.arrangements_beyond(holding, visit);
        };
        if concealed.total() + 3 * melds != HAND {
            return ControlFlow::Continue(());
        }
        classical::arrangements(concealed, visit)?;
        if *melds > 0 || !forms.is_any(concealed) {
            return ControlFlow::Continue(());
        }
        special::complete(&self.grammar, holding, visit)
    }

    /// The arrangements of which tables do not tell.
    // Apart, so that what is looked up stays small where it is called.
    #[inline(never)]
    fn arrangements_beyond(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        arrange::standard(&self.grammar, &holding.concealed, holding.melds, visit)?;
        special::complete(&self.grammar, holding, visit)
    }

    /// True when the tiles are a complete hand.
    #[inline]
    pub fn is_complete(&self, holding: &Holding) -> bool {
        self.may_be_complete(holding.concealed.lane(3)) && self.is_complete_indeed(holding)
    }

    /// The same for hands that are not ruled out at a glance.
    // Apart, for most are, and whoever asks should not call for that.
    #[inline(never)]
    fn is_complete_indeed(&self, holding: &Holding) -> bool {
        let mut stop = |_: &Arrangement| ControlFlow::Break(());
        self.complete_by_tables(&holding.concealed, holding.melds)
            .unwrap_or_else(|| self.arrangements_beyond(holding, &mut stop).is_break())
    }

    /// True where tables tell what hands wait for and lack.
    #[inline]
    pub(crate) const fn has_tables(&self) -> bool {
        self.grammar.tables.is_some()
    }

    /// The forms of the classical grammar, where it is that and has all the tiles.
    #[inline]
    fn forms_of(&self, concealed: &Counts) -> Option<TableForms> {
        self.grammar
            .tables
            .filter(|_| classical::has_all(concealed))
    }

    /// Whether the tiles are a complete hand, where tables tell.
    #[inline]
    fn complete_by_tables(&self, concealed: &Counts, melds: usize) -> Option<bool> {
        let forms = self.grammar.tables?;
        if !classical::has_all(concealed) {
            return None;
        }
        let complete = classical::is_complete(concealed) || melds == 0 && forms.is_any(concealed);
        Some(complete && concealed.total() + 3 * melds == HAND)
    }

    /// True when a hand with one more tile, if one is given, is complete: as
    /// [`Decomposer::is_complete`], asked often and of the hand as it is.
    #[inline]
    pub fn completes(&self, hand: &Hand, more: Option<Kind>) -> bool {
        let honours = hand.concealed().lane(3) + more.map_or(0, one_honour);
        self.may_be_complete(honours) && self.completes_indeed(hand, more)
    }

    /// False for most hands that are not complete, as their honours tell at once.
    #[inline]
    fn may_be_complete(&self, honours: u64) -> bool {
        match self.grammar.tables {
            Some(forms) => classical::may_be_complete(honours, forms),
            None => {
                // Of other forms no honour is held once.
                arrange::lone(honours, self.grammar.alone[3]) == 0
                    || self.grammar.form_floor.may_be_one_each(honours)
            }
        }
    }

    /// The same for hands that their honours do not rule out.
    // Apart, for most are, and whoever asks should not call for that.
    #[inline(never)]
    fn completes_indeed(&self, hand: &Hand, more: Option<Kind>) -> bool {
        let concealed = match more {
            Some(kind) => match hand.concealed().with(kind) {
                Some(concealed) => concealed,
                None => return false,
            },
            None => *hand.concealed(),
        };
        let complete = self.complete_by_tables(&concealed, hand.melds.len());
        complete.unwrap_or_else(|| {
            let mut stop = |_: &Arrangement| ControlFlow::Break(());
            let melds = hand.melds.len();
            // What is declared matters to forms alone.
            arrange::standard(&self.grammar, &concealed, melds, &mut stop).is_break()
                || self.grammar.form_floor.may_be_forms(&concealed) && goes_with_forms(hand) && {
                    let whole = Holding {
                        concealed,
                        ..Holding::from(hand)
                    };
                    special::complete(&self.grammar, &whole, &mut stop).is_break()
                }
        })
    }

    /// True when a hand without one tile of a kind is [ready](Self::is_ready).
    #[inline]
    pub(crate) fn is_ready_without(&self, hand: &Hand, kind: Kind) -> bool {
        let concealed = hand.concealed();
        if concealed.get(kind) == 0 {
            return false;
        }
        // The honours of most hands rule it out.
        let honours = concealed.lane(3) - one_honour(kind);
        let may_wait = |forms| classical::may_wait(honours, forms);
        self.grammar.tables.is_none_or(may_wait) && self.is_ready_without_it(hand, kind)
    }

    /// The same for hands that their honours do not rule out, which hold the tile.
    // Apart, for most are, and whoever asks should not call for that.
    #[inline(never)]
    fn is_ready_without_it(&self, hand: &Hand, kind: Kind) -> bool {
        let mut concealed = *hand.concealed();
        concealed.sub(kind, 1);
        let waits = self.waits_by_tables(&concealed, hand.melds.len());
        // What is declared matters where something is waited for.
        waits.is_none_or(|waits| !waits.is_empty())
            && self.is_ready(&Holding {
                concealed,
                ..Holding::from(hand)
            })
    }

    /// True when one more tile of some kind completes the tiles, no kind used more often than the set
    /// has it: as a [`Decomposer::distance`] of 0, without any memory.
    pub fn is_ready(&self, holding: &Holding) -> bool {
        if self.forms_of(&holding.concealed).is_some() {
            let left = |kind: Kind| !holding.is_exhausted(kind, &self.grammar.copies);
            return self.waits(holding).iter().any(left);
        }
        let hand = self
            .lane_tables()
            .and_then(|tables| lane_tables::Hand::of(tables, &self.grammar, holding));
        if let Some(missing) = hand.and_then(|hand| hand.missing(0)) {
            return special::missing_below(&self.grammar, holding, missing) == 1;
        }
        if special::missing_below(&self.grammar, holding, 2) == 1 {
            return true;
        }
        let wanted = self.wanted(&holding.concealed);
        wanted.iter().any(|kind| {
            let completes = |whole: &Holding| {
                let mut stop = |_: &Arrangement| ControlFlow::Break(());
                arrange::standard(&self.grammar, &whole.concealed, whole.melds, &mut stop)
                    .is_break()
            };
            !holding.is_exhausted(kind, &self.grammar.copies)
                && holding.with(kind).as_ref().is_some_and(completes)
        })
    }

    /// What a hand [waits](Self::waits) for.
    #[inline]
    pub(crate) fn waits_of(&self, hand: &Hand) -> KindSet {
        let waits = self.waits_by_tables(hand.concealed(), hand.melds.len());
        waits.unwrap_or_else(|| self.waits(&Holding::from(hand)))
    }

    #[inline]
    fn waits_by_tables(&self, concealed: &Counts, melds: usize) -> Option<KindSet> {
        let forms = self.grammar.tables?;
        let of_groups = classical::may_wait_for_groups(concealed);
        // Hands of tiles alone may be forms; what rules those out is not guessed either.
        let of_forms = (melds == 0) & forms.may_wait(concealed);
        if !(of_groups | of_forms) {
            return Some(KindSet::EMPTY);
        }
        if !classical::has_all(concealed) {
            return None;
        }
        let mut waits = KindSet::EMPTY;
        if concealed.total() + 3 * melds + 1 != HAND {
            return Some(waits);
        }
        if of_groups {
            waits = classical::waits(concealed);
        }
        if of_forms {
            waits = waits.union(forms.waits(concealed));
        }
        Some(waits)
    }

    /// Every kind of which one more tile completes the tiles, wherever its copies are: also kinds of
    /// which the hand holds all.
    pub fn waits(&self, holding: &Holding) -> KindSet {
        let Holding {
            concealed, melds, ..
        } = holding;
        if let Some(waits) = self.waits_by_tables(concealed, *melds) {
            return waits;
        }
        let whole = |kind: Kind| Holding {
            concealed: concealed.with_beyond(kind),
            ..*holding
        };
        let mut stop = |_: &Arrangement| ControlFlow::Break(());
        let mut waits: KindSet = self
            .wanted(concealed)
            .iter()
            .filter(|&kind| {
                let whole = concealed.with_beyond(kind);
                arrange::standard(&self.grammar, &whole, *melds, &mut stop).is_break()
            })
            .collect();
        if special::missing_below(&self.grammar, holding, 2) <= 1 {
            for kind in self.grammar.copies.kinds().difference(waits).iter() {
                if special::complete(&self.grammar, &whole(kind), &mut stop).is_break() {
                    waits.insert(kind);
                }
            }
        }
        waits
    }

    /// Kinds of the set of which one more may complete groups and a pair.
    fn wanted(&self, concealed: &Counts) -> KindSet {
        let wanted = ready::wanted(&self.grammar, concealed, Kinds::of(concealed));
        wanted.intersection(self.grammar.copies.kinds())
    }

    /// Kinds of which one more may complete a hand, told without a search; no other does.
    #[inline]
    pub(crate) fn may_complete(&self, hand: &Hand) -> KindSet {
        let kinds = Kinds {
            held: hand.kinds(),
            pairs: hand.pairs(),
        };
        let wanted = ready::wanted(&self.grammar, hand.concealed(), kinds);
        // What is declared matters to forms alone, and nearly no hand is near one.
        let forms = self.grammar.form_floor.wanted(kinds);
        if !forms.is_empty() && goes_with_forms(hand) {
            return wanted.union(forms);
        }
        wanted
    }

    /// At most what a hand lacks of the nearest complete one, copies left aside; 0 where no table tells.
    #[inline]
    pub(crate) fn lacks_at_least(&self, hand: &Hand) -> u8 {
        let look_up = |forms| self.lacks_by_tables(hand, forms);
        self.grammar.tables.map_or(0, look_up)
    }

    #[inline(never)]
    fn lacks_by_tables(&self, hand: &Hand, forms: TableForms) -> u8 {
        let (concealed, melds) = (hand.concealed(), hand.melds.len());
        let groups = self.grammar.groups.saturating_sub(melds);
        let forms = if melds == 0 {
            forms
        } else {
            TableForms::default()
        };
        let sight =
            classical::has_all(concealed).then(|| classical::Sight::of(concealed, groups, forms));
        sight.flatten().map_or(0, |sight| sight.missing())
    }

    /// Makes the tables that are looked up now, not at first use, where the grammar has any: who plays
    /// against the clock, or counts allocations, has it behind him. All decomposers share them.
    pub fn prepare(&self) {
        if self.grammar.tables.is_some() {
            classical::prepare();
        }
    }

    /// Tiles missing from one of the special forms, by its place in [`Grammar::forms`]; `None`
    /// where the declared groups rule it out or there is no such form.
    pub fn missing_from_form(&self, form: usize, holding: &Holding) -> Option<u8> {
        let form = self.grammar.forms.get(form)?;
        let missing = special::missing(form, holding, &self.grammar.copies);
        (missing < costs::FAR).then_some(missing)
    }

    /// One less than the number of tiles missing from the nearest complete hand that uses no kind
    /// more often than the set has it, declared melds included: −1 complete, 0 ready. Every form
    /// counts. [`Decomposer::UNREACHABLE`] where no complete hand is left.
    // It is asked in loops, and a call takes a tenth of the whole.
    #[inline(always)]
    pub fn distance(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
        match self.looked_up(holding) {
            Some(sight) => sight.missing() as i8 - 1,
            None => self.distance_beyond(holding, scratch),
        }
    }

    /// The distance where the tables of the classical grammar do not tell it.
    // Apart, so that what is looked up stays small where it is called.
    #[inline(never)]
    fn distance_beyond(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
        let (grammar, tables) = (&self.grammar, self.lane_tables());
        match tables.and_then(|tables| lane_tables::Hand::of(tables, grammar, holding)?.missing(0))
        {
            Some(missing) => special::missing_below(grammar, holding, missing) as i8 - 1,
            None => lanes::Lanes::new(grammar, tables, holding, scratch).distance(),
        }
    }

    /// What the tables of the classical grammar tell of a hand, as long as no declared tile is missing from
    /// what it may use.
    // Asked from several places, and a call takes a fifth of the whole.
    #[inline(always)]
    fn looked_up(&self, holding: &Holding) -> Option<classical::Sight> {
        let forms = self.grammar.tables?;
        let declared: u64 = (0..4).fold(0, |all, lane| all | holding.declared.lane(lane));
        if declared | classical::beyond(&holding.concealed) != 0 {
            return None;
        }
        let groups = self.grammar.groups.checked_sub(holding.melds)?;
        let any = holding.melds == 0 && holding.consecutive;
        let forms = if any { forms } else { TableForms::default() };
        classical::Sight::of(&holding.concealed, groups, forms)
    }

    /// Tables of a grammar beyond the classical one.
    #[inline]
    fn lane_tables(&self) -> Option<&lane_tables::Tables> {
        self.lane_tables
            .get_or_init(|| lane_tables::Tables::new(&self.grammar))
            .as_ref()
    }

    /// The distance of a hand from which nothing can be completed any more.
    pub const UNREACHABLE: i8 = costs::FAR as i8 - 1;

    /// The distance and the kinds that lower it when drawn. Kinds of which every copy is held or
    /// declared are left out.
    pub fn accepts(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        if let Some(sight) = self.looked_up(holding) {
            let (missing, accepts) = sight.accepts(&holding.concealed);
            return (missing as i8 - 1, accepts);
        }
        let tables = self.lane_tables();
        let found = tables.and_then(|tables| self.accepts_by_tables(tables, holding, scratch));
        found.unwrap_or_else(|| {
            let lanes = lanes::Lanes::new(&self.grammar, tables, holding, scratch);
            let distance = lanes.distance();
            (distance, lanes.accepts(distance, scratch))
        })
    }

    /// The same for a hand that the tables serve, with one tile more as well.
    fn accepts_by_tables(
        &self,
        tables: &lane_tables::Tables,
        holding: &Holding,
        scratch: &mut Scratch,
    ) -> Option<(i8, KindSet)> {
        let grammar = &self.grammar;
        let hand = lane_tables::Hand::of(tables, grammar, holding)?;
        let rows = hand.rows();
        let of_groups = hand.missing(0)?;
        let of_forms = special::missing_below(grammar, holding, of_groups + 1);
        let missing = of_groups.min(of_forms);
        let mut accepts = KindSet::EMPTY;
        if missing == 0 {
            return Some((-1, accepts));
        }
        let wanted = grammar.copies.saturating_minus(&holding.concealed).kinds();
        if grammar.uses_zero && wanted.contains(Kind::ZERO) {
            // A zero more changes what every lane may use.
            let lowers = match hand.missing(1) {
                Some(after) => after < missing,
                None => {
                    let more = holding.with(Kind::ZERO)?;
                    self.distance(&more, scratch) + 1 < missing as i8
                }
            };
            if lowers {
                accepts.insert(Kind::ZERO);
            }
        }
        // One tile makes up for one that is missing, so only what lacks no more can come to lack less.
        if of_groups == missing {
            let mut others = wanted;
            if grammar.uses_zero {
                others.remove(Kind::ZERO);
            }
            accepts = accepts.union(hand.accepts(missing, others, &rows)?);
        }
        if of_forms == missing {
            accepts = accepts.union(special::accepts(grammar, holding, missing));
        }
        Some((missing as i8 - 1, accepts))
    }

    /// The distance of a hand on turn, and for each kind whose discard keeps it what is accepted
    /// after that discard. A complete hand has no such discards.
    pub fn discards(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Kind, KindSet),
    ) -> i8 {
        let distance = self.distance(holding, scratch);
        if distance < 0 {
            return distance;
        }
        for kind in holding.concealed.kinds().iter() {
            let mut rest = *holding;
            rest.concealed.try_remove(kind);
            let (after, accepts) = self.accepts(&rest, scratch);
            if after == distance {
                visit(kind, accepts);
            }
        }
        distance
    }
}
