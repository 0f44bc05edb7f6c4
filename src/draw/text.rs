//! Draws hands and tables for a terminal. A row takes two lines: ranks above, suits below.

use super::{Piece, Row, meld_pieces};
use crate::lang::Lang;
use crate::notation::TileNames;
use crate::seat::Seat;
use crate::state::{Announcement, OnTable, View};
use crate::tile::{Face, Kind, Tile};

/// The upper and lower text of a piece: rank and suit, or a letter and blanks.
fn signs(piece: Piece) -> (String, String) {
    let (Piece::Up(tile) | Piece::Turned(tile)) = piece else {
        return ("▒▒".to_owned(), "▒▒".to_owned());
    };
    let letter = |letter: char| (format!("{letter:>2}"), "  ".to_owned());
    match tile.face() {
        Face::Flower(flower) => letter(flower.letter()),
        Face::RedFive(suit) => (" R".to_owned(), format!(" {}", suit.letter())),
        Face::Plain(kind) => match (kind.rank(), kind.suit()) {
            (Some(rank), Some(suit)) => {
                (format!("{:>2}", rank.get()), format!(" {}", suit.letter()))
            }
            _ => letter(kind.honour_letter().unwrap_or('?')),
        },
    }
}

/// A row of pieces in two lines, with a bar between groups. Ranks are numbers from 1 to 16. `▒▒` is a tile
/// that lies face down.
///
/// ```
/// use paishan::draw::{Piece, Row, text};
/// use paishan::Notation;
/// let tiles = Notation::Ujmj.parse("9xsE")?;
/// let row = Row { groups: vec![tiles.into_iter().map(Piece::Up).collect(), vec![Piece::Down]] };
/// assert_eq!(text::row(&row), " 9 10  E │ ▒▒\n s  s    │ ▒▒\n");
/// # Ok::<(), paishan::ParseTilesError>(())
/// ```
pub fn row(row: &Row) -> String {
    let (mut above, mut below) = (String::new(), String::new());
    for (i, group) in row.groups.iter().enumerate() {
        for (j, &piece) in group.iter().enumerate() {
            let gap = match (i, j) {
                (0, 0) => "",
                (_, 0) => " │ ",
                _ => " ",
            };
            let (rank, suit) = signs(piece);
            above.push_str(gap);
            above.push_str(&rank);
            below.push_str(gap);
            below.push_str(&suit);
        }
    }
    format!("{}\n{}\n", above.trim_end(), below.trim_end())
}

/// The table as a seat sees it: the round, the draws left and the indicators, then for every player the missing suit,
/// melds, flowers, and what the jokers in each meld stand for. `›` marks the seat on turn. Below are the pile of
/// discards, in tile order and two tiles high, and the seat's own hand. Suits have their names in a language.
pub fn table(view: &View<'_>, names: &TileNames, lang: Lang) -> String {
    let mut out = format!(
        "round {} · {} draws left",
        view.round().letter(),
        view.draws_left()
    );
    let on_table = view.on_table();
    if on_table != OnTable::default() {
        let (counters, deposits) = (on_table.counters, on_table.deposits);
        out.push_str(&format!(" · {counters} counters, {deposits} deposits"));
    }
    let bonus: Vec<Piece> = view.turned().map(Piece::Up).collect();
    let mut indicators = Row::default();
    indicators.push(bonus);
    out.push('\n');
    if !indicators.groups.is_empty() {
        out.push_str(&labelled("bonus", &indicators));
    }
    let turned: Vec<Piece> = view
        .turned_tiles()
        .iter()
        .map(|one| Piece::Up(one.tile))
        .collect();
    if !turned.is_empty() {
        let mut row = Row::default();
        row.push(turned);
        out.push_str(&labelled("turned", &row));
    }
    for seat in Seat::all(view.players()) {
        let mark = if view.turn() == Some(seat) {
            '›'
        } else {
            ' '
        };
        let own = if seat == view.seat() { " (you)" } else { "" };
        let said = match view.announced(seat) {
            _ if view.is_dead(seat) => ", a dead hand",
            Some(Announcement::Calling) => ", calling",
            Some(Announcement::Standing) => ", standing",
            None if view.riichi(seat).is_some() => ", in riichi",
            None => "",
        };
        let missing = view.missing_suit(seat);
        let missing = missing.map_or(String::new(), |suit| {
            format!(", without {}", names.suit(suit, lang))
        });
        out.push_str(&format!(
            "{mark}{seat}  {} tiles{own}{said}{missing}\n",
            view.concealed_len(seat)
        ));
        let mut shown = Row::default();
        for meld in view.melds(seat) {
            shown.push(meld_pieces(meld));
        }
        shown.push(view.aside(seat).tiles().map(Piece::Up));
        if !shown.groups.is_empty() {
            out.push_str(&labelled("", &shown));
        }
        let jokers: Vec<String> = view
            .melds(seat)
            .filter_map(|meld| Some(Tile::plain(meld?.joker_stands_for()?).to_string()))
            .collect();
        if !jokers.is_empty() {
            out.push_str(&format!("        J stands for {}\n", jokers.join(", ")));
        }
    }
    out.push_str(&pile(view));
    if let Some((tile, from)) = view.claimable() {
        out.push_str(&format!("{tile} of {from} may be claimed\n"));
    }
    if let Some(owner) = view.challengeable() {
        out.push_str(&format!("the kong of {owner} may be challenged\n"));
    }
    out.push_str(&labelled("hand", &Row::of_hand_concealed(view)));
    out
}

