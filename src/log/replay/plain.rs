//! Reads plain mjai, also of other programs. It has no walls.
//!
//! Each deal gets a wall that fits the log: it yields the draws and indicators of the log, and the order of the other
//! tiles is arbitrary. Every action must be legal, and every consequence must match the log.

use super::lay::{Dealt, dealt_to};
use super::source::{LogFault, ReplayError, Source, Told, malformed};
use crate::game::MatchState;
use crate::log::mjai::{self, Message};
use crate::log::{Line, reason_of};
use crate::notation::Notation;
use crate::ruleset::{Plan, Winners};
use crate::seat::Seat;
use crate::state::{AbortiveDraw, Action, DealState, Legal, Phase};
use crate::tile::Tile;
use crate::wall::{IndicatorOrder, Wall};

/// The messages of one match.
pub(super) struct PlainLog<'a> {
    plan: &'a Plan,
    messages: &'a [Message],
    /// How many messages agree so far.
    at: usize,
    /// Indicators that the log has turned but the engine has not, and vice versa. Engines report an indicator at
    /// different times.
    early: Vec<Message>,
    late: Vec<Message>,
    /// The log may stop anywhere.
    may_break_off: bool,
}

impl<'a> PlainLog<'a> {
    /// Reads the messages of a match whose first deal begins at index `at`.
    pub(super) fn new(
        messages: &'a [Message],
        at: usize,
        plan: &'a Plan,
        may_break_off: bool,
    ) -> Self {
        Self {
            may_break_off,
            plan,
            messages,
            at,
            early: Vec::new(),
            late: Vec::new(),
        }
    }

    /// The next message of the match. Skips messages that are not events.
    fn next(&mut self) -> Option<&Message> {
        while matches!(
            self.messages.get(self.at),
            Some(Message::None | Message::Other)
        ) {
            self.at += 1;
        }
        self.messages.get(self.at)
    }

    fn differs<T>(&self, expected: Message) -> Result<T, ReplayError> {
        match self.messages.get(self.at) {
            Some(found) => Err(ReplayError::Disagrees {
                line: self.at,
                expected: Box::new(expected),
                found: Box::new(found.clone()),
            }),
            None => malformed(self.at, LogFault::BreaksOff),
        }
    }
}

