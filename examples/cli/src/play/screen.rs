//! Draws the table. 80 columns and 24 lines are enough; what does not fit is cut.

use super::app::App;
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
fn tiles(text: &str) -> Vec<String> {
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

/// The own hand, with the tile that the chosen action would discard marked.
fn hand(app: &App, view: &Snapshot) -> Line<'static> {
    let chosen = view.legal.get(app.chosen).map(|one| one.action.to_string());
    let mut words = chosen.as_deref().unwrap_or_default().split(' ');
    let is_discard = matches!(words.next(), Some("dahai" | "exchange"));
    let discard = words.next().filter(|_| is_discard).map(str::to_owned);
    let is_drawn = words.next().is_some();
    let mut held = tiles(&view.hand);
    if let Some(drawn) = &view.drawn
        && let Some(place) = held.iter().rposition(|tile| tile == drawn)
    {
        held.remove(place);
    }
    let mut marked = false;
    let mut line = vec![Span::raw("  ")];
    for tile in held {
        let mut style = colour(&tile, app.plain);
        if !marked && !is_drawn && discard.as_ref() == Some(&tile) {
            marked = true;
            style = style.add_modifier(Modifier::REVERSED);
        }
        line.push(Span::styled(tile, style));
        line.push(Span::raw(" "));
    }
    if let Some(drawn) = &view.drawn {
        let mut style = colour(drawn, app.plain);
        if is_drawn && discard.is_some() {
            style = style.add_modifier(Modifier::REVERSED);
        }
        line.push(Span::raw(" │ "));
        line.push(Span::styled(drawn.clone(), style));
    }
    Line::from(line)
}

/// The legal actions, the chosen one marked.
fn actions(app: &App, view: &Snapshot) -> Paragraph<'static> {
    let mut line = Vec::new();
    for (place, one) in view.legal.iter().enumerate() {
        let style = match place == app.chosen {
            true => Style::default().add_modifier(Modifier::REVERSED),
            false => Style::default(),
        };
        line.push(Span::styled(format!(" {} ", one.words), style));
        line.push(Span::raw(" "));
    }
    if line.is_empty() {
        line.push(Span::raw(match app.table.is_over() {
            true => "The match is over. Enter or q ends.",
            false => "",
        }));
    }
    Paragraph::new(Line::from(line)).wrap(Wrap { trim: true })
}

pub fn draw(frame: &mut Frame<'_>, app: &App) {
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
    lines.push(Line::from(head));
    for place in others(&view) {
        lines.push(seat_line(app, &view, place));
        lines.push(discards(app, &view, place, width));
    }
    let own = paishan::Seat::all(view.players).find(|seat| Some(seat.letter()) == view.seat);
    let own = own.map_or(0, |seat| seat.index());
    let mut bottom = vec![
        seat_line(app, &view, own),
        discards(app, &view, own, width),
        hand(app, &view),
    ];
    let furiten = if view.furiten { " · furiten" } else { "" };
    bottom.push(Line::from(format!("  {}{furiten}", app.distance())));
    let asked = match (&view.claimable, view.legal.is_empty()) {
        (Some((tile, from)), false) => format!("{from} discards {tile}. You may:"),
        (None, false) => "You may:".to_owned(),
        (_, true) => String::new(),
    };
    bottom.push(Line::from(asked));
    let areas = Layout::vertical([
        Constraint::Length(lines.len() as u16),
        Constraint::Min(1),
        Constraint::Length(bottom.len() as u16),
        Constraint::Length(4),
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
    frame.render_widget(Paragraph::new(bottom), areas[2]);
    frame.render_widget(actions(app, &view), areas[3]);
    let keys = "Enter do · h hint · w waits · u undo · e result · l log · ? help · q quit";
    let foot = match app.message.is_empty() {
        true => keys.to_owned(),
        false => app.message.clone(),
    };
    frame.render_widget(Paragraph::new(Line::styled(foot, dim)), areas[4]);
    if let Some(page) = &app.page {
        let area = frame.area().inner(Margin::new(0, 1));
        draw_page(frame, area, &page.title, &page.lines, page.scroll);
    }
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
