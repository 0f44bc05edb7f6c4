//! The keys of ruleset files: [every section with its keys](SECTIONS), with types, ranges, words and defaults.
//!
//! The guide [`guide::keys`](crate::guide::keys) and the schema `rulesets/schema.json` are generated from this table. Tests
//! compare it with what the readers of files ask for.
//!
//! ```
//! let wall = paishan::ruleset::keys::section("wall").expect("a section of every file");
//! let height = wall.key("height").expect("a key of `[wall]`");
//! assert_eq!(height.to_string(), "height: an integer from 1 to 4, `2` if absent. Tiles in a stack.");
//! ```

mod row;
mod table;
#[cfg(test)]
mod tests;

pub use row::{Absent, KeyDoc, KeyType, SectionDoc};
pub(crate) use row::{CLAIMS, CLASS, DICE, EXPRESSION, FORM_ITEMS, GROUPS, KINDS, RANKS, one_of};
pub use table::SECTIONS;

/// The section with a path such as `patterns.<id>`. The path of the top of a file is empty, `<any>` has the keys of any
/// table.
pub fn section(path: &str) -> Option<&'static SectionDoc> {
    SECTIONS.iter().find(|section| section.path == path)
}

/// The section with a path and those within it, as text. `None` where there is no such section. `any` is short for
/// `<any>` and `patterns.liable` for `patterns.<id>.liable`, which need quotes in a shell.
///
/// ```
/// let text = paishan::ruleset::keys::text("match").expect("a section of every file");
/// assert!(text.contains("[match.ends]: ") && text.contains("\n  deals: an integer from 1 to "));
/// assert!(paishan::ruleset::keys::text("patterns.liable").is_some());
/// ```
pub fn text(path: &str) -> Option<String> {
    let path = if path == "any" { "<any>" } else { path };
    let is_within = |section: &&SectionDoc| {
        let is_under = |whole: &str| {
            let rest = whole.strip_prefix(path);
            rest.is_some_and(|rest| path.is_empty() || rest.is_empty() || rest.starts_with('.'))
        };
        is_under(section.path) || is_under(&section.path.replace(".<id>", ""))
    };
    let sections: Vec<String> = SECTIONS
        .iter()
        .filter(is_within)
        .map(ToString::to_string)
        .collect();
    (!sections.is_empty()).then(|| sections.join("\n"))
}

/// A commented ruleset to start a new one from. It loads unchanged.
///
/// ```
/// use paishan::Rules;
/// use paishan::ruleset::{self, keys};
/// let rules = Rules::from_toml("my-rules.toml", keys::SKELETON)?;
/// assert_eq!(rules.plan().id(), "my-rules");
/// # Ok::<(), ruleset::LoadError>(())
/// ```
pub const SKELETON: &str = include_str!("skeleton.toml");
