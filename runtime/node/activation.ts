import type { AuditTrail } from '../actor/audit-trail.ts';
import type { Context, Send } from '../actor/context.ts';
import { Rejection } from '../actor/rejection.ts';
import { comparePositions, positionTimeMs, START } from '../ports/position.ts';
import type { ActorDocument, DeadLetter, OutboxMessage, ReceivedSequence } from '../ports/store.ts';
import type { LogMessage } from './bundle.ts';
import type { Envelope } from './envelope.ts';
import { forgetSenders } from './forget-senders.ts';
import type { Kind } from './kind-registry.ts';
import type { BrokenLaws } from './laws.ts';
import { isDeadLetter, outboxDeadLetter } from './outbox-dead-letter.ts';
import { encodeReply } from './pending-asks.ts';
import { readReplies, readState } from './read-document.ts';
import { ReplyCache } from './reply-cache.ts';
import { seededRandom } from './seeded-random.ts';
import { causedSequence, compareSequences } from './sequence.ts';

/** The outcome of a message. `rejected`: its reducer refused it, and nothing changed. `parked` carries the reason. */
export type MessageOutcome =
  | { readonly outcome: 'applied' | 'rejected' | 'skipped' }
  | { readonly outcome: 'parked'; readonly reason: string };

/** A reply that may be sent once the state that produced it is saved. */
export interface PendingReply {
  readonly replyTo: string;
  readonly payload: string;
}

const APPLIED: MessageOutcome = { outcome: 'applied' };
const REJECTED: MessageOutcome = { outcome: 'rejected' };
const SKIPPED: MessageOutcome = { outcome: 'skipped' };

/** One actor in memory. It decides how a message changes the actor's document, and does no I/O. */
export class Activation {
  readonly kind: Kind;
  readonly id: string;
  readonly address: string;
  readonly partition: number;

  state: unknown;
  version: number;
  position: string;
  /** Lazy kinds: the position up to which totals have been published. */
  published: string | null;
  /** True when memory has changes that the store does not have. */
  dirty = false;
  /** True when the stored document still lists outgoing messages that have been published since. */
  staleOutbox: boolean;
  outbox: OutboxMessage[];
  projectionPending: boolean;
  usedAtMs = 0;
  readonly replies: PendingReply[] = [];
  /**
   * The reason why none of its messages is handled; null for nearly all actors. See partition-session.ts, "quarantine".
   */
  quarantined: string | null = null;
  /**
   * True when the actor is in quarantine and not even the coverage of its messages can be saved: its dead letters then
   * go to the store separately.
   */
  uncoverable = false;
  /** The trace context of the last traced message since totals were published. */
  trace: string | undefined;

  /** The messages covered since the last save. */
  #unsaved: LogMessage[] = [];
  #unsavedLength = 0;
  #deleted: boolean;
  #received: Map<string, ReceivedSequence>;
  readonly #replyCache: ReplyCache;
  /** The text of the projection that was published last; undefined until needed. */
  #publishedProjection: string | undefined;
  readonly #broken: BrokenLaws;
  readonly #auditTrail: AuditTrail | null;

  constructor(
    kind: Kind,
    id: string,
    partition: number,
    document: ActorDocument | null,
    broken: BrokenLaws,
    trail: AuditTrail | null = null,
  ) {
    const { definition } = kind;
    this.kind = kind;
    this.id = id;
    this.address = `${definition.kind}/${id}`;
    this.partition = partition;
    this.#broken = broken;
    this.#auditTrail = trail;
    this.version = document?.version ?? 0;
    this.position = document?.position ?? START;
    this.published = document?.published ?? null;
    this.outbox = document ? [...document.outbox] : [];
    this.projectionPending = document?.viewPending ?? false;
    this.staleOutbox = this.outbox.length > 0 || this.projectionPending;
    this.#deleted = document?.deleted ?? false;
    this.#received = new Map(Object.entries(document?.received ?? {}));
    this.#replyCache = new ReplyCache(document ? readReplies(kind, document) : {});
    this.state = document && !document.deleted ? readState(kind, id, document) : definition.initial(id);
    if (!document) this.#publishedProjection = 'null';
  }

