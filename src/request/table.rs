//! A checked request: [`Table`], scored and settled.

use super::error::RequestError;
use super::parts::{NoWin, Request};
use crate::hand::Hand;
use crate::notation::Wording;
use crate::ruleset::{Rules, Ruleset};
use crate::score::{Explanation, Happening, Score, ScoreError, ScoreInput, Settlement};
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::Win;

/// Hands and wins that a ruleset allows: one hand, or a whole table.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    pub(super) rules: &'a dyn Ruleset,
    /// The request that was checked.
    pub(super) request: Request,
    pub(super) hands: Vec<Hand>,
    /// The wins as the settlement reads them.
    pub(super) wins: Vec<(Seat, Win)>,
}

/// The result of [`Table::settle_again`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Resettled {
    /// The settlement. Empty if no winner is left.
    pub settlement: Settlement,
    /// Winners whose hands are worth too little to win. They win nothing.
    pub refused: SeatSet,
}

impl Table<'_> {
    /// Every hand, ready to score, in the order of the request.
    pub fn inputs(&self) -> impl Iterator<Item = ScoreInput<'_>> {
        let request = &self.request;
        request.hands.iter().zip(&self.hands).map(|(given, hand)| {
            let seat = given.seat;
            let won = self.wins.iter().find(|(winner, _)| *winner == seat);
            ScoreInput {
                bonus: &request.indicators,
                ura: &request.under_indicators,
                turned: &request.turned,
                counters: request.on_table.counters,
                out: given.out,
                ..ScoreInput::new(hand, seat, request.round, won.map(|(_, win)| win))
            }
        })
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &dyn Ruleset {
        self.rules
    }

    /// The score of the first winner. Without a winner, of the first hand.
    ///
    /// # Errors
    /// [`ScoreError`] if the hand is not a win, is worth too little, or has no score.
    pub fn score(&self) -> Result<Score, ScoreError> {
        self.rules.score_hand(&self.scored()?)
    }

    /// Explains the score of the first winner. Without a winner, of the first hand. A hand that is worth too little to
    /// win has an explanation, too.
    ///
    /// # Errors
    /// [`ScoreError`] if the hand is not a win or has no score.
    pub fn explain(&self, wording: impl Into<Wording>) -> Result<Explanation, ScoreError> {
        let input = self.scored()?;
        match self.rules.score_hand(&input) {
            Ok(score) => Ok(self.rules.plan().explain(&input, &score, wording)),
            Err(ScoreError::BelowMinimum(score)) => {
                Ok(self.rules.plan().explain(&input, &score, wording))
            }
            Err(error) => Err(error),
        }
    }

    /// Explains the scores of a settlement of this table: those of the winners and, where losers score too, of all hands.
    pub fn explain_settlement(
        &self,
        settlement: &Settlement,
        wording: impl Into<Wording>,
    ) -> Vec<(Seat, Explanation)> {
        let wording = wording.into();
        let explained = self.inputs().filter_map(|input| {
            let score = settlement.scores[input.seat].as_ref()?;
            let told = self.rules.plan().explain(&input, score, wording);
            Some((input.seat, told))
        });
        explained.collect()
    }

    /// Why a pattern does not count in the hand of [`Table::explain`]. Empty if it counts, and `None` if there is no such
    /// pattern.
    ///
    /// # Errors
    /// Those of [`Table::explain`].
    pub fn why_not(&self, id: &str) -> Result<Option<Vec<String>>, ScoreError> {
        let input = self.scored()?;
        let score = match self.rules.score_hand(&input) {
            Err(ScoreError::BelowMinimum(score)) => *score,
            score => score?,
        };
        Ok(self.rules.plan().why_not(&input, &score, id))
    }

    /// The hand that is scored.
    pub(crate) fn scored(&self) -> Result<ScoreInput<'_>, ScoreError> {
        let winner = self.inputs().find(|input| input.win.is_some());
        let scored = winner.or_else(|| self.inputs().next());
        scored.ok_or(ScoreError::NotScored)
    }

    /// The payments between the seats of the whole table.
    ///
    /// # Errors
    /// [`ScoreError`] if a win fails, and for a request of one hand.
    pub fn settle(&self) -> Result<Settlement, ScoreError> {
        let plan = self.rules.plan();
        let inputs: Vec<_> = self.inputs().collect();
        let on_table = self.request.on_table;
        let exhausted = NoWin::Exhausted {
            nagashi: SeatSet::EMPTY,
        };
        let nagashi = match self.request.no_win.unwrap_or(exhausted) {
            NoWin::FalseWin(seat) => {
                return plan.false_win(seat).ok_or(ScoreError::NotScored);
            }
            _ if !self.wins.is_empty() => return self.rules.settle_hands(&inputs, on_table),
            NoWin::Aborted => return Ok(Settlement::default()),
            NoWin::Exhausted { nagashi } => nagashi,
        };
        let is_ready = |input: &&ScoreInput<'_>| {
            let waits = plan.ready_with(input.hand, input.seat, input.round, input.turned_tile());
            !waits.is_empty()
        };
        let ready = match plan.pays_at_exhausted_wall() {
            true => inputs
                .iter()
                .filter(is_ready)
                .map(|input| input.seat)
                .collect(),
            false => SeatSet::EMPTY,
        };
        let happening = Happening {
            ready,
            counters: on_table.counters,
            only_discarded: &|seat, _| nagashi.contains(seat),
            ..Happening::default()
        };
        let mut settlement = self.rules.settle_hands(&inputs, on_table)?;
        plan.pay_wall_end(&inputs, happening, &mut settlement);
        Ok(settlement)
    }

    /// Settles a won deal under a ruleset that may value hands differently: winners whose hands are worth too
    /// little now win nothing. The deal is not played again, so other decisions under these rules are not considered.
    ///
    /// # Errors
    /// Those of [`Table::settle`].
    pub fn settle_again(&self) -> Result<Resettled, ScoreError> {
        let mut inputs: Vec<_> = self.inputs().collect();
        let mut refused = SeatSet::EMPTY;
        for input in inputs.iter_mut().filter(|input| input.win.is_some()) {
            if let Err(ScoreError::BelowMinimum(_)) = self.rules.score_hand(input) {
                refused.insert(input.seat);
                input.win = None;
            }
        }
        let settlement = match inputs.iter().any(|input| input.win.is_some()) {
            true => self.rules.settle_hands(&inputs, self.request.on_table)?,
            false => Settlement::default(),
        };
        Ok(Resettled {
            settlement,
            refused,
        })
    }
}

