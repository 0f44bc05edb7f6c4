//! Converts records of the server Tenhou (`mjlog`, an XML text) to plain mjai.
//!
//! With the feature `xml`, `tags` reads the text. Without it the caller makes [`Tag`]s of it. The bits of `GO` encode the server's rules ([`options`]), for four players or for three. With three players
//! the fourth entry of each list is empty or 0. A north that is set aside is a separate meld (`N`). A winner's dora include
//! the norths set aside.

#[cfg(feature = "xml")]
mod xml;

#[cfg(feature = "xml")]
pub use xml::{XmlError, tags};

use super::mjai::Message;
use crate::notation::Notation;
use crate::ruleset::OptionValue;
use crate::tile::{Kind, Rank, Suit, Tile, Wind};

/// A tag of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tag {
    /// Name of the tag.
    pub name: String,
    /// Names and values of the attributes.
    pub attributes: Vec<(String, String)>,
}

/// The record cannot be read.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("{fault}")]
#[non_exhaustive]
pub struct MjlogError {
    /// Index of the tag, from 0.
    pub tag: usize,
    /// What is wrong.
    pub fault: MjlogFault,
}

/// What is wrong with a tag.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MjlogFault {
    /// The tag does not have an attribute that it needs.
    #[error("`{tag}` has no `{attribute}`")]
    Missing {
        /// The name of the tag.
        tag: String,
        /// The attribute.
        attribute: String,
    },
    /// The value of an attribute is not a list of numbers.
    #[error("`{attribute}` is not a list of numbers: {found}")]
    NotNumbers {
        /// The attribute.
        attribute: String,
        /// Its value.
        found: String,
    },
    /// The list of an attribute has the wrong length.
    #[error("`{attribute}` must have {want}")]
    Length {
        /// The attribute.
        attribute: &'static str,
        /// How many numbers it must have.
        want: &'static str,
    },
    /// A number is below 0.
    #[error("`{attribute}` has a number below 0")]
    Negative {
        /// The attribute.
        attribute: &'static str,
    },
    /// The value of an attribute is not the number of a player.
    #[error("`{attribute}` is no player")]
    NoPlayer {
        /// The attribute.
        attribute: String,
    },
    /// A number does not encode a tile.
    #[error("{id} is not a tile")]
    NoTile {
        /// The number.
        id: u32,
    },
    /// A number does not encode a meld.
    #[error("`m` is not a meld")]
    NoMeld,
    /// A tile is set aside in a match of four players.
    #[error("a tile is set aside in a match of four players")]
    SetAside,
    /// The number of a pattern is unknown.
    #[error("unknown pattern")]
    UnknownPattern,
    /// The type of a draw is unknown.
    #[error("unknown draw `{found}`")]
    UnknownDraw {
        /// The type.
        found: String,
    },
}

/// A match, converted from a record.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Mjlog {
    /// 4, or 3 for `riichi-sanma`.
    pub players: usize,
    /// The rules of the match, as options of `riichi-tenhou` or `riichi-sanma`.
    pub options: Vec<(String, OptionValue)>,
    /// The messages of the match.
    pub messages: Vec<Message>,
    /// For each message, the index of its tag.
    pub tags: Vec<usize>,
}

/// The attributes with the players' tiles.
const HANDS: [&str; 4] = ["hai0", "hai1", "hai2", "hai3"];

/// The largest number that is accepted, so that sums cannot overflow.
const MOST: f64 = 1e9;

