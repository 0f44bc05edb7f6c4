/** The own hand and the buttons for other actions: taps, drags, arrow keys, letters. */

import { el, picture, tiles } from "../dom";
import { choicesOf, handOf, lettersOf, spoken, tilesOfAction } from "./actions";
import { draggable } from "./drag";
import type { Legal, TileNames, View } from "./types";

/** Letters that the page itself uses at the table. */
export const RESERVED = "hu";

export interface Controls {
  /** The elements, the buttons first. */
  element: HTMLElement;
  /** Marks the tile or button of an action and moves the focus there. */
  point: (action: string) => void;
  /** Moves the focus to the usual choice. */
  focus: () => void;
  /** Handles a key. Returns true if it had a meaning. */
  press: (key: string) => boolean;
}

function tileButton(one: ReturnType<typeof handOf>[number], names: TileNames): HTMLButtonElement {
  const label = [names(one.tile), one.drawn ? "just drawn" : "", one.chosen ? "chosen" : "", one.action === undefined ? "not possible now" : ""];
  const button = el("button", { type: "button", class: "held", tabIndex: -1 }, picture(one.tile));
  button.setAttribute("aria-label", label.filter(Boolean).join(", "));
  if (one.action === undefined) button.setAttribute("aria-disabled", "true");
  button.classList.toggle("drawn", one.drawn);
  button.classList.toggle("chosen", one.chosen);
  return button;
}

function choiceButton(one: Legal, letter: string, names: TileNames): HTMLButtonElement {
  const pictures = tilesOfAction(one.action);
  const button = el("button", { type: "button", class: "choice", tabIndex: -1, attributes: { "data-action": one.action } }, one.words);
  if (pictures.length > 0) button.append(tiles(pictures, names));
  button.setAttribute("aria-label", spoken(one, names));
  if (letter !== "") {
    button.append(el("kbd", { attributes: { "aria-hidden": "true", "data-key": letter } }));
    button.setAttribute("aria-keyshortcuts", letter);
  }
  button.classList.toggle("pass", one.action === "none");
  return button;
}

/** Draws the hand of a view. `act` carries out an action, */
export function controls(view: View, names: TileNames, act: (action: Legal) => void): Controls {
  const held = handOf(view);
  const choices = choicesOf(view);
  const letters = lettersOf(choices.map(one => one.words), RESERVED);
  const isIdle = held.every(one => one.action === undefined);
  const row = el("div", { class: isIdle ? "hand idle" : "hand", attributes: { role: "toolbar", "aria-label": "your hand" } });
  const bar = el("div", { class: "choices", attributes: { role: "toolbar", "aria-label": "your choices" } });
  const tileButtons = held.map(one => tileButton(one, names));
  const choiceButtons = choices.map((one, place) => choiceButton(one, letters[place] ?? "", names));
  row.append(...tileButtons);
  bar.append(...choiceButtons);
  let raised: HTMLButtonElement | undefined;
  const raise = (button: HTMLButtonElement | undefined) => {
    raised?.classList.remove("raised");
    raised = button;
    raised?.classList.add("raised");
  };
  held.forEach((one, place) => {
    const button = tileButtons[place];
    const action = one.action;
    if (button === undefined || action === undefined) return;
    draggable(button, row, () => act(action));
    button.addEventListener("click", event => {
      // A finger is less exact than a mouse: its first tap raises the tile, its second discards it.
      const byTouch = event instanceof PointerEvent && event.pointerType === "touch";
      if (byTouch && raised !== button) raise(button);
      else act(action);
    });
  });
  choices.forEach((one, place) => choiceButtons[place]?.addEventListener("click", () => act(one)));
  const rove = (button: HTMLButtonElement | undefined) => {
    if (button === undefined) return;
    for (const other of [...tileButtons, ...choiceButtons]) other.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  };
  const usual = () => {
    const win = choices.findIndex(one => one.action === "hora");
    const pass = choices.findIndex(one => one.action === "none");
    const drawn = held.findIndex(one => one.drawn && one.action !== undefined);
    const first = held.findIndex(one => one.action !== undefined);
    if (win >= 0) return choiceButtons[win];
    if (pass >= 0) return choiceButtons[pass];
    return tileButtons[drawn] ?? tileButtons[first] ?? choiceButtons[0];
  };
  const start = usual();
  if (start !== undefined) start.tabIndex = 0;
  const step = (to: (place: number, count: number) => number) => {
    const focused = document.activeElement as HTMLButtonElement;
    const group = [tileButtons, choiceButtons].find(buttons => buttons.includes(focused));
    rove(group === undefined ? usual() : group.at(to(group.indexOf(focused), group.length)));
    return true;
  };
  return {
    element: el("div", { class: "controls" }, bar, row),
    focus: () => rove(usual()),
    point: action => {
      const place = held.findIndex(one => one.action?.action === action);
      const button = place >= 0 ? tileButtons[place] : choiceButtons[choices.findIndex(one => one.action === action)];
      if (place >= 0) raise(button);
      if (button !== undefined) button.dataset["hinted"] = "true";
      rove(button);
    },
    press: key => {
      switch (key) {
        case "ArrowRight":
          return step((place, count) => (place + 1) % count);
        case "ArrowLeft":
          return step(place => place - 1);
        case "Home":
          return step(() => 0);
        case "End":
          return step(() => -1);
        case "ArrowUp":
        case "ArrowDown": {
          const inHand = tileButtons.includes(document.activeElement as HTMLButtonElement);
          rove(inHand ? (choiceButtons[0] ?? usual()) : tileButtons.at(-1));
          return true;
        }
        default: {
          const place = letters.indexOf(key.toLowerCase());
          const one = key === "" ? undefined : choices[place];
          if (one === undefined) return false;
          act(one);
          return true;
        }
      }
    },
  };
}
