import { Linked, LinkedList } from '#async/linked-list';
import type { CommandObserver } from './command-observer.ts';

/** The constructor of the error that commands reject with; `cause` is the client's own error. */
export type Unavailable = new (message: string, options?: ErrorOptions) => Error;

interface CommandRunnerOptions {
  readonly unavailable: Unavailable;
  readonly timeoutMs: number;
  /** The maximum number of commands that wait for answers; more are rejected. */
  readonly maxWaiting: number;
  /** Called before each command is sent. */
  readonly sending: () => void;
  /** Called with every error of the client or of Redis itself. */
  readonly failed: (cause: Error) => void;
  readonly observer?: CommandObserver | undefined;
}

class PendingCommand extends Linked<PendingCommand> {
  readonly deadlineMs: number;
  readonly reject: (reason: Error) => void;

  constructor(deadlineMs: number, reject: (reason: Error) => void) {
    super();
    this.deadlineMs = deadlineMs;
    this.reject = reject;
  }
}

/**
 * Gives every command the same deadline and one kind of error. Because all deadlines are equally far away, the oldest
 * waiting command expires next, and one timer serves them all.
 */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  readonly #pending = new LinkedList<PendingCommand>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
  }

  /** Resolves with the result of the command that `send` sends; rejects with `unavailable` when it fails or is late. */
  run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(this.#unavailable('the connection is closed'));
    if (this.#pending.size >= this.#options.maxWaiting) {
      return Promise.reject(this.#unavailable(`${this.#pending.size} requests wait for Redis`));
    }
    const { observer, timeoutMs } = this.#options;
    return new Promise<T>((resolve, reject) => {
      const startedMs = performance.now();
      const waiting = new PendingCommand(startedMs + timeoutMs, reject);
      this.#pending.add(waiting);
      this.#arm();
      observer?.begun();
      this.#options.sending();
      send().then(
        (answer) => {
          if (this.#pending.delete(waiting)) observer?.ended('answered', performance.now() - startedMs);
          resolve(answer);
        },
        (cause: Error) => {
          if (this.#pending.delete(waiting)) observer?.ended('failed', performance.now() - startedMs);
          this.#options.failed(cause);
          const told: boolean = cause instanceof this.#options.unavailable;
          reject(told ? cause : this.#unavailable(`Redis: ${cause.message}`, { cause }));
        },
      );
    });
  }

  /** Rejects all waiting commands and every later one. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (let waiting = this.#pending.first; waiting !== null; waiting = this.#pending.first) {
      this.#pending.delete(waiting);
      this.#options.observer?.ended('late', 0);
      waiting.reject(this.#unavailable('the connection is closed'));
    }
  }

  #unavailable(message: string, options?: ErrorOptions): Error {
    const { unavailable: Unavailable } = this.#options;
    return new Unavailable(message, options);
  }

  #arm(): void {
    if (this.#timer !== undefined) return;
    const oldest = this.#pending.first;
    if (oldest === null) return;
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, oldest.deadlineMs - performance.now()));
    this.#timer.unref();
  }

  #expire(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (let waiting = this.#pending.first; waiting !== null; waiting = this.#pending.first) {
      if (waiting.deadlineMs > nowMs) break;
      this.#pending.delete(waiting);
      this.#options.observer?.ended('late', this.#options.timeoutMs);
      waiting.reject(this.#unavailable(`no answer from Redis within ${this.#options.timeoutMs} ms`));
    }
    this.#arm();
  }
}
