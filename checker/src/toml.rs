//! The part of TOML that claims are written in: tables `[[claim]]` and `[[claim.reading]]`
//! with keys, texts, numbers, truth values, lists and tables in braces.

use serde_json::{Map, Value, json};

/// Keys with their values.
pub type Table = Map<String, Value>;

/// The text that is left, how many lists and tables are open, and the numbers read: as printed, or in
/// decimal digits if they have another base.
struct Reader<'a>(&'a str, u8, Vec<String>);

/// Most lists and tables within each other.
const DEEPEST: u8 = 64;

/// A claim's own lines: the keys of the claim, and those of each reading.
pub fn claim(text: &str) -> Result<(Table, Vec<Table>), String> {
    let mut reader = Reader(text, 0, vec![]);
    reader.skip(true);
    reader.header("[[claim]]")?;
    let (mut claim, mut readings) = (Map::new(), Vec::<Table>::new());
    loop {
        reader.skip(true);
        if reader.0.is_empty() {
            return Ok((claim, readings));
        }
        if reader.0.starts_with('[') {
            reader.header("[[claim.reading]]")?;
            readings.push(Map::new());
            continue;
        }
        let (key, value) = reader.pair()?;
        reader.ends_line(&key)?;
        let table = readings.last_mut().unwrap_or(&mut claim);
        if table.insert(key.clone(), value).is_some() {
            return Err(format!("{key} stands twice"));
        }
    }
}

impl Reader<'_> {
    fn skip(&mut self, lines: bool) {
        loop {
            let blank = |c: char| c == ' ' || c == '\t' || lines && (c == '\n' || c == '\r');
            self.0 = self.0.trim_start_matches(blank);
            match self.0.strip_prefix('#') {
                Some(rest) => self.0 = rest.trim_start_matches(|c| c != '\n'),
                None => return,
            }
        }
    }

    /// A header on its own line.
    fn header(&mut self, token: &str) -> Result<(), String> {
        self.expect(token)?;
        self.ends_line(token)
    }

    fn ends_line(&mut self, what: &str) -> Result<(), String> {
        self.skip(false);
        let ends = self.0.is_empty() || self.0.starts_with(['\n', '\r']);
        ends.then_some(()).ok_or(format!("more follows {what}"))
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        let shown: String = self.0.chars().take(20).collect();
        let rest = self.0.strip_prefix(token);
        self.0 = rest.ok_or(format!("{token} should stand before {shown:?}"))?;
        Ok(())
    }

    fn pair(&mut self) -> Result<(String, Value), String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let end = self.0.find(|c| !plain(c)).unwrap_or(self.0.len());
        let key = match self.0.starts_with(['"', '\'']) {
            true => self.text()?,
            false => {
                let (key, rest) = self.0.split_at(end);
                self.0 = rest;
                key.to_owned()
            }
        };
        self.skip(false);
        self.expect("=")?;
        self.skip(false);
        self.2.clear();
        let value = self.value()?;
        // A published figure counts with the digits that were printed.
        let (own, printed) = (key == "claimed", std::mem::take(&mut self.2));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_whole = |text: &String| is_digits(text.trim_start_matches(['+', '-']));
        let sizes =
            |all: &[Value]| all.iter().all(Value::is_number) && printed.iter().all(is_whole);
        let value = match value {
            Value::Number(_) if own => printed.concat().into(),
            Value::Array(all) if own && sizes(&all) => printed.into(),
            Value::Array(_) if own => return Err("a size is no whole number".into()),
            value => value,
        };
        Ok((key, value))
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.0.starts_with(['"', '\'']) {
            return self.text().map(Value::String);
        }
        if self.0.starts_with('[') || self.0.starts_with('{') {
            return self.several();
        }
        let end = self.0.find([',', ']', '}', '\n', '#', ' ', '\t', '\r']);
        let end = end.unwrap_or(self.0.len());
        let (word, rest) = self.0.split_at(end);
        self.0 = rest;
        let number = word.replace('_', "");
        let bases = [("0x", 16), ("0o", 8), ("0b", 2)];
        let based = bases.iter().find_map(|(mark, base)| {
            let digits = number.strip_prefix(mark)?;
            u128::from_str_radix(digits, *base).ok()
        });
        let number = based.map_or(number, |whole| whole.to_string());
        let value = match (word, number.parse::<i64>(), number.parse::<f64>()) {
            ("true" | "false", ..) => return Ok(json!(word == "true")),
            (_, Ok(whole), _) => json!(whole),
            (_, _, Ok(number)) => json!(number),
            _ => return Err(format!("{word:?} is no value")),
        };
        self.2.push(number);
        Ok(value)
    }

    fn several(&mut self) -> Result<Value, String> {
        let is_list = self.0.starts_with('[');
        let (open, close) = if is_list { ("[", "]") } else { ("{", "}") };
        let (mut list, mut table) = (Vec::new(), Map::new());
        self.expect(open)?;
        self.1 += 1;
        if self.1 > DEEPEST {
            return Err(format!(
                "more than {DEEPEST} lists or tables within each other"
            ));
        }
        self.skip(true);
        while !self.0.starts_with(close) {
            if is_list {
                list.push(self.value()?);
            } else {
                let (key, value) = self.pair()?;
                if table.insert(key.clone(), value).is_some() {
                    return Err(format!("{key} stands twice"));
                }
            }
            self.skip(true);
            if !self.0.starts_with(close) {
                self.expect(",")?;
                self.skip(true);
            }
        }
        self.expect(close)?;
        self.1 -= 1;
        Ok(if is_list { list.into() } else { table.into() })
    }

    fn text(&mut self) -> Result<String, String> {
        let mut quotes = ["\"\"\"", "'''", "\"", "'"].into_iter();
        let quote = quotes.find(|quote| self.0.starts_with(quote));
        let quote = quote.unwrap_or("\"");
        self.expect(quote)?;
        if quote.len() == 3 {
            let mut ends = ["\n", "\r\n"].iter();
            let rest = ends.find_map(|end| self.0.strip_prefix(end));
            self.0 = rest.unwrap_or(self.0);
        }
        let mut text = String::new();
        while !self.0.starts_with(quote) {
            let mut letters = self.0.chars();
            let letter = letters.next().ok_or("a text has no end")?;
            self.0 = letters.as_str();
            if letter != '\\' || quote.starts_with('\'') {
                text.push(letter);
                continue;
            }
            let escaped = self.0.chars().next().unwrap_or('\n');
            self.0 = &self.0[escaped.len_utf8().min(self.0.len())..];
            match escaped {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'u' | 'U' => text.push(self.coded(if escaped == 'u' { 4 } else { 8 })?),
                '"' | '\\' => text.push(escaped),
                'e' => text.push('\u{1b}'),
                'x' => text.push(self.coded(2)?),
                ' ' | '\t' | '\r' | '\n' if quote.len() == 3 => self.continued(escaped)?,
                other => return Err(format!("\\{other} is not read here")),
            }
        }
        self.expect(quote)?;
        // One or two quotes before the last three belong to the text.
        for _ in 1..quote.len() {
            if let Some(rest) = self.0.strip_prefix(&quote[..1]) {
                text.push_str(&quote[..1]);
                self.0 = rest;
            }
        }
        Ok(text)
    }

    /// The rest after a `\` that ends a line, from the blank after it to the next text.
    fn continued(&mut self, blank: char) -> Result<(), String> {
        let rest = self.0.trim_start();
        let blanks = &self.0[..self.0.len() - rest.len()];
        let ends = blank == '\n' || blanks.contains('\n');
        self.0 = rest;
        ends.then_some(())
            .ok_or("a \\ stands before a blank".into())
    }

    /// The character that n hexadecimal digits number.
    fn coded(&mut self, digits: usize) -> Result<char, String> {
        let number = self.0.get(..digits).ok_or("a short \\u")?;
        self.0 = &self.0[digits..];
        let code = u32::from_str_radix(number, 16).ok();
        let letter = code.and_then(char::from_u32);
        letter.ok_or(format!("\\u{number} is no character"))
    }
}

