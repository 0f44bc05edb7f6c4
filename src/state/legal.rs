//! [`Legal`]: the set of what a seat may do.

use super::Action;
use crate::decompose::ShapeSet;
use crate::set::{KindSet, Ranked};
use crate::tile::{Kind, Rank, Suit, Tile};

/// An action that names no tiles. The variants stand in listing order, but the false win comes after all
/// other actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TilelessAction {
    Pass,
    Win,
    Stand,
    Riichi,
    NineOrphans,
    SetAside,
    Challenge,
    ClaimKong,
    EndMatch,
    FalseWin,
}

impl TilelessAction {
    const ALL: [Self; 10] = [
        Self::Pass,
        Self::Win,
        Self::Stand,
        Self::Riichi,
        Self::NineOrphans,
        Self::SetAside,
        Self::Challenge,
        Self::ClaimKong,
        Self::EndMatch,
        Self::FalseWin,
    ];

    /// The word of an action, if that names no tiles.
    fn of(action: Action) -> Option<Self> {
        Self::ALL.into_iter().find(|word| word.action() == action)
    }

    const fn bit(self) -> u16 {
        1 << self as u8
    }

    const fn action(self) -> Action {
        match self {
            Self::Pass => Action::Pass,
            Self::Win => Action::Win,
            Self::Stand => Action::Stand,
            Self::Riichi => Action::Riichi,
            Self::NineOrphans => Action::NineOrphans,
            Self::SetAside => Action::SetAside,
            Self::Challenge => Action::Challenge,
            Self::ClaimKong => Action::ClaimKong,
            Self::EndMatch => Action::EndMatch,
            Self::FalseWin => Action::FalseWin,
        }
    }
}

/// The bit above those of [`TilelessAction`] and of the suits.
const EXCHANGES: u16 = 1 << (TilelessAction::ALL.len() + Suit::ALL.len());

const fn missing_bit(suit: Suit) -> u16 {
    1 << (TilelessAction::ALL.len() + suit.lane())
}

/// The chow of a discard with a joker that a bit stands for, whether it is legal or not.
fn joker_chow(discard: Kind, bit: u8) -> Option<Action> {
    let (place, is_higher) = ((bit - 2) / 2, (bit - 2) % 2 == 1);
    let (suit, low) = (discard.suit()?, discard.rank()?.get().checked_sub(place)?);
    let rank_of = |step: u8| Rank::new(low + step);
    let mut others = (0..3).filter(|step| *step != place);
    let [lower, higher] = [others.next()?, others.next()?];
    let kind_of = |step| Some(Kind::number(suit, rank_of(step)?));
    let (lower, higher) = (kind_of(lower)?, kind_of(higher)?);
    let (own, joker) = if is_higher {
        (lower, higher)
    } else {
        (higher, lower)
    };
    Some(Action::JokerChow {
        discard,
        own,
        joker,
    })
}

/// The bits of chows with a joker in [`Legal`].
const fn run_places() -> std::ops::Range<u8> {
    2..8
}

/// The set of legal actions of one seat, made of bit sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Legal {
    /// One bit per [`TilelessAction`]. Above them: one bit per suit that may be declared missing, and one that says
    /// that `discards` are tiles to exchange.
    words: u16,
    /// Pungs of a claimed discard: bit `n` stands for a pung with `n` red fives beside the discard.
    pub(crate) pungs: u8,
    /// Melds of a claimed discard with jokers. Bits 0 and 1: pungs with one joker and with two. Above them two bits for
    /// each place of the discard in a run, the lowest first: is the lower or the higher of the other two a joker?
    joker_melds: u8,
    /// The discard, if `joker_melds` has runs.
    joker_run_with: Option<Kind>,
    /// The melds of the seat whose joker it may take, one bit each.
    pub(crate) take_jokers: u8,
    /// Says what `runs` are: runs to lay down on the seat's own turn, or else chows.
    pub(crate) on_turn: bool,
    /// Red fives that may be discarded, one bit per suit. A red five just drawn is not among them.
    pub(crate) red_discards: u8,
    /// The tile just drawn, if it may be discarded.
    pub(crate) drawn: Option<Tile>,
    pub(crate) runs: [ShapeSet; 3],
    /// Chows in the claimed tile's suit that use a red five from the hand.
    pub(crate) red_runs: ShapeSet,
    /// The suit of `red_runs`.
    pub(crate) red_suit: Suit,
    /// Plain tiles that may be discarded. The tile just drawn is not among them.
    pub(crate) discards: KindSet,
    pub(crate) concealed_kongs: KindSet,
    pub(crate) added_kongs: KindSet,
    pub(crate) lay_pungs: KindSet,
}

