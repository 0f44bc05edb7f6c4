/** Plots as SVG. Names are text nodes, and each plot has its numbers in words. */
import type { Estimate, Prices } from "./estimate";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 360;

function part(name: string, attributes: Record<string, string | number>, ...content: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...content);
  return element;
}

function plot(id: string, label: string, height: number, ...content: Node[]): SVGSVGElement {
  const title = document.createElementNS(SVG, "title");
  title.textContent = label;
  return part("svg", { id, class: "plot", role: "img", "aria-label": label, viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height }, title, ...content) as SVGSVGElement;
}

function words(x: number, y: number, anchor: "start" | "middle" | "end", text: string): SVGElement {
  return part("text", { x, y, "text-anchor": anchor }, text);
}

/** Numbers at equal steps of 1, 2 or 5 between two ends, some four of them. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough)!;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, place) => (first + place) * step);
}

function short(value: number): string {
  return Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 3, notation: Math.abs(value) >= 1e6 ? "compact" : "standard" });
}

export function percent(value: number): string {
  return `${(100 * value).toFixed(value < 0.01 ? 2 : 1)} %`;
}

/** How often wins had how many points, in at most 24 classes of equal width. */
export function histogram(id: string, counts: readonly [number, number][], label: string): SVGSVGElement {
  const [left, right, top, bottom] = [8, WIDTH - 8, 12, 128];
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  // A few enormous wins would press all others into one class.
  let before = 0;
  const most = counts.find(([, count]) => (before += count) >= 0.98 * all)?.[0] ?? 1;
  const low = Math.min(counts[0]?.[0] ?? 0, 0);
  const width = Math.max((most - low) / 23, Number.EPSILON);
  const classes: number[] = Array.from({ length: 24 }, () => 0);
  for (const [value, count] of counts) classes[Math.min(23, Math.floor((value - low) / width))]! += count;
  const peak = Math.max(...classes, 1);
  const step = (right - left) / 24;
  const bars = classes.map((count, place) => {
    const height = ((bottom - top) * count) / peak;
    return part("rect", { class: "bar", x: left + place * step + 1, y: bottom - height, width: step - 2, height });
  });
  const x = (value: number) => left + ((value - low) / width) * step;
  const marks = ticks(low, most).map(value => words(Math.min(Math.max(x(value), left + 12), right - 12), bottom + 18, "middle", short(value)));
  return plot(id, label, 152, part("path", { class: "axis", d: `M${left} ${bottom}H${right}` }), ...bars, ...marks);
}

/** Shares as bars with their intervals, one row each. */
export function shares(id: string, rows: readonly { name: string; share: Estimate }[], label: string): SVGSVGElement {
  const [left, right, line] = [156, WIDTH - 62, 22];
  const peak = Math.max(...rows.map(({ share }) => share.value), 0.01);
  const x = (value: number) => left + ((right - left) * Math.min(value, peak)) / peak;
  const drawn = rows.flatMap(({ name, share }, place) => {
    const y = place * line + 4;
    const text = name.length > 20 ? `${name.slice(0, 19)}…` : name;
    return [
      words(left - 8, y + 13, "end", text),
      part("rect", { class: "bar", x: left, y: y + 3, width: x(share.value) - left, height: line - 9 }),
      part("path", { class: "interval", d: `M${x(share.low)} ${y + 9}H${x(share.high)}` }),
      words(WIDTH - 4, y + 13, "end", percent(share.value)),
    ];
  });
  return plot(id, label, rows.length * line + 8, ...drawn);
}

/** A value with its interval for each seat. */
export function seatPlot(id: string, seats: readonly (readonly [string, Estimate])[], label: string): SVGSVGElement {
  const [left, right, top, bottom] = [52, WIDTH - 8, 10, 128];
  const low = Math.min(0, ...seats.map(([, { low }]) => low));
  const high = Math.max(0, ...seats.map(([, { high }]) => high));
  const room = Math.max(high - low, 1e-9) * 0.1;
  const y = (value: number) => bottom - ((bottom - top) * (value - low + room)) / (high - low + 2 * room);
  const grid = ticks(low - room, high + room).flatMap(value => [
    part("path", { class: value === 0 ? "axis" : "grid", d: `M${left} ${y(value)}H${right}` }),
    words(left - 6, y(value) + 4, "end", short(value)),
  ]);
  const step = (right - left) / seats.length;
  const drawn = seats.flatMap(([name, { value, low, high }], place) => {
    const x = left + step * (place + 0.5);
    return [
      part("path", { class: "interval", d: `M${x} ${y(low)}V${y(high)}` }),
      part("circle", { class: "point", cx: x, cy: y(value), r: 5 }),
      words(x, bottom + 18, "middle", name),
    ];
  });
  return plot(id, label, 152, ...grid, ...drawn);
}

