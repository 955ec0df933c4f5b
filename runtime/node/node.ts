import { Registry } from 'prom-client';
import { SharedTurns } from '../../async/shared-turns.ts';
import type { AuditTrail } from '../actor/audit-trail.ts';
import type { AnyActorDefinition } from '../actor/define-actor.ts';
import { ActorTimeout, LogUnavailable } from '../actor/errors.ts';
import type { Logger } from '../actor/logger.ts';
import type { AskOptions, Messenger } from '../actor/messenger.ts';
import type { Replica } from '../actor/replica.ts';
import type { Clock } from '../ports/clock.ts';
import type { LogProvider } from '../ports/log-provider.ts';
import type { Random } from '../ports/random.ts';
import type { StateStore } from '../ports/store.ts';
import type { Tracer } from '../ports/tracer.ts';
import { CatalogueReplica } from './catalogue-replica.ts';
import { checkedAddress } from './checked-address.ts';
import { DeadLetters } from './dead-letters.ts';
import { DestinationHealth } from './destination-health.ts';
import type { AskEnvelope } from './envelope.ts';
import { KindRegistry } from './kind-registry.ts';
import { type BrokenLaws, NO_BROKEN_LAWS } from './laws.ts';
import { LogReader } from './log-reader.ts';
import { SILENT } from './logger.ts';
import { MAIN_LOG, NodeMetrics } from './metrics.ts';
import type { NodeDeps } from './node-deps.ts';
import { PendingAsks } from './pending-asks.ts';
import { Placement } from './placement.ts';
import { Producer } from './producer.ts';
import { StoreWatch } from './store-watch.ts';
import { DEFAULT_TUNING, type Tuning } from './tuning.ts';

export interface NodeOptions {
  /** The node's name in logs and metrics, for people to read. */
  readonly name: string;
  readonly provider: LogProvider;
  readonly store: StateStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly definitions: readonly AnyActorDefinition[];
  /** Whether this node hosts actors; otherwise it only sends, asks and follows the catalogue. */
  readonly hostsActors: boolean;
  /**
   * The kinds whose projections this node holds. Other kinds may be followed (`Replica.follow`) until the node starts.
   */
  readonly replicates: readonly string[];
  readonly tuning?: Partial<Tuning>;
  readonly logger?: Logger;
  /** Nodes of one process on different logs may share it. */
  readonly registry?: Registry;
  /** The name of the log in metrics and in ids of dead letters. Default: `main`. */
  readonly logName?: string;
  /** Whether messages of this node that are appended together share entries. Default false: see bundle.ts. */
  readonly bundles?: boolean;
  /** Null or absent: nothing is traced. */
  readonly tracer?: Tracer | null;
  /** Receives the changes that an ask with `by` makes. */
  readonly auditTrail?: AuditTrail;
  /** For the simulator and tests only. */
  readonly brokenLaws?: BrokenLaws;
}

/** One process's part of the actor system. */
export interface ActorNode {
  readonly incarnation: string;
  readonly messenger: Messenger;
  readonly replica: Replica;
  readonly deadLetters: DeadLetters;
  readonly partitions: number;
  readonly ownedPartitions: readonly number[];
  /** Resolves when the node can send, replicates and, if it hosts actors, has tried to acquire partitions once. */
  start(): Promise<void>;
  /**
   * Stops the node cleanly: sends all waiting messages, saves its partitions and hands them over. The ports stay open.
   */
  stop(): Promise<void>;
}

export function createNode(options: NodeOptions): ActorNode {
  const { provider, store, clock, random } = options;
  const tuning = { ...DEFAULT_TUNING, ...options.tuning };
  const watch = new StoreWatch(store);
  const kinds = new KindRegistry(options.definitions, provider.log.partitions);
  const logger = options.logger ?? SILENT;
  const { logName = MAIN_LOG } = options;
  const metrics = new NodeMetrics(
    options.registry ?? new Registry(),
    logName,
    options.definitions.map(({ kind }) => kind),
  );
  metrics.partitions.set(provider.log.partitions);
  const destinations = new DestinationHealth({ provider, clock, tuning, metrics, logger });
  const deps: NodeDeps = {
    incarnation: `${options.name}.${random.id()}`,
    provider,
    store: watch.store,
    clock,
    random,
    kinds,
    tuning,
    brokenLaws: options.brokenLaws ?? NO_BROKEN_LAWS,
    auditTrail: options.auditTrail ?? null,
    logger,
    metrics,
    logName,
    destinations,
    tracer: options.tracer ?? null,
    carefulTurns: new SharedTurns(),
  };
  const replicated = options.replicates.map((kind) => kinds.named(kind));
  const replica = new CatalogueReplica(deps, replicated);
  const producer = new Producer(provider.log, deps.incarnation, clock, tuning, options.bundles);
  const asks = new PendingAsks(clock, tuning.maxAsks, deps.metrics);
  const placement = new Placement(deps, watch, () => reader.wake());
  const reader = new LogReader(deps, () => placement.sessions());

  const messenger: Messenger = {
    async tell(kind, id, type, body) {
      const address = checkedAddress(kinds, kind, id, type, body);
      await producer.send(kinds.partitionOf(address), address, type, body);
    },
    async ask(kind, id, type, body, askOptions: AskOptions = {}) {
      const address = checkedAddress(kinds, kind, id, type, body);
      const timeoutMs = askOptions.timeoutMs ?? tuning.askTimeoutMs;
      const askId = random.id();
      const envelope: AskEnvelope = {
        askId,
        requestId: askOptions.requestId ?? askId,
        replyTo: deps.incarnation,
        by: askOptions.by,
        // Without a request id the caller cannot ask again. The reply is then kept only for a message that is read
        // twice while its asker waits.
        keepMs: askOptions.requestId === undefined ? 2 * timeoutMs : tuning.keepRepliesMs,
      };
      const send = async () => producer.send(kinds.partitionOf(address), address, type, body, envelope);
      const reply = asks.wait(askId, address, timeoutMs, () => void send().catch(() => {}));
      send().catch((error) => {
        const unknown = error instanceof LogUnavailable;
        asks.fail(askId, unknown ? new ActorTimeout(`${address} may not have been reached`, { cause: error }) : error);
      });
      return reply as Promise<never>;
    },
  };

  return {
    incarnation: deps.incarnation,
    messenger,
    replica,
    deadLetters: new DeadLetters(deps),
    partitions: kinds.partitions,
    get ownedPartitions() {
      return placement.ownedPartitions;
    },
    async start() {
      await store.prepare(
        options.definitions.map((definition) => ({ kind: definition.kind, indexes: definition.indexes ?? [] })),
      );
      await provider.replies.listen(
        deps.incarnation,
        (payload) => asks.receive(payload),
        () => asks.askAgain(),
      );
      await replica.start();
      if (!options.hostsActors) return;
      await placement.start();
      reader.start();
    },
    async stop() {
      await producer.settled();
      if (options.hostsActors) {
        await placement.stop();
        await reader.stop();
      }
      destinations.close();
      asks.close();
      replica.stop();
    },
  };
}
