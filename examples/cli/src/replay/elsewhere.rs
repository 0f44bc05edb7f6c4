//! Logs from other programs: plain mjai and Tenhou's records.

use super::{Fault, Makes, parsed, report};
use paishan::Rules;
use paishan::log::mjai::Message;
use paishan::log::mjlog::{self, Tag};
use paishan::log::tenhou::{self, TenhouLog};
use paishan::log::{Replayed, replay_plain_observed};
use paishan::ruleset::{OptionValue, Source};

/// Rules for logs that do not name them.
pub struct Elsewhere<'a> {
    pub source: Option<&'a Source>,
    pub options: &'a [(String, OptionValue)],
    /// What is made of games besides reports.
    pub makes: Makes<'a>,
}

/// A log that agrees with the rules.
pub struct Done {
    replayed: Replayed,
    /// The explanations of wins, if they are wanted.
    pub wins: String,
}

impl Done {
    pub fn counts(&self) -> String {
        let Replayed { hands, lines, .. } = self.replayed;
        format!("{hands} hands, {lines} events")
    }
}

impl Elsewhere<'_> {
    /// Replays messages. `place` names where a message stands.
    fn check(
        &self,
        default: &str,
        told: &[(String, OptionValue)],
        messages: &[Message],
        place: impl Fn(usize) -> usize,
    ) -> Result<Done, Fault> {
        let fault = |at: usize, message: String| Fault {
            line: place(at),
            message,
        };
        // Rules from the command line go before what the record says.
        let given = |name: &String| self.options.iter().any(|(known, _)| known == name);
        let options: Vec<_> = told
            .iter()
            .filter(|(name, _)| !given(name))
            .chain(self.options)
            .cloned()
            .collect();
        let rules = match self.source {
            Some(source) => source.load(&options),
            None => Rules::by_id_with(default, &options),
        };
        let rules = rules.map_err(|error| fault(0, error.to_string()))?;
        let names = messages.iter().find_map(|message| match message {
            Message::StartGame { names, .. } => Some(names.clone()),
            _ => None,
        });
        let names = names.unwrap_or_default();
        let (wins, replayed) = self.makes.watch(&rules, &names, |watching| {
            replay_plain_observed(&rules, messages, watching)
                .map_err(|error| fault(error.line(), report(&error)))
        })?;
        Ok(Done { replayed, wins })
    }

    /// Plain mjai. Its first message stands in line `first` of its file.
    pub fn check_mjai(&self, first: usize, texts: &[String]) -> Result<Done, Fault> {
        let messages: Vec<Message> = parsed(first, texts, "message of mjai")?;
        self.check("riichi-mcgill", &[], &messages, |at| first + at)
    }

    /// JSON of Tenhou.
    pub fn check_tenhou(&self, log: &TenhouLog) -> Result<Done, Fault> {
        let game = tenhou::read(log).map_err(|error| Fault {
            line: 1,
            message: error.to_string(),
        })?;
        let default = match game.players {
            3 => "riichi-sanma",
            _ => "riichi-tenhou",
        };
        let deal_of = |at: usize| game.deals.get(at).copied().unwrap_or(game.deals.len());
        let checked = self.check(default, &game.options, &game.messages, deal_of);
        checked.map_err(|fault| Fault {
            line: 1,
            message: format!("deal {}: {}", fault.line + 1, fault.message),
        })
    }

    /// A record of Tenhou. If it has no lines, tags are counted instead.
    pub fn check_mjlog(&self, text: &str) -> Result<Done, Fault> {
        let tags = mjlog::tags(text).map_err(|error| Fault {
            line: error.line,
            message: error.message,
        })?;
        let only: Vec<Tag> = tags.iter().map(|(tag, _)| tag.clone()).collect();
        let name = |tag: usize| only.get(tag).map_or("", |tag| tag.name.as_str());
        let line = |tag: usize| tags.get(tag).map_or(1, |(_, line)| *line);
        let log = mjlog::read(&only).map_err(|error| Fault {
            line: line(error.tag),
            message: format!("tag {} ({}): {error}", error.tag + 1, name(error.tag)),
        })?;
        let tag_of = |at: usize| log.tags.get(at).copied().unwrap_or(only.len());
        let default = match log.players {
            3 => "riichi-sanma",
            _ => "riichi-tenhou",
        };
        let checked = self.check(default, &log.options, &log.messages, tag_of);
        checked.map_err(|fault| Fault {
            line: line(fault.line),
            message: format!(
                "tag {} ({}): {}",
                fault.line + 1,
                name(fault.line),
                fault.message
            ),
        })
    }
}
