//! [`Feed`]: cuts what happens at a table into frames.
//!
//! A frame is what is shown at one moment. A new one begins after everything that may be answered and before every
//! decision on a turn, so frames depend on the events alone, and not on who was asked.

use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::host::EndedDeal;
use paishan::ruleset::Plan;
use paishan::seat::MAX_PLAYERS;
use paishan::state::{Action, DealState, Event, Legal, Phase, Snapshot};
use paishan::{Player, Rules, Seat};
use std::collections::VecDeque;
use std::sync::Arc;

/// What is shown at one moment.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of the frame in the match, from 1.
    pub number: u64,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// What happened since the frame before.
    pub events: Vec<Event>,
    /// The table after that.
    pub state: Box<DealState>,
    /// True if others may answer what has happened.
    pub may_be_answered: bool,
    /// The deal, if it is over and recorded.
    pub ended: Option<Arc<EndedDeal>>,
    /// True for a frame that ends a deal.
    pub is_end: bool,
    /// The seats that may not win off others, as each seat may know it. The engine notes a seat that lets a discard pass
    /// when the last answer is in, which is at once if no seat is asked. So a seat is told with the next frame.
    furiten: [bool; MAX_PLAYERS],
}

impl Frame {
    /// The table as a player sees it.
    pub fn view(&self, player: Player) -> Snapshot {
        let seat = self.seat(player);
        let mut view = self.state.view(seat).snapshot();
        view.furiten = self.furiten[seat.index()];
        // What a player is asked comes as a question.
        view.claimable = None;
        view.challengeable = None;
        view
    }

    /// The table as everybody sees it.
    pub fn public_view(&self) -> Snapshot {
        self.state.public_snapshot()
    }

    /// The events as a player sees them.
    pub fn events(&self, player: Player) -> Vec<Event> {
        let seat = self.seat(player);
        let events = self.events.iter();
        events.map(|event| event.seen_by(seat)).collect()
    }

    fn seat(&self, player: Player) -> Seat {
        player.seat(self.state.dealer(), self.state.players())
    }
}

/// Observes a table and makes frames of what happens.
#[derive(Debug)]
pub struct Feed {
    plan: Arc<Plan>,
    /// The frames that were not taken yet.
    frames: VecDeque<Frame>,
    /// Frames before this number are dropped, but for the last of them.
    from: u64,
    /// How many frames there were.
    count: u64,
    open: Vec<Event>,
    begins: bool,
    deal: u32,
    furiten: [bool; MAX_PLAYERS],
    /// How many decisions were made, by each player and in all before this deal.
    by_player: Vec<u32>,
    made: usize,
    before_deal: usize,
}

impl Feed {
    /// A feed that keeps the frames from a number on, and one before it.
    pub fn new(rules: &Rules, from: u64) -> Self {
        let plan = rules.plan();
        Self {
            plan: Arc::clone(plan),
            frames: VecDeque::new(),
            from,
            count: 0,
            open: Vec::new(),
            begins: false,
            deal: 0,
            furiten: [false; MAX_PLAYERS],
            by_player: vec![0; plan.players()],
            made: 0,
            before_deal: 0,
        }
    }

    /// The number of the deal, from 1.
    pub fn deal(&self) -> u32 {
        self.deal
    }

    /// How many decisions were made before this deal.
    pub fn before_deal(&self) -> usize {
        self.before_deal
    }

    /// How many decisions a player has made.
    pub fn decisions(&self, player: Player) -> u32 {
        self.by_player[player.index()]
    }

    /// The next frame.
    pub fn next(&self) -> Option<&Frame> {
        self.frames.front()
    }

    /// Takes the next frame.
    pub fn take(&mut self) -> Option<Frame> {
        self.frames.pop_front()
    }

    /// Ends the frame where the table waits for a decision on a turn, or is over. While claims are answered the frame stays
    /// open: where no seat is asked, what follows belongs to it.
    pub fn rest(&mut self, state: &DealState, ended: &[EndedDeal]) {
        if !matches!(state.phase(), Phase::Claims(_)) {
            self.close(state, false, false);
        }
        for frame in self.frames.iter_mut().filter(|frame| frame.is_end) {
            let found = ended.iter().find(|deal| deal.number == frame.deal);
            frame.ended = frame.ended.take().or(found.cloned().map(Arc::new));
        }
    }

    fn close(&mut self, state: &DealState, may_be_answered: bool, is_end: bool) {
        if self.open.is_empty() && !self.begins && !is_end {
            return;
        }
        self.count += 1;
        self.begins = false;
        let events = std::mem::take(&mut self.open);
        // What was kept back with the frame before.
        let mut furiten = self.furiten;
        for seat in Seat::all(state.players()) {
            self.furiten[seat.index()] = state.view(seat).is_furiten();
        }
        match events.last() {
            Some(Event::Discarded { seat, .. }) => {
                furiten[seat.index()] = self.furiten[seat.index()];
            }
            _ => furiten = self.furiten,
        }
        if self.count <= self.from {
            self.frames.clear();
        }
        self.frames.push_back(Frame {
            number: self.count,
            deal: self.deal,
            events,
            state: Box::new(state.clone()),
            may_be_answered,
            ended: None,
            is_end,
            furiten,
        });
    }
}

impl Observer for Feed {
    fn deal_started(&mut self, _: &DealState) {
        self.deal += 1;
        self.begins = true;
        self.before_deal = self.made;
        self.furiten = [false; MAX_PLAYERS];
    }

    fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, _: Action) {
        self.made += 1;
        let player = seat.player(state.dealer(), state.players());
        self.by_player[player.index()] += 1;
        if !matches!(state.phase(), Phase::Claims(_)) {
            self.close(state, false, false);
        }
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        self.open.push(*event);
        if state.may_be_answered(&self.plan, event) {
            self.close(state, true, false);
        }
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, _: &Outcome, _: Next) {
        self.close(state, false, false);
        self.close(state, false, true);
    }
}
