//! Games with extra kinds, from files: kings in pungs and forms, and eight copies of a king on a card.

use crate::common::legality::Referee;
use crate::common::{agents, all_tiles, game_log};
use paishan::decompose::Holding;
use paishan::draw::{Piece, Row, svg, text};
use paishan::encode::{ActionSpace, Encoder, Observation};
use paishan::game::{Deal, Match};
use paishan::lint::lint;
use paishan::log::replay;
use paishan::protocol::{Responder, Value};
use paishan::random::Stream;
use paishan::ruleset::{Ruleset, Source};
use paishan::state::Action;
use paishan::{Kind, Lang, Notation, Player, Request, Rules, Seat, Tile, game_seed};
use serde_json::json;
use std::collections::BTreeSet;

const KINGS: &str = include_str!("kings.toml");
const CARD: &str = include_str!("card_of_kings.toml");

fn sources() -> [Source; 2] {
    [("kings.toml", KINGS), ("card_of_kings.toml", CARD)]
        .map(|(file, text)| Source::text(file, text))
}

/// The kings, with the king of harmony as a wild tile.
fn wild() -> Rules {
    let text = format!("{KINGS}\n[wild.harmony]\ntiles = \"K\"\n");
    Rules::from_toml("wild.toml", &text).unwrap()
}

fn rules() -> [Rules; 2] {
    sources().map(|source| source.load(&[]).unwrap_or_else(|error| panic!("{error}")))
}

/// The extra kinds of a set.
fn extra(rules: &Rules) -> Vec<Kind> {
    let kinds = rules.plan().tiles().kinds();
    Kind::EXTRA
        .into_iter()
        .filter(|&kind| kinds.contains(kind))
        .collect()
}

#[test]
fn their_files_have_no_lints() {
    for (source, file) in sources().iter().zip(["kings.toml", "card_of_kings.toml"]) {
        let lints = lint(source, &[]).unwrap();
        let own = lints.iter().filter(|lint| lint.file == file);
        let own: Vec<String> = own.map(ToString::to_string).collect();
        assert!(own.is_empty(), "{own:#?}");
    }
}

#[test]
fn whole_games_replay_for_everybody_and_for_one_player() {
    for rules in rules() {
        let mut claimed = BTreeSet::new();
        for (agent, games) in [("random", 2), ("greedy", 4), ("value", 1)] {
            for game in 0..games {
                let seed = game_seed(48, game);
                let lines = game_log(&rules, agent, seed, None, true);
                let done = replay(&lines, |_, _| Ok(rules.clone())).unwrap();
                assert!(done.complete && done.lines == lines.len());
                for line in &lines {
                    let line = serde_json::to_value(line).unwrap();
                    if line["type"] == "pon" {
                        claimed.insert(line["pai"].as_str().unwrap().to_owned());
                    }
                }
                for viewer in Player::all(4) {
                    let lines = game_log(&rules, agent, seed, Some(viewer), false);
                    let done = replay(&lines, |_, _| Ok(rules.clone()));
                    assert_eq!(
                        done.map(|done| done.lines).ok(),
                        Some(lines.len()),
                        "{agent} {game}"
                    );
                }
            }
        }
        let extra = extra(&rules);
        assert!(
            extra.iter().any(|kind| claimed.contains(&kind.to_string())),
            "{claimed:?}"
        );
    }
}

/// Decisions of deals, with every tile accounted for.
fn visit(
    rules: &Rules,
    deals: u64,
    referee: &mut Referee<'_>,
    mut see: impl FnMut(&Deal<&dyn Ruleset>, Seat),
) {
    let all: Vec<Tile> = rules.plan().tiles().iter().collect();
    let rules: &dyn Ruleset = rules;
    let mut greedy = agents(rules, "greedy");
    for number in 0..deals {
        let seed = game_seed(49, number);
        let mut stream = Stream::new(number, 49);
        let mut deal =
            Deal::start_observed(rules, Match::new(rules, seed).state().setup(), referee);
        while let Some(seat) = deal.state().deciding().next() {
            assert_eq!(all_tiles(deal.state()), all);
            see(&deal, seat);
            let legal = deal.legal(seat).clone();
            let action = match number % 4 {
                0 => legal.pick(|len| stream.below(len as u32) as usize).unwrap(),
                _ => greedy[seat.index()].decide(&deal.state().view(seat), &legal),
            };
            deal.act_observed(seat, action, referee).unwrap();
        }
        if let Some(fault) = referee.fault() {
            panic!("{}: {fault}", rules.plan().id());
        }
    }
}

#[test]
fn legal_actions_are_those_of_the_rules_and_have_numbers() {
    for rules in rules().into_iter().chain([wild()]) {
        let plan = rules.plan();
        let space = ActionSpace::of(plan);
        let encoding = Observation::v1(plan);
        let extra = extra(&rules);
        assert!(encoding.kinds().ends_with(&extra));
        for &kind in &extra {
            let discard = Action::Discard {
                tile: kind.into(),
                drawn: true,
            };
            assert!(space.number(discard).is_some());
        }
        let mut encoder = Encoder::new(&encoding);
        let mut planes = vec![0; encoding.planes().len() * encoding.kinds().len()];
        let mut scalars = vec![0.0; encoding.scalars().len()];
        let mut met = BTreeSet::new();
        let id = plan.id().to_owned();
        let mut referee = Referee::new(&rules, &id);
        visit(&rules, 40, &mut referee, |deal, seat| {
            for action in deal.legal(seat) {
                let number = space.number(action);
                assert_eq!(number.and_then(|number| space.action(number)), Some(action));
                assert_eq!(action.to_string().parse(), Ok(action));
                assert_eq!(Action::from_bytes(action.to_bytes()), Ok(action));
            }
            let view = deal.state().view(seat);
            encoder.update(&view, &mut planes, &mut scalars).unwrap();
            let held = deal.state().hand(seat).concealed();
            for (column, kind) in encoding.kinds().iter().enumerate() {
                assert_eq!(planes[column] == 1, held.get(*kind) > 0);
                if held.get(*kind) > 4 {
                    met.insert(*kind);
                }
            }
        });
        // Eight kings are often more than four in a hand.
        assert_eq!(met.is_empty(), id != "card-of-kings");
        for word in ["hora", "pon", "daiminkan"] {
            assert!(referee.words.contains(word), "{word}: {:?}", referee.words);
        }
    }
}

