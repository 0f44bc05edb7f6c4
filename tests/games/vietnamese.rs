//! Vietnamese mahjong: what hands are worth and who pays, derived a second time from the texts that the file cites. Jokers are
//! replaced by every tile that they may stand for, and every reading is tried. First random complete hands, then whole games.

use super::regions::{
    Group, Options, Shape, Tiles, all_kinds, dragons, held_with, is_end, is_honour, is_orphan,
    is_thirteen_orphans, kind, last_of, melds_of, orphans, round_of, split, text, text_of, winds,
};
use crate::common::{games, ruleset_with};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::protocol::Responder;
use paishan::random::Stream;
use paishan::state::{DealState, Way, Win};
use paishan::{Kind, Seat, game_seed, simulate};
use serde_json::{Value as Json, json};

/// The jokers: their tile and what they stand for.
fn jokers() -> Vec<(usize, Vec<usize>)> {
    let all = all_kinds();
    let of = |test: &dyn Fn(usize) -> bool| all.iter().copied().filter(|one| test(*one)).collect();
    vec![
        (kind("xt"), of(&|one| one / 16 == 0)),
        (kind("xs"), of(&|one| one / 16 == 1)),
        (kind("xm"), of(&|one| one / 16 == 2)),
        (kind("at"), of(&|one| !is_honour(one))),
        (kind("as"), winds().to_vec()),
        (kind("am"), dragons().to_vec()),
        (kind("B"), all.clone()),
    ]
}

/// A winning hand and how it won.
#[derive(Clone, Debug)]
struct Won {
    seat: usize,
    round: usize,
    /// Concealed tiles with the winning one, jokers among them.
    held: Tiles,
    melds: Vec<Group>,
    last: usize,
    way: Way,
    from: Option<usize>,
    /// Flowers, and `J` for the great flower.
    bonus: String,
    flags: Vec<&'static str>,
}

/// What a hand is read as: groups and the pair with the melds, seven pairs, or neither for thirteen orphans.
enum Form {
    Standard(Vec<Group>),
    Pairs,
    Orphans,
}

impl Won {
    fn is_drawn(&self) -> bool {
        matches!(self.way, Way::Wall | Way::Replacement)
    }

    fn is_closed(&self) -> bool {
        self.melds.iter().all(|meld| !meld.open)
    }

    fn jokers(&self) -> usize {
        jokers()
            .iter()
            .map(|(own, _)| usize::from(self.held[*own]))
            .sum()
    }

    /// Visits every hand with tiles for the jokers. No kind comes more than four times, melds included.
    fn substituted(&self, held: &Tiles, visit: &mut dyn FnMut(&Tiles)) {
        let joker = jokers().into_iter().find(|(own, _)| held[*own] > 0);
        let Some((own, stands_for)) = joker else {
            return visit(held);
        };
        let melded = |one: usize| {
            self.melds
                .iter()
                .flat_map(Group::kinds)
                .filter(|kind| *kind == one)
                .count()
        };
        let mut rest = *held;
        rest[own] -= 1;
        for one in stands_for {
            if usize::from(rest[one]) + melded(one) < 4 {
                rest[one] += 1;
                self.substituted(&rest, visit);
                rest[one] -= 1;
            }
        }
    }

    /// True if jokers of one sort are held. They stand in groups and the pair alone.
    fn has_limited(&self, held: &Tiles) -> bool {
        jokers()
            .iter()
            .any(|(own, _)| *own != kind("B") && held[*own] > 0)
    }

    fn is_complete(&self, held: &Tiles, options: &Options) -> bool {
        let mut is_complete = false;
        let limited = self.has_limited(held);
        self.substituted(held, &mut |held| {
            is_complete |= !self.forms(held, limited, options).is_empty();
        });
        is_complete
    }

    fn forms(&self, held: &Tiles, limited: bool, options: &Options) -> Vec<Form> {
        let mut found = Vec::new();
        split(
            held,
            4 - self.melds.len(),
            true,
            &mut Vec::new(),
            &mut |groups| {
                let all = groups.iter().chain(&self.melds).copied();
                found.push(Form::Standard(all.collect()));
            },
        );
        if self.melds.is_empty() && !limited {
            if is_thirteen_orphans(held) {
                found.push(Form::Orphans);
            }
            if options.is("seven-pairs", true) && held.iter().all(|count| count % 2 == 0) {
                found.push(Form::Pairs);
            }
        }
        found
    }

