//! What the language of conditions and patterns says: names, groups with letters, patterns that count where no other
//! does; and what a file with several faults is told.

use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::meld::{Family, Group, Meld};
use paishan::protocol::{read_settle, settle_request};
use paishan::random::Stream;
use paishan::request::Request;
use paishan::ruleset::{self, LoadError};
use paishan::score::{Score, ScoreError, ScoreInput};
use paishan::state::{DealState, Win};
use paishan::tile::{Kind, Rank, Suit, Wind};
use paishan::{Hand, Rules, Ruleset, Seat, Tile, game_seed};
use std::collections::BTreeSet;

fn woo(lines: &str) -> Result<Rules, LoadError> {
    let text = format!("[ruleset]\nid = \"my\"\nextends = \"woo\"\n{lines}");
    Rules::from_toml("my.toml", &text)
}

fn fault(lines: &str) -> String {
    woo(lines).unwrap_err().to_string()
}

/// The score of a hand that is won with its pair, all groups declared.
fn score(rules: &dyn Ruleset, groups: &[Group], pair: Kind) -> Result<Score, ScoreError> {
    let melds: Vec<Meld> = groups
        .iter()
        .map(|group| {
            let last = group.tiles().last().unwrap();
            Meld::claimed(*group, last.into(), Seat::SOUTH).unwrap()
        })
        .collect();
    let tiles = &rules.plan().tiles();
    let hand = Hand::try_new(tiles, &[Tile::plain(pair)], &melds, &[]).unwrap();
    let win = Win::drawn(pair.into());
    let input = ScoreInput::new(&hand, Seat::EAST, Wind::East, Some(&win));
    rules.score_hand(&input)
}

/// The patterns of that hand.
fn patterns(rules: &dyn Ruleset, groups: &[Group], pair: Kind) -> BTreeSet<String> {
    let score = score(rules, groups, pair).unwrap();
    let all = rules.plan().score().patterns();
    let lines = score.lines.iter();
    lines
        .map(|line| all[usize::from(line.pattern)].id.clone())
        .collect()
}

/// Four groups and a pair, many of them close to each other. `None` if they take too many copies.
fn deal(rules: &dyn Ruleset, stream: &mut Stream) -> Option<(Vec<Group>, Kind)> {
    let grammar = rules.plan().decomposer().grammar();
    let runs: Vec<_> = grammar.shapes().map(|(_, shape)| *shape).collect();
    let mut pick = |most: usize| stream.below(most as u32) as usize;
    let (first, suits) = (pick(6), 1 + pick(3));
    // Near each other, or three apart.
    let apart = 1 + 2 * usize::from(pick(4) == 0);
    let alike = pick(2) == 0;
    let mut near = |most: usize| (first / apart + apart * pick(4)).min(most - 1);
    let mut groups = Vec::new();
    for i in 0..4 {
        let (rank, suit) = (
            near(if alike { 9 } else { runs.len() }),
            Suit::ALL[(i + first) % suits],
        );
        let kind = |rank: usize| Kind::number(suit, Rank::new(rank as u8 + 1).unwrap());
        groups.push(if alike {
            Group::pung(kind(rank))
        } else {
            runs[rank].group(suit)
        });
    }
    let pair = Kind::number(Suit::ALL[near(3)], Rank::new(near(9) as u8 + 1).unwrap());
    let mut tiles = paishan::Counts::EMPTY;
    let all = groups
        .iter()
        .flat_map(|group| group.tiles().collect::<Vec<_>>());
    all.chain([pair; 2])
        .all(|kind| tiles.try_add(kind))
        .then_some((groups, pair))
}

/// `has-groups` says what its definition says: some ranks and suits put in for the letters give groups of the hand,
/// each group of the list another one.
#[test]
fn groups_with_letters_are_what_the_definition_says() {
    let lists = [
        "chow r a, chow r+1 b, chow r+2 c",
        "chow r a, chow r a",
        "chow 1 a, chow 4 a, chow 7 a",
        "pung|kong r a, pung r b, pair r c",
        "pung r a, pung r+1 a, pung r+2 a",
        "chow r a, chow q b, chow r b, chow q a",
        "pung r s, pair q s",
        "pung|kong r a, pung q a",
        "pung q-1 a, pung q a",
    ];
    let mut text = String::new();
    for (i, list) in lists.iter().enumerate() {
        text += &format!("[patterns.list-{i}]\nbase = 2\nwhen = \"has-groups({list})\"\n");
    }
    let rules = woo(&text).unwrap();
    let mut stream = Stream::new(3, 3);
    let mut found = [0; 9];
    for _ in 0..20_000 {
        let Some((groups, pair)) = deal(&rules, &mut stream) else {
            continue;
        };
        let mut own: Vec<Group> = groups.clone();
        own.push(Group::pair(pair));
        let told = patterns(&rules, &groups, pair);
        for (i, list) in lists.iter().enumerate() {
            let holds = by_definition(list, &own);
            assert_eq!(
                told.contains(&format!("list-{i}")),
                holds,
                "{list}: {own:?}"
            );
            found[i] += usize::from(holds);
        }
    }
    assert!(found.iter().all(|&found| found > 10), "{found:?}");
}

/// Tries all ranks and suits for the letters, and takes the groups of the list out of the hand one by one.
fn by_definition(list: &str, own: &[Group]) -> bool {
    let suits_of = |n: usize| {
        [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ][n]
    };
    let tries =
        (0..6).flat_map(|suits| (1..=9).flat_map(move |r| (1..=9).map(move |q| (suits, r, q))));
    tries.into_iter().any(|(suits, r, q)| {
        let mut left: Vec<Group> = own.to_vec();
        list.split(", ").all(|one| {
            let words: Vec<&str> = one.split(' ').collect();
            let [families, rank, suit] = words[..] else {
                panic!("{one}");
            };
            let at = rank.find(['+', '-']).unwrap_or(rank.len());
            let (letter, plus) = rank.split_at(at);
            let rank = plus.parse::<i32>().unwrap_or(0)
                + match letter {
                    "r" => r,
                    "q" => q,
                    number => number.parse().unwrap(),
                };
            let lane = match suit {
                "s" => 1,
                letter => suits_of(suits)["abc".find(letter).unwrap()],
            };
            let is_one = |group: &Group| {
                let tiles: Vec<Kind> = group.tiles().collect();
                let family = match group.family() {
                    Family::Arith => "chow",
                    family => family.word(),
                };
                families.split('|').any(|word| word == family)
                    && tiles[0].lane() == lane
                    && tiles[0].place() as i32 + 1 == rank
            };
            let place = left.iter().position(is_one);
            place.map(|place| left.remove(place)).is_some()
        })
    })
}

