//! Whole games of Changsha mahjong: what is paid, and which hands may be shown, is derived a second time from the rules in
//! words, without the patterns and payments of the file.

use crate::common::{games, ruleset_with};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::log::{LogOptions, Recorder, replay};
use paishan::state::{Action, DealState, Event, Legal, OpeningChoice, Phase};
use paishan::{Hand, Kind, Meld, Notation, Player, Rules, Seat, game_seed, simulate};
use std::collections::BTreeMap;

/// How many tiles of each kind, by suit and rank.
type Held = BTreeMap<(usize, u8), u8>;

fn place(kind: Kind) -> (usize, u8) {
    (kind.lane(), kind.rank().expect("a numbered tile").get())
}

fn held(kinds: impl IntoIterator<Item = Kind>) -> Held {
    let mut held = Held::new();
    for kind in kinds {
        *held.entry(place(kind)).or_default() += 1;
    }
    held
}

fn is_eye(&(_, rank): &(usize, u8)) -> bool {
    matches!(rank, 2 | 5 | 8)
}

fn suits(held: &Held) -> usize {
    (0..3)
        .filter(|suit| held.keys().any(|(own, _)| own == suit))
        .count()
}

/// Whether tiles are groups and a pair, with any pair or one of 2, 5 or 8, and with pungs alone.
fn is_complete(held: &Held, eyes: bool, pungs: bool) -> bool {
    fn groups(held: &Held, pungs: bool) -> bool {
        let Some((&(suit, rank), &count)) = held.iter().find(|(_, count)| **count > 0) else {
            return true;
        };
        let less = |taken: &[((usize, u8), u8)]| {
            let mut rest = held.clone();
            for (place, count) in taken {
                let left = rest.get(place).copied().unwrap_or(0).checked_sub(*count)?;
                rest.insert(*place, left);
            }
            Some(rest)
        };
        let run = [rank, rank + 1, rank + 2].map(|rank| ((suit, rank), 1));
        count >= 3 && less(&[((suit, rank), 3)]).is_some_and(|rest| groups(&rest, pungs))
            || !pungs && less(&run).is_some_and(|rest| groups(&rest, pungs))
    }
    held.iter().any(|(place, &count)| {
        let mut rest = held.clone();
        rest.insert(*place, count.saturating_sub(2));
        count >= 2 && (!eyes || is_eye(place)) && groups(&rest, pungs)
    })
}

/// The big patterns of a winning hand that its tiles show, and whether it wins without any.
fn shapes(hand: &Hand, last: Kind, claimed: bool) -> (i64, bool) {
    let melds = hand.melds();
    let concealed = held(hand.tiles().filter_map(|tile| tile.kind()).chain([last]));
    let melded = melds.iter().flat_map(|meld| meld.kinds().take(3));
    let all = held(
        hand.tiles()
            .filter_map(|tile| tile.kind())
            .chain([last])
            .chain(melded),
    );
    let is_pair = |count: &u8| count.is_multiple_of(2);
    let seven = melds.is_empty() && concealed.values().all(is_pair);
    let is_pung = |meld: &Meld| !meld.group().family().is_run();
    let pungs = melds.iter().all(is_pung) && is_complete(&concealed, false, true);
    let patterns = [
        pungs,
        all.keys().all(is_eye),
        suits(&all) == 1,
        seven,
        seven && concealed.values().any(|count| *count == 4),
        melds.len() == 4 && claimed,
    ];
    let big = patterns.iter().filter(|pattern| **pattern).count() as i64;
    (big, is_complete(&concealed, true, false))
}

/// The hands that may be shown, by step.
fn may_show(hand: &Hand) -> [bool; 4] {
    let held = held(hand.tiles().filter_map(|tile| tile.kind()));
    let with = |least: u8| held.values().filter(|count| **count >= least).count();
    [
        with(4) >= 1,
        !held.keys().any(is_eye),
        suits(&held) <= 2,
        with(3) >= 2,
    ]
}

