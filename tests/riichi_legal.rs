//! The legal actions of `riichi-mcgill`, derived a second time from the rules by the obvious slow
//! way, at every decision of games in which riichi, kans and furiten are frequent. Sources:
//! `spec/riichi-mcgill.md` §1 to §8 and §13, `spec/log.md` for red fives in claims.
//!
//! With the variable `PAISHAN_LONG` set to a number of seconds, games under drawn options follow.

mod common;

use common::naive::{run_name, runs, splits, without};
use common::{agents, rigged, ruleset_with};
use paishan::agent::Agent;
use paishan::game::{Deal, Match, Observer};
use paishan::hand::HandError;
use paishan::random::Stream;
use paishan::ruleset::Ruleset;
use paishan::score::{ScoreError, ScoreInput};
use paishan::state::{
    AbortiveDraw, Action, DealState, Event, Legal, OnTable, Phase, Way, Win, Window,
};
use paishan::{
    Family, Group, Hand, Kind, KindSet, Meld, Notation, Player, Rank, Seat, Suit, Tile, Wall, Wind,
    game_seed,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

const HONOURS: [Kind; 7] = [
    Kind::EAST,
    Kind::SOUTH,
    Kind::WEST,
    Kind::NORTH,
    Kind::RED,
    Kind::GREEN,
    Kind::WHITE,
];

/// How many of each of the 34 kinds.
type Counted = [u8; 34];

/// The 34 kinds in the order of their places.
fn all_kinds() -> impl Iterator<Item = Kind> {
    let numbers = Suit::ALL.into_iter().flat_map(|suit| {
        let ranks = (1..=9).filter_map(Rank::new);
        ranks.map(move |rank| Kind::number(suit, rank))
    });
    numbers.chain(HONOURS)
}

fn place(kind: Kind) -> usize {
    let honour = || HONOURS.iter().position(|honour| *honour == kind);
    match (kind.suit(), kind.rank()) {
        (Some(suit), Some(rank)) => 9 * suit.lane() + usize::from(rank.get()) - 1,
        _ => 27 + honour().expect("a kind of the game"),
    }
}

fn is_orphan(kind: Kind) -> bool {
    kind.rank().is_none_or(|rank| matches!(rank.get(), 1 | 9))
}

fn kind_of(tile: Tile) -> Kind {
    tile.kind().expect("there are no flowers")
}

fn kinds_of(tiles: &[Tile]) -> Vec<Kind> {
    tiles.iter().map(|tile| kind_of(*tile)).collect()
}

fn held(tiles: &[Tile], kind: Kind) -> usize {
    tiles.iter().filter(|tile| kind_of(**tile) == kind).count()
}

fn counted(tiles: &[Tile]) -> Counted {
    let mut counts = [0; 34];
    for tile in tiles {
        counts[place(kind_of(*tile))] += 1;
    }
    counts
}

/// The tiles without one of them.
fn less(tiles: &[Tile], tile: Tile) -> Vec<Tile> {
    let mut rest = tiles.to_vec();
    rest.remove(rest.iter().position(|t| *t == tile).expect("it is held"));
    rest
}

fn are_melds(counts: &mut Counted, melds: usize) -> bool {
    let Some(first) = counts.iter().position(|n| *n > 0) else {
        return melds == 0;
    };
    if melds == 0 {
        return false;
    }
    let mut fits = false;
    if counts[first] >= 3 {
        counts[first] -= 3;
        fits = are_melds(counts, melds - 1);
        counts[first] += 3;
    }
    let starts_run = first < 27 && first % 9 < 7;
    if !fits && starts_run && counts[first + 1] > 0 && counts[first + 2] > 0 {
        (first..first + 3).for_each(|i| counts[i] -= 1);
        fits = are_melds(counts, melds - 1);
        (first..first + 3).for_each(|i| counts[i] += 1);
    }
    fits
}

fn are_orphans(counts: &Counted) -> bool {
    let orphans = all_kinds().filter(|kind| is_orphan(*kind));
    let each = orphans.map(|kind| counts[place(kind)]).collect::<Vec<_>>();
    each.iter().all(|n| *n > 0) && each.iter().sum::<u8>() == 14
}

/// A winning form of §8, beside so many declared melds.
fn is_complete(counts: &Counted, melds: usize) -> bool {
    let mut counts = *counts;
    let pairs = counts.iter().filter(|n| **n == 2).count();
    if melds == 0 && (pairs == 7 || are_orphans(&counts)) {
        return true;
    }
    (0..34).any(|pair| {
        if counts[pair] < 2 {
            return false;
        }
        counts[pair] -= 2;
        let fits = are_melds(&mut counts, 4 - melds);
        counts[pair] += 2;
        fits
    })
}

// ------------------------------------------------------------------ the rules

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SwapCall {
    Forbidden,
    SameTile,
    Allowed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RiichiKan {
    None,
    SameShape,
    SameWaits,
}

#[derive(Clone, Copy, Debug)]
struct Options {
    swap_call: SwapCall,
    any_wait: bool,
    pass_lasts: bool,
    karaten: bool,
    furiten_riichi: bool,
    live_tiles: usize,
    points: i64,
    riichi_kan: RiichiKan,
    rob_concealed: bool,
    nine_orphans: bool,
    four_winds: bool,
    four_kans: bool,
    four_riichi: bool,
    three_rons_draw: bool,
    /// A win with the replacement of an open kan is one off its feeder.
    feeder_pays: bool,
}

impl Options {
    fn new(set: &[&str]) -> Self {
        let value = |name: &str| {
            set.iter()
                .find_map(|text| text.strip_prefix(name)?.strip_prefix('='))
        };
        let on = |name: &str| value(name).is_none_or(|text| text == "true");
        let number = |name: &str, default: i64| {
            value(name).map_or(default, |text| text.parse().expect("a number"))
        };
        Self {
            swap_call: match value("swap-call") {
                Some("allowed") => SwapCall::Allowed,
                Some("same-tile-forbidden") => SwapCall::SameTile,
                _ => SwapCall::Forbidden,
            },
            any_wait: value("temporary-furiten") == Some("any-wait"),
            pass_lasts: value("riichi-pass") != Some("until-draw"),
            karaten: on("karaten"),
            furiten_riichi: on("furiten-riichi"),
            live_tiles: number("riichi-live-tiles", 4) as usize,
            points: number("riichi-points", 1000),
            riichi_kan: match value("kan-after-riichi") {
                Some("none") => RiichiKan::None,
                Some("same-waits") => RiichiKan::SameWaits,
                _ => RiichiKan::SameShape,
            },
            rob_concealed: value("rob-concealed-kan") != Some("none"),
            nine_orphans: on("nine-orphans-draw"),
            four_winds: on("four-winds-draw"),
            four_kans: on("four-kans-draw"),
            four_riichi: on("four-riichi-draw"),
            three_rons_draw: value("triple-ron").is_none_or(|text| text == "draw"),
            feeder_pays: on("responsibility-kan-replacement"),
        }
    }
}

// ------------------------------------------------------------------ the table

#[derive(Clone, Copy, Debug)]
struct Declared {
    /// It came with the first discard, nothing having been melded.
    double: bool,
    ippatsu: bool,
}

/// The claim with which a turn began.
#[derive(Clone, Copy, Debug)]
struct Claim {
    kind: Kind,
    /// The three kinds of a chii.
    run: Option<[Kind; 3]>,
}

#[derive(Clone, Copy, Debug)]
struct MyTurn {
    seat: Seat,
    drawn: Option<Tile>,
    way: Way,
    /// Who fed the open kan that the drawn tile replaces.
    fed_by: Option<Seat>,
    claim: Option<Claim>,
    /// Riichi is declared, its discard not yet chosen.
    declares: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offer {
    Discard,
    AddedKan,
    ConcealedKan,
}

/// A tile that others may take, and what each may do.
#[derive(Clone, Debug)]
struct MyWindow {
    offer: Offer,
    tile: Tile,
    from: Seat,
    legal: [BTreeSet<String>; 4],
    /// Who passes on a win that keeps him from winning, if the deal goes on.
    passes: [bool; 4],
    answers: [Option<Action>; 4],
}

type Situations = BTreeMap<&'static str, usize>;

/// All that matters for legal actions, kept from the events alone.
struct Table<'a> {
    rules: &'a dyn Ruleset,
    /// The same rules without red fives: a dora is no yaku.
    plain: &'a dyn Ruleset,
    options: Options,
    hands: [Vec<Tile>; 4],
    melds: [Vec<Meld>; 4],
    /// Every discard with who made it.
    discards: Vec<(Seat, Kind)>,
    /// Draws from the front and the back since the deal.
    drawn: (usize, usize),
    /// Who declared each kan.
    kans: Vec<Seat>,
    concealed_kans: usize,
    claims: usize,
    points: [i64; 4],
    counters: u32,
    dealer_wins: u32,
    round: Wind,
    riichi: [Option<Declared>; 4],
    /// A stick that is paid when the discard is not won off.
    stick: Option<Seat>,
    /// Furiten until the next draw, and for the rest of the deal.
    passed: [bool; 4],
    passed_in_riichi: [bool; 4],
    turn: Option<MyTurn>,
    window: Option<MyWindow>,
    /// Who fed the open kan that is about to be replaced.
    fed_by: Option<Seat>,
    over: bool,
    known_waits: RefCell<HashMap<(Counted, usize), KindSet>>,
    situations: &'a RefCell<Situations>,
}

impl<'a> Table<'a> {
    fn new(
        rules: &'a dyn Ruleset,
        plain: &'a dyn Ruleset,
        options: Options,
        dealer_wins: u32,
        situations: &'a RefCell<Situations>,
    ) -> Self {
        Self {
            rules,
            plain,
            options,
            hands: Default::default(),
            melds: Default::default(),
            discards: Vec::new(),
            drawn: (0, 0),
            kans: Vec::new(),
            concealed_kans: 0,
            claims: 0,
            points: [0; 4],
            counters: 0,
            dealer_wins,
            round: Wind::East,
            riichi: [None; 4],
            stick: None,
            passed: [false; 4],
            passed_in_riichi: [false; 4],
            turn: None,
            window: None,
            fed_by: None,
            over: false,
            known_waits: RefCell::default(),
            situations,
        }
    }

    fn note(&self, situation: &'static str) {
        *self.situations.borrow_mut().entry(situation).or_default() += 1;
    }

    fn describe(&self, action: Action) -> String {
        match action {
            Action::Chow { suit, shape, red } => {
                let grammar = self.rules.plan().decomposer.grammar();
                let red = if red { " with a red five" } else { "" };
                format!("chow {}{red}", grammar.shape(shape).group(suit))
            }
            action => format!("{action:?}"),
        }
    }

    // -------------------------------------------------------------- hands

    /// All kinds that complete the form, wherever the copies are.
    fn waits(&self, tiles: &[Tile], melds: usize) -> KindSet {
        let counts = counted(tiles);
        let mut known = self.known_waits.borrow_mut();
        *known.entry((counts, melds)).or_insert_with(|| {
            let mut waits = KindSet::EMPTY;
            for kind in all_kinds() {
                let mut whole = counts;
                whole[place(kind)] += 1;
                if is_complete(&whole, melds) {
                    waits.insert(kind);
                }
            }
            waits
        })
    }

    fn is_ready(&self, seat: Seat, tiles: &[Tile]) -> bool {
        let melds = &self.melds[seat.index()];
        let waits = self.waits(tiles, melds.len());
        let own = |kind: Kind| {
            let declared = melds.iter().flat_map(|meld| meld.group.tiles());
            held(tiles, kind) + declared.filter(|k| *k == kind).count()
        };
        let ready = waits.iter().any(|kind| own(kind) < 4);
        if !ready && !waits.is_empty() {
            self.note("karaten");
        }
        ready || self.options.karaten && !waits.is_empty()
    }

    fn has_discarded(&self, seat: Seat) -> bool {
        self.discards.iter().any(|(who, _)| *who == seat)
    }

    fn own_discards(&self, seat: Seat) -> KindSet {
        let own = self.discards.iter().filter(|(who, _)| *who == seat);
        own.map(|(_, kind)| *kind).collect()
    }

    fn is_closed(&self, seat: Seat) -> bool {
        self.melds[seat.index()].iter().all(|meld| !meld.open)
    }

    fn left(&self) -> usize {
        70 - self.drawn.0 - self.drawn.1
    }

    fn is_untouched(&self) -> bool {
        self.kans.is_empty() && self.claims == 0
    }

    // -------------------------------------------------------------- wins

    fn flags(&self, seat: Seat, way: Way) -> Vec<&'static str> {
        let mut flags = Vec::new();
        if let Some(declared) = self.riichi[seat.index()] {
            flags.push("riichi");
            if declared.double {
                flags.push("double-riichi");
            }
            if declared.ippatsu && way != Way::Replacement {
                flags.push("ippatsu");
            }
        }
        let is_plain = matches!(way, Way::Wall | Way::Discard);
        if is_plain && self.left() == 0 {
            flags.push("last-tile");
        }
        let is_gift = way == Way::Wall || seat != Seat::EAST;
        if is_plain && is_gift && self.is_untouched() && !self.has_discarded(seat) {
            flags.push("first-turn");
            self.note("first turn");
        }
        if way == Way::Replacement {
            flags.push("after-kong");
        }
        if seat == Seat::EAST && self.dealer_wins >= 7 {
            flags.push("eight-dealer-keeps");
        }
        flags
    }

    /// The tiles and the last one are worth winning with, dora not counting.
    fn has_yaku(
        &self,
        seat: Seat,
        tiles: &[Tile],
        tile: Tile,
        way: Way,
        from: Option<Seat>,
    ) -> bool {
        let plan = self.plain.plan();
        let plain: Vec<Tile> = kinds_of(tiles).into_iter().map(Tile::plain).collect();
        let made: Result<Hand, HandError> =
            Hand::try_new(&plan.tiles, &plain, &self.melds[seat.index()], &[]);
        let mut win = Win {
            tile: Tile::plain(kind_of(tile)),
            way,
            from,
            flags: Default::default(),
            kongs_in_row: 0,
        };
        for flag in self.flags(seat, way) {
            win.flags
                .insert(plan.flag(flag).expect("a flag of the ruleset"));
        }
        let hand = made.expect("a hand of the table");
        let input = ScoreInput {
            counters: self.counters,
            ..ScoreInput::new(&hand, seat, self.round, Some(&win))
        };
        match self.plain.score(&input) {
            Ok(_) => true,
            Err(ScoreError::BelowMinimum(_)) => {
                self.note("complete without yaku");
                false
            }
            Err(error) => panic!("{tiles:?} and {tile} are complete: {error}"),
        }
    }

    /// Wins with the tile just drawn. Furiten does not matter.
    fn wins_by_draw(&self, turn: &MyTurn) -> bool {
        let tiles = &self.hands[turn.seat.index()];
        let melds = self.melds[turn.seat.index()].len();
        let Some(drawn) = turn.drawn else {
            return false;
        };
        let from = turn.fed_by.filter(|_| self.options.feeder_pays);
        is_complete(&counted(tiles), melds)
            && self.has_yaku(turn.seat, &less(tiles, drawn), drawn, turn.way, from)
    }

    /// Why a seat may not win off others.
    fn furiten(&self, seat: Seat) -> Vec<&'static str> {
        let i = seat.index();
        let waits = self.waits(&self.hands[i], self.melds[i].len());
        let own = !waits.intersection(self.own_discards(seat)).is_empty();
        let reasons = [
            (own, "furiten by own discards alone"),
            (self.passed[i], "furiten by passing alone"),
            (
                self.passed_in_riichi[i],
                "furiten by passing in riichi alone",
            ),
        ];
        let holds = reasons.into_iter().filter(|(holds, _)| *holds);
        holds.map(|(_, reason)| reason).collect()
    }

    // -------------------------------------------------------------- kans

    /// Whether the wall and the kans already made allow another.
    fn may_kan(&self, seat: Seat) -> bool {
        if self.left() == 0 {
            return false;
        }
        match self.kans.len() {
            0..4 => true,
            4 => {
                let of_another = self
                    .kans
                    .iter()
                    .all(|who| *who == self.kans[0] && *who != seat);
                self.options.four_kans && of_another
            }
            _ => false,
        }
    }

    /// Whether a concealed kan of four that are held leaves a hand in riichi as it was.
    fn may_kan_in_riichi(&self, seat: Seat, kind: Kind, drawn: Tile) -> bool {
        if kind_of(drawn) != kind {
            self.note("kan in riichi without the tile drawn");
            return false;
        }
        let melds = self.melds[seat.index()].len();
        let before = less(&self.hands[seat.index()], drawn);
        let mut after = before.clone();
        after.retain(|tile| kind_of(*tile) != kind);
        let waits = self.waits(&before, melds);
        let same_waits = waits == self.waits(&after, melds + 1);
        let same_shape = waits.iter().all(|wait| {
            let mut whole = kinds_of(&before);
            whole.push(wait);
            let ways = splits(&whole, 4 - melds, true);
            ways.iter().all(|way| way.contains(&vec![kind; 3]))
        });
        self.note(match (same_waits, same_shape) {
            (true, true) => "kan in riichi leaves the shape",
            (true, false) => "kan in riichi leaves the waits alone",
            _ => "kan in riichi changes the waits",
        });
        match self.options.riichi_kan {
            RiichiKan::None => false,
            RiichiKan::SameWaits => same_waits,
            RiichiKan::SameShape => same_waits && same_shape,
        }
    }

    // -------------------------------------------------------------- a turn

    /// The kinds that may not be discarded after a claim.
    fn swaps(&self, claim: Claim) -> Vec<Kind> {
        let mut kinds = vec![claim.kind];
        let rank = |kind: Kind| kind.rank().expect("runs are of numbers").get();
        let beyond = |rank: u8| {
            let suit = claim.kind.suit().expect("runs are of numbers");
            let rank = Rank::new(rank).filter(|rank| rank.get() <= 9)?;
            Some(Kind::number(suit, rank))
        };
        if let Some(three) = claim.run {
            let first = three.into_iter().map(rank).min().expect("three");
            if rank(claim.kind) == first {
                kinds.extend(beyond(first + 3));
            } else if rank(claim.kind) == first + 2 {
                kinds.extend(beyond(first - 1));
            }
        }
        match self.options.swap_call {
            SwapCall::Forbidden => kinds,
            SwapCall::SameTile => vec![claim.kind],
            SwapCall::Allowed => Vec::new(),
        }
    }

    /// Every discard of a turn: the drawn tile, and each different tile held before.
    fn discards(&self, turn: &MyTurn) -> Vec<Action> {
        let mut before = self.hands[turn.seat.index()].clone();
        let mut all = Vec::new();
        if let Some(tile) = turn.drawn {
            before = less(&before, tile);
            all.push(Action::Discard { tile, drawn: true });
        }
        let different: BTreeSet<Tile> = before.into_iter().collect();
        let held = |tile| Action::Discard { tile, drawn: false };
        all.extend(different.into_iter().map(held));
        all
    }

    /// Whether riichi may be declared with this discard, as far as the tiles go.
    fn keeps_ready(&self, seat: Seat, discard: Action) -> bool {
        let Action::Discard { tile, .. } = discard else {
            return false;
        };
        let rest = less(&self.hands[seat.index()], tile);
        if !self.is_ready(seat, &rest) {
            return false;
        }
        let mut own = self.own_discards(seat);
        own.insert(kind_of(tile));
        let waits = self.waits(&rest, self.melds[seat.index()].len());
        let furiten = !waits.intersection(own).is_empty();
        if furiten {
            self.note("riichi while furiten");
        }
        self.options.furiten_riichi || !furiten
    }

    fn may_declare_riichi(&self, turn: &MyTurn) -> bool {
        let seat = turn.seat;
        if !self.is_closed(seat) || self.riichi[seat.index()].is_some() || turn.drawn.is_none() {
            return false;
        }
        let discards = self.discards(turn);
        if !discards
            .iter()
            .any(|discard| self.keeps_ready(seat, *discard))
        {
            return false;
        }
        let rich = self.points[seat.index()] >= self.options.points;
        let early = self.left() >= self.options.live_tiles;
        if !rich {
            self.note("too poor for riichi");
        } else if !early {
            self.note("too late for riichi");
        }
        rich && early
    }

    fn on_turn(&self, turn: &MyTurn) -> BTreeSet<String> {
        let seat = turn.seat;
        let tiles = &self.hands[seat.index()];
        let in_riichi = self.riichi[seat.index()].is_some();
        let mut legal = BTreeSet::new();
        let mut say = |action| legal.insert(self.describe(action));
        let swaps = turn.claim.map_or(Vec::new(), |claim| self.swaps(claim));
        for action in self.discards(turn) {
            let Action::Discard { tile, drawn } = action else {
                continue;
            };
            let free = if turn.declares {
                self.keeps_ready(seat, action)
            } else {
                (drawn || !in_riichi) && !swaps.contains(&kind_of(tile))
            };
            if free {
                say(action);
            } else if !turn.declares && !in_riichi {
                self.note("swap-call refused");
            }
        }
        if turn.declares {
            return legal;
        }
        if self.may_declare_riichi(turn) {
            say(Action::Riichi);
            self.note("riichi");
        }
        // All else follows a draw.
        let Some(drawn) = turn.drawn else {
            return legal;
        };
        if self.wins_by_draw(turn) {
            say(Action::Win);
            self.note("self-pick");
            if turn.fed_by.is_some() {
                self.note("win with the replacement of an open kan");
            } else if turn.way == Way::Replacement {
                self.note("win with a replacement");
            }
        }
        let orphans = kinds_of(tiles).into_iter().filter(|kind| is_orphan(*kind));
        let orphans: KindSet = orphans.collect();
        let first = !self.has_discarded(seat) && self.is_untouched();
        if self.options.nine_orphans && first && orphans.len() >= 9 {
            say(Action::NineOrphans);
            self.note("nine orphans");
        } else if self.options.nine_orphans && orphans.len() >= 9 && !self.has_discarded(seat) {
            self.note("nine orphans after a meld refused");
        }
        for kind in all_kinds() {
            let concealed = held(tiles, kind) == 4;
            let pon = self.melds[seat.index()]
                .iter()
                .any(|meld| meld.open && meld.group == Group::pung(kind));
            let added = held(tiles, kind) == 1 && pon;
            if !concealed && !added {
                continue;
            }
            if !self.may_kan(seat) {
                self.note(if self.left() == 0 {
                    "kan after the last tile refused"
                } else {
                    "one kan too many refused"
                });
            } else if concealed && (!in_riichi || self.may_kan_in_riichi(seat, kind, drawn)) {
                say(Action::ConcealedKong(kind));
                self.note_kan("concealed kan", in_riichi);
            } else if added && !in_riichi {
                say(Action::AddedKong(kind));
                self.note_kan("added kan", false);
            } else {
                self.note("kan in riichi refused");
            }
        }
        legal
    }

    fn note_kan(&self, which: &'static str, in_riichi: bool) {
        self.note(which);
        if in_riichi {
            self.note("kan in riichi");
        }
        if self.kans.len() == 4 {
            self.note("fifth kan");
        }
    }

    // -------------------------------------------------------------- claims

    /// The draw that a discard brings when it is not won off. Source: §7.
    fn draw_after_discard(&self) -> Option<AbortiveDraw> {
        let owners: BTreeSet<Seat> = self.kans.iter().copied().collect();
        let first: Vec<Kind> = self.discards.iter().map(|(_, kind)| *kind).collect();
        let is_wind = HONOURS[..4].contains(&first[0]);
        let same = first.iter().all(|kind| *kind == first[0]);
        if self.options.four_riichi && self.riichi.iter().all(Option::is_some) {
            Some(AbortiveDraw::FourRiichi)
        } else if self.options.four_kans && self.kans.len() == 4 && owners.len() > 1 {
            Some(AbortiveDraw::FourKongs)
        } else if self.options.four_winds
            && first.len() == 4
            && is_wind
            && same
            && self.concealed_kans == 0
        {
            Some(AbortiveDraw::FourWinds)
        } else {
            None
        }
    }

    /// Puts a tile before the others.
    fn offer(&mut self, offer: Offer, tile: Tile, from: Seat) {
        let mut window = MyWindow {
            offer,
            tile,
            from,
            legal: Default::default(),
            passes: [false; 4],
            answers: [None; 4],
        };
        for seat in Seat::all(4).filter(|seat| *seat != from) {
            let i = seat.index();
            let mut whole = self.hands[i].clone();
            whole.push(tile);
            let counts = counted(&whole);
            let complete = match offer {
                Offer::ConcealedKan => {
                    self.options.rob_concealed && self.melds[i].is_empty() && are_orphans(&counts)
                }
                _ => is_complete(&counts, self.melds[i].len()),
            };
            let way = match offer {
                Offer::Discard => Way::Discard,
                _ => Way::RobbedKong,
            };
            let worth = complete && self.has_yaku(seat, &self.hands[i], tile, way, Some(from));
            let furiten = self.furiten(seat);
            if let (true, [only]) = (worth, &furiten[..]) {
                self.note(only);
            }
            let wins = worth && furiten.is_empty();
            window.passes[i] = wins || complete && self.options.any_wait;
            let legal = &mut window.legal[i];
            if wins {
                legal.insert(self.describe(Action::Win));
                self.note(match offer {
                    Offer::Discard => "win off a discard",
                    Offer::AddedKan => "robbing of an added kan",
                    Offer::ConcealedKan => "robbing of a concealed kan",
                });
            }
            let drawn = self.draw_after(offer);
            if offer == Offer::Discard && self.riichi[i].is_none() {
                let claims = self.claims_of(seat, tile, from);
                if drawn.is_none() {
                    legal.extend(claims);
                } else if !claims.is_empty() {
                    self.note("claim refused before a draw");
                }
            }
            if !legal.is_empty() {
                legal.insert(self.describe(Action::Pass));
            }
            if wins && drawn.is_some() {
                self.note("win off a discard that brings a draw");
            }
        }
        self.window = Some(window);
    }

    fn draw_after(&self, offer: Offer) -> Option<AbortiveDraw> {
        match offer {
            Offer::Discard => self.draw_after_discard(),
            _ => None,
        }
    }

    /// The melds that a seat may make of a discard.
    fn claims_of(&self, seat: Seat, tile: Tile, from: Seat) -> Vec<String> {
        let tiles = &self.hands[seat.index()];
        let kind = kind_of(tile);
        let reds = |kind: Kind| {
            let red = |tile: &&Tile| tile.is_red() && kind_of(**tile) == kind;
            tiles.iter().filter(red).count()
        };
        let plains = |kind: Kind| held(tiles, kind) - reds(kind);
        let mut claims = Vec::new();
        for red in 0..=2 {
            if red <= reds(kind) && 2 - red <= plains(kind) {
                claims.push(self.describe(Action::Pung { reds: red as u8 }));
                if red > 0 {
                    self.note("pon with a red five");
                }
            }
        }
        if held(tiles, kind) == 3 {
            if self.may_kan(seat) {
                claims.push(self.describe(Action::ClaimKong));
                self.note_kan("open kan", false);
            } else if self.left() > 0 {
                self.note("one kan too many refused");
            }
        }
        for (suit, rank, three) in runs() {
            let others: Vec<Kind> = three.iter().copied().filter(|k| *k != kind).collect();
            if seat != from.after(1, 4) || others.len() != 2 {
                continue;
            }
            let Some(rest) = without(&kinds_of(tiles), &others) else {
                continue;
            };
            let swaps = self.swaps(Claim {
                kind,
                run: Some(three),
            });
            if rest.iter().all(|kind| swaps.contains(kind)) {
                self.note("chii refused that leaves no discard");
                continue;
            }
            let name = format!("chow {}", run_name(suit, rank));
            let five = others.iter().find(|k| k.rank() == Some(Rank::FIVE));
            if five.is_none_or(|five| plains(*five) > 0) {
                claims.push(name.clone());
            }
            if five.is_some_and(|five| reds(*five) > 0) {
                claims.push(format!("{name} with a red five"));
                self.note("chii with a red five");
            }
        }
        if self.left() == 0 {
            if !claims.is_empty() {
                self.note("claim of the last discard refused");
            }
            claims.clear();
        }
        claims
    }

    /// Nobody won with the tile offered: who could have is furiten.
    fn close_window(&mut self) {
        let Some(window) = self.window.take() else {
            return;
        };
        for seat in Seat::all(4) {
            let i = seat.index();
            if !window.legal[i].is_empty() {
                let answer = window.answers[i].expect("everybody is waited for");
                assert_ne!(answer, Action::Win, "a win goes before all else");
            }
            if window.passes[i] {
                self.passed[i] = true;
                if self.riichi[i].is_some() && self.options.pass_lasts {
                    self.passed_in_riichi[i] = true;
                }
            }
        }
    }

    /// The deal goes on after what was offered.
    fn goes_on(&mut self) {
        let drawn = self
            .window
            .as_ref()
            .and_then(|window| self.draw_after(window.offer));
        assert_eq!(drawn, None, "a draw is passed over");
        assert_eq!(self.stick, None, "a stick is not paid");
        self.close_window();
    }

    fn break_ippatsu(&mut self) {
        for declared in self.riichi.iter_mut().flatten() {
            declared.ippatsu = false;
        }
    }

    fn take(&mut self, seat: Seat, tile: Tile) {
        let hand = &mut self.hands[seat.index()];
        *hand = less(hand, tile);
    }

    /// Takes so many tiles of a kind out, some of them red.
    fn take_kind(&mut self, seat: Seat, kind: Kind, count: usize, reds: u8) {
        for i in 0..count {
            self.take(
                seat,
                match kind.suit() {
                    Some(suit) if i < usize::from(reds) => Tile::red_five(suit),
                    _ => Tile::plain(kind),
                },
            );
        }
    }

    // -------------------------------------------------------------- comparing

    /// What the engine asks now is what the rules say.
    fn check(&self, deal: &Deal<&dyn Ruleset>) {
        let state = deal.state();
        for seat in Seat::all(4) {
            let mut mine = self.hands[seat.index()].clone();
            mine.sort_unstable();
            let mut theirs: Vec<Tile> = state.hand(seat).tiles().collect();
            theirs.sort_unstable();
            assert_eq!(mine, theirs, "the hand of {seat}");
        }
        assert_eq!(self.left(), state.wall().draws_left());
        let expected = |seat: Seat| -> BTreeSet<String> {
            match (&self.turn, &self.window) {
                (Some(turn), None) if turn.seat == seat => self.on_turn(turn),
                (None, Some(window)) if window.answers[seat.index()].is_none() => {
                    window.legal[seat.index()].clone()
                }
                (Some(_), None) | (None, Some(_)) => BTreeSet::new(),
                _ => panic!("either a turn or a window"),
            }
        };
        match (state.phase(), &self.turn, &self.window) {
            (Phase::Turn(theirs), Some(mine), None) => {
                assert_eq!((theirs.seat, theirs.drawn), (mine.seat, mine.drawn));
            }
            (Phase::Claims(theirs), None, Some(mine)) => {
                assert_eq!((theirs.tile, theirs.from), (mine.tile, mine.from));
                let offer = match theirs.window {
                    Window::Discard => Offer::Discard,
                    Window::AddedKong(_) => Offer::AddedKan,
                    Window::ConcealedKong(_) => Offer::ConcealedKan,
                    other => panic!("{other:?} is not of this game"),
                };
                assert_eq!(offer, mine.offer);
            }
            other => panic!("{other:?}"),
        }
        for seat in Seat::all(4) {
            if self.turn.is_some_and(|turn| turn.seat != seat) {
                let furiten = !self.furiten(seat).is_empty();
                assert_eq!(state.is_furiten(seat), furiten, "{seat} is furiten");
            }
            let list: Vec<String> = deal.legal(seat).iter().map(|a| self.describe(a)).collect();
            let theirs: BTreeSet<String> = list.iter().cloned().collect();
            assert_eq!(theirs.len(), list.len(), "an action is listed twice");
            let mine = expected(seat);
            assert_eq!(
                theirs,
                mine,
                "{seat} with {} {:?} in {:?}, turn {:?}, window {:?}, kans {:?}, {} left, riichi {:?}",
                Notation::Ujmj.print(state.hand(seat).tiles()),
                self.melds[seat.index()],
                self.options,
                self.turn,
                self.window.as_ref().map(|w| (w.offer, w.tile, w.from)),
                self.kans,
                self.left(),
                self.riichi,
            );
            assert_eq!(
                state.waiting().contains(seat),
                !mine.is_empty(),
                "{seat} is asked"
            );
        }
    }
}

