use super::app::App;
use super::{Args, screen};
use clap::Parser;
use paishan::Seed;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// The program with the subcommand alone.
#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    args: Args,
}

fn app(line: &str) -> Result<App, String> {
    let words = line.split_whitespace();
    let args = Alone::try_parse_from(std::iter::once("play").chain(words));
    let args = args.map_err(|error| error.to_string())?.args;
    App::new(&args, args.rules.load()?, Seed::from(5))
}

fn press(app: &mut App, key: KeyCode) {
    app.press(KeyEvent::new(key, KeyModifiers::NONE));
}

/// What a terminal of this size shows, and where it can be clicked.
fn drawn(app: &App, width: u16, height: u16) -> (String, Vec<screen::Hit>) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut hits = Vec::new();
    terminal
        .draw(|frame| hits = screen::draw(frame, app))
        .unwrap();
    let buffer = terminal.backend().buffer().clone();
    let rows = buffer.content.chunks(usize::from(width));
    let rows = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>() + "\n");
    (rows.collect(), hits)
}

fn shown(app: &App, width: u16, height: u16) -> String {
    drawn(app, width, height).0
}

/// Uses the mouse at a place of a terminal of 80×24.
fn point(app: &mut App, kind: MouseEventKind, (column, row): (u16, u16)) {
    let (_, hits) = drawn(app, 80, 24);
    let mouse = MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    app.point(mouse, &hits);
}

fn click(app: &mut App, place: (u16, u16)) {
    point(app, MouseEventKind::Down(MouseButton::Left), place);
}

/// Actions, hints and news are in the language of the command line.
#[test]
fn actions_have_names_in_a_language() {
    for (lang, word) in [("zh", "打 "), ("ja", "打 "), ("fi", "discard ")] {
        let mut app = app(&format!("--ruleset mcr --hints greedy --lang {lang}")).unwrap();
        let first = app.view().legal[0].words.clone();
        assert!(first.starts_with(word), "{first}");
        press(&mut app, KeyCode::Char('h'));
        assert!(app.message.starts_with("greedy would "), "{}", app.message);
        assert!(
            !app.message.contains("discard") || lang == "fi",
            "{}",
            app.message
        );
    }
}

/// In every ruleset a deal is played with the keys alone, by hints, and its result is explained.
#[test]
fn a_deal_is_played_by_keys() {
    for id in paishan::ruleset::ids() {
        let mut app = app(&format!("--ruleset {id} --hints greedy")).unwrap();
        for step in 0.. {
            let view = app.view();
            let text = shown(&app, 80, 24);
            assert!(text.contains("E you"), "{id}:\n{text}");
            assert!(text.contains("ou may:"), "{id}:\n{text}");
            // Whatever the size, nothing breaks.
            shown(&app, 20, 5);
            press(&mut app, KeyCode::Char('h'));
            assert!(
                app.message.contains("greedy would"),
                "{id}: {}",
                app.message
            );
            if step == 3 {
                press(&mut app, KeyCode::Char('w'));
                assert!(shown(&app, 100, 30).contains("tiles left"), "{id}");
                press(&mut app, KeyCode::Esc);
                assert_eq!(app.view(), view, "{id}");
            }
            press(&mut app, KeyCode::Enter);
            if app.page.is_some() {
                break;
            }
            assert!(step < 200, "{id}: no deal ends");
        }
        let text = shown(&app, 100, 60);
        assert!(text.contains("The deal is over"), "{id}:\n{text}");
        assert!(text.contains("Deal 1"), "{id}:\n{text}");
        let told = text.contains(" wins") || text.contains("Nobody wins");
        assert!(told, "{id}:\n{text}");
        press(&mut app, KeyCode::Esc);
        press(&mut app, KeyCode::Char('e'));
        assert!(shown(&app, 80, 24).contains("Deal 1"));
    }
}

#[test]
fn a_decision_is_taken_back() {
    let mut app = app("--ruleset woo").unwrap();
    press(&mut app, KeyCode::Char('u'));
    assert_eq!(app.message, "there is no decision to take back");
    let before = app.view();
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Enter);
    assert_ne!(app.view(), before);
    assert!(!app.news.is_empty());
    press(&mut app, KeyCode::Char('u'));
    assert_eq!((app.view(), app.message.as_str()), (before, "taken back"));
}

/// The match is kept in a file and goes on from it. Other rules refuse it.
#[test]
fn a_match_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    let line = format!("--save {}", file.display());
    let mut first = app(&format!("--ruleset woo {line}")).unwrap();
    for _ in 0..5 {
        press(&mut first, KeyCode::Enter);
    }
    press(&mut first, KeyCode::Char('s'));
    assert!(first.message.starts_with("saved in "), "{}", first.message);
    let again = app(&format!("--ruleset woo {line}")).unwrap();
    assert_eq!(again.view(), first.view());
    let other = app(&format!("--ruleset uzje {line}"));
    let other = other.map(|_| ()).unwrap_err();
    assert!(other.contains("other rules"), "{other}");
    std::fs::write(&file, "[]").unwrap();
    assert!(app(&format!("--ruleset woo {line}")).is_err());
}

