//! The serialized forms of actions and sets of actions. Where mjai has a word for an action, `type` is that word.

use super::{Action, Legal};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes what an action names as an object with one member, beside which its `type` has a place.
macro_rules! as_member {
    ($name:ident: $type:ty) => {
        pub(super) mod $name {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            #[derive(Serialize, Deserialize)]
            struct Member {
                $name: $type,
            }

            pub(in super::super) fn serialize<S: Serializer>(
                $name: &$type,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                Member { $name: *$name }.serialize(serializer)
            }

            pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<$type, D::Error> {
                Member::deserialize(deserializer).map(|member| member.$name)
            }
        }
    };
}

as_member!(kind: crate::tile::Kind);
as_member!(suit: crate::tile::Suit);

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
