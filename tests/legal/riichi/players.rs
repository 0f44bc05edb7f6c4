//! Players who do what is rare.

use super::forms::*;
use super::table::*;
use super::walls::*;
use paishan::agent::Agent;
use paishan::game::Deal;
use paishan::random::Stream;
use paishan::ruleset::Ruleset;
use paishan::state::Action;
use paishan::{Family, Seat};

/// How often the players do what they may, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    pub win: u32,
    pub kan: u32,
    pub open_kan: u32,
    pub pon: u32,
    pub chii: u32,
    pub riichi: u32,
    /// Discards of the tile just drawn.
    pub drawn: u32,
    /// Discards chosen blindly.
    pub blind: u32,
    /// Discards left to the agent that plays for the nearest hand.
    pub greedy: u32,
}

impl Habits {
    pub fn of(style: Style, stream: &mut Stream) -> Self {
        let stacked = style != Style::Natural;
        let claim = match style {
            Style::Ready => pick(stream, &[0, 10]),
            _ => pick(stream, &[1, 5, 30, 80]),
        };
        Self {
            win: match style {
                Style::Robbed => pick(stream, &[0, 50]),
                _ => pick(stream, &[0, 10, 50, 50, 90]),
            },
            kan: pick(stream, &[50, 90]),
            open_kan: match style {
                Style::Triplets | Style::OneOwner => 70,
                Style::Ready => pick(stream, &[2, 60]),
                _ => pick(stream, &[2, 30]),
            },
            pon: match style {
                Style::Robbed | Style::Swap => 95,
                _ => claim,
            },
            chii: match style {
                Style::Robbed => 0,
                _ => claim,
            },
            riichi: match style {
                Style::Robbed | Style::Shared => pick(stream, &[0, 0, 60]),
                _ => pick(stream, &[60, 95]),
            },
            drawn: match style {
                Style::Robbed | Style::Shared | Style::Swap => pick(stream, &[60, 90]),
                _ => 5,
            },
            blind: pick(stream, &[2, 10, 40]),
            greedy: if stacked { 5 } else { 30 },
        }
    }
}

/// The least useful tile of the hand, or one that leaves it ready.
pub fn heuristic_discard(
    table: &Table<'_>,
    seat: Seat,
    discards: &[Action],
    stream: &mut Stream,
) -> Action {
    let tiles = &table.hands[seat.index()];
    let melds = table.melds[seat.index()].len();
    let tile_of = |action: &Action| match action {
        Action::Discard { tile, .. } => *tile,
        other => panic!("{other:?} is no discard"),
    };
    let ready: Vec<Action> = discards
        .iter()
        .copied()
        .filter(|action| !table.waits(&less(tiles, tile_of(action)), melds).is_empty())
        .collect();
    if !ready.is_empty() {
        return pick(stream, &ready);
    }
    let worth = |action: &Action| {
        let kind = kind_of(tile_of(action));
        let each = tiles.iter().map(|tile| {
            let other = kind_of(*tile);
            let apart = place(kind).abs_diff(place(other));
            match apart {
                0 => 4,
                1 if kind.suit().is_some() && kind.suit() == other.suit() => 3,
                2 if kind.suit().is_some() && kind.suit() == other.suit() => 1,
                _ => 0,
            }
        });
        each.sum::<u32>()
    };
    let least = discards.iter().min_by_key(|action| worth(action));
    *least.expect("something may be discarded")
}

pub fn choose(
    table: &Table<'_>,
    deal: &Deal<&dyn Ruleset>,
    seat: Seat,
    style: Style,
    habits: &Habits,
    greedy: &mut [Box<dyn Agent>],
    stream: &mut Stream,
) -> Action {
    let legal = deal.legal(seat);
    let all: Vec<Action> = legal.iter().collect();
    let wish = |action: &Action| match action {
        Action::Win => habits.win,
        Action::Riichi => habits.riichi,
        Action::NineOrphans => 20,
        Action::ConcealedKong(_) | Action::AddedKong(_) => habits.kan,
        Action::Claim(tiles) => match tiles.group().family() {
            Family::Kong => habits.open_kan,
            Family::Pung => habits.pon,
            _ => habits.chii,
        },
        _ => 0,
    };
    let mut wishes: Vec<Action> = all.iter().copied().filter(|a| wish(a) > 0).collect();
    // Of several wishes none goes always first.
    stream.shuffle(&mut wishes);
    wishes.sort_by_key(|action| *action != Action::Win);
    if let Some(wished) = wishes.into_iter().find(|a| chance(stream, wish(a))) {
        return wished;
    }
    if all.contains(&Action::Pass) {
        return Action::Pass;
    }
    let is_discard = |action: &Action| matches!(action, Action::Discard { .. });
    let discards: Vec<Action> = all.iter().copied().filter(is_discard).collect();
    if style == Style::Winds && !table.has_discarded(seat) && chance(stream, 95) {
        let is_dealt = |action: &&Action| match action {
            Action::Discard { tile, .. } => {
                HONOURS[..4].contains(&kind_of(*tile))
                    && table
                        .discards
                        .first()
                        .is_none_or(|(_, first)| *first == kind_of(*tile))
            }
            _ => false,
        };
        if let Some(wind) = discards.iter().find(is_dealt) {
            return *wind;
        }
    }
    let drawn = discards
        .iter()
        .find(|a| matches!(a, Action::Discard { drawn: true, .. }));
    if let Some(drawn) = drawn.filter(|_| chance(stream, habits.drawn)) {
        return *drawn;
    }
    if chance(stream, habits.blind) {
        return pick(stream, &discards);
    }
    if chance(stream, habits.greedy) {
        let action = greedy[seat.index()].decide(&deal.state().view(seat), legal);
        if is_discard(&action) {
            return action;
        }
    }
    heuristic_discard(table, seat, &discards, stream)
}
