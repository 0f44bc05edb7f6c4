//! Rulesets: the trait [`Ruleset`], the built-in rulesets, and loading one from a text.

mod built_in;
#[cfg(feature = "toml")]
pub(crate) mod cause;
mod circumstances;
mod idle;
pub mod keys;
mod matches;
pub(crate) mod opening;
mod options;
mod plan;
mod play;
mod procedures;
mod read;
mod rules;
pub(crate) mod source;
pub(crate) mod text;
#[cfg(feature = "toml")]
mod toml;

pub use built_in::{ids, text};
pub use matches::{DealerKeepsOn, FirstDealer, MatchEnd, MatchRules, NextDealer, ResultRules};
pub use opening::{OpeningStep, PassRules, PassTo};
pub use options::{
    OptionError, OptionMap, OptionSpec, OptionType, OptionValue, Options, PatternValues,
    ValueRange, merged, parse_option,
};
pub use plan::{CircumstanceError, Flag, FlagError, Invariant, LoadError, Plan};
pub use play::{
    AddedTo, AsideRow, AsideRules, ClaimKind, ClaimRank, DealtAside, IndicatorTurn, KongAfterClaim,
    PlayRules, TurnedOn, TurnedRow, WildClaims, WildRules, WildStep, WildSwap, Winners,
};
pub use procedures::{
    AbortiveDrawRules, Adjusts, ChallengeRules, FalseWinRules, FishingRules, FuritenRules,
    KongInRiichi, Procedures, RiichiDeclarationRules, SwapCallRules,
};
pub use rules::Rules;
pub use source::{RulesetError, RulesetErrors, RulesetFault};
pub use text::{Difference, Source};

use crate::score::{self, Score, ScoreError, ScoreInput, Settlement};
use crate::seat::{MAX_PLAYERS, Player, Seat};
use crate::state::{DealState, Legal, OnTable, Win};
use crate::tile::Tile;
use smallvec::SmallVec;
use std::fmt::Debug;
use std::sync::Arc;

/// The rules of a game. [`Ruleset::plan`] is data. The other methods are for rules that data cannot express. Their
/// defaults follow the plan, so a type that implements only `plan` plays exactly by the file of that plan.
///
/// To add a house rule, wrap a [`Rules`] and override one method:
///
/// ```
/// use paishan::ruleset::{Adjusts, Plan};
/// use paishan::Rules;
/// use paishan::state::{DealState, Win};
/// use paishan::{Ruleset, Seat, agent, simulate};
/// use std::sync::Arc;
///
/// /// No wins off a discard.
/// #[derive(Debug)]
/// struct SelfDrawOnly(Rules);
///
/// impl Ruleset for SelfDrawOnly {
///     fn plan(&self) -> &Arc<Plan> {
///         self.0.plan()
///     }
///     fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
///         win.way.is_self_draw() && self.0.may_win(state, seat, win)
///     }
///     fn adjusts(&self) -> Adjusts {
///         Adjusts::Never
///     }
/// }
///
/// let woo = Rules::by_id("woo")?;
/// let rules = SelfDrawOnly(woo.with_house_rule("self-draw-only"));
/// let mut agents = agent::for_all("greedy", rules.plan())?;
/// let mut summary = simulate::Summary::default();
/// simulate::play(&rules, &mut agents, 7, &mut summary)?;
/// assert!(summary.deals > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// States, saved matches, moves and logs have the [`Plan::content_hash`] of their rules and are refused under other
/// rules. A type that changes the rules of its file must name its house rule, as above. Without a name its records have
/// the hash of the file and cannot be distinguished from records of the plain rules. A type around any ruleset, such as
/// an `Arc<dyn Ruleset>`, keeps the plan of [`Plan::with_house_rule`] and returns it from [`Ruleset::plan`].
///
/// The trait is dyn-compatible. A `Deal<Rules>` calls it directly. A `Deal<Arc<dyn Ruleset>>` makes one indirect call
/// for each possible win, each settlement, and each decision for which [`Ruleset::adjusts`] requires one.
pub trait Ruleset: Debug + Send + Sync {
    /// The data: tiles, decomposer, wall, claims, patterns, settlement, match. The plan must never change, because a
    /// deal keeps a copy.
    fn plan(&self) -> &Arc<Plan>;

