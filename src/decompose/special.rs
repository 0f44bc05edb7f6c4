//! Forms that are not groups and a pair: complete? how far?

use super::Holding;
use super::arrange::Arrangement;
use super::distance::FAR;
use super::grammar::{Grammar, SpecialForm};
use crate::counts::{Counts, ONES, lane_covers};
use crate::meld::Group;
use std::ops::ControlFlow;

/// Tiles of a hand read as a whole.
const WHOLE: usize = 14;

/// Visits each special form that the tiles are.
pub(super) fn complete(
    grammar: &Grammar,
    holding: &Holding,
    visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Holding {
        concealed, melds, ..
    } = holding;
    if grammar.forms.is_empty() || !holding.consecutive || concealed.total() + 3 * melds != WHOLE {
        return ControlFlow::Continue(());
    }
    for (i, form) in grammar.forms.iter().enumerate() {
        if missing(form, holding, &grammar.copies) == 0 {
            let groups = match form {
                SpecialForm::Pairs { .. } => concealed
                    .kinds()
                    .iter()
                    .flat_map(|kind| {
                        let pairs = usize::from(concealed.get(kind) / 2);
                        std::iter::repeat_n(Group::pair(kind), pairs)
                    })
                    .collect(),
                SpecialForm::OneEach { .. } | SpecialForm::Straight => Default::default(),
            };
            visit(&Arrangement {
                form: i as u8 + 1,
                groups,
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// The least number of tiles missing from any special form, [`FAR`] where there is none.
pub(super) fn least_missing(grammar: &Grammar, holding: &Holding) -> u8 {
    if !holding.consecutive {
        // No form goes with such groups.
        return FAR;
    }
    grammar
        .forms
        .iter()
        .map(|form| missing(form, holding, &grammar.copies))
        .min()
        .unwrap_or(FAR)
}

/// Tiles missing from the nearest straight.
fn straight_missing(holding: &Holding, copies: &Counts) -> u8 {
    let presence = |lane: u64| (lane | lane >> 1 | lane >> 2) & ONES;
    let mut least = FAR;
    for lane in 0..3 {
        let declared = holding.declared.lane(lane);
        let elsewhere = (0..4).any(|other| other != lane && holding.declared.lane(other) != 0);
        if elsewhere || presence(declared) != declared {
            continue;
        }
        for start in 0..=16 - WHOLE {
            let ranks = (ONES >> (4 * (16 - WHOLE))) << (4 * start);
            if !lane_covers(ranks, declared) || !lane_covers(copies.lane(lane), ranks) {
                continue;
            }
            let lacks = (ranks - declared) & !presence(holding.concealed.lane(lane));
            least = least.min(lacks.count_ones() as u8);
        }
    }
    least
}

/// Tiles missing from one form; [`FAR`] where the declared groups rule it out.
pub(super) fn missing(form: &SpecialForm, holding: &Holding, copies: &Counts) -> u8 {
    let concealed = &holding.concealed;
    if *form == SpecialForm::Straight {
        return if holding.consecutive {
            straight_missing(holding, copies)
        } else {
            FAR
        };
    }
    if holding.melds > 0 {
        return FAR;
    }
    match form {
        SpecialForm::Straight => FAR,
        SpecialForm::Pairs { distinct } => {
            // Every kind offers pairs that lack 0, 1 or 2 tiles; the cheapest seven count.
            let mut offers = [0u8; 3];
            for kind in copies.at_least(2).iter() {
                let (have, most) = (concealed.get(kind), copies.get(kind) / 2);
                let pairs = if *distinct { most.min(1) } else { most };
                for pair in 0..pairs {
                    let held = have.saturating_sub(2 * pair).min(2);
                    offers[usize::from(2 - held)] += 1;
                }
            }
            let (mut left, mut cost) = (WHOLE as u8 / 2, 0);
            for (lacks, offer) in offers.into_iter().enumerate() {
                let taken = left.min(offer);
                left -= taken;
                cost += taken * lacks as u8;
            }
            if left > 0 { FAR } else { cost }
        }
        SpecialForm::OneEach { tiles, twice } => {
            let mut cost = 0;
            let mut has_twice = false;
            let mut can_twice = false;
            for kind in tiles.kinds().iter() {
                let (want, have, most) = (tiles.get(kind), concealed.get(kind), copies.get(kind));
                if want > most {
                    return FAR;
                }
                cost += want.saturating_sub(have);
                has_twice |= have > want;
                can_twice |= most > want;
            }
            match (twice, has_twice, can_twice) {
                (false, ..) | (true, true, _) => cost,
                (true, false, true) => cost + 1,
                (true, false, false) => FAR,
            }
        }
    }
}
