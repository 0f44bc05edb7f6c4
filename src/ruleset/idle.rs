//! What of a plan has no effect.
//!
//! A key has none where the game lacks what the key is about, such as the time of an indicator where there are none. The lint
//! compares plans of files with and without a key, so here every such part is as it is without its key.

use super::matches::{DealerKeepsOn, FirstDealer, MatchEnd, NextDealer};
use super::opening::{OpeningRule, PassRules};
use super::plan::{ClaimConditions, Plan};
use super::play::{
    AddedTo, AsideRow, AsideRules, ClaimKind, IndicatorTurn, KongAfterClaim, PlayRules, TurnedRow,
    Winners,
};
use super::procedures::{KongInRiichi, Procedures};
use crate::list::List;
use crate::meld::Family;
use crate::score::facts::{EventFact, Fact};
use crate::score::{
    ChowFrom, Condition, FamilySet, Pattern, PatternValue, PaymentRow, PaymentRules, Pays,
    ScoreFamily, ScoreRules, SettlementRules,
};
use crate::seat::BySeat;
use crate::set::KindSet;
use crate::state::{TurnedId, Way};
use crate::tile::Wind;
use crate::wall::{BackOrder, DiceSum, SpareStacks};

/// What a game has, as far as keys depend on it.
struct Game {
    /// The families of groups that hands can have.
    families: FamilySet,
    /// Kongs are declared and draw replacements.
    draws_for_kongs: bool,
    /// A seat may add a tile to a pung.
    adds: bool,
    /// Tiles must be laid aside.
    lays_forced: bool,
    /// Tiles are laid aside.
    lays: bool,
    /// Something depends on indicators.
    indicators: bool,
    /// Something depends on those under them.
    ura: bool,
    /// Something depends on whose flower a flower is.
    own_flowers: bool,
}

impl Game {
    fn has(&self, family: Family) -> bool {
        self.families.contains(family)
    }

    /// True if concealed groups of a family may be laid down.
    fn lays_down(&self, family: Family) -> bool {
        (family == Family::Pung || family.is_run()) && self.has(family)
    }

    fn has_runs(&self) -> bool {
        Family::ALL
            .into_iter()
            .any(|family| family.is_run() && self.has(family))
    }
}

impl Plan {
    /// The same plan, where everything without an effect is as it is without its key. Its patterns are not compiled.
    pub(crate) fn effective(&self) -> Self {
        let mut plan = self.clone();
        let game = self.game();
        plan.idle_play(&game);
        plan.idle_ways(&game);
        plan.idle_wall(&game);
        plan.idle_aside(&game);
        plan.idle_turned();
        plan.idle_opening();
        plan.idle_matches(&game);
        plan.procedures.idle(self, &game);
        plan.idle_settlement();
        let notes = |row: &PaymentRow| matches!(row.pays, Pays::Returns { .. });
        if !self.payments.rows().iter().any(notes) {
            plan.payments = PaymentRules::new(self.payments.rows().iter().map(unnoted).collect());
        }
        plan.score = self.effective_score(&game);
        plan
    }

    fn game(&self) -> Game {
        let grammar = self.decomposer.grammar();
        let play = &self.play;
        let has = |family: &Family| *family == Family::Pair || grammar.has(*family);
        let families: FamilySet = Family::ALL.into_iter().filter(has).collect();
        let draws_for_kongs =
            grammar.has_kong() && play.kong_replacement && play.most_kongs != Some(0);
        let lays_forced = !self.tiles.flowers().is_empty() || !play.aside.forced().is_empty();
        let points_to_wild = play.wild.turned.is_some() || self.ways.contains(&Way::Turned);
        let is_shown = |fact: &Fact| {
            matches!(
                fact,
                Fact::Dora | Fact::UraDora | Fact::BonusTiles | Fact::VisibleCopies
            )
        };
        let indicators = self.wall.indicators.is_some() && (points_to_wild || self.asks(&is_shown));
        let adds = match play.added_to {
            AddedTo::None => false,
            AddedTo::Laid => play.lay_down.contains(Family::Pung) && grammar.has_pung(),
            AddedTo::Claimed => true,
        };
        Game {
            families,
            draws_for_kongs,
            adds: adds && draws_for_kongs,
            lays_forced,
            lays: lays_forced || !play.aside.kinds().is_empty(),
            indicators,
            ura: indicators && self.asks(&|fact| *fact == Fact::UraDora),
            own_flowers: self.asks(&Fact::asks_own_flowers),
        }
    }

