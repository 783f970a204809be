//! What tokens cost: a table, which a user's own goes before, and the sums.

use handeye_core::{ChatError, ChatErrorKind, Usage};
use serde::Deserialize;
use std::fmt;
use std::path::Path;

/// The table that comes with the program.
const BUILT_IN: &str = include_str!("../data/prices.json");

const MILLION: f64 = 1e6;

/// US dollars for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    pub input: f64,
    pub output: f64,
    /// Input that was read from a cache; as other input when it is not said.
    #[serde(default)]
    pub cached: Option<f64>,
    /// Input that was written to a cache; as other input when it is not said.
    #[serde(default)]
    pub cache_written: Option<f64>,
}

impl Rates {
    fn cost(&self, usage: &Usage) -> f64 {
        let cached = usage.cached.min(usage.input);
        let written = usage.cache_written.min(usage.input - cached);
        let plain = usage.input - cached - written;
        let sum = plain as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + written as f64 * self.cache_written.unwrap_or(self.input)
            + usage.output as f64 * self.output;
        sum / MILLION
    }

    fn worst(&self, input: u64, output: u64) -> f64 {
        let dearest = self.input.max(self.cache_written.unwrap_or(0.0)).max(self.cached.unwrap_or(0.0));
        (input as f64 * dearest + output as f64 * self.output) / MILLION
    }

    fn is_sound(&self) -> bool {
        let all = [Some(self.input), Some(self.output), self.cached, self.cache_written];
        all.into_iter().flatten().all(|rate| rate.is_finite() && rate >= 0.0)
    }
}

/// The price of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub rates: Rates,
    /// Other rates for all of a request whose input has more tokens than this.
    pub long: Option<(u64, Rates)>,
}

impl Price {
    /// From `IN,OUT`: US dollars for a million tokens.
    pub fn parse(text: &str) -> Option<Self> {
        let (input, output) = text.split_once(',')?;
        let [input, output] = [input, output].map(|rate| rate.trim().parse::<f64>().ok());
        let rates = Rates { input: input?, output: output?, cached: None, cache_written: None };
        rates.is_sound().then_some(Self { rates, long: None })
    }

    /// What one call cost.
    pub fn cost(&self, usage: &Usage) -> f64 {
        self.rates_of(usage.input).cost(usage)
    }

    /// The most that a call can cost: nothing of it in a cache, and all of it written to one.
    pub fn worst(&self, input: u64, output: u64) -> f64 {
        self.rates_of(input).worst(input, output)
    }

    fn rates_of(&self, input: u64) -> &Rates {
        match &self.long {
            Some((above, rates)) if input > *above => rates,
            _ => &self.rates,
        }
    }
}

/// Dollars, with as many digits as a small sum needs.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Dollars(pub f64);

impl Dollars {
    pub fn of_micros(micros: u64) -> Self {
        Self(micros as f64 / MILLION)
    }
    /// Millionths of a dollar, rounded up: a record must read back as it was, which a fraction may not.
    pub fn micros(self) -> u64 {
        // What is no more than the error of a sum of fractions is nothing.
        (self.0 * MILLION - 1e-6).ceil() as u64
    }
}

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1.0 { write!(f, "${:.2}", self.0) } else { write!(f, "${:.4}", self.0) }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    model: String,
    input: f64,
    output: f64,
    #[serde(default)]
    cached: Option<f64>,
    #[serde(default)]
    cache_written: Option<f64>,
    #[serde(default)]
    long: Option<LongRow>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LongRow {
    above: u64,
    input: f64,
    output: f64,
    #[serde(default)]
    cached: Option<f64>,
    #[serde(default)]
    cache_written: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default, rename = "about")]
    _about: String,
    prices: Vec<Row>,
}

/// Prices by the names of models. The first that fits a name best counts.
#[derive(Clone, Debug)]
pub struct Prices {
    rows: Vec<(String, Price)>,
}