    /// True if one kind alone, jokers left out, completes the tiles without the winning one.
    fn is_single(&self, options: &Options) -> bool {
        let mut before = self.held;
        before[self.last] -= 1;
        let completes = |one: &usize| {
            let mut held = before;
            held[*one] += 1;
            let melded = self
                .melds
                .iter()
                .flat_map(Group::kinds)
                .filter(|kind| kind == one);
            usize::from(held[*one]) + melded.count() <= 4 && self.is_complete(&held, options)
        };
        all_kinds().iter().filter(|one| completes(one)).count() == 1
    }

    /// The best points of all substitutions and readings.
    fn points(&self, options: &Options) -> i64 {
        let (is_single, limited) = (self.is_single(options), self.has_limited(&self.held));
        let mut best = None;
        self.substituted(&self.held, &mut |held| {
            for form in self.forms(held, limited, options) {
                best = best.max(Some(self.phan(held, &form, is_single, options)));
            }
        });
        match best.expect("a complete hand") {
            0 => 1,
            phan @ ..6 => 1 << phan,
            phan => 64 * (phan / 6).min(options.number("limit", 20)),
        }
    }

    /// The function `scoreHand` of the scorer.
    fn phan(&self, held: &Tiles, form: &Form, is_single: bool, options: &Options) -> i64 {
        let none = Vec::new();
        let groups = match form {
            Form::Standard(groups) => groups,
            _ => &none,
        };
        let concealed = (0..Kind::COUNT).flat_map(|one| vec![one; held[one].into()]);
        let all: Vec<usize> = concealed
            .chain(self.melds.iter().flat_map(Group::kinds))
            .collect();
        let sets = |of: &[usize]| {
            let sets = groups.iter().filter(|group| group.is_set());
            sets.filter(|group| of.contains(&group.low)).count() as i64
        };
        let pair = |of: &[usize]| {
            groups
                .iter()
                .any(|group| group.shape == Shape::Pair && of.contains(&group.low))
        };
        let quads = groups
            .iter()
            .filter(|group| group.shape == Shape::Kong)
            .count() as i64;
        let is_all = |test: fn(usize) -> bool| all.iter().all(|one| test(*one));
        let has = |test: fn(usize) -> bool| all.iter().any(|one| test(*one));
        let suits = (0..3)
            .filter(|suit| all.iter().any(|one| one / 16 == *suit))
            .count();
        let (closed, drawn) = (self.is_closed(), self.is_drawn());
        let fully_closed = self.melds.is_empty() && drawn;
        let is_sets = groups.iter().filter(|group| group.is_set()).count() == 4;
        let is_runs = groups
            .iter()
            .filter(|group| group.shape == Shape::Chow)
            .count()
            == 4;
        let jokerless =
            options.is("jokerless", true) && self.jokers() == 0 && !self.bonus.contains('J');
        let (few, many) = (i64::from(jokerless), 6 * i64::from(jokerless));
        let orphans = matches!(form, Form::Orphans);
        let gates = self.melds.is_empty()
            && suits == 1
            && (0..3).any(|suit| {
                (0..9)
                    .all(|rank| held[16 * suit + rank] >= if matches!(rank, 0 | 8) { 3 } else { 1 })
            });
        let four_closed = is_sets && closed;
        let (big, little) = (sets(&winds()) == 4, sets(&winds()) == 3 && pair(&winds()));
        let mut phan = 0;
        let mut special = false;
        let mut great = |holds: bool, worth: i64| {
            special |= holds;
            phan += worth * i64::from(holds);
        };
        great(big, 48 + many);
        great(four_closed && quads == 4, 30);
        great(little, 24 + many);
        great(is_all(is_honour), 24 + many);
        great(quads == 4 && !four_closed, 24);
        great(is_all(is_end), 24 + many);
        great(four_closed && quads < 4, 18 + many);
        great(gates, 18 + many);
        great(orphans, 13 + many);
        let mut add = |holds: bool, worth: i64| phan += worth * i64::from(holds);
        let of_dragons = sets(&dragons());
        let little_dragons = of_dragons == 2 && pair(&dragons());
        add(of_dragons == 3, 9 + many);
        add(special && fully_closed && is_single, 6);
        add(
            self.bonus.is_empty() && self.jokers() == 0 && !has(is_honour),
            6,
        );
        add(little_dragons, 6 + many);
        add(
            is_all(is_orphan) && has(is_end) && has(is_honour) && !orphans,
            6,
        );
        add(suits == 1 && !has(is_honour) && !gates, 6 + many);
        add(suits == 1 && has(is_honour), 3);
        add(self.melds.len() == 4 && !drawn, 3 + few);
        add(is_sets && !four_closed && quads < 4, 3 + few);
        match is_single && is_runs && fully_closed {
            true => add(true, 3),
            false => {
                add(is_single, 1);
                add(is_runs, 1);
                add(fully_closed, 1);
            }
        }
        add(matches!(form, Form::Pairs), 1);
        if !big && !little {
            add(sets(&[winds()[self.round]]) == 1, 1);
            add(sets(&[winds()[self.seat]]) == 1, 1);
        }
        add(of_dragons < 3 && !little_dragons, of_dragons);
        add(quads < 4, quads);
        for flag in ["heaven", "earth", "man"] {
            add(self.flags.contains(&flag), 12);
        }
        add(self.way == Way::RobbedKong, 1);
        add(self.way == Way::Replacement, 1);
        add(self.flags.contains(&"last-tile"), 1);
        let of = |letters: &str| {
            letters
                .chars()
                .filter(|one| self.bonus.contains(*one))
                .count()
        };
        let series = ["hijk", "opqr", "glnu", "vwyz"];
        let bouquets = series.iter().filter(|series| of(series) == 4).count() as i64;
        let own = series
            .iter()
            .filter(|series| of(&series[self.seat..=self.seat]) == 1)
            .count();
        phan += 6 * bouquets + own as i64 - bouquets;
        let great_flower = of("J");
        let has_all = |tiles: [&str; 4]| {
            tiles
                .iter()
                .all(|one| *one == "J" && great_flower == 1 || self.held[kind(one)] > 0)
        };
        phan += 2 * great_flower as i64;
        phan += 6 * i64::from(has_all(["B", "xt", "xs", "xm"]))
            + 6 * i64::from(has_all(["at", "as", "am", "J"]));
        let on_joker = !drawn && jokers().iter().any(|(own, _)| *own == self.last);
        phan + 6 * i64::from(on_joker)
    }

