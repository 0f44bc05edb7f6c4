//! Values that no ruleset of the crate makes: scores of other rules, sums near the ends of their types, impossible melds.

use crate::common::agents;
use paishan::agent::Agent;
use paishan::game::{Deal, Match, Observer, RecordError};
use paishan::log::{LogOptions, Recorder};
use paishan::protocol::ScoreAnswer;
use paishan::ruleset::{self, Plan, Ruleset};
use paishan::score::{Line, PaymentReason, Score, ScoreError, ScoreInput, Settlement};
use paishan::simulate::{Collector, PlayError, Summary, play};
use paishan::state::{DealState, OnTable, Win};
use paishan::{Hand, Notation, Rules, Seat, Tile, Wind};
use std::sync::Arc;

/// A ruleset whose scores were changed by hand.
#[derive(Debug)]
struct Changed {
    rules: Rules,
    change: fn(&mut Score),
    /// Units that the winner gets from each other seat beside the points.
    bonus: i64,
}

impl Changed {
    fn new(id: &str, change: fn(&mut Score), bonus: i64) -> Self {
        let rules = Rules::by_id(id).unwrap();
        Self {
            rules,
            change,
            bonus,
        }
    }
}

impl Ruleset for Changed {
    fn plan(&self) -> &Arc<Plan> {
        self.rules.plan()
    }

    fn score_hand(&self, input: &ScoreInput<'_>) -> Result<Score, ScoreError> {
        let mut score = self.rules.score_hand(input)?;
        (self.change)(&mut score);
        Ok(score)
    }

    fn adjust_settlement(&self, _: &DealState, wins: &[(Seat, Win)], settlement: &mut Settlement) {
        let Some(&(winner, _)) = wins.first() else {
            return;
        };
        for from in Seat::all(self.plan().players()).filter(|&seat| seat != winner) {
            settlement.transfer(from, winner, self.bonus, PaymentReason::HouseRule);
        }
    }
}

fn play_deal<R: Ruleset>(
    deal: &mut Deal<R>,
    agents: &mut [Box<dyn Agent>],
    all: &mut dyn Observer,
) {
    while let Some(seat) = deal.state().deciding().next() {
        let view = deal.state().view(seat);
        let action = agents[seat.index()].decide(&view, deal.legal(seat));
        deal.act_observed(seat, action, all).unwrap();
    }
}

#[test]
fn a_score_of_other_rules_is_an_error() {
    for id in ["riichi-mcgill", "mcr", "traditional"] {
        let foreign =
            |score: &mut Score| score.lines.iter_mut().for_each(|line| line.pattern = 9_999);
        let rules = Changed::new(id, foreign, 0);
        let patterns = rules.plan().score().patterns().len();
        let unknown = ScoreError::UnknownPattern {
            pattern: 9_999,
            patterns,
        };
        let mut players = agents(&rules, "greedy");
        let fault = (1..60).find_map(|seed| {
            let mut series = Match::new(&rules as &dyn Ruleset, seed);
            let names = vec![String::new(); rules.plan().players()];
            let options = LogOptions::new(names, Notation::Ujmj);
            let mut all = (
                Recorder::new(rules.plan(), options, |_| ()),
                Collector::new(&rules),
            );
            all.match_started(series.state());
            let mut deal = series.start_deal_observed(&mut all);
            play_deal(&mut deal, &mut players, &mut all);
            let outcome = deal.outcome().unwrap();
            let fault = outcome.fault.clone()?;
            assert_eq!(
                series.finish(&deal),
                Err(RecordError::Settlement(fault.clone()))
            );
            Some(fault)
        });
        assert_eq!(fault, Some(unknown.clone()), "{id}");
    }
}

#[test]
fn lines_of_other_rules_have_no_pattern() {
    let riichi = Rules::by_id("riichi-mcgill").unwrap();
    let woo = Rules::by_id("woo").unwrap();
    let rules = &riichi.plan().score();
    let (known, foreign) = (
        Line {
            pattern: 0,
            times: 1,
        },
        Line {
            pattern: u16::MAX,
            times: 1,
        },
    );
    assert_eq!(rules.pattern(&known).unwrap().id, rules.patterns()[0].id);
    assert!(rules.pattern(&foreign).is_none());
    assert_eq!(rules.counted(&[foreign, known]).collect::<Vec<_>>(), [0]);

    let hand: Hand = "123t456t789t12mCC".parse().unwrap();
    let win = Win::drawn("3m".parse().unwrap());
    let mut score = woo
        .score_hand(&ScoreInput::new(&hand, Seat::EAST, Wind::East, Some(&win)))
        .unwrap();
    assert!(ScoreAnswer::new(woo.plan(), Notation::Ujmj, &score).is_ok());
    score.lines.push(foreign);
    let error = ScoreAnswer::new(woo.plan(), Notation::Ujmj, &score).unwrap_err();
    assert!(matches!(
        error,
        ScoreError::UnknownPattern {
            pattern: u16::MAX,
            ..
        }
    ));
    assert_eq!(error.code(), "bad-request");

    // `uzje` has runs that no game of 34 kinds has.
    let uzje = Rules::by_id("uzje").unwrap();
    let last = uzje
        .plan()
        .decomposer()
        .grammar()
        .shapes()
        .last()
        .unwrap()
        .0;
    assert!(woo.plan().decomposer().grammar().shape(last).is_none());
    let own = uzje.plan().decomposer().grammar().shape(last);
    assert!(own.is_some());
}

