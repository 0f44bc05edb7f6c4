#![allow(missing_docs)]
use paishan::*;
fn main() {
    for name in ["random", "greedy"] {
        let woo = ruleset::by_id("woo", &[]).unwrap();
        let mut agents: Vec<_> = (0..4).filter_map(|_| agent::by_name(name, woo.plan())).collect();
        let t = std::time::Instant::now();
        let mut sum = simulate::Summary::default();
        let n = if name == "random" { 2000 } else { 50 };
        for g in 0..n { simulate::play(&*woo, &mut agents, game_seed(1, g), &mut sum).unwrap(); }
        let s = t.elapsed().as_secs_f64();
        println!("{name}: {} rounds/s, {} dec/s, {:?}", sum.deals as f64 / s, sum.decisions as f64 / s, sum);
    }
}