/// Pattern ids by the server's numbers.
const PATTERNS: [&str; 55] = [
    "concealed-self-pick",
    "riichi",
    "ippatsu",
    "robbed-kan",
    "win-off-a-kan-replacement",
    "last-tile-self-pick",
    "last-tile-discard",
    "pinfu",
    "all-simples",
    "identical-chiis",
    "seat-wind",
    "seat-wind",
    "seat-wind",
    "seat-wind",
    "round-wind",
    "round-wind",
    "round-wind",
    "round-wind",
    "white-dragon",
    "green-dragon",
    "red-dragon",
    "double-riichi",
    "seven-pairs",
    "outside-hand",
    "full-straight",
    "mixed-chiis",
    "mixed-pons",
    "three-kans",
    "all-pons",
    "three-concealed-pons",
    "little-three-dragons",
    "all-terminals-and-honors",
    "double-identical-chiis",
    "pure-outside-hand",
    "half-flush",
    "full-flush",
    "gift-of-man",
    "gift-of-heaven",
    "gift-of-earth",
    "big-three-dragons",
    "four-concealed-pons",
    "pair-wait-on-four-concealed-pons",
    "all-honors",
    "perfect-green",
    "all-terminals",
    "nine-gates",
    "pure-nine-gates",
    "thirteen-orphans",
    "thirteen-way-thirteen-orphans",
    "big-four-winds",
    "little-four-winds",
    "four-kans",
    "dora",
    "ura-dora",
    "red-five",
];

/// The bit of `GO` for three players.
const OF_THREE: u32 = 16;

/// The rules that the bits of `GO` encode, as options of `riichi-tenhou`, or of `riichi-sanma` for three players.
pub fn options(bits: u32) -> Vec<(String, OptionValue)> {
    let reds = if bits & 2 == 0 { 1 } else { 0 };
    let rounds = if bits & 8 == 0 { 1 } else { 2 };
    vec![
        match bits & OF_THREE {
            0 => ("red-fives".to_owned(), OptionValue::Ints(vec![reds; 3])),
            _ => ("reds".to_owned(), reds.into()),
        },
        ("open-all-simples".to_owned(), (bits & 4 == 0).into()),
        ("rounds".to_owned(), rounds.into()),
    ]
}

/// Converts the tags of a record into plain mjai.
///
/// # Errors
/// [`MjlogError`] for the first tag that cannot be read.
pub fn read(tags: &[Tag]) -> Result<Mjlog, MjlogError> {
    let mut reader = Reader {
        log: Mjlog {
            players: 4,
            options: options(9),
            messages: Vec::new(),
            tags: Vec::new(),
        },
        at: 0,
        red: true,
        drawn: None,
        discarded_by: 0,
        norths: [0; 4],
        turned: Vec::new(),
        ended: false,
    };
    for (at, tag) in tags.iter().enumerate() {
        reader.at = at;
        reader.tag(tag)?;
    }
    reader.end_kyoku();
    Ok(reader.log)
}

struct Reader {
    log: Mjlog,
    at: usize,
    red: bool,
    /// The player who drew last, and the tile, until this player discards or declares a meld.
    drawn: Option<(usize, u32)>,
    /// The player who discarded last.
    discarded_by: usize,
    /// How many norths each player has set aside.
    norths: [i64; 4],
    /// Indicators that are turned after the next discard.
    turned: Vec<Message>,
    /// True once the deal has a result.
    ended: bool,
}

/// A meld that the server packed into a number.
struct Packed {
    /// Seats from the claimer to the giver of the claimed tile, in turn order. 0 for a concealed kong.
    from: usize,
    /// The tiles. The claimed or added tile comes first.
    tiles: Vec<u32>,
    kind: PackedKind,
}

enum PackedKind {
    Chi,
    Pon,
    AddedKan,
    ClaimedKan,
    ConcealedKan,
    SetAside,
}

