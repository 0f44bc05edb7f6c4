//! What a seat may do before the first turn and on its own turn.

use super::{Actions, Referee, others, own_discards, say};
use crate::common::complete::Tiles;
use paishan::ruleset::{AbortiveDrawRules, AddedTo, KongAfterClaim, KongInRiichi, WildSwap};
use paishan::score::SettlementRules;
use paishan::state::{Action, DealState, DrawSource, Opening, OpeningChoice, Turn, Way, Win};
use paishan::{Family, Group, Hand, Kind, KindSet, Meld, Rank, Seat, Suit, Tile};
use std::collections::BTreeSet;

fn is_orphan_draw(rules: &AbortiveDrawRules, state: &DealState, turn: &Turn) -> bool {
    let orphans = rules.nine_orphans.unwrap_or_default();
    let held = state.hand(turn.seat).kinds().intersection(orphans);
    let seats = || Seat::all(state.players());
    let melds = seats()
        .map(|seat| state.hand(seat).melds().len() + state.hand(seat).aside().kinds().count());
    rules.nine_orphans.is_some()
        && turn.drawn.is_some()
        && turn.source == DrawSource::Wall
        && melds.sum::<usize>() == 0
        && own_discards(state, turn.seat).is_empty()
        && held.len() >= 9
}

