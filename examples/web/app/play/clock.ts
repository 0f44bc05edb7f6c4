/** The gentle clock of claims: it lets a claim pass after some time, and stops while somebody uses the keyboard. */

export type ClockSetting = "auto" | "off" | "10" | "20" | "40";

/** The time for claims by touch and mouse, where none was set. */
const AUTO_SECONDS = 20;

let usesKeys = false;

/** Notes whether people use keys, or a screen reader that acts as a keyboard, or a pointer. */
export function watchInput(): void {
  addEventListener("keydown", () => (usesKeys = true), { capture: true });
  addEventListener("pointerdown", () => (usesKeys = false), { capture: true });
}

export function secondsOf(setting: ClockSetting): number {
  if (setting === "auto") return usesKeys ? 0 : AUTO_SECONDS;
  return setting === "off" ? 0 : Number(setting);
}

export class Clock {
  private timer: ReturnType<typeof setInterval> | undefined;
  private left = 0;

  /** Runs for some seconds, shows what is left as a share from 0 to 1, and then calls `end`. */
  start(seconds: number, show: (share: number) => void, end: () => void): void {
    this.stop();
    if (seconds <= 0) return;
    const step = 250;
    this.left = seconds * 1000;
    show(1);
    this.timer = setInterval(() => {
      // Nobody sees the table while the page is hidden, and keys take their time.
      if (document.hidden || usesKeys) return;
      this.left -= step;
      show(Math.max(0, this.left / (seconds * 1000)));
      if (this.left <= 0) {
        this.stop();
        end();
      }
    }, step);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
