//! Replies and what has become of them on the way, with what may at most be done for each.

use super::dice::Dice;
use super::speech::{Speech, Step};
use handeye_core::{Finish, Reply};

/// What a reply may lead to.
#[derive(Clone, Debug)]
pub(super) enum Means {
    /// Just these steps, in order, and at least the first.
    Steps(Vec<Step>),
    /// The first few of these, or none.
    FirstOf(Vec<Step>),
    /// Verbs, places and texts of these, however they come together, at most so often. So many signs may be others than before.
    PartsOf { steps: Vec<Step>, most: usize, changed: usize },
    /// What the text itself says.
    Text,
}

#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) reply: Reply,
    pub(super) text: String,
    pub(super) means: Means,
    pub(super) how: &'static str,
}

pub(super) fn any(dice: &mut Dice, speech: &Speech) -> Told {
    if dice.one_in(16) {
        let text = (speech.end)(dice, "all is done");
        return told(speech, text, Means::Steps(Vec::new()), "an end");
    }
    if dice.one_in(6) {
        let text = random(dice, speech);
        return told(speech, text, Means::Text, "random");
    }
    let count = if dice.one_in(3) { 1 + dice.below(speech.most) } else { 1 };
    let steps: Vec<Step> = (0..count).map(|_| (speech.sayable)(Step::any(dice))).collect();
    let text = (speech.steps)(dice, &steps);
    match dice.below(12) {
        0..=2 => told(speech, text, Means::Steps(steps), "as it should be"),
        3 | 4 => cut(dice, speech, &text, steps),
        5 => told(speech, format!("{text}\n{text}"), parts(steps, 2, 0), "said twice"),
        6 => doubled(dice, speech, &text, steps),
        7 => swapped(dice, speech, &text, steps),
        8 | 9 => flipped(dice, speech, &text, steps),
        _ => drafted(dice, speech, &text, steps),
    }
}

fn told(speech: &Speech, text: String, means: Means, how: &'static str) -> Told {
    Told { reply: (speech.reply)(&text), text, means, how }
}

fn parts(steps: Vec<Step>, times: usize, changed: usize) -> Means {
    let most = steps.len() * times;
    Means::PartsOf { steps, most, changed }
}

/// A place between two characters.
fn place(dice: &mut Dice, text: &str) -> usize {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    places.get(dice.below(places.len())).copied().unwrap_or(0)
}

fn cut(dice: &mut Dice, speech: &Speech, text: &str, steps: Vec<Step>) -> Told {
    let at = place(dice, text);
    let mut told = told(speech, text[..at].to_owned(), Means::FirstOf(steps), "cut");
    // What ends behind a bracket may be all of it: only why the model stopped can tell.
    if dice.one_in(2) || text[..at].trim_end().ends_with(['>', ')', '}']) {
        told.reply.finish = Finish::Length;
    }
    told
}

/// A piece of it comes twice.
fn doubled(dice: &mut Dice, speech: &Speech, text: &str, steps: Vec<Step>) -> Told {
    let (a, b) = (place(dice, text), place(dice, text));
    let (from, to) = (a.min(b), a.max(b));
    let changed = text[from..to].chars().count();
    told(speech, format!("{}{}", &text[..to], &text[from..]), parts(steps, 2, changed), "a piece doubled")
}

/// Two pieces between tags, lines or brackets change places.
fn swapped(dice: &mut Dice, speech: &Speech, text: &str, steps: Vec<Step>) -> Told {
    let mut pieces: Vec<&str> = text.split_inclusive(['<', '\n', '(']).collect();
    let (a, b) = (dice.below(pieces.len()), dice.below(pieces.len()));
    pieces.swap(a, b);
    // Numbers may have come into other company.
    told(speech, pieces.concat(), parts(steps, 1, 1), "pieces swapped")
}

fn flipped(dice: &mut Dice, speech: &Speech, text: &str, steps: Vec<Step>) -> Told {
    let mut signs: Vec<char> = text.chars().collect();
    let flips = 1 + dice.below(5);
    for _ in 0..flips {
        let at = dice.below(signs.len());
        let sign = signs[at];
        signs[at] = match u8::try_from(sign) {
            // One bit of it, as a broken line would.
            Ok(byte) if byte < 128 && dice.one_in(2) => char::from((byte ^ (1 << dice.below(7))) & 127),
            _ => *dice.pick(&[
                &'"', &'\'', &'{', &'}', &'[', &']', &'<', &'>', &'/', &'\\', &',', &':', &'0', &'9', &'a', &'你',
            ]),
        };
    }
    told(speech, signs.into_iter().collect(), parts(steps, 1, flips), "signs changed")
}

fn drafted(dice: &mut Dice, speech: &Speech, text: &str, steps: Vec<Step>) -> Told {
    let other = loop {
        let other = (speech.sayable)(Step::any(dice));
        if !steps.contains(&other) {
            break other;
        }
    };
    let answer = if dice.one_in(5) { (speech.end)(dice, "not yet") } else { (speech.steps)(dice, &[other]) };
    let draft = (speech.draft)(dice, &answer);
    told(speech, format!("{draft}{text}"), Means::FirstOf(steps), "a draft in front")
}

fn random(dice: &mut Dice, speech: &Speech) -> String {
    let signs =
        [" ", "\n", "{", "}", "[", "]", "\"", "'", ":", ",", "1", "a", "\\", "<", ">", "`", "：", "“", "😀", "\u{0}"];
    (0..dice.below(40)).map(|_| if dice.one_in(2) { dice.pick(speech.pieces) } else { dice.pick(&signs) }).collect()
}
