import { CountsSum } from '#edge/facts/counts-sum';
import { bundle, messagesOf } from '#runtime/node/bundle';
import { decodeEnvelope, encodeEnvelope } from '#runtime/node/envelope';
import { hashAddress } from '#runtime/node/kind-registry';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { SILENT } from '#runtime/node/logger';
import { compareSequences } from '#runtime/node/sequence';
import type { LeaseTable } from '#runtime/ports/leases';
import type { LogEntry } from '#runtime/ports/log';
import { SummingRelay } from '#runtime/relay/summing-relay';
import { LogServer } from '#runtime/simulator/log-server';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { SimulatedProcess } from '#runtime/simulator/simulated-process';
import { createWorld } from '#runtime/simulator/world';

const PARTITIONS = 3;
const HOME_PARTITIONS = 2;
const ADDRESSES = 6;
const RUN_MS = 60_000;
const REST_MS = 60_000;
const DEADLINE_MS = 1_000;
const LEASE_MS = 3_000;
const MINUTE_MS = 60_000;

/** What a relay does after it has read entries, in this order. */
const STEPS = ['note', 'append', 'commit'] as const;
export type Step = (typeof STEPS)[number];

/** What may be broken on purpose. */
export interface SummingLaws {
  /** The end of a batch is noted before it is sent. */
  readonly noted: boolean;
  /** Relays of one partition are one sender. */
  readonly oneSender: boolean;
  /** The cursor moves once a batch is at home. */
  readonly sentFirst: boolean;
}

const ALL_LAWS: SummingLaws = { noted: true, oneSender: true, sentFirst: true };

export interface SummingSimulation {
  /** Messages that the region had acknowledged, and messages of sums that came home and were not skipped. */
  readonly acknowledged: number;
  readonly taken: number;
  /**
   * Messages of the region, acknowledged and not lost with its log, that no receiver counted; and that one counted
   * twice.
   */
  readonly missing: number;
  readonly doubled: number;
  readonly faults: Readonly<Record<'deaths' | 'pauses' | 'cuts' | 'crashes' | 'wipes', number>>;
}

/** A region, its relays and the receivers of what it has counted. */
class Region {
  readonly world;
  readonly region: LogServer;
  readonly home: LogServer;
  readonly acknowledged = new Set<string>();
  /** Lost with the region's log before they were home. */
  readonly lost = new Set<string>();
  isOver = false;
  readonly #edge: SimulatedProcess;
  readonly #atRegion: SimulatedLog;
  readonly #laws: SummingLaws;
  #numbered = 0;
  #launched = 0;

  constructor(seed: string, laws: SummingLaws) {
    this.world = createWorld(seed);
    const { time, random } = this.world;
    this.region = new LogServer(this.world, PARTITIONS, 10, NO_BROKEN_LAWS);
    this.home = new LogServer(this.world, HOME_PARTITIONS, 10, NO_BROKEN_LAWS);
    this.#laws = laws;
    this.#edge = new SimulatedProcess('edge', time, random);
    this.#atRegion = new SimulatedLog(this.region, this.#edge, this.world, DEADLINE_MS);
  }

