//! Finished deals kept as requests: settled again under their own rules they bring what they brought at the
//! table, under edited ones what the edit says.

use crate::common::{agents, ruleset_with};
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::protocol::{read_settle, settle_request};
use paishan::request::Request;
use paishan::ruleset::{self, Ruleset};
use paishan::score::{PaymentReason, Tally};
use paishan::state::DealState;
use paishan::{game_seed, simulate};

struct Checked<'a> {
    rules: &'a dyn Ruleset,
    deals: u32,
    faults: Vec<String>,
}

impl Observer for Checked<'_> {
    fn paid(&mut self, state: &DealState, part: &Outcome) {
        // What a kong brought is not told by the hands.
        let mut part = part.clone();
        let all = std::mem::take(&mut part.settlement.payments);
        for payment in all {
            if matches!(payment.reason, PaymentReason::Returned { .. }) {
                part.settlement.deltas[payment.from] += payment.units;
                part.settlement.deltas[payment.to] -= payment.units;
            } else {
                part.settlement.payments.push(payment);
            }
        }
        self.check(state, &part);
    }
}

impl Checked<'_> {
    fn check(&mut self, state: &DealState, outcome: &Outcome) {
        if outcome.wins().is_empty() {
            return;
        }
        self.deals += 1;
        let request = settle_request(
            self.rules.plan(),
            &Request::of_deal(self.rules.plan(), state, outcome),
        );
        // As it comes back from a file.
        let text = serde_json::to_string(&request).unwrap();
        let request = serde_json::from_str(&text).unwrap();
        let request = read_settle(self.rules.plan(), &request).unwrap();
        let table = request.check(self.rules).unwrap();
        let again = table.settle();
        if again.as_ref() != Ok(&outcome.settlement) {
            let again = again.map(|settlement| settlement.deltas);
            let before = &outcome.settlement.deltas;
            self.faults
                .push(format!("{text}\n  {before:?}\n  {again:?}"));
        }
    }
}

fn checked(id: &str, options: &[&str], games: u64) {
    let rules = ruleset_with(id, options);
    let mut checked = Checked {
        rules: &rules,
        deals: 0,
        faults: Vec::new(),
    };
    for game in 0..games {
        let mut agents = agents(&rules, "greedy");
        simulate::play(&rules, &mut agents, game_seed(5, game), &mut checked).unwrap();
    }
    let Checked { deals, faults, .. } = checked;
    assert!(deals > 20, "{id}: {deals} deals were won");
    let first = faults.first().map_or("", String::as_str);
    assert!(
        faults.is_empty(),
        "{id}: {} of {deals}: {first}",
        faults.len()
    );
}

#[test]
fn finished_deals_settle_as_they_did_at_the_table() {
    for id in ruleset::ids() {
        checked(id, &[], if id == "uzje" { 6 } else { 20 });
    }
    checked("uzje", &["threshold=0.5", "players=5"], 6);
    checked("traditional", &["penalties=true"], 10);
}

/// The edit of one value changes the hands that have it and nothing else.
#[test]
fn edited_values_change_the_hands_that_have_them() {
    let [rules, edited] = [&[][..], &["threshold=3.5"]].map(|set| ruleset_with("uzje", set));
    struct Other<'a>(&'a dyn Ruleset, [u32; 3]);
    impl Observer for Other<'_> {
        fn deal_ended(
            &mut self,
            series: &MatchState,
            state: &DealState,
            outcome: &Outcome,
            _: Next,
        ) {
            for (seat, _) in outcome.wins() {
                let request = Request::of_deal(series.plan(), state, outcome);
                let score = outcome.settlement.scores[*seat].as_ref().unwrap();
                let Tally::Sums(fan) = score.tally else {
                    panic!("uzje counts fan")
                };
                let Other(edited, [limits, cheaper, short]) = self;
                let again = request.check(*edited).unwrap().settle_again().unwrap();
                assert_eq!(
                    again.refused.contains(*seat),
                    fan.limits == 0 && fan.columns[0].tenths() <= 35
                );
                match &again.settlement.scores[*seat] {
                    None => *short += 1,
                    Some(again) if fan.limits > 0 => *limits += u32::from(again == score),
                    Some(again) => {
                        assert!(again.points < score.points);
                        *cheaper += 1;
                    }
                }
            }
        }
    }
    let mut other = Other(&edited, [0; 3]);
    for game in 0..6 {
        let mut agents = agents(&rules, "greedy");
        simulate::play(&rules, &mut agents, game_seed(5, game), &mut other).unwrap();
    }
    let [_, cheaper, short] = other.1;
    assert!(cheaper > 5 && short > 5, "{:?}", other.1);
}
