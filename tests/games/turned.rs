//! Whole games of sixteen tiles with a turned tile and honours laid aside: what wins are worth and what is paid, derived
//! from the texts of the rules alone, by trying every reading of a hand.

use crate::common::{all_tiles, games, ruleset_with};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::meld::Family;
use paishan::state::{Action, DealState, DrawSource, Event, Legal, Phase, Way, Win, Window};
use paishan::{Hand, Kind, Rules, Seat, Tile, game_seed, simulate};

type Counts = [i8; Kind::COUNT];

/// A group or a pair of the concealed hand.
#[derive(Clone, Debug)]
struct Part {
    kinds: Vec<usize>,
    /// How many of its tiles are wild.
    wild: i8,
}

impl Part {
    fn is_pung(&self) -> bool {
        self.kinds.len() == 3 && self.kinds[0] == self.kinds[2]
    }

    fn is_pair(&self) -> bool {
        self.kinds.len() == 2
    }
}

/// What the tiles of a hand are made into.
struct Maker<'a> {
    /// The kinds of which hands are made, number tiles first.
    kinds: Vec<usize>,
    honours: Vec<usize>,
    /// Tiles of melds and of the hand, which use copies.
    melded: Counts,
    visit: &'a mut dyn FnMut(&[Part]),
    parts: Vec<Part>,
}

impl Maker<'_> {
    fn is_run(&self, low: usize) -> bool {
        let run = [low, low + 1, low + 2];
        run.iter()
            .all(|kind| self.kinds.contains(kind) && !self.honours.contains(kind))
            && low / 16 == (low + 2) / 16
    }

    /// Puts these kinds together, natural tiles first, and goes on.
    fn with(&mut self, kinds: &[usize], held: &Counts, wilds: i8, need: (usize, usize)) {
        let (mut rest, mut wild) = (*held, 0);
        for &kind in kinds {
            match rest[kind] > 0 {
                true => rest[kind] -= 1,
                false => wild += 1,
            }
        }
        if wild <= wilds {
            self.parts.push(Part {
                kinds: kinds.to_vec(),
                wild,
            });
            self.make(&rest, wilds - wild, need);
            self.parts.pop();
        }
    }

    /// Makes so many groups and pairs of all tiles.
    fn make(&mut self, held: &Counts, wilds: i8, (groups, pairs): (usize, usize)) {
        if groups == 0 && pairs == 0 {
            let mut used = self.melded;
            for &kind in self.parts.iter().flat_map(|part| &part.kinds) {
                used[kind] += 1;
            }
            if used.iter().all(|count| *count <= 4) {
                (self.visit)(&self.parts);
            }
            return;
        }
        let first = held.iter().position(|count| *count > 0);
        let among = match first {
            Some(first) => vec![first],
            None => self.kinds.clone(),
        };
        for kind in among {
            if pairs > 0 {
                self.with(&[kind; 2], held, wilds, (groups, pairs - 1));
            }
            if groups == 0 {
                continue;
            }
            self.with(&[kind; 3], held, wilds, (groups - 1, pairs));
            // The lowest natural tile may be any tile of a run whose other tiles are wild.
            let lows = match first {
                Some(_) => kind.saturating_sub(2)..=kind,
                None => kind..=kind,
            };
            let lows: Vec<usize> = lows.filter(|low| self.is_run(*low)).collect();
            for low in lows {
                self.with(&[low, low + 1, low + 2], held, wilds, (groups - 1, pairs));
            }
        }
    }
}

/// The tiles of a hand, its wild tiles apart.
struct Split {
    held: Counts,
    wilds: i8,
    melded: Counts,
    melds: usize,
}

/// What a game is made of.
struct Game {
    rules: Rules,
    /// The kinds of which hands are made.
    kinds: Vec<usize>,
    /// Seven pairs and a group are a hand.
    pairs: bool,
}

