//! A text with headings, tables and drawn tiles, written as one self-contained page of HTML or as Markdown: the form of
//! [rulebooks](crate::rulebook) and [ledgers](crate::ledger).
//!
//! ```
//! use paishan::document::{Block, Document};
//! let mut document = Document::new("Rules <for us>");
//! document.push(Block::heading(1, "Wall"));
//! document.push(Block::text("A wall of 136 tiles."));
//! assert!(document.to_html().contains("<title>Rules &lt;for us&gt;</title>"));
//! assert!(document.to_markdown().starts_with("# Rules \\<for us\\>\n\n## Wall\n\nA wall of 136 tiles."));
//! ```

mod html;
mod markdown;

pub(crate) use html::head;

use crate::draw::Row;
use crate::lang::Lang;

/// A part of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Inline {
    /// Plain text.
    Text(String),
    /// Text that stands out.
    Strong(String),
    /// An id, a value or notation.
    Code(String),
    /// Drawn tiles, and the same in notation for readers without pictures.
    Tiles {
        /// The tiles.
        row: Row,
        /// The tiles in notation.
        words: String,
    },
    /// A line break.
    Break,
}

/// A line of text, the content of a cell or of an item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inlines(pub Vec<Inline>);

impl Inlines {
    /// The line and more text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Text(text.into()));
        self
    }

    /// The line and more text, in which what stands between back quotes is an id, a value or notation.
    #[must_use]
    pub fn marked(mut self, text: &str) -> Self {
        let mut parts = text.split('`').peekable();
        let mut is_code = false;
        while let Some(part) = parts.next() {
            // A last back quote without a partner is text.
            let is_open = is_code && parts.peek().is_none();
            match (is_code, is_open, part) {
                (true, true, part) => self.0.push(Inline::Text(format!("`{part}"))),
                (true, false, part) => self.0.push(Inline::Code(part.to_owned())),
                (false, _, "") => {}
                (false, _, part) => self.0.push(Inline::Text(part.to_owned())),
            }
            is_code = !is_code;
        }
        self
    }

    /// The line followed by another.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The line and more text that stands out.
    #[must_use]
    pub fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Strong(text.into()));
        self
    }

    /// The line and an id, a value or notation.
    #[must_use]
    pub fn code(mut self, text: impl Into<String>) -> Self {
        self.0.push(Inline::Code(text.into()));
        self
    }

    /// The line and drawn tiles, with the same in notation.
    #[must_use]
    pub fn tiles(mut self, row: Row, words: impl Into<String>) -> Self {
        let words = words.into();
        self.0.push(Inline::Tiles { row, words });
        self
    }

    /// The line and a line break.
    #[must_use]
    pub fn line_break(mut self) -> Self {
        self.0.push(Inline::Break);
        self
    }
}

impl<T: Into<String>> From<T> for Inlines {
    fn from(text: T) -> Self {
        Self::default().text(text)
    }
}

/// A part of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Block {
    /// A heading. Level 1 begins a section: a new page in print and a line of the contents.
    Heading {
        /// The level, from 1.
        level: u8,
        /// The text.
        text: String,
    },
    /// A paragraph.
    Text(Inlines),
    /// A list of items.
    List(Vec<Inlines>),
    /// A table.
    Table(Table),
    /// The contents: a link to each section.
    Contents,
}

/// A table of cells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Inlines>>,
    /// The table is an empty form to be filled in by hand, so its cells are high and have lines around them.
    pub is_form: bool,
    /// The column of long texts. On a narrow screen each has a line of its own below its row.
    pub long: Option<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new<T: Into<String>>(heads: impl IntoIterator<Item = T>) -> Self {
        Self {
            heads: heads.into_iter().map(T::into).collect(),
            ..Self::default()
        }
    }

    /// Adds a row.
    pub fn push<T: Into<Inlines>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(T::into).collect());
    }
}

impl Block {
    /// A heading.
    pub fn heading(level: u8, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Heading { level, text }
    }

    /// A paragraph.
    pub fn text(line: impl Into<Inlines>) -> Self {
        Self::Text(line.into())
    }
}

/// A document.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// The title.
    pub title: String,
    /// The language of most of its text.
    pub lang: Lang,
    /// The parts in order.
    pub blocks: Vec<Block>,
}

impl Document {
    /// An empty document.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// Adds a part.
    pub fn push(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// The texts of the sections.
    fn sections(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Heading { level: 1, text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Every line of text.
    fn lines(&self) -> impl Iterator<Item = &Inlines> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Text(line) => vec![line],
            Block::List(items) => items.iter().collect(),
            Block::Table(table) => table.rows.iter().flatten().collect(),
            Block::Heading { .. } | Block::Contents => Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_quotes_mark_code() {
        let code = |text: &str| Inline::Code(text.into());
        let text = |text: &str| Inline::Text(text.into());
        assert_eq!(
            Inlines::default().marked("a `b` c").0,
            [text("a "), code("b"), text(" c")]
        );
        assert_eq!(Inlines::default().marked("`b`").0, [code("b")]);
        assert_eq!(
            Inlines::default().marked("a `b").0,
            [text("a "), text("`b")]
        );
        assert_eq!(Inlines::default().marked("").0, []);
    }

    #[test]
    fn markup_is_escaped_everywhere() {
        let hostile = "<script>alert(1)</script>";
        let mut document = Document::new(hostile);
        document.push(Block::heading(1, hostile));
        document.push(Block::Contents);
        document.push(Block::text(
            Inlines::from(hostile).strong(hostile).code(hostile),
        ));
        document.push(Block::List(vec![hostile.into()]));
        let mut table = Table::new([hostile]);
        table.push([Inlines::default().tiles(Row::default(), "\" onload=\"x")]);
        document.push(Block::Table(table));
        let html = document.to_html();
        assert!(
            !html.contains("<script") && !html.contains("\" onload"),
            "{html}"
        );
        let markdown = document.to_markdown();
        let outside_code = markdown.replace(&format!("`{hostile}`"), "");
        let outside_code = outside_code.replace("\\<", "");
        assert!(!outside_code.contains("<script"), "{markdown}");
    }

    #[test]
    fn code_with_back_quotes_gets_a_longer_fence() {
        let mut document = Document::new("t");
        document.push(Block::text(Inlines::default().code("a``b")));
        assert!(document.to_markdown().contains("```a``b```"));
    }
}
