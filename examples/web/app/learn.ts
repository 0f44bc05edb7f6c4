/** Learn: the rulebook of a ruleset. */
import type { App, Tab } from "./app";
import { el, field, fill, select } from "./dom";

/** How long a rulebook may take: the engine looks for a hand for every pattern. */
const PATIENCE = 120_000;

/** The rulebook in a frame that runs no scripts. Its links to sections scroll the page. */
function frame(title: string, html: string): HTMLIFrameElement {
  const frame = el("iframe", { title, attributes: { sandbox: "allow-same-origin" } });
  frame.srcdoc = html;
  frame.addEventListener("load", () => {
    const inner = frame.contentDocument;
    if (inner === null) return;
    const fit = () => (frame.style.height = `${inner.documentElement.scrollHeight + 2}px`);
    new ResizeObserver(fit).observe(inner.documentElement);
    fit();
    inner.addEventListener("click", event => {
      const link = (event.target as Element).closest("a[href^='#']");
      if (link === null) return;
      event.preventDefault();
      const target = inner.getElementById(link.getAttribute("href")!.slice(1));
      if (target === null) return;
      const top = frame.getBoundingClientRect().top + target.getBoundingClientRect().top + scrollY;
      scrollTo({ top: top - 80 });
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
    });
  });
  return frame;
}

export const learn: Tab = {
  id: "learn",
  title: "Learn",
  mount(panel, app: App) {
    const worker = app.tools();
    const place = el("div", {});
    const names = app.rulesets.map(({ id, name }) => [id, name] as const);
    const choice = select(names, app.ruleset, id => (app.ruleset = id));
    fill(panel, el("h2", {}, "The rules"), el("div", { class: "bar" }, field("Ruleset", choice)), place);
    let asked = 0;
    async function show(): Promise<void> {
      const number = ++asked;
      choice.value = app.ruleset;
      fill(place, el("p", { class: "loading", attributes: { role: "status" } }, "The rulebook is being written. It takes some seconds …"));
      worker.stop();
      try {
        const { title, html } = await worker.ask("rulebook", { ruleset: app.ruleset, lang: app.lang }, { timeout: PATIENCE });
        if (number === asked) fill(place, frame(title, html));
      } catch (error) {
        if (number === asked) fill(place, el("p", { class: "fault", attributes: { role: "alert" } }, (error as Error).message));
      }
    }
    let dirty = false;
    const changed = () => {
      if (panel.hidden) dirty = true;
      else void show();
    };
    app.addEventListener("ruleset", changed);
    app.addEventListener("lang", changed);
    this.shown = () => {
      if (dirty) void show();
      dirty = false;
    };
    void show();
  },
};
