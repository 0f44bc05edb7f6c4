//! Checks logs of our own format against the rules and against their seeds.

use super::{Fault, Makes, Watching, difference, report, show};
use crate::commitments::{self, Commitments};
use paishan::agent::{self, Agent};
use paishan::game::Observer;
use paishan::log::{Line, LogOptions, LogView, Recorder, StartGame, replay_observed};
use paishan::ruleset::{LoadError, OptionValue};
use paishan::simulate::play;
use paishan::{Notation, Player, Rules, Seeds};
use std::cell::Cell;

/// Makes the ruleset of an id with some options.
pub trait Load: Fn(&str, &[(String, OptionValue)]) -> Result<Rules, LoadError> {}

impl<F> Load for F where F: Fn(&str, &[(String, OptionValue)]) -> Result<Rules, LoadError> {}

/// The lines of one game, as text and parsed, and the number of the first line.
pub struct Game {
    pub first: usize,
    pub texts: Vec<String>,
    pub lines: Vec<Line>,
}

impl Game {
    /// Checks the game and returns a report for people. `load` makes the ruleset that the game names.
    pub fn check(
        &self,
        from_seed: bool,
        makes: Makes<'_>,
        load: impl Load,
    ) -> Result<String, Fault> {
        let fault = |message: String| Fault {
            line: self.first,
            message,
        };
        let Some(Line::StartGame(start)) = self.lines.first() else {
            return Err(fault("a match begins with start_game".to_owned()));
        };
        let rules = load(&start.ruleset, &start.options.0);
        let rules = rules.map_err(|error| fault(error.to_string()))?;
        let (wins, report) = makes.watch(&rules, &start.names, |watching| match from_seed {
            true => self.check_seed(start, &rules, watching),
            false => self.check_rules(&rules, watching),
        })?;
        Ok(format!("{wins}{report}"))
    }

    /// Checks that the seed is the one committed to. Replaying checks that every wall follows from the seed.
    pub fn check_commitment(&self, commitments: &Commitments) -> Result<(), Fault> {
        let fault = |message: String| Fault {
            line: self.first,
            message,
        };
        let start = match self.lines.first() {
            Some(Line::StartGame(start)) => start.game_seed.map(|seed| (start.game, seed)),
            _ => None,
        };
        let Some((game, seed)) = start else {
            let message = "a commitment is checked by the game_seed, and there is none";
            return Err(fault(message.to_owned()));
        };
        match commitments.get(&game) {
            None => Err(fault(format!("there is no commitment to game {game}"))),
            Some(hash) if *hash != commitments::of(seed) => {
                let message = format!("game_seed is not what was committed to: {hash}");
                Err(fault(message))
            }
            Some(_) => Ok(()),
        }
    }

    fn check_rules(&self, rules: &Rules, watching: &mut Watching<'_>) -> Result<String, Fault> {
        let done = replay_observed(&self.lines, |_, _| Ok(rules), watching);
        let done = done.map_err(|error| Fault {
            line: self.first + error.line(),
            message: report(&error),
        })?;
        let decided = |line: &&Line| matches!(line, Line::Decision { .. });
        let events = done.lines - self.lines.iter().filter(decided).count();
        let scope = if done.complete {
            ""
        } else {
            " (with tiles that fit)"
        };
        Ok(format!(
            "game {}: ok, {} hands, {events} events{scope}",
            done.game, done.hands
        ))
    }

    fn check_seed(
        &self,
        start: &StartGame,
        rules: &Rules,
        watching: &mut Watching<'_>,
    ) -> Result<String, Fault> {
        let fault = |message: String| Fault {
            line: self.first,
            message,
        };
        let StartGame {
            names,
            ruleset_hash,
            notation,
            view,
            game,
            game_seed,
            agent_seed,
            engine,
            ..
        } = start;
        let Some(seed) = *game_seed else {
            return Err(fault(
                "a log without game_seed cannot be played again".to_owned(),
            ));
        };
        let agents: Result<Vec<Box<dyn Agent>>, _> = names
            .iter()
            .map(|name| agent::by_name(name, rules.plan()))
            .collect();
        let mut agents = agents.map_err(|error| fault(error.to_string()))?;
        let mut options = LogOptions::new(
            names.clone(),
            Notation::by_name(notation)
                .ok_or_else(|| fault(format!("unknown notation `{notation}`")))?,
        );
        options.viewer = match view {
            LogView::All => None,
            LogView::Player(player) => Player::new(*player),
        };
        options.with_legal = self
            .lines
            .iter()
            .any(|line| matches!(line, Line::Decision { .. }));
        options.game = *game;
        options.agent_seed = *agent_seed;
        let seeds = Seeds {
            agents: agent_seed.unwrap_or(seed.of_agents()),
            game: seed,
        };
        let mut at = 0;
        let mut differs: Option<Fault> = None;
        let stop = Cell::new(false);
        let compare = |mut line: Line| {
            if let Line::StartGame(made) = &mut line {
                // Another version may have written the log and left out the hash of the rules.
                made.engine.clone_from(engine);
                if ruleset_hash.is_none() {
                    made.ruleset_hash = None;
                }
            }
            let want = show(&line);
            let found = self
                .texts
                .get(at)
                .map_or("the end of the game", String::as_str);
            if differs.is_none() && want != found {
                stop.set(true);
                differs = Some(Fault {
                    line: self.first + at,
                    message: difference(&want, found),
                });
            }
            at += 1;
        };
        let recorder = Recorder::new(rules.plan(), options, compare);
        let mut all = (recorder, (Stop(&stop), watching));
        let series = play(rules, &mut agents, seeds, &mut all);
        let series = series.map_err(|error| fault(error.to_string()))?;
        if let Some(differs) = differs {
            return Err(differs);
        }
        if at < self.texts.len() {
            return Err(Fault {
                line: self.first + at,
                message: "the match is over".to_owned(),
            });
        }
        Ok(format!(
            "game {game}: ok, {} hands, {at} lines from its seed",
            series.deal_number()
        ))
    }
}

/// Ends a match once another observer has seen enough.
struct Stop<'a>(&'a Cell<bool>);

impl Observer for Stop<'_> {
    fn wants_more(&self) -> bool {
        !self.0.get()
    }
}
