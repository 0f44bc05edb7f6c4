//! The legal actions on a seat's turn and in a window.

use super::deal::Deal;
use crate::counts::{Counts, at};
use crate::decompose::{Holding, ShapeSet};
use crate::hand::Hand;
use crate::meld::{Family, Group};
use crate::ruleset::{AddedTo, Adjusts, ClaimKind, KongAfterClaim, Ruleset};
use crate::score::ScoreInput;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, Claims, MeldTiles, Phase, Turn, Win, Window};
use crate::tile::{Face, Kind, Rank, Suit, Tile};

/// Generates the actions that the rules allow.
pub(super) const BY_RULES: bool = false;

/// Generates the actions that the tiles allow: in any turn of the seat, off any seat, with any win that scores.
const BY_TILES: bool = true;

impl<R: Ruleset> Deal<R> {
    /// The most melds of a hand.
    #[inline]
    fn most_melds(&self) -> usize {
        self.decomposer.grammar().groups()
    }

    /// The size of a hand before it draws. A meld counts as three tiles.
    #[inline]
    pub(super) fn hand_tiles(&self) -> usize {
        self.decomposer.grammar().hand_tiles()
    }

    /// Finds the legal actions of the seat on turn.
    // It writes them in place, because a `Legal` is too large to return by value.
    #[inline(always)]
    pub(super) fn find_legal(&mut self, turn: &Turn) {
        self.find_turn::<BY_RULES>(turn);
        self.adjust(turn.seat, Some(turn));
    }

    #[inline(always)]
    fn find_turn<const TILES_ONLY: bool>(&mut self, turn: &Turn) {
        let seat = turn.seat;
        let hand = &self.state.hands[seat];
        let has_reds = hand.has_reds();
        let is_held = |tile: &Tile| match tile.face() {
            Face::Plain(kind) if !has_reds => hand.kinds().contains(kind),
            _ => hand.holds(*tile),
        };
        let drawn = turn.drawn.filter(is_held);
        // The drawn tile is offered as such, and not as a like tile that was held before.
        let of_drawn = drawn.and_then(Tile::kind).map(KindSet::one);
        let only = of_drawn.unwrap_or_default().difference(hand.pairs());
        let mut plain = hand.kinds().difference(only);
        let mut reds = KindSet::EMPTY;
        if has_reds {
            for suit in Suit::ALL {
                let five = Kind::number(suit, Rank::FIVE);
                if hand.plain(five) <= u8::from(drawn == Some(five.into())) {
                    plain.remove(five);
                }
                if hand.reds(suit) > u8::from(drawn == Some(Tile::red_five(suit))) {
                    reds.insert(five);
                }
            }
        }
        if self.bars_kinds {
            let kept = self.discardable(seat);
            (plain, reds) = (plain.intersection(kept), reds.intersection(kept));
            let is_kept = |tile: &Tile| tile.kind().is_some_and(|kind| kept.contains(kind));
            self.legal[seat].begin_turn(plain, reds, drawn.filter(is_kept));
        } else {
            self.legal[seat].begin_turn(plain, reds, drawn);
        }
        if !hand.dead {
            self.find_own_melds::<TILES_ONLY>(turn, drawn.is_some());
        }
    }

    /// The kinds that a seat may discard where some kinds are barred: its missing suit while it holds tiles of that
    /// suit, and wild tiles only if they may be discarded or it holds nothing else.
    #[inline(never)]
    fn discardable(&self, seat: Seat) -> KindSet {
        let state = &self.state;
        let mut kinds = state.hands[seat].kinds();
        if state.holds_barred(seat) {
            kinds = kinds.intersection(state.barred_kinds(seat));
        }
        let wild = self.decomposer.wild();
        self.plan.play.wild.discardable(kinds, wild)
    }

    /// Kinds that a seat may not put into melds: wild ones, and those of its missing suit.
    #[inline(never)]
    fn barred(&self, seat: Seat) -> KindSet {
        let wild = self.decomposer.wild();
        wild.union(self.state.barred_kinds(seat))
    }

    /// The concealed tiles of a seat that may go into melds.
    #[inline]
    fn meldable(&self, seat: Seat) -> Counts {
        let mut tiles = *self.state.hands[seat].concealed();
        if self.bars_kinds {
            for kind in self.barred(seat).iter() {
                tiles.set(kind, 0);
            }
        }
        tiles
    }

