import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { Notices } from '#gateways/bidders/notices/notices';
import { DEFAULT_NOTICE_SETTINGS, type NoticeSettings } from '#gateways/bidders/notices/settings';
import type { Clock } from '#runtime/ports/clock';
import { eventually } from '#test/support/eventually';
import { freePort } from '#test/support/free-port';

/** Stands still until a test moves it on. */
class StandingClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Map<object, { readonly atMs: number; readonly fire: () => void }>();

  now(): number {
    return 1_700_000_000_000 + this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const key = {};
    this.#timers.set(key, { atMs: this.#nowMs + delayMs, fire });
    return () => void this.#timers.delete(key);
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
    for (const [key, { atMs, fire }] of [...this.#timers]) {
      if (atMs <= this.#nowMs && this.#timers.delete(key)) fire();
    }
  }
}

const DSP = 'dsp-1';

describe('notices that are tried again', () => {
  const opened: Server[] = [];
  let clock: StandingClock;
  let notices: Notices;

  const start = (settings: Partial<NoticeSettings> = {}) => {
    notices = new Notices({ ...DEFAULT_NOTICE_SETTINGS, allowPrivateNetworks: true, ...settings }, clock);
  };
  beforeEach(() => {
    clock = new StandingClock();
    start();
  });
  afterEach(async () => {
    const closing = notices.close(1_000);
    clock.advance(1_000);
    await closing;
    for (const server of opened.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Answers what `statusOf` says to the number of the request; 0 hangs. */
  async function host(statusOf: (time: number) => number): Promise<{ origin: string; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const code = statusOf(asked.length);
      if (code !== 0) response.writeHead(code).end();
    });
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }
  const retrying = (count: number) =>
    eventually(`${count} to wait for another attempt`, () => notices.retrying === count);

  it('tells of a billed impression every ten seconds for a minute, and then gives up', async () => {
    const { origin, asked } = await host(() => 503);
    notices.send('billing', `${origin}/billed`, DSP);
    for (let attempt = 1; attempt <= 6; attempt++) {
      await retrying(1);
      expect(asked).to.have.length(attempt);
      clock.advance(9_999);
      expect(notices.retrying, 'not before ten seconds').to.equal(1);
      clock.advance(1);
    }
    await eventually('it is given up', () => notices.counts.billing.failed === 1);
    expect(clock.monotonic()).to.equal(60_000);
    expect([asked.length, notices.retrying]).to.deep.equal([7, 0]);
  });

  it('stops as soon as the host has it', async () => {
    const { origin, asked } = await host((time) => (time < 3 ? 500 : 200));
    notices.send('billing', `${origin}/billed`, DSP);
    await retrying(1);
    clock.advance(10_000);
    await retrying(1);
    clock.advance(10_000);
    await eventually('it is delivered', () => notices.counts.billing.delivered === 1);
    expect(asked).to.deep.equal(['/billed', '/billed', '/billed']);
  });

  it('tells of wins and losses three times, soon after', async () => {
    const { origin, asked } = await host(() => 500);
    notices.send('win', `${origin}/won`, DSP);
    notices.send('loss', `${origin}/lost`, DSP);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await retrying(2);
      clock.advance(500);
    }
    await eventually('both are given up', () => notices.counts.win.failed + notices.counts.loss.failed === 2);
    expect(asked).to.have.length(6);
  });

  it('waits for a host that says nothing no longer than its time', async () => {
    const { origin } = await host(() => 0);
    notices.send('billing', `${origin}/billed`, DSP);
    await eventually('the host is asked', async () => {
      clock.advance(200);
      return notices.retrying === 1;
    });
  });

  it('keeps a dead host’s notices within the room they have, and counts the others', async () => {
    const port = await freePort();
    start({ maxCharsPerHost: 100 * 210, maxCharsPerDsp: 100 * 210, maxChars: 150 * 210, maxWaitingPerHost: 10_000 });
    const path = `/${'x'.repeat(9)}`;
    for (let count = 0; count < 1_000; count++) notices.send('billing', `http://127.0.0.1:${port}${path}`, DSP);
    expect(notices.counts.billing.dropped).to.equal(900);
    await retrying(100);
    // The host of another DSP has what is left of all the room; its notices leave, and make room again.
    const alive = await host(() => 200);
    for (let count = 0; count < 60; count++) notices.send('billing', `${alive.origin}${path}`, 'dsp-2');
    expect(notices.counts.billing.dropped).to.equal(910);
    await eventually('the others are delivered', () => notices.counts.billing.delivered === 50);
    notices.send('billing', `${alive.origin}${path}`, 'dsp-2');
    await eventually('the next is delivered', () => notices.counts.billing.delivered === 51);
    clock.advance(10_000);
    await retrying(100);
    expect(notices.counts.billing).to.deep.equal({ delivered: 51, refused: 0, failed: 0, dropped: 910 });
  });

  it('has one last attempt when the exchange stops, and does not wait a minute', async () => {
    let up = false;
    const { origin, asked } = await host(() => (up ? 200 : 503));
    const dead = `http://127.0.0.1:${await freePort()}`;
    notices.send('billing', `${origin}/billed`, DSP);
    notices.send('billing', `${dead}/billed`, DSP);
    await retrying(2);
    up = true;
    await notices.close(2_000);
    expect(asked).to.have.length(2);
    expect(notices.counts.billing).to.deep.equal({ delivered: 1, refused: 0, failed: 1, dropped: 0 });
    expect(clock.monotonic()).to.equal(0);
  });
});
