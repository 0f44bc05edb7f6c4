//! Nothing that a seat may not know reaches its view, its legal actions or its log.

use crate::common::{all_tiles, game_log, woo};
use paishan::game::{Deal, Match};
use paishan::log::Line;
use paishan::random::Stream;
use paishan::ruleset::{self, Ruleset};
use paishan::state::{Action, DealState, Legal, Phase, Snapshot, View, Window};
use paishan::{Player, Seat, Tile, game_seed};
use paishan::{Rules, agent, agent::Agent};
use std::collections::BTreeSet;

/// Plays a deal to its end at random: nobody may ever be left without an action.
fn play_on(mut deal: Deal<&dyn Ruleset>, stream: &mut Stream) {
    while let Some(seat) = deal.state().deciding().next() {
        let legal = deal.legal(seat).clone();
        assert!(!legal.is_empty(), "{:?}", deal.state());
        let place = stream.below(legal.len() as u32) as usize;
        deal.act(seat, legal.nth(place).unwrap()).unwrap();
    }
    assert!(deal.outcome().is_some());
}

/// Kongs that lie face down, of which some have red fives: how many would tell their kind.
fn hidden_reds() -> Rules {
    let text = r#"
ruleset = { id = "hidden-reds", extends = "riichi-mcgill" }
options.red-fives.default = [2, 1, 4]
kongs.concealed = "hidden"
procedures.challenge = { from-kong = 2, src = "a house rule" }
"#;
    Rules::from_toml("hidden-reds.toml", text).unwrap()
}

/// What agents choose, asked anew with the same chance.
pub fn choices(agents: &mut [Box<dyn Agent>], view: &View<'_>, legal: &Legal) -> Vec<Action> {
    let choose = |agent: &mut Box<dyn Agent>| {
        agent.begin(Stream::new(11, 12));
        agent.decide(view, legal)
    };
    agents.iter_mut().map(choose).collect()
}

/// A deal in which the tiles that a seat does not see are permuted. Nothing changes that the seat may know: what is shown
/// to it and to all, and its legal actions if they are given.
pub fn imagine<'a>(
    rules: &'a dyn Ruleset,
    state: &DealState,
    seat: Seat,
    legal: Option<&Legal>,
    stream: &mut Stream,
) -> Deal<&'a dyn Ruleset> {
    let imagined = state.imagined_by(seat, stream);
    let (real, other) = (state.view(seat), imagined.view(seat));
    assert_eq!(real.snapshot(), other.snapshot());
    assert_eq!(state.public_snapshot(), imagined.public_snapshot());
    assert_eq!(format!("{real:?}"), format!("{other:?}"));
    assert_eq!(real.seen(), other.seen());
    // The places of drawn tiles say nothing, nor does the turn that waits.
    let (front, _) = imagined.wall().taken();
    assert!(imagined.wall().tiles().take(front).is_sorted());
    let set: BTreeSet<Tile> = imagined.wall().tiles().collect();
    assert_eq!(set, rules.plan().tiles().iter().collect());
    // Every tile is somewhere, red fives too.
    let all: Vec<Tile> = rules.plan().tiles().iter().collect();
    assert_eq!(all_tiles(&imagined), all);
    if let Phase::Claims(claims) = imagined.phase() {
        let turn = match claims.window {
            Window::Discard | Window::Turned => None,
            Window::Aside(turn)
            | Window::AddedKong(turn)
            | Window::ConcealedKong(turn)
            | Window::Challenge(turn) => Some(turn),
        };
        let drawn = turn
            .filter(|turn| turn.seat != seat)
            .and_then(|turn| turn.drawn);
        assert!(drawn.is_none_or(Tile::is_flower));
    }
    let resumed = Deal::resume(rules, imagined).unwrap();
    if let Some(legal) = legal {
        assert_eq!(resumed.legal(seat), legal);
    }
    resumed
}