    /// Lets the plan's procedures and then the ruleset change a seat's legal actions, when they may. `turn` is the turn of
    /// the seat. `None` in a window.
    #[inline(always)]
    pub(super) fn adjust(&mut self, seat: Seat, turn: Option<&Turn>) {
        if self.may_adjust(self.adjusts, turn) {
            self.plan
                .adjust(&self.decomposer, &self.state, seat, &mut self.legal[seat]);
            if self.may_adjust(self.rules_adjust, turn) {
                self.adjust_by_rules(seat);
            }
            return;
        }
        debug_assert_eq!(self.legal[seat], {
            let mut adjusted = self.legal[seat].clone();
            self.plan
                .adjust(&self.decomposer, &self.state, seat, &mut adjusted);
            adjusted
        });
    }

    #[inline]
    fn may_adjust(&self, adjusts: Adjusts, turn: Option<&Turn>) -> bool {
        match adjusts {
            Adjusts::Never => false,
            Adjusts::ButPlainTurns => !turn.is_some_and(|turn| self.state.is_plain(turn)),
            Adjusts::Always => true,
        }
    }

    /// Lets the ruleset change a seat's legal actions, and drops those that the table cannot carry out.
    fn adjust_by_rules(&mut self, seat: Seat) {
        let before = self.legal[seat].clone();
        self.rules.adjust(&self.state, seat, &mut self.legal[seat]);
        let mut adjusted = std::mem::take(&mut self.legal[seat]);
        if adjusted.iter().any(|action| !before.contains(action)) {
            match self.state.phase {
                Phase::Turn(turn) if turn.seat == seat => self.find_turn::<BY_TILES>(&turn),
                Phase::Claims(claims) => {
                    if claims.from != seat {
                        self.find_claims::<BY_TILES>(&claims, seat, false);
                    }
                    let is_asked = !self.state.hands[seat].dead;
                    self.legal[seat].set(Action::Pass, is_asked);
                }
                _ => {}
            }
            let possible = std::mem::take(&mut self.legal[seat]);
            adjusted.retain(|action| before.contains(action) || possible.contains(action));
        }
        let is_on_turn = matches!(self.state.phase, Phase::Turn(_));
        self.legal[seat] = match is_on_turn && adjusted.is_empty() {
            true => before,
            false => adjusted,
        };
    }

    /// True when a win has a score and can be paid.
    fn scores(&self, seat: Seat, win: &Win) -> bool {
        let has_score = |input: &ScoreInput<'_>| self.rules.has_score(input);
        self.plan.ways().contains(&win.way)
            && self.plan.ask_about_win(&self.state, seat, win, has_score)
    }

    /// Finds what the seat on turn may do besides discarding. `holds_drawn` is true while the drawn tile is
    /// still concealed.
    #[inline(always)]
    fn find_own_melds<const TILES_ONLY: bool>(&mut self, turn: &Turn, holds_drawn: bool) {
        let seat = turn.seat;
        let hand = &self.state.hands[seat];
        // Few hands can make a kong, so the other conditions come second.
        let cache = &self.state.cache;
        let pungs = cache.laid_pungs[seat].union(cache.open_pungs[seat]);
        let added = pungs.intersection(hand.kinds());
        if !hand.fours().union(added).is_empty() {
            self.find_own_kongs::<TILES_ONLY>(*turn);
        }
        let may_swap = TILES_ONLY || turn.drawn.is_some() || self.plan.play.wild.swap_after_claim;
        if self.swaps_tiles && may_swap {
            self.find_swaps(*turn);
        }
        // After a claim winning and laying down need a drawn tile.
        // Source: `rulesets/woo.md` §5, §6.1.
        if turn.drawn.is_none() && !TILES_ONLY {
            return;
        }
        let plan = &*self.plan;
        let hand = &self.state.hands[seat];
        let may_complete = match TILES_ONLY {
            BY_TILES => !self.state.holds_barred(seat),
            BY_RULES => {
                let waited = |kind| self.state.cache.waits[seat].contains(kind);
                turn.drawn.and_then(Tile::kind).is_some_and(waited)
            }
        };
        let wins = may_complete
            && holds_drawn
            && !self.plan.procedures.bars_drawn(&self.state, turn)
            && self.decomposer.completes(hand, None)
            && self
                .drawn_win(*turn)
                .is_some_and(|win| self.may_win::<TILES_ONLY>(seat, &win));
        if wins {
            self.legal[seat].allow(Action::Win);
        }
        let grammar = self.decomposer.grammar();
        let lay_down = plan.play.lay_down;
        if lay_down.is_empty() && !TILES_ONLY || hand.melds.len() >= self.most_melds() {
            return;
        }
        if (TILES_ONLY || lay_down.contains(Family::Pung)) && grammar.has_pung() {
            let three = self.meldable(seat).at_least(3);
            let pungs = three.iter().map(|kind| Action::Lay(Group::pung(kind)));
            self.legal[seat].extend(pungs);
        }
        let hand = &self.state.hands[seat];
        if (TILES_ONLY || !plan.laid_runs.is_empty()) && grammar.may_hold_run(hand.kinds()) {
            self.find_own_runs::<TILES_ONLY>(seat);
        }
    }

