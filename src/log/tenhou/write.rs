//! From plain mjai to Tenhou's JSON.

use super::{Cell, TenhouLog, TenhouRule, number_of};
use crate::lang::Lang;
use crate::log::mjai::Message;
use crate::ruleset::{OptionValue, Plan};
use crate::score::ScoreFamily;
use crate::tile::Suit;

/// A deal that is being written.
struct Deal {
    about: Vec<Cell>,
    points: Vec<Cell>,
    indicators: Vec<Cell>,
    under: Vec<Cell>,
    dealt: Vec<Vec<Cell>>,
    takes: Vec<Vec<Cell>>,
    gives: Vec<Vec<Cell>>,
    result: Vec<Cell>,
    /// The next discard is one of a riichi.
    is_riichi: bool,
    /// The claims of pungs: the player, the kind and the place of the letter.
    pungs: Vec<(usize, i64, usize)>,
}

fn cell(text: &str) -> Cell {
    Cell::Number(number_of(text).unwrap_or(0))
}

fn digits(text: &str) -> String {
    number_of(text).unwrap_or(0).to_string()
}

/// A red five as its kind.
const fn kind(number: i64) -> i64 {
    match number {
        51..=53 => (number - 50) * 10 + 5,
        number => number,
    }
}

/// A claim: the letter and the claimed tile stand where the giver sits.
fn claim(letter: char, place: usize, tile: &str, consumed: &[String]) -> Cell {
    let mut parts: Vec<String> = consumed.iter().map(|tile| digits(tile)).collect();
    parts.insert(place.min(parts.len()), format!("{letter}{}", digits(tile)));
    Cell::Text(parts.concat())
}

/// The place of the letter for a tile of another player.
fn place(actor: usize, target: usize, players: usize, tiles: usize) -> usize {
    match (target + players - actor) % players {
        1 => tiles,
        steps if steps + 1 == players => 0,
        _ => 1,
    }
}

/// The log of a game for readers of Tenhou's JSON. Names of patterns are Japanese, as far as the plan has them. With three
/// players a fourth one has no tiles.
///
/// ```
/// use paishan::Rules;
/// use paishan::log::tenhou::write;
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let log = write(rules.plan(), &[]);
/// assert!(log.rule.disp.contains('喰') && log.log.is_empty());
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
pub fn write(plan: &Plan, messages: &[Message]) -> TenhouLog {
    let players = plan.players;
    let is_true = |name: &str| plan.options.get(name) == Some(&OptionValue::Bool(true));
    let reds = |suit: Suit| i64::from(plan.tiles.reds(suit));
    let mut disp = String::new();
    if players == 3 {
        disp.push('三');
    }
    disp.push(match plan.options.get("rounds") {
        Some(OptionValue::Int(1)) => '東',
        _ => '南',
    });
    if is_true("open-all-simples") || players == 3 {
        disp.push('喰');
    }
    if Suit::ALL.into_iter().any(|suit| reds(suit) > 0) {
        disp.push('赤');
    }
    let mut log = TenhouLog {
        title: vec![plan.names.get(Lang::JA).to_owned(), String::new()],
        name: vec![String::new(); 4],
        rule: TenhouRule {
            disp,
            aka51: Some(reds(Suit::Characters)),
            aka52: Some(reds(Suit::Circles)),
            aka53: Some(reds(Suit::Bamboos)),
            aka: None,
        },
        sc: None,
        log: Vec::new(),
    };
    let mut open: Option<Deal> = None;
    for message in messages {
        match message {
            Message::StartGame { names, .. } => {
                for (own, name) in log.name.iter_mut().zip(names) {
                    own.clone_from(name);
                }
            }
            Message::StartKyoku {
                bakaze,
                kyoku,
                honba,
                kyotaku,
                scores,
                dora_marker,
                tehais,
                ..
            } => {
                let round = "ESWN".find(*bakaze).unwrap_or(0);
                let about = [
                    (4 * round + kyoku - 1) as i64,
                    (*honba).into(),
                    (*kyotaku).into(),
                ];
                let mut points = scores.clone().unwrap_or_default();
                points.resize(4, 0);
                let hand = |hand: &Vec<String>| hand.iter().map(|tile| cell(tile)).collect();
                let mut dealt: Vec<Vec<Cell>> = tehais.iter().map(hand).collect();
                dealt.resize(4, Vec::new());
                open = Some(Deal {
                    about: about.map(Cell::Number).to_vec(),
                    points: points.into_iter().map(Cell::Number).collect(),
                    indicators: vec![cell(dora_marker)],
                    under: Vec::new(),
                    dealt,
                    takes: vec![Vec::new(); 4],
                    gives: vec![Vec::new(); 4],
                    result: Vec::new(),
                    is_riichi: false,
                    pungs: Vec::new(),
                });
            }
            Message::EndKyoku => {
                if let Some(deal) = open.take() {
                    log.log.push(deal.finish());
                }
            }
            Message::EndGame { scores, .. } => {
                let scores = scores.clone().unwrap_or_default();
                let cells = scores.into_iter().flat_map(|points| [points, 0]);
                let cells: Vec<Cell> = cells.map(Cell::Number).collect();
                log.sc = Some(cells).filter(|cells| !cells.is_empty());
            }
            message => {
                if let Some(deal) = &mut open {
                    deal.add(plan, message);
                }
            }
        }
    }
    log
}