#[test]
fn shuffling_unseen_tiles_changes_nothing_that_a_seat_sees() {
    let uzje = |options: &[(&str, ruleset::OptionValue)]| {
        let set =
            |(name, value): &(&str, ruleset::OptionValue)| ((*name).to_owned(), value.clone());
        Rules::by_id_with("uzje", &options.iter().map(set).collect::<Vec<_>>()).unwrap()
    };
    let all = [
        (woo(), 12),
        (uzje(&[]), 3),
        (
            uzje(&[("closed-quads", "hidden".into()), ("players", 3.into())]),
            8,
        ),
        (
            crate::common::ruleset_with("riichi-mcgill", &["temporary-furiten=any-wait"]),
            5,
        ),
        (crate::common::ruleset_with("riichi-sanma", &[]), 8),
        (crate::common::ruleset_with("taiwanese", &[]), 4),
        (crate::common::ruleset_with("filipino", &["joker=true"]), 6),
        (crate::common::ruleset_with("fuzhou", &[]), 6),
        (crate::common::ruleset_with("sichuan", &[]), 6),
        (crate::common::ruleset_with("american", &[]), 8),
        (crate::common::ruleset_with("changsha", &[]), 6),
        (crate::common::ruleset_with("hangzhou", &[]), 4),
        (crate::common::ruleset_with("malaysian", &[]), 14),
        (crate::common::ruleset_with("traditional", &[]), 6),
        (
            crate::common::ruleset_with("celestial", &["sacred-hill=3"]),
            6,
        ),
        (hidden_reds(), 30),
    ];
    let quick = |name| match name {
        "search" => "search-60",
        name => name,
    };
    for (rules, games) in &all {
        let rules: &dyn Ruleset = rules;
        let players = rules.plan().players();
        let all_agents =
            || agent::NAMES.map(|name| agent::by_name(quick(name), rules.plan()).unwrap());
        let (mut agents, mut others) = (all_agents(), all_agents());
        let (mut imagined_worlds, mut changed_worlds, mut hidden) = (0, 0, 0);
        for game in 0..*games {
            let series = Match::new(rules, game_seed(40, game));
            let mut deal = Deal::start(rules, series.state().setup());
            let mut stream = Stream::new(game, 5);
            while let Some(waiting) = deal.state().deciding().next() {
                for seat in Seat::all(players) {
                    let state = deal.state();
                    let is_asked = state.waiting().contains(seat);
                    let legal = is_asked.then(|| deal.legal(seat));
                    let resumed = imagine(rules, state, seat, legal, &mut stream);
                    let imagined = resumed.state();
                    changed_worlds += usize::from(imagined != state);
                    imagined_worlds += 1;
                    let (real, other) = (state.view(seat), imagined.view(seat));
                    let melds = Seat::all(players).flat_map(|other| real.melds(other));
                    hidden += melds.filter(Option::is_none).count();
                    if let Some(legal) = legal.filter(|_| imagined_worlds % 7 == 0) {
                        let chosen = choices(&mut agents, &real, legal);
                        assert_eq!(choices(&mut others, &other, legal), chosen);
                    }
                    if imagined_worlds % 20 == 0 {
                        play_on(resumed, &mut stream);
                    }
                }
                let legal = deal.legal(waiting).clone();
                // Kongs where they can be had, for they may lie face down; and what is alone goes.
                let counts = *deal.state().hand(waiting).concealed();
                let kong = |action: &Action| matches!(action, Action::ConcealedKong(_));
                let lone = |action: &Action| match action {
                    Action::Discard { tile, .. } => tile.kind().is_some_and(|k| counts.get(k) == 1),
                    _ => false,
                };
                let any = legal.nth(stream.below(legal.len() as u32) as usize);
                let action = legal.iter().find(kong).or(legal.iter().find(lone)).or(any);
                deal.act(waiting, action.unwrap()).unwrap();
            }
            // At the end every kong is shown.
            for seat in Seat::all(players) {
                let view = deal.state().view(seat);
                assert!(Seat::all(players).all(|other| view.melds(other).all(|m| m.is_some())));
            }
        }
        assert!(
            imagined_worlds > 900 && changed_worlds * 10 > imagined_worlds * 9,
            "{}: {changed_worlds} of {imagined_worlds}",
            rules.plan().id()
        );
        let hides = rules.plan().play().hidden_kongs;
        assert!(!hides || hidden > 0, "no kong ever lay face down");
    }
}

