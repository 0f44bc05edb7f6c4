//! The match in play and what the keys do. Nothing here knows a game: actions and their words come from the engine.

use super::screen::Hit;
use super::{Args, words};
use crate::output;
use paishan::agent;
use paishan::decompose::{Holding, Scratch};
use paishan::host::{EndedDeal, HostedMatch, SavedHost, Sitter};
use paishan::log::Line;
use paishan::state::Snapshot;
use paishan::{Action, Lang, Match, Notation, Number, Player, Rules, Seat, Seed};
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

/// A match as a file keeps it. The rules are those of the command line; the moves know their hash.
#[derive(Serialize, Deserialize)]
struct Saved {
    player: usize,
    table: SavedHost,
}

/// Text over the table, until a key closes it.
pub struct Page {
    pub title: String,
    pub lines: Vec<String>,
    pub scroll: usize,
}

pub struct App {
    pub table: HostedMatch,
    pub me: Player,
    /// The place of the chosen action.
    pub chosen: usize,
    pub page: Option<Page>,
    /// What the last key did.
    pub message: String,
    /// What happened in the deal, oldest first.
    pub news: Vec<String>,
    pub plain: bool,
    pub names: Vec<String>,
    hints: String,
    lang: Lang,
    /// The agents that decide for the seats, by player, if the user only looks on.
    agents: Option<Vec<String>>,
    /// True while a spectated match goes on by itself.
    pub plays: bool,
    file: Option<PathBuf>,
    /// What the result of the last deal says.
    result: Vec<String>,
    is_done: bool,
}

const HELP: [&str; 14] = [
    "← →, ↑ ↓     choose an action",
    "Enter        do it; when you spectate: the next decision",
    "mouse        click an action, or a tile to discard it; Shift selects text",
    "p            when you spectate: go on by itself, or stop",
    "h            hint: choose what a bot would do",
    "w            what each discard leaves: tiles missing, tiles that help and how many are left",
    "u            take the last decision back",
    "e            the result of the last deal, explained",
    "l            what happened in this deal",
    "s            save (with --save FILE)",
    "?            this page",
    "q            quit; with --save FILE the match goes on next time",
    "",
    "[EEE] lies on the table with a claimed tile, [EEE closed] without. A claimed discard is in brackets.",
];

impl App {
    pub fn new(args: &Args, rules: Rules, seed: Seed) -> Result<Self, String> {
        let players = rules.plan().players();
        let seat = args.seat;
        if seat.index() >= players {
            return Err(format!("the table has no seat {seat}"));
        }
        let saved = match &args.save {
            Some(file) if file.exists() => {
                let name = file.display();
                let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
                let saved = serde_json::from_str(&text);
                Some(saved.map_err(|error| format!("{name} is no saved match: {error}"))?)
            }
            _ => None,
        };
        let (table, me) = match saved {
            Some(saved) => Self::resume(rules, &saved)?,
            None => {
                let dealer = Match::new(&rules, seed).state().dealer();
                let me = seat.player(dealer, players);
                let bots: Vec<&str> = args.agents.split(',').collect();
                let mut others = 0;
                let sitters = Player::all(players).map(|player| {
                    // A spectated match stops at each decision, too.
                    if player == me || args.spectate {
                        return Sitter::Human;
                    }
                    others += 1;
                    Sitter::of_name(bots[(others - 1) % bots.len()])
                });
                let table = HostedMatch::start(rules, sitters.collect(), seed);
                (table.map_err(|error| error.to_string())?, me)
            }
        };
        let agents = args.spectate.then(|| {
            let first = Match::new(table.rules(), table.seeds().game);
            let dealer = first.state().dealer();
            let bots: Vec<&str> = args.agents.split(',').collect();
            let of = |player: Player| bots[player.seat(dealer, players).index() % bots.len()];
            let all = Player::all(players).map(|player| of(player).to_owned());
            all.collect::<Vec<String>>()
        });
        let plan = table.rules().plan();
        for name in agents.iter().flatten() {
            agent::by_name(name, plan).map_err(|error| error.to_string())?;
        }
        let people = table.sitters().iter();
        let people = people.filter(|one| **one == Sitter::Human).count();
        if people != if args.spectate { players } else { 1 } {
            return Err("the match was saved with or without `--spectate`, unlike now".to_owned());
        }
        let names = table.sitters().iter().map(|one| match one {
            Sitter::Human => "you".to_owned(),
            bot => bot.name().to_owned(),
        });
        let names = agents.clone().unwrap_or_else(|| names.collect());
        let mut app = Self {
            names,
            table,
            me,
            chosen: 0,
            page: None,
            message: "? for help".to_owned(),
            news: Vec::new(),
            plain: args.plain,
            hints: args.hints.clone(),
            lang: args.names.lang,
            agents,
            plays: args.pace.is_some(),
            file: args.save.clone(),
            result: Vec::new(),
            is_done: false,
        };
        app.look();
        Ok(app)
    }

