//! Plays one deal and draws the table each time a seat has to decide. Between the drawings it prints exchanges, missing
//! suits, claims with jokers and payments.
//!
//! ```text
//! paishan watch
//! paishan watch --ruleset woo --seed 4 --seat S --agents greedy
//! paishan watch --ruleset woo --agents value --explain
//! ```

use crate::output::{self, Fault};
use crate::rules::{LangArgs, RulesArgs};
use crate::wins;
use paishan::agent::{self, Pursued, Weighed};
use paishan::draw::text;
use paishan::game::{Deal, Match, Observer, Outcome};
use paishan::ruleset::Plan;
use paishan::state::{DealState, Event, Phase};
use paishan::{Lang, Rules, Seat, Seed};

/// Plays one deal and draws the table as one seat sees it.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    names: LangArgs,
    /// The seed: a number, or 64 hexadecimal digits.
    #[arg(long, default_value = "1")]
    seed: Seed,
    /// The seat whose view is drawn: E, S, W, N, or 5, 6 at larger tables.
    #[arg(long, default_value = "E")]
    seat: char,
    /// Who plays: random, first, greedy, value, search; `value-20` slips in 20 of 100 decisions.
    #[arg(long, default_value = "greedy")]
    agents: String,
    /// Says for each decision of the seat what its agent compared: the worth of each action (for `value`, with the expected
    /// gain, the risk to deal in and its cost), and for each goal the distance and the accepted tiles.
    #[arg(long)]
    explain: bool,
}

/// What an agent compared, an action a line, the best first.
fn reasons(plan: &Plan, phase: &Phase, lang: Lang, mut weighed: Vec<Weighed>) -> String {
    let worth = |one: &Weighed| one.estimate.map_or(0.0, |estimate| estimate.worth);
    weighed.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
    let per_point = plan.units_per_point() as f64;
    let goal = |goal: &Pursued| {
        let left: u32 = goal.accepts.iter().map(|one| u32::from(one.left)).sum();
        let accepts = goal.accepts.iter();
        let accepts: String = accepts
            .map(|one| format!(" {} ({})", one.kind, one.left))
            .collect();
        let accepts = match accepts.is_empty() {
            true => String::new(),
            false => format!(", {left} tiles:{accepts}"),
        };
        format!("{} {} away{accepts}", goal.goal, goal.distance)
    };
    let line = |one: &Weighed| {
        let estimate = one.estimate.map(|estimate| {
            format!(
                " worth {:.2} (gain {:.2}, risk {:.1} %, cost {:.2})",
                estimate.worth / per_point,
                estimate.gain / per_point,
                100.0 * estimate.risk,
                estimate.cost / per_point
            )
        });
        let goals: Vec<String> = one.goals.iter().map(goal).collect();
        let words = plan.describe(one.action, phase, lang);
        format!(
            "  {words}:{} {}\n",
            estimate.unwrap_or_default(),
            goals.join("; ")
        )
    };
    weighed.iter().map(line).collect()
}

/// Collects events that the drawing of the table leaves out: exchanges, missing suits, shown hands, tiles turned after a win,
/// jokers in claims, payments.
struct News<'a> {
    rules: &'a Rules,
    lang: Lang,
    viewer: Seat,
    lines: Vec<String>,
}

impl News<'_> {
    fn print(&mut self) -> Result<(), Fault> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let lines = std::mem::take(&mut self.lines).join("\n");
        output::say(&format!("{lines}\n\n"))
    }
}

impl Observer for News<'_> {
    fn event(&mut self, _: &DealState, event: &Event) {
        let line = match event.seen_by(self.viewer) {
            Event::Exchanged {
                seat,
                to,
                tile: Some(tile),
            } => format!("{seat} gives {to} {tile}"),
            Event::SuitDeclared { seat, suit } => {
                let name = self.rules.plan().tile_names().suit(suit, self.lang);
                format!("{seat} does without {name}")
            }
            Event::HandShown { seat, step, .. } => {
                let step = self.rules.plan().opening().get(usize::from(step));
                let name = step.map_or("the hand", |step| step.name_in(self.lang));
                format!("{seat} shows {name}")
            }
            Event::TileTurned { tile, .. } => format!("{tile} is turned"),
            Event::TurnedOffered { tile } => format!("players may win on {tile}"),
            Event::Claimed { seat, tiles, .. } if tiles.jokers() > 0 => {
                format!("{seat} claims {tiles}")
            }
            Event::Swapped {
                seat, owner, tile, ..
            } if owner != seat => format!("{seat} takes a joker from {owner} for {tile}"),
            Event::Swapped { seat, tile, .. } => format!("{seat} takes a joker for {tile}"),
            _ => return,
        };
        self.lines.push(line);
    }

    fn paid(&mut self, state: &DealState, part: &Outcome) {
        let wins = wins::explained((self.rules, self.lang), state, part, true);
        self.lines.extend(wins.lines().map(str::to_owned));
        let payments = part.settlement.payments.iter();
        self.lines
            .extend(payments.map(|payment| payment.describe(self.rules.plan().payments())));
    }
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let rules = args.rules.load()?;
    let (plan, lang) = (rules.plan(), args.names.lang);
    let viewer = Seat::from_letter(args.seat).filter(|seat| seat.index() < plan.players());
    let viewer = viewer.ok_or("there is no such seat at the table")?;
    let mut agents = agent::for_all(&args.agents, plan).map_err(|error| error.to_string())?;
    let mut news = News {
        rules: &rules,
        lang,
        viewer,
        lines: Vec::new(),
    };
    let series = Match::new(&rules, args.seed.of_game(0));
    let mut deal = Deal::start_observed(&rules, series.state().setup(), &mut news);
    while let Some(seat) = deal.state().deciding().next() {
        news.print()?;
        let legal = deal.legal(seat);
        if seat == viewer {
            output::say(&format!(
                "{}\n",
                text::table(&deal.state().view(viewer), plan.tile_names(), lang)
            ))?;
        }
        let (agent, view) = (&mut agents[seat.index()], deal.state().view(seat));
        let (action, weighed) = match args.explain && seat == viewer {
            true => {
                let decision = agent.explain(&view, legal);
                (decision.action, decision.weighed)
            }
            false => (agent.decide(&view, legal), Vec::new()),
        };
        if seat == viewer {
            output::say(&reasons(plan, deal.state().phase(), lang, weighed))?;
            let told = plan.describe(action, deal.state().phase(), lang);
            output::say(&format!("→ {told}\n\n"))?;
        }
        deal.act_observed(seat, action, &mut news)
            .map_err(|error| error.to_string())?;
    }
    output::say(&format!(
        "{}\n",
        text::table(&deal.state().view(viewer), plan.tile_names(), lang)
    ))?;
    if deal
        .outcome()
        .is_none_or(|outcome| outcome.wins().is_empty())
    {
        output::say("nobody wins\n")?;
    }
    news.print()
}