    /// True when something that decides about play or points asks for such a fact.
    fn asks(&self, is: &dyn Fn(&Fact) -> bool) -> bool {
        let asks =
            |condition: &Option<Condition>| condition.as_ref().is_some_and(|one| one.any_fact(is));
        let of_claims = |claims: &ClaimConditions| claims.iter().any(asks);
        self.score.any_fact(is)
            || self.payments.rows().iter().any(|row| row.any_fact(is))
            || self.when.iter().any(asks)
            || self.flags.iter().any(|flag| asks(&flag.when))
            || self
                .opening
                .iter()
                .any(|step| step.shows().is_some_and(|when| when.any_fact(is)))
            || self.claim_conditions.as_deref().is_some_and(of_claims)
            || self
                .procedures
                .riichi_when
                .as_ref()
                .is_some_and(|when| when.any_fact(is))
    }

    /// What players may do.
    fn idle_play(&mut self, game: &Game) {
        let players = self.players;
        let wins_off_others =
            self.ways.contains(&Way::Discard) || self.ways.contains(&Way::RobbedKong);
        // Every seat may win on such tiles.
        let others = players - 1;
        let of_all = self.ways.contains(&Way::Turned) || !self.score.flower_wins().is_empty();
        let most_winners = match (of_all, wins_off_others) {
            (true, _) => players,
            (false, true) => others,
            (false, false) => 1,
        };
        let play = &mut self.play;
        let lays = play.lay_down;
        let possible = Family::ALL
            .into_iter()
            .filter(|&family| lays.contains(family) && game.lays_down(family));
        play.lay_down = possible.collect();
        if !play.lay_down.contains(Family::Pung) {
            play.claimed_kong_on_laid = false;
        }
        // With one winner no key says who wins.
        play.winners = Winners::Nearest;
        for (winners, least) in play.several_winners.iter_mut().zip(2..) {
            if most_winners < least {
                *winners = Winners::Nearest;
            }
        }
        if !game.has_runs() {
            play.chow_from = ChowFrom::Previous;
        }
        idle_kongs(play, game, players * self.decomposer.grammar().groups());
        let has_chows = game.has_runs() && play.chow_from != ChowFrom::Nobody;
        let has = |kind: ClaimKind| match kind {
            ClaimKind::Win => true,
            ClaimKind::Kong => game.has(Family::Kong),
            ClaimKind::Pung => game.has(Family::Pung),
            ClaimKind::Chow => has_chows,
            ClaimKind::Quint => game.has(Family::Quint),
            ClaimKind::Sextet => game.has(Family::Sextet),
        };
        let claimed = &mut play.wild.claimed;
        for (kind, most) in [
            (ClaimKind::Kong, &mut claimed.kong),
            (ClaimKind::Pung, &mut claimed.pung),
            (ClaimKind::Chow, &mut claimed.chow),
            (ClaimKind::Quint, &mut claimed.quint),
            (ClaimKind::Sextet, &mut claimed.sextet),
        ] {
            if !has(kind) {
                *most = 0;
            }
        }
        if let Some(claims) = &mut self.claim_conditions {
            for ((_, kind), condition) in ClaimKind::WORDS.into_iter().zip(claims.iter_mut()) {
                condition.take_if(|one| !has(kind) || one.always_holds());
            }
        }
        self.claim_conditions
            .take_if(|claims| claims.iter().all(Option::is_none));
    }

