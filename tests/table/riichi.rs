//! Riichi on walls laid by hand: riichi, furiten, swap-calling, kans and their indicators, abortive draws,
//! responsibility, the end of a game. Source: `rulesets/riichi-mcgill.md` §3 to §7.

use crate::common::rigged::{Played, act, drawn, held, idle, kind, one_deal, play, tiles, wall};
use paishan::game::{Deal, Ending, Match};
use paishan::log::Line;
use paishan::random::Stream;
use paishan::ruleset::{OptionValue, PlayedDeal, Standing};
use paishan::state::{AbortiveDraw, Action, Legal, Phase, Way};
use paishan::{Notation, Player, Rules, Ruleset, Seat, Tile, Wall};

fn riichi(options: &[(&str, OptionValue)]) -> Rules {
    one_deal("riichi-mcgill", options)
}

/// Tiles of a text in which a `?` stands for any that is left.
fn with_gaps(text: &str) -> Vec<Option<Tile>> {
    text.split_inclusive('?')
        .flat_map(|part| {
            let named = tiles(part.trim_end_matches('?')).into_iter().map(Some);
            named
                .chain(part.ends_with('?').then_some(None))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// What lies where in a deal: hands, draws, replacements, and indicators from the first on, each with the
/// tile under it. Hands are filled up, and everything else is laid, with what is left in an order that
/// helps nobody.
#[derive(Default)]
struct Laid<'a> {
    hands: [&'a str; 4],
    front: &'a str,
    back: &'a str,
    turned: &'a [&'a str],
}

impl Laid<'_> {
    fn wall(&self, rules: &dyn Ruleset) -> Wall {
        let mut hands = self.hands.map(with_gaps);
        for hand in &mut hands {
            hand.resize(13, None);
        }
        // The reserve begins with the fifth indicator; the first lies before the replacements.
        let place = |place| with_gaps(self.turned.get(place).copied().unwrap_or("??"));
        let dead: Vec<Option<Tile>> = (0..5).rev().flat_map(place).collect();
        let mut lists: Vec<Vec<Option<Tile>>> = hands.into_iter().collect();
        lists.extend([with_gaps(self.front), with_gaps(self.back), dead]);
        let mut left: Vec<Tile> = rules.plan().tiles().iter().collect();
        for tile in lists.iter().flatten().flatten() {
            let place = left.iter().position(|other| other == tile);
            left.swap_remove(place.unwrap_or_else(|| panic!("no {tile} is left")));
        }
        Stream::new(3, 3).shuffle(&mut left);
        let mut fill = |tile: Option<Tile>| tile.or_else(|| left.pop()).unwrap();
        let texts: Vec<String> = lists
            .into_iter()
            .map(|list| Notation::Ujmj.print(list.into_iter().map(&mut fill)))
            .collect();
        let hands: [&str; 4] = std::array::from_fn(|seat| texts[seat].as_str());
        wall(rules, hands, &texts[4], &texts[5], &texts[6])
    }

    /// The whole deal; who has no plan throws what he draws and passes.
    fn play(&self, rules: &Rules, plan: &[(char, Action)]) -> Played {
        play(rules.clone(), self.wall(rules), plan)
    }

    /// The deal as it is once these have done what they plan, and a seat must decide: on its turn, or
    /// as soon as it is asked.
    fn until<'r>(
        &self,
        rules: &'r dyn Ruleset,
        plan: &[(char, Action)],
        (who, on_turn): (char, bool),
    ) -> Deal<&'r dyn Ruleset> {
        let series = Match::with_dealer(rules, 1, Player::FIRST);
        let setup = series.state().setup_with(self.wall(rules));
        let mut deal = Deal::start(rules, setup);
        let mut plan = plan.iter().peekable();
        while let Some(seat) = deal.state().deciding().next() {
            let mut action = idle(&deal, seat);
            match plan.peek() {
                Some((letter, planned))
                    if *letter == seat.letter() && deal.legal(seat).contains(*planned) =>
                {
                    action = *planned;
                    plan.next();
                }
                None if seat.letter() == who && (!on_turn || is_turn(&deal)) => return deal,
                _ => {}
            }
            deal.act(seat, action).unwrap();
        }
        panic!("{who} never decides; left over: {:?}", plan.next());
    }
}

fn is_turn(deal: &Deal<&dyn Ruleset>) -> bool {
    matches!(deal.state().phase(), Phase::Turn(_))
}

fn legal<'a>(deal: &'a Deal<&dyn Ruleset>, seat: char) -> &'a Legal {
    deal.legal(Seat::from_letter(seat).unwrap())
}

/// True when the deal waits for South to answer a tile that he may win off.
fn south_may_win(deal: &Deal<&dyn Ruleset>) -> bool {
    !is_turn(deal) && legal(deal, 'S').contains(Action::Win)
}

/// Kinds that may be discarded.
fn discards(legal: &Legal) -> String {
    legal
        .discard_kinds()
        .iter()
        .map(|kind| kind.to_string())
        .collect()
}

fn yakus(played: &Played) -> Vec<(String, i64)> {
    let found = played.lines.iter().find_map(|line| match line {
        Line::Hora(hora) => Some(
            hora.yakus
                .iter()
                .flatten()
                .map(|(id, value)| (id.clone(), value.tenths() / 10))
                .collect(),
        ),
        _ => None,
    });
    found.expect("somebody won")
}

fn position(played: &Played, wanted: impl Fn(&Line) -> bool) -> usize {
    played.lines.iter().position(wanted).expect("such a line")
}

/// East waits for 3 and 6 of mans, without his wind as the pair.
const READY: &str = "123t456t789s45m88s";

fn ids(played: &Played) -> Vec<String> {
    yakus(played).into_iter().map(|(id, _)| id).collect()
}

