import { expect } from 'chai';
import { budget } from '#actors/budget/budget';
import { budgetId, parseBudgetId } from '#actors/budget/budget-id';
import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import { committedSpendAt } from '#actors/budget/state';
import { beginningMs, runActorCases, type Step } from '../actor-cases.ts';
import { answer, HOUR_MS, holding, lease, limits, opened, slot, slotMs } from './steps.ts';

describe('a budget', () => {
  describe('when an edge asks', () => {
    runActorCases(budget, 'dsp:d', [
      {
        title: 'grants what is wanted beyond what is sold',
        given: [opened(), lease({ number: 1 })],
        when: lease({ number: 2, holdings: [holding(200, 120)] }),
        does: {
          reply: { ...answer, number: 2, grantedNanos: 320, freeTodayNanos: 680 },
          state: { slots: [slot({ grants: [{ edge: 'a', nanos: 320 }] })], oldestSlotMs: slotMs },
        },
      },
      {
        title: 'changes nothing for a request that is not newer than the last',
        given: [opened(), lease({ number: 2 })],
        when: lease({ number: 2, wantNanos: 900 }),
        does: { reply: { ...answer, number: 2, grantedNanos: 200, freeTodayNanos: 800 }, state: 'same' },
      },
      {
        title: 'takes back a grant that the edge has not heard of',
        given: [opened(), lease({ number: 1 })],
        when: lease({ number: 2, slotMs: slotMs + BUDGET_WINDOW_MS, wantNanos: 100 }),
        does: { state: { slots: [slot({ slotMs: slotMs + BUDGET_WINDOW_MS, grants: [{ edge: 'a', nanos: 100 }] })] } },
      },
      {
        title: 'keeps what another edge has',
        given: [opened(), lease({ number: 1 })],
        when: lease({ edge: 'b', number: 1 }),
        does: {
          state: {
            slots: [
              slot({
                grants: [
                  { edge: 'a', nanos: 200 },
                  { edge: 'b', nanos: 200 },
                ],
              }),
            ],
          },
        },
      },
      {
        title: 'frees what a closed slot was not sold for, and acknowledges it',
        given: [opened(), lease({ number: 1 })],
        when: lease({ number: 2, holdings: [holding(200, 30, true)], wantNanos: 0 }),
        does: {
          reply: { ...answer, number: 2, grantedNanos: 0, freeTodayNanos: 970, closedSlots: [slotMs] },
          state: { slots: [slot({ closedNanos: 30 })] },
        },
      },
      {
        title: 'counts a closing once that is said again',
        given: [opened(), lease({ number: 1 }), lease({ number: 2, holdings: [holding(200, 30, true)], wantNanos: 0 })],
        when: lease({ number: 3, holdings: [holding(200, 30, true)], wantNanos: 0 }),
        does: {
          reply: { ...answer, number: 3, grantedNanos: 0, freeTodayNanos: 970, closedSlots: [slotMs] },
          state: { slots: [slot({ closedNanos: 30 })] },
        },
      },
      {
        title: 'never lowers a grant, whatever the limit has become',
        given: [opened(), lease({ number: 1 })],
        when: lease({ number: 2, holdings: [holding(200, 20)], limits: { ...limits, dailyNanos: 50, revision: 4 } }),
        does: { reply: { ...answer, number: 2, grantedNanos: 200, freeTodayNanos: 0 } },
      },
      {
        title: 'keeps to the newest limits, whoever says so',
        given: [opened(), lease({ number: 1, limits: { ...limits, dailyNanos: 50, revision: 4 } })],
        when: lease({ edge: 'b', number: 1 }),
        does: { state: { limits: { ...limits, dailyNanos: 50, revision: 4 } } },
      },
      {
        title: 'grants nothing less than is of use',
        given: [opened({ spentNanos: 991, days: [{ day: '2026-01-31', spentNanos: 991 }] })],
        when: lease({ number: 1 }),
        does: { reply: { ...answer, number: 1, grantedNanos: 0, freeTodayNanos: 9 }, state: { slots: [] } },
      },
      {
        title: 'grants the last that is of use',
        given: [opened({ spentNanos: 990, days: [{ day: '2026-01-31', spentNanos: 990 }] })],
        when: lease({ number: 1 }),
        does: { reply: { ...answer, number: 1, grantedNanos: 10, freeTodayNanos: 0 } },
      },
      {
        title: 'grants nothing in a slot that is further away than a slot is long',
        given: [opened()],
        when: lease({ number: 1, slotMs: slotMs + 2 * BUDGET_WINDOW_MS }),
        does: {
          reply: {
            ...answer,
            number: 1,
            slotMs: slotMs + 2 * BUDGET_WINDOW_MS,
            grantedNanos: 0,
            freeTodayNanos: 1_000,
          },
        },
      },
      {
        title: 'grants nothing in what is no beginning of a slot',
        given: [opened()],
        when: lease({ number: 1, slotMs: slotMs + 1 }),
        does: { state: { slots: [] } },
      },
      {
        title: 'keeps to the total as well as to the day',
        given: [opened({ spentNanos: 5_000 })],
        when: lease({ number: 1, limits: { ...limits, totalNanos: 5_100 } }),
        does: { reply: { ...answer, number: 1, grantedNanos: 50, freeTodayNanos: 950, freeTotalNanos: 50 } },
      },
      {
        title: 'grants freely, and keeps nothing, without limits',
        given: [opened()],
        when: lease({
          number: 1,
          holdings: [holding(500, 400)],
          limits: { ...limits, dailyNanos: 0, totalNanos: 0, revision: 4 },
        }),
        does: { reply: { ...answer, number: 1, grantedNanos: 600, freeTodayNanos: null }, state: { slots: [] } },
      },
      {
        title: 'forgets edges that have nothing and were not heard of for an hour',
        given: [opened(), lease({ edge: 'old', number: 1, wantNanos: 0 })],
        when: lease({ number: 1, slotMs: slotMs + HOUR_MS }, HOUR_MS),
        does: { state: { edges: [{ edge: 'a', number: 1, heardAtMs: beginningMs + HOUR_MS }] } },
      },
      {
        title: 'remembers an edge that died for as long as it may have sold something',
        given: [opened(), lease({ edge: 'old', number: 1 })],
        when: lease({ number: 1, slotMs: slotMs + HOUR_MS }, HOUR_MS),
        does: { reply: { ...answer, number: 1, slotMs: slotMs + HOUR_MS, grantedNanos: 200, freeTodayNanos: 600 } },
      },
    ]);
  });

  describe('at midnight', () => {
    const midnightMs = Date.UTC(2026, 1, 1);
    const lastMs = midnightMs - BUDGET_WINDOW_MS;
    const atLast = lastMs - beginningMs;
    const spent = { edge: 'b', number: 1, slotMs: lastMs, wantNanos: 500 };
    runActorCases(budget, 'dsp:d', [
      {
        title: 'charges the day of the slot, not the day on which it is asked',
        given: [opened(), lease(spent, atLast)],
        when: lease({ number: 1, slotMs: midnightMs, wantNanos: 500 }),
        does: { reply: { ...answer, number: 1, slotMs: midnightMs, grantedNanos: 333, freeTodayNanos: 667 } },
      },
      {
        title: 'knows of yesterday what is still to come',
        given: [opened(), lease(spent, atLast)],
        when: lease({ number: 1, slotMs: lastMs, wantNanos: 500 }, atLast + BUDGET_WINDOW_MS),
        does: { reply: { ...answer, number: 1, slotMs: lastMs, grantedNanos: 166, freeTodayNanos: 334 } },
      },
    ]);
  });

  describe('when the ledgers have the last word', () => {
    const settle = (spentNanos: number): Step => ({
      type: 'settle',
      body: { slots: [{ slotMs, spentNanos }] },
      atMs: 3 * HOUR_MS,
    });
    runActorCases(budget, 'dsp:d', [
      {
        title: 'takes their word for what was leased, of an edge that died too',
        given: [opened(), lease({ number: 1 })],
        when: settle(60),
        does: {
          state: {
            slots: [],
            oldestSlotMs: null,
            settledNanos: 60,
            settledDays: [{ day: '2026-01-31', nanos: 60 }],
            settledThroughMs: slotMs,
          },
        },
      },
      {
        title: 'hears it once',
        given: [opened(), lease({ number: 1 }), settle(60)],
        when: settle(60),
        does: { state: { settledNanos: 60, settledDays: [{ day: '2026-01-31', nanos: 60 }] } },
      },
      {
        title: 'counts what was sold in a slot that it has not heard of, unless the opening had it',
        given: [opened(), lease({ number: 1 })],
        when: {
          type: 'settle',
          body: {
            slots: [
              { slotMs: slotMs - HOUR_MS - BUDGET_WINDOW_MS, spentNanos: 1_000 },
              { slotMs: slotMs - BUDGET_WINDOW_MS, spentNanos: 7 },
              { slotMs, spentNanos: 60 },
            ],
          },
          atMs: 3 * HOUR_MS,
        },
        does: { state: { slots: [], settledNanos: 67, settledThroughMs: slotMs } },
      },
      {
        title: 'lets an edge that speaks of it afterwards forget it',
        given: [opened(), lease({ number: 1 }), settle(60)],
        when: lease({ number: 2, slotMs: slotMs + 3 * HOUR_MS, holdings: [holding(200, 60)] }),
        does: {
          reply: {
            ...answer,
            number: 2,
            slotMs: slotMs + 3 * HOUR_MS,
            grantedNanos: 200,
            freeTodayNanos: 740,
            closedSlots: [slotMs],
          },
          state: { slots: [slot({ slotMs: slotMs + 3 * HOUR_MS, grants: [{ edge: 'a', nanos: 200 }] })] },
        },
      },
      {
        title: "keeps yesterday's sum: its last slot may be asked for yet",
        given: [opened(), lease({ number: 1 })],
        when: { ...settle(60), atMs: 13 * HOUR_MS },
        does: { state: { settledNanos: 60, settledDays: [{ day: '2026-01-31', nanos: 60 }] } },
      },
      {
        title: 'adds days before yesterday to the sum of all time alone',
        given: [opened(), lease({ number: 1 })],
        when: { ...settle(60), atMs: 48 * HOUR_MS },
        does: { state: { settledNanos: 60, settledDays: [] } },
      },
    ]);
  });

  it('says what it has come to', () => {
    const state = {
      ...budget.initial('dsp:d'),
      limits,
      openedSinceMs: limits.sinceMs,
      settledNanos: 700,
      settledDays: [{ day: '2026-01-31', nanos: 300 }],
      slots: [
        slot({ slotMs: slotMs - 24 * HOUR_MS, closedNanos: 7 }),
        slot({ closedNanos: 20, grants: [{ edge: 'a', nanos: 30 }], seededNanos: 1 }),
      ],
    };
    expect(committedSpendAt(state, beginningMs)).to.deep.equal({
      spentTodayNanos: 300,
      openTodayNanos: 51,
      spentTotalNanos: 700,
      openTotalNanos: 58,
    });
  });

  it('has an id that names its holder and its environment', () => {
    const holders = [
      { scope: 'dsp', id: 'a:b/c', sandbox: false },
      { scope: 'campaign', id: 'x', sandbox: true, sandboxGeneration: 0 },
      { scope: 'campaign', id: 'x.1', sandbox: true, sandboxGeneration: 7 },
    ] as const;
    for (const holder of holders) expect(parseBudgetId(budgetId(holder))).to.deep.equal(holder);
    expect(new Set(holders.map(budgetId)).size).to.equal(holders.length);
  });
});
