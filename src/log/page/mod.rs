//! [`ReplayPage`]: a page of HTML to step through a recorded match.

use crate::decimal::Number;
use crate::document::head;
use crate::draw::{DiscardLayout, Piece, Scene, svg};
use crate::game::{MatchState, Next, Observer, Outcome};
use crate::lang::Lang;
use crate::notation::Notation;
use crate::request::Request;
use crate::ruleset::{Plan, Ruleset};
use crate::seat::{Player, Seat};
use crate::state::{DealState, Event};
use crate::text::escaped;
use crate::tile::{Kind, Tile};
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A step of a [`ReplayPage`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReplayFrame {
    /// The parts of the picture in the order of [`Scene::parts`], as places in [`ReplayPage::fragments`].
    pub parts: Vec<usize>,
    /// What happened, for readers who see all hands.
    pub told: String,
    /// What happened, for readers who see the hand of one player or none. The player whom the first text is for.
    pub public: Option<(String, usize)>,
    /// What is explained here, as a place in [`ReplayPage::explanations`].
    pub explained: Option<usize>,
    /// Somebody wins here.
    pub is_win: bool,
    /// The title of the deal that begins here.
    pub deal: Option<String>,
}

/// Collects a match and makes a page to step through it: buttons and keys, jumps to deals and wins, hands hidden or shown,
/// explanations of wins. The page is one file. It loads nothing, and all text is escaped. Use it as the observer of a match
/// or of a [replay](super::replay_observed).
///
/// ```
/// use paishan::log::ReplayPage;
/// use paishan::{Lang, Rules, agent, simulate};
/// let rules = Rules::by_id("two-player")?.with("rounds", 1)?;
/// let mut page = ReplayPage::new(&rules, Lang::EN, ["Anna", "Bo <b>"]);
/// let mut agents = agent::for_all("greedy", rules.plan())?;
/// simulate::play(&rules, &mut agents, 7, &mut page)?;
/// let html = page.html();
/// assert!(html.contains("Bo &lt;b&gt;") && !html.contains("<b>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ReplayPage<'a> {
    rules: &'a dyn Ruleset,
    lang: Lang,
    layout: DiscardLayout,
    names: Vec<String>,
    /// Each different part of a picture once.
    fragments: Vec<String>,
    places: BTreeMap<String, usize>,
    explanations: Vec<String>,
    frames: Vec<ReplayFrame>,
    view_box: String,
    /// The view box of the hand at the bottom.
    hand_box: String,
    deals: u32,
    /// The first step of the deal in play.
    in_play: Option<usize>,
}