#[test]
fn sums_stop_at_the_ends_of_their_types() {
    let most: fn(&mut Score) = |score| score.points = i64::MAX;
    let least: fn(&mut Score) = |score| score.points = i64::MIN;
    for id in ruleset::ids() {
        for (change, bonus) in [(most, i64::MAX), (least, 0), (most, 0), (least, i64::MIN)] {
            let rules = Changed::new(id, change, bonus);
            let names = vec![String::new(); rules.plan().players()];
            let options = LogOptions::new(names, Notation::Ujmj);
            let mut won = 0;
            for seed in 0..3 {
                let mut all = (
                    Recorder::new(rules.plan(), options.clone(), |_| ()),
                    (Collector::new(&rules), Summary::default()),
                );
                match play(&rules, &mut agents(&rules, "greedy"), seed, &mut all) {
                    Ok(series) => {
                        assert_eq!(series.state().results().len(), rules.plan().players())
                    }
                    // A total that stopped no longer shows every change.
                    Err(PlayError::Record(RecordError::OtherTotals)) => won += 1,
                    Err(error) => panic!("{id}: {error}"),
                }
                won += all.1.1.won();
            }
            assert!(won > 0, "{id}");
        }
    }
}

#[test]
fn full_counters_and_deposits_stay_full() {
    let rules = Rules::by_id("riichi-mcgill").unwrap();
    let mut players = agents(&rules, "greedy");
    let mut declared = 0;
    for seed in 0..20 {
        let series = Match::new(rules.clone(), seed);
        let mut setup = series.state().setup();
        setup.on_table.counters = u32::MAX;
        setup.on_table.deposits = u32::MAX;
        setup.points[Seat::SOUTH] = i64::MAX;
        let mut deal = Deal::start(rules.clone(), setup);
        play_deal(&mut deal, &mut players, &mut ());
        assert_eq!(deal.state().on_table().deposits, u32::MAX);
        declared += Seat::all(4)
            .filter(|&seat| {
                deal.state()
                    .riichi(seat)
                    .is_some_and(|riichi| riichi.accepted)
            })
            .count();
    }
    assert!(declared > 5, "{declared}");
    let hand: Hand = "123t456t789t12mCC".parse().unwrap();
    let win = Win::drawn("3m".parse().unwrap());
    let inputs: Vec<ScoreInput<'_>> = Seat::all(4)
        .map(|seat| {
            let win = Some(&win).filter(|_| seat == Seat::EAST);
            ScoreInput::new(&hand, seat, Wind::East, win)
        })
        .collect();
    let mut table = OnTable::default();
    (table.counters, table.deposits) = (u32::MAX, u32::MAX);
    let settlement = rules.settle_hands(&inputs, table).unwrap();
    let (_, units) = settlement.deposits.unwrap();
    assert_eq!(units, i64::from(u32::MAX) * 1_000);
}

/// 255 red fives in a meld were 48,000 points.
#[test]
fn a_meld_has_no_more_red_fives_than_fives() {
    let rules = Rules::by_id("riichi-tenhou").unwrap();
    for (meld, reds, fits) in [
        ("456t", 1, true),
        ("456t", 2, false),
        ("456t", 255, false),
        ("123t", 1, false),
        ("CCC", 255, false),
    ] {
        // With the red five in the hand a sum in a byte would be 0.
        let hand: Hand = format!("234567m5Rs99m+{meld}").parse().unwrap();
        let concealed: Vec<Tile> = hand.tiles().collect();
        let meld = hand.melds()[0].with_reds(reds);
        assert_eq!(meld.is_ok(), fits, "{meld:?}");
        let made = meld.map(|meld| Hand::try_new(rules.plan().tiles(), &concealed, &[meld], &[]));
        assert!(made.is_ok_and(|hand| hand.is_ok()) == fits, "{meld:?}");
    }
}
