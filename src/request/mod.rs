//! Hands and tables to be scored and settled.
//!
//! A [`Request`] has unchecked input: tiles, melds, winners, counters and deposits. [`Request::check`] turns a request
//! into a [`Table`], which is valid under its ruleset, or returns an error for the faulty part. The JSON interface,
//! golden hands and `paishan score` use the same type.
//!
//! ```
//! use paishan::request::{Request, SeatHand};
//! use paishan::state::Win;
//! use paishan::{Notation, Rules, Seat};
//!
//! let woo = Rules::by_id("woo")?;
//! let hand = SeatHand::new(Seat::NORTH, Notation::Ujmj.parse("111234567s55s67s")?);
//! let request = Request::of_hand(hand, Some(Win::off("8s".parse()?, Seat::WEST)));
//! let score = request.check(&woo)?.score()?;
//! assert_eq!(score.points, 144);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A table with the hands of all seats can be settled:
//!
//! ```
//! use paishan::request::{Declared, Request, SeatHand};
//! use paishan::state::{Way, Win};
//! use paishan::{Notation, Rules, Seat};
//!
//! let rules = Rules::by_id("traditional")?;
//! let tiles = |text| Notation::Ujmj.parse(text);
//! let mut south = SeatHand::new(Seat::SOUTH, tiles("123t456t23m55m")?);
//! south.melds.push(Declared::concealed(tiles("9999s")?));
//! let mut win = Win::drawn("1m".parse()?);
//! win.way = Way::Replacement;
//! win.flags = rules.plan().flag_set(["after-kong"])?;
//! let hands = vec![
//!     SeatHand::new(Seat::EAST, tiles("111t258s369mESWN")?),
//!     south,
//!     SeatHand::new(Seat::WEST, tiles("PPP369t147s258mE")?),
//!     SeatHand::new(Seat::NORTH, tiles("247t258s369mESWC")?),
//! ];
//! let table = Request::of_table(hands, vec![(Seat::SOUTH, win)]).check(&rules)?;
//! let settlement = table.settle()?;
//! assert!(settlement.deltas[Seat::SOUTH] > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod check;
mod error;
mod goal;
mod nearest;
mod parts;
mod repair;
mod table;
mod worth;

pub use change::Change;
pub(crate) use check::{all_in_set, check_melds};
pub use error::{NearestError, RequestError, WinFault};
pub use goal::Goal;
pub use nearest::{Accepted, Distance, KeepingDiscard, Nearest, Unfinished};
pub(crate) use nearest::{accepted, left};
pub use parts::{Declared, NoWin, Request, SeatHand};
pub use repair::{MOST_CHANGES, Repair, RepairError};
pub use table::{Resettled, Table};
pub use worth::{Scored, Worth, WorthError};
