//! Whole games: determinism, conservation of tiles, legality, replay.

use crate::common::{agents, all_tiles, game_log, golden, with, woo};
use paishan::agent::{self, Agent};
use paishan::game::{
    ActionError, Deal, Match, MatchState, Moves, MovesError, Next, Observer, Outcome,
};
use paishan::log::{Line, LogFault, LogOptions, Recorder, ReplayError, replay};
use paishan::meld::Family;
use paishan::random::Stream;
use paishan::ruleset::{self, Plan, Ruleset};
use paishan::simulate::play;
use paishan::state::{Action, DealState, Ending, Event, Legal, Phase, View};
use paishan::{Kind, Player, Rules, Seat, Tile, game_seed};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Checks [`Legal::discard_of`] against all legal actions.
struct DiscardsOfKinds(usize);

impl Observer for DiscardsOfKinds {
    fn decided(&mut self, _: &DealState, _: Seat, legal: &Legal, _: Action) {
        for kind in Kind::all() {
            let of_kind = |action: &Action| match action {
                Action::Discard { tile, .. } => tile.kind() == Some(kind),
                _ => false,
            };
            let is_red =
                |action: &Action| matches!(action, Action::Discard { tile, .. } if tile.is_red());
            let best = legal.iter().filter(of_kind).min_by_key(is_red);
            assert_eq!(legal.discard_of(kind), best);
            self.0 += legal.iter().filter(of_kind).filter(is_red).count();
        }
    }
}

#[test]
fn the_discard_of_a_kind_is_a_plain_tile_if_there_is_one() {
    let mut reds = DiscardsOfKinds(0);
    for id in ["riichi-tenhou", "uzje"] {
        let rules = Rules::by_id(id).unwrap();
        for game in 0..4 {
            let seed = game_seed(3, game);
            play(&rules, &mut agents(&rules, "random"), seed, &mut reds).unwrap();
        }
    }
    assert!(reds.0 > 100, "{}", reds.0);
}

/// Counts how often each kind of decision was taken.
#[derive(Default)]
struct Taken {
    claimed_kongs: u32,
    own_kongs: u32,
    wins: u32,
}

impl Observer for Taken {
    fn decided(&mut self, _: &DealState, _: Seat, _: &Legal, action: Action) {
        match action {
            Action::Claim(tiles) if tiles.group().len() == 4 => self.claimed_kongs += 1,
            Action::ConcealedKong(_) | Action::AddedKong(_) => self.own_kongs += 1,
            Action::Win => self.wins += 1,
            _ => {}
        }
    }
}

#[test]
fn every_ruleset_has_kongs_and_wins() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let mut taken = Taken::default();
        for game in 0..60 {
            let seed = game_seed(3, game);
            play(&rules, &mut agents(&rules, "random"), seed, &mut taken).unwrap();
        }
        assert!(taken.claimed_kongs > 0, "{id}");
        // A kong without a replacement is only claimed. Players at random make no hand of a card.
        let is_card = !rules.plan().play().kong_replacement;
        assert!(taken.own_kongs > 0 || is_card, "{id}");
        assert!(taken.wins > 0 || is_card, "{id}");
    }
}

#[test]
fn tiles_are_conserved_and_hands_have_their_size() {
    for (i, rules) in [
        woo(),
        with(&[("flowers", 1.into())]),
        with(&[("chow-from", "next".into())]),
    ]
    .into_iter()
    .enumerate()
    {
        let all: Vec<Tile> = rules.plan().tiles().iter().collect();
        for game in 0..40 {
            let seed = game_seed(i as u64, game);
            let series = Match::new(&rules, seed);
            let mut deal = series.start_deal();
            let mut stream = Stream::new(seed, 99);
            while let Some(seat) = deal.state().waiting().first() {
                let state = deal.state();
                assert_eq!(all_tiles(state), all);
                for other in Seat::all(4) {
                    let on_turn = matches!(state.phase(), Phase::Turn(turn) if turn.seat == other);
                    assert_eq!(state.hand(other).size(), 13 + usize::from(on_turn));
                }
                let legal = deal.legal(seat).clone();
                assert!(!legal.is_empty());
                let action = legal
                    .nth(stream.below(legal.len() as u32) as usize)
                    .unwrap();
                deal.act(seat, action).unwrap();
            }
            assert!(deal.outcome().is_some());
        }
    }
}

