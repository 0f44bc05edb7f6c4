//! A table as an SVG picture: hands, melds with the claimed tile turned, rivers or a sorted pile, the wall with its break and
//! dead wall, indicators.

use super::svg::{GAP, HEIGHT, WIDTH, id, push, sheet};
use super::{Piece, meld_pieces};
use crate::decimal::Number;
use crate::meld::Meld;
use crate::seat::Seat;
use crate::state::{DealState, View};
use crate::text::escaped;
use crate::wall::WallRules;

/// How discards lie on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum DiscardLayout {
    /// In front of each player, in the order of play. Claimed tiles are missing.
    #[default]
    Rivers,
    /// All in one pile, sorted and stacked two high. Source: `rulesets/uzje.md` §7.
    SortedPile,
}

/// A table to be drawn: what one seat sees, or everything.
///
/// ```
/// use paishan::draw::Scene;
/// use paishan::{Match, Rules, Seat};
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let deal = Match::new(&rules, 7).start_deal();
/// let scene = Scene::of_view(&deal.state().view(Seat::EAST), rules.plan().wall());
/// let picture = scene.names(["Anna", "Bo", "Chen", "Dee"]).svg();
/// assert!(picture.starts_with("<svg ") && picture.contains("Chen"));
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
#[derive(Clone)]
pub struct Scene<'a> {
    state: &'a DealState,
    rules: &'a WallRules,
    /// The seat whose view it is. `None` shows everything.
    viewer: Option<Seat>,
    bottom: Seat,
    layout: DiscardLayout,
    /// Names by player.
    names: Vec<String>,
    per_point: i64,
}

/// A part of the picture of a table. Concatenated in their order, parts are the content of the picture.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ScenePart {
    /// The steps from the bottom of the picture to the player whose part it is, counted in turn order. `None` for what
    /// belongs to no player.
    pub place: Option<usize>,
    /// The elements. They refer to a [`sheet`]. Tiles that only their owner sees have the class `own`.
    pub svg: String,
}

/// Half the widest row of a player: hand and melds.
const HALF_ROW: usize = 350;
/// Half the width of a river.
const HALF_RIVER: usize = 100;
/// The height of the first three rows of a river and of a long one.
const RIVER: usize = 180;
/// The width of a stack of the wall.
const STACK: usize = 20;
/// Rows of tiles in a river before the last one, which takes all that follow.
const RIVER_ROWS: usize = 3;
const IN_RIVER_ROW: usize = 6;
/// Stacks of a sorted pile side by side.
const IN_PILE_ROW: usize = 16;

/// 1000 times the cotangent of half the angle between two neighbours, by players.
const COTANGENT: [usize; 7] = [0, 0, 0, 577, 1000, 1376, 1732];
/// 1000 times sine and cosine of the angle between two neighbours and its multiples, by players.
const TURNS: [&[(usize, usize)]; 7] = [
    &[(0, 1000)],
    &[(0, 1000)],
    &[(0, 1000)],
    &[(0, 1000), (866, 500)],
    &[(0, 1000), (1000, 0)],
    &[(0, 1000), (951, 309), (588, 809)],
    &[(0, 1000), (866, 500)],
];

/// Puts a piece at a place. A step is the half of a pixel.
fn put(out: &mut String, piece: Piece, (x, y): (i64, i64), class: &str) {
    let id = id(piece);
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    match piece {
        Piece::Turned(_) => {
            // It lies on its side, with its foot in line with the others.
            let y = y + HEIGHT as i64;
            push(
                out,
                format_args!(
                    "<use href=\"#{id}\"{class} transform=\"translate({x} {y}) rotate(-90)\"/>"
                ),
            );
        }
        _ => push(
            out,
            format_args!("<use href=\"#{id}\"{class} x=\"{x}\" y=\"{y}\"/>"),
        ),
    }
}

fn width(piece: Piece) -> i64 {
    let width = match piece {
        Piece::Turned(_) => HEIGHT,
        _ => WIDTH,
    };
    (width + 2) as i64
}

