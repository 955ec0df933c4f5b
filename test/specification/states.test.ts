import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, PROVIDER_PAIRS } from '../support/exchange.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

const supply = '/api/supply/sources';
const demand = '/api/demand/sources';

againstExchange(
  'states',
  (exchange) => {
    const source = (fields: object = {}) => exchange.create(supply, { domain: 'd.example', type: 'web', ...fields });
    const archive = (path: string) => exchange.call('DELETE', path);
    const market = (dsp: { sandbox?: boolean } = {}) =>
      exchange.market({ bidders: [{ script: bids({ price: 2 }), dsp }] });
    /** The specification gives a change 30 s. */
    const becomes = (status: number, of: Market, headers: Record<string, string> = {}) =>
      eventually(`ad requests to be answered ${status}`, async () => (await of.ask({}, headers)).status === status, {
        timeoutMs: 60_000,
      });

    shows('state.supply.archive.active', async () => {
      const { id, status } = await source();
      expect(status).to.equal('active');
      expect((await archive(`${supply}/${id}`)).body.status).to.equal('archived');
    });
    shows('state.supply.archive.sandbox', async () => {
      const { id, status } = await source({ sandbox: true });
      expect(status).to.equal('sandbox');
      expect((await archive(`${supply}/${id}`)).body.status).to.equal('archived');
    });
    shows('state.supply.archive.archived', async () => {
      const { id } = await source();
      const answers: Answer[] = [await archive(`${supply}/${id}`), await archive(`${supply}/${id}`)];
      for (const { status, body } of answers) expect([status, body.status]).to.deep.equal([200, 'archived']);
    });
    shows('state.supply.archive.traffic', async () => {
      const open = await market();
      expect((await open.ask()).status).to.equal(200);
      await archive(`${supply}/${open.publisherId}`);
      await becomes(403, open);
      const asked = open.bidders[0]!.received.length;
      expect((await open.ask()).status).to.equal(403);
      expect(open.bidders[0]!.received).to.have.length(asked);
    });
    shows('state.supply.archive.irreversible', async () => {
      const { id } = await source();
      await archive(`${supply}/${id}`);
      for (const changes of [{ sandbox: false }, { sandbox: true }, { name: 'Again' }]) {
        expect(errorOf(await exchange.call('PUT', `${supply}/${id}`, changes))).to.equal('409 CONFLICT');
      }
      expect((await exchange.call('PUT', `${supply}/${id}`, { status: 'active' })).status).to.equal(400);
      expect((await exchange.get(`${supply}/${id}`)).body.status).to.equal('archived');
    });
    shows('state.supply.leave-sandbox', async () => {
      const { id } = await source({ sandbox: true });
      const { body } = await exchange.call('PUT', `${supply}/${id}`, { sandbox: false });
      expect(body).to.include({ status: 'active', sandbox: false });
    });
    shows('state.demand.leave-sandbox', async () => {
      const rehearsing = await market({ sandbox: true });
      expect((await rehearsing.ask()).status).to.equal(204);
      const { dspId } = rehearsing.bidders[0]!;
      const { body } = await exchange.call('PUT', `${demand}/${dspId}`, { sandbox: false });
      expect(body).to.include({ status: 'active', sandbox: false });
      await becomes(200, rehearsing);
    });
    shows('state.demand.archived', async () => {
      const open = await market();
      await archive(`${demand}/${open.bidders[0]!.dspId}`);
      await becomes(204, open);
      const asked = open.bidders[0]!.received.length;
      await open.ask();
      expect(open.bidders[0]!.received).to.have.length(asked);
    });
    shows('limit.propagation', async () => {
      const open = await market();
      const change = async (method: string, path: string, body?: object) =>
        expect((await exchange.call(method, path, body)).status).to.equal(200);
      const subscription = `${demand}/${open.bidders[0]!.dspId}/pools/${open.poolId}`;
      await change('PUT', `${supply}/${open.publisherId}`, { floor_price_cpm: 3 });
      await becomes(204, open);
      await change('PUT', `${supply}/${open.publisherId}`, { floor_price_cpm: 0 });
      await becomes(200, open);
      await change('DELETE', subscription);
      await becomes(204, open);
      await change('POST', subscription);
      await becomes(200, open);
      await change('PUT', `${supply}/${open.publisherId}`, { pool_id: null });
      await becomes(204, open);
      await change('PUT', `/api/supply/pools/${open.poolId}/assign`, { publisher_id: open.publisherId });
      await becomes(200, open);
      await change('DELETE', `${supply}/${open.publisherId}`);
      await becomes(403, open);
    });
  },
  { pairs: PROVIDER_PAIRS },
);
