//! What a plan says, in sentences. Every sentence follows from the plan.

use crate::decimal::Number;
use crate::decompose::{FormItem, FormRank, FormSuit, FormTiles, SpecialForm};
use crate::illustrate;
use crate::lang::{Lang, Names};
use crate::meld::Family;
use crate::notation::Notation;
use crate::ruleset::{
    AddedTo, ClaimKind, DealerKeepsOn, DealtAside, FirstDealer, IndicatorTurn, KongAfterClaim,
    KongInRiichi, MatchEnd, NextDealer, OpeningStep, PassTo, Plan, TurnedOn, WildStep, WildSwap,
    Winners,
};
use crate::score::condition;
use crate::score::{
    ChowFrom, FamilySet, PaymentHook, PaymentRow, ScoreFamily, SettlementRules, Tie,
};
use crate::set::KindSet;
use crate::state::{OpeningChoice, Way};
use crate::tile::{Kind, Suit, Tile};
use crate::wall::{BackOrder, DiceSum, IndicatorOrder, SpareStacks};

/// A chapter: its title and its sentences.
pub(super) struct Chapter {
    pub(super) title: &'static str,
    pub(super) lines: Vec<String>,
}

/// The chapters that a plan can be put in words with alone.
pub(super) fn chapters(plan: &Plan, lang: Lang) -> Vec<Chapter> {
    let words = Words { plan, lang };
    let chapter = |title, lines| Chapter { title, lines };
    vec![
        chapter("The tiles", words.tiles()),
        chapter("The wall", words.wall()),
        chapter("The deal", words.deal()),
        chapter("The turn", words.turn()),
        chapter("Claims", words.claims()),
        chapter("Winning", words.winning()),
        chapter("From patterns to points", words.points()),
        chapter("Settlement", words.settlement()),
        chapter("The match", words.matches()),
        chapter("Penalties", words.penalties()),
    ]
}

/// A pattern in a line, for the comparison of options.
pub(super) fn pattern_lines(plan: &Plan, lang: Lang) -> Vec<String> {
    let score = &plan.score;
    let all = score.patterns().iter();
    let patterns = all.filter(|one| illustrate::can_count(plan, one));
    let mut lines: Vec<String> = patterns
        .map(|one| {
            let times = one.per.as_ref().map_or("", |_| " each time");
            let value = score.in_words(one.value);
            format!("{}: {value}{times}. {}", one.names.get(lang), one.doc)
        })
        .collect();
    if let ScoreFamily::HanFu(rules) = score.family() {
        lines.extend(
            rules
                .fu
                .iter()
                .map(|row| format!("{} fu: {}", row.fu, row.doc)),
        );
    }
    lines
}

pub(super) fn count(number: usize, one: &str, several: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {several}"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(parts: &[T], last: &str) -> String {
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    match parts.split_last() {
        None => String::new(),
        Some((one, [])) => (*one).to_owned(),
        Some((one, others)) => format!("{} {last} {one}", others.join(", ")),
    }
}

/// What groups of a family are called. `is_in_row` if all runs are three ranks in a row.
pub(super) const fn family(family: Family, is_in_row: bool) -> &'static str {
    match family {
        Family::Arith if is_in_row => "run",
        Family::Pair => "pair",
        Family::Pung => "pung",
        Family::Kong => "kong",
        Family::Quint => "quint",
        Family::Sextet => "sextet",
        Family::Arith => "run in equal steps",
        Family::Gem => "run in geometric progression",
        Family::Power => "run of powers",
    }
}

pub(super) const fn way(way: Way) -> &'static str {
    match way {
        Way::Wall => "on a tile drawn from the wall",
        Way::Replacement => "on a replacement tile",
        Way::Discard => "on a discard",
        Way::RobbedKong => "by robbing a tile of another player",
        Way::Turned => "on the turned tile before the first turn",
    }
}

struct Words<'a> {
    plan: &'a Plan,
    lang: Lang,
}

