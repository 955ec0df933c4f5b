import { Strategy } from '../../exchange/strategy/document/strategy.ts';
import { strategyExample } from '../../gateways/management/resources/strategy/example.ts';
import { table } from './table.ts';

/** What a JSON Schema says here, as far as the strategy's says it. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
}

const INTRODUCTION = `# The delegate strategy

<!-- Made of the schema by \`npm run reference\`: change the schema, not this page. -->

A demand source in mode \`delegate\` leaves its strategy with the exchange, which bids by it: \`PUT
/api/demand/sources/{id}/strategy\`. Its JSON Schema is at \`GET /api/schemas/strategy.json\`. The upload also checks what a schema
cannot express (unique ids, rules that name campaigns of the document, valid paths, values, countries, hours and URLs), and names
every fault. \`POST /api/demand/sources/{id}/strategy/simulate\` shows what a strategy would bid on a
bid request, and why, before it is uploaded; \`POST /api/sandbox/simulate-auction\` does so for the strategy of a sandbox delegate, in an
auction that is described by a few fields and has no imp.

## How it bids

1. A campaign may bid on an imp when it is active, all of its \`targeting\` holds, one of its rules matches, if it has any, and
   the imp can show one of its creatives.
2. Of a campaign's matching rules the one with the highest \`priority\` counts, then the one with the highest bid, then the first.
3. The bid is the rule's \`bid_cpm\`, or the base times its \`bid_multiplier\`, or the base: \`bidding.base_cpm\`, or
   \`default_bid\`. It is never above \`bidding.max_cpm\`, and 0 means no bid.
4. A demand source bids once for an imp: with the campaign of the highest \`priority\`, then of the highest bid, ties at random.
   If pacing, a budget or a frequency cap keeps a campaign from bidding, the next one bids.

All conditions of a rule must hold; alternatives are more rules.

| operator                 | holds when the field                                 | on an absent field |
| ------------------------ | ---------------------------------------------------- | ------------------ |
| \`eq\`, \`in\`               | equals the value, or one of the list                 | no                 |
| \`neq\`, \`not_in\`          | does not                                             | yes                |
| \`gt\`, \`gte\`, \`lt\`, \`lte\` | is a number, or text that spells one, above or below | no                 |
| \`contains\`               | has the value in it                                  | no                 |
| \`starts_with\`            | begins with it                                       | no                 |
| \`exists\`                 | is there (\`"true"\`), or is not (\`"false"\`)           | for \`"false"\`      |

Text is compared without regard to case, numbers as numbers, countries by two letters or three. If a list lies on the path, one
matching element is enough, and the negative operators require that none matches. \`geo.…\` is \`device.geo.…\`, \`content.…\` the content of site
or app, \`imp.…\` the imp that is bid on, and a publisher's own genre fills \`content.genre\` where a request names none, or an empty one.
`;

/** docs/strategy.md. */
export function strategyReference(): string {
  const objects = [
    '## The document',
    'Fields with a * are required.',
    ...describe('Strategy', Strategy as unknown as Schema, new Set()),
  ];
  const example = `## An example\n\n\`\`\`json\n${JSON.stringify(strategyExample, null, 2)}\n\`\`\``;
  return `${[INTRODUCTION.trimEnd(), ...objects, example].join('\n\n')}\n`;
}

/** An object, and after it those that it is made of, each once. */
function describe(
  name: string,
  { description = '', properties = {}, required = [] }: Schema,
  seen: Set<string>,
): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const rows = Object.entries(properties).map(([field, schema]) => [
    `\`${field}\`${required.includes(field) ? ' *' : ''}`,
    typeOf(field, schema),
    wordsOf(schema),
  ]);
  const parts = Object.entries(properties).flatMap(([field, schema]) => {
    const object = schema.items ?? schema;
    return object.properties === undefined ? [] : describe(titleOf(field), object, seen);
  });
  return [`### ${name}`, description, table(['field', 'type', 'meaning'], rows), ...parts];
}

const singular: Readonly<Record<string, string>> = {
  campaigns: 'Campaign',
  rules: 'Rule',
  conditions: 'Condition',
  creatives: 'Creative',
};

function titleOf(field: string): string {
  const words = (singular[field] ?? field).replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function typeOf(field: string, schema: Schema): string {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(field, one)).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(field, schema.items ?? {})}${bounds(schema, 'Items')}`;
  if (schema.properties !== undefined) return link(titleOf(field));
  if (schema.type === 'string') return `${schema.format ?? 'string'}${bounds(schema, 'Length')}`;
  return `${schema.type ?? 'any'}${numberBounds(schema)}`;
}

function link(title: string): string {
  return `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`;
}

function bounds(schema: Schema, of: 'Items' | 'Length'): string {
  const [least, most] = of === 'Items' ? [schema.minItems, schema.maxItems] : [schema.minLength, schema.maxLength];
  return between(least, most, of === 'Items' ? ' of them' : ' characters');
}

function numberBounds({ minimum, maximum }: Schema): string {
  return between(minimum, maximum, '');
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return least === undefined ? '' : ` (${figure(least)} or more${unit})`;
  return least === undefined ? ` (at most ${figure(most)}${unit})` : ` (${figure(least)} to ${figure(most)}${unit})`;
}

function figure(number: number): string {
  return number.toLocaleString('en-US');
}

function wordsOf({ description = '', default: fallback }: Schema): string {
  const words =
    fallback === undefined || description.includes('when absent')
      ? [description]
      : [description, `${code(fallback)} when absent.`];
  return words.filter((one) => one !== '').join(' ');
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
