//! [`Rulesets`]: the rulesets of the server, loaded with options.

use crate::error::Refusal;
use crate::message::Options;
use paishan::Rules;
use paishan::ruleset::{self, LoadError, Source};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// The most rules that are kept in memory, each with its options.
const MOST: usize = 64;

/// The built-in rulesets and those of the server's owner.
#[derive(Debug)]
pub struct Rulesets {
    sources: BTreeMap<String, Source>,
    /// The rules used last, latest first.
    loaded: Mutex<VecDeque<(String, Options, Rules)>>,
}

impl Default for Rulesets {
    fn default() -> Self {
        let built_in = |id: &str| (id.to_owned(), Source::BuiltIn(id.to_owned()));
        Self {
            sources: ruleset::ids().map(built_in).collect(),
            loaded: Mutex::default(),
        }
    }
}

impl Rulesets {
    /// Adds a ruleset by its text. Returns its id.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn add(&mut self, file: &str, text: &str) -> Result<String, LoadError> {
        let source = Source::text(file, text);
        let id = source.load(&[])?.plan().id().to_owned();
        self.sources.insert(id.clone(), source);
        Ok(id)
    }

    /// The ids.
    pub fn ids(&self) -> Vec<String> {
        self.sources.keys().cloned().collect()
    }

    /// Loads rules. That may take some milliseconds.
    ///
    /// # Errors
    /// [`Refusal::UnknownRuleset`], [`Refusal::BadOptions`].
    pub fn load(&self, id: &str, options: &Options) -> Result<Rules, Refusal> {
        let source = self.sources.get(id);
        let source = source.ok_or_else(|| Refusal::UnknownRuleset(id.to_owned()))?;
        let is_it = |(known, set, _): &&(String, Options, Rules)| known == id && set == options;
        let known = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., rules)) = known.iter().find(is_it) {
            return Ok(rules.clone());
        }
        drop(known);
        let set: Vec<_> = options.clone().into_iter().collect();
        let rules = source.load(&set);
        let rules = rules.map_err(|error| Refusal::BadOptions(error.to_string()))?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.push_front((id.to_owned(), options.clone(), rules.clone()));
        loaded.truncate(MOST);
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_loaded_with_options_and_kept() {
        let mut rulesets = Rulesets::default();
        let options = Options::from([("rounds".to_owned(), 1.into())]);
        let plain = rulesets.load("woo", &Options::new()).unwrap();
        let short = rulesets.load("woo", &options).unwrap();
        assert_ne!(plain.plan().content_hash(), short.plan().content_hash());
        let again = rulesets.load("woo", &options).unwrap();
        assert!(std::ptr::eq(&**again.plan(), &**short.plan()));
        let refused = rulesets.load("chess", &options).unwrap_err();
        assert_eq!(refused.code(), "unknown-ruleset");
        let wrong = Options::from([("rounds".to_owned(), "many".into())]);
        assert_eq!(
            rulesets.load("woo", &wrong).unwrap_err().code(),
            "bad-options"
        );
        let text = "ruleset = { id = \"ours\", extends = \"woo\" }";
        assert_eq!(rulesets.add("ours.toml", text).unwrap(), "ours");
        assert!(rulesets.load("ours", &Options::new()).is_ok());
        assert!(rulesets.ids().contains(&"ours".to_owned()));
    }
}
