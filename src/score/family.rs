//! Score families, which turn patterns into points, and the sums behind the points of a hand.

use super::doubles::{Doubles, DoublesRules};
use super::fan::{Fan, FanRules};
use super::han_fu::{HanFu, HanFuRules};

/// The family that turns patterns into points.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ScoreFamily {
    /// Points and doubles.
    Doubles(DoublesRules),
    /// Fan.
    Fan(FanRules),
    /// Han and fu.
    HanFu(HanFuRules),
}

/// Points, then two tie-breaks between readings. The greatest counts.
pub(super) type Worth = (i64, i64, i64);

/// The sums behind the points of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Tally {
    /// In points and doubles.
    Doubles(Doubles),
    /// In fan.
    Fan(Fan),
    /// In han and fu.
    HanFu(HanFu),
}

impl Tally {
    /// How readings compare: by points first. Ties are broken by limit hands and the sum before rounding and
    /// limit, by fan, or by limits, han and fu.
    pub(super) fn worth(&self, points: i64) -> Worth {
        match self {
            Self::Doubles(sum) => (points, i64::from(sum.limit_hands), sum.uncapped),
            Self::Fan(sum) => (points, 0, sum.fan.tenths()),
            Self::HanFu(sum) => {
                let (limits, han) = (i64::from(sum.limits), i64::from(sum.han));
                (points, limits, han * 1000 + i64::from(sum.fu))
            }
        }
    }

    /// True when the hand is worth enough to win.
    pub const fn wins(&self) -> bool {
        match self {
            Self::Doubles(sum) => sum.wins,
            Self::Fan(sum) => sum.wins,
            Self::HanFu(sum) => sum.wins,
        }
    }
}
