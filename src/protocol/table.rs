//! The table of a request: all hands, and who won and how, or how the deal ended without a win.

use super::Value;
use super::request::{Fault, RawPlayer, Request, check_members, list_of, text_of};
use crate::hand::{Hand, HandError, TileTally};
use crate::meld::{Family, Group, Meld};
use crate::notation::ParseTilesError;
use crate::ruleset::Winners;
use crate::score::{ScoreInput, SettlementRules};
use crate::seat::Seat;
use crate::set::{FlowerSet, SeatSet};
use crate::state::{FlagSet, OnTable, Way, Win};
use crate::tile::{Kind, Tile, Wind};
use crate::wall::IndicatorOrder;

impl<'a> Request<'a> {
    fn flags(&self, value: &Value) -> Result<FlagSet, Fault> {
        let mut flags = FlagSet::EMPTY;
        for flag in list_of(value, "flags")? {
            let id = flag
                .as_str()
                .ok_or_else(|| Fault::bad_request("a flag must be a string"))?;
            let place = self
                .plan
                .flag(id)
                .ok_or_else(|| Fault::bad_request(format!("unknown flag `{id}`")))?;
            if flags.contains(place) {
                return Err(Fault::bad_request(format!("flag `{id}` stands twice")));
            }
            flags.insert(place);
        }
        Ok(flags)
    }

    /// The face-up indicators and the under-indicators, not parsed yet. Both are empty if the ruleset has
    /// none.
    fn raw_indicators(&self) -> Result<(&'a str, &'a str), Fault> {
        let text = |name| match self.value.get(name) {
            None => Ok(""),
            Some(_) => self.text(name),
        };
        match self.plan.wall.indicators {
            None => Ok(("", "")),
            Some(IndicatorOrder::TopsThenBottoms) => Ok((self.raw_bonus()?, "")),
            Some(IndicatorOrder::TopsBeyondReplacements) => Ok((text("dora")?, text("ura")?)),
        }
    }

    /// A count that lies on the table. 0 if the request leaves it out.
    fn count_on_table(&self, name: &str) -> Result<u32, Fault> {
        match self.value.get(name) {
            None => Ok(0),
            Some(Value::Int(count)) if (0..=1_000_000_000).contains(count) => Ok(*count as u32),
            Some(_) => {
                let message = format!("`{name}` must be an integer from 0 to 1000000000");
                Err(Fault::bad_request(message))
            }
        }
    }

    /// Counters and deposits.
    fn on_table(&self) -> Result<OnTable, Fault> {
        Ok(OnTable {
            counters: self.count_on_table("honba")?,
            deposits: self.count_on_table("deposits")?,
        })
    }

