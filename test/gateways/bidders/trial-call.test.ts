import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { tryBidder } from '#gateways/bidders/trial-call';
import { systemClock } from '#runtime/providers/system/system-clock';
import {
  bids,
  dripFeed,
  gzipBomb,
  gzipped,
  noBid,
  oversized,
  type Script,
  silent,
  startBidder,
} from '../../support/bidder.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';

const open = { ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true };
/** Longer than any answer takes on a busy machine. */
const ANSWERS_WITHIN_MS = 5_000;
const body = Buffer.from('{"id":"1","imp":[{"id":"1"}]}');

describe('a call to a bidder outside any auction', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const tried = async (script: Script, settings = open, timeoutMs = ANSWERS_WITHIN_MS) => {
    const server = await startBidder(script);
    closing.push(() => server.close());
    const trial = await tryBidder(
      makeDspProjection({ endpointUrl: server.url }),
      settings,
      body,
      timeoutMs,
      systemClock,
    );
    return { ...trial, server };
  };

  it('tells the status, the text and the time of an answer, and closes its connection', async () => {
    const { outcome, status, text, latencyMs, server } = await tried(bids({ price: 1 }));
    expect(status).to.equal(200);
    expect(outcome).to.deep.equal({ document: JSON.parse(text!) });
    expect(latencyMs).to.be.within(0.01, ANSWERS_WITHIN_MS);
    await server.waitForClosedSockets(1);
    expect(server.connections()).to.equal(1);
  });

  it('reads what is compressed, whatever its status', async () => {
    const { text } = await tried(gzipped(1));
    expect(JSON.parse(text!).seatbid).to.have.length(1);
    const failure: Script = (_received, response) => {
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('out of order'));
    };
    expect(await tried(failure)).to.include({ status: 500, text: 'out of order' });
  });

  it('gives up at the deadline, and hangs up', async () => {
    for (const script of [silent(), dripFeed()]) {
      const { outcome, status, latencyMs, server } = await tried(script, open, 60);
      expect(outcome).to.include({ reason: 'timeout' });
      expect(status).to.be.oneOf([null, 200]);
      expect(latencyMs).to.be.at.least(59);
      await server.waitForClosedSockets(1);
    }
  });

  it('holds answers to the bounds of auctions', async () => {
    for (const script of [oversized(open.maxResponseBytes + 1), gzipBomb(8)]) {
      expect((await tried(script)).outcome).to.include({ reason: 'response-too-large' });
    }
    expect(await tried(noBid())).to.deep.include({ status: 204, text: '' });
  });

  it('never calls a private address where those are forbidden', async () => {
    const { outcome, status, server } = await tried(noBid(), DEFAULT_BIDDER_SETTINGS);
    expect(outcome).to.include({ reason: 'unreachable' });
    expect(status).to.equal(null);
    expect(server.connections()).to.equal(0);
    const named = makeDspProjection({ endpointUrl: server.url.replace('127.0.0.1', 'localhost') });
    const trial = await tryBidder(named, DEFAULT_BIDDER_SETTINGS, body, ANSWERS_WITHIN_MS, systemClock);
    expect(trial.outcome).to.include({ reason: 'unreachable' });
    expect(server.connections()).to.equal(0);
  });
});
