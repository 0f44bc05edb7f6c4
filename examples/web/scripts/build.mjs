// Builds everything into dist/: the page for a static server (index.html, app.js, worker.js and the modules), the page in one file
// (paishan.html), and the ES module with its types for npm (engine.js, *.d.ts). `--page` leaves the modules as they were built before.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { MODULES } from "./modules.mjs";
import { buildModules } from "./wasm.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = name => join(root, "app", name);
const dist = name => join(root, "dist", name);

async function bundle(entry, format) {
  const result = await build({
    entryPoints: [app(entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    loader: { ".json": "json", ".toml": "text" },
  });
  return result.outputFiles[0].text;
}

/** The page with its parts put in. Functions, because texts may have `$&`. */
function page(parts) {
  const template = readFileSync(app("index.html"), "utf8");
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

/** A text that cannot end the script that it is in. */
const inScript = text => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

const policy = scripts =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; ${scripts}`;

mkdirSync(join(root, "dist"), { recursive: true });
const [script, worker, engine] = await Promise.all([bundle("main.ts", "iife"), bundle("worker.ts", "iife"), bundle("engine.ts", "esm")]);
writeFileSync(dist("engine.js"), engine);
const isPageOnly = process.argv.includes("--page") && Object.values(MODULES).every(name => existsSync(dist(name)));
if (!isPageOnly) await buildModules((await import(pathToFileURL(dist("engine.js")))).Engine);
const [module, first, rest] = [MODULES.whole, MODULES.first, MODULES.rest].map(name => readFileSync(dist(name)));
const style = (await build({ entryPoints: [app("style.css")], bundle: true, minify: true, write: false, loader: { ".css": "css" } })).outputFiles[0].text;

writeFileSync(dist("app.js"), script);
writeFileSync(dist("worker.js"), worker);
execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", join(root, "tsconfig.npm.json")], { stdio: "inherit" });
writeFileSync(
  dist("index.html"),
  page({
    policy: policy("script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"),
    style,
    data: "",
    source: ' src="app.js" defer',
    script: "",
  }),
);

const inline = inScript(script);
const hash = createHash("sha256").update(inline).digest("base64");
const data = (id, type, text) => `<script id="${id}" type="${type}">${text}</script>\n`;
writeFileSync(
  dist("paishan.html"),
  page({
    policy: policy(`script-src 'sha256-${hash}' 'wasm-unsafe-eval' blob:; worker-src blob:`),
    style,
    data:
      data("module", "application/gzip;base64", gzipSync(module, { level: 9 }).toString("base64")) +
      data("worker", "text/plain", inScript(worker)),
    source: "",
    script: inline,
  }),
);
const kilobytes = text => `${(text.length / 1000).toFixed(0)} kB`;
const packed = module => `${kilobytes(module)}, ${kilobytes(gzipSync(module, { level: 9 }))} packed`;
console.log(`dist/: module ${packed(module)}; its first part ${packed(first)}; the rest ${packed(rest)}; script ${kilobytes(script)}; paishan.html ${kilobytes(readFileSync(dist("paishan.html")))}`);
