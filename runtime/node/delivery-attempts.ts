import type { AcquiredPartition } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import { comparePositions } from '../ports/position.ts';
import type { NodeDeps } from './node-deps.ts';
import { StaleLease } from './session-end.ts';

/**
 * After the first death of an owner, this many messages are noted and handled together, so that the message that caused
 * a later death is known to within this number.
 */
const CAREFUL_BATCH_SIZE = 50;

/** The note that an owner keeps beside the cursor. */
interface AttemptNote {
  /** The cursor at which the attempts began. */
  readonly cursor: string;
  /** The number of processes that have begun at this cursor; 0 when the last owner stopped properly. */
  readonly owners: number;
  /** The position of the first message that is being handled; '' when there is none. */
  readonly inHand: string;
  /** The number of processes that began to handle exactly that message, by itself, and died. */
  readonly deaths: number;
  /**
   * The last message that was being handled when an owner ended, or is being handled; '' when there is none. Releases
   * up to 0.4 do not note it.
   */
  readonly until: string;
  /** The owner that handles the messages. */
  readonly by: string;
}

/**
 * Law 10: attempts are noted durably before anything is handled, so that the next owner of the partition knows when a
 * message kills the processes that handle it. After a takeover from an owner that did not stop properly, messages are
 * handled with care: a few at a time are noted and handled, for as many as an owner reads ahead. Messages that were
 * being handled when a process ended are handled one by one, and so are all messages when several owners did not get
 * past one cursor. A message that was being handled by itself when several processes ended is given up.
 *
 * A message that ends processes is handled at the same time as messages of other partitions, which are then suspected
 * with it. A suspected message, in hand by itself when a process ended, is handled while no other partition of the node
 * handles any with care. So it is cleared unless it is the cause.
 */
export class DeliveryAttempts {
  readonly #deps: NodeDeps;
  readonly #acquired: AcquiredPartition;
  #note: AttemptNote;
  #kept: string | null = null;
  /** Messages up to this position were being handled by an owner that did not stop properly. */
  #suspectsUntil = '';
  /** At least this many messages are still to be handled with care. */
  #carefulMessagesLeft = 0;

  constructor(deps: NodeDeps, acquired: AcquiredPartition) {
    this.#deps = deps;
    this.#acquired = acquired;
    this.#note = parse(acquired.note, acquired.cursor);
  }

  /** The note that this owner has kept last; null when it has kept none. */
  get kept(): string | null {
    return this.#kept;
  }

  /** Notes that an owner begins; `counts` is true when this process begins here for the first time. */
  async begin(counts: boolean): Promise<void> {
    const { owners, inHand, until } = this.#note;
    const { partition } = this.#acquired.lease;
    const { carefulAfter, readAhead } = this.#deps.tuning;
    this.#suspectsUntil = until;
    const died = counts && endedUncleanly(this.#acquired.note);
    await this.#keep({ ...this.#note, owners: counts ? owners + 1 : owners });
    if (!died && until === '' && this.#note.owners <= carefulAfter) return;
    this.#carefulMessagesLeft = readAhead;
    const { cursor } = this.#note;
    const message = 'an earlier owner came to no proper end: messages are handled with care';
    this.#deps.logger.info({ partition, cursor, owners, inHand, until }, message);
  }

  /**
   * Whether messages are handled with care: several owners have tried, and the message that ended them may still be
   * ahead.
   */
  careful(committed: string): boolean {
    return this.#carefulMessagesLeft > 0 || this.#stuck(committed);
  }

  /** The number of read messages to handle together. */
  batchSize(read: readonly LogEntry[], committed: string): number {
    const { batchSize } = this.#deps.tuning;
    if (!this.careful(committed)) return batchSize;
    const [first] = read;
    const suspect = first && this.#suspectsUntil !== '' && comparePositions(first.position, this.#suspectsUntil) <= 0;
    return suspect || this.#stuck(committed) ? 1 : Math.min(CAREFUL_BATCH_SIZE, batchSize);
  }

  /** True when several processes did not get past this cursor. */
  #stuck(committed: string): boolean {
    return this.#note.owners > this.#deps.tuning.carefulAfter && committed === this.#acquired.cursor;
  }

  /** Notes that these messages are handled together. `committed` is the same as in {@link beginAttempt}. */
  async beginBatch(entries: readonly LogEntry[], committed: string): Promise<void> {
    this.#carefulMessagesLeft -= entries.length;
    const [inHand, until] = [entries[0]!.position, entries[entries.length - 1]!.position];
    const owners = this.#ownersAt(committed);
    await this.#keep({ cursor: committed, owners, inHand, until, deaths: 0, by: this.#acquired.lease.owner });
  }

  /**
   * Notes that the message at `position` is about to be handled. Resolves with the reason why it must be given up
   * instead, or null. `committed` is the current cursor, and no commit may be under way: the next owner believes a note
   * only at the cursor that it names.
   */
  async beginAttempt(position: string, committed: string): Promise<string | null> {
    const { inHand } = this.#note;
    const { owner } = this.#acquired.lease;
    this.#carefulMessagesLeft--;
    // Other owners have survived this message: noting it would lose the count of deaths of the message after it.
    if (inHand !== '' && comparePositions(position, inHand) < 0) return null;
    const previousDeaths = this.#previousDeaths(position);
    if (previousDeaths >= this.#deps.tuning.parkAfterDeaths)
      return `${previousDeaths} processes ended while handling it`;
    await this.#keep({
      cursor: committed,
      owners: this.#ownersAt(committed),
      inHand: position,
      until: this.#suspectsAfter(position) || position,
      deaths: previousDeaths + 1,
      by: owner,
    });
    return null;
  }

