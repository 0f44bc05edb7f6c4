//! Ùzje at the table: walls laid by hand, so that what hardly ever happens happens.

mod common;

use paishan::game::{Deal, Match, Observer};
use paishan::log::{Choice, Line, LogOptions, NextDeal, Recorder, replay};
use paishan::ruleset::{self, OptionValue};
use paishan::state::{Action, Way};
use paishan::{Kind, Notation, Player, Ruleset, Seat, Tile, Wall};
use std::sync::Arc;

fn uzje(options: &[(&str, OptionValue)]) -> Arc<dyn Ruleset> {
    let set: Vec<_> = options
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    ruleset::by_id("uzje", &set).unwrap()
}

fn tiles(text: &str) -> Vec<Tile> {
    Notation::Ujmj.parse(text).unwrap()
}

fn tile(text: &str) -> Tile {
    Notation::Ujmj.parse_one(text).unwrap()
}

fn kind(text: &str) -> Kind {
    tile(text).kind().unwrap()
}

/// A wall from which these hands are dealt, these tiles are drawn, and these replace flowers and
/// quads; the others lie in tile order. Player 0 deals.
fn wall(rules: &dyn Ruleset, hands: [&str; 4], front: &str, back: &str, dead: &str) -> Wall {
    let plan = rules.plan();
    let mut rest: Vec<Tile> = plan.tiles.iter().collect();
    let mut take = |text: &str| -> Vec<Tile> {
        let wanted = tiles(text);
        for tile in &wanted {
            let place = rest.iter().position(|t| t == tile);
            rest.swap_remove(place.unwrap_or_else(|| panic!("no {tile} is left")));
        }
        wanted
    };
    let hands = hands.map(&mut take);
    let (front, back, dead) = (take(front), take(back), take(dead));
    let mut order = Vec::new();
    for (from, size) in [(0, 4), (4, 4), (8, 4), (12, 1)] {
        for hand in &hands {
            assert_eq!(hand.len(), 13);
            order.extend(&hand[from..from + size]);
        }
    }
    order.extend(front);
    // Flowers that nobody asks for lie deep in the dead wall.
    rest.sort_by_key(|tile| tile.is_flower());
    let n = plan.tiles.len();
    let inner = n - 16 - back.len() - order.len();
    order.extend(rest.drain(..inner));
    order.extend(back.iter().rev());
    order.extend(dead);
    order.extend(rest);
    // A roll that makes player 0 the first dealer.
    let dice = vec![vec![1, 2, 2]];
    Wall::from_tiles(&plan.wall, &plan.tiles, 4, &order, &dice, (Seat::EAST, 5)).unwrap()
}

/// What the seats do, in order: a seat and its action. Who is asked beside passes; who is on turn
/// beside discards what he drew.
type Plan<'a> = &'a [(char, Action)];

struct Played {
    rules: Arc<dyn Ruleset>,
    lines: Vec<Line>,
    deltas: Vec<i64>,
    points: Vec<Option<i64>>,
    patterns: Vec<String>,
    ways: Vec<Way>,
    hands: Vec<String>,
}

/// Plays one deal; the log of it must replay.
fn play(rules: Arc<dyn Ruleset>, wall: Wall, plan: Plan<'_>) -> Played {
    let series_rules: &dyn Ruleset = &*rules;
    let mut series = Match::with_dealer(series_rules, 1, Player::FIRST);
    let options = LogOptions {
        names: vec!["rigged".to_owned(); 4],
        notation: Notation::Ujmj,
        viewer: None,
        with_legal: true,
        game: 0,
    };
    let mut lines = Vec::new();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    recorder.match_started(&series);
    let mut deal = Deal::start(series_rules, series.setup_with(wall), &mut recorder);
    let mut plan = plan.iter();
    let mut next = plan.next();
    while let Some(seat) = deal.state().deciding().next() {
        let legal = *deal.legal(seat);
        let action = match next {
            Some((letter, action)) if *letter == seat.letter() && legal.contains(*action) => {
                next = plan.next();
                *action
            }
            _ if legal.contains(Action::Pass) => Action::Pass,
            _ => legal.iter().last().unwrap(),
        };
        deal.act(seat, action, &mut recorder).unwrap();
    }
    assert_eq!(next, None, "not every planned action was legal");
    let outcome = deal.outcome().unwrap().clone();
    let after = series.record(deal.state(), &outcome);
    recorder.deal_ended(&series, deal.state(), &outcome, after);
    drop(recorder);
    let score = |seat| outcome.settlement.scores[seat].as_ref();
    let played = Played {
        deltas: Seat::all(4)
            .map(|seat| outcome.settlement.deltas[seat])
            .collect(),
        points: Seat::all(4)
            .map(|seat| score(seat).map(|score| score.points))
            .collect(),
        patterns: outcome
            .wins
            .iter()
            .flat_map(|(seat, _)| &score(*seat).unwrap().lines)
            .map(|line| {
                rules.plan().score.patterns[usize::from(line.pattern)]
                    .id
                    .clone()
            })
            .collect(),
        ways: outcome.wins.iter().map(|(_, win)| win.way).collect(),
        hands: Seat::all(4)
            .map(|seat| {
                let hand = deal.state().hand(seat);
                let melds: Vec<String> = hand.melds.iter().map(|m| m.group.to_string()).collect();
                format!("{} {}", Notation::Ujmj.print(hand.tiles()), melds.join(" "))
            })
            .collect(),
        lines,
        rules,
    };
    played.check_log();
    played
}

