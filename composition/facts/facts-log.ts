import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { facts } from '../../actors/facts/facts.ts';
import { factsMinutes } from '../../actors/ledger-minutes/ledger-minutes.ts';
import { FILED_FACT_HOURS_ID, watermark } from '../../actors/watermark/watermark.ts';
import { pause, systemTimer } from '../../async/pause.ts';
import { waitAtMost } from '../../async/wait-at-most.ts';
import type { FactsKind } from '../../edge/facts/facts.ts';
import { Complaints } from '../../runtime/actor/complaints.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { DeadLetters } from '../../runtime/node/dead-letters.ts';
import { KindRegistry } from '../../runtime/node/kind-registry.ts';
import { type BarrierResult, passBarrier } from '../../runtime/node/log-barrier.ts';
import { type ActorNode, createNode } from '../../runtime/node/node.ts';
import { DEFAULT_TUNING } from '../../runtime/node/tuning.ts';
import { LogUnavailable, Overloaded } from '../../runtime/ports/errors.ts';
import type { LogProvider } from '../../runtime/ports/log-provider.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import type { HomeOfSums } from '../../runtime/relay/summing-partition.ts';
import type { Settings } from '../../settings.ts';
import { isNotUp, named } from '../create-providers.ts';
import { waitFor } from '../wait-for.ts';

/** The name of this log, in metrics and in ids of dead letters. */
export const FACTS_LOG = 'facts';
/** Wait, ms, between tries to open the log while it does not answer. */
const OPEN_AGAIN_MS = 5_000;
/** Upper bound of messages under way: those to one partition share entries, so an edge's flush is a few of each. */
export const TELLS_AT_ONCE = 1_024;
/** An entry may have as many messages as an edge has for a partition, so a session takes few at once. */
const TUNING = { batchSize: 16, readAhead: 64 } as const;
/** The longest that a process that ends waits for the log of facts, ms: nothing of money is in it. */
const CLOSE_WITHIN_MS = 10_000;

/** The way of an edge's counts to their actors. */
export interface FactsRoute {
  readonly kind: FactsKind;
  readonly messenger: Pick<Messenger, 'tell'>;
  /** Upper bound of messages under way at once. Default: see edge/facts/facts.ts. */
  readonly tellsAtOnce?: number;
  /** See edge/facts/facts.ts. */
  readonly inPhase?: boolean;
}

export interface FactsLogDeps {
  readonly settings: Settings;
  readonly store: StateStore;
  readonly logger: Logger;
  /** Receives the metrics of the node, with `log="facts"`. */
  readonly registry: Registry;
  /** The way to the other actors of the exchange. */
  readonly messenger: Messenger;
}

/** The facts' log while it is open, and the node of this process on it. */
interface Opened {
  readonly provider: LogProvider;
  readonly node: ActorNode;
  readonly kinds: KindRegistry;
}

/**
 * The log of facts of one process (FACTS_REDIS_URL): counts of edges travel in it, apart from money. Processes with the
 * role `actors` own its partitions by a second node, which knows the kind `facts` and its minutes alone. While its
 * Redis does not answer, counts wait in the edges and everything else goes on, also the start of a process.
 */
export class FactsLog implements FactsRoute {
  readonly kind = facts;
  readonly tellsAtOnce = TELLS_AT_ONCE;
  readonly messenger: Pick<Messenger, 'tell'>;
  /** The log as the relay of a region's sums sees it. */
  readonly home: HomeOfSums;
  readonly #deps: FactsLogDeps;
  readonly #complaints: Complaints;
  readonly #closing = new AbortController();
  #opened: Opened | null = null;
  #memoryUsed: number | null = null;
  #opening: Promise<void> | null = null;

  constructor(deps: FactsLogDeps) {
    this.#deps = deps;
    this.#complaints = new Complaints({ logger: deps.logger, clock: systemClock });
    this.messenger = {
      tell: async (kind, id, type, body) => this.#whileOpen().node.messenger.tell(kind, id, type, body),
    };
    const { maxPartitionLength: maxLength } = DEFAULT_TUNING;
    this.home = {
      partitionOf: (to) => this.#whileOpen().kinds.partitionOf(to),
      append: async (partition, payloads) => this.#whileOpen().provider.log.append(partition, payloads, { maxLength }),
    };
  }

