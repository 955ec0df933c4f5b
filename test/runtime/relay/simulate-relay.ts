import { regionalEntry, regionalEntryDecoder } from '#edge/regions/regional-entry';
import { encodeEnvelope } from '#runtime/node/envelope';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { SILENT } from '#runtime/node/logger';
import type { Clock } from '#runtime/ports/clock';
import type { IdempotentEntry } from '#runtime/ports/log';
import { comparePositions, positionTimeMs } from '#runtime/ports/position';
import type { RelayedAppends } from '#runtime/ports/relayed';
import { RegionRelay } from '#runtime/relay/region-relay';
import { LogServer } from '#runtime/simulator/log-server';
import type { PartitionImage } from '#runtime/simulator/partition-state';
import { RELAYED_LAWS } from '#runtime/simulator/relayed-laws';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { SimulatedProcess } from '#runtime/simulator/simulated-process';
import { createWorld } from '#runtime/simulator/world';

const PARTITIONS = 2;
const RUN_MS = 60_000;
const REST_MS = 120_000;
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 1_000;
const LEASE_MS = 3_000;

export interface RelaySimulation {
  /** Impressions that the region had acknowledged. */
  readonly acknowledged: number;
  /** Of these, those that did not come home, and those that came more than once. */
  readonly missing: number;
  readonly doubled: number;
  /** Entries that home took for drained before they were there. */
  readonly untold: number;
  /** What was injected. */
  readonly faults: Readonly<Record<'deaths' | 'cuts' | 'homeLosses' | 'crashes' | 'wipes' | 'foreign', number>>;
}

/**
 * The parts of law 14; false breaks one. `through`: home is told to when the region is drained, and no later instant.
 */
export interface RelayLaws {
  readonly withoutGaps: boolean;
  readonly once: boolean;
  readonly through: boolean;
}

/**
 * A region and its relay under `seed`: the relay dies, the link to home is cut, home crashes and loses a suffix with
 * what it knows of the region, the region's server crashes or loses everything, and pixels are called at home too. Then
 * all of it ends, and everything must come to rest.
 */