    /// How hands are won.
    fn idle_ways(&mut self, game: &Game) {
        if !self.ways.contains(&Way::RobbedKong) {
            (self.play.rob_added, self.play.rob_concealed) = (false, false);
        }
        if !self.play.rob_concealed {
            self.play.rob_concealed_form = None;
        }
        let robs = self.play.rob_added || self.play.rob_concealed;
        let replaces = game.draws_for_kongs || game.lays;
        self.ways.retain(|way| match way {
            Way::RobbedKong => robs,
            Way::Replacement => replaces,
            _ => true,
        });
        if !game.draws_for_kongs || !self.ways.contains(&Way::Replacement) {
            self.kong_feeder_answers = false;
        }
        let asks_row = self.asks(&|fact| *fact == Fact::KongsInRow);
        self.kong_flag = self.kong_flag.filter(|_| asks_row);
    }

    /// The wall.
    fn idle_wall(&mut self, game: &Game) {
        let asks_dice = self.matches.first_dealer == FirstDealer::Roll
            || self
                .opening
                .iter()
                .any(|step| step.passes().is_some_and(|pass| pass.to.len() > 1));
        let stacks = self.tiles.len() / usize::from(self.wall.height.max(1));
        let wall = &mut self.wall;
        if !game.indicators {
            wall.indicators = None;
        }
        if wall.indicators.is_none() {
            wall.most_indicators = None;
        }
        if !(game.draws_for_kongs || game.lays) {
            wall.reserve_moves = false;
            wall.back = BackOrder::FromEnd;
            wall.most_replacements = None;
        }
        wall.reserve_then_wall &= game.lays_forced;
        if !asks_dice && (wall.break_wall, wall.break_count) == (DiceSum::None, DiceSum::None) {
            wall.rolls.clear();
        }
        if stacks.is_multiple_of(self.players) {
            wall.spare_stacks = SpareStacks::First;
        }
    }

    /// Tiles that are laid aside. Conditions know rows by their places, so only the last ones may go.
    fn idle_aside(&mut self, game: &Game) {
        let aside = &self.play.aside;
        let is_used = |row: &AsideRow| !row.flowers.is_empty() || !row.kinds.is_empty();
        let last = aside.rows().iter().rposition(is_used);
        let rows = last.map_or(0, |place| place + 1);
        self.aside_ids.truncate(rows);
        self.play.aside = AsideRules::new(&aside.rows()[..rows], aside.dealt);
        if !game.own_flowers {
            let flowers = self.tiles.flowers();
            self.tiles = self.tiles.with_flowers(flowers, BySeat::default());
        }
    }

    /// Tiles that are turned face up. Conditions know rows by their places, so only the last ones may go.
    fn idle_turned(&mut self) {
        if self.wall.indicators.is_none() {
            self.turned_when_dealt = None;
        }
        let mut rows = self.play.turned.to_vec();
        let counts = |fact: &Fact| matches!(fact, Fact::Event(EventFact::Turned { .. }));
        let counts = self.asks(&counts);
        let is_idle = |place: usize, row: &TurnedRow| {
            let is_named = |fact: &Fact| match fact {
                Fact::Event(EventFact::TurnedTo { turned, .. }) => *turned == TurnedId::at(place),
                _ => false,
            };
            row.count == 0 || !counts && !self.asks(&is_named)
        };
        let is_used = |(place, row): &(usize, &TurnedRow)| !is_idle(*place, row);
        let last = rows.iter().enumerate().rfind(is_used);
        rows.truncate(last.map_or(0, |(place, _)| place + 1));
        self.turned_ids.truncate(rows.len());
        self.play.turned = List::first_of(rows);
    }

    /// What is chosen before the first turn.
    fn idle_opening(&mut self) {
        let (kinds, has_dice) = (self.tiles.copies().kinds(), !self.wall.rolls.is_empty());
        for step in &mut self.opening {
            if let OpeningRule::Pass(pass) = &mut step.does {
                idle_pass(pass, kinds, has_dice);
            }
        }
    }

