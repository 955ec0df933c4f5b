import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { renewSourceKey, SourceKey, showSourceKey, sourceKeyExamples, sourceKeyHeaders } from './source-key.ts';

const path = '/api/demand/sources/:id/key';
const headers = sourceKeyHeaders;
const examples = sourceKeyExamples.dsp;

export const makeDemandSourceKey = defineRoute({
  method: 'POST',
  path,
  tag: 'Demand',
  operationId: 'createDemandSourceKey',
  summary: 'Make the key with which a demand source reads its own reports; the one it had ends at once',
  description: 'The answer shows the key. Programs that use the one before are refused from now on.',
  access: 'session',
  params: DemandSourceParams,
  errors: ['CONFLICT'],
  examples,
  answer: { status: 201, schema: SourceKey, headers },
  async handle({ params: { id }, caller: { scope }, caller, identity, parts }) {
    await loadDemandSource(parts, id, caller);
    return renewSourceKey(parts, 'dsp', id, scope, identity);
  },
});

export const readDemandSourceKey = defineRoute({
  method: 'GET',
  path,
  tag: 'Demand',
  operationId: 'getDemandSourceKey',
  summary: 'Read the key of a demand source',
  description: 'For the settings page of the source. 404 until one has been made.',
  secret: true,
  access: 'session',
  params: DemandSourceParams,
  errors: ['CONFLICT'],
  examples,
  answer: { status: 200, schema: SourceKey, headers },
  async handle({ params: { id }, caller, parts }) {
    return showSourceKey((await loadDemandSource(parts, id, caller)).sourceKey, parts);
  },
});
