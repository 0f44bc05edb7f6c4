//! Whole games of the bloody battle: every tile is somewhere, every sum is zero, winners are out of play, and legal
//! actions are those that are derived a second time.

use crate::common::all_tiles;
use crate::common::legality::Referee;
use paishan::game::{Ending, MatchState, Next, Observer, Outcome};
use paishan::log::{Line, LogOptions, Recorder, replay};
use paishan::state::{Action, DealState, Event, Legal, Phase};
use paishan::{Notation, Player, Rules, Seat, Tile, game_seed, simulate};

struct Watch {
    all: Vec<Tile>,
    /// What was paid in the deal so far.
    paid: Vec<i64>,
    start: Vec<i64>,
    wins: usize,
    three: usize,
    exhausted: usize,
    kongs: usize,
}

impl Watch {
    fn check(&self, state: &DealState) {
        assert_eq!(all_tiles(state), self.all);
        let points: Vec<i64> = Seat::all(4).map(|seat| state.points(seat)).collect();
        assert_eq!(points.iter().sum::<i64>(), 0);
    }
}

impl Observer for Watch {
    fn deal_started(&mut self, state: &DealState) {
        self.paid = vec![0; 4];
        self.start = Seat::all(4).map(|seat| state.points(seat)).collect();
        self.wins = 0;
    }

    fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, _: Action) {
        assert!(!state.out().contains(seat));
        self.check(state);
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        match event {
            Event::Won { seat, .. } => {
                self.wins += 1;
                assert!(state.out().contains(*seat));
                assert!(state.view(seat.next(4)).shown_hand(*seat).is_some());
            }
            Event::Drew { seat, .. } | Event::Discarded { seat, .. } => {
                assert!(!state.out().contains(*seat));
            }
            _ => {}
        }
        self.check(state);
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let mut sums = [0; 4];
        for payment in &part.settlement.payments {
            sums[payment.from.index()] -= payment.units;
            sums[payment.to.index()] += payment.units;
        }
        for seat in Seat::all(4) {
            assert_eq!(sums[seat.index()], part.settlement.deltas[seat]);
            self.paid[seat.index()] += part.settlement.deltas[seat];
            let total = self.start[seat.index()] + self.paid[seat.index()];
            assert_eq!(state.points(seat), total);
        }
        self.kongs +=
            usize::from(part.wins().is_empty() && matches!(state.phase(), Phase::Turn(_)));
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        assert_eq!(outcome.wins().len(), self.wins);
        for seat in Seat::all(4) {
            assert_eq!(outcome.settlement.deltas[seat], self.paid[seat.index()]);
            let has_score = outcome.settlement.scores[seat].is_some();
            let has_won = outcome.wins().iter().any(|(winner, _)| *winner == seat);
            assert_eq!((has_score, has_won), (has_won, state.out().contains(seat)));
        }
        assert_eq!(outcome.ending == Ending::Won, self.wins == 3);
        assert!(self.wins <= 3);
        self.three += usize::from(self.wins == 3);
        self.exhausted += usize::from(outcome.ending == Ending::Exhausted);
    }
}

#[test]
fn games_keep_the_rules() {
    let rules = Rules::by_id("sichuan").unwrap();
    let [mut three, mut exhausted, mut kongs] = [0; 3];
    let mut referee = Referee::new(&rules, "sichuan");
    for name in ["random", "greedy", "value"] {
        let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
        for game in 0..if name == "value" { 2 } else { 12 } {
            let mut watch = Watch {
                all: rules.plan().tiles().iter().collect(),
                paid: Vec::new(),
                start: Vec::new(),
                wins: 0,
                three: 0,
                exhausted: 0,
                kongs: 0,
            };
            let seed = game_seed(26, game);
            let mut both = (&mut watch, &mut referee);
            simulate::play(&rules, &mut agents, seed, &mut both).unwrap();
            three += watch.three;
            exhausted += watch.exhausted;
            kongs += watch.kongs;
        }
    }
    assert_eq!(referee.fault(), None);
    assert!(
        three > 30 && exhausted > 50 && kongs > 100,
        "{three} {exhausted} {kongs}"
    );
}

/// Logs of all, of one player, with decisions and without, replay; so do moves.
#[test]
fn games_replay() {
    let rules = Rules::by_id("sichuan").unwrap();
    let mut agents = paishan::agent::for_all("random", rules.plan()).unwrap();
    let views = [(None, true), (None, false), (Player::new(2), true)];
    for ((viewer, with_legal), seed) in views
        .into_iter()
        .flat_map(|view| [7, 8].map(|seed| (view, seed)))
    {
        let mut lines = Vec::new();
        let mut options = LogOptions::new(vec!["greedy".to_owned(); 4], Notation::Ujmj);
        options.viewer = viewer;
        options.with_legal = with_legal;
        let mut moves = paishan::game::Moves::new(seed);
        let recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
        let mut both = (recorder, &mut moves);
        let played = simulate::play(&rules, &mut agents, seed, &mut both).unwrap();
        drop(both);
        // The wall is used up at the very end of a deal, if it is.
        for pair in lines.windows(2) {
            if matches!(pair[0], Line::Ryukyoku { .. }) {
                assert!(matches!(pair[1], Line::EndKyoku { .. }), "{pair:?}");
            }
        }
        let replayed = replay(&lines, |_, _| Ok(&rules)).unwrap();
        assert_eq!(replayed.complete, viewer.is_none());
        let again = moves.play(&rules, &mut ()).unwrap();
        assert_eq!(again.totals(), played.totals());
        let hidden = lines
            .iter()
            .any(|line| matches!(line, Line::Exchange { pai, .. } if pai == "?"));
        assert_eq!(hidden, viewer.is_some());
    }
}
