//! Complete hands of any grammar, wild tiles and forms included, found by the obvious slow way.

use paishan::decompose::{FormItem, FormRank, FormSuit, FormTiles, SpecialForm, WildScope};
use paishan::ruleset::{OptionValue, Plan, WildStep};
use paishan::tile::Rank;
use paishan::{Hand, Kind, KindSet, Suit, Tile};
use std::cell::RefCell;
use std::collections::HashMap;

type Numbers = [i8; Kind::COUNT];

/// The tiles of a hand, as far as its shape goes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tiles {
    pub concealed: Numbers,
    declared: Numbers,
    pub melds: usize,
    /// Nothing is declared but open runs of three ranks in a row.
    consecutive: bool,
    /// The lowest kind and the number of tiles of each meld.
    pub groups: Vec<(usize, u8)>,
}

impl Tiles {
    pub fn of(hand: &Hand) -> Self {
        let mut tiles = Self {
            concealed: [0; Kind::COUNT],
            declared: [0; Kind::COUNT],
            melds: hand.melds().len(),
            consecutive: hand
                .melds()
                .iter()
                .all(|meld| meld.is_open() && meld.group().is_consecutive()),
            groups: hand
                .melds()
                .iter()
                .map(|meld| (meld.group().kind().index(), meld.group().len() as u8))
                .collect(),
        };
        for kind in hand.tiles().filter_map(|tile| tile.kind()) {
            tiles.concealed[kind.index()] += 1;
        }
        for kind in hand.melds().iter().flat_map(|meld| meld.kinds()) {
            tiles.declared[kind.index()] += 1;
        }
        tiles
    }

    pub fn held(&self, kind: Kind) -> i8 {
        self.concealed[kind.index()]
    }

    pub fn with(&self, kind: Kind) -> Self {
        let mut more = self.clone();
        more.concealed[kind.index()] += 1;
        more
    }

    pub fn without(&self, kind: Kind) -> Self {
        let mut less = self.clone();
        less.concealed[kind.index()] -= 1;
        less
    }

    /// The same after a kong of four concealed tiles, or of one that joins a pung.
    pub fn after_kong(&self, kind: Kind, added: bool) -> Self {
        let mut after = self.clone();
        let tiles = if added { 1 } else { 4 };
        after.concealed[kind.index()] -= tiles;
        after.declared[kind.index()] += tiles;
        after.melds += usize::from(!added);
        after.consecutive = false;
        after
    }
}

/// What is still to be made of concealed tiles.
#[derive(Clone)]
struct Rest {
    held: Numbers,
    wild: i8,
    /// What each of the wild tiles that do not stand for any kind stands for.
    limited: Vec<KindSet>,
    /// The kinds that wild tiles stand for so far, if any of them is limited.
    stood: Vec<Kind>,
    /// How often a wild tile may stand for each kind.
    left: Numbers,
    groups: usize,
    pair: bool,
}

impl Rest {
    /// Uses these tiles: natural ones first, because a wild tile may change places with a natural one.
    fn less(&self, kinds: &[usize]) -> Option<Self> {
        let mut rest = self.clone();
        for &kind in kinds {
            if rest.held[kind] > 0 {
                rest.held[kind] -= 1;
            } else {
                rest.wild -= 1;
                rest.left[kind] -= 1;
                if rest.wild < 0 || rest.left[kind] < 0 {
                    return None;
                }
                if !rest.limited.is_empty() {
                    rest.stood.extend(Kind::all().nth(kind));
                }
            }
        }
        Some(rest)
    }

    /// True if the limited wild tiles can be those that stand for some of the kinds.
    fn is_within_limits(&self) -> bool {
        fn fits(limited: &[KindSet], stood: &[Kind]) -> bool {
            let Some((first, others)) = limited.split_first() else {
                return true;
            };
            (0..stood.len())
                .filter(|&at| first.contains(stood[at]))
                .any(|at| {
                    let mut rest = stood.to_vec();
                    rest.remove(at);
                    fits(others, &rest)
                })
        }
        fits(&self.limited, &self.stood)
    }

