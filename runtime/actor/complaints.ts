import type { Clock } from '../ports/clock.ts';
import type { Logger } from './logger.ts';

/** While a trouble lasts it is logged once in this time, and it is over when there was none of it for as long. */
const TOLD_EVERY_MS = 60_000;

interface Trouble {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly beganAtMs: number;
  lastAtMs: number;
  /** The last of it. */
  fields: object;
  times: number;
  /** The number of times that have been told of. */
  told: number;
  cancel: () => void;
}

/**
 * Logs troubles that come again and again as long as their cause lasts: each kind when it begins, at most once a minute
 * while it goes on, and when it is over, with how long it lasted and how often it came.
 */
export class Complaints {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();
  #closed = false;

  constructor({ logger, clock }: { readonly logger: Logger; readonly clock: Clock }) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** `kind` has few values, and names what is to be told apart from other troubles with the same message. */
  warn(fields: object, message: string, kind = ''): void {
    this.#note('warn', fields, message, kind);
  }

  error(fields: object, message: string, kind = ''): void {
    this.#note('error', fields, message, kind);
  }

  /** Tells of everything that goes on, and waits for its end no more. Later complaints are logged one by one. */
  close(): void {
    this.#closed = true;
    for (const [key, trouble] of this.#troubles) this.#end(key, trouble);
  }

  #note(level: Trouble['level'], fields: object, message: string, kind: string): void {
    const key = `${kind} ${message}`;
    const nowMs = this.#clock.monotonic();
    const known = this.#troubles.get(key);
    if (known !== undefined) {
      known.times += 1;
      known.lastAtMs = nowMs;
      known.fields = fields;
      return;
    }
    this.#logger[level](fields, message);
    if (this.#closed) return;
    const trouble: Trouble = {
      ...{ level, message, fields, beganAtMs: nowMs, lastAtMs: nowMs },
      ...{ times: 1, told: 1, cancel: () => {} },
    };
    this.#troubles.set(key, trouble);
    this.#lookLater(key, trouble);
  }

  #lookLater(key: string, trouble: Trouble): void {
    trouble.cancel = this.#clock.after(TOLD_EVERY_MS, () => {
      const { level, fields, message, times, told, beganAtMs } = trouble;
      if (times === told) return this.#end(key, trouble);
      const forMs = Math.round(this.#clock.monotonic() - beganAtMs);
      this.#logger[level]({ ...fields, times, forMs }, `${message}; it goes on`);
      trouble.told = times;
      this.#lookLater(key, trouble);
    });
  }

  #end(key: string, trouble: Trouble): void {
    const { fields, message, times, beganAtMs, lastAtMs } = trouble;
    trouble.cancel();
    this.#troubles.delete(key);
    // The one line of it has told everything.
    if (times === 1) return;
    this.#logger.info({ ...fields, times, forMs: Math.round(lastAtMs - beganAtMs) }, `${message}; no more of it`);
  }
}
