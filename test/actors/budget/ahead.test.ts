import { expect } from 'chai';
import { budget } from '#actors/budget/budget';
import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import type { BudgetLease } from '#actors/budget/messages';
import type { BudgetState } from '#actors/budget/state';
import { runActorCases } from '../actor-cases.ts';
import { answer, HOUR_MS, holding, lease, limits, opened, slotMs } from './steps.ts';

const at = (number: number) => slotMs + number * BUDGET_WINDOW_MS;
const ahead = { wantNanos: 1_000, leastNanos: 1 };
/** A region that asks for 200 now, and for as much as there is ahead. */
const region = (changes: object = {}) => lease({ edge: 'fra#1', number: 1, ahead, ...changes } as never);

describe('a budget that a region leases ahead', () => {
  runActorCases(budget, 'dsp:d', [
    {
      title: 'grants an hour of windows, a sixtieth of what is free each',
      given: [opened()],
      when: region(),
      does: {
        reply: {
          ...{ ...answer, number: 1, grantedNanos: 200, freeTodayNanos: 800 - 12 * 13 },
          ahead: Array.from({ length: 12 }, (_, n) => ({ slotMs: at(n + 1), grantedNanos: 13 })),
        },
      },
    },
    {
      title: 'grants nothing ahead to one that does not ask for it',
      given: [opened()],
      when: lease({ number: 1 }),
      does: { reply: { ...answer, number: 1, grantedNanos: 200, freeTodayNanos: 800 } },
    },
    {
      title: 'grants nothing ahead that is of no use',
      given: [opened()],
      when: region({ ahead: { wantNanos: 1_000, leastNanos: 14 } }),
      does: { reply: { ...answer, number: 1, grantedNanos: 200, freeTodayNanos: 800, ahead: [] } },
    },
    {
      title: 'takes back what the region states less of, and keeps what it states',
      given: [opened(), region()],
      when: region({
        number: 2,
        holdings: [holding(200, 200), holding(5, 0, false, at(1))],
        wantNanos: 0,
        ahead: undefined,
      }),
      does: { reply: { ...answer, number: 2, grantedNanos: 200, freeTodayNanos: 795 } },
    },
    {
      title: 'leases no window further than an hour ahead, nor any before it is opened',
      given: [],
      when: region(),
      does: { reply: { ...answer, number: 1, grantedNanos: 0, unopened: true, freeTodayNanos: 1_000, ahead: [] } },
    },
  ]);

  it('is charged to the day of each window: tomorrow’s windows leave today’s budget alone', () => {
    const nowMs = slotMs + 23 * HOUR_MS + 45 * 60_000 - (slotMs % (24 * HOUR_MS));
    const context = { id: 'dsp:d', address: 'budget/dsp:d', nowMs, position: '1-0', random: () => 0.5 };
    const handle = (state: BudgetState, step: { readonly type: string; readonly body: unknown }) =>
      budget.handle(state, step as never, context) as { state?: BudgetState; reply?: BudgetLease };
    const begun = handle(budget.initial('dsp:d'), opened({ slotsFromMs: nowMs - HOUR_MS })).state!;
    const { reply } = handle(begun, region({ slotMs: nowMs }) as never);
    const midnightMs = nowMs + 15 * 60_000;
    const granted = (isToday: boolean) =>
      reply!.ahead!.filter((one) => one.slotMs < midnightMs === isToday).map(({ grantedNanos }) => grantedNanos);
    expect(granted(true)).to.deep.equal([13, 13]);
    expect(granted(false)).to.deep.equal(Array.from({ length: 10 }, () => Math.floor(limits.dailyNanos / 60)));
    expect(reply!.freeTodayNanos).to.equal(800 - 26);
  });
});