    /// What each seat gets.
    fn deltas(&self, points: i64) -> Vec<i64> {
        let mut deltas = vec![0; 4];
        for seat in (0..4).filter(|seat| *seat != self.seat) {
            let is_full = self.is_drawn() || self.from == Some(seat) || points == 1;
            let amount = if is_full { points } else { points / 2 };
            deltas[seat] -= amount;
            deltas[self.seat] += amount;
        }
        deltas
    }
}

/// A random complete hand, with jokers for some of its tiles.
struct Maker {
    stream: Stream,
    used: Tiles,
}

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.stream.below(bound as u32) as usize
    }

    fn group(&mut self, kinds: &[usize], shapes: &[Shape]) -> Option<Group> {
        (0..40).find_map(|_| {
            let (shape, low) = (
                shapes[self.below(shapes.len())],
                kinds[self.below(kinds.len())],
            );
            let group = Group::own(shape, low);
            let is_run = shape != Shape::Chow || !is_honour(low) && low % 16 <= 6;
            let tiles = group.kinds();
            let room = |one: &usize| {
                let more = tiles.iter().filter(|other| *other == one).count();
                kinds.contains(one) && usize::from(self.used[*one]) + more <= 4
            };
            let fits = is_run && tiles.iter().all(room);
            if fits {
                tiles.iter().for_each(|one| self.used[*one] += 1);
            }
            fits.then_some(group)
        })
    }

    fn won(&mut self) -> Option<Won> {
        self.used = [0; Kind::COUNT];
        let (style, suit) = (self.below(8), self.below(3));
        let in_style = |one: &usize| match style {
            1 => one / 16 == suit,
            2 => one / 16 == suit || is_honour(*one),
            3 => is_honour(*one),
            4 => is_end(*one),
            5 => is_orphan(*one),
            _ => true,
        };
        let kinds: Vec<usize> = all_kinds().into_iter().filter(in_style).collect();
        let shapes: &[Shape] = match self.below(3) {
            0 => &[Shape::Chow],
            1 => &[Shape::Chow, Shape::Pung],
            _ => &[Shape::Pung, Shape::Pung, Shape::Kong],
        };
        let mut won = Won {
            seat: self.below(4),
            round: self.below(4),
            held: [0; Kind::COUNT],
            melds: Vec::new(),
            last: 0,
            way: Way::Wall,
            from: None,
            bonus: String::new(),
            flags: Vec::new(),
        };
        let mut special = true;
        match self.below(20) {
            0 => {
                let again = orphans()[self.below(13)];
                orphans()
                    .into_iter()
                    .chain([again])
                    .for_each(|one| won.held[one] += 1);
            }
            1 => {
                for _ in 0..7 {
                    won.held[self.group(&kinds, &[Shape::Pair])?.low] += 2;
                }
            }
            _ => {
                special = false;
                won.held[self.group(&kinds, &[Shape::Pair])?.low] += 2;
                let open = self.below(5);
                for number in 0..4 {
                    let mut group = self.group(&kinds, shapes)?;
                    if group.shape == Shape::Kong || number < open {
                        group.open = group.shape != Shape::Kong || self.below(2) == 0;
                        let steps = if group.shape == Shape::Chow {
                            3
                        } else {
                            1 + self.below(3)
                        };
                        group.from = group.open.then_some((won.seat + steps) % 4);
                        won.melds.push(group);
                    } else {
                        group.kinds().into_iter().for_each(|one| won.held[one] += 1);
                    }
                }
            }
        }
        self.used = won.held;
        won.melds
            .iter()
            .flat_map(Group::kinds)
            .for_each(|one| self.used[one] += 1);
        // Jokers in the places of tiles that they stand for; in special forms the general alone.
        for _ in 0..[0, 0, 1, 1, 2, 3][self.below(6)] {
            let (joker, stands_for) = jokers().swap_remove(self.below(7));
            let places: Vec<usize> = stands_for
                .into_iter()
                .filter(|one| won.held[*one] > 0)
                .collect();
            if places.is_empty() || won.held[joker] > 0 || special && joker != kind("B") {
                continue;
            }
            let place = places[self.below(places.len())];
            (won.held[place], won.held[joker]) = (won.held[place] - 1, 1);
        }
        self.circumstances(&mut won);
        Some(won)
    }

    fn circumstances(&mut self, won: &mut Won) {
        let often = [0, 0, 1, 3][self.below(4)];
        won.bonus = "hijkopqrglnuvwyzJ"
            .chars()
            .filter(|_| self.below(4) < often)
            .collect();
        let held: Vec<usize> = (0..Kind::COUNT).filter(|one| won.held[*one] > 0).collect();
        won.last = held[self.below(held.len())];
        let has_kong = won.melds.iter().any(|meld| meld.shape == Shape::Kong);
        let other = (won.seat + 1 + self.below(3)) % 4;
        match self.below(8) {
            0 if has_kong => {
                won.way = Way::Replacement;
                won.flags.push("after-kong");
            }
            1 if !won.bonus.is_empty() => {
                won.way = Way::Replacement;
                won.flags.push("after-flower");
            }
            2 if self.used[won.last] == 1 => (won.way, won.from) = (Way::RobbedKong, Some(other)),
            3..=5 => (won.way, won.from) = (Way::Discard, Some(other)),
            _ => {}
        }
        let is_first = won.melds.is_empty();
        let flag = match (self.below(12), won.way) {
            (0, Way::Wall | Way::Discard) => "last-tile",
            (1, Way::Wall) if is_first && won.seat == 0 => "heaven",
            (1, Way::Wall) if is_first => "man",
            (1, Way::Discard) if is_first && won.seat > 0 && won.from == Some(0) => "earth",
            _ => return,
        };
        won.flags.push(flag);
    }

    /// Thirteen tiles that nobody has.
    fn others(&mut self) -> String {
        let mut tiles = String::new();
        for _ in 0..13 {
            let left = all_kinds().into_iter().filter(|one| self.used[*one] < 4);
            let left: Vec<usize> = left.collect();
            let one = left[self.below(left.len())];
            self.used[one] += 1;
            tiles += &text(one);
        }
        tiles
    }

    /// Asks for the settlement of a hand.
    fn request(&mut self, won: &Won, options: &Options) -> Json {
        let seats = ["E", "S", "W", "N"];
        let mut held = won.held;
        held[won.last] -= 1;
        let hand: String = (0..Kind::COUNT)
            .map(|one| text_of(one, held[one]))
            .collect();
        let meld = |meld: &Group| {
            let tiles: String = meld.kinds().into_iter().map(text).collect();
            match meld.from {
                Some(from) => json!({ "open": true, "tiles": tiles, "from": seats[from] }),
                None => json!({ "open": false, "tiles": tiles }),
            }
        };
        let melds: Vec<Json> = won.melds.iter().map(meld).collect();
        let (great, flowers): (String, String) = won.bonus.chars().partition(|one| *one == 'J');
        let players = (0..4).map(|seat| match seat == won.seat {
            true => json!({
                "seat": seats[seat], "hand": hand, "melds": melds, "flowers": flowers, "set_aside": great,
            }),
            false => json!({ "seat": seats[seat], "hand": self.others() }),
        });
        let players: Vec<Json> = players.collect();
        let by = won.way.word();
        let mut win = json!({ "seat": seats[won.seat], "tile": text(won.last), "by": by, "flags": won.flags });
        if let Some(from) = won.from {
            win["from"] = json!(seats[from]);
        }
        json!({
            "type": "settle", "ruleset": "vietnamese", "options": options.json(),
            "round": seats[won.round], "players": players, "wins": [win],
        })
    }
}

