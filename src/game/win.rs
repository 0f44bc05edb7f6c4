//! The circumstances of a win: its way and its flags.

use super::deal::Deal;
use crate::aside::AsideId;
use crate::ruleset::Ruleset;
use crate::score::TableFacts;
use crate::seat::Seat;
use crate::state::{Claims, DrawSource, FlagSet, Turn, Way, Win, Window};
use crate::tile::Tile;

impl<R: Ruleset> Deal<R> {
    /// Adds the flags that the table determines to a win.
    fn flagged(&self, seat: Seat, mut win: Win, mut facts: TableFacts) -> Win {
        let plan = &*self.plan;
        if plan.asks_visible_copies {
            facts.visible_copies = self.state.visible_copies(&win);
        }
        let (hand, round) = (&self.state.hands[seat], self.state.round);
        win.flags = plan.flags_at_table(hand, seat, round, &win, facts);
        if !plan.kong_flag.is_some_and(|flag| win.flags.contains(flag)) {
            win.kongs_in_row = 0;
        }
        win
    }

    /// The win with a drawn tile. If the tile is a flower, it was drawn and laid down.
    fn self_drawn_win(&self, turn: &Turn, tile: Tile) -> Win {
        let source = match tile.as_flower() {
            None => turn.source,
            Some(flower) if turn.drawn_for_flower.contains(flower) => {
                let row = self.plan.play.aside.row_of(tile);
                DrawSource::Aside(row.map_or_else(AsideId::default, |(id, _)| id))
            }
            Some(flower) if turn.drawn_for_kong.contains(flower) => DrawSource::Kong,
            // A dealt flower counts as drawn from the wall when it is laid down.
            Some(_) => DrawSource::Wall,
        };
        let win = Win {
            tile,
            way: match source {
                DrawSource::Wall => Way::Wall,
                DrawSource::Kong | DrawSource::Aside(_) => Way::Replacement,
            },
            from: turn.fed_by.filter(|_| source == DrawSource::Kong),
            flags: FlagSet::EMPTY,
            kongs_in_row: turn.kongs_in_row.max(1),
        };
        let facts = TableFacts {
            source: Some(source),
            ..TableFacts::at(&self.state, turn.seat)
        };
        self.flagged(turn.seat, win, facts)
    }

    /// The win with the tile drawn last.
    pub(super) fn drawn_win(&self, turn: Turn) -> Option<Win> {
        Some(self.self_drawn_win(&turn, turn.drawn?))
    }

    /// The win of a seat with the tile of a window.
    pub(super) fn claimed_win(&self, seat: Seat, claims: &Claims) -> Win {
        let (way, concealed) = match claims.window {
            Window::Aside(turn) if seat == claims.from => {
                return self.self_drawn_win(&turn, claims.tile);
            }
            Window::Discard | Window::Aside(_) | Window::Challenge(_) => (Way::Discard, false),
            Window::AddedKong(_) => (Way::RobbedKong, false),
            Window::ConcealedKong(_) => (Way::RobbedKong, true),
            Window::Turned => (Way::Turned, false),
        };
        let win = Win {
            tile: claims.tile,
            way,
            from: Some(claims.from).filter(|_| way != Way::Turned),
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        if claims.tile.is_flower() {
            // Another player's flower is no discard, so no flags about discards apply.
            return win;
        }
        let facts = TableFacts {
            robbed_concealed: concealed,
            kong_discard: claims.window == Window::Discard && self.state.after_kong,
            ..TableFacts::at(&self.state, seat)
        };
        self.flagged(seat, win, facts)
    }
}