const _: () = assert!(size_of::<Legal>() <= 128);

impl Legal {
    /// The set of a seat on turn that may only discard: plain tiles, red fives (one bit per suit) and the
    /// drawn tile.
    #[inline]
    pub(crate) fn of_turn(plain: KindSet, red_discards: u8, drawn: Option<Tile>) -> Self {
        Self {
            on_turn: true,
            red_discards,
            drawn,
            discards: plain,
            ..Self::default()
        }
    }

    /// Sets the runs with a red five. Without any the suit is that of an empty set, so that equal sets are equal.
    #[inline]
    pub(crate) fn set_red_runs(&mut self, suit: Suit, runs: ShapeSet) {
        self.red_runs = runs;
        self.red_suit = if runs.is_empty() {
            Suit::default()
        } else {
            suit
        };
    }

    /// True when there is nothing to decide.
    #[inline]
    pub fn is_empty(&self) -> bool {
        let has_discards = self.red_discards != 0 || self.drawn.is_some();
        self.words & !EXCHANGES == 0
            && !has_discards
            && self.discards.is_empty()
            && !self.has_groups()
    }

    /// True when an action that names no tiles is legal.
    #[inline]
    pub(crate) const fn can(&self, word: TilelessAction) -> bool {
        self.words & word.bit() != 0
    }

    /// Allows or forbids an action that names no tiles.
    #[inline]
    pub(crate) const fn allow(&mut self, word: TilelessAction, is_legal: bool) {
        self.words = self.words & !word.bit() | (is_legal as u16) << word as u8;
    }

    /// The sets of a byte each as one number: one bit for each of their actions.
    #[inline]
    const fn small_sets(&self) -> u32 {
        u32::from_le_bytes([self.pungs, self.joker_melds, self.take_jokers, 0])
    }

    /// True when the seat may make a meld, with a discard or of its own tiles.
    #[inline]
    fn has_groups(&self) -> bool {
        let [t, s, m] = self.runs.map(ShapeSet::bits);
        let runs = t | s | m | self.red_runs.bits();
        let own = self.concealed_kongs.union(self.added_kongs);
        let own = own.union(self.lay_pungs);
        self.small_sets() != 0 || runs != 0 || !own.is_empty()
    }

    /// The words that are listed before all other actions.
    #[inline]
    fn words_before(&self) -> u16 {
        self.words & !TilelessAction::FalseWin.bit()
    }

    /// How many red fives may be discarded.
    #[inline]
    fn reds_len(&self) -> usize {
        let one = |suit: usize| (self.red_discards >> suit & 1) as usize;
        one(0) + one(1) + one(2)
    }

    /// How many melds the seat may make.
    fn groups_len(&self) -> usize {
        self.small_sets().count_ones() as usize
            + self.runs.iter().map(|runs| runs.len()).sum::<usize>()
            + self.red_runs.len()
            + self.concealed_kongs.len()
            + self.added_kongs.len()
            + self.lay_pungs.len()
    }

    /// How many actions are legal.
    #[inline]
    pub fn len(&self) -> usize {
        let discards = self.discards.len() + self.reds_len();
        let drawn = usize::from(self.drawn.is_some());
        let words = self.words & !EXCHANGES;
        words.count_ones() as usize + self.groups_len() + discards + drawn
    }

