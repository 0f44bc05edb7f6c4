//! Games for three beside `riichienv-core`: the same walls and the same decisions in both engines. Compares every
//! set of legal actions, every hand's waits, and the totals after each deal.
//!
//! ```text
//! cargo run --locked --release --manifest-path benches/peers/Cargo.toml -- sanma [GAMES]
//! ```
//!
//! Differences are counted by what they are about. The first few of each are printed.

use paishan::agent::{self, Agent};
use paishan::decompose::Holding;
use paishan::game::Deal;
use paishan::game::Match;
use paishan::random::Stream;
use paishan::seat::Player;
use paishan::state::{Action, Phase};
use paishan::tile::{Kind, Rank, Suit, Tile, Wind};
use paishan::wall::Wall;
use paishan::{Rules, Ruleset, Seat};
use riichienv_core::action::{Action as TheirAction, ActionType};
use riichienv_core::hand_evaluator_3p::HandEvaluator3P;
use riichienv_core::rule::GameRule;
use riichienv_core::state_3p::GameState3P;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many differences of a kind are printed.
const SHOWN: usize = 3;

fn kind_of(id: u8) -> Kind {
    let (place, of) = (id / 4, [Suit::Characters, Suit::Circles, Suit::Bamboos]);
    let honours = [Kind::EAST, Kind::SOUTH, Kind::WEST, Kind::NORTH, Kind::WHITE, Kind::GREEN, Kind::RED];
    match place {
        0..27 => Kind::number(of[usize::from(place / 9)], Rank::new(place % 9 + 1).expect("a rank")),
        _ => honours[usize::from(place - 27)],
    }
}

/// A tile by their number. The first five of each suit is red.
fn tile_of(id: u8) -> Tile {
    match (kind_of(id).suit(), id) {
        (Some(suit), 16 | 52 | 88) => Tile::red_five(suit),
        _ => kind_of(id).into(),
    }
}

/// An action in words that both engines can say.
fn their_words(state: &GameState3P, action: &TheirAction) -> String {
    let reds = |ids: &[u8]| ids.iter().filter(|&&id| tile_of(id).is_red()).count();
    let kind = |ids: &[u8]| kind_of(ids[0]);
    match action.action_type {
        ActionType::Pass => "pass".into(),
        ActionType::Ron | ActionType::Tsumo => "win".into(),
        ActionType::Riichi => "riichi".into(),
        ActionType::KyushuKyuhai => "nine orphans".into(),
        ActionType::Kita => "set aside".into(),
        ActionType::Chi => "chow".into(),
        ActionType::Pon => format!("pung, {} red", reds(&action.consume_tiles)),
        ActionType::Daiminkan => "claimed kong".into(),
        ActionType::Ankan => format!("kong of {}", kind(&action.consume_tiles)),
        ActionType::Kakan => match action.tile {
            Some(tile) => format!("added {}", kind_of(tile)),
            None => format!("added {}", kind(&action.consume_tiles)),
        },
        ActionType::Discard => {
            let id = action.tile.expect("a discarded tile");
            let drawn = if state.drawn_tile == Some(id) { ", drawn" } else { "" };
            format!("discard {}{drawn}", tile_of(id))
        }
    }
}

fn our_words(action: Action) -> String {
    match action {
        Action::Pass => "pass".into(),
        Action::Win => "win".into(),
        Action::Riichi => "riichi".into(),
        Action::NineOrphans => "nine orphans".into(),
        Action::Aside(_) => "set aside".into(),
        Action::Claim(tiles) => match tiles.group().len() {
            4 => "claimed kong".into(),
            _ => format!("pung, {} red", tiles.reds()),
        },
        Action::ConcealedKong(kind) => format!("kong of {kind}"),
        Action::AddedKong(kind) => format!("added {kind}"),
        Action::Discard { tile, drawn } => {
            format!("discard {tile}{}", if drawn { ", drawn" } else { "" })
        }
        other => format!("{other:?}"),
    }
}

#[derive(Default)]
struct Tally {
    decisions: u64,
    hands: u64,
    waiting: u64,
    deals: u64,
    won: u64,
    aside: u64,
    differ: BTreeMap<String, u64>,
}

impl Tally {
    fn differs(&mut self, about: &str, what: impl FnOnce() -> String) {
        let count = self.differ.entry(about.to_owned()).or_default();
        *count += 1;
        if *count <= SHOWN as u64 {
            println!("{about}: {}", what());
        }
    }
}

