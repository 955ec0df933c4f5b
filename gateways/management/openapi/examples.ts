import { Check } from 'typebox/schema';
import type { Reference, Schema } from './document.ts';
import { fieldExample } from './vocabulary/field-vocabulary.ts';

type Resolve = (schema: Schema | Reference) => Schema;

/** An example of each text format. */
const formatExamples: Readonly<Record<string, string>> = {
  uuid: '5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04',
  'date-time': '2026-03-14T09:26:53.589Z',
  date: '2026-03-14',
  email: 'ada@example.com',
};

/**
 * Composes a value of a shape from the examples of its parts and from the usual values of fields with their names, with
 * all required fields.
 */
export function composeExample(schema: Schema | Reference, resolve: Resolve, name = ''): unknown {
  const shape = resolve(schema);
  if (Array.isArray(shape.examples)) return shape.examples[0];
  if ('const' in shape) return shape.const;
  const usual = fieldExample(name);
  if (usual !== undefined && mayBe(shape, usual, resolve)) return usual;
  if (Array.isArray(shape.enum)) return shape.enum[0];
  if ('default' in shape) return shape.default;
  const [first] = (shape.anyOf ?? []) as Schema[];
  if (first !== undefined) return composeExample(first, resolve, name);
  switch (shape.type) {
    case 'object':
      return composeObject(shape, resolve);
    case 'array':
      return [composeExample(shape.items as Schema, resolve)];
    case 'string':
      return formatExamples[String(shape.format)] ?? 'text';
    case 'integer':
    case 'number':
      return shape.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return shape.type === 'null' ? null : {};
  }
}

function composeObject(shape: Schema, resolve: Resolve): object {
  const properties = (shape.properties ?? {}) as Readonly<Record<string, Schema>>;
  const required = (shape.required ?? []) as readonly string[];
  return Object.fromEntries(required.map((name) => [name, composeExample(properties[name]!, resolve, name)]));
}

/** Whether a shape allows a value; a shape of objects has no single word as an example, so it allows none. */
function mayBe(shape: Schema, value: unknown, resolve: Resolve): boolean {
  if (Array.isArray(shape.anyOf)) return shape.anyOf.some((one: Schema) => mayBe(resolve(one), value, resolve));
  if (shape.type === 'object') return false;
  const items = shape.type === 'array' ? { items: resolve(shape.items as Schema) } : {};
  return Check({ ...shape, ...items }, value);
}
