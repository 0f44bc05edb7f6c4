//! [`Recorder`]: writes the lines of a match while it is played.

use super::{
    Break, DEAD_HAND, DrawnFrom, ENGINE, EXHAUSTED, FALSE_WIN, FORMAT, HiddenKong, Hora, Line,
    LogView, NAGASHI, NextDeal, OptionMap, StartGame, StartKyoku, reason_of,
};
use crate::decimal::Number;
use crate::game::{Ending, MatchState, Next, Observer, Outcome};
use crate::hand::Hand;
use crate::meld::{Family, Group, Meld};
use crate::notation::Notation;
use crate::random::Seed;
use crate::ruleset::Plan;
use crate::score::Tally;
use crate::seat::{BySeat, Player, Seat};
use crate::set::SeatSet;
use crate::state::{
    AbortiveDraw, Action, Announcement, AskedFor, DealState, Event, Legal, MeldTiles, Phase, View,
    Way, Win,
};
use crate::tile::{Kind, Tile};
use std::sync::Arc;

/// What a log contains and how it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct LogOptions {
    /// Names of the players.
    pub names: Vec<String>,
    /// How tiles are written.
    pub notation: Notation,
    /// Whose view the log is. `None` shows everything.
    pub viewer: Option<Player>,
    /// True to write decisions, with all legal actions.
    pub with_legal: bool,
    /// Number of the match in its run, from 0.
    pub game: u64,
    /// The seed of the agents, if the log has it. A player's view never has it.
    pub agent_seed: Option<Seed>,
}

impl LogOptions {
    /// Logs everything except decisions, for the first match of a run.
    pub fn new(names: Vec<String>, notation: Notation) -> Self {
        Self {
            names,
            notation,
            viewer: None,
            with_legal: false,
            game: 0,
            agent_seed: None,
        }
    }
}

/// Passes each line of a match to a function.
#[derive(Clone)]
pub struct Recorder<F> {
    options: LogOptions,
    plan: Arc<Plan>,
    write: F,
    /// The current totals, the number of the deal, and its dealer's number in the round.
    totals: Vec<i64>,
    hand: u32,
    kyoku: usize,
    /// Decisions whose event has not been written yet, each with its sort key: the step before the first turn, the number
    /// of tiles that the seat has chosen to pass, then the steps from the first seat that is asked.
    decisions: Vec<((u8, usize, usize), Line)>,
    /// The dealer's decision whether to end the match.
    last_word: Option<Line>,
}

impl<F: FnMut(Line)> Recorder<F> {
    /// A recorder for matches with this plan.
    pub fn new(plan: &Arc<Plan>, options: LogOptions, write: F) -> Self {
        let start = plan.matches.start_points * plan.units_per_point();
        Self {
            options,
            plan: Arc::clone(plan),
            write,
            totals: vec![start; plan.players],
            hand: 1,
            kyoku: 1,
            decisions: Vec::new(),
            last_word: None,
        }
    }

    fn writer(&self) -> Writer<'_> {
        Writer {
            plan: &self.plan,
            notation: self.options.notation,
        }
    }

    /// Writes pending decisions in the order in which seats are asked, not in the order of their answers.
    fn write_decisions(&mut self) {
        self.decisions.sort_by_key(|(place, _)| *place);
        for (_, line) in self.decisions.drain(..) {
            (self.write)(line);
        }
    }

    fn sees(&self, player: usize) -> bool {
        self.options
            .viewer
            .is_none_or(|viewer| viewer.index() == player)
    }
}

/// Changes by player, from changes by seat.
fn by_player(deltas: &BySeat<i64>, dealer: Player, players: usize) -> Vec<i64> {
    let of = |player: Player| deltas[player.seat(dealer, players)];
    Player::all(players).map(of).collect()
}

/// The totals after adding changes.
fn sums(totals: &[i64], deltas: &[i64]) -> Vec<i64> {
    let both = totals.iter().zip(deltas);
    both.map(|(total, delta)| total.saturating_add(*delta))
        .collect()
}