/** How many names the plot of prices has at most. */
const NAMED = 8;

/** Prices of patterns by rarity, with their line. The patterns farthest from it have their names beside them. */
export function pricePlot(id: string, { points, line, doubling }: Prices, label: string): SVGSVGElement {
  const [left, right, top, bottom] = [44, WIDTH - 8, 10, 232];
  const height = (price: number) => (doubling ? Math.log2(price) : price);
  const heights = points.map(({ price }) => height(price));
  const wide = Math.max(4, ...points.map(({ rarity }) => rarity)) * 1.08;
  const [low, high] = [Math.min(0, ...heights), Math.max(1, ...heights) * 1.08];
  const x = (rarity: number) => left + ((right - left) * rarity) / wide;
  const y = (height: number) => bottom - ((bottom - top) * (height - low)) / (high - low);
  const across = ticks(low, high).flatMap(value => [
    part("path", { class: value === 0 ? "axis" : "grid", d: `M${left} ${y(value)}H${right}` }),
    words(left - 6, y(value) + 4, "end", short(doubling ? 2 ** value : value)),
  ]);
  // Rarity counts halvings; people read shares.
  const along = ticks(0, wide).map(rarity => words(Math.min(Math.max(x(rarity), left + 12), right - 20), bottom + 18, "middle", percent(2 ** -rarity)));
  const far = ({ rarity, price }: Prices["points"][number]) => (line === undefined ? 0 : Math.abs(height(price) - line.base - line.slope * rarity));
  const named = new Set(points.toSorted((one, other) => far(other) - far(one)).slice(0, NAMED));
  const taken: { from: number; to: number; at: number }[] = [];
  const drawn = points.map(point => {
    const [across, up] = [x(point.rarity), y(height(point.price))];
    const title = part("title", {}, `${point.name}: ${short(point.price)}, ${percent(point.share)}`);
    return part("circle", { class: "point", cx: across, cy: up, r: 4 }, title);
  });
  const dots = points.map(point => ({ across: x(point.rarity), up: y(height(point.price)) }));
  const names = [...named].flatMap(point => {
    const [across, up] = [x(point.rarity), y(height(point.price))];
    const text = point.name.length > 24 ? `${point.name.slice(0, 23)}…` : point.name;
    const width = 8 + 6.5 * text.length;
    const toLeft = across > (left + right) / 2 && across - width >= left;
    const [from, to] = toLeft ? [across - width, across] : [across, across + width];
    // Names must not overlap; one that finds no place has its words at its point alone.
    const places = [0, -13, 13, -26, 26].map(shift => up + shift);
    const free = places.filter(at => at > top && at < bottom && taken.every(other => other.to < from || to < other.from || Math.abs(other.at - at) >= 13));
    // Better a place without other points and the line.
    const isClear = (at: number) =>
      dots.every(dot => dot.across === across || dot.across < from || to < dot.across || Math.abs(dot.up - at) >= 10) &&
      (line === undefined || [from, to].every(end => Math.abs(y(line.base + (line.slope * (end - left) * wide) / (right - left)) - at) >= 8));
    const at = free.find(isClear) ?? free[0];
    if (at === undefined || to > WIDTH) return [];
    taken.push({ from, to, at });
    return [words(across + (toLeft ? -8 : 8), at + 4, toLeft ? "end" : "start", text)];
  });
  const trend: Node[] = [];
  if (line !== undefined) {
    // The part of the line within the plot.
    const steep = Math.abs(line.slope) > 1e-9;
    const [one, other] = steep ? [(low - line.base) / line.slope, (high - line.base) / line.slope] : [0, wide];
    const [first, last] = [Math.max(0, Math.min(one, other)), Math.min(wide, Math.max(one, other))];
    const at = (rarity: number) => `${x(rarity)} ${y(line.base + line.slope * rarity)}`;
    if (first < last) trend.push(part("path", { class: "interval", d: `M${at(first)}L${at(last)}` }));
  }
  return plot(id, label, 256, ...across, ...along, ...trend, ...drawn, ...names);
}
