import { defineRoute } from '../../routing/route.ts';
import { loadOwnSource } from '../source-reports/own-source.ts';
import { renewSourceKey, SourceKey, showSourceKey, sourceKeyExamples, sourceKeyHeaders } from './source-key.ts';

const readDescription =
  'For the people of the source, who are logged in: a key does not show itself. 404 until one has been made.';
const makeDescription = 'The answer shows the key. Programs that use the one before are refused from now on.';

export const readOwnSupplyKey = defineRoute({
  method: 'GET',
  path: '/api/source/key',
  tag: 'Source reports',
  operationId: 'getOwnSourceKey',
  summary: 'Read the key of the own supply source',
  description: readDescription,
  secret: true,
  access: 'publisher-session',
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: sourceKeyExamples.pub,
  answer: { status: 200, schema: SourceKey, headers: sourceKeyHeaders },
  async handle({ source, parts }) {
    return showSourceKey((await loadOwnSource(parts, source)).sourceKey, parts);
  },
});

export const makeOwnSupplyKey = defineRoute({
  method: 'POST',
  path: '/api/source/key',
  tag: 'Source reports',
  operationId: 'createOwnSourceKey',
  summary: 'Make a key for the own supply source; the one it had ends at once',
  description: makeDescription,
  access: 'publisher-session',
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: sourceKeyExamples.pub,
  answer: { status: 201, schema: SourceKey, headers: sourceKeyHeaders },
  handle: ({ source, identity, parts }) => renewSourceKey(parts, source.kind, source.id, ownScope(source), identity),
});

export const readOwnDemandKey = defineRoute({
  method: 'GET',
  path: '/api/demand/key',
  tag: 'Source reports',
  operationId: 'getOwnDemandKey',
  summary: 'Read the key of the own demand source',
  description: readDescription,
  secret: true,
  access: 'dsp-session',
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: sourceKeyExamples.dsp,
  answer: { status: 200, schema: SourceKey, headers: sourceKeyHeaders },
  async handle({ source, parts }) {
    return showSourceKey((await loadOwnSource(parts, source)).sourceKey, parts);
  },
});

export const makeOwnDemandKey = defineRoute({
  method: 'POST',
  path: '/api/demand/key',
  tag: 'Source reports',
  operationId: 'createOwnDemandKey',
  summary: 'Make a key for the own demand source; the one it had ends at once',
  description: makeDescription,
  access: 'dsp-session',
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: sourceKeyExamples.dsp,
  answer: { status: 201, schema: SourceKey, headers: sourceKeyHeaders },
  handle: ({ source, identity, parts }) => renewSourceKey(parts, source.kind, source.id, ownScope(source), identity),
});

/** The scope of the source itself, in either environment. */
function ownScope({ accountId }: { readonly accountId: string }) {
  return { accountId, partnerId: null, sandboxOnly: false };
}
