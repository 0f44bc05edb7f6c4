//! The legal actions of every ruleset, derived a second time at every decision of games in which claims, kongs and wins
//! are frequent. `riichi` derives those of Riichi a third time, from events alone.

use crate::common::legality::Referee;
use crate::common::{agents, all_tiles, rigged, ruleset_with};
use paishan::decompose::Scratch;
use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::Ruleset;
use paishan::state::Action;
use paishan::{Group, Kind, Notation, Player, Seat, Suit, Tile, Wall, game_seed};

/// A wall from which everybody is dealt groups of one suit and honours, and some other tiles.
fn near_wall(rules: &dyn Ruleset, stream: &mut Stream) -> Wall {
    let plan = rules.plan();
    let grammar = plan.decomposer().grammar();
    let runs = grammar
        .shapes()
        .flat_map(|(_, shape)| Suit::ALL.map(|suit| shape.group(suit)));
    let all: Vec<Group> = runs.chain(Kind::all().map(Group::pung)).collect();
    let mut left: Vec<Tile> = plan
        .tiles()
        .iter()
        .filter(|tile| !tile.is_flower())
        .collect();
    stream.shuffle(&mut left);
    let mut hands: Vec<Vec<Tile>> = Vec::new();
    for seat in 0..4 {
        let suit = [
            Suit::Characters,
            Suit::Circles,
            Suit::Bamboos,
            Suit::Characters,
        ][seat];
        let near = |group: &&Group| group.suit().is_none_or(|own| own == suit);
        let near: Vec<&Group> = all.iter().filter(near).collect();
        let mut hand = Vec::new();
        // Not every group has its tiles left.
        for _ in 0..60 {
            let group = near[stream.below(near.len() as u32) as usize];
            let mut rest = left.clone();
            let mut tiles = Vec::new();
            for kind in group.tiles() {
                let at = rest.iter().position(|tile| tile.kind() == Some(kind));
                tiles.extend(at.map(|at| rest.swap_remove(at)));
            }
            if tiles.len() == 3 && hand.len() + 6 <= grammar.hand_tiles() {
                hand.extend(tiles);
                left = rest;
            }
        }
        hands.push(hand);
    }
    for hand in &mut hands {
        hand.extend(left.drain(..grammar.hand_tiles() - hand.len()));
    }
    let text = |tiles: &[Tile]| Notation::Ujmj.print(tiles.iter().copied());
    let hands: Vec<String> = hands.iter().map(|hand| text(hand)).collect();
    let hands = [0, 1, 2, 3].map(|seat| hands[seat].as_str());
    rigged::wall(rules, hands, &text(&left[..20]), "", "")
}

/// Rulesets, options, how many deals are played, and the actions that have to come up.
const GAMES: &str = "
woo | | 60 | hora none chi pon daiminkan kakan lay
woo | chow-from=next flowers=1 | 40 | hora chi pon
woo | woo-chow-any=true flowers=0 | 40 | hora chi pon
traditional | | 40 | hora chi pon daiminkan declare
traditional | standing-frozen=true kong-box=1 | 40 | hora chi pon declare
traditional | penalties=true flowers=false | 20 | penalty
celestial | | 40 | hora none chi pon daiminkan ankan kakan
celestial | sacred-hill=2 | 20 | hora chi pon
hong-kong-old-style | missed-win=true | 40 | hora chi pon daiminkan ankan kakan
hangzhou | | 40 | hora chi pon ankan kakan
malaysian | minimum=0 | 40 | hora chi pon swap nukidora
two-player | minimum=0 | 40 | hora chi pon daiminkan ankan kakan
taiwanese | | 40 | hora chi pon daiminkan ankan kakan
taiwanese | missed-discard=true flower-wins=true | 40 | hora chi pon daiminkan ankan kakan
american | | 40 | pon daiminkan exchange swap
american | charleston=none | 40 | pon daiminkan swap
american | charleston=none any-exposure=true | 40 | pon daiminkan swap
changsha | | 60 | hora none chi pon daiminkan ankan kakan show
filipino | | 40 | hora chi pon daiminkan ankan kakan
filipino | joker=true distinct-pairs=true | 40 | hora chi pon ankan kakan
fuzhou | | 40 | hora chi pon daiminkan ankan kakan
fuzhou | set=two-dragons gold-discards=true | 40 | hora chi pon
guangdong | | 40 | hora chi pon daiminkan ankan kakan
singaporean | | 40 | hora chi pon daiminkan ankan kakan
japanese-classical | | 40 | hora chi pon daiminkan ankan kakan
korean | | 40 | hora pon daiminkan ankan kakan reach
korean | players=3 minimum=0 | 40 | hora pon daiminkan ankan reach
vietnamese | | 40 | hora chi pon daiminkan ankan kakan
sichuan | | 80 | hora pon daiminkan ankan kakan exchange missing
sichuan | exchange=false | 40 | hora pon missing
zung-jung | | 40 | hora chi pon daiminkan ankan kakan
mcr | | 120 | hora chi pon daiminkan ankan kakan
uzje | players=3 threshold=0.5 | 12 | hora chi pon ankan
uzje | players=4 threshold=0.5 | 12 | hora chi pon ankan
uzje | players=5 threshold=0.5 | 12 | hora chi pon
uzje | players=6 threshold=0.5 | 12 | hora chi pon
riichi-sanma | | 40 | hora pon ankan reach nukidora
riichi-tenhou | | 40 | hora chi pon ankan kakan reach
";