#[test]
fn lists_of_groups_that_cannot_be_read_are_refused() {
    let say = |list: &str| {
        fault(&format!(
            "[patterns.x]\nbase = 2\nwhen = \"has-groups({list})\"\n"
        ))
    };
    for (list, told) in [
        ("", "expected a family"),
        ("chow", "expected one rank or three, and a suit"),
        ("chow r", "expected one rank or three, and a suit"),
        ("chow 1 2 a", "expected one rank or three, and a suit"),
        ("pung 1 2 3 a", "expected one rank, found three"),
        (
            "chow|pung r a",
            "expected one family of runs, or families of tiles alike",
        ),
        (
            "chow a a",
            "expected different letters for ranks and suits, found `a` for both",
        ),
        (
            "pung r a, pung q a, pung p a",
            "expected at most two letters for ranks",
        ),
        (
            "pung r a, pung r b, pung r c, pung r d",
            "expected at most two letters for ranks",
        ),
        ("flush r a", "no family `flush`"),
        ("pung 17 a", "expected a rank from 0 to 16"),
        ("pung r+2147483647 a, chow r", "expected one rank or three"),
    ] {
        let say = say(list);
        assert!(
            say.starts_with("my.toml:6:") && say.contains(told),
            "{list}: {say}"
        );
    }
    // Which of several runs that begin with a rank is meant must be said.
    let uzje = |list: &str| {
        let text = format!(
            "ruleset = {{ id = \"my\", extends = \"uzje\" }}\n[patterns.x]\nfan = 1.0\nwhen = \"has-groups({list})\"\n"
        );
        Rules::from_toml("my.toml", &text).map(|_| ())
    };
    let several = uzje("arith r a").unwrap_err().to_string();
    assert!(several.contains("the three ranks of the run"), "{several}");
    assert!(uzje("arith r r+2 r+4 a").is_ok());
    assert!(
        uzje("pung r a, pung q b")
            .unwrap_err()
            .to_string()
            .contains("too long")
    );
}

/// Short texts cannot stand for so much that a file takes long to load.
#[test]
fn letters_and_names_stand_for_no_more_than_a_condition_may_have() {
    let pattern = |when: &str| format!("[patterns.x]\nbase = 2\nwhen = \"{when}\"\n");
    let many = vec!["has-groups(pung r a, pung s b)"; 30].join(" or ");
    assert!(fault(&pattern(&many)).contains("too long"));
    let names = |text: &str| {
        format!(
            "[conditions]\nx = \"{text}\"\n{}",
            pattern(&vec!["x"; 240].join(" or "))
        )
    };
    assert!(fault(&names("has-groups(chow r a, chow r+1 b)")).contains("too long"));
    assert!(woo(&names("has-groups(pung 16 a)")).is_ok());
    let one = |i: usize| {
        format!("[patterns.x{i}]\nbase = 2\nwhen = \"has-groups(pung r a, pung s b, pung 16 c)\"\n")
    };
    assert!(woo(&(0..20).map(one).collect::<String>()).is_ok());
    let told = fault(&(0..40).map(one).collect::<String>());
    assert!(
        told.contains("the letters of all groups stand for too many"),
        "{told}"
    );
    let names: String = (0..201).map(|i| format!("c{i} = \"closed\"\n")).collect();
    assert!(
        fault(&format!("[conditions]\n{names}"))
            .contains("named conditions, a ruleset may have 200")
    );
}

/// A pattern with `otherwise` counts where no other pattern does but those that it stands beside.
#[test]
fn otherwise_counts_where_nothing_else_does() {
    let text = "\
        [patterns]\nsrc = \"mine\"\n\
        [patterns.chicken]\nbase = 2\notherwise = true\nbeside = [\"woo\", \"self-draw\", \"drawn-eyes\"]\n\
        [patterns.pure]\nbase = 4\nwhen = \"suits == 1\"\n";
    let rules = woo(text).unwrap();
    let run = |first: u32, suit: Suit| {
        let shapes = rules.plan().decomposer().grammar().shapes();
        let shape = shapes
            .map(|(_, shape)| *shape)
            .find(|shape| u32::from(shape.ranks()[0]) == first);
        shape.unwrap().group(suit)
    };
    let [tong, sock] = [Suit::Circles, Suit::Bamboos];
    let mixed = [run(1, tong), run(2, tong), run(3, sock), run(7, tong)];
    let pure = [run(1, sock), run(2, sock), run(3, sock), run(5, sock)];
    let pair = Kind::number(Suit::Bamboos, Rank::new(8).unwrap());
    let of = |groups: &[Group]| patterns(&rules, groups, pair);
    assert!(of(&pure).contains("pure") && !of(&pure).contains("chicken"));
    let only: Vec<String> = of(&mixed).into_iter().collect();
    assert_eq!(only, ["chicken", "drawn-eyes", "self-draw", "woo"]);
    let all = rules.plan().score().patterns();
    let source = |id: &str| all.iter().find(|one| one.id == id).unwrap().src.clone();
    assert_eq!([source("chicken"), source("pure")], ["mine", "mine"]);
    assert_ne!(source("woo"), "mine");
    assert!(
        fault("[patterns.x]\nbase = 2\nbeside = [\"woo\"]\n").contains("`patterns.x.beside` needs")
    );
}

