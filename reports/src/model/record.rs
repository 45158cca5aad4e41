use serde::de::value::Error as Stop;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

/// The unit of a file: a whole JSON file, an entry of an array, or a row of a table.
pub trait Record: Serialize + DeserializeOwned {
    /// The name of its form, which ends in a version that rises when a field changes its meaning. A
    /// JSON file bears it in its member `record`, an array of records in each of them. A CSV file is
    /// known by its header: the names of its fields, in their order.
    const SCHEMA: &'static str;

    /// Whether the file has a digest of its own bytes, so that it can be checked alone. The member
    /// `blake3`, on its own line after `record`, is BLAKE3 of the file without that line.
    const SEALED: bool = false;

    /// Whether lines of a CSV file that begin with `#` are comments, for tables that people write. A
    /// state can begin with that character, so our own tables have none.
    const COMMENTS: bool = false;

    /// How many of its last columns older files lack.
    const ADDED: usize = 0;

    /// Whether the figures are possible and consistent. All our readers ask.
    fn check(&self) -> Result<(), CellFault> {
        Ok(())
    }
}

/// Column and reason.
pub type CellFault = (&'static str, String);

/// The columns of a table, in order: the names of the fields of its rows.
pub fn columns<T: Record>() -> &'static [&'static str] {
    names::<T>()
}

/// The columns of an older file of the table.
pub(crate) fn older_columns<T: Record>() -> &'static [&'static str] {
    let all = names::<T>();
    &all[..all.len().saturating_sub(T::ADDED)]
}

/// The names of the fields of a struct, or of the variants of an enum, in files.
pub(crate) fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // It only requests the names, and never gets a value.
    let _ = T::deserialize(Names(&mut names));
    names
}

struct Names<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Stop;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Stop> {
        *self.0 = fields;
        Err(Stop::custom("the names are known"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Stop> {
        *self.0 = variants;
        Err(Stop::custom("the names are known"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::custom("a row is a struct, a word an enum"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map identifier
        ignored_any
    }
}
