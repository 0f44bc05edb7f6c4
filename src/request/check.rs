//! [`Request::check`] looks for faults in the same order for all rulesets: parts of the request, tiles, melds, copies,
//! numbers of tiles, wins.

use super::error::{RequestError, WinFault};
use super::parts::{Declared, NoWin, Request, SeatHand};
use super::table::Table;
use crate::aside::Aside;
use crate::hand::{Hand, HandError, TileTally};
use crate::meld::{Family, Group, Meld, MeldError};
use crate::ruleset::{AddedTo, DealtAside, Plan, Ruleset, Winners};
use crate::score::{ScoreError, SettlementRules};
use crate::seat::Seat;
use crate::set::SeatSet;
use crate::state::{OnTable, Way, Win};
use crate::tile::{Kind, Tile};
use crate::wall::IndicatorOrder;

impl Request {
    /// Checks the request against a ruleset.
    ///
    /// ```
    /// use paishan::request::{Request, RequestError, SeatHand};
    /// use paishan::state::Win;
    /// use paishan::{HandError, Notation, Rules, Seat};
    ///
    /// let woo = Rules::by_id("woo")?;
    /// let hand = SeatHand::new(Seat::EAST, Notation::Ujmj.parse("123t456s789mEEES")?);
    /// let request = Request::of_hand(hand, Some(Win::drawn("E".parse()?)));
    /// assert!(request.check(&woo).is_ok());
    ///
    /// let mut many = request.clone();
    /// many.wins[0].1.tile = "S".parse()?;
    /// many.hands[0].concealed.push("E".parse()?);
    /// let error = many.check(&woo).unwrap_err();
    /// let count = |error: &HandError| matches!(error, HandError::WrongTileCount { have: 14, .. });
    /// assert!(matches!(&error, RequestError::Hand { seat: Seat::EAST, error } if count(error)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError`] for the first part that the ruleset does not allow. The returned table may still have no score:
    /// see [`Table::score`].
    pub fn check<'a>(&self, rules: &'a dyn Ruleset) -> Result<Table<'a>, RequestError> {
        let plan = &**rules.plan();
        self.check_parts(plan)?;
        self.check_wins_together(plan)?;
        self.check_tiles(plan)?;
        let at = |seat| move |error| RequestError::Hand { seat, error };
        let melds = self
            .hands
            .iter()
            .map(|hand| check_melds(plan, &hand.melds, Some(hand.seat)).map_err(at(hand.seat)));
        let melds = melds.collect::<Result<Vec<_>, _>>()?;
        self.check_copies(plan, &melds, &[])?;
        let hands = self.hands.iter().zip(&melds);
        let hands = hands.map(|(given, melds)| hand(plan, given, melds, 0).map_err(at(given.seat)));
        let hands: Vec<Hand> = hands.collect::<Result<_, _>>()?;
        let most = plan.wall.indicators_at_most();
        let mut turned = [&self.indicators, &self.under_indicators].into_iter();
        if let Some(over) = turned.find(|turned| turned.len() > most) {
            return Err(
                HandError::wrong_count(over.len(), format!("at most {most} indicators")).into(),
            );
        }
        for (place, row) in plan.play.turned.iter().enumerate() {
            let of_row = self
                .turned
                .iter()
                .filter(|turned| turned.row.index() == place);
            let (have, most) = (of_row.count(), usize::from(row.count));
            if have > most {
                let id = &plan.turned_ids[place];
                return Err(HandError::wrong_count(
                    have,
                    format!("at most {most} tiles of `{id}`"),
                )
                .into());
            }
        }
        let wins = self.wins.iter().map(|&(seat, win)| {
            let place = self.hands.iter().position(|hand| hand.seat == seat);
            let place = place.ok_or(RequestError::NoHand { seat })?;
            let win = self.win(plan, place, &melds[place], win);
            let win = win.map_err(|fault| RequestError::Win { seat, fault })?;
            Ok((seat, win))
        });
        Ok(Table {
            wins: wins.collect::<Result<_, RequestError>>()?,
            rules,
            request: self.clone(),
            hands,
        })
    }

    /// Checks a request of one hand that may hold the drawn tile, and the win that it is to have, whatever its tile.
    /// Tiles `seen` elsewhere count among the copies.
    pub(super) fn check_unfinished(
        &self,
        rules: &dyn Ruleset,
        win: Win,
        seen: &[Tile],
    ) -> Result<(Hand, Win), RequestError> {
        let plan = &**rules.plan();
        self.check_parts(plan)?;
        self.check_tiles(plan)?;
        all_in_set(plan, seen)?;
        let [given] = &self.hands[..] else {
            return Err(RequestError::NotTheTable {
                have: self.hands.len(),
                want: 1,
            });
        };
        let at = |error| RequestError::Hand {
            seat: given.seat,
            error,
        };
        if let Some(&tile) = given.concealed.iter().find(|tile| tile.is_flower()) {
            return Err(RequestError::HeldFlower {
                seat: given.seat,
                tile,
            });
        }
        let melds = check_melds(plan, &given.melds, Some(given.seat)).map_err(at)?;
        let melds = [melds];
        self.check_copies(plan, &melds, seen)?;
        if given.dead {
            return Err(ScoreError::NotAWin.into());
        }
        let hand = hand(plan, given, &melds[0], 1).map_err(at)?;
        let win = self.win(plan, 0, &melds[0], win);
        let win = win.map_err(|fault| RequestError::Win {
            seat: given.seat,
            fault,
        })?;
        Ok((hand, win))
    }

    /// True if the request is for the score of one hand.
    fn is_alone(&self) -> bool {
        self.hands.len() == 1
    }

    /// Checks that the table has these seats, and the ruleset these parts of a request.
    fn check_parts(&self, plan: &Plan) -> Result<(), RequestError> {
        let nagashi = match self.no_win {
            Some(NoWin::Exhausted { nagashi }) => nagashi,
            Some(NoWin::FalseWin(seat)) => SeatSet::one(seat),
            _ => SeatSet::EMPTY,
        };
        let melds = self.hands.iter().flat_map(|hand| &hand.melds);
        let hands = self.hands.iter().map(|hand| hand.seat);
        let wins = self
            .wins
            .iter()
            .flat_map(|(seat, win)| [Some(*seat), win.from]);
        let mut seats = hands.clone().chain(wins.flatten()).chain(nagashi.iter());
        let mut named = melds.filter_map(|meld| meld.from);
        let is_none = |seat: &Seat| seat.index() >= plan.players;
        if let Some(seat) = seats.find(is_none).or_else(|| named.find(is_none)) {
            return Err(RequestError::NoSuchSeat { seat });
        }
        if !self.is_alone() && !hands.eq(Seat::all(plan.players)) {
            let (have, want) = (self.hands.len(), plan.players);
            return Err(RequestError::NotTheTable { have, want });
        }
        let any = |is: fn(&SeatHand) -> bool| self.hands.iter().any(is);
        let OnTable { counters, deposits } = self.on_table;
        let has_under = plan.wall.indicators == Some(IndicatorOrder::TopsBeyondReplacements);
        let is_riichi = matches!(plan.settlement, SettlementRules::Riichi(_));
        let is_false = matches!(self.no_win, Some(NoWin::FalseWin(_)));
        for (part, given, has) in [
            (
                "indicators",
                !self.indicators.is_empty(),
                plan.wall.indicators.is_some(),
            ),
            (
                "indicators under others",
                !self.under_indicators.is_empty(),
                has_under,
            ),
            (
                "tiles turned after a win",
                !self.turned.is_empty(),
                !plan.play.turned.is_empty(),
            ),
            ("counters", counters > 0, plan.has_counters()),
            ("deposits", deposits > 0, plan.settlement.deposit() > 0),
            (
                "dead hands",
                any(|hand| hand.dead),
                plan.procedures.dead_hands,
            ),
            ("play after a win", any(|hand| hand.out), plan.play.plays_on),
            (
                "penalty for a false win",
                is_false,
                is_riichi || plan.procedures.false_win.is_some(),
            ),
            (
                "payments for drawn deals",
                self.no_win.is_some() && !is_false,
                is_riichi,
            ),
        ] {
            if given && !has {
                return Err(RequestError::NotInRules { part });
            }
        }
        let nobody_won = self.wins.is_empty();
        if self.no_win.is_some() && (!nobody_won || self.is_alone()) {
            return Err(RequestError::TwoEndings);
        }
        let is_open = nobody_won && !is_false && plan.payments.has_open_end();
        match is_open && !self.is_alone() {
            true => Err(RequestError::OpenEnd),
            false => Ok(()),
        }
    }

    /// Several winners must win on the same tile from the same seat, and the ruleset must allow that many.
    fn check_wins_together(&self, plan: &Plan) -> Result<(), RequestError> {
        let [(_, first), others @ ..] = &self.wins[..] else {
            return Ok(());
        };
        let key = |win: &Win| (win.tile, win.way, win.from);
        let is_apart =
            others.iter().any(|(_, win)| key(win) != key(first)) || first.way.is_self_draw();
        let winners: SeatSet = self.wins.iter().map(|(seat, _)| *seat).collect();
        let is_allowed = plan.play.winners_of(self.wins.len()) == Winners::All;
        match (others, is_apart) {
            ([], _) => Ok(()),
            (_, true) if plan.play.plays_on => Err(RequestError::WinsApart),
            (_, false) if is_allowed && winners.len() == self.wins.len() => Ok(()),
            _ => Err(RequestError::WinsTogether),
        }
    }

    /// Checks that every tile is in the set, and in a place where it is allowed.
    fn check_tiles(&self, plan: &Plan) -> Result<(), RequestError> {
        for hand in &self.hands {
            let seat = hand.seat;
            let melded = hand.melds.iter().flat_map(|meld| &meld.tiles);
            let tiles = hand.concealed.iter().chain(&hand.aside).chain(melded);
            all_in_set(plan, tiles).map_err(|error| RequestError::Hand { seat, error })?;
            let is_wrong = |tile: &&Tile| plan.play.aside.row_of(**tile).is_none();
            if let Some(&tile) = hand.aside.iter().find(is_wrong) {
                let error = HandError::NotAside { tile };
                return Err(RequestError::Hand { seat, error });
            }
            // Where bonus tiles are laid aside before play, no hand keeps one.
            let must_lay = |tile: &&Tile| plan.play.aside.must_lay(**tile);
            let held = hand.concealed.iter().find(must_lay);
            if let (Some(&tile), DealtAside::BeforePlay) = (held, plan.play.aside.dealt) {
                return Err(RequestError::HeldFlower { seat, tile });
            }
        }
        let won = self.wins.iter().map(|(_, win)| &win.tile);
        let turned = self.turned.iter().map(|turned| &turned.tile);
        Ok(all_in_set(
            plan,
            won.chain(&self.indicators)
                .chain(&self.under_indicators)
                .chain(turned),
        )?)
    }

    /// Checks that the table has no more copies of a tile than the set, those `seen` elsewhere included.
    fn check_copies(
        &self,
        plan: &Plan,
        melds: &[Vec<Meld>],
        seen: &[Tile],
    ) -> Result<(), HandError> {
        let mut tally = TileTally::of_table(&plan.tiles);
        tally.add_all(seen.iter().copied())?;
        for hand in &self.hands {
            let melded = hand.melds.iter().flat_map(|meld| &meld.tiles);
            let tiles = hand.concealed.iter().chain(&hand.aside).chain(melded);
            tally.add_all(tiles.copied())?;
        }
        tally.add_all(
            self.indicators
                .iter()
                .chain(&self.under_indicators)
                .copied(),
        )?;
        tally.add_all(self.turned.iter().map(|turned| turned.tile))?;
        // Several winners share one tile, so it is counted once.
        let Some((_, win)) = self.wins.first() else {
            return Ok(());
        };
        let robbed = win.tile.kind().filter(|_| win.way == Way::RobbedKong);
        let declarer = self
            .hands
            .iter()
            .position(|hand| Some(hand.seat) == win.from);
        let is_shown = robbed.zip(declarer).is_some_and(|(kind, place)| {
            melds[place]
                .iter()
                .any(|meld| meld.group == Group::kong(kind))
        });
        // A turned tile is among the indicators.
        if !is_shown && win.way != Way::Turned {
            tally.add_all([win.tile])?;
        }
        match robbed.filter(|_| self.is_alone()) {
            // The other three tiles of the kong are not in this request. Jokers may stand for some.
            Some(kind) => {
                let jokers = plan.play.wild.claimed.most_in(Group::pung(kind));
                tally.add_unseen(kind, 3u8.saturating_sub(jokers))
            }
            None => Ok(()),
        }
    }

    /// Checks a win of the hand at `place`. Returns it as the settlement reads it.
    pub(super) fn win(
        &self,
        plan: &Plan,
        place: usize,
        melds: &[Meld],
        win: Win,
    ) -> Result<Win, WinFault> {
        let hand = &self.hands[place];
        match (win.way.is_self_draw(), win.from) {
            (_, Some(from)) if from == hand.seat => return Err(WinFault::FromOneself),
            // With a replacement, `from` is the seat that fed the kong.
            (true, Some(_)) if win.way != Way::Replacement => return Err(WinFault::FromBesideDraw),
            (false, None) if !self.is_alone() => return Err(WinFault::NoGiver),
            _ if win.way == Way::Turned && !self.indicators.contains(&win.tile) => {
                return Err(WinFault::NotTurned);
            }
            _ => {}
        }
        let counts = plan.kong_flag.is_some_and(|flag| win.flags.contains(flag));
        let kongs_in_row = match (counts, win.kongs_in_row) {
            (true, count @ ..=4) => count.max(1),
            (false, 0) => 0,
            (_, count) => return Err(WinFault::KongsInRow { count }),
        };
        let mut win = Win {
            kongs_in_row,
            ..win
        };
        if let Some(from) = win.from.filter(|_| win.way == Way::Replacement) {
            let fed = |meld: &Meld| {
                let claimed = meld.open && !meld.added && meld.group.family() == Family::Kong;
                claimed && meld.from.is_none_or(|feeder| feeder == from)
            };
            if !melds.iter().any(fed) {
                return Err(WinFault::NotFed { from });
            }
            win.from = win.from.filter(|_| plan.kong_feeder_answers);
        }
        let aside = hand.aside.iter().copied().collect::<Aside>();
        plan.check_win(melds, aside, hand.seat, self.round, &win)?;
        match hand.out {
            true => Err(WinFault::Out),
            false => Ok(win),
        }
    }
}