    fn resume(rules: Rules, saved: &Saved) -> Result<(HostedMatch, Player), String> {
        let table = HostedMatch::resume(rules, &saved.table);
        let table = table.map_err(|error| error.to_string())?;
        let me = table
            .player(saved.player)
            .map_err(|error| error.to_string())?;
        Ok((table, me))
    }

    pub const fn is_done(&self) -> bool {
        self.is_done
    }

    /// True if agents decide for all seats.
    pub const fn spectates(&self) -> bool {
        self.agents.is_some()
    }

    /// What the player sees, with the legal actions. A spectator has none.
    pub fn view(&self) -> Snapshot {
        let mut view = match self.table.snapshot_in(self.me, self.lang) {
            Ok(snapshot) => snapshot,
            Err(_) => self.table.public_snapshot(),
        };
        if self.spectates() {
            view.legal.clear();
        }
        view
    }

    /// Points as people count them.
    pub fn points(&self, units: i64) -> Number {
        let per_point = self.table.rules().plan().units_per_point();
        Number::of_units(units, per_point)
    }

    /// Reads the news, and shows the result if a deal is over.
    fn look(&mut self) {
        let legal = self.view().legal;
        // The tile just drawn is the usual choice.
        let drawn = |one: &paishan::state::ActionSnapshot| {
            matches!(one.action, Action::Discard { drawn: true, .. })
        };
        let win = legal.iter().position(|one| one.action == Action::Win);
        let usual = win.or_else(|| legal.iter().rposition(drawn));
        self.chosen = usual.unwrap_or(0);
        let viewer = Some(self.me).filter(|_| !self.spectates());
        let lines = self.table.log(viewer, Notation::Ujmj).unwrap_or_default();
        let first = lines
            .iter()
            .rposition(|line| matches!(line, Line::StartKyoku(_)));
        let seat = |number: usize| {
            let player = Player::new(number).unwrap_or(Player::FIRST);
            self.table.seat_of(player).letter()
        };
        let names = self.table.rules().plan().tile_names();
        let of_deal = lines.iter().skip(first.unwrap_or(0));
        self.news = of_deal
            .filter_map(|line| words::of_line(line, &seat, (names, self.lang)))
            .collect();
        let ended: Vec<String> = self
            .table
            .ended()
            .iter()
            .flat_map(|deal| self.told(deal))
            .collect();
        if !ended.is_empty() {
            self.result = ended;
            if self.table.is_over() {
                self.result.push(String::new());
                self.result.push("The match is over.".to_owned());
                let results = self.table.series().state().results();
                for (name, units) in self.names.iter().zip(results) {
                    self.result
                        .push(format!("  {name:<10} {}", self.points(units)));
                }
            }
            self.show("The deal is over", self.result.clone());
        }
    }

    fn show(&mut self, title: &str, lines: Vec<String>) {
        self.page = Some(Page {
            title: title.to_owned(),
            lines,
            scroll: 0,
        });
    }

