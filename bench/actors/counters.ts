import { Type } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';

/** 10,000 of these are what the message benchmarks talk to: lazily saved, a 300-byte body each. */
export const benchCounter = defineActor({
  kind: 'bench-counter',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ count: Type.Integer(), bytes: Type.Integer() }),
  messages: { add: Type.Object({ amount: Type.Integer(), padding: Type.String() }) },
  initial: () => ({ count: 0, bytes: 0 }),
  handle(state, { body }) {
    return { state: { count: state.count + body.amount, bytes: state.bytes + body.padding.length } };
  },
});

/** Saved before it replies. */
export const benchRegister = defineActor({
  kind: 'bench-register',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ value: Type.String() }),
  messages: { set: Type.Object({ value: Type.String() }) },
  initial: () => ({ value: '' }),
  handle(_state, { body }) {
    return { state: { value: body.value }, reply: { value: body.value } };
  },
});