/// Four alike that are no kong, as in the tile hog of the competition rules.
#[test]
fn kinds_held_are_counted_without_kongs() {
    let rules = woo("[patterns.hog]\nbase = 2\nper = \"kinds-held(4, sock|tong)\"\n").unwrap();
    let run = |first: u8| {
        let shapes = rules.plan().decomposer().grammar().shapes();
        let mut shapes = shapes.map(|(_, shape)| *shape);
        shapes
            .find(|shape| shape.ranks()[0] == first)
            .unwrap()
            .group(Suit::Bamboos)
    };
    let sock = |rank: u8| Kind::number(Suit::Bamboos, Rank::new(rank).unwrap());
    let has = |groups: [Group; 4]| patterns(&rules, &groups, sock(9)).contains("hog");
    let far = Group::pung(Kind::EAST);
    // 2s in a pung and a run, then in a kong, then three of them.
    assert!(has([Group::pung(sock(2)), run(1), run(4), far]));
    assert!(!has([Group::kong(sock(2)), run(3), run(4), far]));
    assert!(!has([run(1), run(1), run(2), far]));
    assert!(!has([Group::pung(Kind::EAST), run(1), run(4), run(6)]));
    assert!(
        fault("[patterns.x]\nbase = 2\nper = \"kinds-held(9, any)\"\n").contains("from 1 to 8")
    );
}

/// A condition with a name means what its text means, wherever it is used.
#[test]
fn conditions_have_names() {
    let text = "\
        [conditions]\nchows = \"melds(chow, any)\"\nall-chows = \"winner and chows == 4\"\n\
        [patterns.four]\nbase = 2\nwhen = \"all-chows\"\n\
        [patterns.each]\nbase = 2\nper = \"chows\"\n";
    let rules = woo(text).unwrap();
    let mut stream = Stream::new(5, 5);
    let mut seen = [0, 0];
    for _ in 0..500 {
        let Some((groups, pair)) = deal(&rules, &mut stream) else {
            continue;
        };
        let told = patterns(&rules, &groups, pair);
        let is_chows = groups.iter().all(|group| group.family() == Family::Arith);
        assert_eq!(told.contains("four"), is_chows);
        assert_eq!(told.contains("each"), is_chows);
        seen[usize::from(is_chows)] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    let say = |lines: &str| fault(&format!("[conditions]\n{lines}"));
    assert_eq!(
        say("winner = \"closed\"\n"),
        "my.toml:5:1: `winner` is the name of a fact, a flag, an option or a column already"
    );
    assert_eq!(
        say("a = \"suitz == 1\"\n"),
        "my.toml:5:6: no fact `suitz`; did you mean `suits`?"
    );
    let odd = say("\"5\" = \"closed\"\n");
    assert!(odd.contains("`conditions.5` must be named"), "{odd}");
    assert!(say("and = \"closed\"\n").contains("`conditions.and` must be named"));
    assert_eq!(
        say("late = \"draws-left == 0\"\n[patterns.x]\nbase = 2\nwhen = \"closed and late\"\n"),
        "my.toml:8:20: `draws-left` is not known here, and `late` asks for it; it is a fact about the deal at the table, where \
         flags are set"
    );
    let mut doubling = "c0 = \"closed\"\n".to_owned();
    (1..40).for_each(|i| doubling += &format!("c{i} = \"c{0} or c{0}\"\n", i - 1));
    assert!(say(&doubling).contains("nested too deeply"));
}

/// `[win] when` restricts wins at the table, and may ask for all tiles. `consistent` of a flag knows melds alone.
#[test]
fn a_win_may_require_a_reading() {
    let rules = woo("[win]\nwhen = \"suits <= 2\"\n").unwrap();
    let plain = woo("").unwrap();
    let mut stream = Stream::new(8, 8);
    let mut seen = [0, 0];
    for _ in 0..500 {
        let Some((groups, pair)) = deal(&plain, &mut stream) else {
            continue;
        };
        let kinds = groups
            .iter()
            .flat_map(|group| group.tiles().collect::<Vec<_>>());
        let suits: BTreeSet<_> = kinds.chain([pair]).filter_map(|kind| kind.suit()).collect();
        let wins = |rules: &dyn Ruleset| score(rules, &groups, pair).is_ok();
        assert!(wins(&plain));
        assert_eq!(wins(&rules), suits.len() <= 2);
        seen[usize::from(suits.len() <= 2)] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
    // No game ends with another win.
    struct Wins(u32);
    impl Observer for Wins {
        fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
            for (seat, win) in outcome.wins() {
                let hand = state.hand_before(*seat, win);
                let tiles = hand.tiles().chain(
                    hand.melds()
                        .iter()
                        .flat_map(|meld| meld.group().tiles().map(Tile::from)),
                );
                let suits: BTreeSet<_> = tiles
                    .chain([win.tile])
                    .filter_map(|tile| tile.kind()?.suit())
                    .collect();
                assert!(suits.len() <= 2);
                self.0 += 1;
            }
        }
    }
    let mut wins = Wins(0);
    let agent = || paishan::agent::by_name("greedy", rules.plan()).unwrap();
    let mut agents: Vec<_> = (0..4).map(|_| agent()).collect();
    for game in 0..200 {
        paishan::simulate::play(&rules, &mut agents, game_seed(1, game), &mut wins).unwrap();
    }
    assert!(wins.0 > 0);
    let refused = fault("[flags.x]\nconsistent = \"suits <= 2\"\n");
    assert_eq!(
        refused,
        "my.toml:5:14: `flags.x.consistent` must be a condition on declared melds and flowers only"
    );
}

/// `[win] when` restricts wins at the table as it restricts those of requests, and greedy does not wait for what it refuses.
#[test]
fn a_win_may_require_melds_and_circumstances() {
    struct Wins<'a> {
        rules: &'a dyn Ruleset,
        seen: Vec<(usize, bool, Seat)>,
    }
    impl Observer for Wins<'_> {
        fn deal_ended(
            &mut self,
            series: &MatchState,
            state: &DealState,
            outcome: &Outcome,
            _: Next,
        ) {
            for (seat, win) in outcome.wins() {
                let melds = state.hand(*seat).melds().len();
                self.seen.push((melds, win.way.is_self_draw(), *seat));
            }
            if !outcome.wins().is_empty() {
                let request = Request::of_deal(series.plan(), state, outcome);
                let request = settle_request(series.plan(), &request);
                let text = serde_json::to_string(&request).unwrap();
                let request = serde_json::from_str(&text).unwrap();
                let request = read_settle(self.rules.plan(), &request).unwrap();
                let table = request.check(self.rules).unwrap();
                let again = table.settle();
                assert_eq!(again.as_ref(), Ok(&outcome.settlement), "{text}");
            }
        }
    }
    let played = |parent: &str, when: &str| {
        let text =
            format!("[ruleset]\nid = \"my\"\nextends = \"{parent}\"\n[win]\nwhen = \"{when}\"\n");
        let rules = Rules::from_toml("my.toml", &text).unwrap();
        let agent = || paishan::agent::by_name("greedy", rules.plan()).unwrap();
        let mut agents: Vec<_> = (0..4).map(|_| agent()).collect();
        let mut wins = Wins {
            rules: &rules,
            seen: Vec::new(),
        };
        for game in 0..4 {
            paishan::simulate::play(&rules, &mut agents, game_seed(4, game), &mut wins).unwrap();
        }
        assert!(
            wins.seen.len() > 10,
            "{parent}: {when}: {}",
            wins.seen.len()
        );
        wins.seen
    };
    for parent in ["hong-kong-old-style", "woo"] {
        let plain = played(parent, "winner");
        assert!(plain.iter().any(|(melds, ..)| *melds == 0));
        assert!(plain.iter().any(|(_, drawn, _)| !drawn));
        let melds = played(parent, "declared-melds >= 1");
        assert!(melds.iter().all(|(melds, ..)| *melds >= 1), "{parent}");
        let drawn = played(parent, "self-draw and not (after-kong and after-flower)");
        assert!(drawn.iter().all(|(_, drawn, _)| *drawn), "{parent}");
        let dealt = played(parent, "dealer");
        assert!(dealt.iter().all(|(.., seat)| *seat == Seat::EAST));
    }
}

