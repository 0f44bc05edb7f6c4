//! Which actions are legal on a seat's turn and on a discard.

use super::deal::Deal;
use crate::counts::{Counts, at, nibble};
use crate::decompose::{Holding, ShapeSet};
use crate::hand::Hand;
use crate::meld::{Family, Group, Meld};
use crate::ruleset::{AddedTo, Adjusts, ClaimKind, KongAfterClaim, Ruleset};
use crate::score::ScoreInput;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, Claims, Legal, Passed, Phase, TilelessAction, Turn, Win, Window};
use crate::tile::{Face, Kind, Rank, Suit, Tile};

impl<R: Ruleset> Deal<R> {
    /// The most melds of a hand.
    #[inline]
    fn most_melds(&self) -> usize {
        self.plan.decomposer.grammar().groups()
    }

    /// The size of a hand before it draws. A meld counts as three tiles.
    #[inline]
    pub(super) fn hand_tiles(&self) -> usize {
        self.plan.decomposer.grammar().hand_tiles()
    }

    /// Finds the legal actions of the seat on turn.
    // It writes them in place, because a `Legal` is too large to return by value.
    pub(super) fn find_legal(&mut self, turn: &Turn) {
        let seat = turn.seat;
        let hand = &self.state.hands[seat];
        // The drawn tile is offered as such, and not as a like tile that was held before.
        let (is_held, only) = match turn.drawn.map(Tile::face) {
            Some(Face::Plain(kind)) => {
                let plain = hand.plain(kind);
                (plain > 0, u64::from(plain == 1) << kind.index())
            }
            _ => (turn.drawn.is_some_and(|tile| hand.holds(tile)), 0),
        };
        let drawn = turn.drawn.filter(|_| is_held);
        let mut plain = hand.kinds().difference(KindSet::from_bits(only));
        let mut red_discards = 0;
        if hand.has_reds() {
            for suit in Suit::ALL {
                let five = Kind::number(suit, Rank::FIVE);
                if hand.plain(five) == 0 {
                    plain.remove(five);
                }
                if hand.reds(suit) > u8::from(drawn == Some(Tile::red_five(suit))) {
                    red_discards |= 1 << suit.lane();
                }
            }
        }
        self.legal[seat] = Legal::of_turn(plain, red_discards, drawn);
        if !hand.dead {
            self.find_own_melds(turn, drawn.is_some());
            if self.swaps_tiles && turn.drawn.is_some() {
                self.find_swaps(turn);
            }
        }
        if self.bars_kinds {
            self.forbid_barred(seat);
        }
        self.adjust(seat);
    }

    /// Forbids what barred kinds forbid on a turn.
    #[inline(never)]
    fn forbid_barred(&mut self, seat: Seat) {
        if self.state.missing[seat].is_some() {
            self.do_without_suit(seat);
        }
        if self.has_wild {
            self.keep_wild(seat);
        }
    }

    /// Forbids melds with wild tiles, and to discard one while the seat may discard another tile.
    fn keep_wild(&mut self, seat: Seat) {
        let wild = self.plan.decomposer.wild();
        let legal = &mut self.legal[seat];
        legal.concealed_kongs = legal.concealed_kongs.difference(wild);
        legal.added_kongs = legal.added_kongs.difference(wild);
        legal.lay_pungs = legal.lay_pungs.difference(wild);
        let others = legal.discard_kinds().difference(wild);
        if !others.is_empty() {
            legal.keep_discards(others);
        }
    }

    /// The concealed tiles of a seat that may go into melds: those that are not wild.
    #[inline]
    fn natural_tiles(&self, seat: Seat) -> Counts {
        let mut tiles = *self.state.hands[seat].concealed();
        if self.has_wild {
            for kind in self.plan.decomposer.wild().iter() {
                tiles.set(kind, 0);
            }
        }
        tiles
    }

