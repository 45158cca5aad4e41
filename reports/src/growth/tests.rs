use super::*;
use proptest::prelude::*;

fn levels(count: u32, value: impl Fn(f64) -> f64) -> Vec<Point> {
    (10..10 + count)
        .map(|depth| Point {
            depth,
            value: value(f64::from(depth)),
        })
        .collect()
}

fn close(found: f64, right: f64) {
    assert!((found / right - 1.0).abs() < 1e-9, "{found}, not {right}");
}

#[test]
fn steady_growth_is_carried_on() {
    let forecast = Forecast::new(&levels(20, |depth| 3.0 * 1.5_f64.powf(depth)), 8).unwrap();
    let next = forecast.at(40).unwrap();
    close(next.value, 3.0 * 1.5_f64.powi(40));
    close(next.low, next.high);
    close(forecast.fit.ln_growth.exp(), 1.5);
    let total = forecast.total(40).unwrap();
    close(
        total.value,
        (10..=40).map(|depth| 3.0 * 1.5_f64.powi(depth)).sum(),
    );
}

#[test]
fn drifting_growth_is_carried_on_and_told_from_steady() {
    // The factor is 2 at first, and its logarithm falls by 0.01 per level.
    let value = |depth: f64| (depth * 2_f64.ln() - 0.005 * depth * depth).exp();
    let forecast = Forecast::new(&levels(24, value), 8).unwrap();
    assert_eq!(forecast.fit.model, Model::Drifting);
    close(forecast.at(50).unwrap().value, value(50.0));
    // A steady growth misses it: the spread shows it, on the upper side.
    let last = forecast.at(50).unwrap();
    assert!(last.high > 10.0 * last.value, "{last:?}");
    close(last.low, last.value);
}

#[test]
fn a_line_by_least_squares_as_worked_by_hand() {
    // Logarithms 0, 1, 1, 3 at -3, -2, -1, 0: slope (−1.5·−1.25 − 0.5·−0.25 + 0.5·−0.25 + 1.5·1.75)/5.
    let points: Vec<Point> = (0..4)
        .zip([0.0_f64, 1.0, 1.0, 3.0])
        .map(|(depth, ln)| Point {
            depth,
            value: ln.exp(),
        })
        .collect();
    close(Fit::new(&points, Model::Steady).ln_growth, 0.9);
    // Factors 1, 0, 2 at -2, -1, 0: slope 0.5, 1 in the middle, so 1.5 at the last.
    let drifting = Fit::new(&points, Model::Drifting);
    close(drifting.ln_drift, 0.5);
    close(drifting.ln_growth, 1.5);
    close(drifting.at(5), (3.0_f64 + 2.0 + 2.5).exp());
}

/// Every prediction of a known level lies within the range that would have been given.
#[test]
fn the_range_covers_levels_held_out() {
    // Growth that falls irregularly, which neither model describes.
    let wobble =
        |depth: f64| (1.3 * depth + 0.4 * (depth / 3.0).sin() - 0.01 * depth * depth).exp();
    let all = levels(30, wobble);
    let forecast = Forecast::new(&all[..24], 6).unwrap();
    for point in &all[24..] {
        let predicted = forecast.at(point.depth).unwrap();
        assert!(
            predicted.low <= point.value && point.value <= predicted.high,
            "{predicted:?} {point:?}"
        );
    }
}

#[test]
fn beyond_the_tests_the_error_grows_with_the_square() {
    let forecast =
        Forecast::new(&levels(20, |depth| (depth + 0.3 * depth.sin()).exp()), 8).unwrap();
    let far = forecast.last().depth + forecast.reach;
    let (near, double) = (
        forecast.at(far).unwrap(),
        forecast.at(far + forecast.reach).unwrap(),
    );
    assert!(near.tested && !double.tested);
    close(double.error_factor.ln(), 4.0 * near.error_factor.ln());
    assert_eq!(forecast.reach, 20 - 8 - 3 + 1);
    let at_reach = forecast
        .tests
        .iter()
        .filter(|t| t.distance() == forecast.reach);
    assert_eq!(at_reach.count(), TESTS_NEEDED);
}

#[test]
fn the_last_third_is_held_out() {
    let forecast = Forecast::new(&levels(21, |depth| depth.exp()), 6).unwrap();
    let held_out = forecast.held_out();
    assert_eq!(held_out.len(), 7);
    assert!(held_out.iter().all(|test| test.origin == 10 + 13));
    assert_eq!(held_out[6].depth, 30);
}

#[test]
fn what_cannot_be_used_is_left_out_or_refused() {
    let mut points = levels(20, |depth| 2_f64.powf(depth));
    points[6].value = 0.0;
    assert_eq!(Forecast::new(&points, 4).unwrap().points.len(), 13);
    points.remove(9);
    assert_eq!(Forecast::new(&points, 4).unwrap().points.len(), 10);
    points[18].value = f64::NAN;
    let error = Forecast::new(&points, 4).unwrap_err();
    assert!(error.starts_with("0 levels in a row"));
    let forecast = Forecast::new(&levels(9, f64::exp), 100).unwrap();
    assert_eq!((forecast.window, forecast.reach), (6, 1));
    assert_eq!(forecast.at(18), None);
    assert_eq!(forecast.at(3), None);
}

#[test]
fn growth_is_given_between_neighbours_only() {
    let point = |(depth, value)| Point { depth, value };
    let points = [(0, 1.0), (1, 3.0), (3, 6.0), (4, 0.0), (5, 2.0)].map(point);
    let expected = vec![(1, Some(3.0)), (3, None), (4, None), (5, None)];
    assert_eq!(growth(&points), expected);
}

proptest! {
    #[test]
    fn a_forecast_contains_its_figure(
        start in 0.1..1e6_f64,
        factors in prop::collection::vec(0.3..4.0_f64, 7..40),
        window in 0..50_usize,
        far in 1..200_u32,
    ) {
        let mut value = start;
        let points: Vec<Point> = (0..).zip(&factors).map(|(depth, factor)| {
            value *= factor;
            Point { depth, value }
        }).collect();
        let forecast = Forecast::new(&points, window).unwrap();
        let at = forecast.at(forecast.last().depth + far).unwrap();
        prop_assert!(at.low <= at.value && at.value <= at.high, "{:?}", at);
        prop_assert!(at.error_factor >= 1.0 && forecast.reach >= 1);
        let nearer = forecast.at(forecast.last().depth + 1).unwrap();
        prop_assert!(nearer.error_factor <= at.error_factor);
    }
}
