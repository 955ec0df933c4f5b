import type { TSchema } from 'typebox';
import type { Reference, Schema } from './document.ts';
import { fieldDescription } from './vocabulary/field-vocabulary.ts';

const componentPath = '#/components/schemas/';

/**
 * Schemas as they stand in the document. One that has a `title` is a shape with a name: it is written once, among the
 * components, and referred to wherever it occurs. Properties that say nothing of themselves are described by their names.
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
    } else if (known.schema !== schema && JSON.stringify(known.schema) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the title ${title}`);
    }
    return { $ref: `${componentPath}${title}` };
  }

  /** As `write`, with a name for a shape that has none: generated clients have a type for it. */
  writeAs(name: string, schema: TSchema): Reference {
    const { title } = schema as { title?: unknown };
    return this.write(typeof title === 'string' ? schema : ({ ...schema, title: name } as TSchema)) as Reference;
  }

  /** What stands where `schema` refers to, or else `schema` itself. */
  resolve(schema: Schema | Reference): Schema {
    const { $ref } = schema as Partial<Reference>;
    if ($ref === undefined) return schema as Schema;
    const named = this.#named.get($ref.slice(componentPath.length));
    if (named === undefined) throw new Error(`nothing stands at ${$ref}`);
    return named.written;
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
const literalKeywords = new Set(['enum', 'const', 'default', 'examples', 'example', 'required']);

/** `schema` as plain JSON, in which `write` stands for every schema within it. */
function copyOf(schema: unknown, write: (part: object) => unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (literalKeywords.has(keyword) || typeof value !== 'object' || value === null) copy[keyword] = value;
    else if (Array.isArray(value)) copy[keyword] = value.map((part) => (isObject(part) ? write(part) : part));
    else if (keyword === 'properties' || keyword === 'patternProperties' || keyword === '$defs') {
      const parts = Object.entries(value).map(([name, part]) => [name, withDescription(name, write(part as object))]);
      copy[keyword] = Object.fromEntries(parts);
    } else copy[keyword] = write(value);
  }
  // Generators of clients, and the docs page, take values without a type for values of any type.
  if (!('type' in copy) && isListOfText(copy.enum)) copy.type = 'string';
  return copy;
}

/**
 * A property's schema, with what its name means where it says nothing itself. What it refers to speaks for itself; of a choice, as
 * of a value and null, the first part speaks for all.
 */
function withDescription(name: string, property: unknown): unknown {
  const { description, $ref, anyOf } = property as { description?: string; $ref?: unknown; anyOf?: Schema[] };
  if (description !== undefined || $ref !== undefined) return property;
  const meaning = anyOf?.[0]?.description ?? fieldDescription(name);
  return meaning === undefined ? property : { description: meaning, ...(property as object) };
}

function isListOfText(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'string');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
