import { type LogMessage, messagesOf } from '../../node/bundle.ts';
import { deadLetterId } from '../../node/dead-letter-id.ts';
import { decodeEnvelope, type Envelope } from '../../node/envelope.ts';
import { MAIN_LOG } from '../../node/metrics.ts';
import { compareSequences } from '../../node/sequence.ts';
import type { Lease } from '../../ports/leases.ts';
import type { LogEntry } from '../../ports/log.ts';
import { comparePositions, type Position, positionTimeMs } from '../../ports/position.ts';
import type { ActorDocument, DeadLetter } from '../../ports/store.ts';
import type { LogObserver } from '../log-observer.ts';
import type { LogServer } from '../log-server.ts';
import { fromStored, type StoredDocument, type StoreObserver, type StoreServer } from '../store-server.ts';
import { diary } from '../workload/diary.ts';
import { tagOf } from '../workload/tag.ts';
import type { Operations } from './operations.ts';
import type { Violations } from './violations.ts';

/**
 * Observes every step of both servers: what was ever saved, and whether anything left the cluster's processes, or the
 * log, before its effect was saved.
 */
export class HistoryObserver implements LogObserver, StoreObserver {
  /** The tags of messages whose effect was saved at some time. */
  readonly everSaved = new Set<string>();
  /** The tags of messages that were in the log at some time. */
  readonly everAppended = new Set<string>();
  /** The dead letters by the tag of their message. */
  readonly deadLetters = new Map<string, DeadLetter[]>();
  /** The tags of messages in quarantine that may have been appended more than once before they were replayed. */
  readonly repeatable = new Set<string>();
  /** The number of entries that had several messages. */
  bundles = 0;
  readonly #store: StoreServer;
  readonly #operations: Operations;
  readonly #violations: Violations;
  readonly #inLossWindow: (partition: number, position: Position) => boolean;
  readonly #holdsCopy: (partition: number, payload: string) => boolean;
  readonly #note: (line: () => string) => void;

  constructor(
    cluster: { readonly log: LogServer; readonly store: StoreServer },
    operations: Operations,
    violations: Violations,
    note: (line: () => string) => void,
  ) {
    this.#store = cluster.store;
    this.#inLossWindow = (partition, position) => cluster.log.inLossWindow(partition, position);
    this.#holdsCopy = (number, payload) =>
      cluster.log
        .partition(number)
        .entries.flatMap(messagesOf)
        .some((message) => message.payload === payload);
    this.#operations = operations;
    this.#violations = violations;
    this.#note = note;
  }

  saved(kept: StoredDocument): void {
    const document = fromStored(kept);
    const { kind, id, version, position, writer, outbox } = document;
    this.#note(() => `saved ${kind}/${id} version ${version} at ${position} by ${writer}, outbox ${outbox.length}`);
    for (const tag of historyOf(document)) this.everSaved.add(tag);
    for (const { body } of document.outbox) {
      for (const tag of (body as { tags?: string[] }).tags ?? []) this.everSaved.add(tag);
    }
  }

  parked(deadLetter: DeadLetter): void {
    const tag = tagIn(deadLetter.payload) ?? deadLetter.payload;
    this.deadLetters.set(tag, [...(this.deadLetters.get(tag) ?? []), deadLetter]);
  }

  /**
   * The dead letters of messages whose actor was in quarantine, by their tag, or by their payload when they have none.
   */
  get quarantined(): ReadonlyMap<string, readonly DeadLetter[]> {
    return new Map([...this.deadLetters].filter(([, parked]) => parked.some(isOfQuarantine)));
  }

