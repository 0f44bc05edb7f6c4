//! What the log of one player does not show.
//!
//! The engine plays such a log again as it plays any other, so it needs a deal in which every tile is known. This file
//! finds one that fits the log. A tile that another player shows was in the hand in time. Tiles that nobody ever shows
//! are taken from the rest of the set. Where an announcement or a restriction says more about a hand, a search changes
//! these tiles until the hand fits.
//!
//! Nothing is checked here but that such a deal exists. The engine and the recorder check the log.

use super::lay::{Dealt, dealt_to, take};
use super::source::{ReplayError, shape};
use crate::counts::Counts;
use crate::decompose::{Holding, Scratch};
use crate::log::{End, Hora, Line, StartKyoku, What};
use crate::meld::Group;
use crate::notation::Notation;
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::score::SettlementRules;
use crate::seat::Player;
use crate::set::KindSet;
use crate::state::Way;
use crate::tile::{Kind, Suit, Tile};
use std::cmp::Reverse;

/// How many steps the search for a hand takes at most.
const STEPS: usize = 4000;

/// One step in so many may make a hand a little worse.
const WORSE: u32 = 32;

/// How often a deal is tried with other unseen tiles.
const ATTEMPTS: usize = 8;

/// The line after which a tile has left a hand that keeps it.
const STAYS: usize = usize::MAX;

/// A tile in a concealed hand.
#[derive(Clone, Copy)]
struct Held {
    tile: Tile,
    /// The line that takes it out of the hand.
    gone: usize,
    /// It came with one of so many first arrivals.
    within: usize,
    /// Nobody ever shows it.
    free: bool,
}

/// A tile that comes into a concealed hand.
#[derive(Clone, Copy)]
struct Arrival {
    at: usize,
    held: Option<Held>,
    /// The log tells which tile it is.
    told: bool,
    /// It comes from the wall, not from a meld.
    from_wall: bool,
    /// What the turn discards from the tiles that were held before.
    discard: Option<Tile>,
}

/// What the log says of a hand beside its tiles.
enum Demand {
    Ready,
    /// The hand has tiles of these kinds alone.
    Within(KindSet),
    /// It lacks one tile of one of the forms that may challenge a kong.
    Challenges,
}

/// What changes the melds of a hand.
enum Melded {
    Meld(Vec<Kind>, bool),
    Added(Kind),
}

/// One player, as far as the log tells.
#[derive(Default)]
struct Seen {
    arrivals: Vec<Arrival>,
    /// Tiles that are shown, without the arrival that brought them.
    shown: Vec<Held>,
    melds: Vec<(usize, Melded)>,
    /// The tiles of the last meld, if it was a concealed one.
    kong: Vec<Tile>,
    demands: Vec<(usize, Demand)>,
    /// The place among the arrivals of the tile just drawn.
    drawn: Option<usize>,
    missing: Option<Suit>,
    riichi: bool,
    stands: bool,
    /// The next discard leaves the hand ready.
    readies: bool,
    /// The whole hand is shown.
    is_shown: bool,
}

impl Seen {
    fn arrive(&mut self, at: usize, tile: Option<Tile>, from_wall: bool) {
        let held = tile.map(|tile| Held {
            tile,
            gone: STAYS,
            within: 0,
            free: false,
        });
        let told = tile.is_some();
        self.arrivals.push(Arrival {
            at,
            held,
            told,
            from_wall,
            discard: None,
        });
    }

    /// Takes a tile that line `gone` shows. It came with one of the first `within` arrivals.
    fn show(&mut self, tile: Tile, within: usize, gone: usize) {
        let within = within.min(self.arrivals.len());
        let is_it = |arrival: &&mut Arrival| {
            let held = arrival
                .held
                .filter(|held| held.tile == tile && held.within == 0);
            arrival.told && held.is_some()
        };
        let found = self.arrivals[..within].iter_mut().find(is_it);
        let held = Held {
            tile,
            gone,
            within,
            free: false,
        };
        match found {
            Some(arrival) => arrival.held = Some(held),
            None => self.shown.push(held),
        }
    }

    /// Takes a tile from anywhere in the hand.
    fn take(&mut self, tile: Tile, gone: usize) {
        self.show(tile, self.arrivals.len(), gone);
    }

