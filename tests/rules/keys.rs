//! The guide to keys in `src/guide/keys.md` and the schema `rulesets/schema.json` are what the rows of the keys say.
//! Written anew with `PAISHAN_WRITE=1 cargo test --test rules keys`.

use crate::common::agents;
use crate::generated::{self, cell};
use paishan::Rules;
use paishan::lint::lint;
use paishan::ruleset::keys::{self, Absent, KeyDoc, KeyType, SECTIONS, SectionDoc};
use paishan::ruleset::{self, Source};
use paishan::simulate::{Summary, play};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::{env, fs};
use toml::de::{DeTable, DeValue};

fn guide() -> String {
    let mut text = String::new();
    for section in SECTIONS {
        let title = match section.path {
            "" => "The top of a file".to_owned(),
            "<any>" => "Any table".to_owned(),
            path => format!("`[{path}]`"),
        };
        text += &format!(
            "# {title}\n\n{}\n\n| key | type | without it | meaning |\n| --- | --- | --- | --- |\n",
            section.doc()
        );
        for key in section.keys {
            let absent = match key.absent {
                Absent::Required => "required".to_owned(),
                Absent::Default(value) => format!("`{value}`"),
                _ => "–".to_owned(),
            };
            // Links to the scopes.
            let value = key.value();
            let value = match value.split_once(" of scope ") {
                Some((what, scope)) => format!("{what} of scope [{scope}]"),
                None => value,
            };
            let [value, doc] = [value.as_str(), key.doc()].map(cell);
            text += &format!("| `{}` | {value} | {absent} | {doc} |\n", key.name);
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_guide_lists_every_key() {
    generated::compare("src/guide/keys.md", "keys", &guide());
}

/// The section of the tables that a key holds.
fn below(section: &SectionDoc, key: &KeyDoc) -> Value {
    let path = match section.path {
        "" => key.name.to_owned(),
        path => format!("{path}.{}", key.name),
    };
    reference(&path)
}

fn reference(definition: &str) -> Value {
    // `<` and `>` have no place in a reference.
    let name = definition.replace("<id>", "ID");
    json!({ "$ref": format!("#/definitions/{name}") })
}

fn of_type(section: &SectionDoc, key: &KeyDoc, of: &KeyType) -> Value {
    match of {
        KeyType::Bool => json!({ "type": "boolean" }),
        KeyType::Int { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        KeyType::Decimal => json!({ "type": "number" }),
        KeyType::Words(words) => json!({ "enum": words }),
        KeyType::Tiles => reference("ujmj"),
        KeyType::Names => reference("names"),
        KeyType::Any => json!({}),
        KeyType::Table => below(section, key),
        KeyType::List(item) => {
            json!({ "type": "array", "items": of_types(section, key, &[**item]) })
        }
        _ => json!({ "type": "string" }),
    }
}

/// One of these types, or what stands for a value.
fn of_types(section: &SectionDoc, key: &KeyDoc, types: &[KeyType]) -> Value {
    let mut all: Vec<Value> = Vec::new();
    let items: Vec<KeyType> = types
        .iter()
        .filter_map(|of| match of {
            KeyType::List(item) => Some(**item),
            _ => None,
        })
        .collect();
    for of in types {
        if !matches!(of, KeyType::List(_)) {
            all.push(of_type(section, key, of));
        }
    }
    // Lists may mix items of several types.
    if !items.is_empty() {
        all.push(json!({ "type": "array", "items": of_types(section, key, &items) }));
    }
    all.push(reference("chosen"));
    json!({ "anyOf": all })
}

fn of_key(section: &SectionDoc, key: &KeyDoc) -> Value {
    let mut schema = of_types(section, key, key.types);
    schema["description"] = match key.absent {
        Absent::Default(value) => format!("{} `{value}` if absent.", key.doc()).into(),
        _ => key.doc().into(),
    };
    schema
}

/// True for tables of a list. They are not merged with those of other files, so nothing may be missing.
fn is_item(section: &SectionDoc) -> bool {
    SECTIONS.iter().any(|parent| {
        let is_list = |key: &&KeyDoc| key.types.contains(&KeyType::List(&KeyType::Table));
        let mut lists = parent.keys.iter().filter(is_list);
        lists.any(|key| below(parent, key) == reference(section.path))
    })
}

fn of_section(section: &SectionDoc) -> Value {
    let mut properties = Map::new();
    let mut others = json!(false);
    for key in section.keys {
        match key.name {
            "<id>" | "<column>" => others = of_key(section, key),
            name => {
                properties.insert(name.to_owned(), of_key(section, key));
            }
        }
    }
    if !section.path.is_empty() {
        let any = keys::section("<any>").unwrap();
        for name in ["if", "enabled", "accept"] {
            let key = any.key(name).unwrap();
            properties.entry(name).or_insert_with(|| of_key(any, key));
        }
    }
    let mut schema = json!({
        "description": section.doc(),
        "type": "object",
        "properties": properties,
        "additionalProperties": others,
    });
    if is_item(section) {
        let required = section
            .keys
            .iter()
            .filter(|key| key.absent == Absent::Required);
        let names: Vec<&str> = required.map(|key| key.name).collect();
        schema["required"] = json!(names);
    }
    schema
}

/// A schema of draft 7, which editors with Taplo read.
fn schema() -> Value {
    let string = json!({ "type": "string" });
    let part = json!({
        "type": "object",
        "properties": { "tiles": reference("ujmj"), "if": string, "enabled": { "type": "boolean" } },
        "additionalProperties": false,
        "required": ["tiles"],
    });
    let mut definitions = Map::new();
    definitions.insert(
        "ujmj".to_owned(),
        json!({ "anyOf": [string, { "type": "array", "items": { "anyOf": [reference("ujmj"), part, reference("chosen")] } }] }),
    );
    definitions.insert(
        "names".to_owned(),
        json!({ "anyOf": [string, {
            "description": "Names by the tags of their languages.",
            "type": "object",
            "properties": { "en": string, "ja": string, "zh": string },
            "additionalProperties": string,
        }] }),
    );
    definitions.insert(
        "chosen".to_owned(),
        json!({ "anyOf": [
            {
                "description": "The value of an option.",
                "type": "object",
                "properties": { "option": string },
                "additionalProperties": false,
                "required": ["option"],
            },
            {
                "description": "A value that there is only under a condition over options.",
                "type": "object",
                "properties": { "is": {}, "if": string, "enabled": { "type": "boolean" } },
                "additionalProperties": false,
                "required": ["is", "if"],
            },
        ] }),
    );
    let mut schema = of_section(keys::section("").unwrap());
    for section in SECTIONS
        .iter()
        .filter(|section| !["", "<any>"].contains(&section.path))
    {
        definitions.insert(section.path.replace("<id>", "ID"), of_section(section));
    }
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("Rulesets of paishan");
    schema["definitions"] = definitions.into();
    schema
}

fn rulesets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets")
}

#[test]
fn the_schema_is_that_of_the_keys() {
    let path = rulesets().join("schema.json");
    let wanted = schema();
    if env::var_os("PAISHAN_WRITE").is_some() {
        fs::write(
            &path,
            format!("{}\n", serde_json::to_string_pretty(&wanted).unwrap()),
        )
        .unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    let written: Value = serde_json::from_str(&written).unwrap_or_default();
    let command = "PAISHAN_WRITE=1 cargo test --test rules keys";
    assert!(
        written == wanted,
        "{} is stale; write it anew with {command}",
        path.display()
    );
}

/// Whether a value is valid, for the words of JSON Schema that the schema uses.
fn is_valid(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(words) = schema.as_object() else {
        return schema == &json!(true);
    };
    words.iter().all(|(word, says)| match word.as_str() {
        "$schema" | "title" | "description" | "definitions" => true,
        "$ref" => {
            let pointer = says.as_str().unwrap().strip_prefix('#').unwrap();
            is_valid(root, root.pointer(pointer).unwrap(), value)
        }
        "anyOf" => says
            .as_array()
            .unwrap()
            .iter()
            .any(|one| is_valid(root, one, value)),
        "enum" => says.as_array().unwrap().contains(value),
        "type" => match says.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            "number" => value.is_number(),
            other => panic!("no type {other}"),
        },
        "minimum" => value
            .as_i64()
            .is_none_or(|int| says.as_i64().unwrap() <= int),
        "maximum" => value
            .as_i64()
            .is_none_or(|int| int <= says.as_i64().unwrap()),
        "items" => {
            let items = value.as_array().into_iter().flatten();
            items.into_iter().all(|item| is_valid(root, says, item))
        }
        "required" => {
            let mut names = says.as_array().unwrap().iter();
            names.all(|name| {
                value
                    .as_object()
                    .is_none_or(|of| of.contains_key(name.as_str().unwrap()))
            })
        }
        "properties" => says.as_object().unwrap().iter().all(|(name, schema)| {
            value
                .get(name)
                .is_none_or(|value| is_valid(root, schema, value))
        }),
        "additionalProperties" => {
            let known = schema["properties"].as_object().unwrap();
            let mut members = value.as_object().into_iter().flatten();
            members.all(|(name, value)| known.contains_key(name) || is_valid(root, says, value))
        }
        other => panic!("no word {other} of schemas"),
    })
}

fn json_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(int) => json!(i64::from_str_radix(int.as_str(), int.radix()).unwrap()),
        DeValue::Float(float) => json!(float.as_str().parse::<f64>().unwrap()),
        DeValue::Boolean(is) => json!(is),
        DeValue::Datetime(_) => Value::Null,
        DeValue::Array(items) => items.iter().map(|item| json_of(item.get_ref())).collect(),
        DeValue::Table(table) => json_of_table(table),
    }
}

fn json_of_table(table: &DeTable<'_>) -> Value {
    let member = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        (key.to_string(), json_of(value.get_ref()))
    };
    Value::Object(table.iter().map(member).collect())
}

