//! Simultaneous choices of all seats before the first turn: tiles to exchange, and the missing suit.

use super::deal::Deal;
use super::observer::Observer;
use crate::ruleset::{ExchangeRules, Ruleset};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, Event, Opening, OpeningChoice, Phase};
use crate::tile::{Kind, Suit};

impl<R: Ruleset> Deal<R> {
    /// Asks for the choices before the first turn, then begins that turn.
    pub(super) fn open_play(&mut self, observer: &mut dyn Observer) {
        match self.plan.play.exchange {
            Some(_) => self.ask_all(OpeningChoice::Exchange),
            None => self.after_exchange(observer),
        }
    }

    #[inline(never)]
    fn after_exchange(&mut self, observer: &mut dyn Observer) {
        if self.plan.play.missing_suit {
            self.ask_all(OpeningChoice::MissingSuit);
        } else {
            self.start_turn(Seat::EAST, observer);
        }
    }

    fn ask_all(&mut self, choice: OpeningChoice) {
        let opening = Opening::of(choice, self.state.players());
        self.state.phase = Phase::Opening(opening);
        self.find_choices(&opening);
    }

    /// Finds the legal choices of the seats that have not chosen.
    #[inline(never)]
    pub(super) fn find_choices(&mut self, opening: &Opening) {
        for seat in opening.waiting.iter() {
            match (opening.choice, self.plan.play.exchange) {
                (OpeningChoice::Exchange, Some(rules)) => {
                    let kinds = self.exchangeable(seat, opening, &rules);
                    self.legal[seat].begin_exchange(kinds);
                }
                _ => {
                    let lanes = self.plan.tiles.copies();
                    let in_play = |suit: &Suit| lanes.lane(suit.lane()) != 0;
                    let suits = Suit::ALL.into_iter().filter(in_play);
                    self.legal[seat].clear();
                    self.legal[seat].extend(suits.map(Action::Missing));
                }
            }
        }
    }

    /// The kinds of which a seat may choose the next tile for the exchange. Tiles are chosen in tile order, so that
    /// each choice is made in one way. Enough tiles must be left to choose.
    fn exchangeable(&self, seat: Seat, opening: &Opening, rules: &ExchangeRules) -> KindSet {
        let chosen = &opening.chosen[seat].tiles;
        let mut left = *self.state.hands[seat].concealed();
        for &kind in chosen {
            left.try_remove(kind);
        }
        let wanted = u32::from(rules.tiles) - chosen.len() as u32;
        let last = chosen.last().copied();
        let is_after = |kind: &Kind| last.is_none_or(|last| *kind >= last);
        let after: KindSet = left.kinds().iter().filter(is_after).collect();
        let enough = |kinds: KindSet| -> KindSet {
            let from = |first: Kind| kinds.iter().filter(move |kind| *kind >= first);
            let may = |kind: &Kind| left.count_in(from(*kind).collect()) >= wanted;
            kinds.iter().filter(may).collect()
        };
        if !rules.same_suit {
            return enough(after);
        }
        let held = self.state.hands[seat].concealed();
        let of_suit = |suit: &Suit| held.count_in(KindSet::of_lane(suit.lane()));
        if !Suit::ALL
            .iter()
            .any(|suit| of_suit(suit) >= u32::from(rules.tiles))
        {
            // No suit has enough tiles, so any tiles may be exchanged.
            return enough(after);
        }
        let suits: KindSet = match last {
            Some(last) if last.suit().is_some() => KindSet::of_lane(last.lane()),
            _ => KindSet::from_bits(u64::MAX),
        };
        let in_suit = |suit: Suit| enough(after.intersection(KindSet::of_lane(suit.lane())));
        let all = Suit::ALL.into_iter().map(in_suit);
        all.fold(KindSet::EMPTY, KindSet::union).intersection(suits)
    }

    /// Takes the choice of a seat. The last choice carries all of them out.
    #[inline(never)]
    pub(super) fn choose(
        &mut self,
        mut opening: Opening,
        seat: Seat,
        action: Action,
        observer: &mut dyn Observer,
    ) {
        let chosen = &mut opening.chosen[seat];
        match (action, self.plan.play.exchange) {
            (Action::Exchange(kind), Some(rules)) => {
                chosen.tiles.push(kind);
                if chosen.tiles.len() == usize::from(rules.tiles) {
                    opening.waiting.remove(seat);
                }
            }
            (Action::Missing(suit), _) => {
                chosen.suit = Some(suit);
                opening.waiting.remove(seat);
            }
            // Never among the legal actions here.
            _ => {}
        }
        self.state.phase = Phase::Opening(opening);
        if !opening.waiting.is_empty() {
            return self.find_choices(&opening);
        }
        match (opening.choice, self.plan.play.exchange) {
            (OpeningChoice::Exchange, Some(rules)) => self.exchange(&opening, &rules, observer),
            _ => self.declare_suits(&opening, observer),
        }
    }

    fn exchange(&mut self, opening: &Opening, rules: &ExchangeRules, observer: &mut dyn Observer) {
        let players = self.state.players();
        let dice = self.state.wall.dice;
        let gifts = || {
            let all = Seat::all(players).map(|seat| (seat, &opening.chosen[seat].tiles));
            all.flat_map(|(seat, tiles)| tiles.iter().map(move |&kind| (seat, kind)))
        };
        for (seat, kind) in gifts() {
            self.state.hands[seat].take_kind(kind, 1);
        }
        for (seat, kind) in gifts() {
            let to = rules.receiver(seat, &dice, players);
            self.state.hands[to].add(kind.into());
        }
        for seat in Seat::all(players) {
            self.state.cache.missing_floor[seat] = 0;
        }
        self.find_all_waits();
        for (seat, kind) in gifts() {
            let to = rules.receiver(seat, &dice, players);
            let tile = Some(kind.into());
            observer.event(&self.state, &Event::Exchanged { seat, to, tile });
        }
        self.after_exchange(observer);
    }

    fn declare_suits(&mut self, opening: &Opening, observer: &mut dyn Observer) {
        let players = self.state.players();
        for seat in Seat::all(players) {
            self.state.missing[seat] = opening.chosen[seat].suit;
        }
        self.find_all_waits();
        for seat in Seat::all(players) {
            if let Some(suit) = self.state.missing[seat] {
                observer.event(&self.state, &Event::SuitDeclared { seat, suit });
            }
        }
        self.start_turn(Seat::EAST, observer);
    }
}