impl Observer for Table<'_> {
    fn deal_started(&mut self, state: &DealState) {
        for seat in Seat::all(4) {
            self.hands[seat.index()] = state.hand(seat).tiles().collect();
            self.points[seat.index()] = state.points(seat);
        }
        self.counters = state.on_table().counters;
        self.round = state.round();
    }

    fn decided(&mut self, _state: &DealState, seat: Seat, _legal: &Legal, action: Action) {
        if let Some(window) = &mut self.window {
            window.answers[seat.index()] = Some(action);
            return;
        }
        let turn = self.turn.expect("somebody is on turn");
        assert_eq!(turn.seat, seat);
        // Not to declare a self-pick in riichi is to pass on it.
        if self.riichi[seat.index()].is_some() && action != Action::Win && self.options.pass_lasts {
            let melds = self.melds[seat.index()].len();
            let complete = is_complete(&counted(&self.hands[seat.index()]), melds);
            if complete && (self.options.any_wait || self.wins_by_draw(&turn)) {
                self.passed_in_riichi[seat.index()] = true;
                self.note("self-pick passed in riichi");
            }
        }
        if action == Action::Riichi {
            self.turn = Some(MyTurn {
                declares: true,
                ..turn
            });
        }
    }

    fn event(&mut self, _state: &DealState, event: &Event) {
        assert!(!self.over, "{event:?} after the end");
        match *event {
            Event::Drew {
                seat,
                tile,
                from_back,
            } => {
                if let Some(window) = &self.window {
                    let next = match window.offer {
                        Offer::Discard => window.from.after(1, 4),
                        _ => window.from,
                    };
                    assert_eq!(seat, next);
                    assert_eq!(from_back, window.offer != Offer::Discard);
                }
                self.goes_on();
                let way = if from_back {
                    // The kan was not robbed: now it is made.
                    self.break_ippatsu();
                    self.drawn.1 += 1;
                    Way::Replacement
                } else {
                    self.drawn.0 += 1;
                    Way::Wall
                };
                self.hands[seat.index()].extend(tile);
                self.passed[seat.index()] = false;
                self.turn = Some(MyTurn {
                    seat,
                    drawn: tile,
                    way,
                    fed_by: self.fed_by.take(),
                    claim: None,
                    declares: false,
                });
            }
            Event::Discarded { seat, tile, drawn } => {
                let turn = self.turn.take().expect("somebody is on turn");
                assert_eq!(turn.seat, seat);
                assert!(!drawn || turn.drawn == Some(tile));
                self.take(seat, tile);
                if turn.declares {
                    self.stick = Some(seat);
                    let double = self.is_untouched() && !self.has_discarded(seat);
                    if double {
                        self.note("double riichi");
                    }
                    self.riichi[seat.index()] = Some(Declared {
                        double,
                        ippatsu: true,
                    });
                } else if let Some(declared) = &mut self.riichi[seat.index()] {
                    declared.ippatsu = false;
                }
                self.discards.push((seat, kind_of(tile)));
                self.offer(Offer::Discard, tile, seat);
            }
            Event::Claimed {
                seat,
                from,
                tile,
                group,
                reds,
                ..
            } => {
                self.goes_on();
                self.break_ippatsu();
                self.claims += 1;
                let kind = kind_of(tile);
                let mut put = group.tiles().collect::<Vec<Kind>>();
                put.remove(put.iter().position(|k| *k == kind).expect("it is claimed"));
                let five = |kind: &Kind| kind.rank() == Some(Rank::FIVE);
                let mut reds = usize::from(reds);
                for kind in put {
                    let is_red = five(&kind) && reds > 0;
                    reds -= usize::from(is_red);
                    self.take_kind(seat, kind, 1, u8::from(is_red));
                }
                assert_eq!(reds, 0);
                self.melds[seat.index()].push(Meld::claimed(group, Tile::plain(kind), from));
                let run = group.family().is_run().then_some(group.kinds());
                let claim = Some(Claim { kind, run });
                if group.family() == Family::Kong {
                    self.kans.push(seat);
                    self.fed_by = Some(from);
                } else {
                    self.turn = Some(MyTurn {
                        seat,
                        drawn: None,
                        way: Way::Wall,
                        fed_by: None,
                        claim,
                        declares: false,
                    });
                }
            }
            Event::ConcealedKong {
                seat, kind, reds, ..
            } => {
                let kind = kind.expect("concealed kans are shown");
                self.turn = None;
                self.take_kind(seat, kind, 4, reds);
                self.melds[seat.index()].push(Meld::concealed(Group::kong(kind)));
                self.kan(Offer::ConcealedKan, Tile::plain(kind), seat);
                self.concealed_kans += 1;
            }
            Event::AddedKong { seat, tile, .. } => {
                self.turn = None;
                self.take(seat, tile);
                let pon = Group::pung(kind_of(tile));
                let meld = self.melds[seat.index()]
                    .iter_mut()
                    .find(|meld| meld.group == pon)
                    .expect("a pon on the table");
                meld.group = Group::kong(kind_of(tile));
                meld.added = true;
                self.kan(Offer::AddedKan, tile, seat);
            }
            Event::RiichiDeclared { seat } => {
                assert!(
                    self.turn
                        .is_some_and(|turn| turn.declares && turn.seat == seat)
                );
            }
            Event::RiichiAccepted { seat } => {
                assert_eq!(self.stick.take(), Some(seat));
            }
            Event::IndicatorTurned { .. } => {}
            Event::Won { .. } => self.ended(None),
            Event::Exhausted => {
                assert_eq!(self.left(), 0);
                self.goes_on();
                self.over = true;
            }
            Event::Aborted { draw, .. } => self.ended(Some(draw)),
            other => panic!("{other:?} is not of this game"),
        }
    }
}

