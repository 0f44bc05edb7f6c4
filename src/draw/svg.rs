//! Draws tiles as SVG pictures of plain shapes, without fonts or outside images.

use super::{Piece, Row};
use crate::hand::Hand;
use crate::tile::{Face, Flower, Kind, Suit, Tile};
use std::fmt::Write;

/// The width and height of a tile, and the gaps between tiles and between groups, in pixels.
pub(super) const WIDTH: usize = 60;
pub(super) const HEIGHT: usize = 84;
pub(super) const GAP: usize = 4;
pub(super) const GROUP_GAP: usize = 18;

const RED: &str = "#b3261e";
const GREEN: &str = "#1e7a3c";
const BLUE: &str = "#1f4e9e";
const INK: &str = "#22262b";
const PLUM: &str = "#8a3ea8";

/// A hand as an SVG picture. See [`Row::of_hand`] for the order of its tiles.
///
/// ```
/// use paishan::draw::svg;
/// use paishan::{Hand, Notation, Rules};
/// let uzje = Rules::by_id("uzje")?;
/// let tiles = Notation::Ujmj.parse("123s456s789mEEE5m")?;
/// let hand = Hand::try_new(&uzje.plan().tiles(), &tiles, &[], &[])?;
/// let picture = svg::hand(&hand, Some(tiles[12]));
/// assert!(picture.starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hand(hand: &Hand, last: Option<Tile>) -> String {
    row(&Row::of_hand(hand, last))
}

/// A row of pieces as an SVG picture.
pub fn row(row: &Row) -> String {
    let (body, width) = laid(row, draw);
    let (width, height) = (width, HEIGHT + 2 * GAP);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{body}</svg>\n"
    )
}

/// The pictures of pieces, to be put once into a page of HTML. They are not shown there. Pictures of the same page refer to
/// them: [`row_of_sheet`].
///
/// ```
/// use paishan::draw::{Piece, Row, svg};
/// use paishan::{Kind, Tile};
/// let piece = Piece::Up(Tile::plain(Kind::RED));
/// let row = Row { groups: vec![vec![piece; 3]] };
/// let page = format!("{}{}", svg::sheet([piece]), svg::row_of_sheet(&row));
/// assert_eq!(page.matches("id=\"t-C\"").count(), 1);
/// assert_eq!(page.matches("href=\"#t-C\"").count(), 3);
/// ```
pub fn sheet(pieces: impl IntoIterator<Item = Piece>) -> String {
    let mut all: Vec<(String, Piece)> =
        pieces.into_iter().map(|piece| (id(piece), piece)).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all.dedup_by(|one, other| one.0 == other.0);
    let mut out = String::from(
        "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\n",
    );
    for (id, piece) in all {
        push(&mut out, format_args!("<g id=\"{id}\">"));
        draw(&mut out, piece);
        out.push_str("</g>\n");
    }
    out.push_str("</defs></svg>\n");
    out
}

/// A row of pieces as an SVG element for a page with a [`sheet`] that has these pieces.
pub fn row_of_sheet(row: &Row) -> String {
    let (body, width) = laid(row, refer);
    let height = HEIGHT + 2 * GAP;
    format!(
        "<svg class=\"tiles\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\">{body}</svg>",
        width / 2,
        height / 2
    )
}

/// The id of the picture of a piece on a [`sheet`]: `t-` and the tile in `ujmj` notation, `t-back` for a piece that lies
/// face down.
pub(super) fn id(piece: Piece) -> String {
    match piece {
        Piece::Up(tile) | Piece::Turned(tile) => format!("t-{tile}"),
        Piece::Down => "t-back".to_owned(),
    }
}

/// Refers to the picture of a piece on a sheet.
pub(super) fn refer(out: &mut String, piece: Piece) {
    push(out, format_args!("<use href=\"#{}\"/>", id(piece)));
}

