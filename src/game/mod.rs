//! The table. [`Deal`] plays one deal from the first draw to the settlement. [`Match`] plays a sequence of deals.

mod claims;
mod deal;
mod end;
mod hand_cache;
mod legal;
mod match_state;
mod moves;
mod observer;
mod opening;
mod outcome;
mod payments;
mod series;
mod settle;
mod setup;
mod turn;
mod win;

pub use crate::state::Ending;
pub use deal::{ActionError, Deal, ResumeError};
pub use match_state::{MatchState, Next, RecordError, RestoreError, SavedMatch};
pub use moves::{Moves, MovesError};
pub use observer::Observer;
pub use outcome::Outcome;
pub use series::Match;
pub use setup::DealSetup;
pub(crate) use setup::{first_by_roll, wall_of};
