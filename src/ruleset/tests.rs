use super::*;

fn fault(text: &str) -> String {
    Rules::from_toml("my.toml", text).unwrap_err().to_string()
}

const HEADER: &str = "[ruleset]\nid = \"my\"\nextends = \"woo\"\n";

#[test]
fn every_built_in_ruleset_loads_with_every_option() {
    for id in ids() {
        let loaded = Rules::from_toml(id, text(id).unwrap()).unwrap();
        assert_eq!(loaded.plan().id, id);
        for (spec, _) in loaded.plan().options.iter() {
            assert!(
                !spec.doc.is_empty() && !spec.src.is_empty(),
                "{}",
                spec.name
            );
        }
        for pattern in loaded.plan().score.patterns() {
            assert!(
                !pattern.doc.is_empty() && !pattern.src.is_empty(),
                "{}",
                pattern.id
            );
        }
    }
}

#[test]
fn faults_name_line_column_and_the_nearest_word() {
    let say = |rest: &str| fault(&format!("{HEADER}{rest}"));
    assert_eq!(
        say("[patterns.woo]\nbaze = 3\n"),
        "my.toml:5:1: unknown key `baze` in [patterns.woo]; did you mean `base`?"
    );
    assert_eq!(
        say("[win]\nrequires = \"closed\"\n"),
        "my.toml:5:1: unknown key `requires` in [win]; did you mean `when`?"
    );
    assert_eq!(
        say("[flags.x]\nrequires = \"closed\"\n"),
        "my.toml:5:1: unknown key `requires` in [flags.x]; did you mean `consistent`?"
    );
    assert_eq!(
        say("[patterns.woo]\nwhen = \"winer\"\n"),
        "my.toml:5:9: no fact `winer`; did you mean `winner`?"
    );
    assert_eq!(
        say("[patterns.x]\ndoubles = 1\nper = \"melds(pung, drgaon)\"\n"),
        "my.toml:6:20: no class `drgaon`; did you mean `dragon`?"
    );
    assert_eq!(
        say("[score]\nlimit = { option = \"cpa\" }\n"),
        "my.toml:5:20: `cpa` is no option; did you mean `cap`?"
    );
    assert_eq!(
        say("[score]\nlimit = \"much\"\n"),
        "my.toml:5:9: `score.limit` must be an integer from 1 to 1000000000"
    );
    assert_eq!(
        say("[wall]\nring = \"with-turn\"\n"),
        "my.toml:5:8: `with-turn` is no word for this key; did you mean `with-turns`?"
    );
    assert_eq!(
        say("[claims]\nprecedence = [\"win\", \"pong\"]\n"),
        "my.toml:5:22: `pong` is no claim; did you mean `kong`?"
    );
    assert_eq!(
        say("[tiles.classes]\nbig = \"99t9\"\n"),
        "my.toml:5:7: `big` must be tiles in ujmj notation, whose suits are `t`, `s` and `m`: the rank at byte 3 has no suit letter after it"
    );
    assert_eq!(
        say("[patterns.x]\nbase = 2\nsupersedes = [\"wooo\"]\n"),
        "my.toml:6:15: `wooo` is no pattern; did you mean `woo`?"
    );
    assert_eq!(
        say("[patterns.woo]\nbase = 11\n"),
        "my.toml:5:8: `patterns.woo.base` must be a multiple of 2, the quantum"
    );
    assert_eq!(
        say("[patterns.woo]\nbase = 2.5\n"),
        "my.toml:5:8: `patterns.woo.base` must be a multiple of 2, the quantum"
    );
    let nothing = say("[patterns.x]\nwhen = \"closed\"\n");
    assert!(
        nothing.contains(
            "`doubles`, `base`, `bonus`, `final-doubles` (columns of `sums`) or `limits`"
        ),
        "{nothing}"
    );
    assert!(
        say("[wal]\n").contains("unknown key `wal` at the top of the file; did you mean `wall`?")
    );
    assert!(say("[deal]\npackets = [4, 4]\n").contains("in all, not 8"));
    assert!(say("[wall]\nheight = 3\nreserve = 100\n").contains("too few"));
    assert!(say("x = ").starts_with("my.toml:4:"));
    assert_eq!(
        fault("[ruleset]\nid = \"my\"\nextends = \"wo\"\n"),
        "my.toml:3:11: `wo` is no built-in ruleset; did you mean `woo`?"
    );
    assert!(fault("").starts_with("my.toml:1:1: the file has no [ruleset]\n"));
}

