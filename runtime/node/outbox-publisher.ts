import type { Send } from '../actor/context.ts';
import { LogUnavailable } from '../ports/errors.ts';
import type { DeadLetter, OutboxMessage } from '../ports/store.ts';
import type { Activation } from './activation.ts';
import type { Destination } from './destination-health.ts';
import { encodeEnvelope } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';
import { isDeadLetter } from './outbox-dead-letter.ts';

/** Of one actor so much may be held back, messages and characters of their bodies: its document holds it, and may take 16 MiB with all else. */
const MOST_HELD = 1_000;
const MOST_HELD_LENGTH = 4 * 1_048_576;

const NONE: ReadonlySet<number> = new Set();

/** A lazy actor some of whose receivers were told less than the others. */
interface LaggingTotals {
  /** They have had the totals up to `Activation.published`. */
  readonly partitions: ReadonlySet<number>;
  /** The others have had them up to here. */
  readonly othersTold: string;
}

/** What one publication sends, and what it has to leave out. */
interface PublicationBatch {
  readonly byPartition: Map<number, string[]>;
  readonly projections: string[];
  readonly deadLetters: DeadLetter[];
  /** Where nothing of it went, or nobody knows whether it did. */
  readonly missed: Set<Destination>;
  /** Of each actor: the partitions that its totals are for, those skipped too, and the text of its view. */
  readonly totals: Map<Activation, Set<number>>;
  readonly projectionTexts: Map<Activation, string>;
}

/**
 * Publishes all that saved states of one session have caused: outboxes (law 5) with the dead letters in them (law 10), totals of lazy
 * actors (law 8) and views (law 11).
 *
 * Messages to one partition go in one append, in the order of their causes, so that a receiver's "last sequence had"
 * is all it needs to know a repetition. What is for a destination that is away is held back, by itself, and goes there as soon as it is
 * back; while anything is held the cursor stays below what caused it (law 2), so whoever owns the partition next publishes it.
 */
export class OutboxPublisher {
  readonly #deps: NodeDeps;
  readonly #held = new Map<Activation, LaggingTotals | null>();
  readonly #lengths = new WeakMap<OutboxMessage, number>();
  readonly #unfollow: () => void;
  #due = false;

  /** `onDue` is called when `publish` should be. */
  constructor(parts: NodeDeps, onDue: () => void) {
    this.#deps = parts;
    this.#unfollow = parts.destinations.onRecovered(() => {
      if (this.#held.size === 0) return;
      this.#due = true;
      onDue();
    });
  }

  /** Whether anything is held back. */
  get holds(): boolean {
    return this.#held.size > 0;
  }

  /** Whether something that is held back can go now. */
  get due(): boolean {
    return this.#due;
  }

  /**
   * Publishes what these have caused, and what is held back and can go. Rejects when that is in doubt otherwise than by a destination
   * that is away, or when too much would be held: nobody goes on then until the documents have been loaded again.
   */
  async publish(activations: readonly Activation[]): Promise<void> {
    this.#due = false;
    const all = this.#held.size === 0 ? activations : this.#withHeld(activations);
    const outgoing = this.#collect(all);
    await this.#send(outgoing);
    for (const activation of all) this.#settle(activation, outgoing);
  }

  /** Another activation has taken its place. */
  forget(activation: Activation): void {
    this.#held.delete(activation);
  }

  close(): void {
    this.#unfollow();
    this.#held.clear();
  }

  /** Law 4: what memory has and the store has not stays, until it is saved. */
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
    /** Null where nothing can go at present. */
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
          // Totals carry no sequence: a receiver keeps the newest, however often and in whatever order they come.
          payloadsTo(partition)?.push(encodeEnvelope({ to, type, body }));
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

  /** Those who were told less are told more, unless all of them are away still: then they are skipped. */
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

  async #send({ byPartition, projections: views, deadLetters: letters, missed }: PublicationBatch): Promise<void> {
    const { provider, store } = this.#deps;
    const { log, catalogue } = provider;
    const publications: Promise<void>[] = [];
    for (const [partition, payloads] of byPartition) {
      publications.push(this.#deliver(partition, log.append(partition, payloads), missed));
    }
    if (views.length > 0) publications.push(this.#deliver('catalogue', catalogue.publish(views), missed));
    if (letters.length > 0) publications.push(store.park(letters));
    const results = await Promise.allSettled(publications);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Resolves when the destination has it, or is known to be missed: what is late may arrive yet, which does no harm. */
  async #deliver(destination: Destination, sent: Promise<unknown>, missed: Set<Destination>): Promise<void> {
    const { clock, tuning, destinations } = this.#deps;
    let cancel = () => {};
    const late = new Promise<'late'>((resolve) => {
      cancel = clock.after(tuning.publishTimeoutMs, () => resolve('late'));
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

  /** Notes what has gone, and holds what has not. */
  #settle(activation: Activation, { missed, totals, projectionTexts: viewTexts }: PublicationBatch): void {
    const viewText = viewTexts.get(activation);
    if (viewText !== undefined && !missed.has('catalogue')) activation.markProjectionPublished(viewText);
    if (missed.size === 0) {
      activation.outbox = [];
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