impl Words<'_> {
    fn kinds(kinds: KindSet) -> String {
        Notation::Ujmj.print(kinds.iter().map(Tile::plain))
    }

    fn families(&self, set: FamilySet) -> String {
        let grammar = self.plan.decomposer.grammar();
        let mut shapes = grammar.shapes();
        let is_in_row = shapes.all(|(_, shape)| shape.group(Suit::Circles).is_consecutive());
        let is_there = |one: Family| one == Family::Pair || grammar.has(one);
        let named = Family::ALL
            .into_iter()
            .filter(|&one| set.contains(one) && is_there(one));
        let named: Vec<&str> = named.map(|one| family(one, is_in_row)).collect();
        listed(&named, "or")
    }

    fn tiles(&self) -> Vec<String> {
        let plan = self.plan;
        let set = &plan.tiles;
        // Kinds that must be laid aside are bonus tiles like flowers.
        let laid = plan.play.aside.forced().intersection(set.kinds());
        let held = set.kinds().difference(laid);
        let kinds = count(held.len(), "kind", "kinds");
        let tiles: usize = held
            .iter()
            .map(|kind| usize::from(set.copies().get(kind)))
            .sum();
        let mut out = vec![match set.len() - tiles {
            0 => format!(
                "The set has {} of {kinds}.",
                count(set.len(), "tile", "tiles")
            ),
            bonus => format!(
                "The set has {}: {tiles} of {kinds}, and {}.",
                count(set.len(), "tile", "tiles"),
                count(bonus, "bonus tile", "bonus tiles")
            ),
        }];
        if !laid.is_empty() {
            let also = match set.flowers().is_empty() {
                true => "Bonus tiles are",
                false => "Bonus tiles are the flowers and",
            };
            out.push(format!("{also}: {}.", self.names_of(laid).join(", ")));
        }
        for suit in Suit::ALL {
            match set.reds(suit) {
                0 => {}
                reds => out.push(format!(
                    "{} of the fives of {} {} red.",
                    reds,
                    plan.tile_names.suit(suit, self.lang),
                    if reds == 1 { "is" } else { "are" }
                )),
            }
        }
        match plan.play.wild.turned {
            None => {}
            Some(WildStep::Itself) => out.push(
                "Wild tiles: the other tiles of the kind that is turned face up. They stand for other tiles.".to_owned(),
            ),
            Some(WildStep::Next) => out.push(
                "Wild tiles: those of the next rank, wind or dragon after the tile that is turned face up. They stand for other tiles.".to_owned(),
            ),
        }
        let scopes = plan.decomposer.wild_scopes();
        let limited = scopes.iter().map(|scope| scope.kinds);
        let limited = limited.fold(KindSet::EMPTY, KindSet::union);
        let wild = plan.decomposer.wild().difference(limited);
        if !wild.is_empty() {
            out.push(format!(
                "Wild tiles: {}. They stand for other tiles.",
                self.names_of(wild).join(", ")
            ));
        }
        for scope in scopes {
            let in_suit = |suit: Suit| KindSet::of_lane(suit.lane()).intersection(scope.stands_for);
            let suits = Suit::ALL
                .into_iter()
                .filter(|&suit| !in_suit(suit).is_empty());
            let suits = suits.map(|suit| plan.tile_names.suit(suit, self.lang).to_owned());
            let honours = KindSet::of_lane(3).intersection(scope.stands_for);
            let all: Vec<String> = suits.chain(self.names_of(honours)).collect();
            out.push(format!(
                "Wild tiles: {}. They stand for tiles of these kinds in groups and the pair: {}.",
                self.names_of(scope.kinds).join(", "),
                all.join(", ")
            ));
        }
        out.extend(self.wild_in_forms());
        out
    }

    /// In which items of special hands wild tiles stand, where not in all.
    fn wild_in_forms(&self) -> Option<String> {
        let forms = &self.plan.decomposer.grammar().forms;
        let natural = &forms.first()?.natural;
        let named = |natural_too: bool| -> Vec<String> {
            let items = || forms.iter().flat_map(|form| form.ways.iter().flatten());
            let sizes = condition::ITEM_SIZES
                .iter()
                .filter(|(_, size)| natural.contains(size) == natural_too)
                .filter(|(_, size)| items().any(|item| item.alike() == *size));
            let name = |word: &str| match word {
                "single" => "single tiles".to_owned(),
                word => format!("{word}s"),
            };
            sizes.map(|(word, _)| name(word)).collect()
        };
        (!natural.is_empty()).then(|| {
            format!(
                "In special hands they stand in {}, not in {}.",
                listed(&named(false), "and"),
                listed(&named(true), "and")
            )
        })
    }

    /// True if tiles must be laid aside.
    fn lays_tiles(&self) -> bool {
        let set = &self.plan.tiles;
        let laid = self.plan.play.aside.forced();
        !set.flowers().is_empty() || !laid.intersection(set.kinds()).is_empty()
    }

    /// The names of kinds.
    fn names_of(&self, kinds: KindSet) -> Vec<String> {
        let name = |kind: Kind| self.plan.tile_names.tile(kind.into(), self.lang);
        kinds.iter().map(name).collect()
    }

    fn sum(which: DiceSum) -> String {
        match which {
            DiceSum::None => "no dice".to_owned(),
            DiceSum::Roll(roll) => format!("the sum of roll {}", roll + 1),
            DiceSum::All => "the sum of all dice".to_owned(),
            DiceSum::Lowest => "the lowest die".to_owned(),
        }
    }

    fn wall(&self) -> Vec<String> {
        let Plan {
            wall,
            tiles,
            players,
            ..
        } = self.plan;
        let height = usize::from(wall.height.max(1));
        let stacks = tiles.len() / height;
        let mut out = vec![format!(
            "The tiles are shuffled face down and built into {players} walls of stacks that are {} high: {} stacks.",
            count(height, "tile", "tiles"),
            stacks
        )];
        out.push(match (stacks % players, wall.spare_stacks) {
            (0, _) => format!("Each wall has {} stacks.", stacks / players),
            (spare, SpareStacks::Opposite) => format!(
                "Each wall has {} stacks, and {spare} walls have one more: the dealer's first, then the one opposite.",
                stacks / players
            ),
            (spare, SpareStacks::First) => format!(
                "Each wall has {} stacks, and {} one more.",
                stacks / players,
                match spare {
                    1 => "that of the first player has".to_owned(),
                    spare => format!("those of the first {spare} players have"),
                }
            ),
        });
        if tiles.len() % height > 0 {
            let over = count(tiles.len() % height, "tile fills", "tiles fill");
            out.push(format!("{over} no stack and come last."));
        }
        for (place, roll) in wall.rolls().iter().enumerate() {
            let dice = count(roll.dice.into(), "die", "dice");
            out.push(format!(
                "Roll {}: {dice} with {} sides.",
                place + 1,
                roll.sides
            ));
        }
        out.push(match wall.break_wall {
            DiceSum::None => "The dealer's wall is broken.".to_owned(),
            which => format!(
                "{} counts the players from the dealer, who is 1, and says whose wall is broken.",
                upper(&Self::sum(which))
            ),
        });
        let counted = match wall.break_count {
            DiceSum::None => "No stacks are counted from the right end of that wall".to_owned(),
            which => format!(
                "{} counts stacks from the right end of that wall",
                upper(&Self::sum(which))
            ),
        };
        out.push(match wall.draw_onward {
            true => format!("{counted}. Drawing begins at the stack after the last one counted."),
            false => format!(
                "{counted}. Drawing begins at the stack before the last one counted and goes back."
            ),
        });
        out.push(match wall.ring_with_turns {
            true => "Counting goes on with the wall of the next player in turn order.".to_owned(),
            false => "Counting goes on with the wall of the player before.".to_owned(),
        });
        if wall.reserve > 0 {
            let moves = match wall.reserve_moves {
                true => " Every replacement takes one more tile from the ordinary draws.",
                false => "",
            };
            out.push(format!(
                "Ordinary draws leave the last {} (the dead wall).{moves}",
                count(wall.reserve, "tile", "tiles")
            ));
        }
        let for_kongs =
            self.plan.decomposer.grammar().has_kong() && self.plan.play.kong_replacement;
        let has_replacements = for_kongs || self.lays_tiles() || wall.aside > 0;
        if has_replacements {
            out.push(match wall.back {
                BackOrder::FromEnd => "Replacements come from the very end of the wall.".to_owned(),
                BackOrder::ByStack => {
                    "Replacements come from the end of the wall, the upper tile of a stack first."
                        .to_owned()
                }
                BackOrder::BeforeReserve => {
                    "Replacements come from before the dead wall, backwards.".to_owned()
                }
            });
        }
        if let Some(most) = wall.most_replacements {
            out.push(format!(
                "There are at most {}.",
                count(most, "replacement", "replacements")
            ));
        }
        if wall.reserve_then_wall && self.lays_tiles() {
            out.push("When they are used up, flowers are replaced from the front of the wall; kongs are not.".to_owned());
        }
        match wall.indicators {
            None => {}
            Some(IndicatorOrder::TopsThenBottoms) => out.push(format!(
                "One tile of the dead wall lies face up: a bonus tile or indicator. Others are the upper tiles of the next stacks, then the lower ones, at most {} in all.",
                wall.indicators_at_most()
            )),
            Some(IndicatorOrder::TopsBeyondReplacements) => out.push(format!(
                "One tile of the dead wall lies face up: an indicator, on the first stack beyond the replacements. Others are the upper tiles of the next stacks, at most {} in all.",
                wall.indicators_at_most()
            )),
            Some(IndicatorOrder::Last) => out.push(
                "Once the tiles are dealt, the last tile of the wall that need not be laid aside is turned face up. Nobody draws it."
                    .to_owned(),
            ),
        }
        out
    }

    fn deal(&self) -> Vec<String> {
        let Plan { wall, play, .. } = self.plan;
        let packets: Vec<String> = wall.packets().iter().map(u8::to_string).collect();
        let sum: u32 = wall.packets().iter().map(|&tiles| u32::from(tiles)).sum();
        let first = if wall.dealer_first { "first" } else { "last" };
        let mut out = vec![format!(
            "Each player gets {sum} tiles in rounds of {}; the dealer is served {first}.",
            listed(&packets, "and")
        )];
        if self.lays_tiles() {
            out.push(match play.aside.dealt {
                DealtAside::OwnTurn => "Dealt bonus tiles are laid down and replaced by each player at the start of the first turn, before drawing.",
                DealtAside::AfterDraw => "Dealt bonus tiles are laid down and replaced by each player in the first turn, after drawing or claiming.",
                DealtAside::BeforePlay => "Dealt bonus tiles are laid down and replaced before the first draw, the dealer's first.",
            }.to_owned());
        }
        for (place, step) in self.plan.opening.iter().enumerate() {
            let when = match place {
                0 => "Before the first turn",
                _ => "Then",
            };
            out.push(format!("{when} {}", self.step(step)));
        }
        self.with_meanings(out)
    }

    /// What happens in a step before the first turn.
    fn step(&self, step: &OpeningStep) -> String {
        if let Some(rules) = step.passes() {
            let suit = match rules.same_suit {
                true => ", all of one suit if the hand has that many of any suit",
                false => "",
            };
            let to = rules.to().iter().map(|to| match to {
                PassTo::Next => "the next player",
                PassTo::Across => "the player opposite",
                PassTo::Previous => "the player before",
            });
            let to: Vec<&str> = to.collect();
            let tiles = count(rules.tiles.into(), "tile", "tiles");
            let barred = self.plan.tiles.copies().kinds().difference(rules.of);
            let barred = match (rules.of.is_empty(), barred.is_empty()) {
                (false, false) => format!(", none of {}", Self::kinds(barred)),
                _ => String::new(),
            };
            let suit = format!("{barred}{suit}");
            return match &to[..] {
                [one] => {
                    format!("every player passes {tiles} to {one}{suit}.")
                }
                _ => format!(
                    "every player passes {tiles} on{suit}. The sum of the dice is counted along this list and says to whom: {}.",
                    to.join(", ")
                ),
            };
        }
        match step.shows_text() {
            Some(text) => {
                let (name, doc) = (step.name_in(self.lang), &step.doc);
                let what = match doc.is_empty() {
                    true => format!("if the tiles meet `{text}`"),
                    false => doc.trim_end_matches('.').to_owned(),
                };
                format!("a player may show {name} to all others: {what}.")
            }
            None => "every player declares a suit that the winning hand will not have.".to_owned(),
        }
    }

    fn turn(&self) -> Vec<String> {
        let Plan {
            play,
            procedures,
            wall,
            ..
        } = self.plan;
        let kongs = self.plan.decomposer.grammar().has_kong();
        let mut out = vec![
            "A player on turn draws a tile from the wall, unless the turn began with a claimed tile, and may then win, do what follows here, or discard a tile.".to_owned(),
        ];
        if self.lays_tiles() {
            out.push("A drawn bonus tile is laid down and replaced.".to_owned());
        }
        if !play.lay_down.is_empty() {
            out.push(format!(
                "Concealed melds may be laid down: {}.",
                self.families(play.lay_down)
            ));
        }
        if kongs && !play.kong_replacement {
            out.push(
                "A kong draws no replacement: it takes four tiles of the hand, and can only be claimed."
                    .to_owned(),
            );
            let larger = self.plan.decomposer.grammar().larger();
            out.extend(larger.map(|larger| {
                let (name, tiles) = (family(larger, false), larger.tiles());
                format!("A {name} takes {tiles} tiles of the hand, and can only be claimed.")
            }));
        } else if kongs {
            out.push(match play.hidden_kongs {
                true => "Four tiles of a kind in the hand may be declared as a kong, which lies face down.",
                false => "Four tiles of a kind in the hand may be declared as a kong, which others see.",
            }.to_owned());
            let when = match play.added_when_drawn {
                true => ", if it was just drawn",
                false => "",
            };
            match play.added_to {
                AddedTo::None => {}
                AddedTo::Laid => out.push(format!(
                    "A fourth tile may be added to a pung that was laid down concealed{when}."
                )),
                AddedTo::Claimed => out.push(format!(
                    "A fourth tile may be added to a claimed pung{when}."
                )),
            }
            out.push(match play.kong_after_claim {
                KongAfterClaim::Never => "No kong may be declared in a turn that began with a claimed pung or run.",
                KongAfterClaim::AfterReplacement => "In a turn that began with a claimed pung or run a kong may be declared once a bonus tile has been replaced.",
                KongAfterClaim::Always => "A kong may be declared in a turn that began with a claimed pung or run, too.",
            }.to_owned());
            if let Some(most) = play.most_kongs {
                out.push(format!(
                    "A deal has at most {}.",
                    count(most.into(), "kong", "kongs")
                ));
            }
            out.push("After a kong the player draws a replacement.".to_owned());
            if play.kong_through_aside && self.lays_tiles() {
                out.push("If the replacement is a bonus tile, its replacement counts as drawn for the kong, too.".to_owned());
            }
            if wall.indicators_at_most() > 1 {
                let ways = [
                    "For a concealed kong",
                    "For a claimed kong",
                    "For an added kong",
                ];
                for (way, turn) in ways.iter().zip(play.indicator_turns) {
                    let when = match turn {
                        IndicatorTurn::Never => continue,
                        IndicatorTurn::AtOnce => "before the replacement is drawn",
                        IndicatorTurn::AfterReplacement => "after the replacement is drawn",
                        IndicatorTurn::AfterDiscard => "with the next discard",
                    };
                    out.push(format!("{way} another indicator is turned, {when}."));
                }
                if play.replacement_win_turns {
                    out.push(
                        "A win with the replacement first turns indicators that are due."
                            .to_owned(),
                    );
                }
            }
        }
        for kind in play.aside.by_choice().iter() {
            out.push(format!(
                "A {} may be laid aside for a replacement.",
                self.plan.tile_names.tile(kind.into(), self.lang)
            ));
        }
        if play.wild.discard {
            out.push(
                "Wild tiles may be discarded. Such a discard may be claimed for a win only."
                    .to_owned(),
            );
        }
        let whose = match play.wild.swap {
            WildSwap::Never => None,
            WildSwap::Own => Some("of their own"),
            WildSwap::Any => Some("of any player"),
        };
        if let Some(whose) = whose {
            let once = match play.wild.swap_after_claim {
                true => "drawn or claimed",
                false => "drawn",
            };
            out.push(format!("A player who has {once} a tile may put the tile that a joker stands for into a claimed meld {whose} and take the joker."));
        }
        if let Some(riichi) = &procedures.riichi {
            // A file may call it otherwise.
            let flag = riichi.flag.and_then(|flag| self.plan.flags.get(flag));
            let name = flag.map_or_else(|| "riichi".to_owned(), |flag| flag.id.replace('-', " "));
            out.push(format!("A player whose closed hand is ready after a discard may declare {name} with it. The hand does not change afterwards."));
            let deposit = self.plan.settlement.deposit();
            if deposit > 0 {
                out.push(format!(
                    "It costs a deposit of {deposit} points once nobody wins off the discard."
                ));
            }
            if riichi.live_tiles > 0 {
                out.push(format!(
                    "At least {} must be left to draw.",
                    count(riichi.live_tiles, "tile", "tiles")
                ));
            }
            if riichi.points > 0 {
                let per_point = self.plan.units_per_point();
                let points = Number::of_units(riichi.points, per_point);
                out.push(format!("The player must have {points} points."));
            }
            if let Some(when) = procedures.riichi_when() {
                out.push(format!("The player must meet `{when}`."));
            }
            if !riichi.while_furiten {
                out.push(format!("A player who has discarded a tile that completes the hand may not declare {name}."));
            }
            if kongs {
                out.push(match riichi.kongs {
                    KongInRiichi::None => format!("No kong may be declared in {name}."),
                    KongInRiichi::SameWaits => format!("In {name} a concealed kong with the tile just drawn may be declared if the waits stay the same."),
                    KongInRiichi::SameShape => format!("In {name} a concealed kong with the tile just drawn may be declared if the waits stay the same and its tiles are a pung in every way to complete the hand."),
                });
            }
        }
        if let Some(fishing) = &procedures.fishing {
            out.push("A player whose discard leaves a ready hand is calling, which is announced. With the first discard the player may announce a standing hand instead, which stays ready.".to_owned());
            if fishing.frozen {
                out.push(
                    "A standing player discards every drawn tile and declares no kong.".to_owned(),
                );
            }
        }
        if let Some(swap) = &procedures.swap_call {
            out.push(match swap.other_end {
                true => "After a claim neither the claimed kind may be discarded nor, after a run claimed at one end, the kind beyond its other end.",
                false => "After a claim the claimed kind may not be discarded.",
            }.to_owned());
        }
        out
    }

    fn winners(which: Winners) -> &'static str {
        match which {
            Winners::Nearest => "the first in turn order after the discarder wins alone",
            Winners::All => "all of them win",
            Winners::Nobody => "nobody wins and the deal is drawn",
        }
    }

    fn claim(&self, kind: ClaimKind) -> &'static str {
        match kind {
            ClaimKind::Win => "a win",
            ClaimKind::Kong => "a kong",
            ClaimKind::Pung => "a pung",
            ClaimKind::Chow => "a run",
            ClaimKind::Quint => "a quint",
            ClaimKind::Sextet => "a sextet",
        }
    }

    /// The claims from the highest rank to the lowest.
    pub(super) fn precedence(&self) -> Vec<Vec<&'static str>> {
        let grammar = self.plan.decomposer.grammar();
        let play = &self.plan.play;
        let is_there = |kind: ClaimKind| match kind {
            ClaimKind::Win => self.plan.ways().contains(&Way::Discard),
            ClaimKind::Kong => grammar.has_kong(),
            ClaimKind::Pung => grammar.has_pung(),
            ClaimKind::Chow => play.chow_from != ChowFrom::Nobody && grammar.shapes().len() > 0,
            ClaimKind::Quint => grammar.has(Family::Quint),
            ClaimKind::Sextet => grammar.has(Family::Sextet),
        };
        let mut ranks: Vec<_> = play
            .precedence
            .iter()
            .filter(|(kind, rank)| *rank > 0 && is_there(*kind))
            .collect();
        ranks.sort_by_key(|(_, rank)| std::cmp::Reverse(*rank));
        let groups = ranks.chunk_by(|one, other| one.1 == other.1);
        groups
            .map(|group| group.iter().map(|(kind, _)| self.claim(*kind)).collect())
            .collect()
    }

    fn claims(&self) -> Vec<String> {
        let Plan {
            play, procedures, ..
        } = self.plan;
        let ranks: Vec<String> = self
            .precedence()
            .iter()
            .map(|group| listed(group, "or"))
            .collect();
        let mut out = vec![
            "All players who could claim a tile answer before any answer counts.".to_owned(),
            format!(
                "Precedence of claims: {}. Of equal claims the nearest in turn order goes first.",
                ranks.join(", before ")
            ),
        ];
        if self.plan.decomposer.grammar().shapes().len() > 0 {
            out.push(
                match play.chow_from {
                    ChowFrom::Previous => "A run may be claimed only from the player before.",
                    ChowFrom::Next => "A run may be claimed only from the next player.",
                    ChowFrom::Any => "A run may be claimed from any player.",
                    ChowFrom::Nobody => "No run may be claimed.",
                }
                .to_owned(),
            );
        }
        if play.claimed_kong_on_laid {
            out.push(
                "A player who laid down a concealed pung may claim the fourth tile for a kong."
                    .to_owned(),
            );
        }
        if play.wild.claimed.any() {
            let claimed = play.wild.claimed;
            let most = [
                (claimed.pung, "in a pung"),
                (claimed.kong, "in a kong"),
                (claimed.quint, "in a quint"),
                (claimed.sextet, "in a sextet"),
                (claimed.chow, "in a run"),
            ];
            let most: Vec<String> = most
                .iter()
                .filter(|(most, _)| *most > 0)
                .map(|(most, place)| format!("{most} {place}"))
                .collect();
            let most = most.join(", ");
            out.push(format!("Jokers in claimed melds, at most: {most}."));
        }
        for (_, kind, _) in self.plan.conditions_of_claims() {
            out.push(format!(
                "The file restricts claims for {} by the melds that the player has.",
                self.claim(kind)
            ));
        }
        if play.last_discard_wins_only {
            out.push(
                "A discard after which nobody can draw may only be claimed for a win.".to_owned(),
            );
        }
        let [two, three] = play.several_winners.map(Self::winners);
        out.push(format!("If two players could win off one tile, {two}."));
        if self.plan.players > 3 {
            out.push(format!("If three players or more could, {three}."));
        }
        if play.rob_added {
            out.push("Players may win on a tile that is added to a pung.".to_owned());
        }
        if play.rob_concealed {
            out.push(
                match play
                    .rob_concealed_form
                    .and_then(|form| self.plan.forms.get(form))
                {
                    Some(form) => format!(
                        "With the form `{form}` players may win on a tile of a concealed kong."
                    ),
                    None => "Players may win on a tile of a concealed kong.".to_owned(),
                },
            );
        }
        if play
            .aside
            .rows()
            .iter()
            .any(|row| row.rob && !row.kinds.is_empty())
        {
            out.push("Players may win on a tile that is laid aside by choice.".to_owned());
        }
        if let Some(challenge) = &procedures.challenge
            && play.hidden_kongs
        {
            let forms: Vec<String> = challenge
                .waiting_on
                .iter()
                .filter_map(|&form| self.plan.forms.get(form).cloned())
                .collect();
            let waiting = match forms.is_empty() {
                true => String::new(),
                false => format!(", and a player who waits on {} any", listed(&forms, "or")),
            };
            out.push(format!(
                "A kong that lies face down may be challenged from the owner's kong number {} on{waiting}. A challenge shows its tiles.",
                challenge.from_kong
            ));
        }
        if let Some(furiten) = &procedures.furiten {
            if furiten.own_discards {
                out.push("A player who waits for a kind that they have discarded may not win off others.".to_owned());
            }
            let what = match furiten.any_wait {
                true => "a tile that completes the hand, worth enough or not,",
                false => "a win",
            };
            let kinds = match furiten.passed_kind_only {
                true => "with that kind",
                false => "with any tile",
            };
            let until = match furiten.until_discard {
                true => "until the player's next discard",
                false => "until the player's next draw",
            };
            out.push(format!(
                "A player who passes on {what} may not win off others {kinds} {until}."
            ));
            if furiten.bars_drawn {
                out.push("A tile that is drawn before then is barred, too.".to_owned());
            }
            if furiten.riichi_for_good && procedures.riichi.is_some() {
                out.push("In riichi this lasts for the rest of the deal.".to_owned());
            }
        }
        if let Some(draws) = &procedures.abortive_draws {
            if let Some(orphans) = draws.nine_orphans {
                out.push(format!(
                    "A player with nine different kinds of {} in an untouched first turn may declare a draw.",
                    Self::kinds(orphans)
                ));
            }
            for (holds, line) in [
                (
                    draws.four_winds,
                    "Four discards of the same wind, the first four of the deal, end it without a winner.",
                ),
                (
                    draws.four_kongs,
                    "Four kongs by several players, or a fifth kong, end the deal without a winner.",
                ),
                (
                    draws.four_riichi,
                    "The deal ends without a winner when all players are in riichi.",
                ),
            ] {
                if holds {
                    out.push(line.to_owned());
                }
            }
        }
        out
    }

    /// A form in words.
    fn form(&self, form: &SpecialForm) -> String {
        let items = |items: &Vec<FormItem>| {
            let all: Vec<String> = items.iter().map(|item| self.item(item)).collect();
            listed(&all, "and")
        };
        let ways: Vec<String> = form.ways.iter().map(items).collect();
        let ways = ways.join("; or ");
        match form.concealed {
            true => ways,
            false => format!("{ways}. Melds may be part of it"),
        }
    }

    /// An item of a form in words.
    fn item(&self, item: &FormItem) -> String {
        let kinds = |kinds: &[FormTiles]| {
            let all: Vec<String> = kinds.iter().map(|tiles| self.tiles_of(tiles)).collect();
            listed(&all, "or")
        };
        match item {
            FormItem::Each(tiles) => format!("all of {}", self.tiles_of(tiles)),
            FormItem::Alike {
                size,
                count: 1,
                kinds: of,
                ..
            } => {
                let size = match size {
                    1 => "one tile",
                    2 => "a pair",
                    3 => "a pung",
                    4 => "a kong",
                    5 => "a quint",
                    _ => "a sextet",
                };
                format!("{size} of {}", kinds(of))
            }
            FormItem::Alike {
                size,
                count,
                kinds: of,
                distinct,
            } => {
                let what = if *size == 2 { "pairs" } else { "tiles" };
                let different = if *distinct { "different " } else { "" };
                let of = match self.is_any(of) {
                    true => String::new(),
                    false => format!(" of {}", kinds(of)),
                };
                let fours = match (size, distinct) {
                    (2, false) => "; four of a kind are two pairs",
                    _ => "",
                };
                format!("{count} {different}{what}{of}{fours}")
            }
            FormItem::Groups(1) => "a group".to_owned(),
            FormItem::Groups(count) => format!("{count} groups"),
            FormItem::Wild(1) => "a wild tile".to_owned(),
            FormItem::Wild(count) => format!("{count} wild tiles"),
        }
    }

    /// True if the kinds are all of the set.
    fn is_any(&self, kinds: &[FormTiles]) -> bool {
        let all = self.plan.tiles.kinds();
        kinds.iter().any(|tiles| match tiles {
            FormTiles::Listed(tiles) => all.is_subset(tiles.kinds()),
            FormTiles::Ranks { .. } | FormTiles::Honour { .. } => false,
        })
    }

    fn tiles_of(&self, tiles: &FormTiles) -> String {
        let letter = |suit: &FormSuit| match suit {
            FormSuit::Fixed(suit) => suit.letter(),
            FormSuit::Letter(letter) => *letter,
        };
        match tiles {
            FormTiles::Listed(_) if self.is_any(std::slice::from_ref(tiles)) => {
                "any kind".to_owned()
            }
            FormTiles::Listed(tiles) => Notation::Ujmj.print(tiles.iter().map(Tile::plain)),
            FormTiles::Ranks { ranks, suit } => {
                let rank = |rank: &FormRank| match (rank.letter, rank.plus) {
                    (None, plus) => plus.to_string(),
                    (Some(letter), 0) => letter.to_string(),
                    (Some(letter), plus) => format!("{letter}{plus:+}"),
                };
                let ranks: Vec<String> = ranks.iter().map(rank).collect();
                let what = if ranks.len() > 1 { "ranks" } else { "rank" };
                format!("{what} {} of suit {}", ranks.join("-"), letter(suit))
            }
            FormTiles::Honour { honours, suit } => {
                let all = Suit::ALL.into_iter().zip(honours);
                let all = all.filter(|(of, _)| match suit {
                    FormSuit::Fixed(suit) => of == suit,
                    FormSuit::Letter(_) => true,
                });
                let all = all.filter_map(|(of, honour)| Some(format!("{} of {of}", (*honour)?)));
                let all: Vec<String> = all.collect();
                format!("the honour of suit {} ({})", letter(suit), all.join(", "))
            }
        }
    }

    fn winning(&self) -> Vec<String> {
        let plan = self.plan;
        let grammar = plan.decomposer.grammar();
        let tiles = grammar.hand_tiles() + 1;
        let kongs = match grammar.has_kong() && plan.play.kong_replacement {
            true => ", and one more for each kong",
            false => "",
        };
        let mut out = vec![match grammar.standard {
            true => format!(
                "A complete hand has {} and a pair: {tiles} tiles{kongs}.",
                count(grammar.groups(), "group", "groups"),
            ),
            false => format!("A complete hand has one of the forms below: {tiles} tiles{kongs}."),
        }];
        let mut groups: Vec<String> = Vec::new();
        if grammar.has_pung() {
            groups.push("a pung, three tiles of a kind".to_owned());
        }
        if grammar.has_kong() {
            groups.push("a kong, four of a kind, if it is declared".to_owned());
        }
        for one in [Family::Arith, Family::Gem, Family::Power] {
            let shapes: Vec<[u8; 3]> = grammar
                .shapes()
                .filter(|(_, shape)| shape.family() == one)
                .map(|(_, shape)| shape.ranks())
                .collect();
            if shapes.is_empty() {
                continue;
            }
            let is_in_row = |ranks: &[u8; 3]| ranks[1] == ranks[0] + 1 && ranks[2] == ranks[1] + 1;
            let is_stepped = |ranks: &[u8; 3]| ranks[1] - ranks[0] == ranks[2] - ranks[1];
            groups.push(if shapes.iter().all(is_in_row) {
                "a run, three ranks in a row of one suit".to_owned()
            } else if shapes.len() > 12 && shapes.iter().all(is_stepped) {
                "a run, three ranks of one suit in equal steps".to_owned()
            } else {
                let shapes: Vec<String> = shapes
                    .iter()
                    .map(|ranks| ranks.map(|rank| rank.to_string()).join("-"))
                    .collect();
                format!(
                    "a {}, of one suit: {}",
                    family(one, false),
                    shapes.join(", ")
                )
            });
        }
        if grammar.shapes().any(|(_, shape)| shape.takes_zero()) {
            groups.push("in runs from 0 on the zero tile is the 0 of any suit".to_owned());
        }
        out.push(format!("Groups: {}.", groups.join("; ")));
        for (id, form) in plan.forms.iter().zip(grammar.forms()) {
            let complete = match grammar.standard {
                true => "Also complete",
                false => "Complete",
            };
            out.push(format!("{complete}, `{id}`: {}.", self.form(form)));
        }
        let ways: Vec<&str> = plan.ways().iter().map(|one| way(*one)).collect();
        out.push(format!("A hand may be won {}.", listed(&ways, "or")));
        let completes = plan.score.win.completes;
        let all = Family::ALL.into_iter().filter(|&one| one != Family::Kong);
        if !all.clone().all(|one| completes.contains(one)) {
            out.push(format!(
                "A claimed winning tile may complete only a {}.",
                self.families(completes)
            ));
        }
        if grammar.shapes().len() > 0 {
            match plan.score.win.run_from {
                ChowFrom::Any => {}
                ChowFrom::Previous => out.push("A claimed winning tile may complete a run only if it comes from the player before.".to_owned()),
                ChowFrom::Next => out.push("A claimed winning tile may complete a run only if it comes from the next player.".to_owned()),
                ChowFrom::Nobody => out.push("A claimed winning tile may not complete a run.".to_owned()),
            }
        }
        if plan.opens_with(OpeningChoice::MissingSuit) {
            out.push("A winning hand has no tile of the suit declared missing.".to_owned());
        }
        if plan.play.plays_on {
            out.push(
                "Play goes on after a win, until one player is left or the wall is used up."
                    .to_owned(),
            );
        }
        for (row, id) in plan.play.turned().iter().zip(&plan.turned_ids) {
            let when = match row.on {
                TurnedOn::Win => "When a deal ends with a win",
                TurnedOn::Dealt => "Once the tiles are dealt",
            };
            if row.count > 0 {
                let place = match row.at_end {
                    true => "from where replacements are drawn",
                    false => "from where the next tile would be drawn",
                };
                let tiles = count(row.count.into(), "tile is", "tiles are");
                out.push(format!(
                    "{when}, {tiles} turned face up {place}: {}.",
                    id.replace('-', " ")
                ));
            }
        }
        if let Some(minimum) = plan.score.family().minimum() {
            let yaku = match plan.score.family() {
                ScoreFamily::HanFu(_) => " `yaku` are the han of yaku, without bonuses.",
                ScoreFamily::Sums(_) => "",
            };
            out.push(format!(
                "To win, a hand must meet `{}`, or be a limit hand.{yaku}",
                minimum.text
            ));
        }
        if let Some(text) = &plan.win_when {
            out.push(format!("A complete hand wins only if it meets `{text}`."));
        }
        self.with_meanings(out)
    }

    /// The sentences, and what the names of `[conditions]` in their formulas stand for.
    fn with_meanings(&self, mut out: Vec<String>) -> Vec<String> {
        let mut told = vec![false; self.plan.named.len()];
        let mut from = 0;
        // A meaning may use further names.
        while from < out.len() {
            let formulas = out[from].split('`').skip(1).step_by(2);
            let words: Vec<String> = formulas
                .flat_map(condition::words)
                .map(str::to_owned)
                .collect();
            for ((name, text), told) in self.plan.named.iter().zip(&mut told) {
                if !*told && words.contains(name) {
                    *told = true;
                    out.push(format!("`{name}` stands for `{text}`."));
                }
            }
            from += 1;
        }
        out
    }

    fn points(&self) -> Vec<String> {
        let plan = self.plan;
        let score = &plan.score;
        let mut out = vec![
            "If a hand can be read in several ways, the reading that is worth most counts."
                .to_owned(),
        ];
        for tie in &score.ties {
            out.push(format!(
                "Of readings that are worth as much, the one counts {}.",
                match tie {
                    Tie::FewestPatterns => "with the fewest patterns",
                    Tie::MostPatterns => "with the most patterns",
                    Tie::FirstPatterns => "with the patterns that come first here",
                }
            ));
        }
        match score.family() {
            ScoreFamily::Sums(rules) => {
                let named = |(place, shown): (usize, &String)| {
                    let greatest = match rules.takes_greatest(place) {
                        true => "the greatest of ",
                        false => "",
                    };
                    match rules.names[place] == *shown {
                        true => format!("{greatest}{shown}"),
                        false => format!("{greatest}{shown} (`{}`)", rules.names[place]),
                    }
                };
                let columns: Vec<String> = rules.shown.iter().enumerate().map(named).collect();
                out.push(format!(
                    "All patterns are added up, column by column: {}.",
                    listed(&columns, "and")
                ));
                let has_limits = score.patterns().iter().any(|one| one.value.is_limit());
                if has_limits {
                    out.push(match (rules.limits_alone, rules.limit) {
                        (true, _) => {
                            "If a pattern has limits, patterns without limits do not count."
                                .to_owned()
                        }
                        (false, Some(limit)) => {
                            format!("Some patterns make a limit hand. The limit is {limit} points.")
                        }
                        (false, None) => "Some patterns make a limit hand.".to_owned(),
                    });
                }
                if let Some(reached) = &rules.reached {
                    out.push(format!(
                        "The sums of other hands reach `{}` limits, if that is more than 0.",
                        reached.text()
                    ));
                }
                match &rules.points {
                    Some(points) => {
                        if rules.names.len() > 1 || rules.worth.text() != rules.names[0] {
                            out.push(format!("A hand is worth `{}`.", rules.worth.text()));
                        }
                        out.push(format!("It has `{}` points.", points.text()));
                    }
                    None => out.push(format!("A hand has `{}` points.", rules.worth.text())),
                }
                if let Some(limit) = rules.limit {
                    out.push(format!("In these formulas `limit` is {limit}, `pow2(n)` doubles n times, and `table(t, n)` is entry n of a table, the first being entry 0."));
                }
            }
            ScoreFamily::HanFu(rules) => {
                out.push("Han of all patterns are added up, and fu of all rows. Fu are rounded up to tens, unless a row fixes them.".to_owned());
                if rules.open_least > 20 {
                    out.push(format!(
                        "An open hand has at least {} fu.",
                        rules.open_least
                    ));
                }
                out.push("The base is fu × 2 to the power of han + 2. A player who discarded the winning tile pays 4 times the base, or 6 times to a dealer; each payer of a self-drawn win pays the base, or twice the base if payer or winner is the dealer. Every payment is rounded up to 100.".to_owned());
                let limits: Vec<String> = rules
                    .table
                    .iter()
                    .map(|row| format!("{} from {} han on, base {}", row.name, row.han, row.base))
                    .collect();
                if !limits.is_empty() {
                    out.push(format!(
                        "Limits: {}. A base of {} or more is a {}, too.",
                        limits.join("; "),
                        rules.limit_from,
                        rules.table[0].name
                    ));
                }
                out.push(format!(
                    "A limit hand ({}) has a base of {}. {}",
                    rules.limit_name,
                    rules.limit_base,
                    match rules.limits_add {
                        true => "Several add up.",
                        false => "Of several only the greatest counts.",
                    }
                ));
            }
        }
        if let Some(losers) = &score.losers
            && plan.settlement.settles_losers()
        {
            out.push(format!(
                "Players who did not win score their hands, too: declared melds, {}{}.",
                match losers.kongs {
                    true => "pungs and kongs among the concealed tiles",
                    false => "pungs among the concealed tiles",
                },
                match losers.most_pairs {
                    0 => String::new(),
                    most => format!(" and at most {} that count", count(most, "pair", "pairs")),
                }
            ));
        }
        out
    }

    /// What is paid besides what the family of the settlement pays, as the rows of the file say it.
    fn payments(&self) -> Vec<String> {
        let rows = self.plan.payments.rows().iter();
        let mut out: Vec<String> = rows.filter_map(payment).collect();
        if !out.is_empty() {
            out.push(
                "In these formulas `points` are those of the winning hand, and `gave` is true of the player who gave the tile."
                    .to_owned(),
            );
        }
        out
    }

    fn settlement(&self) -> Vec<String> {
        let plan = self.plan;
        let mut out = match plan.settlement {
            SettlementRules::OwnPoints => vec![
                "Nobody pays anybody. Each player adds the points of their own hand.".to_owned(),
            ],
            SettlementRules::AllPay(rules) => {
                let mut out =
                    vec!["Each loser pays the winner the points of the winning hand.".to_owned()];
                if rules.dealer_factor != 1 {
                    out.push(format!(
                        "Between the dealer and another player a payment is {} times as much.",
                        rules.dealer_factor
                    ));
                }
                if rules.winner_pays_higher {
                    out.push("A loser whose hand has more points than the winner's does not pay, but is paid twice the difference.".to_owned());
                }
                if rules.losers_settle {
                    out.push("Of any two losers the one with fewer points pays the other the difference.".to_owned());
                }
                if let Some(flag) = rules.giver_pays_all.and_then(|flag| plan.flags.get(flag)) {
                    out.push(format!("In a win with `{}` the player who gave the tile pays for all, and losers other than that player do not settle with each other.", flag.id));
                }
                if let Some(par) = rules.par {
                    out.push(format!("A loser who did not give the winning tile pays at most {par} points. The giver pays the rest."));
                }
                out
            }
            SettlementRules::Rows => Vec::new(),
            SettlementRules::Riichi(rules) => {
                let mut out = vec!["The score table says what each player pays.".to_owned()];
                if rules.counter > 0 {
                    out.push(format!("Each counter adds {} points to a win. There is one for each deal in a row that the dealer won or nobody did.", rules.counter));
                }
                if rules.deposit > 0 {
                    out.push("Deposits go to the winner; of several to the first after the player who gave the tile.".to_owned());
                }
                out.push(match rules.empty_waits {
                    true => "A hand counts as ready even if it holds all copies of what it waits for.",
                    false => "A hand does not count as ready if it holds all copies of what it waits for.",
                }.to_owned());
                out
            }
        };
        out.extend(self.payments());
        let liable: Vec<&str> = plan
            .score
            .patterns()
            .iter()
            .filter(|one| one.liable.is_some())
            .map(|one| one.names.get(self.lang))
            .collect();
        if !liable.is_empty() {
            out.push(format!(
                "The player who fed the deciding meld is liable for {}.",
                listed(&liable, "and")
            ));
            if !matches!(plan.settlement, SettlementRules::Riichi(_))
                && !plan.payments.asks_liable()
            {
                out.push(
                    "If the winner drew the tile, the liable player pays for all others."
                        .to_owned(),
                );
            }
        }
        self.with_meanings(out)
    }

    fn matches(&self) -> Vec<String> {
        let rules = &self.plan.matches;
        let mut out = vec![
            format!("{} players.", self.plan.players),
            match rules.start_points {
                0 => "Totals begin at 0.".to_owned(),
                points => format!("Each player begins with {points} points."),
            },
            match rules.first_dealer {
                FirstDealer::Random => "The first dealer is drawn by lot.",
                FirstDealer::Fixed => "The first player deals first.",
                FirstDealer::Roll => "The first player rolls the dice of the wall and counts the roll in turn order, where the player before is 0. That player deals first.",
            }.to_owned(),
            match rules.next_dealer {
                NextDealer::Winner => "The winner deals next; without a winner the dealer again.",
                NextDealer::Rotate => "The next player deals after every deal.",
                NextDealer::DealerKeeps(DealerKeepsOn::Win) => "The dealer deals again after their own win and after a draw before the wall is used up. Otherwise the next player deals.",
                NextDealer::DealerKeeps(DealerKeepsOn::Ready) => "The dealer deals again after their own win, with a ready hand when the wall is used up, and after any other draw. Otherwise the next player deals.",
                NextDealer::DealerKeeps(DealerKeepsOn::Draw) => "The dealer deals again after their own win and after every draw. Otherwise the next player deals.",
            }.to_owned(),
            match rules.keeps_kongs {
                u32::MAX => String::new(),
                0 => "If a kong was made in the deal, the next player deals after the wall is used up.".to_owned(),
                most => format!("If more than {} were made in the deal, the next player deals after the wall is used up.", count(most as usize, "kong", "kongs")),
            },
            match rules.round_winds {
                true => "The prevailing wind changes each time that the deal comes back to the first dealer.",
                false => "The prevailing wind is always East.",
            }.to_owned(),
        ];
        out.retain(|sentence| !sentence.is_empty());
        for end in rules.ends() {
            out.push(match *end {
                MatchEnd::Deals(deals) => format!("The match is over after {}.", count(deals as usize, "deal", "deals")),
                MatchEnd::Rounds(rounds) => format!("The match is over after {}. A round ends when the deal comes back to the first dealer.", count(rounds as usize, "round", "rounds")),
                MatchEnd::RoundsOrGoal { rounds, goal } => format!("The match is over after {}, if a player has {goal} points. Otherwise one more round is played, which ends after a deal that leaves a player with {goal}.", count(rounds as usize, "round", "rounds")),
                MatchEnd::DealerLeads { rounds, goal, on_win, on_ready, by_choice } => {
                    let mut when = Vec::new();
                    if on_win {
                        when.push("has won");
                    }
                    if on_ready {
                        when.push("is ready when the wall is used up");
                    }
                    format!("In round {rounds} the last dealer, if first with {goal} points, {} the match after a deal in which the dealer {}.",
                        if by_choice { "may end" } else { "ends" }, listed(&when, "or"))
                }
                MatchEnd::Below(points) => format!("The match is over after a deal that leaves a player with fewer than {points} points."),
            });
        }
        out.push(format!("A match has at most {} deals.", rules.max_deals));
        if let Some(result) = &rules.result {
            let ranks: Vec<String> = result.by_rank[..self.plan.players]
                .iter()
                .map(i64::to_string)
                .collect();
            out.push(format!(
                "At the end {} is subtracted from each total, and by rank {} is added.",
                result.return_points,
                ranks.join(", ")
            ));
            let over = (result.return_points - rules.start_points) * self.plan.players as i64;
            if over != 0 {
                out.push(format!("The first gets {over} more."));
            }
            out.push(
                match result.deposits_to_first {
                    true => "Deposits that nobody won go to the first.",
                    false => "Deposits that nobody won are lost.",
                }
                .to_owned(),
            );
        }
        out
    }

    fn penalties(&self) -> Vec<String> {
        let procedures = &self.plan.procedures;
        let mut out = Vec::new();
        if let Some(rules) = &procedures.false_win {
            out.push(format!("A player who declares a win that is none pays {} points to each of the others, and the deal ends.", rules.pays_each));
        } else if let SettlementRules::Riichi(rules) = self.plan.settlement
            && rules.false_win
        {
            out.push("A player who declares a win that is none pays what a self-drawn mangan would have brought, and the deal ends.".to_owned());
        }
        if procedures.dead_hands {
            out.push("A judge may declare a hand dead. A dead hand claims nothing, cannot win and scores nothing.".to_owned());
        }
        if out.is_empty() {
            out.push("The file has no penalties.".to_owned());
        }
        out
    }
}

