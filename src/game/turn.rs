//! A turn: flowers, draws, kongs, melds laid down, and the discard.

use super::deal::{Deal, turn_of};
use super::observer::Observer;
use crate::meld::{Group, Meld};
use crate::ruleset::{DealtAside, IndicatorTurn, Ruleset};
use crate::seat::Seat;
use crate::state::{
    AbortiveDraw, Action, Announcement, Discard, DrawSource, Ending, Event, KongWay, MeldTiles,
    Phase, Turn, Window,
};
use crate::tile::{Kind, Tile};

impl<R: Ruleset> Deal<R> {
    #[inline(always)]
    pub(super) fn act_on_turn(&mut self, turn: Turn, action: Action, observer: &mut dyn Observer) {
        match action {
            Action::Discard { tile, drawn } => self.discard(turn, tile, drawn, observer),
            _ => self.act_otherwise(action, observer),
        }
    }

    /// Carries out an action on turn that is no discard.
    // It reads the turn again, because an argument would be copied for every discard, too.
    #[inline(never)]
    fn act_otherwise(&mut self, action: Action, observer: &mut dyn Observer) {
        let Phase::Turn(turn) = self.state.phase else {
            return;
        };
        let seat = turn.seat;
        match action {
            Action::Win => {
                let turns = self.plan.play.replacement_win_turns;
                if turns && turn.source == DrawSource::Kong {
                    self.turn_due_indicators(observer);
                }
                if let Some(win) = self.drawn_win(turn) {
                    self.end(Ending::Won, &[(seat, win)], observer);
                }
            }
            Action::ConcealedKong(kind) => {
                let hidden = self.plan.play.hidden_kongs;
                let reds = self.state.hands[seat].lay_kong(kind, hidden);
                self.note_melds(seat);
                let again = turn.source == DrawSource::Kong;
                let turn = Turn {
                    kongs_in_row: 1 + if again { turn.kongs_in_row } else { 0 },
                    ..turn
                };
                let event = Event::ConcealedKong {
                    seat,
                    kind: Some(kind),
                    reds,
                    hidden,
                };
                let is_last = self.plan.procedures.ends_with_kong(&self.state, seat);
                self.made_kong(turn, event, observer);
                if is_last {
                    return self.end(
                        Ending::Aborted(AbortiveDraw::FourKongs, None),
                        &[],
                        observer,
                    );
                }
                let window = if hidden {
                    Window::Challenge(turn)
                } else {
                    Window::ConcealedKong(turn)
                };
                // The winner who robs the kong takes a plain tile if there is one.
                let tile = match kind.suit() {
                    Some(suit) if reds == 4 => Tile::red_five(suit),
                    _ => kind.into(),
                };
                if !self.open(window, tile, seat) {
                    self.replace_kong(turn, KongWay::Concealed, observer);
                }
            }
            Action::AddedKong(kind) => {
                let (pung, is_red) = self.state.hands[seat].add_to_pung(kind);
                let tile = match kind.suit() {
                    Some(suit) if is_red => Tile::red_five(suit),
                    _ => kind.into(),
                };
                let (open, reds) = pung.map_or((false, 0), |pung| (pung.open, pung.reds));
                self.note_melds(seat);
                let turn = Turn {
                    kongs_in_row: 1,
                    ..turn
                };
                let event = Event::AddedKong {
                    seat,
                    tile,
                    reds,
                    open,
                };
                let is_last = self.plan.procedures.ends_with_kong(&self.state, seat);
                self.made_kong(turn, event, observer);
                if is_last {
                    return self.end(
                        Ending::Aborted(AbortiveDraw::FourKongs, None),
                        &[],
                        observer,
                    );
                }
                if !self.open(Window::AddedKong(turn), tile, seat) {
                    self.replace_kong(turn, KongWay::Added, observer);
                }
            }
            Action::Swap(tiles) => self.swap(turn, tiles, observer),
            Action::Lay(group) => self.lay_down(turn, group, observer),
            Action::Stand => {
                self.announce(seat, Announcement::Standing, observer);
                self.go_on(turn);
            }
            Action::Riichi => {
                if let Some(event) = self.plan.procedures.declared(&mut self.state, seat) {
                    observer.event(&self.state, &event);
                }
                self.go_on(turn);
            }
            Action::NineOrphans => {
                self.end(
                    Ending::Aborted(AbortiveDraw::NineOrphans, Some(seat)),
                    &[],
                    observer,
                );
            }
            Action::Aside(kind) => self.choose_aside(turn, kind.into(), observer),
            Action::FalseWin => self.end(Ending::FalseWin(seat), &[], observer),
            // Never among the legal actions of a turn, or no matter of this method.
            Action::Discard { .. }
            | Action::Pass
            | Action::Challenge
            | Action::Claim(_)
            | Action::Exchange(_)
            | Action::Missing(_)
            | Action::Show
            | Action::EndMatch => {}
        }
    }

