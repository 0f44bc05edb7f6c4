//! [`Repair`]: the fewest changes after which a hand wins, or has a pattern.
//!
//! Changes are tried in sets of 0, 1, … up to [`MOST_CHANGES`], circumstances in the outer loops, then melds, then tiles. Of
//! concealed tiles only those sets are tried that complete the hand, which the decomposer finds.

use super::change::{Change, Draft};
use super::check::check_melds;
use super::error::RequestError;
use super::goal::Goal;
use super::parts::{Declared, Request};
use super::table::Table;
use crate::decompose::{Holding, Scratch};
use crate::hand::Hand;
use crate::list::List;
use crate::meld::{Family, Meld};
use crate::ruleset::{Plan, Rules, Ruleset};
use crate::score::ScoreInput;
use crate::seat::Seat;
use crate::state::{Way, Win};
use crate::tile::{Kind, Suit, Tile, Wind};
use std::collections::BTreeSet;

/// The most changes of a repair.
pub const MOST_CHANGES: usize = 2;

/// The fewest changes after which a hand reaches a [`Goal`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The changes in their order. Empty if the hand reaches the goal as it is.
    pub changes: Vec<Change>,
    /// The request after the changes.
    pub request: Request,
}

/// The error for a request that cannot be repaired.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// The request is not allowed.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The ruleset has no such pattern.
    #[error("no pattern `{id}`")]
    NoSuchPattern {
        /// The id.
        id: String,
    },
    /// No hand of the request won.
    #[error("only a winner's hand can be repaired")]
    NoWin,
}

impl Table<'_> {
    /// The fewest changes after which the hand of the first winner reaches a goal. `None` if no [`MOST_CHANGES`] changes
    /// reach it. The hand need not be complete.
    ///
    /// Each [`Change`] costs 1, and its documentation defines what may change. A meld or a circumstance changes once.
    /// Indicators, counters and the hands of other seats stay as they are. The changed request must pass
    /// [`Request::check`]. The answer is exact: no smaller set of changes reaches the goal. Of several smallest sets it is the
    /// one with the fewest [circumstances](Change::is_circumstance). If there are several of these, it is the one that moves
    /// the fewest red fives; a red five that is exchanged with a plain one counts half. Then it is the one whose sorted list of
    /// changes is first in the order of [`Change`].
    ///
    /// A ruleset in Rust that accepts hands which are not complete is not searched for them.
    ///
    /// # Errors
    /// [`RepairError::NoSuchPattern`] and [`RepairError::NoWin`].
    pub fn repair(&self, goal: &Goal) -> Result<Option<Repair>, RepairError> {
        let plan = &**self.rules.plan();
        if let Some(id) = goal.unknown_pattern(plan) {
            let id = id.to_owned();
            return Err(RepairError::NoSuchPattern { id });
        }
        let winner = self.inputs().find(|input| input.win.is_some());
        let base = winner.and_then(|winner| Draft::new(&self.request, winner.seat));
        let mut search = Search {
            rules: self.rules,
            plan,
            goal,
            base: base.ok_or(RepairError::NoWin)?,
            scratch: Scratch::new(),
            best: None,
        };
        Ok(search.run())
    }
}

impl Rules {
    /// The fewest changes after which the winner's hand reaches a goal: [`Table::repair`] defines them. `None` if no
    /// [`MOST_CHANGES`] changes reach it.
    ///
    /// ```
    /// use paishan::request::{Goal, Request};
    /// use paishan::{Notation, Rules, Seat};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let request = Request::won(&"234t456s34m678m99s".parse()?, "5m".parse()?).off(Seat::WEST);
    /// let repair = rules.repair(&request, &Goal::Pattern("all-simples".to_owned()))?.expect("two tiles are enough");
    /// let words: Vec<String> = repair.changes.iter().map(|one| one.describe(Notation::Ujmj)).collect();
    /// assert_eq!(words, ["2t instead of 9s", "2t instead of 9s"]);
    /// let why = rules.why_not(&repair.request, "all-simples")?;
    /// assert_eq!(why, Some(Vec::new()));
    /// assert_eq!(rules.repair(&request, &Goal::Pattern("big-four-winds".to_owned()))?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RepairError`]: those of [`Request::check`] and [`Table::repair`].
    pub fn repair(&self, request: &Request, goal: &Goal) -> Result<Option<Repair>, RepairError> {
        request.check(self)?.repair(goal)
    }
}