    /// Forbids melds of the suit that a hand does without. While it holds tiles of that suit, it discards nothing else.
    fn do_without_suit(&mut self, seat: Seat) {
        let useless = self.state.useless(seat);
        let holds = self.state.holds_useless(seat);
        let legal = &mut self.legal[seat];
        legal.concealed_kongs = legal.concealed_kongs.difference(useless);
        legal.added_kongs = legal.added_kongs.difference(useless);
        legal.lay_pungs = legal.lay_pungs.difference(useless);
        if let Some(suit) = self.state.missing[seat] {
            legal.runs[suit.lane()] = ShapeSet::EMPTY;
        }
        if holds {
            legal.keep_discards(useless);
        }
    }

    /// Lets the plan's procedures and then the ruleset change a seat's legal actions, when they may.
    #[inline]
    pub(super) fn adjust(&mut self, seat: Seat) {
        if self.may_adjust(self.adjusts, seat) {
            self.plan.adjust(&self.state, seat, &mut self.legal[seat]);
            if self.may_adjust(self.rules_adjust, seat) {
                self.adjust_by_rules(seat);
            }
            return;
        }
        debug_assert_eq!(self.legal[seat], {
            let mut adjusted = self.legal[seat];
            self.plan.adjust(&self.state, seat, &mut adjusted);
            adjusted
        });
    }

    #[inline]
    fn may_adjust(&self, adjusts: Adjusts, seat: Seat) -> bool {
        match adjusts {
            Adjusts::Never => false,
            Adjusts::ButPlainTurns => !self.state.is_plain_turn(seat),
            Adjusts::Always => true,
        }
    }

    /// Lets the ruleset change a seat's legal actions, and drops those that the table cannot carry out.
    fn adjust_by_rules(&mut self, seat: Seat) {
        let before = self.legal[seat];
        self.rules.adjust(&self.state, seat, &mut self.legal[seat]);
        let mut adjusted = self.legal[seat];
        if adjusted == before {
            return;
        }
        adjusted.retain(|action| before.contains(action) || self.is_possible(seat, action));
        let is_on_turn = matches!(self.state.phase, Phase::Turn(_));
        self.legal[seat] = if is_on_turn && adjusted.is_empty() {
            before
        } else {
            adjusted
        };
    }

    /// True when a seat has the tiles for an action, whatever the rules say. Tiles alone never allow an
    /// announcement.
    fn is_possible(&self, seat: Seat, action: Action) -> bool {
        match &self.state.phase {
            Phase::Turn(turn) if turn.seat == seat => self.is_possible_on_turn(turn, action),
            Phase::Claims(claims) => self.is_possible_claim(seat, claims, action),
            _ => false,
        }
    }

    /// True when a win has a score, so that it can be paid.
    fn scores(&self, seat: Seat, win: &Win) -> bool {
        let has_score = |input: &ScoreInput<'_>| self.rules.has_score(input);
        self.plan.ways().contains(&win.way)
            && self.plan.ask_about_win(&self.state, seat, win, has_score)
    }

