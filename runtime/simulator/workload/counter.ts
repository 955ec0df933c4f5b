import { Type } from 'typebox';
import { defineActor } from '../../actor/define-actor.ts';
import { comparePositions } from '../../ports/position.ts';
import { poisoned, Tagged } from './tag.ts';

const SUMS = 2;

/** A lazy actor that reports absolute totals to a sum, as an impression rollup does to its ledgers. */
export const counter = defineActor({
  kind: 'counter',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ count: Type.Integer(), changedAt: Type.String(), history: Type.Array(Type.String()) }),
  messages: { add: Tagged({ amount: Type.Integer() }), poison: Tagged({}) },
  initial: () => ({ count: 0, changedAt: '0-0', history: [] }),
  handlers: {
    add(state, { tag, amount }, { position }) {
      state.count += amount;
      state.changedAt = position;
      state.history.push(tag);
    },
    poison(_state, { tag }) {
      throw poisoned(tag);
    },
  },
  totals(state, published, id) {
    if (published !== null && comparePositions(published, state.changedAt) >= 0) return [];
    const body = { counter: id, count: state.count, version: state.changedAt };
    return [{ to: `sum/${sumOf(id)}`, type: 'total', body }];
  },
});

/** The sum that a counter reports to. */
export function sumOf(counterId: string): string {
  return `s${Number(counterId.slice(1)) % SUMS}`;
}
