// A browser for the tests: Debian's Chromium, the page from a server and from a file, at two sizes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { root } from "./root.mjs";
import { serve } from "../scripts/serve.mjs";

export { root };
export const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** Where screenshots go, if any are wanted. */
const SHOTS = process.env.PAISHAN_SHOTS;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let server;
before(async () => {
  server = await serve(0);
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--headless"] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

export const addressOfFile = pathToFileURL(join(root, "dist", "paishan.html")).href;
export const addressOfServer = () => `http://127.0.0.1:${server.address().port}/`;

/** Opens the page at a tab. Every error of the page fails the test, and so does every request beyond its own files. */
export async function open(t, { size = SIZES[0], fragment = "", address = addressOfServer(), options = {}, prepare = () => {} } = {}) {
  const context = await browser.newContext({ viewport: size, hasTouch: size.width < 700, ...options });
  await prepare(context);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", error => faults.push(error.message));
  page.on("console", message => message.type() === "error" && faults.push(message.text()));
  page.on("request", request => {
    const isOwn = request.url().startsWith(address) || /^(blob|data|about):/.test(request.url());
    if (!isOwn) faults.push(`a request to ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  await page.goto(address + fragment);
  await page.locator("html[data-ready]").waitFor({ timeout: 60_000 });
  return page;
}

/** Tests at every size. */
export function atEverySize(name, body) {
  for (const size of SIZES) {
    test(`${name}, ${size.width} × ${size.height}`, t => body(t, size));
  }
}

/** Checks what stands on the page: no serious fault of accessibility, and nothing wider than the screen. Takes a picture. */
export async function checkLooks(page, name) {
  const { width } = page.viewportSize();
  await page.evaluate(() => scrollTo(0, 0));
  if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`), fullPage: true });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false, runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`));
  assert.deepEqual(told, []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels wider than the screen`);
}
