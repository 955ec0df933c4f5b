import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createClient } from '#client/index';
import { createFolderDestination } from '#gateways/log-level-data/destination/folder-destination';
import { HOUR_MS, hourOf } from '#gateways/log-level-data/hour';
import { writeHour } from '#gateways/log-level-data/write-hour';
import { Market } from '../gateways/log-level-data/market.ts';
import { type RunningManagement, startManagement } from '../gateways/management/running-management.ts';
import { type EmbeddedStoreAlone, openStoreAlone } from '../scheduler/jobs/embedded-store.ts';
import { type Ended, exchangeCommand } from '../support/exchange-command.ts';

const TWELVE_MS = Date.UTC(2026, 2, 14, 12);
const DAY = ['--from', '2026-03-14', '--to', '2026-03-15'];

describe('exchange log-level', () => {
  let alone: EmbeddedStoreAlone;
  let running: RunningManagement;
  let publisher: string;
  let dsp: string;
  let written: string;
  let folder: string;

  const create = async (path: string, body: object): Promise<string> => (await running.api.post(path, body)).body.id;
  const run = (...args: string[]) =>
    exchangeCommand({ EXCHANGE_URL: running.baseUrl, EXCHANGE_API_KEY: running.liveKey }, 'log-level', ...args);
  const download = (id: string, ...args: string[]) =>
    run('download', id, ...DAY, '--folder', folder, '--json', ...args).then(json);
  function json({ code, stdout, stderr }: Ended) {
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  }
  const rowsOf = async (path: string): Promise<{ tracking_id: string }[]> => {
    const text = gunzipSync(await readFile(path)).toString();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  before(async function () {
    alone = await openStoreAlone();
    written = join(alone.folder, 'written');
    const destination = createFolderDestination(written);
    running = await startManagement(this, 'embedded', { logLevelData: destination });
    publisher = await create('/api/supply/sources', { name: 'News', domain: 'd.example', type: 'web' });
    dsp = await create('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
    const sale = (id: string) => ({
      ...{ id, auction: `a-${id}`, publisher, dsp, account: running.accountId, region: 'fra' as const },
      ...{ priceCpmMicros: 2_500_001, feePpm: 150_000, soldAtMs: TWELVE_MS, crid: 'c' },
    });
    const market = new Market();
    market.bill(sale('t1'), TWELVE_MS + 1_000);
    market.bill(sale('t2'), TWELVE_MS + 2_000);
    market.bill(sale('t3'), TWELVE_MS + HOUR_MS + 1_000);
    await market.save(alone, TWELVE_MS + 2 * HOUR_MS);
    for (const startMs of [TWELVE_MS, TWELVE_MS + HOUR_MS])
      await writeHour({
        ...{ store: alone.store, destination, hour: hourOf(startMs), evenIncomplete: false },
        signal: new AbortController().signal,
      });
  });
  after(async () => {
    await running?.close();
    await alone?.close();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-level-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lists the hours of either side, with their sums', async () => {
    const { code, stdout } = await run('list', publisher, ...DAY);
    expect(code).to.equal(0);
    const [heading, ...lines] = stdout.trim().split('\n');
    expect(heading).to.match(/^HOUR +COMPLETE +IMPRESSIONS +PRICE_NANOS +FILES +ROWS +BYTES$/);
    expect(lines.map((line) => line.split(/ +/).slice(0, 4))).to.deep.equal([
      ['2026-03-14T12:00:00.000Z', 'true', '2', '5000002'],
      ['2026-03-14T13:00:00.000Z', 'true', '1', '2500001'],
    ]);
    const { hours } = json(await run('list', dsp, ...DAY, '--json'));
    expect(hours.map((hour: { logged: object }) => hour.logged)).to.deep.equal([
      { impressions: 2, price_nanos: '5000002' },
      { impressions: 1, price_nanos: '2500001' },
    ]);
  });

  it('reads a range that is longer than one list, each hour once', async () => {
    const { hours } = json(await run('list', dsp, '--from', '2026-02-20', '--to', '2026-04-01', '--json'));
    expect(hours.map(({ hour }: { hour: string }) => hour)).to.deep.equal([
      '2026-03-14T12:00:00.000Z',
      '2026-03-14T13:00:00.000Z',
    ]);
  });

  it('downloads the files of either side under their own names, and each once', async () => {
    const first = await download(publisher);
    expect(first).to.include({ folder, hours: 2, already_there: 0 });
    expect(first.downloaded).to.equal(2);
    expect(await download(publisher)).to.include({ downloaded: 0, bytes: 0, already_there: 2 });
    expect(await download(dsp)).to.include({ downloaded: 2, already_there: 0 });
    for (const [side, id] of [
      ['publisher', publisher],
      ['dsp', dsp],
    ]) {
      const path = `log-level/v1/impressions/dt=2026-03-14/hour=12/${side}=${id}/part-00000.ndjson.gz`;
      expect((await rowsOf(join(folder, path))).map((row) => row.tracking_id)).to.have.members(['t1', 't2']);
      expect(await readFile(join(folder, path))).to.deep.equal(await readFile(join(written, path)));
    }
  });

  it('downloads events that are named, and no other', async () => {
    expect(await download(dsp, '--event', 'wins', '--event', 'views')).to.include({ downloaded: 0 });
    expect(await readdir(folder)).to.deep.equal([]);
    expect(await download(dsp, '--event', 'wins', '--event', 'impressions')).to.include({ downloaded: 2 });
  });

  it('downloads again what was cut short or changed, and leaves no part behind', async () => {
    await download(dsp);
    const path = join(folder, `log-level/v1/impressions/dt=2026-03-14/hour=12/dsp=${dsp}`);
    const file = join(path, 'part-00000.ndjson.gz');
    const { size } = await stat(file);
    await truncate(file, size - 1);
    expect(await download(dsp)).to.include({ downloaded: 1, bytes: size, already_there: 1 });
    await truncate(file, size - 1);
    await appendFile(file, 'x');
    expect(await download(dsp)).to.include({ downloaded: 1, already_there: 1 });
    expect(await rowsOf(file)).to.have.lengthOf(2);
    expect(await readdir(path)).to.deep.equal(['part-00000.ndjson.gz']);
  });

  it('refuses times and ranges that are none, and sources that do not exist', async () => {
    const faults = [
      [['--from', 'yesterday'], 2, '--from is no time: yesterday. 2026-03-14T12:00:00Z is one.\n'],
      [['--from', '2026-03-15', '--to', '2026-03-15'], 2, '--from must be before --to.\n'],
    ] as const;
    for (const [args, code, stderr] of faults) expect(await run('list', dsp, ...args)).to.include({ code, stderr });
    expect(await run('list', running.accountId)).to.deep.include({ code: 1, stdout: '' });
    const word = await run('download', dsp, '--event', 'clicks');
    expect(word.code).to.equal(2);
  });

  it('are calls of the client, too', async () => {
    const client = createClient({ baseUrl: running.baseUrl, apiKey: running.liveKey });
    const path = '/api/demand/sources/{id}/log-level-data';
    const query = { from: '2026-03-14T00:00:00Z', to: '2026-03-15T00:00:00Z' };
    const { data } = await client.get(path, { params: { path: { id: dsp }, query } });
    const { event, file, sha256 } = data.hours[0]!.files[0]!;
    const { data: bytes, etag } = await client.file(`${path}/files/{event}/{hour}/{file}`, {
      params: { path: { id: dsp, event, hour: '2026-03-14T12', file } },
    });
    expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).to.equal(sha256);
    expect(etag).to.equal(`"${sha256}"`);
  });
});
