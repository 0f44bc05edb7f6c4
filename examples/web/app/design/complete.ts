/** Completion of keys and values from the JSON schema, and of ids from the ruleset that the text extends. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { About } from "../protocol";
import { placeAt } from "./place";
import { keysAt, valuesAt } from "./schema";

/** Ids that the text may change, by section. */
export type Ids = (section: string) => { name: string; doc: string }[];

export function idsOf(about: About): Ids {
  return section => {
    switch (section) {
      case "patterns":
        return about.patterns.map(({ id, doc }) => ({ name: id, doc }));
      case "options":
        return about.options;
      case "flags":
        return about.flags.map(({ id, doc }) => ({ name: id, doc }));
      default:
        return [];
    }
  };
}

/** A source of completions. `known` gives ids of the parent, `parents` the rulesets that can be extended. */
export function completions(known: () => Ids, parents: readonly string[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const before = context.state.sliceDoc(0, context.pos);
    const place = placeAt(before);
    if (place === undefined || (place.typed === "" && !context.explicit && place.in === "value")) return null;
    if (!/^[\w-]*$/.test(place.typed)) return null;
    const from = context.pos - place.typed.length;
    if (place.in === "value") {
      const isQuoted = /["']/.test(before[from - 1] ?? "");
      const words = place.path.join(".") === "ruleset.extends" ? parents.map(text => ({ text, isWord: true })) : valuesAt(place.path);
      const options = words
        .filter(({ isWord }) => isWord || !isQuoted)
        .map(({ text, isWord }): Completion => ({ label: text, apply: isWord && !isQuoted ? `"${text}"` : text, type: "enum" }));
      return options.length === 0 ? null : { from, options, validFor: /^[\w-]*$/ };
    }
    const keys = keysAt(place.path).map(
      ({ name, doc, type }): Completion => ({ label: name, detail: type, info: doc, type: "property", apply: place.in === "key" && type !== "table" ? `${name} = ` : name }),
    );
    const ids = place.path.length === 1 ? known()(place.path[0]!) : [];
    const options = [...ids.map(({ name, doc }): Completion => ({ label: name, detail: "id", info: doc, type: "variable", boost: 1 })), ...keys];
    return options.length === 0 ? null : { from, options, validFor: /^[\w-]*$/ };
  };
}