impl Row {
    /// The concealed tiles of the seat's own hand, and the tile just drawn beside them.
    fn of_hand_concealed(view: &View<'_>) -> Self {
        let mut hand = *view.hand();
        hand.melds.clear();
        hand.aside = crate::aside::Aside::EMPTY;
        Self::of_hand(&hand, view.drawn().filter(|&tile| hand.holds(tile)))
    }
}

/// A row with a label in front.
fn labelled(label: &str, what: &Row) -> String {
    let text = row(what);
    let mut lines = text.lines();
    let mut line = |label: &str| format!("{label:<8}{}", lines.next().unwrap_or_default());
    let (above, below) = (line(label), line(""));
    format!("{}\n{}\n", above.trim_end(), below.trim_end())
}

/// The sorted pile, one column for each stack. A single tile is in the lower line.
fn pile(view: &View<'_>) -> String {
    let stacks = view.pile();
    if stacks.is_empty() {
        return String::new();
    }
    let name = |tile: Tile| match tile.kind().and_then(Kind::honour_letter) {
        Some(letter) => format!("{letter:<3}"),
        None => format!("{:<3}", crate::notation::Notation::Ujmj.print_one(tile)),
    };
    let (mut above, mut below) = (String::new(), String::new());
    for stack in &stacks {
        above.push_str(&if stack.height == 2 {
            name(stack.tile)
        } else {
            "   ".to_owned()
        });
        below.push_str(&name(stack.tile));
    }
    format!(
        "pile    {}\n        {}\n",
        above.trim_end(),
        below.trim_end()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Hand;
    use crate::meld::{Group, Meld};
    use crate::notation::Notation;
    use crate::ruleset::Rules;

    #[test]
    fn a_hand_is_two_lines() {
        let rules = Rules::by_id("uzje").unwrap();
        let tiles = Notation::Ujmj.parse("1f9xsZE").unwrap();
        let kong = Meld::of_own(Group::kong(Kind::RED));
        let flowers = Notation::Ujmj.parse("ho").unwrap();
        let hand = Hand::try_new(&rules.plan().tiles, &tiles, &[kong], &flowers).unwrap();
        let text = row(&Row::of_hand(&hand, Some(tiles[1])));
        assert_eq!(
            text,
            " 1  9 10  Z  E │ 16 │ ▒▒  C  C ▒▒ │  h  o\n s  s  s       │  s │ ▒▒       ▒▒ │\n"
        );
    }

    /// All fourteen tiles are drawn if the winning tile equals a held one.
    #[test]
    fn no_tile_is_lost_beside_one_like_it() {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let tiles = Notation::Ujmj.parse("123s456s789mEEE5m").unwrap();
        let hand = Hand::try_new(&rules.plan().tiles, &tiles, &[], &[]).unwrap();
        let five = Notation::Ujmj.parse_one("5m").unwrap();
        let drawn = Row::of_hand(&hand, Some(five));
        assert_eq!(drawn.groups.concat().len(), 14);
        // In a hand of fourteen tiles the last tile is one of them.
        let fourteen = [&tiles[..], &[five]].concat();
        let whole = Hand::try_new(&rules.plan().tiles, &fourteen, &[], &[]).unwrap();
        assert_eq!(Row::of_hand(&whole, Some(five)), drawn);
        // Red fives in melds are drawn as red fives.
        let sock = crate::tile::Kind::number(crate::tile::Suit::Bamboos, crate::tile::Rank::FIVE);
        let meld = Meld {
            reds: 1,
            ..Meld::of_own(Group::pung(sock))
        };
        let hand = Hand::try_new(&rules.plan().tiles, &[], &[meld], &[]).unwrap();
        assert_eq!(row(&Row::of_hand(&hand, None)), " R  5  5\n s  s  s\n");
    }
}
