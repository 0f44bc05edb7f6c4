//! Settlement of the han-and-fu family: wins with counters, deposits and liability; false wins.
//! Source: `rulesets/riichi-mcgill.md` §6, §7, §11.

use super::liable::feeder;
use super::payment::{Payment, PaymentReason, Settlement};
use crate::score::han_fu::{HanFuRules, discard_payment, self_draw_payment};
use crate::score::pattern::PatternValue;
use crate::score::{Score, ScoreFamily, ScoreInput, ScoreRules, Tally};
use crate::seat::Seat;
use crate::state::OnTable;
use smallvec::SmallVec;

/// Parameters of [`SettlementRules::Riichi`](super::SettlementRules::Riichi).
/// Source: `rulesets/riichi-mcgill.md` §6, §7, §11.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RiichiRules {
    /// Points that each counter adds to a win.
    pub counter: i64,
    /// Points of a deposit.
    pub deposit: i64,
    /// The base of a false win.
    pub mangan: i64,
    /// A false win costs a mangan. Otherwise it costs nothing.
    pub false_win: bool,
    /// A hand counts as ready even if it holds all copies of what it waits for.
    pub empty_waits: bool,
}

/// Scales shares to a sum, because exactly the points of a score are paid. Shares of the ruleset's own score
/// already add up to it. Otherwise each share is scaled in proportion, and the remainder goes to the first.
fn share_out<'a>(sum: i64, shares: impl Iterator<Item = &'a mut i64>) {
    let mut shares: SmallVec<[&mut i64; 8]> = shares.collect();
    let whole: i128 = shares.iter().map(|share| i128::from(**share)).sum();
    if whole == i128::from(sum) {
        return;
    }
    let count = shares.len() as i128;
    for share in &mut shares {
        let part = match whole {
            0 => i128::from(sum) / count,
            _ => i128::from(sum).saturating_mul(i128::from(**share)) / whole,
        };
        **share = part.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    }
    let paid: i128 = shares.iter().map(|share| i128::from(**share)).sum();
    if let Some(first) = shares.first_mut() {
        let part = i128::from(**first) + i128::from(sum) - paid;
        **first = part.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    }
}

impl RiichiRules {
    /// What the counters add to a win.
    pub(super) fn counters(&self, table: OnTable) -> i64 {
        i64::from(table.counters).saturating_mul(self.counter)
    }

    /// What the deposits bring.
    pub(super) fn deposits(&self, table: OnTable) -> i64 {
        i64::from(table.deposits).saturating_mul(self.deposit)
    }

    /// Pays every win. The first winner after the discarder gets counters and deposits.
    pub(super) fn settle(
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
                self.counters(table)
            } else {
                0
            };
            self.pay_win(settlement, rules, hand, counters, players);
        }
        let deposits = self.deposits(table);
        if let (Some(winner), true) = (first, deposits > 0) {
            settlement.deltas[winner] = settlement.deltas[winner].saturating_add(deposits);
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
        let points = score.points;
        let answering = answering(rules, family, hand, score);
        let answered = answering
            .iter()
            .fold(0_i64, |sum, (_, base)| sum.saturating_add(*base));
        let winner = hand.seat;
        let giver = win.from.filter(|_| !win.is_self_draw());
        // The base that no player is liable for. A score from a house rule has points but no base; then a mangan
        // decides the shares.
        let base = match score.tally {
            Tally::HanFu(sum) => sum.base,
            _ => self.mangan,
        };
        let rest = base.saturating_sub(answered);
        let losers = || Seat::all(players).filter(move |&seat| seat != winner);
        let mut shares: SmallVec<[(Seat, i64, PaymentReason); 8]> = SmallVec::new();
        match giver {
            Some(giver) => {
                shares.push((giver, discard_payment(rest, winner), PaymentReason::Win));
            }
            None => shares.extend(losers().map(|loser| {
                let share = self_draw_payment(rest, winner, loser);
                (loser, share, PaymentReason::Win)
            })),
        }
        for (responsible, base) in &answering {
            match giver {
                Some(giver) if giver != *responsible => {
                    let half = discard_payment(*base, winner) / 2;
                    shares.push((giver, half, PaymentReason::Win));
                    shares.push((*responsible, half, PaymentReason::Answers));
                }
                Some(giver) => {
                    let share = discard_payment(*base, winner);
                    shares.push((giver, share, PaymentReason::Win));
                }
                None => {
                    let all = losers()
                        .map(|loser| self_draw_payment(*base, winner, loser))
                        .fold(0, i64::saturating_add);
                    shares.push((*responsible, all, PaymentReason::Answers));
                }
            }
        }
        let units = shares.iter_mut().map(|(_, units, _)| units);
        share_out(points, units);
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
        for (from, units, reason) in shares {
            pay(from, units, reason);
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

    /// The payments for a false win: those of a self-drawn mangan in the opposite direction.
    pub(crate) fn false_win(&self, from: Seat, players: usize) -> Settlement {
        let mut settlement = Settlement::default();
        for to in Seat::all(players).filter(|&seat| seat != from && self.false_win) {
            let units = self_draw_payment(self.mangan, from, to);
            settlement.transfer(from, to, units, PaymentReason::FalseWin);
        }
        settlement
    }
}

/// The players who are liable for limit hands of a score, each with the base that the player is liable for, in the
/// order of the patterns.
fn answering(
    rules: &ScoreRules,
    family: &HanFuRules,
    hand: &ScoreInput<'_>,
    score: &Score,
) -> SmallVec<[(Seat, i64); 4]> {
    let mut found: SmallVec<[(Seat, i64); 4]> = SmallVec::new();
    for line in &score.lines {
        let pattern = rules.pattern(line);
        let Some((Some(liable), PatternValue::Limits(limits))) =
            pattern.map(|pattern| (pattern.liable, pattern.value))
        else {
            continue;
        };
        let Some(seat) = feeder(&liable, hand) else {
            continue;
        };
        let base = family.limit_base.saturating_mul(i64::from(limits));
        match found.iter_mut().find(|(known, _)| *known == seat) {
            Some((_, sum)) => *sum = sum.saturating_add(base),
            None => found.push((seat, base)),
        }
    }
    found
}
