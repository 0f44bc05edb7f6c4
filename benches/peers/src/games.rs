//! Measures rounds of play with random players.

use crate::{Work, compare};
use paishan::agent::{self, Agent};
use paishan::game::{Deal, Match, Observer};
use paishan::game::Moves;
use paishan::random::Stream;
use paishan::state::{DealState, Event};
use paishan::{Player, Rules, Ruleset, game_seed};
use riichi::prelude::*;
use std::collections::HashMap;

/// How many rounds one run plays: the first rounds of as many games.
pub const ROUNDS: u64 = 400;

/// Keeps everything that happens.
struct Events(Vec<Event>);

impl Observer for Events {
    fn event(&mut self, _: &DealState, event: &Event) {
        self.0.push(*event);
    }
}

/// Plays deals with random legal actions, without a log. They are picked from one stream, as for the peers.
fn picked(rules: &dyn Ruleset, stream: &mut Stream) -> u64 {
    let mut decisions = 0;
    for game in 0..ROUNDS {
        let series = Match::new(rules, game_seed(3, game));
        let mut deal = Deal::start(rules, series.state().setup());
        while let Some(seat) = deal.state().deciding().next() {
            let action = deal.legal(seat).pick(|len| stream.below(len as u32) as usize);
            deal.act(seat, action.unwrap()).unwrap();
            decisions += 1;
        }
    }
    decisions
}

/// The same with agents, each with a stream of its own.
pub fn with_agents(rules: &dyn Ruleset, agents: &mut [Box<dyn Agent>]) -> u64 {
    watched(rules, agents, &mut ())
}

/// The same, watched.
fn watched(rules: &dyn Ruleset, agents: &mut [Box<dyn Agent>], observer: &mut dyn Observer) -> u64 {
    let mut decisions = 0;
    for game in 0..ROUNDS {
        let seed = game_seed(3, game);
        let series = Match::new(rules, seed);
        let mut deal = Deal::start_observed(rules, series.state().setup(), observer);
        for (agent, player) in agents.iter_mut().zip(Player::all(series.state().players())) {
            agent.begin(Stream::of_agent(seed, 1, player));
        }
        while let Some(seat) = deal.state().deciding().next() {
            let legal = deal.legal(seat);
            let action = agents[seat.index()].decide(&deal.state().view(seat), legal);
            deal.act_observed(seat, action, observer).unwrap();
            decisions += 1;
        }
    }
    decisions
}

/// The engine of the crate `riichi`: random discards. Wins, pungs and kongs are tried.
fn engine(engine: &mut Engine, stream: &mut Stream) -> u64 {
    let mut steps = 0;
    for _ in 0..ROUNDS {
        let mut wall = wall::make_sorted_wall([1, 1, 1]);
        stream.shuffle(&mut wall);
        engine.begin_round(RoundBegin {
            ruleset: Default::default(),
            round_id: RoundId { kyoku: 0, honba: 0 },
            wall,
            pot: 0,
            points: [25_000; 4],
        });
        while engine.end().is_none() {
            steps += 1;
            let state = engine.state();
            let (actor, draw) = (state.core.actor, state.core.draw);
            let hand = state.closed_hands[actor.to_usize()].clone();
            let won = draw.is_some_and(|tile| engine.register_action(Action::TsumoAgari(tile)).is_ok());
            let kan = !won && draw.is_some_and(|tile| {
                hand[tile] == 3 && engine.register_action(Action::Ankan(tile)).is_ok()
            });
            let mut given = None;
            if !won && !kan {
                let held: u32 = hand.0.iter().map(|&n| u32::from(n)).sum();
                // A random tile, and another where swap-calling forbids it.
                loop {
                    let place = stream.below(held + u32::from(draw.is_some()));
                    let mut left = place;
                    let found = (0..37u8).find(|&i| {
                        let n = u32::from(hand.0[usize::from(i)]);
                        let here = left < n;
                        left = left.wrapping_sub(n);
                        here
                    });
                    let (tile, is_tsumogiri) = match found.filter(|_| place < held) {
                        Some(i) => (Tile::from_encoding(i).unwrap(), false),
                        None => (draw.unwrap(), true),
                    };
                    let discard = Discard {
                        tile,
                        called_by: actor,
                        declares_riichi: false,
                        is_tsumogiri,
                    };
                    if engine.register_action(Action::Discard(discard)).is_ok() {
                        given = Some(tile);
                        break;
                    }
                }
            }
            if let Some(tile) = given {
                for step in 1..4u8 {
                    let other = actor.add(riichi::prelude::Player::new(step));
                    if engine.register_reaction(other, Reaction::RonAgari).is_ok() {
                        continue;
                    }
                    let own = engine.state().closed_hands[other.to_usize()].clone();
                    let normal = tile.to_normal();
                    if own[normal] >= 2 && stream.below(2) == 0 {
                        let _ = engine.register_reaction(other, Reaction::Pon(normal, normal));
                    }
                }
            }
            engine.step();
        }
    }
    steps
}

