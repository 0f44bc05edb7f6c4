//! From Tenhou's JSON to plain mjai.

use super::{Cell, TenhouLog, tile_of};
use crate::log::mjai::Message;
use crate::log::mjlog;
use crate::notation::Notation;
use crate::ruleset::OptionValue;
use std::collections::VecDeque;

/// What is wrong with a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TenhouFault {
    /// The list of the deal is too short, or has a value of another type.
    #[error("`{what}` is missing or of another form")]
    Part {
        /// The part.
        what: &'static str,
    },
    /// A number is no tile.
    #[error("{number} is no tile")]
    Tile {
        /// The number.
        number: i64,
    },
    /// A text is no claim or declaration.
    #[error("`{text}` is no claim")]
    Claim {
        /// The text.
        text: String,
    },
    /// A player takes nothing although the deal goes on.
    #[error("player {player} has nothing to take")]
    NothingToTake {
        /// The player.
        player: usize,
    },
    /// The result is not known.
    #[error("unknown result `{found}`")]
    Result {
        /// What was found.
        found: String,
    },
}

/// The error for a log that cannot be read.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("deal {}: {fault}", deal + 1)]
#[non_exhaustive]
pub struct TenhouError {
    /// The index of the deal, from 0.
    pub deal: usize,
    /// What is wrong.
    pub fault: TenhouFault,
}

/// A game, converted from Tenhou's JSON.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TenhouGame {
    /// 4, or 3 for `riichi-sanma`.
    pub players: usize,
    /// The rules of the game, as options of `riichi-tenhou` or `riichi-sanma`.
    pub options: Vec<(String, OptionValue)>,
    /// The messages of the game.
    pub messages: Vec<Message>,
    /// For each message, the index of its deal.
    pub deals: Vec<usize>,
}

/// Converts a log to plain mjai.
///
/// ```
/// use paishan::log::tenhou::{TenhouLog, read};
/// let text = r#"{"name":["A","B","C","D"],"rule":{"disp":"般南喰赤","aka51":1,"aka52":1,"aka53":1},"log":[]}"#;
/// let log: TenhouLog = serde_json::from_str(text)?;
/// let game = read(&log)?;
/// assert_eq!((game.players, game.messages.len()), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TenhouError`] for the first deal that cannot be read.
pub fn read(log: &TenhouLog) -> Result<TenhouGame, TenhouError> {
    let rule = &log.rule;
    let names: Vec<String> = log.name.clone();
    // With three players the fourth is dealt nothing.
    let has_no_fourth = log
        .log
        .first()
        .is_some_and(|deal| match deal.get(4 + 3 * 3) {
            Some(Cell::List(list)) => list.is_empty() || deal.len() < 16,
            _ => true,
        });
    let is_of_three = rule.disp.contains('三') || has_no_fourth;
    let players = if is_of_three { 3 } else { 4 };
    let reds = [rule.aka51, rule.aka52, rule.aka53, rule.aka];
    let has_reds = reds.iter().flatten().any(|count| *count > 0)
        || (rule.disp.contains('赤') || rule.disp.is_empty()) && reds.iter().all(Option::is_none);
    let bits = u32::from(!has_reds) * 2
        + u32::from(!(rule.disp.contains('喰') || rule.disp.is_empty() || is_of_three)) * 4
        + u32::from(!rule.disp.contains('東')) * 8
        + u32::from(is_of_three) * 16;
    let mut game = TenhouGame {
        players,
        options: mjlog::options(bits),
        messages: Vec::new(),
        deals: Vec::new(),
    };
    game.messages.push(Message::StartGame {
        names: (0..players)
            .map(|player| names.get(player).cloned().unwrap_or_default())
            .collect(),
        id: None,
        ruleset: None,
        options: None,
        red_fives: None,
    });
    game.deals.push(0);
    for (place, deal) in log.log.iter().enumerate() {
        let mut reader =
            Deal::new(players, deal).map_err(|fault| TenhouError { deal: place, fault })?;
        reader
            .read()
            .map_err(|fault| TenhouError { deal: place, fault })?;
        game.deals
            .resize(game.deals.len() + reader.out.len(), place);
        game.messages.append(&mut reader.out);
    }
    if let Some(results) = &log.sc {
        let points = results
            .iter()
            .step_by(2)
            .take(players)
            .map(|cell| match cell {
                Cell::Number(points) => Some(*points),
                Cell::Decimal(points) => Some(*points as i64),
                _ => None,
            });
        let scores: Option<Vec<i64>> = points.collect();
        game.messages.push(Message::EndGame {
            scores,
            bonus: None,
        });
        game.deals.push(log.log.len().saturating_sub(1));
    }
    Ok(game)
}

