import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atEverySize, checkLooks, open } from "./browser.mjs";
import { loadEngine } from "./native.mjs";
import { root } from "./root.mjs";

const engine = await loadEngine();

/** The log of a match that agents play. */
function log(ruleset, seats, options = {}) {
  engine.ask("new", { table: "t", ruleset, options, seats, seed: 5 });
  const { lines } = engine.ask("log", { table: "t" });
  engine.ask("close", { table: "t" });
  return lines.map(line => JSON.stringify(line)).join("\n");
}

const mjlog = join(root, "..", "..", "tests", "records", "small.mjlog");
const file = name => join(root, "tests", "logs", name);

/** Opens a log from its text and waits until its steps are there. */
async function openText(page, text) {
  await page.getByLabel("The text of a log").fill(text);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".viewer").waitFor({ timeout: 60_000 });
}

atEverySize("a match of ours: steps, wins, hands, advice", async (t, size) => {
  const page = await open(t, { size, fragment: "#replay" });
  await openText(page, log("riichi-mcgill", Array(4).fill("greedy"), { rounds: 1 }));
  const told = page.locator(".told");
  assert.match(await told.innerText(), /^Deal 1/);
  await page.getByRole("button", { name: /Step on/ }).click();
  assert.match(await told.innerText(), /draws/);
  await page.locator(".advice", { hasText: "value would:" }).waitFor({ timeout: 30_000 });
  // Hidden hands lie face down, and the tile that is drawn is not told.
  const backs = () => page.locator(".table use.own[href='#t-back']").count();
  assert.equal(await backs(), 0);
  await page.getByLabel("Show").selectOption("none");
  assert.ok((await backs()) >= 52);
  assert.match(await told.innerText(), /draws a tile/);
  await page.getByLabel("Show").selectOption("all");
  await page.getByRole("button", { name: /Next win/ }).click();
  await page.locator(".explained .explanation").first().waitFor();
  await checkLooks(page, "replay");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator(".explained .explanation").count(), 0);
  await page.keyboard.press("PageDown");
  assert.match(await told.innerText(), /^Deal 2/);
});

for (const [name, path, names] of [
  ["mjlog", mjlog, 7],
  ["JSON of Tenhou", file("tenhou.json"), 7],
  ["plain mjai", file("plain.mjson"), 8],
]) {
  test(`a log of another program from a file: ${name}`, async t => {
    const page = await open(t, { fragment: "#replay" });
    await page.getByLabel("A file").setInputFiles(path);
    await page.locator(".viewer").waitFor({ timeout: 60_000 });
    assert.equal(await page.getByLabel("Deal").locator("option").count(), names);
  });
}

test("an address of Tenhou’s viewer", async t => {
  const page = await open(t, { fragment: "#replay" });
  const json = readFileSync(file("tenhou.json"), "utf8").trim();
  await openText(page, `https://tenhou.net/6/#json=${encodeURIComponent(json)}&ts=0`);
});

test("several matches in one log", async t => {
  const page = await open(t, { fragment: "#replay" });
  await openText(page, `${log("two-player", ["greedy", "greedy"])}\n${log("woo", Array(4).fill("greedy"))}\n`);
  await page.getByLabel("Match").selectOption("1");
  await page.locator("h3", { hasText: "Woo" }).waitFor();
});

test("a broken log is refused at its line, and its texts are no markup", async t => {
  const page = await open(t, { fragment: "#replay" });
  const lines = log("two-player", ["greedy", "greedy"]).split("\n");
  await page.getByLabel("The text of a log").fill([...lines.slice(0, 4), "<img src=x onerror=alert(1)>"].join("\n"));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.locator(".fault", { hasText: "Line 5" }).waitFor();
  const names = JSON.parse(lines[0]);
  names.names = ["<img src=x onerror=alert(1)>", "<b>Bo</b>"];
  await openText(page, [JSON.stringify(names), ...lines.slice(1)].join("\n"));
  assert.equal(await page.locator(".viewer img, .viewer b").count(), 0);
  assert.match(await page.locator(".told").innerText(), /<img src=x|<b>Bo/);
});
