//! [`Wall`]: shuffled tiles, dice, the break, and draws from both ends. [`WallRules`]: how a ruleset does all
//! that.

use crate::list::List;
use crate::random::Stream;
use crate::seat::{BySeat, MAX_PLAYERS, Player, Seat};
use crate::set::KindSet;
use crate::tile::{Kind, Tile};
use crate::tile_set::TileSet;
use smallvec::SmallVec;

/// The most tiles that a wall can have: four walls of 29 stacks of two.
pub const MAX_WALL: usize = 232;

/// Fills the slots that a wall does not use.
const FILLER: Tile = Tile::plain(Kind::EAST);

/// One roll of dice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Roll {
    /// How many dice, 1 to 3.
    pub dice: u8,
    /// How many sides each die has.
    pub sides: u8,
}

/// Who gets the stacks that cannot be shared evenly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SpareStacks {
    /// The dealer's wall and the one opposite come first, so that opposite walls are equal.
    Opposite,
    /// One each, from player 0 on.
    First,
}

/// Where replacement tiles lie in a wall of `n` tiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum BackOrder {
    /// From the very end: n − 1, n − 2, …
    FromEnd,
    /// Stack by stack from the end, top tile first: n − 2, n − 1, n − 4, n − 3, …
    ByStack,
    /// From the last tile before the reserve backwards: n − 1 − reserve, …
    BeforeReserve,
}

/// Where indicators (bonus tiles) lie in the reserve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IndicatorOrder {
    /// The tops of the reserve's stacks in wall order, then the bottoms. With `n` tiles and a reserve of `r`
    /// that is n − r, n − r + 2, … and then n − r + 1, n − r + 3, … Source: `rulesets/uzje.md` §4.9.
    TopsThenBottoms,
    /// The tops of the reserve's stacks that hold no replacement tiles, from the end of the wall backwards.
    /// An under-indicator lies below each. Source: `rulesets/riichi-mcgill.md` §1.
    TopsBeyondReplacements,
    /// The last tile of the wall, alone. It is none of the tiles that must be laid aside: the nearest other tile to the
    /// end takes its place.
    Last,
}

/// Which dice are added up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DiceSum {
    /// No dice: the sum is 0.
    None,
    /// The dice of one roll, numbered from 0.
    Roll(usize),
    /// The dice of all rolls.
    All,
    /// The lowest of all dice.
    Lowest,
}

/// How a wall is built, broken, dealt and drawn from: the `[wall]` and `[deal]` sections of a ruleset.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct WallRules {
    /// How many tiles a stack has.
    pub height: u8,
    pub(crate) rolls: SmallVec<[Roll; 2]>,
    /// The sum that says whose wall is broken. It counts in playing order from the dealer, who is 1. Without
    /// dice the dealer's wall is broken.
    pub break_wall: DiceSum,
    /// The sum that says how many stacks to count from that wall's right end.
    pub break_count: DiceSum,
    /// True if the ring of stacks continues with the wall of the next player in playing order. False if with
    /// that of the player before.
    pub ring_with_turns: bool,
    /// True if drawing starts at the stack after the last one counted and goes on. False if it starts at the
    /// stack before that one and goes back.
    pub draw_onward: bool,
    /// Who builds one stack more than the others.
    pub spare_stacks: SpareStacks,
    /// How many tiles at the end ordinary draws leave.
    pub reserve: usize,
    /// True if each replacement takes one more tile from the ordinary draws.
    pub reserve_moves: bool,
    /// True if flowers are replaced from the front once the replacements are used up. Kongs never are.
    pub reserve_then_wall: bool,
    /// Where replacement tiles lie.
    pub back: BackOrder,
    /// The most replacements in a deal. With `None` only the tiles limit them.
    pub most_replacements: Option<usize>,
    /// How many tiles beside flowers may be laid aside, each for a replacement.
    pub aside: usize,
    /// The kinds that must be laid aside.
    pub(crate) forced: KindSet,
    /// Where indicators lie. `None` if the ruleset has none.
    pub indicators: Option<IndicatorOrder>,
    /// The most indicators. With `None` as many as the reserve holds.
    pub most_indicators: Option<usize>,
    /// True if the dealer is dealt to first, false if last.
    pub dealer_first: bool,
    pub(crate) packets: SmallVec<[u8; 4]>,
}

impl WallRules {
    /// Rolls of dice in the order in which they are thrown.
    pub fn rolls(&self) -> &[Roll] {
        &self.rolls
    }

    /// How many tiles each player gets in each round of dealing.
    pub fn packets(&self) -> &[u8] {
        &self.packets
    }

