import { account } from '#actors/account/account';
import { runActorCases } from '../actor-cases.ts';

const opened = { type: 'open', body: { name: 'Acme', tier: 'standard' } };

describe('actors/account', () => {
  runActorCases(account, 'a1', [
    {
      title: 'opens with the rate of its tier',
      when: opened,
      does: {
        state: { open: true, name: 'Acme', requestsPerMinute: 1000, createdAt: '2026-01-31T12:00:00.000Z' },
        view: { id: 'a1', tier: 'standard', requestsPerMinute: 1000 },
      },
    },
    {
      title: 'opening again changes nothing',
      given: [opened],
      when: { type: 'open', body: { name: 'Other', tier: 'partner' } },
      does: { state: 'same' },
    },
    {
      title: 'a new tier brings its rate',
      given: [opened],
      when: { type: 'update', body: { tier: 'partner' } },
      does: { state: { tier: 'partner', requestsPerMinute: 5000, name: 'Acme' } },
    },
    {
      title: 'a rate of its own stands beside the tier',
      given: [opened],
      when: { type: 'update', body: { tier: 'enterprise', requestsPerMinute: 20_000 } },
      does: { state: { tier: 'enterprise', requestsPerMinute: 20_000 } },
    },
    {
      title: 'a rate of its own stays while the tier does',
      given: [opened, { type: 'update', body: { tier: 'enterprise', requestsPerMinute: 20_000 } }],
      when: { type: 'update', body: { name: 'Acme Ltd', tier: 'enterprise' } },
      does: {
        state: { name: 'Acme Ltd', requestsPerMinute: 20_000, revision: 3 },
        view: { requestsPerMinute: 20_000 },
      },
    },
    {
      title: 'a rate of its own goes with the tier',
      given: [opened, { type: 'update', body: { tier: 'enterprise', requestsPerMinute: 20_000 } }],
      when: { type: 'update', body: { tier: 'standard' } },
      does: { state: { tier: 'standard', requestsPerMinute: 1000 } },
    },
    {
      title: 'no other tier has a rate of its own',
      given: [opened],
      when: { type: 'update', body: { requestsPerMinute: 20_000 } },
      does: { rejected: 'VALIDATION_ERROR' },
    },
    {
      title: 'changes only the revision that was expected',
      given: [opened],
      when: { type: 'update', body: { name: 'Other', expecting: [7] } },
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'what was never opened cannot change',
      when: { type: 'update', body: { name: 'Ghost' } },
      does: { rejected: 'NOT_FOUND' },
    },
  ]);
});
