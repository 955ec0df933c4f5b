import type { LogEntry } from '../ports/log.ts';
import type { DeadLetter } from '../ports/store.ts';
import type { Activation, PendingReply } from './activation.ts';
import type { Envelope } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';
import { encodeReply } from './pending-asks.ts';

/** Letters for one save, in characters of their messages: an actor's document holds them until then, and may take 16 MiB with all else. */
const MOST_WAITING = 4 * 1_048_576;

/**
 * Messages of one partition that no reducer could handle, on their way to the dead letters (law 10). What is for an actor goes there by
 * its outbox: the letter stands if, and only if, the state stands that covers the message unhandled. Were it parked first, a node that
 * dies before that state is saved could leave the message to a release that can handle it, and the letter to be replayed.
 */
export class PendingDeadLetters {
  readonly #deps: NodeDeps;
  readonly #partition: number;
  /** Of messages for nobody, which no state covers. */
  #deadLetters: DeadLetter[] = [];
  #covered = false;
  /** Characters of the messages that actors cover. */
  #coveredLength = 0;
  #replies: PendingReply[] = [];

  constructor(parts: NodeDeps, partition: number) {
    this.#deps = parts;
    this.#partition = partition;
  }

  /** Whether letters wait to be made durable. */
  get waiting(): boolean {
    return this.#deadLetters.length > 0 || this.#covered;
  }

  /** Whether what waits must be saved before more is added. */
  get full(): boolean {
    return this.#coveredLength >= MOST_WAITING;
  }

  /** A message that no actor has. */
  add(entry: LogEntry, envelope: Envelope, reason: string): void {
    this.#deadLetters.push(this.#deadLetterOf(entry, envelope, reason));
  }

  /** A message that this actor covers. */
  addFor(activation: Activation, entry: LogEntry, envelope: Envelope, reason: string): void {
    activation.park(this.#deadLetterOf(entry, envelope, reason));
    this.#covered = true;
    this.#coveredLength += entry.payload.length;
  }

  #deadLetterOf(entry: LogEntry, { to, type, ask }: Envelope, reason: string): DeadLetter {
    const { clock, metrics, logger } = this.#deps;
    const partition = this.#partition;
    const { position, payload } = entry;
    const id = `${partition}:${position}`;
    const letter = {
      id,
      partition,
      position,
      to,
      type,
      payload,
      reason,
      parkedAtMs: clock.now(),
      replayedAtMs: null,
    };
    if (ask) this.#replies.push({ replyTo: ask.replyTo, payload: encodeReply(ask.askId, { parked: reason }) });
    metrics.deadLetters.inc({ kind: to.slice(0, Math.max(0, to.indexOf('/'))) });
    logger.error({ partition, position, to, type, reason }, 'a message was parked');
    return letter;
  }

  /** Takes the waiting letters; parking one twice is once. */
  takeDeadLetters(): DeadLetter[] {
    const letters = this.#deadLetters;
    this.#deadLetters = [];
    this.#covered = false;
    this.#coveredLength = 0;
    return letters;
  }

  /** Takes the answers to parked asks: they may leave once the letters are durable. */
  takeReplies(): PendingReply[] {
    const replies = this.#replies;
    this.#replies = [];
    return replies;
  }
}