    fn is_possible_on_turn(&self, turn: &Turn, action: Action) -> bool {
        let seat = turn.seat;
        let hand = &self.state.hands[seat];
        let decomposer = &self.plan.decomposer;
        let grammar = decomposer.grammar();
        let drawn = turn.drawn.filter(|&tile| hand.holds(tile));
        let held = |tile: Tile| match tile.face() {
            Face::Plain(kind) => usize::from(hand.plain(kind)),
            Face::RedFive(suit) => usize::from(hand.reds(suit)),
            Face::Flower(_) => 0,
        };
        let has_room = hand.melds.len() < self.most_melds() && !hand.dead;
        let (useless, holds_useless) = (self.state.useless(seat), self.state.holds_useless(seat));
        let wild = decomposer.wild();
        let is_wild = |kind: Kind| wild.contains(kind);
        let is_barred = match action {
            Action::ConcealedKong(kind) | Action::LayPung(kind) if is_wild(kind) => true,
            Action::Discard { tile, .. } if tile.kind().is_some_and(is_wild) => {
                !hand.kinds().is_subset(wild)
            }
            Action::LayRun { suit, shape } if self.has_wild => {
                !self.own_runs(seat)[suit.lane()].contains(shape)
            }
            Action::Discard { tile, .. } => {
                holds_useless && !tile.kind().is_some_and(|kind| useless.contains(kind))
            }
            Action::Win => holds_useless,
            Action::ConcealedKong(kind) | Action::LayPung(kind) => useless.contains(kind),
            Action::LayRun { suit, .. } => Some(suit) == self.state.missing[seat],
            _ => false,
        };
        if is_barred {
            return false;
        }
        match action {
            Action::Discard { tile, drawn: true } => drawn == Some(tile),
            Action::Discard { tile, drawn: false } => held(tile) > usize::from(drawn == Some(tile)),
            Action::Win => {
                !hand.dead
                    && drawn.is_some()
                    && !self.is_drawn_barred(turn)
                    && decomposer.completes(hand, None)
                    && self
                        .drawn_win(turn)
                        .is_some_and(|win| self.scores(seat, &win))
            }
            Action::SetAside => {
                let kind = self.plan.play.set_aside;
                kind.is_some_and(|kind| self.may_set_aside(turn, kind))
            }
            Action::TakeJoker { meld } => {
                let takes = self.plan.play.take_jokers && turn.drawn.is_some() && !hand.dead;
                takes && meld < 8 && self.jokers_to_take(seat) >> meld & 1 == 1
            }
            Action::ConcealedKong(kind) => {
                let has_four = grammar.has_kong() && hand.fours().contains(kind);
                has_four && has_room && self.may_make_kong(seat)
            }
            Action::AddedKong(kind) => {
                let of_kind = |meld: &Meld| meld.group == Group::pung(kind) && meld.wild == 0;
                let has_pung = grammar.has_kong() && hand.melds.iter().any(of_kind);
                let has_tile = self.may_be_added(turn).contains(kind);
                has_pung && has_tile && !hand.dead && self.may_make_kong(seat)
            }
            Action::LayPung(kind) => {
                let has_three = hand.concealed().at_least(3).contains(kind);
                has_three && has_room && grammar.has_pung()
            }
            Action::LayRun { suit, shape } => {
                let lane = hand.concealed().lane(suit.lane());
                let has_zero = hand.concealed().get(Kind::ZERO) > 0;
                has_room && grammar.runs_within(lane, has_zero).contains(shape)
            }
            _ => false,
        }
    }

    fn is_possible_claim(&self, seat: Seat, claims: &Claims, action: Action) -> bool {
        let hand = &self.state.hands[seat];
        let Some(kind) = claims.tile.kind() else {
            return action == Action::Pass;
        };
        if seat == claims.from || hand.dead {
            return false;
        }
        let is_wild = self.plan.decomposer.wild().contains(kind);
        let is_barred = is_wild && action != Action::Win || self.state.useless(seat).contains(kind);
        let of_suit = |suit| Some(suit) == self.state.missing[seat];
        if is_barred && action != Action::Pass
            || matches!(action, Action::Chow { suit, .. } if of_suit(suit))
            || action == Action::Win && self.state.holds_useless(seat)
        {
            return false;
        }
        let allows = |claim| self.plan.allows_claim(claim, hand, seat, self.state.round);
        if !ClaimKind::of_meld(action).is_none_or(allows) {
            return false;
        }
        let is_discard = claims.window == Window::Discard;
        let grammar = self.plan.decomposer.grammar();
        let has_room = hand.melds.len() < self.most_melds();
        match action {
            Action::Pass => true,
            Action::Win => {
                let is_shown = !matches!(claims.window, Window::Challenge(_));
                is_shown
                    && self.plan.decomposer.completes(hand, Some(kind))
                    && self.scores(seat, &self.claimed_win(seat, claims))
            }
            Action::Pung { reds } if is_discard && has_room && grammar.has_pung() => {
                reds <= 2 && hand.concealed().get(kind) >= 2 && pungs(hand, kind) >> reds & 1 == 1
            }
            Action::ClaimKong if is_discard && has_room && grammar.has_kong() => {
                hand.concealed().get(kind) == 3 && self.may_make_kong(seat)
            }
            Action::JokerPung { .. } | Action::JokerChow { .. } if is_discard && has_room => {
                let mut found = Legal::default();
                found.allow_joker_melds(kind, self.joker_melds(seat, kind, claims.from));
                found.contains(action)
            }
            Action::Chow { suit, shape, red } if is_discard && has_room => {
                if !self.chows(seat, kind)[suit.lane()].contains(shape) {
                    return false;
                }
                let five = Kind::number(suit, Rank::FIVE);
                let has_five = nibble(grammar.own_shape(shape).mask, five.place()) == 1;
                let puts_five = has_five && kind != five;
                if red {
                    puts_five && kind.suit() == Some(suit) && hand.reds(suit) > 0
                } else {
                    !puts_five || hand.reds(suit) == 0 || hand.plain(five) > 0
                }
            }
            _ => false,
        }
    }

