import { LogUnavailable, StoreUnavailable } from '../ports/errors.ts';
import type { Acquired, Lease } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import { comparePositions, positionOf, positionTimeMs, START } from '../ports/position.ts';
import type { ActorDocument, DeadLetter } from '../ports/store.ts';
import { Activation } from './activation.ts';
import { encodeReply } from './asks.ts';
import { type Attempts, formatAttempts, parseAttempts } from './attempts.ts';
import { decodeEnvelope, type Envelope } from './envelope.ts';
import type { Target } from './kinds.ts';
import type { NodeParts } from './node-parts.ts';
import { publishCaused } from './publication.ts';

/** Why a session ended. */
export type SessionEnd = 'stopped' | 'stale' | 'failed';

/** Another process has saved what this one held: begin anew from the store. */
class SaveConflict extends Error {
  override readonly name = 'SaveConflict';
}

/** Another process has acquired the partition since. */
class StaleLease extends Error {
  override readonly name = 'StaleLease';
}

interface Delivery {
  readonly entry: LogEntry;
  readonly envelope: Envelope;
  readonly activation: Activation;
}

/**
 * One ownership of one partition, from lease to end: takes its messages in order, hands them to their actors, saves,
 * publishes, commits. Everything is done by one loop, one step after the other; on any doubt the session ends, its
 * memory is dropped, and a new one begins from the committed cursor and the stored documents.
 */
export class PartitionSession {
  readonly lease: Lease;
  readonly #parts: NodeParts;
  readonly #acquired: Acquired;
  /** Another process held the partition, or this one has just started: counts as a try (law 10). */
  readonly #counts: boolean;
  readonly #actors = new Map<string, Activation>();
  readonly #dirtyEager = new Set<Activation>();
  readonly #dirtyLazy = new Set<Activation>();
  readonly #answering = new Set<Activation>();
  #letters: DeadLetter[] = [];
  #letterReplies: { replyTo: string; payload: string }[] = [];
  #queue: LogEntry[] = [];
  #handled: string;
  #committed: string;
  #committedAt = 0;
  #committing: Promise<void> | null = null;
  #highWater = START;
  #appended = 0;
  #attempts: Attempts;
  #saves = 0;
  #lazySince = 0;
  #sweptAt = 0;
  #begun = false;
  #stopping = false;
  #lost = false;
  /** The log is younger than the cursor: what it holds up to here is still to be appended again (law 9). */
  #unhandledBelow = START;
  #end: Error | null = null;
  #wake: (() => void) | null = null;
  #onRoom: () => void;

  /** `onRoom` is called when the session wants to read again after it did not. */
  constructor(parts: NodeParts, acquired: Acquired, counts: boolean, onRoom: () => void) {
    this.#parts = parts;
    this.#acquired = acquired;
    this.#counts = counts;
    this.#onRoom = onRoom;
    this.lease = acquired.lease;
    this.readPosition = acquired.cursor;
    this.#handled = acquired.cursor;
    this.#committed = acquired.cursor;
    this.#attempts = parseAttempts(acquired.note, acquired.cursor);
  }

  /** The last entry read. */
  readPosition: string;

  /** Whether more entries are wanted now. */
  get wantsEntries(): boolean {
    return this.#begun && !this.#stopping && !this.#end && this.#queue.length < this.#parts.tuning.readAhead;
  }

  get activeActors(): number {
    return this.#actors.size;
  }

  /** Takes what was read after `readPosition`. Law 1: in id order, asserted. */
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

  /** Ends the session after what it holds is handled, saved and committed. */
  stop(): void {
    this.#stopping = true;
    this.#rouse();
  }

  /** Ends the session at once: the partition is somebody else's. */
  abandon(): void {
    this.#end ??= new StaleLease('the lease was lost');
    this.#rouse();
  }

