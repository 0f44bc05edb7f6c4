//! Forms that are not groups and a pair: complete? how far?

use super::arrange::Arrangement;
use super::distance::FAR;
use super::grammar::{Grammar, SpecialForm};
use crate::counts::Counts;
use crate::meld::Group;
use std::ops::ControlFlow;

/// Tiles of a hand read as a whole.
const WHOLE: usize = 14;

/// Visits each special form that the tiles are.
pub(super) fn complete(
    grammar: &Grammar,
    concealed: &Counts,
    melds: usize,
    visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if melds > 0 || grammar.forms.is_empty() || concealed.total() != WHOLE {
        return ControlFlow::Continue(());
    }
    for (i, form) in grammar.forms.iter().enumerate() {
        if missing(form, concealed, &grammar.copies) == 0 {
            let groups = match form {
                SpecialForm::Pairs { .. } => concealed
                    .kinds()
                    .iter()
                    .flat_map(|kind| {
                        let pairs = usize::from(concealed.get(kind) / 2);
                        std::iter::repeat_n(Group::pair(kind), pairs)
                    })
                    .collect(),
                SpecialForm::OneEach { .. } => Default::default(),
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
pub(super) fn least_missing(grammar: &Grammar, concealed: &Counts, melds: usize) -> u8 {
    if melds > 0 {
        return FAR;
    }
    grammar
        .forms
        .iter()
        .map(|form| missing(form, concealed, &grammar.copies))
        .min()
        .unwrap_or(FAR)
}

/// Tiles missing from one form; nothing is declared beside it.
fn missing(form: &SpecialForm, concealed: &Counts, copies: &Counts) -> u8 {
    match form {
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