/// The pieces of a row side by side, each put in place by `put`, and the width.
pub(super) fn laid(row: &Row, put: impl Fn(&mut String, Piece)) -> (String, usize) {
    let mut body = String::new();
    let mut x = GAP;
    for (i, group) in row.groups.iter().enumerate() {
        x += if i > 0 { GROUP_GAP } else { 0 };
        for &piece in group {
            let y = GAP;
            let (width, place) = match piece {
                Piece::Turned(_) => {
                    let y = y + HEIGHT;
                    (HEIGHT, format!("translate({x} {y}) rotate(-90)"))
                }
                _ => (WIDTH, format!("translate({x} {y})")),
            };
            push(&mut body, format_args!("<g transform=\"{place}\">"));
            put(&mut body, piece);
            body.push_str("</g>\n");
            x += width + GAP;
        }
    }
    (body, x.max(2 * GAP))
}

pub(super) fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

fn draw(out: &mut String, piece: Piece) {
    let face = if piece == Piece::Down {
        "#3f6f8f"
    } else {
        "#fffdf6"
    };
    push(
        out,
        format_args!(
            "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"7\" fill=\"{face}\" stroke=\"#6b6357\" stroke-width=\"1.5\"/>"
        ),
    );
    let (Piece::Up(tile) | Piece::Turned(tile)) = piece else {
        out.push_str("<rect x=\"8\" y=\"8\" width=\"44\" height=\"68\" rx=\"4\" fill=\"none\" stroke=\"#cfe0ea\" stroke-width=\"2\"/>");
        return;
    };
    match tile.face() {
        Face::Flower(flower) => draw_flower(out, flower),
        Face::RedFive(suit) => draw_number(out, suit, 5, true),
        Face::Plain(kind) => match (kind.suit(), kind.rank()) {
            (Some(suit), Some(rank)) => draw_number(out, suit, usize::from(rank.get()), false),
            _ => draw_honour(out, kind),
        },
    }
}

/// A digit or letter as strokes on a grid of 4 by 6.
const fn strokes(sign: char) -> &'static str {
    match sign {
        '0' => "M1 0H3L4 1V5L3 6H1L0 5V1Z",
        '1' => "M1 1L2 0V6M1 6H3",
        '2' => "M0 1L1 0H3L4 1V2L0 6H4",
        '3' => "M0 0H4L2 2.5H3L4 3.5V5L3 6H1L0 5",
        '4' => "M3 6V0L0 4H4",
        '5' => "M4 0H0V2.5H3L4 3.5V5L3 6H0",
        '6' => "M4 0H2L0 2V5L1 6H3L4 5V3.5L3 2.5H0",
        '7' => "M0 0H4L1.5 6",
        '8' => "M1 0H3L4 1V2L3 3H1L0 2V1ZM1 3L0 4V5L1 6H3L4 5V4L3 3",
        '9' => "M0 6H2L4 4V1L3 0H1L0 1V2.5L1 3.5H4",
        'E' => "M4 0H0V6H4M0 3H3",
        'S' => "M4 1L3 0H1L0 1V2L4 4V5L3 6H1L0 5",
        'W' => "M0 0L1 6L2 3L3 6L4 0",
        'N' => "M0 6V0L4 6V0",
        'A' => "M0 6L2 0L4 6M0.8 4H3.2",
        'D' => "M0 0H2L4 2V4L2 6H0Z",
        'G' => "M4 1L3 0H1L0 1V5L1 6H3L4 5V3.5H2.5",
        'K' => "M0 0V6M4 0L0 3.5M1.5 2.2L4 6",
        _ => "",
    }
}

