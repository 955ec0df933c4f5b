import { session } from '#actors/session/session';
import { runActorCases } from '../actor-cases.ts';

const opened = { type: 'open', body: { userId: 'ann', epoch: 3, atMs: 1000 } };
const touched = (atMs: number) => ({ type: 'touch', body: { atMs } });

describe('actors/session', () => {
  runActorCases(session, 'a-hash', [
    {
      title: 'is opened for a user, under the epoch of then',
      when: opened,
      does: { state: { userId: 'ann', epoch: 3, openedAtMs: 1000, lastSeenAtMs: 1000 } },
    },
    {
      title: 'belongs to whoever opened it first',
      given: [opened],
      when: { type: 'open', body: { userId: 'bob', epoch: 9, atMs: 2000 } },
      does: { state: 'same' },
    },
    { title: 'lasts longer when used', given: [opened], when: touched(5000), does: { state: { lastSeenAtMs: 5000 } } },
    { title: 'goes not back in time', given: [opened, touched(5000)], when: touched(4000), does: { state: 'same' } },
    { title: 'is gone when ended', given: [opened], when: { type: 'end', body: {} }, does: { state: null } },
    {
      title: 'is not brought back by a use that comes late',
      given: [opened, { type: 'end', body: {} }],
      when: touched(5000),
      does: { state: 'same' },
    },
    {
      title: 'expires when it was not used since',
      given: [opened],
      when: { type: 'expire', body: { unusedSinceMs: 1000 } },
      does: { state: null },
    },
    {
      title: 'is saved from expiring by a use that came first',
      given: [opened, touched(1001)],
      when: { type: 'expire', body: { unusedSinceMs: 1000 } },
      does: { state: 'same' },
    },
  ]);
});