/// The search for a repair.
struct Search<'a> {
    rules: &'a dyn Ruleset,
    plan: &'a Plan,
    goal: &'a Goal,
    base: Draft,
    scratch: Scratch,
    /// The best repair with the number of changes and circumstances that is searched now.
    best: Option<Repair>,
}

/// A hand of which circumstances and melds are settled, and tiles may still change.
struct Settled<'a> {
    round: Wind,
    seat: Seat,
    /// The hand without its concealed tiles.
    hand: Hand,
    concealed: Vec<Tile>,
    /// The win as the settlement reads it, with a tile of the same sort as the winning one.
    win: Win,
    /// The winning tile of the request.
    winning: Tile,
    changes: &'a [Change],
}

/// A meld that may take the place of another.
struct OtherMeld {
    index: usize,
    change: Change,
    /// `None` if the tiles are in the hand.
    meld: Option<Meld>,
}

impl Search<'_> {
    fn run(&mut self) -> Option<Repair> {
        let circumstances = circumstances(self.plan, &self.base);
        for all in 0..=MOST_CHANGES {
            for of_circumstances in 0..=all {
                let mut chosen = Vec::new();
                self.circumstances(&circumstances, of_circumstances, all, &mut chosen);
                if self.best.is_some() {
                    return self.best.take();
                }
            }
        }
        None
    }

    /// Chooses `more` further circumstances. `left` is the number of remaining changes, circumstances included.
    fn circumstances(
        &mut self,
        among: &[Change],
        more: usize,
        left: usize,
        chosen: &mut Vec<Change>,
    ) {
        if more == 0 {
            let mut draft = self.base.clone();
            draft.change_circumstances(chosen, self.plan);
            return self.melds(&draft, left, chosen);
        }
        for (i, change) in among.iter().enumerate() {
            if !chosen.iter().any(|other| other.excludes(change)) {
                chosen.push(change.clone());
                self.circumstances(&among[i..], more - 1, left - 1, chosen);
                chosen.pop();
            }
        }
    }

    /// Chooses melds, `left` at most. The rest are tiles.
    fn melds(&mut self, draft: &Draft, left: usize, chosen: &mut Vec<Change>) {
        let hand = &draft.request.hands[draft.place];
        let Ok(melds) = check_melds(self.plan, &hand.melds, Some(hand.seat)) else {
            return;
        };
        let others = match left {
            0 => Vec::new(),
            _ => other_melds(self.plan, &hand.melds, &melds, hand.seat),
        };
        let melds: Vec<Option<Meld>> = melds.into_iter().map(Some).collect();
        self.some_melds(draft, &others, &melds, left, chosen);
    }

    fn some_melds(
        &mut self,
        draft: &Draft,
        others: &[OtherMeld],
        melds: &[Option<Meld>],
        left: usize,
        chosen: &mut Vec<Change>,
    ) {
        self.settle(draft, melds, left, chosen);
        if left == 0 {
            return;
        }
        for (i, other) in others.iter().enumerate() {
            let mut melds = melds.to_vec();
            melds[other.index] = other.meld;
            let rest = others[i..].iter();
            let next = rest.take_while(|one| one.index == other.index).count();
            chosen.push(other.change.clone());
            self.some_melds(draft, &others[i + next..], &melds, left - 1, chosen);
            chosen.pop();
        }
    }

    /// Tries `left` changes of tiles.
    fn settle(&mut self, draft: &Draft, melds: &[Option<Meld>], left: usize, changes: &[Change]) {
        let given = &draft.request.hands[draft.place];
        let declared: Vec<Meld> = melds.iter().flatten().copied().collect();
        let mut hand = Hand::new();
        hand.melds = List::first_of(declared.iter().copied());
        hand.aside = given.aside.iter().copied().collect();
        hand.dead = given.dead;
        let mut concealed = given.concealed.clone();
        for (meld, given) in melds.iter().zip(&given.melds) {
            if meld.is_none() {
                concealed.extend(&given.tiles);
            }
        }
        concealed.sort();
        let winning = draft.win().tile;
        let with = |search: &mut Self, tile: Tile| {
            let win = Win {
                tile,
                ..*draft.win()
            };
            // Apart from flowers, the tile does not matter here.
            let win = draft.request.win(search.plan, draft.place, &declared, win);
            let Ok(win) = win else { return };
            let settled = Settled {
                round: draft.request.round,
                seat: given.seat,
                hand,
                concealed: concealed.clone(),
                win,
                winning,
                changes,
            };
            match tile.is_flower() {
                true => search.flower_wins(&settled, left),
                false => search.complete(&settled, left),
            }
        };
        let plain = match winning.is_flower() {
            true => self.plan.tiles.kinds().iter().next().map(Tile::plain),
            false => Some(winning),
        };
        if let Some(plain) = plain {
            with(self, plain);
        }
        let counts = match self.goal {
            Goal::Pattern(id) => {
                let of_flowers = self.plan.score.flower_wins().iter();
                let patterns = self.plan.score.patterns();
                of_flowers.clone().any(|&place| patterns[place].id == *id)
            }
            _ => true,
        };
        if counts
            && self
                .plan
                .score
                .may_win_on_flower(hand.aside.flowers().len())
        {
            let flower = self.plan.tiles.flowers().iter().next().map(Tile::flower);
            if let Some(flower) = flower {
                with(self, flower);
            }
        }
    }

    /// Tries `left` changes of tiles that complete the hand.
    fn complete(&mut self, settled: &Settled<'_>, left: usize) {
        let winning = settled.winning;
        // The winning tile stays, or another tile of the hand came last.
        let last = [(left, false), (left.wrapping_sub(1), true)];
        for (replaced, exchanges) in last.into_iter().filter(|_| !winning.is_flower()) {
            if replaced > left {
                continue;
            }
            each_choice(&settled.concealed, replaced, &mut |out, rest| {
                let Some(kind) = winning.kind() else { return };
                self.each_completion(settled, rest, Some(kind), replaced, &mut |search, tiles| {
                    if tiles.iter().any(|tile| out.contains(tile)) {
                        return;
                    }
                    let mut whole = rest.to_vec();
                    whole.extend(tiles);
                    let mut changes = pairs(out, tiles);
                    if !exchanges {
                        return search.judge(settled, &whole, winning, changes);
                    }
                    let others: BTreeSet<Tile> = whole.iter().copied().collect();
                    for &to in others.iter().filter(|tile| **tile != winning) {
                        let mut whole = whole.clone();
                        if let Some(tile) = whole.iter_mut().find(|tile| **tile == to) {
                            *tile = winning;
                        }
                        let from = winning;
                        changes.push(Change::LastTile { from, to });
                        search.judge(settled, &whole, to, changes.clone());
                        changes.pop();
                    }
                });
            });
        }
        // The winning tile is another one. Had another tile come last, too, two tiles of the hand would have changed.
        let Some(replaced) = left.checked_sub(1) else {
            return;
        };
        each_choice(&settled.concealed, replaced, &mut |out, rest| {
            self.each_completion(settled, rest, None, left, &mut |search, tiles| {
                for (place, &to) in tiles.iter().enumerate() {
                    let is_again = tiles[..place].contains(&to);
                    let mut others = tiles.to_vec();
                    others.remove(place);
                    if is_again || to == winning || others.iter().any(|tile| out.contains(tile)) {
                        continue;
                    }
                    let mut whole = rest.to_vec();
                    whole.extend(&others);
                    let mut changes = pairs(out, &others);
                    let from = winning;
                    changes.push(Change::WinningTile { from, to });
                    search.judge(settled, &whole, to, changes);
                }
            });
        });
    }

    /// Visits every sorted list of tiles that complete the hand: `rest`, the winning tile if it stays, and `more` tiles.
    fn each_completion(
        &mut self,
        settled: &Settled<'_>,
        rest: &[Tile],
        winning: Option<Kind>,
        more: usize,
        visit: &mut dyn FnMut(&mut Self, &[Tile]),
    ) {
        let kinds = rest.iter().map(|tile| tile.kind());
        let Some(kinds) = kinds.collect::<Option<Vec<Kind>>>() else {
            // A flower in the hand.
            return;
        };
        let mut holding = Holding::from(&settled.hand);
        for kind in kinds.into_iter().chain(winning) {
            match holding.with(kind) {
                Some(more) => holding = more,
                None => return,
            }
        }
        let mut added = Vec::new();
        self.completions(&holding, more, &mut added, visit);
    }

    fn completions(
        &mut self,
        holding: &Holding,
        more: usize,
        added: &mut Vec<Tile>,
        visit: &mut dyn FnMut(&mut Self, &[Tile]),
    ) {
        if more == 0 {
            return visit(self, added);
        }
        let turned = self.base.request.indicators.first();
        let decomposer = self.plan.decomposer_of(turned.copied());
        let (distance, accepts) = decomposer.accepts(holding, &mut self.scratch);
        if distance + 1 != more as i8 {
            return;
        }
        for kind in accepts.iter() {
            let Some(holding) = holding.with(kind) else {
                continue;
            };
            for tile in tiles_of(self.plan, kind) {
                if added.last().is_none_or(|last| *last <= tile) {
                    added.push(tile);
                    self.completions(&holding, more - 1, added, visit);
                    added.pop();
                }
            }
        }
    }

    /// Tries `left` changes of tiles after which the winning tile is a flower. The hand need not be complete.
    fn flower_wins(&mut self, settled: &Settled<'_>, left: usize) {
        let plan = self.plan;
        let winning = settled.winning;
        let all: Vec<Tile> = plan
            .tiles
            .kinds()
            .iter()
            .flat_map(|kind| tiles_of(plan, kind))
            .collect();
        let each_hand = |replaced: usize, visit: &mut dyn FnMut(&[Tile], Vec<Change>)| {
            each_choice(&settled.concealed, replaced, &mut |out, rest| {
                each_list(&all, replaced, &mut Vec::new(), &mut |tiles| {
                    if !tiles.iter().any(|tile| out.contains(tile)) {
                        let mut whole = rest.to_vec();
                        whole.extend(tiles);
                        visit(&whole, pairs(out, tiles));
                    }
                });
            });
        };
        if winning.is_flower() {
            each_hand(left, &mut |whole, changes| {
                self.judge(settled, whole, winning, changes);
            });
        }
        let Some(left) = left.checked_sub(1) else {
            return;
        };
        each_hand(left, &mut |whole, changes| {
            let flowers = plan.tiles.flowers().iter().map(Tile::flower);
            for to in flowers.filter(|flower| *flower != winning) {
                let from = winning;
                let mut changes = changes.clone();
                changes.push(Change::WinningTile { from, to });
                self.judge(settled, whole, to, changes);
            }
            for (place, &to) in whole.iter().enumerate() {
                if to.is_flower() && !winning.is_flower() {
                    let from = winning;
                    let mut whole = whole.to_vec();
                    whole[place] = winning;
                    let mut changes = changes.clone();
                    changes.push(Change::LastTile { from, to });
                    self.judge(settled, &whole, to, changes);
                }
            }
        });
    }

    /// Keeps the changes if the hand reaches the goal and they are the best so far.
    fn judge(
        &mut self,
        settled: &Settled<'_>,
        concealed: &[Tile],
        winning: Tile,
        tiles: Vec<Change>,
    ) {
        let mut hand = settled.hand;
        concealed.iter().for_each(|&tile| hand.add(tile));
        let win = Win {
            tile: winning,
            ..settled.win
        };
        let request = &self.base.request;
        let input = ScoreInput {
            bonus: &request.indicators,
            ura: &request.under_indicators,
            counters: request.on_table.counters,
            ..ScoreInput::new(&hand, settled.seat, settled.round, Some(&win))
        };
        if !self.reaches(&input) {
            return;
        }
        let mut changes = tiles;
        changes.extend_from_slice(settled.changes);
        changes.sort();
        let reds = |changes: &[Change]| changes.iter().map(Change::red_fives).sum::<usize>();
        let is_worse =
            |best: &Repair| (reds(&best.changes), &best.changes) <= (reds(&changes), &changes);
        if self.best.as_ref().is_some_and(is_worse) {
            return;
        }
        let draft = self.base.with(&changes, self.plan);
        let is_allowed = draft.request.check(self.rules).is_ok_and(|table| {
            let mut inputs = table.inputs();
            let input = inputs.find(|input| input.seat == draft.seat());
            input.is_some_and(|input| self.reaches(&input))
        });
        if is_allowed {
            let request = draft.request;
            self.best = Some(Repair { changes, request });
        }
    }

    /// True when a hand reaches the goal.
    fn reaches(&self, input: &ScoreInput<'_>) -> bool {
        self.goal.is_met(self.plan, &self.rules.score_hand(input))
    }
}

