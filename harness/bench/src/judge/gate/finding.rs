//! What the gate's checks have to say.

/// The checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// Answers.
    Answers,
    /// Counters.
    Counters,
    /// Times.
    Time,
    /// Whether there was something to check.
    Reached,
}

impl Check {
    /// All, in the order in which they are told.
    pub const ALL: [Self; 4] = [Self::Answers, Self::Counters, Self::Time, Self::Reached];

    /// Name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Counters => "counters",
            Self::Time => "time",
            Self::Reached => "reached",
        }
    }
}

/// Something that a check has to say of a row.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The check.
    pub check: Check,
    /// The row.
    pub row: String,
    /// Whether the gate shuts for it; else it is for the reader.
    pub fails: bool,
    /// What.
    pub text: String,
}

pub(super) fn finding(check: Check, row: &str, fails: bool, text: String) -> Finding {
    Finding {
        check,
        row: row.to_owned(),
        fails,
        text,
    }
}