    fn raw_bonus(&self) -> Result<&'a str, Fault> {
        if self.value.get("bonus").is_none() {
            return Ok("");
        }
        let text = self.text("bonus")?;
        let most = self.plan.wall.reserve;
        // If this does not parse, the fault is reported later, with those of other tiles.
        match self.notation.parse(text) {
            Ok(tiles) if tiles.len() > most => {
                let message = format!("{} bonus tiles, at most {most} are turned", tiles.len());
                Err(Fault::bad_request(message))
            }
            _ => Ok(text),
        }
    }

    /// The number of kongs in a row before the win, if the ruleset counts them.
    fn kongs_in_row(&self, value: &Value, flags: FlagSet) -> Result<u8, Fault> {
        let Some(flag) = self.plan.kong_flag else {
            return Ok(0);
        };
        match (value.get("quads"), flags.contains(flag)) {
            (None, counts) => Ok(u8::from(counts)),
            (Some(Value::Int(quads)), true) if (1..=4).contains(quads) => Ok(*quads as u8),
            (Some(_), true) => Err(Fault::bad_request("`quads` must be an integer from 1 to 4")),
            (Some(_), false) => {
                let message = format!("`quads` goes with `{}` only", self.plan.flags[flag].id);
                Err(Fault::bad_request(message))
            }
        }
    }

    /// A win without its tile. The tile is parsed later.
    fn raw_win(&self, value: &'a Value, seat: Seat, alone: bool) -> Result<(Win, &'a str), Fault> {
        let known = [
            ("tile", true),
            ("by", true),
            ("from", true),
            ("flags", true),
            ("quads", self.plan.kong_flag.is_some()),
            ("seat", !alone),
        ];
        check_members(value, "a win", &known)?;
        let tile = text_of(value, "tile")?;
        let by = text_of(value, "by")?;
        let Some((_, way)) = Way::WORDS.into_iter().find(|(word, _)| *word == by) else {
            return Err(Fault::bad_request(format!("nothing is won by `{by}`")));
        };
        let from = match value.get("from") {
            None | Some(Value::Null) => None,
            Some(_) => Some(self.seat(value, "from")?),
        };
        match (way.is_self_draw(), from) {
            // Beside a replacement it names who fed the kong.
            (true, Some(_)) if way != Way::Replacement => {
                return Err(Fault::bad_request("`from` beside a tile that was drawn"));
            }
            (false, None) if !alone => return Err(Fault::bad_request("a win has no `from`")),
            (_, Some(from)) if from == seat => {
                return Err(Fault::bad_request("the winner discards to himself"));
            }
            _ => {}
        }
        let flags = self.flags(value)?;
        let win = Win {
            // A placeholder until tiles are parsed.
            tile: Tile::plain(Kind::EAST),
            way,
            from,
            flags,
            kongs_in_row: self.kongs_in_row(value, flags)?,
        };
        match self.plan.check_circumstances(seat, &win) {
            Some(message) => Err(Fault::bad_request(message)),
            None => Ok((win, tile)),
        }
    }

    /// Checks a win on a kong's replacement that names who fed the kong. Keeps the name only if the ruleset
    /// makes the feeder liable.
    fn with_feeder(&self, win: Win, melds: &[Meld]) -> Result<Win, Fault> {
        let Some(feeder) = win.from.filter(|_| win.way == Way::Replacement) else {
            return Ok(win);
        };
        let fed = |meld: &Meld| {
            let claimed = meld.open && !meld.added && meld.group.family() == Family::Kong;
            claimed && meld.from.is_none_or(|from| from == feeder)
        };
        if !melds.iter().any(fed) {
            return Err(Fault::bad_request("no open kong was fed by `from`"));
        }
        Ok(Win {
            from: win.from.filter(|_| self.plan.kong_feeder_answers),
            ..win
        })
    }

    /// How a deal without a win ended. Only some rulesets pay for that.
    fn ending(&self, nobody_won: bool) -> Result<Ending, Fault> {
        let SettlementRules::Riichi(_) = self.plan.settlement else {
            return Ok(Ending {
                false_win: self.penalty(nobody_won)?,
                ..Ending::default()
            });
        };
        let text = |name| match self.value.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.text(name).map(Some),
        };
        let (draw, nagashi) = (text("draw")?, text("nagashi")?);
        let false_win = match self.value.get("false-win") {
            None | Some(Value::Null) => None,
            Some(_) => Some(self.seat(self.value, "false-win")?),
        };
        let abortive = match draw {
            None | Some("exhaustive") => false,
            Some("nine-orphans" | "four-winds" | "four-kans" | "four-riichi" | "three-rons") => {
                true
            }
            Some(other) => return Err(Fault::bad_request(format!("unknown draw `{other}`"))),
        };
        let mut seats = SeatSet::EMPTY;
        for letter in nagashi.unwrap_or_default().chars() {
            let seat = Seat::from_letter(letter).filter(|s| s.index() < self.plan.players);
            let Some(seat) = seat.filter(|&seat| !seats.contains(seat)) else {
                return Err(Fault::bad_request("`nagashi` must name seats, each once"));
            };
            seats.insert(seat);
        }
        let given = draw.is_some() || nagashi.is_some() || false_win.is_some();
        let clash = false_win.is_some() && (draw.is_some() || nagashi.is_some())
            || abortive && nagashi.is_some();
        if given && !nobody_won || clash {
            return Err(Fault::bad_request(
                "the deal cannot have ended in both ways",
            ));
        }
        Ok(Ending {
            false_win,
            abortive,
            nagashi: seats,
        })
    }

    /// The seat that declared a false win. Rulesets without a penalty ignore it. It is a fault if somebody
    /// won.
    fn penalty(&self, nobody_won: bool) -> Result<Option<Seat>, Fault> {
        let penalty = match self.value.get("penalty") {
            None | Some(Value::Null) => return Ok(None),
            Some(penalty) => penalty,
        };
        check_members(penalty, "a penalty", &[("seat", true), ("kind", true)])?;
        let seat = self.seat(penalty, "seat")?;
        let kind = text_of(penalty, "kind")?;
        if kind != "false-mahjong" {
            return Err(Fault::bad_request(format!("unknown penalty `{kind}`")));
        }
        if !nobody_won {
            return Err(Fault::bad_request("a penalty beside a win"));
        }
        Ok(Some(seat))
    }
}

