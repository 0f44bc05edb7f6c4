//! Parts of the docs that are written from the code.

use std::path::Path;
use std::{env, fs};

const END: &str = "<!-- End of what is generated -->\n";

/// A text in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Compares the generated part of a file with what it should be. With `PAISHAN_WRITE=1` it is written anew. `test` is
/// the module of the test.
pub(crate) fn compare(file: &str, test: &str, wanted: &str) {
    let command = format!("PAISHAN_WRITE=1 cargo test --test rules {test}");
    let begin = format!("<!-- Generated: {command} -->\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(&begin).unwrap();
    let (written, after) = rest.split_once(END).unwrap();
    if env::var_os("PAISHAN_WRITE").is_some() {
        fs::write(&path, format!("{before}{begin}{wanted}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(
        written, wanted,
        "{file} is stale; write it anew with {command}"
    );
}
