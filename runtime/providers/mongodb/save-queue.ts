import { StoreUnavailable } from '../../ports/errors.ts';
import type { SaveOutcome } from '../../ports/store.ts';
import type { DocumentAtRest } from './document-at-rest.ts';

/** One document on its way; exactly one of the two is called, once. */
export interface PendingSave {
  readonly document: DocumentAtRest;
  /** What it comes to, about. */
  readonly bytes: number;
  /** When it was asked for, on the monotonic clock, ms. */
  readonly askedAtMs: number;
  resolve(outcome: SaveOutcome): void;
  reject(error: StoreUnavailable): void;
}

export interface SaveLimits {
  /** Most documents in one command. */
  readonly writeBatch: number;
  /** A command takes no further document once it has so many bytes. */
  readonly writeBytes: number;
  /** Most commands under way at the same time. */
  readonly writeConcurrency: number;
  /** A save is not sent any more when for so long, ms, no command was answered that it has waited for. */
  readonly patienceMs: number;
}

/**
 * Gathers the saves of many callers into few commands: what comes while all commands are under way goes with the next.
 *
 * One document is in at most one command at a time, since a command tells how many of its documents it wrote but not
 * which: two versions of one document in flight could not be told apart afterwards.
 *
 * However much waits, it is sent for as long as the server answers: the time that one command has is no limit for all of them.
 */
export class SaveQueue {
  readonly #limits: SaveLimits;
  readonly #write: (kind: string, saves: readonly PendingSave[]) => Promise<boolean>;
  /** By kind, in the order of arrival; the kinds in the order of their turn. */
  readonly #waiting = new Map<string, PendingSave[]>();
  /** `kind/id` of every document in a command under way. */
  readonly #busy = new Set<string>();
  #underWay = 0;
  #scheduled = false;
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  /** `write` settles every save that it is given, never rejects, and tells whether the server answered. */
  constructor(limits: SaveLimits, write: (kind: string, saves: readonly PendingSave[]) => Promise<boolean>) {
    this.#limits = limits;
    this.#write = write;
  }

  add(kind: string, save: PendingSave): void {
    const waiting = this.#waiting.get(kind);
    if (waiting) waiting.push(save);
    else this.#waiting.set(kind, [save]);
    this.#schedule();
  }

  /** Once per turn of the event loop, so that everything said in this turn goes together. */
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
    const taken: PendingSave[] = [];
    const left: PendingSave[] = [];
    const { writeBatch, writeBytes, patienceMs } = this.#limits;
    const now = performance.now();
    let bytes = 0;
    for (const save of this.#waiting.get(kind) ?? []) {
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
    // To the end of the line, so that no kind keeps the others waiting.
    this.#waiting.delete(kind);
    if (left.length > 0) this.#waiting.set(kind, left);
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