impl Prices {
    /// Those that come with the program, and before them those of a file of the same form.
    pub fn with(file: Option<&Path>) -> Result<Self, ChatError> {
        let mut rows = match file {
            None => Vec::new(),
            Some(path) => {
                let wrong = |why: String| {
                    ChatError::new(ChatErrorKind::Config, format!("cannot read the prices of {}: {why}", path.display()))
                        .with_hint(r#"the file looks like {"prices": [{"model": "NAME", "input": 2, "output": 10}]}, in US dollars for a million tokens"#)
                };
                let text = crate::providers::text_of(path).map_err(|e| wrong(e.to_string()))?;
                read(&text).map_err(wrong)?
            }
        };
        rows.extend(read(BUILT_IN).unwrap_or_default());
        Ok(Self { rows })
    }

    /// The price of a model, whichever date or place its name was given: `anthropic/claude-opus-5-5-20260922`.
    pub fn of(&self, model: &str) -> Option<Price> {
        let name = model.trim().to_ascii_lowercase();
        let bare = name.rsplit('/').next().unwrap_or(&name);
        let fits = |known: &str| known == name || bare.strip_prefix(known).is_some_and(is_edition);
        let mut best: Option<&(String, Price)> = None;
        for row in self.rows.iter().filter(|(known, _)| fits(known)) {
            if best.is_none_or(|(known, _)| known.len() < row.0.len()) {
                best = Some(row);
            }
        }
        best.map(|(_, price)| *price)
    }
}

/// What may follow a model's name and leave it the same model: a date, a number of an edition. Anything else, such as `-mini`, is
/// another model, whose price is not known by this.
fn is_edition(rest: &str) -> bool {
    if rest.is_empty() {
        return true;
    }
    let Some(rest) = rest.strip_prefix(['-', '@', ':']) else { return false };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = rest.split(['-', '@', ':']);
    let first = parts.next().unwrap_or_default();
    let is_long = is_number(first) && first.len() >= 3;
    (is_long || matches!(first, "latest" | "preview" | "exp")) && parts.all(is_number)
}

fn read(text: &str) -> Result<Vec<(String, Price)>, String> {
    let table: Table = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| e.to_string())?;
    let row = |row: Row| {
        let rates = |input, output, cached, cache_written| Rates { input, output, cached, cache_written };
        let long = row.long.map(|l| (l.above, rates(l.input, l.output, l.cached, l.cache_written)));
        let price = Price { rates: rates(row.input, row.output, row.cached, row.cache_written), long };
        let is_sound = price.rates.is_sound() && long.is_none_or(|(_, rates)| rates.is_sound());
        if is_sound && !row.model.trim().is_empty() {
            Ok((row.model.trim().to_ascii_lowercase(), price))
        } else {
            Err(format!("the price of `{}` is not a sum of dollars", row.model))
        }
    };
    table.prices.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_is_sound() {
        let rows = read(BUILT_IN).expect("a table");
        assert!(rows.len() > 30);
        for (model, price) in &rows {
            assert_eq!(rows.iter().filter(|(other, _)| other == model).count(), 1, "{model}");
            assert!(price.rates.cached.is_none_or(|cached| cached <= price.rates.input), "{model}");
            if let Some((above, long)) = price.long {
                assert!(above > 0 && long.input > price.rates.input && long.output > price.rates.output, "{model}");
            }
        }
    }

