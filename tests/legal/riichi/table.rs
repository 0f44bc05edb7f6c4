//! All that matters for legal actions, kept from events alone, and the actions that follow.

use super::forms::*;
use crate::common::naive::{run_name, runs, splits, without};
use paishan::game::Deal;
use paishan::hand::HandError;
use paishan::ruleset::Ruleset;
use paishan::score::{ScoreError, ScoreInput};
use paishan::state::{AbortiveDraw, Action, Phase, Way, Win, Window};
use paishan::{Group, Hand, Kind, KindSet, Meld, Notation, Rank, Seat, Tile, Wind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwapCall {
    Forbidden,
    SameTile,
    Allowed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RiichiKan {
    None,
    SameShape,
    SameWaits,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub swap_call: SwapCall,
    pub any_wait: bool,
    pub until_discard: bool,
    pub pass_lasts: bool,
    pub karaten: bool,
    pub furiten_riichi: bool,
    pub live_tiles: usize,
    pub points: i64,
    pub riichi_kan: RiichiKan,
    pub rob_concealed: bool,
    pub nine_orphans: bool,
    pub four_winds: bool,
    pub four_kans: bool,
    pub four_riichi: bool,
    pub three_rons_draw: bool,
    /// A win with the replacement of an open kan is one off its feeder.
    pub feeder_pays: bool,
}

impl Options {
    pub fn new(set: &[&str]) -> Self {
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
            until_discard: value("temporary-furiten-until") == Some("discard"),
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

#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// It came with the first discard, nothing having been melded.
    pub double: bool,
    pub ippatsu: bool,
}

/// The claim with which a turn began.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub kind: Kind,
    /// The three kinds of a chii.
    pub run: Option<[Kind; 3]>,
}

#[derive(Clone, Copy, Debug)]
pub struct MyTurn {
    pub seat: Seat,
    pub drawn: Option<Tile>,
    pub way: Way,
    /// Who fed the open kan that the drawn tile replaces.
    pub fed_by: Option<Seat>,
    pub claim: Option<Claim>,
    /// Riichi is declared, its discard not yet chosen.
    pub declares: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    Discard,
    AddedKan,
    ConcealedKan,
}

/// A tile that others may take, and what each may do.
#[derive(Clone, Debug)]
pub struct MyWindow {
    pub offer: Offer,
    pub tile: Tile,
    pub from: Seat,
    pub legal: [BTreeSet<String>; 4],
    /// Who passes on a win that keeps him from winning, if the deal goes on.
    pub passes: [bool; 4],
    pub answers: [Option<Action>; 4],
}

pub type Situations = BTreeMap<&'static str, usize>;

/// All that matters for legal actions, kept from the events alone.
pub struct Table<'a> {
    /// The same rules without red fives: a dora is no yaku.
    pub plain: &'a dyn Ruleset,
    pub options: Options,
    pub hands: [Vec<Tile>; 4],
    pub melds: [Vec<Meld>; 4],
    /// Every discard with who made it.
    pub discards: Vec<(Seat, Kind)>,
    /// Draws from the front and the back since the deal.
    pub drawn: (usize, usize),
    /// Who declared each kan.
    pub kans: Vec<Seat>,
    pub concealed_kans: usize,
    pub claims: usize,
    pub points: [i64; 4],
    pub counters: u32,
    pub dealer_wins: u32,
    pub round: Wind,
    pub riichi: [Option<Declared>; 4],
    /// A stick that is paid when the discard is not won off.
    pub stick: Option<Seat>,
    /// Furiten until the next draw, and for the rest of the deal.
    pub passed: [bool; 4],
    pub passed_in_riichi: [bool; 4],
    pub turn: Option<MyTurn>,
    pub window: Option<MyWindow>,
    /// Who fed the open kan that is about to be replaced.
    pub fed_by: Option<Seat>,
    pub over: bool,
    pub known_waits: RefCell<HashMap<(Counted, usize), KindSet>>,
    pub situations: &'a RefCell<Situations>,
}

impl<'a> Table<'a> {
    pub fn new(
        plain: &'a dyn Ruleset,
        options: Options,
        dealer_wins: u32,
        situations: &'a RefCell<Situations>,
    ) -> Self {
        Self {
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

    pub fn note(&self, situation: &'static str) {
        *self.situations.borrow_mut().entry(situation).or_default() += 1;
    }

    pub fn describe(&self, action: Action) -> String {
        match action {
            Action::Claim(tiles) if tiles.group().len() == 4 => {
                claim_name(tiles.group().to_string(), 0)
            }
            Action::Claim(tiles) => claim_name(tiles.group().to_string(), tiles.reds()),
            action => action.to_string(),
        }
    }

    // -------------------------------------------------------------- hands

    /// All kinds that complete the form, wherever the copies are.
    pub fn waits(&self, tiles: &[Tile], melds: usize) -> KindSet {
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

    pub fn is_ready(&self, seat: Seat, tiles: &[Tile]) -> bool {
        let melds = &self.melds[seat.index()];
        let waits = self.waits(tiles, melds.len());
        let own = |kind: Kind| {
            let declared = melds.iter().flat_map(|meld| meld.group().tiles());
            held(tiles, kind) + declared.filter(|k| *k == kind).count()
        };
        let ready = waits.iter().any(|kind| own(kind) < 4);
        if !ready && !waits.is_empty() {
            self.note("karaten");
        }
        ready || self.options.karaten && !waits.is_empty()
    }

    pub fn has_discarded(&self, seat: Seat) -> bool {
        self.discards.iter().any(|(who, _)| *who == seat)
    }

    pub fn own_discards(&self, seat: Seat) -> KindSet {
        let own = self.discards.iter().filter(|(who, _)| *who == seat);
        own.map(|(_, kind)| *kind).collect()
    }

    pub fn is_closed(&self, seat: Seat) -> bool {
        self.melds[seat.index()].iter().all(|meld| !meld.is_open())
    }

    pub fn left(&self) -> usize {
        70 - self.drawn.0 - self.drawn.1
    }

    pub fn is_untouched(&self) -> bool {
        self.kans.is_empty() && self.claims == 0
    }

    // -------------------------------------------------------------- wins

    pub fn flags(&self, seat: Seat, way: Way) -> Vec<&'static str> {
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
    pub fn has_yaku(
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
            Hand::try_new(plan.tiles(), &plain, &self.melds[seat.index()], &[]);
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
        match self.plain.score_hand(&input) {
            Ok(_) => true,
            Err(ScoreError::BelowMinimum(_)) => {
                self.note("complete without yaku");
                false
            }
            Err(error) => panic!("{tiles:?} and {tile} are complete: {error}"),
        }
    }

    /// Wins with the tile just drawn. Furiten does not matter.
    pub fn wins_by_draw(&self, turn: &MyTurn) -> bool {
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
    pub fn furiten(&self, seat: Seat) -> Vec<&'static str> {
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
    pub fn may_kan(&self, seat: Seat) -> bool {
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
    pub fn may_kan_in_riichi(&self, seat: Seat, kind: Kind, drawn: Tile) -> bool {
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
    pub fn swaps(&self, claim: Claim) -> Vec<Kind> {
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
    pub fn discards(&self, turn: &MyTurn) -> Vec<Action> {
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
    pub fn keeps_ready(&self, seat: Seat, discard: Action) -> bool {
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

    pub fn may_declare_riichi(&self, turn: &MyTurn) -> bool {
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

    pub fn on_turn(&self, turn: &MyTurn) -> BTreeSet<String> {
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
                .any(|meld| meld.is_open() && meld.group() == Group::pung(kind));
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

    pub fn note_kan(&self, which: &'static str, in_riichi: bool) {
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
    pub fn draw_after_discard(&self) -> Option<AbortiveDraw> {
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
    pub fn offer(&mut self, offer: Offer, tile: Tile, from: Seat) {
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

    pub fn draw_after(&self, offer: Offer) -> Option<AbortiveDraw> {
        match offer {
            Offer::Discard => self.draw_after_discard(),
            _ => None,
        }
    }

    /// The melds that a seat may make of a discard.
    pub fn claims_of(&self, seat: Seat, tile: Tile, from: Seat) -> Vec<String> {
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
                claims.push(claim_name(Group::pung(kind).to_string(), red as u8));
                if red > 0 {
                    self.note("pon with a red five");
                }
            }
        }
        if held(tiles, kind) == 3 {
            if self.may_kan(seat) {
                claims.push(claim_name(Group::kong(kind).to_string(), 0));
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
            let name = |reds| claim_name(run_name(suit, rank), reds);
            let five = others.iter().find(|k| k.rank() == Some(Rank::FIVE));
            if five.is_none_or(|five| plains(*five) > 0) {
                claims.push(name(0));
            }
            if five.is_some_and(|five| reds(*five) > 0) {
                claims.push(name(1));
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
    pub fn close_window(&mut self) {
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
    pub fn goes_on(&mut self) {
        let drawn = self
            .window
            .as_ref()
            .and_then(|window| self.draw_after(window.offer));
        assert_eq!(drawn, None, "a draw is passed over");
        assert_eq!(self.stick, None, "a stick is not paid");
        self.close_window();
    }

    pub fn break_ippatsu(&mut self) {
        for declared in self.riichi.iter_mut().flatten() {
            declared.ippatsu = false;
        }
    }

    pub fn take(&mut self, seat: Seat, tile: Tile) {
        let hand = &mut self.hands[seat.index()];
        *hand = less(hand, tile);
    }

    /// Takes so many tiles of a kind out, some of them red.
    pub fn take_kind(&mut self, seat: Seat, kind: Kind, count: usize, reds: u8) {
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
    pub fn check(&self, deal: &Deal<&dyn Ruleset>) {
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

/// How a claim is named: its group, and how many red fives go beside the discard. A kong takes all that there are.
fn claim_name(group: String, reds: u8) -> String {
    format!("claim {group}, {reds} red")
}
