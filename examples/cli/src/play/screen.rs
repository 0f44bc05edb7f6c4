//! Draws the table. 80 columns and 24 lines are enough; what does not fit is cut.

use super::app::App;
use paishan::Action;
use paishan::state::{MeldSnapshot, Snapshot};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

/// The colour of a tile by the last letter of its notation.
fn colour(tile: &str, plain: bool) -> Style {
    let style = Style::default();
    if plain {
        return style;
    }
    match tile.chars().last() {
        Some('t') => style.fg(Color::Cyan),
        Some('s') => style.fg(Color::Green),
        Some('m') => style.fg(Color::Red),
        Some('C') => style.fg(Color::LightRed),
        Some('F') => style.fg(Color::LightGreen),
        Some('J') => style.fg(Color::Magenta),
        Some('h'..='k' | 'o'..='r') => style.fg(Color::Yellow),
        _ => style,
    }
}

/// Tiles written together, taken apart: `123t4s` is `1t 2t 3t 4s`.
pub fn tiles(text: &str) -> Vec<String> {
    let mut tiles = Vec::new();
    let mut ranks: Vec<char> = Vec::new();
    for letter in text.chars() {
        match letter {
            't' | 's' | 'm' if !ranks.is_empty() => {
                tiles.extend(ranks.drain(..).map(|rank| format!("{rank}{letter}")));
            }
            '0'..='9' | 'x' | 'a'..='f' | 'R' => ranks.push(letter),
            letter => tiles.push(letter.to_string()),
        }
    }
    tiles.extend(ranks.into_iter().map(String::from));
    tiles
}

fn spans(text: &str, app: &App) -> Vec<Span<'static>> {
    let tiles = tiles(text).into_iter();
    tiles
        .flat_map(|tile| {
            let style = colour(&tile, app.plain);
            [Span::styled(tile, style), Span::raw(" ")]
        })
        .collect()
}

fn meld(meld: &MeldSnapshot) -> String {
    match meld.open {
        true => format!("[{}] ", meld.tiles),
        false => format!("[{} closed] ", meld.tiles),
    }
}

/// The places of the seats in a view, the player's own last.
fn others(view: &Snapshot) -> Vec<usize> {
    let own = view.seat.and_then(|seat| {
        let seat: paishan::Seat = seat.to_string().parse().ok()?;
        Some(seat.index())
    });
    let own = own.unwrap_or(0);
    (1..view.players)
        .map(|step| (own + step) % view.players)
        .collect()
}

/// A line about a seat: who it is, its points, what lies before it.
fn seat_line(app: &App, view: &Snapshot, place: usize) -> Line<'static> {
    let seat = paishan::Seat::new(place).unwrap_or_default();
    let player = (view.dealer + place) % view.players;
    let mark = if view.turn == Some(seat.letter()) {
        '›'
    } else {
        ' '
    };
    let mut said = vec![
        Span::styled(
            format!("{mark}{} {:<7}", seat.letter(), app.names[player]),
            Style::default().add_modifier(Modifier::BOLD),
        ),
        Span::raw(format!(
            "{:>7} ",
            app.points(view.points[place]).to_string()
        )),
    ];
    if Some(seat.letter()) != view.seat {
        said.push(Span::raw(format!("{:>2} tiles ", view.concealed[place])));
    }
    if view.riichi[place] {
        said.push(Span::raw("riichi "));
    }
    if let Some(announced) = view.announced[place] {
        said.push(Span::raw(format!("{announced:?} ").to_lowercase()));
    }
    if view.dead[place] {
        said.push(Span::raw("dead hand "));
    }
    if let Some(suit) = view.missing_suits[place] {
        said.push(Span::raw(format!("without {suit} ")));
    }
    for one in &view.melds[place] {
        said.push(Span::raw(meld(one)));
    }
    if !view.flowers[place].is_empty() {
        said.push(Span::raw("flowers "));
        said.extend(spans(&view.flowers[place], app));
    }
    if !view.set_aside[place].is_empty() {
        said.push(Span::raw("aside "));
        said.extend(spans(&view.set_aside[place], app));
    }
    if let Some(shown) = &view.shown[place] {
        said.push(Span::raw("has won: "));
        said.extend(spans(shown, app));
    }
    Line::from(said)
}

