//! Possible worlds of a seat: everything that it cannot see is shuffled.

use super::opening::Chosen;
use super::{DealState, Passed, Phase, Turn, Window};
use crate::meld::{Group, Meld};
use crate::random::Stream;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::tile::{Kind, Tile};

impl Window {
    fn turn_mut(&mut self) -> Option<&mut Turn> {
        match self {
            Self::Discard | Self::Turned => None,
            Self::Aside(turn)
            | Self::AddedKong(turn)
            | Self::ConcealedKong(turn)
            | Self::Challenge(turn) => Some(turn),
        }
    }
}

impl DealState {
    /// The same deal as `seat` may imagine it. All tiles that the seat cannot see are shuffled: the undrawn
    /// wall, the other hands, and kongs that lie face down. The order in which tiles were drawn is forgotten.
    ///
    /// Answers of other seats to an open claim are forgotten too. Of the seats that are asked, only `seat`
    /// itself stays known. [`Deal::resume`](crate::game::Deal::resume) finds the others again.
    ///
    /// Searching agents sample possible worlds this way ([`View::imagine`](super::View::imagine)). The
    /// crate's own tests use it to show that nothing hidden leaks into a view.
    pub fn imagined_by(&self, seat: Seat, stream: &mut Stream) -> Self {
        let mut state = self.clone();
        // The id follows from the seed, and whoever has it finds a small seed by trying all.
        state.progress.match_id = 0;
        let is_hidden = move |other: &Seat| *other != seat && !self.out.contains(*other);
        let others = || Seat::all(self.players()).filter(is_hidden);
        let places: Vec<usize> = self.wall.unseen().collect();
        let mut unseen: Vec<Tile> = places
            .iter()
            .filter_map(|&place| self.wall.tile_at(place))
            .collect();
        for other in others() {
            let tiles: Vec<Tile> = self.hands[other].tiles().collect();
            for &tile in &tiles {
                state.hands[other].take(tile);
            }
            unseen.extend(tiles);
            let hidden = self.hands[other].melds.iter().filter(|meld| meld.hidden);
            unseen.extend(hidden.flat_map(Meld::tiles));
        }
        for other in others() {
            // What others have passed on is hidden. `Deal::resume` finds the waits again.
            state.furiten.passed[other] = Passed::Nothing;
            state.cache.waits[other] = KindSet::EMPTY;
            state.cache.missing_floor[other] = 0;
        }
        // In an order that the seat knows, so the imagined deal follows from its view and the stream alone.
        unseen.sort_unstable();
        stream.shuffle(&mut unseen);
        for other in others() {
            for meld in state.hands[other]
                .melds
                .iter_mut()
                .filter(|meld| meld.hidden)
            {
                // Take a kind of which all four tiles are unseen, with its own red fives. The true number of
                // red fives would reveal the true kind.
                let all = |kind: &Kind| {
                    let of_kind = unseen.iter().filter(|tile| tile.kind() == Some(*kind));
                    of_kind.count() == 4
                };
                if let Some(kind) = unseen.iter().filter_map(|tile| tile.kind()).find(all) {
                    let is_red = |tile: &&Tile| tile.kind() == Some(kind) && tile.is_red();
                    meld.reds = unseen.iter().filter(is_red).count() as u8;
                    unseen.retain(|tile| tile.kind() != Some(kind));
                    meld.group = Group::kong(kind);
                }
            }
        }
        // A seat that has had a turn holds no tile that must be laid aside.
        for other in others().filter(|&other| self.has_laid_flowers(other)) {
            for _ in 0..self.hands[other].concealed_len() {
                let place = unseen.iter().position(|tile| !self.must_lay(*tile));
                if let Some(tile) = place.map(|place| unseen.swap_remove(place)) {
                    state.hands[other].add(tile);
                }
            }
        }
        for other in others() {
            while state.hands[other].concealed_len() < self.hands[other].concealed_len() {
                let Some(tile) = unseen.pop() else { break };
                state.hands[other].add(tile);
            }
        }
        for &place in &places {
            if let Some(tile) = unseen.pop() {
                state.wall.put(place, tile);
            }
        }
        let mut all: Vec<Tile> = self.wall.tiles().collect();
        all.sort_unstable();
        state.wall.forget_drawn(&all, &places);
        match &mut state.phase {
            Phase::Turn(turn) if turn.seat != seat && turn.drawn.is_some() => {
                // Any tile of the imagined hand stands for the drawn one.
                turn.drawn = state.hands[turn.seat].tiles().next();
            }
            Phase::Opening(opening) => {
                for other in others() {
                    opening.chosen[other] = Chosen::default();
                    opening.waiting.insert(other);
                }
            }
            Phase::Claims(claims) => {
                for other in others() {
                    claims.replies[other] = None;
                    claims.waiting.remove(other);
                    claims.could_win.remove(other);
                }
                if claims.from == seat {
                    return state;
                }
                if let Window::Challenge(_) = claims.window {
                    let kong = state.hands[claims.from].melds.last();
                    claims.tile = kong.map_or(claims.tile, |kong| kong.group.kind().into());
                }
                let shown = claims.tile;
                if let Some(turn) = claims.window.turn_mut() {
                    // Everybody knows the drawn tile only if it is the flower on the table.
                    turn.drawn = turn
                        .drawn
                        .filter(|&drawn| drawn == shown && drawn.is_flower());
                }
            }
            _ => {}
        }
        state
    }

    /// The places of tiles in the wall that no seat can see.
    pub(crate) fn undrawn(&self) -> impl Iterator<Item = usize> + '_ {
        self.wall.unseen()
    }

    /// The kind at a place of the wall. `None` for a flower.
    pub(crate) fn undrawn_kind(&self, place: usize) -> Option<Kind> {
        self.wall.tile_at(place).and_then(Tile::kind)
    }

    /// Swaps a concealed tile of a seat with a tile of the wall, in an imagined deal. A plain five goes before a red one.
    /// Nothing happens if the seat does not have the kind.
    pub(crate) fn swap_with_wall(&mut self, seat: Seat, give: Kind, place: usize) {
        let hand = &mut self.hands[seat];
        let given = hand.tiles().filter(|tile| tile.kind() == Some(give));
        let given = given.min_by_key(|tile| tile.is_red());
        if let (Some(given), Some(taken)) = (given, self.wall.tile_at(place)) {
            hand.take(given);
            hand.add(taken);
            self.wall.put(place, given);
        }
    }

    /// True when a seat has laid down its dealt flowers, which all players can see.
    fn has_laid_flowers(&self, seat: Seat) -> bool {
        let on_turn = match &self.phase {
            Phase::Turn(turn) => Some(turn.seat),
            // Others may win on a flower only when it is the last one that its owner holds.
            Phase::Claims(claims) if !matches!(claims.window, Window::Discard | Window::Turned) => {
                Some(claims.from)
            }
            _ => None,
        };
        !self.late_flowers
            || on_turn == Some(seat)
            || !self.hands[seat].melds.is_empty()
            || self.discards.iter().any(|discard| discard.seat == seat)
    }
}
