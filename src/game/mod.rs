//! The table: [`Deal`] moves one deal from the first draw to the settlement, [`Match`] puts deals
//! in a row.

mod legal;
mod series;

pub(crate) use series::first_by_roll;
pub use series::{Match, Next};

use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Group, Meld};
use crate::random::Stream;
use crate::ruleset::{ClaimKind, FlowersLaid, Ruleset, Winners};
use crate::score::{ScoreInput, Settlement, TableFacts};
use crate::seat::{BySeat, Player, Seat};
use crate::set::{FlowerSet, SeatSet};
use crate::state::{
    Action, Claims, DealState, Discard, DrawSource, Event, FlagSet, Legal, Phase, Turn, Way, Win,
    Window,
};
use crate::tile::{Kind, Tile, Wind};
use crate::wall::Wall;
use smallvec::SmallVec;

/// Watches a table: for logs, statistics and learners. Every method has an empty default, and `()`
/// watches nothing. A deal played alone tells of the deal only; whoever plays a match, such as
/// [`simulate::play`](crate::simulate::play), tells of the match as well.
pub trait Observer {
    /// A match begins.
    fn match_started(&mut self, _series: &Match<&dyn Ruleset>) {}
    /// Tiles are dealt, nothing is drawn yet.
    fn deal_started(&mut self, _state: &DealState) {}
    /// A seat chooses one of several actions; called before anything follows from it.
    fn decided(&mut self, _state: &DealState, _seat: Seat, _legal: &Legal, _action: Action) {}
    /// Something happened; the state is the one after it.
    fn event(&mut self, _state: &DealState, _event: &Event) {}
    /// A deal is over and booked in its match.
    fn deal_ended(
        &mut self,
        _series: &Match<&dyn Ruleset>,
        _state: &DealState,
        _outcome: &Outcome,
        _next: Next,
    ) {
    }
    /// A match is over.
    fn match_ended(&mut self, _series: &Match<&dyn Ruleset>) {}
    /// False for an observer that has seen enough: whoever plays the match stops before the next
    /// deal.
    fn wants_more(&self) -> bool {
        true
    }
}

impl Observer for () {}

impl<T: Observer> Observer for &mut T {
    fn match_started(&mut self, series: &Match<&dyn Ruleset>) {
        (**self).match_started(series);
    }
    fn deal_started(&mut self, state: &DealState) {
        (**self).deal_started(state);
    }
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        (**self).decided(state, seat, legal, action);
    }
    fn event(&mut self, state: &DealState, event: &Event) {
        (**self).event(state, event);
    }
    fn deal_ended(
        &mut self,
        series: &Match<&dyn Ruleset>,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        (**self).deal_ended(series, state, outcome, next);
    }
    fn match_ended(&mut self, series: &Match<&dyn Ruleset>) {
        (**self).match_ended(series);
    }
    fn wants_more(&self) -> bool {
        (**self).wants_more()
    }
}

/// Two observers of one table.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn match_started(&mut self, series: &Match<&dyn Ruleset>) {
        self.0.match_started(series);
        self.1.match_started(series);
    }
    fn deal_started(&mut self, state: &DealState) {
        self.0.deal_started(state);
        self.1.deal_started(state);
    }
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        self.0.decided(state, seat, legal, action);
        self.1.decided(state, seat, legal, action);
    }
    fn event(&mut self, state: &DealState, event: &Event) {
        self.0.event(state, event);
        self.1.event(state, event);
    }
    fn deal_ended(
        &mut self,
        series: &Match<&dyn Ruleset>,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        self.0.deal_ended(series, state, outcome, next);
        self.1.deal_ended(series, state, outcome, next);
    }
    fn match_ended(&mut self, series: &Match<&dyn Ruleset>) {
        self.0.match_ended(series);
        self.1.match_ended(series);
    }
    fn wants_more(&self) -> bool {
        self.0.wants_more() && self.1.wants_more()
    }
}

