//! Ledgers: what a match at a real table comes to, written down deal by deal, is what the engine itself comes to.

use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::ledger::LedgerFault;
use paishan::request::Request;
use paishan::ruleset;
use paishan::state::{DealState, Ending, Way};
use paishan::{Ledger, Match, Notation, Player, Rules, Seat, Tile, agent, simulate};

/// Writes a line a deal, by hands or by points.
struct Writing<'a> {
    rules: &'a Rules,
    by_hand: bool,
    lines: Vec<String>,
    totals: Vec<Vec<i64>>,
    /// Who deals after each deal.
    dealers: Vec<usize>,
}

impl Writing<'_> {
    fn number(&self, state: &DealState, seat: Seat) -> String {
        (seat.player(state.dealer(), state.players()).index() + 1).to_string()
    }

    /// A hand as ledgers have it, without the winning tile.
    fn hand(&self, state: &DealState, request: &Request, seat: Seat, tile: Option<Tile>) -> String {
        let hand = request.hands.iter().find(|hand| hand.seat == seat).unwrap();
        let mut text = format!(
            "hand {}",
            Notation::Ujmj.print(hand.concealed.iter().copied())
        );
        if let Some(tile) = tile {
            text.push_str(&format!(" + {}", Notation::Ujmj.print_one(tile)));
        }
        for meld in &hand.melds {
            let tiles = Notation::Ujmj.print(meld.tiles.iter().copied());
            let from = meld
                .from
                .map(|from| format!(" off {}", self.number(state, from)));
            text.push_str(&match meld.open {
                true => format!(" [{tiles}{}]", from.unwrap_or_default()),
                false => format!(" [{tiles} closed]"),
            });
        }
        if !hand.aside.is_empty() {
            text.push_str(&format!(
                " / {}",
                Notation::Ujmj.print(hand.aside.iter().copied())
            ));
        }
        text
    }
}

impl Observer for Writing<'_> {
    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let plan = self.rules.plan();
        let seats = || Seat::all(state.players());
        let number = |seat: Seat| self.number(state, seat);
        let list = |seats: Vec<Seat>| {
            let seats: Vec<String> = seats.into_iter().map(number).collect();
            seats.join(" ")
        };
        let deposited = seats().filter(|seat| state.riichi(*seat).is_some_and(|one| one.accepted));
        let deposits = list(deposited.collect());
        let deposits = match deposits.is_empty() {
            true => String::new(),
            false => format!(", riichi {deposits}"),
        };
        let mut lines = Vec::new();
        match outcome.ending {
            Ending::Won => {
                let request = Request::of_deal(plan, state, outcome);
                for (place, (seat, win)) in outcome.wins().iter().enumerate() {
                    let and = if place > 0 { "and " } else { "" };
                    let off = win.from.map(|from| format!(" off {}", number(from)));
                    let mut line = format!("{and}{} won{}", number(*seat), off.unwrap_or_default());
                    let ids = win.flags.iter().map(|flag| plan.flags()[flag].id.as_str());
                    let ids: Vec<&str> = ids.collect();
                    if !ids.is_empty() {
                        line.push_str(&format!(", flags {}", ids.join(" ")));
                    }
                    line.push_str(match win.way {
                        Way::Replacement => ", replacement",
                        Way::RobbedKong => ", robbed",
                        Way::Turned => ", turned",
                        _ => "",
                    });
                    if self.by_hand {
                        let hand = self.hand(state, &request, *seat, Some(win.tile));
                        line.push_str(&format!(", {hand}"));
                        for (word, tiles) in [
                            ("indicators", &request.indicators),
                            ("under", &request.under_indicators),
                        ] {
                            if !tiles.is_empty() {
                                line.push_str(&format!(
                                    ", {word} {}",
                                    Notation::Ujmj.print(tiles.iter().copied())
                                ));
                            }
                        }
                    } else {
                        let score = outcome.settlement.scores[*seat].as_ref().unwrap();
                        line.push_str(&format!(", {} points", score.points));
                    }
                    let others = seats()
                        .filter(|other| outcome.wins().iter().all(|(winner, _)| winner != other));
                    for other in others {
                        let Some(score) = &outcome.settlement.scores[other] else {
                            continue;
                        };
                        let has = match self.by_hand {
                            true => self.hand(state, &request, other, None),
                            false => format!("{} points", score.points),
                        };
                        line.push_str(&format!(", {} has {has}", number(other)));
                    }
                    if place == 0 {
                        line.push_str(&deposits);
                    }
                    lines.push(line);
                }
            }
            Ending::Exhausted => {
                let mut line = "draw".to_owned();
                for (word, seats) in [("ready", outcome.ready), ("paid", outcome.nagashi)] {
                    if !seats.is_empty() {
                        line.push_str(&format!(", {word} {}", list(seats.iter().collect())));
                    }
                }
                lines.push(line + &deposits);
            }
            Ending::FalseWin(seat) => lines.push(format!("false win {}", number(seat))),
            _ => lines.push(format!("aborted{deposits}")),
        }
        self.lines.push(lines.join("\n"));
        self.totals.push(series.totals().to_vec());
        self.dealers.push(series.dealer().index());
    }
}

