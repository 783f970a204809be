//! Exact ways to name an element, for people who know the page.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An exact way to name an element. A person writes it with its kind in front: `css=#save`, `role=button[name="Save"]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Selector {
    Css(String),
    Xpath(String),
    /// By what it is for assistive technology, and its name when one is given.
    Role {
        role: String,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        name: Option<String>,
    },
    /// By its whole visible text; by a part of it where no element has just this.
    Text(String),
    /// By the attribute that tests use, such as `data-testid`.
    TestId(String),
}

/// Why a text with the kind of a selector in front is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSelector {
    #[error("`{0}=` is empty: say what it is to find")]
    Empty(&'static str),
    #[error("`{0}` is no role with a name: write it as role=button[name=\"Save\"]")]
    Role(String),
}

const KINDS: [&str; 5] = ["css", "xpath", "role", "text", "testid"];

impl Selector {
    /// Reads `css=…`, `xpath=…`, `role=ROLE`, `role=ROLE[name="NAME"]`, `text=…` and `testid=…`. `None`: the text begins with none
    /// of these, so it is a description in words.
    ///
    /// # Errors
    /// When nothing follows the kind, or what follows `role=` is no role.
    pub fn read(text: &str) -> Option<Result<Self, BadSelector>> {
        let (kind, value) = text.trim().split_once('=')?;
        let kind = KINDS.into_iter().find(|k| *k == kind)?;
        let value = value.trim();
        if value.is_empty() {
            return Some(Err(BadSelector::Empty(kind)));
        }
        let value = value.to_owned();
        Some(match kind {
            "css" => Ok(Self::Css(value)),
            "xpath" => Ok(Self::Xpath(value)),
            "text" => Ok(Self::Text(unquoted(&value).unwrap_or(value))),
            "testid" => Ok(Self::TestId(unquoted(&value).unwrap_or(value))),
            _ => role(&value).ok_or(BadSelector::Role(value)),
        })
    }
}

/// `button`, `button[name="Save"]`, `button[name=Save]`.
fn role(text: &str) -> Option<Selector> {
    let (role, rest) = text.split_at(text.find('[').unwrap_or(text.len()));
    let role = role.trim();
    if role.is_empty() || !role.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let name = match rest.strip_prefix('[') {
        None => None,
        Some(inner) => {
            let name = inner.trim_end().strip_suffix(']')?.trim().strip_prefix("name")?.trim_start();
            let name = name.strip_prefix('=')?.trim();
            let name = if name.starts_with(['"', '\'']) { unquoted(name)? } else { name.to_owned() };
            Some(name).filter(|n| !n.is_empty()).map(Some)?
        }
    };
    Some(Selector::Role { role: role.to_ascii_lowercase(), name })
}

/// What stands in quotes, with `\"` and `\\` for a quote and a stroke. `None` when the quotes do not hold all of it.
fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut out = String::new();
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.push(letters.next()?),
            c if c == quote => return None,
            c => out.push(c),
        }
    }
    Some(out)
}

/// A text that means itself when it is read again.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl fmt::Display for Selector {
    /// As a person would write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = |text: &str| if text.starts_with(['"', '\'']) { quoted(text) } else { text.to_owned() };
        match self {
            Self::Css(css) => write!(f, "css={css}"),
            Self::Xpath(xpath) => write!(f, "xpath={xpath}"),
            Self::Role { role, name: None } => write!(f, "role={role}"),
            Self::Role { role, name: Some(name) } => write!(f, "role={role}[name={}]", quoted(name)),
            Self::Text(text) => write!(f, "text={}", bare(text)),
            Self::TestId(id) => write!(f, "testid={}", bare(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, want: &str) {
        let read = match Selector::read(text) {
            None => "words".to_owned(),
            Some(Ok(selector)) => format!("{selector:?}"),
            Some(Err(error)) => error.to_string(),
        };
        assert_eq!(read, want, "{text}");
    }

    #[test]
    fn selectors_are_told_from_words_by_what_stands_in_front() {
        check("css=#save", r##"Css("#save")"##);
        check(" css= a[href='x=1'] ", r#"Css("a[href='x=1']")"#);
        check("xpath=//button[1]", r#"Xpath("//button[1]")"#);
        check("role=button", r#"Role { role: "button", name: None }"#);
        check("role=Button[name=\"Save \\\"all\\\"\"]", r#"Role { role: "button", name: Some("Save \"all\"") }"#);
        check("role=button[name=Save all]", r#"Role { role: "button", name: Some("Save all") }"#);
        check("text=Save", r#"Text("Save")"#);
        check("text=\"Save\"", r#"Text("Save")"#);
        check("text=a \"b\"", r#"Text("a \"b\"")"#);
        check("testid=save", r#"TestId("save")"#);
        check("Save", "words");
        check("the css=x field", "words");
        check("CSS=#x", "words");
        check("1+1=2", "words");
        check("css=", "`css=` is empty: say what it is to find");
        check("role=", "`role=` is empty: say what it is to find");
        for bad in
            ["a b", "button[", "button[name]", "button[name=]", "button[name=\"x]", "button[level=2]", "[name=x]"]
        {
            check(
                &format!("role={bad}"),
                &format!("`{bad}` is no role with a name: write it as role=button[name=\"Save\"]"),
            );
        }
    }

    proptest! {
        #[test]
        fn reading_what_is_written_gives_the_same(text in "\\S(.*\\S)?", kind in 0..4) {
            let selector = match kind {
                0 => Selector::Css(text),
                1 => Selector::Text(text),
                2 => Selector::TestId(text),
                _ => Selector::Role { role: "link".to_owned(), name: Some(text) },
            };
            prop_assert_eq!(Selector::read(&selector.to_string()), Some(Ok(selector)));
        }
        #[test]
        fn any_text_is_read_without_a_panic(text in ".*") {
            let _ = Selector::read(&text);
            let _ = Selector::read(&format!("role={text}"));
        }
    }
}
