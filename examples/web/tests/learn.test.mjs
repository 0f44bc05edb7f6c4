import assert from "node:assert/strict";
import { atEverySize, checkLooks, open } from "./browser.mjs";

atEverySize("the rulebook of a ruleset, and of another one", async (t, size) => {
  const page = await open(t, { size, fragment: "#learn" });
  await page.getByLabel("Ruleset").selectOption("two-player");
  const book = page.frameLocator("#panel-learn iframe");
  await book.locator("h1").waitFor({ timeout: 60_000 });
  assert.ok((await book.locator("h2").count()) > 8);
  await checkLooks(page, "learn");
  // A line of the contents leads to its section.
  const link = book.locator("nav a").nth(5);
  const title = await link.innerText();
  await link.click();
  const place = await book.locator("h2", { hasText: title }).first().boundingBox();
  assert.ok(place.y >= 0 && place.y < size.height, `${title} is at ${place.y}`);
  // No scripts run in the frame.
  const sandbox = await page.locator("#panel-learn iframe").getAttribute("sandbox");
  assert.ok(!sandbox.includes("allow-scripts"));
});
