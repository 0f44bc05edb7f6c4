//! Tables that the engine computes: points, payments, the quick reference, and a score sheet to fill in.

use super::patterns::value;
use super::words;
use crate::decimal::{Decimal, Number};
use crate::document::{Block, Document, Inlines, Table};
use crate::illustrate;
use crate::lang::Lang;
use crate::lint;
use crate::request::Worth;
use crate::ruleset::Plan;
use crate::score::{HanFuRules, MOST_SUMS, PatternValue, ScoreFamily, SettlementRules, SumsRules};
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::{Kind, Tile};

/// The table of points.
pub(super) fn points(book: &mut Document, plan: &Plan) {
    let (title, table) = match plan.score.family() {
        ScoreFamily::Sums(rules) => match rules.has_one_column() {
            true => ("Points by sum", by_sum(rules, plan.score.quantum[0])),
            false => ("Points by sum", by_two(plan, rules)),
        },
        ScoreFamily::HanFu(rules) => ("Points of han and fu", Some(han_fu(plan, rules))),
    };
    if let Some(table) = table {
        book.push(Block::heading(2, title));
        book.push(Block::Table(table));
    }
}

/// The sums of the first column that are enough to win, with what they are worth.
fn winning(rules: &SumsRules, quantum: Decimal) -> impl Iterator<Item = (i64, (i64, u32))> + '_ {
    let step = quantum.tenths().max(1);
    // Far enough for three limits of any file.
    let all = (0..).step_by(step as usize).take(2000);
    all.filter_map(|tenths| {
        let (sums, points) = rules.of(&[Decimal::from_tenths(tenths)], 0);
        sums.wins.then_some((tenths, (points, sums.limits)))
    })
}

/// The most rows of a table of points.
const MOST_ROWS: usize = 60;

/// Points by the sum of the first column. Neighbours of equal worth share a row. `None` where the points are the sum.
fn by_sum(rules: &SumsRules, quantum: Decimal) -> Option<Table> {
    rules.points.as_ref()?;
    let mut rows: Vec<(i64, i64, (i64, u32))> = Vec::new();
    for (tenths, worth) in winning(rules, quantum) {
        if worth.1 > 3 {
            break;
        }
        match rows.last_mut() {
            Some((_, last, known)) if *known == worth => *last = tenths,
            _ => rows.push((tenths, tenths, worth)),
        }
    }
    if rows.len() > MOST_ROWS {
        return None;
    }
    let mut table = Table::new([rules.shown[0].as_str(), "points", ""]);
    let open_end = rows.last().is_some_and(|(_, _, worth)| worth.1 == 0);
    let count = rows.len();
    for (place, (from, to, (points, limits))) in rows.into_iter().enumerate() {
        let [from, to] = [from, to].map(Decimal::from_tenths);
        let sum = match from == to {
            _ if open_end && place + 1 == count => format!("{from} and more"),
            true => from.to_string(),
            false => format!("{from} to {to}"),
        };
        let limits = match limits {
            0 => String::new(),
            limits => words::count(limits as usize, "limit", "limits"),
        };
        table.push([sum, points.to_string(), limits]);
    }
    Some(table)
}

/// Points by the first two columns. `None` where patterns do not add to both.
fn by_two(plan: &Plan, rules: &SumsRules) -> Option<Table> {
    let amount = |value: PatternValue, column: usize| match value {
        PatternValue::Sums(amounts) => amounts.columns()[column].tenths() / 10,
        _ => 0,
    };
    let patterns = plan.score.patterns();
    let adds = |column| patterns.iter().any(|one| amount(one.value, column) != 0);
    if !adds(0) || !adds(1) || rules.takes_greatest(1) {
        return None;
    }
    let fixed = patterns
        .iter()
        .filter(|one| amount(one.value, 1) != 0)
        .all(|one| one.per.is_none() && one.when.is_none());
    let base: i64 = patterns.iter().map(|one| amount(one.value, 1)).sum();
    let bases: Vec<i64> = match fixed {
        true => vec![base],
        false => {
            let all = [
                1, 2, 4, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 56, 64,
                72, 80, 100,
            ];
            let amounts = patterns
                .iter()
                .filter(|one| illustrate::can_count(plan, one));
            let amounts: Vec<i64> = amounts.map(|one| amount(one.value, 1)).collect();
            let least = match plan.score.losers {
                // A loser's hand may have none of what every winner has.
                Some(_) => 0,
                None => lint::least_of_winners(plan)[1].div_euclid(10),
            };
            let can_be = |base: &i64| can_add_up(base - least, &amounts);
            all.into_iter().filter(can_be).collect()
        }
    };
    const MOST: i64 = 8;
    let points = |first: i64, second: i64| {
        let mut columns = [Decimal::default(); MOST_SUMS];
        columns[..2].copy_from_slice(&[first, second].map(Decimal::whole));
        rules.of(&columns, 0).1.to_string()
    };
    let [across, down] = [&rules.shown[0], &rules.shown[1]];
    let heads = (0..=MOST).map(|first| first.to_string());
    let mut table = Table::new(std::iter::once(format!("{down} / {across}")).chain(heads));
    for base in bases {
        let row = (0..=MOST).map(|first| points(first, base));
        table.push(std::iter::once(base.to_string()).chain(row));
    }
    Some(table)
}

/// True if amounts, each any number of times, may add up to a sum.
fn can_add_up(sum: i64, amounts: &[i64]) -> bool {
    if amounts.iter().any(|&amount| amount < 0) {
        return true;
    }
    let Ok(sum) = usize::try_from(sum) else {
        return false;
    };
    let mut reached = vec![false; sum + 1];
    reached[0] = true;
    for part in 1..=sum {
        let mut last = amounts.iter().filter(|&&amount| amount > 0);
        reached[part] = last.any(|&amount| {
            let before = part.checked_sub(amount as usize);
            before.is_some_and(|before| reached[before])
        });
    }
    reached[sum]
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
    for han in 1..first {
        for fu in [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110] {
            let wins = rules.is_enough(han, (han, fu), None);
            if let (true, (base, None)) = (wins, rules.base(han, fu)) {
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
        ScoreFamily::Sums(rules) if rules.has_one_column() => {
            let mut all = winning(rules, plan.score.quantum[0]);
            all.next().map_or(10, |(_, (points, _))| points.max(10))
        }
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

/// What patterns are ordered by: limits, then what they add column by column, the last column first.
fn rank(value: PatternValue) -> (u32, Vec<i64>) {
    match value {
        PatternValue::Sums(amounts) => {
            let columns = amounts.columns();
            let tenths = columns.iter().rev().map(|one| one.tenths());
            (amounts.limits, tenths.collect())
        }
        PatternValue::Mark => (0, Vec::new()),
        PatternValue::Limits(limits) => (limits, Vec::new()),
        PatternValue::Han { closed, open } => (0, vec![closed.into(), open.into()]),
        PatternValue::BonusHan(han) | PatternValue::HanAlone(han) => (0, vec![han.into(), 0]),
    }
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
    // Patterns of equal value together, from the lowest value to the highest.
    let mut ranked: Vec<(_, String)> = Vec::new();
    let patterns = plan.score.patterns().iter();
    for one in patterns.filter(|one| illustrate::can_count(plan, one)) {
        let text = value(plan, one);
        if !ranked.iter().any(|(_, known)| *known == text) {
            ranked.push((rank(one.value), text));
        }
    }
    ranked.sort_by(|one, other| one.0.cmp(&other.0));
    let order: Vec<String> = ranked.into_iter().map(|(_, text)| text).collect();
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
