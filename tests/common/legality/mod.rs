//! Legal actions, derived a second time: from the plan, what the table shows and the seat's own tiles. Slow, and without
//! anything that generates legal actions for the engine.
//!
//! A [`Referee`] watches deals of any ruleset. Whether a complete hand is worth a win is asked of [`Ruleset::score_hand`],
//! with circumstances that are derived here. Everything else follows from the fields of [`Plan`], and `complete` says
//! which hands are complete. Shared with the engine are the lists of melds and forms, the conditions of flags and of
//! `[win]`, and the score.

mod claims;
mod turn;
mod wins;

use super::complete::{Shapes, Tiles};
use paishan::game::Observer;
use paishan::ruleset::{Plan, Ruleset};
use paishan::state::{Action, DealState, DrawSource, Event, Legal, Phase, Turn, Window};
use paishan::{Family, FlowerSet, Group, Kind, KindSet, Seat, SeatSet, Suit, Tile};
use std::cell::RefCell;
use std::collections::BTreeSet;

type Actions = BTreeSet<String>;

/// Why others may act on a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offer {
    Discard,
    Aside,
    AddedKong,
    ConcealedKong,
    Challenge,
    Turned,
}

impl From<Window> for Offer {
    fn from(window: Window) -> Self {
        match window {
            Window::Discard => Self::Discard,
            Window::Aside(_) => Self::Aside,
            Window::AddedKong(_) => Self::AddedKong,
            Window::ConcealedKong(_) => Self::ConcealedKong,
            Window::Challenge(_) => Self::Challenge,
            Window::Turned => Self::Turned,
        }
    }
}

/// A tile that others may act on.
struct Offered {
    offer: Offer,
    tile: Tile,
    from: Seat,
    legal: Vec<Actions>,
    /// Who passes on a win unless it wins.
    could_win: SeatSet,
    asked: bool,
}

/// What keeps a seat that has passed on a win from winning.
#[derive(Clone, Copy, Default)]
struct Passed {
    kinds: KindSet,
    /// It lasts for the rest of the deal.
    for_good: bool,
}

/// Compares the legal actions of every decision with those derived here.
pub struct Referee<'a> {
    rules: &'a dyn Ruleset,
    plan: &'a Plan,
    /// The ruleset file, for what the plan does not show.
    file: &'a str,
    shapes: Shapes,
    /// All melds of the game.
    melds: Vec<Group>,
    offered: Option<Offered>,
    passed: Vec<Passed>,
    /// Whose turn has begun with a draw or a claim.
    begun: Option<Seat>,
    /// The claimed meld with which the turn began.
    claimed: Option<(Group, Kind)>,
    /// The last discard followed the replacement of a kong.
    after_kong: bool,
    /// Where flowers of the turn came from.
    flowers: Vec<(Tile, DrawSource)>,
    fault: RefCell<Option<String>>,
    pub decisions: usize,
    /// Words of the actions that were legal.
    pub words: BTreeSet<String>,
}

impl<'a> Referee<'a> {
    pub fn new(rules: &'a dyn Ruleset, file: &'a str) -> Self {
        let plan: &Plan = rules.plan();
        Self {
            rules,
            plan,
            file,
            shapes: Shapes::new(plan, None),
            melds: all_melds(plan),
            offered: None,
            passed: Vec::new(),
            begun: None,
            claimed: None,
            after_kong: false,
            flowers: Vec::new(),
            fault: RefCell::default(),
            decisions: 0,
            words: BTreeSet::new(),
        }
    }

    /// The first difference.
    pub fn fault(&self) -> Option<String> {
        self.check_asked();
        self.fault.borrow().clone()
    }

    fn fail(&self, text: impl FnOnce() -> String) {
        self.fault.borrow_mut().get_or_insert_with(text);
    }

    fn check_asked(&self) {
        if let Some(offered) = self.offered.as_ref().filter(|offered| !offered.asked) {
            let Offered {
                offer,
                tile,
                from,
                legal,
                ..
            } = offered;
            if legal.iter().any(|actions| !actions.is_empty()) {
                self.fail(|| {
                    format!("no seat is asked about {tile}, {offer:?} of {from}: {legal:?}")
                });
            }
        }
    }
}