/// The claims from the highest rank to the lowest, those of equal rank together.
pub(super) fn precedence(plan: &Plan, lang: Lang) -> Vec<Vec<&'static str>> {
    Words { plan, lang }.precedence()
}

fn upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The suit of a kind in the rulebook. Kinds with names of their own are in no suit.
pub(super) fn suit_of(plan: &Plan, kind: Kind) -> Option<Suit> {
    let is_single = plan.tile_names.has_single(kind.into());
    kind.suit().filter(|_| !is_single)
}

/// The kinds of the set by suit, and the others.
pub(super) fn by_suit(plan: &Plan) -> Vec<(Option<Suit>, Vec<Kind>)> {
    let suits = Suit::ALL.map(Some).into_iter().chain([None]);
    let kinds = plan.tiles.kinds();
    let of = |suit: Option<Suit>| {
        let is_of = |kind: &Kind| suit_of(plan, *kind) == suit;
        kinds.iter().filter(is_of).collect()
    };
    suits
        .map(|suit| (suit, of(suit)))
        .filter(|(_, kinds): &(_, Vec<Kind>)| !kinds.is_empty())
        .collect()
}

/// The other names of a thing, in the languages of the file.
pub(super) fn other_names(names: &Names, lang: Lang) -> String {
    let shown = names.get(lang);
    let others: Vec<String> = names
        .langs()
        .filter(|other| *other != lang)
        .filter_map(|other| Some((other, names.given_in(other)?)))
        .filter(|(_, name)| *name != shown)
        .map(|(other, name)| format!("{name} ({other})"))
        .collect();
    others.join(", ")
}