    /// The length and the dealers of a match.
    fn idle_matches(&mut self, game: &Game) {
        let has_riichi = self.procedures.riichi.is_some();
        let matches = &mut self.matches;
        // Where the dealer never deals again after a used-up wall, kongs change nothing.
        let keeps =
            matches!(matches.next_dealer, NextDealer::DealerKeeps(on) if on != DealerKeepsOn::Win);
        if !keeps || !game.has(Family::Kong) {
            matches.keeps_kongs = u32::MAX;
        }
        let deals = matches.ends.iter().filter_map(|end| match end {
            MatchEnd::Deals(deals) => Some(*deals),
            _ => None,
        });
        let rounds = matches.ends.iter().filter_map(|end| match end {
            MatchEnd::Rounds(rounds) => Some(*rounds),
            _ => None,
        });
        let (deals, rounds) = (deals.min(), rounds.min());
        let mut ends = std::mem::take(&mut matches.ends);
        ends.dedup();
        ends.retain(|end| match end {
            MatchEnd::Deals(one) => Some(*one) == deals,
            MatchEnd::Rounds(one) => Some(*one) == rounds,
            MatchEnd::RoundsOrGoal { rounds: one, .. } => rounds.is_none_or(|most| *one < most),
            MatchEnd::DealerLeads {
                rounds: one,
                on_win,
                on_ready,
                ..
            } => (*on_win || *on_ready) && rounds.is_none_or(|most| *one <= most),
            MatchEnd::Below(_) => true,
        });
        matches.ends = ends;
        if deals.is_some_and(|deals| deals <= matches.max_deals) {
            matches.max_deals = u32::MAX;
        }
        if let (Some(result), false) = (&mut matches.result, has_riichi) {
            result.deposits_to_first = true;
        }
    }

    /// Who pays whom.
    fn idle_settlement(&mut self) {
        if let SettlementRules::Riichi(rules) = &mut self.settlement {
            if self.procedures.riichi.is_none() {
                rules.deposit = 0;
            }
            if !rules.false_win || rules.mangan == 0 || self.procedures.false_win.is_some() {
                (rules.false_win, rules.mangan) = (false, 0);
            }
        }
    }

    /// What hands are worth.
    fn effective_score(&self, game: &Game) -> ScoreRules {
        let score = &self.score;
        let all = score.patterns();
        let is_there =
            |place: &usize| !all[*place].value.is_off() || score.flower_wins().contains(place);
        let kept: Vec<usize> = (0..all.len()).filter(is_there).collect();
        let place_of = |place: &usize| kept.binary_search(place).ok();
        let patterns = kept.iter().map(|&place| {
            let mut pattern = all[place].clone();
            pattern.supersedes = pattern.supersedes.iter().filter_map(place_of).collect();
            pattern.supersedes.sort_unstable();
            pattern.supersedes.dedup();
            idle_value(&mut pattern);
            if let Some(liable) = &mut pattern.liable {
                liable.not_added &= game.adds && liable.families.contains(Family::Kong);
            }
            pattern
        });
        let patterns: Vec<Pattern> = patterns.collect();
        let flower_wins = score.flower_wins().iter().filter_map(place_of).collect();
        let has_limits = patterns.iter().any(|one| one.value.is_limit());
        let counts = |one: &Pattern| one.per.is_some() || !one.combines.is_empty();
        let several = patterns.iter().any(counts);
        let mut family = score.family().clone();
        match &mut family {
            ScoreFamily::Sums(rules) => {
                rules.limits_alone &= has_limits || rules.reached.is_some();
                rules.listed_each &= several;
                rules.minimum.take_if(|one| one.condition.always_holds());
            }
            ScoreFamily::HanFu(rules) => {
                rules.limits_add |= !has_limits;
                rules.minimum.take_if(|one| one.condition.always_holds());
                rules.fu.retain(|row| row.fu != 0 || row.exact);
            }
        }
        let grammar = self.decomposer.grammar();
        let mut rules = score.uncompiled(patterns, family, flower_wins, grammar);
        if !game.has_runs() {
            rules.win.run_from = ChowFrom::Any;
        }
        for family in Family::ALL.into_iter().filter(|&family| !game.has(family)) {
            rules.win.completes.insert(family);
        }
        if let Some(losers) = rules
            .losers
            .as_mut()
            .filter(|losers| losers.pairs.is_empty())
        {
            losers.most_pairs = 0;
        }
        rules
    }
}

