//! What is written in place of parts of a text.

/// What is written in place of a part of the text.
struct Rewrite {
    start: usize,
    end: usize,
    text: String,
}

/// What is written in place of parts of a text. No two of them overlap.
#[derive(Default)]
pub(super) struct Rewrites(Vec<Rewrite>);

impl Rewrites {
    pub(super) fn has_within(&self, (start, end): (usize, usize)) -> bool {
        let mut all = self.0.iter();
        all.any(|one| start <= one.start && one.end <= end)
    }

    /// The text between two places, with what is written in place of its parts.
    pub(super) fn between(&self, source: &str, (start, end): (usize, usize)) -> String {
        let within = self
            .0
            .iter()
            .filter(|one| start <= one.start && one.end <= end);
        let mut within: Vec<&Rewrite> = within.collect();
        within.sort_by_key(|one| one.start);
        let mut text = String::new();
        let mut from = start;
        for one in within {
            text += &source[from..one.start];
            text += &one.text;
            from = one.end;
        }
        text + &source[from..end]
    }

    pub(super) fn set(&mut self, (start, end): (usize, usize), text: String) {
        self.0.retain(|one| one.start < start || end < one.end);
        self.0.push(Rewrite { start, end, text });
    }
}

/// A part of an `and`, an `or`, a sum or a product: where it stands, and its value if options alone decide it.
pub(super) type Span = ((usize, usize), Option<i64>);
