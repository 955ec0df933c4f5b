import type { VirtualTime } from './virtual-time.ts';

interface WaitingRead {
  readonly tryAnswer: () => boolean;
}

/** The reads of a log server that wait for entries. */
export class WaitingReads {
  readonly #time: VirtualTime;
  #reads = new Set<WaitingRead>();

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /**
   * Answers with what `find` finds as soon as it is enough, and after `waitMs` with what there is. The returned
   * function ends the wait.
   */
  add<T>(find: () => T, enough: (found: T) => boolean, waitMs: number, answer: (found: T) => void): () => void {
    const found = find();
    if (enough(found) || waitMs <= 0) {
      answer(found);
      return () => {};
    }
    const read: WaitingRead = {
      tryAnswer: () => {
        const later = find();
        if (!enough(later)) return false;
        end(later);
        return true;
      },
    };
    const end = (value: T) => {
      if (!this.#reads.delete(read)) return;
      cancel();
      answer(value);
    };
    const cancel = this.#time.after(waitMs, 'read waits no longer', () => end(find()));
    this.#reads.add(read);
    return () => end(find());
  }

  /** Looks again for all of them. */
  wake(): void {
    for (const read of [...this.#reads]) read.tryAnswer();
  }

  /** Forgets all of them: they are never answered. */
  forget(): void {
    this.#reads = new Set();
  }
}
