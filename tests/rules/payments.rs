//! Rows of `[payments]`: what a ruleset with rows for every event pays in random games, derived a second time from the
//! words of the rows; and what the reader says of rows that cannot be.

use paishan::game::{Ending, MatchState, Next, Observer, Outcome};
use paishan::lint;
use paishan::meld::{Family, Group, Meld};
use paishan::protocol::{Value, read_settle, settle_request};
use paishan::request::Request;
use paishan::ruleset::{LoadError, Source};
use paishan::score::{PaymentHook, PaymentReason};
use paishan::state::{DealState, Event, Phase};
use paishan::tile::{Kind, Wind};
use paishan::{Rules, Seat, Tile, agent, game_seed, simulate};

const ROWS: &str = r#"
ruleset = { id = "rows", extends = "woo" }
settlement = { family = "rows" }
[payments.win]
on = "win"
who = "self-draw or gave or with-dealer"
amount = "if(self-draw, points / 2, if(gave, points, 0)) + if(with-dealer, 10, 0)"
[payments.hand]
on = "win"
when = "melds(pung|kong, any) >= 2 or winning-group is pair"
who = "not gave"
amount = "melds(pung|kong, any) + if(winning-group is pair and gave, 0, 1) + if(form is standard, 0, 7)"
[payments.back]
on = "win"
when = "not self-draw and not closed"
returns = "kongs"
of = "giver"
[payments.kong]
on = "kong"
amount = "if(made is concealed, 3 * min(kongs, 2), if(made is claimed, if(gave, 5, 1), if(added-drawn, 2, 0)))"
account = "kongs"
[payments.flowers]
if = "flowers >= 1"
on = "aside"
when = "aside(flower, laid) >= 2 or completes(hi)"
who = "not with-dealer"
amount = "pow2(min(aside(flower, laid), 5)) - 1"
[payments.ready]
on = "exhausted"
when = "ready"
who = "not closed and not ready"
amount = "count(dragon) * 2 + seats(ready)"
[payments.refund]
on = "exhausted"
when = "not ready"
returns = "kongs"
[payments.end]
on = "deal-end"
when = "seats(count(wind) > 3) >= 1 and not closed"
who = "count(wind) > 0"
amount = "round-up(count(wind), 3) + round-down(kinds(any), 4) + max(declared-melds, 2) / 2"
"#;

/// Who pays whom how many half points, and by which row.
type Paid = Vec<(usize, usize, i64, &'static str)>;

/// A kong or a flower that may be paid.
#[derive(Clone, Copy)]
enum Pending {
    Concealed(Seat),
    Claimed(Seat, Seat),
    Added(Seat, bool),
    Flower(Seat, Tile),
}

struct Derived<'a> {
    rules: &'a Rules,
    pending: Option<Pending>,
    drawn: Option<Kind>,
    kongs: [[i64; 4]; 4],
    /// How often each row was paid.
    seen: std::collections::BTreeMap<&'static str, u32>,
}

fn all() -> impl Iterator<Item = Seat> {
    Seat::all(4)
}

/// Tiles of a hand, its melds included, that are of some kinds.
fn count(state: &DealState, seat: Seat, is: impl Fn(Kind) -> bool) -> i64 {
    let hand = state.hand(seat);
    let concealed = hand.tiles().filter_map(|tile| tile.kind());
    let melded = hand.melds().iter().flat_map(|meld| meld.group().tiles());
    concealed.chain(melded).filter(|&kind| is(kind)).count() as i64
}

fn is_wind(kind: Kind) -> bool {
    [Kind::EAST, Kind::SOUTH, Kind::WEST, Kind::NORTH].contains(&kind)
}

fn is_dragon(kind: Kind) -> bool {
    [Kind::RED, Kind::GREEN, Kind::WHITE].contains(&kind)
}

