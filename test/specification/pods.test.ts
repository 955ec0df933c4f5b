import { expect } from 'chai';
import { noBid } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { PROVIDER_PAIRS } from '../support/exchange.ts';
import { spotBids } from '../support/spot.ts';
import { againstExchange } from './against-exchange.ts';
import type { Market } from './market.ts';

interface SoldSpot {
  readonly impid: string;
  readonly crid: string;
  readonly price: number;
  readonly burl: string;
}

const SLOT = { mimes: ['video/mp4'], podid: 'p', minduration: 5, maxduration: 30 };
const BREAK = { ...SLOT, poddur: 45, maxseq: 3 };

/** From the answer of an auction to the amounts due, over HTTP alone. */
againstExchange(
  'pods',
  (exchange) => {
    let market: Market;
    before(async () => {
      market = await exchange.market({
        publisher: { type: 'ctv', domain: 'com.example.tv' },
        bidders: [{ script: noBid() }, { script: noBid() }],
      });
    });

    const sold = async (...imp: readonly object[]): Promise<SoldSpot[]> => {
      const { status, body } = await market.ask({ imp, site: undefined, app: { id: market.publisherId } });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.seatbid.flatMap(({ bid }: { bid: SoldSpot[] }) => bid);
    };
    const supply = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/stats?period=1h`)).body;
    const demand = async (index: number) =>
      (await exchange.get(`/api/demand/sources/${market.bidders[index]!.dspId}/stats?period=1h`)).body;

    it('are billed ad by ad, each once, and the ledgers balance', async () => {
      const before = await eventually('the opening to be counted', async () => {
        const stats = await supply();
        return stats.bid_requests === market.answers.length && stats;
      });
      const [first, second] = market.bidders;
      first!.script = spotBids(
        { name: 'a', price: 5 },
        { name: 'b', price: 4 },
        { name: 'first', price: 2, imp: 1 },
        { name: 'c', price: 1.5, imp: 2 },
      );
      second!.script = spotBids({ name: 'd', price: 3 }, { name: 'e', price: 0.5, imp: 1 });
      const pods = [
        await sold({ id: 'dynamic', video: BREAK }),
        await sold({ id: '0', video: SLOT }, { id: '1', video: SLOT }, { id: '2', video: SLOT }),
        await sold({ id: 'portion', video: BREAK }, { id: 'slot', video: { ...SLOT, slotinpod: 1 } }),
      ];
      expect(pods.map((spots) => spots.map(({ impid, crid }) => `${impid} ${crid}`))).to.deep.equal([
        ['dynamic a', 'dynamic b', 'dynamic d'],
        ['0 a', '1 first', '2 c'],
        ['portion a', 'portion b', 'portion d', 'slot first'],
      ]);
      const spots = pods.flat();
      // Every burl twice, and not the last of each pod: viewers leave.
      const shown = pods.flatMap((pod) => pod.slice(0, -1));
      for (const { burl } of [...shown, ...shown]) expect((await fetch(burl)).status).to.equal(200);
      const cents = shown.reduce((sum, { price }) => sum + price / 10, 0);
      await eventually('every impression to be booked', async () => (await supply()).impressions === shown.length, {
        timeoutMs: 60_000,
      });
      const both = async () => ({ one: await demand(0), other: await demand(1) });
      const spent = await eventually('the demand sources to have paid for them', async () => {
        const stats = await both();
        return stats.one.impressions + stats.other.impressions === shown.length ? stats : null;
      });
      const { revenue_cents: revenue, impressions } = await supply();
      expect(impressions).to.equal(shown.length);
      expect(revenue).to.be.closeTo(cents, 1e-9);
      expect(spent.one.spend_cents + spent.other.spend_cents).to.be.closeTo(revenue, 1e-9);
      const after = await eventually('the auctions to be counted', async () => {
        const stats = await supply();
        return stats.bid_requests === before.bid_requests + 3 && stats;
      });
      // Of 1, 3 and 2 imps all are filled, with 10 ads; the opening's were not.
      const imps = market.answers.reduce((sum, answer) => sum + answer.imps, 0);
      expect(after.fill_rate).to.equal(Math.round((6 / imps) * 10_000) / 10_000);
      const wins = await eventually('the wins to be counted', async () => {
        const stats = await both();
        return stats.one.wins + stats.other.wins === spots.length ? stats : null;
      });
      expect([wins.one.wins, wins.other.wins]).to.deep.equal([8, 2]);
    });
  },
  { pairs: PROVIDER_PAIRS },
);