    /// The result of a deal in words: each win explained, and every payment.
    fn told(&self, deal: &EndedDeal) -> Vec<String> {
        let plan = self.table.rules().plan();
        let (state, outcome) = (&deal.state, &deal.outcome);
        let mut lines = vec![format!("Deal {}", deal.number)];
        let name = |seat: Seat| {
            let player = seat.player(state.dealer(), state.players());
            format!("{seat} ({})", self.names[player.index()])
        };
        if outcome.wins().is_empty() {
            lines.push("Nobody wins.".to_owned());
        }
        for (seat, win) in outcome.wins() {
            let from = win.from.map(|from| format!(" off {}", name(from)));
            let from = from.unwrap_or_default();
            lines.push(format!("{} wins{from} with {}.", name(*seat), win.tile));
            let notation = Notation::Ujmj.in_lang(self.lang);
            if let Some(told) = deal.explain(self.table.rules(), *seat, notation) {
                lines.extend(told.brief().to_string().lines().map(str::to_owned));
            }
        }
        for payment in &outcome.settlement.payments {
            lines.push(payment.describe(plan.payments()));
        }
        for seat in Seat::all(state.players()) {
            let change = self.points(outcome.settlement.deltas[seat]);
            lines.push(format!("  {:<14} {change}", name(seat)));
        }
        lines
    }

    /// What each discard leaves.
    fn waits(&self) -> Vec<String> {
        let state = self.table.deal().state();
        let seat = self.table.seat_of(self.me);
        let view = state.view(seat);
        let seen = view.seen();
        let decomposer = self.table.rules().plan().decomposer();
        let copies = *self.table.rules().plan().tiles().copies();
        let mut scratch = Scratch::new();
        let holding = Holding::from(view.hand());
        let mut rows = Vec::new();
        let mut row = |what: String, holding: &Holding| {
            let (distance, accepts) = decomposer.accepts(holding, &mut scratch);
            let left = |kind| u32::from(copies.get(kind).saturating_sub(seen.get(kind)));
            let number: u32 = accepts.iter().map(left).sum();
            let tiles = Notation::Ujmj.print_kinds(accepts.iter()).join(" ");
            let is = match distance {
                -1 => "complete".to_owned(),
                0 => "ready".to_owned(),
                away => format!("{away} away"),
            };
            rows.push((
                distance,
                u32::MAX - number,
                format!("{what:<12} {is:<9} {number:>3} tiles left: {tiles}"),
            ));
        };
        if holding.concealed.total() % 3 == 1 {
            row("now".to_owned(), &holding);
        } else {
            for kind in holding.concealed.kinds().iter() {
                let mut rest = holding;
                rest.concealed.try_remove(kind);
                let tile = Notation::Ujmj.print_one(kind.into());
                row(format!("without {tile}"), &rest);
            }
        }
        rows.sort();
        rows.into_iter().map(|(.., text)| text).collect()
    }

    /// The state of the hand in one line: how far it is from ready.
    pub fn distance(&self, seat: Seat) -> String {
        let holding = Holding::from(self.table.deal().state().view(seat).hand());
        let decomposer = self.table.rules().plan().decomposer();
        match decomposer.distance(&holding, &mut Scratch::new()) {
            -1 => {
                let wins = self.table.deal().legal(seat).contains(Action::Win);
                match wins {
                    true => "complete".to_owned(),
                    false => {
                        "complete, but not worth enough to win now, or won otherwise".to_owned()
                    }
                }
            }
            0 => "ready".to_owned(),
            away => format!("{away} away from ready"),
        }
    }

