import { regionalEntryDecoder } from '#edge/regions/regional-entry';
import { RegionalImpressions } from '#edge/regions/regional-impressions';
import { SILENT } from '#runtime/node/logger';
import { comparePositions } from '#runtime/ports/position';
import { RegionRelay } from '#runtime/relay/region-relay';
import { registerSource } from '#runtime/relay/register-source';
import { sourceName } from '#runtime/relay/source-name';
import { SourceWatch } from '#runtime/relay/source-watch';
import type { Cluster, Member } from '#runtime/simulator/cluster';
import { Link } from '#runtime/simulator/link';
import { LogServer } from '#runtime/simulator/log-server';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { UnavailableShards } from '#runtime/simulator/unavailable-shards';
import type { World } from '#runtime/simulator/world';
import type { EdgePlace } from '../money-edge.ts';
import type { RegionPlan } from './draw-regions.ts';
import { positionAt, RegionHistory } from './region-history.ts';

const CATALOGUE_BOUND = 10;
const DEADLINE_MS = 1_000;
const LEASE_MS = 3_000;
const CLOCK_OFF_MS = 3_000;

/**
 * A region of the market: its edges, which are far from home, its log beside them, and its relay, which is the real
 * one.
 */
export class MarketRegion {
  readonly name: string;
  readonly log: LogServer;
  readonly link: Link;
  readonly history: RegionHistory;
  onHealed: () => void = () => {};
  readonly #edges: ReadonlySet<string>;
  readonly #cluster: Cluster;
  /** The region's log has shards of its own. */
  readonly #world: World;
  readonly #connections = new Map<Member, SimulatedLog>();

  constructor({ name, oneWayMs }: RegionPlan, edges: Iterable<string>, cluster: Cluster) {
    const { world, broken } = cluster;
    this.name = name;
    this.#edges = new Set(edges);
    this.#cluster = cluster;
    const random = world.stream(`region ${name}`);
    this.#world = { ...world, random, shards: new UnavailableShards(random.fork('shards')) };
    this.link = new Link(oneWayMs);
    this.log = new LogServer(this.#world, cluster.log.partitions.length, CATALOGUE_BOUND, broken);
    this.log.clockSkewMs = random.between(-CLOCK_OFF_MS, CLOCK_OFF_MS);
    this.history = new RegionHistory(name, () => this.log.data.identity);
    this.log.observer = this.history;
  }

  /** Whether the process of this name is one of its edges. */
  has({ name }: Pick<Member, 'name'>): boolean {
    return this.#edges.has(name);
  }

  get members(): Member[] {
    return this.#cluster.members.filter((member) => this.has(member));
  }

  /** A process is launched here: home is far from it. */
  launched(member: Member): void {
    member.log.connection.link = this.link;
    member.store.connection.link = this.link;
  }

  /**
   * As an edge starts: the region is registered at home, and the relay runs, before an impression is taken. Rejects
   * when home cannot be reached.
   */
  async started(member: Member): Promise<EdgePlace> {
    const { process, log: home } = member;
    const region = new SimulatedLog(this.log, process, this.#world, DEADLINE_MS);
    this.#connections.set(member, region);
    const identity = await region.relayed.identity();
    await registerSource(home.relayed, home.log.partitions, sourceName(this.name, identity));
    const relay = new RegionRelay({
      region,
      home: home.relayed,
      regionName: this.name,
      decode: regionalEntryDecoder(this.name),
      owner: process.name,
      clock: process,
      logger: SILENT,
      leaseMs: LEASE_MS,
    });
    relay.start();
    const watch = new SourceWatch({
      ...{ region: region.relayed, home: home.relayed, partitions: home.log.partitions },
      ...{ regionName: this.name, identity, clock: process, logger: SILENT },
    });
    watch.start();
    // What is sold into a log that was written off must be parked: its edges have not heard of it here.
    const known = {
      get identity() {
        return watch.identity;
      },
      writtenOff: null,
    };
    const impressions = new RegionalImpressions(region.log, home.log, known);
    return { region: this.name, impressions, records: region.records };
  }

  /** The connection of one of its edges to its log. */
  connectionOf(member: Member): SimulatedLog | undefined {
    return this.#connections.get(member);
  }

  cut(): void {
    this.link.isCut = true;
  }

  heal(): void {
    if (!this.link.isCut) return;
    this.link.isCut = false;
    for (const { log } of this.members) log.connection.linkRestored();
    this.onHealed();
  }

  /** The region's server loses everything. Returns how many entries were not at home. */
  wipe(): number {
    const waiting = this.waiting;
    this.log.crash();
    this.history.wiped();
    for (const { partition } of this.log.partitions) this.log.restore(partition, null);
    this.log.data.identity = '';
    this.log.data.records = new Map();
    return waiting;
  }

  /** Entries of the present log that are not at home. */
  get waiting(): number {
    const { source } = this.history.present;
    let waiting = 0;
    for (const { partition, entries } of this.log.partitions) {
      const held = positionAt(this.#cluster.log, partition, source);
      waiting += entries.filter(({ position }) => comparePositions(position, held) > 0).length;
    }
    return waiting;
  }

  /** Faults end: what was cut off or interrupted works again. */
  restore(): void {
    this.heal();
    for (const region of this.#connections.values()) region.connection.restore();
  }
}
