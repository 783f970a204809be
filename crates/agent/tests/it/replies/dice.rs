//! Chance that comes again: the same seed gives the same replies.

/// Splitmix64 (public domain, by Sebastiano Vigna).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn of(seed: u64) -> Self {
        Self(seed)
    }
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// From 0 to `n - 1`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n.max(1) as u64).expect("a small number")
    }
    /// Both ends included.
    pub(super) fn number(&mut self, from: i64, to: i64) -> i64 {
        from + (self.next() % (to + 1 - from).unsigned_abs()).cast_signed()
    }
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub(super) fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}
