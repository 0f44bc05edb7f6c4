//! What each event changes in the table.

use super::forms::*;
use super::table::*;
use paishan::game::Observer;
use paishan::state::{AbortiveDraw, Action, DealState, Event, Legal, Way};
use paishan::{Family, Group, Kind, Meld, Rank, Seat, Tile};

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
                if self.options.until_discard {
                    self.passed[seat.index()] = false;
                }
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
                tiles,
                ..
            } => {
                let (group, reds) = (tiles.group(), tiles.reds());
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
                self.melds[seat.index()]
                    .push(Meld::claimed(group, Tile::plain(kind), from).unwrap());
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
                self.melds[seat.index()].push(Meld::concealed(Group::kong(kind)).unwrap());
                self.kan(Offer::ConcealedKan, Tile::plain(kind), seat);
                self.concealed_kans += 1;
            }
            Event::AddedKong { seat, tile, .. } => {
                self.turn = None;
                self.take(seat, tile);
                let pon = Group::pung(kind_of(tile));
                let meld = self.melds[seat.index()]
                    .iter_mut()
                    .find(|meld| meld.group() == pon)
                    .expect("a pon on the table");
                let from = meld.claimed_from().expect("pons are claimed");
                let claimed = meld.claimed_tile().expect("pons are claimed");
                let kong = Meld::claimed(Group::kong(kind_of(tile)), claimed, from);
                *meld = kong.and_then(|kong| kong.added(0)).unwrap();
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
    pub fn kan(&mut self, offer: Offer, tile: Tile, seat: Seat) {
        self.kans.push(seat);
        // The fifth is not robbed.
        if self.kans.len() < 5 {
            self.offer(offer, tile, seat);
        }
    }

    /// The deal ends with a win or a draw before the wall is empty, as the answers say.
    pub fn ended(&mut self, draw: Option<AbortiveDraw>) {
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
            Some(other) => unreachable!("no rule has {other:?}"),
            None => "won",
        });
        // Several winners off one tile are told of one by one.
        self.over = draw.is_some();
    }
}
