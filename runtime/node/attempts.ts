import type { Acquired } from '../ports/leases.ts';
import { comparePositions } from '../ports/position.ts';
import type { NodeParts } from './node-parts.ts';
import { StaleLease } from './session-end.ts';

/** What an owner notes beside the cursor. */
interface Note {
  /** The cursor from which the tries began. */
  readonly cursor: string;
  /** How many processes have begun there. */
  readonly owners: number;
  /** The message in a reducer's hands, when messages run one by one; '' when none. */
  readonly inHand: string;
  /** How often a process has taken exactly that message in hand and not come back. */
  readonly deaths: number;
}

/**
 * Law 10: attempts are noted, durable, before anything is handled, so that whoever owns the partition next knows when a
 * message ends the processes that handle it. After a few attempts at one cursor messages run one by one, until the
 * cursor has moved and for as many as an owner reads ahead; a message that was in hand when several processes ended is
 * given up.
 */
export class Attempts {
  readonly #parts: NodeParts;
  readonly #acquired: Acquired;
  #note: Note;
  /** So many messages run one by one at least. */
  #left = 0;

  constructor(parts: NodeParts, acquired: Acquired) {
    this.#parts = parts;
    this.#acquired = acquired;
    this.#note = parse(acquired.note, acquired.cursor);
  }

  /** Notes that an owner begins; `counts` when that is a process's first time here. */
  async begin(counts: boolean): Promise<void> {
    const { owners } = this.#note;
    await this.#keep({ ...this.#note, owners: counts ? owners + 1 : owners });
    const { carefulAfter, readAhead } = this.#parts.tuning;
    if (this.#note.owners <= carefulAfter) return;
    this.#left = readAhead;
    const { partition } = this.#acquired.lease;
    const { cursor } = this.#note;
    this.#parts.logger.warn({ partition, cursor, owners }, 'messages run one by one: earlier owners did not get past');
  }

  /** Whether messages run one by one: several have tried, and what ended them may still be ahead. */
  careful(committed: string): boolean {
    const { owners } = this.#note;
    return this.#left > 0 || (owners > this.#parts.tuning.carefulAfter && committed === this.#acquired.cursor);
  }

  /**
   * Notes that the message at `position` is taken in hand; answers why it must be given up instead, or null. `committed`
   * is the cursor by now, no commit being under way: whoever comes next believes a note only at the cursor it names.
   */
  async takeInHand(position: string, committed: string): Promise<string | null> {
    const { inHand, deaths } = this.#note;
    this.#left--;
    // Others have survived it: noting it would forget how often the one after it has ended a process.
    if (inHand !== '' && comparePositions(position, inHand) < 0) return null;
    const again = inHand === position ? deaths : 0;
    if (again >= this.#parts.tuning.parkAfterDeaths) return `${again} processes ended while handling it`;
    await this.#keep({ ...this.#note, cursor: committed, inHand: position, deaths: again + 1 });
    return null;
  }

  /** Notes that no process ended while handling the message at `position`: a later end is not its doing. */
  async survived(position: string): Promise<void> {
    if (this.#note.inHand === position) await this.#keep({ ...this.#note, inHand: '', deaths: 0 });
  }

  /** A proper end is no try that failed. */
  async end(committed: string): Promise<void> {
    await this.#keep({ cursor: committed, owners: 0, inHand: '', deaths: 0 });
  }

  async #keep(note: Note): Promise<void> {
    this.#note = note;
    const text = JSON.stringify([note.cursor, note.owners, note.inHand, note.deaths]);
    if (!(await this.#parts.provider.leases.note(this.#acquired.lease, text))) throw new StaleLease('note');
  }
}

function parse(note: string, cursor: string): Note {
  const none = { cursor, owners: 0, inHand: '', deaths: 0 };
  if (note === '') return none;
  const [notedCursor, owners, inHand, deaths] = JSON.parse(note);
  return notedCursor === cursor ? { cursor, owners, inHand, deaths } : none;
}
