import { Complaints } from '../actor/complaints.ts';
import type { DeadLetter } from '../ports/store.ts';
import type { Activation, PendingReply } from './activation.ts';
import type { LogMessage } from './bundle.ts';
import { deadLetterId } from './dead-letter-id.ts';
import type { Envelope } from './envelope.ts';
import type { NodeDeps } from './node-deps.ts';
import { encodeReply } from './pending-asks.ts';

/**
 * Upper bound of the dead letters for one save, in characters of their messages: an actor's document holds them until
 * then, and may take 16 MiB in all.
 */
const MOST_WAITING = 4 * 1_048_576;

/**
 * Messages of one partition that no reducer could handle, on their way to the dead letters (law 10). A message for an
 * actor becomes a dead letter through the actor's outbox: the dead letter exists if, and only if, the saved state
 * covers the message unhandled. If it were parked first, a node that dies before that state is saved could leave the
 * message to a release that can handle it, and the dead letter could be replayed as well.
 */
export class PendingDeadLetters {
  readonly #deps: NodeDeps;
  readonly #partition: number;
  readonly #complaints: Complaints;
  /** The dead letters that no state covers. */
  #deadLetters: DeadLetter[] = [];
  #covered = false;
  /** The number of characters of the messages that actors cover. */
  #coveredLength = 0;
  #replies: PendingReply[] = [];

  constructor(deps: NodeDeps, partition: number) {
    this.#deps = deps;
    this.#partition = partition;
    this.#complaints = new Complaints(deps);
  }

  /** Whether dead letters wait to be stored. */
  get waiting(): boolean {
    return this.#deadLetters.length > 0 || this.#covered;
  }

  /** Whether the waiting dead letters must be saved before more are added. */
  get full(): boolean {
    return this.#coveredLength >= MOST_WAITING;
  }

  /** Adds a message without a known actor. */
  add(entry: LogMessage, envelope: Envelope, reason: string): void {
    this.#deadLetters.push(this.#deadLetterOf(entry, envelope, reason));
  }

  /** Adds a message to this actor, which covers it unless not even that can be saved. */
  addFor(activation: Activation, entry: LogMessage, envelope: Envelope, reason: string): void {
    const deadLetter = this.#deadLetterOf(entry, envelope, reason, activation.quarantined !== null);
    if (activation.uncoverable) {
      this.#deadLetters.push(deadLetter);
      return;
    }
    activation.park(deadLetter);
    this.#covered = true;
    this.#coveredLength += entry.payload.length;
  }

  /** Of an actor in quarantine every message is parked: it is logged once a minute. */
  #deadLetterOf(entry: LogMessage, { to, type, ask }: Envelope, reason: string, inQuarantine = false): DeadLetter {
    const { clock, metrics, logger, logName } = this.#deps;
    const partition = this.#partition;
    const { position, payload, index } = entry;
    const id = deadLetterId(logName, { partition, position, index });
    const deadLetter = {
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
    const fields = { partition, position, to, type, reason };
    if (inQuarantine) this.#complaints.error(fields, 'a message to an actor in quarantine was parked', to);
    else logger.error(fields, 'a message was parked');
    return deadLetter;
  }

  /** Logs how many messages were parked that were not logged one by one. */
  close(): void {
    this.#complaints.close();
  }

  /** Removes and returns the waiting dead letters. Parking one twice has no effect. */
  takeDeadLetters(): DeadLetter[] {
    const deadLetters = this.#deadLetters;
    this.#deadLetters = [];
    this.#covered = false;
    this.#coveredLength = 0;
    return deadLetters;
  }

  /** Removes and returns the replies to parked asks, which may be sent once the dead letters are durable. */
  takeReplies(): PendingReply[] {
    const replies = this.#replies;
    this.#replies = [];
    return replies;
  }
}