/// The tiles of a kind: the plain one, and the red five if the set has one.
fn tiles_of(plan: &Plan, kind: Kind) -> impl Iterator<Item = Tile> + use<> {
    let red = kind.suit().map(Tile::red_five);
    let red = red.filter(|red| red.kind() == Some(kind) && plan.tiles.contains(*red));
    red.into_iter().chain([Tile::plain(kind)])
}

/// Changes of sorted tiles to other sorted tiles.
fn pairs(out: &[Tile], tiles: &[Tile]) -> Vec<Change> {
    let pairs = out.iter().zip(tiles);
    pairs
        .map(|(&from, &to)| Change::Tile { from, to })
        .collect()
}

/// Visits every choice of some of the sorted tiles, equal ones once, with the tiles that are left.
fn each_choice(tiles: &[Tile], number: usize, visit: &mut dyn FnMut(&[Tile], &[Tile])) {
    fn choose(
        tiles: &[Tile],
        number: usize,
        chosen: &mut Vec<Tile>,
        rest: &mut Vec<Tile>,
        visit: &mut dyn FnMut(&[Tile], &[Tile]),
    ) {
        if number == 0 {
            let kept = rest.len();
            rest.extend(tiles);
            visit(chosen, rest);
            rest.truncate(kept);
            return;
        }
        let mut left = tiles;
        let kept = rest.len();
        while let Some((&first, others)) = left.split_first() {
            chosen.push(first);
            choose(others, number - 1, chosen, rest, visit);
            chosen.pop();
            let alike = left.iter().take_while(|tile| **tile == first).count();
            rest.extend(&left[..alike]);
            left = &left[alike..];
        }
        rest.truncate(kept);
    }
    choose(tiles, number, &mut Vec::new(), &mut Vec::new(), visit);
}

