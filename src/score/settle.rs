//! From scores to what each player gains or pays.

use super::han_fu::{HanFuRules, discard_payment, self_pick_payment};
use super::pattern::PatternValue;
use super::{Reading, Score, ScoreFamily, ScoreInput, ScoreRules, Tally};
use crate::decimal::Number;
use crate::seat::{BySeat, MAX_PLAYERS, Seat};
use crate::set::SeatSet;
use crate::state::Win;
use smallvec::SmallVec;

/// Who pays whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SettlementRules {
    /// Nobody pays anybody: each player adds the points of his own hand. Source: `spec/woo.md`
    /// §8.7.
    OwnPoints,
    /// Who gave the winning tile pays each winner in full; for a drawn tile all others pay half.
    /// The unit is half a point. Source: `spec/uzje.md` §10.
    GiverOrHalves,
    /// All others pay the winner; the losers may settle among themselves.
    AllPay(AllPayRules),
    /// Payments of the han-and-fu family, with counters, deposits and who answers for a hand.
    Riichi(RiichiRules),
}

/// Parameters of [`SettlementRules::Riichi`]. Source: `spec/riichi-mcgill.md` §6, §7, §11.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RiichiRules {
    /// Points that each counter adds to a win.
    pub counter: i64,
    /// Points of a deposit.
    pub deposit: i64,
    /// Points that ready hands share from the others when nobody wins.
    pub not_ready: i64,
    /// The base of a nagashi mangan and of a false win.
    pub mangan: i64,
    /// A false win costs nothing, for false.
    pub false_win: bool,
    /// Who has discarded nothing but orphans is paid.
    pub nagashi: bool,
    /// A hand that waits for tiles of which it holds all itself is ready.
    pub empty_waits: bool,
}

/// What lies on the table when a deal ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OnTable {
    /// Counters.
    pub counters: u32,
    /// Deposits.
    pub deposits: u32,
}

/// Parameters of [`SettlementRules::AllPay`], in which one player wins: of several the first in seat
/// order is paid. Sources: `spec/traditional.md` §8.7, §10 and
/// `spec/celestial.md` §8.6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllPayRules {
    /// A payment is multiplied by this where one of the two is the dealer.
    pub dealer_factor: i64,
    /// Of each two losers the lower pays the other the difference of their points.
    pub losers_settle: bool,
    /// A loser with more points than the winner does not pay him but gets twice the difference.
    pub winner_pays_higher: bool,
    /// The flag of a win with which its giver pays for all, and the losers settle nothing.
    pub giver_pays_all: Option<usize>,
}

/// Why a payment is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum PaymentReason {
    /// The points of a win.
    #[default]
    Win,
    /// Half the points of a win.
    HalfWin,
    /// The points of a win in place of another loser.
    WinFor(Seat),
    /// Twice what a loser's points are more than the winner's.
    HigherLoser,
    /// What one loser's points are more than another's.
    Difference,
    /// A false win.
    FalseWin,
    /// Counters of a win.
    Counters,
    /// The points of a win for which the payer answers.
    Answers,
    /// A hand that is not ready pays one that is.
    NotReady,
    /// Nothing but orphans was discarded, and none claimed.
    Nagashi,
}

/// What one player pays another, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Payment {
    /// Who pays.
    pub from: Seat,
    /// Who is paid.
    pub to: Seat,
    /// How much, in the least unit of the ruleset.
    pub units: i64,
    /// Why.
    pub reason: PaymentReason,
    /// The points that it comes from: of the win, or the difference of two hands.
    pub points: i64,
    /// The factor for the dealer, 1 where neither of the two deals.
    pub factor: i64,
}

/// Every payment of a deal; what one win brings at a full table fits without allocating.
pub type Payments = SmallVec<[Payment; MAX_PLAYERS * (MAX_PLAYERS - 1) / 2]>;

