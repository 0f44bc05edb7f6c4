/** The gentle clock of claims: it lets a claim pass after some time, and by default does not run for people who use keys or a
 * screen reader. */

export type ClockSetting = "auto" | "off" | "10" | "20" | "40";

/** The time for claims by touch and mouse, where none was set. */
const AUTO_SECONDS = 20;
/** Between two looks at the clock, in milliseconds. */
const STEP = 250;

/** True while the last input was that of a finger or a mouse. Screen readers click without pressing anything. */
let usesPointer = false;

/** Notes whether people use a pointer. */
export function watchInput(): void {
  addEventListener("keydown", () => (usesPointer = false), { capture: true });
  addEventListener("pointerdown", ({ pressure, width }) => (usesPointer = pressure > 0 && width > 0), { capture: true });
}

export class Clock {
  private timer: ReturnType<typeof setInterval> | undefined;

  /** Runs as it is set, shows what is left as a share from 0 to 1, and then calls `end`. */
  start(setting: ClockSetting, show: (share: number) => void, end: () => void): void {
    this.stop();
    const isAuto = setting === "auto";
    if (setting === "off" || (isAuto && !usesPointer)) return;
    const whole = (isAuto ? AUTO_SECONDS : Number(setting)) * 1000;
    let left = whole;
    show(1);
    this.timer = setInterval(() => {
      // Nobody sees the table while the page is hidden.
      if (document.hidden || (isAuto && !usesPointer)) return;
      left -= STEP;
      show(Math.max(0, left / whole));
      if (left <= 0) {
        this.stop();
        end();
      }
    }, STEP);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
