//! The names that a ruleset adds to the facts of conditions.

use crate::aside::AsideId;
use crate::decompose::Grammar;
use crate::meld::Family;
use crate::ruleset::options::{OptionValue, Options};
use crate::ruleset::source::nearest;
use crate::score::condition::{Constant, Named, Names};
use crate::set::KindSet;
use crate::state::{TurnedId, Way};
use crate::tile_set::TileSet;
use std::cell::Cell;

/// The names that conditions may use beside the facts.
pub(in crate::ruleset) struct Vocabulary<'a> {
    pub(super) options: &'a Options,
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
    /// The ids of the rows of `[aside]`.
    pub(super) asides: &'a [String],
    /// The ids of the rows of `[turned]`.
    pub(super) turned: &'a [String],
    /// The ids of the steps of `[opening]`.
    pub(super) steps: Vec<&'a str>,
    pub(in crate::ruleset) forms: Vec<&'a str>,
    /// Every pattern of the file, even those that options take away.
    pub(super) patterns: &'a [&'a str],
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
        Names::option(self.options, name)
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

    fn nearest(&self, what: &'static str, name: &str) -> Option<String> {
        let classes = self.classes.iter().map(|(class, _)| class.as_str());
        match what {
            "fact" => {
                let facts = crate::score::facts::FACTS.iter().map(|fact| fact.name);
                let flags = self.flags.iter().copied();
                let conditions = self.conditions.iter().map(|(name, _)| *name);
                let own = flags.chain(conditions);
                nearest(name, facts.chain(own).chain(self.options.names()))
            }
            "class" => nearest(name, classes.chain(["any", "seat-wind", "round-wind"])),
            "bonus tile" => nearest(name, classes.chain(["any", "flower", "own-flower"])),
            "row of [aside]" => {
                nearest(name, self.asides.iter().map(String::as_str).chain(["kong"]))
            }
            "row of [turned]" => nearest(name, self.turned.iter().map(String::as_str)),
            "step of [opening]" => nearest(name, self.steps.iter().copied()),
            "option" => nearest(name, self.options.names()),
            "form" => nearest(name, self.forms.iter().copied().chain(["standard"])),
            "way" => nearest(name, Way::WORDS.map(|(word, _)| word)),
            "family" => match ALSO_CALLED.iter().find(|(other, _)| *other == name) {
                Some((_, family)) => Some(family.word().to_owned()),
                None => nearest(name, FAMILIES.map(|(word, _)| word)),
            },
            "place" => nearest(name, ["low", "middle", "high"]),
            _ => None,
        }
    }
}

/// While options are put in, classes and flags are not known yet. So only options have names.
impl Names for Options {
    fn option(&self, name: &str) -> Option<Constant> {
        self.get(name).map(|value| match value {
            OptionValue::Bool(value) => Constant::Bool(*value),
            OptionValue::Int(value) => Constant::Int(*value),
            OptionValue::Text(value) => Constant::Word(value.clone()),
            // No condition compares decimals, lists or tables. As words they equal nothing.
            OptionValue::Decimal(value) => Constant::Word(value.to_string()),
            OptionValue::Ints(_) | OptionValue::Words(_) | OptionValue::Values(_) => {
                Constant::Word(String::new())
            }
        })
    }

    fn nearest(&self, _: &'static str, name: &str) -> Option<String> {
        nearest(name, self.names())
    }
}

/// Other words for families, for a hint.
const ALSO_CALLED: [(&str, Family); 7] = [
    ("chow", Family::Arith),
    ("run", Family::Arith),
    ("sequence", Family::Arith),
    ("straight", Family::Arith),
    ("triplet", Family::Pung),
    ("pon", Family::Pung),
    ("quad", Family::Kong),
];

pub(super) const FAMILIES: [(&str, Family); 6] = [
    ("pair", Family::Pair),
    ("pung", Family::Pung),
    ("kong", Family::Kong),
    ("arith", Family::Arith),
    ("gem", Family::Gem),
    ("power", Family::Power),
];
