//! Explanations as text and as HTML.

use super::data::{ExplainedGroup, Explanation, LeftOut, Operation, Step};
use crate::score::reading::Reading;
use crate::score::{Score, ScoreFamily, ScoreRules, Tally};
use crate::text::escaped;
use std::fmt;

impl ScoreRules {
    /// The result of the hand in one line.
    pub(super) fn headline(&self, score: &Score, reading: &Reading<'_>) -> String {
        let points = score.points;
        if reading.hand.dead {
            return format!("{points} points: the hand is dead");
        }
        if reading.win.is_none() {
            return format!("{points} points, no win: {}", self.sum_in_words(score));
        }
        if score.tally.wins() {
            let split = self.split(score, reading);
            let split = split.map(|split| format!(" ({split})")).unwrap_or_default();
            return format!("{points} points{split}: {}", self.sum_in_words(score));
        }
        let minimum = self.family.minimum().map_or("", |minimum| &minimum.text);
        let why = match (&self.family, &score.tally) {
            (ScoreFamily::HanFu(_), Tally::HanFu(sum)) => {
                let is_closed = reading.hand.is_closed();
                let han =
                    |one: super::super::Counted<'_>| one.pattern.value.han(is_closed) * one.times;
                match self.told(score).map(han).sum() {
                    0_u32 if sum.fu > 0 => "no yaku".to_owned(),
                    yaku => format!("{yaku} han of yaku, and `{minimum}` is needed"),
                }
            }
            _ => format!("{}, and `{minimum}` is needed", self.sum_in_words(score)),
        };
        format!("Not enough to win: {why}")
    }
}

/// A group with its properties: `234m (won)`, `[EEE]` for a declared one, `[CCCC closed]`.
impl fmt::Display for ExplainedGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = &self.tiles;
        match (self.declared, self.open, self.winning) {
            (true, true, _) => write!(f, "[{tiles}]"),
            (true, false, _) => write!(f, "[{tiles} closed]"),
            (false, _, true) => write!(f, "{tiles} (won)"),
            (false, _, false) => write!(f, "{tiles}"),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.to_string();
        let (of, operation) = (self.of.word(), self.operation());
        write!(f, "{of:<8} {operation:<18} {value:>8}   {}", self.reason)
    }
}

impl Step {
    /// What it does in words: `+ 2.6`, `doubled 3 times`. Empty for a value that comes from a table or a formula.
    pub fn operation(&self) -> String {
        let amount = self.amount;
        match self.operation {
            Operation::Add => format!("+ {amount}"),
            Operation::RoundUp => format!("rounded up to {amount}"),
            Operation::AtLeast => format!("at least {amount}"),
            Operation::Becomes => String::new(),
        }
    }
}

/// `3 × `, and nothing for 1.
pub(crate) fn times(times: u32) -> String {
    match times {
        1 => String::new(),
        times => format!("{times} × "),
    }
}

/// A text, padded with blanks to a number of columns. A letter of Chinese, Japanese or Korean takes two.
fn column(text: &str, width: usize) -> String {
    let is_wide = |letter: char| {
        matches!(letter, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}')
    };
    let columns = text.chars().map(|letter| 1 + usize::from(is_wide(letter)));
    let missing = width.saturating_sub(columns.sum());
    format!("{text}{}", " ".repeat(missing))
}

fn listed<T: ToString>(parts: &[T], between: &str) -> String {
    let parts: Vec<String> = parts.iter().map(T::to_string).collect();
    parts.join(between)
}

/// A pattern or a row of fu, as texts and tables show it.
struct Row<'a> {
    name: &'a str,
    worth: String,
    made_of: String,
    doc: &'a str,
    src: &'a str,
}