impl Derived<'_> {
    /// What the rows of a kong or of a flower pay.
    fn now(&mut self, state: &DealState, pending: Pending) -> Paid {
        let mut paid = Paid::new();
        let (Pending::Concealed(owner)
        | Pending::Claimed(owner, _)
        | Pending::Added(owner, _)
        | Pending::Flower(owner, _)) = pending;
        let laid = state.hand(owner).aside().flowers();
        for other in all().filter(|&seat| seat != owner) {
            let (points, row) = match pending {
                Pending::Concealed(_) => (3 * state.kongs().min(2) as i64, "kong"),
                Pending::Claimed(_, giver) => (if giver == other { 5 } else { 1 }, "kong"),
                Pending::Added(_, was_drawn) => (if was_drawn { 2 } else { 0 }, "kong"),
                Pending::Flower(_, tile) => {
                    let all_hi = "hi".chars().all(|letter| {
                        let mut letters = laid.iter().map(|one| Tile::flower(one).to_string());
                        letters.any(|other| other == letter.to_string())
                    });
                    let has_hi = all_hi && ["h", "i"].contains(&&*tile.to_string());
                    let is_dealer = [owner, other].contains(&Seat::EAST);
                    let is_paid = (laid.len() >= 2 || has_hi) && !is_dealer;
                    let points = (1 << laid.len().min(5)) - 1;
                    (if is_paid { points } else { 0 }, "flowers")
                }
            };
            if points > 0 {
                paid.push((other.index(), owner.index(), 2 * points, row));
                if row == "kong" {
                    self.kongs[owner.index()][other.index()] += 2 * points;
                }
            }
        }
        paid
    }

    /// What the rows of the end pay.
    fn at_end(&mut self, state: &DealState, part: &Outcome) -> Paid {
        let mut paid = Paid::new();
        let won = part.wins().first().copied();
        if let Some((winner, win)) = won {
            let points = part.settlement.scores[winner].as_ref().unwrap().points;
            let draws = win.is_self_draw();
            for other in all().filter(|&seat| seat != winner) {
                let gave = !draws && win.from == Some(other);
                let halves = match (draws, gave) {
                    (true, _) => points,
                    (_, true) => 2 * points,
                    _ => 0,
                };
                let dealer = [winner, other].contains(&Seat::EAST);
                let units = halves + 20 * i64::from(dealer);
                paid.push((other.index(), winner.index(), units, "win"));
            }
            let score = part.settlement.scores[winner].as_ref().unwrap();
            let is_pung = |group: &&Group| matches!(group.family(), Family::Pung | Family::Kong);
            let groups = score.arrangement();
            let pungs = groups.iter().filter(is_pung).count() as i64;
            let of_pair = score
                .winning_group()
                .is_some_and(|group| group.family() == Family::Pair);
            let points = pungs + 1 + if groups.len() == 5 { 0 } else { 7 };
            let others = all()
                .filter(|&seat| seat != winner && (win.is_self_draw() || win.from != Some(seat)));
            if pungs >= 2 || of_pair {
                paid.extend(
                    others.map(|other| (other.index(), winner.index(), 2 * points, "hand")),
                );
            }
        }
        let mut back = |from: Seat, row| {
            let owed = std::mem::take(&mut self.kongs[from.index()]);
            let to = owed.into_iter().enumerate();
            paid.extend(to.map(|(to, units)| (from.index(), to, units, row)));
        };
        if let Some((winner, win)) = won
            && let (false, Some(giver)) = (win.is_self_draw(), win.from)
            && !state.hand(winner).is_closed()
        {
            back(giver, "back");
        }
        if part.ending == Ending::Exhausted {
            let ready = |seat: Seat| part.ready.contains(seat);
            all()
                .filter(|&seat| !ready(seat))
                .for_each(|seat| back(seat, "refund"));
            for one in all().filter(|&seat| ready(seat)) {
                let points = 2 * count(state, one, is_dragon) + part.ready.len() as i64;
                let pays = |seat: &Seat| !ready(*seat) && !state.hand(*seat).is_closed();
                let others = all().filter(pays);
                paid.extend(others.map(|seat| (seat.index(), one.index(), 2 * points, "ready")));
            }
        }
        let winds = |seat| count(state, seat, is_wind);
        let many = all().any(|seat| winds(seat) > 3);
        for one in all().filter(|&seat| many && !state.hand(seat).is_closed()) {
            let kinds = Kind::all().filter(|&kind| count(state, one, |other| other == kind) > 0);
            let melds = state.hand(one).melds().len() as i64;
            let points = (winds(one) + 2) / 3 * 3 + kinds.count() as i64 / 4 * 4 + melds.max(2) / 2;
            let others = all().filter(|&seat| seat != one && winds(seat) > 0);
            paid.extend(others.map(|seat| (seat.index(), one.index(), 2 * points, "end")));
        }
        paid.retain(|(from, to, units, _)| from != to && *units != 0);
        paid
    }
}