impl Table<'_> {
    fn kan(&mut self, offer: Offer, tile: Tile, seat: Seat) {
        self.kans.push(seat);
        // The fifth is not robbed.
        if self.kans.len() < 5 {
            self.offer(offer, tile, seat);
        }
    }

    /// The deal ends with a win or a draw before the wall is empty, as the answers say.
    fn ended(&mut self, draw: Option<AbortiveDraw>) {
        let answers = self
            .window
            .as_ref()
            .map_or([None; 4], |window| window.answers);
        let winners = answers.iter().filter(|a| **a == Some(Action::Win)).count();
        let after = self
            .window
            .as_ref()
            .and_then(|window| self.draw_after(window.offer));
        let due = match (&self.turn, winners) {
            (Some(_), _) if draw.is_some() => Some(AbortiveDraw::NineOrphans),
            (Some(_), _) => None,
            (None, 0) if self.kans.len() == 5 => Some(AbortiveDraw::FourKongs),
            (None, 0) => after,
            (None, 3) if self.options.three_rons_draw => Some(AbortiveDraw::ThreeWins),
            (None, _) => None,
        };
        assert_eq!(draw, due);
        assert!(draw.is_some() || self.turn.is_some() || winners > 0);
        self.note(match draw {
            Some(AbortiveDraw::NineOrphans) => "draw: nine orphans",
            Some(AbortiveDraw::FourWinds) => "draw: four winds",
            Some(AbortiveDraw::FourKongs) if self.kans.len() == 5 => "draw: fifth kan",
            Some(AbortiveDraw::FourKongs) => "draw: four kans",
            Some(AbortiveDraw::FourRiichi) => "draw: four riichi",
            Some(AbortiveDraw::ThreeWins) => "draw: three rons",
            None => "won",
        });
        // Several winners off one tile are told of one by one.
        self.over = draw.is_some();
    }
}

