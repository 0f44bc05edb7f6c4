//! Deals on walls laid by hand, so that what hardly ever happens happens.

use paishan::game::{Deal, Match, Observer, Outcome};
use paishan::log::{Line, LogOptions, Recorder, replay};
use paishan::ruleset::OptionValue;
use paishan::score::PaymentReason;
use paishan::state::{Action, Way};
use paishan::{Kind, Notation, Player, Rules, Ruleset, Seat, Tile, Wall};

/// A ruleset with options, of which a match has one deal.
pub fn one_deal(id: &str, options: &[(&str, OptionValue)]) -> Rules {
    let text = format!(
        "ruleset = {{ id = \"{id}\", extends = \"{id}\" }}\nmatch = {{ ends = [{{ deals = 1 }}] }}\n"
    );
    let rules = Rules::from_toml("one-deal.toml", &text).unwrap();
    let set = |rules: Rules, (name, value): &(&str, OptionValue)| {
        rules.with(name, value.clone()).unwrap()
    };
    options.iter().fold(rules, set)
}

pub fn tiles(text: &str) -> Vec<Tile> {
    Notation::Ujmj.parse(text).unwrap()
}

pub fn tile(text: &str) -> Tile {
    Notation::Ujmj.parse_one(text).unwrap()
}

pub fn kind(text: &str) -> Kind {
    tile(text).kind().unwrap()
}

/// An action in the words of the log.
pub fn act(text: &str) -> Action {
    text.parse().unwrap()
}

/// The discard of a tile held before the draw.
pub fn held(text: &str) -> Action {
    Action::Discard {
        tile: tile(text),
        drawn: false,
    }
}

/// The discard of the tile just drawn.
pub fn drawn(text: &str) -> Action {
    Action::Discard {
        tile: tile(text),
        drawn: true,
    }
}

/// A wall from which these hands are dealt, these tiles are drawn, these replace flowers and kongs,
/// and these begin the reserve; the others lie in tile order, flowers last. Player 0 deals.
pub fn wall<const N: usize>(
    rules: &dyn Ruleset,
    hands: [&str; N],
    front: &str,
    back: &str,
    dead: &str,
) -> Wall {
    let plan = rules.plan();
    assert_eq!(N, plan.players());
    let mut rest: Vec<Tile> = plan.tiles().iter().collect();
    let mut take = |text: &str| -> Vec<Tile> {
        let wanted = tiles(text);
        for tile in &wanted {
            let place = rest.iter().position(|t| t == tile);
            rest.remove(place.unwrap_or_else(|| panic!("no {tile} is left")));
        }
        wanted
    };
    let hands = hands.map(&mut take);
    let (front, back, dead) = (take(front), take(back), take(dead));
    // Rolls that make player 0 the first dealer where dice name him.
    let dice: Vec<Vec<u8>> = plan
        .wall()
        .rolls()
        .iter()
        .map(|roll| vec![1, 2, 2][..usize::from(roll.dice)].to_vec())
        .collect();
    let (owner, count) = plan.wall().broken_by(&dice, N);
    let build = |order: &[Tile]| {
        let broken = (owner, count as u8);
        Wall::from_tiles(plan.wall(), plan.tiles(), N, order, &dice, broken).unwrap()
    };
    let order: Vec<Tile> = plan.tiles().iter().collect();
    let n = order.len();
    let back_places: Vec<usize> = build(&order).back_places().collect();
    let mut order: Vec<Option<Tile>> = vec![None; n];
    let mut dealt = Vec::new();
    let size = hands[0].len();
    for from in (0..size).step_by(4) {
        for hand in &hands {
            assert_eq!(hand.len(), size);
            dealt.extend(&hand[from..size.min(from + 4)]);
        }
    }
    dealt.extend(front);
    for (place, tile) in dealt.into_iter().enumerate() {
        order[place] = Some(tile);
    }
    for (place, tile) in back_places.into_iter().zip(back) {
        order[place] = Some(tile);
    }
    for (place, tile) in (n - plan.wall().reserve..).zip(dead) {
        order[place] = Some(tile);
    }
    rest.sort_by_key(|tile| tile.is_flower());
    let mut rest = rest.into_iter();
    let order: Vec<Tile> = order
        .into_iter()
        .map(|tile| tile.or_else(|| rest.next()).unwrap())
        .collect();
    build(&order)
}

/// Takes the seed out of a log, because its walls are of no seed.
pub fn forget_seed(lines: &mut [Line]) {
    if let Some(Line::StartGame(start)) = lines.first_mut() {
        start.game_seed = None;
    }
}

/// The first deal of a match on a wall. Player 0 deals.
pub fn start<'a>(
    rules: &'a dyn Ruleset,
    wall: Wall,
    observer: &mut dyn Observer,
) -> Deal<&'a dyn Ruleset> {
    let series = Match::with_dealer(rules, 1, Player::FIRST);
    Deal::start_observed(rules, series.state().setup_with(wall), observer)
}

/// What the seats do, in order: a seat and its action. Who is asked beside passes; who is on turn
/// beside discards what he drew.
pub type Plan<'a> = &'a [(char, Action)];

/// A deal that was played, and what came of it.
pub struct Played {
    pub rules: Rules,
    pub lines: Vec<Line>,
    pub outcome: Outcome,
    pub deltas: Vec<i64>,
    pub points: Vec<Option<i64>>,
    pub patterns: Vec<String>,
    pub ways: Vec<Way>,
    pub hands: Vec<String>,
}