#[test]
fn seats_and_bots_are_checked() {
    assert!(app("--ruleset woo --seat 5").is_err());
    assert!(app("--ruleset woo --agents nobody").is_err());
    let six = app("--option players=6 --seat 6 --agents first,random").unwrap();
    let you = six.names.iter().filter(|name| *name == "you");
    assert_eq!(you.count(), 1);
    let text = shown(&six, 80, 24);
    assert!(text.contains("6 you") && text.contains("first"), "{text}");
    assert!(!app("--ruleset woo --plain").unwrap().is_done());
}

/// A click on an action or on a tile does what the keys do. A click elsewhere does nothing.
#[test]
fn actions_and_tiles_are_clicked() {
    for id in paishan::ruleset::ids() {
        let mut app = app(&format!("--ruleset {id}")).unwrap();
        let before = app.view();
        click(&mut app, (0, 0));
        assert_eq!(app.view(), before, "{id}");
        let (text, hits) = drawn(&app, 80, 24);
        let rows: Vec<Vec<char>> = text.lines().map(|row| row.chars().collect()).collect();
        // Each action can be clicked where it is written, and each tile that it may discard.
        for (place, one) in before.legal.iter().enumerate() {
            let written = hits.iter().filter(|(_, action)| *action == place);
            let written: Vec<String> = written
                .map(|(area, _)| {
                    let row = &rows[usize::from(area.y)][usize::from(area.x)..];
                    row[..usize::from(area.width)].iter().collect()
                })
                .collect();
            assert!(
                written.contains(&format!(" {} ", one.words)),
                "{id}: {}: {written:?}\n{text}",
                one.words
            );
            for tile in written.iter().filter(|text| !text.starts_with(' ')) {
                assert!(one.action.to_string().contains(&**tile), "{id}: {tile}");
            }
        }
        let &(area, place) = hits.first().unwrap();
        let chosen = before.legal[place].words.clone();
        click(&mut app, (area.x, area.y));
        assert_eq!(app.message, format!("you: {chosen}"), "{id}");
        press(&mut app, KeyCode::Char('u'));
        assert_eq!(app.view(), before, "{id}");
    }
}

#[test]
fn a_page_is_scrolled_and_closed_by_the_mouse() {
    let mut app = app("--ruleset woo").unwrap();
    press(&mut app, KeyCode::Char('?'));
    let before = app.view();
    point(&mut app, MouseEventKind::ScrollDown, (5, 5));
    assert_eq!(app.page.as_ref().map(|page| page.scroll), Some(1));
    point(&mut app, MouseEventKind::ScrollUp, (5, 5));
    assert_eq!(app.page.as_ref().map(|page| page.scroll), Some(0));
    // Nothing under the page is clicked.
    for row in 0..24 {
        press(&mut app, KeyCode::Char('?'));
        click(&mut app, (4, row));
        assert!(app.page.is_none());
    }
    assert_eq!(app.view(), before);
}

/// Agents play all seats, the hands lie open, and each decision can be taken back.
#[test]
fn a_match_is_spectated() {
    for id in paishan::ruleset::ids() {
        let mut app = app(&format!("--ruleset {id} --spectate --agents greedy,first")).unwrap();
        let text = shown(&app, 80, 24);
        assert!(
            text.contains("E greedy") && text.contains("S first"),
            "{id}:\n{text}"
        );
        assert!(!text.contains("ou may:"), "{id}:\n{text}");
        let state = app.table.deal().state().clone();
        for seat in paishan::Seat::all(state.players()).skip(1) {
            let hand = screen::tiles(&state.view(seat).snapshot().hand).join(" ");
            assert!(
                text.contains(&format!("    {hand} · ")),
                "{id}: {hand}\n{text}"
            );
        }
        let away = text.matches("ready").count();
        assert!(away >= state.players(), "{id}:\n{text}");
        press(&mut app, KeyCode::Enter);
        assert_ne!(*app.table.deal().state(), state, "{id}");
        press(&mut app, KeyCode::Char('u'));
        assert_eq!(*app.table.deal().state(), state, "{id}");
        for step in 0.. {
            press(&mut app, KeyCode::Enter);
            if app.page.is_some() {
                break;
            }
            assert!(step < 1000, "{id}: no deal ends");
        }
        assert!(shown(&app, 100, 60).contains("The deal is over"), "{id}");
        app.step();
        assert!(app.page.is_none(), "{id}");
    }
}

#[test]
fn a_spectated_match_plays_by_itself() {
    let mut app = app("--ruleset woo --spectate --pace 0.1 --agents first").unwrap();
    assert!(app.plays);
    press(&mut app, KeyCode::Char('p'));
    assert!(!app.plays);
    assert!(self::app("--ruleset woo --pace 1").is_err());
    assert!(self::app("--ruleset woo --spectate --pace -1").is_err());
    assert!(self::app("--ruleset woo --spectate --agents nobody").is_err());
}
