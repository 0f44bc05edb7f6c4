//! How far a hand is from having a pattern.

use super::readings::each_reading;
use super::{PatternValue, ScoreInput, ScoreRules};
use crate::decompose::Decomposer;
use crate::tile_set::TileSet;

impl ScoreRules {
    /// How far the nearest reading of a hand is from having the pattern: 0 if it has it, in a reading that may count or
    /// not. `None` if the hand has no reading.
    pub(crate) fn lacks(
        &self,
        id: &str,
        decomposer: &Decomposer,
        set: &TileSet,
        input: &ScoreInput<'_>,
    ) -> Option<u32> {
        let patterns = || {
            let all = self.patterns.iter();
            all.filter(|one| one.id == id && !one.value.is_off())
        };
        let mut least = None;
        each_reading(self, decomposer, set, input, |reading, _, _| {
            let refused = u32::from(!self.allows(reading));
            for pattern in patterns() {
                let when = pattern.when.as_ref();
                let of_condition = when.map_or(0, |when| when.lacks(reading));
                let is_open = !reading.hand.is_closed();
                let only_closed = matches!(pattern.value, PatternValue::Han { open: 0, .. });
                let of_value = u32::from(is_open && only_closed);
                let of_count = u32::from(of_condition == 0 && pattern.times(reading) == 0);
                let lacks = refused + of_condition + of_value + of_count;
                least = Some(least.map_or(lacks, |least: u32| least.min(lacks)));
            }
        });
        least
    }
}
