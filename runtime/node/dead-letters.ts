import type { DeadLetter, Discarding } from '../ports/store.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope } from './envelope.ts';
import type { NodeParts } from './node-parts.ts';

/** Replays are remembered together, in an hour of issue that nothing else is remembered under, for good. */
const REPLAYS = { bucketMs: 0, expiresAtMs: Date.UTC(9999, 0) };

/** What has become of a letter, by this call or one before it; `absent`: there is no such letter. */
export type Fate = 'replayed' | 'discarded' | 'absent';

/** Messages that no reducer could handle: to look at, and to send again once the reason is mended, or to discard. */
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
   * Sends the parked message again, once, unless it was discarded: the log knows a repetition of this call. (The receiver may
   * not: for kinds with one actor a day it is another actor tomorrow.) `unreadable`: it names nobody, and is left as it was.
   */
  async replay(id: string): Promise<Fate | 'unreadable'> {
    const { store, kinds, provider, clock } = this.#parts;
    const letter = await store.deadLetter(id);
    if (!letter) return 'absent';
    const envelope = readEnvelope(letter.payload);
    // Before it is decided that it is replayed: nobody could discard it then.
    if (envelope === null) return letter.discarded === undefined ? 'unreadable' : 'discarded';
    if ((await this.#decide(letter, 'replayed')) === 'discarded') return 'discarded';
    const { to, type, body } = envelope;
    const payload = encodeEnvelope({ to, type, body });
    await provider.log.appendOnce(kinds.partitionOf(to), [{ id: `dead-letter/${id}`, ...REPLAYS, payload }]);
    await store.markReplayed(id, clock.now());
    return 'replayed';
  }

  /** The parked message is never to be handled, unless it was replayed. Who says so first is remembered. */
  async discard(id: string, discarded: Omit<Discarding, 'atMs'>): Promise<Fate> {
    const { store, clock, logger } = this.#parts;
    const letter = await store.deadLetter(id);
    if (!letter) return 'absent';
    if ((await this.#decide(letter, 'discarded')) === 'replayed') return 'replayed';
    await store.markDiscarded(id, { atMs: clock.now(), by: discarded.by, why: discarded.why });
    logger.warn({ letter: id, to: letter.to, type: letter.type, ...discarded }, 'a parked message was discarded');
    return 'discarded';
  }

  /** A letter is replayed or discarded, whoever decides at the same time: which, is kept before anything comes of it. */
  async #decide({ id, replayedAtMs }: DeadLetter, fate: 'replayed' | 'discarded'): Promise<string> {
    // Older releases did not write down what they decided.
    if (replayedAtMs !== null) return 'replayed';
    return this.#parts.store.settle(`dead-letter/${id}`, fate);
  }
}

function readEnvelope(payload: string): Envelope | null {
  try {
    return decodeEnvelope(payload);
  } catch {
    return null;
  }
}
