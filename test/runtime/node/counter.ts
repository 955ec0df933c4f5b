import Type, { type Static } from 'typebox';
import { type ActorDefinition, defineActor } from '../../../runtime/actor/define-actor.ts';
import { reject } from '../../../runtime/actor/rejection.ts';

const State = Type.Object({ value: Type.Integer() });
const messages = {
  add: Type.Object({ n: Type.Integer() }),
  read: Type.Object({}),
  refuse: Type.Object({ code: Type.String() }),
  fail: Type.Object({}),
  /** Leaves a state that breaks its schema. */
  spoil: Type.Object({}),
  remove: Type.Object({}),
};

type Counter = ActorDefinition<typeof State, typeof messages, { readonly value: number }>;

/** An actor that adds up, and does everything else that a reducer may do. Its view is absent at zero. */
export function counter(changes: Partial<Counter> = {}): Counter {
  return defineActor<typeof State, typeof messages, { readonly value: number }>({
    kind: 'counter',
    schemaVersion: 1,
    saving: 'eager',
    state: State,
    messages,
    initial: () => ({ value: 0 }),
    handle(state, message) {
      if (message.type === 'refuse') return reject(message.body.code, 'refused', { value: state.value });
      if (message.type === 'fail') throw new Error('the reducer failed');
      if (message.type === 'spoil') return { state: { value: 'much' } as unknown as Static<typeof State> };
      if (message.type === 'remove') return { state: null, reply: 'removed' };
      if (message.type === 'read') return { reply: state };
      if (changes.saving === 'lazy') {
        state.value += message.body.n;
        return;
      }
      const next = { value: state.value + message.body.n };
      return { state: next, reply: next };
    },
    ...(changes.saving === 'lazy' ? {} : { view: ({ value }) => (value === 0 ? null : { value }) }),
    ...changes,
  });
}