    /// Takes the tile just drawn, which is this one.
    fn take_drawn(&mut self, tile: Tile, gone: usize) {
        let is_it =
            |held: Option<Held>| held.is_none_or(|held| held.tile == tile && held.within == 0);
        match self
            .drawn
            .take()
            .filter(|&drawn| is_it(self.arrivals[drawn].held))
        {
            Some(drawn) => {
                let arrival = &mut self.arrivals[drawn];
                arrival.told = true;
                arrival.held = Some(Held {
                    tile,
                    gone,
                    within: drawn + 1,
                    free: false,
                });
            }
            None => self.take(tile, gone),
        }
    }

    fn meld(&mut self, at: usize, tiles: impl IntoIterator<Item = Tile>, open: bool) {
        let kinds = tiles.into_iter().filter_map(Tile::kind).collect();
        self.melds.push((at, Melded::Meld(kinds, open)));
    }

    /// Adds a fourth tile to a pung on the table.
    fn add(&mut self, at: usize, tile: Tile) {
        let kind = tile.kind();
        self.melds
            .extend(kind.map(|kind| (at, Melded::Added(kind))));
    }

    fn kongs(&self) -> usize {
        let is_kong = |(_, meld): &&(usize, Melded)| match meld {
            Melded::Meld(kinds, _) => kinds.len() == 4,
            Melded::Added(_) => true,
        };
        self.melds.iter().filter(is_kong).count()
    }

    /// Takes back what is left of a concealed kong that was robbed.
    fn give_back(&mut self, at: usize, robbed: Tile) {
        let mut kong = std::mem::take(&mut self.kong);
        if take(&mut kong, at, robbed).is_ok() {
            kong.into_iter()
                .for_each(|tile| self.arrive(at, Some(tile), false));
        }
    }

    /// Notes what a discard says of the hand.
    fn note_discard(&mut self, plan: &Plan, tile: Tile, at: usize) {
        // A standing hand that is not frozen stays ready with every discard.
        let is_frozen = plan.procedures.fishing.is_none_or(|rules| rules.frozen);
        let is_ready = self.readies || self.stands && !is_frozen;
        let ready = is_ready.then_some(Demand::Ready);
        let kind = tile.kind();
        let of_missing = |suit: Suit| KindSet::of_lane(suit.lane());
        let of_others = |suit: &Suit| kind.is_some_and(|kind| !of_missing(*suit).contains(kind));
        let missing = self.missing.filter(of_others);
        let without = missing.map(|suit| Demand::Within(KindSet::ALL.difference(of_missing(suit))));
        let wild = plan.decomposer.wild();
        let is_wild = kind.is_some_and(|kind| wild.contains(kind));
        let wild = is_wild.then_some(Demand::Within(wild));
        let all = [ready, without, wild].into_iter().flatten();
        self.demands.extend(all.map(|demand| (at, demand)));
        self.readies = false;
    }

    /// The arrivals that the log does not tell.
    fn unknown(&self) -> impl DoubleEndedIterator<Item = usize> {
        let unknown = |(i, arrival): (usize, &Arrival)| (!arrival.told).then_some(i);
        self.arrivals.iter().enumerate().filter_map(unknown)
    }

    /// Puts a tile into every arrival that the log does not tell. What is shown comes as late as it can, what is never
    /// shown as early.
    fn fill(&mut self, left: &mut Vec<Tile>, mut jokers: usize) {
        let unknown: Vec<usize> = self.unknown().collect();
        for place in unknown.into_iter().rev() {
            let Arrival { discard, .. } = self.arrivals[place];
            let shown = self.shown.iter().enumerate();
            let latest = shown
                .filter(|(_, held)| held.within > place)
                .min_by_key(|(_, held)| {
                    (discard == Some(held.tile), held.gone == STAYS, held.within)
                });
            let held = match latest.map(|(i, _)| i) {
                Some(i) => Some(self.shown.swap_remove(i)),
                None => {
                    let joker = (jokers > 0).then_some(Kind::JOKER.into());
                    jokers = jokers.saturating_sub(1);
                    joker.or_else(|| left.pop()).map(|tile| Held {
                        tile,
                        gone: STAYS,
                        within: usize::MAX,
                        free: joker.is_none(),
                    })
                }
            };
            self.arrivals[place].held = held;
        }
    }

