import { Type } from 'typebox';
import { defineActor } from '../../actor/define-actor.ts';
import { comparePositions } from '../../ports/position.ts';

/** A lazy actor that stores the newest total of each counter, as a ledger does for each impression rollup. */
export const sum = defineActor({
  kind: 'sum',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({
    totals: Type.Record(Type.String(), Type.Object({ count: Type.Integer(), version: Type.String() })),
  }),
  messages: {
    total: Type.Object({ counter: Type.String(), count: Type.Integer(), version: Type.String() }),
  },
  initial: () => ({ totals: {} }),
  handlers: {
    total(state, { counter, count, version }) {
      const known = state.totals[counter];
      if (!known || comparePositions(version, known.version) > 0) state.totals[counter] = { count, version };
    },
  },
});
