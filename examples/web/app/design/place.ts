/** Where in a TOML text the cursor is: in a key or a value of which table. */

export interface Place {
  /** `header` is within the brackets of `[section]`. */
  in: "key" | "value" | "header";
  /** The table that has the key. In a value, the path with the key itself. */
  path: string[];
  /** What of the key or word is written before the cursor. */
  typed: string;
}

interface Frame {
  path: string[];
  kind: "table" | "inline" | "list";
  /** The key of the value that is being read. */
  key: string[] | undefined;
}

function words(dotted: string): string[] {
  const parts = dotted.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [];
  return parts.map(part => part.replace(/^["']|["']$/g, ""));
}

/** The end of a string that begins at a place, or nothing if it is open. */
function endOfString(text: string, start: number): number | undefined {
  const quote = text[start]!;
  if (text.startsWith(quote.repeat(3), start)) {
    const end = text.indexOf(quote.repeat(3), start + 3);
    return end < 0 ? undefined : end + 3;
  }
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) return at + 1;
  }
  return undefined;
}

/** The place at the end of `text`, the part of a document before the cursor. Nothing within a comment or a string. */
export function placeAt(text: string): Place | undefined {
  let frames: Frame[] = [{ path: [], kind: "table", key: undefined }];
  let at = 0;
  let start = 0;
  const top = () => frames[frames.length - 1]!;
  while (at < text.length) {
    const letter = text[at]!;
    const frame = top();
    const inKey = frame.kind !== "list" && frame.key === undefined;
    if (letter === "#") {
      const end = text.indexOf("\n", at);
      if (end < 0) return undefined;
      at = end;
    } else if ((letter === '"' || letter === "'") && !inKey) {
      const end = endOfString(text, at);
      if (end === undefined) {
        // An open word of a value can be completed, an open text cannot.
        const typed = text.slice(at + 1);
        return /^[\w-]*$/.test(typed) ? { in: "value", path: [...frame.path, ...(frame.key ?? [])], typed } : undefined;
      }
      at = end;
      start = at;
    } else if (letter === "\n") {
      at++;
      start = at;
      if (frame.kind === "table") frame.key = undefined;
    } else if (letter === "[" && inKey && frame.kind === "table" && text.slice(start, at).trim() === "") {
      const end = text.indexOf("]", at);
      const line = text.indexOf("\n", at);
      if (end < 0 || (line >= 0 && line < end)) {
        if (line < 0) {
          const typed = text.slice(at).replace(/^\[+/, "");
          const dot = typed.lastIndexOf(".");
          return { in: "header", path: words(typed.slice(0, Math.max(dot, 0))), typed: typed.slice(dot + 1).trim() };
        }
        at = line;
        continue;
      }
      frames = [{ path: words(text.slice(at, end).replace(/^\[+/, "")), kind: "table", key: undefined }];
      at = text[end + 1] === "]" ? end + 2 : end + 1;
      start = at;
    } else if (letter === "=" && inKey) {
      frame.key = words(text.slice(start, at));
      at++;
      start = at;
    } else if (letter === "{" || letter === "[") {
      const path = [...frame.path, ...(frame.key ?? [])];
      frames.push({ path, kind: letter === "{" ? "inline" : "list", key: undefined });
      at++;
      start = at;
    } else if ((letter === "}" || letter === "]") && frames.length > 1) {
      frames.pop();
      at++;
      start = at;
    } else if (letter === ",") {
      if (frame.kind === "inline") frame.key = undefined;
      at++;
      start = at;
    } else {
      at++;
    }
  }
  const frame = top();
  const rest = text.slice(start);
  if (frame.kind === "list" || frame.key !== undefined) {
    return { in: "value", path: [...frame.path, ...(frame.key ?? [])], typed: rest.trimStart() };
  }
  const dot = rest.lastIndexOf(".");
  return { in: "key", path: [...frame.path, ...words(rest.slice(0, Math.max(dot, 0)))], typed: rest.slice(dot + 1).trimStart() };
}