/// What a deal starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealSetup {
    /// Who deals.
    pub dealer: Player,
    /// The wind of the round.
    pub round: Wind,
    /// The wall, nothing drawn.
    pub wall: Wall,
}

/// How a deal ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// The winners in turn order from who gave the tile; none for a drawn deal.
    pub wins: SmallVec<[(Seat, Win); 2]>,
    /// What it brought.
    pub settlement: Settlement,
}

/// An action that cannot be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActionError {
    /// The deal is over.
    #[error("the deal is over")]
    Over,
    /// The seat has nothing to decide now.
    #[error("seat {seat} has nothing to decide")]
    NotWaiting {
        /// The seat.
        seat: Seat,
    },
    /// The action is not among the legal ones.
    #[error("{action:?} is not legal for seat {seat}")]
    NotLegal {
        /// The seat.
        seat: Seat,
        /// The action.
        action: Action,
    },
}

/// One deal under a ruleset. A clone is a snapshot that plays on by itself.
///
/// ```
/// use paishan::game::{Deal, Match};
/// use paishan::ruleset;
/// let woo = ruleset::by_id("woo", &[])?;
/// let series = Match::new(&woo, 7);
/// let mut deal = Deal::start(&woo, series.setup(), &mut ());
/// while let Some(seat) = deal.state().waiting().first() {
///     let action = deal.legal(seat).iter().last().expect("somebody has to act");
///     deal.act(seat, action, &mut ())?;
/// }
/// assert!(deal.outcome().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deal<R> {
    rules: R,
    state: DealState,
    legal: BySeat<Legal>,
    outcome: Option<Outcome>,
}

impl<R: Ruleset> Deal<R> {
    /// Deals the tiles and brings the dealer to his first decision.
    pub fn start(rules: R, setup: DealSetup, observer: &mut impl Observer) -> Self {
        let plan = rules.plan();
        let players = plan.players;
        let mut state = DealState {
            players: players as u8,
            dealer: setup.dealer,
            round: setup.round,
            wall: setup.wall,
            hands: BySeat::default(),
            discards: List::new(),
            phase: Phase::Over,
            kongs: 0,
            late_flowers: plan.play.flowers != FlowersLaid::BeforePlay,
        };
        let first = usize::from(!plan.wall.dealer_first);
        for &packet in &plan.wall.packets {
            for step in 0..players {
                let seat = Seat::EAST.after(first + step, players);
                for _ in 0..packet {
                    if let Some(tile) = state.wall.take_front() {
                        state.hands[seat].add(tile);
                    }
                }
            }
        }
        let flowers = plan.play.flowers;
        let mut deal = Self {
            rules,
            state,
            legal: BySeat::default(),
            outcome: None,
        };
        observer.deal_started(&deal.state);
        let mut drawable = true;
        if flowers == FlowersLaid::BeforePlay {
            for seat in Seat::all(players) {
                let mut turn = turn_of(seat);
                drawable = drawable && deal.lay_flowers(&mut turn, observer);
            }
        }
        if drawable {
            deal.start_turn(Seat::EAST, observer);
        } else {
            deal.exhaust(observer);
        }
        deal
    }

    /// Goes on from a state: a snapshot, or the deal as a seat imagines it
    /// ([`DealState::imagined_by`]). While a tile may be claimed, every seat that has not answered
    /// and could is asked; where none could, the next seat is asked to pass. A state that is over
    /// has no outcome here.
    pub fn resume(rules: R, state: DealState) -> Self {
        let mut deal = Self {
            rules,
            state,
            legal: BySeat::default(),
            outcome: None,
        };
        match deal.state.phase {
            Phase::Turn(turn) => deal.go_on(turn),
            Phase::Claims(mut claims) => {
                claims.waiting = deal.ask(&claims);
                if claims.waiting.is_empty() {
                    let next = claims.from.after(1, deal.state.players());
                    deal.legal[next].pass = true;
                    claims.waiting.insert(next);
                }
                deal.state.phase = Phase::Claims(claims);
            }
            Phase::Over => {}
        }
        deal
    }