impl Played {
    /// The log of the one deal, ended as a game of one deal would be, replays.
    fn check_log(&self) {
        let mut lines = self.lines.clone();
        let in_force = self.rules.plan().options.iter();
        let mut options: Vec<_> = in_force
            .map(|(spec, value)| (spec.name.clone(), value.clone()))
            .collect();
        options.extend([
            ("length".to_owned(), "games".into()),
            ("games".to_owned(), 1.into()),
        ]);
        let short = ruleset::by_id("uzje", &options).unwrap();
        if let Some(Line::StartGame { options, .. }) = lines.first_mut() {
            *options = (&short.plan().options).into();
        }
        let scores = lines.iter().rev().find_map(|line| match line {
            Line::Hora { scores, .. } | Line::Ryukyoku { scores, .. } => Some(scores.clone()),
            _ => None,
        });
        let scores = scores.unwrap();
        let better = |mine: i64| scores.iter().filter(|score| score.tenths() > mine).count();
        let ranks = scores
            .iter()
            .map(|score| 1 + better(score.tenths()))
            .collect();
        if let Some(Line::EndKyoku { next }) = lines.last_mut() {
            *next = NextDeal::End;
        }
        lines.push(Line::EndGame { scores, ranks });
        if let Ok(folder) = std::env::var("RIGGED_LOGS") {
            let name = std::thread::current().name().unwrap_or("log").to_owned();
            let text: Vec<String> = lines
                .iter()
                .map(|line| serde_json::to_string(line).unwrap())
                .collect();
            std::fs::write(format!("{folder}/{name}.jsonl"), text.join("\n") + "\n").unwrap();
        }
        let replayed = replay(&lines, ruleset::by_id).unwrap_or_else(|error| panic!("{error:?}"));
        assert!(replayed.complete);
    }

    fn count(&self, wanted: impl Fn(&Line) -> bool) -> usize {
        self.lines.iter().filter(|line| wanted(line)).count()
    }
}

/// Hands that can do nothing.
const JUNK: [&str; 3] = ["1479s258bm1ftSSZ", "58cs69adm1ftWNFP", "269es37cem1ftNCC"];

#[test]
fn ivies_on_the_wall_are_won_on_another_players_flower() {
    let rules = uzje(&[]);
    let hands = [JUNK[0], "hijkopq36as14xm", "r269es37cem1ftNC", JUNK[1]];
    let wall = wall(&*rules, hands, "8s8m9m", "2s2s2s2m2m2m3m3m", "");
    let played = play(rules, wall, &[('S', Action::Win)]);
    assert_eq!(played.patterns, ["ivies-on-the-wall"]);
    assert_eq!(played.points, [None, Some(100), None, None]);
    assert_eq!(played.deltas, [0, 200, -200, 0]);
    assert_eq!(played.ways, [Way::Discard]);
}

#[test]
fn eight_dealt_flowers_cross_the_sea() {
    let rules = uzje(&[]);
    let hands = [JUNK[0], "hijkopqr36as14m", JUNK[2], JUNK[1]];
    let wall = wall(&*rules, hands, "8s8m", "2s2s2s2m2m2m3m3m", "");
    let played = play(rules, wall, &[('S', Action::Win)]);
    assert_eq!(played.patterns, ["crossing-the-sea"]);
    assert_eq!(played.deltas, [-5000, 15_000, -5000, -5000]);
    assert_eq!(played.ways, [Way::Wall]);
}

