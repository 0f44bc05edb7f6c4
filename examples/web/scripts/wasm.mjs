// Builds the modules: dist/paishan.wasm has the whole engine, dist/paishan-first.wasm and dist/paishan-rest.wasm have it in two
// parts. The standard library is compiled, too, for size and without messages of panics.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MODULES } from "./modules.mjs";
import { countCalls, split } from "./split.mjs";
import { visits } from "./visit.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TARGET = "wasm32-unknown-unknown";

/** Compilers, and the linkers of those that bring none. */
const COMPILERS = [{ rustc: "rustc" }, { rustc: "/usr/bin/rustc", linkers: ["/usr/bin/wasm-ld-22", "/usr/bin/wasm-ld"] }];

/** True if the source of the standard library is installed with a compiler. */
function hasSource({ rustc }) {
  try {
    const sysroot = execFileSync(rustc, ["--print", "sysroot"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return existsSync(join(sysroot, "lib/rustlib/src/rust/library/Cargo.lock"));
  } catch {
    return false;
  }
}

/** The module as the compiler makes it. */
function compiled() {
  const compiler = COMPILERS.find(hasSource);
  if (compiler === undefined) throw new Error("The module takes `rustup component add rust-src`, or Debian's rustc-web, rust-web-src and lld-22.");
  const environment = {
    ...process.env,
    RUSTC_BOOTSTRAP: "1",
    RUSTC: compiler.rustc,
    RUSTFLAGS: "-C target-feature=+simd128,+bulk-memory -Zunstable-options -Cpanic=immediate-abort",
  };
  const linker = compiler.linkers?.find(existsSync);
  if (linker !== undefined) environment.CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER = linker;
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const args = ["build", "--locked", "--profile", "module", "--lib", "--target", TARGET, "--target-dir", join(folder, "wasm")];
  args.push("-Z", "build-std=std,panic_abort", "-Z", "build-std-features=compiler-builtins-mem,optimize_for_size");
  execFileSync("cargo", args, { cwd: root, env: environment, stdio: "inherit" });
  return readFileSync(join(folder, "wasm", TARGET, "module", "paishan_web.wasm"));
}

/** Functions that this share of the rulesets needs are in the first part. */
const SHARE = 0.97;

/** A function that the runs call so often is worth a copy where it is called. */
const OFTEN = 100_000;

/** Builds the modules. `Engine` is the class of `app/engine.ts`. */
export async function buildModules(Engine) {
  const bytes = compiled();
  const { rulesets } = (await Engine.load(bytes)).ask("rulesets", {});
  const { start, people, bots } = visits(rulesets, join(root, "..", "..", "tests", "cases"));
  const runs = [start, ...people, ...bots].map(run => exports => run(new Engine(exports)));
  const counts = await countCalls(bytes, runs);
  const ofPeople = counts.slice(1, 1 + people.length);
  const functions = [...counts[0].keys()];
  const isEarly = index => counts[0][index] > 0 || ofPeople.filter(count => count[index] > 0).length >= SHARE * people.length;
  const isOften = index => counts.reduce((sum, count) => sum + count[index], 0) >= OFTEN;
  const modules = split(bytes, new Set(functions.filter(isEarly)), new Set(functions.filter(isOften)));
  for (const [part, name] of Object.entries(MODULES)) writeFileSync(join(root, "dist", name), modules[part]);
}