fn unpack(m: u32) -> Packed {
    let from = (m & 3) as usize;
    let first_of = |mut tiles: Vec<u32>, place: usize| {
        let tile = tiles.remove(place);
        tiles.insert(0, tile);
        tiles
    };
    if m & 4 != 0 {
        let pattern = m >> 10;
        let (base, place) = (pattern / 3, (pattern % 3) as usize);
        let base = base / 7 * 9 + base % 7;
        let tiles = (0..3)
            .map(|i| 4 * (base + i) + (m >> (3 + 2 * i) & 3))
            .collect();
        return Packed {
            from,
            tiles: first_of(tiles, place),
            kind: PackedKind::Chi,
        };
    }
    if m & 0x18 != 0 {
        let pattern = m >> 9;
        let (base, place) = (pattern / 3, (pattern % 3) as usize);
        let unused = m >> 5 & 3;
        let pung: Vec<u32> = (0..4)
            .filter(|i| *i != unused)
            .map(|i| 4 * base + i)
            .collect();
        let pung = first_of(pung, place);
        if m & 0x08 != 0 {
            return Packed {
                from,
                tiles: pung,
                kind: PackedKind::Pon,
            };
        }
        let mut tiles = vec![4 * base + unused];
        tiles.extend(pung);
        return Packed {
            from,
            tiles,
            kind: PackedKind::AddedKan,
        };
    }
    let tile = m >> 8;
    if m & 0x20 != 0 {
        return Packed {
            from,
            tiles: vec![tile],
            kind: PackedKind::SetAside,
        };
    }
    let tiles = (0..4).map(|i| tile / 4 * 4 + i).collect();
    Packed {
        from,
        tiles: first_of(tiles, (tile % 4) as usize),
        kind: if from == 0 {
            PackedKind::ConcealedKan
        } else {
            PackedKind::ClaimedKan
        },
    }
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Reader {
    fn fail<T>(&self, fault: MjlogFault) -> Result<T, MjlogError> {
        Err(MjlogError {
            tag: self.at,
            fault,
        })
    }

    fn push(&mut self, message: Message) {
        self.log.messages.push(message);
        self.log.tags.push(self.at);
    }

    fn numbers(&self, tag: &Tag, name: &str) -> Result<Vec<i64>, MjlogError> {
        let Some(text) = tag.get(name) else {
            return self.fail(MjlogFault::Missing {
                tag: tag.name.clone(),
                attribute: name.to_owned(),
            });
        };
        if text.is_empty() {
            return Ok(Vec::new());
        }
        // Only the final results have decimals. They are dropped.
        let has_decimals = name == "owari";
        let whole = |part: &str| {
            let number: f64 = part.trim().parse().ok()?;
            let fits = number.abs() <= MOST && (has_decimals || number.fract() == 0.0);
            fits.then_some(number as i64)
        };
        match text.split(',').map(whole).collect() {
            Some(numbers) => Ok(numbers),
            None => self.fail(MjlogFault::NotNumbers {
                attribute: name.to_owned(),
                found: text.to_owned(),
            }),
        }
    }

    fn player(&self, tag: &Tag, name: &str) -> Result<usize, MjlogError> {
        match self.numbers(tag, name)?[..] {
            [player] if (0..self.log.players as i64).contains(&player) => Ok(player as usize),
            _ => self.fail(MjlogFault::NoPlayer {
                attribute: name.to_owned(),
            }),
        }
    }

    fn tile(&self, id: u32) -> Result<String, MjlogError> {
        let (kind, copy) = (id / 4, id % 4);
        let tile = match (kind, kind / 9) {
            (0..=26, suit) => {
                // The server orders suits as characters, circles, bamboos.
                let suit = [Suit::Characters, Suit::Circles, Suit::Bamboos][suit as usize];
                let rank = Rank::new((kind % 9 + 1) as u8);
                let red = self.red && kind % 9 == 4 && copy == 0;
                match rank {
                    Some(_) if red => Tile::red_five(suit),
                    Some(rank) => Tile::plain(Kind::number(suit, rank)),
                    None => return self.fail(MjlogFault::NoTile { id }),
                }
            }
            (27..=30, _) => Tile::plain(Wind::ALL[kind as usize - 27].kind()),
            (31..=33, _) => Tile::plain([Kind::WHITE, Kind::GREEN, Kind::RED][kind as usize - 31]),
            _ => return self.fail(MjlogFault::NoTile { id }),
        };
        Ok(Notation::Mjai.print_one(tile))
    }

    fn tiles(&self, ids: impl IntoIterator<Item = u32>) -> Result<Vec<String>, MjlogError> {
        ids.into_iter().map(|id| self.tile(id)).collect()
    }

    fn tiles_of(&self, tag: &Tag, name: &str) -> Result<Vec<String>, MjlogError> {
        let numbers = self.numbers(tag, name)?;
        self.tiles(
            numbers
                .into_iter()
                .map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
        )
    }

    fn end_kyoku(&mut self) {
        if std::mem::take(&mut self.ended) {
            // The tag that ends the last deal also ends the match, so `EndGame` may be there already.
            let game_ends = matches!(self.log.messages.last(), Some(Message::EndGame { .. }));
            let place = self.log.messages.len() - usize::from(game_ends);
            self.log.messages.insert(place, Message::EndKyoku);
            self.log.tags.insert(place, self.at.saturating_sub(1));
        }
    }

    fn tag(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        match tag.name.as_str() {
            "GO" => {
                let bits = self.numbers(tag, "type")?.first().copied().unwrap_or(9);
                let bits = bits as u32;
                self.log.players = if bits & OF_THREE == 0 { 4 } else { 3 };
                self.red = bits & 2 == 0;
                self.log.options = options(bits);
                Ok(())
            }
            "TAIKYOKU" => {
                self.push(Message::StartGame {
                    names: vec![String::new(); self.log.players],
                    id: None,
                    ruleset: None,
                    options: None,
                    red_fives: None,
                });
                Ok(())
            }
            "INIT" => self.init(tag),
            "N" => self.meld(tag),
            "DORA" => self.dora(tag),
            "REACH" => self.reach(tag),
            "AGARI" => self.win(tag),
            "RYUUKYOKU" => self.draw(tag),
            name => match draw_or_discard(name) {
                Some((player, true, id)) => {
                    self.drawn = Some((player, id));
                    let pai = self.tile(id)?;
                    self.push(Message::Tsumo { actor: player, pai });
                    Ok(())
                }
                Some((player, false, id)) => self.discard(player, id),
                // Names, connections and the seed of the server's shuffle: nothing to convert.
                None => Ok(()),
            },
        }
    }

    fn init(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        self.end_kyoku();
        let seed = self.numbers(tag, "seed")?;
        let &[round, honba, kyotaku, _, _, marker] = &seed[..] else {
            return self.fail(MjlogFault::Length {
                attribute: "seed",
                want: "six numbers",
            });
        };
        let counted = |n: i64| match u32::try_from(n) {
            Ok(n) => Ok(n),
            Err(_) => self.fail(MjlogFault::Negative { attribute: "seed" }),
        };
        let oya = self.player(tag, "oya")?;
        let mut tehais = Vec::new();
        for name in &HANDS[..self.log.players] {
            tehais.push(self.tiles_of(tag, name)?);
        }
        let scores = self.points(tag)?;
        let message = Message::StartKyoku {
            bakaze: ['E', 'S', 'W', 'N'][round.rem_euclid(16) as usize / 4],
            kyoku: round.rem_euclid(4) as usize + 1,
            honba: counted(honba)?,
            kyotaku: counted(kyotaku)?,
            oya,
            scores: Some(scores),
            dora_marker: self.tile(counted(marker)?)?,
            tehais,
        };
        self.drawn = None;
        self.norths = [0; 4];
        self.turned.clear();
        self.push(message);
        Ok(())
    }

    fn discard(&mut self, actor: usize, id: u32) -> Result<(), MjlogError> {
        let tsumogiri = self.drawn.take() == Some((actor, id));
        self.discarded_by = actor;
        let pai = self.tile(id)?;
        self.push(Message::Dahai {
            actor,
            pai,
            tsumogiri: Some(tsumogiri),
        });
        self.turn_indicators();
        Ok(())
    }

    /// Turns the delayed indicators.
    fn turn_indicators(&mut self) {
        for dora in std::mem::take(&mut self.turned) {
            self.push(dora);
        }
    }

    /// The points of the players.
    fn points(&self, tag: &Tag) -> Result<Vec<i64>, MjlogError> {
        let points = self.numbers(tag, "ten")?;
        let of_players = points.iter().take(self.log.players);
        Ok(of_players.map(|points| points * 100).collect())
    }

    fn meld(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        let actor = self.player(tag, "who")?;
        let m = match self.numbers(tag, "m")?[..] {
            [m] => u16::try_from(m).ok(),
            _ => None,
        };
        let Some(m) = m else {
            return self.fail(MjlogFault::NoMeld);
        };
        let packed = unpack(u32::from(m));
        // With three players the distance between seats may include the empty seat.
        let target = match self.log.players {
            3 => self.discarded_by,
            players => (actor + packed.from) % players,
        };
        let mut tiles = self.tiles(packed.tiles)?;
        let pai = tiles.remove(0);
        let consumed = tiles;
        self.push(match packed.kind {
            PackedKind::Chi => Message::Chi {
                actor,
                target,
                pai,
                consumed,
            },
            PackedKind::Pon => Message::Pon {
                actor,
                target,
                pai,
                consumed,
            },
            PackedKind::ClaimedKan => Message::Daiminkan {
                actor,
                target,
                pai,
                consumed,
            },
            PackedKind::AddedKan => Message::Kakan {
                actor,
                pai,
                consumed,
            },
            PackedKind::ConcealedKan => Message::Ankan {
                actor,
                consumed: [vec![pai], consumed].concat(),
            },
            PackedKind::SetAside if self.log.players == 3 => Message::Nukidora { actor, pai },
            PackedKind::SetAside => return self.fail(MjlogFault::SetAside),
        });
        if let Some(Message::Nukidora { .. }) = self.log.messages.last() {
            self.norths[actor] += 1;
            self.turn_indicators();
        }
        self.drawn = None;
        Ok(())
    }

    fn dora(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        let markers = self.tiles_of(tag, "hai")?;
        for dora_marker in markers {
            let message = Message::Dora { dora_marker };
            // If the player has drawn, the indicator is turned after his discard.
            if self.drawn.is_some() {
                self.turned.push(message);
            } else {
                self.push(message);
            }
        }
        Ok(())
    }

    fn reach(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        let actor = self.player(tag, "who")?;
        match tag.get("step") {
            Some("1") => self.push(Message::Reach { actor }),
            _ => {
                let scores = match tag.get("ten") {
                    Some(_) => Some(self.points(tag)?),
                    None => None,
                };
                self.push(Message::ReachAccepted {
                    actor,
                    deltas: None,
                    scores,
                });
            }
        }
        Ok(())
    }

    /// The change of each player's total, and the total after it.
    fn changes(&self, tag: &Tag) -> Result<(Vec<i64>, Vec<i64>), MjlogError> {
        let numbers = self.numbers(tag, "sc")?;
        let players = self.log.players;
        let pairs = numbers.chunks_exact(2).take(players);
        let deltas: Vec<i64> = pairs.clone().map(|pair| pair[1] * 100).collect();
        let scores = pairs.map(|pair| (pair[0] + pair[1]) * 100).collect();
        if deltas.len() != players {
            return self.fail(MjlogFault::Length {
                attribute: "sc",
                want: "two numbers for each player",
            });
        }
        Ok((deltas, scores))
    }

    fn win(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        let (actor, target) = (self.player(tag, "who")?, self.player(tag, "fromWho")?);
        let (deltas, scores) = self.changes(tag)?;
        let ten = self.numbers(tag, "ten")?;
        let &[fu, points, _] = &ten[..] else {
            return self.fail(MjlogFault::Length {
                attribute: "ten",
                want: "three numbers",
            });
        };
        let mut yakus = Vec::new();
        let mut name = |number: i64, value: i64| {
            let id = usize::try_from(number).ok().and_then(|n| PATTERNS.get(n));
            // The server also lists patterns of value 0.
            if let (Some(id), true) = (id, value > 0) {
                yakus.push(((*id).to_owned(), value));
            }
            id.is_some()
        };
        let limits = tag.get("yakuman").is_some();
        let known = if limits {
            self.numbers(tag, "yakuman")?
                .into_iter()
                .all(|number| name(number, 1))
        } else {
            let list = self.numbers(tag, "yaku")?;
            list.chunks_exact(2).all(|pair| name(pair[0], pair[1]))
        };
        if !known {
            return self.fail(MjlogFault::UnknownPattern);
        }
        let mut hand = self.tiles_of(tag, "hai")?;
        let pai = self.tiles_of(tag, "machi")?.pop();
        let place = hand.iter().position(|tile| Some(tile) == pai.as_ref());
        if let (Some(place), 2) = (place, hand.len() % 3) {
            hand.remove(place);
        }
        let under = match tag.get("doraHaiUra") {
            Some(_) => Some(self.tiles_of(tag, "doraHaiUra")?),
            None => None,
        };
        let han = yakus.iter().map(|(_, value)| value).sum();
        self.tell_norths(&mut yakus, actor);
        self.push(Message::Hora {
            actor,
            target,
            pai,
            uradora_markers: under.clone(),
            ura_markers: under,
            hora_tehais: Some(hand),
            yakus: Some(yakus),
            fu: Some(if limits { 0 } else { fu }),
            fan: Some(if limits { 0 } else { han }),
            hora_points: Some(points),
            deltas: Some(deltas),
            scores: Some(scores),
        });
        self.ended = true;
        self.end(tag)
    }

    /// Separates the norths that the winner has set aside from other dora. The server counts both together.
    fn tell_norths(&self, yakus: &mut Vec<(String, i64)>, winner: usize) {
        let norths = self.norths[winner];
        let dora = yakus.iter().position(|(id, _)| id == "dora");
        if let (Some(place), true) = (dora, norths > 0) {
            yakus[place].1 -= norths;
            yakus.push(("north-set-aside".to_owned(), norths));
            yakus.retain(|(_, value)| *value > 0);
        }
    }

    fn draw(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        if tag.get("sc").is_none() {
            // The server broke the match off because everybody had left. This deal has no result.
            return Ok(());
        }
        let (deltas, scores) = self.changes(tag)?;
        let reason = match tag.get("type") {
            None => "fanpai",
            Some("nm") => "nagashimangan",
            Some("yao9") => "kyushukyuhai",
            Some("kaze4") => "sufonrenta",
            Some("kan4") => "sukaikan",
            Some("reach4") => "suchareach",
            Some("ron3") => "sanchaho",
            Some(other) => {
                return self.fail(MjlogFault::UnknownDraw {
                    found: other.to_owned(),
                });
            }
        };
        let exhausted = matches!(tag.get("type"), None | Some("nm"));
        let mut tehais = Vec::new();
        for name in &HANDS[..self.log.players] {
            tehais.push(match tag.get(name) {
                Some(_) => self.tiles_of(tag, name)?,
                None => vec!["?".to_owned()],
            });
        }
        let tenpais = tehais
            .iter()
            .map(|hand| hand.first().is_none_or(|tile| tile != "?"))
            .collect();
        let actor = self.drawn.map(|(player, _)| player);
        self.push(Message::Ryukyoku {
            reason: Some(reason.to_owned()),
            actor: actor.filter(|_| reason == "kyushukyuhai"),
            tehais: Some(tehais),
            tenpais: exhausted.then_some(tenpais),
            deltas: Some(deltas),
            scores: Some(scores),
        });
        self.ended = true;
        self.end(tag)
    }

    /// The end of the match, if the tag has it.
    fn end(&mut self, tag: &Tag) -> Result<(), MjlogError> {
        if tag.get("owari").is_some() {
            let owari = self.numbers(tag, "owari")?;
            let pairs = owari.chunks(2).take(self.log.players);
            let scores = pairs.map(|pair| pair[0] * 100).collect();
            self.push(Message::EndGame {
                scores: Some(scores),
                bonus: None,
            });
        }
        Ok(())
    }
}

/// Splits the name of a draw (`T U V W`) or a discard (`D E F G`): the player, true for a draw, the tile.
fn draw_or_discard(name: &str) -> Option<(usize, bool, u32)> {
    let (letter, id) = name.split_at_checked(1)?;
    let id = id.parse().ok()?;
    let letter = letter.to_ascii_uppercase();
    let place = |letters: &str| letters.find(&letter);
    match (place("TUVW"), place("DEFG")) {
        (Some(player), _) => Some((player, true, id)),
        (_, Some(player)) => Some((player, false, id)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
