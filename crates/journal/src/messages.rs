//! A conversation is sent whole with every request, and grows by a message or two each time. In the file each long message
//! stands once, under a name made of its content; after that its name stands for it. So a record grows with what is new.

use handeye_core::Hash;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Shorter ones are written whenever they are sent: a name would save little.
const LONG: usize = 200;
/// The name that a message is given where it stands.
const NAME: &str = "name";
/// Stands in the place of a message that was named before.
const SAME: &str = "same";

/// The messages of a model's request in an event, if it is one.
fn of(event: &mut Value) -> Option<&mut Vec<Value>> {
    let need = event.get_mut("need")?;
    if need.get("need")? != "chat" {
        return None;
    }
    need.get_mut("of")?.get_mut(1)?.get_mut("messages")?.as_array_mut()
}

/// What the file holds already.
#[derive(Debug, Default)]
pub(crate) struct Written(HashSet<String>);

impl Written {
    /// Puts names in the place of what was written before, and returns the names that are new: they count once the event is
    /// in the file.
    pub(crate) fn shorten(&self, event: &mut Value) -> Vec<String> {
        let mut new = Vec::new();
        for message in of(event).into_iter().flatten() {
            let text = message.to_string();
            if text.len() < LONG {
                continue;
            }
            let name = Hash::of(text.as_bytes()).as_str()[..16].to_owned();
            if self.0.contains(&name) || new.contains(&name) {
                *message = Value::Object(Map::from_iter([(SAME.to_owned(), name.into())]));
            } else if let Some(fields) = message.as_object_mut() {
                fields.insert(NAME.to_owned(), name.clone().into());
                new.push(name);
            }
        }
        new
    }

    pub(crate) fn add(&mut self, names: Vec<String>) {
        self.0.extend(names);
    }
}

/// What the file said so far, for its readers.
#[derive(Debug, Default)]
pub(crate) struct Named(HashMap<String, Value>);

impl Named {
    /// Puts messages back in the place of their names.
    ///
    /// # Errors
    /// When the message that is meant stood in a line that is not there any more.
    pub(crate) fn restore(&mut self, event: &mut Value) -> Result<(), String> {
        for message in of(event).into_iter().flatten() {
            if let Some(same) = message.get(SAME).and_then(Value::as_str) {
                let known = self.0.get(same);
                *message = known.cloned().ok_or_else(|| format!("the message {same} that it refers to is missing"))?;
            } else if let Some(fields) = message.as_object_mut()
                && let Some(Value::String(name)) = fields.remove(NAME)
            {
                self.0.insert(name, message.clone());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_written_is_named_and_comes_back() {
        let long = |word: &str| json!({"role": "user", "parts": [{"text": word.repeat(100)}]});
        let short = json!({"role": "user", "parts": [{"text": "hi"}]});
        let request = |messages: &[&Value]| json!({"event": "asked", "need": {"need": "chat", "of": ["default", {"messages": messages}]}});
        let (first, second) = (long("one"), long("two"));
        let sent = [request(&[&first, &short]), request(&[&first, &short, &second]), request(&[&second, &second])];

        let mut written = Written::default();
        let lines: Vec<Value> = sent
            .iter()
            .map(|event| {
                let mut line = event.clone();
                written.add(written.shorten(&mut line));
                line
            })
            .collect();
        assert!(lines[0].to_string().len() > 300 && lines[2].to_string().len() < 200, "{lines:?}");

        let restored = |lines: &[Value]| {
            let mut named = Named::default();
            let mut lines = lines.to_vec();
            let done: Result<Vec<()>, String> = lines.iter_mut().map(|line| named.restore(line)).collect();
            done.map(|_| lines)
        };
        assert_eq!(restored(&lines), Ok(sent.to_vec()));
        assert!(restored(&lines[1..]).expect_err("the first line is gone").contains("is missing"));
        let mut other = json!({"event": "notice", "text": "x"});
        assert!(written.shorten(&mut other).is_empty() && Named::default().restore(&mut other).is_ok());
    }
}
