import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySourceParams } from '../supply-sources/supply-source.ts';
import { renewSourceKey, SourceKey, showSourceKey, sourceKeyExamples, sourceKeyHeaders } from './source-key.ts';

const path = '/api/supply/sources/:id/key';
const headers = sourceKeyHeaders;
const examples = sourceKeyExamples.pub;

export const makeSupplySourceKey = defineRoute({
  method: 'POST',
  path,
  tag: 'Supply',
  operationId: 'createSupplySourceKey',
  summary: 'Make the key with which a supply source reads its own reports; the one it had ends at once',
  description: 'The answer shows the key. Programs that use the one before are refused from now on.',
  access: 'session',
  params: SupplySourceParams,
  errors: ['CONFLICT'],
  examples,
  answer: { status: 201, schema: SourceKey, headers },
  async handle({ params: { id }, caller: { scope }, caller, identity, parts }) {
    await loadSupplySource(parts, id, caller);
    return renewSourceKey(parts, 'publisher', id, scope, identity);
  },
});

export const readSupplySourceKey = defineRoute({
  method: 'GET',
  path,
  tag: 'Supply',
  operationId: 'getSupplySourceKey',
  summary: 'Read the key of a supply source',
  description: 'For the settings page of the source. 404 until one has been made.',
  secret: true,
  access: 'session',
  params: SupplySourceParams,
  errors: ['CONFLICT'],
  examples,
  answer: { status: 200, schema: SourceKey, headers },
  async handle({ params: { id }, caller, parts }) {
    return showSourceKey((await loadSupplySource(parts, id, caller)).sourceKey, parts);
  },
});
