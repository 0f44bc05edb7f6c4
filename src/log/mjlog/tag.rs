//! [`Tag`].

/// A tag of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tag {
    /// Name of the tag.
    pub name: String,
    /// Names and values of the attributes.
    pub attributes: Vec<(String, String)>,
}