    /// Finds what the seat on turn may do besides discarding. `holds_drawn` is true while the drawn tile is
    /// still concealed.
    #[inline]
    fn find_own_melds(&mut self, turn: &Turn, holds_drawn: bool) {
        let seat = turn.seat;
        let plan = &*self.plan;
        let grammar = plan.decomposer.grammar();
        let hand = &self.state.hands[seat];
        let room = hand.melds.len() < self.most_melds();
        let kongs = match plan.play.kong_after_claim {
            KongAfterClaim::Never => !turn.claimed && turn.drawn.is_some(),
            KongAfterClaim::AfterReplacement => turn.drawn.is_some(),
            KongAfterClaim::Always => true,
        };
        if kongs && grammar.has_kong() {
            let fours = if room { hand.fours() } else { KindSet::EMPTY };
            let added = self.added_kongs(turn);
            // Few hands have any, so the other conditions come second.
            if !fours.union(added).is_empty() && self.may_make_kong(seat) {
                self.legal[seat].concealed_kongs = fours;
                self.legal[seat].added_kongs = added;
            }
        }
        // After a claim only a discard is left, because winning and laying down need a drawn tile.
        // Source: `rulesets/woo.md` §5, §6.1.
        if turn.drawn.is_none() {
            return;
        }
        let hand = &self.state.hands[seat];
        let waited = |kind| self.state.cache.waits[seat].contains(kind);
        let wins = turn.drawn.and_then(Tile::kind).is_some_and(waited)
            && holds_drawn
            && !self.is_drawn_barred(turn)
            && plan.decomposer.completes(hand, None)
            && self
                .drawn_win(turn)
                .is_some_and(|win| self.may_win(seat, &win));
        if wins {
            self.legal[seat].allow(TilelessAction::Win, true);
        }
        let lay_down = plan.play.lay_down;
        if lay_down.is_empty() || !room {
            return;
        }
        if lay_down.contains(Family::Pung) && grammar.has_pung() {
            self.legal[seat].lay_pungs = hand.concealed().at_least(3);
        }
        if !plan.laid_runs.is_empty() && grammar.may_hold_run(hand.kinds()) {
            let runs = self.own_runs(seat);
            self.legal[seat].runs = runs;
        }
    }

    /// True when the seat on turn passed on a win and so may not win with the tile that it drew.
    #[inline]
    fn is_drawn_barred(&self, turn: &Turn) -> bool {
        let furiten = &self.state.furiten;
        furiten.passed[turn.seat] == Passed::InTurn
            && self
                .plan
                .procedures
                .furiten
                .is_some_and(|rules| rules.bars_drawn)
            && turn
                .drawn
                .and_then(Tile::kind)
                .is_some_and(|kind| furiten.missed[turn.seat].contains(kind))
    }

    /// Finds what a seat with a drawn tile may set aside, and the jokers that it may take.
    #[inline(never)]
    fn find_swaps(&mut self, turn: &Turn) {
        let (seat, play) = (turn.seat, &self.plan.play);
        if let Some(kind) = play.set_aside {
            let may = self.may_set_aside(turn, kind);
            self.legal[seat].allow(TilelessAction::SetAside, may);
        }
        if self.plan.play.take_jokers {
            let jokers = self.jokers_to_take(seat);
            self.legal[seat].take_jokers = jokers;
        }
    }

    /// True when the seat on turn may set a tile of a kind aside.
    fn may_set_aside(&self, turn: &Turn, kind: Kind) -> bool {
        let hand = &self.state.hands[turn.seat];
        hand.kinds().contains(kind)
            && !hand.dead
            && !turn.claimed
            && turn.drawn.is_some_and(|drawn| {
                // In riichi the hand does not change, so only the drawn tile may go.
                self.state.riichi[turn.seat].is_none() || drawn.kind() == Some(kind)
            })
            && self.state.wall.has_replacement()
    }