#[test]
fn what_is_not_legal_is_refused_and_changes_nothing() {
    let rules = woo();
    let series = Match::new(&rules, 5);
    let mut deal = series.start_deal();
    let east = Seat::EAST;
    let south = east.after(1, 4);
    let before = deal.state().clone();
    let pass = deal.act(east, Action::Pass);
    assert_eq!(
        pass,
        Err(ActionError::NotLegal {
            seat: east,
            action: Action::Pass
        })
    );
    let discard = deal.legal(east).iter().last().unwrap();
    let early = deal.act(south, discard);
    assert_eq!(early, Err(ActionError::NotWaiting { seat: south }));
    assert_eq!(*deal.state(), before);
    while let Some(seat) = deal.state().waiting().first() {
        let action = deal.legal(seat).nth(0).unwrap();
        deal.act(seat, action).unwrap();
    }
    assert_eq!(deal.act(east, discard), Err(ActionError::Over));
}

#[test]
fn a_clone_is_a_snapshot() {
    let rules = woo();
    let series = Match::new(&rules, 21);
    let mut deal = series.start_deal();
    let mut other = None;
    for step in 0.. {
        let Some(seat) = deal.state().waiting().first() else {
            break;
        };
        if step == 30 {
            other = Some(deal.clone());
        }
        let action = deal.legal(seat).nth(0).unwrap();
        deal.act(seat, action).unwrap();
    }
    let mut other = other.unwrap();
    assert_ne!(other.state(), deal.state());
    while let Some(seat) = other.state().waiting().first() {
        let action = other.legal(seat).nth(0).unwrap();
        other.act(seat, action).unwrap();
    }
    assert_eq!(other.state(), deal.state());
    assert_eq!(other.outcome(), deal.outcome());
}

/// With random actions, and with those of a greedy agent, whose hands come near.
#[test]
fn a_resumed_deal_offers_the_same() {
    for id in ["woo", "riichi-mcgill", "traditional", "celestial", "uzje"] {
        let rules = Rules::by_id(id).unwrap();
        for game in 0..12 {
            let series = Match::new(&rules, game_seed(8, game));
            let players = series.state().players();
            let mut deal = series.start_deal();
            let mut stream = Stream::new(game, 1);
            let mut greedy = agent::by_name("greedy", rules.plan()).unwrap();
            while let Some(seat) = deal.state().waiting().first() {
                let resumed = Deal::resume(&rules, deal.state().clone()).unwrap();
                assert_eq!(resumed.state(), deal.state(), "{id} {game}");
                for other in Seat::all(players) {
                    assert_eq!(resumed.legal(other), deal.legal(other), "{id} {game}");
                }
                let legal = deal.legal(seat).clone();
                let pick = |len: usize| stream.below(len as u32) as usize;
                let action = match game % 2 {
                    0 => legal.pick(pick).unwrap(),
                    _ => greedy.decide(&deal.state().view(seat), &legal),
                };
                deal.act(seat, action).unwrap();
            }
        }
    }
}

/// A golden run: rules, values, seeds and agents together. A change here changes recorded games.
#[test]
fn a_seed_means_the_same_games_for_ever() {
    let rules = woo();
    let found = ["random", "first", "greedy"].map(|name| golden(&rules, name, 5));
    assert_eq!(found, GOLDEN);
}

