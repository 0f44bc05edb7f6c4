//! [`Deal`]: one deal under a ruleset, from the first draw to the settlement.

use super::observer::Observer;
use super::outcome::Outcome;
use super::setup::DealSetup;
use crate::aside::AsideKinds;
use crate::decompose::Decomposer;
use crate::lang::Lang;
use crate::list::List;
use crate::ruleset::{Adjusts, DealtAside, Plan, Ruleset, WildSwap};
use crate::score::ScoreError;
use crate::seat::{BySeat, Seat};
use crate::set::{FlowerSet, KindSet, SeatSet};
use crate::state::{
    Accounts, Action, ActionSnapshot, DealState, DrawSource, Ending, Event, Furiten, HandCache,
    Legal, OpeningChoice, Phase, Snapshot, Turn, TurnedId, TurnedTile, Win, Window,
};
use crate::tile::Kind;
use std::sync::Arc;

/// The error for an action that the deal refuses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// The deal is over.
    #[error("the deal is over")]
    Over,
    /// The seat need not decide now.
    #[error("seat {seat} has nothing to decide")]
    NotWaiting {
        /// The seat.
        seat: Seat,
    },
    /// The action is not legal.
    #[error("`{action}` is not legal for seat {seat}")]
    NotLegal {
        /// The seat.
        seat: Seat,
        /// The action.
        action: Action,
    },
    /// No player sits at this seat.
    #[error("the table has no seat {seat}")]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
    },
    /// The ruleset has no dead hands.
    #[error("the ruleset knows no dead hands")]
    NoDeadHands,
}

/// The error for a state from which a deal cannot be resumed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// Play is over: the deal has ended, or the dealer chooses whether the match ends.
    #[error("play is over")]
    PlayIsOver,
    /// The state belongs to other rules, or to other options.
    #[error("the state is of other rules (hash {found:016x}, not {expected:016x})")]
    OtherRules {
        /// The rules hash of the state.
        found: u64,
        /// The rules hash of the rules given.
        expected: u64,
    },
}

/// One deal under a ruleset. A clone is an independent snapshot that can be played on.
///
/// ```
/// use paishan::Rules;
/// use paishan::game::{Deal, Match};
/// let woo = Rules::by_id("woo")?;
/// let series = Match::new(&woo, 7);
/// let mut deal = Deal::start(&woo, series.state().setup());
/// while let Some(seat) = deal.state().waiting().first() {
///     let action = deal.legal(seat).iter().last().expect("somebody has to act");
///     deal.act(seat, action)?;
/// }
/// assert!(deal.outcome().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deal<R> {
    pub(super) rules: R,
    /// A copy of what [`Ruleset::plan`] returns, because the deal reads it all the time.
    pub(super) plan: Arc<Plan>,
    /// Splits the hands of this deal.
    pub(super) decomposer: Arc<Decomposer>,
    /// The kinds that must be laid aside.
    pub(super) forced: KindSet,
    /// Says when the plan's procedures or the ruleset may change a seat's legal actions.
    pub(super) adjusts: Adjusts,
    /// Says when the ruleset itself may change a seat's legal actions.
    pub(super) rules_adjust: Adjusts,
    /// True when `HandCache::waits` is exact, not only a superset of the waits.
    pub(super) knows_waits: bool,
    /// Some kinds may not go into melds: wild ones, or those of a hand's missing suit.
    pub(super) bars_kinds: bool,
    /// A turn may swap a tile: lay one aside for a replacement, or put one in the place of a wild tile.
    pub(super) swaps_tiles: bool,
    /// Claimed melds may have wild tiles, or more than four tiles.
    pub(super) unusual_claims: bool,
    /// Procedures need the bound on missing tiles of a closed hand on its turn. For other hands the bound is computed
    /// with the discard.
    pub(super) bounds_on_draw: bool,
    /// A discard without a win may cause a deposit or an abortive draw.
    pub(super) settles_discards: bool,
    /// False wins can be declared.
    pub(super) has_false_wins: bool,
    /// The seats that may claim a discard of each seat for a chow while all seats are in play.
    pub(super) chow_seats: BySeat<SeatSet>,
    pub(super) state: DealState,
    pub(super) legal: BySeat<Legal>,
    pub(super) outcome: Option<Outcome>,
}

impl<R: Ruleset> Deal<R> {
    /// Deals the tiles and plays up to the dealer's first decision.
    ///
    /// If the wall does not have exactly the tiles of the rules, the deal is over before it begins. Its outcome then
    /// has the [fault](Outcome::fault) [`ScoreError::OtherWall`], and a match rejects the deal.
    pub fn start(rules: R, setup: DealSetup) -> Self {
        Self::start_observed(rules, setup, &mut ())
    }