impl Observer for Derived<'_> {
    fn deal_started(&mut self, _: &DealState) {
        self.kongs = [[0; 4]; 4];
        self.pending = None;
    }

    fn event(&mut self, state: &DealState, event: &Event) {
        match *event {
            Event::Drew { tile, .. } => {
                // What was to be paid was paid before the replacement.
                if let Some(pending) = self.pending.take() {
                    assert_eq!(self.now(state, pending), []);
                }
                self.drawn = tile.and_then(|tile| tile.kind());
            }
            Event::ConcealedKong { seat, .. } => self.pending = Some(Pending::Concealed(seat)),
            Event::Claimed {
                seat, from, tiles, ..
            } => {
                self.drawn = None;
                let is_kong = tiles.group().family() == Family::Kong;
                self.pending = is_kong.then_some(Pending::Claimed(seat, from));
            }
            Event::AddedKong { seat, tile, .. } => {
                let was_drawn = self.drawn == tile.kind();
                self.pending = Some(Pending::Added(seat, was_drawn));
            }
            Event::LaidAside { seat, tile } => self.pending = Some(Pending::Flower(seat, tile)),
            _ => {}
        }
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let rows = self.rules.plan().payments().rows();
        let id = |reason| match reason {
            PaymentReason::Row { row, .. } | PaymentReason::Returned { row, .. } => {
                rows[usize::from(row)].id.as_str()
            }
            other => panic!("{other:?}"),
        };
        let payments = part.settlement.payments.iter();
        let mut found: Vec<_> = payments
            .map(|one| (one.from.index(), one.to.index(), one.units, id(one.reason)))
            .collect();
        let mut expected = match state.phase() {
            Phase::Over => self.at_end(state, part),
            _ => {
                let pending = self.pending.take().expect("a kong or a flower");
                self.now(state, pending)
            }
        };
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{:?}", part.ending);
        for (.., row) in expected {
            *self.seen.entry(row).or_default() += 1;
        }
    }
}

#[test]
fn rows_pay_what_they_say_in_random_games() {
    let rules = Rules::from_toml("rows.toml", ROWS).unwrap();
    assert_eq!(rules.plan().units_per_point(), 2);
    let mut derived = Derived {
        rules: &rules,
        pending: None,
        drawn: None,
        kongs: [[0; 4]; 4],
        seen: Default::default(),
    };
    for name in ["random", "greedy"] {
        let mut agents = agent::for_all(name, rules.plan()).unwrap();
        for game in 0..60 {
            simulate::play(&rules, &mut agents, game_seed(11, game), &mut derived).unwrap();
        }
    }
    let rows = [
        "back", "end", "flowers", "hand", "kong", "ready", "refund", "win",
    ];
    let seen: Vec<&str> = derived.seen.keys().copied().collect();
    assert_eq!(seen, rows, "{:?}", derived.seen);
}