#[test]
fn vietnamese_hands_are_worth_what_the_scorer_says() {
    for chosen in [
        &[][..],
        &["jokerless=false", "limit=8", "seven-pairs=false"],
    ] {
        let options = Options::new(chosen);
        let mut maker = Maker {
            stream: Stream::new(game_seed(48, 176), 0),
            used: [0; Kind::COUNT],
        };
        let mut responder = Responder::new();
        let (mut wins, mut with_jokers) = (0, 0);
        for _ in 0..700 {
            let Some(won) = maker.won() else { continue };
            let request = maker.request(&won, &options);
            let answer = responder.answer(&serde_json::from_value(request.clone()).unwrap());
            let answer = serde_json::to_value(answer).unwrap();
            if !won.is_complete(&won.held, &options) {
                assert_eq!(answer["error"]["code"], "not-a-win", "{request}\n{answer}");
                continue;
            }
            let points = won.points(&options);
            assert_eq!(
                answer["scores"][won.seat]["points"], points,
                "{request}\n{answer}"
            );
            assert_eq!(
                answer["deltas"],
                json!(won.deltas(points)),
                "{request}\n{answer}"
            );
            wins += 1;
            with_jokers += usize::from(won.jokers() > 0);
        }
        assert!(wins > 400 && with_jokers > 150, "{wins} {with_jokers}");
    }
}

