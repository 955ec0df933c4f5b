import { expect } from 'chai';
import { regionalEntry, regionalEntryDecoder } from '#edge/regions/regional-entry';
import { encodeEnvelope } from '#runtime/node/envelope';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { SILENT } from '#runtime/node/logger';
import { RegionRelay } from '#runtime/relay/region-relay';
import { LogServer } from '#runtime/simulator/log-server';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { SimulatedProcess } from '#runtime/simulator/simulated-process';
import { createWorld } from '#runtime/simulator/world';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ENTRIES = 20;

describe("what a region's log keeps of what is at home", () => {
  let world: ReturnType<typeof createWorld>;
  let region: LogServer;
  let home: LogServer;
  let launched: number;

  beforeEach(async () => {
    world = createWorld('retention');
    region = new LogServer(world, 1, 10, NO_BROKEN_LAWS);
    home = new LogServer(world, 1, 10, NO_BROKEN_LAWS);
    launched = 0;
    const { log } = new SimulatedLog(region, new SimulatedProcess('edge', world.time, world.random), world, 1_000);
    const nowMs = region.nowMs;
    const body = { region: 'nyc' };
    const payload = encodeEnvelope({ to: 'tally/0', type: 'impression', body });
    const remembered = { bucketMs: Math.floor(nowMs / HOUR_MS) * HOUR_MS, expiresAtMs: nowMs + HOUR_MS };
    const entries = Array.from({ length: ENTRIES }, (_, index) => ({ id: `${index}`, ...remembered, payload }));
    void log.appendOnce(0, entries.map(regionalEntry));
    await passes(1_000);
    // Home was out of reach for longer than the region keeps what is at home.
    region.clockSkewMs += 1.5 * HOUR_MS;
    home.clockSkewMs += 1.5 * HOUR_MS;
  });

  function launch(): SimulatedProcess {
    const process = new SimulatedProcess(`relay ${++launched}`, world.time, world.random);
    new RegionRelay({
      region: new SimulatedLog(region, process, world, 1_000),
      home: new SimulatedLog(home, process, world, 1_000).relayed,
      regionName: 'nyc',
      decode: regionalEntryDecoder('nyc'),
      owner: process.name,
      clock: process,
      logger: SILENT,
    }).start();
    return process;
  }

  async function passes(ms: number): Promise<void> {
    await world.time.run(() => false, world.time.nowMs + ms);
  }

  const atHome = () => home.partition(0).entries.length;
  const inRegion = () => region.partition(0).entries.length;

  it('is enough for a home that loses what it has just acknowledged, however old that is', async () => {
    const before = home.partition(0).image();
    const relay = launch();
    await passes(5_000);
    expect(atHome()).to.equal(ENTRIES);
    home.restore(0, before);
    expect(atHome()).to.equal(0);
    await passes(5_000);
    expect(atHome()).to.equal(ENTRIES);
    relay.kill();
  });

  it('is trimmed 15 minutes after it was acknowledged, by relays that follow each other too', async () => {
    let relay = launch();
    for (let minute = 0; minute < 14; minute += 1) {
      await passes(MINUTE_MS);
      relay.kill();
      relay = launch();
    }
    expect(inRegion()).to.equal(ENTRIES);
    await passes(3 * MINUTE_MS);
    expect(inRegion()).to.equal(0);
    relay.kill();
  });
});
