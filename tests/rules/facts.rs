//! The reference of facts in `src/score/facts/reference.md` is what the rows of the facts say. Written anew with
//! `PAISHAN_WRITE=1 cargo test --test rules facts`.

use crate::generated::{self, cell};
use paishan::score::facts::{Argument, FACTS, FactDoc, Scope};
use std::collections::BTreeSet;

/// One table for each scope that has facts, then the arguments.
fn reference() -> String {
    let mut text = String::new();
    for scope in Scope::ALL {
        let facts: Vec<&FactDoc> = FACTS.iter().filter(|fact| fact.scope == scope).collect();
        if facts.is_empty() {
            continue;
        }
        let known: Vec<String> = Scope::ALL
            .into_iter()
            .filter(|of| of.knows(scope))
            .map(|of| format!("[`{of:?}`](Scope::{of:?})"))
            .collect();
        text.push_str(&format!(
            "# Facts about {}\n\nKnown to conditions of {}.\n\n| fact | type | meaning |\n| --- | --- | --- |\n",
            scope.about(),
            known.join(", ")
        ));
        for fact in facts {
            let (usage, doc) = (cell(&fact.usage()), cell(fact.doc));
            text.push_str(&format!("| `{usage}` | {} | {doc} |\n", fact.value.word()));
        }
        text.push('\n');
    }
    text.push_str("# Arguments\n\n| argument | what may be written |\n| --- | --- |\n");
    let mut arguments: Vec<&Argument> = Vec::new();
    for argument in FACTS.iter().flat_map(|fact| fact.arguments) {
        if !arguments.contains(&argument) {
            arguments.push(argument);
        }
    }
    for argument in arguments {
        let (name, doc) = (argument.placeholder(), cell(argument.doc()));
        text.push_str(&format!("| `{name}` | {doc} |\n"));
    }
    text
}

#[test]
fn the_reference_lists_every_fact() {
    generated::compare("src/score/facts/reference.md", "facts", &reference());
}

#[test]
fn facts_have_different_names() {
    let names: BTreeSet<&str> = FACTS.iter().map(|fact| fact.name).collect();
    assert_eq!(names.len(), FACTS.len());
}
