//! Documents as Markdown.

use super::{Block, Document, Inline, Inlines, Table};

/// The text with what Markdown and HTML would read as markup escaped.
fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' => {
                safe.push('\\');
                safe.push(letter);
            }
            '\n' | '\r' => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

/// A span of code. Its fence is longer than any run of back quotes in it.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    let longest = text.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    match text.starts_with('`') || text.ends_with('`') || text.is_empty() {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

fn line(line: &Inlines) -> String {
    let parts = line.0.iter().map(|part| match part {
        Inline::Text(text) => plain(text),
        Inline::Strong(text) => format!("**{}**", plain(text)),
        Inline::Code(text) | Inline::Tiles { words: text, .. } => code(text),
        Inline::Break => "<br>".to_owned(),
    });
    parts.collect()
}

fn table(table: &Table) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = row(table.heads.iter().map(|head| plain(head)).collect());
    out.push_str(&row(vec!["---".to_owned(); table.heads.len()]));
    for cells in &table.rows {
        out.push_str(&row(cells.iter().map(line).collect()));
    }
    out
}

impl Document {
    /// The document as Markdown with tables. Tiles are in notation. Names and docs cannot contain markup: it is escaped.
    pub fn to_markdown(&self) -> String {
        let mut parts = vec![format!("# {}", plain(&self.title))];
        for block in &self.blocks {
            parts.push(match block {
                Block::Heading { level, text } => {
                    let marks = "#".repeat(usize::from(level + 1).min(6));
                    format!("{marks} {}", plain(text))
                }
                Block::Text(text) => line(text),
                Block::List(items) => {
                    let items: Vec<String> = items
                        .iter()
                        .map(|item| format!("- {}", line(item)))
                        .collect();
                    items.join("\n")
                }
                Block::Table(one) => table(one).trim_end().to_owned(),
                Block::Contents => {
                    let sections: Vec<String> = (1..)
                        .zip(self.sections())
                        .map(|(place, text)| format!("{place}. {}", plain(text)))
                        .collect();
                    sections.join("\n")
                }
            });
        }
        parts.join("\n\n") + "\n"
    }
}
