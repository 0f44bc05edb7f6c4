//! The result of a scored hand.

/// The result of a scored hand. Numbers are in tenths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Tallied {
    pub(crate) wins: bool,
    pub(crate) minimum: i64,
    pub(crate) points: i64,
    pub(crate) fan: i64,
    pub(crate) doubles: i64,
    pub(crate) base: i64,
    pub(crate) han: i64,
    pub(crate) fu: i64,
}
