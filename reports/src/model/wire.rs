//! How numbers travel through JSON without losing digits.

/// Counts as decimal strings: most JSON readers hold numbers as doubles and would round a count
/// above 2^53 in silence.
pub(super) mod decimal {
    use serde::{Deserializer, Serializer, de};
    use std::fmt;

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        deserializer.deserialize_any(Count)
    }

    pub(super) struct Count;

    impl de::Visitor<'_> for Count {
        type Value = u128;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(
                "a whole number, as decimal digits in a string or as a plain number below 2^64",
            )
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<u128, E> {
            // `u128::from_str` takes a leading plus, which no writer of ours produces.
            if text.bytes().all(|b| b.is_ascii_digit()) {
                text.parse()
                    .map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            } else {
                Err(E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> Result<u128, E> {
            Ok(u128::from(value))
        }
    }
}

/// The same for a count that may be unknown.
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
        Ok(Option::<Wrapped>::deserialize(deserializer)?.map(|wrapped| wrapped.0))
    }

    struct Wrapped(u128);

    impl<'de> Deserialize<'de> for Wrapped {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(Count).map(Wrapped)
        }
    }
}

/// JSON has no infinities and no NaN; serde_json writes them as `null`, which has to be readable again.
pub(super) mod measured {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        value.is_finite().then_some(*value).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}
