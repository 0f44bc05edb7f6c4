//! Simultaneous choices of all seats before the first turn: the steps of `[opening]`.

use super::deal::Deal;
use super::observer::Observer;
use crate::ruleset::opening::OpeningRule;
use crate::ruleset::{PassRules, Ruleset};
use crate::score::{ScoreInput, TableFacts, all_declared, read_seats};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, Event, Opening, Phase, Way, Window};
use crate::tile::{Kind, Suit};

impl<R: Ruleset> Deal<R> {
    /// Lets seats win on the turned tile, where this is a way to win. Then come the steps before the first turn.
    pub(super) fn offer_turned(&mut self, observer: &mut dyn Observer) {
        let is_way = self.plan.ways().contains(&Way::Turned);
        let mut waits = false;
        if let Some(tile) = self.state.turned_tile().filter(|_| is_way) {
            // As after a discard, the window is open in the event whether a seat is asked or not.
            self.open_window(Window::Turned, tile, Seat::EAST);
            waits = self.wait(Window::Turned, tile, Seat::EAST, self.state.in_play());
            observer.event(&self.state, &Event::TurnedOffered { tile });
        }
        if !waits {
            self.open_play(0, observer);
        }
    }

    /// Asks for the choices of the first step from `first` on in which somebody can choose. After the last step the first
    /// turn begins.
    pub(super) fn open_play(&mut self, first: usize, observer: &mut dyn Observer) {
        for place in first..self.plan.opening.len() {
            let choice = self.plan.opening[place].choice();
            let opening = Opening::of(choice, place as u8, self.state.players());
            if self.find_choices(opening) {
                return;
            }
        }
        self.pay_dealt(observer);
        self.start_turn(Seat::EAST, observer);
    }

    /// Asks the seats that have not chosen once more, in a deal that is resumed.
    #[inline(never)]
    pub(super) fn ask_again(&mut self, opening: Opening) {
        if !self.find_choices(opening) {
            // In an imagined deal the seats that were asked may have nothing to choose.
            self.finish_step(&opening, &mut ());
        }
    }

    /// Finds the legal choices of the seats that have not chosen. Seats without a choice are not asked. Returns false if
    /// nobody is asked.
    #[inline(never)]
    fn find_choices(&mut self, mut opening: Opening) -> bool {
        let plan = std::sync::Arc::clone(&self.plan);
        let Some(step) = plan.opening.get(usize::from(opening.step)) else {
            return false;
        };
        for seat in opening.waiting.iter() {
            let legal = &mut self.legal[seat];
            match &step.does {
                OpeningRule::Pass(rules) => {
                    let kinds = self.passable(seat, &opening, rules);
                    match kinds.is_empty() {
                        true => self.legal[seat].clear(),
                        false => self.legal[seat].begin_exchange(kinds),
                    }
                }
                OpeningRule::Choose => {
                    let lanes = plan.tiles.copies();
                    let in_play = |suit: &Suit| lanes.lane(suit.lane()) != 0;
                    let suits = Suit::ALL.into_iter().filter(in_play);
                    legal.clear();
                    legal.extend(suits.map(Action::Missing));
                }
                OpeningRule::Show { when, .. } => {
                    legal.clear();
                    let tiles = (&plan.tiles, plan.decomposer.wild());
                    let input = |seat| {
                        let hand = &self.state.hands[seat];
                        ScoreInput::new(hand, seat, self.state.round, None)
                    };
                    let inputs = Seat::all(plan.players).map(input);
                    let inputs: smallvec::SmallVec<[_; crate::seat::MAX_PLAYERS]> =
                        inputs.collect();
                    let declared = all_declared(&inputs);
                    let readings = read_seats(tiles, &inputs, &declared, |_| TableFacts::default());
                    if readings
                        .get(seat.index())
                        .is_some_and(|hand| when.holds(hand))
                    {
                        self.legal[seat].allow(Action::Pass);
                        self.legal[seat].push(Action::Show);
                    }
                }
            }
            if self.legal[seat].is_empty() {
                opening.waiting.remove(seat);
            }
        }
        self.state.phase = Phase::Opening(opening);
        !opening.waiting.is_empty()
    }