    /// The rules.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Everything about the deal.
    #[inline]
    pub fn state(&self) -> &DealState {
        &self.state
    }

    /// What a seat may do; empty for a seat that need not decide.
    #[inline]
    pub fn legal(&self, seat: Seat) -> &Legal {
        &self.legal[seat]
    }

    /// How the deal ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Does what a seat decided. While several seats may claim a discard nothing happens until all
    /// have answered.
    ///
    /// # Errors
    /// [`ActionError`]; nothing has changed then.
    pub fn act(
        &mut self,
        seat: Seat,
        action: Action,
        observer: &mut impl Observer,
    ) -> Result<(), ActionError> {
        if matches!(self.state.phase, Phase::Over) {
            return Err(ActionError::Over);
        }
        if !self.state.waiting().contains(seat) {
            return Err(ActionError::NotWaiting { seat });
        }
        if !self.legal[seat].contains(action) {
            return Err(ActionError::NotLegal { seat, action });
        }
        observer.decided(&self.state, seat, &self.legal[seat], action);
        self.legal[seat] = Legal::default();
        match self.state.phase {
            Phase::Turn(turn) => self.act_on_turn(turn, action, observer),
            Phase::Claims(_) => self.answer(seat, action, observer),
            Phase::Over => {}
        }
        Ok(())
    }

    fn act_on_turn(&mut self, turn: Turn, action: Action, observer: &mut impl Observer) {
        let seat = turn.seat;
        match action {
            Action::Discard { tile, drawn } => {
                self.state.hands[seat].take(tile);
                self.state.discards.push(Discard {
                    seat,
                    tile,
                    drawn,
                    claimed: false,
                });
                let event = Event::Discarded { seat, tile, drawn };
                self.offer(seat, tile, event, observer);
            }
            Action::Win => {
                if let Some(win) = self.drawn_win(&turn) {
                    self.finish(SmallVec::from_elem((seat, win), 1), observer);
                }
            }
            Action::ConcealedKong(kind) => {
                let hidden = self.rules.plan().play.hidden_kongs;
                self.state.hands[seat].take_kind(kind, 4);
                let meld = Meld {
                    hidden,
                    ..Meld::concealed(Group::kong(kind))
                };
                self.state.hands[seat].melds.push(meld);
                let again = turn.source == DrawSource::Kong;
                let turn = Turn {
                    kongs_in_row: 1 + if again { turn.kongs_in_row } else { 0 },
                    ..turn
                };
                let event = Event::ConcealedKong {
                    seat,
                    kind: Some(kind),
                    hidden,
                };
                self.made_kong(turn, event, observer);
                let window = if hidden {
                    Window::Challenge(turn)
                } else {
                    Window::ConcealedKong(turn)
                };
                if !self.open(window, kind.into(), seat) {
                    self.replace_kong(turn, observer);
                }
            }
            Action::AddedKong(kind) => {
                self.state.hands[seat].take_kind(kind, 1);
                let mut open = false;
                let melds = &mut self.state.hands[seat].melds;
                if let Some(meld) = melds.iter_mut().find(|m| m.group == Group::pung(kind)) {
                    meld.group = Group::kong(kind);
                    meld.added = true;
                    open = meld.open;
                }
                let turn = Turn {
                    kongs_in_row: 1,
                    ..turn
                };
                self.made_kong(turn, Event::AddedKong { seat, kind, open }, observer);
                if !self.open(Window::AddedKong(turn), kind.into(), seat) {
                    self.replace_kong(turn, observer);
                }
            }
            Action::LayPung(kind) => self.lay_down(turn, Group::pung(kind), observer),
            Action::LayRun { suit, shape } => {
                let group = self
                    .rules
                    .plan()
                    .decomposer
                    .grammar()
                    .shape(shape)
                    .group(suit);
                self.lay_down(turn, group, observer);
            }
            // Never among the legal actions of a turn.
            Action::Pass
            | Action::Challenge
            | Action::ClaimKong
            | Action::Pung
            | Action::Chow { .. } => {}
        }
    }

