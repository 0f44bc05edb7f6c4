//! Wins in words.

use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::state::DealState;
use paishan::{Lang, Notation, Request, Rules};

/// The wins of a part of a deal, each explained with the documentation of its patterns or without. Names are in a
/// language. Empty if nobody wins.
pub fn explained(
    (rules, lang): (&Rules, Lang),
    state: &DealState,
    part: &Outcome,
    has_docs: bool,
) -> String {
    let mut out = String::new();
    if part.wins().is_empty() {
        return out;
    }
    let request = Request::of_deal(rules.plan(), state, part);
    let table = request.check(rules);
    let wording = Notation::Ujmj.in_lang(lang);
    let explained = table.map(|table| table.explain_settlement(&part.settlement, wording));
    let explained = explained.unwrap_or_default();
    for (seat, win) in part.wins() {
        let off = win.from.map(|from| format!(" off {from}"));
        let off = off.unwrap_or_default();
        out.push_str(&format!("{seat} wins{off} with {}\n", win.tile));
        let mut told = explained.iter().filter(|(winner, _)| winner == seat);
        match told.next() {
            Some((_, told)) if has_docs => out.push_str(&told.to_string()),
            Some((_, told)) => out.push_str(&told.brief().to_string()),
            None => {}
        }
    }
    out
}

/// Collects the explanations of all wins of a match.
pub struct Wins<'a> {
    rules: &'a Rules,
    lang: Lang,
    /// The number of the deal, from 1.
    deal: u32,
    of_deal: String,
    before: String,
}

impl<'a> Wins<'a> {
    pub const fn new(rules: &'a Rules, lang: Lang) -> Self {
        Self {
            rules,
            lang,
            deal: 1,
            of_deal: String::new(),
            before: String::new(),
        }
    }

    /// What was collected.
    pub fn text(self) -> String {
        self.before + &self.of_deal
    }
}

impl Observer for Wins<'_> {
    fn deal_started(&mut self, _: &DealState) {
        // A replay may try several walls for a deal.
        self.of_deal.clear();
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let told = explained((self.rules, self.lang), state, part, false);
        if !told.is_empty() {
            self.of_deal
                .push_str(&format!("deal {}: {told}", self.deal));
        }
    }

    fn deal_ended(&mut self, series: &MatchState, _: &DealState, _: &Outcome, _: Next) {
        self.before.push_str(&self.of_deal);
        self.of_deal.clear();
        self.deal = series.deal_number();
    }
}
