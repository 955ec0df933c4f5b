import { Type } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';

/** The actor of the message benchmarks, which use 10,000 of them: lazily saved, with messages of 300 bytes. */
export const benchCounter = defineActor({
  kind: 'bench-counter',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
  messages: { add: Type.Object({ amount: Type.Integer(), padding: Type.String() }) },
  initial: () => ({ count: 0, bytes: 0 }),
  handlers: {
    add: (state, { amount, padding }) => ({
      state: { count: state.count + amount, bytes: state.bytes + padding.length },
    }),
  },
});

/** An actor that is saved before it replies. */
export const benchRegister = defineActor({
  kind: 'bench-register',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ value: Type.String() }),
  messages: { set: Type.Object({ value: Type.String() }) },
  initial: () => ({ value: '' }),
  handlers: {
    set: (_state, { value }) => ({ state: { value }, reply: { value } }),
  },
});
