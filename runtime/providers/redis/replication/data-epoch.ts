import type { Redis } from 'ioredis';

/**
 * The epoch of the set of servers, stored in each server's own data: replicated and made durable like any write, and
 * bound to no slot of a Redis Cluster. Only a library of functions has these properties in Redis; this one has one
 * function, which returns the epoch.
 */
export class DataEpoch {
  readonly #library: string;

  constructor(prefix: string) {
    this.#library = `${prefix.replace(/\W/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)}_servers`;
  }

  /** Reads the epoch; 0 when there is none. */
  async read(client: Redis): Promise<number> {
    try {
      return Number(await client.fcall_ro(`${this.#library}_epoch`, 0));
    } catch (error) {
      if ((error as Error).message.includes('Function not found')) return 0;
      throw error;
    }
  }

  async write(client: Redis, epoch: number): Promise<void> {
    const code = [
      `#!lua name=${this.#library}`,
      `redis.register_function{function_name='${this.#library}_epoch', flags={'no-writes','allow-stale'}, callback=function() return ${epoch} end}`,
    ];
    await client.call('FUNCTION', 'LOAD', 'REPLACE', code.join('\n'));
  }

  async remove(client: Redis): Promise<void> {
    await client.call('FUNCTION', 'DELETE', this.#library);
  }
}
