//! Tries the models that are configured: do they answer, do they see, do they point where they should?

use crate::doctor::{Diagnosis, Finding, Health};
use crate::live::LiveWorld;
use crate::model::{self, HOW_TO_SET};
use crate::still::Still;
use handeye_agent::Settings;
use handeye_agent::locate::tree::Purpose;
use handeye_agent::locate::{self, NotFound};
use handeye_agent::run::Sight;
use handeye_chat::{ModelConfig, Models};
use handeye_core::event::Receipt;
use handeye_core::{
    ChatError, ChatRequest, Ctx, Element, Logical, Message, Part, Rect, Role, Shown, Slot, Stop, Target, Want, World,
};
use handeye_image::{ImageError, Pixels, png};
use std::time::Duration;

/// For all that is tried together.
const AT_MOST: Duration = Duration::from_mins(10);
/// Side of a square of the test picture, in pixels.
const SIDE: u32 = 48;
/// Where the test picture has red squares, and how many of them a model must see.
const RED: [(u32, u32); 3] = [(90, 80), (420, 140), (700, 510)];
const BLUE: [(u32, u32); 2] = [(230, 390), (640, 250)];
/// The only green one, which a model must point at.
const GREEN: (u32, u32) = (562, 108);

/// Asks each model that is set for a word, what a picture shows, and the one that locates for a place on it. A few hundred
/// tokens each, under the models' own limits and budgets.
pub async fn verify(models: Result<Models, ChatError>) -> Diagnosis {
    let models = match models {
        Ok(models) => models,
        Err(error) => return Diagnosis::of(vec![Finding::of_model("model", &error)]),
    };
    if models.is_empty() {
        let none = Finding::new("model", Health::Broken, "none is configured, so there is nothing to try");
        return Diagnosis::of(vec![none.fix(HOW_TO_SET)]);
    }
    let cx = Ctx::bare().with_timeout(Some(AT_MOST));
    let mut findings = Vec::new();
    for (slot, config) in models.iter() {
        findings.extend(of_slot(&models, slot, config, &cx).await);
    }
    Diagnosis::of(findings)
}

async fn of_slot(models: &Models, slot: Slot, config: &ModelConfig, cx: &Ctx) -> Vec<Finding> {
    let who = format!("{} ({})", config.name, slot.word());
    let text = match handeye_chat::probe(config, cx).await {
        None => Finding::new("text", Health::Warning, format!("{who} is answered from {}", config.place()))
            .fix("nothing is tried with models that are files: it would use up a reply"),
        Some(Ok(reply)) => Finding::new("text", Health::Ok, format!("{who} answered in {} ms", reply.took)),
        Some(Err(error)) => Finding::of_model("text", &error),
    };
    if !text.is_ok() {
        return vec![text];
    }
    let mut findings = vec![text, told("vision", vision(models, slot, config, cx).await, &who)];
    if models.slot(Slot::Grounding) == Some(slot) {
        findings.push(told("locate", place(models, config, cx).await, &who));
    }
    findings
}

/// Why a model did not do what it was asked.
enum Fault {
    Model(ChatError),
    Wrong(String),
}

impl From<ChatError> for Fault {
    fn from(error: ChatError) -> Self {
        Self::Model(error)
    }
}
impl From<ImageError> for Fault {
    fn from(error: ImageError) -> Self {
        Self::Wrong(format!("the test picture could not be made: {error}"))
    }
}
impl From<Stop> for Fault {
    fn from(stop: Stop) -> Self {
        Self::Wrong(match stop {
            Stop::TimeOver => format!("not done within {} s", AT_MOST.as_secs()),
            other => format!("{other:?}"),
        })
    }
}

fn told(what: &'static str, done: Result<String, Fault>, who: &str) -> Finding {
    match done {
        Ok(says) => Finding::new(what, Health::Ok, format!("{who} {says}")),
        Err(Fault::Model(error)) => Finding::of_model(what, &error),
        Err(Fault::Wrong(says)) => Finding::new(what, Health::Broken, format!("{who} {says}"))
            .exit_code(5)
            .fix("use a model that sees pictures, and set the family that it belongs to: `handeye models` lists them"),
    }
}

