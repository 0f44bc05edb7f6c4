//! Rulesets that nobody built in: wide tile sets, three to six players, other claims; and files
//! with anything wrong in them.

use crate::common::{agents, game_log};
use paishan::game::{Deal, Match};
use paishan::log::replay;
use paishan::random::Stream;
use paishan::ruleset::{self, Plan, Rules, Ruleset, Source};
use paishan::score::{PaymentReason, Score, ScoreError, ScoreInput, Settlement};
use paishan::simulate::{Summary, play};
use paishan::state::{Action, DealState, Legal, MeldTiles, OnTable, Phase, Way, Win};
use paishan::{Group, Kind, Notation, Seat, Suit, Tile, game_seed};
use proptest::prelude::*;
use std::sync::Arc;

fn load(text: &str) -> Rules {
    match Rules::from_toml("test.toml", text) {
        Ok(rules) => rules,
        Err(error) => panic!("{error}"),
    }
}

/// Sixteen ranks, a zero, compressed winds, every arith, gems and powers, open pungs that grow,
/// flowers laid down before play.
fn wide(players: usize) -> Rules {
    load(&format!(
        r#"
[ruleset]
id = "wide"
extends = "woo"
players = {players}

[options.rounds]
default = 3

[tiles]
copies = [
    {{ tiles = "123456789xabcdefs123456789xabcdefm1ft", count = 4 }},
    {{ tiles = "ZHVCFP", count = 4 }},
]

[tiles.classes]
simple = "23456789xabcdes23456789xabcdem"
terminal = "1ft1fs1fm"
wind = "HV"
honour = "ZHVCFP"

[wall]
spare-stacks = "first"
ring = "against-turns"
replacements = "before-reserve"

[aside.flower]
tiles = "hijkopqr"

[deal]
first = "dealer"

[melds.chow]
steps = "all"
zero = true

[melds.gem]
family = "gem"
shapes = ["124", "248", "48f", "139"]

[melds.power]
family = "power"
shapes = ["014", "149", "49f", "018"]

[turn]
lay-down = []

[claims]
winners = "all"

[claims.win]
completes = ["pair", "pung", "arith", "gem", "power"]
chow-from-anyone = true

[kongs]
claimed-on-laid = false
added-to = "claimed"
"#
    ))
}

/// How many tiles are held, on the table and in the wall.
fn tiles_in_play(state: &DealState) -> usize {
    let of_seat = |seat| {
        let hand = state.hand(seat);
        let melds: usize = hand.melds().iter().map(|meld| meld.group().len()).sum();
        hand.concealed_len() + melds + hand.aside().len()
    };
    let loose = state.discards().iter().filter(|d| !d.claimed).count();
    let held: usize = Seat::all(state.players()).map(of_seat).sum();
    held + loose + state.turned().len() + state.wall().remaining()
}

/// Plays deals with random actions, winning where possible, and checks sizes and tiles.
fn check_play(rules: &dyn Ruleset, games: u64) -> (usize, usize) {
    let players = rules.plan().players();
    let (mut wins, mut runs_with_zero) = (0, 0);
    for game in 0..games {
        let seed = game_seed(12, game);
        let series = Match::new(rules, seed);
        let mut stream = Stream::new(seed, 50);
        let mut deal = series.start_deal();
        while let Some(seat) = deal.state().waiting().first() {
            let legal = deal.legal(seat).clone();
            let action = if legal.contains(Action::Win) {
                Action::Win
            } else {
                legal
                    .nth(stream.below(legal.len() as u32) as usize)
                    .unwrap()
            };
            deal.act(seat, action).unwrap();
            assert_eq!(tiles_in_play(deal.state()), rules.plan().tiles().len());
        }
        let outcome = deal.outcome().unwrap();
        wins += outcome.wins().len();
        for seat in Seat::all(players) {
            runs_with_zero += deal
                .state()
                .hand(seat)
                .melds()
                .iter()
                .filter(|meld| meld.group().to_string().starts_with('0'))
                .count();
        }
    }
    (wins, runs_with_zero)
}

