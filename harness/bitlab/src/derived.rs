//! The result of a claim's derivation.

/// What a derivation found. Its figure `value` is compared with the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Names and values.
    pub figures: Vec<(String, String)>,
    /// How it was found, and the right value if the source is wrong.
    pub explanation: String,
}

/// A derivation: the name that claims use, the type of its value (as a puzzle declares it for its
/// derivations: `=number`, `=holds` or `=text`), and the function.
pub type Derivation = (&'static str, &'static str, fn() -> Derived);

impl Derived {
    pub(crate) fn new(figures: &[(&str, &dyn ToString)], explanation: impl Into<String>) -> Self {
        let named = figures.iter().map(|(n, v)| (n.to_string(), v.to_string()));
        Self {
            figures: named.collect(),
            explanation: explanation.into(),
        }
    }

    /// A finding of yes or no: `holds` or `fails`.
    pub(crate) fn holds(holds: bool, explanation: impl Into<String>) -> Self {
        Self::new(&[], explanation).with("value", if holds { "holds" } else { "fails" })
    }

    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.figures.push((name.to_owned(), value.to_string()));
        self
    }

    /// Says that the finding rests on this many cases, `drawn` at random or `tried` otherwise, and
    /// which ones. They are not all cases that the claim is about.
    pub(crate) fn on(self, how: &str, cases: u64, which: &str) -> Self {
        let wrong = self.figure("value") != Some("holds");
        self.with(how, cases)
            .with("wrong", u64::from(wrong))
            .with("drawn", which)
    }

    /// Returns the figure of that name.
    pub fn figure(&self, name: &str) -> Option<&str> {
        let named = self.figures.iter().find(|(n, _)| n == name);
        named.map(|(_, value)| value.as_str())
    }
}
