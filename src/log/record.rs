//! [`Recorder`]: writes the lines of a match while it is played.

use super::{
    Break, Choice, DEAD_HAND, ENGINE, End, FALSE_WIN, FORMAT, Line, LogView, NextDeal, OptionMap,
};
use crate::decimal::{Decimal, Number};
use crate::game::{Match, Next, Observer, Outcome};
use crate::hand::Hand;
use crate::meld::{Family, Group};
use crate::notation::Notation;
use crate::ruleset::{Plan, Ruleset};
use crate::score::{PatternValue, Score, ScoreFamily, Tally};
use crate::seat::{BySeat, Player, Seat};
use crate::state::{Action, Announcement, DealState, Event, Legal, Phase, View, Win};
use crate::tile::{Kind, Tile};

/// What a log holds and how it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogOptions {
    /// Names of the players.
    pub names: Vec<String>,
    /// How tiles are written.
    pub notation: Notation,
    /// Whose view it is; everything is shown for `None`.
    pub viewer: Option<Player>,
    /// Decisions are written with all legal actions.
    pub with_legal: bool,
    /// Number of the game in its run, from 0.
    pub game: u64,
}

/// Hands each line of a match to a function.
pub struct Recorder<'a, F> {
    options: LogOptions,
    plan: &'a Plan,
    write: F,
    /// Totals of the hand that is played, its number, and the number of its dealer in the round.
    totals: Vec<i64>,
    hand: u32,
    kyoku: usize,
    /// A decision that stands after the announcement that comes with it.
    decision: Option<Line>,
}

impl<'a, F: FnMut(Line)> Recorder<'a, F> {
    /// A recorder for matches under a plan.
    pub fn new(plan: &'a Plan, options: LogOptions, write: F) -> Self {
        let start = plan.matches.start_points * plan.settlement.units_per_point();
        Self {
            options,
            plan,
            write,
            totals: vec![start; plan.players],
            hand: 1,
            kyoku: 1,
            decision: None,
        }
    }

    fn writer(&self) -> Writer<'_> {
        Writer {
            plan: self.plan,
            notation: self.options.notation,
        }
    }

    fn sees(&self, player: usize) -> bool {
        self.options
            .viewer
            .is_none_or(|viewer| viewer.index() == player)
    }
}

/// Turns what the table knows into members of lines.
pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan,
    pub(super) notation: Notation,
}

/// The patterns of a score with what they are worth: in points and doubles one entry each time that
/// one counts (the cap for a limit), in fan one entry with the product.
pub(crate) fn listed(plan: &Plan, score: &Score) -> Vec<(String, Number)> {
    let mut list = Vec::new();
    for line in &score.lines {
        let pattern = &plan.score.patterns[usize::from(line.pattern)];
        let (value, times) = match (&plan.score.family, pattern.value) {
            (ScoreFamily::Fan(rules), value) => {
                let tenths = rules.value(value).tenths() * i64::from(line.times);
                (Number::from(Decimal::from_tenths(tenths)), 1)
            }
            (ScoreFamily::HanFu(_), value) => {
                let closed = !score.is_open;
                let each = match value {
                    PatternValue::Limits(n)
                    | PatternValue::BonusHan(n)
                    | PatternValue::HanAlone(n) => n,
                    value => value.han(closed),
                };
                (Number::Whole(i64::from(each) * i64::from(line.times)), 1)
            }
            (ScoreFamily::Doubles(rules), value) => {
                let value = match value {
                    PatternValue::Points(value) | PatternValue::Bonus(value) => value,
                    PatternValue::Doubles(value) | PatternValue::FinalDoubles(value) => {
                        i64::from(value)
                    }
                    _ => rules.limit.unwrap_or_default(),
                };
                (value.into(), usize::from(line.times))
            }
        };
        list.extend(std::iter::repeat_n((pattern.id.clone(), value), times));
    }
    list
}

/// The groups of a score in notation, in byte order.
pub(crate) fn arrangement(notation: Notation, score: &Score) -> Vec<String> {
    let mut groups: Vec<String> = score
        .arrangement
        .iter()
        .map(|&group| notation.print_group(group))
        .collect();
    if let Some(singles) = &score.singles {
        groups.push(notation.print(singles.iter().map(Tile::plain)));
    }
    groups.sort();
    groups
}