    /// Finds the kongs that the seat on turn may make of its own tiles.
    #[inline(never)]
    fn find_own_kongs<const TILES_ONLY: bool>(&mut self, turn: Turn) {
        let seat = turn.seat;
        let plan = &*self.plan;
        let hand = &self.state.hands[seat];
        let in_time = match plan.play.kong_after_claim {
            KongAfterClaim::Never => !turn.claimed && turn.drawn.is_some(),
            KongAfterClaim::AfterReplacement => turn.drawn.is_some(),
            KongAfterClaim::Always => true,
        };
        let may_declare = plan.play.kong_replacement && self.decomposer.grammar().has_kong();
        if !(TILES_ONLY || in_time) || !may_declare || !self.may_make_kong(seat) {
            return;
        }
        let room = hand.melds.len() < self.most_melds();
        let mut fours = if room { hand.fours() } else { KindSet::EMPTY };
        let mut added = self.added_kongs::<TILES_ONLY>(&turn);
        if self.bars_kinds {
            let barred = self.barred(seat);
            (fours, added) = (fours.difference(barred), added.difference(barred));
        }
        let legal = &mut self.legal[seat];
        legal.extend(fours.iter().map(Action::ConcealedKong));
        legal.extend(added.iter().map(Action::AddedKong));
    }

    /// True when a seat may make a kong: a replacement is left, or the kong ends the deal.
    #[inline]
    fn may_make_kong(&self, seat: Seat) -> bool {
        let state = &self.state;
        if !self.plan.play.kong_replacement {
            return true;
        }
        let most = self.plan.play.most_kongs;
        let has_replacement =
            state.wall.has_replacement() && most.is_none_or(|most| state.kongs < most);
        has_replacement
            || state.wall.draws_left() > 0 && self.plan.procedures.ends_with_kong(state, seat)
    }

    /// Finds what the seat on turn may lay aside, and the wild tiles that it may swap.
    #[inline(never)]
    fn find_swaps(&mut self, turn: Turn) {
        let (seat, play) = (turn.seat, &self.plan.play);
        let held = self.state.hands[seat].kinds();
        for kind in play.aside.by_choice().intersection(held).iter() {
            if self.may_lay_aside(&turn, kind) {
                self.legal[seat].allow(Action::Aside(kind));
            }
        }
        let players = self.state.players();
        for steps in 0..play.wild.swap.owners(players) {
            let owner = seat.after(steps, players);
            if self.state.out.contains(owner) {
                continue;
            }
            let legal = &mut self.legal[seat];
            for meld in self.state.hands[owner].melds.iter() {
                let take = Action::Swap(MeldTiles::from(meld));
                let stands_for = meld.joker_stands_for();
                if stands_for.is_some_and(|kind| held.contains(kind)) && !legal.contains(take) {
                    legal.push(take);
                }
            }
        }
    }

    /// True when the seat on turn may lay aside a tile of a kind that it holds.
    fn may_lay_aside(&self, turn: &Turn, kind: Kind) -> bool {
        let hand = &self.state.hands[turn.seat];
        !hand.dead
            && !turn.claimed
            && turn.drawn.is_some_and(|drawn| {
                // In riichi the hand does not change, so only the drawn tile may go.
                self.state.riichi[turn.seat].is_none() || drawn.kind() == Some(kind)
            })
            && self.state.wall.has_replacement()
    }

    /// Finds the concealed runs that a seat may lay down.
    fn find_own_runs<const TILES_ONLY: bool>(&mut self, seat: Seat) {
        let plan = &*self.plan;
        let grammar = self.decomposer.grammar();
        let tiles = self.meldable(seat);
        let has_zero = tiles.get(Kind::ZERO) > 0;
        for suit in Suit::ALL {
            let within = grammar.runs_within(tiles.lane(suit.lane()), has_zero);
            let runs = match TILES_ONLY {
                BY_TILES => within,
                BY_RULES => within.intersection(plan.laid_runs),
            };
            let groups = runs.iter().map(|run| grammar.own_shape(run).group(suit));
            self.legal[seat].extend(groups.map(Action::Lay));
        }
    }

