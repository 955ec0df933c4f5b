import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { campaign } from '../../actors/campaign/campaign.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { eventRow } from '../../actors/feed-page/event.ts';
import { feedPage } from '../../actors/feed-page/feed-page.ts';
import { pagesFrom } from '../../actors/feed-page/feed-page-id.ts';
import { packedEvents } from '../../actors/feed-page/packed-rows.ts';
import { pool } from '../../actors/pool/pool.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { nothingFed } from '../../actors/tally/fed.ts';
import { tally } from '../../actors/tally/tally.ts';

const common = {
  accountId: 'a1',
  partnerId: null,
  name: 'A source',
  borneName: { nameId: 'a1:x:a_0020source', claim: 'c1' },
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};
const source = { ...common, status: 'active', sandbox: false, feePpm: 150_000 };
const { partnerId: _, ...commonOfPools } = common;

/** States as version 1 of their schema has them. */
const firstVersions = [
  [
    publisher,
    {
      ...source,
      domain: 'site.example',
      type: 'web',
      poolId: null,
      floorCpmMicros: 1,
      contentGenre: null,
      blockedCategories: [],
      blockedDomains: [],
    },
  ],
  [
    dsp,
    {
      ...source,
      mode: 'rtb',
      endpointUrl: 'https://b.example/',
      dailyBudgetCents: 7,
      timeoutMs: 90,
      openrtbVersion: '2.6',
      poolIds: ['l1'],
    },
  ],
  [pool, { ...commonOfPools, description: '', floorCpmMicros: 5 }],
] as const;

describe('states of an older schema version', () => {
  for (const [kind, first] of firstVersions) {
    it(`of kind ${kind.kind} are read whole, and as their first revision`, () => {
      const state = kind.upgrade!(first, 1);
      expect(Compile(kind.state).Errors(state)).to.deep.equal([]);
      expect(state).to.deep.include({ ...first, revision: 1 });
    });
  }

  it('of holders of a budget say that they have had it since they were made', () => {
    const made = Date.parse(common.createdAt);
    const [, ofDsp] = firstVersions[1];
    expect(dsp.upgrade!(ofDsp, 3).limitedSinceMs).to.equal(made);
    expect(dsp.upgrade!({ ...ofDsp, dailyBudgetCents: 0 }, 3).limitedSinceMs).to.equal(0);
    const document = { campaign_id: 'c', campaign_name: 'C', bidding: { base_cpm: 2 } };
    const ofCampaign = (budget?: object) => ({
      ...{ accountId: 'a1', dspId: 'd1', rules: [], defaultBidCpm: 0, origin: 'api', status: 'active', retired: false },
      ...{ pausedByHand: false, assetIds: [], strategyRevision: 0, revision: 1 },
      ...{ createdAt: common.createdAt, updatedAt: common.updatedAt },
      campaign: { ...document, ...(budget && { budget }) },
    });
    const upgraded = campaign.upgrade!(ofCampaign({ total_cents: 5 }), 2);
    expect(Compile(campaign.state).Errors(upgraded)).to.deep.equal([]);
    expect(upgraded).to.include({ limitedSinceMs: made, exhaustedDay: '', totalExhausted: false });
    expect(campaign.upgrade!(ofCampaign(), 2).limitedSinceMs).to.equal(0);
  });

  it('of tallies and feeds keep the impressions that were on their way or there', () => {
    const startMs = Date.UTC(2026, 2, 14, 12);
    const event = {
      ...{ trackingId: 't', auctionId: 'a, "b"', publisherId: 'p', campaignId: null, crid: 'c', priceCpmMicros: 7 },
      ...{ region: 'fra', soldAtMs: startMs - 5 },
    };
    const row = eventRow({ ...event, atMs: startMs + 12, impId: null });
    const page = `${pagesFrom('d:live', startMs)}:i3`;
    const position = `${startMs + 12}-3`;
    const untold = {
      [page]: [
        { position, row },
        { position: `${startMs + 13}-0`, row },
      ],
    };
    const books = { pages: [], day: { impressions: 2, grossNanos: 14, feeNanos: 0 } };
    const upgraded = tally.upgrade!({ ...books, fed: { stretchMs: startMs, counted: { 'd:live': 2 }, untold } }, 4);
    expect(Compile(tally.state).Errors(upgraded)).to.deep.equal([]);
    expect(upgraded).to.deep.include(books);
    expect(upgraded.fed.counted).to.deep.equal({ 'd:live': { impressions: 2, further: 0, onFurther: 0 } });
    const { from, through, rows } = upgraded.fed.untold[page]!;
    expect([from, through]).to.deep.equal([position, `${startMs + 13}-0`]);
    expect(packedEvents(rows, startMs).map(({ read }) => read())).to.deep.equal([
      { ...event, position },
      { ...event, position: `${startMs + 13}-0` },
    ]);
    expect(tally.upgrade!(books, 3)).to.deep.equal({ ...books, fed: nothingFed() });

    const ofPage = { key: page, startMs, rows: [row], through: { 0: position } };
    const upgradedPage = feedPage.upgrade!(ofPage, 1);
    expect(Compile(feedPage.state).Errors(upgradedPage)).to.deep.equal([]);
    expect(upgradedPage).to.deep.equal({ ...ofPage, shown: [] });
  });
});