fn accepts(schema: &Value, text: &str) -> bool {
    let table = DeTable::parse(text).unwrap();
    is_valid(schema, schema, &json_of_table(table.get_ref()))
}

#[test]
fn the_schema_accepts_every_ruleset() {
    let schema = schema();
    let mut files = 0;
    for entry in fs::read_dir(rulesets()).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let text = fs::read_to_string(&path).unwrap();
            assert!(accepts(&schema, &text), "{}", path.display());
            files += 1;
        }
    }
    assert!(files > ruleset::ids().count());
    assert!(accepts(&schema, keys::SKELETON));
}

/// Shipped files name their schema in a comment.
#[test]
fn the_name_of_the_schema_is_no_rule() {
    for id in ruleset::ids() {
        let text = ruleset::text(id).unwrap();
        let without = text.strip_prefix("#:schema ./schema.json\n").unwrap();
        let [one, other] = [text, without].map(|text| Rules::from_toml("my.toml", text).unwrap());
        assert_eq!(
            one.plan().content_hash(),
            other.plan().content_hash(),
            "{id}"
        );
    }
}

/// A mistake that the loader finds, and the same file without it.
#[test]
fn the_schema_refuses_what_the_loader_refuses() {
    let schema = schema();
    for (wrong, right) in [
        ("wall.hieght = 2", "wall.height = 2"),
        ("wall.height = 5", "wall.height = 4"),
        (
            "wall.height = \"2\"",
            "wall.height = { is = 2, if = \"flowers == 1\" }",
        ),
        ("wall.ring = \"with-turn\"", "wall.ring = \"with-turns\""),
        (
            "deal.packets = [4, 4, 4, 1, 17]",
            "deal.packets = [4, 4, 4, 1]",
        ),
        // A number could be an amount of a column, whose names only the loader knows.
        (
            "patterns.woo.supersede = [\"self-draw\"]",
            "patterns.woo.doc = \"The same.\"",
        ),
        (
            "match.ends = [{ deal = 3 }]",
            "match.ends = [{ deals = 3 }]",
        ),
        (
            "tiles.copies = [{ tiles = \"1t\" }]",
            "aside.flower.tiles = \"hijk\"",
        ),
        ("wild.white.tiles = 3", "wild.white.tiles = \"P\""),
        (
            "patterns.woo.name = [\"Woo\"]",
            "patterns.woo.name = \"Woo\"",
        ),
        (
            "patterns.woo.name.zh = 3",
            "patterns.woo.name = { en = \"Woo\", zh = \"和\" }",
        ),
        (
            "actions.names.pongg = \"pon\"",
            "actions.names.pung.ja = \"ポン\"",
        ),
        ("rules = {}", "procedures = {}"),
    ] {
        for (line, is_right) in [(wrong, false), (right, true)] {
            let text = format!("ruleset = {{ id = \"my\", extends = \"woo\" }}\n{line}\n");
            assert_eq!(accepts(&schema, &text), is_right, "{line}");
            let loads = Rules::from_toml("my.toml", &text);
            assert_eq!(loads.is_ok(), is_right, "{line}: {loads:?}");
        }
    }
}

#[test]
fn the_skeleton_lints_clean_and_plays() {
    let source = Source::text("my-rules.toml", keys::SKELETON);
    assert_eq!(lint(&source, &[]).unwrap(), []);
    let rules = source.load(&[]).unwrap();
    let mut summary = Summary::default();
    play(&rules, &mut agents(&rules, "greedy"), 7, &mut summary).unwrap();
    assert!(summary.deals >= 4);
}

/// The lint names the keys that a golden hand may expect.
#[test]
fn golden_hands_expect_what_the_keys_say() {
    let source = Source::text(
        "my-rules.toml",
        keys::SKELETON.replace("expect = { points = 4,", "expect = { no = 4,"),
    );
    let lints = lint(&source, &[]).unwrap();
    let (_, named) = lints[0].message.split_once("there are ").unwrap();
    let named: Vec<&str> = named
        .split([',', ' '])
        .filter(|word| !["", "and"].contains(word))
        .collect();
    let expect = keys::section("examples.expect").unwrap();
    // The one column of the skeleton.
    let name = |key: &KeyDoc| match key.name {
        "<column>" => "fan",
        name => name,
    };
    let rows: Vec<&str> = expect.keys.iter().map(name).collect();
    assert_eq!(named, rows);
}