    /// The place among the tiles that are left of one that brings the hand nearer to what the log says, if there is one.
    fn wanted(
        &self,
        plan: &Plan,
        left: &[Tile],
        stream: &mut Stream,
        scratch: &mut Scratch,
    ) -> usize {
        let (at, demand) = &self.demands[stream.below(self.demands.len() as u32) as usize];
        let any = stream.below(left.len() as u32) as usize;
        let wanted = match demand {
            Demand::Ready => plan.decomposer.accepts(&self.holding(*at), scratch).1,
            Demand::Within(kinds) => *kinds,
            Demand::Challenges => return any,
        };
        let is_wanted = |tile: &Tile| tile.kind().is_some_and(|kind| wanted.contains(kind));
        let after = (any..left.len()).chain(0..any);
        let found = after.into_iter().find(|&place| is_wanted(&left[place]));
        found.unwrap_or(any)
    }

    /// Changes what the log does not tell until the hand is as the log says.
    fn fit(&mut self, plan: &Plan, left: &mut [Tile], stream: &mut Stream, scratch: &mut Scratch) {
        let unknown: Vec<usize> = self.unknown().collect();
        if unknown.is_empty() {
            return;
        }
        let mut misfit = self.misfit(plan, scratch);
        for _ in 0..STEPS {
            if misfit == 0 {
                return;
            }
            let mut any = || unknown[stream.below(unknown.len() as u32) as usize];
            let (a, b) = (any(), any());
            let (Some(one), Some(other)) = (self.arrivals[a].held, self.arrivals[b].held) else {
                continue;
            };
            let exchanged = if one.free && stream.below(2) == 0 && !left.is_empty() {
                let place = self.wanted(plan, left, stream, scratch);
                if left[place].is_flower() != one.tile.is_flower() {
                    continue;
                }
                let tile = std::mem::replace(&mut left[place], one.tile);
                self.arrivals[a].held = Some(Held { tile, ..one });
                Some(place)
            } else {
                if one.within <= b || other.within <= a {
                    continue;
                }
                self.arrivals[a].held = Some(other);
                self.arrivals[b].held = Some(one);
                None
            };
            let now = self.misfit(plan, scratch);
            if now <= misfit || now == misfit + 1 && stream.below(WORSE) == 0 {
                misfit = now;
                continue;
            }
            if let (Some(place), Some(held)) = (exchanged, self.arrivals[a].held) {
                left[place] = held.tile;
            } else {
                self.arrivals[b].held = Some(other);
            }
            self.arrivals[a].held = Some(one);
        }
    }

    /// The hand after line `at`.
    fn holding(&self, at: usize) -> Holding {
        let mut holding = Holding {
            concealed: Counts::EMPTY,
            declared: Counts::EMPTY,
            melds: 0,
            consecutive: true,
        };
        let arrived = self.arrivals.iter().take_while(|arrival| arrival.at <= at);
        for held in arrived.filter_map(|arrival| arrival.held) {
            if let Some(kind) = held.tile.kind().filter(|_| held.gone > at) {
                holding.concealed.try_add(kind);
            }
        }
        for (_, meld) in self.melds.iter().take_while(|(made, _)| *made <= at) {
            match meld {
                Melded::Added(kind) => {
                    holding.declared.try_add(*kind);
                    holding.consecutive = false;
                }
                Melded::Meld(kinds, open) => match Group::of(kinds) {
                    Some(group) => holding.declare(group, *open),
                    None => holding.melds += 1,
                },
            }
        }
        holding
    }

    /// How far the hand is from what the log says of it. 0 fits.
    fn misfit(&self, plan: &Plan, scratch: &mut Scratch) -> usize {
        let decomposer = &plan.decomposer;
        let of = |(at, demand): &(usize, Demand)| {
            let holding = self.holding(*at);
            match demand {
                Demand::Ready => decomposer.distance(&holding, scratch).unsigned_abs().into(),
                Demand::Within(kinds) => {
                    holding.concealed.total() - holding.concealed.count_in(*kinds) as usize
                }
                Demand::Challenges => {
                    let forms = plan
                        .procedures
                        .challenge
                        .iter()
                        .flat_map(|rules| &rules.waiting_on);
                    let missing =
                        forms.filter_map(|&form| decomposer.missing_from_form(form, &holding));
                    missing
                        .min()
                        .map_or(0, |missing| missing.abs_diff(1).into())
                }
            }
        };
        self.demands.iter().map(of).sum()
    }
}

