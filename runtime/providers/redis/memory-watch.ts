import type { Redis } from 'ioredis';

/** Looked at more often once half of it is in use. */
const CALM_LOOK_MS = 1_000;
const CLOSE_LOOK_MS = 200;
const CLOSE_FROM = 0.5;

/**
 * How near Redis is to its `maxmemory`, so that producers are refused while there is room left: for what owners append when they
 * handle what waits, for leases and for acknowledgements of a second or so. Where there are several servers the fullest counts.
 */
export class MemoryWatch {
  readonly #servers: () => readonly Redis[];
  readonly #short: number;
  #used = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `headroom`: the part of the memory, between 0 and 1, that is kept from producers. */
  constructor(servers: () => readonly Redis[], headroom: number) {
    this.#servers = servers;
    this.#short = 1 - headroom;
  }

  /** Whether producers are to be refused, as of the last look. A server that has no bound is never short. */
  get isShort(): boolean {
    return this.#used >= this.#short;
  }

  /** Looks now, and then again and again until {@link close}. Never rejects: what cannot be asked is as it was. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const parts = await Promise.all(this.#servers().map(async (server) => usedPart(await server.info('memory'))));
      this.#used = Math.max(0, ...parts);
    } catch {
      // It is away, and nobody can append anything.
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

/** As Redis counts it when it decides whether memory is short. */
function usedPart(info: string): number {
  const fact = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const most = fact('maxmemory');
  return most === 0 ? 0 : (fact('used_memory') - fact('mem_not_counted_for_evict')) / most;
}