#[test]
fn wide_sets_are_played_by_three_to_six() {
    for players in 3..=6 {
        let rules = wide(players);
        let (_, runs_with_zero) = check_play(&rules, 40);
        assert!(runs_with_zero > 0);
        for agent in ["random", "first"] {
            let lines = game_log(&rules, agent, game_seed(4, 2), None, true);
            let again = |id: &str, _: &[_]| {
                assert_eq!(id, "wide");
                Ok(wide(players))
            };
            assert_eq!(replay(&lines, again).unwrap().hands, 3);
        }
    }
}

#[test]
fn greedy_players_win_wide_games() {
    let rules = wide(3);
    let mut summary = Summary::default();
    play(&rules, &mut agents(&rules, "greedy"), 3, &mut summary).unwrap();
    assert_eq!(summary.deals, 3);
    assert!(summary.won() > 0);
}

#[test]
fn several_may_win_on_one_discard() {
    let text = r#"
[ruleset]
id = "all-win"
extends = "woo"
[claims]
winners = "all"
[claims.win]
completes = ["pair", "pung", "arith"]
chow-from-anyone = true
"#;
    let rules = load(text);
    let mut together = 0;
    for game in 0..400 {
        let lines = game_log(&rules, "greedy", game_seed(90, game), None, false);
        let winners = lines.split(|line| matches!(line, paishan::log::Line::EndKyoku { .. }));
        for deal in winners {
            let wins = deal
                .iter()
                .filter(|line| matches!(line, paishan::log::Line::Hora { .. }))
                .count();
            together += usize::from(wins > 1);
        }
        if together > 0 {
            let done = replay(&lines, |_: &str, _: &[_]| Ok(load(text))).unwrap();
            assert!(done.complete);
            return;
        }
    }
    panic!("no two players ever won together");
}

#[test]
fn red_fives_and_runs_with_the_zero_tile_are_refused_together() {
    let text = "[ruleset]\nid=\"x\"\nname=\"x\"\nextends=\"uzje\"\n[tiles]\nred-fives=[1,0,1]\n";
    let error = Rules::from_toml("x.toml", text).unwrap_err();
    assert!(error.to_string().contains("red fives"), "{error}");
}

/// Indicators that lie side by side have nothing under them.
#[test]
fn without_under_indicators_nothing_counts_for_them() {
    let rules = load(
        "[ruleset]\nid=\"x\"\nname=\"x\"\nextends=\"uzje\"\n
         [patterns.under]\nname=\"Under\"\nfan=1\nwhen=\"ura-dora >= 1\"\n",
    );
    let mut wins = 0;
    for game in 0..20 {
        for line in game_log(&rules, "greedy", game_seed(5, game), None, false) {
            if let paishan::log::Line::Hora(hora) = line {
                wins += 1;
                assert!(hora.yakus.unwrap().iter().all(|(id, _)| id != "under"));
            }
        }
    }
    assert!(wins > 30, "{wins}");
}

