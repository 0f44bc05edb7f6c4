//! Checks a log in which not every tile is known: one player's view, or one without walls.
//!
//! What can be told is told: the order of events, hand sizes, that known tiles are held, that
//! claims take the last discard from somebody else, that no tile shows more copies than the set
//! has, and that totals are the sums.

use super::replay::source::{ReplayError, Replayed};
use super::{Hora, Line, LogView, NextDeal, StartKyoku, TurnedUp};
use crate::decimal::{Decimal, Number};
use crate::notation::Notation;
use crate::ruleset::{IndicatorTurn, KongWay, MatchEnd, Plan, PlayRules};
use crate::state::Way;
use crate::tile::{Kind, Suit, Tile};

struct Check<'a> {
    plan: &'a Plan,
    notation: Notation,
    at: usize,
    hands: Vec<Vec<Option<Tile>>>,
    /// Kinds of each player's pungs on the table, for kongs that grow from them.
    pungs: Vec<Vec<Kind>>,
    /// For each player's melds, in order: how many jokers they have, and the kind if it is a pung.
    jokers: Vec<Vec<(usize, Option<Kind>)>>,
    shown: Vec<Tile>,
    /// Kongs that lie face down: whose they are, and their kind where it has been shown.
    face_down: Vec<(usize, Option<Kind>)>,
    /// The kong that was robbed lay face down, perhaps.
    robbed: bool,
    last_discard: Option<(usize, Tile)>,
    /// A flower or a tile of a kong that may be won on.
    offered: Option<(usize, Tile)>,
    indicators: Indicators,
    scores: Option<Vec<Number>>,
    deals: u32,
    dealer: usize,
    /// A win or a draw was told of the deal.
    has_result: bool,
    /// The dealer has ended the game with it.
    ends: bool,
    /// Inside a deal.
    open: bool,
}

/// The indicators of kongs in a hand: how many are turned and how many must be by its end. Engines differ in
/// where they tell of one, so only their number is checked.
#[derive(Clone, Copy, Default)]
struct Indicators {
    turned: usize,
    due: usize,
    /// Due with the next discard.
    after_discard: usize,
    /// The kong whose replacement has not been drawn.
    kong: Option<KongWay>,
    /// The tile drawn last replaced a kong.
    drew_for_kong: bool,
}

impl Indicators {
    fn drew(&mut self, play: &PlayRules) {
        self.drew_for_kong = self.kong.is_some();
        let Some(way) = self.kong.take() else { return };
        self.due += std::mem::take(&mut self.after_discard);
        match play.indicator_turns[way as usize] {
            IndicatorTurn::AtOnce | IndicatorTurn::AfterReplacement => self.due += 1,
            IndicatorTurn::AfterDiscard => self.after_discard += 1,
            IndicatorTurn::Never => {}
        }
    }

    fn discarded(&mut self) {
        self.due += std::mem::take(&mut self.after_discard);
    }

    /// The most that may be turned by now.
    fn may_be(&self, play: &PlayRules) -> usize {
        let turns = |way: KongWay| play.indicator_turns[way as usize] != IndicatorTurn::Never;
        self.due + self.after_discard + usize::from(self.kong.is_some_and(turns))
    }

    /// True when a hand may end with so many turned; there are no more than `most`.
    fn are_all(&self, play: &PlayRules, most: usize) -> bool {
        // A kong whose replacement cannot be drawn ends the hand after its indicator was turned.
        let at_once = |way: KongWay| play.indicator_turns[way as usize] == IndicatorTurn::AtOnce;
        let more = usize::from(self.kong.is_some_and(at_once));
        (self.due.min(most)..=(self.due + more).min(most)).contains(&self.turned)
    }
}

