//! Payments as rows of `[payments]`: what is paid for, by whom, and how much. The table, requests and deals that are
//! settled again use the same function.

use super::hook::PaymentHook;
use super::liable::liable_for;
use super::payment::{Payment, PaymentReason, Settlement};
use crate::decimal::Number;
use crate::decompose::Decomposer;
use crate::hand::{Hand, MAX_MELDS};
use crate::score::condition::{Amount, Condition, Dead, InPlay, Reader};
use crate::score::facts::{EventFact, Fact, Happening, Liable, Paying, Scope, Tallied};
use crate::score::reading::{ReadGroup, Reading, declared};
use crate::score::readings::Counted;
use crate::score::{ScoreInput, ScoreRules, TableFacts};
use crate::seat::{MAX_PLAYERS, Seat};
use crate::set::{KindSet, SeatSet};
use crate::state::{Accounts, KongWay, OnTable, Win};
use crate::tile::{Kind, Wind};
use crate::tile_set::TileSet;
use smallvec::SmallVec;

/// The conditions and the amount of a [`PaymentRow`], as its file writes them, with the values of options.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct PaymentFormulas {
    /// What the seat that is paid must meet.
    pub when: Option<String>,
    /// What each seat that pays must meet.
    pub who: Option<String>,
    /// What each seat pays. `None` for a row that splits a total or returns payments.
    pub amount: Option<String>,
    /// What all seats together pay, in equal parts.
    pub split: Option<String>,
}

/// A row of `[payments]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct PaymentRow {
    /// The id.
    pub id: String,
    /// What is paid for, in words, with `{from}`, `{to}` and `{points}` for those who pay and are paid and the points of a
    /// win. May be empty.
    pub doc: String,
    /// When it is paid.
    pub on: PaymentHook,
    /// The conditions and the amount as the file writes them, with the values of options.
    pub formulas: PaymentFormulas,
    /// What the seat that is paid, or returns a payment, must meet.
    pub(crate) when: Option<Condition>,
    pub(crate) pays: Pays,
}

/// What a row pays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Pays {
    /// Each other seat in play that meets a condition pays an amount.
    Amount {
        who: Option<Condition>,
        amount: Amount,
        /// The payments are noted and may be returned.
        noted: bool,
    },
    /// The other seats in play that meet a condition pay a total in equal parts, which is shared out in equal parts.
    Split {
        who: Option<Condition>,
        total: Amount,
    },
    /// Noted payments go back.
    Returns {
        /// Only those for the last event.
        last: bool,
        /// The seat that gave the tile returns them, and not the actor.
        of_giver: bool,
        /// They go to the actor, and not to those who paid.
        to_actor: bool,
    },
}

impl PaymentRow {
    /// True when payments of the row are noted and may be returned.
    pub(crate) const fn notes(&self) -> bool {
        matches!(self.pays, Pays::Amount { noted: true, .. })
    }

    /// How much of each condition and number requires what there is not, by its key.
    pub(crate) fn dead(&self, in_play: InPlay<'_>) -> Vec<(&'static str, Dead)> {
        let (who, number) = match &self.pays {
            Pays::Amount { who, amount, .. } => (who, Some(("amount", amount))),
            Pays::Split { who, total } => (who, Some(("split", total))),
            Pays::Returns { .. } => (&None, None),
        };
        let conditions = [("when", &self.when), ("who", who)].into_iter();
        let conditions = conditions.filter_map(|(key, when)| Some((key, when.as_ref()?)));
        let dead = conditions.map(|(key, when)| (key, when.dead(in_play)));
        let of_number = number.map(|(key, amount)| (key, amount.dead(in_play)));
        dead.chain(of_number).collect()
    }

    /// True when `is` holds for some fact of the row.
    pub(crate) fn any_fact(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        let asks = |condition: &Option<Condition>| {
            condition.as_ref().is_some_and(|when| when.any_fact(is))
        };
        asks(&self.when)
            || match &self.pays {
                Pays::Amount { who, amount, .. } => asks(who) || amount.any_fact(is),
                Pays::Split { who, total } => asks(who) || total.any_fact(is),
                Pays::Returns { .. } => false,
            }
    }
}

