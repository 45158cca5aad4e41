//! The resources of a run, known before anything is allocated.

use indicatif::HumanCount;
use puzzle_api::Key;
use serde_json::{Value, json};

use crate::engine::Load;
use crate::engines::neighbours;
use crate::error::{EngineError, Result};
use crate::memory;
use crate::options::{EngineOptions, FrontierForm, Representation};
use crate::search::Search;

impl Representation {
    /// Bytes of the table for `ranks` ranks.
    pub const fn table_bytes(self, ranks: u64) -> u64 {
        let block = match self {
            Self::Byte => 64,
            Self::TwoBits => 16,
            Self::Bit => 8,
        };
        ranks.div_ceil(64).saturating_mul(block)
    }

    /// Longest frontier that is kept as a list of ranks even if it could be found by scan.
    ///
    /// Measured on the 14,307,150 ranks of coin sliding on 5x6 with 9 coins, one thread of a busy
    /// machine. Of 400 ns in all, a state found from a list costs about 30 ns more than one found
    /// by scan; the scan of a byte table costs 0.17 ns per rank. Tables of bits have a quarter of
    /// the words or less. So either form would do between one rank in 200 and one in 2,000. At the
    /// limits, lists take at most a tenth of the table's memory.
    const fn longest_list(self, ranks: u64) -> u64 {
        match self {
            Self::Byte => ranks / 512,
            Self::TwoBits | Self::Bit => ranks / 2048,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Byte => "1 byte each",
            Self::TwoBits => "2 bits each",
            Self::Bit => "1 bit each",
        }
    }
}

/// The demands of a run, fixed before anything is allocated, and not exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DenseBudget {
    /// Representation.
    pub representation: Representation,
    /// Whether the user asked for it.
    pub(super) asked: bool,
    /// Ranks of the largest part.
    pub ranks: u64,
    /// Parts walked at the same time.
    pub at_once: u64,
    /// Bytes of the tables.
    pub table: u64,
    /// Most bytes of frontiers: lists of ranks, and sets of bits.
    pub frontier: u64,
    /// Most bytes of batches, neighbours and counts, over all threads.
    pub scratch: u64,
    /// Estimated bytes of stored forward graphs, for puzzles without predecessors.
    pub stored: u64,
    /// Bytes that the run may take.
    pub budget: Option<u64>,
    /// Longest list of ranks.
    pub(super) longest_list: u64,
    /// Form of the frontier.
    pub(super) form: FrontierForm,
    /// Whether the plan includes a full frontier.
    pub(super) full: bool,
}

/// Most bytes that a thread takes for batches of states, their neighbours and ranks, and for
/// observers. Most of it is antipodes, of which a thread keeps up to 200,000.
const SCRATCH: u64 = 16 << 20;

/// Why a search is refused whose states are not numbered.
pub(super) const UNNUMBERED: &str = "no numbering, so no dense table; use --engine hash";

/// Shortest list that is worth switching away from.
const SHORT_LIST: u64 = 4096;

/// Bytes per rank of the longest list: the level being expanded, the next one in vectors that grow
/// twofold, and these joined into one.
const LIST_BYTES: u64 = 24;

impl DenseBudget {
    /// Plans a run over parts.
    ///
    /// # Errors
    /// [`EngineError::Memory`] if no representation fits, or not the requested one. Its line states
    /// what is needed, what is available, and what would fit. [`EngineError::CannotHold`] without a
    /// numbering.
    pub fn make<K: Key>(
        search: &Search<K>,
        parts: &[u64],
        options: &EngineOptions,
        threads: usize,
    ) -> Result<Self> {
        let name = search.graph.opened.full_name();
        let mut ranks = 0;
        let mut largest = 0;
        for &part in parts {
            let size = search
                .graph
                .space(part)?
                .ok_or_else(|| EngineError::refused(&search.graph.opened, UNNUMBERED))?;
            if size > ranks {
                (ranks, largest) = (size, part);
            }
        }
        let load = Load {
            ranks,
            parts: parts.len() as u64,
            threads: threads as u64,
            stored: neighbours::stored_bytes(&search.graph, search.direction, (largest, ranks))?,
            ..Load::default()
        };
        let base = Self {
            budget: options.memory.or_else(spare),
            form: options.frontier.unwrap_or_default(),
            asked: options.table.is_some(),
            ..Self::of(&load, Representation::Byte)
        };
        let plans = Representation::ALL.map(|representation| base.with(representation));
        choose(&plans, options).ok_or_else(|| EngineError::Memory(refusal(&name, &plans, options)))
    }

    /// The demands of a search with a representation.
    pub(super) fn of(load: &Load, representation: Representation) -> Self {
        let demands = Self {
            representation,
            asked: false,
            ranks: load.ranks,
            at_once: load.at_once(),
            table: 0,
            frontier: 0,
            scratch: load.scratch(SCRATCH, load.ranks),
            stored: load.at_once().saturating_mul(load.stored),
            budget: None,
            longest_list: 0,
            form: FrontierForm::default(),
            full: true,
        };
        demands.with(representation)
    }

