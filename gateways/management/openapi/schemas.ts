import type { TSchema } from 'typebox';
import type { Reference, Schema } from './document.ts';

/**
 * Schemas as they stand in the document. One that has a `title` is a shape with a name: it is written once, among the
 * components, and referred to wherever it occurs.
 */
export class Schemas {
  readonly #named = new Map<string, { readonly schema: TSchema; readonly written: Schema }>();

  /** @throws {Error} when two shapes claim one title, which is ours to mend */
  write(schema: TSchema): Schema | Reference {
    const { title } = schema as { title?: unknown };
    if (typeof title !== 'string') return this.#copy(schema);
    const known = this.#named.get(title);
    if (known === undefined) {
      const { title: _, ...rest } = schema as Record<string, unknown>;
      this.#named.set(title, { schema, written: {} });
      this.#named.set(title, { schema, written: this.#copy(rest) });
    } else if (JSON.stringify(known.schema) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  /** What was referred to so far, by title. */
  components(): Record<string, Schema> {
    const named = [...this.#named].map(([title, { written }]) => [title, written] as const);
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #copy(value: unknown): Schema {
    return copyOf(value, (part) => this.write(part as TSchema)) as Schema;
  }
}

/** Keywords whose value is data, not schemas. */
const plain = new Set(['enum', 'const', 'default', 'examples', 'example', 'required']);

/** `schema` as plain JSON, in which `write` stands for every schema within it. */
function copyOf(schema: unknown, write: (part: object) => unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (plain.has(keyword) || typeof value !== 'object' || value === null) copy[keyword] = value;
    else if (Array.isArray(value)) copy[keyword] = value.map((part) => (isObject(part) ? write(part) : part));
    else if (keyword === 'properties' || keyword === 'patternProperties' || keyword === '$defs') {
      copy[keyword] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, write(part as object)]));
    } else copy[keyword] = write(value);
  }
  // Generators of clients, and the docs page, take values without a type for values of any type.
  if (!('type' in copy) && isListOfText(copy.enum)) copy.type = 'string';
  return copy;
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