    fn of_groups(mut self, groups: usize) -> Self {
        self.groups = groups;
        self
    }

    fn without_pair(mut self) -> Self {
        self.pair = false;
        self
    }
}

/// Sets of tiles that a form has beside the tiles that it names.
enum Sets {
    Groups(usize),
    /// So many tiles alike, so many times, of these kinds, and whether all are different.
    Alike(u8, u8, Vec<usize>, bool),
}

/// A hand of a card: whether it must be concealed, and its sets of tiles alike with their numbers of tiles.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Card {
    concealed: bool,
    sets: Vec<(usize, u8)>,
}

/// The hands for all ranks, suits and kinds of classes.
fn cards(forms: &[SpecialForm], copies: &Numbers) -> Vec<Card> {
    let mut cards = Vec::new();
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    for (form, items, order, letter) in forms.iter().flat_map(|form| {
        let ways = form.ways.iter().map(move |items| (form, items));
        let in_suits = ways.flat_map(|(form, items)| orders.map(|order| (form, items, order)));
        in_suits.flat_map(|(form, items, order)| (1..=9).map(move |r| (form, items, order, r)))
    }) {
        let suit_of = |suit: &FormSuit| match suit {
            FormSuit::Fixed(suit) => *suit,
            FormSuit::Letter(suit) => Suit::ALL[order[usize::from(*suit as u8 - b'a')]],
        };
        let kinds = |tiles: &FormTiles| -> Option<Vec<usize>> {
            match tiles {
                FormTiles::Listed(tiles) => Some(tiles.iter().map(Kind::index).collect()),
                FormTiles::Honour { honours, suit } => {
                    let honour = honours[suit_of(suit).lane()]?.index();
                    (copies[honour] > 0).then(|| vec![honour])
                }
                FormTiles::Ranks { ranks, suit } => {
                    let suit = suit_of(suit);
                    let kind = |rank: &FormRank| {
                        let first = rank.letter.map_or(0, |_| letter);
                        let rank = u8::try_from(first + rank.plus).ok().and_then(Rank::new)?;
                        let kind = Kind::number(suit, rank).index();
                        (copies[kind] > 0).then_some(kind)
                    };
                    ranks.iter().map(kind).collect()
                }
                other => panic!("{other:?}"),
            }
        };
        let mut hands: Vec<Vec<(usize, u8)>> = vec![Vec::new()];
        for item in items {
            let more: Option<Vec<Vec<(usize, u8)>>> = match item {
                FormItem::Each(tiles) => kinds(tiles)
                    .filter(|kinds| kinds.iter().all(|kind| copies[*kind] > 0))
                    .map(|kinds| vec![kinds.into_iter().map(|kind| (kind, 1)).collect()]),
                FormItem::Alike {
                    size,
                    count: 1,
                    kinds: of,
                    ..
                } => {
                    let all: Option<Vec<Vec<usize>>> = of.iter().map(kinds).collect();
                    all.map(|all| {
                        all.concat()
                            .into_iter()
                            .filter(|kind| copies[*kind] > 0)
                            .map(|kind| vec![(kind, *size)])
                            .collect()
                    })
                }
                other => panic!("{other:?}"),
            };
            let more = more.unwrap_or_default();
            let with = |hand: &Vec<(usize, u8)>| {
                let hand = hand.clone();
                more.iter()
                    .map(move |sets| [hand.clone(), sets.clone()].concat())
                    .collect::<Vec<_>>()
            };
            hands = hands.iter().flat_map(with).collect();
        }
        cards.extend(hands.into_iter().map(|mut sets| {
            sets.sort_unstable();
            Card {
                concealed: form.concealed,
                sets,
            }
        }));
    }
    cards.sort_unstable();
    cards.dedup();
    cards
}

