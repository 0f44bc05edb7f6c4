//! The decomposer lists every arrangement of a complete hand and computes the distance and the accepted tiles of an
//! unfinished one.
//!
//! [`Decomposer`] is the only entry point. The tables and searches behind it are private and may change.

// Words used in every file of this folder:
//
// - lane: one suit, or the honours, as a `u64` with a four-bit count for each kind. Lanes 0 to 3 are circles,
//   bamboos, characters and honours.
// - place: the index of a kind in its lane, 0 to 15.
// - run: a group of three different ranks of a suit, of any family. Its shape is its ranks, in any suit.
// - form: a complete hand that is not groups and a pair, like seven pairs.
// - target: groups and a pair that the hand may become.
// - cost: how many tiles of a target the hand lacks. A lane has costs for each number of groups and pairs.
// - class: the number of one such vector of costs. Many lanes share one class.
// - need: the groups that a hand must still make from its concealed tiles.
// - classical grammar: 34 kinds, four copies each, pungs and runs of three ranks in a row.
//
// Where the answers come from:
//
// - `classical`: complete tables of the classical grammar.
// - `lane_tables`: tables of other grammars, filled on demand.
// - `distance`: the search for the costs of a lane. It fills those tables, and is used where they do not apply.
// - `arrange`: the search for arrangements where the classical tables do not apply.
// - `special`: the forms.

mod arrange;
mod arrangement;
#[cfg(test)]
mod cards;
mod classical;
mod costs;
mod discards;
mod distance;
mod form;
mod grammar;
mod holding;
mod kinds;
mod lane_tables;
mod lanes;
mod limits;
mod long_lanes;
#[cfg(test)]
mod naive;
mod ready;
mod special;
mod wild;
mod wild_scopes;
mod zeros;

pub use arrangement::Arrangement;
use classical::TableForms;
pub use distance::Scratch;

pub use form::{FormError, FormItem, FormRank, FormSuit, FormTiles, Honours, SpecialForm};
pub use grammar::{Grammar, GrammarError, Shape, ShapeId, ShapeSet};
pub use holding::{AlikeMelds, Holding};
pub use wild_scopes::{WildScope, WildScopeError};

use crate::counts::{Counts, lone};
use crate::hand::Hand;
use crate::set::KindSet;
use crate::tile::Kind;
use holding::HAND;
use kinds::Kinds;
use limits::Limits;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

/// A lane of honours with one tile of this kind; empty if the kind is a number.
#[inline]
const fn one_honour(kind: Kind) -> u64 {
    ((kind.lane() == 3) as u64) << (4 * kind.place())
}

/// Answers questions about hands under one [`Grammar`]. Threads may share it. Searches cache costs in a [`Scratch`],
/// which the caller owns.
#[derive(Clone, Debug)]
pub struct Decomposer {
    grammar: Grammar,
    /// Tables of a grammar that is not classical, built at first use and shared by all clones. The inner `None`
    /// means that the grammar has no tables.
    lane_tables: Arc<OnceLock<Option<lane_tables::Tables>>>,
    /// Answers instead of this decomposer where some kinds are wild.
    wild: Option<Arc<Wild>>,
    /// The forms of a classical grammar if its tables suffice: no kind is wild, and they know all forms.
    only_tables: Option<TableForms>,
}

/// How many copies of a kind a complete hand may have where some tiles are wild.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WildCopies {
    /// No more than the set has, declared melds included.
    #[default]
    Set,
    /// Any number, with the help of wild tiles. More than seven are never tried: a hand that would be complete with
    /// eight is complete with fewer. A zero that is a number in runs keeps the copies of the set.
    Any,
}

/// Answers for a grammar in which some kinds are wild (`wild.rs`).
#[derive(Debug)]
struct Wild {
    /// The wild kinds.
    kinds: KindSet,
    /// Those that stand for any kind.
    any: KindSet,
    /// The others.
    scopes: Option<wild_scopes::Scopes>,
    /// The copies of each kind in the set, jokers among them.
    copies: Counts,
    /// The same grammar, where no kind is wild and no joker is in play, without the concrete hands that need or limit wild
    /// tiles.
    natural: Decomposer,
    /// The concrete hands that need or limit wild tiles.
    limited: Option<special::Forms>,
    /// The grammar of `natural` for [`WildCopies::Any`], over a set with more copies.
    beyond: Option<Grammar>,
}

/// The forms of a classical grammar whose tables know all of them.
fn only_tables(grammar: &Grammar) -> Option<TableForms> {
    grammar.tables.filter(|_| grammar.beside.is_empty())
}

impl Decomposer {
    /// A decomposer for a grammar.
    pub fn new(grammar: Grammar) -> Self {
        Self {
            only_tables: only_tables(&grammar),
            grammar,
            lane_tables: Arc::default(),
            wild: None,
        }
    }

