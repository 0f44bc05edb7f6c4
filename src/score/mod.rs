//! Scoring: every reading of a hand is tried against the patterns, the best one counts.

pub(crate) mod condition;
mod doubles;
pub mod facts;
mod pattern;
mod reading;
mod settle;

pub use condition::{Condition, ConditionError, Count};
pub use doubles::{Doubles, DoublesRules};
pub use facts::FamilySet;
pub use pattern::{Line, Lines, Pattern, PatternStatus, PatternValue};
pub use reading::{ReadGroup, Reading, TableFacts};
pub use settle::{Settlement, SettlementRules};

pub(crate) use pattern::count as count_patterns;

use crate::counts::Counts;
use crate::decompose::Decomposer;
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Group};
use crate::seat::Seat;
use crate::state::Win;
use crate::tile::{Kind, Wind};
use crate::tile_set::TileSet;
use facts::{Class, WinningPlace};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// From whom a discard may complete a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChowFrom {
    /// The player whose turn comes before.
    Previous,
    /// The player whose turn comes next.
    Next,
    /// Anyone.
    Any,
}

impl ChowFrom {
    /// True when `seat` may complete a run with a discard of `from`.
    #[inline]
    pub const fn allows(self, seat: Seat, from: Seat, players: usize) -> bool {
        match self {
            Self::Previous => seat.steps_from(from, players) == 1,
            Self::Next => from.steps_from(seat, players) == 1,
            Self::Any => true,
        }
    }
}

/// Which groups a claimed tile may complete for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinRules {
    /// Families that a claimed tile may complete.
    pub completes: FamilySet,
    /// From whom it may complete a run.
    pub run_from: ChowFrom,
    /// Players at the table.
    pub players: usize,
}

impl WinRules {
    /// True when a win may complete this group.
    #[inline]
    pub fn allows(&self, group: Group, seat: Seat, win: &Win) -> bool {
        if win.way.is_self_draw() {
            return true;
        }
        let family = group.family();
        let from_right_player = !family.is_run()
            || win
                .from
                .is_none_or(|from| self.run_from.allows(seat, from, self.players));
        self.completes.contains(family) && from_right_player
    }

    /// True when the hand with the last tile is complete in a way that may be won.
    pub fn can_win(&self, decomposer: &Decomposer, hand: &Hand, seat: Seat, win: &Win) -> bool {
        let Some(kind) = win.tile.kind() else {
            return false;
        };
        let Some(whole) = hand.concealed().with(kind) else {
            return false;
        };
        decomposer
            .arrangements(&whole, hand.melds.len(), |arrangement| {
                let allowed = arrangement.groups.is_empty()
                    || arrangement
                        .groups
                        .iter()
                        .any(|&group| group.contains(kind) && self.allows(group, seat, win));
                if allowed {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .is_break()
    }
}

/// What scores in the hand of a player who did not win.
#[derive(Clone, Debug)]
pub struct LoserRules {
    /// Four alike among the concealed tiles are a kong; else a pung.
    pub kongs: bool,
    /// Classes of pairs that count, the first wins.
    pub(crate) pairs: Vec<Class>,
    /// The most pairs that count.
    pub most_pairs: usize,
}

/// How a ruleset scores: its patterns, family and what it reads.
#[derive(Clone, Debug)]
pub struct ScoreRules {
    /// Patterns in the order of display.
    pub patterns: Vec<Pattern>,
    /// The family that turns patterns into points.
    pub family: DoublesRules,
    /// What a claimed tile may complete.
    pub win: WinRules,
    /// What losers score; `None` where they score nothing.
    pub losers: Option<LoserRules>,
}

/// A hand to be scored.
#[derive(Clone, Copy, Debug)]
pub struct ScoreInput<'a> {
    /// The hand without the winning tile.
    pub hand: &'a Hand,
    /// The seat.
    pub seat: Seat,
    /// The wind of the round.
    pub round: Wind,
    /// The win, `None` for a hand that did not win.
    pub win: Option<&'a Win>,
}

/// The worth of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Points before settlement.
    pub points: i64,
    /// How they came about.
    pub tally: Doubles,
    /// The patterns that counted, in the ruleset's order.
    pub lines: Lines,
    /// The groups of the reading that counted, declared melds included, in byte order of their
    /// notation.
    pub arrangement: List<Group, 8>,
    /// The concealed tiles of a form that has no groups.
    pub singles: Option<Counts>,
}

/// A hand that has no score.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// The tiles are no winning form, or the winning tile may not complete them.
    #[error("the tiles are no win")]
    NotAWin,
    /// The ruleset scores winners only.
    #[error("only the winner's hand has a score")]
    NotScored,
}

impl ScoreError {
    /// The code of the JSON Lines interface.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAWin => "not-a-win",
            Self::NotScored => "bad-request",
        }
    }
}

/// Orders readings that are worth the same. Source: `spec/woo.md` §8.6.
type TieBreak = ([[u8; 5]; 8], u8);

struct Best<'a> {
    rules: &'a ScoreRules,
    lines: Lines,
    found: Option<(Reverse<i64>, TieBreak, Score)>,
}

