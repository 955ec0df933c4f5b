import { expect } from 'chai';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import { creativeRuleId } from '#actors/creative-rule/rule-id';
import { REVIEW_SCOPES, REVIEW_SUBJECTS } from '#exchange/creative/review-scope';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const CREATIVE = 'c'.repeat(32);
const id = creativeRuleId({ kind: 'publisher', id: 'p1' }, 'creative', CREATIVE);
const body = {
  ...{ scope: 'publisher', scopeId: 'p1', accountId: 'acct', partnerId: 'partner', sandbox: true },
  ...{ subject: 'creative', value: CREATIVE, decision: 'block', reason: 'Opens windows', decidedBy: 'user/u' },
  creative: { dspId: 'dsp', crid: 'spring' },
};
const lookedAt = { id: CREATIVE, fingerprint: 'f'.repeat(32), accountId: 'seller', partnerId: null, sandbox: false };
const decide = (fields: object = {}) => ({ type: 'decide', body: { ...body, ...fields } });
const withdraw = (accountId = 'acct') => ({ type: 'withdraw', body: { accountId } });
const decidedAt = new Date(beginningMs).toISOString();
const told = (decision: string, { scope = 'publisher', scopeId = 'p1' } = {}) => ({
  ...{ to: `creative/${CREATIVE}`, type: 'decided' },
  body: { scope, scopeId, decision, reason: 'Opens windows' },
});
const happened = (accountId: string, partnerId: string | null, sandbox: boolean, data: object, sequence = 0) => ({
  ...{ to: `webhook-roll/${accountId}`, type: 'happened' },
  body: {
    ...{ partnerId, sandbox, type: 'creative.blocked', resource: `creative-rule/${id}` },
    ...{ eventId: `evt_creative-rule_${id}_${beginningMs}-${sequence}`, occurredAtMs: beginningMs },
    data: {
      ...{ rule_id: id, scope: 'publisher', scope_id: 'p1', subject: 'creative', value: CREATIVE },
      ...{ reason: 'Opens windows', creative_id: CREATIVE, dsp_id: 'dsp', crid: 'spring', fingerprint: null },
      ...data,
    },
  },
});
const EXCHANGE = { scope: 'exchange', scopeId: '', accountId: '', partnerId: null, sandbox: false };

describe('actors/creative-rule', () => {
  it('has one id for a subject in a scope', () => {
    const ids = REVIEW_SCOPES.flatMap((kind) =>
      REVIEW_SUBJECTS.flatMap((subject) =>
        ['a', 'b'].map((value) => creativeRuleId({ kind, id: 'x' }, subject, value)),
      ),
    );
    expect(new Set(ids).size).to.equal(REVIEW_SCOPES.length * REVIEW_SUBJECTS.length * 2);
  });

  runActorCases(creativeRule, id, [
    {
      title: 'blocks: edges, the creative and the webhooks of the account are told',
      when: decide({ lookedAt }),
      does: {
        state: { ...body, decidedAt },
        view: { scope: 'publisher:p1', subject: 'creative', value: CREATIVE, decision: 'block' },
        sends: [told('block'), happened('acct', 'partner', true, { fingerprint: 'f'.repeat(32) })],
      },
    },
    {
      title: 'is no event when the same is blocked again',
      given: [decide()],
      when: decide({ reason: 'Opens windows' }),
      does: { sends: [told('block')] },
    },
    {
      title: 'is an event again after an approval',
      given: [decide(), decide({ decision: 'approve' })],
      when: decide(),
      does: { sends: [told('block'), happened('acct', 'partner', true, {}, 2)] },
    },
    {
      title: 'is an event again after it was taken back',
      given: [decide(), withdraw()],
      when: decide(),
      does: { sends: [told('block'), happened('acct', 'partner', true, {}, 2)] },
    },
    {
      title: 'is no event when something is approved',
      when: decide({ decision: 'approve' }),
      does: {
        view: { decision: 'approve' },
        sends: [told('approve')],
      },
    },
    {
      title: 'tells the account of the demand source of a block in the whole exchange',
      when: decide({ ...EXCHANGE, lookedAt }),
      does: {
        view: { scope: 'exchange' },
        sends: [
          told('block', { scope: 'exchange', scopeId: '' }),
          happened('seller', null, false, { scope: 'exchange', scope_id: '', fingerprint: 'f'.repeat(32) }),
        ],
      },
    },
    {
      title: 'tells nobody of a block in the whole exchange that names no creative',
      when: decide({ ...EXCHANGE, subject: 'advertiser', value: 'rival.example', creative: null }),
      does: { sends: [] },
    },
    {
      title: 'names what an advertiser is blocked by, and no creative',
      when: decide({ subject: 'advertiser', value: 'rival.example', creative: null }),
      does: {
        sends: [
          happened('acct', 'partner', true, {
            ...{ subject: 'advertiser', value: 'rival.example', creative_id: null, dsp_id: null, crid: null },
          }),
        ],
      },
    },
    {
      title: 'is taken back: edges hold nothing, and the creative is told',
      given: [decide()],
      when: withdraw(),
      does: { state: null, reply: null, sends: [told('none')] },
    },
    {
      title: 'is not taken back by another account',
      given: [decide()],
      when: withdraw('other'),
      does: { rejected: 'NOT_FOUND' },
    },
    { title: 'is not taken back before it was made', when: withdraw(''), does: { rejected: 'NOT_FOUND' } },
  ]);
});
