//! [`ActionSpace`]: a number for every action of a ruleset.

use super::EncodeError;
use super::bytes::key;
use crate::meld::{Family, Group};
use crate::ruleset::{AddedTo, OpeningStep, Plan, WildSwap};
use crate::score::ChowFrom;
use crate::set::KindSet;
use crate::state::{Action, Legal, MeldTiles, OpeningChoice, WORDS};
use crate::tile::{Kind, Rank, Suit, Tile};
use std::fmt;
use std::ops::Range;

/// The number of tiles that can be discarded: all kinds and the red fives.
const DISCARDS: usize = Kind::COUNT + 1 + Suit::ALL.len();

/// The length of a table by kind. A power of two, so that no index needs a check.
const KINDS: usize = Kind::COUNT.next_power_of_two();

/// Marks an action that the ruleset does not have.
const NONE: u16 = u16::MAX;

/// A number for every action that the rules of a file allow, from 0. The numbers are the same on every machine and in
/// every run as long as [`Plan::content_hash`] and the version of the crate are.
///
/// Actions are numbered in [blocks](Self::blocks). The words have the numbers 0 to 7 in every ruleset, whether it uses
/// them or not. All other blocks hold only actions that the ruleset has.
///
/// | block | actions, in order |
/// | --- | --- |
/// | `word` | pass, win, stand, riichi, nine orphans, challenge, end of the match, false win |
/// | `discard` | a tile that was held before the draw, in notation order: a red five before the plain fives |
/// | `discard-drawn` | the tile just drawn, in the same order |
/// | `chow` | claimed runs: by suit and shape, then those with a red five beside the discard, then those with a joker |
/// | `pung` | claimed pungs: by kind, fewer jokers first, then fewer red fives beside the discard |
/// | `kong` | claimed kongs: in the same way |
/// | `quint`, `sextet` | claimed groups of five and six alike: in the same way |
/// | `concealed-kong` | by kind |
/// | `added-kong` | by kind |
/// | `lay-pung` | concealed pungs to lay down, by kind |
/// | `lay-run` | concealed runs to lay down, by suit and shape |
/// | `swap` | wild tiles to take out of melds: pungs, then kongs and larger groups, then runs |
/// | `aside` | tiles to lay aside, by kind |
/// | `exchange` | tiles to pass on, by kind |
/// | `missing` | suits to do without |
/// | `show` | the hand to be shown |
/// | `more` | actions added by [`Self::with`] |
///
/// ```
/// use paishan::{Match, Rules, encode::ActionSpace};
/// let rules = Rules::by_id("riichi-tenhou")?;
/// let space = ActionSpace::of(rules.plan());
/// let deal = Match::new(&rules, 7).start_deal();
/// let seat = deal.state().waiting().first().expect("the dealer discards");
///
/// let mut mask = vec![0; space.len()];
/// space.write_mask(deal.legal(seat), &mut mask)?;
/// let number = mask.iter().position(|&legal| legal == 1).expect("a legal action");
/// let action = space.action(number).expect("every number has an action");
/// assert!(deal.legal(seat).contains(action));
/// assert_eq!(space.number(action), Some(number));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ActionSpace {
    actions: Vec<Action>,
    blocks: Vec<Block>,
    /// The numbers of discards by [`Tile::code`]: tiles held before, the tile just drawn.
    discards: [[u16; DISCARDS]; 2],
    /// Plain tiles to discard that were held before.
    held: OfKinds,
    /// Tiles to exchange.
    exchanges: OfKinds,
    /// The numbers of all other actions.
    others: Numbers,
    most_legal: usize,
}

/// The numbers of actions with one kind each.
#[derive(Clone, PartialEq, Eq)]
struct OfKinds {
    /// The kinds that have a number.
    kinds: KindSet,
    /// The numbers by kind.
    numbers: [u16; KINDS],
}

impl OfKinds {
    const EMPTY: Self = Self {
        kinds: KindSet::EMPTY,
        numbers: [NONE; KINDS],
    };

    fn set(&mut self, kind: Kind, number: u16) {
        self.kinds.insert(kind);
        self.numbers[kind.index() % KINDS] = number;
    }

