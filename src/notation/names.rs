//! [`TileNames`]: what a ruleset calls its tiles.

use crate::tile::{Kind, Suit, Tile, Wind};

/// What a ruleset calls its suits, winds, dragons and special tiles, for people. The default has English names. A file sets
/// its own in `[tiles.names]`.
///
/// ```
/// use paishan::{Rules, Suit, Tile};
/// let uzje = Rules::by_id("uzje")?;
/// let names = uzje.plan().tile_names();
/// assert_eq!(names.suit(Suit::Circles), "tongs");
/// assert_eq!(names.tile("3t".parse()?), "3 of tongs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TileNames {
    pub(crate) suits: [String; 3],
    /// East, South, West, North.
    pub(crate) winds: [String; 4],
    /// Red, green, white.
    pub(crate) dragons: [String; 3],
    pub(crate) zero: String,
    pub(crate) joker: String,
}

impl Default for TileNames {
    fn default() -> Self {
        Self {
            suits: Suit::ALL.map(|suit| suit.name().to_owned()),
            winds: ["east wind", "south wind", "west wind", "north wind"].map(str::to_owned),
            dragons: ["red dragon", "green dragon", "white dragon"].map(str::to_owned),
            zero: "zero".to_owned(),
            joker: "joker".to_owned(),
        }
    }
}

impl TileNames {
    /// The name of a suit, such as `circles`.
    pub fn suit(&self, suit: Suit) -> &str {
        &self.suits[suit.lane()]
    }

    /// The name of a wind, such as `east wind`.
    pub fn wind(&self, wind: Wind) -> &str {
        &self.winds[wind as usize % 4]
    }

    /// The name of a tile, such as `3 of circles`, `red 5 of bamboos`, `green dragon` or `flower h`.
    pub fn tile(&self, tile: Tile) -> String {
        let Some(kind) = tile.kind() else {
            return format!("flower {tile}");
        };
        if let (Some(suit), Some(rank)) = (kind.suit(), kind.rank()) {
            let red = if tile.is_red() { "red " } else { "" };
            return format!("{red}{} of {}", rank.get(), self.suit(suit));
        }
        let of_wind = |wind: &Wind| wind.kind() == kind;
        match kind {
            Kind::RED => self.dragons[0].clone(),
            Kind::GREEN => self.dragons[1].clone(),
            Kind::WHITE => self.dragons[2].clone(),
            Kind::ZERO => self.zero.clone(),
            Kind::JOKER => self.joker.clone(),
            Kind::HORIZONTAL => format!("{} or {}", self.winds[0], self.winds[2]),
            Kind::VERTICAL => format!("{} or {}", self.winds[1], self.winds[3]),
            _ => Wind::ALL
                .iter()
                .find(|wind| of_wind(wind))
                .map_or_else(|| tile.to_string(), |&wind| self.wind(wind).to_owned()),
        }
    }
}
