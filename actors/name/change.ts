import type { Context } from '../../runtime/actor/context.ts';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { Rejection, reject } from '../../runtime/actor/rejection.ts';
import { revised } from '../revision.ts';
import { type BorneName, bear, type Claim, shed } from './bearing.ts';

/** What accounts create under unique names has this in its state. */
export interface Named {
  readonly accountId: string;
  readonly borneName: BorneName;
  /** 1 when created, one more with each change. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** A creation that comes again finds what it made; another account's meets a taken id. */
export function createAgain<State extends Named>(state: State, accountId: string): Effects<State, State> | Rejection {
  return state.accountId === accountId ? { reply: state } : reject('CONFLICT', 'The id is taken.');
}

/** Changes to `next`, which bears the name with `wantedId` from here on; answers it. */
export function changeUnderName<State extends Named>(
  next: State,
  wantedId: string,
  claim: Claim | undefined,
  context: Context,
): Effects<State, State> | Rejection {
  const bearing = bear(next.borneName, wantedId, claim, context);
  if (bearing instanceof Rejection) return bearing;
  const state = { ...revised(next, context), borneName: bearing.borne };
  return { state, reply: state, sends: bearing.sends };
}

/** Changes to `next`, which bears no name any more; answers it. */
export function changeWithoutName<State extends Named>(next: State, context: Context): Effects<State, State> {
  const state = { ...revised(next, context), borneName: null };
  return { state, reply: state, sends: shed(next.borneName, context) };
}
