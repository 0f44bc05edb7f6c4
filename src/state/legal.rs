//! [`Legal`]: the set of legal actions of a seat.

use super::action::{Action, MeldTiles, WORDS};
use crate::meld::{Family, Group};
use crate::set::{KindSet, Ranked};
use crate::tile::{Kind, Rank, Suit, Tile};
use smallvec::SmallVec;
use std::fmt;

/// The bit of an action that is a word alone. `None` for other actions.
#[inline]
const fn bit_of(action: Action) -> Option<u16> {
    Some(match action {
        Action::Pass => 1,
        Action::Win => 1 << 1,
        Action::Stand => 1 << 2,
        Action::Riichi => 1 << 3,
        Action::NineOrphans => 1 << 4,
        Action::Challenge => 1 << 5,
        Action::EndMatch => 1 << 6,
        Action::FalseWin => FALSE_WIN,
        _ => return None,
    })
}

/// The bit of the false win, which is listed after all other actions.
const FALSE_WIN: u16 = 1 << 7;

/// The bit that says that `discards` are tiles to exchange.
const EXCHANGES: u16 = 1 << 8;

/// The legal actions of one seat.
///
/// ```
/// use paishan::Rules;
/// use paishan::game::Match;
/// use paishan::state::Action;
/// let woo = Rules::by_id("woo")?;
/// let deal = Match::new(&woo, 7).start_deal();
/// let legal = deal.legal(deal.state().waiting().first().expect("the dealer"));
/// assert_eq!(legal.len(), legal.iter().count());
/// for action in legal {
///     assert!(legal.contains(action) && action != Action::Pass);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Legal {
    /// One bit for each action that is a word alone, and [`EXCHANGES`].
    words: u16,
    /// The tile just drawn, if it may be discarded.
    drawn: Option<Tile>,
    /// Plain tiles that may be discarded or exchanged. The tile just drawn is not among them.
    discards: KindSet,
    /// Kinds of which a red five may be discarded. A red five just drawn is not among them.
    red_discards: KindSet,
    /// All other actions, in listing order.
    others: SmallVec<[Action; 12]>,
}

const _: () = assert!(size_of::<Legal>() <= 136);

/// What a [`Legal`] stores, for code that reads whole sets at once.
#[derive(Clone, Copy)]
pub(crate) struct LegalParts<'a> {
    /// One bit for each action that is a word alone, in the order of [`WORDS`].
    pub(crate) words: u16,
    /// The actions that are neither words, discards nor tiles to exchange.
    pub(crate) others: &'a [Action],
    /// `discards` are tiles to exchange.
    pub(crate) exchanges: bool,
    /// Plain tiles that may be discarded or exchanged, without the tile just drawn.
    pub(crate) discards: KindSet,
    /// Kinds of which a red five may be discarded.
    pub(crate) red_discards: KindSet,
    /// The tile just drawn, if it may be discarded.
    pub(crate) drawn: Option<Tile>,
}

/// The sort key of an action that is neither a word nor a discard: its group of actions, then its tiles.
fn order(action: Action) -> [u8; 7] {
    let run = |stage, group: Group| {
        let ranks = group.kinds().map(|kind| kind.rank().map_or(0, Rank::get));
        let lowest = if ranks[0] == 0 { ranks[1] } else { ranks[0] };
        let suit = group.kinds()[2].lane() as u8;
        let [a, b, c] = ranks;
        [stage, suit, lowest, a, b, c, group.family() as u8]
    };
    let first = |stage, a, b| [stage, a, b, 0, 0, 0, 0];
    match action {
        Action::Aside(kind) => first(0, kind.index() as u8, 0),
        Action::Claim(tiles) => match tiles.group().family() {
            Family::Kong | Family::Quint | Family::Sextet => {
                let beyond_four = tiles.group().len() as u8 - 4;
                first(1, 8 * beyond_four + tiles.jokers(), tiles.reds())
            }
            Family::Pair | Family::Pung => first(2, tiles.jokers(), tiles.reds()),
            Family::Arith | Family::Gem | Family::Power => match tiles.joker_stands_for() {
                None => run(8 + u8::from(tiles.reds() > 0), tiles.group()),
                Some(joker) => {
                    // The higher the run, the lower the place of the discard in it.
                    let [_, _, lowest, ..] = run(10, tiles.group());
                    let joker = joker.rank().map_or(0, Rank::get);
                    [10, tiles.reds(), 16 - lowest, joker, 0, 0, 0]
                }
            },
        },
        Action::ConcealedKong(kind) => first(3, kind.index() as u8, 0),
        Action::AddedKong(kind) => first(4, kind.index() as u8, 0),
        Action::Swap(_) => first(5, 0, 0),
        Action::Lay(group) if group.family() == Family::Pung => {
            first(6, group.kind().index() as u8, 0)
        }
        Action::Lay(group) => run(7, group),
        Action::Missing(suit) => first(11, suit.lane() as u8, 0),
        Action::Show => first(12, 0, 0),
        _ => first(13, 0, 0),
    }
}

