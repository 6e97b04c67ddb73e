//! A figure as SVG.

use std::fmt::Write as _;

use crate::figure::{Anchor, Figure, HEIGHT, WIDTH};

/// Formats a figure as SVG.
pub(crate) fn svg(figure: &Figure) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );

    // grid, curves, texts: later elements cover earlier ones
    for line in &figure.grid {
        let points: Vec<String> =
            line.points.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
        let (d, colour) = (points.join("L"), hex(line.colour));
        let _ = writeln!(svg, "<path d=\"M{d}\" stroke=\"{colour}\"/>");
    }
    for line in &figure.curves {
        let points: Vec<String> =
            line.points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let (points, colour) = (points.join(" "), hex(line.colour));
        let _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\"/>");
    }
    for text in &figure.texts {
        let [x, y] = text.at;
        let anchor = match text.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let words = text.text.replace('&', "&amp;").replace('<', "&lt;");
        let colour = hex(text.colour);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