impl Writer<'_> {
    fn tile(&self, tile: Tile) -> String {
        self.notation.print_one(tile)
    }

    fn kind(&self, kind: Kind) -> String {
        self.tile(kind.into())
    }

    fn same(&self, kind: Kind, count: usize) -> Vec<String> {
        vec![self.kind(kind); count]
    }

    fn tiles(&self, tiles: impl Iterator<Item = Tile>) -> Vec<String> {
        tiles.map(|tile| self.tile(tile)).collect()
    }

    fn hand(&self, hand: &Hand) -> Vec<String> {
        self.tiles(hand.tiles())
    }

    fn group(&self, group: Group) -> Vec<String> {
        group.tiles().map(|kind| self.kind(kind)).collect()
    }

    /// The tiles that a claimer puts beside the claimed one.
    fn consumed(&self, group: Group, claimed: Kind) -> Vec<String> {
        let mut claimed = Some(claimed);
        group
            .tiles()
            .filter(|&kind| {
                let is_claimed = claimed == Some(kind);
                if is_claimed {
                    claimed = None;
                }
                !is_claimed
            })
            .map(|kind| self.kind(kind))
            .collect()
    }

    /// The tiles of a run that has a zero in it, the zero as a number.
    fn reads(&self, group: Group) -> Option<Vec<String>> {
        let suit = group.suit()?;
        (group.kind() == Kind::ZERO).then(|| {
            let number = |kind| match kind {
                Kind::ZERO => format!("0{}", suit.letter()),
                kind => self.kind(kind),
            };
            group.tiles().map(number).collect()
        })
    }

    /// A legal action as the event that it would become; `None` for what a log has no event for.
    pub(super) fn choice(&self, state: &DealState, seat: Seat, action: Action) -> Option<Choice> {
        let player = |seat: Seat| seat.player(state.dealer(), state.players()).index();
        let actor = player(seat);
        let view = state.view(seat);
        let grammar = self.plan.decomposer.grammar();
        let claimed = view.claimable();
        Some(match action {
            Action::Pass => Choice::None,
            Action::Win => match claimed {
                Some((tile, from)) => Choice::Hora {
                    actor,
                    target: player(from),
                    pai: self.tile(tile),
                },
                None => Choice::Hora {
                    actor,
                    target: actor,
                    pai: self.tile(view.drawn()?),
                },
            },
            Action::ClaimKong | Action::Pung | Action::Chow { .. } => {
                let (tile, from) = claimed?;
                let kind = tile.kind()?;
                let (target, pai) = (player(from), self.tile(tile));
                match action {
                    Action::ClaimKong => Choice::Daiminkan {
                        actor,
                        target,
                        pai,
                        consumed: self.same(kind, 3),
                        laid: (view.hand().concealed().get(kind) < 3).then_some(true),
                    },
                    Action::Chow { suit, shape } => {
                        let group = grammar.shape(shape).group(suit);
                        Choice::Chi {
                            actor,
                            target,
                            pai,
                            consumed: self.consumed(group, kind),
                            reads: self.reads(group),
                        }
                    }
                    _ => Choice::Pon {
                        actor,
                        target,
                        pai,
                        consumed: self.same(kind, 2),
                    },
                }
            }
            Action::Stand => Choice::Declare {
                actor,
                what: Announcement::Standing.into(),
            },
            Action::FalseWin => Choice::Penalty {
                actor,
                reason: FALSE_WIN.to_owned(),
                dead: false,
            },
            Action::Challenge => Choice::Challenge {
                actor,
                target: player(view.challengeable()?),
            },
            Action::ConcealedKong(kind) => Choice::Ankan {
                actor,
                consumed: self.same(kind, 4),
                hidden: self.plan.play.hidden_kongs.then_some(true),
            },
            Action::AddedKong(kind) => Choice::Kakan {
                actor,
                pai: self.kind(kind),
                consumed: self.same(kind, 3),
                open: is_laid(&view, kind).then_some(false),
            },
            Action::LayPung(kind) => Choice::Lay {
                actor,
                consumed: self.same(kind, 3),
            },
            Action::LayRun { suit, shape } => Choice::Lay {
                actor,
                consumed: self.group(grammar.shape(shape).group(suit)),
            },
            Action::Discard { tile, drawn } => Choice::Dahai {
                actor,
                pai: self.tile(tile),
                tsumogiri: drawn,
            },
        })
    }

    /// The line of an event that does not end the deal; `totals` are those before it.
    fn event(&self, state: &DealState, event: &Event, totals: &[i64]) -> Option<Line> {
        let player = |seat: Seat| seat.player(state.dealer(), state.players()).index();
        Some(match *event {
            Event::Drew {
                seat,
                tile,
                from_back,
            } => Line::Tsumo {
                actor: player(seat),
                pai: tile.map_or_else(|| "?".to_owned(), |tile| self.tile(tile)),
                from: if from_back { End::Back } else { End::Front },
            },
            Event::FlowerLaid { seat, tile } => Line::Flower {
                actor: player(seat),
                pai: self.tile(tile),
            },
            Event::Discarded { seat, tile, drawn } => Line::Dahai {
                actor: player(seat),
                pai: self.tile(tile),
                tsumogiri: drawn,
            },
            Event::Claimed {
                seat,
                from,
                tile,
                group,
                laid,
            } => {
                let (actor, target, pai) = (player(seat), player(from), self.tile(tile));
                let consumed = self.consumed(group, tile.kind()?);
                match group.family() {
                    Family::Pung => Line::Pon {
                        actor,
                        target,
                        pai,
                        consumed,
                    },
                    Family::Kong => Line::Daiminkan {
                        actor,
                        target,
                        pai,
                        consumed,
                        laid: laid.then_some(true),
                    },
                    _ => Line::Chi {
                        actor,
                        target,
                        pai,
                        consumed,
                        reads: self.reads(group),
                    },
                }
            }
            Event::ConcealedKong { seat, kind, hidden } => Line::Ankan {
                actor: player(seat),
                consumed: match kind {
                    Some(kind) => self.same(kind, 4),
                    None => vec!["?".to_owned(); 4],
                },
                hidden: hidden.then_some(true),
            },
            Event::Challenged { seat, owner, kind } => Line::Challenge {
                actor: player(seat),
                target: player(owner),
                consumed: self.same(kind, 4),
                valid: true,
            },
            Event::IndicatorTurned { tile } => Line::Dora {
                dora_marker: self.tile(tile),
            },
            Event::AddedKong { seat, kind, open } => Line::Kakan {
                actor: player(seat),
                pai: self.kind(kind),
                consumed: self.same(kind, 3),
                open: (!open).then_some(false),
            },
            Event::LaidDown { seat, group } => Line::Lay {
                actor: player(seat),
                consumed: self.group(group),
            },
            Event::Announced { seat, announcement } => Line::Declare {
                actor: player(seat),
                what: announcement.into(),
            },
            Event::HandDied { seat } => Line::Penalty {
                actor: player(seat),
                reason: DEAD_HAND.to_owned(),
                dead: true,
                deltas: self.numbers(&vec![0; totals.len()]),
                scores: self.numbers(totals),
            },
            // What ends a deal is written with what it brought.
            Event::Won { .. } | Event::FalseWin { .. } | Event::Exhausted => return None,
        })
    }
}