/// Our wall with the tiles of their deal, which has just begun.
fn wall_of(rules: &dyn Ruleset, state: &GameState3P) -> Option<Wall> {
    let plan = rules.plan();
    let oya = usize::from(state.oya);
    let mut hands: Vec<Vec<u8>> = state.players.iter().map(|player| player.hand.clone()).collect();
    let drawn = state.drawn_tile?;
    hands[oya].retain(|&id| id != drawn);
    let mut order = Vec::new();
    let mut taken = [0; 3];
    for packet in [4, 4, 4, 1] {
        for step in 0..3 {
            let player = (oya + step) % 3;
            let from = taken[player];
            taken[player] += packet;
            order.extend_from_slice(&hands[player][from..from + packet]);
        }
    }
    order.push(drawn);
    let dead = 18;
    order.extend(state.wall.tiles[dead..].iter().rev());
    // The fourth and the fifth indicator may be drawn while few replacements were. They draw the lower tile first.
    order.extend(state.wall.tiles[14..dead].iter().rev());
    for place in (0..3).rev() {
        order.push(state.wall.dora_indicator_tiles[place]);
        order.push(state.wall.ura_indicator_tiles[place]);
    }
    // Replacements are taken by stacks from the end, the upper tile first.
    for stack in (0..4).rev() {
        order.extend_from_slice(&state.wall.tiles[2 * stack..2 * stack + 2]);
    }
    let tiles: Vec<Tile> = order.into_iter().map(tile_of).collect();
    let dice = [vec![1, 1]];
    let (owner, count) = plan.wall().broken_by(&dice, 3);
    Wall::from_tiles(plan.wall(), &plan.tiles(), 3, &tiles, &dice, (owner, count as u8))
}