/// Puts pieces side by side. Returns the place behind the last one.
fn row(out: &mut String, pieces: &[Piece], (mut x, y): (i64, i64), class: &str) -> i64 {
    for &piece in pieces {
        put(out, piece, (x, y), class);
        x += width(piece);
    }
    x
}

/// The pieces of a declared meld of a seat: the claimed tile is turned, and its place says from whom it came: from the
/// player before at the left end, from the next player at the right end, from another one between.
fn turned(meld: &Meld, seat: Seat, players: usize) -> Vec<Piece> {
    let mut pieces = meld_pieces(Some(meld));
    let (Some(tile), Some(from)) = (meld.claimed_tile(), meld.claimed_from()) else {
        return pieces;
    };
    let Some(place) = pieces.iter().position(|piece| *piece == Piece::Up(tile)) else {
        return pieces;
    };
    pieces.remove(place);
    let place = match from.steps_from(seat, players) {
        1 => pieces.len(),
        steps if steps + 1 == players => 0,
        _ => 1,
    };
    pieces.insert(place, Piece::Turned(tile));
    pieces
}

impl<'a> Scene<'a> {
    fn new(state: &'a DealState, rules: &'a WallRules, viewer: Option<Seat>) -> Self {
        Self {
            state,
            rules,
            viewer,
            bottom: viewer.unwrap_or(Seat::EAST),
            layout: DiscardLayout::Rivers,
            names: Vec::new(),
            per_point: 1,
        }
    }

    /// The table as a seat sees it. That seat is at the bottom. `rules` are those of the wall ([`Plan::wall`]).
    ///
    /// [`Plan::wall`]: crate::ruleset::Plan::wall
    pub fn of_view(view: &View<'a>, rules: &'a WallRules) -> Self {
        Self::new(view.state(), rules, Some(view.seat()))
    }

    /// The table with all hands shown, the dealer at the bottom.
    pub fn of_state(state: &'a DealState, rules: &'a WallRules) -> Self {
        Self::new(state, rules, None)
    }

    /// The same with another seat at the bottom.
    #[must_use]
    pub fn from_seat(mut self, seat: Seat) -> Self {
        self.bottom = seat;
        self
    }

    /// The same with another layout of discards.
    #[must_use]
    pub fn discards(mut self, layout: DiscardLayout) -> Self {
        self.layout = layout;
        self
    }

