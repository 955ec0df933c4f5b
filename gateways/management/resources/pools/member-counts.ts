import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import type { Counts } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { visibleSourcesWhere } from '../sources-where.ts';

/** The number of sources that are not archived, by pool id; pools without any are left out. */
export interface MemberCounts {
  readonly publishers: Counts;
  readonly dsps: Counts;
}

export const noMembers: MemberCounts = { publishers: new Map(), dsps: new Map() };

/** Counts the members of one pool, or of every pool of the account. */
export async function countMembers({ store }: ManagementDeps, caller: Caller, poolId?: string): Promise<MemberCounts> {
  const where = visibleSourcesWhere(caller, caller.sandbox ? 'sandbox' : 'active');
  const [publishers, dsps] = await Promise.all([
    store.countBy(publisher.kind, 'poolId', poolId === undefined ? where : { ...where, poolId }),
    store.countBy(dsp.kind, 'poolIds', poolId === undefined ? where : { ...where, poolIds: poolId }),
  ]);
  return { publishers, dsps };
}
