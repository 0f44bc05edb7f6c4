/** Score: tiles to pick, melds, bonus tiles and circumstances; what the hand is worth, who pays, and the nearest better hand. */
import { namer, type App, type Tab } from "./app";
import { button, check, el, field, fill, picture, select, splitTiles, tiles } from "./dom";
import { explained } from "./explain";
import { Refused, type About, type Explanation, type Meld, type ScoreMembers } from "./protocol";

/** Where the next tile goes. */
const TARGETS = {
  hand: "Hand",
  chow: "Chow",
  pung: "Pung",
  kong: "Kong",
  closed: "Closed kong",
  set_aside: "Set aside",
  bonus: "Indicators",
  dora: "Dora indicators",
  ura: "Under indicators",
} as const;
type Target = keyof typeof TARGETS;

/** Lists of tiles that only some rulesets have. */
const LISTS = ["set_aside", "bonus", "dora", "ura"] as const;
type List = (typeof LISTS)[number];

/** Changes after which the search for a better hand gives up, in milliseconds. */
const PATIENCE = 15_000;

interface DeclaredMeld {
  tiles: string[];
  open: boolean;
}

/** What was entered. */
interface Entered {
  concealed: string[];
  /** The tile of `concealed` that came last, when the hand is complete. */
  winning: number;
  melds: DeclaredMeld[];
  flowers: string[];
  lists: Record<List, string[]>;
  seat: string;
  round: string;
  /** `wall`, `replacement`, or a way with a seat such as `discard E`. */
  way: string;
  flags: Set<string>;
  quads: number;
  honba: number;
  deposits: number;
  losers: Record<string, number>;
}

function empty(): Entered {
  return { concealed: [], winning: -1, melds: [], flowers: [], lists: { set_aside: [], bonus: [], dora: [], ura: [] }, seat: "E", round: "E", way: "wall", flags: new Set(), quads: 1, honba: 0, deposits: 0, losers: {} };
}

/** The members of a request, as far as a ruleset has them. */
function members(entered: Entered, about: About): ScoreMembers {
  const { concealed, winning, melds, flowers, lists, seat, way, flags } = entered;
  const [by = "wall", from] = way.split(" ");
  const known = new Set(about.flags.map(({ id }) => id));
  const has = (member: string) => about.members.includes(member);
  const list = (name: List) => (has(name) && lists[name].length > 0 ? { [name]: lists[name].join("") } : {});
  const { set_aside: _, ...indicators } = { set_aside: "", ...list("bonus"), ...list("dora"), ...list("ura") };
  const meld = ({ tiles, open }: DeclaredMeld): Meld => ({ tiles: tiles.join(""), open });
  return {
    ...(has("round") ? { round: entered.round } : {}),
    player: {
      seat: about.seats.includes(seat) ? seat : about.seats[0]!,
      hand: concealed.filter((_, place) => place !== winning).join(""),
      ...(melds.length > 0 ? { melds: melds.map(meld) } : {}),
      ...(flowers.length > 0 ? { flowers: flowers.join("") } : {}),
      ...list("set_aside"),
    },
    win: {
      tile: concealed[winning] ?? "",
      by,
      ...(from !== undefined ? { from } : {}),
      flags: [...flags].filter(flag => known.has(flag)),
      ...(entered.quads > 1 && flags.has("after-kong") ? { quads: entered.quads } : {}),
    },
    ...indicators,
    ...(has("honba") && entered.honba > 0 ? { honba: entered.honba } : {}),
    ...(has("deposits") && entered.deposits > 0 ? { deposits: entered.deposits } : {}),
  };
}

/** How many concealed tiles complete the hand, the winning tile included. */
function needed(entered: Entered, about: About): number {
  return about.hand + 1 - 3 * entered.melds.length;
}

class Scorer {
  readonly #app: App;
  readonly #panel: HTMLElement;
  readonly #search;
  #about!: About;
  #name: (tile: string) => string = tile => tile;
  #entered = empty();
  #target: Target = "hand";
  #choosesWinner = false;
  #asked = 0;
  #hand = el("div", { class: "entered" });
  #picker = el("div", { class: "picker", attributes: { role: "group", "aria-label": "Tiles to pick" } });
  #targets = el("div", { class: "bar targets", attributes: { role: "group", "aria-label": "Where the next tile goes" } });
  #circumstances = el("div", {});
  #result = el("div", { class: "result", attributes: { "aria-live": "polite" } });
  #better = el("div", {});
  #everywhere = el("div", {});
  #typed = el("input", { type: "text", spellcheck: false, autocomplete: "off", onchange: () => this.#type(this.#typed.value) });
  #ruleset: HTMLSelectElement;

