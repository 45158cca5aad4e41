use serde::de::value::Error as Stop;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

/// The unit of a file: a whole JSON file, an entry of an array, or a row of a table.
pub trait Record: Serialize + DeserializeOwned {
    /// Its name, one of [`schema::ALL`](super::schema::ALL).
    const SCHEMA: &'static str;

    /// Whether the file has a digest of its own bytes, so that it can be checked alone. The member
    /// `blake3`, on its own line after `record`, is BLAKE3 of the file without that line.
    const SEALED: bool = false;

    /// Whether the figures are possible and consistent. All our readers ask.
    ///
    /// # Errors
    /// The column or member that is not, and why.
    fn check(&self) -> Result<(), CellFault> {
        Ok(())
    }
}

/// Column and reason.
pub type CellFault = (&'static str, String);

/// A record that is a line of a CSV file: its fields are the columns, in their order.
pub trait CsvRow: Record {
    /// Whether lines that begin with `#` are comments, for tables that people write. A state can
    /// begin with that character, so our own tables have none.
    const COMMENTS: bool = false;
}

/// The columns of a table, in order: the names of the fields of its rows.
pub fn columns<T: CsvRow>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // It only requests the names, and never gets a value.
    let _ = T::deserialize(FieldNames(&mut names));
    names
}

/// Records the names of the fields that a struct requests.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
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

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::custom("a row is a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier
        ignored_any
    }
}
