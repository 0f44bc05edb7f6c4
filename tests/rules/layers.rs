//! The layers of ARCHITECTURE.md: a file uses files of its own layer and of lower ones, and no files use each other in a
//! circle.
//!
//! Every source file is parsed. A file *uses* another where its code names something that is defined there, however many
//! re-exports lie between, and it uses the files with these re-exports, but for the modules that it lies in. A `pub use`
//! alone is no use. What is compiled for tests only may use what it likes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

const LAYERS: &[&[&str]] = &[
    &[
        "text", "forms", "lang", "tile", "set", "counts", "seat", "list", "decimal",
    ],
    &[
        "random", "tile_set", "meld", "aside", "hand", "wall", "notation", "wire",
    ],
    &["decompose", "state"],
    &["score", "draw", "document"],
    &["ruleset"],
    &["game", "agent", "request", "encode"],
    &["simulate", "log", "illustrate"],
    &["host"],
    &["protocol"],
    &["lint", "guide", "rulebook", "ledger"],
];

/// A module by its path from the root of the crate.
type Module = Vec<String>;

/// What a file says of itself.
#[derive(Default)]
struct Source {
    /// Its name below `src`.
    name: String,
    /// What it defines.
    defines: BTreeSet<String>,
    /// What it imports: the name here, and the path. `*` for a whole module.
    imports: Vec<(String, Vec<String>)>,
    /// Paths that its code names, imports included that are no re-exports.
    names: Vec<Vec<String>>,
    /// Modules that are compiled for tests only.
    test_modules: BTreeSet<String>,
    /// Its identifiers and the texts between quotation marks.
    words: Vec<String>,
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg") || attribute.path().is_ident("test");
        let text = quote::ToTokens::to_token_stream(attribute).to_string();
        is_cfg && text.contains("test") && !text.contains("not")
    })
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn flatten(tree: &syn::UseTree, path: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let full = |path: &[String], last: &syn::Ident| {
        let mut full = path.to_vec();
        if last != "self" {
            full.push(last.to_string());
        }
        full
    };
    match tree {
        syn::UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            flatten(&tree.tree, path, found);
            path.pop();
        }
        syn::UseTree::Name(tree) => {
            let full = full(path, &tree.ident);
            found.push((full.last().cloned().unwrap_or_default(), full));
        }
        syn::UseTree::Rename(tree) => {
            found.push((tree.rename.to_string(), full(path, &tree.ident)));
        }
        syn::UseTree::Glob(_) => found.push(("*".to_owned(), path.clone())),
        syn::UseTree::Group(tree) => {
            for tree in &tree.items {
                flatten(tree, path, found);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_for_tests(attributes(item)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut found = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut found);
        if matches!(item.vis, syn::Visibility::Inherited) {
            self.names
                .extend(found.iter().map(|(_, path)| path.clone()));
        }
        self.imports.extend(found);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        self.names.push(segments.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        syn::visit::visit_macro(self, call);
        self.names.extend(paths_in(call.tokens.clone()));
        words_in(call.tokens.clone(), &mut self.words);
    }

    fn visit_ident(&mut self, name: &'ast syn::Ident) {
        self.words.push(name.to_string());
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.words.push(text.value());
    }
}

/// The identifiers and texts in the tokens of a macro.
fn words_in(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => words_in(group.stream(), words),
            TokenTree::Ident(name) => words.push(name.to_string()),
            TokenTree::Literal(text) => words.push(text.to_string().trim_matches('"').to_owned()),
            TokenTree::Punct(_) => {}
        }
    }
}

/// How often the code of the crate names a ruleset, as a text or in an identifier. The list of built-in rulesets, docs
/// and tests do not count.
pub(crate) fn mentions(ids: &[&str]) -> Vec<usize> {
    let plain = |word: &str| word.replace(['-', '_'], "").to_lowercase();
    let all = Crate::of(&sources());
    let files = all
        .0
        .values()
        .filter(|file| file.name != "ruleset/built_in.rs");
    let words: Vec<String> = files
        .flat_map(|file| &file.words)
        .map(|word| plain(word))
        .collect();
    let count = |id: &&str| words.iter().filter(|word| **word == plain(id)).count();
    ids.iter().map(count).collect()
}