    /// Scores one hand, won (`input.win` is some) or not.
    ///
    /// # Errors
    /// [`ScoreError`], also for impossible input: a win on the winner's own discard or off a seat that does not exist,
    /// a wrong number of tiles, a fifth copy, a tile that is not in play.
    fn score_hand(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
        let plan = self.plan();
        let grammar = plan.decomposer.grammar();
        // Where kongs take four tiles, so many fewer count besides.
        let kongs = grammar.size(input.hand) - input.hand.size();
        let size = grammar.hand_tiles().saturating_sub(kongs);
        input.check(&plan.tiles, size, plan.players)?;
        let decomposer = plan.decomposer_of(input.turned_tile());
        score::best(&plan.score, decomposer, &plan.tiles, input)
    }

    /// Whether [`Ruleset::score_hand`] would give a score. The table asks this before it offers a win. Override it
    /// only if there is a faster way than scoring, and only together with `score_hand`.
    fn has_score(&self, input: &ScoreInput<'_>) -> bool {
        self.score_hand(input).is_ok()
    }

    /// What each player gains or pays, in the least unit of the ruleset, with every payment. `hands` are all hands of
    /// the table in seat order. In a drawn deal no hand has a win.
    ///
    /// What rows of `[payments]` pay for a used-up wall and return is added afterwards.
    ///
    /// # Errors
    /// [`ScoreError`] if a win is invalid, if a tile that was not drawn has no giver, or if the hands are not those of
    /// the table.
    fn settle_hands(
        &self,
        hands: &[ScoreInput<'_>],
        table: OnTable,
    ) -> Result<Settlement, ScoreError> {
        let plan = self.plan();
        let seats = hands.iter().map(|hand| hand.seat);
        if !seats.eq(Seat::all(plan.players)) {
            return Err(ScoreError::NotTheTable {
                have: hands.len(),
                want: plan.players,
            });
        }
        let is_given = |hand: &&ScoreInput<'_>| {
            hand.win
                .is_none_or(|win| win.way.is_self_draw() || win.from.is_some())
        };
        if let Some(hand) = hands.iter().find(|hand| !is_given(hand)) {
            return Err(ScoreError::NoGiver { seat: hand.seat });
        }
        let mut settlement = Settlement::default();
        let mut short = None;
        if hands.iter().any(|hand| hand.win.is_some()) {
            for hand in hands.iter().filter(|hand| !hand.out || hand.win.is_some()) {
                settlement.scores[hand.seat] = match self.score_hand(hand) {
                    Ok(score) => Some(score),
                    Err(ScoreError::NotScored) if hand.win.is_none() => None,
                    // An invalid win is reported before one that is not worth enough.
                    Err(error @ ScoreError::BelowMinimum(_)) => {
                        short.get_or_insert(error);
                        None
                    }
                    Err(error) => return Err(error),
                };
            }
        }
        if let Some(error) = short {
            return Err(error);
        }
        plan.pay(hands, &mut settlement, table);
        Ok(settlement)
    }

    /// The last step of settling a deal at a table, won or drawn. It adds payments that depend on the course of the
    /// deal. The state is the one in which play ended. `wins` are the winners in turn order from the giver of the tile.
    ///
    /// Where play goes on after a win, this method is called for the winners off each tile, and once more without
    /// winners when the wall is used up. It is not called when a deal is aborted or ends with a false win.
    fn adjust_settlement(
        &self,
        _state: &DealState,
        _wins: &[(Seat, Win)],
        _settlement: &mut Settlement,
    ) {
    }

