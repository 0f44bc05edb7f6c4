//! Windows in which other seats may act on a tile: their legal actions, and how answers are resolved.

use super::deal::{Deal, turn_of};
use super::legal::BY_RULES;
use super::observer::Observer;
use crate::meld::{Family, Group};
use crate::ruleset::{Adjusts, ClaimKind, Plan, Ruleset, Winners};
use crate::score::ChowFrom;
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::{
    AbortiveDraw, Action, Claims, DealState, Ending, Event, KongWay, MeldTiles, Phase, Turn, Window,
};
use crate::tile::{Kind, Tile};
use smallvec::SmallVec;

/// The seats that a tile concerns.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    /// The seats that may act on the tile.
    pub(super) waiting: SeatSet,
    /// The seats that could win. Where furiten counts every tile that completes a form, also the seats that wait for
    /// the tile.
    pub(super) could_win: SeatSet,
}

impl DealState {
    /// True if the rules let other seats act on what has just happened, as far as every seat can tell. It does not depend
    /// on concealed tiles. A server that shows what follows equally long after each such event, whether a seat is asked
    /// or not, does not reveal who is asked.
    ///
    /// ```
    /// use paishan::state::Event;
    /// use paishan::{Action, Rules, Seat};
    /// let rules = Rules::by_id("woo")?;
    /// let deal = rules.deal(7);
    /// let tile = deal.state().view(Seat::EAST).drawn().expect("East has drawn");
    /// let discard = Event::Discarded { seat: Seat::EAST, tile, drawn: true };
    /// assert!(deal.state().may_be_answered(rules.plan(), &discard));
    /// assert!(!deal.state().may_be_answered(rules.plan(), &Event::Exhausted));
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    pub fn may_be_answered(&self, plan: &Plan, event: &Event) -> bool {
        let play = &plan.play;
        match event {
            Event::Discarded { .. } | Event::TurnedOffered { .. } => true,
            Event::LaidAside { seat, tile, .. } if tile.is_flower() => {
                let mut seats = Seat::all(self.players());
                seats.any(|other| self.may_win_on_flower(plan, other, *seat))
            }
            Event::LaidAside { tile, .. } => {
                play.aside.row_of(*tile).is_some_and(|(_, row)| row.rob)
            }
            Event::AddedKong { .. } => play.rob_added,
            Event::ConcealedKong { hidden, .. } => *hidden || play.rob_concealed,
            Event::Challenged { .. } => play.rob_concealed,
            _ => false,
        }
    }

    /// True when a seat may have enough flowers to win on one that was laid down.
    pub(super) fn may_win_on_flower(&self, plan: &Plan, seat: Seat, laid_by: Seat) -> bool {
        let flowers = self.hands[seat].aside.flowers().len();
        let beside = flowers - usize::from(seat == laid_by).min(flowers);
        plan.score.may_win_on_flower(beside)
    }
}

impl<R: Ruleset> Deal<R> {
    /// Waits for the seats that may act on a tile of a turn. Returns false if there are none; the turn then goes on.
    pub(super) fn open(&mut self, window: Window, tile: Tile, from: Seat) -> bool {
        let play = &self.plan.play;
        let closed = match window {
            Window::Discard | Window::Challenge(_) | Window::Turned => false,
            Window::Aside(_) if !tile.is_flower() => {
                !play.aside.row_of(tile).is_some_and(|(_, row)| row.rob)
            }
            Window::Aside(_) => {
                let mut seats = Seat::all(self.state.players());
                !seats.any(|seat| self.state.may_win_on_flower(&self.plan, seat, from))
            }
            Window::AddedKong(_) => !play.rob_added,
            Window::ConcealedKong(_) => !play.rob_concealed,
        };
        if closed {
            return false;
        }
        let before = self.state.phase;
        self.open_window(window, tile, from);
        let waits = self.wait(window, tile, from, self.may_claim(window, tile, from));
        if !waits {
            self.state.phase = before;
        }
        waits
    }

    /// Opens a window without waiting yet, because rulesets look at the open window.
    // Inlined so that a discard writes the window in place. A copy would be read right after it was written
    // in parts, and the processor would stall.
    #[inline(always)]
    pub(super) fn open_window(&mut self, window: Window, tile: Tile, from: Seat) {
        self.state.phase = Phase::Claims(Claims::opened(window, tile, from));
    }

    /// Waits for those of the given seats that may act in the window just opened. Returns false if there are none.
    #[inline(never)]
    pub(super) fn wait(
        &mut self,
        window: Window,
        tile: Tile,
        from: Seat,
        claimants: SeatSet,
    ) -> bool {
        self.wait_in(window, tile, from, claimants)
    }