/// A claim or declaration in a text.
struct Called {
    letter: char,
    /// The tiles before the letter.
    place: usize,
    /// The tile after the letter.
    tile: i64,
    others: Vec<i64>,
}

fn called(text: &str) -> Result<Called, TenhouFault> {
    let fault = || TenhouFault::Claim {
        text: text.to_owned(),
    };
    let at = text
        .find(|letter: char| letter.is_ascii_alphabetic())
        .ok_or_else(fault)?;
    let letter = char::from(text.as_bytes()[at]);
    let number = |digits: &[u8]| -> Option<i64> { std::str::from_utf8(digits).ok()?.parse().ok() };
    let pairs = |text: &str| -> Option<Vec<i64>> {
        let digits = text.as_bytes();
        if !digits.len().is_multiple_of(2) {
            return None;
        }
        digits.chunks(2).map(number).collect()
    };
    let before = pairs(&text[..at]).ok_or_else(fault)?;
    let mut after = pairs(&text[at + 1..]).ok_or_else(fault)?;
    if after.is_empty() {
        return Err(fault());
    }
    let tile = after.remove(0);
    let place = before.len();
    Ok(Called {
        letter,
        place,
        tile,
        others: [before, after].concat(),
    })
}

fn mjai(number: i64) -> Result<String, TenhouFault> {
    let tile = tile_of(number).ok_or(TenhouFault::Tile { number })?;
    Ok(Notation::Mjai.print_one(tile))
}

fn all(numbers: &[i64]) -> Result<Vec<String>, TenhouFault> {
    numbers.iter().map(|number| mjai(*number)).collect()
}

struct Deal<'a> {
    players: usize,
    cells: &'a [Cell],
    takes: Vec<VecDeque<Cell>>,
    gives: Vec<VecDeque<Cell>>,
    indicators: VecDeque<i64>,
    under: Vec<i64>,
    riichi: [bool; 4],
    out: Vec<Message>,
}

fn numbers(cell: Option<&Cell>, what: &'static str) -> Result<Vec<i64>, TenhouFault> {
    let part = || TenhouFault::Part { what };
    let Some(Cell::List(list)) = cell else {
        return Err(part());
    };
    let number = |cell: &Cell| match cell {
        Cell::Number(number) => Some(*number),
        _ => None,
    };
    list.iter()
        .map(number)
        .collect::<Option<_>>()
        .ok_or_else(part)
}

impl<'a> Deal<'a> {
    fn new(players: usize, cells: &'a [Cell]) -> Result<Self, TenhouFault> {
        let queue = |place: usize, what| match cells.get(place) {
            Some(Cell::List(list)) => Ok(list.iter().cloned().collect::<VecDeque<Cell>>()),
            _ => Err(TenhouFault::Part { what }),
        };
        let column = |offset: usize, what| -> Result<Vec<VecDeque<Cell>>, TenhouFault> {
            (0..players)
                .map(|player| queue(4 + 3 * player + offset, what))
                .collect()
        };
        Ok(Self {
            players,
            cells,
            takes: column(1, "what a player takes")?,
            gives: column(2, "discards")?,
            indicators: numbers(cells.get(2), "indicators")?.into(),
            under: numbers(cells.get(3), "under-indicators")?,
            riichi: [false; 4],
            out: Vec::new(),
        })
    }

    fn start(&mut self) -> Result<usize, TenhouFault> {
        let about = numbers(self.cells.first(), "the number of the deal")?;
        let &[number, honba, kyotaku, ..] = &about[..] else {
            return Err(TenhouFault::Part {
                what: "the number of the deal",
            });
        };
        let what = "the number of the deal";
        let small = |number: i64| u32::try_from(number).map_err(|_| TenhouFault::Part { what });
        let number = small(number)? as usize;
        let oya = number % 4;
        if oya >= self.players {
            return Err(TenhouFault::Part { what });
        }
        let mut scores = numbers(self.cells.get(1), "points")?;
        scores.truncate(self.players);
        let hands = (0..self.players)
            .map(|player| all(&numbers(self.cells.get(4 + 3 * player), "dealt tiles")?));
        let marker = self.indicators.pop_front();
        let marker = marker.ok_or(TenhouFault::Part { what: "indicators" })?;
        let tehais = hands.collect::<Result<Vec<_>, _>>()?;
        self.out.push(Message::StartKyoku {
            bakaze: ['E', 'S', 'W', 'N'][number / 4 % 4],
            kyoku: oya + 1,
            honba: small(honba)?,
            kyotaku: small(kyotaku)?,
            oya,
            scores: Some(scores),
            dora_marker: mjai(marker)?,
            tehais,
        });
        Ok(oya)
    }

