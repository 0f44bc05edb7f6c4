/** The differences of the text to the ruleset that it extends. */
import type { Client } from "../client";
import { el, fill } from "../dom";
import type { Difference } from "../protocol";

/** How long a comparison may take, in milliseconds. */
const PATIENCE = 5_000;

/** The built-in ruleset that a text extends. */
export function parentOf(text: string, known: readonly string[]): string | undefined {
  const named = /(?:^|[\s{,.])extends\s*=\s*["']([\w-]+)["']/m.exec(text)?.[1];
  return known.find(id => id === named);
}

function row({ path, before, after }: Difference): HTMLElement {
  const value = (text: string | null) => (text === null ? "–" : text);
  return el("tr", {}, el("th", { scope: "row" }, path.join(".")), el("td", {}, value(before)), el("td", {}, value(after)));
}

/** Shows the differences of a text to a ruleset. */
export async function showDifferences(out: HTMLElement, client: Client, text: string, parent: string): Promise<void> {
  try {
    const { differences } = await client.ask("differences", { before: { ruleset: parent }, after: { rules: text } }, { timeout: PATIENCE });
    // The name and the id of a child always differ.
    const shown = differences.filter(({ path }) => path[0] !== "ruleset" || !["id", "name"].includes(path[1] ?? ""));
    if (shown.length === 0) return fill(out, el("p", {}, "No differences."));
    const head = ["key", parent, "this text"].map(word => el("th", { scope: "col" }, word));
    const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...shown.map(row)));
    fill(out, el("div", { class: "wide", tabIndex: 0, attributes: { role: "group", "aria-label": "differences" } }, table));
  } catch (error) {
    fill(out, el("p", {}, error instanceof Error ? error.message : String(error)));
  }
}