/// Writes the state of the table as members of lines.
pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan,
    pub(super) notation: Notation,
}

impl Writer<'_> {
    fn tile(&self, tile: Tile) -> String {
        self.notation.print_one(tile)
    }

    fn kind(&self, kind: Kind) -> String {
        self.tile(kind.into())
    }

    /// `count` tiles of a kind, `reds` of them red fives.
    fn same(&self, kind: Kind, count: usize, reds: u8) -> Vec<String> {
        let reds = usize::from(reds);
        (0..count)
            .map(|i| match kind.suit() {
                Some(suit) if i < reds => self.tile(Tile::red_five(suit)),
                _ => self.kind(kind),
            })
            .collect()
    }

    /// The concealed tiles of a group. Plain fives are used before red ones. In pungs and kongs red fives come first.
    fn own(&self, hand: &Hand, group: Group) -> Vec<String> {
        let mut left = *hand;
        let own = |kind: Kind| match left.take_kind(kind, 1) {
            0 => kind.into(),
            _ => kind.suit().map_or(kind.into(), Tile::red_five),
        };
        let mut tiles: Vec<Tile> = group.tiles().map(own).collect();
        if !group.family().is_run() {
            tiles.sort_by_key(|tile| !tile.is_red());
        }
        self.tiles(tiles.into_iter())
    }

    fn tiles(&self, tiles: impl Iterator<Item = Tile>) -> Vec<String> {
        tiles.map(|tile| self.tile(tile)).collect()
    }

    fn hand(&self, hand: &Hand) -> Vec<String> {
        self.tiles(hand.tiles())
    }

    /// The line of a claim: a discard of `target` and the tiles beside it.
    fn claim(
        &self,
        (actor, target): (usize, usize),
        discard: Tile,
        tiles: MeldTiles,
        laid: bool,
    ) -> Option<Line> {
        let pai = self.tile(discard);
        let consumed = self.tiles(tiles.beside(discard.kind()?));
        Some(match tiles.group().family() {
            Family::Kong | Family::Quint | Family::Sextet => Line::Daiminkan {
                actor,
                target,
                pai,
                consumed,
                laid: laid.then_some(true),
            },
            Family::Pair | Family::Pung => Line::Pon {
                actor,
                target,
                pai,
                consumed,
            },
            Family::Arith | Family::Gem | Family::Power => Line::Chi {
                actor,
                target,
                pai,
                consumed,
                reads: self.reads(tiles),
            },
        })
    }

    /// The tiles of a run with a zero or a joker: the zero as a number, and each joker as the tile that it stands for.
    /// `None` for other groups.
    fn reads(&self, tiles: MeldTiles) -> Option<Vec<String>> {
        let group = tiles.group();
        let suit = group.suit().filter(|_| group.family().is_run())?;
        (group.kind() == Kind::ZERO || tiles.jokers() != 0).then(|| {
            let number = |kind| match kind {
                Kind::ZERO => format!("0{}", suit.letter()),
                kind => self.kind(kind),
            };
            group.tiles().map(number).collect()
        })
    }

    fn swapped(&self, actor: usize, owner: usize, tiles: MeldTiles) -> Option<Line> {
        Some(Line::Swap {
            actor,
            target: (owner != actor).then_some(owner),
            pai: self.kind(tiles.joker_stands_for()?),
            meld: self.tiles(tiles.tiles()),
        })
    }

    /// A legal action as the line of the event that it would cause.
    pub(super) fn choice(&self, view: &View<'_>, action: Action) -> Option<Line> {
        let player = |seat: Seat| seat.player(view.dealer(), view.players()).index();
        let (actor, hand) = (player(view.seat()), view.hand());
        let claimed = view.claimable();
        let giver = claimed.filter(|_| view.asked_for() != Some(AskedFor::Turned));
        let pung = |kind| {
            let mut melds = hand.melds.iter();
            melds.find(move |meld| meld.group == Group::pung(kind) && meld.wild == 0)
        };
        Some(match action {
            Action::Pass => Line::None,
            Action::Win => Line::Hora(Box::new(Hora {
                actor,
                target: giver.map_or(actor, |(_, from)| player(from)),
                pai: self.tile(claimed.map(|(tile, _)| tile).or(view.drawn())?),
                ..Hora::default()
            })),
            Action::Claim(tiles) => {
                let (tile, from) = claimed?;
                let laid = hand.laid_pung(tiles.group().kind()).is_some();
                self.claim((actor, player(from)), tile, tiles, laid)?
            }
            Action::Riichi => Line::Reach { actor },
            Action::NineOrphans => Line::Ryukyoku {
                reason: reason_of(AbortiveDraw::NineOrphans).to_owned(),
                actor: Some(actor),
                tehais: None,
                tenpais: None,
                deltas: None,
                scores: None,
            },
            Action::Stand => Line::Declare {
                actor,
                what: Announcement::Standing.into(),
            },
            Action::Aside(kind) => Line::Nukidora {
                actor,
                pai: self.tile(kind.into()),
            },
            Action::EndMatch => Line::End { actor },
            Action::FalseWin => Line::Penalty {
                actor,
                reason: FALSE_WIN.to_owned(),
                dead: false,
                deltas: None,
                scores: None,
            },
            Action::Challenge => Line::Challenge {
                actor,
                target: player(view.challengeable()?),
                consumed: None,
                valid: None,
            },
            Action::ConcealedKong(kind) => Line::Ankan {
                actor,
                consumed: self.own(hand, Group::kong(kind)),
                hidden: self.plan.play.hidden_kongs.then_some(true),
            },
            Action::AddedKong(kind) => {
                let meld = pung(kind)?;
                Line::Kakan {
                    actor,
                    pai: match hand.plain(kind) {
                        0 => self.tile(Tile::red_five(kind.suit()?)),
                        _ => self.kind(kind),
                    },
                    consumed: self.same(kind, 3, meld.reds),
                    open: (!meld.open).then_some(false),
                }
            }
            Action::Swap(tiles) => self.swapped(actor, player(view.swap_owner(tiles)?), tiles)?,
            Action::Lay(group) => Line::Lay {
                actor,
                consumed: self.own(hand, group),
            },
            Action::Exchange(kind) => Line::Exchange {
                actor,
                target: None,
                pai: self.kind(kind),
            },
            Action::Missing(suit) => Line::Missing {
                actor,
                suit: suit.letter(),
            },
            Action::Show => Line::Show {
                actor,
                what: self.plan.step_of(view.state().phase())?.id.clone(),
                tehai: None,
            },
            Action::Discard { tile, drawn } => Line::Dahai {
                actor,
                pai: self.tile(tile),
                tsumogiri: drawn,
            },
        })
    }

    /// The line of an event. `None` if the event ends the deal, or offers the turned tile. `totals` are those before the event.
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
                from: if from_back {
                    DrawnFrom::Back
                } else {
                    DrawnFrom::Front
                },
            },
            Event::Exchanged { seat, to, tile } => Line::Exchange {
                actor: player(seat),
                target: Some(player(to)),
                pai: tile.map_or_else(|| "?".to_owned(), |tile| self.tile(tile)),
            },
            Event::SuitDeclared { seat, suit } => Line::Missing {
                actor: player(seat),
                suit: suit.letter(),
            },
            Event::HandShown { seat, step, .. } => Line::Show {
                actor: player(seat),
                what: self.plan.opening.get(usize::from(step))?.id.clone(),
                tehai: Some(self.hand(state.hand(seat))),
            },
            Event::TileTurned { row, tile } => Line::Turned {
                what: self.plan.turned_ids.get(row.index())?.clone(),
                pai: self.tile(tile),
            },
            Event::TurnedOffered { .. } => return None,
            Event::LaidAside { seat, tile } if state.must_lay(tile) => Line::Flower {
                actor: player(seat),
                pai: self.tile(tile),
            },
            Event::LaidAside { seat, tile } => Line::Nukidora {
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
                tiles,
                laid,
            } => self.claim((player(seat), player(from)), tile, tiles, laid)?,
            Event::Swapped {
                seat, owner, tiles, ..
            } => self.swapped(player(seat), player(owner), tiles)?,
            Event::ConcealedKong {
                seat,
                kind,
                reds,
                hidden,
            } => Line::Ankan {
                actor: player(seat),
                consumed: match kind {
                    Some(kind) => self.same(kind, 4, reds),
                    None => vec!["?".to_owned(); 4],
                },
                hidden: hidden.then_some(true),
            },
            Event::Challenged { seat, owner, kind } => Line::Challenge {
                actor: player(seat),
                target: player(owner),
                consumed: {
                    let kong = state.hand(owner).melds.last();
                    Some(self.same(kind, 4, kong.map_or(0, |meld| meld.reds)))
                },
                valid: Some(true),
            },
            Event::IndicatorTurned { tile } => Line::Dora {
                dora_marker: self.tile(tile),
            },
            Event::AddedKong {
                seat,
                tile,
                reds,
                open,
            } => Line::Kakan {
                actor: player(seat),
                pai: self.tile(tile),
                consumed: self.same(tile.kind()?, 3, reds),
                open: (!open).then_some(false),
            },
            Event::LaidDown { seat, .. } => {
                let meld = state.hand(seat).melds.last();
                Line::Lay {
                    actor: player(seat),
                    consumed: meld.map_or_else(Vec::new, |meld| self.tiles(meld.tiles())),
                }
            }
            Event::RiichiDeclared { seat } => Line::Reach {
                actor: player(seat),
            },
            Event::RiichiAccepted { seat } => {
                let mut deltas = vec![0; totals.len()];
                deltas[player(seat)] = -self.plan.settlement.deposit();
                let scores = sums(totals, &deltas);
                Line::ReachAccepted {
                    actor: player(seat),
                    deltas: self.numbers(&deltas),
                    scores: self.numbers(&scores),
                }
            }
            Event::Announced { seat, announcement } => Line::Declare {
                actor: player(seat),
                what: announcement.into(),
            },
            Event::HandDied { seat } => Line::Penalty {
                actor: player(seat),
                reason: DEAD_HAND.to_owned(),
                dead: true,
                deltas: Some(self.numbers(&vec![0; totals.len()])),
                scores: Some(self.numbers(totals)),
            },
            // These events end the deal. The deal's result is written in their place.
            Event::Won { .. }
            | Event::FalseWin { .. }
            | Event::MatchEnded { .. }
            | Event::Exhausted
            | Event::Aborted { .. } => return None,
        })
    }
}

