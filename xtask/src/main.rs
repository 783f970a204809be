//! The commands of this repository: `cargo xtask COMMAND`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "these are commands for a terminal")]
#![expect(clippy::disallowed_methods, reason = "nothing here is replayed: the real clock and environment are meant")]

mod bench;
mod clients;
mod demo;
mod pages;

mod setup;
mod sh;
mod test;
mod tidy;
mod web;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  setup             installs what tests and demo need and this machine lacks: a Chromium, a font with Chinese, cargo-nextest,
                    and below the target folder a Python with the clients of the model providers
  demo [STEPS]      builds, serves a small shop, and has Handeye do the steps in it, with no model and no key
                    (--zh: the shop and the steps in Chinese; --lang en|zh: the language for your own steps)
  test              sets up what is missing and runs every check and every test
  cases             runs every case of tests/cases for every family of models; `test` runs a few of them
  bench [--quick]   measures Handeye against a bare DevTools script, its memory and its start; writes bench/results/
  pages             fetches third-party pages that tests are tried on, into target/pages
  tidy              the rules that no compiler checks: which crate may use which, sizes of files, words
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<ExitCode> {
    std::env::set_current_dir(sh::root())?;
    let (command, rest) = args.split_first().map_or(("help", args), |(c, rest)| (c.as_str(), rest));
    let rest: Vec<&str> = rest.iter().map(String::as_str).filter(|a| *a != "--").collect();
    match (command, rest.as_slice()) {
        ("setup", []) => {
            setup::everything()?;
            clients::ensure().map(|_| ExitCode::SUCCESS)
        }
        ("demo", words) => demo::run(words),
        ("bench", []) => bench::run(bench::Effort::Full),
        ("bench", ["--quick"]) => bench::run(bench::Effort::Quick),

        ("cases", []) => test::cases(),
        ("pages", []) => pages::run(),
        ("test", []) => test::run(),
        ("tidy", []) => tidy::run(),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        _ => bail!("`{}` is no command of `cargo xtask`\n\n{HELP}", args.join(" ")),
    }
}
