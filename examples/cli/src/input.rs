//! What commands read. All input has a size limit.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The size limit of a line of a log, and of deals to be scored again, in bytes.
pub const LONGEST_LINE: usize = 16 << 20;

/// What [`read_line`] found. It does not keep the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineRead {
    /// A line.
    Line,
    /// A line over the limit. Its first bytes are kept.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads a line of any bytes and keeps at most `most` of them.
pub fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<LineRead> {
    line.clear();
    let mut read = LineRead::End;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(read);
        }
        if read == LineRead::End {
            read = LineRead::Line;
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let kept = part.len().min(most - line.len());
        line.extend_from_slice(&part[..kept]);
        if kept < part.len() {
            read = LineRead::TooLong;
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(read);
        }
    }
}

/// The lines of an input with their numbers, from 1. A line that is too long, or is no text, is an error.
pub fn lines(mut input: impl BufRead) -> impl Iterator<Item = (usize, io::Result<String>)> {
    let mut line = Vec::new();
    (1..).map_while(move |number| {
        let read = match read_line(&mut input, &mut line, LONGEST_LINE) {
            Ok(LineRead::End) => return None,
            Ok(LineRead::Line) => String::from_utf8(std::mem::take(&mut line))
                .map_err(|_| io::Error::other("the line is no text")),
            Ok(LineRead::TooLong) => Err(too_long()),
            Err(error) => Err(error),
        };
        Some((number, read))
    })
}

/// The error for a line that is too long.
pub fn too_long() -> io::Error {
    io::Error::other(format!("a line of more than {LONGEST_LINE} bytes"))
}

/// A whole input, if it has at most `most` bytes.
pub fn read_all(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// The text of a file, if it has at most `most` bytes.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read_all(File::open(path)?, most)?;
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is no text"))
}