impl Rules {
    /// Scores the winner's hand, or the first hand if there is no winner.
    ///
    /// ```
    /// use paishan::{Request, Rules};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let request = Request::won(&"123m456t789s55sEE".parse()?, "E".parse()?);
    /// let request = request.flags(rules.plan().flag_set(["riichi"])?);
    /// let score = rules.score(&request)?;
    /// assert_eq!(score.points, 11_700);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError`]: those of [`Request::check`] and [`Table::score`].
    pub fn score(&self, request: &Request) -> Result<Score, RequestError> {
        Ok(request.check(self)?.score()?)
    }

    /// Explains the score of the winner's hand, or of the first hand if there is no winner. A hand that is worth too
    /// little to win has an explanation, too. `wording` is a [`Notation`](crate::Notation), or one with a language for
    /// names ([`Notation::in_lang`](crate::Notation::in_lang)).
    ///
    /// ```
    /// use paishan::{Notation, Request, Rules};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let request = Request::won(&"123m456t789s55sEE".parse()?, "E".parse()?);
    /// let request = request.flags(rules.plan().flag_set(["riichi"])?);
    /// let told = rules.explain(&request, Notation::Ujmj)?;
    /// assert_eq!(told.headline, "11700 points (3,900 all): 4 han 30 fu");
    /// let pung = told.fu.iter().find(|row| row.made_of == ["EEE"]);
    /// assert_eq!(pung.map(|row| row.fu), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError`]: those of [`Request::check`] and [`Table::explain`].
    pub fn explain(
        &self,
        request: &Request,
        wording: impl Into<Wording>,
    ) -> Result<Explanation, RequestError> {
        Ok(request.check(self)?.explain(wording)?)
    }

    /// Why a pattern does not count: the parts of its condition that fail. Empty if it counts, and `None` if there is no such
    /// pattern.
    ///
    /// ```
    /// use paishan::{Request, Rules, Seat};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let request = Request::won(&"456s789m34t66m+234t".parse()?, "5t".parse()?).off(Seat::WEST);
    /// let why = rules.why_not(&request, "pinfu")?.expect("there is such a pattern");
    /// assert_eq!(why, ["it does not count in an open hand"]);
    /// let why = rules.why_not(&request, "all-pons")?.expect("there is such a pattern");
    /// assert!(why[0].ends_with(" is 0, not 4"), "{why:?}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError`]: those of [`Request::check`] and [`Table::explain`].
    pub fn why_not(
        &self,
        request: &Request,
        id: &str,
    ) -> Result<Option<Vec<String>>, RequestError> {
        Ok(request.check(self)?.why_not(id)?)
    }

    /// Settles a whole table: the payments between its seats. The hands are those of all seats, in seat order.
    ///
    /// ```
    /// use paishan::request::{Request, SeatHand};
    /// use paishan::{Rules, Seat, Win};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let hands = ["234t456s3467899m", "369t147s258mESWN", "247t258s369mESWC", "1357t1357s1357mP"];
    /// let hands: Vec<SeatHand> = Seat::all(4)
    ///     .zip(hands)
    ///     .map(|(seat, hand)| Ok(SeatHand::of(seat, &hand.parse()?)))
    ///     .collect::<Result<_, paishan::ParseHandError>>()?;
    /// let mut win = Win::off("5m".parse()?, Seat::WEST);
    /// win.flags = rules.plan().flag_set(["riichi"])?;
    /// let settlement = rules.settle(&Request::of_table(hands, vec![(Seat::EAST, win)]))?;
    /// let per_point = rules.plan().units_per_point();
    /// let payments: Vec<String> = settlement.payments.iter().map(|one| one.describe(rules.plan().payments())).collect();
    /// assert_eq!(payments, ["W pays E 2900: E wins with 2900"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError`]: those of [`Request::check`] and [`Table::settle`].
    pub fn settle(&self, request: &Request) -> Result<Settlement, RequestError> {
        Ok(request.check(self)?.settle()?)
    }
}