struct Watch<'a> {
    rules: &'a Rules,
    dealt: Vec<Hand>,
    /// Who was asked in which step.
    asked: Vec<(u8, Seat)>,
    shown: Vec<(u8, Seat)>,
    wins: [usize; 3],
    shows: [usize; 4],
    birds: usize,
}

impl Watch<'_> {
    fn option(&self, id: &str) -> String {
        let value = self.rules.plan().options().get(id).expect("an option");
        value.to_string()
    }

    /// What each seat wins and pays for wins.
    fn paid_for(&mut self, state: &DealState, part: &Outcome) -> [i64; 4] {
        let plan = self.rules.plan();
        let mut paid = [0; 4];
        let wins = part.wins();
        for (winner, win) in wins {
            let last = win.tile.kind().expect("a numbered tile");
            let claimed = !win.way.is_self_draw();
            let hand = state.hand_before(*winner, win);
            let (mut big, is_small) = shapes(&hand, last, claimed);
            // Birds were turned after the win.
            let left = state.wall().draws_left() + state.turned().len();
            let discards = state.discards();
            let is_first = discards.iter().all(|discard| !discard.claimed) && state.kongs() == 0;
            let flag = |id: &str| {
                let flags = plan.flags().iter();
                let named = flags.enumerate().filter(|(_, flag)| flag.id == id);
                named
                    .map(|(place, _)| place)
                    .any(|place| win.flags.contains(place))
            };
            let ways = [
                *winner == Seat::EAST && !claimed && discards.is_empty() && is_first,
                *winner != Seat::EAST && claimed && discards.len() == 1 && is_first,
                left == 0 && win.way != paishan::state::Way::RobbedKong,
                flag("after-kong"),
                flag("after-kong-discard"),
                win.way == paishan::state::Way::RobbedKong,
            ];
            big += ways.iter().filter(|way| **way).count() as i64;
            assert!(big > 0 || is_small, "{hand:?} {last}");
            self.wins[usize::from(big > 0) + usize::from(big > 1)] += 1;
            let points = if big == 0 { 1 } else { 6 * big };
            for payer in Seat::all(4).filter(|payer| payer != winner) {
                if claimed && win.from != Some(payer) {
                    continue;
                }
                let mut sum = points + i64::from(big == 0 && !claimed);
                let is_dealer = payer == Seat::EAST || *winner == Seat::EAST;
                sum += i64::from(is_dealer && self.option("dealer-extra") == "true");
                let start = match self.option("bird-from").as_str() {
                    "dealer" => Seat::EAST,
                    _ if wins.len() > 1 => win.from.expect("a discard"),
                    _ => *winner,
                };
                let mut hits = 0;
                for turned in state.turned() {
                    let (_, rank) = place(turned.tile.kind().expect("a numbered tile"));
                    let named = match rank {
                        1 | 5 | 9 => start,
                        2 | 6 => start.next(4),
                        3 | 7 => start.next(4).next(4),
                        _ => start.next(4).next(4).next(4),
                    };
                    hits += i64::from(named == *winner || named == payer);
                }
                self.birds += hits as usize;
                let sum = match self.option("bird-counts").as_str() {
                    "adds" => sum + hits,
                    "multiplies" => sum * (1 + hits),
                    _ => sum << hits,
                };
                paid[winner.index()] += sum;
                paid[payer.index()] -= sum;
            }
        }
        paid
    }
}

