import { expect } from 'chai';
import type { AuctionRecord, RecordedBid, RecordedParticipation } from '#actors/auction-record/record';
import { AssetCatalogue } from '#edge/catalogue/kept-assets';
import { TimeSlicer } from '#edge/catalogue/slices';
import { campaignsOfStrategy } from '#exchange/strategy/bidding-campaign';
import type { Campaign } from '#exchange/strategy/document/campaign';
import type { Rule } from '#exchange/strategy/document/rule';
import { AuctionReplay } from '#gateways/management/resources/strategy/backtest/auction-replay';
import { TestedCampaigns } from '#gateways/management/resources/strategy/backtest/tested-campaigns';
import { systemClock } from '#runtime/providers/system/system-clock';
import { makeAuctionRecord } from '../../support/auction-record.ts';
import { htmlCreative } from '../../support/campaign-projection.ts';

const DSP = '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11';
const NOON_MS = Date.UTC(2026, 2, 14, 12);

function campaign(id: string, baseCpm: number, fields: Partial<Campaign> = {}): Campaign {
  const creative = htmlCreative(`${id}-creative`);
  return { campaign_id: id, campaign_name: id, bidding: { base_cpm: baseCpm }, creative, ...fields };
}

async function rehearsal(campaigns: Campaign[], rules: Rule[] = [], dspDailyCents = 0): Promise<AuctionReplay> {
  const tested = new TestedCampaigns(DSP, new AssetCatalogue());
  const strategy = { version: '1.0' as const, dsp_id: DSP, default_bid: 0, campaigns, rules };
  await tested.add(campaignsOfStrategy(strategy), new TimeSlicer(systemClock));
  return new AuctionReplay(DSP, dspDailyCents, tested);
}

/** Of a demand source that bid that, and won or was outbid. */
function rival(dspId: string, priceCpm: number, reason: RecordedBid['reason']): RecordedParticipation {
  const bid: RecordedBid = {
    impId: '1',
    bidId: 'b',
    priceCpmMicros: priceCpm * 1e6,
    floorCpmMicros: 0,
    reason,
    winningCpmMicros: reason === null ? priceCpm * 1e6 : null,
    minToWinCpmMicros: null,
    crid: null,
    adomain: [],
    dealId: null,
    seat: null,
    campaignActorId: null,
    campaignId: null,
    ruleId: null,
  };
  const outcome = reason === null ? 'won' : 'lost';
  const common = { accountId: 'account-1', mode: 'rtb', generation: 0, called: true, reason: null } as const;
  return { ...common, dspId, outcome, latencyMs: 1, bids: [bid], keptBack: [] };
}

function auction(parts: RecordedParticipation[], fields: Partial<AuctionRecord> = {}, imp: object = {}): AuctionRecord {
  const request = { id: 'r', imp: [{ id: '1', banner: { w: 300, h: 250 }, ...imp }], site: { id: 'pub-1' } };
  const terms = {
    publisherFloorCpmMicros: 1_000_000,
    poolFloorCpmMicros: 0,
    blockedCategories: [],
    blockedDomains: [],
    publisherGenre: null,
  };
  return makeAuctionRecord({ atMs: NOON_MS, parts, replayable: { request, terms }, ...fields });
}

function hold(tested: AuctionReplay, ...records: AuctionRecord[]): void {
  for (const [index, record] of records.entries()) turnsOf(tested, record, `auction-${index}`);
}

/** Holds it, and answers how often others could have had a turn meanwhile. */
function turnsOf(tested: AuctionReplay, record: AuctionRecord, id = 'auction'): number {
  return [...tested.replay(id, record, record.replayable!)].length;
}

