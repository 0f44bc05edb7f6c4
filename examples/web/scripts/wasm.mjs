// Builds the modules: dist/paishan.wasm has the whole engine, dist/paishan-core.wasm what playing and scoring take. With
// rustup's target it takes `cargo build`. Without it, it takes Debian's `rustc-web` and compiles the standard library, too,
// without messages of panics. Those modules are smaller.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const TARGET = "wasm32-unknown-unknown";
const LINKERS = ["/usr/bin/wasm-ld-22", "/usr/bin/wasm-ld"];

function hasTarget() {
  const asked = spawnSync("rustup", ["target", "list", "--installed"], { encoding: "utf8" });
  return asked.status === 0 && asked.stdout.split("\n").includes(TARGET);
}

/** The modules, by the names of their files in dist/, with the features of the package that they have. */
export const MODULES = { "paishan.wasm": ["--features", "tools"], "paishan-core.wasm": [] };

/** Builds one of {@link MODULES}. */
export function buildModule(name) {
  const out = join(root, "dist");
  mkdirSync(out, { recursive: true });
  const environment = { ...process.env, RUSTFLAGS: "-C target-feature=+simd128,+bulk-memory" };
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const args = ["build", "--locked", "--profile", "module", "--lib", "--no-default-features", ...MODULES[name], "--target", TARGET, "--target-dir", join(folder, "wasm")];
  if (!hasTarget()) {
    const linker = LINKERS.find(existsSync);
    if (linker === undefined || !existsSync("/usr/bin/rustc")) {
      throw new Error("The module takes `rustup target add wasm32-unknown-unknown`, or Debian's rustc-web, rust-web-src and lld-22: see `ci`.");
    }
    environment.RUSTC_BOOTSTRAP = "1";
    environment.RUSTC = "/usr/bin/rustc";
    environment.CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER = linker;
    environment.RUSTFLAGS += " -Zunstable-options -Cpanic=immediate-abort";
    args.push("-Z", "build-std=std,panic_abort", "-Z", "build-std-features=compiler-builtins-mem");
  }
  execFileSync("cargo", args, { cwd: root, env: environment, stdio: "inherit" });
  const built = join(folder, "wasm", TARGET, "module", "paishan_web.wasm");
  const wasmOpt = join(dirname(createRequire(import.meta.url).resolve("binaryen/package.json")), "bin", "wasm-opt");
  const target = join(out, name);
  const options = ["-O3", "--enable-simd", "--enable-bulk-memory", "--enable-nontrapping-float-to-int", "--enable-sign-ext", "--enable-mutable-globals", "--enable-reference-types", "--enable-multivalue", "--strip-debug", "--strip-producers"];
  // `WASM_OPT` names a native program, which is faster than that of npm.
  const [program, first] = process.env.WASM_OPT === undefined ? [process.execPath, [wasmOpt]] : [process.env.WASM_OPT, []];
  execFileSync(program, [...first, built, ...options, "-o", target], { stdio: "inherit" });
  return readFileSync(target);
}