impl Legal {
    /// Clears the set. The seat may then discard plain tiles, red fives of these kinds and the drawn tile.
    #[inline]
    pub(crate) fn begin_turn(&mut self, plain: KindSet, reds: KindSet, drawn: Option<Tile>) {
        self.words = 0;
        self.drawn = drawn;
        self.discards = plain;
        self.red_discards = reds;
        self.others.clear();
    }

    /// Clears the set. The seat may then choose a tile of these kinds for the exchange.
    pub(crate) fn begin_exchange(&mut self, kinds: KindSet) {
        self.begin_turn(kinds, KindSet::EMPTY, None);
        self.words = EXCHANGES;
    }

    /// Forgets all actions.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.begin_turn(KindSet::EMPTY, KindSet::EMPTY, None);
    }

    /// Appends an action that comes after all others in listing order, and is neither a word nor a discard.
    #[inline]
    pub(crate) fn push(&mut self, action: Action) {
        debug_assert!(
            self.others
                .last()
                .is_none_or(|last| order(*last) <= order(action))
        );
        self.others.push(action);
    }

    /// Appends several actions, like [`Self::push`].
    #[inline]
    pub(crate) fn extend(&mut self, actions: impl IntoIterator<Item = Action>) {
        actions.into_iter().for_each(|action| self.push(action));
    }

    /// True when no action is legal.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words & !EXCHANGES == 0
            && self.discards.union(self.red_discards).is_empty()
            && self.drawn.is_none()
            && self.others.is_empty()
    }

    /// The number of legal actions.
    #[inline]
    pub fn len(&self) -> usize {
        (self.words & !EXCHANGES).count_ones() as usize
            + self.others.len()
            + self.discards.len()
            + self.reds()
            + usize::from(self.drawn.is_some())
    }

    /// True when the action is legal.
    ///
    /// ```
    /// use paishan::{Lang, Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let series = Match::new(&woo, 7);
    /// let deal = series.start_deal();
    /// let dealer = deal.state().waiting().first().expect("the dealer discards");
    /// use paishan::Action;
    /// assert!(!deal.legal(dealer).contains(Action::Pass));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Discard { tile, drawn: true } => self.drawn == Some(tile),
            Action::Discard { tile, drawn: false } => match (tile.kind(), tile.is_red()) {
                (Some(kind), false) => !self.exchanges() && self.discards.contains(kind),
                (Some(kind), true) => self.red_discards.contains(kind),
                (None, _) => false,
            },
            Action::Exchange(kind) => self.exchanges() && self.discards.contains(kind),
            action => match bit_of(action) {
                Some(bit) => self.words & bit != 0,
                None => self.is_other(action),
            },
        }
    }

    /// True for one of [`Self::others`].
    // Not inlined, because most actions are discards.
    #[inline(never)]
    fn is_other(&self, action: Action) -> bool {
        self.others.contains(&action)
    }

    /// Makes an action legal. Returns false and changes nothing if the set cannot hold the action.
    ///
    /// A set is for one decision of one seat. It holds either tiles to exchange or tiles to discard, and one drawn tile.
    ///
    /// After [`Ruleset::adjust`](crate::Ruleset::adjust) the table drops actions that the seat has no tiles for.
    ///
    /// ```
    /// use paishan::state::{Action, Legal};
    /// let mut legal = Legal::default();
    /// assert!(legal.allow("pon EEE".parse()?) && legal.allow(Action::Pass));
    /// legal.retain(|action| action != Action::Pass);
    /// assert_eq!(format!("{legal:?}"), "{pon EEE}");
    /// # Ok::<(), paishan::ParseError>(())
    /// ```
    #[inline]
    pub fn allow(&mut self, action: Action) -> bool {
        match bit_of(action) {
            Some(bit) => self.words |= bit,
            None => return self.allow_tiles(action),
        }
        true
    }

    fn allow_tiles(&mut self, action: Action) -> bool {
        match action {
            Action::Exchange(_) if !self.discard_kinds().is_empty() => return false,
            Action::Exchange(kind) => {
                self.words |= EXCHANGES;
                self.discards.insert(kind);
            }
            Action::Discard { .. } if self.exchanges() => return false,
            Action::Discard { tile, drawn: true } => {
                if self.drawn.is_some_and(|own| own != tile) {
                    return false;
                }
                self.drawn = Some(tile);
            }
            Action::Discard { tile, drawn: false } => match (tile.kind(), tile.is_red()) {
                (Some(kind), false) => self.discards.insert(kind),
                (Some(kind), true) => self.red_discards.insert(kind),
                (None, _) => return false,
            },
            action if self.others.contains(&action) => {}
            action => {
                let place = order(action);
                let after = self.others.iter().position(|own| order(*own) > place);
                self.others
                    .insert(after.unwrap_or(self.others.len()), action);
            }
        }
        true
    }

    /// Makes an action that is a word alone legal or illegal.
    #[inline]
    pub(crate) fn set(&mut self, word: Action, is_legal: bool) {
        let bit = bit_of(word).unwrap_or_default();
        self.words = if is_legal {
            self.words | bit
        } else {
            self.words & !bit
        };
    }

    /// Keeps the actions for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(Action) -> bool) {
        for (word, ..) in WORDS {
            self.set(word, self.contains(word) && keep(word));
        }
        self.others.retain(|action| keep(*action));
        let exchanges = self.exchanges();
        let mut keeps = |kind: &Kind, red: bool| {
            keep(match exchanges {
                true => Action::Exchange(*kind),
                false => held(*kind, red),
            })
        };
        self.discards = self
            .discards
            .iter()
            .filter(|kind| keeps(kind, false))
            .collect();
        self.red_discards = self
            .red_discards
            .iter()
            .filter(|kind| keeps(kind, true))
            .collect();
        if self.discards.is_empty() {
            self.words &= !EXCHANGES;
        }
        self.drawn = self
            .drawn
            .filter(|&tile| keep(Action::Discard { tile, drawn: true }));
    }

    /// Keeps those actions that are neither words nor discards for which `keep` returns true.
    #[inline]
    pub(crate) fn retain_others(&mut self, keep: impl Fn(Action) -> bool) {
        if !self.others.is_empty() {
            self.others.retain(|action| keep(*action));
        }
    }

    /// Keeps discards of kinds in the set.
    pub(crate) fn keep_discards(&mut self, kinds: KindSet) {
        self.discards = self.discards.intersection(kinds);
        self.red_discards = self.red_discards.intersection(kinds);
        let kept = |tile: &Tile| tile.kind().is_some_and(|kind| kinds.contains(kind));
        self.drawn = self.drawn.filter(kept);
    }

    /// Removes all discards except that of the drawn tile.
    pub(crate) fn keep_drawn(&mut self, drawn: Option<Tile>) {
        (self.discards, self.red_discards) = (KindSet::EMPTY, KindSet::EMPTY);
        self.drawn = drawn;
    }

    /// How many discards are red fives.
    #[inline]
    fn reds(&self) -> usize {
        // Not inlined, because most hands have none, and most builds have no instruction that counts bits.
        #[inline(never)]
        fn count(reds: KindSet) -> usize {
            reds.len()
        }
        match self.red_discards.is_empty() {
            true => 0,
            false => count(self.red_discards),
        }
    }

    #[inline]
    const fn exchanges(&self) -> bool {
        self.words & EXCHANGES != 0
    }

    /// True when the seat makes a choice before the first turn.
    #[inline]
    pub fn is_opening(&self) -> bool {
        let first = self.others.first();
        self.exchanges() || matches!(first, Some(Action::Missing(_) | Action::Show))
    }

    /// The kinds of which a tile may be chosen to be passed on.
    pub fn exchange_kinds(&self) -> KindSet {
        match self.exchanges() {
            true => self.discards,
            false => KindSet::EMPTY,
        }
    }

    /// The kinds that may be discarded: plain, red or just drawn.
    pub fn discard_kinds(&self) -> KindSet {
        if self.exchanges() {
            return KindSet::EMPTY;
        }
        let drawn = self.drawn.and_then(Tile::kind);
        let held = self.discards.union(self.red_discards);
        held.union(drawn.into_iter().collect())
    }

    /// The discard of a kind: a plain tile before a red five, and a tile held before the drawn one. `None` if the
    /// kind may not be discarded.
    pub fn discard_of(&self, kind: Kind) -> Option<Action> {
        let drawn = self.drawn.filter(|tile| tile.kind() == Some(kind));
        let just_drawn = |tile| Action::Discard { tile, drawn: true };
        let plain = !self.exchanges() && self.discards.contains(kind);
        plain
            .then(|| held(kind, false))
            .or(drawn.filter(|tile| !tile.is_red()).map(just_drawn))
            .or(self.red_discards.contains(kind).then(|| held(kind, true)))
            .or(drawn.map(just_drawn))
    }

    /// The action for a seat that does not answer in time: pass, or else discard the tile just drawn. If neither is
    /// legal, the last discard, or else the first other action. `None` when no action is legal.
    ///
    /// ```
    /// use paishan::{Action, Rules};
    /// let mut deal = Rules::by_id("riichi-tenhou")?.deal(7);
    /// let east = deal.state().deciding().next().expect("the dealer decides");
    /// let drawn = deal.state().view(east).drawn().expect("the dealer has drawn");
    /// let action = deal.legal(east).default_action().expect("the dealer has legal actions");
    /// assert_eq!(action, Action::Discard { tile: drawn, drawn: true });
    /// deal.act(east, action)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn default_action(&self) -> Option<Action> {
        if self.contains(Action::Pass) {
            return Some(Action::Pass);
        }
        let drawn = self.drawn.map(|tile| Action::Discard { tile, drawn: true });
        drawn
            .or_else(|| self.discards().last())
            .or_else(|| self.iter().next())
    }

    /// The discards, in listing order.
    ///
    /// ```
    /// use paishan::{Lang, Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let series = Match::new(&woo, 7);
    /// let deal = series.start_deal();
    /// let dealer = deal.state().waiting().first().expect("the dealer discards");
    /// let drawn = deal.state().view(dealer).drawn().expect("a tile was drawn");
    /// let discard = deal.legal(dealer).discards().last().expect("a discard");
    /// assert_eq!(discard.to_string(), format!("dahai {drawn} tsumogiri"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn discards(&self) -> impl Iterator<Item = Action> + '_ {
        let is_discard = |action: &Action| matches!(action, Action::Discard { .. });
        self.iter().filter(is_discard)
    }

    /// The melds for which the seat may claim a discard, in listing order.
    pub fn claims(&self) -> impl Iterator<Item = MeldTiles> + '_ {
        self.others().iter().filter_map(|action| match action {
            Action::Claim(tiles) => Some(*tiles),
            _ => None,
        })
    }

    /// The suits that may be chosen.
    pub fn missing_suits(&self) -> impl Iterator<Item = Suit> + '_ {
        self.others().iter().filter_map(|action| match action {
            Action::Missing(suit) => Some(*suit),
            _ => None,
        })
    }

    /// The set as it is stored.
    #[inline]
    pub(crate) fn parts(&self) -> LegalParts<'_> {
        LegalParts {
            words: self.words & !EXCHANGES,
            others: &self.others,
            exchanges: self.exchanges(),
            discards: self.discards,
            red_discards: self.red_discards,
            drawn: self.drawn,
        }
    }

    /// The legal actions that are neither words nor discards, in listing order.
    #[inline]
    pub(crate) fn others(&self) -> &[Action] {
        &self.others
    }

    /// Every legal action, in listing order:
    ///
    /// - pass, win, stand, riichi, a draw with nine orphans, challenge, end of the match
    /// - tiles to lay aside
    /// - claimed kong; claimed pungs, those with fewer jokers first, then those with fewer red fives
    /// - kongs of the seat's own tiles: concealed, then added
    /// - jokers to take out of melds
    /// - concealed pungs to lay down
    /// - runs to lay down or to claim, then those with a red five, then those with a joker
    /// - tiles to pass on, in notation order; suits to do without; or the hand, to be shown
    /// - discards in notation order, a red five before the plain fives
    /// - the tile just drawn
    /// - the false win
    ///
    /// ```
    /// use paishan::{Lang, Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let series = Match::new(&woo, 7);
    /// let deal = series.start_deal();
    /// let dealer = deal.state().waiting().first().expect("the dealer discards");
    /// let legal = deal.legal(dealer);
    /// for action in legal {
    ///     println!("{action}: {}", woo.plan().describe(action, deal.state().phase(), Lang::EN));
    /// }
    /// assert_eq!(legal.iter().count(), legal.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter(&self) -> Actions<'_> {
        Actions {
            words: self.words,
            others: self.others.iter(),
            plain: self.discards,
            reds: self.red_discards,
            drawn: self.drawn,
        }
    }

    /// The action at a place of [`Legal::iter`].
    #[inline]
    pub fn nth(&self, place: usize) -> Option<Action> {
        self.pick(|_| place)
    }

    /// The action of [`Legal::iter`] at the place that `choose` returns, given the number of actions. This method is
    /// faster than [`Legal::len`] and [`Legal::nth`] together because it counts once.
    ///
    /// ```
    /// use paishan::Rules;
    /// use paishan::game::{Deal, Match};
    /// let woo = Rules::by_id("woo")?;
    /// let deal = Deal::start(&woo, Match::new(&woo, 7).state().setup());
    /// let legal = deal.legal(deal.state().waiting().first().expect("the dealer discards"));
    /// assert_eq!(legal.pick(|len| len - 1), legal.iter().last());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn pick(&self, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        let plain = Ranked::of(self.discards);
        let discards = plain.len() + self.reds() + usize::from(self.drawn.is_some());
        if self.words == 0 && self.others.is_empty() {
            // Most turns allow nothing but discards.
            return self.nth_discard(choose(discards), plain);
        }
        let words = (self.words & !EXCHANGES).count_ones() as usize;
        let place = choose(words + self.others.len() + discards);
        self.nth_of_all(place, plain)
    }

    /// The action at a place when not only discards are legal.
    #[inline(never)]
    fn nth_of_all(&self, place: usize, plain: Ranked) -> Option<Action> {
        let mut words = self.words & (FALSE_WIN - 1);
        let before = words.count_ones() as usize;
        let Some(place) = place.checked_sub(before) else {
            (0..place).for_each(|_| words &= words - 1);
            return word_at(words.trailing_zeros());
        };
        match place.checked_sub(self.others.len()) {
            None => Some(self.others[place]),
            Some(place) => match self.nth_discard(place, plain)? {
                Action::Discard { tile, .. } if self.exchanges() => {
                    tile.kind().map(Action::Exchange)
                }
                action => Some(action),
            },
        }
    }

    /// The action at a place among the discards and the false win that comes after them.
    #[inline(always)]
    fn nth_discard(&self, mut place: usize, plain: Ranked) -> Option<Action> {
        if !self.red_discards.is_empty() {
            // A red five comes before the plain fives.
            let (mut reds, mut passed) = (0, 0);
            for kind in self.red_discards.iter() {
                let here = plain.rank(kind.index()) + reds;
                if place == here {
                    return Some(held(kind, true));
                }
                passed += usize::from(here < place);
                reds += 1;
            }
            place -= passed;
        }
        if let Some(kind) = plain.nth(place).and_then(Kind::from_index) {
            return Some(held(kind, false));
        }
        match (place - plain.len(), self.drawn) {
            (0, Some(tile)) => Some(Action::Discard { tile, drawn: true }),
            (0, None) | (1, Some(_)) => (self.words & FALSE_WIN != 0).then_some(Action::FalseWin),
            _ => None,
        }
    }
}