fn load(extends: &str, rows: &str) -> Result<Rules, LoadError> {
    let text = format!("ruleset = {{ id = \"x\", extends = \"{extends}\" }}\n{rows}");
    Rules::from_toml("x.toml", &text)
}

/// Each with the ruleset that it extends, the rows and the fault.
#[test]
fn rows_that_cannot_be_are_refused_with_line_and_reason() {
    let row = |keys: &str| format!("[payments.x]\n{keys}");
    for (extends, keys, fault) in [
        (
            "mcr",
            "on = \"kongs\"\namount = \"1\"",
            "x.toml:3:6: `kongs` is no word for this key; did you mean `kong`?",
        ),
        (
            "mcr",
            "on = \"kong\"",
            "x.toml:2:1: [payments.x] has no `amount`",
        ),
        (
            "mcr",
            "on = \"kong\"\nwho = \"count(dragon) > 0\"\namount = \"1\"",
            "x.toml:4:7: `payments.x.who` asks for `count`, which is hidden while the deal goes on",
        ),
        (
            "sichuan",
            "on = \"win\"\nwhen = \"has(19t)\"\namount = \"1\"",
            "x.toml:4:8: `payments.x.when` asks for `has`, which is hidden while the deal goes on",
        ),
        (
            "sichuan",
            "on = \"win\"\nwhen = \"pairs(any) == 7\"\namount = \"1\"",
            "x.toml:4:8: `payments.x.when` asks for `melds`, which is hidden while the deal goes on",
        ),
        (
            "mcr",
            "on = \"kong\"\nwhen = \"form is standard\"\namount = \"1\"",
            "x.toml:4:8: `payments.x.when` asks for `form`, which is not known `on = \"kong\"`",
        ),
        (
            "mcr",
            "on = \"win\"\nwho = \"pairs(any) == 7\"\namount = \"1\"",
            "x.toml:4:7: `payments.x.who` asks for `melds`, which is about the winner's hand, so `who` and `seats(…)` do not know it",
        ),
        (
            "mcr",
            "on = \"win\"\nwho = \"gave and melds(pung, any, open) >= 3\"\namount = \"1\"",
            "x.toml:4:7: `payments.x.who` asks for `melds`, which is about the winner's hand, so `who` and `seats(…)` do not know it; they know `declared(…)`",
        ),
        (
            "mcr",
            "on = \"win\"\namount = \"seats(waits == 1)\"",
            "x.toml:4:10: `payments.x.amount` asks for `waits`, which is about the winner's hand, so `who` and `seats(…)` do not know it",
        ),
        (
            "mcr",
            "on = \"kong\"\nwhen = \"ready\"\namount = \"1\"",
            "x.toml:4:8: `payments.x.when` asks for `ready`, which is not known `on = \"kong\"`",
        ),
        (
            "mcr",
            "on = \"exhausted\"\namount = \"points\"",
            "x.toml:4:10: `payments.x.amount` asks for `points`, which is not known `on = \"exhausted\"`",
        ),
        (
            "mcr",
            "on = \"win\"\nwhen = \"with-dealer\"\namount = \"1\"",
            "x.toml:4:8: `payments.x.when` asks for `with-dealer`, which is about two seats, so only `who`, `amount` and `seats(…)` know it",
        ),
        (
            "mcr",
            "on = \"win\"\nwhen = \"worth == 1\"\namount = \"1\"",
            "x.toml:4:9: `worth` is not known here; it is a fact about the sums of patterns, where they become points",
        ),
        (
            "mcr",
            "on = \"win\"\namount = \"points - 8\"",
            "x.toml:4:10: `payments.x.amount` must be a number that is never negative, as `max(0, …)` is",
        ),
        (
            "mcr",
            "on = \"win\"\namount = \"points / 3\"",
            "x.toml:4:10: `payments.x.amount` must be a number of whole or half points",
        ),
        (
            "woo",
            "on = \"win\"\namount = \"points / 2\"",
            "x.toml:4:10: `payments.x.amount` must be a number of whole points; half points need `family = \"rows\"` in [settlement]",
        ),
        (
            "mcr",
            "on = \"win\"\namount = \"8 / kongs-in-row\"",
            "x.toml:4:15: `kongs-in-row` may be less than 1, and nothing is divided by that",
        ),
        (
            "mcr",
            "on = \"exhausted\"\nreturns = \"kongs\"",
            "x.toml:4:11: `kongs` is no account of a row of [payments]",
        ),
        (
            "sichuan",
            "on = \"exhausted\"\nreturns = \"kong\"",
            "x.toml:4:11: `kong` is no account of a row of [payments]; did you mean `kongs`?",
        ),
        (
            "sichuan",
            "on = \"kong\"\namount = \"1\"\naccount = \"others\"",
            "x.toml:2:1: 2 accounts of payments that may be returned, a ruleset may have 1",
        ),
        (
            "mcr",
            "on = \"win\"\namount = \"1\"\naccount = \"wins\"",
            "x.toml:5:1: `payments.x.account` needs `on = \"kong\"` or `on = \"aside\"`",
        ),
        (
            "sichuan",
            "on = \"win\"\nreturns = \"kongs\"\namount = \"1\"",
            "x.toml:5:1: `payments.x.amount` conflicts with `payments.x.returns`: a row that returns payments pays nothing else",
        ),
        (
            "sichuan",
            "on = \"aside\"\namount = \"1\"",
            "x.toml:3:1: `payments.x.on` needs a row of [aside] with tiles in play",
        ),
        (
            "riichi-tenhou",
            "on = \"win\"\namount = \"points\"",
            "x.toml:3:1: `payments.x.on` conflicts with `settlement.family`: the family `riichi` pays for wins",
        ),
        (
            "mcr",
            "on = \"win\"\namount = \"1\"\nwhom = \"dealer\"",
            "x.toml:5:1: unknown key `whom` in [payments.x]; did you mean `who`?",
        ),
    ] {
        let error = load(extends, &row(keys)).err();
        let error = error.unwrap_or_else(|| panic!("loads: {keys}"));
        assert_eq!(error.to_string(), fault, "{keys}");
    }
    let error = load("woo", "settlement = { family = \"rows\" }").unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with("`settlement.family` needs a row `on = \"win\"` in [payments]"),
        "{text}"
    );
}

