use super::*;
use crate::counts::Counts;
use crate::hand::Hand;
use crate::meld::Meld;
use crate::random::Stream;
use crate::ruleset::{self, Plan, Rules};
use crate::score::reading::{ReadGroup, WaitCounts};
use crate::seat::Seat;
use crate::state::{Way, Win};
use crate::tile::{Kind, Tile, Wind};

/// Makes random readings. Some are impossible, with five copies of a kind or claimed pairs. Compiled patterns
/// are evaluated on them, too.
struct Chance<'a> {
    plan: &'a Plan,
    stream: Stream,
    kinds: Vec<Kind>,
}

impl<'a> Chance<'a> {
    fn new(plan: &'a Plan) -> Self {
        let kinds = plan.tiles.copies().kinds().iter().collect();
        let stream = Stream::new(7, 1);
        Self {
            plan,
            stream,
            kinds,
        }
    }

    fn pick(&mut self, count: usize) -> usize {
        self.stream.below(count as u32) as usize
    }

    fn kind(&mut self) -> Kind {
        let place = self.pick(self.kinds.len());
        self.kinds[place]
    }

    fn group(&mut self) -> Group {
        // Often of few kinds, so that pungs in three suits and the like turn up.
        let kind = match self.pick(3) {
            0 => self.kind(),
            1 => {
                let back = 1 + self.pick(5.min(self.kinds.len()));
                self.kinds[self.kinds.len() - back]
            }
            _ => Kind::number(Suit::ALL[self.pick(3)], crate::tile::Rank::FIVE),
        };
        let shapes = self.plan.decomposer.grammar().shapes().len();
        let shape = match self.pick(2) {
            0 => self.pick(shapes.max(1)),
            _ => self.pick(3).min(shapes.saturating_sub(1)),
        };
        let shape = self.plan.decomposer.grammar().shapes().nth(shape);
        let run = shape.map(|(_, shape)| shape.group(Suit::ALL[self.pick(3)]));
        match (self.pick(8), run) {
            (0, _) => Group::pair(kind),
            (1, _) => Group::kong(kind),
            (2 | 3, _) | (_, None) => Group::pung(kind),
            (_, Some(run)) => run,
        }
    }

    /// Makes a reading and shows it to `look`.
    fn reading(&mut self, look: impl FnOnce(&Reading<'_>)) {
        let players = self.plan.players;
        let seat = Seat::EAST.after(self.pick(players), players);
        let mut groups: Vec<ReadGroup> = Vec::new();
        let mut hand = Hand::new();
        let mut tiles = Counts::EMPTY;
        for _ in 0..self.pick(6) {
            let group = self.group();
            let again = groups.last().map(|last| last.group);
            let group = again.filter(|_| self.pick(4) == 0).unwrap_or(group);
            let (declared, open) = (self.pick(3) == 0, self.pick(2) == 0);
            groups.push(ReadGroup::new(group, declared && open, declared));
            if declared && hand.melds.len() < 4 {
                let mut meld = Meld::of_own(group);
                meld.open = open;
                hand.melds.push(meld);
            }
            group.tiles().for_each(|kind| {
                tiles.try_add(kind);
            });
        }
        for _ in 0..self.pick(3) {
            tiles.try_add(self.kind());
        }
        // Concealed tiles before substitution: some alike, and wild ones.
        let wild = self.plan.decomposer.wild();
        let alike = wild.first().filter(|_| self.pick(2) == 0);
        let alike = alike.unwrap_or_else(|| self.kind());
        for _ in 0..self.pick(5) {
            hand.add(alike.into());
        }
        // Some flowers, none or all.
        let chance = self.pick(4);
        for flower in self.plan.tiles.flowers().iter() {
            if self.pick(3) < chance {
                hand.aside.add(Tile::flower(flower));
            }
        }
        let winning = groups.iter().position(|group| !group.declared);
        let last = winning.map_or(self.kinds[0], |at| groups[at].group.kinds()[self.pick(3)]);
        let ways = Way::WORDS.map(|(_, way)| way);
        let mut win = Win {
            tile: Tile::plain(last),
            way: ways[self.pick(ways.len())],
            from: None,
            flags: Default::default(),
            kongs_in_row: self.pick(4) as u8,
        };
        if !win.way.is_self_draw() {
            win.from = Some(seat.after(1, players));
        }
        for flag in 0..self.plan.flags.len() {
            if self.pick(6) == 0 {
                win.flags.insert(flag);
            }
        }
        let indicators = [Tile::plain(self.kind())];
        let round = Wind::ALL[self.pick(4)];
        let won = self.pick(8) > 0;
        let win = won.then_some(&win);
        look(&Reading {
            groups: &groups,
            winning: winning.filter(|_| won),
            form: if self.pick(4) == 0 {
                self.pick(4) as u8
            } else {
                0
            },
            tiles,
            number_zeros: self.pick(2) as u8,
            bonus: &indicators[..self.pick(2)],
            ura: &indicators[..self.pick(2)],
            players,
            wild,
            waits: WaitCounts {
                left: self.pick(2) as u8,
                open: self.pick(2) as u8,
                all: self.pick(3) as u8,
                natural: self.pick(3) as u8,
            },
            ..Reading::circumstances(&self.plan.tiles, &hand, seat, round, win)
        });
    }
}

/// Compares compiled patterns and fu rows with conditions evaluated one by one. Returns how many patterns
/// counted in some reading, and how many in none.
fn check(plan: &Plan, readings: usize) -> (usize, usize) {
    let compiled = Compiled::new(
        plan.score.patterns(),
        plan.score.family(),
        plan.decomposer.grammar(),
    );
    let mut chance = Chance::new(plan);
    let (mut found, mut bits) = (vec![0; plan.score.patterns().len()], ReadingBits::new());
    for _ in 0..readings {
        chance.reading(|reading| {
            // The bits are used again, as for the arrangements of a hand.
            compiled.fill_hand(reading, &mut bits);
            compiled.fill_groups(reading, &mut bits);
            compiled.fill_reading(reading, &mut bits);
            let mut lines = Lines::new();
            let possible = compiled
                .relations
                .possible(&compiled.relations.made(reading));
            let patterns = plan.score.patterns();
            compiled.count_known(patterns, reading, &bits, Some(&possible), &mut lines);
            let asked: Lines = ask_all(plan.score.patterns(), reading).collect();
            assert_eq!(lines, asked, "{}: {reading:?}", plan.id);
            for line in lines {
                found[usize::from(line.pattern)] += 1;
            }
            if let ScoreFamily::HanFu(rules) = plan.score.family() {
                assert_eq!(compiled.fu(rules, reading, &bits), rules.fu_of(reading));
            }
        });
    }
    let counted = found.iter().filter(|&&times| times > 0).count();
    (counted, found.len() - counted)
}

#[test]
fn compiled_patterns_count_what_conditions_say_one_by_one() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let (counted, never) = check(rules.plan(), 20_000);
        // Readings at random have none of its forms.
        if !rules.plan().decomposer.grammar().standard {
            continue;
        }
        // A pattern may be switched off, or so rare that twenty thousand readings have none. No reading at random has kinds that
        // a turned tile makes wild.
        assert!(
            counted > 2 * never,
            "{id}: {counted} counted, {never} never"
        );
    }
}

