import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { type CreativeStorage, CreativeStorageUnavailable } from '#gateways/creatives/storage/creative-storage';
import { createFileStorage } from '#gateways/creatives/storage/file-storage';
import { systemRandom } from '#runtime/providers/system/system-random';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';

describe('gateways/edge/creatives', () => {
  const edge = new EdgeUnderTest();
  const bytes = randomBytes(200_000);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const path = `/creative/${sha256}`;
  let folder: string;
  let storage: CreativeStorage;

  const put = async (content: Buffer, mimeType: string): Promise<string> => {
    const name = createHash('sha256').update(content).digest('hex');
    const staged = join(folder, 'staged');
    await writeFile(staged, content);
    await storage.put(name, { path: staged, bytes: content.length, mimeType });
    return `/creative/${name}`;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'served-creatives-'));
    storage = createFileStorage({ folder: join(folder, 'creatives'), random: systemRandom });
    edge.creatives = storage;
    await edge.start();
    await put(bytes, 'video/mp4');
  });
  after(async () => {
    await edge.close();
    await rm(folder, { recursive: true });
  });
  const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('serves a file whole, for ever, to any page, and as nothing that runs', async () => {
    const response = await edge.get(path, { origin: 'https://player.test' });
    expect(response.status).to.equal(200);
    expect((await bodyOf(response)).equals(bytes)).to.equal(true);
    const headers = Object.fromEntries(response.headers);
    expect(headers).to.include({
      'content-type': 'video/mp4',
      'content-length': '200000',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${sha256}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(headers['x-request-id']).to.match(/^[\w-]{22}$/);
    expect(headers['content-security-policy']).to.contain("default-src 'none'").and.to.contain('sandbox');
    expect(headers['set-cookie']).to.equal(undefined);
  });

  it('serves ranges, open and closed, as players ask for them', async () => {
    for (const [range, start, end] of [
      ['bytes=0-99', 0, 99],
      ['bytes=199900-', 199_900, 199_999],
      ['bytes=-1', 199_999, 199_999],
      ['bytes=199990-999999', 199_990, 199_999],
    ] as const) {
      const response = await edge.get(path, { range });
      expect(response.status, range).to.equal(206);
      expect(response.headers.get('content-range')).to.equal(`bytes ${start}-${end}/200000`);
      expect(response.headers.get('content-length')).to.equal(String(end - start + 1));
      expect((await bodyOf(response)).equals(bytes.subarray(start, end + 1)), range).to.equal(true);
    }
    const beyond = await edge.get(path, { range: 'bytes=200000-' });
    expect(beyond.status).to.equal(416);
    expect(Object.fromEntries(beyond.headers))
      .to.include({ 'content-range': 'bytes */200000', 'cache-control': 'no-store' })
      .and.not.have.any.keys('etag', 'content-type');
    for (const whole of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=x']) {
      const response = await edge.get(path, { range: whole });
      expect([response.status, (await bodyOf(response)).length], whole).to.deep.equal([200, 200_000]);
    }
  });

  it('takes a range only of the file that is meant', async () => {
    const same = await edge.get(path, { range: 'bytes=0-9', 'if-range': `"${sha256}"` });
    expect([same.status, (await bodyOf(same)).length]).to.deep.equal([206, 10]);
    const other = await edge.get(path, { range: 'bytes=0-9', 'if-range': '"another"' });
    expect([other.status, (await bodyOf(other)).length]).to.deep.equal([200, 200_000]);
  });

  it('answers 304 to a caller that has it, and HEAD without a body', async () => {
    const known = await edge.get(path, { 'if-none-match': `"${sha256}"` });
    expect([known.status, (await bodyOf(known)).length]).to.deep.equal([304, 0]);
    expect((await edge.get(path, { 'if-none-match': '"another"' })).status).to.equal(200);
    const head = await fetch(`${edge.origin}${path}`, { method: 'HEAD' });
    expect([head.status, (await bodyOf(head)).length]).to.deep.equal([200, 0]);
    expect(head.headers.get('content-length')).to.equal('200000');
    expect((await fetch(`${edge.origin}${path}`, { method: 'POST' })).status).to.equal(405);
  });

  it('serves files of any size one after the other on one connection', async () => {
    const small = await put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml');
    const empty = await put(Buffer.alloc(0), 'application/octet-stream');
    expect((await bodyOf(await edge.get(empty))).length).to.equal(0);
    const svg = await edge.get(small);
    expect(svg.headers.get('content-security-policy')).to.contain('sandbox');
    expect((await svg.text()).startsWith('<svg')).to.equal(true);
  });

  it('has nothing under names that nothing was put under', async () => {
    for (const name of ['0'.repeat(64), 'abc', sha256.toUpperCase(), `${sha256}.type`, '..%2f..%2fetc%2fpasswd']) {
      const response = await edge.get(`/creative/${name}`);
      expect(response.status, name).to.equal(404);
      expect(response.headers.get('cache-control'), name).to.equal('no-store');
    }
    expect((await edge.get(`/creative/${'1'.repeat(64)}`)).status).to.equal(404);
    const told = edge.logged.filter(({ message }) => message.includes('CREATIVES_DIR'));
    expect(told, 'told once, whoever asks for what').to.have.length(1);
    expect(told[0]!.fields).to.deep.equal({ sha256: '0'.repeat(64) });
  });

  it('says so when the storage is away, and cuts off what it cannot finish', async () => {
    edge.creatives = { open: () => Promise.reject(new CreativeStorageUnavailable('away')) };
    expect((await edge.get(path)).status).to.equal(503);
    edge.creatives = {
      open: async () => ({
        bytes: 200_000,
        mimeType: 'video/mp4',
        read: () => Promise.reject(new CreativeStorageUnavailable('away')),
      }),
    };
    for (const range of ['', 'bytes=0-9']) {
      const failed = await edge.get(path, range === '' ? {} : { range });
      expect(failed.status).to.equal(503);
      const headers = Object.fromEntries(failed.headers);
      expect(headers).to.include({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
      expect(headers, 'to be read by pages, as the file').to.include({ 'access-control-allow-origin': '*' });
      expect(headers).to.not.have.any.keys('etag', 'content-range', 'accept-ranges');
      expect((await jsonOf(failed)).error.code).to.equal('SERVICE_UNAVAILABLE');
    }
    const breaking = function* () {
      yield bytes.subarray(0, 100);
      throw new Error('the storage broke off');
    };
    edge.creatives = {
      open: async () => ({ bytes: 200_000, mimeType: 'video/mp4', read: async () => Readable.from(breaking()) }),
    };
    const cut = await edge
      .get(path)
      .then(bodyOf)
      .catch((error: Error) => error);
    expect(cut).to.be.instanceOf(Error);
    edge.creatives = storage;
    expect((await bodyOf(await edge.get(path))).length).to.equal(200_000);
  });
});
