//! Groups with variables: `has-groups(chow r a, chow r+1 b, chow r+2 c)`.
//!
//! Letters stand for ranks and suits. The text is expanded when it is compiled: into one alternative for each way
//! to put in ranks and suits that the set and the grammar allow.

use super::expr::{Comparison, ConditionError, Expr, Result};
use super::parse::{Parser, Token};
use crate::meld::Family;
use crate::score::facts::{Class, ClassPart, Fact, FamilySet};
use crate::set::KindSet;
use crate::tile::{Kind, Rank, Suit};
use smallvec::SmallVec;

/// The most letters for ranks. Three suits allow three letters for suits.
const MOST_RANKS: usize = 2;
/// The most alternatives that a list of groups stands for.
const MOST_ALTERNATIVES: usize = 200;

/// A rank: a letter, or none, and a number to add.
#[derive(Clone, Copy, Debug)]
struct RankTerm {
    letter: Option<char>,
    plus: i32,
}

/// A suit, or a letter for one.
#[derive(Clone, Copy, Debug)]
enum SuitTerm {
    Fixed(Suit),
    Letter(char),
}

/// A group as it is written.
#[derive(Clone, Debug)]
struct Wanted {
    families: SmallVec<[Family; 2]>,
    ranks: SmallVec<[RankTerm; 3]>,
    suit: SuitTerm,
    /// Byte offset in the condition.
    at: usize,
}

/// Groups of some families that are made of these kinds.
type Group = (FamilySet, KindSet);

/// Reads a list of groups in parentheses, and expands it.
pub(super) fn has_groups(parser: &mut Parser<'_>) -> Result<Expr> {
    let start = parser.peek().0;
    parser.open()?;
    let mut all = vec![wanted(parser)?];
    while parser.accept(Token::Sign(",")) {
        all.push(wanted(parser)?);
    }
    parser.close()?;
    let (mut ranks, mut suits) = (Vec::new(), Vec::new());
    for one in &all {
        for letter in one.ranks.iter().filter_map(|rank| rank.letter) {
            if !ranks.contains(&letter) {
                ranks.push(letter);
            }
        }
        if let SuitTerm::Letter(letter) = one.suit
            && !suits.contains(&letter)
        {
            suits.push(letter);
        }
    }
    let is_both = ranks.iter().any(|letter| suits.contains(letter));
    if is_both || ranks.len() > MOST_RANKS || suits.len() > Suit::ALL.len() {
        return Err(ConditionError::Expected {
            at: start,
            expected: "at most two letters for ranks and three others for suits",
            found: format!("{} and {}", ranks.len(), suits.len()),
        });
    }
    let mut alternatives: Vec<Vec<Group>> = Vec::new();
    for suits_in in ways_to_put(&suits) {
        for ranks_in in 0..17_i32.pow(ranks.len() as u32) {
            let rank_of = |letter| {
                let place = ranks.iter().position(|known| *known == letter).unwrap_or(0);
                ranks_in / 17_i32.pow(place as u32) % 17
            };
            let suit_of = |letter| {
                let place = suits.iter().position(|known| *known == letter).unwrap_or(0);
                suits_in[place]
            };
            let mut groups = Vec::new();
            for one in &all {
                groups.extend(group(parser, one, &rank_of, &suit_of)?);
            }
            // The order in which groups are written does not matter.
            groups.sort_unstable_by_key(|(families, kinds)| (kinds.bits(), families.bits()));
            if groups.len() == all.len() && !alternatives.contains(&groups) {
                alternatives.push(groups);
            }
            if alternatives.len() > MOST_ALTERNATIVES {
                return Err(ConditionError::TooDeep { at: start });
            }
        }
    }
    let all = alternatives.iter().map(|groups| holds(groups));
    Ok(match all.len() {
        0 => Expr::Constant(0),
        _ => Expr::Any(all.collect()),
    })
}

/// Every way to put suits in for letters. Different letters are different suits.
fn ways_to_put(letters: &[char]) -> Vec<SmallVec<[Suit; 3]>> {
    let mut ways = vec![SmallVec::new()];
    for _ in letters {
        let longer = ways.iter().flat_map(|way: &SmallVec<[Suit; 3]>| {
            let others = Suit::ALL.into_iter().filter(|suit| !way.contains(suit));
            others.map(|suit| way.iter().copied().chain([suit]).collect())
        });
        ways = longer.collect();
    }
    ways
}

/// The condition that a hand has these groups, which are sorted.
fn holds(groups: &[Group]) -> Expr {
    let alike = groups.chunk_by(|one, other| one == other);
    let parts = alike.map(|alike| {
        let (families, kinds) = alike[0];
        let include = ClassPart {
            kinds,
            ..ClassPart::default()
        };
        let fact = Fact::Melds {
            families,
            class: Class {
                include,
                exclude: ClassPart::default(),
            },
            open: None,
        };
        let number = Expr::Constant(alike.len() as i32);
        Expr::Compare(
            Comparison::AtLeast,
            Box::new(Expr::Fact(fact)),
            Box::new(number),
        )
    });
    Expr::All(parts.collect())
}

