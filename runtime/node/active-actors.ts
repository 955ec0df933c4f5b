import { Activation } from './activation.ts';
import type { Addressed } from './address-entries.ts';
import type { HighWater } from './high-water.ts';
import type { ActorAddress } from './kind-registry.ts';
import type { NodeDeps } from './node-deps.ts';
import type { OutboxPublisher } from './outbox-publisher.ts';
import { SaveConflict } from './session-end.ts';

/** Partitions with one turn share a sync. */
const SAVE_TURNS = 16;

/** The actors of one partition that are in memory, and which of them the store has yet to hear of. */
export class ActiveActors {
  readonly #deps: NodeDeps;
  readonly #partition: number;
  readonly #highWater: HighWater;
  readonly #publisher: OutboxPublisher;
  /** What the writers of this ownership's saves begin with. */
  readonly #ownWriter: string;
  readonly #actors = new Map<string, Activation>();
  readonly #dirtyEager = new Set<Activation>();
  readonly #dirtyLazy = new Set<Activation>();
  /** When what lazy actors have unsaved is saved. */
  #lazyDueAt = 0;
  #sweptAt: number;

  constructor(
    parts: NodeDeps,
    partition: number,
    highWater: HighWater,
    publication: OutboxPublisher,
    ownWriter: string,
  ) {
    this.#deps = parts;
    this.#partition = partition;
    this.#highWater = highWater;
    this.#publisher = publication;
    this.#ownWriter = ownWriter;
    // Partitions take turns.
    this.#sweptAt = parts.clock.monotonic() + Math.floor((parts.tuning.idleMs * partition) / 1024);
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

  get sweepDueAt(): number {
    return this.#sweptAt + this.#deps.tuning.idleMs;
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
   * The next turn of this partition to save its lazy actors, at most `lazySaveMs` from now. Each partition keeps its own turn:
   * saves that wait for one sync, each for so long after its first message, would fall into step, and hold up all else at once.
   */
  #nextTurn(): number {
    const { clock, tuning } = this.#deps;
    const { lazySaveMs } = tuning;
    const turnMs = ((this.#partition % SAVE_TURNS) * lazySaveMs) / SAVE_TURNS;
    const now = clock.monotonic();
    return turnMs + (Math.floor((now - turnMs) / lazySaveMs) + 1) * lazySaveMs;
  }

  noteSaved(activations: readonly Activation[]): void {
    for (const activation of activations) {
      this.#dirtyEager.delete(activation);
      this.#dirtyLazy.delete(activation);
    }
  }

  /** An actor as the store has it, in the place of what the store can never have. It is in quarantine for as long as it is in memory. */
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
    restored.usedAtMs = this.#deps.clock.monotonic();
    restored.quarantined = reason;
    if (this.#actors.get(address)?.quarantined === null)
      this.#deps.metrics.quarantined.inc({ kind: kind.definition.kind });
    this.#actors.set(address, restored);
    return restored;
  }

  #forget({ address, kind, quarantined }: Activation): void {
    this.#actors.delete(address);
    if (quarantined !== null) this.#deps.metrics.quarantined.dec({ kind: kind.definition.kind });
  }

  clear(): void {
    for (const activation of this.#actors.values()) if (activation.quarantined !== null) this.#forget(activation);
    this.#actors.clear();
    this.#dirtyEager.clear();
    this.#dirtyLazy.clear();
  }

  /** Loads the actors of these messages that are not in memory. `read` is how far the log has been read. */
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
      activation.usedAtMs = this.#deps.clock.monotonic();
      this.#actors.set(activation.address, activation);
      loaded.push(activation);
    }
    await this.#publishLeftovers(loaded.filter(({ hasUnpublished }) => hasUnpublished));
  }

  /** Laws 5 and 8: whoever saved these may have died before publishing what they caused. */
  async #publishLeftovers(unpublished: readonly Activation[]): Promise<void> {
    if (unpublished.length === 0) return;
    const { brokenLaws } = this.#deps;
    const forgotten = unpublished.filter(({ kind }) =>
      brokenLaws.has(kind.lazy ? 'totals-resent-on-load' : 'outbox-published-on-load'),
    );
    for (const activation of forgotten) activation.forgetUnpublished();
    await this.#publisher.publish(unpublished.filter((activation) => !forgotten.includes(activation)));
  }

  /** Lets idle actors leave memory; those that hold something yet are saved first and leave next time (law 7). */
  sweep(): void {
    const { clock, tuning, brokenLaws } = this.#deps;
    const now = clock.monotonic();
    const crowded = this.#actors.size > tuning.maxActive && now - this.#sweptAt >= tuning.lazySaveMs;
    if (!crowded && now < this.sweepDueAt) return;
    this.#sweptAt = now;
    const idlest = [...this.#actors.values()].sort((a, b) => a.usedAtMs - b.usedAtMs);
    let excess = this.#actors.size - tuning.maxActive;
    for (const activation of idlest) {
      if (excess <= 0 && now - activation.usedAtMs < tuning.idleMs) break;
      excess--;
      if (activation.clean || brokenLaws.has('clean-passivation')) {
        this.#forget(activation);
        this.#dirtyLazy.delete(activation);
        this.#dirtyEager.delete(activation);
      } else if (!activation.dirty) {
        activation.dirty = true;
        this.noteDirty(activation);
      }
    }
  }
}