/// A row of payments in a sentence. Its formulas are those of the file, with the values of options. `None` if it is never paid.
fn payment(row: &PaymentRow) -> Option<String> {
    let formulas = &row.formulas;
    let [asked, who] = [&formulas.when, &formulas.who];
    if [asked, who]
        .into_iter()
        .flatten()
        .any(|text| text == "false")
    {
        return None;
    }
    let [asked, who] = [asked, who].map(|text| text.as_ref().filter(|text| *text != "true"));
    let when = match row.on {
        PaymentHook::Kong => "For a kong that is not robbed",
        PaymentHook::Aside => "For a tile that is laid beside the hand",
        PaymentHook::Shown => "For a hand that is shown before the first turn",
        PaymentHook::Dealt => "When play begins",
        PaymentHook::Win => "For a win",
        PaymentHook::Exhausted => "When the wall is used up",
        PaymentHook::DealEnd => "At the end of the deal",
    };
    let who_is_paid = match (row.on, asked) {
        (PaymentHook::Kong | PaymentHook::Aside | PaymentHook::Shown | PaymentHook::Win, None) => {
            String::new()
        }
        (
            PaymentHook::Kong | PaymentHook::Aside | PaymentHook::Shown | PaymentHook::Win,
            Some(when),
        ) => {
            format!(", if `{when}`")
        }
        (_, None) => ", to each player".to_owned(),
        (_, Some(when)) => format!(", to each player with `{when}`"),
    };
    let payers = match who {
        None => String::new(),
        Some(who) => format!(" with `{who}`"),
    };
    let pays = match (&formulas.amount, &formulas.split) {
        (Some(amount), _) => format!("each other player{payers} pays `{amount}`"),
        (_, Some(total)) => {
            format!(
                "the other players{payers} pay `{total}` in all, in equal parts, shared out in equal parts"
            )
        }
        _ => "earlier payments go back or on".to_owned(),
    };
    let label = match row.doc.is_empty() {
        true => String::new(),
        false => {
            let doc = row.doc.replace("{to}", "a player");
            let doc = doc.replace("{from}", "another player");
            let doc = doc.replace("{points} points", "{points}");
            let doc = doc.replace("{points}", "the points");
            format!(" ({})", doc.trim_end_matches('.'))
        }
    };
    Some(format!("{when}{who_is_paid}: {pays}{label}."))
}
