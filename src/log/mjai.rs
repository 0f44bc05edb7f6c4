//! Plain mjai: messages with the members of the protocol and few others.
//!
//! A [`Line`] is an mjai event with extra members. [`Message::plain`] removes most of these, so that bots and viewers
//! written for mjai can follow a match. In messages from other programs optional members may be missing, and
//! unknown members are ignored. The docs of [`log`](super) list what plain mjai leaves out and adds, under "Exactly
//! mjai".

use super::Line;
use super::record::Writer;
use crate::decimal::Number;
use crate::forms::two_forms;
use crate::notation::Notation;
use crate::ruleset::{OptionMap, Plan};
use crate::state::{Action, Legal, View};
use std::collections::VecDeque;

two_forms! {
    #[serde(tag = "type", rename_all = "snake_case")]
    /// A message of the mjai protocol. Players are indices. A tile is a string, `?` if it is unseen.
    #[derive(Clone, PartialEq, Debug)]
    #[allow(missing_docs, reason = "the members are those of the protocol")]
    #[non_exhaustive]
    pub enum Message {
        /// A match begins.
        StartGame {
            #[serde(default)]
            names: Vec<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            id: Option<usize>,
            /// The id of the ruleset.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            ruleset: Option<String>,
            /// Options with another value than the ruleset's default.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            options: Option<OptionMap>,
            /// The red fives of the tile set.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            red_fives: Option<Vec<String>>,
        },
        /// A deal begins.
        StartKyoku {
            bakaze: char,
            kyoku: usize,
            honba: u32,
            #[serde(default)]
            kyotaku: u32,
            oya: usize,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<i64>>,
            dora_marker: String,
            tehais: Vec<Vec<String>>,
        },
        /// A tile is drawn.
        Tsumo { actor: usize, pai: String },
        /// A tile is discarded. Without `tsumogiri`, it is the drawn tile if that is the same.
        Dahai {
            actor: usize,
            pai: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tsumogiri: Option<bool>,
        },
        /// A run is claimed.
        Chi {
            actor: usize,
            target: usize,
            pai: String,
            consumed: Vec<String>,
        },
        /// A pung is claimed.
        Pon {
            actor: usize,
            target: usize,
            pai: String,
            consumed: Vec<String>,
        },
        /// A kong is claimed, or a group of more tiles alike.
        Daiminkan {
            actor: usize,
            target: usize,
            pai: String,
            consumed: Vec<String>,
        },
        /// A concealed kong.
        Ankan { actor: usize, consumed: Vec<String> },
        /// A fourth tile is added to a pung.
        Kakan {
            actor: usize,
            pai: String,
            consumed: Vec<String>,
        },
        /// A tile is set aside, such as a north with three players. Written as `kita`, which readers expect. Some programs call
        /// the event `nukidora`, and some leave out the tile.
        #[serde(rename = "kita", alias = "nukidora")]
        Nukidora {
            actor: usize,
            #[serde(default = "north")]
            pai: String,
        },
        /// The next indicator is turned.
        Dora { dora_marker: String },
        /// Riichi is declared.
        Reach { actor: usize },
        /// The riichi discard was not won on.
        ReachAccepted {
            actor: usize,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            deltas: Option<Vec<i64>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<i64>>,
        },
        /// Somebody wins.
        Hora {
            actor: usize,
            target: usize,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pai: Option<String>,
            /// Older readers expect this name, newer ones `ura_markers`.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            uradora_markers: Option<Vec<String>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            ura_markers: Option<Vec<String>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            hora_tehais: Option<Vec<String>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            yakus: Option<Vec<(String, i64)>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            fu: Option<i64>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            fan: Option<i64>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            hora_points: Option<i64>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            deltas: Option<Vec<i64>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<i64>>,
        },
        /// The deal ends without a winner.
        Ryukyoku {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            reason: Option<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            actor: Option<usize>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tehais: Option<Vec<Vec<String>>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            tenpais: Option<Vec<bool>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            deltas: Option<Vec<i64>>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<i64>>,
        },
        /// A deal is over.
        EndKyoku,
        /// A match is over.
        EndGame {
            #[serde(default, skip_serializing_if = "Option::is_none")]
            scores: Option<Vec<i64>>,
            /// What the end of the match added to the last totals.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            bonus: Option<Vec<i64>>,
        },
        /// A bot passes.
        None,
        /// A message outside a match, such as `hello`.
        #[serde(other)]
        Other,
    }
}

fn north() -> String {
    "N".to_owned()
}