/// The rows of `[payments]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct PaymentRules {
    rows: Vec<PaymentRow>,
    /// A bit for each hook that a row has.
    hooks: u8,
    /// A bit for each hook of which a row asks for facts of hands.
    with_hands: u8,
    /// A bit for each hook of which some row may be paid whatever has happened, or depends on the hands.
    open: u8,
    /// Some amount may be half a point.
    has_halves: bool,
    /// For an added kong it matters whether the tile was just drawn, and a payment shows it.
    tells_drawn: bool,
    /// Some row asks who is liable for a win.
    asks_liable: bool,
    /// Some row asks about a winner's hand in the reading that counts.
    asks_readings: bool,
}

/// Seats that are paid.
type Actors = SmallVec<[Seat; MAX_PLAYERS]>;

/// The declared melds of each seat, as groups of readings.
pub(crate) type Declared = SmallVec<[SmallVec<[ReadGroup; MAX_MELDS]>; MAX_PLAYERS]>;

/// The declared melds of hands.
pub(crate) fn all_declared(hands: &[ScoreInput<'_>]) -> Declared {
    let melds = |input: &ScoreInput<'_>| declared(&input.hand.melds);
    hands.iter().map(melds).collect()
}

/// The hands of a table in seat order, as rows read them.
pub(crate) type SeatReadings<'a> = SmallVec<[Reading<'a>; MAX_PLAYERS]>;

/// Reads all hands of a table in seat order, with what the table knows of each.
pub(crate) fn read_seats<'a>(
    (set, wild): (&'a TileSet, KindSet),
    hands: &[ScoreInput<'a>],
    declared: &'a Declared,
    table: impl Fn(Seat) -> TableFacts,
) -> SeatReadings<'a> {
    let read = |(input, groups): (&ScoreInput<'a>, &'a SmallVec<[ReadGroup; MAX_MELDS]>)| {
        let concealed = *input.hand.concealed();
        let mut tiles = input.hand.melded().try_plus_beyond(&concealed);
        if let (Some(tiles), Some(win)) = (&mut tiles, input.win) {
            win.tile.kind().map(|kind| tiles.try_add_beyond(kind));
        }
        Reading {
            tiles: tiles.unwrap_or(concealed),
            groups,
            wild,
            table: table(input.seat),
            counters: input.counters,
            players: hands.len(),
            ..Reading::circumstances(set, input.hand, input.seat, input.round, input.win)
        }
    };
    hands.iter().zip(declared).map(read).collect()
}

/// Something that is paid for.
pub(crate) struct PaymentEvent<'a> {
    pub(crate) on: PaymentHook,
    /// The hands of all seats, in seat order. May be empty if no row [asks](PaymentRules::asks_hands) for them.
    pub(crate) seats: &'a [Reading<'a>],
    /// Players at the table.
    pub(crate) players: usize,
    /// Who may pay and be counted.
    pub(crate) in_play: SeatSet,
    pub(crate) happening: Happening<'a>,
    /// The results of winners.
    pub(crate) tallied: &'a dyn Fn(Seat) -> Tallied,
    /// The hands of winners in the readings that count, with their seats. Empty if no row
    /// asks about them.
    pub(crate) won: &'a [Reading<'a>],
}

/// Reads the facts of a row for one actor, one other seat, and the one of them that is asked about.
#[derive(Clone, Copy)]
struct RowReader<'a> {
    event: &'a PaymentEvent<'a>,
    actor: Seat,
    other: Seat,
    subject: Seat,
}

impl Payment {
    /// The payment in words, such as "E pays S 200: S wins with 100, × 2 for the dealer". The rows are those of its ruleset,
    /// [`Plan::payments`](crate::ruleset::Plan::payments).
    pub fn describe(&self, rules: &PaymentRules) -> String {
        self.describe_by_name(rules, |seat| seat.to_string())
    }

