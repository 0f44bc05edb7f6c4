//! Rulebooks, and ledgers of evenings.

use crate::{Answered, Engine, Fault, Request, told};
use paishan::document::Document;
use paishan::{Ledger, lint, rulebook};
use serde::Serialize;

impl Engine {
    /// The rulebook as a page of HTML.
    pub(crate) fn rulebook(&mut self, request: &Request) -> Answered {
        let rules = self.rules(&request.choice())?;
        let known = lint::golden_hands(&rules, &request.choice().source()?)?;
        page(&rulebook::rulebook(&rules, request.lang, &known))
    }

    /// The ledger of an evening.
    pub(crate) fn ledger(&mut self, request: &Request) -> Answered {
        let choice = request.choice();
        let rules = match choice.is_given() {
            true => Some(self.rules(&choice)?),
            false => None,
        };
        let ledger = Ledger::read(&request.text, rules.as_ref()).map_err(|error| {
            let first = error.faults().first().map(|fault| fault.line);
            let lines = error.faults().iter().map(ToString::to_string);
            Fault {
                line: first,
                ..Fault::new("bad-ledger", lines.collect::<Vec<_>>().join("\n"))
            }
        })?;
        page(&ledger.document(request.lang))
    }
}

#[derive(Serialize)]
struct PageAnswer {
    title: String,
    html: String,
}

fn page(document: &Document) -> Answered {
    told(PageAnswer {
        title: document.title.clone(),
        html: document.to_html(),
    })
}
