//! Records that are rejected, and matches of three players written as records and read again.

use super::*;
use crate::agent;
use crate::log::{LogOptions, Recorder, replay_plain, replay_plain_to};
use crate::random::game_seed;
use crate::ruleset::Rules;
use crate::simulate;

fn tag(name: &str, attributes: &[(&str, &str)]) -> Tag {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    Tag {
        name: name.to_owned(),
        attributes: attributes.iter().map(own).collect(),
    }
}

#[test]
fn what_is_out_of_all_bounds_is_refused() {
    let hand = "0,4,8,12,16,20,24,28,32,36,40,44,48";
    let init = |ten, seed| {
        let hands = ["hai0", "hai1", "hai2", "hai3"].map(|name| (name, hand));
        let all = [&[("seed", seed), ("ten", ten), ("oya", "0")], &hands[..]].concat();
        tag("INIT", &all)
    };
    let ten = "250,250,250,250";
    let good = init(ten, "0,0,0,1,2,60");
    let win = |sc, yaku| {
        let given = [
            ("who", "0"),
            ("fromWho", "1"),
            ("sc", sc),
            ("ten", "30,1000,0"),
        ];
        let rest = [("yaku", yaku), ("hai", hand), ("machi", "0")];
        tag("AGARI", &[&given[..], &rest[..]].concat())
    };
    let sc = "250,10,250,-10,250,0,250,0";
    let go = tag("GO", &[("type", "9")]);
    let read = |tags: &[Tag]| super::read(&[std::slice::from_ref(&go), tags].concat());
    assert!(read(&[good.clone(), win(sc, "1,1")]).is_ok());
    let most = "9223372036854775807";
    let wrong = [
        init(&format!("{most},250,250,250"), "0,0,0,1,2,60"),
        init("nan,250,250,250", "0,0,0,1,2,60"),
        init("0.5,250,250,250", "0,0,0,1,2,60"),
        init(ten, "0,-1,0,1,2,60"),
        init(ten, "0,0,0,1,2,inf"),
        win(&format!("250,{most},250,0,250,0,250,0"), "1,1"),
        win(&format!("{most},1,250,0,250,0,250,0"), "1,1"),
        win(sc, "6,1,54,999999999999999999999"),
        tag(
            "REACH",
            &[("who", "0"), ("step", "2"), ("ten", "inf,0,0,0")],
        ),
        tag(
            "RYUUKYOKU",
            &[("sc", sc), ("owari", "-9223372036854775808,0")],
        ),
        tag("N", &[("who", "1"), ("m", "65536")]),
        tag("N", &[("who", "1"), ("m", "-1")]),
    ];
    for tag in wrong {
        let place = if tag.name == "INIT" { 1 } else { 2 };
        let tags = [good.clone(), tag.clone()];
        let error = read(&tags[2 - place..]).unwrap_err();
        assert_eq!(error.tag, place, "{tag:?}");
    }
    // An empty hand is valid.
    let empty = tag("RYUUKYOKU", &[("sc", sc), ("hai0", "")]);
    assert!(read(&[good, empty]).is_ok());
}

/// Writes messages of a match of three players as the server does.
struct Writer {
    tags: Vec<Tag>,
    /// The tiles of each player, all tiles used in the deal so far, the tile just drawn, and the last discard.
    hands: [Vec<u32>; 3],
    used: Vec<u32>,
    drawn: Option<u32>,
    discard: u32,
}

