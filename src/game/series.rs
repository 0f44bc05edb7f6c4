//! [`Match`]: deals in a row, who deals, totals, the end.

use super::{Deal, DealSetup, Observer, Outcome, wall_of};
use crate::random::Stream;
use crate::ruleset::{FirstDealer, Ruleset, Standing};
use crate::seat::{MAX_PLAYERS, Player};
use crate::state::DealState;
use crate::tile::Wind;
use crate::wall::Wall;
use smallvec::SmallVec;

/// What follows a deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The dealer stays.
    Stay,
    /// Another player deals.
    Pass,
    /// The match is over.
    End,
}

/// The first dealer where dice name him. Source: `spec/uzje.md` §4.3.
pub(crate) fn first_by_roll<R: AsRef<[u8]>>(dice: &[R], players: usize) -> usize {
    let dice = dice.iter().flat_map(|roll| roll.as_ref());
    (players - 1 + dice.map(|&die| usize::from(die)).sum::<usize>()) % players
}

/// A match: deals in a row under a ruleset, each with its wall from the game's seed.
#[derive(Clone, Debug)]
pub struct Match<R> {
    rules: R,
    game_seed: u64,
    totals: [i64; MAX_PLAYERS],
    dealer: Player,
    first_dealer: Player,
    hand: u32,
    /// Rounds played to their end.
    rounds: u32,
    over: bool,
}

impl<R: Ruleset> Match<R> {
    /// A match that begins; the seed says who deals first where the ruleset draws it.
    pub fn new(rules: R, game_seed: u64) -> Self {
        let plan = rules.plan();
        let first = match plan.matches.first_dealer {
            FirstDealer::Fixed => 0,
            FirstDealer::Random => Stream::of_match(game_seed).below(plan.players as u32) as usize,
            FirstDealer::Roll => {
                // The dice of the first wall do not depend on who deals.
                let wall = wall_of(&rules, game_seed, 1, Player::FIRST);
                first_by_roll(&wall.dice, plan.players)
            }
        };
        // The drawn number is below the players of the table.
        let dealer = Player::new(first).expect("a table has at most six players");
        Self::with_dealer(rules, game_seed, dealer)
    }

    /// A match in which `dealer` deals first; players are counted round a smaller table. Where dice
    /// name the first dealer only he agrees with the wall of the seed: a log of another does not
    /// replay.
    pub fn with_dealer(rules: R, game_seed: u64, dealer: Player) -> Self {
        let plan = rules.plan();
        let dealer = dealer.after(0, plan.players);
        Self {
            totals: [plan.matches.start_points * plan.settlement.units_per_point(); MAX_PLAYERS],
            game_seed,
            dealer,
            first_dealer: dealer,
            hand: 1,
            rounds: 0,
            over: false,
            rules,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The seed from which everything of the match follows.
    pub fn game_seed(&self) -> u64 {
        self.game_seed
    }

    /// How many players.
    pub fn players(&self) -> usize {
        self.rules.plan().players
    }

    /// Totals by player.
    pub fn totals(&self) -> &[i64] {
        &self.totals[..self.players()]
    }

    /// Who deals now.
    pub fn dealer(&self) -> Player {
        self.dealer
    }

    /// The number of the deal in the match, from 1.
    pub fn hand(&self) -> u32 {
        self.hand
    }

    /// The wind of the round: East, and where winds turn the next one each time that the deal
    /// comes back to the first dealer.
    pub fn round(&self) -> Wind {
        if self.rules.plan().matches.round_winds {
            Wind::ALL[self.rounds as usize % 4]
        } else {
            Wind::East
        }
    }

    /// The number of the dealer in the round, from 1: where winds turn the first dealer has 1,
    /// elsewhere player 0.
    pub fn dealer_number(&self) -> usize {
        let first = if self.rules.plan().matches.round_winds {
            self.first_dealer
        } else {
            Player::FIRST
        };
        self.dealer.seat(first, self.players()).index() + 1
    }

    /// True when no further deal is played.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// What the current deal starts from, with the wall of the seed.
    pub fn setup(&self) -> DealSetup {
        self.setup_with(wall_of(&self.rules, self.game_seed, self.hand, self.dealer))
    }

    /// What the current deal starts from, with a given wall.
    pub fn setup_with(&self, wall: Wall) -> DealSetup {
        DealSetup {
            dealer: self.dealer,
            round: self.round(),
            wall,
        }
    }

    /// Starts the current deal.
    pub fn start_deal(&self, observer: &mut impl Observer) -> Deal<&R> {
        Deal::start(&self.rules, self.setup(), observer)
    }

    /// Books the outcome of the current deal and moves on.
    pub fn record(&mut self, state: &DealState, outcome: &Outcome) -> Next {
        let players = self.players();
        let dealer = state.dealer();
        for player in Player::all(players) {
            let seat = player.seat(dealer, players);
            self.totals[player.index()] += outcome.settlement.deltas[seat];
        }
        let winners: SmallVec<[Player; 4]> = outcome
            .wins
            .iter()
            .map(|(seat, _)| seat.player(dealer, players))
            .collect();
        let next = self.rules.next_dealer(dealer, &winners);
        let round_ends = next != dealer && next == self.first_dealer;
        let standing = Standing {
            deals: self.hand,
            rounds: self.rounds + u32::from(round_ends),
            totals: self.totals(),
        };
        if self.rules.is_over(&standing) {
            self.over = true;
            return Next::End;
        }
        self.rounds += u32::from(round_ends);
        self.dealer = next;
        self.hand += 1;
        if next == dealer {
            Next::Stay
        } else {
            Next::Pass
        }
    }

    /// Ranks by player: 1 for the highest total, equal totals equal.
    pub fn ranks(&self) -> Vec<usize> {
        let totals = self.totals();
        let better = |mine: &i64| totals.iter().filter(|total| *total > mine).count();
        totals.iter().map(|total| 1 + better(total)).collect()
    }
}
