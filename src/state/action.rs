//! [`Action`]: what a seat does; [`Legal`]: the set of what it may do.

use crate::decompose::{Grammar, ShapeId, ShapeSet};
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit, Tile};

/// What a seat does when it must decide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Action {
    /// Claim nothing.
    Pass,
    /// Win with the tile drawn, discarded, robbed or laid down as a flower.
    Win,
    /// Announce a standing hand, with the first discard.
    Stand,
    /// Declare riichi, with the discard that comes next.
    Riichi,
    /// Declare a draw: nine different orphans in the first turn.
    NineOrphans,
    /// Declare a win that is none, which is punished.
    FalseWin,
    /// Have a kong shown that was laid face down.
    Challenge,
    /// Claim a discard for a kong.
    ClaimKong,
    /// Claim a discard for a pung.
    Pung {
        /// Red fives among the two tiles put beside it.
        reds: u8,
    },
    /// Claim a discard for a run of this shape and suit.
    Chow {
        /// The suit of the run.
        suit: Suit,
        /// The run, by its number in the grammar.
        shape: ShapeId,
        /// The five put beside the claimed tile is a red one.
        red: bool,
    },
    /// Declare four of one's own tiles.
    ConcealedKong(Kind),
    /// Add the fourth tile to a pung on the table.
    AddedKong(Kind),
    /// Lay three of one's own tiles down as a concealed pung.
    LayPung(Kind),
    /// Lay one's own tiles down as a concealed run.
    LayRun {
        /// The suit of the run.
        suit: Suit,
        /// The run, by its number in the grammar.
        shape: ShapeId,
    },
    /// Discard a tile.
    Discard {
        /// The tile.
        tile: Tile,
        /// It is the tile just drawn, not one like it that was held before.
        drawn: bool,
    },
}

const _: () = assert!(size_of::<Action>() <= 4);

impl Action {
    /// The action in words; runs are numbered by a grammar, which is needed to name their tiles.
    pub fn describe(&self, grammar: &Grammar) -> String {
        let run = |suit, shape| grammar.shape(shape).group(suit);
        match *self {
            Self::Pass => "pass".to_owned(),
            Self::Win => "win".to_owned(),
            Self::Stand => "announce a standing hand".to_owned(),
            Self::Riichi => "declare riichi".to_owned(),
            Self::NineOrphans => "declare a draw with nine orphans".to_owned(),
            Self::FalseWin => "declare a false win".to_owned(),
            Self::Challenge => "challenge".to_owned(),
            Self::ClaimKong => "claim a kong".to_owned(),
            Self::Pung { reds: 0 } => "claim a pung".to_owned(),
            Self::Pung { .. } => "claim a pung with a red five".to_owned(),
            Self::Chow { suit, shape, red } => {
                let with = if red { " with a red five" } else { "" };
                format!("claim {}{with}", run(suit, shape))
            }
            Self::ConcealedKong(kind) => format!("kong of {}", Tile::plain(kind)),
            Self::AddedKong(kind) => format!("add {} to a pung", Tile::plain(kind)),
            Self::LayPung(kind) => format!("lay down three {}", Tile::plain(kind)),
            Self::LayRun { suit, shape } => format!("lay down {}", run(suit, shape)),
            Self::Discard { tile, drawn: true } => format!("discard {tile}, just drawn"),
            Self::Discard { tile, drawn: false } => format!("discard {tile}"),
        }
    }
}

/// The set of legal actions of one seat: bit sets, no list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Legal {
    pub(crate) pass: bool,
    pub(crate) win: bool,
    pub(crate) stand: bool,
    pub(crate) false_win: bool,
    pub(crate) challenge: bool,
    pub(crate) claim_kong: bool,
    pub(crate) riichi: bool,
    pub(crate) nine_orphans: bool,
    /// Pungs of a claimed discard, a bit for each number of red fives put beside it.
    pub(crate) pungs: u8,
    /// Runs are chows while a discard is claimed, and laid down on one's own turn.
    pub(crate) on_turn: bool,
    /// Red fives held before the draw that may be discarded, a bit a suit.
    pub(crate) red_discards: u8,
    /// The tile just drawn, where it may be discarded.
    pub(crate) drawn: Option<Tile>,
    pub(crate) runs: [ShapeSet; 3],
    /// Runs of the claimed tile's suit in which the five put beside it is a red one.
    pub(crate) red_runs: ShapeSet,
    /// The suit of those.
    pub(crate) red_suit: Suit,
    /// Plain tiles held before the draw that may be discarded.
    pub(crate) discards: KindSet,
    pub(crate) concealed_kongs: KindSet,
    pub(crate) added_kongs: KindSet,
    pub(crate) lay_pungs: KindSet,
}