impl<F: FnMut(Line)> Observer for Recorder<F> {
    fn match_started(&mut self, series: &MatchState) {
        self.kyoku = series.dealer_number();
        let viewer = self.options.viewer;
        let line = Line::StartGame(Box::new(StartGame {
            names: self.options.names.clone(),
            id: viewer.map(Player::index),
            format: FORMAT,
            engine: ENGINE.to_owned(),
            ruleset: self.plan.id.clone(),
            ruleset_hash: Some(format!("{:016x}", self.plan.content_hash)),
            options: OptionMap::from(&self.plan.options),
            players: series.players(),
            notation: self.options.notation.name().to_owned(),
            view: viewer.map_or(LogView::All, |player| LogView::Player(player.index())),
            game: self.options.game,
            game_seed: viewer.is_none().then_some(series.game_seed()),
            agent_seed: self.options.agent_seed.filter(|_| viewer.is_none()),
        }));
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
        let line = Line::StartKyoku(Box::new(StartKyoku {
            bakaze: state.round().letter(),
            kyoku: self.kyoku,
            honba: state.on_table().counters,
            kyotaku: state.on_table().deposits,
            oya: dealer.index(),
            scores: writer.numbers(&self.totals),
            dora_marker: wall.turned().next().map(|tile| writer.tile(tile)),
            tehais,
            hand: self.hand,
            dice: wall.dice.iter().map(|roll| roll.to_vec()).collect(),
            wall_break: Break {
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
            ura: Some(wall.under_places().collect()).filter(|under: &Vec<usize>| !under.is_empty()),
        }));
        (self.write)(line);
    }

    #[inline(never)]
    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        let actor = seat.player(state.dealer(), state.players()).index();
        if !self.options.with_legal || !self.sees(actor) {
            return;
        }
        let writer = self.writer();
        let actions: Vec<Action> = legal.iter().collect();
        let view = state.view(seat);
        let line = Line::Decision {
            actor,
            legal: actions
                .iter()
                .filter_map(|&action| writer.choice(&view, action))
                .collect(),
            chosen: actions
                .iter()
                .position(|&a| a == action)
                .unwrap_or_default(),
        };
        if matches!(state.phase(), Phase::EndChoice) {
            self.last_word = Some(line);
        } else {
            // A step in which nobody acts has no event, so decisions of several steps may be pending.
            let step = match state.phase() {
                Phase::Opening(opening) => opening.step,
                _ => 0,
            };
            let chosen = view.chosen_for_exchange().len();
            let place = (step, chosen, state.place_asked(seat));
            self.decisions.push((place, line));
        }
    }

