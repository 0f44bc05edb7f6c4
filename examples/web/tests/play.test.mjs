// The tab Play in a real browser.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { addressOfFile, atEverySize, open, SIZES } from "./browser.mjs";
import { checkLayout } from "./layout.mjs";
import { after, begin, byClicks, byKeys, decision, playDeal } from "./table.mjs";

const [PHONE, DESK] = SIZES;
const BOTS = ["human", "greedy", "greedy", "greedy"];

atEverySize("the form of a new match", async (t, size) => {
  const page = await open(t, { size, fragment: "#play" });
  await page.locator(".sitter").nth(3).waitFor();
  await checkLayout(page, "play-new");
});

for (const [ruleset, means, act] of [["uzje", "clicks", byClicks], ["riichi-mcgill", "keys", byKeys]]) {
  atEverySize(`a deal of ${ruleset} by ${means}`, async (t, size) => {
    const page = await open(t, { size, fragment: "#play" });
    await begin(page, { ruleset, seed: 11, seats: BOTS });
    await checkLayout(page, `play-${ruleset}`);
    await decision(page);
    await page.locator(".tools button", { hasText: "Hint" }).click();
    await page.locator(".hint-box tbody tr").nth(2).waitFor();
    assert.match(await page.locator(".hint-box").innerText(), /value would discard/);
    await checkLayout(page, `play-${ruleset}-hint`);
    const count = await playDeal(page, act);
    assert.ok(count > 3, `${count} decisions`);
    await checkLayout(page, `play-${ruleset}-result`);
    assert.match(await page.locator(".play-table > .result").innerText(), /Deal 1/);
    assert.match(await page.locator(".game [role=status]").first().innerText(), /Deal 1 is over/);
    assert.match(await page.locator(".ledger tbody tr").first().innerText(), /^1\s/);
    const before = await decision(page);
    await page.keyboard.press("Enter");
    await after(page, before);
    assert.match(await page.locator(".facts-line").innerText(), /deal 2/);
  });
}

// Games with steps before play, turned tiles, wild tiles and cards of hands.
for (const ruleset of ["filipino", "fuzhou", "changsha", "american"]) {
  test(`a deal of ${ruleset} by clicks`, async t => {
    const page = await open(t, { size: PHONE, fragment: "#play" });
    await begin(page, { ruleset, seed: 11, seats: BOTS });
    // `value` takes long for the American card.
    await page.getByLabel("Adviser").selectOption("greedy");
    await decision(page);
    await checkLayout(page, `play-${ruleset}`);
    const count = await playDeal(page, byClicks);
    assert.ok(count >= 3, `${count} decisions`);
    await checkLayout(page, `play-${ruleset}-result`);
    assert.match(await page.locator(".play-table > .result").innerText(), /Deal 1/);
    assert.match(await page.locator(".ledger tbody tr").first().innerText(), /^1\s/);
  });
}

test("the pass of american", async t => {
  const page = await open(t, { size: PHONE, fragment: "#play" });
  await begin(page, { ruleset: "american", seed: 7, seats: BOTS });
  const hand = () => page.locator(".held").evaluateAll(all => all.map(one => one.getAttribute("aria-label").split(",")[0]));
  await decision(page);
  const held = await hand();
  for (let chosen = 1; chosen <= 3; chosen++) {
    const before = await decision(page);
    await page.locator(".held:not([aria-disabled])").first().click();
    await after(page, before);
    if (chosen < 3) assert.equal(await page.locator(".held.chosen").count(), chosen);
  }
  await checkLayout(page, "play-american-passed");
  // Three tiles went, three others came, and the player is told both.
  const now = await hand();
  const kept = held.filter(label => now.includes(label));
  assert.ok(now.length >= held.length && kept.length < held.length, now.join());
  const told = (await page.locator(".news").innerText()).match(/passes/g);
  assert.equal(told.length, 6);
});

test("the opening choices of sichuan", async t => {
  const page = await open(t, { size: PHONE, fragment: "#play" });
  await begin(page, { ruleset: "sichuan", seed: 7, seats: BOTS });
  for (let chosen = 1; chosen <= 3; chosen++) {
    const before = await decision(page);
    await page.locator(".held:not([aria-disabled])").first().click();
    await after(page, before);
    if (chosen < 3) assert.equal(await page.locator(".held.chosen").count(), chosen);
  }
  await checkLayout(page, "play-sichuan-missing");
  const suits = await page.locator(".choice").allInnerTexts();
  assert.equal(suits.length, 3, suits.join());
  const before = await decision(page);
  await page.keyboard.press(await page.locator(".choice").first().getAttribute("aria-keyshortcuts"));
  await after(page, before);
  assert.match(await page.locator(".seat.own .mark").innerText(), /without/);
  assert.match(await page.locator(".news").innerText(), /does without/);
});

