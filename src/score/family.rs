//! Score families, which turn patterns into points, and the sums behind the points of a hand.

use super::facts::Fact;
use super::han_fu::{HanFu, HanFuRules};
use super::sums::{Minimum, Sums, SumsRules};

/// The family that turns patterns into points.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "a ruleset has one, which every score reads"
)]
pub enum ScoreFamily {
    /// Sums by column, and a formula of the file.
    Sums(SumsRules),
    /// Han and fu. Fu are counted group by group and rounded, so no formula of a file makes them.
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
    /// By column.
    Sums(Sums),
    /// In han and fu.
    HanFu(HanFu),
}

impl Tally {
    /// True when the hand is worth enough to win.
    pub const fn wins(&self) -> bool {
        match self {
            Self::Sums(sum) => sum.wins,
            Self::HanFu(sum) => sum.wins,
        }
    }
}

impl ScoreFamily {
    /// How readings compare: by points first. Ties are broken by limits and by worth, or by limits, han and fu.
    pub(super) fn order(&self, tally: &Tally, points: i64) -> Worth {
        match (self, tally) {
            (Self::Sums(rules), Tally::Sums(sums)) => {
                let (limits, worth) = rules.order(sums);
                (points, limits, worth)
            }
            (_, Tally::HanFu(sum)) => {
                let (limits, han) = (i64::from(sum.limits), i64::from(sum.han));
                (points, limits, han * 1000 + i64::from(sum.fu))
            }
            // A score of other rules.
            _ => (points, 0, 0),
        }
    }

    /// What the sums of a hand must meet to win, if anything.
    pub(crate) fn minimum(&self) -> Option<&Minimum> {
        match self {
            Self::Sums(rules) => rules.minimum.as_ref(),
            Self::HanFu(rules) => rules.minimum.as_ref(),
        }
    }

    /// True when `is` holds for some fact of the formulas and rows.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        let of_minimum = self.minimum().is_some_and(|one| one.condition.any_fact(is));
        of_minimum
            || match self {
                Self::Sums(rules) => {
                    let others = rules.reached.iter().chain(&rules.points);
                    others
                        .chain([&rules.worth])
                        .any(|formula| formula.any_fact(is))
                }
                Self::HanFu(rules) => rules.fu.iter().any(|row| {
                    row.when.as_ref().is_some_and(|when| when.any_fact(is))
                        || row.per.as_ref().is_some_and(|per| per.any_fact(is))
                }),
            }
    }

    /// The columns.
    pub fn columns(&self) -> Vec<&str> {
        match self {
            Self::Sums(rules) => rules.names.iter().map(String::as_str).collect(),
            Self::HanFu(_) => HanFuRules::COLUMNS.to_vec(),
        }
    }
}
