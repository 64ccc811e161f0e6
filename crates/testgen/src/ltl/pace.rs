//! How much longer work takes because others use the machine, too. A search that is cut after some seconds should not miss on a busy
//! machine what it finds on a quiet one.

use std::time::Duration;

/// The most that a time limit is stretched.
const MOST: f64 = 4.0;

/// A time limit for work of the calling thread, stretched by how long it had to wait for a processor so far. Where nobody can tell,
/// it stays as it is.
pub(super) fn stretched(limit: Duration) -> Duration {
    let waits = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    limit.mul_f64(waits.as_deref().and_then(factor).unwrap_or(1.0))
}

/// The time until work is done over the time it takes, from the line in which the kernel says how long a thread ran and waited.
fn factor(line: &str) -> Option<f64> {
    let mut numbers = line.split_whitespace().map(|number| number.parse::<u64>().ok());
    let (ran, waited) = (numbers.next()??, numbers.next()??);
    (0 < ran).then(|| (1.0 + waited as f64 / ran as f64).clamp(1.0, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_stretches_limits() {
        assert_eq!(factor("100 0 3"), Some(1.0));
        assert_eq!(factor("100 150 3\n"), Some(2.5));
        assert_eq!(factor("100 1000 3"), Some(MOST));
        assert_eq!(factor("0 10 1"), None);
        assert_eq!(factor("what"), None);
        assert_eq!(factor(""), None);
        let limit = Duration::from_secs(8);
        assert!((limit..=limit.mul_f64(MOST)).contains(&stretched(limit)));
    }
}