/// The server's numbers for the copies of a tile.
fn copies(pai: &str) -> Vec<u32> {
    let tile = Notation::Mjai.parse_one(pai).unwrap();
    let kind = tile.kind().unwrap();
    let place = match (kind.suit(), kind) {
        (Some(suit), _) => {
            let suit = [Suit::Characters, Suit::Circles, Suit::Bamboos]
                .iter()
                .position(|s| *s == suit);
            suit.unwrap() as u32 * 9 + kind.place()
        }
        (_, Kind::WHITE) => 31,
        (_, Kind::GREEN) => 32,
        (_, Kind::RED) => 33,
        _ => {
            27 + Wind::ALL
                .iter()
                .position(|wind| wind.kind() == kind)
                .unwrap() as u32
        }
    };
    let is_five = kind.rank() == Some(Rank::FIVE);
    match (tile.is_red(), is_five) {
        (true, _) => vec![4 * place],
        (_, true) => (1..4).map(|copy| 4 * place + copy).collect(),
        _ => (0..4).map(|copy| 4 * place + copy).collect(),
    }
}

fn list<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = numbers.into_iter().map(|one| one.to_string()).collect();
    all.join(",")
}

impl Writer {
    fn push(&mut self, name: &str, attributes: &[(&str, String)]) {
        let own: Vec<(&str, &str)> = attributes
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        self.tags.push(tag(name, &own));
    }

    /// A copy of a tile that is not used yet in the deal.
    fn unseen(&mut self, pai: &str) -> u32 {
        let id = copies(pai)
            .into_iter()
            .find(|id| !self.used.contains(id))
            .unwrap();
        self.used.push(id);
        id
    }

    fn unseen_of(&mut self, tiles: &[String]) -> String {
        list(tiles.iter().map(|pai| self.unseen(pai)).collect::<Vec<_>>())
    }

    /// Removes a copy of a tile from a hand.
    fn take(&mut self, actor: usize, pai: &str, is_drawn: Option<bool>) -> u32 {
        let drawn = self.drawn;
        let fits = |id: &u32| {
            copies(pai).contains(id)
                && is_drawn.is_none_or(|is_drawn| (drawn == Some(*id)) == is_drawn)
        };
        let place = self.hands[actor].iter().position(fits).unwrap();
        self.hands[actor].remove(place)
    }

    fn meld(&mut self, actor: usize, m: u32) {
        self.drawn = None;
        self.push("N", &[("who", actor.to_string()), ("m", m.to_string())]);
    }

    fn changes(scores: &Option<Vec<i64>>, deltas: &Option<Vec<i64>>) -> String {
        let pairs = scores.iter().flatten().zip(deltas.iter().flatten());
        let known = pairs.flat_map(|(score, delta)| [(score - delta) / 100, delta / 100]);
        list(known.chain([0, 0]))
    }

