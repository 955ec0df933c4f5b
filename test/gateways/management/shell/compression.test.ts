import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { routes } from '#gateways/management/routes';
import { type AccountClients, type RunningManagement, startManagement } from '../running-management.ts';

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

describe('gateways/management/shell/compression', () => {
  let running: RunningManagement;
  let own: AccountClients;
  before(async function () {
    running = await startManagement(this);
    own = await running.newAccount();
  });
  after(() => running?.close());

  /** Without what `fetch` adds and undoes. */
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<Raw>((resolve, reject) => {
      const asking = request(`${running.baseUrl}${path}`, { headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(pieces) }),
        );
      });
      asking.once('error', reject);
      asking.end();
    });
  const gzip = { 'Accept-Encoding': 'gzip' };

  it('sends the description in a tenth of its bytes to callers that take gzip, and as it is to others', async () => {
    const [packed, plain] = [await get('/api/openapi.json', gzip), await get('/api/openapi.json')];
    expect([packed.headers['content-encoding'], plain.headers['content-encoding']]).to.deep.equal(['gzip', undefined]);
    expect(packed.headers.vary).to.include('Accept-Encoding');
    expect(gunzipSync(packed.body).equals(plain.body)).to.equal(true);
    expect(packed.body.length).to.be.lessThan(plain.body.length / 10 + 20_000);
    expect(packed.headers.etag).to.equal(plain.headers.etag).and.to.match(/^W\//);
  });

  it('answers 304 to callers that have the description, the docs page or a list already', async () => {
    for (const path of ['/api/openapi.json', '/docs', '/api/supply/pools', '/api/schemas/strategy.json']) {
      const key = { 'X-API-Key': own.liveKey };
      const first = await get(path, key);
      expect(first.status, path).to.equal(200);
      const again = await get(path, { ...key, ...gzip, 'If-None-Match': String(first.headers.etag) });
      expect([again.status, again.body.length], path).to.deep.equal([304, 0]);
      expect((await get(path, { ...key, 'If-None-Match': '"another"' })).status, path).to.equal(200);
    }
  });

  it('compresses no answer with a strong tag, no error, and no answer to anything but GET', async () => {
    const long = 'x'.repeat(2000);
    const key = { 'X-API-Key': own.liveKey };
    const pool = await own.api.post('/api/supply/pools', { name: 'Long', description: long.slice(0, 500) }, gzip);
    expect(pool.headers.get('content-encoding')).to.equal(null);
    const read = await get(`/api/supply/pools/${pool.body.id}`, { ...key, ...gzip });
    expect([read.headers.etag, read.headers['content-encoding']]).to.deep.equal(['"1-0-0"', undefined]);
    const refused = await get(`/api/supply/pools?sort=${long}`, { ...key, ...gzip });
    expect([refused.status, refused.headers['content-encoding']]).to.deep.equal([400, undefined]);
  });

  it('sends answers as they are to callers that take no encoding, not even none', async () => {
    for (const accepted of ['identity;q=0', '*;q=0', 'compress, identity;q=0']) {
      for (const path of ['/api/openapi.json', '/docs']) {
        const { status, headers, body } = await get(path, { 'Accept-Encoding': accepted });
        expect([status, headers['content-encoding']], `${path} ${accepted}`).to.deep.equal([200, undefined]);
        expect(body.equals((await get(path)).body)).to.equal(true);
      }
    }
  });

  it('compresses no answer that holds a credential', () => {
    const shown = routes.filter(
      ({ method, answer }) => method === 'GET' && answer.schema.properties?.key !== undefined,
    );
    const ofSources = ['/api/supply/sources/:id/key', '/api/demand/sources/:id/key'];
    expect(shown.map(({ path }) => path)).to.have.members([...ofSources, '/api/source/key', '/api/demand/key']);
    for (const { path, secret } of shown) expect(secret, path).to.equal(true);
  });
});