/// Squares of three colours on white.
fn picture() -> Pixels {
    let mut pixels = Pixels::filled(800, 600, [255, 255, 255, 255]);
    for (squares, colour) in
        [(&RED[..], [220, 30, 30, 255]), (&BLUE[..], [30, 60, 220, 255]), (&[GREEN][..], [20, 150, 60, 255])]
    {
        for (left, top) in squares {
            pixels.fill(*left, *top, SIDE, SIDE, colour);
        }
    }
    pixels
}

async fn vision(models: &Models, slot: Slot, config: &ModelConfig, cx: &Ctx) -> Result<String, Fault> {
    let (mut live, _) = world(models, cx)?;
    let image = png(&picture())?;
    let shown = Shown::whole(image.size, None, config.family.block);
    let question = "How many red squares does this picture show? Reply with the number alone.";
    let parts = vec![Part::Text(question.to_owned()), Part::Image { image, shown }];
    let request = ChatRequest { messages: vec![Message::new(Role::User, parts)], ..ChatRequest::default() };
    let world: &mut dyn World = &mut live;
    let reply = world.chat(slot, request).await??;
    let digits = |c: char| c.is_ascii_digit();
    let counted = reply.text.split(|c: char| !digits(c)).find_map(|word| word.parse::<usize>().ok());
    match counted {
        Some(count) if count == RED.len() => Ok(format!("counts the {count} red squares of a picture")),
        _ => Err(Fault::Wrong(format!(
            "was asked for the {} red squares of a picture, and answered {:?}",
            RED.len(),
            handeye_core::text::clip(reply.text.trim(), 80)
        ))),
    }
}

async fn place(models: &Models, config: &ModelConfig, cx: &Ctx) -> Result<String, Fault> {
    let (mut live, settings) = world(models, cx)?;
    let world: &mut dyn World = &mut live;
    let seen = world.observe(Want::frame()).await?.map_err(|e| Fault::Wrong(e.to_string()))?;
    let target = Target::new("the green square");
    let mut receipt = Receipt::default();
    let found =
        locate::locate(world, &settings, &mut Sight::of(&seen), (&target, Purpose::Point), &mut receipt).await?;
    let (left, top) = (f64::from(GREEN.0), f64::from(GREEN.1));
    let square = Rect::<Logical>::new(left, top, SIDE.into(), SIDE.into());
    match found {
        Ok(Element { point, .. }) if square.contains(point) => Ok(format!("points at the green square, {point}")),
        Ok(Element { point, rect, .. }) => Err(Fault::Wrong(format!(
            "points at {point} (its box: {rect}), but the green square is {square}: the family `{}` may be the wrong one",
            config.family.name
        ))),
        Err(NotFound { why, .. }) => Err(Fault::Wrong(format!("does not find the green square: {why}"))),
    }
}

/// A world whose screen is the test picture.
fn world(models: &Models, cx: &Ctx) -> Result<(LiveWorld, Settings), Fault> {
    let chats = model::connect(models)?;
    let family = |slot| models.get(slot).map_or(Settings::default().family, |config| config.family);
    let settings =
        Settings { family: family(Slot::Planning), grounding: family(Slot::Grounding), ..Settings::default() };
    Ok((LiveWorld::new(Box::new(Still::new(png(&picture())?)), chats, cx.clone()), settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squares_of_the_test_picture_lie_apart() {
        let pixels = picture();
        let mut counts = [0; 4];
        for pixel in pixels.rgba().chunks_exact(4) {
            let colour = match pixel {
                [220, 30, 30, _] => 0,
                [30, 60, 220, _] => 1,
                [20, 150, 60, _] => 2,
                _ => 3,
            };
            counts[colour] += 1;
        }
        let square = (SIDE * SIDE) as usize;
        assert_eq!(counts[..3], [3 * square, 2 * square, square]);
    }
}
