//! Each loser pays the winner a share of the points and a fixed sum.

use super::payment::{Payment, PaymentReason, Settlement};
use crate::meld::Meld;
use crate::score::ScoreInput;
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::Win;
use crate::tile::Kind;

/// What a loser pays: a number of halves of the points of the hand, and a fixed sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Share {
    /// How many halves of the points. Files have an odd number only where each pays half of a self-drawn hand.
    pub halves: i64,
    /// The fixed sum.
    pub plus: i64,
}

/// Parameters of [`SettlementRules::Linear`](super::SettlementRules::Linear). Every winner is paid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct LinearRules {
    /// What the giver of the winning tile pays.
    pub giver: Share,
    /// What each of the others pays for such a win.
    pub others: Share,
    /// What each loser pays for a self-drawn win.
    pub self_draw: Share,
    /// What the dealer pays or is paid in addition.
    pub dealer: DealerExtra,
    /// What is paid for a kong at once.
    pub kongs: KongPay,
    /// What is paid when the wall is used up.
    pub wall_end: WallEnd,
    /// What is paid for a complete series of four flowers at once.
    pub flower_sets: FlowerSetPay,
    /// What each other player pays, at the end of the deal, for each joker in a hand and its melds.
    pub joker: i64,
}

/// What each other player pays for a complete series of four flowers as soon as it is laid down, in points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct FlowerSetPay {
    /// Before the first discard.
    pub dealt: i64,
    /// Later.
    pub later: i64,
}

/// What each player who is in play pays for a kong as soon as it can no longer be robbed, in points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct KongPay {
    /// For a concealed kong.
    pub concealed: i64,
    /// For a kong with a tile that was added as soon as it was drawn.
    pub added: i64,
    /// For a kong with a tile that was added later.
    pub added_later: i64,
    /// For a claimed kong: what the player pays who discarded the tile.
    pub claimed_giver: i64,
    /// For a claimed kong: what each of the others pays.
    pub claimed_others: i64,
    /// What happens to the payments for kongs in a row if a player wins off the discard that follows them.
    pub on_discard: KongsOnDiscard,
}

/// What happens to the payments for kongs in a row if a player wins off the discard that follows them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum KongsOnDiscard {
    /// The player who made the kongs keeps them.
    #[default]
    Kept,
    /// They go back to those who paid.
    Returned,
    /// They go to the winner. If there are several, to the next in turn order.
    ToWinner,
}

/// What players who are in play pay each other when the wall is used up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct WallEnd {
    /// A player who is not ready pays each ready player as if discarding the tile with which that hand is worth most.
    pub not_ready: bool,
    /// Points that a player who still holds tiles of the missing suit pays to each player who holds none. Such a player
    /// pays nothing more for ready hands.
    pub holds_missing_suit: i64,
    /// A player who is not ready returns the payments for kongs, also to players who have won since.
    pub returns_kongs: bool,
}

impl WallEnd {
    /// True when it matters which hands are ready.
    pub(super) const fn asks_ready(self) -> bool {
        self.not_ready || self.returns_kongs
    }
}

/// What is paid between the dealer and another player in addition to a payment for a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct DealerExtra {
    /// The amount that is always added.
    pub plus: i64,
    /// The amount for each counter, that is, for each deal in a row that the dealer has kept.
    pub each: i64,
}

impl DealerExtra {
    fn units(self, counters: u32) -> i64 {
        let kept = self.each.saturating_mul(i64::from(counters));
        self.plus.saturating_add(kept)
    }
}

impl LinearRules {
    /// True when kongs are paid at once.
    pub(crate) fn pays_kongs(&self) -> bool {
        self.kongs != KongPay::default()
    }

    /// True when series of flowers are paid at once.
    #[inline]
    pub(crate) const fn pays_flowers(&self) -> bool {
        self.flower_sets.dealt | self.flower_sets.later != 0
    }

