use super::*;
use proptest::prelude::*;

fn levels(count: u32, value: impl Fn(f64) -> f64) -> Vec<Point> {
    let level = |depth| Point {
        depth,
        value: value(f64::from(depth)),
    };
    (10..10 + count).map(level).collect()
}

fn close(found: f64, right: f64) {
    assert!((found / right - 1.0).abs() < 1e-9, "{found}, not {right}");
}

#[test]
fn steady_growth_is_carried_on() {
    let value = |depth: f64| 3.0 * 1.5_f64.powf(depth);
    let forecast = Forecast::new(&levels(20, value)).unwrap();
    let next = forecast.at(40).unwrap();
    close(next.value, value(40.0));
    close(next.low, next.high);
    let total = forecast.total(40).unwrap();
    close(total.value, (10..=40).map(|at| value(f64::from(at))).sum());
    assert_eq!((forecast.at(29), forecast.at(3)), (None, None));
}

#[test]
fn drifting_growth_is_carried_on_and_told_from_steady() {
    // The factor is 2 at first, and its logarithm falls by 0.01 per level.
    let value = |depth: f64| (depth * 2_f64.ln() - 0.005 * depth * depth).exp();
    let last = Forecast::new(&levels(24, value)).unwrap().at(50).unwrap();
    close(last.value, value(50.0));
    // A steady growth misses it: the range shows it, on the upper side.
    assert!(last.high > 7.0 * last.value, "{last:?}");
    close(last.low, last.value);
}

#[test]
fn a_line_by_least_squares_as_worked_by_hand() {
    // Logarithms 0, 1, 1, 3 at -3, -2, -1, 0: slope (−1.5·−1.25 − 0.5·−0.25 + 0.5·−0.25 + 1.5·1.75)/5.
    let point = |(depth, ln): (u32, f64)| Point {
        depth,
        value: ln.exp(),
    };
    let points = [(0, 0.0), (1, 1.0), (2, 1.0), (3, 3.0)].map(point);
    close(Fit::new(&points, false).ln_growth, 0.9);
    // Factors 1, 0, 2 at -2, -1, 0: slope 0.5, 1 in the middle, so 1.5 at the last.
    let drifting = Fit::new(&points, true);
    close(drifting.ln_drift, 0.5);
    close(drifting.ln_growth, 1.5);
    close(drifting.at(5), (3.0_f64 + 2.0 + 2.5).exp());
}

/// Every prediction of a known level lies within the range that would have been given, for a growth
/// that falls irregularly, which neither model describes.
#[test]
fn the_range_covers_levels_held_out() {
    let wobble =
        |depth: f64| (1.3 * depth + 0.4 * (depth / 3.0).sin() - 0.01 * depth * depth).exp();
    let all = levels(30, wobble);
    let forecast = Forecast::new(&all[..24]).unwrap();
    for point in &all[24..] {
        let predicted = forecast.at(point.depth).unwrap();
        let range = predicted.low..=predicted.high;
        assert!(range.contains(&point.value), "{predicted:?} {point:?}");
    }
}

#[test]
fn beyond_the_tests_the_error_grows_with_the_square() {
    let forecast = Forecast::new(&levels(20, |depth| (depth + 0.3 * depth.sin()).exp())).unwrap();
    let far = |times| forecast.at(forecast.last().depth + times * forecast.reach);
    let (near, double) = (far(1).unwrap(), far(2).unwrap());
    assert!(near.tested && !double.tested);
    close(double.error_factor.ln(), 4.0 * near.error_factor.ln());
    let at_reach = forecast.tests.iter().filter(|t| t.0 == forecast.reach);
    assert_eq!(at_reach.count(), TESTS_NEEDED);
}

#[test]
fn what_cannot_be_used_is_left_out_or_refused() {
    let used = |points: &[Point]| Forecast::new(points).map(|forecast| forecast.points.len());
    let mut points = levels(20, |depth| 2_f64.powf(depth));
    points[6].value = 0.0;
    assert_eq!(used(&points), Ok(13));
    points.remove(9);
    assert_eq!(used(&points), Ok(10));
    points[18].value = f64::NAN;
    assert!(used(&points).unwrap_err().starts_with("0 levels in a row"));
    assert_eq!(Forecast::new(&levels(9, f64::exp)).unwrap().reach, 1);
}

proptest! {
    #[test]
    fn a_forecast_contains_its_figure(
        start in 0.1..1e6_f64,
        factors in prop::collection::vec(0.3..4.0_f64, 7..60),
        far in 1..200_u32,
    ) {
        let mut value = start;
        let points: Vec<Point> = (0..).zip(&factors).map(|(depth, factor)| {
            value *= factor;
            Point { depth, value }
        }).collect();
        let forecast = Forecast::new(&points).unwrap();
        let at = forecast.at(forecast.last().depth + far).unwrap();
        prop_assert!(at.low <= at.value && at.value <= at.high, "{:?}", at);
        prop_assert!(at.error_factor >= 1.0 && forecast.reach >= 1);
        let nearer = forecast.at(forecast.last().depth + 1).unwrap();
        prop_assert!(nearer.error_factor <= at.error_factor);
    }
}
