//! Reads what patterns add up to: the columns of `[score]`, and its tables.

use super::super::keys::KeyType;
use super::super::source::{Node, RulesetError, RulesetFault, Section, Value, nearest};
use crate::decimal::Decimal;
use crate::score::{HanFuRules, MOST_SUMS, condition, facts};
use std::sync::Arc;

/// The columns to which patterns add.
pub(in crate::ruleset) struct Columns<'a> {
    pub(super) names: Vec<&'a str>,
    /// Amounts of each column are multiples of this.
    pub(super) quantum: [Decimal; MOST_SUMS],
    /// What one limit is worth.
    pub(super) limit: Option<i64>,
    pub(super) tables: Vec<(&'a str, Arc<[i64]>)>,
}

/// The han of yaku, a column that only a minimum knows.
const YAKU: &str = "yaku";

/// Keys of a pattern, and names of formulas, that are no columns.
const TAKEN: [&str; 20] = [
    "id",
    "name",
    "when",
    "per",
    "combines",
    "supersedes",
    "otherwise",
    "beside",
    "open",
    "liable",
    "status",
    "doc",
    "src",
    "if",
    "enabled",
    "accept",
    "limits",
    "bonus-han",
    "han-alone",
    YAKU,
];

/// The most numbers of a table.
const MOST_NUMBERS: usize = 1000;

impl<'a> Columns<'a> {
    pub(super) fn read(root: &Section<'a>) -> Result<Self, RulesetError> {
        let section = root.need("score")?;
        let mut names: Vec<&str> = Vec::new();
        section.asks_items("sums", || KeyType::Text);
        for node in section.list("sums")? {
            let name = section.text_of(node, "sums")?;
            if !condition::is_name(name) {
                let expected = "names of letters, digits and hyphens, a letter first";
                return Err(section.bad(node, "sums", expected));
            }
            if name == "points" {
                let expected = "columns; `points` is what these become, so call this one `base`";
                return Err(section.bad(node, "sums", expected));
            }
            if facts::is_name(name) || TAKEN.contains(&name) || names.contains(&name) {
                let fault = RulesetFault::NameTaken {
                    name: name.to_owned(),
                };
                return Err(section.texts().error(node.place, 0, fault));
            }
            names.push(name);
        }
        if names.is_empty() {
            return Err(section.missing("sums"));
        }
        if names.len() > MOST_SUMS {
            return Err(section.too_many("sums", names.len(), MOST_SUMS));
        }
        let quantum = read_quantum(&section, &names)?;
        let mut tables = Vec::new();
        if let Some(all) = section.section("tables")? {
            all.asks("<id>", || "a list");
            for entry in all.entries() {
                let mut numbers = Vec::new();
                for node in all.list_of(&entry.node, &entry.key)? {
                    let range = -1_000_000_000..=1_000_000_000;
                    all.asks_items("<id>", || KeyType::of_range(&range));
                    numbers.push(all.read_int(node, &entry.key, range.clone())?);
                }
                if numbers.is_empty() || numbers.len() > MOST_NUMBERS {
                    let expected = format!("a list of 1 to {MOST_NUMBERS} numbers");
                    return Err(all.bad(&entry.node, &entry.key, &expected));
                }
                tables.push((entry.key.as_str(), numbers.into()));
            }
        }
        Ok(Self {
            names,
            quantum,
            limit: section.int("limit", 1..=1_000_000_000)?,
            tables,
        })
    }

    /// True when fu are counted, which no formula of a file makes.
    pub(super) fn is_han_fu(&self) -> bool {
        self.names == HanFuRules::COLUMNS
    }

    /// True when all amounts are whole numbers.
    pub(super) fn is_whole(&self) -> bool {
        self.quantum.iter().all(|one| one.tenths() % 10 == 0)
    }

    /// The index of a column.
    pub(super) fn place(&self, name: &str) -> Option<u8> {
        let found = self.names.iter().position(|known| *known == name);
        let yaku = (self.is_han_fu() && name == YAKU).then_some(self.names.len());
        found.or(yaku).map(|place| place as u8)
    }
}

/// Reads the step of amounts: one for all columns, or one for each.
pub(in crate::ruleset) fn read_quantum(
    section: &Section<'_>,
    names: &[&str],
) -> Result<[Decimal; MOST_SUMS], RulesetError> {
    let mut quantum = [Decimal::whole(1); MOST_SUMS];
    section.asks("quantum", || KeyType::Decimal);
    section.asks("quantum", || KeyType::Table);
    let Some(node) = section.node("quantum") else {
        return Ok(quantum);
    };
    let read = |node: &Node, key: &str| match section.decimal_of(node, key)? {
        step if step.tenths() < 1 => Err(section.bad(node, key, "more than 0")),
        step => Ok(step),
    };
    if let Value::Table(entries) = &node.value {
        section
            .texts()
            .asks("score.quantum", "<id>", false, || KeyType::Decimal);
        for entry in entries {
            match names.iter().position(|name| *name == entry.key) {
                Some(place) if place < MOST_SUMS => {
                    quantum[place] = read(&entry.node, &entry.key)?;
                }
                _ => {
                    let fault = RulesetFault::UnknownKey {
                        key: entry.key.clone(),
                        table: "score.quantum".to_owned(),
                        suggestion: nearest(&entry.key, names.iter().copied()),
                    };
                    return Err(section.texts().error(entry.place, 0, fault));
                }
            }
        }
    } else {
        quantum = [read(node, "quantum")?; MOST_SUMS];
    }
    Ok(quantum)
}