/// Plays deals of a game. Returns what is wrong.
fn fault(game: &str) -> Option<String> {
    let mut parts = game
        .split('|')
        .map(|part| part.split_whitespace().collect::<Vec<_>>());
    let mut part = || parts.next().unwrap();
    let (ids, options, deals, words) = (part(), part(), part(), part());
    let id = ids[0];
    let deals: u64 = deals[0].parse().unwrap();
    let rules = ruleset_with(id, &options);
    let all: Vec<Tile> = rules.plan().tiles().iter().collect();
    let rules: &dyn Ruleset = &rules;
    let mut referee = Referee::new(rules, id);
    let mut greedy = agents(rules, "greedy");
    for number in 0..deals {
        let seed = game_seed(60, number);
        let mut stream = Stream::new(seed, 31);
        let mut deal = if number % 2 == 0 && rules.plan().players() == 4 {
            let series = Match::with_dealer(rules, seed, Player::FIRST);
            let setup = series.state().setup_with(near_wall(rules, &mut stream));
            Deal::start_observed(rules, setup, &mut referee)
        } else {
            Deal::start_observed(rules, Match::new(rules, seed).state().setup(), &mut referee)
        };
        // Random hands hardly ever win: most deals are played for a win, kongs made where they can.
        let random = number % 4 == 1;
        while let Some(seat) = deal.state().deciding().next() {
            assert_eq!(all_tiles(deal.state()), all);
            let legal = deal.legal(seat).clone();
            let is_kong =
                |action: &Action| matches!(action, Action::AddedKong(_) | Action::ConcealedKong(_));
            let action = match legal.iter().find(is_kong) {
                _ if random => legal.pick(|len| stream.below(len as u32) as usize).unwrap(),
                Some(kong) => kong,
                None => greedy[seat.index()].decide(&deal.state().view(seat), &legal),
            };
            deal.act_observed(seat, action, &mut referee).unwrap();
        }
        if let Some(fault) = referee.fault() {
            return Some(format!("{game}: {fault}"));
        }
    }
    let unmet = words
        .into_iter()
        .find(|word| !referee.words.contains(*word));
    unmet.map(|word| format!("{game}: no {word} in {} decisions", referee.decisions))
}

#[test]
fn legal_actions_are_those_of_the_rules() {
    let faults: Vec<String> = GAMES.trim().lines().filter_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Near a complete hand and far from it.
#[test]
fn a_hand_is_ready_where_its_distance_is_none() {
    let mut scratch = Scratch::new();
    let mut ready = 0;
    for id in ["woo", "traditional", "celestial", "uzje"] {
        let rules = ruleset_with(id, &[]);
        let decomposer = &rules.plan().decomposer();
        let mut greedy = agents(&rules, "greedy");
        for game in 0..12 {
            let series = Match::new(&rules, game_seed(90, game));
            let mut deal = series.start_deal();
            while let Some(seat) = deal.state().waiting().first() {
                for other in Seat::all(4) {
                    let holding = paishan::decompose::Holding::from(deal.state().hand(other));
                    if holding.concealed.total() % 3 == 1 {
                        let distance = decomposer.distance(&holding, &mut scratch);
                        assert_eq!(decomposer.is_ready(&holding), distance == 0, "{holding:?}");
                        ready += usize::from(distance == 0);
                    }
                }
                let legal = deal.legal(seat).clone();
                let action = greedy[seat.index()].decide(&deal.state().view(seat), &legal);
                deal.act(seat, action).unwrap();
            }
        }
    }
    assert!(ready > 100, "{ready} ready hands");
}