// ------------------------------------------------------------------ walls

/// What a wall is stacked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// As it comes.
    Natural,
    /// Everybody is dealt groups.
    Near,
    /// Everybody is dealt triplets, their fourth tiles come soon.
    Triplets,
    /// East is dealt four triplets and draws their fourth tiles, the others one triplet each.
    OneOwner,
    /// Everybody is dealt orphans.
    Orphans,
    /// South lacks an orphan of which East holds three and draws the fourth.
    Kokushi,
    /// East may make a pon of what South waits for, and draws the fourth.
    Robbed,
    /// Everybody holds the same wind.
    Winds,
    /// Everybody is dealt a ready hand, often with triplets whose fourth tiles come soon.
    Ready,
    /// South, West and North wait for one kind, of which East draws a tile first.
    Shared,
    /// South may make three pons and then a chii that leaves nothing to discard.
    Swap,
}

const STYLES: [Style; 11] = [
    Style::Natural,
    Style::Near,
    Style::Triplets,
    Style::OneOwner,
    Style::Orphans,
    Style::Kokushi,
    Style::Robbed,
    Style::Winds,
    Style::Ready,
    Style::Shared,
    Style::Swap,
];

fn pick<T: Copy>(stream: &mut Stream, all: &[T]) -> T {
    all[stream.below(all.len() as u32) as usize]
}

