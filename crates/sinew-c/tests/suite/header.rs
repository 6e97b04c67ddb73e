//! The header declares the library's functions: names, parameters and results, in the same order.

/// A function in C's notation: name, parameters and result.
type Prototype = (String, Vec<String>, String);

/// The C type of a Rust type.
fn in_c(rust: &str) -> String {
    let words = [
        ("*const c_char", "const char *"),
        ("*mut c_char", "char *"),
        ("*const SinewModel", "const SinewModel *"),
        ("*mut SinewModel", "SinewModel *"),
        ("*const SinewData", "const SinewData *"),
        ("*mut SinewData", "SinewData *"),
        ("*mut SinewField", "SinewField *"),
        ("*mut f64", "double *"),
        ("*const f64", "const double *"),
        ("c_int", "int"),
        ("usize", "size_t"),
        ("i64", "int64_t"),
        ("f64", "double"),
        ("", "void"),
    ];
    let found = words.iter().find(|(name, _)| *name == rust.trim());
    found.unwrap_or_else(|| panic!("no C type for {rust}")).1.to_string()
}

fn of_library() -> Vec<Prototype> {
    let source = include_str!("../../src/lib.rs");
    let mut found = Vec::new();
    for part in source.split("extern \"C\" fn ").skip(1) {
        let (name, rest) = part.split_once('(').unwrap();
        let (parameters, rest) = rest.split_once(')').unwrap();
        let (result, _) = rest.split_once('{').unwrap();
        let result = result.trim().trim_start_matches("->");
        let types = parameters.split(',').filter_map(|p| p.split_once(':')).map(|(_, t)| in_c(t));
        found.push((name.to_string(), types.collect(), in_c(result)));
    }
    found
}

/// A declaration `const char *sinew_x(int a)`: the type before each name.
fn of_header() -> Vec<Prototype> {
    let header = include_str!("../../include/sinew.h");
    let without_comments: String = header
        .split("/*")
        .enumerate()
        .map(|(k, part)| if k == 0 { part } else { part.split_once("*/").unwrap().1 })
        .collect();
    let typed = |text: &str| {
        let text = text.trim();
        let end =
            text.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(text.len(), |i| i + 1);
        text[..end].trim().to_string()
    };
    let statements = without_comments.split(';').filter(|s| s.contains("sinew_"));
    let declared = statements.map(|statement| {
        let text = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.rsplit("{ ").next().unwrap().to_string();
        let (head, parameters) = text.split_once('(').unwrap();
        let name = head.rsplit([' ', '*']).next().unwrap().to_string();
        let parameters = parameters.trim_end_matches(')');
        let types = parameters.split(',').filter(|p| p.trim() != "void").map(typed);
        (name, types.collect(), typed(head))
    });
    declared.collect()
}

#[test]
fn the_header_declares_the_functions_of_the_library() {
    let (library, header) = (of_library(), of_header());
    assert!(library.len() > 20);
    assert_eq!(library, header);
}

#[test]
fn the_kinds_of_numbers_are_those_of_the_fields() {
    let header = include_str!("../../include/sinew.h");
    for (number, kind) in ["F64", "F32", "I32", "I64", "U64", "U8", "CHAR"].iter().enumerate() {
        assert!(header.contains(&format!("SINEW_{kind} = {number}")), "{kind}");
    }
}
