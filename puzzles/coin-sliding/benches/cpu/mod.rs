//! Criterion measures the processor time of the thread instead of the wall clock. So a machine that
//! others keep busy gives the same figures, except for cache effects.

use std::time::Duration;

use cpu_time::ThreadTime;

use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// Processor time of the benchmark's thread.
pub struct CpuTime;

static WALL: WallTime = WallTime;

impl Measurement for CpuTime {
    type Intermediate = ThreadTime;
    type Value = Duration;

    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }

    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WALL.formatter()
    }
}
