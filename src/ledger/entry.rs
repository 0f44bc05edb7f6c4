//! What a line changes.

use super::error::{LedgerFault, LineFault};
use super::{Entry, LedgerTable};
use crate::decimal::{Decimal, Number};
use crate::game::{Match, Outcome};
use crate::hand::Hand;
use crate::notation::Notation;
use crate::request::{Declared, Request, Scored, SeatHand, Worth};
use crate::ruleset::Plan;
use crate::score::Settlement;
use crate::seat::{Player, Seat};
use crate::set::SeatSet;
use crate::state::{AbortiveDraw, Ending, OnTable, Way, Win};
use crate::tile::{Kind, Tile};

/// The tables so far, and the deal that may be continued.
#[derive(Default)]
pub(super) struct Evening {
    pub(super) tables: Vec<LedgerTable>,
    open: Option<OpenDeal>,
}

/// A win as it is written.
struct Written {
    seat: Seat,
    from: Option<Seat>,
    parts: Vec<String>,
}

/// A deal that the next line may continue.
struct OpenDeal {
    line: usize,
    text: String,
    /// Winners with one tile, and others after them where play goes on.
    wins: Vec<Vec<Written>>,
    /// How it ends without a winner, if it does.
    ending: Option<(Ending, Vec<String>)>,
}

/// The line without its reason, and the reason.
fn with_reason(line: &str) -> (&str, &str) {
    let (line, reason) = line.split_once(':').unwrap_or((line, ""));
    (line.trim(), reason.trim())
}

/// A number of points in the least unit of a plan.
fn units(plan: &Plan, text: &str) -> Result<i64, LedgerFault> {
    let fault = || LedgerFault::Points {
        text: text.to_owned(),
    };
    let bare = text.trim_start_matches('+');
    let decimal = Decimal::parse(bare).ok_or_else(fault)?;
    let per_point = plan.units_per_point();
    let tenths = decimal.tenths().checked_mul(per_point).ok_or_else(fault)?;
    match tenths % 10 {
        0 => Ok(tenths / 10),
        _ => Err(fault()),
    }
}

impl LedgerTable {
    fn plan(&self) -> &Plan {
        self.series.rules().plan()
    }

    fn player(&self, name: &str) -> Result<Player, LedgerFault> {
        let is = |(place, known): (usize, &String)| {
            known.eq_ignore_ascii_case(name) || name == (place + 1).to_string()
        };
        let place = self.players.iter().enumerate().position(is);
        place
            .and_then(Player::new)
            .ok_or_else(|| LedgerFault::Player {
                name: name.to_owned(),
            })
    }

    fn seat(&self, name: &str) -> Result<Seat, LedgerFault> {
        let players = self.players.len();
        Ok(self
            .player(name)?
            .seat(self.series.state().dealer(), players))
    }

    fn name_at(&self, seat: Seat) -> &str {
        let player = seat.player(self.series.state().dealer(), self.players.len());
        self.players.get(player.index()).map_or("", String::as_str)
    }

    /// Payments in words, with the names of the players.
    fn payments_in_words(&self, settlement: &Settlement) -> impl Iterator<Item = String> {
        let rules = self.plan().payments();
        settlement
            .payments
            .iter()
            .map(|payment| payment.describe_by_name(rules, |seat| self.name_at(seat).to_owned()))
    }

    fn seats(&self, words: &str) -> Result<SeatSet, LedgerFault> {
        words
            .split_whitespace()
            .map(|word| self.seat(word))
            .collect()
    }

    /// Changes totals beside the deals. `changes` are by player.
    fn change(
        &mut self,
        line: usize,
        text: &str,
        reason: &str,
        changes: Vec<i64>,
    ) -> Result<(), LedgerFault> {
        let state = self.series.state();
        let (round, dealer) = (state.round(), state.dealer());
        let mut saved = self.series.save();
        for (total, change) in saved.totals.iter_mut().zip(&changes) {
            *total = total.checked_add(*change).ok_or(LedgerFault::Totals)?;
        }
        let rules = self.series.rules().clone();
        self.series = Match::restore(rules, &saved).map_err(|_| LedgerFault::Totals)?;
        self.entries.push(Entry {
            line,
            text: text.to_owned(),
            deal: None,
            round,
            dealer,
            changes,
            totals: self.series.totals().to_vec(),
            notes: Some(reason.to_owned())
                .filter(|reason| !reason.is_empty())
                .into_iter()
                .collect(),
        });
        Ok(())
    }