    /// The plan with a representation, including a full frontier.
    pub(super) fn with(mut self, representation: Representation) -> Self {
        self.representation = representation;
        self.table = self
            .at_once
            .saturating_mul(representation.table_bytes(self.ranks));
        self.full = self.form != FrontierForm::List;
        self.longest_list = match self.form {
            FrontierForm::Auto => {
                let longest = representation.longest_list(self.ranks);
                longest.max(SHORT_LIST).min(self.ranks)
            }
            FrontierForm::List => self.ranks,
            FrontierForm::Scan => 0,
        };
        let second = match representation {
            Representation::Byte => 0,
            _ if !self.full => 0,
            _ => Representation::Bit.table_bytes(self.ranks),
        };
        let lists = self.longest_list.saturating_mul(LIST_BYTES);
        self.frontier = self.at_once.saturating_mul(lists.saturating_add(second));
        self
    }

    /// The plan without a full frontier, and with lists as long as memory allows. `None` if that is
    /// less than the initial lists of [`Plan::with`].
    fn lists_only(mut self) -> Option<Self> {
        let budget = self.budget?;
        if self.form != FrontierForm::Auto || self.representation == Representation::Byte {
            return None;
        }
        self.full = false;
        self.frontier = 0;
        let left = budget.checked_sub(self.bytes())? / self.at_once / LIST_BYTES;
        self.frontier = self.at_once * left * LIST_BYTES;
        let shorter = left < self.longest_list;
        self.longest_list = left;
        (!shorter).then_some(self)
    }

    /// All that the run takes, in bytes.
    pub const fn bytes(&self) -> u64 {
        self.table
            .saturating_add(self.frontier)
            .saturating_add(self.scratch)
            .saturating_add(self.stored)
    }

    fn fits(&self) -> bool {
        self.budget.is_none_or(|budget| self.bytes() <= budget)
    }

    /// The plan as one line.
    pub fn line(&self) -> String {
        let parts = match self.at_once {
            1 => String::new(),
            parts => format!(" in each of {parts} parts at a time"),
        };
        let stored = match self.stored {
            0 => String::new(),
            bytes => format!(", stored moves about {}", memory::human(bytes)),
        };
        let short = match self.full || self.form == FrontierForm::List {
            true => "",
            false => " (it stops where a level needs more)",
        };
        format!(
            "dense: {} ranks{parts}, {}: {}, frontier up to {}{short}, scratch up to {}{stored}; {} in all",
            HumanCount(self.ranks),
            self.representation.text(),
            memory::human(self.table),
            memory::human(self.frontier),
            memory::human(self.scratch),
            memory::human(self.bytes()),
        )
    }

    /// The plan for the record of a run.
    pub fn record(&self) -> Value {
        json!({
            "table": self.representation.name(),
            "ranks": self.ranks,
            "parts_at_once": self.at_once,
            "table_bytes": self.table,
            "frontier_bytes": self.frontier,
            "scratch_bytes": self.scratch,
            "stored_graph_bytes": self.stored,
            "bytes": self.bytes(),
            "memory_allowed": self.budget,
        })
    }
}

/// Memory that the machine can give, less a sixteenth for other processes.
fn spare() -> Option<u64> {
    memory::available().map(|bytes| bytes - bytes / 16)
}

fn choose(plans: &[DenseBudget; 3], options: &EngineOptions) -> Option<DenseBudget> {
    let mut wanted = plans.iter().filter(|plan| {
        options
            .table
            .is_none_or(|table| plan.representation == table)
    });
    let fitting = wanted.clone().find(|plan| plan.fits()).copied();
    // Without a full frontier, the narrowest representation leaves most memory for lists.
    fitting.or_else(|| wanted.next_back()?.lists_only())
}

fn refusal(name: &str, plans: &[DenseBudget; 3], options: &EngineOptions) -> String {
    let wanted = match options.table {
        Some(table) => plans.iter().find(|plan| plan.representation == table),
        None => plans.last(),
    };
    let needs = |plan: &DenseBudget| {
        format!(
            "--table {} needs {}",
            plan.representation,
            memory::human(plan.bytes())
        )
    };
    let have = plans[0].budget.map_or_else(String::new, memory::human);
    let there_is = match options.memory {
        Some(_) => format!("--memory allows {have}"),
        None => format!("the machine can give {have}"),
    };
    let remedy = match plans.iter().find(|plan| plan.fits()) {
        Some(plan) => format!("{} and would fit", needs(plan)),
        None if options.memory.is_some() => "no other would fit; allow more by --memory".into(),
        None => "no other would fit; use --engine hash".into(),
    };
    format!(
        "{name}: {} for {} ranks, and {there_is}; {remedy}",
        wanted.map_or_else(String::new, needs),
        HumanCount(plans[0].ranks)
    )
}
