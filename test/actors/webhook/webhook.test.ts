import { webhookNameId } from '../../../actors/webhook/reduce.ts';
import { webhook } from '../../../actors/webhook/webhook.ts';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const scope = { accountId: 'a1', partnerId: null, sandboxOnly: false };
const nameId = webhookNameId({ accountId: 'a1', sandbox: false }, 'abc123');
const nameClaim = { nameId, claim: 'c1', heldUntilMs: beginningMs + 600_000 };
const fields = {
  accountId: 'a1',
  partnerId: null,
  sandbox: false,
  url: 'https://account.example/events',
  events: ['pool.dsp_joined'],
  sealedSecret: 'v1.sealed',
};
const create = { type: 'create', body: { ...fields, nameClaim } };
const update = (body: object = {}) => ({ type: 'update', body: { scope, events: ['publisher.verified'], ...body } });
const remove = (body: object = {}) => ({ type: 'remove', body: { scope, ...body } });
const claimed = { holder: 'webhook/w1', claim: 'c1' };

describe('actors/webhook', () => {
  runActorCases(webhook, 'w1', [
    {
      title: 'is created active, and confirms its URL',
      when: create,
      does: {
        state: { ...fields, status: 'active', revision: 1, borneName: { nameId, claim: 'c1' } },
        sends: [{ to: `name/${nameId}`, type: 'confirm', body: claimed }],
      },
    },
    { title: 'created again, answers what it is', given: [create], when: create, does: { state: 'same' } },
    {
      title: 'created again by another account, is taken',
      given: [create],
      when: { type: 'create', body: { ...create.body, accountId: 'a2' } },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'takes other events',
      given: [create],
      when: update({ expecting: [1] }),
      does: { state: { events: ['publisher.verified'], url: fields.url, revision: 2 } },
    },
    {
      title: 'refuses a change that was meant for another revision',
      given: [create, update()],
      when: update({ expecting: [1] }),
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'removed, is gone, and gives up its URL',
      given: [create],
      when: remove(),
      does: { state: null, sends: [{ to: `name/${nameId}`, type: 'release', body: claimed }] },
    },
    {
      title: 'removed, does not exist',
      given: [create, remove()],
      when: remove(),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'is not removed by whoever saw another revision',
      given: [create, update()],
      when: remove({ expecting: [1] }),
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'does not exist for another account',
      given: [create],
      when: remove({ scope: { ...scope, accountId: 'a2' } }),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'does not exist in the sandbox when it is live',
      given: [create],
      when: update({ scope: { ...scope, sandboxOnly: true } }),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'confirms its URL when asked whether it bears it',
      given: [create],
      when: { type: 'answer-for-claim', body: { nameId, claim: 'c1', heldUntilMs: beginningMs } },
      does: { state: 'same', sends: [{ to: `name/${nameId}`, type: 'confirm', body: claimed }] },
    },
  ]);
});