fn is_laid(view: &View<'_>, kind: Kind) -> bool {
    view.melds(view.seat())
        .flatten()
        .any(|meld| meld.group == Group::pung(kind) && !meld.open)
}

impl<F: FnMut(Line)> Observer for Recorder<'_, F> {
    fn match_started(&mut self, series: &Match<&dyn Ruleset>) {
        self.kyoku = series.dealer_number();
        let viewer = self.options.viewer;
        let line = Line::StartGame {
            names: self.options.names.clone(),
            id: viewer.map(Player::index),
            format: FORMAT,
            engine: ENGINE.to_owned(),
            ruleset: self.plan.id.clone(),
            options: OptionMap::from(&self.plan.options),
            players: series.players(),
            notation: self.options.notation.name().to_owned(),
            view: viewer.map_or(LogView::All, |player| LogView::Player(player.index())),
            game: self.options.game,
            game_seed: viewer.is_none().then_some(series.game_seed()),
        };
        (self.write)(line);
    }

    fn deal_started(&mut self, state: &DealState) {
        let (writer, players) = (self.writer(), state.players());
        let wall = state.wall();
        let dealer = state.dealer();
        let (owner, count) = wall.broken;
        let tehais = Player::all(players)
            .map(|player| {
                let hand = writer.hand(state.hand(player.seat(dealer, players)));
                if self.sees(player.index()) {
                    hand
                } else {
                    vec!["?".to_owned(); hand.len()]
                }
            })
            .collect();
        let line = Line::StartKyoku {
            bakaze: state.round().letter(),
            kyoku: self.kyoku,
            honba: 0,
            kyotaku: 0,
            oya: dealer.index(),
            scores: writer.numbers(&self.totals),
            dora_marker: wall.turned().next().map(|tile| writer.tile(tile)),
            tehais,
            hand: self.hand,
            dice: wall.dice.iter().map(|roll| roll.to_vec()).collect(),
            broken: Break {
                player: owner.player(dealer, players).index(),
                count: u32::from(count),
            },
            wall: self
                .options
                .viewer
                .is_none()
                .then(|| writer.tiles(wall.tiles())),
            reserve: wall.reserve(),
            reserve_moves: wall.reserve_moves(),
            back: wall.back_places().collect(),
            indicators: wall.indicator_places().collect(),
        };
        (self.write)(line);
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        let actor = seat.player(state.dealer(), state.players()).index();
        if !self.options.with_legal || !self.sees(actor) {
            return;
        }
        let writer = self.writer();
        let actions: Vec<Action> = legal.iter().collect();
        let line = Line::Decision {
            actor,
            legal: actions
                .iter()
                .filter_map(|&action| writer.choice(state, seat, action))
                .collect(),
            chosen: actions
                .iter()
                .position(|&a| a == action)
                .unwrap_or_default(),
        };
        // A discard may come with an announcement, which stands before the decision: then nothing
        // but the decision stands between an announcement and its discard.
        if self.plan.procedures.fishing.is_some() && matches!(action, Action::Discard { .. }) {
            self.decision = Some(line);
        } else {
            (self.write)(line);
        }
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        let event = match self.options.viewer {
            Some(viewer) => event.seen_by(viewer.seat(state.dealer(), state.players())),
            None => *event,
        };
        let line = self.writer().event(state, &event, &self.totals);
        let decision = self.decision.take();
        let announces = matches!(event, Event::Announced { .. });
        let (first, second) = if announces {
            (line, decision)
        } else {
            (decision, line)
        };
        for line in first.into_iter().chain(second) {
            (self.write)(line);
        }
    }

    fn deal_ended(
        &mut self,
        series: &Match<&dyn Ruleset>,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        for line in self.writer().ending(series, state, outcome) {
            (self.write)(line);
        }
        let next = match next {
            Next::Stay => NextDeal::Renchan,
            Next::Pass => NextDeal::Pass,
            Next::End => NextDeal::End,
        };
        (self.write)(Line::EndKyoku { next });
        self.totals = series.totals().to_vec();
        self.hand = series.hand();
        self.kyoku = series.dealer_number();
    }

    fn match_ended(&mut self, series: &Match<&dyn Ruleset>) {
        let scores = self.writer().numbers(series.totals());
        (self.write)(Line::EndGame {
            scores,
            ranks: series.ranks(),
        });
    }
}

