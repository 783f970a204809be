//! Clauses whose verb is the name of a control: `Archive the customer Falcon Air`, `查看陈静的订单`, `把李娜设为管理员`.

use super::{LONGEST, MOST_NAMES, Reading, Span, Token, name_of, names_in, soft, tokens_of};
use crate::locate::tree::index::Index;
use crate::locate::tree::names::{begins_alike, clean, is_cjk, same_text};
use crate::locate::tree::{Found, Purpose, Wanted};

/// The longest noun, in characters, for what a row stands for: `工单`, `退款申请`.
const LONGEST_NOUN: usize = 5;

/// Finds the one control that a clause names.
pub(in crate::locate::tree) fn control(index: &Index<'_>, clause: &str) -> Found {
    let said = Wanted { loose: true, ..Wanted::named(clause.trim(), Purpose::Click) };
    let tokens = tokens_of(&said.words);
    match in_chinese(index, &said, &tokens) {
        None | Some(Found::None(_)) => {}
        Some(found) => return found,
    }
    match super::read(index, &said) {
        Found::One(one) if !begins_alike(clause, &index.visible_name(one.index)) => Found::None(Vec::new()),
        found => found,
    }
}

/// The control stands first in Chinese, or last behind `把`; the other names are the row that it is in.
fn in_chinese(index: &Index<'_>, said: &Wanted, tokens: &[Token]) -> Option<Found> {
    let chinese = tokens.iter().any(|t| t.quote.is_none() && t.key.chars().all(is_cjk));
    if !chinese || tokens.len() > LONGEST || soft::speaks_of_several(tokens) {
        return None;
    }
    let names = names_in(index, tokens);
    let taken = matches!(tokens.first()?.key.as_str(), "把" | "将");
    let ends = tokens.len() - usize::from(tokens.last()?.key == "了");
    let verb = *names.iter().find(|n| if taken { n.to == ends } else { n.from == 0 })?;
    // `编号GD-302`: what the column is called says no more than the value in it.
    let is_column = |n: &Span| heads_a_column(index, &text_of(tokens, *n));
    let places: Vec<Span> = names
        .iter()
        .copied()
        .filter(|n| *n != verb && !(is_column(n) && names.iter().any(|o| o.from == n.to)))
        .collect();
    let reading = Reading { index, wanted: said, tokens, ordinal: soft::ordinal(tokens, &names) };
    // `删除张三的电话` is not about the row of 张三.
    let of_column =
        places.iter().any(is_column) || noun_behind(tokens, &names).is_some_and(|n| heads_a_column(index, &n));
    if reading.ordinal != soft::Counted::No || names.len() > MOST_NAMES + 1 || of_column {
        return None;
    }
    let rest = soft::left_over(tokens, &names);
    if !rest.is_empty() && !noun_at_end(tokens, &rest, places.last()).is_some_and(|n| is_said_on_page(index, &n)) {
        return None;
    }
    let name = name_of(tokens, verb);
    let control = Wanted { strict: true, quoted: name.quoted, ..Wanted::named(name.text, Purpose::Click) };
    Some(reading.find(control, &places))
}

fn text_of(tokens: &[Token], span: Span) -> String {
    super::text_of(&tokens[span.from..span.to])
}

fn heads_a_column(index: &Index<'_>, name: &str) -> bool {
    (0..index.len()).any(|i| index.node(i).role == "columnheader" && same_text(&clean(&index.node(i).name), name))
}

/// What stands behind the last name.
fn noun_behind(tokens: &[Token], names: &[Span]) -> Option<String> {
    let last = names.last()?;
    let noun = super::text_of(&tokens[last.to..]);
    let noun = noun.trim_start_matches('的');
    (!noun.is_empty()).then(|| noun.to_owned())
}

/// `GD-302的工单`, `吴磊的退款`: a noun that ends the clause, behind the name of the row.
fn noun_at_end(tokens: &[Token], rest: &[usize], row: Option<&Span>) -> Option<String> {
    let row = row?;
    let from = row.to + usize::from(tokens.get(row.to).is_some_and(|t| t.key == "的"));
    let noun = &tokens[from..];
    let fits = noun.len() <= LONGEST_NOUN && noun.iter().all(|t| t.quote.is_none() && t.key.chars().all(is_cjk));
    (fits && rest.iter().all(|&at| at >= from)).then(|| noun.iter().map(|t| t.key.as_str()).collect())
}

/// Whether the page speaks of such things: `工单` where it is headed `工单中心`.
fn is_said_on_page(index: &Index<'_>, noun: &str) -> bool {
    (0..index.len()).any(|i| index.node(i).name.contains(noun) || index.node(i).placeholder.contains(noun))
}