fn count(played: &Played, id: &str) -> i64 {
    yakus(played)
        .iter()
        .filter(|(known, _)| known == id)
        .map(|(_, value)| value)
        .sum()
}

#[test]
fn riichi_pays_when_its_discard_passes() {
    let rules = riichi(&[]);
    let laid = Laid {
        hands: [READY, "3m", "", ""],
        front: "N",
        turned: &["5m1t"],
        ..Laid::default()
    };
    // Declared with the first discard; South gives the tile at once.
    let plan = [
        ('E', Action::Riichi),
        ('E', drawn("N")),
        ('S', held("3m")),
        ('E', Action::Win),
    ];
    let played = laid.play(&rules, &plan);
    assert_eq!(played.flags(), ["riichi", "double-riichi", "ippatsu"]);
    assert_eq!(
        ids(&played),
        ["double-riichi", "ippatsu", "pinfu", "ura-dora"]
    );
    let accepted = position(&played, |line| {
        matches!(line, Line::ReachAccepted { actor: 0, .. })
    });
    // The decisions about the discard, if there are any, stand after it.
    assert!(matches!(
        played.lines[accepted - 1],
        Line::Dahai { actor: 0, .. }
    ));
    // The deposit comes back with the win.
    assert_eq!(played.outcome.settlement.deposits, Some((Seat::EAST, 1000)));
    assert_eq!(played.deltas.iter().sum::<i64>(), 1000);
}

#[test]
fn a_discard_that_is_won_off_declares_nothing() {
    let rules = riichi(&[]);
    let laid = Laid {
        hands: [READY, "", "34m678t222tCCC99s", ""],
        front: "2m",
        ..Laid::default()
    };
    let plan = [
        ('E', Action::Riichi),
        ('E', drawn("2m")),
        ('W', Action::Win),
    ];
    let played = laid.play(&rules, &plan);
    assert_eq!(played.count(|line| matches!(line, Line::Reach { .. })), 1);
    assert_eq!(
        played.count(|line| matches!(line, Line::ReachAccepted { .. })),
        0
    );
    assert_eq!(played.deltas.iter().sum::<i64>(), 0);
    // Nothing was drawn by West and nothing claimed: the gift of man.
    assert_eq!(ids(&played), ["gift-of-man"]);
}

fn laid_until_riichi<'r>(laid: &Laid<'_>, rules: &'r dyn Ruleset) -> Deal<&'r dyn Ruleset> {
    laid.until(rules, &[('E', Action::Riichi)], ('E', true))
}

#[test]
fn who_may_declare_riichi() {
    let may = |options: &[(&str, OptionValue)], laid: &Laid<'_>, plan: &[(char, Action)]| {
        let rules = riichi(options);
        let deal = laid.until(&rules, plan, ('E', true));
        legal(&deal, 'E').contains(Action::Riichi)
    };
    let laid = Laid {
        hands: [READY, "", "", ""],
        front: "N",
        ..Laid::default()
    };
    assert!(may(&[], &laid, &[]));
    assert!(!may(&[("riichi-points", 25_001.into())], &laid, &[]));
    assert!(may(&[("riichi-points", 25_000.into())], &laid, &[]));
    // The dealer has drawn: 69 draws are left.
    assert!(!may(&[("riichi-live-tiles", 70.into())], &laid, &[]));
    assert!(may(&[("riichi-live-tiles", 69.into())], &laid, &[]));
    // An open hand may not, a concealed kan leaves it closed.
    let open = Laid {
        hands: ["123t456t789s4m8sPP", "P", "", ""],
        front: "NN???8s",
        ..Laid::default()
    };
    let plan = [
        ('E', drawn("N")),
        ('S', held("P")),
        ('E', act("pon PPP")),
        ('E', held("4m")),
    ];
    assert!(!may(&[], &open, &plan));
    let kan = Laid {
        hands: ["123t789s45m88sPPP", "", "", ""],
        front: "P",
        back: "N",
        ..Laid::default()
    };
    assert!(may(&[], &kan, &[('E', Action::ConcealedKong(kind("P")))]));
    // Ready for nothing but a tile of which the hand has all four.
    let empty = Laid {
        hands: ["123t456t789s4444m", "", "", ""],
        front: "N",
        ..Laid::default()
    };
    for karaten in [true, false] {
        let rules = riichi(&[("karaten", karaten.into())]);
        let deal = laid_until_riichi(&empty, &rules);
        assert_eq!(discards(legal(&deal, 'E')).contains('N'), karaten);
    }
    // Furiten.
    let thrown = Laid {
        hands: [READY, "", "", ""],
        front: "6m???N",
        ..Laid::default()
    };
    assert!(may(&[], &thrown, &[('E', drawn("6m"))]));
    assert!(!may(
        &[("furiten-riichi", false.into())],
        &thrown,
        &[('E', drawn("6m"))]
    ));
}

#[test]
fn the_riichi_discard_keeps_the_hand_ready_and_then_it_is_bound() {
    let rules = riichi(&[]);
    let laid = Laid {
        hands: ["123t456t789s45m8s9m", "", "", ""],
        front: "8s???7m",
        ..Laid::default()
    };
    let deal = laid.until(&rules, &[('E', Action::Riichi)], ('E', true));
    assert_eq!(discards(legal(&deal, 'E')), "9m");
    assert_eq!(legal(&deal, 'E').len(), 1);
    let deal = laid.until(
        &rules,
        &[('E', Action::Riichi), ('E', held("9m"))],
        ('E', true),
    );
    assert_eq!(legal(&deal, 'E').iter().collect::<Vec<_>>(), [drawn("7m")]);
}

