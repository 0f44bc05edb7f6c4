//! How the zeros of a hand are treated: shared by the lanes, or counted.

use super::costs::Zeros;
use super::grammar::Grammar;
use super::holding::Holding;
use crate::tile::Kind;

/// Decides whether zeros are shared or counted.
///
/// Zeros are shared where a target may use any number of them, which is nearly always so. The runs of a target take
/// no more zeros than it has groups. More zeros may be in a pair or a pung, but such a zero can also serve a run that
/// lacks its own. In the end no run lacks a zero, or all those zeros serve runs. Then a pair of unheld tiles takes
/// their place, and a roomy set always has one.
///
/// Zeros are counted where a target could need one more than there are, in any of these cases:
///
/// - The set is not roomy, or does not have four zeros.
/// - Some zeros are declared, and the set has few copies of some kinds.
/// - Fewer zeros are left than groups are needed.
/// - The hand holds all zeros that are left.
#[inline]
pub(super) fn zeros_of(grammar: &Grammar, holding: &Holding) -> Zeros {
    if !grammar.uses_zero {
        return Zeros::None;
    }
    let held = usize::from(holding.concealed.get(Kind::ZERO));
    let (copies, declared) = (
        grammar.copies.get(Kind::ZERO),
        holding.declared.get(Kind::ZERO),
    );
    let left = usize::from(copies.saturating_sub(declared));
    let need = grammar.groups.saturating_sub(holding.melds);
    let may_share = declared == 0 || grammar.has_four_of_each;
    if grammar.roomy && may_share && copies == 4 && held < left && need <= left {
        Zeros::Shared(held)
    } else {
        Zeros::Counted(held)
    }
}
