//! What the model says that is asked where something is, and what has become of that.

use super::dice::Dice;
use super::judge::has_place;
use super::speech;
use handeye_core::{Finish, Reply};

/// Where something may be sought.
#[derive(Clone, Debug)]
enum Means {
    At((i64, i64)),
    /// There, or nowhere.
    AtMost((i64, i64)),
    Nowhere,
    /// Where the text itself says, if anywhere.
    Text,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Pointed {
    pub(super) reply: Reply,
    means: Means,
}

impl Pointed {
    pub(super) fn any(dice: &mut Dice) -> Self {
        let at = (dice.number(20, 980), dice.number(20, 980));
        let text = written(dice, at);
        let (text, means) = match dice.below(12) {
            0 => ("{\"bbox\": [], \"error\": \"there are 2 of them\"}".to_owned(), Means::Nowhere),
            1 => (format!("<think>{}</think>{text}", written(dice, (500, 500))), Means::At(at)),
            2 => return Self::cut(dice, &text, at),
            3 => (changed(dice, &text), Means::Text),
            4 => (doubled(dice, &text), Means::Text),
            5 => (random(dice), Means::Text),
            _ => (text, Means::At(at)),
        };
        Self { reply: speech::plain(&text), means }
    }

    fn cut(dice: &mut Dice, text: &str, at: (i64, i64)) -> Self {
        let mut reply = speech::plain(&text[..dice.below(text.len())]);
        if dice.one_in(2) {
            reply.finish = Finish::Length;
        }
        Self { reply, means: Means::AtMost(at) }
    }

    /// Whether it says this place.
    pub(super) fn says(&self, at: (i64, i64)) -> bool {
        match self.means {
            Means::At(place) | Means::AtMost(place) => place == at,
            Means::Nowhere => false,
            Means::Text => has_place(&self.reply.text, at),
        }
    }

    /// It says where, for all to see.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.means, Means::At(_))
    }
}

/// In one of the ways in which models write it.
fn written(dice: &mut Dice, (x, y): (i64, i64)) -> String {
    let place = format!("[{}, {}, {}, {}]", x - 12, y - 8, x + 12, y + 8);
    match dice.below(6) {
        0 => format!("```json\n{{\"bbox\": {place}}}\n```"),
        1 => format!("[{{\"bbox_2d\": {place}, \"label\": \"it\"}}]"),
        2 => format!("{{\"bbox\": {place}, \"errors\": []}}"),
        3 => place,
        _ => format!("{{\"bbox\": {place}}}"),
    }
}

fn changed(dice: &mut Dice, text: &str) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(4) {
        let at = dice.below(signs.len());
        signs[at] = *dice.pick(&[&'"', &'{', &'}', &'[', &']', &',', &':', &'0', &'9', &'-', &'.', &'a']);
    }
    signs.into_iter().collect()
}

fn doubled(dice: &mut Dice, text: &str) -> String {
    let (a, b) = (dice.below(text.len()), dice.below(text.len()));
    format!("{}{}", &text[..a.max(b)], &text[a.min(b)..])
}

fn random(dice: &mut Dice) -> String {
    let signs = [
        "{",
        "}",
        "[",
        "]",
        ",",
        " ",
        ":",
        "\"bbox\"",
        "\"error\"",
        "\"point\"",
        "100",
        "200",
        "-3",
        "0.5",
        "null",
        "\"",
        "<point>",
        "(",
        ")",
        "```",
        "a",
    ];
    (0..dice.below(24)).map(|_| dice.pick(&signs)).collect()
}