    /// [`Self::wait`] on a discard.
    // A function of its own, because the window as an argument would be copied for every discard.
    #[inline(never)]
    pub(super) fn wait_on_discard(&mut self, tile: Tile, from: Seat, claimants: SeatSet) -> bool {
        self.wait_in(Window::Discard, tile, from, claimants)
    }

    #[inline(always)]
    fn wait_in(&mut self, window: Window, tile: Tile, from: Seat, claimants: SeatSet) -> bool {
        let mut claims = Claims::opened(window, tile, from);
        let asked = self.ask(&claims, claimants);
        if asked.waiting.is_empty() {
            self.plan
                .procedures
                .passed(&mut self.state, asked.could_win, tile);
            return false;
        }
        claims.waiting = asked.waiting;
        claims.could_win = asked.could_win;
        self.state.phase = Phase::Claims(claims);
        true
    }

    /// Finds the legal actions of those of the given seats that have not answered. `claims` is the open
    /// window.
    #[inline]
    pub(super) fn ask(&mut self, claims: &Claims, claimants: SeatSet) -> Asked {
        let mut found = Asked::default();
        let wins_only = self.is_for_wins_only(claims.window);
        for seat in claimants.iter() {
            if claims.replies[seat].is_some() {
                continue;
            }
            if self
                .plan
                .procedures
                .counts_as_pass(&self.state, seat, claims)
            {
                found.could_win.insert(seat);
            }
            self.find_claims::<BY_RULES>(claims, seat, wins_only);
            self.adjust(seat, None);
            let legal = &mut self.legal[seat];
            if legal.contains(Action::Win) {
                found.could_win.insert(seat);
            }
            if legal.is_empty() {
                legal.clear();
            } else {
                legal.allow(Action::Pass);
                found.waiting.insert(seat);
            }
        }
        found
    }

    /// A superset of the seats that could act in the open window, found cheaply.
    pub(super) fn may_claim(&self, window: Window, tile: Tile, from: Seat) -> SeatSet {
        match window {
            Window::Discard => self.may_claim_discard(tile, from),
            Window::Aside(_) if tile.is_flower() => self.state.in_play(),
            Window::Turned => self.state.in_play(),
            _ => self.others(from),
        }
    }

    /// All seats in play but one.
    pub(super) fn others(&self, from: Seat) -> SeatSet {
        let mut others = self.state.in_play();
        others.remove(from);
        others
    }

    /// A superset of the seats that could act on a discard, found by a quick look at their tiles. Most seats drop out
    /// here.
    #[inline(always)]
    pub(super) fn may_claim_discard(&self, tile: Tile, from: Seat) -> SeatSet {
        let players = self.state.players();
        let plan = &*self.plan;
        let (Some(kind), false) = (tile.kind(), self.adjusts == Adjusts::Always) else {
            return self.others(from);
        };
        let hand = |seat: Seat| &self.state.hands[seat];
        let waits = |seat: Seat| self.state.cache.waits[seat];
        let mut found = if self.knows_waits {
            SeatSet::of(players, |seat| {
                hand(seat).pairs().union(waits(seat)).contains(kind)
            })
        } else {
            let paired = SeatSet::of(players, |seat| hand(seat).pairs().contains(kind));
            let mut may_win = SeatSet::of(players, |seat| waits(seat).contains(kind));
            may_win.remove(from);
            for seat in may_win.difference(paired).iter() {
                if !self.decomposer.completes(hand(seat), Some(kind)) {
                    may_win.remove(seat);
                }
            }
            paired.union(may_win)
        };
        if plan.play.claimed_kong_on_laid {
            let may_kong = |seat| self.state.cache.laid_pungs[seat].contains(kind);
            found = found.union(SeatSet::of(players, may_kong));
        }
        if self.unusual_claims {
            found = found.union(self.joker_holders());
        }
        let grammar = self.decomposer.grammar();
        for seat in self.chow_seats(from).iter() {
            let chows = grammar.makes_run(hand(seat).kinds(), kind);
            found = found.union(SeatSet::from_bits(u8::from(chows) << seat.index()));
        }
        found.remove(from);
        found.difference(self.state.out)
    }

    /// The seats that hold jokers.
    #[inline(never)]
    fn joker_holders(&self) -> SeatSet {
        let has_joker = |seat: Seat| self.state.hands[seat].kinds().contains(Kind::JOKER);
        SeatSet::of(self.state.players(), has_joker)
    }