    /// [`Deal::start`] with an observer, which is notified of what happens.
    pub fn start_observed(rules: R, setup: DealSetup, observer: &mut dyn Observer) -> Self {
        let plan = Arc::clone(rules.plan());
        let players = plan.players;
        let dealt = plan.play.aside.dealt;
        let plan_hash = plan.content_hash;
        let plan_forced = plan.play.aside.forced();
        // Built in place: moving a finished state into the deal would copy it.
        let mut deal = Self::of(
            rules,
            plan,
            DealState {
                players: players as u8,
                rules_hash: plan_hash,
                dealer: setup.dealer.after(0, players),
                round: setup.round,
                wall: setup.wall,
                hands: BySeat::default(),
                discards: List::new(),
                phase: Phase::Over,
                kongs: 0,
                announced: BySeat::default(),
                barred: BySeat::default(),
                turned: List::over(TurnedTile::new(TurnedId::default(), Kind::EAST.into())),
                wins: List::over((Seat::EAST, Win::drawn(Kind::EAST.into()))),
                out: SeatSet::EMPTY,
                paid: BySeat::default(),
                accounts: Accounts::default(),
                robbed: List::over(Kind::EAST.into()),
                after_kong: false,
                late_flowers: dealt != DealtAside::BeforePlay,
                forced: AsideKinds::of(plan_forced),
                progress: setup.progress,
                points: setup.points,
                on_table: setup.on_table,
                dealer_wins: setup.dealer_wins,
                riichi: BySeat::default(),
                furiten: Furiten::default(),
                cache: HandCache::default(),
                indicators_due: 0,
            },
        );
        if deal.state.wall.is_of(&deal.plan.tiles) {
            deal.deal_tiles(observer);
        } else {
            deal.refuse_wall();
        }
        deal
    }

    /// Deals the tiles and plays up to the first decision.
    #[inline]
    fn deal_tiles(&mut self, observer: &mut dyn Observer) {
        let players = self.state.players();
        let wall = &self.plan.wall;
        let first = usize::from(!wall.dealer_first);
        for &packet in &wall.packets {
            for step in 0..players {
                let seat = Seat::EAST.after(first + step, players);
                let hand = &mut self.state.hands[seat];
                let tiles = self.state.wall.take_packet(usize::from(packet));
                // Chunks of four, because the end of a loop over single tiles is a branch that the processor
                // mispredicts.
                let (fours, rest) = tiles.as_chunks::<4>();
                fours.iter().flatten().for_each(|&tile| hand.add(tile));
                rest.iter().for_each(|&tile| hand.add(tile));
            }
        }
        observer.deal_started(&self.state);
        let mut drawable = true;
        if self.plan.play.aside.dealt == DealtAside::BeforePlay {
            for seat in Seat::all(players) {
                let mut turn = turn_of(seat);
                drawable = drawable && self.lay_flowers(&mut turn, observer);
            }
        }
        self.find_all_waits();
        if drawable {
            self.offer_turned(observer);
        } else {
            self.end(Ending::Exhausted, &[], observer);
        }
    }

    #[cold]
    fn refuse_wall(&mut self) {
        let outcome = Outcome {
            fault: Some(ScoreError::OtherWall),
            ..Outcome::default()
        };
        self.outcome = Some(outcome);
    }

    /// Resumes from a state in which a seat must decide: a state cloned between decisions, or the deal as a seat
    /// imagines it ([`DealState::imagined_by`]).
    ///
    /// While a tile may be claimed, all seats that could act and have not answered are asked. If there is no such seat,
    /// the next seat is asked to pass.
    ///
    /// ```
    /// use paishan::game::Deal;
    /// use paishan::{Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let deal = Match::new(&woo, 7).start_deal();
    /// let again = Deal::resume(&woo, deal.state().clone())?;
    /// assert_eq!(again.state(), deal.state());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ResumeError`] for a state of other rules or options, and when play is over. A state does not keep the result
    /// of its deal; clone the [`Deal`] to keep it.
    pub fn resume(rules: R, state: DealState) -> Result<Self, ResumeError> {
        let plan = Arc::clone(rules.plan());
        if state.rules_hash != plan.content_hash || state.players() != plan.players {
            let (found, expected) = (state.rules_hash, plan.content_hash);
            return Err(ResumeError::OtherRules { found, expected });
        }
        if let Phase::EndChoice | Phase::Over = state.phase {
            return Err(ResumeError::PlayIsOver);
        }
        let mut deal = Self::of(rules, plan, state);
        for seat in Seat::all(deal.state.players()) {
            deal.note_melds(seat);
        }
        // Imagined hands have other waits.
        deal.find_all_waits();
        match deal.state.phase {
            Phase::Turn(turn) => deal.go_on(turn),
            Phase::Claims(mut claims) => {
                let claimants = deal.may_claim(claims.window, claims.tile, claims.from);
                let asked = deal.ask(&claims, claimants);
                claims.waiting = asked.waiting;
                claims.could_win = claims.could_win.union(asked.could_win);
                if claims.waiting.is_empty() {
                    let players = deal.state.players();
                    let seats = (1..=players).map(|step| claims.from.after(step, players));
                    let may_answer = |seat: &Seat| {
                        let is_asked = *seat != claims.from || claims.window == Window::Turned;
                        is_asked && !deal.state.out.contains(*seat)
                    };
                    let mut asked = seats.filter(may_answer);
                    let silent = asked.find(|&seat| claims.replies[seat].is_none());
                    let next = silent.unwrap_or(deal.state.next_in_play(claims.from));
                    deal.legal[next].allow(Action::Pass);
                    claims.waiting.insert(next);
                }
                deal.state.phase = Phase::Claims(claims);
            }
            Phase::Opening(opening) => deal.ask_again(opening),
            // Refused above.
            Phase::EndChoice | Phase::Over => {}
        }
        Ok(deal)
    }

