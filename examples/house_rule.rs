//! House rules in Rust around a ruleset from a file. They say what no file can say.
//!
//! No wins off a discard before the tenth turn. The first win of the evening brings 1,000 points more from
//! each other player.
//!
//! ```text
//! cargo run --release --example house_rule
//! ```

use paishan::agent;
use paishan::ruleset::{Adjusts, Plan, Rules, Ruleset};
use paishan::score::{PaymentReason, Settlement};
use paishan::simulate::{Summary, play};
use paishan::state::{DealState, Win};
use paishan::{Seat, game_seed};
use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

#[derive(Debug)]
struct Evening(Rules);

impl Ruleset for Evening {
    fn plan(&self) -> &Arc<Plan> {
        self.0.plan()
    }

    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        let is_early = state.discards().len() <= 9 * state.players();
        (win.way.is_self_draw() || !is_early) && self.0.may_win(state, seat, win)
    }

    fn adjust_settlement(&self, state: &DealState, wins: &[(Seat, Win)], paid: &mut Settlement) {
        if let (0, Some(&(winner, _))) = (state.progress().won, wins.first()) {
            for loser in Seat::all(state.players()).filter(|&seat| seat != winner) {
                paid.transfer(loser, winner, 1_000, PaymentReason::HouseRule);
            }
        }
    }

    fn adjusts(&self) -> Adjusts {
        Adjusts::Never
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Rules::by_id("riichi-mcgill")?;
    // The name gives the records of the house a hash of their own.
    let house = Evening(file.clone().with_house_rule("late-wins-and-first-bonus"));
    let mut out = io::stdout().lock();
    for (name, rules) in [("the file", &file as &dyn Ruleset), ("the house", &house)] {
        let mut agents = agent::for_all("greedy", rules.plan())?;
        let mut summary = Summary::default();
        for game in 0..200 {
            play(rules, &mut agents, game_seed(1, game), &mut summary)?;
        }
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole as f64;
        writeln!(
            out,
            "{name}: {:.1}% of {} deals won, {:.1}% of those with a drawn tile",
            percent(summary.won(), summary.deals),
            summary.deals,
            percent(summary.self_draws, summary.won()),
        )?;
    }
    Ok(())
}
