import { Type } from 'typebox';
import { defineActor } from '../../actor/define-actor.ts';
import { Tagged } from './tag.ts';

const PAGE_MS = 20_000;

/** A lazy actor for each span of log time, as a ledger is for each day. */
export const diary = defineActor({
  kind: 'diary',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ history: Type.Array(Type.String()) }),
  messages: { write: Tagged({}) },
  initial: () => ({ history: [] }),
  handlers: {
    write(state, { tag }) {
      state.history.push(tag);
    },
  },
  idAt: (id, logTimeMs) => `${id}:${Math.floor(logTimeMs / PAGE_MS)}`,
});