/// The parts of `[kongs]`. `most` is the number of kongs that fit in all hands.
fn idle_kongs(play: &mut PlayRules, game: &Game, most: usize) {
    let [concealed, claimed, added] = &mut play.indicator_turns;
    if !game.draws_for_kongs {
        play.hidden_kongs = false;
        play.kong_after_claim = KongAfterClaim::AfterReplacement;
        play.kong_through_aside = true;
        (*concealed, *claimed) = (
            IndicatorTurn::AfterReplacement,
            IndicatorTurn::AfterReplacement,
        );
        // Without replacements their number does not limit kongs.
        if !play.kong_replacement {
            play.most_kongs = None;
        }
    }
    if !game.adds {
        play.added_to = AddedTo::None;
        play.rob_added = false;
        play.added_when_drawn = false;
        *added = IndicatorTurn::AfterReplacement;
    }
    if !game.indicators {
        play.indicator_turns = [IndicatorTurn::AfterReplacement; 3];
    }
    let turns = play.indicator_turns;
    if !turns.contains(&IndicatorTurn::AfterDiscard) {
        play.replacement_win_turns = true;
    }
    play.ura |= !game.ura;
    play.kong_ura |= !game.ura || !play.ura || turns == [IndicatorTurn::Never; 3];
    if !game.lays && play.kong_after_claim == KongAfterClaim::Never {
        play.kong_after_claim = KongAfterClaim::AfterReplacement;
    }
    play.kong_through_aside |= !game.lays_forced;
    play.most_kongs = play.most_kongs.filter(|&kongs| usize::from(kongs) < most);
}

/// A step in which tiles are passed.
fn idle_pass(pass: &mut PassRules, kinds: KindSet, has_dice: bool) {
    pass.same_suit &= pass.tiles > 1;
    if kinds.is_subset(pass.of) {
        pass.of = KindSet::ALL;
    }
    // Without dice the sum is 0, and the last direction comes before the first.
    let is_one = pass.to.windows(2).all(|two| two[0] == two[1]);
    if let Some(last) = pass.to.last().copied().filter(|_| is_one || !has_dice) {
        pass.to = List::over(last);
        pass.to.push(last);
    }
}

/// What a pattern is worth where it cannot count.
fn idle_value(pattern: &mut Pattern) {
    if let PatternValue::Han { open, .. } = &mut pattern.value
        && pattern
            .when
            .as_ref()
            .is_some_and(Condition::is_of_closed_hands)
    {
        *open = 0;
    }
}

/// A row whose payments no other row returns.
fn unnoted(row: &PaymentRow) -> PaymentRow {
    let mut row = row.clone();
    if let Pays::Amount { noted, .. } = &mut row.pays {
        *noted = false;
    }
    row
}

impl Procedures {
    fn idle(&mut self, plan: &Plan, game: &Game) {
        if !plan.play.hidden_kongs || !game.draws_for_kongs {
            self.challenge = None;
        }
        let bars_discards = self
            .furiten
            .as_ref()
            .is_some_and(|rules| rules.own_discards);
        let has_riichi = self.riichi.is_some();
        if let Some(riichi) = &mut self.riichi {
            riichi.while_furiten |= !bars_discards;
            if !game.draws_for_kongs {
                riichi.kongs = KongInRiichi::None;
            }
        }
        if let Some(furiten) = &mut self.furiten {
            furiten.riichi_for_good |= !has_riichi;
        }
        if let Some(swap_call) = &mut self.swap_call {
            swap_call.other_end &= game.has(Family::Arith);
        }
        if let Some(draws) = &mut self.abortive_draws {
            let kinds = plan.tiles.copies().kinds();
            let has_wind = Wind::ALL
                .into_iter()
                .any(|wind| kinds.contains(wind.kind()));
            draws.four_winds &= has_wind;
            draws.four_kongs &= game.has(Family::Kong);
            draws.four_riichi &= has_riichi;
            draws
                .nine_orphans
                .take_if(|orphans| orphans.intersection(kinds).len() < 9);
        }
    }
}
