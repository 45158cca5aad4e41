//! A sample as it is booked: what is known of a row before it runs, and what came of it.

use antipode_reports::bench::{SCHEMA, Sample, Status};

use super::folder::now;
use super::sample::Measured;
use super::session::{Session, Side, Slot};
use super::surroundings;

impl Session<'_> {
    /// What came of a sample, held against what it should answer.
    pub(super) fn filled(
        &self,
        at: usize,
        (number, place): (u32, u32),
        measured: &Measured,
    ) -> Sample {
        let mut sample = self.blank(at, number, place);
        sample.status = measured.status;
        sample.detail.clone_from(&measured.detail);
        sample.wall_s = Some(measured.wall_s);
        sample.cpu_s = Some(measured.cpu_s);
        sample.peak_bytes = measured.peak_bytes;
        sample.states = measured.states;
        sample.generated = measured.generated;
        sample.read_bytes = measured.read_bytes;
        sample.written_bytes = measured.written_bytes;
        sample.answer = measured.answer.clone().unwrap_or_default();
        if let (Some(before), Some(now)) = (sample.throttled, surroundings::throttled()) {
            sample.throttled = Some(now.saturating_sub(before));
        }
        match &self.expected[at] {
            Ok(expected) => {
                sample.expected.clone_from(expected);
                if sample.status == Status::Ok && sample.answer != *expected {
                    sample.status = Status::Wrong;
                    sample.detail = format!("answered {}, expected {expected}", sample.answer);
                }
            }
            Err(why) if sample.status == Status::Ok => {
                sample.status = Status::Wrong;
                sample.detail.clone_from(why);
            }
            Err(_) => {}
        }
        sample
    }

    /// A sample with everything that is known before it runs.
    pub(super) fn blank(&self, at: usize, number: u32, place: u32) -> Sample {
        let Slot { row, side, label } = &self.slots[at];
        let executable = match (&self.run.against, side) {
            (Some(against), Side::Against) => against,
            _ => &self.run.executable,
        };
        let direction = row.direction.map(antipode_graph::direction_name);
        Sample {
            schema: SCHEMA,
            suite: self.suite.name.clone(),
            row: label.clone(),
            group: row.group.clone(),
            puzzle: row.puzzle.clone(),
            instance: row.instance.clone(),
            settings: row.settings_text(),
            variant: row.variant.clone(),
            engine: row.engine_name().to_owned(),
            direction: direction.unwrap_or_default().to_owned(),
            threads: row.threads.into(),
            sample: number,
            position: place,
            seed: self.options.seed,
            status: Status::Failed,
            detail: String::new(),
            answer: String::new(),
            expected: String::new(),
            wall_s: None,
            cpu_s: None,
            peak_bytes: None,
            states: None,
            generated: None,
            read_bytes: None,
            written_bytes: None,
            version: format!(
                "{} ({} {})",
                executable.version, row.puzzle, row.plugin.version
            ),
            build: executable.blake3.clone(),
            plugin_file: row.plugin.file.clone().unwrap_or_default(),
            plugin_digest: row.plugin.blake3.clone().unwrap_or_default(),
            processor: self.processor.clone(),
            load1: surroundings::load(),
            throttled: surroundings::throttled(),
            started: now(),
            metric: String::new(),
            value: None,
            unit: String::new(),
        }
    }
}
