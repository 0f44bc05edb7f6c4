//! The sections with their keys. Each key is declared in one row: its documentation, its name, its types, what applies
//! without it.

use super::row::Absent::{Default, Required, Unset};
use super::row::KeyType::{
    Amount, Amounts, Any, Bool, Condition, Count, Decimal, Form, Formula, Id, List, Names, Table,
    Text, Tiles, Words,
};
use super::row::{
    CLAIMS, CLASS, DICE, EXPRESSION, FORM_ITEMS, GROUPS, KINDS, KeyDoc, RANKS, SectionDoc, int,
};
use crate::counts::{MAX_COPIES, MOST_COPIES};
use crate::score::facts::Scope::{
    Claim, Hand, Held, Options, Payment, Result, Sums, Table as AtTable,
};
use crate::seat::MAX_PLAYERS;
use crate::state::{MAX_EXCHANGED, MAX_TURNED};

/// The documentation of a section.
struct Prose {
    path: &'static str,
    about: &'static str,
    /// Each key with its meaning.
    keys: &'static [(&'static str, &'static str)],
}

fn prose(path: &str) -> Option<&'static Prose> {
    PROSE.iter().find(|prose| prose.path == path)
}

impl KeyDoc {
    /// What it means.
    pub fn doc(&self) -> &'static str {
        let mut keys = prose(self.section).into_iter().flat_map(|prose| prose.keys);
        keys.find(|(name, _)| *name == self.name)
            .map_or("", |(_, doc)| doc)
    }
}

impl SectionDoc {
    /// What it is about.
    pub fn doc(&self) -> &'static str {
        prose(self.path).map_or("", |prose| prose.about)
    }
}