/// A game of points that add up: a minimum that bonus points do not help over, and each loser pays a share and a
/// fixed sum.
#[test]
fn points_may_have_a_minimum_and_be_paid_in_shares() {
    let rules = woo("[win]\nminimum = \"base >= 8\"\n[score]\nlimit = 1000\n\
         [settlement]\nfamily = \"rows\"\n\
         [payments.win]\non = \"win\"\namount = \"if(self-draw or gave, points, 0) + 8\"\n")
    .unwrap();
    struct Wins(BTreeSet<bool>, u32);
    impl Observer for Wins {
        fn deal_ended(&mut self, series: &MatchState, _: &DealState, outcome: &Outcome, _: Next) {
            for (seat, win) in outcome.wins() {
                let score = outcome.settlement.scores[*seat].as_ref().unwrap();
                let paid = outcome.settlement.deltas[*seat];
                let draws = win.is_self_draw();
                let times = if draws { 3 } else { 1 };
                assert_eq!(paid, times * score.points + 24, "{series:?}");
                self.0.insert(draws);
                self.1 += 1;
            }
        }
    }
    let mut wins = Wins(BTreeSet::new(), 0);
    let agent = || paishan::agent::by_name("greedy", rules.plan()).unwrap();
    let mut agents: Vec<_> = (0..4).map(|_| agent()).collect();
    for game in 0..60 {
        paishan::simulate::play(&rules, &mut agents, game_seed(2, game), &mut wins).unwrap();
    }
    assert!(wins.0.len() == 2 && wins.1 > 20, "{:?} {}", wins.0, wins.1);
    // A hand that is worth 8 points with bonus points alone does not win.
    let pattern = |key: &str| {
        let text = format!(
            "[win]\nminimum = \"base >= 100\"\n[patterns.rich]\n{key} = 200\nwhen = \"winner\"\ndoc = \"x\"\nsrc = \"x\"\n"
        );
        let rules = woo(&text).unwrap();
        let mut stream = Stream::new(1, 1);
        let hands = (0..50).filter_map(|_| deal(&rules, &mut stream));
        hands
            .map(|(groups, pair)| score(&rules, &groups, pair).is_ok())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(pattern("base"), BTreeSet::from([true]));
    assert_eq!(pattern("bonus"), BTreeSet::from([false]));
    assert!(
        fault("[settlement]\nfamily = \"rows\"\n")
            .contains("needs a row `on = \"win\"` in [payments]")
    );
}

/// A file with several faults is told all of them at once, in the order of the text.
#[test]
fn several_faults_are_told_at_once() {
    let lines = "[patterns.woo]\nbaze = 3\n[flags.late]\nwhen = \"draws-left = 0\"\n\
                 [patterns.x]\nbase = 2\nwhen = \"closed && winner\"\n[match]\nnext-dealer = \"winer\"\n";
    assert_eq!(
        fault(lines),
        "my.toml:5:1: unknown key `baze` in [patterns.woo]; did you mean `base`?\n\
         my.toml:7:20: expected `==`, or `is` before a word, found `=`\n\
         my.toml:10:16: expected `and`, found `&&`\n\
         my.toml:12:15: `winer` is no word for this key; did you mean `winner`?"
    );
    let many: String = (0..30)
        .map(|i| format!("[patterns.p{i}]\nbase = 2\nwhen = \"so\"\n"))
        .collect();
    let LoadError::Texts(errors) = woo(&many).unwrap_err() else {
        panic!("there are thirty faults");
    };
    assert_eq!((errors.shown.len(), errors.further), (20, 10));
    assert!(errors.to_string().ends_with("\nand 10 more"));
    assert!(fault("[tiles]\nred-fives = [5, 0, 0]\n").contains("must be an integer from 0 to 4"));
    let short = "[tiles]\ncopies = [{ tiles = \"1234t\", count = 4 }]\nred-fives = [1, 0, 0]\n";
    assert!(
        fault(short).contains("1 red fives of one suit, a ruleset may have 0"),
        "{}",
        fault(short)
    );
}

/// A child takes neither the name nor the golden hands of its parent.
#[test]
fn a_child_has_a_name_and_golden_hands_of_its_own() {
    let source = ruleset::Source::text(
        "my.toml",
        "[ruleset]\nid = \"my\"\nextends = \"zung-jung\"\n[patterns.chicken-hand]\nbase = 3\n",
    );
    assert_eq!(source.load(&[]).unwrap().plan().name(), "My");
    let lints = paishan::lint::lint(&source, &[]).unwrap();
    assert!(
        lints
            .iter()
            .all(|lint| lint.kind != paishan::lint::LintKind::Example),
        "{lints:?}"
    );
}

/// Melds are accounted for once, and what a list of melds may not say is told.
#[test]
fn combinations_are_told_what_is_wrong_with_them() {
    let of = |lines: &str| {
        let text = format!(
            "ruleset = {{ id = \"my\", extends = \"mcr\" }}\n[patterns.x]\nfan = 1\n{lines}"
        );
        Rules::from_toml("my.toml", &text)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        of("combines = [\"chow r a, chow r+4 a\", \"pung r a, pair r b\"]\n"),
        Ok(())
    );
    for (lines, told) in [
        (
            "combines = \"chow r a, chow r a\"\nper = \"suits\"\n",
            "conflicts with `patterns.x.per`",
        ),
        (
            "combines = \"chow r a, chow r a, chow r a, chow r a, pair 5 a\"\n",
            "my.toml:4:",
        ),
        (
            "combines = \"chow r a, chow\"\n",
            "my.toml:4:27: expected one rank or three, and a suit",
        ),
        ("combines = [\"chow r a\", 3]\n", "my.toml:4:"),
        ("combines = 3\n", "my.toml:4:"),
    ] {
        let fault = of(lines).unwrap_err();
        assert!(fault.contains(told), "{fault}");
    }
    let form = |lines: &str| {
        let text = format!("ruleset = {{ id = \"my\", extends = \"mcr\" }}\n[forms.x]\n{lines}");
        Rules::from_toml("my.toml", &text).unwrap_err().to_string()
    };
    for (lines, told) in [
        ("", "has no `groups`"),
        ("groups = 3\n", "my.toml:3:10: "),
        (
            "groups = \"pairs(6)\"\n",
            "the items have 12 tiles, a complete hand has 14",
        ),
        (
            "groups = \"pears(7)\"\n",
            "my.toml:3:11: no item `pears`; did you mean `pairs`?",
        ),
        (
            "groups = \"each honour, any(7, dragons)\"\n",
            "my.toml:3:31: no class `dragons`; did you mean `dragon`?",
        ),
        (
            "groups = \"kong r a, pung a b, pung 5 c, kong honour\"\n",
            "three letters for ranks and three others for suits",
        ),
        ("groups = \"pairs(4), any(6, any)\"\n", "one item at most"),
        (
            "groups = \"group*3, pung any, pair any\"\n",
            "3 groups beside other items, at most 2 are possible",
        ),
        (
            "groups = \"pairs(7)\"\nconcealed = false\n",
            "are concealed",
        ),
        (
            "groups = \"kong r a, kong r+9 a, kong E, pair E\"\n",
            "the set has no tiles for such a hand",
        ),
        (
            "groups = \"single any, single any, single any, single any, single any, single any, pair any, pung any, pung any\"\n",
            "stand for more than 20000 hands",
        ),
        ("groups = \"pair 5, pung E\"\n", "my.toml:3:16: "),
        ("groups = \"each 19, pung E\"\n", "my.toml:3:16: "),
    ] {
        let fault = form(lines);
        assert!(fault.contains(told), "{fault}");
    }
}

/// A table of points in the fan family, and one of factors where doubles count.
#[test]
fn tables_tell_what_a_hand_comes_to() {
    let of = |lines: &str| {
        let text = format!("ruleset = {{ id = \"my\", extends = \"mcr\" }}\n[score]\n{lines}");
        Rules::from_toml("my.toml", &text).map_err(|error| error.to_string())
    };
    let group = |text: &str| text.parse::<Group>().unwrap();
    let kind = |text: &str| text.parse::<Kind>().unwrap();
    // One is worth 24 fan or more.
    let pungs = ["111s", "333s", "555s", "999s"].map(group);
    let hands = [pungs, ["123s", "456s", "789s", "CCC"].map(group)];
    let table = "points = \"if(fan < 24, table(bands, fan / 8), 11)\"\ntables.bands = [0, 3, 7]\n";
    let rules = of(table).unwrap();
    let plain = Rules::by_id("mcr").unwrap();
    for groups in hands {
        let fan = score(&plain, &groups, kind("7s")).unwrap().points;
        let want = if fan >= 24 {
            11
        } else {
            [0, 3, 7][fan as usize / 8]
        };
        assert_eq!(
            score(&rules, &groups, kind("7s")).unwrap().points,
            want,
            "{fan}"
        );
    }
    for (lines, told) in [
        ("points = \"table(bands, fan)\"\n", "no table `bands`"),
        ("tables.bands = []\n", "a list of 1 to 1000 numbers"),
        ("tables.bands = [\"x\"]\n", "an integer from"),
        (
            "points = \"place(bands, fan)\"\ntables.bands = [1, 2]\n",
            "a number that options decide",
        ),
        ("points = \"min(limit, worth)\"\n", "no name `limit`"),
        ("points = \"fam\"\n", "did you mean `fan`?"),
        ("points = \"discards\"\n", "`discards` is not known here"),
        ("points = \"fan > 3\"\n", "expected a number"),
        ("sums = [\"fan\", \"fan\"]\n", "`fan`"),
        ("sums = [\"points\"]\n", "so call this one `base`"),
        ("sums = [\"fan\", \"closed\"]\n", "`closed`"),
        ("sums = []\n", "has no `sums`"),
        ("greatest = [\"bonos\"]\n", "did you mean `bonus`?"),
        ("family = \"fan\"\n", "unknown key `family`"),
    ] {
        let fault = of(lines).unwrap_err();
        assert!(fault.contains(told), "{fault}");
    }
    let points = |steps: &str, groups: &[Group], pair: &str| {
        let options = [("steps", steps), ("minimum", "0")];
        let options = options.map(|(name, value)| {
            let setting = format!("{name}={value}");
            ruleset::parse_option(&setting).unwrap()
        });
        let rules = Rules::by_id_with("hong-kong-old-style", &options).unwrap();
        score(&rules, groups, kind(pair)).unwrap().points
    };
    // A self-drawn full flush is 9 faan without bonus tiles, and 12 with four pungs.
    let chows = ["123s", "234s", "567s", "888s"].map(group);
    let few = ["123s", "234s", "567s", "888t"].map(group);
    for (steps, want) in [
        ("spicy", [512, 1024, 4]),
        ("half-spicy", [96, 256, 4]),
        ("bands", [32, 64, 4]),
    ] {
        let have = [
            points(steps, &chows, "9s"),
            points(steps, &pungs, "7s"),
            points(steps, &few, "9s"),
        ];
        assert_eq!(have, want, "{steps}");
    }
}

/// A file says which of two readings of equal worth counts.
#[test]
fn ties_are_decided_by_data() {
    // 111222333 of mans are three chows or three pungs.
    let counted = |ties: &str, patterns: &str| {
        let text = format!(
            "[ruleset]\nid = \"my\"\nextends = \"hong-kong-old-style\"\n[win]\nminimum = \"doubles >= 0\"\n[score]\nties = {ties}\n\
             [patterns]\nconcealed-hand.enabled = false\nall-pungs.enabled = false\nall-chows.enabled = false\n\
             {patterns}"
        );
        let rules = Rules::from_toml("my.toml", &text).map_err(|error| error.to_string())?;
        let hand: Hand = "111222333m456sN".parse().unwrap();
        let win = Win::drawn("N".parse::<Kind>().unwrap().into());
        let input = ScoreInput::new(&hand, Seat::EAST, Wind::East, Some(&win));
        let score = rules
            .score_hand(&input)
            .map_err(|error| error.to_string())?;
        let all = rules.plan().score().patterns();
        let lines = score.lines.iter();
        let ids = lines.map(|line| all[usize::from(line.pattern)].id.clone());
        Ok::<_, String>(ids.collect::<BTreeSet<_>>())
    };
    let one_or_two = "[patterns.chows]\ndoubles = 3\nwhen = \"melds(chow, man) == 3\"\n\
                      [patterns.pungs]\ndoubles = 2\nwhen = \"melds(pung, man) == 3\"\n\
                      [patterns.low]\ndoubles = 1\nwhen = \"melds(pung, 2m) == 1\"\n";
    let has =
        |ties: &str, patterns: &str, id: &str| counted(ties, patterns).map(|ids| ids.contains(id));
    assert_eq!(has("[\"fewest-patterns\"]", one_or_two, "chows"), Ok(true));
    assert_eq!(has("[\"most-patterns\"]", one_or_two, "low"), Ok(true));
    let both = "[\"first-patterns\", \"most-patterns\"]";
    assert_eq!(has(both, one_or_two, "chows"), Ok(true));
    assert!(
        counted("[\"fewest\"]", "")
            .unwrap_err()
            .contains("fewest-patterns")
    );
    // Of two readings with the same first pattern the one with a further pattern counts, whichever reading that is.
    for family in ["chow", "pung"] {
        let further = format!(
            "[patterns.each]\ndoubles = 1\nwhen = \"melds(chow, man) == 3 or melds(pung, man) == 3\"\n\
             [patterns.further]\nbonus-doubles = 1\nwhen = \"melds({family}, man) == 3\"\n"
        );
        assert_eq!(
            has("[\"first-patterns\"]", &further, "further"),
            Ok(true),
            "{family}"
        );
    }
}

/// `values.PATTERN` sets a value in every family, whether the file declares an option for it or not.
#[test]
fn values_need_no_option() {
    let value = |id: &str, settings: &[&str], pattern: &str| {
        let options: Vec<_> = settings
            .iter()
            .map(|setting| ruleset::parse_option(setting).unwrap())
            .collect();
        let rules = Rules::by_id_with(id, &options).map_err(|error| error.to_string())?;
        let mut patterns = rules.plan().score().patterns().iter();
        let found = patterns.find(|one| one.id == pattern);
        Ok::<_, String>(found.unwrap().value)
    };
    use paishan::score::PatternValue as Value;
    let of = |id: &str, setting: &str| {
        let (pattern, _) = setting.split_once('=').unwrap();
        value(id, &[&format!("values.{setting}")], pattern)
    };
    let off = Ok(Value::Limits(0));
    let first = |amount| {
        let mut columns = [paishan::Decimal::default(); paishan::score::MOST_SUMS];
        columns[0] = paishan::Decimal::whole(amount);
        Ok(Value::Sums(paishan::score::Amounts::new(columns, 0)))
    };
    assert_eq!(of("hong-kong-old-style", "all-pungs=4"), first(4));
    assert_eq!(of("hong-kong-old-style", "all-pungs=0"), off);
    let open = |closed, open| Ok(Value::Han { closed, open });
    assert_eq!(of("riichi-tenhou", "full-flush=8"), open(8, 7));
    assert_eq!(of("riichi-tenhou", "full-flush=1"), open(1, 1));
    assert_eq!(of("riichi-tenhou", "riichi=2"), open(2, 0));
    assert_eq!(of("riichi-tenhou", "full-flush=0"), off);
    assert_eq!(of("mcr", "all-chows=3"), first(3));
    let twice = ["values.all-pungs=4", "values.all-pungs=5"];
    assert_eq!(value("hong-kong-old-style", &twice, "all-pungs"), first(5));
    for (setting, told) in [
        ("all-pungz=4", "did you mean `values.all-pungs`"),
        ("all-pungs=2000000", "values of patterns"),
        ("all-pungs=1.5", "values of patterns"),
    ] {
        let setting = format!("values.{setting}");
        let fault = value("hong-kong-old-style", &[&setting], "all-pungs").unwrap_err();
        assert!(fault.contains(told), "{fault}");
    }
    // The hash tells such rules apart, and what they list as options names the values.
    let with = |settings: &[(String, ruleset::OptionValue)]| {
        Rules::by_id_with("woo", settings)
            .unwrap()
            .plan()
            .content_hash()
    };
    let set = ruleset::parse_option("values.woo=20").unwrap();
    assert_ne!(with(&[]), with(&[set]));
}

/// Who waits for nothing that wins is not ready when the wall runs out.
#[test]
fn waits_that_win_nothing_are_no_waits() {
    let text =
        "ruleset = { id = \"my\", extends = \"riichi-mcgill\" }\n[win]\nwhen = \"suits <= 2\"\n";
    let rules = Rules::from_toml("my.toml", text).unwrap();
    /// Hands that are ready by their shape: how many do not count, and how many do. How many are in riichi.
    struct Ready<'a>(&'a dyn Ruleset, [u32; 2], u32);
    impl Observer for Ready<'_> {
        fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
            if outcome.ready.is_empty() {
                return;
            }
            for seat in Seat::all(4) {
                let hand = state.hand(seat);
                if hand.size() != 13 {
                    continue;
                }
                let melds = hand.melds().iter();
                let melded = melds.flat_map(|meld| meld.group().tiles().map(Tile::from));
                let tiles: Vec<Kind> = hand
                    .tiles()
                    .chain(melded)
                    .filter_map(|tile| tile.kind())
                    .collect();
                let decomposer = &self.0.plan().decomposer();
                let waits = decomposer.waits(&paishan::decompose::Holding::from(hand));
                let suits = |wait: Kind| {
                    let suits = tiles.iter().copied().chain([wait]);
                    suits
                        .filter_map(|kind| kind.suit())
                        .collect::<BTreeSet<_>>()
                };
                let wins = waits.iter().any(|wait| suits(wait).len() <= 2);
                // A wait for a fifth copy is none here.
                if !wins {
                    assert!(!outcome.ready.contains(seat), "{hand:?}");
                    assert!(state.riichi(seat).is_none(), "{hand:?}");
                }
                self.2 += u32::from(state.riichi(seat).is_some());
                self.1[usize::from(outcome.ready.contains(seat))] += u32::from(!waits.is_empty());
            }
        }
    }
    let mut ready = Ready(&rules, [0; 2], 0);
    let mut agents = paishan::agent::for_all("greedy", rules.plan()).unwrap();
    for game in 0..60 {
        paishan::simulate::play(&rules, &mut agents, game_seed(3, game), &mut ready).unwrap();
    }
    assert!(ready.1[1] > 20 && ready.2 > 20, "{:?} {}", ready.1, ready.2);
}

