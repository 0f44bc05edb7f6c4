//! Facts as conditions write them.

use super::class::{Class, FamilySet};
use super::scope::Form;
use crate::meld::Family;
use crate::notation::Notation;
use crate::score::reading::WinningPlace;
use crate::seat::Seat;
use crate::set::FlowerSet;
use crate::state::Way;
use crate::tile::{Kind, Tile};

/// An argument of a fact as it is written.
pub(super) trait Written {
    fn written(&self) -> String;
}

impl Written for Class {
    fn written(&self) -> String {
        let winds = [
            (self.include.seat_wind, "seat-wind"),
            (self.include.round_wind, "round-wind"),
        ];
        let winds = winds.iter().filter(|(has, _)| *has);
        if self.fixed_kinds().len() == Kind::all().count() {
            return "any".to_owned();
        }
        let tiles = Notation::Ujmj.print(self.fixed_kinds().iter().map(Tile::plain));
        let tiles = std::iter::once(tiles).filter(|tiles| !tiles.is_empty());
        let parts: Vec<String> = tiles
            .chain(winds.map(|(_, word)| (*word).to_owned()))
            .collect();
        parts.join("|")
    }
}

impl Written for FamilySet {
    fn written(&self) -> String {
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
        ];
        let words = all.into_iter().filter(|family| self.contains(*family));
        words.map(Family::word).collect::<Vec<_>>().join("|")
    }
}

impl Written for Option<bool> {
    fn written(&self) -> String {
        match self {
            None => "",
            Some(true) => "open",
            Some(false) => "concealed",
        }
        .to_owned()
    }
}

impl Written for u8 {
    fn written(&self) -> String {
        self.to_string()
    }
}

impl Written for FlowerSet {
    fn written(&self) -> String {
        self.iter()
            .map(|flower| Tile::flower(flower).to_string())
            .collect()
    }
}

impl Written for Way {
    fn written(&self) -> String {
        self.word().to_owned()
    }
}

impl Written for Seat {
    fn written(&self) -> String {
        self.letter().to_string()
    }
}

impl Written for Family {
    fn written(&self) -> String {
        self.word().to_owned()
    }
}

impl Written for WinningPlace {
    fn written(&self) -> String {
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
