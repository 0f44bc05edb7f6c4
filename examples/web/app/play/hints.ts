/** What an adviser would do, and why. */

import { el, tiles } from "../dom";
import { spoken, tilesOfAction } from "./actions";
import type { Goal, Hint, TileNames, Weighed } from "./types";

/** How many of the actions that were weighed are shown. */
const MOST = 5;

type Suits = (suit: string) => string;

function goalWords({ goal, distance, total }: Goal, suits: Suits): string {
  const [suit, more] = /^([tsm])(-honours)?$/.exec(goal)?.slice(1) ?? [];
  const what = goal === "any" ? "a complete hand" : suit === undefined ? goal : `${suits(suit)}${more === undefined ? "" : " and honours"} only`;
  const away = distance < 0 ? "complete" : distance === 0 ? "ready" : `${distance} from ready`;
  return `${what}: ${away}, ${total} tiles help`;
}

function number(value: number | undefined, digits: number): string {
  return value === undefined ? "" : value.toFixed(digits);
}

function row({ action, words, worth, risk, goals }: Weighed, names: TileNames, suits: Suits): HTMLTableRowElement {
  const [best] = goals;
  const named = tilesOfAction(action);
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, `${words} `, ...(named.length > 0 ? [tiles(named, names)] : [])),
    el("td", { class: "number" }, number(worth, 1)),
    el("td", { class: "number" }, risk === undefined ? "" : `${number(100 * risk, 1)} %`),
    el("td", {}, best === undefined ? "" : goalWords(best, suits)),
  );
}

/** The hint as a sentence. */
export function hintWords(hint: Hint, agent: string, names: TileNames): string {
  return `${agent} would ${spoken(hint, names)}.`;
}

/** The actions that the adviser compared, the best first. */
export function hintBox(hint: Hint, agent: string, names: TileNames, suits: Suits): HTMLElement {
  const box = el("section", { class: "hint-box", attributes: { "aria-label": "hint" } }, el("p", {}, hintWords(hint, agent, names)));
  if (hint.weighed.length === 0) return box;
  const worth = (one: Weighed) => (one.action === hint.action ? Infinity : (one.worth ?? -(one.goals[0]?.distance ?? 0)));
  const best = [...hint.weighed].sort((one, other) => worth(other) - worth(one)).slice(0, MOST);
  const head = ["action", "worth", "risk", "best goal"].map(word => el("th", { scope: "col" }, word));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...best.map(one => row(one, names, suits))));
  const goal = best[0]?.goals[0];
  box.append(
    el("div", { class: "wide", tabIndex: 0, attributes: { role: "group", "aria-label": "what was weighed" } }, table),
    el("p", { class: "hint" }, "Worth is in points. Risk is the chance that another player wins with the tile."),
  );
  if (goal !== undefined && goal.accepts.length > 0) box.append(el("p", {}, `After ${hint.words} help: `, tiles(goal.accepts, names)));
  return box;
}