/// The same deal with two tiles that one seat never sees swapped in the wall: with the same
/// actions the seat's log is the same, though other hands differ.
#[test]
fn the_log_of_a_seat_does_not_tell_what_others_hold() {
    let hidden = ["closed-quads=hidden", "players=3"];
    for (rules, games) in [
        (woo(), 60),
        (crate::common::ruleset_with("uzje", &hidden), 40),
        (hidden_reds(), 40),
        (crate::common::ruleset_with("traditional", &[]), 40),
    ] {
        let compared = (0..games)
            .filter(|&game| compare_swapped(&rules, game))
            .count();
        assert!(compared >= 5, "{}: {compared}", rules.plan().id());
    }
}

/// Plays a deal twice, the second time with two hidden tiles swapped; false where no two could be.
fn compare_swapped(rules: &dyn Ruleset, game: u64) -> bool {
    let plan = rules.plan();
    let players = plan.players();
    let series = Match::new(rules, game_seed(77, game));
    let setup = |swap: Option<(usize, usize)>| {
        let mut setup = series.state().setup();
        let mut tiles: Vec<_> = setup.wall.tiles().collect();
        if let Some((a, b)) = swap {
            tiles.swap(a, b);
        }
        let dice: Vec<Vec<u8>> = setup.wall.dice().map(|roll| roll.to_vec()).collect();
        let broken = setup.wall.broken;
        let wall =
            paishan::Wall::from_tiles(plan.wall(), plan.tiles(), players, &tiles, &dice, broken);
        setup.wall = wall.unwrap();
        setup
    };
    let play = |swap: Option<(usize, usize)>, actions: &mut Vec<_>, seat: Seat| {
        let mut seen = Watch {
            seat,
            log: Vec::new(),
        };
        let mut deal = Deal::start_observed(rules, setup(swap), &mut seen);
        let recorded = actions.clone();
        let mut next = recorded.into_iter();
        while let Some(waiting) = deal.state().waiting().first() {
            let action = match next.next() {
                Some((who, action)) if swap.is_some() => {
                    if who != waiting || deal.act_observed(who, action, &mut seen).is_err() {
                        return None;
                    }
                    continue;
                }
                _ => deal.legal(waiting).nth(0).unwrap(),
            };
            actions.push((waiting, action));
            deal.act_observed(waiting, action, &mut seen).unwrap();
        }
        Some((seen.log, deal.state().clone()))
    };
    let seat = Seat::new(game as usize % players).unwrap();
    let mut actions = Vec::new();
    let (log, state) = play(None, &mut actions, seat).unwrap();
    if !deal_is_drawn(&state) {
        return false;
    }
    // A tile that another hand still holds, and one that nobody has drawn.
    let (front, back) = state.wall().taken();
    let tiles: Vec<_> = state.wall().tiles().collect();
    let replacements = state.wall().back_places().take(back);
    let shown: Vec<usize> = state
        .wall()
        .indicator_places()
        .chain(replacements)
        .collect();
    let undrawn: Vec<usize> = (front..tiles.len())
        .filter(|place| !tiles[*place].is_flower() && !shown.contains(place))
        .collect();
    // Whose hand a place of the wall is dealt to.
    let first = usize::from(!plan.wall().dealer_first);
    let mut owners = Vec::new();
    for &packet in plan.wall().packets() {
        for step in 0..players {
            let owner = Seat::EAST.after(first + step, players);
            owners.extend(std::iter::repeat_n(owner, usize::from(packet)));
        }
    }
    let is_hidden = |place: usize| match owners.get(place) {
        Some(&owner) => {
            owner != seat && !tiles[place].is_flower() && state.hand(owner).holds(tiles[place])
        }
        None => undrawn.contains(&place),
    };
    // With honours least else changes: hardly anybody may claim one.
    let is_number = |place: &usize| {
        tiles[*place]
            .kind()
            .is_none_or(|kind| kind.suit().is_some())
    };
    let mut hidden: Vec<usize> = (0..tiles.len()).filter(|&place| is_hidden(place)).collect();
    hidden.sort_by_key(is_number);
    let swapped = hidden.iter().find_map(|&a| {
        let owner = owners.get(a)?;
        let others = hidden
            .iter()
            .filter(|&&b| tiles[a] != tiles[b] && owners.get(b) != Some(owner));
        let play = |&b: &usize| Some(play(Some((a, b)), &mut actions.clone(), seat)?.0);
        others.take(8).find_map(play)
    });
    let Some(swapped) = swapped else {
        return false;
    };
    let differs = swapped.iter().zip(&log).find(|(a, b)| a != b);
    let announces = |line: &String| line.starts_with("Announced");
    if differs.is_some_and(|(a, b)| announces(a) || announces(b)) {
        // A hand that is calling says so to all.
        return false;
    }
    assert_eq!(differs, None);
    assert_eq!(swapped.len(), log.len());
    true
}