  /**
   * Opens the log, or goes on trying beside serving when it does not answer.
   * @throws Error when the setting is wrong, for example its password
   */
  async start(): Promise<void> {
    const { settings, logger } = this.#deps;
    await this.#open(settings.startWaitMs).catch((error) => {
      if (!mayComeUp(error)) throw error;
      logger.error(
        { err: error },
        'the log of facts does not answer: counts wait in edges, and are dropped in the end',
      );
      this.#opening = this.#openInTheEnd();
    });
    // Reports look for counts from now on.
    await this.#deps.messenger.tell(watermark, FILED_FACT_HOURS_ID, 'raise', { throughMs: 1 });
  }

  /**
   * Replays and discards messages of this log that were parked.
   * @throws Overloaded while the log is not open
   */
  get deadLetters(): DeadLetters {
    return this.#whileOpen().node.deadLetters;
  }

  /** Whether the log answers. */
  async healthy(): Promise<boolean> {
    return (await this.#opened?.provider.healthy()) === true;
  }

  /** The share of its memory that its fullest server uses, 0 to 1; null before it is known. */
  get memoryUsed(): number | null {
    return this.#memoryUsed;
  }

  /** Resolves when the saved documents hold everything that the log holds now. */
  async passBarrier(signal: AbortSignal): Promise<BarrierResult> {
    if (this.#opened === null) throw new LogUnavailable('the log of facts is not open yet');
    const { log, leases } = this.#opened.provider;
    return passBarrier({ log, leases, clock: systemClock, signal });
  }

  /** Hands over what this process owns and closes the log, within 10 s whether it answers or not. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening;
    const opened = this.#opened;
    if (opened === null) return this.#complaints.close();
    this.#opened = null;
    const stopped = opened.node.stop().catch((err) => {
      this.#deps.logger.warn({ err }, 'the node of facts could not be stopped in order');
    });
    await waitAtMost(systemTimer, CLOSE_WITHIN_MS, stopped);
    await opened.provider.close();
    this.#complaints.close();
  }

  #whileOpen(): Opened {
    if (this.#opened === null) throw new Overloaded('the log of facts is not open yet');
    return this.#opened;
  }

  async #openInTheEnd(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#opened === null) {
      await pause(systemTimer, OPEN_AGAIN_MS, signal).catch(() => {});
      if (signal.aborted) return;
      await this.#open(0).then(
        () => this.#deps.logger.info('the log of facts is open'),
        () => {},
      );
    }
  }

  async #open(withinMs: number): Promise<void> {
    const { settings, store, logger, registry } = this.#deps;
    const { openRedisLog } = await import('../../runtime/providers/redis/open-redis-log.ts');
    const url = settings.factsRedisUrl!;
    let report = (problem: string, cause: unknown) =>
      this.#complaints.warn({ problem, cause: String(cause) }, 'Redis of facts', problem);
    const toLogger = report;
    const open = (failed: (cause: unknown) => void) => {
      report = (_, cause) => failed(cause);
      return openRedisLog({
        ...{ url, prefix: `${settings.redisPrefix}-facts`, partitions: settings.partitions },
        report: (problem, cause) => report(problem, cause),
        observer: {
          begun: () => {},
          ended: () => {},
          memoryUsed: (part) => {
            this.#memoryUsed = part;
          },
        },
      });
    };
    const what = 'Redis (FACTS_REDIS_URL)';
    const provider = await named('FACTS_REDIS_URL', waitFor(what, { open, mayComeUp: isNotUp }, { logger, withinMs }));
    report = toLogger;
    const definitions = [facts, factsMinutes];
    const node = createNode({
      name: `${settings.region}-${process.pid}-facts`,
      ...{ provider, store, clock: systemClock, random: systemRandom, logger, registry, logName: FACTS_LOG },
      definitions,
      bundles: true,
      tuning: TUNING,
      hostsActors: settings.roles.has('actors'),
      replicates: [],
    });
    try {
      await node.start();
    } catch (error) {
      await provider.close();
      throw error;
    }
    this.#opened = { provider, node, kinds: new KindRegistry(definitions, provider.log.partitions) };
  }
}

/** Whether a failure to open may pass by itself: `named` has wrapped what the client has reported. */
function mayComeUp(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return (error instanceof Error && isNotUp(error)) || (cause instanceof Error && isNotUp(cause));
}
