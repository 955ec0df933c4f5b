import type { Send } from '../actor/context.ts';
import { LogUnavailable } from '../ports/errors.ts';
import type { DeadLetter, OutboxMessage } from '../ports/store.ts';
import type { Activation } from './activation.ts';
import { afterAnswers } from './after-answers.ts';
import type { Destination } from './destination-health.ts';
import { encodeEnvelope } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';
import { isDeadLetter } from './outbox-dead-letter.ts';

/** The maximum number of messages of one actor that may be held back. */
const MOST_HELD = 1_000;
/** Upper bound of their bodies, in characters: the document of the actor holds them, at 16 MiB in all. */
const MOST_HELD_LENGTH = 4 * 1_048_576;

const NONE: ReadonlySet<number> = new Set();

/** A lazy actor that published newer totals to some receivers than to others. */
interface LaggingTotals {
  /** These partitions have the totals up to `Activation.published`. */
  readonly partitions: ReadonlySet<number>;
  /** The other partitions have the totals up to this position. */
  readonly othersTold: string;
}

/** What one publication sends, and what it must leave out. */
interface PublicationBatch {
  readonly byPartition: Map<number, string[]>;
  readonly projections: string[];
  readonly deadLetters: DeadLetter[];
  /** The destinations that received nothing, or for which the outcome is unknown. */
  readonly missed: Set<Destination>;
  /** For each actor: the partitions that its totals are for, including skipped ones. */
  readonly totals: Map<Activation, Set<number>>;
  readonly projectionTexts: Map<Activation, string>;
}

/**
 * Publishes everything that the saved states of one session have caused: outboxes (law 5) with the dead letters in them
 * (law 10), totals of lazy actors (law 8) and projections (law 11).
 *
 * Messages to one partition go in one append, in the order of their causes, so that a receiver recognises a repetition
 * by the last sequence that it received. Messages for an unavailable destination are held back separately and go there
 * as soon as it is available again; while anything is held the cursor stays below its cause (law 2), so the next owner
 * of the partition publishes it.
 */
export class OutboxPublisher {
  readonly #deps: NodeDeps;
  readonly #held = new Map<Activation, LaggingTotals | null>();
  readonly #lengths = new WeakMap<OutboxMessage, number>();
  readonly #unfollow: () => void;
  #due = false;