#[test]
fn kans_in_riichi() {
    let may = |option: &str, hand: &str, fourth: &str| {
        let rules = riichi(&[("kan-after-riichi", option.into())]);
        let front = format!("N???{fourth}");
        let laid = Laid {
            hands: [hand, "", "", ""],
            front: &front,
            ..Laid::default()
        };
        let deal = laid.until(
            &rules,
            &[('E', Action::Riichi), ('E', drawn("N"))],
            ('E', true),
        );
        legal(&deal, 'E').contains(Action::ConcealedKong(kind(fourth)))
    };
    // Honors beside a wait that has nothing to do with them.
    assert!(may("same-shape", "123t456t45m88sPPP", "P"));
    assert!(!may("none", "123t456t45m88sPPP", "P"));
    // 222 3 m waits for 3, 1 and 4: with four 2 the last two are gone.
    assert!(!may("same-waits", "123t456t789s2223m", "2m"));
    // 111 222 333 t may be three runs: the waits stay, the shape does not.
    assert!(!may("same-shape", "111222333t45m88s", "2t"));
    assert!(
        may("same-waits", "111222333t45m88s", "1t") || !may("same-shape", "111222333t45m88s", "1t")
    );
}

#[test]
fn who_discarded_a_wait_wins_with_drawn_tiles_alone() {
    let rules = riichi(&[]);
    // East has thrown a 6m: the 3m of South is not his, one that he draws is.
    let laid = Laid {
        hands: [READY, "3m", "", ""],
        front: "6m???9m???3m",
        ..Laid::default()
    };
    let plan = [
        ('E', drawn("6m")),
        ('E', Action::Riichi),
        ('E', drawn("9m")),
        ('S', held("3m")),
        ('E', Action::Win),
    ];
    let played = laid.play(&rules, &plan);
    assert_eq!(played.ways, [Way::Wall]);
    assert_eq!(played.flags(), ["riichi", "ippatsu"]);
}

#[test]
fn who_passes_on_a_win_wins_off_nobody_until_he_draws() {
    let rules = riichi(&[]);
    let south = "123t456t789t45m88s";
    let asked = |laid: &Laid<'_>, plan: &[(char, Action)]| {
        south_may_win(&laid.until(&rules, plan, ('S', false)))
    };
    let laid = Laid {
        hands: ["3m", south, "6m", ""],
        front: "?N",
        ..Laid::default()
    };
    // His own draw comes before West's discard.
    let plan = [
        ('E', held("3m")),
        ('S', Action::Pass),
        ('S', drawn("N")),
        ('W', held("6m")),
    ];
    assert!(asked(&laid, &plan));
    // North pungs the 3m that he has passed on: he has not drawn when North throws a 6m.
    let laid = Laid {
        hands: ["3m", south, "", "33m6m"],
        ..Laid::default()
    };
    let plan = [
        ('E', held("3m")),
        ('S', Action::Pass),
        ('N', act("pon 333m")),
        ('N', held("6m")),
    ];
    assert!(!asked(&laid, &plan));
    // Without the first he may.
    let laid = Laid {
        hands: ["9m", south, "", "99m6m"],
        ..Laid::default()
    };
    let plan = [('E', held("9m")), ('N', act("pon 999m")), ('N', held("6m"))];
    assert!(asked(&laid, &plan));
}

#[test]
fn a_claim_ends_a_pass_where_the_option_says_so() {
    // South passes on a 3m, pungs an 8s before drawing, and then waits for 5m with a straight.
    let laid = Laid {
        hands: ["3m", "123t456t789t45m88s", "5m", "33m8s"],
        ..Laid::default()
    };
    let plan = [
        ('E', held("3m")),
        ('S', Action::Pass),
        ('N', act("pon 333m")),
        ('N', held("8s")),
        ('S', act("pon 888s")),
        ('S', held("4m")),
        ('W', held("5m")),
    ];
    for (option, may) in [("draw", false), ("discard", true)] {
        let rules = riichi(&[("temporary-furiten-until", option.into())]);
        let deal = laid.until(&rules, &plan, ('S', false));
        assert_eq!(south_may_win(&deal), may, "{option}");
    }
}

#[test]
fn a_tile_without_a_yaku_is_passed_where_the_option_says_so() {
    // South's 6m has no yaku, his 3m makes three colours.
    let laid = Laid {
        hands: ["6m", "345t345s789s45mPP", "", "66m3m"],
        ..Laid::default()
    };
    let plan = [('E', held("6m")), ('N', act("pon 666m")), ('N', held("3m"))];
    for (option, may) in [("legal-win", true), ("any-wait", false)] {
        // The first discard of all would be the gift of man.
        let no_gift = ("gift-of-man", "none".into());
        let rules = riichi(&[("temporary-furiten", option.into()), no_gift]);
        let deal = laid.until(&rules, &plan, ('S', false));
        assert_eq!(south_may_win(&deal), may, "{option}");
    }
}

#[test]
fn who_passes_in_riichi_wins_off_nobody_any_more() {
    let laid = Laid {
        hands: ["", "123t456t789t45m88s", "3m6m", ""],
        front: "?N???E",
        ..Laid::default()
    };
    let plan = [
        ('S', Action::Riichi),
        ('S', drawn("N")),
        ('W', held("3m")),
        ('S', Action::Pass),
        ('S', drawn("E")),
        ('W', held("6m")),
    ];
    for (option, may) in [("rest-of-deal", false), ("until-draw", true)] {
        let rules = riichi(&[("riichi-pass", option.into())]);
        let deal = laid.until(&rules, &plan, ('S', false));
        assert_eq!(south_may_win(&deal), may, "{option}");
    }
}

