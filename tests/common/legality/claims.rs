//! What a seat may do with a tile that another one discards, adds, sets aside or lays down.

use super::{Actions, Offer, Offered, Referee, others, say};
use crate::common::complete::Tiles;
use paishan::ruleset::{AbortiveDrawRules, OptionValue};
use paishan::score::ChowFrom;
use paishan::state::{Action, Claims, DealState, DrawSource, MeldTiles, Phase, Way, Window};
use paishan::{Family, Group, Kind, Notation, Rank, Seat, Tile, Wind};

/// True if the deal ends after the last discard, unless somebody wins off it.
fn draws_after_discard(rules: &AbortiveDrawRules, state: &DealState) -> bool {
    let seats = || Seat::all(state.players());
    let kongs = |seat: Seat| {
        let melds = state.hand(seat).melds().iter();
        melds
            .filter(|meld| meld.group().family() == Family::Kong)
            .count()
    };
    let all: usize = seats().map(kongs).sum();
    let discards: Vec<Tile> = state
        .discards()
        .iter()
        .map(|discard| discard.tile)
        .collect();
    let is_wind = |tile: Tile| {
        Wind::ALL
            .iter()
            .any(|wind| tile.kind() == Some(wind.kind()))
    };
    rules.four_riichi && seats().all(|seat| state.riichi(seat).is_some())
        || rules.four_kongs && all >= 4 && seats().all(|seat| kongs(seat) < 4)
        || rules.four_winds
            && all == 0
            && discards.len() == 4
            && is_wind(discards[0])
            && discards.iter().all(|tile| *tile == discards[0])
}

