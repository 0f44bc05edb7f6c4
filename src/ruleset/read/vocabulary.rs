//! The names that a ruleset adds to the facts of conditions.

use super::columns::Columns;
use crate::aside::AsideId;
use crate::decompose::{Grammar, Honours};
use crate::meld::Family;
use crate::ruleset::options::{OptionType, OptionValue, Options};
use crate::score::condition::{Constant, Named, Names};
use crate::score::facts::{FactType, SumFact};
use crate::set::KindSet;
use crate::state::TurnedId;
use crate::tile_set::TileSet;
use std::cell::Cell;
use std::sync::Arc;

/// The names that conditions may use beside the facts.
pub(in crate::ruleset) struct Vocabulary<'a> {
    pub(super) options: &'a Options,
    pub(super) players: usize,
    pub(super) flags: Vec<&'a str>,
    /// The named conditions, in the order of the file. Each uses only those before it.
    pub(super) conditions: Vec<(&'a str, Named)>,
    /// How many ranks and suits may still be put in for letters.
    pub(super) letters_left: Cell<usize>,
    pub(super) tiles: &'a TileSet,
    pub(super) grammar: &'a Grammar,
    /// The melds by name, with their families.
    pub(super) melds: Vec<(&'a str, Family)>,
    pub(super) classes: &'a [(String, KindSet)],
    pub(super) honours: Honours,
    /// The ids of the rows of `[aside]`.
    pub(super) asides: &'a [String],
    /// The ids of the rows of `[turned]`.
    pub(super) turned: &'a [String],
    /// The ids of the steps of `[opening]`.
    pub(super) steps: Vec<&'a str>,
    pub(in crate::ruleset) forms: Vec<&'a str>,
    /// Every pattern of the file, even those that options take away.
    pub(super) patterns: &'a [&'a str],
    pub(super) columns: &'a Columns<'a>,
    /// Some condition or formula asks what one limit is worth.
    pub(super) asks_limit: Cell<bool>,
    /// The type of the worth, once its formula is known.
    pub(super) worth: Cell<Option<FactType>>,
}

impl Vocabulary<'_> {
    /// True for a pattern of the file. Ask it only of an id that no pattern in force has: then options took
    /// the pattern away.
    pub(super) fn is_gone(&self, pattern: &str) -> bool {
        self.patterns.contains(&pattern)
    }
}

impl Names for Vocabulary<'_> {
    fn option(&self, name: &str) -> Option<Constant> {
        self.options.constant(name)
    }

    fn players(&self) -> Option<usize> {
        Some(self.players)
    }

    fn flag(&self, name: &str) -> Option<usize> {
        self.flags.iter().position(|flag| *flag == name)
    }

    fn spend(&self, ways: usize) -> bool {
        let left = self.letters_left.get().checked_sub(ways);
        self.letters_left.set(left.unwrap_or(0));
        left.is_some()
    }

    fn condition(&self, name: &str) -> Option<&Named> {
        let found = self.conditions.iter().find(|(known, _)| *known == name);
        found.map(|(_, named)| named)
    }

    fn set(&self) -> Option<(&TileSet, &Grammar)> {
        Some((self.tiles, self.grammar))
    }

    fn meld(&self, name: &str) -> Option<Family> {
        let (_, family) = *self.melds.iter().find(|(known, _)| *known == name)?;
        let alike = self.melds.iter().filter(|(_, other)| *other == family);
        (alike.count() == 1).then_some(family)
    }

    fn class(&self, name: &str) -> Option<KindSet> {
        let found = self.classes.iter().find(|(class, _)| class == name);
        found.map(|(_, kinds)| *kinds)
    }

    fn honours(&self) -> Honours {
        self.honours
    }

    fn aside(&self, name: &str) -> Option<AsideId> {
        let place = self.asides.iter().position(|id| id == name)?;
        Some(AsideId::at(place))
    }

    fn turned(&self, name: &str) -> Option<TurnedId> {
        let place = self.turned.iter().position(|id| id == name)?;
        Some(TurnedId::at(place))
    }

    fn step(&self, name: &str) -> Option<u8> {
        let place = self.steps.iter().position(|id| *id == name)?;
        Some(place as u8)
    }

    fn form(&self, name: &str) -> Option<u8> {
        let place = self.forms.iter().position(|form| *form == name)?;
        Some(place as u8 + 1)
    }

    fn sum(&self, name: &str) -> Option<(SumFact, FactType)> {
        match (name, self.worth.get()) {
            ("limits", _) => return Some((SumFact::Limits, FactType::Int)),
            ("worth", Some(is)) => return Some((SumFact::Worth, is)),
            _ => {}
        }
        let place = self.columns.place(name)?;
        let whole = self.columns.is_whole();
        let is = match whole {
            true => FactType::Int,
            false => FactType::Decimal,
        };
        Some((SumFact::Column { place, whole }, is))
    }

    fn limit(&self) -> Option<i64> {
        self.asks_limit.set(true);
        self.columns.limit
    }

    fn table(&self, name: &str) -> Option<&Arc<[i64]>> {
        let found = self.columns.tables.iter().find(|(id, _)| *id == name);
        found.map(|(_, numbers)| numbers)
    }

    fn known(&self, what: &'static str) -> Vec<&str> {
        let classes = self.classes.iter().map(|(class, _)| class.as_str());
        match what {
            "fact" => {
                let facts = crate::score::facts::FACTS.iter().map(|fact| fact.name);
                let flags = self.flags.iter().copied();
                let conditions = self.conditions.iter().map(|(name, _)| *name);
                let columns = self.columns.names.iter().copied();
                let own = flags.chain(conditions).chain(columns);
                facts.chain(own).chain(self.options.names()).collect()
            }
            "class" => classes.chain(["any", "seat-wind", "round-wind"]).collect(),
            "bonus tile" => classes.chain(["any", "flower", "own-flower"]).collect(),
            "row of [aside]" => {
                let rows = self.asides.iter().map(String::as_str);
                rows.chain(["kong"]).collect()
            }
            "row of [turned]" => self.turned.iter().map(String::as_str).collect(),
            "step of [opening]" => self.steps.clone(),
            "option" => self.options.names().collect(),
            "table" => self.columns.tables.iter().map(|(id, _)| *id).collect(),
            "form" => self.forms.iter().copied().chain(["standard"]).collect(),
            "family" => FAMILIES.map(|(word, _)| word).into(),
            _ => Vec::new(),
        }
    }
}

impl Options {
    /// The value of an option in conditions.
    pub(super) fn constant(&self, name: &str) -> Option<Constant> {
        let (spec, value) = self.iter().find(|(spec, _)| spec.name == name)?;
        Some(match value {
            OptionValue::Bool(value) => Constant::Bool(*value),
            OptionValue::Int(value) => Constant::Int(*value),
            OptionValue::Text(value) => {
                let words = match &spec.kind {
                    OptionType::Enum { values } => values.clone(),
                    _ => Vec::new(),
                };
                Constant::Word(value.clone(), words)
            }
            OptionValue::Decimal(value) => Constant::Decimal(*value),
            OptionValue::Ints(_) | OptionValue::Words(_) | OptionValue::Values(_) => Constant::List,
        })
    }
}

pub(super) const FAMILIES: [(&str, Family); 8] = [
    ("pair", Family::Pair),
    ("pung", Family::Pung),
    ("kong", Family::Kong),
    ("arith", Family::Arith),
    ("gem", Family::Gem),
    ("power", Family::Power),
    ("quint", Family::Quint),
    ("sextet", Family::Sextet),
];