    fn lay_down(&mut self, turn: Turn, group: Group, observer: &mut impl Observer) {
        let seat = turn.seat;
        for kind in group.tiles() {
            self.state.hands[seat].take_kind(kind, 1);
        }
        self.state.hands[seat].melds.push(Meld::concealed(group));
        observer.event(&self.state, &Event::LaidDown { seat, group });
        self.go_on(turn);
    }

    /// Tells of a kong.
    fn made_kong(&mut self, turn: Turn, event: Event, observer: &mut impl Observer) {
        self.state.kongs += 1;
        self.state.phase = Phase::Turn(turn);
        observer.event(&self.state, &event);
    }

    /// Draws the replacement of a kong, turns an indicator, and goes on with the turn.
    fn replace_kong(&mut self, mut turn: Turn, observer: &mut impl Observer) {
        self.state.phase = Phase::Turn(turn);
        turn.source = DrawSource::Kong;
        turn.claimed = false;
        if !self.replace(&mut turn, observer) {
            return self.exhaust(observer);
        }
        if let Some(tile) = self.state.wall.turn_indicator() {
            observer.event(&self.state, &Event::IndicatorTurned { tile });
        }
        self.settle_in(turn, observer);
    }

    /// Begins the turn of a seat: dealt flowers, the draw, drawn flowers.
    fn start_turn(&mut self, seat: Seat, observer: &mut impl Observer) {
        let mut turn = turn_of(seat);
        self.state.phase = Phase::Turn(turn);
        let before = self.rules.plan().play.flowers != FlowersLaid::AfterDraw;
        if self.state.wall.draws_left() == 0 || before && !self.lay_flowers(&mut turn, observer) {
            return self.exhaust(observer);
        }
        let Some(tile) = self.state.wall.draw() else {
            return self.exhaust(observer);
        };
        self.state.hands[seat].add(tile);
        turn.drawn = Some(tile);
        turn.source = DrawSource::Wall;
        self.state.phase = Phase::Turn(turn);
        let event = Event::Drew {
            seat,
            tile: Some(tile),
            from_back: false,
        };
        observer.event(&self.state, &event);
        self.settle_in(turn, observer);
    }

    /// Lays held flowers down, each replaced before the next, and comes to the decision of the seat
    /// on turn; or stops at a flower that may be won on, or where no replacement is left.
    fn settle_in(&mut self, mut turn: Turn, observer: &mut impl Observer) {
        while let Some(tile) = self.next_flower(&mut turn) {
            self.lay_flower(turn.seat, tile, observer);
            let last = self.state.hands[turn.seat].held_flowers().is_empty();
            if last && self.open(Window::Flower(turn), tile, turn.seat) {
                return;
            }
            if !self.replace_flower(&mut turn, tile, observer) {
                return self.exhaust(observer);
            }
        }
        self.go_on(turn);
    }

    /// Lays held flowers down where none of them is won on. False when no replacement is left.
    fn lay_flowers(&mut self, turn: &mut Turn, observer: &mut impl Observer) -> bool {
        while let Some(tile) = self.next_flower(turn) {
            self.lay_flower(turn.seat, tile, observer);
            if !self.replace_flower(turn, tile, observer) {
                return false;
            }
        }
        true
    }

    /// The flower that is laid down next.
    fn next_flower(&self, turn: &mut Turn) -> Option<Tile> {
        let held = self.state.hands[turn.seat].held_flowers();
        let flower = if self.rules.plan().play.flowers == FlowersLaid::AfterDraw {
            if turn.flowers.is_empty() {
                turn.flowers = held;
            }
            let next = turn.flowers.first()?;
            turn.flowers.remove(next);
            next
        } else {
            // A flower drawn is laid down at once, before those that were dealt.
            let drawn = turn.drawn.and_then(Tile::as_flower);
            drawn.filter(|&f| held.contains(f)).or(held.first())?
        };
        Some(Tile::flower(flower))
    }

