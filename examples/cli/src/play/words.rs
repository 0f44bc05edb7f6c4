//! Log lines in words. They are of all games, so the words are those of the log's types.

use paishan::log::Line;
use paishan::{Lang, Suit, TileNames};
use serde_json::Value;

/// What happened, in words. `None` for lines that the screen shows anyway. `seat` gives the seat of a player.
pub fn of_line(
    line: &Line,
    seat: &dyn Fn(usize) -> char,
    (names, lang): (&TileNames, Lang),
) -> Option<String> {
    let value = serde_json::to_value(line).ok()?;
    let text = |name: &str| match &value[name] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(Value::as_str).collect(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let player = |name: &str| value[name].as_u64().map(|number| seat(number as usize));
    let who = player("actor")
        .map(|seat| format!("{seat} "))
        .unwrap_or_default();
    let pai = text("pai");
    let said = match value["type"].as_str()? {
        "dahai" => format!("discards {pai}"),
        "chi" | "pon" | "daiminkan" => format!("claims {pai} with {}", text("consumed")),
        "ankan" => format!("makes a kong of {}", text("consumed")),
        "kakan" => format!("adds {pai} to a pung"),
        "lay" => format!("lays down {}", text("consumed")),
        "swap" => {
            let owner = player("target");
            let from = owner.map_or_else(String::new, |owner| format!(" from {owner}"));
            format!("takes a joker{from} for {pai}")
        }
        "flower" => format!("lays down the flower {pai}"),
        "nukidora" => format!("sets {pai} aside"),
        "reach" => "declares riichi".to_owned(),
        "declare" => format!("announces: {}", text("what")),
        "missing" => {
            let suit = text("suit").chars().next().and_then(Suit::from_letter);
            format!("does without {}", names.suit(suit?, lang))
        }
        "challenge" => "challenges a kong".to_owned(),
        "dora" => format!("a new indicator: {}", text("dora_marker")),
        "penalty" => format!("is punished: {}", text("reason")),
        "paid" => format!("is paid: {}", text("reason")),
        "hora" => match (player("actor"), player("target")) {
            (Some(winner), Some(giver)) if winner != giver => {
                format!("wins off {giver} with {pai}")
            }
            _ => format!("wins with {pai}"),
        },
        "ryukyoku" => format!("the deal is drawn: {}", text("reason")),
        _ => return None,
    };
    Some(format!("{who}{said}"))
}
