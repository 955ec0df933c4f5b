import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { type PacingMode, plannedShare } from '../../exchange/pacing/planned-share.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { campaignOf, type DelegateMarket, delegateMarket, type Sold } from './delegate-market.ts';
import { BANNER } from './market.ts';
import { shows } from './shows.ts';

const DAY_MS = 86_400_000;
const IMPS_AT_ONCE = 40;
const manyImps = Array.from({ length: IMPS_AT_ONCE }, (_, n) => ({ ...BANNER, id: String(n) }));
/**
 * A campaign that is ahead of its plan by an impression in a hundred bids on one imp in seventy: after so many it is
 * done. Each comes when an edge that waits for a lease has had the time to get it.
 */
const REQUESTS_IN_VAIN = 8;
const LEASE_MS = 150;

/** At 10 CPM an impression is a cent. */
const costly = (id: string, budget: object) => campaignOf(id, { bidding: { base_cpm: 10 }, budget });

async function show(sold: readonly Sold[]): Promise<number> {
  for (const { burl } of sold) expect((await fetch(burl)).status).to.equal(200);
  return sold.length;
}

/**
 * Shows whatever is sold until the plan is reached, however long leases take, and then until hardly anything is sold
 * any more; resolves with how many impressions that were.
 */
async function showAll(market: DelegateMarket, planned: () => number): Promise<number> {
  let shown = 0;
  do {
    const imps = shown === 0 ? {} : { imp: manyImps };
    const allowed = await eventually('a sale that the plan allows', async () => {
      const sold = await market.sold(imps);
      return sold.length > 0 ? sold : null;
    });
    shown += await show(allowed);
  } while (shown < Math.floor(planned()));
  for (let inVain = 0; inVain < REQUESTS_IN_VAIN; ) {
    const sold = await market.sold({ imp: manyImps });
    shown += await show(sold);
    inVain = sold.length === 0 ? inVain + 1 : 0;
    if (inVain > 0) await pause(LEASE_MS);
  }
  return shown;
}

againstExchange(
  'frequency caps and pacing of delegates',
  (exchange) => {
    const onDevice = (ifa: string = randomUUID()) => ({ device: { ifa } });
    /**
     * What requests of one device sell, `count` sales. On a busy machine the count of a device may be known too late,
     * and then nothing is sold: another device is asked for.
     */
    const soldOnOne = async (market: DelegateMarket, count: number, ...requests: readonly object[]) => {
      const { device, sold } = await eventually(`${count} sales on one device`, async () => {
        const device = onDevice();
        const sold: Sold[] = [];
        for (const request of requests) sold.push(...(await market.sold({ ...device, ...request })));
        return sold.length >= count ? { device, sold } : null;
      });
      expect(sold).to.have.length(count);
      return { device, sold };
    };

    shows('strategy.frequency_cap', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate();
      await market.upload(dspId, [campaignOf('capped', { frequency_cap: { max_impressions: 2 } })]);
      await market.wins('capped', onDevice());
      const { device, sold: shown } = await soldOnOne(market, 2, {}, {});
      expect(await market.sold(device), 'sold and not shown yet').to.deep.equal([]);
      await show(shown);
      expect(await market.sold(device), 'shown').to.deep.equal([]);
      // Another device; and of four imps of one request, two.
      await soldOnOne(market, 1, {});
      await soldOnOne(market, 2, { imp: manyImps.slice(0, 4) });
    });

    shows('strategy.frequency_cap.no-device', async () => {
      const market = await delegateMarket(exchange);
      const dspId = await market.delegate();
      await market.upload(dspId, [campaignOf('capped', { frequency_cap: { max_impressions: 2 } })]);
      await market.wins('capped', onDevice());
      expect(await market.sold()).to.deep.equal([]);
      expect(await market.sold({ device: { geo: { country: 'DEU' } } })).to.deep.equal([]);
      await market.wins('capped', onDevice());
    });

    for (const pacing of ['linear', 'aggressive', 'conservative'] as const satisfies readonly PacingMode[]) {
      shows(`strategy.pacing.${pacing}`, async () => {
        const market = await delegateMarket(exchange);
        const dspId = await market.delegate();
        // Each in its place, all day long, whatever the hour of this run.
        for (let hour = 1; hour < 24; hour++) {
          const ahead = plannedShare(pacing, hour / 24) - hour / 24;
          expect(Math.sign(ahead)).to.equal({ linear: 0, aggressive: 1, conservative: -1 }[pacing]);
        }
        const planned = () => Math.min(95, 100 * plannedShare(pacing, (Date.now() % DAY_MS) / DAY_MS));
        const before = planned();
        await market.upload(dspId, [costly('paced', { daily_cents: 100, ...(pacing !== 'linear' && { pacing }) })]);
        const shown = await showAll(market, planned);
        // As far as the plan goes, and a few impressions ahead of it.
        const after = planned();
        if (after >= before) expect(shown).to.be.within(Math.floor(before), Math.min(95, Math.ceil(after) + 4));
      });
    }
  },
  {
    pairs: PROVIDER_PAIRS,
    environment: { MAX_REQUESTS_PER_SECOND_PER_DEVICE: '1000', NEW_PUBLISHER_SHARE_PERCENT: '100' },
  },
);