    /// The same with names instead of the letters of seats, such as "Anna pays Bo 200: Bo wins with 100, × 2 for the
    /// dealer".
    pub fn describe_by_name(&self, rules: &PaymentRules, name: impl Fn(Seat) -> String) -> String {
        let (from, to) = (name(self.from), name(self.to));
        let amount = Number::of_units(self.units, rules.units_per_point());
        let points = self.points;
        let mut text = format!("{from} pays {to} {amount}: ");
        text.push_str(&match self.reason {
            PaymentReason::Win => format!("{to} wins with {points}"),
            PaymentReason::WinFor(seat) => {
                let other = name(seat);
                format!("{to} wins with {points}, {from} pays for {other}")
            }
            PaymentReason::HigherLoser => {
                format!("{to} has {points} more than the winner, twice that")
            }
            PaymentReason::Difference => format!("{to} has {points} more"),
            PaymentReason::FalseWin => format!("{from} declared a win that is none"),
            PaymentReason::Counters => "for the counters".to_owned(),
            PaymentReason::Answers => format!("{from} answers for the hand of {to}"),
            PaymentReason::Row { row, .. } | PaymentReason::Returned { row, .. } => {
                rules.words(self, row, &from, &to)
            }
            PaymentReason::HouseRule => "by a house rule".to_owned(),
        });
        if self.factor != 1 {
            text.push_str(&format!(", × {} for the dealer", self.factor));
        }
        text
    }
}

impl PaymentEvent<'_> {
    fn reader(&self, actor: Seat) -> RowReader<'_> {
        RowReader {
            event: self,
            actor,
            other: actor,
            subject: actor,
        }
    }
}

impl Reader for RowReader<'_> {
    fn fact(&self, fact: &Fact) -> i64 {
        let Self {
            event,
            actor,
            other,
            subject,
        } = *self;
        match fact {
            Fact::Event(fact) => fact.read(&Paying {
                happening: &event.happening,
                players: event.players,
                actor,
                other,
                subject,
            }),
            Fact::Result(fact) => fact.read(&(event.tallied)(actor)),
            Fact::Sum(fact) => fact.read(&(event.tallied)(actor)),
            fact if fact.scope() == Scope::Hand => {
                let mut won = event.won.iter();
                let reading = won.find(|reading| reading.seat == actor);
                reading.map_or(0, |reading| i64::from(fact.read(reading)))
            }
            fact => {
                // The win is the actor's, whoever is asked about.
                let whose = if fact.is_of_win() { actor } else { subject };
                let reading = event.seats.get(whose.index());
                reading.map_or(0, |reading| i64::from(fact.read(reading)))
            }
        }
    }

    fn seats(&self) -> impl Iterator<Item = Self> {
        self.event.in_play.iter().map(|seat| Self {
            other: seat,
            subject: seat,
            ..*self
        })
    }
}

impl PaymentRules {
    pub(crate) fn new(rows: Vec<PaymentRow>) -> Self {
        let of_hand = |fact: &Fact| !matches!(fact, Fact::Event(_) | Fact::Result(_));
        let hooks = |is: &dyn Fn(&PaymentRow) -> bool| {
            let rows = rows.iter().filter(|row| is(row));
            rows.fold(0, |hooks, row| hooks | row.on.bit())
        };
        let mut rules = Self {
            hooks: hooks(&|_| true),
            has_halves: rows.iter().any(|row| match &row.pays {
                Pays::Amount { amount, .. } => amount.has_halves(),
                Pays::Split { total, .. } => total.has_halves(),
                Pays::Returns { .. } => false,
            }),
            with_hands: hooks(&|row| row.any_fact(&of_hand)),
            open: hooks(&|row| {
                let when = row.when.as_ref();
                when.is_none_or(|when| when.any_fact(&of_hand))
            }),
            rows,
            tells_drawn: false,
            asks_liable: false,
            asks_readings: false,
        };
        rules.asks_readings = rules.asks(PaymentHook::Win, |fact| fact.scope() == Scope::Hand);
        rules.asks_liable = rules.asks(PaymentHook::Win, |fact| {
            *fact == Fact::Event(EventFact::Liable)
        });
        rules.tells_drawn = rules.asks(PaymentHook::Kong, |fact| {
            *fact == Fact::Event(EventFact::AddedDrawn)
        }) && !rules.pays_added(false)
            && rules.pays_added(true);
        rules
    }