    /// Whether `seat` may win now with a tile. The table calls this method when the tiles may be complete, and for a
    /// laid-down flower if the seat has enough flowers for a pattern that wins on one.
    ///
    /// The default asks `[win] when`, and [`Ruleset::has_score`]. An override that delegates to an inner
    /// ruleset asks the score of that one. A type that overrides `score_hand` as well asks its own by [`Plan::ask_about_win`].
    fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
        let ask = |input: &ScoreInput<'_>| self.has_score(input);
        let plan = self.plan();
        plan.allows_win(state, seat, win) && plan.ask_about_win(state, seat, win, ask)
    }

    /// Whether `seat` may challenge the face-down kong that `owner` has just declared. A challenge shows the tiles of
    /// the kong. The answer must not depend on what `seat` cannot see.
    fn may_challenge(&self, state: &DealState, seat: Seat, owner: Seat) -> bool {
        let plan = self.plan();
        let decomposer = plan.decomposer_of(state.turned_tile());
        let challenge = plan.procedures.challenge.as_ref();
        challenge.is_some_and(|rules| rules.allow(decomposer, state, seat, owner))
    }

    /// The last step of building a set of legal actions, after the procedures of the plan. It forbids or adds actions.
    /// The phase of the state says what the seat decides.
    ///
    /// Afterwards the table drops actions that it cannot carry out: a discard of a tile that the seat does not hold, a
    /// claim without the tiles for it, a win of a hand that has no score. It also drops announcements that the plan's
    /// procedures do not offer. A seat on turn that would be left without any action keeps its previous ones. This
    /// method is not called for choices before the first turn.
    fn adjust(&self, _state: &DealState, _seat: Seat, _legal: &mut Legal) {}

    /// Says when [`Ruleset::adjust`] must be called. The default is safe for any `adjust`. A type that does not
    /// override `adjust` plays faster with [`Adjusts::Never`].
    fn adjusts(&self) -> Adjusts {
        Adjusts::Always
    }

    /// Whether `seat` is calling once it has discarded `tile`. If so, the table announces it. Called only if the plan
    /// has [`Procedures::fishing`].
    fn is_calling(&self, state: &DealState, seat: Seat, tile: Tile) -> bool {
        // Most hands are far from ready, so this comes first.
        state.may_lack_only(seat, 1)
            && tile.kind().is_some_and(|kind| {
                let decomposer = self.plan().decomposer_of(state.turned_tile());
                procedures::is_ready_without(decomposer, state, seat, kind)
            })
    }

    /// Returns the dealer of the next deal.
    fn next_dealer(&self, played: &PlayedDeal<'_>) -> Player {
        let plan = self.plan();
        let PlayedDeal {
            dealer, winners, ..
        } = *played;
        let keeps = match plan.matches.next_dealer {
            NextDealer::Winner => return winners.first().copied().unwrap_or(dealer),
            NextDealer::Rotate => false,
            NextDealer::DealerKeeps(_) if !winners.is_empty() => winners.contains(&dealer),
            NextDealer::DealerKeeps(_) if !played.exhausted => true,
            NextDealer::DealerKeeps(_) if played.kongs > plan.matches.keeps_kongs => false,
            NextDealer::DealerKeeps(DealerKeepsOn::Win) => false,
            NextDealer::DealerKeeps(DealerKeepsOn::Ready) => played.dealer_was_ready,
            NextDealer::DealerKeeps(DealerKeepsOn::Draw) => true,
        };
        if keeps {
            dealer
        } else {
            dealer.after(1, plan.players)
        }
    }

    /// Whether a match is over. A match also ends when the dealer ends it, and after [`MatchRules::max_deals`] deals,
    /// whatever this method returns.
    fn is_over(&self, standing: &Standing<'_>) -> bool {
        let plan = self.plan();
        let per_point = plan.units_per_point();
        let ends = &plan.matches.ends;
        ends.iter().any(|end| standing.has_come_to(*end, per_point))
    }

    /// Whether the dealer may end a match that would go on.
    fn dealer_may_end(&self, standing: &Standing<'_>) -> bool {
        let plan = self.plan();
        let per_point = plan.units_per_point();
        let played = PlayedDeal {
            dealer_ends: true,
            ..standing.played
        };
        let ended = Standing {
            played,
            ..*standing
        };
        let ends = &plan.matches.ends;
        ends.iter().any(|end| ended.has_come_to(*end, per_point))
    }
}

/// The facts about a finished deal that the match needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayedDeal<'a> {
    /// The dealer.
    pub dealer: Player,
    /// The winners in turn order.
    pub winners: &'a [Player],
    /// True when no seat won and no tile was left to draw.
    pub exhausted: bool,
    /// True when no seat won and the dealer's hand was ready.
    pub dealer_was_ready: bool,
    /// Kongs made in the deal.
    pub kongs: u32,
    /// True when the dealer has chosen to end the match.
    pub dealer_ends: bool,
}

/// The progress of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing<'a> {
    /// Deals played, drawn ones included.
    pub deals: u32,
    /// Complete rounds: how often the deal has come back to the first dealer.
    pub rounds: u32,
    /// Complete rounds before the last deal.
    pub rounds_before: u32,
    /// Totals by player, in the least unit of the ruleset.
    pub totals: &'a [i64],
    /// The first dealer of the match.
    pub first_dealer: Player,
    /// The last deal.
    pub played: PlayedDeal<'a>,
}

