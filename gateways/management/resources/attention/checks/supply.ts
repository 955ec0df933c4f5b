import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { type VerificationState, verification } from '#actors/verification/verification';
import { visibleSourcesWhere } from '../../sources-where.ts';
import { showVerification } from '../../supply-sources/verification.ts';
import { type AttentionCheck, type AttentionItem, MAX_SOURCES_CHECKED } from '../attention-item.ts';

/**
 * Finds publishers whose ads.txt does not name the exchange or that have no pool, and pools from which no demand source
 * buys.
 */
export const checkSupply: AttentionCheck = async ({ parts, caller }) => {
  const newest = { orderBy: 'updatedAt', descending: true, limit: MAX_SOURCES_CHECKED } as const;
  const [publishers, pools, dsps] = await Promise.all([
    parts.store.query(publisher.kind, {
      where: visibleSourcesWhere(caller, caller.sandbox ? 'sandbox' : 'active'),
      ...newest,
    }),
    parts.store.query(pool.kind, { where: { accountId: caller.accountId }, ...newest }),
    parts.store.query(dsp.kind, {
      where: visibleSourcesWhere(caller, caller.sandbox ? 'sandbox' : 'active'),
      ...newest,
    }),
  ]);
  const sources = publishers.documents.map(({ id, state }) => ({ id, state: state as PublisherState }));
  const found: AttentionItem[] = [];
  const verifications = await parts.store.load(sources.map(({ id }) => ({ kind: verification.kind, id })));
  for (const [index, { id, state }] of sources.entries()) {
    const subject = { type: 'publisher' as const, id, name: state.name };
    if (state.poolId === null) {
      found.push({
        kind: 'publisher-without-pool',
        severity: 'warning',
        subject,
        since: state.updatedAt,
        message: `${state.name} is in no pool, so no demand source is asked for its ads.`,
        remedy: 'Assign it to a pool.',
      });
    }
    const known = (verifications[index]?.state ?? null) as VerificationState | null;
    const shown = showVerification(parts, id, state, known);
    if (shown.status === 'failed' && !state.sandbox) {
      found.push({
        kind: 'ads-txt-failed',
        severity: 'warning',
        subject,
        since: shown.changed_at,
        message: `The ads.txt of ${state.name} does not name this exchange: ${shown.message ?? 'it could not be read'}`,
        remedy: `Its owner adds the line: ${shown.expected_line}`,
      });
    }
  }
  const bought = new Set(dsps.documents.flatMap(({ state }) => (state as DspState).poolIds));
  const used = new Set(sources.map(({ state }) => state.poolId));
  for (const { id, state } of pools.documents) {
    const { name } = state as PoolState;
    if (!used.has(id) || bought.has(id) || dsps.total > MAX_SOURCES_CHECKED) continue;
    found.push({
      kind: 'pool-without-demand',
      severity: 'warning',
      subject: { type: 'pool', id, name },
      since: null,
      message: `No demand source buys from the pool ${name}, which has publishers.`,
      remedy: 'Subscribe a demand source to it.',
    });
  }
  return found;
};
