//! Hands as they are played: those that agents hold in games from fixed seeds.

use paishan::agent;
use paishan::decompose::Holding;
use paishan::game::{MatchState, Next, Observer, Outcome};
use paishan::score::ScoreInput;
use paishan::simulate;
use paishan::state::{Action, DealState, Legal, Win};
use paishan::{Hand, Ruleset, Seat, Tile, Wind, game_seed};

/// A hand that won, with all that scoring it takes but indicators under others.
pub struct Won {
    hand: Hand,
    seat: Seat,
    round: Wind,
    win: Win,
    bonus: Vec<Tile>,
}

impl Won {
    /// The hand, ready to score.
    pub fn input(&self) -> ScoreInput<'_> {
        ScoreInput {
            bonus: &self.bonus,
            ..ScoreInput::new(&self.hand, self.seat, self.round, Some(&self.win))
        }
    }
}

/// The hands that won, taken from games.
#[derive(Default)]
pub struct Wins(Vec<Won>);

impl Observer for Wins {
    fn deal_ended(&mut self, _: &MatchState, state: &DealState, outcome: &Outcome, _: Next) {
        self.0.extend(outcome.wins().iter().map(|&(seat, win)| Won {
            hand: state.hand_before(seat, &win),
            seat,
            round: state.round(),
            win,
            bonus: state.wall().turned().collect(),
        }));
    }
}

impl Wins {
    /// Hands that won in games of players of one kind, `count` of them or a few more.
    pub fn of(rules: &dyn Ruleset, player: &str, count: usize) -> Vec<Won> {
        let mut wins = Self::default();
        play(rules, player, &mut wins, |wins| wins.0.len() >= count);
        wins.0
    }
}

/// Plays games at fixed seeds until the observer has enough.
fn play<O: Observer>(
    rules: &dyn Ruleset,
    player: &str,
    observer: &mut O,
    has_enough: impl Fn(&O) -> bool,
) {
    let plan = rules.plan();
    let agent = || agent::by_name(player, plan).expect("an agent of the crate");
    let mut agents: Vec<_> = (0..plan.players()).map(|_| agent()).collect();
    for game in 0.. {
        if has_enough(observer) {
            break;
        }
        simulate::play(rules, &mut agents, game_seed(77, game), observer)
            .expect("agents play what is legal");
    }
}

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
        let mut hands = Self::default();
        play(rules, player, &mut hands, |hands| {
            hands.on_turn.len() >= count
        });
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
