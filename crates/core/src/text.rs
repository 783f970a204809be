//! Small text rules that several parts must agree on.

use unicode_normalization::UnicodeNormalization;

/// Cuts a text after `limit` characters and says how many were left out.
pub fn clip(text: &str, limit: usize) -> String {
    let count = text.chars().count();
    if count <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit).collect();
    format!("{head}… [{} more characters]", count - limit)
}

/// Cuts a text so that it has at most `limit` characters, with what says that it was cut.
pub fn clip_to(text: &str, limit: usize) -> String {
    const CUT: &str = "… [cut]";
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit.saturating_sub(CUT.chars().count())).collect();
    format!("{head}{CUT}")
}

/// One form for texts that look the same: NFKC, lower case, runs of white space as one blank, none at the ends.
pub fn fold(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Letters and digits only, folded: `Double_Click`, `double click` and `doubleClick` are one name.
pub fn name_key(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_look_the_same_fold_to_one() {
        assert_eq!(fold("  Ｓave\u{a0} Ａs "), "save as");
        assert_eq!(name_key("Double_Click"), name_key("double click"));
        assert_eq!(clip("héllo", 3), "hél… [2 more characters]");
        assert_eq!((clip_to("héllo", 5), clip_to("héllo, you", 9)), ("héllo".to_owned(), "hé… [cut]".to_owned()));
    }
}