    /// Discards a tile. Where a seat may answer, the window waits for it. Otherwise the deal ends or the next turn
    /// begins.
    #[inline(always)]
    fn discard(&mut self, turn: Turn, tile: Tile, drawn: bool, observer: &mut dyn Observer) {
        let seat = turn.seat;
        if self.plan.procedures.fishing.is_some() {
            self.announce_calling(seat, tile, observer);
        }
        self.state.hands[seat].take(tile);
        self.state.discards.push(Discard {
            seat,
            tile,
            drawn,
            claimed: false,
        });
        self.note_discard(seat, turn.drawn, tile);
        self.state.after_kong = turn.source == DrawSource::Kong;
        // Answers are found before the event, so that an observer sees them with it.
        self.open_window(Window::Discard, tile, seat);
        let claimants = self.may_claim_discard(tile, seat);
        let waits = !claimants.is_empty() && self.wait_on_discard(tile, seat, claimants);
        observer.event(&self.state, &Event::Discarded { seat, tile, drawn });
        self.turn_due_indicators(observer);
        if !waits && !self.discard_ends_deal(seat, observer) {
            self.start_turn(self.state.next_in_play(seat), observer);
        }
    }

    /// Handles the riichi deposit and abortive draws after a discard without a win, before any claim. Returns true if
    /// the deal ends here.
    #[inline(always)]
    pub(super) fn discard_ends_deal(&mut self, from: Seat, observer: &mut dyn Observer) -> bool {
        self.settles_discards
            && self.plan.procedures.may_follow_discard(&self.state, from)
            && self.settle_discard(from, observer)
    }

    /// [`Self::discard_ends_deal`] after a discard that has consequences.
    #[inline(never)]
    fn settle_discard(&mut self, from: Seat, observer: &mut dyn Observer) -> bool {
        let procedures = &self.plan.procedures;
        let draw = procedures.after_discard(&self.state);
        let deposit = self.plan.settlement.deposit();
        if let Some(event) = procedures.not_won_off(&mut self.state, from, deposit) {
            observer.event(&self.state, &event);
        }
        if let Some(draw) = draw {
            self.end(Ending::Aborted(draw, None), &[], observer);
        }
        draw.is_some()
    }

    /// Puts a tile in the place of the first joker of a meld. If that is the tile just drawn, the joker is the drawn one
    /// from now on.
    #[inline(never)]
    fn swap(&mut self, mut turn: Turn, tiles: MeldTiles, observer: &mut dyn Observer) {
        let seat = turn.seat;
        let is_it = |meld: &&mut Meld| MeldTiles::from(&**meld) == tiles;
        let Some(owner) = self.state.swap_owner(seat, tiles) else {
            return;
        };
        let mut melds = self.state.hands[owner].melds.iter_mut();
        let (Some(meld), Some(kind)) = (melds.find(is_it), tiles.joker_stands_for()) else {
            return;
        };
        // A run has one joker. The jokers of a pung lie in front of its other tiles, also in the notation of an action.
        meld.wild = match meld.group.family().is_run() {
            true => 0,
            false => meld.wild >> 1,
        };
        let hand = &mut self.state.hands[seat];
        hand.take(kind.into());
        hand.add(Kind::JOKER.into());
        if turn.drawn.and_then(Tile::kind) == Some(kind) {
            turn.drawn = Some(Kind::JOKER.into());
        }
        self.state.phase = Phase::Turn(turn);
        self.note_melds(owner);
        self.find_waits(seat);
        if owner != seat {
            self.find_waits(owner);
        }
        let event = Event::Swapped {
            seat,
            owner,
            tiles,
            tile: kind.into(),
        };
        observer.event(&self.state, &event);
        self.go_on(turn);
    }