/// The discards of a seat, the latest last. If they do not fit, the first are left out.
fn discards(app: &App, view: &Snapshot, place: usize, width: usize) -> Line<'static> {
    let letter = paishan::Seat::new(place).unwrap_or_default().letter();
    let own = view.discards.iter().filter(|one| one.seat == letter);
    let mut shown: Vec<(String, Style)> = own
        .map(|one| {
            let text = match (one.claimed, one.riichi) {
                (true, _) => format!("({})", one.tile),
                (_, true) => format!("{}!", one.tile),
                _ => one.tile.clone(),
            };
            (text, colour(&one.tile, app.plain))
        })
        .collect();
    let room = width.saturating_sub(6);
    let mut from = 0;
    let length = |shown: &[(String, Style)]| -> usize {
        shown.iter().map(|(text, _)| text.chars().count() + 1).sum()
    };
    while length(&shown[from..]) > room {
        from += 1;
    }
    let mut line = vec![Span::raw(if from > 0 { "    … " } else { "    " })];
    for (text, style) in shown.drain(from..) {
        line.push(Span::styled(text, style));
        line.push(Span::raw(" "));
    }
    Line::from(line)
}

/// Something on the screen, and the place of the legal action that a click on it carries out.
type Clickable = (Span<'static>, Option<usize>);

/// A part of the screen, and the place of the legal action that a click there carries out.
pub type Hit = (Rect, usize);

/// The tile that an action discards or exchanges, and whether it is the tile just drawn.
fn discarded(action: Action) -> Option<(String, bool)> {
    let text = action.to_string();
    let mut words = text.split(' ');
    let is_discard = matches!(words.next(), Some("dahai" | "exchange"));
    let tile = words.next().filter(|_| is_discard)?.to_owned();
    Some((tile, words.next().is_some()))
}

/// The own hand, with the tile that the chosen action would discard marked.
fn hand(app: &App, view: &Snapshot) -> Vec<Clickable> {
    let legal = view.legal.iter().map(|one| discarded(one.action));
    let legal: Vec<Option<(String, bool)>> = legal.collect();
    let mut held = tiles(&view.hand);
    if let Some(drawn) = &view.drawn
        && let Some(place) = held.iter().rposition(|tile| tile == drawn)
    {
        held.remove(place);
    }
    let mut marked = false;
    let mut shown = |tile: String, is_drawn: bool| -> Clickable {
        let wanted = Some((tile.clone(), is_drawn));
        let place = legal.iter().position(|one| *one == wanted);
        let mut style = colour(&tile, app.plain);
        if !marked && place == Some(app.chosen) {
            marked = true;
            style = style.add_modifier(Modifier::REVERSED);
        }
        (Span::styled(tile, style), place)
    };
    let mut line = vec![(Span::raw("  "), None)];
    for tile in held {
        line.push(shown(tile, false));
        line.push((Span::raw(" "), None));
    }
    if let Some(drawn) = &view.drawn {
        line.push((Span::raw(" │ "), None));
        line.push(shown(drawn.clone(), true));
    }
    line
}

/// The legal actions in rows, the chosen one marked. If there are too many rows, those up to the chosen one are left.
fn actions(app: &App, view: &Snapshot, area: Rect) -> Vec<Vec<Clickable>> {
    let (mut rows, mut used, mut of_chosen) = (vec![Vec::new()], 0, 0);
    for (place, one) in view.legal.iter().enumerate() {
        let style = match place == app.chosen {
            true => Style::default().add_modifier(Modifier::REVERSED),
            false => Style::default(),
        };
        let word = Span::styled(format!(" {} ", one.words), style);
        if used > 0 && used + word.width() > usize::from(area.width) {
            rows.push(Vec::new());
            used = 0;
        }
        used += word.width() + 1;
        if place == app.chosen {
            of_chosen = rows.len();
        }
        if let Some(row) = rows.last_mut() {
            row.extend([(word, Some(place)), (Span::raw(" "), None)]);
        }
    }
    rows.split_off(of_chosen.saturating_sub(area.height.into()))
}

/// Draws rows at the top of an area. Returns where the clickable parts are.
fn draw_rows(frame: &mut Frame<'_>, area: Rect, rows: &[Vec<Clickable>]) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (row, part) in rows.iter().zip(area.rows()) {
        let mut x = part.x;
        for (span, place) in row {
            let width = span.width() as u16;
            let shown = Rect { x, width, ..part }.intersection(part);
            hits.extend(place.map(|place| (shown, place)));
            x = x.saturating_add(width);
        }
        let line: Line<'_> = row.iter().map(|(span, _)| span.clone()).collect();
        frame.render_widget(Paragraph::new(line), part);
    }
    hits
}

/// The open hand of another seat, for spectators.
fn open_hand(app: &App, place: usize) -> Line<'static> {
    let seat = paishan::Seat::new(place).unwrap_or_default();
    let held = app.table.deal().state().view(seat).snapshot().hand;
    let mut line = vec![Span::raw("    ")];
    line.extend(spans(&held, app));
    line.push(Span::raw(format!("· {}", app.distance(seat))));
    Line::from(line)
}