    /// `P pays P N points`, `penalty P N points`, `correction P +N, P -N`. `None` for another line.
    fn transfer(&mut self, number: usize, line: &str) -> Option<Result<(), LedgerFault>> {
        let (said, reason) = with_reason(line);
        let words: Vec<&str> = said.split_whitespace().collect();
        let points = |text: &str| units(self.plan(), text);
        let mut changes = vec![0; self.players.len()];
        let mut add = |player: Result<Player, LedgerFault>, units: i64| {
            player.map(|player| changes[player.index()] += units)
        };
        let read: Result<(), LedgerFault> = match words[..] {
            [from, "pays", to, amount] | [from, "pays", to, amount, "points"] => points(amount)
                .and_then(|units| {
                    add(self.player(from), -units)?;
                    add(self.player(to), units)
                }),
            ["penalty", player, amount] | ["penalty", player, amount, "points"] => {
                points(amount).and_then(|units| add(self.player(player), -units))
            }
            ["correction", ..] => {
                let list = said.strip_prefix("correction").unwrap_or_default();
                list.split(',').try_for_each(|part| {
                    let part = part.trim();
                    let (player, amount) =
                        part.rsplit_once(char::is_whitespace).unwrap_or((part, ""));
                    add(self.player(player.trim()), points(amount)?)
                })
            }
            _ => return None,
        };
        Some(read.and_then(|()| self.change(number, said, reason, changes)))
    }

    /// The hand after the word `hand`, and the winning tile.
    fn hand(&self, seat: Seat, text: &str) -> Result<(SeatHand, Option<Tile>), LedgerFault> {
        let (tiles, aside) = text.split_once('/').unwrap_or((text, ""));
        let mut pieces = tiles.split('[');
        let concealed = pieces.next().unwrap_or_default();
        let (concealed, winning) = concealed.split_once('+').unwrap_or((concealed, ""));
        let parse = |text: &str| Notation::Ujmj.parse(&text.split_whitespace().collect::<String>());
        let mut hand = SeatHand::new(seat, parse(concealed)?);
        for meld in pieces {
            let meld = meld.trim().trim_end_matches(']').trim();
            let (meld, giver) = meld.split_once(" off ").unwrap_or((meld, ""));
            let mut declared = match meld.strip_suffix("closed") {
                Some(tiles) => Declared::concealed(parse(tiles)?),
                None => Declared::open(parse(meld)?),
            };
            if !giver.is_empty() {
                declared.from = Some(self.seat(giver.trim())?);
            }
            hand.melds.push(declared);
        }
        hand.aside = parse(aside)?;
        let winning = winning.trim();
        let tile = match winning {
            "" => None,
            tile => Some(Notation::Ujmj.parse_one(tile)?),
        };
        Ok((hand, tile))
    }

    fn deposits(&self, parts: &[String]) -> Result<SeatSet, LedgerFault> {
        let said = parts.iter().find_map(|part| part.strip_prefix("riichi "));
        self.seats(said.unwrap_or_default())
    }
}

/// The worth that a part says, if it says one.
fn worth(part: &str) -> Option<Worth> {
    let words: Vec<&str> = part.split_whitespace().collect();
    match words[..] {
        [points, "points" | "point"] => points.parse().ok().map(Worth::Points),
        [amount, column] => Decimal::parse(amount).map(|amount| Worth::Sum {
            column: column.to_owned(),
            amount,
        }),
        [han, "han", fu, "fu"] => Some(Worth::HanFu {
            han: han.parse().ok()?,
            fu: fu.parse().ok()?,
        }),
        _ => None,
    }
}

