import { expect } from 'chai';
import { campaign } from '#actors/campaign/campaign';
import { campaignActorId } from '#actors/campaign/campaign-id';
import { pauseReasonOf } from '#actors/campaign/pause-reason';
import { noCampaign } from '#actors/campaign/reduce';
import { beginningMs, runActorCases } from '../actor-cases.ts';

const scope = { accountId: 'a1', partnerId: null, sandboxOnly: false };
const dspId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const creative = { creative_id: 'v', vast_url: 'https://ads.example/v.xml' };
const document = { campaign_id: 'c', campaign_name: 'C', bidding: { base_cpm: 2 }, creative };
const rule = { rule_id: 'r', campaign_id: 'c', conditions: [] };

const create = { type: 'create', body: { accountId: 'a1', dspId, campaign: document } };
const createPaused = { type: 'create', body: { ...create.body, campaign: { ...document, status: 'paused' } } };
const update = (changes: object, more: object = {}) => ({
  type: 'update',
  body: { scope, changes, httpsOnly: false, ...more },
});
const pause = { type: 'pause', body: { scope } };
const reactivate = { type: 'reactivate', body: { scope } };
const install = (strategyRevision: number, fields: object = {}) => ({
  type: 'install',
  body: {
    accountId: 'a1',
    dspId,
    campaign: { ...document, ...fields },
    rules: [rule],
    defaultBidCpm: 1,
    strategyRevision,
  },
});
const close = { type: 'close', body: {} };
const retire = (strategyRevision: number) => ({ type: 'retire', body: { strategyRevision } });
const at = (ms: number) => new Date(beginningMs + ms).toISOString();

