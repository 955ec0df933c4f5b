import type { AcquiredPartition, Lease } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import { comparePositions } from '../ports/position.ts';
import type { Activation } from './activation.ts';
import { ActiveActors } from './active-actors.ts';
import { type Addressed, addressEntries } from './address-entries.ts';
import { raiseAlarm } from './alarm.ts';
import { DeliveryAttempts } from './delivery-attempts.ts';
import { decodeEnvelope } from './envelope.ts';
import { handlingSpan } from './handling-span.ts';
import { HighWater } from './high-water.ts';
import type { NodeDeps } from './node-deps.ts';
import { OutboxPublisher } from './outbox-publisher.ts';
import { PendingDeadLetters } from './pending-dead-letters.ts';
import { RepliesToSend } from './replies-to-send.ts';
import { explainEnd, SaveConflict, type SessionEnd, StaleLease } from './session-end.ts';

/**
 * After handling messages for this many ms the session yields to the other work of the process, which may run auctions
 * too.
 */
const SLICE_MS = 5;
/**
 * A lazy actor is saved early once the messages since its last save have this many characters, which bounds the growth
 * of a state between two saves.
 */
const SAVE_EARLY_LENGTH = 2 * 1_048_576;

/**
 * One ownership of one partition, from lease to end: takes its messages in order, hands them to their actors, saves,
 * publishes and commits. One loop does everything, one step after the other. On any doubt the session ends, its memory
 * is dropped, and a new session begins from the committed cursor and the stored documents.
 */
export class PartitionSession {
  readonly lease: Lease;
  /** The position of the last entry read. */
  readPosition: string;
  readonly #deps: NodeDeps;
  /**
   * True when another process held the partition before, or this process has just started: the ownership then counts as
   * an attempt (law 10).
   */
  readonly #counts: boolean;
  readonly #attempts: DeliveryAttempts;
  readonly #highWater: HighWater;
  readonly #pendingDeadLetters: PendingDeadLetters;
  readonly #publisher: OutboxPublisher;
  readonly #actors: ActiveActors;
  readonly #replies: RepliesToSend;
  readonly #writerPrefix: string;
  readonly #onCapacity: () => void;
  readonly #queue: LogEntry[] = [];
  #handled: string;
  #committed: string;
  #committedAt = 0;
  #committing: Promise<void> | null = null;
  #saves = 0;
  #begun = false;
  #stopping = false;
  #lost = false;
  #end: Error | null = null;
  #wake: (() => void) | null = null;

  /** `onCapacity` is called when the session wants entries again after a time when it did not. */
  constructor(deps: NodeDeps, acquired: AcquiredPartition, isAttempt: boolean, onCapacity: () => void) {
    const { lease, cursor } = acquired;
    this.#deps = deps;
    this.#counts = isAttempt;
    this.#onCapacity = onCapacity;
    this.lease = lease;
    this.readPosition = cursor;
    this.#handled = cursor;
    this.#committed = cursor;
    this.#writerPrefix = `${lease.owner}:${lease.epoch}:`;
    this.#attempts = new DeliveryAttempts(deps, acquired);
    this.#highWater = new HighWater(deps, acquired);
    this.#pendingDeadLetters = new PendingDeadLetters(deps, lease.partition);
    this.#replies = new RepliesToSend(deps);
    this.#publisher = new OutboxPublisher(deps, () => this.#rouse());
    this.#actors = new ActiveActors(deps, lease.partition, this.#highWater, this.#publisher, this.#writerPrefix);
  }

  /** Whether the session wants more entries now. */
  get wantsEntries(): boolean {
    return this.#begun && !this.#stopping && !this.#end && this.#queue.length < this.#deps.tuning.readAhead;
  }

  get activeActors(): number {
    return this.#actors.size;
  }

