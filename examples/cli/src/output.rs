//! What commands write, and how they end.

use fs4::{FileExt, TryLockError};
use std::fmt::{self, Display};
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// The end of the help texts. [`Fault::status`] has the numbers.
pub const STATUS: &str = "\
Exit status:
  0    success
  1    a failure, named on standard error, such as an unknown ruleset or agent; `lint` has findings;
       `replay` has a log that disagrees
  2    unknown, missing or malformed arguments; `simulate`, `duel`: an illegal action of an agent or
       bot; `lint`: an invalid ruleset
  3    the output cannot be written: a closed pipe, or a full disk
  130  `simulate` or `duel` with bots was interrupted";

/// The exit status of an interrupted run that has ended its child processes.
pub const INTERRUPTED: u8 = 130;

/// Why a command ends without success.
#[derive(Debug)]
pub enum Fault {
    /// A failure, in words.
    Failed(String),
    /// The output has named what is wrong.
    Found,
    /// An agent or bot has made an illegal decision, or the ruleset to be checked is invalid.
    Invalid(String),
    /// The output cannot be written.
    Unwritten(String),
}

impl Fault {
    /// The exit status.
    pub const fn status(&self) -> u8 {
        match self {
            Self::Failed(_) | Self::Found => 1,
            Self::Invalid(_) => 2,
            Self::Unwritten(_) => 3,
        }
    }

    /// The output cannot be written.
    pub fn unwritten(error: impl Display) -> Self {
        Self::Unwritten(format!("the output cannot be written: {error}"))
    }

    /// A file cannot be written.
    pub fn unwritten_file(path: &Path, error: impl Display) -> Self {
        Self::unwritten(format_args!("{}: {error}", path.display()))
    }
}

/// The message for standard error. It is empty where there is nothing to add to the output.
impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::Invalid(message) | Self::Unwritten(message) => {
                f.write_str(message)
            }
            Self::Found => Ok(()),
        }
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

impl From<&str> for Fault {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

/// Writes to standard output.
pub fn say(text: &str) -> Result<(), Fault> {
    say_bytes(text.as_bytes())
}

/// Writes bytes to standard output.
pub fn say_bytes(bytes: &[u8]) -> Result<(), Fault> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(Fault::unwritten)
}

/// A file to write. A regular file gets its name only when it is whole, so a full disk or a killed process leaves
/// no half of it. Until then it is a part file, which is locked: one process alone writes a file, and the parts of
/// killed processes are told from others. A device, a pipe or a link is written to in place.
#[derive(Debug)]
pub enum Target {
    Whole { part: NamedTempFile, path: PathBuf },
    InPlace { file: File, path: PathBuf },
}

impl Target {
    /// Opens a file for writing.
    pub fn create(path: &Path) -> Result<Self, Fault> {
        let fault = |error: io::Error| Fault::unwritten_file(path, error);
        let path = path.to_owned();
        let there = match fs::symlink_metadata(&path) {
            Ok(there) => Some(there),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fault(error)),
        };
        if path.as_os_str().to_string_lossy().ends_with('/') || path.file_name().is_none() {
            return Err(fault(io::Error::other("this is no name of a file")));
        }
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            let mut options = OpenOptions::new();
            let opened = options.write(true).create(true).truncate(true).open(&path);
            let file = opened.map_err(fault)?;
            return Ok(Self::InPlace { file, path });
        }
        let part = part_of(&path, there.as_ref())?;
        Ok(Self::Whole { part, path })
    }

    /// Gives the finished file its name.
    pub fn finish(self) -> Result<(), Fault> {
        match self {
            Self::Whole { part, path } => {
                let synced = part.as_file().sync_all();
                synced.map_err(|error| Fault::unwritten_file(&path, error))?;
                let named = part.persist(&path);
                named.map_err(|error| Fault::unwritten_file(&path, error.error))?;
                Ok(())
            }
            Self::InPlace { mut file, path } => {
                let flushed = file.flush();
                flushed.map_err(|error| Fault::unwritten_file(&path, error))
            }
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Whole { part, .. } => part.write(bytes),
            Self::InPlace { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Whole { part, .. } => part.flush(),
            Self::InPlace { file, .. } => file.flush(),
        }
    }
}

const PART: (&str, &str) = (".paishan-", ".part");

/// Makes the locked part file of a file, after removing the parts that killed processes have left in the folder. It
/// gets the permissions of the file it replaces, or else those of the user's other files.
fn part_of(path: &Path, there: Option<&Metadata>) -> Result<NamedTempFile, Fault> {
    let fault = |error: io::Error| Fault::unwritten_file(path, error);
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    remove_left_parts(folder);
    let mut name = DefaultHasher::new();
    path.file_name().hash(&mut name);
    let part = folder.join(format!("{}{:016x}{}", PART.0, name.finish(), PART.1));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        options.mode(there.map_or(0o666, |there| there.permissions().mode() & 0o7777));
    }
    // Another process may take a new file for a left one before it is locked.
    for _ in 0..100 {
        match options.open(&part) {
            Ok(file) if is_locked(&file, &part) => {
                let name = TempPath::try_from_path(&part).map_err(fault)?;
                return Ok(NamedTempFile::from_parts(file, name));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !remove_left(&part) {
                    let (path, part) = (path.display(), part.display());
                    let message = format!("{path}: another process writes this file, in {part}");
                    return Err(message.into());
                }
            }
            Err(error) => return Err(fault(error)),
        }
    }
    Err(fault(io::Error::other("its part file cannot be locked")))
}

/// Locks a file. False if another process has locked or removed it.
fn is_locked(file: &File, path: &Path) -> bool {
    match FileExt::try_lock(file) {
        Ok(()) => is_at(file, path),
        Err(TryLockError::WouldBlock) => false,
        // There are file systems without locks. Parts are never removed there.
        Err(TryLockError::Error(_)) => true,
    }
}

/// True if the path leads to this file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |of: io::Result<Metadata>| of.ok().map(|of| (of.dev(), of.ino()));
        place(file.metadata()) == place(fs::symlink_metadata(path))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Removes a part file that no process has locked. False if a process has.
fn remove_left(part: &Path) -> bool {
    let file = match File::open(part) {
        Ok(file) => file,
        Err(error) => return error.kind() == io::ErrorKind::NotFound,
    };
    match FileExt::try_lock(&file) {
        Ok(()) => !is_at(&file, part) || fs::remove_file(part).is_ok(),
        Err(_) => false,
    }
}

/// Removes the part files in a folder that no process has locked.
fn remove_left_parts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_part = name
            .to_str()
            .is_some_and(|name| name.starts_with(PART.0) && name.ends_with(PART.1));
        if is_part && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            remove_left(&entry.path());
        }
    }
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let mut target = Target::create(path)?;
    let written = target.write_all(bytes);
    written.map_err(|error| Fault::unwritten_file(path, error))?;
    target.finish()
}