    /// Whose wall these dice break, and how many stacks are counted.
    pub fn broken_by<R: AsRef<[u8]>>(&self, dice: &[R], players: usize) -> (Seat, usize) {
        let total = |roll: &R| roll.as_ref().iter().map(|&d| usize::from(d)).sum::<usize>();
        let sum = |which: DiceSum| -> usize {
            match which {
                DiceSum::None => 0,
                DiceSum::Roll(i) => dice.get(i).map_or(0, total),
                DiceSum::All => dice.iter().map(total).sum(),
                DiceSum::Lowest => {
                    let all = dice.iter().flat_map(|roll| roll.as_ref());
                    all.min().map_or(0, |&die| usize::from(die))
                }
            }
        };
        let owner = match self.break_wall {
            DiceSum::None => Seat::EAST,
            which => Seat::EAST.after(sum(which).saturating_sub(1), players),
        };
        (owner, sum(self.break_count))
    }

    /// How many stacks each seat builds of a number of tiles.
    pub fn lengths(&self, tiles: usize, players: usize, dealer: Player) -> Vec<usize> {
        let stacks = tiles / usize::from(self.height.max(1));
        wall_lengths(
            self.spare_stacks,
            stacks,
            players.clamp(1, MAX_PLAYERS),
            dealer,
        )
        .to_vec()
    }

    /// The seats in the order in which their walls follow each other in the ring of stacks, from the dealer's on.
    fn ring(&self, players: usize) -> impl Iterator<Item = Seat> + use<> {
        let with_turns = self.ring_with_turns;
        (0..players).map(move |step| match with_turns {
            true => Seat::EAST.after(step, players),
            false => Seat::EAST.after((players - step) % players, players),
        })
    }

    /// How a wall stands on the table: the stacks of each seat from the right end of its wall, as its player sees it.
    ///
    /// ```
    /// use paishan::{Match, Player, Rules};
    /// let rules = Rules::by_id("riichi-tenhou")?;
    /// let deal = Match::with_dealer(&rules, 7, Player::FIRST).start_deal();
    /// let walls = rules.plan().wall().stacks(deal.state().wall(), 4, Player::FIRST);
    /// assert_eq!(walls.iter().map(Vec::len).collect::<Vec<_>>(), [17; 4]);
    /// let left: usize = walls.iter().flatten().map(|stack| usize::from(stack.left)).sum();
    /// // 52 tiles are dealt, and the dealer has drawn one.
    /// assert_eq!(left, 136 - 53);
    /// assert_eq!(walls.iter().flatten().filter(|stack| stack.indicator.is_some()).count(), 1);
    /// # Ok::<(), paishan::ruleset::LoadError>(())
    /// ```
    pub fn stacks(&self, wall: &Wall, players: usize, dealer: Player) -> Vec<Vec<WallStack>> {
        let players = players.clamp(1, MAX_PLAYERS);
        let height = usize::from(self.height.max(1));
        let count = wall.tiles.len();
        let stacks = count / height;
        let mut lengths = self.lengths(count, players, dealer);
        lengths.resize(players, 0);
        let (owner, counted) = wall.broken;
        let walls: Vec<Seat> = self.ring(players).collect();
        let before = walls.iter().take_while(|seat| **seat != owner);
        let start: usize = before.map(|seat| lengths[seat.index()]).sum();
        let first = start + usize::from(counted);
        let (front, back) = wall.taken();
        let mut is_left = vec![true; count];
        is_left[..front.min(count)].fill(false);
        for place in wall.back_places().take(back) {
            if let Some(left) = is_left.get_mut(place) {
                *left = false;
            }
        }
        let mut ring = vec![WallStack::default(); stacks];
        for (place, is_left) in is_left.into_iter().enumerate() {
            // Tiles that fill no stack lie on the last one.
            let stack = (place / height).min(stacks.saturating_sub(1));
            let at = match (self.draw_onward, stacks) {
                (_, 0) => continue,
                (true, stacks) => (first + stack) % stacks,
                (false, stacks) => (first + stacks * 2 - 1 - stack) % stacks,
            };
            let one = &mut ring[at];
            one.left += u8::from(is_left);
            one.is_whole = usize::from(one.left) >= height;
            one.is_dead |= place + wall.reserve() >= count;
            one.is_first |= place == 0;
        }
        let turned = wall.indicator_places().zip(wall.turned());
        for (place, tile) in turned {
            let stack = place / height;
            let at = match self.draw_onward {
                true => first + stack,
                false => first + stacks * 2 - 1 - stack,
            };
            if let Some(one) = ring.get_mut(at % stacks.max(1)) {
                // The lower tile of a stack is turned last.
                one.indicator = Some(tile);
            }
        }
        let mut ring = ring.into_iter();
        let mut all = vec![Vec::new(); players];
        for seat in walls {
            all[seat.index()] = ring.by_ref().take(lengths[seat.index()]).collect();
        }
        all
    }

    /// The most indicators that can lie face up.
    pub fn indicators_at_most(&self) -> usize {
        let places = match self.indicators {
            None => return 0,
            Some(IndicatorOrder::TopsThenBottoms) => self.reserve,
            Some(IndicatorOrder::TopsBeyondReplacements) => {
                self.reserve
                    .saturating_sub(self.most_replacements.unwrap_or(0))
                    / 2
            }
            Some(IndicatorOrder::Last) => 1,
        };
        self.most_indicators.unwrap_or(places)
    }

