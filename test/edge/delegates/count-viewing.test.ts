import { expect } from 'chai';
import { countCampaignImpression } from '#edge/delegates/count-viewing';
import { SharedFrequencyCaps } from '#edge/delegates/shared-frequency-caps';
import { SharedCampaignPace } from '#edge/pace/shared-campaign-pace';
import { type CampaignImpression, campaignImpressionOf } from '#edge/tracking/campaign-viewing';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';
import { eventually } from '../../support/eventually.ts';
import { aSale } from '../tracking/a-sale.ts';

const NOON = Date.UTC(2026, 0, 31, 12);
const CENT = 10_000_000;
const once = { campaignId: 'campaign-1', maxImpressions: 1 };

describe('edge/delegates/count-viewing', () => {
  const clock = { now: () => NOON, monotonic: () => NOON, after: () => () => {} };
  const device = { deviceKey: 'device-1', windowHours: 1 };
  let inSandbox: boolean;
  let pace: SharedCampaignPace;
  let caps: SharedFrequencyCaps;
  beforeEach(async () => {
    inSandbox = false;
    const counters = createMemoryCounters(clock);
    const scope = () => (inSandbox ? 'sandbox-0/' : '');
    pace = new SharedCampaignPace({ counters, clock, edge: 'edge-1', scopeOf: scope });
    caps = new SharedFrequencyCaps({ marks: counters.marks, clock, scope, timeoutMs: 2_000 });
  });
  afterEach(() => Promise.all([pace.close(), caps.close()]));

  /** An impression of 10 cents. */
  const sold = (sandbox: boolean): CampaignImpression => {
    const sale = aSale({ campaignId: 'campaign-1', dspId: 'dsp-1', priceCpmMicros: 100_000_000, issuedAtMs: NOON });
    return campaignImpressionOf({ ...sale, sandbox, capped: device }, 'track-1')!;
  };
  const count = (impression: CampaignImpression) =>
    countCampaignImpression({ pace, caps, inSandbox: () => inSandbox, clock })(impression, NOON);
  /** Whether the campaign, with a budget of 10 cents a day, may bid a cent. */
  const mayPay = async () => {
    const probability = () => pace.bidProbability('campaign-1', 'dsp-1', { daily_cents: 10 }, CENT, NOON);
    probability();
    await pace.sync();
    return probability() === 1;
  };
  const isCapped = async () => (await caps.exhausted('device-1', [once])).has('campaign-1');

  for (const sandbox of [false, true]) {
    const [own, other] = sandbox ? ['sandbox', 'live'] : ['live', 'sandbox'];

    it(`counts a ${own} impression of a source that is ${own}`, async () => {
      inSandbox = sandbox;
      count(sold(sandbox));
      expect(await mayPay()).to.equal(false);
      await eventually('the device to be capped', isCapped);
    });

    it(`counts a ${own} impression neither ${own} nor ${other} once its source has moved`, async () => {
      inSandbox = !sandbox;
      count(sold(sandbox));
      for (const environment of [sandbox, !sandbox]) {
        inSandbox = environment;
        expect(await mayPay()).to.equal(true);
        expect(await isCapped()).to.equal(false);
      }
    });
  }

  it('counts an impression that an older release had spooled', async () => {
    const { sandbox: _, ...spooled } = sold(false);
    count(spooled);
    expect(await mayPay()).to.equal(false);
  });
});
