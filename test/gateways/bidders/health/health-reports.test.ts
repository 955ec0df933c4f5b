import { expect } from 'chai';
import { Bidder } from '#gateways/bidders/bidder';
import { askBidders } from '#gateways/bidders/fan-out';
import { HealthReports } from '#gateways/bidders/health/health-reports';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { LogUnavailable } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { bids, type ScriptedBidder, silent, startBidder, status } from '#test/support/bidder';
import { makeDspProjection } from '#test/support/dsp-projection';

const request = { body: () => Buffer.from('{"id":"1","imp":[{"id":"1"}]}') };
const SECOND = 1_000;

/** The system's clock, of which a test can say how far it is ahead. */
function shiftedClock() {
  const clock = {
    aheadMs: 0,
    now: () => systemClock.now() + clock.aheadMs,
    monotonic: () => systemClock.monotonic() + clock.aheadMs,
    after: systemClock.after,
  };
  return clock;
}

describe('reports on the health of bidders', () => {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was told
  let told: any[];
  let logAway: boolean;
  let server: ScriptedBidder;
  let bidder: Bidder;
  let clock: ReturnType<typeof shiftedClock>;
  let reports: HealthReports;

  beforeEach(async () => {
    told = [];
    logAway = false;
    clock = shiftedClock();
    server = await startBidder(bids({ price: 1 }));
    bidder = new Bidder(
      makeDspProjection({ endpointUrl: server.url, timeoutMs: 50 }),
      { ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true },
      clock,
    );
    const messenger: Messenger = {
      tell: async (kind, id, type, body) => {
        if (logAway) throw new LogUnavailable('the log is away');
        told.push({ to: `${kind.kind}/${id}`, type, ...(body as object) });
      },
      ask: () => Promise.reject(new Error('an edge asks nobody')),
    };
    const bidders = { all: () => [bidder] };
    reports = new HealthReports({ bidders, messenger, clock, edge: 'edge-1', region: 'fra' });
  });
  afterEach(async () => {
    await bidder.close();
    await server.close();
  });

  const call = (times: number) =>
    Promise.all(Array.from({ length: times }, () => askBidders([bidder], request, 150, clock)));
  /** What is told so many seconds later. */
  const reportAfter = async (seconds: number) => {
    clock.aheadMs += seconds * SECOND;
    const before = told.length;
    await reports.report();
    return told.slice(before);
  };

  it('contain nothing about a bidder that was not called', async () => {
    expect(await reportAfter(1)).to.deep.equal([]);
    expect(await reportAfter(10)).to.deep.equal([]);
  });

  it('say what its calls came to', async () => {
    await reportAfter(1);
    await call(3);
    server.script = status(500);
    await call(1);
    server.script = silent();
    await call(2);
    bidder.recordBid(77);
    const [report] = await reportAfter(1);
    const { latencyMicros, callsPerSecond, ...counts } = report.sighting;
    expect({ ...report, sighting: counts }).to.deep.equal({
      to: 'bidder-health/dsp-1',
      type: 'report',
      edge: 'edge-1',
      resets: 0,
      lastBidAtMs: 77,
      sighting: { region: 'fra', breaker: 'closed', calls: 6, timeouts: 2, errors: 1, timed: 6 },
    });
    // Two of them waited until they were given up.
    expect(latencyMicros).to.be.within(2 * 45_000, 6 * 150_000);
    expect(callsPerSecond).to.be.within(4, 6);
  });

  it('begin anew when the demand source’s figures are reset, and say which reset they know', async () => {
    await call(3);
    bidder.recordBid(77);
    await reportAfter(1);
    bidder.update({ ...bidder.dsp, healthResets: 2 });
    await call(1);
    const [report] = await reportAfter(1);
    expect(report).to.include({ resets: 2, lastBidAtMs: null });
    expect(report.sighting.calls).to.equal(1);
  });

  it('follow at once when calls cease, then every five seconds until the last call is five minutes old', async () => {
    await call(1);
    expect(await reportAfter(1)).to.have.length(1);
    const [ceased] = await reportAfter(1);
    expect(ceased.sighting).to.include({ callsPerSecond: 0, calls: 1 });
    const heard: number[] = [];
    for (let second = 1; second <= 12; second++) if ((await reportAfter(1)).length > 0) heard.push(second);
    expect(heard).to.deep.equal([5, 10]);

    await reportAfter(300);
    for (let second = 1; second <= 12; second++) await reportAfter(1);
    const since = told.slice(4);
    expect(since.map(({ sighting }) => sighting.calls)).to.deep.equal([0]);
  });

  it('say at once that the breaker opened, and that it was reset', async () => {
    server.script = silent();
    await call(DEFAULT_BIDDER_SETTINGS.breaker.minimumCalls);
    expect((await reportAfter(1))[0].sighting.breaker).to.equal('open');
    await reportAfter(1);
    bidder.update({ ...bidder.dsp, breakerResets: 1 });
    expect((await reportAfter(1))[0].sighting.breaker).to.equal('closed');
  });

  it('repeat what could not be sent', async () => {
    await call(1);
    logAway = true;
    expect(await reportAfter(1)).to.deep.equal([]);
    logAway = false;
    expect((await reportAfter(1))[0].sighting).to.include({ calls: 1 });
  });
});
