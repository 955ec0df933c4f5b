import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import {
  bids,
  changedBids,
  dripFeed,
  gzipBomb,
  halfResponse,
  malformedJson,
  oversized,
  type Script,
  silent,
  status,
} from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const TEXT = 'x'.repeat(16_385);
const many = (entries: number) => Array.from({ length: entries }, (_, index) => `a${index}.test`);

const fields = (count: number) => Object.fromEntries(many(count).map((name) => [name, 1]));

function imps(count: number, w: unknown = 300) {
  return Array.from({ length: count }, (_, index) => ({ id: String(index), banner: { w, h: 250 } }));
}

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

function rawBanner(imp: string): string {
  return `{"id":"request-1","site":{"id":"pub-1"},"imp":[${imp}]}`;
}

describe('bad input at the edge', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest().start();
    await exchange.bidder(bids({ price: 1 }));
    exchange.publisher({ id: 'pub-archived', status: 'archived' });
  });
  after(() => exchange.close());
  afterEach(async () => {
    expect((await exchange.post(bannerRequest())).status, 'the next good request').to.equal(200);
    expect(exchange.logged, 'unforeseen errors').to.deep.equal([]);
  });

  type Case = readonly [what: string, body: unknown, status: number, code: string, field?: string];
  const cases: readonly Case[] = [
    ['malformed JSON', '{"id": "request-1"', 400, 'INVALID_JSON'],
    ['an empty body', '', 400, 'INVALID_JSON'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00, 0x01]), 400, 'INVALID_JSON'],
    ['an array', '[]', 400, 'VALIDATION_ERROR'],
    ['null', 'null', 400, 'VALIDATION_ERROR'],
    ['a text', '"request"', 400, 'VALIDATION_ERROR'],
    ['no id', bannerRequest({ id: undefined }), 400, 'INVALID_PARAMS', 'id'],
    ['an id that is a number', bannerRequest({ id: 7 }), 400, 'VALIDATION_ERROR', 'id'],
    ['no imp', bannerRequest({ imp: undefined }), 400, 'INVALID_PARAMS', 'imp'],
    ['an empty imp', bannerRequest({ imp: [] }), 400, 'VALIDATION_ERROR', 'imp'],
    ['an imp that is a text', bannerRequest({ imp: ['1'] }), 400, 'VALIDATION_ERROR', 'imp[0]'],
    ['an imp without a format', bannerRequest({ imp: [{ id: '1' }] }), 400, 'VALIDATION_ERROR', 'imp[0]'],
    [
      'a width that is a text',
      rawBanner('{"id":"1","banner":{"w":"300","h":250}}'),
      400,
      'VALIDATION_ERROR',
      'imp[0].banner.w',
    ],
    [
      'a floor that is a text',
      rawBanner('{"id":"1","banner":{},"bidfloor":"1"}'),
      400,
      'VALIDATION_ERROR',
      'imp[0].bidfloor',
    ],
    ['a floor that is NaN', rawBanner('{"id":"1","banner":{},"bidfloor":NaN}'), 400, 'INVALID_JSON'],
    ['a floor below zero', rawBanner('{"id":"1","banner":{},"bidfloor":-1}'), 403, 'FORBIDDEN', 'imp[0].bidfloor'],
    [
      'a floor beyond all numbers',
      rawBanner('{"id":"1","banner":{},"bidfloor":1e999}'),
      403,
      'FORBIDDEN',
      'imp[0].bidfloor',
    ],
    ['an absurd floor', rawBanner('{"id":"1","banner":{},"bidfloor":1e9}'), 403, 'FORBIDDEN', 'imp[0].bidfloor'],
    [
      'one imp id twice',
      rawBanner('{"id":"1","banner":{}},{"id":"1","banner":{}}'),
      400,
      'VALIDATION_ERROR',
      'imp[1].id',
    ],
    ['a site that is a text', bannerRequest({ site: 'pub-1' }), 400, 'VALIDATION_ERROR', 'site'],
    ['both a site and an app', bannerRequest({ app: { id: 'pub-1' } }), 400, 'VALIDATION_ERROR'],
    ['no publisher', bannerRequest({ site: { page: 'https://site.test/' } }), 400, 'INVALID_PARAMS', 'site.id'],
    ['neither site nor app', bannerRequest({ site: undefined }), 400, 'INVALID_PARAMS', 'site.id'],
    ['an unknown publisher', bannerRequest({ site: { id: 'nobody' } }), 403, 'FORBIDDEN'],
    ['a publisher named like a property', bannerRequest({ site: { id: '__proto__' } }), 403, 'FORBIDDEN'],
    ['an archived publisher', bannerRequest({ site: { id: 'pub-archived' } }), 403, 'FORBIDDEN'],
    ['nesting without end', rawBanner(`{"id":"1","banner":{},"ext":${nested(50_000)}}`), 400, 'VALIDATION_ERROR'],
    ['nesting past the bound', rawBanner(`{"id":"1","banner":{},"ext":${nested(80)}}`), 400, 'VALIDATION_ERROR'],
    ['an imp too many', bannerRequest({ imp: imps(51) }), 400, 'VALIDATION_ERROR', 'imp'],
    ['a hundred thousand imps', bannerRequest({ imp: imps(100_000, '') }), 413, 'PAYLOAD_TOO_LARGE'],
    ['an id that is no id', bannerRequest({ id: 'x'.repeat(257) }), 400, 'VALIDATION_ERROR', 'id'],
    [
      'an imp id that is none',
      rawBanner(`{"id":"${'x'.repeat(257)}","banner":{}}`),
      400,
      'VALIDATION_ERROR',
      'imp[0].id',
    ],
    [
      'a text past the bound',
      bannerRequest({ site: { id: 'pub-1', page: TEXT } }),
      400,
      'VALIDATION_ERROR',
      'site.page',
    ],
    ['a text past the bound in an extension', bannerRequest({ ext: { a: [TEXT] } }), 400, 'VALIDATION_ERROR'],
    ['an object with too many fields', bannerRequest({ user: fields(1_001) }), 400, 'VALIDATION_ERROR', 'user'],
    [
      'an object with too many fields in an extension',
      bannerRequest({ ext: { a: [fields(1_001)] } }),
      400,
      'VALIDATION_ERROR',
      'ext.a',
    ],
    ['a block list past the bound', bannerRequest({ badv: many(10_001) }), 400, 'VALIDATION_ERROR', 'badv'],
    ['a list past the bound', bannerRequest({ wseat: many(1_001) }), 400, 'VALIDATION_ERROR', 'wseat'],
    ['a body past the bound', `{"id":"${'x'.repeat(1_100_000)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ];
  for (const [what, body, code, error, field] of cases) {
    it(`${what}: ${code} ${error}`, async () => {
      const response = await exchange.post(body);
      expect(response.status).to.equal(code);
      const answer = await jsonOf(response);
      expect(answer.error.code).to.equal(error);
      expect(answer.error.message).to.be.a('string').and.not.equal('');
      expect(answer.error.request_id).to.equal(response.headers.get('x-request-id'));
      if (field === undefined) return;
      // What is forbidden is no field that is wrong: its message names what is meant.
      if (code === 403) expect(answer.error.message).to.contain(field);
      else expect(answer.error.field).to.equal(field);
    });
  }

  it('fifty imps, texts of 16,384 characters, objects of 1,000 fields and ids of 256 are taken', async () => {
    const text = TEXT.slice(1);
    const ext = { text, wide: fields(1_000) };
    const request = bannerRequest({ id: 'x'.repeat(256), imp: imps(50), badv: many(10_000), ext });
    expect((await exchange.post(request)).status).to.equal(204);
  });

  async function errorOf(response: Response): Promise<readonly [number, string]> {
    return [response.status, (await jsonOf(response)).error.code];
  }

  it('a gzip bomb is 413, and broken gzip and other codings are refused', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    expect(bomb.length).to.be.below(100_000);
    expect(await errorOf(await exchange.post(bomb, gzip))).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
    const small = gzipSync(Buffer.alloc(8 * 1024 * 1024, 0x20));
    expect(await errorOf(await exchange.post(small, gzip))).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
    expect(await errorOf(await exchange.post('{}', gzip))).to.deep.equal([400, 'INVALID_PARAMS']);
    for (const unsaid of [bomb, small]) {
      for (const path of ['/rtb', '/rtb?gzip=1']) {
        const answer = await exchange.post(unsaid, { 'content-type': 'text/plain' }, path);
        expect(await errorOf(answer), path).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
      }
    }
    const cut = gzipSync(JSON.stringify(bannerRequest())).subarray(0, 60);
    expect(await errorOf(await exchange.post(cut, {}, '/rtb?gzip=1'))).to.deep.equal([400, 'INVALID_PARAMS']);
    const brotli = await exchange.post('{}', { 'content-encoding': 'br' });
    expect(await errorOf(brotli)).to.deep.equal([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('a body past the bound without a length is 413 too', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 20) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${exchange.origin}/rtb`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await errorOf(response)).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
  });

  for (const type of ['text/html', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/xml']) {
    it(`${type} is 415`, async () => {
      const response = await exchange.post(bannerRequest(), { 'content-type': type });
      expect(await errorOf(response)).to.deep.equal([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });
  }

  it('takes a charset behind the content type', async () => {
    const response = await exchange.post(bannerRequest(), { 'content-type': 'application/json; charset=utf-8' });
    expect(response.status).to.equal(200);
  });

  for (const [method, path, allowed] of [
    ['GET', '/rtb', 'POST'],
    ['PUT', '/', 'POST'],
    ['DELETE', '/rtb', 'POST'],
    ['POST', '/vast', 'GET'],
    ['POST', '/track/impression', 'GET'],
  ] as const) {
    it(`${method} ${path} is 405`, async () => {
      const response = await fetch(`${exchange.origin}${path}`, { method });
      expect(response.headers.get('allow')).to.equal(allowed);
      expect(await errorOf(response)).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
    });
  }

  it('HEAD holds no auction', async () => {
    const response = await fetch(`${exchange.origin}/vast?site_id=pub-1`, { method: 'HEAD' });
    expect(response.status).to.equal(405);
    expect(response.headers.get('allow')).to.equal('GET');
  });

  it('an unknown path is 404', async () => {
    expect(await errorOf(await exchange.get('/nothing'))).to.deep.equal([404, 'NOT_FOUND']);
  });

  it('a target that is no URL is 400', async () => {
    const { port } = new URL(exchange.origin);
    for (const line of ['GET http://[', 'POST http://[']) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${line} HTTP/1.1\r\nHost: edge\r\nConnection: close\r\n\r\n`);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      expect(head, line).to.match(/^HTTP\/1\.1 400 /);
      const { error } = JSON.parse(body);
      expect(error).to.include({ code: 'INVALID_PARAMS', message: 'The URL of the request cannot be read.' });
      expect(head).to.include(`X-Request-Id: ${error.request_id}`);
    }
  });

  it('sandbox that is neither true nor false is 400', async () => {
    const response = await exchange.post(bannerRequest(), {}, '/rtb?sandbox=perhaps');
    expect(await errorOf(response)).to.deep.equal([400, 'INVALID_PARAMS']);
  });

  it('outlives a caller that hangs up in the middle of its body', async () => {
    const { port } = new URL(exchange.origin);
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          'POST /rtb HTTP/1.1\r\nhost: edge\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id":',
        );
        socket.end();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.resume();
    });
  });
});

describe('bad answers from bidders', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  const cases: readonly (readonly [what: string, script: Script, counted: string])[] = [
    ['garbage', malformedJson(), 'errors/malformed-response'],
    ['a gzip bomb', gzipBomb(20), 'errors/response-too-large'],
    ['too much', oversized(400_000), 'errors/response-too-large'],
    ['half a response', halfResponse(), 'errors/unreachable'],
    ['a body that never ends', dripFeed(), 'timeouts'],
    ['silence', silent(), 'timeouts'],
    ['a redirect', status(301, { location: 'http://127.0.0.1:9/' }), 'errors/http-error'],
    ['an error', status(503), 'errors/http-error'],
    ['a wrong id', changedBids(5, { id: 'another-request' }), 'errors/wrong-request-id'],
    ['an array', status(200, {}, '[]'), 'errors/malformed-response'],
    ['a seatbid that is a text', changedBids(5, { seatbid: 'bids' }), 'errors/malformed-response'],
    ['an empty seatbid', changedBids(5, { seatbid: [] }), 'noBids'],
    ['another currency', changedBids(5, { cur: 'EUR' }), 'losses/wrong-currency'],
    ['a negative price', bids({ price: -5 }), 'losses/invalid-price'],
    ['a price that is a text', bids({ price: '5' as unknown as number }), 'losses/malformed-bid'],
    ['an imp that was not offered', bids({ price: 5, impid: 'other' }), 'losses/unknown-imp'],
    ['another size', bids({ price: 5, w: 728, h: 90 }), 'losses/size-not-allowed'],
    ['no markup', bids({ price: 5, adm: undefined }), 'losses/missing-markup'],
    ['a bid that is null', changedBids(5, { seatbid: [{ bid: [null] }] }), 'losses/malformed-bid'],
  ];
  for (const [what, script, counted] of cases) {
    it(`${what} is counted as ${counted}, and the honest bid wins`, async () => {
      await exchange.bidder(script, { id: 'dsp-bad' });
      await exchange.bidder(bids({ price: 1 }), { id: 'dsp-good' });
      const response = await exchange.post(bannerRequest());
      expect(response.status).to.equal(200);
      expect((await jsonOf(response)).seatbid[0].bid[0].price).to.equal(1);
      expect(await exchange.counted('dsp', 'dsp-bad')).to.include({ bidRequests: 1, [counted]: 1 });
      expect(exchange.logged).to.deep.equal([]);
    });
  }
});