    #[inline(always)]
    fn of(rules: R, plan: Arc<Plan>, mut state: DealState) -> Self {
        let furiten = plan.procedures.furiten;
        state.furiten.own_discards = furiten.is_some_and(|rules| rules.own_discards);
        let asks_waits = furiten.is_some_and(|rules| rules.own_discards || rules.any_wait);
        let rules_adjust = rules.adjusts();
        let procedures = &plan.procedures;
        let procedures_adjust = procedures.adjusts();
        let decomposer = Arc::clone(plan.arc_of_turned(state.turned_tile()));
        let has_wild = !decomposer.wild().is_empty();
        let play = &plan.play;
        let players = state.players();
        let mut chow_seats = BySeat::default();
        for from in Seat::all(players) {
            chow_seats[from] = play.chow_from.seats(from, players);
        }
        Self {
            adjusts: procedures_adjust.max(rules_adjust),
            rules_adjust,
            bars_kinds: has_wild || plan.opens_with(OpeningChoice::MissingSuit),
            swaps_tiles: !play.aside.by_choice().is_empty() || play.wild.swap != WildSwap::Never,
            unusual_claims: play.wild.claimed.any()
                || decomposer.grammar().larger().next().is_some(),
            bounds_on_draw: procedures_adjust == Adjusts::ButPlainTurns,
            settles_discards: procedures.riichi.is_some() || procedures.abortive_draws.is_some(),
            has_false_wins: procedures.false_win.is_some_and(|rules| rules.playable),
            chow_seats,
            knows_waits: asks_waits || decomposer.has_tables(),
            forced: play.aside.forced(),
            rules,
            decomposer,
            plan,
            state,
            legal: BySeat::default(),
            outcome: None,
        }
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Everything about the deal at this moment.
    #[inline]
    pub fn state(&self) -> &DealState {
        &self.state
    }

    /// The legal actions of a seat. Empty for a seat that need not decide.
    #[inline]
    pub fn legal(&self, seat: Seat) -> &Legal {
        &self.legal[seat]
    }

    /// Everything that a seat may know and its legal actions, owned, for clients in any language.
    ///
    /// ```
    /// use paishan::game::Match;
    /// use paishan::{Rules, Seat};
    /// let woo = Rules::by_id("woo")?;
    /// let deal = Match::new(&woo, 7).start_deal();
    /// let shown = deal.snapshot(Seat::EAST);
    /// assert_eq!(shown.legal.len(), deal.legal(Seat::EAST).len());
    /// assert_eq!(deal.snapshot(Seat::SOUTH).legal, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self, seat: Seat) -> Snapshot {
        self.snapshot_in(seat, Lang::EN)
    }

    /// [`Deal::snapshot`] with the words of actions in a language.
    pub fn snapshot_in(&self, seat: Seat, lang: Lang) -> Snapshot {
        let snapshot = |action| ActionSnapshot {
            action,
            words: self.plan.describe(action, &self.state.phase, lang),
        };
        Snapshot {
            legal: self.legal[seat].iter().map(snapshot).collect(),
            ..self.state.view(seat).snapshot()
        }
    }

    /// What all seats may know, owned, for spectators: [`DealState::public_snapshot`].
    pub fn public_snapshot(&self) -> Snapshot {
        self.state.public_snapshot()
    }

    /// How the deal ended. `None` while play goes on, and while the dealer may still choose to end the match
    /// ([`Phase::EndChoice`]).
    pub fn outcome(&self) -> Option<&Outcome> {
        let is_over = matches!(self.state.phase, Phase::Over);
        self.outcome.as_ref().filter(|_| is_over)
    }