/// A word that an option cannot be is an error in every condition and formula, whatever value the option has.
#[test]
fn words_of_options_are_checked() {
    let option = "[options.shooter]\ntype = \"enum\"\nvalues = [\"double\", \"alone\"]\n\
                  default = \"double\"\ndoc = \"Who pays.\"\n";
    let when = |text: &str| {
        format!("{option}[patterns.odd]\nbase = 2\nwhen = \"waits == 1 and {text}\"\n")
    };
    let near = "my.toml:11:35: no word of this option `allone`; did you mean `alone`?";
    assert_eq!(fault(&when("shooter is allone")), near);
    assert_eq!(
        fault(&when("shooter is not nobody")),
        "my.toml:11:39: no word of this option `nobody`; expected one of `double`, `alone`"
    );
    assert!(woo(&when("shooter is not alone")).is_ok());
    let switched = format!("{option}[patterns.odd]\nbase = 2\nif = \"shooter is allone\"\n");
    assert!(fault(&switched).contains("no word of this option `allone`"));
    let list = "[options.some]\ntype = \"words\"\nvalues = [\"a\", \"b\"]\ndefault = []\ndoc = \"Some.\"\n\
                [patterns.odd]\nbase = 2\nwhen = \"some is a\"\n";
    assert!(
        fault(list).contains(
            "expected an option that is true, false, a number or a word, `some` is a list"
        )
    );
}

