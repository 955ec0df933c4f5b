import type { LogEntry } from '../ports/log.ts';
import type { DeadLetter } from '../ports/store.ts';
import type { PendingReply } from './activation.ts';
import { encodeReply } from './asks.ts';
import type { Envelope } from './envelope.ts';
import type { NodeParts } from './node-parts.ts';

/** Messages of one partition that no reducer could handle, on their way to the dead letters (law 10). */
export class Parking {
  readonly #parts: NodeParts;
  readonly #partition: number;
  #letters: DeadLetter[] = [];
  #replies: PendingReply[] = [];

  constructor(parts: NodeParts, partition: number) {
    this.#parts = parts;
    this.#partition = partition;
  }

  /** Whether letters wait to be made durable. */
  get waiting(): boolean {
    return this.#letters.length > 0;
  }

  add(entry: LogEntry, { to, type, ask }: Envelope, reason: string): void {
    const { clock, metrics, logger } = this.#parts;
    const partition = this.#partition;
    const { position, payload } = entry;
    const id = `${partition}:${position}`;
    this.#letters.push({
      id,
      partition,
      position,
      to,
      type,
      payload,
      reason,
      parkedAtMs: clock.now(),
      replayedAtMs: null,
    });
    if (ask) this.#replies.push({ replyTo: ask.replyTo, payload: encodeReply(ask.askId, { parked: reason }) });
    metrics.deadLetters.inc({ kind: to.slice(0, Math.max(0, to.indexOf('/'))) });
    logger.error({ partition, position, to, type, reason }, 'a message was parked');
  }

  /** Takes the waiting letters; parking one twice is once. */
  takeLetters(): DeadLetter[] {
    const letters = this.#letters;
    this.#letters = [];
    return letters;
  }

  /** Takes the answers to parked asks: they may leave once the letters are durable. */
  takeReplies(): PendingReply[] {
    const replies = this.#replies;
    this.#replies = [];
    return replies;
  }
}
