//! What patterns are worth, in one unit for all of a ruleset.

use crate::decimal::Decimal;
use crate::ruleset::Plan;
use crate::score::{Pattern, PatternValue, ScoreFamily};

/// The unit in which a ruleset prices most of its patterns: han, or one of its columns. Play-tests compare prices with how
/// often patterns count.
///
/// ```
/// use paishan::Rules;
/// use paishan::simulate::PriceUnit;
/// let rules = Rules::by_id("mcr")?;
/// let unit = PriceUnit::of(rules.plan());
/// let patterns = rules.plan().score().patterns();
/// let all_pungs = patterns.iter().find(|pattern| pattern.id == "all-pungs").unwrap();
/// assert_eq!(unit.name(), "fan");
/// assert_eq!(unit.price(all_pungs).unwrap().to_string(), "6");
/// # Ok::<(), paishan::ruleset::LoadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PriceUnit {
    name: String,
    /// The index of the column. `None` for han.
    column: Option<usize>,
}

impl PriceUnit {
    /// The first column, if more than a few patterns add to it; otherwise the one to which most patterns add.
    pub fn of(plan: &Plan) -> Self {
        const FEW: usize = 3;
        let han = || Self {
            name: "han".to_owned(),
            column: None,
        };
        let ScoreFamily::Sums(rules) = plan.score().family() else {
            return han();
        };
        let units = rules.names.iter().enumerate().map(|(column, name)| Self {
            name: name.clone(),
            column: Some(column),
        });
        let patterns = plan.score().patterns();
        let priced = |unit: &Self| patterns.iter().filter(|p| unit.price(p).is_some()).count();
        let units: Vec<Self> = units.collect();
        let most = units.iter().map(priced).max();
        let decides = |(place, unit): &(usize, &Self)| {
            *place == 0 && priced(unit) > FEW || *place > 0 && Some(priced(unit)) == most
        };
        let found = units.iter().enumerate().find(decides);
        let found = found.map(|(_, unit)| unit).or(units.first());
        found.cloned().unwrap_or_else(han)
    }

    /// The name of the column, or `han`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The index of the column. `None` for han.
    pub const fn column(&self) -> Option<usize> {
        self.column
    }

    /// What a pattern is worth in this unit: that of a closed hand, for a yaku. `None` for a pattern that is worth nothing in
    /// it, such as a limit hand.
    pub fn price(&self, pattern: &Pattern) -> Option<Decimal> {
        match (self.column, pattern.value) {
            (Some(column), PatternValue::Sums(amounts)) => amounts.columns().get(column).copied(),
            (None, PatternValue::Han { closed, .. }) => Some(Decimal::whole(closed.into())),
            (None, PatternValue::BonusHan(han)) => Some(Decimal::whole(han.into())),
            _ => None,
        }
        .filter(|price| price.tenths() > 0)
    }
}