fn all_melds(plan: &Plan) -> Vec<Group> {
    let grammar = plan.decomposer().grammar();
    let runs = grammar
        .shapes()
        .flat_map(|(_, shape)| Suit::ALL.map(|suit| shape.group(suit)));
    let pungs = Kind::all().filter(|_| grammar.has_pung()).map(Group::pung);
    let kongs = Kind::all().filter(|_| grammar.has_kong()).map(Group::kong);
    let in_set = |group: &Group| group.kind_set().is_subset(plan.tiles().kinds());
    let larger = [(Family::Quint, 5), (Family::Sextet, 6)].into_iter();
    let larger = larger.filter(|(family, _)| grammar.has(*family));
    let larger = larger
        .flat_map(|(_, size)| Kind::all().filter_map(move |kind| Group::of(&vec![kind; size])));
    let all = runs.chain(pungs).chain(kongs).chain(larger);
    all.filter(in_set).collect()
}

/// The seats from the one after `from` on, without winners who are out of play.
fn others(state: &DealState, from: Seat) -> impl Iterator<Item = Seat> {
    let (players, out) = (state.players(), state.out());
    (1..players)
        .map(move |steps| from.after(steps, players))
        .filter(move |seat| !out.contains(*seat))
}

fn say(actions: impl IntoIterator<Item = Action>) -> Actions {
    actions
        .into_iter()
        .map(|action| action.to_string())
        .collect()
}

fn own_discards(state: &DealState, seat: Seat) -> KindSet {
    let own = state
        .discards()
        .iter()
        .filter(|discard| discard.seat == seat);
    own.filter_map(|discard| discard.tile.kind()).collect()
}

impl Referee<'_> {
    fn offer(&mut self, state: &DealState, offer: Offer, tile: Tile, from: Seat) {
        let mut offered = Offered {
            offer,
            tile,
            from,
            legal: Vec::new(),
            could_win: SeatSet::EMPTY,
            asked: false,
        };
        for seat in Seat::all(state.players()) {
            let (legal, passes) = self.on_tile(state, seat, &offered);
            offered.legal.push(legal);
            if passes {
                offered.could_win.insert(seat);
            }
        }
        self.offered = Some(offered);
    }

    /// The tile that was offered last can no longer be claimed.
    fn close(&mut self, state: &DealState) {
        self.check_asked();
        let Some(offered) = self.offered.take() else {
            return;
        };
        for seat in offered.could_win.difference(state.out()).iter() {
            self.pass(state, seat, offered.tile.kind());
        }
    }

    fn pass(&mut self, state: &DealState, seat: Seat, kind: Option<Kind>) {
        let Some(rules) = self.plan.procedures().furiten else {
            return;
        };
        let kinds = match kind.filter(|_| rules.passed_kind_only) {
            Some(kind) => KindSet::one(kind),
            None => Kind::all().collect(),
        };
        let passed = &mut self.passed[seat.index()];
        passed.kinds = passed.kinds.union(kinds);
        passed.for_good |= rules.riichi_for_good && state.riichi(seat).is_some();
    }

    fn end_pass(&mut self, seat: Seat) {
        let passed = &mut self.passed[seat.index()];
        if !passed.for_good {
            passed.kinds = KindSet::EMPTY;
        }
    }

    /// Notes what an action on a seat's turn brings.
    fn decide_turn(&mut self, state: &DealState, turn: &Turn, legal: &Actions, action: Action) {
        let seat = turn.seat;
        if let Action::Discard { .. } = action {
            self.after_kong = turn.source == DrawSource::Kong;
        }
        let rules = self
            .plan
            .procedures()
            .furiten
            .filter(|rules| rules.riichi_for_good);
        let in_riichi = state.riichi(seat).is_some_and(|riichi| riichi.accepted);
        let (Some(rules), true, true) = (rules, in_riichi, action != Action::Win) else {
            return;
        };
        let completes = self.shapes.is_complete(&Tiles::of(state.hand(seat)));
        if legal.contains(&Action::Win.to_string()) || rules.any_wait && completes {
            self.passed[seat.index()].kinds = Kind::all().collect();
            self.passed[seat.index()].for_good = true;
        }
    }
}