/// The red fives of a plan's tile set.
fn red_fives(plan: &Plan) -> Vec<String> {
    let reds = plan.tiles.iter().filter(|tile| tile.is_red());
    reds.map(|tile| Notation::Mjai.print_one(tile)).collect()
}

fn wholes(numbers: &[Number]) -> Vec<i64> {
    let whole = |number: &Number| number.tenths().div_euclid(10);
    numbers.iter().map(whole).collect()
}

/// Copies the variants that two enums share, member by member. Variants that only one of them has follow as arms of a
/// `match`.
macro_rules! translate {
    ($value:expr, $from:ident => $to:ident { $($variant:ident { $($member:ident),* })* } $($other:tt)*) => {
        match $value {
            $($from::$variant { $($member,)* .. } => $to::$variant { $($member),* },)*
            $($other)*
        }
    };
}

impl Message {
    /// The message of a line in a log of a plan's match. `None` if mjai has no such event.
    pub fn plain(plan: &Plan, line: &Line) -> Option<Self> {
        let all = |numbers: &[Number]| Some(wholes(numbers));
        let one = |number: Number| wholes(&[number])[0];
        Some(translate!(line.clone(), Line => Message {
            Tsumo { actor, pai }
            Chi { actor, target, pai, consumed }
            Pon { actor, target, pai, consumed }
            Daiminkan { actor, target, pai, consumed }
            Ankan { actor, consumed }
            Kakan { actor, pai, consumed }
            Nukidora { actor, pai }
            Dora { dora_marker }
            Reach { actor }
        }
            Line::StartGame(start) => Self::StartGame {
                names: start.names,
                id: start.id,
                ruleset: Some(start.ruleset),
                options: Some(OptionMap::changed(&plan.options)),
                red_fives: Some(red_fives(plan)),
            },
            Line::Dahai { actor, pai, tsumogiri } => Self::Dahai {
                actor,
                pai,
                tsumogiri: Some(tsumogiri),
            },
            Line::StartKyoku(start) => Self::StartKyoku {
                bakaze: start.bakaze,
                kyoku: start.kyoku,
                honba: start.honba,
                kyotaku: start.kyotaku,
                oya: start.oya,
                scores: all(&start.scores),
                dora_marker: start.dora_marker?,
                tehais: start.tehais,
            },
            Line::ReachAccepted {
                actor,
                deltas,
                scores,
            } => Self::ReachAccepted {
                actor,
                deltas: all(&deltas),
                scores: all(&scores),
            },
            Line::Hora(hora) => Self::Hora {
                actor: hora.actor,
                target: hora.target,
                pai: Some(hora.pai),
                ura_markers: hora.uradora_markers.clone(),
                uradora_markers: hora.uradora_markers,
                hora_tehais: hora.hora_tehais,
                yakus: hora.yakus.map(|list| {
                    let list = list.into_iter();
                    list.map(|(id, value)| (id, one(value))).collect()
                }),
                fu: hora.fu.map(one),
                fan: hora.fan.map(one),
                hora_points: hora.hora_points.map(one),
                deltas: hora.deltas.as_deref().and_then(all),
                scores: hora.scores.as_deref().and_then(all),
            },
            Line::Ryukyoku {
                reason,
                actor,
                tehais,
                tenpais,
                deltas,
                scores,
            } => Self::Ryukyoku {
                reason: Some(reason),
                actor,
                tehais,
                tenpais,
                deltas: deltas.as_deref().and_then(all),
                scores: scores.as_deref().and_then(all),
            },
            Line::EndKyoku { .. } => Self::EndKyoku,
            Line::None => Self::None,
            Line::EndGame { scores, bonus, .. } => Self::EndGame {
                scores: all(&scores),
                bonus: bonus.as_deref().and_then(all),
            },
            // The next message shows whether the match goes on.
            Line::End { .. }
            | Line::Lay { .. }
            | Line::Swap { .. }
            | Line::Flower { .. }
            | Line::Declare { .. }
            | Line::Challenge { .. }
            | Line::Exchange { .. }
            | Line::Missing { .. }
            | Line::Show { .. }
            | Line::Turned { .. }
            | Line::Paid { .. }
            | Line::Penalty { .. }
            | Line::Decision { .. } => return None,
        ))
    }

