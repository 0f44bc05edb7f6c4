//! The report: one self-contained HTML page, a table of patterns, and the short form.

use super::analysis::{Analysis, Compared, Estimate, Finding, Scale, share};
use super::job::Record;
use super::plots::{self, WIDTH};
use crate::output::{self, Fault};
use paishan::Seat;
use paishan::ruleset::Plan;
use paishan::score::PatternStatus;
use paishan::simulate::{Cause, CausePoints};
use paishan::text::escaped;
use std::fmt::Write;
use std::path::Path;

/// Writes `report.html`, `summary.json` and `patterns.csv`.
pub fn write(
    folder: &Path,
    plan: &Plan,
    record: &Record,
    analysis: &Analysis,
    suggest: bool,
) -> Result<(), Fault> {
    let (text, table) = (record.text(plan)?, csv(analysis)?);
    let page = page(plan, record, analysis, suggest)?;
    let [html, patterns] = ["report.html", "patterns.csv"].map(|name| folder.join(name));
    // Nothing of an earlier run may stand beside the new summary, whatever happens.
    for old in [&html, &patterns] {
        match std::fs::remove_file(old) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Fault::unwritten_file(old, error));
            }
            _ => {}
        }
    }
    output::write(&folder.join("summary.json"), text.as_bytes())?;
    output::write(&patterns, &table)?;
    output::write(&html, page.as_bytes())
}

const fn status(status: PatternStatus) -> &'static str {
    match status {
        PatternStatus::Fixed => "fixed",
        PatternStatus::Provisional => "provisional",
        PatternStatus::Assumed => "assumed",
    }
}

