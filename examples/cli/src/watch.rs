//! Plays one deal and draws the table each time a seat has to decide. Between the drawings it prints exchanges, missing
//! suits, claims with jokers and payments.
//!
//! ```text
//! paishan watch
//! paishan watch --ruleset woo --seed 4 --seat S --agents greedy
//! ```

use crate::output::{self, Fault};
use crate::rules::{LangArgs, RulesArgs};
use crate::wins;
use paishan::agent;
use paishan::draw::text;
use paishan::game::{Deal, Match, Observer, Outcome};
use paishan::state::{DealState, Event};
use paishan::{Lang, Rules, Seat, Seed};

/// Plays one deal and draws the table as one seat sees it.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    names: LangArgs,
    /// Where all chance comes from.
    #[arg(long, default_value = "1")]
    seed: Seed,
    /// Whose eyes: E, S, W, N (5, 6).
    #[arg(long, default_value = "E")]
    seat: char,
    /// Who plays: random, first, greedy, value; `value-20` slips in 20 of 100 decisions.
    #[arg(long, default_value = "greedy")]
    agents: String,
}

/// Collects events that the drawing of the table leaves out: exchanges, missing suits, jokers in claims, payments.
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
            Event::Claimed { seat, tiles, .. } if tiles.jokers() > 0 => {
                format!("{seat} claims {tiles}")
            }
            Event::JokerTaken { seat, tile, .. } => format!("{seat} takes a joker for {tile}"),
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
        let action = agents[seat.index()].decide(&deal.state().view(seat), legal);
        if seat == viewer {
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