impl Observer for Watch<'_> {
    fn deal_started(&mut self, state: &DealState) {
        self.dealt = Seat::all(4).map(|seat| *state.hand(seat)).collect();
        self.asked.clear();
        self.shown.clear();
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, _: Action) {
        if let Phase::Opening(opening) = state.phase() {
            assert_eq!(opening.choice, OpeningChoice::Show);
            assert!(legal.iter().eq([Action::Pass, Action::Show]));
            self.asked.push((opening.step, seat));
        }
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        if let Event::HandShown { seat, step, .. } = *event {
            assert!(self.asked.contains(&(step, seat)));
            self.shown.push((step, seat));
            self.shows[usize::from(step)] += 1;
        }
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let deltas = Seat::all(4).map(|seat| part.settlement.deltas[seat]);
        let deltas: Vec<i64> = deltas.collect();
        let is_shown = !part.settlement.payments.is_empty() && part.wins().is_empty();
        let paid = match is_shown {
            // Each of the others pays 2, and a point more to or from the dealer.
            true => {
                let to = part.settlement.payments[0].to;
                assert!(self.shown.iter().any(|(_, seat)| *seat == to));
                let extra = i64::from(self.option("dealer-extra") == "true");
                let mut paid = [0; 4];
                for from in Seat::all(4).filter(|from| *from != to) {
                    let is_dealer = from == Seat::EAST || to == Seat::EAST;
                    let sum = 2 + if is_dealer { extra } else { 0 };
                    paid[to.index()] += sum;
                    paid[from.index()] -= sum;
                }
                paid
            }
            false => self.paid_for(state, part),
        };
        assert_eq!(deltas, paid);
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let mut wanted = Vec::new();
        for (seat, hand) in Seat::all(4).zip(&self.dealt) {
            let steps = (0..).zip(may_show(hand));
            wanted.extend(steps.filter_map(|(step, may)| may.then_some((step, seat))));
        }
        wanted.sort_unstable();
        self.asked.sort_unstable();
        assert_eq!(self.asked, wanted);
        let has_won = !outcome.wins().is_empty();
        let most = self.option("birds").parse::<usize>().expect("a number");
        let taken = match has_won {
            true => most.min(state.wall().draws_left() + state.turned().len()),
            false => 0,
        };
        assert_eq!(state.turned().len(), taken);
    }
}

#[test]
fn payments_and_shown_hands_are_those_of_the_rules_in_words() {
    for options in [
        &[][..],
        &["bird-counts=multiplies", "bird-from=dealer", "birds=4"],
        &["bird-counts=adds", "birds=6", "dealer-extra=false"],
    ] {
        let rules = ruleset_with("changsha", options);
        let mut watch = Watch {
            rules: &rules,
            dealt: Vec::new(),
            asked: Vec::new(),
            shown: Vec::new(),
            wins: [0; 3],
            shows: [0; 4],
            birds: 0,
        };
        for (name, games) in [("random", games(40)), ("greedy", games(60)), ("value", 1)] {
            let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
            for game in 0..games {
                let seed = game_seed(48, game);
                simulate::play(&rules, &mut agents, seed, &mut watch).unwrap();
            }
        }
        assert!(watch.birds > 100, "{}", watch.birds);
        let [small, big, several] = watch.wins;
        assert!(small > 100 && big > 100 && several > 0, "{:?}", watch.wins);
        assert!(
            watch.shows.iter().all(|shows| *shows > 0),
            "{:?}",
            watch.shows
        );
    }
}

/// Agents that never show a hand leave steps without events, so the decisions of several steps are written together.
#[test]
fn games_replay_with_steps_in_which_nobody_acts() {
    let rules = Rules::by_id("changsha").unwrap();
    for (name, viewer, games) in [("first", None, 20), ("random", Player::new(1), 4)] {
        let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
        for game in 0..games {
            let mut lines = Vec::new();
            let mut options = LogOptions::new(vec![name.to_owned(); 4], Notation::Ujmj);
            (options.viewer, options.with_legal) = (viewer, true);
            let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
            simulate::play(&rules, &mut agents, game_seed(48, game), &mut recorder).unwrap();
            drop(recorder);
            let replayed = replay(&lines, |_, _| Ok(&rules)).unwrap();
            assert_eq!(replayed.complete, viewer.is_none());
        }
    }
}