/// The discard of a tile that was held before the draw.
#[inline]
fn held(kind: Kind, red: bool) -> Action {
    let tile = match kind.suit() {
        Some(suit) if red => Tile::red_five(suit),
        _ => kind.into(),
    };
    Action::Discard { tile, drawn: false }
}

/// The action of a bit.
fn word_at(bit: u32) -> Option<Action> {
    WORDS.get(bit as usize).map(|(action, ..)| *action)
}

/// The actions of a [`Legal`], in listing order.
#[derive(Clone, Debug)]
pub struct Actions<'a> {
    words: u16,
    others: std::slice::Iter<'a, Action>,
    plain: KindSet,
    reds: KindSet,
    drawn: Option<Tile>,
}

impl Iterator for Actions<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.words & (FALSE_WIN - 1) != 0 {
            let bit = self.words.trailing_zeros();
            self.words &= self.words - 1;
            return word_at(bit);
        }
        if let Some(action) = self.others.next() {
            return Some(*action);
        }
        if let Some(kind) = self.plain.union(self.reds).first() {
            if self.words & EXCHANGES != 0 {
                self.plain.remove(kind);
                return Some(Action::Exchange(kind));
            }
            let red = self.reds.contains(kind);
            match red {
                true => self.reds.remove(kind),
                false => self.plain.remove(kind),
            }
            return Some(held(kind, red));
        }
        if let Some(tile) = self.drawn.take() {
            return Some(Action::Discard { tile, drawn: true });
        }
        let is_last = self.words & FALSE_WIN != 0;
        self.words = 0;
        is_last.then_some(Action::FalseWin)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.words & !EXCHANGES).count_ones() as usize
            + self.others.len()
            + self.plain.len()
            + self.reds.len()
            + usize::from(self.drawn.is_some());
        (len, Some(len))
    }
}

