import type { RootDatabase } from 'lmdb';

/** A participant that shares transactions through a {@link CommitGroup}. */
export interface Participant {
  /** Called when the group is complete: puts what was gathered for it. Must not throw. */
  seal?(): void;
  /** Called when everything that the group put is on disk and visible. */
  durable(): void;
  /**
   * Called when nothing that the group put is on disk: the participant drops it and reads the affected memory again.
   */
  lost(): void;
}

/** The constructor of the error that a failed write rejects with; `cause` is the disk's own error. */
export type Unavailable = new (message: string, options?: ErrorOptions) => Error;

interface Write {
  readonly apply: () => unknown;
  readonly unavailable: Unavailable;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes that take longer than this wait for the next group, so that the event loop serves other work, ms. */
const TURN_MS = 20;
/**
 * A disk that has not answered at so many looks counts as hanging for the rest of this process. Time in which the
 * process stood still, or was suspended with its machine, is one look, however long: the disk may have answered
 * meanwhile.
 */
const LOOKS = 15;
const LOOK_EVERY_MS = 1_000;

/**
 * Group commit: all writes that come in one turn of the event loop, or while another group is on its way to disk, share
 * one transaction and one sync. One group commits at a time, so a group reads everything that was ever put before it.
 *
 * The environment is opened without overlapping sync: the promise of a put then resolves after the sync, and rejects
 * when the commit failed (with overlapping sync a failure leaves `flushed` pending for ever).
 */
export class CommitGroup {
  readonly #environment: Pick<RootDatabase, 'batch'>;
  readonly #lookEveryMs: number;
  readonly #participants: Participant[] = [];
  #gathering: Write[] = [];
  #scheduled = false;
  #committing: Promise<void> = Promise.resolve();
  #refusal: Error | undefined;
  #hangs = false;

  constructor(environment: Pick<RootDatabase, 'batch'>, lookEveryMs = LOOK_EVERY_MS) {
    this.#environment = environment;
    this.#lookEveryMs = lookEveryMs;
  }

  join(participant: Participant): void {
    this.#participants.push(participant);
  }

  /** The reason why no write can succeed any more: the group is closed or given up, or the disk hangs. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  /**
   * Runs `apply` as a part of the next group, in the order of the calls; it may read and put, synchronously. Resolves
   * with its result once that group is on disk. When `apply` throws, it must have changed nothing; the promise rejects
   * with its error. Rejects with `unavailable` when the commit fails: then nothing of the group took effect.
   */
  write<T>(apply: () => T, unavailable: Unavailable): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#refusal) return reject(new unavailable(this.#refusal.message, { cause: this.#refusal }));
      this.#gathering.push({ apply, unavailable, resolve: resolve as (value: never) => void, reject });
      this.#schedule();
    });
  }

  /** Refuses further writes, and resolves when everything written before has ended: with false when the disk hangs. */
  async close(): Promise<boolean> {
    this.#refusal ??= new Error('the data folder is closed');
    while (this.#scheduled) await this.#committing.then(() => new Promise(setImmediate));
    return !this.#hangs;
  }

  /**
   * Refuses all further writes, and those that wait, because of `reason`. The group that is on its way to disk is not
   * held.
   */
  giveUp(reason: Error): void {
    this.#refusal ??= reason;
    for (const { unavailable, reject } of this.#gathering.splice(0)) {
      reject(new unavailable(reason.message, { cause: reason }));
    }
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#committing = this.#commit().then(() => {
        this.#scheduled = false;
        if (this.#gathering.length > 0) this.#schedule();
      });
    });
  }

  async #commit(): Promise<void> {
    const writes = this.#gathering;
    this.#gathering = [];
    const results: unknown[] = [];
    try {
      await this.#onDisk(() => {
        const began = performance.now();
        for (let at = 0; at < writes.length; at++) {
          if (at % 16 === 15 && performance.now() - began > TURN_MS) {
            this.#gathering = writes.splice(at).concat(this.#gathering);
            break;
          }
          const write = writes[at]!;
          try {
            results[at] = write.apply();
          } catch (error) {
            write.reject(error);
          }
        }
        for (const participant of this.#participants) participant.seal?.();
      });
    } catch (error) {
      for (const participant of this.#participants) participant.lost();
      for (const { unavailable, reject } of writes) {
        reject(new unavailable('the disk did not take the write', { cause: error }));
      }
      return;
    }
    for (const participant of this.#participants) participant.durable();
    for (let at = 0; at < writes.length; at++) writes[at]!.resolve(results[at] as never);
  }

  async #onDisk(put: () => void): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let looks = 0;
    const late = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        looks += 1;
        if (looks < LOOKS) return;
        this.#hangs = true;
        this.#refusal = new Error(`the disk did not answer within ${LOOKS * this.#lookEveryMs} ms`);
        reject(this.#refusal);
      }, this.#lookEveryMs);
    });
    try {
      const committed = this.#environment.batch(put).catch(async (error: unknown) => {
        throw await rootCause(error);
      });
      await Promise.race([committed, late]);
    } finally {
      clearInterval(timer);
    }
  }
}

/**
 * Reads the cause of a failed commit. lmdb passes it in a second promise, which must be awaited or it counts as
 * unhandled.
 */
async function rootCause(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: PromiseLike<never> };
  if (!commitError) return error;
  return commitError.then(
    () => error,
    (cause: unknown) => cause,
  );
}
