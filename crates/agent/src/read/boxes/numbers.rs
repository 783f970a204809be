//! Numbers in a text: `100, 200 300 400`, `(100,200)`, `<bbox>1 2 3 4</bbox>`.

use unicode_normalization::UnicodeNormalization;

/// Words that may stand beside the numbers.
const WORDS: &[&str] =
    &["bbox", "bboxd", "box", "boxd", "point", "pointd", "boxstart", "boxend", "coordinate", "coordinates", "position"];

/// All numbers of the text in order. Digits that belong to a word, as in `bbox_2d`, are none.
///
/// # Errors
/// A word or a sign that changes the meaning: `px`, `%`, prose.
pub(super) fn read(text: &str) -> Result<Vec<f64>, String> {
    let text: String = text.nfkc().collect();
    let mut numbers = Vec::new();
    let mut rest = text.as_str();
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let len = if c.is_alphabetic() || c == '_' {
            let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let word: String = rest[..len].to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
            if !WORDS.contains(&word.as_str()) {
                return Err(format!("`{}` is no coordinate", handeye_core::text::clip(&rest[..len], 20)));
            }
            len
        } else if c == '%' {
            return Err("percent signs are not coordinates".to_owned());
        } else {
            number(rest, before, &mut numbers)?.unwrap_or(c.len_utf8())
        };
        before = rest[..len].chars().next_back().unwrap_or(' ');
        rest = &rest[len..];
    }
    Ok(numbers)
}

/// The number at the start of the text, if there is one: pushes it and gives its length.
fn number(text: &str, before: char, numbers: &mut Vec<f64>) -> Result<Option<usize>, String> {
    // A minus between digits, as in `10-20`, stands apart.
    let sign = text.starts_with(['-', '+']) && !before.is_ascii_digit();
    let digits = &text[usize::from(sign)..];
    let is_digit = |c: char| c.is_ascii_digit();
    let whole = digits.find(|c| !is_digit(c)).unwrap_or(digits.len());
    let fraction = digits[whole..].strip_prefix('.').map_or(0, |f| f.find(|c| !is_digit(c)).unwrap_or(f.len()));
    if whole == 0 && (fraction == 0 || before == '.') {
        return Ok(None);
    }
    let len = usize::from(sign) + whole + if fraction > 0 { 1 + fraction } else { 0 };
    let parsed: f64 = text[..len].parse().map_err(|_| format!("`{}` is no number", &text[..len]))?;
    if !parsed.is_finite() || numbers.len() > 64 {
        return Err("it has too many or too large numbers".to_owned());
    }
    numbers.push(parsed);
    Ok(Some(len))
}