/// Every path in the tokens of a macro, and every function that is called. Other lower-case names may be those of fields.
fn paths_in(tokens: TokenStream) -> Vec<Vec<String>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |place: usize| matches!(tokens.get(place), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let mut path = Vec::new();
        while let Some(TokenTree::Ident(name)) = tokens.get(place) {
            path.push(name.to_string());
            place += 1;
            if !(is_colon(place) && is_colon(place + 1)) {
                break;
            }
            place += 2;
        }
        let group = match tokens.get(place) {
            Some(TokenTree::Group(group)) => Some(group),
            _ => None,
        };
        let is_call = group.is_some_and(|group| group.delimiter() == Delimiter::Parenthesis);
        let is_type = path.len() == 1 && path[0].starts_with(char::is_uppercase);
        if path.len() > 1 || is_type || is_call && path.len() == 1 {
            paths.push(path.clone());
        }
        if let Some(group) = group {
            paths.extend(paths_in(group.stream()));
        }
        place += usize::from(path.is_empty() || group.is_some());
    }
    paths
}

/// The types and constants that a macro defines, where it is called or where it is declared.
fn defined_by(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut is_definition = false;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                if is_definition {
                    names.push(word.to_string());
                }
                is_definition = ["const", "enum", "struct"].contains(&word.to_string().as_str());
            }
            TokenTree::Group(group) => {
                names.extend(defined_by(group.stream()));
                is_definition = false;
            }
            _ => is_definition = false,
        }
    }
    names
}

