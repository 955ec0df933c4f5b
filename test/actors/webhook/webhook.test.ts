import { webhookNameId } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
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
const enrols = (events: readonly string[] = fields.events) => ({
  to: 'webhook-roll/a1',
  type: 'enrol',
  body: { webhookId: 'w1', partnerId: null, sandbox: false, events },
});
const strikes = { to: 'webhook-roll/a1', type: 'strike', body: { webhookId: 'w1' } };
const disable = { type: 'disable', body: { reason: 'Nothing was acknowledged.' } };

describe('actors/webhook', () => {
  runActorCases(webhook, 'w1', [
    {
      title: 'is created active, confirms its URL, and is told to the roll',
      when: create,
      does: {
        state: { ...fields, status: 'active', revision: 1, borneName: { nameId, claim: 'c1' } },
        sends: [{ to: `name/${nameId}`, type: 'confirm', body: claimed }, enrols()],
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
      does: {
        state: { events: ['publisher.verified'], url: fields.url, revision: 2 },
        sends: [enrols(['publisher.verified'])],
      },
    },
    {
      title: 'disabled, says since when and why, and is struck off the roll',
      given: [create],
      when: disable,
      does: {
        state: {
          status: 'disabled',
          disabledAt: new Date(beginningMs).toISOString(),
          disabledReason: 'Nothing was acknowledged.',
          revision: 2,
        },
        sends: [strikes],
      },
    },
    { title: 'is disabled once', given: [create, disable], when: disable, does: { state: 'same' } },
    {
      title: 'stays disabled when it takes other events',
      given: [create, disable],
      when: update(),
      does: { state: { status: 'disabled', events: ['publisher.verified'] }, sends: [strikes] },
    },
    {
      title: 'is active again when it is asked to be',
      given: [create, disable],
      when: { type: 'update', body: { scope, activate: true } },
      does: { state: { status: 'active', disabledAt: null, disabledReason: null }, sends: [enrols()] },
    },
    {
      title: 'signs with the former secret too for as long as it was said',
      given: [create],
      when: { type: 'rotate', body: { scope, sealedSecret: 'v1.other', keepFormerMs: 1000 } },
      does: {
        state: {
          sealedSecret: 'v1.other',
          formerSecret: { sealedSecret: 'v1.sealed', untilMs: beginningMs + 1000 },
          revision: 2,
        },
      },
    },
    {
      title: 'tells the roll when it is asked to',
      given: [create],
      when: { type: 'enrol', body: {} },
      does: { state: 'same', sends: [enrols()] },
    },
    {
      title: 'refuses a change that was meant for another revision',
      given: [create, update()],
      when: update({ expecting: [1] }),
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'removed, is gone, and gives up its URL and what is open',
      given: [create],
      when: remove(),
      does: {
        state: null,
        sends: [
          { to: `name/${nameId}`, type: 'release', body: claimed },
          strikes,
          { to: 'webhook-lane/w1', type: 'abandon', body: { reason: 'the webhook was deleted' } },
        ],
      },
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
