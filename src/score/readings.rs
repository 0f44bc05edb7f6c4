//! Every reading of a hand: each arrangement, with each group that the winning tile may complete.

use super::compiled::ReadingBits;
use super::reading::{ReadGroup, Reading, WaitCounts, leave_out_zeros};
use super::{LoserRules, Score, ScoreInput, ScoreRules};
use crate::counts::Counts;
use crate::decompose::{Decomposer, Holding};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::Group;
use crate::set::KindSet;
use crate::state::Win;
use crate::tile::Kind;
use crate::tile_set::TileSet;
use std::ops::ControlFlow;

/// Visits every reading of a hand that is not dead. The visitor gets the reading, its bits, and the concealed tiles that
/// are in no group. A hand that did not win has one reading, if losers score.
pub(super) fn each_reading<'a>(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &'a TileSet,
    input: &ScoreInput<'a>,
    mut visit: impl FnMut(&Reading<'_>, &ReadingBits, &Counts),
) {
    if input.hand.dead {
        return;
    }
    let circumstances = Reading {
        bonus: input.bonus,
        ura: input.ura,
        counters: input.counters,
        players: rules.win.players,
        wild: decomposer.wild(),
        waits: waits(rules, decomposer, set, input),
        ..Reading::circumstances(set, input.hand, input.seat, input.round, input.win)
    };
    match input.win {
        Some(win) if win.tile.is_flower() => flower_win(rules, input, circumstances, visit),
        Some(win) => winner(rules, decomposer, input, win, &circumstances, &mut visit),
        None => {
            if let Some(losers) = &rules.losers {
                loser(rules, losers, input, circumstances, visit);
            }
        }
    }
}

/// How many kinds complete a winner's other tiles. 0 if no condition uses the numbers.
fn waits(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> WaitCounts {
    if input.win.is_none() || !rules.asks_waits {
        return WaitCounts::default();
    }
    let declared = input.hand.melded();
    let concealed = input.hand.concealed();
    let waits = decomposer.waits_of(input.hand);
    let is_left =
        |kind: &Kind| concealed.get(*kind) + declared.get(*kind) < set.copies().get(*kind);
    let kinds = set.copies().kinds();
    WaitCounts {
        open: kinds.iter().filter(is_left).count() as u8,
        left: waits.iter().filter(is_left).count() as u8,
        all: waits.len() as u8,
        natural: waits.difference(decomposer.wild()).len() as u8,
    }
}

type Groups = List<ReadGroup, 8>;

impl Score {
    /// True for the reading that gave the score.
    pub(super) fn is_of(&self, reading: &Reading<'_>, loose: &Counts) -> bool {
        let groups = reading.groups.iter().map(|group| group.group);
        groups.eq(self.groups.iter().copied())
            && reading.winning == self.winning.map(usize::from)
            && *loose == self.singles.unwrap_or(Counts::EMPTY)
    }
}

/// The reading of a winner's hand that counts.
pub(super) struct Counted {
    groups: Groups,
    winning: Option<usize>,
    form: u8,
    tiles: Counts,
    number_zeros: u8,
    waits: WaitCounts,
}

impl Counted {
    /// Finds the reading that gave a score. `None` if the hand is not known or has none.
    pub(super) fn find(
        rules: &ScoreRules,
        (decomposer, set): (&Decomposer, &TileSet),
        input: &ScoreInput<'_>,
        score: &Score,
    ) -> Option<Self> {
        let mut found = None;
        each_reading(rules, decomposer, set, input, |reading, _, loose| {
            if found.is_none() && score.is_of(reading, loose) {
                let mut groups = Groups::new();
                reading.groups.iter().for_each(|group| groups.push(*group));
                found = Some(Self {
                    groups,
                    winning: reading.winning,
                    form: reading.form,
                    tiles: reading.tiles,
                    number_zeros: reading.number_zeros,
                    waits: reading.waits,
                });
            }
        });
        found
    }

    /// The reading, of the same hand.
    pub(super) fn reading<'a>(
        &'a self,
        (set, wild): (&'a TileSet, KindSet),
        input: &ScoreInput<'a>,
    ) -> Reading<'a> {
        Reading {
            groups: &self.groups,
            winning: self.winning,
            form: self.form,
            tiles: self.tiles,
            number_zeros: self.number_zeros,
            waits: self.waits,
            bonus: input.bonus,
            ura: input.ura,
            counters: input.counters,
            wild,
            ..Reading::circumstances(set, input.hand, input.seat, input.round, input.win)
        }
    }
}

fn declared(hand: &Hand) -> impl Iterator<Item = ReadGroup> + '_ {
    let melds = hand.melds.iter();
    melds.map(|meld| ReadGroup::new(meld.group, meld.open, true))
}

/// All tiles of a hand but flowers: its melds and `concealed`.
fn tiles_of(hand: &Hand, concealed: &Counts) -> Counts {
    let mut tiles = *concealed;
    for meld in hand.melds.iter() {
        for kind in meld.group.tiles() {
            // With kinds substituted for wild tiles there may be more than four of a kind.
            tiles.try_add_beyond(kind);
        }
    }
    tiles
}