    fn lay_flower(&mut self, seat: Seat, tile: Tile, observer: &mut impl Observer) {
        let hand = &mut self.state.hands[seat];
        hand.take(tile);
        if let Some(flower) = tile.as_flower() {
            hand.flowers.insert(flower);
        }
        observer.event(&self.state, &Event::FlowerLaid { seat, tile });
    }

    /// Draws the replacement of a flower. False when none is left.
    fn replace_flower(
        &mut self,
        turn: &mut Turn,
        tile: Tile,
        observer: &mut impl Observer,
    ) -> bool {
        let for_kong = turn.source == DrawSource::Kong && turn.drawn == Some(tile);
        if !(for_kong && self.rules.plan().play.kong_through_flowers) {
            turn.source = DrawSource::Flower;
            turn.kongs_in_row = 0;
        }
        self.state.phase = Phase::Turn(*turn);
        self.replace(turn, observer)
    }

    /// Draws a replacement. False when none is left.
    fn replace(&mut self, turn: &mut Turn, observer: &mut impl Observer) -> bool {
        let Some(tile) = self.state.wall.draw_replacement() else {
            return false;
        };
        let seat = turn.seat;
        self.state.hands[seat].add(tile);
        turn.drawn = Some(tile);
        if let Some(flower) = tile.as_flower() {
            let for_kong = usize::from(turn.source == DrawSource::Kong);
            turn.drawn_for[for_kong].insert(flower);
        }
        let event = Event::Drew {
            seat,
            tile: Some(tile),
            from_back: true,
        };
        observer.event(&self.state, &event);
        true
    }

    /// Waits for the decision of the seat on turn.
    fn go_on(&mut self, turn: Turn) {
        self.state.phase = Phase::Turn(turn);
        let mut legal = self.turn_legal(&turn);
        self.rules.adjust(&self.state, turn.seat, &mut legal);
        self.legal[turn.seat] = legal;
    }

    /// Opens a discard to claims, or goes on to the next turn where nobody can claim.
    fn offer(&mut self, from: Seat, tile: Tile, event: Event, observer: &mut impl Observer) {
        let players = self.state.players();
        let waits = self.open(Window::Discard, tile, from);
        observer.event(&self.state, &event);
        if !waits {
            self.start_turn(from.after(1, players), observer);
        }
    }

    /// Waits for the seats that may do something about a tile; false where none may.
    fn open(&mut self, window: Window, tile: Tile, from: Seat) -> bool {
        let play = &self.rules.plan().play;
        let closed = match window {
            Window::Discard | Window::Challenge(_) => false,
            Window::Flower(_) => self.rules.plan().score.flower_wins.is_empty(),
            Window::AddedKong(_) => !play.rob_added,
            Window::ConcealedKong(_) => !play.rob_concealed,
        };
        if closed {
            return false;
        }
        let mut claims = Claims {
            window,
            tile,
            from,
            waiting: SeatSet::EMPTY,
            replies: BySeat::default(),
        };
        claims.waiting = self.ask(&claims);
        let waits = !claims.waiting.is_empty();
        if waits || matches!(window, Window::Discard) {
            self.state.phase = Phase::Claims(claims);
        }
        waits
    }

    /// Finds what the seats that have not answered may do about a tile; returns those that may do
    /// anything.
    fn ask(&mut self, claims: &Claims) -> SeatSet {
        let players = self.state.players();
        let mut waiting = SeatSet::EMPTY;
        for step in 1..=players {
            let seat = claims.from.after(step, players);
            let mut legal = Legal::default();
            let own = seat == claims.from;
            let asked = !own || matches!(claims.window, Window::Flower(_));
            if asked && claims.replies[seat].is_none() {
                legal = self.claim_legal(seat, claims);
                self.rules.adjust(&self.state, seat, &mut legal);
                if !legal.is_empty() {
                    legal.pass = true;
                    waiting.insert(seat);
                }
            }
            self.legal[seat] = legal;
        }
        waiting
    }