  /**
   * Applies `entry`. Synchronous; afterwards `dirty`, `outbox` and `replies` tell the caller what must follow. With
   * `givenUp`, the reason for giving up, the message is covered without being handled, so that a repetition of it is
   * still recognised.
   */
  handle(entry: LogMessage, envelope: Envelope, keepSendersMs: number, givenUp: string | null = null): MessageOutcome {
    if (this.#isDuplicate(entry, envelope)) {
      this.#answerAgain(envelope);
      return SKIPPED;
    }
    const nowMs = positionTimeMs(entry.position);
    const unhandled = givenUp ?? this.quarantined;
    const handled = unhandled === null ? this.#reduce(entry, envelope, nowMs) : parked(unhandled);
    if (handled.outcome === 'parked') {
      if (this.#broken.has('throw-parks')) throw new Error(handled.reason);
      // Law 6: a repetition of the request must not park it again, as a repetition of any other request has no second
      // effect.
      this.#keep(envelope, nowMs, { parked: handled.reason });
      if (this.kind.lazy) this.kind.definition.onParked?.(this.state, { type: envelope.type, body: envelope.body });
    }
    this.#cover(entry, envelope, nowMs, keepSendersMs);
    return handled;
  }

  /**
   * Whether the message, or the request that it carries, has already had its effect, so that only its reply may have
   * been lost.
   */
  #isDuplicate(entry: LogMessage, envelope: Envelope): boolean {
    // Law 3: the loaded state already reflects this message.
    if (comparePositions(entry.position, this.position) <= 0 && !this.#broken.has('skip-covered')) return true;
    if (this.#isDuplicateSequence(envelope)) return true;
    const requestId = envelope.ask?.requestId;
    if (requestId === undefined || this.#broken.has('request-deduplication')) return false;
    return this.#replyCache.get(requestId) !== undefined;
  }

  /** Runs the reducer. */
  #reduce(entry: LogMessage, envelope: Envelope, nowMs: number): MessageOutcome {
    const validator = this.kind.messageValidators.get(envelope.type);
    if (!validator) return parked(`${this.kind.definition.kind} knows no message ${envelope.type}`);
    if (!validator.check(envelope.body)) return parked(invalidBody(validator.errors(envelope.body)));
    let draw: (() => number) | undefined;
    const context: Context = {
      id: this.id,
      address: this.address,
      nowMs,
      position: entry.position,
      random: () => {
        draw ??= seededRandom(`${entry.position}/${this.address}`);
        return draw();
      },
    };
    try {
      const message = { type: envelope.type, body: envelope.body };
      const effects = this.kind.definition.handle(this.state, message, context);
      if (effects instanceof Rejection) {
        this.#reply(envelope, nowMs, effects, undefined);
        return REJECTED;
      }
      this.#apply(entry, envelope, nowMs, effects ?? {});
      return APPLIED;
    } catch (error) {
      return parked(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }

  #apply(
    entry: LogMessage,
    envelope: Envelope,
    nowMs: number,
    effects: { state?: unknown; reply?: unknown; sends?: readonly Send[] },
  ): void {
    if (effects.sends?.length && this.kind.lazy) throw new Error('a lazy kind sends nothing but totals');
    const before = this.#deleted ? null : this.state;
    if (effects.state === null) {
      this.#deleted = true;
      this.state = this.kind.definition.initial(this.id);
    } else if (effects.state !== undefined) {
      const { lazy, stateValidator } = this.kind;
      if (!lazy && !stateValidator.check(effects.state)) {
        throw new Error(`the next state breaks its schema: ${invalidBody(stateValidator.errors(effects.state))}`);
      }
      this.#deleted = false;
      this.state = effects.state;
    } else if (this.kind.lazy) {
      this.#deleted = false;
    }
    const sends = [...(effects.sends ?? []), ...this.#auditMessages(entry, envelope, nowMs, before, effects.state)];
    for (const [index, send] of sends.entries()) {
      this.outbox.push({ ...send, sequence: causedSequence(entry.position, index) });
    }
    this.#reply(envelope, nowMs, null, effects.reply ?? null);
  }

  /**
   * The audit trail's messages for a change that an ask with `by` made. They are saved with the change and leave
   * through the outbox.
   */
  #auditMessages(
    entry: LogMessage,
    envelope: Envelope,
    nowMs: number,
    before: unknown,
    after: unknown,
  ): readonly Send[] {
    const by = envelope.ask?.by;
    if (by === undefined || after === undefined || this.#auditTrail === null || this.kind.lazy) return [];
    const { type, body } = envelope;
    const { position } = entry;
    const { kind, audit = {} } = this.kind.definition;
    if (typeof audit.none === 'string' || (audit.none && Object.hasOwn(audit.none, type))) return [];
    return this.#auditTrail({
      kind,
      id: this.id,
      type,
      body,
      position,
      nowMs,
      before,
      after,
      entry: audit.entry ?? 'states',
      by,
    });
  }

  /** Adds the dead letter of the message that was covered last to the outbox, which the next save stores. */
  park(deadLetter: DeadLetter): void {
    this.outbox.push(outboxDeadLetter(deadLetter));
  }

  /** Marks the message as covered by the next save, whether it changed the state or was rejected or parked. */
  #cover(entry: LogMessage, envelope: Envelope, nowMs: number, keepSendersMs: number): void {
    this.position = entry.position;
    if (!this.uncoverable) {
      this.dirty = true;
      this.#unsaved.push(entry);
      this.#unsavedLength += entry.payload.length;
    }
    if (envelope.sequence === '') return;
    this.#received.delete(envelope.from);
    this.#received.set(envelope.from, { sequence: envelope.sequence, atMs: nowMs });
    forgetSenders(this.#received, { nowMs, keepSendersMs, forgetActorsMs: this.kind.definition.forgetActorsMs });
  }

  /** The number of characters of the messages that the next save covers. */
  get unsavedLength(): number {
    return this.#unsavedLength;
  }

  /** The messages that the next save covers. */
  get unsaved(): readonly LogMessage[] {
    return this.#unsaved;
  }

  /**
   * Gives up saving this actor, because its document has no room for the dead letters of its covered messages. Returns
   * those dead letters.
   */
  giveUpCovering(): DeadLetter[] {
    this.uncoverable = true;
    this.dirty = false;
    const deadLetters = this.outbox.filter(isDeadLetter).map(({ body }) => body as DeadLetter);
    this.outbox = this.outbox.filter((message) => !isDeadLetter(message));
    this.#unsaved = [];
    this.#unsavedLength = 0;
    return deadLetters;
  }

  #isDuplicateSequence(envelope: Envelope): boolean {
    if (envelope.sequence === '' || this.#broken.has('sequence-deduplication')) return false;
    const last = this.#received.get(envelope.from);
    return last !== undefined && compareSequences(envelope.sequence, last.sequence) <= 0;
  }

  #reply(envelope: Envelope, nowMs: number, rejection: Rejection | null, value: unknown): void {
    const { ask } = envelope;
    if (!ask) return;
    const outcome = rejection
      ? { rejected: { code: rejection.code, message: rejection.message, details: rejection.details } }
      : { value };
    this.#keep(envelope, nowMs, outcome);
    this.replies.push({ replyTo: ask.replyTo, payload: encodeReply(ask.askId, outcome) });
  }

  #keep({ ask }: Envelope, nowMs: number, outcome: object): void {
    if (ask) this.#replyCache.keep(ask.requestId, outcome, nowMs, ask.keepMs);
  }