  /** Laws 4 and 5: messages that another message caused are in the log only once the cause is saved. */
  appended(partition: number, entries: readonly LogEntry[]): void {
    for (const entry of entries) if (messagesOf(entry).length > 1) this.bundles += 1;
    for (const entry of entries.flatMap(messagesOf)) {
      this.#note(() => `appended to ${partition} at ${entry.position}: ${entry.payload}`);
      if (this.#inLossWindow(partition, entry.position)) this.#excuse(entry.payload);
      const envelope = decoded(entry.payload);
      const tag = envelope ? tagOf(envelope.body) : entry.payload;
      if (tag && (envelope === null || envelope.sequence === '')) this.#noteCopy(tag);
      if (tag) this.everAppended.add(tag);
      if (!envelope) continue;
      const cause = tag && causeOf(tag);
      if (cause && !this.everSaved.has(cause)) {
        this.#violations.add('nothing unsaved leaves', `${tag} was appended before its cause was saved`);
      }
      if (envelope.type === 'total') this.#checkTotal(envelope);
    }
  }

  published(payloads: readonly string[]): void {
    for (const payload of payloads) {
      const of = /"of":"session\/([^"]+)"/.exec(payload)?.[1];
      const at = /"at":"([^"]+)"/.exec(payload)?.[1];
      if (of === undefined || at === undefined) continue;
      const stored = this.#store.load({ kind: 'session', id: of });
      if (!stored || comparePositions(stored.position, at) < 0) {
        this.#violations.add(
          'nothing unsaved leaves',
          `a view of session/${of} at ${at} was published before its save`,
        );
      }
    }
  }

  /** Law 2: only entries that saved states cover leave the log. */
  trimmed(partition: number, entries: readonly LogEntry[]): void {
    this.#note(() => `trimmed ${partition} up to ${entries[entries.length - 1]?.position}`);
    for (const entry of entries.flatMap(messagesOf)) {
      if (this.#store.deadLetter(deadLetterId(MAIN_LOG, { partition, ...entry }))) continue;
      const envelope = decoded(entry.payload);
      const tag = envelope && tagOf(envelope.body);
      if ((tag && this.everSaved.has(tag)) || this.#operations.lost.has(tag ?? entry.payload)) continue;
      const document = envelope && this.#store.load(addressee(envelope, entry));
      if (document && comparePositions(document.position, entry.position) >= 0) continue;
      const last = envelope && document?.received[envelope.from];
      // A late copy: the receiver has had a later message of its sender.
      if (last && compareSequences(envelope.sequence, last.sequence) <= 0) continue;
      // A rejected request that was repeated: the rejection is cached.
      if (envelope?.ask && document?.replies[envelope.ask.requestId]) continue;
      if (this.#holdsCopy(partition, entry.payload)) continue;
      this.#violations.add('trims are covered', `${tag ?? entry.payload} was trimmed before its effect was saved`);
    }
  }

  movedByStaleOwner({ partition, owner }: Lease): void {
    this.#violations.add('only the owner moves a cursor', `${owner} moved that of ${partition}, which is another's`);
  }

  lost(partition: number, entries: readonly LogEntry[]): void {
    for (const { position, payload } of entries.flatMap(messagesOf)) {
      this.#note(() => `lost from ${partition} at ${position}: ${payload}`);
      this.#excuse(payload);
    }
  }

  /** The effect of this message may be missing, and so may that of the messages that it carries. */
  #excuse(payload: string): void {
    const body = decoded(payload)?.body as { tags?: readonly string[] } | undefined;
    const tag = tagOf(body) ?? payload;
    if (this.everSaved.has(tag)) return;
    this.#operations.lost.add(tag);
    for (const kept of body?.tags ?? []) this.#operations.lost.add(kept);
  }

  /**
   * An owner that finds the log younger than its cursor appends all of it again; messages without a sequence may be
   * duplicated.
   */
  #noteCopy(tag: string): void {
    const operation = this.#operations.all.get(tag);
    if (operation && this.everAppended.has(tag)) operation.mayRepeat = true;
  }

  #checkTotal({ body }: Envelope): void {
    const total = body as { counter: string; version: string };
    const stored = this.#store.load({ kind: 'counter', id: total.counter });
    const savedAt = (stored?.state as { changedAt: string } | undefined)?.changedAt ?? '0-0';
    if (comparePositions(savedAt, total.version) < 0) {
      this.#violations.add('nothing unsaved leaves', `the total of counter/${total.counter} was sent before its save`);
    }
  }
}

export function isOfQuarantine({ reason }: DeadLetter): boolean {
  return reason.includes('can never be stored');
}

/** Whether the message was parked because several processes ended while it was handled. */
export function isOfSuspect({ reason }: DeadLetter): boolean {
  return reason.includes('processes ended');
}

/** The tags of all messages that a document's state has had. */
export function historyOf(document: ActorDocument): readonly string[] {
  return (document.state as { history?: readonly string[] } | null)?.history ?? [];
}

/** The tag of the message that caused the one with this tag; null when the generator did. */
function causeOf(tag: string): string | null {
  const slash = tag.lastIndexOf('/');
  return slash > tag.indexOf('!') ? tag.slice(0, slash) : null;
}

function decoded(payload: string): Envelope | null {
  try {
    return decodeEnvelope(payload);
  } catch {
    return null;
  }
}

function tagIn(payload: string): string | null {
  return tagOf(decoded(payload)?.body ?? null);
}

function addressee({ to }: Envelope, { position }: LogMessage): { kind: string; id: string } {
  const slash = to.indexOf('/');
  const kind = to.slice(0, slash);
  const id = to.slice(slash + 1);
  return { kind, id: kind === diary.kind ? diary.idAt!(id, positionTimeMs(position)) : id };
}
