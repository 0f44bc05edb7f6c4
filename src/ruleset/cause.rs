//! Finds the key of a file that is the cause of a finding in another file, which it extends.
//!
//! A key is the cause if the finding goes away without it and nothing else is found, or if the finding is there with this
//! key alone over what the file extends. Of a table that is the cause its keys are tried. If no key alone is the cause, and
//! what the file extends does not have the finding, keys of the file cause it together.

use super::source::{Node, Place, Value, limits};
use std::collections::HashMap;

/// The trees of a file and of all that it extends, one over the other.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    /// The file itself first.
    all: Vec<Node>,
}

/// Why something is found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// A key, given by its path and its place.
    Key(String, Place),
    /// What the file extends has the finding, too.
    Parent,
    /// Several keys of a file together. The place is that of its key `extends`.
    Keys(Place),
    /// The search has no answer.
    Unknown,
}

impl Layers {
    pub(super) const fn new(all: Vec<Node>) -> Self {
        Self { all }
    }

    /// The place of the key `extends`.
    pub(crate) fn extends(&self) -> Option<Place> {
        extends(self.all.first()?)
    }

    /// The file merged over everything that it extends.
    pub(crate) fn merged(&self) -> Node {
        over(None, &self.all)
    }

    /// The same with another text of the file itself.
    pub(crate) fn with_own(&self, change: impl FnOnce(&Node) -> Node) -> Node {
        over(self.all.first().map(change), &self.all)
    }
}

fn extends(tree: &Node) -> Option<Place> {
    let path = ["ruleset", "extends"];
    tree.header_text("extends").map(|_| tree.place_of(&path))
}

/// Trees merged over one another, the first of them instead of `own` if there is one.
fn over(own: Option<Node>, trees: &[Node]) -> Node {
    let mut trees = trees.iter().cloned();
    let first = trees.next();
    let own = own.or(first).unwrap_or_else(|| Node {
        value: Value::Table(Vec::new()),
        place: Place { text: 0, offset: 0 },
    });
    trees.fold(own, |child, mut parent| {
        parent.merge(child);
        parent
    })
}

fn strs(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// Finds everything that is wrong with a tree. `None` where it cannot look.
type Look<'a, T> = &'a dyn Fn(&Node) -> Option<Vec<T>>;

/// The search for causes.
pub(crate) struct Causes<'a, T> {
    layers: &'a Layers,
    look: Look<'a, T>,
    /// How many keys and items may still be read.
    left: usize,
    /// What was found in trees, by how many are merged and what of the first was left out or left alone.
    seen: HashMap<(usize, Part), Option<Vec<T>>>,
}

/// What is taken of a tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Part {
    All,
    /// All but the key at a path.
    Without(Vec<String>),
    /// The key at a path alone.
    Only(Vec<String>),
}

impl<'a, T: PartialEq + Clone> Causes<'a, T> {
    pub(crate) fn new(layers: &'a Layers, look: Look<'a, T>) -> Self {
        Self {
            layers,
            look,
            left: limits::CAUSES,
            seen: HashMap::new(),
        }
    }

    /// The cause of a finding, one of all that are found.
    pub(crate) fn of(&mut self, finding: &T, all: &[T]) -> Cause {
        let mut trees = &self.layers.all[..];
        let mut found_here = None;
        while let [own, parents @ ..] = trees
            && !parents.is_empty()
        {
            match self.found(parents, Part::All) {
                Some(found) if found.contains(finding) => {
                    trees = parents;
                    found_here = Some(found);
                }
                found => {
                    let all = found_here.as_deref().unwrap_or(all);
                    if let Some((key, place)) = self.key(finding, all, trees, own, &mut Vec::new())
                    {
                        return Cause::Key(key, place);
                    }
                    let of_file = found.and_then(|_| extends(own));
                    return of_file.map_or(Cause::Unknown, Cause::Keys);
                }
            }
        }
        Cause::Parent
    }

    fn found(&mut self, trees: &[Node], part: Part) -> Option<Vec<T>> {
        if let Some(found) = self.seen.get(&(trees.len(), part.clone())) {
            return found.clone();
        }
        let own = trees.first()?;
        let own = match &part {
            Part::All => own.clone(),
            Part::Without(path) => own.renamed(&strs(path), None),
            Part::Only(path) => own.only(&strs(path)),
        };
        let tree = over(Some(own), trees);
        self.left = self.left.checked_sub(tree.size())?;
        let found = (self.look)(&tree);
        self.seen.insert((trees.len(), part), found.clone());
        found
    }

    /// The key of a table at a path of the first tree that is the cause.
    fn key<'b>(
        &mut self,
        finding: &T,
        all: &[T],
        trees: &[Node],
        table: &'b Node,
        path: &mut Vec<&'b str>,
    ) -> Option<(String, Place)> {
        let Value::Table(entries) = &table.value else {
            return None;
        };
        for entry in entries {
            path.push(&entry.key);
            let keys: Vec<String> = path.iter().map(|&key| key.to_owned()).collect();
            let rest = self.found(trees, Part::Without(keys.clone()));
            let goes_without = rest.is_some_and(|found| {
                !found.contains(finding) && found.iter().all(|other| all.contains(other))
            });
            let is_cause = goes_without || {
                let alone = self.found(trees, Part::Only(keys));
                alone.is_some_and(|found| found.contains(finding))
            };
            if is_cause {
                let inner = self.key(finding, all, trees, &entry.node, path);
                return inner.or_else(|| Some((path.join("."), entry.place)));
            }
            path.pop();
        }
        None
    }
}
