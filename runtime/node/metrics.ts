import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const ALARMS = ['log-behind-store', 'log-lost', 'unstorable'] as const;
export type Alarm = (typeof ALARMS)[number];

/** The Prometheus metrics of a node. */
export class NodeMetrics {
  readonly batchSize: Histogram;
  readonly saveSeconds: Histogram;
  readonly savedDocuments: Counter;
  readonly saveConflicts: Counter;
  readonly askSeconds: Histogram;
  readonly asksTimedOut: Counter;
  readonly activations: Gauge;
  readonly deadLetters: Counter<'kind'>;
  readonly quarantined: Gauge<'kind'>;
  readonly partitionLength: Gauge<'partition'>;
  readonly partitions: Gauge;
  readonly partitionsOwned: Gauge;
  readonly nodeFit: Gauge;
  readonly partitionsDeclined: Gauge;
  readonly destinationsAway: Gauge;
  readonly sessionFailures: Counter<'cause'>;
  readonly alarms: Counter<'alarm'>;
  readonly catalogueSnapshots: Counter;
  readonly catalogueDocuments: Counter;

  readonly #handled = new Map<string, Map<string, number>>();

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Counter({ name, help, labelNames, registers });
    const seconds = (name: string, help: string) => new Histogram({ name, help, buckets: SECONDS, registers });
    const handled = this.#handled;
    new Counter({
      name: 'actor_messages_total',
      help: 'Messages handled',
      labelNames: ['kind', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [kind, outcomes] of handled) for (const [outcome, n] of outcomes) this.inc({ kind, outcome }, n);
      },
    });
    this.batchSize = new Histogram({
      name: 'actor_batch_size',
      help: 'Messages of one partition handled together',
      buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
      registers,
    });
    this.saveSeconds = seconds('actor_save_seconds', 'Time of a save, all documents of a batch');
    this.savedDocuments = counter('actor_saved_documents_total', 'Documents saved', []);
    this.saveConflicts = counter('actor_save_conflicts_total', 'Saves that met another version', []);
    this.askSeconds = seconds('actor_ask_seconds', 'Time from an ask to its reply');
    this.asksTimedOut = counter('actor_asks_timed_out_total', 'Asks without a reply in time', []);
    this.activations = new Gauge({ name: 'actor_activations', help: 'Actors in memory', registers });
    this.deadLetters = counter('actor_dead_letters_total', 'Messages parked', ['kind']);
    this.quarantined = new Gauge({
      name: 'actor_quarantined',
      help: 'Actors whose state can no longer be stored: their messages are parked',
      labelNames: ['kind'],
      registers,
    });
    this.partitionLength = new Gauge({
      name: 'actor_partition_length',
      help: 'Entries of a partition not yet covered by saved state (its lag)',
      labelNames: ['partition'],
      registers,
    });
    this.partitions = new Gauge({ name: 'actor_partitions', help: 'Partitions of the log', registers });
    this.partitionsOwned = new Gauge({ name: 'actor_partitions_owned', help: 'Partitions owned here', registers });
    this.nodeFit = new Gauge({
      name: 'actor_node_fit',
      help: '1, or 0 while this node holds no partitions because its store does not answer it',
      registers,
    });
    this.nodeFit.set(1);
    this.partitionsDeclined = new Gauge({
      name: 'actor_partitions_declined',
      help: 'Partitions whose sessions failed here, and which another member is to try for a while',
      registers,
    });
    this.destinationsAway = new Gauge({
      name: 'actor_destinations_away',
      help: 'Partitions to which nothing can be appended from here, and the catalogue: what is for them is held back',
      registers,
    });
    this.sessionFailures = counter('actor_session_failures_total', 'Partitions begun anew', ['cause']);
    this.alarms = counter('actor_alarms_total', 'Signs that acknowledged messages may be lost', ['alarm']);
    // Prometheus sees that a counter has grown only where it had the series before.
    for (const alarm of ALARMS) this.alarms.inc({ alarm }, 0);
    this.catalogueSnapshots = counter('catalogue_snapshots_total', 'Snapshots taken by replicas', []);
    this.catalogueDocuments = counter('catalogue_documents_total', 'Documents read by replicas for snapshots', []);
  }
  /** Counts a message in plain maps, because it happens for every message. */
  countMessage(kind: string, outcome: string): void {
    let outcomes = this.#handled.get(kind);
    if (!outcomes) {
      outcomes = new Map();
      this.#handled.set(kind, outcomes);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
}