fn read(name: &str, text: &str) -> Source {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut source = Source {
        name: name.to_owned(),
        ..Source::default()
    };
    for item in &file.items {
        if let (syn::Item::Mod(item), true) = (item, is_for_tests(attributes(item))) {
            source.test_modules.insert(item.ident.to_string());
            continue;
        }
        if let syn::Item::Macro(call) = item {
            source.defines.extend(defined_by(call.mac.tokens.clone()));
        }
        let name = match item {
            syn::Item::Const(item) => Some(&item.ident),
            syn::Item::Enum(item) => Some(&item.ident),
            syn::Item::Fn(item) => Some(&item.sig.ident),
            syn::Item::Macro(item) => item.ident.as_ref(),
            syn::Item::Mod(item) => item.content.as_ref().map(|_| &item.ident),
            syn::Item::Static(item) => Some(&item.ident),
            syn::Item::Struct(item) => Some(&item.ident),
            syn::Item::Trait(item) => Some(&item.ident),
            syn::Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        source.defines.extend(name.map(ToString::to_string));
    }
    source.visit_file(&file);
    source
}

/// The module of a file below `src`.
fn module_of(name: &str) -> Module {
    let stem = name.trim_end_matches(".rs");
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let parts = stem
        .split('/')
        .filter(|part| *part != "lib" && *part != "mod");
    parts.map(str::to_owned).collect()
}

struct Crate(BTreeMap<Module, Source>);

impl Crate {
    fn of(texts: &BTreeMap<String, String>) -> Self {
        let read_one = |(name, text): (&String, &String)| (module_of(name), read(name, text));
        let mut all: BTreeMap<Module, Source> = texts.iter().map(read_one).collect();
        let for_tests = |module: &Module| {
            (0..module.len()).any(|depth| {
                let parent = all.get(&module[..depth]);
                parent.is_some_and(|parent| parent.test_modules.contains(&module[depth]))
            })
        };
        let dropped: Vec<Module> = all
            .keys()
            .filter(|module| for_tests(module))
            .cloned()
            .collect();
        for module in dropped {
            all.remove(&module);
        }
        Self(all)
    }

    /// The module in which what a path names is defined. `through` collects the modules whose re-exports lead there.
    fn defined_in(
        &self,
        from: &Module,
        path: &[String],
        through: &mut Vec<Module>,
    ) -> Option<Module> {
        if through.len() > 16 {
            return None;
        }
        let mut at = from.clone();
        let mut rest = path;
        while let Some((first, behind)) = rest.split_first() {
            match first.as_str() {
                "crate" => at = Vec::new(),
                "self" => {}
                "super" => {
                    at.pop()?;
                }
                name => {
                    let source = self.0.get(&at)?;
                    let mut child = at.clone();
                    child.push(name.to_owned());
                    if self.0.contains_key(&child) {
                        at = child;
                    } else if source.defines.contains(name) {
                        return Some(at);
                    } else if let Some((_, import)) =
                        source.imports.iter().find(|(own, _)| own == name)
                    {
                        let longer: Vec<String> = import.iter().chain(behind).cloned().collect();
                        if import.first().is_some_and(|first| first == name) && import.len() == 1 {
                            return None;
                        }
                        through.push(at.clone());
                        return self.defined_in(&at, &longer, through);
                    } else {
                        let globs = source.imports.iter().filter(|(own, _)| own == "*");
                        let mut behind = |(_, import): &(String, Vec<String>)| {
                            let longer: Vec<String> = import.iter().chain(rest).cloned().collect();
                            let known = through.len();
                            through.push(at.clone());
                            let found = self.defined_in(&at, &longer, through);
                            if found.is_none() {
                                through.truncate(known);
                            }
                            found
                        };
                        return globs.filter_map(&mut behind).next();
                    }
                }
            }
            rest = behind;
        }
        None
    }

    /// Which module uses which other.
    fn arrows(&self) -> BTreeSet<(&Module, Module)> {
        let mut found = BTreeSet::new();
        for (module, source) in &self.0 {
            for path in &source.names {
                let mut through = Vec::new();
                let Some(used) = self.defined_in(module, path, &mut through) else {
                    continue;
                };
                through.retain(|between| !module.starts_with(between));
                for used in through.into_iter().chain([used]) {
                    if used != *module {
                        found.insert((module, used));
                    }
                }
            }
        }
        found
    }

    fn name(&self, module: &Module) -> &str {
        &self.0[module].name
    }

    /// Arrows from a lower layer to a higher one, and files that use each other in a circle.
    fn faults(&self) -> Vec<String> {
        let layer = |module: &Module| {
            let top = module.first()?;
            LAYERS
                .iter()
                .position(|names| names.contains(&top.as_str()))
        };
        let arrows = self.arrows();
        let mut faults = Vec::new();
        for module in self.0.keys().filter(|module| !module.is_empty()) {
            if layer(module).is_none() {
                faults.push(format!("{} is in no layer", self.name(module)));
            }
        }
        let mut uses: BTreeMap<&Module, Vec<&Module>> = BTreeMap::new();
        for (from, to) in &arrows {
            if layer(from).is_some() && layer(to) > layer(from) {
                let (from, to) = (self.name(from), self.name(to));
                faults.push(format!("{from} uses {to}, of a higher layer"));
            }
            uses.entry(from).or_default().push(to);
        }
        // What reaches itself lies on a circle; the shortest way back names it.
        let mut told: BTreeSet<&Module> = BTreeSet::new();
        for start in self.0.keys() {
            let mut before: BTreeMap<&Module, &Module> = BTreeMap::new();
            let mut queue = vec![start];
            let mut next = 0;
            while let Some(&at) = queue.get(next) {
                next += 1;
                for &to in uses.get(at).into_iter().flatten() {
                    if !before.contains_key(to) {
                        before.insert(to, at);
                        queue.push(to);
                    }
                }
            }
            let Some(mut at) = before.get(start).copied() else {
                continue;
            };
            let mut circle = vec![start];
            while at != start {
                circle.push(at);
                at = before[at];
            }
            circle.push(start);
            circle.reverse();
            if circle.iter().any(|module| !told.contains(module)) {
                told.extend(circle.iter().copied());
                let names: Vec<&str> = circle.iter().map(|module| self.name(module)).collect();
                faults.push(format!("a circle: {}", names.join(" → ")));
            }
        }
        faults
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

fn sources() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&folder, &mut all);
    let name = |path: &Path| {
        let parts = path.strip_prefix(&folder).unwrap().iter();
        let parts: Vec<&str> = parts.map(|part| part.to_str().unwrap()).collect();
        parts.join("/")
    };
    let text = |path: &PathBuf| (name(path), fs::read_to_string(path).unwrap());
    all.iter().map(text).collect()
}

#[test]
fn the_map_has_the_layers() {
    let line = |(number, names): (usize, &&[&str])| format!("{number}  {}\n", names.join("  "));
    let lines: String = LAYERS.iter().enumerate().rev().map(line).collect();
    let map = include_str!("../../ARCHITECTURE.md");
    assert!(map.contains(&format!("```\n{lines}```")), "{lines}");
}

#[test]
fn no_arrow_points_upwards_and_none_leads_round() {
    let all = Crate::of(&sources());
    assert!(all.arrows().len() > 300);
    let faults = all.faults();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn names_of_rulesets_in_code_are_found() {
    let text = "/// woo\nfn woo() { f(\"woo\"); g!(\"uzje\", [woo]) }\n#[cfg(test)] fn t() { f(\"woo\") }\n";
    let words = read("a.rs", text).words;
    let count = |id: &str| words.iter().filter(|word| *word == id).count();
    assert_eq!([count("woo"), count("uzje")], [3, 1]);
}

#[test]
fn planted_faults_are_found() {
    let mut texts = sources();
    assert_eq!(Crate::of(&texts).faults(), Vec::<String>::new());
    let plant = |texts: &mut BTreeMap<String, String>, name: &str, more: &str| {
        texts.get_mut(name).unwrap().push_str(more);
    };
    // Below what is compiled for tests, and in it.
    plant(
        &mut texts,
        "tile.rs",
        "#[cfg(test)] mod more { use crate::game::Deal; }\n",
    );
    assert_eq!(Crate::of(&texts).faults(), Vec::<String>::new());
    let mut upwards = texts.clone();
    plant(&mut upwards, "tile.rs", "fn f(_: &crate::Hand) {}\n");
    let faults = Crate::of(&upwards).faults();
    assert!(
        faults
            .iter()
            .any(|fault| fault.starts_with("tile.rs uses hand.rs")),
        "{faults:?}"
    );
    assert!(
        faults.iter().any(|fault| fault.starts_with("a circle: ")),
        "{faults:?}"
    );
    // In a pattern within a macro.
    let mut matched = texts.clone();
    plant(
        &mut matched,
        "set.rs",
        "fn f(x: &u8) -> bool { matches!(x, Some(crate::meld::Family::Pair) if true) }\n",
    );
    let faults = Crate::of(&matched).faults();
    assert!(
        faults
            .iter()
            .any(|fault| fault.starts_with("set.rs uses meld.rs")),
        "{faults:?}"
    );
    // Through a re-export: the folder's own file uses the search, which uses the grammar.
    let mut imported = texts.clone();
    plant(
        &mut imported,
        "decompose/classical/mod.rs",
        "fn f(_: &super::arrange::Walk<'_, ()>) {}\n",
    );
    let faults = Crate::of(&imported).faults();
    assert!(
        faults
            .iter()
            .any(|fault| fault.contains("grammar.rs → decompose/classical/mod.rs → ")),
        "{faults:?}"
    );
    let mut round = texts;
    plant(
        &mut round,
        "score/sums.rs",
        "fn f() -> i64 { format!(\"{}\", super::best::best()).len() as i64 }\n",
    );
    let faults = Crate::of(&round).faults();
    assert!(
        faults
            .iter()
            .any(|fault| fault.contains("score/sums.rs → ")),
        "{faults:?}"
    );
}