    /// The kinds of which a concealed tile may be added to a pung on the table.
    fn added_kongs<const TILES_ONLY: bool>(&self, turn: &Turn) -> KindSet {
        let cache = &self.state.cache;
        let (laid, open) = (cache.laid_pungs[turn.seat], cache.open_pungs[turn.seat]);
        let pungs = match self.plan.play.added_to {
            _ if TILES_ONLY => laid.union(open),
            AddedTo::None => KindSet::EMPTY,
            AddedTo::Laid => laid,
            AddedTo::Claimed => open,
        };
        pungs.intersection(self.may_be_added(turn))
    }

    /// The kinds of which the seat on turn has a tile that may be added to a pung.
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
    pub(super) fn find_claims<const TILES_ONLY: bool>(
        &mut self,
        claims: &Claims,
        seat: Seat,
        wins_only: bool,
    ) {
        self.legal[seat].clear();
        if self.state.hands[seat].dead {
            return;
        }
        let (word, may) = match claims.window {
            Window::Challenge(_) => {
                let may = self.rules.may_challenge(&self.state, seat, claims.from);
                (Action::Challenge, may)
            }
            Window::Aside(_) if claims.tile.is_flower() => {
                let may = self.state.may_win_on_flower(&self.plan, seat, claims.from) && {
                    let win = self.claimed_win(seat, claims);
                    self.may_win::<BY_RULES>(seat, &win)
                };
                (Action::Win, may)
            }
            _ => (Action::Win, self.wins_on::<TILES_ONLY>(seat, claims)),
        };
        self.legal[seat].set(word, may);
        let (tile, from) = (claims.tile, claims.from);
        if let (Window::Discard, Some(kind), false) = (claims.window, tile.kind(), wins_only) {
            self.find_claimed_melds::<TILES_ONLY>(seat, kind, from);
        }
    }

    /// True when a seat may win with the tile of a window.
    fn wins_on<const TILES_ONLY: bool>(&self, seat: Seat, claims: &Claims) -> bool {
        let hand = &self.state.hands[seat];
        let plan = &*self.plan;
        let Some(kind) = claims.tile.kind() else {
            return false;
        };
        let completes = match TILES_ONLY {
            BY_TILES => {
                !self.state.holds_barred(seat) && self.decomposer.completes(hand, Some(kind))
            }
            BY_RULES => {
                self.state.cache.waits[seat].contains(kind)
                    && !self.state.bars_win_off_others(seat, kind)
                    && (self.knows_waits || self.decomposer.completes(hand, Some(kind)))
            }
        };
        let is_form = || match (claims.window, plan.play.rob_concealed_form) {
            (Window::ConcealedKong(_), Some(form)) if !TILES_ONLY => {
                let whole = Holding::from(hand).with(kind);
                whole
                    .is_some_and(|whole| self.decomposer.missing_from_form(form, &whole) == Some(0))
            }
            _ => true,
        };
        completes && is_form() && self.may_win::<TILES_ONLY>(seat, &self.claimed_win(seat, claims))
    }

    /// True when hands may be won in this way, and the ruleset lets the seat win.
    fn may_win<const TILES_ONLY: bool>(&self, seat: Seat, win: &Win) -> bool {
        match TILES_ONLY {
            BY_TILES => self.scores(seat, win),
            BY_RULES => {
                self.plan.ways().contains(&win.way) && self.rules.may_win(&self.state, seat, win)
            }
        }
    }

    /// True for a discard that seats may win off but not claim for a meld: the last one, and one after which
    /// the deal is drawn.
    pub(super) fn is_for_wins_only(&self, window: Window) -> bool {
        let last_wins_only = self.plan.play.last_discard_wins_only;
        matches!(window, Window::Discard)
            && (last_wins_only && self.state.wall.draws_left() == 0
                || self.plan.procedures.after_discard(&self.state).is_some())
    }

