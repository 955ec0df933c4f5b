import { StoreUnavailable } from '../../ports/errors.ts';
import type { SaveOutcome } from '../../ports/store.ts';
import type { DocumentAtRest } from './document-at-rest.ts';

/** One document to be saved. Exactly one of `resolve` and `reject` is called, once. */
export interface PendingSave {
  readonly document: DocumentAtRest;
  /** The approximate size of the document, bytes. */
  readonly bytes: number;
  /** When the save was requested, monotonic ms. */
  readonly askedAtMs: number;
  resolve(outcome: SaveOutcome): void;
  reject(error: StoreUnavailable): void;
}

export interface SaveLimits {
  /** The maximum number of documents in one command. */
  readonly writeBatch: number;
  /** A command takes no further document once it has this many bytes. */
  readonly writeBytes: number;
  /** The maximum number of commands under way at the same time. */
  readonly writeConcurrency: number;
  /** A save fails unsent when it has waited while no command was answered for this long, ms. */
  readonly patienceMs: number;
}

/**
 * Gathers the saves of many callers into few commands: saves that arrive while all commands are under way go with the
 * next.
 *
 * One document is in at most one command at a time, because a command returns how many of its documents it wrote but
 * not which: two versions of one document in flight could not be distinguished afterwards.
 *
 * However many saves wait, they are sent as long as the server answers: the deadline of one command does not limit all
 * of them.
 */
export class SaveQueue {
  readonly #limits: SaveLimits;
  readonly #write: (kind: string, saves: readonly PendingSave[]) => Promise<boolean>;
  /**
   * Waiting saves by kind, in the order of arrival; the kinds are in the order of their turns. A kind's list is an
   * object that stays, so that no table of the map that is out of use keeps saves (why: see `UnderWay`).
   */
  readonly #waiting = new Map<string, { saves: PendingSave[] }>();
  /** `kind/id` of every document in a command under way. */
  readonly #busy = new Set<string>();
  #underWay = 0;
  #scheduled = false;
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  /** `write` settles every save that it is given, never rejects, and resolves with whether the server answered. */
  constructor(limits: SaveLimits, write: (kind: string, saves: readonly PendingSave[]) => Promise<boolean>) {
    this.#limits = limits;
    this.#write = write;
  }

  add(kind: string, save: PendingSave): void {
    const waiting = this.#waiting.get(kind);
    if (waiting) waiting.saves.push(save);
    else this.#waiting.set(kind, { saves: [save] });
    this.#schedule();
  }

  /** Dispatches once per turn of the event loop, so that all saves of this turn go together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    for (const kind of [...this.#waiting.keys()]) {
      while (this.#underWay < this.#limits.writeConcurrency) {
        const saves = this.#take(kind);
        if (saves.length === 0) break;
        void this.#send(kind, saves);
      }
    }
  }

  #take(kind: string): PendingSave[] {
    const waiting = this.#waiting.get(kind)!;
    if (waiting.saves.length === 0) return [];
    const taken: PendingSave[] = [];
    const left: PendingSave[] = [];
    const { writeBatch, writeBytes, patienceMs } = this.#limits;
    const now = performance.now();
    let bytes = 0;
    for (const save of waiting.saves) {
      const key = `${kind}/${save.document._id}`;
      const sinceMs = Math.max(save.askedAtMs, this.#answeredAtMs);
      if (now - sinceMs >= patienceMs) save.reject(new StoreUnavailable('save: waited too long to be sent'));
      else if (taken.length >= writeBatch || bytes >= writeBytes || this.#busy.has(key)) left.push(save);
      else {
        bytes += save.bytes;
        this.#busy.add(key);
        taken.push(save);
      }
    }
    // The kind goes to the end of the queue, so that no kind delays the others.
    waiting.saves = left;
    this.#waiting.delete(kind);
    this.#waiting.set(kind, waiting);
    return taken;
  }

  async #send(kind: string, saves: readonly PendingSave[]): Promise<void> {
    this.#underWay += 1;
    if (await this.#write(kind, saves)) this.#answeredAtMs = performance.now();
    this.#underWay -= 1;
    for (const save of saves) this.#busy.delete(`${kind}/${save.document._id}`);
    this.#schedule();
  }
}