/// Which hands are complete.
pub struct Shapes {
    pub copies: Numbers,
    pub wild: KindSet,
    scopes: Vec<WildScope>,
    /// Wild tiles bring more copies of a kind than the set has.
    any_copies: bool,
    hand_groups: usize,
    /// All groups of three.
    groups: Vec<[usize; 3]>,
    /// Those with a kind.
    groups_with: Vec<Vec<[usize; 3]>>,
    forms: Vec<SpecialForm>,
    /// Every hand that wins, where special forms alone do and kongs take four tiles.
    cards: Option<Vec<Card>>,
    known: RefCell<HashMap<Tiles, KindSet>>,
}

impl Shapes {
    /// The shapes of a deal with this turned tile.
    pub fn new(plan: &Plan, turned: Option<Tile>) -> Self {
        let grammar = plan.decomposer().grammar();
        let mut copies = [0; Kind::COUNT];
        let forced = plan.play().aside.forced();
        for kind in plan.tiles().kinds().difference(forced).iter() {
            copies[kind.index()] = plan.tiles().copies().get(kind) as i8;
        }
        // The kind of the turned tile, or the next one in play.
        let mut wild = plan.play().wild.kinds;
        let turned = turned.and_then(|tile| tile.kind());
        match (plan.play().wild.turned, turned) {
            (Some(WildStep::Itself), Some(kind)) => wild.insert(kind),
            (Some(WildStep::Next), Some(kind)) => {
                let next = |kind: Kind| match (kind.suit(), kind.rank()) {
                    (Some(suit), Some(rank)) => {
                        Kind::number(suit, Rank::new(rank.get() % 9 + 1).expect("a rank"))
                    }
                    _ => plan.tiles().indicated(kind),
                };
                let all = std::iter::successors(Some(next(kind)), |kind| Some(next(*kind)));
                let mut in_play = all.take(9).filter(|kind| copies[kind.index()] > 0);
                wild.insert(in_play.next().expect("a kind in play"));
            }
            _ => {}
        }
        let natural = |kind: &usize| copies[*kind] > 0 && *kind != Kind::JOKER.index();
        let mut groups: Vec<[usize; 3]> = Vec::new();
        if grammar.has_pung() {
            groups.extend((0..Kind::COUNT).map(|kind| [kind; 3]));
        }
        for (_, shape) in grammar.shapes() {
            groups.extend(Suit::ALL.map(|suit| shape.group(suit).kinds().map(Kind::index)));
        }
        groups.retain(|group| group.iter().all(natural));
        let with = |kind: usize| {
            groups
                .iter()
                .copied()
                .filter(move |group| group.contains(&kind))
        };
        Self {
            copies,
            wild,
            scopes: plan.decomposer().wild_scopes().to_vec(),
            any_copies: plan.options().get("wild-copies") == Some(&OptionValue::from("any"))
                || !plan.play().kong_replacement,
            cards: (!plan.play().kong_replacement).then(|| cards(grammar.forms(), &copies)),
            hand_groups: grammar.groups(),
            groups_with: (0..Kind::COUNT).map(|kind| with(kind).collect()).collect(),
            groups,
            forms: grammar.forms().to_vec(),
            known: RefCell::default(),
        }
    }

    fn rest(&self, tiles: &Tiles) -> Rest {
        let (mut held, mut wild, mut limited) = (tiles.concealed, 0, Vec::new());
        for kind in self.wild.iter() {
            let count = std::mem::take(&mut held[kind.index()]);
            wild += count;
            let scope = self.scopes.iter().find(|scope| scope.kinds.contains(kind));
            limited.extend(
                scope
                    .iter()
                    .flat_map(|scope| (0..count).map(|_| scope.stands_for)),
            );
        }
        let mut left = self.copies;
        left[Kind::JOKER.index()] = 0;
        if !self.any_copies {
            for (kind, left) in left.iter_mut().enumerate() {
                *left -= held[kind] + tiles.declared[kind];
            }
        }
        Rest {
            held,
            wild,
            limited,
            stood: Vec::new(),
            left,
            groups: self.hand_groups.saturating_sub(tiles.melds),
            pair: true,
        }
    }