impl Source for PlainLog<'_> {
    fn at(&self) -> usize {
        self.at
    }

    fn has_broken_off(&mut self) -> bool {
        self.may_break_off && self.next().is_none()
    }

    fn compare(&mut self, made: Vec<Line>) -> Result<(), ReplayError> {
        let plan = self.plan;
        let may_break_off = self.may_break_off;
        let knows = |id: &str| plan.score.patterns().iter().any(|pattern| pattern.id == id);
        for expected in made.iter().filter_map(|line| Message::plain(plan, line)) {
            if matches!(expected, Message::StartGame { .. }) {
                continue;
            }
            let is_dora = matches!(expected, Message::Dora { .. });
            if is_dora && !self.early.is_empty() {
                if self.early.remove(0) != expected {
                    return self.differs(expected);
                }
                continue;
            }
            while let (false, Some(found @ Message::Dora { .. })) = (is_dora, self.next()) {
                let found = found.clone();
                if self.late.first() == Some(&found) {
                    self.late.remove(0);
                } else if self.late.is_empty() {
                    self.early.push(found);
                } else {
                    return self.differs(self.late[0].clone());
                }
                self.at += 1;
            }
            match self.next() {
                Some(found) if expected.agrees_with(found, knows) => self.at += 1,
                _ if is_dora => self.late.push(expected),
                None if may_break_off => break,
                _ => return self.differs(expected),
            }
            if matches!(
                self.messages.get(self.at - 1),
                Some(Message::Hora { .. } | Message::Ryukyoku { .. })
            ) && let Some(owed) = self.late.pop().or(self.early.pop())
            {
                return self.differs(owed);
            }
        }
        Ok(())
    }

    /// Builds a wall that yields the tiles of the log.
    fn wall(&mut self, series: &MatchState) -> Result<Option<Wall>, ReplayError> {
        self.next();
        let Some(Message::StartKyoku {
            oya,
            dora_marker,
            tehais,
            ..
        }) = self.messages.get(self.at)
        else {
            return malformed(self.at, LogFault::NoStartKyoku);
        };
        let (plan, players) = (self.plan, series.players());
        if *oya != series.dealer().index() {
            let (found, expected) = (*oya, series.dealer().index());
            return malformed(self.at, LogFault::OtherDealer { found, expected });
        }
        let read = |at: usize, text: &str| match Notation::Mjai.parse_one(text) {
            Ok(tile) => Ok(tile),
            Err(_) if text == "?" => malformed(at, LogFault::HiddenTiles),
            Err(error) => malformed(at, LogFault::Tile(error)),
        };
        let mut hands = Vec::new();
        for hand in tehais {
            let hand: Vec<Tile> = hand
                .iter()
                .map(|tile| read(self.at, tile))
                .collect::<Result<_, _>>()?;
            if hand.len() != plan.decomposer.grammar().hand_tiles() {
                return malformed(self.at, LogFault::HandSize);
            }
            hands.push(hand);
        }
        if hands.len() != players {
            return malformed(self.at, LogFault::HandCount);
        }
        // Collect the draws from each end and the indicators.
        let mut told = Dealt {
            turned: vec![(self.at, read(self.at, dora_marker)?)],
            ..Dealt::default()
        };
        let mut replaces = None;
        let mut in_riichi = vec![false; players];
        let has_under =
            plan.play.ura && plan.wall.indicators == Some(IndicatorOrder::TopsBeyondReplacements);
        for (at, message) in self.messages.iter().enumerate().skip(self.at + 1) {
            match message {
                Message::StartKyoku { .. } | Message::EndKyoku | Message::EndGame { .. } => break,
                Message::Daiminkan { actor, .. }
                | Message::Ankan { actor, .. }
                | Message::Nukidora { actor, .. }
                | Message::Kakan { actor, .. } => {
                    replaces = Some(*actor);
                }
                Message::Tsumo { actor, pai } => {
                    let ends = if replaces.take() == Some(*actor) {
                        &mut told.back
                    } else {
                        &mut told.front
                    };
                    ends.push((at, read(at, pai)?));
                }
                Message::Reach { actor } if *actor < players => in_riichi[*actor] = true,
                Message::Hora {
                    actor,
                    uradora_markers: None,
                    ura_markers: None,
                    ..
                } if has_under && in_riichi.get(*actor) == Some(&true) => {
                    return malformed(at, LogFault::HiddenUra);
                }
                Message::Dora { dora_marker } => told.turned.push((at, read(at, dora_marker)?)),
                Message::Hora {
                    uradora_markers,
                    ura_markers,
                    ..
                } => {
                    let markers = uradora_markers.as_ref().or(ura_markers.as_ref());
                    if let Some(markers) =
                        markers.filter(|markers| markers.len() > told.under.len())
                    {
                        let tiles = markers.iter().map(|tile| Ok((at, read(at, tile)?)));
                        told.under = tiles.collect::<Result<_, ReplayError>>()?;
                    }
                }
                _ => {}
            }
        }
        let dealer = series.dealer();
        let mut hands: Vec<_> = hands.into_iter().map(Vec::into_iter).collect();
        let order = dealt_to(plan, dealer);
        let next = |player: usize| Some((self.at, hands.get_mut(player)?.next()?));
        let dealt: Vec<_> = order.filter_map(next).collect();
        told.front.splice(0..0, dealt);
        let thrown = plan.wall.rolls.iter();
        let dice: Vec<Vec<u8>> = thrown.map(|roll| vec![1; usize::from(roll.dice)]).collect();
        let (owner, count) = plan.wall.broken_by(&dice, players);
        told.wall(plan, self.at, &dice, (owner, count as u8))
            .map(Some)
    }

    fn told(
        &mut self,
        state: &DealState,
        legal_of: &dyn Fn(Seat) -> Legal,
    ) -> Result<Told, ReplayError> {
        self.next();
        if let Phase::EndChoice = state.phase() {
            // The log does not record this choice. The next deal or the end of the match shows it.
            let left = self.messages[self.at.min(self.messages.len())..].iter();
            let mut after = left.skip_while(|message| {
                let next = matches!(
                    message,
                    Message::StartKyoku { .. } | Message::EndGame { .. }
                );
                !next
            });
            let action = match after.next() {
                Some(Message::StartKyoku { .. }) => Action::Pass,
                None if self.may_break_off => {
                    // The log breaks off before it shows the choice.
                    return Ok(Told::Decisions(vec![(
                        self.messages.len(),
                        Seat::EAST,
                        Action::Pass,
                    )]));
                }
                _ => Action::EndMatch,
            };
            return Ok(Told::Decisions(vec![(self.at, Seat::EAST, action)]));
        }
        let players = state.players();
        // Automatic events may come first.
        let mut at = self.at;
        while let Some(
            Message::Dora { .. } | Message::ReachAccepted { .. } | Message::None | Message::Other,
        ) = self.messages.get(at)
        {
            at += 1;
        }
        let coming = &self.messages[at.min(self.messages.len())..];
        let can_win = |&seat: &Seat| legal_of(seat).contains(Action::Win);
        let winners = state.deciding().filter(can_win).count();
        let is_draw = |draw| match (coming.first(), draw) {
            (
                Some(Message::Ryukyoku {
                    reason: Some(reason),
                    ..
                }),
                _,
            ) => reason == reason_of(draw),
            // The log gives no reason for this draw. In a player's turn that player declared it. After a discard too
            // many seats could win, and the rules do not let any of them win.
            (Some(Message::Ryukyoku { .. }), AbortiveDraw::ThreeWins) => {
                self.plan.play.winners_of(winners) == Winners::Nobody
            }
            (Some(Message::Ryukyoku { .. }), _) => true,
            _ => false,
        };
        let mut decisions = Vec::new();
        for seat in state.deciding() {
            let player = seat.player(state.dealer(), players).index();
            let legal = legal_of(seat);
            let wins = coming
                .iter()
                .take_while(|message| matches!(message, Message::Hora { .. }));
            let his = |message: &&Message| {
                // Drawing a tile is not a decision.
                message.actor() == Some(player) && !matches!(message, Message::Tsumo { .. })
            };
            let told = wins.chain(coming.first()).find(his);
            let action = match told {
                Some(told) => mjai::action(self.plan, &state.view(seat), &legal, told),
                None if legal.contains(Action::NineOrphans)
                    && is_draw(AbortiveDraw::NineOrphans) =>
                {
                    Some(Action::NineOrphans)
                }
                None if legal.contains(Action::Win) && is_draw(AbortiveDraw::ThreeWins) => {
                    Some(Action::Win)
                }
                None => legal.contains(Action::Pass).then_some(Action::Pass),
            };
            match action {
                Some(action) => decisions.push((at, seat, action)),
                None if coming.is_empty() && self.may_break_off => {
                    // The decision would come after the last message, so the driver stops before it.
                    decisions.push((at, seat, Action::Pass));
                    break;
                }
                None if coming.is_empty() => return malformed(at, LogFault::BreaksOff),
                None => {
                    return malformed(at, LogFault::NoAction { player });
                }
            }
        }
        Ok(Told::Decisions(decisions))
    }
    // The final scores of the log may be the last totals, these with the remaining deposits, or the results with
    // everything that is added at the end.
    fn end(&mut self, series: &MatchState, _: Vec<Line>) -> Result<(), ReplayError> {
        let expected = Message::EndGame {
            scores: Some(series.results()),
            bonus: series.bonus(),
        };
        if self.has_broken_off() {
            return Ok(());
        }
        let Some(Message::EndGame { scores, bonus }) = self.next().cloned() else {
            return self.differs(expected);
        };
        let totals = series.totals().to_vec();
        let mut with_deposits = totals.clone();
        let deposits = i64::from(series.on_table().deposits);
        let deposits = deposits.saturating_mul(self.plan.settlement.deposit());
        if let Some(first) = series.standing().first() {
            let total = &mut with_deposits[first.index()];
            *total = total.saturating_add(deposits);
        }
        let fits =
            |scores: &Vec<i64>| [&totals, &with_deposits, &series.results()].contains(&scores);
        if !scores.as_ref().is_none_or(fits) || bonus.is_some() && bonus != series.bonus() {
            return self.differs(expected);
        }
        self.at += 1;
        if self.next().is_some() {
            return malformed(self.at, LogFault::TrailingLines);
        }
        Ok(())
    }
}