fn csv(analysis: &Analysis) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
    let header = [
        "pattern",
        "status",
        "hands",
        "times",
        "share",
        "share_low",
        "share_high",
        "share_compared",
        "more",
        "more_low",
        "more_high",
        "rarity",
        "value",
        "unit",
        "fair_value",
        "excess",
        "mean_place",
        "doc",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for finding in &analysis.patterns {
        rows.push(vec![
            finding.id.clone(),
            status(finding.status).to_owned(),
            finding.hands.to_string(),
            finding.times.to_string(),
            number(Some(finding.share.value)),
            number(Some(finding.share.low)),
            number(Some(finding.share.high)),
            number(finding.compared.map(|compared| compared.share.value)),
            number(finding.more().map(|more| more.value)),
            number(finding.more().map(|more| more.low)),
            number(finding.more().map(|more| more.high)),
            number(finding.rarity),
            number(finding.price),
            analysis.unit.name().to_owned(),
            number(finding.fair.map(|fair| fair.value)),
            number(finding.excess()),
            number(finding.place),
            finding.doc.clone(),
        ]);
    }
    for row in rows {
        writer
            .write_record(row)
            .map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

fn percent(e: Estimate) -> String {
    // Rare things need more decimal places.
    let places = if e.high < 0.001 {
        4
    } else if e.high < 0.01 {
        3
    } else {
        2
    };
    let [value, low, high] = [e.value, e.low, e.high].map(|x| format!("{:.places$}", 100.0 * x));
    format!("{value} % ({low}–{high})")
}

fn with_interval(e: Estimate) -> String {
    format!("{:+.2} ({:+.2} to {:+.2})", e.value, e.low, e.high)
}

/// Rows of a table: a name and its value.
fn facts(plan: &Plan, record: &Record) -> Vec<(&'static str, String)> {
    let statistics = &record.statistics;
    let summary = &statistics.summary;
    let wins: u64 = statistics.win_points.values().sum();
    let middle = |fraction: f64| {
        let mut left = (wins as f64 * fraction) as u64;
        let points = statistics.win_points.iter().find(|(_, count)| {
            let here = left < **count;
            left = left.saturating_sub(**count);
            here
        });
        points.map_or(0, |(points, _)| *points)
    };
    let discards: u64 = statistics
        .win_discards
        .iter()
        .map(|(n, count)| *n as u64 * count)
        .sum();
    let turns = discards as f64 / wins.max(1) as f64 / plan.players() as f64;
    let hands = summary.deals * plan.players() as u64;
    let points = format!(
        "{:.1} on average; half between {} and {}, median {}",
        summary.winning_points.iter().sum::<i64>() as f64 / wins.max(1) as f64,
        middle(0.25),
        middle(0.75),
        middle(0.5)
    );
    let mut rows = vec![
        ("players", record.players()),
        ("deals", summary.deals.to_string()),
        ("drawn", percent(share(summary.draws, summary.deals))),
    ];
    if wins > 0 {
        rows.extend([
            ("won by self-draw", percent(share(summary.self_draws, wins))),
            ("turn of the win", format!("{turns:.1} on average")),
            ("points of a win", points),
        ]);
    }
    if statistics.refused > 0 {
        let refused = percent(share(statistics.refused, hands));
        let later = percent(share(statistics.refused_and_won, statistics.refused));
        rows.push((
            "complete but below the minimum",
            format!("{refused} of hands; of these {later} won later"),
        ));
    }
    rows
}

/// What the line through prices says, in a sentence or two.
fn line_in_words(analysis: &Analysis) -> String {
    let Some(line) = analysis.line else {
        return "none, because fewer than four priced patterns were seen often enough".to_owned();
    };
    let unit = analysis.unit.name();
    // A slope of nothing has no sign.
    let tidy = |slope: f64| if slope.abs() < 0.005 { 0.0 } else { slope };
    let [slope, low, high] = [line.slope, line.slopes[0], line.slopes[1]].map(tidy);
    let (slope, low, high) = match analysis.scale {
        Scale::Even => (
            format!("{slope:+.2} {unit}"),
            format!("{low:+.2}"),
            format!("{high:+.2}"),
        ),
        Scale::Doubling => (
            format!("value × {:.2}", slope.exp2()),
            format!("{:.2}", low.exp2()),
            format!("{:.2}", high.exp2()),
        ),
    };
    let mut words = format!("{slope} ({low} to {high}) each time a pattern is half as frequent");
    if !line.rises() {
        words.push_str(match line.slopes[1] < 0.0 {
            true => ". Rarer patterns are cheaper here",
            false => ". This slope may be chance: values do not follow rarity",
        });
        words.push_str(", so the line does not say what a pattern should be worth");
    }
    let base: Vec<String> = analysis
        .base()
        .map(|finding| {
            format!(
                "{} ({:.0} % of wins)",
                finding.id,
                100.0 * finding.share.value
            )
        })
        .collect();
    if !base.is_empty() {
        let _ = write!(
            words,
            ". Left out, because players do not choose them: {}",
            base.join(", ")
        );
    }
    words
}

/// Why values of some patterns are not proposed, and how they are opened.
fn locked_in_words(analysis: &Analysis, ruleset: &str) -> Option<(String, String)> {
    let locked: Vec<&Finding> = analysis.locked().collect();
    let first = locked.first()?;
    let words = format!(
        "{} of the patterns on the line are fixed: their tables have no `status`, or `status = \"fixed\"`. To open a \
         value, set `status = \"provisional\"` there, or in a file that extends this one, such as",
        locked.len()
    );
    let text = format!(
        "ruleset = {{ id = \"my-{ruleset}\", extends = \"{ruleset}\" }}\npatterns.{}.status = \"provisional\"\n",
        first.id
    );
    Some((words, text))
}

/// Points a match by cause: for each the points by seat, or by player, and those gained by it.
struct ByCause {
    heads: Vec<String>,
    rows: Vec<(&'static str, Vec<f64>, f64)>,
}

impl ByCause {
    /// Reads the points with `of`. The last row has the sums.
    fn new(
        plan: &Plan,
        record: &Record,
        heads: impl Iterator<Item = String>,
        of: fn(&CausePoints) -> &[i64],
    ) -> Self {
        let matches = record.statistics.summary.matches.max(1) as f64;
        let per_point = plan.units_per_point() as f64;
        let points = |units: i64| units as f64 / per_point / matches;
        let row = |cause: Cause| {
            let all = record.statistics.causes.get(cause);
            let each = of(&all)[..plan.players()].iter().copied().map(points);
            (cause_in_words(cause), each.collect(), points(all.gained))
        };
        let occurred = record.statistics.causes.iter().map(|(cause, _)| cause);
        let mut rows: Vec<(_, Vec<f64>, f64)> = occurred.map(row).collect();
        let sum = |i: usize| rows.iter().map(|(_, each, _)| each[i]).sum();
        let sums = (0..plan.players()).map(sum).collect();
        let gained = rows.iter().map(|(_, _, gained)| gained).sum();
        rows.push(("all", sums, gained));
        Self {
            heads: heads.collect(),
            rows,
        }
    }

    /// By seat. Players take turns at the seats.
    fn of_seats(plan: &Plan, record: &Record) -> Self {
        let heads = Seat::all(plan.players()).map(|seat| seat.letter().to_string());
        Self::new(plan, record, heads, |points| &points.seats)
    }

    /// By player, if different agents played.
    fn of_players(plan: &Plan, record: &Record) -> Option<Self> {
        let agents = &record.job.agents;
        let is_mixed = agents.iter().any(|name| *name != agents[0]);
        let heads = || (0..).zip(agents).map(|(i, name)| format!("{i} {name}"));
        is_mixed.then(|| Self::new(plan, record, heads(), |points| &points.players))
    }

    fn text(&self, out: &mut String) {
        let _ = write!(out, "  {:<14}", "");
        for head in &self.heads {
            let _ = write!(out, "{head:>12}");
        }
        let _ = writeln!(out, "{:>12}", "gained");
        for (name, each, gained) in &self.rows {
            let _ = write!(out, "  {name:<14}");
            for points in each {
                let _ = write!(out, "{points:>+12.2}");
            }
            let _ = writeln!(out, "{gained:>12.2}");
        }
    }

    fn table(&self, out: &mut String) {
        let cell = |text: String, tag: &str| format!("<{tag} class=\"n\">{text}</{tag}>");
        let heads: String = self
            .heads
            .iter()
            .map(|head| cell(escaped(head), "th"))
            .collect();
        let _ = writeln!(
            out,
            "<div class=\"wide\"><table><tr><th></th>{heads}<th class=\"n\">gained by it</th></tr>"
        );
        for (name, each, gained) in &self.rows {
            let each: String = each
                .iter()
                .map(|points| cell(format!("{points:+.2}"), "td"))
                .collect();
            let _ = writeln!(
                out,
                "<tr><td>{name}</td>{each}{}</tr>",
                cell(format!("{gained:.2}"), "td")
            );
        }
        let _ = writeln!(out, "</table></div>");
    }
}

const fn cause_in_words(cause: Cause) -> &'static str {
    match cause {
        Cause::Win => "wins",
        Cause::LosingHand => "losing hands",
        Cause::Kong => "kongs",
        Cause::BonusTile => "bonus tiles",
        Cause::DrawnDeal => "drawn deals",
        Cause::Deposit => "deposits",
        Cause::MatchEnd => "end of match",
        _ => "other",
    }
}

/// Pairs of patterns that occur together far more often than by chance, and how much more often.
fn pairs<'a>(record: &Record, analysis: &'a Analysis) -> Vec<(&'a Finding, &'a Finding, u64, f64)> {
    let won = record.statistics.summary.wins.iter().sum::<u64>() as f64;
    let mut all = Vec::new();
    for (j, b) in analysis.patterns.iter().enumerate() {
        for a in &analysis.patterns[..j] {
            let both = record.statistics.both(a.index, b.index);
            if both >= 20 {
                let chance = a.hands as f64 * b.hands as f64 / won;
                all.push((a, b, both, both as f64 / chance));
            }
        }
    }
    all.sort_by(|a, b| b.3.total_cmp(&a.3));
    all
}

/// What was played, for titles.
fn title(plan: &Plan, record: &Record) -> String {
    format!(
        "{}: {} games with {}, seed {}",
        plan.name(),
        record.played.end - record.played.start,
        record.players(),
        record.job.seed
    )
}

/// The short form for the terminal.
pub fn short(plan: &Plan, record: &Record, analysis: &Analysis, suggest: bool) -> String {
    let mut out = format!("{}\n\n", title(plan, record));
    for (name, value) in facts(plan, record) {
        let _ = writeln!(out, "{name:<32}{value}");
    }
    if let Some(warning) = record.warning() {
        let _ = writeln!(out, "\nwarning: {warning}");
    }
    let _ = writeln!(out, "\npoints a deal by seat (E is the dealer)");
    for (letter, estimate) in &analysis.seats {
        let _ = writeln!(out, "  {letter}  {}", with_interval(*estimate));
    }
    let _ = writeln!(out, "\npoints a match by cause and seat");
    ByCause::of_seats(plan, record).text(&mut out);
    if let Some(players) = ByCause::of_players(plan, record) {
        let _ = writeln!(out, "\npoints a match by cause and player");
        players.text(&mut out);
    }
    let _ = writeln!(out, "\nprice line: {}", line_in_words(analysis));
    let named = |finding: &Finding| {
        let fair = finding.fair.map_or(0.0, |fair| fair.value);
        let fixed = if finding.may_change() { "" } else { ", fixed" };
        format!(
            "  {:<28}{:>5.1} {}, in {} of wins; so rare a pattern: {fair:.1}{fixed}",
            finding.id,
            finding.price.unwrap_or(0.0),
            analysis.unit.name(),
            percent(finding.share),
        )
    };
    let outliers = analysis.outliers();
    let by = |sign: f64| {
        let far = |finding: &&Finding| finding.excess().is_some_and(|excess| sign * excess > 0.05);
        outliers.iter().copied().filter(far).collect::<Vec<_>>()
    };
    let (dear, cheap) = (by(1.0), by(-1.0));
    for (heading, list) in [
        ("dearest for their rarity", dear),
        ("cheapest for their rarity", cheap),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "\n{heading}");
        }
        for finding in list.into_iter().take(5) {
            let _ = writeln!(out, "{}", named(finding));
        }
    }
    let pursued = analysis.pursued();
    let clear = |more: &Estimate, sign: f64| (sign * more.low).min(sign * more.high) > 0.0;
    let list = |sign: f64| {
        let of = move |(_, compared): &&(&Finding, Compared)| clear(&compared.more, sign);
        let mut list: Vec<_> = pursued.iter().filter(of).copied().collect();
        if sign < 0.0 {
            list.reverse();
        }
        list
    };
    let weak = record.job.compared.as_deref().unwrap_or_default();
    let who = record.players();
    for (heading, list) in [
        (
            format!("{who} wins more often with these than {weak}"),
            list(1.0),
        ),
        (
            format!("{who} wins less often with these than {weak}"),
            list(-1.0),
        ),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "\n{heading}");
        }
        for (finding, compared) in list.into_iter().take(5) {
            let _ = writeln!(
                out,
                "  {:<28}{} of wins; {weak} {}",
                finding.id,
                percent(finding.share),
                percent(compared.share),
            );
        }
    }
    let unseen: Vec<&str> = analysis
        .unseen()
        .map(|finding| finding.id.as_str())
        .collect();
    if !unseen.is_empty() {
        let _ = writeln!(out, "\nnever seen: {}", unseen.join(", "));
    }
    if suggest {
        let _ = writeln!(out, "\nproposed values");
        if let Some(caveat) = caveat(analysis) {
            let _ = writeln!(out, "  {caveat}");
        }
        for proposal in analysis.proposals() {
            let _ = writeln!(
                out,
                "  {:<28}{:>5.1} → {:.1} ({:.1} to {:.1})",
                proposal.finding.id,
                proposal.finding.price.unwrap_or(0.0),
                proposal.value,
                proposal.low,
                proposal.high
            );
        }
        if let Some((words, text)) = locked_in_words(analysis, plan.id()) {
            let _ = writeln!(out, "\n{words}\n");
            for line in text.lines() {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    out
}

/// Why there are no proposals, or why they mean little.
fn caveat(analysis: &Analysis) -> Option<&'static str> {
    match analysis.line {
        None => Some("none, because there is no price line"),
        Some(_) if analysis.proposals().is_empty() => {
            Some("none, because no pattern on the line may be changed")
        }
        Some(line) => (!line.rises()).then_some(
            "these mean little: the line does not rise beyond chance, so each is close to the median value",
        ),
    }
}

/// Groups counts into at most `most` bars of the same width.
fn binned(counts: impl Iterator<Item = (i64, u64)> + Clone, most: i64) -> (Vec<(f64, u64)>, f64) {
    let first = counts.clone().map(|(at, _)| at).min().unwrap_or(0);
    // The largest one per cent would stretch the plot.
    let all: u64 = counts.clone().map(|(_, count)| count).sum();
    let mut left = all - all / 100;
    let mut last = first;
    for (at, count) in counts.clone() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(count);
        last = at;
    }
    let width = ((last - first) / most + 1).max(1);
    let mut bins = vec![0; ((last - first) / width + 1) as usize];
    for (at, count) in counts.filter(|(at, _)| *at <= last) {
        bins[((at - first) / width) as usize] += count;
    }
    let places = (0..).map(|i| (first + i * width) as f64);
    (places.zip(bins).collect(), width as f64)
}

