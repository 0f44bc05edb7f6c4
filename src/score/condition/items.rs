//! The items of a form: `each 19t19s19m, kong r a, pair wind, pung wild, pairs(7, distinct), group`.

use super::expr::{ConditionError, Names, Result};
use super::parse::{Parser, letter};
use super::tokens::Token;
use crate::counts::Counts;
use crate::decompose::{FormItem, FormRank, FormSuit, FormTiles};
use crate::notation::Notation;
use crate::score::facts::Scope;
use crate::set::KindSet;
use crate::tile::RANK_DIGITS;

/// The most items of a form, and the most tiles alike.
const MOST: i32 = 17;

/// How many tiles alike a word stands for.
pub(crate) const SIZES: [(&str, u8); 6] = [
    ("single", 1),
    ("pair", 2),
    ("pung", 3),
    ("kong", 4),
    ("quint", 5),
    ("sextet", 6),
];

/// The words that begin an item and have no size.
const OTHERS: [&str; 4] = ["each", "any", "pairs", "group"];

/// Parses the items of a form.
pub(crate) fn items(text: &str, names: &dyn Names) -> Result<Vec<FormItem>> {
    let mut parser = Parser::new(text, Scope::Hand, names)?;
    let mut items = Vec::new();
    loop {
        if items.len() as i32 == MOST {
            return parser.fail("at most seventeen items");
        }
        items.push(parser.item()?);
        if !parser.accept(Token::Sign(",")) {
            break;
        }
    }
    parser.end()?;
    Ok(items)
}

/// The text of each item.
pub(crate) fn item_texts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |sign| {
        depth += i32::from(sign == '(') - i32::from(sign == ')');
        sign == ',' && depth == 0
    })
}

/// Every word that begins an item.
pub(crate) fn words() -> impl Iterator<Item = &'static str> {
    SIZES.into_iter().map(|(word, _)| word).chain(OTHERS)
}

