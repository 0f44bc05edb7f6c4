/** Checks a text in a worker that is stopped if it takes too long: first whether it loads, then what looks wrong. */
import { Stopped, type Client } from "../client";
import { Refused, type Choice, type Lint, type Linted } from "../protocol";
import type { Finding } from "./editor";

/** How long loading and the search for lints may take, in milliseconds. */
const LOADING = 3_000;
const LINTING = 15_000;

/** The name of the text in places that the engine reports. */
const FILE = "rules";

export interface Checked {
  findings: Finding[];
  /** Absent if the text does not load. */
  loaded?: Linted;
}

function finding({ file, line, column, message }: { file: string; line: number; column: number; message: string }, severity: Finding["severity"]): Finding {
  // A fault may be at a place of a file that the text extends.
  if (file !== FILE) return { severity, message: `${file}:${line}:${column}: ${message}` };
  return { line, column, severity, message };
}

function stopped(what: string, milliseconds: number): Finding {
  return { severity: "warning", message: `${what} took more than ${milliseconds / 1000} s and was stopped.` };
}

export class Checker {
  readonly #client: Client;
  #number = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Checks a text. A later call ends an earlier one, which then gives nothing. */
  async check(choice: Choice, tell: (checked: Checked) => void): Promise<Finding[]> {
    const number = ++this.#number;
    const isOld = () => number !== this.#number;
    this.#client.stop();
    let loaded: Linted;
    try {
      loaded = await this.#client.ask("lint", { ...choice, quick: true }, { timeout: LOADING });
    } catch (error) {
      if (isOld()) return [];
      const findings = this.#faults(error);
      tell({ findings });
      return findings;
    }
    if (isOld()) return [];
    tell({ findings: [], loaded });
    try {
      loaded = await this.#client.ask("lint", choice, { timeout: LINTING });
      if (isOld()) return [];
      const findings = loaded.lints.map((lint: Lint) => finding({ ...lint, message: `${lint.message} [${lint.kind}]` }, "warning"));
      tell({ findings, loaded });
      return findings;
    } catch (error) {
      if (isOld()) return [];
      const findings = error instanceof Stopped ? [stopped("The search for lints", LINTING)] : this.#faults(error);
      tell({ findings, loaded });
      return findings;
    }
  }

  #faults(error: unknown): Finding[] {
    if (error instanceof Stopped) return [stopped("Loading this text", LOADING)];
    if (!(error instanceof Refused)) return [{ severity: "error", message: error instanceof Error ? error.message : String(error) }];
    const { places, message } = error.fault;
    return places === undefined || places.length === 0 ? [{ severity: "error", message }] : places.map(place => finding(place, "error"));
  }
}
