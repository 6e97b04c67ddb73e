//! The page, built from `web/` and embedded in the program.

/// The files of the page; script and style are built from `web/src` by `npm run build`.
pub(crate) const HTML: &str = include_str!("../web/index.html");
pub(crate) const SCRIPT: &str = include_str!("../web/dist/viewer.js");
pub(crate) const STYLE: &str = include_str!("../web/dist/viewer.css");
const ICON: &str = include_str!("../web/icon.svg");

/// A file of the page: its content type and its bytes.
pub(crate) fn file(path: &str) -> Option<(&'static str, &'static [u8])> {
    Some(match path {
        "" => ("text/html; charset=utf-8", HTML.as_bytes()),
        "viewer.js" => ("text/javascript; charset=utf-8", SCRIPT.as_bytes()),
        "viewer.css" => ("text/css; charset=utf-8", STYLE.as_bytes()),
        "icon.svg" => ("image/svg+xml", ICON.as_bytes()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::digest::sha1;

    #[test]
    fn the_committed_page_is_built_from_the_sources() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let built = std::fs::read_to_string(web.join("dist/sources.txt")).unwrap();
        let mut files: Vec<String> = std::fs::read_dir(web.join("src"))
            .unwrap()
            .map(|file| format!("src/{}", file.unwrap().file_name().to_string_lossy()))
            .collect();
        files.sort();
        files.extend(["package-lock.json", "vite.config.js"].map(str::to_owned));
        let line = |file: &String| {
            let hash = sha1(&std::fs::read(web.join(file)).unwrap());
            let hex: String = hash.iter().map(|b| format!("{b:02x}")).collect();
            format!("{hex}  {file}\n")
        };
        let now: String = files.iter().map(line).collect();
        assert_eq!(now, built, "run `npm ci && npm run build` in crates/sinew-view/web");
    }
}
