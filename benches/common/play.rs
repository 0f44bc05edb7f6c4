//! Hands as they are played: those that agents hold in games from fixed seeds.

use paishan::agent;
use paishan::decompose::Holding;
use paishan::game::Observer;
use paishan::simulate;
use paishan::state::{Action, DealState, Legal};
use paishan::{Ruleset, Seat, game_seed};

/// Hands on turn, and the same hands after their discard.
#[derive(Default)]
pub struct Hands {
    pub on_turn: Vec<Holding>,
    pub waiting: Vec<Holding>,
}

impl Observer for Hands {
    fn decided(&mut self, state: &DealState, seat: Seat, _: &Legal, action: Action) {
        let Action::Discard { tile, .. } = action else {
            return;
        };
        let on_turn = Holding::from(state.hand(seat));
        let mut waiting = on_turn;
        if tile
            .kind()
            .is_some_and(|kind| waiting.concealed.try_remove(kind))
        {
            self.on_turn.push(on_turn);
            self.waiting.push(waiting);
        }
    }
}

impl Hands {
    /// The hands of players of one kind (`greedy`, `value` …), `count` of them or a few more.
    pub fn of(rules: &dyn Ruleset, player: &str, count: usize) -> Self {
        let plan = rules.plan();
        let agent = || agent::by_name(player, plan).expect("an agent of the crate");
        let mut agents: Vec<_> = (0..plan.players).map(|_| agent()).collect();
        let mut hands = Self::default();
        for game in 0.. {
            if hands.on_turn.len() >= count {
                break;
            }
            simulate::play(rules, &mut agents, game_seed(77, game), &mut hands)
                .expect("agents play what is legal");
        }
        hands
    }

    /// The hands that pass a test on their turn.
    pub fn filtered(&self, wanted: impl Fn(&Holding) -> bool) -> Self {
        let all = self.on_turn.iter().zip(&self.waiting);
        let (on_turn, waiting) = all.filter(|(hand, _)| wanted(hand)).unzip();
        Self { on_turn, waiting }
    }
}

/// True if a kong is among the declared melds, for then these have more than three tiles each.
pub fn has_kong(hand: &Holding) -> bool {
    hand.declared.total() > 3 * hand.melds
}