    fn write(&mut self, message: &Message) {
        match message {
            Message::StartGame { .. } => {
                self.push("GO", &[("type", "25".to_owned())]);
                self.push("TAIKYOKU", &[("oya", "0".to_owned())]);
            }
            Message::StartKyoku {
                bakaze,
                kyoku,
                honba,
                kyotaku,
                oya,
                scores,
                dora_marker,
                tehais,
            } => {
                self.used.clear();
                let round = 4 * "ESWN".find(*bakaze).unwrap() + kyoku - 1;
                let hands: Vec<Vec<u32>> = tehais
                    .iter()
                    .map(|hand| hand.iter().map(|pai| self.unseen(pai)).collect())
                    .collect();
                self.hands = hands.try_into().unwrap();
                let marker = self.unseen(dora_marker);
                let ten = scores
                    .iter()
                    .flatten()
                    .map(|points| points / 100)
                    .chain([0]);
                let mut attributes = vec![
                    ("seed", format!("{round},{honba},{kyotaku},1,2,{marker}")),
                    ("ten", list(ten)),
                    ("oya", oya.to_string()),
                ];
                for (name, hand) in HANDS.iter().zip(&self.hands) {
                    attributes.push((name, list(hand)));
                }
                attributes.push(("hai3", String::new()));
                self.push("INIT", &attributes);
            }
            Message::Tsumo { actor, pai } => {
                let id = self.unseen(pai);
                self.hands[*actor].push(id);
                self.drawn = Some(id);
                self.push(&format!("{}{id}", ["T", "U", "V"][*actor]), &[]);
            }
            Message::Dahai {
                actor,
                pai,
                tsumogiri,
            } => {
                self.discard = self.take(*actor, pai, *tsumogiri);
                self.drawn = None;
                self.push(&format!("{}{}", ["D", "E", "F"][*actor], self.discard), &[]);
            }
            Message::Nukidora { actor, pai } => {
                let id = self.take(*actor, pai, None);
                self.meld(*actor, id << 8 | 0x20);
            }
            Message::Pon {
                actor, consumed, ..
            } => {
                let mut pung: Vec<u32> = consumed
                    .iter()
                    .map(|pai| self.take(*actor, pai, None))
                    .collect();
                pung.push(self.discard);
                pung.sort_unstable();
                let base = self.discard / 4;
                let unused = (0..4)
                    .find(|copy| !pung.contains(&(4 * base + copy)))
                    .unwrap();
                let place = pung.iter().position(|id| *id == self.discard).unwrap() as u32;
                self.meld(*actor, 1 | 8 | unused << 5 | (3 * base + place) << 9);
            }
            Message::Kakan { actor, pai, .. } => {
                let id = self.take(*actor, pai, None);
                self.meld(*actor, 1 | 0x10 | (id % 4) << 5 | (3 * (id / 4)) << 9);
            }
            Message::Daiminkan {
                actor, consumed, ..
            } => {
                for pai in consumed {
                    self.take(*actor, pai, None);
                }
                self.meld(*actor, 1 | self.discard << 8);
            }
            Message::Ankan { actor, consumed } => {
                let ids: Vec<u32> = consumed
                    .iter()
                    .map(|pai| self.take(*actor, pai, None))
                    .collect();
                self.meld(*actor, ids[0] << 8);
            }
            Message::Dora { dora_marker } => {
                let id = self.unseen(dora_marker);
                self.push("DORA", &[("hai", id.to_string())]);
            }
            Message::Reach { actor } => {
                self.push(
                    "REACH",
                    &[("who", actor.to_string()), ("step", "1".to_owned())],
                );
            }
            Message::ReachAccepted { actor, scores, .. } => {
                let ten = scores
                    .iter()
                    .flatten()
                    .map(|points| points / 100)
                    .chain([0]);
                let who = ("who", actor.to_string());
                self.push(
                    "REACH",
                    &[who, ("step", "2".to_owned()), ("ten", list(ten))],
                );
            }
            Message::Hora {
                actor,
                target,
                pai,
                ura_markers,
                hora_tehais,
                yakus,
                fu,
                fan,
                hora_points,
                deltas,
                scores,
                ..
            } => {
                let last = pai.as_ref().unwrap();
                let ids: Vec<u32> = hora_tehais
                    .iter()
                    .flatten()
                    .chain([last])
                    .map(|pai| copies(pai)[0])
                    .collect();
                let number = |id: &str| PATTERNS.iter().position(|known| *known == id);
                // The server counts norths among the dora.
                let mut counted: Vec<(usize, i64)> = Vec::new();
                for (id, value) in yakus.iter().flatten() {
                    let id = if id == "north-set-aside" { "dora" } else { id };
                    let number = number(id).unwrap_or_else(|| panic!("{id}"));
                    match counted.iter_mut().find(|(known, _)| *known == number) {
                        Some((_, sum)) => *sum += value,
                        None => counted.push((number, *value)),
                    }
                }
                let mut attributes = vec![
                    ("who", actor.to_string()),
                    ("fromWho", target.to_string()),
                    ("hai", list(ids)),
                    ("machi", copies(last)[0].to_string()),
                    ("ten", format!("{},{},0", fu.unwrap(), hora_points.unwrap())),
                    ("sc", Self::changes(scores, deltas)),
                ];
                attributes.push(match fan {
                    Some(0) => ("yakuman", list(counted.iter().map(|(number, _)| number))),
                    _ => (
                        "yaku",
                        list(
                            counted
                                .iter()
                                .flat_map(|(number, value)| [*number as i64, *value]),
                        ),
                    ),
                });
                if let Some(markers) = ura_markers {
                    attributes.push(("doraHaiUra", self.unseen_of(markers)));
                }
                self.push("AGARI", &attributes);
            }
            Message::Ryukyoku {
                reason,
                tehais,
                tenpais,
                deltas,
                scores,
                ..
            } => {
                let mut attributes = vec![("sc", Self::changes(scores, deltas))];
                match reason.as_deref().unwrap() {
                    "fanpai" => {}
                    "nagashimangan" => attributes.push(("type", "nm".to_owned())),
                    "kyushukyuhai" => attributes.push(("type", "yao9".to_owned())),
                    "sukaikan" => attributes.push(("type", "kan4".to_owned())),
                    other => panic!("{other}"),
                }
                // Only hands that are ready are shown.
                for (place, hand) in tehais.iter().flatten().enumerate() {
                    let name = HANDS[place];
                    let is_ready = tenpais.as_ref().is_none_or(|ready| ready[place]);
                    if is_ready && !hand.iter().any(|pai| pai == "?") {
                        attributes.push((name, list(hand.iter().map(|pai| copies(pai)[0]))));
                    }
                }
                self.push("RYUUKYOKU", &attributes);
            }
            Message::EndGame { scores, .. } => {
                let owari = scores.iter().flatten().flat_map(|points| [points / 100, 0]);
                let value = list(owari.chain([0, 0]));
                let last = self.tags.last_mut().unwrap();
                last.attributes.push(("owari".to_owned(), value));
            }
            Message::EndKyoku => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn games_of_three_are_read_and_replay() {
    let (mut norths, mut wins) = (0, 0);
    for game in 0..12 {
        let rules = Rules::by_id("riichi-sanma").unwrap();
        let options = LogOptions::new(vec![String::new(); 3], Notation::Mjai);
        let mut plain = Vec::new();
        let mut recorder = Recorder::new(rules.plan(), options, |line| {
            plain.extend(Message::plain(rules.plan(), &line));
        });
        let mut agents = agent::for_all("greedy", rules.plan()).unwrap();
        simulate::play(&rules, &mut agents, game_seed(3, game), &mut recorder).unwrap();
        drop(recorder);
        replay_plain(&rules, &plain).unwrap();
        let mut writer = Writer {
            tags: Vec::new(),
            hands: Default::default(),
            used: Vec::new(),
            drawn: None,
            discard: 0,
        };
        plain.iter().for_each(|message| writer.write(message));
        let log = read(&writer.tags).unwrap();
        assert_eq!(log.players, 3);
        let rules = Rules::by_id_with("riichi-sanma", &log.options).unwrap();
        if let Err(error) = replay_plain(&rules, &log.messages) {
            panic!("game {game}: {error:?}");
        }
        assert_eq!(log.messages.len(), plain.len());
        // A record that breaks off is read and replayed up to its end.
        for tags in (writer.tags.len() / 5..writer.tags.len()).step_by(writer.tags.len() / 5) {
            let part = read(&writer.tags[..tags]).unwrap();
            let mut summary = simulate::Summary::default();
            let stepped = replay_plain_to(&rules, &part.messages, usize::MAX, &mut summary);
            if let Err(error) = stepped {
                panic!("game {game}, {tags} tags: {error:?}");
            }
            assert!(summary.decisions > tags as u64 / 3);
        }
        let count = |is: fn(&Message) -> bool| log.messages.iter().filter(|one| is(one)).count();
        norths += count(|message| matches!(message, Message::Nukidora { .. }));
        wins += count(|message| matches!(message, Message::Hora { .. }));
    }
    assert!(norths > 50 && wins > 50, "{norths} {wins}");
}