/// How a deal without a win ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Ending {
    /// The seat that declared a false win.
    pub(super) false_win: Option<Seat>,
    /// True for an abortive draw: nobody pays anybody.
    pub(super) abortive: bool,
    /// Seats that discarded only orphans.
    pub(super) nagashi: SeatSet,
}

/// The hands of a request, one or all, and who won.
pub(super) struct Table {
    round: Wind,
    seats: Vec<Seat>,
    hands: Vec<Hand>,
    /// Who has won before and is out of play.
    out: SeatSet,
    wins: Vec<(Seat, Win)>,
    bonus: Vec<Tile>,
    ura: Vec<Tile>,
    pub(super) on_table: OnTable,
    /// How the deal ended if nobody won.
    pub(super) ending: Ending,
}

type RawWin<'a> = (Seat, Win, &'a str);

impl Table {
    /// The one hand of a `score` request.
    pub(super) fn of_one(request: &Request<'_>) -> Result<Self, Fault> {
        let value = request.value;
        let round = request.round()?;
        let player = value
            .get("player")
            .ok_or_else(|| Fault::bad_request("`player` is missing"))?;
        let raw = request.raw_player(player)?;
        let win = match value.get("win") {
            None => return Err(Fault::bad_request("`win` is missing")),
            Some(Value::Null) if request.plan.score.losers.is_none() => {
                return Err(Fault::bad_request("only the winner's hand has a score"));
            }
            Some(Value::Null) => None,
            Some(win) => {
                let (win, tile) = request.raw_win(win, raw.seat, true)?;
                Some((raw.seat, win, tile))
            }
        };
        Self::read(request, round, vec![raw], win.into_iter().collect(), true)
    }

    /// All hands of a `settle` request.
    pub(super) fn of_all(request: &Request<'_>) -> Result<Self, Fault> {
        let value = request.value;
        let round = request.round()?;
        let players = list_of(value, "players")?;
        if players.len() != request.plan.players {
            let message = format!(
                "{} players, the table has {}",
                players.len(),
                request.plan.players
            );
            return Err(Fault::bad_request(message));
        }
        let raw = players
            .iter()
            .map(|player| request.raw_player(player))
            .collect::<Result<Vec<_>, _>>()?;
        if !raw
            .iter()
            .map(|player| player.seat)
            .eq(Seat::all(raw.len()))
        {
            return Err(Fault::bad_request("players must stand in seat order"));
        }
        if value.get("wins").is_none() {
            return Err(Fault::bad_request("`wins` is missing"));
        }
        let mut wins: Vec<RawWin<'_>> = Vec::new();
        for win in list_of(value, "wins")? {
            let seat = request.seat(win, "seat")?;
            let (win, tile) = request.raw_win(win, seat, false)?;
            wins.push((seat, win, tile));
        }
        Self::check_wins(request, &wins)?;
        let ending = request.ending(wins.is_empty())?;
        let table = Self::read(request, round, raw, wins, false)?;
        Ok(Self { ending, ..table })
    }

