import type { RegionsReading } from '#edge/budgets/region-readings';
import { hashAddress } from '#runtime/node/kind-registry';
import type { Violations } from '#runtime/simulator/auditor/violations';
import type { Cluster, Member } from '#runtime/simulator/cluster';
import { RELAYED_LAWS } from '#runtime/simulator/relayed-laws';
import { type RegionsThrough, readRegionsAt, readRegionsThrough } from '#scheduler/watermark/regions-through';
import type { BrokenMoney } from '../broken-money.ts';
import type { CornerCaseCounts } from '../corner-case-counts.ts';
import type { FeesAndBudgets } from '../fees-and-budgets.ts';
import type { EdgePlace, Sale } from '../money-edge.ts';
import type { MoneyModel } from '../money-model.ts';
import { checkRegions } from './check-regions.ts';
import { WindowChecker } from './check-windows.ts';
import type { RegionPlan } from './draw-regions.ts';
import { MarketRegion } from './market-region.ts';
import { RegionFaults } from './region-faults.ts';
import { RegionOperator } from './region-operator.ts';

const HOME = 'home';
/** Edges at home have the first numbers. */
const EDGES_AT_HOME = 2;

/** The regions of a run that have logs of their own, what goes wrong with them, and who looks after them. */
export class MarketRegions {
  readonly all: readonly MarketRegion[];
  readonly faults: RegionFaults;
  readonly windows: WindowChecker;
  readonly #cluster: Cluster;
  readonly #model: MoneyModel;
  readonly #corners: CornerCaseCounts;
  readonly #broken: BrokenMoney;
  readonly #operator: RegionOperator;

  constructor(
    { cluster, model, corners }: { cluster: Cluster; model: MoneyModel; corners: CornerCaseCounts },
    plans: readonly RegionPlan[],
    broken: BrokenMoney,
    violations: Violations,
  ) {
    this.#cluster = cluster;
    this.#model = model;
    this.#corners = corners;
    this.#broken = broken;
    let numbered = EDGES_AT_HOME;
    this.all = plans.map((plan) => {
      const names = Array.from({ length: plan.edges }, () => `edge-${++numbered}`);
      return new MarketRegion(plan, names, cluster);
    });
    const random = cluster.world.stream('faults of regions');
    this.#operator = new RegionOperator({ cluster, corners }, this.all, random.fork('operator'));
    this.faults = new RegionFaults({ cluster, model, corners }, this.all, this.#operator, random.fork('faults'));
    this.windows = new WindowChecker(this.all, { home: () => cluster.log, model }, corners, violations);
    model.onRelayed = (home, partition, source, batch) => {
      try {
        if (!this.all.some(({ history }) => history.came(home, partition, source, batch))) {
          throw new Error(`no region has the name ${source}`);
        }
      } catch (error) {
        violations.add('relayed is acknowledged', (error as Error).message);
      }
    };
    const laws = {
      ...RELAYED_LAWS,
      positionWithEntries: !broken.has('position-with-entries'),
      parksWrittenOff: !broken.has('written-off-is-parked'),
    };
    for (const server of cluster.group?.servers.map((one) => one.server) ?? [cluster.log]) server.relayedLaws = laws;
  }

  /** Without regions nothing of this has any effect. */
  get any(): boolean {
    return this.all.length > 0;
  }

  begin(): void {
    if (!this.any) return;
    this.faults.begin();
    void this.#operator.watch();
  }

  regionOf(member: Pick<Member, 'name'>): MarketRegion | undefined {
    return this.all.find((region) => region.has(member));
  }

  /** How far a process is from home. */
  roundTripMs(name: string): number {
    return 2 * (this.regionOf({ name })?.link.oneWayMs ?? 0);
  }

  /** One edge in four is of a release that leases at home by itself. */
  placeAtHome(member: Member): EdgePlace {
    const { log, records } = member.log;
    const place = { impressions: log, ...(hashAddress(member.node.incarnation) % 4 !== 0 && { records }) };
    if (!this.any) return { region: member.name, ...place };
    return { region: HOME, ...place, readRegions: this.#openedBy(member) };
  }

  /** Resolves once the edge may take impressions. */
  async placeIn(region: MarketRegion, member: Member): Promise<EdgePlace> {
    const place = await region.started(member);
    return { ...place, readRegions: this.#openedBy(member) };
  }

  healAll(): void {
    for (const region of this.all) region.heal();
  }

  #openedBy({ log }: Member): () => Promise<RegionsReading> {
    return () => readRegionsAt(log.relayed, log.log);
  }

  /** What settlement waits for. */
  async readThrough({ log }: Member): Promise<RegionsThrough> {
    return readRegionsThrough(log.relayed, log.log.partitions);
  }

  /** For the worker of the books; undefined where there are no regions. */
  settledThrough(member: Member): (() => Promise<RegionsThrough>) | undefined {
    if (!this.any) return undefined;
    if (this.#broken.has('settlement-waits-for-regions')) return async () => ({ throughMs: null, behind: [] });
    return async () => {
      const through = await this.readThrough(member);
      if (through.throughMs !== null && this.#cluster.log.nowMs - through.throughMs > 3 * 3_600_000) {
        this.#corners.count('budgets wait for a region that is hours behind');
      }
      return through;
    };
  }

  /** Whether a link is cut. */
  get areCut(): boolean {
    return this.all.some(({ link }) => link.isCut);
  }

  /** Edges hear of nothing from home while the link is cut. */
  hears(edge: string): boolean {
    return !(this.regionOf({ name: edge })?.link.isCut ?? false);
  }

  /** What is not at home, or not given up; null when all is. */
  get undrained(): string | null {
    for (const { name, waiting, history } of this.all) {
      if (waiting > 0) return `${waiting} entries of ${name} are not at home`;
      const open = history.logs.find(({ isLost, source, writeOff }) => isLost && source !== null && writeOff !== 'yes');
      if (open !== undefined) return `${open.source} is lost and not written off`;
    }
    return null;
  }

  /** A demand source with a limit has bought: whether by a lease of a region that cannot ask for another. */
  noteLimitedSale({ region }: Sale): void {
    const seller = this.all.find(({ name }) => name === region);
    if (seller?.link.isCut) this.#corners.count('a region that is cut off sells from its leases');
  }

  check(terms: FeesAndBudgets, violations: Violations): Promise<ReadonlySet<string>> {
    const { log: home } = this.#cluster;
    return checkRegions(this.all, { home, model: this.#model, terms }, this.#corners, violations);
  }
}
