//! What a reading shows at a glance, a bit each, and what a condition cannot do without.
//!
//! Most patterns fail by something plain: another way of winning, an open hand, too few pungs. Conditions
//! are asked only where none of the bits is missing that they need.

use super::Reading;
use crate::meld::Family;
use crate::set::KindSet;
use crate::state::{FlagSet, Way};
use crate::tile::{Kind, Suit};

/// A set of plain things that are true of a reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Signature(u128);

/// Ranks 2 to 8 of every suit.
const MIDDLE: KindSet = KindSet::from_bits(0x00fe_00fe_00fe);
/// Ranks 1 and 9 of every suit, and everything that has no suit.
const ENDS: KindSet = KindSet::from_bits(0xffff_0101_0101_0101);
/// Everything that has no suit.
const UNSUITED: KindSet = KindSet::from_bits(0xffff << 48);

const WAYS: u32 = 32;
const FORMS: u32 = WAYS + 4;
const PUNGS: u32 = FORMS + 8;
const KONGS: u32 = PUNGS + 4;
const RUNS: u32 = KONGS + 4;
const REST: u32 = RUNS + 4;

const LOWEST: u32 = REST + 18;

/// The first bits are the flags, one by one; the last the lowest ranks of runs.
const _: () = assert!(FlagSet::MAX == WAYS as usize && LOWEST + 18 < 128);

/// So many of four bits, from the first: as many things are there.
const fn at_least(count: usize, first: u32) -> Signature {
    let bits = if count < 4 { (1 << count) - 1 } else { 0xf };
    Signature(bits << first)
}

impl Signature {
    /// Nothing.
    pub(super) const NONE: Self = Self(0);
    /// What no reading shows.
    pub(super) const NEVER: Self = Self(1 << 127);
    /// A win off nobody.
    pub(super) const SELF_DRAW: Self = Self(1 << REST);
    /// No win off nobody.
    pub(super) const NO_SELF_DRAW: Self = Self(2 << REST);
    /// A closed hand.
    pub(super) const CLOSED: Self = Self(4 << REST);
    /// A pung or kong of a kind without suit.
    const HONOUR_PUNG: Self = Self(8 << REST);
    /// A pair of a kind without suit.
    const HONOUR_PAIR: Self = Self(16 << REST);
    /// No rank from 2 to 8.
    const NO_MIDDLE: Self = Self(32 << REST);
    /// No rank 1 or 9 and nothing without suit.
    const NO_ENDS: Self = Self(64 << REST);
    /// Exactly one suit.
    pub(super) const ONE_SUIT: Self = Self(128 << REST);

    /// Indicators that lie face up, and under them.
    pub(super) const BONUS: Self = Self(1 << (REST + 8));
    pub(super) const URA: Self = Self(1 << (REST + 9));
    /// Red fives.
    pub(super) const REDS: Self = Self(1 << (REST + 10));
    /// Two groups beside the pair that are the same.
    pub(super) const TWINS: Self = Self(1 << (REST + 11));
    /// Five groups or more with a kind that is an [end](ENDS).
    const FIVE_WITH_ENDS: Self = Self(1 << (REST + 12));
    /// Runs at the same rank in two suits, and in three.
    const SAME_RUNS: [Self; 2] = [Self(1 << (REST + 13)), Self(1 << (REST + 14))];
    /// No tong, no sock, no man.
    const LACKS_SUIT: [Self; 3] = [
        Self(1 << (REST + 15)),
        Self(1 << (REST + 16)),
        Self(1 << (REST + 17)),
    ];

    /// A pung or kong of a number from 2 to 8, and of an [end](ENDS).
    const MIDDLE_PUNG: Self = Self(1 << (LOWEST + 16));
    const END_PUNG: Self = Self(1 << (LOWEST + 17));

    /// A flag of the win.
    pub(super) const fn flag(place: usize) -> Self {
        Self(if place < FlagSet::MAX { 1 << place } else { 0 })
    }

    /// A way of winning.
    pub(super) const fn way(way: Way) -> Self {
        Self(1 << (WAYS + way as u32))
    }

    /// The form of a reading.
    pub(super) const fn form(form: u8) -> Self {
        Self(if form < 8 {
            1 << (FORMS + form as u32)
        } else {
            0
        })
    }

    /// So many pungs and kongs.
    pub(super) const fn pungs(count: usize) -> Self {
        at_least(count, PUNGS)
    }

    /// So many runs.
    pub(super) const fn runs(count: usize) -> Self {
        at_least(count, RUNS)
    }

    /// A run with this lowest number.
    const fn lowest(place: u32) -> Self {
        Self(1 << (LOWEST + place % 16))
    }

    /// Runs at the same rank in so many suits.
    pub(super) fn same_runs(suits: usize) -> Self {
        let same = suits
            .checked_sub(2)
            .and_then(|more| Self::SAME_RUNS.get(more));
        Self::runs(suits).and(same.copied().unwrap_or_default())
    }

    /// So many groups with one of these kinds.
    pub(super) fn groups_with(count: usize, kinds: KindSet) -> Self {
        match count >= 5 && kinds.is_subset(ENDS) {
            true => Self::FIVE_WITH_ENDS,
            false => Self::NONE,
        }
    }

