//! Flags of a win in a request: `when` with what the request does not know, and `consistent`.

use paishan::meld::{Group, Meld};
use paishan::random::Stream;
use paishan::ruleset::CircumstanceError;
use paishan::score::TableFacts;
use paishan::state::{DrawSource, FlagSet, Way, Win};
use paishan::tile::Wind;
use paishan::{AsideId, Hand, Plan, Rules, Seat};
use std::collections::HashSet;

/// A win as a request gives it.
struct Given {
    hand: Hand,
    seat: Seat,
    win: Win,
}

impl Given {
    fn new(plan: &Plan, melds: &[Meld], flowers: &str, seat: Seat, way: Way) -> Self {
        let flowers: Vec<_> = flowers.chars().map(|one| one.to_string()).collect();
        let flowers: Vec<_> = flowers.iter().map(|one| one.parse().unwrap()).collect();
        let tiles = ["9s".parse().unwrap()];
        Self {
            hand: Hand::try_new(plan.tiles(), &tiles, melds, &flowers).unwrap(),
            seat,
            win: Win {
                way,
                ..Win::drawn("9s".parse().unwrap())
            },
        }
    }

    fn check(
        &self,
        plan: &Plan,
        flags: impl IntoIterator<Item = usize>,
    ) -> Result<(), CircumstanceError> {
        let mut win = self.win;
        flags.into_iter().for_each(|flag| win.flags.insert(flag));
        plan.check_win(
            self.hand.melds(),
            self.hand.aside(),
            self.seat,
            Wind::East,
            &win,
        )
    }

    fn of_melds(&self, is: fn(&Meld) -> bool) -> usize {
        self.hand.melds().iter().filter(|meld| is(meld)).count()
    }

    /// What may have happened in the deal, the numbers up to a few more than they must be.
    fn deals(&self) -> Vec<TableFacts> {
        let (seat, win, from) = (self.seat, self.win, self.win.from);
        let claims = self.of_melds(Meld::is_open);
        let kongs = self.of_melds(|meld| meld.group().len() == 4);
        let east_was_first = match win.way {
            Way::Wall | Way::Replacement => seat != Seat::EAST,
            _ => seat == Seat::EAST || from.is_some_and(|from| from != Seat::EAST),
        };
        let discards = claims.max(east_was_first.into()) + usize::from(win.way == Way::Discard);
        let discarded =
            !win.way.is_self_draw() && (seat == Seat::EAST || !self.hand.melds().is_empty());
        let sources = match win.way {
            Way::Wall => vec![Some(DrawSource::Wall)],
            Way::Replacement => vec![
                Some(DrawSource::Kong),
                Some(DrawSource::Aside(AsideId::default())),
            ],
            _ => vec![None],
        };
        let closed = self.of_melds(Meld::is_open) == 0;
        let mut deals = Vec::new();
        for source in sources {
            let of_kong = usize::from(source == Some(DrawSource::Kong));
            let of_aside = usize::from(matches!(source, Some(DrawSource::Aside(_))));
            for number in 0..7 * 6 * 6 * 2 {
                for bits in 0..32 {
                    let bit = |place: usize| bits >> place & 1 == 1;
                    let mut facts = TableFacts::default();
                    facts.source = source;
                    facts.discards = discards + number % 7;
                    facts.claims = claims + number / 7 % 6;
                    facts.kongs = kongs.max(of_kong) + number / 42 % 6;
                    facts.asides = self.hand.aside().len().max(of_aside) + number / 42 % 6;
                    facts.draws_left = number / 252;
                    facts.has_discarded = discarded || bit(0);
                    facts.kong_discard = win.way == Way::Discard && bit(1);
                    facts.robbed_concealed = win.way == Way::RobbedKong && bit(1);
                    facts.stands = bit(2);
                    facts.in_riichi = closed && bit(3);
                    facts.riichi_unbroken = closed && of_kong == 0 && bit(4);
                    deals.push(facts);
                }
            }
        }
        deals
    }
}

/// Facts of the deal that a condition has not used yet. None depends on another, so an interval for each says everything.
struct Unused {
    numbers: Vec<&'static str>,
    truths: Vec<&'static str>,
}

impl Unused {
    fn new(stream: &mut Stream) -> Self {
        let third = ["kongs", "asides"][stream.below(2) as usize];
        Self {
            numbers: vec!["discards", "claims", third],
            truths: vec![
                "draws-left == 0",
                "has-discarded",
                "kong-discard",
                "robbed-concealed",
                "stands",
                "in-riichi",
                "riichi-unbroken",
            ],
        }
    }

