//! The rungs of a model that looks at the screen: at all of it, or in two steps at an enlarged part.
//!
//! What it answers is its claim, like the box of a plan. Every call is a need of the loop, so it is under the budgets, in the
//! record and in the replay.

use super::claim::on_screen;
use super::prompt::{self, Question};
use super::{Found, Locating, NotFound, area};
use crate::act::unavailable;
use crate::read::{self, Misread, Place, Spot};
use handeye_core::text::clip;
use handeye_core::{ChatErrorKind, ChatRequest, Frame, Logical, Message, Rect, Role, Rung, Shown, Slot, Stop};

/// How much of a reply that could not be read the model is shown again, in characters.
const SHOWN_AGAIN: usize = 500;

/// What came of asking the model.
enum Seen {
    At {
        spot: Spot,
        raw: String,
        references: Vec<Spot>,
    },
    /// It says that it is not there, or nobody could make out what it says.
    Missing(String),
    /// The call failed: no other one is made.
    Failed(NotFound),
    NoModel(String),
}

impl Locating<'_> {
    /// For a target in words: `None` when no model is configured that could look for it.
    pub(super) async fn by_model(&mut self) -> Result<Option<Found>, Stop> {
        let frame = match self.frame().await? {
            Ok(frame) => frame,
            Err(missing) => return Ok(Some(Err(missing))),
        };
        if self.is_deep() { self.deep(&frame, None).await } else { self.plain(&frame).await }
    }

    /// What the plan claims, looked at again where that is wished. Where the model sees nothing there, it stays what it is.
    pub(super) async fn deeper(&mut self, found: Found) -> Result<Found, Stop> {
        let claimed = match found {
            Ok(claimed) if self.is_deep() => claimed,
            found => return Ok(found),
        };
        let frame = match self.frame().await? {
            Ok(frame) => frame,
            Err(missing) => return Ok(Err(missing)),
        };
        Ok(match self.deep(&frame, Some(claimed.rect)).await? {
            Some(Err(NotFound { end: None, .. })) | None => Ok(claimed),
            Some(found) => found,
        })
    }

    fn is_deep(&self) -> bool {
        self.target.deep || self.settings.deep_locate
    }

    async fn frame(&mut self) -> Result<Result<Frame, NotFound>, Stop> {
        let seen = match self.sight.now(self.world).await? {
            Ok(seen) => seen.frame.clone().ok_or("the device has no screenshot to look at".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        Ok(seen.map_err(|why| {
            self.tried(Rung::Model, Vec::new(), why.clone());
            NotFound::because(why)
        }))
    }

    /// One look at the whole screen.
    async fn plain(&mut self, frame: &Frame) -> Result<Option<Found>, Stop> {
        let shown = self.settings.shown(frame.image.size, self.settings.grounding);
        let seen = self.ask(Question::Place, frame, shown).await?;
        self.claim(Rung::Model, "on the screen", seen, frame, &shown).await
    }

    /// Two steps: which part, then where on it. A seed says the part already.
    async fn deep(&mut self, frame: &Frame, seed: Option<Rect<Logical>>) -> Result<Option<Found>, Stop> {
        let within = match seed {
            Some(rect) => rect,
            None => match self.section(frame).await? {
                Ok(rect) => rect,
                Err(Seen::Missing(why)) => {
                    let why = format!("no part of the screen was chosen ({why}); so all of it is looked at");
                    self.tried(Rung::Deep, Vec::new(), why);
                    return self.plain(frame).await;
                }
                Err(other) => return Ok(self.without(Rung::Deep, other)),
            },
        };
        let part = area::around(within, frame.logical_size());
        let shown = area::enlarged(part, frame, self.settings, self.settings.grounding);
        self.tried(Rung::Deep, Vec::new(), format!("the part {part} is looked at enlarged"));
        let seen = self.ask(Question::OnPart, frame, shown).await?;
        self.claim(Rung::Deep, "on the enlarged part", seen, frame, &shown).await
    }

    /// The part of the screen that it is in, with what it is told apart by.
    async fn section(&mut self, frame: &Frame) -> Result<Result<Rect<Logical>, Seen>, Stop> {
        let shown = self.settings.shown(frame.image.size, self.settings.grounding);
        Ok(match self.ask(Question::Section, frame, shown).await? {
            Seen::At { spot, references, .. } => {
                let place = |spot: &Spot| on_screen(spot, &shown, frame.image.size, frame.logical_size()).0;
                Ok(references.iter().map(place).fold(place(&spot), |all, one| all.around(&one)))
            }
            other => Err(other),
        })
    }

    /// What the model said it sees, as an element.
    async fn claim(
        &mut self,
        rung: Rung,
        place: &str,
        seen: Seen,
        frame: &Frame,
        shown: &Shown,
    ) -> Result<Option<Found>, Stop> {
        let Seen::At { spot, raw, .. } = seen else { return Ok(self.without(rung, seen)) };
        let at = on_screen(&spot, shown, frame.image.size, frame.logical_size());
        let said = format!("the model's place {raw} {place}");
        Ok(Some(Ok(self.claimed(rung, &said, at, &spot.repairs).await?)))
    }

    /// No element came of it.
    fn without(&mut self, rung: Rung, seen: Seen) -> Option<Found> {
        match seen {
            Seen::Missing(why) => Some(self.refuse(rung, why)),
            Seen::Failed(missing) => {
                self.tried(rung, Vec::new(), missing.why.clone());
                Some(Err(missing))
            }
            Seen::NoModel(why) => {
                self.tried(rung, Vec::new(), why);
                None
            }
            Seen::At { .. } => None,
        }
    }

    /// Asks, and once more with what was wrong when the reply cannot be read.
    async fn ask(&mut self, question: Question, frame: &Frame, shown: Shown) -> Result<Seen, Stop> {
        let family = self.settings.grounding;
        let mut request = question.request(family, &self.target.description, &frame.image, shown);
        let (reply, first) = match self.ask_once(&request, &shown).await? {
            Ok(seen) => return Ok(seen),
            Err(misread) => misread,
        };
        let reply = clip(&reply, SHOWN_AGAIN);
        let reply = if reply.trim().is_empty() { "(no text)".to_owned() } else { reply };
        request.messages.push(Message::text(Role::Assistant, reply));
        request.messages.push(Message::text(Role::User, prompt::correction(&first.why)));
        Ok(match self.ask_once(&request, &shown).await? {
            Ok(Seen::At { mut spot, raw, references }) => {
                spot.repairs.push(format!("asked again, because {}", first.why));
                Seen::At { spot, raw, references }
            }
            Ok(seen) => seen,
            Err((_, second)) => Seen::Missing(format!("what the model answers could not be read: {}", second.why)),
        })
    }

    async fn ask_once(
        &mut self,
        request: &ChatRequest,
        shown: &Shown,
    ) -> Result<Result<Seen, (String, Misread)>, Stop> {
        let reply = match self.world.chat(Slot::Grounding, request.clone()).await? {
            Ok(reply) => reply,
            Err(error) if error.kind == ChatErrorKind::Config => return Ok(Ok(Seen::NoModel(error.message))),
            Err(error) => {
                let missing = NotFound { why: error.to_string(), end: Some(unavailable(&error)) };
                return Ok(Ok(Seen::Failed(missing)));
            }
        };
        Ok(match read::place(&reply.text, reply.finish, self.settings.grounding, shown) {
            Ok(Place::At { spot, raw, references }) => Ok(Seen::At { spot, raw, references }),
            Ok(Place::Absent { why }) if why.is_empty() => Ok(Seen::Missing("the model does not see it".to_owned())),
            Ok(Place::Absent { why }) => Ok(Seen::Missing(format!("the model does not see it: {why}"))),
            Err(misread) => Err((reply.text, misread)),
        })
    }
}
