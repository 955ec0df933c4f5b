import { dsp } from '#actors/dsp/dsp';
import { dspNameId } from '#actors/dsp/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const scope = { accountId: 'a1', partnerId: null, sandboxOnly: false };
const idOf = (name: string, sandbox = false) => dspNameId({ accountId: 'a1', sandbox, name });
const claimOf = (name: string) => ({ nameId: idOf(name), claim: name, heldUntilMs: beginningMs + 600_000 });
const fields = {
  accountId: 'a1',
  partnerId: null,
  name: 'Bidder',
  mode: 'rtb',
  endpointUrl: 'https://bidder.example/bid',
  sandbox: false,
  dailyBudgetCents: 0,
  timeoutMs: 150,
  openrtbVersion: '2.6',
  qpsLimit: 10_000,
};
const create = { type: 'create', body: { ...fields, nameClaim: claimOf('Bidder') } };
const createSandbox = {
  type: 'create',
  body: { ...fields, sandbox: true, nameClaim: { ...claimOf('Bidder'), nameId: idOf('Bidder', true) } },
};
const createDelegate = { type: 'create', body: { ...create.body, mode: 'delegate', endpointUrl: null } };
const update = (changes: object) => ({ type: 'update', body: { scope, changes } });
const subscribe = (poolId: string) => ({ type: 'subscribe', body: { scope, poolId } });
const unsubscribe = (poolId: string) => ({ type: 'unsubscribe', body: { scope, poolId } });
const resetBreaker = { type: 'reset-breaker', body: { scope } };
const archive = { type: 'archive', body: { scope } };
const giveKey = (id: string) => ({ type: 'set-source-key', body: { scope, id, sealed: `sealed ${id}` } });
const flush = { type: 'flush-sandbox', body: { scope } };
const confirmed = { to: `name/${idOf('Bidder')}`, type: 'confirm', body: { holder: 'dsp/d1', claim: 'Bidder' } };

