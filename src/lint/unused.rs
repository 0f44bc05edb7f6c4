//! Keys and names that a file writes and that change nothing, and names of tiles that are not in play.
//!
//! A key is removed, or a name is renamed, and the file is read again: with the options as they are set, and with each of
//! them at other values. If the plan is the same every time, the key or name has no effect.

use super::{LintKind, Looking, compiled, settings};
use crate::ruleset::keys::{self, Absent, SectionDoc};
use crate::ruleset::source::{Node, Place, Value as Told};
use crate::ruleset::text::{is_rule, written};
use crate::ruleset::{OptionValue, Plan};
use crate::score::ScoreFamily;
use crate::tile::Tile;

/// Sections whose entries are names for the rest of the file.
const NAMES: [&[&str]; 3] = [&["tiles", "classes"], &["conditions"], &["flags"]];

/// Sections with lints of their own.
const APART: [&str; 3] = ["ruleset", "options", "invariants"];

impl Looking<'_> {
    /// Finds what the file itself writes to no effect.
    pub(super) fn unused(&mut self, options: &[(String, OptionValue)]) {
        let settings = settings(self.plan(), options);
        self.idle_names(&settings);
        let root = self.root.clone();
        let mut paths = Vec::new();
        own_keys(&root, &mut Vec::new(), &mut paths);
        let mut idle: Vec<Vec<&str>> = Vec::new();
        for path in paths {
            // Of a table that is idle as a whole no key is told.
            if idle.iter().any(|whole| path.starts_with(whole)) {
                continue;
            }
            if self.is_unused(&path, &settings) {
                idle.push(path.clone());
                let message = match name_of(&path) {
                    Some((name, above)) => {
                        format!("nothing depends on `{name}` of [{}]", above.join("."))
                    }
                    None => {
                        let key = path.join(".");
                        format!("`{key}` changes nothing, whatever the options are")
                    }
                };
                self.note(LintKind::Unused, &path, message);
            }
        }
    }

    /// Finds columns of the file itself to which no pattern adds. Fu are counted group by group.
    pub(super) fn idle_columns(&mut self) {
        let ScoreFamily::Sums(_) = self.plan().score.family() else {
            return;
        };
        let sums = self
            .root
            .member("score")
            .and_then(|score| score.member("sums"));
        let Some(Told::List(sums)) = sums.map(|node| &node.value) else {
            return;
        };
        let patterns = self.root.member("patterns").map(|node| &node.value);
        let adds = |column: &str| match patterns {
            Some(Told::Table(all)) => all.iter().any(|one| one.node.member(column).is_some()),
            _ => false,
        };
        let own = sums.iter().filter(|node| node.is_own());
        let idle = own.filter_map(|node| Some((node.place, node.as_text()?)));
        let idle = idle.filter(|(_, column)| !adds(column));
        let idle: Vec<(Place, String)> = idle
            .map(|(place, column)| (place, format!("no pattern adds to the column `{column}`")))
            .collect();
        for (place, message) in idle {
            self.note_at(LintKind::Unused, place, message);
        }
    }

    /// Finds names of single tiles that are never in play.
    fn idle_names(&mut self, settings: &[Vec<(String, OptionValue)>]) {
        const PATH: [&str; 3] = ["tiles", "names", "tile"];
        let plans = settings.iter();
        let plans = plans.filter_map(|set| Plan::read(self.texts, &self.root, set).ok());
        let plans: Vec<Plan> = plans.collect();
        let is_idle = |name: &str| {
            let tile: Result<Tile, _> = name.parse();
            tile.is_ok_and(|tile| plans.iter().all(|plan| !plan.tiles.contains(tile)))
        };
        let mut node = Some(&self.root);
        for key in PATH {
            node = node.and_then(|node| node.member(key));
        }
        let Some(Told::Table(entries)) = node.map(|node| &node.value) else {
            return;
        };
        let idle = entries.iter();
        let idle = idle.filter(|entry| entry.place.is_own() && is_idle(&entry.key));
        let idle: Vec<String> = idle.map(|entry| entry.key.clone()).collect();
        for name in idle {
            let path = [&PATH[..], &[&name]].concat();
            let message = format!("`{}` names a tile that is not in play", path.join("."));
            self.note(LintKind::Unused, &path, message);
        }
    }

    fn is_unused(&self, path: &[&str], settings: &[Vec<(String, OptionValue)>]) -> bool {
        let other = name_of(path).map(|(name, _)| format!("{name}-renamed"));
        let rest = self.root.renamed(path, other.as_deref());
        settings.iter().all(|set| {
            let read = |tree| Plan::read(self.texts, tree, set).map(|plan| compiled(&plan));
            read(&rest).is_ok_and(|rest| read(&self.root).is_ok_and(|all| all == rest))
        })
    }
}

/// The name that a path gives, and its section.
fn name_of<'a, 'b>(path: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str])> {
    let (name, above) = path.split_last()?;
    NAMES.contains(&above).then_some((*name, above))
}

/// The paths of the keys in the file's own text that say a rule, and not what applies without them.
fn own_keys<'a>(node: &'a Node, path: &mut Vec<&'a str>, found: &mut Vec<Vec<&'a str>>) {
    let Told::Table(entries) = &node.value else {
        return;
    };
    for entry in entries {
        path.push(&entry.key);
        let is_named = NAMES.contains(&&path[..path.len() - 1]);
        let is_apart =
            APART.contains(&path[0]) || matches!(entry.key.as_str(), "if" | "enabled" | "is");
        let is_table = matches!(entry.node.value, Told::Table(_)) && !entry.node.is_reference();
        // A payment that is always 0 has no effect, but each of its keys is needed. So is a liability that nothing asks for.
        let is_whole = matches!(path[..], ["payments", _] | ["patterns", _, "liable"]);
        // What switches off a table of a parent is needed.
        if is_whole && entry.node.is_own() && entry.node.member("enabled").is_none() {
            found.push(path.clone());
        }
        if !is_rule(path) || is_apart {
        } else if is_table && !is_named {
            own_keys(&entry.node, path, found);
        } else if entry.node.is_own()
            && !is_checked(path, &entry.node)
            && !is_default(path, &entry.node)
        {
            found.push(path.clone());
        }
        path.pop();
    }
}

/// True for a flag that requests are checked by, so that it has an effect even if nothing depends on it.
fn is_checked(path: &[&str], node: &Node) -> bool {
    path.len() == 2 && path[0] == "flags" && node.member("consistent").is_some()
}

/// True if a key says what applies without it. An empty list takes away what a parent lists.
fn is_default(path: &[&str], node: &Node) -> bool {
    let Some((key, above)) = path.split_last() else {
        return false;
    };
    let is_of = |section: &&SectionDoc| {
        let parts: Vec<&str> = section.path.split('.').collect();
        let fits = |(part, key): (&&str, &&str)| part == key || *part == "<id>";
        parts.len() == above.len() && parts.iter().zip(above).all(fits)
    };
    let section = keys::SECTIONS.iter().find(is_of);
    let doc = section.and_then(|section| section.key(key));
    let value = written(node);
    // A column is called by its own name.
    let is_own_name = above == ["score", "called"] && value == format!("\"{key}\"");
    value == "[]"
        || is_own_name
        || doc.is_some_and(|doc| matches!(doc.absent, Absent::Default(same) if same == value))
}
