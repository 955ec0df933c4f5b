import { publisher } from '#actors/publisher/publisher';
import { publisherNameId } from '#actors/publisher/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const scope = { accountId: 'a1', partnerId: null, sandboxOnly: false };
const idOf = (name: string, sandbox = false) => publisherNameId({ accountId: 'a1', sandbox, name });
const claimOf = (name: string, sandbox = false) => ({
  nameId: idOf(name, sandbox),
  claim: `claim-${name}`,
  heldUntilMs: beginningMs + 600_000,
});
const fields = {
  accountId: 'a1',
  partnerId: null,
  name: 'News',
  domain: 'news.example',
  type: 'web',
  sandbox: false,
  poolId: null,
  floorCpmMicros: 500_000,
  contentGenre: null,
  blockedCategories: [],
  blockedDomains: [],
};
const create = { type: 'create', body: { ...fields, nameClaim: claimOf('News') } };
const createSandbox = { type: 'create', body: { ...fields, sandbox: true, nameClaim: claimOf('News', true) } };
const update = (changes: object, more: object = {}) => ({ type: 'update', body: { scope, changes, ...more } });
const archive = { type: 'archive', body: { scope } };
const giveKey = (id: string) => ({ type: 'set-source-key', body: { scope, id, sealed: `sealed ${id}` } });
const flush = { type: 'flush-sandbox', body: { scope } };
const confirmed = (name: string, sandbox = false) => ({
  to: `name/${idOf(name, sandbox)}`,
  type: 'confirm',
  body: { holder: 'publisher/p1', claim: `claim-${name}` },
});
const released = (name: string, sandbox = false) => ({ ...confirmed(name, sandbox), type: 'release' });

describe('actors/publisher', () => {
  runActorCases(publisher, 'p1', [
    {
      title: 'is created active, and confirms its name',
      when: create,
      does: {
        state: { status: 'active', createdAt: '2026-01-31T12:00:00.000Z', feePpm: 0 },
        sends: [confirmed('News')],
        view: { id: 'p1', status: 'active', floorCpmMicros: 500_000, feePpm: 0 },
      },
    },
    {
      title: 'is created in the sandbox',
      when: createSandbox,
      does: { state: { status: 'sandbox', sandbox: true }, sends: [confirmed('News', true)] },
    },
    { title: 'created again, answers what it is', given: [create], when: create, does: { state: 'same' } },
    {
      title: 'another account cannot create over it',
      given: [create],
      when: { ...create, body: { ...create.body, accountId: 'a2' } },
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is not created under a name that was not claimed for it',
      when: { ...create, body: { ...create.body, nameClaim: claimOf('Other') } },
      does: { rejected: 'NAME_NOT_CLAIMED' },
    },
    {
      title: 'is not created so late that the claim may have lapsed before it is confirmed',
      when: { ...create, atMs: 400_000 },
      does: { rejected: 'NAME_NOT_CLAIMED' },
    },
    {
      title: 'changes only the fields given',
      given: [create],
      when: { ...update({ floorCpmMicros: 1 }), atMs: 5000 },
      does: {
        state: { floorCpmMicros: 1, domain: 'news.example', name: 'News', updatedAt: '2026-01-31T12:00:05.000Z' },
      },
    },
    {
      title: 'renamed, confirms the new name and releases the old one',
      given: [create],
      when: update({ name: 'Sport' }, { nameClaim: claimOf('Sport') }),
      does: { state: { name: 'Sport' }, sends: [released('News'), confirmed('Sport')] },
    },
    {
      title: 'renamed in case alone, keeps its claim',
      given: [create],
      when: update({ name: 'NEWS' }),
      does: { state: { name: 'NEWS' }, sends: [] },
    },
    {
      title: 'is not renamed without a claim',
      given: [create],
      when: update({ name: 'Sport' }),
      does: { rejected: 'NAME_NOT_CLAIMED' },
    },
    {
      title: 'leaves the sandbox when sandbox becomes false, with a name among the live ones',
      given: [createSandbox],
      when: update({ sandbox: false }, { nameClaim: claimOf('News') }),
      does: { state: { status: 'active', sandbox: false }, sends: [released('News', true), confirmed('News')] },
    },
    {
      title: 'leaves its pool',
      given: [create, update({ poolId: 'pool1' })],
      when: update({ poolId: null }),
      does: { state: { poolId: null }, view: { poolId: null } },
    },
    {
      title: 'archived, gives up its name and stays in the catalogue as archived',
      given: [create],
      when: archive,
      does: { state: { status: 'archived' }, sends: [released('News')], view: { status: 'archived' } },
    },
    { title: 'archived again, answers the same', given: [create, archive], when: archive, does: { state: 'same' } },
    {
      title: 'archived, refuses changes',
      given: [create, archive],
      when: update({ floorCpmMicros: 1 }),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'does not exist for another account',
      given: [create],
      when: { type: 'archive', body: { scope: { ...scope, accountId: 'a2' } } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'does not exist for another partner',
      given: [create],
      when: { type: 'archive', body: { scope: { ...scope, partnerId: 'partner1' } } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'does not exist for the sandbox while it is live',
      given: [create],
      when: { type: 'archive', body: { scope: { ...scope, sandboxOnly: true } } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'exists for the sandbox, archived too, when it was a sandbox source',
      given: [createSandbox, archive],
      when: { type: 'archive', body: { scope: { ...scope, sandboxOnly: true } } },
      does: { state: 'same' },
    },
    { title: 'never created, does not exist', when: archive, does: { rejected: 'NOT_FOUND' } },
    {
      title: 'flushed, begins another sandbox generation: nothing else changes, archived or not',
      given: [createSandbox, archive, { ...flush, atMs: 1000 }],
      when: { ...flush, atMs: 2000 },
      does: {
        state: { sandboxGeneration: 2, status: 'archived', revision: 2, updatedAt: '2026-01-31T12:00:00.000Z' },
        view: { sandboxGeneration: 2 },
      },
    },
    {
      title: 'is flushed by nobody else',
      given: [create],
      when: { type: 'flush-sandbox', body: { scope: { ...scope, accountId: 'a2' } } },
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'is given a source key, which is no change of the resource, and the edge knows it by',
      given: [create],
      when: giveKey('k1'),
      does: {
        state: { sourceKey: { id: 'k1', sealed: 'sealed k1', createdAt: '2026-01-31T12:00:00.000Z' }, revision: 1 },
        view: { sourceKeyId: 'k1' },
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
      title: 'shows its fee to the edge',
      given: [create],
      when: { type: 'set-fee', body: { feePpm: 150_000 } },
      does: { state: { feePpm: 150_000 }, view: { feePpm: 150_000 } },
    },
  ]);
});
