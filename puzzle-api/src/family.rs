//! Common data of all variants of a puzzle: its name, its instances, its claims.

use std::collections::BTreeMap;

/// Input that a puzzle refuses: one line that names the place and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);

impl BadInput {
    /// Wraps a line of text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Settings of an instance, as given by `--set KEY=VALUE`.
pub type Settings = BTreeMap<String, String>;

/// Settings from keys with their values.
#[must_use]
pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    let pairs = pairs.iter();
    let owned = pairs.map(|&(key, value)| (key.to_owned(), value.to_owned()));
    owned.collect()
}

/// The instance to open, and its settings.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// let request = Request { instance: "plain", settings: &Settings::new() };
/// assert_eq!(Jugs::open(&request).unwrap().draw(&[5, 3]), "5/3");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Name of the instance, without the puzzle's name (`box`, `card-7`).
    pub instance: &'a str,
    /// Settings; an unknown one must be refused.
    pub settings: &'a Settings,
}

impl<'a> Request<'a> {
    /// The same settings for another instance.
    #[must_use]
    pub fn on(&self, instance: &'a str) -> Self {
        Self { instance, ..*self }
    }
}

/// A board in a form of other programs, as an instance with its settings. Only puzzles that ship
/// with Antipode read such forms (`harness/graph/src/builtin.rs` lists them).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placed {
    /// Name of the instance that the board belongs to.
    pub instance: String,
    /// Settings of that instance.
    pub settings: Settings,
    /// The board as a state; `None` if it is the start of the instance.
    pub from: Option<String>,
    /// Length of a shortest solution, if the text gives one with the board.
    pub length: Option<u64>,
}

impl Placed {
    /// A state of an instance with the given settings.
    #[must_use]
    pub fn state(request: &Request<'_>, instance: String, from: String) -> Self {
        Self {
            instance,
            settings: request.settings.clone(),
            from: Some(from),
            length: None,
        }
    }

    /// The start of instance `custom`, whose setting `board` has the board. Of the other settings,
    /// those whose keys are `kept` stay.
    #[must_use]
    pub fn custom(
        settings: &Settings,
        kept: fn(&str) -> bool,
        board: String,
        length: Option<u64>,
    ) -> Self {
        let mut settings = settings.clone();
        settings.retain(|key, _| kept(key));
        settings.insert("board".to_owned(), board);
        Self {
            instance: "custom".to_owned(),
            settings,
            from: None,
            length,
        }
    }
}

/// One concrete state graph that a puzzle offers by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceInfo {
    /// Name, unique within the puzzle.
    pub name: String,
    /// One line for `antipode list`.
    pub summary: String,
}

impl InstanceInfo {
    /// An instance with its line.
    pub fn new(name: impl Into<String>, summary: impl Into<String>) -> Self {
        let (name, summary) = (name.into(), summary.into());
        Self { name, summary }
    }
}

/// A setting that instances of a puzzle take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingInfo {
    /// Name of the key in `--set KEY=VALUE`.
    pub key: String,
    /// Its value if none is given; `None` if only the summary says it.
    pub default: Option<String>,
    /// One line: form of the value, its range and its default.
    pub summary: String,
}

impl SettingInfo {
    /// A setting, as `KEY` or `KEY=DEFAULT`, with its line.
    pub fn new(key: &str, summary: &str) -> Self {
        let (key, default) = match key.split_once('=') {
            Some((key, default)) => (key, Some(default.to_owned())),
            None => (key, None),
        };
        Self {
            key: key.to_owned(),
            default,
            summary: summary.to_owned(),
        }
    }
}

/// A puzzle's description of itself before anything is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Name, as in `NAME/INSTANCE`: lower case, digits and hyphens.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// One line for `antipode list`.
    pub summary: String,
    /// Instances by name.
    pub instances: Vec<InstanceInfo>,
    /// Settings that instances take.
    pub settings: Vec<SettingInfo>,
    /// How to draw a board as a picture: one line per symbol, `SYMBOL SHAPE COLOUR NAME`
    /// (`# block #6b6f76 grey block`). Empty: pictures fall back to text.
    pub legend: String,
    /// Published claims about the puzzle, as TOML. Empty: nothing to certify.
    pub claims: String,
}

/// The effort of a derivation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Seconds.
    Quick,
    /// As long as the exact answer takes.
    Full,
}

impl Effort {
    /// `quick` or `full`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// A named result of [`Family::derive`]. The figure named `value` is the one with which a claim is
/// compared; the others are printed with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Name of the figure.
    pub name: String,
    /// Value as text; numbers in plain decimal.
    pub value: String,
}

impl Figure {
    /// A figure from anything that prints.
    pub fn new(name: impl Into<String>, value: impl ToString) -> Self {
        Self {
            name: name.into(),
            value: value.to_string(),
        }
    }

    /// A figure that may have a fraction, by [`decimal`].
    pub fn number(name: impl Into<String>, value: f64) -> Self {
        Self::new(name, decimal(value))
    }
}

/// Significant digits of fractional figures: fewer than a float holds, so that two ways to compute
/// one agree.
pub const FIGURE_DIGITS: usize = 12;

/// Writes a number in plain decimal, to [`FIGURE_DIGITS`] significant digits, without zeros at
/// the end of a fraction: `1.5`, `0.333333333333`.
#[must_use]
pub fn decimal(value: f64) -> String {
    let rounded = format!("{value:.*e}", FIGURE_DIGITS - 1).parse::<f64>();
    rounded.unwrap_or(value).to_string()
}

/// A puzzle, whatever implements its rules: its name, its instances and settings, the claims about
/// it, and its own derivations. Its variants implement [`crate::Puzzle`], and
/// [`crate::export_puzzle!`] brings the two together.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// struct Pouring;
///
/// impl Family for Pouring {
///     fn about() -> About {
///         let instance = InstanceInfo::new("plain", "four litres");
///         About { name: "jugs".into(), instances: vec![instance], ..About::default() }
///     }
/// }
///
/// // As `export_puzzle!(Pouring: Jugs)` does in a library.
/// let table = puzzle_table!(Pouring: Jugs);
/// assert_eq!(table.variant_count, 1);
/// ```
pub trait Family: 'static {
    /// Name, instances, settings, legend and claims.
    fn about() -> About;

    /// Names that [`derive`](Self::derive) knows, each with its parameters and the types of these
    /// and of the value, in the form of [`Parameters`](crate::Parameters). A claim that names
    /// another one is refused before any search.
    #[must_use]
    fn derivations() -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// A derivation of the puzzle's own that a claim of kind `derived` refers to:
    /// counts, printed constants, anything that is not a search. One figure is named
    /// `value`; a figure named `explanation` is printed as prose. Without it, such claims
    /// are refused.
    ///
    /// A figure named `instances` lists the instances of the figures, separated by spaces; a claim
    /// that names another one is refused. If a value was compared with some cases only, `sampled`
    /// counts those drawn at random, or `tried` those chosen otherwise. `wrong` counts those that
    /// contradict it, and `drawn` says what they are ("Boards drawn uniformly"). Such a claim is
    /// confirmed on a sample.
    ///
    /// # Errors
    /// An unknown name, or parameters that do not fit.
    fn derive(
        _what: &str,
        _parameters: &Settings,
        _effort: Effort,
    ) -> Result<Vec<Figure>, BadInput> {
        Err(BadInput::new("this puzzle derives nothing of its own"))
    }
}
