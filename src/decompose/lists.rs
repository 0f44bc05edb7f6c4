//! Forms that are written as lists of tiles: different tiles of one list, or the tiles of a list beside groups.

use super::arrangement::Arrangement;
use super::costs::FAR;
use super::floor::{Held, WHOLE, count};
use super::form::SpecialForm;
use super::holding::{Holding, size};
use crate::counts::{Counts, ONES, by_lane};
use crate::meld::Group;
use crate::set::KindSet;
use crate::tile::Kind;
use std::ops::ControlFlow;

/// The lists of all such forms of a grammar.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    different: Vec<List>,
    with_groups: Vec<List>,
    /// The fewest honours of a hand of different tiles. Without such a form it is more than a hand can hold.
    fewest_honours: u32,
    /// Every pung and run, for the groups beside a list. Empty without such a form.
    groups: Vec<(Group, Counts)>,
    /// The numbers of the runs among them, as ones in the nibbles of a lane.
    runs: Vec<u64>,
    /// Some run takes a zero.
    takes_zero: bool,
    /// The set.
    copies: Counts,
}

#[derive(Clone, Debug)]
struct List {
    /// The number of the form, as in [`Arrangement::form`].
    form: u8,
    tiles: Counts,
}

impl Lists {
    /// `runs` are the runs of the grammar in all suits.
    pub(super) fn new(
        forms: &[SpecialForm],
        copies: &Counts,
        has_pung: bool,
        runs: impl Iterator<Item = Group>,
    ) -> Self {
        let mut all = Self {
            fewest_honours: u32::MAX,
            copies: *copies,
            ..Self::default()
        };
        for (form, one) in (1..).zip(forms) {
            let (to, lists) = match one {
                SpecialForm::Different { lists } => (&mut all.different, lists),
                SpecialForm::WithGroups { lists } => (&mut all.with_groups, lists),
                SpecialForm::Pairs { .. } | SpecialForm::OneEach { .. } | SpecialForm::Straight => {
                    continue;
                }
            };
            to.extend(lists.iter().map(|&tiles| List { form, tiles }));
        }
        if !all.with_groups.is_empty() {
            let pungs = copies.at_least(3);
            let pungs = pungs.iter().filter(|_| has_pung).map(Group::pung);
            let is_in_play = |run: &Group| run.kind_set().is_subset(copies.kinds());
            let groups = pungs.chain(runs.filter(is_in_play));
            all.groups = groups.map(|group| (group, group.counts())).collect();
            let of_run = |run: &Group| {
                let lane = run.kinds()[2].lane();
                run.counts().lane(lane)
            };
            let groups = all.groups.iter().map(|(group, _)| group);
            let runs = groups.filter(|group| group.family().is_run());
            all.runs = runs.clone().map(of_run).collect();
            all.runs.sort_unstable();
            all.runs.dedup();
            all.takes_zero = runs.clone().any(|run| run.contains(Kind::ZERO));
        }
        for list in &all.different {
            let honours = list.tiles.lane(3).count_ones();
            let numbers = list.tiles.total() as u32 - honours;
            all.fewest_honours = all
                .fewest_honours
                .min((WHOLE as u32).saturating_sub(numbers));
        }
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.different.is_empty() && self.with_groups.is_empty()
    }

    /// False if no form can have these honours and `more` other tiles. Lists without honours that are beside groups
    /// are ignored: there the honours must be in the groups and the pair, which the caller tests.
    #[inline]
    pub(super) fn may_have(&self, honours: u64, more: u32) -> bool {
        honours & !ONES == 0 && honours.count_ones() + more >= self.fewest_honours
            || self.with_groups.iter().any(|list| list.tiles.lane(3) != 0)
    }

    /// The kinds that complete thirteen tiles as one of the forms.
    pub(super) fn waits(&self, concealed: &Counts, melds: usize) -> KindSet {
        let completes = |kind: &Kind| {
            let whole = concealed.with_beyond(*kind);
            self.complete(&whole, melds, &mut |_| ControlFlow::Break(()))
                .is_break()
        };
        let wanted = self.wanted(concealed, melds);
        let in_play = wanted.intersection(self.copies.kinds());
        in_play.iter().filter(completes).collect()
    }

    /// The kinds that may complete a form. No other kind can.
    pub(super) fn wanted(&self, concealed: &Counts, melds: usize) -> KindSet {
        let held = Held::new(concealed);
        let mut wanted = KindSet::EMPTY;
        let is_single = held.twos == [0; 4] && melds == 0;
        for list in self.different.iter().filter(|_| is_single) {
            if different_held(&held, &list.tiles) + 1 >= WHOLE as u8 {
                wanted = wanted.union(list.tiles.kinds());
            }
        }
        for list in &self.with_groups {
            let lacks = list.tiles.saturating_minus(concealed);
            match lacks.total() {
                0 => return KindSet::ALL,
                1 => wanted = wanted.union(lacks.kinds()),
                _ => {}
            }
        }
        wanted
    }

