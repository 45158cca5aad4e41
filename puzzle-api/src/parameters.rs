//! Parameters of derived figures, read with errors of one line.

use std::ops::RangeInclusive;

use crate::{BadInput, Settings};

/// The request of a claim of kind `derived`: a name that [`Family::derive`](crate::Family::derive)
/// knows, with its parameters.
///
/// A parameter is declared by its key and, after `=`, its possible values, so that a claim with
/// another one is refused before anything is derived. Values are words separated by `|`, the first
/// of which is the default (`board=5x7|5x9`), or a whole number within bounds (`bits=0..63`,
/// `seed=0..`). They may also be a list of at most n of these, separated by commas
/// (`lengths=0..,64`), or the name of an instance (`board=<instance>`). A key alone takes any text.
/// After bounds and `<instance>` come a colon and the default (`bits=0..63:20`,
/// `board=<instance>:5x7`); bounds without it default to the least. It contains no blanks.
///
/// Next to the parameters, `=number`, `=holds` or `=text` is the type of the derived `value`: a
/// number, `true` or `false`, or any other text. Several with `|` between them if it depends on the
/// parameters. A claim that cannot be compared with such a value is then refused at once, too. The
/// unit of a number follows a colon, with `_` for a blank (`=number:moves_a_state`). Or, in braces,
/// the parameter that names it (`=number:{unit}`), with a unit for each of its words if these are
/// no units (`=number:{what=hours|hours|machines}`). A claim in another unit is refused.
///
/// ```
/// use puzzle_api::{Parameters, Settings};
///
/// const NAMES: [(&str, &[&str]); 2] =
///     [("coins", &["=number", "board=5x9|5x7", "most=1..9:4"]), ("rows", &["=holds"])];
/// let given = Settings::from([("board".to_owned(), "5x7".to_owned())]);
/// let asked = Parameters::of("my-puzzle", &NAMES, "coins", &given).unwrap();
/// assert_eq!(asked.one_of("board"), Ok("5x7"));
/// assert_eq!(asked.number("most"), Ok(4));
/// let error = Parameters::of("my-puzzle", &NAMES, "rows", &given).unwrap_err();
/// assert_eq!(error.0, "rows takes no parameters, but 'board' was given");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Parameters<'a> {
    what: &'a str,
    declared: &'a [&'a str],
    values: &'a Settings,
}

