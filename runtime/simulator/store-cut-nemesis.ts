import type { Violations } from './auditor/violations.ts';
import type { Cluster, Member } from './cluster.ts';
import { SeededRandom } from './seeded-random.ts';

const FAULT = 'store cut off from one node';
/** The share of runs in which it happens. */
const PROBABILITY = 0.4;
const EVERY_MS = 6_000;
const OUTAGE_MS = 4_000;
const LOOK_EVERY_MS = 250;
/**
 * A node that cannot reach its store hands over within this time; later requests are answered within the same time
 * again, ms.
 */
const HANDED_OVER_WITHIN_MS = 10_000;

export interface StoreCutContext {
  readonly cluster: Cluster;
  readonly violations: Violations;
  readonly gaveUp: () => boolean;
  /** Sends a message to every actor. */
  readonly knock: () => void;
  readonly openRequests: () => number;
}

/** Cuts one node off its store: once beside all other faults, and once more without them, when it must hand over. */
export class StoreCutNemesis {
  readonly #random: SeededRandom;
  readonly #enabled: boolean;
  #active = false;
  /** The scheduled ends of outages: an end must not end a later outage. */
  readonly #ends = new Set<() => void>();

  /** Draws from a source of its own, so that everything else that a seed determines stays the same. */
  constructor(seed: number) {
    this.#random = new SeededRandom(`${FAULT}:${seed}`);
    this.#enabled = this.#random.chance(PROBABILITY);
  }

  begin(cluster: Cluster): void {
    if (!this.#enabled) return;
    this.#active = true;
    this.#schedule(cluster);
  }

  /** Stops; the caller connects all nodes with the store again. */
  end(): void {
    this.#active = false;
    for (const cancel of this.#ends) cancel();
    this.#ends.clear();
  }

  #schedule(cluster: Cluster): void {
    const { time, faults } = cluster.world;
    time.after(this.#random.exponential(EVERY_MS), FAULT, () => {
      if (!this.#active) return;
      const actors = cluster.members.filter(({ hostsActors }) => hostsActors);
      if (actors.length > 0) {
        const { store } = this.#random.pick(actors);
        faults.count(FAULT);
        store.connection.interrupt();
        const cancel = time.after(this.#random.exponential(OUTAGE_MS), 'store reached again', () => {
          this.#ends.delete(cancel);
          store.connection.restore();
        });
        this.#ends.add(cancel);
      }
      this.#schedule(cluster);
    });
  }

  /** Without other faults, one of several nodes loses its store and later gets it back. */
  async whenAllIsWell(trouble: StoreCutContext): Promise<void> {
    const { cluster, violations, gaveUp, knock, openRequests } = trouble;
    const { time, faults } = cluster.world;
    const owning = cluster.members.filter((member) => member.started && partitionsOf(cluster, member).length > 0);
    if (!this.#enabled || owning.length < 2) return;
    const sick = this.#random.pick(owning);
    faults.count(`${FAULT}, all else being well`);
    sick.store.connection.interrupt();
    await this.#until(trouble, () => partitionsOf(cluster, sick).length === 0);
    if (gaveUp()) return;
    const kept = partitionsOf(cluster, sick);
    if (kept.length > 0) {
      violations.add('a sick node hands over', `${sick.process.name} keeps ${kept} without its store`);
      return;
    }
    // A replicated log needs the store to decide whether it may be used: such a node is not ready.
    sick.avoided = true;
    knock();
    await this.#until(trouble, () => openRequests() === 0);
    if (gaveUp()) return;
    if (openRequests() > 0) violations.add('a sick node hands over', `${openRequests()} requests are unanswered`);
    sick.store.connection.restore();
    sick.avoided = false;
    await time.run(gaveUp, time.nowMs + HANDED_OVER_WITHIN_MS);
  }

  async #until({ cluster, gaveUp }: StoreCutContext, done: () => boolean): Promise<void> {
    const { time } = cluster.world;
    const limitMs = time.nowMs + HANDED_OVER_WITHIN_MS;
    while (!done() && !gaveUp() && time.nowMs < limitMs) await time.run(gaveUp, time.nowMs + LOOK_EVERY_MS);
  }
}

function partitionsOf({ log }: Cluster, { node }: Member): number[] {
  return log.partitions.filter(({ owner }) => owner === node.incarnation).map(({ partition }) => partition);
}
