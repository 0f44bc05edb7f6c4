//! Reads complete hands that are not groups and a pair: `[forms]`.

use super::super::keys;
use super::super::source::{Node, RulesetError, RulesetFault, Section, Value};
use super::tiles::Classes;
use crate::decompose::{FormError, FormItem, Honours, SpecialForm};
use crate::score::condition::{self, Constant, Names};
use crate::set::KindSet;
use crate::tile_set::TileSet;

/// The most special forms that a ruleset may have.
const MAX_FORMS: usize = 100;

/// The most texts of a form.
const MAX_WAYS: usize = 50;

/// The names of classes where no other names are known.
pub(super) struct ClassNames<'a>(pub(super) &'a Classes);

impl Names for ClassNames<'_> {
    fn option(&self, _: &str) -> Option<Constant> {
        None
    }

    fn class(&self, name: &str) -> Option<KindSet> {
        let found = self.0.kinds.iter().find(|(class, _)| class == name);
        found.map(|(_, kinds)| *kinds)
    }

    fn honours(&self) -> Honours {
        self.0.honours
    }

    fn known(&self, what: &'static str) -> Vec<&str> {
        let classes = self.0.kinds.iter().map(|(class, _)| class.as_str());
        match what {
            "item" => condition::item_words().collect(),
            _ => classes.chain(["any"]).collect(),
        }
    }
}

/// Reads the forms of hands of `whole` tiles, of which `beyond` may be copies that the set does not have.
pub(super) fn read_forms(
    root: &Section<'_>,
    tiles: &TileSet,
    classes: &Classes,
    whole: usize,
    beyond: u8,
) -> Result<Vec<SpecialForm>, RulesetError> {
    let mut forms = Vec::new();
    let natural = read_natural(root)?;
    let declared_kongs = !read_replacement(root)?;
    let Some(section) = root.section("forms")? else {
        return Ok(forms);
    };
    section.only_tables()?;
    if section.entries().len() > MAX_FORMS {
        return Err(section.too_many("forms", section.entries().len(), MAX_FORMS));
    }
    for (id, _, one) in section.ids() {
        let mut form = SpecialForm::new(
            read_ways(&one, &ClassNames(classes))?,
            one.bool("concealed")?.unwrap_or(true),
        );
        form.natural.clone_from(&natural);
        form.declared_kongs = declared_kongs;
        form.beyond = beyond;
        form.check(tiles.copies(), whole).map_err(|error| {
            let item = item_at_fault(&one, &form, tiles, &error);
            let form = id.to_owned();
            one.fault_of("groups", RulesetFault::Form { form, item, error })
        })?;
        forms.push(form);
        one.text("doc")?;
        one.text("src")?;
        one.finish()?;
    }
    Ok(forms)
}

/// The first item with which the items up to it have the same error as the form.
fn item_at_fault(
    one: &Section<'_>,
    form: &SpecialForm,
    tiles: &TileSet,
    error: &FormError,
) -> Option<String> {
    let node = one.node("groups")?;
    let texts = match &node.value {
        Value::List(texts) => texts,
        _ => std::slice::from_ref(node),
    };
    let has_fault = |items: &[FormItem]| {
        let part = SpecialForm {
            ways: vec![items.to_vec()],
            ..form.clone()
        };
        let whole = items.iter().map(FormItem::size).sum();
        part.check(tiles.copies(), whole).err().as_ref() == Some(error)
    };
    form.ways.iter().zip(texts).find_map(|(items, text)| {
        let last = (0..items.len()).find(|&last| has_fault(&items[..=last]))?;
        let item = condition::item_texts(text.as_text()?).nth(last)?;
        Some(item.trim().to_owned())
    })
}

/// Whether kongs draw replacements. `read_play` reads the other keys of `[kongs]`.
pub(super) fn read_replacement(root: &Section<'_>) -> Result<bool, RulesetError> {
    let kongs = root.section("kongs")?;
    let replacement = kongs.map(|kongs| kongs.bool("replacement")).transpose()?;
    Ok(replacement.flatten().unwrap_or(true))
}

/// Reads the numbers of tiles alike in which no wild tile may stand.
fn read_natural(root: &Section<'_>) -> Result<Vec<u8>, RulesetError> {
    let rows = root.section("wild")?;
    for (_, _, one) in rows.iter().flat_map(Section::ids) {
        let items = one.list("in-forms")?;
        if one.has("in-forms") {
            let mut natural: Vec<u8> = condition::ITEM_SIZES.map(|(_, size)| size).to_vec();
            for node in items {
                let size = one.word_of(node, "in-forms", &condition::ITEM_SIZES)?;
                natural.retain(|other| *other != size);
            }
            return Ok(natural);
        }
    }
    Ok(Vec::new())
}

/// Reads the items of a form: one text, or a list of them for a hand that can be made in several ways.
fn read_ways(one: &Section<'_>, names: &dyn Names) -> Result<Vec<Vec<FormItem>>, RulesetError> {
    let items = |node: &Node| match &node.value {
        Value::Text(text) => {
            condition::items(text, names).map_err(|error| one.texts().condition(node.place, error))
        }
        _ => Err(one.bad(node, "groups", &keys::FORM_ITEMS.to_string())),
    };
    let node = one.node("groups");
    let node = one.require("groups", node)?;
    let Value::List(texts) = &node.value else {
        one.asks("groups", || keys::FORM_ITEMS);
        return Ok(vec![items(node)?]);
    };
    one.asks("groups", || "a list");
    one.asks_items("groups", || keys::FORM_ITEMS);
    match texts.len() {
        0 => Err(one.missing("groups")),
        1..=MAX_WAYS => {
            let ways: Vec<_> = texts.iter().map(items).collect::<Result<_, _>>()?;
            match (1..ways.len()).find(|&place| ways[..place].contains(&ways[place])) {
                Some(place) => Err(one.bad(
                    &texts[place],
                    "groups",
                    "a hand that the list does not have yet",
                )),
                None => Ok(ways),
            }
        }
        have => Err(one.too_many("texts of a form", have, MAX_WAYS)),
    }
}