impl ExactSizeIterator for Actions<'_> {}

impl<'a> IntoIterator for &'a Legal {
    type Item = Action;
    type IntoIter = Actions<'a>;

    fn into_iter(self) -> Actions<'a> {
        self.iter()
    }
}

impl fmt::Debug for Legal {
    /// Lists the actions in the words of the log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.iter().map(|action| action.to_string());
        f.debug_set().entries(words.map(Plain)).finish()
    }
}

/// A text whose `Debug` is the text itself.
struct Plain(String);

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Legal {
    /// Writes the list of actions.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Legal {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut legal = Self::default();
        for action in <Vec<Action> as serde::Deserialize>::deserialize(deserializer)? {
            if !legal.allow(action) {
                let fault = format!("`{action}` cannot be among these actions");
                return Err(serde::de::Error::custom(fault));
            }
        }
        Ok(legal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Actions of all kinds. No set holds all of them.
    fn some_actions() -> Vec<Action> {
        let words = "none hora declare reach ryukyoku challenge end penalty";
        let others = "chi 123t,chi 234t,chi 135s,chi 014s,chi 4R6t,chi 4tJ6t,chi 45tJ,chi J45t,pon CCC,pon R55m,pon J55m,pon JJE,\
            daiminkan 5555m,daiminkan J5555m,daiminkan JJJEEE,nukidora N,nukidora J,ankan 5m,ankan E,kakan E,kakan 1t,swap 4tJ6t,lay 456t,lay 456m,lay EEE,lay 555t,\
            exchange 1t,exchange 2m,missing m,missing t,show,dahai E,dahai 5t,dahai 5s,dahai Rt,dahai Rm,dahai Rt tsumogiri,dahai 9m tsumogiri";
        let words = words.split(' ').chain(others.split(','));
        words.map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn bits_and_words_have_one_order() {
        for (place, (word, ..)) in WORDS.into_iter().enumerate() {
            assert_eq!(bit_of(word), Some(1 << place));
        }
    }

    proptest! {
        /// A set behaves like a plain list of actions.
        #[test]
        fn legal_sets_behave_like_lists(
            choices in proptest::collection::vec((any::<proptest::sample::Index>(), any::<bool>()), 0..40)
        ) {
            let all = some_actions();
            let mut legal = Legal::default();
            let mut list: Vec<Action> = Vec::new();
            for (index, allows) in choices {
                let action = *index.get(&all);
                if !allows {
                    legal.retain(|own| own != action);
                    list.retain(|own| *own != action);
                } else if legal.allow(action) && !list.contains(&action) {
                    list.push(action);
                }
            }
            prop_assert_eq!(legal.len(), list.len());
            prop_assert_eq!(legal.is_empty(), list.is_empty());
            prop_assert_eq!(legal.iter().len(), list.len());
            let listed: Vec<Action> = legal.iter().collect();
            for action in &all {
                prop_assert_eq!(legal.contains(*action), list.contains(action));
                prop_assert_eq!(listed.contains(action), list.contains(action));
            }
            for (place, action) in listed.iter().enumerate() {
                prop_assert_eq!(legal.nth(place), Some(*action));
            }
            prop_assert_eq!(legal.nth(listed.len()), None);
            // The order of insertion does not matter.
            let mut again = Legal::default();
            list.reverse();
            let allowed = list.iter().all(|action| again.allow(*action));
            prop_assert!(allowed);
            prop_assert_eq!(again, legal);
        }
    }
}
