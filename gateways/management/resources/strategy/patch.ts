import Type from 'typebox';
import type { StrategyState } from '#actors/strategy/reduce';
import { parseSavedStrategy } from '#actors/strategy/reduce';
import { strategy } from '#actors/strategy/strategy';
import { MAX_STRATEGY_BYTES, Strategy } from '#exchange/strategy/document/strategy';
import { ApiError } from '#gateways/errors';
import { mergePatch } from '#gateways/http/merge-patch';
import { defineRoute } from '../../routing/route.ts';
import { DemandSourceParams, loadDemandSource } from '../demand-sources/demand-source.ts';
import { strategyExample } from './example.ts';
import { uploadStrategy } from './upload.ts';

const StrategyPatch = Type.Object(
  {},
  {
    title: 'StrategyPatch',
    description: 'A JSON merge patch (RFC 7396): fields of a strategy, of which lists are given whole.',
  },
);

export const patchStrategy = defineRoute({
  method: 'PATCH',
  path: '/api/demand/sources/:id/strategy',
  tag: 'Demand',
  operationId: 'patchStrategy',
  summary: 'Change fields of the strategy that was last uploaded',
  description:
    'A JSON merge patch (RFC 7396; `application/merge-patch+json`, or `application/json`): what it leaves out stays, `campaigns` and `rules` are given whole. The strategy that comes of it is checked and installed as if it had been uploaded (PUT). When somebody else changes the strategy at the same moment, nothing changes and the answer is 412.',
  access: 'account',
  revised: true,
  params: DemandSourceParams,
  body: StrategyPatch,
  bodyCheck: 'by-handler',
  bodyLimitBytes: MAX_STRATEGY_BYTES,
  answer: { status: 200, schema: Strategy },
  errors: uploadStrategy.errors!,
  examples: { body: { default_bid: strategyExample.default_bid }, answer: strategyExample },
  async handle(call) {
    const { params, body, caller, expecting, parts } = call;
    await loadDemandSource(parts, params.id, caller);
    const [document] = await parts.store.load([{ kind: strategy.kind, id: params.id }]);
    const state = (document?.state ?? null) as StrategyState | null;
    const uploaded = state === null ? null : parseSavedStrategy(state);
    if (state === null || uploaded === null) throw new ApiError('NOT_FOUND', 'No strategy was uploaded.');
    const merged = mergePatch(uploaded, body) as Strategy;
    if (Buffer.byteLength(JSON.stringify(merged)) > MAX_STRATEGY_BYTES)
      throw new ApiError('PAYLOAD_TOO_LARGE', `The strategy would be larger than ${MAX_STRATEGY_BYTES} bytes.`);
    // The patch was merged into the revision that was read, so a concurrent change makes the upload fail on the
    // revision.
    return uploadStrategy.handle({
      ...call,
      body: merged,
      expecting: expecting ?? [state.revision],
    });
  },
});