/// Draws strokes at a position in pixels. A step of the grid is `size` pixels.
fn stroke(out: &mut String, path: &str, (x, y): (f32, f32), size: f32, colour: &str) {
    // Scale the line width so that it is 2.6 pixels at every size, within limits.
    let width = (2.6 / size).clamp(0.45, 0.8);
    push(
        out,
        format_args!(
            "<path transform=\"translate({x} {y}) scale({size})\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.2}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        ),
    );
}

/// Draws a number from 0 to 16, centred horizontally on `middle`.
fn number(out: &mut String, value: usize, (middle, y): (f32, f32), size: f32, colour: &str) {
    let text = value.to_string();
    let width = size * (4.0 * text.len() as f32 + 1.5 * (text.len() as f32 - 1.0));
    for (i, digit) in text.chars().enumerate() {
        let x = middle - width / 2.0 + i as f32 * 5.5 * size;
        stroke(out, strokes(digit), (x, y), size, colour);
    }
}

/// The number of marks in each row for a rank.
const fn rows_of(rank: usize) -> &'static [usize] {
    match rank {
        1 => &[1],
        2 => &[1, 1],
        3 => &[1, 1, 1],
        4 => &[2, 2],
        5 => &[2, 1, 2],
        6 => &[2, 2, 2],
        7 => &[3, 1, 3],
        8 => &[3, 2, 3],
        9 => &[3, 3, 3],
        10 => &[3, 4, 3],
        11 => &[4, 3, 4],
        12 => &[3, 3, 3, 3],
        13 => &[3, 4, 3, 3],
        14 => &[4, 3, 3, 4],
        15 => &[4, 4, 3, 4],
        _ => &[4, 4, 4, 4],
    }
}

fn draw_number(out: &mut String, suit: Suit, rank: usize, red: bool) {
    let colour = match (suit, red) {
        (_, true) => RED,
        (Suit::Circles, _) => BLUE,
        (Suit::Bamboos, _) => GREEN,
        (Suit::Characters, _) => RED,
    };
    let ink = if red { RED } else { INK };
    number(out, rank, (14.0, 6.0), 1.9, ink);
    if suit == Suit::Characters {
        // A large number, and below it the mark of the suit.
        number(
            out,
            rank,
            (30.0, 24.0),
            if rank < 10 { 4.2 } else { 3.4 },
            ink,
        );
        stroke(
            out,
            "M0 0H8M2 -1.5V1.5M6 -1.5V1.5M1 3H7V6H1ZM4 1.5V6",
            (17.0, 62.0),
            3.2,
            colour,
        );
        return;
    }
    let rows = rows_of(rank);
    let height = 56.0 / rows.len() as f32;
    for (i, &marks) in rows.iter().enumerate() {
        let y = 22.0 + (i as f32 + 0.5) * height;
        for j in 0..marks {
            let x = 30.0 + (j as f32 - (marks as f32 - 1.0) / 2.0) * 12.5;
            if suit == Suit::Circles {
                let radius = if rank == 1 { 15.0 } else { 5.0 };
                push(
                    out,
                    format_args!(
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{colour}\"/>",
                        radius / 2.5
                    ),
                );
            } else {
                let half = (height / 2.0 - 1.5).min(9.0);
                push(
                    out,
                    format_args!(
                        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"5\" height=\"{:.1}\" rx=\"2\" fill=\"{colour}\"/>",
                        x - 2.5,
                        y - half,
                        2.0 * half
                    ),
                );
            }
        }
    }
}

fn draw_honour(out: &mut String, kind: Kind) {
    // An arrow that points up, within 24 by 36.
    const ARROW: &str = "M12 0L24 14H17V36H7V14H0Z";
    let arrow = |out: &mut String, turn: i32, fill: &str, line: &str| {
        push(
            out,
            format_args!(
                "<path transform=\"rotate({turn} 30 42) translate(18 24)\" d=\"{ARROW}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
            ),
        );
    };
    match kind {
        Kind::ZERO => {
            number(out, 0, (14.0, 6.0), 1.9, INK);
            push(
                out,
                format_args!(
                    "<ellipse cx=\"30\" cy=\"48\" rx=\"15\" ry=\"23\" fill=\"none\" stroke=\"{PLUM}\" stroke-width=\"6\"/>"
                ),
            );
        }
        Kind::RED => arrow(out, 0, RED, RED),
        Kind::GREEN => arrow(out, 180, GREEN, GREEN),
        Kind::WHITE => {
            arrow(out, 0, "none", "#8a93a0");
            out.push_str("<rect x=\"8\" y=\"10\" width=\"44\" height=\"64\" rx=\"3\" fill=\"none\" stroke=\"#8a93a0\" stroke-width=\"2\"/>");
        }
        // A line with two arrow heads: across for East and West, upright for North and South.
        Kind::HORIZONTAL => stroke(
            out,
            "M0 3H12M3 0L0 3L3 6M9 0L12 3L9 6",
            (9.0, 31.0),
            3.5,
            INK,
        ),
        Kind::VERTICAL => stroke(
            out,
            "M3 0V14M0 3L3 0L6 3M0 11L3 14L6 11",
            (19.5, 17.5),
            3.5,
            INK,
        ),
        // A star.
        Kind::JOKER => push(
            out,
            format_args!(
                "<path d=\"M30 20L36 36L53 36L39 47L44 64L30 54L16 64L21 47L7 36L24 36Z\" fill=\"#e0a81e\" stroke=\"{PLUM}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>"
            ),
        ),
        Kind::BLOSSOM => draw_blossom(out),
        wind_or_extra => {
            let letter = wind_or_extra.honour_letter().unwrap_or(' ');
            stroke(out, strokes(letter), (15.0, 20.0), 7.5, INK);
        }
    }
}