#[test]
fn an_option_value_that_cannot_work_is_found_at_load() {
    let text = format!(
        "{HEADER}[options.from]\ntype = \"enum\"\nvalues = [\"previous\", \"everybody\"]\ndefault = \"previous\"\n[claims]\nchow-from = {{ option = \"from\" }}\n"
    );
    let say = fault(&text);
    assert!(
        say.contains("`claims.chow-from` must be one of `previous`, `next`, `any`, `nobody`"),
        "{say}"
    );
}

#[test]
fn more_than_four_of_a_kind_are_in_no_group() {
    let with = |rest: &str| {
        let most = "123456789t123456789s123456789mESWNCFP";
        let copies =
            format!("[{{ tiles = \"{most}\", count = 4 }}, {{ tiles = \"K\", count = 8 }}]");
        Rules::from_toml(
            "my.toml",
            &format!("{HEADER}[tiles]\ncopies = {copies}\n{rest}\n"),
        )
    };
    let error = with("").unwrap_err().to_string();
    assert!(
        error.contains("`tiles.copies` must be at most four of K"),
        "{error}"
    );
    assert!(with("[forms.pairs]\ngroups = \"pairs(7)\"\n[win]\nstandard = false").is_ok());
    assert!(with("[wild.k]\ntiles = \"K\"\nas = \"123456789t\"").is_ok());
    let itself = with("[wild.k]\ntiles = \"K\"\nas = \"ESWNK\"").unwrap_err();
    assert!(itself.to_string().contains("at most four of K"), "{itself}");
    // The turned tile may be of the kind with most copies.
    let turned = "[forms.pairs]\ngroups = \"pairs(7)\"\n[win]\nstandard = false\n[turned.t]\non = \"dealt\"\nat = \"end\"\ncount = 1\n";
    assert!(with(&format!("{turned}[wild.k]\nturned = \"t\"")).is_ok());
    let many = with(&format!("{turned}[wild.k]\ntiles = \"E\"\nturned = \"t\"")).unwrap_err();
    assert!(many.to_string().contains("12 wild tiles"), "{many}");
}

#[test]
fn a_form_that_has_a_hand_twice_is_refused() {
    let say = |groups: &str| fault(&format!("{HEADER}[forms.own]\ngroups = {groups}\n"));
    let error = say("[\"pairs(7)\", \"pairs( 7 )\"]");
    assert!(
        error.contains("a hand that the list does not have yet"),
        "{error}"
    );
}