impl Observer for Referee<'_> {
    fn deal_started(&mut self, state: &DealState) {
        self.check_asked();
        if self.plan.play().wild.turned.is_some() {
            self.shapes = Shapes::new(self.plan, state.turned_tile());
        }
        self.offered = None;
        self.passed = vec![Passed::default(); state.players()];
        (self.begun, self.claimed, self.after_kong) = (None, None, false);
        self.flowers.clear();
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, action: Action) {
        self.decisions += 1;
        let want = match state.phase() {
            Phase::Opening(opening) => self.on_opening(state, seat, opening),
            Phase::Turn(turn) => {
                self.close(state);
                self.on_turn(state, turn)
            }
            Phase::Claims(claims) => {
                let Some(offered) = &mut self.offered else {
                    return self.fail(|| format!("{claims:?} without a tile"));
                };
                let want = offered.legal[seat.index()].clone();
                let of = |seat: &Seat| !offered.legal[seat.index()].is_empty();
                let waiting: SeatSet = Seat::all(state.players()).filter(of).collect();
                let same = (offered.offer, offered.tile, offered.from)
                    == (claims.window.into(), claims.tile, claims.from);
                let first = !std::mem::replace(&mut offered.asked, true);
                if !same || first && waiting != claims.waiting {
                    self.fail(|| format!("{waiting:?} may act, asked are {claims:?}"));
                }
                want
            }
            _ => say([Action::EndMatch, Action::Pass]),
        };
        let all: Vec<String> = legal.iter().map(|action| action.to_string()).collect();
        let found: Actions = all.iter().cloned().collect();
        let is_twice = all.len() != found.len();
        if found != want || is_twice {
            let more: Vec<&String> = found.difference(&want).collect();
            let less: Vec<&String> = want.difference(&found).collect();
            self.fail(|| {
                let hand = state.hand(seat);
                format!("{seat}: legal and underived {more:?}, derived and illegal {less:?}, {hand:?} in {:?}", state.phase())
            });
        }
        let word = |text: &String| text.split(' ').next().map(str::to_owned);
        self.words.extend(want.iter().filter_map(word));
        if let Phase::Turn(turn) = state.phase() {
            self.decide_turn(state, turn, &want, action);
        }
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        match *event {
            Event::IndicatorTurned { .. } | Event::RiichiAccepted { .. } | Event::Won { .. } => {
                return;
            }
            Event::HandDied { seat } => {
                if let Some(offered) = &mut self.offered {
                    offered.legal[seat.index()].clear();
                }
                return;
            }
            _ => self.close(state),
        }
        match *event {
            Event::Drew {
                seat,
                tile: Some(tile),
                ..
            } => {
                let source = match state.phase() {
                    Phase::Turn(turn) => turn.source,
                    _ => DrawSource::Wall,
                };
                if source == DrawSource::Wall {
                    (self.begun, self.claimed) = (Some(seat), None);
                }
                self.flowers.push((tile, source));
                if self
                    .plan
                    .procedures()
                    .furiten
                    .is_some_and(|rules| !rules.until_discard)
                {
                    self.end_pass(seat);
                }
            }
            Event::Claimed {
                seat, tile, tiles, ..
            } => {
                self.begun = Some(seat);
                // The replacement of a kong may be discarded.
                let draws =
                    tiles.group().family() == Family::Kong && self.plan.play().kong_replacement;
                let kind = tile.kind().filter(|_| !draws);
                self.claimed = kind.map(|kind| (tiles.group(), kind));
            }
            Event::Discarded { seat, tile, .. } => {
                if self
                    .plan
                    .procedures()
                    .furiten
                    .is_some_and(|rules| rules.until_discard)
                {
                    self.end_pass(seat);
                }
                self.offer(state, Offer::Discard, tile, seat);
            }
            Event::TurnedOffered { tile } => self.offer(state, Offer::Turned, tile, Seat::EAST),
            Event::LaidAside { seat, tile } if tile.is_flower() => {
                let is_last = state.hand(seat).held_flowers() == FlowerSet::EMPTY;
                if is_last && self.begun == Some(seat) {
                    self.offer(state, Offer::Aside, tile, seat);
                }
            }
            Event::LaidAside { seat, tile } => self.offer(state, Offer::Aside, tile, seat),
            Event::AddedKong { seat, tile, .. } => self.offer(state, Offer::AddedKong, tile, seat),
            Event::ConcealedKong {
                seat,
                kind: Some(kind),
                reds,
                hidden,
            } => {
                let offer = if hidden {
                    Offer::Challenge
                } else {
                    Offer::ConcealedKong
                };
                let tile = kind
                    .suit()
                    .filter(|_| reds == 4)
                    .map_or(kind.into(), Tile::red_five);
                self.offer(state, offer, tile, seat);
            }
            Event::Challenged { owner, kind, .. } => {
                self.offer(state, Offer::ConcealedKong, kind.into(), owner);
            }
            _ => {}
        }
    }
}