    /// Finds the melds for which a seat may claim a discard.
    #[inline]
    fn find_claimed_melds<const TILES_ONLY: bool>(&mut self, seat: Seat, kind: Kind, from: Seat) {
        let plan = &*self.plan;
        let grammar = self.decomposer.grammar();
        let hand = &self.state.hands[seat];
        let held = hand.concealed().get(kind);
        let room = hand.melds.len() < self.most_melds();
        if self.bars_kinds && self.barred(seat).contains(kind) {
            return;
        }
        if grammar.has_kong() && (held >= 3 || held == 0) && self.may_make_kong(seat) {
            let laid = match held == 0 && (TILES_ONLY || plan.play.claimed_kong_on_laid) {
                true => hand.laid_pung(kind),
                false => None,
            };
            let reds = match laid {
                Some(place) => Some(self.state.hands[seat].melds[place].reds),
                None if held >= 3 && room => Some(hand.reds_of(kind)),
                None => None,
            };
            if let Some(kong) =
                reds.and_then(|reds| MeldTiles::from(Group::kong(kind)).with_reds(reds))
            {
                self.legal[seat].push(Action::Claim(kong));
            }
        }
        if room {
            if self.unusual_claims {
                self.find_joker_kongs(seat, kind);
                self.find_larger(seat, kind);
            }
            if held >= 2 && self.decomposer.grammar().has_pung() {
                self.find_alike(seat, Group::pung(kind), 0);
            }
            if self.unusual_claims {
                self.find_joker_pungs(seat, kind);
            }
            if TILES_ONLY || self.chow_seats(from).contains(seat) {
                self.find_chows(seat, kind);
            }
        }
        if self.plan.limits_claims() {
            self.limit_claims(seat, kind, from);
        }
        if !self.plan.play.kong_replacement {
            self.keep_a_discard(seat);
        }
    }

    /// Leaves out claims that would take all tiles of the hand: kongs of four tiles of the hand and larger groups can.
    #[inline(never)]
    fn keep_a_discard(&mut self, seat: Seat) {
        let held = self.state.hands[seat].concealed().total();
        self.legal[seat].retain_others(|action| match action {
            Action::Claim(tiles) => tiles.group().len() <= held,
            _ => true,
        });
    }

    /// Finds the claims of a discard for tiles alike with `jokers` jokers, and with each possible number of red fives.
    fn find_alike(&mut self, seat: Seat, group: Group, jokers: u8) {
        let hand = &self.state.hands[seat];
        let (kind, own) = (group.kind(), group.len() as u8 - 1 - jokers);
        let group = MeldTiles::from(group).with_wild((1 << jokers) - 1);
        let legal = &mut self.legal[seat];
        match (kind.suit(), kind.rank()) {
            (Some(_), Some(Rank::FIVE)) if hand.has_reds() => {
                let (plain, reds) = (hand.plain(kind), hand.reds_of(kind));
                let fits = |&n: &u8| n <= reds && own - n <= plain;
                let tiles = (0..=own).filter(fits).filter_map(|n| group.with_reds(n));
                legal.extend(tiles.map(Action::Claim));
            }
            _ => legal.push(Action::Claim(group)),
        }
    }

    /// Finds the kongs of a discard with jokers.
    #[inline(never)]
    fn find_joker_kongs(&mut self, seat: Seat, kind: Kind) {
        if self.decomposer.grammar().has_kong() && self.may_make_kong(seat) {
            self.find_with_jokers(seat, Group::kong(kind));
        }
    }

    /// Finds the groups of more than four tiles alike that a discard makes, with jokers and without.
    #[inline(never)]
    fn find_larger(&mut self, seat: Seat, kind: Kind) {
        let held = usize::from(self.state.hands[seat].concealed().get(kind));
        for family in self.decomposer.grammar().larger() {
            let group = Group::same(family, kind);
            if held + 1 >= group.len() {
                self.find_alike(seat, group, 0);
            }
            self.find_with_jokers(seat, group);
        }
    }

    /// Finds the pungs of a discard with jokers.
    #[inline(never)]
    fn find_joker_pungs(&mut self, seat: Seat, kind: Kind) {
        if self.decomposer.grammar().has_pung() {
            self.find_with_jokers(seat, Group::pung(kind));
        }
    }

    /// Finds the claims of a discard for tiles alike with jokers, as many as may be among them.
    fn find_with_jokers(&mut self, seat: Seat, group: Group) {
        let most = self.plan.play.wild.claimed.most_in(group);
        let concealed = self.state.hands[seat].concealed();
        let held = concealed.get(group.kind());
        for jokers in 1..=most.min(concealed.get(Kind::JOKER)) {
            if held + jokers + 1 >= group.len() as u8 {
                self.find_alike(seat, group, jokers);
            }
        }
    }