impl Game {
    fn new(id: &str, options: &[&str]) -> Self {
        let rules = ruleset_with(id, options);
        let tiles = rules.plan().tiles();
        let bonus = |kind: Kind| match (id, kind) {
            (_, kind) if kind.suit().is_some() => false,
            ("fuzhou", Kind::GREEN | Kind::WHITE) => {
                options.is_empty() || options[0] != "set=two-dragons"
            }
            _ => true,
        };
        let kinds = tiles.kinds().iter().filter(|kind| !bonus(*kind));
        Self {
            kinds: kinds.map(Kind::index).collect(),
            pairs: id == "filipino",
            rules,
        }
    }

    fn split(&self, hand: &Hand, last: Option<Kind>, wild: Option<Kind>) -> Split {
        let mut held = [0; Kind::COUNT];
        for kind in hand.concealed().iter().chain(last) {
            held[kind.index()] += 1;
        }
        let wilds = wild.map_or(0, |wild| std::mem::take(&mut held[wild.index()]));
        let mut melded = [0; Kind::COUNT];
        for kind in hand.melded().iter() {
            melded[kind.index()] += 1;
        }
        Split {
            held,
            wilds,
            melded,
            melds: hand.melds().len(),
        }
    }

    /// Visits every reading of the concealed tiles.
    fn read(&self, split: &Split, visit: &mut dyn FnMut(&[Part])) {
        let honours = Kind::all().filter(|kind| kind.suit().is_none());
        let mut maker = Maker {
            kinds: self.kinds.clone(),
            honours: honours.map(Kind::index).collect(),
            melded: split.melded,
            visit,
            parts: Vec::new(),
        };
        maker.make(&split.held, split.wilds, (5 - split.melds, 1));
        if self.pairs && split.melds == 0 {
            maker.make(&split.held, split.wilds, (1, 7));
        }
    }

    fn is_complete(&self, split: &Split) -> bool {
        let tiles: i8 = split.held.iter().sum::<i8>() + split.wilds;
        if tiles as usize + 3 * split.melds != 17 {
            return false;
        }
        let mut found = false;
        self.read(split, &mut |_| found = true);
        found
    }

    /// How many kinds complete the hand. With wild tiles, those of which a copy is left.
    fn waits(&self, hand: &Hand, wild: Option<Kind>) -> usize {
        let all = Kind::all().filter(|kind| self.kinds.contains(&kind.index()));
        let may_come = |kind: &Kind| {
            let have = hand.concealed().get(*kind) + hand.melded().get(*kind);
            wild.is_none() || have < 4
        };
        let completes = |kind: &Kind| {
            let mut split = self.split(hand, Some(*kind), wild);
            if wild.is_none() && hand.concealed().get(*kind) + hand.melded().get(*kind) >= 4 {
                // A fifth copy completes the shape, so copies do not count.
                split.melded = [i8::MIN / 2; Kind::COUNT];
            }
            self.is_complete(&split)
        };
        all.filter(may_come).filter(completes).count()
    }
}

/// The kinds of the runs of a hand, melds included, by their lowest kind.
fn runs(hand: &Hand, parts: &[Part]) -> Vec<usize> {
    let melds = hand
        .melds()
        .iter()
        .filter(|meld| meld.group().is_consecutive());
    let melds = melds.map(|meld| meld.group().kind().index());
    let own = parts
        .iter()
        .filter(|part| !part.is_pair() && !part.is_pung());
    melds.chain(own.map(|part| part.kinds[0])).collect()
}

fn suits(hand: &Hand, parts: &[Part]) -> usize {
    let melds = hand
        .melds()
        .iter()
        .flat_map(|meld| meld.group().tiles().map(Kind::index));
    let own = parts.iter().flat_map(|part| part.kinds.iter().copied());
    let lanes: std::collections::BTreeSet<usize> = melds.chain(own).map(|kind| kind / 16).collect();
    lanes.len()
}