    /// The seats that may claim a discard for a chow.
    #[inline]
    pub(super) fn chow_seats(&self, from: Seat) -> SeatSet {
        if self.state.out.is_empty() {
            return self.chow_seats[from];
        }
        self.chow_seats_in_play(from)
    }

    /// [`Self::chow_seats`] once seats are out of play.
    #[inline(never)]
    fn chow_seats_in_play(&self, from: Seat) -> SeatSet {
        let in_play = self.others(from);
        match self.plan.play.chow_from {
            ChowFrom::Previous => SeatSet::one(self.state.next_in_play(from)),
            ChowFrom::Next => {
                let precedes = |seat: &Seat| self.state.next_in_play(*seat) == from;
                in_play.iter().filter(precedes).collect()
            }
            ChowFrom::Any => in_play,
            ChowFrom::Nobody => SeatSet::EMPTY,
        }
    }

    /// Takes the answer of a seat. The last answer resolves the claims.
    pub(super) fn answer(
        &mut self,
        mut answered: Claims,
        seat: Seat,
        action: Action,
        observer: &mut dyn Observer,
    ) {
        // The copy is stored whole: a read of the whole right after a write of a part stalls the processor.
        answered.replies[seat] = Some(action);
        answered.waiting.remove(seat);
        self.state.phase = Phase::Claims(answered);
        if answered.waiting.is_empty() {
            self.resolve(&answered, observer);
        }
    }

    /// The seats whose answer `wanted` accepts, in turn order from the giver of the tile.
    #[inline]
    fn who_chose(
        &self,
        claims: &Claims,
        wanted: fn(Option<Action>) -> bool,
    ) -> SmallVec<[Seat; 6]> {
        let players = self.state.players();
        let chose = SeatSet::of(players, |seat| wanted(claims.replies[seat]));
        // Usually there is none, and no order need be found.
        if chose.is_empty() {
            return SmallVec::new();
        }
        let in_order = (1..=players).map(|step| claims.from.after(step, players));
        in_order.filter(|&seat| chose.contains(seat)).collect()
    }

    /// The first seat that declared a false win. A true claim goes first, because a false win has no rank.
    #[inline(never)]
    fn false_winner(&self, claims: &Claims) -> Option<Seat> {
        let mut seats = Seat::all(self.state.players());
        if seats.any(|seat| self.claimed_meld(claims, seat).is_some()) {
            return None;
        }
        let declared = self.who_chose(claims, |reply| matches!(reply, Some(Action::FalseWin)));
        declared.first().copied()
    }

    /// Carries out the answers once all are in.
    fn resolve(&mut self, claims: &Claims, observer: &mut dyn Observer) {
        let mut winners = self.who_chose(claims, |reply| matches!(reply, Some(Action::Win)));
        if !winners.is_empty() {
            let play = &self.plan.play;
            match play.winners_of(winners.len()) {
                Winners::Nearest => winners.truncate(1),
                Winners::All => {}
                Winners::Nobody => {
                    self.give_back_kong(claims);
                    return self.end(
                        Ending::Aborted(AbortiveDraw::ThreeWins, None),
                        &[],
                        observer,
                    );
                }
            }
            let wins: SmallVec<[_; 2]> = winners
                .iter()
                .map(|&seat| (seat, self.claimed_win(seat, claims)))
                .collect();
            self.give_back_kong(claims);
            if self.plan.play.plays_on {
                if claims.window != Window::Discard {
                    self.state.robbed.push(claims.tile);
                }
                let won: SeatSet = winners.iter().copied().collect();
                self.plan.procedures.passed(
                    &mut self.state,
                    claims.could_win.difference(won),
                    claims.tile,
                );
                self.find_waits(claims.from);
            }
            return self.end(Ending::Won, &wins, observer);
        }
        self.plan
            .procedures
            .passed(&mut self.state, claims.could_win, claims.tile);
        match claims.window {
            Window::Discard => {
                if self.has_false_wins
                    && let Some(seat) = self.false_winner(claims)
                {
                    return self.end(Ending::FalseWin(seat), &[], observer);
                }
                if !self.discard_ends_deal(claims.from, observer) {
                    self.resolve_discard(claims, observer);
                }
            }
            Window::Aside(mut turn) => self.go_on_aside(&mut turn, claims.tile, observer),
            Window::AddedKong(turn) => self.replace_kong(turn, KongWay::Added, observer),
            Window::ConcealedKong(turn) => self.replace_kong(turn, KongWay::Concealed, observer),
            Window::Challenge(turn) => self.resolve_challenge(turn, claims, observer),
            Window::Turned => self.open_play(0, observer),
        }
    }

