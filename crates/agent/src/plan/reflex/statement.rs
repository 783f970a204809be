//! Statements about the screen that the UI tree can judge: the checks of plain steps, without a goal around them.

use super::facts::{self, Judgement};
use super::grammar;
use super::step::{Check, Says, Step, Subject};
use crate::language::Language;
use handeye_core::Observation;

/// A statement that was read, such as `the Save button is disabled`.
#[derive(Clone, Debug)]
pub struct Statement {
    checks: Vec<Check>,
    language: Language,
    /// It quotes what it speaks of, letter by letter.
    quotes: bool,
}

/// What the UI tree says of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    True(String),
    /// `certain`: the tree knows this better than a picture. What it does not name may still be there to see.
    False {
        why: String,
        certain: bool,
    },
    Unclear(String),
}

impl Statement {
    /// `None` when it is not plain, or says more than one can check.
    pub fn read(words: &str) -> Option<Self> {
        let words = words.trim();
        let language = grammar::language_of(words);
        let lead = if language == Language::Chinese { "检查" } else { "check that " };
        let clauses = grammar::read(&format!("{lead}{words}")).or_else(|_| grammar::read(words)).ok()?;
        let checks = clauses.into_iter().map(|clause| match clause.step {
            Step::Verify { check } | Step::WaitFor { check } => Some(check),
            _ => None,
        });
        let checks = checks.collect::<Option<Vec<_>>>().filter(|checks| !checks.is_empty())?;
        let quotes = words.contains(['"', '\'', '“', '”', '‘', '’', '「', '《', '`']);
        Some(Self { checks, language, quotes })
    }

    /// All of it is true, or one part is not.
    pub fn judge(&self, seen: &Observation) -> Told {
        let mut reasons = Vec::new();
        for check in &self.checks {
            match facts::judge(seen, check, self.language) {
                Judgement::True(why) => reasons.push(why),
                Judgement::False(why) => return Told::False { why, certain: self.knows(check) },
                Judgement::Unclear { why, candidates } if candidates.is_empty() => return Told::Unclear(why),
                Judgement::Unclear { why, candidates } => {
                    return Told::Unclear(format!("{why} ({})", candidates.join("; ")));
                }
            }
        }
        Told::True(reasons.join("; "))
    }

    fn knows(&self, check: &Check) -> bool {
        match (&check.subject, &check.says) {
            (Subject::Title | Subject::Address, _) => true,
            // Found, where it should not be.
            (_, Says::Shown) => check.negated,
            (Subject::Page, _) | (_, Says::Open | Says::Alone(_) | Says::Count(_)) => false,
            (_, Says::Contains(_) | Says::Equals(_)) => self.quotes,
            _ => true,
        }
    }
}
