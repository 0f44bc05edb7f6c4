// Reports sizes, the time of the first score, and what work costs beside the native program. It asserts nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { Engine } from "../dist/engine.js";
import { MODULES } from "./modules.mjs";
import { goldenRequests, matchRequests, nativeAnswers } from "../tests/native.mjs";
import { root } from "../tests/root.mjs";
import { serve } from "./serve.mjs";

const dist = name => readFileSync(join(root, "dist", name));
const kilobytes = bytes => `${(bytes.length / 1000).toFixed(0)} kB`;
const median = list => [...list].sort((a, b) => a - b)[list.length >> 1];

for (const name of [...Object.values(MODULES), "app.js", "worker.js", "paishan.html"]) {
  console.log(`${name}: ${kilobytes(dist(name))}, ${kilobytes(gzipSync(dist(name), { level: 9 }))} packed`);
}

const SCORE = { ruleset: "riichi-mcgill", round: "E", player: { seat: "S", hand: "234t456s3467899m" }, win: { tile: "5m", by: "discard", flags: ["riichi"] } };

// The first score: from the bytes of the part that the page loads first, in this program.
const bytes = dist(MODULES.first);
let rest;
const load = async () => Engine.loadParts(await WebAssembly.compile(bytes), () => (rest ??= new WebAssembly.Module(dist(MODULES.rest))));
const firsts = [];
for (let run = 0; run < 5; run++) {
  const start = performance.now();
  const engine = await load();
  const loaded = performance.now();
  engine.ask("score", SCORE);
  firsts.push([loaded - start, performance.now() - loaded]);
}
console.log(`module in Node: loaded in ${median(firsts.map(([load]) => load)).toFixed(0)} ms, first score ${median(firsts.map(([, score]) => score)).toFixed(0)} ms after that`);

// Work: the same requests in the module and natively, in turn.
const engine = await load();
const repeated = (lines, times) => Array.from({ length: times }, () => lines).flat();
const WORK = {
  "golden requests": repeated(goldenRequests(), 20),
  "matches of random": ["riichi-mcgill", "uzje", "mcr"].flatMap(id => repeated(matchRequests(id, 4, "random", 1), 10)),
  "matches of greedy": ["riichi-mcgill", "uzje", "mcr"].flatMap(id => repeated(matchRequests(id, 4, "greedy", 1), 3)),
  "matches of value": ["riichi-mcgill", "uzje"].flatMap(id => matchRequests(id, 4, "value", 1)),
};
for (const [name, lines] of Object.entries(WORK)) {
  const ratios = [];
  for (let run = 0; run < 5; run++) {
    const native = nativeAnswers(lines, "release").micros / 1000;
    const start = performance.now();
    for (const line of lines) engine.answer(line);
    ratios.push([performance.now() - start, native]);
  }
  const wasm = median(ratios.map(([wasm]) => wasm));
  const native = median(ratios.map(([, native]) => native));
  const ratio = median(ratios.map(([wasm, native]) => wasm / native));
  console.log(`${name}: ${ratio.toFixed(2)} × native (${wasm.toFixed(0)} ms, natively ${native.toFixed(0)} ms)`);
}

// The page: from the start of its loading, and with taps.
const server = await serve(0);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--headless"] });
const page = await (await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })).newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/#score`);
await page.locator("html[data-ready]").waitFor();
const ready = await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime);
const start = Date.now();
for (const tile of ["2t", "3t", "4t", "4s", "5s", "6s", "3m", "4m", "6m", "7m", "8m", "9s", "9s", "5m"]) await page.locator(`.picker [data-tile="${tile}"]`).tap();
await page.getByLabel("How the tile came").selectOption("discard W");
await page.locator(".headline").first().waitFor();
const tapped = Date.now() - start;
console.log(`page in Chromium: ready ${ready.toFixed(0)} ms after the start of loading, first score ${await page.evaluate(() => performance.getEntriesByName("scored")[0].duration.toFixed(0))} ms after the last tile`);
console.log(`from the first tap to the score: ${(tapped / 1000).toFixed(1)} s of scripted taps`);
await browser.close();
server.close();