    /// Several winners must win on the same tile from the same seat, and the ruleset must allow that many.
    fn check_wins(request: &Request<'_>, wins: &[RawWin<'_>]) -> Result<(), Fault> {
        let [(_, first, tile), others @ ..] = wins else {
            return Ok(());
        };
        if others.is_empty() {
            return Ok(());
        }
        let alone = request.plan.play.winners_of(wins.len()) != Winners::All;
        // A tile may be written in several ways. One that does not parse is reported later.
        let other_tile = |other: &str| match (request.tiles(tile), request.tiles(other)) {
            (Ok(first), Ok(other)) => first != other,
            _ => false,
        };
        let differs = others.iter().any(|(_, win, other)| {
            (win.way, win.from) != (first.way, first.from) || other_tile(other)
        });
        let twice = wins
            .iter()
            .enumerate()
            .any(|(i, (seat, ..))| wins[..i].iter().any(|(other, ..)| other == seat));
        let apart = differs || first.way.is_self_draw();
        if alone || twice || apart {
            let message = match apart && request.plan.play.plays_on {
                true => {
                    "play goes on after a win: wins off different tiles are settled in a request each, with `out` for \
                     players who have won before"
                }
                false => "these players cannot win together",
            };
            return Err(Fault::bad_request(message));
        }
        Ok(())
    }

    fn read(
        request: &Request<'_>,
        round: Wind,
        raw: Vec<RawPlayer<'_>>,
        raw_wins: Vec<RawWin<'_>>,
        alone: bool,
    ) -> Result<Self, Fault> {
        let (raw_bonus, raw_ura) = request.raw_indicators()?;
        let on_table = request.on_table()?;
        let players = raw
            .iter()
            .map(|raw| request.read_player(raw))
            .collect::<Result<Vec<_>, _>>()?;
        let wins = raw_wins
            .into_iter()
            .map(|(seat, win, text)| match request.tiles(text)?[..] {
                [tile] => Ok((seat, Win { tile, ..win })),
                ref tiles => Err(ParseTilesError::NotOne { found: tiles.len() }.into()),
            })
            .collect::<Result<Vec<(Seat, Win)>, Fault>>()?;
        let bonus = request.tiles(raw_bonus)?;
        let ura = request.tiles(raw_ura)?;
        for player in &players {
            request.player_in_set(player)?;
        }
        for (_, win) in &wins {
            request.all_in_set(&[win.tile])?;
        }
        request.all_in_set(&bonus)?;
        request.all_in_set(&ura)?;
        let melds = raw
            .iter()
            .zip(&players)
            .map(|(raw, player)| request.melds(&raw.melds, &player.melds, Some(raw.seat)))
            .collect::<Result<Vec<_>, _>>()?;
        let seats: Vec<Seat> = raw.iter().map(|raw| raw.seat).collect();
        let contradiction = wins.iter().find_map(|(seat, win)| {
            let place = seats.iter().position(|s| s == seat)?;
            let mut flowers = FlowerSet::EMPTY;
            for flower in players[place].flowers.iter().filter_map(|t| t.as_flower()) {
                flowers.insert(flower);
            }
            let aside = players[place].set_aside;
            request
                .plan
                .check_hand(&melds[place], flowers, aside, *seat, round, win)
        });
        let contradiction = contradiction.map(Fault::bad_request);
        let mut tally = TileTally::of_table(&request.plan.tiles);
        for player in &players {
            let tiles = player.hand.iter().chain(&player.flowers);
            tally.add_all(tiles.chain(player.melds.iter().flatten()).copied())?;
            tally.add_all(player.set_aside.iter().map(Tile::from))?;
        }
        // Several winners share one tile, so it is counted once.
        let shown = |win: &Win| {
            let declarer = win
                .from
                .and_then(|from| seats.iter().position(|s| *s == from));
            let kong = win.tile.kind().map(Group::kong);
            let has = |meld: &Meld| Some(meld.group) == kong;
            win.way == Way::RobbedKong && declarer.is_some_and(|place| melds[place].iter().any(has))
        };
        let counted = wins.first().filter(|(_, win)| !shown(win));
        tally.add_all(counted.map(|(_, win)| win.tile))?;
        tally.add_all(bonus.iter().chain(&ura).copied())?;
        let robbed = wins.first().map(|(_, win)| win);
        let robbed = robbed.filter(|win| alone && win.way == Way::RobbedKong);
        if let Some(kind) = robbed.and_then(|win| win.tile.kind()) {
            // The other three tiles of the robbed kong are not in this request. Jokers may stand for some.
            let jokers = request.plan.play.jokers.most_in(Group::pung(kind));
            tally.add_unseen(kind, 3u8.saturating_sub(jokers))?;
        }
        let mut hands = Vec::new();
        for ((player, melds), raw) in players.iter().zip(&melds).zip(&raw) {
            if raw.dead {
                // A dead hand scores nothing, so it may have any number of tiles.
                let mut hand = Hand::new();
                hand.dead = true;
                hands.push(hand);
                continue;
            }
            let have = player.hand.len() + 3 * melds.len();
            let grammar = request.plan.decomposer.grammar();
            let size = grammar.hand_tiles();
            if have != size {
                return Err(HandError::wrong_count(have, size.to_string()).into());
            }
            let (set, groups) = (&request.plan.tiles, grammar.groups());
            let (tiles, flowers) = (&player.hand, &player.flowers);
            let mut hand = Hand::try_new_for(groups, set, tiles, melds, flowers)?;
            hand.set_aside = player.set_aside;
            hands.push(hand);
        }
        let indicators = request.plan.wall.indicators_at_most();
        if let Some(have) = [bonus.len(), ura.len()]
            .into_iter()
            .find(|have| *have > indicators)
        {
            let want = "at most as many indicators as can be turned";
            return Err(HandError::wrong_count(have, want).into());
        }
        if let Some(fault) = contradiction {
            return Err(fault);
        }
        let wins = wins
            .into_iter()
            .map(|(seat, win)| {
                let place = seats.iter().position(|s| *s == seat);
                let melds = place.map_or(&[][..], |place| &melds[place][..]);
                Ok((seat, request.with_feeder(win, melds)?))
            })
            .collect::<Result<Vec<_>, Fault>>()?;
        let out = raw.iter().filter(|raw| raw.out).map(|raw| raw.seat);
        let out: SeatSet = out.collect();
        if let Some((seat, _)) = wins.iter().find(|(seat, _)| out.contains(*seat)) {
            let message = format!("{seat} is out of play and cannot win again");
            return Err(Fault::bad_request(message));
        }
        Ok(Self {
            round,
            seats,
            hands,
            out,
            wins,
            bonus,
            ura,
            on_table,
            ending: Ending::default(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.hands.len()
    }

    /// The hand at `place`, ready to score.
    pub(super) fn input(&self, place: usize) -> ScoreInput<'_> {
        let seat = self.seats[place];
        let won = self.wins.iter().find(|(s, _)| *s == seat);
        let win = won.map(|(_, win)| win);
        ScoreInput {
            bonus: &self.bonus,
            ura: &self.ura,
            counters: self.on_table.counters,
            out: self.out.contains(seat),
            ..ScoreInput::new(&self.hands[place], seat, self.round, win)
        }
    }
}
