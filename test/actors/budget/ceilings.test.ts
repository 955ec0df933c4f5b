import { budget } from '#actors/budget/budget';
import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import { runActorCases, type Step } from '../actor-cases.ts';
import { answer, HOUR_MS, holding, lease, limits, opened, slotMs } from './steps.ts';

/** The limit begins in the window of the cases: 700 of 1,000 are free where one window before holds 300. */
const sinceMs = slotMs + 1_000;
const earlierMs = slotMs - BUDGET_WINDOW_MS;
const anew = { limits: { ...limits, sinceMs } };

interface Stating {
  readonly edge?: string;
  readonly number?: number;
  readonly nanos: number;
  readonly fromMs?: number;
  readonly throughMs?: number;
  readonly slotsFromMs?: number;
}

function stated({ edge = 'gone', number = 1, nanos, fromMs = earlierMs, throughMs = fromMs, ...at }: Stating): Step {
  const { slotsFromMs = slotMs - 2 * HOUR_MS } = at;
  return { type: 'ceiling', body: { edge, number, slotsFromMs, spans: [{ fromMs, throughMs, nanos }] } };
}

const openedAnew = (seed: object = {}) => opened({ sinceMs, slotsFromMs: slotMs - 2 * HOUR_MS, ...seed });
const asked = lease({ number: 1, wantNanos: 0, ...anew });
const free = (freeTodayNanos: number) => ({
  reply: { ...answer, number: 1, grantedNanos: 0, freeTodayNanos },
});

describe('a budget whose holder had no limit', () => {
  runActorCases(budget, 'dsp:d', [
    {
      title: 'counts the ceilings of all edges in the windows before its limit',
      given: [stated({ nanos: 200 }), stated({ edge: 'b', nanos: 100 }), openedAnew()],
      when: asked,
      does: free(700),
    },
    {
      title: 'counts a ceiling in each window that it holds for, up to the one in which the limit began',
      given: [stated({ nanos: 100, throughMs: slotMs + 3 * BUDGET_WINDOW_MS }), openedAnew()],
      when: asked,
      does: free(800),
    },
    {
      title: 'counts no ceiling in a window that is leased, because every edge knows of the limit',
      given: [
        stated({ nanos: 100, throughMs: slotMs + 3 * BUDGET_WINDOW_MS }),
        openedAnew(),
        lease({ number: 1, slotMs: slotMs + BUDGET_WINDOW_MS, ...anew }),
      ],
      when: lease({
        number: 2,
        wantNanos: 0,
        holdings: [holding(200, 0, false, slotMs + BUDGET_WINDOW_MS)],
        ...anew,
      }),
      does: { reply: { ...answer, number: 2, grantedNanos: 0, freeTodayNanos: 600 } },
    },
    {
      title: 'counts a ceiling in the next window where the limit began shortly before it',
      given: [
        stated({ nanos: 300, fromMs: slotMs + BUDGET_WINDOW_MS }),
        opened({ sinceMs: slotMs + BUDGET_WINDOW_MS - 1_000, slotsFromMs: slotMs }),
      ],
      when: lease({ number: 1, wantNanos: 0, limits: { ...limits, sinceMs: slotMs + BUDGET_WINDOW_MS - 1_000 } }),
      does: free(700),
    },
    {
      title: 'counts a statement that comes after it was opened',
      given: [openedAnew(), stated({ nanos: 300 })],
      when: asked,
      does: free(700),
    },
    {
      title: 'counts the newest statement of an edge, whenever an older one comes again',
      given: [
        stated({ nanos: 400 }),
        stated({ number: 2, nanos: 300 }),
        stated({ nanos: 400 }),
        openedAnew(),
        stated({ number: 2, nanos: 900 }),
      ],
      when: asked,
      does: free(700),
    },
    {
      title: 'frees what an edge says at last that it has not sold',
      given: [stated({ nanos: 400 }), openedAnew(), stated({ number: 2, nanos: 0 })],
      when: asked,
      does: free(1_000),
    },
    {
      title:
        'takes what was billed for a part of what ceilings hold, and what older edges have reported for none of it',
      given: [
        stated({ nanos: 200 }),
        openedAnew({ slots: [{ slotMs: earlierMs, spentNanos: 250, unleasedNanos: 100 }] }),
      ],
      when: asked,
      does: free(700),
    },
    {
      title: 'takes what was billed where that is more than ceilings say',
      given: [stated({ nanos: 200 }), openedAnew({ slots: [{ slotMs: earlierMs, spentNanos: 450 }] })],
      when: asked,
      does: free(550),
    },
    {
      title: 'counts leases of an earlier limit beside ceilings',
      given: [
        opened(),
        lease({ number: 1, slotMs: earlierMs + BUDGET_WINDOW_MS }),
        stated({ nanos: 100, fromMs: slotMs }),
        lease({
          number: 2,
          holdings: [holding(200, 150)],
          limits: { ...limits, sinceMs: slotMs + BUDGET_WINDOW_MS, revision: 4 },
        }),
        opened({ sinceMs: slotMs + BUDGET_WINDOW_MS }),
      ],
      when: lease({
        number: 3,
        wantNanos: 0,
        holdings: [holding(200, 150)],
        limits: { ...limits, sinceMs: slotMs + BUDGET_WINDOW_MS, revision: 4 },
      }),
      does: { reply: { ...answer, number: 3, grantedNanos: 200, freeTodayNanos: 700 } },
    },
    {
      title: 'waits for a window with ceilings to be settled, and then counts what was billed',
      given: [
        stated({ nanos: 200 }),
        openedAnew(),
        { type: 'settle', body: { slots: [{ slotMs: earlierMs, spentNanos: 150 }] } },
      ],
      when: asked,
      does: free(850),
    },
    {
      title: 'keeps the ceiling of a window that is not settled, although nothing of it comes any more',
      given: [
        stated({ nanos: 300 }),
        openedAnew(),
        stated({ number: 2, nanos: 0, fromMs: slotMs, slotsFromMs: slotMs }),
        stated({ edge: 'b', nanos: 0, fromMs: slotMs, slotsFromMs: slotMs }),
      ],
      when: asked,
      does: free(700),
    },
    {
      title: 'forgets ceilings of which nothing comes any more, where it has no limit',
      given: [stated({ nanos: 300 })],
      when: stated({ edge: 'b', nanos: 50, fromMs: slotMs, slotsFromMs: slotMs }),
      does: {
        state: {
          oldestSlotMs: null,
          ceilings: [{ edge: 'b', number: 1, spans: [{ fromMs: slotMs, throughMs: slotMs, nanos: 50 }] }],
        },
      },
    },
  ]);
});
