import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Notices } from '#gateways/bidders/notices/notices';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#gateways/bidders/notices/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '#test/support/eventually';

const NEVER_AGAIN = { delayMs: 5, attempts: 1 };
const SETTINGS: NoticeSettings = {
  ...DEFAULT_NOTICE_SETTINGS,
  retries: { win: NEVER_AGAIN, billing: NEVER_AGAIN, loss: NEVER_AGAIN },
  timeoutMs: 20_000,
  allowPrivateNetworks: true,
};

describe('notices of several DSPs', () => {
  const servers: Server[] = [];
  let notices: Notices;

  /** Hangs on `/hang…`, and answers all else; tells what it was asked. */
  async function host(): Promise<{ port: number; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (!request.url?.startsWith('/hang')) response.end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return { port: (server.address() as AddressInfo).port, asked };
  }

  beforeEach(() => {
    notices = new Notices(SETTINGS, systemClock);
  });
  afterEach(async () => {
    await notices.close(1);
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('loses no billing notice of others to 400 hosts that one bidder names in its lurl', async () => {
    const { port, asked } = await host();
    // Loopback has 16 million addresses, which are as many hosts.
    for (let at = 0; at < 400; at++) notices.send('loss', `http://127.1.${at >> 8}.${at & 255}:${port}/hang`, 'greedy');
    for (let at = 0; at < 60; at++)
      notices.send('billing', `http://127.2.0.${at + 1}:${port}/billed-${at}`, `dsp-${at}`);
    await eventually('every billing notice is delivered', () => notices.counts.billing.delivered === 60);
    expect(notices.counts.billing.dropped).to.equal(0);
    expect(notices.counts.loss.dropped, 'beyond half of its 16 hosts').to.equal(392);
    expect(asked.filter((path) => path.startsWith('/billed'))).to.have.length(60);
  });

  it('sends a billing notice at once while loss notices of the same DSP hang', async () => {
    const { port, asked } = await host();
    for (let at = 0; at < 3_000; at++) notices.send('loss', `http://127.0.0.1:${port}/hang`, 'dsp-1');
    await eventually('they take what they may', () => asked.length === SETTINGS.maxInFlightPerHost / 2);
    for (let at = 0; at < 50; at++) notices.send('billing', `http://127.0.0.1:${port}/billed`, 'dsp-1');
    await eventually('the billing notices are delivered', () => notices.counts.billing.delivered === 50);
    expect(notices.counts.loss).to.include({ delivered: 0, dropped: 1_000 });
    expect(asked.filter((path) => path === '/hang')).to.have.length(SETTINGS.maxInFlightPerHost / 2);
  });

  it('holds no more than 32 notices of one DSP in flight, over all of its hosts', async () => {
    const { port, asked } = await host();
    for (let at = 0; at < 160; at++) notices.send('billing', `http://127.1.0.${1 + (at % 16)}:${port}/hang`, 'dsp-1');
    await eventually('they take what they may', () => asked.length === SETTINGS.maxInFlightPerDsp);
    notices.send('billing', `http://127.1.0.1:${port}/other`, 'dsp-2');
    await eventually('another DSP is told', () => notices.counts.billing.delivered === 1);
    expect(asked.filter((path) => path === '/hang')).to.have.length(SETTINGS.maxInFlightPerDsp);
  });

  it('goes on with another host of a DSP when one of its places becomes free', async () => {
    notices = new Notices({ ...SETTINGS, maxInFlightPerDsp: 1 }, systemClock);
    const { port, asked } = await host();
    for (let at = 1; at <= 5; at++) notices.send('billing', `http://127.1.0.${at}:${port}/${at}`, 'dsp-1');
    await eventually('all are told', () => notices.counts.billing.delivered === 5);
    expect(asked).to.have.length(5);
  });

  it('keeps room for others when one DSP’s hosts are dead', () => {
    notices = new Notices({ ...SETTINGS, maxCharsPerDsp: 20_000, maxChars: 30_000 }, systemClock);
    for (let at = 0; at < 1_000; at++) notices.send('billing', 'http://127.0.0.1:1/dead', 'dsp-1');
    const dropped = notices.counts.billing.dropped;
    expect(dropped).to.be.above(0);
    for (let at = 0; at < 40; at++) notices.send('billing', 'http://127.0.0.1:1/dead', 'dsp-2');
    expect(notices.counts.billing.dropped).to.equal(dropped);
  });

  it('closes the idle hosts of who has most of them when all together have too many', async () => {
    notices = new Notices({ ...SETTINGS, maxHosts: 4 }, systemClock);
    const { port } = await host();
    for (let at = 1; at <= 3; at++) notices.send('billing', `http://127.1.0.${at}:${port}/`, 'dsp-1');
    notices.send('billing', `http://127.2.0.1:${port}/`, 'dsp-2');
    await eventually('all are told', () => notices.counts.billing.delivered === 4);
    notices.send('billing', `http://127.3.0.1:${port}/`, 'dsp-3');
    await eventually('the next is told', () => notices.counts.billing.delivered === 5);
    expect(notices.counts.billing.dropped).to.equal(0);
  });

  it('keeps the notices of a DSP whose last idle host is closed for its next one', async () => {
    notices = new Notices({ ...SETTINGS, maxHosts: 1 }, systemClock);
    const { port, asked } = await host();
    notices.send('billing', `http://127.1.0.1:${port}/`, 'dsp-1');
    await eventually('it is told', () => notices.counts.billing.delivered === 1);
    notices.send('billing', `http://127.1.0.2:${port}/hang`, 'dsp-1');
    await eventually('its next host is asked', () => asked.length === 2);
    notices.send('billing', `http://127.2.0.1:${port}/`, 'dsp-2');
    expect(notices.counts.billing.dropped, 'a busy host counts').to.equal(1);
    await notices.close(1);
    expect(notices.counts.billing, 'a stop ends what hangs').to.include({ delivered: 1, failed: 1, dropped: 1 });
  });
});