fn deal_is_drawn(state: &DealState) -> bool {
    state.wall().draws_left() == 0
}

struct Watch {
    seat: Seat,
    log: Vec<String>,
}

impl paishan::game::Observer for Watch {
    fn event(&mut self, state: &DealState, event: &paishan::state::Event) {
        self.log.push(format!("{:?}", event.seen_by(self.seat)));
        self.log.push(format!("{:?}", state.view(self.seat)));
    }
}

#[test]
fn a_log_of_one_view_has_no_secrets() {
    let rules = woo();
    for viewer in Player::all(4) {
        let me = viewer.index();
        for line in game_log(&rules, "random", game_seed(1, 1), Some(viewer), true) {
            match line {
                Line::StartGame(start) => {
                    assert_eq!((start.game_seed, start.id), (None, Some(me)));
                }
                Line::StartKyoku(start) => {
                    assert_eq!(start.wall, None);
                    for (player, hand) in start.tehais.iter().enumerate() {
                        assert_eq!(hand.iter().all(|tile| tile != "?"), player == me);
                        assert_eq!(hand.iter().all(|tile| tile == "?"), player != me);
                    }
                }
                Line::Tsumo { actor, pai, .. } => assert_eq!(pai == "?", actor != me),
                Line::Decision { actor, .. } => assert_eq!(actor, me),
                _ => {}
            }
        }
    }
}

/// While seats are asked about a discard, spectators see what they see once all have passed and the next seat has drawn.
#[test]
fn a_public_snapshot_does_not_tell_that_a_seat_is_asked() {
    for id in ["riichi-mcgill", "sichuan", "hong-kong-old-style"] {
        let rules = crate::common::ruleset_with(id, &[]);
        let mut windows = 0;
        for game in 0..6 {
            let mut deal = rules.deal(game_seed(41, game));
            let mut stream = Stream::new(game, 6);
            let mut discards = 0;
            while let Some(seat) = deal.state().deciding().next() {
                // Before anybody has answered.
                let is_new = discards != deal.state().discards().len();
                discards = deal.state().discards().len();
                if let Phase::Claims(claims) = deal.state().phase()
                    && claims.window == Window::Discard
                    && is_new
                {
                    let asked = deal.public_snapshot();
                    let mut passed = deal.clone();
                    while let Phase::Claims(_) = passed.state().phase() {
                        let seat = passed.state().deciding().next().unwrap();
                        passed.act(seat, Action::Pass).unwrap();
                    }
                    // A flower that is drawn is laid down, and everybody sees that.
                    let laid = |shown: &Snapshot| shown.flowers.clone();
                    if let Phase::Turn(_) = passed.state().phase()
                        && laid(&passed.public_snapshot()) == laid(&asked)
                    {
                        windows += 1;
                        assert_eq!(passed.public_snapshot(), asked);
                    }
                }
                let legal = deal.legal(seat);
                let action = legal.nth(stream.below(legal.len() as u32) as usize);
                deal.act(seat, action.unwrap()).unwrap();
            }
        }
        assert!(windows > 20, "{id}: {windows}");
    }
}