/// Three pungs of dragons, the last of them fed by North: rows say what a liable seat pays.
#[test]
fn rows_say_what_a_liable_seat_pays() {
    let load = |rows: &str| {
        let text = format!(
            "ruleset = {{ id = \"liable\", extends = \"hong-kong-old-style\" }}\n\
             [patterns.fed]\ndoubles = 1\nwhen = \"melds(pung, dragon) == 3\"\n\
             liable = {{ families = [\"pung\"], class = \"dragon\", meld = 3 }}\n{rows}"
        );
        Rules::from_toml("liable.toml", &text)
    };
    let deltas = |rows: &str, win: &str| {
        let rules = load(rows).unwrap();
        let request = format!(
            r#"{{"type": "settle", "round": "E", "wins": [{{"seat": "E", "tile": "4t", {win}}}], "players": [
                {{"seat": "E", "hand": "23t55m", "melds": [
                    {{"tiles": "CCC", "from": "S"}}, {{"tiles": "FFF", "from": "W"}}, {{"tiles": "PPP", "from": "N"}}]}},
                {{"seat": "S", "hand": "147t258s369mESWN"}}, {{"seat": "W", "hand": "147t258s369mESWN"}},
                {{"seat": "N", "hand": "147t258s369mESWN"}}]}}"#
        );
        let request: Value = serde_json::from_str(&request).unwrap();
        let request = read_settle(rules.plan(), &request).unwrap();
        let settlement = request.check(&rules).unwrap().settle().unwrap();
        all()
            .map(|seat| settlement.deltas[seat])
            .collect::<Vec<_>>()
    };
    let (drawn, given) = (r#""by": "wall""#, r#""by": "discard", "from": "W""#);
    // No row asks: a liable seat pays for the others, but only if the winner drew the tile.
    let usual = deltas("", drawn);
    assert_eq!(usual, [usual[0], 0, 0, -usual[0]]);
    let usual = deltas("", given);
    assert_eq!(usual, [usual[0], 0, -usual[0], 0]);
    let rows = "[payments.win]\namount = \"if(seats(liable) == 0, points, if(liable, 100, 0))\"\n\
                [payments.other]\non = \"win\"\nwhen = \"seats(liable) == 1\"\nwho = \"not liable\"\namount = 3\n";
    let rows = rows.replace("amount = 3", "amount = \"3\"");
    assert_eq!(deltas(&rows, drawn), [106, -3, -3, -100]);
    assert_eq!(deltas(&rows, given), [106, -3, -3, -100]);
    let two = load("[payments.win]\nwhen = \"liable\"\n").unwrap_err();
    assert!(
        two.to_string().contains("which is about two seats"),
        "{two}"
    );
    let early =
        load("[payments.kongs]\non = \"kong\"\nwho = \"liable\"\namount = \"1\"\n").unwrap_err();
    assert!(
        early
            .to_string()
            .contains("which is not known `on = \"kong\"`"),
        "{early}"
    );
}

