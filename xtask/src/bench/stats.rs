//! The few statistics that the tables show.

/// The middle one; of an even number the mean of the two in the middle. 0 when there is none.
pub(super) fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// To one digit after the point.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_middle_is_found() {
        let all: [(&[f64], &str); 3] = [(&[], "0"), (&[3.0, 1.0, 9.0], "3"), (&[4.0, 1.0], "2.5")];
        for (samples, want) in all {
            assert_eq!(median(samples).to_string(), want);
        }
    }
}