impl Standing<'_> {
    /// Players from the highest total to the lowest. Ties go by the seats in the first deal.
    pub fn by_rank(&self) -> Vec<Player> {
        ranked(self.totals, self.first_dealer).to_vec()
    }

    /// True when this end of the match is reached.
    fn has_come_to(&self, end: MatchEnd, units_per_point: i64) -> bool {
        let best = self.totals.iter().max().copied().unwrap_or_default();
        let has_goal = |points: i64| best >= points * units_per_point;
        match end {
            MatchEnd::Deals(deals) => self.deals >= deals,
            MatchEnd::Rounds(rounds) => self.rounds >= rounds,
            MatchEnd::RoundsOrGoal { rounds, goal } => {
                self.rounds > rounds
                    || self.rounds == rounds && has_goal(goal)
                    || self.rounds_before >= rounds && has_goal(goal)
            }
            MatchEnd::DealerLeads {
                rounds,
                goal,
                on_win,
                on_ready,
                by_choice,
            } => {
                let PlayedDeal {
                    dealer, winners, ..
                } = self.played;
                let players = self.totals.len();
                let is_last = dealer.after(1, players) == self.first_dealer;
                let ready = self.played.exhausted && self.played.dealer_was_ready;
                self.rounds_before + 1 == rounds
                    && (!by_choice || self.played.dealer_ends)
                    && is_last
                    && (on_win && winners.contains(&dealer) || on_ready && ready)
                    && ranked(self.totals, self.first_dealer).first() == Some(&dealer)
                    && has_goal(goal)
            }
            MatchEnd::Below(points) => {
                let units = points * units_per_point;
                self.totals.iter().any(|&total| total < units)
            }
        }
    }
}

/// Players from the highest total to the lowest. Ties go by the seats in the first deal.
pub(crate) fn ranked(totals: &[i64], first_dealer: Player) -> SmallVec<[Player; MAX_PLAYERS]> {
    let players = totals.len();
    let mut all: SmallVec<[Player; MAX_PLAYERS]> = Player::all(players).collect();
    all.sort_by_key(|player| {
        let total = totals[player.index()];
        (std::cmp::Reverse(total), player.seat(first_dealer, players))
    });
    all
}

macro_rules! forward {
    ($($type:ty),*) => {$(
        impl<R: Ruleset + ?Sized> Ruleset for $type {
            #[inline]
            fn plan(&self) -> &Arc<Plan> {
                (**self).plan()
            }
            fn score_hand(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
                (**self).score_hand(input)
            }
            fn has_score(&self, input: &ScoreInput<'_>) -> bool {
                (**self).has_score(input)
            }
            fn settle_hands(
                &self,
                hands: &[ScoreInput<'_>],
                table: OnTable,
            ) -> Result<Settlement, ScoreError> {
                (**self).settle_hands(hands, table)
            }
            fn adjust_settlement(
                &self,
                state: &DealState,
                wins: &[(Seat, Win)],
                settlement: &mut Settlement,
            ) {
                (**self).adjust_settlement(state, wins, settlement);
            }
            fn may_win(&self, state: &DealState, seat: Seat, win: &Win) -> bool {
                (**self).may_win(state, seat, win)
            }
            fn adjust(&self, state: &DealState, seat: Seat, legal: &mut Legal) {
                (**self).adjust(state, seat, legal);
            }
            fn adjusts(&self) -> Adjusts {
                (**self).adjusts()
            }
            fn is_calling(&self, state: &DealState, seat: Seat, tile: Tile) -> bool {
                (**self).is_calling(state, seat, tile)
            }
            fn may_challenge(&self, state: &DealState, seat: Seat, owner: Seat) -> bool {
                (**self).may_challenge(state, seat, owner)
            }
            fn next_dealer(&self, played: &PlayedDeal<'_>) -> Player {
                (**self).next_dealer(played)
            }
            fn is_over(&self, standing: &Standing<'_>) -> bool {
                (**self).is_over(standing)
            }
            fn dealer_may_end(&self, standing: &Standing<'_>) -> bool {
                (**self).dealer_may_end(standing)
            }
        }
    )*};
}

forward!(&R, Box<R>, Arc<R>);

const _: Option<&dyn Ruleset> = None;

#[cfg(test)]
mod tests;