/// A flower without a number.
fn draw_blossom(out: &mut String) {
    draw_petals(out, 8, PLUM);
}

fn draw_flower(out: &mut String, flower: Flower) {
    let series = flower.index() / 4;
    let first = series == 0;
    let colour = [RED, BLUE, GREEN, PLUM][series];
    number(out, flower.number() + 1, (14.0, 6.0), 1.9, colour);
    if series > 1 {
        return draw_creature(out, series == 2, colour);
    }
    // Seasons have five petals, plants have eight and a stem.
    draw_petals(out, if first { 5 } else { 8 }, colour);
}

fn draw_petals(out: &mut String, petals: usize, colour: &str) {
    let first = petals == 5;
    if !first {
        push(
            out,
            format_args!(
                "<path d=\"M30 44V76M30 66L42 60M30 72L18 66\" stroke=\"{GREEN}\" stroke-width=\"3\" fill=\"none\" stroke-linecap=\"round\"/>"
            ),
        );
    }
    let y = if first { 50 } else { 42 };
    for petal in 0..petals {
        let turn = petal * 360 / petals;
        push(
            out,
            format_args!(
                "<ellipse transform=\"rotate({turn} 30 {y})\" cx=\"30\" cy=\"{}\" rx=\"{}\" ry=\"9\" fill=\"{colour}\" fill-opacity=\"0.75\"/>",
                y - 12,
                if first { 6 } else { 4 }
            ),
        );
    }
    push(
        out,
        format_args!("<circle cx=\"30\" cy=\"{y}\" r=\"5\" fill=\"#e0a81e\"/>"),
    );
}

/// Draws a head: with ears for an animal, with a mouth for a face.
fn draw_creature(out: &mut String, is_animal: bool, colour: &str) {
    let more = if is_animal {
        "M18 36L14 20L27 29M42 36L46 20L33 29"
    } else {
        "M22 56Q30 64 38 56"
    };
    push(
        out,
        format_args!(
            "<circle cx=\"30\" cy=\"46\" r=\"18\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/><path d=\"{more}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/><circle cx=\"23\" cy=\"42\" r=\"2.5\" fill=\"{colour}\"/><circle cx=\"37\" cy=\"42\" r=\"2.5\" fill=\"{colour}\"/>"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn picture(tile: Tile) -> String {
        let mut out = String::new();
        draw(&mut out, Piece::Up(tile));
        out
    }

    #[test]
    fn every_tile_has_a_picture_of_its_own() {
        let kinds = Kind::all().map(Tile::plain);
        let reds = Suit::ALL.into_iter().map(Tile::red_five);
        let all: Vec<Tile> = kinds
            .chain(reds)
            .chain(Flower::all().map(Tile::flower))
            .collect();
        let pictures: BTreeSet<String> = all.iter().map(|&tile| picture(tile)).collect();
        assert_eq!(pictures.len(), all.len());
        for (tile, picture) in all.iter().map(|&tile| (tile, picture(tile))) {
            assert!(
                !picture.contains("<text") && !picture.contains("d=\"\""),
                "{tile}"
            );
        }
    }

    #[test]
    fn every_rank_has_its_marks() {
        for rank in 1..=16 {
            assert_eq!(rows_of(rank).iter().sum::<usize>(), rank);
        }
    }
}
