import { operators } from '#actors/operators/operators';
import { runActorCases } from '../actor-cases.ts';

const of = (type: 'join' | 'leave' | 'stay' | 'left', userId: string, term?: number) => ({
  type,
  body: { userId, ...(term !== undefined && { term }) },
});
const both = [of('join', 'ann'), of('join', 'bob')];
const asks = (userId: string, term: number) => ({ to: `user/${userId}`, type: 'answer-for-leave', body: { term } });

describe('actors/operators', () => {
  runActorCases(operators, 'all', [
    { title: 'is joined', when: of('join', 'ann'), does: { state: { userIds: ['ann'] } } },
    { title: 'is joined once', given: [of('join', 'ann')], when: of('join', 'ann'), does: { state: 'same' } },
    {
      title: 'hears who is leaving, and lists the user until it has left',
      given: both,
      when: of('leave', 'ann', 3),
      does: { state: { userIds: ['ann', 'bob'], leaving: { ann: 3 } }, reply: null },
    },
    {
      title: 'is not left by the last',
      given: [of('join', 'ann')],
      when: of('leave', 'ann', 0),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'is not left by the last after another has left',
      given: [...both, of('leave', 'ann', 0), of('left', 'ann', 0)],
      when: of('leave', 'bob', 0),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'of two who leave, asks the first before it lets the second go',
      given: [...both, of('leave', 'ann', 3)],
      when: of('leave', 'bob', 0),
      does: { state: 'same', reply: { asked: ['ann'] }, sends: [asks('ann', 3)] },
    },
    {
      title: 'relies again on one whose leaving was refused or cut off half-way',
      given: [...both, of('leave', 'ann', 3), of('stay', 'ann', 3)],
      when: of('leave', 'bob', 0),
      does: { state: { userIds: ['ann', 'bob'], leaving: { bob: 0 } }, reply: null },
    },
    {
      title: 'does not rely on one who has announced to leave in a later term than that of the answer',
      given: [...both, of('leave', 'ann', 4), of('stay', 'ann', 3)],
      when: of('leave', 'bob', 0),
      does: { state: 'same', reply: { asked: ['ann'] }, sends: [asks('ann', 4)] },
    },
    {
      title: 'does not rely on one who is leaving because of any other change',
      given: [...both, of('leave', 'ann', 3), of('join', 'ann')],
      when: of('leave', 'bob', 0),
      does: { state: 'same', reply: { asked: ['ann'] }, sends: [asks('ann', 3)] },
    },
    {
      title: 'hears again who is leaving',
      given: [...both, of('leave', 'ann', 3)],
      when: of('leave', 'ann', 2),
      does: { state: { userIds: ['ann', 'bob'], leaving: { ann: 3 } }, reply: null },
    },
    {
      title: 'lists one who stays, though release 0.4 has taken the user off',
      given: [of('join', 'bob')],
      when: of('stay', 'ann', 0),
      does: { state: { userIds: ['bob', 'ann'] } },
    },
    { title: 'refuses while it knows nobody', when: of('leave', 'ann', 0), does: { rejected: 'CONFLICT' } },
    {
      title: 'keeps nobody who says that he left',
      given: [...both, of('leave', 'bob', 1)],
      when: of('left', 'bob', 1),
      does: { state: { userIds: ['ann'], leaving: {} } },
    },
    {
      title: 'keeps in mind that one who has come back is leaving again',
      given: [...both, of('leave', 'bob', 2), of('left', 'bob', 1), of('join', 'bob')],
      when: of('leave', 'ann', 0),
      does: { state: 'same', reply: { asked: ['bob'] }, sends: [asks('bob', 2)] },
    },
    {
      title: 'understands processes of 0.4, which state no term',
      given: [...both, of('leave', 'bob')],
      when: of('left', 'bob'),
      does: { state: { userIds: ['ann'], leaving: {} } },
    },
  ]);
});
