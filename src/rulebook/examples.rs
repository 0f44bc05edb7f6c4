//! Worked examples of settlements: deals that the engine plays.

use super::patterns::{hand, winner};
use crate::agent;
use crate::decimal::Number;
use crate::document::{Block, Document, Inlines, Table};
use crate::game::{Observer, Outcome};
use crate::lang::Lang;
use crate::notation::Notation;
use crate::request::{Request, SeatHand};
use crate::ruleset::{Plan, Rules};
use crate::score::times;
use crate::seat::Seat;
use crate::simulate;
use crate::state::DealState;

/// The most matches that are played to find examples.
const MOST_MATCHES: u64 = 40;

/// Keeps the first won part of a deal of each kind: off a discard and self-drawn.
struct Won<'a> {
    plan: &'a Plan,
    found: [Option<(Request, Outcome)>; 2],
}

impl Observer for Won<'_> {
    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let [(_, win)] = part.wins() else { return };
        let place = usize::from(win.is_self_draw());
        if self.found[place].is_none() {
            let request = Request::of_deal(self.plan, state, part);
            self.found[place] = Some((request, part.clone()));
        }
    }

    fn wants_more(&self) -> bool {
        self.found.iter().any(Option::is_none)
    }
}

/// Two deals that the engine has played and settled.
pub(super) fn settlements(book: &mut Document, rules: &Rules, lang: Lang) {
    let plan = &**rules.plan();
    let mut won = Won {
        plan,
        found: [None, None],
    };
    for seed in 1..=MOST_MATCHES {
        let Ok(mut agents) = agent::for_all("greedy", plan) else {
            return;
        };
        if !won.wants_more() || simulate::play(rules, &mut agents, seed, &mut won).is_err() {
            break;
        }
    }
    let titles = ["Example: a win off a discard", "Example: a self-drawn win"];
    for (title, found) in titles.into_iter().zip(won.found) {
        if let Some((request, part)) = found {
            book.push(Block::heading(2, title));
            example(book, rules, lang, &request, &part);
        }
    }
}

fn example(book: &mut Document, rules: &Rules, lang: Lang, request: &Request, part: &Outcome) {
    let plan = &**rules.plan();
    let Ok(table) = request.check(rules) else {
        return;
    };
    let Some(seat) = winner(request) else { return };
    let only = |hand: &SeatHand| Request {
        hands: vec![hand.clone()],
        wins: request
            .wins
            .iter()
            .filter(|(seat, _)| *seat == hand.seat)
            .copied()
            .collect(),
        ..request.clone()
    };
    let from = request.wins.first().and_then(|(_, win)| win.from);
    let from = from.map_or(String::new(), |from| format!(" on a tile of {from}"));
    book.push(Block::text(format!(
        "{seat} wins{from}. {} deals.",
        Seat::EAST
    )));
    for shown in &request.hands {
        let is_winner = shown.seat == seat;
        if is_winner || plan.settlement.settles_losers() {
            let seat = format!("{}: ", shown.seat);
            let line = hand(rules, &only(shown));
            book.push(Block::Text(Inlines::from(seat).and(line)));
        }
    }
    let wording = Notation::Ujmj.in_lang(lang);
    for (seat, told) in table.explain_settlement(&part.settlement, wording) {
        if seat != winner(request).unwrap_or(seat) && !plan.settlement.settles_losers() {
            continue;
        }
        book.push(Block::text(format!("{seat}: {}", told.headline)));
        let mut steps = Table::new(["Counts", "Worth", "For"]);
        for one in &told.patterns {
            let worth = format!("{}{}", times(one.times), one.value);
            steps.push([one.name.clone(), worth, one.made_of.join(" ")]);
        }
        for row in &told.fu {
            let worth = format!("{}{} fu", times(row.times), row.fu);
            steps.push([row.doc.clone(), worth, row.made_of.join(" ")]);
        }
        if !steps.rows.is_empty() {
            book.push(Block::Table(steps));
        }
        let mut steps = Table::new(["", "Step", "Result", "For"]);
        for step in &told.steps {
            steps.push([
                step.of.word().to_owned(),
                step.operation(),
                step.value.to_string(),
                step.reason.clone(),
            ]);
        }
        book.push(Block::Table(steps));
    }
    let per_point = plan.units_per_point();
    let payments = part.settlement.payments.iter();
    let mut lines: Vec<Inlines> = payments
        .map(|one| one.describe(plan.payments()).into())
        .collect();
    if let Some((seat, units)) = part.settlement.deposits {
        lines.push(
            format!(
                "{seat} gets deposits of {}",
                Number::of_units(units, per_point)
            )
            .into(),
        );
    }
    if !lines.is_empty() {
        book.push(Block::List(lines));
    }
    let changes = Seat::all(plan.players).map(|seat| {
        let change = Number::of_units(part.settlement.deltas[seat], per_point);
        format!("{seat} {change}")
    });
    let changes: Vec<String> = changes.collect();
    book.push(Block::text(format!("Together: {}.", changes.join(", "))));
}
