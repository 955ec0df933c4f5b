import type { AcquiredPartition } from '../ports/leases.ts';
import type { LogEntry } from '../ports/log.ts';
import { comparePositions } from '../ports/position.ts';
import type { NodeDeps } from './node-deps.ts';
import { StaleLease } from './session-end.ts';

/** After the first death that is seen, so many messages are noted and handled together: where it was is then known to within these. */
const CAREFUL_BATCH_SIZE = 50;

/** What an owner notes beside the cursor. */
interface AttemptNote {
  /** The cursor from which the tries began. */
  readonly cursor: string;
  /** How many processes have begun there; 0: the last owner came to a proper end. */
  readonly owners: number;
  /** The first message in a reducer's hands; '' when none. */
  readonly inHand: string;
  /** How often a process has taken exactly that message in hand, by itself, and not come back. */
  readonly deaths: number;
  /** The last of the messages that were in hand when an owner ended, or are: '' when there are none. Releases up to 0.4 note none. */
  readonly until: string;
  /** Whose hands. */
  readonly by: string;
}

/**
 * Law 10: attempts are noted, durable, before anything is handled, so that whoever owns the partition next knows when a
 * message ends the processes that handle it. A takeover from an owner that came to no proper end begins with care: a few messages at a time
 * are noted and handled, for as many as an owner reads ahead. Those that were in hand when a process ended run one by one, and so do
 * all when several owners did not get past one cursor. A message that was in hand by itself when several processes ended is given up.
 */
export class DeliveryAttempts {
  readonly #deps: NodeDeps;
  readonly #acquired: AcquiredPartition;
  #note: AttemptNote;
  /** Messages up to here were in the hands of an owner that came to no proper end. */
  #suspectsUntil = '';
  /** So many messages are handled with care at least. */
  #carefulMessagesLeft = 0;

  constructor(parts: NodeDeps, acquired: AcquiredPartition) {
    this.#deps = parts;
    this.#acquired = acquired;
    this.#note = parse(acquired.note, acquired.cursor);
  }

  /** Notes that an owner begins; `counts` when that is a process's first time here. */
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

  /** Whether messages are handled with care: several have tried, and what ended them may still be ahead. */
  careful(committed: string): boolean {
    return this.#carefulMessagesLeft > 0 || this.#stuck(committed);
  }

  /** How many of those read are to be handled together. */
  batchSize(read: readonly LogEntry[], committed: string): number {
    const { batchSize } = this.#deps.tuning;
    if (!this.careful(committed)) return batchSize;
    const [first] = read;
    const suspect = first && this.#suspectsUntil !== '' && comparePositions(first.position, this.#suspectsUntil) <= 0;
    return suspect || this.#stuck(committed) ? 1 : Math.min(CAREFUL_BATCH_SIZE, batchSize);
  }

  /** Several processes did not get past this cursor. */
  #stuck(committed: string): boolean {
    return this.#note.owners > this.#deps.tuning.carefulAfter && committed === this.#acquired.cursor;
  }

  /** Notes that these messages are taken in hand together. `committed` as below. */
  async beginBatch(entries: readonly LogEntry[], committed: string): Promise<void> {
    this.#carefulMessagesLeft -= entries.length;
    const [inHand, until] = [entries[0]!.position, entries[entries.length - 1]!.position];
    const owners = this.#ownersAt(committed);
    await this.#keep({ cursor: committed, owners, inHand, until, deaths: 0, by: this.#acquired.lease.owner });
  }

  /**
   * Notes that the message at `position` is taken in hand; answers why it must be given up instead, or null. `committed`
   * is the cursor by now, no commit being under way: whoever comes next believes a note only at the cursor it names.
   */
  async beginAttempt(position: string, committed: string): Promise<string | null> {
    const { inHand, deaths, by } = this.#note;
    const { owner } = this.#acquired.lease;
    this.#carefulMessagesLeft--;
    // Others have survived it: noting it would forget how often the one after it has ended a process.
    if (inHand !== '' && comparePositions(position, inHand) < 0) return null;
    const taken = inHand === position ? deaths : 0;
    // A session of this process came to its end with it in hand, and not the process: an outage is no message's doing.
    const again = by === owner ? Math.max(0, taken - 1) : taken;
    if (again >= this.#deps.tuning.parkAfterDeaths) return `${again} processes ended while handling it`;
    await this.#keep({
      cursor: committed,
      owners: this.#ownersAt(committed),
      inHand: position,
      until: this.#suspectsAfter(position) || position,
      deaths: again + 1,
      by: owner,
    });
    return null;
  }

  /** How many owners have begun at this cursor: past the one that was acquired nobody has yet but this one, which works its way on. */
  #ownersAt(committed: string): number {
    return committed === this.#acquired.cursor ? this.#note.owners : Math.min(1, this.#note.owners);
  }

  /** The last suspect, if it is still ahead. */
  #suspectsAfter(position: string): string {
    const until = this.#suspectsUntil;
    return until !== '' && comparePositions(position, until) < 0 ? until : '';
  }

  /** Notes that no process ended while handling the message at `position`: a later end is not its doing. */
  async recordSurvival(position: string): Promise<void> {
    // What was taken together need not be forgotten: at the next cursor the note is not believed.
    if (this.#note.inHand === position)
      await this.#keep({ ...this.#note, inHand: '', until: this.#suspectsAfter(position), deaths: 0 });
  }

  /** A proper end is no try that failed. */
  async end(committed: string): Promise<void> {
    await this.#keep({ cursor: committed, owners: 0, inHand: '', deaths: 0, until: '', by: '' });
  }

  async #keep(note: AttemptNote): Promise<void> {
    this.#note = note;
    const text = JSON.stringify([note.cursor, note.owners, note.inHand, note.deaths, note.until, note.by]);
    if (!(await this.#deps.provider.leases.note(this.#acquired.lease, text))) throw new StaleLease('note');
  }
}

function parse(note: string, cursor: string): AttemptNote {
  const none = { cursor, owners: 0, inHand: '', deaths: 0, until: '', by: '' };
  if (note === '') return none;
  const [notedCursor, owners, inHand, deaths, until = inHand, by = ''] = JSON.parse(note);
  return notedCursor === cursor ? { cursor, owners, inHand, deaths, until, by } : none;
}

/** Whether the owner before neither handed over nor was the first: it died, or lost its store or its lease. Wherever its cursor was. */
function endedUncleanly(note: string): boolean {
  return note !== '' && JSON.parse(note)[1] > 0;
}