impl Referee<'_> {
    pub(super) fn on_opening(&self, state: &DealState, seat: Seat, opening: &Opening) -> Actions {
        let (plan, mut held) = (self.plan, Tiles::of(state.hand(seat)));
        let step = &plan.opening()[usize::from(opening.step)];
        if opening.choice == OpeningChoice::Show {
            // Only seats that may show their hands are asked.
            return say([Action::Pass, Action::Show]);
        }
        let Some(rules) = step.passes() else {
            let has_suit = |suit: &Suit| {
                plan.tiles()
                    .kinds()
                    .iter()
                    .any(|kind| kind.suit() == Some(*suit))
            };
            return say(Suit::ALL.into_iter().filter(has_suit).map(Action::Missing));
        };
        let number = usize::from(rules.tiles);
        for kind in Kind::all().filter(|kind| !rules.of.contains(*kind)) {
            held.concealed[kind.index()] = 0;
        }
        let of_suit = |suit: Option<Suit>| -> i8 {
            let kinds = Kind::all().filter(|kind| kind.suit() == suit);
            kinds.map(|kind| held.held(kind)).sum()
        };
        let has_many = Suit::ALL
            .into_iter()
            .any(|suit| of_suit(Some(suit)) as usize >= number);
        let mut chosen = state.view(seat).chosen_for_exchange().to_vec();
        let mut legal = Vec::new();
        for kind in Kind::all() {
            chosen.push(kind);
            if self.may_exchange(&held, &chosen, number, rules.same_suit && has_many) {
                legal.push(Action::Exchange(kind));
            }
            chosen.pop();
        }
        say(legal)
    }

    /// True if some choice for the exchange begins with these tiles, which rise.
    pub(super) fn may_exchange(
        &self,
        held: &Tiles,
        chosen: &[Kind],
        number: usize,
        same_suit: bool,
    ) -> bool {
        let count = |kind: &Kind| chosen.iter().filter(|other| *other == kind).count();
        let is_choice = chosen.is_sorted()
            && chosen
                .iter()
                .all(|kind| count(kind) <= held.held(*kind) as usize)
            && (!same_suit
                || chosen
                    .iter()
                    .all(|kind| kind.suit().is_some() && kind.suit() == chosen[0].suit()));
        is_choice
            && (chosen.len() == number
                || Kind::all().any(|kind| {
                    let more = [chosen, &[kind]].concat();
                    self.may_exchange(held, &more, number, same_suit)
                }))
    }

    /// The kinds that a seat may discard by its tiles alone.
    pub(super) fn discardable(&self, state: &DealState, seat: Seat, tiles: &Tiles) -> Vec<Kind> {
        let held: Vec<Kind> = Kind::all().filter(|kind| tiles.held(*kind) > 0).collect();
        let missing = held
            .iter()
            .copied()
            .filter(|kind| self.is_missing(state, seat, *kind));
        let first: Vec<Kind> = missing.collect();
        let pool = if first.is_empty() { held } else { first };
        let natural = pool
            .iter()
            .copied()
            .filter(|kind| !self.shapes.wild.contains(*kind));
        let natural: Vec<Kind> = natural.collect();
        if natural.is_empty() || self.plan.play().wild.discard {
            pool
        } else {
            natural
        }
    }

    /// The kinds that may not be discarded after a claim.
    pub(super) fn swapped(&self, group: Group, claimed: Kind) -> Vec<Kind> {
        let Some(rules) = self.plan.procedures().swap_call else {
            return Vec::new();
        };
        let mut kinds = vec![claimed];
        if let (true, true, Some(suit)) = (rules.other_end, group.is_consecutive(), group.suit()) {
            // The run that the two other tiles make with the kind at their other end.
            let rank = |kind: Kind| kind.rank().map_or(0, Rank::get);
            let mut own: Vec<u8> = group.kinds().map(rank).to_vec();
            own.retain(|other| *other != rank(claimed));
            let ends = [own[0].wrapping_sub(1), own[1] + 1];
            if own[1] - own[0] == 1 {
                let ranks = ends.into_iter().filter_map(Rank::new);
                kinds.extend(ranks.map(|rank| Kind::number(suit, rank)));
            }
        }
        kinds
    }

    /// True if a seat may make one more kong: it is replaced, or it is the fifth and ends the deal.
    pub(super) fn may_kong(&self, state: &DealState, seat: Seat) -> bool {
        let most = self.plan.play().most_kongs.map_or(usize::MAX, usize::from);
        let is_kong = |meld: &&Meld| meld.group().family() == Family::Kong;
        let has_four = |seat: Seat| state.hand(seat).melds().iter().filter(is_kong).count() == 4;
        let draws = self.plan.procedures().abortive_draws;
        let ends = draws.is_some_and(|rules| rules.four_kongs) && others(state, seat).any(has_four);
        !self.plan.play().kong_replacement
            || state.wall().has_replacement() && state.kongs() < most
            || ends && state.wall().draws_left() > 0
    }

    /// True if riichi may be declared with the discard that leaves these tiles.
    pub(super) fn is_riichi(
        &self,
        state: &DealState,
        seat: Seat,
        rest: &Tiles,
        discard: Kind,
    ) -> bool {
        let Some(rules) = self.plan.procedures().riichi else {
            return false;
        };
        let counts_empty = match self.plan.settlement() {
            SettlementRules::Riichi(rules) => rules.empty_waits,
            _ => false,
        };
        if !self.shapes.is_ready(rest) && !counts_empty {
            return false;
        }
        let red = discard.suit().map(Tile::red_five);
        let held = [Some(Tile::plain(discard)), red];
        let taken = held
            .into_iter()
            .flatten()
            .find(|tile| state.hand(seat).holds(*tile));
        let hand = state.hand_before(seat, &Win::drawn(taken.expect("it is held")));
        // A hand that died after the declaration is as ready as it was.
        let hand = if hand.is_dead() {
            let tiles: Vec<Tile> = hand.tiles().collect();
            Hand::try_new(self.plan.tiles(), &tiles, hand.melds(), &[]).expect("it was a hand")
        } else {
            hand
        };
        let asks = |kind: Kind| {
            [Way::Wall, Way::Discard].into_iter().any(|way| {
                let win = Win {
                    way,
                    ..Win::drawn(kind.into())
                };
                self.may_be_won(state, seat, &hand, &win)
            })
        };
        let waits: KindSet = self
            .shapes
            .waits(rest)
            .iter()
            .filter(|kind| asks(*kind))
            .collect();
        let mut discarded = own_discards(state, seat);
        discarded.insert(discard);
        let furiten = self
            .plan
            .procedures()
            .furiten
            .is_some_and(|rules| rules.own_discards);
        !waits.is_empty()
            && (counts_empty || !self.shapes.waits_in_vain(rest, waits))
            && (rules.while_furiten || !furiten || waits.intersection(discarded).is_empty())
    }

    pub(super) fn on_turn(&self, state: &DealState, turn: &Turn) -> Actions {
        let seat = turn.seat;
        let plan = self.plan;
        let hand = state.hand(seat);
        let tiles = Tiles::of(hand);
        let procedures = &plan.procedures();
        let stands = self.stands(state, seat);
        let discarded = !own_discards(state, seat).is_empty();
        let riichi = state.riichi(seat);
        let in_riichi = riichi.is_some_and(|riichi| riichi.accepted);
        // A hand was announced, and its discard comes now.
        let announces = riichi.is_some() && !in_riichi || stands && !discarded;
        let frozen = in_riichi
            || stands && discarded && procedures.fishing.is_some_and(|rules| rules.frozen);
        let drawn = turn.drawn.filter(|tile| hand.holds(*tile));
        let drawn_kind = drawn.and_then(Tile::kind);

        // Discards.
        let mut discards: Vec<(Tile, bool)> = Vec::new();
        let may_discard = self.discardable(state, seat, &tiles);
        for tile in hand.tiles().filter(|tile| !tile.is_flower()) {
            let is_drawn = drawn == Some(tile) && !discards.contains(&(tile, true));
            discards.push((tile, is_drawn));
        }
        let kind_of = |tile: Tile| tile.kind().expect("no flower");
        let without = |kind: Kind| tiles.without(kind);
        if frozen {
            discards.retain(|(_, is_drawn)| *is_drawn);
        } else {
            discards.retain(|(tile, _)| may_discard.contains(&kind_of(*tile)));
            if let Some((group, claimed)) = self.claimed.filter(|_| turn.claimed) {
                let swapped = self.swapped(group, claimed);
                discards.retain(|(tile, _)| !swapped.contains(&kind_of(*tile)));
            }
        }
        let keeps = |keep: &dyn Fn(Kind) -> bool| -> BTreeSet<Kind> {
            let kinds: BTreeSet<Kind> = discards.iter().map(|(tile, _)| kind_of(*tile)).collect();
            kinds.into_iter().filter(|kind| keep(*kind)).collect()
        };
        let ready = |kind: Kind| self.is_ready(state, seat, &without(kind));
        let declares = |kind: Kind| self.is_riichi(state, seat, &without(kind), kind);
        let may_stand =
            procedures.fishing.is_some() && !stands && !discarded && !keeps(&ready).is_empty();
        let may_riichi = procedures.riichi.is_some_and(|rules| {
            riichi.is_none()
                && turn.drawn.is_some()
                && hand.melds().iter().all(|meld| !meld.is_open())
                && state.points(seat) >= rules.points
                && state.wall().draws_left() >= rules.live_tiles
                && !keeps(&declares).is_empty()
        });
        if riichi.is_some() && !in_riichi {
            let kept = keeps(&declares);
            discards.retain(|(tile, _)| kept.contains(&kind_of(*tile)));
        } else if stands && !frozen {
            let kept = keeps(&ready);
            discards.retain(|(tile, _)| kept.contains(&kind_of(*tile)));
        }
        let discards = discards
            .into_iter()
            .map(|(tile, drawn)| Action::Discard { tile, drawn });
        let mut legal: Vec<Action> = discards.collect();
        if hand.is_dead() {
            return say(legal);
        }

        // Wins and announcements.
        let barred = procedures.furiten.is_some_and(|rules| {
            let passed = self.passed[seat.index()];
            rules.bars_drawn
                && !passed.for_good
                && drawn_kind.is_some_and(|kind| passed.kinds.contains(kind))
        });
        let complete = self.is_complete(state, seat, None);
        let wins = !announces
            && !barred
            && complete
            && drawn.is_some_and(|tile| self.drawn_win(state, turn, tile, turn.source));
        let shape = self.shapes.is_complete(&tiles);
        let false_win = procedures.false_win.is_some_and(|rules| rules.playable);
        let draws = procedures.abortive_draws;
        let words = [
            (Action::Win, wins),
            (Action::FalseWin, false_win && !announces && !wins && !shape),
            (Action::Stand, may_stand),
            (Action::Riichi, may_riichi),
            (
                Action::NineOrphans,
                riichi.is_none() && draws.is_some_and(|rules| is_orphan_draw(&rules, state, turn)),
            ),
        ];
        legal.extend(
            words
                .into_iter()
                .filter(|(_, may)| *may)
                .map(|(word, _)| word),
        );
        if announces {
            return say(legal);
        }

        // Kongs.
        let grammar = plan.decomposer().grammar();
        let room = hand.melds().len() < grammar.groups();
        let in_time = match plan.play().kong_after_claim {
            KongAfterClaim::Never => turn.drawn.is_some() && !turn.claimed,
            KongAfterClaim::AfterReplacement => turn.drawn.is_some(),
            _ => true,
        };
        let declares = grammar.has_kong() && plan.play().kong_replacement;
        let may_kong = in_time && declares && self.may_kong(state, seat);
        let free = |kind: Kind| may_kong && !self.is_barred(state, seat, kind);
        for kind in Kind::all().filter(|kind| tiles.held(*kind) > 0 && free(*kind)) {
            let takes = |meld: &Meld| {
                meld.kinds().eq([kind; 3])
                    && match plan.play().added_to {
                        AddedTo::Laid => !meld.is_open(),
                        AddedTo::Claimed => meld.is_open(),
                        _ => false,
                    }
            };
            let is_drawn = drawn_kind == Some(kind);
            let added =
                hand.melds().iter().any(takes) && (is_drawn || !plan.play().added_when_drawn);
            let bound = stands && procedures.fishing.is_some();
            let stays = |added| {
                !bound || !frozen && self.is_ready(state, seat, &tiles.after_kong(kind, added))
            };
            if tiles.held(kind) == 4
                && room
                && self.keeps_waits(turn, &tiles, kind, in_riichi)
                && stays(false)
            {
                legal.push(Action::ConcealedKong(kind));
            }
            if added && !in_riichi && stays(true) {
                legal.push(Action::AddedKong(kind));
            }
        }

        // Tiles that leave the hand otherwise.
        for kind in plan.play().aside.by_choice().iter() {
            let is_drawn = turn.drawn.and_then(Tile::kind) == Some(kind);
            let may = tiles.held(kind) > 0
                && turn.drawn.is_some()
                && !turn.claimed
                && !stands
                && (!in_riichi || is_drawn)
                && state.wall().has_replacement();
            legal.extend(may.then_some(Action::Aside(kind)));
        }
        if stands || in_riichi {
            return say(legal);
        }
        // After a claim something must be left that may be discarded.
        let leaves = |rest: &Tiles| {
            let claim = self.claimed.filter(|_| turn.claimed);
            let swapped = claim.map_or_else(Vec::new, |(group, kind)| self.swapped(group, kind));
            let left = self.discardable(state, seat, rest);
            claim.is_none() || left.iter().any(|kind| !swapped.contains(kind))
        };
        let binds = procedures.swap_call.is_some();
        let in_time = turn.drawn.is_some() || plan.play().wild.swap_after_claim;
        let may_swap = |owner: Seat| match plan.play().wild.swap {
            _ if !in_time => false,
            WildSwap::Own => owner == seat,
            WildSwap::Any => owner == seat || !state.out().contains(owner),
            _ => false,
        };
        for owner in Seat::all(plan.players()).filter(|owner| may_swap(*owner)) {
            for meld in state.hand(owner).melds() {
                let mut places = meld.group().tiles().zip(meld.kinds());
                let stands_for = places.find(|(_, tile)| *tile == Kind::JOKER);
                let may = stands_for.is_some_and(|(kind, _)| {
                    let after = || tiles.without(kind).with(Kind::JOKER);
                    tiles.held(kind) > 0 && (!binds || leaves(&after()))
                });
                legal.extend(may.then(|| Action::Swap(meld.into())));
            }
        }
        if room && turn.drawn.is_some() {
            for group in self
                .melds
                .iter()
                .copied()
                .filter(|group| plan.play().lay_down.contains(group.family()))
            {
                let own: Vec<Kind> = group.tiles().collect();
                let has = own.iter().all(|kind| {
                    let needed = own.iter().filter(|other| *other == kind).count() as i8;
                    tiles.held(*kind) >= needed && !self.is_barred(state, seat, *kind)
                });
                let rest = || {
                    own.iter()
                        .fold(tiles.clone(), |rest, kind| rest.without(*kind))
                };
                if own.len() == 3 && has && (!binds || leaves(&rest())) {
                    legal.push(Action::Lay(group));
                }
            }
        }
        say(legal)
    }

    /// True unless the seat is in riichi and may not declare this concealed kong.
    pub(super) fn keeps_waits(
        &self,
        turn: &Turn,
        tiles: &Tiles,
        kind: Kind,
        in_riichi: bool,
    ) -> bool {
        let Some(rules) = self.plan.procedures().riichi.filter(|_| in_riichi) else {
            return true;
        };
        let before = tiles.without(kind);
        let waits = self.shapes.waits(&before);
        let same = || {
            turn.drawn.and_then(Tile::kind) == Some(kind)
                && self.shapes.waits(&tiles.after_kong(kind, false)) == waits
        };
        match rules.kongs {
            KongInRiichi::SameWaits => same(),
            KongInRiichi::SameShape => {
                let needs = |wait: Kind| self.shapes.needs_pung(kind, &before.with(wait));
                same() && waits.iter().all(needs)
            }
            _ => false,
        }
    }
}
