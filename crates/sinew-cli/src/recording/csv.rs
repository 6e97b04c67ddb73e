//! Tables of numbers with a header, as comma-separated values.

use std::io::{self, Write};

use anyhow::{Context, Result, ensure};

/// Writes a header and rows of numbers; `{:?}` gives the shortest text that parses to the same
/// number.
pub(crate) fn write_csv(
    out: &mut impl Write,
    columns: &[String],
    rows: impl Iterator<Item = Vec<f64>>,
) -> io::Result<()> {
    let quoted = |name: &String| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    writeln!(out, "{}", columns.iter().map(quoted).collect::<Vec<_>>().join(","))?;
    for row in rows {
        let cells: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    out.flush()
}

/// Reads a header and rows of numbers.
pub(crate) fn read_csv(text: &str) -> Result<(Vec<String>, Vec<Vec<f64>>)> {
    let mut lines = text.lines();
    let columns = cells(lines.next().context("the table is empty")?);
    let mut rows = Vec::new();
    for (n, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = |cell: &String| cell.trim().parse::<f64>();
        let row: Result<Vec<f64>, _> = cells(line).iter().map(number).collect();
        let row = row.with_context(|| format!("line {} has something else than numbers", n + 2))?;
        let found = row.len();
        ensure!(
            found == columns.len(),
            "line {} has {found} cells, wanted {}",
            n + 2,
            columns.len()
        );
        rows.push(row);
    }
    Ok((columns, rows))
}

/// The cells of a line, possibly quoted.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let last = cells.len() - 1;
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cells[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells[last].push(c),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_were_written() {
        let columns = ["time".to_string(), "qpos.a,\"b\"".to_string()];
        let rows = vec![vec![0.0, 0.1], vec![0.002, -1e300]];
        let mut bytes = Vec::new();
        write_csv(&mut bytes, &columns, rows.clone().into_iter()).unwrap();
        let read = read_csv(&String::from_utf8(bytes).unwrap()).unwrap();
        assert_eq!(read, (columns.to_vec(), rows));
        assert!(read_csv("a,b\n1\n").is_err());
        assert!(read_csv("a\nx\n").is_err());
    }
}
