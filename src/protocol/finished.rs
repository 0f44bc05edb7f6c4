//! Finished deals: a won deal as a `settle` request, and settling it again under other rules.

use super::request::{Fault, Request};
use super::table::Table;
use super::{ErrorAnswer, Value};
use crate::game::Outcome;
use crate::hand::Hand;
use crate::meld::{Family, Meld};
use crate::notation::Notation;
use crate::ruleset::{Plan, Ruleset};
use crate::score::{ScoreError, Settlement};
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::{DealState, Win};
use crate::tile::Tile;
use crate::wall::IndicatorOrder;

fn text(value: impl Into<String>) -> Value {
    Value::Text(value.into())
}

fn letter(seat: Seat) -> Value {
    text(seat.letter())
}

/// The members of a [`settle` request](super) for a deal that somebody won. Together with the ruleset, which
/// is not among them, they determine the settlement. Tiles are written in `ujmj`.
///
/// Where points are paid within a deal, the request is of one part of it, as [`Observer::paid`](crate::game::Observer::paid)
/// tells. What a kong brought is no part of a request.
///
/// ```
/// use paishan::game::{MatchState, Next, Observer, Outcome};
/// use paishan::protocol::{settle_again, settle_request};
/// use paishan::ruleset::{self, Ruleset};
/// use paishan::state::DealState;
/// use paishan::{agent, simulate};
///
/// struct Check<'a>(&'a dyn Ruleset, u32);
/// impl Observer for Check<'_> {
///     fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
///         if !outcome.wins.is_empty() {
///             let request = settle_request(series.plan(), state, outcome);
///             let again = settle_again(self.0, &request).expect("it was played by these rules");
///             assert_eq!(again.settlement, outcome.settlement);
///             self.1 += 1;
///         }
///     }
/// }
/// let woo = ruleset::by_id("woo", &[])?;
/// let mut agents = agent::for_all("greedy", woo.plan()).expect("an agent of the crate");
/// let mut check = Check(&woo, 0);
/// simulate::play(&*woo, &mut agents, 7, &mut check)?;
/// assert!(check.1 > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn settle_request(plan: &Plan, state: &DealState, outcome: &Outcome) -> Value {
    let writer = Writer { plan };
    let won = |seat: Seat| {
        let own = outcome.wins.iter().find(|(winner, _)| *winner == seat);
        own.map(|(_, win)| win)
    };
    let players = Seat::all(state.players()).map(|seat| {
        let (now, before) = (won(seat), state.win_of(seat));
        let is_out = now.is_none() && before.is_some();
        match now.or(before) {
            Some(win) => writer.player(seat, &state.hand_before(seat, win), is_out),
            None => writer.player(seat, state.hand(seat), false),
        }
    });
    let wins = outcome
        .wins
        .iter()
        .map(|(seat, win)| writer.win(*seat, win));
    let mut members = vec![
        ("round", text(state.round().letter())),
        ("players", Value::List(players.collect())),
        ("wins", Value::List(wins.collect())),
    ];
    let turned = || writer.tiles(state.wall().turned());
    match plan.wall.indicators {
        None => {}
        Some(IndicatorOrder::TopsThenBottoms) => members.push(("bonus", turned())),
        Some(IndicatorOrder::TopsBeyondReplacements) => {
            members.push(("dora", turned()));
            members.push(("ura", writer.tiles(plan.ura(state))));
        }
    }
    if plan.settlement.has_counters() {
        let on_table = state.on_table();
        members.push(("honba", Value::Int(i64::from(on_table.counters))));
        if plan.settlement.deposit() > 0 {
            members.push(("deposits", Value::Int(i64::from(on_table.deposits))));
        }
    }
    let owned = |(name, value): (&str, Value)| (name.to_owned(), value);
    Value::Object(members.into_iter().map(owned).collect())
}

/// The result of settling a deal again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct SettledAgain {
    /// The new settlement. Empty if no winner is left.
    pub settlement: Settlement,
    /// Winners whose hands are now worth too little to win. They win nothing.
    pub refused: SeatSet,
}