    /// Shows a challenged kong. Others may rob it once it is shown.
    fn resolve_challenge(&mut self, turn: Turn, claims: &Claims, observer: &mut dyn Observer) {
        let challengers = self.who_chose(claims, |reply| matches!(reply, Some(Action::Challenge)));
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
        self.replace_kong(turn, KongWay::Concealed, observer);
    }

    /// Undoes a robbed kong. An added kong becomes a pung again. The other three tiles of a concealed kong go
    /// back to the hand. A kind that was laid aside goes to the winner. Source: `rulesets/uzje.md` §8.3.
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
                hand.melds[place].added_after = 0;
                hand.melds[place].reds -= u8::from(claims.tile.is_red());
                self.state.kongs -= 1;
            }
            (Window::ConcealedKong(_), Some(place)) => {
                let reds = hand.melds.remove(place).reds - u8::from(claims.tile.is_red());
                for n in 0..3 {
                    hand.add(match kind.suit() {
                        Some(suit) if n < reds => Tile::red_five(suit),
                        _ => kind.into(),
                    });
                }
                self.state.kongs -= 1;
            }
            (Window::Aside(_), _) => hand.aside.remove(claims.tile),
            _ => {}
        }
        self.note_melds(claims.from);
    }

    /// The claim of a seat for a meld, if it made one.
    fn claimed_meld(&self, claims: &Claims, seat: Seat) -> Option<(MeldTiles, ClaimKind)> {
        let action = claims.replies[seat]?;
        let kind = ClaimKind::of_meld(action)?;
        match action {
            Action::Claim(tiles) => Some((tiles, kind)),
            _ => None,
        }
    }

    /// Gives a discard to the highest claim. Among equal claims the first in turn order gets it.
    fn resolve_discard(&mut self, claims: &Claims, observer: &mut dyn Observer) {
        let players = self.state.players();
        let play = &self.plan.play;
        let mut best: Option<(u8, Seat, MeldTiles)> = None;
        let mut seat = claims.from;
        for _ in 1..players {
            seat = seat.next(players);
            if let Some((tiles, kind)) = self.claimed_meld(claims, seat) {
                let rank = play.rank(kind);
                if best.is_none_or(|(highest, ..)| rank > highest) {
                    best = Some((rank, seat, tiles));
                }
            }
        }
        match best {
            Some((_, seat, tiles)) => self.claim(seat, tiles, claims, observer),
            None => self.start_turn(self.state.next_in_play(claims.from), observer),
        }
    }

    /// Makes a meld with a claimed discard.
    fn claim(
        &mut self,
        seat: Seat,
        tiles: MeldTiles,
        claims: &Claims,
        observer: &mut dyn Observer,
    ) {
        let Claims { tile, from, .. } = *claims;
        let Some(kind) = tile.kind() else { return };
        let is_last_kong = self.plan.procedures.ends_with_kong(&self.state, seat);
        let is_kong = tiles.group().family() == Family::Kong;
        let laid = self.state.hands[seat].laid_pung(kind).filter(|_| is_kong);
        if let Some(discard) = self.state.discards.last_mut() {
            discard.claimed = true;
        }
        let meld = tiles.claimed(tile, from);
        let hand = &mut self.state.hands[seat];
        match laid {
            Some(place) => hand.melds[place] = meld,
            None => {
                tiles.beside(kind).for_each(|own| hand.take(own));
                hand.melds.push(meld);
            }
        }
        self.note_melds(seat);
        self.state.lower_missing_floor(seat);
        self.plan.procedures.interrupted(&mut self.state);
        self.plan.procedures.claimed(&mut self.state, seat);
        let mut turn = turn_of(seat);
        let event = Event::Claimed {
            seat,
            from,
            tile,
            tiles,
            laid: laid.is_some(),
        };
        for other in Seat::all(self.state.players()) {
            self.legal[other].clear();
        }
        if is_kong && self.plan.play.kong_replacement {
            turn.kongs_in_row = 1;
            turn.fed_by = Some(from).filter(|_| self.plan.kong_feeder_answers);
            self.made_kong(turn, event, observer);
            if is_last_kong {
                return self.end(
                    Ending::Aborted(AbortiveDraw::FourKongs, None),
                    &[],
                    observer,
                );
            }
            return self.replace_kong(turn, KongWay::Claimed, observer);
        }
        turn.claimed = true;
        self.state.kongs += u8::from(is_kong);
        self.state.phase = Phase::Turn(turn);
        observer.event(&self.state, &event);
        if is_kong {
            self.pay_kong(&turn, KongWay::Claimed, observer);
        }
        self.settle_in(turn, observer);
    }
}