test("arrow keys, Enter, undo and drags", async t => {
  const page = await open(t, { size: DESK, fragment: "#play" });
  await begin(page, { ruleset: "woo", seed: 3, seats: BOTS });
  const own = page.locator(".seat.own .river li");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  await decision(page);
  const start = await focused();
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await focused(), start);
  await page.keyboard.press("Home");
  const first = await focused();
  const hand = () => page.locator(".held").evaluateAll(all => all.map(one => one.getAttribute("aria-label")));
  const held = await hand();
  assert.equal(first, held[0]);
  let before = await decision(page);
  await page.keyboard.press("Enter");
  await after(page, before);
  assert.equal((await own.first().getAttribute("aria-label")).replace(", claimed", ""), first);
  before = await decision(page);
  await page.keyboard.press("u");
  await after(page, before);
  assert.deepEqual(await hand(), held);
  assert.equal(await own.count(), 0);
  // A tile that is dropped within the hand stays, one that is dropped on the table is discarded.
  const tile = page.locator(".held").nth(2);
  const label = await tile.getAttribute("aria-label");
  const box = await tile.boundingBox();
  const drag = async dy => {
    await page.mouse.move(box.x + 10, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 14, box.y + 20 + dy, { steps: 5 });
    await page.mouse.up();
  };
  before = await decision(page);
  await drag(15);
  await page.waitForTimeout(100);
  assert.equal(await decision(page), before);
  await drag(-200);
  await after(page, before);
  assert.equal((await own.first().getAttribute("aria-label")).replace(", claimed", ""), label);
});

test("a finger raises a tile first", async t => {
  const page = await open(t, { size: PHONE, fragment: "#play" });
  await begin(page, { ruleset: "riichi-mcgill", seed: 5, seats: BOTS });
  const before = await decision(page);
  const tile = page.locator(".held").nth(4);
  await tile.tap();
  await page.waitForTimeout(100);
  assert.equal(await decision(page), before);
  assert.match(await tile.getAttribute("class"), /raised/);
  await tile.tap();
  await after(page, before);
});

test("a match goes on after a reload, and its log is replayed", async t => {
  const page = await open(t, { size: DESK, fragment: "#play" });
  await begin(page, { ruleset: "woo", seed: 9, seats: BOTS });
  for (let step = 0; step < 4; step++) await byClicks(page, await decision(page));
  const table = () => page.locator(".play-table").evaluate(table => table.innerText.replace(/\s+/g, " "));
  const hand = () => page.locator(".held").evaluateAll(all => all.map(one => one.getAttribute("aria-label")).join());
  const [told, held] = [await table(), await hand()];
  await page.reload();
  await page.locator(".game .held").first().waitFor();
  assert.deepEqual([await table(), await hand()], [told, held]);
  const saving = page.waitForEvent("download");
  await page.locator(".tools button", { hasText: "Save log" }).click();
  const file = await (await saving).path();
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n").map(line => JSON.parse(line));
  assert.equal(lines[0].type, "start_game");
  assert.equal(lines[0].ruleset, "woo");
  await page.locator(".tools button", { hasText: "Replay" }).click();
  await page.locator("#panel-replay .viewer").waitFor();
});

test("several people take turns behind a curtain", async t => {
  const page = await open(t, { size: PHONE, fragment: "#play" });
  await begin(page, { ruleset: "uzje", seed: 4, seats: Array.from({ length: 6 }, () => "human"), options: { players: "6" } });
  const curtain = page.locator(".curtain");
  await curtain.waitFor();
  assert.equal(await page.locator(".held").count(), 0);
  await checkLayout(page, "play-curtain");
  const first = await curtain.innerText();
  await curtain.locator("button").click();
  await page.locator(".held").first().waitFor();
  await checkLayout(page, "play-six");
  const before = await decision(page);
  await page.locator(".held:not([aria-disabled])").first().click();
  await after(page, before);
  await curtain.waitFor();
  assert.notEqual(await curtain.innerText(), first);
  assert.equal(await page.locator(".held").count(), 0);
});

