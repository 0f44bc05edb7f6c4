/** What an adviser would do, and why. */

import { el, tiles } from "../dom";
import type { Goal, Hint, TileNames, Weighed } from "./types";

/** How many of the actions that were weighed are shown. */
const MOST = 5;

function goalWords(goal: Goal): string {
  const what = goal.goal === "any" ? "a complete hand" : goal.goal;
  const away = goal.distance < 0 ? "complete" : goal.distance === 0 ? "ready" : `${goal.distance} from ready`;
  return `${what}: ${away}, ${goal.total} tiles help`;
}

function number(value: number | undefined, digits: number): string {
  return value === undefined ? "" : value.toFixed(digits);
}

function row(one: Weighed, names: TileNames): HTMLTableRowElement {
  const best = one.goals[0];
  const goal = el("td", {}, best === undefined ? "" : goalWords(best));
  if (best !== undefined && best.accepts.length > 0) goal.append(" ", tiles(best.accepts, names));
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, one.words),
    el("td", { class: "number" }, number(one.worth, 1)),
    el("td", { class: "number" }, one.risk === undefined ? "" : `${(100 * one.risk).toFixed(1)} %`),
    goal,
  );
}

/** The hint as a sentence. */
export function hintWords(hint: Hint, agent: string): string {
  return `${agent} would ${hint.words}.`;
}

/** The actions that the adviser compared, the best first. */
export function hintBox(hint: Hint, agent: string, names: TileNames): HTMLElement {
  const box = el("section", { class: "hint-box", attributes: { "aria-label": "hint" } }, el("p", {}, hintWords(hint, agent)));
  if (hint.weighed.length === 0) return box;
  const worth = (one: Weighed) => (one.action === hint.action ? Infinity : (one.worth ?? -(one.goals[0]?.distance ?? 0)));
  const best = [...hint.weighed].sort((one, other) => worth(other) - worth(one)).slice(0, MOST);
  const head = ["action", "worth", "risk", "best goal"].map(word => el("th", { scope: "col" }, word));
  box.append(
    el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...best.map(one => row(one, names))))),
    el("p", { class: "small" }, "Worth is in points. Risk is the chance that another player wins with the tile."),
  );
  return box;
}