    /// The player who claims a tile next, if one does: the one whose next entry is a claim of it. A pung or kong goes before
    /// a run, which may be of a later tile.
    fn claimer(&self, from: usize, tile: i64) -> Option<usize> {
        let players = self.players;
        let letter = |player: usize| {
            let Some(Cell::Text(text)) = self.takes[player].front() else {
                return None;
            };
            let call = called(text).ok()?;
            // With three players the place may count the empty seat.
            let fits = players == 3 || source(&call, player) == from;
            (fits && call.tile == tile).then_some(call.letter)
        };
        let claims = (1..players).map(|step| (from + step) % players);
        let claims = claims.filter_map(|player| Some((letter(player)? == 'c', player)));
        claims.min().map(|(_, player)| player)
    }

    /// Turns the next indicator, after a kong.
    fn turn(&mut self) -> Result<(), TenhouFault> {
        if let Some(marker) = self.indicators.pop_front() {
            let dora_marker = mjai(marker)?;
            self.out.push(Message::Dora { dora_marker });
        }
        Ok(())
    }

    fn read(&mut self) -> Result<(), TenhouFault> {
        let mut actor = self.start()?;
        // The tile that may be won on, and the player who gave it.
        let mut last: (usize, String) = (actor, String::new());
        let mut riichi_due: Option<usize> = None;
        let mut after_kong = false;
        while let Some(take) = self.takes[actor].pop_front() {
            let accept = |out: &mut Vec<Message>, due: &mut Option<usize>| {
                if let Some(actor) = due.take() {
                    out.push(Message::ReachAccepted {
                        actor,
                        deltas: None,
                        scores: None,
                    });
                }
            };
            accept(&mut self.out, &mut riichi_due);
            let mut drawn = None;
            match take {
                Cell::Number(number) => {
                    let pai = mjai(number)?;
                    last = (actor, pai.clone());
                    drawn = Some(number);
                    self.out.push(Message::Tsumo { actor, pai });
                    if std::mem::take(&mut after_kong) {
                        self.turn()?;
                    }
                }
                Cell::Text(text) => {
                    let call = called(&text)?;
                    let target = last.0;
                    let (pai, consumed) = (mjai(call.tile)?, all(&call.others)?);
                    self.out.push(match call.letter {
                        'c' => Message::Chi {
                            actor,
                            target,
                            pai,
                            consumed,
                        },
                        'p' => Message::Pon {
                            actor,
                            target,
                            pai,
                            consumed,
                        },
                        'm' => Message::Daiminkan {
                            actor,
                            target,
                            pai,
                            consumed,
                        },
                        _ => return Err(TenhouFault::Claim { text }),
                    });
                    if call.letter == 'm' {
                        // The list of discards has a 0 in the place of the one that is not made.
                        if self.gives[actor].front() == Some(&Cell::Number(0)) {
                            self.gives[actor].pop_front();
                        }
                        after_kong = true;
                        continue;
                    }
                }
                _ => {
                    return Err(TenhouFault::Part {
                        what: "what a player takes",
                    });
                }
            }
            let Some(give) = self.gives[actor].pop_front() else {
                break;
            };
            match give {
                Cell::Text(text) if !text.starts_with('r') => {
                    let call = called(&text)?;
                    let (pai, others) = (mjai(call.tile)?, all(&call.others)?);
                    match call.letter {
                        'a' => {
                            let consumed = [others, vec![pai.clone()]].concat();
                            self.out.push(Message::Ankan { actor, consumed });
                            after_kong = true;
                        }
                        'k' => {
                            let consumed = others;
                            self.out.push(Message::Kakan {
                                actor,
                                pai: pai.clone(),
                                consumed,
                            });
                            after_kong = true;
                        }
                        'f' => self.out.push(Message::Nukidora {
                            actor,
                            pai: pai.clone(),
                        }),
                        _ => return Err(TenhouFault::Claim { text }),
                    }
                    last = (actor, pai);
                    // Others may rob it. Otherwise the player takes a replacement.
                    if self.takes[actor].is_empty() {
                        break;
                    }
                    continue;
                }
                give => {
                    let (number, is_riichi) = match give {
                        Cell::Number(number) => (number, false),
                        Cell::Text(text) => {
                            let number = text[1..].parse().ok();
                            (number.ok_or(TenhouFault::Claim { text })?, true)
                        }
                        _ => return Err(TenhouFault::Part { what: "discards" }),
                    };
                    let tsumogiri = number == 60;
                    let tile = match (tsumogiri, drawn) {
                        (true, Some(drawn)) => drawn,
                        (true, None) => return Err(TenhouFault::Tile { number }),
                        (false, _) => number,
                    };
                    if is_riichi {
                        self.riichi[actor] = true;
                        self.out.push(Message::Reach { actor });
                        riichi_due = Some(actor);
                    }
                    let pai = mjai(tile)?;
                    last = (actor, pai.clone());
                    self.out.push(Message::Dahai {
                        actor,
                        pai,
                        tsumogiri: Some(tsumogiri),
                    });
                    actor = match self.claimer(actor, tile) {
                        Some(claimer) => claimer,
                        None => (actor + 1) % self.players,
                    };
                }
            }
        }
        let result = self
            .cells
            .get(4 + 3 * 4)
            .or(self.cells.get(4 + 3 * self.players));
        let result = result.cloned();
        self.result(result, last, riichi_due)
    }