impl<'a> Parameters<'a> {
    /// Looks up a name among those that a puzzle knows, each with its parameters.
    ///
    /// # Errors
    /// An unknown name, a parameter that it does not take, or a value that the parameter cannot
    /// have. Names of instances are not looked up here.
    pub fn of(
        puzzle: &str,
        names: &'a [(&'a str, &'a [&'a str])],
        what: &'a str,
        values: &'a Settings,
    ) -> Result<Self, BadInput> {
        let Some((_, declared)) = names.iter().find(|(name, _)| *name == what) else {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            return Err(BadInput::new(format!(
                "{puzzle} derives no '{what}': use one of {}",
                names.join(", ")
            )));
        };
        let asked = Self {
            what,
            declared,
            values,
        };
        for (key, value) in values {
            let Some(values) = asked.values_of(key) else {
                return Err(asked.takes_no(key));
            };
            if !values.hold(value) {
                let value = value.escape_default();
                let line = format!("{what}: {key}={value} is {}", values.remedy());
                return Err(BadInput::new(line));
            }
        }
        Ok(asked)
    }

    fn takes_no(&self, key: &str) -> BadInput {
        let what = self.what;
        let keys: Vec<&str> = self.parameters().map(|(key, _)| key).collect();
        if keys.is_empty() {
            return BadInput::new(format!("{what} takes no parameters, but '{key}' was given"));
        }
        BadInput::new(format!(
            "{what} takes no parameter '{key}': use {}",
            keys.join(", ")
        ))
    }

    /// Keys with their types, as declared.
    fn parameters(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let declared = self.declared.iter().filter(|text| !Self::is_value(text));
        declared.map(|text| split(text))
    }

    /// Whether an entry of a declaration is the type of the value, and not a parameter.
    #[must_use]
    pub fn is_value(declared: &str) -> bool {
        declared.starts_with('=')
    }

    /// A derivation's declared type of value, after the `=` of the entry without a key; `None` if
    /// it is not declared.
    #[must_use]
    pub fn value_in<'b>(declared: &[&'b str]) -> Option<&'b str> {
        let value = declared.iter().find(|text| Self::is_value(text))?;
        value[1..].split(':').next()
    }

    /// The unit of the value with these parameters; empty if none is declared.
    #[must_use]
    pub fn unit(&self) -> String {
        let value = self.declared.iter().find(|text| Self::is_value(text));
        let unit = value.and_then(|value| value.split_once(':'));
        let unit = unit.map_or("", |(_, unit)| unit);
        let named = unit
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let unit = match named.map(split) {
            None => unit,
            Some((key, "")) => self.one_of(key).unwrap_or_default(),
            Some((key, units)) => {
                let Some(Values::Words(words)) = self.values_of(key) else {
                    return String::new();
                };
                let word = self.one_of(key).unwrap_or_default();
                let mut pairs = words.split(WORDS).zip(units.split(WORDS));
                pairs
                    .find(|(one, _)| *one == word)
                    .map_or("", |(_, unit)| unit)
            }
        };
        unit.replace('_', " ")
    }

    /// The type of a parameter; `None` if the key is unknown.
    fn values_of(&self, key: &str) -> Option<Values<'a>> {
        let (_, values) = self.parameters().find(|(name, _)| *name == key)?;
        Some(Values::read(values).0)
    }

    /// The declared default of a parameter.
    fn default_of(&self, key: &str) -> Option<&'a str> {
        let (_, values) = self.parameters().find(|(name, _)| *name == key)?;
        Values::read(values).1
    }

    /// The name.
    #[must_use]
    pub fn what(&self) -> &'a str {
        self.what
    }

    /// A parameter as given.
    #[must_use]
    pub fn given(&self, key: &str) -> Option<&'a str> {
        self.values.get(key).map(String::as_str)
    }

    /// Keys with their values: as given, or the declared defaults.
    pub fn settled(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let asked = *self;
        let keys = self.parameters().map(|(key, _)| key);
        keys.filter_map(move |key| Some((key, asked.given(key).or(asked.default_of(key))?)))
    }

    /// A parameter, or `default` if it was not given.
    #[must_use]
    pub fn text(&self, key: &str, default: &'a str) -> &'a str {
        self.given(key).unwrap_or(default)
    }

    /// Names of given instances, each with its key.
    pub fn instances(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let keys = self.parameters();
        let keys = keys.filter(|(_, values)| Values::read(values).0 == Values::Instance);
        let asked = *self;
        keys.filter_map(move |(key, _)| Some((key, asked.given(key)?)))
    }

    /// One of the declared words of the parameter; the first if none was given.
    ///
    /// # Errors
    /// A parameter that is declared with another type.
    pub fn one_of(&self, key: &str) -> Result<&'a str, BadInput> {
        match self.values_of(key) {
            Some(Values::Words(words)) => {
                let first = words.split(WORDS).next().unwrap_or_default();
                Ok(self.given(key).unwrap_or(first))
            }
            _ => Err(self.takes_no(key)),
        }
    }

    /// A whole number within the declared bounds of the parameter; the declared default if none was
    /// given.
    ///
    /// # Errors
    /// A parameter that is declared with another type.
    pub fn number(&self, key: &str) -> Result<u64, BadInput> {
        let Some(Values::Number(_)) = self.values_of(key) else {
            return Err(self.takes_no(key));
        };
        let value = self.given(key).or(self.default_of(key));
        let number = value.and_then(|value| value.trim().parse().ok());
        number.ok_or_else(|| self.takes_no(key))
    }

    /// A list of whole numbers, each within the declared bounds of the parameter; empty if none was
    /// given.
    ///
    /// # Errors
    /// A parameter that is declared with another type.
    pub fn numbers(&self, key: &str) -> Result<Vec<u64>, BadInput> {
        match (self.values_of(key), self.given(key)) {
            (Some(Values::Numbers(..)), None) => Ok(Vec::new()),
            (Some(Values::Numbers(..)), Some(given)) => {
                list(given).ok_or_else(|| self.takes_no(key))
            }
            _ => Err(self.takes_no(key)),
        }
    }
}

/// Separates the possible words of a parameter.
const WORDS: char = '|';

/// The type of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Values<'a> {
    Any,
    Instance,
    Words(&'a str),
    Number(RangeInclusive<u64>),
    /// At most this many of them.
    Numbers(RangeInclusive<u64>, usize),
}

/// A declaration's key, and its values.
fn split(declared: &str) -> (&str, &str) {
    declared.split_once('=').unwrap_or((declared, ""))
}

