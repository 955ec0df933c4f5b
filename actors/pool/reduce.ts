import Type, { type Static } from 'typebox';
import type { Context } from '../../runtime/actor/context.ts';
import type { Effects, MessageOf } from '../../runtime/actor/define-actor.ts';
import { Rejection, reject } from '../../runtime/actor/rejection.ts';
import { absent, sees } from '../account/scope.ts';
import { answerForClaim, BorneName, bear, nameId } from '../name/bearing.ts';
import type { poolMessages } from './messages.ts';

export const PoolState = Type.Object({
  /** '' while nothing was created. */
  accountId: Type.String(),
  name: Type.String(),
  borneName: BorneName,
  description: Type.String(),
  floorCpmMicros: Type.Integer({ minimum: 0 }),
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type PoolState = Static<typeof PoolState>;

export const noPool: PoolState = {
  accountId: '',
  name: '',
  borneName: null,
  description: '',
  floorCpmMicros: 0,
  createdAt: '',
  updatedAt: '',
};

export function poolNameId(of: Pick<PoolState, 'accountId' | 'name'>): string {
  return nameId(of.accountId, 'pool', of.name);
}

export function reducePool(
  state: PoolState,
  message: MessageOf<typeof poolMessages>,
  context: Context,
): Effects<PoolState> | Rejection {
  const now = new Date(context.nowMs).toISOString();
  switch (message.type) {
    case 'create': {
      const { nameClaim, ...fields } = message.body;
      if (state.accountId !== '') {
        return state.accountId === fields.accountId ? { reply: state } : reject('CONFLICT', 'The id is taken.');
      }
      const bearing = bear(null, poolNameId(fields), nameClaim, context);
      if (bearing instanceof Rejection) return bearing;
      const created = { ...fields, borneName: bearing.borne, createdAt: now, updatedAt: now };
      return { state: created, reply: created, sends: bearing.sends };
    }
    case 'update': {
      const { scope, changes, nameClaim } = message.body;
      if (!sees(scope, { accountId: state.accountId })) return absent('The pool');
      const merged = { ...state, ...changes };
      const bearing = bear(state.borneName, poolNameId(merged), nameClaim, context);
      if (bearing instanceof Rejection) return bearing;
      const updated = { ...merged, borneName: bearing.borne, updatedAt: now };
      return { state: updated, reply: updated, sends: bearing.sends };
    }
    case 'answer-for-claim':
      return { sends: answerForClaim(state.borneName, message.body, context) };
  }
}