    /// Takes the answer of a seat; the last one resolves the claims.
    fn answer(&mut self, seat: Seat, action: Action, observer: &mut impl Observer) {
        let Phase::Claims(claims) = &mut self.state.phase else {
            return;
        };
        claims.replies[seat] = Some(action);
        claims.waiting.remove(seat);
        if claims.waiting.is_empty() {
            let claims = *claims;
            self.resolve(&claims, observer);
        }
    }

    /// Seats that answered with an action, in turn order from whoever gave the tile.
    fn who_chose(&self, claims: &Claims, action: Action) -> SmallVec<[Seat; 6]> {
        let players = self.state.players();
        (1..=players)
            .map(|step| claims.from.after(step, players))
            .filter(|&seat| claims.replies[seat] == Some(action))
            .collect()
    }

    /// Does what the answers come to.
    fn resolve(&mut self, claims: &Claims, observer: &mut impl Observer) {
        let mut winners = self.who_chose(claims, Action::Win);
        if !winners.is_empty() {
            if self.rules.plan().play.winners == Winners::Nearest {
                winners.truncate(1);
            }
            let wins = winners
                .iter()
                .map(|&seat| (seat, self.claimed_win(seat, claims)))
                .collect();
            self.give_back_kong(claims);
            return self.finish(wins, observer);
        }
        match claims.window {
            Window::Discard => self.resolve_discard(claims, observer),
            Window::Flower(mut turn) => {
                if self.replace_flower(&mut turn, claims.tile, observer) {
                    self.settle_in(turn, observer);
                } else {
                    self.exhaust(observer);
                }
            }
            Window::AddedKong(turn) | Window::ConcealedKong(turn) => {
                self.replace_kong(turn, observer);
            }
            Window::Challenge(turn) => self.resolve_challenge(turn, claims, observer),
        }
    }

    /// Shows a challenged kong; once shown it may be robbed.
    fn resolve_challenge(&mut self, turn: Turn, claims: &Claims, observer: &mut impl Observer) {
        let challengers = self.who_chose(claims, Action::Challenge);
        if let (Some(&seat), Some(kind)) = (challengers.first(), claims.tile.kind()) {
            let owner = claims.from;
            if let Some(meld) = self.state.hands[owner].melds.last_mut() {
                meld.hidden = false;
            }
            self.state.phase = Phase::Turn(turn);
            observer.event(&self.state, &Event::Challenged { seat, owner, kind });
            if self.open(Window::ConcealedKong(turn), claims.tile, owner) {
                return;
            }
        }
        self.replace_kong(turn, observer);
    }

    /// Undoes a kong that was robbed: an added one becomes the pung it was, three tiles of a
    /// concealed one go back to the hand. Source: `spec/uzje.md` §8.3.
    fn give_back_kong(&mut self, claims: &Claims) {
        let Some(kind) = claims.tile.kind() else {
            return;
        };
        let hand = &mut self.state.hands[claims.from];
        let place = hand
            .melds
            .iter()
            .position(|meld| meld.group == Group::kong(kind));
        match (claims.window, place) {
            (Window::AddedKong(_), Some(place)) => {
                hand.melds[place].group = Group::pung(kind);
                hand.melds[place].added = false;
                self.state.kongs -= 1;
            }
            (Window::ConcealedKong(_), Some(place)) => {
                hand.melds.remove(place);
                for _ in 0..3 {
                    hand.add(kind.into());
                }
                self.state.kongs -= 1;
            }
            _ => {}
        }
    }

