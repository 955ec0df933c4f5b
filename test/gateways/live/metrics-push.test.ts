import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { WebSocket, WebSocketServer } from 'ws';
import { LiveFigures } from '#gateways/live/live-figures';
import { MetricsPush } from '#gateways/live/metrics-push';
import { DEFAULT_LIVE_SETTINGS } from '#gateways/live/settings';
import { SILENT } from '#runtime/node/logger';
import type { Clock } from '#runtime/ports/clock';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';

/** What timers and wall clocks of machines do. */
interface Fault {
  /** By how much a timer fires too soon, in ms. */
  readonly earlyMs: number;
  /** By how much the wall clock is set on, or back, before each. */
  readonly setOnMs: number;
}

/** A clock whose one timer fires when a test says so. */
class HandClock implements Clock {
  monotonicMs = 1_000;
  wallMs = Date.UTC(2026, 2, 14);
  #due: { readonly atMs: number; readonly fire: () => void } | null = null;

  now(): number {
    return this.wallMs;
  }

  monotonic(): number {
    return this.monotonicMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const due = { atMs: this.monotonicMs + delayMs, fire };
    this.#due = due;
    return () => {
      if (this.#due === due) this.#due = null;
    };
  }

  get armed(): boolean {
    return this.#due !== null;
  }

  /** How long after the last it fired, ms. */
  fire({ earlyMs, setOnMs }: Fault): number {
    const { atMs, fire } = this.#due!;
    const passedMs = atMs - earlyMs - this.monotonicMs;
    this.monotonicMs += passedMs;
    this.wallMs += passedMs + setOnMs;
    this.#due = null;
    fire();
    return passedMs;
  }
}

describe('gateways/live/metrics-push', () => {
  const scope = { accountId: 'a', partnerId: null, sandbox: false };
  let server: WebSocketServer;
  let client: WebSocket;
  let clock: HandClock;
  let push: MetricsPush;
  let counters: ReturnType<typeof createMemoryCounters>;

  beforeEach(async () => {
    clock = new HandClock();
    counters = createMemoryCounters({
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: () => () => {},
    });
    push = new MetricsPush({
      figures: new LiveFigures(counters, clock),
      clock,
      logger: SILENT,
      settings: DEFAULT_LIVE_SETTINGS,
      ended: async () => null,
    });
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => push.add(socket, scope, { kind: 'api-key', hash: 'h' }));
    await once(server, 'listening');
    client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await once(client, 'open');
    push.start();
  });
  afterEach(async () => {
    client.terminate();
    await push.close();
    server.close();
  });

  const faults: [string, Fault][] = [
    ['with timers that fire early', { earlyMs: 3, setOnMs: 0 }],
    ['with a wall clock that is set back', { earlyMs: 0, setOnMs: -3_600_000 }],
    ['with a wall clock that is set on', { earlyMs: 0, setOnMs: 86_400_000 }],
  ];
  for (const [title, fault] of faults) {
    it(`pushes every five seconds ${title}`, async () => {
      for (let pushes = 1; pushes <= 4; pushes += 1) {
        const heard = once(client, 'message');
        // The first waits five seconds; what was early before is late now.
        const waitedMs = clock.fire(fault);
        expect(waitedMs).to.be.closeTo(5_000, fault.earlyMs);
        await heard;
        while (!clock.armed) await new Promise((resolve) => setImmediate(resolve));
      }
    });
  }
});