/// A word that nothing is near to is answered with the words that there are.
#[test]
fn unknown_words_are_answered_with_a_list() {
    let way = fault("[patterns.odd]\nbase = 2\nwhen = \"way is concealed\"\n");
    assert!(
        way.ends_with(
            "no way `concealed`; expected one of `wall`, `replacement`, `discard`, `robbed-kong`, `turned`"
        ),
        "{way}"
    );
}

/// The formulas of rows are shown with options resolved: what these decide is left out, and the rest stays as it is written.
#[test]
fn formulas_are_shown_with_options_resolved() {
    let shown = |set: &str, text: &str| {
        let lines = format!(
            "[settlement]\nfamily = \"rows\"\n[options.all]\ntype = \"bool\"\ndefault = false\ndoc = \"All.\"\n\
             [options.cap]\ntype = \"int\"\nmin = 1\nmax = 9\ndefault = 5\ndoc = \"A cap.\"\n\
             [options.mode]\ntype = \"enum\"\nvalues = [\"fast\", \"slow\"]\ndefault = \"fast\"\ndoc = \"A mode.\"\n\
             [conditions]\nrich = \"wins and option(cap) >= 5\"\nten = \"option(cap) * 2\"\n\
             [payments.win]\non = \"win\"\namount = \"{text}\"\n"
        );
        let text = format!("[ruleset]\nid = \"my\"\nextends = \"woo\"\n{lines}");
        let source = ruleset::Source::text("my.toml", text);
        let options: Vec<_> = set
            .split_whitespace()
            .map(|one| ruleset::parse_option(one).unwrap())
            .collect();
        let rules = source.load(&options).unwrap();
        let row = &rules.plan().payments().rows()[0];
        row.formulas.amount.clone().unwrap()
    };
    for (set, text, want) in [
        ("", "points   *  2", "points * 2"),
        ("", "if(all, 3 * points, points)", "points"),
        ("all=true", "if(all, 3 * points, points)", "3 * points"),
        (
            "all=true",
            "2 * if(all, points + 1, points)",
            "2 * (points + 1)",
        ),
        ("", "min(points, pow2(cap - 1))", "min(points, 16)"),
        (
            "cap=7",
            "points * if(self-draw and (all or mode is fast), cap, ten)",
            "points * if(self-draw, 7, 14)",
        ),
        (
            "mode=slow",
            "points * if(self-draw and mode is not slow, 2, 1)",
            "points",
        ),
        ("", "if(rich or all, points, 0)", "if(rich, points, 0)"),
        ("", "points * if(all, 2, 1) + if(all, 3, 0)", "points"),
        ("", "points * (players - 1)", "points * 3"),
        ("", "if(players == 3 and self-draw, 2, points)", "points"),
        (
            "",
            "if(gave or not all and self-draw, points, 0)",
            "if(gave or self-draw, points, 0)",
        ),
    ] {
        assert_eq!(shown(set, text), want, "{text} with {set}");
    }
}