/// What the win of a hand is worth by the texts on Filipino mahjong, in quarters.
fn filipino(game: &Game, state: &DealState, hand: &Hand, win: &Win, wild: Option<Kind>) -> i64 {
    let last = win.tile.kind().unwrap();
    let waits = game.waits(hand, wild);
    let split = game.split(hand, Some(last), wild);
    let mut most = 0;
    game.read(&split, &mut |parts| {
        let chows = runs(hand, parts);
        let mut worth = 4;
        worth += i64::from(chows.len() == 5);
        let is_pairs = parts.iter().filter(|part| part.is_pair()).count() == 7;
        worth += i64::from(chows.is_empty() && !is_pairs);
        worth += i64::from(hand.melds().iter().all(|meld| !meld.is_open()));
        worth += i64::from(hand.melds().len() == 5);
        worth += i64::from(state.discards().len() <= 5);
        worth += i64::from(waits == 1);
        let straight = |low: &usize| {
            low.is_multiple_of(16) && chows.contains(&(low + 3)) && chows.contains(&(low + 6))
        };
        worth += 2 * i64::from(chows.iter().any(straight));
        worth += 2 * i64::from(suits(hand, parts) == 1);
        worth += 2 * i64::from(is_pairs);
        // The last tile is in a pung: itself, or a wild one in the place of any tile.
        let has_last = |part: &&Part| match Some(last) == wild {
            true => {
                part.wild > 0
                    || part.kinds.iter().any(|kind| {
                        parts
                            .iter()
                            .any(|other| other.wild > 0 && other.kinds.contains(kind))
                    })
            }
            false => part.kinds.contains(&last.index()),
        };
        let mut pungs = parts.iter().filter(|part| part.is_pung()).filter(has_last);
        worth += i64::from(waits == 2 && pungs.next().is_some());
        most = most.max(worth);
    });
    most
}

/// True if the player holds the three gold tiles that are not turned.
fn has_all_golds(hand: &Hand, win: &Win, wild: Option<Kind>) -> bool {
    let drawn = win.tile.kind() == wild && win.way != Way::Turned;
    let held = wild.map_or(0, |wild| hand.concealed().get(wild));
    win.way.is_self_draw() && held + u8::from(drawn) == 3
}

/// What the win of a hand is worth by the texts on Fuzhou mahjong.
fn fuzhou(game: &Game, hand: &Hand, seat: Seat, win: &Win, wild: Option<Kind>, first: bool) -> i64 {
    let last = win.tile.kind().unwrap();
    let split = game.split(hand, Some(last), wild);
    let kongs = || {
        hand.melds()
            .iter()
            .filter(|meld| meld.group().family() == Family::Kong)
    };
    let open = kongs().filter(|meld| meld.is_open()).count() as i64;
    let concealed = kongs().count() as i64 - open;
    let bonus = hand.aside().len() as i64;
    let times = if win.way.is_self_draw() { 2 } else { 1 };
    let plain = times * (1 + bonus + i64::from(split.wilds) + open + 2 * concealed);
    let none = if bonus == 0 && open + concealed == 0 {
        15
    } else {
        0
    };
    let robbed = win.way == Way::Turned;
    let is_heaven = first && seat == Seat::EAST && !robbed;
    let heaven = if is_heaven { 40 } else { 0 };
    let golds = has_all_golds(hand, win, wild);
    assert!(golds || game.is_complete(&split), "{hand:?} {win:?}");
    let instant = 30 * (i64::from(golds) + i64::from(robbed));
    let mut most = 0;
    game.read(&split, &mut |parts| {
        let golden = parts.iter().any(|part| part.is_pair() && part.wild == 2);
        let is_honour = |kind: &usize| kind / 16 == 3;
        let honours = parts.iter().any(|part| part.kinds.iter().any(is_honour));
        let flush = suits(hand, parts) == 1 && !honours;
        most = most.max(30 * i64::from(golden) + 100 * i64::from(flush));
    });
    plain + none + heaven + instant + most
}

struct Watch {
    game: Game,
    all: Vec<Tile>,
    before: Vec<i64>,
    /// What each seat gets, as far as the deal has gone.
    due: Vec<i64>,
    kong: Option<(Seat, i64)>,
    /// Somebody has decided in the deal.
    opened: bool,
    /// The same, whatever the game.
    begun: bool,
    kongs: u32,
    wild: Option<Kind>,
    wins: u32,
    with_wild: u32,
    kinds: std::collections::BTreeSet<String>,
    decisions: u32,
}

