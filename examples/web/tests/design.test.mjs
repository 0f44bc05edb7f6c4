// The tab Design in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEverySize, open, SIZES } from "./browser.mjs";
import { checkLayout } from "./layout.mjs";

const [PHONE, DESK] = SIZES;

/** Puts a text in the place of that in the editor. */
async function write(page, text) {
  const editor = page.locator("#panel-design .cm-content");
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Closes the list of completions. */
async function close(page) {
  await page.waitForTimeout(300);
  await page.keyboard.press("Escape");
  await page.locator(".cm-tooltip-autocomplete").waitFor({ state: "detached" });
}

const problems = page => page.locator(".problems li");
const state = page => page.locator("#panel-design .state");

atEverySize("a slip is shown at its line", async (t, size) => {
  const page = await open(t, { size, fragment: "#design" });
  await write(page, 'ruleset = { id = "my", extends = "woo" }\n\n[options.rounds]\ndefalt = 2\n');
  await problems(page).first().waitFor();
  assert.match(await problems(page).first().innerText(), /Line 4.*defalt.*default/s);
  await page.locator(".cm-lintRange-error").waitFor();
  assert.equal(await page.locator(".cm-lintRange-error").innerText(), "defalt");
  await close(page);
  await checkLayout(page, `design-slip`);
  // The line can be reached from the list.
  await problems(page).first().locator("button").click();
  assert.ok(await page.evaluate(() => document.activeElement?.classList.contains("cm-content")));
  await write(page, 'ruleset = { id = "my", extends = "woo" }\noptions.rounds.default = 2\n');
  await page.waitForFunction(() => /loads/.test(document.querySelector("#panel-design .state")?.textContent ?? ""));
  await page.locator("#panel-design table", { hasText: "options.rounds.default" }).waitFor();
  assert.match(await page.locator("#panel-design table tbody").first().innerText(), /options\.rounds\.default\s+8\s+2/);
});

atEverySize("200 matches with their plots", async (t, size) => {
  const page = await open(t, { size, fragment: "#design" });
  await write(page, 'ruleset = { id = "my-woo", extends = "woo" }\n');
  await close(page);
  const box = page.locator(".playtest");
  await box.getByLabel("Agent").selectOption("greedy");
  await box.getByLabel("Matches").fill("200");
  // Plots are there before the end. A fast play-test ends before a test that asks again and again sees them.
  await page.evaluate(() => {
    window.plots = new Set();
    new MutationObserver(() => window.plots.add(document.querySelector("#plot-points:has(.bar:not([height='0']))")?.outerHTML ?? "")).observe(
      document.querySelector(".playtest"),
      { childList: true, subtree: true },
    );
  });
  await box.locator("button", { hasText: "Play-test" }).click();
  await page.waitForFunction(() => /200 matches in/.test(document.querySelector(".playtest .message")?.textContent ?? ""), undefined, { timeout: 180_000 });
  const plots = await page.evaluate(() => [...window.plots].filter(plot => plot !== ""));
  assert.ok(plots.length >= 2, `${plots.length} plots`);
  const deals = Number(await box.locator("dd").first().innerText());
  assert.ok(deals >= 200 * 4, `${deals} deals`);
  assert.equal(await box.locator("#plot-seats circle").count(), 4);
  await box.locator("#plot-patterns").scrollIntoViewIfNeeded();
  await checkLayout(page, `design-playtest`);
});

atEverySize("prices of patterns by their rarity", async (t, size) => {
  const page = await open(t, { size, fragment: "#design" });
  await write(page, 'ruleset = { id = "my", extends = "uzje" }\n');
  await close(page);
  const box = page.locator(".playtest");
  await box.getByLabel("Agent").selectOption("greedy");
  await box.getByLabel("Matches").fill("30");
  await box.locator("button", { hasText: "Play-test" }).click();
  await page.waitForFunction(() => /30 matches in/.test(document.querySelector(".playtest .message")?.textContent ?? ""), undefined, { timeout: 120_000 });
  const prices = box.locator("#plot-prices");
  assert.ok((await prices.locator("circle").count()) >= 8);
  assert.equal(await prices.locator("path.interval").count(), 1);
  assert.match(await prices.getAttribute("aria-label"), /^Price in fan, share of winning hands: .+ %/);
  assert.match(await prices.locator("circle title").first().innerHTML(), /: [\d.]+, [\d.]+ %$/);
  // The plot draws nothing beside itself.
  const outside = await prices.evaluate(plot => [...plot.querySelectorAll("text, circle, path")].filter(one => {
    const { x, y, width, height } = one.getBBox();
    return x < 0 || y < 0 || x + width > 360 || y + height > 256;
  }).map(one => one.outerHTML));
  assert.deepEqual(outside, []);
  await prices.scrollIntoViewIfNeeded();
  await checkLayout(page, "design-prices");
});

test("lints are shown at their places", async t => {
  const page = await open(t, { size: DESK, fragment: "#design" });
  await write(page, 'ruleset = { id = "my", extends = "uzje" }\npatterns.odd = { fan = 1.0, when = "winning-tile is 5t" }\n');
  await problems(page).filter({ hasText: "never" }).waitFor({ timeout: 30_000 });
  const lint = problems(page).filter({ hasText: "[never]" }).filter({ hasText: "Line 2" });
  assert.ok((await lint.count()) > 0);
  await page.locator(".cm-lintRange-warning").first().waitFor();
});

test("keys, words and ids are completed", async t => {
  const page = await open(t, { size: DESK, fragment: "#design" });
  await write(page, 'ruleset = { id = "my", extends = "uzje" }\n[win]\nthe');
  const list = page.locator(".cm-tooltip-autocomplete");
  await list.waitFor();
  assert.match(await list.innerText(), /then/);
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await page.keyboard.type('"pl');
  await list.waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".cm-content").innerText(), /then = "play-on"/);
  await write(page, 'ruleset = { id = "my", extends = "uzje" }\n');
  await page.waitForFunction(() => /loads/.test(document.querySelector("#panel-design .state")?.textContent ?? ""));
  await page.keyboard.type("[patterns.closed");
  await list.filter({ hasText: "closed-hand" }).waitFor();
});