    #[inline(never)]
    fn event(&mut self, state: &DealState, event: &Event) {
        let event = match self.options.viewer {
            Some(viewer) => event.seen_by(viewer.seat(state.dealer(), state.players())),
            None => *event,
        };
        let line = self.writer().event(state, &event, &self.totals);
        if let Event::RiichiAccepted { seat } = event {
            let player = seat.player(state.dealer(), state.players());
            let total = &mut self.totals[player.index()];
            *total = total.saturating_sub(self.plan.settlement.deposit());
        }
        // Automatic events come before pending decisions, so that nothing comes between a decision and its event.
        let automatic = match event {
            Event::RiichiAccepted { .. }
            | Event::IndicatorTurned { .. }
            | Event::TileTurned { .. } => true,
            Event::Announced { announcement, .. } => announcement == Announcement::Calling,
            _ => false,
        };
        // The result of a deal is written when the deal is over, and the dealer's decision to end the match after it.
        let ends = matches!(event, Event::MatchEnded { .. });
        if !automatic && !ends {
            self.write_decisions();
        }
        if let Some(line) = line {
            (self.write)(line);
        }
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        if !self.plan.pays_within_deals() {
            return;
        }
        let (dealer, players) = (state.dealer(), state.players());
        let is_over = matches!(state.phase(), Phase::Over);
        let is_kong = part.wins.is_empty() && !is_over;
        let lines = match part.settlement.payments.first().filter(|_| is_kong) {
            // A payment for a kong or a tile laid aside does not end the deal.
            Some(payment) => {
                let deltas = by_player(&part.settlement.deltas, dealer, players);
                let sums = sums(&self.totals, &deltas);
                let writer = self.writer();
                vec![Line::Paid {
                    actor: payment.to.player(dealer, players).index(),
                    reason: self.plan.payments.id_of(payment.reason).to_owned(),
                    deltas: writer.numbers(&deltas),
                    scores: writer.numbers(&sums),
                }]
            }
            None if is_kong => Vec::new(),
            None => self.writer().ending(&self.totals, state, part),
        };
        for line in lines {
            (self.write)(line);
        }
        let deltas = by_player(&part.settlement.deltas, dealer, players);
        self.totals = sums(&self.totals, &deltas);
    }

