//! Comma-separated tables, quoted if a cell needs it.

/// The lines of a table, each as its cells; all as long as the first, which names them.
pub fn read(text: &str) -> Result<Vec<Vec<String>>, String> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(letter),
        }
    }
    let width = rows.first().map_or(0, Vec::len);
    if quoted || !cell.is_empty() || !row.is_empty() {
        return Err("ends within a line".into());
    }
    match rows.iter().position(|row| row.len() != width) {
        Some(line) => Err(format!("line {} has another number of cells", line + 1)),
        None => Ok(rows),
    }
}

/// The lines of a table after the first, which names the cells.
pub fn table(text: &str, header: &str) -> Result<Vec<Vec<String>>, String> {
    let mut lines = read(text)?.into_iter();
    let first = lines.next().ok_or("is missing or empty")?;
    let rows: Vec<Vec<String>> = lines.collect();
    let right = first.iter().eq(header.split(',')) && !rows.contains(&first);
    right.then_some(rows).ok_or("has other columns".into())
}
