//! The workspace keeps its own rules.

#[test]
fn workspace_is_tidy() {
    let findings = xtask::tidy::check(&xtask::root()).expect("the workspace can be read");
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
