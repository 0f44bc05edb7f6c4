//! Tables that the engine computes: points, payments, the quick reference, and a score sheet to fill in.

use super::patterns::value;
use super::words;
use crate::decimal::{Decimal, Number};
use crate::document::{Block, Document, Inlines, Table};
use crate::illustrate;
use crate::lang::Lang;
use crate::request::Worth;
use crate::ruleset::Plan;
use crate::score::{
    DoublesRules, FanCurve, FanRules, HanFuRules, PatternValue, ScoreFamily, SettlementRules,
};
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::{Kind, Tile};

/// The table of points.
pub(super) fn points(book: &mut Document, plan: &Plan) {
    let (title, table) = match plan.score.family() {
        ScoreFamily::Fan(rules) => ("Points of fan", fan(rules, plan.score.quantum)),
        ScoreFamily::Doubles(rules) => ("Points of doubles", doubles(plan, rules)),
        ScoreFamily::HanFu(rules) => ("Points of han and fu", Some(han_fu(plan, rules))),
    };
    if let Some(table) = table {
        book.push(Block::heading(2, title));
        book.push(Block::Table(table));
    }
}

/// Points by fan. Neighbours of equal worth share a row.
fn fan(rules: &FanRules, quantum: Decimal) -> Option<Table> {
    if rules.curve == FanCurve::Plain {
        return None;
    }
    let step = quantum.tenths().max(1);
    let first = (rules.least().tenths() + step - 1) / step * step;
    let mut rows: Vec<(i64, i64, (i64, u32))> = Vec::new();
    // Far enough for three limits of any file.
    for tenths in (first..).step_by(step as usize).take(2000) {
        let worth = rules.worth(Decimal::from_tenths(tenths));
        if worth.1 > 3 {
            break;
        }
        match rows.last_mut() {
            Some((_, last, known)) if *known == worth => *last = tenths,
            _ => rows.push((tenths, tenths, worth)),
        }
    }
    let mut table = Table::new(["Fan", "Points", ""]);
    let open_end = rows.last().is_some_and(|(_, _, worth)| worth.1 == 0);
    let count = rows.len();
    for (place, (from, to, (points, limits))) in rows.into_iter().enumerate() {
        let [from, to] = [from, to].map(Decimal::from_tenths);
        let fan = match from == to {
            _ if open_end && place + 1 == count => format!("{from} and more"),
            true => from.to_string(),
            false => format!("{from} to {to}"),
        };
        let limits = match limits {
            0 => String::new(),
            limits => words::count(limits as usize, "limit", "limits"),
        };
        table.push([fan, points.to_string(), limits]);
    }
    Some(table)
}

/// Points by base and doubles. `None` where patterns have no doubles.
fn doubles(plan: &Plan, rules: &DoublesRules) -> Option<Table> {
    let patterns = plan.score.patterns();
    let doubled = |value: &PatternValue| matches!(value, PatternValue::Doubles(_));
    if !patterns.iter().any(|one| doubled(&one.value)) {
        return None;
    }
    let fixed = patterns.iter().all(|one| match one.value {
        PatternValue::Points(_) => one.per.is_none() && one.when.is_none(),
        _ => true,
    });
    let base: i64 = patterns
        .iter()
        .map(|one| match one.value {
            PatternValue::Points(points) => points,
            _ => 0,
        })
        .sum();
    let bases: Vec<i64> = match fixed {
        true => vec![base],
        false => vec![
            2, 4, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 56, 64, 72,
            80, 100,
        ],
    };
    let most = match &rules.table {
        Some(table) => table.rows().last().map_or(8, |(sum, _)| sum.tenths() / 10) as u32,
        None => 6,
    };
    if fixed {
        let mut table = Table::new(["Doubles", "Points"]);
        for doubles in 0..=most.min(30) {
            table.push([doubles.to_string(), rules.worth(base, doubles).to_string()]);
        }
        return Some(table);
    }
    let most = most.min(8);
    let heads = (0..=most).map(|doubles| format!("{doubles}"));
    let mut table = Table::new(std::iter::once("Points / doubles".to_owned()).chain(heads));
    for base in bases {
        let row = (0..=most).map(|doubles| rules.worth(base, doubles).to_string());
        table.push(std::iter::once(base.to_string()).chain(row));
    }
    Some(table)
}

/// Payments by han and fu, to a dealer and to another winner.
fn han_fu(plan: &Plan, rules: &HanFuRules) -> Table {
    let [east, south, west] = [Seat::EAST, Seat::SOUTH, Seat::WEST];
    let pays =
        |base: i64, winner: Seat, loser: Seat, drawn| HanFuRules::pays(base, winner, loser, drawn);
    let mut table = Table::new([
        "Han and fu",
        "Dealer: off a discard",
        "self-drawn, each",
        "Others: off a discard",
        "self-drawn, dealer and each other",
    ]);
    let mut row = |what: String, base: i64| {
        let others = match plan.players {
            2 => String::new(),
            _ => format!(" and {}", pays(base, south, west, true)),
        };
        table.push([
            what,
            pays(base, east, south, false).to_string(),
            pays(base, east, south, true).to_string(),
            pays(base, south, west, false).to_string(),
            format!("{}{others}", pays(base, south, east, true)),
        ]);
    };
    let first = rules.table.first().map_or(5, |limit| limit.han);
    for han in rules.minimum.max(1)..first {
        for fu in [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110] {
            if let (base, None) = rules.base(han, fu) {
                row(format!("{han} han {fu} fu"), base);
            }
        }
    }
    for limit in &rules.table {
        row(
            format!("{}, {} han or more", limit.name, limit.han),
            limit.base,
        );
    }
    row(rules.limit_name.clone(), rules.limit_base);
    table
}