/// More questions than there are bits, sums of facts, too many alternatives, and patterns beyond the first
/// 64.
#[test]
fn what_has_no_bit_is_asked() {
    let mut text = "[ruleset]\nid = \"my\"\nextends = \"uzje\"\n".to_owned();
    let two = |i: usize| format!("{}t|{}s", 1 + i % 9, 1 + i % 5);
    for i in 0..400 {
        let tiles = format!("{}|{}m", two(i), 1 + i % 7);
        let when = match i % 5 {
            0 => format!("melds(any, {tiles}) + pairs({tiles}) == {}", i % 3),
            1 => format!("melds(arith|pung, {tiles}|E) >= 2 or not has({tiles}) and suits <= 2"),
            2 => format!(
                "kinds({tiles}) - suits >= {} and count({tiles}) != 3",
                i % 3
            ),
            3 => format!("groups-with({tiles}) > 1 and twin-melds < 2 or same-run-in-suits == 2"),
            _ => {
                let part = |n: usize| format!("(melds(any, {}) == 1 or closed)", two(i + n));
                (0..8).map(part).collect::<Vec<_>>().join(" and ")
            }
        };
        text += &format!("[patterns.p{i}]\nfan = 1\nwhen = \"{when}\"\n");
    }
    let rules = Rules::from_toml("my.toml", &text).unwrap();
    let (counted, never) = check(rules.plan(), 3_000);
    assert!(counted > 3 * never, "{counted} counted, {never} never");
}

/// A class written in two ways has one bit. A condition that requires one way and excludes the other never holds.
#[test]
fn one_class_in_two_words_contradicts_itself() {
    let text = "[ruleset]\nid = \"my\"\nextends = \"woo\"\n[patterns.x]\nbase = 2\n\
                when = \"has(1t|2t) and not has(1t|2t|3t except 3t)\"\n";
    let rules = Rules::from_toml("my.toml", text).unwrap();
    check(rules.plan(), 2_000);
}

/// A meld that the grammar does not know has no row. Its patterns are evaluated all the same.
#[test]
fn a_group_that_nobody_knows_is_scored() {
    let rules = Rules::by_id("woo").unwrap();
    let plan = rules.plan();
    let shapes = Rules::by_id("uzje").unwrap();
    let (_, strange) = shapes.plan().decomposer.grammar().shapes().last().unwrap();
    let groups = [ReadGroup::new(strange.group(Suit::Circles), true, true)];
    let hand = Hand::new();
    let circumstances = Reading::circumstances(&plan.tiles, &hand, Seat::EAST, Wind::East, None);
    let reading = Reading {
        groups: &groups,
        ..circumstances
    };
    let compiled = Compiled::new(
        plan.score.patterns(),
        plan.score.family(),
        plan.decomposer.grammar(),
    );
    let bits = compiled.bits(&reading);
    assert!(bits.has_unknown_group);
    let mut lines = Lines::new();
    compiled.count(plan.score.patterns(), &reading, &bits, &mut lines);
    let asked: Lines = ask_all(plan.score.patterns(), &reading).collect();
    assert_eq!(lines.len(), asked.len());
}
