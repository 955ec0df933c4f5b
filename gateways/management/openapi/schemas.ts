import type { TSchema } from 'typebox';
import type { Reference, Schema } from './document.ts';
import { fieldDescription } from './vocabulary/field-vocabulary.ts';

const componentPath = '#/components/schemas/';

/**
 * The schemas as they stand in the document. A schema with a `title` is a named shape: it is written once, among the
 * components, and referred to elsewhere. A property without a description gets the description of its name.
 */
export class Schemas {
  readonly #named = new Map<string, { readonly schema: TSchema; readonly written: Schema }>();

  /** @throws {Error} when two shapes claim one title, which is a fault of the declarations */
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

  /** Writes a schema like `write` and names it if it has no name, so that generated clients have a type for it. */
  writeAs(name: string, schema: TSchema): Reference {
    const { title } = schema as { title?: unknown };
    return this.write(typeof title === 'string' ? schema : ({ ...schema, title: name } as TSchema)) as Reference;
  }

  /** The schema that a reference points to, or `schema` itself when it is no reference. */
  resolve(schema: Schema | Reference): Schema {
    const { $ref } = schema as Partial<Reference>;
    if ($ref === undefined) return schema as Schema;
    const components = this.#named.get($ref.slice(componentPath.length));
    if (components === undefined) throw new Error(`nothing stands at ${$ref}`);
    return components.written;
  }

  /** The components that were referred to so far, by title. */
  components(): Record<string, Schema> {
    const components = [...this.#named].map(([title, { written }]) => [title, written] as const);
    return Object.fromEntries(components.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #copy(value: unknown): Schema {
    return copyOf(value, (part) => this.write(part as TSchema)) as Schema;
  }
}

/** Keywords whose value is data, not schemas. */
const literalKeywords = new Set(['enum', 'const', 'default', 'examples', 'example', 'required']);

/** Copies `schema` as plain JSON, with every schema within it replaced by the result of `write`. */
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
  // Client generators and the docs page treat values without a type as values of any type.
  if (!('type' in copy) && isListOfText(copy.enum)) copy.type = 'string';
  return copy;
}

/**
 * Adds the description of its name to a property's schema that has none. A reference is described by its target; in a
 * choice, such as a value or null, the description of the first part stands for all.
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
