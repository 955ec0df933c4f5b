import { dsp } from '../../../../actors/dsp/dsp.ts';
import type { DspState } from '../../../../actors/dsp/reduce.ts';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { newSourceKey, SourceKey, showSourceKey } from './source-key.ts';

const path = '/api/demand/sources/:id/key';
const headers = { 'Cache-Control': 'no-store' };
const examples = {
  answer: { key: 'dsp_1772357400_5a1b0c9d5a1b0c9d5a1b0c9d5a1b0c9d5a1b0c9d', created_at: '2026-03-01T09:30:00.000Z' },
};

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
    const made = newSourceKey('dsp', identity, parts);
    const state = await parts.messenger.ask<typeof dsp.messages, 'set-source-key', DspState>(
      dsp,
      id,
      'set-source-key',
      { scope, ...made },
      { requestId: identity.askId() },
    );
    return showSourceKey(state.sourceKey, parts);
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
