import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { readRenderStatuses } from '#edge/impressions/billed-impressions';
import type { ImpressionCaller } from '#edge/impressions/impression-caller';
import { impressionIdempotencyKey, impressionPartition } from '#edge/impressions/impression-entry';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { IngestHarness } from './ingest-harness.ts';

describe('GET /track/impression, called by invalid traffic', () => {
  let folder: string;
  let embedded: Embedded;
  let edge: IngestHarness;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'invalid-'));
    embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    edge = await IngestHarness.start(embedded.log.log, 2);
    edge.verdict = (_, { userAgent }) => (userAgent.includes('Bot') ? 'bot-user-agent' : null);
  });

  afterEach(async () => {
    await edge.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  const asBot = (path: string) => edge.call(path, 'GET', { 'User-Agent': 'ExampleBot/1.0' });
  const asViewer = (path: string) => edge.call(path, 'GET', { 'User-Agent': 'Mozilla/5.0' });

  it('answers an invalid call as a valid one, bills nothing for it, and bills the first valid call that follows', async () => {
    const path = edge.pixel({ billingNoticeUrl: 'https://dsp.example/burl' });
    const invalid = await asBot(path);
    const valid = await asViewer(path);
    for (const response of [invalid, valid]) expect(response.status).to.equal(200);
    const headers = ({ headers }: Response) => [...headers.keys()].sort();
    expect(headers(invalid)).to.deep.equal(headers(valid));
    expect(Buffer.from(await invalid.arrayBuffer())).to.deep.equal(Buffer.from(await valid.arrayBuffer()));
    expect(edge.billed).to.have.length(1);
    expect(await edge.outcomes()).to.deep.equal({ 'invalid-bot-user-agent': 1, billed: 1 });
    expect(await edge.told()).to.deep.equal(['invalid bot-user-agent', 'impression bot-user-agent']);
  });

  it('counts an id invalid once, for the first reason, and not once it is billed', async () => {
    const path = edge.pixel();
    for (let call = 0; call < 3; call++) await asBot(path);
    edge.verdict = () => 'data-centre';
    await asViewer(path);
    expect(await edge.told()).to.deep.equal(['invalid bot-user-agent']);
    edge.verdict = (_, { userAgent }) => (userAgent.includes('Bot') ? 'bot-user-agent' : null);
    for (const call of [asViewer, asBot, asViewer]) await call(path);
    expect(await edge.told()).to.deep.equal(['invalid bot-user-agent', 'impression bot-user-agent']);
    expect(await edge.outcomes()).to.deep.equal({ 'invalid-bot-user-agent': 1, repeated: 5, billed: 1 });
  });

  it('leaves alone what a valid call has billed', async () => {
    const path = edge.pixel();
    await asViewer(path);
    await asBot(path);
    expect(await edge.told()).to.deep.equal(['impression']);
    expect(await edge.outcomes()).to.deep.equal({ billed: 1, repeated: 1 });
  });

  it('takes an invalid id for unbilled: its viewability does not count, and the explorer shows no rendering', async () => {
    const soldAtMs = Date.now();
    const path = edge.pixel({ issuedAtMs: soldAtMs });
    await asBot(path);
    const trackingId = new URLSearchParams(path.split('?')[1]).get('t')!.split('.')[1]!;
    const readings = readRenderStatuses({ log: edge.log, clock: systemClock, renderWindowMs: 3_600_000 });
    expect(await readings([{ trackingId, soldAtMs }])).to.deep.equal(['awaited']);
    const partition = impressionPartition(trackingId, edge.log.partitions);
    const mark = { ...impressionIdempotencyKey(trackingId, soldAtMs), mark: 'viewable' };
    expect(await edge.log.markOnce(partition, [mark])).to.deep.equal(['unknown']);
    await asViewer(path);
    expect(await readings([{ trackingId, soldAtMs }])).to.deep.equal(['billed']);
    expect(await edge.log.markOnce(partition, [mark])).to.deep.equal(['marked']);
  });

  it('carries the verdict of the moment of the call through the spool, over a restart, and does not judge again', async () => {
    const path = edge.pixel({ billingNoticeUrl: 'https://dsp.example/burl' });
    edge.log.line = 'cut';
    await asBot(path);
    await asViewer(path);
    await asBot(edge.pixel());
    expect(await edge.told()).to.deep.equal([]);
    await edge.stopEdge();
    edge.verdict = () => expect.fail('it was judged again');
    edge.log.line = 'open';
    await edge.startEdge();
    expect((await edge.told()).sort()).to.deep.equal([
      'impression bot-user-agent',
      'invalid bot-user-agent',
      'invalid bot-user-agent',
    ]);
    expect(edge.billed).to.have.length(1);
    expect(await edge.outcomes()).to.deep.equal({
      spooled: 3,
      'replayed-invalid-bot-user-agent': 2,
      'replayed-billed': 1,
    });
  });

  it('bills what an older release has spooled as what it is, though an invalid call came first', async () => {
    edge.log.line = 'cut';
    const path = edge.pixel();
    await asViewer(path);
    await edge.stopEdge();
    const [file] = await readdir(edge.spoolFolder);
    const spooled = await readFile(join(edge.spoolFolder, file!), 'utf8');
    const older = spooled.slice(9).replace(',"noteBefore":2', '').trimEnd();
    expect(older).not.to.contain('noteBefore');
    await writeFile(join(edge.spoolFolder, file!), `${crc32(older).toString(16).padStart(8, '0')} ${older}\n`);
    // Of an edge that reached the log.
    edge.log.line = 'open';
    const other = await IngestHarness.start(embedded.log.log);
    other.verdict = () => 'named-crawler';
    await other.call(path);
    await other.close();
    await edge.startEdge();
    expect(await edge.told()).to.deep.equal(['invalid named-crawler', 'impression named-crawler']);
  });

  it('judges no call that is forged', async () => {
    edge.verdict = () => expect.fail('a forged call was judged');
    expect((await edge.call('/track/impression?t=1.2.3')).status).to.equal(200);
    expect(await edge.outcomes()).to.deep.equal({ forged: 1 });
  });

  it('tells a verdict who calls, the same with Koa and beside it: the address behind our own proxies and the forwarded device', async () => {
    const callers: Omit<ImpressionCaller, 'header'>[] = [];
    edge.verdict = (_, { address, userAgent, deviceAddress, deviceUserAgent, header }) => {
      callers.push({ address, userAgent, deviceAddress, deviceUserAgent });
      expect(header).to.be.a('function');
      return null;
    };
    const headers = {
      'User-Agent': 'Inserter/2',
      'X-Forwarded-For': '192.0.2.66, 203.0.113.9 , 198.51.100.4',
      'X-Device-IP': '198.51.100.77',
      'X-Device-User-Agent': 'Roku/DVP-9.10',
    };
    await edge.call(edge.pixel(), 'GET', headers);
    await edge.call(edge.pixel(), 'GET', { ...headers, Origin: 'https://news.example' });
    const unnamed = { 'User-Agent': '', 'X-Device-IP': '', 'X-Device-User-Agent': '' };
    await edge.call(edge.pixel(), 'GET', { 'User-Agent': '' });
    await edge.call(edge.pixel(), 'GET', unnamed);
    await edge.call(edge.pixel(), 'GET', { ...unnamed, Origin: 'https://news.example' });
    const forwarded = {
      address: '203.0.113.9',
      userAgent: 'Inserter/2',
      deviceAddress: '198.51.100.77',
      deviceUserAgent: 'Roku/DVP-9.10',
    };
    const direct = { address: '127.0.0.1', userAgent: '', deviceAddress: null, deviceUserAgent: null };
    expect(callers).to.deep.equal([forwarded, forwarded, direct, direct, direct]);
  });
});
