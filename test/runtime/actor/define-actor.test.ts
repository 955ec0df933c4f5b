import { expect } from 'chai';
import Type from 'typebox';
import { defineActor, type Effects, handlersOf, type ReplyOf } from '#runtime/actor/define-actor';
import type { Messenger } from '#runtime/actor/messenger';
import { Rejection, reject } from '#runtime/actor/rejection';

const purse = defineActor({
  kind: 'purse',
  schemaVersion: 1,
  saving: 'eager',
  state: Type.Object({ cents: Type.Integer() }),
  messages: {
    put: Type.Object({ cents: Type.Integer() }),
    take: Type.Object({ cents: Type.Integer() }),
    count: Type.Object({}),
    'look-into': Type.Object({}),
    shut: Type.Object({}),
  },
  initial: () => ({ cents: 0 }),
  handlers: {
    put: (state, { cents }) => ({ state: { cents: state.cents + cents } }),
    take(state, { cents }) {
      if (cents > state.cents) return reject('CONFLICT', 'There is too little in it.');
      const left = { cents: state.cents - cents };
      return { state: left, reply: left };
    },
    count: ({ cents }): Effects<{ cents: number }, number> => ({ reply: cents }),
    'look-into': ({ cents }, _body, { nowMs }) => (cents === 0 ? {} : { reply: { cents, nowMs } }),
    shut() {},
  },
});

const CONTEXT = { id: 'a', address: 'purse/a', nowMs: 7, position: '1-0', random: () => 0 };

/** Compiles when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Reply<T extends string> = ReplyOf<typeof purse.handlers, T>;

describe('a definition of actors', () => {
  it('hands each message to the handler of its name', () => {
    expect(purse.handle({ cents: 2 }, { type: 'put', body: { cents: 3 } }, CONTEXT)).to.deep.equal({
      state: { cents: 5 },
    });
    expect(purse.handle({ cents: 2 }, { type: 'look-into', body: {} }, CONTEXT)).to.deep.equal({
      reply: { cents: 2, nowMs: 7 },
    });
    expect(purse.handle({ cents: 2 }, { type: 'take', body: { cents: 3 } }, CONTEXT)).to.be.instanceOf(Rejection);
    expect(purse.handle({ cents: 2 }, { type: 'shut', body: {} }, CONTEXT)).to.equal(undefined);
  });

  for (const type of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'steal']) {
    it(`has no handler for ${type}, which does not exist`, () => {
      const handle = () => purse.handle({ cents: 2 }, { type, body: {} } as never, CONTEXT);
      expect(handle).to.throw(`purse has no handler for ${type}`);
    });
  }

  it('says by its handlers what askers are answered: null where nothing is replied, and never a refusal', () => {
    const same: [
      Same<Reply<'put'>, null>,
      Same<Reply<'take'>, { cents: number }>,
      Same<Reply<'count'>, number>,
      Same<Reply<'look-into'>, { cents: number; nowMs: number } | null>,
      Same<Reply<'shut'>, null>,
    ] = [true, true, true, true, true];
    expect(same).to.not.include(false);
  });

  it('takes a handler for each of its messages, and no other', () => {
    const messages = { put: Type.Object({ cents: Type.Integer() }) };
    const State = Type.Object({});
    const put = () => ({});
    // @ts-expect-error No message has this name.
    handlersOf(State, messages, { put, steal: put });
    // @ts-expect-error One is missing.
    handlersOf(State, messages, {});
    expect(handlersOf(State, messages, { put })).to.deep.equal({ put });
  });

  it('lets its messages be asked with no type given', async () => {
    const ask = ((_kind: unknown, _id: string, type: string, body: unknown) =>
      Promise.resolve({ type, body })) as unknown as Messenger['ask'];
    const left: { cents: number } = await ask(purse, 'a', 'take', { cents: 1 });
    // @ts-expect-error Another body than the message has.
    await ask(purse, 'a', 'take', { euros: 1 });
    // @ts-expect-error A message that the kind does not understand.
    await ask(purse, 'a', 'steal', {});
    expect(left).to.deep.equal({ type: 'take', body: { cents: 1 } });
  });
});
