//! The texts of the built-in rulesets.

/// A built-in text.
pub(super) struct Text {
    pub(super) id: &'static str,
    /// The name of its file.
    pub(super) file: &'static str,
    pub(super) text: &'static str,
}

/// The texts of these ids.
macro_rules! texts {
    ($($id:literal),+ $(,)?) => {
        &[$(Text {
            id: $id,
            file: concat!("rulesets/", $id, ".toml"),
            text: include_str!(concat!("../../rulesets/", $id, ".toml")),
        }),+]
    };
}

/// Texts that several rulesets extend. They are not playable by themselves.
const PARENTS: &[Text] = texts!["chinese"];

/// The built-in rulesets. Files that have much in common stand together: they are packed with a program, and take less room
/// so.
const BUILT_IN: &[Text] = texts![
    "riichi-mcgill",
    "japanese-classical",
    "singaporean",
    "guangdong",
    "hong-kong-old-style",
    "two-player",
    "taiwanese",
    "malaysian",
    "korean",
    "vietnamese",
    "zung-jung",
    "mcr",
    "sichuan",
    "changsha",
    "fuzhou",
    "hangzhou",
    "american",
    "filipino",
    "uzje",
    "woo",
    "traditional",
    "celestial",
    "riichi-sanma",
    "riichi-mahjong-soul-sanma",
    "riichi-mahjong-soul",
    "riichi-rmu",
    "riichi-saikouisen",
    "riichi-jpml",
    "riichi-tenhou",
    "riichi-m-league",
    "riichi-wrc",
    "riichi-ema",
];

/// What tiles and actions are called in rulesets without names of their own. It is no ruleset.
pub(super) const NAMES: Text = Text {
    id: "names",
    file: "rulesets/names.toml",
    text: include_str!("../../rulesets/names.toml"),
};

/// The ids of the built-in rulesets, in alphabetical order.
///
/// ```
/// assert!(paishan::ruleset::ids().any(|id| id == "woo"));
/// ```
pub fn ids() -> impl Iterator<Item = &'static str> {
    let mut ids: Vec<_> = BUILT_IN.iter().map(|one| one.id).collect();
    ids.sort_unstable();
    ids.into_iter()
}

/// The texts that a ruleset may extend: the built-in ones and their parents.
pub(super) fn extendable() -> impl Iterator<Item = &'static Text> {
    BUILT_IN.iter().chain(PARENTS)
}

/// The text of a built-in ruleset, or of a common parent (`chinese`), as an example or a starting point.
pub fn text(id: &str) -> Option<&'static str> {
    extendable().find(|one| one.id == id).map(|one| one.text)
}