  /** Law 9: whether the log has lost entries below what was read; if so, saves what memory has and begins anew. */
  async checkTail(): Promise<void> {
    if (!this.#begun) return;
    const { log } = this.#parts.provider;
    const read = this.readPosition;
    const tail = await log.tail(this.lease.partition);
    if (this.#stopping) return;
    this.#parts.metrics.partitionLength.set({ partition: String(this.lease.partition) }, tail.length);
    if (comparePositions(tail.last, read) < 0 || tail.appended < this.#appended) {
      this.#alarm(
        'log-lost',
        `read up to ${read}; the log was made anew and ends at ${tail.last}: what was unread is lost`,
      );
      this.#lost = true;
      this.stop();
    }
    this.#appended = Math.max(this.#appended, tail.appended);
  }

  async run(): Promise<SessionEnd> {
    try {
      await this.#begin();
      while (!this.#stopping || this.#queue.length > 0) {
        if (this.#end) throw this.#end;
        await this.#step();
      }
      await this.#save([...this.#dirtyEager, ...this.#dirtyLazy]);
      await this.#committing;
      if (this.#end) throw this.#end;
      // The cursor belongs to a log that is gone: moving it would trim what the new one holds, unread.
      if (this.#lost) return 'failed';
      await this.#commit();
      // A proper end is no try that failed.
      await this.#note({ cursor: this.#committed, owners: 0, inHand: '', deaths: 0 });
      return 'stopped';
    } catch (error) {
      this.#end ??= error as Error;
      return this.#explain(error as Error);
    } finally {
      this.#stopping = true;
      this.#actors.clear();
    }
  }

  async #begin(): Promise<void> {
    const { provider, store, brokenLaws, tuning } = this.#parts;
    const { partition } = this.lease;
    const { cursor, last } = this.#acquired;
    this.#highWater = await store.highWater(partition);
    const younger = comparePositions(cursor, last) > 0;
    if (younger || (cursor === START && this.#highWater !== START)) {
      const reflected = `saved state may reflect up to ${this.#highWater}, the cursor stood at ${cursor}`;
      this.#alarm('log-behind-store', `the log ends at ${last}; ${reflected}: what was unread between is lost`);
    }
    // Law 9: what comes after must stand above every position that a saved state reflects, or it would be skipped.
    const mark = younger && comparePositions(cursor, this.#highWater) > 0 ? cursor : this.#highWater;
    if (comparePositions(mark, last) > 0 && !brokenLaws.has('raise-behind-log')) {
      if (!(await provider.leases.raise(this.lease, mark))) throw new StaleLease('raise');
      if (younger) {
        this.readPosition = START;
        this.#unhandledBelow = mark;
      }
    }
    if (this.#counts) this.#attempts = { ...this.#attempts, owners: this.#attempts.owners + 1 };
    await this.#note(this.#attempts);
    if (this.#careful) {
      const { owners } = this.#attempts;
      this.#parts.logger.warn(
        { partition, cursor, owners },
        'messages run one by one: earlier owners did not get past',
      );
    }
    this.#sweptAt = this.#parts.clock.monotonic() + Math.floor((tuning.idleMs * partition) / 1024);
    this.#begun = true;
    this.#onRoom();
  }

  /**
   * Law 9: what stands at or below `unhandledBelow` nobody has handled, and actors would skip it there: it is appended
   * again, above. (A crash between the steps leaves some of it behind: the alarm has named it.) Answers the rest.
   */
  async #appendAgain(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    const below = entries.filter(({ position }) => comparePositions(position, this.#unhandledBelow) <= 0);
    if (below.length > 0) {
      const payloads = below.map(({ payload }) => payload);
      await this.#parts.provider.log.append(this.lease.partition, payloads);
    }
    return entries.slice(below.length);
  }

  get #careful(): boolean {
    return this.#attempts.owners > this.#parts.tuning.carefulAfter && this.#committed === this.#attempts.cursor;
  }

  async #step(): Promise<void> {
    const { tuning, clock } = this.#parts;
    if (this.#queue.length === 0) await this.#waitForWork();
    if (this.#end) throw this.#end;
    const full = this.#queue.length >= tuning.readAhead;
    const batch = this.#queue.splice(0, this.#careful ? 1 : tuning.batchSize);
    if (full) this.#onRoom();
    if (batch.length > 0) await this.#handleBatch(batch);
    if (this.#dirtyLazy.size > 0 && clock.monotonic() - this.#lazySince >= tuning.lazySaveMs) {
      await this.#save([...this.#dirtyEager, ...this.#dirtyLazy]);
    }
    this.#sweep();
    if (this.#dirtyEager.size > 0) await this.#save([...this.#dirtyEager]);
    this.#commitWhenDue();
  }

  /** Until there are entries, lazy actors must be saved, idle ones be swept, or the session ends. */
  async #waitForWork(): Promise<void> {
    if (this.#stopping || this.#end) return;
    const { tuning, clock } = this.#parts;
    const now = clock.monotonic();
    let dueMs = this.#sweptAt + tuning.idleMs - now;
    if (this.#dirtyLazy.size > 0) dueMs = Math.min(dueMs, this.#lazySince + tuning.lazySaveMs - now);
    if (this.#committed !== this.#handled) dueMs = Math.min(dueMs, tuning.commitIntervalMs);
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
    const entries = await this.#appendAgain(read);
    if (entries.length === 0) return;
    const { metrics, tuning } = this.#parts;
    metrics.batchSize.observe(entries.length);
    const now = this.#parts.clock.monotonic();
    for (const { entry, envelope, activation } of await this.#address(entries)) {
      if (this.#careful && (await this.#parkedForDeaths(entry, envelope))) continue;
      const handled = activation.handle(entry, envelope, tuning.forgetSendersMs);
      metrics.countMessage(activation.kind.definition.kind, handled.outcome);
      if (handled.outcome === 'parked') this.#park(entry, envelope, handled.reason);
      if (activation.replies.length > 0) this.#answering.add(activation);
      if (activation.dirty) this.#noteDirty(activation);
      activation.usedAtMs = now;
    }
    this.#handled = entries[entries.length - 1]!.position;
    if (this.#dirtyEager.size > 0 || this.#letters.length > 0 || this.#answering.size > 0) {
      // A parked message covers its lazy actor too, so all go together.
      await this.#save(this.#letters.length > 0 ? [...this.#dirtyEager, ...this.#dirtyLazy] : [...this.#dirtyEager]);
    }
  }

  #noteDirty(activation: Activation): void {
    if (!activation.kind.lazy) this.#dirtyEager.add(activation);
    else {
      if (this.#dirtyLazy.size === 0) this.#lazySince = this.#parts.clock.monotonic();
      this.#dirtyLazy.add(activation);
    }
  }

  /** Finds out whom each entry is for, and loads those actors that are not in memory. What is for nobody is parked. */
  async #address(entries: readonly LogEntry[]): Promise<Delivery[]> {
    const addressed: { entry: LogEntry; envelope: Envelope; key: string }[] = [];
    const missing = new Map<string, Target>();
    for (const entry of entries) {
      const envelope = this.#decode(entry);
      if (!envelope) continue;
      const target = this.#targetOf(entry, envelope);
      if (!target) {
        this.#park(entry, envelope, `no actor ${envelope.to} is known here`);
        continue;
      }
      const key = `${target.kind.definition.kind}/${target.id}`;
      if (!this.#actors.has(key)) missing.set(key, target);
      addressed.push({ entry, envelope, key });
    }
    if (missing.size > 0) await this.#activate([...missing.values()]);
    return addressed.map(({ entry, envelope, key }) => ({ entry, envelope, activation: this.#actors.get(key)! }));
  }

  #decode(entry: LogEntry): Envelope | null {
    try {
      return decodeEnvelope(entry.payload);
    } catch (error) {
      const unreadable = { to: '', type: '', body: null, from: '', sequence: '', ask: null };
      this.#park(entry, unreadable, `unreadable: ${(error as Error).message}`);
      return null;
    }
  }

  #targetOf(entry: LogEntry, envelope: Envelope): Target | undefined {
    const target = this.#parts.kinds.target(envelope.to);
    const idAt = target?.kind.definition.idAt;
    if (!target || !idAt) return target;
    try {
      return { kind: target.kind, id: idAt(target.id, positionTimeMs(entry.position)) };
    } catch {
      return undefined;
    }
  }

  async #activate(targets: readonly Target[]): Promise<void> {
    const { store, brokenLaws } = this.#parts;
    const documents = await store.load(targets.map(({ kind, id }) => ({ kind: kind.definition.kind, id })));
    const unpublished: Activation[] = [];
    for (const [index, { kind, id }] of targets.entries()) {
      const document = documents[index] ?? null;
      if (document && this.#isAhead(document)) {
        const reflects = `${document.kind}/${document.id} reflects ${document.position}`;
        this.#alarm('log-behind-store', `the log ended at ${this.#acquired.last}, but ${reflects}`);
      }
      const activation = new Activation(kind, id, this.lease.partition, document, brokenLaws);
      activation.assumeViewTold();
      activation.usedAtMs = this.#parts.clock.monotonic();
      this.#actors.set(activation.address, activation);
      if (hasUnpublished(activation)) unpublished.push(activation);
    }
    // Laws 5 and 8: whoever saved this may have died before publishing what it caused.
    if (unpublished.length > 0) {
      const lazyBroken = brokenLaws.has('totals-resent-on-load');
      const eagerBroken = brokenLaws.has('outbox-published-on-load');
      const kept = unpublished.filter(({ kind }) => (kind.lazy ? !lazyBroken : !eagerBroken));
      await publishCaused(this.#parts, kept);
      for (const activation of unpublished) if (!kept.includes(activation)) forgetUnpublished(activation);
    }
  }

  /** Whether the document reflects what the log has not got. */
  #isAhead({ position, writer }: ActorDocument): boolean {
    const known = [this.#acquired.last, this.readPosition];
    return known.every((end) => comparePositions(position, end) > 0) && !writer.startsWith(this.#writerPrefix);
  }

  get #writerPrefix(): string {
    return `${this.lease.owner}:${this.lease.epoch}:`;
  }

  /**
   * Saves, then lets out what the saved states have caused: replies, messages, views (law 4). Parked messages are
   * durable before a state that covers them (law 10). Ends the session by throwing when anything is in doubt (law 3).
   */
  async #save(activations: readonly Activation[]): Promise<void> {
    const { store, brokenLaws } = this.#parts;
    if (brokenLaws.has('nothing-unsaved-leaves')) this.#sendReplies();
    const letters = this.#letters;
    this.#letters = [];
    if (letters.length > 0 && !brokenLaws.has('park-before-cover')) await store.park(letters);
    if (activations.length > 0) {
      await this.#raiseHighWater();
      await this.#saveDocuments(activations);
    }
    for (const activation of activations) {
      this.#dirtyEager.delete(activation);
      this.#dirtyLazy.delete(activation);
    }
    this.#sendReplies();
    const unpublished = activations.filter(hasUnpublished);
    if (unpublished.length > 0) await publishCaused(this.#parts, unpublished);
    if (letters.length > 0 && brokenLaws.has('park-before-cover')) await store.park(letters);
  }

  async #saveDocuments(activations: readonly Activation[]): Promise<void> {
    const { store, metrics, clock, brokenLaws } = this.#parts;
    const writer = `${this.#writerPrefix}${++this.#saves}`;
    const documents = activations.map((activation) => activation.document(writer));
    const since = clock.monotonic();
    try {
      const outcomes = await store.save(documents);
      if (outcomes.includes('conflict')) {
        metrics.saveConflicts.inc();
        throw new SaveConflict(`another version of ${documents[outcomes.indexOf('conflict')]!.id} stands in the store`);
      }
    } catch (error) {
      // Law 3: beginning anew reads every version again.
      if (!brokenLaws.has('reread-after-failed-save')) throw error;
    }
    metrics.saveSeconds.observe((clock.monotonic() - since) / 1000);
    metrics.savedDocuments.inc(documents.length);
    for (const [index, activation] of activations.entries()) activation.saved(documents[index]!);
  }

  /** Law 9: the mark is at or above every position that a saved state reflects, so it is raised before the save. */
  async #raiseHighWater(): Promise<void> {
    if (comparePositions(this.#handled, this.#highWater) <= 0) return;
    const { store, tuning } = this.#parts;
    const mark = positionOf(positionTimeMs(this.#handled) + tuning.highWaterStepMs, 0);
    await store.raiseHighWater(this.lease.partition, mark);
    this.#highWater = mark;
  }

  #sendReplies(): void {
    const { replies } = this.#parts.provider;
    // A lost reply is a timeout at the asker, who may ask again under the same request id.
    const send = (reply: { replyTo: string; payload: string }) =>
      replies.send(reply.replyTo, reply.payload).catch((error) => {
        this.#parts.logger.warn({ error: String(error) }, 'a reply was lost');
      });
    for (const activation of this.#answering) {
      if (activation.dirty && !this.#parts.brokenLaws.has('nothing-unsaved-leaves')) continue;
      for (const reply of activation.replies.splice(0)) void send(reply);
      this.#answering.delete(activation);
    }
    for (const reply of this.#letterReplies.splice(0)) void send(reply);
  }

  #park(entry: LogEntry, envelope: Envelope, reason: string): void {
    const { partition } = this.lease;
    const { to, type, ask } = envelope;
    this.#letters.push({
      id: `${partition}:${entry.position}`,
      partition,
      position: entry.position,
      to,
      type,
      payload: entry.payload,
      reason,
      parkedAtMs: this.#parts.clock.now(),
      replayedAtMs: null,
    });
    if (ask) this.#letterReplies.push({ replyTo: ask.replyTo, payload: encodeReply(ask.askId, { parked: reason }) });
    this.#parts.metrics.deadLetters.inc({ kind: to.slice(0, Math.max(0, to.indexOf('/'))) });
    this.#parts.logger.error({ partition, position: entry.position, to, type, reason }, 'a message was parked');
  }

  /** Law 10, one by one: what a process takes in hand is noted first; a message that ends processes is parked. */
  async #parkedForDeaths(entry: LogEntry, envelope: Envelope): Promise<boolean> {
    const { inHand, deaths } = this.#attempts;
    const again = inHand === entry.position ? deaths : 0;
    if (again >= this.#parts.tuning.parkAfterDeaths) {
      this.#park(entry, envelope, `${again} processes ended while handling it`);
      return true;
    }
    this.#attempts = { ...this.#attempts, inHand: entry.position, deaths: again + 1 };
    await this.#note(this.#attempts);
    return false;
  }

  async #note(attempts: Attempts): Promise<void> {
    const held = await this.#parts.provider.leases.note(this.lease, formatAttempts(attempts));
    if (!held) throw new StaleLease('note');
  }

  #commitWhenDue(): void {
    const { clock, tuning, brokenLaws } = this.#parts;
    if (this.#committing || this.#lost || this.#committed === this.#handled) return;
    // Law 2: while anything is unsaved the cursor stays; the next save of all, at most a second away, moves it.
    const unsaved = this.#dirtyLazy.size > 0 || this.#dirtyEager.size > 0 || this.#letters.length > 0;
    if (unsaved && !brokenLaws.has('cursor-below-unsaved')) return;
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
    this.#committedAt = this.#parts.clock.monotonic();
    if (!(await this.#parts.provider.leases.commit(this.lease, cursor))) throw new StaleLease('commit');
    this.#committed = cursor;
  }

  /** Lets idle actors leave memory; those that hold something yet are saved first and leave next time (law 7). */
  #sweep(): void {
    const { clock, tuning, brokenLaws, metrics } = this.#parts;
    const now = clock.monotonic();
    const crowded = this.#actors.size > tuning.maxActive;
    if (!crowded && now - this.#sweptAt < tuning.idleMs) return;
    this.#sweptAt = now;
    const idlest = [...this.#actors.values()].sort((a, b) => a.usedAtMs - b.usedAtMs);
    let excess = this.#actors.size - tuning.maxActive;
    for (const activation of idlest) {
      if (excess <= 0 && now - activation.usedAtMs < tuning.idleMs) break;
      excess--;
      if (activation.clean || brokenLaws.has('clean-passivation')) {
        this.#actors.delete(activation.address);
        this.#dirtyLazy.delete(activation);
        this.#dirtyEager.delete(activation);
      } else if (!activation.dirty) {
        activation.dirty = true;
        this.#noteDirty(activation);
      }
    }
    metrics.activations.set(this.#actors.size);
  }

  #alarm(alarm: string, message: string): void {
    this.#parts.metrics.alarms.inc({ alarm });
    this.#parts.logger.error({ alarm, partition: this.lease.partition }, `ALARM ${message}`);
  }

  #explain(error: Error): SessionEnd {
    const { metrics, logger } = this.#parts;
    const { partition } = this.lease;
    metrics.sessionFailures.inc({ cause: error.name });
    if (error instanceof StaleLease) {
      logger.info({ partition }, 'the partition has another owner');
      return 'stale';
    }
    const outage =
      error instanceof StoreUnavailable || error instanceof LogUnavailable || error instanceof SaveConflict;
    if (outage) logger.warn({ partition, error: error.message }, 'the partition begins anew');
    else logger.error({ partition, error: error.stack ?? error.message }, 'the partition begins anew');
    return 'failed';
  }
}

function hasUnpublished(activation: Activation): boolean {
  const { totals } = activation.kind.definition;
  const totalsDue = totals !== undefined && activation.version > 0 && activation.published !== activation.position;
  return activation.outbox.length > 0 || activation.viewPending || totalsDue;
}

/** What breaking laws 5 and 8 means. */
function forgetUnpublished(activation: Activation): void {
  activation.outbox = [];
  activation.viewPending = false;
  if (activation.kind.definition.totals) activation.published = activation.position;
}