    /// The same decomposer with these kinds wild: each of their tiles may stand for any kind of the set. `most` bounds
    /// the copies of a kind in a complete hand. A wild joker never stands for itself. All answers are
    /// exact, except that distances of 0 and more under [`WildCopies::Any`] do not check whether enough wild tiles are
    /// left to draw.
    ///
    /// ```
    /// use paishan::decompose::{Decomposer, Holding, WildCopies};
    /// use paishan::set::KindSet;
    /// use paishan::{Counts, Kind, Notation, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let wild = woo.plan().decomposer().clone().with_wild(KindSet::one(Kind::WHITE), WildCopies::Set);
    /// let mut tiles = Counts::EMPTY;
    /// for tile in Notation::Ujmj.parse("123t456t78s11mEEEP")? {
    ///     tiles.try_add(tile.kind().expect("no flowers here"));
    /// }
    /// assert!(wild.is_complete(&Holding::of_tiles(tiles)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_wild(self, kinds: KindSet, most: WildCopies) -> Self {
        let plain = self.without_wild();
        match wild_scopes::check(&[], kinds, &plain.grammar) {
            Ok(checked) => plain.with_checked(checked, most),
            Err(_) => plain,
        }
    }

    /// The same decomposer with wild kinds as of [`Self::with_wild`], and others whose tiles stand for some kinds only.
    /// Tiles of these stand in groups and the pair, but not in special forms. A scope consists of whole suits and any
    /// honours. Two scopes have no kinds in common, or one contains the other.
    ///
    /// # Errors
    /// [`WildScopeError`] for other scopes.
    ///
    /// ```
    /// use paishan::decompose::{Decomposer, Holding, WildCopies, WildScope};
    /// use paishan::set::KindSet;
    /// use paishan::{Counts, Kind, Notation, Rules, Wind};
    /// let woo = Rules::by_id("woo")?;
    /// let winds = WildScope {
    ///     kinds: KindSet::one(Kind::WHITE),
    ///     stands_for: Wind::ALL.into_iter().map(Wind::kind).collect(),
    /// };
    /// let plain = woo.plan().decomposer().clone();
    /// let wild = plain.with_wild_scopes(KindSet::EMPTY, &[winds], WildCopies::Set)?;
    /// let is_complete = |text: &str| -> Result<bool, Box<dyn std::error::Error>> {
    ///     let mut tiles = Counts::EMPTY;
    ///     for tile in Notation::Ujmj.parse(text)? {
    ///         tiles.try_add(tile.kind().expect("no flowers here"));
    ///     }
    ///     Ok(wild.is_complete(&Holding::of_tiles(tiles)))
    /// };
    /// assert!(is_complete("123t456t789s11mEEP")?);
    /// assert!(!is_complete("123t456t78s11mEEEP")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_wild_scopes(
        self,
        any: KindSet,
        scopes: &[WildScope],
        most: WildCopies,
    ) -> Result<Self, WildScopeError> {
        let plain = self.without_wild();
        let checked = wild_scopes::check(scopes, any, &plain.grammar)?;
        Ok(plain.with_checked(checked, most))
    }

    /// The same decomposer with these special forms. `None` if it has the same ones, or if no hand would be complete.
    pub(crate) fn with_forms(&self, forms: Vec<SpecialForm>) -> Option<Self> {
        let plain = Self {
            lane_tables: Arc::clone(&self.lane_tables),
            ..Self::new(self.grammar.with_forms(forms)?)
        };
        let Some(wild) = &self.wild else {
            return Some(plain);
        };
        let most = match wild.beyond {
            Some(_) => WildCopies::Any,
            None => WildCopies::Set,
        };
        let checked = wild_scopes::Checked {
            scopes: self.wild_scopes().to_vec(),
            any: wild.any,
            never: wild.copies.kinds().difference(self.natural_kinds()),
        };
        Some(plain.with_checked(checked, most))
    }

    /// The same decomposer without wild kinds.
    fn without_wild(self) -> Self {
        Self {
            wild: None,
            only_tables: only_tables(&self.grammar),
            ..self
        }
    }

    fn with_checked(mut self, checked: wild_scopes::Checked, most: WildCopies) -> Self {
        let copies = self.grammar.copies;
        let wild_scopes::Checked { scopes, any, never } = checked;
        let kinds = scopes.iter().fold(any, |all, scope| all.union(scope.kinds));
        if kinds.is_empty() {
            return self;
        }
        self.only_tables = None;
        let natural = match self.grammar.without(never) {
            Some(grammar) => Self::new(grammar),
            None => self.clone(),
        };
        let (natural, limited) = match natural.grammar.without_limits() {
            Some((free, limited)) => (Self::new(free), Some(limited)),
            None => (natural, None),
        };
        let without_limits = |grammar: Grammar| match grammar.without_limits() {
            Some((free, _)) => free,
            None => grammar,
        };
        let beyond = match most {
            WildCopies::Set => None,
            WildCopies::Any => natural.grammar.beyond_copies().map(without_limits),
        };
        let grammar = beyond.as_ref().unwrap_or(&natural.grammar);
        let scopes = (!scopes.is_empty()).then(|| wild_scopes::Scopes::new(scopes, grammar));
        self.wild = Some(Arc::new(Wild {
            kinds,
            any,
            scopes,
            copies,
            natural,
            limited,
            beyond,
        }));
        self
    }

    /// The wild kinds that stand for some kinds only. A scope follows those that it contains.
    pub fn wild_scopes(&self) -> &[WildScope] {
        let scopes = self.wild.as_ref().and_then(|wild| wild.scopes.as_ref());
        scopes.map_or(&[], wild_scopes::Scopes::scopes)
    }

    /// The kinds that a tile may stand for in a complete hand with these concealed tiles: its own kind or, if it is wild,
    /// any kind that wild tiles stand for there. `hand` does not include the tile.
    pub(crate) fn stands_for(&self, hand: &Hand, tile: Kind, whole: &Counts) -> KindSet {
        match self.wild.as_ref().filter(|wild| wild.kinds.contains(tile)) {
            Some(wild) => wild.stands_for(hand.concealed(), tile, whole),
            None => KindSet::one(tile),
        }
    }

    /// The wild kinds.
    pub fn wild(&self) -> KindSet {
        self.wild.as_ref().map_or(KindSet::EMPTY, |wild| wild.kinds)
    }

    /// Visits the hand with kinds substituted for its wild tiles, in every way that makes it complete, each once.
    /// Without wild kinds the hand is visited unchanged.
    pub fn substitutions(
        &self,
        holding: &Holding,
        mut visit: impl FnMut(&Holding) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.wild {
            Some(wild) => wild.substitutions(holding, &mut visit),
            None => visit(holding),
        }
    }

    /// The number of concrete hands of special forms that the declared melds of a hand may be part of. Its concealed tiles do not
    /// count.
    pub(crate) fn forms_left(&self, hand: &Hand) -> usize {
        let melds = Holding {
            concealed: Counts::EMPTY,
            ..Holding::from(hand)
        };
        let limited = self.wild.as_ref().and_then(|wild| wild.limited.as_ref());
        let others = limited.map_or(0, |limited| limited.left(&melds));
        self.natural().grammar.special.left(&melds) + others
    }

    /// The kinds that groups can have: those of the grammar, but no joker that is wild.
    pub(crate) fn natural_kinds(&self) -> KindSet {
        self.natural().grammar.copies().kinds()
    }

    /// Visits every way to read a hand with [kinds substituted](Self::substitutions) for the wild tiles of another, as
    /// [`Self::arrangements`] does.
    #[inline]
    pub(crate) fn arrangements_as(
        &self,
        holding: &Holding,
        substituted: &Holding,
        mut visit: impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match &self.wild {
            Some(wild) => wild.arrangements_as(holding, substituted, &mut visit),
            None => self.arrangements(substituted, visit),
        }
    }

    /// The decomposer of the same grammar, where no kind is wild.
    pub(crate) fn natural(&self) -> &Self {
        self.wild.as_ref().map_or(self, |wild| &wild.natural)
    }

    /// The grammar.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Visits every way to read the concealed tiles as a complete hand: each multiset of groups once, then each
    /// special form. Declared groups are part of the hand, but not of the arrangements. The visitor may stop early.
    ///
    /// ```
    /// use paishan::decompose::Holding;
    /// use paishan::{Counts, Notation, Rules};
    /// use std::ops::ControlFlow;
    /// let woo = Rules::by_id("woo")?;
    /// let mut tiles = Counts::EMPTY;
    /// for tile in Notation::Ujmj.parse("11122233344455s")? {
    ///     tiles.try_add(tile.kind().expect("no flowers here"));
    /// }
    /// let mut ways = 0;
    /// let _ = woo.plan().decomposer().arrangements(&Holding::of_tiles(tiles), |_| {
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
        if let Some(forms) = self.only_tables {
            if !classical::may_be_complete(holding.concealed.lane(3), forms) {
                return ControlFlow::Continue(());
            }
            return self.arrangements_indeed(holding, &mut visit);
        }
        self.arrangements_elsewhere(holding, &mut visit)
    }

    /// [`Self::arrangements`] where the classical tables do not suffice.
    #[inline(never)]
    fn arrangements_elsewhere(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(wild) = &self.wild {
            return wild.arrangements(holding, visit);
        }
        if !self.may_be_complete(holding.concealed.lane(3)) {
            return ControlFlow::Continue(());
        }
        self.arrangements_indeed(holding, visit)
    }

    /// [`Self::arrangements`] of a hand that its honours do not rule out.
    #[inline(never)]
    fn arrangements_indeed(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Holding {
            concealed, melds, ..
        } = holding;
        // The tables do not hold hands with a fifth copy of a kind.
        let forms = self.forms_of(concealed);
        let Some(forms) = forms.filter(|_| !concealed.goes_beyond()) else {
            return self.arrangements_beyond(holding, visit);
        };
        if holding.size() != HAND {
            return ControlFlow::Continue(());
        }
        classical::arrangements(concealed, visit)?;
        let of_forms = *melds == 0 && forms.is_any(concealed);
        if !of_forms && self.grammar.beside.is_empty() {
            return ControlFlow::Continue(());
        }
        self.grammar.special.complete(holding, visit)
    }

    /// [`Self::arrangements`] of a hand that the classical tables do not cover.
    #[inline(never)]
    fn arrangements_beyond(
        &self,
        holding: &Holding,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        arrange::standard(&self.grammar, &holding.concealed, holding.melds, visit)?;
        self.grammar.special.complete(holding, visit)
    }

    /// True if the tiles are a complete hand.
    ///
    /// ```
    /// use paishan::decompose::Holding;
    /// use paishan::{Hand, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let decomposer = woo.plan().decomposer();
    /// let hand: Hand = "123t456s789m11155s".parse()?;
    /// assert!(decomposer.is_complete(&Holding::from(&hand)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn is_complete(&self, holding: &Holding) -> bool {
        match self.only_tables {
            Some(forms) => {
                classical::may_be_complete(holding.concealed.lane(3), forms)
                    && self.is_complete_indeed(holding)
            }
            None => self.is_complete_elsewhere(holding),
        }
    }

    /// [`Self::is_complete`] where the classical tables do not suffice.
    #[inline(never)]
    fn is_complete_elsewhere(&self, holding: &Holding) -> bool {
        if let Some(wild) = &self.wild {
            return wild.is_complete(holding);
        }
        self.may_be_complete(holding.concealed.lane(3)) && self.is_complete_indeed(holding)
    }

    /// [`Self::is_complete`] for a hand that its honours do not rule out.
    #[inline(never)]
    fn is_complete_indeed(&self, holding: &Holding) -> bool {
        let mut stop = |_: &Arrangement| ControlFlow::Break(());
        match self.complete_by_tables(&holding.concealed, holding.melds) {
            Some(complete) => {
                complete || self.grammar.beside.complete(holding, &mut stop).is_break()
            }
            None => self.arrangements_beyond(holding, &mut stop).is_break(),
        }
    }

    /// True for the classical grammar, which has tables of waits and distances.
    #[inline]
    pub(crate) const fn has_tables(&self) -> bool {
        self.grammar.tables.is_some() && self.wild.is_none()
    }

    /// The forms of the classical grammar. `None` for another grammar, or if a tile is not in the classical
    /// set.
    #[inline]
    fn forms_of(&self, concealed: &Counts) -> Option<TableForms> {
        self.grammar
            .tables
            .filter(|_| classical::has_all(concealed))
    }

    /// Whether the tiles are a complete hand of groups and a pair or of a form that the classical tables know. `None` if
    /// these do not cover the tiles.
    #[inline]
    fn complete_by_tables(&self, concealed: &Counts, melds: usize) -> Option<bool> {
        let forms = self.grammar.tables?;
        if !classical::has_all(concealed) {
            return None;
        }
        let complete = classical::is_complete(concealed) || melds == 0 && forms.is_any(concealed);
        Some(complete && holding::size(concealed, melds) == HAND)
    }

    /// True if the hand, with the tile `more` if given, is complete. The answer is that of
    /// [`Decomposer::is_complete`], but faster, because no [`Holding`] need be built.
    #[inline]
    pub fn completes(&self, hand: &Hand, more: Option<Kind>) -> bool {
        let honours = hand.concealed().lane(3) + more.map_or(0, one_honour);
        match self.only_tables {
            Some(forms) => {
                classical::may_be_complete(honours, forms) && self.completes_indeed(hand, more)
            }
            None => self.completes_elsewhere(hand, more, honours),
        }
    }

    /// [`Self::completes`] where the classical tables do not suffice.
    #[inline(never)]
    fn completes_elsewhere(&self, hand: &Hand, more: Option<Kind>, honours: u64) -> bool {
        if let Some(wild) = &self.wild {
            return wild.completes(hand, more);
        }
        self.may_be_complete(honours) && self.completes_indeed(hand, more)
    }

    /// False for most hands that are not complete: the honours alone rule them out.
    #[inline]
    fn may_be_complete(&self, honours: u64) -> bool {
        match self.grammar.tables {
            Some(forms) => {
                classical::may_be_complete(honours, forms)
                    || self.grammar.beside.may_have(honours, 0)
            }
            None => {
                // An honour that is in no run may be held once only in a form.
                lone(honours, self.grammar.alone[3]) == 0
                    || self.grammar.special.may_have(honours, 0)
            }
        }
    }

    /// [`Self::completes`] for a hand that its honours do not rule out.
    #[inline(never)]
    fn completes_indeed(&self, hand: &Hand, more: Option<Kind>) -> bool {
        let concealed = match more {
            Some(kind) => match hand.concealed().with(kind) {
                Some(concealed) => concealed,
                None => return false,
            },
            None => *hand.concealed(),
        };
        let melds = hand.melds.len();
        let mut stop = |_: &Arrangement| ControlFlow::Break(());
        let (complete, forms) = match self.complete_by_tables(&concealed, melds) {
            Some(complete) => (complete, &self.grammar.beside),
            None => (
                arrange::standard(&self.grammar, &concealed, melds, &mut stop).is_break(),
                &self.grammar.special,
            ),
        };
        // The declared groups matter only to the special forms.
        complete
            || forms.may_be(hand, &concealed) && {
                let whole = Holding {
                    concealed,
                    ..Holding::from(hand)
                };
                forms.complete(&whole, &mut stop).is_break()
            }
    }

    /// True if the hand without one tile of this kind is [ready](Self::is_ready). False if it holds no such
    /// tile.
    #[inline]
    pub(crate) fn is_ready_without(&self, hand: &Hand, kind: Kind) -> bool {
        let concealed = hand.concealed();
        if concealed.get(kind) == 0 {
            return false;
        }
        if let Some(wild) = &self.wild {
            let mut rest = Holding::from(hand);
            rest.concealed.sub(kind, 1);
            return !wild.waits(&rest).is_empty();
        }
        // The honours alone rule out most hands.
        let honours = concealed.lane(3) - one_honour(kind);
        let may_wait =
            |forms| classical::may_wait(honours, forms) || self.grammar.beside.may_have(honours, 1);
        self.grammar.tables.is_none_or(may_wait) && self.is_ready_without_it(hand, kind)
    }

    /// [`Self::is_ready_without`] for a hand that holds the tile and that its honours do not rule out.
    #[inline(never)]
    fn is_ready_without_it(&self, hand: &Hand, kind: Kind) -> bool {
        let mut concealed = *hand.concealed();
        concealed.sub(kind, 1);
        let waits = self.waits_by_tables(&concealed, hand.melds.len());
        // Only a hand with waits needs the full test: the melds may hold every copy of its waits.
        (waits.is_none_or(|waits| !waits.is_empty()) || !self.grammar.beside.is_empty())
            && self.is_ready(&Holding {
                concealed,
                ..Holding::from(hand)
            })
    }

    /// True if one more tile completes the hand without using more copies of a kind than the set has. Then
    /// [`Decomposer::distance`] is 0; this method needs no scratch memory.
    pub fn is_ready(&self, holding: &Holding) -> bool {
        if let Some(wild) = &self.wild {
            return !wild.waits(holding).is_empty();
        }
        if self.forms_of(&holding.concealed).is_some() {
            let left = |kind: Kind| !holding.is_exhausted(kind, &self.grammar.copies);
            return self.waits(holding).iter().any(left);
        }
        if let Some(missing) = self.missing_by_tables(holding)
            && !self.limits_matter(holding)
        {
            return self.grammar.special.missing_below(holding, missing) == 1;
        }
        if self.grammar.special.missing_below(holding, 2) == 1 {
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

    /// The [waits](Self::waits) of a hand.
    #[inline]
    pub(crate) fn waits_of(&self, hand: &Hand) -> KindSet {
        if let Some(wild) = &self.wild {
            return wild.waits(&Holding::from(hand));
        }
        match self.waits_by_tables(hand.concealed(), hand.melds.len()) {
            Some(waits) if self.grammar.beside.is_empty() => waits,
            Some(waits) => waits.union(self.grammar.beside.waits(&Holding::from(hand))),
            None => self.waits(&Holding::from(hand)),
        }
    }

    /// The waits for groups and a pair and for the forms that the classical tables know. `None` if these do not cover the
    /// tiles.
    #[inline]
    fn waits_by_tables(&self, concealed: &Counts, melds: usize) -> Option<KindSet> {
        let forms = self.grammar.tables?;
        let of_groups = classical::may_wait_for_groups(concealed);
        // A form has no declared melds. `&` instead of `&&` avoids a branch that the processor would mispredict.
        let of_forms = (melds == 0) & forms.may_wait(concealed);
        if !(of_groups | of_forms) {
            return Some(KindSet::EMPTY);
        }
        if !classical::has_all(concealed) {
            return None;
        }
        let mut waits = KindSet::EMPTY;
        if holding::size(concealed, melds) + 1 != HAND {
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

    /// Every kind that completes the hand with one more tile. This includes kinds of which the hand holds all
    /// copies, except where some kinds are wild.
    ///
    /// ```
    /// use paishan::decompose::Holding;
    /// use paishan::{Hand, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let decomposer = woo.plan().decomposer();
    /// let hand: Hand = "1112345678999s".parse()?;
    /// assert_eq!(decomposer.waits(&Holding::from(&hand)).len(), 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn waits(&self, holding: &Holding) -> KindSet {
        if let Some(wild) = &self.wild {
            return wild.waits(holding);
        }
        let Holding {
            concealed, melds, ..
        } = holding;
        if let Some(waits) = self.waits_by_tables(concealed, *melds) {
            return waits.union(self.grammar.beside.waits(holding));
        }
        let mut stop = |_: &Arrangement| ControlFlow::Break(());
        let waits: KindSet = self
            .wanted(concealed)
            .iter()
            .filter(|&kind| {
                let whole = concealed.with_beyond(kind);
                arrange::standard(&self.grammar, &whole, *melds, &mut stop).is_break()
            })
            .collect();
        waits.union(self.grammar.special.waits(holding))
    }

    /// The kinds of the set that may complete groups and a pair. No other kind can.
    fn wanted(&self, concealed: &Counts) -> KindSet {
        let wanted = ready::wanted(&self.grammar, concealed, Kinds::of(concealed));
        wanted.intersection(self.grammar.copies.kinds())
    }

    /// The kinds that may complete the hand, found without a search. No other kind can.
    #[inline(always)]
    pub(crate) fn may_complete(&self, hand: &Hand) -> KindSet {
        if let Some(wild) = &self.wild {
            return wild.waits(&Holding::from(hand));
        }
        let kinds = Kinds {
            held: hand.kinds(),
            pairs: hand.pairs(),
        };
        let wanted = ready::wanted(&self.grammar, hand.concealed(), kinds);
        let forms = self.grammar.special.may_complete(hand, kinds);
        wanted.union(forms)
    }

    /// A lower bound on the missing tiles of the hand. It ignores the copies that declared melds use. 0 if no table
    /// covers the hand.
    #[inline]
    pub(crate) fn missing_lower_bound(&self, hand: &Hand) -> u8 {
        match (self.only_tables, self.grammar.bounds) {
            (Some(forms), _) => self.lacks_by_tables(hand, forms),
            (None, Some(forms)) => self.lacks_elsewhere(hand, forms),
            (None, None) => 0,
        }
    }

    /// [`Self::missing_lower_bound`] where the classical tables do not suffice.
    #[inline(never)]
    fn lacks_elsewhere(&self, hand: &Hand, forms: TableForms) -> u8 {
        if self.wild.is_some() {
            return 0;
        }
        match self.lacks_by_tables(hand, forms) {
            0 => 0,
            lacks => {
                let beside = &self.grammar.beside;
                beside.missing_below(&Holding::from(hand), lacks)
            }
        }
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
            classical::has_all(concealed).then(|| classical::Lookup::of(concealed, groups, forms));
        sight.flatten().map_or(0, |sight| sight.missing())
    }

    /// Builds the tables of the classical grammar now instead of at first use. Call it before you measure
    /// time or count allocations. All decomposers share these tables. Grammars over a part of the classical tiles use
    /// them for lower bounds. For any other grammar it does nothing.
    pub fn prepare(&self) {
        if let Some(wild) = &self.wild {
            return wild.prepare();
        }
        if self.grammar.bounds.is_some() {
            classical::prepare();
        }
    }

    /// The tiles missing from one special form, given by its index in [`Grammar::forms`]. `None` if there is
    /// no such form or the declared groups rule it out.
    pub fn missing_from_form(&self, form: usize, holding: &Holding) -> Option<u8> {
        if let Some(wild) = &self.wild {
            return wild.missing_from_form(form, holding);
        }
        let form = u8::try_from(form + 1).ok()?;
        let missing = self.grammar.special.missing(form, holding);
        (missing < costs::FAR).then_some(missing)
    }

    /// The distance: one less than the tiles missing from the nearest complete hand. −1 is complete, 0 is
    /// ready. Every special form counts. The complete hand, declared melds included, has no more copies of a kind
    /// than the set. If no complete hand is possible, the answer is [`Decomposer::UNREACHABLE`].
    ///
    /// ```
    /// use paishan::decompose::{Holding, Scratch};
    /// use paishan::{Hand, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let decomposer = woo.plan().decomposer();
    /// let hand: Hand = "123t456s78m1199s5t".parse()?;
    /// assert_eq!(decomposer.distance(&Holding::from(&hand), &mut Scratch::new()), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn distance(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
        if let Some(wild) = &self.wild {
            return wild.distance(holding, scratch);
        }
        match self.looked_up(holding) {
            Some(sight) if holding.declared.is_empty() => {
                self.grammar.beside.missing_below(holding, sight.missing()) as i8 - 1
            }
            Some(sight) => self.distance_with_melds(holding, sight.missing(), scratch),
            None => self.distance_beyond(holding, scratch),
        }
    }

    /// The distance of a classical hand with declared tiles. `missing` is the answer of the tables.
    #[inline(never)]
    fn distance_with_melds(&self, holding: &Holding, missing: u8, scratch: &mut Scratch) -> i8 {
        if limits::may_matter(holding) && limits::matter_indeed(holding) {
            return self.distance_near_limits(holding, missing, scratch);
        }
        self.grammar.beside.missing_below(holding, missing) as i8 - 1
    }

    /// The distance of a hand that the classical tables do not cover.
    #[inline(never)]
    fn distance_beyond(&self, holding: &Holding, scratch: &mut Scratch) -> i8 {
        let Some(missing) = self.missing_by_tables(holding) else {
            return self.search(holding, scratch).distance();
        };
        if self.limits_matter(holding) {
            return self.distance_near_limits(holding, missing, scratch);
        }
        self.grammar.special.missing_below(holding, missing) as i8 - 1
    }

    /// True if the declared tiles may change the number of missing tiles.
    #[inline]
    fn limits_matter(&self, holding: &Holding) -> bool {
        !holding.declared.is_empty()
            && Limits::of(&self.grammar, holding).matter(&holding.concealed)
    }

    /// The tiles missing from groups and a pair by the tables. It is a lower bound if the limits of declared
    /// tiles [may matter](limits). `None` if no table covers the hand.
    #[inline]
    fn missing_by_tables(&self, holding: &Holding) -> Option<u8> {
        let tables = self.lane_tables()?;
        lane_tables::LaneHand::of(tables, &self.grammar, holding)?.missing(0)
    }

    /// The distance of a hand whose limits may matter. `missing` is the answer of the tables.
    #[inline(never)]
    fn distance_near_limits(&self, holding: &Holding, missing: u8, scratch: &mut Scratch) -> i8 {
        let limits = Limits::of(&self.grammar, holding);
        // If a hand with fewer tiles has no more missing tiles, the limits do not matter.
        let is_exact = !limits.matter(&holding.concealed)
            || limits.any_within(&holding.concealed, |concealed, run_lacks| {
                if run_lacks.is_some() && holding.melds >= self.grammar.groups {
                    return false;
                }
                let fewer = Holding {
                    concealed: *concealed,
                    melds: holding
                        .melds
                        .saturating_add(usize::from(run_lacks.is_some())),
                    ..*holding
                };
                let sight = self.looked_up(&fewer).map(|sight| sight.missing());
                let lacks = sight.or_else(|| self.missing_by_tables(&fewer));
                lacks.is_some_and(|lacks| lacks + run_lacks.unwrap_or(0) == missing)
            });
        if is_exact {
            return self.grammar.special.missing_below(holding, missing) as i8 - 1;
        }
        self.search(holding, scratch).distance()
    }

    /// The hand split into lanes, for a search.
    fn search(&self, holding: &Holding, scratch: &mut Scratch) -> lanes::Lanes<'_> {
        lanes::Lanes::new(&self.grammar, self.lane_tables(), holding, scratch)
    }

    /// Looks the hand up in the classical tables. `None` for another grammar, or for a tile that is not in the
    /// classical set. The answer is a lower bound if the limits of declared tiles [may matter](limits).
    #[inline(always)]
    fn looked_up(&self, holding: &Holding) -> Option<classical::Lookup> {
        let forms = self.grammar.tables?;
        if classical::beyond(&holding.concealed) != 0 {
            return None;
        }
        let groups = self.grammar.groups.checked_sub(holding.melds)?;
        let any = holding.melds == 0 && holding.consecutive;
        let forms = if any { forms } else { TableForms::default() };
        classical::Lookup::of(&holding.concealed, groups, forms)
    }

    /// The tables of a grammar that is not classical; `None` if it has none.
    #[inline]
    fn lane_tables(&self) -> Option<&lane_tables::Tables> {
        self.lane_tables
            .get_or_init(|| lane_tables::Tables::new(&self.grammar))
            .as_ref()
    }

    /// The distance of a hand that can never be completed.
    pub const UNREACHABLE: i8 = costs::FAR as i8 - 1;

    /// The distance, and the kinds that lower it when drawn. Kinds of which all copies are held or declared are not
    /// listed.
    ///
    /// ```
    /// use paishan::decompose::{Holding, Scratch};
    /// use paishan::{Hand, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let decomposer = woo.plan().decomposer();
    /// let hand: Hand = "123t456s789m1155s".parse()?;
    /// let (distance, accepts) = decomposer.accepts(&Holding::from(&hand), &mut Scratch::new());
    /// assert_eq!((distance, accepts.len()), (0, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accepts(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        if let Some(wild) = &self.wild {
            return wild.accepts(holding, scratch);
        }
        if let Some(sight) = self.looked_up(holding) {
            let (missing, accepts) = sight.accepts(&holding.concealed);
            let found = (missing as i8 - 1, accepts);
            let found = match holding.declared.is_empty() {
                true => found,
                false => self.accepts_within_limits(holding, found, scratch),
            };
            return match self.grammar.beside.is_empty() {
                true => found,
                false => self.accepts_of_others(holding, found),
            };
        }
        self.accepts_beyond(holding, scratch)
    }

    /// Adds the forms that the classical tables do not know to what [`Self::accepts`] found without them.
    #[inline(never)]
    fn accepts_of_others(
        &self,
        holding: &Holding,
        (distance, accepts): (i8, KindSet),
    ) -> (i8, KindSet) {
        let missing = (distance + 1) as u8;
        let beside = &self.grammar.beside;
        match beside.missing_below(holding, missing + 1) {
            0 => (-1, KindSet::EMPTY),
            least if least > missing => (distance, accepts),
            least if least == missing => (distance, accepts.union(beside.accepts(holding, least))),
            least => (least as i8 - 1, beside.accepts(holding, least)),
        }
    }

    /// [`Self::accepts`] of a hand that the classical tables do not cover.
    #[inline(never)]
    fn accepts_beyond(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        let tables = self.lane_tables();
        match tables.and_then(|tables| self.accepts_by_tables(tables, holding, scratch)) {
            Some(found) if holding.declared.is_empty() => found,
            Some(found) => self.accepts_within_limits(holding, found, scratch),
            None => self.accepts_by_search(holding, scratch),
        }
    }

    fn accepts_by_search(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        let lanes = self.search(holding, scratch);
        let distance = lanes.distance();
        (distance, lanes.accepts(distance, scratch))
    }

    /// The accepted tiles of a hand with declared tiles. `distance` and `accepts` are the answers of the tables: the
    /// distance may be greater, and if it is not, the hand accepts no other kinds.
    #[inline(never)]
    fn accepts_within_limits(
        &self,
        holding: &Holding,
        (distance, mut accepts): (i8, KindSet),
        scratch: &mut Scratch,
    ) -> (i8, KindSet) {
        let limits = Limits::of(&self.grammar, holding);
        let is_near = limits.matter(&holding.concealed);
        if is_near && self.distance(holding, scratch) != distance {
            return self.accepts_by_search(holding, scratch);
        }
        accepts = accepts.difference(holding.exhausted(&self.grammar.copies));
        let doubtful = match is_near {
            true => accepts,
            false => limits.doubtful(&holding.concealed, accepts),
        };
        for kind in doubtful.iter() {
            let more = holding.with(kind);
            if more.is_none_or(|more| self.distance(&more, scratch) >= distance) {
                accepts.remove(kind);
            }
        }
        (distance, accepts)
    }

    /// [`Self::accepts`] from the lane tables. `None` if they do not cover the hand, or the hand with one more tile.
    fn accepts_by_tables(
        &self,
        tables: &lane_tables::Tables,
        holding: &Holding,
        scratch: &mut Scratch,
    ) -> Option<(i8, KindSet)> {
        let hand = lane_tables::LaneHand::of(tables, &self.grammar, holding)?;
        let rows = hand.rows();
        let of_groups = hand.missing(0)?;
        let with_zero = || hand.missing(1);
        let of_others = |missing, others| hand.accepts(missing, others, &rows);
        self.accepts_among(holding, of_groups, scratch, with_zero, of_others)
    }

    /// [`Self::accepts`] of a hand with `of_groups` missing tiles of groups and a pair. `with_zero` returns the missing
    /// tiles with one more zero, and `of_others` the other kinds that leave fewer tiles missing. `None` if `of_others`
    /// returns `None`.
    fn accepts_among(
        &self,
        holding: &Holding,
        of_groups: u8,
        scratch: &mut Scratch,
        with_zero: impl FnOnce() -> Option<u8>,
        of_others: impl FnOnce(u8, KindSet) -> Option<KindSet>,
    ) -> Option<(i8, KindSet)> {
        let grammar = &self.grammar;
        let of_forms = grammar.special.missing_below(holding, of_groups + 1);
        let missing = of_groups.min(of_forms);
        let mut accepts = KindSet::EMPTY;
        if missing == 0 {
            return Some((-1, accepts));
        }
        let wanted = grammar.copies.saturating_minus(&holding.concealed).kinds();
        if grammar.uses_zero && wanted.contains(Kind::ZERO) {
            // One more zero changes the costs of every lane.
            let lowers = match with_zero() {
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
        // One tile lowers the number of missing tiles by at most one. So only targets with exactly `missing`
        // missing tiles count.
        if of_groups == missing {
            let mut others = wanted;
            if grammar.uses_zero {
                others.remove(Kind::ZERO);
            }
            accepts = accepts.union(of_others(missing, others)?);
        }
        if of_forms == missing {
            accepts = accepts.union(grammar.special.accepts(holding, missing));
        }
        Some((missing as i8 - 1, accepts))
    }
}

#[cfg(test)]
impl Decomposer {
    /// What [`Self::discards`] visits.
    fn all_discards(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, Vec<(Kind, KindSet)>) {
        let mut all = Vec::new();
        let distance = self.discards(holding, scratch, |kind, accepts| all.push((kind, accepts)));
        (distance, all)
    }

    /// [`Self::accepts`] by the search alone, without tables.
    fn accepts_slowly(&self, holding: &Holding, scratch: &mut Scratch) -> (i8, KindSet) {
        let lanes = lanes::Lanes::new(&self.grammar, None, holding, scratch);
        let distance = lanes.distance();
        (distance, lanes.accepts(distance, scratch))
    }

    /// [`Self::all_discards`] by the search alone, one discard after another.
    fn all_discards_slowly(
        &self,
        holding: &Holding,
        scratch: &mut Scratch,
    ) -> (i8, Vec<(Kind, KindSet)>) {
        let distance = self.accepts_slowly(holding, scratch).0;
        let mut all = Vec::new();
        for kind in holding.concealed.kinds().iter().filter(|_| distance >= 0) {
            let mut rest = *holding;
            rest.concealed.try_remove(kind);
            let (after, accepts) = self.accepts_slowly(&rest, scratch);
            if after == distance {
                all.push((kind, accepts));
            }
        }
        (distance, all)
    }
}
