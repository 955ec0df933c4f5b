import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImpressionCaller } from '../../../../gateways/edge/tracking/impression-caller.ts';
import { type Embedded, openEmbedded } from '../../../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import { IntakeHarness } from './intake-harness.ts';

describe('GET /track/impression, called by invalid traffic', () => {
  let folder: string;
  let embedded: Embedded;
  let edge: IntakeHarness;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'invalid-'));
    embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    edge = await IntakeHarness.start(embedded.log.log, 2);
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
    expect(await edge.outcomes()).to.deep.equal({ invalid: 1, billed: 1 });
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
    await edge.call(edge.pixel(), 'GET', { 'User-Agent': '' });
    const forwarded = {
      address: '203.0.113.9',
      userAgent: 'Inserter/2',
      deviceAddress: '198.51.100.77',
      deviceUserAgent: 'Roku/DVP-9.10',
    };
    const direct = { address: '127.0.0.1', userAgent: '', deviceAddress: null, deviceUserAgent: null };
    expect(callers).to.deep.equal([forwarded, forwarded, direct]);
  });
});