/// What seats are asked about is an event that may be answered, and whether it may does not depend on what is hidden.
#[test]
fn seats_are_asked_only_about_what_may_be_answered() {
    struct Asks<'a> {
        rules: &'a Rules,
        stream: Stream,
        may: bool,
        answered: usize,
        never: usize,
    }
    impl paishan::game::Observer for Asks<'_> {
        fn deal_started(&mut self, _: &DealState) {
            self.may = false;
        }
        fn event(&mut self, state: &DealState, event: &paishan::state::Event) {
            use paishan::state::Event;
            let plan = self.rules.plan();
            let may = state.may_be_answered(plan, event);
            for seat in Seat::all(state.players()) {
                let imagined = state.imagined_by(seat, &mut self.stream);
                assert_eq!(imagined.may_be_answered(plan, event), may);
            }
            self.never += usize::from(!may);
            // Indicators that were due are turned while the seats are asked.
            self.may = may || self.may && matches!(event, Event::IndicatorTurned { .. });
        }
        fn decided(&mut self, state: &DealState, _: Seat, _: &Legal, _: Action) {
            if let Phase::Claims(_) = state.phase() {
                assert!(self.may, "{state:?}");
                self.answered += 1;
            }
        }
    }
    for id in ruleset::ids() {
        let rules = crate::common::ruleset_with(id, &[]);
        let mut asks = Asks {
            rules: &rules,
            stream: Stream::new(43, 8),
            may: false,
            answered: 0,
            never: 0,
        };
        for game in 0..6 {
            let series = Match::new(&rules, game_seed(43, game));
            let mut deal = series.start_deal_observed(&mut asks);
            let mut stream = Stream::new(game, 9);
            while let Some(seat) = deal.state().deciding().next() {
                let legal = deal.legal(seat);
                let kong = |action: &Action| {
                    matches!(action, Action::ConcealedKong(_) | Action::AddedKong(_))
                };
                let any = legal.nth(stream.below(legal.len() as u32) as usize);
                let action = legal.iter().find(kong).or(any).unwrap();
                deal.act_observed(seat, action, &mut asks).unwrap();
            }
        }
        assert!(asks.answered > 20 && asks.never > 100, "{id}");
    }
}

/// Actions by default never harm: they are legal, and neither claim nor win nor declare anything.
#[test]
fn the_default_action_passes_or_discards() {
    for id in ruleset::ids() {
        let rules = crate::common::ruleset_with(id, &[]);
        let mut deal = rules.deal(game_seed(42, 0));
        let mut stream = Stream::new(42, 7);
        while let Some(seat) = deal.state().deciding().next() {
            let legal = deal.legal(seat);
            let action = legal.default_action().unwrap();
            assert!(legal.contains(action), "{id} {action}");
            let drawn = legal
                .discards()
                .find(|a| matches!(a, Action::Discard { drawn: true, .. }));
            match action {
                Action::Pass => {}
                Action::Discard { drawn: true, .. } => assert_eq!(Some(action), drawn),
                Action::Discard { .. } => assert_eq!(drawn, None),
                action => assert!(legal.is_opening(), "{id} {action}"),
            }
            // Half of the decisions are others, so that seats claim, declare and lay down.
            let any = legal
                .nth(stream.below(legal.len() as u32) as usize)
                .unwrap();
            let action = if stream.below(2) == 0 { action } else { any };
            deal.act(seat, action).unwrap();
        }
        assert!(deal.outcome().is_some());
    }
}