    #[inline]
    fn get(&self, kind: Kind) -> u16 {
        self.numbers[kind.index() % KINDS]
    }
}

/// The numbers of actions in a table by their [`key`]: one that is taken moves to the next free place. At most a quarter is
/// taken, so nearly every action is found at once.
#[derive(Clone, PartialEq, Eq, Default)]
struct Numbers {
    /// A power of two of places, or none.
    places: Vec<u16>,
    taken: usize,
}

impl Numbers {
    /// Where the search for an action begins, in a table of any size.
    #[inline]
    fn start(action: Action) -> usize {
        (key(action).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
    }

    /// Adds the number of one of these actions, which are all that have a number.
    fn insert(&mut self, number: u16, actions: &[Action]) {
        self.taken += 1;
        if self.places.len() < 4 * self.taken {
            let len = 8 * self.taken.next_power_of_two();
            let all = std::mem::replace(&mut self.places, vec![NONE; len]);
            for number in all.into_iter().filter(|&number| number != NONE) {
                self.put(number, actions);
            }
        }
        self.put(number, actions);
    }

    fn put(&mut self, number: u16, actions: &[Action]) {
        let mask = self.places.len() - 1;
        let mut place = Self::start(actions[usize::from(number)]) & mask;
        while self.places[place] != NONE {
            place = (place + 1) & mask;
        }
        self.places[place] = number;
    }

    /// The number of an action, or [`NONE`].
    #[inline]
    fn get(&self, action: Action, actions: &[Action]) -> u16 {
        let mut place = Self::start(action);
        loop {
            let number = match self.places.len() {
                0 => NONE,
                len => self.places[place & (len - 1)],
            };
            if number == NONE || actions.get(usize::from(number)) == Some(&action) {
                return number;
            }
            place += 1;
        }
    }
}

/// Consecutive numbers of like actions in an [`ActionSpace`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Block {
    /// The name of the block.
    pub name: &'static str,
    /// The numbers.
    pub numbers: Range<usize>,
}

/// The kinds of tiles with their red fives, as rules know them.
struct Fives<'a>(&'a Plan);

impl Fives<'_> {
    /// The most red fives of a group of one kind.
    fn of_kind(&self, kind: Kind) -> u8 {
        match (kind.suit(), kind.rank()) {
            (Some(suit), Some(Rank::FIVE)) => self.0.tiles.reds(suit),
            _ => 0,
        }
    }

    /// The most red fives of a run whose joker stands for `joker`.
    fn of_run(&self, group: Group, joker: Option<Kind>) -> u8 {
        let kinds = group
            .kinds()
            .into_iter()
            .filter(|&kind| Some(kind) != joker);
        kinds.map(|kind| self.of_kind(kind).min(1)).sum()
    }
}