impl Parser<'_> {
    fn item(&mut self) -> Result<FormItem> {
        let (at, token) = self.peek();
        let Token::Word(word) = token else {
            return self.fail("an item such as `pair dragon`");
        };
        self.take();
        if let Some((_, size)) = SIZES.iter().find(|(known, _)| *known == word) {
            if self.accept(Token::Word("wild")) {
                return Ok(FormItem::Wild(*size));
            }
            return Ok(FormItem::Alike {
                size: *size,
                count: 1,
                kinds: self.kinds()?,
                distinct: false,
            });
        }
        match word {
            "each" => Ok(FormItem::Each(self.each()?)),
            "any" => self.sets(1),
            "pairs" => self.sets(2),
            "group" => {
                let count = match self.accept(Token::Sign("*")) {
                    true => self.number()?,
                    false => 1,
                };
                Ok(FormItem::Groups(count))
            }
            word => self.unknown(at, "item", word),
        }
    }

    fn number(&mut self) -> Result<u8> {
        match self.peek().1 {
            Token::Number(number @ 1..=MOST) => {
                self.take();
                Ok(number as u8)
            }
            _ => self.fail("a number from 1 to 17"),
        }
    }

    /// Reads the arguments of `any` or `pairs`: a number, a class if not any kind will do, and `distinct`.
    fn sets(&mut self, size: u8) -> Result<FormItem> {
        self.open()?;
        let count = self.number()?;
        let (mut kinds, mut distinct) = (None, false);
        while self.accept(Token::Sign(",")) {
            if self.accept(Token::Word("distinct")) {
                distinct = true;
                break;
            }
            if kinds.is_some() {
                return self.fail("`distinct`");
            }
            kinds = Some(self.kinds()?);
        }
        self.close()?;
        Ok(FormItem::Alike {
            size,
            count,
            kinds: kinds.unwrap_or_else(|| vec![FormTiles::of_kinds(KindSet::ALL)]),
            distinct,
        })
    }

    /// Reads kinds: classes, tiles and ranks of a suit, joined by `|`, and kinds that are left out.
    fn kinds(&mut self) -> Result<Vec<FormTiles>> {
        let mut all = vec![self.tiles()?];
        while self.accept(Token::Sign("|")) {
            all.push(self.tiles()?);
        }
        let at = self.peek().0;
        if self.accept(Token::Word("except")) {
            let mut out = KindSet::EMPTY;
            for tiles in self.kinds()? {
                match tiles {
                    FormTiles::Listed(tiles) => out = out.union(tiles.kinds()),
                    _ => return self.expected(at, "a class after `except`", "tiles of a suit"),
                }
            }
            for tiles in &mut all {
                match tiles {
                    FormTiles::Listed(tiles) => {
                        *tiles = Self::once(tiles.kinds().difference(out));
                    }
                    _ => return self.expected(at, "a class before `except`", "tiles of a suit"),
                }
            }
        }
        Ok(all)
    }

    /// Reads the tiles of `each`.
    fn each(&mut self) -> Result<FormTiles> {
        let at = self.peek().0;
        let first = self.tiles()?;
        let FormTiles::Listed(mut all) = first else {
            return Ok(first);
        };
        while self.accept(Token::Sign("|")) {
            let FormTiles::Listed(more) = self.tiles()? else {
                return self.expected(at, "classes and tiles, or ranks of one suit", "both");
            };
            // A kind of two classes is named once.
            let more = more.saturating_minus(&all);
            all = match all.try_plus(&more) {
                Some(sum) => sum,
                None => return self.expected(at, "tiles that a hand can have", "more than four"),
            };
        }
        Ok(FormTiles::Listed(all))
    }

    fn once(kinds: KindSet) -> Counts {
        let mut tiles = Counts::EMPTY;
        kinds.iter().for_each(|kind| tiles.set(kind, 1));
        tiles
    }

    fn expected<T>(&self, at: usize, expected: &'static str, found: &str) -> Result<T> {
        Err(ConditionError::Expected {
            at,
            expected,
            found: found.to_owned(),
        })
    }

    /// Reads a class, tiles, ranks of a suit, or its honour.
    fn tiles(&mut self) -> Result<FormTiles> {
        let ends = |token: Token<'_>| {
            matches!(
                token,
                Token::Sign("," | ")" | "|") | Token::Word("except") | Token::End
            )
        };
        if let Some(letter) = self.honour()? {
            return Ok(FormTiles::Honour {
                honours: self.names().honours(),
                suit: FormSuit::of(letter),
            });
        }
        let mut ranks = Vec::new();
        loop {
            let (at, token) = self.peek();
            let text = match token {
                Token::Word(word) => word,
                Token::Number(_) => self.number_text(),
                _ if ranks.is_empty() => return self.fail("a class, tiles, or a rank and a suit"),
                _ => return self.fail("a rank or a suit"),
            };
            self.take();
            let is_last = ends(self.peek().1);
            if is_last && ranks.is_empty() {
                return self.class_or_tiles(at, text);
            }
            match letter(text) {
                Some(letter) if is_last => {
                    let suit = FormSuit::of(letter);
                    return Ok(FormTiles::Ranks { ranks, suit });
                }
                Some(letter) => {
                    let plus = match self.peek().1 {
                        Token::Sign("+") => {
                            self.take();
                            match self.peek().1 {
                                Token::Number(plus @ 0..=15) => {
                                    self.take();
                                    plus as i8
                                }
                                _ => return self.fail("a number from 0 to 15"),
                            }
                        }
                        _ => 0,
                    };
                    ranks.push(FormRank {
                        letter: Some(letter),
                        plus,
                    });
                }
                None => match below(text) {
                    Some(rank) => ranks.push(rank),
                    None => {
                        let digit = |digit: u8| {
                            let rank = RANK_DIGITS.iter().position(|&known| known == digit)?;
                            let plus = i8::try_from(rank).ok().filter(|&rank| rank > 0)?;
                            Some(FormRank { letter: None, plus })
                        };
                        let all: Option<Vec<FormRank>> = text.bytes().map(digit).collect();
                        match all.filter(|_| !is_last) {
                            Some(all) => ranks.extend(all),
                            None => {
                                let found = format!("`{text}`");
                                return self.expected(
                                    at,
                                    "ranks, and the letter of a suit",
                                    &found,
                                );
                            }
                        }
                    }
                },
            }
            if ranks.len() > 16 {
                return self.fail("at most sixteen ranks");
            }
        }
    }

    fn class_or_tiles(&self, at: usize, word: &str) -> Result<FormTiles> {
        if word == "any" {
            return Ok(FormTiles::of_kinds(KindSet::ALL));
        }
        if let Some(kinds) = self.names().class(word) {
            return Ok(FormTiles::of_kinds(kinds));
        }
        let mut tiles = Counts::EMPTY;
        let parsed = Notation::Ujmj.parse(word).ok();
        for tile in parsed
            .filter(|tiles| !tiles.is_empty())
            .into_iter()
            .flatten()
        {
            if !tile.kind().is_some_and(|kind| tiles.try_add(kind)) {
                let found = format!("`{word}`");
                return self.expected(at, "tiles that a hand can have", &found);
            }
        }
        match tiles.is_empty() {
            true => self.unknown(at, "class", word),
            false => Ok(FormTiles::Listed(tiles)),
        }
    }
}

/// A rank such as `r-1`, which the tokenizer reads as one word.
fn below(word: &str) -> Option<FormRank> {
    let (first, number) = word.split_once('-')?;
    let minus: i8 = number
        .parse()
        .ok()
        .filter(|minus| (0..16).contains(minus))?;
    Some(FormRank {
        letter: Some(letter(first)?),
        plus: -minus,
    })
}
