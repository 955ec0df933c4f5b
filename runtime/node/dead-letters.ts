import type { DeadLetter } from '../ports/store.ts';
import { decodeEnvelope, encodeEnvelope } from './envelope.ts';
import type { NodeParts } from './node-parts.ts';

/** Replays are remembered together, in an hour of issue that nothing else is remembered under, for good. */
const REPLAYS = { bucketMs: 0, expiresAtMs: Date.UTC(9999, 0) };

/** Messages that no reducer could handle: to look at, and to send again once the reason is mended. */
export class DeadLetters {
  readonly #parts: NodeParts;

  constructor(parts: NodeParts) {
    this.#parts = parts;
  }

  /** Oldest first by id; `after` is the last id of the page before. */
  list(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]> {
    return this.#parts.store.deadLetters(options);
  }

  /**
   * Sends the parked message again, once: the log knows a repetition of this call. (The receiver may not: for kinds with
   * one actor a day it is another actor tomorrow.) False when there is no such letter.
   */
  async replay(id: string): Promise<boolean> {
    const { store, kinds, provider, clock } = this.#parts;
    const letter = await store.deadLetter(id);
    if (!letter) return false;
    const { to, type, body } = decodeEnvelope(letter.payload);
    const payload = encodeEnvelope({ to, type, body });
    await provider.log.appendOnce(kinds.partitionOf(to), [{ id: `dead-letter/${id}`, ...REPLAYS, payload }]);
    await store.markReplayed(id, clock.now());
    return true;
  }
}