impl<'a> ReplayPage<'a> {
    /// An empty page for a match of these rules. Names of tiles and patterns are in a language, those of players in player
    /// order.
    pub fn new<T: Into<String>>(
        rules: &'a dyn Ruleset,
        lang: Lang,
        names: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            rules,
            lang,
            layout: DiscardLayout::Rivers,
            names: names.into_iter().map(T::into).collect(),
            fragments: Vec::new(),
            places: BTreeMap::new(),
            explanations: Vec::new(),
            frames: Vec::new(),
            view_box: String::new(),
            hand_box: String::new(),
            deals: 0,
            in_play: None,
        }
    }

    /// The same page with another layout of discards.
    #[must_use]
    pub fn discards(mut self, layout: DiscardLayout) -> Self {
        self.layout = layout;
        self
    }

    /// The steps so far, to be shown in another page than [`ReplayPage::html`].
    pub fn frames(&self) -> &[ReplayFrame] {
        &self.frames
    }

    /// Each different part of a picture once, as elements of SVG. They refer to a [`sheet`](svg::sheet).
    pub fn fragments(&self) -> &[String] {
        &self.fragments
    }

    /// The explanations, as elements of HTML. Their text is escaped.
    pub fn explanations(&self) -> &[String] {
        &self.explanations
    }

    /// The view boxes of the table and of the hand at its bottom. Empty before the first step.
    pub fn view_boxes(&self) -> (&str, &str) {
        (&self.view_box, &self.hand_box)
    }

    fn plan(&self) -> &Plan {
        self.rules.plan()
    }

    fn fragment(&mut self, text: String) -> usize {
        let next = self.fragments.len();
        *self.places.entry(text).or_insert_with_key(|text| {
            self.fragments.push(text.clone());
            next
        })
    }

    fn frame(&mut self, state: &DealState, told: String, public: Option<(String, usize)>) {
        let rules = self.rules;
        let plan = rules.plan();
        let bottom = Player::FIRST.seat(state.dealer(), state.players());
        let scene = Scene::of_state(state, plan.wall())
            .from_seat(bottom)
            .discards(self.layout)
            .names(self.names.iter().cloned())
            .units_per_point(plan.units_per_point());
        self.view_box = scene.view_box();
        self.hand_box = scene.hand_box();
        let parts = scene.parts().into_iter().map(|part| part.svg);
        let parts: Vec<String> = parts.collect();
        let parts = parts.into_iter().map(|part| self.fragment(part)).collect();
        self.frames.push(ReplayFrame {
            parts,
            told,
            public,
            explained: None,
            is_win: false,
            deal: None,
        });
    }

    fn tile(&self, tile: Tile) -> String {
        self.plan().tile_names().tile(tile, self.lang)
    }

    fn who(&self, state: &DealState, seat: Seat) -> String {
        let player = seat.player(state.dealer(), state.players()).index();
        match self.names.get(player) {
            Some(name) if !name.is_empty() => format!("{name} ({seat})"),
            _ => format!("Player {} ({seat})", player + 1),
        }
    }

    /// What happened, in words.
    fn told(&self, state: &DealState, event: &Event) -> String {
        let who = |seat: Seat| self.who(state, seat);
        match *event {
            Event::Drew {
                seat,
                tile,
                from_back,
            } => {
                let what = tile.map_or("a tile".to_owned(), |tile| self.tile(tile));
                let back = if from_back { " as a replacement" } else { "" };
                format!("{} draws {what}{back}.", who(seat))
            }
            Event::Exchanged { seat, to, tile } => {
                let what = tile.map_or("a tile".to_owned(), |tile| self.tile(tile));
                format!("{} gives {what} to {}.", who(seat), who(to))
            }
            Event::SuitDeclared { seat, suit } => {
                let suit = self.plan().tile_names().suit(suit, self.lang);
                format!("{} does without {suit}.", who(seat))
            }
            Event::HandShown { seat, step, tiles } => {
                let step = self.plan().opening.get(usize::from(step));
                let what = step.map_or("", |step| step.name_in(self.lang));
                let kinds = Kind::all().flat_map(|kind| (0..tiles.get(kind)).map(move |_| kind));
                let hand = Notation::Ujmj.print(kinds.map(Tile::from));
                format!("{} shows {what}: {hand}.", who(seat))
            }
            Event::TileTurned { tile, .. } => format!("{} is turned.", self.tile(tile)),
            Event::TurnedOffered { tile } => format!("Players may win on {}.", self.tile(tile)),
            Event::LaidAside { seat, tile } => {
                format!("{} lays {} aside.", who(seat), self.tile(tile))
            }
            Event::Discarded { seat, tile, drawn } => {
                let drawn = if drawn { ", just drawn" } else { "" };
                format!("{} discards {}{drawn}.", who(seat), self.tile(tile))
            }
            Event::Claimed {
                seat, tiles, from, ..
            } => {
                let group = Notation::Ujmj.print_group(tiles.group());
                format!("{} claims {group} from {}.", who(seat), who(from))
            }
            Event::Swapped {
                seat, owner, tile, ..
            } => {
                let from = match owner == seat {
                    true => String::new(),
                    false => format!(" from {}", who(owner)),
                };
                format!("{} takes a joker{from} for {}.", who(seat), self.tile(tile))
            }
            Event::ConcealedKong { seat, kind, .. } => {
                let what = kind.map_or("tiles that lie face down".to_owned(), |kind| {
                    self.tile(kind.into())
                });
                format!("{} declares a kong of {what}.", who(seat))
            }
            Event::Challenged {
                seat, owner, kind, ..
            } => format!(
                "{} challenges the kong of {}: {}.",
                who(seat),
                who(owner),
                self.tile(kind.into())
            ),
            Event::Announced { seat, announcement } => {
                let what = match announcement {
                    crate::state::Announcement::Calling => "is calling",
                    crate::state::Announcement::Standing => "announces a standing hand",
                };
                format!("{} {what}.", who(seat))
            }
            Event::FalseWin { seat } => format!("{} declares a win that is none.", who(seat)),
            Event::HandDied { seat } => format!("The hand of {} is dead.", who(seat)),
            Event::IndicatorTurned { tile } => {
                format!("An indicator is turned: {}.", self.tile(tile))
            }
            Event::AddedKong { seat, tile, .. } => {
                format!("{} adds {} to a pung.", who(seat), self.tile(tile))
            }
            Event::RiichiDeclared { seat } => format!("{} declares riichi.", who(seat)),
            Event::RiichiAccepted { seat } => format!("{} pays a deposit.", who(seat)),
            Event::LaidDown { seat, group } => {
                let group = Notation::Ujmj.print_group(group);
                format!("{} lays down {group}.", who(seat))
            }
            Event::Won { seat, win } => {
                let tile = self.tile(win.tile);
                match win.from.filter(|_| !win.is_self_draw()) {
                    Some(from) => format!("{} wins with {tile} of {}.", who(seat), who(from)),
                    None => format!("{} wins with {tile}, self-drawn.", who(seat)),
                }
            }
            Event::MatchEnded { seat } => format!("{} ends the match.", who(seat)),
            Event::Exhausted => "The wall is used up. Nobody wins.".to_owned(),
            Event::Aborted { .. } => "The deal is drawn.".to_owned(),
        }
    }

    /// The page.
    pub fn html(&self) -> String {
        let plan = self.plan();
        let title = plan.names().get(self.lang);
        let mut out = head(
            title,
            self.lang.as_str(),
            STYLE,
            "; script-src 'unsafe-inline'",
        );
        let tiles = plan.tiles().iter().map(Piece::Up);
        out.push_str(&svg::sheet(tiles.chain([Piece::Down])));
        let _ = writeln!(out, "<h1>{}</h1>", escaped(title));
        out.push_str("<div class=\"bar\">");
        for (id, text, label) in [
            ("deal-back", "«", "Deal back (Page Up)"),
            ("back", "◀", "Step back (←)"),
            ("on", "▶", "Step on (→)"),
            ("deal-on", "»", "Next deal (Page Down)"),
            ("win", "★", "Next win (w)"),
        ] {
            let _ = write!(
                out,
                "<button id=\"{id}\" title=\"{label}\" aria-label=\"{label}\">{text}</button>"
            );
        }
        out.push_str("<label>Deal <select id=\"deals\"></select></label><label>Hands <select id=\"hands\"><option value=\"all\">all</option><option value=\"none\">none</option>");
        for player in 0..plan.players() {
            let name = self.names.get(player).filter(|name| !name.is_empty());
            let name = name.map_or(format!("Player {}", player + 1), Clone::clone);
            let _ = write!(
                out,
                "<option value=\"{player}\">{}</option>",
                escaped(&name)
            );
        }
        out.push_str("</select></label><input id=\"place\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"Step\"></div>\n");
        out.push_str("<p id=\"told\" aria-live=\"polite\"></p>\n");
        let _ = writeln!(
            out,
            "<svg id=\"table\" viewBox=\"{}\" role=\"img\" aria-label=\"The table\"></svg>",
            self.view_box
        );
        let _ = writeln!(
            out,
            "<svg id=\"hand\" viewBox=\"{}\" aria-hidden=\"true\"></svg>",
            self.hand_box
        );
        out.push_str("<div id=\"explained\"></div>\n<p class=\"keys\">Keys: ← → step, Page Up and Page Down deal, w next win, h hands.</p>\n<script>\n");
        self.data(&mut out);
        out.push_str(SCRIPT);
        out.push_str("</script>\n</body></html>\n");
        out
    }

    /// The data of the page, as JavaScript.
    fn data(&self, out: &mut String) {
        let list = |out: &mut String, name: &str, items: &mut dyn Iterator<Item = String>| {
            let _ = write!(out, "const {name}=[");
            for (place, item) in items.enumerate() {
                if place > 0 {
                    out.push_str(",\n");
                }
                out.push_str(&item);
            }
            out.push_str("];\n");
        };
        list(
            out,
            "FRAGMENTS",
            &mut self.fragments.iter().map(|text| quoted_markup(text)),
        );
        list(
            out,
            "EXPLAINED",
            &mut self.explanations.iter().map(|text| quoted_markup(text)),
        );
        let frames = self.frames.iter().map(|frame| {
            let parts: Vec<String> = frame.parts.iter().map(usize::to_string).collect();
            let (public, owner) = match &frame.public {
                Some((text, owner)) => (quoted(text), owner.to_string()),
                None => ("null".to_owned(), "null".to_owned()),
            };
            let explained = frame
                .explained
                .map_or("null".to_owned(), |one| one.to_string());
            let deal = frame
                .deal
                .as_ref()
                .map_or("null".to_owned(), |title| quoted(title));
            format!(
                "[[{}],{},{public},{owner},{explained},{deal}]",
                parts.join(","),
                quoted(&frame.told)
            )
        });
        list(out, "FRAMES", &mut frames.into_iter());
    }
}

