import { Activation } from './activation.ts';
import type { Addressed } from './address-entries.ts';
import type { HighWater } from './high-water.ts';
import type { ActorAddress } from './kind-registry.ts';
import type { NodeDeps } from './node-deps.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { SaveConflict } from './session-end.ts';
import type { Tuning } from './tuning.ts';

/** The number of save turns in the length of one. Partitions with the same turn share a sync of the store. */
const SAVE_TURNS = 16;
/**
 * The share of the time after which an actor is idle that passes between two sweeps at least, and by which the sweeps
 * of partitions are apart.
 */
const SWEEP_SHARE = 1 / 8;
/** A turn that wrote more documents than this is as many times longer the next time, and at most so many times. */
const DOCUMENTS_OF_SHORT_TURN = 50;
const LONGEST_TURN = 20;

/** The actors of one partition that are in memory, and which of them have unsaved changes. */
export class ActiveActors {
  readonly #deps: NodeDeps;
  readonly #partition: number;
  readonly #highWater: HighWater;
  readonly #publisher: OutboxPublisher;
  /** The prefix of the writer names of this ownership's saves. */
  readonly #ownWriter: string;
  readonly #actors = new Map<string, Activation>();
  readonly #dirtyEager = new Set<Activation>();
  readonly #dirtyLazy = new Set<Activation>();
  /** The time of the next save of lazy actors, monotonic ms. */
  #lazyDueAt = 0;
  /** The number of lazy actors that the last turn saved. */
  #lastSaved = 0;
  /** By how much later this partition sweeps than the first of those that take turns, ms. */
  readonly #sweepTurnMs: number;
  #sweptAt: number;
  /** Monotonic ms. */
  #sweepDueAt: number;

  constructor(deps: NodeDeps, partition: number, highWater: HighWater, publisher: OutboxPublisher, ownWriter: string) {
    this.#deps = deps;
    this.#partition = partition;
    this.#highWater = highWater;
    this.#publisher = publisher;
    this.#ownWriter = ownWriter;
    this.#sweepTurnMs = (deps.tuning.idleMs * SWEEP_SHARE * (partition % SAVE_TURNS)) / SAVE_TURNS;
    this.#sweptAt = deps.clock.monotonic();
    this.#sweepDueAt = this.#sweptAt + deps.tuning.idleMs + this.#sweepTurnMs;
  }

  get size(): number {
    return this.#actors.size;
  }