/// The parts of a line after its beginning.
fn split_parts(text: &str) -> Vec<String> {
    let parts = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

/// A deal as the match takes it.
struct Settled {
    outcome: Outcome,
    deposits: SeatSet,
    notes: Vec<String>,
}

impl LedgerTable {
    /// Scores the hands of winners with one tile. Adds what is said to `notes`.
    fn settle(
        &self,
        winners: &[Written],
        out: SeatSet,
        deposits: SeatSet,
        notes: &mut Vec<String>,
    ) -> Result<(Settlement, Vec<(Seat, Win)>), LedgerFault> {
        let plan = self.plan();
        let rules = self.series.rules();
        let state = self.series.state();
        let mut hands = vec![Scored::default(); plan.players()];
        let mut wins = Vec::new();
        let mut on_table = state.on_table();
        if plan.settlement.deposit() > 0 {
            on_table.deposits = on_table
                .deposits
                .saturating_add(deposits.iter().count() as u32);
        }
        for won in winners {
            let seat = won.seat;
            let name = || self.name_at(seat).to_owned();
            let is_own = won.from == Some(seat) || out.contains(seat);
            if is_own || wins.iter().any(|(known, _)| *known == seat) {
                return Err(LedgerFault::Winner { name: name() });
            }
            let scored = self.win(won, on_table, &mut hands, notes)?;
            if let Some(win) = scored.win {
                wins.push((seat, win));
            }
            hands[seat.index()] = scored;
        }
        let from = winners.first().and_then(|won| won.from);
        wins.sort_by_key(|(seat, _)| seat.steps_from(from.unwrap_or(*seat), plan.players()));
        let settlement = rules.plan().settle_scored(&hands, out, on_table)?;
        notes.extend(self.payments_in_words(&settlement));
        Ok((settlement, wins))
    }

    /// The scored hand of a winner. Losing hands that its line has go to `hands`.
    fn win(
        &self,
        won: &Written,
        on_table: OnTable,
        hands: &mut [Scored],
        notes: &mut Vec<String>,
    ) -> Result<Scored, LedgerFault> {
        let plan = self.plan();
        let rules = self.series.rules();
        let seat = won.seat;
        let any = Tile::plain(Kind::EAST);
        let mut win = won.from.map_or(Win::drawn(any), |from| Win::off(any, from));
        let (mut said, mut tiles) = (None, None);
        let (mut indicators, mut under) = (Vec::new(), Vec::new());
        for part in &won.parts {
            let (word, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
            match word {
                "hand" => tiles = Some(self.hand(seat, rest)?),
                "flags" => win.flags = plan.flag_set(rest.split_whitespace())?,
                "replacement" => win.way = Way::Replacement,
                "robbed" => win.way = Way::RobbedKong,
                "turned" => win.way = Way::Turned,
                "indicators" => indicators = Notation::Ujmj.parse(rest)?,
                "under" => under = Notation::Ujmj.parse(rest)?,
                "riichi" => {}
                _ => match part.split_once(" has ") {
                    Some((name, has)) => {
                        let loser = self.seat(name.trim())?;
                        hands[loser.index()] = self.loser(loser, has.trim())?;
                    }
                    None => {
                        let limit = || part.split_whitespace().count() == 1;
                        let read =
                            worth(part).or_else(|| limit().then(|| Worth::Limit(part.clone())));
                        let unknown = LedgerFault::Part { text: part.clone() };
                        said = Some(read.ok_or(unknown)?);
                    }
                },
            }
        }
        if plan.kong_flag.is_some_and(|flag| win.flags.contains(flag)) {
            win.kongs_in_row = 1;
        }
        if let Some((hand, tile)) = tiles {
            win.tile = tile.ok_or(LedgerFault::NoWorth)?;
            let mut request = Request::of_hand(hand, Some(win));
            request.round = self.series.state().round();
            request.on_table = on_table;
            (request.indicators, request.under_indicators) = (indicators, under);
            let table = request.check(rules)?;
            let score = table.score().map_err(crate::request::RequestError::from)?;
            let held: Hand = table
                .inputs()
                .next()
                .map_or_else(Hand::new, |input| *input.hand);
            let words = plan.score().sum_in_words(&score);
            notes.push(format!(
                "{}: {} points, {words}",
                self.name_at(seat),
                score.points
            ));
            return Ok(Scored {
                hand: held,
                score: Some(score),
                win: Some(win),
            });
        }
        let said = said.ok_or(LedgerFault::NoWorth)?;
        let score = said.score(plan, seat, &win)?;
        notes.push(format!("{}: {} points", self.name_at(seat), score.points));
        Ok(Scored {
            score: Some(score),
            win: Some(win),
            ..Scored::default()
        })
    }

    /// A losing hand, by its points or its tiles.
    fn loser(&self, seat: Seat, has: &str) -> Result<Scored, LedgerFault> {
        let plan = self.plan();
        if let Some(tiles) = has.strip_prefix("hand ") {
            let (hand, _) = self.hand(seat, tiles)?;
            let mut request = Request::of_hand(hand, None);
            request.round = self.series.state().round();
            let table = request.check(self.series.rules())?;
            let score = table.score().map_err(crate::request::RequestError::from)?;
            let held: Hand = table
                .inputs()
                .next()
                .map_or_else(Hand::new, |input| *input.hand);
            return Ok(Scored {
                hand: held,
                score: Some(score),
                win: None,
            });
        }
        let unknown = || LedgerFault::Part {
            text: has.to_owned(),
        };
        let Some(Worth::Points(points)) = worth(has) else {
            return Err(unknown());
        };
        let win = Win::drawn(Tile::plain(Kind::EAST));
        let score = Worth::Points(points).score(plan, seat, &win)?;
        Ok(Scored {
            score: Some(score),
            ..Scored::default()
        })
    }

    /// Settles a deal.
    fn settled(&self, deal: &OpenDeal) -> Result<Settled, LedgerFault> {
        let plan = self.plan();
        let mut notes = Vec::new();
        let mut outcome = Outcome::default();
        let mut deposits = SeatSet::EMPTY;
        let mut out = SeatSet::EMPTY;
        let parts = deal.wins.iter().flatten().flat_map(|won| &won.parts);
        let parts: Vec<String> = parts.cloned().collect();
        for seat in self.deposits(&parts)?.iter() {
            deposits.insert(seat);
        }
        for winners in &deal.wins {
            let (settlement, wins) = self.settle(winners, out, deposits, &mut notes)?;
            for (seat, _) in &wins {
                out.insert(*seat);
            }
            outcome.wins.extend(wins);
            outcome.settlement.add(settlement);
            outcome.ending = Ending::Won;
        }
        if let Some((ending, parts)) = &deal.ending {
            outcome.ending = *ending;
            let (mut ready, mut nagashi) = (SeatSet::EMPTY, SeatSet::EMPTY);
            for part in parts {
                let (word, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
                match word {
                    "ready" => ready = self.seats(rest)?,
                    "paid" => nagashi = self.seats(rest)?,
                    "riichi" => deposits = self.seats(rest)?,
                    _ => return Err(LedgerFault::Part { text: part.clone() }),
                }
            }
            (outcome.ready, outcome.nagashi) = (ready, nagashi);
            let settlement = match ending {
                Ending::FalseWin(seat) => plan.false_win(*seat).ok_or(LedgerFault::FalseWin)?,
                Ending::Exhausted => plan.settle_wall_end(ready, nagashi).unwrap_or_default(),
                _ => Settlement::default(),
            };
            notes.extend(self.payments_in_words(&settlement));
            outcome.settlement.add(settlement);
        }
        if let Some((seat, units)) = outcome.settlement.deposits {
            let per_point = plan.units_per_point();
            notes.push(format!(
                "{} gets deposits of {}",
                self.name_at(seat),
                Number::of_units(units, per_point)
            ));
        }
        Ok(Settled {
            outcome,
            deposits,
            notes,
        })
    }

    fn record(&mut self, deal: &OpenDeal) -> Result<(), LedgerFault> {
        if self.series.is_over() {
            return Err(LedgerFault::Over);
        }
        let settled = self.settled(deal)?;
        let state = self.series.state();
        let (number, round, dealer) = (state.deal_number(), state.round(), state.dealer());
        let before = state.totals().to_vec();
        self.series.record(&settled.outcome, settled.deposits)?;
        let totals = self.series.totals().to_vec();
        let changes = totals
            .iter()
            .zip(before)
            .map(|(after, before)| after - before);
        self.entries.push(Entry {
            line: deal.line,
            text: deal.text.clone(),
            deal: Some(number),
            round,
            dealer,
            changes: changes.collect(),
            totals: totals.clone(),
            notes: settled.notes,
        });
        Ok(())
    }
}

impl Evening {
    /// Records the deal that is still open.
    pub(super) fn finish(&mut self, faults: &mut Vec<LineFault>) {
        let (Some(deal), Some(table)) = (self.open.take(), self.tables.last_mut()) else {
            return;
        };
        if let Err(fault) = table.record(&deal) {
            faults.push(LineFault {
                line: deal.line,
                fault,
            });
        }
    }

    /// Reads a line that is no header.
    pub(super) fn line(
        &mut self,
        number: usize,
        line: &str,
        faults: &mut Vec<LineFault>,
    ) -> Result<(), LedgerFault> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let is_more = matches!(word, "and" | "then");
        if !is_more {
            self.finish(faults);
        }
        let Some(table) = self.tables.last_mut() else {
            return Err(LedgerFault::NoTable);
        };
        if line == "over" {
            let saved = crate::game::SavedMatch {
                is_over: true,
                deal: self.last_deal(),
                ..self.tables_last()?.series.save()
            };
            let table = self.tables.last_mut().ok_or(LedgerFault::NoTable)?;
            let rules = table.series.rules().clone();
            table.series = Match::restore(rules, &saved).map_err(|_| LedgerFault::Totals)?;
            return Ok(());
        }
        if let Some(done) = table.transfer(number, line).filter(|_| !is_more) {
            return done;
        }
        let said = if is_more { rest.trim() } else { line };
        let (first, parts) = said.split_once(',').unwrap_or((said, ""));
        let parts = split_parts(parts);
        let words: Vec<&str> = first.split_whitespace().collect();
        let won = match words[..] {
            [winner, "won"] => Some((winner, None)),
            [winner, "won", "off", giver] => Some((winner, Some(giver))),
            _ => None,
        };
        let ending = match words[..] {
            ["draw"] => Some(Ending::Exhausted),
            ["aborted"] => Some(Ending::Aborted(AbortiveDraw::FourWinds, None)),
            ["false", "win", name] => Some(Ending::FalseWin(table.seat(name)?)),
            _ => None,
        };
        let plays_on = table.plan().play().plays_on;
        match (won, ending, word) {
            (Some((winner, giver)), _, _) => {
                let mut written = Written {
                    seat: table.seat(winner)?,
                    from: giver.map(|name| table.seat(name)).transpose()?,
                    parts,
                };
                match (&mut self.open, word) {
                    (Some(deal), "and") if !deal.wins.is_empty() && deal.ending.is_none() => {
                        if let Some(winners) = deal.wins.last_mut() {
                            let before = winners.first().and_then(|won| won.from);
                            written.from = written.from.or(before);
                            winners.push(written);
                        }
                    }
                    (Some(deal), "then") if plays_on && deal.ending.is_none() => {
                        deal.wins.push(vec![written]);
                    }
                    (_, "and") => return Err(LedgerFault::Continues { word: "and" }),
                    (_, "then") => return Err(LedgerFault::Continues { word: "then" }),
                    (open, _) => {
                        *open = Some(OpenDeal {
                            line: number,
                            text: line.to_owned(),
                            wins: vec![vec![written]],
                            ending: None,
                        });
                    }
                }
                Ok(())
            }
            (None, Some(ending), "then") => match &mut self.open {
                Some(deal) if plays_on && deal.ending.is_none() => {
                    deal.ending = Some((ending, parts));
                    Ok(())
                }
                _ => Err(LedgerFault::Continues { word: "then" }),
            },
            (None, Some(_), "and") => Err(LedgerFault::Continues { word: "and" }),
            (None, Some(ending), _) => {
                self.open = Some(OpenDeal {
                    line: number,
                    text: line.to_owned(),
                    wins: Vec::new(),
                    ending: Some((ending, parts)),
                });
                Ok(())
            }
            (None, None, _) => Err(LedgerFault::Line {
                text: line.to_owned(),
            }),
        }
    }

    fn tables_last(&self) -> Result<&LedgerTable, LedgerFault> {
        self.tables.last().ok_or(LedgerFault::NoTable)
    }

    /// The number of the last deal of the last table, at least 1.
    fn last_deal(&self) -> u32 {
        let entries = self.tables.last().map(|table| table.entries.as_slice());
        let deals = entries
            .unwrap_or_default()
            .iter()
            .filter_map(|entry| entry.deal);
        deals.max().unwrap_or(1)
    }
}