impl Deal {
    fn finish(self) -> Vec<Cell> {
        let mut cells = vec![
            Cell::List(self.about),
            Cell::List(self.points),
            Cell::List(self.indicators),
            Cell::List(self.under),
        ];
        let players = self.dealt.into_iter().zip(self.takes).zip(self.gives);
        for ((dealt, takes), gives) in players {
            cells.extend([dealt, takes, gives].map(Cell::List));
        }
        cells.push(Cell::List(self.result));
        cells
    }

    fn add(&mut self, plan: &Plan, message: &Message) {
        let players = plan.players;
        match message {
            Message::Tsumo { actor, pai } => self.takes[*actor].push(cell(pai)),
            Message::Dahai {
                actor,
                pai,
                tsumogiri,
            } => {
                let number = match tsumogiri {
                    Some(true) => 60,
                    _ => number_of(pai).unwrap_or(0),
                };
                self.gives[*actor].push(match std::mem::take(&mut self.is_riichi) {
                    true => Cell::Text(format!("r{number}")),
                    false => Cell::Number(number),
                });
            }
            Message::Chi {
                actor,
                pai,
                consumed,
                ..
            } => self.takes[*actor].push(claim('c', 0, pai, consumed)),
            Message::Pon {
                actor,
                target,
                pai,
                consumed,
            } => {
                let place = place(*actor, *target, players, 2);
                self.pungs
                    .push((*actor, kind(number_of(pai).unwrap_or(0)), place));
                self.takes[*actor].push(claim('p', place, pai, consumed));
            }
            Message::Daiminkan {
                actor,
                target,
                pai,
                consumed,
            } => {
                let place = place(*actor, *target, players, 3);
                self.takes[*actor].push(claim('m', place, pai, consumed));
                self.gives[*actor].push(Cell::Number(0));
            }
            Message::Ankan { actor, consumed } => {
                if let Some((last, others)) = consumed.split_last() {
                    self.gives[*actor].push(claim('a', 3, last, others));
                }
            }
            Message::Kakan {
                actor,
                pai,
                consumed,
            } => {
                let of = kind(number_of(pai).unwrap_or(0));
                let pung = self
                    .pungs
                    .iter()
                    .find(|(who, tile, _)| who == actor && *tile == of);
                let place = pung.map_or(0, |(_, _, place)| *place);
                self.gives[*actor].push(claim('k', place, pai, consumed));
            }
            Message::Nukidora { actor, pai } => {
                self.gives[*actor].push(Cell::Text(format!("f{}", digits(pai))));
            }
            Message::Dora { dora_marker } => self.indicators.push(cell(dora_marker)),
            Message::Reach { .. } => self.is_riichi = true,
            Message::Hora { .. } => self.win(plan, message),
            Message::Ryukyoku { reason, deltas, .. } => {
                let kind = match reason.as_deref() {
                    Some("nagashimangan") => "流し満貫",
                    Some("kyushukyuhai") => "九種九牌",
                    Some("sufonrenta") => "四風連打",
                    Some("sukaikan") => "四槓散了",
                    Some("suchareach") => "四家立直",
                    Some("sanchaho") => "三家和了",
                    _ => "流局",
                };
                self.result = vec![Cell::Text(kind.to_owned())];
                let changes = deltas
                    .as_ref()
                    .filter(|deltas| deltas.iter().any(|one| *one != 0));
                self.result.extend(changes.map(|deltas| four(deltas)));
            }
            _ => {}
        }
    }

