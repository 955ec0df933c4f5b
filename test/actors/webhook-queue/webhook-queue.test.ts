import { expect } from 'chai';
import { DISABLED_AFTER_MS, MAX_OPEN_DELIVERIES, type WebhookQueueState } from '#actors/webhook-queue/reduce';
import { MAX_DELIVERY_ATTEMPTS, retryDelayMs } from '#actors/webhook-queue/retry-schedule';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import type { Effects } from '#runtime/actor/define-actor';
import { beginningMs, runActorCases, type Step } from '../actor-cases.ts';

const happening = (eventId: string, resource = 'pool/p1') => ({
  eventId: `evt_${eventId}`,
  type: 'webhook.test' as const,
  occurredAtMs: beginningMs,
  resource,
  data: { webhook_id: 'w1' },
});
const enqueue = (eventId: string, resource?: string): Step => ({
  type: 'enqueue',
  body: { ...happening(eventId, resource), accountId: 'a1' },
});
const attempt = (atMs: number, httpStatus: number | null) => ({
  atMs: beginningMs + atMs,
  latencyMs: 5,
  httpStatus,
  error: httpStatus === 200 ? null : 'answered otherwise',
});
const attempted = (eventId: string, number: number, atMs: number, httpStatus: number | null, round = 1): Step => ({
  type: 'attempted',
  body: { eventId: `evt_${eventId}`, round, number, attempt: attempt(atMs, httpStatus) },
  atMs: Math.min(atMs, 60_000),
});
const open = (eventId: string, fields: object = {}) => ({
  ...happening(eventId),
  round: 1,
  attempts: 0,
  dueAtMs: beginningMs,
  ...fields,
});
const toRecord = (eventId: string, type: string, body: object) => ({
  to: `webhook-delivery/w1:evt_${eventId}`,
  type,
  body,
});
/** All six, the waits without jitter (`random` is one half in these cases). */
const failures = (eventId: string, beginMs = 0) =>
  [0, 1, 3, 7, 15, 31].map((s, index) => attempted(eventId, index + 1, beginMs + s * 1000, 500));

