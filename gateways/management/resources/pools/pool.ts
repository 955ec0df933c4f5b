import Type, { type Static } from 'typebox';
import { Uuid } from '#actors/api-schemas';
import { exampleOf, shownProperties, toApi } from '#actors/field-table';
import { poolFields } from '#actors/pool/fields';
import { pool } from '#actors/pool/pool';
import type { PoolState } from '#actors/pool/reduce';
import { ApiError } from '#gateways/errors';
import { loadVisible } from '../../changes/load-visible.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import type { MemberCounts } from './member-counts.ts';

/** A pool as the API shows it (specification, "Pool"). The counts are of the sources of the caller's context. */
export const Pool = Type.Object(shownProperties(poolFields), { title: 'Pool', examples: [exampleOf(poolFields)] });
export type Pool = Static<typeof Pool>;

export const PoolParams = Type.Object({ pool_id: Uuid });

export function showPool(id: string, state: PoolState, { publishers, dsps }: MemberCounts): Pool {
  return toApi(poolFields, state, { id, publisherCount: publishers.get(id) ?? 0, dspCount: dsps.get(id) ?? 0 });
}

/** Loads a pool. Pools belong to the whole account: to all of its partners, live and sandbox alike. */
export function loadPool(deps: ManagementDeps, id: string, caller: Caller): Promise<PoolState> {
  const { accountId } = caller;
  return loadVisible<PoolState>(deps, pool.kind, id, { accountId, partnerId: null, sandboxOnly: false }, 'The pool');
}

/** Asserts that a pool that a body names exists: VALIDATION_ERROR when it does not. */
export async function assertPoolExists(deps: ManagementDeps, id: string, caller: Caller): Promise<void> {
  try {
    await loadPool(deps, id, caller);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    throw new ApiError('VALIDATION_ERROR', 'pool_id does not name a pool.', 'pool_id');
  }
}