/// Decisions, draws, winners' points, and the FNV-1a hash of all lines.
const GOLDEN: [(u64, u64, i64, u64); 3] = [
    (3588, 40, 0, 1_890_057_228_581_244_893),
    (3440, 40, 0, 16_563_127_870_816_843_940),
    (2346, 0, 1600, 7_740_359_206_153_457_727),
];

#[test]
fn every_log_replays() {
    for rules in [
        woo(),
        with(&[("flowers", 0.into()), ("next-dealer", "rotate".into())]),
    ] {
        for agent in ["random", "greedy", "first"] {
            for with_legal in [true, false] {
                let lines = game_log(&rules, agent, game_seed(3, 1), None, with_legal);
                let done = replay(&lines, Rules::by_id_with).unwrap();
                assert!(done.complete);
                assert_eq!((done.hands, done.lines), (8, lines.len()));
            }
            for viewer in Player::all(4) {
                let lines = game_log(&rules, agent, game_seed(3, 1), Some(viewer), true);
                let done = replay(&lines, Rules::by_id_with).unwrap();
                assert!(!done.complete);
            }
        }
    }
}

#[test]
fn a_changed_log_does_not_replay() {
    let rules = woo();
    let lines = game_log(&rules, "greedy", game_seed(3, 2), None, false);
    let find = |wanted: fn(&Line) -> bool| lines.iter().position(wanted).unwrap();
    let fails_at = |lines: &[Line]| replay(lines, Rules::by_id_with).unwrap_err().line();

    let discard = find(|line| matches!(line, Line::Dahai { .. }));
    let mut changed = lines.clone();
    if let Line::Dahai { tsumogiri, .. } = &mut changed[discard] {
        *tsumogiri = !*tsumogiri;
    }
    assert!(fails_at(&changed) >= discard);

    let draw = find(|line| matches!(line, Line::Tsumo { .. }));
    let mut changed = lines.clone();
    if let Line::Tsumo { pai, .. } = &mut changed[draw] {
        *pai = if pai == "E" { "S".into() } else { "E".into() };
    }
    assert_eq!(fails_at(&changed), draw);

    let win = find(|line| matches!(line, Line::Hora { .. }));
    let mut changed = lines.clone();
    if let Line::Hora(hora) = &mut changed[win] {
        hora.deltas.as_mut().unwrap()[0] = 1_000_000.into();
    }
    assert_eq!(fails_at(&changed), win);

    let mut changed = lines.clone();
    changed.remove(discard);
    assert!(replay(&changed, Rules::by_id_with).is_err());

    let mut changed = lines.clone();
    changed.truncate(lines.len() - 3);
    assert!(matches!(
        replay(&changed, Rules::by_id_with),
        Err(ReplayError::Malformed { .. })
    ));

    let start = find(|line| matches!(line, Line::StartKyoku { .. }));
    let mut changed = lines.clone();
    if let Line::StartKyoku(start) = &mut changed[start] {
        let wall = start.wall.as_mut().unwrap();
        wall[0] = wall[1].clone();
    }
    assert_eq!(fails_at(&changed), start);

    let mut changed = lines.clone();
    if let Line::StartKyoku(start) = &mut changed[start] {
        start.dice[1][0] = start.dice[1][0] % 6 + 1;
    }
    assert_eq!(fails_at(&changed), start);
    let mut changed = lines.clone();
    if let Line::StartKyoku(start) = &mut changed[start] {
        start.wall_break.count += 1;
    }
    assert_eq!(fails_at(&changed), start);

    // Another version may have written the log; another format is another thing.
    let mut changed = lines.clone();
    if let Line::StartGame(start) = &mut changed[0] {
        start.engine = "paishan 9.9.9".into();
    }
    assert!(replay(&changed, Rules::by_id_with).is_ok());
    if let Line::StartGame(start) = &mut changed[0] {
        start.format = 2;
    }
    assert_eq!(fails_at(&changed), 0);

    let mut changed = lines;
    if let Line::StartGame(start) = &mut changed[0] {
        start.ruleset = "wooo".into();
    }
    let error = replay(&changed, Rules::by_id_with).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown ruleset `wooo`; did you mean `woo`?"
    );
}