#[test]
fn rows_of_wild_are_checked() {
    let say = |rows: &str| fault(&format!("{HEADER}{rows}\n"));
    for (rows, part) in [
        (
            "[wild.white]\ncopies = \"any\"",
            "[wild.white] has no `tiles`",
        ),
        (
            "[wild.white]\ntiles = \"P\"\ncopies = \"four\"",
            "one of `set`, `any`",
        ),
        ("[wild.white]\ntiles = \"Z\"", "kinds in play"),
        ("[wild.dragons]\ntiles = \"FP\"", "8 wild tiles"),
        ("[wild.a]\ntiles = \"F\"\n[wild.b]\ntiles = \"P\"", "2 rows"),
        (
            "[wild.white]\ntiles = \"P\"\nas = \"19t\"",
            "for a part of suit `t`",
        ),
        (
            "[wild.a]\ntiles = \"F\"\nas = \"wind\"\n[wild.b]\ntiles = \"P\"\nas = \"EC\"",
            "must contain those of another",
        ),
        (
            "[wild.a]\ntiles = \"P\"\n[wild.b]\ntiles = \"P\"\nas = \"wind\"",
            "P is wild twice",
        ),
        (
            "[wild.white]\ntiles = \"P\"\nas = \"J\"",
            "stands for kinds in play, and here for none",
        ),
        (
            "[wild.a]\ntiles = \"FP\"\nas = \"wind\"\n[wild.b]\ntiles = \"C\"\nas = \"wind\"",
            "12 wild tiles with `as`",
        ),
        ("[wild.white]\nas = \"wind\"", "has no `tiles`"),
        (
            "[wild.white]\ntiles = \"P\"\nas = \"wind\"\nclaimed = { pung = 1 }",
            "`wild.white.claimed`",
        ),
        (
            "[wild.a]\ntiles = \"F\"\nas = \"wind\"\n[wild.b]\ntiles = \"P\"\nas = \"wind\"\ndiscard = true",
            "all rows must have the same",
        ),
        (
            "[wild.white]\ntiles = \"P\"\nclaimed = { pung = 1 }",
            "needs jokers",
        ),
        (
            "[wild.white]\ntiles = \"P\"\nswap = \"own\"",
            "needs `claimed`",
        ),
        (
            "[wild.white]\ntiles = \"P\"\nswap-after-claim = true",
            "`wild.white.swap-after-claim` needs `swap`",
        ),
        (
            "[wild.white]\ntiles = \"P\"\nas = \"wind\"\nswap-after-claim = true",
            "`wild.white.swap-after-claim` conflicts with `as`",
        ),
        (
            "[tiles]\ncopies = [{ tiles = \"123456789tJ\", count = 4 }]",
            "a row of [wild] with the joker",
        ),
        (
            "[wild.white]\nturned = \"gold\"",
            "a row of [turned] with `on = \"dealt\"`",
        ),
        (
            "[wild.white]\ntiles = \"P\"\nstep = 1",
            "`wild.white.step` needs `turned`",
        ),
        (
            "[turned.gold]\non = \"dealt\"\nat = \"end\"\n[wild.white]\ntiles = \"P\"\nturned = \"gold\"\n[wall]\nreplacements = \"from-end\"",
            "8 wild tiles",
        ),
        (
            "[turned.gold]\non = \"dealt\"\nat = \"end\"\n[wall]\nreplacements = \"by-stack\"",
            "from-end",
        ),
        ("[turned.gold]\nat = \"end\"", "has no `on`"),
        (
            "[aside.dragon]\ntiles = \"C\"\n[aside.flower]\ndealt = \"own-turn\"",
            "at the same time",
        ),
    ] {
        let found = say(rows);
        assert!(found.contains(part), "{rows}: {found}");
    }
}

#[test]
fn options_are_checked() {
    let woo = |name: &str, value: OptionValue| Rules::by_id_with("woo", &[(name.into(), value)]);
    assert!(matches!(
        woo("flower", 1.into()),
        Err(LoadError::Option(OptionError::Unknown { suggestion: Some(s), .. })) if s == "flowers"
    ));
    for (name, value) in [
        ("flowers", OptionValue::Int(3)),
        ("flowers", OptionValue::Bool(true)),
        ("cap", OptionValue::Int(0)),
        ("chow-from", "left".into()),
        ("woo-chow-any", OptionValue::Int(1)),
    ] {
        assert!(matches!(
            woo(name, value),
            Err(LoadError::Option(OptionError::BadValue { .. }))
        ));
    }
    let no_flowers = woo("flowers", 0.into()).unwrap();
    assert_eq!(no_flowers.plan().tiles.len(), 136);
    assert_eq!(woo("flowers", 1.into()).unwrap().plan().tiles.len(), 140);
    assert_eq!(Rules::by_id("woo").unwrap().plan().tiles.len(), 144);
}

#[test]
fn a_child_changes_adds_and_removes() {
    let text = format!(
        "{HEADER}[patterns.flower]\nenabled = false\n[patterns.woo]\nbase = 20\n[patterns.all-terminals]\ndoubles = 2\nwhen = \"winner and all-tiles(terminal)\"\ndoc = \"Only 1s and 9s\"\nsrc = \"house rule\"\nstatus = \"provisional\"\n"
    );
    let child = Rules::from_toml("my.toml", &text).unwrap();
    let woo = Rules::by_id("woo").unwrap();
    let ids = |rules: &dyn Ruleset| -> Vec<String> {
        rules
            .plan()
            .score
            .patterns()
            .iter()
            .map(|p| p.id.clone())
            .collect()
    };
    let mut want = ids(&woo);
    want.retain(|id| id != "flower");
    want.push("all-terminals".into());
    assert_eq!(ids(&child), want);
    assert_eq!(child.plan().id, "my");
}