    /// Finds the runs that a discard makes: plain ones, those with a red five, those with a joker.
    fn find_chows(&mut self, seat: Seat, kind: Kind) {
        let grammar = self.decomposer.grammar();
        let hand = &self.state.hands[seat];
        let all = self.chows(seat, kind);
        // The red five of the suit, where it may be beside the discard.
        let five = kind.suit().map(|suit| Kind::number(suit, Rank::FIVE));
        let red = five.filter(|&five| five != kind && hand.has_reds() && hand.reds_of(five) > 0);
        let needs_red = red.is_some_and(|five| hand.plain(five) == 0);
        let is_red = |group: Group| red.is_some_and(|five| group.contains(five));
        let legal = &mut self.legal[seat];
        let groups = || {
            Suit::ALL.into_iter().flat_map(move |suit| {
                let runs = all[suit.lane()].iter();
                runs.map(move |run| grammar.own_shape(run).group(suit))
            })
        };
        legal.extend(
            groups()
                .filter(|group| !(needs_red && is_red(*group)))
                .map(Action::claim),
        );
        if red.is_some() {
            let with_red = groups().filter(|group| is_red(*group));
            let tiles = with_red.filter_map(|group| MeldTiles::from(group).with_reds(1));
            legal.extend(tiles.map(Action::Claim));
        }
        if self.unusual_claims {
            self.find_joker_chows(seat, kind);
        }
    }

    /// Finds the runs of three ranks in a row that a discard makes with a joker.
    #[inline(never)]
    fn find_joker_chows(&mut self, seat: Seat, kind: Kind) {
        let hand = &self.state.hands[seat];
        let jokers = hand.concealed().get(Kind::JOKER);
        let (Some(suit), 1..) = (kind.suit(), self.plan.play.wild.claimed.chow.min(jokers)) else {
            return;
        };
        let in_play = self.plan.tiles.kinds();
        let legal = &mut self.legal[seat];
        for with_red in [false, true] {
            // From the run in which the discard is the lowest.
            for place in 0..3_u32 {
                let Some(low) = kind.place().checked_sub(place).filter(|low| *low < 14) else {
                    continue;
                };
                let run = [0, 1, 2].map(|step| Kind::at(suit.lane(), low + step));
                let Some(group) = Group::of(&run) else {
                    continue;
                };
                if !run.iter().all(|&kind| in_play.contains(kind)) {
                    continue;
                }
                for (joker, &stands_for) in run.iter().enumerate() {
                    let mut own = run.iter().filter(|&&own| own != kind && own != stands_for);
                    let Some(&own) = own.next().filter(|_| stands_for != kind) else {
                        continue;
                    };
                    let is_held = match with_red {
                        true => hand.reds_of(own) > 0,
                        false => hand.plain(own) > 0,
                    };
                    let tiles = MeldTiles::from(group).with_wild(1 << joker);
                    if let (true, Some(tiles)) = (is_held, tiles.with_reds(u8::from(with_red))) {
                        legal.push(Action::Claim(tiles));
                    }
                }
            }
        }
    }

    /// Forbids the claims for which a seat does not meet the conditions.
    #[inline(never)]
    fn limit_claims(&mut self, seat: Seat, kind: Kind, from: Seat) {
        let (hand, legal) = (&self.state.hands[seat], &mut self.legal[seat]);
        let (plan, round) = (&*self.plan, self.state.round);
        let counts_forms = plan.counts_forms_left();
        legal.retain_others(|action| {
            let (Some(claim), Action::Claim(tiles)) = (ClaimKind::of_meld(action), action) else {
                return true;
            };
            let forms_left = match counts_forms {
                true => {
                    let mut melds = Hand::new();
                    melds.melds = hand.melds;
                    let is_kong = tiles.group().family() == Family::Kong;
                    match hand.laid_pung(kind).filter(|_| is_kong) {
                        Some(place) => melds.melds[place] = tiles.claimed(kind.into(), from),
                        None => melds.melds.push(tiles.claimed(kind.into(), from)),
                    }
                    self.decomposer.forms_left(&melds)
                }
                false => 0,
            };
            plan.allows_claim(claim, hand, seat, round, forms_left)
        });
    }

    /// The runs that a seat can make with a discard.
    #[inline]
    pub(super) fn chows(&self, seat: Seat, kind: Kind) -> [ShapeSet; 3] {
        let grammar = self.decomposer.grammar();
        let tiles = self.meldable(seat);
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