    /// True if groups and a pair can be made of all tiles, without a group that is banned.
    fn is_made(&self, rest: &Rest, banned: Option<[usize; 3]>) -> bool {
        let first = rest.held.iter().position(|&held| held > 0);
        if rest.groups == 0 && !rest.pair {
            return first.is_none() && rest.wild == 0 && rest.is_within_limits();
        }
        let groups = first.map_or(&self.groups, |first| &self.groups_with[first]);
        let pairs = first.map_or(0..Kind::COUNT, |first| first..first + 1);
        let fits_pair = || {
            pairs.clone().any(|kind| {
                rest.less(&[kind; 2]).is_some_and(|rest| {
                    self.is_made(
                        &Rest {
                            pair: false,
                            ..rest
                        },
                        banned,
                    )
                })
            })
        };
        rest.pair && fits_pair()
            || rest.groups > 0
                && groups.iter().any(|group| {
                    let less = rest.less(group).filter(|_| Some(*group) != banned);
                    less.is_some_and(|less| self.is_made(&less.of_groups(rest.groups - 1), banned))
                })
    }

    fn has_size(&self, tiles: &Tiles, more: usize) -> bool {
        let total: i8 = tiles.concealed.iter().sum();
        let declared = match self.cards {
            Some(_) => tiles
                .groups
                .iter()
                .map(|(_, size)| usize::from(*size))
                .sum(),
            None => 3 * tiles.melds,
        };
        total as usize + more + declared == 3 * self.hand_groups + 2
    }

    pub fn is_complete(&self, tiles: &Tiles) -> bool {
        self.has_size(tiles, 0) && self.completes(tiles, &self.rest(tiles))
    }

    /// True if the tiles are a hand of the card. Wild tiles stand in pungs and kongs alone.
    fn is_card(card: &Card, tiles: &Tiles, rest: &Rest) -> bool {
        if card.concealed && tiles.melds > 0 {
            return false;
        }
        let mut left = card.sets.clone();
        for meld in &tiles.groups {
            match left.iter().position(|set| set == meld) {
                Some(place) => left.swap_remove(place),
                None => return false,
            };
        }
        // Natural tiles go to pairs and single tiles first.
        left.sort_by_key(|(_, size)| *size > 2);
        let (mut held, mut wild) = (rest.held, rest.wild);
        for (kind, size) in left {
            for _ in 0..size {
                if held[kind] > 0 {
                    held[kind] -= 1;
                } else if size > 2 && wild > 0 {
                    wild -= 1;
                } else {
                    return false;
                }
            }
        }
        wild == 0 && held == [0; Kind::COUNT]
    }

    /// The number of hands of the card that have these melds, where special forms alone win and kongs take four tiles.
    pub fn cards_with(&self, melds: &[(usize, u8)]) -> usize {
        let has_all = |card: &&Card| {
            let mut left = card.sets.clone();
            let mut take = |meld: &(usize, u8)| {
                let place = left.iter().position(|set| set == meld);
                place.map(|place| left.swap_remove(place)).is_some()
            };
            !card.concealed && melds.iter().all(&mut take)
        };
        self.cards.iter().flatten().filter(has_all).count()
    }

    fn completes(&self, tiles: &Tiles, rest: &Rest) -> bool {
        if let Some(cards) = &self.cards {
            return cards.iter().any(|card| Self::is_card(card, tiles, rest));
        }
        self.is_made(rest, None) || (0..self.forms.len()).any(|form| self.makes(form, tiles, rest))
    }

    /// True if the tiles are this special form.
    pub fn is_form(&self, form: usize, tiles: &Tiles) -> bool {
        self.has_size(tiles, 0) && self.makes(form, tiles, &self.rest(tiles))
    }

