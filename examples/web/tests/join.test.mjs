// The tab Join: two people in two browsers at one table of the server in examples/server, which is built for this
// unless PAISHAN_SERVER names the program.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { before, test } from "node:test";
import { open, root, SIZES } from "./browser.mjs";
import { checkLayout } from "./layout.mjs";

const MANIFEST = ["--locked", "--quiet", "--manifest-path", join(root, "..", "server", "Cargo.toml")];
const OWN = process.env.PAISHAN_SERVER;

// The build may take longer than a test.
before(() => OWN === undefined && execFileSync("cargo", ["build", ...MANIFEST], { stdio: "inherit" }));

/** Starts a server with this page. Returns its address. */
async function host(t) {
  const [program, ...first] = OWN === undefined ? ["cargo", "run", ...MANIFEST, "--"] : [OWN];
  const serve = [...first, "--listen", "127.0.0.1:0", "--page", join(root, "dist")];
  const server = spawn(program, serve, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => server.kill());
  for await (const line of createInterface(server.stdout)) return `${line}/`;
  assert.fail("the server does not start");
}

/** Both answer by the usual choice until each has answered so often. */
async function play(pages, times) {
  const answers = pages.map(() => 0);
  const answer = async (page, number) => {
    while (Math.min(...answers) < times) {
      const board = page.locator(".play-table[data-question]");
      if ((await board.count()) === 0) {
        await page.waitForTimeout(50);
        continue;
      }
      await page.keyboard.press("Enter");
      await page.waitForTimeout(50);
      answers[number]++;
    }
  };
  await Promise.all(pages.map(answer));
}

test("two people on two devices play a deal", { timeout: 600_000 }, async t => {
  const address = await host(t);
  const [ann, bob] = await Promise.all(SIZES.map(size => open(t, { size, fragment: "#join", address })));
  for (const page of [ann, bob]) await page.getByRole("button", { name: "Look for tables" }).click();
  await ann.getByLabel("Your name").fill("Ann <b>");
  await ann.getByLabel("Ruleset").selectOption("two-player");
  await ann.locator(".sitters select").nth(2).waitFor({ state: "detached" });
  await ann.getByLabel("Time for claims").selectOption("2000");
  await checkLayout(ann, "join-lobby");
  await ann.getByRole("button", { name: "Open the table" }).click();
  await ann.getByText("waited for").waitFor();
  await checkLayout(ann, "join-waiting");

  await bob.getByLabel("Your name").fill("Bob");
  await bob.getByRole("button", { name: "Look again" }).click();
  const line = bob.locator(".rooms li", { hasText: "Ann <b>" });
  await line.getByRole("button").click();

  await play([ann, bob], 3);
  await checkLayout(bob, "join-table");
  assert.match(await bob.locator(".news").innerText(), /Ann <b> discards/);
  // Each sees its own tiles and no others.
  for (const page of [ann, bob]) assert.ok((await page.locator(".controls .held").count()) >= 13);

  // A page that is loaded again has its seat and its question.
  await bob.reload();
  await bob.locator(".play-table .seat.own").waitFor();
  await play([ann, bob], 2);
  await checkLayout(ann, "join-table");
  await ann.getByRole("button", { name: "Leave" }).click();
  await ann.getByRole("button", { name: "Open the table" }).waitFor();
  await bob.getByText("not connected").waitFor();
});