/// Plays the deal that has just begun in both engines, by our agents' decisions. False if they part.
fn play_deal(
    rules: &dyn Ruleset,
    state: &mut GameState3P,
    agents: &mut [Box<dyn Agent>],
    tally: &mut Tally,
) -> bool {
    let plan = rules.plan();
    let Some(wall) = wall_of(rules, state) else {
        tally.differs("wall", || "the tiles are not ours".into());
        return false;
    };
    let dealer = Player::new(usize::from(state.oya)).expect("a player");
    let mut setup = Match::new(rules, 1).state().setup();
    setup.dealer = dealer;
    setup.round = Wind::ALL[usize::from(state.round_wind) % 4];
    setup.wall = wall;
    for seat in Seat::all(3) {
        setup.points[seat] = i64::from(state.players[seat.player(dealer, 3).index()].score);
    }
    setup.on_table.counters = u32::from(state.honba);
    setup.on_table.deposits = state.riichi_sticks;
    let mut deal = Deal::start(rules, setup);
    let (round, honba, sticks) = (state.kyoku_idx, state.honba, state.riichi_sticks);
    tally.deals += 1;
    loop {
        let over = state.is_done || state.needs_initialize_next_round || (state.kyoku_idx, state.honba) != (round, honba);
        if over || matches!(deal.state().phase(), Phase::Over) {
            if !over || !matches!(deal.state().phase(), Phase::Over) {
                tally.differs("end of a deal", || format!("theirs is over: {over}; ours: {:?}", deal.state().phase()));
                return false;
            }
            break;
        }
        for seat in Seat::all(3) {
            let hand = deal.state().hand(seat);
            if hand.size() == 13 {
                let player = &state.players[seat.player(dealer, 3).index()];
                let theirs = HandEvaluator3P::new(player.hand.clone(), player.melds.clone()).get_waits_u8();
                let theirs: BTreeSet<Kind> = theirs.into_iter().map(|place| kind_of(4 * place)).collect();
                // They leave out kinds of which the hand holds all copies.
                let is_left = |kind: &Kind| hand.concealed().get(*kind) < 4;
                let waits = plan.decomposer().waits(&Holding::from(hand));
                let ours: BTreeSet<Kind> = waits.iter().filter(is_left).collect();
                tally.hands += 1;
                tally.waiting += u64::from(!ours.is_empty());
                if ours != theirs {
                    tally.differs("waits", || format!("{hand:?}: ours {ours:?}, theirs {theirs:?}"));
                }
            }
        }
        let mut actions = HashMap::new();
        let mut chosen = Vec::new();
        for player in 0..3_u8 {
            let theirs = state.get_observation(player).legal_actions_method();
            let theirs: Vec<(String, TheirAction)> = theirs
                .into_iter()
                .map(|action| {
                    let action = action.0;
                    (their_words(state, &action), action)
                })
                .collect();
            let seat = Player::new(usize::from(player)).expect("a player").seat(dealer, 3);
            let legal = deal.legal(seat).clone();
            let ours: BTreeSet<String> = match deal.state().waiting().contains(seat) {
                true => legal.iter().map(our_words).collect(),
                false => BTreeSet::new(),
            };
            let names: BTreeSet<String> = theirs.iter().map(|(words, _)| words.clone()).collect();
            tally.decisions += u64::from(!ours.is_empty());
            if ours != names {
                let (more, fewer): (Vec<_>, Vec<_>) = (ours.difference(&names).collect(), names.difference(&ours).collect());
                let about = |all: &[&String]| -> String {
                    let words: BTreeSet<&str> = all.iter().map(|words| words.split([' ', ',']).next().unwrap_or("")).collect();
                    words.into_iter().collect::<Vec<_>>().join("/")
                };
                let about = format!("legal, ours alone [{}], theirs alone [{}]", about(&more), about(&fewer));
                tally.differs(&about, || {
                    format!("seat {seat}, {:?} left {}: ours {more:?}, theirs {fewer:?}, hand {:?}", deal.state().phase(), deal.state().wall().draws_left(), deal.state().hand(seat))
                });
                return false;
            }
            if ours.is_empty() {
                continue;
            }
            let action = agents[usize::from(player)].decide(&deal.state().view(seat), &legal);
            let words = our_words(action);
            let (_, their_action) = theirs.iter().find(|(theirs, _)| *theirs == words).expect("the same actions");
            tally.aside += u64::from(matches!(action, Action::Aside(_)));
            actions.insert(player, their_action.clone());
            chosen.push((seat, action));
        }
        for (seat, action) in chosen {
            if deal.act(seat, action).is_err() {
                tally.differs("refused", || format!("{action:?}"));
                return false;
            }
        }
        state.step(&actions);
    }
    let Some(outcome) = deal.outcome() else {
        return false;
    };
    if deal.state().kongs() > 2 {
        // Another tile indicates here.
        tally.differ.entry("deals with more than two kongs, not compared".into()).and_modify(|n| *n += 1).or_insert(1);
        return false;
    }
    tally.won += outcome.wins().len() as u64;
    let ours: Vec<i64> = (0..3)
        .map(|player| deal.state().points(Player::new(player).expect("a player").seat(dealer, 3)))
        .collect();
    let mut theirs: Vec<i64> = state.players.iter().map(|player| i64::from(player.score)).collect();
    if state.is_done {
        // They give the deposits that are left to the first at once, we do so with the match's result.
        let left: i64 = theirs.iter().sum::<i64>() - ours.iter().sum::<i64>();
        let first = (0..3).rev().max_by_key(|&player| theirs[player]).expect("three players");
        theirs[first] -= left;
    }
    if ours != theirs {
        let kind = match outcome.wins().is_empty() {
            true => "totals after a draw",
            false => "totals after a win",
        };
        tally.differs(kind, || {
            let wins: Vec<_> = outcome.wins().iter().map(|(seat, win)| (deal.state().hand(*seat), win)).collect();
            let scores: Vec<_> = outcome.wins().iter().map(|(seat, _)| outcome.settlement.scores[*seat].as_ref()).collect();
            format!(
                "honba {honba}, sticks {sticks}, {:?}: ours {ours:?}, theirs {theirs:?}; {wins:?} {scores:?} {:?}",
                outcome.ending, state.last_win_results
            )
        });
    }
    true
}

pub fn all(games: usize) {
    let rules = Rules::by_id("riichi-sanma").expect("a ruleset");
    let mut tally = Tally::default();
    for game in 0..games as u64 {
        let mut state = GameState3P::new(5, true, Some(game + 1), 0, GameRule::default_tenhou());
        let mut stream = Stream::new(game, 1);
        let mut agents: Vec<Box<dyn Agent>> = (0..3)
            .map(|_| {
                let id = if stream.below(3) == 0 { "random" } else { "greedy" };
                agent::by_name(id, rules.plan()).expect("an agent of the crate")
            })
            .collect();
        while !state.is_done {
            if !play_deal(&rules, &mut state, &mut agents, &mut tally) {
                break;
            }
            if state.needs_initialize_next_round {
                state.step(&HashMap::new());
            }
        }
    }
    let Tally { decisions, hands, waiting, deals, won, aside, differ } = tally;
    println!("{games} games, {deals} deals, {won} wins, {aside} norths set aside");
    println!("{decisions} decisions with legal actions compared, {hands} hands with waits compared, {waiting} of them ready");
    println!("differences: {differ:?}");
}