/// Visits every sorted list of `number` tiles.
fn each_list(tiles: &[Tile], number: usize, list: &mut Vec<Tile>, visit: &mut dyn FnMut(&[Tile])) {
    if number == 0 {
        return visit(list);
    }
    for (place, &tile) in tiles.iter().enumerate() {
        list.push(tile);
        each_list(&tiles[place..], number - 1, list, visit);
        list.pop();
    }
}

/// Every change of one circumstance.
fn circumstances(plan: &Plan, draft: &Draft) -> Vec<Change> {
    let (hand, win) = (&draft.request.hands[draft.place], draft.win());
    let is_alone = draft.request.hands.len() == 1;
    let mut changes = Vec::new();
    for &way in plan.ways() {
        let unknown = (way.is_self_draw() || is_alone).then_some(None);
        let fed = win.from.filter(|_| way == Way::Replacement).map(Some);
        let seats = Seat::all(plan.players).map(Some);
        let seats = seats.filter(|_| !way.is_self_draw());
        let from = unknown.into_iter().chain(fed).chain(seats);
        let others = from.filter(|&from| (way, from) != (win.way, win.from));
        changes.extend(others.map(|from| Change::Way { way, from }));
    }
    let flags = plan.flags().iter().enumerate();
    changes.extend(flags.map(|(place, flag)| Change::Flag {
        id: flag.id.clone(),
        set: !win.flags.contains(place),
    }));
    if plan.kong_flag.is_some() {
        let now = win.kongs_in_row.max(1);
        let others = (1..=4).filter(|&count| count != now);
        changes.extend(others.map(|count| Change::KongsInRow { count }));
    }
    let flowers = plan.tiles.flowers().iter().map(Tile::flower);
    changes.extend(flowers.map(|tile| Change::Bonus {
        tile,
        added: !hand.aside.contains(&tile),
    }));
    for tile in plan.play.aside.kinds().iter().map(Tile::plain) {
        let has = [true, false].into_iter();
        let has = has.filter(|&added| added || hand.aside.contains(&tile));
        changes.extend(has.map(|added| Change::Bonus { tile, added }));
    }
    if plan.matches.round_winds {
        let others = Wind::ALL.into_iter();
        let others = others.filter(|&wind| wind != draft.request.round);
        changes.extend(others.map(|wind| Change::Round { wind }));
    }
    let others = Seat::all(plan.players).filter(|&seat| seat != hand.seat);
    changes.extend(others.map(|seat| Change::Seat { seat }));
    changes
}