/// Walls that would draw a tile twice do not load.
#[test]
fn walls_that_draw_a_tile_twice_are_refused() {
    let wall = |rest: &str| Rules::from_toml("my.toml", &format!("{HEADER}[wall]\n{rest}\n"));
    let refused = |rest: &str| {
        let error = wall(rest).unwrap_err().to_string();
        assert!(error.contains("drawn twice"), "{error}");
    };
    refused("replacements = \"before-reserve\"\nreserve-moves = false");
    refused("replacements = \"by-stack\"\nreserve-moves = false\nreserve = 13");
    refused("replacements = \"by-stack\"\nreserve = 0");
    refused("replacements = \"by-stack\"\nheight = 4");
    wall("replacements = \"by-stack\"\nreserve-moves = false").unwrap();
    wall("replacements = \"before-reserve\"").unwrap();
    let error = wall("indicators = \"tops-then-bottoms\"")
        .unwrap_err()
        .to_string();
    assert!(error.contains("`wall.indicators` needs"), "{error}");
}

#[test]
fn where_all_pay_one_player_wins() {
    let text =
        "ruleset = { id = \"x\", extends = \"traditional\" }\nclaims = { winners = \"all\" }\n";
    let error = Rules::from_toml("my.toml", text).unwrap_err().to_string();
    assert!(error.contains("conflicts with `claims.winners`"), "{error}");
}

#[test]
fn options_may_be_lists() {
    let set = |text: &str| {
        let option = parse_option(text).unwrap();
        Rules::by_id_with("riichi-mcgill", &[option]).map(|rules| rules.plan().options.clone())
    };
    let value = |text: &str, name: &str| set(text).unwrap().get(name).cloned().unwrap();
    assert_eq!(
        value("red-fives=[0,1,2]", "red-fives"),
        OptionValue::Ints(vec![0, 1, 2])
    );
    assert_eq!(
        value("responsibility=[]", "responsibility"),
        OptionValue::Words(Vec::new())
    );
    let one = OptionValue::Words(vec!["four-kans".to_owned()]);
    assert_eq!(value("responsibility=[four-kans]", "responsibility"), one);
    let code = |text: &str| set(text).unwrap_err().code();
    assert_eq!(code("responsibility=[five-kans]"), "unknown-option");
    assert_eq!(code("responsibility=[four-kans,four-kans]"), "bad-request");
    assert_eq!(code("red-fives=[0,1]"), "bad-request");
    assert_eq!(code("red-fives=[0,1,5]"), "bad-request");
    assert_eq!(code("noten-payment=1000"), "bad-request");
    assert!(set("noten-payment=1002").is_ok());
}

#[test]
fn lists_have_an_end() {
    let many = |section: &str, body: &str, n: usize| -> String {
        (0..n)
            .map(|i| format!("[{section}.x{i}]\n{body}\n"))
            .collect()
    };
    let patterns = many("patterns", "base = 2", 1001);
    assert!(fault(&format!("{HEADER}{patterns}")).contains("patterns, a ruleset may have 1000"));
    let options = many("options", "type = \"bool\"\ndefault = true", 129);
    assert!(fault(&format!("{HEADER}{options}")).contains("options, a ruleset may have 128"));
    let forms = many("forms", "groups = \"pairs(7)\"", 101);
    assert!(fault(&format!("{HEADER}{forms}")).contains("forms, a ruleset may have 100"));
    let word = "x".repeat(100_000);
    assert!(fault(&format!("{HEADER}[{word}]\n")).contains("unknown key"));
}

