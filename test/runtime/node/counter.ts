import Type, { type Static } from 'typebox';
import { type ActorDefinition, defineActor, handlersOf } from '#runtime/actor/define-actor';
import { reject } from '#runtime/actor/rejection';

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

type State = Static<typeof State>;

/** A lazy kind changes its state in place and answers nothing. */
const handlersOfCounter = (lazy: boolean) =>
  handlersOf(State, messages, {
    add(state, { n }) {
      if (lazy) {
        state.value += n;
        return;
      }
      const next = { value: state.value + n };
      return { state: next, reply: next };
    },
    read: (state) => ({ reply: state }),
    refuse: ({ value }, { code }) => reject(code, 'refused', { value }),
    fail() {
      throw new Error('the reducer failed');
    },
    spoil: () => ({ state: { value: 'much' } as unknown as State }),
    remove: () => ({ state: null, reply: 'removed' }),
  });

interface View {
  readonly value: number;
}

type Counter = ActorDefinition<typeof State, typeof messages, View, ReturnType<typeof handlersOfCounter>>;

/** An actor that adds up, and does everything else that a reducer may do. Its projection is absent at zero. */
export function counter(changes: Partial<Counter> = {}): Counter {
  const lazy = changes.saving === 'lazy';
  return {
    ...defineActor({
      kind: 'counter',
      schemaVersion: 1,
      saving: 'eager',
      state: State,
      messages,
      initial: () => ({ value: 0 }),
      handlers: handlersOfCounter(lazy),
      ...(lazy ? {} : { projection: ({ value }: State): View | null => (value === 0 ? null : { value }) }),
    }),
    ...changes,
  };
}
