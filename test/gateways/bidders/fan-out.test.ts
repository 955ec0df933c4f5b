import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { DspProjection } from '#actors/dsp/fields';
import type { BidderReply, OutgoingRequest } from '#edge/auction/bidders';
import { Bidder } from '#gateways/bidders/bidder';
import { askBidders } from '#gateways/bidders/fan-out';
import { type BidderSettings, DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import {
  bids,
  dripFeed,
  gzipBomb,
  gzipped,
  halfResponse,
  malformedJson,
  noBid,
  oversized,
  type Script,
  type ScriptedBidder,
  silent,
  startBidder,
  status,
} from '../../support/bidder.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';

const request: OutgoingRequest = {
  body: (version, tmax) => Buffer.from(JSON.stringify({ id: 'request-1', version, tmax, imp: [{ id: '1' }] })),
};

for (const httpClient of ['sockets', 'undici'] as const) {
  describe(`asking bidders: ${httpClient}`, () => {
    const settings: BidderSettings = { ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true, httpClient };
    const servers: ScriptedBidder[] = [];
    const bidders: Bidder[] = [];
    const workers: Worker[] = [];

    afterEach(async () => {
      await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
      await Promise.all(bidders.splice(0).map((bidder) => bidder.close()));
      await Promise.all(servers.splice(0).map((server) => server.close()));
    });

    async function serve(script: Script): Promise<ScriptedBidder> {
      const server = await startBidder(script);
      servers.push(server);
      return server;
    }

    function open(dsp: DspProjection, changed: Partial<BidderSettings> = {}): Bidder {
      const bidder = new Bidder(dsp, { ...settings, ...changed }, systemClock);
      bidders.push(bidder);
      return bidder;
    }

    async function ask(bidder: Bidder, timeoutMs = 150): Promise<BidderReply> {
      const replies = await askBidders([bidder], request, timeoutMs, systemClock);
      expect(replies).to.have.length(1);
      return replies[0]!;
    }

    function reasonOf(reply: BidderReply): string {
      return 'reason' in reply.outcome ? reply.outcome.reason : 'answered';
    }

    it('sends the dialect, its version header and what time is left, and reads the answer', async () => {
      const server = await serve(bids({ price: 2.5 }));
      const reply = await ask(
        open(makeDspProjection({ endpointUrl: server.url, openrtbVersion: '2.5', timeoutMs: 120 })),
      );
      expect(reply.called).to.equal(true);
      expect(reply.latencyMs).to.be.within(0.01, 150);
      expect(reply.outcome).to.have.nested.property('document.seatbid[0].bid[0].price', 2.5);
      const [got] = await server.waitForRequests('/bid');
      expect(got!.method).to.equal('POST');
      expect(got!.headers['content-type']).to.equal('application/json');
      expect(got!.headers['x-openrtb-version']).to.equal('2.5');
      expect(got!.body).to.include({ version: '2.5', tmax: 120 });
    });

    const endings: readonly (readonly [what: string, script: Script, reason: string])[] = [
      ['204', noBid(), 'no-bid'],
      ['200 without a body', status(200), 'no-bid'],
      ['a redirect', status(302, { location: 'http://127.0.0.1:1/' }), 'http-error'],
      ['404', status(404, {}, 'nothing here'), 'http-error'],
      ['500', status(500, {}, '{"id":"request-1"}'), 'http-error'],
      ['silence', silent(), 'timeout'],
      ['a body that never ends', dripFeed(), 'timeout'],
      ['garbage', malformedJson(), 'malformed-response'],
      ['an HTML page', status(200, { 'content-type': 'text/html' }, '<html>'), 'malformed-response'],
      ['half a response', halfResponse(), 'unreachable'],
      ['a gzip bomb', gzipBomb(20), 'response-too-large'],
      ['bytes that are not gzip', status(200, { 'content-encoding': 'gzip' }, '{}'), 'malformed-response'],
      ['a coding that was not offered', status(200, { 'content-encoding': 'br' }, '{}'), 'malformed-response'],
      ['an answer past the bound', oversized(300_000), 'response-too-large'],
    ];
    for (const [what, script, reason] of endings) {
      it(`${what} is ${reason}, and the next call works`, async () => {
        const server = await serve(script);
        const bidder = open(makeDspProjection({ endpointUrl: server.url }));
        expect(reasonOf(await ask(bidder))).to.equal(reason);
        server.script = bids({ price: 1 });
        expect(reasonOf(await ask(bidder))).to.equal('answered');
      });
    }

    it('reads gzip and JSON of any content type', async () => {
      const server = await serve(gzipped(3));
      const bidder = open(makeDspProjection({ endpointUrl: server.url }));
      expect((await ask(bidder)).outcome).to.have.nested.property('document.seatbid[0].bid[0].price', 3);
      server.script = status(200, { 'content-type': 'text/plain' }, '{"id":"request-1"}');
      expect((await ask(bidder)).outcome).to.have.nested.property('document.id', 'request-1');
    });

    // undici writes at once.
    if (httpClient === 'sockets') {
      it('does not ask, and does not hold against a bidder, what this process had no time to send', async () => {
        const server = await serve(bids({ price: 1 }));
        const bidder = open(makeDspProjection({ endpointUrl: server.url }), {
          breaker: { ...settings.breaker, minimumCalls: 2 },
        });
        expect(reasonOf(await ask(bidder))).to.equal('answered');
        for (let calls = 0; calls < 3; calls++) {
          const asked = ask(bidder, 50);
          // The process stands still in the turn in which it is to call.
          const untilMs = performance.now() + 60;
          while (performance.now() < untilMs);
          const reply = await asked;
          expect(reasonOf(reply)).to.equal('insufficient-time');
          expect(reply).to.include({ called: false, latencyMs: 0 });
        }
        expect(bidder.breakerState()).to.equal('closed');
        expect(bidder.openCalls).to.equal(0);
        expect(reasonOf(await ask(bidder))).to.equal('answered');
        expect(server.connections()).to.equal(1);
      });
    }

    it('names a bidder that cannot be reached', async () => {
      const server = await startBidder();
      await server.close();
      expect(reasonOf(await ask(open(makeDspProjection({ endpointUrl: server.url }))))).to.equal('unreachable');
      expect(reasonOf(await ask(open(makeDspProjection({ endpointUrl: 'ftp://bidder.test/' }))))).to.equal(
        'unreachable',
      );
      expect(reasonOf(await ask(open(makeDspProjection({ endpointUrl: null }))))).to.equal('unreachable');
    });

    it('closes the socket at the deadline and keeps to it while others answer', async () => {
      const slow = await serve(silent());
      const quick = await serve(bids({ price: 1 }));
      const startedMs = performance.now();
      const replies = await askBidders(
        [
          open(makeDspProjection({ endpointUrl: slow.url, timeoutMs: 60 })),
          open(makeDspProjection({ endpointUrl: quick.url })),
        ],
        request,
        20_000,
        systemClock,
      );
      const tookMs = performance.now() - startedMs;
      expect(replies.map(reasonOf)).to.deep.equal(['timeout', 'answered']);
      expect(tookMs).to.be.within(55, 15_000);
      await slow.waitForClosedSockets(1);
    });

    it('holds each bidder to the shorter of its own limit and the auction’s', async () => {
      const server = await serve(silent());
      const startedMs = performance.now();
      const replies = await askBidders(
        [
          open(makeDspProjection({ endpointUrl: server.url, timeoutMs: 40 })),
          open(makeDspProjection({ endpointUrl: server.url, timeoutMs: 30_000 })),
        ],
        request,
        80,
        systemClock,
      );
      expect(performance.now() - startedMs).to.be.within(75, 15_000);
      expect(replies.map(reasonOf)).to.deep.equal(['timeout', 'timeout']);
      const got = await server.waitForRequests('/bid', 2);
      expect(got.map(({ body }) => body.tmax).sort()).to.deep.equal([40, 80]);
    });

    it('reads an answer that came in time although this process was held up past the deadline', async () => {
      const answers = new Int32Array(new SharedArrayBuffer(4));
      const worker = new Worker(new URL('../../support/no-bid-worker.js', import.meta.url), {
        workerData: answers.buffer,
      });
      workers.push(worker);
      const [url] = (await once(worker, 'message')) as [string];
      const bidder = open(makeDspProjection({ endpointUrl: url }));
      expect(reasonOf(await ask(bidder))).to.equal('no-bid');
      // The client puts a connection back a turn after its call has ended.
      await new Promise((resolve) => setImmediate(resolve));
      const reply = ask(bidder, 50);
      // One turn for the request to leave; then nothing is read until the answer is there and the deadline past.
      await new Promise((resolve) => setImmediate(resolve));
      const deadlineMs = performance.now() + 60;
      const failedMs = performance.now() + 10_000;
      while ((Atomics.load(answers, 0) < 2 || performance.now() < deadlineMs) && performance.now() < failedMs);
      expect(reasonOf(await reply)).to.equal('no-bid');
    });

    it('keeps its connections alive', async () => {
      const server = await serve(bids({ price: 1 }));
      const bidder = open(makeDspProjection({ endpointUrl: server.url }));
      for (let i = 0; i < 20; i++) await ask(bidder);
      // A call right after another may come before the client has put the first one's connection back.
      expect(server.connections()).to.be.at.most(2);
    });

    it('does not call without time, past its concurrency or past its rate', async () => {
      const server = await serve(silent());
      const quick = await serve(noBid());
      expect(await ask(open(makeDspProjection({ endpointUrl: server.url })), 4)).to.deep.include({
        called: false,
        latencyMs: 0,
      });

      const narrow = open(makeDspProjection({ endpointUrl: server.url }), { maxConcurrentCalls: 2 });
      const crowd = await askBidders([narrow, narrow, narrow], request, 50, systemClock);
      expect(crowd.map(reasonOf).sort()).to.deep.equal(['concurrency-limit', 'timeout', 'timeout']);

      const rare = open(makeDspProjection({ endpointUrl: quick.url }), { maxCallsPerSecond: 1 });
      expect(reasonOf(await ask(rare))).to.equal('no-bid');
      expect(reasonOf(await ask(rare))).to.equal('qps-limit');
    });

    it('pauses a bidder that keeps timing out and asks it again after the pause', async () => {
      const server = await serve(silent());
      const bidder = open(makeDspProjection({ endpointUrl: server.url, timeoutMs: 10 }), {
        breaker: { ...settings.breaker, minimumCalls: 4, openMs: 100, probesToClose: 1 },
      });
      for (let i = 0; i < 4; i++) expect(reasonOf(await ask(bidder))).to.equal('timeout');
      expect(bidder.breakerState()).to.equal('open');
      expect(reasonOf(await ask(bidder))).to.equal('circuit-open');
      const askedBefore = server.received.length;

      server.script = noBid();
      bidder.dsp = { ...bidder.dsp, timeoutMs: 150 };
      await new Promise<void>((resolve) => {
        const poll = (): void => {
          if (bidder.breakerState() === 'half_open') resolve();
          else setImmediate(poll);
        };
        poll();
      });
      const probes = await askBidders([bidder, bidder], request, 150, systemClock);
      expect(probes.map(reasonOf)).to.have.members(['no-bid', 'circuit-open']);
      expect(server.received.length).to.equal(askedBefore + 1);
      expect(bidder.breakerState()).to.equal('closed');
    });

    it('never calls a private address where those are forbidden', async () => {
      const server = await serve(bids({ price: 1 }));
      const { port } = new URL(server.url);
      for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
        const bidder = open(makeDspProjection({ endpointUrl: `http://${host}:${port}/bid` }), {
          allowPrivateNetworks: false,
        });
        expect(reasonOf(await ask(bidder)), host).to.equal('unreachable');
      }
      expect(server.connections()).to.equal(0);
    });

    it('sends the credentials of the endpoint’s URL, well escaped or not', async () => {
      const server = await serve(noBid());
      for (const [credentials, said] of [
        ['name:pass%3Aword', 'name:pass:word'],
        ['100%:x', '100%:x'],
        [':token', ':token'],
      ] as const) {
        const url = server.url.replace('http://', `http://${credentials}@`);
        await ask(open(makeDspProjection({ endpointUrl: url })));
        const { headers } = server.received.at(-1)!;
        expect(headers.authorization).to.equal(`Basic ${Buffer.from(said).toString('base64')}`);
      }
    });

    it('follows a changed endpoint', async () => {
      const first = await serve(bids({ price: 1 }));
      const second = await serve(bids({ price: 2 }));
      const bidder = open(makeDspProjection({ endpointUrl: first.url }));
      await ask(bidder);
      bidder.update(makeDspProjection({ endpointUrl: second.url }));
      expect((await ask(bidder)).outcome).to.have.nested.property('document.seatbid[0].bid[0].price', 2);
      expect(first.received).to.have.length(1);
    });
  });
}
