//! [`Action`]: what a seat does.

use crate::decompose::{Grammar, ShapeId};
use crate::forms::two_forms;
use crate::meld::Group;
use crate::tile::{Kind, Suit, Tile};

two_forms! {
    #[serde(tag = "type", rename_all = "snake_case")]
    /// What a seat does when it must decide.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[non_exhaustive]
    pub enum Action {
        /// Claim nothing.
        #[serde(rename = "none")]
        Pass,
        /// Win with a tile that was drawn, discarded, robbed or laid down as a flower.
        #[serde(rename = "hora")]
        Win,
        /// Announce a standing hand. The first discard comes with it.
        Stand,
        /// Declare riichi. The next discard comes with it.
        #[serde(rename = "reach")]
        Riichi,
        /// Declare a draw because of nine different orphans in the first turn.
        #[serde(rename = "ryukyoku")]
        NineOrphans,
        /// Set a tile aside, for a replacement.
        SetAside,
        /// End the match after the last deal, as a leading dealer may. To pass is to play on.
        #[serde(rename = "end")]
        EndMatch,
        /// Declare a win without a winning hand. It costs a penalty.
        #[serde(rename = "penalty")]
        FalseWin,
        /// Demand to see a kong that lies face down.
        Challenge,
        /// Claim a discard for a kong.
        #[serde(rename = "daiminkan")]
        ClaimKong,
        /// Claim a discard for a pung.
        #[serde(rename = "pon")]
        Pung {
            /// How many of the two tiles beside it are red fives.
            #[serde(default)]
            reds: u8,
        },
        /// Claim a discard for a run of this shape and suit.
        #[serde(rename = "chi")]
        Chow {
            /// The suit of the run.
            suit: Suit,
            /// The number of the run in the grammar.
            shape: ShapeId,
            /// True when the five beside the claimed tile is a red five.
            #[serde(default)]
            red: bool,
        },
        /// Claim a discard for a pung with jokers.
        JokerPung {
            /// How many of the two tiles beside it are jokers: 1 or 2.
            jokers: u8,
        },
        /// Claim a discard for three ranks in a row, one of them a joker.
        JokerChow {
            /// The discard.
            discard: Kind,
            /// The tile beside it.
            own: Kind,
            /// What the joker stands for.
            joker: Kind,
        },
        /// Declare a concealed kong of four concealed tiles.
        #[serde(rename = "ankan", with = "super::wire::kind")]
        ConcealedKong(Kind),
        /// Add a fourth tile to a pung on the table.
        #[serde(rename = "kakan", with = "super::wire::kind")]
        AddedKong(Kind),
        /// Put a concealed tile in the place of a joker in a meld of one's own, and take the joker.
        TakeJoker {
            /// The index of the meld.
            meld: u8,
        },
        /// Lay three concealed tiles down as a concealed pung.
        #[serde(with = "super::wire::kind")]
        LayPung(Kind),
        /// Lay three concealed tiles down as a concealed run.
        LayRun {
            /// The suit of the run.
            suit: Suit,
            /// The number of the run in the grammar.
            shape: ShapeId,
        },
        /// Choose a tile to exchange before the first turn. A seat chooses its tiles one after another, in tile order.
        #[serde(with = "super::wire::kind")]
        Exchange(Kind),
        /// Declare the suit that the hand will do without.
        #[serde(with = "super::wire::suit")]
        Missing(Suit),
        /// Discard a tile.
        #[serde(rename = "dahai")]
        Discard {
            /// The tile.
            #[serde(rename = "pai")]
            tile: Tile,
            /// True for the tile just drawn, false for a like tile that was held before.
            #[serde(rename = "tsumogiri", default)]
            drawn: bool,
        },
    }
}

const _: () = assert!(size_of::<Action>() <= 4);

impl Action {
    /// The group, and the places of its jokers, that a discard is claimed for. `None` for other actions.
    pub(crate) fn claimed(&self, discard: Kind, grammar: &Grammar) -> Option<(Group, u8)> {
        match *self {
            Self::Pung { .. } => Some((Group::pung(discard), 0)),
            Self::ClaimKong => Some((Group::kong(discard), 0)),
            Self::Chow { suit, shape, .. } => {
                let (_, shape) = grammar.shapes().nth(ShapeId::index(shape))?;
                Some((shape.group(suit), 0))
            }
            Self::JokerPung {
                jokers: jokers @ (1 | 2),
            } => Some((Group::pung(discard), (1 << jokers) - 1)),
            Self::JokerChow {
                discard,
                own,
                joker,
            } => {
                let group = Group::of(&[discard, own, joker])?;
                let place = group.tiles().position(|kind| kind == joker)?;
                Some((group, 1 << place))
            }
            _ => None,
        }
    }

    /// The action in words. Only the grammar can name the tiles of a run.
    pub fn describe(&self, grammar: &Grammar) -> String {
        let run = |suit, shape| match grammar.shapes().nth(ShapeId::index(shape)) {
            Some((_, shape)) => shape.group(suit).to_string(),
            None => "an unknown run".to_owned(),
        };
        match *self {
            Self::Pass => "pass".to_owned(),
            Self::Win => "win".to_owned(),
            Self::Stand => "announce a standing hand".to_owned(),
            Self::Riichi => "declare riichi".to_owned(),
            Self::NineOrphans => "declare a draw with nine orphans".to_owned(),
            Self::SetAside => "set a tile aside".to_owned(),
            Self::EndMatch => "end the match".to_owned(),
            Self::FalseWin => "declare a false win".to_owned(),
            Self::Challenge => "challenge".to_owned(),
            Self::ClaimKong => "claim a kong".to_owned(),
            Self::Pung { reds: 0 } => "claim a pung".to_owned(),
            Self::Pung { .. } => "claim a pung with a red five".to_owned(),
            Self::Chow { suit, shape, red } => {
                let with = if red { " with a red five" } else { "" };
                format!("claim {}{with}", run(suit, shape))
            }
            Self::JokerPung { jokers: 1 } => "claim a pung with a joker".to_owned(),
            Self::JokerPung { jokers } => format!("claim a pung with {jokers} jokers"),
            Self::JokerChow {
                discard,
                own,
                joker,
            } => match Group::of(&[discard, own, joker]) {
                Some(run) => format!("claim {run} with a joker as {joker}"),
                None => "claim an unknown run with a joker".to_owned(),
            },
            Self::TakeJoker { meld } => {
                format!("take a joker out of meld {}", u16::from(meld) + 1)
            }
            Self::ConcealedKong(kind) => format!("kong of {}", Tile::plain(kind)),
            Self::AddedKong(kind) => format!("add {} to a pung", Tile::plain(kind)),
            Self::LayPung(kind) => format!("lay down three {}", Tile::plain(kind)),
            Self::LayRun { suit, shape } => format!("lay down {}", run(suit, shape)),
            Self::Exchange(kind) => format!("exchange {}", Tile::plain(kind)),
            Self::Missing(suit) => format!("do without {}", suit.name()),
            Self::Discard { tile, drawn: true } => format!("discard {tile}, just drawn"),
            Self::Discard { tile, drawn: false } => format!("discard {tile}"),
        }
    }
}