    /// Lays aside a tile that the seat on turn has chosen. Others may win on it. If none does, a replacement is drawn.
    #[inline(never)]
    fn choose_aside(&mut self, mut turn: Turn, tile: Tile, observer: &mut dyn Observer) {
        self.state.phase = Phase::Turn(turn);
        self.lay_aside(turn.seat, tile, observer);
        self.find_waits(turn.seat);
        self.turn_due_indicators(observer);
        if !self.open(Window::Aside(turn), tile, turn.seat) {
            self.go_on_aside(&mut turn, tile, observer);
        }
    }

    /// Goes on after a tile was laid aside that nobody has won on.
    pub(super) fn go_on_aside(&mut self, turn: &mut Turn, tile: Tile, observer: &mut dyn Observer) {
        match self.replace_aside(turn, tile, observer) {
            true => self.settle_in(*turn, observer),
            false => self.end(Ending::Exhausted, &[], observer),
        }
    }

    /// Announces that a seat is calling from its discard on, unless already announced.
    #[inline(never)]
    fn announce_calling(&mut self, seat: Seat, discard: Tile, observer: &mut dyn Observer) {
        let before = self.state.announced[seat];
        if before == Some(Announcement::Standing) || self.state.hands[seat].dead {
            return;
        }
        self.refresh_missing_floor(seat);
        if !self.rules.is_calling(&self.state, seat, discard) {
            self.state.announced[seat] = None;
        } else if before.is_none() {
            self.announce(seat, Announcement::Calling, observer);
        }
    }

    fn announce(&mut self, seat: Seat, announcement: Announcement, observer: &mut dyn Observer) {
        self.state.announced[seat] = Some(announcement);
        observer.event(&self.state, &Event::Announced { seat, announcement });
    }

    fn lay_down(&mut self, turn: Turn, group: Group, observer: &mut dyn Observer) {
        let seat = turn.seat;
        let hand = &mut self.state.hands[seat];
        let reds = group.tiles().map(|kind| hand.take_kind(kind, 1)).sum();
        hand.melds.push(Meld {
            reds,
            ..Meld::of_own(group)
        });
        self.note_melds(seat);
        self.find_waits(seat);
        observer.event(&self.state, &Event::LaidDown { seat, group });
        self.go_on(turn);
    }

    /// Counts a kong and notifies the observer.
    pub(super) fn made_kong(&mut self, turn: Turn, event: Event, observer: &mut dyn Observer) {
        self.state.kongs += 1;
        self.state.phase = Phase::Turn(turn);
        self.find_waits(turn.seat);
        observer.event(&self.state, &event);
    }

    /// Draws the replacement of a kong, turns its indicator if it is due now, and continues the turn.
    pub(super) fn replace_kong(
        &mut self,
        mut turn: Turn,
        way: KongWay,
        observer: &mut dyn Observer,
    ) {
        self.state.phase = Phase::Turn(turn);
        self.plan.procedures.interrupted(&mut self.state);
        self.turn_due_indicators(observer);
        let time = self.plan.play.indicator_turns[way as usize];
        match time {
            IndicatorTurn::AtOnce => self.turn_indicator(observer),
            IndicatorTurn::AfterDiscard => self.state.indicators_due += 1,
            IndicatorTurn::Never | IndicatorTurn::AfterReplacement => {}
        }
        self.pay_kong(&turn, way, observer);
        turn.source = DrawSource::Kong;
        turn.claimed = false;
        if way != KongWay::Claimed {
            turn.fed_by = None;
        }
        let drawn = self.state.wall.draw_replacement();
        if !self.take_replacement(&mut turn, drawn.map(|tile| (tile, true)), observer) {
            return self.end(Ending::Exhausted, &[], observer);
        }
        if time == IndicatorTurn::AfterReplacement {
            self.turn_indicator(observer);
        }
        self.settle_in(turn, observer);
    }