  #answerAgain({ ask }: Envelope): void {
    const kept = ask && this.#replyCache.get(ask.requestId);
    if (kept) this.replies.push({ replyTo: ask.replyTo, payload: encodeReply(ask.askId, kept.payload as object) });
  }

  /** The next version of the document, to be saved under the name `writer`. */
  document(writer: string): ActorDocument {
    const { definition } = this.kind;
    const state = this.#deleted ? null : (definition.atRest?.pack(this.state) ?? this.state);
    if (definition.projection && !this.projectionPending)
      this.projectionPending = this.projectionText() !== this.#publishedProjection;
    const forgets = this.#deleted && this.#broken.has('tombstone-remembers');
    return {
      kind: definition.kind,
      id: this.id,
      partition: this.partition,
      version: this.version + 1,
      writer,
      position: forgets ? START : this.position,
      schema: definition.schemaVersion,
      deleted: this.#deleted,
      state,
      outbox: this.outbox.filter(
        (message) => !this.#broken.has(isDeadLetter(message) ? 'park-before-cover' : 'outbox-saved-first'),
      ),
      viewPending: this.projectionPending,
      received: forgets ? {} : Object.fromEntries(this.#received),
      replies: forgets ? {} : this.#replyCache.atRest(),
      published: this.published,
    };
  }

  /** Must be called when the store has saved `document`. */
  saved(document: ActorDocument): void {
    this.version = document.version;
    this.dirty = false;
    this.#unsaved = [];
    this.#unsavedLength = 0;
    this.staleOutbox = document.outbox.length > 0 || document.viewPending;
  }

  /** The catalogue text of the current projection; 'null' when the actor is not in the catalogue. */
  projectionText(): string {
    const { projection } = this.kind.definition;
    return projection && !this.#deleted ? JSON.stringify(projection(this.state, this.id) ?? null) : 'null';
  }

  markProjectionPublished(text: string): void {
    this.projectionPending = false;
    this.#publishedProjection = text;
  }

  /** Must be called once after loading a document whose projection is already in the catalogue. */
  assumeProjectionPublished(): void {
    if (!this.projectionPending && this.kind.definition.projection) this.#publishedProjection ??= this.projectionText();
  }

  /** Lazy kinds: the totals that a receiver still needs when it has those up to `published`. */
  totalsAfter(published: string | null): readonly Send[] {
    const { totals } = this.kind.definition;
    if (!totals || this.#deleted || published === this.position) return [];
    return totals(this.state, published, this.id);
  }

  /** Lazy kinds: records that every receiver has the totals; the next save stores this. */
  markTotalsPublished(): void {
    const { totals, onPublished } = this.kind.definition;
    if (!totals || this.published === this.position) return;
    this.published = this.position;
    if (!this.#deleted) onPublished?.(this.state, this.position);
  }

  /** Whether a saved state has caused messages, totals or a projection that may not be published yet. */
  get hasUnpublished(): boolean {
    const totalsDue = this.kind.definition.totals !== undefined && this.version > 0 && this.published !== this.position;
    return this.outbox.length > 0 || this.projectionPending || totalsDue;
  }

  /** Drops everything unpublished; used only to break laws 5 and 8. */
  forgetUnpublished(): void {
    this.outbox = [];
    this.projectionPending = false;
    if (this.kind.definition.totals) this.published = this.position;
  }

  /** Law 7: true when dropping this activation now would lose nothing. */
  get clean(): boolean {
    if (this.uncoverable) return this.replies.length === 0;
    const unconfirmed = this.kind.definition.totals !== undefined && this.published !== this.position;
    return !this.dirty && !this.staleOutbox && this.outbox.length === 0 && !unconfirmed && this.replies.length === 0;
  }
}

function parked(reason: string): MessageOutcome {
  return { outcome: 'parked', reason };
}

function invalidBody(errors: readonly { instancePath: string; message: string }[]): string {
  const [first] = errors;
  return first ? `invalid at ${first.instancePath || '/'}: ${first.message}` : 'invalid';
}