/// `if` knows the number of players, whether an option decides it or not.
#[test]
fn what_is_there_may_depend_on_the_players() {
    let has = |parent: &str, set: &str| {
        let text = format!(
            "[ruleset]\nid = \"my\"\nextends = \"{parent}\"\n\
             [patterns.z]\nif = \"players == 3\"\nhan = 1\nwhen = \"winner and players == 3\"\n"
        );
        let text = match parent {
            "uzje" => text.replace("han = 1", "fan = 1.0"),
            _ => text,
        };
        let options: Vec<_> = set
            .split_whitespace()
            .map(|one| ruleset::parse_option(one).unwrap())
            .collect();
        let rules = ruleset::Source::text("my.toml", text)
            .load(&options)
            .unwrap();
        let mut patterns = rules.plan().score().patterns().iter();
        patterns.any(|one| one.id == "z")
    };
    assert!(has("riichi-sanma", ""));
    assert!(!has("riichi-mcgill", ""));
    assert!(has("uzje", "players=3"));
    assert!(!has("uzje", "players=5"));
    let error = fault("[ruleset.players]\nis = 4\nif = \"players == 4\"");
    assert!(error.contains("`players` is not known here"), "{error}");
}

/// A row without `on` is one fault, not two.
#[test]
fn a_faulty_row_is_not_missed_as_well() {
    let text = "[settlement]\nfamily = \"rows\"\n[payments.win]\namount = \"points\"\n";
    let told = fault(text);
    assert!(told.contains("[payments.win] has no `on`"), "{told}");
    assert!(!told.contains("needs a row"), "{told}");
}