    fn result(
        &mut self,
        result: Option<Cell>,
        (giver, tile): (usize, String),
        riichi_due: Option<usize>,
    ) -> Result<(), TenhouFault> {
        let part = || TenhouFault::Part { what: "result" };
        let Some(Cell::List(list)) = result else {
            return Err(part());
        };
        let Some(Cell::Text(kind)) = list.first() else {
            return Err(part());
        };
        let changes = |cell: Option<&Cell>| -> Option<Vec<i64>> {
            let mut changes = numbers(cell, "result").ok()?;
            changes.truncate(self.players);
            Some(changes)
        };
        if kind == "和了" {
            for pair in list[1..].chunks_exact(2) {
                let deltas = changes(pair.first());
                let about = match pair.get(1) {
                    Some(Cell::List(about)) => about,
                    _ => return Err(part()),
                };
                let player = |place: usize| match about.get(place) {
                    Some(Cell::Number(player)) => usize::try_from(*player).ok(),
                    _ => None,
                };
                let (Some(actor), Some(target)) = (player(0), player(1)) else {
                    return Err(part());
                };
                if actor >= self.players || target >= self.players {
                    return Err(part());
                }
                let is_riichi = self.riichi[actor] && !self.under.is_empty();
                let under = is_riichi.then(|| all(&self.under)).transpose()?;
                self.out.push(Message::Hora {
                    actor,
                    target,
                    pai: Some(tile.clone()).filter(|_| target == giver),
                    uradora_markers: under.clone(),
                    ura_markers: under,
                    hora_tehais: None,
                    yakus: None,
                    fu: None,
                    fan: None,
                    hora_points: None,
                    deltas,
                    scores: None,
                });
            }
        } else {
            let reason = match kind.as_str() {
                "流局" | "全員聴牌" | "全員不聴" => "fanpai",
                "流し満貫" => "nagashimangan",
                "九種九牌" => "kyushukyuhai",
                "四風連打" => "sufonrenta",
                "四槓散了" => "sukaikan",
                "四家立直" => "suchareach",
                "三家和了" => "sanchaho",
                _ => {
                    return Err(TenhouFault::Result {
                        found: kind.clone(),
                    });
                }
            };
            if let Some(actor) = riichi_due.filter(|_| reason != "sanchaho") {
                self.out.push(Message::ReachAccepted {
                    actor,
                    deltas: None,
                    scores: None,
                });
            }
            let deltas = changes(list.get(1)).filter(|changes| !changes.is_empty());
            self.out.push(Message::Ryukyoku {
                reason: Some(reason.to_owned()),
                actor: (reason == "kyushukyuhai").then_some(giver),
                tehais: None,
                tenpais: None,
                deltas,
                scores: None,
            });
        }
        self.out.push(Message::EndKyoku);
        Ok(())
    }
}

/// The player from whom a tile was claimed, of four. The place of the letter counts the tiles before it: none for the player
/// before, one for the player opposite, the others for the next player.
fn source(call: &Called, actor: usize) -> usize {
    let steps = match call.place {
        0 => 3,
        1 => 2,
        _ => 1,
    };
    (actor + steps) % 4
}
