import type { Clock } from '../../ports/clock.ts';
import { LogUnavailable } from '../../ports/errors.ts';
import { latestOf, type Position, START } from '../../ports/position.ts';
import type { PlacesOf, Repartitioning } from '../../ports/repartitioning.ts';
import type { CommitGroup } from './commit-group.ts';
import { copyIdsInFolder } from './copied-ids.ts';
import type { Environment } from './environment.ts';
import { Partition, type RelayedSource } from './partition.ts';

/** The mark with the number of partitions. */
export const PARTITIONS_KEY = 'partitions';

/** The log of a data folder that gets more partitions. The lock of the folder keeps every other process out. */
export class EmbeddedRepartitioning implements Repartitioning {
  readonly #environment: Environment;
  readonly #group: CommitGroup;
  readonly #partitions: readonly Partition[];
  readonly #clock: Clock;

  /** `partitions`: those that the folder has. */
  constructor(environment: Environment, group: CommitGroup, partitions: readonly Partition[], clock: Clock) {
    this.#environment = environment;
    this.#group = group;
    this.#partitions = partitions;
    this.#clock = clock;
  }

  async partitions(): Promise<number> {
    return this.#partitions.length;
  }

  async users(): Promise<string[]> {
    return [];
  }

  async undrained(): Promise<number[]> {
    return this.#partitions.filter(({ length }) => length > 0).map(({ number }) => number);
  }

  async openSources(): Promise<string[]> {
    const open = this.#partitions.flatMap(({ sources }) =>
      [...sources].filter(([, [, , writtenOff]]) => writtenOff === null).map(([source]) => source),
    );
    return [...new Set(open)].sort();
  }

  async highest(partitions: number): Promise<Position> {
    return latestOf(this.#all(partitions).flatMap(({ last, cursor }) => [last, cursor]));
  }

  async nowMs(): Promise<number> {
    return Math.floor(this.#clock.now());
  }

  raise(partitions: number, position: Position): Promise<void> {
    return this.#group.write(() => {
      const [first] = this.#partitions;
      for (const partition of this.#all(partitions)) {
        partition.raiseDrained(position);
        if (partition.number >= this.#partitions.length) writeOff(first!.sources, partition);
        partition.seal();
      }
    }, LogUnavailable);
  }

  copyIds(partitions: number, placesOf: PlacesOf): Promise<number> {
    return copyIdsInFolder(this.#environment, this.#group, (id) => placesOf(id, partitions));
  }

  async settle(partitions: number): Promise<void> {
    await this.#group.write(() => void this.#environment.marks.put(PARTITIONS_KEY, String(partitions)), LogUnavailable);
  }

  async close(): Promise<void> {}

  /** The partitions below this number, also those that the folder does not have yet. */
  #all(partitions: number): Partition[] {
    return Array.from(
      { length: partitions },
      (_, number) => this.#partitions[number] ?? new Partition(number, this.#environment, 0),
    );
  }
}

function writeOff(known: ReadonlyMap<string, RelayedSource>, partition: Partition): void {
  for (const [source, [, throughMs, writtenOff]] of known) {
    if (!partition.sources.has(source)) partition.sources.set(source, [START, throughMs, writtenOff]);
  }
}