describe('actors/dsp', () => {
  runActorCases(dsp, 'd1', [
    {
      title: 'is created active, and confirms its name',
      when: create,
      does: { state: { status: 'active' }, sends: [confirmed], view: { id: 'd1', endpointUrl: fields.endpointUrl } },
    },
    { title: 'created again, answers what it is', given: [create], when: create, does: { state: 'same' } },
    {
      title: 'of mode rtb needs an endpoint',
      when: { type: 'create', body: { ...create.body, endpointUrl: null } },
      does: { rejected: 'INVALID_PARAMS' },
    },
    {
      title: 'of mode delegate has none',
      when: { type: 'create', body: { ...create.body, mode: 'delegate' } },
      does: { rejected: 'VALIDATION_ERROR' },
    },
    {
      title: 'becoming a delegate, loses its endpoint',
      given: [create],
      when: update({ mode: 'delegate' }),
      does: { state: { mode: 'delegate', endpointUrl: null } },
    },
    {
      title: 'becoming a bidder, needs an endpoint in the same change',
      given: [createDelegate],
      when: update({ mode: 'rtb' }),
      does: { rejected: 'INVALID_PARAMS' },
    },
    {
      title: 'becomes a bidder with one',
      given: [createDelegate],
      when: update({ mode: 'rtb', endpointUrl: 'https://b.example/' }),
      does: { state: { mode: 'rtb', endpointUrl: 'https://b.example/' } },
    },
    {
      title: 'has the fee that was set, once archived too',
      given: [create, archive],
      when: { type: 'set-fee', body: { feePpm: 50_000 } },
      does: { state: { feePpm: 50_000, status: 'archived', revision: 3 } },
    },
    {
      title: 'takes a fee for the revision that was expected',
      given: [create],
      when: { type: 'set-fee', body: { feePpm: 50_000, expecting: [2] } },
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'has no fee while there is none',
      when: { type: 'set-fee', body: { feePpm: 50_000 } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'subscribes to a pool, and webhooks are told',
      given: [create, subscribe('l1')],
      when: subscribe('l2'),
      does: {
        state: { poolIds: ['l1', 'l2'] },
        view: { poolIds: ['l1', 'l2'] },
        sends: [
          {
            to: 'webhook-roll/a1',
            type: 'happened',
            body: {
              eventId: `evt_dsp_d1_${beginningMs}-2`,
              type: 'pool.dsp_joined',
              occurredAtMs: beginningMs,
              partnerId: null,
              sandbox: false,
              resource: 'pool/l2',
              data: { pool_id: 'l2', dsp_id: 'd1', dsp_name: 'Bidder', dsp_mode: 'rtb' },
            },
          },
        ],
      },
    },
    {
      title: 'subscribing twice changes nothing',
      given: [create, subscribe('l1')],
      when: subscribe('l1'),
      does: { state: 'same' },
    },
    {
      title: 'unsubscribes',
      given: [create, subscribe('l1'), subscribe('l2')],
      when: unsubscribe('l1'),
      does: { state: { poolIds: ['l2'] } },
    },
    { title: 'unsubscribing twice changes nothing', given: [create], when: unsubscribe('l1'), does: { state: 'same' } },
    {
      title: 'counts the resets of its breaker, which are no revisions',
      given: [create, resetBreaker],
      when: resetBreaker,
      does: { state: { breakerResets: 2, revision: 1 }, view: { breakerResets: 2 } },
    },
    {
      title: 'archived, has no breaker to reset',
      given: [create, archive],
      when: resetBreaker,
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'flushed, begins another sandbox generation and keeps its breaker and health, which live traffic made',
      given: [create],
      when: flush,
      does: {
        state: { sandboxGeneration: 1, breakerResets: 0, healthResets: 0, revision: 1 },
        view: { sandboxGeneration: 1 },
      },
    },
    {
      title: 'flushed in the sandbox, has its breaker and its health reset too',
      given: [createSandbox],
      when: flush,
      does: {
        state: { sandboxGeneration: 1 },
        view: { sandboxGeneration: 1, breakerResets: 1, healthResets: 1 },
      },
    },
    {
      title: 'flushed once archived as well',
      given: [create, archive],
      when: flush,
      does: { state: { sandboxGeneration: 1, status: 'archived' } },
    },
    {
      title: 'shows edges how often it may be called',
      given: [create],
      when: update({ qpsLimit: 50 }),
      does: { state: { qpsLimit: 50 }, view: { qpsLimit: 50 } },
    },
    {
      title: 'shows edges how its users are matched',
      given: [create],
      when: update({ userSyncUrl: 'https://sync.example/', userSyncType: 'iframe', tcfVendorId: 42 }),
      does: { view: { userSyncUrl: 'https://sync.example/', userSyncType: 'iframe', tcfVendorId: 42 } },
    },
    {
      title: 'is given a source key, which is no change of the resource',
      given: [create],
      when: giveKey('k1'),
      does: {
        state: { sourceKey: { id: 'k1', sealed: 'sealed k1', createdAt: '2026-01-31T12:00:00.000Z' }, revision: 1 },
      },
    },
    {
      title: 'has one source key: the last',
      given: [create, giveKey('k1')],
      when: { ...giveKey('k2'), atMs: 1000 },
      does: { state: { sourceKey: { id: 'k2', sealed: 'sealed k2', createdAt: '2026-01-31T12:00:01.000Z' } } },
    },
    {
      title: 'archived, is given a source key for its statements',
      given: [create, archive],
      when: giveKey('k1'),
      does: {
        state: {
          status: 'archived',
          sourceKey: { id: 'k1', sealed: 'sealed k1', createdAt: '2026-01-31T12:00:00.000Z' },
        },
      },
    },
    {
      title: 'is given a source key by nobody else',
      given: [create],
      when: { type: 'set-source-key', body: { scope: { ...scope, accountId: 'a2' }, id: 'k1', sealed: 'sealed k1' } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'archived, gives up its name',
      given: [create],
      when: archive,
      does: { state: { status: 'archived' }, sends: [{ ...confirmed, type: 'release' }], view: { status: 'archived' } },
    },
    {
      title: 'archived, refuses changes',
      given: [create, archive],
      when: update({ timeoutMs: 1 }),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'archived, refuses subscriptions',
      given: [create, archive],
      when: subscribe('l1'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'does not exist for another account',
      given: [create],
      when: { type: 'subscribe', body: { scope: { ...scope, accountId: 'a2' }, poolId: 'l1' } },
      does: { rejected: 'NOT_FOUND' },
    },
    { title: 'never created, does not exist', when: archive, does: { rejected: 'NOT_FOUND' } },
  ]);
});
