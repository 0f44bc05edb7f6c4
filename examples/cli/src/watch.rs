//! Plays one deal and draws the table each time a seat has to decide. Between the drawings it prints exchanges, missing
//! suits, claims with jokers and payments.
//!
//! ```text
//! paishan watch
//! paishan watch --ruleset woo --seed 4 --seat S --agents greedy
//! ```

use crate::output::{self, Fault};
use crate::rules::RulesArgs;
use paishan::agent;
use paishan::draw::text;
use paishan::game::{Deal, Match, Observer, Outcome};
use paishan::ruleset::Plan;
use paishan::score::Payment;
use paishan::state::{DealState, Event};
use paishan::{Notation, Request, Seat, Seed};

/// Plays one deal and draws the table as one seat sees it.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// Where all chance comes from.
    #[arg(long, default_value = "1")]
    seed: Seed,
    /// Whose eyes: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: char,
    /// Who plays: random, first, greedy, value.
    #[arg(long, default_value = "greedy")]
    agents: String,
}

/// Collects events that the drawing of the table leaves out: exchanges, missing suits, jokers in claims, payments.
struct News<'a> {
    plan: &'a Plan,
    viewer: Seat,
    lines: Vec<String>,
    /// How many payments of the deal are among the lines.
    paid: usize,
}

impl News<'_> {
    fn add_payments(&mut self, payments: &[Payment]) {
        let per_point = self.plan.settlement().units_per_point();
        let told = payments.iter().map(|payment| payment.describe(per_point));
        self.lines.extend(told);
        self.paid += payments.len();
    }

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
                let name = self.plan.tile_names().suit(suit);
                format!("{seat} does without {name}")
            }
            Event::Claimed { seat, tiles, .. } if tiles.jokers() > 0 => {
                format!("{seat} claims {tiles}")
            }
            Event::JokerTaken { seat, tile, .. } => format!("{seat} takes a joker for {tile}"),
            _ => return,
        };
        self.lines.push(line);
    }

    fn paid(&mut self, _: &DealState, part: &Outcome) {
        self.add_payments(&part.settlement.payments);
    }
}

pub fn run(args: &Args) -> Result<(), Fault> {
    let rules = args.rules.load()?;
    let plan = rules.plan();
    let viewer = Seat::from_letter(args.seat).filter(|seat| seat.index() < plan.players());
    let viewer = viewer.ok_or("there is no such seat at the table")?;
    let mut agents = agent::for_all(&args.agents, plan).map_err(|error| error.to_string())?;
    let mut news = News {
        plan,
        viewer,
        lines: Vec::new(),
        paid: 0,
    };
    let series = Match::new(&rules, args.seed.of_game(0));
    let mut deal = Deal::start_observed(&rules, series.state().setup(), &mut news);
    news.print()?;
    while let Some(seat) = deal.state().deciding().next() {
        let legal = deal.legal(seat);
        if seat == viewer {
            output::say(&format!(
                "{}\n",
                text::table(&deal.state().view(viewer), plan.tile_names())
            ))?;
        }
        let action = agents[seat.index()].decide(&deal.state().view(seat), legal);
        if seat == viewer {
            let told = action.describe();
            output::say(&format!("→ {told}\n\n"))?;
        }
        deal.act_observed(seat, action, &mut news)
            .map_err(|error| error.to_string())?;
        news.print()?;
    }
    output::say(&format!(
        "{}\n",
        text::table(&deal.state().view(viewer), plan.tile_names())
    ))?;
    let outcome = deal.outcome().cloned().unwrap_or_default();
    if outcome.wins().is_empty() {
        output::say("nobody wins\n")?;
    }
    let request = Request::of_deal(plan, deal.state(), &outcome);
    let table = request.check(&rules);
    for (seat, win) in outcome.wins() {
        let score = outcome.settlement.scores[*seat].as_ref();
        let points = score.map_or(0, |score| score.points);
        output::say(&format!("{seat} wins with {}: {points} points\n", win.tile))?;
        // Where play goes on after a win, the state of that win is gone.
        let told = table.as_ref().ok().and_then(|table| {
            let input = table.inputs().find(|input| input.seat == *seat)?;
            Some(plan.explain(&input, score?, Notation::Ujmj))
        });
        if let Some(told) = told {
            output::say(&told.to_string())?;
        }
    }
    // Payments of earlier parts of the deal were printed when they were made.
    let payments = &outcome.settlement.payments;
    news.add_payments(payments.get(news.paid..).unwrap_or_default());
    news.print()
}