describe('actors/webhook-queue', () => {
  runActorCases(webhookQueue, 'w1', [
    {
      title: 'opens a delivery, due at once, and a record of it',
      when: enqueue('a'),
      does: {
        state: { accountId: 'a1', open: [open('a')], dueAtMs: beginningMs },
        sends: [toRecord('a', 'open', { round: 1, ...happening('a'), accountId: 'a1', webhookId: 'w1' })],
      },
    },
    { title: 'opens one event once', given: [enqueue('a')], when: enqueue('a'), does: { state: 'same' } },
    {
      title: 'closes what was acknowledged',
      given: [enqueue('a')],
      when: attempted('a', 1, 20, 200),
      does: {
        state: { open: [], dueAtMs: null, failingSinceMs: null },
        sends: [
          toRecord('a', 'attempted', {
            round: 1,
            attempt: attempt(20, 200),
            outcome: 'delivered',
            nextAttemptAtMs: null,
          }),
        ],
      },
    },
    {
      title: 'tries again a second after the end of the first attempt',
      given: [enqueue('a')],
      when: attempted('a', 1, 20, 500),
      does: {
        state: {
          open: [open('a', { attempts: 1, dueAtMs: beginningMs + 1020 })],
          dueAtMs: beginningMs + 1020,
          failingSinceMs: beginningMs + 20,
        },
        sends: [
          toRecord('a', 'attempted', {
            round: 1,
            attempt: attempt(20, 500),
            outcome: 'pending',
            nextAttemptAtMs: beginningMs + 1020,
          }),
        ],
      },
    },
    {
      title: 'counts an attempt that is told again once',
      given: [enqueue('a'), attempted('a', 1, 20, 500)],
      when: attempted('a', 1, 20, 500),
      does: { state: 'same' },
    },
    {
      title: 'gives up after the sixth attempt',
      given: [enqueue('a'), ...failures('a').slice(0, -1)],
      when: failures('a').at(-1)!,
      does: {
        state: { open: [], dueAtMs: null, failingSinceMs: beginningMs },
        sends: [
          toRecord('a', 'attempted', {
            round: 1,
            attempt: attempt(31_000, 500),
            outcome: 'dead',
            nextAttemptAtMs: null,
          }),
        ],
      },
    },
    {
      title: 'lets no later event about a resource overtake an earlier one that is being tried',
      given: [enqueue('a'), attempted('a', 1, 20, 500)],
      when: { ...enqueue('b'), atMs: 30 },
      does: {
        state: {
          open: [
            open('a', { attempts: 1, dueAtMs: beginningMs + 1020 }),
            open('b', { round: 2, dueAtMs: beginningMs + 30 }),
          ],
          dueAtMs: beginningMs + 1020,
        },
        sends: [toRecord('b', 'open', { round: 2, ...happening('b'), accountId: 'a1', webhookId: 'w1' })],
      },
    },
    {
      title: 'does not let one resource wait for another',
      given: [enqueue('a'), attempted('a', 1, 20, 500)],
      when: { ...enqueue('b', 'pool/p2'), atMs: 30 },
      does: {
        state: { dueAtMs: beginningMs + 30 },
        sends: [toRecord('b', 'open', { round: 2, ...happening('b', 'pool/p2'), accountId: 'a1', webhookId: 'w1' })],
      },
    },
    {
      title: 'goes on with the next once the one before is given up',
      given: [enqueue('a'), enqueue('b'), ...failures('a').slice(0, -1)],
      when: failures('a').at(-1)!,
      does: {
        state: { open: [open('b', { round: 2 })], dueAtMs: beginningMs },
        sends: [
          toRecord('a', 'attempted', {
            round: 1,
            attempt: attempt(31_000, 500),
            outcome: 'dead',
            nextAttemptAtMs: null,
          }),
        ],
      },
    },
    {
      title: 'takes a replay for a round of its own, which an attempt of the one before is not of',
      given: [enqueue('a'), attempted('a', 1, 20, 200), enqueue('a')],
      when: attempted('a', 1, 25, 200, 1),
      does: { state: 'same' },
    },
    {
      title: 'gives up all that is open with the webhook',
      given: [enqueue('a'), enqueue('b')],
      when: { type: 'abandon', body: { reason: 'the webhook was deleted' } },
      does: {
        state: { open: [], dueAtMs: null },
        sends: [
          toRecord('a', 'give-up', { round: 1, reason: 'the webhook was deleted', atMs: beginningMs }),
          toRecord('b', 'give-up', { round: 2, reason: 'the webhook was deleted', atMs: beginningMs }),
        ],
      },
    },
    {
      title: 'is not disabled by failures that began less than a day ago',
      given: [
        enqueue('a'),
        ...failures('a'),
        enqueue('b'),
        ...failures('b', DISABLED_AFTER_MS - 31_001)
          .slice(0, -1)
          .map((step) => ofRound(step, 2)),
      ],
      when: ofRound(failures('b', DISABLED_AFTER_MS - 31_001).at(-1)!, 2),
      does: {
        state: { open: [], failingSinceMs: beginningMs },
        sends: [
          toRecord('b', 'attempted', {
            round: 2,
            attempt: attempt(DISABLED_AFTER_MS - 1, 500),
            outcome: 'dead',
            nextAttemptAtMs: null,
          }),
        ],
      },
    },
    {
      title: 'is disabled by an event that is given up after a day without an acknowledgement, and gives up the rest',
      given: [
        enqueue('a'),
        ...failures('a'),
        enqueue('b'),
        enqueue('c'),
        ...failures('b', DISABLED_AFTER_MS)
          .slice(0, -1)
          .map((step) => ofRound(step, 2)),
      ],
      when: ofRound(failures('b', DISABLED_AFTER_MS).at(-1)!, 2),
      does: {
        state: { open: [], dueAtMs: null, failingSinceMs: null },
        sends: [
          toRecord('b', 'attempted', {
            round: 2,
            attempt: attempt(DISABLED_AFTER_MS + 31_000, 500),
            outcome: 'dead',
            nextAttemptAtMs: null,
          }),
          toRecord('c', 'give-up', {
            round: 3,
            reason: 'the webhook was disabled',
            atMs: beginningMs + DISABLED_AFTER_MS + 31_000,
          }),
          {
            to: 'webhook/w1',
            type: 'disable',
            body: {
              reason: `Nothing was acknowledged since ${new Date(beginningMs).toISOString()}; the last attempt: answered otherwise`,
            },
          },
        ],
      },
    },
    {
      title: 'is not disabled when anything was acknowledged within the day',
      given: [
        enqueue('a'),
        ...failures('a'),
        enqueue('b'),
        ofRound(attempted('b', 1, 40_000_000, 200), 2),
        enqueue('c'),
        ...failures('c', DISABLED_AFTER_MS)
          .slice(0, -1)
          .map((step) => ofRound(step, 3)),
      ],
      when: ofRound(failures('c', DISABLED_AFTER_MS).at(-1)!, 3),
      does: {
        state: { failingSinceMs: beginningMs + DISABLED_AFTER_MS },
        sends: [
          toRecord('c', 'attempted', {
            round: 3,
            attempt: attempt(DISABLED_AFTER_MS + 31_000, 500),
            outcome: 'dead',
            nextAttemptAtMs: null,
          }),
        ],
      },
    },
  ]);

  it('holds so many open, and gives up at once what comes on top', () => {
    const context = { id: 'w1', address: 'webhook-lane/w1', nowMs: beginningMs, position: '1-0', random: () => 0.5 };
    const handle = (state: WebhookQueueState, eventId: string) =>
      webhookQueue.handle(state, enqueue(eventId) as never, context) as Effects<WebhookQueueState>;
    let state = webhookQueue.initial('w1');
    for (let number = 0; number < MAX_OPEN_DELIVERIES; number += 1) state = handle(state, String(number)).state!;
    const { state: after, sends } = handle(state, 'more');
    expect(after?.open).to.have.length(MAX_OPEN_DELIVERIES);
    expect(sends?.map(({ type }) => type)).to.deep.equal(['open', 'give-up']);
  });

  it('waits 1, 2, 4, 8, 16 s, each up to a fifth more or less, and then no more', () => {
    for (const random of [0, 0.25, 0.5, 0.999]) {
      const waits = Array.from({ length: MAX_DELIVERY_ATTEMPTS }, (_, index) => retryDelayMs(index + 1, random));
      expect(waits).to.deep.equal(
        [1000, 2000, 4000, 8000, 16_000].map((wait) => Math.round(wait * (0.8 + 0.4 * random))).concat(null as never),
      );
    }
  });
});

function ofRound(step: Step, round: number): Step {
  return { ...step, body: { ...(step.body as object), round } };
}
