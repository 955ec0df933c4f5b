import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import { DataFolderLocked, LogUnavailable } from '../../ports/errors.ts';
import type { LogProvider } from '../../ports/log-provider.ts';
import type { Repartitioning } from '../../ports/repartitioning.ts';
import { freeBytesOf } from '../system/free-bytes.ts';
import { CommitGroup } from './commit-group.ts';
import { type DataFolderLock, lockDataFolder } from './data-folder-lock.ts';
import { DiskRoom } from './disk-room.ts';
import { EmbeddedCatalogue } from './embedded-catalogue.ts';
import { EmbeddedCounters } from './embedded-counters.ts';
import { EmbeddedLeases } from './embedded-leases.ts';
import { EmbeddedLog } from './embedded-log.ts';
import { EmbeddedRelayedAppends } from './embedded-relayed-appends.ts';
import { EmbeddedRepartitioning, PARTITIONS_KEY } from './embedded-repartitioning.ts';
import { EmbeddedReplies } from './embedded-replies.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { Facets } from './facets.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { Partition } from './partition.ts';

/** The number of payload characters that all partitions together keep in memory for readers. */
const LOG_MEMORY_CHARACTERS = 32 * 1024 * 1024;

export interface EmbeddedOptions {
  /** The folder, DATA_DIR; created when it does not exist. */
  readonly folder: string;
  /** The number of partitions, fixed at first use: a folder with another number keeps that, with a warning. */
  readonly partitions: number;
  readonly clock: Clock;
  /** The bytes that the disk of the folder still takes; asked of the system when absent. */
  readonly freeBytes?: () => number;
  /** Told why opening takes time: another process may have the folder. Default: a warning of Node.js. */
  readonly report?: (message: string) => void;
}

export interface Embedded {
  readonly log: LogProvider;
  readonly store: EmbeddedStore;
  readonly counters: Counters;
  /** For a folder of which nothing else is used meanwhile; closing it closes nothing. */
  readonly repartitioning: Repartitioning;
  /**
   * Ends waiting reads, flushes, and unlocks the folder. Closing `log` or `store` does the same; closing `counters`
   * only ends their sweeps.
   */
  close(): Promise<void>;
}

/**
 * Opens the log and the state store that need no installation: both in one folder, locked by one process. Rejects with
 * `DataFolderLocked` when another process has the folder, and with `LogUnavailable` when the folder cannot be opened.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { folder, report = (message) => process.emitWarning(message) } = options;
  const lock = await lockDataFolder(folder, { report }).catch((error: unknown) => {
    throw error instanceof DataFolderLocked ? error : cannotOpen(folder, error);
  });
  let environment: Environment | undefined;
  try {
    environment = openEnvironment(folder);
    return await assemble(environment, options, lock);
  } catch (error) {
    await environment?.root.close();
    await lock.release();
    throw cannotOpen(folder, error);
  }
}

function cannotOpen(folder: string, cause: unknown): LogUnavailable {
  return new LogUnavailable(`the data folder ${folder} cannot be opened: ${(cause as Error).message}`, { cause });
}

async function assemble(
  environment: Environment,
  { folder, partitions: wanted, clock, freeBytes = () => freeBytesOf(folder) }: EmbeddedOptions,
  lock: DataFolderLock,
): Promise<Embedded> {
  const group = new CommitGroup(environment.root);
  const taken = () => group.giveUp(new Error(`another process has taken the data folder ${folder} over`));
  lock.lost.addEventListener('abort', taken, { once: true });
  const warnings: string[] = [];
  const count = await partitionsOf(environment, group, wanted);
  if (count !== wanted) {
    warnings.push(`the data folder has ${count} partitions since its first use: ${wanted} are asked for in vain`);
  }
  const memory = LOG_MEMORY_CHARACTERS / count;
  const partitions = Array.from({ length: count }, (_, number) => new Partition(number, environment, memory));
  const onceIds = new IdempotencyKeys(environment, group, clock);
  const room = new DiskRoom(freeBytes, clock);
  const relayed = new EmbeddedRelayedAppends(partitions, environment, group, onceIds, clock, room);
  const log = new EmbeddedLog(partitions, group, onceIds, clock, room, () => relayed.knownIdentity);
  const leases = new EmbeddedLeases(partitions, group, clock);
  const catalogue = new EmbeddedCatalogue(environment, group, clock);
  const replies = new EmbeddedReplies();
  const facets = new Facets(environment, group, clock);
  const counters = new EmbeddedCounters(environment, group, clock);

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      const settled = await group.close();
      for (const part of [log, catalogue, replies, onceIds, facets]) part.close();
      await counters.close();
      // A commit that hangs may still complete: the folder stays locked until the process ends.
      if (!settled) return;
      await environment.root.close();
      await lock.release();
    })();
    return closing;
  };
  const healthy = async () => group.refusal === undefined && room.isThere();
  const store = new EmbeddedStore(environment, group, facets, close);
  const repartitioning = new EmbeddedRepartitioning(environment, group, partitions, clock);
  const provider = { log, relayed, leases, catalogue, replies, warnings, healthy, close };
  return { log: provider, store, counters, repartitioning, close };
}

/** The number of partitions with which the folder was first used. */
async function partitionsOf(environment: Environment, group: CommitGroup, wanted: number): Promise<number> {
  const kept = environment.marks.get(PARTITIONS_KEY);
  if (kept !== undefined) return Number(kept);
  await group.write(() => void environment.marks.put(PARTITIONS_KEY, String(wanted)), LogUnavailable);
  return wanted;
}