/// Reads one group: families, one rank or three, and a suit.
fn wanted(parser: &mut Parser<'_>) -> Result<Wanted> {
    let at = parser.peek().0;
    let mut families = SmallVec::new();
    loop {
        let Token::Word(word) = parser.peek().1 else {
            return parser.fail("a family");
        };
        families.push(parser.family(parser.peek().0, word)?);
        parser.take();
        if !parser.accept(Token::Sign("|")) {
            break;
        }
    }
    let is_run = |family: &Family| !matches!(family, Family::Pair | Family::Pung | Family::Kong);
    if families.len() > 1 && families.iter().any(is_run) {
        return Err(ConditionError::Expected {
            at,
            expected: "one family of runs, or families of tiles alike",
            found: "both".to_owned(),
        });
    }
    let mut ranks = SmallVec::new();
    loop {
        match parser.peek().1 {
            Token::Number(plus) => {
                parser.take();
                ranks.push(RankTerm { letter: None, plus });
            }
            Token::Word(word) => {
                let Some(letter) = letter(word) else {
                    return parser.fail("a rank or a suit, a number or one letter");
                };
                parser.take();
                let plus = match parser.peek().1 {
                    Token::Sign(sign @ ("+" | "-")) => {
                        parser.take();
                        let Token::Number(number) = parser.take().1 else {
                            parser.back();
                            return parser.fail("a number");
                        };
                        Some(if sign == "+" { number } else { -number })
                    }
                    _ => None,
                };
                let is_last = matches!(parser.peek().1, Token::Sign("," | ")"));
                match (plus, is_last) {
                    (None, true) if matches!(ranks.len(), 1 | 3) => {
                        let suit = Suit::ALL.into_iter().find(|suit| suit.letter() == letter);
                        let suit = suit.map_or(SuitTerm::Letter(letter), SuitTerm::Fixed);
                        return Ok(Wanted {
                            families,
                            ranks,
                            suit,
                            at,
                        });
                    }
                    (plus, _) => ranks.push(RankTerm {
                        letter: Some(letter),
                        plus: plus.unwrap_or(0),
                    }),
                }
            }
            _ => return parser.fail("one rank or three, and a suit"),
        }
        if ranks.len() > 3 {
            return parser.fail("one rank or three, and a suit");
        }
    }
}

/// The letter that a word is, if it is one.
fn letter(word: &str) -> Option<char> {
    let mut letters = word.chars();
    let first = letters.next().filter(char::is_ascii_lowercase)?;
    letters.next().is_none().then_some(first)
}

/// The group with ranks and suits put in. `None` if it cannot be made of the tiles in play.
fn group(
    parser: &Parser<'_>,
    wanted: &Wanted,
    rank_of: &impl Fn(char) -> i32,
    suit_of: &impl Fn(char) -> Suit,
) -> Result<Option<Group>> {
    let Some((tiles, grammar)) = parser.names.set() else {
        return Err(ConditionError::TooDeep { at: wanted.at });
    };
    let ranks: SmallVec<[u8; 3]> = wanted
        .ranks
        .iter()
        .map(|rank| rank.letter.map_or(0, rank_of) + rank.plus)
        .filter_map(|rank| u8::try_from(rank).ok().filter(|&rank| rank <= 16))
        .collect();
    if ranks.len() != wanted.ranks.len() {
        return Ok(None);
    }
    let suit = match wanted.suit {
        SuitTerm::Fixed(suit) => suit,
        SuitTerm::Letter(letter) => suit_of(letter),
    };
    let families: FamilySet = wanted.families.iter().copied().collect();
    let in_play = |kinds: &KindSet| kinds.is_subset(tiles.copies().kinds());
    let is_run = |family: &Family| !matches!(family, Family::Pair | Family::Pung | Family::Kong);
    let Some(&family) = wanted.families.first().filter(|family| is_run(family)) else {
        let [rank] = ranks[..] else {
            return Err(ConditionError::Expected {
                at: wanted.at,
                expected: "one rank",
                found: "three".to_owned(),
            });
        };
        let kinds = Rank::new(rank).map(|rank| KindSet::one(Kind::number(suit, rank)));
        return Ok(kinds.filter(in_play).map(|kinds| (families, kinds)));
    };
    let fits = |of_shape: [u8; 3]| match ranks[..] {
        [lowest] => of_shape[0] == lowest,
        _ => of_shape[..] == ranks[..],
    };
    let shapes = grammar
        .shapes()
        .filter(|(_, shape)| shape.family() == family && fits(shape.ranks()));
    let mut kinds: SmallVec<[KindSet; 2]> = shapes
        .map(|(_, shape)| shape.group(suit).tiles().collect())
        .collect();
    if kinds.len() > 1 {
        return Err(ConditionError::Expected {
            at: wanted.at,
            expected: "the three ranks of the run, for several begin with the same one",
            found: "one".to_owned(),
        });
    }
    Ok(kinds.pop().filter(in_play).map(|kinds| (families, kinds)))
}
