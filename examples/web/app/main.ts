/** The page: tabs by fragment, and what they share. */
import { App, type Tab } from "./app";
import { findSource } from "./client";
import { el, fill, markup, select } from "./dom";
import { design } from "./design";
import { learn } from "./learn";
import { play } from "./play";
import { replay } from "./replay";
import { score } from "./score";

const TABS: Tab[] = [play, score, learn, replay, design];

const LANGS = [
  ["en", "English"],
  ["zh", "中文"],
  ["ja", "日本語"],
] as const;

function panelOf(tab: Tab): HTMLElement {
  return el("section", { id: `panel-${tab.id}`, class: "panel", hidden: true, attributes: { "aria-label": tab.title } });
}

async function start(): Promise<void> {
  const main = document.querySelector("main")!;
  const nav = document.querySelector("nav")!;
  const speaker = document.getElementById("speaker")!;
  const app = await App.start(findSource(), speaker);
  const { sheet } = await app.engine.ask("tiles", {});
  document.getElementById("sheet")!.append(markup(sheet));

  const links = new Map<Tab, HTMLAnchorElement>();
  const panels = new Map<Tab, HTMLElement>();
  for (const tab of TABS) {
    links.set(tab, el("a", { href: `#${tab.id}` }, tab.title));
    panels.set(tab, panelOf(tab));
  }
  fill(nav, ...links.values());
  fill(main, ...panels.values());
  const langs = select(LANGS, app.lang, lang => (app.lang = lang));
  langs.setAttribute("aria-label", "Language of names");
  document.getElementById("lang")!.append(langs);

  const mounted = new Set<Tab>();
  let current: Tab | undefined;
  async function show(): Promise<void> {
    const [id = "", ...rest] = location.hash.slice(1).split("/");
    const tab = TABS.find(tab => tab.id === id) ?? TABS[0]!;
    if (current !== tab) {
      current?.hidden?.(app);
      current = tab;
      for (const [other, panel] of panels) panel.hidden = other !== tab;
      for (const [other, link] of links) {
        if (other === tab) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      document.title = `${tab.title} – paishan`;
    }
    if (!mounted.has(tab)) {
      mounted.add(tab);
      await tab.mount(panels.get(tab)!, app);
    }
    tab.shown?.(app, rest.join("/"));
  }
  addEventListener("hashchange", () => void show());
  await show();
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

start().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  fill(document.querySelector("main")!, el("p", { class: "fault", attributes: { role: "alert" } }, `The page could not start: ${text}`));
});