    /// The player who acts, if any.
    pub fn actor(&self) -> Option<usize> {
        match self {
            Self::Tsumo { actor, .. }
            | Self::Dahai { actor, .. }
            | Self::Chi { actor, .. }
            | Self::Pon { actor, .. }
            | Self::Daiminkan { actor, .. }
            | Self::Ankan { actor, .. }
            | Self::Kakan { actor, .. }
            | Self::Nukidora { actor, .. }
            | Self::Reach { actor }
            | Self::ReachAccepted { actor, .. }
            | Self::Hora { actor, .. } => Some(*actor),
            Self::Ryukyoku { actor, .. } => *actor,
            _ => None,
        }
    }

    /// True if `other` agrees with this message. Members that `other` leaves out are not compared. Tiles laid
    /// down together may be in any order. Patterns are compared only if `knows` accepts all their names.
    pub(super) fn agrees_with(&self, other: &Self, knows: impl Fn(&str) -> bool) -> bool {
        let (mut mine, theirs) = (self.sorted(), other.sorted());
        match (&mut mine, &theirs) {
            (Self::StartKyoku { scores, .. }, Self::StartKyoku { scores: given, .. }) => {
                leave_out(scores, given)
            }
            (
                Self::Dahai { tsumogiri, .. },
                Self::Dahai {
                    tsumogiri: given, ..
                },
            ) => leave_out(tsumogiri, given),
            (
                Self::ReachAccepted { deltas, scores, .. },
                Self::ReachAccepted {
                    deltas: given_deltas,
                    scores: given_scores,
                    ..
                },
            ) => {
                leave_out(deltas, given_deltas);
                leave_out(scores, given_scores);
            }
            (
                Self::Hora {
                    pai,
                    uradora_markers,
                    ura_markers,
                    hora_tehais,
                    yakus,
                    fu,
                    fan,
                    hora_points,
                    deltas,
                    scores,
                    ..
                },
                Self::Hora {
                    pai: given_pai,
                    uradora_markers: given_uradora,
                    ura_markers: given_ura,
                    hora_tehais: given_tehais,
                    yakus: given_yakus,
                    fu: given_fu,
                    fan: given_fan,
                    hora_points: given_points,
                    deltas: given_deltas,
                    scores: given_scores,
                    ..
                },
            ) => {
                leave_out(pai, given_pai);
                leave_out(uradora_markers, given_uradora);
                leave_out(ura_markers, given_ura);
                leave_out(hora_tehais, given_tehais);
                leave_out(fu, given_fu);
                leave_out(fan, given_fan);
                leave_out(hora_points, given_points);
                leave_out(deltas, given_deltas);
                leave_out(scores, given_scores);
                let known = |list: &Vec<(String, i64)>| list.iter().all(|(id, _)| knows(id));
                if !given_yakus.as_ref().is_some_and(known) {
                    yakus.clone_from(given_yakus);
                }
            }
            (
                Self::Ryukyoku {
                    reason,
                    actor,
                    tehais,
                    tenpais,
                    deltas,
                    scores,
                },
                Self::Ryukyoku {
                    reason: given_reason,
                    actor: given_actor,
                    tehais: given_tehais,
                    tenpais: given_tenpais,
                    deltas: given_deltas,
                    scores: given_scores,
                },
            ) => {
                leave_out(reason, given_reason);
                leave_out(actor, given_actor);
                leave_out(tenpais, given_tenpais);
                leave_out(deltas, given_deltas);
                leave_out(scores, given_scores);
                leave_out(tehais, given_tehais);
                // A hand that either message hides is not compared.
                for (hand, given) in tehais
                    .iter_mut()
                    .flatten()
                    .zip(given_tehais.iter().flatten())
                {
                    let hidden = |tiles: &Vec<String>| tiles.iter().any(|tile| tile == "?");
                    if hidden(hand) || hidden(given) {
                        hand.clone_from(given);
                    }
                }
            }
            _ => {}
        }
        mine == theirs
    }

    /// The message with its patterns and its lists of tiles sorted. An empty list of under-indicators becomes `None`.
    fn sorted(&self) -> Self {
        let mut message = self.clone();
        match &mut message {
            Self::StartKyoku { tehais, .. } => tehais.iter_mut().for_each(|hand| hand.sort()),
            Self::Chi { consumed, .. }
            | Self::Pon { consumed, .. }
            | Self::Daiminkan { consumed, .. }
            | Self::Ankan { consumed, .. }
            | Self::Kakan { consumed, .. } => consumed.sort(),
            Self::Hora {
                hora_tehais,
                yakus,
                uradora_markers,
                ura_markers,
                ..
            } => {
                hora_tehais.iter_mut().for_each(|hand| hand.sort());
                yakus.iter_mut().for_each(|list| list.sort());
                for markers in [uradora_markers, ura_markers] {
                    *markers = markers.take().filter(|markers| !markers.is_empty());
                }
            }
            Self::Ryukyoku { tehais, .. } => {
                tehais.iter_mut().flatten().for_each(|hand| hand.sort());
            }
            _ => {}
        }
        message
    }
}