/// Any text is loaded or refused in about a second. The error names the limit.
#[test]
fn large_texts_are_refused_with_their_limit() {
    let words = |count: usize| -> String {
        let words: Vec<String> = (0..count).map(|i| format!("\"w{i}\"")).collect();
        words.join(", ")
    };
    let option = |name: &str, count: usize| {
        format!(
            "[options.{name}]\ntype = \"enum\"\ndefault = \"w0\"\nvalues = [{}]\n",
            words(count)
        )
    };
    let one = format!("{HEADER}{}", option("many", 257));
    assert!(fault(&one).contains("257 words of an option, a ruleset may have 256"));
    let many: String = (0..60).map(|i| option(&format!("o{i}"), 100)).collect();
    assert!(fault(&format!("{HEADER}{many}")).contains("values tried"));
    let patterns: String = (0..900)
        .map(|i| format!("[patterns.p{i}]\nbase = 2\n"))
        .collect();
    let options: String = (0..100)
        .map(|i| format!("[options.b{i}]\ntype = \"int\"\ndefault = 1\nmin = 0\nmax = 9\n"))
        .collect();
    let both = fault(&format!("{HEADER}{patterns}{options}"));
    assert!(
        both.contains("patterns tried") || both.contains("values tried"),
        "{both}"
    );
    let long = format!("{HEADER}#{}", "x".repeat(524_288));
    assert!(fault(&long).contains("bytes, a ruleset may have 524288"));
    let deep = format!("{HEADER}x = {}{}\n", "[".repeat(40), "]".repeat(40));
    assert!(fault(&deep).contains("33 levels of tables and lists, a ruleset may have 32"));
    // Unknown keys are found as quickly as others.
    let unknown: String = (0..40_000).map(|i| format!("k{i} = 1\n")).collect();
    assert!(fault(&format!("{HEADER}[wall]\n{unknown}")).contains("unknown key"));
}

#[test]
fn the_least_number_is_no_decimal_and_steps_may_miss_the_bound() {
    let option = |body: &str| format!("{HEADER}[options.d]\ntype = \"decimal\"\n{body}\n");
    let least = option("min = -9223372036854775808\ndefault = 1");
    assert!(fault(&least).contains("`options.d.min` must be a number"));
    // The values are 0.5, 1.5 and 2.5.
    let steps = option("min = 0.5\nmax = 3\nstep = 1\ndefault = 0.5");
    Rules::from_toml("my.toml", &steps).unwrap();
}

#[test]
fn a_class_of_flowers_is_refused() {
    let text = format!("{HEADER}[tiles.classes]\nseasons = \"hijk\"\n");
    assert!(fault(&text).contains("must be tiles that are not flowers"));
}

#[test]
fn decimals_and_pattern_values_are_checked() {
    let uzje = |options: &[&str]| {
        let options: Vec<_> = options
            .iter()
            .map(|text| parse_option(text).unwrap())
            .collect();
        Rules::by_id_with("uzje", &options)
            .map(|_| ())
            .map_err(|error| (error.code(), error.to_string()))
    };
    assert!(uzje(&["threshold=3.5", "values.closed-hand=3", "values.orchard=0"]).is_ok());
    for (option, code, message) in [
        ("threshold=3", "bad-request", "in steps of 1"),
        ("threshold=13.5", "bad-request", "from 0.5 to 12.5"),
        (
            "values.seat-wind=0.5",
            "bad-request",
            "multiple of its quantum",
        ),
        (
            "values.honourable=0.2",
            "bad-request",
            "multiple of its quantum",
        ),
        ("values.orchard=100", "bad-request", "from 0 to 99.8"),
        (
            "values.orchid=1",
            "unknown-option",
            "did you mean `values.orchard`?",
        ),
        (
            "values.six-flowers=3",
            "unknown-option",
            "values.six-flowers",
        ),
        ("values=3", "bad-request", "values of patterns"),
    ] {
        let (found, text) = uzje(&[option]).unwrap_err();
        assert!(
            found == code && text.contains(message),
            "{option}: {found} {text}"
        );
    }
    // A file sets values the same way.
    let text = "[ruleset]\nid = \"my\"\nextends = \"uzje\"\n[score]\nvalues = { orchard = 0.3 }\n";
    assert!(fault(text).contains("a multiple of 0.2, the quantum"));
    let text = "[ruleset]\nid = \"my\"\nextends = \"uzje\"\n[score]\nvalues = { orchad = 3.0 }\n";
    assert!(fault(text).contains("did you mean `orchard`?"));
}

