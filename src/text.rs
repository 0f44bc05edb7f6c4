//! Values that are written as one short text: the error for a text that is none, and with the feature `serde` their
//! form on a wire, which is the same text.

/// A text that is not what it was to be.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("`{found}` is no {what}")]
#[non_exhaustive]
pub struct ParseError {
    /// What it was to be, such as `seat`.
    pub what: &'static str,
    /// The text.
    pub found: String,
}

impl ParseError {
    pub(crate) fn new(what: &'static str, found: &str) -> Self {
        let found = found.to_owned();
        Self { what, found }
    }
}

/// Reads what one character says.
pub(crate) fn one_char<T>(
    what: &'static str,
    text: &str,
    read: impl FnOnce(char) -> Option<T>,
) -> Result<T, ParseError> {
    let mut chars = text.chars();
    match (chars.next().and_then(read), chars.next()) {
        (Some(value), None) => Ok(value),
        _ => Err(ParseError::new(what, text)),
    }
}

/// A text with its markup escaped, for HTML and SVG: as content and in attributes with double quotes.
///
/// ```
/// assert_eq!(paishan::text::escaped("<b title=\"x\">&"), "&lt;b title=&quot;x&quot;&gt;&amp;");
/// ```
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter => safe.push(letter),
        }
    }
    safe
}

/// The nearest of some words, if one is near.
pub(crate) fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Longer words are unlikely typos, and comparing them takes time.
    let short = |word: &str| word.len() <= 60;
    words
        .into_iter()
        .filter(|other| short(other) && short(word))
        .map(|other| (edits(word, other), other))
        .filter(|&(edits, other)| edits <= 1 + other.chars().count().min(12) / 4)
        .min()
        .map(|(_, other)| other.to_owned())
}

/// The most names that a message lists.
pub(crate) const MOST_LISTED: usize = 12;

/// What could be meant by an unknown name, as the end of a message: the nearest name, or all that there are.
pub(crate) fn hint(near: Option<&str>, known: &[impl AsRef<str>]) -> String {
    let listed: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    match near {
        Some(near) => format!("; did you mean `{near}`?"),
        None if listed.is_empty() || listed.len() > MOST_LISTED => String::new(),
        None => format!("; expected one of `{}`", listed.join("`, `")),
    }
}

/// The edit distance: insertions, removals, changes and swaps of neighbours.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(feature = "serde")]
/// Writes and reads types on a wire by their `Display` and `FromStr`.
macro_rules! as_text {
    ($($type:ty: $what:literal),* $(,)?) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;
                impl serde::de::Visitor<'_> for Text {
                    type Value = $type;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    )*};
}

#[cfg(feature = "serde")]
/// Writes and reads sets on a wire as lists of their members.
macro_rules! as_list {
    ($($type:ty: $item:ty, $what:literal),* $(,)?) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;
                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $type;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<$type, A::Error> {
                        std::iter::from_fn(|| list.next_element::<$item>().transpose()).collect()
                    }
                }
                deserializer.deserialize_seq(Members)
            }
        }
    )*};
}

#[cfg(feature = "serde")]
pub(crate) use {as_list, as_text};

/// Goes on with an FNV-1a hash. It is the same on every machine.
pub(crate) fn fnv_1a(start: u64, bytes: impl AsRef<[u8]>) -> u64 {
    bytes.as_ref().iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A number as sixteen hexadecimal digits: more than 2^53, which many readers of JSON would round.
#[cfg(feature = "serde")]
pub(crate) mod hex {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:016x}"))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(D::Error::custom)
    }

    /// The same for a number that may be missing.
    pub(crate) mod option {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        #[derive(Serialize, Deserialize)]
        #[serde(transparent)]
        struct Hex(#[serde(with = "super")] u64);

        pub(crate) fn serialize<S: Serializer>(
            number: &Option<u64>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            number.map(Hex).serialize(serializer)
        }

        pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<u64>, D::Error> {
            let number = Option::<Hex>::deserialize(deserializer)?;
            Ok(number.map(|Hex(number)| number))
        }
    }
}
