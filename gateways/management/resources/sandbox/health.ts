import Type from 'typebox';
import { isInScope } from '#actors/account/scope';
import { dsp } from '#actors/dsp/dsp';
import type { DspProjection } from '#actors/dsp/fields';
import type { DspState } from '#actors/dsp/reduce';
import { publisher } from '#actors/publisher/publisher';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { syntheticBidders } from '#gateways/bidders/synthetic/synthetic-bidders';
import { tryBidder } from '#gateways/bidders/trial-call';
import { syntheticDspId } from '../../bootstrap/account-sandbox.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { defineRoute } from '../../routing/route.ts';

export const sandboxHealth = defineRoute({
  method: 'GET',
  path: '/api/sandbox/health',
  tag: 'Sandbox',
  operationId: 'getSandboxHealth',
  summary: 'Tell what there is to rehearse with, and whether it works',
  description:
    'A look before a rehearsal: a synthetic demand source is listed when it has just answered a bid request.',
  access: 'account',
  sandbox: 'always',
  examples: {
    answer: {
      status: 'ok',
      sandbox_redis: 'embedded',
      synthetic_dsps: ['HighBidder', 'LowBidder', 'RandomBidder', 'TimeoutDSP'],
      test_publishers_available: 3,
    },
  },
  answer: {
    status: 200,
    schema: Type.Object({
      status: Type.Enum(['ok', 'degraded'], { description: '`degraded`: the message log cannot be reached.' }),
      sandbox_redis: Type.Enum(['ok', 'unavailable', 'embedded'], {
        description: 'The message log that sandbox traffic goes through; `embedded` where it is not Redis.',
      }),
      synthetic_dsps: Type.Array(Type.String(), {
        description: 'Those of your synthetic demand sources that subscribe to a pool and answer.',
      }),
      test_publishers_available: Type.Integer({ minimum: 0, description: 'Your supply sources in the sandbox.' }),
    }),
    headers: { 'Cache-Control': 'no-store' },
  },
  async handle({ caller, parts }) {
    const [healthy, synthetic, publishers] = await Promise.all([
      parts.log.healthy(),
      syntheticDsps(parts, caller),
      testPublishers(parts, caller),
    ]);
    const log = parts.log.embedded ? ('embedded' as const) : ('ok' as const);
    return {
      status: healthy ? ('ok' as const) : ('degraded' as const),
      sandbox_redis: healthy ? log : ('unavailable' as const),
      synthetic_dsps: synthetic,
      test_publishers_available: publishers,
    };
  },
});

async function testPublishers({ store }: ManagementDeps, { accountId, partnerId }: Caller): Promise<number> {
  const where = { accountId, status: 'sandbox', ...(partnerId === null ? {} : { partnerId }) };
  const { total } = await store.query(publisher.kind, { where, limit: 1 });
  return total;
}

async function syntheticDsps(deps: ManagementDeps, { scope }: Caller): Promise<string[]> {
  const keys = syntheticBidders.map((_, index) => ({ kind: dsp.kind, id: syntheticDspId(index, scope.accountId) }));
  const documents = await deps.store.load(keys);
  const names = await Promise.all(
    documents.map(async (document) => {
      const state = document && !document.deleted ? (document.state as DspState) : null;
      if (state === null || !isInScope(scope, state) || state.status !== 'sandbox' || state.poolIds.length === 0)
        return [];
      return (await answers(deps, dsp.projection!(state, document!.id) as DspProjection)) ? [state.name] : [];
    }),
  );
  return names.flat();
}

/**
 * Whether the bidder answers, whatever the answer says. The request contains no imp, so that even TimeoutDSP turns it
 * down at once.
 */
async function answers({ settings, clock }: ManagementDeps, projection: DspProjection): Promise<boolean> {
  const { allowPrivateNetworks, ownEndpoints, bidderContext } = settings;
  const calling = {
    ...DEFAULT_BIDDER_SETTINGS,
    allowPrivateNetworks,
    ...(ownEndpoints && { ownEndpoints }),
    ...(bidderContext && { secureContext: bidderContext }),
  };
  const { status } = await tryBidder(projection, calling, Buffer.from('{}'), calling.connectTimeoutMs, clock);
  return status !== null;
}