/// Rows of a win know the winner's hand as it is read, with what wild tiles stand for and what it waited for.
#[test]
fn rows_ask_about_the_winners_hand() {
    let deltas = |extends: &str, when: &str, player: &str| {
        let rows = format!("[payments.x]\non = \"win\"\nwhen = \"{when}\"\namount = \"1000\"\n");
        let rules = load(extends, &rows).unwrap();
        let other = |seat| format!(r#"{{"seat": "{seat}", "hand": "179t258s369mESWN"}}"#);
        let request = format!(
            r#"{{"type": "settle", "round": "E", "wins": [{{"seat": "E", "tile": "4t", "by": "wall"}}],
                "players": [{{"seat": "E", {player}}}, {}, {}, {}]}}"#,
            other("S"),
            other("W"),
            other("N")
        );
        let request: Value = serde_json::from_str(&request).unwrap();
        let request = read_settle(rules.plan(), &request).unwrap();
        let settlement = request.check(&rules).unwrap().settle().unwrap();
        settlement.deltas[Seat::EAST] / rules.plan().units_per_point()
    };
    let (sides, pairs) = (
        r#""hand": "23t55m789sFFFCCC""#,
        r#""hand": "4t1122m4477s99sPP""#,
    );
    let (wild, hong_kong) = (r#""hand": "P333444777sFFF""#, "hong-kong-old-style");
    for (extends, when, player, meets) in [
        (hong_kong, "waits == 2", sides, true),
        (hong_kong, "waits == 1", sides, false),
        (hong_kong, "melds(pung, any) == 2", sides, true),
        (hong_kong, "winning-place is middle", sides, false),
        (hong_kong, "form is standard", sides, true),
        ("hangzhou", "form is seven-pairs", pairs, true),
        ("hangzhou", "has-groups(pair 4 a)", wild, true),
        ("hangzhou", "has-groups(pair 7 a)", wild, false),
    ] {
        let without = deltas(extends, "not winner", player);
        let more = deltas(extends, when, player) - without;
        assert_eq!(more, if meets { 3000 } else { 0 }, "{extends}: {when}");
    }
}

