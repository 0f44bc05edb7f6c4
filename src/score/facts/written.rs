//! Facts as conditions write them.

use super::class::{BonusClass, BonusPart, Class, ClassPart, CountedFrom, FamilySet, Shape, Step};
use super::scope::Form;
use crate::meld::Family;
use crate::notation::Notation;
use crate::score::reading::WinningPlace;
use crate::seat::Seat;
use crate::set::{FlowerSet, KindSet};
use crate::state::{DrawSource, KongWay, TurnedId, Way};
use crate::tile::{Tile, Wind};

/// The names that a ruleset adds to the facts, with which its conditions are written.
pub(crate) struct RuleNames<'a> {
    /// The ids of flags.
    pub(crate) flags: Vec<&'a str>,
    /// The ids of special forms, in the order of the grammar.
    pub(crate) forms: &'a [String],
    /// The classes of tiles.
    pub(crate) classes: &'a [(String, KindSet)],
    /// The ids of the rows of `[aside]`.
    pub(crate) asides: &'a [String],
    /// The ids of the rows of `[turned]`.
    pub(crate) turned: &'a [String],
    /// The ids of the steps of `[opening]`.
    pub(crate) steps: Vec<&'a str>,
}

/// An argument of a fact as it is written.
pub(super) trait Written {
    fn written(&self, names: &RuleNames<'_>) -> String;
}

impl Written for Class {
    fn written(&self, names: &RuleNames<'_>) -> String {
        let [include, exclude] = [&self.include, &self.exclude].map(|part| part.written(names));
        match exclude.is_empty() {
            true => include,
            false => format!("{include} except {exclude}"),
        }
    }
}

impl Written for ClassPart {
    /// The fewest classes, largest first, then the tiles that are in none of them.
    fn written(&self, names: &RuleNames<'_>) -> String {
        if self.kinds == KindSet::ALL {
            return "any".to_owned();
        }
        let mut parts = Vec::new();
        let mut left = self.kinds;
        loop {
            let fits = |(_, kinds): &&(String, KindSet)| kinds.is_subset(self.kinds);
            let gain = |kinds: &KindSet| kinds.intersection(left).len();
            // Of equal classes the first.
            let classes = names.classes.iter().rev().filter(fits);
            let best = classes.max_by_key(|(_, kinds)| gain(kinds));
            let Some((name, kinds)) = best.filter(|(_, kinds)| gain(kinds) > 0) else {
                break;
            };
            parts.push(name.clone());
            left = left.difference(*kinds);
        }
        if !left.is_empty() {
            parts.push(Notation::Ujmj.print(left.iter().map(Tile::plain)));
        }
        let winds = [
            (self.seat_wind, "seat-wind"),
            (self.round_wind, "round-wind"),
        ];
        let winds = winds.iter().filter(|(has, _)| *has);
        parts.extend(winds.map(|(_, word)| (*word).to_owned()));
        parts.join("|")
    }
}

impl Written for FamilySet {
    fn written(&self, _: &RuleNames<'_>) -> String {
        if *self == Self::ALL {
            return "any".to_owned();
        }
        let all = [
            Family::Pair,
            Family::Pung,
            Family::Kong,
            Family::Arith,
            Family::Gem,
            Family::Power,
            Family::Quint,
            Family::Sextet,
        ];
        let words = all.into_iter().filter(|family| self.contains(*family));
        words.map(Family::word).collect::<Vec<_>>().join("|")
    }
}

impl Written for Option<bool> {
    fn written(&self, _: &RuleNames<'_>) -> String {
        match self {
            None => "",
            Some(true) => "open",
            Some(false) => "concealed",
        }
        .to_owned()
    }
}

impl Written for u8 {
    fn written(&self, _: &RuleNames<'_>) -> String {
        self.to_string()
    }
}

impl Written for Shape {
    fn written(&self, names: &RuleNames<'_>) -> String {
        let form = usize::from(self.0).checked_sub(1);
        let id = form.and_then(|form| names.forms.get(form));
        id.map_or("standard", String::as_str).to_owned()
    }
}

impl Written for BonusClass {
    fn written(&self, names: &RuleNames<'_>) -> String {
        let [include, exclude] = [&self.include, &self.exclude].map(|part| part.written(names));
        match exclude.is_empty() {
            true => include,
            false => format!("{include} except {exclude}"),
        }
    }
}

impl Written for BonusPart {
    fn written(&self, names: &RuleNames<'_>) -> String {
        let is_any = self.flowers == FlowerSet::ALL && self.kinds == KindSet::ALL;
        if is_any {
            return "any".to_owned();
        }
        let mut parts = Vec::new();
        match self.flowers {
            FlowerSet::EMPTY => {}
            FlowerSet::ALL => parts.push("flower".to_owned()),
            flowers => parts.push(Notation::Ujmj.print(flowers.iter().map(Tile::flower))),
        }
        if self.of_seat {
            parts.push("own-flower".to_owned());
        }
        let kinds = ClassPart {
            kinds: self.kinds,
            ..ClassPart::default()
        };
        parts.extend(Some(kinds.written(names)).filter(|kinds| !kinds.is_empty()));
        parts.join("|")
    }
}

/// Whether only tiles laid aside count.
impl Written for bool {
    fn written(&self, _: &RuleNames<'_>) -> String {
        if *self { "laid" } else { "" }.to_owned()
    }
}

impl Written for DrawSource {
    fn written(&self, names: &RuleNames<'_>) -> String {
        match self {
            Self::Wall => "wall",
            Self::Kong => "kong",
            Self::Aside(row) => names.asides.get(row.index()).map_or("", String::as_str),
        }
        .to_owned()
    }
}

impl Written for TurnedId {
    fn written(&self, names: &RuleNames<'_>) -> String {
        let id = names.turned.get(self.index());
        id.cloned().unwrap_or_default()
    }
}

impl Written for CountedFrom {
    fn written(&self, _: &RuleNames<'_>) -> String {
        let word = Self::WORDS.iter().find(|(_, from)| from == self);
        word.map_or("", |(word, _)| word).to_owned()
    }
}

impl Written for Step {
    fn written(&self, names: &RuleNames<'_>) -> String {
        let id = names.steps.get(usize::from(self.0));
        id.copied().unwrap_or_default().to_owned()
    }
}

impl Written for Way {
    fn written(&self, _: &RuleNames<'_>) -> String {
        self.word().to_owned()
    }
}

impl Written for KongWay {
    fn written(&self, _: &RuleNames<'_>) -> String {
        self.word().to_owned()
    }
}

impl Written for Seat {
    fn written(&self, _: &RuleNames<'_>) -> String {
        self.letter().to_string()
    }
}

impl Written for Wind {
    fn written(&self, _: &RuleNames<'_>) -> String {
        self.letter().to_string()
    }
}

impl Written for Family {
    fn written(&self, _: &RuleNames<'_>) -> String {
        self.word().to_owned()
    }
}

impl Written for WinningPlace {
    fn written(&self, _: &RuleNames<'_>) -> String {
        let word = Self::WORDS.iter().find(|(_, place)| place == self);
        word.map_or("", |(word, _)| word).to_owned()
    }
}

impl Form {
    /// A fact of this form with its arguments. Those that are left out are empty.
    pub(super) fn written(self, name: &str, arguments: &[String]) -> String {
        let given: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let given: Vec<&str> = given.into_iter().filter(|one| !one.is_empty()).collect();
        match self {
            Self::Alone => name.to_owned(),
            Self::Of => format!("{name}({})", given.join(", ")),
            Self::Is => format!("{name} is {}", given.join(" ")),
            Self::In => format!("{name} in {}", given.join(" ")),
        }
    }
}