macro_rules! sections {
    ($(
        $(#[doc = $about:literal])+
        $path:literal {$(
            $(#[doc = $doc:literal])+
            $name:literal: [$($kind:expr),+], $absent:expr;
        )+}
    )+) => {
        /// Every section of a ruleset file, in the order of this reference.
        pub const SECTIONS: &[SectionDoc] = &[$(SectionDoc {
            path: $path,
            keys: &[$(KeyDoc {
                section: $path,
                name: $name,
                types: &[$($kind),+],
                absent: $absent,
            }),+],
        }),+];

        /// What the sections are about, each with what its keys mean. It is apart from [`SECTIONS`], so that a
        /// program that never shows them does not contain it.
        const PROSE: &[Prose] = &[$(Prose {
            path: $path,
            about: concat!($($about),+).trim_ascii(),
            keys: &[$(($name, concat!($($doc),+).trim_ascii())),+],
        }),+];
    };
}

/// The most points of a payment or a total.
const BILLION: i64 = 1_000_000_000;
const MILLION: i64 = 1_000_000;

const FAMILIES: super::KeyType = Words(&[
    "pair", "pung", "kong", "arith", "gem", "power", "quint", "sextet",
]);
const SUMS: super::KeyType = Words(&["none", "roll-1", "roll-2", "all", "lowest"]);
const INDICATOR_TURNS: super::KeyType = Words(&["at-once", "after-replacement", "after-discard"]);

sections! {
    /// The sections of a file. A file that extends another one states only what differs: tables are merged key by key,
    /// and every other value is replaced. A name is a string, or a table by language such as
    /// `{ en = "All pungs", zh = "碰碰和" }`; a string is the English name. Names by language are merged, too.
    "" {
        /// Name, version and players.
        "ruleset": [Table], Required;
        /// What can be set when the ruleset is loaded.
        "options": [Table], Unset;
        /// The tiles of the set.
        "tiles": [Table], Required;
        /// What actions are called, for people.
        "actions": [Table], Unset;
        /// How the wall is built, broken and drawn from.
        "wall": [Table], Required;
        /// How tiles are dealt.
        "deal": [Table], Required;
        /// The groups of a hand.
        "melds": [Table], Required;
        /// Complete hands that are not groups and a pair. Without it there are none.
        "forms": [Table], Unset;
        /// Tiles that are turned face up from the wall. Without it none but the indicators of `[wall]`.
        "turned": [Table], Unset;
        /// Wild tiles: tiles that stand for any tile. Without it there are none.
        "wild": [Table], Unset;
        /// What all seats choose before the first turn. Without it nothing.
        "opening": [Table], Unset;
        /// What a seat may do on its turn besides discarding.
        "turn": [Table], Unset;
        /// What a discard may be claimed for.
        "claims": [Table], Required;
        /// Which kongs may be declared, and what follows. The ruleset needs a kong in `[melds]`.
        "kongs": [Table], Unset;
        /// Bonus tiles: tiles that are laid beside the hand, each for a replacement. They include all flowers.
        "aside": [Table], Unset;
        /// Which complete hands may win.
        "win": [Table], Required;
        /// Circumstances of a win, such as the last tile of the wall.
        "flags": [Table], Unset;
        /// Named conditions and numbers that other conditions may use.
        "conditions": [Table], Unset;
        /// How patterns add up to points.
        "score": [Table], Required;
        /// Fu of a hand. Columns of han and fu require the section.
        "fu": [Table], Unset;
        /// What a hand scores for.
        "patterns": [Table], Required;
        /// Properties that the values should keep.
        "invariants": [Table], Unset;
        /// Who pays whom.
        "settlement": [Table], Required;
        /// What is paid for wins, kongs and other events. Without it nothing but what the settlement pays.
        "payments": [Table], Unset;
        /// Who deals, and how long a match lasts.
        "match": [Table], Required;
        /// Rules that need code. A table here switches its rule on.
        "procedures": [Table], Unset;
        /// False wins and dead hands.
        "penalties": [Table], Unset;
        /// Golden hands: hands with the score that the lint expects.
        "examples": [List(&Table)], Unset;
    }

    /// Keys that any table may have, in every section. They are read before all others and need `[options]`.
    "<any>" {
        /// The table, or the item of a list, is there only if this condition over options and `players` holds.
        "if": [Condition(Options)], Unset;
        /// With `false` the table is left out.
        "enabled": [Bool], Default("true");
        /// `{ is = VALUE, if = "…" }` is this value where the condition holds, and no value elsewhere.
        "is": [Any], Unset;
        /// `{ option = "NAME" }` is the value of an option. The table has no other key.
        "option": [Id("options")], Unset;
        /// Lints about this table that are intended: `accept = { implied = "REASON" }`, by the word that a lint has in
        /// brackets.
        "accept": [Any], Unset;
    }

    /// The name of a ruleset, and the number of players.
    "ruleset" {
        /// The id that programs use for the ruleset.
        "id": [Text], Required;
        /// The name that is displayed. Without it the id in words. A file does not inherit it.
        "name": [Names], Unset;
        /// The version of the rules.
        "version": [Text], Default("\"\"");
        /// What the game is, in a sentence.
        "doc": [Text], Default("\"\"");
        /// The document that the rules are from.
        "source": [Text], Default("\"\"");
        /// What this file extends: the id of a built-in ruleset, or the path of a file in its folder or below, such as
        /// `./club.toml`. Without it the file is a ruleset by itself.
        "extends": [Text], Unset;
        /// The number of players.
        "players": [int(2, MAX_PLAYERS as i64)], Required;
    }

    /// Options by name.
    "options" {
        /// The source of all options here that have none of their own.
        "src": [Text], Unset;
        /// An option. Its name is known in every condition.
        "<id>": [Table], Unset;
    }

    /// An option, which can be set when the ruleset is loaded. `{ option = "NAME" }` is its value anywhere in the file.
    "options.<id>" {
        /// `false` removes this option of the file that this file extends.
        "enabled": [Bool], Default("true");
        /// The name that is displayed. Without it the id in words.
        "name": [Names], Unset;
        /// What kind of value it has: true or false, an integer, a number with one decimal place, one of some words, a
        /// list of integers, any of some words, or values of patterns by id.
        "type": [Words(&["bool", "int", "decimal", "enum", "ints", "words", "pattern-values"])], Required;
        /// The value if none is set, of the option's type.
        "default": [Any], Required;
        /// The least value of `int`, `decimal` and `ints`. Without it the least possible value.
        "min": [int(-BILLION, BILLION), Decimal], Unset;
        /// The greatest value, also of `pattern-values`. Without it the greatest possible value.
        "max": [int(-BILLION, BILLION), Decimal], Unset;
        /// The step from one value to the next, counted from `min`. Without it 1 for `int` and 0.1 for `decimal`.
        "step": [int(1, BILLION), Decimal], Unset;
        /// Values of `pattern-values` that are fan are multiples of this.
        "quantum": [Decimal], Default("0.1");
        /// How many integers `ints` has. `ints` requires it.
        "len": [int(1, 100)], Unset;
        /// The words of `enum` and `words`, which require them.
        "values": [List(&Text)], Unset;
        /// What it means.
        "doc": [Text], Default("\"\"");
        /// Where the rule comes from.
        "src": [Text], Default("\"\"");
    }

    /// The tiles of the set.
    "tiles" {
        /// Kinds with the number of their copies. Rows of `[aside]` bring flowers into play.
        "copies": [List(&Table)], Required;
        /// How many fives of circles, bamboos and characters are red: three counts, or none.
        "red-fives": [List(&int(0, MAX_COPIES as i64))], Default("[]");
        /// Suits by their letters.
        "suits": [Table], Unset;
        /// Names for classes of tiles in conditions.
        "classes": [Table], Unset;
        /// What the tiles are called, for people.
        "names": [Table], Unset;
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// Kinds that have the same number of copies.
    "tiles.copies" {
        /// The kinds. Numbers have a rank and a suit, `t`, `s` or `m`. Honours are winds `ESWN` or compressed `HV`, dragons
        /// `CFP`, the zero `Z`, the joker `J`, the blossom `B`, and the four extra kinds `ADGK`. Extra kinds have no fixed
        /// meaning: `[tiles.names.tile]` names them. Flowers are no kinds: rows of `[aside]` list them. Their letters are
        /// `hijk` and `opqr`, each in the order of the seats, and `glnu` and `vwyz` without seats.
        "tiles": [Tiles], Required;
        /// How many of each: up to eight of `J`, `B` and the extra kinds, up to four of any other kind.
        "count": [int(1, MOST_COPIES as i64)], Required;
    }

    /// The suits.
    "tiles.suits" {
        /// A suit by its letter: `t`, `s` or `m`.
        "<id>": [Table], Unset;
    }

    /// A suit. Its ranks are those that `copies` lists.
    "tiles.suits.<id>" {
        /// What the suit is called, for people: circles, bamboos or characters if absent.
        "name": [Names], Unset;
        /// What its tiles are called. `{rank}` is the rank and `{suit}` the name of the suit.
        "tile": [Names], Unset;
        /// The honour that belongs to the suit: `honour a` in forms and in `has-groups`.
        "honour": [Tiles], Unset;
    }

    /// Names of tiles for people, where they differ from those of `rulesets/names.toml`. A word in braces is a placeholder.
    "tiles.names" {
        /// A red five. `{tile}` is the name of the plain five.
        "red-five": [Names], Unset;
        /// The east wind.
        "east": [Names], Unset;
        /// The south wind.
        "south": [Names], Unset;
        /// The west wind.
        "west": [Names], Unset;
        /// The north wind.
        "north": [Names], Unset;
        /// A tile that is one of two winds, `{wind}` and `{other}`.
        "either-wind": [Names], Unset;
        /// The red dragon.
        "red-dragon": [Names], Unset;
        /// The green dragon.
        "green-dragon": [Names], Unset;
        /// The white dragon.
        "white-dragon": [Names], Unset;
        /// The zero.
        "zero": [Names], Unset;
        /// The joker.
        "joker": [Names], Unset;
        /// The blossom, a flower that is held in the hand.
        "blossom": [Names], Unset;
        /// An extra kind. `{letter}` is its letter.
        "extra": [Names], Unset;
        /// A flower. `{letter}` is its letter.
        "flower": [Names], Unset;
        /// Names of single tiles.
        "tile": [Table], Unset;
    }

    /// Names of single tiles, which go before those of `[tiles.names]`, for kinds that a ruleset uses for something else.
    "tiles.names.tile" {
        /// The name of a kind or a flower, which the key gives in ujmj notation.
        "<id>": [Names], Unset;
    }

    /// Classes of tiles by name.
    "tiles.classes" {
        /// The tiles of a class. Flowers are in no class.
        "<id>": [Tiles], Unset;
    }

    /// What actions are called.
    "actions" {
        /// Names of actions.
        "names": [Table], Unset;
    }

    /// Names of actions for people, where they differ from those of `rulesets/names.toml`. A word in braces is a placeholder.
    "actions.names" {
        /// Claims nothing, or plays on.
        "pass": [Names], Unset;
        /// Wins with a drawn tile.
        "win-drawn": [Names], Unset;
        /// Wins with a tile of another seat.
        "win-claimed": [Names], Unset;
        /// Announces a standing hand.
        "stand": [Names], Unset;
        /// Declares riichi.
        "riichi": [Names], Unset;
        /// Declares a draw with nine orphans.
        "nine-orphans": [Names], Unset;
        /// Lays `{tile}` aside.
        "aside": [Names], Unset;
        /// Challenges a face-down kong.
        "challenge": [Names], Unset;
        /// Ends the match.
        "end-match": [Names], Unset;
        /// Declares a false win.
        "false-win": [Names], Unset;
        /// Claims a discard for a run, `{tiles}`.
        "chow": [Names], Unset;
        /// Claims a discard for a pung, `{tiles}`.
        "pung": [Names], Unset;
        /// Claims a discard for a kong, `{tiles}`.
        "kong": [Names], Unset;
        /// Claims a discard for a quint, `{tiles}`.
        "quint": [Names], Unset;
        /// Claims a discard for a sextet, `{tiles}`.
        "sextet": [Names], Unset;
        /// An `{action}` with some `{tiles}`: those of the next five keys.
        "with": [Names], Unset;
        /// The `{one}` and the `{other}` of these.
        "and": [Names], Unset;
        /// A red five in a claim.
        "red-five": [Names], Unset;
        /// Several red fives, `{count}` of them.
        "red-fives": [Names], Unset;
        /// A joker in a claim.
        "joker": [Names], Unset;
        /// A joker in a run, which stands for `{tile}`.
        "joker-as": [Names], Unset;
        /// Several jokers, `{count}` of them.
        "jokers": [Names], Unset;
        /// Declares a concealed kong of `{tile}`.
        "concealed-kong": [Names], Unset;
        /// Adds `{tile}` to a pung.
        "added-kong": [Names], Unset;
        /// Swaps a tile for a wild one of a meld, `{tiles}`.
        "swap": [Names], Unset;
        /// Lays down `{tiles}`.
        "lay": [Names], Unset;
        /// Chooses `{tile}` to be passed.
        "exchange": [Names], Unset;
        /// Chooses a suit to be barred, `{suit}`.
        "missing-suit": [Names], Unset;
        /// Shows the hand in a step of `[opening]`, `{what}`.
        "show": [Names], Unset;
        /// Discards `{tile}`.
        "discard": [Names], Unset;
        /// Discards `{tile}`, which was just drawn.
        "discard-drawn": [Names], Unset;
    }

    /// How the wall is built, broken and drawn from.
    "wall" {
        /// Tiles in a stack.
        "height": [int(1, 4)], Default("2");
        /// Rolls of dice in the order in which they are thrown, two at most.
        "rolls": [List(&DICE)], Default("[]");
        /// The sum of dice that determines whose wall is broken, counted in turn order from the dealer, who is 1.
        "break-wall": [SUMS], Default("\"none\"");
        /// The sum of dice that determines how many stacks are counted from the right end of that wall.
        "break-count": [SUMS], Default("\"none\"");
        /// Whether that wall is followed by the wall of the next player or of the previous player.
        "ring": [Words(&["with-turns", "against-turns"])], Default("\"with-turns\"");
        /// Whether drawing starts after the counted stacks and goes onward, or before them and goes backward.
        "draw": [Words(&["onward", "backward"])], Default("\"onward\"");
        /// Who builds one stack more where stacks are left over: the dealer and the player opposite, or the first
        /// seats.
        "spare-stacks": [Words(&["opposite", "first"])], Default("\"first\"");
        /// Tiles at the end of the wall that ordinary draws leave: a number, or stacks and tiles. At most 100. Without
        /// `reserve-moves` they are all the replacements of a deal. If it is 0 then, a bonus tile ends the deal and no kong is
        /// legal.
        "reserve": [int(0, 100), Table], Default("0");
        /// Bonus tiles that must be laid aside are replaced from the front of the wall once the replacements are used up.
        "reserve-then-wall": [Bool], Default("false");
        /// Each replacement takes one tile from ordinary draws, so that the reserve keeps its size. Otherwise replacements
        /// come from the reserve alone.
        "reserve-moves": [Bool], Default("false");
        /// Where replacements come from: the end of the wall tile by tile, the end stack by stack with the upper tile
        /// first, or the last tile before the reserve.
        "replacements": [Words(&["from-end", "by-stack", "before-reserve"])], Required;
        /// The most replacements of a deal. Without it the reserve limits them, or with `reserve-moves` the wall.
        "most-replacements": [int(0, 100)], Unset;
        /// Where indicators are: the tops of the stacks of the reserve and then the bottoms, or the tops beyond the
        /// replacements. Without it there are none.
        "indicators": [Words(&["tops-then-bottoms", "tops-beyond-replacements"])], Unset;
        /// The tiles under indicators count for some winners (ura).
        "under-indicators": [Bool], Default("true");
        /// The most indicators. Without it only the size of the reserve limits them.
        "most-indicators": [int(1, 100)], Unset;
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// A reserve that is written in stacks and tiles.
    "wall.reserve" {
        /// Whole stacks.
        "stacks": [int(0, 100)], Default("0");
        /// Tiles beside them.
        "tiles": [int(0, 100)], Default("0");
    }

    /// How tiles are dealt.
    "deal" {
        /// Whether the dealer or the next player gets the first tiles.
        "first": [Words(&["dealer", "next"])], Default("\"dealer\"");
        /// How many tiles each player gets in each round of dealing. Together they are 10, 13 or 16, the tiles of a
        /// hand.
        "packets": [List(&int(1, 16))], Required;
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// The groups of a hand by name. A name is known in conditions if no other meld has its family.
    "melds" {
        /// The source of all melds here that have none of their own.
        "src": [Text], Unset;
        /// A meld.
        "<id>": [Table], Unset;
    }

    /// Groups of one family. Pairs need no table.
    "melds.<id>" {
        /// What the groups are: three alike, four alike, runs at equal distances, or runs of two other kinds with
        /// listed ranks, or five or six alike. Those five or six are only claimed and take all of their tiles from the hand:
        /// the game needs `[kongs] replacement = false`. Of a kind with four copies they need wild tiles.
        "family": [Words(&["pung", "kong", "arith", "gem", "power", "quint", "sextet"])], Required;
        /// Runs of the family `arith` may begin with the zero tile.
        "zero": [Bool], Default("false");
        /// The distances from one rank to the next of the family `arith`, which requires them. 1 is three ranks in a
        /// row.
        "steps": [Words(&["all"]), List(&int(1, 8))], Unset;
        /// The ranks of each run of the families `gem` and `power`.
        "shapes": [List(&RANKS)], Default("[]");
        /// What it is.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Complete hands that are not groups and a pair, by name.
    "forms" {
        /// The source of all forms here that have none of their own.
        "src": [Text], Unset;
        /// A form. Conditions ask for it with the fact `form`.
        "<id>": [Table], Unset;
    }

    /// A form of complete hands.
    "forms.<id>" {
        /// What the hand is made of, or a list of texts for a hand that can be made in several ways. Items are separated by
        /// commas. `single`, `pair`, `pung`, `kong`, `quint` and `sextet` are one to six tiles alike. After them stands a tile,
        /// a class (one of its kinds), a rank and a suit, `honour` and a suit, or `wild`: wild tiles that stand for themselves,
        /// no jokers. For more tiles alike than the set has see `copies` of `[wild]`. `each` has tiles, a class or ranks of a
        /// suit after it, all of them once. `pairs(n)` and `any(n, CLASS)` are n pairs and n single tiles, with `distinct` of
        /// different kinds. `group` is a pung or run of `[melds]`, `group*2` two of them. A lower-case letter is any rank (`r`,
        /// `r+1`) or any suit; different letters for suits are different suits.
        "groups": [FORM_ITEMS, List(&FORM_ITEMS)], Required;
        /// No declared meld is part of the hand. With `false` a meld is a `group` if the form has one. Without a `group` all
        /// melds are of the kinds of `any(…)`, or each is a pung of the items, or each is an open run of tiles of `each`. Where
        /// kongs draw no replacement, kongs and larger groups of the items may be melds, too.
        "concealed": [Bool], Default("true");
        /// What it is.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Tiles that are turned face up from the wall and belong to nobody. All rows together have at most eight. The indicators of
    /// `[wall]` are no such tiles.
    "turned" {
        /// The source of all rows here that have none of their own.
        "src": [Text], Unset;
        /// A row.
        "<id>": [Table], Unset;
    }

    /// Tiles that are turned at one moment.
    "turned.<id>" {
        /// When they are turned: `win`, when a deal ends with a win, before the win is paid; `dealt`, one tile once the tiles
        /// are dealt, which stays on the wall and says which kind is wild (`[wild]`).
        "on": [Words(&["win", "dealt"])], Required;
        /// How many, if the wall has that many.
        "count": [int(0, MAX_TURNED as i64)], Default("1");
        /// Where they come from: `next`, where the next tile would be drawn; `end`, where replacements are drawn. A tile that is
        /// turned when the tiles are dealt is the one at the end that need not be laid aside.
        "at": [Words(&["next", "end"])], Default("\"next\"");
        /// What the tiles are for.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// What all seats choose before the first turn: steps in the order of the file, at most eight. In a step all choose at the
    /// same time, and nothing is known until all have chosen.
    "opening" {
        /// The source of all steps here that have none of their own.
        "src": [Text], Unset;
        /// A step.
        "<id>": [Table], Unset;
    }

    /// A step before the first turn. It has one of `pass`, `choose` and `show`.
    "opening.<id>" {
        /// Each seat passes tiles to another.
        "pass": [Table], Unset;
        /// Each seat chooses a suit. One step does this at most.
        "choose": [Words(&["suit"])], Unset;
        /// What follows from the choice of a suit: the seat may not win, claim or make kongs with its tiles, and discards
        /// them before all others. `choose` requires it.
        "bars": [Words(&["chosen"])], Unset;
        /// A seat may show its hand to all others if it meets a condition.
        "show": [Table], Unset;
        /// The name that is displayed.
        "name": [Names], Unset;
        /// What it is.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Tiles that all seats pass on at the same time. They are chosen one by one, in tile order.
    "opening.<id>.pass" {
        /// How many tiles each seat passes. A seat that holds fewer of `of` passes all of them.
        "tiles": [int(1, MAX_EXCHANGED as i64)], Required;
        /// The kinds that may be passed. Without it all of them.
        "of": [KINDS], Unset;
        /// All of them are of one suit, if the hand has enough tiles of one.
        "same-suit": [Bool], Default("false");
        /// Who receives them: one direction, or a list of at most six, along which the sum of the dice is counted.
        "to": [Words(&["next", "across", "previous"]), List(&Words(&["next", "across", "previous"]))], Required;
    }

    /// A hand that may be shown.
    "opening.<id>.show" {
        /// What the tiles of the hand must meet.
        "when": [Condition(Held)], Required;
    }

    /// What a seat may do on its turn besides discarding.
    "turn" {
        /// Families of concealed groups that may be laid down.
        "lay-down": [List(&FAMILIES)], Default("[]");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// What a discard may be claimed for.
    "claims" {
        /// The claims in order of precedence. `win`, `kong`, `pung` and `chow` are named, each once, even one that `chow-from`
        /// or `[melds]` rules out; `quint` and `sextet` if they are in `[melds]`. Of equal ones the next in turn order goes
        /// first.
        "precedence": [List(&CLAIMS)], Required;
        /// Who wins if several seats could win off a discard: the next in turn order, or all of them.
        "winners": [Words(&["nearest", "all"])], Default("\"nearest\"");
        /// Whether two seats that could win both win. Without it `winners` decides.
        "double-win": [Bool], Unset;
        /// Who wins if three seats or more could: `draw` ends the deal without a win. Without it `winners` decides.
        "triple-win": [Words(&["nearest", "all", "draw"])], Unset;
        /// Whose discard may be claimed for a chow: that of the player before, of the player after, of any player, or
        /// none.
        "chow-from": [Words(&["previous", "next", "any", "nobody"])], Default("\"previous\"");
        /// Whether the last discard, after which no tile is left to draw, may also be claimed for melds.
        "last-discard": [Words(&["any", "win-only"])], Default("\"any\"");
        /// Which groups a claimed tile may complete for a win.
        "win": [Table], Unset;
        /// Who may claim a kong.
        "kong": [Table], Unset;
        /// Who may claim a pung.
        "pung": [Table], Unset;
        /// Who may claim a chow.
        "chow": [Table], Unset;
        /// Who may claim a quint.
        "quint": [Table], Unset;
        /// Who may claim a sextet.
        "sextet": [Table], Unset;
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// Which groups a claimed tile may complete for a win.
    "claims.win" {
        /// The families of these groups. Without it all families.
        "completes": [List(&FAMILIES)], Unset;
        /// A discard of any player may complete a run. With `false` only one that `chow-from` allows.
        "chow-from-anyone": [Bool], Default("true");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// Who may claim a kong.
    "claims.kong" {
        /// A condition that the declared melds and bonus tiles of the seat must meet. The concealed tiles are not known.
        "when": [Condition(Claim)], Required;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Who may claim a pung.
    "claims.pung" {
        /// A condition that the declared melds and bonus tiles of the seat must meet. The concealed tiles are not known.
        "when": [Condition(Claim)], Required;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Who may claim a chow.
    "claims.chow" {
        /// A condition that the declared melds and bonus tiles of the seat must meet. The concealed tiles are not known.
        "when": [Condition(Claim)], Required;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Who may claim a quint.
    "claims.quint" {
        /// A condition that the declared melds and bonus tiles of the seat must meet. The concealed tiles are not known.
        "when": [Condition(Claim)], Required;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Who may claim a sextet.
    "claims.sextet" {
        /// A condition that the declared melds and bonus tiles of the seat must meet. The concealed tiles are not known.
        "when": [Condition(Claim)], Required;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Which kongs may be declared, and what follows.
    "kongs" {
        /// Whether a concealed kong lies face up or face down.
        "concealed": [Words(&["shown", "hidden"])], Default("\"shown\"");
        /// Whether kongs may be declared in a turn that began with a claimed pung or run: never, once a bonus
        /// tile was replaced, or at once.
        "after-claim": [Words(&["never", "after-replacement", "always"])], Default("\"after-replacement\"");
        /// A tile that replaces a bonus tile drawn for a kong counts as drawn for the kong, too.
        "through-aside": [Bool], Default("true");
        /// Kongs that may be robbed: with the tile added to a pung, or with a tile of a concealed kong. A table names
        /// the only form that may rob a concealed kong.
        "rob": [List(&Words(&["added", "concealed"])), List(&Table)], Default("[]");
        /// When the indicator of a concealed kong is turned: before its replacement is drawn, afterwards, or with the
        /// next discard.
        "indicator-concealed": [INDICATOR_TURNS], Default("\"after-replacement\"");
        /// The same for a claimed kong.
        "indicator-claimed": [INDICATOR_TURNS], Default("\"after-replacement\"");
        /// The same for a kong made by adding a tile to a pung.
        "indicator-added": [INDICATOR_TURNS], Default("\"after-replacement\"");
        /// Kongs turn indicators, if the wall has any.
        "indicators": [Bool], Default("true");
        /// The most kongs of a deal. Without it only replacements limit them.
        "at-most": [int(0, 100)], Unset;
        /// The tiles under indicators of kongs count as those under the first one do.
        "ura": [Bool], Default("true");
        /// A win with a replacement first turns the indicators that the discard would turn.
        "replacement-win-turns": [Bool], Default("true");
        /// A seat that laid down a concealed pung may claim the fourth tile.
        "claimed-on-laid": [Bool], Default("false");
        /// Which pungs the player may extend to a kong with a tile of the hand: none, those laid down, or those
        /// claimed.
        "added-to": [Words(&["none", "laid", "claimed"])], Default("\"none\"");
        /// Whether a kong draws a replacement. Without one a kong takes four tiles of the hand, is only claimed, and can be
        /// the kong of a form: such a game needs `[win] standard = false`.
        "replacement": [Bool], Default("true");
        /// Whether the tile added to a pung may be any, or only one that was just drawn.
        "added-tile": [Words(&["any", "drawn"])], Default("\"any\"");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// A concealed kong that one form alone may rob.
    "kongs.rob" {
        /// The kong: `concealed`.
        "kong": [Words(&["added", "concealed"])], Required;
        /// The form.
        "form": [Id("forms")], Required;
    }

    /// Bonus tiles: tiles that are laid beside the hand, each for a replacement. They are no part of the hand but may count in
    /// its score.
    "aside" {
        /// The source of all rows here that have none of their own.
        "src": [Text], Unset;
        /// A row.
        "<id>": [Table], Unset;
    }

    /// Bonus tiles that are laid aside in one way.
    "aside.<id>" {
        /// The tiles. Flowers come into play by this, one of each. Full winds, dragons and jokers count if `[tiles]` has them;
        /// where they must be laid aside, no group has them.
        /// No tile has two rows.
        "tiles": [Tiles], Default("\"\"");
        /// Whether a tile must be laid aside at once, or whether the seat on turn chooses, which is for kinds
        /// alone.
        "lay": [Words(&["forced", "choice"])], Default("\"forced\"");
        /// Of `forced`: when dealt tiles are laid aside and replaced: on their owner's turn, after the owner's draw, or by
        /// all seats before the first turn. It is the same in all rows. Kinds are laid aside before the first turn.
        "dealt": [Words(&["own-turn", "after-draw", "before-play"])], Default("\"before-play\"");
        /// The flowers of each seat, from East on, for the class `own-flower`. For further seats the list begins anew.
        "own": [List(&Tiles)], Default("[]");
        /// Of `choice`: others may win on the tile as on a discard.
        "rob": [Bool], Default("false");
        /// Patterns that win on a tile of the row: when a player lays it aside and one of these patterns holds with it, any
        /// player for whom it holds may win on it, the owner included. Only these patterns count then. For example, with
        /// `win-on = ["eight-flowers"]` and `eight-flowers.when = "aside(flower) == 8"` the eighth flower wins whatever
        /// the other tiles are. Needs `dealt = "after-draw"`, and no other row may have tiles in play.
        "win-on": [List(&Id("patterns"))], Default("[]");
        /// What the tiles are.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Wild tiles: tiles that stand for others. At most one row has no `as`.
    "wild" {
        /// The source of all rows here that have none of their own.
        "src": [Text], Unset;
        /// A row.
        "<id>": [Table], Unset;
    }

    /// Which tiles are wild, and what players may do with them.
    "wild.<id>" {
        /// Kinds that are always wild, with at most four tiles in all, or eight where special forms alone win. The joker, `J`, is never itself; other kinds may be.
        /// A row without `turned` has them.
        "tiles": [Tiles], Unset;
        /// The kinds that the tiles stand for: whole suits and any honours. If their own kind is not among them, they are never
        /// themselves; so a kind that no group has, such as `xt`, the ten of circles, can be a wild tile and nothing else. Rows
        /// must have no such kinds in common, or one must have all that the other has. Without it the tiles stand for any kind.
        /// Rows with `as` have at most eight tiles in all, which stand in groups and the pair, but not in special forms and in
        /// declared melds. A row with `as` has no `turned`, `in-forms`, `claimed`, `swap` and `swap-after-claim`.
        "as": [KINDS], Unset;
        /// The row of a tile that is turned when the tiles are dealt. It says which kind is wild in the deal.
        "turned": [Id("turned")], Unset;
        /// Whether the kind of the turned tile is wild (0), or the next rank, wind or dragon in play (1). After other honours
        /// comes none, so they are wild themselves.
        "step": [int(0, 1)], Default("0");
        /// Whether a hand with wild tiles may have only the copies of a kind that the set has (`set`), or more (`any`). Where
        /// special forms alone win, `any` lets their items ask for more copies, such as five alike of a kind with four: wild
        /// tiles stand for the others. All rows have the same.
        "copies": [Words(&["set", "any"])], Default("\"set\"");
        /// The items of forms in which wild tiles may stand; `single` includes the tiles of `each`. Without it they may stand
        /// in all.
        "in-forms": [List(&Words(&["single", "pair", "pung", "kong", "quint", "sextet"]))], Unset;
        /// How many tiles of a claimed meld may be wild. Without it none. Only jokers can stand in melds.
        "claimed": [Table], Unset;
        /// Whether a seat with a drawn tile may take a wild tile out of a claimed meld for the tile that it stands for: out of
        /// its `own` ones, or `any`, those of others included.
        "swap": [Words(&["never", "own", "any"])], Default("\"never\"");
        /// Whether a seat may also do so in a turn that began with a claim, before its discard.
        "swap-after-claim": [Bool], Default("false");
        /// Whether a seat may discard a wild tile. Without it a seat does so only if it holds nothing else. All rows have the
        /// same.
        "discard": [Bool], Default("false");
        /// What the tiles are.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// How many tiles of a claimed meld may be wild.
    "wild.<id>.claimed" {
        /// The most beside a tile that is claimed for a pung.
        "pung": [int(0, 2)], Default("0");
        /// The most beside a tile that is claimed for a kong.
        "kong": [int(0, 3)], Default("0");
        /// The most beside a tile that is claimed for a quint.
        "quint": [int(0, 4)], Default("0");
        /// The most beside a tile that is claimed for a sextet.
        "sextet": [int(0, 5)], Default("0");
        /// The most beside a tile that is claimed for a chow.
        "chow": [int(0, 1)], Default("0");
    }

    /// Which complete hands may win.
    "win" {
        /// How the winning tile may be obtained: at least one way. `turned` is the tile of `[turned]` that is turned when the
        /// tiles are dealt: every seat may win on it before the first turn, as on a drawn tile.
        "ways": [List(&Words(&["wall", "replacement", "discard", "robbed-kong", "turned"]))], Required;
        /// Whether a win ends the deal, or the others play on until one is left or the wall is used up.
        "then": [Words(&["end", "play-on"])], Default("\"end\"");
        /// Whether groups and a pair are a complete hand. Otherwise the forms of `[forms]` alone are.
        "standard": [Bool], Default("true");
        /// What every win must meet. Parts that `and` joins are judged one by one: those on the circumstances first, then those
        /// on the declared melds and bonus tiles. What asks for more, a reading of the hand must meet to count.
        "when": [Condition(Hand)], Unset;
        /// A condition on the sums of a hand, by their names in `[score] sums`, such as `fan >= 8`. A limit hand wins without
        /// it. In han and fu `yaku` are the han of yaku, without bonuses.
        "minimum": [Condition(Sums)], Unset;
        /// The flag of a win on the replacement for a kong. Kongs in a row are counted beside it.
        "kongs-in-row": [Id("flags")], Unset;
        /// The player who fed a claimed kong is liable for a win with its replacement.
        "kong-feeder-answers": [Bool], Default("false");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// Circumstances of a win by name. A name is known in conditions.
    "flags" {
        /// The source of all flags here that have none of their own.
        "src": [Text], Unset;
        /// A flag.
        "<id>": [Table], Unset;
    }

    /// A circumstance of a win. The table sets it, or a request that scores a hand names it.
    "flags.<id>" {
        /// When the table sets it. Without it never. A request with the flag is refused if the condition is certainly false
        /// for the win, the declared melds and the bonus tiles that it gives.
        "when": [Condition(AtTable)], Unset;
        /// What a request with the flag must meet besides: a condition on the circumstances of the win, declared melds and
        /// bonus tiles. The table does not ask it.
        "consistent": [Condition(Hand)], Unset;
        /// What it means.
        "doc": [Text], Default("\"\"");
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Named conditions and numbers.
    "conditions" {
        /// The meaning of the name. It may use other names, but not itself.
        "<id>": [EXPRESSION], Unset;
    }

    /// How patterns add up to points.
    "score" {
        /// The columns to which patterns add, at most four. `["han", "fu"]` are those of Riichi: fu are counted from the
        /// rows of `[fu]`, and `table` and the keys about limits make points of both. Other columns become points by
        /// `worth`. Goals are told in the first column.
        "sums": [List(&Text)], Required;
        /// What the columns are called, for people.
        "called": [Table], Unset;
        /// What patterns add is a multiple of this, in all columns or by column.
        "quantum": [Decimal, Table], Default("1");
        /// Columns in which the greatest amount counts instead of the sum.
        "greatest": [List(&Text)], Default("[]");
        /// What one limit is worth, in points. Formulas call it `limit`.
        "limit": [int(1, BILLION)], Unset;
        /// If some pattern has limits, patterns without limits do not count. Otherwise all count beside it.
        "limits-alone": [Bool], Default("false");
        /// The limits that the columns of a hand reach without a pattern that has limits, rounded down. Without it none.
        "reached": [Formula], Unset;
        /// What the columns are worth. Columns other than those of Riichi require it. Of readings with equal points and
        /// limits the one that is worth more counts. It should not fall where a column rises.
        "worth": [Formula], Unset;
        /// The points of the hand, rounded down: its `worth`, rounded and limited. Without it the worth.
        "points": [Formula], Unset;
        /// Tables of formulas.
        "tables": [Table], Unset;
        /// How answers and logs list a pattern that counts several times: once with the product, or each time.
        "listed": [Words(&["once", "each"])], Default("\"once\"");
        /// Limits of han and fu, in rising rows.
        "table": [List(&Table)], Default("[]");
        /// Of han and fu: a base of at least this is replaced by that of the first row of `table`. Required
        /// unless `rounded-up` is true.
        "limit-from": [int(1, BILLION)], Unset;
        /// Of han and fu: the same where `rounded-up` is true.
        "rounded-up-from": [int(1, BILLION)], Unset;
        /// Of han and fu: `rounded-up-from` holds in place of `limit-from`.
        "rounded-up": [Bool], Default("false");
        /// Of han and fu, which require it: the base of a limit hand, for each of its limits.
        "limit-base": [int(1, BILLION)], Unset;
        /// Of han and fu, which require it: what a limit hand is called.
        "limit-name": [Text], Unset;
        /// Of han and fu: several limit hands add up. Otherwise the greatest counts alone.
        "limits-add": [Bool], Default("true");
        /// Of han and fu: the least fu of an open hand.
        "open-least-fu": [int(0, 1000)], Default("0");
        /// Limit hands that are worth twice their limits.
        "double-limits": [List(&Id("patterns"))], Default("[]");
        /// Patterns whose `liable` applies. Without it all patterns.
        "answered": [List(&Id("patterns"))], Unset;
        /// Values that replace those of the patterns.
        "values": [Table], Unset;
        /// Which of two readings of equal worth counts: the one with fewer patterns, with more, or with the pattern
        /// that comes first in the file. Several rules are tried in order.
        "ties": [List(&Words(&["fewest-patterns", "most-patterns", "first-patterns"]))], Default("[]");
        /// What losers score. Without it nothing.
        "losers": [Table], Unset;
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// A limit of han and fu.
    "score.table" {
        /// The least han of the row.
        "han": [int(0, 1000)], Required;
        /// The base of payments.
        "base": [int(1, BILLION)], Required;
        /// What the limit is called.
        "name": [Text], Required;
    }

    /// Steps of what patterns add, by column.
    "score.quantum" {
        /// The step of a column.
        "<id>": [Decimal], Unset;
    }

    /// What columns are called, for people.
    "score.called" {
        /// The name of a column, in the plural if it has one: `bonus doubles`.
        "<id>": [Text], Unset;
    }

    /// Tables by name. `table(NAME, n)` is entry n, the first being entry 0; beyond the ends it is the first or the last.
    /// `place(NAME, x)` is the first n whose entry is at least x.
    "score.tables" {
        /// The entries.
        "<id>": [List(&int(-BILLION, BILLION))], Unset;
    }

    /// Values of patterns by id. 0 switches a pattern off.
    "score.values" {
        /// The value of a pattern.
        "<id>": [Decimal], Unset;
    }

    /// What losers score: groups and pairs that they hold.
    "score.losers" {
        /// Four alike among the concealed tiles count as a kong. Otherwise three of them count as a pung.
        "kongs": [Bool], Default("false");
        /// Classes of pairs that count. If there are more than `most-pairs`, pairs of earlier classes are preferred.
        "pairs": [List(&CLASS)], Default("[]");
        /// The most pairs that count.
        "most-pairs": [int(0, 7)], Default("7");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// Rows of fu by name.
    "fu" {
        /// A row.
        "<id>": [Table], Unset;
    }

    /// Fu of a hand.
    "fu.<id>" {
        /// Fu each time that the row counts.
        "fu": [int(0, 1000)], Required;
        /// When it counts. Without it always.
        "when": [Condition(Hand)], Unset;
        /// How often it counts. Without it once.
        "per": [Count(Hand)], Unset;
        /// If it counts, the hand has these fu and no others, not rounded.
        "exact": [Bool], Default("false");
        /// What it is.
        "doc": [Text], Default("\"\"");
        /// Where the rule comes from.
        "src": [Text], Default("\"\"");
    }

    /// Patterns by id, in the order in which a score shows them.
    "patterns" {
        /// The source of all patterns here that have none of their own.
        "src": [Text], Unset;
        /// A pattern.
        "<id>": [Table], Unset;
    }

    /// What a hand scores for: it adds to columns or has limits. In han and fu it has exactly one of `han`, `bonus-han`,
    /// `han-alone` and `limits`.
    "patterns.<id>" {
        /// The id that scores show. Several patterns may share one. Without it the key.
        "id": [Text], Unset;
        /// The name that is displayed. Without it the id in words.
        "name": [Names], Unset;
        /// When it counts. Without it always.
        "when": [Condition(Hand)], Unset;
        /// How often it counts. Without it once.
        "per": [Count(Hand)], Unset;
        /// Melds that it combines, each way as a list of groups. It counts once for each combination. Each combination
        /// after the first has at most one meld that is already combined.
        "combines": [GROUPS, List(&GROUPS)], Unset;
        /// Patterns that do not count beside it.
        "supersedes": [List(&Id("patterns"))], Default("[]");
        /// The pattern counts only if no other pattern does.
        "otherwise": [Bool], Default("false");
        /// Patterns beside which a pattern with `otherwise` counts as well.
        "beside": [List(&Id("patterns"))], Default("[]");
        /// What it adds to a column of `[score] sums`, whose name is the key, each time it counts: a number, or a text with a
        /// number over options. It may add to several columns.
        "<column>": [Decimal, Amounts], Unset;
        /// Of han and fu: han of a closed hand.
        "han": [int(0, 1000)], Unset;
        /// Beside `han`: han of an open hand. With 0 the pattern does not count there.
        "open": [int(0, 1000)], Default("0");
        /// Of han and fu: han that are not from yaku, such as dora.
        "bonus-han": [int(0, 1000)], Unset;
        /// Of han and fu: han that count alone if the hand is worth less without them.
        "han-alone": [int(0, 1000)], Unset;
        /// The limits of a limit hand.
        "limits": [int(0, 1000)], Default("0");
        /// Which player is liable for the pattern. Without it no player is.
        "liable": [Table], Unset;
        /// Whether the source gives the value, says that it may change, or gives none.
        "status": [Words(&["fixed", "provisional", "assumed"])], Default("\"fixed\"");
        /// What it is.
        "doc": [Text], Default("\"\"");
        /// Where the rule comes from.
        "src": [Text], Default("\"\"");
    }

    /// The player who fed a declared meld is liable for the pattern (pao). The family `riichi` of `[settlement]` pays by it
    /// for patterns with `limits`. Of rows of `[payments]` those `on = "win"` do: a row may ask `liable`, and then the rows say
    /// what a liable seat pays. If no row asks, the seat that is liable for the first such pattern pays for all others after
    /// a self-drawn win. Elsewhere nothing depends on it.
    "patterns.<id>.liable" {
        /// Families of the melds that count.
        "families": [List(&FAMILIES)], Required;
        /// All tiles of such a meld are in this class.
        "class": [CLASS], Required;
        /// Which of these melds decides: the first to the fourth, or the last.
        "meld": [Words(&["last"]), int(1, 4)], Required;
        /// No player is liable for a kong that was added to a pung.
        "not-added": [Bool], Default("false");
    }

    /// Properties that the values should keep, by name.
    "invariants" {
        /// The source of all invariants here that have none of their own.
        "src": [Text], Unset;
        /// An invariant, which the lint checks.
        "<id>": [Table], Unset;
    }

    /// A property that the values should keep.
    "invariants.<id>" {
        /// The hands that it is about.
        "given": [Condition(Hand)], Required;
        /// A condition that their scores must meet.
        "then": [Condition(Result)], Required;
        /// What it means.
        "doc": [Text], Default("\"\"");
        /// Where the rule comes from.
        "src": [Text], Default("\"\"");
    }

    /// Who pays whom. Keys of one family are accepted in all of them, so that a file can extend one of another family.
    "settlement" {
        /// Who pays whom: `own-points`, no player pays and each gets the points of their hand; `all-pay`, every loser pays
        /// the winner, and losers pay each other; `rows`, what `[payments]` says for wins; `riichi`, as in Riichi.
        "family": [Words(&["own-points", "all-pay", "rows", "riichi"])], Required;
        /// Of `all-pay`: what payments of and to the dealer are multiplied by.
        "dealer-factor": [int(1, 100)], Default("1");
        /// Of `all-pay`: of two losers the one with fewer points pays the other the difference.
        "losers-settle": [Bool], Default("false");
        /// Of `all-pay`: a loser with more points than the winner gets twice the difference and does not pay.
        "winner-pays-higher": [Bool], Default("false");
        /// Of `all-pay`: in a win with this flag the giver pays for all. Without it in none.
        "giver-pays-all": [Id("flags")], Unset;
        /// Of `all-pay`: the most that a loser pays who did not give the winning tile. The giver pays the rest. Without
        /// it there is no such bound.
        "par": [int(0, BILLION)], Unset;
        /// Of `riichi`: what a false win costs.
        "false-win": [Words(&["none", "mangan"])], Default("\"none\"");
        /// Of `riichi`: points that each counter adds to a win.
        "counter": [int(0, BILLION)], Default("0");
        /// Of `riichi`: points of a deposit.
        "deposit": [int(0, BILLION)], Default("0");
        /// Of `riichi`: the base of a false win.
        "mangan": [int(0, BILLION)], Default("0");
        /// Of `riichi`: a hand is ready even if it holds all copies of what it waits for.
        "empty-waits": [Bool], Default("false");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// What is paid for wins, kongs and other events.
    "payments" {
        /// The source of all payments here that have none of their own.
        "src": [Text], Unset;
        /// A payment.
        "<id>": [Table], Unset;
    }

    /// A payment. The rows of an event are paid in the order of the file, after what the family of the settlement pays. All
    /// of them see the table as it was before.
    "payments.<id>" {
        /// What is paid for, and who is paid: `kong`, its owner as soon as it can no longer be robbed; `aside`, the seat that
        /// laid a flower or another tile aside; `shown`, the seat
        /// that showed its hand before the first turn; `dealt`, each seat when play begins; `win`, each winner; `exhausted`, each seat in play when the wall is used up;
        /// `deal-end`, each seat at the end of a deal that is won or whose wall is used up. A claimed winning tile is in no
        /// hand then.
        "on": [Words(&["kong", "aside", "shown", "dealt", "win", "exhausted", "deal-end"])], Required;
        /// What the seat that is paid must meet. Without it nothing. With `on = "win"`, `when` and `amount` know the winner's
        /// hand in the reading that counts: `form is ID`, `melds(pung, dragon) == 3`. Where play goes on after a win they do
        /// not, because the hand stays hidden.
        "when": [Condition(Payment)], Unset;
        /// What each other seat in play must meet in order to pay. Without it each pays.
        "who": [Condition(Payment)], Unset;
        /// What each of them pays, in points. 0 is no payment. `seats(CONDITION)` counts the seats in play that meet a
        /// condition, as in `seats(ready)`. A row has an amount or a split, or returns payments.
        "amount": [Amount], Unset;
        /// What all of them pay together, in equal parts. Those that `when` holds for share it in equal parts.
        "split": [Amount], Unset;
        /// The name of the account in which the payments are noted, so that another row can return them.
        "account": [Text], Unset;
        /// The account whose payments go back. The row pays nothing else.
        "returns": [Text], Unset;
        /// Of `returns`: all payments, or those for the last event and for those that followed each other directly before
        /// it, such as kongs in a row.
        "what": [Words(&["all", "last"])], Default("\"all\"");
        /// Of `returns`: who was paid: the seat that `on` names, or the giver of the tile.
        "of": [Words(&["actor", "giver"])], Default("\"actor\"");
        /// Of `returns`: who gets them: those who paid, or the seat that `on` names.
        "to": [Words(&["payers", "actor"])], Default("\"payers\"");
        /// What is paid for, in words. They may have `{from}`, `{to}` and, for a win, `{points}` in braces.
        "doc": [Text], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Who deals, and how long a match lasts.
    "match" {
        /// Who deals first: drawn from the seed, player 0, or determined by the dice of player 0.
        "first-dealer": [Words(&["random", "fixed", "roll"])], Default("\"random\"");
        /// Who deals next: the winner, the next player after every deal, or the dealer again after an own win.
        "next-dealer": [Words(&["winner", "rotate", "dealer-keeps"])], Default("\"rotate\"");
        /// Of `dealer-keeps`: after which exhausted walls the dealer deals again: none, those after which the dealer is
        /// ready, or all.
        "dealer-keeps-on": [Words(&["win", "tenpai", "draw"])], Default("\"draw\"");
        /// Of `dealer-keeps`: after an exhausted wall with more kongs than this in the deal the dealer passes. Without it their
        /// number does not matter.
        "dealer-keeps-kongs": [int(0, 100)], Unset;
        /// Ends of the match, of which the first to be reached counts. One must be after deals or rounds.
        "ends": [List(&Table)], Required;
        /// The most deals of a match, whatever `ends` says.
        "max-deals": [int(1, MILLION)], Default("10000");
        /// The prevailing wind changes from round to round. Otherwise it is always East.
        "round-winds": [Bool], Default("false");
        /// The total of each player at the start.
        "start-points": [int(-BILLION, BILLION)], Default("0");
        /// What is added to the totals at the end. Without it nothing.
        "result": [Table], Unset;
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// An end of the match: after `deals`; after `rounds`, with or without a `goal`; with a total `below` a bound; or
    /// if the `dealer-leads` with a `goal` in the last of the `rounds`.
    "match.ends" {
        /// The number of deals.
        "deals": [int(1, BILLION)], Unset;
        /// The number of rounds. A round ends when the deal comes back to the first dealer.
        "rounds": [int(1, BILLION)], Unset;
        /// The points that a player must have. Until then further rounds are played.
        "goal": [int(-BILLION, BILLION)], Unset;
        /// After a deal that leaves a player with fewer points than this.
        "below": [int(-BILLION, BILLION)], Unset;
        /// After a deal of the last dealer, if that player is in the lead and has reached the goal.
        "dealer-leads": [Table], Unset;
    }

    /// After which deals a dealer who leads ends the match.
    "match.ends.dealer-leads" {
        /// After the dealer's own win.
        "on-win": [Bool], Default("false");
        /// After an exhausted wall with the dealer's hand ready.
        "on-ready": [Bool], Default("false");
        /// Only if the dealer chooses so.
        "by-choice": [Bool], Default("false");
    }

    /// What is added to the totals at the end of a match.
    "match.result" {
        /// The total that counts as neither won nor lost. Its excess over the points at the start goes to the first
        /// player, from every player.
        "return-points": [int(-BILLION, BILLION)], Required;
        /// Points by rank, the first player first (uma).
        "by-rank": [List(&int(-BILLION, BILLION))], Default("[]");
        /// Whether deposits that no player won go to the first or are lost.
        "deposits": [Words(&["first", "lost"])], Default("\"first\"");
        /// Where the rules of this section come from.
        "src": [Text], Unset;
    }

    /// Rules that need code. A table here switches its rule on.
    "procedures" {
        /// Hidden kongs may be challenged.
        "challenge": [Table], Unset;
        /// Calling and standing hands are announced.
        "fishing": [Table], Unset;
        /// Riichi may be declared.
        "riichi": [Table], Unset;
        /// A player who has passed a win, or discarded a tile that completes the hand, may not win off others.
        "furiten": [Table], Unset;
        /// Some tiles may not be discarded after a claim.
        "swap-call": [Table], Unset;
        /// Some deals end before the tiles run out.
        "abortive-draws": [Table], Unset;
    }

    /// Who may challenge a kong that lies face down.
    "procedures.challenge" {
        /// Any player may, from this kong of its owner on.
        "from-kong": [int(1, 4)], Required;
        /// A player who waits for one of these forms may challenge any kong.
        "waiting-on": [List(&Id("forms"))], Default("[]");
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Calling and standing hands.
    "procedures.fishing" {
        /// A standing player discards every drawn tile and declares no kong.
        "frozen": [Bool], Default("false");
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Who may declare riichi, and what is allowed afterwards.
    "procedures.riichi" {
        /// Ordinary draws that must be left in the wall.
        "live-tiles": [int(0, 1000)], Default("0");
        /// The total that a player must have.
        "points": [int(0, BILLION)], Default("0");
        /// What the seat must meet to declare riichi, beside a closed and ready hand: a condition on its melds and on what
        /// happened in the deal, as in `not has-discarded` or `claims == 0`. Facts about a win are not known.
        "when": [Condition(AtTable)], Unset;
        /// A player who has discarded a tile that completes the hand may declare riichi.
        "while-furiten": [Bool], Default("true");
        /// Which concealed kongs may be declared in riichi: none, those that keep the waits, or those that also keep
        /// every way to read the hand.
        "kongs": [Words(&["none", "same-waits", "same-shape"])], Default("\"none\"");
        /// The flag of a win in riichi.
        "flag": [Id("flags")], Unset;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// What keeps a seat from winning off others.
    "procedures.furiten" {
        /// What counts as passing: not winning with a tile that was a legal win, or with any tile that completes the
        /// form.
        "passed": [Words(&["legal-win", "any-wait"])], Default("\"legal-win\"");
        /// How long passing in riichi counts.
        "in-riichi": [Words(&["until-draw", "rest-of-deal"])], Default("\"rest-of-deal\"");
        /// A player who has discarded a kind that completes the hand may not win off others. Otherwise only passing
        /// bars wins.
        "own-discards": [Bool], Default("true");
        /// Whether passing bars wins with every kind or with the passed one.
        "kinds": [Words(&["all", "passed"])], Default("\"all\"");
        /// Whether passing counts until the next draw or the next discard of the seat.
        "until": [Words(&["draw", "discard"])], Default("\"draw\"");
        /// Passing also bars a win with a drawn tile. It needs `until = "discard"`.
        "drawn-tiles": [Bool], Default("false");
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Which tiles may not be discarded in the turn of a claim.
    "procedures.swap-call" {
        /// Which tiles may be discarded: all, all but the claimed kind, or all but that kind and the kind at the other
        /// end of a claimed run.
        "discards": [Words(&["allowed", "same-tile-forbidden", "forbidden"])], Required;
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Deals that end before the tiles run out.
    "procedures.abortive-draws" {
        /// The kinds of `nine-orphans`. Without them there is no such draw.
        "orphans": [KINDS], Unset;
        /// Nine different orphans in a player's first turn allow a draw.
        "nine-orphans": [Bool], Default("false");
        /// The first four discards are the same wind.
        "four-winds": [Bool], Default("false");
        /// Four kongs by several players, or a fifth kong.
        "four-kongs": [Bool], Default("false");
        /// All players are in riichi.
        "four-riichi": [Bool], Default("false");
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// Penalties for mistakes. A table here switches its penalty on.
    "penalties" {
        /// False wins.
        "false-win": [Table], Unset;
        /// Dead hands.
        "dead-hand": [Table], Unset;
    }

    /// A win that is declared with tiles that are not one.
    "penalties.false-win" {
        /// Points that the player pays to each of the others.
        "pays-each": [int(0, BILLION)], Required;
        /// What they are multiplied by.
        "times": [int(1, 1000)], Default("1");
        /// A player may declare one. Otherwise only a judge does.
        "playable": [Bool], Default("false");
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// A dead hand claims nothing, cannot win and scores nothing. The section has no parameters.
    "penalties.dead-hand" {
        /// Where the rule comes from.
        "src": [Text], Unset;
    }

    /// A golden hand: a hand with the score that the lint expects. Its other keys are the members of a `score` request. `round`
    /// is the prevailing wind; `options` sets options for this hand alone. `player` has `seat`, `hand` (the concealed tiles
    /// without the winning tile), `melds` and `flowers`. A meld has `tiles`, such as `"CCC"`; `from`, the seat that gave the
    /// claimed tile; `tile`, that tile; and `open`, which is false for a concealed kong. `win` has `tile`, `by` (a word of
    /// `[win]` `ways`), `from`, the seat that gave it, and `flags`. The guide of the JSON interface has the others.
    "examples" {
        /// What the lint expects.
        "expect": [Table], Required;
        /// What the example shows.
        "doc": [Text], Unset;
        /// A member of the request.
        "<id>": [Any], Unset;
    }

    /// The score of a golden hand. It expects at least one of these.
    "examples.expect" {
        /// Points.
        "points": [Decimal], Unset;
        /// The sum of a column of `[score] sums`, whose name is the key; in Riichi `han` and `fu`.
        "<column>": [Decimal], Unset;
        /// All patterns that count, each as often as it counts.
        "patterns": [List(&Id("patterns"))], Unset;
        /// The code of the error in the answer to the request, if the hand has no score.
        "error": [Form("an error code of the interface")], Unset;
    }
}
