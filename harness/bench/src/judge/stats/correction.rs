//! Many comparisons at once: Holm's step-down correction, which keeps the chance of even one
//! false alarm among all rows at the level asked for, whatever depends on what.

/// Corrected probabilities, in the order given (S. Holm, A Simple Sequentially Rejective
/// Multiple Test Procedure, 1979).
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![1.0; p.len()];
    let mut floor = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        floor = floor.max(p[at] * (p.len() - rank) as f64).min(1.0);
        corrected[at] = floor;
    }
    corrected
}
