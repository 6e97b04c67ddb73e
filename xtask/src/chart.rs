//! The chart of speed in README.md, drawn from the first table of classes in docs/performance.md.

use std::fmt::Write as _;
use std::path::Path;

/// Where the chart is.
pub const CHART: &str = "docs/speed.svg";
/// The page with the figures.
pub(crate) const PAGE: &str = "docs/performance.md";
/// The first line of the table.
const HEAD: &str = "| class | models | least | median | geometric mean |";

/// Height of a bar with the gap below it, in pixels.
const ROW: usize = 30;
/// Edges of the plot, in pixels.
const LEFT: f64 = 215.0;
const RIGHT: f64 = 595.0;
const TOP: usize = 64;

/// Speed-ups of a class of models.
struct Class<'a> {
    name: &'a str,
    models: &'a str,
    least: f64,
    mean: f64,
}

/// Draws the chart.
pub fn write(root: &Path) -> Result<(), String> {
    let read = |path: &Path| std::fs::read_to_string(path);
    let page = read(&root.join(PAGE)).map_err(|e| format!("{PAGE}: {e}"))?;
    let path = root.join(CHART);
    std::fs::write(&path, draw(&page)?).map_err(|e| format!("{}: {e}", path.display()))
}

/// The chart of the figures on a page.
pub(crate) fn draw(page: &str) -> Result<String, String> {
    let classes = classes(page)?;
    let greatest = classes.iter().map(|c| c.mean).fold(1.0, f64::max);
    let end = (2.0 * greatest).ceil() / 2.0;
    let x = |value: f64| LEFT + value / end * (RIGHT - LEFT);
    let bottom = TOP + ROW * classes.len();

    // title, and vertical lines every half
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 {}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"640\" height=\"{}\" fill=\"white\"/>\n\
         <text x=\"320\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">\
         Steps per second, relative to the faster of MuJoCo 3.5.0 and 4.0.0</text>\n\
         <text x=\"320\" y=\"42\" text-anchor=\"middle\" fill=\"#666\">\
         one thread; bar: geometric mean; tick: least speed-up</text>\n",
        bottom + 30,
        bottom + 30
    );
    for half in 0..=(2.0 * end) as usize {
        let value = half as f64 / 2.0;
        let colour = if half == 2 { "#555" } else { "#ddd" };
        let label = if half == 2 { "MuJoCo".to_owned() } else { format!("{value:.1}") };
        let at = x(value);
        let _ = writeln!(svg, "<path d=\"M{at:.1} {TOP}V{bottom}\" stroke=\"{colour}\"/>");
        let y = bottom + 18;
        let _ =
            writeln!(svg, "<text x=\"{at:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>");
    }

    for (k, class) in classes.iter().enumerate() {
        let (top, middle) = (TOP + ROW * k + 5, TOP + ROW * k + 20);
        let (least, end) = (x(class.least), x(class.mean));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{middle}\" text-anchor=\"end\">{} ({})</text>\n\
             <rect x=\"{LEFT}\" y=\"{top}\" width=\"{:.1}\" height=\"{}\" fill=\"#2f7fb8\"/>\n\
             <path d=\"M{least:.1} {top}v{}\" stroke=\"#0b2f47\" stroke-width=\"2\"/>\n\
             <text x=\"{:.1}\" y=\"{middle}\">{:.2}</text>",
            LEFT - 8.0,
            class.name.replace('&', "&amp;"),
            class.models,
            end - LEFT,
            ROW - 10,
            ROW - 10,
            end + 6.0,
            class.mean
        );
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// The rows of the table.
fn classes(page: &str) -> Result<Vec<Class<'_>>, String> {
    let table = page.lines().skip_while(|line| *line != HEAD).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    let classes: Option<Vec<Class<'_>>> = rows.map(class).collect();
    match classes {
        Some(classes) if !classes.is_empty() => Ok(classes),
        _ => Err(format!("{PAGE}: no table of classes below `{HEAD}`")),
    }
}

/// A class from its row; none if a number is missing.
fn class(line: &str) -> Option<Class<'_>> {
    let mut cells = line.trim_matches('|').split('|').map(str::trim);
    let (name, models, least) = (cells.next()?, cells.next()?, cells.next()?.parse().ok()?);
    Some(Class { name, models, least, mean: cells.nth(1)?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_the_rows_of_the_table() {
        let page =
            format!("text\n\n{HEAD}\n|---|---|\n| all | 3 | 0.9 | 1.4 | 1.5 |\n\n| x | 1 |\n");
        let svg = draw(&page).expect("a table");
        assert!(svg.contains(">all (3)</text>") && svg.contains(">1.50</text>"));
        assert!(draw("no table").is_err());
        assert!(draw(&format!("{HEAD}\n|---|\n| all | 3 | ? | 1 | 1 |\n")).is_err());
    }
}
