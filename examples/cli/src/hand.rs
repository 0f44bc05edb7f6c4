//! Hands as command lines write them.

use paishan::request::{Declared, SeatHand};
use paishan::ruleset::Plan;
use paishan::state::{Way, Win};
use paishan::{Notation, ParseTilesError, Seat, Tile, Wind};

/// The seat of a hand, its melds, and the circumstances of its win.
#[derive(clap::Args)]
pub struct HandArgs {
    /// The seat: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    pub seat: Seat,
    /// The wind of the round.
    #[arg(long, default_value = "E")]
    pub round: Wind,
    /// How the winning tile comes: wall, replacement, discard, robbed-kong. With --from a discard is assumed, without it
    /// the wall.
    #[arg(long, value_parser = way)]
    by: Option<Way>,
    /// The seat that the winning tile comes from.
    #[arg(long)]
    from: Option<Seat>,
    /// A circumstance of the win such as riichi; may be repeated.
    #[arg(long = "flag")]
    flags: Vec<String>,
    /// A declared meld: tiles, `closed:` before them for a concealed one; may be repeated.
    #[arg(long = "meld", value_name = "[closed:]TILES")]
    melds: Vec<String>,
    /// Flowers laid down.
    #[arg(long, default_value = "")]
    flowers: String,
    /// Tiles set aside, such as norths in riichi-sanma.
    #[arg(long, value_name = "TILES", default_value = "")]
    set_aside: String,
    /// How tiles are written: ujmj or mpsz.
    #[arg(long, default_value = "ujmj", value_parser = notation)]
    pub notation: Notation,
}

impl HandArgs {
    /// The hand with these concealed tiles.
    pub fn hand(&self, concealed: &str) -> Result<SeatHand, ParseTilesError> {
        let melds = self.melds.iter().map(String::as_str);
        let mut hand = read(self.notation, self.seat, concealed, melds, &self.flowers)?;
        hand.aside.extend(self.notation.parse(&self.set_aside)?);
        Ok(hand)
    }

    /// A win with `tile`.
    pub fn win(&self, plan: &Plan, tile: Tile) -> Result<Win, String> {
        let flags = plan.flag_set(self.flags.iter().map(String::as_str));
        let mut win = win(tile, self.by, self.from);
        win.flags = flags.map_err(|error| error.to_string())?;
        Ok(win)
    }
}

fn way(word: &str) -> Result<Way, String> {
    let known = Way::WORDS.iter().find(|(known, _)| *known == word);
    known
        .map(|(_, way)| *way)
        .ok_or_else(|| format!("nothing is won by `{word}`"))
}

fn notation(name: &str) -> Result<Notation, String> {
    let known = Notation::by_name(name).filter(|notation| *notation != Notation::Mjai);
    known.ok_or_else(|| "there are ujmj and mpsz".to_owned())
}

/// Reads a hand. Each meld is its tiles, `closed:` before them for a concealed one.
pub fn read<'a>(
    notation: Notation,
    seat: Seat,
    concealed: &str,
    melds: impl Iterator<Item = &'a str>,
    flowers: &str,
) -> Result<SeatHand, ParseTilesError> {
    let mut hand = SeatHand::new(seat, notation.parse(concealed)?);
    for meld in melds {
        hand.melds.push(match meld.strip_prefix("closed:") {
            Some(tiles) => Declared::concealed(notation.parse(tiles)?),
            None => Declared::open(notation.parse(meld)?),
        });
    }
    hand.aside = notation.parse(flowers)?;
    Ok(hand)
}

/// A win by `way`. Without one a discard if somebody gave the tile, and a draw otherwise.
pub fn win(tile: Tile, way: Option<Way>, from: Option<Seat>) -> Win {
    let mut win = from.map_or(Win::drawn(tile), |from| Win::off(tile, from));
    win.way = way.unwrap_or(win.way);
    win
}
