//! Names by language: which files give them, how they are inherited, and where they are shown. They are no rules.

use paishan::protocol::{Responder, Value};
use paishan::ruleset::{self, LoadError, Source};
use paishan::{Lang, Names, Notation, Request, Rules, Suit, Tile};
use serde_json::{Value as Json, json};

const LANGS: [Lang; 3] = [Lang::EN, Lang::ZH, Lang::JA];

/// `woo` with more lines.
fn source(lines: &str) -> Source {
    Source::text(
        "my-woo.toml",
        format!("ruleset.id = \"my-woo\"\nruleset.extends = \"woo\"\n{lines}\n"),
    )
}

fn woo(lines: &str) -> Result<Rules, LoadError> {
    source(lines).load(&[])
}

fn pattern<'a>(rules: &'a Rules, id: &str) -> &'a Names {
    let patterns = rules.plan().score().patterns().iter();
    let found = patterns.into_iter().find(|pattern| pattern.id == id);
    &found.unwrap().names
}

#[test]
fn tiles_and_actions_of_every_ruleset_have_names_in_three_languages() {
    for id in ruleset::ids() {
        let rules = Rules::by_id(id).unwrap();
        let plan = rules.plan();
        for (key, names) in plan.tile_names().iter().chain(plan.action_names().iter()) {
            for lang in LANGS {
                let name = names.given_in(lang).unwrap_or_default();
                assert!(!name.is_empty(), "{id}: {key} in {lang}");
            }
        }
        for lang in LANGS {
            let mut names: Vec<String> = Vec::new();
            for kind in plan.tiles().kinds().iter() {
                names.push(plan.tile_names().tile(kind.into(), lang));
            }
            for flower in plan.tiles().flowers().iter() {
                names.push(plan.tile_names().tile(Tile::flower(flower), lang));
            }
            assert!(
                names.iter().all(|name| !name.contains(['{', '}'])),
                "{names:?}"
            );
            let count = names.len();
            names.sort();
            names.dedup();
            assert_eq!(
                names.len(),
                count,
                "{id}: two tiles with one name in {lang}"
            );
        }
    }
}

#[test]
fn a_string_is_the_english_name() {
    let string = woo("patterns.woo.name = \"Going out\"").unwrap();
    let table = woo("patterns.woo.name.en = \"Going out\"").unwrap();
    assert_eq!(pattern(&string, "woo"), pattern(&table, "woo"));
    assert_eq!(pattern(&string, "woo").get(Lang::EN), "Going out");
    assert_eq!(
        pattern(&string, "woo").get("fi".parse().unwrap()),
        "Going out"
    );
}

#[test]
fn names_are_merged_by_language() {
    let text =
        "options.cap.name = { zh = \"封顶\", fi = \"Katto\" }\ntiles.suits.t.name.fi = \"pallot\"";
    let names = woo(text).unwrap();
    let plan = names.plan();
    let fi: Lang = "fi".parse().unwrap();
    let cap = plan
        .options()
        .iter()
        .find(|(spec, _)| spec.name == "cap")
        .unwrap()
        .0;
    assert_eq!(cap.names.get(Lang::ZH), "封顶");
    assert_eq!(cap.names.get(fi), "Katto");
    assert_eq!(plan.tile_names().suit(Suit::Circles, fi), "pallot");
    assert_eq!(plan.tile_names().suit(Suit::Circles, Lang::ZH), "筒子");
    assert_eq!(
        plan.tile_names().tile("3t".parse().unwrap(), fi),
        "3 of pallot"
    );
    // A file that says one language keeps the others of the file that it extends.
    let riichi =
        "ruleset = { id = \"my\", extends = \"riichi-tenhou\" }\nactions.names.pung.ja = \"ぽん\"";
    let riichi = Rules::from_toml("my.toml", riichi).unwrap();
    let deal = paishan::Match::new(&riichi, 7).start_deal();
    let say = |lang| {
        riichi
            .plan()
            .describe("pon CCC".parse().unwrap(), deal.state().phase(), lang)
    };
    assert_eq!(LANGS.map(say), ["pon", "碰", "ぽん"]);
}

#[test]
fn single_tiles_have_names_of_their_own() {
    let base = "ruleset = { id = \"base\", extends = \"riichi-tenhou\" }\n\
        tiles.names.tile = { 5t = \"goose\", F = { zh = \"龙\" }, C = {} }";
    let text =
        "ruleset = { id = \"my\", extends = \"./base.toml\" }\ntiles.names.tile.5t.zh = \"鹅\"";
    let source = Source::with_parents("my.toml", text, |_| Some(base.to_owned())).unwrap();
    let merged = source.resolved().unwrap();
    for rules in [
        source.load(&[]).unwrap(),
        Rules::from_toml("my.toml", &merged).unwrap(),
    ] {
        let names = rules.plan().tile_names();
        let said = |tile: &str| LANGS.map(|lang| names.tile(tile.parse::<Tile>().unwrap(), lang));
        assert_eq!(said("5t"), ["goose", "鹅", "goose"]);
        assert_eq!(said("Rt"), ["red goose", "红鹅", "赤goose"]);
        assert_eq!(said("F"), ["green dragon", "龙", "發"]);
        assert_eq!(said("C"), ["red dragon", "中", "中"]);
        assert_eq!(said("5s")[0], "5 of bamboos");
    }
    let rules = woo("tiles.names.tile.h = \"plum\"").unwrap();
    let names = rules.plan().tile_names();
    assert_eq!(names.tile("h".parse().unwrap(), Lang::JA), "plum");
}

