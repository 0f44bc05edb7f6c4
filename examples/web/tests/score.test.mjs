import assert from "node:assert/strict";
import { atEverySize, checkLooks, open } from "./browser.mjs";

/** Picks tiles, the last of which wins. */
async function pick(page, tiles) {
  for (const tile of tiles) await page.locator(`.picker [data-tile="${tile}"]`).click();
}

const PINFU = ["2t", "3t", "4t", "4s", "5s", "6s", "3m", "4m", "6m", "7m", "8m", "9s", "9s", "5m"];

atEverySize("a hand is scored with a tap a tile", async (t, size) => {
  const page = await open(t, { size, fragment: "#score" });
  await pick(page, PINFU);
  await page.getByLabel("How the tile came").selectOption("discard W");
  await page.locator(".check", { hasText: /^riichi/ }).click();
  await page.locator(".headline", { hasText: "2 han 30 fu" }).first().waitFor();
  assert.match(await page.locator(".result").innerText(), /\+2900/);
  await page.locator("h3", { hasText: "The nearest better hand" }).waitFor();
  await page.locator(".loading").waitFor({ state: "detached" });
  await checkLooks(page, "score");
  // Who pays follows from the seat.
  await page.getByLabel("Winner’s seat").selectOption("S");
  await page.locator(".result", { hasText: "+2000" }).waitFor();
});

atEverySize("a hand is scored in every ruleset", async (t, size) => {
  const page = await open(t, { size, fragment: "#score" });
  await page.getByLabel("Tiles as text").fill("234t456s34678m99s5m");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "The same hand in all rulesets" }).click();
  const rulesets = await page.locator("#panel-score select").first().locator("option").count();
  assert.ok(rulesets > 20);
  const rows = page.locator(".second tbody tr", { has: page.locator("th", { hasText: /\S/ }) });
  await page.waitForFunction(() => document.getElementById("speaker").textContent.includes("all rulesets"));
  const texts = await rows.allInnerTexts();
  assert.ok(texts.filter(text => /point|fan|han/.test(text)).length > 15, texts.join("\n"));
  await checkLooks(page, "score-everywhere");
});

atEverySize("melds, bonus tiles and indicators", async (t, size) => {
  const page = await open(t, { size, fragment: "#score" });
  await page.locator("#panel-score select").first().selectOption("uzje");
  await page.getByRole("button", { name: "Chow", exact: true }).click();
  await pick(page, ["1s"]);
  await page.getByRole("button", { name: "Closed kong" }).click();
  await pick(page, ["7m"]);
  await page.getByRole("button", { name: "Hand", exact: true }).click();
  await pick(page, ["h", "7s", "8s", "9s", "C", "C", "C", "2m", "2m"]);
  await page.locator(".headline").first().waitFor();
  assert.equal(await page.locator(".tile-button.meld").count(), 2);
  // Without a meld there are tiles to pick again.
  await page.locator(".tile-button.meld").first().click();
  assert.equal(await page.locator(".headline").count(), 0);
  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await page.locator(".tile-button.meld").count(), 0);
  await checkLooks(page, "score-uzje");
});

atEverySize("a hand is scored with keys alone", async (t, size) => {
  const page = await open(t, { size, fragment: "#score" });
  await page.locator('.picker [data-tile="1t"]').focus();
  for (let tile = 0; tile < 9; tile++) {
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
  }
  assert.ok((await page.locator(".row-tiles .tile-button").count()) >= 9);
});
