/** A score in words and pictures, from the engine's explanation. */
import { el, tiles } from "./dom";
import type { ExplainedGroup, Explanation } from "./protocol";

type Namer = (tile: string) => string;

function groups(list: ExplainedGroup[], name: Namer): HTMLElement {
  return el(
    "p",
    { class: "groups" },
    ...list.map(group =>
      el(
        "span",
        { class: group.winning ? "group winning" : "group", title: [group.declared ? "declared" : "", group.winning ? "completed by the winning tile" : ""].filter(Boolean).join(", ") },
        tiles(group.tiles, name),
      ),
    ),
  );
}

/** Tiles drawn where the texts are notation, plain words otherwise. */
function madeOf(list: string[], name: Namer): HTMLElement | false {
  return list.length > 0 && el("span", { class: "made-of" }, ...list.map(text => tiles(text, name)));
}

/** The explanation of a score. `name` gives the names of tiles. */
export function explained(explanation: Explanation, name: Namer): HTMLElement {
  const { headline, patterns, fu, steps, left_out, runner_up } = explanation;
  const rows = patterns.map(({ name: title, times, value, made_of, doc }) =>
    el(
      "tr",
      {},
      el("td", {}, el("strong", {}, title), doc !== "" && el("small", {}, doc), madeOf(made_of, name)),
      el("td", { class: "number" }, times > 1 ? `${times} × ${value}` : value),
    ),
  );
  const fuRows = fu.map(({ doc, id, times, fu, made_of }) =>
    el(
      "tr",
      {},
      el("td", {}, doc === "" ? id : doc, " ", madeOf(made_of, name)),
      el("td", { class: "number" }, times > 1 ? `${times} × ${fu} fu` : `${fu} fu`),
    ),
  );
  return el(
    "div",
    { class: "explanation" },
    el("p", { class: "headline" }, headline),
    groups(explanation.groups, name),
    rows.length + fuRows.length > 0 && el("div", { class: "wide" }, el("table", {}, el("tbody", {}, ...rows, ...fuRows))),
    steps.length > 0 &&
      el(
        "details",
        {},
        el("summary", {}, "From the patterns to the points"),
        el("ol", {}, ...steps.map(({ of, value, reason }) => el("li", {}, `${of}: ${value} – ${reason}`))),
      ),
    left_out.length > 0 &&
      el(
        "details",
        {},
        el("summary", {}, `Patterns that do not count: ${left_out.length}`),
        el("ul", {}, ...left_out.map(({ name: title, value, reason }) => el("li", {}, el("strong", {}, title), ` (${value}): ${reason}`))),
      ),
    runner_up !== null &&
      el(
        "details",
        {},
        el("summary", {}, "Another reading of the hand"),
        groups(runner_up.groups, name),
        el("p", {}, `${runner_up.names.join(", ")}: ${runner_up.sum}, ${runner_up.points} points. ${runner_up.reason}`),
      ),
  );
}