/// Compressed winds beside full ones are two more kinds for whatever a set has.
#[test]
fn compressed_winds_beside_full_ones_are_no_winds() {
    let text = KINGS.replace("\"ADGK\", count", "\"ADGKHV\", count");
    let rules = Rules::from_toml("more.toml", &text).unwrap();
    let counts = |hand: &str, id: &str| {
        let request = Request::won(&hand.parse().unwrap(), "9m".parse().unwrap());
        let told = rules.explain(&request, Notation::Ujmj).unwrap();
        told.patterns.iter().any(|one| one.id == id)
    };
    let id = "seat-wind-pung";
    let of = ["EEE", "SSS", "HHH", "VVV"].map(|pung| counts(&format!("123t456s9m{pung}CCC"), id));
    assert_eq!(of.iter().filter(|is| **is).count(), 1, "{of:?}");
    assert!(!of[2] && !of[3]);
    assert!(counts("9mSSSHHHVVVCCC", "all-pungs"));
}

/// What a set without the kind has is seen and numbered as before.
#[test]
fn other_rulesets_have_no_place_for_them() {
    for id in paishan::ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let observation = Observation::v1(rules.plan());
        assert!(
            observation
                .kinds()
                .iter()
                .all(|kind| !Kind::EXTRA.contains(kind)),
            "{id}"
        );
        let space = ActionSpace::of(rules.plan());
        let is_extra = |action: &Action| action.to_string().contains(['A', 'D', 'G', 'K']);
        assert!(!space.actions().iter().any(is_extra), "{id}");
    }
}

fn answer(source: &str, request: serde_json::Value) -> serde_json::Value {
    let mut responder = Responder::new();
    let mut ask = |request: serde_json::Value| {
        let request: Value = serde_json::from_value(request).unwrap();
        serde_json::to_value(responder.answer(&request)).unwrap()
    };
    ask(json!({"type": "rules", "rules": source}));
    ask(request)
}

#[test]
fn they_are_written_named_and_drawn() {
    let [kings, _] = rules();
    let tiles = Notation::Ujmj.parse("9mBADGK").unwrap();
    assert_eq!(Notation::Ujmj.print(tiles.iter().copied()), "9mBADGK");
    let names = kings.plan().tile_names();
    let name = |tile: &str, lang| names.tile(tile.parse().unwrap(), lang);
    assert_eq!(name("A", Lang::EN), "king of heaven");
    assert_eq!(name("K", Lang::ZH), "和王");
    assert_eq!(name("3t", Lang::EN), "3 of coins");
    let plain = Rules::by_id("woo").unwrap();
    let plain = |lang| plain.plan().tile_names().tile("K".parse().unwrap(), lang);
    assert_eq!([plain(Lang::EN), plain(Lang::ZH)], ["tile K", "牌 K"]);
    let row = Row {
        groups: vec![tiles.iter().map(|&tile| Piece::Up(tile)).collect()],
    };
    assert_eq!(text::row(&row), " 9  B  A  D  G  K\n m\n");
    let drawn: BTreeSet<String> = Kind::EXTRA
        .iter()
        .map(|&kind| {
            svg::row(&Row {
                groups: vec![vec![Piece::Up(kind.into())]],
            })
        })
        .collect();
    assert_eq!(drawn.len(), 4);
}

#[test]
fn other_notations_refuse_them() {
    assert!(
        rules()
            .iter()
            .all(|rules| !rules.plan().tiles().fits_mpsz())
    );
    let hand = json!({"type": "distance", "ruleset": "kings", "hand": "123m", "notation": "mpsz"});
    assert_eq!(answer(KINGS, hand)["error"]["code"], "bad-request");
    for notation in [Notation::Mpsz, Notation::Mjai] {
        assert!(notation.parse("A").is_err());
        assert_eq!(notation.print(Kind::EXTRA.map(Tile::plain)), "????");
    }
    let woo = json!({"type": "parse", "ruleset": "woo", "tiles": "K"});
    assert_eq!(answer(KINGS, woo)["error"]["code"], "tile-not-in-set");
}

/// The honour of a suit stands for that suit's honour alone.
#[test]
fn an_honour_belongs_to_its_suit() {
    let [kings, card] = rules();
    let is_complete = |rules: &Rules, hand: &str| {
        let hand: Holding = Holding::from(&hand.parse().unwrap());
        rules.plan().decomposer().is_complete(&hand)
    };
    for (suit, own) in [("t", "A"), ("s", "D"), ("m", "G")] {
        for other in ["A", "D", "G", "K"] {
            let hand = format!("1234567{suit}ADGK{}", other.repeat(3));
            assert_eq!(is_complete(&kings, &hand), own == other, "{hand}");
        }
    }
    for (suit, own) in [("t", "P"), ("s", "F"), ("m", "C")] {
        for other in ["C", "F", "P", "E"] {
            let hand = format!("5555666{suit}{}KKK", other.repeat(4));
            assert_eq!(is_complete(&card, &hand), own == other, "{hand}");
        }
    }
}