#[cfg(test)]
mod tests {
    use super::claim;

    /// The keys of a claim of these lines.
    fn keys(lines: &str) -> String {
        let read = claim(&format!("[[claim]]\n{lines}\n"));
        read.map_or_else(|why| why, |read| serde_json::json!(read.0).to_string())
    }

    #[test]
    fn a_value_is_read_however_it_is_written() {
        for nine in [
            "a = 9",
            "a = 0x9",
            "a = 0o11",
            "a=0b1001",
            "'a' = +9",
            r#""\u0061" = 0x0_9"#,
        ] {
            assert_eq!(keys(nine), r#"{"a":9}"#, "{nine}");
        }
        for on in [
            r#"a = "on""#,
            "a = 'on'",
            "'a' = \"\"\"\non\"\"\"",
            "a = '''\r\non'''",
            "a = \"\"\"o\\  \r\n  n\"\"\"",
            r#"a = "\x6f\u006e""#,
        ] {
            assert_eq!(keys(on), r#"{"a":"on"}"#, "{on}");
        }
        assert_eq!(keys(r#"a = """b""""""#), r#"{"a":"b\"\""}"#);
        assert!(!keys(r#"a = """b"""""""#).starts_with('{'));
        assert_eq!(keys("a = { 'b' = 0x1, }"), r#"{"a":{"b":1}}"#);
        for (claimed, read) in [
            ("0x0_A", r#""10""#),
            ("+7", r#""+7""#),
            ("7_0.0", r#""70.0""#),
            (
                "[1, 0o17, 18_446744073709551618]",
                r#"["1","15","18446744073709551618"]"#,
            ),
        ] {
            let read = format!(r#"{{"claimed":{read}}}"#);
            assert_eq!(keys(&format!("claimed = {claimed}")), read);
        }
        let deep = format!("a = {}", "[".repeat(100_000));
        let sizes = ["claimed = [1.0]", "claimed = [1, '2']", "claimed = [[1]]"];
        for wrong in sizes
            .into_iter()
            .chain(["a = 0xg", "a = 1\n'a' = 1", r#"a = "b\ c""#, &deep])
        {
            assert!(!keys(wrong).starts_with('{'), "{wrong}");
        }
    }
}
