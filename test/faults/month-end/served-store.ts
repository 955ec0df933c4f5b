import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { ActorDocument, FoundDocument, StateStore } from '#runtime/ports/store';
import { readFrames, sendFrame } from './frames.ts';

/** A call of a store in another process. */
export interface StoreCall {
  readonly number: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export interface StoreAnswer {
  readonly number: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** The methods that answer with a promise, and are served as they are. */
const SERVED = [
  ...['prepare', 'load', 'save', 'query', 'page', 'find', 'idsBetween', 'tombstones', 'purge', 'park'],
  ...['deadLetters', 'deadLetter', 'markReplayed', 'markDiscarded', 'highWater', 'raiseHighWater', 'putIfAbsent'],
  ...['getValue', 'withdraw', 'healthy'],
] as const;

/** The methods that answer with many values, which are asked for in parts. */
export const SCANS = ['scan', 'versions'] as const;

/**
 * The store that `store-process.ts` holds, for one of the processes that share it. A call whose connection breaks
 * rejects with `StoreUnavailable`: its outcome is unknown, as that of a database is.
 */
export async function openServedStore(port: number): Promise<StateStore> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const calls = new StoreCalls(socket);
  const store: Record<string, unknown> = {
    unindexed: () => [],
    token: () => '',
    latestToken: async () => '',
    after: () => store,
    scan: (kind: string) => calls.scan<ActorDocument>('scan', kind),
    versions: (kind: string) => calls.scan<readonly FoundDocument[]>('versions', kind),
    countBy: async (...args: unknown[]) => new Map((await calls.call('countBy', args)) as [string, number][]),
    close: async () => void socket.destroy(),
  };
  for (const method of SERVED) store[method] = (...args: unknown[]) => calls.call(method, args);
  return store as unknown as StateStore;
}

class StoreCalls {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #number = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    readFrames(socket, (frame) => this.#answered(frame as StoreAnswer));
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new StoreUnavailable('the store is gone'));
      this.#waiting.clear();
    });
  }

  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#socket.destroyed) throw new StoreUnavailable('the store is gone');
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      sendFrame(this.#socket, { number, method, args } satisfies StoreCall);
    });
  }

  async *scan<T>(method: (typeof SCANS)[number], kind: string): AsyncIterable<T> {
    const scan = await this.call(method, [kind]);
    for (;;) {
      const part = (await this.call('next', [scan])) as readonly T[];
      if (part.length === 0) return;
      yield* part;
    }
  }

  #answered({ number, value, error }: StoreAnswer): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new StoreUnavailable(error));
  }
}