    /// Gives a discard to the highest claim, the first in turn order among equals.
    fn resolve_discard(&mut self, claims: &Claims, observer: &mut impl Observer) {
        let players = self.state.players();
        let play = self.rules.plan().play;
        let kind_of = |action| match action {
            Action::ClaimKong => Some(ClaimKind::Kong),
            Action::Pung => Some(ClaimKind::Pung),
            Action::Chow { .. } => Some(ClaimKind::Chow),
            _ => None,
        };
        let mut best: Option<(u8, Seat, Action)> = None;
        for step in 1..players {
            let seat = claims.from.after(step, players);
            let Some(action) = claims.replies[seat] else {
                continue;
            };
            let Some(kind) = kind_of(action) else {
                continue;
            };
            let rank = play.rank(kind);
            if best.is_none_or(|(highest, ..)| rank > highest) {
                best = Some((rank, seat, action));
            }
        }
        match best {
            Some((_, seat, action)) => self.claim(seat, action, claims, observer),
            None => self.start_turn(claims.from.after(1, players), observer),
        }
    }

    /// Makes a meld of a claimed discard.
    fn claim(&mut self, seat: Seat, action: Action, claims: &Claims, observer: &mut impl Observer) {
        let Claims { tile, from, .. } = *claims;
        let Some(kind) = tile.kind() else { return };
        let mut laid = false;
        let group = match action {
            Action::Pung => Group::pung(kind),
            Action::ClaimKong => {
                laid = self.laid_pung(seat, kind).is_some();
                Group::kong(kind)
            }
            Action::Chow { suit, shape } => self
                .rules
                .plan()
                .decomposer
                .grammar()
                .shape(shape)
                .group(suit),
            _ => return,
        };
        if let Some(discard) = self.state.discards.last_mut() {
            discard.claimed = true;
        }
        let meld = Meld::claimed(group, tile, from);
        match self.laid_pung(seat, kind) {
            Some(place) if laid => self.state.hands[seat].melds[place] = meld,
            _ => {
                let mut claimed = false;
                for own in group.tiles() {
                    if own == kind && !claimed {
                        claimed = true;
                    } else {
                        self.state.hands[seat].take_kind(own, 1);
                    }
                }
                self.state.hands[seat].melds.push(meld);
            }
        }
        let mut turn = turn_of(seat);
        let event = Event::Claimed {
            seat,
            from,
            tile,
            group,
            laid,
        };
        for other in Seat::all(self.state.players()) {
            self.legal[other] = Legal::default();
        }
        if action == Action::ClaimKong {
            turn.kongs_in_row = 1;
            self.made_kong(turn, event, observer);
            return self.replace_kong(turn, observer);
        }
        turn.claimed = true;
        self.state.phase = Phase::Turn(turn);
        observer.event(&self.state, &event);
        self.settle_in(turn, observer);
    }

    /// The concealed pung of a kind that a seat has laid down.
    fn laid_pung(&self, seat: Seat, kind: Kind) -> Option<usize> {
        let melds = &self.state.hands[seat].melds;
        melds
            .iter()
            .position(|meld| !meld.open && meld.group == Group::pung(kind))
    }

    fn table_facts(&self) -> TableFacts {
        TableFacts {
            draws_left: self.state.wall.draws_left(),
            discards: self.state.discards.len(),
            kongs: self.state.kongs(),
            ..TableFacts::default()
        }
    }

    /// The win with its flags as the table sees them.
    fn flagged(&self, seat: Seat, mut win: Win, facts: TableFacts) -> Win {
        let plan = self.rules.plan();
        win.flags = plan.flags_at_table(seat, self.state.round, &win, facts);
        if !plan.kong_flag.is_some_and(|flag| win.flags.contains(flag)) {
            win.kongs_in_row = 0;
        }
        win
    }

    /// The win with a tile that was drawn and, if it is a flower, laid down.
    fn self_drawn_win(&self, turn: &Turn, tile: Tile) -> Win {
        let source = match tile.as_flower() {
            None => turn.source,
            Some(flower) if turn.drawn_for[0].contains(flower) => DrawSource::Flower,
            Some(flower) if turn.drawn_for[1].contains(flower) => DrawSource::Kong,
            // A dealt flower counts as drawn when it is laid down.
            Some(_) => DrawSource::Wall,
        };
        let win = Win {
            tile,
            way: match source {
                DrawSource::Wall => Way::Wall,
                DrawSource::Kong | DrawSource::Flower => Way::Replacement,
            },
            from: None,
            flags: FlagSet::EMPTY,
            kongs_in_row: turn.kongs_in_row.max(1),
        };
        let facts = TableFacts {
            replaced_kong: source == DrawSource::Kong,
            replaced_flower: source == DrawSource::Flower,
            ..self.table_facts()
        };
        self.flagged(turn.seat, win, facts)
    }