impl Writer<'_> {
    /// The lines with which a deal ends; the totals of `series` include it already.
    fn ending(
        &self,
        series: &Match<&dyn Ruleset>,
        state: &DealState,
        outcome: &Outcome,
    ) -> Vec<Line> {
        let (dealer, players) = (state.dealer(), state.players());
        let by_player = |deltas: &BySeat<i64>| -> Vec<i64> {
            Player::all(players)
                .map(|player| deltas[player.seat(dealer, players)])
                .collect()
        };
        let settlement = &outcome.settlement;
        let totals = series.totals();
        debug_assert!(matches!(state.phase(), Phase::Over));
        if outcome.wins.is_empty() {
            let deltas = self.numbers(&by_player(&settlement.deltas));
            let scores = self.numbers(totals);
            // Nobody has to show his hand but who declared a win that is none.
            let tehais = Player::all(players)
                .map(|player| player.seat(dealer, players))
                .map(|seat| (seat, state.hand(seat)))
                .map(|(seat, hand)| match outcome.false_win == Some(seat) {
                    true => self.hand(hand),
                    false => vec!["?".to_owned(); hand.concealed_len()],
                })
                .collect();
            let Some(seat) = outcome.false_win else {
                return vec![Line::Ryukyoku {
                    reason: "fanpai".to_owned(),
                    tehais,
                    deltas,
                    scores,
                }];
            };
            let penalty = Line::Penalty {
                actor: seat.player(dealer, players).index(),
                reason: FALSE_WIN.to_owned(),
                dead: false,
                deltas,
                scores: scores.clone(),
            };
            let end = Line::Ryukyoku {
                reason: FALSE_WIN.to_owned(),
                tehais,
                deltas: self.numbers(&vec![0; players]),
                scores,
            };
            return vec![penalty, end];
        }
        // Of several wins each is booked by itself; a single one with all that the deal brought.
        let paid = |seat: Seat| -> Vec<i64> {
            match outcome.wins.len() {
                1 => by_player(&settlement.deltas),
                _ => by_player(&settlement.of_winner(seat)),
            }
        };
        let all = by_player(&settlement.deltas);
        let mut sums: Vec<i64> = totals.iter().zip(&all).map(|(a, b)| a - b).collect();
        let mut lines = Vec::new();
        for (i, (seat, win)) in outcome.wins.iter().enumerate() {
            let first = i == 0;
            let score = settlement.scores[*seat].as_ref();
            let actor = seat.player(dealer, players).index();
            let deltas = paid(*seat);
            for (sum, delta) in sums.iter_mut().zip(&deltas) {
                *sum += delta;
            }
            let counts_kongs = self.plan.kong_flag.is_some_and(|f| win.flags.contains(f));
            lines.push(Line::Hora {
                actor,
                target: win
                    .from
                    .map_or(actor, |from| from.player(dealer, players).index()),
                pai: self.tile(win.tile),
                hora_tehais: self.hand(&state.hand_before(*seat, win)),
                by: win.way.word().to_owned(),
                flags: self.flags(win),
                quads: counts_kongs.then_some(win.kongs_in_row),
                hora_points: score.map_or(0, |score| score.points).into(),
                fan: score.and_then(|score| match score.tally {
                    Tally::Fan(sum) => Some(sum.fan.into()),
                    _ => None,
                }),
                yakus: score.map_or_else(Vec::new, |score| listed(self.plan, score)),
                arrangement: score
                    .map(|score| arrangement(self.notation, score))
                    .unwrap_or_default(),
                tehais: (first && self.plan.score.losers.is_some())
                    .then(|| self.shown_hands(state, outcome)),
                player_points: (first && self.plan.score.losers.is_some()).then(|| {
                    Player::all(players)
                        .map(|player| {
                            let seat = player.seat(dealer, players);
                            let score = settlement.scores[seat].as_ref();
                            score.map(|score| score.points.into())
                        })
                        .collect()
                }),
                deltas: self.numbers(&deltas),
                scores: self.numbers(&sums),
            });
        }
        lines
    }

    /// Amounts in the ruleset's least unit as points.
    fn numbers(&self, units: &[i64]) -> Vec<Number> {
        let per_point = self.plan.settlement.units_per_point();
        let number = |&units: &i64| Number::of_units(units, per_point);
        units.iter().map(number).collect()
    }

    fn flags(&self, win: &Win) -> Vec<String> {
        win.flags
            .iter()
            .filter_map(|flag| self.plan.flags.get(flag))
            .map(|flag| flag.id.clone())
            .collect()
    }

    fn shown_hands(&self, state: &DealState, outcome: &Outcome) -> Vec<Vec<String>> {
        let (dealer, players) = (state.dealer(), state.players());
        Player::all(players)
            .map(|player| {
                let seat = player.seat(dealer, players);
                let win = outcome.wins.iter().find(|(winner, _)| *winner == seat);
                match win {
                    Some((_, win)) => self.hand(&state.hand_before(seat, win)),
                    None => self.hand(state.hand(seat)),
                }
            })
            .collect()
    }
}
