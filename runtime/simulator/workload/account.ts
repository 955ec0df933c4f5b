import { type Static, Type } from 'typebox';
import { defineActor, type Effects } from '../../actor/define-actor.ts';
import { type Rejection, reject } from '../../actor/rejection.ts';
import { poisoned, Tagged } from './tag.ts';

const Amount = Type.Integer({ minimum: 1 });

const AccountState = Type.Object({ balance: Type.Integer(), history: Type.Array(Type.String()) });
type AccountState = Static<typeof AccountState>;

/** The reply of an account: the message's place in its history, and the balance after it. */
export interface AccountReply {
  readonly index: number;
  readonly balance: number;
}

/** Money that moves between accounts through outboxes: whatever happens, the sum of all stays. */
export const account = defineActor({
  kind: 'account',
  schemaVersion: 1,
  saving: 'eager',
  state: AccountState,
  messages: {
    deposit: Tagged({ amount: Amount }),
    /** Half of the amount goes in each of two credits, so that the order of an outbox can be seen. */
    transfer: Tagged({ amount: Amount, to: Type.String() }),
    credit: Tagged({ amount: Amount }),
    poison: Tagged({}),
    /** Ends every process that handles it; see `withLethalMessages`. */
    lethal: Tagged({}),
  },
  initial: () => ({ balance: 0, history: [] }),
  handlers: {
    deposit: entered,
    credit: entered,
    transfer(state, { tag, amount, to }): Effects<AccountState, AccountReply> | Rejection {
      if (state.balance < 2 * amount) return reject('INSUFFICIENT', 'not enough money');
      const sends = creditsOf(tag).map((credit) => ({
        to: `account/${to}`,
        type: 'credit',
        body: { tag: credit, amount },
      }));
      return { ...entered(state, { tag, amount: -2 * amount }), sends };
    },
    poison(_state, { tag }) {
      throw poisoned(tag);
    },
    lethal(_state, { tag }) {
      throw poisoned(tag);
    },
  },
});

function entered(
  state: AccountState,
  { tag, amount }: { readonly tag: string; readonly amount: number },
): Effects<AccountState, AccountReply> {
  const balance = state.balance + amount;
  return {
    state: { balance, history: [...state.history, tag] },
    reply: { index: state.history.length, balance },
  };
}

/** The tags of what a transfer causes, in order. */
export function creditsOf(transfer: string): string[] {
  return [`${transfer}/credit-1`, `${transfer}/credit-2`];
}