    /// The melds of a seat with a joker in the place of a tile that it holds, one bit each.
    fn jokers_to_take(&self, seat: Seat) -> u8 {
        let hand = &self.state.hands[seat];
        let holds = |meld: &Meld| {
            let stands_for = meld.joker_stands_for();
            stands_for.is_some_and(|kind| hand.kinds().contains(kind))
        };
        let melds = (0..).zip(hand.melds.iter());
        melds.fold(0, |bits, (place, meld)| {
            bits | u8::from(holds(meld)) << place
        })
    }

    /// The concealed runs of each suit that a seat may lay down.
    #[inline]
    fn own_runs(&self, seat: Seat) -> [ShapeSet; 3] {
        let plan = &*self.plan;
        let grammar = plan.decomposer.grammar();
        let tiles = self.natural_tiles(seat);
        let has_zero = tiles.get(Kind::ZERO) > 0;
        Suit::ALL.map(|suit| {
            let within = grammar.runs_within(tiles.lane(suit.lane()), has_zero);
            within.intersection(plan.laid_runs)
        })
    }

    /// The kinds of which a concealed tile may be added to a pung on the table.
    #[inline]
    fn added_kongs(&self, turn: &Turn) -> KindSet {
        let pungs = match self.plan.play.added_to {
            AddedTo::None => KindSet::EMPTY,
            AddedTo::Laid => self.state.cache.laid_pungs[turn.seat],
            AddedTo::Claimed => self.state.cache.open_pungs[turn.seat],
        };
        if pungs.is_empty() {
            return pungs;
        }
        pungs.intersection(self.may_be_added(turn))
    }

    /// The kinds of which the seat on turn has a tile that may go to a pung.
    #[inline]
    fn may_be_added(&self, turn: &Turn) -> KindSet {
        let held = self.state.hands[turn.seat].kinds();
        if self.plan.play.added_when_drawn {
            let drawn = turn.drawn.and_then(Tile::kind);
            return held.intersection(drawn.into_iter().collect());
        }
        held
    }

    /// Updates the sets of pungs after the melds of a seat have changed.
    pub(super) fn note_melds(&mut self, seat: Seat) {
        let melds = &self.state.hands[seat].melds;
        let pungs = |open: bool| -> KindSet {
            melds
                .iter()
                .filter(|meld| {
                    meld.open == open && meld.wild == 0 && meld.group.family() == Family::Pung
                })
                .map(|meld| meld.group.kind())
                .collect()
        };
        self.state.cache.open_pungs[seat] = pungs(true);
        self.state.cache.laid_pungs[seat] = pungs(false);
    }

    /// Finds the legal actions of a seat in an open window.
    pub(super) fn find_claims(&mut self, claims: &Claims, seat: Seat, wins_only: bool) {
        self.legal[seat] = Legal::default();
        if self.state.hands[seat].dead {
            return;
        }
        let (word, may) = match claims.window {
            Window::Discard
            | Window::SetAside(_)
            | Window::AddedKong(_)
            | Window::ConcealedKong(_) => (TilelessAction::Win, self.wins_on(seat, claims)),
            Window::Challenge(_) => {
                let may = self.rules.may_challenge(&self.state, seat, claims.from);
                (TilelessAction::Challenge, may)
            }
            Window::Flower(_) => {
                let may = self.may_win_on_flower(seat, claims.from) && {
                    let win = self.claimed_win(seat, claims);
                    self.may_win(seat, &win)
                };
                (TilelessAction::Win, may)
            }
        };
        self.legal[seat].allow(word, may);
        let (tile, from) = (claims.tile, claims.from);
        if let (Window::Discard, Some(kind), false) = (claims.window, tile.kind(), wins_only) {
            self.find_claimed_melds(seat, kind, from);
        }
    }

    /// True when a seat may have enough flowers to win on one that was laid down.
    pub(super) fn may_win_on_flower(&self, seat: Seat, laid_by: Seat) -> bool {
        let flowers = self.state.hands[seat].flowers.len();
        let beside = flowers - usize::from(seat == laid_by).min(flowers);
        self.plan.score.may_win_on_flower(beside)
    }