    /// How many tiles ordinary draws leave at the end: the reserve, and the last tile if it lies face up.
    fn undrawn(&self) -> usize {
        self.reserve + usize::from(self.indicators == Some(IndicatorOrder::Last))
    }

    /// True if the rules throw this number of dice and these values are possible.
    pub fn throws<R: AsRef<[u8]>>(&self, dice: &[R]) -> bool {
        let fits = |(roll, thrown): (&Roll, &R)| {
            let thrown = thrown.as_ref();
            thrown.len() == usize::from(roll.dice)
                && thrown.iter().all(|die| (1..=roll.sides).contains(die))
        };
        dice.len() == self.rolls.len() && self.rolls.iter().zip(dice).all(fits)
    }
}

/// A stack of a wall that stands on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct WallStack {
    /// How many of its tiles are left.
    pub left: u8,
    /// All of its tiles are left.
    pub is_whole: bool,
    /// Ordinary draws leave a tile of it: it belongs to the dead wall.
    pub is_dead: bool,
    /// Drawing began here, at the break.
    pub is_first: bool,
    /// The indicator that lies face up on it.
    pub indicator: Option<Tile>,
}

/// The tiles of one deal in wall order, and how far they have been drawn. Play rewrites them only if seats draw from
/// [streams](Wall::in_streams), so a finished deal can be checked against its wall.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Wall {
    tiles: List<Tile, MAX_WALL>,
    /// The [`TileSet::id`] of the set.
    set: u32,
    front: u8,
    back: u8,
    reserve: u8,
    reserve_moves: bool,
    reserve_then_wall: bool,
    back_order: BackOrder,
    back_limit: u8,
    indicator_order: Option<IndicatorOrder>,
    /// How many indicators can be turned.
    indicators: u8,
    /// How many indicators lie face up.
    turned: u8,
    /// How many tiles each seat has drawn from its stream. `None` if all seats draw in turn.
    streams: Option<BySeat<u8>>,
    pub(crate) dice: List<List<u8, 3>, 2>,
    /// Whose wall was broken, and how many stacks were counted.
    pub broken: (Seat, u8),
}

impl Wall {
    /// The dice thrown, roll by roll.
    pub fn dice(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.dice.iter().map(|roll| &**roll)
    }

    /// Shuffles the set, throws the dice, and puts the stacks into drawing order. 0 players count as one,
    /// more than six as six.
    pub fn build(
        rules: &WallRules,
        tiles: &TileSet,
        players: usize,
        dealer: Player,
        stream: &mut Stream,
    ) -> Self {
        let players = players.clamp(1, MAX_PLAYERS);
        let mut ring = *tiles.all();
        stream.shuffle(&mut ring);
        let mut dice: List<List<u8, 3>, 2> = List::new();
        for roll in rules.rolls.iter().take(2) {
            let die = |_| stream.below(u32::from(roll.sides)) as u8 + 1;
            dice.push(List::first_of((0..roll.dice).map(die)));
        }
        let (owner, count) = rules.broken_by(&dice, players);

        let height = usize::from(rules.height.max(1));
        let stacks = ring.len() / height;
        let lengths = wall_lengths(rules.spare_stacks, stacks, players, dealer);
        let before = rules.ring(players).take_while(|seat| *seat != owner);
        let start: usize = before.map(|seat| lengths[seat.index()]).sum();
        let mut wall = Self {
            tiles: List::over(FILLER),
            set: tiles.id(),
            front: 0,
            back: 0,
            reserve: rules.undrawn() as u8,
            reserve_moves: rules.reserve_moves,
            reserve_then_wall: rules.reserve_then_wall,
            back_order: rules.back,
            back_limit: 0,
            indicator_order: rules.indicators,
            indicators: rules.indicators_at_most() as u8,
            turned: u8::from(rules.indicators.is_some()),
            streams: None,
            dice,
            broken: (owner, count as u8),
        };
        // Puts the stacks into drawing order. Tiles that fill no stack come last: the height may not divide
        // the set.
        let (stacked, over) = ring.split_at(stacks * height);
        let nth = |stack: usize| stack % stacks.max(1) * height;
        if rules.draw_onward {
            let (later, sooner) = stacked.split_at(nth(start + count));
            wall.tiles.extend(sooner.iter().copied());
            wall.tiles.extend(later.iter().copied());
        } else {
            let (sooner, later) =
                stacked.split_at(match nth(start + count + stacks.saturating_sub(1)) {
                    0 => stacked.len(),
                    middle => middle,
                });
            for stack in sooner.chunks_exact(height).rev() {
                wall.tiles.extend(stack.iter().copied());
            }
            for stack in later.chunks_exact(height).rev() {
                wall.tiles.extend(stack.iter().copied());
            }
        }
        wall.tiles.extend(over.iter().copied());
        wall.find_last(rules);
        let dealt: usize = rules.packets.iter().map(|&n| usize::from(n)).sum::<usize>() * players;
        wall.back_limit = wall.longest_back(rules, tiles, players, dealt) as u8;
        wall
    }

