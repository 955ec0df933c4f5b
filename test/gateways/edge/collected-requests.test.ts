import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describeCollected } from '../../exchange/openrtb/collected-requests.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson, PROVIDER_PAIRS, startTestExchange, type TestExchange } from '../../support/exchange.ts';

/** Refused by a well-known server for rules of its own or of older versions; OpenRTB 2.6 allows them. */
const ALLOWED_BY_THE_STANDARD = new Set([
  'banner-no-size.json',
  'banner-h-only.json',
  'banner-w-only.json',
  'format-empty-array.json',
  'interstitial-empty.json',
  'preferred-media-type-not-defined.json',
]);

/** Valid by OpenRTB, but without site, app or dooh there is no seller. */
const WITHOUT_PUBLISHER = 'no-site-or-app-or-dooh.json';

/** What our publisher is registered with. */
const DOMAIN = 'collected.example';

/** Stands for a user agent in one of the requests; no browser is so short of words. */
const NO_USER_AGENT = 'Mozilla';

interface Document {
  readonly id?: unknown;
  readonly device?: { readonly ua?: unknown };
  readonly imp?: readonly object[];
  readonly site?: object;
  readonly app?: object;
  readonly dooh?: object;
}

/**
 * The collected request, as one of our publisher's: its own ids are unknown to us, its site or app is not the one that
 * our publisher is registered with, and several of the requests have the same id.
 */
function ours(document: unknown, publisherId: string): Document {
  const request = document as Document;
  const id = typeof request.id === 'string' && request.id !== '' ? `${request.id} ${randomUUID()}` : request.id;
  for (const place of ['site', 'app', 'dooh'] as const) {
    if (request[place] && typeof request[place] === 'object') {
      const device =
        request.device?.ua === NO_USER_AGENT ? { ...request.device, ua: BROWSER_USER_AGENT } : request.device;
      const changed = { ...request, [place]: named(request[place], publisherId) };
      return { ...changed, ...('id' in request && { id }), ...('device' in request && { device }) };
    }
  }
  return request;
}

/** What names the inventory, where it is of the kind that it must be. */
function named(inventory: object, publisherId: string): object {
  const names = { id: publisherId, domain: DOMAIN, page: `https://${DOMAIN}/`, bundle: 'example.collected.app' };
  const stated = Object.entries(inventory).map(([name, value]) =>
    name in names && typeof value === 'string' && value !== ''
      ? [name, names[name as keyof typeof names]]
      : [name, value],
  );
  return { ...Object.fromEntries(stated), id: publisherId };
}

for (const pair of PROVIDER_PAIRS) {
  describe(`collected requests, auctioned against live bidders on ${pair}`, () => {
    let exchange: TestExchange;
    let bidders: ChildProcess;
    let publisherId: string;
    let calls = 0;
    let auctioned = 0;

    before(async function () {
      exchange = await startTestExchange(this, pair);
      bidders = fork(fileURLToPath(new URL('../../support/synthetic-bidders-process.js', import.meta.url)));
      const [endpoints] = (await once(bidders, 'message')) as [string[]];
      const { call } = exchange;
      const made = async (path: string, body: object) => {
        const { status, body: resource } = await call('POST', path, body);
        expect(status).to.equal(201);
        return resource.id as string;
      };
      const poolId = await made('/api/supply/pools', { name: 'Collected' });
      const supply = { name: 'Collected', domain: DOMAIN, type: 'web', pool_id: poolId };
      publisherId = await made('/api/supply/sources', supply);
      for (const [index, endpoint_url] of endpoints.entries()) {
        const id = await made('/api/demand/sources', { name: `Bidder ${index}`, mode: 'rtb', endpoint_url });
        expect((await call('POST', `/api/demand/sources/${id}/pools/${poolId}`)).status).to.equal(200);
      }
      await eventually('the edge fills a plain banner', async () => {
        const imp = [{ id: '1', banner: { w: 300, h: 250 } }];
        const { status } = await place({ id: 'first', imp, site: { id: publisherId } });
        return status === 200;
      });
    });

    after(async () => {
      bidders?.disconnect();
      await exchange?.stop();
    });

    const place = (request: unknown) => {
      calls++;
      return callJson('POST', `${exchange.edgeUrl}/rtb`, request);
    };

    const expectAuctioned = async (document: unknown) => {
      const request = ours(document, publisherId);
      const { status, body } = await place(request);
      expect(status, JSON.stringify(body)).to.be.oneOf([200, 204]);
      auctioned++;
      if (status === 204) return;
      expect(body.id).to.equal(request.id);
      for (const { bid } of body.seatbid)
        for (const { price, adm, burl } of bid) {
          expect(price).to.be.greaterThan(0);
          expect(adm).to.be.a('string').and.include(exchange.edgeUrl);
          expect(burl).to.match(/\/track\/impression\?id=/);
        }
    };

    describeCollected('valid', (requests) => {
      for (const { file, document } of requests) it(`auctions ${file}`, () => expectAuctioned(document));
    });

    describeCollected('invalid', (requests) => {
      for (const { file, document } of requests) {
        const { request } = document as { request: unknown };
        if (ALLOWED_BY_THE_STANDARD.has(file)) {
          it(`auctions ${file}`, () => expectAuctioned(request));
          continue;
        }
        it(`refuses ${file} with a clear error`, async () => {
          const { status, body, headers } = await place(ours(request, publisherId));
          expect(status).to.equal(400);
          expect(body.error.code).to.be.oneOf(['INVALID_PARAMS', 'VALIDATION_ERROR']);
          expect(body.error.message).to.be.a('string').and.not.equal('');
          expect(body.error.request_id).to.equal(headers.get('x-request-id'));
          if (file !== WITHOUT_PUBLISHER) expect(body.error.field).to.be.a('string');
        });
      }
    });

    describeCollected('traffic', (requests) => {
      for (const { file, document } of requests) {
        it(`answers ${file}`, async () => {
          const { status, body } = await place(ours(document, publisherId));
          expect(status).to.be.oneOf([200, 204, 400, 403]);
          if (status >= 400) expect(body.error.message).to.be.a('string').and.not.equal('');
        });
      }
    });

    describe('afterwards', () => {
      it('has counted every auction that it held', async () => {
        await eventually('the stats hold the auctions', async () => {
          const { body } = await exchange.call('GET', `/api/supply/sources/${publisherId}/stats?period=1h`);
          expect(body.bid_requests).to.be.at.most(calls);
          return body.bid_requests >= auctioned || Promise.reject(new Error(JSON.stringify(body)));
        });
      });
    });
  });
}