#[test]
fn what_may_be_discarded_after_a_claim() {
    let laid = Laid {
        hands: ["4m", "1234m99t", "", ""],
        ..Laid::default()
    };
    for (option, forbidden) in [
        ("forbidden", "1m4m"),
        ("same-tile-forbidden", "4m"),
        ("allowed", ""),
    ] {
        let rules = riichi(&[("swap-call", option.into())]);
        let claim = act("chi 234m");
        let deal = laid.until(&rules, &[('E', held("4m")), ('S', claim)], ('S', true));
        let may = discards(legal(&deal, 'S'));
        for tile in ["1m", "4m"] {
            assert_eq!(
                may.contains(tile),
                !forbidden.contains(tile),
                "{option} {tile}"
            );
        }
    }
}

#[test]
fn red_fives_are_chosen_in_claims() {
    let rules = riichi(&[]);
    let offered = |hands: [&str; 4], given: &str| {
        let laid = Laid {
            hands,
            ..Laid::default()
        };
        let deal = laid.until(&rules, &[('E', held(given))], ('S', false));
        assert!(!is_turn(&deal));
        let claims = legal(&deal, 'S')
            .iter()
            .filter(|action| matches!(action, Action::Claim(tiles) if tiles.group().len() == 3));
        claims.collect::<Vec<_>>()
    };
    assert_eq!(
        offered(["5t", "R55t", "", ""], "5t"),
        [act("pon 555t"), act("pon R55t")]
    );
    assert_eq!(offered(["5t", "R5t", "", ""], "5t"), [act("pon R55t")]);
    let both = [act("chi 456t"), act("chi 4R6t")];
    let all = offered(["6t", "4R55tESWNCFP", "", ""], "6t");
    assert!(both.iter().all(|claim| all.contains(claim)));
    let red = offered(["6t", "4RtESWNCFP", "", ""], "6t");
    assert!(!red.contains(&both[0]) && red.contains(&both[1]));
}

/// What is turned when, as the kinds of lines from the kan on.
fn after_kan(played: &Played) -> Vec<&'static str> {
    let is_kan = |line: &Line| {
        matches!(
            line,
            Line::Ankan { .. } | Line::Daiminkan { .. } | Line::Kakan { .. }
        )
    };
    let from = position(played, is_kan);
    let name = |line: &Line| match line {
        Line::Dora { .. } => Some("dora"),
        Line::Tsumo { .. } => Some("tsumo"),
        Line::Dahai { .. } => Some("dahai"),
        Line::Hora { .. } => Some("hora"),
        _ => None,
    };
    played.lines[from..]
        .iter()
        .filter_map(name)
        .take(3)
        .collect()
}

#[test]
fn indicators_of_kans_are_turned_in_their_time() {
    let concealed = Laid {
        hands: ["PPP", "", "", ""],
        front: "P",
        back: "N",
        ..Laid::default()
    };
    let concealed_plan = [('E', Action::ConcealedKong(kind("P"))), ('E', drawn("N"))];
    let open = Laid {
        hands: ["PPP", "P", "", ""],
        back: "N",
        ..Laid::default()
    };
    let open_plan = [
        ('S', held("P")),
        ('E', act("daiminkan PPPP")),
        ('E', drawn("N")),
    ];
    let added = Laid {
        hands: ["PP1m", "P", "", ""],
        front: "?????P",
        back: "N",
        ..Laid::default()
    };
    let added_plan = [
        ('S', held("P")),
        ('E', act("pon PPP")),
        ('E', held("1m")),
        ('E', Action::AddedKong(kind("P"))),
        ('E', drawn("N")),
    ];
    let kans = [
        ("kan-dora-concealed", &concealed, &concealed_plan[..]),
        ("kan-dora-open", &open, &open_plan),
        ("kan-dora-added", &added, &added_plan),
    ];
    for (option, laid, plan) in kans {
        for (time, lines) in [
            ("at-once", ["dora", "tsumo", "dahai"]),
            ("after-discard", ["tsumo", "dahai", "dora"]),
        ] {
            let played = laid.play(&riichi(&[(option, time.into())]), plan);
            assert_eq!(after_kan(&played), lines, "{option} {time}");
        }
        let none = laid.play(&riichi(&[("kan-dora", false.into())]), plan);
        assert_eq!(none.count(|line| matches!(line, Line::Dora { .. })), 0);
    }
}

#[test]
fn a_win_with_the_replacement_turns_the_indicator_first() {
    // East adds the fourth P and draws 3m: the next indicator makes 8s dora.
    let laid = Laid {
        hands: ["123t456t45m88sPP1m", "P", "", ""],
        front: "?????P",
        back: "3m",
        turned: &["9s9s", "7s9s"],
    };
    let plan = [
        ('S', held("P")),
        ('E', act("pon PPP")),
        ('E', held("1m")),
        ('E', Action::AddedKong(kind("P"))),
        ('E', Action::Win),
    ];
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(after_kan(&played), ["tsumo", "dora", "hora"]);
    assert_eq!(
        (ids(&played)[..2].join(" "), count(&played, "dora")),
        ("white-dragon win-off-a-kan-replacement".to_owned(), 2)
    );
    let played = laid.play(
        &riichi(&[("kan-dora-replacement-win", false.into())]),
        &plan,
    );
    assert_eq!(
        (after_kan(&played), count(&played, "dora")),
        (vec!["tsumo", "hora"], 0)
    );
}