/// Checks one game.
pub(super) fn check(
    lines: &[Line],
    plan: &Plan,
    notation: Notation,
    view: LogView,
    game: u64,
) -> Result<Replayed> {
    if let LogView::Player(player) = view
        && player >= plan.players
    {
        return Err(ReplayError::Shape {
            line: 0,
            message: format!("no player {player} at the table"),
        });
    }
    let mut check = Check {
        plan,
        notation,
        at: 0,
        hands: Vec::new(),
        pungs: Vec::new(),
        jokers: Vec::new(),
        shown: Vec::new(),
        face_down: Vec::new(),
        robbed: false,
        last_discard: None,
        offered: None,
        indicators: Indicators::default(),
        scores: None,
        deals: 0,
        dealer: 0,
        has_result: false,
        ends: false,
        open: false,
    };
    for (at, line) in lines.iter().enumerate().skip(1) {
        check.at = at;
        check.line(line)?;
    }
    check.at = lines.len();
    if !matches!(lines.last(), Some(Line::EndGame { .. })) {
        return check.fail("the log breaks off inside a game");
    }
    Ok(Replayed {
        game,
        hands: check.deals,
        lines: lines.len(),
        complete: false,
    })
}

type Result<T> = std::result::Result<T, ReplayError>;

impl Check<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ReplayError::Shape {
            line: self.at,
            message: message.into(),
        })
    }

    fn need(&self, holds: bool, message: &str) -> Result<()> {
        if holds { Ok(()) } else { self.fail(message) }
    }

    fn tile(&self, text: &str) -> Result<Option<Tile>> {
        if text == "?" {
            return Ok(None);
        }
        match self.notation.parse_one(text) {
            Ok(tile) if self.plan.tiles.contains(tile) => Ok(Some(tile)),
            Ok(tile) => self.fail(format!("{tile} is not in the set")),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// A member that only legal actions leave out.
    fn given<'a, T>(&self, member: &'a Option<T>) -> Result<&'a T> {
        match member {
            Some(member) => Ok(member),
            None => self.fail("a member is missing"),
        }
    }

    fn known(&self, text: &str) -> Result<Tile> {
        match self.tile(text)? {
            Some(tile) => Ok(tile),
            None => self.fail("a tile on the table is not shown"),
        }
    }

    fn player(&self, player: usize) -> Result<usize> {
        self.need(self.open, "an event outside a hand")?;
        self.need(player < self.hands.len(), "no such player")?;
        Ok(player)
    }

    /// Takes a tile out of a hand: a known one like it, or one that is not known.
    fn take(&mut self, player: usize, tile: Tile) -> Result<()> {
        let player = self.player(player)?;
        let hand = &mut self.hands[player];
        let place = hand
            .iter()
            .position(|held| *held == Some(tile))
            .or_else(|| hand.iter().position(Option::is_none));
        match place {
            Some(place) => {
                hand.swap_remove(place);
                Ok(())
            }
            None => self.fail(format!("player {player} does not hold {tile}")),
        }
    }

    /// Takes a tile out of a hand that is not known.
    fn take_unknown(&mut self, player: usize) -> Result<()> {
        let hand = &mut self.hands[player];
        match hand.iter().position(Option::is_none) {
            Some(place) => {
                hand.swap_remove(place);
                Ok(())
            }
            None => self.fail("these tiles are all known"),
        }
    }

    /// A tile lies open on the table.
    fn show(&mut self, tile: Tile) -> Result<()> {
        self.shown.push(tile);
        let copies = self.shown.iter().filter(|shown| **shown == tile).count();
        let most = self.plan.tiles.iter().filter(|t| *t == tile).count();
        self.need(copies <= most, "more copies are shown than the set has")
    }

    fn claim(&mut self, actor: usize, target: usize, pai: &str, consumed: &[String]) -> Result<()> {
        let pai = self.known(pai)?;
        self.need(actor != target, "a claim of one's own discard")?;
        self.need(
            self.last_discard == Some((target, pai)),
            "the claimed tile is not the last discard",
        )?;
        self.last_discard = None;
        for tile in consumed {
            let tile = self.known(tile)?;
            self.take(actor, tile)?;
            self.show(tile)?;
        }
        Ok(())
    }

    /// Keeps a meld that was declared. `pung` is the kind of a claimed pung. With a joker it is not yet one that a kong
    /// grows from.
    fn declare(&mut self, actor: usize, pung: Option<Kind>, consumed: &[String]) -> Result<()> {
        let mut jokers = 0;
        for tile in consumed {
            let tile = self.tile(tile)?;
            jokers += usize::from(tile == Some(Kind::JOKER.into()));
        }
        self.jokers[actor].push((jokers, pung));
        self.pungs[actor].extend(pung.filter(|_| jokers == 0));
        Ok(())
    }

    /// Gives a player the joker that was in a meld in the place of a tile.
    fn give_joker(&mut self, actor: usize, jokers: usize, tile: Tile) -> Result<()> {
        let joker = Tile::from(Kind::JOKER);
        let is_it = |meld: &&mut (_, Option<Kind>)| {
            jokers > 0 && meld.0 == jokers && meld.1.is_none_or(|kind| tile.kind() == Some(kind))
        };
        let Some((jokers, pung)) = self.jokers[actor].iter_mut().find(is_it) else {
            return self.fail("this meld has no joker");
        };
        *jokers -= 1;
        let grows = pung.filter(|_| *jokers == 0);
        let fits = pung.is_none_or(|kind| tile.kind() == Some(kind));
        self.pungs[actor].extend(grows);
        self.need(fits, "the joker stands for another tile")?;
        self.hands[actor].push(Some(joker));
        if let Some(place) = self.shown.iter().position(|shown| *shown == joker) {
            self.shown.swap_remove(place);
        }
        Ok(())
    }

    /// Kongs that lay face down are turned up: each one that was laid, and no other.
    fn turn_up(&mut self, quads: &[TurnedUp]) -> Result<()> {
        for quad in quads {
            let actor = self.player(quad.actor)?;
            let mut tiles = Vec::new();
            for tile in &quad.consumed {
                tiles.push(self.known(tile)?);
            }
            let kind = tiles.first().and_then(|tile| tile.kind());
            let alike = tiles.len() == 4 && tiles.iter().all(|tile| tile.kind() == kind);
            self.need(alike, "four equal tiles are turned up")?;
            let is_it = |kong: &(usize, Option<Kind>)| {
                kong.0 == actor && (kong.1.is_none() || kong.1 == kind)
            };
            let Some(place) = self.face_down.iter().position(is_it) else {
                return self.fail("no such kong lay face down");
            };
            let (_, known) = self.face_down.remove(place);
            if known.is_none() {
                for tile in tiles {
                    self.show(tile)?;
                }
            }
        }
        let left = usize::from(self.robbed);
        let all = self.face_down.len() <= left;
        self.need(all, "a kong that lay face down is not turned up")
    }

    /// The most indicators that kongs can turn.
    fn most_indicators(&self) -> usize {
        self.plan.wall.indicators_at_most().saturating_sub(1)
    }

    fn indicators_are_turned(&mut self) -> Result<()> {
        self.has_result = true;
        let all = self
            .indicators
            .are_all(&self.plan.play, self.most_indicators());
        self.need(all, "the indicators of kongs are not those that were due")
    }

    fn totals(&mut self, deltas: &[Number], scores: &[Number]) -> Result<()> {
        let Some(before) = &self.scores else {
            return self.fail("totals before a hand");
        };
        let sums: Vec<Number> = before
            .iter()
            .zip(deltas)
            .map(|(a, b)| Decimal::from_tenths(a.tenths().saturating_add(b.tenths())).into())
            .collect();
        self.need(sums == scores, "the totals are not the sums")?;
        self.scores = Some(sums);
        Ok(())
    }

    /// The player of an event, and how many tiles it must consume.
    fn actor(&self, line: &Line) -> Result<()> {
        let (actor, consumed, want) = match line {
            Line::Chi {
                actor, consumed, ..
            }
            | Line::Pon {
                actor, consumed, ..
            } => (*actor, consumed, 2),
            Line::Daiminkan {
                actor, consumed, ..
            } => (*actor, consumed, 3),
            Line::Kakan {
                actor, consumed, ..
            } => (*actor, consumed, 3),
            Line::Ankan {
                actor, consumed, ..
            }
            | Line::Challenge {
                actor,
                consumed: Some(consumed),
                ..
            } => (*actor, consumed, 4),
            Line::Lay { actor, consumed } => (*actor, consumed, 3),
            _ => return Ok(()),
        };
        self.player(actor)?;
        self.need(
            consumed.len() == want,
            "another number of tiles makes this meld",
        )
    }

    fn line(&mut self, line: &Line) -> Result<()> {
        let players = self.plan.players;
        self.actor(line)?;
        match line {
            Line::StartGame { .. } => self.fail("start_game inside a game"),
            Line::StartKyoku(start) => {
                let StartKyoku {
                    tehais,
                    scores,
                    dora_marker,
                    oya,
                    ..
                } = &**start;
                (self.dealer, self.has_result, self.ends) = (*oya, false, false);
                self.need(!self.open, "a hand begins inside a hand")?;
                self.need(tehais.len() == players, "one hand a player")?;
                if let Some(before) = &self.scores {
                    self.need(before == scores, "the totals are not the sums")?;
                }
                let mut hands = Vec::new();
                for hand in tehais {
                    let dealt = self.plan.decomposer.grammar().hand_tiles();
                    self.need(hand.len() == dealt, "another number of tiles is dealt")?;
                    hands.push(hand.iter().map(|t| self.tile(t)).collect::<Result<_>>()?);
                }
                self.hands = hands;
                self.pungs = vec![Vec::new(); players];
                self.jokers = vec![Vec::new(); players];
                self.shown.clear();
                self.face_down.clear();
                self.robbed = false;
                self.indicators = Indicators::default();
                self.last_discard = None;
                self.offered = None;
                if let Some(tile) = dora_marker {
                    let tile = self.known(tile)?;
                    self.show(tile)?;
                }
                self.scores = Some(scores.clone());
                self.deals += 1;
                self.open = true;
                Ok(())
            }
            Line::Exchange { actor, target, pai } => {
                let target = self.given(target)?;
                let (player, target) = (self.player(*actor)?, self.player(*target)?);
                let tile = self.tile(pai)?;
                match tile {
                    Some(tile) => self.take(player, tile)?,
                    None => self.take_unknown(player)?,
                }
                self.hands[target].push(tile);
                let is_known = self.plan.play.exchange.is_some() && player != target;
                self.need(is_known, "no tiles are exchanged so")
            }
            Line::Missing { actor, suit } => {
                self.player(*actor)?;
                let is_suit = Suit::from_letter(*suit).is_some();
                let may = self.plan.play.missing_suit && is_suit;
                self.need(may, "no such suit is declared")
            }
            Line::Tsumo { actor, pai, .. } => {
                let player = self.player(*actor)?;
                let tile = self.tile(pai)?;
                self.hands[player].push(tile);
                self.indicators.drew(&self.plan.play);
                self.last_discard = None;
                self.offered = None;
                Ok(())
            }
            Line::Dahai { actor, pai, .. } => {
                let tile = self.known(pai)?;
                self.take(*actor, tile)?;
                self.show(tile)?;
                self.need(
                    self.hands[*actor].len() % 3 == 1,
                    "a discard leaves another number of tiles",
                )?;
                self.last_discard = Some((*actor, tile));
                self.indicators.discarded();
                Ok(())
            }
            Line::Chi {
                actor,
                target,
                pai,
                consumed,
                ..
            } => {
                self.claim(*actor, *target, pai, consumed)?;
                self.declare(*actor, None, consumed)
            }
            Line::Pon {
                actor,
                target,
                pai,
                consumed,
            } => {
                self.claim(*actor, *target, pai, consumed)?;
                let kind = self.known(pai)?.kind();
                self.declare(*actor, kind, consumed)
            }
            Line::TakeJoker { actor, pai, meld } => {
                let tile = self.known(pai)?;
                self.take(*actor, tile)?;
                self.show(tile)?;
                let jokers = meld.iter().filter(|text| *text == "J").count();
                self.give_joker(*actor, jokers, tile)
            }
            Line::Daiminkan {
                actor,
                target,
                pai,
                consumed,
                laid,
            } => {
                self.indicators.kong = Some(KongWay::Claimed);
                if *laid == Some(true) {
                    let tile = self.known(pai)?;
                    self.player(*actor)?;
                    let laid = tile
                        .kind()
                        .is_some_and(|kind| self.pungs[*actor].contains(&kind));
                    self.need(laid, "no such pung on the table")?;
                    return self.claim(*actor, *target, pai, &[]);
                }
                self.claim(*actor, *target, pai, consumed)?;
                self.declare(*actor, None, consumed)
            }
            Line::Ankan {
                actor,
                consumed,
                hidden,
            } => {
                self.indicators.kong = Some(KongWay::Concealed);
                if *hidden == Some(true) {
                    let kind = self.tile(&consumed[0])?.and_then(Tile::kind);
                    self.face_down.push((*actor, kind));
                }
                for text in consumed {
                    let player = self.player(*actor)?;
                    match self.tile(text)? {
                        Some(tile) => {
                            self.take(player, tile)?;
                            self.show(tile)?;
                            self.offered = Some((player, tile));
                        }
                        None => {
                            self.need(*hidden == Some(true), "a kong is not shown")?;
                            self.take_unknown(player)?;
                        }
                    }
                }
                self.declare(*actor, None, consumed)
            }
            Line::Challenge {
                target, consumed, ..
            } => {
                let target = self.player(*target)?;
                let consumed = self.given(consumed)?;
                for text in consumed {
                    let tile = self.known(text)?;
                    if self.offered != Some((target, tile)) {
                        self.show(tile)?;
                    }
                }
                let tile = self.known(&consumed[0])?;
                if let Some(kong) = self.face_down.last_mut().filter(|kong| kong.0 == target) {
                    kong.1 = tile.kind();
                }
                self.offered = Some((target, tile));
                Ok(())
            }
            Line::Dora { dora_marker } => {
                self.need(self.open, "an indicator outside a hand")?;
                let tile = self.known(dora_marker)?;
                self.indicators.turned += 1;
                let may_be = self.indicators.may_be(&self.plan.play);
                let is_due = self.indicators.turned <= may_be.min(self.most_indicators());
                self.need(is_due, "no kong turns this indicator")?;
                self.show(tile)
            }
            Line::Lay { actor, consumed } => {
                let mut tiles = Vec::new();
                for tile in consumed {
                    let tile = self.known(tile)?;
                    self.take(*actor, tile)?;
                    self.show(tile)?;
                    tiles.push(tile);
                }
                if tiles
                    .windows(2)
                    .all(|pair| pair[0].kind() == pair[1].kind())
                {
                    self.pungs[*actor].extend(tiles.first().and_then(|tile| tile.kind()));
                }
                self.declare(*actor, None, consumed)
            }
            Line::Kakan { actor, pai, .. } => {
                self.indicators.kong = Some(KongWay::Added);
                let tile = self.known(pai)?;
                self.take(*actor, tile)?;
                self.show(tile)?;
                let grows = tile
                    .kind()
                    .is_some_and(|kind| self.pungs[*actor].contains(&kind));
                self.offered = Some((*actor, tile));
                self.need(grows, "no such pung on the table")
            }
            Line::Flower { actor, pai } => {
                let tile = self.known(pai)?;
                self.need(tile.is_flower(), "this is no flower")?;
                self.take(*actor, tile)?;
                self.offered = Some((*actor, tile));
                self.show(tile)
            }
            Line::Nukidora { actor, pai } => {
                let tile = self.known(pai)?;
                let may = tile.kind() == self.plan.play.set_aside;
                self.need(may && !tile.is_red(), "this tile may not be set aside")?;
                self.take(*actor, tile)?;
                self.offered = Some((*actor, tile));
                self.indicators.discarded();
                self.show(tile)
            }
            Line::Declare { actor, .. } => {
                let player = self.player(*actor)?;
                self.need(
                    self.hands[player].len() % 3 == 2,
                    "a hand is announced with a discard",
                )
            }
            Line::Reach { actor } => {
                let player = self.player(*actor)?;
                let on_turn = self.hands[player].len() % 3 == 2;
                self.need(on_turn, "riichi is declared with a discard")
            }
            Line::ReachAccepted {
                actor,
                deltas,
                scores,
            }
            | Line::Paid {
                actor,
                deltas,
                scores,
                ..
            }
            | Line::Penalty {
                actor,
                deltas: Some(deltas),
                scores: Some(scores),
                ..
            } => {
                self.player(*actor)?;
                self.totals(deltas, scores)
            }
            Line::Hora(hora) => {
                let Hora {
                    actor,
                    target,
                    pai,
                    hora_tehais,
                    by,
                    deltas,
                    scores,
                    ..
                } = &**hora;
                self.player(*actor)?;
                let tile = self.known(pai)?;
                let (deltas, scores) = (self.given(deltas)?, self.given(scores)?);
                self.robbed |= by.as_deref() == Some(Way::RobbedKong.word());
                if self.plan.play.replacement_win_turns
                    && actor == target
                    && self.indicators.drew_for_kong
                {
                    self.indicators.discarded();
                }
                self.indicators_are_turned()?;
                if actor == target && !tile.is_flower() {
                    self.take(*actor, tile)?;
                } else {
                    let given = Some((*target, tile));
                    let offered = self.last_discard == given || self.offered == given;
                    self.need(offered, "nobody has just given the winning tile")?;
                }
                let mut left = self.hands[*actor].clone();
                for shown in self.given(hora_tehais)? {
                    let shown = self.known(shown)?;
                    let place = left
                        .iter()
                        .position(|held| *held == Some(shown))
                        .or_else(|| left.iter().position(Option::is_none));
                    match place {
                        Some(place) => drop(left.swap_remove(place)),
                        None => return self.fail("hora_tehais are not the hand"),
                    }
                }
                self.need(left.is_empty(), "hora_tehais are not the hand")?;
                self.totals(deltas, scores)
            }
            Line::Ryukyoku { deltas, scores, .. } => {
                self.need(self.open, "a draw outside a hand")?;
                self.indicators_are_turned()?;
                self.totals(self.given(deltas)?, self.given(scores)?)
            }
            Line::End { actor } => {
                self.player(*actor)?;
                let by_choice = |end: &MatchEnd| {
                    matches!(
                        end,
                        MatchEnd::DealerLeads {
                            by_choice: true,
                            ..
                        }
                    )
                };
                let may_end = self.plan.matches.ends.iter().any(by_choice);
                let is_his = may_end && self.has_result && *actor == self.dealer && !self.ends;
                self.ends = true;
                self.need(is_his, "nobody may end the game here")
            }
            Line::EndKyoku { quads, next } => {
                self.need(self.has_result, "a hand ends without a result")?;
                let is_end = !self.ends || *next == NextDeal::End;
                self.need(is_end, "the dealer has ended the game")?;
                self.turn_up(quads.as_deref().unwrap_or_default())?;
                self.need(self.open, "end_kyoku outside a hand")?;
                self.open = false;
                Ok(())
            }
            Line::EndGame { scores, bonus, .. } => {
                self.need(!self.open, "end_game inside a hand")?;
                match bonus {
                    Some(bonus) => self.totals(bonus, scores),
                    None => {
                        let totals = self.scores.as_ref() == Some(scores);
                        self.need(totals, "the totals are not the sums")
                    }
                }
            }
            Line::None | Line::Penalty { .. } => self.fail("a legal action is no event"),
            Line::Decision {
                actor,
                legal,
                chosen,
            } => {
                self.player(*actor)?;
                self.need(*chosen < legal.len(), "chosen is out of range")
            }
        }
    }
}
