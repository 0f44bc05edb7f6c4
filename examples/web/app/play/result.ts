/** The result of a deal, and the running totals of the match. */

import { el } from "../dom";
import { explained } from "../explain";
import type { LedgerRow } from "./news";
import type { EndedDeal } from "./types";

type Win = EndedDeal["wins"][number];

export interface People {
  name: (player: number) => string;
  tile: (tile: string) => string;
}

function plain(points: number): string {
  return String(points).replace("-", "−");
}

export function signed(points: number): string {
  return points > 0 ? `+${points}` : plain(points);
}

function headline(win: Win, people: People): string {
  const from = win.from === null ? "" : ` off ${people.name(win.from)}`;
  return `${people.name(win.player)} wins${from} with ${people.tile(win.tile)}`;
}

/** A deal in one sentence, for the live region. */
export function summary(deal: EndedDeal, people: People): string {
  const wins = deal.wins.map(win => headline(win, people));
  const changes = deal.deltas.map((delta, player) => `${people.name(player)} ${signed(delta)}`);
  return `Deal ${deal.deal} is over. ${wins.length > 0 ? wins.join(". ") : "Nobody wins"}. ${changes.join(", ")}.`;
}

export function dealResult(deal: EndedDeal, people: People): HTMLElement {
  const box = el("section", { class: "result" }, el("h3", {}, `Deal ${deal.deal}`));
  if (deal.wins.length === 0) box.append(el("p", {}, "Nobody wins."));
  for (const win of deal.wins) {
    box.append(el("p", {}, el("b", {}, headline(win, people))));
    if (win.explanation !== null) box.append(explained(win.explanation, people.tile));
  }
  if (deal.payments.length > 0) {
    box.append(el("ul", { class: "payments" }, ...deal.payments.map(payment => el("li", {}, payment))));
  }
  const cells = deal.deltas.map((delta, player) => el("li", {}, `${people.name(player)} `, el("b", {}, signed(delta))));
  box.append(el("ul", { class: "deltas", attributes: { "aria-label": "changes" } }, ...cells));
  return box;
}

/** The deals so far with their changes, and the totals. */
export function ledgerTable(rows: LedgerRow[], totals: number[], results: number[] | undefined, people: People): HTMLElement {
  const cells = (numbers: number[], show: (value: number) => string) =>
    numbers.map(value => el("td", { class: "number" }, show(value)));
  const players = totals.map((_, player) => el("th", { scope: "col", class: "number" }, people.name(player)));
  const head = el("tr", {}, el("th", { scope: "col" }, "deal"), ...players);
  const row = (name: string, ...content: Node[]) => el("tr", {}, el("th", { scope: "row" }, name), ...content);
  const body = rows.flatMap(({ deal, deltas, end }) => [
    row(String(deal), ...cells(deltas, signed)),
    el("tr", { class: "end" }, el("td", { colSpan: totals.length + 1 }, end)),
  ]);
  const foot = [row("total", ...cells(totals, plain))];
  if (results !== undefined) foot.push(row("result", ...cells(results, plain)));
  const table = el("table", { class: "ledger" }, el("thead", {}, head), el("tbody", {}, ...body), el("tfoot", {}, ...foot));
  return el("div", { class: "wide", tabIndex: 0, attributes: { role: "group", "aria-label": "ledger" } }, table);
}