/// Finds all tiles of the deal that begins at line `at`. `told` is a copy of the lines, and gets the tiles of exchanges
/// and of kongs that lie face down. Another `attempt` takes other tiles for those that the log does not tell. `None` if
/// there is no such attempt.
pub(super) fn deal(
    plan: &Plan,
    notation: Notation,
    told: &mut [Line],
    at: usize,
    attempt: usize,
) -> Result<Option<Dealt>, ReplayError> {
    let mut reader = Reader {
        plan,
        notation,
        players: (0..plan.players).map(|_| Seen::default()).collect(),
        drawn: [Vec::new(), Vec::new()],
        dealt: Dealt::default(),
    };
    reader.turn_kongs_up(told, at)?;
    let dealer = reader.read(told, at)?;
    if !reader.fill(at, attempt)? {
        return Ok(None);
    }
    reader.choose_exchanges(told, at)?;
    reader.lay(told, at, dealer)?;
    Ok(Some(reader.dealt))
}

/// Reads the lines of a deal.
struct Reader<'a> {
    plan: &'a Plan,
    notation: Notation,
    players: Vec<Seen>,
    /// The arrivals that were drawn from the front and from the back of the wall: whose, and which.
    drawn: [Vec<(usize, usize)>; 2],
    dealt: Dealt,
}

/// The lines of a deal after its first, with their indices.
fn lines_of(lines: &[Line], at: usize) -> impl Iterator<Item = (usize, &Line)> {
    let is_in = |(_, line): &(usize, &Line)| {
        !matches!(line, Line::StartKyoku { .. } | Line::EndGame { .. })
    };
    lines.iter().enumerate().skip(at + 1).take_while(is_in)
}