#[test]
fn procedures_take_their_parameters_from_the_file() {
    let head = "[ruleset]\nid = \"my\"\nextends = \"uzje\"\n[procedures.challenge]\n";
    let text = format!("{head}from-kong = 1\nwaiting-on = []\n");
    let rules = Rules::from_toml("my.toml", &text).unwrap();
    let challenge = rules.plan().procedures.challenge.clone().unwrap();
    assert_eq!((challenge.from_kong, challenge.waiting_on.len()), (1, 0));
    let text = format!("{head}waiting-on = [\"thirteen-orphan\"]\n");
    assert!(fault(&text).contains("did you mean `thirteen-orphans`?"));
    let text = format!("{head}[procedures.haggling]\n");
    assert!(fault(&text).contains("unknown key `haggling` in [procedures]"));
}

/// A win takes six flowers. Five lie on the table when the sixth is won on. Source: `rulesets/uzje.md` §8.4.
#[test]
fn wins_on_flowers_are_asked_of_those_who_have_enough() {
    for (id, fewest) in [("uzje", Some(5)), ("woo", None), ("riichi-mcgill", None)] {
        let rules = Rules::by_id(id).unwrap();
        let score = &rules.plan().score;
        let enough = (0..=8).find(|&flowers| score.may_win_on_flower(flowers));
        assert_eq!(enough, fewest, "{id}");
    }
}

#[test]
fn all_missing_keys_are_told_where_the_own_text_lacks_them() {
    assert_eq!(
        fault("[ruleset]\nid = \"my\"\nextends = \"chinese\"\n[options.x]\ntype = \"bool\"\n"),
        "my.toml:4:1: [options.x] has no `default`"
    );
    assert_eq!(
        fault("[ruleset]\nid = \"my\"\nextends = \"chinese\"\n[wall]\nheight = 2\n"),
        "my.toml:1:1: the file has no [patterns]\n\
         my.toml:3:1: [match] has no `ends`\n\
         my.toml:4:1: [wall] has no `replacements`"
    );
    // A misspelt one is found beside it.
    let misspelt = fault("[ruleset]\nid = \"my\"\nextends = \"chinese\"\n[patern]\n");
    assert!(
        misspelt.contains("the file has no [patterns]"),
        "{misspelt}"
    );
    assert!(
        misspelt.contains("unknown key `patern` at the top of the file; did you mean `patterns`?"),
        "{misspelt}"
    );
}

#[test]
fn named_conditions_stand_in_any_order() {
    let with = |conditions: &str| {
        let pattern = "[patterns.x]\nbase = 2\nwhen = \"a\"\n";
        let text = format!("{HEADER}[conditions]\n{conditions}{pattern}");
        Rules::from_toml("my.toml", &text).map_err(|error| error.to_string())
    };
    assert!(with("a = \"b and c\"\nc = \"dealer\"\nb = \"not c\"\n").is_ok());
    // A word after `is` is no use of the name.
    assert!(with("discard = \"way is discard\"\na = \"discard\"\n").is_ok());
    for circle in ["a = \"not a\"\n", "a = \"b\"\nb = \"c and a\"\nc = \"a\"\n"] {
        let found = with(circle).unwrap_err();
        let first = found.lines().next().unwrap();
        assert_eq!(first, "my.toml:5:1: the meaning of `a` depends on `a`");
    }
}

/// What `extends` finds among these files, for the ruleset of the first one.
fn among(files: &[(&str, &str)]) -> Result<Source, String> {
    let read = |path: &str| {
        let file = files.iter().find(|(file, _)| *file == path);
        file.map(|(_, text)| text.to_string())
    };
    let (file, text) = files[0];
    Source::with_parents(file, text, read).map_err(|error| error.to_string())
}