    /// The rows in the order of the file.
    pub fn rows(&self) -> &[PaymentRow] {
        &self.rows
    }

    /// True when some row is paid then.
    #[inline]
    pub const fn pays(&self, on: PaymentHook) -> bool {
        self.hooks & on.bit() != 0
    }

    /// True when some row asks for facts of hands.
    #[inline]
    pub(crate) const fn asks_hands(&self, on: PaymentHook) -> bool {
        self.with_hands & on.bit() != 0
    }

    /// True unless what has happened rules out every row of the event. The event needs no hands.
    pub(crate) fn may_pay(&self, event: &PaymentEvent<'_>, actors: &[Seat]) -> bool {
        self.open & event.on.bit() != 0
            || self
                .paid(event, actors)
                .any(|(_, _, actors)| !actors.is_empty())
    }

    /// How many of the ruleset's least units make a point: 1, or 2 if there are half points.
    #[inline]
    pub const fn units_per_point(&self) -> i64 {
        if self.has_halves { 2 } else { 1 }
    }

    /// True when some row of the hook returns payments.
    pub(crate) fn returns(&self, on: PaymentHook) -> bool {
        let mut rows = self.rows.iter().filter(|row| row.on == on);
        rows.any(|row| matches!(row.pays, Pays::Returns { .. }))
    }

    /// True when some row says what a seat pays that is liable for a win.
    pub(crate) const fn asks_liable(&self) -> bool {
        self.asks_liable
    }

    /// True when an added kong is paid only if the tile was just drawn.
    pub(crate) const fn tells_drawn(&self) -> bool {
        self.tells_drawn
    }

    /// True when a row of the hook uses a fact.
    pub(crate) fn asks(&self, on: PaymentHook, is: impl Fn(&Fact) -> bool) -> bool {
        let mut rows = self.rows.iter().filter(|row| row.on == on);
        rows.any(|row| row.any_fact(&is))
    }

    /// True when counters are paid.
    pub(crate) fn asks_counters(&self) -> bool {
        let is_it = |fact: &Fact| *fact == Fact::Event(EventFact::Counters);
        self.rows.iter().any(|row| row.any_fact(&is_it))
    }

    /// True when it matters which hands are ready when the wall is used up.
    pub(crate) fn asks_ready(&self) -> bool {
        self.asks(PaymentHook::Exhausted, |fact| {
            matches!(fact, Fact::Event(EventFact::Ready | EventFact::BestWin))
        })
    }

    /// True when the hands do not tell what is paid when the wall is used up.
    pub(crate) fn has_open_end(&self) -> bool {
        self.returns(PaymentHook::Exhausted)
            || self.asks(PaymentHook::Exhausted, |fact| {
                matches!(fact, Fact::Event(EventFact::Barred | EventFact::BestWin))
            })
    }

    /// The kinds for which it matters whether a seat has discarded nothing else.
    pub(crate) fn only_discarded(&self) -> Option<KindSet> {
        let found = std::cell::Cell::new(None);
        let is_it = |fact: &Fact| match fact {
            Fact::Event(EventFact::DiscardedOnly { class }) => {
                found.set(Some(class.fixed_kinds()));
                true
            }
            _ => false,
        };
        self.asks(PaymentHook::Exhausted, is_it);
        found.get()
    }

