//! The features of a ruleset that decide which planes and scalars an observation has.

use crate::ruleset::Plan;
use crate::score::ChowFrom;
use crate::set::FlowerSet;
use crate::state::OpeningChoice;
use crate::tile::{Suit, Wind};

/// The features of a ruleset that planes and scalars are about.
#[derive(Clone)]
pub(super) struct Uses {
    pub(super) reds: bool,
    pub(super) winds: bool,
    pub(super) jokers: bool,
    pub(super) indicators: bool,
    pub(super) melds_claimed: bool,
    pub(super) riichi: bool,
    pub(super) plays_on: bool,
    pub(super) exchange: bool,
    pub(super) missing: bool,
    pub(super) shows: bool,
    pub(super) set_aside: bool,
    pub(super) announced: bool,
    pub(super) dead: bool,
    pub(super) hidden_kongs: bool,
    pub(super) flowers: FlowerSet,
    /// Some scalars of a player are about features that few rulesets have.
    pub(super) special: bool,
}

impl Uses {
    pub(super) fn of(plan: &Plan) -> Self {
        let (play, procedures) = (&plan.play, &plan.procedures);
        let grammar = plan.decomposer.grammar();
        let chows = play.chow_from != ChowFrom::Nobody && grammar.shapes().len() > 0;
        let mut uses = Self {
            reds: Suit::ALL.into_iter().any(|suit| plan.tiles.reds(suit) > 0),
            winds: Wind::ALL.into_iter().all(|wind| {
                let in_play = |kind| plan.tiles.kinds().contains(kind);
                in_play(wind.kind()) || in_play(wind.compressed())
            }),
            jokers: play.wild.claimed.any(),
            indicators: plan.wall.indicators_at_most() > 0,
            melds_claimed: chows || grammar.has_pung() || grammar.has_kong(),
            riichi: procedures.riichi.is_some(),
            plays_on: play.plays_on,
            exchange: plan.opens_with(OpeningChoice::Exchange),
            missing: plan.opens_with(OpeningChoice::MissingSuit),
            shows: plan.opens_with(OpeningChoice::Show),
            set_aside: !play.aside.kinds().is_empty(),
            announced: procedures.fishing.is_some(),
            dead: procedures.dead_hands,
            hidden_kongs: play.hidden_kongs,
            flowers: plan.tiles.flowers(),
            special: false,
        };
        uses.special = uses.plays_on
            || uses.missing
            || uses.set_aside
            || uses.announced
            || uses.dead
            || !uses.flowers.is_empty();
        uses
    }
}