describe('a rehearsal of recorded auctions', () => {
  it('yields to other work within one auction, however many campaigns match it', async () => {
    // None can pay for a bid: all of them are looked at, for each imp.
    const poor = Array.from({ length: 2_000 }, (_, index) => campaign(`c${index}`, 20, { budget: { daily_cents: 1 } }));
    const record = auction([]);
    const { request } = record.replayable!;
    const imps = Array.from({ length: 20 }, (_, index) => ({ ...request.imp[0]!, id: `${index}` }));
    const replayable = { ...record.replayable!, request: { ...request, imp: imps } };
    const tested = await rehearsal(poor);
    expect(turnsOf(tested, { ...record, replayable })).to.be.above(20 * 10);
    expect(tested.sample.total).to.include({ matched: 20, bids: 0, keptBackByBudget: 20 * 2_000 });
  });

  it('wins above every rival, ties with one, and loses below', async () => {
    const tested = await rehearsal([campaign('c', 3)]);
    hold(
      tested,
      auction([rival('x', 2.999999, null)]),
      auction([rival('x', 3, null)]),
      auction([rival('x', 3.000001, null)]),
      auction([]),
    );
    expect(tested.sample.total).to.include({ matched: 4, bids: 4, won: 2, tied: 1, outbid: 1, spentNanos: 6_000_000n });
  });

  it('has for rivals who might have bought, and neither itself nor who was turned down', async () => {
    const tested = await rehearsal([campaign('c', 3)]);
    hold(
      tested,
      auction([rival(DSP, 9, null), rival('x', 2, 'lost-to-higher-bid')]),
      auction([rival('x', 9, 'blocked-category'), rival('y', 8, 'below-floor')]),
      auction([rival('x', 2, null), rival('y', 4, 'lost-to-higher-bid')]),
    );
    expect(tested.sample.total).to.include({ won: 2, outbid: 1 });
  });

  it('is held to floors and block lists as in auctions', async () => {
    const tested = await rehearsal([campaign('c', 3, { adomain: ['rival.test'] })]);
    const blocked = auction([]);
    const terms = { ...blocked.replayable!.terms, blockedDomains: ['rival.test'] };
    hold(
      tested,
      auction([], {}, { bidfloor: 3 }),
      auction([], {}, { bidfloor: 3.01 }),
      { ...blocked, replayable: { ...blocked.replayable!, terms } },
      auction([], {}, { banner: { w: 728, h: 90 } }),
    );
    expect(tested.sample.total).to.include({ matched: 3, bids: 3, won: 1, refused: 2 });
    expect([...tested.sample.campaigns.get('c')!.refusals]).to.deep.equal([
      ['below-floor', 1],
      ['blocked-advertiser', 1],
    ]);
  });

  it('lets the next campaign bid when a budget is spent, day by day', async () => {
    const budget = { daily_cents: 1 };
    const tested = await rehearsal([campaign('rich', 2), campaign('poor', 5, { budget })]);
    const midnightMs = Date.UTC(2026, 2, 15);
    hold(
      tested,
      ...[0, 1, 2].map((after) => auction([], { atMs: midnightMs - 10 + after })),
      ...[0, 1, 2].map((after) => auction([], { atMs: midnightMs + after })),
    );
    // Five dollars CPM are half a cent: two a day.
    expect(tested.sample.campaigns.get('poor')).to.include({ won: 4, keptBackByBudget: 2, spentNanos: 20_000_000n });
    expect(tested.sample.campaigns.get('rich')).to.include({ won: 2, spentNanos: 4_000_000n });
  });

  it('spends no more than the demand source itself may', async () => {
    const tested = await rehearsal([campaign('a', 5), campaign('b', 4)], [], 1);
    hold(tested, auction([]), auction([]), auction([]));
    expect(tested.sample.total).to.include({ won: 2, spentNanos: 10_000_000n });
  });

  it('extrapolates: each auction for all that it stands for, budgets spent as fast', async () => {
    const budget = { daily_cents: 5, total_cents: 0 };
    const tested = await rehearsal([campaign('c', 10, { budget })]);
    hold(
      tested,
      auction([], { represents: 3 }),
      auction([rival('x', 11, null)], { represents: 10 }),
      auction([], { represents: 4 }),
    );
    expect(tested.sample.total).to.include({ bids: 3, won: 2, outbid: 1, keptBackByBudget: 0 });
    // A cent each: three, then two of four; and ten that were outbid, which a budget of two left would pay for.
    expect(tested.extrapolated.total).to.include({ won: 5, spentNanos: 50_000_000n });
    expect(tested.represented).to.equal(17);
  });

  it('is kept back by a budget only from what it would have won', async () => {
    const tested = await rehearsal([campaign('c', 3, { budget: { daily_cents: 3 } })]);
    hold(
      tested,
      auction([rival('x', 9, null)], { represents: 50 }),
      auction([], { represents: 8 }),
      auction([rival('x', 9, null)], { represents: 50 }),
      auction([], { represents: 8 }),
      auction([rival('x', 9, null)], { represents: 50 }),
    );
    // 3 cents pay for ten impressions at 3 CPM; with two left it bids on, and with none no more.
    const { total } = tested.extrapolated;
    expect(total).to.include({ matched: 166, bids: 110, won: 10, outbid: 100, keptBackByBudget: 56 });
    expect(tested.extrapolated.campaigns.get('c')).to.include({ bids: 110, keptBackByBudget: 56 });
  });

  it('takes what was never fetched for what the document says, and says so', async () => {
    const creative = { creative_id: 'new', image_url: 'https://ads.test/new.png', width: 300, height: 250 };
    const tested = await rehearsal([campaign('c', 3, { creative })]);
    hold(tested, auction([]), auction([], {}, { banner: { w: 728, h: 90 } }));
    expect(tested.sample.total).to.include({ bids: 1, won: 1 });
  });

  it('leaves pods out', async () => {
    const tested = await rehearsal([campaign('c', 3)]);
    const video = { mimes: ['video/mp4'], poddur: 60, maxseq: 3, podid: 'p' };
    hold(tested, auction([], {}, { video }));
    expect(tested.podImps).to.equal(1);
    expect(tested.sample.total.bids).to.equal(0);
  });

  it('counts rules by what matched, bid and won', async () => {
    const conditions = (value: string) => [{ field: 'imp.bidfloor', operator: 'lte' as const, value }];
    const rules = [
      { rule_id: 'low', campaign_id: 'c', conditions: conditions('1'), bid_cpm: 2 },
      { rule_id: 'high', campaign_id: 'c', conditions: conditions('5'), bid_cpm: 6 },
    ];
    const tested = await rehearsal([campaign('c', 1)], rules);
    hold(
      tested,
      auction([], {}, { bidfloor: 4 }),
      auction([rival('x', 7, null)], {}, { bidfloor: 4 }),
      auction([], {}, { bidfloor: 9 }),
    );
    expect([...tested.sample.campaigns.get('c')!.rules]).to.deep.equal([['high', { matched: 2, bids: 2, won: 1 }]]);
    expect(tested.matchedAuctions).to.equal(2);
  });
});
