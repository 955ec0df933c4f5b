import { budget } from '#actors/budget/budget';
import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import { runActorCases } from '../actor-cases.ts';
import { answer, HOUR_MS, holding, lease, limits, opened, slot, slotMs } from './steps.ts';

describe('a budget', () => {
  describe('with a limit that was set after sales without one', () => {
    const earlierMs = slotMs - 2 * HOUR_MS;
    const named = [
      { slotMs: earlierMs, spentNanos: 0, unleasedNanos: 0 },
      { slotMs: earlierMs + BUDGET_WINDOW_MS, spentNanos: 20, unleasedNanos: 70 },
    ];
    runActorCases(budget, 'dsp:d', [
      {
        title: 'takes what was sold for what may be spent, and waits for all slots that were named',
        given: [lease({ number: 1 })],
        when: opened({ slotsFromMs: earlierMs, slots: named }),
        does: {
          state: {
            oldestSlotMs: earlierMs,
            slots: [
              slot({ slotMs: earlierMs }),
              slot({
                slotMs: earlierMs + BUDGET_WINDOW_MS,
                seededNanos: 70,
                seed: { spentNanos: 20, soldNanos: 70, besideNanos: 0 },
              }),
            ],
          },
        },
      },
      {
        title: 'charges what comes of a slot of which nobody had said anything',
        given: [lease({ number: 1 }), opened({ slotsFromMs: earlierMs, slots: named })],
        when: { type: 'settle', body: { slots: named.map((each) => ({ slotMs: each.slotMs, spentNanos: 33 })) } },
        does: { state: { slots: [], oldestSlotMs: null, settledNanos: 66 } },
      },
    ]);
  });

  describe('before it is opened', () => {
    runActorCases(budget, 'dsp:d', [
      {
        title: 'grants nothing, and says why',
        when: lease({ number: 1 }),
        does: {
          reply: { ...answer, number: 1, grantedNanos: 0, unopened: true, freeTodayNanos: 1_000 },
          state: { slots: [], oldestSlotMs: null, limits },
        },
      },
      {
        title: 'takes what was spent before',
        when: opened({
          spentNanos: 5_000,
          days: [
            { day: '2026-01-29', spentNanos: 4_000 },
            { day: '2026-01-31', spentNanos: 300 },
          ],
          slots: [{ slotMs: slotMs - BUDGET_WINDOW_MS, spentNanos: 100 }],
        }),
        does: {
          state: {
            openedSinceMs: limits.sinceMs,
            settledNanos: 5_000,
            settledDays: [{ day: '2026-01-31', nanos: 300 }],
            settledThroughMs: slotMs - HOUR_MS - BUDGET_WINDOW_MS,
            slots: [
              slot({
                slotMs: slotMs - BUDGET_WINDOW_MS,
                seededNanos: 100,
                seed: { spentNanos: 100, soldNanos: 0, besideNanos: 0 },
              }),
            ],
            oldestSlotMs: slotMs - BUDGET_WINDOW_MS,
          },
        },
      },
      {
        title: 'leaves that out of what is free',
        given: [
          opened({
            spentNanos: 300,
            days: [{ day: '2026-01-31', spentNanos: 300 }],
            slots: [{ slotMs, spentNanos: 100 }],
          }),
        ],
        when: lease({ number: 1 }),
        does: { reply: { ...answer, number: 1, grantedNanos: 200, freeTodayNanos: 400 } },
      },
      {
        title: 'is opened once for each beginning of limits',
        given: [opened({ spentNanos: 300 })],
        when: opened({ spentNanos: 0 }),
        does: { state: 'same' },
      },
      {
        title: 'is not opened for limits that have been replaced',
        given: [lease({ number: 1 })],
        when: opened({ sinceMs: limits.sinceMs - 1 }),
        does: { state: 'same' },
      },
      {
        title: 'is not opened by what was read before a slot was settled',
        given: [
          opened(),
          lease({ number: 1 }),
          { type: 'settle', body: { slots: [{ slotMs, spentNanos: 60 }] }, atMs: 3 * HOUR_MS },
        ],
        when: opened({ sinceMs: limits.sinceMs + HOUR_MS, slots: [{ slotMs, spentNanos: 50 }] }),
        does: { state: 'same' },
      },
      {
        title: 'must be opened again when limits begin anew',
        given: [opened(), lease({ number: 1 })],
        when: lease({
          number: 2,
          holdings: [holding(200, 50)],
          limits: { ...limits, sinceMs: limits.sinceMs + HOUR_MS, revision: 4 },
        }),
        does: { reply: { ...answer, number: 2, grantedNanos: 200, unopened: true, freeTodayNanos: 800 } },
      },
      {
        title: 'counts what leases and ledgers both know of a slot from before the limits once',
        given: [
          opened(),
          lease({ number: 1 }),
          lease({ number: 2, holdings: [holding(200, 150, true)] }),
          lease(
            { number: 3, limits: { ...limits, sinceMs: slotMs + BUDGET_WINDOW_MS, revision: 4 } },
            BUDGET_WINDOW_MS,
          ),
          opened({ sinceMs: slotMs + BUDGET_WINDOW_MS, slots: [{ slotMs, spentNanos: 120 }] }),
        ],
        when: lease({
          number: 4,
          slotMs: slotMs + BUDGET_WINDOW_MS,
          limits: { ...limits, sinceMs: slotMs + BUDGET_WINDOW_MS, revision: 4 },
        }),
        does: {
          reply: { ...answer, number: 4, slotMs: slotMs + BUDGET_WINDOW_MS, grantedNanos: 200, freeTodayNanos: 650 },
        },
      },
    ]);
  });
});