impl<'a> Values<'a> {
    /// The type in a declaration, after `=`, with the default.
    fn read(text: &'a str) -> (Self, Option<&'a str>) {
        let (values, default) = match text.rsplit_once(':') {
            Some((values, default)) => (values, Some(default)),
            None => (text, None),
        };
        if text.is_empty() {
            (Self::Any, None)
        } else if values == "<instance>" {
            (Self::Instance, default)
        } else if let Some(numbers) = several(values) {
            (numbers, default)
        } else if let Some(bounds) = bounds(values) {
            let least = values.split("..").next();
            (Self::Number(bounds), default.or(least))
        } else {
            (Self::Words(text), text.split(WORDS).next())
        }
    }

    fn hold(&self, value: &str) -> bool {
        match self {
            Self::Any | Self::Instance => true,
            Self::Words(words) => words.split(WORDS).any(|word| word == value),
            Self::Number(bounds) => {
                let number: Option<u64> = value.trim().parse().ok();
                number.is_some_and(|number| bounds.contains(&number))
            }
            Self::Numbers(bounds, most) => list(value).is_some_and(|numbers| {
                numbers.len() <= *most && numbers.iter().all(|number| bounds.contains(number))
            }),
        }
    }

    /// The error of another value, and the allowed values.
    fn remedy(&self) -> String {
        match self {
            Self::Any | Self::Instance => "fine".to_owned(),
            Self::Words(words) => {
                let words: Vec<&str> = words.split(WORDS).collect();
                format!("unknown: use one of {}", words.join(", "))
            }
            Self::Number(bounds) => {
                let (least, most) = (bounds.start(), bounds.end());
                format!("out of range: write a whole number from {least} to {most}")
            }
            Self::Numbers(bounds, count) => {
                let (least, most) = (bounds.start(), bounds.end());
                format!(
                    "no such list: write whole numbers from {least} to {most} with commas \
                     between them, at most {count}"
                )
            }
        }
    }
}

/// `LEAST..MOST` or `LEAST..`, both bounds among the numbers.
fn bounds(text: &str) -> Option<RangeInclusive<u64>> {
    let (least, most) = text.split_once("..")?;
    let most = match most {
        "" => u64::MAX,
        most => most.parse().ok()?,
    };
    Some(least.parse().ok()?..=most)
}

/// `BOUNDS,COUNT`.
fn several<'a>(text: &str) -> Option<Values<'a>> {
    let (each, most) = text.split_once(',')?;
    Some(Values::Numbers(bounds(each)?, most.parse().ok()?))
}