impl Payment {
    /// The payment in words, such as "E pays S 200: S wins with 100, × 2 for the dealer".
    pub fn describe(&self, units_per_point: i64) -> String {
        let Self { from, to, .. } = self;
        let amount = Number::of_units(self.units, units_per_point);
        let points = self.points;
        let mut text = format!("{from} pays {to} {amount}: ");
        text.push_str(&match self.reason {
            PaymentReason::Win => format!("{to} wins with {points}"),
            PaymentReason::HalfWin => format!("{to} draws and wins with {points}, each pays half"),
            PaymentReason::WinFor(seat) => {
                format!("{to} wins with {points}, {from} pays for {seat}")
            }
            PaymentReason::HigherLoser => {
                format!("{to} has {points} more than the winner, twice that")
            }
            PaymentReason::Difference => format!("{to} has {points} more"),
            PaymentReason::FalseWin => format!("{from} declared a win that is none"),
            PaymentReason::Counters => "for the counters".to_owned(),
            PaymentReason::Answers => format!("{from} answers for the hand of {to}"),
            PaymentReason::NotReady => format!("{to} is ready, {from} is not"),
            PaymentReason::Nagashi => format!("{to} discarded orphans alone, none was claimed"),
        });
        if self.factor != 1 {
            text.push_str(&format!(", × {} for the dealer", self.factor));
        }
        text
    }
}

/// What a deal brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settlement {
    /// The scores of the hands that have one.
    pub scores: BySeat<Option<Score>>,
    /// The change of each player's total, in the least unit of the ruleset
    /// ([`SettlementRules::units_per_point`]).
    pub deltas: BySeat<i64>,
    /// Every payment, in the order of settling; none where nobody pays anybody.
    pub payments: Payments,
    /// Who takes the deposits, and how much they are; they come from nobody's total.
    pub deposits: Option<(Seat, i64)>,
}

impl Settlement {
    fn pay(&mut self, payment: Payment) {
        if payment.units != 0 {
            self.deltas[payment.from] -= payment.units;
            self.deltas[payment.to] += payment.units;
            self.payments.push(payment);
        }
    }

    /// What a player pays to each of the others, without any score.
    pub(crate) fn penalty(from: Seat, points: i64, players: usize, units_per_point: i64) -> Self {
        let mut settlement = Self::default();
        for to in Seat::all(players).filter(|&to| to != from) {
            settlement.pay(Payment {
                from,
                to,
                units: points * units_per_point,
                reason: PaymentReason::FalseWin,
                points,
                factor: 1,
            });
        }
        settlement
    }

    /// What a winner gets and pays by himself: the payments to him and from him.
    pub fn of_winner(&self, winner: Seat) -> BySeat<i64> {
        let mut deltas = BySeat::default();
        let his = |payment: &&Payment| payment.from == winner || payment.to == winner;
        for payment in self.payments.iter().filter(his) {
            deltas[payment.from] -= payment.units;
            deltas[payment.to] += payment.units;
        }
        deltas
    }
}

impl SettlementRules {
    /// How many of the ruleset's least unit make a point: 1, or 2 where there are half points.
    pub const fn units_per_point(self) -> i64 {
        match self {
            Self::OwnPoints | Self::AllPay(_) | Self::Riichi(_) => 1,
            Self::GiverOrHalves => 2,
        }
    }

