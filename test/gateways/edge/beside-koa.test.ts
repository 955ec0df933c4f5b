import { request } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';

/** Served beside Koa, and the same endpoint with a query that says nothing, which goes through Koa. */
const PATHS = ['/rtb', '/rtb?through=koa'] as const;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Case {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: () => Buffer | string;
  readonly status: number;
}

const json = (fields: Readonly<Record<string, unknown>> = {}) => JSON.stringify(bannerRequest(fields));
const JSON_TYPE = { 'content-type': 'application/json' };

const cases: Readonly<Record<string, Case>> = {
  'a sold request': { body: () => json(), status: 200 },
  'the caller’s request id': { headers: { ...JSON_TYPE, 'x-request-id': 'mine-1' }, body: () => json(), status: 200 },
  'an answer in gzip': { headers: { ...JSON_TYPE, 'accept-encoding': 'gzip' }, body: () => json(), status: 200 },
  'a preference for plain answers': {
    headers: { ...JSON_TYPE, 'accept-encoding': 'gzip;q=0.5, identity' },
    body: () => json(),
    status: 200,
  },
  'a body in gzip': {
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: () => gzipSync(json()),
    status: 200,
  },
  'no content type': { headers: {}, body: () => json(), status: 200 },
  'a request that nobody may bid for': { body: () => json({ badv: ['advertiser.test'] }), status: 204 },
  'a currency without bids': { body: () => json({ cur: ['EUR'] }), status: 204 },
  'the sandbox': { headers: { ...JSON_TYPE, 'x-sandbox': 'true' }, body: () => json(), status: 204 },
  'malformed JSON': { body: () => '{"id":', status: 400 },
  'no bid request': { body: () => '[]', status: 400 },
  'a wrong field': { body: () => json({ imp: [{ id: 1 }] }), status: 400 },
  'a switch that is misspelt': { headers: { ...JSON_TYPE, 'x-sandbox': 'yes' }, body: () => json(), status: 400 },
  'an unknown key': { headers: { ...JSON_TYPE, 'x-api-key': 'pk_live_unknown' }, body: () => json(), status: 401 },
  'an unknown publisher': { body: () => json({ site: { id: 'nobody' } }), status: 403 },
  'a body past the bound': { body: () => ' '.repeat(1024 * 1024 + 1), status: 413 },
  'another content type': { headers: { 'content-type': 'text/csv' }, body: () => json(), status: 415 },
  'another coding': { headers: { ...JSON_TYPE, 'content-encoding': 'br' }, body: () => json(), status: 415 },
};

describe('bid requests beside Koa', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest().start();
    await exchange.bidder(bids({ price: 1 }));
  });
  after(() => exchange.close());

  const ask = (path: string, { headers = JSON_TYPE, body }: Case, method = 'POST'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(body());
      const asking = request(
        `${exchange.origin}${path}`,
        { method, headers: { ...headers, 'content-length': bytes.length } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const whole = Buffer.concat(chunks);
            const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole;
            resolve({ status: answer.statusCode!, headers: answer.headers, body: text.toString() });
          });
        },
      );
      asking.on('error', reject);
      asking.end(bytes);
    });

  /** What must be the same: ids, times and signatures of one answer are not those of the next. */
  const comparable = ({ status, headers, body }: Answer) => {
    const { date: _date, 'x-request-id': requestId, 'content-length': _length, ...others } = headers;
    const document = body === '' ? null : JSON.parse(body);
    const isOwnId = requestId !== 'mine-1';
    if (document?.error && isOwnId) delete document.error.request_id;
    const error = document?.error ?? null;
    return {
      status,
      headers: others,
      requestId: isOwnId ? typeof requestId : requestId,
      error,
      isSold: document !== null,
    };
  };

  for (const [what, one] of Object.entries(cases)) {
    it(`are answered as through it: ${what}`, async () => {
      const [beside, through] = [await ask(PATHS[0], one), await ask(PATHS[1], one)];
      expect(beside.status, beside.body).to.equal(one.status);
      expect(comparable(beside)).to.deep.equal(comparable(through));
      expect(Object.keys(beside.headers).sort()).to.deep.equal(Object.keys(through.headers).sort());
      expect(exchange.logged, 'unforeseen errors').to.deep.equal([]);
    });
  }

  it('keep the connection of a refused one, and name what may be called', async () => {
    for (const path of PATHS) {
      const { status, headers } = await ask(path, cases['a sold request']!, 'PUT');
      expect(status).to.equal(405);
      expect(headers.allow).to.equal('POST');
    }
  });

  it('of pages get the headers for pages', async () => {
    const headers = { ...JSON_TYPE, origin: 'https://site.test' };
    for (const path of PATHS) {
      const answer = await ask(path, { ...cases['a sold request']!, headers });
      expect(answer.status).to.equal(200);
      expect(answer.headers['access-control-allow-origin']).to.equal('https://site.test');
    }
  });
});
