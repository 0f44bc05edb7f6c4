//! The serialized forms of actions and sets of actions. Where mjai has a word for an action, `type` is that word.

use super::{Action, Legal};
use crate::decompose::ShapeId;
use crate::tile::{Kind, Suit, Tile};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An [`Action`] as an object that `type` tells apart.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Form {
    None,
    Hora,
    Stand,
    Reach,
    Ryukyoku,
    SetAside,
    End,
    Penalty,
    Challenge,
    Daiminkan,
    Pon {
        #[serde(default)]
        reds: u8,
    },
    Chi {
        suit: Suit,
        shape: ShapeId,
        #[serde(default)]
        red: bool,
    },
    JokerPung {
        jokers: u8,
    },
    JokerChow {
        discard: Kind,
        own: Kind,
        joker: Kind,
    },
    TakeJoker {
        meld: u8,
    },
    Ankan {
        kind: Kind,
    },
    Kakan {
        kind: Kind,
    },
    LayPung {
        kind: Kind,
    },
    LayRun {
        suit: Suit,
        shape: ShapeId,
    },
    Exchange {
        kind: Kind,
    },
    Missing {
        suit: Suit,
    },
    Dahai {
        pai: Tile,
        #[serde(default)]
        tsumogiri: bool,
    },
}

impl From<Action> for Form {
    fn from(action: Action) -> Self {
        match action {
            Action::Pass => Self::None,
            Action::Win => Self::Hora,
            Action::Stand => Self::Stand,
            Action::Riichi => Self::Reach,
            Action::NineOrphans => Self::Ryukyoku,
            Action::SetAside => Self::SetAside,
            Action::EndMatch => Self::End,
            Action::FalseWin => Self::Penalty,
            Action::Challenge => Self::Challenge,
            Action::ClaimKong => Self::Daiminkan,
            Action::Pung { reds } => Self::Pon { reds },
            Action::Chow { suit, shape, red } => Self::Chi { suit, shape, red },
            Action::JokerPung { jokers } => Self::JokerPung { jokers },
            Action::JokerChow {
                discard,
                own,
                joker,
            } => Self::JokerChow {
                discard,
                own,
                joker,
            },
            Action::TakeJoker { meld } => Self::TakeJoker { meld },
            Action::ConcealedKong(kind) => Self::Ankan { kind },
            Action::AddedKong(kind) => Self::Kakan { kind },
            Action::LayPung(kind) => Self::LayPung { kind },
            Action::LayRun { suit, shape } => Self::LayRun { suit, shape },
            Action::Exchange(kind) => Self::Exchange { kind },
            Action::Missing(suit) => Self::Missing { suit },
            Action::Discard { tile, drawn } => Self::Dahai {
                pai: tile,
                tsumogiri: drawn,
            },
        }
    }
}

impl From<Form> for Action {
    fn from(form: Form) -> Self {
        match form {
            Form::None => Self::Pass,
            Form::Hora => Self::Win,
            Form::Stand => Self::Stand,
            Form::Reach => Self::Riichi,
            Form::Ryukyoku => Self::NineOrphans,
            Form::SetAside => Self::SetAside,
            Form::End => Self::EndMatch,
            Form::Penalty => Self::FalseWin,
            Form::Challenge => Self::Challenge,
            Form::Daiminkan => Self::ClaimKong,
            Form::Pon { reds } => Self::Pung { reds },
            Form::Chi { suit, shape, red } => Self::Chow { suit, shape, red },
            Form::JokerPung { jokers } => Self::JokerPung { jokers },
            Form::JokerChow {
                discard,
                own,
                joker,
            } => Self::JokerChow {
                discard,
                own,
                joker,
            },
            Form::TakeJoker { meld } => Self::TakeJoker { meld },
            Form::Ankan { kind } => Self::ConcealedKong(kind),
            Form::Kakan { kind } => Self::AddedKong(kind),
            Form::LayPung { kind } => Self::LayPung(kind),
            Form::LayRun { suit, shape } => Self::LayRun { suit, shape },
            Form::Exchange { kind } => Self::Exchange(kind),
            Form::Missing { suit } => Self::Missing(suit),
            Form::Dahai { pai, tsumogiri } => Self::Discard {
                tile: pai,
                drawn: tsumogiri,
            },
        }
    }
}

/// A [`Legal`] on a wire: whether the seat is on turn, and each action.
#[derive(Serialize, Deserialize)]
struct Actions {
    on_turn: bool,
    actions: Vec<Action>,
}

impl Serialize for Legal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = Actions {
            on_turn: self.on_turn,
            actions: self.iter().collect(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Legal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Actions { on_turn, actions } = Actions::deserialize(deserializer)?;
        let mut legal = Self::default();
        legal.on_turn = on_turn;
        for action in actions {
            if !legal.insert(action) {
                let fault = format!("{action:?} cannot be among these actions");
                return Err(serde::de::Error::custom(fault));
            }
        }
        Ok(legal)
    }
}
