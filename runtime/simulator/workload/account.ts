import { Type } from 'typebox';
import { defineActor } from '../../actor/define-actor.ts';
import { reject } from '../../actor/rejection.ts';
import { poisoned, Tagged } from './tag.ts';

const Amount = Type.Integer({ minimum: 1 });

/** What an account answers: where in its history the message stands, and the balance after it. */
export interface AccountReply {
  readonly index: number;
  readonly balance: number;
}

/** Money that moves between accounts through outboxes: whatever happens, the sum of all stays. */
export const account = defineActor({
  kind: 'account',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ balance: Type.Integer(), history: Type.Array(Type.String()) }),
  messages: {
    deposit: Tagged({ amount: Amount }),
    /** Half of the amount goes in each of two credits, so that the order of an outbox can be seen. */
    transfer: Tagged({ amount: Amount, to: Type.String() }),
    credit: Tagged({ amount: Amount }),
    poison: Tagged({}),
    /** Ends every process that handles it; see `deadlyIn`. */
    lethal: Tagged({}),
  },
  initial: () => ({ balance: 0, history: [] }),
  handle(state, { type, body }) {
    if (type === 'poison' || type === 'lethal') throw poisoned(body.tag);
    if (type === 'transfer' && state.balance < 2 * body.amount) return reject('INSUFFICIENT', 'not enough money');
    const change = type === 'transfer' ? -2 * body.amount : body.amount;
    const balance = state.balance + change;
    const history = [...state.history, body.tag];
    const reply: AccountReply = { index: state.history.length, balance };
    if (type !== 'transfer') return { state: { balance, history }, reply };
    const sends = creditsOf(body.tag).map((tag) => ({
      to: `account/${body.to}`,
      type: 'credit',
      body: { tag, amount: body.amount },
    }));
    return { state: { balance, history }, reply, sends };
  },
});

/** The tags of what a transfer causes, in order. */
export function creditsOf(transfer: string): string[] {
  return [`${transfer}/credit-1`, `${transfer}/credit-2`];
}
