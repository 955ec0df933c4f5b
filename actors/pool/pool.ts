import { defineActor } from '../../runtime/actor/define-actor.ts';
import { projectionOf } from '../field-table.ts';
import { type PoolProjection, poolFields } from './fields.ts';
import { poolMessages } from './messages.ts';
import { noPool, PoolState, poolHandlers } from './reduce.ts';

/**
 * A pool: supply sources under one name, which demand sources subscribe to. The members name their pool; the pool does
 * not list its members. Id: a UUID.
 */
export const pool = defineActor({
  kind: 'pool',
  schemaVersion: 3,
  saving: 'eager',
  state: PoolState,
  messages: poolMessages,
  initial: () => noPool,
  // Version 2 had no such requirement for sources.
  upgrade: (state) => ({ requireVerified: false, ...(state as Omit<PoolState, 'requireVerified'>) }),
  handlers: poolHandlers,
  projection: (state, id): PoolProjection | null =>
    state.accountId === '' ? null : { id, ...projectionOf(poolFields, state) },
  indexes: ['accountId', 'createdAt'],
});