/// What a seat does that has no plan.
pub fn idle<R: Ruleset>(deal: &Deal<R>, seat: Seat) -> Action {
    let legal = deal.legal(seat);
    if legal.contains(Action::Pass) {
        return Action::Pass;
    }
    let discards = legal.iter().filter(|a| matches!(a, Action::Discard { .. }));
    // Before the first turn there is nothing to discard.
    let action = discards.last().or(legal.nth(0));
    action.expect("somebody has to discard")
}

/// The answer to a score request.
pub fn score(request: &str) -> serde_json::Value {
    let request = serde_json::from_str(request).unwrap();
    serde_json::to_value(paishan::protocol::answer(&request)).unwrap()
}

/// The points of an answer.
pub fn points(answer: &serde_json::Value) -> i64 {
    let points = answer["points"].as_i64();
    points.unwrap_or_else(|| panic!("{answer}"))
}

/// Plays one deal; the log of it must replay.
pub fn play(rules: Rules, wall: Wall, plan: Plan<'_>) -> Played {
    let series_rules: &dyn Ruleset = &rules;
    let mut series = Match::with_dealer(series_rules, 1, Player::FIRST);
    let mut options = LogOptions::new(
        vec!["rigged".to_owned(); rules.plan().players()],
        Notation::Ujmj,
    );
    options.with_legal = true;
    let mut lines = Vec::new();
    let mut recorder = Recorder::new(rules.plan(), options, |line| lines.push(line));
    recorder.match_started(series.state());
    let mut deal =
        Deal::start_observed(series_rules, series.state().setup_with(wall), &mut recorder);
    let mut plan = plan.iter();
    let mut next = plan.next();
    while let Some(seat) = deal.state().deciding().next() {
        let action = match next {
            Some((letter, action))
                if *letter == seat.letter() && deal.legal(seat).contains(*action) =>
            {
                next = plan.next();
                *action
            }
            _ => idle(&deal, seat),
        };
        deal.act_observed(seat, action, &mut recorder).unwrap();
    }
    assert_eq!(next, None, "not every planned action was legal");
    let outcome = deal.outcome().unwrap().clone();
    let after = series.finish(&deal).expect("the current deal");
    recorder.deal_ended(series.state(), deal.state(), &outcome, after);
    recorder.match_ended(series.state());
    drop(recorder);
    forget_seed(&mut lines);
    let score = |seat| outcome.settlement.scores[seat].as_ref();
    let played = Played {
        deltas: Seat::all(rules.plan().players())
            .map(|seat| outcome.settlement.deltas[seat])
            .collect(),
        points: Seat::all(rules.plan().players())
            .map(|seat| score(seat).map(|score| score.points))
            .collect(),
        patterns: outcome
            .wins()
            .iter()
            .flat_map(|(seat, _)| &score(*seat).unwrap().lines)
            .map(|line| {
                rules.plan().score().patterns()[usize::from(line.pattern)]
                    .id
                    .clone()
            })
            .collect(),
        ways: outcome.wins().iter().map(|(_, win)| win.way).collect(),
        hands: Seat::all(rules.plan().players())
            .map(|seat| {
                let hand = deal.state().hand(seat);
                let melds: Vec<String> =
                    hand.melds().iter().map(|m| m.group().to_string()).collect();
                format!("{} {}", Notation::Ujmj.print(hand.tiles()), melds.join(" "))
            })
            .collect(),
        outcome,
        lines,
        rules,
    };
    played.check_log();
    played
}

impl Played {
    /// The payments of a row of `[payments]`, returned ones included: who pays whom how much.
    pub fn payments(&self, row: &str) -> Vec<(char, char, i64)> {
        let rows = self.rules.plan().payments().rows();
        let is_of_row = |reason: PaymentReason| match reason {
            PaymentReason::Row { row: place, .. } | PaymentReason::Returned { row: place, .. } => {
                rows[usize::from(place)].id == row
            }
            _ => false,
        };
        let all = self.outcome.settlement.payments.iter();
        all.filter(|payment| is_of_row(payment.reason))
            .map(|payment| (payment.from.letter(), payment.to.letter(), payment.units))
            .collect()
    }

    /// The log replays. With the variable `RIGGED_LOGS` it is written there for other checkers.
    fn check_log(&self) {
        if let Ok(folder) = std::env::var("RIGGED_LOGS") {
            let name = std::thread::current().name().unwrap_or("log").to_owned();
            let text: Vec<String> = self
                .lines
                .iter()
                .map(|line| serde_json::to_string(line).unwrap())
                .collect();
            std::fs::write(format!("{folder}/{name}.jsonl"), text.join("\n") + "\n").unwrap();
        }
        let rules = &self.rules;
        let replayed = replay(&self.lines, |_, _| Ok(rules));
        assert!(
            replayed
                .unwrap_or_else(|error| panic!("{error:?}"))
                .complete
        );
    }

    pub fn count(&self, wanted: impl Fn(&Line) -> bool) -> usize {
        self.lines.iter().filter(|line| wanted(line)).count()
    }

    /// The flags of the first win.
    pub fn flags(&self) -> Vec<String> {
        let flags = self.lines.iter().find_map(|line| match line {
            Line::Hora(hora) => hora.flags.clone(),
            _ => None,
        });
        flags.expect("somebody won")
    }
}