/// A text as a string of JavaScript within a page, for the content of elements.
fn quoted(text: &str) -> String {
    quoted_markup(text).replace('<', "\\x3c")
}

/// Markup as a string of JavaScript within a page. Its text is escaped already.
fn quoted_markup(text: &str) -> String {
    let mut out = String::from("\"");
    let mut before = ' ';
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // `</script`, `<script` and `<!--` would be read as markup.
            '/' | '!' | 's' | 'S' if before == '<' => {
                let _ = write!(out, "\\x{:02x}", u32::from(letter));
            }
            letter if letter < ' ' || matches!(letter, '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
        before = letter;
    }
    out.push('"');
    out
}

impl Observer for ReplayPage<'_> {
    fn deal_started(&mut self, state: &DealState) {
        match self.in_play {
            // A replay tries another wall for this deal.
            Some(first) => self.frames.truncate(first),
            None => self.deals += 1,
        }
        self.in_play = Some(self.frames.len());
        let title = format!(
            "{}: {} round, {} deals",
            self.deals,
            self.plan().tile_names().wind(state.round(), self.lang),
            self.who(state, Seat::EAST)
        );
        self.frame(state, format!("Deal {title}."), None);
        if let Some(frame) = self.frames.last_mut() {
            frame.deal = Some(title);
        }
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        let told = self.told(state, event);
        let owner = match *event {
            Event::Drew { seat, .. }
            | Event::Exchanged { seat, .. }
            | Event::ConcealedKong {
                seat, hidden: true, ..
            } => Some(seat),
            _ => None,
        };
        let players = state.players();
        let public = owner.map(|seat| {
            let public = event.seen_by(seat.next(players));
            let public = match public {
                // The receiver sees the tile, too, but a page shows one hand.
                Event::Exchanged { seat, to, .. } => Event::Exchanged {
                    seat,
                    to,
                    tile: None,
                },
                event => event,
            };
            let player = seat.player(state.dealer(), players).index();
            (self.told(state, &public), player)
        });
        self.frame(state, told, public);
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let plan = self.rules.plan();
        let per_point = plan.units_per_point();
        let mut html = String::new();
        if !part.wins().is_empty() {
            let request = Request::of_deal(plan, state, part);
            let wording = Notation::Ujmj.in_lang(self.lang);
            if let Ok(table) = request.check(self.rules) {
                for (seat, told) in table.explain_settlement(&part.settlement, wording) {
                    let _ = writeln!(
                        html,
                        "<h2>{}</h2>\n{}",
                        escaped(&self.who(state, seat)),
                        told.to_html()
                    );
                }
            }
        }
        if !part.settlement.payments.is_empty() {
            html.push_str("<ul>\n");
            for payment in &part.settlement.payments {
                let who = |seat| self.who(state, seat);
                let words = payment.describe_by_name(plan.payments(), who);
                let _ = writeln!(html, "<li>{}</li>", escaped(&words));
            }
            html.push_str("</ul>\n");
        }
        html.push_str("<p>");
        for seat in Seat::all(state.players()) {
            let change = Number::of_units(part.settlement.deltas[seat], per_point);
            let _ = write!(html, "{}: {change} ", escaped(&self.who(state, seat)));
        }
        html.push_str("</p>\n");
        self.frame(state, "Paid.".to_owned(), None);
        self.explanations.push(html);
        let place = self.explanations.len() - 1;
        if let Some(frame) = self.frames.last_mut() {
            frame.explained = Some(place);
            frame.is_win = !part.wins().is_empty();
        }
    }

    fn deal_ended(&mut self, _: &MatchState, _: &DealState, _: &Outcome, _: Next) {
        self.in_play = None;
    }

    fn match_ended(&mut self, series: &MatchState) {
        let per_point = series.plan().units_per_point();
        let mut html = String::from("<h2>Result</h2>\n<table>\n");
        let results = series.results();
        let ranks = series.ranks();
        for (player, (result, rank)) in results.iter().zip(ranks).enumerate() {
            let name = self.names.get(player).map_or("", String::as_str);
            let result = Number::of_units(*result, per_point);
            let _ = writeln!(
                html,
                "<tr><td>{rank}</td><td>{}</td><td>{result}</td></tr>",
                escaped(name)
            );
        }
        html.push_str("</table>\n");
        if let Some(frame) = self.frames.last_mut() {
            match frame.explained {
                Some(place) => self.explanations[place].push_str(&html),
                None => {
                    self.explanations.push(html);
                    frame.explained = Some(self.explanations.len() - 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_no_script() {
        assert_eq!(quoted("<b>"), "\"\\x3cb>\"");
        assert_eq!(
            quoted_markup("</script><!--<Script>"),
            "\"<\\x2fscript><\\x21--<\\x53cript>\""
        );
        assert_eq!(quoted("a\"\\\n\u{2028}"), "\"a\\\"\\\\\\n\\u2028\"");
    }
}