impl Reader<'_> {
    fn tile(&self, at: usize, text: &str) -> Result<Option<Tile>, ReplayError> {
        match self.notation.parse_one(text) {
            Ok(tile) => Ok(Some(tile)),
            Err(_) if text == "?" => Ok(None),
            Err(error) => shape(at, error.to_string()),
        }
    }

    fn known(&self, at: usize, text: &str) -> Result<Tile, ReplayError> {
        match self.tile(at, text)? {
            Some(tile) => Ok(tile),
            None => shape(at, "a tile on the table is not shown"),
        }
    }

    fn all_known(&self, at: usize, texts: &[String]) -> Result<Vec<Tile>, ReplayError> {
        texts.iter().map(|text| self.known(at, text)).collect()
    }

    fn player(&mut self, at: usize, player: usize) -> Result<&mut Seen, ReplayError> {
        match self.players.get_mut(player) {
            Some(seen) => Ok(seen),
            None => shape(at, "no such player"),
        }
    }

    /// Names the tiles of kongs that lie face down. The end of the deal or a challenge shows them.
    fn turn_kongs_up(&self, told: &mut [Line], at: usize) -> Result<(), ReplayError> {
        let mut laid = vec![0; self.players.len()];
        for i in at + 1..told.len() {
            let (before, after) = told.split_at_mut(i + 1);
            let (actor, consumed) = match &mut before[i] {
                Line::StartKyoku { .. } | Line::EndGame { .. } => break,
                Line::Ankan {
                    actor, consumed, ..
                } if *actor < laid.len() => (*actor, consumed),
                _ => continue,
            };
            let nth = laid[actor];
            laid[actor] += 1;
            if consumed.iter().all(|tile| tile != "?") {
                continue;
            }
            let challenged = match after.first() {
                Some(Line::Challenge { consumed, .. }) => consumed.as_ref(),
                _ => None,
            };
            let turned = after.iter().find_map(|line| match line {
                Line::EndKyoku { quads, .. } => Some(quads.iter().flatten()),
                _ => None,
            });
            let own = turned.into_iter().flatten();
            let own = own.filter(|kong| kong.actor == actor).nth(nth);
            match challenged.or(own.map(|kong| &kong.consumed)) {
                Some(tiles) => consumed.clone_from(tiles),
                None => return shape(i, "this kong is never shown"),
            }
        }
        Ok(())
    }

    /// Reads the first line of the deal: the hands, as they are after exchanges. Returns the dealer.
    fn read_hands(&mut self, lines: &[Line], at: usize) -> Result<Player, ReplayError> {
        let Some(Line::StartKyoku(start)) = lines.get(at) else {
            return shape(at, "a hand begins with start_kyoku");
        };
        let StartKyoku {
            oya,
            dora_marker,
            tehais,
            ..
        } = &**start;
        let players = self.players.len();
        let dealer = Player::new(*oya).filter(|player| player.index() < players);
        let (Some(dealer), true) = (dealer, tehais.len() == players) else {
            return shape(at, "one hand a player");
        };
        if let Some(marker) = dora_marker {
            self.dealt.turned.push((at, self.known(at, marker)?));
        }
        let mut hands = Vec::new();
        for hand in tehais {
            if hand.len() != self.plan.decomposer.grammar().hand_tiles() {
                return shape(at, "another number of tiles is dealt");
            }
            let tiles = hand.iter().map(|tile| self.tile(at, tile));
            hands.push(tiles.collect::<Result<Vec<_>, _>>()?);
        }
        // All give their tiles away before anybody receives one.
        let mut received = Vec::new();
        for (i, line) in lines_of(lines, at) {
            if let Line::Exchange {
                actor,
                target: Some(target),
                pai,
            } = line
            {
                let tile = self.tile(i, pai)?;
                let (Some(given), true) = (hands.get_mut(*actor), *target < players) else {
                    return shape(i, "no such player");
                };
                let place = given.iter().position(|held| *held == tile);
                let place = place.or_else(|| given.iter().position(Option::is_none));
                let Some(place) = place else {
                    return shape(i, "this tile is not in the hand");
                };
                given.swap_remove(place);
                received.push((*target, tile));
            }
        }
        for (player, tile) in received {
            hands[player].push(tile);
        }
        for (seen, hand) in self.players.iter_mut().zip(hands) {
            hand.into_iter()
                .for_each(|tile| seen.arrive(at, tile, true));
        }
        Ok(dealer)
    }

    fn read(&mut self, lines: &[Line], at: usize) -> Result<Player, ReplayError> {
        let dealer = self.read_hands(lines, at)?;
        for (at, line) in lines_of(lines, at) {
            self.read_line(at, line, &lines[at + 1..])?;
        }
        Ok(dealer)
    }

    /// Reads line `at`. `next` are the lines that follow.
    fn read_line(&mut self, at: usize, line: &Line, next: &[Line]) -> Result<(), ReplayError> {
        match line {
            Line::Missing { actor, suit } => {
                self.player(at, *actor)?.missing = Suit::from_letter(*suit);
            }
            Line::Tsumo { actor, pai, from } => {
                let tile = self.tile(at, pai)?;
                let seen = self.player(at, *actor)?;
                let place = seen.arrivals.len();
                seen.arrive(at, tile, true);
                seen.drawn = Some(place);
                self.drawn[usize::from(*from == End::Back)].push((*actor, place));
            }
            Line::Dahai {
                actor,
                pai,
                tsumogiri,
            } => {
                let tile = self.known(at, pai)?;
                let plan = self.plan;
                let seen = self.player(at, *actor)?;
                if *tsumogiri {
                    seen.take_drawn(tile, at);
                } else {
                    let drawn = seen.drawn.take();
                    if let Some(drawn) = drawn {
                        seen.arrivals[drawn].discard = Some(tile);
                    }
                    seen.show(tile, drawn.unwrap_or(seen.arrivals.len()), at);
                }
                seen.note_discard(plan, tile, at);
            }
            Line::Chi {
                actor,
                pai,
                consumed,
                ..
            }
            | Line::Pon {
                actor,
                pai,
                consumed,
                ..
            }
            | Line::Daiminkan {
                actor,
                pai,
                consumed,
                ..
            } => {
                let laid = matches!(
                    line,
                    Line::Daiminkan {
                        laid: Some(true),
                        ..
                    }
                );
                let tiles = self.all_known(at, consumed)?;
                let claimed = self.known(at, pai)?;
                let seen = self.player(at, *actor)?;
                // What was drawn before the first turn is a tile like the others now.
                seen.drawn = None;
                if laid {
                    seen.add(at, claimed);
                } else {
                    tiles.iter().for_each(|&tile| seen.take(tile, at));
                    seen.meld(at, tiles.into_iter().chain([claimed]), true);
                }
            }
            Line::Ankan {
                actor, consumed, ..
            }
            | Line::Lay { actor, consumed } => {
                let tiles = self.all_known(at, consumed)?;
                let seen = self.player(at, *actor)?;
                for (i, &tile) in tiles.iter().enumerate() {
                    match i == 0 && seen.riichi {
                        // In riichi only the tile just drawn makes a kong.
                        true => seen.take_drawn(tile, at),
                        false => seen.take(tile, at),
                    }
                }
                seen.kong.clone_from(&tiles);
                seen.meld(at, tiles, false);
            }
            Line::Kakan { actor, pai, .. } => {
                let tile = self.known(at, pai)?;
                // Where only a kong with the tile just drawn is paid, the payment tells.
                let is_paid = matches!(next.first(), Some(Line::Paid { .. }));
                let is_robbed = matches!(next.first(), Some(Line::Hora { .. }));
                let tells = match self.plan.settlement {
                    SettlementRules::Linear(rules) => {
                        !is_robbed && rules.kongs.added != 0 && rules.kongs.added_later == 0
                    }
                    _ => false,
                };
                let is_drawn = self.plan.play.added_when_drawn || tells && is_paid;
                let seen = self.player(at, *actor)?;
                match (is_drawn, seen.drawn.filter(|_| tells)) {
                    (true, _) => seen.take_drawn(tile, at),
                    (false, Some(drawn)) => seen.show(tile, drawn, at),
                    (false, None) => seen.take(tile, at),
                }
                seen.kong.clear();
                seen.add(at, tile);
            }
            Line::TakeJoker { actor, pai, .. } => {
                let tile = self.known(at, pai)?;
                // If the tile was just drawn, the joker counts as drawn from now on.
                let own = |line: &&Line| match line {
                    Line::Hora(hora) => hora.actor == *actor,
                    Line::Dahai { actor: who, .. } => who == actor,
                    line => matches!(line, Line::Tsumo { .. }),
                };
                let is_drawn = match next.iter().find(own) {
                    Some(Line::Hora(hora)) => self.known(at, &hora.pai)? == Kind::JOKER.into(),
                    Some(Line::Dahai { pai, tsumogiri, .. }) => {
                        *tsumogiri && self.known(at, pai)? == Kind::JOKER.into()
                    }
                    _ => false,
                };
                let seen = self.player(at, *actor)?;
                match is_drawn {
                    true => seen.take_drawn(tile, at),
                    false => seen.take(tile, at),
                }
                if is_drawn {
                    seen.drawn = Some(seen.arrivals.len());
                }
                seen.arrive(at, Some(Kind::JOKER.into()), false);
            }
            Line::Flower { actor, pai } => {
                let tile = self.known(at, pai)?;
                let dealt = self.plan.decomposer.grammar().hand_tiles();
                let seen = self.player(at, *actor)?;
                match seen.drawn {
                    Some(_) => seen.take_drawn(tile, at),
                    None => seen.show(tile, dealt, at),
                }
            }
            Line::Nukidora { actor, pai } => {
                let tile = self.known(at, pai)?;
                let seen = self.player(at, *actor)?;
                match seen.riichi {
                    true => seen.take_drawn(tile, at),
                    false => seen.take(tile, at),
                }
            }
            Line::Challenge { actor, target, .. } => {
                let kongs = self.player(at, *target)?.kongs();
                let rules = self.plan.procedures.challenge.as_ref();
                if rules.is_some_and(|rules| kongs < rules.from_kong) {
                    let seen = self.player(at, *actor)?;
                    seen.demands.push((at, Demand::Challenges));
                }
            }
            Line::Declare {
                actor,
                what: What::Standing,
            } => {
                let seen = self.player(at, *actor)?;
                (seen.stands, seen.readies) = (true, true);
            }
            Line::Reach { actor } => {
                let seen = self.player(at, *actor)?;
                (seen.riichi, seen.readies) = (true, true);
            }
            Line::Penalty {
                actor, dead: true, ..
            } => self.player(at, *actor)?.stands = false,
            Line::Dora { dora_marker } => {
                self.dealt.turned.push((at, self.known(at, dora_marker)?));
            }
            Line::Hora(hora) => {
                let Hora {
                    actor,
                    target,
                    pai,
                    hora_tehais,
                    by,
                    tehais,
                    uradora_markers,
                    ..
                } = &**hora;
                let tile = self.known(at, pai)?;
                let under = self.all_known(at, uradora_markers.as_deref().unwrap_or_default())?;
                if under.len() > self.dealt.under.len() {
                    self.dealt.under = under.into_iter().map(|tile| (at, tile)).collect();
                }
                if by.as_deref() == Some(Way::RobbedKong.word()) {
                    self.player(at, *target)?.give_back(at, tile);
                }
                if actor == target && !tile.is_flower() {
                    self.player(at, *actor)?.take_drawn(tile, at);
                }
                if let Some(hand) = hora_tehais {
                    self.show_hand(at, *actor, hand)?;
                }
                for (player, hand) in tehais.iter().flatten().enumerate() {
                    self.show_hand(at, player, hand)?;
                }
            }
            Line::Ryukyoku { tehais, .. } => {
                for (player, hand) in tehais.iter().flatten().enumerate() {
                    self.show_hand(at, player, hand)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a hand that is shown at the end of a deal, if it is.
    fn show_hand(&mut self, at: usize, player: usize, hand: &[String]) -> Result<(), ReplayError> {
        if hand.iter().any(|tile| tile == "?") {
            return Ok(());
        }
        let tiles = self.all_known(at, hand)?;
        let seen = self.player(at, player)?;
        if !std::mem::replace(&mut seen.is_shown, true) {
            tiles.into_iter().for_each(|tile| seen.take(tile, STAYS));
        }
        Ok(())
    }

    /// Finds a tile for every arrival that the log does not tell. False if there is no such attempt.
    fn fill(&mut self, at: usize, attempt: usize) -> Result<bool, ReplayError> {
        let plan = self.plan;
        let mut left: Vec<Tile> = plan.tiles.iter().collect();
        for &(at, tile) in self.dealt.turned.iter().chain(&self.dealt.under) {
            take(&mut left, at, tile)?;
        }
        for seen in &self.players {
            for arrival in seen.arrivals.iter().filter(|arrival| arrival.from_wall) {
                if let Some(held) = arrival.held {
                    take(&mut left, arrival.at, held.tile)?;
                }
            }
            for held in &seen.shown {
                let line = if held.gone == STAYS { at } else { held.gone };
                take(&mut left, line, held.tile)?;
            }
        }
        let mut free = Vec::new();
        for (player, seen) in self.players.iter().enumerate() {
            let unknown = seen.unknown().count();
            match unknown.checked_sub(seen.shown.len()) {
                Some(more) => free.push(more),
                None => {
                    let first = seen.shown.iter().map(|held| held.gone).min();
                    let line = first.filter(|line| *line != STAYS).unwrap_or(at);
                    return shape(line, format!("player {player} never drew these tiles"));
                }
            }
        }
        // Where jokers are paid, the payments tell how many each hand has.
        let is_paid = |tile: &Tile| {
            *tile == Kind::JOKER.into()
                && matches!(plan.settlement, SettlementRules::Linear(rules) if rules.joker != 0)
        };
        let paid = left.iter().filter(|tile| is_paid(tile)).count();
        let ways = ways_to_hold(paid, &free);
        let attempts = match free.iter().sum() {
            0 => 1,
            _ => ATTEMPTS.max(ways.len()),
        };
        if attempt >= attempts {
            return Ok(false);
        }
        let mut stream = Stream::new(attempt as u64, 0);
        stream.shuffle(&mut left);
        left.retain(|tile| !is_paid(tile));
        // Flowers are shown at once, so they are the last to be taken.
        left.sort_by_key(|tile| !tile.is_flower());
        let mut scratch = Scratch::new();
        // Hands of which the log says more are first to choose.
        let mut hands: Vec<_> = self
            .players
            .iter_mut()
            .zip(&ways[attempt % ways.len()])
            .collect();
        hands.sort_by_key(|(seen, _)| Reverse(seen.demands.len()));
        for (seen, &jokers) in hands {
            seen.fill(&mut left, jokers);
            seen.fit(plan, &mut left, &mut stream, &mut scratch);
        }
        Ok(true)
    }

    /// Chooses the tiles of exchanges that the log does not tell: any that the receiver holds afterwards.
    fn choose_exchanges(&self, told: &mut [Line], at: usize) -> Result<(), ReplayError> {
        let Some(rules) = self.plan.play.exchange else {
            return Ok(());
        };
        let dealt = self.plan.decomposer.grammar().hand_tiles();
        for giver in 0..self.players.len() {
            let is_his = |(_, line): &(usize, &Line)| matches!(line, Line::Exchange { actor, pai, .. } if *actor == giver && pai == "?");
            let given: Vec<usize> = lines_of(told, at).filter(is_his).map(|(i, _)| i).collect();
            let Some(Line::Exchange {
                target: Some(target),
                ..
            }) = given.first().map(|&i| &told[i])
            else {
                continue;
            };
            let arrivals = self.players[*target].arrivals.iter().take(dealt);
            let mut held: Vec<Tile> = arrivals
                .filter_map(|arrival| Some(arrival.held?.tile))
                .collect();
            held.sort_unstable();
            let enough = |tiles: &Vec<Tile>| tiles.len() >= given.len();
            let of_suit = |suit: Suit| -> Vec<Tile> {
                let is_of = |tile: &&Tile| tile.kind().and_then(Kind::suit) == Some(suit);
                held.iter().filter(is_of).copied().collect()
            };
            let same = Suit::ALL.into_iter().map(of_suit).find(enough);
            let chosen = same.filter(|_| rules.same_suit).unwrap_or(held);
            for (i, tile) in given.into_iter().zip(chosen) {
                if let Line::Exchange { pai, .. } = &mut told[i] {
                    *pai = self.notation.print_one(tile);
                }
            }
        }
        Ok(())
    }

    /// Puts all tiles in the order in which they lie in the wall.
    fn lay(&mut self, told: &[Line], at: usize, dealer: Player) -> Result<(), ReplayError> {
        let dealt = self.plan.decomposer.grammar().hand_tiles();
        let tile_of = |arrival: &Arrival| Some((arrival.at, arrival.held?.tile));
        let mut hands: Vec<Vec<Tile>> = Vec::new();
        for seen in &self.players {
            let first = seen.arrivals.iter().take(dealt);
            hands.push(
                first
                    .filter_map(|arrival| Some(arrival.held?.tile))
                    .collect(),
            );
        }
        for (i, line) in lines_of(told, at) {
            if let Line::Exchange {
                actor,
                target: Some(target),
                pai,
            } = line
            {
                let tile = self.known(i, pai)?;
                take(&mut hands[*target], i, tile)?;
                hands[*actor].push(tile);
            }
        }
        let order = dealt_to(self.plan, dealer);
        let tiles = order.filter_map(|player| Some((at, hands.get_mut(player)?.pop()?)));
        self.dealt.front = tiles.collect();
        let players = &self.players;
        let drawn = |&(player, place): &(usize, usize)| {
            players
                .get(player)
                .and_then(|seen| tile_of(seen.arrivals.get(place)?))
        };
        self.dealt
            .front
            .extend(self.drawn[0].iter().filter_map(drawn));
        self.dealt
            .back
            .extend(self.drawn[1].iter().filter_map(drawn));
        Ok(())
    }
}

/// All ways in which hands with so many free places hold some of `tiles` like tiles, the fewest first.
fn ways_to_hold(tiles: usize, free: &[usize]) -> Vec<Vec<usize>> {
    let mut ways = vec![Vec::new()];
    for &room in free {
        let longer = |way: Vec<usize>| {
            let held: usize = way.iter().sum();
            (0..=room.min(tiles - held)).map(move |more| [&way[..], &[more]].concat())
        };
        ways = ways.into_iter().flat_map(longer).collect();
    }
    ways.sort_by_key(|way| way.iter().sum::<usize>());
    ways
}
