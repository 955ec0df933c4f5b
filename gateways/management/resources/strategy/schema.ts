import Type from 'typebox';
import { Strategy } from '#exchange/strategy/document/strategy';
import { defineRoute } from '../../routing/route.ts';
import { strategyExample } from './example.ts';

/** The schema as standard tools read it, without the fields that the library adds for itself. */
const document: Record<string, unknown> = JSON.parse(
  JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Delegate strategy',
    ...Strategy,
    examples: [strategyExample],
  }),
);

export const strategySchema = defineRoute({
  method: 'GET',
  path: '/api/schemas/strategy.json',
  tag: 'Demand',
  operationId: 'getStrategySchema',
  summary: 'Read the JSON Schema of delegate strategies',
  description:
    'Beyond what a schema can say, an upload checks that ids are unique, that rules name campaigns of the document, and that paths, values, countries, hours and URLs make sense.',
  access: 'public',
  answer: {
    status: 200,
    schema: Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema, draft 2020-12.' }),
    headers: { 'Cache-Control': 'public, max-age=3600' },
  },
  async handle() {
    return document;
  },
});