/// `riichienv-core`: random legal actions, no log.
fn environment(stream: &mut Stream, rounds: u64) -> u64 {
    use riichienv_core::rule::GameRule;
    use riichienv_core::state::GameState;
    let mut decisions = 0;
    let mut seed = 0;
    let mut played = 0;
    while played < rounds {
        seed += 1;
        // Matches of one round with four players.
        let mut state = GameState::new(0, true, Some(seed), 0, GameRule::default_tenhou());
        while !state.is_done {
            let mut actions = HashMap::new();
            for player in 0..4u8 {
                let legal = state.get_observation(player).legal_actions_method();
                if !legal.is_empty() {
                    let place = stream.below(legal.len() as u32) as usize;
                    actions.insert(player, legal[place].clone());
                    decisions += 1;
                }
            }
            state.step(&actions);
        }
        played += 1;
    }
    decisions
}

pub fn all() {
    let rulesets: Vec<_> = ["riichi-mcgill", "woo", "traditional", "celestial", "uzje"]
        .into_iter()
        .map(|id| (id, Rules::by_id(id).unwrap()))
        .collect();
    let agents = |rules: &dyn Ruleset| -> Vec<Box<dyn Agent>> {
        (0..4).map(|_| agent::by_name("random", rules.plan()).unwrap()).collect()
    };
    let riichi = &rulesets[0].1;
    let mut random = agents(riichi);
    let [mut own, mut first, mut second] = [3, 1, 2].map(|seed| Stream::new(seed, seed));
    let mut their_engine = Engine::new();
    let few = ROUNDS / 40;
    compare("a Riichi round, random players", ROUNDS as usize, vec![
        Work::new("paishan", || picked(riichi, &mut own)),
        Work::new("riichi", || engine(&mut their_engine, &mut first)),
        Work::new("riichienv-core, a fortieth of the rounds", || environment(&mut second, few)),
        Work::new("paishan with agents", || with_agents(riichi, &mut random)),
    ]);
    let mut moves = Moves::new(0);
    let mut events = Events(Vec::new());
    let (mut second_four, mut third_four) = (agents(riichi), agents(riichi));
    compare("a Riichi round, random players, the record beside none", ROUNDS as usize, vec![
        Work::new("paishan", || with_agents(riichi, &mut random)),
        Work::new("moves kept", || {
            moves.begin(0);
            watched(riichi, &mut second_four, &mut moves)
        }),
        Work::new("events kept", || {
            events.0.clear();
            watched(riichi, &mut third_four, &mut events)
        }),
    ]);
    for (id, rules) in &rulesets[1..] {
        let mut own = agents(&*rules);
        let mut random = agents(riichi);
        compare(&format!("a round of {id}, random players"), ROUNDS as usize, vec![
            Work::new("paishan", || with_agents(&*rules, &mut own)),
            Work::new("our Riichi", || with_agents(riichi, &mut random)),
        ]);
    }
}