    /// True if every way to complete the hand has a pung of this kind.
    pub fn needs_pung(&self, kind: Kind, tiles: &Tiles) -> bool {
        let rest = self.rest(tiles);
        let banned = Some([kind.index(); 3]);
        !self.is_made(&rest, banned)
            && !(0..self.forms.len()).any(|form| self.makes(form, tiles, &rest))
    }

    fn makes(&self, form: usize, tiles: &Tiles, rest: &Rest) -> bool {
        let form = &self.forms[form];
        if tiles.melds > 0 && form.concealed || !rest.limited.is_empty() {
            return false;
        }
        form.ways.iter().any(|items| {
            let orders = [
                [0, 1, 2],
                [0, 2, 1],
                [1, 0, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0],
            ];
            orders.iter().any(|order| {
                // The first letters of the alphabet are suits; no form here has a letter for a rank.
                let suit = |suit: &FormSuit| match suit {
                    FormSuit::Fixed(suit) => *suit,
                    FormSuit::Letter(letter) => Suit::ALL[order[usize::from(*letter as u8 - b'a')]],
                };
                let listed = |tiles: &FormTiles| -> Vec<usize> {
                    match tiles {
                        FormTiles::Listed(tiles) => tiles.iter().map(Kind::index).collect(),
                        FormTiles::Honour { honours, suit: of } => honours[suit(of).lane()]
                            .iter()
                            .map(|kind| kind.index())
                            .collect(),
                        FormTiles::Ranks { ranks, suit: of } => {
                            let kind = |rank: &FormRank| {
                                let rank = Rank::new(rank.plus as u8).expect("a rank");
                                Kind::number(suit(of), rank).index()
                            };
                            ranks.iter().map(kind).collect()
                        }
                        other => panic!("{other:?}"),
                    }
                };
                let has_groups = items.iter().any(|item| matches!(item, FormItem::Groups(_)));
                let own = items.iter().map(|item| match item {
                    FormItem::Wild(count) => *count as i8,
                    _ => 0,
                });
                let mut left = rest.clone();
                left.wild -= own.sum::<i8>();
                if left.wild < 0 {
                    return false;
                }
                let mut declared = tiles.declared;
                let mut melds = tiles.melds;
                // Where any tiles of some kinds are left, all melds are among these.
                let among = items.iter().find_map(|item| match item {
                    FormItem::Alike {
                        size: 1,
                        count: 2..,
                        kinds,
                        ..
                    } => Some(kinds.iter().flat_map(listed).collect::<Vec<usize>>()),
                    _ => None,
                });
                let of_melds = match &among {
                    Some(kinds) if melds > 0 => {
                        if (0..Kind::COUNT).any(|kind| declared[kind] > 0 && !kinds.contains(&kind))
                        {
                            return false;
                        }
                        (declared, melds) = ([0; Kind::COUNT], 0);
                        3 * tiles.melds as u8
                    }
                    _ => 0,
                };
                if melds > 0 && !has_groups && !tiles.consecutive {
                    return false;
                }
                for item in items {
                    let FormItem::Each(each) = item else {
                        continue;
                    };
                    for kind in listed(each) {
                        if !has_groups && declared[kind] > 0 {
                            declared[kind] -= 1;
                            continue;
                        }
                        match left.less(&[kind]) {
                            Some(less) => left = less,
                            None => return false,
                        }
                    }
                }
                if melds > 0 && !has_groups {
                    if declared != [0; Kind::COUNT] {
                        return false;
                    }
                    melds = 0;
                }
                let others: Vec<_> = items
                    .iter()
                    .filter(|item| !matches!(item, FormItem::Each(_) | FormItem::Wild(_)))
                    .map(|item| match item {
                        FormItem::Alike {
                            size,
                            count,
                            kinds,
                            distinct,
                        } => {
                            let kinds = kinds.iter().flat_map(listed).collect();
                            Sets::Alike(*size, count.saturating_sub(of_melds), kinds, *distinct)
                        }
                        FormItem::Groups(count) => Sets::Groups(usize::from(*count)),
                        other => panic!("{other:?}"),
                    })
                    .collect();
                let others = &mut others.iter().collect::<Vec<_>>();
                others.sort_by_key(|sets| matches!(sets, Sets::Alike(..)));
                self.makes_sets(others, &left, melds)
            })
        })
    }

