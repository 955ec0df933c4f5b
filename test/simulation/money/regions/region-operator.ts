import type { Cluster, Member } from '#runtime/simulator/cluster';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import type { CornerCaseCounts } from '../corner-case-counts.ts';
import type { MarketRegion } from './market-region.ts';
import type { RegionLog } from './region-history.ts';

const LOOKS_EVERY_MS = 1_500;
const PATIENCE_MS = 3_000;

/** An operator who gives sources up, with what `exchange regions` reads and writes. */
export class RegionOperator {
  readonly #cluster: Cluster;
  readonly #regions: readonly MarketRegion[];
  readonly #random: SeededRandom;
  readonly #corners: CornerCaseCounts;

  constructor(
    { cluster, corners }: { cluster: Cluster; corners: CornerCaseCounts },
    regions: readonly MarketRegion[],
    random: SeededRandom,
  ) {
    this.#cluster = cluster;
    this.#regions = regions;
    this.#random = random;
    this.#corners = corners;
  }

  /** For as long as the run lasts: gives up the logs that were lost, once home knows the log that followed. */
  async watch(): Promise<void> {
    const { time } = this.#cluster.world;
    for (;;) {
      await time.sleep(this.#random.exponential(LOOKS_EVERY_MS), 'an operator looks after regions');
      for (const { history } of this.#regions) {
        const due = history.logs.filter(
          ({ isLost, source, writeOff }) => isLost && source !== null && writeOff !== 'yes',
        );
        const { source: present } = history.present;
        for (const log of due) {
          if (present !== null && (await this.#isKnown(present))) await this.writeOff(log, 'its log was lost');
        }
      }
    }
  }

  /** Gives a source up in all partitions; again and again until each has answered. */
  async writeOff(log: RegionLog, why: string): Promise<void> {
    const { time } = this.#cluster.world;
    log.writeOff = 'writing';
    for (let partition = 0; partition < this.#cluster.log.partitions.length; ) {
      const done = await this.#ask((member) =>
        member.log.relayed.writeOff(partition, log.source!, why).then(() => true),
      );
      if (done) partition += 1;
      else await time.sleep(this.#random.exponential(LOOKS_EVERY_MS), 'an operator writes a region off again');
    }
    log.writeOff = 'yes';
    this.#corners.count(`a region is written off, as ${why}`);
  }

  /** Whether the list of regions names the source in each partition. */
  async #isKnown(source: string): Promise<boolean> {
    const partitions = this.#cluster.log.partitions.map(({ partition }) => partition);
    const known = await this.#ask(async ({ log }) => {
      const all = await Promise.all(partitions.map((partition) => log.relayed.sources(partition)));
      return all.every((sources) => sources.some((one) => one.source === source));
    });
    return known === true;
  }

  /** By some process at home; null where it gives no answer. */
  async #ask<T>(act: (member: Member) => Promise<T>): Promise<T | null> {
    const near = this.#cluster.reachable.filter((member) => !this.#regions.some((region) => region.has(member)));
    const { time } = this.#cluster.world;
    if (near.length === 0) return time.sleep(PATIENCE_MS, 'an operator waits no longer').then(() => null);
    const answer = act(this.#random.pick(near)).catch(() => null);
    return time.atMost(answer, PATIENCE_MS, 'an operator waits no longer');
  }
}
