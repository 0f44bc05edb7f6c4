use super::app::App;
use super::{Args, screen};
use clap::Parser;
use paishan::Seed;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

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

/// What a terminal of this size shows.
fn shown(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen::draw(frame, app)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let rows = buffer.content.chunks(usize::from(width));
    let rows = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>() + "\n");
    rows.collect()
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
