//! What [`Summary`] counts at the end of deals, counted again from events.

use crate::common::agents;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::simulate::{Summary, play};
use paishan::state::{DealState, Event};
use paishan::{Rules, Seat, game_seed};

/// Counts by player.
#[derive(Default)]
struct Counted {
    claims: [u64; 6],
    claimed_deals: [u64; 6],
    deal_ins: [u64; 6],
    riichi: [u64; 6],
    /// Of the current deal, by seat: claims, wins with the seat's tiles, declared riichi.
    deal: [[u64; 6]; 3],
}

impl Observer for Counted {
    fn deal_started(&mut self, _: &DealState) {
        self.deal = Default::default();
    }

    fn event(&mut self, _: &DealState, event: &Event) {
        match event {
            Event::Claimed { seat, .. } => self.deal[0][seat.index()] += 1,
            Event::Won { win, .. } => {
                if let Some(from) = win.from {
                    self.deal[1][from.index()] += 1;
                }
            }
            Event::RiichiDeclared { seat } => self.deal[2][seat.index()] += 1,
            _ => {}
        }
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, _: &Outcome, _: Next) {
        let [claims, deal_ins, riichi] = self.deal;
        for seat in Seat::all(state.players()) {
            let (seat, player) = (seat.index(), seat.player(state.dealer(), state.players()));
            let player = player.index();
            self.claims[player] += claims[seat];
            self.claimed_deals[player] += u64::from(claims[seat] > 0);
            self.deal_ins[player] += u64::from(deal_ins[seat] > 0);
            self.riichi[player] += riichi[seat];
        }
    }
}

#[test]
fn claims_deal_ins_and_riichi_are_those_of_the_events() {
    for id in ["riichi-tenhou", "sichuan", "mcr", "malaysian"] {
        let rules = Rules::by_id(id).unwrap();
        let mut watching = (Summary::default(), Counted::default());
        let mut agents = agents(&rules, "greedy");
        for game in 0..3 {
            play(&rules, &mut agents, game_seed(9, game), &mut watching).unwrap();
        }
        let (summary, counted) = watching;
        assert_eq!(summary.claims, counted.claims, "{id}");
        assert_eq!(summary.claimed_deals, counted.claimed_deals, "{id}");
        assert_eq!(summary.deal_ins, counted.deal_ins, "{id}");
        assert_eq!(summary.announced, counted.riichi, "{id}");
        assert_eq!(
            summary.ranks.as_flattened().iter().sum::<u64>(),
            3 * rules.plan().players() as u64
        );
        let claims: u64 = summary.claims.iter().sum();
        let deals: u64 = summary.claimed_deals.iter().sum();
        assert!(claims > deals && deals > 0, "{id}: {claims}");
        assert!(summary.deal_ins.iter().sum::<u64>() > 0, "{id}");
    }
}

#[test]
fn winning_points_are_those_of_all_winners() {
    let rules = Rules::by_id("woo").unwrap();
    let mut collector = paishan::simulate::Collector::new(&rules);
    play(&rules, &mut agents(&rules, "greedy"), 4, &mut collector).unwrap();
    let statistics = collector.statistics;
    let by_points = statistics.win_points.iter();
    let sum: i64 = by_points.map(|(points, wins)| points * *wins as i64).sum();
    assert_eq!(statistics.summary.winning_points.iter().sum::<i64>(), sum);
    assert_ne!(sum, 0);
}
