//! The legal actions of Ùzje, derived a second time from the rules by the obvious slow way, at every
//! decision of random games. Source: `rulesets/uzje.md` §5, §6.

use paishan::game::{Deal, Match};
use paishan::random::Stream;
use paishan::ruleset::{self, Ruleset};
use paishan::score::ScoreInput;
use paishan::state::{Action, Claims, DealState, Phase, Turn, Way, Win, Window};
use paishan::{Group, Kind, Seat, SeatSet, Suit, Tile, game_seed};
use std::collections::BTreeSet;

/// The three ranks of a number meld, in rising order, 0 being the zero.
fn is_number_meld(ranks: [u8; 3]) -> bool {
    let [a, b, c] = ranks;
    let lists = [
        [1, 2, 4],
        [2, 4, 8],
        [4, 8, 16],
        [1, 3, 9],
        [0, 1, 4],
        [1, 4, 9],
        [4, 9, 16],
        [0, 1, 8],
    ];
    a < b && b < c && b - a == c - b || lists.contains(&ranks)
}

/// The meld of three tiles in notation, if they are one of different ranks.
fn number_meld(kinds: [Kind; 3]) -> Option<String> {
    let suits: BTreeSet<Suit> = kinds.iter().filter_map(|kind| kind.suit()).collect();
    let rank = |kind: &Kind| match (kind.rank(), *kind) {
        (Some(rank), _) => Some(rank.get()),
        (None, Kind::ZERO) => Some(0),
        _ => None,
    };
    let mut ranks = kinds.iter().map(rank).collect::<Option<Vec<u8>>>()?;
    ranks.sort_unstable();
    let ranks = [ranks[0], ranks[1], ranks[2]];
    let suit = suits.first().filter(|_| suits.len() == 1)?;
    let digit = |rank: &u8| "0123456789xabcdef".as_bytes()[usize::from(*rank)] as char;
    let digits: String = ranks.iter().map(digit).collect();
    is_number_meld(ranks).then(|| format!("{digits}{}", suit.letter()))
}

/// True when the hand is worth winning with.
fn wins(rules: &dyn Ruleset, state: &DealState, seat: Seat, win: Win) -> bool {
    let hand = state.hand_before(seat, &win);
    let bonus: Vec<Tile> = state.wall().turned().collect();
    let input = ScoreInput {
        bonus: &bonus,
        ..ScoreInput::new(&hand, seat, state.round(), Some(&win))
    };
    rules.score(&input).is_ok()
}

fn win(rules: &dyn Ruleset, tile: Tile, way: Way, from: Option<Seat>, flags: &[&str]) -> Win {
    let mut win = Win {
        tile,
        way,
        from,
        flags: Default::default(),
        kongs_in_row: 0,
    };
    for flag in flags {
        win.flags.insert(rules.plan().flag(flag).unwrap());
    }
    win
}

fn on_turn(rules: &dyn Ruleset, state: &DealState, turn: &Turn) -> BTreeSet<String> {
    use paishan::state::DrawSource;
    let hand = state.hand(turn.seat);
    let kinds: Vec<Kind> = hand.tiles().map(|tile| tile.kind().unwrap()).collect();
    let mut legal = BTreeSet::new();
    let mut say = |action: Action| legal.insert(action.to_string());
    let mut before = kinds.clone();
    if let Some(tile) = turn.drawn {
        say(Action::Discard { tile, drawn: true });
        let place = before
            .iter()
            .position(|kind| Some(*kind) == tile.kind())
            .unwrap();
        before.remove(place);
        let last = state.wall().draws_left() == 0;
        let mut flags = match turn.source {
            DrawSource::Wall => vec![],
            DrawSource::Kong => vec!["after-kong"],
            DrawSource::Flower => vec!["after-flower"],
            DrawSource::SetAside => panic!("nothing is set aside in uzje"),
        };
        let way = if flags.is_empty() {
            Way::Wall
        } else {
            Way::Replacement
        };
        flags.extend(last.then_some("last-tile"));
        let mut win = win(rules, tile, way, None, &flags);
        win.kongs_in_row = turn.kongs_in_row;
        if wins(rules, state, turn.seat, win) {
            say(Action::Win);
        }
    }
    for kind in before {
        let tile = Tile::plain(kind);
        say(Action::Discard { tile, drawn: false });
    }
    if turn.drawn.is_some() && !turn.claimed && state.wall().draws_left() > 0 {
        for kind in Kind::all() {
            let held = kinds.iter().filter(|k| **k == kind).count();
            if held == 4 {
                say(Action::ConcealedKong(kind));
            }
            let open = hand
                .melds()
                .iter()
                .any(|m| m.group == Group::pung(kind) && m.open);
            if held == 1 && open {
                say(Action::AddedKong(kind));
            }
        }
    }
    legal
}