impl Watch {
    fn new(game: Game) -> Self {
        Self {
            all: game.rules.plan().tiles().iter().collect(),
            game,
            before: Vec::new(),
            due: Vec::new(),
            kong: None,
            opened: false,
            begun: false,
            kongs: 0,
            wild: None,
            wins: 0,
            with_wild: 0,
            kinds: Default::default(),
            decisions: 0,
        }
    }

    fn is_filipino(&self) -> bool {
        self.game.pairs
    }

    /// The others pay a seat so much each.
    fn pay(&mut self, to: Seat, amount: impl Fn(Seat) -> i64) {
        for seat in Seat::all(4).filter(|seat| *seat != to) {
            self.due[to.index()] += amount(seat);
            self.due[seat.index()] -= amount(seat);
        }
    }
}

impl Observer for Watch {
    fn deal_started(&mut self, state: &DealState) {
        self.before = Seat::all(4).map(|seat| state.points(seat)).collect();
        self.due = vec![0; 4];
        (self.kong, self.opened, self.begun) = (None, false, false);
        self.wild = state.turned_tile().and_then(Tile::kind);
        if let Some(wild) = self.wild {
            assert!(
                self.game.kinds.contains(&wild.index()),
                "a bonus tile is turned"
            );
        }
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        match *event {
            Event::Claimed { seat, tiles, .. } if tiles.group().family() == Family::Kong => {
                self.kong = Some((seat, 1));
            }
            Event::ConcealedKong { seat, .. } | Event::AddedKong { seat, .. } => {
                self.kong = Some((seat, 2));
            }
            Event::Drew {
                seat, from_back, ..
            } => {
                // The dealer draws the first tile: all have laid the bonus tiles aside that they were dealt.
                let has_dealt = !from_back && !std::mem::replace(&mut self.opened, true);
                if self.is_filipino() && has_dealt {
                    for seat in Seat::all(4).filter(|seat| state.hand(*seat).aside().is_empty()) {
                        self.pay(seat, |_| 1);
                    }
                }
                if let Some((owner, amount)) = self.kong.take() {
                    assert_eq!(seat, owner);
                    self.kongs += 1;
                    if self.is_filipino() {
                        self.pay(seat, |_| amount);
                    }
                }
            }
            Event::LaidAside { seat, tile } => {
                assert!(
                    tile.kind()
                        .is_none_or(|kind| !self.game.kinds.contains(&kind.index()))
                );
                if self.is_filipino() && state.hand(seat).aside().len() == 13 {
                    self.pay(seat, |_| 1);
                }
            }
            _ => {}
        }
    }

