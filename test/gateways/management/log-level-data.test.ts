import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Destination, DestinationUnavailable } from '#gateways/log-level-data/destination/destination';
import { createFolderDestination } from '#gateways/log-level-data/destination/folder-destination';
import { HOUR_MS, hourOf } from '#gateways/log-level-data/hour';
import { hourManifestFile } from '#gateways/log-level-data/layout';
import { writeHour } from '#gateways/log-level-data/write-hour';
import { eventually } from '#test/support/eventually';
import { type EmbeddedStoreAlone, openStoreAlone } from '../../scheduler/jobs/embedded-store.ts';
import { Market } from '../log-level-data/market.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const TWELVE_MS = Date.UTC(2026, 2, 14, 12);
const DAY = 'from=2026-03-14T00:00:00Z&to=2026-03-15T00:00:00Z';
const FILE = 'impressions/2026-03-14T12/part-00000.ndjson.gz';

describe('gateways/management/log-level data', () => {
  let alone: EmbeddedStoreAlone;
  let root: string;
  let folder: Destination;
  /** What stands between the API and the folder. */
  let between: Partial<Destination>;
  let running: RunningManagement;
  let other: AccountClients;
  let publisher: string;
  let rival: string;
  let dsp: string;
  let supply: string;
  let demand: string;
  let seller: ManagementClient;
  let buyer: ManagementClient;

  const made = async (path: string, body: object): Promise<string> => {
    const answer = await running.api.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.id;
  };
  const download = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${running.baseUrl}${path}`, { method, headers: { 'X-API-Key': running.liveKey, ...headers } });
  const sale = (id: string, ofPublisher: string) => ({
    ...{ id, auction: `a-${id}`, publisher: ofPublisher, dsp, account: running.accountId, region: 'fra' as const },
    ...{ priceCpmMicros: 2_500_001, feePpm: 150_000, soldAtMs: TWELVE_MS, crid: 'c' },
  });

  before(async function () {
    alone = await openStoreAlone();
    root = join(alone.folder, 'log-level');
    folder = createFolderDestination(root);
    const destination: Destination = {
      ...folder,
      open: (name) => (between.open ?? folder.open)(name),
      has: (name) => (between.has ?? folder.has)(name),
    };
    running = await startManagement(this, 'embedded', { logLevelData: destination });
    other = await running.newAccount();
    const source = { domain: 'd.example', type: 'web' };
    publisher = await made('/api/supply/sources', { ...source, name: 'News' });
    rival = await made('/api/supply/sources', { ...source, name: 'Rival', domain: 'e.example' });
    dsp = await made('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
    supply = `/api/supply/sources/${publisher}`;
    demand = `/api/demand/sources/${dsp}`;
    const { api: session } = await running.newUser(running.accountId);
    const withKey = async (path: string) =>
      running.anonymous.as({ 'X-API-Key': (await session.post(`${path}/key`)).body.key });
    [seller, buyer] = [await withKey(supply), await withKey(demand)];

    const market = new Market();
    market.bill(sale('t1', publisher), TWELVE_MS + 1_000);
    market.bill(sale('t2', rival), TWELVE_MS + 2_000);
    market.bill(sale('t3', publisher), TWELVE_MS + 3_000);
    market.bill(sale('t4', rival), TWELVE_MS + HOUR_MS + 1_000);
    await market.save(alone, TWELVE_MS + 2 * HOUR_MS);
    for (const startMs of [TWELVE_MS, TWELVE_MS + HOUR_MS])
      await writeHour({
        ...{ store: alone.store, destination: folder, hour: hourOf(startMs), evenIncomplete: false },
        signal: new AbortController().signal,
      });
  });
  beforeEach(() => {
    between = {};
  });
  after(async () => {
    await running?.close();
    await alone?.close();
  });

  it('lists the hours that are written, with the sums and files of the source alone', async () => {
    const { status, body } = await running.api.get(`${supply}/log-level-data?${DAY}`);
    expect(status).to.equal(200);
    expect(body).to.include({ enabled: true, from: '2026-03-14T00:00:00.000Z', to: '2026-03-15T00:00:00.000Z' });
    expect(body.hours.map((one: { hour: string }) => one.hour)).to.deep.equal([
      '2026-03-14T12:00:00.000Z',
      '2026-03-14T13:00:00.000Z',
    ]);
    const [first, second] = body.hours;
    const sums = { impressions: 2, price_nanos: '5000002', fee_nanos: '750000', payout_nanos: '4250002' };
    expect(first).to.deep.include({ complete: true, logged: sums, ledger: sums });
    expect(first.files).to.have.length(1);
    expect(first.files[0]).to.include({
      ...{ event: 'impressions', file: 'part-00000.ndjson.gz', rows: 2 },
      path: `log-level/v1/impressions/dt=2026-03-14/hour=12/publisher=${publisher}/part-00000.ndjson.gz`,
      url: `http://localhost:8080${supply}/log-level-data/files/${FILE}`,
    });
    const none = { impressions: 0, price_nanos: '0', fee_nanos: '0', payout_nanos: '0' };
    expect(second).to.deep.equal({
      hour: '2026-03-14T13:00:00.000Z',
      ...{ complete: true, logged: none, ledger: none, files: [] },
    });

    const bought = (await running.api.get(`${demand}/log-level-data?${DAY}`)).body.hours;
    expect(bought.map((one: { logged: object }) => one.logged)).to.deep.equal([
      { impressions: 3, price_nanos: '7500003' },
      { impressions: 1, price_nanos: '2500001' },
    ]);
  });

  it('lists the hours that begin in the range, of a week at most, and the last day by default', async () => {
    const at = async (query: string) => running.api.get(`${supply}/log-level-data?${query}`);
    const hours = async (from: string, to: string) => (await at(`from=${from}&to=${to}`)).body.hours.length;
    expect(await hours('2026-03-14T12:00:00Z', '2026-03-14T13:00:00Z')).to.equal(1);
    expect(await hours('2026-03-14T12:00:00.001Z', '2026-03-14T13:00:00Z')).to.equal(0);
    expect(await hours('2026-03-14T13:00:00Z', '2026-03-14T13:00:00.001Z')).to.equal(1);
    expect(await hours('2026-03-08T00:00:00Z', '2026-03-15T00:00:00Z')).to.equal(2);
    expect(errorOf(await at('from=2026-03-08T00:00:00Z&to=2026-03-15T00:00:01Z'))).to.equal('400 INVALID_PARAMS from');
    expect(errorOf(await at('from=2026-03-15T00:00:00Z&to=2026-03-15T00:00:00Z'))).to.equal('400 INVALID_PARAMS from');
    expect(errorOf(await at('from=yesterday'))).to.equal('400 INVALID_PARAMS from');
    expect(errorOf(await at('to=2026-06-30T23:59:60Z'))).to.equal('400 INVALID_PARAMS to');
    expect(errorOf(await at('from=2026-06-30T23:59:60Z'))).to.equal('400 INVALID_PARAMS from');
    const { from, to, hours: none } = (await at('')).body;
    expect(Date.parse(to) - Date.parse(from)).to.equal(24 * HOUR_MS);
    expect(none).to.deep.equal([]);
  });

  it('downloads a file that the list names, byte for byte', async () => {
    const [{ files }] = (await running.api.get(`${supply}/log-level-data?${DAY}`)).body.hours;
    const { bytes, sha256, url } = files[0];
    const answer = await download(new URL(url).pathname, { 'Accept-Encoding': 'gzip' });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/gzip');
    expect(answer.headers.get('content-encoding')).to.equal(null);
    expect(answer.headers.get('content-length')).to.equal(String(bytes));
    expect(answer.headers.get('content-disposition')).to.equal(
      'attachment; filename="impressions-2026-03-14T12-part-00000.ndjson.gz"',
    );
    const body = Buffer.from(await answer.arrayBuffer());
    expect(body).to.have.length(bytes);
    expect(createHash('sha256').update(body).digest('hex')).to.equal(sha256);
    const rows = gunzipSync(body)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ tracking_id: id }) => id)).to.have.members(['t1', 't3']);

    const tag = answer.headers.get('etag')!;
    expect(tag).to.equal(`"${sha256}"`);
    const again = await download(new URL(url).pathname, { 'If-None-Match': tag });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
    between.open = async (name) => ({ ...(await folder.open(name))!, read: () => expect.fail('it was opened') });
    const head = await download(new URL(url).pathname, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(bytes)]);
  });

  it('answers the key of a source, and its people, with its own files', async () => {
    const person = await running.newUserOf(running.accountId, { type: 'publisher', id: publisher });
    const { body: forAccount } = await running.api.get(`${supply}/log-level-data?${DAY}`);
    for (const client of [seller, person.api]) {
      const { body } = await client.get(`/api/source/log-level-data?${DAY}`);
      const [{ files }] = body.hours;
      expect(files[0].url).to.equal(`http://localhost:8080/api/source/log-level-data/files/${FILE}`);
      expect(files[0].sha256).to.equal(forAccount.hours[0].files[0].sha256);
    }
    const headers = { Cookie: person.cookie };
    const own = await fetch(`${running.baseUrl}/api/source/log-level-data/files/${FILE}`, { headers });
    expect(gunzipSync(Buffer.from(await own.arrayBuffer())).toString())
      .to.contain('"t1"')
      .and.not.contain('"t2"');
    expect((await buyer.get(`/api/demand/log-level-data?${DAY}`)).body.hours[0].logged.impressions).to.equal(3);
    for (const [client, path] of [
      [seller, '/api/demand/log-level-data'],
      [buyer, `/api/source/log-level-data/files/${FILE}`],
      [seller, `${supply}/log-level-data`],
      [seller, `${supply}/log-level-data/files/${FILE}`],
    ] as const)
      expect(errorOf(await client.get(path)), path).to.equal('403 FORBIDDEN');
  });

  it('is for the account of the source alone, and for its partner', async () => {
    const partner = await made('/api/partners', { name: 'Partner' });
    const stranger = await made('/api/partners', { name: 'Stranger' });
    const source = await made('/api/supply/sources', {
      name: 'Its',
      domain: 'f.example',
      type: 'web',
      partner_id: partner,
    });
    for (const path of [
      `/api/supply/sources/${source}/log-level-data`,
      `${supply}/log-level-data`,
      `${demand}/log-level-data`,
    ]) {
      const as = (id: string) => running.api.get(path, { 'X-User-Partner-ID': id });
      expect((await as(partner)).status, path).to.equal(path.includes(source) ? 200 : 404);
      expect(errorOf(await as(stranger)), path).to.equal('404 NOT_FOUND');
      expect(errorOf(await other.api.get(path)), path).to.equal('404 NOT_FOUND');
      expect(errorOf(await running.anonymous.get(path)), path).to.equal('401 UNAUTHORIZED');
      const file = `${path}/files/${FILE}`;
      expect(errorOf(await other.api.get(file)), file).to.equal('404 NOT_FOUND');
      expect(errorOf(await running.api.get(file, { 'X-User-Partner-ID': stranger })), file).to.equal('404 NOT_FOUND');
    }
  });

  it('shows nothing of what was live in the sandbox', async () => {
    const twice = await made('/api/supply/sources', { name: 'Twice', domain: 'g.example', type: 'web', sandbox: true });
    const path = `/api/supply/sources/${twice}/log-level-data`;
    const manifest = JSON.stringify({
      ...{ version: 1, hour: '2026-03-14T12:00:00.000Z', side: 'publisher', id: twice, complete: true },
      logged: { impressions: 1, price_nanos: '1' },
      ledger: { impressions: 1, price_nanos: '1' },
      files: [],
    });
    await folder.putText(`log-level/v1/manifests/dt=2026-03-14/hour=12/publisher=${twice}.json`, manifest);
    expect((await running.api.get(`${path}?${DAY}`)).body.hours[0].logged.impressions).to.equal(1);
    for (const rehearsing of [
      running.sandboxApi,
      running.api.as({ 'X-API-Key': running.liveKey, 'X-Sandbox': 'true' }),
    ])
      expect((await rehearsing.get(`${path}?${DAY}`)).body.hours).to.deep.equal([]);
  });

  it('has no file but those that the manifest of the source names', async () => {
    const rivals = `impressions/dt=2026-03-14/hour=12/publisher=${rival}/part-00000.ndjson.gz`;
    const dots = '..%2F..%2F..%2F';
    for (const path of [
      'impressions/2026-03-14T12/part-00001.ndjson.gz',
      'wins/2026-03-14T12/part-00000.ndjson.gz',
      'clicks/2026-03-14T12/part-00000.ndjson.gz',
      'manifests/2026-03-14T12/part-00000.ndjson.gz',
      'impressions/2026-03-14T13/part-00000.ndjson.gz',
      'impressions/2026-03-14T11/part-00000.ndjson.gz',
      'impressions/2026-03-14T24/part-00000.ndjson.gz',
      'impressions/2026-02-30T12/part-00000.ndjson.gz',
      'impressions/2026-3-14T12/part-00000.ndjson.gz',
      'impressions/%2B02026-03-14T/part-00000.ndjson.gz',
      'impressions/__proto__/part-00000.ndjson.gz',
      'impressions/2026-03-14T12/__proto__',
      'impressions/2026-03-14T12/part-00000.ndjson.gz%00',
      `impressions/2026-03-14T12/${dots}etc%2Fpasswd`,
      `impressions/2026-03-14T12/${encodeURIComponent(`../publisher=${rival}/part-00000.ndjson.gz`)}`,
      `impressions/${dots}/part-00000.ndjson.gz`,
      `..%2F${encodeURIComponent(rivals)}/2026-03-14T12/part-00000.ndjson.gz`,
      `impressions/2026-03-14T12/${'x'.repeat(5_000)}`,
    ]) {
      const answer = await running.api.get(`${supply}/log-level-data/files/${path}`);
      expect(errorOf(answer), path).to.equal('404 NOT_FOUND');
    }
    await folder.putText('log-level/v1/stray.txt', 'of nobody');
    const stray = await running.api.get(`${supply}/log-level-data/files/impressions/2026-03-14T12/..%2Fstray.txt`);
    expect(errorOf(stray)).to.equal('404 NOT_FOUND');
  });

  it('shows no hour before its manifest, whatever of it is there already', async () => {
    const hour = hourOf(TWELVE_MS);
    const text = (await folder.readText(hourManifestFile(hour)))!;
    await rm(join(root, hourManifestFile(hour)));
    const { body } = await running.api.get(`${supply}/log-level-data?${DAY}`);
    expect(body.hours.map((one: { hour: string }) => one.hour)).to.deep.equal(['2026-03-14T13:00:00.000Z']);
    expect(errorOf(await running.api.get(`${supply}/log-level-data/files/${FILE}`))).to.equal('404 NOT_FOUND');
    await folder.putText(hourManifestFile(hour), text);
    expect((await download(`${supply}/log-level-data/files/${FILE}`)).status).to.equal(200);
  });

  it('is 503 while the destination fails', async () => {
    between.has = () => Promise.reject(new DestinationUnavailable('the disk is gone'));
    for (const path of ['log-level-data', `log-level-data/files/${FILE}`]) {
      const answer = await running.api.get(`${supply}/${path}`);
      expect(errorOf(answer)).to.equal('503 SERVICE_UNAVAILABLE');
      expect(answer.body.error.message).to.equal('Log-level data cannot be read at the moment.');
    }
  });

  it('is kept by no cache, and called by no name, when a file cannot be read', async () => {
    const read = () => Promise.reject(new DestinationUnavailable('the disk is gone'));
    between.open = async (name) => ({ ...(await folder.open(name))!, read });
    const failed = await download(`${supply}/log-level-data/files/${FILE}`);
    expect(failed.status).to.equal(503);
    expect(Object.fromEntries(failed.headers))
      .to.include({ 'cache-control': 'no-store' })
      .and.not.have.any.keys('etag', 'content-disposition');
    await failed.body?.cancel();
  });

  it('breaks the connection off when a file breaks off', async () => {
    const broken = new PassThrough();
    between.open = async (name) => ({ ...(await folder.open(name))!, read: async () => broken });
    const answering = download(`${supply}/log-level-data/files/${FILE}`);
    broken.write('a part');
    const answer = await answering;
    broken.destroy(new Error('the disk is gone'));
    let cut: unknown = null;
    await answer.arrayBuffer().catch((error) => {
      cut = error;
    });
    expect(cut).to.be.instanceOf(Error);
  });

  it('serves so many downloads at once, and is 503 for more, until a receiver is done or gone', async () => {
    const slow: Readable[] = [];
    between.open = async (name) => ({
      ...(await folder.open(name))!,
      async read() {
        const stream = new PassThrough();
        slow.push(stream);
        stream.write('a part');
        return stream;
      },
    });
    const { hostname, port } = new URL(running.baseUrl);
    const receivers = Array.from({ length: 24 }, () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET ${supply}/log-level-data/files/${FILE} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.liveKey}\r\n\r\n`,
      );
      return socket;
    });
    await Promise.all(receivers.map((socket) => once(socket, 'data')));
    expect(slow).to.have.length(24);
    const more = await running.api.get(`${supply}/log-level-data/files/${FILE}`);
    expect(errorOf(more)).to.equal('503 SERVICE_UNAVAILABLE');
    expect(more.headers.get('retry-after')).to.equal('30');
    for (const socket of receivers) socket.destroy();
    await eventually('the files to be closed', async () =>
      expect(slow.every(({ destroyed }) => destroyed)).to.equal(true),
    );
    between = {};
    expect((await download(`${supply}/log-level-data/files/${FILE}`)).status).to.equal(200);
  });

  it('is empty where no log-level data are written', async function () {
    const without = await startManagement(this, 'embedded');
    try {
      const source = await without.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      const path = `/api/demand/sources/${source.body.id}/log-level-data`;
      expect((await without.api.get(`${path}?${DAY}`)).body)
        .to.include({ enabled: false })
        .and.deep.include({ hours: [] });
      expect(errorOf(await without.api.get(`${path}/files/${FILE}`))).to.equal('404 NOT_FOUND');
    } finally {
      await without.close();
    }
  });
});