impl Referee<'_> {
    /// Everything that a seat may do with a tile, and whether not winning with it is a pass.
    pub(super) fn on_tile(
        &self,
        state: &DealState,
        seat: Seat,
        offered: &Offered,
    ) -> (Actions, bool) {
        let plan = self.plan;
        let Offered {
            offer, tile, from, ..
        } = *offered;
        let hand = state.hand(seat);
        let mut legal = Vec::new();
        let is_closed = match offer {
            Offer::Aside => {
                let row = plan.play().aside.row_of(tile);
                !tile.is_flower() && !row.is_some_and(|(_, row)| row.rob)
            }
            Offer::AddedKong => !plan.play().rob_added,
            Offer::ConcealedKong => !plan.play().rob_concealed,
            Offer::Turned => !plan.ways().contains(&Way::Turned),
            _ => false,
        };
        let may_be_own = offer == Offer::Turned || offer == Offer::Aside && tile.is_flower();
        let is_asked = seat != from || may_be_own;
        if is_closed || !is_asked || hand.is_dead() || state.out().contains(seat) {
            return (Actions::new(), false);
        }
        let mut waited = false;
        let wins = match tile.kind() {
            _ if offer == Offer::Challenge => false,
            None if seat == from => match state.phase() {
                Phase::Turn(turn)
                | Phase::Claims(Claims {
                    window: Window::Aside(turn),
                    ..
                }) => {
                    let source = self
                        .flowers
                        .iter()
                        .rev()
                        .find(|(flower, _)| *flower == tile);
                    let source = source.map_or(DrawSource::Wall, |(_, source)| *source);
                    self.drawn_win(state, turn, tile, source)
                }
                _ => false,
            },
            None => self.win_off(state, seat, offer, tile, from),
            Some(kind) => {
                let complete = self.is_complete(state, seat, Some(kind))
                    && !self.is_missing(state, seat, kind);
                waited = complete;
                let form = plan
                    .play()
                    .rob_concealed_form
                    .filter(|_| offer == Offer::ConcealedKong);
                let is_form = |form| self.shapes.is_form(form, &Tiles::of(hand).with(kind));
                complete
                    && form.is_none_or(is_form)
                    && !self.is_furiten(state, seat, kind)
                    && self.win_off(state, seat, offer, tile, from)
            }
        };
        let any_wait = plan
            .procedures()
            .furiten
            .is_some_and(|rules| rules.any_wait);
        let counts = matches!(offer, Offer::Discard | Offer::AddedKong | Offer::Aside);
        let passes = wins || any_wait && counts && waited;
        legal.extend(wins.then_some(Action::Win));
        if offer == Offer::Challenge && self.may_challenge(state, seat, from) {
            legal.push(Action::Challenge);
        }
        if let (Offer::Discard, Some(kind)) = (offer, tile.kind()) {
            let bound = state.riichi(seat).is_some() || self.stands(state, seat);
            let is_last = plan.play().last_discard_wins_only && state.wall().draws_left() == 0;
            let draws = plan.procedures().abortive_draws;
            let ends = draws.is_some_and(|rules| draws_after_discard(&rules, state));
            if !(bound || is_last || ends) {
                let melds = self.melds(state, seat, kind, from);
                legal.extend(
                    melds
                        .into_iter()
                        .filter(|meld| self.leaves_discard(state, seat, kind, *meld)),
                );
            }
            let false_win = plan
                .procedures()
                .false_win
                .is_some_and(|rules| rules.playable);
            legal.extend((false_win && !wins).then_some(Action::FalseWin));
        }
        if !legal.is_empty() {
            legal.push(Action::Pass);
        }
        (say(legal), passes)
    }

    pub(super) fn may_challenge(&self, state: &DealState, seat: Seat, owner: Seat) -> bool {
        let Some(rules) = &self.plan.procedures().challenge else {
            return false;
        };
        let melds = state.hand(owner).melds().iter();
        let kongs = melds
            .filter(|meld| meld.group().family() == Family::Kong)
            .count();
        let tiles = Tiles::of(state.hand(seat));
        let waits =
            |form: &usize| Kind::all().any(|kind| self.shapes.is_form(*form, &tiles.with(kind)));
        kongs >= rules.from_kong || rules.waiting_on.iter().any(waits)
    }

    /// Every way to claim a discard for a meld.
    pub(super) fn melds(
        &self,
        state: &DealState,
        seat: Seat,
        discard: Kind,
        from: Seat,
    ) -> Vec<Action> {
        let (plan, hand) = (self.plan, state.hand(seat));
        let mut claims = Vec::new();
        if self.is_barred(state, seat, discard) {
            return claims;
        }
        let room = hand.melds().len() < plan.decomposer().grammar().groups();
        let next = others(state, from).next();
        let may_chow = match plan.play().chow_from {
            ChowFrom::Previous => next == Some(seat),
            ChowFrom::Next => others(state, seat).next() == Some(from),
            ChowFrom::Any => true,
            _ => false,
        };
        let runs = hand
            .melds()
            .iter()
            .filter(|meld| meld.group().family().is_run())
            .count();
        // `when` of `[claims.chow]`, which the plan does not show.
        let may_chow = may_chow && (self.file != "hangzhou" || runs < 2);
        for group in self
            .melds
            .iter()
            .copied()
            .filter(|group| group.contains(discard))
        {
            let family = group.family();
            let laid = hand
                .melds()
                .iter()
                .find(|meld| meld.group() == Group::pung(discard) && !meld.is_open());
            if let (Family::Kong, true, Some(laid)) =
                (family, plan.play().claimed_kong_on_laid, laid)
            {
                let tiles = MeldTiles::from(group).with_reds(laid.reds());
                let tiles = tiles.filter(|_| self.may_kong(state, seat));
                claims.extend(tiles.map(Action::Claim));
            }
            let may = match family {
                Family::Kong => self.may_kong(state, seat),
                Family::Pung | Family::Quint | Family::Sextet => true,
                _ => may_chow,
            };
            // A claim leaves a tile to discard.
            if !may || !room || group.len() > hand.concealed().total() {
                continue;
            }
            let mut own: Vec<Kind> = group.tiles().collect();
            own.remove(
                own.iter()
                    .position(|kind| *kind == discard)
                    .expect("it is in the group"),
            );
            let most = match family {
                Family::Pung => plan.play().wild.claimed.pung,
                Family::Kong => plan.play().wild.claimed.kong,
                Family::Quint => plan.play().wild.claimed.quint,
                Family::Sextet => plan.play().wild.claimed.sextet,
                _ if group.is_consecutive() => plan.play().wild.claimed.chow,
                _ => 0,
            };
            // `when` of `[claims.pung]` and of the others.
            let refuses = plan.options().get("any-exposure") == Some(&OptionValue::from(false));
            if refuses {
                let mut melds = Tiles::of(hand).groups;
                melds.push((discard.index(), group.len() as u8));
                if self.shapes.cards_with(&melds) == 0 {
                    continue;
                }
            }
            claims.extend(
                self.ways_to_lay(state, seat, group, discard, &own, most)
                    .map(Action::Claim),
            );
        }
        claims
    }

    /// The tiles with which a seat can make a group with a discard: each of its own ones plain, red or a joker.
    pub(super) fn ways_to_lay(
        &self,
        state: &DealState,
        seat: Seat,
        group: Group,
        discard: Kind,
        own: &[Kind],
        most_jokers: u8,
    ) -> impl Iterator<Item = MeldTiles> {
        let mut ways: Vec<Vec<Tile>> = vec![Vec::new()];
        for kind in own {
            let mut tiles = Vec::new();
            if !self.is_barred(state, seat, *kind) {
                tiles.push(Tile::plain(*kind));
                let is_five = kind.rank() == Some(Rank::FIVE);
                tiles.extend(kind.suit().filter(|_| is_five).map(Tile::red_five));
            }
            tiles.push(Kind::JOKER.into());
            let with = |way: &Vec<Tile>, tile: &Tile| [way.as_slice(), &[*tile]].concat();
            ways = ways
                .iter()
                .flat_map(|way| tiles.iter().map(move |tile| with(way, tile)))
                .collect();
        }
        let hand = state.hand(seat);
        let number = |way: &[Tile], tile: Tile| way.iter().filter(|other| **other == tile).count();
        ways.retain(|way| {
            let has =
                |tile: &Tile| number(way, *tile) <= hand.tiles().filter(|own| own == tile).count();
            way.iter().all(has) && number(way, Kind::JOKER.into()) <= usize::from(most_jokers)
        });
        let text = move |way: Vec<Tile>| {
            // In a run each tile has its place. In other groups red fives and jokers go first.
            let mut tiles: Vec<Tile> = Vec::new();
            let mut own = way.into_iter();
            let mut has_discard = false;
            for kind in group.tiles() {
                if kind == discard && !has_discard {
                    has_discard = true;
                    tiles.push(kind.into());
                } else {
                    tiles.extend(own.next());
                }
            }
            if !group.family().is_run() {
                tiles.sort_by_key(|tile| (tile.kind() != Some(Kind::JOKER), !tile.is_red()));
            }
            let text = Notation::Ujmj.print(tiles.iter().copied());
            let plain = tiles.iter().copied().eq(group.tiles().map(Tile::from));
            match plain {
                true => MeldTiles::from(group),
                false => text.parse().expect("a meld is read as it is written"),
            }
        };
        ways.into_iter().map(text)
    }

    /// True if a claim leaves a tile that swap-calling does not forbid to discard.
    pub(super) fn leaves_discard(
        &self,
        state: &DealState,
        seat: Seat,
        discard: Kind,
        claim: Action,
    ) -> bool {
        let (Action::Claim(meld), Some(_)) = (claim, self.plan.procedures().swap_call) else {
            return true;
        };
        if meld.group().family() == Family::Kong && self.plan.play().kong_replacement {
            return true;
        }
        let mut rest = Tiles::of(state.hand(seat));
        let mut own: Vec<Kind> = meld.group().tiles().collect();
        own.remove(
            own.iter()
                .position(|kind| *kind == discard)
                .expect("it is claimed"),
        );
        for (place, kind) in own.into_iter().enumerate() {
            let joker = match meld.group().family() {
                Family::Pung => place < usize::from(meld.jokers()),
                _ => meld.joker_stands_for() == Some(kind),
            };
            rest = rest.without(if joker { Kind::JOKER } else { kind });
        }
        let swapped = self.swapped(meld.group(), discard);
        let left = self.discardable(state, seat, &rest);
        left.iter().any(|kind| !swapped.contains(kind))
    }
}