    /// True when a seat may win with the tile of a window.
    fn wins_on(&self, seat: Seat, claims: &Claims) -> bool {
        let hand = &self.state.hands[seat];
        let plan = &*self.plan;
        let Some(kind) = claims.tile.kind() else {
            return false;
        };
        let completes = self.state.cache.waits[seat].contains(kind)
            && !self.state.bars_win_off_others(seat, kind)
            && (self.knows_waits || plan.decomposer.completes(hand, Some(kind)));
        let is_form = || match (claims.window, plan.play.rob_concealed_form) {
            (Window::ConcealedKong(_), Some(form)) => {
                let whole = Holding::from(hand).with(kind);
                whole
                    .is_some_and(|whole| plan.decomposer.missing_from_form(form, &whole) == Some(0))
            }
            _ => true,
        };
        completes && is_form() && self.may_win(seat, &self.claimed_win(seat, claims))
    }

    /// True when hands are won in this way, and the ruleset lets the seat win.
    fn may_win(&self, seat: Seat, win: &Win) -> bool {
        self.plan.ways().contains(&win.way) && self.rules.may_win(&self.state, seat, win)
    }

    /// True for a discard that seats may win off but not claim for a meld: the last one, and one after which
    /// the deal is drawn.
    pub(super) fn is_for_wins_only(&self, window: Window) -> bool {
        let last_wins_only = self.plan.play.last_discard_wins_only;
        window == Window::Discard
            && (last_wins_only && self.state.wall.draws_left() == 0
                || self.draw_after_discard().is_some())
    }

    /// Finds the melds for which a seat may claim a discard.
    #[inline]
    fn find_claimed_melds(&mut self, seat: Seat, kind: Kind, from: Seat) {
        let plan = &*self.plan;
        let grammar = plan.decomposer.grammar();
        let hand = &self.state.hands[seat];
        let held = hand.concealed().get(kind);
        let room = hand.melds.len() < self.most_melds();
        if self.bars_kinds && self.is_barred(seat, kind) {
            return;
        }
        if held >= 2 && room && grammar.has_pung() {
            self.legal[seat].pungs = pungs(hand, kind);
        }
        if room && self.melds_jokers {
            let melds = self.joker_melds(seat, kind, from);
            self.legal[seat].allow_joker_melds(kind, melds);
        }
        if grammar.has_kong() && (held == 3 || held == 0) && self.may_make_kong(seat) {
            let is_laid = self.state.cache.laid_pungs[seat].contains(kind);
            debug_assert_eq!(is_laid, self.laid_pung(seat, kind).is_some());
            let may = held == 3 && room || held == 0 && plan.play.claimed_kong_on_laid && is_laid;
            self.legal[seat].allow(TilelessAction::ClaimKong, may);
        }
        if room && self.chow_seats(from).contains(seat) {
            let runs = self.chows(seat, kind);
            self.legal[seat].runs = runs;
            if let (true, Some(suit)) = (self.bars_kinds, self.state.missing[seat]) {
                self.legal[seat].runs[suit.lane()] = ShapeSet::EMPTY;
            }
            self.split_red_runs(seat, kind);
        }
        if self.plan.limits_claims() {
            self.limit_claims(seat);
        }
    }

    /// True when a seat may not claim a kind for a meld: it is wild, or of the suit that the hand does without.
    #[inline(never)]
    fn is_barred(&self, seat: Seat, kind: Kind) -> bool {
        self.plan.decomposer.wild().contains(kind) || self.state.useless(seat).contains(kind)
    }

    /// Forbids the claims for which a seat does not meet the conditions.
    #[inline(never)]
    fn limit_claims(&mut self, seat: Seat) {
        let (hand, legal) = (&self.state.hands[seat], &mut self.legal[seat]);
        let allows = |claim| self.plan.allows_claim(claim, hand, seat, self.state.round);
        if !allows(ClaimKind::Kong) {
            legal.allow(TilelessAction::ClaimKong, false);
        }
        if !allows(ClaimKind::Pung) {
            legal.forbid_pungs();
        }
        if !allows(ClaimKind::Chow) {
            legal.forbid_runs();
        }
    }