    fn win(&mut self, plan: &Plan, message: &Message) {
        let Message::Hora {
            actor,
            target,
            ura_markers,
            yakus,
            fu,
            fan,
            hora_points,
            deltas,
            ..
        } = message
        else {
            return;
        };
        if self.result.is_empty() {
            self.result.push(Cell::Text("和了".to_owned()));
        }
        if let Some(under) = ura_markers
            && self.under.is_empty()
        {
            self.under = under.iter().map(|tile| cell(tile)).collect();
        }
        let deltas = deltas.clone().unwrap_or_default();
        self.result.push(four(&deltas));
        let who = [*actor, *target, *actor].map(|player| Cell::Number(player as i64));
        let mut about = who.to_vec();
        about.push(Cell::Text(points(
            plan,
            message_points(fu, fan),
            hora_points.unwrap_or(0),
        )));
        let name = |id: &str| {
            let patterns = plan.score.patterns().iter();
            let mut known = patterns
                .filter(|one| one.id == id)
                .map(|one| one.names.get(Lang::JA));
            known.next_back().unwrap_or(id).to_owned()
        };
        for (id, value) in yakus.iter().flatten() {
            let worth = match fan {
                Some(0) | None => "役満".to_owned(),
                _ => format!("{value}飜"),
            };
            about.push(Cell::Text(format!("{}({worth})", name(id))));
        }
        self.result.push(Cell::List(about));
    }
}

fn four(deltas: &[i64]) -> Cell {
    let mut deltas = deltas.to_vec();
    deltas.resize(4, 0);
    Cell::List(deltas.into_iter().map(Cell::Number).collect())
}

const fn message_points(fu: &Option<i64>, fan: &Option<i64>) -> (i64, i64) {
    let fu = match fu {
        Some(fu) => *fu,
        None => 0,
    };
    match fan {
        Some(fan) => (fu, *fan),
        None => (fu, 0),
    }
}

/// The worth of a hand as the server writes it, with all that the winner is paid for it.
fn points(plan: &Plan, (fu, fan): (i64, i64), points: i64) -> String {
    let ScoreFamily::HanFu(rules) = plan.score.family() else {
        return format!("{points}点");
    };
    let limit = match fan {
        0 => Some("役満"),
        _ => {
            let (base, name) = rules.base(u32::try_from(fan).unwrap_or(0), fu);
            match (name, base) {
                (None, _) => None,
                (_, ..=2000) => Some("満貫"),
                (_, ..=3000) => Some("跳満"),
                (_, ..=4000) => Some("倍満"),
                (_, ..=6000) => Some("三倍満"),
                _ => Some("役満"),
            }
        }
    };
    match limit {
        Some(limit) => format!("{limit}{points}点"),
        None => format!("{fu}符{fan}飜{points}点"),
    }
}