    /// The kinds of which a seat may choose the next tile to pass. Tiles are chosen in tile order, so that each choice is
    /// made in one way. Enough tiles must be left to choose. Empty if all are chosen.
    fn passable(&self, seat: Seat, opening: &Opening, rules: &PassRules) -> KindSet {
        let chosen = &opening.chosen[seat].tiles;
        let mut left = *self.state.hands[seat].concealed();
        for &kind in chosen {
            left.try_remove(kind);
        }
        let held = self.state.hands[seat].concealed();
        let tiles = held.count_in(rules.of).min(rules.tiles.into());
        let wanted = tiles - chosen.len() as u32;
        if wanted == 0 {
            return KindSet::EMPTY;
        }
        let last = chosen.last().copied();
        let is_after = |kind: &Kind| last.is_none_or(|last| *kind >= last);
        let left_of = left.kinds().intersection(rules.of);
        let after: KindSet = left_of.iter().filter(is_after).collect();
        let enough = |kinds: KindSet| -> KindSet {
            let from = |first: Kind| kinds.iter().filter(move |kind| *kind >= first);
            let may = |kind: &Kind| left.count_in(from(*kind).collect()) >= wanted;
            kinds.iter().filter(may).collect()
        };
        if !rules.same_suit {
            return enough(after);
        }
        let of_suit =
            |suit: &Suit| held.count_in(rules.of.intersection(KindSet::of_lane(suit.lane())));
        if !Suit::ALL.iter().any(|suit| of_suit(suit) >= tiles) {
            // No suit has enough tiles, so any tiles may be passed.
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
        match action {
            // The seat is asked once more. If it has chosen all, it has no choice then.
            Action::Exchange(kind) => chosen.tiles.push(kind),
            Action::Missing(suit) => {
                chosen.suit = Some(suit);
                opening.waiting.remove(seat);
            }
            _ => {
                chosen.shows = action == Action::Show;
                opening.waiting.remove(seat);
            }
        }
        if !self.find_choices(opening) {
            self.finish_step(&opening, observer);
        }
    }

    /// Carries the choices of all seats out and goes on.
    fn finish_step(&mut self, opening: &Opening, observer: &mut dyn Observer) {
        let plan = std::sync::Arc::clone(&self.plan);
        let place = usize::from(opening.step);
        match plan.opening.get(place).map(|step| &step.does) {
            Some(OpeningRule::Pass(rules)) => self.pass_tiles(opening, rules, observer),
            Some(OpeningRule::Choose) => self.bar_suits(opening, observer),
            Some(OpeningRule::Show { .. }) => self.show_hands(opening, observer),
            None => {}
        }
        self.open_play(place + 1, observer);
    }

    fn pass_tiles(&mut self, opening: &Opening, rules: &PassRules, observer: &mut dyn Observer) {
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
    }

    fn bar_suits(&mut self, opening: &Opening, observer: &mut dyn Observer) {
        let players = self.state.players();
        let suits = || {
            let seats = Seat::all(players);
            seats.filter_map(|seat| Some((seat, opening.chosen[seat].suit?)))
        };
        for (seat, suit) in suits() {
            self.state.barred[seat] = Some(suit);
        }
        self.find_all_waits();
        for (seat, suit) in suits() {
            observer.event(&self.state, &Event::SuitDeclared { seat, suit });
        }
    }

    /// The hands are shown one after another. Then they are paid.
    fn show_hands(&mut self, opening: &Opening, observer: &mut dyn Observer) {
        let step = opening.step;
        let players = self.state.players();
        let shown = || {
            let seats = Seat::all(players);
            seats.filter(|&seat| opening.chosen[seat].shows)
        };
        for seat in shown() {
            let tiles = *self.state.hands[seat].concealed();
            observer.event(&self.state, &Event::HandShown { seat, step, tiles });
        }
        for seat in shown() {
            self.pay_shown(seat, step, observer);
        }
    }
}