const KNOWN: &str = r#"
ruleset = { id = "known", extends = "hong-kong-old-style" }
win.when = "round is not S or self-draw"
patterns.west-round = { doubles = 1, when = "winner and round is W" }
[payments.fed]
on = "win"
who = "gave and declared(pung|kong, any, open) >= 2"
amount = "if(round is W, 9, 2) * (players - 1)"
[payments.kongs]
on = "kong"
when = "round is not E"
who = "declared(any, any) >= 1"
amount = "declared(kong, any) + seats(declared(kong, any, concealed) >= 1)"
[payments.end]
on = "exhausted"
who = "round is E and declared(chow, any) == 0"
amount = "declared(any, any)"
"#;

struct KnownFacts<'a> {
    rules: &'a Rules,
    owner: Seat,
    seen: std::collections::BTreeMap<&'static str, u32>,
}

/// The melds of a seat that the table shows, of a kind.
fn melds(state: &DealState, seat: Seat, is: impl Fn(&Meld) -> bool) -> i64 {
    let melds = state.hand(seat).melds().iter();
    melds.filter(|meld| is(meld)).count() as i64
}

impl KnownFacts<'_> {
    fn note(&mut self, row: &'static str) {
        *self.seen.entry(row).or_default() += 1;
    }

    /// What the rows pay.
    fn expected(&self, state: &DealState, part: &Outcome) -> Paid {
        let (round, mut paid) = (state.round(), Paid::new());
        let is_kong = |meld: &Meld| meld.group().family() == Family::Kong;
        let alike = |meld: &Meld| meld.is_open() && !meld.group().family().is_run();
        let others = |one| all().filter(move |&seat| seat != one);
        for &(winner, win) in part.wins() {
            let points = if round == Wind::West { 9 } else { 2 } * 3;
            let fed = |seat: &Seat| win.from == Some(*seat) && melds(state, *seat, alike) >= 2;
            let from = others(winner).filter(fed);
            paid.extend(from.map(|seat| (seat.index(), winner.index(), points, "fed")));
        }
        if part.ending == Ending::Exhausted && round == Wind::East {
            let no_run =
                |seat: &Seat| melds(state, *seat, |meld| meld.group().family().is_run()) == 0;
            for one in all() {
                let points = melds(state, one, |_| true);
                let from = others(one).filter(no_run);
                paid.extend(from.map(|seat| (seat.index(), one.index(), points, "end")));
            }
        }
        if *state.phase() != Phase::Over && round != Wind::East {
            let hidden =
                |seat: &Seat| melds(state, *seat, |meld| is_kong(meld) && !meld.is_open()) > 0;
            let points = melds(state, self.owner, is_kong) + all().filter(hidden).count() as i64;
            let from = others(self.owner).filter(|&seat| melds(state, seat, |_| true) > 0);
            paid.extend(from.map(|seat| (seat.index(), self.owner.index(), points, "kongs")));
        }
        paid.retain(|(.., units, _)| *units != 0);
        paid
    }
}

impl Observer for KnownFacts<'_> {
    fn event(&mut self, _: &DealState, event: &Event) {
        if let Event::ConcealedKong { seat, .. }
        | Event::AddedKong { seat, .. }
        | Event::Claimed { seat, .. } = *event
        {
            self.owner = seat;
        }
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let plan = self.rules.plan();
        let of_row = |row: u8| &*plan.payments().rows()[usize::from(row)].id;
        let payments = part.settlement.payments.iter();
        let own = payments.filter_map(|one| match one.reason {
            PaymentReason::Row { row, .. } if of_row(row) != "win" => Some((
                one.from.index(),
                one.to.index(),
                one.units / plan.units_per_point(),
                of_row(row),
            )),
            _ => None,
        });
        let mut found: Vec<_> = own.collect();
        let mut expected = self.expected(state, part);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{:?} {:?}", part.ending, state.round());
        expected.iter().for_each(|(.., row)| self.note(row));
    }

    fn deal_ended(&mut self, series: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        let (plan, round) = (series.plan(), state.round());
        for (seat, win) in outcome.wins() {
            assert!(round != Wind::South || win.way.is_self_draw());
            let score = outcome.settlement.scores[*seat].as_ref().unwrap();
            let patterns = plan.score().patterns();
            let of_round = |place: u16| patterns[usize::from(place)].id == "west-round";
            let has_it = score.lines.iter().any(|line| of_round(line.pattern));
            assert_eq!(has_it, round == Wind::West);
            self.note(if has_it { "west" } else { "not west" });
        }
        if outcome.wins().is_empty() {
            return;
        }
        let request = settle_request(plan, &Request::of_deal(plan, state, outcome));
        let text = serde_json::to_string(&request).unwrap();
        let request = read_settle(plan, &serde_json::from_str(&text).unwrap()).unwrap();
        let again = request.check(self.rules).unwrap().settle().unwrap();
        // A request does not say which kongs were paid.
        let mut paid = outcome.settlement.payments.to_vec();
        paid.retain(
            |one| !matches!(one.reason, PaymentReason::Row { on, .. } if on == PaymentHook::Kong),
        );
        assert_eq!(again.payments.to_vec(), paid, "{text}");
        assert_eq!(again.scores, outcome.settlement.scores, "{text}");
    }
}

