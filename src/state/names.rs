//! [`ActionNames`]: what a ruleset calls actions.

use super::{Action, Phase};
use crate::lang::{Lang, Names, fill, named};
use crate::notation::TileNames;
use crate::tile::Tile;

named! {
    /// What a ruleset calls actions, for people, by language. A file sets names of its own in `[actions.names]`.
    /// [`Plan::describe`](crate::Plan::describe) puts an action in words.
    ActionNames {
        pass: "pass",
        win_drawn: "win-drawn",
        win_claimed: "win-claimed",
        stand: "stand",
        riichi: "riichi",
        nine_orphans: "nine-orphans",
        aside: "aside" ["tile"],
        challenge: "challenge",
        end_match: "end-match",
        false_win: "false-win",
        chow: "chow" ["tiles"],
        pung: "pung" ["tiles"],
        kong: "kong" ["tiles"],
        quint: "quint" ["tiles"],
        sextet: "sextet" ["tiles"],
        with: "with" ["action", "tiles"],
        and: "and" ["one", "other"],
        red_five: "red-five",
        red_fives: "red-fives" ["count"],
        joker: "joker",
        joker_as: "joker-as" ["tile"],
        jokers: "jokers" ["count"],
        concealed_kong: "concealed-kong" ["tile"],
        added_kong: "added-kong" ["tile"],
        swap: "swap" ["tiles"],
        lay: "lay" ["tiles"],
        exchange: "exchange" ["tile"],
        missing_suit: "missing-suit" ["suit"],
        show: "show" ["what"],
        discard: "discard" ["tile"],
        discard_drawn: "discard-drawn" ["tile"],
    }
}

impl ActionNames {
    /// The action in words. The phase tells a win with a drawn tile from one with a claimed tile. `shown` is the name of
    /// what may be shown.
    pub(crate) fn describe(
        &self,
        action: Action,
        phase: &Phase,
        (tiles, shown): (&TileNames, &str),
        lang: Lang,
    ) -> String {
        use crate::meld::Family::{Arith, Gem, Kong, Pair, Power, Pung, Quint, Sextet};
        let filled = |names: &Names, word, value: &str| fill(names.get(lang), &[(word, value)]);
        let of_tile = |names, tile: Tile| filled(names, "tile", &tile.to_string());
        let word = match action {
            Action::Pass => &self.pass,
            Action::Win if matches!(phase, Phase::Claims(_)) => &self.win_claimed,
            Action::Win => &self.win_drawn,
            Action::Stand => &self.stand,
            Action::Riichi => &self.riichi,
            Action::NineOrphans => &self.nine_orphans,
            Action::Aside(kind) => return of_tile(&self.aside, kind.into()),
            Action::Challenge => &self.challenge,
            Action::EndMatch => &self.end_match,
            Action::FalseWin => &self.false_win,
            Action::Claim(meld) => {
                let family = meld.group().family();
                let names = match family {
                    Kong => &self.kong,
                    Quint => &self.quint,
                    Sextet => &self.sextet,
                    Pair | Pung => &self.pung,
                    Arith | Gem | Power => &self.chow,
                };
                let claim = filled(names, "tiles", &meld.group().to_string());
                let count = |one: &Names, several, count: u8| match count {
                    0 => None,
                    1 => Some(one.get(lang).to_owned()),
                    count => Some(filled(several, "count", &count.to_string())),
                };
                let reds = count(&self.red_five, &self.red_fives, meld.reds());
                let jokers = match meld.joker_stands_for() {
                    Some(kind) if family.is_run() && meld.jokers() == 1 => {
                        Some(of_tile(&self.joker_as, kind.into()))
                    }
                    _ => count(&self.joker, &self.jokers, meld.jokers()),
                };
                let extra = match (reds, jokers) {
                    (Some(one), Some(other)) => {
                        fill(self.and.get(lang), &[("one", &one), ("other", &other)])
                    }
                    (None, None) => return claim,
                    (one, other) => one.or(other).unwrap_or_default(),
                };
                return fill(
                    self.with.get(lang),
                    &[("action", &claim), ("tiles", &extra)],
                );
            }
            Action::ConcealedKong(kind) => return of_tile(&self.concealed_kong, kind.into()),
            Action::AddedKong(kind) => return of_tile(&self.added_kong, kind.into()),
            Action::Swap(meld) => {
                return filled(&self.swap, "tiles", &meld.to_string());
            }
            Action::Lay(group) => return filled(&self.lay, "tiles", &group.to_string()),
            Action::Exchange(kind) => return of_tile(&self.exchange, kind.into()),
            Action::Missing(suit) => {
                return filled(&self.missing_suit, "suit", tiles.suit(suit, lang));
            }
            Action::Show => return filled(&self.show, "what", shown),
            Action::Discard { tile, drawn: true } => return of_tile(&self.discard_drawn, tile),
            Action::Discard { tile, drawn: false } => return of_tile(&self.discard, tile),
        };
        word.get(lang).to_owned()
    }
}