/// Draws everything. Returns where a click carries out an action.
pub fn draw(frame: &mut Frame<'_>, app: &App) -> Vec<Hit> {
    let view = app.view();
    let plan = app.table.rules().plan();
    let width = usize::from(frame.area().width);
    let mut lines = Vec::new();
    let mut head = vec![
        Span::styled(
            plan.name().to_owned(),
            Style::default().add_modifier(Modifier::BOLD),
        ),
        Span::raw(format!(
            " · round {} · deal {} · {} left",
            view.round,
            app.table.series().deal_number(),
            view.draws_left
        )),
    ];
    if view.counters > 0 || view.deposits > 0 {
        head.push(Span::raw(format!(
            " · {} counters {} deposits",
            view.counters, view.deposits
        )));
    }
    if !view.turned.is_empty() {
        head.push(Span::raw(" · indicators "));
        head.extend(spans(&view.turned, app));
    }
    if !view.turned_tiles.is_empty() {
        head.push(Span::raw(" · turned "));
        head.extend(spans(&view.turned_tiles, app));
    }
    lines.push(Line::from(head));
    for place in others(&view) {
        lines.push(seat_line(app, &view, place));
        if app.spectates() {
            lines.push(open_hand(app, place));
        }
        lines.push(discards(app, &view, place, width));
    }
    let own = paishan::Seat::all(view.players).find(|seat| Some(seat.letter()) == view.seat);
    let own = own.map_or(0, |seat| seat.index());
    let own_lines = vec![seat_line(app, &view, own), discards(app, &view, own, width)];
    let furiten = if view.furiten { " · furiten" } else { "" };
    let distance = app.distance(paishan::Seat::new(own).unwrap_or_default());
    let asked = match (&view.claimable, view.legal.is_empty()) {
        (Some((tile, from)), false) => format!("{from} discards {tile}. You may:"),
        (None, false) => "You may:".to_owned(),
        (_, true) if app.table.is_over() => "The match is over. Enter or q ends.".to_owned(),
        (_, true) => String::new(),
    };
    let below = vec![
        Line::from(format!("  {distance}{furiten}")),
        Line::from(asked),
    ];
    let areas = Layout::vertical([
        Constraint::Length(lines.len() as u16),
        Constraint::Min(1),
        Constraint::Length(2),
        Constraint::Length(1),
        Constraint::Length(2),
        Constraint::Length(if app.spectates() { 0 } else { 4 }),
        Constraint::Length(1),
    ])
    .split(frame.area());
    frame.render_widget(Paragraph::new(lines), areas[0]);
    let room = usize::from(areas[1].height);
    let from = app.news.len().saturating_sub(room);
    let dim = Style::default().add_modifier(Modifier::DIM);
    let news = app.news[from..].iter();
    let news: Vec<Line<'_>> = news
        .map(|one| Line::styled(format!("  {one}"), dim))
        .collect();
    frame.render_widget(Paragraph::new(news), areas[1]);
    frame.render_widget(Paragraph::new(own_lines), areas[2]);
    let mut hits = draw_rows(frame, areas[3], &[hand(app, &view)]);
    frame.render_widget(Paragraph::new(below), areas[4]);
    let rows = actions(app, &view, areas[5]);
    hits.extend(draw_rows(frame, areas[5], &rows));
    let keys = match app.spectates() {
        true => "Enter next · p play · u back · w waits · e result · l log · ? help · q quit",
        false => "Enter do · h hint · w waits · u undo · e result · l log · ? help · q quit",
    };
    let foot = match app.message.is_empty() {
        true => keys.to_owned(),
        false => app.message.clone(),
    };
    frame.render_widget(Paragraph::new(Line::styled(foot, dim)), areas[6]);
    if let Some(page) = &app.page {
        let area = frame.area().inner(Margin::new(0, 1));
        draw_page(frame, area, &page.title, &page.lines, page.scroll);
        hits.clear();
    }
    hits
}

fn draw_page(frame: &mut Frame<'_>, area: Rect, title: &str, lines: &[String], scroll: usize) {
    let lines: Vec<Line<'_>> = lines.iter().map(|line| Line::from(line.as_str())).collect();
    let most = lines.len().saturating_sub(1);
    let block = Block::bordered()
        .title(format!(" {title} "))
        .title_bottom(" ↑ ↓ move · any other key closes ");
    let text = Paragraph::new(lines)
        .block(block)
        .wrap(Wrap { trim: false })
        .scroll((scroll.min(most) as u16, 0));
    frame.render_widget(Clear, area);
    frame.render_widget(text, area);
}