/// Plays a match that the first player begins.
fn series_from_first(rules: &Rules, writing: &mut Writing<'_>) -> MatchState {
    for seed in 11.. {
        writing.lines.clear();
        writing.totals.clear();
        writing.dealers.clear();
        if Match::new(rules, seed).state().dealer() == Player::FIRST {
            let mut agents = agent::for_all("greedy", rules.plan()).unwrap();
            let series = simulate::play(rules, &mut agents, seed, writing).unwrap();
            return series.state().clone();
        }
    }
    unreachable!()
}

/// Pattern sums with kongs in a row, or tiles set aside, cannot be written down, and what is paid within deals is written as
/// payments.
fn is_written(rules: &Rules) -> bool {
    let plan = rules.plan();
    !plan.pays_within_deals() && plan.play().aside.by_choice().is_empty()
}

#[test]
fn ledgers_come_to_what_the_engine_comes_to() {
    let mut deals = 0;
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        if !is_written(&rules) {
            continue;
        }
        for by_hand in [true, false] {
            let mut writing = Writing {
                rules: &rules,
                by_hand,
                lines: Vec::new(),
                totals: Vec::new(),
                dealers: Vec::new(),
            };
            let players: Vec<String> = (1..=rules.plan().players())
                .map(|one| format!("P{one}"))
                .collect();
            // The first dealer of a ledger is its first player.
            let series = series_from_first(&rules, &mut writing);
            let mut text = format!("players {}\n", players.join(", "));
            for line in &writing.lines {
                text.push_str(line);
                text.push('\n');
            }
            let ledger = Ledger::read(&text, Some(&rules));
            let ledger =
                ledger.unwrap_or_else(|error| panic!("{id} by hand {by_hand}: {error}\n{text}"));
            let table = &ledger.tables[0];
            assert_eq!(table.entries.len(), writing.lines.len(), "{id}");
            for (entry, totals) in table.entries.iter().zip(&writing.totals) {
                assert_eq!(
                    entry.totals, *totals,
                    "{id} by hand {by_hand}: {}",
                    entry.text
                );
                deals += 1;
            }
            let dealers = table
                .entries
                .iter()
                .skip(1)
                .map(|entry| entry.dealer.index());
            assert!(
                dealers
                    .zip(&writing.dealers)
                    .all(|(one, other)| one == *other),
                "{id}"
            );
            assert!(table.series.is_over(), "{id}");
            assert_eq!(table.series.state().results(), series.results(), "{id}");
            assert_eq!(table.series.state().ranks(), series.ranks(), "{id}");
        }
    }
    assert!(deals > 100, "{deals}");
}

fn faults(text: &str) -> Vec<String> {
    let error = Ledger::read(text, None).unwrap_err();
    error.faults().iter().map(ToString::to_string).collect()
}

#[test]
fn wrong_lines_are_reported_and_the_others_checked() {
    let text = "ruleset uzje\nplayers A, B, C, D\n3 won off 2, 40 points\nE won, 5 points\n1 won off 1, 5 points\n\
                2 won\nbanana\nand 2 won, 5 points\nthen 2 won, 5 points\n3 won off 2, hand 123s + 4s\n\
                false win 1\nA pays E 3 points\npenalty A x\n2 won, flags nothing, 5 points\noption players=3\n";
    let found = faults(text);
    let lines: Vec<&str> = found
        .iter()
        .map(|fault| fault.split(':').next().unwrap())
        .collect();
    assert_eq!(lines.len(), 13, "{found:#?}");
    assert_eq!(
        found[0],
        "line 3: no hand that wins this way is worth 40 points"
    );
    assert_eq!(found[1], "line 4: there is no player `E`");
    assert_eq!(found[2], "line 5: `A` cannot win here");
    assert_eq!(
        found[3],
        "line 6: what the hand of the winner is worth is missing"
    );
    assert_eq!(found[4], "line 7: `banana` is no line of a ledger");
    assert_eq!(found[8], "line 11: this ruleset has no false wins");
    assert_eq!(
        faults("players A, B\n"),
        ["line 1: no ruleset is named: a ledger begins with `ruleset ID`"]
    );
    assert_eq!(
        faults("ruleset woo\nplayers A, A, B, C\n"),
        ["line 2: 4 names for 4 players, all of them different"]
    );
    assert_eq!(
        faults("ruleset woo\n1 won, 2 points\n"),
        ["line 2: `players` comes before the first deal"]
    );
    // What follows from a wrong line is not told.
    let unknown = faults("ruleset wooo\nplayers A, B, C, D\n1 won, 2 points\nbanana\n");
    assert!(
        unknown.len() == 1 && unknown[0].contains("did you mean `woo`?"),
        "{unknown:#?}"
    );
    let tables = "ruleset uzje\ntable One: A, B\n1 won, 50 points\ntable Two: E, F, G, H\nbanana\n";
    assert_eq!(faults(tables).len(), 2);
}

