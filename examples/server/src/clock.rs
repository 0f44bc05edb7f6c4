//! [`Clock`]: how long people may think, and when others see what happens.
//!
//! After everything that the rules let somebody answer, whatever the hands, what follows is shown [`Clock::claim_ms`]
//! later: whether no seat is asked, one answers at once, or one lets the time pass. So nobody learns from the time of a
//! message who was asked.

use crate::error::Refusal;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The times of a table in milliseconds. Members that a request leaves out have their defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clock {
    /// From a discard, or anything else that may be answered, to what follows. 0 waits for the one person at the table
    /// and for nobody else.
    pub claim_ms: u64,
    /// For each decision on a person's own turn.
    pub turn_ms: u64,
    /// What a person has on top of that in the whole match.
    pub bank_ms: u64,
    /// From the last thing that happened to a bot's decision on its turn.
    pub pace_ms: u64,
    /// From the result of a deal to the next deal.
    pub pause_ms: u64,
    /// How much later spectators see what happens.
    pub watch_delay_ms: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            claim_ms: 3_000,
            turn_ms: 20_000,
            bank_ms: 60_000,
            pace_ms: 800,
            pause_ms: 10_000,
            watch_delay_ms: 60_000,
        }
    }
}

impl Clock {
    /// Checks the times of a table at which some people play.
    ///
    /// # Errors
    /// [`Refusal::BadClock`], and [`Refusal::ClaimsInTheOpen`] where two people or more need a time for claims.
    pub fn check(&self, people: usize) -> Result<(), Refusal> {
        let each: [(&'static str, u64, RangeInclusive<u64>); 6] = [
            ("claim_ms", self.claim_ms, 0..=60_000),
            ("turn_ms", self.turn_ms, 100..=600_000),
            ("bank_ms", self.bank_ms, 0..=3_600_000),
            ("pace_ms", self.pace_ms, 10..=10_000),
            ("pause_ms", self.pause_ms, 10..=60_000),
            ("watch_delay_ms", self.watch_delay_ms, 0..=300_000),
        ];
        for (name, value, range) in each {
            if !range.contains(&value) {
                let (least, most) = (*range.start(), *range.end());
                return Err(Refusal::BadClock { name, least, most });
            }
        }
        if self.claim_ms == 0 && people > 1 {
            return Err(Refusal::ClaimsInTheOpen);
        }
        Ok(())
    }

    /// True if the time of a message never shows whether a person was asked, so that others may watch.
    pub fn hides_claims(&self, people: usize) -> bool {
        self.claim_ms > 0 || people == 0
    }

    /// The time after something that may be answered.
    pub fn claim(&self) -> Duration {
        match self.claim_ms {
            0 => self.pace(),
            time => Duration::from_millis(time),
        }
    }

    /// How long before the end of the time for claims no more answers are taken. In that time the server stores them and
    /// answers for players who have not.
    pub fn margin(&self) -> Duration {
        (self.claim() / 10).min(Duration::from_millis(50))
    }

    /// The time for a decision on a person's own turn.
    pub fn turn(&self) -> Duration {
        Duration::from_millis(self.turn_ms)
    }

    /// The time to a bot's decision.
    pub fn pace(&self) -> Duration {
        Duration::from_millis(self.pace_ms)
    }

    /// The time between two deals.
    pub fn pause(&self) -> Duration {
        Duration::from_millis(self.pause_ms)
    }

    /// How much later spectators see what happens.
    pub fn watch_delay(&self) -> Duration {
        Duration::from_millis(self.watch_delay_ms)
    }

    /// What is left of a person's bank after a decision that took some time.
    pub fn left(&self, bank: Duration, took: Duration) -> Duration {
        bank.saturating_sub(took.saturating_sub(self.turn()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_ranges() {
        let clock = Clock::default();
        assert_eq!(clock.check(4), Ok(()));
        let none = Clock {
            turn_ms: 0,
            ..clock
        };
        let refused = Refusal::BadClock {
            name: "turn_ms",
            least: 100,
            most: 600_000,
        };
        assert_eq!(none.check(1), Err(refused));
        let open = Clock {
            claim_ms: 0,
            ..clock
        };
        assert_eq!(open.check(1), Ok(()));
        assert_eq!(open.check(2), Err(Refusal::ClaimsInTheOpen));
        assert!(!open.hides_claims(1) && open.hides_claims(0) && clock.hides_claims(1));
        assert!(serde_json::from_str::<Clock>(r#"{"turn":1}"#).is_err());
        let read: Clock = serde_json::from_str(r#"{"turn_ms":500}"#).unwrap();
        assert_eq!(
            read,
            Clock {
                turn_ms: 500,
                ..clock
            }
        );
    }

    #[test]
    fn only_time_beyond_the_turn_is_taken_from_the_bank() {
        let clock = Clock::default();
        let seconds = Duration::from_secs;
        assert_eq!(clock.left(seconds(60), seconds(20)), seconds(60));
        assert_eq!(clock.left(seconds(60), seconds(25)), seconds(55));
        assert_eq!(clock.left(seconds(3), seconds(25)), seconds(0));
    }
}