/// A card of concrete hands, forms of seventeen tiles, and wild tiles that no pair may have.
#[test]
fn forms_may_have_any_groups() {
    let complete = |rules: &Rules, tiles: &str, melds: &[&str]| {
        let set = rules.plan().tiles();
        let tiles = Notation::Ujmj.parse(tiles).unwrap();
        let melds: Vec<paishan::Meld> = melds
            .iter()
            .map(|text| {
                let tiles = Notation::Ujmj.parse(text).unwrap();
                let group = rules.plan().decomposer().grammar();
                let kinds: Vec<paishan::Kind> =
                    tiles.iter().filter_map(|tile| tile.kind()).collect();
                let group = group.meld_of(&kinds).unwrap();
                paishan::Meld::claimed(group, tiles[0], paishan::Seat::EAST).unwrap()
            })
            .collect();
        let groups = rules.plan().decomposer().grammar().groups();
        let hand = paishan::Hand::try_new_for(groups, set, &tiles, &melds, &[]).unwrap();
        rules.plan().decomposer().is_complete(&(&hand).into())
    };
    let card = load(
        r#"
[ruleset]
id = "card"
extends = "mcr"
[forms.stairs]
groups = "pair r a, kong r+1 a, kong r+2 b, kong r+3 c"
concealed = false
[forms.steps]
groups = "pung r a, pung r+1 a, pung r b, pung r+1 b, pair E"
concealed = false
[forms.ladder]
groups = ["each 123456789 a, pung r b, pair r c", "each 123456789 a, pung dragon, pair wind"]
"#,
    );
    assert!(complete(&card, "22s3333s4444t5555m", &[]));
    // A declared kong takes three tiles of the hand, so the fourteen tiles of the form are not all of it.
    assert!(!complete(&card, "22s3333s4444t1m", &["5555m"]));
    assert!(complete(&card, "555s666sEE555t666t", &[]));
    assert!(complete(&card, "555s666sEE555t", &["666t"]));
    assert!(complete(&card, "EE", &["555s", "666s", "555t", "666t"]));
    assert!(!complete(&card, "55s667sEE555t666t1m", &[]));
    assert!(complete(&card, "123456789m444t44s", &[]));
    assert!(complete(&card, "123456789mCCCEE", &[]));
    let long = load(
        r#"
[ruleset]
id = "long"
extends = "taiwanese"
[forms.pairs-and-group]
groups = "pairs(7), group"
[forms.eight-pairs]
groups = "pairs(8), single any"
"#,
    );
    assert!(complete(&long, "1155t2288s3399m44s555m", &[]));
    assert!(complete(&long, "1155t2288s3399m44sEE1s", &[]));
    assert!(!complete(&long, "1155t2288s3399m44sE12s", &[]));
}

