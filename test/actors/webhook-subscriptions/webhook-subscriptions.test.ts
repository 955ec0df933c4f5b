import { webhookSubscriptions } from '#actors/webhook-subscriptions/webhook-subscriptions';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const enrol = (webhookId: string, fields: object = {}) => ({
  type: 'enrol',
  body: { webhookId, partnerId: null, sandbox: false, events: ['pool.dsp_joined'], ...fields },
});
const happening = {
  eventId: 'evt_dsp_d1_7-0',
  type: 'pool.dsp_joined',
  occurredAtMs: beginningMs,
  resource: 'pool/p1',
  data: { pool_id: 'p1', dsp_id: 'd1', dsp_name: 'Bidder', dsp_mode: 'rtb' },
};
const happened = (fields: object = {}) => ({
  type: 'happened',
  body: { ...happening, partnerId: null, sandbox: false, ...fields },
});
const enqueuedFor = (...ids: readonly string[]) =>
  ids.map((id) => ({ to: `webhook-lane/${id}`, type: 'enqueue', body: { ...happening, accountId: 'a1' } }));

describe('actors/webhook-subscriptions', () => {
  runActorCases(webhookSubscriptions, 'a1', [
    {
      title: 'hands an event to each webhook that wants it',
      given: [enrol('w1'), enrol('w2', { events: ['publisher.verified'] }), enrol('w3')],
      when: happened(),
      does: { state: 'same', sends: enqueuedFor('w1', 'w3') },
    },
    {
      title: 'keeps the sandbox apart',
      given: [enrol('w1'), enrol('w2', { sandbox: true })],
      when: happened({ sandbox: true }),
      does: { sends: enqueuedFor('w2') },
    },
    {
      title: "tells a partner's webhook of that partner's sources alone, and the account's of all",
      given: [enrol('w1'), enrol('w2', { partnerId: 'r1' }), enrol('w3', { partnerId: 'r2' })],
      when: happened({ partnerId: 'r1' }),
      does: { sends: enqueuedFor('w1', 'w2') },
    },
    {
      title: "tells no partner of what is no partner's",
      given: [enrol('w2', { partnerId: 'r1' })],
      when: happened(),
      does: { sends: [] },
    },
    {
      title: 'hands nothing to a webhook that was struck off',
      given: [enrol('w1'), { type: 'strike', body: { webhookId: 'w1' } }],
      when: happened(),
      does: { sends: [] },
    },
    {
      title: 'goes by what a webhook said last',
      given: [enrol('w1'), enrol('w1', { events: ['publisher.verified'] })],
      when: happened(),
      does: { sends: [] },
    },
  ]);
});