const _: () = assert!(size_of::<Legal>() <= 128);

impl Legal {
    /// True when there is nothing to decide.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words() + self.discards_len() == 0 && !self.has_groups()
    }

    /// True when melds may be made, of a discard or of one's own tiles.
    #[inline]
    fn has_groups(&self) -> bool {
        let [t, s, m] = self.runs.map(ShapeSet::bits);
        let runs = t | s | m | self.red_runs.bits();
        let own = self.concealed_kongs.union(self.added_kongs);
        let own = own.union(self.lay_pungs);
        self.pungs != 0 || runs != 0 || !own.is_empty()
    }

    /// Actions that no tiles are named for.
    #[inline]
    fn words(&self) -> usize {
        usize::from(self.pass)
            + usize::from(self.win)
            + usize::from(self.stand)
            + usize::from(self.riichi)
            + usize::from(self.nine_orphans)
            + usize::from(self.false_win)
            + usize::from(self.challenge)
            + usize::from(self.claim_kong)
    }

    #[inline]
    fn discards_len(&self) -> usize {
        self.red_discards.count_ones() as usize
            + self.discards.len()
            + usize::from(self.drawn.is_some())
    }

    /// Melds that may be made; most turns allow none.
    #[inline]
    fn groups_len(&self) -> usize {
        if !self.has_groups() {
            return 0;
        }
        self.pungs.count_ones() as usize
            + self.runs.iter().map(|runs| runs.len()).sum::<usize>()
            + self.red_runs.len()
            + self.concealed_kongs.len()
            + self.added_kongs.len()
            + self.lay_pungs.len()
    }

    /// How many actions.
    #[inline]
    pub fn len(&self) -> usize {
        self.words() + self.groups_len() + self.discards_len()
    }

    /// True when the action is legal.
    #[inline]
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Pass => self.pass,
            Action::Win => self.win,
            Action::Stand => self.stand,
            Action::FalseWin => self.false_win,
            Action::Challenge => self.challenge,
            Action::ClaimKong => self.claim_kong,
            Action::Riichi => self.riichi,
            Action::NineOrphans => self.nine_orphans,
            Action::Pung { reds } => reds < 3 && self.pungs >> reds & 1 == 1,
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
            Action::Discard { tile, drawn: true } => self.drawn == Some(tile),
            Action::Discard { tile, drawn: false } => match (tile.kind(), tile.is_red()) {
                (Some(kind), false) => self.discards.contains(kind),
                (Some(kind), true) => self.red_discards >> kind.lane() & 1 == 1,
                (None, _) => false,
            },
        }
    }

    /// True when the seat may win now.
    #[inline]
    pub fn can_win(&self) -> bool {
        self.win
    }

    /// True when the seat may announce a standing hand now.
    #[inline]
    pub fn can_stand(&self) -> bool {
        self.stand
    }

    /// True when the seat may declare a false win now: the last of its actions.
    #[inline]
    pub fn can_declare_falsely(&self) -> bool {
        self.false_win
    }

    /// True when the seat may declare riichi now.
    #[inline]
    pub fn can_declare_riichi(&self) -> bool {
        self.riichi
    }

    /// True when the seat may declare a draw with nine orphans now.
    #[inline]
    pub fn can_declare_draw(&self) -> bool {
        self.nine_orphans
    }

    /// Forbids to make melds of a discard, or to lay down runs.
    pub(crate) fn forbid_melds(&mut self) {
        self.claim_kong = false;
        self.pungs = 0;
        self.runs = [ShapeSet::EMPTY; 3];
        self.red_runs = ShapeSet::EMPTY;
    }

    /// Forbids the discards of all other kinds.
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

    /// The kinds that may be discarded, however they are held.
    pub fn discard_kinds(&self) -> KindSet {
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

    /// Every legal action: passing, winning, a standing hand, riichi, a draw, a challenge, claims from
    /// kong to chow (those with red fives after the plain ones), own kongs, melds laid down, discards
    /// in notation order (a red five before the plain ones), the drawn tile, a false win.
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let flag = |on: bool, action| on.then_some(action);
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
                .chain(flag(plain.contains(kind), held(kind.into())))
        });
        flag(self.pass, Action::Pass)
            .into_iter()
            .chain(flag(self.win, Action::Win))
            .chain(flag(self.stand, Action::Stand))
            .chain(flag(self.riichi, Action::Riichi))
            .chain(flag(self.nine_orphans, Action::NineOrphans))
            .chain(flag(self.challenge, Action::Challenge))
            .chain(flag(self.claim_kong, Action::ClaimKong))
            .chain(pungs)
            .chain(self.concealed_kongs.iter().map(Action::ConcealedKong))
            .chain(self.added_kongs.iter().map(Action::AddedKong))
            .chain(self.lay_pungs.iter().map(Action::LayPung))
            .chain(runs)
            .chain(red_runs)
            .chain(discards)
            .chain(self.drawn.map(|tile| Action::Discard { tile, drawn: true }))
            .chain(flag(self.false_win, Action::FalseWin))
    }

    /// The action at a place of [`Legal::iter`].
    #[inline]
    pub fn nth(&self, mut place: usize) -> Option<Action> {
        for (is_legal, action) in [
            (self.pass, Action::Pass),
            (self.win, Action::Win),
            (self.stand, Action::Stand),
            (self.riichi, Action::Riichi),
            (self.nine_orphans, Action::NineOrphans),
            (self.challenge, Action::Challenge),
            (self.claim_kong, Action::ClaimKong),
        ] {
            match place.checked_sub(usize::from(is_legal)) {
                Some(left) => place = left,
                None => return Some(action),
            }
        }
        match place.checked_sub(self.groups_len()) {
            Some(left) => self.nth_discard(left),
            None => self.nth_group(place),
        }
    }

    /// The meld at a place among those that may be made.
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
        if let Some(place) = among(self.concealed_kongs.len()) {
            return self.concealed_kongs.nth(place).map(Action::ConcealedKong);
        }
        if let Some(place) = among(self.added_kongs.len()) {
            return self.added_kongs.nth(place).map(Action::AddedKong);
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
        let (place, suit) = (among(self.red_runs.len())?, self.red_suit);
        let shape = self.red_runs.iter().nth(place)?;
        let red = true;
        Some(Action::Chow { suit, shape, red })
    }

    /// The discard at a place among them, and the false win behind them.
    #[inline]
    fn nth_discard(&self, mut place: usize) -> Option<Action> {
        let held = |tile| Action::Discard { tile, drawn: false };
        if self.red_discards != 0 {
            // Red fives stand before the plain ones.
            for suit in Suit::ALL {
                if self.red_discards >> suit.lane() & 1 == 0 {
                    continue;
                }
                let five = Kind::number(suit, Rank::FIVE);
                let before = self.discards.intersection(KindSet::before(five)).len();
                match place.checked_sub(1) {
                    _ if place < before => break,
                    Some(left) if place > before => place = left,
                    _ => return Some(held(Tile::red_five(suit))),
                }
            }
        }
        if let Some(kind) = self.discards.nth(place) {
            return Some(held(kind.into()));
        }
        match (place - self.discards.len(), self.drawn) {
            (0, Some(tile)) => Some(Action::Discard { tile, drawn: true }),
            (0, None) | (1, Some(_)) => self.false_win.then_some(Action::FalseWin),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legal_set_lists_counts_and_knows_the_same() {
        let legal = Legal {
            pass: true,
            win: true,
            stand: true,
            false_win: true,
            riichi: true,
            nine_orphans: true,
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
                    false_win,
                    on_turn,
                    challenge: true,
                    claim_kong: true,
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