#[test]
fn forms_of_single_tiles_and_pairs_win() {
    let rules = load(
        r#"
[ruleset]
id = "forms"
extends = "woo"
[forms.seven-pairs]
groups = "pairs(7, distinct)"
[forms.orphans]
groups = "each 19t19s19mESWNCFP, single 19t19s19mESWNCFP"
[patterns.orphans]
limits = 1
when = "form is orphans"
[patterns.pairs]
bonus = 30
when = "form is seven-pairs"
"#,
    );
    let score = |hand: &str, tile: &str| {
        let tiles = Notation::Ujmj.parse(hand).unwrap();
        let hand = paishan::Hand::try_new(rules.plan().tiles(), &tiles, &[], &[]).unwrap();
        let win = paishan::state::Win {
            tile: Notation::Ujmj.parse_one(tile).unwrap(),
            way: paishan::state::Way::Wall,
            from: None,
            flags: paishan::state::FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        let score = rules
            .score_hand(&paishan::score::ScoreInput::new(
                &hand,
                Seat::EAST,
                paishan::Wind::East,
                Some(&win),
            ))
            .unwrap();
        let counted: Vec<String> = score
            .lines
            .iter()
            .map(|line| {
                rules.plan().score().patterns()[usize::from(line.pattern)]
                    .id
                    .clone()
            })
            .collect();
        (score.points, counted)
    };
    let (points, counted) = score("19t19s19mESWNCFP", "E");
    assert_eq!(points, 300);
    assert!(counted.contains(&"orphans".to_owned()));
    let (_, counted) = score("1133557799tEEC", "C");
    assert!(counted.contains(&"pairs".to_owned()));
    // Two runs twice and a pair: read as groups or as pairs, whichever is worth more.
    let (_, counted) = score("112233t445566sE", "E");
    assert!(counted.contains(&"pairs".to_owned()));
}

/// Changes somewhere in a ruleset text.
fn mangled(edits: &[(usize, u8)]) -> String {
    let mut lines: Vec<String> = ruleset::text("woo")
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    for &(at, what) in edits {
        let i = at % lines.len();
        let j = (at / 7) % lines.len();
        match what % 8 {
            0 => drop(lines.remove(i)),
            1 => lines.swap(i, j),
            2 => {
                let line = lines[j].clone();
                lines.insert(i, line);
            }
            3 => lines[i] = lines[i].replace(|c: char| c.is_ascii_digit(), "9"),
            4 => {
                let keep: String = lines[i].chars().take(at % 13).collect();
                lines[i] = keep;
            }
            5 => lines[i] = lines[i].replace("true", "false").replace("pung", "arith"),
            6 => lines[i] = lines[i].replace('"', ""),
            _ => lines[i] = lines[i].replace('4', "1").replace("14", "100"),
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_loads_plays_and_what_does_not_says_where(
        edits in proptest::collection::vec((0usize..100_000, any::<u8>()), 1..4)
    ) {
        let text = mangled(&edits);
        match Rules::from_toml("m.toml", &text).and_then(|rules| rules.with("rounds", 1)) {
            Ok(rules) => {
                let mut summary = Summary::default();
                play(&rules, &mut agents(&rules, "random"), 1, &mut summary).unwrap();
                prop_assert!(summary.deals > 0);
            }
            Err(ruleset::LoadError::Text(error)) => {
                prop_assert!(error.line >= 1 && error.column >= 1);
                prop_assert!(error.line <= text.lines().count() + 1);
            }
            Err(_) => {}
        }
    }

    #[test]
    fn any_text_is_loaded_or_refused(text in "\\PC{0,200}") {
        let _ = Rules::from_toml("m.toml", &text);
        let quoted = format!("[ruleset]\nid=\"m\"\nextends=\"woo\"\n[patterns.x]\npoints=2\nwhen={text:?}\n");
        let _ = Rules::from_toml("m.toml", &quoted);
    }
}

/// The merged file of every ruleset loads by itself to the same rules: the hash and whole games say so.
#[test]
fn merged_files_are_the_same_rules() {
    for id in ruleset::ids() {
        let source = Source::BuiltIn(id.to_owned());
        let merged = source.resolved().unwrap();
        let file = Source::text("merged", merged);
        // Short games, where one may choose.
        let rules = source.load(&[]).unwrap();
        let options = rules
            .plan()
            .options()
            .iter()
            .filter(|(spec, _)| spec.name == "rounds");
        let options: Vec<_> = options
            .map(|(spec, _)| (spec.name.clone(), 1.into()))
            .collect();
        let [rules, again] = [&source, &file].map(|source| source.load(&options).unwrap());
        assert_eq!(
            rules.plan().content_hash(),
            again.plan().content_hash(),
            "{id}"
        );
        assert_eq!(
            game_log(&rules, "greedy", 3, None, true),
            game_log(&again, "greedy", 3, None, true)
        );
        assert_eq!(source.differences(&file).unwrap(), [], "{id}");
    }
}

#[test]
fn the_hash_of_rules_is_of_the_rules_alone() {
    let hash = |text: &str| load(text).plan().content_hash();
    let woo = Rules::by_id("woo").unwrap();
    let plain = "ruleset.extends = \"woo\"\n";
    assert_eq!(hash(plain), woo.plan().content_hash());
    let documented = "ruleset.extends = \"woo\"\noptions.cap.doc = \"another text\"\n";
    assert_eq!(hash(documented), woo.plan().content_hash());
    let worth = |value: &str| {
        hash(&format!(
            "ruleset.extends = \"uzje\"\npatterns.self-draw.fan = {value}\n"
        ))
    };
    assert_eq!(worth("3"), worth("3.0"));
    assert_ne!(worth("3"), worth("3.2"));
    let changed = "ruleset.extends = \"woo\"\noptions.cap.default = 500\n";
    assert_ne!(hash(changed), woo.plan().content_hash());
    let set = Rules::by_id_with("woo", &[("cap".to_owned(), 500.into())]).unwrap();
    assert_ne!(set.plan().content_hash(), woo.plan().content_hash());
}

#[test]
fn differences_are_told_in_the_language_of_rules() {
    let text = r#"
ruleset = { id = "my", extends = "uzje" }
options.threshold.default = 3.5
patterns.self-draw.fan = 8.0
patterns.quad-rob-2s = { enabled = false }
patterns.brand-new = { fan = 2.0, when = "suits == 2", doc = "Two suits" }
penalties.dead-hand.src = "ours"
"#;
    let mine = Source::text("my.toml", text);
    let found = Source::BuiltIn("uzje".into()).differences(&mine).unwrap();
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    let expected = [
        "ruleset id: \"uzje\" → \"my\"",
        "option threshold, default: 2.5 → 3.5",
        "pattern self-draw, fan: 1 → 8",
        "pattern quad-rob-2s, enabled: new, false",
        "pattern brand-new: new, { fan = 2, when = \"suits == 2\", doc = \"Two suits\" }",
        "penalties: new, { dead-hand = { src = \"ours\" } }",
    ];
    assert_eq!(found, expected);
}

#[test]
fn requests_may_bring_their_rules() {
    let rules = "ruleset = { id = \"my\", extends = \"uzje\" }\npatterns.self-draw.fan = 8.0\n";
    let ask = |rules: &str| {
        let request = serde_json::json!({
            "id": 1, "type": "score", "rules": rules, "round": "E",
            "player": { "seat": "E", "hand": "123s456s789sEECC", "melds": [], "flowers": "" },
            "win": { "tile": "C", "by": "wall", "from": null, "flags": [] },
        });
        let request = serde_json::from_value(request).unwrap();
        serde_json::to_value(paishan::protocol::answer(&request)).unwrap()
    };
    let worth = |rules: &str| ask(rules)["fan"].as_f64().unwrap();
    let plain = worth("ruleset.extends = \"uzje\"");
    assert!((worth(rules) - plain - 7.0).abs() < 1e-9, "{}", ask(rules));
    let fault = ask("ruleset.extends = \"uzje\"\npatterns.self-draw.valu = 8.0\n");
    assert_eq!(fault["error"]["code"], "bad-request");
    let message = fault["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("rules:2:20: unknown key `valu`"),
        "{message}"
    );
}

/// A type that gives its plan and nothing else.
#[derive(Debug)]
struct PlanAlone(Rules);

impl Ruleset for PlanAlone {
    fn plan(&self) -> &Arc<Plan> {
        self.0.plan()
    }
}

#[test]
fn a_type_with_its_plan_alone_plays_as_the_file_does() {
    for id in ruleset::ids() {
        // Imagining hands of 16 ranks takes long.
        let greedy_games = if id == "uzje" { 0 } else { 1 };
        for (agent, games) in [("random", 2), ("greedy", greedy_games)] {
            let file = Rules::by_id(id).unwrap();
            let own = PlanAlone(file.clone());
            for game in 0..games {
                let seed = game_seed(31, game);
                let theirs = game_log(&file, agent, seed, None, true);
                assert_eq!(game_log(&own, agent, seed, None, true), theirs, "{id}");
            }
        }
    }
}

/// Offers every action that there is, or takes all away.
#[derive(Debug)]
struct Reckless {
    rules: Rules,
    inserts: bool,
}

fn every_action(plan: &Plan) -> Vec<Action> {
    let grammar = plan.decomposer().grammar();
    let mut all = vec![
        Action::Win,
        Action::Stand,
        Action::Riichi,
        Action::NineOrphans,
        Action::EndMatch,
        Action::FalseWin,
        Action::Challenge,
    ];
    let runs = Suit::ALL.into_iter().flat_map(|suit| {
        let shapes = grammar.shapes();
        shapes.map(move |(_, shape)| shape.group(suit))
    });
    let pungs = Kind::all().map(Group::pung);
    for group in runs.chain(pungs) {
        all.push(Action::Lay(group));
        let tiles = (0..4).filter_map(|reds| MeldTiles::from(group).with_reds(reds));
        all.extend(tiles.map(Action::Claim));
    }
    all.extend(Kind::all().map(|kind| Action::claim(Group::kong(kind))));
    let tiles = Kind::all().map(Tile::plain);
    for tile in tiles.chain(Suit::ALL.map(Tile::red_five)) {
        all.extend([false, true].map(|drawn| Action::Discard { tile, drawn }));
    }
    for kind in Kind::all() {
        let own = [Action::ConcealedKong, Action::AddedKong];
        all.extend(own.map(|action| action(kind)));
    }
    all
}

impl Ruleset for Reckless {
    fn plan(&self) -> &Arc<Plan> {
        self.rules.plan()
    }

    fn adjust(&self, _: &DealState, _: Seat, legal: &mut Legal) {
        if !self.inserts {
            legal.retain(|_| false);
            assert!(legal.is_empty());
            return;
        }
        for action in every_action(self.plan()) {
            let has_it = legal.contains(action);
            assert_eq!(legal.allow(action), legal.contains(action));
            assert!(!has_it || legal.contains(action));
        }
    }
}

#[test]
fn what_a_type_of_ones_own_adds_is_what_the_table_can_carry_out() {
    for id in ruleset::ids() {
        let rules = Reckless {
            rules: Rules::by_id(id).unwrap(),
            inserts: true,
        };
        let mut claims = 0;
        for game in 0..6 {
            let series = Match::new(&rules, game_seed(8, game));
            let mut deal = Deal::start(&rules, series.state().setup());
            let mut stream = Stream::new(game, 3);
            while let Some(seat) = deal.state().waiting().first() {
                let legal = deal.legal(seat).clone();
                assert!(!legal.is_empty());
                // What announcements there are the procedures offer.
                let has = |procedure: bool, action| assert!(procedure || !legal.contains(action));
                let procedures = &rules.plan().procedures();
                has(procedures.riichi.is_some(), Action::Riichi);
                has(procedures.fishing.is_some(), Action::Stand);
                has(procedures.false_win.is_some(), Action::FalseWin);
                has(procedures.challenge.is_some(), Action::Challenge);
                let action = legal.pick(|len| stream.below(len as u32) as usize).unwrap();
                deal.act(seat, action).unwrap();
                // A robbed tile lies in no hand when the deal is over.
                let robbed = deal.outcome().is_some_and(|outcome| {
                    let first = outcome.wins().first();
                    first.is_some_and(|(_, win)| win.way == Way::RobbedKong)
                        && deal.state().wins().is_empty()
                });
                assert_eq!(
                    tiles_in_play(deal.state()) + usize::from(robbed),
                    rules.plan().tiles().len(),
                    "{id} {action:?}"
                );
            }
            let outcome = deal.outcome().unwrap();
            assert_eq!(outcome.fault, None, "{id}");
            claims += deal.state().claims();
        }
        assert!(claims > 0, "{id}");
    }
}

#[test]
fn a_seat_on_turn_keeps_something_to_do() {
    let rules = Reckless {
        rules: Rules::by_id("riichi-mcgill").unwrap(),
        inserts: false,
    };
    let series = Match::new(&rules, 5);
    let mut deal = Deal::start(&rules, series.state().setup());
    while let Some(seat) = deal.state().waiting().first() {
        assert!(matches!(deal.state().phase(), Phase::Turn(_)));
        let action = deal.legal(seat).iter().last().unwrap();
        deal.act(seat, action).unwrap();
    }
    assert_eq!(deal.state().claims(), 0);
}

/// Refuses to score wins, in one of two ways, and pays a bonus for every one.
#[derive(Debug)]
struct Refusing {
    rules: Rules,
    error: ScoreError,
    offers_wins: bool,
}

impl Ruleset for Refusing {
    fn plan(&self) -> &Arc<Plan> {
        self.rules.plan()
    }

    fn score_hand(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
        match input.win {
            Some(_) => Err(self.error.clone()),
            None => self.rules.score_hand(input),
        }
    }

    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        match self.offers_wins {
            true => self.rules.may_win(state, seat, win),
            false => {
                let ask = |input: &ScoreInput<'_>| self.has_score(input);
                self.plan().ask_about_win(state, seat, win, ask)
            }
        }
    }

    fn adjust_settlement(&self, _: &DealState, wins: &[(Seat, Win)], settlement: &mut Settlement) {
        if let Some(&(winner, _)) = wins.first() {
            let from = winner.next(self.plan().players());
            settlement.transfer(from, winner, 100, PaymentReason::HouseRule);
        }
    }
}

#[test]
fn wins_that_a_score_refuses_are_not_offered_and_never_paid() {
    for id in ["traditional", "celestial", "woo", "riichi-mcgill"] {
        let refusing = |error, offers_wins| Refusing {
            rules: Rules::by_id(id).unwrap(),
            error,
            offers_wins,
        };
        let not_offered = refusing(ScoreError::NotAWin, false);
        let series = Match::new(&not_offered, 3);
        let mut deal = Deal::start(&not_offered, series.state().setup());
        let mut players = agents(&not_offered, "greedy");
        while let Some(seat) = deal.state().deciding().next() {
            let legal = deal.legal(seat).clone();
            assert!(!legal.contains(Action::Win), "{id}");
            let action = players[seat.index()].decide(&deal.state().view(seat), &legal);
            deal.act(seat, action).unwrap();
        }
        assert_eq!(deal.outcome().unwrap().fault, None);
        for error in [ScoreError::NotAWin, ScoreError::NotScored] {
            let offered = refusing(error.clone(), true);
            let (mut faults, mut seed) = (0, 0);
            while faults == 0 {
                seed += 1;
                let mut series = Match::new(&offered, seed);
                let mut deal = Deal::start(&offered, series.state().setup());
                while let Some(seat) = deal.state().deciding().next() {
                    let view = deal.state().view(seat);
                    let action = players[seat.index()].decide(&view, deal.legal(seat));
                    deal.act(seat, action).unwrap();
                }
                let outcome = deal.outcome().unwrap();
                if outcome.wins().is_empty() {
                    continue;
                }
                faults += 1;
                assert_eq!(outcome.fault, Some(error.clone()), "{id}");
                assert!(
                    outcome
                        .settlement
                        .deltas
                        .into_iter()
                        .all(|delta| delta == 0)
                );
                assert!(series.finish(&deal).is_err());
            }
        }
    }
}

/// Settles a deal that nobody won in a way of its own: East pays South a point.
#[derive(Debug)]
struct PaysForDraws(Rules);

impl Ruleset for PaysForDraws {
    fn plan(&self) -> &Arc<Plan> {
        self.0.plan()
    }

    fn settle_hands(
        &self,
        hands: &[ScoreInput<'_>],
        table: OnTable,
    ) -> Result<Settlement, ScoreError> {
        let mut settlement = self.0.settle_hands(hands, table)?;
        if hands.iter().all(|hand| hand.win.is_none()) {
            settlement.transfer(Seat::EAST, Seat::SOUTH, 1, PaymentReason::HouseRule);
        }
        Ok(settlement)
    }
}

/// A type that overrides `settle` settles used-up walls, too, where its plan pays nothing for them.
#[test]
fn a_type_of_ones_own_settles_a_wall_that_is_used_up() {
    let rules = PaysForDraws(Rules::by_id("hong-kong-old-style").unwrap());
    let series = Match::new(&rules as &dyn Ruleset, 7);
    let mut deal = series.start_deal();
    while let Some(seat) = deal.state().deciding().next() {
        // Nobody claims or wins. A pass comes first, and the tile just drawn last.
        let legal = deal.legal(seat);
        let pass = legal.contains(Action::Pass).then_some(Action::Pass);
        let action = pass.or(legal.iter().last()).expect("an action");
        deal.act(seat, action).unwrap();
    }
    let outcome = deal.outcome().unwrap();
    assert!(outcome.wins().is_empty());
    assert_eq!(outcome.settlement.deltas[Seat::SOUTH], 1);
}
