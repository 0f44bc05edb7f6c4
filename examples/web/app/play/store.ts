/** Keeps a match and the settings in the browser. Nothing is kept where the browser refuses. */

import type { ClockSetting } from "./clock";
import type { Kept } from "./session";

export interface Settings {
  adviser: string;
  clock: ClockSetting;
}

const MATCH = "paishan.match";
const SETTINGS = "paishan.play";

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A private window, or no room: the match lasts as long as the page.
  }
}

export function keptMatch(): Kept | undefined {
  const kept = read(MATCH) as Partial<Kept> | null;
  const isMatch = typeof kept?.saved === "object" && Array.isArray(kept.saved.seats) && Array.isArray(kept.names);
  return isMatch ? (kept as Kept) : undefined;
}

export function keepMatch(kept: Kept): void {
  write(MATCH, kept);
}

export function forgetMatch(): void {
  try {
    localStorage.removeItem(MATCH);
  } catch {
    // Nothing was kept.
  }
}

const CLOCKS: ClockSetting[] = ["auto", "off", "10", "20", "40"];

export function settings(): Settings {
  const kept = read(SETTINGS) as Partial<Settings> | null;
  const clock = CLOCKS.find(known => known === kept?.clock) ?? "auto";
  return { adviser: typeof kept?.adviser === "string" ? kept.adviser : "value", clock };
}

export function keepSettings(settings: Settings): void {
  write(SETTINGS, settings);
}
