//! The starting conditions of a deal.

use crate::random::{Seed, Stream};
use crate::ruleset::Plan;
use crate::seat::{BySeat, Player};
use crate::state::{OnTable, Progress};
use crate::tile::Wind;
use crate::wall::Wall;

/// The starting conditions of a deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct DealSetup {
    /// The dealer.
    pub dealer: Player,
    /// The wind of the round.
    pub round: Wind,
    /// The wall, before anything is drawn.
    pub wall: Wall,
    /// Totals by seat, in the least unit of the ruleset.
    pub points: BySeat<i64>,
    /// Counters and deposits.
    pub on_table: OnTable,
    /// How many deals in a row the dealer has won.
    pub dealer_wins: u32,
    /// The progress of the match.
    pub progress: Progress,
}

/// The wall of one deal of a match. `hand` is the number of the deal, from 1.
pub(crate) fn wall_of(plan: &Plan, game_seed: Seed, hand: u32, dealer: Player) -> Wall {
    let mut stream = Stream::of_wall(game_seed, hand);
    Wall::build(&plan.wall, &plan.tiles, plan.players, dealer, &mut stream)
}

/// The index of the first dealer, if dice decide. Source: `rulesets/uzje.md` §4.3.
pub(crate) fn first_by_roll<R: AsRef<[u8]>>(dice: &[R], players: usize) -> usize {
    let dice = dice.iter().flat_map(|roll| roll.as_ref());
    (players - 1 + dice.map(|&die| usize::from(die)).sum::<usize>()) % players
}
