import { type DeadLetterDecision, deadLetterDecisionName } from '../actor/dead-letter-decision.ts';
import type { IdempotencyKey } from '../ports/log.ts';
import type { DeadLetter, DiscardDecision } from '../ports/store.ts';
import { logOfDeadLetter } from './dead-letter-id.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';

const NEVER_MS = Date.UTC(9999, 0);

/** The idempotency key of a replay. All replays are in a bucket of their own, which is never forgotten. */
function replayKeyOf(deadLetterId: string): IdempotencyKey {
  return { id: `dead-letter/${deadLetterId}`, bucketMs: 0 };
}

/** The outcome for a dead letter, by this call or an earlier one; `absent`: there is no such dead letter. */
export type DeadLetterOutcome = DeadLetterDecision | 'absent';

/** The messages that no reducer could handle: lists them, and replays or discards them once the cause is fixed. */
export class DeadLetters {
  readonly #deps: NodeDeps;

  constructor(deps: NodeDeps) {
    this.#deps = deps;
  }

  /** Lists dead letters in order of their ids; `after` is the last id of the previous page. */
  list(options: { readonly limit: number; readonly after?: string }): Promise<DeadLetter[]> {
    return this.#deps.store.deadLetters(options);
  }

  /**
   * Sends the parked message again, once, unless it was discarded: the log recognises a repetition of this call. (The
   * receiver may not: for kinds with one actor per day another actor receives it tomorrow.) `unreadable`: the message
   * names no receiver, and is left unchanged. `foreign`: it comes from another log, and is left unchanged too:
   * positions of two logs cannot be compared, so an actor has messages of one.
   */
  async replay(id: string): Promise<DeadLetterOutcome | 'unreadable' | 'foreign'> {
    const { store, kinds, provider, clock, logName } = this.#deps;
    const deadLetter = await store.deadLetter(id);
    if (!deadLetter) return 'absent';
    if (logOfDeadLetter(id) !== logName) return deadLetter.discarded === undefined ? 'foreign' : 'discarded';
    const envelope = readEnvelope(deadLetter.payload);
    // This check comes before the decision to replay, which would prevent a later discard.
    if (envelope === null) return deadLetter.discarded === undefined ? 'unreadable' : 'discarded';
    if ((await this.#decide(deadLetter, 'replayed')) === 'discarded') return 'discarded';
    // The check does not rely on the log, because a log that was lost remembers no ids.
    if (deadLetter.replayedAtMs !== null) return 'replayed';
    const { to, type, body } = envelope;
    const payload = encodeEnvelope({ to, type, body });
    await provider.log.appendOnce(kinds.partitionOf(to), [{ ...replayKeyOf(id), payload, expiresAtMs: NEVER_MS }]);
    await store.markReplayed(id, clock.now());
    return 'replayed';
  }

  /** Decides that the parked message is never handled, unless it was replayed. The first decision is stored. */
  async discard(id: string, discarded: Omit<DiscardDecision, 'atMs'>): Promise<DeadLetterOutcome> {
    const { store, clock, logger } = this.#deps;
    const deadLetter = await store.deadLetter(id);
    if (!deadLetter) return 'absent';
    const decision = (await this.#wasSent(deadLetter)) ? 'replayed' : 'discarded';
    if ((await this.#decide(deadLetter, decision)) === 'replayed') {
      // The process that decided to replay may have died before it sent the message or recorded it, and statements wait
      // for dead letters until they are replayed.
      await this.replay(id);
      return 'replayed';
    }
    await store.markDiscarded(id, { atMs: clock.now(), by: discarded.by, why: discarded.why });
    logger.warn(
      { deadLetter: id, to: deadLetter.to, type: deadLetter.type, ...discarded },
      'a parked message was discarded',
    );
    return 'discarded';
  }

  /** Whether the message was sent, perhaps by an older release that died before it could record it. */
  async #wasSent({ id, payload }: DeadLetter): Promise<boolean> {
    const envelope = readEnvelope(payload);
    if (envelope === null) return false;
    const { kinds, provider } = this.#deps;
    const [sent] = await provider.log.remembers(kinds.partitionOf(envelope.to), [replayKeyOf(id)]);
    return sent === true;
  }

  /**
   * Decides once whether a dead letter is replayed or discarded, also among concurrent callers: the decision is stored
   * before it takes effect.
   */
  async #decide({ id, replayedAtMs }: DeadLetter, decision: DeadLetterDecision): Promise<string> {
    // Older releases recorded a replay only afterwards.
    if (replayedAtMs !== null) return 'replayed';
    return this.#deps.store.putIfAbsent(deadLetterDecisionName(id), decision);
  }
}

function readEnvelope(payload: string): Envelope | null {
  try {
    return decodeEnvelope(payload);
  } catch {
    return null;
  }
}
