//! [`Wording`]: how tiles and names are written for people.

use super::Notation;
use crate::lang::Lang;

/// How tiles and names are written for people. A [`Notation`] alone is the notation with English names.
///
/// ```
/// use paishan::{Lang, Notation, Request, Rules};
/// let rules = Rules::by_id("woo")?;
/// let request = Request::won(&"111234567s55s67s".parse()?, "8s".parse()?);
/// let english = rules.explain(&request, Notation::Ujmj)?;
/// let chinese = rules.explain(&request, Notation::Ujmj.in_lang(Lang::ZH))?;
/// assert_eq!(english.patterns[0].id, chinese.patterns[0].id);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wording {
    /// How tiles are written.
    pub notation: Notation,
    /// The language of names.
    pub lang: Lang,
}

impl From<Notation> for Wording {
    fn from(notation: Notation) -> Self {
        notation.in_lang(Lang::EN)
    }
}

impl Notation {
    /// This notation with names in a language.
    pub const fn in_lang(self, lang: Lang) -> Wording {
        Wording {
            notation: self,
            lang,
        }
    }
}
