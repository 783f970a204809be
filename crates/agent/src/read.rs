//! Reading what models write: JSON, tags, coordinates and whole replies.
//!
//! Models are asked for a form and keep to it most of the time. What they write instead has a known shape in most cases: a
//! quote that was not escaped, a tag that was not closed, a draft in front of the answer. These readers mend what has one
//! meaning and say so; what has two meanings, or none, is refused with a message that a model can act upon. A reply that was
//! cut off is never completed by a guess.
//!
//! Nothing here is evaluated, nothing waits and nothing is read from outside: text goes in, a value and the list of
//! [repairs](json::Loose::repairs) come out. Every reader takes time in proportion to the length of the text.
//!
//! ```
//! use handeye_agent::read;
//! use handeye_core::{ActionSpace, Family, Finish, Shown, Size, Verb};
//!
//! let text = "<thought>It is there.\n<action-type>click<action-param-json>\
//!             {'locate': {'prompt': 'the \"Save\" button', 'bbox': [100 200 300 400]}}</action-param-json>";
//! let space = ActionSpace::of(&[Verb::Tap]);
//! let reply = read::standard(text, Finish::Stop, &space).expect("a reply");
//! assert_eq!(reply.actions[0].summary(), "Tap - the \"Save\" button");
//!
//! let shown = Shown::at(Size::new(1280.0, 720.0));
//! let spot = read::coordinates(&serde_json::json!("[100, 200, 300, 400]"), Family::default_family(), &shown).expect("a box");
//! assert!((spot.point.x - 0.2).abs() < 1e-9 && (spot.point.y - 0.3).abs() < 1e-9);
//! ```

pub mod answer;
pub mod auto_glm;
pub mod boxes;
pub mod calls;
pub mod computer_use;
pub mod json;
pub mod place;
pub mod reply;
pub mod tags;
pub mod ui_tars;

pub use answer::{Answer, answer};
pub use auto_glm::auto_glm;
pub use boxes::{BoxError, Spot, coordinates};
pub use calls::CallsReply;
pub use json::{JsonError, Loose, json};
pub use place::{Place, place};
pub use reply::{Misread, StandardReply, standard};
pub use ui_tars::ui_tars;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod properties;
