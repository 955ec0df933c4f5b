import { operators } from '#actors/operators/operators';
import { runActorCases } from '../actor-cases.ts';

const of = (type: 'join' | 'leave' | 'left', userId: string) => ({ type, body: { userId } });

describe('actors/operators', () => {
  runActorCases(operators, 'all', [
    { title: 'is joined', when: of('join', 'ann'), does: { state: { userIds: ['ann'] } } },
    { title: 'is joined once', given: [of('join', 'ann')], when: of('join', 'ann'), does: { state: 'same' } },
    {
      title: 'is left while another stays',
      given: [of('join', 'ann'), of('join', 'bob')],
      when: of('leave', 'ann'),
      does: { state: { userIds: ['bob'] } },
    },
    {
      title: 'is not left by the last',
      given: [of('join', 'ann')],
      when: of('leave', 'ann'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'of two who leave, refuses the second',
      given: [of('join', 'ann'), of('join', 'bob'), of('leave', 'ann')],
      when: of('leave', 'bob'),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'lets go again one whose going was cut off half-way',
      given: [of('join', 'ann'), of('join', 'bob'), of('leave', 'ann')],
      when: of('leave', 'ann'),
      does: { state: { userIds: ['bob'] } },
    },
    { title: 'refuses while it knows nobody', when: of('leave', 'ann'), does: { rejected: 'CONFLICT' } },
    {
      title: 'keeps nobody who says that he left',
      given: [of('join', 'ann'), of('join', 'bob')],
      when: of('left', 'bob'),
      does: { state: { userIds: ['ann'] } },
    },
  ]);
});