#[test]
fn a_win_with_the_replacement_of_an_open_kan_is_paid_by_its_feeder() {
    let laid = Laid {
        hands: ["123t456t45m88sPPP", "P", "", ""],
        back: "3m",
        ..Laid::default()
    };
    let plan = [
        ('S', held("P")),
        ('E', act("daiminkan PPPP")),
        ('E', Action::Win),
    ];
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(played.ways, [Way::Replacement]);
    assert!(played.deltas[0] > 0 && played.deltas[1] == -played.deltas[0]);
    assert!(played.lines.iter().any(|line| matches!(
        line,
        Line::Hora(hora) if (hora.actor, hora.target) == (0, 0)
    )));
    let played = laid.play(
        &riichi(&[("responsibility-kan-replacement", false.into())]),
        &plan,
    );
    assert!(played.deltas[1..].iter().all(|delta| *delta < 0));
}

/// Whoever fed the third of four kans does not answer for a fourth that was added later. Source: §6.
#[test]
fn an_added_fourth_kan_makes_nobody_responsible() {
    let deltas = |back: &str, plan: &[(char, Action)]| {
        let laid = Laid {
            hands: ["11s999s999t111m5sN", "1s1m", "9s", "9t"],
            back,
            ..Laid::default()
        };
        laid.play(&riichi(&[]), plan).deltas
    };
    let pon = [('S', held("1s")), ('E', act("pon 111s")), ('E', held("N"))];
    let kan = |from, tile: &str| {
        let kong = paishan::Group::kong(kind(tile));
        [(from, held(tile)), ('E', Action::claim(kong))]
    };
    let added = [('E', Action::AddedKong(kind("1s")))];
    let win = [('E', Action::Win)];
    let throws = |tile| [('E', drawn(tile))];
    let [first, second, third] = [kan('W', "9s"), kan('N', "9t"), kan('S', "1m")];
    let parts: [&[_]; 8] = [
        &pon,
        &first,
        &throws("2t"),
        &second,
        &throws("3t"),
        &third,
        &added,
        &win,
    ];
    let last = deltas("2t3t1s5s", &parts.concat());
    assert_eq!(last, [48_000, -16_000, -16_000, -16_000]);
    let parts: [&[_]; 8] = [
        &pon,
        &first,
        &added,
        &throws("2t"),
        &second,
        &throws("3t"),
        &third,
        &win,
    ];
    let earlier = deltas("1s2t3t5s", &parts.concat());
    assert_eq!(earlier, [48_000, -48_000, 0, 0]);
}

#[test]
fn an_added_red_five_is_robbed() {
    let rules = riichi(&[]);
    let laid = Laid {
        hands: ["55m1m", "678t345s678s34m22t", "5m", ""],
        front: "??????Rm",
        turned: &["NN"],
        ..Laid::default()
    };
    let plan = [
        ('W', held("5m")),
        ('E', act("pon 555m")),
        ('S', Action::Pass),
        ('E', held("1m")),
        ('E', Action::AddedKong(kind("5m"))),
        ('S', Action::Win),
    ];
    let played = laid.play(&rules, &plan);
    assert_eq!(played.ways, [Way::RobbedKong]);
    assert_eq!(
        ids(&played),
        ["pinfu", "all-simples", "robbed-kan", "red-five"]
    );
    // The kan is none: no replacement, no indicator, and its pung stays.
    assert_eq!(played.count(|line| matches!(line, Line::Dora { .. })), 0);
    assert!(played.hands[0].ends_with(" 555m"), "{}", played.hands[0]);
}

#[test]
fn a_concealed_kan_is_robbed_by_thirteen_orphans_alone() {
    let laid = Laid {
        hands: ["PPP", "19t19s19mEESWNCF", "", ""],
        front: "P",
        ..Laid::default()
    };
    let kan = ('E', Action::ConcealedKong(kind("P")));
    let played = laid.play(&riichi(&[]), &[kan, ('S', Action::Win)]);
    assert_eq!(played.ways, [Way::RobbedKong]);
    assert_eq!(ids(&played), ["thirteen-orphans"]);
    let strict = riichi(&[("rob-concealed-kan", "none".into())]);
    let deal = laid.until(&strict, &[kan], ('S', false));
    assert!(is_turn(&deal));
}

fn aborted(played: &Played) -> Option<AbortiveDraw> {
    match played.outcome.ending {
        Ending::Aborted(draw, _) => Some(draw),
        _ => None,
    }
}

#[test]
fn nine_orphans_may_be_declared_in_the_first_turn() {
    let laid = Laid {
        hands: ["19t19s19mESW2345t", "", "", ""],
        front: "2m",
        ..Laid::default()
    };
    let played = laid.play(&riichi(&[]), &[('E', Action::NineOrphans)]);
    assert_eq!(aborted(&played), Some(AbortiveDraw::NineOrphans));
    let shown: Vec<bool> = played
        .lines
        .iter()
        .find_map(|line| match line {
            Line::Ryukyoku {
                actor: Some(0),
                tehais: Some(tehais),
                ..
            } => Some(tehais.iter().map(|hand| hand[0] != "?").collect()),
            _ => None,
        })
        .unwrap();
    assert_eq!(shown, [true, false, false, false]);
    let may = |rules: &Rules, laid: &Laid<'_>, plan: &[(char, Action)]| {
        let deal = laid.until(rules, plan, ('E', true));
        legal(&deal, 'E').contains(Action::NineOrphans)
    };
    assert!(!may(
        &riichi(&[("nine-orphans-draw", false.into())]),
        &laid,
        &[]
    ));
    let eight = Laid {
        hands: ["19t19s19mES22345t", "", "", ""],
        front: "2m",
        ..Laid::default()
    };
    assert!(!may(&riichi(&[]), &eight, &[]));
    // Not in the second turn.
    let later = Laid {
        front: "2m???3m",
        ..laid
    };
    assert!(!may(&riichi(&[]), &later, &[('E', drawn("2m"))]));
}