#[test]
fn a_child_is_not_called_like_its_parent() {
    let unnamed = woo("").unwrap();
    assert_eq!(
        LANGS.map(|lang| unnamed.plan().names().get(lang)),
        ["My woo"; 3]
    );
    let named = woo("ruleset.name.zh = \"我的\"").unwrap();
    assert_eq!(named.plan().name(), "My woo");
    assert_eq!(named.plan().names().get(Lang::ZH), "我的");
}

#[test]
fn names_change_no_hash() {
    let hash = |lines: &str| woo(lines).unwrap().plan().content_hash();
    let plain = hash("");
    for lines in [
        "ruleset.name = \"Mine\"",
        "ruleset.name.zh = \"我的\"",
        "patterns.woo.name = { en = \"Going out\", zh = \"和\" }",
        "options.cap.name.ja = \"上限\"",
        "tiles.suits.t.name = \"dots\"",
        "tiles.suits.t.tile.fi = \"{rank} {suit}\"",
        "tiles.names.tile.3t = \"goose\"",
        "actions.names.pung.ja = \"ポン\"",
    ] {
        assert_eq!(hash(lines), plain, "{lines}");
        let differences = source("").differences(&source(lines)).unwrap();
        assert_eq!(differences, []);
    }
    assert_ne!(hash("patterns.woo.base = 12"), plain);
    assert_ne!(hash("[patterns.name]\nbase = 2\nwhen = \"winner\""), plain);
}

#[test]
fn a_merged_file_has_the_same_names() {
    let lines = "ruleset.name = \"Mine\"\npatterns.woo.name = { en = \"Going out\", zh = \"和\" }";
    let merged = source(lines).resolved().unwrap();
    assert!(merged.contains("\nname = \"Mine\"\n"), "{merged}");
    let one = woo(lines).unwrap();
    let other = Rules::from_toml("my-woo.toml", &merged).unwrap();
    assert_eq!(one.plan().names(), other.plan().names());
    assert_eq!(one.plan().content_hash(), other.plan().content_hash());
    for pattern in one.plan().score().patterns() {
        assert_eq!(
            &pattern.names,
            self::pattern(&other, &pattern.id),
            "{}",
            pattern.id
        );
    }
}

#[test]
fn faults_in_names_are_told_with_their_place() {
    let tag = "a language tag of 2 to 8 lower-case letters, digits and hyphens, such as `zh`";
    for (line, at, message) in [
        (
            "patterns.woo.name.ZH = \"和\"",
            19,
            format!("`patterns.woo.name.ZH` must be {tag}"),
        ),
        (
            "options.cap.name = { en = \"Cap\", x = \"X\" }",
            34,
            format!("`options.cap.name.x` must be {tag}"),
        ),
        (
            "patterns.woo.name.zh = 3",
            24,
            "`patterns.woo.name.zh` must be a string".to_owned(),
        ),
        (
            "patterns.woo.name = [\"Woo\"]",
            21,
            "`patterns.woo.name` must be a string, or a table of strings by language".to_owned(),
        ),
        (
            "tiles.suits.t.tile = \"{rnak} of dots\"",
            22,
            "`tiles.suits.t.tile.en` must be a name with no words in braces but `{rank}`, `{suit}`"
                .to_owned(),
        ),
        (
            "tiles.suits.x.name = \"dots\"",
            13,
            "`tiles.suits.x` must be a suit: `t`, `s` or `m`".to_owned(),
        ),
        (
            "tiles.suits.t.honour = \"3s\"",
            24,
            "`tiles.suits.t.honour` must be one honour in play, such as `P`".to_owned(),
        ),
        (
            "tiles.suits.t.honour = \"A\"",
            24,
            "`tiles.suits.t.honour` must be one honour in play, such as `P`".to_owned(),
        ),
        (
            "tiles.names.circles = \"dots\"",
            13,
            "unknown key `circles` in [tiles.names]".to_owned(),
        ),
        (
            "tiles.names.tile.Rt = \"red\"",
            18,
            "`tiles.names.tile.Rt` must be a kind or a flower, such as `xt`".to_owned(),
        ),
        (
            "tiles.names.tile.3t = \"{rank} geese\"",
            23,
            "`tiles.names.tile.3t.en` must be a name without words in braces".to_owned(),
        ),
        (
            "actions.names.discrad = \"throw\"",
            15,
            "unknown key `discrad` in [actions.names]; did you mean `discard`?".to_owned(),
        ),
    ] {
        let error = woo(line).unwrap_err().to_string();
        assert_eq!(error, format!("my-woo.toml:3:{at}: {message}"));
    }
}

