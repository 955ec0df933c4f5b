import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

againstExchange('impression tracking', (exchange) => {
  let market: Market;
  before(async () => {
    market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
  });
  const sold = async (): Promise<URL> => new URL((await market.bid()).burl);
  const figures = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/stats`)).body;
  const impressions = async (): Promise<number> => (await figures()).impressions;
  /** Every impression that a test has confirmed: what the figures must say in the end, and never more. */
  let confirmed = 0;
  const confirm = async (url: URL): Promise<Response> => {
    confirmed++;
    return fetch(url);
  };
  const settled = () =>
    eventually('the impressions to be counted', async () => (await impressions()) >= confirmed, {
      timeoutMs: 60_000,
    });

  describe('the answer', () => {
    let response: Response;
    let bytes: Buffer;
    before(async () => {
      response = await confirm(await sold());
      bytes = Buffer.from(await response.arrayBuffer());
    });
    shows('tracking.200', () => expect(response.status).to.equal(200));
    shows(['tracking.gif', 'limit.pixel'], () => {
      expect(response.headers.get('content-type')).to.equal('image/gif');
      expect(bytes).to.have.length(43);
      expect(bytes.toString('latin1', 0, 6)).to.equal('GIF89a');
      expect([bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).to.deep.equal([1, 1]);
      // A graphic control extension whose transparency flag is set.
      const control = bytes.indexOf(Buffer.from([0x21, 0xf9, 0x04]));
      expect(bytes.readUInt8(control + 3) & 1).to.equal(1);
    });
    shows('tracking.no-store', () => expect(response.headers.get('cache-control')).to.equal('no-store'));
  });

  describe('the query', () => {
    let url: URL;
    let request: { readonly id: string };
    before(async () => {
      request = market.request();
      url = new URL((await market.bid(request as never)).burl);
    });
    const parameter = (name: string) => url.searchParams.get(name);
    shows('tracking.query.id', () => expect(parameter('id')).to.equal(request.id));
    shows('tracking.query.pub', () => expect(parameter('pub')).to.equal(market.publisherId));
    shows('tracking.query.dsp', () => expect(parameter('dsp')).to.equal(market.bidders[0]!.dspId));
    shows('tracking.query.partner', async () => {
      expect(parameter('partner')).to.equal(null);
      const partner: string = (await exchange.create('/api/partners', {})).id;
      const partnered = await exchange.market({
        publisher: { partner_id: partner },
        bidders: [{ script: bids({ price: 1 }) }],
      });
      expect(new URL((await partnered.bid()).burl).searchParams.get('partner')).to.equal(partner);
    });
    shows('tracking.query.price', () => expect(parameter('price')).to.equal('2500000'));
  });

  describe('what it bills', () => {
    shows(['tracking.confirms', 'tracking.server-to-server'], async () => {
      await settled();
      const before = await figures();
      await confirm(await sold());
      await settled();
      const after = await figures();
      expect(after.impressions).to.equal(before.impressions + 1);
      expect(after.revenue_cents).to.be.closeTo(before.revenue_cents + 0.25, 1e-9);
    });

    const alike = async (url: URL | string) => {
      const response = await fetch(url);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('image/gif');
      expect((await response.arrayBuffer()).byteLength).to.equal(43);
    };
    /** An impression confirmed after the rest is counted after it. */
    const billedNothing = async () => {
      await confirm(await sold());
      await settled();
      expect(await impressions()).to.equal(confirmed);
    };

    shows('tracking.once', async () => {
      const url = await sold();
      await confirm(url);
      await Promise.all([alike(url), alike(url), alike(url)]);
      await billedNothing();
    });
    shows('tracking.forged', async () => {
      const dearer = await sold();
      dearer.searchParams.set('price', '9000000');
      await alike(dearer);
      const shifted = await sold();
      shifted.searchParams.set('dsp', market.publisherId);
      await alike(shifted);
      const made = new URLSearchParams({
        id: 'own',
        pub: market.publisherId,
        dsp: market.bidders[0]!.dspId,
        price: '2500000',
      });
      await alike(`${exchange.running.edgeUrl}/track/impression?${made}`);
      await billedNothing();
    });
    shows('tracking.meaningless', async () => {
      await alike(`${exchange.running.edgeUrl}/track/impression`);
      await billedNothing();
    });
    shows('tracking.method', async () => {
      const url = await sold();
      for (const method of ['POST', 'HEAD', 'PUT']) {
        expect((await fetch(url, { method })).status, method).to.equal(405);
      }
      await billedNothing();
    });
  });
});

/** Short enough to wait for, and long enough that a pixel which is called at once is within it on a busy machine. */
const RENDER_WINDOW_MS = 5_000;

againstExchange(
  'impressions that come late',
  (exchange) => {
    shows('tracking.late', async () => {
      const market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
      const { burl } = await market.bid();
      const soldMs = Date.now();
      await eventually('the render window to pass', () => Date.now() > soldMs + RENDER_WINDOW_MS);
      expect((await fetch(burl)).status).to.equal(200);
      // Counted after the late one.
      expect((await fetch((await market.bid()).burl)).status).to.equal(200);
      const path = `/api/supply/sources/${market.publisherId}/stats`;
      const figures = await eventually('an impression', async () => {
        const { body } = await exchange.get(path);
        return body.impressions > 0 && body;
      });
      expect(figures).to.include({ impressions: 1, revenue_cents: 0.25 });
    });
  },
  { environment: { RENDER_WINDOW_SECONDS: String(RENDER_WINDOW_MS / 1_000) }, steady: true },
);