    /// The win with the tile drawn last.
    fn drawn_win(&self, turn: &Turn) -> Option<Win> {
        Some(self.self_drawn_win(turn, turn.drawn?))
    }

    /// The win of a seat with the tile of a window.
    fn claimed_win(&self, seat: Seat, claims: &Claims) -> Win {
        let (way, concealed) = match claims.window {
            Window::Flower(turn) if seat == claims.from => {
                return self.self_drawn_win(&turn, claims.tile);
            }
            Window::Discard | Window::Flower(_) | Window::Challenge(_) => (Way::Discard, false),
            Window::AddedKong(_) => (Way::RobbedKong, false),
            Window::ConcealedKong(_) => (Way::RobbedKong, true),
        };
        let win = Win {
            tile: claims.tile,
            way,
            from: Some(claims.from),
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        if claims.tile.is_flower() {
            // A flower of another is no discard, so nothing is said of discards.
            return win;
        }
        let facts = TableFacts {
            robbed_concealed: concealed,
            ..self.table_facts()
        };
        self.flagged(seat, win, facts)
    }

    /// Ends the deal without a winner.
    fn exhaust(&mut self, observer: &mut impl Observer) {
        self.finish(SmallVec::new(), observer);
    }

    /// Scores all hands and settles.
    fn settlement(&self, wins: &[(Seat, Win)]) -> Settlement {
        let players = self.state.players();
        let win_of = |seat| wins.iter().find(|(s, _)| *s == seat).map(|(_, win)| win);
        let hands: SmallVec<[Hand; 6]> = Seat::all(players)
            .map(|seat| match win_of(seat) {
                Some(win) => self.state.hand_before(seat, win),
                None => self.state.hands[seat],
            })
            .collect();
        let bonus: SmallVec<[Tile; 16]> = self.state.wall.turned().collect();
        let inputs: SmallVec<[ScoreInput<'_>; 6]> = Seat::all(players)
            .zip(&hands)
            .map(|(seat, hand)| ScoreInput {
                hand,
                seat,
                round: self.state.round,
                win: win_of(seat),
                bonus: &bonus,
            })
            .collect();
        // A win was legal, so it scores; a ruleset that lets one happen which it cannot score
        // pays nothing for it.
        self.rules.settle(&inputs).unwrap_or_default()
    }

    fn finish(&mut self, wins: SmallVec<[(Seat, Win); 2]>, observer: &mut impl Observer) {
        self.state.phase = Phase::Over;
        self.legal = BySeat::default();
        let settlement = self.settlement(&wins);
        for &(seat, win) in &wins {
            observer.event(&self.state, &Event::Won { seat, win });
        }
        if wins.is_empty() {
            observer.event(&self.state, &Event::Exhausted);
        }
        self.outcome = Some(Outcome { wins, settlement });
    }
}

const fn turn_of(seat: Seat) -> Turn {
    Turn {
        seat,
        drawn: None,
        source: DrawSource::Wall,
        kongs_in_row: 0,
        claimed: false,
        flowers: FlowerSet::EMPTY,
        drawn_for: [FlowerSet::EMPTY; 2],
    }
}

/// The wall of a hand of a game, as its seed says.
pub(crate) fn wall_of(rules: &dyn Ruleset, game_seed: u64, hand: u32, dealer: Player) -> Wall {
    let plan = rules.plan();
    let mut stream = Stream::of_wall(game_seed, hand);
    Wall::build(&plan.wall, &plan.tiles, plan.players, dealer, &mut stream)
}
