//! Keeps the ledger of an evening at real tables.
//!
//! ```text
//! paishan ledger --html friday.html --csv friday.csv friday.txt
//! ```

use crate::input;
use crate::output::{self, Fault};
use crate::rules::{LangArgs, RulesArgs};
use paishan::ledger::{Ledger, LedgerTable};
use paishan::{Number, Player};
use std::io;
use std::path::{Path, PathBuf};

/// Settles the deals of an evening at real tables, a line a deal, and says who deals next, totals and ranks. Wrong lines are
/// reported.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    names: LangArgs,
    /// Writes the ledger as one page of HTML here, to print.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes the ledger as Markdown here.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Writes a table of all changes here: a row for each line of the ledger and each player.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// The ledger; `-` for standard input. The documentation of the library's module `ledger` lists its lines.
    file: PathBuf,
}

/// The size limit of a ledger, in bytes.
const LONGEST: u64 = 1 << 20;

fn csv(ledger: &Ledger) -> Result<Vec<u8>, String> {
    let per_point = ledger.rules.plan().units_per_point();
    let number = |units: i64| Number::of_units(units, per_point).to_string();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "table", "line", "deal", "round", "dealer", "entry", "player", "change", "total", "rank",
    ];
    let mut rows = vec![header.map(str::to_owned)];
    for table in &ledger.tables {
        for entry in &table.entries {
            for (player, name) in table.players.iter().enumerate() {
                rows.push([
                    table.name.clone(),
                    entry.line.to_string(),
                    entry.deal.map_or(String::new(), |deal| deal.to_string()),
                    entry.round.letter().to_string(),
                    table.name(entry.dealer).to_owned(),
                    entry.text.clone(),
                    name.clone(),
                    number(entry.changes[player]),
                    number(entry.totals[player]),
                    String::new(),
                ]);
            }
        }
        let state = table.series.state();
        let (results, ranks) = (state.results(), state.ranks());
        for (player, name) in table.players.iter().enumerate() {
            let blank = String::new;
            rows.push([
                table.name.clone(),
                blank(),
                blank(),
                blank(),
                blank(),
                "result".to_owned(),
                name.clone(),
                number(results[player] - state.totals()[player]),
                number(results[player]),
                ranks[player].to_string(),
            ]);
        }
    }
    for row in rows {
        writer
            .write_record(row)
            .map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

/// The standing of a table in lines.
fn standing(table: &LedgerTable, per_point: i64) -> String {
    let state = table.series.state();
    let mut out = format!("{}\n", table.title());
    let (results, ranks) = (state.results(), state.ranks());
    for player in Player::all(table.players.len()) {
        let (total, result) = (state.totals()[player.index()], results[player.index()]);
        let total = Number::of_units(total, per_point);
        let result = match state.bonus() {
            Some(_) => format!(", result {}", Number::of_units(result, per_point)),
            None => String::new(),
        };
        let rank = ranks[player.index()];
        out.push_str(&format!(
            "  {rank}. {}: {total}{result}\n",
            table.name(player)
        ));
    }
    out.push_str(&match table.next_dealer() {
        Some(dealer) => format!(
            "  deal {}, round {}: {} deals\n",
            state.deal_number(),
            state.round().letter(),
            table.name(dealer)
        ),
        None => "  the match is over\n".to_owned(),
    });
    out
}

fn read(path: &Path) -> Result<String, String> {
    let text = match path.to_str() {
        Some("-") => input::read_all(io::stdin().lock(), LONGEST).and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_| io::Error::other("it is no text"))
        }),
        _ => input::read_text(path, LONGEST),
    };
    text.map_err(|error| format!("{}: {error}", path.display()))
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let text = read(&args.file)?;
    let rules = match args.rules.given()? {
        Some(_) => Some(args.rules.load()?),
        None => None,
    };
    let ledger = Ledger::read(&text, rules.as_ref()).map_err(|error| {
        let name = args.file.display();
        let faults = error.faults().iter();
        let lines = faults.map(|one| format!("{name}:{}: {}", one.line, one.fault));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    let document = ledger.document(args.names.lang);
    if let Some(path) = &args.html {
        output::write(path, document.to_html().as_bytes())?;
    }
    if let Some(path) = &args.markdown {
        output::write(path, document.to_markdown().as_bytes())?;
    }
    if let Some(path) = &args.csv {
        output::write(path, &csv(&ledger)?)?;
    }
    let per_point = ledger.rules.plan().units_per_point();
    let tables = ledger.tables.iter().map(|table| standing(table, per_point));
    output::say(&tables.collect::<Vec<_>>().join("\n"))
}
