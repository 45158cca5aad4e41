//! The result of checking a certificate, and why it is not accepted.

use serde_json::Value;

use crate::schema::is_empty;

/// Why a reading, a certificate or a file is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It does not prove its statement.
    Wrong(String),
    /// Its deciding evidence cannot be recomputed here.
    Unknown(String),
    /// It belongs to a run that was stopped before it was finished, and claims nothing.
    Unfinished,
}

/// The trusted parts of what is accepted; empty if all of it was recomputed.
pub type Shown = Result<Vec<String>, Stop>;

/// Whether something false is said, or something unreadable.
pub const fn is_wrong(shown: &Shown) -> bool {
    matches!(shown, Err(Stop::Wrong(_)))
}

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Wrong(why)
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Self {
        Self::Wrong(why.into())
    }
}

/// A condition that has to hold.
pub trait OrWrong {
    /// Fails with a reason unless it does.
    fn or_wrong(self, why: impl Into<String>) -> Result<(), Stop>;
    /// The same if it only cannot be checked here.
    fn or_unknown(self, why: &str) -> Result<(), Stop>;
}

impl OrWrong for bool {
    fn or_wrong(self, why: impl Into<String>) -> Result<(), Stop> {
        self.then_some(()).ok_or_else(|| Stop::Wrong(why.into()))
    }
    fn or_unknown(self, why: &str) -> Result<(), Stop> {
        self.then_some(()).ok_or_else(|| Stop::Unknown(why.into()))
    }
}

/// The result of a derivation here.
#[derive(Debug, Clone, Default)]
pub struct Derived {
    pub value: String,
    /// Which side of the right figure the value is on, if it is only a bound: `above` or `below`.
    pub bound: Option<&'static str>,
    /// From where to where the figure of all lies, if the value is the mean of a sample.
    pub interval: Option<[String; 2]>,
    pub trusted: Vec<String>,
    /// A statement about all cases, of which only some were tried: a sample confirms it.
    pub on_some: bool,
    /// The boards of a game that was played.
    pub game: Vec<String>,
}

/// A member that is a text; empty if it is not.
pub fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// The number of a member that is a text; 0 if it is not.
pub fn number(value: &Value, member: &str) -> u128 {
    text(value, member).parse().unwrap_or(0)
}

/// A value as a message says it.
pub fn or_none(value: Option<impl ToString>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}

/// The items of a list; empty if it is not a list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Whether members of a value are as they have to be; an empty one may be missing.
pub fn agrees(value: &Value, right: &Value, whose: &str) -> Result<(), Stop> {
    for (member, right) in right.as_object().into_iter().flatten() {
        let lacks = value.get(member).is_none() && is_empty(right);
        let same = lacks || value[member] == *right;
        same.or_wrong(format!("{whose}: {member} is not {right}"))?;
    }
    Ok(())
}

/// Upper end of the 95 % confidence interval of the share of wrong ones in a population, if n were
/// drawn from it and none was wrong.
pub fn bound_of(sampled: f64) -> f64 {
    -f64::exp_m1(0.05_f64.ln() / sampled)
}
