//! [`Recorder`]: writes the lines of a match while it is played.

use super::{Break, Choice, ENGINE, End, FORMAT, Line, LogView, NextDeal, OptionMap, Yaku};
use crate::game::{Match, Next, Observer, Outcome};
use crate::hand::Hand;
use crate::meld::{Family, Group};
use crate::notation::Notation;
use crate::ruleset::{Plan, Ruleset};
use crate::score::{PatternValue, Score};
use crate::seat::{Player, Seat};
use crate::state::{Action, DealState, Event, Legal, Phase, View, Win};
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
    /// Totals and number of the hand that is played.
    totals: Vec<i64>,
    hand: u32,
}

impl<'a, F: FnMut(Line)> Recorder<'a, F> {
    /// A recorder for matches under a plan.
    pub fn new(plan: &'a Plan, options: LogOptions, write: F) -> Self {
        Self {
            options,
            plan,
            write,
            totals: vec![plan.matches.start_points; plan.players],
            hand: 1,
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

/// What a pattern is listed with: points, doubles, or the cap.
pub(crate) fn listed_value(plan: &Plan, value: PatternValue) -> i64 {
    match value {
        PatternValue::Points(value) | PatternValue::Bonus(value) => value,
        PatternValue::Doubles(value) | PatternValue::FinalDoubles(value) => i64::from(value),
        PatternValue::Limit => plan.score.family.cap.unwrap_or_default(),
    }
}

/// The patterns of a score, one entry each time that one counts.
pub(crate) fn listed(plan: &Plan, score: &Score) -> impl Iterator<Item = (String, i64)> {
    score.lines.iter().flat_map(move |line| {
        let pattern = &plan.score.patterns[usize::from(line.pattern)];
        let entry = (pattern.id.clone(), listed_value(plan, pattern.value));
        std::iter::repeat_n(entry, usize::from(line.times))
    })
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
            Action::ConcealedKong(kind) => Choice::Ankan {
                actor,
                consumed: self.same(kind, 4),
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

    /// The line of an event that does not end the deal.
    fn event(&self, state: &DealState, event: &Event) -> Option<Line> {
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
            Event::ConcealedKong { seat, kind } => Line::Ankan {
                actor: player(seat),
                consumed: self.same(kind, 4),
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
            Event::Won { .. } | Event::Exhausted => return None,
        })
    }
}

fn is_laid(view: &View<'_>, kind: Kind) -> bool {
    view.melds(view.seat())
        .iter()
        .any(|meld| meld.group == Group::pung(kind) && !meld.open)
}

impl<F: FnMut(Line)> Observer for Recorder<'_, F> {
    fn match_started(&mut self, series: &Match<&dyn Ruleset>) {
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
            kyoku: dealer.index() + 1,
            honba: 0,
            kyotaku: 0,
            oya: dealer.index(),
            scores: self.totals.clone(),
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
            indicators: Vec::new(),
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
        (self.write)(line);
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        let event = match self.options.viewer {
            Some(viewer) => event.seen_by(viewer.seat(state.dealer(), state.players())),
            None => *event,
        };
        if let Some(line) = self.writer().event(state, &event) {
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
    }

    fn match_ended(&mut self, series: &Match<&dyn Ruleset>) {
        (self.write)(Line::EndGame {
            scores: series.totals().to_vec(),
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
        let by_player = |value: &dyn Fn(Seat) -> i64| -> Vec<i64> {
            Player::all(players)
                .map(|player| value(player.seat(dealer, players)))
                .collect()
        };
        let deltas = by_player(&|seat| outcome.settlement.deltas[seat]);
        let scores = series.totals().to_vec();
        debug_assert!(matches!(state.phase(), Phase::Over));
        if outcome.wins.is_empty() {
            return vec![Line::Ryukyoku {
                reason: "fanpai".to_owned(),
                deltas,
                scores,
            }];
        }
        // One settlement covers all winners: it stands with the first of them.
        let mut lines = Vec::new();
        for (i, (seat, win)) in outcome.wins.iter().enumerate() {
            let first = i == 0;
            let score = outcome.settlement.scores[*seat].as_ref();
            let actor = seat.player(dealer, players).index();
            lines.push(Line::Hora {
                actor,
                target: win
                    .from
                    .map_or(actor, |from| from.player(dealer, players).index()),
                pai: self.tile(win.tile),
                hora_tehais: self.hand(&state.hand_before(*seat, win)),
                by: win.way.word().to_owned(),
                flags: self.flags(win),
                hora_points: score.map_or(0, |score| score.points),
                yakus: score.map_or_else(Vec::new, |score| {
                    listed(self.plan, score).collect::<Vec<Yaku>>()
                }),
                arrangement: score
                    .map(|score| arrangement(self.notation, score))
                    .unwrap_or_default(),
                tehais: (first && self.plan.score.losers.is_some())
                    .then(|| self.shown_hands(state, outcome)),
                player_points: (first && self.plan.score.losers.is_some()).then(|| {
                    Player::all(players)
                        .map(|player| {
                            let seat = player.seat(dealer, players);
                            let score = outcome.settlement.scores[seat].as_ref();
                            score.map(|score| score.points)
                        })
                        .collect()
                }),
                deltas: if first {
                    deltas.clone()
                } else {
                    vec![0; players]
                },
                scores: scores.clone(),
            });
        }
        lines
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
