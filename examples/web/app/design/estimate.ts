/** Shares and means with their intervals, from sums that can be added. */
import type { Simulated } from "../protocol";

/** The normal quantile of 95 % intervals. */
const Z = 1.959963984540054;

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** A share with its Wilson interval. */
export function share(part: number, whole: number): Estimate {
  if (whole === 0) return { value: 0, low: 0, high: 1 };
  const p = part / whole;
  const z = (Z * Z) / whole;
  const middle = (p + z / 2) / (1 + z);
  const half = (Z * Math.sqrt((p * (1 - p)) / whole + z / (4 * whole))) / (1 + z);
  return { value: p, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** A mean with its interval, from the sum and the sum of squares. */
export function mean(sum: number, squares: number, count: number): Estimate {
  if (count === 0) return { value: 0, low: 0, high: 0 };
  const value = sum / count;
  const variance = count > 1 ? Math.max(0, squares / count - value * value) * (count / (count - 1)) : 0;
  const half = Z * Math.sqrt(variance / count);
  return { value, low: value - half, high: value + half };
}

/** The sum of two values of the same shape: numbers add up, lists and objects member by member. */
export function added<T>(one: T, other: T): T {
  if (typeof one === "number" && typeof other === "number") return (one + other) as T;
  if (Array.isArray(one) && Array.isArray(other)) {
    const length = Math.max(one.length, other.length);
    return Array.from({ length }, (_, place) => added(one[place], other[place])) as T;
  }
  if (typeof one === "object" && one !== null && typeof other === "object" && other !== null) {
    const sum = { ...one } as Record<string, unknown>;
    for (const [key, value] of Object.entries(other)) sum[key] = key in sum ? added(sum[key], value) : value;
    return sum as T;
  }
  return one === undefined ? other : one;
}

/** Two parts of a play-test, put together. */
export function joined(one: Simulated | undefined, other: Simulated): Simulated {
  if (one === undefined) return other;
  const patterns = one.patterns.map((pattern, place) => ({ ...pattern, wins: pattern.wins + (other.patterns[place]?.wins ?? 0) }));
  return { ...other, patterns, statistics: added(one.statistics, other.statistics) };
}

/** What a play-test says, ready to be shown. */
export interface Facts {
  deals: number;
  wins: number;
  draws: Estimate;
  selfDraws: Estimate;
  /** Turns of a player before a win. */
  turn: number;
  /** The points of wins with their counts, in order. */
  points: [number, number][];
  median: number;
  mean: number;
  /** Points a deal for each seat, from the dealer on. */
  seats: Estimate[];
  patterns: PatternFacts[];
  /** The unit of prices. */
  unit: string;
}

export interface PatternFacts {
  id: string;
  name: string;
  /** Winning hands that it counted in. */
  hands: number;
  share: Estimate;
  /** `null` for a pattern that is worth nothing in the unit of the ruleset. */
  price: number | null;
}

/** A point for each pattern that counted and has a price, and the line through them. */
export interface Prices {
  points: { name: string; rarity: number; price: number; share: number }[];
  /** `height = base + slope × rarity`. */
  line: { base: number; slope: number } | undefined;
  /** Prices are laid out by how often they double. */
  doubling: boolean;
}

/** The line takes only patterns that counted in so many winning hands … */
const SEEN = 5;
/** … and not those of nearly every one, which players do not choose. */
const NEARLY_EVERY = 0.9;
/** Prices that differ by more than this factor are laid out by doublings. */
const WIDE = 30;

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Prices of patterns by rarity, −log₂ of their share of winning hands, and the line with the median slope and the median base. */
export function pricesOf(patterns: readonly PatternFacts[]): Prices {
  const points = patterns.flatMap(({ name, hands, share, price }) => (hands > 0 && price !== null ? [{ name, hands, price, rarity: -Math.log2(share.value), share: share.value }] : []));
  const prices = points.map(({ price }) => price);
  const doubling = Math.max(...prices) > WIDE * Math.min(...prices);
  const chosen = points.filter(({ hands, share }) => hands >= SEEN && share < NEARLY_EVERY).map(({ rarity, price }) => [rarity, doubling ? Math.log2(price) : price] as const);
  const slopes = chosen.flatMap(([x, y], place) => chosen.slice(place + 1).flatMap(([other, height]) => (Math.abs(other - x) > 1e-9 ? [(height - y) / (other - x)] : [])));
  if (chosen.length < 4 || slopes.length === 0) return { points, line: undefined, doubling };
  const slope = median(slopes);
  return { points, line: { base: median(chosen.map(([x, y]) => y - slope * x)), slope }, doubling };
}

function counts(map: Record<string, number>): [number, number][] {
  return Object.entries(map).map(([key, count]): [number, number] => [Number(key), count]).sort((one, other) => one[0] - other[0]);
}

export function factsOf({ statistics, patterns, unit, units_per_point, players }: Simulated): Facts {
  const { summary } = statistics;
  const wins = summary.wins.reduce((sum, count) => sum + count, 0);
  const points = counts(statistics.win_points);
  const discards = counts(statistics.win_discards).reduce((sum, [number, count]) => sum + number * count, 0);
  const squares = statistics["seat_squares"] as number[];
  const half = wins / 2;
  let before = 0;
  const median = points.find(([, count]) => (before += count) >= half)?.[0] ?? 0;
  const scaled = ({ value, low, high }: Estimate) => ({ value: value / units_per_point, low: low / units_per_point, high: high / units_per_point });
  return {
    deals: summary.deals,
    wins,
    draws: share(summary.draws, summary.deals),
    selfDraws: share(summary.self_draws, wins),
    turn: discards / Math.max(wins, 1) / players,
    points,
    median,
    mean: points.reduce((sum, [value, count]) => sum + value * count, 0) / Math.max(wins, 1),
    seats: Array.from({ length: players }, (_, seat) => scaled(mean(summary.seat_points[seat] ?? 0, squares[seat] ?? 0, summary.deals))),
    patterns: patterns.map(({ id, name, wins: hands, price }) => ({ id, name, hands, price, share: share(hands, wins) })),
    unit,
  };
}
