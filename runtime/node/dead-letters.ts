import type { IdempotencyKey } from '../ports/log.ts';
import type { DeadLetter, DiscardDecision } from '../ports/store.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';

const NEVER_MS = Date.UTC(9999, 0);

/** Replays are remembered together, in an hour of issue that nothing else is remembered under, for good. */
function replayKeyOf(letterId: string): IdempotencyKey {
  return { id: `dead-letter/${letterId}`, bucketMs: 0 };
}

/** What has become of a letter, by this call or one before it; `absent`: there is no such letter. */
export type DeadLetterOutcome = 'replayed' | 'discarded' | 'absent';

/** Messages that no reducer could handle: to look at, and to send again once the reason is mended, or to discard. */
export class DeadLetters {
  readonly #deps: NodeDeps;

  constructor(parts: NodeDeps) {
    this.#deps = parts;
  }

  /** Oldest first by id; `after` is the last id of the page before. */
  list(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]> {
    return this.#deps.store.deadLetters(options);
  }

  /**
   * Sends the parked message again, once, unless it was discarded: the log knows a repetition of this call. (The receiver may
   * not: for kinds with one actor a day it is another actor tomorrow.) `unreadable`: it names nobody, and is left as it was.
   */
  async replay(id: string): Promise<DeadLetterOutcome | 'unreadable'> {
    const { store, kinds, provider, clock } = this.#deps;
    const letter = await store.deadLetter(id);
    if (!letter) return 'absent';
    const envelope = readEnvelope(letter.payload);
    // Before it is decided that it is replayed: nobody could discard it then.
    if (envelope === null) return letter.discarded === undefined ? 'unreadable' : 'discarded';
    if ((await this.#decide(letter, 'replayed')) === 'discarded') return 'discarded';
    // The log may have forgotten it: one that was lost knows no ids.
    if (letter.replayedAtMs !== null) return 'replayed';
    const { to, type, body } = envelope;
    const payload = encodeEnvelope({ to, type, body });
    await provider.log.appendOnce(kinds.partitionOf(to), [{ ...replayKeyOf(id), payload, expiresAtMs: NEVER_MS }]);
    await store.markReplayed(id, clock.now());
    return 'replayed';
  }

  /** The parked message is never to be handled, unless it was replayed. Who says so first is remembered. */
  async discard(id: string, discarded: Omit<DiscardDecision, 'atMs'>): Promise<DeadLetterOutcome> {
    const { store, clock, logger } = this.#deps;
    const letter = await store.deadLetter(id);
    if (!letter) return 'absent';
    const fate = (await this.#wasSent(letter)) ? 'replayed' : 'discarded';
    if ((await this.#decide(letter, fate)) === 'replayed') {
      // Who decided that may not have lived to send it, or to say so: what holds statements would hold them until it is replayed again.
      await this.replay(id);
      return 'replayed';
    }
    await store.markDiscarded(id, { atMs: clock.now(), by: discarded.by, why: discarded.why });
    logger.warn({ letter: id, to: letter.to, type: letter.type, ...discarded }, 'a parked message was discarded');
    return 'discarded';
  }

  /** By an older release, perhaps, which died before it could say so. */
  async #wasSent({ id, payload }: DeadLetter): Promise<boolean> {
    const envelope = readEnvelope(payload);
    if (envelope === null) return false;
    const { kinds, provider } = this.#deps;
    const [sent] = await provider.log.remembers(kinds.partitionOf(envelope.to), [replayKeyOf(id)]);
    return sent === true;
  }

  /** A letter is replayed or discarded, whoever decides at the same time: which, is kept before anything comes of it. */
  async #decide({ id, replayedAtMs }: DeadLetter, fate: 'replayed' | 'discarded'): Promise<string> {
    // Older releases wrote it down afterwards alone.
    if (replayedAtMs !== null) return 'replayed';
    return this.#deps.store.putIfAbsent(`dead-letter/${id}`, fate);
  }
}

function readEnvelope(payload: string): Envelope | null {
  try {
    return decodeEnvelope(payload);
  } catch {
    return null;
  }
}
