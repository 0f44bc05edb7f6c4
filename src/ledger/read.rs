//! Reads the text of a ledger, line by line.

use super::entry::Evening;
use super::error::{LedgerError, LedgerFault, LineFault};
use super::seating::seating;
use super::{Ledger, LedgerTable};
use crate::game::Match;
use crate::ruleset::{OptionValue, Rules, parse_option};
use crate::seat::Player;

/// The list of names after a word.
fn names(text: &str) -> Vec<String> {
    text.split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// What is read before the first table.
#[derive(Default)]
struct Header {
    id: Option<String>,
    options: Vec<(String, OptionValue)>,
    rules: Option<Rules>,
}

impl Header {
    fn load(&mut self) -> Result<Rules, LedgerFault> {
        if self.rules.is_none() {
            let id = self.id.as_deref().ok_or(LedgerFault::NoRules)?;
            self.rules = Some(Rules::by_id_with(id, &self.options)?);
        }
        self.rules.clone().ok_or(LedgerFault::NoRules)
    }
}

impl Ledger {
    /// Reads a ledger. `rules` go before those that the text names.
    ///
    /// # Errors
    /// [`LedgerError`] with every wrong line. A wrong line changes nothing, so later lines are checked, too; only those of a
    /// table whose players or rules are wrong are not.
    pub fn read(text: &str, rules: Option<&Rules>) -> Result<Self, LedgerError> {
        let is_given = rules.is_some();
        let mut header = Header {
            rules: rules.cloned(),
            ..Header::default()
        };
        let mut faults = Vec::new();
        let mut title = String::new();
        let mut found = None;
        let mut evening = Evening::default();
        let mut last = 0;
        // The lines of a table without players or rules cannot be checked.
        let mut has_table = true;
        for (number, line) in (1..).zip(text.lines()) {
            last = number;
            if let Some(comment) = line.trim().strip_prefix('#') {
                if title.is_empty() && number == 1 {
                    comment.trim().clone_into(&mut title);
                }
                continue;
            }
            // A comment after a line.
            let line = line.split(" #").next().unwrap_or(line).trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            let has_tables = !evening.tables.is_empty();
            let mut read = || -> Result<(), LedgerFault> {
                match word {
                    "" => {}
                    "ruleset" | "option" if has_tables => {
                        let word = if word == "option" {
                            "option"
                        } else {
                            "ruleset"
                        };
                        return Err(LedgerFault::TooLate { word });
                    }
                    "ruleset" if !is_given => header.id = Some(rest.to_owned()),
                    "ruleset" => {}
                    "option" => {
                        let option = parse_option(rest)?;
                        if !is_given {
                            header.options.push(option);
                        }
                    }
                    "players" | "table" => {
                        let (name, list) = match word {
                            "table" => rest.split_once(':').unwrap_or((rest, "")),
                            _ => ("", rest),
                        };
                        evening.finish(&mut faults);
                        has_table = false;
                        let rules = header.load()?;
                        let players = names(list);
                        evening.tables.push(table(rules, name.trim(), players)?);
                        has_table = true;
                    }
                    "seating" => {
                        let rules = header.load()?;
                        let (rounds, list) = rest.split_once(':').unwrap_or((rest, ""));
                        let (names, size) = (names(list), rules.plan().players());
                        let rounds = rounds.trim().parse().unwrap_or(0);
                        let seats = seating(names.len(), rounds, size).filter(|_| rounds > 0);
                        let seats = seats.ok_or(LedgerFault::Seating {
                            names: names.len(),
                            size,
                        })?;
                        found = Some((names, seats));
                    }
                    _ if has_table => evening.line(number, line, &mut faults)?,
                    _ => {}
                }
                Ok(())
            };
            if let Err(fault) = read() {
                faults.push(LineFault {
                    line: number,
                    fault,
                });
            }
        }
        evening.finish(&mut faults);
        if faults.is_empty() && header.rules.is_none() && header.load().is_err() {
            let fault = LedgerFault::NoRules;
            faults.push(LineFault {
                line: last.max(1),
                fault,
            });
        }
        faults.sort_by_key(|fault| fault.line);
        match header.rules {
            Some(rules) if faults.is_empty() => Ok(Self {
                rules,
                title,
                tables: evening.tables,
                seating: found,
            }),
            _ => Err(LedgerError { faults }),
        }
    }
}

fn table(rules: Rules, name: &str, players: Vec<String>) -> Result<LedgerTable, LedgerFault> {
    let want = rules.plan().players();
    let mut sorted = players.clone();
    sorted.sort();
    sorted.dedup();
    if players.len() != want || sorted.len() != want {
        return Err(LedgerFault::Names {
            have: players.len(),
            want,
        });
    }
    Ok(LedgerTable {
        name: name.to_owned(),
        players,
        entries: Vec::new(),
        // No wall is built, so the seed does not matter.
        series: Match::with_dealer(rules, 0, Player::FIRST),
    })
}
