import { campaignActorId } from '#actors/campaign/campaign-id';
import { strategy } from '#actors/strategy/strategy';
import { runActorCases } from '../actor-cases.ts';

const dspId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const campaign = (id: string, fields: object = {}) => ({
  campaign_id: id,
  campaign_name: id,
  creative: { creative_id: 'v', vast_url: 'https://ads.example/v.xml' },
  ...fields,
});
const rule = (id: string, of: string) => ({ rule_id: id, campaign_id: of, conditions: [] });
const documentOf = (campaigns: readonly object[], rules: readonly object[] = [], defaultBid = 1) => ({
  version: '1.0',
  dsp_id: dspId,
  default_bid: defaultBid,
  campaigns,
  rules,
});
const save = (document: object, expecting?: number[]) => ({
  type: 'save',
  body: { accountId: 'a1', strategy: document, ...(expecting === undefined ? {} : { expecting }) },
});
const idOf = (campaignId: string) => campaignActorId(dspId, campaignId);
const install = (
  of: { campaign_id: string },
  rules: readonly object[],
  strategyRevision: number,
  defaultBidCpm = 1,
) => ({
  to: `campaign/${idOf(of.campaign_id)}`,
  type: 'install',
  body: { accountId: 'a1', dspId, campaign: of, rules, defaultBidCpm, strategyRevision },
});
const retire = (campaignId: string, strategyRevision: number) => ({
  to: `campaign/${idOf(campaignId)}`,
  type: 'retire',
  body: { strategyRevision },
});

const close = { type: 'close', body: {} };
const closing = (campaignId: string) => ({ to: `campaign/${idOf(campaignId)}`, type: 'close', body: {} });

const [a, b] = [campaign('a'), campaign('b')];
const first = documentOf([a, b], [rule('r1', 'b'), rule('r2', 'a'), rule('r3', 'b')]);

describe('actors/strategy', () =>
  runActorCases(strategy, dspId, [
    {
      title: 'taken back, puts the document of before back, and tells the campaigns that differ',
      given: [save(documentOf([a])), save(first)],
      when: { type: 'revert', body: { revision: 2, before: documentOf([a]) } },
      does: {
        state: { json: JSON.stringify(documentOf([a])), revision: 3 },
        reply: null,
        sends: [install(a, [], 3), retire('b', 3)],
      },
    },
    {
      title: 'taken back where there was none before, retires all its campaigns',
      given: [save(first)],
      when: { type: 'revert', body: { revision: 1, before: null } },
      does: { state: { json: '', revision: 2 }, reply: null, sends: [retire('a', 2), retire('b', 2)] },
    },
    {
      title: 'taken back after a later save, changes nothing',
      given: [save(first), save(documentOf([a]))],
      when: { type: 'revert', body: { revision: 1, before: null } },
      does: { state: 'same', reply: null },
    },
    {
      title: 'keeps the document, and tells each campaign its own part',
      when: save(first),
      does: {
        state: { accountId: 'a1', json: JSON.stringify(first), revision: 1 },
        reply: { revision: 1, told: [idOf('a'), idOf('b')] },
        sends: [install(a, [rule('r2', 'a')], 1), install(b, [rule('r1', 'b'), rule('r3', 'b')], 1)],
      },
    },
    {
      title: 'saved again, changes nothing and tells nobody',
      given: [save(first)],
      when: save(first),
      does: { state: 'same', reply: { revision: 1, told: [] } },
    },
    {
      title: 'tells only whom something new concerns',
      given: [save(first)],
      when: save(documentOf([a, campaign('b', { priority: 1 })], first.rules)),
      does: {
        state: { revision: 2 },
        sends: [install(campaign('b', { priority: 1 }), [rule('r1', 'b'), rule('r3', 'b')], 2)],
      },
    },
    {
      title: 'tells a campaign of its rules',
      given: [save(first)],
      when: save(documentOf([a, b], [rule('r1', 'b'), rule('r3', 'b')])),
      does: { sends: [install(a, [], 2)] },
    },
    {
      title: 'tells all of another default bid',
      given: [save(documentOf([a, b]))],
      when: save(documentOf([a, b], [], 2)),
      does: { sends: [install(a, [], 2, 2), install(b, [], 2, 2)] },
    },
    {
      title: 'retires what it has no more, and installs what is new',
      given: [save(documentOf([a, b]))],
      when: save(documentOf([b, campaign('c')])),
      does: {
        reply: { revision: 2, told: [idOf('c'), idOf('a')] },
        sends: [install(campaign('c'), [], 2), retire('a', 2)],
      },
    },
    {
      title: 'is saved only over the revision that is expected',
      given: [save(first)],
      when: save(documentOf([]), [2]),
      does: { rejected: 'PRECONDITION_FAILED' },
    },
    {
      title: 'is saved over the one that is expected',
      given: [save(first)],
      when: save(documentOf([]), [1]),
      does: { state: { revision: 2 }, sends: [retire('a', 2), retire('b', 2)] },
    },
    {
      title: 'closed, keeps its document and closes its campaigns',
      given: [save(first)],
      when: close,
      does: { state: { json: JSON.stringify(first), closed: true, revision: 2 }, sends: [closing('a'), closing('b')] },
    },
    { title: 'is closed once', given: [save(first), close], when: close, does: { state: 'same' } },
    {
      title: 'never saved, is closed and closes no campaign',
      when: close,
      does: { state: { json: '', closed: true } },
    },
    {
      title: 'closed before it was ever saved, is not saved',
      given: [close],
      when: save(first),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'closed, is saved no more',
      given: [save(first), close],
      when: save(first),
      does: { rejected: 'CONFLICT' },
    },
    {
      title: 'closed since it was saved, is not taken back',
      given: [save(first), close],
      when: { type: 'revert', body: { revision: 1, before: null } },
      does: { state: 'same' },
    },
  ]));