    fn deal_ended(
        &mut self,
        series: &MatchState,
        state: &DealState,
        outcome: &Outcome,
        next: Next,
    ) {
        // The dealer's decision to end the match comes after the result of the deal.
        let last = self.last_word.take();
        self.write_decisions();
        if !self.plan.pays_within_deals() {
            for line in self.writer().ending(&self.totals, state, outcome) {
                (self.write)(line);
            }
        }
        let end = outcome.dealer_ends.then(|| Line::End {
            actor: state.dealer().index(),
        });
        for line in last.into_iter().chain(end) {
            (self.write)(line);
        }
        let hidden_kongs = self.writer().hidden_kongs(state);
        let next = match next {
            Next::Stay => NextDeal::Renchan,
            Next::Pass => NextDeal::Pass,
            Next::End => NextDeal::End,
        };
        (self.write)(Line::EndKyoku { next, hidden_kongs });
        self.totals = series.totals().to_vec();
        self.hand = series.deal_number();
        self.kyoku = series.dealer_number();
    }

    fn match_ended(&mut self, series: &MatchState) {
        let writer = self.writer();
        let line = Line::EndGame {
            scores: writer.numbers(&series.results()),
            ranks: series.ranks(),
            bonus: series.bonus().map(|bonus| writer.numbers(&bonus)),
        };
        (self.write)(line);
    }
}