#[test]
fn a_log_with_walls_of_another_seed_does_not_replay() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let mut lines = game_log(&rules, "first", game_seed(3, 5), None, false);
        let set = |lines: &mut [Line], seed| {
            if let Line::StartGame(start) = &mut lines[0] {
                start.game_seed = seed;
            }
        };
        set(&mut lines, Some(game_seed(3, 6).into()));
        let error = replay(&lines, Rules::by_id_with).unwrap_err();
        assert_eq!(error.line(), 1, "{id}: {error}");
        let is_of_seed = matches!(
            error,
            ReplayError::Malformed {
                fault: LogFault::OtherDealer { .. } | LogFault::OtherWall,
                ..
            }
        );
        assert!(is_of_seed, "{id}: {error}");
        // The walls are good ones, and no seed says otherwise.
        set(&mut lines, None);
        assert!(replay(&lines, Rules::by_id_with).unwrap().complete);
    }
}

#[test]
fn a_meld_of_nobody_in_a_view_log_is_refused() {
    let rules = woo();
    let lines = game_log(&rules, "first", game_seed(3, 1), Player::new(1), false);
    for bad in [
        Line::Lay {
            actor: 99,
            consumed: vec![],
        },
        Line::Ankan {
            actor: 99,
            consumed: vec![],
            hidden: None,
        },
        Line::Lay {
            actor: 0,
            consumed: vec![],
        },
    ] {
        let mut changed = lines.clone();
        changed.insert(2, bad);
        assert_eq!(replay(&changed, Rules::by_id_with).unwrap_err().line(), 2);
    }
}

/// An agent that counts what it is told.
#[derive(Default)]
struct Listener {
    own: Arc<AtomicUsize>,
    others: Arc<AtomicUsize>,
}

