//! [`Hands`]: random complete hands.

use crate::decompose::SpecialForm;
use crate::hand::Hand;
use crate::meld::{Group, Meld};
use crate::random::Stream;
use crate::ruleset::Plan;
use crate::seat::Seat;
use crate::set::KindSet;
use crate::state::{FlagSet, Way, Win};
use crate::tile::{Kind, Suit, Tile};
use smallvec::SmallVec;

/// Random complete hands. Every run yields the same hands.
pub(crate) struct Hands<'a> {
    plan: &'a Plan,
    kinds: SmallVec<[Kind; 64]>,
    /// Runs have no other kinds.
    among: Option<KindSet>,
    stream: Stream,
}

impl<'a> Hands<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            kinds: plan.decomposer.natural_kinds().iter().collect(),
            among: None,
            stream: Stream::new(1, 1),
        }
    }

    /// Hands of these kinds alone.
    pub(crate) fn among(mut self, kinds: KindSet) -> Self {
        self.kinds.retain(|kind| kinds.contains(*kind));
        self.among = Some(kinds);
        self
    }

    /// For each form of single tiles, one hand that the second seat completes from the wall.
    pub(crate) fn of_forms(&self) -> Vec<(Hand, Seat, Win)> {
        let set = &self.plan.tiles;
        let seat = Seat::EAST.after(1, self.plan.players);
        let forms = self.plan.decomposer.grammar().forms().iter();
        let whole = self.plan.decomposer.grammar().hand_tiles() + 1;
        let hand = |form: &SpecialForm| {
            // Hands of pairs are many, and made elsewhere.
            let example = form
                .example(set.copies(), whole)
                .filter(|_| !form.is_pairs())?;
            // Wild tiles stand for copies that the set does not have.
            let beyond = example.saturating_minus(set.copies());
            let wild = self.plan.decomposer.wild().iter().next();
            let wild = wild.into_iter().flat_map(|wild| vec![wild; beyond.total()]);
            let own = example.saturating_minus(&beyond);
            let mut tiles: Vec<Tile> = wild.chain(own.iter()).map(Tile::plain).collect();
            let last = tiles.pop()?;
            let win = Win {
                tile: last,
                way: Way::Wall,
                from: None,
                flags: FlagSet::EMPTY,
                kongs_in_row: 0,
            };
            let groups = self.plan.decomposer.grammar().groups();
            let hand = Hand::try_new_for(groups, set, &tiles, &[], &[]);
            Some((hand.ok()?, seat, win))
        };
        forms.filter_map(hand).collect()
    }

    /// A hand of different pairs that the second seat completes from the wall. `None` if a hand has an odd number of tiles,
    /// or there are too few kinds.
    pub(crate) fn pairs(&mut self) -> Option<(Hand, Seat, Win)> {
        let grammar = self.plan.decomposer.grammar();
        let tiles = grammar.hand_tiles() + 1;
        let mut kinds = self.kinds.clone();
        self.stream.shuffle(&mut kinds);
        let mut kinds: SmallVec<[Kind; 8]> = kinds.into_iter().take(tiles / 2).collect();
        kinds.sort_unstable();
        let held: Vec<Tile> = kinds
            .iter()
            .flat_map(|kind| [Tile::plain(*kind); 2])
            .collect();
        let (last, held) = held.split_last().filter(|_| held.len() == tiles)?;
        let set = &self.plan.tiles;
        let hand = Hand::try_new_for(grammar.groups(), set, held, &[], &[]).ok()?;
        Some((
            hand,
            Seat::EAST.after(1, self.plan.players),
            Win::drawn(*last),
        ))
    }

    /// A hand with kongs of different kinds, all but the first concealed, that the seat completes with the replacement for the last of them,
    /// or, where no win has a flag for that, from the wall. `None` without kongs, or with too few kinds.
    pub(crate) fn with_kongs(&mut self, kongs: usize) -> Option<(Hand, Seat, Win)> {
        let plan = self.plan;
        let grammar = plan.decomposer.grammar();
        let mut kinds = self.kinds.clone();
        self.stream.shuffle(&mut kinds);
        let all = grammar.groups() + 1;
        if !grammar.has_kong() || kinds.len() < all || kongs > grammar.groups() {
            return None;
        }
        let (of_kongs, others) = kinds[..all].split_at(kongs);
        let mut melds: Vec<Meld> = of_kongs
            .iter()
            .map(|kind| Meld::of_own(Group::kong(*kind)))
            .collect();
        let (of_kongs, others) = (of_kongs.to_vec(), others.to_vec());
        let seat = Seat::EAST.after(self.pick(plan.players), plan.players);
        if self.pick(2) == 0 {
            let from = seat.after(plan.players - 1, plan.players);
            melds[0] = Meld::of_claimed(melds[0].group, of_kongs[0].into(), from);
        }
        let (pair, pungs) = others.split_first()?;
        let mut tiles = vec![Tile::plain(*pair); 2];
        tiles.extend(pungs.iter().flat_map(|kind| [Tile::plain(*kind); 3]));
        let last = tiles.pop()?;
        tiles.sort_unstable();
        let mut win = Win::drawn(last);
        if let Some(flag) = plan.kong_flag {
            win.way = Way::Replacement;
            win.flags.insert(flag);
            win.kongs_in_row = kongs as u8;
        }
        let hand = Hand::try_new_for(grammar.groups(), &plan.tiles, &tiles, &melds, &[]);
        Some((hand.ok()?, seat, win))
    }

    fn pick(&mut self, count: usize) -> usize {
        self.stream.below(count.max(1) as u32) as usize
    }

    fn kind(&mut self) -> Kind {
        let place = self.pick(self.kinds.len());
        self.kinds[place]
    }

    /// For half of the hands, a random share of the tiles that must be laid aside.
    fn bonus(&mut self) -> Vec<Tile> {
        let plan = self.plan;
        let must_lay = |tile: &Tile| plan.play.aside.must_lay(*tile);
        let mut all = plan.tiles.iter().filter(must_lay).peekable();
        if all.peek().is_none() || self.pick(2) == 0 {
            return Vec::new();
        }
        all.filter(|_| self.pick(plan.players) == 0).collect()
    }

    /// A random hand of groups, and its winning tile. `None` if the set has too few copies of a kind.
    pub(crate) fn next(&mut self) -> Option<(Hand, Seat, Win)> {
        let grammar = self.plan.decomposer.grammar();
        let shapes = grammar.shapes().count();
        let seat = Seat::EAST.after(self.pick(self.plan.players), self.plan.players);
        let from = seat.after(self.plan.players - 1, self.plan.players);
        // Half of the hands may claim melds, the others are closed.
        let may_claim = self.pick(2) == 0;
        if self.kinds.is_empty() {
            return None;
        }
        let pair = self.kind();
        let (mut tiles, mut melds) = (vec![pair; 2], Vec::new());
        for _ in 0..grammar.groups() {
            let group = match grammar.shapes().nth(self.pick(shapes + shapes / 2 + 1)) {
                Some((_, shape)) => shape.group(Suit::ALL[self.pick(3)]),
                None => Group::pung(self.kind()),
            };
            let is_within = |kinds: KindSet| group.tiles().all(|kind| kinds.contains(kind));
            let group = match self.among.is_none_or(is_within) {
                true => group,
                false => Group::pung(self.kind()),
            };
            if may_claim && self.pick(3) == 0 {
                let claimed = group.tiles().next()?;
                melds.push(Meld::of_claimed(group, claimed.into(), from));
            } else {
                tiles.extend(group.tiles());
            }
        }
        let last = tiles.swap_remove(self.pick(tiles.len()));
        tiles.sort_unstable();
        let held: Vec<Tile> = tiles.into_iter().map(Tile::plain).collect();
        let bonus = self.bonus();
        let tiles = &self.plan.tiles;
        let hand = Hand::try_new_for(grammar.groups(), tiles, &held, &melds, &bonus).ok()?;
        let used = hand.concealed().get(last) + hand.melded().get(last);
        if used >= self.plan.tiles.copies().get(last) {
            return None;
        }
        let (way, from) = match self.pick(2) {
            0 => (Way::Wall, None),
            _ => (Way::Discard, Some(from)),
        };
        let win = Win {
            tile: Tile::plain(last),
            way,
            from,
            flags: FlagSet::EMPTY,
            kongs_in_row: 0,
        };
        Some((hand, seat, win))
    }
}