/// Settles a deal of [`settle_request`] under a ruleset that may value hands differently. Nothing is played
/// again: this does not ask what players would have done under these rules.
///
/// # Errors
/// The error of the interface if the deal does not fit this ruleset.
pub fn settle_again(rules: &dyn Ruleset, request: &Value) -> Result<SettledAgain, ErrorAnswer> {
    let settled = || -> Result<SettledAgain, Fault> {
        let request = Request::new(rules, request)?;
        let table = Table::of_all(&request)?;
        let mut inputs: Vec<_> = (0..table.len()).map(|place| table.input(place)).collect();
        let mut refused = SeatSet::EMPTY;
        for input in inputs.iter_mut().filter(|input| input.win.is_some()) {
            if let Err(ScoreError::BelowMinimum(_)) = rules.score(input) {
                refused.insert(input.seat);
                input.win = None;
            }
        }
        let settlement = match inputs.iter().any(|input| input.win.is_some()) {
            true => rules.settle(&inputs, table.on_table)?,
            false => Settlement::default(),
        };
        Ok(SettledAgain {
            settlement,
            refused,
        })
    };
    settled().map_err(|fault| ErrorAnswer {
        code: fault.code,
        message: fault.message,
    })
}

/// Writes the state of the table as members of a request.
struct Writer<'a> {
    plan: &'a Plan,
}

impl Writer<'_> {
    fn tiles(&self, tiles: impl IntoIterator<Item = Tile>) -> Value {
        text(Notation::Ujmj.print(tiles))
    }

    fn player(&self, seat: Seat, hand: &Hand, is_out: bool) -> Value {
        let mut members = vec![
            ("seat".to_owned(), letter(seat)),
            ("hand".to_owned(), self.tiles(hand.tiles())),
        ];
        if !hand.melds.is_empty() {
            let melds = hand.melds.iter().map(|meld| self.meld(meld));
            members.push(("melds".to_owned(), Value::List(melds.collect())));
        }
        if !hand.flowers.is_empty() {
            let flowers = self.tiles(hand.flowers.iter().map(Tile::flower));
            members.push(("flowers".to_owned(), flowers));
        }
        if !hand.set_aside.is_empty() {
            let aside = self.tiles(hand.set_aside.iter().map(Tile::from));
            members.push(("set_aside".to_owned(), aside));
        }
        if hand.dead {
            members.push(("dead".to_owned(), Value::Bool(true)));
        }
        if is_out {
            members.push(("out".to_owned(), Value::Bool(true)));
        }
        Value::Object(members)
    }

    fn meld(&self, meld: &Meld) -> Value {
        let mut members = vec![
            ("tiles".to_owned(), self.tiles(meld.tiles())),
            ("open".to_owned(), Value::Bool(meld.open)),
        ];
        if meld.added && meld.group.family() == Family::Kong {
            members.push(("added".to_owned(), Value::Bool(true)));
        }
        if let Some(from) = meld.from.filter(|_| meld.open) {
            members.push(("from".to_owned(), letter(from)));
        }
        Value::Object(members)
    }

    fn win(&self, seat: Seat, win: &Win) -> Value {
        let flags = win
            .flags
            .iter()
            .filter_map(|flag| self.plan.flags.get(flag));
        let mut members = vec![
            ("seat".to_owned(), letter(seat)),
            ("tile".to_owned(), self.tiles([win.tile])),
            ("by".to_owned(), text(win.way.word())),
        ];
        if let Some(from) = win.from {
            members.push(("from".to_owned(), letter(from)));
        }
        let flags: Vec<_> = flags.map(|flag| text(flag.id.clone())).collect();
        if !flags.is_empty() {
            members.push(("flags".to_owned(), Value::List(flags)));
        }
        let counts_kongs = |flag: usize| win.flags.contains(flag);
        if self.plan.kong_flag.is_some_and(counts_kongs) {
            let kongs = i64::from(win.kongs_in_row);
            members.push(("quads".to_owned(), Value::Int(kongs)));
        }
        Value::Object(members)
    }
}