    /// So many groups of some families, all of whose kinds are among those.
    pub(super) fn groups(count: usize, is: impl Fn(Family) -> bool, kinds: KindSet) -> Self {
        let mut needs = Self::NONE;
        if count == 0 {
            return needs;
        }
        let [pair, pung, kong] = [Family::Pair, Family::Pung, Family::Kong].map(&is);
        let run = [Family::Arith, Family::Gem, Family::Power]
            .into_iter()
            .any(is);
        let of_honours = kinds.is_subset(UNSUITED);
        match (pair, pung, kong, run) {
            (false, false, true, false) => needs = at_least(count, KONGS).and(Self::pungs(count)),
            (false, _, _, false) => needs = Self::pungs(count),
            (false, false, false, true) => {
                needs = Self::runs(count);
                // Of three numbers of one suit there is one run.
                let first = kinds.iter().next();
                let is_run = |first: &Kind| {
                    let lane = KindSet::from_bits(0xffff << (16 * first.lane()));
                    first.suit().is_some() && kinds.len() == 3 && kinds.is_subset(lane)
                };
                if let Some(first) = first.filter(is_run) {
                    needs = needs.and(Self::lowest(first.place()));
                }
            }
            (true, false, false, false) if of_honours => needs = Self::HONOUR_PAIR,
            _ => {}
        }
        if !pair && !run {
            for (within, of_them) in [
                (UNSUITED, Self::HONOUR_PUNG),
                (MIDDLE, Self::MIDDLE_PUNG),
                (ENDS, Self::END_PUNG),
            ] {
                if kinds.is_subset(within) {
                    needs = needs.and(of_them);
                }
            }
        }
        needs
    }

    /// No tile but those.
    pub(super) fn no_tiles_but(kinds: KindSet) -> Self {
        let mut needs = Self::NONE;
        if kinds.intersection(MIDDLE).is_empty() {
            needs = needs.and(Self::NO_MIDDLE);
        }
        if kinds.intersection(ENDS).is_empty() {
            needs = needs.and(Self::NO_ENDS);
        }
        for (lane, without) in Self::LACKS_SUIT.into_iter().enumerate() {
            if kinds.bits() >> (16 * lane) & 0xffff == 0 {
                needs = needs.and(without);
            }
        }
        needs
    }

    /// Both.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both have in common.
    pub(super) const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// True when nothing of the other is missing.
    #[inline]
    pub(super) const fn has(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// What is true of a reading.
    pub(super) fn of(reading: &Reading<'_>) -> Self {
        Self::of_circumstances(reading).and(Self::of_tiles(reading))
    }

    /// What is true of how the hand won, whatever its tiles are.
    pub(super) fn of_circumstances(reading: &Reading<'_>) -> Self {
        let mut all = Self::NONE;
        if let Some(win) = reading.win {
            all.0 |= u128::from(win.flags.bits());
            all = all.and(Self::way(win.way));
        }
        all = all.and(match reading.win.is_some_and(|win| win.is_self_draw()) {
            true => Self::SELF_DRAW,
            false => Self::NO_SELF_DRAW,
        });
        if reading.hand.is_closed() {
            all = all.and(Self::CLOSED);
        }
        for (is, signature) in [
            (!reading.bonus.is_empty(), Self::BONUS),
            (!reading.ura.is_empty(), Self::URA),
            (reading.reds() > 0, Self::REDS),
        ] {
            all = all.and(if is { signature } else { Self::NONE });
        }
        all
    }

    /// What is true of the groups and the tiles, whichever group the last tile completed.
    pub(super) fn of_tiles(reading: &Reading<'_>) -> Self {
        let mut all = Self::form(reading.form);
        let (mut pungs, mut kongs, mut runs, mut with_ends) = (0, 0, 0, 0);
        let mut runs_at = [0u16; 4];
        for (i, group) in reading.groups.iter().enumerate() {
            let kinds = group.group.kind_set();
            let in_honours = group.group.kinds()[0].suit().is_none();
            let of_honours = |is: Self| if in_honours { is } else { Self::NONE };
            with_ends += usize::from(!kinds.intersection(ENDS).is_empty());
            let before = &reading.groups[..i];
            match group.group.family() {
                Family::Pair => {
                    all = all.and(of_honours(Self::HONOUR_PAIR));
                    continue;
                }
                Family::Arith | Family::Gem | Family::Power => {
                    runs += 1;
                    let lowest = group.group.kinds()[0];
                    runs_at[lowest.lane()] |= 1 << lowest.place();
                    let number = kinds.difference(UNSUITED).bits().trailing_zeros();
                    all = all.and(Self::lowest(number));
                }
                family => {
                    let is_middle = kinds.is_subset(MIDDLE);
                    all = all.and(match is_middle {
                        true => Self::MIDDLE_PUNG,
                        false => Self::END_PUNG,
                    });
                    pungs += 1;
                    kongs += usize::from(family == Family::Kong);
                    all = all.and(of_honours(Self::HONOUR_PUNG));
                }
            }
            if before.iter().any(|other| other.group == group.group) {
                all = all.and(Self::TWINS);
            }
        }
        if with_ends >= 5 {
            all = all.and(Self::FIVE_WITH_ENDS);
        }
        let [t, s, m, _] = runs_at;
        if t & s | t & m | s & m != 0 {
            all = all.and(Self::SAME_RUNS[0]);
        }
        if t & s & m != 0 {
            all = all.and(Self::SAME_RUNS[1]);
        }
        all = all.and(at_least(kongs, KONGS));
        all = all.and(Self::pungs(pungs)).and(Self::runs(runs));
        let tiles = reading.tiles;
        all = all.and(Self::no_tiles_but(tiles.kinds()));
        let has_suit = |suit: &Suit| tiles.lane(suit.lane()) != 0;
        if Suit::ALL.iter().filter(|suit| has_suit(suit)).count() == 1 {
            all = all.and(Self::ONE_SUIT);
        }
        all
    }
}