/// Whole numbers with commas between them.
fn list(text: &str) -> Option<Vec<u64>> {
    let numbers = text.split(',').map(|number| number.trim().parse().ok());
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings;

    const NAMES: [(&str, &[&str]); 2] = [
        (
            "count",
            &[
                "most=1..7",
                "way=up|down",
                "free",
                "board=<instance>",
                "sizes=1..9,3",
            ],
        ),
        ("whole", &[]),
    ];

    #[test]
    fn a_value_has_the_unit_that_its_parameters_ask_for() {
        const NAMES: [(&str, &[&str]); 4] = [
            ("plain", &["=number:moves_a_state"]),
            ("named", &["=number:{unit}", "unit=GiB|GB"]),
            ("sort", &["=number|holds:{what=hours||days}", "what=a|b|c"]),
            ("none", &["=number"]),
        ];
        let unit = |what: &str, given: &[(&str, &str)]| {
            let given = settings(given);
            let asked = Parameters::of("box", &NAMES, what, &given);
            asked.expect("reads").unit()
        };
        for (what, given, right) in [
            ("plain", &[][..], "moves a state"),
            ("named", &[], "GiB"),
            ("named", &[("unit", "GB")], "GB"),
            ("sort", &[], "hours"),
            ("sort", &[("what", "b")], ""),
            ("sort", &[("what", "c")], "days"),
            ("none", &[], ""),
        ] {
            assert_eq!(unit(what, given), right, "{what}");
        }
        let value = |declared: &[&'static str]| Parameters::value_in(declared);
        assert_eq!(value(NAMES[2].1), Some("number|holds"));
    }

    fn refused(what: &str, given: &[(&str, &str)]) -> String {
        let given = settings(given);
        let error = Parameters::of("box", &NAMES, what, &given).unwrap_err();
        error.0
    }

    #[test]
    fn names_parameters_and_values_are_looked_up() {
        for (what, given, line) in [
            (
                "cuont",
                &[][..],
                "box derives no 'cuont': use one of count, whole",
            ),
            (
                "count",
                &[("mots", "1")],
                "count takes no parameter 'mots': use most, way, free, board, sizes",
            ),
            (
                "whole",
                &[("mots", "1")],
                "whole takes no parameters, but 'mots' was given",
            ),
            (
                "count",
                &[("most", "8")],
                "count: most=8 is out of range: write a whole number from 1 to 7",
            ),
            (
                "count",
                &[("way", "up\n")],
                "count: way=up\\n is unknown: use one of up, down",
            ),
        ] {
            assert_eq!(refused(what, given), line);
        }
        let given = [("most", " 7 "), ("free", "a b"), ("board", "card-7")];
        let given = settings(&given);
        let asked = Parameters::of("box", &NAMES, "count", &given).unwrap();
        assert_eq!(asked.number("most"), Ok(7));
        assert_eq!(asked.one_of("way"), Ok("up"));
        assert_eq!(asked.text("none", "default"), "default");
        assert_eq!(asked.instances().collect::<Vec<_>>(), [("board", "card-7")]);
        assert_eq!(asked.what(), "count");
        let settled = [
            ("most", " 7 "),
            ("way", "up"),
            ("free", "a b"),
            ("board", "card-7"),
        ];
        assert_eq!(asked.settled().collect::<Vec<_>>(), settled);
        // A parameter read with a type other than declared is refused.
        assert!(asked.number("way").is_err() && asked.one_of("most").is_err());
        let none = Settings::new();
        let asked = Parameters::of("box", &NAMES, "count", &none).unwrap();
        assert_eq!(asked.number("most"), Ok(1));
    }

    #[test]
    fn lists_hold_numbers_within_bounds_and_not_too_many() {
        for wrong in ["", "1,", "1,10", "0", "1,2,3,4", "1;2"] {
            let told = refused("count", &[("sizes", wrong)]);
            let end = "is no such list: write whole numbers from 1 to 9 with commas between \
                       them, at most 3";
            assert_eq!(told, format!("count: sizes={wrong} {end}"));
        }
        let given = settings(&[("sizes", "1, 9,3")]);
        let asked = Parameters::of("box", &NAMES, "count", &given).unwrap();
        assert_eq!(asked.numbers("sizes"), Ok(vec![1, 9, 3]));
        assert!(asked.numbers("most").is_err() && asked.number("sizes").is_err());
        let none = Settings::new();
        let asked = Parameters::of("box", &NAMES, "count", &none).unwrap();
        assert_eq!(asked.numbers("sizes"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_asked_is_told_with_what_was_not_given() {
        const NAMES: [(&str, &[&str]); 1] = [(
            "count",
            &[
                "most=1..7:3",
                "least=2..",
                "way=up|down",
                "free",
                "board=<instance>:card-7",
            ],
        )];
        let given = settings(&[("way", "down")]);
        let asked = Parameters::of("box", &NAMES, "count", &given).unwrap();
        let settled = [
            ("most", "3"),
            ("least", "2"),
            ("way", "down"),
            ("board", "card-7"),
        ];
        assert_eq!(asked.settled().collect::<Vec<_>>(), settled);
        assert_eq!(asked.number("most"), Ok(3));
    }

    #[test]
    fn what_the_value_is_stands_beside_the_parameters() {
        const NAMES: [(&str, &[&str]); 2] = [
            ("count", &["=number|text", "most=1..7"]),
            ("is", &["=holds"]),
        ];
        assert_eq!(Parameters::value_in(NAMES[0].1), Some("number|text"));
        assert_eq!(Parameters::value_in(&["most=1..7"]), None);
        let none = Settings::new();
        let asked = Parameters::of("box", &NAMES, "count", &none).unwrap();
        assert_eq!(asked.settled().collect::<Vec<_>>(), [("most", "1")]);
        for (what, key) in [("is", "most"), ("is", ""), ("count", "")] {
            let given = settings(&[(key, "number")]);
            let told = Parameters::of("box", &NAMES, what, &given).unwrap_err().0;
            let no = ["is takes no parameters", "count takes no parameter ''"];
            assert!(no.iter().any(|no| told.starts_with(no)), "{told}");
        }
    }

    #[test]
    fn bounds_are_read_as_declared() {
        let read = |text: &'static str| {
            let (values, default) = Values::read(text);
            (values, default.unwrap_or_default())
        };
        let numbers = Values::Numbers(0..=u64::MAX, 41);
        assert_eq!(read("0..,41"), (numbers, ""));
        assert_eq!(read("3.."), (Values::Number(3..=u64::MAX), "3"));
        assert_eq!(read("0..63:20"), (Values::Number(0..=63), "20"));
        assert_eq!(read("if|only-if"), (Values::Words("if|only-if"), "if"));
        assert_eq!(read("a:b|c"), (Values::Words("a:b|c"), "a:b"));
        assert_eq!(read("<instance>:5x7"), (Values::Instance, "5x7"));
    }
}
