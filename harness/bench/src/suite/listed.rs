//! Values of a suite that are single or a list.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{I64Deserializer, StrDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, SeqAccess, Visitor};
use toml::Spanned;

/// One value or a list of them, each with its place.
#[derive(Debug, Clone, Default)]
pub struct Listed<T> {
    /// The values, at least one.
    pub values: Vec<Spanned<T>>,
    /// Whether they were written as a list.
    pub is_list: bool,
    /// Its place.
    pub at: usize,
}

impl Listed<String> {
    /// Whether one of the values is this one.
    pub fn holds(&self, name: &str) -> bool {
        self.values.iter().any(|value| value.get_ref() == name)
    }

    /// Whether it stands for more than one.
    pub fn is_many(&self) -> bool {
        self.values.len() > 1 || self.is_all()
    }

    /// Whether it is `all`.
    pub fn is_all(&self) -> bool {
        self.values.len() == 1 && self.holds("all")
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let found = Spanned::<OneOrMany<T>>::deserialize(from)?;
        let span = found.span();
        let (at, is_list) = (span.start, matches!(found.get_ref(), OneOrMany::Many(_)));
        let values = match found.into_inner() {
            OneOrMany::One(value) => vec![Spanned::new(span, value)],
            OneOrMany::Many(values) => values,
        };
        Ok(Self {
            values,
            is_list,
            at,
        })
    }
}

enum OneOrMany<T> {
    One(T),
    Many(Vec<Spanned<T>>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Forms(PhantomData))
    }
}

struct Forms<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Forms<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("one value or a list of them")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let from: StrDeserializer<'_, E> = text.into_deserializer();
        T::deserialize(from).map(OneOrMany::One)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        let from: I64Deserializer<E> = number.into_deserializer();
        T::deserialize(from).map(OneOrMany::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let values = std::iter::from_fn(|| list.next_element().transpose());
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let empty = || A::Error::custom("an empty list; leave it out, or name something");
        (!values.is_empty())
            .then_some(OneOrMany::Many(values))
            .ok_or_else(empty)
    }
}
