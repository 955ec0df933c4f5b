import { name } from '../../../actors/name/name.ts';
import { provisionalMs } from '../../../actors/name/reduce.ts';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const ofA = { holder: 'A', claim: 'a1' };
const ofB = { holder: 'B', claim: 'b1' };
const claim = (body: object, atMs?: number) => ({ type: 'claim', body, ...(atMs === undefined ? {} : { atMs }) });
const confirm = (body: object, atMs?: number) => ({ type: 'confirm', body, ...(atMs === undefined ? {} : { atMs }) });
const release = (body: object) => ({ type: 'release', body });
const lapse = beginningMs + provisionalMs;

describe('actors/name', () => {
  runActorCases(name, 'acme:pool:news', [
    {
      title: 'a free name goes to whoever claims it, for a while',
      when: claim(ofA),
      does: { state: { holder: 'A', claims: { a1: lapse } }, reply: { claim: 'a1', heldUntilMs: lapse } },
    },
    {
      title: 'a claimed name is refused to others',
      given: [claim(ofA)],
      when: claim(ofB),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'claiming again under the same claim answers the same, so a retry is safe',
      given: [claim(ofA)],
      when: claim(ofA, 60_000),
      does: { state: 'same', reply: { claim: 'a1', heldUntilMs: lapse } },
    },
    {
      title: 'a claim that nobody confirms lapses',
      given: [claim(ofA)],
      when: claim(ofB, provisionalMs),
      does: { state: { holder: 'B', claims: { b1: lapse + provisionalMs } } },
    },
    {
      title: 'a confirmed claim does not lapse',
      given: [claim(ofA), confirm(ofA)],
      when: claim(ofB, provisionalMs * 1000),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'the holder of a confirmed claim may ask for it again',
      given: [claim(ofA), confirm(ofA)],
      when: claim(ofA, provisionalMs * 2),
      does: { state: 'same', reply: { claim: 'a1', heldUntilMs: null } },
    },
    {
      title: 'released, the name is free',
      given: [claim(ofA), confirm(ofA)],
      when: release(ofA),
      does: { state: null },
    },
    {
      title: 'and goes to the next',
      given: [claim(ofA), confirm(ofA), release(ofA)],
      when: claim(ofB),
      does: { state: { holder: 'B', claims: { b1: lapse } } },
    },
    {
      title: 'a late release of an old claim leaves the newer claim of the same holder',
      given: [claim(ofA), confirm(ofA), claim({ holder: 'A', claim: 'a2' }), confirm({ holder: 'A', claim: 'a2' })],
      when: release(ofA),
      does: { state: { holder: 'A', claims: { a2: null } } },
    },
    {
      title: 'nobody releases for another',
      given: [claim(ofA)],
      when: release({ holder: 'B', claim: 'a1' }),
      does: { state: 'same' },
    },
    {
      title: 'a second, unconfirmed claim of the holder lapses without taking the first with it',
      given: [claim(ofA), confirm(ofA), claim({ holder: 'A', claim: 'a2' })],
      when: claim(ofB, provisionalMs * 2),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'a confirmation after the claim lapsed takes the name only while it is free',
      given: [claim(ofA), claim(ofB, provisionalMs)],
      when: confirm(ofA, provisionalMs + 1),
      does: { state: 'same' },
    },
  ]);
});
