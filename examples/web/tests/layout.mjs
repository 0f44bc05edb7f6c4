// What is wrong with how things lie on the page.
import assert from "node:assert/strict";
import { checkLooks } from "./browser.mjs";

/** Checks that nothing is clipped, sticks out of the page or covers a button, and that every picture exists, beside what {@link checkLooks} checks. */
export async function checkLayout(page, name) {
  const found = await page.evaluate(() => {
    const found = [];
    const width = document.documentElement.clientWidth;
    const told = element => `${element.tagName} “${(element.textContent || element.getAttribute("aria-label") || "").slice(0, 40)}”`;
    const scrolls = element => {
      for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(parent).overflowX)) return true;
      }
      return false;
    };
    const isSeen = element => element.checkVisibility() && element.getClientRects().length > 0 && element.closest(".unseen, .cm-editor") === null;
    const texts = "main :is(button, select, input, p, h2, h3, li, td, th, dd, dt, label, svg)";
    for (const element of [...document.querySelectorAll(texts)].filter(isSeen)) {
      const box = element.getBoundingClientRect();
      if (scrolls(element)) continue;
      if (box.right > width + 1 || box.left < -1) found.push(`${told(element)} reaches from ${box.left} to ${box.right}`);
      if (!(element instanceof HTMLInputElement) && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === "hidden") found.push(`${told(element)} is clipped`);
    }
    // What sticks to the bottom may cover what scrolls below it.
    const controls = [...document.querySelectorAll("main :is(button, select, input)")].filter(one => isSeen(one) && !scrolls(one) && one.closest(".controls") === null);
    const boxes = controls.map(one => one.getBoundingClientRect());
    boxes.forEach((a, one) => {
      boxes.slice(0, one).forEach((b, other) => {
        const overlap = a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        if (overlap) found.push(`${told(controls[one])} covers ${told(controls[other])}`);
      });
    });
    const pictures = [...document.querySelectorAll("main use")].map(use => use.getAttribute("href"));
    found.push(...pictures.filter(id => document.getElementById(id.slice(1)) === null).map(id => `there is no picture ${id}`));
    return found;
  });
  assert.deepEqual(found, []);
  await checkLooks(page, name);
}