/// Drops a value that the other message does not give, so that it is not compared.
fn leave_out<T>(mine: &mut Option<T>, given: &Option<T>) {
    if given.is_none() {
        *mine = None;
    }
}

/// The legal action that a message means. `None` if it is not legal. Tiles laid down together may be in any
/// order.
pub fn action(plan: &Plan, view: &View<'_>, legal: &Legal, message: &Message) -> Option<Action> {
    let writer = Writer {
        plan,
        notation: Notation::Mjai,
    };
    if *message == Message::None {
        return legal.contains(Action::Pass).then_some(Action::Pass);
    }
    let find = |message: &Message| {
        legal.iter().find(|&action| {
            let choice = writer.choice(view, action);
            choice.is_some_and(|choice| is_choice(&choice, message))
        })
    };
    match message {
        Message::Dahai {
            actor,
            pai,
            tsumogiri: None,
        } => [true, false].into_iter().find_map(|drawn| {
            find(&Message::Dahai {
                actor: *actor,
                pai: pai.clone(),
                tsumogiri: Some(drawn),
            })
        }),
        _ => find(message),
    }
}

/// Adds the next message of a log to those that a bot has not been told yet.
///
/// In the log an indicator that waits for a discard comes after it. Servers tell it before, so that the discard is what a
/// bot decides about.
pub fn queue(messages: &mut VecDeque<Message>, next: Message) {
    let is_late = matches!(next, Message::Dora { .. })
        && matches!(
            messages.back(),
            Some(Message::Dahai { .. } | Message::Nukidora { .. })
        );
    messages.insert(messages.len() - usize::from(is_late), next);
}

/// The messages of the legal actions, in their order. Actions that mjai has no message for are left out.
/// [`action`] reads each of them.
pub fn possible_actions(plan: &Plan, view: &View<'_>, legal: &Legal) -> Vec<Message> {
    let writer = Writer {
        plan,
        notation: Notation::Mjai,
    };
    let message = |action| Message::plain(plan, &writer.choice(view, action)?);
    legal.iter().filter_map(message).collect()
}

/// True if a message is the event of a legal action.
fn is_choice(choice: &Line, message: &Message) -> bool {
    let same = |mine: &[String], theirs: &[String]| {
        let sorted = |tiles: &[String]| {
            let mut tiles = tiles.to_vec();
            tiles.sort();
            tiles
        };
        sorted(mine) == sorted(theirs)
    };
    match (choice, message) {
        (Line::Reach { .. }, Message::Reach { .. }) => true,
        (Line::Ryukyoku { .. }, Message::Ryukyoku { .. }) => true,
        (Line::Hora(hora), Message::Hora { target: theirs, .. }) => hora.target == *theirs,
        (
            Line::Dahai { pai, tsumogiri, .. },
            Message::Dahai {
                pai: their_pai,
                tsumogiri: theirs,
                ..
            },
        ) => pai == their_pai && Some(*tsumogiri) == *theirs,
        (
            Line::Chi {
                target,
                pai,
                consumed,
                ..
            },
            Message::Chi {
                target: their_target,
                pai: their_pai,
                consumed: theirs,
                ..
            },
        )
        | (
            Line::Pon {
                target,
                pai,
                consumed,
                ..
            },
            Message::Pon {
                target: their_target,
                pai: their_pai,
                consumed: theirs,
                ..
            },
        )
        | (
            Line::Daiminkan {
                target,
                pai,
                consumed,
                ..
            },
            Message::Daiminkan {
                target: their_target,
                pai: their_pai,
                consumed: theirs,
                ..
            },
        ) => target == their_target && pai == their_pai && same(consumed, theirs),
        (
            Line::Ankan { consumed, .. },
            Message::Ankan {
                consumed: theirs, ..
            },
        ) => same(consumed, theirs),
        (Line::Kakan { pai, .. }, Message::Kakan { pai: theirs, .. })
        | (Line::Nukidora { pai, .. }, Message::Nukidora { pai: theirs, .. }) => pai == theirs,
        _ => false,
    }
}
