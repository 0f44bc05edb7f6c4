//! The forms of values on a wire or a disk, with the feature `serde`. Everything else that a server keeps or sends is made
//! of these by the names of its fields.
//!
//! | value | form | example |
//! | --- | --- | --- |
//! | [`Tile`], [`Kind`], [`Flower`], [`Group`] | `ujmj` notation | `"5t"`, a red five `"Rt"`, `"123m"`; see [`Notation`](crate::Notation) |
//! | [`Seat`], [`Wind`], [`Suit`] | its letter | `"E"`, `"t"` |
//! | [`Player`] | its number, from 0 | `2` |
//! | [`Seed`](crate::Seed) | a number below 2^53, or 64 hexadecimal digits | `7` |
//! | sets of kinds, flowers, seats and [`Counts`] | lists of their members | `["1t", "1t", "E"]` |
//! | [`BySeat`] | a list from East on | `[25000, 25000]` |
//! | [`Hand`] | its parts | `{"concealed": ["1t"], "melds": [], "flowers": []}` |
//! | [`Action`](crate::state::Action) | the words of the log | `"dahai 5t tsumogiri"`, `"chi 456t"` |
//! | [`Legal`](crate::state::Legal) | a list of actions | `["none", "pon 555t"]` |
//! | [`Event`](crate::state::Event) | an object whose `type` is the word of the log | `{"type": "dahai", "seat": "E", "tile": "5t", "drawn": true}` |
//! | [`Moves`](crate::game::Moves) | the seed, the hash of the rules, pairs of seat and action | `{"game_seed": 7, "rules_hash": "…", "decisions": [["E", "dahai 5t"]]}` |
//! | [`Options`](crate::ruleset::Options) | written only: an object; read as [`OptionMap`](crate::ruleset::OptionMap) | `{"rounds": 4}` |
//!
//! Text formats such as JSON get these forms. Binary formats such as MessagePack, CBOR, postcard and bincode get the same
//! values: with every field, with variants by name or number in place of `type`, and with seeds as hexadecimal digits. A
//! binary form is for programs with the same version of this crate, because a new field changes it. Values that must
//! outlive a version belong in JSON.
//!
//! Answers of the [`protocol`](crate::protocol) are JSON, and its values need a format that says what it holds. Inside a
//! type with the serde attributes `untagged`, `tag` or `flatten`, serde reads every format like a text format. Such a type
//! cannot hold actions, events, log lines, numbers or options in a binary format: to read it is an error.
//!
//! Numbers of points are in the least unit of the ruleset. What does not stand in an object has its default.

use crate::counts::Counts;
use crate::forms::two_forms;
use crate::hand::{Hand, MAX_MELDS};
use crate::list::List;
use crate::meld::{Group, Meld};
use crate::seat::{BySeat, MAX_PLAYERS, Player, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::text::{as_list, as_text};
use crate::tile::{Flower, Kind, Suit, Tile, Wind};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

as_text! {
    Tile: "a tile in ujmj notation",
    Kind: "a tile in ujmj notation, neither a red five nor a flower",
    Flower: "a flower, one of h i j k o p q r g l n u v w y z",
    Group: "two to six tiles of one group in ujmj notation",
    Seat: "a seat, one of E S W N 5 6",
    Wind: "a wind, one of E S W N",
    Suit: "a suit, one of t s m",
}

as_list! {
    KindSet: Kind, "a list of kinds",
    FlowerSet: Flower, "a list of flowers",
    SeatSet: Seat, "a list of seats",
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.index() as u64)
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = usize::deserialize(deserializer)?;
        Self::new(index).ok_or_else(|| D::Error::custom(format!("there is no player {index}")))
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.iter().collect::<Vec<Kind>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counts = Self::EMPTY;
        for kind in Vec::<Kind>::deserialize(deserializer)? {
            if !counts.try_add(kind) {
                return Err(D::Error::custom(format!("too many {kind}")));
            }
        }
        Ok(counts)
    }
}

/// Reads a list of a bounded length into places that begin with their default.
struct Items<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default, const N: usize> Visitor<'de> for Items<T, N> {
    type Value = ([T; N], usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {N}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = std::array::from_fn(|_| T::default());
        let mut len = 0;
        while let Some(item) = list.next_element()? {
            let place = items.get_mut(len);
            *place.ok_or_else(|| A::Error::invalid_length(N + 1, &self))? = item;
            len += 1;
        }
        Ok((items, len))
    }
}

impl<T: Serialize> Serialize for BySeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.as_slice())
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for BySeat<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Items::<T, MAX_PLAYERS>(PhantomData);
        let (values, _) = deserializer.deserialize_seq(items)?;
        let mut values = values.into_iter();
        Ok(Self::from_fn(|_| values.next().unwrap_or_default()))
    }
}

impl<T: Serialize + Copy, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (items, len) = deserializer.deserialize_seq(Items::<T, N>(PhantomData))?;
        Ok(List::of(items, len))
    }
}

two_forms! {
    /// A hand by its parts.
    struct Parts {
        concealed: Vec<Tile>,
        #[serde(default)]
        melds: List<Meld, MAX_MELDS>,
        #[serde(default)]
        flowers: Vec<Flower>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        set_aside: Vec<Kind>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        dead: bool,
    }
}

impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = Parts {
            concealed: self.tiles().collect(),
            melds: self.melds,
            flowers: self.aside.flowers().iter().collect(),
            set_aside: self.aside.kinds().collect(),
            dead: self.dead,
        };
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        let kinds = parts.set_aside.into_iter().map(Tile::from);
        let flowers = parts.flowers.into_iter().map(Tile::flower);
        let aside: Vec<Tile> = kinds.chain(flowers).collect();
        let mut hand =
            Self::of_any_set(&parts.concealed, &parts.melds, &aside).map_err(D::Error::custom)?;
        hand.dead = parts.dead;
        Ok(hand)
    }
}