test("A and B play the same walls", async t => {
  const page = await open(t, { size: PHONE, fragment: "#design" });
  await write(page, 'ruleset = { id = "short", extends = "woo" }\noptions.rounds.default = 2\n');
  await close(page);
  const box = page.locator(".versus");
  await box.getByLabel("Text A").fill('ruleset = { id = "long", extends = "woo" }\n');
  await box.getByLabel("Matches").fill("20");
  await box.locator("button", { hasText: "Compare" }).click();
  await page.waitForFunction(() => /same walls\.$/.test(document.querySelector(".versus .message")?.textContent ?? ""), undefined, { timeout: 180_000 });
  const row = await box.locator("tr", { hasText: "deals a match" }).innerText();
  const [before, after] = row.split("\t").slice(1).map(Number);
  assert.ok(before >= 8 && after >= 2 && after < before, row);
  assert.match(await box.innerText(), /20 of 20 matches were played otherwise/);
  // The whole table is seen on a phone.
  assert.equal(await box.locator(".wide").evaluate(wide => wide.scrollWidth - wide.clientWidth), 0);
  await checkLayout(page, "design-versus");
});

test("a link has the whole text", async t => {
  const page = await open(t, { size: DESK, fragment: "#design" });
  const text = 'ruleset = { id = "shared", extends = "mcr" } # <script>alert(1)</script> 麻將\n';
  await write(page, text);
  await page.locator("button", { hasText: "Copy a link" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#design/"));
  // The driver hears of a new address later than the page.
  const fragment = await page.evaluate(() => location.hash);
  const other = await open(t, { size: DESK, fragment });
  await other.waitForFunction(() => /shared/.test(document.querySelector(".cm-content")?.textContent ?? ""));
  assert.equal((await other.locator(".cm-content").innerText()).trim(), text.trim());
  // What is no text is refused.
  await other.evaluate(() => (location.hash = "#design/AAAA"));
  await other.waitForFunction(() => /no text/.test(document.querySelector("#panel-design .state")?.textContent ?? ""));
});

test("a hostile ruleset does not stop the page", async t => {
  const page = await open(t, { size: DESK, fragment: "#design" });
  const deep = `${"not (".repeat(4000)}closed${")".repeat(4000)}`;
  const wide = Array.from({ length: 300 }, (_, i) => `[options.o${i}]\ntype = "int"\nmin = 0\nmax = 999999999999\ndefault = ${i}\n`).join("");
  for (const text of [
    `ruleset = { id = "deep", extends = "woo" }\npatterns.deep = { points = 1, when = "${deep}" }\n`,
    `ruleset = { id = "wide", extends = "uzje" }\n${wide}`,
    `ruleset = { id = "big", extends = "woo" }\noptions.rounds = { default = 9223372036854775807, max = 9223372036854775807 }\n`,
    `ruleset = { id = "huge", extends = "woo" }\n${Array.from({ length: 400 }, (_, i) => `patterns.p${i} = { points = 999999999, when = "${"pungs >= 1 and ".repeat(40)}closed" }`).join("\n")}\n`,
  ]) {
    await page.evaluate(() => (document.querySelector("#panel-design .state").textContent = ""));
    await write(page, text);
    // The page goes on while the text is checked.
    const began = Date.now();
    for (let tick = 0; tick < 5; tick++) {
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)));
      await page.waitForTimeout(50);
    }
    assert.ok(Date.now() - began < 5_000, "the page answers");
    await page.waitForFunction(() => /fault|loads|not loaded/.test(document.querySelector("#panel-design .state")?.textContent ?? ""), undefined, { timeout: 20_000 });
  }
  // A match that never ends is stopped by a button.
  await write(page, 'ruleset = { id = "endless", extends = "woo" }\noptions.rounds = { default = 1000000, max = 1000000 }\n');
  await page.waitForFunction(() => /loads|fault/.test(document.querySelector("#panel-design .state")?.textContent ?? ""), undefined, { timeout: 20_000 });
  const box = page.locator(".playtest");
  await box.locator("button", { hasText: "Play-test" }).click();
  await page.waitForTimeout(500);
  await box.locator("button", { hasText: "Stop" }).click();
  await page.waitForFunction(() => /Stopped/.test(document.querySelector(".playtest .message")?.textContent ?? ""));
  await state(page).waitFor();
});
