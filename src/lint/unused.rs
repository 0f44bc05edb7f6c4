//! Keys and names that a file writes and that change nothing, and names of tiles that are not in play.
//!
//! A key or an item of a list is removed, or a name is renamed, and the file is read again: with the options as they are set,
//! and with each of them at other values. If the [effective](Plan::effective) plan is the same every time, it has no effect.

use super::{LintKind, Looking, compiled, settings};
use crate::ruleset::cause::Layers;
use crate::ruleset::keys::{self, Absent, KeyDoc, SectionDoc};
use crate::ruleset::source::{Node, Place, SECTIONS_OF_IDS, Value as Told};
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
    pub(super) fn unused(&mut self, options: &[(String, OptionValue)], layers: &Layers) {
        let settings = settings(self.plan, options);
        self.idle_names(&settings);
        let root = self.root.clone();
        let mut spots = Vec::new();
        own_keys(&root, &mut Vec::new(), &mut spots);
        let mut game = Game {
            looking: self,
            layers,
            settings: settings.iter().map(|set| (&set[..], None)).collect(),
        };
        let mut found: Vec<(Spot<'_>, String)> = Vec::new();
        for spot in spots {
            let Spot { path, item } = &spot;
            // Of a table or a list that is idle as a whole nothing else is told, and of equal items one.
            let is_told = |(other, _): &(Spot<'_>, String)| match (other.item, item) {
                (None, _) => path.starts_with(&other.path),
                (Some((_, one)), Some((_, item))) => {
                    other.path == *path && written(one) == written(item)
                }
                _ => false,
            };
            if found.iter().any(is_told) || !game.is_the_same_without(&spot) {
                continue;
            }
            let key = path.join(".");
            let message = match (name_of(path), item) {
                (Some((name, above)), _) => {
                    format!("nothing depends on `{name}` of [{}]", above.join("."))
                }
                (None, Some((_, item))) => format!(
                    "`{}` in `{key}` changes nothing, whatever the options are",
                    written(item).trim_matches('"')
                ),
                (None, None) => format!("`{key}` changes nothing, whatever the options are"),
            };
            found.push((spot, message));
        }
        for (Spot { path, item }, message) in found {
            match item {
                Some((_, item)) => self.note_in(LintKind::Unused, &path, item.place, message),
                None => self.note(LintKind::Unused, &path, message),
            }
        }
    }

    /// Finds columns of the file itself to which no pattern adds. Fu are counted group by group.
    pub(super) fn idle_columns(&mut self) {
        let ScoreFamily::Sums(_) = self.plan.score.family() else {
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
}

/// Values of options by name.
type Set = [(String, OptionValue)];

/// The game of a file, with the options as they are set and with each of them at other values.
struct Game<'a> {
    looking: &'a Looking<'a>,
    layers: &'a Layers,
    /// Each setting with its compiled plan, once that is known.
    settings: Vec<(&'a Set, Option<u64>)>,
}

impl Game<'_> {
    /// True when the game is the same without what a spot has, and when what the file extends holds there.
    fn is_the_same_without(&mut self, spot: &Spot<'_>) -> bool {
        let Looking { texts, root, .. } = self.looking;
        let mut rest = vec![spot.without(root)];
        if self.layers.extends().is_some() {
            rest.push(self.layers.with_own(|own| spot.without(own)));
        }
        self.settings.iter_mut().all(|(set, known)| {
            let read = |tree| Some(compiled(&Plan::read(texts, tree, set).ok()?));
            let whole = *known.get_or_insert_with(|| read(root).unwrap_or_default());
            rest.iter().all(|rest| read(rest) == Some(whole))
        })
    }
}

/// A key, or an item of its list.
struct Spot<'a> {
    path: Vec<&'a str>,
    item: Option<(usize, &'a Node)>,
}

impl Spot<'_> {
    /// A tree without it. A name is replaced, so that what uses it is not read.
    fn without(&self, tree: &Node) -> Node {
        let other = name_of(&self.path).map(|(name, _)| format!("{name}-renamed"));
        match self.item {
            Some((place, _)) => tree.without_item(&self.path, place),
            None => tree.renamed(&self.path, other.as_deref()),
        }
    }
}

/// The name that a path gives, and its section.
fn name_of<'a, 'b>(path: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str])> {
    let (name, above) = path.split_last()?;
    NAMES.contains(&above).then_some((*name, above))
}

/// The keys in the file's own text that say a rule, and not what applies without them, and the items of their lists.
fn own_keys<'a>(node: &'a Node, path: &mut Vec<&'a str>, found: &mut Vec<Spot<'a>>) {
    let Told::Table(entries) = &node.value else {
        return;
    };
    for entry in entries {
        path.push(&entry.key);
        let is_named = NAMES.contains(&&path[..path.len() - 1]);
        let is_apart =
            APART.contains(&path[0]) || matches!(entry.key.as_str(), "if" | "enabled" | "is");
        let is_table = matches!(entry.node.value, Told::Table(_)) && !entry.node.is_reference();
        let spot = |item| Spot {
            path: path.clone(),
            item,
        };
        if !is_rule(path) || is_apart {
        } else if is_table && !is_named {
            if entry.node.is_own() && is_whole(path) {
                found.push(spot(None));
            }
            own_keys(&entry.node, path, found);
        } else if entry.node.is_own()
            && !is_checked(path, &entry.node)
            && !is_default(path, &entry.node)
        {
            found.push(spot(None));
            // Numbers of a list count by their places.
            if let Told::List(items) = &entry.node.value {
                let items = items.iter().enumerate();
                let items = items.filter(|(_, item)| !matches!(item.value, Told::Int(_)));
                found.extend(items.map(|item| spot(Some(item))));
            }
        }
        path.pop();
    }
}

/// True for a table that is a row by itself or has required keys: where it has no effect, none of its keys could be missing
/// alone.
fn is_whole(path: &[&str]) -> bool {
    let is_required = |key: &KeyDoc| key.absent == Absent::Required;
    let is_row = path.len() == 2 && SECTIONS_OF_IDS.contains(&path[0]);
    is_row || section_of(path).is_some_and(|section| section.keys.iter().any(is_required))
}

/// The section of a table at a path.
fn section_of(path: &[&str]) -> Option<&'static SectionDoc> {
    let is_of = |section: &&SectionDoc| {
        let parts: Vec<&str> = section.path.split('.').collect();
        let fits = |(part, key): (&&str, &&str)| part == key || *part == "<id>";
        parts.len() == path.len() && parts.iter().zip(path).all(fits)
    };
    keys::SECTIONS.iter().find(is_of)
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
    let doc = section_of(above).and_then(|section| section.key(key));
    let value = written(node);
    // A column is called by its own name.
    let is_own_name = above == ["score", "called"] && value == format!("\"{key}\"");
    value == "[]"
        || is_own_name
        || doc.is_some_and(|doc| matches!(doc.absent, Absent::Default(same) if same == value))
}