  /** `onDue` is called when `publish` should be called. */
  constructor(deps: NodeDeps, onDue: () => void) {
    this.#deps = deps;
    this.#unfollow = deps.destinations.onRecovered(() => {
      if (this.#held.size === 0) return;
      this.#due = true;
      onDue();
    });
  }

  /** Whether any publication is held back. */
  get holds(): boolean {
    return this.#held.size > 0;
  }

  /** Whether a publication that is held back can be sent now. */
  get due(): boolean {
    return this.#due;
  }

  /**
   * Publishes what these activations have caused, and what is held back and can be sent. Rejects when the outcome is in
   * doubt for another reason than an unavailable destination, or when too much would be held: the session must then
   * load its documents again.
   */
  async publish(activations: readonly Activation[]): Promise<void> {
    this.#due = false;
    const all = this.#held.size === 0 ? activations : this.#withHeld(activations);
    const outgoing = this.#collect(all);
    await this.#send(outgoing);
    for (const activation of all) this.#settle(activation, outgoing);
  }

  /** Must be called when another activation replaces this one. */
  forget(activation: Activation): void {
    this.#held.delete(activation);
  }

  close(): void {
    this.#unfollow();
    this.#held.clear();
  }

  /** Law 4: publications of an activation with unsaved changes stay held until it is saved. */
  #withHeld(activations: readonly Activation[]): Set<Activation> {
    const held = [...this.#held.keys()].filter(({ dirty }) => !dirty);
    return new Set([...activations, ...held]);
  }

  #collect(activations: Iterable<Activation>): PublicationBatch {
    const { kinds, destinations } = this.#deps;
    const outgoing: PublicationBatch = {
      byPartition: new Map(),
      projections: [],
      deadLetters: [],
      missed: new Set(),
      totals: new Map(),
      projectionTexts: new Map(),
    };
    const { byPartition, missed } = outgoing;
    /** Returns null for an unavailable partition. */
    const payloadsTo = (partition: number): string[] | null => {
      if (destinations.isUnavailable(partition)) {
        missed.add(partition);
        return null;
      }
      let payloads = byPartition.get(partition);
      if (!payloads) {
        payloads = [];
        byPartition.set(partition, payloads);
      }
      return payloads;
    };

    for (const activation of activations) {
      for (const message of activation.outbox) {
        const { to, type, body, sequence } = message;
        if (isDeadLetter(message)) outgoing.deadLetters.push(body as DeadLetter);
        else
          payloadsTo(kinds.partitionOf(to))?.push(
            encodeEnvelope({ to, type, body, from: activation.address, sequence }),
          );
      }
      const { totals, skipped } = this.#totals(activation);
      if (totals.length > 0 || skipped.size > 0) {
        const partitions = new Set(skipped);
        for (const partition of skipped) missed.add(partition);
        for (const { to, type, body } of totals) {
          const partition = kinds.partitionOf(to);
          partitions.add(partition);
          // Totals have no sequence: a receiver keeps the newest, whatever the number and order in which they arrive.
          payloadsTo(partition)?.push(encodeEnvelope({ to, type, body: traced(body, activation) }));
        }
        outgoing.totals.set(activation, partitions);
      }
      if (!activation.projectionPending) continue;
      if (destinations.isUnavailable('catalogue')) {
        missed.add('catalogue');
        continue;
      }
      const text = activation.projectionText();
      const { kind, schemaVersion } = activation.kind.definition;
      const address = `${JSON.stringify(kind)},${JSON.stringify(activation.id)}`;
      outgoing.projections.push(`[${address},${activation.version},${text},${schemaVersion}]`);
      outgoing.projectionTexts.set(activation, text);
    }
    return outgoing;
  }

  /**
   * The totals to send now. Receivers that are behind get everything that they miss, unless all of them are still
   * unavailable: then they are skipped.
   */
  #totals(activation: Activation): { readonly totals: readonly Send[]; readonly skipped: ReadonlySet<number> } {
    const behind = this.#held.get(activation);
    if (!behind) return { totals: activation.totalsAfter(activation.published), skipped: NONE };
    const { kinds, destinations } = this.#deps;
    const isBehind = ({ to }: Send) => behind.partitions.has(kinds.partitionOf(to));
    const totals = activation.totalsAfter(behind.othersTold).filter((total) => !isBehind(total));
    const skips = [...behind.partitions].every((partition) => destinations.isUnavailable(partition));
    if (skips) return { totals, skipped: behind.partitions };
    return { totals: [...totals, ...activation.totalsAfter(activation.published).filter(isBehind)], skipped: NONE };
  }

  async #send({ byPartition, projections, deadLetters, missed }: PublicationBatch): Promise<void> {
    const { provider, store } = this.#deps;
    const { log, catalogue } = provider;
    const publications: Promise<void>[] = [];
    for (const [partition, payloads] of byPartition) {
      publications.push(this.#deliver(partition, log.append(partition, payloads), missed));
    }
    if (projections.length > 0) {
      publications.push(this.#deliver('catalogue', catalogue.publish(projections), missed));
    }
    if (deadLetters.length > 0) publications.push(store.park(deadLetters));
    const results = await Promise.allSettled(publications);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /**
   * Resolves when the destination has accepted the append or counts as missed. A late append may still take effect,
   * which does no harm.
   */
  async #deliver(destination: Destination, sent: Promise<unknown>, missed: Set<Destination>): Promise<void> {
    const { clock, tuning, destinations } = this.#deps;
    let cancel = () => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = afterAnswers(clock, tuning.publishTimeoutMs, () => resolve('late'));
    });
    try {
      const outcome = await Promise.race([sent.then(() => 'sent' as const), late]);
      if (outcome === 'sent') return;
      missed.add(destination);
      destinations.reportFailure(destination, sent);
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      missed.add(destination);
      destinations.reportFailure(destination, null);
    } finally {
      cancel();
    }
  }

  /** Records what was sent, and holds the rest back. */
  #settle(activation: Activation, { missed, totals, projectionTexts: viewTexts }: PublicationBatch): void {
    const viewText = viewTexts.get(activation);
    if (viewText !== undefined && !missed.has('catalogue')) activation.markProjectionPublished(viewText);
    if (missed.size === 0) {
      activation.outbox = [];
      activation.trace = undefined;
      activation.markTotalsPublished();
      this.#held.delete(activation);
      return;
    }
    const { kinds } = this.#deps;
    activation.outbox = activation.outbox.filter(
      (message) => !isDeadLetter(message) && missed.has(kinds.partitionOf(message.to)),
    );
    const partitions = new Set([...(totals.get(activation) ?? NONE)].filter((partition) => missed.has(partition)));
    if (partitions.size === 0) activation.markTotalsPublished();
    const behind = partitions.size === 0 ? null : { partitions, othersTold: activation.position };
    if (behind === null && activation.outbox.length === 0 && !activation.projectionPending)
      this.#held.delete(activation);
    else this.#held.set(activation, behind);
    this.#checkHeld(activation);
  }

  #checkHeld({ outbox, address }: Activation): void {
    let length = 0;
    for (const message of outbox) {
      let own = this.#lengths.get(message);
      if (own === undefined) {
        own = JSON.stringify(message.body)?.length ?? 0;
        this.#lengths.set(message, own);
      }
      length += own;
    }
    if (outbox.length <= MOST_HELD && length <= MOST_HELD_LENGTH) return;
    throw new LogUnavailable(`${address} has ${outbox.length} messages to partitions that do not answer`);
  }
}

/** The body with the trace of a message that the totals reflect, where one was traced since they were last sent. */
function traced(body: unknown, { trace }: Activation): unknown {
  return trace === undefined || typeof body !== 'object' || Array.isArray(body) ? body : { ...body, trace };
}
