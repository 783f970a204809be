//! Values that must not be seen, and the mask that takes them out of other people's texts.

use handeye_core::Masker;
use std::fmt;

/// A value that can be used but not shown: it has no `Display` and no `Serialize`, and `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    pub fn new(value: T) -> Self {
        Self(value)
    }
    /// The value itself, for the one place that must send it.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Shorter values are no secrets: masking them would riddle every text with holes.
const SHORTEST: usize = 4;
/// Servers on one's own machine take any word as a key, often `EMPTY` or `ollama`. A model may write such a word for good
/// reason, so in replies and requests only values that nobody writes by chance are masked.
const UNMISTAKABLE: usize = 16;

/// Takes known secrets out of texts that come from outside: providers like to echo the key in an error.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    all: Masker,
    unmistakable: Masker,
}

impl Mask {
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = secrets.into_iter().filter(|s| s.chars().count() >= SHORTEST).collect();
        let of_length =
            |least: usize| Masker::new(known.iter().filter(|s| s.len() >= least).map(|s| (*s).to_owned()).collect());
        Self { all: of_length(0), unmistakable: of_length(UNMISTAKABLE) }
    }

    /// For errors and logs: takes out every secret.
    pub fn apply(&self, text: &str) -> String {
        self.all.text(text).into_owned()
    }

    /// For what models say and are asked: takes out secrets that cannot be there by chance.
    pub fn apply_to_content(&self, text: &str) -> String {
        self.unmistakable.text(text).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show() {
        let secret = Secret::new("sk-very-secret".to_owned());
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret(…) Some(Secret(…))");
        assert!(!format!("{:?}", Mask::of(["sk-very-secret"])).contains("very"));
    }

    #[test]
    fn a_mask_takes_out_what_it_knows() {
        let mask = Mask::of(["sk-abc", "sk-abcdef", "xy", ""]);
        assert_eq!(mask.apply("key sk-abcdef, then sk-abc and xy"), "key ***, then *** and xy");
        assert_eq!(Mask::default().apply("nothing"), "nothing");
        let mask = Mask::of(["EMPTY", "sk-0123456789abcdef"]);
        assert_eq!(mask.apply("EMPTY sk-0123456789abcdef"), "*** ***");
        assert_eq!(mask.apply_to_content("EMPTY sk-0123456789abcdef"), "EMPTY ***");
    }
}