impl ActionSpace {
    /// Numbers the actions that the rules of a plan allow.
    pub fn of(plan: &Plan) -> Self {
        let mut space = Self {
            actions: Vec::new(),
            blocks: Vec::new(),
            discards: [[NONE; DISCARDS]; 2],
            held: OfKinds::EMPTY,
            exchanges: OfKinds::EMPTY,
            others: Numbers::default(),
            most_legal: 0,
        };
        let (play, grammar, fives) = (&plan.play, plan.decomposer.grammar(), Fives(plan));
        let kinds = || plan.tiles.kinds().iter();
        // Wild tiles are never part of a meld as themselves.
        let natural = plan.tiles.kinds().difference(plan.decomposer.wild());
        let copies = |least: u8| {
            let copies = plan.tiles.copies();
            natural
                .iter()
                .filter(move |&kind| copies.get(kind) >= least)
        };
        let with_reds = |tiles: MeldTiles, most: u8| {
            let reds = 0..=most;
            reds.filter_map(move |reds| tiles.with_reds(reds))
        };

        space.block("word", WORDS.into_iter().map(|(word, _)| word));
        for drawn in [false, true] {
            let name = if drawn { "discard-drawn" } else { "discard" };
            let tiles = kinds().flat_map(|kind| {
                let red = kind.suit().filter(|_| fives.of_kind(kind) > 0);
                let is_plain = fives.of_kind(kind) < plan.tiles.copies().get(kind);
                let plain = is_plain.then(|| Tile::from(kind));
                red.map(Tile::red_five).into_iter().chain(plain)
            });
            space.block(name, tiles.map(|tile| Action::Discard { tile, drawn }));
        }

        let runs = || {
            let all = Suit::ALL.into_iter().flat_map(|suit| {
                let shapes = grammar.shapes();
                shapes.map(move |(id, shape)| (id, shape.group(suit)))
            });
            all.filter(|(_, run)| run.kind_set().is_subset(natural))
        };
        let plain_runs = || runs().map(|(_, run)| MeldTiles::from(run));
        let red_runs = || {
            let with_five = plain_runs().filter(|run| fives.of_run(run.group(), None) > 0);
            with_five.filter_map(|run| run.with_reds(1))
        };
        // Jokers complete only runs of three ranks in a row, whether the grammar has these or not.
        let joker_runs = || {
            let starts = (0..3).flat_map(|lane| (0..14).map(move |low| (lane, low)));
            let in_a_row = starts.filter_map(|(lane, low)| {
                let run = [0, 1, 2].map(|step| Kind::at(lane, low + step));
                Group::of(&run)
            });
            let in_play = in_a_row.filter(|run| run.kind_set().is_subset(plan.tiles.kinds()));
            let places = in_play
                .filter(|_| play.wild.claimed.chow > 0)
                .flat_map(|run| {
                    let run = MeldTiles::from(run);
                    (0..3).map(move |place| run.with_wild(1 << place))
                });
            let fives = &fives;
            places.flat_map(move |run| {
                let reds = fives.of_run(run.group(), run.joker_stands_for());
                with_reds(run, reds)
            })
        };
        let claims = Action::Claim;
        if play.chow_from != ChowFrom::Nobody {
            let all = plain_runs().chain(red_runs()).chain(joker_runs());
            space.block("chow", all.map(claims));
        }
        // Red fives beside the discard for claims, among all tiles for a whole meld.
        let alike = |kind: Kind, family: Family, jokers: u8, own: u8| {
            let tiles = MeldTiles::from(Group::same(family, kind)).with_wild((1 << jokers) - 1);
            with_reds(tiles, fives.of_kind(kind).min(own - jokers))
        };
        // Groups with so many jokers that the set has the other tiles.
        let with_jokers = |family: Family, least: u8, own: u8| {
            let most = play.wild.claimed.most_in(Group::same(family, Kind::EAST));
            natural.iter().flat_map(move |kind| {
                let short = match family {
                    Family::Pung | Family::Kong => 0,
                    larger => (larger.tiles() as u8).saturating_sub(plan.tiles.copies().get(kind)),
                };
                let jokers = least.max(short)..=most.min(family.tiles() as u8 - 1);
                jokers.flat_map(move |jokers| alike(kind, family, jokers, own))
            })
        };
        if grammar.has_pung() {
            space.block("pung", with_jokers(Family::Pung, 0, 2).map(claims));
        }
        if grammar.has_kong() {
            let takes_jokers = play.wild.claimed.kong > 0;
            let is_there = |tiles: &MeldTiles| {
                takes_jokers || plan.tiles.copies().get(tiles.group().kind()) >= 4
            };
            let kongs = with_jokers(Family::Kong, 0, 3).filter(is_there);
            space.block("kong", kongs.map(claims));
            if play.kong_replacement {
                space.block("concealed-kong", copies(4).map(Action::ConcealedKong));
            }
            if play.added_to != AddedTo::None {
                space.block("added-kong", copies(4).map(Action::AddedKong));
            }
        }
        for family in grammar.larger() {
            let claimed = with_jokers(family, 0, family.tiles() as u8 - 1);
            space.block(family.word(), claimed.map(claims));
        }
        if play.lay_down.contains(Family::Pung) && grammar.has_pung() {
            space.block(
                "lay-pung",
                copies(3).map(|kind| Action::Lay(Group::pung(kind))),
            );
        }
        let laid = runs().filter(|(id, _)| plan.laid_runs.contains(*id));
        space.block("lay-run", laid.map(|(_, run)| Action::Lay(run)));
        if play.wild.swap != WildSwap::Never {
            let families = [Family::Pung, Family::Kong].into_iter();
            let alike = families.chain(grammar.larger());
            let alike = alike.flat_map(|family| with_jokers(family, 1, family.tiles() as u8));
            let melds = alike.chain(joker_runs());
            space.block("swap", melds.map(Action::Swap));
        }
        space.block("aside", play.aside.by_choice().iter().map(Action::Aside));
        let steps = plan.opening.iter().filter_map(OpeningStep::passes);
        let of = steps.fold(KindSet::EMPTY, |all, rules| all.union(rules.of));
        let passed = kinds().filter(|kind| of.contains(*kind));
        space.block("exchange", passed.map(Action::Exchange));
        if plan.opens_with(OpeningChoice::MissingSuit) {
            space.block("missing", Suit::ALL.into_iter().map(Action::Missing));
        }
        if plan.opens_with(OpeningChoice::Show) {
            space.block("show", [Action::Show]);
        }
        let owners = play.wild.swap.owners(plan.players);
        space.most_legal = space.bound(plan.decomposer.grammar().hand_tiles() + 1, owners);
        space
    }