const STYLE: &str = "
body{font:16px/1.5 system-ui,sans-serif;color:#222831;max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2.2rem}
svg{width:100%;max-width:46rem;height:auto;display:block}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}
th,td{padding:.25rem .7rem .25rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #e4e7ec}
td.n,th.n{text-align:right;white-space:nowrap}
.fixed{color:#7a828d}p.warning{border-left:4px solid #c43d36;padding-left:.7rem}p.note{color:#555d68;font-size:.9rem}";

/// The HTML page.
fn page(
    plan: &Plan,
    record: &Record,
    analysis: &Analysis,
    suggest: bool,
) -> Result<String, String> {
    let statistics = &record.statistics;
    let title = escaped(&title(plan, record));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <p class=\"note\">Ruleset {} (hash {}), games {} to {} of {}. Intervals are of 95 %.</p>\n",
        escaped(&record.job.ruleset),
        record.job.ruleset_hash,
        record.played.start,
        record.played.end,
        record.job.games,
    );
    let _ = writeln!(out, "<table>");
    for (name, value) in facts(plan, record) {
        let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", escaped(&value));
    }
    let _ = writeln!(out, "</table>");
    if let Some(warning) = record.warning() {
        let _ = writeln!(out, "<p class=\"warning\">{}</p>", escaped(&warning));
    }
    let _ = writeln!(out, "<h2>Price against rarity</h2>");
    out.push_str(&plots::svg("prices", (WIDTH, 480), |area| {
        plots::prices(area, analysis)
    })?);
    let _ = writeln!(
        out,
        "<p class=\"note\">Each point is a pattern: blue where its value may be changed, grey where the \
         source fixes it. The line goes through the middle of them; names are farthest from it.</p>\n\
         <p>Price line: {}.</p>\n<h2>Dearest and cheapest for their rarity</h2>",
        escaped(&line_in_words(analysis))
    );
    let mut far: Vec<&Finding> = analysis.outliers().into_iter().take(16).collect();
    far.sort_by(|a, b| {
        b.excess()
            .unwrap_or(0.0)
            .total_cmp(&a.excess().unwrap_or(0.0))
    });
    let rows: Vec<(String, f64, String)> = far
        .iter()
        .map(|finding| {
            let excess = finding.excess().unwrap_or(0.0);
            let fixed = if finding.may_change() { "" } else { " fixed" };
            (finding.id.clone(), excess, format!("{excess:+.1}{fixed}"))
        })
        .collect();
    let unit = analysis.unit.name();
    let height = 70 + 24 * rows.len().max(1) as u32;
    out.push_str(&plots::svg("outliers", (WIDTH, height), |area| {
        plots::bars(area, &rows, &format!("{unit} more or less than the line"))
    })?);
    let _ = writeln!(out, "<h2>Turn of the win</h2>");
    let players = plan.players() as i64;
    let mut turns = std::collections::BTreeMap::new();
    for (discards, count) in &statistics.win_discards {
        *turns.entry(*discards as i64 / players + 1).or_insert(0) += count;
    }
    let (bins, width) = binned(turns.iter().map(|(&turn, &count)| (turn, count)), 40);
    out.push_str(&plots::svg("turns", (WIDTH, 340), |area| {
        plots::histogram(area, &bins, width, "turn", "% of wins")
    })?);
    let _ = writeln!(out, "<h2>Points of a win</h2>");
    let (bins, width) = binned(
        statistics
            .win_points
            .iter()
            .map(|(&points, &n)| (points, n)),
        40,
    );
    out.push_str(&plots::svg("points", (WIDTH, 340), |area| {
        plots::histogram(
            area,
            &bins,
            width,
            "points (the dearest hundredth left out)",
            "% of wins",
        )
    })?);
    let _ = writeln!(out, "<h2>Seats</h2>");
    out.push_str(&plots::svg("seats", (WIDTH, 340), |area| {
        plots::seats(area, analysis)
    })?);
    let _ = writeln!(
        out,
        "<h2>Points a match by cause</h2>\n<p class=\"note\">What seats won minus what they lost; the end of the match \
         belongs to the seats of the first deal. The last column leaves losses out.</p>"
    );
    ByCause::of_seats(plan, record).table(&mut out);
    if let Some(players) = ByCause::of_players(plan, record) {
        players.table(&mut out);
    }
    let _ = writeln!(out, "<h2>Places of players who won with a pattern</h2>");
    let mut moved: Vec<(&Finding, f64)> = analysis
        .patterns
        .iter()
        .filter(|finding| finding.hands >= 20)
        .filter_map(|finding| Some((finding, analysis.place - finding.place?)))
        .collect();
    moved.sort_by(|a, b| b.1.total_cmp(&a.1));
    let rows: Vec<(String, f64, String)> = moved
        .iter()
        .take(24)
        .map(|(finding, better)| (finding.id.clone(), *better, format!("{better:+.2}")))
        .collect();
    let height = 70 + 24 * rows.len().max(1) as u32;
    out.push_str(&plots::svg("places", (WIDTH, height), |area| {
        plots::bars(area, &rows, "places better than the average player")
    })?);
    if let Some(weak) = &record.job.compared {
        pursued_table(&mut out, &record.players(), weak, &analysis.pursued());
    }
    patterns_table(&mut out, analysis);
    pairs_table(&mut out, &pairs(record, analysis));
    if suggest {
        proposals_table(&mut out, analysis, plan.id());
    }
    let unseen: Vec<String> = analysis
        .unseen()
        .map(|finding| escaped(&finding.id))
        .collect();
    let _ = writeln!(
        out,
        "<h2>Never seen</h2>\n{}",
        match unseen.is_empty() {
            true => "<p>Every pattern was seen.</p>".to_owned(),
            false => format!(
                "<details><summary>{} patterns</summary><p>{}</p></details>",
                unseen.len(),
                unseen.join(", ")
            ),
        }
    );
    out.push_str("</body></html>\n");
    Ok(out)
}

fn pursued_table(out: &mut String, strong: &str, weak: &str, rows: &[(&Finding, Compared)]) {
    let _ = writeln!(
        out,
        "<h2>What {strong} pursues and {weak} does not</h2>\n<p class=\"note\">Shares of winning hands, on the same walls. \
         Those in grey do not differ clearly.</p>\n<div class=\"wide\"><table id=\"pursued\"><tr><th>pattern</th>\
         <th class=\"n\">{strong}</th><th class=\"n\">{weak}</th><th class=\"n\">difference in %</th></tr>"
    );
    for (finding, compared) in rows {
        let more = compared.more;
        let is_clear = more.low > 0.0 || more.high < 0.0;
        let [value, low, high] =
            [more.value, more.low, more.high].map(|share| format!("{:+.2}", 100.0 * share));
        let _ = writeln!(
            out,
            "<tr{}><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{value} ({low} to {high})</td></tr>",
            if is_clear { "" } else { " class=\"fixed\"" },
            escaped(&finding.id),
            percent(finding.share),
            percent(compared.share),
        );
    }
    let _ = writeln!(out, "</table></div>");
}

fn patterns_table(out: &mut String, analysis: &Analysis) {
    let unit = analysis.unit.name();
    let _ = writeln!(
        out,
        "<h2>Patterns</h2>\n<div class=\"wide\"><table><tr><th>pattern</th><th class=\"n\">share of wins</th>\
         <th class=\"n\">{unit}</th><th class=\"n\">on the line</th><th>status</th><th></th></tr>"
    );
    // Those that were never seen are listed at the end of the page.
    let seen = analysis.patterns.iter().filter(|finding| finding.hands > 0);
    let mut all: Vec<&Finding> = seen.collect();
    all.sort_by_key(|finding| std::cmp::Reverse(finding.hands));
    for finding in all {
        let number =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
        let _ = writeln!(
            out,
            "<tr{}><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td>\
             <td>{}</td></tr>",
            if finding.may_change() {
                ""
            } else {
                " class=\"fixed\""
            },
            escaped(&finding.id),
            percent(finding.share),
            number(finding.price),
            number(finding.fair.map(|fair| fair.value)),
            status(finding.status),
            escaped(&finding.doc),
        );
    }
    let _ = writeln!(out, "</table></div>");
}

fn pairs_table(out: &mut String, pairs: &[(&Finding, &Finding, u64, f64)]) {
    let _ = writeln!(
        out,
        "<h2>Patterns that occur together</h2>\n<div class=\"wide\"><table><tr><th>patterns</th>\
         <th class=\"n\">hands</th><th class=\"n\">times as often as by chance</th></tr>"
    );
    for (a, b, both, lift) in pairs.iter().take(20) {
        let _ = writeln!(
            out,
            "<tr><td>{} and {}</td><td class=\"n\">{both}</td><td class=\"n\">{lift:.1}</td></tr>",
            escaped(&a.id),
            escaped(&b.id),
        );
    }
    let _ = writeln!(out, "</table></div>");
}

fn proposals_table(out: &mut String, analysis: &Analysis, ruleset: &str) {
    let _ = writeln!(
        out,
        "<h2>Proposed values</h2>\n<p class=\"note\">On the line and on the quantum, for patterns whose value may \
         be changed.</p>\n<div class=\"wide\"><table><tr><th>pattern</th><th class=\"n\">now</th>\
         <th class=\"n\">proposed</th><th class=\"n\">interval</th></tr>"
    );
    for proposal in analysis.proposals() {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.1}</td><td class=\"n\">{:.1}–{:.1}</td></tr>",
            escaped(&proposal.finding.id),
            proposal.finding.price.unwrap_or(0.0),
            proposal.value,
            proposal.low,
            proposal.high
        );
    }
    let _ = writeln!(out, "</table></div>");
    if let Some(caveat) = caveat(analysis) {
        let _ = writeln!(out, "<p>{caveat}</p>");
    }
    if let Some((words, text)) = locked_in_words(analysis, ruleset) {
        let (words, text) = (escaped(&words), escaped(&text));
        let _ = writeln!(out, "<p>{words}</p>\n<pre>{text}</pre>");
    }
}