#[test]
fn a_text_may_extend_texts_of_ones_own() {
    let header = |id: &str, extends: &str| {
        format!("ruleset = {{ id = \"{id}\", extends = \"{extends}\" }}\n")
    };
    let club =
        header("club", "woo") + "patterns.flower.doc = \"Club.\"\noptions.cap.default = 500\n";
    let mine = header("mine", "./base/club.toml") + "options.cap.default = 600\n";
    let source = among(&[("own/mine.toml", &mine), ("own/base/club.toml", &club)]).unwrap();
    let rules = source.load(&[]).unwrap();
    let flower = |rules: &Rules| {
        rules
            .plan()
            .score
            .patterns()
            .iter()
            .find(|one| one.id == "flower")
            .unwrap()
            .doc
            .clone()
    };
    assert_eq!((rules.plan().id(), &*flower(&rules)), ("mine", "Club."));
    // The merged text is the same ruleset.
    let merged = source.standalone().unwrap().unwrap();
    let again = Rules::from_toml("merged.toml", &merged).unwrap();
    assert_eq!(again.plan().content_hash(), rules.plan().content_hash());

    // A fault in a parent has its place there.
    let faulty = header("club", "wo");
    let source = among(&[("own/mine.toml", &mine), ("own/base/club.toml", &faulty)]).unwrap();
    let found = source.load(&[]).unwrap_err().to_string();
    assert_eq!(
        found,
        "own/base/club.toml:1:36: `wo` is no built-in ruleset; did you mean `woo`?"
    );
    // Without its parents a text does not load.
    let alone = Source::text("mine.toml", mine.clone())
        .load(&[])
        .unwrap_err()
        .to_string();
    assert!(
        alone.contains("`./base/club.toml` is no file that can be read"),
        "{alone}"
    );

    let say = |extends: &str, other: &str| {
        let (mine, other) = (header("a", extends), header("b", other));
        among(&[("a.toml", &mine), ("b.toml", &other)]).unwrap_err()
    };
    assert!(say("./b.toml", "./a.toml").ends_with("rulesets extend each other"));
    assert!(say("./b.toml", "./b.toml").ends_with("rulesets extend each other"));
    for outside in [
        "../b.toml",
        "./../b.toml",
        "./c/../b.toml",
        "./c\\\\b.toml",
        ".//b.toml",
    ] {
        assert!(
            say(outside, "woo").contains("is no file that can be read, in the folder of this one")
        );
    }
    let chain: Vec<(String, String)> = (0..10)
        .map(|n| {
            (
                format!("{n}.toml"),
                header("x", &format!("./{}.toml", n + 1)),
            )
        })
        .collect();
    let chain: Vec<(&str, &str)> = chain.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert!(
        among(&chain)
            .unwrap_err()
            .contains("9 files that extend each other, a ruleset may have 8")
    );
}

/// The faults of a file that extends the skeleton of a new ruleset.
fn over_skeleton(own: &str) -> String {
    let mine = format!("[ruleset]\nid = \"mine\"\nextends = \"./skeleton.toml\"\n{own}");
    let files = [("mine.toml", &*mine), ("skeleton.toml", keys::SKELETON)];
    let loaded = among(&files).unwrap().load(&[]);
    loaded.unwrap_err().to_string()
}