    /// Pays for scores. Without any win nobody gains or loses.
    pub(crate) fn settle(
        self,
        score_rules: &ScoreRules,
        hands: &[ScoreInput<'_>],
        scores: BySeat<Option<Score>>,
        table: OnTable,
    ) -> Settlement {
        let points = BySeat::from_fn(|seat| scores[seat].as_ref().map_or(0, |score| score.points));
        let mut settlement = Settlement {
            scores,
            ..Settlement::default()
        };
        let players = hands.len();
        if self == Self::OwnPoints {
            settlement.deltas = points;
        }
        for hand in hands {
            let Some(win) = hand.win else { continue };
            match self {
                Self::OwnPoints => {}
                Self::GiverOrHalves => {
                    giver_or_halves(&mut settlement, points[hand.seat], hand.seat, win, players);
                }
                // Losers settle with one another once, so there is one winner.
                Self::AllPay(rules) if settlement.payments.is_empty() => {
                    rules.settle(&mut settlement, &points, hand.seat, win, players);
                }
                Self::AllPay(_) => {}
                Self::Riichi(_) => {}
            }
        }
        if let Self::Riichi(rules) = self {
            rules.settle(&mut settlement, score_rules, hands, table);
        }
        settlement
    }
}

/// Pays one win, in half points.
fn giver_or_halves(
    settlement: &mut Settlement,
    points: i64,
    winner: Seat,
    win: &Win,
    players: usize,
) {
    let giver = win.from.filter(|_| !win.is_self_draw());
    for from in Seat::all(players).filter(|&seat| seat != winner) {
        if giver.is_some_and(|giver| giver != from) {
            continue;
        }
        let (units, reason) = match giver {
            Some(_) => (2 * points, PaymentReason::Win),
            None => (points, PaymentReason::HalfWin),
        };
        settlement.pay(Payment {
            from,
            to: winner,
            units,
            reason,
            points,
            factor: 1,
        });
    }
}

impl AllPayRules {
    fn factor(&self, a: Seat, b: Seat) -> i64 {
        if a == Seat::EAST || b == Seat::EAST {
            self.dealer_factor
        } else {
            1
        }
    }

    fn settle(
        &self,
        settlement: &mut Settlement,
        points: &BySeat<i64>,
        winner: Seat,
        win: &Win,
        players: usize,
    ) {
        let losers = || Seat::all(players).filter(move |&seat| seat != winner);
        let payer = match (self.giver_pays_all, win.from) {
            (Some(flag), Some(giver)) if win.flags.contains(flag) => Some(giver),
            _ => None,
        };
        for loser in losers() {
            let factor = self.factor(loser, winner);
            let more = points[loser] - points[winner];
            let payment = if self.winner_pays_higher && more > 0 && payer.is_none() {
                Payment {
                    from: winner,
                    to: loser,
                    units: 2 * more * factor,
                    reason: PaymentReason::HigherLoser,
                    points: more,
                    factor,
                }
            } else {
                let from = payer.unwrap_or(loser);
                Payment {
                    from,
                    to: winner,
                    units: points[winner] * factor,
                    reason: if from == loser {
                        PaymentReason::Win
                    } else {
                        PaymentReason::WinFor(loser)
                    },
                    points: points[winner],
                    factor,
                }
            };
            settlement.pay(payment);
        }
        if !self.losers_settle || payer.is_some() {
            return;
        }
        for one in losers() {
            for other in losers().filter(|&other| other > one) {
                let (from, to) = if points[one] < points[other] {
                    (one, other)
                } else {
                    (other, one)
                };
                let (difference, factor) = (points[to] - points[from], self.factor(one, other));
                settlement.pay(Payment {
                    from,
                    to,
                    units: difference * factor,
                    reason: PaymentReason::Difference,
                    points: difference,
                    factor,
                });
            }
        }
    }
}

impl RiichiRules {
    /// Pays every win: the first after the discarder gets counters and deposits.
    fn settle(
        &self,
        settlement: &mut Settlement,
        rules: &ScoreRules,
        hands: &[ScoreInput<'_>],
        table: OnTable,
    ) {
        let players = hands.len();
        let won = |hand: &&ScoreInput<'_>| hand.win.is_some();
        let after = |hand: &&ScoreInput<'_>| {
            let from = hand.win.and_then(|win| win.from).unwrap_or(hand.seat);
            hand.seat.steps_from(from, players)
        };
        let first = hands
            .iter()
            .filter(won)
            .min_by_key(after)
            .map(|hand| hand.seat);
        for hand in hands.iter().filter(won) {
            let counters = if first == Some(hand.seat) {
                i64::from(table.counters) * self.counter
            } else {
                0
            };
            self.pay_win(settlement, rules, hand, counters, players);
        }
        let deposits = i64::from(table.deposits) * self.deposit;
        if let (Some(winner), true) = (first, deposits > 0) {
            settlement.deltas[winner] += deposits;
            settlement.deposits = Some((winner, deposits));
        }
    }

