import { name } from '#actors/name/name';
import { PROVISIONAL_CLAIM_MS } from '#actors/name/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const ofA = { holder: 'pool/A', claim: 'a1' };
const renewedByA = { holder: 'pool/A', claim: 'a2' };
const ofB = { holder: 'pool/B', claim: 'b1' };
const step = (type: string) => (body: object, atMs?: number) => ({
  type,
  body,
  ...(atMs === undefined ? {} : { atMs }),
});
const [claim, confirm, release] = [step('claim'), step('confirm'), step('release')];
const lapse = beginningMs + PROVISIONAL_CLAIM_MS;

describe('actors/name', () => {
  runActorCases(name, 'acme:pool:news', [
    {
      title: 'a free name goes to whoever claims it, for a while',
      when: claim(ofA),
      does: { state: { holder: 'pool/A', claims: { a1: lapse } }, reply: { claim: 'a1', heldUntilMs: lapse } },
    },
    {
      title: 'a claimed name is refused to others',
      given: [claim(ofA)],
      when: claim(ofB, PROVISIONAL_CLAIM_MS - 1),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'claiming again under the same claim answers the same, so a retry is safe',
      given: [claim(ofA)],
      when: claim(ofA, 60_000),
      does: { state: 'same', reply: { claim: 'a1', heldUntilMs: lapse } },
    },
    {
      title: 'claiming again after it lapsed renews it',
      given: [claim(ofA)],
      when: claim(ofA, PROVISIONAL_CLAIM_MS),
      does: { state: { holder: 'pool/A', claims: { a1: lapse + PROVISIONAL_CLAIM_MS } } },
    },
    {
      title: 'a claim that lapsed is not given away: its holder is asked first',
      given: [claim(ofA)],
      when: claim(ofB, PROVISIONAL_CLAIM_MS),
      does: {
        state: 'same',
        reply: { asked: 'pool/A' },
        sends: [
          {
            to: 'pool/A',
            type: 'answer-for-claim',
            body: { nameId: 'acme:pool:news', claim: 'a1', heldUntilMs: lapse },
          },
        ],
      },
    },
    {
      title: 'released by a holder that was asked, it goes to the next',
      given: [claim(ofA), release({ ...ofA, heldUntilMs: lapse }, PROVISIONAL_CLAIM_MS)],
      when: claim(ofB),
      does: { state: { holder: 'pool/B', claims: { b1: lapse + PROVISIONAL_CLAIM_MS } } },
    },
    {
      title: 'an answer about a claim that was renewed meanwhile ends nothing',
      given: [claim(ofA), claim(ofA, PROVISIONAL_CLAIM_MS)],
      when: release({ ...ofA, heldUntilMs: lapse }),
      does: { state: 'same' },
    },
    {
      title: 'a confirmed claim does not lapse',
      given: [claim(ofA), confirm(ofA)],
      when: claim(ofB, PROVISIONAL_CLAIM_MS * 1000),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'a confirmation counts however late it comes',
      given: [claim(ofA), claim(ofB, PROVISIONAL_CLAIM_MS), confirm(ofA)],
      when: claim(ofB),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'the holder of a confirmed claim may ask for it again',
      given: [claim(ofA), confirm(ofA)],
      when: claim(ofA, PROVISIONAL_CLAIM_MS * 2),
      does: { state: 'same', reply: { claim: 'a1', heldUntilMs: null } },
    },
    {
      title: 'released, the name is free',
      given: [claim(ofA), confirm(ofA)],
      when: release(ofA),
      does: { state: null },
    },
    {
      title: 'a late release of an old claim leaves the newer claim of the same holder',
      given: [claim(ofA), confirm(ofA), claim(renewedByA), confirm(renewedByA)],
      when: release(ofA),
      does: { state: { holder: 'pool/A', claims: { a2: null } } },
    },
    {
      title: 'nobody releases for another',
      given: [claim(ofA)],
      when: release({ ...ofA, holder: 'pool/B' }),
      does: { state: 'same' },
    },
    {
      title: 'a second, unconfirmed claim of the holder lapses without taking the first with it',
      given: [claim(ofA), confirm(ofA), claim(renewedByA)],
      when: claim(ofB, PROVISIONAL_CLAIM_MS * 2),
      does: { rejected: 'CONFLICT' },
    },
  ]);
});
