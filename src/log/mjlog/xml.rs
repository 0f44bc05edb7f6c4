//! The tags of an XML text.

use super::Tag;
use quick_xml::Reader;
use quick_xml::events::Event;

/// A text is not XML.
#[derive(Clone, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
#[non_exhaustive]
pub struct XmlError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// The tags of an XML text, each with its line. Needs the feature `xml`.
///
/// ```
/// use paishan::log::mjlog;
/// let tags = mjlog::tags("<mjloggm>\n<TAIKYOKU oya=\"0\"/>\n</mjloggm>")?;
/// let (tag, line) = &tags[1];
/// assert_eq!((&*tag.name, *line), ("TAIKYOKU", 2));
/// assert_eq!(tag.attributes, [("oya".to_owned(), "0".to_owned())]);
/// # Ok::<(), mjlog::XmlError>(())
/// ```
///
/// # Errors
/// [`XmlError`] with the line of the fault.
pub fn tags(text: &str) -> Result<Vec<(Tag, usize)>, XmlError> {
    let mut reader = Reader::from_str(text);
    let mut tags = Vec::new();
    let (mut line, mut counted) = (1, 0);
    loop {
        let place =
            usize::try_from(reader.buffer_position()).map_or(text.len(), |at| at.min(text.len()));
        let passed = text.as_bytes()[counted..place].iter();
        line += passed.filter(|&&byte| byte == b'\n').count();
        counted = place;
        let fault = |message: String| XmlError { line, message };
        match reader.read_event() {
            Ok(Event::Eof) => return Ok(tags),
            Ok(Event::Start(tag) | Event::Empty(tag)) => {
                let mut attributes = Vec::new();
                for attribute in tag.attributes() {
                    let attribute = attribute.map_err(|error| fault(error.to_string()))?;
                    attributes.push((plain(attribute.key.as_ref()), plain(&attribute.value)));
                }
                let name = plain(tag.name().as_ref());
                tags.push((Tag { name, attributes }, line));
            }
            Ok(_) => {}
            Err(error) => return Err(fault(error.to_string())),
        }
    }
}

fn plain(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_their_line() {
        let line = |text: &str| tags(text).unwrap_err().line;
        assert_eq!(line("<a>\n</b>"), 2);
        assert_eq!(line("<a/>\n<b x/>"), 2);
        assert_eq!(line("<a/>\n<b/>\n<c x=\"1\" x=\"2\"/>"), 3);
        assert!(tags("").unwrap().is_empty());
    }
}
