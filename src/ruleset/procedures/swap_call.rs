//! Swap calls: what may not be discarded after a claim: `[procedures.swap-call]`.
//! Source: `rulesets/riichi-mcgill.md` §4.

use crate::counts::Counts;
use crate::decompose::Decomposer;
use crate::hand::Hand;
use crate::meld::Group;
use crate::ruleset::PlayRules;
use crate::ruleset::source::{RulesetError, Section};
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{Action, DealState, Legal, MeldTiles, Phase};
use crate::tile::{Kind, Rank, Tile};

/// What may not be discarded in the turn of a claim. The claimed kind is always forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SwapCallRules {
    /// If a run was claimed at one end, the kind one beyond its other end is forbidden, too.
    pub other_end: bool,
}

impl SwapCallRules {
    /// `None` if every discard is allowed.
    pub(super) fn read(section: &Section<'_>) -> Result<Option<Self>, RulesetError> {
        let words = [
            ("allowed", None),
            ("same-tile-forbidden", Some(Self { other_end: false })),
            ("forbidden", Some(Self { other_end: true })),
        ];
        let word = section.word("discards", &words)?;
        section.require("discards", word)
    }

    /// The kinds that may not be discarded after this meld.
    fn forbidden(&self, group: Group, claimed: Kind) -> KindSet {
        let mut kinds = KindSet::one(claimed);
        if !self.other_end || !group.is_consecutive() {
            return kinds;
        }
        let [low, _, high] = group.kinds();
        let rank = |kind: Kind| kind.rank().map_or(0, Rank::get);
        let beyond = match claimed {
            tile if tile == low => rank(high) + 1,
            tile if tile == high => rank(low) - 1,
            _ => return kinds,
        };
        if let (Some(suit), Some(rank)) = (group.suit(), Rank::new(beyond)) {
            kinds.insert(Kind::number(suit, rank));
        }
        kinds
    }

    /// Forbids discards after a claim, and claims that would leave no legal discard.
    #[inline]
    pub(in crate::ruleset) fn adjust(
        &self,
        (decomposer, play): (&Decomposer, &PlayRules),
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        if !matches!(state.phase(), Phase::Turn(turn) if !turn.claimed) {
            self.adjust_claim((decomposer, play), state, seat, legal);
        }
    }

    fn adjust_claim(
        &self,
        (decomposer, play): (&Decomposer, &PlayRules),
        state: &DealState,
        seat: Seat,
        legal: &mut Legal,
    ) {
        let hand = state.hand(seat);
        let kongs_draw = play.kong_replacement;
        let kept = match play.wild.discard {
            true => KindSet::EMPTY,
            false => decomposer.wild(),
        };
        match state.phase() {
            Phase::Turn(_) => {
                // Melds may have been laid down since the claim.
                let mut melds = hand.melds.iter().rev();
                let claimed = melds.find_map(|meld| Some((meld.group, meld.claimed?.kind()?)));
                if let Some((group, claimed)) = claimed {
                    let forbidden = self.forbidden(group, claimed);
                    legal.keep_discards(KindSet::ALL.difference(forbidden));
                    let leaves = |rest: Counts| leaves_another(kept, rest, forbidden);
                    legal.retain_others(|action| match action {
                        Action::Lay(group) => leaves(without(hand, group.tiles())),
                        Action::Swap(tiles) => {
                            let mut rest = without(hand, tiles.joker_stands_for().into_iter());
                            rest.try_add(Kind::JOKER) && leaves(rest)
                        }
                        _ => true,
                    });
                }
            }
            Phase::Claims(claims) => {
                let Some(claimed) = claims.tile.kind() else {
                    return;
                };
                // A claim takes two concealed tiles, or three. At most two kinds are forbidden, and with the claimed
                // tile gone seven of them are left. So a hand with more natural tiles has another discard.
                let wild = decomposer.wild();
                let taken = if kongs_draw { 2 } else { 3 };
                if hand.concealed().total() - held_in(hand, wild) > taken + 7 {
                    return;
                }
                let leaves = |tiles: MeldTiles| {
                    let own = tiles.beside(claimed).filter_map(Tile::kind);
                    let forbidden = self.forbidden(tiles.group(), claimed);
                    leaves_another(kept, without(hand, own), forbidden)
                };
                legal.retain_others(|action| match action {
                    // The replacement of a kong may be discarded.
                    Action::Claim(tiles) => kongs_draw && tiles.group().len() == 4 || leaves(tiles),
                    _ => true,
                });
            }
            Phase::Opening(_) | Phase::EndChoice | Phase::Over => {}
        }
    }
}

/// The concealed tiles of a hand without these.
fn without(hand: &Hand, tiles: impl Iterator<Item = Kind>) -> Counts {
    let mut rest = *hand.concealed();
    for kind in tiles {
        rest.try_remove(kind);
    }
    rest
}

/// True if one of these concealed tiles may be discarded and is not forbidden. The `kept` kinds may be discarded only if
/// nothing else is held.
fn leaves_another(kept: KindSet, rest: Counts, forbidden: KindSet) -> bool {
    let rest = rest.kinds();
    let natural = rest.difference(kept);
    let may_be_discarded = if natural.is_empty() { rest } else { natural };
    !may_be_discarded.is_subset(forbidden)
}

/// The number of concealed tiles of a hand in a set of kinds. Most sets are empty.
#[inline]
fn held_in(hand: &Hand, kinds: KindSet) -> usize {
    if kinds.is_empty() {
        return 0;
    }
    hand.concealed().count_in(kinds) as usize
}
