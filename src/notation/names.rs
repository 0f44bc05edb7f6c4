//! [`TileNames`]: what a ruleset calls its tiles.

use crate::lang::{Lang, Names, fill, named};
use crate::tile::{Kind, Suit, Tile, Wind};

/// What a ruleset calls its suits and tiles, for people, by language. A file names suits in `[tiles.suits]`, single tiles in
/// `[tiles.names.tile]`, and sets other names of its own in `[tiles.names]`.
///
/// ```
/// use paishan::{Lang, Rules, Suit, Tile};
/// let uzje = Rules::by_id("uzje")?;
/// let names = uzje.plan().tile_names();
/// assert_eq!(names.suit(Suit::Circles, Lang::EN), "tongs");
/// assert_eq!(names.tile("3t".parse()?, Lang::EN), "3 of tongs");
/// assert_eq!(names.tile("3t".parse()?, Lang::ZH), "3筒");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TileNames {
    pub(crate) words: TileWords,
    /// By lane.
    pub(crate) suits: [SuitNames; 3],
    /// Kinds and flowers with names of their own.
    pub(crate) single: Vec<(Tile, Names)>,
}

named! {
    /// The words of which names of tiles consist.
    TileWords {
        red_five: "red-five" ["tile"],
        east: "east",
        south: "south",
        west: "west",
        north: "north",
        either_wind: "either-wind" ["wind", "other"],
        red: "red-dragon",
        green: "green-dragon",
        white: "white-dragon",
        zero: "zero",
        joker: "joker",
        blossom: "blossom",
        extra: "extra" ["letter"],
        flower: "flower" ["letter"],
    }
}

/// What a suit and its tiles are called.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct SuitNames {
    pub(crate) suit: Names,
    pub(crate) tile: Names,
}

impl TileNames {
    /// The name of a suit, such as `circles`.
    pub fn suit(&self, suit: Suit, lang: Lang) -> &str {
        self.suits[suit.lane()].suit.get(lang)
    }

    /// The name of a wind, such as `east wind`.
    pub fn wind(&self, wind: Wind, lang: Lang) -> &str {
        self.words.wind(wind, lang)
    }

    /// The name of a tile, such as `3 of circles`, `red 5 of bamboos`, `green dragon`, `tile K` or `flower h`.
    pub fn tile(&self, tile: Tile, lang: Lang) -> String {
        let plain = tile.kind().map_or(tile, Tile::plain);
        let single = self.single.iter().find(|(one, _)| *one == plain);
        let name = single
            .and_then(|(_, names)| names.given_for(lang))
            .map_or_else(|| self.plain(plain, lang), str::to_owned);
        match tile.is_red() {
            true => fill(self.words.red_five.get(lang), &[("tile", &name)]),
            false => name,
        }
    }

    /// True for a plain tile or a flower with a name of its own.
    pub(crate) fn has_single(&self, tile: Tile) -> bool {
        self.single.iter().any(|(one, _)| *one == tile)
    }

    /// These names, and those of `base` in languages without one. `base` has no names of single tiles.
    pub(crate) fn over(self, base: &Self) -> Self {
        let words = self.words.over(&base.words);
        let mut bases = base.suits.iter();
        let suits = self.suits.map(|own| match bases.next() {
            Some(base) => SuitNames {
                suit: own.suit.over(&base.suit),
                tile: own.tile.over(&base.tile),
            },
            None => own,
        });
        Self {
            words,
            suits,
            ..self
        }
    }

    /// Every key of `[tiles.names]` and of the tables of `[tiles.suits]` with its names: `name` and `tile` of each suit. Names
    /// of single tiles also have the key `tile`.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Names)> {
        let suits = self.suits.iter();
        let suits = suits.flat_map(|names| [("name", &names.suit), ("tile", &names.tile)]);
        let single = self.single.iter().map(|(_, names)| ("tile", names));
        self.words.iter().chain(suits).chain(single)
    }

    /// The name of a plain tile or a flower without one of its own.
    fn plain(&self, tile: Tile, lang: Lang) -> String {
        let number = tile
            .kind()
            .and_then(|kind| Some((kind.suit()?, kind.rank()?)));
        let Some((suit, rank)) = number else {
            return self.words.plain(tile, lang);
        };
        let (rank, name) = (rank.get().to_string(), self.suit(suit, lang));
        let form = self.suits[suit.lane()].tile.get(lang);
        fill(form, &[("rank", &rank), ("suit", name)])
    }
}

impl TileWords {
    fn wind(&self, wind: Wind, lang: Lang) -> &str {
        let name = match wind {
            Wind::East => &self.east,
            Wind::South => &self.south,
            Wind::West => &self.west,
            Wind::North => &self.north,
        };
        name.get(lang)
    }

    /// The name of an honour or a flower.
    fn plain(&self, tile: Tile, lang: Lang) -> String {
        let filled = |names: &Names, values: &[(&str, &str)]| fill(names.get(lang), values);
        let Some(kind) = tile.kind() else {
            return filled(&self.flower, &[("letter", &tile.to_string())]);
        };
        let either = |wind, other| {
            let [wind, other] = [wind, other].map(|wind| self.wind(wind, lang));
            filled(&self.either_wind, &[("wind", wind), ("other", other)])
        };
        let word = match kind {
            Kind::RED => &self.red,
            Kind::GREEN => &self.green,
            Kind::WHITE => &self.white,
            Kind::ZERO => &self.zero,
            Kind::JOKER => &self.joker,
            Kind::BLOSSOM => &self.blossom,
            extra if Kind::EXTRA.contains(&extra) => {
                return filled(&self.extra, &[("letter", &tile.to_string())]);
            }
            Kind::HORIZONTAL => return either(Wind::East, Wind::West),
            Kind::VERTICAL => return either(Wind::South, Wind::North),
            _ => {
                let wind = Wind::ALL.into_iter().find(|wind| wind.kind() == kind);
                return wind
                    .map_or_else(|| tile.to_string(), |wind| self.wind(wind, lang).to_owned());
            }
        };
        word.get(lang).to_owned()
    }
}
