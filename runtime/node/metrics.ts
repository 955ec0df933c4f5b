import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The name of the log that every exchange has. */
export const MAIN_LOG = 'main';

const ALARMS = ['log-behind-store', 'log-lost', 'unstorable'] as const;
export type Alarm = (typeof ALARMS)[number];

/** Messages by kind and outcome. */
type Handled = Map<string, Map<string, number>>;

/** The metrics of all nodes of a process, as its registry has them. The label `log` tells one node from another. */
class DeclaredMetrics {
  readonly batchSize: Histogram<'log'>;
  readonly saveSeconds: Histogram<'log'>;
  readonly savedDocuments: Counter<'log'>;
  readonly saveConflicts: Counter<'log'>;
  readonly askSeconds: Histogram<'log'>;
  readonly asksTimedOut: Counter<'log'>;
  readonly activations: Gauge<'log'>;
  readonly deadLetters: Counter<'kind' | 'log'>;
  readonly quarantined: Gauge<'kind' | 'log'>;
  readonly partitionLength: Gauge<'partition' | 'log'>;
  readonly partitions: Gauge<'log'>;
  readonly partitionsOwned: Gauge<'log'>;
  readonly nodeFit: Gauge<'log'>;
  readonly partitionsDeclined: Gauge<'log'>;
  readonly destinationsAway: Gauge<'log'>;
  readonly sessionFailures: Counter<'cause' | 'log'>;
  readonly alarms: Counter<'alarm' | 'log'>;
  readonly catalogueSnapshots: Counter<'log'>;
  readonly catalogueDocuments: Counter<'log'>;
  readonly handledByLog = new Map<string, Handled>();

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = <L extends string = never>(name: string, help: string, labels: readonly L[] = []) =>
      new Counter<L | 'log'>({ name, help, labelNames: [...labels, 'log'], registers });
    const gauge = <L extends string = never>(name: string, help: string, labels: readonly L[] = []) =>
      new Gauge<L | 'log'>({ name, help, labelNames: [...labels, 'log'], registers });
    const histogram = (name: string, help: string, buckets = SECONDS) =>
      new Histogram<'log'>({ name, help, labelNames: ['log'], buckets, registers });
    const { handledByLog } = this;
    new Counter({
      name: 'actor_messages_total',
      help: 'Messages handled',
      labelNames: ['kind', 'outcome', 'log'],
      registers,
      collect() {
        this.reset();
        for (const [log, handled] of handledByLog)
          for (const [kind, outcomes] of handled)
            for (const [outcome, n] of outcomes) this.inc({ kind, outcome, log }, n);
      },
    });
    this.batchSize = histogram(
      'actor_batch_size',
      'Messages of one partition handled together',
      [1, 2, 5, 10, 25, 50, 100, 250, 500],
    );
    this.saveSeconds = histogram('actor_save_seconds', 'Time of a save, all documents of a batch');
    this.savedDocuments = counter('actor_saved_documents_total', 'Documents saved');
    this.saveConflicts = counter('actor_save_conflicts_total', 'Saves that met another version');
    this.askSeconds = histogram('actor_ask_seconds', 'Time from an ask to its reply');
    this.asksTimedOut = counter('actor_asks_timed_out_total', 'Asks without a reply in time');
    this.activations = gauge('actor_activations', 'Actors in memory');
    this.deadLetters = counter('actor_dead_letters_total', 'Messages parked', ['kind']);
    this.quarantined = gauge(
      'actor_quarantined',
      'Actors whose state can no longer be stored: their messages are parked',
      ['kind'],
    );
    this.partitionLength = gauge(
      'actor_partition_length',
      'Entries of a partition not yet covered by saved state (its lag)',
      ['partition'],
    );
    this.partitions = gauge('actor_partitions', 'Partitions of the log');
    this.partitionsOwned = gauge('actor_partitions_owned', 'Partitions owned here');
    this.nodeFit = gauge(
      'actor_node_fit',
      '1, or 0 while this node holds no partitions because its store does not answer it',
    );
    this.partitionsDeclined = gauge(
      'actor_partitions_declined',
      'Partitions whose sessions failed here, and which another member is to try for a while',
    );
    this.destinationsAway = gauge(
      'actor_destinations_away',
      'Partitions to which nothing can be appended from here, and the catalogue: what is for them is held back',
    );
    this.sessionFailures = counter('actor_session_failures_total', 'Partitions begun anew', ['cause']);
    this.alarms = counter('actor_alarms_total', 'Signs that acknowledged messages may be lost', ['alarm']);
    this.catalogueSnapshots = counter('catalogue_snapshots_total', 'Snapshots taken by replicas');
    this.catalogueDocuments = counter('catalogue_documents_total', 'Documents read by replicas for snapshots');
  }
}

const declaredIn = new WeakMap<Registry, DeclaredMetrics>();

