//! See `targets.rs`.
#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code, reason = "each program has one target")]
mod targets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let target = targets::ALL.iter().find(|(name, _)| *name == "table");
    target.expect("it is among them").1(data);
});