  get dirtyEager(): Activation[] {
    return [...this.#dirtyEager];
  }

  get dirty(): Activation[] {
    return [...this.#dirtyEager, ...this.#dirtyLazy];
  }

  get hasDirtyEager(): boolean {
    return this.#dirtyEager.size > 0;
  }

  get hasDirty(): boolean {
    return this.#dirtyEager.size > 0 || this.#dirtyLazy.size > 0;
  }

  /** Monotonic ms; null when no lazy actor is dirty. */
  get lazySaveDueAt(): number | null {
    return this.#dirtyLazy.size > 0 ? this.#lazyDueAt : null;
  }

  /** Monotonic ms. */
  get sweepDueAt(): number {
    return this.#sweepDueAt;
  }

  get(address: string): Activation | undefined {
    return this.#actors.get(address);
  }

  noteDirty(activation: Activation): void {
    if (!activation.kind.lazy) {
      this.#dirtyEager.add(activation);
      return;
    }
    if (this.#dirtyLazy.size === 0) this.#lazyDueAt = this.#nextTurn();
    this.#dirtyLazy.add(activation);
  }

  /**
   * The next time when this partition saves its lazy actors: at most `lazySaveMs` from now, or several times as much
   * where turns write many documents. A document is written whole however little has changed, so longer turns write
   * less. Each partition has its own fixed turn: if each partition saved a fixed time after its first message, saves
   * that wait for the same sync would fall into step and block everything else at once.
   */
  #nextTurn(): number {
    const { clock, tuning } = this.#deps;
    const longer = Math.min(LONGEST_TURN, Math.max(1, this.#lastSaved / DOCUMENTS_OF_SHORT_TURN));
    const lengthMs = tuning.lazySaveMs * longer;
    const turnMs = ((this.#partition % SAVE_TURNS) * lengthMs) / SAVE_TURNS;
    const now = clock.monotonic();
    return turnMs + (Math.floor((now - turnMs) / lengthMs) + 1) * lengthMs;
  }

  noteSaved(activations: readonly Activation[]): void {
    let saved = 0;
    for (const activation of activations) {
      this.#dirtyEager.delete(activation);
      if (this.#dirtyLazy.delete(activation)) saved += 1;
    }
    if (saved > 0) this.#lastSaved = saved;
  }

  /**
   * Replaces an activation that can never be stored by the actor's stored state. The actor is in quarantine for as long
   * as it is in memory.
   */
  async quarantine(activation: Activation, reason: string): Promise<Activation> {
    const { kind, id, address, version } = activation;
    this.#publisher.forget(activation);
    const [document] = await this.#deps.store.load([{ kind: kind.definition.kind, id }]);
    if ((document?.version ?? 0) !== version)
      throw new SaveConflict(`another version of ${address} stands in the store`);
    const restored = new Activation(
      kind,
      id,
      this.#partition,
      document ?? null,
      this.#deps.brokenLaws,
      this.#deps.auditTrail,
    );
    restored.assumeProjectionPublished();
    restored.quarantined = reason;
    if (this.#actors.get(address)?.quarantined === null)
      this.#deps.metrics.quarantined.inc({ kind: kind.definition.kind });
    this.#keep(restored);
    return restored;
  }

  #keep(activation: Activation): void {
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    activation.usedAtMs = now;
    this.#actors.set(activation.address, activation);
    this.#sweepAt(now + idleMsOf(activation, tuning));
  }

  /** Brings the next sweep forward to an instant, monotonic ms. */
  #sweepAt(atMs: number): void {
    const soonest = this.#sweptAt + this.#deps.tuning.idleMs * SWEEP_SHARE;
    this.#sweepDueAt = Math.min(this.#sweepDueAt, Math.max(atMs + this.#sweepTurnMs, soonest));
  }

  #forget({ address, kind, quarantined }: Activation): void {
    this.#actors.delete(address);
    if (quarantined !== null) this.#deps.metrics.quarantined.inc({ kind: kind.definition.kind }, -1);
  }

  clear(): void {
    for (const activation of this.#actors.values()) if (activation.quarantined !== null) this.#forget(activation);
    this.#actors.clear();
    this.#dirtyEager.clear();
    this.#dirtyLazy.clear();
  }

  /**
   * Loads the actors of these messages that are not in memory. `read` is the position up to which the log has been
   * read.
   */
  async activate(addressed: readonly Addressed[], read: string): Promise<void> {
    const missing = new Map<string, ActorAddress>();
    for (const { address, target } of addressed) if (!this.#actors.has(address)) missing.set(address, target);
    if (missing.size === 0) return;

    const targets = [...missing.values()];
    const keys = targets.map(({ kind, id }) => ({ kind: kind.definition.kind, id }));
    const documents = await this.#deps.store.load(keys);
    const loaded: Activation[] = [];
    for (const [index, { kind, id }] of targets.entries()) {
      const document = documents[index] ?? null;
      const activation = new Activation(
        kind,
        id,
        this.#partition,
        document,
        this.#deps.brokenLaws,
        this.#deps.auditTrail,
      );
      if (document && !document.writer.startsWith(this.#ownWriter)) {
        this.#highWater.noteLoaded(activation.address, document.position, read);
      }
      activation.assumeProjectionPublished();
      this.#keep(activation);
      loaded.push(activation);
    }
    await this.#publishLeftovers(loaded.filter(({ hasUnpublished }) => hasUnpublished));
  }

  /** Laws 5 and 8: the process that saved these documents may have died before it published what they caused. */
  async #publishLeftovers(unpublished: readonly Activation[]): Promise<void> {
    if (unpublished.length === 0) return;
    const { brokenLaws } = this.#deps;
    const forgotten = unpublished.filter(({ kind }) =>
      brokenLaws.has(kind.lazy ? 'totals-resent-on-load' : 'outbox-published-on-load'),
    );
    for (const activation of forgotten) activation.forgetUnpublished();
    await this.#publisher.publish(unpublished.filter((activation) => !forgotten.includes(activation)));
  }

  /**
   * Removes idle actors from memory, and where there are too many, those that were used longest ago. Actors with
   * unsaved or unpublished data are saved first and removed in a later sweep (law 7).
   */
  sweep(): void {
    const { clock, tuning } = this.#deps;
    const now = clock.monotonic();
    const crowded = this.#actors.size > tuning.maxActive && now - this.#sweptAt >= tuning.lazySaveMs;
    if (!crowded && now < this.#sweepDueAt) return;
    this.#sweptAt = now;
    this.#sweepDueAt = now + tuning.idleMs + this.#sweepTurnMs;
    const leaving = crowded ? this.#idlest(this.#actors.size - tuning.maxActive) : null;
    for (const activation of this.#actors.values()) {
      const idleAtMs = activation.usedAtMs + idleMsOf(activation, tuning);
      const isDue = idleAtMs <= now || leaving?.has(activation);
      if (!isDue || !this.#leaves(activation)) this.#sweepAt(idleAtMs);
    }
  }

  #idlest(count: number): Set<Activation> {
    return new Set([...this.#actors.values()].sort((a, b) => a.usedAtMs - b.usedAtMs).slice(0, count));
  }

  /** Removes an actor from memory, or has it saved first; whether it has left. */
  #leaves(activation: Activation): boolean {
    if (activation.clean || this.#deps.brokenLaws.has('clean-passivation')) {
      this.#forget(activation);
      this.#dirtyLazy.delete(activation);
      this.#dirtyEager.delete(activation);
      return true;
    }
    if (!activation.dirty) {
      activation.dirty = true;
      this.noteDirty(activation);
    }
    return false;
  }
}

function idleMsOf({ kind }: Activation, { idleMs }: Tuning): number {
  return Math.min(kind.definition.idleMs ?? idleMs, idleMs);
}
