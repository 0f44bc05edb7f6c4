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
    let mut members = vec![
        ("round", text(request.round.letter())),
        (
            "players",
            Value::List(request.hands.iter().map(player).collect()),
        ),
        (
            "wins",
            Value::List(
                request
                    .wins
                    .iter()
                    .map(|(seat, won)| win(plan, *seat, won))
                    .collect(),
            ),
        ),
    ];
    match plan.wall.indicators {
        None => {}
        Some(IndicatorOrder::TopsThenBottoms) => {
            members.push(("bonus", tiles(&request.indicators)))
        }
        Some(IndicatorOrder::TopsBeyondReplacements) => {
            members.push(("dora", tiles(&request.indicators)));
            members.push(("ura", tiles(&request.under_indicators)));
        }
    }
    let on_table = request.on_table;
    if plan.settlement.has_counters() {
        members.push(("honba", Value::Int(on_table.counters.into())));
    }
    if plan.settlement.deposit() > 0 {
        members.push(("deposits", Value::Int(on_table.deposits.into())));
    }
    object(members)
}

fn player(hand: &SeatHand) -> Value {
    let mut members = vec![
        ("seat", letter(hand.seat)),
        ("hand", tiles(&hand.concealed)),
    ];
    if !hand.melds.is_empty() {
        members.push(("melds", Value::List(hand.melds.iter().map(meld).collect())));
    }
    for (name, list) in [("flowers", &hand.flowers), ("set_aside", &hand.set_aside)] {
        if !list.is_empty() {
            members.push((name, tiles(list)));
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

fn win(plan: &Plan, seat: Seat, win: &Win) -> Value {
    let mut members = vec![
        ("seat", letter(seat)),
        ("tile", tiles(&[win.tile])),
        ("by", text(win.way.word())),
    ];
    members.extend(win.from.map(|from| ("from", letter(from))));
    let flags = win.flags.iter().filter_map(|flag| plan.flags.get(flag));
    let flags: Vec<_> = flags.map(|flag| text(flag.id.clone())).collect();
    if !flags.is_empty() {
        members.push(("flags", Value::List(flags)));
    }
    if plan.kong_flag.is_some_and(|flag| win.flags.contains(flag)) {
        members.push(("quads", Value::Int(win.kongs_in_row.into())));
    }
    object(members)
}
