//! Ledgers as documents.

use super::{Ledger, LedgerTable};
use crate::decimal::Number;
use crate::document::{Block, Document, Inlines, Table};
use crate::lang::Lang;
use crate::ruleset::{OptionMap, Plan};
use crate::seat::Player;

/// A number of points with its sign.
fn signed(units: i64, per_point: i64) -> String {
    match units {
        0 => "0".to_owned(),
        1.. => format!("+{}", Number::of_units(units, per_point)),
        _ => Number::of_units(units, per_point).to_string(),
    }
}

impl LedgerTable {
    /// The player who deals next. `None` once the match is over.
    pub fn next_dealer(&self) -> Option<Player> {
        let state = self.series.state();
        (!state.is_over()).then(|| state.dealer())
    }

    /// The name of a player.
    pub fn name(&self, player: Player) -> &str {
        self.players.get(player.index()).map_or("", String::as_str)
    }

    /// The heading of a table.
    pub fn title(&self) -> String {
        match self.name.is_empty() {
            true => self.players.join(", "),
            false => format!("{}: {}", self.name, self.players.join(", ")),
        }
    }
}

impl Ledger {
    /// The ledger to be shown and printed: a section for each table with its deals, who deals next, totals, what ranks bring,
    /// results and ranks, then all tables together and the seats. The names of the rules are in a language.
    pub fn document(&self, lang: Lang) -> Document {
        let plan = self.rules.plan();
        let title = match self.title.is_empty() {
            true => "Ledger",
            false => &self.title,
        };
        let mut document = Document::new(title);
        document.lang = lang;
        let mut line = Inlines::from(format!("{}, ", plan.names().get(lang))).code(plan.id());
        for (name, value) in OptionMap::changed(plan.options()).0 {
            line = line.text(", ").code(format!("{name}={value}"));
        }
        document.push(Block::text(line.text(".")));
        for table in &self.tables {
            show(&mut document, plan, table);
        }
        if self.tables.len() > 1 {
            self.together(&mut document, plan);
        }
        self.seats(&mut document, plan);
        document
    }

    /// The results of all tables together, by name.
    fn together(&self, document: &mut Document, plan: &Plan) {
        let per_point = plan.units_per_point();
        let mut all: Vec<(&str, i64, usize)> = Vec::new();
        for table in &self.tables {
            let results = table.series.state().results();
            for (name, result) in table.players.iter().zip(results) {
                match all.iter_mut().find(|(known, ..)| known == name) {
                    Some((_, sum, count)) => {
                        *sum = sum.saturating_add(result);
                        *count += 1;
                    }
                    None => all.push((name, result, 1)),
                }
            }
        }
        all.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        document.push(Block::heading(1, "All tables"));
        let mut table = Table::new(["Rank", "Name", "Result", "Matches"]);
        for (name, sum, count) in &all {
            // Equal results share a rank.
            let rank = 1 + all.iter().filter(|(_, other, _)| other > sum).count();
            table.push([
                rank.to_string(),
                (*name).to_owned(),
                Number::of_units(*sum, per_point).to_string(),
                count.to_string(),
            ]);
        }
        document.push(Block::Table(table));
    }

    fn seats(&self, document: &mut Document, plan: &Plan) {
        let Some((names, rounds)) = &self.seating else {
            return;
        };
        document.push(Block::heading(1, "Seats"));
        let heads = (0..plan.players()).map(|seat| format!("Seat {}", seat + 1));
        let name = |player: &usize| names.get(*player).map_or("", String::as_str).to_owned();
        for (number, round) in (1..).zip(rounds) {
            document.push(Block::heading(2, format!("Round {number}")));
            let mut table = Table::new(std::iter::once("Table".to_owned()).chain(heads.clone()));
            for (place, seats) in (1..).zip(&round.tables) {
                table.push(std::iter::once(place.to_string()).chain(seats.iter().map(name)));
            }
            document.push(Block::Table(table));
            if !round.out.is_empty() {
                let out: Vec<String> = round.out.iter().map(name).collect();
                document.push(Block::text(format!("Sitting out: {}.", out.join(", "))));
            }
        }
    }
}

fn show(document: &mut Document, plan: &Plan, table: &LedgerTable) {
    let per_point = plan.units_per_point();
    document.push(Block::heading(1, table.title()));
    let heads = ["Deal", "Dealer", "Entry"].map(str::to_owned);
    let mut rows = Table::new(heads.into_iter().chain(table.players.iter().cloned()));
    rows.long = Some(2);
    for entry in &table.entries {
        let deal = match entry.deal {
            Some(deal) => format!("{deal} {}", entry.round.letter()),
            None => String::new(),
        };
        let dealer = entry.deal.map_or("", |_| table.name(entry.dealer));
        let mut said = Inlines::from(entry.text.as_str());
        for note in &entry.notes {
            said = said.line_break().text(note.as_str());
        }
        let cells = entry
            .changes
            .iter()
            .zip(&entry.totals)
            .map(|(change, total)| {
                let total = Number::of_units(*total, per_point).to_string();
                Inlines::from(signed(*change, per_point))
                    .line_break()
                    .strong(total)
            });
        let first = [Inlines::from(deal), Inlines::from(dealer), said];
        rows.push(first.into_iter().chain(cells));
    }
    let state = table.series.state();
    let mut last = |what: &str, cells: Vec<String>| {
        let first = [
            Inlines::default().strong(what),
            Inlines::default(),
            Inlines::default(),
        ];
        rows.push(
            first
                .into_iter()
                .chain(cells.into_iter().map(Inlines::from)),
        );
    };
    let shown = |all: &[i64]| {
        all.iter()
            .map(|units| Number::of_units(*units, per_point).to_string())
            .collect()
    };
    last("Total", shown(state.totals()));
    if let Some(bonus) = state.bonus() {
        last(
            "By rank",
            bonus
                .iter()
                .map(|units| signed(*units, per_point))
                .collect(),
        );
        last("Result", shown(&state.results()));
    }
    last("Rank", state.ranks().iter().map(usize::to_string).collect());
    document.push(Block::Table(rows));
    let on_table = state.on_table();
    let next = match table.next_dealer() {
        Some(dealer) => {
            let wind = state.round().letter();
            format!(
                "{} deals next: deal {}, round {wind}, dealer {} of the round.",
                table.name(dealer),
                state.deal_number(),
                state.dealer_number()
            )
        }
        None => "The match is over.".to_owned(),
    };
    document.push(Block::text(next));
    if on_table.counters > 0 || on_table.deposits > 0 {
        document.push(Block::text(format!(
            "Counters on the table: {}. Deposits: {}.",
            on_table.counters, on_table.deposits
        )));
    }
}