impl Agent for Listener {
    fn decide(&mut self, _: &View<'_>, legal: &Legal) -> Action {
        legal.iter().last().unwrap()
    }
    fn notice(&mut self, event: &Event) {
        if let Event::Drew { tile, .. } = event {
            let heard = if tile.is_some() {
                &self.own
            } else {
                &self.others
            };
            heard.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn agents_are_told_what_their_seat_sees() {
    let rules = with(&[("rounds", 1.into())]);
    let listener = Listener::default();
    let (own, others) = (listener.own.clone(), listener.others.clone());
    let mut table = agents(&rules, "first");
    table[2] = Box::new(listener);
    let mut draws = Draws::default();
    play(&rules, &mut table, 3, &mut draws).unwrap();
    assert_eq!(own.load(Ordering::Relaxed), draws.0[2]);
    assert_eq!(
        others.load(Ordering::Relaxed),
        draws.0[0] + draws.0[1] + draws.0[3]
    );
    assert!(draws.0[2] > 5);
}

/// Draws by player.
#[derive(Default)]
struct Draws([usize; 4]);

impl Observer for Draws {
    fn event(&mut self, state: &DealState, event: &Event) {
        if let Event::Drew { seat, .. } = event {
            self.0[seat.player(state.dealer(), 4).index()] += 1;
        }
    }
}

/// An observer that has seen enough ends the match.
#[test]
fn a_match_ends_when_nobody_watches_any_more() {
    struct Once(usize);
    impl Observer for Once {
        fn deal_started(&mut self, _: &DealState) {
            self.0 += 1;
        }
        fn wants_more(&self) -> bool {
            self.0 < 2
        }
    }
    let rules = with(&[("rounds", 1_000_000_000.into())]);
    let mut once = Once(0);
    let series = play(&rules, &mut agents(&rules, "first"), 3, &mut once).unwrap();
    assert!(once.0 == 2 && !series.is_over());
}

/// Dealt flowers of `woo` go before the first draw; a drawn one goes at once, before those that a
/// replacement brought. Source: `rulesets/woo.md` §4.
#[test]
fn a_drawn_flower_is_laid_before_the_dealt_ones() {
    let rules = woo();
    let mut seen = 0;
    for game in 0..200 {
        let lines = game_log(&rules, "first", game_seed(6, game), None, false);
        for pair in lines.windows(2) {
            if let [
                Line::Tsumo { actor, pai, .. },
                Line::Flower {
                    actor: who,
                    pai: laid,
                },
            ] = pair
                && "hijkopqr".contains(pai.as_str())
            {
                assert_eq!((actor, pai), (who, laid), "game {game}");
                seen += 1;
            }
        }
    }
    assert!(seen > 50);
}

/// A dealer who sits at no such table is counted round it.
#[test]
fn any_player_may_be_named_dealer() {
    let rules = woo();
    for index in 0..6 {
        let mut series = Match::with_dealer(&rules, 3, Player::new(index).unwrap());
        let mut deal = series.start_deal();
        while let Some(seat) = deal.state().deciding().next() {
            let action = deal.legal(seat).nth(0).unwrap();
            deal.act(seat, action).unwrap();
        }
        let state = deal.state();
        assert_eq!(state.dealer().index(), index % 4);
        series.finish(&deal).expect("the current deal");
    }
}

/// The tiles in a drawn hand's line stand in player order, as everywhere in a log.
#[test]
fn hands_of_a_draw_stand_in_player_order() {
    let rules = woo();
    let (mut draws, mut shifted) = (0, 0);
    for game in 0..20 {
        let lines = game_log(&rules, "random", game_seed(13, game), None, false);
        let mut sizes = [13usize; 4];
        let mut dealer = 0;
        for line in &lines {
            match line {
                Line::StartKyoku(start) => (sizes, dealer) = ([13; 4], start.oya),
                Line::Tsumo { actor, .. } => sizes[*actor] += 1,
                Line::Dahai { actor, .. } | Line::Flower { actor, .. } => sizes[*actor] -= 1,
                Line::Chi {
                    actor, consumed, ..
                }
                | Line::Pon {
                    actor, consumed, ..
                }
                | Line::Ankan {
                    actor, consumed, ..
                }
                | Line::Lay { actor, consumed } => sizes[*actor] -= consumed.len(),
                Line::Daiminkan {
                    actor, laid: None, ..
                } => sizes[*actor] -= 3,
                Line::Kakan { actor, .. } => sizes[*actor] -= 1,
                Line::Ryukyoku { tehais, .. } => {
                    let tehais = tehais.iter().flatten();
                    assert_eq!(tehais.map(Vec::len).collect::<Vec<_>>(), sizes);
                    draws += 1;
                    shifted += usize::from(dealer > 0);
                }
                _ => {}
            }
        }
    }
    assert!(draws > 20 && shifted > 5, "{draws} {shifted}");
}

/// What was decided, and the seed, tell the whole match: its log comes out of them line by line.
#[test]
fn moves_tell_the_whole_match() {
    for id in ["woo", "traditional", "celestial", "uzje", "riichi-mcgill"] {
        let rules = Rules::by_id(id).unwrap();
        let agent = if id == "uzje" { "greedy" } else { "random" };
        let mut moves = Moves::new(11);
        play(&rules, &mut agents(&rules, agent), 11, &mut moves).unwrap();
        let mut options = LogOptions::new(
            vec![agent.to_owned(); rules.plan().players()],
            paishan::Notation::Ujmj,
        );
        options.with_legal = true;
        let mut lines = Vec::new();
        let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
        moves.play(&rules, &mut recorder).unwrap();
        drop(recorder);
        assert_eq!(lines, game_log(&rules, agent, 11, None, true), "{id}");

        let decisions = moves.decisions().to_vec();
        let all = decisions.len();
        let play = |seed, decisions| Moves::of(seed, decisions).play(&rules, &mut ());
        let short = decisions[..all - 1].to_vec();
        assert_eq!(
            play(11, short).err(),
            Some(MovesError::Ended { at: all - 1 })
        );
        let long = [decisions.clone(), decisions[..1].to_vec()].concat();
        let surplus = MovesError::Surplus {
            at: all,
            all: all + 1,
        };
        assert_eq!(play(11, long).err(), Some(surplus));
        let illegal = play(12, decisions);
        assert!(matches!(illegal, Err(MovesError::Action { .. })), "{id}");
        assert_eq!(
            play(11, Vec::new()).unwrap().deal_number(),
            1,
            "no deal was played"
        );
    }
}

/// A game in which nobody takes what another discards.
#[derive(Debug)]
struct Unclaimed(Rules);

impl Ruleset for Unclaimed {
    fn plan(&self) -> &Arc<Plan> {
        self.0.plan()
    }

    fn adjust(&self, state: &DealState, _: Seat, legal: &mut Legal) {
        if matches!(state.phase(), Phase::Claims(_)) {
            *legal = Legal::default();
        }
    }
}

#[test]
fn a_type_of_ones_own_adjusts_what_is_legal() {
    let rules = Unclaimed(woo());
    let mut discards = 0;
    for game in 0..20 {
        let series = Match::new(&rules, game_seed(5, game));
        let mut deal = series.start_deal();
        let mut stream = Stream::new(game, 2);
        while let Some(seat) = deal.state().waiting().first() {
            assert!(matches!(deal.state().phase(), Phase::Turn(_)));
            let action = deal
                .legal(seat)
                .pick(|len| stream.below(len as u32) as usize);
            deal.act(seat, action.unwrap()).unwrap();
        }
        assert!(
            deal.state()
                .discards()
                .iter()
                .all(|discard| !discard.claimed)
        );
        discards += deal.state().discards().len();
    }
    assert!(discards > 20 * 40, "{discards}");
}

/// Who deals after used-up walls, by whether more kongs were made than the file allows.
struct Dealers {
    most: u32,
    kongs: u32,
    /// How often the dealer stayed, and how often the next player dealt.
    seen: [usize; 2],
}

impl Observer for Dealers {
    fn deal_started(&mut self, _: &DealState) {
        self.kongs = 0;
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        self.kongs += u32::from(match event {
            Event::ConcealedKong { .. } | Event::AddedKong { .. } => true,
            Event::Claimed { tiles, .. } => tiles.group().family() == Family::Kong,
            _ => false,
        });
    }

    fn deal_ended(&mut self, _: &MatchState, _: &DealState, outcome: &Outcome, next: Next) {
        assert_eq!(outcome.kongs, self.kongs);
        if outcome.ending == Ending::Exhausted && next != Next::End {
            let passes = self.kongs > self.most;
            assert_eq!(next == Next::Pass, passes, "{} kongs", self.kongs);
            self.seen[usize::from(passes)] += 1;
        }
    }
}

#[test]
fn the_dealer_passes_after_a_used_up_wall_with_kongs() {
    for (most, key) in [(0, "0"), (1, "1"), (u32::MAX, "")] {
        let line = match key {
            "" => String::new(),
            most => format!("match.dealer-keeps-kongs = {most}"),
        };
        let text = format!("ruleset = {{ id = \"kongs\", extends = \"traditional\" }}\n{line}");
        let rules = Rules::from_toml("kongs.toml", &text).unwrap();
        let mut dealers = Dealers {
            most,
            kongs: 0,
            seen: [0; 2],
        };
        for game in 0..4 {
            let mut agents = agents(&rules, "random");
            play(&rules, &mut agents, game_seed(4, game), &mut dealers).unwrap();
        }
        let [stayed, passed] = dealers.seen;
        assert!(
            stayed > 5 && (passed > 5 || most == u32::MAX),
            "{most}: {:?}",
            dealers.seen
        );
    }
}
