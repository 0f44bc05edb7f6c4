//! The special forms: whether a hand is one, and its missing and accepted tiles.

use super::arrangement::Arrangement;
use super::costs::FAR;
use super::floor::{Held, WHOLE, count, held_lanes};
use super::form::SpecialForm;
use super::grammar::Grammar;
use super::holding::Holding;
use crate::counts::{Counts, ONES, gather, lane_covers, lane_sum};
use crate::list::List;
use crate::meld::Group;
use crate::set::KindSet;
use crate::tile::Kind;
use std::ops::ControlFlow;

/// Visits each special form that the hand matches.
#[inline]
pub(super) fn complete(
    grammar: &Grammar,
    holding: &Holding,
    visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Holding {
        concealed, melds, ..
    } = holding;
    if holding.size() != WHOLE {
        return ControlFlow::Continue(());
    }
    if holding.consecutive && grammar.form_floor.may_be_forms(concealed) {
        of_forms(grammar, holding, visit)?;
    }
    if grammar.lists.is_empty() {
        return ControlFlow::Continue(());
    }
    grammar.lists.complete(concealed, *melds, visit)
}

/// [`complete`] for tiles that may be a form.
#[inline(never)]
fn of_forms(
    grammar: &Grammar,
    holding: &Holding,
    visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let concealed = &holding.concealed;
    for (i, form) in grammar.forms.iter().enumerate() {
        if is_form(form, holding) {
            let groups = match form {
                SpecialForm::Pairs { .. } => {
                    List::first_of(concealed.kinds().iter().flat_map(|kind| {
                        let pairs = usize::from(concealed.get(kind) / 2);
                        std::iter::repeat_n(Group::pair(kind), pairs)
                    }))
                }
                _ => Default::default(),
            };
            visit(&Arrangement {
                form: i as u8 + 1,
                groups,
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// True if fourteen tiles are the form. Only a straight allows declared groups. Forms of lists are found by
/// [`Lists::complete`](super::lists::Lists::complete).
#[inline]
fn is_form(form: &SpecialForm, holding: &Holding) -> bool {
    let concealed = &holding.concealed;
    let lanes = concealed.lanes();
    match form {
        SpecialForm::Straight if lanes[3] != 0 => false,
        SpecialForm::Straight => {
            let whole: [u64; 4] =
                std::array::from_fn(|lane| lanes[lane] + holding.declared.lane(lane));
            whole[3] == 0
                && held_lanes(&whole) == 1
                && straights().any(|ranks| whole.contains(&ranks))
        }
        SpecialForm::Different { .. } | SpecialForm::WithGroups { .. } => false,
        _ if holding.melds > 0 => false,
        SpecialForm::Pairs { distinct } => {
            let odd = lanes.iter().fold(0, |all, lane| all | lane & ONES);
            let fours = lanes.iter().fold(0, |all, lane| all | lane >> 2 & ONES);
            odd == 0 && !(*distinct && fours != 0)
        }
        SpecialForm::OneEach { tiles, twice } => {
            let mut over = 0;
            // Honours first: few hands have all of them, so most leave here.
            for (lane, &held) in lanes.iter().enumerate().rev() {
                let wanted = tiles.lane(lane);
                if !lane_covers(held, wanted) {
                    return false;
                }
                let kinds = (wanted | wanted >> 1 | wanted >> 2) & ONES;
                over |= (held - wanted) & !(kinds * 15);
            }
            // The hand has all that the form wants. With `twice` a fourteenth tile is left over, and it must
            // be of a wanted kind.
            !*twice && tiles.total() == WHOLE || *twice && over == 0
        }
    }
}

/// The tiles missing from the nearest special form if fewer than `bound`, otherwise `bound`.
#[inline]
pub(super) fn missing_below(grammar: &Grammar, holding: &Holding, bound: u8) -> u8 {
    let bound = grammar.lists.missing_below(holding, bound);
    if !holding.consecutive || grammar.forms.is_empty() {
        // No form allows the declared groups.
        return bound;
    }
    let held = Held::new(&holding.concealed);
    if !grammar.form_floor.reaches(holding, &held, bound) {
        return bound;
    }
    nearest(grammar, holding, &held, bound)
}

/// [`missing_below`] for a hand where some form may lack fewer tiles than `bound`.
#[inline(never)]
fn nearest(grammar: &Grammar, holding: &Holding, held: &Held, bound: u8) -> u8 {
    let is_list = |form: &&SpecialForm| {
        matches!(
            form,
            SpecialForm::Different { .. } | SpecialForm::WithGroups { .. }
        )
    };
    let forms = grammar.forms.iter().filter(|form| !is_list(form));
    forms.fold(bound, |bound, form| {
        bound.min(quickly_missing(form, holding, held, grammar, bound))
    })
}

/// The accepted tiles of the nearest form, which has `missing` missing tiles. Kinds without a copy left are not
/// listed.
pub(super) fn accepts(grammar: &Grammar, holding: &Holding, missing: u8) -> KindSet {
    let held = Held::new(&holding.concealed);
    let mut accepts = KindSet::EMPTY;
    if missing >= FAR {
        // No form can ever be complete, so no tile helps.
        return accepts;
    }
    let is_left = |kind: &Kind| !holding.is_exhausted(*kind, &grammar.copies);
    for form in &grammar.forms {
        // One tile lowers the number of missing tiles by at most one. So only forms with exactly `missing`
        // missing tiles count.
        if quickly_missing(form, holding, &held, grammar, missing + 1) == missing {
            let kinds = accepted(form, &holding.concealed, &held, grammar);
            accepts = accepts.union(kinds.unwrap_or_else(|| {
                let lowers = |kind: &Kind| {
                    let more = holding.with_beyond(*kind);
                    let held = Held::new(&more.concealed);
                    quickly_missing(form, &more, &held, grammar, missing) < missing
                };
                let left = grammar.copies.kinds().iter().filter(is_left);
                left.filter(lowers).collect()
            }));
        }
    }
    accepts.iter().filter(is_left).collect()
}

/// The accepted tiles of an unfinished form, read from the counts. `None` if the counts are not enough for this
/// form; then the caller tries every kind.
fn accepted(
    form: &SpecialForm,
    counts: &Counts,
    held: &Held,
    grammar: &Grammar,
) -> Option<KindSet> {
    let Held { ones, twos } = held;
    let Grammar {
        pairable,
        twice_pairable,
        ..
    } = grammar;
    let kinds = |of: &dyn Fn(usize) -> u64| {
        let bits = (0..4).map(|lane| gather(of(lane)) << (16 * lane));
        KindSet::from_bits(bits.sum())
    };
    let single = |lane: usize| ones[lane] & !twos[lane] & pairable[lane];
    match form {
        SpecialForm::Pairs { distinct } if grammar.has_seven_pairs(*distinct) => {
            // Kinds that may be two pairs: those with four copies, unless all pairs must differ.
            let fours = |lane: usize| match distinct {
                true => 0,
                false => twice_pairable[lane],
            };
            let three = |lane: usize| twos[lane] & counts.lane(lane) & fours(lane);
            let four = |lane: usize| counts.lane(lane) >> 2 & fours(lane);
            // Each held kind has begun a pair. With three tiles or more it has begun a second one.
            let begun = kinds(&|lane| ones[lane] & pairable[lane]).len()
                + kinds(&|lane| three(lane) | four(lane)).len();
            // The second tile of a pair helps. The first tile of another helps too if fewer than seven have
            // begun.
            let halves = kinds(&|lane| single(lane) | three(lane));
            let others = |lane: usize| {
                let two = twos[lane] & fours(lane) & !three(lane) & !four(lane);
                !ones[lane] & pairable[lane] | two
            };
            Some(match begun < WHOLE / 2 {
                true => halves.union(kinds(&others)),
                false => halves,
            })
        }
        SpecialForm::OneEach { tiles, twice } if are_different(tiles, grammar) => {
            let wanted = |lane: usize| tiles.lane(lane);
            let lacked = kinds(&|lane| wanted(lane) & !ones[lane]);
            let is_twice = (0..4).any(|lane| twos[lane] & wanted(lane) != 0);
            Some(match *twice && !is_twice {
                true => lacked.union(kinds(&|lane| wanted(lane) & single(lane))),
                false => lacked,
            })
        }
        _ => None,
    }
}

/// True if the form wants one tile each of kinds that the set has.
fn are_different(tiles: &Counts, grammar: &Grammar) -> bool {
    let is_so = |lane: usize| {
        let wanted = tiles.lane(lane);
        wanted & !ONES == 0 && lane_covers(grammar.copies.lane(lane), wanted)
    };
    (0..4).all(is_so)
}

/// The tiles missing from one form. Exact, as [`missing`], if fewer than `bound`; otherwise any number not less
/// than `bound`.
#[inline]
fn quickly_missing(
    form: &SpecialForm,
    holding: &Holding,
    held: &Held,
    grammar: &Grammar,
    bound: u8,
) -> u8 {
    let Held { ones, twos } = held;
    let and = |a: &[u64; 4], b: &[u64; 4]| -> [u64; 4] { std::array::from_fn(|i| a[i] & b[i]) };
    match form {
        SpecialForm::Straight => {
            // A straight has each rank once, so only different tiles of a suit count.
            let reaches = |lane: usize| {
                let declared = holding.declared.lane(lane);
                let different = lane_sum(ones[lane] | declared & ONES) as usize;
                WHOLE.saturating_sub(different) < usize::from(bound)
            };
            match (0..3).any(reaches) {
                true => missing(form, holding, grammar),
                false => bound,
            }
        }
        SpecialForm::Different { .. } | SpecialForm::WithGroups { .. } => {
            grammar.lists.missing(form, holding, bound)
        }
        _ if holding.melds > 0 => bound,
        SpecialForm::Pairs { distinct } if grammar.has_seven_pairs(*distinct) => {
            let pairable = grammar.pairable;
            let (one, mut whole) = (count(and(ones, &pairable)), count(and(twos, &pairable)));
            let mut half = one - whole;
            if !*distinct {
                // If four of a kind are two pairs, three are one and a half.
                let fours: [u64; 4] = std::array::from_fn(|lane| holding.concealed.lane(lane) >> 2);
                let threes = std::array::from_fn(|lane| {
                    let counts = holding.concealed.lane(lane);
                    counts & counts >> 1
                });
                whole += count(and(&fours, &grammar.twice_pairable));
                half += count(and(&threes, &grammar.twice_pairable));
            }
            let wanted = WHOLE as u8 / 2;
            let whole = whole.min(wanted);
            let half = half.min(wanted - whole);
            half + 2 * (wanted - whole - half)
        }
        SpecialForm::OneEach { tiles, twice } => {
            if !are_different(tiles, grammar) {
                return missing(form, holding, grammar);
            }
            let wanted = tiles.lanes();
            let cost = count(wanted) - count(and(ones, &wanted));
            let any = |lanes: &[u64; 4]| and(lanes, &wanted) != [0; 4];
            match (twice, any(twos)) {
                (false, _) | (true, true) => cost,
                (true, false) if !any(&grammar.pairable) => FAR,
                (true, false) => cost + 1,
            }
        }
        SpecialForm::Pairs { .. } => missing(form, holding, grammar),
    }
}

/// All straights, as lanes with a 1 in the nibbles of fourteen ranks in a row.
fn straights() -> impl Iterator<Item = u64> {
    let first = ONES >> (4 * (16 - WHOLE));
    (0..=16 - WHOLE).map(move |start| first << (4 * start))
}

/// The tiles missing from the nearest straight.
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

/// The tiles missing from one form; [`FAR`] if the declared groups rule it out or the set lacks its tiles.
pub(super) fn missing(form: &SpecialForm, holding: &Holding, grammar: &Grammar) -> u8 {
    let copies = &grammar.copies;
    let concealed = &holding.concealed;
    if *form == SpecialForm::Straight {
        return if holding.consecutive {
            straight_missing(holding, copies)
        } else {
            FAR
        };
    }
    if let SpecialForm::Different { .. } | SpecialForm::WithGroups { .. } = form {
        return grammar.lists.missing(form, holding, FAR);
    }
    if holding.melds > 0 {
        return FAR;
    }
    match form {
        SpecialForm::Different { .. } | SpecialForm::WithGroups { .. } | SpecialForm::Straight => {
            FAR
        }
        SpecialForm::Pairs { distinct } => {
            // Each kind offers pairs that lack 0, 1 or 2 tiles. The seven cheapest count.
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
    use crate::ruleset::Rules;

    /// The quick functions agree with [`missing`] on hands that are a form or nearly one.
    #[test]
    fn a_form_is_what_lacks_nothing() {
        let rules = Rules::by_id("uzje").unwrap();
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
                form => unreachable!("no form of the ruleset: {form:?}"),
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
                let lacks = missing(form, &holding, grammar);
                for bound in 1..=14 {
                    let held = Held::new(&holding.concealed);
                    let quick = quickly_missing(form, &holding, &held, grammar, bound);
                    assert_eq!(quick.min(bound), lacks.min(bound), "{form:?} {hand:?}");
                }
                let complete = lacks == 0;
                assert_eq!(is_form(form, &holding), complete, "{form:?} {hand:?}");
                forms += usize::from(complete);
            }
        }
        assert!(forms > 1000, "{forms}");
    }

    /// [`accepts`] agrees with trying each kind, on hands of few kinds and of many.
    #[test]
    fn what_brings_forms_nearer_is_what_lowers_what_they_lack() {
        let mut stream = Stream::new(4, 3);
        let (mut nearer, mut straights) = (0, 0);
        for id in [
            "uzje",
            "riichi-mcgill",
            "celestial",
            "zung-jung",
            "traditional",
        ] {
            let rules = Rules::by_id(id).unwrap();
            let grammar = rules.plan().decomposer.grammar();
            let kinds: Vec<Kind> = grammar.copies().kinds().iter().collect();
            let orphan = |kind: &Kind| kind.is_honour() || [0, 8, 15].contains(&kind.place());
            let orphans: Vec<Kind> = kinds.iter().copied().filter(orphan).collect();
            let of_suit: Vec<Kind> = kinds
                .iter()
                .copied()
                .filter(|kind| kind.lane() == 1)
                .collect();
            for round in 0..1600 {
                let (from, size) = match round % 4 {
                    0 => (&orphans, orphans.len()),
                    1 => (&of_suit, of_suit.len()),
                    _ => (&kinds, 4 + round % kinds.len()),
                };
                let mut hand = Counts::EMPTY;
                while hand.total() < 13 {
                    let place = stream.below(size.min(from.len()) as u32) as usize;
                    let kind = from[(place * 7 + round) % from.len()];
                    if hand.get(kind) < grammar.copies().get(kind) {
                        hand.try_add(kind);
                    } else if stream.below(8) == 0 {
                        hand.try_add(kinds[stream.below(kinds.len() as u32) as usize]);
                    }
                }
                let holding = Holding::of_tiles(hand);
                let lacks = |holding: &Holding| {
                    let forms = grammar.forms().iter();
                    let lacks = forms.map(|form| missing(form, holding, grammar));
                    lacks.min().unwrap_or(FAR)
                };
                let least = lacks(&holding);
                let lowers = |kind: &Kind| {
                    !holding.is_exhausted(*kind, grammar.copies())
                        && holding.with(*kind).is_some_and(|more| lacks(&more) < least)
                };
                let slow: KindSet = kinds.iter().copied().filter(lowers).collect();
                assert_eq!(
                    accepts(grammar, &holding, least),
                    slow,
                    "{id} {hand:?} {least}"
                );
                nearer += slow.len();
                let is_near = |form: &&SpecialForm| {
                    **form == SpecialForm::Straight && missing(form, &holding, grammar) == least
                };
                straights += grammar.forms().iter().filter(is_near).count();
            }
        }
        assert!(nearer > 20_000 && straights > 50, "{nearer} {straights}");
    }

    /// No tile helps a form that can never be complete.
    #[test]
    fn nothing_brings_a_form_nearer_that_is_out_of_reach() {
        let kinds: Vec<Kind> = (0..9)
            .map(|place| Kind::at(1, place))
            .chain((1..5).map(|place| Kind::at(3, place)))
            .collect();
        let mut all = Counts::EMPTY;
        kinds.iter().for_each(|&kind| all.set(kind, 1));
        let form = SpecialForm::OneEach {
            tiles: all,
            twice: true,
        };
        let grammar = Grammar::new(all, 4, &[], false, false, vec![form]).unwrap();
        let mut hand = all;
        hand.try_remove(kinds[0]);
        let holding = Holding::of_tiles(hand);
        let decomposer = crate::decompose::Decomposer::new(grammar);
        let found = decomposer.accepts(&holding, &mut crate::decompose::Scratch::new());
        assert_eq!(found.1, KindSet::EMPTY, "{found:?}");
    }
}