fn chance(stream: &mut Stream, percent: u32) -> bool {
    stream.below(100) < percent
}

/// Tiles from which hands and draws are laid; a kind of which none is left is left out.
struct Pool {
    left: Vec<Tile>,
    hands: [Vec<Tile>; 4],
    front: Vec<Tile>,
    back: Vec<Tile>,
}

impl Pool {
    fn new(rules: &dyn Ruleset, stream: &mut Stream) -> Self {
        let mut left: Vec<Tile> = rules.plan().tiles.iter().collect();
        stream.shuffle(&mut left);
        Self {
            left,
            hands: Default::default(),
            front: Vec::new(),
            back: Vec::new(),
        }
    }

    fn take(&mut self, kind: Kind) -> Option<Tile> {
        let place = self.left.iter().position(|tile| kind_of(*tile) == kind)?;
        Some(self.left.swap_remove(place))
    }

    fn deal(&mut self, seat: usize, kinds: impl IntoIterator<Item = Kind>) {
        for kind in kinds {
            if self.hands[seat].len() < 13 {
                let tile = self.take(kind);
                self.hands[seat].extend(tile);
            }
        }
    }

    fn front(&mut self, kind: Kind) {
        let tile = self.take(kind);
        self.front.extend(tile);
    }

    fn front_any(&mut self) {
        self.front.extend(self.left.pop());
    }

