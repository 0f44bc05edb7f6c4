//! Names for people by language: [`Lang`], the tag of a language, and [`Names`], what one thing is called.

use crate::text::ParseError;
use std::fmt;
use std::str::FromStr;

/// The most letters of a tag.
const LONGEST: usize = 8;

/// The tag of a language: 2 to 8 lower-case letters, digits and hyphens, the first a letter and the last no hyphen.
///
/// ```
/// use paishan::Lang;
/// let lang: Lang = "zh-tw".parse()?;
/// assert_eq!(lang.to_string(), "zh-tw");
/// assert!("ZH".parse::<Lang>().is_err());
/// # Ok::<(), paishan::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lang {
    /// Padded with zeros.
    letters: [u8; LONGEST],
}

impl Lang {
    /// English, the language of names without a tag.
    pub const EN: Self = Self::of(*b"en");
    /// Chinese.
    pub const ZH: Self = Self::of(*b"zh");
    /// Japanese.
    pub const JA: Self = Self::of(*b"ja");

    const fn of([first, second]: [u8; 2]) -> Self {
        Self {
            letters: [first, second, 0, 0, 0, 0, 0, 0],
        }
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        let len = self.letters.iter().position(|&letter| letter == 0);
        let tag = &self.letters[..len.unwrap_or(LONGEST)];
        // A tag is ASCII.
        std::str::from_utf8(tag).unwrap_or_default()
    }

    /// The tag without what follows its last hyphen. `None` without a hyphen.
    fn parent(&self) -> Option<Self> {
        let (parent, _) = self.as_str().rsplit_once('-')?;
        parent.parse().ok()
    }
}

/// English.
impl Default for Lang {
    fn default() -> Self {
        Self::EN
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lang({self})")
    }
}

impl FromStr for Lang {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let is_tag =
            |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
        let bytes = text.as_bytes();
        let is_valid = (2..=LONGEST).contains(&bytes.len())
            && bytes.iter().copied().all(is_tag)
            && bytes[0].is_ascii_lowercase()
            && !text.ends_with('-');
        if !is_valid {
            return Err(ParseError::new("language tag", text));
        }
        let mut letters = [0; LONGEST];
        letters[..bytes.len()].copy_from_slice(bytes);
        Ok(Self { letters })
    }
}

/// What one thing is called, by language.
///
/// ```
/// use paishan::{Lang, Rules};
/// let text = "ruleset = { id = \"my-woo\", extends = \"woo\", name = { en = \"My Woo\", zh = \"我的\" } }";
/// let rules = Rules::from_toml("my-woo.toml", text)?;
/// let names = rules.plan().names();
/// assert_eq!(names.get(Lang::ZH), "我的");
/// assert_eq!(names.get("zh-tw".parse()?), "我的");
/// assert_eq!(names.get(Lang::JA), "My Woo");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Names {
    given: Vec<(Lang, String)>,
    /// The id in words.
    fallback: String,
}

impl Names {
    /// The name of an id, with the names that a file gives.
    pub(crate) fn new(id: &str, given: Vec<(Lang, String)>) -> Self {
        let fallback = in_words(id);
        Self { given, fallback }
    }

    /// Sets the names that a file gives.
    pub(crate) fn give(&mut self, given: Vec<(Lang, String)>) {
        self.given = given;
    }

    /// The name in a language. Without one, the name in the language that the tag begins with (`zh` for `zh-tw`), then
    /// the English name, then the id in words (`All pungs` for `all-pungs`).
    pub fn get(&self, lang: Lang) -> &str {
        self.given_for(lang).unwrap_or(&self.fallback)
    }

    /// The name in a language as [`get`](Self::get) finds it, if the file gives one.
    pub(crate) fn given_for(&self, lang: Lang) -> Option<&str> {
        let asked = std::iter::successors(Some(lang), Lang::parent);
        let mut names = asked
            .chain([Lang::EN])
            .filter_map(|lang| self.given_in(lang));
        names.next()
    }

    /// The name that the file gives in exactly this language.
    pub fn given_in(&self, lang: Lang) -> Option<&str> {
        let given = self.given.iter().find(|(tag, _)| *tag == lang);
        given.map(|(_, name)| name.as_str())
    }

