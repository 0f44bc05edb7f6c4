//! Documents as HTML.

use super::{Block, Document, Inline, Inlines, Table};
use crate::draw::{Piece, svg};
use crate::text::escaped;
use std::fmt::Write;

/// The styles of a page: for screens from 390 pixels on, and for paper.
const STYLE: &str = include_str!("page.css");

/// Begins a page of HTML that loads nothing. `scripts` are the sources of scripts that its policy allows.
pub(crate) fn head(title: &str, lang: &str, style: &str, scripts: &str) -> String {
    let (title, lang) = (escaped(title), escaped(lang));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{scripts}\">\n\
         <title>{title}</title>\n<style>\n{style}</style></head><body>\n"
    )
}

fn line(out: &mut String, line: &Inlines) {
    for part in &line.0 {
        // Writing to a string cannot fail.
        let _ = match part {
            Inline::Text(text) => write!(out, "{}", escaped(text)),
            Inline::Strong(text) => write!(out, "<strong>{}</strong>", escaped(text)),
            Inline::Code(text) => write!(out, "<code>{}</code>", escaped(text)),
            Inline::Tiles { row, words } => write!(
                out,
                "<span class=\"drawn\" role=\"img\" aria-label=\"{}\">{}</span>",
                escaped(words),
                svg::row_of_sheet(row)
            ),
            Inline::Break => write!(out, "<br>"),
        };
    }
}

fn table(out: &mut String, table: &Table) {
    let classes = [(table.is_form, "form"), (table.long.is_some(), "lines")];
    let classes: Vec<&str> = classes
        .into_iter()
        .filter_map(|(is_so, class)| is_so.then_some(class))
        .collect();
    let class = |column: usize| match table.long == Some(column) {
        true => " class=\"long\"",
        false => "",
    };
    let _ = write!(
        out,
        "<div class=\"wide\"><table class=\"{}\">",
        classes.join(" ")
    );
    if table.heads.iter().any(|head| !head.is_empty()) {
        out.push_str("<thead><tr>");
        for (column, head) in table.heads.iter().enumerate() {
            let _ = write!(out, "<th{}>{}</th>", class(column), escaped(head));
        }
        out.push_str("</tr></thead>");
    }
    out.push_str("<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>", class(column));
            line(out, cell);
            out.push_str("</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

impl Document {
    /// The document as a page of HTML in one file: pictures and styles are within it, nothing is loaded, and there are no
    /// scripts. All text is escaped. In print every section begins on a new page.
    pub fn to_html(&self) -> String {
        let mut out = head(&self.title, self.lang.as_str(), STYLE, "");
        let rows = self.lines().flat_map(|line| &line.0);
        let pieces = rows.filter_map(|part| match part {
            Inline::Tiles { row, .. } => Some(row.groups.iter().flatten().copied()),
            _ => None,
        });
        let pieces: Vec<Piece> = pieces.flatten().collect();
        if !pieces.is_empty() {
            out.push_str(&svg::sheet(pieces));
        }
        let _ = writeln!(out, "<h1>{}</h1>", escaped(&self.title));
        let mut section = 0;
        for block in &self.blocks {
            match block {
                Block::Heading { level: 1, text } => {
                    section += 1;
                    let text = escaped(text);
                    let _ = writeln!(out, "<h2 id=\"section-{section}\">{text}</h2>");
                }
                Block::Heading { level, text } => {
                    let (level, text) = ((level + 1).clamp(3, 6), escaped(text));
                    let _ = writeln!(out, "<h{level}>{text}</h{level}>");
                }
                Block::Text(text) => {
                    out.push_str("<p>");
                    line(&mut out, text);
                    out.push_str("</p>\n");
                }
                Block::List(items) => {
                    out.push_str("<ul>\n");
                    for item in items {
                        out.push_str("<li>");
                        line(&mut out, item);
                        out.push_str("</li>\n");
                    }
                    out.push_str("</ul>\n");
                }
                Block::Table(one) => table(&mut out, one),
                Block::Contents => {
                    out.push_str("<nav><ol>\n");
                    for (place, text) in (1..).zip(self.sections()) {
                        let text = escaped(text);
                        let _ = writeln!(out, "<li><a href=\"#section-{place}\">{text}</a></li>");
                    }
                    out.push_str("</ol></nav>\n");
                }
            }
        }
        out.push_str("</body></html>\n");
        out
    }
}