    fn condition(&mut self, stream: &mut Stream, depth: u32) -> String {
        fn pick<T>(stream: &mut Stream, from: &mut Vec<T>) -> T {
            from.swap_remove(stream.below(from.len() as u32) as usize)
        }
        let known = [
            "dealer",
            "self-draw",
            "closed",
            "way is discard",
            "way is not wall",
            "replaced(kong)",
            "replaced(flower)",
            "declared-melds >= 1",
            "declared(pung|kong, any) >= 1",
            "declared(kong, wind, concealed) == 1",
            "round is E",
            "round is not W",
        ];
        match stream.below(if depth == 0 { 4 } else { 8 }) {
            1 | 2 if !self.numbers.is_empty() => {
                let mut sum = pick(stream, &mut self.numbers).to_owned();
                if stream.below(3) == 0 && !self.numbers.is_empty() {
                    let sign = if sum == "discards" { "-" } else { "+" };
                    sum = format!("{sum} {sign} {}", pick(stream, &mut self.numbers));
                }
                let sign = ["==", "!=", "<", "<=", ">", ">="][stream.below(6) as usize];
                format!("{sum} {sign} {}", stream.below(4))
            }
            3 if !self.truths.is_empty() => pick(stream, &mut self.truths).to_owned(),
            0..=3 => known[stream.below(known.len() as u32) as usize].to_owned(),
            4 => format!("not ({})", self.condition(stream, depth - 1)),
            n => {
                let word = ["and", "or"][n as usize % 2];
                let (one, other) = (
                    self.condition(stream, depth - 1),
                    self.condition(stream, depth - 1),
                );
                format!("({one} {word} {other})")
            }
        }
    }
}

/// A request may set a flag exactly if some deal that goes with its win makes `when` true; and several flags if some deal
/// sets them all.
#[test]
fn requests_may_set_what_some_deal_sets() {
    const FLAGS: usize = 24;
    let mut stream = Stream::new(11, 3);
    let melds = [
        Meld::claimed(
            Group::pung("E".parse().unwrap()),
            "E".parse().unwrap(),
            Seat::WEST,
        ),
        Meld::claimed("456t".parse().unwrap(), "5t".parse().unwrap(), Seat::WEST),
        Meld::concealed(Group::kong("N".parse().unwrap())),
    ];
    let melds = melds.map(Result::unwrap);
    let (mut refused, mut allowed, mut together) = (0, 0, 0);
    for _ in 0..8 {
        let mut text = "ruleset = { id = \"my\", extends = \"hong-kong-old-style\" }\n".to_owned();
        let conditions: Vec<String> = (0..FLAGS)
            .map(|_| Unused::new(&mut stream).condition(&mut stream, 4))
            .collect();
        for (i, when) in conditions.iter().enumerate() {
            text += &format!("[flags.x{i}]\nwhen = \"{when}\"\n");
        }
        let rules = Rules::from_toml("my.toml", &text).unwrap();
        let plan = rules.plan();
        let places: Vec<usize> = (0..FLAGS)
            .map(|i| plan.flag(&format!("x{i}")).unwrap())
            .collect();
        for _ in 0..5 {
            let ways = [Way::Wall, Way::Replacement, Way::Discard, Way::RobbedKong];
            let way = ways[stream.below(4) as usize];
            let seat = Seat::all(4).nth(stream.below(4) as usize).unwrap();
            let from = Seat::all(4).nth(stream.below(4) as usize);
            let from = from.filter(|&from| from != seat && !way.is_self_draw());
            let melds: Vec<Meld> = melds.into_iter().filter(|_| stream.below(3) == 0).collect();
            let flowers = ["", "h"][stream.below(2) as usize];
            let mut given = Given::new(plan, &melds, flowers, seat, way);
            given.win.from = from;
            let deals: HashSet<FlagSet> = given
                .deals()
                .into_iter()
                .map(|facts| plan.flags_at_table(&given.hand, seat, Wind::East, &given.win, facts))
                .collect();
            for (&place, when) in places.iter().zip(&conditions) {
                let may = deals.iter().any(|flags| flags.contains(place));
                let is_so = given.check(plan, [place]).is_ok();
                assert_eq!(is_so, may, "{when}: {way:?} {seat} {from:?} {melds:?}");
                *[&mut refused, &mut allowed][usize::from(may)] += 1;
            }
            for _ in 0..40 {
                let two = [0; 2].map(|_| places[stream.below(FLAGS as u32) as usize]);
                if deals
                    .iter()
                    .any(|flags| two.iter().all(|&flag| flags.contains(flag)))
                {
                    assert_eq!(given.check(plan, two), Ok(()));
                    together += 1;
                }
            }
        }
    }
    assert!(
        refused > 200 && allowed > 500 && together > 500,
        "{refused} {allowed} {together}"
    );
}

fn of(id: &str) -> Rules {
    Rules::by_id(id).unwrap()
}

fn checked(rules: &Rules, given: &Given, flags: &[&str]) -> Result<(), CircumstanceError> {
    let plan = rules.plan();
    given.check(plan, flags.iter().map(|flag| plan.flag(flag).unwrap()))
}

