import Type, { type Static } from 'typebox';
import { pool } from '../../../../actors/pool/pool.ts';
import type { PoolState } from '../../../../actors/pool/reduce.ts';
import { cpmOf } from '../../../../exchange/money/price.ts';
import { ApiError } from '../../../errors.ts';
import { loadVisible } from '../../changes/load-visible.ts';
import type { Caller } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { FloorCpm, Name, Uuid } from '../fields.ts';
import type { MemberCounts } from './member-counts.ts';

/** A pool as the API shows it (specification, "Pool"). The counts are of the sources of the caller's context. */
export const Pool = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: Type.String(),
    publisher_count: Type.Integer({ description: 'Supply sources of the context in it; archived ones do not count.' }),
    dsp_count: Type.Integer({ description: 'Demand sources of the context that take its traffic.' }),
    floor_price_cpm: Type.Number({ description: 'USD CPM.' }),
    require_verified: Type.Boolean(),
  },
  {
    title: 'Pool',
    examples: [
      {
        id: 'c2a1f0de-6b3c-4f7d-8e21-0a9b8c7d6e5f',
        name: 'Premium CTV',
        description: 'Full-screen inventory on televisions',
        publisher_count: 12,
        dsp_count: 5,
        floor_price_cpm: 4,
        require_verified: false,
      },
    ],
  },
);
export type Pool = Static<typeof Pool>;

export const poolFields = {
  name: Name,
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  floor_price_cpm: Type.Optional(FloorCpm),
  require_verified: Type.Optional(
    Type.Boolean({
      description:
        'Whether live ad requests are refused (403) unless the ads.txt or app-ads.txt of what they name lists this exchange. By default false.',
    }),
  ),
};

export const PoolParams = Type.Object({ pool_id: Uuid });

export function showPool(id: string, state: PoolState, { publishers, dsps }: MemberCounts): Pool {
  return {
    id,
    name: state.name,
    description: state.description,
    publisher_count: publishers.get(id) ?? 0,
    dsp_count: dsps.get(id) ?? 0,
    floor_price_cpm: cpmOf(state.floorCpmMicros),
    require_verified: state.requireVerified,
  };
}

/** Pools belong to the account as a whole: every partner of it, live and sandbox alike. */
export function loadPool(parts: ManagementParts, id: string, caller: Caller): Promise<PoolState> {
  const { accountId } = caller;
  return loadVisible<PoolState>(parts, pool.kind, id, { accountId, partnerId: null, sandboxOnly: false }, 'The pool');
}

/** For a pool named in a body: VALIDATION_ERROR when there is none. */
export async function assertPoolExists(parts: ManagementParts, id: string, caller: Caller): Promise<void> {
  try {
    await loadPool(parts, id, caller);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error;
    throw new ApiError('VALIDATION_ERROR', 'pool_id does not name a pool.', 'pool_id');
  }
}