/// Checks that the ruleset has all these tiles.
pub(crate) fn all_in_set<'a>(
    plan: &Plan,
    tiles: impl IntoIterator<Item = &'a Tile>,
) -> Result<(), HandError> {
    match tiles.into_iter().find(|&&tile| !plan.tiles.contains(tile)) {
        Some(&tile) => Err(HandError::NotInSet { tile }),
        None => Ok(()),
    }
}

/// The melds of the player at `seat`. Without a seat, `from` may be any seat.
pub(crate) fn check_melds(
    plan: &Plan,
    melds: &[Declared],
    seat: Option<Seat>,
) -> Result<Vec<Meld>, HandError> {
    let melds = melds.iter().enumerate();
    let checked = melds.map(|(index, meld)| {
        let bad = |reason| HandError::BadMeld { index, reason };
        check_meld(plan, meld, seat).map_err(bad)
    });
    checked.collect()
}

fn check_meld(plan: &Plan, given: &Declared, seat: Option<Seat>) -> Result<Meld, MeldError> {
    let (grammar, play) = (plan.decomposer.grammar(), &plan.play);
    let tiles = &given.tiles;
    let (group, wild) = Meld::with_jokers(tiles)
        .filter(|(group, wild)| {
            let jokers = wild.count_ones() as u8;
            jokers == 0 || given.open && jokers <= play.wild.claimed.most_in(*group)
        })
        .unwrap_or_default();
    let kinds: Option<Vec<Kind>> = match wild {
        0 => tiles.iter().map(|tile| tile.kind()).collect(),
        _ => Some(group.tiles().collect()),
    };
    let group: Group = kinds
        .and_then(|kinds| grammar.meld_of(&kinds))
        .ok_or(MeldError::NoGroup)?;
    let family = group.family();
    if !given.open && family != Family::Kong && !play.lay_down.contains(family) {
        return Err(MeldError::NeverConcealed);
    }
    let may_be_added = match play.added_to {
        AddedTo::None => false,
        AddedTo::Laid => !given.open,
        AddedTo::Claimed => given.open,
    };
    if given.added && !(family == Family::Kong && may_be_added) {
        return Err(MeldError::NotAdded);
    }
    if let Some(from) = given.from {
        if seat == Some(from) {
            return Err(MeldError::OwnTile);
        }
        let may = |seat| play.chow_from.allows(seat, from, plan.players);
        if family.is_run() && !seat.is_none_or(may) {
            return Err(MeldError::OtherPlayer);
        }
    }
    let meld = Meld {
        open: given.open,
        added: given.added,
        reds: tiles.iter().filter(|tile| tile.is_red()).count() as u8,
        wild,
        from: given.from,
        ..Meld::of_own(group)
    };
    meld.check()
}

/// A hand with the number of tiles that the ruleset requires, or with at most `drawn` more.
fn hand(plan: &Plan, given: &SeatHand, melds: &[Meld], drawn: usize) -> Result<Hand, HandError> {
    if given.dead {
        // A dead hand scores nothing, so it may have any number of tiles.
        let mut hand = Hand::new();
        hand.dead = true;
        return Ok(hand);
    }
    let grammar = plan.decomposer.grammar();
    let (have, size) = (
        given.concealed.len() + grammar.tiles_of_melds(melds),
        grammar.hand_tiles(),
    );
    if !(size..=size + drawn).contains(&have) {
        let or_drawn = (1..=drawn).map(|more| format!(" or {}", size + more));
        let want = size.to_string() + &or_drawn.collect::<String>();
        return Err(HandError::wrong_count(have, want));
    }
    let (groups, set) = (grammar.groups(), &plan.tiles);
    Hand::try_new_for(groups, set, &given.concealed, melds, &given.aside)
}