    /// A key was pressed.
    pub fn press(&mut self, key: KeyEvent) {
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            self.is_done = true;
            return;
        }
        if let Some(page) = &mut self.page {
            match key.code {
                KeyCode::Down | KeyCode::PageDown | KeyCode::Char('j') => {
                    page.scroll = (page.scroll + 1).min(page.lines.len().saturating_sub(1));
                }
                KeyCode::Up | KeyCode::PageUp | KeyCode::Char('k') => {
                    page.scroll = page.scroll.saturating_sub(1);
                }
                _ => self.page = None,
            }
            return;
        }
        self.message.clear();
        let actions = self.view().legal.len();
        match key.code {
            KeyCode::Right | KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') if actions > 0 => {
                self.chosen = (self.chosen + 1) % actions;
            }
            KeyCode::Left | KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') if actions > 0 => {
                self.chosen = (self.chosen + actions - 1) % actions;
            }
            KeyCode::Home => self.chosen = 0,
            KeyCode::End => self.chosen = actions.saturating_sub(1),
            KeyCode::Enter | KeyCode::Char(' ' | 'n') if self.spectates() => self.step(),
            KeyCode::Char('p') if self.spectates() => self.plays = !self.plays,
            KeyCode::Enter | KeyCode::Char(' ') => self.act(),
            KeyCode::Char('h') if !self.spectates() => self.hint(),
            KeyCode::Char('u') => match self.table.undo() {
                Ok(()) => {
                    self.result.clear();
                    self.look();
                    self.page = None;
                    self.message = "taken back".to_owned();
                }
                Err(error) => self.message = error.to_string(),
            },
            KeyCode::Char('w') => {
                let lines = self.waits();
                self.show("What each discard leaves", lines);
            }
            KeyCode::Char('e') if !self.result.is_empty() => {
                self.show("The last deal", self.result.clone());
            }
            KeyCode::Char('e') => self.message = "no deal is over yet".to_owned(),
            KeyCode::Char('l') => self.show("This deal", self.news.clone()),
            KeyCode::Char('?') => {
                self.show("Keys", HELP.iter().map(|line| (*line).to_owned()).collect());
            }
            KeyCode::Char('s') => {
                self.message = match (&self.file, self.save()) {
                    (_, Err(error)) => error,
                    (None, _) => "start with --save FILE to keep the match".to_owned(),
                    (Some(file), _) => format!("saved in {}", file.display()),
                };
            }
            KeyCode::Char('q') => self.is_done = true,
            _ => {}
        }
    }

    /// The mouse was used. `hits` are the parts of the screen that carry out an action.
    pub fn point(&mut self, mouse: MouseEvent, hits: &[Hit]) {
        let key = match mouse.kind {
            MouseEventKind::ScrollDown if self.page.is_some() => KeyCode::Down,
            MouseEventKind::ScrollUp if self.page.is_some() => KeyCode::Up,
            MouseEventKind::Down(MouseButton::Left) if self.page.is_some() => KeyCode::Esc,
            MouseEventKind::Down(MouseButton::Left) => {
                let place = Position::new(mouse.column, mouse.row);
                let Some(&(_, action)) = hits.iter().find(|(area, _)| area.contains(place)) else {
                    return;
                };
                self.chosen = action;
                KeyCode::Enter
            }
            _ => return,
        };
        self.press(key.into());
    }

    /// The next decision of a spectated match.
    pub fn step(&mut self) {
        self.page = None;
        let Some(agents) = &self.agents else {
            return;
        };
        let Some(player) = self.table.waiting().next() else {
            self.is_done = !self.plays;
            self.plays = false;
            return;
        };
        let (agent, seat) = (&agents[player.index()], self.table.seat_of(player));
        let decided = self.table.hint(player, agent).and_then(|action| {
            let phase = *self.table.deal().state().phase();
            self.table.act(player, action)?;
            let plan = self.table.rules().plan();
            Ok(plan.describe(action, &phase, self.lang))
        });
        match decided {
            Ok(words) => {
                self.message = format!("{seat} ({agent}): {words}");
                self.look();
            }
            Err(error) => {
                self.plays = false;
                self.message = error.to_string();
            }
        }
    }

    fn act(&mut self) {
        let Some(chosen) = self.view().legal.get(self.chosen).cloned() else {
            if self.table.is_over() {
                self.is_done = true;
            }
            return;
        };
        match self.table.act(self.me, chosen.action) {
            Ok(()) => {
                self.message = format!("you: {}", chosen.words);
                self.look();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    fn hint(&mut self) {
        match self.table.hint(self.me, &self.hints) {
            Ok(action) => {
                let legal = self.view().legal;
                if let Some(place) = legal.iter().position(|one| one.action == action) {
                    self.chosen = place;
                    self.message = format!("{} would {}", self.hints, legal[place].words);
                }
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Keeps the match in its file, if it has one.
    pub fn save(&self) -> Result<(), String> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let saved = Saved {
            player: self.me.index(),
            table: self.table.save(),
        };
        let text = serde_json::to_string(&saved).map_err(|error| error.to_string())?;
        output::write(file, text.as_bytes()).map_err(|fault| fault.to_string())
    }
}
