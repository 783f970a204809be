//! Values that must not be seen, and the mask that takes them out of other people's texts.

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

/// What stands in a text where a secret stood.
pub const MASKED: &str = "***";

/// Shorter values are no secrets: masking them would riddle every text with holes.
const SHORTEST: usize = 4;

/// Takes known secrets out of texts that come from outside: providers like to echo the key in an error.
#[derive(Clone, Default)]
pub struct Mask(Vec<Secret<String>>);

impl Mask {
    /// Longer secrets first, so that a secret inside another does not leave the rest of it behind.
    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<&str> = secrets.into_iter().filter(|s| s.chars().count() >= SHORTEST).collect();
        known.sort_by_key(|s| std::cmp::Reverse(s.len()));
        known.dedup();
        Self(known.into_iter().map(|s| Secret::new(s.to_owned())).collect())
    }

    pub fn apply(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            if text.contains(secret.expose().as_str()) { text.replace(secret.expose().as_str(), MASKED) } else { text }
        })
    }
}

impl fmt::Debug for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mask({} secrets)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show() {
        let secret = Secret::new("sk-very-secret".to_owned());
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "Secret(…) Some(Secret(…))");
        assert_eq!(format!("{:?}", Mask::of(["sk-very-secret"])), "Mask(1 secrets)");
    }

    #[test]
    fn a_mask_takes_out_what_it_knows() {
        let mask = Mask::of(["sk-abc", "sk-abcdef", "xy", ""]);
        assert_eq!(mask.apply("key sk-abcdef, then sk-abc and xy"), "key ***, then *** and xy");
        assert_eq!(Mask::default().apply("nothing"), "nothing");
    }
}