    /// Puts a tile at the end that need not be laid aside, if the last tile lies face up.
    fn find_last(&mut self, rules: &WallRules) {
        if self.indicator_order != Some(IndicatorOrder::Last) {
            return;
        }
        let is_forced = |tile: &Tile| tile.kind().is_none_or(|kind| rules.forced.contains(kind));
        let last = self.tiles.iter().rposition(|tile| !is_forced(tile));
        if let (Some(place), Some(end)) = (last, self.tiles.len().checked_sub(1)) {
            self.tiles.swap(place, end);
        }
    }

    /// A wall with known tiles, such as one from a log. `None` if the tiles are not exactly those of the set,
    /// or if there are more than two rolls or more than three dice in a roll.
    pub fn from_tiles(
        rules: &WallRules,
        set: &TileSet,
        players: usize,
        tiles: &[Tile],
        dice: &[Vec<u8>],
        broken: (Seat, u8),
    ) -> Option<Self> {
        let mut sorted = tiles.to_vec();
        sorted.sort_unstable();
        if sorted.len() > MAX_WALL || !sorted.iter().copied().eq(set.iter()) || dice.len() > 2 {
            return None;
        }
        if dice.iter().any(|roll| roll.len() > 3) {
            return None;
        }
        let players = players.clamp(1, MAX_PLAYERS);
        let dealt: usize = rules.packets.iter().map(|&n| usize::from(n)).sum::<usize>() * players;
        let mut known = List::over(FILLER);
        known.extend(tiles.iter().copied());
        let mut wall = Self {
            tiles: known,
            set: set.id(),
            front: 0,
            back: 0,
            reserve: rules.undrawn() as u8,
            reserve_moves: rules.reserve_moves,
            reserve_then_wall: rules.reserve_then_wall,
            back_order: rules.back,
            back_limit: 0,
            indicator_order: rules.indicators,
            indicators: rules.indicators_at_most() as u8,
            turned: u8::from(rules.indicators.is_some()),
            streams: None,
            dice: List::first_of(dice.iter().map(|roll| List::first_of(roll.iter().copied()))),
            broken,
        };
        wall.find_last(rules);
        wall.back_limit = wall.longest_back(rules, set, players, dealt) as u8;
        Some(wall)
    }

