// The engine in WebAssembly, and the same engine as a native program.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Engine } from "../dist/engine.js";
import { MODULES } from "../scripts/modules.mjs";
import { root } from "./root.mjs";

const dist = name => readFileSync(join(root, "dist", name));

export const loadEngine = () => Engine.load(dist(MODULES.whole));

/** The engine in two parts. `waitForRest` is called when the first part wants the rest. */
export async function loadParts(waitForRest = () => {}) {
  const [first, rest] = [MODULES.first, MODULES.rest].map(name => new WebAssembly.Module(dist(name)));
  return Engine.loadParts(first, () => {
    waitForRest();
    return rest;
  });
}

/** The answers of the native program to lines, and the microseconds that they took. Times take a profile for speed. */
export function nativeAnswers(lines, profile = "dev") {
  const cargo = ["run", "--locked", "--profile", profile, "--quiet", "--bin", "answers", "--", "--time"];
  const output = execFileSync("cargo", cargo, { cwd: root, input: lines.map(line => `${line}\n`).join(""), maxBuffer: 1 << 30, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });
  const answers = output.trimEnd().split("\n");
  return { micros: Number(answers.pop()), answers };
}

/** The golden requests of the repository, as lines. */
export function goldenRequests() {
  const folder = join(root, "..", "..", "tests", "cases");
  const lines = [];
  for (const name of readdirSync(folder).sort()) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean)) {
      const { request } = JSON.parse(line);
      // A string is a line as it is. A line with a line break is no line.
      const text = typeof request === "string" ? request : JSON.stringify(request);
      if (!/[\r\n]/.test(text)) lines.push(text);
    }
  }
  return lines;
}

/** Requests that play a whole match of agents and ask for its log. */
export function matchRequests(ruleset, players, agent, seed) {
  const seats = Array(players).fill(agent);
  return [
    { type: "new", table: ruleset, ruleset, seats, seed },
    { type: "log", table: ruleset },
    { type: "save", table: ruleset },
    { type: "close", table: ruleset },
  ].map(request => JSON.stringify(request));
}
