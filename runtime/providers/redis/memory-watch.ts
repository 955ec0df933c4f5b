import type { Redis } from 'ioredis';

/** The interval of checks while less than half of the memory is in use, ms. */
const CALM_LOOK_MS = 1_000;
/** The interval of checks from `CLOSE_FROM` on, ms. */
const CLOSE_LOOK_MS = 200;
const CLOSE_FROM = 0.5;

/**
 * Watches how near Redis is to its `maxmemory`, so that producers are refused while there is room left: for what owners
 * append when they handle waiting messages, for leases, and for acknowledgements of about one second. With several
 * servers the fullest counts.
 */
export class MemoryWatch {
  readonly #servers: () => readonly Redis[];
  readonly #short: number;
  readonly #looked: (used: number) => void;
  #used = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * `headroom` is the share of the memory, between 0 and 1, that producers must not use. `looked` is told the share
   * that is used at each check.
   */
  constructor(servers: () => readonly Redis[], headroom: number, looked: (used: number) => void = () => {}) {
    this.#servers = servers;
    this.#looked = looked;
    this.#short = 1 - headroom;
  }

  /** Whether producers must be refused, as of the last check. A server without a bound is never short. */
  get isShort(): boolean {
    return this.#used >= this.#short;
  }

  /**
   * Checks now, and then repeatedly until {@link close}. Never rejects: when a server cannot be asked, the last value
   * stays.
   */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const parts = await Promise.all(this.#servers().map(async (server) => usedPart(await server.info('memory'))));
      this.#used = Math.max(0, ...parts);
      this.#looked(this.#used);
    } catch {
      // The server is unavailable, so nothing can be appended.
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.look(), this.#used < CLOSE_FROM ? CALM_LOOK_MS : CLOSE_LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}

/**
 * The used share of the memory, as Redis computes it when it decides whether memory is short; 0 without a `maxmemory`.
 * `info` is the answer to INFO memory.
 */
export function usedPart(info: string): number {
  const fact = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const most = fact('maxmemory');
  return most === 0 ? 0 : (fact('used_memory') - fact('mem_not_counted_for_evict')) / most;
}