    /// The same wall, from which each seat draws its own stream of tiles: those that it would get if all `players` drew
    /// in turn. So a claim does not change what the others draw. The number of draws does not change. When all tiles of a
    /// stream have been drawn, its seat gets the last tile of the live wall. Replacements come from the back as ever.
    ///
    /// Call it before the first draw. A drawn tile is moved to the front of the live wall, and the others keep their
    /// order. So at any time the drawn tiles are the first ones, in the order of the draws.
    ///
    /// ```
    /// use paishan::random::Stream;
    /// use paishan::{Player, Rules, Seat, Wall};
    /// let woo = Rules::by_id("woo")?;
    /// let plan = woo.plan();
    /// let mut stream = Stream::new(7, 16);
    /// let wall = Wall::build(plan.wall(), plan.tiles(), plan.players(), Player::FIRST, &mut stream);
    /// let tiles: Vec<_> = wall.tiles().collect();
    /// let mut wall = wall.in_streams(4);
    /// // East draws, and then West after a claim.
    /// assert_eq!(wall.draw(Seat::EAST), Some(tiles[0]));
    /// assert_eq!(wall.draw(Seat::WEST), Some(tiles[2]));
    /// assert_eq!(wall.draw(Seat::NORTH), Some(tiles[3]));
    /// assert_eq!(wall.draw(Seat::EAST), Some(tiles[4]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_streams(mut self, players: usize) -> Self {
        // Seats without a player have drawn everything.
        self.streams = Some(BySeat::from_fn(|seat| match seat.index() < players {
            true => 0,
            false => u8::MAX,
        }));
        self
    }

    /// Moves the next tile of a seat's stream to the front. There is a tile to draw.
    #[inline(never)]
    fn bring_to_front(&mut self, seat: Seat) {
        let Some(drawn) = &mut self.streams else {
            return;
        };
        let own = drawn[seat];
        // Undrawn tiles of the other streams that lie before the tile.
        let before = |other: Seat| {
            let reach = own.saturating_add(u8::from(other < seat));
            usize::from(reach.saturating_sub(drawn[other]))
        };
        let before: usize = Seat::all(MAX_PLAYERS).map(before).sum();
        drawn[seat] = own.saturating_add(1);
        let (front, last) = (usize::from(self.front), self.draws_left() - 1);
        self.tiles[front..=front + before.min(last)].rotate_right(1);
    }

    /// True for a wall of these tiles.
    #[inline]
    pub(crate) fn is_of(&self, set: &TileSet) -> bool {
        self.set == set.id()
    }

    /// The most replacements that a deal can take. A reserve that stays in place holds them all. Otherwise
    /// the limit is every tile that may be laid aside and a kong for each group of every player, as far as
    /// the tiles reach.
    fn longest_back(
        &self,
        rules: &WallRules,
        set: &TileSet,
        players: usize,
        dealt: usize,
    ) -> usize {
        let bound = rules.most_replacements.unwrap_or(usize::MAX);
        if !self.reserve_moves {
            return rules.reserve.min(bound);
        }
        let reserve = usize::from(self.reserve);
        let groups = dealt / players / 3;
        let most = set.flowers().len() + rules.aside + groups * players;
        let room = self.tiles.len().saturating_sub(dealt + reserve);
        most.min(room).min(bound)
    }

    /// All tiles in wall order.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = Tile> + '_ {
        self.tiles.iter().copied()
    }

    /// How many tiles ordinary draws leave at the end.
    pub fn reserve(&self) -> usize {
        usize::from(self.reserve)
    }

    /// True if each replacement takes one more tile from the ordinary draws.
    pub fn reserve_moves(&self) -> bool {
        self.reserve_moves
    }

    /// Places of the replacement tiles in the order in which they are taken, as many as the deal can ever
    /// need.
    pub fn back_places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..usize::from(self.back_limit)).map(|k| self.back_place(k))
    }

    #[inline]
    fn back_place(&self, k: usize) -> usize {
        let is_turned = self.indicator_order == Some(IndicatorOrder::Last);
        let n = self.tiles.len() - usize::from(is_turned);
        match self.back_order {
            BackOrder::FromEnd => n - 1 - k,
            BackOrder::ByStack => n - 2 - k / 2 * 2 + k % 2,
            BackOrder::BeforeReserve => n - 1 - usize::from(self.reserve) - k,
        }
    }

    /// Places of all indicators in the order in which they are turned. Empty if the ruleset has none.
    pub fn indicator_places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..usize::from(self.indicators)).map(|k| self.indicator_place(k))
    }

    fn indicator_place(&self, k: usize) -> usize {
        match self.indicator_order {
            Some(IndicatorOrder::TopsBeyondReplacements) => {
                return self.tiles.len() - usize::from(self.back_limit) - 2 - 2 * k;
            }
            Some(IndicatorOrder::Last) => return self.tiles.len() - 1,
            Some(IndicatorOrder::TopsThenBottoms) | None => {}
        }
        let reserve = usize::from(self.reserve);
        let tops = reserve.div_ceil(2);
        let within = if k < tops { 2 * k } else { 2 * (k - tops) + 1 };
        self.tiles.len() - reserve + within
    }

    /// The face-up indicators, in the order in which they were turned.
    pub fn turned(&self) -> impl ExactSizeIterator<Item = Tile> + '_ {
        (0..usize::from(self.turned)).map(|k| self.tiles[self.indicator_place(k)])
    }

    /// The tiles under the face-up indicators, in the same order.
    pub fn under_turned(&self) -> impl Iterator<Item = Tile> + '_ {
        let places = self.under_places().take(usize::from(self.turned));
        places.filter_map(|place| self.tile_at(place))
    }

    /// Places of the under-indicators, in the order in which the indicators above them are turned. Empty if
    /// the ruleset has none.
    pub fn under_places(&self) -> impl Iterator<Item = usize> + '_ {
        let has_under = self.indicator_order == Some(IndicatorOrder::TopsBeyondReplacements);
        let count = if has_under { usize::MAX } else { 0 };
        self.indicator_places().take(count).map(|place| place + 1)
    }

    /// Turns the next indicator. `None` if all lie face up.
    pub(crate) fn turn_indicator(&mut self) -> Option<Tile> {
        let place = self.indicator_places().nth(usize::from(self.turned))?;
        self.turned += 1;
        self.tile_at(place)
    }

    /// How many tiles have not been drawn yet, the reserve included.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.tiles.len() - usize::from(self.front) - usize::from(self.back)
    }

    /// How many ordinary draws are left.
    #[inline]
    pub fn draws_left(&self) -> usize {
        if self.reserve_moves {
            self.remaining().saturating_sub(usize::from(self.reserve))
        } else {
            (self.tiles.len() - usize::from(self.reserve)).saturating_sub(usize::from(self.front))
        }
    }

    /// True if a replacement can be drawn.
    #[inline]
    pub fn has_replacement(&self) -> bool {
        self.back < self.back_limit && (!self.reserve_moves || self.draws_left() > 0)
    }

    /// Draws the next tile of the live wall for a seat. `None` if no draw is left. The seat matters only for a wall
    /// [in streams](Wall::in_streams).
    #[inline]
    pub fn draw(&mut self, seat: Seat) -> Option<Tile> {
        if self.draws_left() == 0 {
            return None;
        }
        if self.streams.is_some() {
            self.bring_to_front(seat);
        }
        self.take_front()
    }

    /// Takes the next `tiles` tiles from the front to deal them, or all that are left.
    #[inline]
    pub(crate) fn take_packet(&mut self, tiles: usize) -> &[Tile] {
        let from = usize::from(self.front);
        let to = (from + tiles).min(self.tiles.len());
        self.front = to as u8;
        &self.tiles[from..to]
    }

    #[inline]
    fn take_front(&mut self) -> Option<Tile> {
        let tile = *self.tiles.get(usize::from(self.front))?;
        self.front += 1;
        Some(tile)
    }

    /// Draws a replacement. `None` if none is left.
    #[inline]
    pub fn draw_replacement(&mut self) -> Option<Tile> {
        if !self.has_replacement() {
            return None;
        }
        let tile = self.tiles[self.back_place(usize::from(self.back))];
        self.back += 1;
        Some(tile)
    }

    /// Draws the replacement of a seat's flower, with true if it came from the back. Once the back has none left,
    /// some rulesets draw from the front instead. `None` if no tile is left for it.
    #[inline]
    pub fn draw_for_flower(&mut self, seat: Seat) -> Option<(Tile, bool)> {
        if let Some(tile) = self.draw_replacement() {
            return Some((tile, true));
        }
        if !self.reserve_then_wall {
            return None;
        }
        self.draw(seat).map(|tile| (tile, false))
    }

    /// How many tiles were taken from the front, dealt ones included, and from the back.
    pub fn taken(&self) -> (usize, usize) {
        (usize::from(self.front), usize::from(self.back))
    }

    /// Places of the unseen tiles: not drawn, and not a face-up indicator.
    pub(crate) fn unseen(&self) -> impl Iterator<Item = usize> + '_ {
        let known: SmallVec<[usize; 64]> = (0..usize::from(self.back))
            .map(|k| self.back_place(k))
            .chain((0..usize::from(self.turned)).map(|k| self.indicator_place(k)))
            .collect();
        (usize::from(self.front)..self.tiles.len()).filter(move |place| !known.contains(place))
    }

    /// Sorts the tiles that were drawn, so that their places give nothing away. `all` is the set in tile
    /// order, `unseen` the places of the tiles that were not drawn.
    pub(crate) fn forget_drawn(&mut self, all: &[Tile], unseen: &[usize]) {
        let turned: SmallVec<[usize; 16]> = (0..usize::from(self.turned))
            .map(|k| self.indicator_place(k))
            .collect();
        let drawn = |place: &usize| !unseen.contains(place) && !turned.contains(place);
        let places: Vec<usize> = (0..self.tiles.len()).filter(drawn).collect();
        // The tiles elsewhere may have been imagined anew, so the drawn tiles are all the others of the set.
        let mut left: Vec<Tile> = all.to_vec();
        for place in unseen.iter().chain(&turned) {
            if let Some(at) = left.iter().position(|&tile| tile == self.tiles[*place]) {
                left.remove(at);
            }
        }
        for (place, tile) in places.into_iter().zip(left) {
            self.put(place, tile);
        }
    }

    pub(crate) fn tile_at(&self, place: usize) -> Option<Tile> {
        self.tiles.get(place).copied()
    }

    pub(crate) fn put(&mut self, place: usize, tile: Tile) {
        self.tiles[place] = tile;
    }
}

