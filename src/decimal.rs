//! [`Decimal`]: an exact number with one decimal place. [`Number`]: a whole number or a [`Decimal`].

use crate::forms::two_forms;
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number with one decimal place, stored as an integer of tenths. The crate never calculates with floats.
/// They appear only in JSON, where a decimal always keeps its decimal place (`2.0`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Decimal(i64);

impl Decimal {
    /// The decimal of `tenths` tenths.
    pub const fn from_tenths(tenths: i64) -> Self {
        Self(tenths)
    }

    /// A whole number. Out of range it becomes the largest or smallest decimal.
    pub const fn whole(number: i64) -> Self {
        Self(number.saturating_mul(10))
    }

    /// The number in tenths.
    #[inline]
    pub const fn tenths(self) -> i64 {
        self.0
    }

    /// Parses an optional sign, digits, and an optional point with one digit after it. More digits must be
    /// zeros.
    ///
    /// ```
    /// use paishan::decimal::Decimal;
    /// assert_eq!(Decimal::parse("2.6"), Some(Decimal::from_tenths(26)));
    /// assert_eq!(Decimal::parse("-3"), Some(Decimal::whole(-3)));
    /// assert_eq!(Decimal::parse("0.25"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // Zeros beyond the first digit are fine: `2.50` is as exact as `2.5`.
        let (first, more) = part.split_at_checked(1)?;
        let part = if more.trim_end_matches('0').is_empty() {
            first
        } else {
            part
        };
        if !is_number(whole) || !is_number(part) || part.len() > 1 || whole.len() > 12 {
            return None;
        }
        let tenths = whole.parse::<i64>().ok()? * 10 + part.parse::<i64>().ok()?;
        Some(Self(sign * tenths))
    }

    /// Converts a float from JSON. `None` if it has more than one decimal place or is 10^12 or more.
    pub fn from_f64(value: f64) -> Option<Self> {
        let tenths = (value * 10.0).round();
        let fits = tenths.abs() < 1e13 && (tenths / 10.0 - value).abs() < 1e-9;
        fits.then_some(Self(tenths as i64))
    }

    fn to_f64(self) -> f64 {
        self.0 as f64 / 10.0
    }
}

impl fmt::Display for Decimal {
    /// Writes the number without a trailing zero: `2.6`, `3`, `-2.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, tenths) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match tenths % 10 {
            0 => write!(f, "{sign}{}", tenths / 10),
            part => write!(f, "{sign}{}.{part}", tenths / 10),
        }
    }
}

#[cfg(feature = "serde")]
impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_f64())
    }
}

#[cfg(feature = "serde")]
impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let fault = || serde::de::Error::custom("a number with at most one decimal place");
        Self::from_f64(value).ok_or_else(fault)
    }
}

two_forms! {
    #[serde(untagged)]
    /// A number in a log or an answer: whole, or with one decimal place. `3` and `3.0` are written differently
    /// but compare as equal.
    #[derive(Clone, Copy, Debug)]
    pub enum Number {
        /// A whole number.
        Whole(i64),
        /// A number with one decimal place.
        Decimal(Decimal),
    }
}

impl Number {
    /// Converts an amount in a ruleset's least unit into points; `per_point` (1 or 2) units make a point. The
    /// result is whole if it can be. A `per_point` below 1 counts as 1. Tenths out of range become the
    /// largest or smallest decimal.
    pub const fn of_units(units: i64, per_point: i64) -> Self {
        let per_point = if per_point < 1 { 1 } else { per_point };
        if units % per_point == 0 {
            return Self::Whole(units / per_point);
        }
        let tenths = units as i128 * 10 / per_point as i128;
        Self::Decimal(Decimal(if tenths > i64::MAX as i128 {
            i64::MAX
        } else if tenths < i64::MIN as i128 {
            i64::MIN
        } else {
            tenths as i64
        }))
    }

    /// The number in tenths.
    pub const fn tenths(self) -> i64 {
        match self {
            Self::Whole(number) => Decimal::whole(number).0,
            Self::Decimal(number) => number.0,
        }
    }
}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.tenths().hash(state);
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::Whole(0)
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}

impl From<Decimal> for Number {
    fn from(number: Decimal) -> Self {
        Self::Decimal(number)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.tenths() == other.tenths()
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Decimal(self.tenths()).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_written_exactly() {
        for (text, tenths) in [
            ("2.6", 26),
            ("0.5", 5),
            ("-0.2", -2),
            ("12", 120),
            ("1.0", 10),
        ] {
            let decimal = Decimal::parse(text).unwrap();
            assert_eq!(decimal.tenths(), tenths);
            assert_eq!(Decimal::parse(&decimal.to_string()), Some(decimal));
            let json = serde_json::to_string(&decimal).unwrap();
            assert!(json.contains('.'), "{json}");
            assert_eq!(serde_json::from_str::<Decimal>(&json).unwrap(), decimal);
        }
        for text in [
            "",
            ".",
            "1.",
            ".5",
            "1.25",
            "x",
            "1e3",
            "--1",
            "99999999999999",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::from_f64(0.25), None);
        assert_eq!(Decimal::from_f64(f64::NAN), None);
        assert!(serde_json::from_str::<Decimal>("2").is_ok());
    }

    #[test]
    fn half_points_are_whole_where_they_can_be() {
        let text = |units| serde_json::to_string(&Number::of_units(units, 2)).unwrap();
        assert_eq!([text(-5), text(-50), text(0)], ["-2.5", "-25", "0"]);
        assert_eq!(Number::Whole(3), Number::Decimal(Decimal::whole(3)));
        assert_eq!(Number::of_units(7, 0), Number::Whole(7));
        assert_eq!(Number::of_units(i64::MIN, -1), Number::Whole(i64::MIN));
        let most = Number::of_units(i64::MAX, 2);
        assert_eq!(most.tenths(), i64::MAX);
        assert_eq!(Number::of_units(i64::MIN + 1, 2).tenths(), i64::MIN);
    }
}
