//! What reports record of every run, and a library's description of itself.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use antipode_graph::{Library, Opened};
use antipode_reports::model::{self, Legend, LegendEntry, Net, Run, Shape};
use cpu_time::ProcessTime;

use crate::machine;
use crate::outcome::Spent;

/// A clock for a run.
#[derive(Debug)]
pub struct Clock {
    started: SystemTime,
    wall: Instant,
    cpu: ProcessTime,
}

impl Clock {
    /// Starts it.
    pub fn start() -> Self {
        Self {
            started: SystemTime::now(),
            wall: Instant::now(),
            cpu: ProcessTime::now(),
        }
    }

    /// Time since then.
    pub fn wall(&self) -> Duration {
        self.wall.elapsed()
    }

    /// The record of a run that ends now, apart from what it searched and how it ended.
    pub fn record(&self, opened: &Opened, spent: &Spent) -> Run {
        let cpu_s = self.cpu.elapsed().as_secs_f64();
        Run {
            schema: model::SCHEMA,
            tool_version: env!("CARGO_PKG_VERSION").into(),
            puzzle: opened.library.name.clone(),
            instance: opened.instance.clone(),
            settings: opened.settings.clone(),
            unit: opened.unit().into(),
            variant: opened.variant.clone(),
            plugin: plugin_of(&opened.library),
            started_unix_s: model::unix_seconds(self.started),
            wall_s: self.wall().as_secs_f64(),
            cpu_s,
            peak_memory_bytes: machine::peak_memory_bytes(),
            states_per_core_second: if cpu_s > 0.0 {
                (spent.expanded - spent.earlier) as f64 / cpu_s
            } else {
                0.0
            },
            host: machine::host(),
            inputs: machine::inputs(),
            ..Run::default()
        }
    }
}

/// The plugin's record for reports.
pub fn plugin_of(library: &Library) -> model::Plugin {
    let named = library.source.named();
    let (file, blake3) = named.map(|(file, hash)| (file, hash.to_owned())).unzip();
    model::Plugin {
        name: library.name.clone(),
        version: library.version.clone(),
        file,
        blake3,
        abi: puzzle_api::abi::ANTIPODE_ABI_VERSION,
    }
}

/// Legends by `PUZZLE`, and by `PUZZLE/INSTANCE` for instances with a net.
pub fn legends<'a>(libraries: impl Iterator<Item = &'a Library>) -> BTreeMap<String, Legend> {
    let mut all = BTreeMap::new();
    for library in libraries {
        all.insert(library.name.clone(), legend(&library.legend));
        for info in &library.instances {
            let own = legend_of(&library.legend, &info.name);
            if own.net.is_some() {
                all.insert(format!("{}/{}", library.name, info.name), own);
            }
        }
    }
    all
}

/// The legend for an instance, with its line `net INSTANCE`, which [`Net::read`] reads.
pub fn legend_of(text: &str, instance: &str) -> Legend {
    let net = |line: &str| {
        let mut words = line.split_whitespace();
        let own = words.next() == Some("net") && words.next() == Some(instance);
        own.then(|| Net::read(words)).flatten()
    };
    Legend {
        net: text.lines().find_map(net),
        ..legend(text)
    }
}

/// Reads a legend's lines, `SYMBOL SHAPE COLOUR NAME`; invalid lines are skipped.
pub fn legend(text: &str) -> Legend {
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let symbol = words.next()?.chars().next()?;
        let shape = match words.next()? {
            "empty" => Shape::Empty,
            "wall" => Shape::Wall,
            "hole" => Shape::Hole,
            "block" => Shape::Block,
            "disc" => Shape::Disc,
            "outside" => Shape::Outside,
            "merge" => Shape::Merge,
            "exit" => Shape::Exit,
            "stack" => Shape::Stack,
            "triangle" => Shape::Triangle,
            _ => return None,
        };
        Some(LegendEntry {
            symbol,
            shape,
            colour: words.next()?.to_owned(),
            name: words.collect::<Vec<_>>().join(" "),
        })
    };
    Legend {
        entries: text.lines().filter_map(entry).collect(),
        net: None,
    }
}