impl Writer<'_> {
    /// The lines of wins or of the end of a deal. `totals` are the totals before it.
    fn ending(&self, totals: &[i64], state: &DealState, outcome: &Outcome) -> Vec<Line> {
        let (dealer, players) = (state.dealer(), state.players());
        let by_player = |deltas: &BySeat<i64>| by_player(deltas, dealer, players);
        let settlement = &outcome.settlement;
        if outcome.wins.is_empty() {
            let deltas = by_player(&settlement.deltas);
            let sums = sums(totals, &deltas);
            let (deltas, scores) = (self.numbers(&deltas), self.numbers(&sums));
            let seats = || Player::all(players).map(|player| player.seat(dealer, players));
            let shown = self.shown(outcome.ending, players);
            let tehais = seats()
                .map(|seat| (seat, state.hand(seat)))
                .map(|(seat, hand)| match shown.contains(seat) {
                    true => self.hand(hand),
                    false => vec!["?".to_owned(); hand.concealed_len()],
                })
                .collect();
            let Ending::FalseWin(seat) = outcome.ending else {
                let (reason, declared) = match outcome.ending {
                    Ending::Aborted(draw, seat) => (reason_of(draw), seat),
                    _ if outcome.nagashi.is_empty() => (EXHAUSTED, None),
                    _ => (NAGASHI, None),
                };
                let is_ready = |seat| shown.contains(seat) && outcome.ready.contains(seat);
                let tells = self.plan.pays_at_exhausted_wall();
                return vec![Line::Ryukyoku {
                    reason: reason.to_owned(),
                    actor: declared.map(|seat| seat.player(dealer, players).index()),
                    tehais: Some(tehais),
                    tenpais: tells.then(|| seats().map(is_ready).collect()),
                    deltas: Some(deltas),
                    scores: Some(scores),
                }];
            };
            let penalty = Line::Penalty {
                actor: seat.player(dealer, players).index(),
                reason: FALSE_WIN.to_owned(),
                dead: false,
                deltas: Some(deltas),
                scores: Some(scores.clone()),
            };
            let end = Line::Ryukyoku {
                reason: FALSE_WIN.to_owned(),
                actor: None,
                tenpais: None,
                tehais: Some(tehais),
                deltas: Some(self.numbers(&vec![0; players])),
                scores: Some(scores),
            };
            return vec![penalty, end];
        }
        // A single winner's line shows all payments of the deal. With several winners, each line shows the
        // payments to that winner.
        let paid = |seat: Seat, is_first: bool| -> Vec<i64> {
            match outcome.wins.len() {
                1 => by_player(&settlement.deltas),
                // The first line also has the payments to players who did not win.
                _ if is_first && self.plan.pays_within_deals() => {
                    let mut rest = by_player(&settlement.deltas);
                    for (other, _) in &outcome.wins[1..] {
                        let of_other = by_player(&settlement.of_winner(*other));
                        rest.iter_mut()
                            .zip(of_other)
                            .for_each(|(sum, units)| *sum = sum.saturating_sub(units));
                    }
                    rest
                }
                _ => by_player(&settlement.of_winner(seat)),
            }
        };
        let mut after = totals.to_vec();
        let mut lines = Vec::new();
        for (i, (seat, win)) in outcome.wins.iter().enumerate() {
            let first = i == 0;
            let score = settlement.scores[*seat].as_ref();
            let actor = seat.player(dealer, players).index();
            let deltas = paid(*seat, first);
            after = sums(&after, &deltas);
            let target = match (win.way, win.from) {
                // `from` fed a kong and is liable for it, but the winner drew the tile himself.
                (Way::Replacement, _) | (_, None) => actor,
                (_, Some(from)) => from.player(dealer, players).index(),
            };
            let in_riichi = state.riichi(*seat).is_some_and(|riichi| riichi.accepted);
            let counts_kongs = self.plan.kong_flag.is_some_and(|f| win.flags.contains(f));
            lines.push(Line::Hora(Box::new(Hora {
                actor,
                target,
                pai: self.tile(win.tile),
                hora_tehais: Some(self.hand(&state.hand_before(*seat, win))),
                by: Some(win.way.word().to_owned()),
                flags: Some(self.flags(win)),
                kongs_in_row: counts_kongs.then_some(win.kongs_in_row),
                uradora_markers: in_riichi.then(|| self.tiles(self.plan.ura(state))),
                fu: score.and_then(|score| match score.tally {
                    Tally::HanFu(sum) => Some(i64::from(sum.fu).into()),
                    _ => None,
                }),
                hora_points: Some(score.map_or(0, |score| score.points).into()),
                fan: score.and_then(|score| match score.tally {
                    Tally::Sums(sum) => self.plan.score.sum_named("fan", &sum),
                    Tally::HanFu(sum) => Some(i64::from(sum.han).into()),
                }),
                yakus: Some(score.map_or_else(Vec::new, |score| self.plan.score.listed(score))),
                arrangement: Some(
                    score
                        .map(|score| score.print_groups(self.notation))
                        .unwrap_or_default(),
                ),
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
                deltas: Some(self.numbers(&deltas)),
                scores: Some(self.numbers(&after)),
            })));
        }
        lines
    }

    /// All kongs that lay face down, for `end_kyoku`. `None` if there are none.
    fn hidden_kongs(&self, state: &DealState) -> Option<Vec<HiddenKong>> {
        if !self.plan.play.hidden_kongs {
            return None;
        }
        let kongs_of = |player: Player| {
            let seat = player.seat(state.dealer(), state.players());
            let lay_hidden =
                |meld: &&Meld| meld.group.family() == Family::Kong && !meld.open && !meld.added;
            let kongs = state.hand(seat).melds.iter().filter(lay_hidden);
            kongs.map(move |meld| HiddenKong {
                actor: player.index(),
                consumed: self.same(meld.group.kind(), 4, meld.reds),
            })
        };
        let all: Vec<HiddenKong> = Player::all(state.players()).flat_map(kongs_of).collect();
        Some(all).filter(|all| !all.is_empty())
    }

    /// The seats that show their hands if no player won. Source: `rulesets/riichi-mcgill.md` §7. In other rulesets
    /// only the seat that declared a false win shows its hand.
    fn shown(&self, ending: Ending, players: usize) -> SeatSet {
        match ending {
            Ending::FalseWin(seat) | Ending::Aborted(_, Some(seat)) => SeatSet::one(seat),
            Ending::Exhausted if self.plan.pays_at_exhausted_wall() => Seat::all(players).collect(),
            Ending::Aborted(AbortiveDraw::FourRiichi | AbortiveDraw::ThreeWins, None) => {
                Seat::all(players).collect()
            }
            _ => SeatSet::EMPTY,
        }
    }

    /// Converts amounts in the ruleset's smallest unit into points.
    fn numbers(&self, units: &[i64]) -> Vec<Number> {
        let per_point = self.plan.units_per_point();
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