/// In conditions `flower` is every flower, so a row of that name stands alone.
#[test]
fn a_row_of_some_flowers_is_not_called_flower() {
    // The row is inherited.
    let told = fault("[aside.animal]\ntiles = \"glnu\"\ndealt = \"own-turn\"\n");
    assert!(
        told.contains("in conditions `flower` is every flower")
            && told.contains("switch an inherited row off with `aside.flower.enabled = false`"),
        "{told}"
    );
}

/// Two rows in place of the parent's row of all flowers.
#[test]
fn two_rows_of_flowers_take_the_place_of_an_inherited_one() {
    let rows = "aside.flower.enabled = false\n[aside.plant]\ntiles = \"opqr\"\n[aside.season]\ntiles = \"hijk\"\n";
    let text = format!("ruleset = {{ id = \"my\", extends = \"chinese\" }}\n{rows}");
    let with_flag =
        format!("{text}[flags.after-flower]\nwhen = \"replaced(plant) or replaced(season)\"\n");
    let over = |parent: &str, text: &str| {
        let text = text.replace("chinese", parent);
        Rules::from_toml("my.toml", &text).map_err(|error| error.to_string())
    };
    over("hong-kong-old-style", &with_flag).unwrap();
    let told = over("hong-kong-old-style", &text).unwrap_err();
    assert!(
        told.contains("no row of [aside] `flower`; expected one of `plant`, `season`"),
        "{told}"
    );
}

/// A condition that is not understood is told, and not those that use it; a circle is told once.
#[test]
fn what_follows_from_a_faulty_condition_is_not_told() {
    for (lines, told) in [
        // `foo` is no class.
        (
            "foo = \"suits == 1\"\nbar = \"has(foo)\"\n",
            &["my.toml:6:12: no class `foo`"][..],
        ),
        (
            "foo = \"suitss == 1\"\nbar = \"foo and winner\"\n",
            &["my.toml:5:8: no fact `suitss`; did you mean `suits`?"],
        ),
        (
            "a = \"b and suits == 1\"\nb = \"c\"\nc = \"dd\"\ne = \"a\"\n",
            &["my.toml:7:6: no fact `dd`"],
        ),
        (
            "e = \"a\"\na = \"b\"\nb = \"c\"\nc = \"a\"\n",
            &["my.toml:6:1: the meaning of `a` depends on `a`"],
        ),
        (
            "a = \"suits == 1 and a\"\nx = \"y\"\ny = \"x\"\nz = \"a and x\"\n",
            &[
                "my.toml:5:1: the meaning of `a` depends on `a`",
                "my.toml:6:1: the meaning of `x` depends on `x`",
            ],
        ),
        (
            "a_b = \"self-draw\"\nc = \"suitss == 1\"\nd = \"c\"\nf = \"suits == 1\"\ng = \"dd\"\n",
            &[
                "my.toml:5:1: `conditions.a_b` must be named",
                "my.toml:6:6: no fact `suitss`",
                "my.toml:9:6: no fact `dd`",
            ],
        ),
    ] {
        let all = fault(&format!("[conditions]\n{lines}"));
        let found: Vec<&str> = all.lines().collect();
        assert_eq!(found.len(), told.len(), "{all}");
        for (found, told) in found.into_iter().zip(told) {
            assert!(found.starts_with(told), "{found} / {told}");
        }
    }
    // A class may be called like a condition.
    woo("[tiles.classes]\nfew = \"1t\"\n[conditions]\nmany = \"few and suits == 1\"\nfew = \"winner and has(few)\"\n[patterns.p]\nbase = 2\nwhen = \"many\"\n").unwrap();
}

/// The letters of suits are told wherever a condition or form names tiles by others.
#[test]
fn tiles_with_a_letter_of_no_suit_are_told_the_letters() {
    let expected = |tiles: &str| {
        format!("expected a class or tiles (suits are `t`, `s` and `m`), found `{tiles}`")
    };
    for (lines, at, tiles) in [
        ("[conditions]\nx = \"has(1p)\"\n", "5:10: ", "1p"),
        ("[conditions]\nx = \"aside(12z) >= 1\"\n", "5:12: ", "12z"),
        (
            "[forms.x]\ngroups = \"each 123p, group\"\n",
            "5:16: ",
            "123p",
        ),
    ] {
        let told = fault(lines);
        let want = format!("my.toml:{at}{}", expected(tiles));
        assert!(told.starts_with(&want), "{told}");
    }
}