    fn back(&mut self, kind: Kind) {
        let tile = self.take(kind);
        self.back.extend(tile);
    }

    fn wall(mut self, rules: &dyn Ruleset) -> Wall {
        for hand in &mut self.hands {
            let missing = 13 - hand.len();
            hand.extend(self.left.drain(..missing));
        }
        let missing = 4 - self.back.len();
        self.back.extend(self.left.drain(..missing));
        let missing = 70 - self.front.len();
        self.front.extend(self.left.drain(..missing));
        let text = |tiles: &[Tile]| Notation::Ujmj.print(tiles.iter().copied());
        let hands = self.hands.each_ref().map(|hand| text(hand));
        rigged::wall(
            rules,
            hands.each_ref().map(String::as_str),
            &text(&self.front),
            &text(&self.back),
            &text(&self.left),
        )
    }
}

fn stacked(rules: &dyn Ruleset, style: Style, stream: &mut Stream) -> Wall {
    let mut pool = Pool::new(rules, stream);
    let kinds: Vec<Kind> = all_kinds().collect();
    let mut mixed = kinds.clone();
    stream.shuffle(&mut mixed);
    let chiis: Vec<[Kind; 3]> = runs().map(|(_, _, kinds)| kinds).collect();
    let mut orphans: Vec<Kind> = kinds.iter().copied().filter(|k| is_orphan(*k)).collect();
    stream.shuffle(&mut orphans);
    match style {
        Style::Natural => {}
        Style::Near => {
            let triplets = pick(stream, &[10, 30, 60]);
            let mut fourth = Vec::new();
            for seat in 0..4 {
                for _ in 0..3 {
                    if chance(stream, triplets) {
                        let kind = pick(stream, &kinds);
                        pool.deal(seat, [kind; 3]);
                        fourth.push(kind);
                    } else {
                        pool.deal(seat, pick(stream, &chiis));
                    }
                }
                if chance(stream, 60) {
                    pool.deal(seat, [pick(stream, &kinds); 2]);
                }
            }
            for _ in 0..8 {
                pool.front_any();
            }
            fourth.into_iter().for_each(|kind| pool.front(kind));
            for _ in 0..12 {
                pool.front_any();
            }
            stream.shuffle(&mut pool.front);
        }
        Style::Triplets => {
            for (i, kind) in mixed[..12].iter().enumerate() {
                pool.deal(i % 4, [*kind; 3]);
            }
            mixed[..3].iter().for_each(|kind| pool.back(*kind));
            mixed[3..12].iter().for_each(|kind| pool.front(*kind));
            for _ in 0..10 {
                pool.front_any();
            }
            stream.shuffle(&mut pool.front);
        }
        Style::OneOwner => {
            mixed[..4].iter().for_each(|kind| pool.deal(0, [*kind; 3]));
            for seat in 1..4 {
                pool.deal(seat, [mixed[3 + seat]; 3]);
                pool.deal(seat, [mixed[6 + seat]; 2]);
            }
            pool.front(mixed[0]);
            for kind in &mixed[1..4] {
                pool.back(*kind);
            }
            // East discards what another holds three of, or South draws its own fourth.
            if chance(stream, 50) {
                let fed = mixed[3 + pick(stream, &[1, 2, 3])];
                pool.deal(0, [fed]);
            } else {
                pool.front(mixed[4]);
                pool.front(mixed[8]);
            }
        }
        Style::Orphans => {
            for seat in 0..4 {
                stream.shuffle(&mut orphans);
                let many = 7 + stream.below(5) as usize;
                pool.deal(seat, orphans[..many].iter().copied());
            }
        }
        Style::Kokushi => {
            let missing = orphans[12];
            pool.deal(1, orphans[..12].iter().copied());
            pool.deal(1, [orphans[0]]);
            pool.deal(0, [missing; 3]);
            for _ in 0..2 {
                let chii = pick(stream, &chiis);
                pool.deal(0, chii);
            }
            if chance(stream, 50) {
                (0..4).for_each(|_| pool.front_any());
            }
            pool.front(missing);
        }
        Style::Robbed => {
            let [low, middle, high] = pick(stream, &chiis);
            let (wait, rest) = pick(stream, &[(low, [middle, high]), (high, [low, middle])]);
            pool.deal(0, [wait; 2]);
            pool.deal(1, rest);
            for seat in [1, 1, 1, 0, 0] {
                let chii = pick(stream, &chiis);
                if !chii.contains(&wait) {
                    pool.deal(seat, chii);
                }
            }
            pool.deal(1, [pick(stream, &orphans); 2]);
            // North draws it, and East after the pon and a round.
            (0..3).for_each(|_| pool.front_any());
            pool.front(wait);
            (0..3).for_each(|_| pool.front_any());
            pool.front(wait);
        }
        Style::Winds => {
            let wind = pick(stream, &HONOURS[..4]);
            (0..4).for_each(|seat| pool.deal(seat, [wind]));
            pool.deal(2, [mixed[0]; 3]);
            if chance(stream, 30) {
                (0..2).for_each(|_| pool.front_any());
                pool.front(mixed[0]);
            }
        }
        Style::Ready => {
            let mut fourth = Vec::new();
            for (seat, own) in mixed[..4].iter().copied().enumerate() {
                let groups = pick(stream, &chiis);
                match stream.below(3) {
                    // Three triplets in a row are three chiis as well.
                    0 => {
                        groups.iter().for_each(|kind| pool.deal(seat, [*kind; 3]));
                        fourth.extend(groups);
                    }
                    // The triplet may touch what the hand waits with.
                    1 => {
                        pool.deal(seat, [groups[1]; 3]);
                        pool.deal(seat, [own; 3]);
                        fourth.extend([groups[1], own]);
                        pool.deal(seat, pick(stream, &chiis));
                    }
                    _ => (0..3).for_each(|_| pool.deal(seat, pick(stream, &chiis))),
                }
                let pair = pick(stream, &kinds);
                let other = pick(stream, &chiis);
                let [low, middle, high] = pick(stream, &[groups, other]);
                let (part, wait) = match stream.below(3) {
                    0 => ([low, middle], high),
                    1 => ([middle, high], low),
                    _ => ([low, high], middle),
                };
                pool.deal(seat, [pair; 2]);
                pool.deal(seat, part);
                pool.back(wait);
            }
            for _ in 0..10 {
                pool.front_any();
            }
            fourth.into_iter().for_each(|kind| pool.front(kind));
            stream.shuffle(&mut pool.front);
        }
        Style::Shared => {
            let (i, wait) = (stream.below(5) as usize, pick(stream, &Suit::ALL));
            let near = |place: usize| kinds[9 * wait.lane() + i + place];
            let wait = near(2);
            let mut parts = [[0, 1], [3, 4], [1, 3]];
            stream.shuffle(&mut parts);
            for (seat, [a, b]) in (1..4).zip(parts) {
                pool.deal(seat, [near(a), near(b)]);
            }
            for seat in 1..4 {
                pool.deal(seat, [pick(stream, &orphans); 2]);
                for _ in 0..5 {
                    let chii = pick(stream, &chiis);
                    if !chii.contains(&wait) {
                        pool.deal(seat, chii);
                    }
                }
            }
            pool.front(wait);
            (0..stream.below(6)).for_each(|_| pool.front_any());
            pool.front(wait);
            pool.front(wait);
        }
        Style::Swap => {
            let [low, middle, high] = pick(stream, &chiis);
            let (claimed, pair) = pick(stream, &[(low, [middle, high]), (high, [low, middle])]);
            let pons: Vec<Kind> = mixed
                .iter()
                .copied()
                .filter(|kind| ![low, middle, high].contains(kind))
                .take(3)
                .collect();
            pool.deal(1, pair);
            pool.deal(1, [claimed; 2]);
            pons.iter().for_each(|kind| pool.deal(1, [*kind; 2]));
            // East, then West twice; East again after West and North.
            pons.iter().for_each(|kind| pool.front(*kind));
            (0..2).for_each(|_| pool.front_any());
            pool.front(claimed);
        }
    }
    pool.wall(rules)
}