  /** Accepts the entries read after `readPosition`. Law 1: asserts that they are in order. */
  deliver(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (comparePositions(entry.position, this.readPosition) <= 0) {
        this.#end ??= new Error(`${entry.position} was read after ${this.readPosition}`);
        break;
      }
      this.readPosition = entry.position;
      this.#queue.push(entry);
    }
    this.#rouse();
  }

  /** Ends the session after everything that it holds is handled, saved and committed. */
  stop(): void {
    this.#stopping = true;
    this.#rouse();
  }

  /** Ends the session at once, whatever it holds: the partition has, or is about to have, another owner. */
  abandon(why: string): void {
    this.#end ??= new StaleLease(why);
    this.#rouse();
  }

  /** The note of this ownership beside the cursor: while it is there, no other owner has begun. Null: it has none. */
  get note(): string | null {
    return this.#attempts.kept;
  }

  /** The error that ended the session early, once it has ended. */
  get failure(): Error | null {
    return this.#end;
  }

  /**
   * Law 9: if the log has lost entries that this session read, saves what memory has and ends, so that a new session
   * begins.
   */
  async checkTail(): Promise<void> {
    const { provider, metrics } = this.#deps;
    const { partition } = this.lease;
    if (!this.#begun) return;
    const read = this.readPosition;
    const tail = await provider.log.tail(partition);
    if (this.#stopping) return;
    metrics.measurePartition(partition, tail.length);
    if (!this.#highWater.hasLost(read, tail)) return;
    this.#lost = true;
    this.stop();
  }

  async run(): Promise<SessionEnd> {
    try {
      await this.#begin();
      while (!this.#stopping || this.#queue.length > 0) {
        if (this.#end) throw this.#end;
        await this.#step();
      }
      await this.#save(this.#actors.dirty);
      await this.#committing;
      if (this.#end) throw this.#end;
      // The cursor belongs to a log that no longer exists: moving it would trim unread entries of the new log.
      if (this.#lost) return 'failed';
      if (!this.#cursorHeld) await this.#commit();
      await this.#attempts.end(this.#committed);
      return 'stopped';
    } catch (error) {
      this.#end ??= error as Error;
      return explainEnd(this.#deps, this.lease.partition, error as Error);
    } finally {
      this.#stopping = true;
      this.#publisher.close();
      this.#pendingDeadLetters.close();
      this.#actors.clear();
      this.#deps.metrics.forgetPartition(this.lease.partition);
    }
  }

  async #begin(): Promise<void> {
    this.readPosition = await this.#highWater.begin();
    await this.#attempts.begin(this.#counts);
    this.#begun = true;
    this.#onCapacity();
  }

  get #careful(): boolean {
    return this.#attempts.careful(this.#committed);
  }

  async #step(): Promise<void> {
    const { tuning, clock } = this.#deps;
    if (this.#queue.length === 0) await this.#waitForWork();
    if (this.#end) throw this.#end;
    const full = this.#queue.length >= tuning.readAhead;
    const batch = this.#queue.splice(0, this.#attempts.batchSize(this.#queue, this.#committed));
    if (full) this.#onCapacity();
    if (batch.length > 0) await this.#handleBatch(batch);
    const lazyDueAt = this.#actors.lazySaveDueAt;
    const lazyDue = lazyDueAt !== null && clock.monotonic() >= lazyDueAt;
    if (lazyDue || this.#publisher.due) await this.#save(this.#actors.dirty);
    this.#actors.sweep();
    if (this.#actors.hasDirtyEager) await this.#save(this.#actors.dirtyEager);
    this.#commitWhenDue();
  }

  /** Waits until there are entries, lazy actors must be saved, idle actors must be swept, or the session ends. */
  async #waitForWork(): Promise<void> {
    if (this.#stopping || this.#end || this.#publisher.due) return;
    const { tuning, clock } = this.#deps;
    const now = clock.monotonic();
    const dueAt = Math.min(this.#actors.sweepDueAt, this.#actors.lazySaveDueAt ?? Number.POSITIVE_INFINITY);
    const commits = this.#committed !== this.#handled && !this.#cursorHeld;
    const dueMs = commits ? Math.min(dueAt - now, tuning.commitIntervalMs) : dueAt - now;
    if (dueMs <= 0) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(dueMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = null;
  }

  #rouse(): void {
    this.#wake?.();
  }

  async #handleBatch(read: readonly LogEntry[]): Promise<void> {
    const entries = await this.#highWater.appendAgain(read);
    if (entries.length === 0) return;
    const { metrics, kinds } = this.#deps;
    metrics.batchSize.observe(entries.length);
    const addressed = addressEntries(kinds, entries, this.#pendingDeadLetters);
    await this.#actors.activate(addressed, this.readPosition);
    await this.#attempts.inTurn(entries, this.#committed, () => this.#handleActivated(entries, addressed));
  }

  async #handleActivated(entries: readonly LogEntry[], addressed: readonly Addressed[]): Promise<void> {
    if (this.#end) throw this.#end;
    const { tuning, clock, metrics, tracer } = this.#deps;
    const careful = this.#careful;
    if (careful && entries.length > 1) {
      await this.#committing;
      await this.#attempts.beginBatch(entries, this.#committed);
    }
    const now = clock.monotonic();
    let sliceBegan = now;
    let [givenUp, attempted]: [string | null, string] = [null, ''];
    for (const { entry, envelope, address } of addressed) {
      if (clock.monotonic() - sliceBegan >= SLICE_MS) {
        // Nothing of this partition changes meanwhile: only this step saves and commits what was handled.
        await new Promise(setImmediate);
        sliceBegan = clock.monotonic();
      }
      if (careful && entries.length === 1 && attempted !== entry.position) {
        attempted = entry.position;
        givenUp = await this.#beginAttempt(entry);
      }
      const activation = this.#actors.get(address)!;
      const span = tracer === null ? null : handlingSpan(envelope, tracer);
      const handled = activation.handle(entry, envelope, tuning.forgetSendersMs, givenUp);
      if (span !== null) {
        span.end(handled.outcome === 'parked' ? handled.reason : undefined);
        activation.trace = span.traceparent;
      }
      metrics.countMessage(activation.kind.definition.kind, handled.outcome);
      if (handled.outcome === 'parked') this.#pendingDeadLetters.addFor(activation, entry, envelope, handled.reason);
      this.#replies.note(activation);
      if (activation.dirty) this.#actors.noteDirty(activation);
      activation.usedAtMs = now;
      if (!this.#pendingDeadLetters.full && activation.unsavedLength < SAVE_EARLY_LENGTH) continue;
      this.#handled = entry.position;
      await this.#save(this.#actors.dirty);
    }
    this.#handled = entries[entries.length - 1]!.position;
    // Everything is saved together, because a parked message is covered by its lazy actor too.
    if (this.#pendingDeadLetters.waiting) await this.#save(this.#actors.dirty);
    else if (this.#actors.hasDirtyEager || this.#replies.waiting) await this.#save(this.#actors.dirtyEager);
    await this.#attempts.recordSurvival(this.#handled);
  }

  async #beginAttempt({ position }: LogEntry): Promise<string | null> {
    await this.#committing;
    return this.#attempts.beginAttempt(position, this.#committed);
  }

  /**
   * Saves, then publishes what the saved states have caused: replies, messages, projections (law 4) and dead letters
   * (law 10). Throws, which ends the session, when any outcome is in doubt (law 3).
   */
  async #save(activations: readonly Activation[]): Promise<void> {
    const { store, brokenLaws } = this.#deps;
    if (brokenLaws.has('nothing-unsaved-leaves')) this.#sendReplies();
    const deadLetters = this.#pendingDeadLetters.takeDeadLetters();
    if (deadLetters.length > 0) await store.park(deadLetters);
    let unstorable: readonly Activation[] = [];
    if (activations.length > 0) {
      unstorable = await this.#saveDocuments(activations);
      this.#actors.noteSaved(activations);
    }
    for (const activation of unstorable) {
      this.#replies.forget(activation);
      await this.#quarantine(activation);
    }
    this.#sendReplies();
    const unpublished = activations.filter(
      (activation) => activation.hasUnpublished && !unstorable.includes(activation),
    );
    if (unpublished.length > 0 || this.#publisher.due) await this.#publisher.publish(unpublished);
  }

  /**
   * Quarantine: a state that can never be stored affects one actor, not its partition. The actor is reset to its stored
   * state, and while it is in memory each of its messages is covered unhandled and parked (law 10), starting with those
   * that the lost state would have covered: nothing that they caused has been published. Quarantine ends when the actor
   * leaves memory; later messages are handled again.
   */
  async #quarantine(activation: Activation): Promise<void> {
    const { store, tuning } = this.#deps;
    const { address, unsaved } = activation;
    if (activation.quarantined !== null) {
      // The stored state leaves no room even for the dead letters. Repetitions are recognised only while the actor is
      // in memory.
      await store.park(activation.giveUpCovering());
      return;
    }
    const reason = `what it makes of the state of ${address} can never be stored: it is too large, or cannot be encoded`;
    raiseAlarm(this.#deps, this.lease.partition, 'unstorable', `${reason}; messages to it are parked`);
    const restored = await this.#actors.quarantine(activation, reason);
    for (const entry of unsaved) {
      const envelope = decodeEnvelope(entry.payload);
      const handled = restored.handle(entry, envelope, tuning.forgetSendersMs);
      if (handled.outcome === 'parked') this.#pendingDeadLetters.addFor(restored, entry, envelope, handled.reason);
      if (this.#pendingDeadLetters.full) await this.#save([restored]);
    }
    await this.#save([restored]);
  }

  #sendReplies(): void {
    this.#replies.sendSaved();
    this.#replies.send(this.#pendingDeadLetters.takeReplies());
  }

  /** Saves the documents and returns the activations that can never be stored. */
  async #saveDocuments(activations: readonly Activation[]): Promise<readonly Activation[]> {
    const { store, metrics, clock, brokenLaws } = this.#deps;
    const writer = `${this.#writerPrefix}${++this.#saves}`;
    const documents = activations.map((activation) => activation.document(writer));
    const mark = this.#highWater.toCover(this.#handled);
    const since = clock.monotonic();
    let unstorable: readonly Activation[] = [];
    try {
      const outcomes = await store.save(documents, mark);
      if (mark) this.#highWater.raised(mark);
      if (outcomes.includes('conflict')) {
        metrics.saveConflicts.inc();
        throw new SaveConflict(`another version of ${documents[outcomes.indexOf('conflict')]!.id} stands in the store`);
      }
      unstorable = activations.filter((_, index) => outcomes[index] === 'unstorable');
    } catch (error) {
      // Law 3: a new session reads every version again.
      if (!brokenLaws.has('reread-after-failed-save')) throw error;
    }
    metrics.saveSeconds.observe((clock.monotonic() - since) / 1000);
    metrics.savedDocuments.inc(documents.length - unstorable.length);
    for (const [index, activation] of activations.entries()) {
      if (!unstorable.includes(activation)) activation.saved(documents[index]!);
    }
    return unstorable;
  }

  /**
   * Law 2: the cursor does not move while anything is unsaved; the next save of everything, a second away and up to 20 s
   * in a busy partition, allows it. It does not move either while publications of saved states are held back (law 5).
   */
  get #cursorHeld(): boolean {
    if (this.#publisher.holds) return true;
    const unsaved = this.#actors.hasDirty || this.#pendingDeadLetters.waiting;
    return unsaved && !this.#deps.brokenLaws.has('cursor-below-unsaved');
  }

  #commitWhenDue(): void {
    const { clock, tuning } = this.#deps;
    if (this.#committing || this.#lost || this.#committed === this.#handled || this.#cursorHeld) return;
    if (!this.#careful && clock.monotonic() - this.#committedAt < tuning.commitIntervalMs) return;
    this.#committing = this.#commit()
      .catch((error) => {
        this.#end ??= error;
        this.#rouse();
      })
      .finally(() => {
        this.#committing = null;
      });
  }

  async #commit(): Promise<void> {
    const cursor = this.#handled;
    if (cursor === this.#committed) return;
    this.#committedAt = this.#deps.clock.monotonic();
    const { provider, store, brokenLaws } = this.#deps;
    // Law 12: the token is taken after the states that the cursor covers were saved or read.
    const token = brokenLaws.has('token-beside-cursor') ? '' : store.token();
    if (!(await provider.leases.commit(this.lease, cursor, token))) throw new StaleLease('commit');
    this.#committed = cursor;
  }
}