    fn pay_win(
        &self,
        settlement: &mut Settlement,
        rules: &ScoreRules,
        hand: &ScoreInput<'_>,
        counters: i64,
        players: usize,
    ) {
        let (Some(win), ScoreFamily::HanFu(family)) = (hand.win, &rules.family) else {
            return;
        };
        let Some(score) = &settlement.scores[hand.seat] else {
            return;
        };
        let Tally::HanFu(sum) = score.tally else {
            return;
        };
        let points = score.points;
        let answering = answering(rules, family, hand, score);
        let answered: i64 = answering.iter().map(|(_, base)| base).sum();
        let winner = hand.seat;
        let giver = win.from.filter(|_| !win.is_self_draw());
        let mut pay = |from: Seat, units: i64, reason| {
            settlement.pay(Payment {
                from,
                to: winner,
                units,
                reason,
                points,
                factor: 1,
            });
        };
        // What nobody answers for alone.
        let rest = sum.base - answered;
        let losers = || Seat::all(players).filter(move |&seat| seat != winner);
        match giver {
            Some(giver) => pay(giver, discard_payment(rest, winner), PaymentReason::Win),
            None => {
                for loser in losers() {
                    pay(
                        loser,
                        self_pick_payment(rest, winner, loser),
                        PaymentReason::Win,
                    );
                }
            }
        }
        for (responsible, base) in &answering {
            match giver {
                Some(giver) if giver != *responsible => {
                    let half = discard_payment(*base, winner) / 2;
                    pay(giver, half, PaymentReason::Win);
                    pay(*responsible, half, PaymentReason::Answers);
                }
                Some(giver) => pay(giver, discard_payment(*base, winner), PaymentReason::Win),
                None => {
                    let all = losers().map(|loser| self_pick_payment(*base, winner, loser));
                    pay(*responsible, all.sum(), PaymentReason::Answers);
                }
            }
        }
        let one = answering.first().map(|(seat, _)| *seat).or(giver);
        match one {
            Some(payer) => pay(payer, counters, PaymentReason::Counters),
            None => {
                for loser in losers() {
                    pay(
                        loser,
                        counters / (players as i64 - 1),
                        PaymentReason::Counters,
                    );
                }
            }
        }
    }

    /// What is paid when nobody wins and the tiles have run out: to each seat of `nagashi` like a
    /// mangan self-pick; else by hands that are not ready to those that are.
    pub(crate) fn exhausted(
        &self,
        ready: &BySeat<bool>,
        nagashi: SeatSet,
        players: usize,
    ) -> Settlement {
        let mut settlement = Settlement::default();
        let mut pay = |from, to, units, reason| {
            settlement.pay(Payment {
                from,
                to,
                units,
                reason,
                points: units,
                factor: 1,
            });
        };
        if self.nagashi && !nagashi.is_empty() {
            for to in Seat::all(players).filter(|&seat| nagashi.contains(seat)) {
                for from in Seat::all(players).filter(|&seat| seat != to) {
                    let units = self_pick_payment(self.mangan, to, from);
                    pay(from, to, units, PaymentReason::Nagashi);
                }
            }
            return settlement;
        }
        let count = Seat::all(players).filter(|&seat| ready[seat]).count() as i64;
        let others = players as i64 - count;
        if count == 0 || others == 0 {
            return settlement;
        }
        // Each pays a share and each gets one; who pays whom is of no account.
        let mut gets = Seat::all(players)
            .filter(|&seat| ready[seat])
            .map(|seat| (seat, self.not_ready / count));
        let mut due = gets.next();
        for from in Seat::all(players).filter(|&seat| !ready[seat]) {
            let mut left = self.not_ready / others;
            while let (Some((to, wanted)), true) = (due, left > 0) {
                let units = wanted.min(left);
                pay(from, to, units, PaymentReason::NotReady);
                left -= units;
                due = if units < wanted {
                    Some((to, wanted - units))
                } else {
                    gets.next()
                };
            }
        }
        settlement
    }

