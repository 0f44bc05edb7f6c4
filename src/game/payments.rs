//! Payments by rows of `[payments]` at the table, and how the parts of a deal become one outcome.

use super::deal::Deal;
use super::observer::Observer;
use super::outcome::Outcome;
use crate::meld::Group;
use crate::ruleset::Ruleset;
use crate::score::{
    Happening, PaymentEvent, PaymentHook, Reading, ScoreInput, Settlement, TableFacts, Tallied,
    all_declared, read_seats,
};
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use crate::set::SeatSet;
use crate::state::{DrawSource, KongWay, Turn, Win};
use crate::tile::Tile;
use smallvec::SmallVec;

impl<R: Ruleset> Deal<R> {
    /// Pays a part of the deal at once. `before` is what was [paid before](Self::paid_before) the part.
    pub(super) fn pay(&mut self, before: Outcome, part: Outcome, observer: &mut dyn Observer) {
        for seat in Seat::all(self.state.players()) {
            let change = part.settlement.deltas[seat];
            let (points, paid) = (&mut self.state.points[seat], &mut self.state.paid[seat]);
            *points = points.saturating_add(change);
            *paid = paid.saturating_add(change);
        }
        observer.paid(&self.state, &part);
        self.outcome = Some(before.followed_by(part));
    }

    /// The parts of the deal that were paid so far. Those before a deal was resumed are winners and changes alone,
    /// because a state keeps no more.
    pub(super) fn paid_before(&mut self) -> Outcome {
        let before = self.outcome.take();
        before.unwrap_or_else(|| Outcome {
            wins: self.state.wins.iter().copied().collect(),
            settlement: Settlement {
                deltas: self.state.paid,
                ..Settlement::default()
            },
            ..Outcome::default()
        })
    }

    /// Pays the kong that a seat has just made, if the ruleset pays kongs.
    #[inline]
    pub(super) fn pay_kong(&mut self, turn: &Turn, way: KongWay, observer: &mut dyn Observer) {
        if self.plan.payments.pays(PaymentHook::Kong) {
            self.pay_kong_by_rows(turn, way, observer);
        }
    }

    /// Pays the tile that a seat has laid aside, if the ruleset pays for such tiles.
    #[inline]
    pub(super) fn pay_aside(&mut self, seat: Seat, tile: Tile, observer: &mut dyn Observer) {
        if self.plan.payments.pays(PaymentHook::Aside) {
            self.pay_aside_by_rows(seat, tile, observer);
        }
    }

    /// Pays the hand that a seat has shown before the first turn.
    pub(super) fn pay_shown(&mut self, seat: Seat, step: u8, observer: &mut dyn Observer) {
        let happening = Happening {
            shown: Some(step),
            ..Happening::default()
        };
        if self.plan.payments.pays(PaymentHook::Shown) {
            self.state.accounts.begin();
            self.pay_now(PaymentHook::Shown, seat, happening, observer);
        }
    }

    /// Pays what each seat has when play begins.
    pub(super) fn pay_dealt(&mut self, observer: &mut dyn Observer) {
        if self.plan.payments.pays(PaymentHook::Dealt) {
            for seat in Seat::all(self.state.players()) {
                self.state.accounts.begin();
                self.pay_now(PaymentHook::Dealt, seat, Happening::default(), observer);
            }
        }
    }

    #[inline(never)]
    fn pay_aside_by_rows(&mut self, seat: Seat, tile: Tile, observer: &mut dyn Observer) {
        let laid = self.state.hands[seat].aside;
        let own = self.plan.tiles.flowers_of(seat);
        self.state.accounts.begin();
        let happening = Happening {
            laid: Some((tile, laid, own)),
            ..Happening::default()
        };
        self.pay_now(PaymentHook::Aside, seat, happening, observer);
    }

    #[inline(never)]
    fn pay_kong_by_rows(&mut self, turn: &Turn, way: KongWay, observer: &mut dyn Observer) {
        let seat = turn.seat;
        // Of a kind that was just drawn only one kong can be made.
        let drawn = turn.drawn.and_then(Tile::kind).map(Group::kong);
        let mut added = self.state.hands[seat]
            .melds
            .iter()
            .filter(|meld| meld.added);
        let added_drawn = added.any(|meld| Some(meld.group) == drawn);
        let giver = self.state.discards.last().map(|discard| discard.seat);
        if turn.source != DrawSource::Kong {
            self.state.accounts.begin();
        }
        let happening = Happening {
            made: Some(way),
            added_drawn: way == KongWay::Added && added_drawn,
            giver: giver.filter(|_| way == KongWay::Claimed),
            ..Happening::default()
        };
        self.pay_now(PaymentHook::Kong, seat, happening, observer);
    }