    #[test]
    fn a_model_is_known_by_its_name_and_its_editions() {
        let prices = Prices::with(None).expect("prices");
        let input = |model: &str| prices.of(model).map(|price| price.rates.input);
        for (model, want) in [
            ("gpt-5", Some(1.25)),
            ("GPT-5", Some(1.25)),
            ("gpt-5-2025-08-07", Some(1.25)),
            ("openai/gpt-5", Some(1.25)),
            ("gpt-5-mini", Some(0.25)),
            ("gpt-5-mini-2025-08-07", Some(0.25)),
            ("gpt-5-pro", None),
            ("gpt-5.9", None),
            ("gpt-50", None),
            ("claude-opus-5-5", Some(4.0)),
            ("claude-opus-5-5-20260922", Some(4.0)),
            ("claude-opus-5-6", None),
            ("anthropic/claude-haiku-4-5@20251001", Some(1.0)),
            ("gemini-2.5-pro-preview-05-06", Some(1.25)),
            ("models/gemini-2.5-flash-001", Some(0.3)),
            ("gemini-2.5-flash-image", None),
            ("qwen3-vl", None),
            ("", None),
        ] {
            assert_eq!(input(model), want, "{model}");
        }
    }

    #[test]
    fn costs_count_what_was_cached() {
        let rates = Rates { input: 10.0, output: 50.0, cached: Some(1.0), cache_written: Some(12.5) };
        let long = Rates { input: 20.0, output: 75.0, cached: None, cache_written: None };
        let price = Price { rates, long: Some((200_000, long)) };
        let cost = |input, output, cached, cache_written| {
            price.cost(&Usage { input, output, cached, cache_written, ..Usage::default() })
        };
        let check = |got: f64, want: f64| assert!((got - want).abs() < 1e-9, "{got} {want}");
        check(cost(100_000, 1_000, 0, 0), 1.05);
        check(cost(100_000, 0, 100_000, 0), 0.1);
        check(cost(100_000, 0, 40_000, 20_000), 0.04 + 0.25 + 0.4);
        // A provider that says more was cached than was asked pays nothing back.
        check(cost(100_000, 0, u64::MAX, u64::MAX), 0.1);
        check(cost(300_000, 0, 0, 0), 6.0);
        check(price.worst(100_000, 1_000), 1.25 + 0.05);
        assert!(cost(u64::MAX, u64::MAX, 0, 0).is_finite());
    }

    #[test]
    fn prices_of_ones_own_go_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("prices.json");
        let with = |text: &str| {
            std::fs::write(&path, text).expect("a file");
            Prices::with(Some(&path))
        };
        let prices =
            with(r#"{"prices":[{"model":"Mine","input":1,"output":2},{"model":"gpt-5","input":3,"output":4}]}"#);
        let prices = prices.expect("prices");
        assert_eq!(prices.of("mine").map(|p| p.rates.output), Some(2.0));
        assert_eq!(prices.of("gpt-5").map(|p| p.rates.input), Some(3.0));
        assert_eq!(prices.of("gpt-5-mini").map(|p| p.rates.input), Some(0.25));
        for (text, why) in [
            (r#"{"prices":[{"model":"a","input":-1,"output":2}]}"#, "the price of `a` is not a sum of dollars"),
            (r#"{"prices":[{"model":"a","input":1,"output":2,"tax":3}]}"#, "unknown field `tax`"),
            ("", "EOF"),
        ] {
            let error = with(text).expect_err(text);
            assert!(error.message.contains(why) && error.message.contains("prices.json"), "{error}");
        }
        assert!(Prices::with(Some(folder.path())).expect_err("a folder").message.contains("no regular file"));
    }

    #[test]
    fn a_price_on_the_command_line_has_two_sums() {
        let read = |text: &str| Price::parse(text).map(|p| (p.rates.input, p.rates.output));
        assert_eq!(read("1.25, 10"), Some((1.25, 10.0)));
        for wrong in ["", "1", "1,2,3", "a,b", "-1,2", "inf,1", "NaN,1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!([Dollars(0.01234), Dollars(12.0)].map(|d| d.to_string()), ["$0.0123", "$12.00"]);
        let micros = [0.0, 0.1 + 0.2, 0.000_000_2, 0.006_25, f64::MAX].map(|sum| Dollars(sum).micros());
        assert_eq!(micros, [0, 300_000, 1, 6_250, u64::MAX]);
    }
}