/// Wins of whole games, as they happen.
struct Watch {
    options: Options,
    before: Vec<i64>,
    wins: usize,
    with_jokers: usize,
}

impl Observer for Watch {
    fn deal_started(&mut self, state: &DealState) {
        self.before = totals(state);
    }

    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let mut due = self.before.clone();
        for (seat, win) in outcome.wins() {
            let won = won_at_the_table(state, *seat, win);
            let points = won.points(&self.options);
            let score = outcome.settlement.scores[*seat].as_ref().expect("a score");
            assert_eq!(score.points, points, "{won:?} {:?}", score.lines);
            for (due, delta) in due.iter_mut().zip(won.deltas(points)) {
                *due += delta;
            }
            self.wins += 1;
            self.with_jokers += usize::from(won.jokers() > 0);
        }
        assert_eq!(totals(state), due);
    }
}

/// The totals in points. The file divides points by two, so the table counts half points.
fn totals(state: &DealState) -> Vec<i64> {
    Seat::all(4).map(|seat| state.points(seat) / 2).collect()
}

fn won_at_the_table(state: &DealState, seat: Seat, win: &Win) -> Won {
    let (hand, last) = (state.hand_before(seat, win), last_of(win));
    let mut won = Won {
        seat: seat.index(),
        round: round_of(state),
        held: held_with(&hand, last),
        melds: melds_of(&hand),
        last,
        way: win.way,
        from: win.from.map(Seat::index),
        bonus: hand.aside().tiles().map(|tile| tile.to_string()).collect(),
        flags: Vec::new(),
    };
    let discards = state.discards();
    let is_dealer = seat == Seat::EAST;
    let is_quiet = !discards.iter().any(|discard| discard.claimed);
    let has_discarded = discards.iter().any(|discard| discard.seat == seat);
    let (wall, discard) = (win.way == Way::Wall, win.way == Way::Discard);
    let flags = [
        (
            "last-tile",
            state.wall().draws_left() == 0 && (wall || discard),
        ),
        ("heaven", is_dealer && wall && discards.is_empty()),
        (
            "earth",
            !is_dealer && discard && discards.len() == 1 && is_quiet,
        ),
        ("man", !is_dealer && wall && !has_discarded && is_quiet),
    ];
    won.flags = flags
        .into_iter()
        .filter_map(|(flag, holds)| holds.then_some(flag))
        .collect();
    won
}

#[test]
fn vietnamese_games_pay_wins() {
    let rules = ruleset_with("vietnamese", &[]);
    let mut watch = Watch {
        options: Options::new(&[]),
        before: Vec::new(),
        wins: 0,
        with_jokers: 0,
    };
    for (name, games) in [("greedy", games(6)), ("value", 1), ("random", games(2))] {
        let mut agents = paishan::agent::for_all(name, rules.plan()).unwrap();
        for game in 0..games {
            simulate::play(&rules, &mut agents, game_seed(48, game), &mut watch).unwrap();
        }
    }
    assert!(
        watch.wins > 60 && watch.with_jokers > 20,
        "{} {}",
        watch.wins,
        watch.with_jokers
    );
}