    /// Pays an event while the deal goes on.
    fn pay_now(
        &mut self,
        on: PaymentHook,
        actor: Seat,
        happening: Happening<'_>,
        observer: &mut dyn Observer,
    ) {
        let event = self.event(on, &[], happening);
        if !self.plan.payments.may_pay(&event, &[actor]) {
            return;
        }
        let happening = event.happening;
        let mut settlement = Settlement::default();
        let mut accounts = std::mem::take(&mut self.state.accounts);
        self.with_event(on, &[], happening, |event| {
            let payments = &self.plan.payments;
            payments.run(event, &[actor], Some(&mut accounts), &mut settlement);
            payments.give_back(event, &[actor], &mut accounts, &mut settlement);
        });
        self.state.accounts = accounts;
        if settlement.payments.is_empty() {
            return;
        }
        let part = Outcome {
            settlement,
            ..Outcome::default()
        };
        let before = self.paid_before();
        self.pay(before, part, observer);
    }

    /// Returns payments after wins.
    #[inline]
    pub(super) fn give_back_after_wins(
        &mut self,
        wins: &[(Seat, Win)],
        settlement: &mut Settlement,
    ) {
        if self.plan.payments.returns(PaymentHook::Win) && !wins.is_empty() {
            self.give_back(PaymentHook::Win, wins, SeatSet::EMPTY, settlement);
        }
    }

    /// Pays the rows for a wall that was used up.
    #[inline(never)]
    pub(super) fn pay_wall_end(&mut self, ready: SeatSet, settlement: &mut Settlement) {
        if self.plan.payments.pays(PaymentHook::Exhausted) {
            self.give_back(PaymentHook::Exhausted, &[], ready, settlement);
        }
    }

    /// Pays and returns what the rows of a hook say at the end of a deal or of a part of it. Wins are paid already.
    #[inline(never)]
    fn give_back(
        &mut self,
        on: PaymentHook,
        wins: &[(Seat, Win)],
        ready: SeatSet,
        settlement: &mut Settlement,
    ) {
        let mut accounts = std::mem::take(&mut self.state.accounts);
        let barred = |seat| {
            let kinds = self.state.barred_kinds(seat);
            self.state.hands[seat].concealed().count_in(kinds) as u8
        };
        let turned = self.state.turned;
        let happening = Happening {
            giver: wins.first().and_then(|(_, win)| win.giver()),
            winners: wins.len() as u8,
            turned: &turned,
            ready,
            barred: match self.bars_kinds {
                true => BySeat::from_fn(barred),
                false => BySeat::default(),
            },
            counters: self.state.on_table.counters,
            only_discarded: &|seat, kinds| self.only_discarded(seat, kinds),
            best_win: &|to, from| self.best_off(to, from),
            ..Happening::default()
        };
        let winners = wins.iter().map(|(seat, _)| *seat);
        let actors: SmallVec<[Seat; MAX_PLAYERS]> = match on {
            PaymentHook::Win => winners.collect(),
            _ => self.state.in_play().iter().collect(),
        };
        self.with_event(on, wins, happening, |event| {
            let payments = &self.plan.payments;
            if on != PaymentHook::Win {
                payments.run(event, &actors, Some(&mut accounts), settlement);
            }
            if payments.returns(on) {
                payments.give_back(event, &actors, &mut accounts, settlement);
            }
        });
        self.state.accounts = accounts;
    }

    /// An event while the deal goes on.
    fn event<'a>(
        &self,
        on: PaymentHook,
        seats: &'a [Reading<'a>],
        happening: Happening<'a>,
    ) -> PaymentEvent<'a> {
        PaymentEvent {
            on,
            seats,
            players: self.state.players(),
            in_play: self.state.in_play(),
            happening: Happening {
                counters: self.state.on_table.counters,
                ..happening
            },
            tallied: &|_| Tallied::default(),
            won: &[],
        }
    }

    /// Calls `pay` with an event and the hands at the table.
    fn with_event(
        &self,
        on: PaymentHook,
        wins: &[(Seat, Win)],
        happening: Happening<'_>,
        pay: impl FnOnce(&PaymentEvent<'_>),
    ) {
        let plan = &*self.plan;
        if !plan.payments.asks_hands(on) {
            return pay(&self.event(on, &[], happening));
        }
        let hands = self.hands_before(wins);
        let bonus: SmallVec<[Tile; 16]> = self.state.wall.turned().collect();
        let input = |(seat, hand)| {
            let win = wins.iter().find(|(winner, _)| *winner == seat);
            ScoreInput {
                bonus: &bonus,
                ..ScoreInput::new(hand, seat, self.state.round, win.map(|(_, win)| win))
            }
        };
        let inputs: SmallVec<[ScoreInput<'_>; MAX_PLAYERS]> = Seat::all(self.state.players())
            .zip(&hands)
            .map(input)
            .collect();
        let declared = all_declared(&inputs);
        let tiles = (&plan.tiles, self.decomposer.wild());
        let table = |seat| TableFacts::at(&self.state, seat);
        let seats = read_seats(tiles, &inputs, &declared, table);
        pay(&self.event(on, &seats, happening));
    }
}