test("the clock lets a claim pass, and waits for people with keys", async t => {
  const page = await open(t, { size: DESK, fragment: "#play" });
  await page.clock.install();
  await begin(page, { ruleset: "riichi-mcgill", seed: 21, seats: BOTS });
  const pass = page.locator(".choice.pass");
  const toClaim = async () => {
    for (let step = 0; step < 120 && !(await pass.isVisible()); step++) {
      const before = await decision(page);
      const next = page.locator(".play-table > .main");
      if (!(await next.isVisible())) {
        await byClicks(page, before);
        continue;
      }
      await next.click();
      await after(page, before);
    }
    await pass.waitFor();
  };
  await toClaim();
  let before = await decision(page);
  await page.clock.runFor(25_000);
  await after(page, before);
  await toClaim();
  before = await decision(page);
  await page.keyboard.press("ArrowRight");
  await page.clock.runFor(60_000);
  assert.equal(await decision(page), before);
  // A clock that people set runs for everybody.
  await page.getByLabel("Clock for claims").selectOption("10");
  await page.reload();
  await pass.waitFor();
  before = await decision(page);
  await page.keyboard.press("ArrowRight");
  await page.clock.runFor(12_000);
  await after(page, before);
});

test("every ruleset asks its first decisions", async t => {
  const page = await open(t, { size: PHONE, fragment: "#play" });
  await page.locator(".setup .sitter").first().waitFor();
  const rulesets = await page.locator("#play-ruleset option").evaluateAll(all => all.map(one => one.value));
  assert.ok(rulesets.length > 20);
  for (const ruleset of rulesets) {
    await page.locator("#play-ruleset").selectOption(ruleset);
    await page.locator(".setup button[type=submit]").click();
    await page.locator(".game .held").first().waitFor();
    for (let step = 0; step < 4; step++) {
      const before = await decision(page);
      if (await page.locator(".play-table > .main").isVisible()) break;
      await byClicks(page, before);
    }
    await checkLayout(page, `play-every-${ruleset}`);
    await page.locator(".tools button", { hasText: "New match" }).click();
    await page.locator(".setup .sitter").first().waitFor();
  }
});

atEverySize("dark colours at the table and in the editor", async (t, size) => {
  const page = await open(t, { size, fragment: "#play", options: { colorScheme: "dark" } });
  await begin(page, { ruleset: "sichuan", seed: 7, seats: BOTS });
  await checkLayout(page, "play-dark");
  await page.goto(page.url().replace("#play", "#design"));
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('# words\nruleset = { id = "my", extends = "woo" }\n[options.rounds]\ndefault = 2 # two\n');
  await page.locator(".toml-value").first().waitFor();
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  await page.keyboard.press("Escape");
  await checkLayout(page, "design-dark");
});

test("the text of the editor is played", async t => {
  const page = await open(t, { size: DESK, fragment: "#design" });
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('ruleset = { id = "mine", extends = "woo", name = "Mine" }\n');
  await page.locator("button", { hasText: "Play it" }).click();
  assert.equal(await page.locator("#play-ruleset").inputValue(), "own");
  await page.locator(".setup .sitter").first().waitFor();
  await page.locator(".setup button[type=submit]").click();
  await page.locator(".game .held").first().waitFor();
  assert.equal(await page.locator("#panel-play h2").innerText(), "Mine");
  await page.reload();
  await page.locator(".game .held").first().waitFor();
  await page.locator(".tools button", { hasText: "Replay" }).click();
  await page.locator("#panel-replay .viewer").waitFor();
});

test("a match is played and a text is shared in the page from a file", async t => {
  const page = await open(t, { size: DESK, address: addressOfFile, fragment: "#play" });
  await begin(page, { ruleset: "woo", seed: 3, seats: BOTS });
  for (let step = 0; step < 3; step++) await byClicks(page, await decision(page));
  const hand = () => page.locator(".held").evaluateAll(all => all.map(one => one.getAttribute("aria-label")).join());
  const held = await hand();
  await page.reload();
  await page.locator(".game .held").first().waitFor();
  assert.equal(await hand(), held);
  await page.evaluate(() => (location.hash = "#design"));
  await page.locator("button", { hasText: "Copy a link" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#design/"));
  const box = page.locator(".playtest");
  await box.getByLabel("Agent").selectOption("greedy");
  await box.getByLabel("Matches").fill("3");
  await box.locator("button", { hasText: "Play-test" }).click();
  await box.locator("#plot-points").waitFor();
});

test("names of people and rules stay text", async t => {
  const page = await open(t, { size: DESK, fragment: "#play" });
  await page.locator(".setup .sitter").first().waitFor();
  await page.locator(".setup .sitter input").first().fill("<b id=x>&");
  await page.locator(".setup button[type=submit]").click();
  await page.locator(".game .held").first().waitFor();
  assert.equal(await page.locator("#x").count(), 0);
  assert.match(await page.locator(".seat.own").innerText(), /<b id=x>&/);
});