/// A tile replaces one other tile, so flags that ask for two cannot be set together.
#[test]
fn flags_that_exclude_each_other_contradict_the_way() {
    let rules = of("celestial");
    let given = Given::new(rules.plan(), &[], "h", Seat::SOUTH, Way::Replacement);
    assert_eq!(checked(&rules, &given, &["after-kong"]), Ok(()));
    assert_eq!(checked(&rules, &given, &["after-flower"]), Ok(()));
    let both = checked(&rules, &given, &["after-kong", "after-flower"]);
    assert_eq!(both, Err(CircumstanceError::FlagsAndWay));
    // No flower is laid aside in this game.
    let rules = of("woo");
    let given = Given::new(rules.plan(), &[], "", Seat::EAST, Way::Replacement);
    let first = checked(&rules, &given, &["first-draw", "after-kong"]);
    assert_eq!(first, Err(CircumstanceError::FlagsAndWay));
    assert_eq!(
        checked(&rules, &given, &["first-draw", "after-flower"]),
        Ok(())
    );
    assert_eq!(
        checked(&rules, &given, &[]),
        Err(CircumstanceError::FlagsAndWay)
    );
}

/// No other flags would help.
#[test]
fn a_way_that_the_condition_of_wins_refuses_is_told_as_such() {
    let text = "ruleset = { id = \"my\", extends = \"hong-kong-old-style\" }\n\
                [win]\nwhen = \"closed and self-draw\"\n";
    let rules = Rules::from_toml("my.toml", text).unwrap();
    let meld = Meld::claimed("456t".parse().unwrap(), "5t".parse().unwrap(), Seat::WEST).unwrap();
    let refused = |way, melds: &[Meld]| {
        let given = Given::new(rules.plan(), melds, "", Seat::SOUTH, way);
        checked(&rules, &given, &[]) == Err(CircumstanceError::Refused)
    };
    assert!(refused(Way::Discard, &[]) && refused(Way::Wall, &[meld]));
    assert!(!refused(Way::Wall, &[]));
}

/// Without `from` the first discard may be the one that wins.
#[test]
fn an_unknown_discarder_may_be_the_dealer() {
    let rules = of("woo");
    let mut given = Given::new(rules.plan(), &[], "", Seat::SOUTH, Way::Discard);
    assert_eq!(checked(&rules, &given, &["first-discard"]), Ok(()));
    given.win.from = Some(Seat::EAST);
    assert_eq!(checked(&rules, &given, &["first-discard"]), Ok(()));
    given.win.from = Some(Seat::NORTH);
    let flag = "first-discard".to_owned();
    let later = Err(CircumstanceError::FlagAndWin { flag });
    assert_eq!(checked(&rules, &given, &["first-discard"]), later);
}

#[test]
fn declared_melds_contradict_flags() {
    let rules = of("riichi-mcgill");
    let meld = Meld::claimed("456t".parse().unwrap(), "5t".parse().unwrap(), Seat::EAST).unwrap();
    let given = |melds: &[Meld]| Given::new(rules.plan(), melds, "", Seat::SOUTH, Way::Wall);
    for flag in ["riichi", "double-riichi", "first-turn"] {
        assert_eq!(checked(&rules, &given(&[]), &[flag]), Ok(()));
        let open = checked(&rules, &given(&[meld]), &[flag]);
        let flag = flag.to_owned();
        assert_eq!(open, Err(CircumstanceError::FlagAndHand { flag }));
    }
    let ippatsu = |flags: &[&str]| checked(&rules, &given(&[]), flags).is_ok();
    assert!(!ippatsu(&["ippatsu"]) && ippatsu(&["ippatsu", "riichi"]));
}

/// `consistent` is asked of requests alone.
#[test]
fn the_table_does_not_ask_consistent() {
    let text = "ruleset = { id = \"my\", extends = \"woo\" }\n\
                [flags.late]\nwhen = \"draws-left <= 4\"\nconsistent = \"not dealer and closed\"\n";
    let rules = Rules::from_toml("my.toml", text).unwrap();
    let plan = rules.plan();
    let late = plan.flag("late").unwrap();
    let meld = Meld::claimed("456t".parse().unwrap(), "5t".parse().unwrap(), Seat::WEST).unwrap();
    let flag = || "late".to_owned();
    for (seat, melds, expected) in [
        (Seat::SOUTH, &[][..], Ok(())),
        (
            Seat::EAST,
            &[][..],
            Err(CircumstanceError::FlagAndWin { flag: flag() }),
        ),
        (
            Seat::SOUTH,
            &[meld][..],
            Err(CircumstanceError::FlagAndHand { flag: flag() }),
        ),
    ] {
        let given = Given::new(plan, melds, "", seat, Way::Wall);
        let facts = TableFacts::default();
        let flags = plan.flags_at_table(&given.hand, seat, Wind::East, &given.win, facts);
        assert!(flags.contains(late));
        assert_eq!(checked(&rules, &given, &["late"]), expected);
    }
}
