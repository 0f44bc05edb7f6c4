//! Which hands are ready or complete, and which complete hands are worth a win.

use super::{Offer, Referee, own_discards};
use crate::common::complete::Tiles;
use paishan::score::{ScoreError, ScoreInput, TableFacts};
use paishan::state::{Announcement, DealState, DrawSource, Turn, Way, Win};
use paishan::{Group, Hand, Kind, KindSet, Meld, Seat, Tile};

impl Referee<'_> {
    pub(super) fn is_missing(&self, state: &DealState, seat: Seat, kind: Kind) -> bool {
        let suit = state.missing_suit(seat);
        suit.is_some() && kind.suit() == suit
    }

    pub(super) fn holds_missing(&self, state: &DealState, seat: Seat, tiles: &Tiles) -> bool {
        Kind::all().any(|kind| tiles.held(kind) > 0 && self.is_missing(state, seat, kind))
    }

    /// True for a kind that goes into no meld.
    pub(super) fn is_barred(&self, state: &DealState, seat: Seat, kind: Kind) -> bool {
        self.shapes.wild.contains(kind) || self.is_missing(state, seat, kind)
    }

    pub(super) fn waits(&self, state: &DealState, seat: Seat, tiles: &Tiles) -> KindSet {
        if self.holds_missing(state, seat, tiles) {
            return KindSet::EMPTY;
        }
        let waits = self.shapes.waits(tiles).iter();
        waits
            .filter(|kind| !self.is_missing(state, seat, *kind))
            .collect()
    }

    pub(super) fn is_ready(&self, state: &DealState, seat: Seat, tiles: &Tiles) -> bool {
        match state.missing_suit(seat) {
            None => self.shapes.is_ready(tiles),
            Some(_) => {
                let waits = self.waits(state, seat, tiles);
                !self.shapes.waits_in_vain(tiles, waits)
            }
        }
    }

    pub(super) fn is_complete(&self, state: &DealState, seat: Seat, last: Option<Kind>) -> bool {
        let hand = state.hand(seat);
        let tiles = Tiles::of(hand);
        let whole = last.map_or_else(|| tiles.clone(), |kind| tiles.with(kind));
        let complete = hand.held_flowers().is_empty() && self.shapes.is_complete(&whole);
        if hand.held_flowers().is_empty()
            && complete
                != self
                    .plan
                    .decomposer_of(state.turned_tile())
                    .completes(hand, last)
        {
            self.fail(|| format!("complete: {complete}, {hand:?} with {last:?}"));
        }
        complete && !self.holds_missing(state, seat, &whole)
    }

    pub(super) fn stands(&self, state: &DealState, seat: Seat) -> bool {
        state.announced(seat) == Some(Announcement::Standing)
    }

    /// True if furiten keeps a seat from winning off others with a kind.
    pub(super) fn is_furiten(&self, state: &DealState, seat: Seat, kind: Kind) -> bool {
        let Some(rules) = self.plan.procedures().furiten else {
            return false;
        };
        let waits = || self.waits(state, seat, &Tiles::of(state.hand(seat)));
        self.passed[seat.index()].kinds.contains(kind)
            || rules.own_discards && !waits().intersection(own_discards(state, seat)).is_empty()
    }

    /// True if `[win]` does not refuse a win, whatever it is worth.
    pub(super) fn may_be_won(&self, state: &DealState, seat: Seat, hand: &Hand, win: &Win) -> bool {
        let plan = self.plan;
        let (melds, aside, round) = (hand.melds(), hand.aside(), state.round());
        let requires = plan.check_win(melds, aside, seat, round, win).is_ok();
        let bonus: Vec<Tile> = state.wall().turned().collect();
        let input = ScoreInput {
            bonus: &bonus,
            ..ScoreInput::new(hand, seat, state.round(), Some(win))
        };
        requires && !matches!(self.rules.score_hand(&input), Err(ScoreError::NotAWin))
    }

    /// Other copies of a winning tile that everybody sees.
    pub(super) fn visible(&self, state: &DealState, win: &Win) -> usize {
        let seats = || Seat::all(state.players());
        let mut seen: Vec<Kind> = Vec::new();
        let loose = state.discards().iter().filter(|discard| !discard.claimed);
        seen.extend(loose.filter_map(|discard| discard.tile.kind()));
        seen.extend(
            state
                .wall()
                .turned()
                .chain(state.robbed().iter().copied())
                .filter_map(Tile::kind),
        );
        for seat in seats() {
            let hand = state.hand(seat);
            seen.extend(
                hand.melds()
                    .iter()
                    .filter(|meld| meld.is_open())
                    .flat_map(|meld| meld.kinds()),
            );
            seen.extend(hand.aside().kinds());
            if state.out().contains(seat) {
                seen.extend(hand.tiles().filter_map(Tile::kind));
            }
        }
        let robs_open = seats().any(|seat| {
            let kong = |meld: &Meld| {
                meld.is_open() && win.tile.kind().map(Group::kong) == Some(meld.group())
            };
            state.hand(seat).melds().iter().any(kong)
        });
        let is_shown = matches!(win.way, Way::Discard | Way::Turned);
        let counts_itself = is_shown || win.way == Way::RobbedKong && robs_open;
        let copies = seen
            .iter()
            .filter(|kind| Some(**kind) == win.tile.kind())
            .count();
        copies.saturating_sub(usize::from(counts_itself && win.tile.kind().is_some()))
    }

    /// What the table knows of a win.
    pub(super) fn facts(&self, state: &DealState, seat: Seat, win: &Win) -> TableFacts {
        let riichi = state.riichi(seat).filter(|riichi| riichi.accepted);
        let seats = || Seat::all(state.players());
        let mut facts = TableFacts::default();
        facts.visible_copies = self.visible(state, win);
        facts.draws_left = state.wall().draws_left();
        facts.discards = state.discards().len();
        facts.kongs = state.kongs();
        facts.asides = seats().map(|seat| state.hand(seat).aside().len()).sum();
        facts.stands = self.stands(state, seat);
        facts.in_riichi = riichi.is_some();
        facts.riichi_at_once = riichi.is_some_and(|riichi| riichi.at_once);
        facts.riichi_unbroken = riichi.is_some_and(|riichi| riichi.unbroken);
        facts.has_discarded = !own_discards(state, seat).is_empty();
        facts.claims = state
            .discards()
            .iter()
            .filter(|discard| discard.claimed)
            .count();
        facts
    }

    /// True if a win counts once its flags are set.
    pub(super) fn counts(
        &self,
        state: &DealState,
        seat: Seat,
        mut win: Win,
        facts: TableFacts,
    ) -> bool {
        let hand = state.hand_before(seat, &win);
        let whole = state.hand(seat);
        win.flags = self
            .plan
            .flags_at_table(whole, seat, state.round(), &win, facts);
        if !self
            .plan
            .kong_flag()
            .is_some_and(|flag| win.flags.contains(flag))
        {
            win.kongs_in_row = 0;
        }
        self.is_worth(state, seat, &hand, &win)
    }

    pub(super) fn is_worth(&self, state: &DealState, seat: Seat, hand: &Hand, win: &Win) -> bool {
        let plan = self.plan;
        let (melds, aside, round) = (hand.melds(), hand.aside(), state.round());
        if plan.check_win(melds, aside, seat, round, win).is_err() {
            return false;
        }
        let bonus: Vec<Tile> = state.wall().turned().collect();
        let input = ScoreInput {
            bonus: &bonus,
            counters: state.on_table().counters,
            ..ScoreInput::new(hand, seat, state.round(), Some(win))
        };
        match self.rules.score_hand(&input) {
            Ok(_) => true,
            Err(ScoreError::BelowMinimum(_) | ScoreError::NotAWin) => false,
            Err(error) => {
                self.fail(|| format!("{seat} wins with {hand:?}: {error}"));
                false
            }
        }
    }

    pub(super) fn drawn_win(
        &self,
        state: &DealState,
        turn: &Turn,
        tile: Tile,
        source: DrawSource,
    ) -> bool {
        let (seat, way) = match source {
            DrawSource::Wall => (turn.seat, Way::Wall),
            _ => (turn.seat, Way::Replacement),
        };
        let win = Win {
            way,
            from: turn.fed_by.filter(|_| source == DrawSource::Kong),
            kongs_in_row: turn.kongs_in_row.max(1),
            ..Win::drawn(tile)
        };
        let mut facts = self.facts(state, seat, &win);
        facts.source = Some(source);
        self.counts(state, seat, win, facts)
    }

    pub(super) fn win_off(
        &self,
        state: &DealState,
        seat: Seat,
        offer: Offer,
        tile: Tile,
        from: Seat,
    ) -> bool {
        let win = Win {
            way: match offer {
                Offer::AddedKong | Offer::ConcealedKong => Way::RobbedKong,
                Offer::Turned => Way::Turned,
                _ => Way::Discard,
            },
            from: Some(from).filter(|_| offer != Offer::Turned),
            ..Win::drawn(tile)
        };
        if tile.is_flower() {
            return self.is_worth(state, seat, &state.hand_before(seat, &win), &win);
        }
        let mut facts = self.facts(state, seat, &win);
        facts.robbed_concealed = offer == Offer::ConcealedKong;
        facts.kong_discard = offer == Offer::Discard && self.after_kong;
        self.counts(state, seat, win, facts)
    }
}