    /// The languages in which the file gives a name, in its order.
    pub fn langs(&self) -> impl Iterator<Item = Lang> + '_ {
        self.given.iter().map(|(lang, _)| *lang)
    }

    /// These names, and those of `base` in languages without one.
    pub(crate) fn over(mut self, base: &Self) -> Self {
        let more = base.given.iter();
        let more: Vec<_> = more
            .filter(|(lang, _)| self.given_in(*lang).is_none())
            .cloned()
            .collect();
        self.given.extend(more);
        self
    }
}

/// An id in words: the first letter in upper case, hyphens as blanks.
fn in_words(id: &str) -> String {
    let mut letters = id.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let rest = letters.map(|letter| if letter == '-' { ' ' } else { letter });
    first.into_iter().chain(rest).collect()
}

/// A name with values in the place of `{word}`.
pub(crate) fn fill(name: &str, values: &[(&str, &str)]) -> String {
    let mut filled = name.to_owned();
    for (word, value) in values {
        filled = filled.replace(&format!("{{{word}}}"), value);
    }
    filled
}

/// The first `{word}` of a name that is none of some words.
pub(crate) fn unknown_word<'a>(name: &'a str, words: &[&str]) -> Option<&'a str> {
    let mut parts = name
        .split('{')
        .skip(1)
        .map(|part| part.split('}').next().unwrap_or(part));
    parts.find(|part| !words.contains(part))
}

/// A struct of [`Names`], with the key of each and the words that may stand in braces in it.
macro_rules! named {
    ($(#[$about:meta])* $type:ident { $($field:ident: $key:literal $([$($word:literal),+])?),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $type {
            $(pub(crate) $field: $crate::lang::Names),+
        }

        impl $type {
            /// Makes the names from those of each key.
            pub(crate) fn read<E>(
                mut read: impl FnMut(&'static str, &[&str]) -> Result<Vec<($crate::lang::Lang, String)>, E>,
            ) -> Result<Self, E> {
                Ok(Self {
                    $($field: $crate::lang::Names::new($key, read($key, &[$($($word),+)?])?)),+
                })
            }

            /// These names, and those of `base` in languages without one.
            pub(crate) fn over(self, base: &Self) -> Self {
                Self { $($field: self.$field.over(&base.$field)),+ }
            }

            /// Every key of a ruleset file with its names.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, &$crate::lang::Names)> {
                [$(($key, &self.$field)),+].into_iter()
            }
        }
    };
}

pub(crate) use named;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_two_to_eight_lower_case_letters() {
        for tag in ["en", "zh-tw", "zh-hant", "x1", "abcdefgh"] {
            assert_eq!(tag.parse::<Lang>().unwrap().to_string(), tag);
        }
        for text in [
            "",
            "e",
            "EN",
            "abcdefghi",
            "1x",
            "-en",
            "en-",
            "e n",
            "zh_tw",
            "日本",
        ] {
            let error = text.parse::<Lang>().unwrap_err();
            assert_eq!(error.to_string(), format!("`{text}` is no language tag"));
        }
    }

    #[test]
    fn names_fall_back_to_the_language_then_english_then_the_id() {
        let name = |lang: Lang, text: &str| (lang, text.to_owned());
        let names = Names::new("all-pungs", Vec::new());
        assert_eq!(names.get(Lang::EN), "All pungs");
        assert_eq!(names.get(Lang::ZH), "All pungs");
        let base = Names::new(
            "all-pungs",
            vec![name(Lang::EN, "Pungs"), name(Lang::ZH, "碰碰和")],
        );
        assert_eq!(base.get(Lang::JA), "Pungs");
        assert_eq!(base.get("zh-a-b".parse().unwrap()), "碰碰和");
        let over = Names::new("all-pungs", vec![name(Lang::ZH, "对对胡")]).over(&base);
        assert_eq!(over.get(Lang::ZH), "对对胡");
        assert_eq!(over.get(Lang::EN), "Pungs");
    }

    #[test]
    fn words_in_braces_are_filled_and_checked() {
        assert_eq!(
            fill("{rank} of {suit}", &[("rank", "3"), ("suit", "tongs")]),
            "3 of tongs"
        );
        assert_eq!(
            unknown_word("{rank} of {siut}", &["rank", "suit"]),
            Some("siut")
        );
        assert_eq!(unknown_word("{rank}", &["rank"]), None);
        assert_eq!(unknown_word("a { b", &["rank"]), Some(" b"));
    }
}