export async function simulateRelay(
  seed: number,
  laws: RelayLaws = { withoutGaps: true, once: true, through: true },
): Promise<RelaySimulation> {
  const world = createWorld(`relay ${seed}`);
  const { time, random } = world;
  world.faults.rates = { ...world.faults.rates, requestLost: 0.01, replyLost: 0.02, late: 0.005, slow: 0.01 };
  const region = new LogServer(world, PARTITIONS, 10, NO_BROKEN_LAWS);
  const home = new LogServer(world, PARTITIONS, 10, NO_BROKEN_LAWS);
  home.relayedLaws = { ...RELAYED_LAWS, withoutGaps: laws.withoutGaps, once: laws.once };
  const faults = { deaths: 0, cuts: 0, homeLosses: 0, crashes: 0, wipes: 0, foreign: 0 };
  const acknowledged = new Set<string>();
  /** Lost with the region's log before they were home. */
  const lost = new Set<string>();
  let untold = 0;
  let isOver = false;

  const edge = new SimulatedProcess('edge', time, random);
  const atRegion = new SimulatedLog(region, edge, world, DEADLINE_MS);
  const atHome = new SimulatedLog(home, edge, world, DEADLINE_MS);
  const impression = (id: string, partition: number): IdempotentEntry => {
    const nowMs = edge.now();
    const body = { id, region: 'nyc' };
    const payload = encodeEnvelope({ to: `tally/${partition}`, type: 'impression', body });
    const bucketMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    return { id, bucketMs, expiresAtMs: nowMs + HOUR_MS, payload, noteBefore: 2 };
  };
  let numbered = 0;
  const call = async () => {
    const id = `impression-${++numbered}`;
    const partition = numbered % PARTITIONS;
    const entry = impression(id, partition);
    if (random.chance(0.1)) {
      faults.foreign += 1;
      void atHome.log
        .appendOnce(partition, [random.chance(0.5) ? entry : { ...entry, isForeign: true }])
        .catch(() => {});
    }
    const outcomes = await atRegion.log.appendOnce(partition, [regionalEntry(entry)]).catch(() => []);
    if (outcomes.length > 0) acknowledged.add(id);
  };
  const calling = () => {
    if (isOver) return;
    void call();
    time.after(random.exponential(40), 'a pixel is called', calling);
  };
  calling();

  let launched = 0;
  let link: SimulatedLog;
  let process: SimulatedProcess;
  const launch = () => {
    process = new SimulatedProcess(`relay ${++launched}`, time, random);
    link = new SimulatedLog(home, process, world, DEADLINE_MS);
    new RegionRelay({
      region: new SimulatedLog(region, process, world, DEADLINE_MS),
      home: laws.through ? link.relayed : hasty(link.relayed, process),
      regionName: 'nyc',
      decode: regionalEntryDecoder('nyc'),
      owner: process.name,
      clock: process,
      logger: SILENT,
      leaseMs: LEASE_MS,
    }).start();
  };
  launch();

  /** Of each partition, since it last went back. */
  let images: { readonly partition: number; readonly image: PartitionImage }[] = [];
  const photograph = () => {
    if (isOver) return;
    const partition = Math.floor(random.between(0, PARTITIONS));
    images.push({ partition, image: home.partition(partition).image() });
    time.after(random.exponential(1_000), 'home is photographed', photograph);
  };
  photograph();
  const strike = () => {
    if (isOver) return;
    const drawn = random.next();
    if (drawn < 0.3) {
      faults.deaths += 1;
      process.kill();
      launch();
    } else if (drawn < 0.6) {
      faults.cuts += 1;
      const cut = link;
      cut.connection.interrupt();
      time.after(random.exponential(2_000), 'the link is back', () => cut.connection.restore());
    } else if (drawn < 0.63) {
      faults.wipes += 1;
      for (const { partition: number, entries } of region.partitions) {
        for (const { payload } of entries) lost.add(idOf(payload.slice(payload.indexOf('\n') + 1)));
        region.restore(number, null);
      }
      region.data.identity = '';
    } else if (drawn < 0.8) {
      faults.crashes += 1;
      (random.chance(0.5) ? home : region).crash();
    } else {
      const back = images.at(-1 - Math.floor(random.between(0, 3)));
      if (back !== undefined) {
        faults.homeLosses += 1;
        home.restore(back.partition, back.image);
        images = images.filter(({ partition }) => partition !== back.partition);
      }
    }
    time.after(random.exponential(2_500), 'a fault strikes', strike);
  };
  time.after(1_000, 'faults begin', strike);

  const lookAround = () => {
    for (const { partition: number, entries } of region.partitions) {
      const known = home
        .partition(number)
        .sources()
        .find(({ source }) => source === `nyc#${region.data.identity}`);
      if (known === undefined) continue;
      const isHome = (position: string) => comparePositions(position, known.position) <= 0;
      const early = entries.filter(({ position }) => positionTimeMs(position) < known.throughMs && !isHome(position));
      untold += early.length;
    }
    time.after(100, 'it is looked around', lookAround);
  };
  lookAround();

  await time.run(() => false, RUN_MS);
  isOver = true;
  world.faults.rates = { ...world.faults.rates, requestLost: 0, replyLost: 0, late: 0, slow: 0 };
  link!.connection.restore();
  await time.run(() => false, REST_MS);

  const times = new Map<string, number>();
  for (const entries of home.visible) {
    for (const { payload } of entries) times.set(idOf(payload), (times.get(idOf(payload)) ?? 0) + 1);
  }
  process!.kill();
  const missing = [...acknowledged].filter((id) => !times.has(id) && !lost.has(id)).length;
  const doubled = [...times.values()].filter((count) => count > 1).length;
  return { acknowledged: acknowledged.size, missing, doubled, untold, faults };
}

function idOf(payload: string): string {
  return (JSON.parse(payload)[2] as { readonly id: string }).id;
}

/** Tells home that the region is drained to this instant, whatever waits there. */
function hasty(relayed: RelayedAppends, clock: Clock): RelayedAppends {
  return {
    ...relayed,
    appendRelayed: (partition, source, batch) =>
      relayed.appendRelayed(partition, source, { ...batch, throughMs: clock.now() }),
  };
}
