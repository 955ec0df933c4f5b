import { creativePolicy } from '#actors/creative-policy/creative-policy';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const set = (mode: string) => ({ type: 'set', body: { scope: 'pool', scopeId: 'p1', accountId: 'acct', mode } });
const updatedAt = new Date(beginningMs).toISOString();

describe('actors/creative-policy', () => {
  runActorCases(creativePolicy, 'pool:p1', [
    {
      title: 'is what edges hold of a scope',
      when: set('reviewed'),
      does: {
        state: { scope: 'pool', scopeId: 'p1', accountId: 'acct', mode: 'reviewed', updatedAt },
        view: { mode: 'reviewed' },
      },
    },
    {
      title: 'takes the place of the mode before',
      given: [set('reviewed')],
      when: set('scanned'),
      does: { view: { mode: 'scanned' } },
    },
    {
      title: 'is held by no edge while everything may be shown',
      given: [set('reviewed')],
      when: set('open'),
      does: { view: null },
    },
  ]);
});