    #[inline(never)]
    fn turn_indicator(&mut self, observer: &mut dyn Observer) {
        if let Some(tile) = self.state.wall.turn_indicator() {
            observer.event(&self.state, &Event::IndicatorTurned { tile });
        }
    }

    /// Turns the deferred kong indicators.
    #[inline(always)]
    pub(super) fn turn_due_indicators(&mut self, observer: &mut dyn Observer) {
        while self.state.indicators_due > 0 {
            self.state.indicators_due -= 1;
            self.turn_indicator(observer);
        }
    }

    /// Begins the turn of a seat: dealt flowers, the draw, drawn flowers.
    pub(super) fn start_turn(&mut self, seat: Seat, observer: &mut dyn Observer) {
        if self.holds_bonus(seat) {
            return self.start_turn_with_flowers(seat, observer);
        }
        match self.state.wall.draw(seat) {
            Some(tile) => self.take_drawn(turn_of(seat), tile, observer),
            None => {
                self.state.phase = Phase::Turn(turn_of(seat));
                self.end(Ending::Exhausted, &[], observer);
            }
        }
    }

    fn start_turn_with_flowers(&mut self, seat: Seat, observer: &mut dyn Observer) {
        let mut turn = turn_of(seat);
        self.state.phase = Phase::Turn(turn);
        let before = self.plan.play.aside.dealt != DealtAside::AfterDraw;
        if self.state.wall.draws_left() == 0 || before && !self.lay_flowers(&mut turn, observer) {
            return self.end(Ending::Exhausted, &[], observer);
        }
        if before {
            self.find_waits(seat);
        }
        match self.state.wall.draw(seat) {
            Some(tile) => self.take_drawn(turn, tile, observer),
            None => self.end(Ending::Exhausted, &[], observer),
        }
    }

    /// Adds the tile that a turn begins with to the hand.
    // Inlined, like `find_legal`, so that the turn stays in registers.
    #[inline(always)]
    fn take_drawn(&mut self, turn: Turn, tile: Tile, observer: &mut dyn Observer) {
        let seat = turn.seat;
        self.state.gain(seat, tile);
        self.note_draw(seat, true);
        let turn = Turn {
            drawn: Some(tile),
            source: DrawSource::Wall,
            ..turn
        };
        self.state.phase = Phase::Turn(turn);
        let event = Event::Drew {
            seat,
            tile: Some(tile),
            from_back: false,
        };
        observer.event(&self.state, &event);
        match self.holds_bonus(seat) {
            true => self.settle_in(turn, observer),
            false => self.find_legal(&turn),
        }
    }

    /// True when a seat holds a tile that must be laid aside.
    #[inline(always)]
    fn holds_bonus(&self, seat: Seat) -> bool {
        let hand = &self.state.hands[seat];
        let kinds = hand.kinds().intersection(self.forced);
        u64::from(hand.held_flowers().bits()) | kinds.bits() != 0
    }

    /// Lays held flowers down, each replaced before the next, until the seat on turn must decide. Stops at a
    /// flower that seats may win on, and ends the deal where no replacement is left.
    pub(super) fn settle_in(&mut self, mut turn: Turn, observer: &mut dyn Observer) {
        while let Some(tile) = self.next_flower(&mut turn) {
            self.lay_aside(turn.seat, tile, observer);
            self.find_waits(turn.seat);
            let last = !self.holds_bonus(turn.seat);
            if last && self.open(Window::Aside(turn), tile, turn.seat) {
                return;
            }
            if !self.replace_aside(&mut turn, tile, observer) {
                return self.end(Ending::Exhausted, &[], observer);
            }
        }
        self.go_on(turn);
    }