/** A counter or gauge of one node, with a label more than its log. */
class OfLog<L extends string> {
  readonly #metric: { inc(labels: Record<L | 'log', string>, by: number): void };
  readonly #log: string;

  constructor(metric: { inc(labels: Record<L | 'log', string>, by: number): void }, log: string) {
    this.#metric = metric;
    this.#log = log;
  }

  inc(labels: Record<L, string>, by = 1): void {
    this.#metric.inc({ ...labels, log: this.#log }, by);
  }
}

/** The Prometheus metrics of a node. Nodes of one process on different logs share a registry. */
export class NodeMetrics {
  readonly batchSize: Histogram.Internal<'log'>;
  readonly saveSeconds: Histogram.Internal<'log'>;
  readonly savedDocuments: Counter.Internal;
  readonly saveConflicts: Counter.Internal;
  readonly askSeconds: Histogram.Internal<'log'>;
  readonly asksTimedOut: Counter.Internal;
  readonly activations: Gauge.Internal<'log'>;
  readonly deadLetters: OfLog<'kind'>;
  readonly quarantined: OfLog<'kind'>;
  readonly partitions: Gauge.Internal<'log'>;
  readonly partitionsOwned: Gauge.Internal<'log'>;
  readonly nodeFit: Gauge.Internal<'log'>;
  readonly partitionsDeclined: Gauge.Internal<'log'>;
  readonly destinationsAway: Gauge.Internal<'log'>;
  readonly sessionFailures: OfLog<'cause'>;
  readonly alarms: OfLog<'alarm'>;
  readonly catalogueSnapshots: Counter.Internal;
  readonly catalogueDocuments: Counter.Internal;

  readonly #handled: Handled;
  readonly #partitionLength: Gauge<'partition' | 'log'>;
  readonly #log: string;

  /** `log`: the name of the log that the node reads; `kinds`: those of its actors. */
  constructor(registry: Registry, log = MAIN_LOG, kinds: readonly string[] = []) {
    const declared = declaredIn.get(registry) ?? new DeclaredMetrics(registry);
    declaredIn.set(registry, declared);
    this.#log = log;
    this.#handled = new Map();
    declared.handledByLog.set(log, this.#handled);
    // What has not happened yet is 0: Prometheus sees that a counter has grown only where it had the series before.
    const counter = (metric: Counter<'log'>) => {
      const own = metric.labels({ log });
      own.inc(0);
      return own;
    };
    const gauge = (metric: Gauge<'log'>, value = 0) => {
      const own = metric.labels({ log });
      own.set(value);
      return own;
    };
    const histogram = (metric: Histogram<'log'>) => {
      metric.zero({ log });
      return metric.labels({ log });
    };
    this.batchSize = histogram(declared.batchSize);
    this.saveSeconds = histogram(declared.saveSeconds);
    this.savedDocuments = counter(declared.savedDocuments);
    this.saveConflicts = counter(declared.saveConflicts);
    this.askSeconds = histogram(declared.askSeconds);
    this.asksTimedOut = counter(declared.asksTimedOut);
    this.activations = gauge(declared.activations);
    this.deadLetters = new OfLog<'kind'>(declared.deadLetters, log);
    this.quarantined = new OfLog<'kind'>(declared.quarantined, log);
    this.#partitionLength = declared.partitionLength;
    this.partitions = gauge(declared.partitions);
    this.partitionsOwned = gauge(declared.partitionsOwned);
    this.nodeFit = gauge(declared.nodeFit, 1);
    this.partitionsDeclined = gauge(declared.partitionsDeclined);
    this.destinationsAway = gauge(declared.destinationsAway);
    this.sessionFailures = new OfLog<'cause'>(declared.sessionFailures, log);
    this.alarms = new OfLog<'alarm'>(declared.alarms, log);
    for (const alarm of ALARMS) this.alarms.inc({ alarm }, 0);
    // Nobody is told of what a lazy kind rejects, so alerts look at it.
    for (const kind of kinds) {
      this.deadLetters.inc({ kind }, 0);
      this.countMessage(kind, 'rejected', 0);
    }
    this.catalogueSnapshots = counter(declared.catalogueSnapshots);
    this.catalogueDocuments = counter(declared.catalogueDocuments);
  }

  /** Notes the lag of a partition that is owned here. */
  measurePartition(partition: number, length: number): void {
    this.#partitionLength.set({ partition: String(partition), log: this.#log }, length);
  }

  /** Ends the lag of a partition that is owned here no more: another owner notes it. */
  forgetPartition(partition: number): void {
    this.#partitionLength.remove({ partition: String(partition), log: this.#log });
  }

  /** Counts messages in plain maps, because it happens for every message. */
  countMessage(kind: string, outcome: string, times = 1): void {
    let outcomes = this.#handled.get(kind);
    if (!outcomes) {
      outcomes = new Map();
      this.#handled.set(kind, outcomes);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + times);
  }
}
