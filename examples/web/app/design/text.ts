/** The text in the editor: kept in the browser, shared by link. */

const STORE = "paishan.design";

export interface Design {
  text: string;
  /** Another text, for comparisons. */
  other?: string | undefined;
}

export function keptDesign(): Design | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE) ?? "null") as Partial<Design> | null;
    return typeof kept?.text === "string" ? { text: kept.text, other: typeof kept.other === "string" ? kept.other : undefined } : undefined;
  } catch {
    return undefined;
  }
}

export function keepDesign(design: Design): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(design));
  } catch {
    // A page from a file may have no storage.
  }
}

/** The text that can be played, if there is one. */
export function offeredText(): string | undefined {
  return keptDesign()?.text;
}

/** A text to begin with, which extends a ruleset. */
export function beginning(parent: string): string {
  return `ruleset = { id = "my-${parent}", extends = "${parent}" }\n`;
}

/** The longest text that a link may unpack to, in bytes. A link can be made to unpack to gigabytes. */
const LONGEST = 1_000_000;

async function piped(bytes: BufferSource, through: GenericTransformStream, longest: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, BufferSource>).getReader();
  const parts: BlobPart[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value as Uint8Array<ArrayBuffer>);
    length += value.length;
    if (length > longest) {
      await reader.cancel();
      throw new Error("The link is too long.");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A text packed into letters that a fragment may have. */
export async function packed(text: string): Promise<string> {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What {@link packed} made. */
export async function unpacked(letters: string): Promise<string> {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await piped(bytes, new DecompressionStream("deflate-raw"), LONGEST));
}