    fn decided(&mut self, state: &DealState, seat: Seat, legal: &Legal, _: Action) {
        assert_eq!(all_tiles(state), self.all);
        let hand = state.hand(seat);
        // Nobody decides with a bonus tile in the hand.
        assert!(
            hand.kinds()
                .iter()
                .all(|kind| self.game.kinds.contains(&kind.index()))
        );
        self.decisions += 1;
        if !std::mem::replace(&mut self.begun, true) && !self.is_filipino() {
            let robs = |seat: &Seat| {
                let split = self.game.split(state.hand(*seat), self.wild, self.wild);
                split.wilds == 4 || self.game.is_complete(&split)
            };
            let robbers: Vec<Seat> = Seat::all(4).filter(robs).collect();
            match state.phase() {
                Phase::Claims(claims) => {
                    assert_eq!(claims.window, Window::Turned);
                    assert_eq!(claims.waiting.iter().collect::<Vec<_>>(), robbers);
                }
                // The dealer has drawn.
                _ => assert!(robbers.iter().all(|seat| *seat == Seat::EAST)),
            }
        }
        if !self.decisions.is_multiple_of(7) {
            return;
        }
        if let Phase::Turn(turn) = state.phase()
            && let (Some(drawn), DrawSource::Wall) = (turn.drawn, turn.source)
        {
            let before = state.hand_before(seat, &Win::drawn(drawn));
            if before.size() == 16 {
                let split = self.game.split(&before, drawn.kind(), self.wild);
                let golds =
                    !self.is_filipino() && has_all_golds(&before, &Win::drawn(drawn), self.wild);
                let complete = golds || self.game.is_complete(&split);
                assert_eq!(legal.contains(Action::Win), complete, "{before:?} {drawn}");
            }
        }
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        for (seat, win) in outcome.wins() {
            let hand = state.hand_before(*seat, win);
            let score = outcome.settlement.scores[*seat].as_ref().unwrap();
            let first = state.discards().is_empty() && state.kongs() == 0;
            let worth = match self.is_filipino() {
                true => filipino(&self.game, state, &hand, win, self.wild),
                false => fuzhou(&self.game, &hand, *seat, win, self.wild, first),
            };
            let lines: Vec<String> = (score.lines.iter())
                .map(|line| {
                    self.game.rules.plan().score().patterns()[usize::from(line.pattern)]
                        .id
                        .to_owned()
                })
                .collect();
            assert_eq!(
                score.points, worth,
                "{hand:?} {win:?} {:?} {lines:?}",
                self.wild
            );
            self.kinds.extend(lines);
            let drawn = win.way.is_self_draw();
            let from = win.from;
            if self.is_filipino() {
                let none = i64::from(hand.aside().is_empty());
                self.pay(*seat, |other| match drawn || from == Some(other) {
                    true => 2 * worth + none,
                    false => worth + none,
                });
            } else {
                let counters = i64::from(state.on_table().counters);
                let streak = match *seat == Seat::EAST && counters > 0 {
                    true => (counters + 1) * if drawn { 2 } else { 1 },
                    false => 0,
                };
                self.pay(*seat, |_| worth + streak);
            }
            self.wins += 1;
            let has_wild = |kind| hand.concealed().get(kind) > 0 || win.tile.kind() == Some(kind);
            self.with_wild += u32::from(self.wild.is_some_and(has_wild));
        }
        let paid: Vec<i64> = Seat::all(4).map(|seat| state.points(seat)).collect();
        let paid: Vec<i64> = paid
            .iter()
            .zip(&self.before)
            .map(|(now, then)| now - then)
            .collect();
        assert_eq!(paid, self.due);
    }
}

/// Plays games and returns what was seen.
fn watched(id: &str, options: &[&str], usual: [u64; 2]) -> Watch {
    let mut watch = Watch::new(Game::new(id, options));
    let rules = watch.game.rules.clone();
    for (name, games) in ["greedy", "random"].into_iter().zip(usual.map(games)) {
        let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
        for game in 0..games {
            simulate::play(&rules, &mut agents, game_seed(48, game), &mut watch).unwrap();
        }
    }
    watch
}

#[test]
fn filipino_pays_what_its_texts_say() {
    let watch = watched("filipino", &[], [6, 2]);
    assert!(
        watch.wins > 40 && watch.kongs > 5,
        "{} {}",
        watch.wins,
        watch.kongs
    );
    assert!(watch.kinds.len() >= 7, "{:?}", watch.kinds);
}

#[test]
fn filipino_pays_what_its_texts_say_with_wild_tiles() {
    let watch = watched("filipino", &["joker=true"], [2, 1]);
    let (wins, wild) = (watch.wins, watch.with_wild);
    assert!(wins > 15 && wild > 8, "{wins} {wild}");
}

#[test]
fn fuzhou_pays_what_its_texts_say() {
    let mut kinds = std::collections::BTreeSet::new();
    for options in [&[][..], &["set=two-dragons"], &["set=no-flowers"]] {
        let watch = watched("fuzhou", options, [6, 1]);
        let (wins, wild) = (watch.wins, watch.with_wild);
        assert!(wins > 20 && wild > 8, "{options:?} {wins} {wild}");
        kinds.extend(watch.kinds);
    }
    let rare = ["three-golds", "robbed-gold"];
    assert!(rare.iter().all(|one| kinds.contains(*one)), "{kinds:?}");
}