/// A win on a flower, for any hand. One of the patterns for it must hold. Source: `rulesets/uzje.md` §8.4.
fn flower_win(
    rules: &ScoreRules,
    input: &ScoreInput<'_>,
    reading: Reading<'_>,
    mut visit: impl FnMut(&Reading<'_>, &ReadingBits, &Counts),
) {
    let holds = |&place: &usize| rules.patterns[place].holds(&reading);
    if input.hand.held_flowers().is_empty() && rules.flower_wins.iter().any(holds) {
        visit(&reading, &rules.compiled.bits(&reading), &Counts::EMPTY);
    }
}

/// The readings of a winner's hand: every arrangement, with every group that the winning tile may complete.
fn winner<'a>(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    input: &ScoreInput<'a>,
    win: &'a Win,
    circumstances: &Reading<'a>,
    visit: &mut impl FnMut(&Reading<'_>, &ReadingBits, &Counts),
) {
    let hand = input.hand;
    let whole = win
        .tile
        .kind()
        .and_then(|kind| Some((kind, hand.concealed().with(kind)?)));
    let Some((kind, whole)) = whole.filter(|_| hand.held_flowers().is_empty()) else {
        return;
    };
    let holding = Holding {
        concealed: whole,
        ..Holding::from(hand)
    };
    let _ = decomposer.substitutions(&holding, |substituted| {
        let stands = decomposer.stands_for(hand, kind, &substituted.concealed);
        let held = (&holding, substituted, stands);
        winner_as(rules, decomposer, input, win, held, circumstances, visit);
        ControlFlow::Continue(())
    });
}

/// Visits the readings of a winner's hand with its wild tiles substituted. The winning tile stands for one of `stands`.
#[inline]
fn winner_as<'a>(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    input: &ScoreInput<'a>,
    win: &'a Win,
    (holding, substituted, stands): (&Holding, &Holding, KindSet),
    circumstances: &Reading<'a>,
    visit: &mut impl FnMut(&Reading<'_>, &ReadingBits, &Counts),
) {
    let hand = input.hand;
    let whole = substituted.concealed;
    let mut bits = ReadingBits::new();
    let tiles = tiles_of(hand, &whole);
    // The number of zeros used as numbers when the bits of the hand were last computed.
    let mut looked_with = None;
    let _ = decomposer.arrangements_as(holding, substituted, |arrangement| {
        let loose = match arrangement.form {
            0 => Counts::EMPTY,
            _ => arrangement.loose(&whole),
        };
        let mut groups = Groups::new();
        let concealed_groups = arrangement.groups.iter();
        groups.extend(concealed_groups.map(|&group| ReadGroup::new(group, false, false)));
        groups.extend(declared(hand));
        let mut tiles = tiles;
        let number_zeros = leave_out_zeros(&mut tiles, &groups);
        let mut reading = Reading {
            groups: &groups,
            form: arrangement.form,
            tiles,
            number_zeros,
            ..circumstances.clone()
        };
        if looked_with != Some(number_zeros) {
            rules.compiled.fill_hand(&reading, &mut bits);
            looked_with = Some(number_zeros);
        }
        rules.compiled.fill_groups(&reading, &mut bits);
        let is_loose = !loose.kinds().intersection(stands).is_empty();
        let mut read = |winning| {
            reading.winning = winning;
            rules.compiled.fill_reading(&reading, &mut bits);
            visit(&reading, &bits, &loose);
        };
        if is_loose || arrangement.groups.is_empty() {
            read(None);
        }
        let groups = arrangement.groups.iter();
        let with_kind = groups.map(|group| stands.iter().any(|kind| group.contains(kind)));
        let mut with_kind = with_kind
            .rev()
            .fold(0_u32, |all, has| all << 1 | u32::from(has));
        while with_kind != 0 {
            let i = with_kind.trailing_zeros() as usize;
            with_kind &= with_kind - 1;
            let group = arrangement.groups[i];
            // An identical group gives the same reading.
            let again = arrangement.groups[..i].contains(&group);
            if !again && rules.win.allows(group, input.seat, win) {
                read(Some(i));
            }
        }
        ControlFlow::Continue(())
    });
}

/// The reading of a loser's hand. It is not complete, so [`LoserRules`] says which groups it has.
fn loser<'a>(
    rules: &ScoreRules,
    losers: &LoserRules,
    input: &ScoreInput<'a>,
    circumstances: Reading<'a>,
    mut visit: impl FnMut(&Reading<'_>, &ReadingBits, &Counts),
) {
    let hand = input.hand;
    let concealed = hand.concealed();
    let mut groups = Groups::new();
    let mut add = |group| groups.push(ReadGroup::new(group, false, false));
    for kind in concealed.at_least(3).iter() {
        let kong = losers.kongs && concealed.get(kind) == 4;
        add(if kong {
            Group::kong(kind)
        } else {
            Group::pung(kind)
        });
    }
    let pairs = concealed.at_least(2).difference(concealed.at_least(3));
    let mut left = losers.most_pairs;
    let mut taken = KindSet::EMPTY;
    for class in &losers.pairs {
        let fits = pairs
            .intersection(class.kinds(&circumstances))
            .difference(taken);
        for kind in fits.iter().take(left) {
            add(Group::pair(kind));
            taken.insert(kind);
            left -= 1;
        }
    }
    groups.extend(declared(hand));
    let mut tiles = tiles_of(hand, concealed);
    let number_zeros = leave_out_zeros(&mut tiles, &groups);
    let reading = Reading {
        groups: &groups,
        tiles,
        number_zeros,
        ..circumstances
    };
    visit(&reading, &rules.compiled.bits(&reading), &Counts::EMPTY);
}
