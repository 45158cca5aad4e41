//! Tables of published lengths: reading them, and choosing among their rows.

use crate::spec::{Claim, LengthPair};

/// The header that a table may have.
const HEADER: [&str; 3] = ["from", "to", "moves"];

/// Whether a line is a comment; boards begin with `#` too, but no blank follows it.
fn is_remark(line: &str) -> bool {
    line.strip_prefix('#')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Reads a table: lines `FROM,TO,MOVES`. Empty lines, remarks after `# ` and a first line
/// `from,to,moves` are passed over.
///
/// # Errors
/// One line that names the row and the remedy.
pub(super) fn read_table(text: &str) -> Result<Vec<LengthPair>, String> {
    let mut pairs: Vec<LengthPair> = Vec::new();
    let lines = text.lines().map(str::trim);
    let rows = lines.filter(|line| !line.is_empty() && !is_remark(line));
    for (i, line) in rows.enumerate() {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let [from, to, moves] = cells[..] else {
            return Err(format!("the table's row '{line}' is not FROM,TO,MOVES"));
        };
        if i == 0 && cells == HEADER {
            continue;
        }
        let Ok(moves) = moves.parse() else {
            return Err(format!(
                "the table's row '{line}' must end with a number of moves"
            ));
        };
        let pair = LengthPair {
            from: from.to_owned(),
            to: to.to_owned(),
            moves,
        };
        if from == to {
            return Err(format!("the table's row '{line}' leads nowhere"));
        }
        if pairs.iter().any(|p| p.from == from && p.to == to) {
            return Err(format!("the table has the pair {from},{to} twice"));
        }
        pairs.push(pair);
    }
    match pairs.is_empty() {
        true => Err("the table is empty; write lines FROM,TO,MOVES".into()),
        false => Ok(pairs),
    }
}

/// A table's claim, in a few words.
pub(super) fn claimed(table: &[LengthPair]) -> String {
    match table {
        [pair] => pair.moves.to_string(),
        pairs => format!("{} lengths", pairs.len()),
    }
}

/// Id of a row of a claim, for `claims.csv` and for choosing it.
#[must_use]
pub(crate) fn row_id(claim: &Claim, pair: &LengthPair) -> String {
    format!("{}-{}", claim.id, pair.name())
}

/// Ids of all rows of a claim.
pub fn row_ids(claim: &Claim) -> impl Iterator<Item = String> + '_ {
    let pairs = claim.cases.iter().flat_map(|case| &case.table);
    pairs.map(|pair| row_id(claim, pair))
}

/// Keeps only the named rows of a claim; returns whether there are any.
pub fn narrow(claim: &mut Claim, names: &[String]) -> bool {
    let whole = claim.clone();
    let mut any = false;
    for case in &mut claim.cases {
        let wanted = |pair: &LengthPair| names.contains(&row_id(&whole, pair));
        let left_out = case.table.iter().filter(|pair| !wanted(pair));
        let left_out: Vec<String> = left_out.map(LengthPair::name).collect();
        case.refuted.retain(|name| !left_out.contains(name));
        case.table.retain(wanted);
        case.claimed = claimed(&case.table);
        any |= !case.table.is_empty();
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_bad_rows_named() {
        let read = read_table("# remark\nfrom,to,moves\nA,B,3\n\nB, A ,12\n").expect("good");
        assert_eq!(read.len(), 2);
        assert_eq!((read[1].to.as_str(), read[1].moves), ("A", 12));
        let boards = read_table("#\n#  remark\n#.##./O....,#.##./....O,4\n").expect("good");
        assert_eq!((boards.len(), boards[0].from.as_str()), (1, "#.##./O...."));
        for (text, needle) in [
            ("A,B,3\nA,B", "'A,B'"),
            ("A,B,3\nA,C,x", "'A,C,x'"),
            ("A,B,3\nA,B,4", "twice"),
            ("A,A,3", "nowhere"),
            ("from,to,moves\n", "empty"),
            ("A,B,2 moves\nA,C,3", "'A,B,2 moves'"),
            ("A,B,3\nfrom,to,moves", "'from,to,moves'"),
            ("#remark\nA,B,3", "'#remark'"),
        ] {
            let error = read_table(text).expect_err(text);
            assert!(error.contains(needle), "{error}");
        }
    }
}