/// Patterns, `[win] when` and rows know the round, the players and the declared melds of each seat: at the table, and where the
/// deal is settled again.
#[test]
fn rounds_players_and_declared_melds_are_known_in_whole_games() {
    let source = Source::text("known.toml", KNOWN);
    let lints = lint::lint(&source, &[]).unwrap();
    let of_file = lints.iter().filter(|lint| lint.file == "known.toml");
    assert_eq!(of_file.count(), 0, "{lints:?}");
    let rules = Rules::from_toml("known.toml", KNOWN).unwrap();
    let mut facts = KnownFacts {
        rules: &rules,
        owner: Seat::EAST,
        seen: Default::default(),
    };
    for (name, games) in [("random", 10), ("greedy", 20)] {
        let mut agents = agent::for_all(name, rules.plan()).unwrap();
        for game in 0..games {
            simulate::play(&rules, &mut agents, game_seed(48, game), &mut facts).unwrap();
        }
    }
    let rows = ["end", "fed", "kongs", "not west", "west"];
    let seen: Vec<&str> = facts.seen.keys().copied().collect();
    assert_eq!(seen, rows, "{:?}", facts.seen);
    // What a win brings is told for its round.
    let gain = |round| {
        rules
            .plan()
            .win_gain(16, Seat::EAST, round, Some(Seat::SOUTH))
    };
    assert_eq!(gain(Wind::East), gain(Wind::West));
    let rows = "[payments.east]\non = \"win\"\nwhen = \"round is E\"\namount = \"5\"\n";
    let rules = load("hong-kong-old-style", rows).unwrap();
    let gain = |round| {
        rules
            .plan()
            .win_gain(16, Seat::EAST, round, Some(Seat::SOUTH))
    };
    let more = gain(Wind::East) - gain(Wind::West);
    assert_eq!(more, 15 * rules.plan().units_per_point());
}

/// A liability that no settlement asks for is found.
#[test]
fn a_liability_without_effect_is_a_lint() {
    let lints = |lines: &str| {
        let text = format!(
            "ruleset = {{ id = \"liable\", extends = \"hong-kong-old-style\" }}\n\
             [patterns.fed]\ndoubles = 1\nwhen = \"melds(pung, dragon) == 3\"\n\
             liable = {{ families = [\"pung\"], class = \"dragon\", meld = 3 }}\n{lines}"
        );
        let source = Source::text("liable.toml", &text);
        let lints = lint::lint(&source, &[]).unwrap();
        lints.iter().any(|lint| {
            lint.message
                .contains("`patterns.fed.liable` changes nothing")
        })
    };
    assert!(!lints(""));
    assert!(lints(
        "[settlement]\nfamily = \"all-pay\"\n[payments.win]\nenabled = false\n"
    ));
}
