import { stat } from 'node:fs/promises';
import { Ticker } from '../async/ticker.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { Clock } from '../runtime/ports/clock.ts';

/** The file is looked at again this many ms after it was looked at last. */
const LOOK_AGAIN_MS = 60_000;

export interface FollowedFileOptions<T> {
  /** The setting that names the file. */
  readonly setting: string;
  readonly path: string;
  /** Reads the file; rejects for one that is faulty. */
  readonly read: () => Promise<T>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * The content of a file that an operator replaces while the exchange runs. It is looked at once a minute, and read
 * again when its time or size is another than before and has stayed so for a minute: a file that is being written is
 * not whole. While the new file is faulty or gone, the former content stays, with a warning each minute.
 */
export class FollowedFile<T> {
  readonly #options: FollowedFileOptions<T>;
  #value: T;
  /** Time and size of the file when it was looked at last, and when `#value` was read. */
  #seen: string;
  #read: string;
  readonly #looking: Ticker;

  private constructor(options: FollowedFileOptions<T>, value: T, stamp: string) {
    this.#options = options;
    this.#value = value;
    this.#seen = stamp;
    this.#read = stamp;
    this.#looking = new Ticker(options.clock, LOOK_AGAIN_MS, () => this.look());
  }

  /** Reads the file; rejects as `read` does. */
  static async open<T>(options: FollowedFileOptions<T>): Promise<FollowedFile<T>> {
    const stamp = await stampOf(options.path);
    return new FollowedFile(options, await options.read(), stamp);
  }

  get value(): T {
    return this.#value;
  }

  start(): void {
    this.#looking.start();
  }

  /** Looks at the file once. Never rejects. */
  async look(): Promise<void> {
    const { setting, path, read, logger } = this.#options;
    const stamp = await stampOf(path);
    const isWhole = stamp === this.#seen;
    this.#seen = stamp;
    if (!isWhole || stamp === this.#read) return;
    try {
      this.#value = await read();
      this.#read = stamp;
      logger.info({ path }, `${setting} has changed, and was read again`);
    } catch (error) {
      logger.warn(
        { path, reason: (error as Error).message },
        `${setting} has changed, and is faulty: the former one stays`,
      );
    }
  }

  close(): void {
    void this.#looking.stop();
  }
}

/** '' for a file that is not there. */
async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  return found === null ? '' : `${found.mtimeMs} ${found.size}`;
}