fn on_claim(
    rules: &dyn Ruleset,
    state: &DealState,
    seat: Seat,
    claims: &Claims,
) -> BTreeSet<String> {
    let mut legal = BTreeSet::new();
    let Claims { tile, from, .. } = *claims;
    let hand = state.hand(seat);
    let left = state.wall().draws_left();
    let players = state.players();
    let last: &[&str] = if left == 0 { &["last-tile"] } else { &[] };
    let mut won = |win| {
        if wins(rules, state, seat, win) {
            legal.insert(Action::Win.to_string());
        }
    };
    match claims.window {
        Window::Discard => won(win(rules, tile, Way::Discard, Some(from), last)),
        Window::AddedKong(_) => won(win(rules, tile, Way::RobbedKong, Some(from), &[])),
        Window::ConcealedKong(_) => won(win(
            rules,
            tile,
            Way::RobbedKong,
            Some(from),
            &["closed-kong"],
        )),
        Window::Flower(_) if seat != from => won(win(rules, tile, Way::Discard, Some(from), &[])),
        Window::Flower(_) => won(win(rules, tile, Way::Wall, None, &[])),
        Window::SetAside(_) => panic!("nothing is set aside in uzje"),
        Window::Challenge(_) => {}
    }
    if matches!(claims.window, Window::Discard) && left > 0 && hand.melds().len() < 4 {
        let kind = tile.kind().unwrap();
        let kinds: Vec<Kind> = hand.tiles().filter_map(|tile| tile.kind()).collect();
        let held = kinds.iter().filter(|k| **k == kind).count();
        if held >= 2 {
            legal.insert(Action::claim(Group::pung(kind)).to_string());
        }
        if held == 3 {
            legal.insert(Action::claim(Group::kong(kind)).to_string());
        }
        if seat == from.after(1, players) {
            for (i, &a) in kinds.iter().enumerate() {
                for &b in &kinds[i + 1..] {
                    let melds = number_meld([a, b, kind]);
                    legal.extend(melds.map(|meld| format!("chi {meld}")));
                }
            }
        }
    }
    if !legal.is_empty() {
        legal.insert(Action::Pass.to_string());
    }
    legal
}

#[test]
fn legal_actions_are_those_of_the_rules() {
    let (mut decisions, mut wins, mut kinds) = (0, 0, BTreeSet::new());
    for players in 3..=6i64 {
        let options = [
            ("players".to_owned(), players.into()),
            (
                "threshold".to_owned(),
                paishan::Decimal::from_tenths(5).into(),
            ),
        ];
        let rules = ruleset::by_id("uzje", &options).unwrap();
        let rules: &dyn Ruleset = &*rules;
        let mut greedy = crate::common::agents(rules, "greedy");
        for game in 0..12 {
            let seed = game_seed(90 + players as u64, game);
            let series = Match::new(rules, seed);
            let mut deal = Deal::start(rules, series.setup(), &mut ());
            let mut stream = Stream::new(seed, 31);
            let random = game % 2 == 0;
            let mut fresh = true;
            while let Some(seat) = deal.state().deciding().next() {
                let state = deal.state();
                let all = |seat: Seat| -> BTreeSet<String> {
                    let list: Vec<String> =
                        deal.legal(seat).iter().map(|a| a.to_string()).collect();
                    let set: BTreeSet<String> = list.iter().cloned().collect();
                    assert_eq!(set.len(), list.len(), "an action is listed twice");
                    set
                };
                match state.phase() {
                    Phase::Turn(turn) => {
                        assert_eq!(all(seat), on_turn(rules, state, turn), "{turn:?}");
                    }
                    Phase::Claims(claims) if fresh => {
                        let mut asked = SeatSet::EMPTY;
                        for other in Seat::all(players as usize) {
                            if other == claims.from && !matches!(claims.window, Window::Flower(_)) {
                                continue;
                            }
                            let want = on_claim(rules, state, other, claims);
                            assert_eq!(all(other), want, "{other}: {claims:?}");
                            if !want.is_empty() {
                                asked.insert(other);
                            }
                        }
                        assert_eq!(state.waiting(), asked);
                    }
                    _ => {}
                }
                let legal = deal.legal(seat).clone();
                kinds.extend(
                    legal
                        .iter()
                        .map(|action| std::mem::discriminant(&action))
                        .map(|d| format!("{d:?}")),
                );
                let action = if random {
                    legal
                        .nth(stream.below(legal.len() as u32) as usize)
                        .unwrap()
                } else {
                    greedy[seat.index()].decide(&state.view(seat), &legal)
                };
                wins += usize::from(legal.contains(Action::Win));
                decisions += 1;
                fresh = matches!(state.phase(), Phase::Turn(_)) || state.waiting().len() == 1;
                deal.act(seat, action, &mut ()).unwrap();
            }
        }
    }
    assert!(
        decisions > 2_000 && wins > 20,
        "{decisions} decisions, {wins} wins"
    );
    assert!(kinds.len() >= 6, "{kinds:?}");
}
