//! Which groups and tiles make a condition hold.

use super::expr::{Comparison, Expr};
use super::{Condition, Count};
use crate::score::facts::Fact;
use crate::score::reading::Reading;
use crate::set::KindSet;

/// The groups and tiles of a reading that a condition counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::score) struct Parts {
    /// A bit for each group, by its index in the reading.
    pub(in crate::score) groups: u8,
    /// Kinds of which the condition counts single tiles.
    pub(in crate::score) kinds: KindSet,
}

impl Parts {
    fn add(&mut self, other: Self) {
        self.groups |= other.groups;
        self.kinds = self.kinds.union(other.kinds);
    }
}

impl Condition {
    /// What makes the condition hold. Nothing if it is about circumstances or about all tiles.
    pub(in crate::score) fn parts(&self, reading: &Reading<'_>) -> Parts {
        parts_of(&self.expr, reading)
    }
}

impl Count {
    /// What is counted.
    pub(in crate::score) fn parts(&self, reading: &Reading<'_>) -> Parts {
        parts_of(&self.expr, reading)
    }
}

fn parts_of(expr: &Expr, reading: &Reading<'_>) -> Parts {
    let mut parts = Parts::default();
    match expr {
        Expr::Fact(fact) => parts = parts_of_fact(fact, reading),
        Expr::All(all) => all
            .iter()
            .for_each(|part| parts.add(parts_of(part, reading))),
        Expr::Any(any) => {
            // One part that holds is enough.
            if let Some(part) = any.iter().find(|part| part.read(reading) != 0) {
                parts = parts_of(part, reading);
            }
        }
        Expr::Compare(Comparison::AtLeast | Comparison::More | Comparison::Equal, sides) => {
            let [counted, least] = &**sides;
            // A part that must be absent adds no groups and tiles.
            let is_any = matches!(least, Expr::Constant(0));
            if !is_any || !matches!(expr, Expr::Compare(Comparison::Equal, _)) {
                parts = parts_of(counted, reading);
            }
        }
        Expr::Plus(sides) => sides
            .iter()
            .for_each(|part| parts.add(parts_of(part, reading))),
        Expr::Table(_, inner) => parts = parts_of(inner, reading),
        Expr::Of(_, all) => all
            .iter()
            .for_each(|part| parts.add(parts_of(part, reading))),
        Expr::Constant(_) | Expr::Not(_) | Expr::Compare(..) | Expr::Minus(_) | Expr::Seats(_) => {}
    }
    parts
}

fn parts_of_fact(fact: &Fact, reading: &Reading<'_>) -> Parts {
    let mut parts = Parts::default();
    let mut groups = |fits: &dyn Fn(usize) -> bool| {
        let fitting = (0..reading.groups.len()).filter(|&place| fits(place));
        parts.groups = fitting.fold(0, |all, place| all | 1 << place);
    };
    match fact {
        Fact::Melds { .. } | Fact::GroupsWith { .. } => {
            // A reading with only one group shows whether the fact counts that group.
            groups(&|place| {
                let one = Reading {
                    groups: &reading.groups[place..=place],
                    winning: reading.winning.filter(|&won| won == place).map(|_| 0),
                    ..reading.clone()
                };
                fact.read(&one) > 0
            });
        }
        Fact::WinningGroup { .. } | Fact::WinningPlace { .. } => {
            groups(&|place| reading.winning == Some(place));
        }
        Fact::TwinMelds => groups(&|place| {
            let is_same = |group: &&_| **group == reading.groups[place].group;
            let all = reading.groups.iter().map(|group| &group.group);
            !reading.groups[place].group.kind_set().is_empty() && all.filter(is_same).count() > 1
        }),
        Fact::Has { class }
        | Fact::Count { class }
        | Fact::Kinds { class }
        | Fact::KindsHeld { class, .. }
        | Fact::NaturalsHeld { class, .. } => {
            parts.kinds = class.kinds(reading).intersection(reading.tiles.kinds());
        }
        Fact::WinningTile { .. } => {
            parts.kinds = reading.last().map_or(KindSet::EMPTY, KindSet::one);
        }
        _ => {}
    }
    parts
}
