import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOfFile, addressOfServer, atEverySize, checkLooks, open } from "./browser.mjs";

for (const [name, address] of [["a server", addressOfServer], ["a file", () => addressOfFile]]) {
  test(`the page opens from ${name} and asks nobody else`, async t => {
    const page = await open(t, { address: address(), fragment: "#score" });
    assert.equal(await page.title(), "Score – paishan");
    assert.ok((await page.locator(".picker [data-tile]").count()) >= 34);
  });
}

test("a hand is scored before the rest of the engine comes, and a rulebook waits for it", async t => {
  let send;
  const held = new Promise(resolve => (send = resolve));
  const prepare = context => context.route("**/paishan-rest.wasm", async route => (await held, route.continue()));
  const page = await open(t, { fragment: "#score", prepare });
  await page.getByLabel("Tiles as text").fill("234t456s34678m99s5m");
  await page.keyboard.press("Enter");
  await page.locator(".headline", { hasText: "2 han 20 fu" }).first().waitFor();
  await page.locator("nav a", { hasText: "Learn" }).click();
  const title = page.frameLocator("#panel-learn iframe").locator("h1");
  assert.equal(await title.count(), 0);
  send();
  await title.waitFor({ timeout: 60_000 });
});

atEverySize("every tab has its address and can be reached with keys", async (t, size) => {
  const page = await open(t, { size });
  for (const link of await page.locator("nav a").all()) {
    await link.focus();
    await page.keyboard.press("Enter");
    const id = (await link.getAttribute("href")).slice(1);
    await page.locator(`#panel-${id}:not([hidden])`).waitFor();
    assert.equal(await link.getAttribute("aria-current"), "page");
    const outline = await link.evaluate(element => getComputedStyle(element).outlineStyle);
    assert.notEqual(outline, "none");
  }
});

atEverySize("dark colours have enough contrast", async (t, size) => {
  const page = await open(t, { size, fragment: "#score", options: { colorScheme: "dark" } });
  await checkLooks(page, "score-dark");
});