    /// Carries out the decision of a seat. While several seats may claim a discard, or choose something before the
    /// first turn, the decisions take effect when all have answered.
    ///
    /// ```
    /// use paishan::{Action, Match, Rules};
    /// let woo = Rules::by_id("woo")?;
    /// let mut deal = Match::new(&woo, 7).start_deal();
    /// let dealer = deal.state().waiting().first().expect("the dealer discards");
    /// assert!(deal.act(dealer, Action::Pass).is_err());
    /// let discard = deal.legal(dealer).discards().last().expect("a discard");
    /// deal.act(dealer, discard)?;
    /// assert_eq!(deal.state().discards().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ActionError`]. The deal is then unchanged.
    pub fn act(&mut self, seat: Seat, action: Action) -> Result<(), ActionError> {
        self.act_observed(seat, action, &mut ())
    }

    /// [`Deal::act`] with an observer, which is notified of the decision and its events.
    ///
    /// # Errors
    /// [`ActionError`]. The deal is then unchanged, and the observer is not notified.
    pub fn act_observed(
        &mut self,
        seat: Seat,
        action: Action,
        observer: &mut dyn Observer,
    ) -> Result<(), ActionError> {
        if !self.state.waiting().contains(seat) {
            return Err(match self.state.phase {
                Phase::Over => ActionError::Over,
                _ => ActionError::NotWaiting { seat },
            });
        }
        if !self.legal[seat].contains(action) {
            return Err(ActionError::NotLegal { seat, action });
        }
        observer.decided(&self.state, seat, &self.legal[seat], action);
        let could_win = self.legal[seat].contains(Action::Win);
        self.legal[seat].clear();
        match self.state.phase {
            Phase::Turn(turn) => {
                if action != Action::Win {
                    self.plan
                        .procedures
                        .passed_drawn(&mut self.state, &turn, could_win);
                }
                self.act_on_turn(turn, action, observer);
            }
            _ => self.act_off_turn(seat, action, observer),
        }
        Ok(())
    }

    /// Carries out a decision when no seat is on turn.
    #[inline(never)]
    fn act_off_turn(&mut self, seat: Seat, action: Action, observer: &mut dyn Observer) {
        match self.state.phase {
            Phase::Claims(claims) => self.answer(claims, seat, action, observer),
            Phase::Opening(opening) => self.choose(opening, seat, action, observer),
            Phase::EndChoice => self.choose_end(action, observer),
            Phase::Turn(_) | Phase::Over => {}
        }
    }

    /// Declares a hand dead, as a judge does. Its owner still draws and discards, but cannot claim or win, and the hand
    /// scores nothing. If the owner may claim something now, the owner passes. A dead hand remains dead. Source:
    /// `rulesets/traditional.md` §10.
    ///
    /// # Errors
    /// [`ActionError::Over`], [`ActionError::NoDeadHands`] and [`ActionError::NoSuchSeat`]. The deal is then unchanged.
    pub fn declare_dead(&mut self, seat: Seat) -> Result<(), ActionError> {
        self.declare_dead_observed(seat, &mut ())
    }

    /// [`Deal::declare_dead`] with an observer, which is notified of what happens.
    ///
    /// # Errors
    /// Those of [`Deal::declare_dead`].
    pub fn declare_dead_observed(
        &mut self,
        seat: Seat,
        observer: &mut dyn Observer,
    ) -> Result<(), ActionError> {
        if !self.plan.procedures.dead_hands {
            return Err(ActionError::NoDeadHands);
        }
        if seat.index() >= self.state.players() {
            return Err(ActionError::NoSuchSeat { seat });
        }
        let waits = self.state.waiting().contains(seat);
        let phase = self.state.phase;
        if matches!(phase, Phase::EndChoice | Phase::Over) {
            return Err(ActionError::Over);
        }
        if self.state.hands[seat].dead {
            return Ok(());
        }
        self.state.hands[seat].dead = true;
        self.state.announced[seat] = None;
        observer.event(&self.state, &Event::HandDied { seat });
        match phase {
            Phase::Turn(turn) if turn.seat == seat => self.go_on(turn),
            Phase::Claims(claims) if waits => {
                self.legal[seat].clear();
                self.answer(claims, seat, Action::Pass, observer);
            }
            Phase::Claims(mut claims) => {
                // The answer of a dead hand no longer counts.
                claims.replies[seat] = claims.replies[seat].map(|_| Action::Pass);
                self.state.phase = Phase::Claims(claims);
            }
            _ => {}
        }
        Ok(())
    }
}

pub(super) const fn turn_of(seat: Seat) -> Turn {
    Turn {
        seat,
        drawn: None,
        source: DrawSource::Wall,
        kongs_in_row: 0,
        claimed: false,
        fed_by: None,
        flowers: FlowerSet::EMPTY,
        drawn_for_flower: FlowerSet::EMPTY,
        drawn_for_kong: FlowerSet::EMPTY,
    }
}