#[test]
fn faults_of_a_parent_are_told_at_the_key_that_causes_them() {
    for (own, place, part) in [
        (
            "[score]\nsums = [\"tai\"]\n",
            "5:1: because of `score.sums`: skeleton.toml:",
            "`fan`",
        ),
        (
            "[flags.last-tile]\nenabled = false\n",
            "5:1: because of `flags.last-tile.enabled`: skeleton.toml:",
            "`last-tile`",
        ),
        (
            "[forms.seven-pairs]\nenabled = false\n",
            "5:1: because of `forms.seven-pairs.enabled`: skeleton.toml:",
            "`seven-pairs`",
        ),
        (
            "[options.rounds]\nenabled = false\n",
            "5:1: because of `options.rounds.enabled`: skeleton.toml:",
            "`rounds`",
        ),
        (
            "[options.rounds]\nmax = 0\n",
            "5:1: because of `options.rounds.max`: skeleton.toml:",
            "`options.rounds.default`",
        ),
        (
            "[payments.win]\non = \"kong\"\n",
            "5:1: because of `payments.win.on`: skeleton.toml:",
            "`points`",
        ),
        (
            "[melds.kong]\nenabled = false\n",
            "5:1: because of `melds.kong.enabled`: skeleton.toml:",
            "kongs",
        ),
        (
            "[deal]\npackets = [4, 4, 4, 4]\n",
            "5:1: because of `deal.packets`: skeleton.toml:",
            "17",
        ),
        (
            "[settlement]\nfamily = \"riichi\"\n",
            "5:1: because of `settlement.family`: ",
            "",
        ),
        // Two faults that do not depend on each other.
        (
            "[forms.seven-pairs]\nenabled = false\n[flags.last-tile]\nenabled = false\n",
            "5:1: because of `forms.seven-pairs.enabled`",
            "7:1: because of `flags.last-tile.enabled`",
        ),
        // The key itself is at fault.
        ("[wall]\nheight = 3\n", "5:1: `wall.height`", ""),
        ("[wall]\nreserve = 90\n", "5:1: 136 tiles for", ""),
        (
            "[win]\nstandard = false\n[forms.seven-pairs]\nenabled = false\n",
            "5:1: `win.standard` needs",
            "",
        ),
        (
            "[kongs]\nreplacement = false\n",
            "5:1: `kongs.replacement` needs",
            "",
        ),
        (
            "[wall]\nbreak-wall = \"roll-2\"\n",
            "5:1: `wall.break-wall` needs",
            "",
        ),
    ] {
        let found = over_skeleton(own);
        assert!(found.starts_with("mine.toml:"), "{own}: {found}");
        assert!(
            found.contains(place) && found.contains(part),
            "{own}: {found}"
        );
    }
}

#[test]
fn a_fault_between_two_parents_is_told_at_the_nearer_one() {
    let skeleton = keys::SKELETON;
    let header = |extends: &str| format!("[ruleset]\nid = \"x\"\nextends = \"./{extends}.toml\"\n");
    let club = header("skeleton") + "[score]\nsums = [\"tai\"]\n";
    let mine = header("club") + "[wall]\nheight = 1\n";
    let files = [
        ("mine.toml", &*mine),
        ("club.toml", &club),
        ("skeleton.toml", skeleton),
    ];
    let found = among(&files).unwrap().load(&[]).unwrap_err().to_string();
    assert!(
        found.starts_with("club.toml:5:1: because of `score.sums`: skeleton.toml:"),
        "{found}"
    );
}

#[test]
fn unknown_keys_are_told_at_once_and_before_what_follows_from_them() {
    let own = "[patterns.dragon]\nfna = 1\n[wall]\nhieght = 2\n[deal]\nfrist = 1\n[patterns.new]\nfn = 1\n";
    assert_eq!(
        over_skeleton(own),
        "mine.toml:5:1: unknown key `fna` in [patterns.dragon]; did you mean `fan`?\n\
         mine.toml:7:1: unknown key `hieght` in [wall]; did you mean `height`?\n\
         mine.toml:9:1: unknown key `frist` in [deal]; did you mean `first`?\n\
         mine.toml:11:1: unknown key `fn` in [patterns.new]; did you mean `fan`?"
    );
}

#[test]
fn a_key_that_is_there_twice_is_told_with_the_first() {
    for (text, expected) in [
        (
            "[a]\nb = 1\n[a.c]\nb = 2\nd = 3\nb = 4\n",
            "6:1: duplicate key `b`, which is at line 4 already",
        ),
        (
            "[a.b]\n[c]\nb = 1\n[a.b]\n",
            "4:4: duplicate key `b`, which is at line 1 already",
        ),
        (
            "[a]\nb.c = 1\nb.c = 2\n",
            "3:3: duplicate key `c`, which is at line 2 already",
        ),
        (
            "[[a]]\nb = 1\n[[a]]\nb = 1\nb = 2\n",
            "5:1: duplicate key `b`, which is at line 4 already",
        ),
        ("a = { b = 1, b = 2 }\n", "1:14: duplicate key `b`"),
    ] {
        assert_eq!(fault(text), format!("my.toml:{expected}"));
    }
}