// ------------------------------------------------------------------ the players

/// How often the players do what they may, in percent.
#[derive(Clone, Copy, Debug)]
struct Habits {
    win: u32,
    kan: u32,
    open_kan: u32,
    pon: u32,
    chii: u32,
    riichi: u32,
    /// Discards of the tile just drawn.
    drawn: u32,
    /// Discards chosen blindly.
    blind: u32,
    /// Discards left to the agent that plays for the nearest hand.
    greedy: u32,
}

impl Habits {
    fn of(style: Style, stream: &mut Stream) -> Self {
        let stacked = style != Style::Natural;
        let claim = match style {
            Style::Ready => pick(stream, &[0, 10]),
            _ => pick(stream, &[1, 5, 30, 80]),
        };
        Self {
            win: match style {
                Style::Robbed => pick(stream, &[0, 50]),
                _ => pick(stream, &[0, 10, 50, 50, 90]),
            },
            kan: pick(stream, &[50, 90]),
            open_kan: match style {
                Style::Triplets | Style::OneOwner => 70,
                Style::Ready => pick(stream, &[2, 60]),
                _ => pick(stream, &[2, 30]),
            },
            pon: match style {
                Style::Robbed | Style::Swap => 95,
                _ => claim,
            },
            chii: match style {
                Style::Robbed => 0,
                _ => claim,
            },
            riichi: match style {
                Style::Robbed | Style::Shared => pick(stream, &[0, 0, 60]),
                _ => pick(stream, &[60, 95]),
            },
            drawn: match style {
                Style::Robbed | Style::Shared | Style::Swap => pick(stream, &[60, 90]),
                _ => 5,
            },
            blind: pick(stream, &[2, 10, 40]),
            greedy: if stacked { 5 } else { 30 },
        }
    }
}

/// The least useful tile of the hand, or one that leaves it ready.
fn heuristic_discard(
    table: &Table<'_>,
    seat: Seat,
    discards: &[Action],
    stream: &mut Stream,
) -> Action {
    let tiles = &table.hands[seat.index()];
    let melds = table.melds[seat.index()].len();
    let tile_of = |action: &Action| match action {
        Action::Discard { tile, .. } => *tile,
        other => panic!("{other:?} is no discard"),
    };
    let ready: Vec<Action> = discards
        .iter()
        .copied()
        .filter(|action| !table.waits(&less(tiles, tile_of(action)), melds).is_empty())
        .collect();
    if !ready.is_empty() {
        return pick(stream, &ready);
    }
    let worth = |action: &Action| {
        let kind = kind_of(tile_of(action));
        let each = tiles.iter().map(|tile| {
            let other = kind_of(*tile);
            let apart = place(kind).abs_diff(place(other));
            match apart {
                0 => 4,
                1 if kind.suit().is_some() && kind.suit() == other.suit() => 3,
                2 if kind.suit().is_some() && kind.suit() == other.suit() => 1,
                _ => 0,
            }
        });
        each.sum::<u32>()
    };
    let least = discards.iter().min_by_key(|action| worth(action));
    *least.expect("something may be discarded")
}

fn choose(
    table: &Table<'_>,
    deal: &Deal<&dyn Ruleset>,
    seat: Seat,
    style: Style,
    habits: &Habits,
    greedy: &mut [Box<dyn Agent>],
    stream: &mut Stream,
) -> Action {
    let legal = deal.legal(seat);
    let all: Vec<Action> = legal.iter().collect();
    let wish = |action: &Action| match action {
        Action::Win => habits.win,
        Action::Riichi => habits.riichi,
        Action::NineOrphans => 20,
        Action::ConcealedKong(_) | Action::AddedKong(_) => habits.kan,
        Action::ClaimKong => habits.open_kan,
        Action::Pung { .. } => habits.pon,
        Action::Chow { .. } => habits.chii,
        _ => 0,
    };
    let mut wishes: Vec<Action> = all.iter().copied().filter(|a| wish(a) > 0).collect();
    // Of several wishes none goes always first.
    stream.shuffle(&mut wishes);
    wishes.sort_by_key(|action| *action != Action::Win);
    if let Some(wished) = wishes.into_iter().find(|a| chance(stream, wish(a))) {
        return wished;
    }
    if all.contains(&Action::Pass) {
        return Action::Pass;
    }
    let is_discard = |action: &Action| matches!(action, Action::Discard { .. });
    let discards: Vec<Action> = all.iter().copied().filter(is_discard).collect();
    if style == Style::Winds && !table.has_discarded(seat) && chance(stream, 95) {
        let is_dealt = |action: &&Action| match action {
            Action::Discard { tile, .. } => {
                HONOURS[..4].contains(&kind_of(*tile))
                    && table
                        .discards
                        .first()
                        .is_none_or(|(_, first)| *first == kind_of(*tile))
            }
            _ => false,
        };
        if let Some(wind) = discards.iter().find(is_dealt) {
            return *wind;
        }
    }
    let drawn = discards
        .iter()
        .find(|a| matches!(a, Action::Discard { drawn: true, .. }));
    if let Some(drawn) = drawn.filter(|_| chance(stream, habits.drawn)) {
        return *drawn;
    }
    if chance(stream, habits.blind) {
        return pick(stream, &discards);
    }
    if chance(stream, habits.greedy) {
        let action = greedy[seat.index()].decide(&deal.state().view(seat), legal);
        if is_discard(&action) {
            return action;
        }
    }
    heuristic_discard(table, seat, &discards, stream)
}

// ------------------------------------------------------------------ games

/// Names the game that fails.
struct Named<'a>(&'a [&'a str], Style, u64);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self(options, style, seed) = self;
            tell(&format!("{style:?}, seed {seed}, {options:?}"));
        }
    }
}

fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A ruleset with options, and the same without red fives.
struct Rules<'a> {
    set: &'a [&'a str],
    full: Arc<dyn Ruleset>,
    plain: Arc<dyn Ruleset>,
    greedy: Vec<Box<dyn Agent>>,
}