    /// The same with names of the players, in player order.
    #[must_use]
    pub fn names<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.names = names.into_iter().map(T::into).collect();
        self
    }

    /// The same with totals in points: so many of the least unit make one
    /// ([`Plan::units_per_point`](crate::Plan::units_per_point)).
    #[must_use]
    pub fn units_per_point(mut self, units: i64) -> Self {
        self.per_point = units;
        self
    }

    fn players(&self) -> usize {
        self.state.players()
    }

    fn cotangent(&self) -> usize {
        COTANGENT[self.players().min(6)]
    }

    /// How far rivers, walls and hands are from the middle.
    fn distances(&self) -> (usize, usize, usize) {
        let river = (HALF_RIVER * self.cotangent() / 1000 + 10).max(100);
        let lengths = self.lengths();
        let half_wall = lengths.iter().max().copied().unwrap_or(0) * STACK / 2;
        let wall = (river + RIVER + 8).max(half_wall * self.cotangent() / 1000 + 8);
        let hand = (wall + 42).max((HALF_ROW + 12) * self.cotangent() / 1000);
        (river, wall, hand)
    }

    fn lengths(&self) -> Vec<usize> {
        let tiles = self.state.wall().tiles().len();
        self.rules
            .lengths(tiles, self.players(), self.state.dealer())
    }

    /// Half the width and half the height of the picture.
    pub fn half_size(&self) -> (usize, usize) {
        let (_, _, hand) = self.distances();
        let far = hand + 42 + 58;
        let turns = TURNS[self.players().min(6)];
        let most = |of: fn((usize, usize), usize) -> usize| {
            turns.iter().map(|turn| of(*turn, far)).max().unwrap_or(far)
        };
        (
            most(|(sine, cosine), far| (far * sine + HALF_ROW * cosine) / 1000),
            most(|(sine, cosine), far| (far * cosine + HALF_ROW * sine) / 1000),
        )
    }

    /// The view box of the picture.
    pub fn view_box(&self) -> String {
        let (x, y) = self.half_size();
        format!("-{x} -{y} {} {}", 2 * x, 2 * y)
    }

    /// The view box of the concealed tiles of the player at the bottom, to show them larger.
    pub fn hand_box(&self) -> String {
        let (_, _, y) = self.distances();
        format!(
            "-{} {} {} 46",
            HALF_ROW + 2,
            y - 2,
            15 * (WIDTH + 2) / 2 + 4
        )
    }

    /// Every piece that is drawn, for a [`sheet`].
    pub fn pieces(&self) -> Vec<Piece> {
        let mut all = vec![Piece::Down];
        let state = self.state;
        for seat in Seat::all(self.players()) {
            let hand = state.hand(seat);
            all.extend(hand.tiles().map(Piece::Up));
            all.extend(
                hand.melds
                    .iter()
                    .flat_map(|meld| meld.tiles().map(Piece::Up)),
            );
            all.extend(hand.aside.tiles().map(Piece::Up));
        }
        all.extend(
            state
                .discards()
                .iter()
                .map(|discard| Piece::Up(discard.tile)),
        );
        all.extend(state.wall().turned().map(Piece::Up));
        all.extend(state.turned().iter().map(|turned| Piece::Up(turned.tile)));
        all
    }

    /// The picture in one SVG file. Only names and numbers are text, all of it escaped.
    pub fn svg(&self) -> String {
        let (x, y) = self.half_size();
        let body: String = self.parts().into_iter().map(|part| part.svg).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"{}\">\n{}{body}</svg>\n",
            2 * x,
            2 * y,
            self.view_box(),
            sheet(self.pieces())
        )
    }

    /// The parts of the picture: what lies in the middle, then for each player from the bottom on in turn order the wall, the
    /// river, the hand, the melds, and the name. Their number depends on the number of players alone.
    pub fn parts(&self) -> Vec<ScenePart> {
        let players = self.players();
        let mut parts = vec![ScenePart {
            place: None,
            svg: self.middle(),
        }];
        let walls = self
            .rules
            .stacks(self.state.wall(), players, self.state.dealer());
        for place in 0..players {
            let seat = self.bottom.after(place, players);
            let turn = 360 * place / players;
            let wall = walls
                .get(seat.index())
                .map(Vec::as_slice)
                .unwrap_or_default();
            for svg in [
                self.wall(wall),
                self.river(seat),
                self.hand(seat),
                self.melds(seat),
                self.name(seat, 2 * place == players),
            ] {
                parts.push(ScenePart {
                    place: Some(place),
                    svg: format!("<g transform=\"rotate(-{turn})\">{svg}</g>\n"),
                });
            }
        }
        parts
    }

    /// True if the picture shows the concealed tiles of a seat.
    fn shows(&self, seat: Seat) -> bool {
        self.viewer.is_none_or(|viewer| viewer == seat) || self.state.out().contains(seat)
    }

    fn hand(&self, seat: Seat) -> String {
        let (_, _, y) = self.distances();
        let hand = self.state.hand(seat);
        let drawn = self
            .state
            .view(seat)
            .drawn()
            .filter(|tile| hand.holds(*tile));
        let mut pieces: Vec<Piece> = hand.tiles().map(Piece::Up).collect();
        // The tile just drawn lies beside the others.
        let last = drawn.and_then(|tile| {
            let place = pieces.iter().position(|piece| *piece == Piece::Up(tile))?;
            Some(pieces.remove(place))
        });
        let is_shown = self.shows(seat);
        let shown = |piece: Piece| if is_shown { piece } else { Piece::Down };
        let class = if self.state.out().contains(seat) {
            ""
        } else {
            "own"
        };
        let pieces: Vec<Piece> = pieces.into_iter().map(shown).collect();
        let mut out = format!("<g transform=\"translate(-{HALF_ROW} {y}) scale(.5)\">");
        let x = row(&mut out, &pieces, (0, 0), class);
        if let Some(last) = last {
            put(&mut out, shown(last), (x + 4 * GAP as i64, 0), class);
        }
        out.push_str("</g>");
        out
    }

    fn melds(&self, seat: Seat) -> String {
        let (_, _, y) = self.distances();
        let hand = self.state.hand(seat);
        let right = 2 * HALF_ROW as i64;
        let mut out = format!("<g transform=\"translate({HALF_ROW} {y}) scale(.5)\">");
        // From the right, the first meld outside.
        let mut x = 0;
        for meld in hand.melds.iter() {
            let is_seen = !meld.is_face_down() || self.shows(seat);
            let pieces = match is_seen {
                true => turned(meld, seat, self.players()),
                false => meld_pieces(None),
            };
            x -= pieces.iter().map(|piece| width(*piece)).sum::<i64>();
            let class = if meld.is_face_down() { "own" } else { "" };
            row(&mut out, &pieces, (x, 0), class);
            // A tile that was added lies across the one that was claimed.
            x -= 2 * GAP as i64;
        }
        let beside: Vec<Piece> = hand.aside.tiles().map(Piece::Up).collect();
        let wide: i64 = beside.iter().map(|piece| width(*piece)).sum();
        let start = (-wide).max(-2 * right);
        row(&mut out, &beside, (start, HEIGHT as i64 + 8), "");
        out.push_str("</g>");
        out
    }

    fn river(&self, seat: Seat) -> String {
        let (y, _, _) = self.distances();
        if self.layout == DiscardLayout::SortedPile {
            return String::new();
        }
        let riichi = self
            .state
            .riichi(seat)
            .map(|riichi| usize::from(riichi.discard));
        // The tile of a riichi lies turned. If it was claimed, the next one does.
        let mut is_due = false;
        let mut pieces = Vec::new();
        for (place, discard) in self.state.discards().iter().enumerate() {
            if discard.seat != seat {
                continue;
            }
            is_due |= riichi == Some(place);
            if discard.claimed {
                continue;
            }
            pieces.push(match is_due {
                true => Piece::Turned(discard.tile),
                false => Piece::Up(discard.tile),
            });
            is_due = false;
        }
        let mut out = format!("<g transform=\"translate(-{HALF_RIVER} {y}) scale(.5)\">");
        let whole = RIVER_ROWS * IN_RIVER_ROW;
        let (rows, last) = pieces.split_at(pieces.len().min(whole));
        let rows = rows.chunks(IN_RIVER_ROW);
        for (place, pieces) in (0..).zip(rows) {
            row(&mut out, pieces, (0, place * (HEIGHT as i64 + 4)), "");
        }
        row(
            &mut out,
            last,
            (0, RIVER_ROWS as i64 * (HEIGHT as i64 + 4)),
            "",
        );
        out.push_str("</g>");
        out
    }

    fn wall(&self, stacks: &[crate::wall::WallStack]) -> String {
        let (_, y, _) = self.distances();
        let half = stacks.len() * STACK / 2;
        let mut out = format!("<g transform=\"translate({half} {y})\">");
        for (place, stack) in (1..).zip(stacks) {
            let x = -(place * STACK as i64);
            // The right end comes first.
            if stack.is_first {
                push(
                    &mut out,
                    format_args!(
                        "<path d=\"M{} -4V34\" stroke=\"#b3261e\" stroke-width=\"2\"/>",
                        x + STACK as i64
                    ),
                );
            }
            if let Some(tile) = stack.indicator {
                let id = id(Piece::Up(tile));
                push(
                    &mut out,
                    format_args!(
                        "<use href=\"#{id}\" transform=\"translate({} 1) scale(.31)\"/>",
                        x + 1
                    ),
                );
                continue;
            }
            let fill = match (stack.left, stack.is_dead) {
                (0, _) => continue,
                (_, true) => "#8a6d9b",
                (_, false) => "#3f6f8f",
            };
            // A stack that is not whole is lower.
            let (top, height) = if stack.is_whole { (0, 28) } else { (8, 20) };
            push(
                &mut out,
                format_args!(
                    "<rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{height}\" rx=\"2\" fill=\"{fill}\" stroke=\"#fffdf6\"/>",
                    x + 1,
                    STACK - 2
                ),
            );
        }
        out.push_str("</g>");
        out
    }

    fn name(&self, seat: Seat, is_upside_down: bool) -> String {
        let (_, _, y) = self.distances();
        let player = seat.player(self.state.dealer(), self.players());
        let name = self.names.get(player.index()).map_or("", String::as_str);
        let points = Number::of_units(self.state.points(seat), self.per_point);
        let said = match self.state.riichi(seat) {
            Some(_) => ", riichi",
            None => "",
        };
        let is_on_turn = self.state.view(seat).turn() == Some(seat);
        let mark = if is_on_turn { "▸ " } else { "" };
        let text = escaped(&format!("{mark}{seat} {name} {points}{said}"));
        let weight = if is_on_turn { "bold" } else { "normal" };
        let y = y + 42 + 24;
        let (x, turn) = match is_upside_down {
            true => (0, format!(" transform=\"rotate(180 0 {})\"", y - 6)),
            false => (0, String::new()),
        };
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"20\" font-weight=\"{weight}\" text-anchor=\"middle\" fill=\"#22262b\"{turn}>{text}</text>"
        )
    }

    fn middle(&self) -> String {
        let state = self.state;
        let mut lines = vec![format!(
            "{} · {} left",
            state.round().letter(),
            state.wall().draws_left()
        )];
        let on_table = state.on_table();
        if on_table.counters > 0 || on_table.deposits > 0 {
            lines.push(format!(
                "{} counters · {} deposits",
                on_table.counters, on_table.deposits
            ));
        }
        if self.layout == DiscardLayout::SortedPile {
            return self.pile(&lines.join(" · "));
        }
        let mut out = String::from(
            "<g font-family=\"sans-serif\" font-size=\"18\" text-anchor=\"middle\" fill=\"#22262b\">",
        );
        for (place, line) in lines.iter().enumerate() {
            push(
                &mut out,
                format_args!(
                    "<text x=\"0\" y=\"{}\">{}</text>",
                    -46 + 24 * place as i64,
                    escaped(line)
                ),
            );
        }
        out.push_str("</g>");
        self.indicators(&mut out, 6);
        out.push('\n');
        out
    }

    fn indicators(&self, out: &mut String, y: i64) {
        let turned = self.state.turned().iter().map(|turned| turned.tile);
        let pieces = self.state.wall().turned().chain(turned).map(Piece::Up);
        let pieces: Vec<Piece> = pieces.collect();
        if pieces.is_empty() {
            return;
        }
        let x = -(pieces.len() as i64 * 31) / 2;
        push(
            out,
            format_args!("<g transform=\"translate({x} {y}) scale(.5)\">"),
        );
        row(out, &pieces, (0, 0), "");
        out.push_str("</g>");
    }

    /// The sorted pile, and above it what else is in the middle.
    fn pile(&self, line: &str) -> String {
        let stacks = self.state.view(self.bottom).pile();
        let rows = stacks.len().div_ceil(IN_PILE_ROW).max(1) as i64;
        let top = -(rows * 52) / 2 + 30;
        let mut out = format!(
            "<text x=\"0\" y=\"{}\" font-family=\"sans-serif\" font-size=\"18\" text-anchor=\"middle\" fill=\"#22262b\">{}</text>",
            top - 64,
            escaped(line)
        );
        self.indicators(&mut out, top - 54);
        let x = -(IN_PILE_ROW as i64 * 32) / 2;
        push(
            &mut out,
            format_args!("<g transform=\"translate({x} {top}) scale(.5)\">"),
        );
        for (place, stack) in stacks.iter().enumerate() {
            let (column, line) = (place % IN_PILE_ROW, place / IN_PILE_ROW);
            let (x, y) = (column as i64 * 64, line as i64 * 104);
            put(&mut out, Piece::Up(stack.tile), (x, y), "");
            if stack.height > 1 {
                put(&mut out, Piece::Up(stack.tile), (x + 3, y - 10), "");
            }
        }
        out.push_str("</g>\n");
        out
    }
}
