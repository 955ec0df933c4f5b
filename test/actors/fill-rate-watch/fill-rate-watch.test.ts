import { fillRateWatch } from '#actors/fill-rate-watch/fill-rate-watch';
import { beginningMs, runActorCases, type Step } from '../actor-cases.ts';

const WINDOW_MS = 3_600_000;
const observed = (rate: number, minute: number, fields: object = {}): Step => {
  const toMs = beginningMs + minute * 60_000;
  return {
    type: 'observed',
    body: {
      accountId: 'a1',
      partnerId: 'r1',
      sandbox: false,
      publisherName: 'News',
      threshold: 0.5,
      imps: 10_000,
      filledImps: Math.round(rate * 10_000),
      fromMs: toMs - WINDOW_MS,
      toMs,
      ...fields,
    },
  };
};
const alert = (fillRate: number, minute: number, position: number, threshold = 0.5) => ({
  to: 'webhook-roll/a1',
  type: 'happened',
  body: {
    partnerId: 'r1',
    sandbox: false,
    type: 'publisher.fill_rate_alert',
    resource: 'publisher/p1',
    eventId: `evt_fill-rate-watch_p1_${beginningMs}-${position}`,
    occurredAtMs: beginningMs,
    data: {
      publisher_id: 'p1',
      publisher_name: 'News',
      fill_rate: fillRate,
      threshold,
      imps: 10_000,
      window_start: new Date(beginningMs + minute * 60_000 - WINDOW_MS).toISOString(),
      window_end: new Date(beginningMs + minute * 60_000).toISOString(),
    },
  },
});

describe('actors/fill-rate-watch', () => {
  runActorCases(fillRateWatch, 'p1', [
    { title: 'says nothing of a rate at the threshold', when: observed(0.5, 0), does: { state: { low: false } } },
    {
      title: 'tells of a rate below it',
      when: observed(0.4999, 0),
      does: { state: { low: true }, sends: [alert(0.4999, 0, 0)] },
    },
    {
      title: 'tells of it once',
      given: [observed(0.4, 0)],
      when: observed(0.3, 5),
      does: { state: { low: true } },
    },
    {
      title: 'does not take a rate just above the threshold for recovered',
      given: [observed(0.4, 0), observed(0.54, 5)],
      when: observed(0.4, 10),
      does: { state: { low: true } },
    },
    {
      title: 'tells of another fall after the rate has come up again',
      given: [observed(0.4, 0), observed(0.55, 5)],
      when: observed(0.45, 10),
      does: { state: { low: true }, sends: [alert(0.45, 10, 2)] },
    },
    {
      title: 'takes a full rate for recovered whatever the threshold',
      given: [observed(0.9, 0, { threshold: 0.95 })],
      when: observed(1, 5, { threshold: 0.95 }),
      does: { state: { low: false } },
    },
    {
      title: 'tells anew when the threshold is another',
      given: [observed(0.4, 0)],
      when: observed(0.4, 5, { threshold: 0.45 }),
      does: { state: { low: true }, sends: [alert(0.4, 5, 1, 0.45)] },
    },
    {
      title: 'tells live what it has told the sandbox before the source moved',
      given: [observed(0.4, 0, { sandbox: true })],
      when: observed(0.4, 5),
      does: { state: { low: true, sandbox: false }, sends: [alert(0.4, 5, 1)] },
    },
    {
      title: 'tells it to each environment once',
      given: [observed(0.4, 0, { sandbox: true }), observed(0.4, 5)],
      when: observed(0.4, 10),
      does: { state: { low: true } },
    },
    {
      title: 'says nothing of little traffic',
      when: observed(0, 0, { imps: 999 }),
      does: { state: 'same' },
    },
    {
      title: 'looks at each window once',
      given: [observed(0.6, 5)],
      when: observed(0.4, 5),
      does: { state: 'same' },
    },
  ]);
});