  /** The number of processes that ended while handling the message at `position` by itself. */
  #previousDeaths(position: string): number {
    const { inHand, deaths, by } = this.#note;
    const knownDeaths = inHand === position ? deaths : 0;
    // When a session of this process ended while handling the message, but the process did not, the cause is an outage
    // and not the message.
    return by === this.#acquired.lease.owner ? Math.max(0, knownDeaths - 1) : knownDeaths;
  }

  /**
   * Runs `work`, which handles these messages from their note to {@link recordSurvival}, in its turn among the node's
   * partitions.
   */
  inTurn(entries: readonly LogEntry[], committed: string, work: () => Promise<void>): Promise<void> {
    const { carefulTurns } = this.#deps;
    const [first] = entries;
    if (first === undefined || !this.careful(committed)) return work();
    const suspected = entries.length === 1 && this.#previousDeaths(first.position) > 0;
    return suspected ? carefulTurns.runAlone(work) : carefulTurns.run(work);
  }

  /**
   * The number of owners that have begun at this cursor. Past the acquired cursor only this owner has, and it makes
   * progress.
   */
  #ownersAt(committed: string): number {
    return committed === this.#acquired.cursor ? this.#note.owners : Math.min(1, this.#note.owners);
  }

  /** The last suspected message, if it is still ahead. */
  #suspectsAfter(position: string): string {
    const until = this.#suspectsUntil;
    return until !== '' && comparePositions(position, until) < 0 ? until : '';
  }

  /** Notes that no process ended while handling the message at `position`: it is not the cause of a later end. */
  async recordSurvival(position: string): Promise<void> {
    // A note of a batch need not be cleared: it is not believed at the next cursor.
    if (this.#note.inHand === position)
      await this.#keep({ ...this.#note, inHand: '', until: this.#suspectsAfter(position), deaths: 0 });
  }

  /** Notes that the owner stopped properly, which is not a failed attempt. */
  async end(committed: string): Promise<void> {
    await this.#keep({ cursor: committed, owners: 0, inHand: '', deaths: 0, until: '', by: '' });
  }

  async #keep(note: AttemptNote): Promise<void> {
    this.#note = note;
    const text = JSON.stringify([note.cursor, note.owners, note.inHand, note.deaths, note.until, note.by]);
    if (!(await this.#deps.provider.leases.note(this.#acquired.lease, text))) throw new StaleLease('note');
    this.#kept = text;
  }
}

function parse(note: string, cursor: string): AttemptNote {
  const none = { cursor, owners: 0, inHand: '', deaths: 0, until: '', by: '' };
  if (note === '') return none;
  const [notedCursor, owners, inHand, deaths, until = inHand, by = ''] = JSON.parse(note);
  return notedCursor === cursor ? { cursor, owners, inHand, deaths, until, by } : none;
}

/**
 * Whether the previous owner did not stop properly: it died, or lost its store or its lease, whatever its cursor was.
 * False for the first owner.
 */
function endedUncleanly(note: string): boolean {
  return note !== '' && JSON.parse(note)[1] > 0;
}