    /// Lays held flowers down if no seat may win on them. Returns false when no replacement is left.
    pub(super) fn lay_flowers(&mut self, turn: &mut Turn, observer: &mut dyn Observer) -> bool {
        self.state.phase = Phase::Turn(*turn);
        while let Some(tile) = self.next_flower(turn) {
            self.lay_aside(turn.seat, tile, observer);
            if !self.replace_aside(turn, tile, observer) {
                return false;
            }
        }
        true
    }

    /// The next tile to lay aside: the drawn one, then kinds in tile order, then flowers.
    fn next_flower(&self, turn: &mut Turn) -> Option<Tile> {
        let hand = &self.state.hands[turn.seat];
        let held = hand.held_flowers();
        let kinds = hand.kinds().intersection(self.forced);
        if let Some(kind) = kinds.first() {
            let is_bonus = |tile: &Tile| tile.kind().is_none_or(|kind| kinds.contains(kind));
            let drawn = turn
                .drawn
                .filter(|tile| is_bonus(tile) && hand.holds(*tile));
            return drawn.or(Some(kind.into()));
        }
        let flower = if self.plan.play.aside.dealt == DealtAside::AfterDraw {
            if turn.flowers.is_empty() {
                turn.flowers = held;
            }
            let next = turn.flowers.first()?;
            turn.flowers.remove(next);
            next
        } else {
            // A drawn flower goes first, before those that were dealt.
            let drawn = turn.drawn.and_then(Tile::as_flower);
            drawn.filter(|&f| held.contains(f)).or(held.first())?
        };
        Some(Tile::flower(flower))
    }

    /// Lays a bonus tile beside the hand.
    fn lay_aside(&mut self, seat: Seat, tile: Tile, observer: &mut dyn Observer) {
        let hand = &mut self.state.hands[seat];
        hand.take(tile);
        hand.aside.add(tile);
        observer.event(&self.state, &Event::LaidAside { seat, tile });
    }

    /// Pays a tile that was laid aside and draws its replacement. Returns false when none is left.
    fn replace_aside(&mut self, turn: &mut Turn, tile: Tile, observer: &mut dyn Observer) -> bool {
        self.pay_aside(turn.seat, tile, observer);
        let Some((id, row)) = self.plan.play.aside.row_of(tile) else {
            return false;
        };
        let by_choice = row.by_choice;
        let for_kong = turn.source == DrawSource::Kong && turn.drawn == Some(tile);
        if by_choice || !(for_kong && self.plan.play.kong_through_aside) {
            turn.source = DrawSource::Aside(id);
            turn.kongs_in_row = 0;
        }
        let drawn = if by_choice {
            self.plan.procedures.interrupted(&mut self.state);
            turn.fed_by = None;
            let drawn = self.state.wall.draw_replacement();
            drawn.map(|tile| (tile, true))
        } else {
            self.state.wall.draw_for_flower(turn.seat)
        };
        self.state.phase = Phase::Turn(*turn);
        self.take_replacement(turn, drawn, observer)
    }

    /// Adds a replacement to the hand on turn. The flag says that it came from the back of the wall. False
    /// when there is no replacement.
    fn take_replacement(
        &mut self,
        turn: &mut Turn,
        replacement: Option<(Tile, bool)>,
        observer: &mut dyn Observer,
    ) -> bool {
        let Some((tile, from_back)) = replacement else {
            return false;
        };
        let seat = turn.seat;
        self.state.gain(seat, tile);
        self.note_draw(seat, false);
        turn.drawn = Some(tile);
        if let Some(flower) = tile.as_flower() {
            if turn.source == DrawSource::Kong {
                turn.drawn_for_kong.insert(flower);
            } else {
                turn.drawn_for_flower.insert(flower);
            }
        }
        let event = Event::Drew {
            seat,
            tile: Some(tile),
            from_back,
        };
        observer.event(&self.state, &event);
        true
    }

    /// Continues a turn: its seat decides next.
    #[inline(never)]
    pub(super) fn go_on(&mut self, turn: Turn) {
        self.state.phase = Phase::Turn(turn);
        self.find_legal(&turn);
    }
}