/// How many stacks each seat's wall has.
fn wall_lengths(
    spare: SpareStacks,
    stacks: usize,
    players: usize,
    dealer: Player,
) -> SmallVec<[usize; 6]> {
    let mut lengths: SmallVec<[usize; 6]> = SmallVec::from_elem(stacks / players, players);
    for i in 0..stacks % players {
        let seat = match spare {
            SpareStacks::Opposite => {
                let half = players.div_ceil(2);
                (i / 2 + i % 2 * half) % players
            }
            SpareStacks::First => {
                Player::new(i).map_or(0, |player| player.seat(dealer, players).index())
            }
        };
        lengths[seat] += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;
    use crate::notation::Notation;
    use crate::set::FlowerSet;
    use crate::tile::{Kind, Rank, Suit};
    use smallvec::smallvec;

    fn set(flowers: FlowerSet) -> TileSet {
        let mut copies = Counts::EMPTY;
        for suit in Suit::ALL {
            for rank in (1..=9).filter_map(Rank::new) {
                copies.set(Kind::number(suit, rank), 4);
            }
        }
        for kind in Notation::Ujmj.parse("ESWNCFP").unwrap() {
            copies.set(kind.kind().unwrap(), 4);
        }
        TileSet::new(copies, [0; 3], flowers)
    }

    fn rules() -> WallRules {
        WallRules {
            height: 2,
            rolls: smallvec![Roll { dice: 1, sides: 6 }, Roll { dice: 2, sides: 6 }],
            break_wall: DiceSum::Roll(0),
            break_count: DiceSum::Roll(1),
            ring_with_turns: true,
            draw_onward: true,
            spare_stacks: SpareStacks::Opposite,
            reserve: 14,
            reserve_moves: true,
            reserve_then_wall: false,
            back: BackOrder::FromEnd,
            most_replacements: None,
            aside: 0,
            forced: KindSet::EMPTY,
            indicators: None,
            most_indicators: None,
            dealer_first: false,
            packets: smallvec![4, 4, 4, 1],
        }
    }

    #[test]
    fn opposite_walls_are_equal() {
        let dealer = Player::new(2).unwrap();
        assert_eq!(
            &*wall_lengths(SpareStacks::Opposite, 70, 4, dealer),
            [18, 17, 18, 17]
        );
        assert_eq!(
            &*wall_lengths(SpareStacks::Opposite, 72, 4, dealer),
            [18; 4]
        );
        assert_eq!(
            &*wall_lengths(SpareStacks::First, 88, 6, dealer),
            [15, 15, 14, 14, 15, 15]
        );
    }

    #[test]
    fn the_break_rotates_the_ring() {
        // The same seed gives the same ring and dice; only the counting differs.
        let set = set(FlowerSet::from_bits(0xff));
        let dealer = Player::new(0).unwrap();
        let build =
            |rules: &WallRules| Wall::build(rules, &set, 4, dealer, &mut Stream::new(5, 16));
        let unbroken = build(&WallRules {
            break_wall: DiceSum::None,
            break_count: DiceSum::None,
            ..rules()
        });
        let ring: Vec<Tile> = unbroken.tiles().collect();
        let broken = build(&rules());
        let (owner, count) = broken.broken;
        let shift = 2 * (18 * owner.index() + usize::from(count));
        let mut want = ring.clone();
        want.rotate_left(shift);
        assert_eq!(broken.tiles().collect::<Vec<_>>(), want);
        // In a ring against the turns, 4 − owner walls come before the owner's.
        let against = build(&WallRules {
            ring_with_turns: false,
            ..rules()
        });
        let mut want = ring.clone();
        want.rotate_left(2 * (18 * ((4 - owner.index()) % 4) + usize::from(count)));
        assert_eq!(against.tiles().collect::<Vec<_>>(), want);
        // Backwards: stacks n − 1, n − 2 … round to n, each top tile first.
        let backward = build(&WallRules {
            draw_onward: false,
            ..rules()
        });
        let n = 18 * owner.index() + usize::from(count) - 1;
        let column = |i: usize| [ring[2 * i], ring[2 * i + 1]];
        let want: Vec<Tile> = (1..=72).flat_map(|k| column((n + 72 - k) % 72)).collect();
        assert_eq!(backward.tiles().collect::<Vec<_>>(), want);
    }

    #[test]
    fn replacements_come_from_their_places() {
        let set = set(FlowerSet::from_bits(0xff));
        let dealer = Player::new(0).unwrap();
        let places = |back, reserve_moves| {
            let rules = WallRules {
                back,
                reserve_moves,
                ..rules()
            };
            let wall = Wall::build(&rules, &set, 4, dealer, &mut Stream::new(1, 1));
            wall.back_places().take(4).collect::<Vec<_>>()
        };
        assert_eq!(places(BackOrder::FromEnd, true), [143, 142, 141, 140]);
        assert_eq!(places(BackOrder::ByStack, false), [142, 143, 140, 141]);
        assert_eq!(places(BackOrder::BeforeReserve, true), [129, 128, 127, 126]);
    }

    #[test]
    fn both_ends_meet_at_the_reserve() {
        let set = set(FlowerSet::from_bits(0xff));
        let dealer = Player::new(0).unwrap();
        let mut wall = Wall::build(&rules(), &set, 4, dealer, &mut Stream::new(9, 3));
        let all: Vec<Tile> = wall.tiles().collect();
        let mut seen = Vec::new();
        for i in 0.. {
            let tile = if i % 4 == 0 && wall.has_replacement() {
                wall.draw_replacement()
            } else {
                wall.draw(Seat::EAST)
            };
            match tile {
                Some(tile) => seen.push(tile),
                None => break,
            }
        }
        assert_eq!(wall.remaining(), 14);
        let rest = wall.unseen().map(|place| wall.tile_at(place).unwrap());
        let mut every: Vec<Tile> = seen.into_iter().chain(rest).collect();
        let mut all = all;
        every.sort();
        all.sort();
        assert_eq!(every, all);
    }

    /// Seats that draw in any order, with replacements between.
    #[test]
    fn each_seat_draws_its_own_stream_while_it_lasts() {
        let set = set(FlowerSet::from_bits(0xff));
        let dealer = Player::new(0).unwrap();
        for seed in 0..20 {
            let mut stream = Stream::new(seed, 3);
            let built = Wall::build(&rules(), &set, 4, dealer, &mut stream);
            let tiles: Vec<Tile> = built.tiles().collect();
            let dealt = 53;
            let mut wall = built.in_streams(4);
            wall.take_packet(dealt);
            let (mut drawn, mut own, mut order) = ([0; 4], [0; 4], tiles[..dealt].to_vec());
            let mut others = 0;
            while wall.draws_left() > 0 {
                if stream.below(9) == 0 && wall.has_replacement() {
                    let place = tiles.len() - 1 - wall.taken().1;
                    assert_eq!(wall.draw_replacement(), Some(tiles[place]));
                    continue;
                }
                // The first seats draw more often.
                let seat = stream.below(4).min(stream.below(4)) as usize;
                let end = wall.taken().0 + wall.draws_left();
                let last = wall.tiles[end - 1];
                let tile = wall.draw(Seat::new(seat).unwrap()).unwrap();
                let place = dealt + 4 * drawn[seat] + seat;
                // A stream has no tile after its first that is gone.
                match tiles.get(place).filter(|_| drawn[seat] == own[seat]) {
                    Some(&next) if next == tile => own[seat] += 1,
                    _ => {
                        assert_eq!(tile, last);
                        others += 1;
                    }
                }
                drawn[seat] += 1;
                order.push(tile);
            }
            assert!(others > 0 && own.iter().sum::<usize>() > 25, "{own:?}");
            assert_eq!(wall.remaining(), 14);
            // No tile is drawn twice, and the drawn ones lie in front in the order of the draws.
            assert_eq!(wall.tiles().take(order.len()).collect::<Vec<_>>(), order);
            let sorted = |mut tiles: Vec<Tile>| {
                tiles.sort();
                tiles
            };
            assert_eq!(sorted(wall.tiles().collect()), sorted(tiles));
        }
    }

    #[test]
    fn seats_that_draw_in_turn_get_the_same_tiles_from_streams() {
        let dealer = Player::new(0).unwrap();
        let set = set(FlowerSet::from_bits(0));
        let mut ordinary = Wall::build(&rules(), &set, 4, dealer, &mut Stream::new(5, 1));
        let mut streams = ordinary.clone().in_streams(4);
        let mut seat = Seat::EAST;
        while let Some(tile) = ordinary.draw(seat) {
            assert_eq!(streams.draw(seat), Some(tile));
            seat = seat.after(1, 4);
        }
        assert_eq!(streams.draw(seat), None);
    }

    #[test]
    fn golden_walls() {
        // A seed gives the same wall forever. If this changes, every recorded match breaks.
        let dealer = Player::new(0).unwrap();
        let wall = Wall::build(
            &rules(),
            &set(FlowerSet::from_bits(0xff)),
            4,
            dealer,
            &mut Stream::of_wall(7, 1),
        );
        let tiles: Vec<Tile> = wall.tiles().collect();
        assert_eq!(
            Notation::Ujmj.print(tiles[..20].iter().copied()),
            "5s9t2m8t5m3t6m9sr8s7t1s5mFjS4t6s13t"
        );
        assert_eq!(
            Notation::Ujmj.print(tiles[124..].iter().copied()),
            "4m5s9t9s4mC2sE9m319t7s6mSk24m6s9m"
        );
    }

    /// The last tile is turned, unless it must be laid aside. Nobody draws it.
    #[test]
    fn the_turned_tile_is_the_last_that_may_stay() {
        let rules = crate::ruleset::Rules::by_id("fuzhou").unwrap();
        let plan = rules.plan();
        let must_lay = |tile: Tile| plan.play().aside.must_lay(tile);
        for seed in 0..40 {
            let stream = &mut Stream::new(seed, 16);
            let wall = Wall::build(plan.wall(), plan.tiles(), 4, Player::FIRST, stream);
            let last = wall.turned().next().unwrap();
            let tiles: Vec<Tile> = wall.tiles().collect();
            assert_eq!((wall.turned().len(), tiles.last()), (1, Some(&last)));
            assert!(!must_lay(last));
            let (dice, broken) = (wall.dice, wall.broken);
            let dice: Vec<Vec<u8>> = dice.iter().map(|roll| roll.to_vec()).collect();
            let known = Wall::from_tiles(plan.wall(), plan.tiles(), 4, &tiles, &dice, broken);
            assert_eq!(known.as_ref(), Some(&wall));
            // A bonus tile at the end changes places with the nearest other tile.
            let mut other = tiles.clone();
            let bonus = other.iter().position(|tile| must_lay(*tile)).unwrap();
            let end = other.len() - 1;
            other.swap(bonus, end);
            let other = Wall::from_tiles(plan.wall(), plan.tiles(), 4, &other, &dice, broken);
            assert!(!must_lay(other.unwrap().turned().next().unwrap()));
            let mut drawn = wall;
            while drawn.draw_replacement().is_some() {}
            while drawn.draw(Seat::EAST).is_some() {}
            assert!(drawn.unseen().all(|place| place < end));
            assert_eq!(drawn.remaining(), plan.wall().reserve + 1);
        }
    }
}