    /// What a declared win that is none costs: a mangan's payments the other way round.
    pub(crate) fn false_win(&self, from: Seat, players: usize) -> Settlement {
        let mut settlement = Settlement::default();
        for to in Seat::all(players).filter(|&seat| seat != from && self.false_win) {
            let units = self_pick_payment(self.mangan, from, to);
            settlement.pay(Payment {
                from,
                to,
                units,
                reason: PaymentReason::FalseWin,
                points: units,
                factor: 1,
            });
        }
        settlement
    }
}

/// Who answers for limit hands of a score, each with the base of what he answers for, in the order
/// of the patterns.
fn answering(
    rules: &ScoreRules,
    family: &HanFuRules,
    hand: &ScoreInput<'_>,
    score: &Score,
) -> SmallVec<[(Seat, i64); 4]> {
    let set = crate::tile_set::TileSet::default();
    let reading = Reading::circumstances(&set, hand.hand, hand.seat, hand.round, hand.win);
    let mut found: SmallVec<[(Seat, i64); 4]> = SmallVec::new();
    for line in &score.lines {
        let pattern = &rules.patterns[usize::from(line.pattern)];
        let (Some(liable), PatternValue::Limits(limits)) = (pattern.liable, pattern.value) else {
            continue;
        };
        let kinds = liable.class.kinds(&reading);
        let mut melds = hand.hand.melds.iter().filter(|meld| {
            liable.families.contains(meld.group.family()) && meld.group.kind_set().is_subset(kinds)
        });
        let Some(meld) = melds.nth(liable.nth - 1) else {
            continue;
        };
        let fed = meld.open && !(liable.not_added && meld.added);
        let Some(seat) = meld.from.filter(|_| fed) else {
            continue;
        };
        let base = family.limit_base * i64::from(limits);
        match found.iter_mut().find(|(known, _)| *known == seat) {
            Some((_, sum)) => *sum += base,
            None => found.push((seat, base)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Hand;
    use crate::score::{Doubles, Lines, Tally};
    use crate::state::{FlagSet, Way};
    use crate::tile::{Kind, Wind};

    const RULES: AllPayRules = AllPayRules {
        dealer_factor: 2,
        losers_settle: true,
        winner_pays_higher: false,
        giver_pays_all: Some(3),
    };

    /// South wins by a discard of West; what comes of these points.
    fn settled(rules: AllPayRules, points: [i64; 4], flags: &[usize]) -> Settlement {
        let hand = Hand::new();
        let mut win = Win {
            tile: Kind::EAST.into(),
            way: Way::Discard,
            from: Seat::new(2),
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        for &flag in flags {
            win.flags.insert(flag);
        }
        let inputs: Vec<ScoreInput<'_>> = Seat::all(4)
            .map(|seat| {
                let win = (seat.index() == 1).then_some(&win);
                ScoreInput::new(&hand, seat, Wind::East, win)
            })
            .collect();
        let scores = BySeat::from_fn(|seat| {
            Some(Score {
                points: *points.get(seat.index())?,
                tally: Tally::Doubles(Doubles::default()),
                lines: Lines::new(),
                arrangement: crate::list::List::new(),
                singles: None,
                is_open: false,
            })
        });
        let woo = crate::ruleset::by_id("woo", &[]).unwrap();
        let score_rules = &crate::ruleset::Ruleset::plan(&*woo).score;
        let table = OnTable::default();
        let settlement = SettlementRules::AllPay(rules).settle(score_rules, &inputs, scores, table);
        let mut sums: BySeat<i64> = BySeat::default();
        for payment in settlement.payments.iter() {
            sums[payment.from] -= payment.units;
            sums[payment.to] += payment.units;
        }
        assert_eq!(sums, settlement.deltas, "deltas are the sums of payments");
        settlement
    }

    fn deltas(settlement: &Settlement) -> Vec<i64> {
        Seat::all(4).map(|seat| settlement.deltas[seat]).collect()
    }

    #[test]
    fn the_examples_of_the_traditional_spec() {
        let settlement = settled(RULES, [20, 100, 10, 0], &[]);
        assert_eq!(deltas(&settlement), [-140, 400, -110, -150]);
        let text: Vec<String> = settlement.payments.iter().map(|p| p.describe(1)).collect();
        assert_eq!(
            text,
            [
                "E pays S 200: S wins with 100, × 2 for the dealer",
                "W pays S 100: S wins with 100",
                "N pays S 100: S wins with 100",
                "W pays E 20: E has 10 more, × 2 for the dealer",
                "N pays E 40: E has 20 more, × 2 for the dealer",
                "N pays W 10: W has 10 more",
            ]
        );
    }

    #[test]
    fn the_examples_of_the_celestial_spec() {
        let higher = AllPayRules {
            winner_pays_higher: true,
            giver_pays_all: None,
            ..RULES
        };
        let alone = AllPayRules {
            losers_settle: false,
            ..higher
        };
        let points = [0, 20, 0, 128];
        assert_eq!(deltas(&settled(RULES, points, &[])), [-296, 80, -148, 364]);
        assert_eq!(
            deltas(&settled(higher, points, &[])),
            [-296, -156, -148, 600]
        );
        assert_eq!(deltas(&settled(alone, points, &[])), [-40, -156, -20, 216]);
        let east = settled(higher, [128, 20, 0, 0], &[]);
        assert_eq!(deltas(&east), [944, -392, -276, -276]);
        assert_eq!(
            east.payments[0].describe(1),
            "S pays E 432: E has 108 more than the winner, twice that, × 2 for the dealer"
        );
    }

    #[test]
    fn who_gave_a_dangerous_tile_pays_for_all() {
        let settlement = settled(RULES, [20, 100, 10, 0], &[3]);
        assert_eq!(deltas(&settlement), [0, 400, -400, 0]);
        assert_eq!(
            settlement.payments[0].describe(1),
            "W pays S 200: S wins with 100, W pays for E, × 2 for the dealer"
        );
    }

    #[test]
    fn ready_hands_share_to_the_last_point() {
        let rules = RiichiRules {
            counter: 300,
            deposit: 1000,
            not_ready: 3006,
            mangan: 2000,
            false_win: true,
            nagashi: false,
            empty_waits: true,
        };
        let brings = |ready: [bool; 4], rules: RiichiRules| {
            let ready = BySeat::from_fn(|seat| ready.get(seat.index()) == Some(&true));
            deltas(&rules.exhausted(&ready, SeatSet::one(Seat::EAST), 4))
        };
        assert_eq!(
            brings([true, false, false, true], rules),
            [1503, -1503, -1503, 1503]
        );
        assert_eq!(
            brings([false, true, false, false], rules),
            [-1002, 3006, -1002, -1002]
        );
        assert_eq!(
            brings([true, true, false, true], rules),
            [1002, 1002, -3006, 1002]
        );
        assert_eq!(brings([true; 4], rules), [0; 4]);
        assert_eq!(brings([false; 4], rules), [0; 4]);
        let nagashi = RiichiRules {
            nagashi: true,
            ..rules
        };
        assert_eq!(
            brings([false, true, false, false], nagashi),
            [12000, -4000, -4000, -4000]
        );
    }

    #[test]
    fn a_false_win_is_paid_to_each() {
        let settlement = Settlement::penalty(Seat::EAST, 1000, 4, 1);
        assert_eq!(deltas(&settlement), [-3000, 1000, 1000, 1000]);
        assert_eq!(settlement.of_winner(Seat::EAST), settlement.deltas);
        assert_eq!(
            settlement.payments[1].describe(1),
            "E pays W 1000: E declared a win that is none"
        );
    }
}
