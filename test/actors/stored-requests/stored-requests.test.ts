import { LONGEST_STORED, MOST_STORED, MOST_STORED_CHARACTERS } from '#actors/stored-requests/reduce';
import { storedRequests } from '#actors/stored-requests/stored-requests';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const scope = { accountId: 'acct', partnerId: null, sandboxOnly: false };
const owner = { accountId: 'acct', partnerId: null, sandbox: false };
const put = (kind: 'request' | 'imp', name: string, document: object, more: object = {}) => ({
  type: 'put',
  body: { scope, owner, kind, name, document, ...more },
});
const remove = (kind: 'request' | 'imp', name: string, more: object = {}) => ({
  type: 'remove',
  body: { scope, kind, name, ...more },
});
const updatedAt = new Date(beginningMs).toISOString();
const full = Array.from({ length: MOST_STORED }, (_, at) => put('imp', `imp-${at}`, {}));
const long = { text: 'x'.repeat(LONGEST_STORED - 11) };
const heavy = Array.from({ length: Math.floor(MOST_STORED_CHARACTERS / LONGEST_STORED) - 1 }, (_, at) =>
  put('imp', `imp-${at}`, long),
);

describe('actors/stored-requests', () => {
  runActorCases(storedRequests, 'source-1', [
    {
      title: 'hold what a publisher stores, which edges see by kind and name',
      given: [put('request', 'home', { tmax: 1 })],
      when: put('imp', 'home', { instl: 1 }),
      does: {
        reply: { stored: { kind: 'imp', name: 'home', document: { instl: 1 }, updatedAt }, created: true },
        view: { requests: { home: { tmax: 1 } }, imps: { home: { instl: 1 } } },
      },
    },
    {
      title: 'put a document in the place of the former one',
      given: [put('imp', 'top', { instl: 1 })],
      when: put('imp', 'top', { instl: 0 }),
      does: {
        reply: { stored: { kind: 'imp', name: 'top', document: { instl: 0 }, updatedAt }, created: false },
        view: { requests: {}, imps: { top: { instl: 0 } } },
      },
    },
    {
      title: 'are nothing to edges once the last was removed',
      given: [put('imp', 'top', {})],
      when: remove('imp', 'top'),
      does: { reply: null, state: null },
    },
    {
      title: 'keep the others',
      given: [put('imp', 'top', {}), put('request', 'top', {})],
      when: remove('imp', 'top'),
      does: { view: { requests: { top: {} }, imps: {} } },
    },
    {
      title: 'remove nothing that is not there',
      given: [put('imp', 'top', {})],
      when: remove('request', 'top'),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'do not exist for another account',
      given: [put('imp', 'top', {})],
      when: remove('imp', 'top', { scope: { ...scope, accountId: 'other' } }),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'are not stored for another account',
      when: put('imp', 'top', {}, { scope: { ...scope, accountId: 'other' } }),
      does: { rejected: 'NOT_FOUND' },
    },
    {
      title: 'are bounded in number',
      given: full,
      when: put('imp', 'one-more', {}),
      does: { rejected: 'QUOTA_EXCEEDED' },
    },
    {
      title: 'may be changed at the bound',
      given: full,
      when: put('imp', 'imp-0', { instl: 1 }),
      does: { reply: { stored: { kind: 'imp', name: 'imp-0', document: { instl: 1 }, updatedAt }, created: false } },
    },
    {
      title: 'are bounded in characters',
      given: heavy,
      when: put('request', 'one-more', { text: 'x'.repeat(LONGEST_STORED) }),
      does: { rejected: 'QUOTA_EXCEEDED' },
    },
  ]);
});