#[test]
fn six_flowers_are_won_at_once_or_never() {
    // Five are dealt, the sixth is drawn as a replacement.
    let deal = |plan: Plan<'_>| {
        let rules = uzje(&[]);
        let hands = [JUNK[0], "hijko36as14xdmW", JUNK[2], JUNK[1]];
        let wall = wall(&*rules, hands, "8s8m9m", "2s2s2sp2mq3m3m", "");
        play(rules, wall, plan)
    };
    let played = deal(&[('S', Action::Win)]);
    assert_eq!(played.patterns, ["six-flowers"]);
    assert_eq!(played.deltas, [-2, 6, -2, -2]);
    assert_eq!(played.ways, [Way::Replacement]);
    // Whoever passes is not asked again, though he keeps his flowers and gets a seventh.
    let played = deal(&[]);
    assert_eq!(played.points, [None; 4]);
    let asked = |line: &Line| {
        let Line::Decision {
            actor: 1, legal, ..
        } = line
        else {
            return false;
        };
        matches!(legal[..], [Choice::None, Choice::Hora { .. }])
    };
    assert_eq!(played.count(asked), 1);
    let flowers = |line: &Line| matches!(line, Line::Flower { actor: 1, .. });
    assert!(played.count(flowers) >= 7);
}

#[test]
fn an_added_quad_is_robbed_by_all_who_wait() {
    let rules = uzje(&[]);
    let hands = [
        "555m2789es1ftEES",
        "46m123s789mCCC99s",
        "37m456s89xmFFF88s",
        "5m14xs268bm1ftWNP",
    ];
    // North throws the 5 man that East makes a trip of; East's own is added a turn later.
    let wall = wall(&*rules, hands, "1s6mEes6sE", "4s4s", "");
    let n = kind("5m");
    let throw = Action::Discard {
        tile: n.into(),
        drawn: false,
    };
    let played = play(
        rules,
        wall,
        &[
            ('N', throw),
            ('E', Action::Pung),
            ('E', Action::AddedKong(n)),
            ('S', Action::Win),
            ('W', Action::Win),
        ],
    );
    assert_eq!(played.ways, [Way::RobbedKong; 2]);
    assert!(played.patterns.contains(&"quad-rob".to_owned()));
    assert!(played.hands[0].ends_with(" 555m"), "{}", played.hands[0]);
    assert!(played.deltas[0] < 0 && played.deltas[3] == 0);
    assert_eq!(played.deltas.iter().sum::<i64>(), 0);
    // Each win is booked by itself.
    let paid: Vec<_> = played
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Hora { actor, deltas, .. } => Some((*actor, deltas.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(paid.len(), 2);
    for (actor, deltas) in &paid {
        let paying: Vec<_> = (0..4).filter(|p| deltas[*p].tenths() != 0).collect();
        assert_eq!(paying, [0, *actor]);
    }
}

fn orphans_rob(quads: &str, plan: Plan<'_>) -> Played {
    let rules = uzje(&[("closed-quads", quads.into())]);
    let hands = [
        "1111t258bm36asEE",
        "ft1fs1fmESWNCFPP",
        "269es37cem88mNCC",
        "58cs69adm33mWNFZ",
    ];
    let wall = wall(&*rules, hands, "8s", "4s4s", "");
    play(rules, wall, plan)
}

#[test]
fn orphans_rob_a_closed_quad_that_is_shown() {
    let kong = Action::ConcealedKong(kind("1t"));
    let played = orphans_rob("shown", &[('E', kong), ('S', Action::Win)]);
    assert_eq!(played.patterns, ["thirteen-orphans"]);
    assert_eq!(played.deltas, [-10_000, 10_000, 0, 0]);
    assert!(played.hands[0].starts_with("111t"), "{}", played.hands[0]);
    let flags = |line: &Line| matches!(line, Line::Hora { flags, .. } if *flags == ["closed-kong"]);
    assert_eq!(played.count(flags), 1);
}

#[test]
fn orphans_challenge_a_hidden_quad_and_win_on_it() {
    let kong = Action::ConcealedKong(kind("1t"));
    let plan = [('E', kong), ('S', Action::Challenge), ('S', Action::Win)];
    let played = orphans_rob("hidden", &plan);
    assert_eq!(played.patterns, ["thirteen-orphans"]);
    let shown = |line: &Line| {
        matches!(
            line,
            Line::Challenge {
                actor: 1,
                target: 0,
                ..
            }
        )
    };
    assert_eq!(played.count(shown), 1);
}

#[test]
fn a_second_hidden_quad_may_be_challenged_by_all_and_stays_known() {
    let rules = uzje(&[("closed-quads", "hidden".into())]);
    let hands = [
        "4444s7777m36sESP",
        "269es35cem1ftNCC",
        "58cs69adm33mWWFZ",
        "28es35em1ftCCWNP",
    ];
    let wall = wall(&*rules, hands, "8s", "8m9mxmfm", "");
    let series = Match::with_dealer(&*rules, 1, Player::FIRST);
    let mut deal = Deal::start(&*rules, series.setup_with(wall), &mut ());
    let (east, south) = (Seat::EAST, Seat::EAST.after(1, 4));
    let melds = |deal: &Deal<_>, seat| -> Vec<bool> {
        let state: &paishan::state::DealState = Deal::<&dyn Ruleset>::state(deal);
        state
            .view(seat)
            .melds(east)
            .map(|meld| meld.is_some())
            .collect()
    };
    deal.act(east, Action::ConcealedKong(kind("4s")), &mut ())
        .unwrap();
    // The first quad passes: nobody waits on orphans.
    assert_eq!(deal.state().waiting(), paishan::SeatSet::one(east));
    assert_eq!(melds(&deal, east), [true]);
    assert_eq!(melds(&deal, south), [false]);
    let shown = deal.state().view(south).snapshot();
    assert_eq!(shown.melds[0][0].tiles, "????");
    deal.act(east, Action::ConcealedKong(kind("7m")), &mut ())
        .unwrap();
    assert_eq!(deal.state().waiting().len(), 3);
    for seat in [1, 2, 3].map(|step| east.after(step, 4)) {
        assert!(deal.state().view(seat).claimable().is_none());
        let action = if seat == south {
            Action::Challenge
        } else {
            Action::Pass
        };
        deal.act(seat, action, &mut ()).unwrap();
    }
    assert_eq!(deal.state().waiting(), paishan::SeatSet::one(east));
    assert_eq!(melds(&deal, south), [false, true]);
    assert_eq!(deal.state().view(south).turned().count(), 3);
}

#[test]
fn quads_in_a_row_are_counted_up_to_the_winning_draw() {
    let rules = uzje(&[]);
    // 4444s, then 7777m with the replacement, then the pair with the next one.
    let hands = [
        "4444s777m369sCCE",
        "269es35cem1ftNNF",
        "58cs69adm33mWWFZ",
        "28es35em1ftWNPPS",
    ];
    let wall = wall(&*rules, hands, "C", "7mE", "");
    let plan = [
        ('E', Action::ConcealedKong(kind("4s"))),
        ('E', Action::ConcealedKong(kind("7m"))),
        ('E', Action::Win),
    ];
    let played = play(rules, wall, &plan);
    assert_eq!(played.ways, [Way::Replacement]);
    assert!(
        played.patterns.contains(&"multi-quad-draw".to_owned()),
        "{:?}",
        played.patterns
    );
    assert!(!played.patterns.contains(&"quad-draw".to_owned()));
    let two = |line: &Line| matches!(line, Line::Hora { quads: Some(2), .. });
    assert_eq!(played.count(two), 1);
    assert_eq!(played.count(|line| matches!(line, Line::Dora { .. })), 2);
}

#[test]
fn no_quad_in_the_turn_of_a_claimed_trip() {
    let rules = uzje(&[]);
    let hands = [
        "7777m55m279es1ftE",
        "36as14xdm1fsWNFP",
        "269es38cem1ftNCC",
        "5m14xs268bm1ftWFP",
    ];
    let wall = wall(&*rules, hands, "1s6mE6s", "4s4s", "");
    let series = Match::with_dealer(&*rules, 1, Player::FIRST);
    let mut deal = Deal::start(&*rules, series.setup_with(wall), &mut ());
    let quad = Action::ConcealedKong(kind("7m"));
    assert!(deal.legal(Seat::EAST).contains(quad));
    let five = Action::Discard {
        tile: tile("5m"),
        drawn: false,
    };
    while !deal.legal(Seat::EAST).contains(Action::Pung) {
        let seat = deal.state().deciding().next().unwrap();
        let legal = *deal.legal(seat);
        let action = if legal.contains(Action::Pass) {
            Action::Pass
        } else if seat.letter() == 'N' {
            five
        } else {
            legal.iter().last().unwrap()
        };
        deal.act(seat, action, &mut ()).unwrap();
    }
    deal.act(Seat::EAST, Action::Pung, &mut ()).unwrap();
    assert!(!deal.legal(Seat::EAST).contains(quad));
    assert!(!deal.legal(Seat::EAST).is_empty());
}