    /// Pays for the jokers of all hands at the end of a deal.
    pub(super) fn settle_jokers(&self, settlement: &mut Settlement, hands: &[ScoreInput<'_>]) {
        if self.joker == 0 {
            return;
        }
        for to in hands {
            let hand = to.hand;
            let is_joker = |win: &&Win| win.is_self_draw() && win.tile == Kind::JOKER.into();
            let drawn = usize::from(to.win.is_some_and(|win| is_joker(&win)));
            let melded: usize = hand.melds.iter().map(Meld::jokers).sum();
            let held = usize::from(hand.concealed().get(Kind::JOKER)) + melded + drawn;
            let units = (self.joker * held as i64).saturating_mul(self.units_per_point());
            for from in hands.iter().filter(|from| from.seat != to.seat) {
                settlement.transfer(from.seat, to.seat, units, PaymentReason::Jokers);
            }
        }
    }

    /// What the giver of the winning tile pays for a hand of `points` points, in the least unit.
    pub(crate) fn giver_pays(self, points: i64) -> i64 {
        self.units(self.giver, points)
    }

    /// 2 if a payment may include half a point, otherwise 1.
    pub(super) const fn units_per_point(self) -> i64 {
        1 + (self.giver.halves | self.others.halves | self.self_draw.halves) % 2
    }

    /// See [`SettlementRules::win_gain`](super::SettlementRules::win_gain).
    pub(super) fn win_gain(
        &self,
        points: i64,
        winner: Seat,
        giver: Option<Seat>,
        players: usize,
    ) -> i64 {
        let losers = Seat::all(players).filter(|&seat| seat != winner);
        losers.fold(0, |gain: i64, loser| {
            let share = self.share_of(loser, giver);
            let extra = match winner == Seat::EAST || loser == Seat::EAST {
                true if share != Share::default() => {
                    self.dealer.units(0).saturating_mul(self.units_per_point())
                }
                _ => 0,
            };
            gain.saturating_add(self.units(share, points))
                .saturating_add(extra)
        })
    }

    /// What a loser pays for a win off a discard of `giver`, or for a self-drawn one.
    fn share_of(&self, loser: Seat, giver: Option<Seat>) -> Share {
        match giver {
            None => self.self_draw,
            Some(giver) if giver == loser => self.giver,
            Some(_) => self.others,
        }
    }

    /// A share of `points` points, in the least unit.
    fn units(&self, Share { halves, plus }: Share, points: i64) -> i64 {
        let units_per_point = self.units_per_point();
        let of_points = points.saturating_mul(halves * units_per_point) / 2;
        of_points.saturating_add(plus * units_per_point)
    }

    /// Pays for a win. For a self-drawn win `liable` pays what all losers would.
    pub(super) fn settle(
        &self,
        settlement: &mut Settlement,
        points: i64,
        (winner, win): (Seat, &Win),
        (players, out): (usize, SeatSet),
        counters: u32,
        liable: Option<Seat>,
    ) {
        let extra = self.dealer.units(counters);
        let units_per_point = self.units_per_point();
        let giver = win.from.filter(|_| !win.is_self_draw());
        let pays = |seat: &Seat| *seat != winner && !out.contains(*seat);
        let liable = liable.filter(|seat| giver.is_none() && pays(seat));
        for loser in Seat::all(players).filter(pays) {
            let from = liable.unwrap_or(loser);
            let owed = self.share_of(loser, giver);
            let Share { halves, plus } = owed;
            let (share, reason) = match (halves, plus) {
                (1, 0) if giver.is_none() => (points, PaymentReason::HalfWin),
                (_, 0) => (points.saturating_mul(halves) / 2, PaymentReason::Win),
                (0, _) => (0, PaymentReason::AnyWin),
                _ => {
                    let share = points.saturating_mul(halves) / 2;
                    (share, PaymentReason::WinAnd(plus))
                }
            };
            let reason = match from == loser {
                true => reason,
                false => PaymentReason::WinFor(loser),
            };
            settlement.pay(Payment {
                from,
                to: winner,
                units: self.units(owed, points),
                reason,
                points: share,
                factor: 1,
            });
            if owed != Share::default() && (winner == Seat::EAST || loser == Seat::EAST) {
                let units = extra.saturating_mul(units_per_point);
                settlement.transfer(from, winner, units, PaymentReason::Dealer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Hand;
    use crate::seat::BySeat;

    /// South drew its third joker and won, West has one in a meld. Each joker is 50 from each of the other two.
    #[test]
    fn jokers_are_paid_at_the_end() {
        let rules = LinearRules {
            joker: 50,
            ..LinearRules::default()
        };
        let hand = |text: &str| -> Hand { text.parse().unwrap() };
        let hands = [hand("123t"), hand("JJ12t"), hand("12t+4tJ6t")];
        let win = Win::drawn(Kind::JOKER.into());
        let round = crate::tile::Wind::East;
        let inputs: Vec<ScoreInput<'_>> = Seat::all(3)
            .zip(&hands)
            .map(|(seat, hand)| {
                let win = Some(&win).filter(|_| seat == Seat::SOUTH);
                ScoreInput::new(hand, seat, round, win)
            })
            .collect();
        let mut settlement = Settlement::default();
        rules.settle_jokers(&mut settlement, &inputs);
        let deltas: Vec<i64> = Seat::all(3).map(|seat| settlement.deltas[seat]).collect();
        assert_eq!(deltas, [-200, 250, -50]);
        assert_eq!(
            settlement.payments[0].describe(1),
            "E pays S 150: for jokers"
        );
    }

    /// As in the World Mahjong Organization's competition rules: 8 from each, and the points from the giver of the
    /// tile, or from each for a self-drawn win.
    #[test]
    fn shares_and_fixed_sums_are_paid() {
        let share = |times: i64, plus| Share {
            halves: 2 * times,
            plus,
        };
        let rules = LinearRules {
            giver: share(1, 8),
            others: share(0, 8),
            self_draw: share(1, 8),
            ..LinearRules::default()
        };
        let settled = |rules: LinearRules, win: Win| {
            let mut settlement = Settlement::default();
            let out = SeatSet::EMPTY;
            rules.settle(&mut settlement, 10, (Seat::SOUTH, &win), (4, out), 3, None);
            let mut sums: BySeat<i64> = BySeat::default();
            for payment in &settlement.payments {
                sums[payment.from] -= payment.units;
                sums[payment.to] += payment.units;
            }
            assert_eq!(sums, settlement.deltas);
            let deltas: Vec<i64> = Seat::all(4).map(|seat| settlement.deltas[seat]).collect();
            let said: Vec<String> = settlement.payments.iter().map(|p| p.describe(1)).collect();
            (deltas, said)
        };
        let tile = Kind::EAST.into();
        let (deltas, said) = settled(rules, Win::off(tile, Seat::WEST));
        assert_eq!(deltas, [-8, 34, -18, -8]);
        assert_eq!(
            said,
            [
                "E pays S 8: the same for any win",
                "W pays S 18: S wins with 10, and 8 on top",
                "N pays S 8: the same for any win",
            ]
        );
        assert_eq!(settled(rules, Win::drawn(tile)).0, [-18, 54, -18, -18]);
        let twice = LinearRules {
            self_draw: share(2, 0),
            ..rules
        };
        let (deltas, said) = settled(twice, Win::drawn(tile));
        assert_eq!(
            (deltas, &*said[0]),
            (vec![-20, 60, -20, -20], "E pays S 20: S wins with 20")
        );
        let halves = LinearRules {
            giver: share(1, 0),
            others: share(0, 0),
            self_draw: Share { halves: 1, plus: 0 },
            ..rules
        };
        // In half points.
        assert_eq!(settled(halves, Win::drawn(tile)).0, [-10, 30, -10, -10]);
        let (deltas, said) = settled(halves, Win::off(tile, Seat::WEST));
        assert_eq!((deltas, said.len()), (vec![0, 20, -20, 0], 1));
        // Between the dealer and another player: one, and two for each of three counters.
        let streak = LinearRules {
            dealer: DealerExtra { plus: 1, each: 2 },
            others: share(0, 0),
            giver: share(1, 3),
            self_draw: share(1, 3),
            ..LinearRules::default()
        };
        assert_eq!(settled(streak, Win::drawn(tile)).0, [-20, 46, -13, -13]);
        assert_eq!(
            settled(streak, Win::off(tile, Seat::WEST)).0,
            [0, 13, -13, 0]
        );
        let (deltas, said) = settled(streak, Win::off(tile, Seat::EAST));
        assert_eq!(deltas, [-20, 20, 0, 0]);
        assert_eq!(said[1], "E pays S 7: one of them is the dealer");
    }
}