    /// The melds with jokers for which a seat may claim a discard, as [`Legal`] has them.
    #[inline(never)]
    fn joker_melds(&self, seat: Seat, kind: Kind, from: Seat) -> u8 {
        let (plan, concealed) = (&*self.plan, self.state.hands[seat].concealed());
        let grammar = plan.decomposer.grammar();
        let jokers = concealed.get(Kind::JOKER);
        let mut melds = 0;
        for number in 1..=plan.play.jokers.pung.min(jokers) {
            if grammar.has_pung() && concealed.get(kind) >= 2 - number {
                melds |= 1 << (number - 1);
            }
        }
        let may_chow = plan.play.jokers.chow.min(jokers) > 0;
        let (Some(suit), true) = (
            kind.suit(),
            may_chow && self.chow_seats(from).contains(seat),
        ) else {
            return melds;
        };
        let in_play = plan.tiles.kinds();
        for place in 0..3_u32 {
            let Some(low) = kind.place().checked_sub(place).filter(|low| *low < 14) else {
                continue;
            };
            let run = [0, 1, 2].map(|step| Kind::at(suit.lane(), low + step));
            if !run.iter().all(|&kind| in_play.contains(kind)) {
                continue;
            }
            let others = run.iter().filter(|&&other| other != kind);
            for (other, is_higher) in others.zip([true, false]) {
                // The higher one is the joker if the hand has the lower one.
                if concealed.get(*other) > 0 {
                    melds |= 1 << Legal::joker_chow_bit(place as u8, is_higher);
                }
            }
        }
        melds
    }

    /// Splits the chows by whether the five beside the claimed tile is red or plain.
    fn split_red_runs(&mut self, seat: Seat, claimed: Kind) {
        let Some(suit) = claimed.suit() else { return };
        let (hand, five) = (&self.state.hands[seat], Kind::number(suit, Rank::FIVE));
        if hand.reds(suit) == 0 || claimed == five {
            return;
        }
        let grammar = self.plan.decomposer.grammar();
        let legal = &mut self.legal[seat];
        let mut with_five = ShapeSet::EMPTY;
        for shape in legal.runs[suit.lane()].iter() {
            if nibble(grammar.own_shape(shape).mask, five.place()) == 1 {
                with_five.insert(shape);
            }
        }
        legal.set_red_runs(suit, with_five);
        if hand.plain(five) == 0 {
            legal.runs[suit.lane()] = legal.runs[suit.lane()].difference(with_five);
        }
    }

    /// The runs that a seat can make with a discard.
    #[inline]
    pub(super) fn chows(&self, seat: Seat, kind: Kind) -> [ShapeSet; 3] {
        let grammar = self.plan.decomposer.grammar();
        let tiles = self.natural_tiles(seat);
        // A claimed number serves its own suit. A claimed zero serves any suit.
        if let Some(suit) = kind.suit() {
            let mut runs = [ShapeSet::EMPTY; 3];
            let with = tiles.lane(suit.lane()) | at(kind.place(), 1);
            let within = grammar.runs_within(with, tiles.get(Kind::ZERO) > 0);
            runs[suit.lane()] = within.intersection(grammar.shapes_with[kind.place() as usize]);
            return runs;
        }
        if kind != Kind::ZERO {
            return [ShapeSet::EMPTY; 3];
        }
        Suit::ALL.map(|suit| {
            let within = grammar.runs_within(tiles.lane(suit.lane()), true);
            within.intersection(grammar.zero_shapes)
        })
    }
}

/// The pungs that two tiles of a hand make with a claimed one: a bit for each number of red fives among the
/// two.
#[inline]
fn pungs(hand: &Hand, kind: Kind) -> u8 {
    let (Some(suit), Some(Rank::FIVE)) = (kind.suit(), kind.rank()) else {
        return 1;
    };
    let (plain, reds) = (hand.plain(kind), hand.reds(suit));
    let fits = |&n: &u8| n <= reds && 2 - n <= plain;
    (0..=2).filter(fits).map(|n| 1 << n).sum()
}