    /// Numbers these actions after all others, for a house rule in Rust whose [`adjust`](crate::Ruleset::adjust)
    /// allows actions that no rule of the file allows. Actions that have a number keep it.
    #[must_use]
    pub fn with(mut self, actions: impl IntoIterator<Item = Action>) -> Self {
        let before = self.len();
        for action in actions {
            if self.number(action).is_none() {
                self.block("more", [action]);
            }
        }
        self.most_legal += self.len() - before;
        self
    }

    /// Numbers the actions of a block.
    fn block(&mut self, name: &'static str, actions: impl IntoIterator<Item = Action>) {
        let start = self.len();
        for action in actions {
            let number = self.actions.len() as u16;
            self.actions.push(action);
            match action {
                Action::Discard { tile, drawn } => {
                    self.discards[usize::from(drawn)][usize::from(tile.code())] = number;
                    if let (false, false, Some(kind)) = (drawn, tile.is_red(), tile.kind()) {
                        self.held.set(kind, number);
                    }
                }
                Action::Exchange(kind) => self.exchanges.set(kind, number),
                _ => self.others.insert(number, &self.actions),
            }
        }
        let numbers = start..self.len();
        match self.blocks.last_mut().filter(|last| last.name == name) {
            Some(last) => last.numbers.end = numbers.end,
            None if numbers.is_empty() => {}
            None => self.blocks.push(Block { name, numbers }),
        }
    }

    /// An upper bound on the legal actions of a seat that holds at most `tiles` tiles and may take wild tiles out of the melds of
    /// `owners` players.
    fn bound(&self, tiles: usize, owners: usize) -> usize {
        let claims = self.actions.iter().filter_map(|action| match action {
            Action::Claim(tiles) => Some(tiles.group().kind_set()),
            _ => None,
        });
        let mut of_kind = [0; Kind::COUNT];
        for kind in claims.flat_map(KindSet::iter) {
            of_kind[kind.index()] += 1;
        }
        let claims = of_kind.into_iter().max().unwrap_or(0);
        let len = |name| self.block_of(name).map_or(0, |block| block.numbers.len());
        let melds = tiles / 3;
        let fours = ["concealed-kong", "added-kong", "lay-pung"];
        let own: usize = fours.into_iter().map(|name| len(name).min(melds)).sum();
        let own = own + len("swap").min(owners * melds);
        let own = own + len("aside") + len("lay-run").min(tiles * (tiles - 1) * (tiles - 2) / 6);
        let opening = len("missing");
        (WORDS.len() + tiles + claims.max(own).max(opening)).min(self.len())
    }

    /// The number of actions.
    #[inline]
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Always false: every ruleset has the words.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// An upper bound on the number of legal actions of one seat: the length of a list that has room for all.
    #[inline]
    pub fn most_legal(&self) -> usize {
        self.most_legal
    }

