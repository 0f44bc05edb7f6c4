//! Forms that are not groups and a pair: complete? how far?

use super::Holding;
use super::arrange::Arrangement;
use super::distance::FAR;
use super::grammar::{Grammar, SpecialForm};
use crate::counts::{Counts, ONES, lane_covers};
use crate::meld::Group;
use crate::set::KindSet;
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
        if is_form(form, holding) {
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

/// True when fourteen tiles are a form; the declared groups go with it only if it is a straight.
fn is_form(form: &SpecialForm, holding: &Holding) -> bool {
    let concealed = &holding.concealed;
    let lanes: [u64; 4] = std::array::from_fn(|lane| concealed.lane(lane));
    match form {
        SpecialForm::Straight => {
            let whole: [u64; 4] =
                std::array::from_fn(|lane| lanes[lane] + holding.declared.lane(lane));
            whole[3] == 0
                && whole.iter().filter(|&&lane| lane != 0).count() == 1
                && straights().any(|ranks| whole.contains(&ranks))
        }
        _ if holding.melds > 0 => false,
        SpecialForm::Pairs { distinct } => {
            let odd = lanes.iter().fold(0, |all, lane| all | lane & ONES);
            let fours = lanes.iter().fold(0, |all, lane| all | lane >> 2 & ONES);
            odd == 0 && !(*distinct && fours != 0)
        }
        SpecialForm::OneEach { tiles, twice } => {
            let mut over = 0;
            for (lane, &held) in lanes.iter().enumerate() {
                let wanted = tiles.lane(lane);
                if !lane_covers(held, wanted) {
                    return false;
                }
                let kinds = (wanted | wanted >> 1 | wanted >> 2) & ONES;
                over |= (held - wanted) & !(kinds * 15);
            }
            // With all that is wanted the fourteenth tile is the one over.
            !*twice && tiles.total() == WHOLE || *twice && over == 0
        }
    }
}

/// The least number of tiles missing from any special form, [`FAR`] where there is none.
#[inline]
pub(super) fn least_missing(grammar: &Grammar, holding: &Holding) -> u8 {
    if !holding.consecutive || grammar.forms.is_empty() {
        // No form goes with such groups.
        return FAR;
    }
    let held: [KindSet; 4] = [1, 2, 3, 4].map(|count| holding.concealed.at_least(count));
    grammar
        .forms
        .iter()
        .map(|form| quickly_missing(form, holding, &held, grammar))
        .min()
        .unwrap_or(FAR)
}

/// Tiles missing from one form, as [`missing`], told from the sets of kinds of which one, two, three and
/// four are held.
#[inline]
fn quickly_missing(
    form: &SpecialForm,
    holding: &Holding,
    held: &[KindSet; 4],
    grammar: &Grammar,
) -> u8 {
    match form {
        _ if holding.melds > 0 => missing(form, holding, &grammar.copies),
        SpecialForm::Pairs { distinct } => {
            let count = |set: KindSet| set.len();
            let pairable = grammar.pairable;
            let [one, two, three, four] = held.map(|set| set.intersection(pairable));
            // A kind offers a pair, and where four alike are two pairs another, lacking none, one or two.
            let second = |set: KindSet| match distinct {
                true => 0,
                false => count(set.intersection(grammar.twice_pairable)),
            };
            let whole = count(two) + second(four);
            let half = count(one) - count(two) + second(three) - second(four);
            let all = count(pairable) + second(pairable);
            let wanted = WHOLE / 2;
            let (whole, half) = (whole.min(wanted), half.min(wanted - whole.min(wanted)));
            if all < wanted {
                FAR
            } else {
                (half + 2 * (wanted - whole - half)) as u8
            }
        }
        SpecialForm::OneEach { tiles, twice } if tiles.at_least(2).is_empty() => {
            let wanted = tiles.kinds();
            if !wanted.is_subset(grammar.copies.kinds()) {
                return FAR;
            }
            let cost = wanted.difference(held[0]).len() as u8;
            match (twice, wanted.intersection(held[1]).is_empty()) {
                (false, _) | (true, false) => cost,
                (true, true) if wanted.intersection(grammar.pairable).is_empty() => FAR,
                (true, true) => cost + 1,
            }
        }
        _ => missing(form, holding, &grammar.copies),
    }
}

/// Fourteen ranks in a row, a 1 in each nibble.
fn straights() -> impl Iterator<Item = u64> {
    let first = ONES >> (4 * (16 - WHOLE));
    (0..=16 - WHOLE).map(move |start| first << (4 * start))
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
        for ranks in straights() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;
    use crate::ruleset::{self, Ruleset};
    use crate::tile::Kind;

    /// The quick test for a form agrees with the count of what is missing, on hands that are one or
    /// nearly one.
    #[test]
    fn a_form_is_what_lacks_nothing() {
        let rules = ruleset::by_id("uzje", &[]).unwrap();
        let grammar = rules.plan().decomposer.grammar();
        let mut stream = Stream::new(3, 3);
        let mut forms = 0;
        for round in 0..4000 {
            let form = &grammar.forms()[round % grammar.forms().len()];
            let mut hand = Counts::EMPTY;
            let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
            let any = |stream: &mut Stream| kinds[stream.below(kinds.len() as u32) as usize];
            match form {
                SpecialForm::Pairs { .. } => {
                    while hand.total() < WHOLE {
                        let kind = any(&mut stream);
                        if hand.get(kind) <= 2 {
                            hand.add(kind, 2);
                        }
                    }
                }
                SpecialForm::OneEach { tiles, .. } => hand = *tiles,
                SpecialForm::Straight => {
                    let start = stream.below(4);
                    for place in start..(start + 14).min(16) {
                        hand.try_add(Kind::at(1, place));
                    }
                }
            }
            while hand.total() < WHOLE {
                let orphan = [Kind::ZERO, Kind::RED, Kind::EAST, any(&mut stream)];
                hand.try_add(orphan[stream.below(4) as usize]);
            }
            if stream.below(3) == 0 {
                let held: Vec<Kind> = hand.iter().collect();
                hand.try_remove(held[stream.below(held.len() as u32) as usize]);
                hand.try_add(any(&mut stream));
            }
            if hand.total() != WHOLE {
                continue;
            }
            let holding = Holding::of_tiles(hand);
            for form in grammar.forms() {
                let lacks = missing(form, &holding, grammar.copies());
                let held = [1, 2, 3, 4].map(|count| holding.concealed.at_least(count));
                let quick = quickly_missing(form, &holding, &held, grammar);
                assert_eq!(quick, lacks, "{form:?} {hand:?}");
                let complete = lacks == 0;
                assert_eq!(is_form(form, &holding), complete, "{form:?} {hand:?}");
                forms += usize::from(complete);
            }
        }
        assert!(forms > 1000, "{forms}");
    }
}
