import type { Context } from '../../runtime/actor/context.ts';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { Rejection, reject } from '../../runtime/actor/rejection.ts';
import { withNextRevision } from '../revision.ts';
import { type NameClaim, type ReservedName, release, reserve } from './reservation.ts';

/** The fields that resources under unique names have in their state. */
export interface NamedState {
  readonly accountId: string;
  readonly borneName: ReservedName;
  /** 1 when created, one more with each change. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** The answer to a repeated creation: the same account gets what it made, another account a taken id. */
export function answerRepeatedCreate<State extends NamedState>(
  state: State,
  accountId: string,
): Effects<State, State> | Rejection {
  return state.accountId === accountId ? { reply: state } : reject('CONFLICT', 'The id is taken.');
}

/** The change to `next`, which has the name with `wantedId` from here on; answers it. */
export function changeWithReservedName<State extends NamedState>(
  next: State,
  wantedId: string,
  claim: NameClaim | undefined,
  context: Context,
): Effects<State, State> | Rejection {
  const reserved = reserve(next.borneName, wantedId, claim, context);
  if (reserved instanceof Rejection) return reserved;
  const state = { ...withNextRevision(next, context), borneName: reserved.reservedName };
  return { state, reply: state, sends: reserved.sends };
}

/** The change to `next`, which has no name any more; answers it. */
export function changeReleasingName<State extends NamedState>(next: State, context: Context): Effects<State, State> {
  const state = { ...withNextRevision(next, context), borneName: null };
  return { state, reply: state, sends: release(next.borneName, context) };
}
