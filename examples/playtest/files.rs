//! Files that have their name only when they are whole.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// Writes a file: under another name first, so that a full disk or a killed process leaves no half of it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let fault = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fault)?;
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if let Err(error) = written.and_then(|()| fs::rename(&part, path)) {
        let _ = fs::remove_file(&part);
        return Err(fault(error));
    }
    Ok(())
}
