//! Builds walls that yield the tiles of a log.

use super::source::{LogFault, ReplayError, malformed};
use crate::ruleset::Plan;
use crate::seat::{Player, Seat};
use crate::tile::Tile;
use crate::wall::Wall;

/// The tiles of a deal that a log shows, each with the index of the line that shows it.
#[derive(Default)]
pub(super) struct Dealt {
    /// Tiles from the front of the wall, the dealt ones included.
    pub(super) front: Vec<(usize, Tile)>,
    /// Replacements from the back.
    pub(super) back: Vec<(usize, Tile)>,
    /// Indicators and under-indicators.
    pub(super) turned: Vec<(usize, Tile)>,
    pub(super) under: Vec<(usize, Tile)>,
}

impl Dealt {
    /// Builds the wall. The order of the other tiles is arbitrary. `at` is the line that begins the deal.
    pub(super) fn wall(
        &self,
        plan: &Plan,
        at: usize,
        dice: &[Vec<u8>],
        broken: (Seat, u8),
    ) -> Result<Wall, ReplayError> {
        let build = |tiles: &[Tile]| {
            Wall::from_tiles(&plan.wall, &plan.tiles, plan.players, tiles, dice, broken)
        };
        let mut rest: Vec<Tile> = plan.tiles.iter().collect();
        let Some(model) = build(&rest) else {
            return malformed(at, LogFault::NoSuchWall);
        };
        let mut order: Vec<Option<Tile>> = vec![None; rest.len()];
        let lists = [
            (&self.front, (0..rest.len()).collect::<Vec<usize>>()),
            (&self.back, model.back_places().collect()),
            (&self.turned, model.indicator_places().collect()),
            (&self.under, model.under_places().collect()),
        ];
        for (tiles, places) in lists {
            for (i, &(at, tile)) in tiles.iter().enumerate() {
                let Some(&place) = places.get(i).filter(|&&place| order[place].is_none()) else {
                    return malformed(at, LogFault::TooManyDrawn);
                };
                take(&mut rest, at, tile)?;
                order[place] = Some(tile);
            }
        }
        let tiles: Vec<Tile> = order
            .into_iter()
            .filter_map(|tile| tile.or_else(|| rest.pop()))
            .collect();
        build(&tiles).map_or_else(|| malformed(at, LogFault::OtherTiles), Ok)
    }
}

/// Takes the tile that line `at` shows from the remaining tiles.
pub(super) fn take(left: &mut Vec<Tile>, at: usize, tile: Tile) -> Result<(), ReplayError> {
    match left.iter().position(|other| *other == tile) {
        Some(found) => {
            left.swap_remove(found);
            Ok(())
        }
        None => malformed(at, LogFault::TooManyCopies { tile }),
    }
}

/// The players in the order in which they are dealt tiles, one entry for each tile from the front of the wall.
pub(super) fn dealt_to(plan: &Plan, dealer: Player) -> impl Iterator<Item = usize> {
    let (players, first) = (plan.players, usize::from(!plan.wall.dealer_first));
    plan.wall.packets.iter().flat_map(move |&packet| {
        let steps = (first..first + players).map(move |step| dealer.after(step, players).index());
        steps.flat_map(move |player| std::iter::repeat_n(player, usize::from(packet)))
    })
}
