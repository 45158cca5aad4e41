//! The form of figures and lists in JSON and CSV, without loss.

use super::CellFault;

/// Counts as decimal strings: most JSON readers hold numbers as doubles and would silently round a
/// count above 2^53.
pub(super) mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        Count::deserialize(deserializer)?.number()
    }

    /// A count in either form that is read.
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "a whole number, as decimal digits in a string or as a plain number below 2^64"
    )]
    pub(super) enum Count {
        Number(u64),
        Text(String),
    }

    impl Count {
        pub(super) fn number<E: de::Error>(self) -> Result<u128, E> {
            match self {
                Count::Number(number) => Ok(number.into()),
                // `u128::from_str` takes a leading plus, which none of our writers produces.
                Count::Text(text) if text.starts_with('+') => Err(odd(&text)),
                Count::Text(text) => text.parse().map_err(|_| odd(&text)),
            }
        }
    }

    fn odd<E: de::Error>(text: &str) -> E {
        E::invalid_value(
            de::Unexpected::Str(text),
            &"a whole number, as decimal digits",
        )
    }
}

pub(super) mod decimal_option {
    use super::decimal::Count;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(
        value: &Option<u128>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(count) => serializer.collect_str(count),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u128>, D::Error> {
        let count = Option::<Count>::deserialize(deserializer)?;
        count.map(Count::number).transpose()
    }
}

/// JSON has no infinities and no NaN; serde_json writes them as `null`, which has to be readable
/// again.
pub(super) mod measured {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

pub(super) mod milliseconds {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(seconds: &f64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{seconds:.3}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        let text = String::deserialize(from)?;
        let fault = |_| de::Error::custom(format!("`{text}` is not a number of seconds"));
        text.parse().map_err(fault)
    }
}

/// Refuses a record in which something does not hold, by column and reason.
pub(crate) fn sound(
    holds: bool,
    column: &'static str,
    fault: impl FnOnce() -> String,
) -> Result<(), CellFault> {
    match holds {
        true => Ok(()),
        false => Err((column, fault())),
    }
}

/// Refuses values that no clock can show.
pub(super) fn sound_seconds(column: &'static str, seconds: f64) -> Result<(), CellFault> {
    let fault = || format!("{seconds} is not a number of seconds");
    sound(seconds.is_finite() && seconds >= 0.0, column, fault)
}

/// Refuses text that is not a digest of n hexadecimal digits.
pub(super) fn sound_hex(
    column: &'static str,
    digest: &str,
    digits: usize,
) -> Result<(), CellFault> {
    let is_digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let holds = digest.len() == digits && digest.bytes().all(is_digit);
    sound(holds, column, || {
        format!("\"{digest}\" is not {digits} lowercase hexadecimal digits")
    })
}

/// Refuses impossible counts of a level: every orbit holds at least one state, and every state is
/// in an orbit.
pub(super) fn sound_counts(states: u128, orbits: u128) -> Result<(), CellFault> {
    sound(states >= orbits, "states", || {
        format!("{states} states cannot be in {orbits} orbits, which have at least one each")
    })?;
    let none = || format!("{states} states are in no orbit");
    sound(states == 0 || orbits > 0, "orbits", none)
}

pub(super) fn sound_word(
    column: &'static str,
    word: &str,
    known: &[&str],
) -> Result<(), CellFault> {
    let fault = || format!("\"{word}\" is not one of {}", known.join(", "));
    sound(known.contains(&word), column, fault)
}

/// Refuses an outcome that is not one, or that does not go with a length.
pub(super) fn sound_outcome(outcome: &str, has_length: bool) -> Result<(), CellFault> {
    sound_word("outcome", outcome, &["path", "impossible", "not-reached"])?;
    let fault = || format!("{outcome} does not go with the length");
    sound((outcome == "path") == has_length, "outcome", fault)
}

/// A list in a cell. No item of such a list contains the separator.
macro_rules! joined {
    ($name:ident, $separator:literal) => {
        pub(super) mod $name {
            use serde::{Deserialize, Deserializer, Serializer};

            pub fn serialize<S: Serializer>(items: &[String], to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&items.join($separator))
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Vec<String>, D::Error> {
                let text = String::deserialize(from)?;
                let items = text.split($separator).filter(|item| !item.is_empty());
                Ok(items.map(str::to_owned).collect())
            }
        }
    };
}

joined!(by_semicolon, "; ");
joined!(by_blank, " ");