describe('actors/campaign', () => {
  it('has one id for a name of a demand source', () => {
    expect(campaignActorId(dspId, 'c')).to.equal(campaignActorId(dspId, 'c'));
    const ids = [dspId, '00000000-0000-4000-8000-000000000001'].flatMap((dsp) =>
      ['c', 'd', 'C', ''].map((name) => campaignActorId(dsp, name)),
    );
    expect(new Set(ids).size).to.equal(8);
    for (const id of ids) expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  describe('of the Campaign API', () =>
    runActorCases(campaign, 'c1', [
      {
        title: 'is created active, and seen by edges with all that it bids by',
        when: create,
        does: {
          state: {
            campaign: document,
            origin: 'api',
            status: 'active',
            revision: 1,
            createdAt: at(0),
            updatedAt: at(0),
          },
          view: { id: 'c1', accountId: 'a1', dspId, campaign: document, rules: [], defaultBidCpm: 0, paused: false },
        },
      },
      {
        title: 'is created paused when its document says so, which it then says no more',
        when: createPaused,
        does: { state: { status: 'paused', pausedByHand: true, campaign: document }, view: { paused: true } },
      },
      { title: 'exists once under its name', given: [create], when: create, does: { rejected: 'CONFLICT' } },
      {
        title: 'changes what is named',
        given: [create],
        when: { ...update({ bidding: { max_cpm: 4 } }), atMs: 5 },
        does: {
          state: {
            campaign: { ...document, bidding: { base_cpm: 2, max_cpm: 4 } },
            revision: 2,
            createdAt: at(0),
            updatedAt: at(5),
          },
        },
      },
      {
        title: 'becomes nothing that is no campaign',
        given: [create],
        when: update({ bidding: { max_cpm: 1 } }),
        does: { rejected: 'VALIDATION_ERROR' },
      },
      {
        title: 'takes no http where https is demanded',
        given: [create],
        when: update({ creative: { ...creative, vast_url: 'http://ads.example/' } }, { httpsOnly: true }),
        does: { rejected: 'VALIDATION_ERROR' },
      },
      {
        title: 'is paused by a change of status, and nothing else changes',
        given: [create],
        when: update({ status: 'paused' }),
        does: { state: { status: 'paused', pausedByHand: true, campaign: document } },
      },
      {
        title: 'is changed only at the revision that is expected',
        given: [create, update({ priority: 1 })],
        when: update({ priority: 2 }, { expecting: [1] }),
        does: { rejected: 'PRECONDITION_FAILED' },
      },
      { title: 'pauses', given: [create], when: pause, does: { state: { status: 'paused' }, view: { paused: true } } },
      { title: 'pausing twice changes nothing', given: [create, pause], when: pause, does: { state: 'same' } },
      {
        title: 'reactivates',
        given: [createPaused],
        when: reactivate,
        does: { state: { status: 'active', revision: 2 } },
      },
      {
        title: 'active already, reactivating changes nothing',
        given: [create],
        when: reactivate,
        does: { state: 'same' },
      },
      {
        title: 'stays what it is when a strategy has the same name',
        given: [create],
        when: install(1),
        does: { state: 'same' },
      },
      { title: 'stays when a strategy goes', given: [create], when: retire(2), does: { state: 'same' } },
      {
        title: 'does not exist for another account',
        given: [create],
        when: { type: 'pause', body: { scope: { ...scope, accountId: 'a2' } } },
        does: { rejected: 'NOT_FOUND' },
      },
      { title: 'never created, does not exist', when: pause, does: { rejected: 'NOT_FOUND', view: null } },
    ]));

  describe('with budgets', () => {
    const daily = update({ budget: { daily_cents: 5 } });
    const exhausted = (budget: 'daily' | 'total', day: string, revision: number, budgetId?: string) => ({
      type: 'exhausted',
      body: { budget, day, revision, ...(budgetId && { budgetId }) },
    });
    const forget = (budgetId: string) => ({ type: 'forget-exhausted', body: { budgetId } });
    const [live, first, second] = ['campaign:c1', 'campaign:c1:sandbox.0', 'campaign:c1:sandbox.1'] as const;
    const renew = (day: string) => ({ type: 'renew', body: { day } });
    const shownOn = (state: object, day: string, budgetId: string = live) =>
      pauseReasonOf({ ...noCampaign, ...state }, day, budgetId);

    it('shows what pauses it, a spent day on that day alone', () => {
      expect(shownOn({}, '2026-03-01')).to.equal(null);
      expect(shownOn({ exhaustedDay: '2026-03-01' }, '2026-03-01')).to.equal('daily_budget');
      expect(shownOn({ exhaustedDay: '2026-03-01' }, '2026-03-02')).to.equal(null);
      expect(shownOn({ exhaustedDay: '2026-03-01', totalExhausted: true }, '2026-03-02')).to.equal('total_budget');
      const byHand = { pausedByHand: true, exhaustedDay: '2026-03-01' };
      for (const day of ['2026-03-01', '2026-03-02']) expect(shownOn(byHand, day)).to.equal('hand');
    });

    it('shows what a budget of another environment, or of before a reset, has spent nowhere else', () => {
      for (const spent of [{ exhaustedDay: '2026-03-01' }, { totalExhausted: true }]) {
        const state = { ...spent, exhaustedBudgetId: first };
        expect(shownOn(state, '2026-03-01', first)).to.be.oneOf(['daily_budget', 'total_budget']);
        for (const other of [second, live]) expect(shownOn(state, '2026-03-01', other), other).to.equal(null);
        expect(shownOn(spent, '2026-03-01', second), 'of an older release').not.to.equal(null);
      }
    });

    runActorCases(campaign, 'c1', [
      {
        title: 'says since when it has had any without a break',
        given: [create, { ...daily, atMs: 5 }],
        when: { ...update({ budget: { daily_cents: null, total_cents: 7 } }), atMs: 9 },
        does: { state: { limitedSinceMs: beginningMs + 5 }, view: { limitedSinceMs: beginningMs + 5, revision: 3 } },
      },
      {
        title: 'having none, was not limited',
        given: [create, daily],
        when: update({ budget: null }),
        does: { state: { limitedSinceMs: 0 }, view: { limitedSinceMs: 0 } },
      },
      {
        title: 'remembers the day that is spent: no revision, and nothing for edges',
        given: [create, daily],
        when: exhausted('daily', '2026-03-01', 2),
        does: { state: { exhaustedDay: '2026-03-01', status: 'active', revision: 2 }, view: { paused: false } },
      },
      {
        title: 'takes no other revision’s word for it',
        given: [create, daily, update({ budget: { daily_cents: 6 } })],
        when: exhausted('daily', '2026-03-01', 2),
        does: { state: 'same' },
      },
      {
        title: 'changes nothing when it hears of the same day, or an earlier one, again',
        given: [create, daily, exhausted('daily', '2026-03-01', 2)],
        when: exhausted('daily', '2026-02-28', 2),
        does: { state: 'same' },
      },
      {
        title: 'begins anew when its daily budget is another',
        given: [create, daily, exhausted('daily', '2026-03-01', 2)],
        when: update({ budget: { daily_cents: 6 } }),
        does: { state: { exhaustedDay: '' } },
      },
      {
        title: 'keeps to it when something else of it is another',
        given: [create, daily, exhausted('daily', '2026-03-01', 2), exhausted('total', '2026-03-01', 2)],
        when: update({ bidding: { base_cpm: 3 } }),
        does: { state: { exhaustedDay: '2026-03-01', totalExhausted: true } },
      },
      {
        title: 'is spent in all until its total is another',
        given: [create, update({ budget: { total_cents: 5 } }), exhausted('total', '2026-03-01', 2)],
        when: update({ budget: { total_cents: 6 } }),
        does: { state: { totalExhausted: false } },
      },
      {
        title: 'is renewed by the next day, its total not',
        given: [create, daily, exhausted('daily', '2026-03-01', 2), exhausted('total', '2026-03-01', 2)],
        when: renew('2026-03-02'),
        does: { state: { exhaustedDay: '', totalExhausted: true, revision: 2 } },
      },
      {
        title: 'remembers which budget is spent, once',
        given: [create, daily, exhausted('daily', '2026-03-01', 2), exhausted('daily', '2026-03-01', 2, first)],
        when: exhausted('daily', '2026-03-01', 2, first),
        does: { state: 'same' },
      },
      {
        title: 'learns which budget the day of an older edge is of',
        given: [create, daily, exhausted('daily', '2026-03-01', 2)],
        when: exhausted('daily', '2026-03-01', 2, first),
        does: { state: { exhaustedDay: '2026-03-01', exhaustedBudgetId: first } },
      },
      {
        title: 'takes the word of an older edge for its present budget',
        given: [create, daily, exhausted('daily', '2026-03-01', 2, first)],
        when: exhausted('total', '2026-03-01', 2),
        does: { state: { exhaustedDay: '2026-03-01', totalExhausted: true, exhaustedBudgetId: first } },
      },
      {
        title: 'forgets what another budget had spent when one is',
        given: [create, daily, exhausted('total', '2026-03-01', 2, first)],
        when: exhausted('daily', '2026-03-01', 2, live),
        does: { state: { exhaustedDay: '2026-03-01', totalExhausted: false, exhaustedBudgetId: live } },
      },
      {
        title: 'takes no word of a sandbox from before its reset',
        given: [create, daily, exhausted('daily', '2026-03-01', 2, second)],
        when: exhausted('total', '2026-03-01', 2, first),
        does: { state: 'same' },
      },
      {
        title: 'forgets that a former budget was spent',
        given: [create, daily, exhausted('daily', '2026-03-01', 2, first), exhausted('total', '2026-03-01', 2, first)],
        when: forget(second),
        does: { state: { exhaustedDay: '', totalExhausted: false, exhaustedBudgetId: second, revision: 2 } },
      },
      {
        title: 'does not forget that its present budget is spent',
        given: [create, daily, exhausted('total', '2026-03-01', 2, second)],
        when: forget(second),
        does: { state: 'same' },
      },
      {
        title: 'is not renewed by the day itself',
        given: [create, daily, exhausted('daily', '2026-03-01', 2)],
        when: renew('2026-03-01'),
        does: { state: 'same' },
      },
    ]);
  });

  describe('of a strategy', () =>
    runActorCases(campaign, 'c1', [
      {
        title: 'is installed with its rules and default bid',
        when: install(3),
        does: {
          state: { origin: 'strategy', status: 'active', rules: [rule], strategyRevision: 3, revision: 1 },
          view: { campaign: document, rules: [rule], defaultBidCpm: 1, paused: false },
        },
      },
      {
        title: 'is paused while its document says so',
        when: install(1, { status: 'paused' }),
        does: { state: { status: 'paused', pausedByHand: false }, view: { paused: true } },
      },
      {
        title: 'paused by its document, is not set going by hand',
        given: [install(1, { status: 'paused' })],
        when: reactivate,
        does: { rejected: 'CONFLICT' },
      },
      {
        title: 'paused by hand, stays so when it is uploaded again',
        given: [install(1), pause],
        when: install(2, { campaign_name: 'New' }),
        does: { state: { status: 'paused', campaign: { ...document, campaign_name: 'New' }, strategyRevision: 2 } },
      },
      {
        title: 'is changed by its strategy alone',
        given: [install(1)],
        when: update({}),
        does: { rejected: 'CONFLICT' },
      },
      {
        title: 'is retired when its strategy has it no more, and gone from the edges',
        given: [install(1)],
        when: retire(2),
        does: { state: { status: 'retired', strategyRevision: 2 }, view: null },
      },
      {
        title: 'is retired when its demand source is archived, and gone from the edges',
        given: [install(1)],
        when: close,
        does: { state: { status: 'retired', revision: 2 }, view: null },
      },
      {
        title: 'of the Campaign API is retired when its demand source is archived, and gone from the edges',
        given: [create],
        when: close,
        does: { state: { status: 'retired', revision: 2 }, view: null },
      },
      { title: 'is retired once', given: [create, close], when: close, does: { state: 'same' } },
      {
        title: 'never made, is nothing when its demand source is archived',
        when: close,
        does: { state: 'same', view: null },
      },
      {
        title: 'retired, refuses changes',
        given: [install(1), retire(2)],
        when: pause,
        does: { rejected: 'CONFLICT' },
      },
      {
        title: 'comes back with a later strategy, paused if it was paused by hand',
        given: [install(1), pause, retire(2)],
        when: install(3),
        does: { state: { status: 'paused', retired: false }, view: { paused: true } },
      },
      {
        title: 'leaves its name to the Campaign API when it is retired',
        given: [install(1), pause, retire(2)],
        when: create,
        does: { state: { origin: 'api', status: 'active', rules: [], defaultBidCpm: 0, revision: 4 } },
      },
      { title: 'exists while it is not retired', given: [install(1)], when: create, does: { rejected: 'CONFLICT' } },
      { title: 'retired before it was installed, is nothing', when: retire(1), does: { state: 'same', view: null } },
    ]));
});