    /// Pays the rows for a wall that was used up, as far as the hands tell what is paid.
    pub(crate) fn settle_wall_end(
        &self,
        tiles: (&TileSet, KindSet),
        hands: &[ScoreInput<'_>],
        happening: Happening<'_>,
        settlement: &mut Settlement,
    ) {
        if !self.pays(PaymentHook::Exhausted) {
            return;
        }
        let declared = all_declared(hands);
        let seats = read_seats(tiles, hands, &declared, no_table);
        let in_play = hands.iter().filter(|hand| !hand.out).map(|hand| hand.seat);
        let in_play: SeatSet = in_play.collect();
        let event = PaymentEvent {
            on: PaymentHook::Exhausted,
            seats: &seats,
            players: hands.len(),
            in_play,
            happening,
            tallied: &|_| Tallied::default(),
            won: &[],
        };
        let actors: Actors = in_play.iter().collect();
        self.run(&event, &actors, None, settlement);
    }

    /// True when some seat pays for an added kong.
    fn pays_added(&self, added_drawn: bool) -> bool {
        let set = TileSet::default();
        let hand = Hand::new();
        let hands = hands_of(&hand, Wind::East, None, 4);
        let declared = all_declared(&hands);
        let seats = read_seats((&set, KindSet::EMPTY), &hands, &declared, no_table);
        let event = PaymentEvent {
            on: PaymentHook::Kong,
            seats: &seats,
            players: 4,
            in_play: SeatSet::of_table(4),
            happening: Happening {
                made: Some(KongWay::Added),
                added_drawn,
                ..Happening::default()
            },
            tallied: &|_| Tallied::default(),
            won: &[],
        };
        let mut settlement = Settlement::default();
        self.run(&event, &[Seat::SOUTH], None, &mut settlement);
        !settlement.payments.is_empty()
    }

    /// What a win with a hand of `points` points brings `winner` at a full table, without counters and liability.
    pub(crate) fn win_gain(
        &self,
        points: i64,
        (winner, round): (Seat, Wind),
        giver: Option<Seat>,
        players: usize,
    ) -> i64 {
        if !self.pays(PaymentHook::Win) {
            return 0;
        }
        let set = TileSet::default();
        let hand = Hand::new();
        let win = match giver {
            Some(giver) => Win::off(Kind::EAST.into(), giver),
            None => Win::drawn(Kind::EAST.into()),
        };
        let hands = hands_of(&hand, round, Some((winner, &win)), players);
        let declared = all_declared(&hands);
        let seats = read_seats((&set, KindSet::EMPTY), &hands, &declared, no_table);
        let tallied = Tallied {
            wins: true,
            points: points.saturating_mul(10),
            ..Tallied::default()
        };
        let event = PaymentEvent {
            on: PaymentHook::Win,
            seats: &seats,
            players,
            in_play: SeatSet::of_table(players),
            happening: Happening {
                giver,
                winners: 1,
                ..Happening::default()
            },
            tallied: &|_| tallied,
            won: &[],
        };
        let mut settlement = Settlement::default();
        self.run(&event, &[winner], None, &mut settlement);
        settlement.deltas[winner]
    }

    /// Pays the rows for wins and, if the deal ends with them, those for its end. The settlement has the scores.
    pub(crate) fn settle(
        &self,
        rules: &ScoreRules,
        (decomposer, set): (&Decomposer, &TileSet),
        hands: &[ScoreInput<'_>],
        settlement: &mut Settlement,
        table: OnTable,
    ) {
        let is_won = hands.iter().any(|hand| hand.win.is_some());
        if !(is_won && self.pays(PaymentHook::Win) || self.pays(PaymentHook::DealEnd)) {
            return;
        }
        // Payments do not change scores.
        let scores = std::mem::take(&mut settlement.scores);
        let declared = all_declared(hands);
        let tiles = (set, decomposer.wild());
        let seats = read_seats(tiles, hands, &declared, no_table);
        let in_hands = |seat: Seat| hands.get(seat.index());
        let tallied = |seat| match &scores[seat] {
            Some(score) => Tallied {
                points: score.points.saturating_mul(10),
                ..Tallied::of(score)
            },
            None => Tallied::default(),
        };
        let liable = |seat: Seat| match (in_hands(seat), &scores[seat]) {
            (Some(hand), Some(score)) => liable_for(rules, hand, score),
            _ => Liable::default(),
        };
        let won = hands.iter().filter(|hand| hand.win.is_some());
        let winners: Actors = won.clone().map(|hand| hand.seat).collect();
        let counted = |hand: &&ScoreInput<'_>| {
            let score = scores[hand.seat].as_ref()?;
            Counted::find(rules, (decomposer, set), hand, score)
        };
        let asked = won.filter(|_| self.asks_readings);
        let counted: SmallVec<[_; 1]> = asked
            .filter_map(|hand| Some((hand, counted(&hand)?)))
            .collect();
        let won: SmallVec<[Reading<'_>; 1]> = counted
            .iter()
            .map(|(hand, counted)| counted.reading(tiles, hand))
            .collect();
        let out: SeatSet = hands
            .iter()
            .filter(|hand| hand.out)
            .map(|hand| hand.seat)
            .collect();
        let all = SeatSet::of_table(hands.len());
        let giver = hands.iter().find_map(|hand| hand.win?.giver());
        let turned = hands.first().map_or(&[][..], |hand| hand.turned);
        let event = |on, seats, in_play, giver| PaymentEvent {
            on,
            seats,
            players: hands.len(),
            in_play,
            happening: Happening {
                giver,
                winners: winners.len() as u8,
                turned,
                counters: table.counters,
                liable: &liable,
                ..Happening::default()
            },
            tallied: &tallied,
            won: &won,
        };
        let in_play = all.difference(out);
        let won = event(PaymentHook::Win, &seats[..], in_play, giver);
        self.run(&won, &winners, None, settlement);
        if self.pays(PaymentHook::DealEnd) {
            // Several hands may have won with one claimed tile. It is in none of them.
            let own = |hand: &ScoreInput<'_>| hand.win.is_some_and(Win::is_self_draw);
            let kept: SmallVec<[ScoreInput<'_>; MAX_PLAYERS]> = hands
                .iter()
                .map(|hand| ScoreInput {
                    win: hand.win.filter(|_| own(hand)),
                    ..*hand
                })
                .collect();
            let seats = read_seats(tiles, &kept, &declared, no_table);
            let ended = event(PaymentHook::DealEnd, &seats[..], all, None);
            let actors: Actors = all.iter().collect();
            self.run(&ended, &actors, None, settlement);
        }
        settlement.scores = scores;
    }

    /// Pays for something: the rows in the order of the file, for each row the actors in the given order, for each of them
    /// the payers in seat order. Every row sees the table as it was before. Nothing is returned.
    pub(crate) fn run(
        &self,
        event: &PaymentEvent<'_>,
        actors: &[Seat],
        mut accounts: Option<&mut Accounts>,
        settlement: &mut Settlement,
    ) {
        for (place, row, actors) in self.paid(event, actors) {
            match &row.pays {
                Pays::Amount { who, amount, noted } => {
                    for actor in actors {
                        let reader = event.reader(actor);
                        let accounts = accounts.as_deref_mut().filter(|_| *noted);
                        self.pay(
                            (place, row, who.as_ref(), amount),
                            reader,
                            accounts,
                            settlement,
                        );
                    }
                }
                Pays::Split { who, total } => {
                    self.split(
                        (place, row, who.as_ref(), total),
                        event,
                        &actors,
                        settlement,
                    );
                }
                Pays::Returns { .. } => {}
            }
        }
    }

    /// Pays a total. Each payer pays a share and each actor gets one; both are matched in seat order.
    fn split(
        &self,
        (place, row, who, total): (usize, &PaymentRow, Option<&Condition>, &Amount),
        event: &PaymentEvent<'_>,
        actors: &[Seat],
        settlement: &mut Settlement,
    ) {
        let Some(&first) = actors.first() else { return };
        let reader = event.reader(first);
        let others = event.in_play.iter().filter(|seat| !actors.contains(seat));
        let pays = |&seat: &Seat| {
            let of_payer = RowReader {
                other: seat,
                subject: seat,
                ..reader
            };
            who.is_none_or(|who| who.holds_for(&of_payer))
        };
        let payers: Actors = others.filter(pays).collect();
        if payers.is_empty() {
            return;
        }
        let units = total.units(self.units_per_point(), &reader);
        let reason = PaymentReason::Row {
            row: place as u8,
            on: row.on,
        };
        let mut gets = actors
            .iter()
            .map(|&seat| (seat, units / actors.len() as i64));
        let mut due = gets.next();
        for from in payers.iter().copied() {
            let mut left = units / payers.len() as i64;
            while let (Some((to, wanted)), true) = (due, left > 0) {
                let paid = wanted.min(left);
                settlement.transfer(from, to, paid, reason);
                left -= paid;
                due = match wanted - paid {
                    0 => gets.next(),
                    rest => Some((to, rest)),
                };
            }
        }
    }

    /// Returns noted payments, after what is [paid](Self::run) for the same event.
    pub(crate) fn give_back(
        &self,
        event: &PaymentEvent<'_>,
        actors: &[Seat],
        accounts: &mut Accounts,
        settlement: &mut Settlement,
    ) {
        let filled = self.rows.iter().find(|row| row.notes());
        let on = filled.map_or(PaymentHook::Kong, |row| row.on);
        let rows = self.paid(event, actors);
        let each = rows.flat_map(|(place, row, actors)| {
            actors.into_iter().map(move |actor| (place, row, actor))
        });
        for (place, row, actor) in each {
            let Pays::Returns {
                last,
                of_giver,
                to_actor,
            } = row.pays
            else {
                continue;
            };
            let from = if of_giver {
                event.happening.giver
            } else {
                Some(actor)
            };
            let Some(from) = from else { continue };
            let paid = match last {
                true => accounts.take_last(from),
                false => accounts.take(from),
            };
            let row = place as u8;
            let reason = PaymentReason::Returned { row, on };
            let all = Seat::all(MAX_PLAYERS).map(|payer| (payer, i64::from(paid[payer])));
            if to_actor {
                let sum = all.map(|(_, units)| units).sum();
                settlement.transfer(from, actor, sum, reason);
            } else {
                all.for_each(|(payer, units)| settlement.transfer(from, payer, units, reason));
            }
        }
    }

    /// The rows of an event with the actors that meet their conditions.
    fn paid<'a>(
        &'a self,
        event: &'a PaymentEvent<'_>,
        actors: &'a [Seat],
    ) -> impl Iterator<Item = (usize, &'a PaymentRow, Actors)> {
        let rows = self.rows.iter().enumerate();
        let of_hook = rows.filter(|(_, row)| row.on == event.on);
        of_hook.map(|(place, row)| {
            let when = row.when.as_ref();
            let meets =
                |&&actor: &&Seat| when.is_none_or(|when| when.holds_for(&event.reader(actor)));
            (place, row, actors.iter().filter(meets).copied().collect())
        })
    }

    /// Pays an amount to one actor.
    fn pay(
        &self,
        (place, row, who, amount): (usize, &PaymentRow, Option<&Condition>, &Amount),
        reader: RowReader<'_>,
        mut accounts: Option<&mut Accounts>,
        settlement: &mut Settlement,
    ) {
        let RowReader { event, actor, .. } = reader;
        // Rows that ask who is liable say themselves what such a seat pays.
        let drawn = event.happening.giver.is_none() && event.on == PaymentHook::Win;
        let liable = match drawn && !self.asks_liable {
            true => (event.happening.liable)(actor).first,
            false => None,
        };
        let liable = liable.filter(|&seat| seat != actor && event.in_play.contains(seat));
        let points = (event.tallied)(actor).points / 10;
        for loser in event.in_play.iter().filter(|&seat| seat != actor) {
            let of_loser = RowReader {
                other: loser,
                subject: loser,
                ..reader
            };
            if who.is_some_and(|who| !who.holds_for(&of_loser)) {
                continue;
            }
            let of_actor = RowReader {
                subject: actor,
                ..of_loser
            };
            let units = amount.units(self.units_per_point(), &of_actor);
            let from = liable.unwrap_or(loser);
            let reason = match from == loser {
                true => PaymentReason::Row {
                    row: place as u8,
                    on: row.on,
                },
                false => PaymentReason::WinFor(loser),
            };
            settlement.pay(Payment {
                from,
                to: actor,
                units,
                reason,
                points: if event.on == PaymentHook::Win {
                    points
                } else {
                    units
                },
                factor: 1,
            });
            if let Some(accounts) = accounts.as_deref_mut() {
                accounts.add(actor, from, units);
            }
        }
    }

    /// The id of the row that a payment comes from. Empty for a payment of another reason.
    pub(crate) fn id_of(&self, reason: PaymentReason) -> &str {
        let row = match reason {
            PaymentReason::Row { row, .. } | PaymentReason::Returned { row, .. } => row,
            _ => return "",
        };
        let row = self.rows.get(usize::from(row));
        row.map_or("", |row| row.id.as_str())
    }

    /// The reason of a payment in words. Empty if the row says nothing.
    fn words(&self, payment: &Payment, row: u8, from: &str, to: &str) -> String {
        let Some(row) = self.rows.get(usize::from(row)) else {
            return String::new();
        };
        let points = payment.points;
        if row.doc.is_empty() {
            return match row.on {
                PaymentHook::Win => format!("{to} wins with {points}"),
                _ => row.id.replace('-', " "),
            };
        }
        let points = points.to_string();
        let words = [
            ("{points}", points.as_str()),
            ("{from}", from),
            ("{to}", to),
        ];
        words
            .into_iter()
            .fold(row.doc.clone(), |text, (word, value)| {
                text.replace(word, value)
            })
    }
}

/// What a table knows that is not asked.
fn no_table(_: Seat) -> TableFacts {
    TableFacts::default()
}

/// Hands that are all alike, for rows that are tried without a table.
fn hands_of<'a>(
    hand: &'a Hand,
    round: Wind,
    win: Option<(Seat, &'a Win)>,
    players: usize,
) -> SmallVec<[ScoreInput<'a>; MAX_PLAYERS]> {
    let won = |seat| win.filter(|(winner, _)| *winner == seat);
    let input = |seat| {
        let own = won(seat).map(|(_, win)| win);
        ScoreInput::new(hand, seat, round, own)
    };
    Seat::all(players).map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Rules;

    /// Deltas at a used-up wall of Riichi with a payment of 3006 for hands that are not ready.
    fn wall_end(ready: [bool; 4], nagashi: [bool; 4]) -> Vec<i64> {
        let rules = Rules::by_id("riichi-mcgill").unwrap();
        let rules = rules.with("noten-payment", 3006).unwrap();
        let plan = rules.plan();
        let hand = Hand::new();
        let hands = hands_of(&hand, Wind::East, None, 4);
        let is_ready = |seat: &Seat| ready[seat.index()];
        let happening = Happening {
            ready: Seat::all(4).filter(is_ready).collect(),
            only_discarded: &|seat, _| nagashi[seat.index()],
            ..Happening::default()
        };
        let mut settlement = Settlement::default();
        let tiles = (&plan.tiles, KindSet::EMPTY);
        plan.payments
            .settle_wall_end(tiles, &hands, happening, &mut settlement);
        Seat::all(4).map(|seat| settlement.deltas[seat]).collect()
    }

    /// Source: `rulesets/riichi-mcgill.md` §7.
    #[test]
    fn ready_hands_share_to_the_last_point() {
        let brings = |ready| wall_end(ready, [false; 4]);
        assert_eq!(
            brings([true, false, false, true]),
            [1503, -1503, -1503, 1503]
        );
        assert_eq!(
            brings([false, true, false, false]),
            [-1002, 3006, -1002, -1002]
        );
        assert_eq!(brings([true, true, false, true]), [1002, 1002, -3006, 1002]);
        assert_eq!(brings([true; 4]), [0; 4]);
        assert_eq!(brings([false; 4]), [0; 4]);
        assert_eq!(
            wall_end([true, false, false, true], [false, true, false, false]),
            [-4000, 8000, -2000, -2000]
        );
    }
}