impl Best<'_> {
    fn consider(&mut self, reading: &Reading<'_>) {
        count_patterns(&self.rules.patterns, reading, &mut self.lines);
        let (tally, points) = self.rules.family.sum(&self.rules.patterns, &self.lines);
        let mut keyed: SmallVec<[([u8; 5], Group); 8]> = reading
            .groups
            .iter()
            .map(|group| (group.group.key(), group.group))
            .collect();
        keyed.sort_unstable();
        let mut keys = [[0; 5]; 8];
        for (key, (group, _)) in keys.iter_mut().zip(&keyed) {
            *key = *group;
        }
        let rank = (Reverse(tally.uncapped), (keys, winning_rank(reading)));
        if let Some((value, tie, _)) = &self.found {
            if (*value, *tie) <= rank {
                return;
            }
        }
        let score = Score {
            points,
            tally,
            lines: self.lines.clone(),
            arrangement: keyed.into_iter().map(|(_, group)| group).collect(),
            singles: (reading.form > 0 && reading.groups.is_empty()).then_some(reading.tiles),
        };
        self.found = Some((rank.0, rank.1, score));
    }
}

/// The winning tile in the pair, in the middle of a run, at its end, elsewhere.
fn winning_rank(reading: &Reading<'_>) -> u8 {
    match (reading.winning_group(), reading.winning_place()) {
        (Some(group), _) if group.group.family() == Family::Pair => 0,
        (_, Some(WinningPlace::Middle)) => 1,
        (_, Some(_)) => 2,
        _ => 3,
    }
}

/// Scores a hand: the reading with the highest sum before any cap counts; among equals the
/// arrangement first in byte order, then the winning tile in the pair, in the middle of a run, at
/// its end, elsewhere.
///
/// # Errors
/// [`ScoreError::NotAWin`] when the winner's tiles are no complete hand, or the tile may not
/// complete it; [`ScoreError::NotScored`] for a loser where losers score nothing.
pub fn best(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    set: &TileSet,
    input: &ScoreInput<'_>,
) -> Result<Score, ScoreError> {
    let circumstances = Reading::circumstances(set, input.hand, input.seat, input.round, input.win);
    let mut best = Best {
        rules,
        lines: Lines::new(),
        found: None,
    };
    match input.win {
        Some(win) => winner(rules, decomposer, input, win, circumstances, &mut best),
        None => match &rules.losers {
            Some(losers) => loser(losers, input, circumstances, &mut best),
            None => return Err(ScoreError::NotScored),
        },
    }
    match best.found {
        Some((_, _, score)) => Ok(score),
        None => Err(ScoreError::NotAWin),
    }
}

type Groups = SmallVec<[ReadGroup; 8]>;

fn declared(hand: &Hand) -> impl Iterator<Item = ReadGroup> + '_ {
    hand.melds.iter().map(|meld| ReadGroup {
        group: meld.group,
        open: meld.open,
        declared: true,
    })
}

/// All tiles of a reading but flowers; zeros used as numbers are left out.
fn tiles_of(whole: &Counts, groups: &[ReadGroup]) -> Counts {
    let mut tiles = *whole;
    for group in groups {
        if group.declared {
            for kind in group.group.tiles() {
                tiles.try_add(kind);
            }
        }
    }
    for group in groups {
        if group.group.family().is_run() && group.group.kind() == Kind::ZERO {
            tiles.try_remove(Kind::ZERO);
        }
    }
    tiles
}

fn winner<'a>(
    rules: &ScoreRules,
    decomposer: &Decomposer,
    input: &ScoreInput<'a>,
    win: &'a Win,
    circumstances: Reading<'a>,
    best: &mut Best<'_>,
) {
    let hand = input.hand;
    let Some(kind) = win.tile.kind() else { return };
    let Some(whole) = hand.concealed().with(kind) else {
        return;
    };
    if !hand.held_flowers().is_empty() {
        return;
    }
    let _ = decomposer.arrangements(&whole, hand.melds.len(), |arrangement| {
        let concealed = arrangement.groups.len();
        let mut groups: Groups = arrangement
            .groups
            .iter()
            .map(|&group| ReadGroup {
                group,
                open: false,
                declared: false,
            })
            .chain(declared(hand))
            .collect();
        let tiles = tiles_of(&whole, &groups);
        let mut read = |groups: &Groups, winning| {
            best.consider(&Reading {
                groups,
                winning,
                form: arrangement.form,
                tiles,
                ..circumstances.clone()
            });
        };
        if concealed == 0 {
            read(&groups, None);
        }
        for i in 0..concealed {
            let group = groups[i].group;
            // The same group again reads the same.
            let again = groups[..i].iter().any(|other| other.group == group);
            if again || !group.contains(kind) || !rules.win.allows(group, input.seat, win) {
                continue;
            }
            groups[i].open = !win.way.is_self_draw();
            read(&groups, Some(i));
            groups[i].open = false;
        }
        ControlFlow::Continue(())
    });
}

fn loser<'a>(
    losers: &LoserRules,
    input: &ScoreInput<'a>,
    circumstances: Reading<'a>,
    best: &mut Best<'_>,
) {
    let hand = input.hand;
    let concealed = hand.concealed();
    let mut groups = Groups::new();
    let mut add = |group| {
        groups.push(ReadGroup {
            group,
            open: false,
            declared: false,
        });
    };
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
    let mut taken = crate::set::KindSet::EMPTY;
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
    let tiles = tiles_of(concealed, &groups);
    best.consider(&Reading {
        groups: &groups,
        tiles,
        ..circumstances
    });
}
