import { expect } from 'chai';
import { percentile } from '#bench/statistics';
import { firstSandbox } from '#gateways/management/bootstrap/account-sandbox';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { callJson, PROVIDER_PAIRS, startTestExchange, type TestExchange } from '../../support/exchange.ts';
import { type SyntheticBidders, startSyntheticBidders } from '../../support/synthetic-server.ts';

/**
 * Design goal: from the 200 of a change to the first auction that uses it. The machine may be busy: some take longer.
 */
const propagationMs = 1_000;
/** The limit of the specification. */
const limitMs = 30_000;

for (const pair of PROVIDER_PAIRS) {
  describe(`gateways/management/changes reach the auction on ${pair}`, () => {
    let running: TestExchange;
    let bidders: SyntheticBidders;

    before(async function () {
      running = await startTestExchange(this, pair);
      bidders = await startSyntheticBidders(systemRandom);
    });
    after(async () => {
      await bidders?.close();
      await running?.stop();
    });

    const made = async (path: string, body: object): Promise<string> => {
      const answer = await running.call('POST', path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const change = async (method: string, path: string, body?: object): Promise<void> => {
      const answer = await running.call(method, path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    };
    let requests = 0;
    const askFor = (publisherId: string) =>
      callJson('POST', `${running.edgeUrl}/rtb`, {
        id: `request-${++requests}`,
        imp: [{ id: '1', banner: { w: 300, h: 250 } }],
        site: { id: publisherId },
      });
    const inForce = (status: number, publisherId: string) =>
      eventually(`ad requests to be answered ${status}`, async () => (await askFor(publisherId)).status === status);

    it('from the creation of a source to its archive', async () => {
      const tookMs: number[] = [];
      const becomes = async (status: number, publisherId: string) => {
        const since = performance.now();
        await inForce(status, publisherId);
        tookMs.push(performance.now() - since);
      };
      const pool = await made('/api/supply/pools', { name: 'Pool' });
      const publisher = await made('/api/supply/sources', { name: 'News', domain: 'news.example', type: 'web' });
      const endpoint = bidders.endpoints.get('LowBidder');
      const dsp = await made('/api/demand/sources', { name: 'Buyer', mode: 'rtb', endpoint_url: endpoint });
      await becomes(204, publisher);

      await change('PUT', `/api/supply/pools/${pool}/assign`, { publisher_id: publisher });
      await change('POST', `/api/demand/sources/${dsp}/pools/${pool}`);
      await becomes(200, publisher);

      await change('PUT', `/api/supply/sources/${publisher}`, { floor_price_cpm: 2 });
      await becomes(204, publisher);
      await change('PUT', `/api/supply/sources/${publisher}`, { floor_price_cpm: 1 });
      await becomes(200, publisher);

      await change('PUT', `/api/supply/pools/${pool}`, { floor_price_cpm: 2 });
      await becomes(204, publisher);
      await change('PUT', `/api/supply/pools/${pool}`, { floor_price_cpm: 0 });
      await becomes(200, publisher);

      await change('DELETE', `/api/demand/sources/${dsp}/pools/${pool}`);
      await becomes(204, publisher);
      await change('POST', `/api/demand/sources/${dsp}/pools/${pool}`);
      await becomes(200, publisher);

      await change('DELETE', `/api/demand/sources/${dsp}`);
      await becomes(204, publisher);
      await change('DELETE', `/api/supply/sources/${publisher}`);
      await becomes(403, publisher);
      expect(percentile(tookMs, 0.6), 'ms within which most were').to.be.below(propagationMs);
      expect(Math.max(...tookMs), 'ms of the slowest').to.be.below(limitMs);
    });

    it('of many sources that are archived at once, each stops', async () => {
      const source = (number: number) => ({ name: `Batch ${number}`, domain: 'batch.example', type: 'web' });
      const ids = await Promise.all(
        Array.from({ length: 60 }, (_, number) => made('/api/supply/sources', source(number))),
      );
      for (const id of ids) await inForce(204, id);
      const archived = await Promise.all(
        ids.map(async (id) => {
          await change('DELETE', `/api/supply/sources/${id}`);
          const since = performance.now();
          await inForce(403, id);
          return performance.now() - since;
        }),
      );
      // All at once: each waits for those before it.
      expect(Math.min(...archived), 'ms of the quickest').to.be.below(propagationMs);
      expect(Math.max(...archived), 'ms of the slowest').to.be.below(limitMs);
    });

    if (pair === 'embedded') {
      it('and the first sandbox fills without any', async () => {
        const answer = await askFor(firstSandbox.publisherId);
        expect(answer.status).to.equal(200);
        expect(answer.body.seatbid[0].seat).to.be.oneOf(['HighBidder', 'RandomBidder']);
      });
    }
  });
}
