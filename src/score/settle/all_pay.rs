//! All others pay the winner. The losers may settle among themselves.
//! Sources: `rulesets/traditional.md` §8.7, §10, `rulesets/celestial.md` §8.6.

use super::payment::{Payment, PaymentReason, Settlement};
use crate::seat::{BySeat, Seat};
use crate::state::Win;

/// Parameters of [`SettlementRules::AllPay`](super::SettlementRules::AllPay). Only one player wins: of
/// several winners the first in seat order is paid.
/// Sources: `rulesets/traditional.md` §8.7, §10 and `rulesets/celestial.md` §8.6.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct AllPayRules {
    /// Multiplies a payment if one of the two players is the dealer.
    pub dealer_factor: i64,
    /// Of any two losers, the one with fewer points pays the other the difference.
    pub losers_settle: bool,
    /// A loser with more points than the winner does not pay, but receives twice the difference.
    pub winner_pays_higher: bool,
    /// The index of a flag. In a win with that flag the giver pays for all. The giver also settles with the other
    /// losers, who do not settle with each other.
    pub giver_pays_all: Option<usize>,
    /// The most that a loser pays who did not give the winning tile. The giver pays the rest.
    pub par: Option<i64>,
}

impl AllPayRules {
    fn factor(&self, a: Seat, b: Seat) -> i64 {
        if a == Seat::EAST || b == Seat::EAST {
            self.dealer_factor
        } else {
            1
        }
    }

    /// See [`SettlementRules::win_gain`](super::SettlementRules::win_gain).
    pub(super) fn win_gain(&self, points: i64, winner: Seat, players: usize) -> i64 {
        let losers = Seat::all(players).filter(|&seat| seat != winner);
        let factors: i64 = losers.map(|loser| self.factor(loser, winner)).sum();
        points.saturating_mul(factors)
    }

    pub(super) fn settle(
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
        let giver = win.from.filter(|_| !win.is_self_draw());
        for loser in losers() {
            let factor = self.factor(loser, winner);
            let more = points[loser].saturating_sub(points[winner]);
            let payment = if self.winner_pays_higher && more > 0 && payer.is_none() {
                Payment {
                    from: winner,
                    to: loser,
                    units: more.saturating_mul(2 * factor),
                    reason: PaymentReason::HigherLoser,
                    points: more,
                    factor,
                }
            } else {
                let pays = |from: Seat, points_paid: i64| Payment {
                    from,
                    to: winner,
                    units: points_paid.saturating_mul(factor),
                    reason: if from == loser {
                        PaymentReason::Win
                    } else {
                        PaymentReason::WinFor(loser)
                    },
                    points: points[winner],
                    factor,
                };
                let mut owed = points[winner];
                if let (Some(par), Some(giver)) = (self.par, giver.filter(|&seat| seat != loser)) {
                    let rest = owed.saturating_sub(par).max(0);
                    if rest > 0 {
                        settlement.pay(pays(giver, rest));
                    }
                    owed -= rest;
                }
                pays(payer.unwrap_or(loser), owed)
            };
            settlement.pay(payment);
        }
        if !self.losers_settle {
            return;
        }
        for one in losers() {
            let settles = |other: Seat| payer.is_none_or(|payer| payer == one || payer == other);
            for other in losers().filter(|&other| other > one && settles(other)) {
                let (from, to) = if points[one] < points[other] {
                    (one, other)
                } else {
                    (other, one)
                };
                let difference = points[to].saturating_sub(points[from]);
                let factor = self.factor(one, other);
                settlement.pay(Payment {
                    from,
                    to,
                    units: difference.saturating_mul(factor),
                    reason: PaymentReason::Difference,
                    points: difference,
                    factor,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OnTable, PaymentRules, SettlementRules};
    use super::*;
    use crate::hand::Hand;
    use crate::ruleset::Rules;
    use crate::score::{Lines, Score, ScoreInput, Sums, Tally};
    use crate::state::{FlagSet, Way};
    use crate::tile::{Kind, Wind};

    const RULES: AllPayRules = AllPayRules {
        dealer_factor: 2,
        losers_settle: true,
        winner_pays_higher: false,
        giver_pays_all: Some(3),
        par: None,
    };

    /// South wins off a discard of West. Settles the deal with these points.
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
                tally: Tally::Sums(Sums::default()),
                lines: Lines::new(),
                groups: crate::list::List::new(),
                winning: None,
                singles: None,
                is_open: false,
            })
        });
        let woo = Rules::by_id("woo").unwrap();
        let score_rules = &crate::ruleset::Ruleset::plan(&woo).score;
        let table = OnTable::default();
        let mut settlement = Settlement {
            scores,
            ..Settlement::default()
        };
        let rules = SettlementRules::AllPay(rules);
        rules.settle(score_rules, &inputs, &mut settlement, table);
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

    /// Above par each other loser pays par and the giver pays the rest. Together they pay three times the points of the
    /// hand.
    #[test]
    fn the_giver_pays_what_others_are_spared() {
        let rules = AllPayRules {
            dealer_factor: 1,
            losers_settle: false,
            winner_pays_higher: false,
            giver_pays_all: None,
            par: Some(25),
        };
        let deltas = |points| {
            let settlement = settled(rules, [0, points, 0, 0], &[]);
            Seat::all(4)
                .map(|seat| settlement.deltas[seat])
                .collect::<Vec<_>>()
        };
        assert_eq!(deltas(70), [-25, 210, -160, -25]);
        assert_eq!(deltas(25), [-25, 75, -25, -25]);
        assert_eq!(deltas(7), [-7, 21, -7, -7]);
        // The giver pays nothing for a loser who is paid.
        let higher = AllPayRules {
            winner_pays_higher: true,
            ..rules
        };
        let settlement = settled(higher, [60, 40, 0, 0], &[]);
        let deltas = Seat::all(4).map(|seat| settlement.deltas[seat]);
        assert_eq!(deltas.collect::<Vec<_>>(), [40, 40, -55, -25]);
    }

    #[test]
    fn the_examples_of_the_traditional_spec() {
        let settlement = settled(RULES, [20, 100, 10, 0], &[]);
        assert_eq!(deltas(&settlement), [-140, 400, -110, -150]);
        let text: Vec<String> = settlement
            .payments
            .iter()
            .map(|p| p.describe(&PaymentRules::default()))
            .collect();
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
            east.payments[0].describe(&PaymentRules::default()),
            "S pays E 432: E has 108 more than the winner, twice that, × 2 for the dealer"
        );
    }

    #[test]
    fn who_gave_a_dangerous_tile_pays_for_all() {
        let settlement = settled(RULES, [20, 100, 10, 0], &[3]);
        // 20 - 10, twice for East, and 10 - 0; East and North pay each other nothing.
        assert_eq!(deltas(&settlement), [20, 400, -410, -10]);
        assert_eq!(
            settlement.payments[0].describe(&PaymentRules::default()),
            "W pays S 200: S wins with 100, W pays for E, × 2 for the dealer"
        );
    }
}