impl Explanation {
    fn patterns(&self) -> impl Iterator<Item = Row<'_>> {
        self.patterns.iter().map(|one| Row {
            name: &one.name,
            worth: format!("{}{}", times(one.times), one.value),
            made_of: listed(&one.made_of, " "),
            doc: &one.doc,
            src: &one.src,
        })
    }

    fn fu(&self) -> impl Iterator<Item = Row<'_>> {
        self.fu.iter().map(|one| Row {
            name: &one.id,
            worth: format!("{}{} fu", times(one.times), one.fu),
            made_of: listed(&one.made_of, " "),
            doc: &one.doc,
            src: &one.src,
        })
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, has_docs: bool) -> fmt::Result {
        let write_row = |f: &mut fmt::Formatter<'_>, row: Row<'_>| {
            let Row {
                name,
                worth,
                made_of,
                doc,
                src,
            } = row;
            let start = format!("  {} {worth:<24} {made_of}", column(name, 26));
            let padded = column(&start, 74);
            match (has_docs, src) {
                (true, "") => writeln!(f, "{padded} {doc}"),
                (true, src) => writeln!(f, "{padded} {doc}  [{src}]"),
                (false, _) => writeln!(f, "{}", start.trim_end()),
            }
        };
        writeln!(f, "{}", self.headline)?;
        writeln!(f, "{}", listed(&self.groups, " "))?;
        for row in self.patterns() {
            write_row(f, row)?;
        }
        if self.patterns.is_empty() {
            writeln!(f, "  nothing counts")?;
        }
        for row in self.fu() {
            write_row(f, row)?;
        }
        for step in &self.steps {
            writeln!(f, "    {step}")?;
        }
        for LeftOut {
            name,
            value,
            reason,
            ..
        } in &self.left_out
        {
            writeln!(f, "  not {name} ({value}): {reason}")?;
        }
        if let Some(other) = &self.runner_up {
            let groups = listed(&other.groups, " ");
            writeln!(f, "  read as {groups}: {}", other.reason)?;
        }
        Ok(())
    }

    /// The explanation as text without the documentation of patterns and rows of fu: most lines but those of formulas fit into 80 columns.
    ///
    /// ```
    /// use paishan::{Notation, Request, Rules, Seat};
    /// let rules = Rules::by_id("woo")?;
    /// let request = Request::won(&"111234567s55s67s".parse()?, "8s".parse()?);
    /// let request = request.seat(Seat::NORTH).off(Seat::WEST);
    /// let told = rules.explain(&request, Notation::Ujmj)?;
    /// assert!(told.brief().to_string().lines().take(5).all(|line| line.len() < 80));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn brief(&self) -> impl fmt::Display {
        Brief(self)
    }
}

/// An explanation without documentation.
struct Brief<'a>(&'a Explanation);

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, false)
    }
}

/// The explanation as text, with the documentation and the source of each pattern and row of fu.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, true)
    }
}

/// A row of a table.
fn row(cells: &[&str]) -> String {
    let cells = cells
        .iter()
        .map(|cell| format!("<td>{}</td>", escaped(cell)));
    format!("<tr>{}</tr>\n", cells.collect::<String>())
}

/// A table, if it has rows.
fn table(class: &str, rows: &str) -> String {
    match rows.is_empty() {
        true => String::new(),
        false => format!("<table class=\"{class}\">\n{rows}</table>\n"),
    }
}

impl Explanation {
    /// The explanation as a fragment of HTML: a `div` of class `explanation` with a paragraph and tables. All text is
    /// escaped, and there are no scripts and no styles.
    ///
    /// ```
    /// use paishan::{Notation, Request, Rules, Seat};
    /// let rules = Rules::by_id("woo")?;
    /// let request = Request::won(&"111234567s55s67s".parse()?, "8s".parse()?);
    /// let request = request.seat(Seat::NORTH).off(Seat::WEST);
    /// let html = rules.explain(&request, Notation::Ujmj)?.to_html();
    /// assert!(html.starts_with("<div class=\"explanation\">\n<p>144 points: "));
    /// assert!(html.contains("<td>base</td><td>+ 10</td><td>18</td><td>Woo</td>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_html(&self) -> String {
        let group = |group: &ExplainedGroup| {
            let class = match group.winning {
                true => " class=\"winning\"",
                false => "",
            };
            format!("<span{class}>{}</span>", escaped(&group.to_string()))
        };
        let groups: Vec<String> = self.groups.iter().map(group).collect();
        let cells = |one: Row<'_>| row(&[one.name, &one.worth, &one.made_of, one.doc, one.src]);
        let steps = self.steps.iter().map(|step| {
            let value = step.value.to_string();
            row(&[step.of.word(), &step.operation(), &value, &step.reason])
        });
        let left_out = self.left_out.iter();
        let left_out = left_out.map(|one| row(&[&one.name, &one.value, &one.reason]));
        let runner_up = self.runner_up.as_ref().map(|other| {
            let groups = listed(&other.groups, " ");
            row(&[
                &groups,
                &listed(&other.names, ", "),
                &other.sum,
                &other.reason,
            ])
        });
        let tables = [
            table("patterns", &self.patterns().map(cells).collect::<String>()),
            table("fu", &self.fu().map(cells).collect::<String>()),
            table("steps", &steps.collect::<String>()),
            table("left-out", &left_out.collect::<String>()),
            table("runner-up", &runner_up.unwrap_or_default()),
        ];
        let (headline, groups) = (escaped(&self.headline), groups.join(" "));
        let tables = tables.concat();
        format!("<div class=\"explanation\">\n<p>{headline}</p>\n<p>{groups}</p>\n{tables}</div>\n")
    }
}
