import { dsp } from '../../../../actors/dsp/dsp.ts';
import type { DspState } from '../../../../actors/dsp/reduce.ts';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../../../actors/publisher/reduce.ts';
import type { Condition } from '../../../../runtime/ports/store.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { visibleSources } from '../visible-sources.ts';

/** Sources that are not archived, by pool id; pools without any are left out. */
export interface MemberCounts {
  readonly publishers: ReadonlyMap<string, number>;
  readonly dsps: ReadonlyMap<string, number>;
}

export const noMembers: MemberCounts = { publishers: new Map(), dsps: new Map() };

/** Counts the members of one pool, or of every pool of the account. */
export async function countMembers({ store }: ManagementParts, caller: Caller, poolId?: string): Promise<MemberCounts> {
  const where = visibleSources(caller, caller.sandbox ? 'sandbox' : 'active');
  const inPools = poolId === undefined ? { not: null } : poolId;
  const subscribed: Record<string, Condition> = poolId === undefined ? {} : { poolIds: poolId };
  const [publishers, dsps] = await Promise.all([
    store.query(publisher.kind, { where: { ...where, poolId: inPools } }),
    store.query(dsp.kind, { where: { ...where, ...subscribed } }),
  ]);
  return {
    publishers: tally(publishers.documents.map(({ state }) => (state as PublisherState).poolId!)),
    dsps: tally(dsps.documents.flatMap(({ state }) => (state as DspState).poolIds)),
  };
}

function tally(poolIds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of poolIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