/// Every change of one meld that the ruleset allows, meld by meld.
fn other_melds(plan: &Plan, given: &[Declared], melds: &[Meld], seat: Seat) -> Vec<OtherMeld> {
    let allowed = |declared: &Declared| {
        let has_all = declared.tiles.iter().all(|&tile| plan.tiles.contains(tile));
        let melds = check_melds(plan, std::slice::from_ref(declared), Some(seat));
        let meld = melds.ok().and_then(|melds| melds.first().copied());
        meld.filter(|_| has_all)
    };
    let mut others = Vec::new();
    for (index, (from, meld)) in given.iter().zip(melds).enumerate() {
        let family = meld.group.family();
        let of_kinds = |jokers: usize| {
            let kinds = plan.decomposer.natural_kinds().iter();
            let tiles = |kind| {
                let mut tiles = vec![Tile::plain(kind); family.tiles()];
                tiles[..jokers].fill(Kind::JOKER.into());
                tiles
            };
            kinds.map(tiles).collect::<Vec<_>>()
        };
        let groups = match family {
            Family::Pair => Vec::new(),
            Family::Pung | Family::Kong => of_kinds(0),
            // The set rarely has five tiles alike.
            Family::Quint | Family::Sextet => of_kinds(meld.jokers()),
            Family::Arith | Family::Gem | Family::Power => {
                let shapes = plan.decomposer.grammar().shapes();
                let groups = shapes.flat_map(|(_, shape)| Suit::ALL.map(|suit| shape.group(suit)));
                groups
                    .map(|group| group.tiles().map(Tile::plain).collect())
                    .collect()
            }
        };
        for tiles in groups {
            let to = Declared {
                tiles,
                ..from.clone()
            };
            let is_same = |other: &Meld| {
                other.group == meld.group && (other.reds, other.wild) == (meld.reds, meld.wild)
            };
            if let Some(other) = allowed(&to).filter(|other| !is_same(other)) {
                let from = from.clone();
                others.push(OtherMeld {
                    index,
                    change: Change::Meld { index, from, to },
                    meld: Some(other),
                });
            }
        }
        let concealed = Declared::concealed(from.tiles.clone());
        if let Some(other) = allowed(&concealed).filter(|_| from.open) {
            let meld = from.clone();
            others.push(OtherMeld {
                index,
                change: Change::Concealed { index, meld },
                meld: Some(other),
            });
        }
        if from.tiles.len() == 3 {
            let meld = from.clone();
            others.push(OtherMeld {
                index,
                change: Change::Undeclared { index, meld },
                meld: None,
            });
        }
    }
    others
}
