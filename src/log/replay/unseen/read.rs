//! [`Reader`]: reads the lines of a deal.

use super::super::lay::Dealt;
use super::super::source::{LogFault, ReplayError, malformed};
use super::hand::{Demand, STAYS, Seen};
use super::slot::{Gift, Passed, Slot};
use crate::log::{Announced, DrawnFrom, Hora, Line, StartKyoku};
use crate::notation::Notation;
use crate::ruleset::Plan;
use crate::seat::Player;
use crate::state::Way;
use crate::tile::{Kind, Suit, Tile};

/// Reads the lines of a deal.
pub(super) struct Reader<'a> {
    pub(super) plan: &'a Plan,
    pub(super) notation: Notation,
    pub(super) players: Vec<Seen>,
    /// The draws from the front and from the back of the wall: the player, and the index among the player's arrivals.
    pub(super) drawn: [Vec<(usize, usize)>; 2],
    /// Tiles turned for rows of `[turned]`, from the front and from the back: how many were drawn there before, the line,
    /// and the tile.
    pub(super) turned: [Vec<(usize, usize, Tile)>; 2],
    pub(super) dealt: Dealt,
    /// The tiles that were dealt.
    pub(super) slots: Vec<Slot>,
    pub(super) passed: Vec<Passed>,
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
            Err(error) => malformed(at, LogFault::Tile(error)),
        }
    }

    pub(super) fn known(&self, at: usize, text: &str) -> Result<Tile, ReplayError> {
        match self.tile(at, text)? {
            Some(tile) => Ok(tile),
            None => malformed(at, LogFault::HiddenTile),
        }
    }

    fn all_known(&self, at: usize, texts: &[String]) -> Result<Vec<Tile>, ReplayError> {
        texts.iter().map(|text| self.known(at, text)).collect()
    }

    fn player(&mut self, at: usize, player: usize) -> Result<&mut Seen, ReplayError> {
        match self.players.get_mut(player) {
            Some(seen) => Ok(seen),
            None => malformed(at, LogFault::NoSuchPlayer { player }),
        }
    }

    /// Fills in the tiles of kongs that lie face down. The end of the deal or a challenge shows them.
    pub(super) fn turn_kongs_up(&self, told: &mut [Line], at: usize) -> Result<(), ReplayError> {
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
                Line::EndKyoku { hidden_kongs, .. } => Some(hidden_kongs.iter().flatten()),
                _ => None,
            });
            let own = turned.into_iter().flatten();
            let own = own.filter(|kong| kong.actor == actor).nth(nth);
            match challenged.or(own.map(|kong| &kong.consumed)) {
                Some(tiles) => consumed.clone_from(tiles),
                None => return malformed(i, LogFault::HiddenKong),
            }
        }
        Ok(())
    }

    /// Reads the first line of the deal, and the hands after exchanges. Returns the dealer.
    fn read_hands(&mut self, lines: &[Line], at: usize) -> Result<Player, ReplayError> {
        let Some(Line::StartKyoku(start)) = lines.get(at) else {
            return malformed(at, LogFault::NoStartKyoku);
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
            return malformed(at, LogFault::HandCount);
        };
        if let Some(marker) = dora_marker {
            self.dealt.turned.push((at, self.known(at, marker)?));
        }
        let mut hands: Vec<Vec<usize>> = Vec::new();
        for (player, hand) in tehais.iter().enumerate() {
            if hand.len() != self.plan.decomposer.grammar().hand_tiles() {
                return malformed(at, LogFault::HandSize);
            }
            let first = self.slots.len();
            for tile in hand {
                let tile = self.tile(at, tile)?;
                self.slots.push(Slot::dealt(player, tile));
            }
            hands.push((first..self.slots.len()).collect());
        }
        let mut gifts: Vec<Gift> = Vec::new();
        for (i, line) in lines_of(lines, at) {
            match line {
                Line::Exchange {
                    actor,
                    target: Some(target),
                    pai,
                } => {
                    let gift = Gift {
                        line: i,
                        giver: *actor,
                        receiver: *target,
                        tile: self.tile(i, pai)?,
                    };
                    if *actor >= players || *target >= players {
                        return malformed(i, LogFault::NoSuchPlayer { player: *actor });
                    }
                    // The lines of a step come by giver from the dealer on, and all pass tiles in one direction.
                    let place = |gift: &Gift| (gift.giver + players - dealer.index()) % players;
                    let steps = |gift: &Gift| (gift.receiver + players - gift.giver) % players;
                    let goes_on = gifts.last().is_none_or(|last| {
                        steps(last) == steps(&gift) && place(last) <= place(&gift)
                    });
                    if !goes_on {
                        self.pass(&mut gifts, &mut hands)?;
                    }
                    gifts.push(gift);
                }
                Line::Show {
                    actor,
                    tehai: Some(tehai),
                    ..
                } => {
                    self.pass(&mut gifts, &mut hands)?;
                    let mut tiles = self.all_known(i, tehai)?;
                    let Some(hand) = hands.get(*actor) else {
                        return malformed(i, LogFault::NoSuchPlayer { player: *actor });
                    };
                    if tiles.len() != hand.len() {
                        return malformed(i, LogFault::HandSize);
                    }
                    for slot in hand {
                        let tile = self.slots[*slot].tile;
                        if let Some(place) = tiles.iter().position(|shown| Some(*shown) == tile) {
                            tiles.swap_remove(place);
                        }
                    }
                    let hidden = hand.iter().filter(|slot| self.slots[**slot].is_hidden());
                    let hidden: Vec<usize> = hidden.copied().collect();
                    if tiles.len() != hidden.len() {
                        return malformed(i, LogFault::NotInHand);
                    }
                    for (slot, tile) in hidden.into_iter().zip(tiles) {
                        self.slots[slot].tell(tile);
                    }
                }
                _ => {}
            }
        }
        self.pass(&mut gifts, &mut hands)?;
        for (player, hand) in hands.iter().enumerate() {
            for (place, slot) in hand.iter().enumerate() {
                self.slots[*slot].last = (player, place);
            }
        }
        let tile = |slot: usize| self.slots[slot].tile;
        let hands: Vec<Vec<Option<Tile>>> = hands
            .into_iter()
            .map(|hand| hand.into_iter().map(tile).collect())
            .collect();
        for (seen, hand) in self.players.iter_mut().zip(hands) {
            hand.into_iter()
                .for_each(|tile| seen.arrive(at, tile, true));
        }
        Ok(dealer)
    }

    pub(super) fn read(&mut self, lines: &[Line], at: usize) -> Result<Player, ReplayError> {
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
                self.drawn[usize::from(*from == DrawnFrom::Back)].push((*actor, place));
            }
            Line::Dahai {
                actor,
                pai,
                tsumogiri,
            } => {
                let tile = self.known(at, pai)?;
                let (plan, turned) = (self.plan, self.turned());
                let seen = self.player(at, *actor)?;
                if *tsumogiri {
                    seen.take_drawn(tile, at);
                } else {
                    match seen.drawn.take() {
                        Some(drawn) => {
                            seen.arrivals[drawn].discard = Some(tile);
                            seen.show_other(tile, drawn, at);
                        }
                        None => seen.take(tile, at),
                    }
                }
                seen.note_discard(plan, turned, tile, at);
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
                // A tile drawn before the first turn no longer counts as just drawn.
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
                // If only a kong with the tile just drawn is paid, the payment shows whether it was that tile.
                let is_paid = matches!(next.first(), Some(Line::Paid { .. }));
                let is_robbed = matches!(next.first(), Some(Line::Hora { .. }));
                let tells = !is_robbed && self.plan.payments.tells_drawn();
                let is_drawn = self.plan.play.added_when_drawn || tells && is_paid;
                let seen = self.player(at, *actor)?;
                match (is_drawn, seen.drawn.filter(|_| tells)) {
                    (true, _) => seen.take_drawn(tile, at),
                    (false, Some(drawn)) => seen.show_other(tile, drawn, at),
                    (false, None) => seen.take(tile, at),
                }
                seen.kong.clear();
                seen.add(at, tile);
            }
            Line::Swap { actor, pai, .. } => {
                let tile = self.known(at, pai)?;
                // If the tile was just drawn, the joker counts as drawn from now on. This tells of hidden tiles what was drawn.
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
                // After a claim no tile is drawn.
                let is_drawn = seen.drawn.is_some_and(|place| {
                    let drawn = seen.arrivals[place].held;
                    drawn.map_or(is_drawn, |drawn| drawn.tile == tile)
                });
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
                what: Announced::Standing,
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
            Line::Turned { what, pai } => {
                let tile = self.known(at, pai)?;
                let Some(row) = self.plan.turned_ids.iter().position(|id| id == what) else {
                    return malformed(at, LogFault::HiddenTile);
                };
                let end = usize::from(self.plan.play.turned[row].at_end);
                let before = self.drawn[end].len();
                self.turned[end].push((before, at, tile));
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
                let is_turned = by.as_deref() == Some(Way::Turned.word());
                if actor == target && !tile.is_flower() && !is_turned {
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

    /// Reads the hand of a player at the end of a deal, if it is shown.
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
}
