//! Converts a [`Request`] to JSON.

use super::value::Value;
use crate::notation::Notation;
use crate::request::{Declared, Request, SeatHand};
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::Tile;
use crate::wall::IndicatorOrder;

fn text(value: impl Into<String>) -> Value {
    Value::Text(value.into())
}

fn tiles(tiles: &[Tile]) -> Value {
    text(Notation::Ujmj.print(tiles.iter().copied()))
}

fn letter(seat: Seat) -> Value {
    text(seat.letter())
}

fn object(members: Vec<(&str, Value)>) -> Value {
    let owned = |(name, value): (&str, Value)| (name.to_owned(), value);
    Value::Object(members.into_iter().map(owned).collect())
}

/// The members of a [`settle` request](super) for a won deal, such as one of [`Request::of_deal`], without `type`,
/// `ruleset` and `options`. Tiles are written in `ujmj`.
pub fn settle_request(plan: &Plan, request: &Request) -> Value {
    let players = request.hands.iter().map(player).collect();
    let wins = request.wins.iter();
    let wins = wins.map(|(seat, won)| {
        let seat = Some(("seat", letter(*seat)));
        object(seat.into_iter().chain(win(plan, won)).collect())
    });
    let mut members = vec![
        ("round", text(request.round.letter())),
        ("players", Value::List(players)),
        ("wins", Value::List(wins.collect())),
    ];
    members.extend(around(plan, request));
    object(members)
}

/// The members of a [`score` request](super) for the first hand of a request, without `type`, `ruleset` and `options`.
/// Tiles are written in `ujmj`. Members that are empty or 0 are left out.
pub fn score_request(plan: &Plan, request: &Request) -> Value {
    let mut members = Vec::new();
    if plan.matches.round_winds {
        members.push(("round", text(request.round.letter())));
    }
    if let Some(hand) = request.hands.first() {
        let won = request.wins.iter().find(|(seat, _)| *seat == hand.seat);
        let won = won.map(|(_, won)| object(win(plan, won)));
        members.push(("player", player(hand)));
        members.push(("win", won.unwrap_or(Value::Null)));
    }
    let is_empty = |value: &Value| *value == text("") || *value == Value::Int(0);
    let around = around(plan, request).into_iter();
    members.extend(around.filter(|(_, value)| !is_empty(value)));
    object(members)
}

/// The indicators, counters and deposits.
fn around(plan: &Plan, request: &Request) -> Vec<(&'static str, Value)> {
    let mut members = Vec::new();
    match plan.wall.indicators {
        None => {}
        Some(IndicatorOrder::TopsThenBottoms) => {
            members.push(("bonus", tiles(&request.indicators)))
        }
        // It is among the turned tiles.
        Some(IndicatorOrder::Last) => {}
        Some(IndicatorOrder::TopsBeyondReplacements) => {
            members.push(("dora", tiles(&request.indicators)));
            members.push(("ura", tiles(&request.under_indicators)));
        }
    }
    let rows = plan
        .turned_ids
        .iter()
        .enumerate()
        .filter_map(|(place, id)| {
            let of_row = request.turned.iter();
            let of_row = of_row.filter(|turned| turned.row.index() == place);
            let of_row: Vec<Tile> = of_row.map(|turned| turned.tile).collect();
            (!of_row.is_empty()).then(|| (id.as_str(), tiles(&of_row)))
        });
    let dealt = plan
        .turned_when_dealt
        .iter()
        .filter(|_| !request.indicators.is_empty());
    let dealt = dealt.map(|id| (id.as_str(), tiles(&request.indicators)));
    let rows: Vec<(&str, Value)> = dealt.chain(rows).collect();
    if !rows.is_empty() {
        members.push(("turned", object(rows)));
    }
    let on_table = request.on_table;
    if plan.has_counters() {
        members.push(("honba", Value::Int(on_table.counters.into())));
    }
    if plan.settlement.deposit() > 0 {
        members.push(("deposits", Value::Int(on_table.deposits.into())));
    }
    members
}

fn player(hand: &SeatHand) -> Value {
    let mut members = vec![
        ("seat", letter(hand.seat)),
        ("hand", tiles(&hand.concealed)),
    ];
    if !hand.melds.is_empty() {
        members.push(("melds", Value::List(hand.melds.iter().map(meld).collect())));
    }
    let aside = hand.aside.iter().copied();
    let (flowers, others): (Vec<Tile>, Vec<Tile>) = aside.partition(|tile| tile.is_flower());
    for (name, list) in [("flowers", flowers), ("set_aside", others)] {
        if !list.is_empty() {
            members.push((name, tiles(&list)));
        }
    }
    for (name, is) in [("dead", hand.dead), ("out", hand.out)] {
        if is {
            members.push((name, Value::Bool(true)));
        }
    }
    object(members)
}

fn meld(meld: &Declared) -> Value {
    let mut members = vec![
        ("tiles", tiles(&meld.tiles)),
        ("open", Value::Bool(meld.open)),
    ];
    if meld.added {
        members.push(("added", Value::Bool(true)));
    }
    members.extend(meld.from.map(|from| ("from", letter(from))));
    object(members)
}

fn win(plan: &Plan, win: &Win) -> Vec<(&'static str, Value)> {
    let mut members = vec![("tile", tiles(&[win.tile])), ("by", text(win.way.word()))];
    members.extend(win.from.map(|from| ("from", letter(from))));
    let flags = win.flags.iter().filter_map(|flag| plan.flags.get(flag));
    let flags: Vec<_> = flags.map(|flag| text(flag.id.clone())).collect();
    if !flags.is_empty() {
        members.push(("flags", Value::List(flags)));
    }
    if plan.kong_flag.is_some_and(|flag| win.flags.contains(flag)) {
        members.push(("quads", Value::Int(win.kongs_in_row.max(1).into())));
    }
    members
}