    /// True when the action is legal.
    #[inline]
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Pass => self.can(TilelessAction::Pass),
            Action::Win => self.can(TilelessAction::Win),
            Action::Stand => self.can(TilelessAction::Stand),
            Action::EndMatch => self.can(TilelessAction::EndMatch),
            Action::FalseWin => self.can(TilelessAction::FalseWin),
            Action::Challenge => self.can(TilelessAction::Challenge),
            Action::ClaimKong => self.can(TilelessAction::ClaimKong),
            Action::Riichi => self.can(TilelessAction::Riichi),
            Action::NineOrphans => self.can(TilelessAction::NineOrphans),
            Action::SetAside => self.can(TilelessAction::SetAside),
            Action::Pung { reds } => reds < 3 && self.pungs >> reds & 1 == 1,
            Action::JokerPung { jokers } => {
                matches!(jokers, 1 | 2) && self.joker_melds >> (jokers - 1) & 1 == 1
            }
            Action::JokerChow { .. } => self.has_joker_chow(action),
            Action::TakeJoker { meld } => meld < 8 && self.take_jokers >> meld & 1 == 1,
            Action::Chow {
                suit,
                shape,
                red: true,
            } => self.red_suit == suit && self.red_runs.contains(shape),
            Action::Chow { suit, shape, .. } => {
                !self.on_turn && self.runs[suit.lane()].contains(shape)
            }
            Action::ConcealedKong(kind) => self.concealed_kongs.contains(kind),
            Action::AddedKong(kind) => self.added_kongs.contains(kind),
            Action::LayPung(kind) => self.lay_pungs.contains(kind),
            Action::LayRun { suit, shape } => {
                self.on_turn && self.runs[suit.lane()].contains(shape)
            }
            Action::Exchange(kind) => self.exchanges() && self.discards.contains(kind),
            Action::Missing(suit) => self.words & missing_bit(suit) != 0,
            Action::Discard { tile, drawn: true } => self.drawn == Some(tile),
            Action::Discard { tile, drawn: false } => match (tile.kind(), tile.is_red()) {
                (Some(kind), false) => !self.exchanges() && self.discards.contains(kind),
                (Some(kind), true) => self.red_discards >> kind.lane() & 1 == 1,
                (None, _) => false,
            },
        }
    }

    /// Allows melds of a claimed discard with jokers: a bit for each pung and chow, as `joker_melds` has them. Bits of
    /// chows that do not exist are dropped.
    pub(crate) fn allow_joker_melds(&mut self, discard: Kind, melds: u8) {
        self.joker_run_with = Some(discard);
        self.joker_melds = melds;
        let exists = |bit: &u8| joker_chow(discard, *bit).is_some();
        let chows = run_places()
            .filter(exists)
            .fold(0, |all, bit| all | 1 << bit);
        self.keep_joker_melds(chows | 0b11);
    }

    /// True when a claimed discard may go into a meld with jokers.
    #[inline]
    pub(crate) const fn has_joker_melds(&self) -> bool {
        self.joker_melds != 0
    }

    /// Keeps melds with jokers. Without runs the discard is that of an empty set, so that equal sets are equal.
    fn keep_joker_melds(&mut self, kept: u8) {
        self.joker_melds &= kept;
        if self.joker_melds & !0b11 == 0 {
            self.joker_run_with = None;
        }
    }

    /// The bit of a chow with a joker in `joker_melds`: the place of the discard in the run, and whether the higher of
    /// the other two is the joker.
    pub(crate) const fn joker_chow_bit(place: u8, is_higher: bool) -> u8 {
        2 + 2 * place + is_higher as u8
    }

    /// True when a chow with a joker is legal.
    #[inline(never)]
    fn has_joker_chow(&self, chow: Action) -> bool {
        self.joker_chows().any(|legal| legal == chow)
    }

    fn joker_chows(&self) -> impl Iterator<Item = Action> + '_ {
        let legal = run_places().filter(|&bit| self.joker_melds >> bit & 1 == 1);
        legal.filter_map(|bit| joker_chow(self.joker_run_with?, bit))
    }

    fn joker_pungs(&self) -> impl Iterator<Item = Action> + use<> {
        let melds = self.joker_melds;
        let legal = (1..=2).filter(move |jokers| melds >> (jokers - 1) & 1 == 1);
        legal.map(|jokers| Action::JokerPung { jokers })
    }

    fn jokers_to_take(&self) -> impl Iterator<Item = Action> + use<> {
        let melds = self.take_jokers;
        let legal = (0..8).filter(move |meld| melds >> meld & 1 == 1);
        legal.map(|meld| Action::TakeJoker { meld })
    }

    /// Makes an action legal. Returns false and changes nothing if the set cannot hold the action.
    ///
    /// A set is for one decision of one seat. It holds either tiles to exchange or tiles to discard. It holds either runs to lay down or chows. It has room for one
    /// drawn tile, and for chows with a red five in one suit.
    ///
    /// After [`Ruleset::adjust`](crate::Ruleset::adjust) the table drops inserted actions that it cannot
    /// carry out.
    pub fn insert(&mut self, action: Action) -> bool {
        match action {
            Action::Pung { reds } if reds < 3 => self.pungs |= 1 << reds,
            Action::JokerPung {
                jokers: jokers @ (1 | 2),
            } => self.joker_melds |= 1 << (jokers - 1),
            Action::JokerChow { discard, .. } => {
                let bit = run_places().find(|&bit| joker_chow(discard, bit) == Some(action));
                match (bit, self.joker_run_with) {
                    (Some(bit), None) => {
                        self.allow_joker_melds(discard, self.joker_melds | 1 << bit)
                    }
                    (Some(bit), Some(own)) if own == discard => self.joker_melds |= 1 << bit,
                    _ => return false,
                }
            }
            Action::TakeJoker { meld } if meld < 8 => self.take_jokers |= 1 << meld,
            Action::JokerPung { .. } | Action::TakeJoker { .. } => return false,
            Action::Chow {
                suit,
                shape,
                red: true,
            } if !self.on_turn && (self.red_runs.is_empty() || self.red_suit == suit) => {
                self.red_suit = suit;
                self.red_runs.insert(shape);
            }
            Action::Chow {
                suit,
                shape,
                red: false,
            } if !self.on_turn => self.runs[suit.lane()].insert(shape),
            Action::LayRun { suit, shape } if self.on_turn => {
                self.runs[suit.lane()].insert(shape);
            }
            Action::Pung { .. } | Action::Chow { .. } | Action::LayRun { .. } => return false,
            Action::ConcealedKong(kind) => self.concealed_kongs.insert(kind),
            Action::AddedKong(kind) => self.added_kongs.insert(kind),
            Action::LayPung(kind) => self.lay_pungs.insert(kind),
            Action::Discard { .. } if self.exchanges() => return false,
            Action::Discard { tile, drawn: true } => {
                if self.drawn.is_some_and(|own| own != tile) {
                    return false;
                }
                self.drawn = Some(tile);
            }
            Action::Missing(suit) => self.words |= missing_bit(suit),
            Action::Exchange(kind) if self.exchanges() || self.is_empty() => {
                self.words |= EXCHANGES;
                self.discards.insert(kind);
            }
            Action::Exchange(_) => return false,
            Action::Discard { tile, drawn: false } => match (tile.kind(), tile.is_red()) {
                (Some(kind), false) => self.discards.insert(kind),
                (Some(kind), true) => self.red_discards |= 1 << kind.lane(),
                (None, _) => return false,
            },
            word => match TilelessAction::of(word) {
                Some(word) => self.allow(word, true),
                None => return false,
            },
        }
        true
    }

    /// Makes an action illegal. Returns false if it was not legal before.
    ///
    /// ```
    /// use paishan::game::Match;
    /// use paishan::ruleset;
    /// let woo = ruleset::by_id("woo", &[])?;
    /// let series = Match::new(&woo, 7);
    /// let deal = series.start_deal(&mut ());
    /// let mut legal = *deal.legal(deal.state().waiting().first().expect("the dealer"));
    /// let action = legal.nth(0).expect("a discard");
    /// assert!(legal.remove(action) && !legal.contains(action));
    /// assert!(legal.insert(action) && legal.contains(action));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, action: Action) -> bool {
        if !self.contains(action) {
            return false;
        }
        match action {
            Action::Pung { reds } => self.pungs &= !(1 << reds),
            Action::JokerPung { jokers } => self.joker_melds &= !(1 << (jokers - 1)),
            Action::TakeJoker { meld } => self.take_jokers &= !(1 << meld),
            Action::JokerChow { .. } => {
                let with = self.joker_run_with;
                let is = |bit| with.and_then(|with| joker_chow(with, bit)) == Some(action);
                let kept = run_places().filter(|&bit| !is(bit));
                let kept = kept.fold(0, |kept, bit| kept | 1 << bit);
                self.keep_joker_melds(kept | 0b11);
            }
            Action::Chow {
                shape, red: true, ..
            } => {
                let mut runs = self.red_runs;
                runs.remove(shape);
                self.set_red_runs(self.red_suit, runs);
            }
            Action::Chow { suit, shape, .. } | Action::LayRun { suit, shape } => {
                self.runs[suit.lane()].remove(shape);
            }
            Action::ConcealedKong(kind) => self.concealed_kongs.remove(kind),
            Action::AddedKong(kind) => self.added_kongs.remove(kind),
            Action::LayPung(kind) => self.lay_pungs.remove(kind),
            Action::Exchange(kind) => {
                self.discards.remove(kind);
                if self.discards.is_empty() {
                    self.words &= !EXCHANGES;
                }
            }
            Action::Missing(suit) => self.words &= !missing_bit(suit),
            Action::Discard { drawn: true, .. } => self.drawn = None,
            Action::Discard { tile, drawn: false } => match tile.kind() {
                Some(kind) if tile.is_red() => self.red_discards &= !(1 << kind.lane()),
                Some(kind) => self.discards.remove(kind),
                None => {}
            },
            word => {
                if let Some(word) = TilelessAction::of(word) {
                    self.allow(word, false);
                }
            }
        }
        true
    }

    /// Keeps only the actions for which `keep` returns true.
    pub fn retain(&mut self, mut keep: impl FnMut(Action) -> bool) {
        let all = *self;
        for action in all.iter() {
            if !keep(action) {
                self.remove(action);
            }
        }
    }

    /// True when the seat may win now.
    #[inline]
    pub fn can_win(&self) -> bool {
        self.can(TilelessAction::Win)
    }

    /// True when the seat may announce a standing hand now.
    #[inline]
    pub fn can_stand(&self) -> bool {
        self.can(TilelessAction::Stand)
    }

    /// True when the seat may declare a false win now. That is then the last of its actions.
    #[inline]
    pub fn can_declare_falsely(&self) -> bool {
        self.can(TilelessAction::FalseWin)
    }

    /// True when the seat may declare riichi now.
    #[inline]
    pub fn can_declare_riichi(&self) -> bool {
        self.can(TilelessAction::Riichi)
    }

    /// True when the seat may declare a draw with nine orphans now.
    #[inline]
    pub fn can_declare_draw(&self) -> bool {
        self.can(TilelessAction::NineOrphans)
    }

    /// True when the seat may set a tile aside now.
    #[inline]
    pub fn can_set_aside(&self) -> bool {
        self.can(TilelessAction::SetAside)
    }

    /// True when the seat may end the match now.
    #[inline]
    pub fn can_end_match(&self) -> bool {
        self.can(TilelessAction::EndMatch)
    }

    /// Forbids melds with a discard, and runs laid down.
    pub(crate) fn forbid_melds(&mut self) {
        self.allow(TilelessAction::ClaimKong, false);
        self.forbid_pungs();
        self.forbid_runs();
    }

    /// Forbids pungs of a discard.
    pub(crate) fn forbid_pungs(&mut self) {
        self.pungs = 0;
        self.keep_joker_melds(!0b11);
    }

    /// Forbids runs with a discard, and runs laid down.
    pub(crate) fn forbid_runs(&mut self) {
        self.keep_joker_melds(0b11);
        self.runs = [ShapeSet::EMPTY; 3];
        self.set_red_runs(self.red_suit, ShapeSet::EMPTY);
    }

    /// Forbids discards of kinds that are not in the set.
    pub(crate) fn keep_discards(&mut self, kinds: KindSet) {
        self.discards = self.discards.intersection(kinds);
        for suit in Suit::ALL {
            if !kinds.contains(Kind::number(suit, Rank::FIVE)) {
                self.red_discards &= !(1 << suit.lane());
            }
        }
        let kept = |tile: &Tile| tile.kind().is_some_and(|kind| kinds.contains(kind));
        self.drawn = self.drawn.filter(kept);
    }

    /// The kinds of which a tile may be chosen for the exchange.
    pub fn exchange_kinds(&self) -> KindSet {
        if self.exchanges() {
            self.discards
        } else {
            KindSet::EMPTY
        }
    }

    const fn exchanges(&self) -> bool {
        self.words & EXCHANGES != 0
    }

    /// The set of a seat that chooses a tile of these kinds for the exchange.
    pub(crate) fn of_exchange(kinds: KindSet) -> Self {
        Self {
            words: EXCHANGES,
            discards: kinds,
            ..Self::default()
        }
    }

    /// True when the seat chooses what all choose before the first turn.
    #[inline]
    pub fn is_opening(&self) -> bool {
        self.words >> TilelessAction::ALL.len() != 0
    }

    /// The suits that may be declared missing.
    pub fn missing_suits(&self) -> impl Iterator<Item = Suit> + use<> {
        let words = self.words;
        let legal = move |suit: &Suit| words & missing_bit(*suit) != 0;
        Suit::ALL.into_iter().filter(legal)
    }

    /// The kinds that may be discarded: plain, red or just drawn.
    pub fn discard_kinds(&self) -> KindSet {
        if self.exchanges() {
            return KindSet::EMPTY;
        }
        let mut kinds = self.discards;
        for suit in Suit::ALL {
            if self.red_discards >> suit.lane() & 1 == 1 {
                kinds.insert(Kind::number(suit, Rank::FIVE));
            }
        }
        if let Some(kind) = self.drawn.and_then(Tile::kind) {
            kinds.insert(kind);
        }
        kinds
    }

    /// The discard of a kind: a plain tile before a red five, and a tile held before the drawn one. `None` if the
    /// kind may not be discarded.
    pub fn discard_of(&self, kind: Kind) -> Option<Action> {
        let plain = (!self.exchanges() && self.discards.contains(kind)).then(|| kind.into());
        let drawn = self.drawn.filter(|tile| tile.kind() == Some(kind));
        let red = match (kind.suit(), kind.rank()) {
            (Some(suit), Some(Rank::FIVE)) if self.red_discards >> suit.lane() & 1 == 1 => {
                Some(Tile::red_five(suit))
            }
            _ => None,
        };
        let held = |tile| Action::Discard { tile, drawn: false };
        let just_drawn = |tile| Action::Discard { tile, drawn: true };
        plain
            .map(held)
            .or(drawn.filter(|tile| !tile.is_red()).map(just_drawn))
            .or(red.map(held))
            .or(drawn.map(just_drawn))
    }

    /// Every legal action, in this order:
    ///
    /// - pass, win, stand, riichi, a draw with nine orphans, a tile set aside, challenge, claimed kong, end of the
    ///   match
    /// - claimed pungs, those with fewer red fives first, then those with fewer jokers
    /// - kongs of the seat's own tiles: concealed, then added
    /// - jokers to take out of melds
    /// - concealed pungs to lay down
    /// - runs to lay down or chows, then chows with a red five, then chows with a joker
    /// - tiles to exchange, in notation order; or suits to do without
    /// - discards in notation order, a red five before the plain fives
    /// - the tile just drawn
    /// - the false win
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let words = |wanted: fn(TilelessAction) -> bool| {
            let mut legal = TilelessAction::ALL
                .into_iter()
                .filter(move |&word| wanted(word));
            let legal = std::iter::from_fn(move || legal.find(|&word| self.can(word)));
            legal.map(TilelessAction::action)
        };
        let runs = Suit::ALL.into_iter().flat_map(move |suit| {
            self.runs[suit.lane()].iter().map(move |shape| {
                if self.on_turn {
                    Action::LayRun { suit, shape }
                } else {
                    Action::Chow {
                        suit,
                        shape,
                        red: false,
                    }
                }
            })
        });
        let red_runs = self.red_runs.iter().map(|shape| Action::Chow {
            suit: self.red_suit,
            shape,
            red: true,
        });
        let pungs = (0..3)
            .filter(|reds| self.pungs >> reds & 1 == 1)
            .map(|reds| Action::Pung { reds });
        let held = |tile| Action::Discard { tile, drawn: false };
        let plain = self.discards;
        let discards = self.discard_kinds().iter().flat_map(move |kind| {
            let red = match (kind.suit(), kind.rank()) {
                (Some(suit), Some(Rank::FIVE)) if self.red_discards >> suit.lane() & 1 == 1 => {
                    Some(held(Tile::red_five(suit)))
                }
                _ => None,
            };
            red.into_iter()
                .chain(plain.contains(kind).then(|| held(kind.into())))
        });
        words(|word| word != TilelessAction::FalseWin)
            .chain(pungs)
            .chain(self.joker_pungs())
            .chain(self.concealed_kongs.iter().map(Action::ConcealedKong))
            .chain(self.added_kongs.iter().map(Action::AddedKong))
            .chain(self.jokers_to_take())
            .chain(self.lay_pungs.iter().map(Action::LayPung))
            .chain(runs)
            .chain(red_runs)
            .chain(self.joker_chows())
            .chain(self.exchange_kinds().iter().map(Action::Exchange))
            .chain(self.missing_suits().map(Action::Missing))
            .chain(discards)
            .chain(self.drawn.map(|tile| Action::Discard { tile, drawn: true }))
            .chain(words(|word| word == TilelessAction::FalseWin))
    }

    /// The action at a place of [`Legal::iter`].
    #[inline]
    pub fn nth(&self, place: usize) -> Option<Action> {
        self.pick(|_| place)
    }

    /// The action of [`Legal::iter`] at the place that `choose` returns, given how many actions there are. It
    /// is faster than [`Legal::len`] and [`Legal::nth`] together because it counts once.
    ///
    /// ```
    /// use paishan::game::{Deal, Match};
    /// use paishan::ruleset;
    /// let woo = ruleset::by_id("woo", &[])?;
    /// let deal = Deal::start(&woo, Match::new(&woo, 7).setup(), &mut ());
    /// let legal = deal.legal(deal.state().waiting().first().expect("the dealer discards"));
    /// assert_eq!(legal.pick(|len| len - 1), legal.iter().last());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn pick(&self, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        let plain = Ranked::of(self.discards);
        let discards = plain.len() + self.reds_len() + usize::from(self.drawn.is_some());
        if self.words == 0 && !self.has_groups() {
            // Most turns allow nothing but discards.
            return self.nth_discard(choose(discards), plain);
        }
        let words = (self.words & !EXCHANGES).count_ones() as usize;
        let place = choose(words + self.groups_len() + discards);
        self.nth_of_all(place, plain)
    }

    /// The action at a place when not only discards are legal.
    #[inline(never)]
    fn nth_of_all(&self, place: usize, plain: Ranked) -> Option<Action> {
        if self.is_opening() {
            return self.iter().nth(place);
        }
        let Some(place) = place.checked_sub(self.words_before().count_ones() as usize) else {
            return self.nth_word(place);
        };
        match place.checked_sub(self.groups_len()) {
            Some(place) => self.nth_discard(place, plain),
            None => self.nth_group(place),
        }
    }

    /// The action at a place among those that name no tiles.
    fn nth_word(&self, place: usize) -> Option<Action> {
        let legal = TilelessAction::ALL
            .into_iter()
            .filter(|&word| self.can(word));
        legal.map(TilelessAction::action).nth(place)
    }

    /// The meld at a place among all that the seat may make.
    fn nth_group(&self, mut place: usize) -> Option<Action> {
        let mut among = |len: usize| {
            let here = (place < len).then_some(place);
            place = place.saturating_sub(len);
            here
        };
        if let Some(place) = among(self.pungs.count_ones() as usize) {
            let mut kinds = (0..8).filter(|reds| self.pungs >> reds & 1 == 1);
            return kinds.nth(place).map(|reds| Action::Pung { reds });
        }
        if let Some(place) = among((self.joker_melds & 0b11).count_ones() as usize) {
            return self.joker_pungs().nth(place);
        }
        if let Some(place) = among(self.concealed_kongs.len()) {
            return self.concealed_kongs.nth(place).map(Action::ConcealedKong);
        }
        if let Some(place) = among(self.added_kongs.len()) {
            return self.added_kongs.nth(place).map(Action::AddedKong);
        }
        if let Some(place) = among(self.take_jokers.count_ones() as usize) {
            return self.jokers_to_take().nth(place);
        }
        if let Some(place) = among(self.lay_pungs.len()) {
            return self.lay_pungs.nth(place).map(Action::LayPung);
        }
        for suit in Suit::ALL {
            let runs = self.runs[suit.lane()];
            if let Some(place) = among(runs.len()) {
                let shape = runs.iter().nth(place)?;
                let red = false;
                return Some(match self.on_turn {
                    true => Action::LayRun { suit, shape },
                    false => Action::Chow { suit, shape, red },
                });
            }
        }
        if let Some(place) = among(self.red_runs.len()) {
            let (shape, suit) = (self.red_runs.iter().nth(place)?, self.red_suit);
            let red = true;
            return Some(Action::Chow { suit, shape, red });
        }
        self.joker_chows().nth(place)
    }

    /// The action at a place among the discards and the false win that comes after them.
    #[inline]
    fn nth_discard(&self, mut place: usize, plain: Ranked) -> Option<Action> {
        if self.red_discards != 0 {
            // A red five comes before the plain fives.
            let (mut reds, mut passed) = (0, 0);
            for suit in Suit::ALL {
                let is_there = usize::from(self.red_discards >> suit.lane() & 1);
                let here = plain.rank(Kind::number(suit, Rank::FIVE).index()) + reds;
                if is_there == 1 && place == here {
                    let (tile, drawn) = (Tile::red_five(suit), false);
                    return Some(Action::Discard { tile, drawn });
                }
                passed += is_there & usize::from(here < place);
                reds += is_there;
            }
            place -= passed;
        }
        if let Some(kind) = plain.nth(place).and_then(Kind::from_index) {
            let (tile, drawn) = (kind.into(), false);
            return Some(Action::Discard { tile, drawn });
        }
        match (place - plain.len(), self.drawn) {
            (0, Some(tile)) => Some(Action::Discard { tile, drawn: true }),
            (0, None) | (1, Some(_)) => self
                .can(TilelessAction::FalseWin)
                .then_some(Action::FalseWin),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inserted_and_removed_leaves_the_set_as_it_was() {
        let mut legal = Legal::default();
        let chow = Action::Chow {
            suit: Suit::Man,
            shape: ShapeSet::from_bits(4).iter().next().unwrap(),
            red: true,
        };
        assert!(legal.insert(chow) && legal.contains(chow));
        assert!(legal.remove(chow) && !legal.remove(chow));
        assert_eq!(legal, Legal::default());
    }

    /// All melds with jokers that discards can make, put into sets, listed, counted and taken out again.
    #[test]
    fn melds_with_jokers_are_kept_like_others() {
        for discard in Kind::all().filter(|kind| kind.rank().is_none_or(|rank| rank.get() < 10)) {
            let mut legal = Legal::default();
            legal.allow_joker_melds(discard, u8::MAX);
            let all: Vec<Action> = legal.iter().collect();
            assert_eq!(all.len(), legal.len());
            let mut again = Legal::default();
            for (place, &action) in all.iter().enumerate() {
                assert!(legal.contains(action) && legal.nth(place) == Some(action));
                assert!(again.insert(action) && again.contains(action));
            }
            assert_eq!(again.iter().collect::<Vec<_>>(), all);
            for &action in &all {
                assert!(
                    again.remove(action) && !again.contains(action),
                    "{action:?}"
                );
            }
            assert_eq!(again, Legal::default());
        }
        let mut legal = Legal::default();
        let take = Action::TakeJoker { meld: 4 };
        assert!(legal.insert(take) && legal.nth(0) == Some(take) && !legal.is_empty());
        assert!(legal.remove(take) && legal.is_empty());
    }

    #[test]
    fn a_legal_set_lists_counts_and_knows_the_same() {
        let legal = Legal {
            words: 0b11_0011_1111,
            pungs: 0b101,
            red_discards: 0b010,
            drawn: Some(Tile::red_five(Suit::Man)),
            discards: [Kind::EAST, Kind::number(Suit::Sock, Rank::FIVE)]
                .into_iter()
                .collect(),
            concealed_kongs: KindSet::one(Kind::WHITE),
            ..Legal::default()
        };
        let all: Vec<Action> = legal.iter().collect();
        assert_eq!(all.len(), legal.len());
        for (i, &action) in all.iter().enumerate() {
            let pick = |len| {
                assert_eq!(len, all.len());
                i
            };
            assert_eq!(legal.pick(pick), Some(action));
            assert!(legal.contains(action));
            assert_eq!(legal.nth(i), Some(action));
        }
        assert_eq!(legal.nth(all.len()), None);
        let five = |suit| Kind::number(suit, Rank::FIVE);
        let some = [
            Kind::at(0, 1),
            Kind::at(0, 8),
            five(Suit::Tong),
            Kind::at(2, 5),
        ];
        let shapes = ShapeSet::from_bits(0b1011 << 60);
        for red_discards in 0..8 {
            for (drawn, false_win, on_turn) in [(None, true, true), (legal.drawn, false, false)] {
                let other = Legal {
                    red_discards,
                    drawn,
                    words: 0b1_1111_1111 | u16::from(false_win) << 9,
                    on_turn,
                    discards: some.into_iter().collect(),
                    added_kongs: some.into_iter().collect(),
                    lay_pungs: KindSet::one(Kind::EAST),
                    runs: [shapes, ShapeSet::EMPTY, shapes],
                    red_runs: shapes,
                    ..legal
                };
                for (i, action) in other.iter().enumerate() {
                    assert_eq!(other.nth(i), Some(action));
                }
                assert_eq!(other.iter().count(), other.len());
                assert_eq!(other.nth(other.len()), None);
            }
        }
        assert!(!legal.contains(Action::ClaimKong));
        assert!(!legal.contains(Action::Discard {
            tile: Tile::plain(Kind::WHITE),
            drawn: false
        }));
    }
}
