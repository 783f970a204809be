//! A comparison of two texts line by line, for people.

/// Lines of both texts: `- ` only in the first, `+ ` only in the second, two blanks in both. Long equal stretches are cut.
pub(super) fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = common_lengths(&old, &new);
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j >= new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    shorten(&lines)
}

/// `table[i][j]` is the length of the longest common subsequence of `old[i..]` and `new[j..]`.
fn common_lengths(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            table[i][j] = if old[i] == new[j] { table[i + 1][j + 1] + 1 } else { table[i + 1][j].max(table[i][j + 1]) };
        }
    }
    table
}

/// Keeps three equal lines around each change.
fn shorten(lines: &[(char, &str)]) -> String {
    let near = |at: usize| lines[at.saturating_sub(3)..(at + 4).min(lines.len())].iter().any(|(mark, _)| *mark != ' ');
    let mut text = String::new();
    let mut cut = false;
    for (at, (mark, line)) in lines.iter().enumerate() {
        if near(at) {
            text.push(*mark);
            text.push(' ');
            text.push_str(line);
            text.push('\n');
        } else if !cut {
            text.push_str("  …\n");
        }
        cut = !near(at);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn changes_stand_between_their_neighbours() {
        assert_eq!(diff("a\nb\nc", "a\nx\nc"), "  a\n- b\n+ x\n  c\n");
        let long = "1\n2\n3\n4\n5\n6\n7\n8\n9";
        assert_eq!(diff(long, &long.replace('9', "nine")), "  …\n  6\n  7\n  8\n- 9\n+ nine\n");
        assert_eq!(diff("", "a"), "+ a\n");
    }
}