    /// Visits each way to read a hand of fourteen tiles as one of these forms.
    #[inline(never)]
    pub(super) fn complete(
        &self,
        concealed: &Counts,
        melds: usize,
        visit: &mut impl FnMut(&Arrangement) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if size(concealed, melds) != WHOLE {
            return ControlFlow::Continue(());
        }
        let held = Held::new(concealed);
        let is_single = held.twos == [0; 4] && melds == 0;
        let mut last = 0;
        for list in self.different.iter().filter(|_| is_single) {
            if list.form != last && concealed.is_within(&list.tiles) {
                last = list.form;
                visit(&Arrangement {
                    form: list.form,
                    ..Arrangement::default()
                })?;
            }
        }
        for list in &self.with_groups {
            if !list.tiles.is_within(concealed) {
                continue;
            }
            let rest = concealed.saturating_minus(&list.tiles);
            for pair in rest.at_least(2).iter() {
                let left = rest.saturating_minus(&Group::pair(pair).counts());
                let mut read = |groups: &[Group]| {
                    visit(&Arrangement {
                        form: list.form,
                        groups: crate::list::List::first_of(groups.iter().copied()),
                    })
                };
                if left.is_empty() {
                    read(&[Group::pair(pair)])?;
                    continue;
                }
                for group in self.groups.iter().filter(|(_, tiles)| *tiles == left) {
                    read(&[group.0, Group::pair(pair)])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The tiles missing from the nearest of these forms if fewer than `bound`, otherwise `bound`.
    #[inline]
    pub(super) fn missing_below(&self, holding: &Holding, bound: u8) -> u8 {
        match self.is_empty() {
            true => bound,
            false => self.nearest(holding, bound),
        }
    }

    #[inline(never)]
    fn nearest(&self, holding: &Holding, bound: u8) -> u8 {
        let held = Held::new(&holding.concealed);
        let mut least = bound;
        // Only the number of different kinds held counts towards a hand of different tiles.
        if holding.melds == 0 && count(held.ones) + least > WHOLE as u8 {
            for list in &self.different {
                least = least.min(WHOLE as u8 - different_held(&held, &list.tiles));
            }
        }
        for list in &self.with_groups {
            least = least.min(self.beside_groups(&list.tiles, holding, least));
        }
        least
    }

    /// The tiles missing from a form that is written as lists. Exact if fewer than `bound`, otherwise any number not
    /// less than `bound`.
    pub(super) fn missing(&self, form: &SpecialForm, holding: &Holding, bound: u8) -> u8 {
        match form {
            SpecialForm::Different { lists } if holding.melds == 0 => {
                let held = Held::new(&holding.concealed);
                let lacks = |list| WHOLE as u8 - different_held(&held, list);
                lists.iter().map(lacks).min().unwrap_or(FAR)
            }
            SpecialForm::WithGroups { lists } => lists.iter().fold(bound, |least, list| {
                least.min(self.beside_groups(list, holding, least))
            }),
            _ => FAR,
        }
    }

    /// A lower bound on the missing tiles of a pair and the groups beside a list. It ignores which copies are left.
    fn least_beside(&self, list: &Counts, holding: &Holding, places: usize) -> u8 {
        let rest = holding.concealed.saturating_minus(list);
        let [one, two, three] = [1, 2, 3].map(|count| !rest.at_least(count).is_empty());
        let pair = 2 - u8::from(one) - u8::from(two);
        if places == 0 {
            return pair;
        }
        let pung = 3 - u8::from(one) - u8::from(two) - u8::from(three);
        let ones = Held::new(&rest).ones;
        let most_of_run = self.runs.iter().flat_map(|run| {
            let in_suits = ones[..3].iter();
            in_suits.map(move |ones| (ones & run).count_ones() as u8)
        });
        // A run may take a zero beside its numbers.
        let run = 3 - most_of_run.max().unwrap_or(0).min(3);
        pair + pung.min(run.saturating_sub(u8::from(self.takes_zero)))
    }

    /// The tiles missing from the list with a pair and the groups beside it, if fewer than `bound`; otherwise a number
    /// not less than `bound`.
    fn beside_groups(&self, list: &Counts, holding: &Holding, bound: u8) -> u8 {
        let held = Held::new(&holding.concealed);
        let of_list = list.total() as u8 - held_of(&held, list);
        let Some(places) = places(list).checked_sub(holding.melds) else {
            return FAR;
        };
        if of_list >= bound || of_list + self.least_beside(list, holding, places) >= bound {
            return bound;
        }
        let room = self.copies.saturating_minus(&holding.declared);
        let left = |taken: &Counts| {
            let held = holding.concealed.saturating_minus(taken);
            let may = room.saturating_minus(taken).at_least(2);
            let pair = [2, 1].map(|count| !held.at_least(count).intersection(may).is_empty());
            match (may.is_empty(), pair) {
                (true, _) => FAR,
                (_, [true, _]) => 0,
                (_, [_, true]) => 1,
                _ => 2,
            }
        };
        if !list.is_within(&room) {
            return FAR;
        }
        if places == 0 {
            return of_list.saturating_add(left(list));
        }
        let mut least = bound;
        let rest = holding.concealed.saturating_minus(list);
        for (_, tiles) in &self.groups {
            let lacks = of_list + tiles.saturating_minus(&rest).total() as u8;
            if lacks < least
                && let Some(taken) = list.try_plus_beyond(tiles)
                && taken.is_within(&room)
            {
                least = least.min(lacks.saturating_add(left(&taken)));
            }
        }
        least
    }
}

/// How many different tiles of a list a hand holds, at most fourteen.
fn different_held(held: &Held, list: &Counts) -> u8 {
    held_of(held, list).min(WHOLE as u8)
}

/// How many tiles of a list a hand holds, each once.
#[inline]
fn held_of(held: &Held, list: &Counts) -> u8 {
    count(by_lane(|lane| held.ones[lane] & list.lane(lane)))
}

/// The number of groups beside a list.
fn places(list: &Counts) -> usize {
    (WHOLE - 2).saturating_sub(list.total()) / 3
}