    /// The blocks, in the order of their numbers.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The block with a name. `None` if the ruleset has no action of the block.
    pub fn block_of(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// All actions in the order of their numbers.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The action with a number.
    #[inline]
    pub fn action(&self, number: usize) -> Option<Action> {
        self.actions.get(number).copied()
    }

    /// The number of an action. `None` if the rules of the file never allow the action.
    #[inline]
    pub fn number(&self, action: Action) -> Option<usize> {
        let number = match action {
            Action::Discard { tile, drawn } => {
                let tiles = &self.discards[usize::from(drawn)];
                *tiles.get(usize::from(tile.code()))?
            }
            Action::Exchange(kind) => self.exchanges.get(kind),
            action => self.others.get(action, &self.actions),
        };
        (number != NONE).then_some(usize::from(number))
    }

    /// Calls `visit` with the number of each legal action, in an order of its own. Allocates nothing. This is how
    /// [`Self::write_mask`] and [`Self::write_numbers`] find the numbers.
    ///
    /// # Errors
    /// [`EncodeError::NoNumber`] for an action that the rules of the file never allow. Some numbers may have been visited
    /// before.
    #[inline(always)]
    pub fn visit(&self, legal: &Legal, mut visit: impl FnMut(u16)) -> Result<(), EncodeError> {
        let parts = legal.parts();
        let mut words = parts.words;
        while words != 0 {
            visit(words.trailing_zeros() as u16);
            words &= words - 1;
        }
        for &action in parts.others {
            match self.number(action) {
                Some(number) => visit(number as u16),
                None => return Err(EncodeError::NoNumber { action }),
            }
        }
        let tiles = match parts.exchanges {
            true => &self.exchanges,
            false => &self.held,
        };
        let mut is_known = parts.discards.is_subset(tiles.kinds);
        for kind in parts.discards.intersection(tiles.kinds).iter() {
            visit(tiles.get(kind));
        }
        let [held, drawn] = &self.discards;
        let mut visit = |number: u16| {
            if number == NONE {
                is_known = false;
            } else {
                visit(number);
            }
        };
        for suit in parts.red_discards.iter().filter_map(Kind::suit) {
            visit(held[usize::from(Tile::red_five(suit).code())]);
        }
        if let Some(tile) = parts.drawn {
            visit(*drawn.get(usize::from(tile.code())).unwrap_or(&NONE));
        }
        match is_known {
            true => Ok(()),
            false => Err(self.unnumbered(legal)),
        }
    }

    /// The error for a set with an action that has no number.
    #[cold]
    fn unnumbered(&self, legal: &Legal) -> EncodeError {
        let action = legal.iter().find(|&action| self.number(action).is_none());
        let action = action.unwrap_or(Action::Pass);
        EncodeError::NoNumber { action }
    }

    /// Writes 1 for every legal action and 0 for every other one. Allocates nothing.
    ///
    /// # Errors
    /// [`EncodeError::Length`] unless `mask` has [`Self::len`] elements; nothing is written then.
    /// [`EncodeError::NoNumber`] for an action that the rules of the file never allow.
    #[inline]
    pub fn write_mask(&self, legal: &Legal, mask: &mut [u8]) -> Result<(), EncodeError> {
        EncodeError::check_len(mask.len(), self.len())?;
        mask.fill(0);
        self.visit(legal, |number| mask[usize::from(number)] = 1)
    }

    /// Writes the numbers of the legal actions, not sorted, at the front of a list and returns how many there are. The
    /// rest of the list is left as it is. Allocates nothing.
    ///
    /// # Errors
    /// [`EncodeError::Length`] if the list has fewer than [`Self::most_legal`] elements; nothing is written then.
    /// [`EncodeError::NoNumber`] for an action that the rules of the file never allow.
    #[inline]
    pub fn write_numbers(&self, legal: &Legal, numbers: &mut [u16]) -> Result<usize, EncodeError> {
        if numbers.len() < self.most_legal {
            EncodeError::check_len(numbers.len(), self.most_legal)?;
        }
        let mut len = 0;
        self.visit(legal, |number| {
            if let Some(place) = numbers.get_mut(len) {
                *place = number;
            }
            len += 1;
        })?;
        match len <= numbers.len() {
            true => Ok(len),
            false => Err(EncodeError::Length {
                have: numbers.len(),
                want: len,
            }),
        }
    }
}

impl fmt::Debug for ActionSpace {
    /// Lists the blocks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let blocks = self.blocks.iter().map(|block| (block.name, &block.numbers));
        f.debug_map().entries(blocks).finish()
    }
}
