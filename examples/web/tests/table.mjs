// Plays at the table of the tab Play, as people do: with clicks or with keys.
import assert from "node:assert/strict";

/** Begins a match. `seats` are names for the form, in player order. */
export async function begin(page, { ruleset, seed, seats, options = {} }) {
  await page.locator("#panel-play .setup").waitFor();
  await page.locator("#play-ruleset").selectOption(ruleset);
  await page.locator(".setup .sitter").first().waitFor();
  await page.locator(".setup details > summary").click();
  await page.locator("#play-seed").fill(String(seed));
  for (const [name, value] of Object.entries(options)) {
    const input = page.locator(`#option-${name}`);
    await input.fill(value);
    await input.blur();
  }
  await page.waitForFunction(count => document.querySelectorAll(".setup .sitter").length === count, seats.length);
  for (const [player, seat] of seats.entries()) await page.locator(`#sitter-${player}`).selectOption(seat);
  await page.locator(".setup button[type=submit]").click();
  await page.locator(".game").waitFor();
}

/** What the player is asked: the number of the decision, so that the next one can be awaited. */
export async function decision(page) {
  await page.waitForFunction(() => document.querySelector(".play-table")?.dataset.busy !== "true");
  return page.locator(".play-table").getAttribute("data-decision");
}

/** Awaits the decision after one. */
export async function after(page, before) {
  await page.waitForFunction(before => {
    const table = document.querySelector(".play-table");
    return table?.dataset.busy !== "true" && table?.dataset.decision !== before;
  }, before);
}

/** Takes the hint for each decision of a deal with `act`, until the result is shown. Returns how many decisions it took. */
export async function playDeal(page, act) {
  for (let count = 0; count < 300; count++) {
    const before = await decision(page);
    if (await page.locator(".play-table > .result").isVisible()) return count;
    await act(page, before);
  }
  assert.fail("the deal does not end");
}

/** Asks for a hint and clicks what it points at. */
export async function byClicks(page, before) {
  await page.locator(".tools button", { hasText: "Hint" }).click();
  await page.locator(".hint-box").waitFor();
  await page.locator(".controls [data-hinted]").click();
  await after(page, before);
}

/** Asks for a hint with `h` and carries it out: other choices by their letters, tiles by Enter. */
export async function byKeys(page, before) {
  await page.keyboard.press("h");
  await page.locator(".hint-box").waitFor();
  const hinted = page.locator(".controls [data-hinted]");
  const letter = await hinted.getAttribute("aria-keyshortcuts");
  await page.keyboard.press(letter ?? "Enter");
  await after(page, before);
}