    /// True if the tiles are these sets, of which `melds` groups are declared.
    fn makes_sets(&self, sets: &[&Sets], rest: &Rest, melds: usize) -> bool {
        let Some((first, others)) = sets.split_first() else {
            return melds == 0 && rest.wild == 0 && rest.held == [0; Kind::COUNT];
        };
        match first {
            Sets::Groups(count) if *count == melds => self.makes_sets(others, rest, 0),
            Sets::Groups(count) if *count < melds => false,
            Sets::Groups(count) => {
                let less = Sets::Groups(count - 1);
                let mut sets = sets.to_vec();
                sets[0] = &less;
                let mut groups = self.groups.iter().filter_map(|group| rest.less(group));
                groups.any(|rest| self.makes_sets(&sets, &rest, melds))
            }
            Sets::Alike(_, 0, ..) => self.makes_sets(others, rest, melds),
            Sets::Alike(size, count, kinds, distinct) => {
                // The first tile that is left is in the next set; where none is, all sets are of wild tiles.
                let held = rest.held.iter().position(|&held| held > 0);
                let fits =
                    |kind: &usize| held.is_none_or(|held| !others.is_empty() || held == *kind);
                kinds.iter().copied().filter(fits).any(|kind| {
                    let set = vec![kind; usize::from(*size)];
                    let mut left = kinds.clone();
                    if *distinct {
                        left.retain(|&other| other != kind);
                    }
                    let less = Sets::Alike(*size, count - 1, left, *distinct);
                    let mut sets = sets.to_vec();
                    sets[0] = &less;
                    let rest = rest.less(&set);
                    rest.is_some_and(|rest| self.makes_sets(&sets, &rest, melds))
                })
            }
        }
    }

    /// True if one more tile completes the hand and the set has a copy left.
    pub fn is_ready(&self, tiles: &Tiles) -> bool {
        if self.any_copies {
            return self
                .waits(tiles)
                .iter()
                .any(|kind| self.is_left(tiles, kind));
        }
        // One more tile of any kind is one more wild tile.
        let mut rest = self.rest(tiles);
        rest.wild += 1;
        self.has_size(tiles, 1) && self.completes(tiles, &rest)
    }

    fn is_left(&self, tiles: &Tiles, kind: Kind) -> bool {
        let place = kind.index();
        tiles.concealed[place] + tiles.declared[place] < self.copies[place]
    }

    /// Every kind that completes the hand with one more tile, also one of which the hand has every copy, unless some
    /// kind is wild.
    pub fn waits(&self, tiles: &Tiles) -> KindSet {
        if let Some(waits) = self.known.borrow().get(tiles) {
            return *waits;
        }
        let in_set = |kind: &Kind| self.copies[kind.index()] > 0;
        let fits = |kind: &Kind| self.wild.is_empty() || self.is_left(tiles, *kind);
        let completes = |kind: &Kind| self.is_complete(&tiles.with(*kind));
        let all = Kind::all().filter(in_set).filter(fits);
        let waits: KindSet = match self.has_size(tiles, 1) {
            true => all.filter(completes).collect(),
            false => KindSet::EMPTY,
        };
        self.known.borrow_mut().insert(tiles.clone(), waits);
        waits
    }

    /// True if the hand has every copy of all kinds that it waits for.
    pub fn waits_in_vain(&self, tiles: &Tiles, waits: KindSet) -> bool {
        !waits.iter().any(|kind| self.is_left(tiles, kind))
    }
}