impl<'a> Rules<'a> {
    fn new(set: &'a [&'a str]) -> Self {
        let others = set
            .iter()
            .copied()
            .filter(|text| !text.starts_with("red-fives"));
        let plain: Vec<&str> = others.chain(["red-fives=[0,0,0]"]).collect();
        let full = ruleset_with("riichi-mcgill", set);
        Self {
            set,
            greedy: agents(&*full, "greedy"),
            full,
            plain: ruleset_with("riichi-mcgill", &plain),
        }
    }
}

/// Plays one deal, and says how many decisions it had.
fn play(all: &mut Rules<'_>, style: Style, seed: u64, situations: &RefCell<Situations>) -> usize {
    let _named = Named(all.set, style, seed);
    let rules: &dyn Ruleset = &*all.full;
    let mut stream = Stream::new(seed, 31);
    let habits = Habits::of(style, &mut stream);
    let series = Match::with_dealer(rules, seed, Player::FIRST);
    let mut setup = match style {
        Style::Natural => series.setup(),
        _ => series.setup_with(stacked(rules, style, &mut stream)),
    };
    setup.round = pick(&mut stream, &[Wind::East, Wind::South]);
    for seat in Seat::all(4) {
        let totals: &[i64] = if chance(&mut stream, 85) {
            &[1000, 25_000, 31_000]
        } else {
            &[999, 0, -400]
        };
        setup.points[seat] = pick(&mut stream, totals);
    }
    setup.on_table = OnTable {
        counters: pick(&mut stream, &[0, 0, 1, 5]),
        deposits: stream.below(3),
    };
    setup.dealer_wins = pick(&mut stream, &[0, 0, 6, 7]);
    let mut table = Table::new(
        rules,
        &*all.plain,
        Options::new(all.set),
        setup.dealer_wins,
        situations,
    );
    let mut deal = Deal::start(rules, setup, &mut table);
    let mut decisions = 0;
    while let Some(seat) = deal.state().deciding().next() {
        table.check(&deal);
        let action = choose(
            &table,
            &deal,
            seat,
            style,
            &habits,
            &mut all.greedy,
            &mut stream,
        );
        decisions += 1;
        deal.act(seat, action, &mut table).expect("it is legal");
    }
    decisions
}

/// Settings under which games are always played.
const SETTINGS: [&[&str]; 8] = [
    &[],
    &[
        "temporary-furiten=any-wait",
        "riichi-pass=until-draw",
        "swap-call=same-tile-forbidden",
        "kan-after-riichi=same-waits",
    ],
    &[
        "karaten=false",
        "furiten-riichi=false",
        "kan-after-riichi=none",
        "riichi-points=0",
        "riichi-live-tiles=0",
    ],
    &[
        "four-kans-draw=false",
        "four-winds-draw=false",
        "four-riichi-draw=false",
        "nine-orphans-draw=false",
        "triple-ron=nearest",
        "rob-concealed-kan=none",
    ],
    &[
        "minimum-han=2",
        "swap-call=allowed",
        "red-fives=[0,0,0]",
        "riichi-points=25000",
        "riichi-live-tiles=30",
    ],
    &[
        "two-han-from-honba=5",
        "red-fives=[4,2,3]",
        "responsibility-kan-replacement=false",
        "karaten=false",
    ],
    &[
        "temporary-furiten=any-wait",
        "double-ron=true",
        "triple-ron=all",
        "open-all-simples=false",
        "gift-of-man=none",
        "eight-dealer-keeps=false",
        "red-fives=[2,2,2]",
    ],
    &[
        "minimum-han=4",
        "temporary-furiten=any-wait",
        "ippatsu=false",
        "pinfu-self-pick=false",
        "gift-of-man=mangan",
        "riichi-pass=until-draw",
    ],
];

/// What has to come up, or the games have shown nothing.
const COMMON: [&str; 43] = [
    "added kan",
    "chii refused that leaves no discard",
    "chii with a red five",
    "claim of the last discard refused",
    "claim refused before a draw",
    "complete without yaku",
    "concealed kan",
    "double riichi",
    "draw: fifth kan",
    "draw: four kans",
    "draw: four riichi",
    "draw: four winds",
    "draw: nine orphans",
    "draw: three rons",
    "fifth kan",
    "first turn",
    "furiten by own discards alone",
    "furiten by passing alone",
    "furiten by passing in riichi alone",
    "kan after the last tile refused",
    "kan in riichi",
    "kan in riichi changes the waits",
    "kan in riichi leaves the shape",
    "kan in riichi leaves the waits alone",
    "kan in riichi without the tile drawn",
    "karaten",
    "nine orphans",
    "nine orphans after a meld refused",
    "one kan too many refused",
    "open kan",
    "riichi",
    "riichi while furiten",
    "robbing of a concealed kan",
    "robbing of an added kan",
    "self-pick",
    "self-pick passed in riichi",
    "swap-call refused",
    "too late for riichi",
    "too poor for riichi",
    "win off a discard",
    "win off a discard that brings a draw",
    "win with a replacement",
    "pon with a red five",
];

#[test]
fn legal_actions_are_those_of_the_rules() {
    let situations = RefCell::default();
    let mut decisions = 0;
    for (i, set) in SETTINGS.into_iter().enumerate() {
        let mut rules = Rules::new(set);
        for game in 0..30 {
            for style in STYLES {
                let seed = game_seed(110 + i as u64, game * 16 + style as u64);
                decisions += play(&mut rules, style, seed, &situations);
            }
        }
    }
    for situation in COMMON {
        let met = situations.borrow().contains_key(situation);
        assert!(met, "{situation}: {situations:#?}");
    }
    assert!(decisions > 20_000, "{decisions} decisions");
    let Ok(seconds) = std::env::var("PAISHAN_LONG") else {
        return;
    };
    tell(&format!("{decisions} decisions, {situations:#?}"));
    let (begin, limit) = (Instant::now(), seconds.parse().expect("seconds"));
    let mut games = 0;
    while begin.elapsed() < Duration::from_secs(limit) {
        let mut stream = Stream::new(game_seed(111, games), 32);
        let drawn = drawn_settings(&mut stream);
        let set: Vec<&str> = drawn.iter().map(String::as_str).collect();
        let mut rules = Rules::new(&set);
        for style in STYLES.into_iter().cycle().take(44) {
            games += 1;
            decisions += play(&mut rules, style, game_seed(112, games), &situations);
        }
    }
    tell(&format!("{decisions} decisions, {situations:#?}"));
}

/// Each option that matters for legal actions at its default or one of its other values.
fn drawn_settings(stream: &mut Stream) -> Vec<String> {
    let values: [(&str, &[&str]); 27] = [
        ("temporary-furiten", &["any-wait"]),
        ("riichi-pass", &["until-draw"]),
        ("swap-call", &["same-tile-forbidden", "allowed"]),
        ("kan-after-riichi", &["none", "same-waits"]),
        ("karaten", &["false"]),
        ("furiten-riichi", &["false"]),
        ("riichi-points", &["0", "999", "25000"]),
        ("riichi-live-tiles", &["0", "1", "30", "69"]),
        ("four-kans-draw", &["false"]),
        ("four-winds-draw", &["false"]),
        ("four-riichi-draw", &["false"]),
        ("nine-orphans-draw", &["false"]),
        ("triple-ron", &["nearest", "all"]),
        ("double-ron", &["true"]),
        ("rob-concealed-kan", &["none"]),
        ("minimum-han", &["2", "3", "4"]),
        ("two-han-from-honba", &["1", "5"]),
        ("red-fives", &["[0,0,0]", "[4,4,4]", "[2,0,3]"]),
        ("responsibility-kan-replacement", &["false"]),
        ("ippatsu", &["false"]),
        ("open-all-simples", &["false"]),
        ("pinfu-self-pick", &["false"]),
        ("gift-of-man", &["none", "mangan"]),
        ("eight-dealer-keeps", &["false"]),
        ("kan-dora-concealed", &["after-discard"]),
        ("kan-dora-open", &["after-discard"]),
        ("kan-dora-added", &["at-once"]),
    ];
    let mut set = Vec::new();
    for (name, others) in values {
        if chance(stream, 35) {
            set.push(format!("{name}={}", pick(stream, others)));
        }
    }
    set
}
