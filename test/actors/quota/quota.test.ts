import { expect } from 'chai';
import fc from 'fast-check';
import { quota } from '#actors/quota/quota';
import { emptyQuota, type QuotaReply, type QuotaState, usageOf } from '#actors/quota/reduce';
import type { Context } from '#runtime/actor/context';
import type { Effects } from '#runtime/actor/define-actor';
import { runActorCases } from '../actor-cases.ts';

const counted = { type: 'recount', body: { present: {}, gone: {}, last: { archived: 0 } } } as const;
const take = (holder: string, claim: string, bytes = 10, most = { count: 2, bytes: 100 }) => ({
  type: 'take' as const,
  body: { holder, claim, bytes, most, countAgainMs: null },
});
const settle = (holder: string, claim: string | null, bytes = 10, revision = 1) => ({
  type: 'settle' as const,
  body: { holder, claim, bytes, revision },
});

const takeAll = (holders: Record<string, number>, claim: string, most = { count: 2, bytes: 100 }) => ({
  type: 'take-all' as const,
  body: { holders, claim, most, countAgainMs: null },
});

describe('actors/quota', () => {
  runActorCases(quota, 'a:live:pools', [
    { title: 'makes no room before anybody has counted', when: take('a', '1'), does: { state: 'same' } },
    {
      title: 'makes room up to the limit',
      given: [counted, take('a', '1'), settle('a', '1')],
      when: take('b', '2'),
      does: { reply: { taken: true } },
    },
    {
      title: 'counts what is only claimed, so that requests at once do not pass the limit together',
      given: [counted, take('a', '1'), take('b', '2')],
      when: take('c', '3'),
      does: { state: 'same', reply: { taken: false, because: 'count' } },
    },
    {
      title: 'has room again when a claim came to nothing',
      given: [counted, take('a', '1'), take('b', '2'), { type: 'give-back', body: { holder: 'b', claim: '2' } }],
      when: take('c', '3'),
      does: { reply: { taken: true } },
    },
    {
      title: 'does not count one that asks again twice',
      given: [counted, take('a', '1'), take('b', '2')],
      when: take('a', '1'),
      does: { reply: { taken: true } },
    },
    {
      title: 'refuses bytes beyond the limit, of a holder that grows too',
      given: [counted, take('a', '1', 60), settle('a', '1', 60)],
      when: take('a', '2', 101),
      does: { state: 'same', reply: { taken: false, because: 'bytes' } },
    },
    {
      title: 'lets what is over the limit shrink',
      given: [counted, settle('a', null, 300, 1)],
      when: take('a', '2', 200),
      does: { reply: { taken: true } },
    },
    {
      title: 'believes the newest revision of what a holder weighs',
      given: [counted, settle('a', null, 30, 3)],
      when: settle('a', null, 10, 2),
      does: { state: { entries: { a: [30, 3, 1769860800] } } },
    },
    {
      title: 'refuses to archive for ever',
      given: [
        counted,
        ...Array.from({ length: 10 }, (_, index) => [
          settle(`h${index}`, null),
          { type: 'drop', body: { holder: `h${index}`, archived: true } },
        ]).flat(),
      ],
      when: take('a', '1', 0, { count: 1, bytes: 100 }),
      does: { state: 'same', reply: { taken: false, because: 'archived' } },
    },
    {
      title: 'makes room for several holders that fit together',
      given: [counted],
      when: takeAll({ a: 60, b: 40 }, '1'),
      does: { reply: { taken: true }, state: { claims: { a: { 1: 60 }, b: { 1: 40 } } } },
    },
    {
      title: 'makes room for none of several holders that are too many together',
      given: [counted, take('a', '1')],
      when: takeAll({ b: 10, c: 10 }, '2'),
      does: { state: 'same', reply: { taken: false, because: 'count' } },
    },
    {
      title: 'makes room for none of several holders that have too many bytes together',
      given: [counted],
      when: takeAll({ a: 60, b: 41 }, '1'),
      does: { state: 'same', reply: { taken: false, because: 'bytes' } },
    },
    {
      title: 'has several holders settled with their bytes',
      given: [counted, takeAll({ a: 60, b: 40 }, '1')],
      when: { type: 'settle-all', body: { holders: { a: [50, 3], b: [40, 1] }, claim: '1' } },
      does: { state: { entries: { a: [50, 3, 1769860800], b: [40, 1, 1769860800] }, claims: {} } },
    },
    {
      title: 'has the room of several holders back that were not made, and of none that was there before',
      given: [counted, take('a', '1'), settle('a', '1'), takeAll({ a: 10, b: 10 }, '2')],
      when: { type: 'give-back-all', body: { holders: ['a', 'b'], claim: '2' } },
      does: { state: { entries: { a: [10, 1, 1769860800] }, claims: {} } },
    },
    {
      title: 'has room again for several holders that left',
      given: [counted, settle('a', null), settle('b', null)],
      when: { type: 'drop-all', body: { holders: ['a', 'b', 'c'] } },
      does: { state: { entries: {}, archived: 0 } },
    },
    {
      title: 'changes nothing for several holders that are unknown',
      given: [counted, settle('a', null)],
      when: { type: 'drop-all', body: { holders: ['b', 'c'] } },
      does: { state: 'same' },
    },
    {
      title: 'asks for a count before it refuses by one that is old',
      given: [counted, take('a', '1'), take('b', '2')],
      when: { type: 'take', body: { ...take('c', '3').body, countAgainMs: 0 } },
      does: { state: 'same', reply: { taken: false, because: 'uncounted' } },
    },
  ]);

  const at = (nowMs: number): Context => ({ id: 'q', address: 'quota/q', nowMs, position: '1-0', random: () => 0 });
  const effectsOf = (...given: Parameters<typeof quota.handle>) => quota.handle(...given) as Effects<QuotaState>;
  type Message = Parameters<typeof quota.handle>[1];
  const stateAfter = (messages: readonly (readonly [number, Message])[]): QuotaState =>
    messages.reduce<QuotaState>((state, [ms, message]) => effectsOf(state, message, at(ms)).state ?? state, emptyQuota);

  it('frees by a count what a process that died had claimed, and leaves what is under way', () => {
    const [early, late] = [1_000_000, 1_000_000 + 700_000];
    const before: [number, Message][] = [
      [early, counted],
      [early, take('dead', '1')],
      [late, take('under-way', '2')],
    ];
    const { entries } = stateAfter(before);
    const gone: [number, Message] = [
      late,
      { type: 'recount', body: { present: {}, gone: entries, last: { archived: 0 } } },
    ];
    expect(Object.keys(stateAfter([...before, gone]).entries)).to.deep.equal(['under-way']);
  });

  it('never lets claims and what has come about pass the limit, whatever their order', () => {
    const step = fc.record({
      holder: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      what: fc.constantFrom('take', 'settle', 'give-back', 'drop'),
      bytes: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = stateAfter([[1, counted]]);
        const open = new Map<string, { holder: string; bytes: number }[]>();
        let revision = 0;
        for (const [index, { holder, what, bytes }] of steps.entries()) {
          const claim = String(index);
          const waiting = open.get(holder) ?? [];
          const apply = (message: Message) => {
            const effects = effectsOf(state, message, at(2));
            state = effects.state ?? state;
            return effects.reply as QuotaReply | undefined;
          };
          if (what === 'take') {
            if (apply(take(holder, claim, bytes))?.taken) open.set(holder, [...waiting, { holder: claim, bytes }]);
          } else if (what === 'drop') apply({ type: 'drop', body: { holder, archived: false } });
          else {
            const [first, ...others] = waiting;
            if (first === undefined) continue;
            open.set(holder, others);
            if (what === 'settle' && state.entries[holder])
              apply(settle(holder, first.holder, first.bytes, ++revision));
            else apply({ type: 'give-back', body: { holder, claim: first.holder } });
          }
          const { count, bytes: all } = usageOf(state);
          expect(count).to.be.at.most(2);
          expect(all).to.be.at.most(100);
        }
      }),
    );
  });
});