  constructor(app: App, panel: HTMLElement) {
    this.#app = app;
    this.#panel = panel;
    this.#search = app.worker();
    const names = app.rulesets.map(({ id, name }) => [id, name] as const);
    this.#ruleset = select(names, app.ruleset, id => (app.ruleset = id));
    app.addEventListener("ruleset", () => void this.load());
    app.addEventListener("lang", () => void this.load());
  }

  /** Takes up the ruleset that was chosen. Tiles that it does not have are taken away. */
  async load(): Promise<void> {
    const about = await this.#app.about({ ruleset: this.#app.ruleset });
    if (about.ruleset !== this.#app.ruleset) return;
    this.#about = about;
    this.#name = namer(about);
    this.#ruleset.value = about.ruleset;
    const has = new Set(about.tiles.map(({ tile }) => tile));
    const known = (tile: string) => has.has(tile);
    const entered = this.#entered;
    entered.melds = entered.melds.filter(({ tiles }) => tiles.every(known));
    entered.concealed = entered.concealed.filter(known).slice(0, needed(entered, about));
    entered.flowers = entered.flowers.filter(known);
    for (const list of LISTS) entered.lists[list] = about.members.includes(list) ? entered.lists[list].filter(known) : [];
    entered.winning = Math.min(entered.winning, entered.concealed.length - 1);
    if (!about.seats.includes(entered.seat)) entered.seat = about.seats[0]!;
    const from = entered.way.split(" ")[1];
    if (from !== undefined && !about.seats.includes(from)) entered.way = "wall";
    if (!this.#openTargets().includes(this.#target)) this.#target = "hand";
    this.#build();
  }

  #openTargets(): Target[] {
    const lists = LISTS.filter(list => this.#about.members.includes(list));
    return ["hand", "chow", "pung", "kong", "closed", ...lists];
  }

  #build(): void {
    fill(
      this.#panel,
      el("h2", {}, "What is a hand worth?"),
      el("div", { class: "bar" }, field("Ruleset", this.#ruleset), field("Tiles as text", this.#typed, "Such as 123s456mEE; the last one is the winning tile.")),
      el(
        "div",
        { class: "columns" },
        el("div", { class: "card" }, this.#hand, this.#targets, this.#picker),
        el("div", { class: "second" }, this.#result, this.#better, this.#everywhere),
        el("div", { class: "card" }, el("h3", {}, "Circumstances"), this.#circumstances),
      ),
    );
    this.#showCircumstances();
    this.#changed();
  }

  /** The tiles in the order of the ruleset. */
  #sorted(list: readonly string[]): string[] {
    const order = new Map(this.#about.tiles.map(({ tile }, place) => [tile, place]));
    return [...list].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  }

  #used(tile: string): number {
    const { concealed, melds, flowers, lists } = this.#entered;
    const all = [...concealed, ...melds.flatMap(({ tiles }) => tiles), ...flowers, ...LISTS.flatMap(list => lists[list])];
    return all.filter(other => other === tile).length;
  }

  #left(tile: string): number {
    const info = this.#about.tiles.find(other => other.tile === tile);
    return (info?.copies ?? 0) - this.#used(tile);
  }

  /** The tiles of a meld that begins with a tile. Undefined if there is none or tiles are missing. */
  #meldOf(tile: string, target: Target): string[] | undefined {
    let list: string[];
    if (target === "chow") {
      const suit = tile.slice(-1);
      if (!/^[1-9a-fx][tsm]$/.test(tile)) return undefined;
      const ranks = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "x", "a", "b", "c", "d", "e", "f"];
      const at = ranks.indexOf(tile[0]!);
      list = [0, 1, 2].map(step => (ranks[at + step] ?? "?") + suit);
    } else list = Array<string>(target === "pung" ? 3 : 4).fill(tile);
    const missing = list.some(one => this.#left(one) < list.filter(other => other === one).length);
    return missing ? undefined : list;
  }

  #canPick(tile: string): boolean {
    const entered = this.#entered;
    const info = this.#about.tiles.find(other => other.tile === tile);
    if (info === undefined || this.#left(tile) < 1) return false;
    if (info.group === "flower") return true;
    switch (this.#target) {
      case "hand":
        return entered.concealed.length < needed(entered, this.#about);
      case "chow":
      case "pung":
      case "kong":
      case "closed":
        return entered.concealed.length + 3 <= needed(entered, this.#about) && this.#meldOf(tile, this.#target) !== undefined;
      default:
        return true;
    }
  }

  #pick(tile: string): void {
    const entered = this.#entered;
    if (!this.#canPick(tile)) return;
    const group = this.#about.tiles.find(other => other.tile === tile)!.group;
    if (group === "flower") entered.flowers.push(tile);
    else if (this.#target === "hand") {
      entered.concealed.push(tile);
      if (entered.concealed.length === needed(entered, this.#about)) entered.winning = entered.concealed.length - 1;
    } else if (this.#target === "set_aside" || this.#target === "bonus" || this.#target === "dora" || this.#target === "ura") entered.lists[this.#target].push(tile);
    else {
      entered.melds.push({ tiles: this.#meldOf(tile, this.#target)!, open: this.#target !== "closed" });
      if (entered.concealed.length === needed(entered, this.#about) && entered.winning < 0) entered.winning = entered.concealed.length - 1;
    }
    this.#changed();
  }

  #type(text: string): void {
    const known = new Map(this.#about.tiles.map(info => [info.tile, info]));
    const list = splitTiles(text.replace(/\s/g, "")).filter(tile => known.has(tile));
    const entered = this.#entered;
    entered.flowers = list.filter(tile => known.get(tile)!.group === "flower");
    entered.concealed = list.filter(tile => known.get(tile)!.group !== "flower").slice(0, needed(entered, this.#about));
    entered.winning = entered.concealed.length === needed(entered, this.#about) ? entered.concealed.length - 1 : -1;
    this.#changed();
  }

  #removable(tile: string, what: string, remove: () => void, extra = ""): HTMLElement {
    const label = `${this.#name(tile)}: ${what}`;
    const element = el("button", { type: "button", class: `tile-button ${extra}`, title: label, onclick: remove, attributes: { "aria-label": label } });
    element.append(picture(tile));
    return element;
  }

  #showHand(): void {
    const entered = this.#entered;
    const { concealed, winning, melds, flowers } = entered;
    const places = concealed.map((_, place) => place).filter(place => place !== winning);
    const order = new Map(this.#about.tiles.map(({ tile }, place) => [tile, place]));
    places.sort((a, b) => order.get(concealed[a]!)! - order.get(concealed[b]!)!);
    const tile = (place: number) =>
      this.#removable(
        concealed[place]!,
        this.#choosesWinner ? "make it the winning tile" : place === winning ? "the winning tile; take it away" : "take it away",
        () => {
          if (this.#choosesWinner) {
            entered.winning = place;
            this.#choosesWinner = false;
          } else {
            concealed.splice(place, 1);
            entered.winning = -1;
          }
          this.#changed();
        },
        place === winning ? "winner" : "",
      );
    const drop = <T>(list: T[], place: number) => () => {
      list.splice(place, 1);
      entered.winning = -1;
      this.#changed();
    };
    const missing = needed(entered, this.#about) - concealed.length;
    const other = button("Another tile won", () => {
      this.#choosesWinner = !this.#choosesWinner;
      this.#showHand();
    }, { attributes: { "aria-pressed": String(this.#choosesWinner) } });
    const row = (label: string, ...content: (HTMLElement | false)[]) => el("div", { class: "row", attributes: { role: "group", "aria-label": label } }, el("span", { class: "label" }, label), ...content);
    fill(
      this.#hand,
      row("Hand", el("div", { class: "row-tiles" }, ...places.map(tile), winning >= 0 && el("span", { class: "gap" }), winning >= 0 && tile(winning))),
      melds.length > 0 &&
        row(
          "Melds",
          ...melds.map((meld, place) => {
            const label = `${meld.open ? "open" : "concealed"} meld ${meld.tiles.map(this.#name).join(", ")}: take it away`;
            const element = el("button", { type: "button", class: "tile-button meld", title: label, onclick: drop(melds, place), attributes: { "aria-label": label } });
            const isHidden = (at: number) => !meld.open && (at === 0 || at === 3);
            element.append(...meld.tiles.map((tile, at) => picture(isHidden(at) ? "?" : tile)));
            return element;
          }),
        ),
      flowers.length > 0 && row("Bonus tiles", ...flowers.map((tile, place) => this.#removable(tile, "take it away", drop(flowers, place)))),
      ...LISTS.filter(list => entered.lists[list].length > 0).map(list => row(TARGETS[list], ...entered.lists[list].map((tile, place) => this.#removable(tile, "take it away", drop(entered.lists[list], place))))),
      el(
        "div",
        { class: "bar" },
        el("span", { class: "hint" }, missing > 0 ? `${missing} more ${missing === 1 ? "tile" : "tiles"}; the last one is the winning tile.` : "The hand is complete."),
        missing === 0 && other,
        button("Clear", () => {
          const { seat, round } = entered;
          this.#entered = { ...empty(), seat, round };
          this.#target = "hand";
          this.#showCircumstances();
          this.#changed();
        }),
      ),
    );
  }

  #showPicker(): void {
    fill(
      this.#targets,
      ...this.#openTargets().map(target =>
        button(TARGETS[target], () => {
          this.#target = target;
          this.#showPicker();
          this.#targets.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
        }, { attributes: { "aria-pressed": String(target === this.#target) } }),
      ),
    );
    const groups = new Map<string, HTMLElement[]>();
    for (const { tile, name, group } of this.#about.tiles) {
      const element = el("button", { type: "button", class: "tile-button", title: name, disabled: !this.#canPick(tile), onclick: () => this.#pick(tile), attributes: { "aria-label": name, "data-tile": tile } });
      element.append(picture(tile));
      groups.set(group, [...(groups.get(group) ?? []), element]);
    }
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.tile;
    fill(this.#picker, ...[...groups.values()].map(list => el("div", { class: "pick-row" }, ...list)));
    if (focused !== undefined) this.#picker.querySelector<HTMLElement>(`[data-tile="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #showCircumstances(): void {
    const entered = this.#entered;
    const about = this.#about;
    const winds = new Map(about.winds);
    const seatName = (seat: string) => winds.get(seat) ?? `seat ${seat}`;
    const others = about.seats.filter(seat => seat !== entered.seat);
    const ways: (readonly [string, string])[] = [["wall", "self-drawn"]];
    if (about.ways.includes("discard")) ways.push(...others.map(seat => [`discard ${seat}`, `off a discard of ${seatName(seat)}`] as const));
    if (about.ways.includes("replacement")) ways.push(["replacement", "with a replacement tile"]);
    if (about.ways.includes("robbed-kong")) ways.push(...others.map(seat => [`robbed-kong ${seat}`, `by robbing a kong of ${seatName(seat)}`] as const));
    if (about.ways.includes("turned")) ways.push(["turned", "on the turned tile"]);
    if (!ways.some(([way]) => way === entered.way)) entered.way = "wall";
    const has = (member: string) => about.members.includes(member);
    const number = (label: string, value: number, set: (value: number) => void, least = 0) => {
      const input = el("input", {
        type: "number",
        min: String(least),
        value: String(value),
        onchange: () => {
          set(Math.max(least, Math.round(Number(input.value) || 0)));
          this.#changed();
        },
      });
      return field(label, input);
    };
    fill(
      this.#circumstances,
      el(
        "div",
        { class: "bar" },
        field("Winner’s seat", select(about.seats.map(seat => [seat, seatName(seat)] as const), entered.seat, seat => {
          entered.seat = seat;
          this.#showCircumstances();
          this.#changed();
        })),
        has("round") && field("Prevailing wind", select(about.winds.map(([wind, name]) => [wind, name] as const), entered.round, round => {
          entered.round = round;
          this.#changed();
        })),
        field("How the tile came", select(ways, entered.way, way => {
          entered.way = way;
          this.#changed();
        })),
      ),
      about.flags.length > 0 &&
        el("div", { class: "flags" }, ...about.flags.map(({ id, doc }) => check(id.replaceAll("-", " "), entered.flags.has(id), checked => {
          if (checked) entered.flags.add(id);
          else entered.flags.delete(id);
          this.#changed();
        }, doc))),
      el(
        "div",
        { class: "bar" },
        has("quads") && number("Kongs in a row", entered.quads, value => (entered.quads = value), 1),
        has("honba") && number("Counters", entered.honba, value => (entered.honba = value)),
        has("deposits") && number("Deposits", entered.deposits, value => (entered.deposits = value)),
        ...(about.settles_losers ? others.map(seat => number(`Points of ${seatName(seat)}`, entered.losers[seat] ?? 0, value => (entered.losers[seat] = value))) : []),
      ),
    );
  }

  #changed(): void {
    this.#showHand();
    this.#showPicker();
    void this.#score();
  }

  async #score(): Promise<void> {
    const asked = ++this.#asked;
    const about = this.#about;
    const isOld = () => asked !== this.#asked;
    this.#search.stop();
    fill(this.#better);
    fill(this.#everywhere);
    if (this.#entered.winning < 0) {
      fill(this.#result, el("p", { class: "hint" }, "Pick the tiles of a hand. What it is worth stands here as soon as it is complete."));
      return;
    }
    const score = members(this.#entered, about);
    const rules = { ruleset: about.ruleset };
    const engine = this.#app.engine;
    const started = performance.now();
    try {
      const { explanation } = await engine.ask("score", { ...rules, ...score, explain: true, lang: this.#app.lang });
      const paid = await engine.ask("payments", { ...rules, score, losers: this.#entered.losers });
      if (isOld()) return;
      performance.measure("scored", { start: started });
      fill(this.#result, el("div", { class: "card" }, explanation === undefined ? null : explained(explanation, this.#name)), this.#payments(paid.deltas, paid.payments.map(({ why }) => why)));
    } catch (error) {
      if (isOld()) return;
      const explanation = error instanceof Refused ? (error.beside.explanation as Explanation | undefined) : undefined;
      fill(this.#result, el("div", { class: "card" }, el("p", { class: "fault" }, (error as Error).message), explanation !== undefined && explained(explanation, this.#name)));
    }
    fill(this.#everywhere, button("The same hand in all rulesets", () => void this.#everywhereElse(asked)));
    await this.#findBetter(asked, score);
  }

  #payments(deltas: number[], why: string[]): HTMLElement {
    const winds = new Map(this.#about.winds);
    const { seats, settles_losers } = this.#about;
    return el(
      "div",
      { class: "card" },
      el("h3", {}, "Payments"),
      el("div", { class: "wide" }, el("table", {}, el("tbody", {}, ...seats.map((seat, place) => el("tr", {}, el("th", { scope: "row" }, winds.get(seat) ?? `seat ${seat}`), el("td", { class: "number" }, signed(deltas[place] ?? 0))))))),
      settles_losers && el("p", { class: "hint" }, "The other hands count, too: their points are those in the circumstances."),
      why.length > 0 && el("details", {}, el("summary", {}, "Who pays whom"), el("ul", {}, ...why.map(text => el("li", {}, text)))),
    );
  }

  async #findBetter(asked: number, score: ScoreMembers): Promise<void> {
    const wins = this.#result.querySelector(".fault") === null;
    const title = wins ? "The nearest better hand" : "The nearest hand that wins";
    fill(this.#better, el("div", { class: "card" }, el("h3", {}, title), el("p", { class: "loading" }, "Looking for it …")));
    let told: HTMLElement;
    try {
      const { changes, points, score: changed } = await this.#search.ask("better", { ruleset: this.#about.ruleset, score }, { timeout: PATIENCE });
      if (changes === null || changed === null) told = el("p", {}, "No two changes lead to one.");
      else {
        const { player, win } = changed;
        told = el(
          "div",
          {},
          el("p", {}, changes.join("; "), points === null ? "" : ` – ${points} points`),
          el("p", { class: "groups" }, tiles(this.#sorted(splitTiles(player.hand)), this.#name), ...(player.melds ?? []).map(meld => tiles(meld.tiles, this.#name)), tiles(win?.tile ?? "", this.#name)),
        );
      }
    } catch (error) {
      told = el("p", { class: "hint" }, (error as Error).message);
    }
    if (asked === this.#asked) fill(this.#better, el("div", { class: "card" }, el("h3", {}, title), told));
  }

  /** The same tiles and circumstances under every ruleset, as far as it has them. */
  async #everywhereElse(asked: number): Promise<void> {
    const body = el("tbody", {});
    fill(this.#everywhere, el("div", { class: "card" }, el("h3", {}, "The same hand in all rulesets"), el("div", { class: "wide" }, el("table", {}, body))));
    for (const { id, name } of this.#app.rulesets) {
      let told: string;
      let wins = true;
      try {
        const about = await this.#app.about({ ruleset: id });
        const score = members(this.#entered, about);
        const { explanation } = await this.#app.engine.ask("score", { ruleset: id, ...score, explain: true, lang: this.#app.lang });
        told = explanation?.headline ?? "";
      } catch (error) {
        wins = false;
        told = (error as Error).message;
      }
      if (asked !== this.#asked) return;
      body.append(el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: wins ? "" : "hint" }, told)));
    }
    this.#app.announce("The hand was scored in all rulesets.");
  }
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}

export const score: Tab = {
  id: "score",
  title: "Score",
  async mount(panel, app) {
    await new Scorer(app, panel).load();
  },
};
