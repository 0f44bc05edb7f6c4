//! Every input that the fuzzers begin with, and every one that they have found, without a fuzzer: a seed of
//! `tests/fuzz/seeds` stays a test for ever.

#[path = "../fuzz/src/targets.rs"]
mod targets;

use std::fs;
use std::path::Path;

#[test]
fn seeds_and_findings_hold() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/seeds");
    let mut tried = 0;
    for (name, target) in targets::ALL {
        for entry in fs::read_dir(seeds.join(name)).unwrap() {
            let path = entry.unwrap().path();
            let input = fs::read(&path).unwrap();
            // Whatever panics says which input it was.
            let _named = Named(&path);
            target(&input);
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

struct Named<'a>(&'a Path);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let message = format!("the input is {}\n", self.0.display());
            let _ = std::io::Write::write_all(&mut std::io::stderr(), message.as_bytes());
        }
    }
}

/// Requests of any kind, put together at random.
#[test]
fn random_inputs_hold() {
    let mut stream = paishan::random::Stream::new(4, 4);
    for (name, target) in targets::ALL {
        let count = match name {
            "log" | "mjlog" | "api" => 30,
            _ => 150,
        };
        for _ in 0..count {
            let length = stream.below(400) as usize;
            let input: Vec<u8> = (0..length).map(|_| stream.below(256) as u8).collect();
            target(&input);
        }
    }
}