/// A win of each kind: by the dealer or not, off a discard of the dealer or of another, or self-drawn.
fn wins(players: usize) -> Vec<(String, Seat, Win)> {
    let tile = Tile::plain(Kind::EAST);
    let mut all = Vec::new();
    for winner in [Seat::EAST, Seat::SOUTH] {
        for giver in Seat::all(players).filter(|seat| *seat != winner).take(2) {
            all.push((
                format!("{winner} off {giver}"),
                winner,
                Win::off(tile, giver),
            ));
        }
        all.push((format!("{winner} self-drawn"), winner, Win::drawn(tile)));
    }
    all
}

/// What every seat gains or pays for a hand of some points.
pub(super) fn payments(book: &mut Document, plan: &Plan) {
    let players = plan.players;
    if plan.settlement == SettlementRules::OwnPoints
        || matches!(plan.settlement, SettlementRules::Riichi(_))
    {
        return;
    }
    let points = match plan.score.family() {
        ScoreFamily::Fan(rules) => rules.worth(rules.least()).0.max(10),
        _ => 10,
    };
    let losers = match plan.settlement.settles_losers() {
        true => "The losers' own hands are worth nothing here. ",
        false => "",
    };
    book.push(Block::heading(
        2,
        format!("Who pays: a hand worth {points} points"),
    ));
    book.push(Block::text(format!("{losers}E deals.")));
    let heads = Seat::all(players).map(|seat| seat.to_string());
    let mut table = Table::new(std::iter::once("Winner".to_owned()).chain(heads));
    let per_point = plan.units_per_point();
    for (what, winner, win) in wins(players) {
        let is_allowed = plan
            .ways()
            .iter()
            .any(|way| way.is_self_draw() == win.is_self_draw());
        let Some(deltas) = plan
            .payments_for(&Worth::Points(points), winner, win)
            .filter(|_| is_allowed)
        else {
            continue;
        };
        let cells =
            Seat::all(players).map(|seat| Number::of_units(deltas[seat], per_point).to_string());
        table.push(std::iter::once(what).chain(cells));
    }
    book.push(Block::Table(table));
}

/// A page with what is looked up at the table.
pub(super) fn quick_reference(book: &mut Document, plan: &Plan, lang: Lang) {
    book.push(Block::heading(1, "Quick reference"));
    let ranks: Vec<String> = words::precedence(plan, lang)
        .iter()
        .map(|group| words::listed(group, "or"))
        .collect();
    book.push(Block::text(
        Inlines::default()
            .strong("Claims:")
            .text(" ")
            .text(ranks.join(", before ")),
    ));
    let mut all: Vec<(usize, String, &str)> = plan
        .score
        .patterns()
        .iter()
        .filter(|one| illustrate::can_count(plan, one))
        .enumerate()
        .map(|(place, one)| (place, value(plan, one), one.names.get(lang)))
        .collect();
    // Patterns of equal value together, in the order of the file.
    let mut order: Vec<String> = Vec::new();
    for (_, value, _) in &all {
        if !order.contains(value) {
            order.push(value.clone());
        }
    }
    all.sort_by_key(|(place, value, _)| (order.iter().position(|one| one == value), *place));
    let mut table = Table::new(["Value", "Patterns"]);
    for value in order {
        let mut names: Vec<&str> = all
            .iter()
            .filter(|(_, of, _)| *of == value)
            .map(|(_, _, name)| *name)
            .collect();
        names.dedup();
        table.push([Inlines::default().strong(value), names.join(", ").into()]);
    }
    book.push(Block::Table(table));
}

/// Empty rows of a score sheet.
const ROWS: usize = 16;

/// A score sheet to print and fill in.
pub(super) fn score_sheet(book: &mut Document, plan: &Plan) {
    book.push(Block::heading(1, "Score sheet"));
    book.push(Block::text(
        "Table: ____________________ Date: ____________________",
    ));
    let players = (1..=plan.players).map(|player| format!("Player {player}"));
    let mut table = Table::new(
        ["Deal", "Dealer", "Win"]
            .map(str::to_owned)
            .into_iter()
            .chain(players),
    );
    table.is_form = true;
    let columns = 2 + plan.players;
    let row =
        |head: String| std::iter::once(head).chain(std::iter::repeat_n(String::new(), columns));
    for deal in 1..=ROWS {
        table.push(row(deal.to_string()));
    }
    table.push(row("Total".to_owned()));
    if plan.matches.result.is_some() {
        table.push(row("By rank".to_owned()));
        table.push(row("Result".to_owned()));
    }
    book.push(Block::Table(table));
}