#[test]
fn explanations_have_names_in_the_language_asked_for() {
    let rules = woo("patterns.woo.name = { en = \"Going out\", zh = \"和牌 <底>\" }").unwrap();
    let request = Request::won(&"111234567s55s67s".parse().unwrap(), "8s".parse().unwrap());
    let told = |lang| {
        rules
            .explain(&request, Notation::Ujmj.in_lang(lang))
            .unwrap()
    };
    let english = rules.explain(&request, Notation::Ujmj).unwrap();
    assert_eq!(english, told(Lang::EN));
    for (told, name, html) in [
        (english, "Going out", "<td>Going out</td>"),
        (told(Lang::ZH), "和牌 <底>", "<td>和牌 &lt;底&gt;</td>"),
    ] {
        let counted = told.patterns.iter().find(|one| one.id == "woo").unwrap();
        assert_eq!(counted.name, name);
        assert!(told.steps.iter().any(|step| step.reason == name), "{told}");
        assert!(told.to_string().contains(&format!("\n  {name} ")), "{told}");
        assert!(told.to_html().contains(html), "{}", told.to_html());
    }
}

fn answer(responder: &mut Responder, request: Json) -> Json {
    let request: Value = serde_json::from_value(request).unwrap();
    serde_json::to_value(responder.answer(&request)).unwrap()
}

#[test]
fn json_requests_have_a_language() {
    let rules = "ruleset = { id = \"my-woo\", extends = \"woo\", name = { en = \"My Woo\", zh = \"我的\" } }\n\
        patterns.woo.name = { en = \"Going out\", zh = \"和牌\" }\n";
    let mut responder = Responder::new();
    let registered = answer(
        &mut responder,
        json!({"type": "rules", "rules": rules, "lang": "zh-tw"}),
    );
    assert_eq!(
        (&registered["ruleset"], &registered["name"]),
        (&json!("my-woo"), &json!("我的"))
    );
    let score = json!({
        "type": "score", "ruleset": "my-woo", "player": {"seat": "S", "hand": "111234567s55s67s"},
        "win": {"tile": "8s", "by": "wall"}, "explain": true,
    });
    let mut name = |lang: Option<&str>| {
        let mut request = score.clone();
        if let Some(lang) = lang {
            request["lang"] = lang.into();
        }
        let answer = answer(&mut responder, request);
        let find = |list: &Json| {
            let list = list.as_array().unwrap();
            list.iter().find(|one| one["id"] == "woo").unwrap()["name"].clone()
        };
        (
            find(&answer["patterns"]),
            find(&answer["explanation"]["patterns"]),
        )
    };
    assert_eq!(name(None), (Json::Null, json!("Going out")));
    assert_eq!(name(Some("zh")), (json!("和牌"), json!("和牌")));
    assert_eq!(name(Some("fi")), (json!("Going out"), json!("Going out")));

    let new = json!({"type": "new", "ruleset": "my-woo", "seed": 7, "table": "t"});
    assert_eq!(answer(&mut responder, new)["ok"], true);
    let mut words = |kind: &str, lang: &str| {
        let answer = answer(
            &mut responder,
            json!({"type": kind, "table": "t", "lang": lang}),
        );
        let legal = [&answer["actions"], &answer["view"]["legal"]];
        let list = legal.into_iter().find_map(Json::as_array);
        let first = list.map_or(&answer, |list| &list[0]);
        first["words"].as_str().map(str::to_owned)
    };
    for kind in ["legal", "view", "hint"] {
        for (lang, lay, discard) in [
            ("en", "lay down ", "discard "),
            ("zh", "亮出 ", "打 "),
            ("ja", "晒す ", "打 "),
            ("fi", "lay down ", "discard "),
        ] {
            let words = words(kind, lang).unwrap();
            let is_known = words.starts_with(lay) || words.starts_with(discard);
            assert!(is_known, "{kind} in {lang}: {words}");
        }
        assert_eq!(words(kind, "EN"), None);
    }
    for request in [
        json!({"type": "legal", "table": "t", "lang": "EN"}),
        json!({"type": "new", "ruleset": "my-woo", "seed": 7, "lang": 3}),
        json!({"type": "score", "ruleset": "my-woo", "lang": ""}),
    ] {
        let error = answer(&mut responder, request)["error"].clone();
        assert_eq!(error["code"], "bad-request");
        assert_eq!(
            error["message"],
            "`lang` must be a language tag such as `zh`"
        );
    }
}
