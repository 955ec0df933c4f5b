import Type from 'typebox';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { partner } from '#actors/partner/partner';
import { publisher } from '#actors/publisher/publisher';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Caller } from '#gateways/management/identity/caller';
import { defineRoute } from '#gateways/management/routing/route';
import { forgetExhausted } from '../../campaigns/forget-exhausted.ts';
import { ownSourcesWhere } from '../../sources-where.ts';
import { type FlushableKind, flushSandbox } from './flush.ts';

export const resetSandbox = defineRoute({
  method: 'POST',
  path: '/api/sandbox/reset',
  tag: 'Sandbox',
  operationId: 'resetSandbox',
  summary: 'Flush the sandbox figures of the account, or of the partner, at once',
  description: [
    'Metrics, logs and live counters of the sandbox begin anew, those that edges have not told yet included, and so do its',
    'budgets; circuit breakers of sandbox demand sources are closed. Sources, pools and subscriptions stay, and so does everything live.',
    'What was sold before and is rendered afterwards counts afterwards. An edge in another process may lose what it',
    'counts until it hears of the reset, within a second.',
  ].join(' '),
  access: 'account',
  sandbox: 'always',
  trail: 'by-handler',
  examples: {
    answer: {
      message: 'The sandbox figures of 3 supply and 4 demand sources were flushed.',
      affected_publishers: 3,
      affected_dsps: 4,
    },
  },
  answer: {
    status: 200,
    schema: Type.Object({
      message: Type.String(),
      affected_publishers: Type.Integer({
        minimum: 0,
        description: 'Supply sources that are in the sandbox, or had figures there.',
      }),
      affected_dsps: Type.Integer({
        minimum: 0,
        description: 'Demand sources that are in the sandbox, or had figures there.',
      }),
    }),
  },
  async handle({ caller, identity, record, parts }) {
    await record({ action: 'reset', resource: `sandbox/${caller.accountId}`, after: { partnerId: caller.partnerId } });
    const { messenger } = parts;
    const supply: FlushableKind = {
      kind: 'publisher',
      ask: (id, body, requestId) => messenger.ask(publisher, id, 'flush-sandbox', body, { requestId }),
    };
    const demand: FlushableKind = {
      kind: 'dsp',
      ask: (id, body, requestId) => messenger.ask(dsp, id, 'flush-sandbox', body, { requestId }),
    };
    const [publishers, dsps] = await Promise.all([
      flushSandbox(parts, supply, caller, identity),
      flushSandbox(parts, demand, caller, identity),
    ]);
    await flushLive(parts, caller);
    await forgetExhaustedOf(parts, caller);
    return {
      message: `The sandbox figures of ${publishers} supply and ${dsps} demand sources were flushed.`,
      affected_publishers: publishers,
      affected_dsps: dsps,
    };
  },
});

/** Budgets of the sandbox begin anew, and so do the campaigns that they paused. */
async function forgetExhaustedOf(parts: ManagementDeps, caller: Caller): Promise<void> {
  const where = { ...ownSourcesWhere(caller), status: 'sandbox', mode: 'delegate' };
  const { documents } = await parts.store.query(dsp.kind, { where });
  await forgetExhausted(parts, new Map(documents.map(({ id, state }) => [id, state as DspState])));
}

/** Clears the sandbox figures of the last minute, of one partner, or of the whole account with all of its partners. */
async function flushLive({ live, store }: ManagementDeps, { accountId, partnerId }: Caller): Promise<void> {
  const partners = partnerId === null ? (await store.query(partner.kind, { where: { accountId } })).documents : [];
  await live.flushSandbox(
    accountId,
    partnerId,
    partners.map(({ id }) => id),
  );
}