#[test]
fn four_equal_winds_are_a_draw() {
    let laid = Laid {
        hands: ["W", "W", "W", "W"],
        ..Laid::default()
    };
    let plan = ['E', 'S', 'W', 'N'].map(|seat| (seat, held("W")));
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(aborted(&played), Some(AbortiveDraw::FourWinds));
    assert_eq!(played.deltas, [0; 4]);
    let played = laid.play(&riichi(&[("four-winds-draw", false.into())]), &plan);
    assert_eq!(aborted(&played), None);
}

#[test]
fn four_riichi_are_a_draw_and_their_deposits_stay() {
    let laid = Laid {
        hands: [
            "111222333t11s23s",
            "444666777t44s56s",
            "111222333m88s67s",
            "444666777m99s78s",
        ],
        front: "ESWN",
        ..Laid::default()
    };
    let plan: Vec<(char, Action)> = ['E', 'S', 'W', 'N']
        .into_iter()
        .flat_map(|seat| [(seat, Action::Riichi), (seat, drawn(&seat.to_string()))])
        .collect();
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(aborted(&played), Some(AbortiveDraw::FourRiichi));
    assert_eq!(
        played.count(|line| matches!(line, Line::ReachAccepted { .. })),
        4
    );
    let tenpais = played.lines.iter().find_map(|line| match line {
        Line::Ryukyoku { tenpais, .. } => tenpais.clone(),
        _ => None,
    });
    assert_eq!(tenpais, Some(vec![true; 4]));
    // The game ends here: the first by seat takes what lies on the table.
    let end = |played: &Played| match played.lines.last() {
        Some(Line::EndGame { scores, .. }) => scores
            .iter()
            .map(|score| score.tenths() / 10)
            .collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    assert_eq!(end(&played), [28_000, -1_000, -11_000, -16_000]);
    let played = laid.play(&riichi(&[("leftover-deposits", "lost".into())]), &plan);
    assert_eq!(end(&played), [24_000, -1_000, -11_000, -16_000]);
    let played = laid.play(&riichi(&[("four-riichi-draw", false.into())]), &plan);
    assert_eq!(aborted(&played), None);
}

#[test]
fn several_wins_off_one_tile() {
    let laid = Laid {
        hands: [
            "3m",
            "111222333t45mCC",
            "111222333s45mFF",
            "777888999s45mPP",
        ],
        ..Laid::default()
    };
    let three = [
        ('E', held("3m")),
        ('S', Action::Win),
        ('W', Action::Win),
        ('N', Action::Win),
    ];
    let winners = |options: &[(&str, OptionValue)], plan: &[(char, Action)]| {
        let played = laid.play(&riichi(options), plan);
        let seats = played.outcome.wins().iter().map(|(seat, _)| seat.letter());
        (seats.collect::<String>(), aborted(&played))
    };
    assert_eq!(
        winners(&[], &three),
        (String::new(), Some(AbortiveDraw::ThreeWins))
    );
    assert_eq!(
        winners(&[("triple-ron", "nearest".into())], &three),
        ("S".to_owned(), None)
    );
    assert_eq!(
        winners(&[("triple-ron", "all".into())], &three),
        ("SWN".to_owned(), None)
    );
    let two = [
        ('E', held("3m")),
        ('S', Action::Pass),
        ('W', Action::Win),
        ('N', Action::Win),
    ];
    assert_eq!(winners(&[], &two), ("W".to_owned(), None));
    assert_eq!(
        winners(&[("double-ron", true.into())], &two),
        ("WN".to_owned(), None)
    );
}

#[test]
fn four_kans_of_several_players_are_a_draw() {
    let laid = Laid {
        hands: ["PPPFFFCCC", "111m", "", ""],
        front: "P1m",
        back: "FCN9m",
        ..Laid::default()
    };
    let kan = |text| Action::ConcealedKong(kind(text));
    let plan = [
        ('E', kan("P")),
        ('E', kan("F")),
        ('E', kan("C")),
        ('E', drawn("N")),
        ('S', kan("1m")),
        ('S', drawn("9m")),
    ];
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(aborted(&played), Some(AbortiveDraw::FourKongs));
    // It comes with the discard after the fourth.
    assert!(played.count(|line| matches!(line, Line::Dahai { .. })) == 2);
    let played = laid.play(&riichi(&[("four-kans-draw", false.into())]), &plan);
    assert_eq!(aborted(&played), None);
}

#[test]
fn a_fifth_kan_ends_the_deal_at_once() {
    let laid = Laid {
        hands: ["PPPFFFCCCWWW", "111m", "", ""],
        front: "P1m",
        back: "FCWE",
        ..Laid::default()
    };
    let kan = |text| Action::ConcealedKong(kind(text));
    let four = [
        ('E', kan("P")),
        ('E', kan("F")),
        ('E', kan("C")),
        ('E', kan("W")),
        ('E', drawn("E")),
    ];
    let plan = [&four[..], &[('S', kan("1m"))]].concat();
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(aborted(&played), Some(AbortiveDraw::FourKongs));
    let fifth = position(&played, |line| matches!(line, Line::Ankan { actor: 1, .. }));
    assert!(matches!(played.lines[fifth + 1], Line::Ryukyoku { .. }));
    let without = riichi(&[("four-kans-draw", false.into())]);
    let deal = laid.until(&without, &four, ('S', true));
    assert!(!legal(&deal, 'S').contains(kan("1m")));
}

#[test]
fn ready_hands_and_discards_of_orphans_are_paid_at_the_end() {
    // Idle players throw what they draw; East's hand stays ready.
    let laid = Laid {
        hands: [READY, "", "", ""],
        ..Laid::default()
    };
    let played = laid.play(&riichi(&[]), &[]);
    assert_eq!(played.deltas, [3000, -1000, -1000, -1000]);
    let orphans = "ESWNCFPESWNCFPESWN";
    let front: String = orphans
        .chars()
        .map(|orphan| format!("{orphan}???"))
        .collect();
    let laid = Laid {
        hands: ["234t678t2468s246m", "", "", ""],
        front: &front[..front.len() - 2],
        ..Laid::default()
    };
    let played = laid.play(&riichi(&[]), &[]);
    assert_eq!(played.deltas, [12_000, -4000, -4000, -4000]);
    let reason = played.lines.iter().find_map(|line| match line {
        Line::Ryukyoku { reason, .. } => Some(reason.as_str()),
        _ => None,
    });
    assert_eq!(reason, Some("nagashimangan"));
    let played = laid.play(&riichi(&[("nagashi-mangan", false.into())]), &[]);
    assert!(played.deltas.iter().all(|delta| delta.abs() <= 3000));
}

#[test]
fn who_fed_the_third_dragon_answers() {
    let laid = Laid {
        hands: ["CCFFPP123t8s147m", "C", "F", "P"],
        front: "??????????8s",
        ..Laid::default()
    };
    let plan = [
        ('S', held("C")),
        ('E', act("pon CCC")),
        ('E', held("1m")),
        ('W', held("F")),
        ('E', act("pon FFF")),
        ('E', held("4m")),
        ('N', held("P")),
        ('E', act("pon PPP")),
        ('E', held("7m")),
        ('E', Action::Win),
    ];
    let played = laid.play(&riichi(&[]), &plan);
    assert_eq!(played.deltas, [48_000, 0, 0, -48_000]);
}

#[test]
fn the_eighth_win_of_the_dealer_is_a_limit_hand() {
    let rules = riichi(&[]);
    let laid = Laid {
        hands: [READY, "", "", ""],
        front: "9m???3m",
        ..Laid::default()
    };
    for (before, limit) in [(6, false), (7, true), (12, true)] {
        let series = Match::with_dealer(&rules, 1, Player::FIRST);
        let mut setup = series.state().setup_with(laid.wall(&rules));
        setup.dealer_wins = before;
        let mut deal = Deal::start(&rules, setup);
        while let Some(seat) = deal.state().deciding().next() {
            let action = if deal.legal(seat).contains(Action::Win) {
                Action::Win
            } else {
                idle(&deal, seat)
            };
            deal.act(seat, action).unwrap();
        }
        let score = deal.outcome().unwrap().settlement.scores[Seat::EAST]
            .clone()
            .unwrap();
        assert_eq!(score.points == 48_000, limit, "{before}");
    }
}

#[test]
fn who_deals_next_and_when_the_game_ends() {
    let player = |index| Player::new(index).unwrap();
    let rules = |options: &[(&str, OptionValue)]| {
        let set: Vec<_> = options
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        Rules::by_id_with("riichi-mcgill", &set).unwrap()
    };
    let drawn = |ready| PlayedDeal {
        dealer: player(3),
        winners: &[],
        exhausted: true,
        dealer_was_ready: ready,
        kongs: 0,
        dealer_ends: false,
    };
    for (option, ready, stays) in [
        ("tenpai", true, true),
        ("tenpai", false, false),
        ("win", true, false),
        ("draw", false, true),
    ] {
        let next = rules(&[("dealer-keeps-on", option.into())]).next_dealer(&drawn(ready));
        assert_eq!(next == player(3), stays, "{option} {ready}");
    }
    let abortive = PlayedDeal {
        exhausted: false,
        ..drawn(false)
    };
    assert_eq!(rules(&[]).next_dealer(&abortive), player(3));

    let fourth = [player(3)];
    let won = PlayedDeal {
        winners: &fourth,
        ..abortive
    };
    let over = |options: &[(&str, OptionValue)], played, rounds: (u32, u32), totals: [i64; 4]| {
        let by_itself = [options, &[("end-by-choice", false.into())]].concat();
        let standing = Standing {
            deals: 9,
            rounds: rounds.1,
            rounds_before: rounds.0,
            totals: &totals,
            first_dealer: player(0),
            played,
        };
        let is_over = rules(&by_itself).is_over(&standing);
        // Where the dealer chooses it is over if he ends it, and he may do so just where it would be.
        let by_choice = rules(options);
        assert_eq!(by_choice.dealer_may_end(&standing), is_over);
        let PlayedDeal { winners, .. } = played;
        let may_go_on = winners.contains(&played.dealer) || rounds.0 == rounds.1;
        if is_over && may_go_on && rounds == (1, 1) {
            assert!(!by_choice.is_over(&standing));
            let played = PlayedDeal {
                dealer_ends: true,
                ..played
            };
            assert!(by_choice.is_over(&Standing { played, ..standing }));
        }
        is_over
    };
    let leads = [10_000, 20_000, 30_000, 40_000];
    // The dealer of the last deal has won and leads.
    assert!(over(&[], won, (1, 1), leads));
    assert!(!over(&[], won, (0, 0), leads));
    assert!(!over(&[("agariyame", false.into())], won, (1, 1), leads));
    assert!(!over(&[("goal-points", 40_001.into())], won, (1, 1), leads));
    // With as many points another comes first by his seat.
    assert!(!over(&[], won, (1, 1), [40_000, 10_000, 10_000, 40_000]));
    // Being ready is not enough, but for the option.
    assert!(!over(&[], drawn(true), (1, 1), leads));
    assert!(over(
        &[("tenpaiyame", true.into())],
        drawn(true),
        (1, 1),
        leads
    ));
    assert!(!over(
        &[("tenpaiyame", true.into())],
        abortive,
        (1, 1),
        leads
    ));
    // The deal passes from the last dealer.
    let all_low = [25_000; 4];
    assert!(over(&[], drawn(false), (1, 2), all_low));
    let extra = [("extra-round", true.into())];
    assert!(!over(&extra, drawn(false), (1, 2), all_low));
    assert!(over(&extra, drawn(false), (1, 2), leads));
    assert!(over(&extra, won, (2, 2), leads));
    assert!(!over(&extra, won, (2, 2), all_low));
    assert!(over(&extra, drawn(false), (2, 3), all_low));
    let broke = [-100, 30_100, 35_000, 35_000];
    assert!(!over(&[], drawn(false), (0, 0), broke));
    assert!(over(
        &[("bankruptcy", true.into())],
        drawn(false),
        (0, 0),
        broke
    ));
    assert!(!over(
        &[("bankruptcy", true.into())],
        drawn(false),
        (0, 0),
        [0, 30_000, 35_000, 35_000]
    ));
}

#[test]
fn results_add_uma_and_oka_by_rank_and_seat() {
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let series = Match::new(&rules, 1);
    assert_eq!(series.state().results(), [25_000, 0, -10_000, -15_000]);
    assert_eq!(series.state().results().iter().sum::<i64>(), 0);
    assert_eq!(series.state().ranks(), [1, 2, 3, 4]);
}

/// The dealer who has won the last deal and leads may end the game or play on; nobody else is asked.
#[test]
fn the_dealer_who_leads_chooses_whether_the_game_ends() {
    use paishan::simulate::play;
    let greedy = |rules: &Rules| {
        (0..4)
            .map(|_| paishan::agent::by_name("greedy", rules.plan()).unwrap())
            .collect::<Vec<_>>()
    };
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let by_itself = [("end-by-choice".to_owned(), false.into())];
    let by_itself = Rules::by_id_with("riichi-mcgill", &by_itself).unwrap();
    let mut chosen = 0;
    for seed in 0..60 {
        let mut moves = paishan::game::Moves::new(seed);
        let ended = play(&rules, &mut greedy(&rules), seed, &mut moves).unwrap();
        let same = play(&by_itself, &mut greedy(&by_itself), seed, &mut ()).unwrap();
        assert_eq!(ended.totals(), same.totals());
        assert_eq!(ended.deal_number(), same.deal_number());
        let Some((last, others)) = moves.decisions().split_last() else {
            panic!("somebody has decided");
        };
        assert!(others.iter().all(|(_, action)| *action != Action::EndMatch));
        if last.1 != Action::EndMatch {
            continue;
        }
        chosen += 1;
        // The last deal once more, to its last decision.
        let mut series = Match::new(&rules as &dyn Ruleset, seed);
        let mut left = others.iter();
        let deal = loop {
            let mut deal = Deal::start(*series.rules(), series.state().setup());
            while deal.outcome().is_none() && !matches!(deal.state().phase(), Phase::EndChoice) {
                let (seat, action) = *left.next().unwrap();
                deal.act(seat, action).unwrap();
            }
            if left.len() == 0 {
                break deal;
            }
            series.finish(&deal).unwrap();
        };
        let dealer = Seat::EAST;
        assert_eq!(deal.outcome(), None);
        assert_eq!(deal.state().deciding().collect::<Vec<_>>(), [dealer]);
        let legal: Vec<Action> = deal.legal(dealer).iter().collect();
        assert_eq!(legal, [Action::Pass, Action::EndMatch]);
        for seat in Seat::all(4) {
            let view = deal.state().view(seat);
            assert_eq!(view.may_end_match(), Some(dealer));
            assert_eq!(view.snapshot().may_end_match, Some('E'));
            let player = seat.player(deal.state().dealer(), 4).index();
            assert_eq!(
                view.points(seat),
                ended.totals()[player],
                "what he sees is the result"
            );
        }
        let mut goes_on = deal.clone();
        assert!(goes_on.act(Seat::EAST.after(1, 4), Action::Pass).is_err());
        goes_on.act(dealer, Action::Pass).unwrap();
        let mut longer = series.clone();
        let next = longer.finish(&goes_on).unwrap();
        assert_eq!(next, paishan::game::Next::Stay);
        assert!(!longer.is_over());
        assert_eq!(longer.totals(), ended.totals());
        // Every deal is taken once, and not before it is over.
        assert_eq!(
            longer.finish(&goes_on),
            Err(paishan::game::RecordError::OtherDeal {
                found: ended.deal_number(),
                expected: ended.deal_number() + 1
            })
        );
        assert_eq!(
            series.finish(&deal),
            Err(paishan::game::RecordError::Unfinished)
        );
    }
    assert!(chosen > 5, "{chosen}");
}

#[test]
fn every_limit_hand_may_be_worth_two() {
    let words = |id: &str| OptionValue::Words(vec![id.to_owned()]);
    let plain = Rules::by_id("riichi-mcgill").unwrap();
    let limits = |rules: &dyn Ruleset, id: &str| {
        let mut patterns = rules.plan().score().patterns().iter();
        match patterns.find(|pattern| pattern.id == id)?.value {
            paishan::score::PatternValue::Limits(limits) => Some(limits),
            _ => None,
        }
    };
    let ids: Vec<String> = plain
        .plan()
        .score()
        .patterns()
        .iter()
        .filter(|pattern| limits(&plain, &pattern.id).is_some())
        .map(|pattern| pattern.id.clone())
        .collect();
    assert!(ids.len() > 15, "{ids:?}");
    for id in ids {
        let set = [("double-limit-hands".to_owned(), words(&id))];
        let rules = Rules::by_id_with("riichi-mcgill", &set).unwrap();
        assert_eq!(limits(&rules, &id), Some(2), "{id}");
    }
}
