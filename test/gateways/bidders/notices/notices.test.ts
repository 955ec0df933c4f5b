import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Notices } from '#gateways/bidders/notices/notices';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#gateways/bidders/notices/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { type ScriptedBidder, startBidder } from '#test/support/bidder';
import { eventually } from '#test/support/eventually';

const SOON = { delayMs: 5, attempts: 3 };
const settings: NoticeSettings = {
  ...DEFAULT_NOTICE_SETTINGS,
  retries: { win: SOON, billing: SOON, loss: SOON },
  allowPrivateNetworks: true,
};
const NONE = { delivered: 0, refused: 0, failed: 0, dropped: 0 };

const DSP = 'dsp-1';

describe('notices', () => {
  let host: ScriptedBidder;
  let notices: Notices;
  const extra: Server[] = [];

  beforeEach(async () => {
    host = await startBidder();
    notices = new Notices(settings, systemClock);
  });
  afterEach(async () => {
    await notices.close(1_000);
    await host.close();
    for (const server of extra.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Answers each request with the next status of the list, the last one for ever; 0 hangs. */
  async function answering(...statuses: number[]): Promise<{ origin: string; asked: () => number }> {
    let asked = 0;
    const server = createServer((_request, response) => {
      const code = statuses[Math.min(asked++, statuses.length - 1)]!;
      if (code !== 0) response.writeHead(code).end();
    });
    extra.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
  }

  it('fires win and billing notices as GET and loss notices as POST', async () => {
    notices.send('win', `${host.origin}/win?p=2.5`, DSP);
    notices.send('billing', `${host.origin}/bill`, DSP);
    notices.send('loss', `${host.origin}/loss?c=102`, DSP);
    await notices.close(1_000);
    expect(host.received.map(({ method, path }) => `${method} ${path}`)).to.have.members([
      'GET /win?p=2.5',
      'GET /bill',
      'POST /loss?c=102',
    ]);
    const once = { ...NONE, delivered: 1 };
    expect(notices.counts).to.deep.equal({ win: once, billing: once, loss: once });
  });

  it('says in a billing notice when the impression was', async () => {
    const beforeMs = Date.now();
    notices.send('billing', `${host.origin}/bill?p=2.5&t=\${AUCTION_IMP_TS}`, DSP);
    const [got] = await host.waitForRequests('/bill');
    const saidMs = Number(new URL(got!.path, host.origin).searchParams.get('t'));
    expect(saidMs).to.be.within(beforeMs, Date.now());
  });

  it('sends nothing before the caller has finished its turn', async () => {
    notices.send('win', `${host.origin}/win`, DSP);
    await Promise.resolve();
    expect(host.connections()).to.equal(0);
    await host.waitForRequests('/win');
  });

  it('tries again when the host fails, and stops after the last attempt', async () => {
    const recovers = await answering(503, 200);
    const never = await answering(500);
    notices.send('win', `${recovers.origin}/`, DSP);
    notices.send('win', `${never.origin}/`, DSP);
    await eventually('both have ended', () => notices.counts.win.delivered + notices.counts.win.failed === 2);
    expect(recovers.asked()).to.equal(2);
    expect(never.asked()).to.equal(3);
    expect(notices.counts.win).to.deep.equal({ ...NONE, delivered: 1, failed: 1 });
  });

  it('does not try again what the host has refused', async () => {
    const refuses = await answering(404);
    notices.send('billing', `${refuses.origin}/`, DSP);
    await eventually('it has ended', () => notices.counts.billing.refused === 1);
    expect([refuses.asked(), notices.retrying]).to.deep.equal([1, 0]);
  });

  it('tries again where the host asks for it, and follows no redirect', async () => {
    const busy = await answering(429, 408, 204);
    const redirects = await answering(302);
    notices.send('billing', `${busy.origin}/`, DSP);
    notices.send('billing', `${redirects.origin}/`, DSP);
    await eventually('both have ended', () => notices.counts.billing.delivered === 2);
    expect([busy.asked(), redirects.asked()]).to.deep.equal([3, 1]);
  });

  it('a host that hangs delays no other, and its queue is bounded', async () => {
    notices = new Notices({ ...settings, maxInFlightPerHost: 4, maxWaitingPerHost: 3, timeoutMs: 5_000 }, systemClock);
    const hangs = await answering(0);
    for (let i = 0; i < 10; i++) notices.send('loss', `${hangs.origin}/${i}`, DSP);
    notices.send('win', `${host.origin}/win`, DSP);
    await host.waitForRequests('/win');
    expect(notices.counts.loss.dropped).to.equal(7);
    await notices.close(1);
  });

  for (const url of [
    'not a url',
    'ftp://bidder.test/',
    'javascript:alert(1)',
    `https://bidder.test/${'x'.repeat(9_000)}`,
    `https://${'ü'.repeat(64)}.test/`,
  ]) {
    it(`drops ${url.slice(0, 30)}`, () => {
      notices.send('win', url, DSP);
      expect(notices.counts.win.dropped).to.equal(1);
    });
  }

  it('goes to no private address where those are forbidden', async () => {
    notices = new Notices({ ...settings, allowPrivateNetworks: false }, systemClock);
    const { port } = new URL(host.origin);
    notices.send('win', `http://127.0.0.1:${port}/win`, DSP);
    notices.send('win', `http://localhost:${port}/win`, DSP);
    await notices.close(2_000);
    expect(notices.counts.win).to.deep.equal({ ...NONE, failed: 1, dropped: 1 });
    expect(host.connections()).to.equal(0);
  });
});
