/** What the JSON schema of rulesets says about a place in a text. */
import text from "../../../../rulesets/schema.json";

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

const ROOT = text as unknown as Schema & { definitions: Record<string, Schema> };

/** A value that depends on an option may stand anywhere, so nothing is learnt from it. */
const ANYWHERE = "#/definitions/chosen";

function* alternatives(schema: Schema): Generator<Schema> {
  if (schema.$ref === ANYWHERE) return;
  if (schema.$ref !== undefined) yield* alternatives(ROOT.definitions[schema.$ref.replace("#/definitions/", "")] ?? {});
  else if (schema.anyOf !== undefined) for (const one of schema.anyOf) yield* alternatives(one);
  else yield schema;
}

function* within(schema: Schema, key: string): Generator<Schema> {
  for (const one of alternatives(schema)) {
    // A list of tables has the keys of its items.
    if (one.items !== undefined) yield* within(one.items, key);
    const member = one.properties?.[key] ?? (typeof one.additionalProperties === "object" ? one.additionalProperties : undefined);
    if (member !== undefined) yield member;
  }
}

function at(path: readonly string[]): Schema[] {
  let schemas: Schema[] = [ROOT];
  for (const key of path) schemas = schemas.flatMap(schema => [...within(schema, key)]);
  return schemas;
}

export interface Key {
  name: string;
  doc: string;
  /** What may follow, such as `integer`. */
  type: string;
}

/** Keys that every table may have come last. */
const EVERYWHERE = ["accept", "enabled", "if", "src", "doc"];

function typeOf(schema: Schema): string {
  const all = [...alternatives(schema)].map(one => (one.enum === undefined ? one.type : "word")).filter(type => type !== undefined);
  return [...new Set(all.map(type => (type === "object" ? "table" : type === "array" ? "list" : type)))].join(" or ");
}

/** The keys of a table. */
export function keysAt(path: readonly string[]): Key[] {
  const keys = new Map<string, Key>();
  for (const schema of at(path)) {
    for (const one of alternatives(schema)) {
      const table = one.items === undefined ? [one] : [...alternatives(one.items)];
      for (const { properties } of table) {
        for (const [name, member] of Object.entries(properties ?? {})) {
          keys.set(name, { name, doc: member.description ?? "", type: typeOf(member) });
        }
      }
    }
  }
  const rank = ({ name }: Key) => EVERYWHERE.indexOf(name);
  return [...keys.values()].sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

/** The words and truth values that a key may have. */
export function valuesAt(path: readonly string[]): { text: string; isWord: boolean }[] {
  const values = new Map<string, boolean>();
  const note = (schema: Schema) => {
    for (const one of alternatives(schema)) {
      for (const value of one.enum ?? []) values.set(String(value), typeof value === "string");
      if (one.type === "boolean") for (const value of ["true", "false"]) values.set(value, false);
      if (one.items !== undefined) note(one.items);
    }
  };
  for (const schema of at(path)) note(schema);
  return [...values].map(([text, isWord]) => ({ text, isWord }));
}

/** What a key means. */
export function docAt(path: readonly string[]): string | undefined {
  return at(path).find(schema => schema.description !== undefined)?.description;
}