  /** Edges send until it is over: now and then two messages in one entry. */
  counting(): void {
    const { time, random } = this.world;
    if (this.isOver) return;
    const first = `facts/${Math.floor(random.between(0, ADDRESSES))}`;
    const partition = hashAddress(first) % PARTITIONS;
    const counted = [this.#counted(first)];
    for (let index = 0; index < ADDRESSES; index++) {
      const to = `facts/${index}`;
      if (to !== first && hashAddress(to) % PARTITIONS === partition && random.chance(0.5))
        counted.push(this.#counted(to));
    }
    const sent = this.#atRegion.log.append(partition, bundle(counted));
    sent.then(
      () => {
        for (const { id } of counted) this.acknowledged.add(id);
      },
      () => {},
    );
    time.after(random.exponential(40), 'an edge counts', () => this.counting());
  }

  #counted(to: string): { readonly id: string; readonly to: string; readonly payload: string } {
    const id = `${++this.#numbered}`;
    const minuteMs = Math.floor(this.#edge.now() / MINUTE_MS) * MINUTE_MS;
    const rows = { counterparties: [], creatives: [], latency: {} };
    const body = { minuteMs, region: 'nyc', counts: { [`seen/${id}`]: 1 }, ...rows };
    return { id, to, payload: encodeEnvelope({ to, type: 'facts', body, from: 'edge', sequence: id }) };
  }

  /** `before` is called before each step of a relay with the process, and `after` when it has answered. */
  launch(watch: { before?(step: Step): Promise<void>; after?(step: Step): Promise<void> } = {}): {
    readonly process: SimulatedProcess;
    readonly link: SimulatedLog;
  } {
    const { time, random } = this.world;
    const process = new SimulatedProcess(`relay ${++this.#launched}`, time, random);
    const link = new SimulatedLog(this.home, process, this.world, DEADLINE_MS);
    const provider = new SimulatedLog(this.region, process, this.world, DEADLINE_MS);
    const step = async <T>(name: Step, call: () => Promise<T>): Promise<T> => {
      await watch.before?.(name);
      const answer = await call();
      await watch.after?.(name);
      return answer;
    };
    const { leases } = provider;
    const laws = this.#laws;
    const watched: LeaseTable = {
      ...leases,
      note: (lease, note) =>
        step('note', async () => {
          if (!laws.sentFirst) await leases.commit(lease, note);
          return laws.noted ? leases.note(lease, note) : true;
        }),
      commit: (lease, cursor) => step('commit', () => leases.commit(lease, cursor)),
    };
    const relayed = laws.oneSender ? provider.relayed : { ...provider.relayed, identity: async () => process.name };
    new SummingRelay({
      region: { log: provider.log, leases: watched, relayed },
      home: {
        partitionOf: (to) => hashAddress(to) % HOME_PARTITIONS,
        append: (partition, payloads) => step('append', () => link.log.append(partition, payloads)),
      },
      regionName: 'nyc',
      newSum: () => new CountsSum(),
      isDue: ({ heldMs }) => heldMs >= 500,
      owner: process.name,
      clock: process,
      logger: SILENT,
      leaseMs: LEASE_MS,
    }).start();
    return { process, link };
  }

  wipe(): void {
    for (const { partition, entries } of this.region.partitions) {
      for (const entry of entries) for (const id of idsOf(entry)) this.lost.add(id);
      this.region.restore(partition, null);
    }
    this.region.data.identity = '';
  }

  /** What receivers have counted, as actors do: of one sender nothing that is not above the last. */
  received(): Pick<SummingSimulation, 'taken' | 'missing' | 'doubled'> {
    const times = new Map<string, number>();
    const last = new Map<string, string>();
    let taken = 0;
    for (const entry of this.home.visible.flat()) {
      for (const { payload } of messagesOf(entry)) {
        const { to, from, sequence, body } = decodeEnvelope(payload);
        const before = last.get(`${to} ${from}`);
        if (before !== undefined && compareSequences(sequence, before) <= 0) continue;
        last.set(`${to} ${from}`, sequence);
        taken += 1;
        for (const [name, count] of Object.entries((body as { readonly counts: Record<string, number> }).counts))
          times.set(name, (times.get(name) ?? 0) + count);
      }
    }
    const missing = [...this.acknowledged].filter((id) => !times.has(`seen/${id}`) && !this.lost.has(id)).length;
    return { taken, missing, doubled: [...times.values()].filter((count) => count > 1).length };
  }
}

/**
 * A region whose two relays die and are stopped for a while, whose link to home is cut, and whose log crashes or is
 * lost, under `seed`. Then all of it ends, and everything must be at home.
 */
export async function simulateSumming(seed: number, laws = ALL_LAWS): Promise<SummingSimulation> {
  const region = new Region(`summing ${seed}`, laws);
  const { time, random, faults: rates } = region.world;
  rates.rates = { ...rates.rates, requestLost: 0.01, replyLost: 0.02, late: 0.005, slow: 0.01 };
  const faults = { deaths: 0, pauses: 0, cuts: 0, crashes: 0, wipes: 0 };
  region.counting();
  const relays = [region.launch(), region.launch()];
  const strike = () => {
    if (region.isOver) return;
    const chosen = Math.floor(random.between(0, relays.length));
    const { process, link } = relays[chosen]!;
    const drawn = random.next();
    if (drawn < 0.3) {
      faults.deaths += 1;
      process.kill();
      relays[chosen] = region.launch();
    } else if (drawn < 0.55) {
      faults.pauses += 1;
      process.pause();
      time.after(random.exponential(LEASE_MS), 'a relay goes on', () => process.resume());
    } else if (drawn < 0.8) {
      faults.cuts += 1;
      link.connection.interrupt();
      time.after(random.exponential(2_000), 'the link is back', () => link.connection.restore());
    } else if (drawn < 0.84) {
      faults.wipes += 1;
      region.wipe();
    } else {
      faults.crashes += 1;
      (random.chance(0.5) ? region.home : region.region).crash();
    }
    time.after(random.exponential(1_500), 'a fault strikes', strike);
  };
  time.after(1_000, 'faults begin', strike);
  await time.run(() => false, RUN_MS);
  region.isOver = true;
  rates.rates = { ...rates.rates, requestLost: 0, replyLost: 0, late: 0, slow: 0 };
  for (const { process, link } of relays) {
    process.resume();
    link.connection.restore();
  }
  await time.run(() => false, RUN_MS + REST_MS);
  for (const { process } of relays) process.kill();
  return { acknowledged: region.acknowledged.size, ...region.received(), faults };
}

/** A region whose relays die at one place: before a step, or when it was done and they were not told. */
export async function simulateDeaths(
  at: Step,
  when: 'before' | 'after',
): Promise<SummingSimulation & { deaths: number }> {
  const region = new Region(`deaths ${when} ${at}`, ALL_LAWS);
  const { time } = region.world;
  let deaths = 0;
  const launch = () => {
    let steps = 0;
    const watch = async (step: Step): Promise<void> => {
      if (relay.process.dead) await new Promise(() => {});
      // Each relay gets a little further than the last.
      if (region.isOver || step !== at || ++steps <= deaths % 4) return;
      deaths += 1;
      relay.process.kill();
      time.after(LEASE_MS, 'another relay begins', launch);
      await new Promise(() => {});
    };
    const relay = region.launch(when === 'before' ? { before: watch } : { after: watch });
  };
  region.counting();
  launch();
  await time.run(() => false, RUN_MS);
  region.isOver = true;
  await time.run(() => false, RUN_MS + REST_MS);
  const faults = { deaths, pauses: 0, cuts: 0, crashes: 0, wipes: 0 };
  return { acknowledged: region.acknowledged.size, ...region.received(), faults, deaths };
}

function idsOf(entry: LogEntry): string[] {
  return messagesOf(entry).map(({ payload }) => decodeEnvelope(payload).sequence);
}
