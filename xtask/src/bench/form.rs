//! The five-action form, and what it tells about who filled it in.

use crate::web;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Where the controls are: left, top, right, bottom in pixels of a 1280x720 page.
pub(super) const NAME: [f64; 4] = [361.0, 167.0, 921.0, 211.0];
pub(super) const EMAIL: [f64; 4] = [361.0, 257.0, 921.0, 301.0];
pub(super) const EXPRESS: [f64; 4] = [364.0, 333.0, 380.0, 349.0];
pub(super) const WRAP: [f64; 4] = [364.0, 383.0, 380.0, 399.0];
pub(super) const SEND: [f64; 4] = [361.0, 451.0, 561.0, 499.0];
pub(super) const NAME_TEXT: &str = "Ada Lovelace";
pub(super) const EMAIL_TEXT: &str = "ada@example.com";

/// The milliseconds of the four rounds between five touches: two after an input, two after a tap.
pub(super) struct Turn([f64; 4]);

impl Turn {
    pub(super) fn round(&self) -> f64 {
        self.0.iter().sum::<f64>() / 4.0
    }
    pub(super) fn input(&self) -> f64 {
        f64::midpoint(self.0[0], self.0[1])
    }
    pub(super) fn tap(&self) -> f64 {
        f64::midpoint(self.0[2], self.0[3])
    }
}

pub(super) struct Form {
    pub(super) url: String,
    told: Receiver<String>,
}

impl Form {
    pub(super) fn serve() -> Result<Self> {
        let (sender, told) = channel();
        let sender = Mutex::new(sender);
        let origin = web::serve(move |request| match request.path.as_str() {
            "/" => Some(include_bytes!("form.html").to_vec()),
            "/times" => {
                let _ = sender.lock().unwrap_or_else(PoisonError::into_inner).send(request.body.clone());
                Some(Vec::new())
            }
            _ => None,
        })?;
        Ok(Self { url: format!("{origin}/"), told })
    }

    /// What the form tells when `fill` has filled it in.
    pub(super) fn timed(&self, fill: impl FnOnce() -> Result<()>) -> Result<Turn> {
        fill()?;
        let told = self.told.recv_timeout(Duration::from_secs(10)).context("the form was not sent")?;
        let told: Value = serde_json::from_str(&told).context("what the form told")?;
        let times: Vec<f64> = told["times"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let between: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
        let Ok(between) = between.try_into() else { bail!("a control was not touched: {told}") };
        if told["right"] != true {
            bail!("the form was filled in wrongly: {told}");
        }
        Ok(Turn(between))
    }
}

/// What a model would say: an action a round, then the end. Boxes in thousandths of the page.
pub(super) fn replies() -> Vec<String> {
    let action = |verb: &str, what: &str, at: [f64; 4], more: &str| {
        let [left, top, right, bottom] = at;
        let bbox = [left / 1.28, top / 0.72, right / 1.28, bottom / 0.72].map(f64::round);
        format!(
            "<thought>The {what} is next.</thought>\n<log>{verb} the {what}</log>\n<action-type>{verb}</action-type>\n\
             <action-param-json>{{\"locate\": {{\"prompt\": \"{what}\", \"bbox\": {bbox:?}}}{more}}}</action-param-json>"
        )
    };
    vec![
        action("Input", "name field", NAME, &format!(", \"value\": \"{NAME_TEXT}\"")),
        action("Input", "email field", EMAIL, &format!(", \"value\": \"{EMAIL_TEXT}\"")),
        action("Tap", "express radio button", EXPRESS, ""),
        action("Tap", "gift wrap checkbox", WRAP, ""),
        action("Tap", "place order button", SEND, ""),
        "<thought>The page says thank you.</thought>\n<complete success=\"true\">done</complete>".into(),
    ]
}