#[test]
fn losing_hands_are_needed_where_they_are_settled() {
    let text = "ruleset traditional\nplayers A, B, C, D\n2 won off 3, 100 points\n";
    let error = Ledger::read(text, None).unwrap_err();
    assert!(matches!(error.faults()[0].fault, LedgerFault::Worth(_)));
    // The example of the rules, §10.
    let text = text.replace(
        "100 points",
        "100 points, 1 has 20 points, 3 has 10 points, 4 has 0 points",
    );
    let ledger = Ledger::read(&text, None).unwrap();
    assert_eq!(ledger.tables[0].entries[0].changes, [-140, 400, -110, -150]);
}

#[test]
fn payments_penalties_and_corrections_change_totals_only() {
    let text = "ruleset riichi-tenhou\nplayers A, B, C, D\n\
                2 won off 1, 3 han 40 fu, riichi 2\nA pays B 1000 points: a broken tile\npenalty C 300\n\
                correction D +500, C -500: added up wrongly\n3 won, mangan\ndraw, ready 1 3\nover\n";
    let ledger = Ledger::read(text, None).unwrap();
    let table = &ledger.tables[0];
    let changes: Vec<&[i64]> = table
        .entries
        .iter()
        .map(|entry| entry.changes.as_slice())
        .collect();
    assert_eq!(changes[0], [-5200, 5200, 0, 0]);
    assert_eq!(changes[1], [-1000, 1000, 0, 0]);
    assert_eq!(changes[2], [0, 0, -300, 0]);
    assert_eq!(changes[3], [0, 0, -500, 500]);
    // B deals.
    assert_eq!(changes[4], [-2000, -4000, 8000, -2000]);
    assert_eq!(changes[5], [1500, -1500, 1500, -1500]);
    assert!(table.series.is_over());
    let html = ledger.document(Default::default()).to_html();
    assert!(html.contains("The match is over.") && html.contains("By rank"));
}

#[test]
fn names_are_escaped() {
    let text = "# <b>Club</b>\nruleset woo\nplayers <script>, B, C, D\n1 won, 20 points, 2 has 3 points, 3 has 4 points, 4 has 5 points\n";
    let html = Ledger::read(text, None)
        .unwrap()
        .document(Default::default())
        .to_html();
    assert!(!html.contains("<script") && !html.contains("<b>"));
    assert!(html.contains("&lt;script&gt;"));
}

#[test]
fn several_tables_are_ranked_together_and_seated() {
    let text = "ruleset zung-jung\nseating 3: A, B, C, D, E, F, G, H, I\n\
                table Red: A, B, C, D\n1 won off 2, 30 points\ntable Blue: E, F, G, H\n2 won, 25 points\n";
    let ledger = Ledger::read(text, None).unwrap();
    let (names, rounds) = ledger.seating.as_ref().unwrap();
    assert_eq!((names.len(), rounds.len()), (9, 3));
    let mut out: Vec<usize> = rounds.iter().flat_map(|round| round.out.clone()).collect();
    for round in rounds {
        let mut all: Vec<usize> = round
            .tables
            .iter()
            .flatten()
            .chain(&round.out)
            .copied()
            .collect();
        all.sort_unstable();
        assert_eq!(all, (0..9).collect::<Vec<_>>());
    }
    out.sort_unstable();
    out.dedup();
    assert_eq!(out.len(), 3);
    let html = ledger.document(Default::default()).to_html();
    assert!(html.contains("All tables") && html.contains("Sitting out"));
}
