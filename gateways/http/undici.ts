import { createRequire } from 'node:module';
import type { Dispatcher } from 'undici';

type Undici = typeof import('undici');

const requireFrom = createRequire(import.meta.url);
let loaded: Undici | null = null;

/**
 * The HTTP client library, loaded by the first call, which takes a tenth of a second. A process without bidders that
 * calls nobody does without it.
 */
export function undici(): Undici {
  loaded ??= requireFrom('undici') as Undici;
  return loaded;
}

/** A client that is made when it is first used. Once destroyed it refuses all requests, also if it was never used. */
export class LateClient<Client extends Dispatcher> {
  readonly #make: (library: Undici) => Client;
  #client: Client | null = null;
  #isDestroyed = false;

  constructor(make: (library: Undici) => Client) {
    this.#make = make;
  }

  get(): Client {
    if (this.#client === null) {
      this.#client = this.#make(undici());
      if (this.#isDestroyed) void this.#client.destroy();
    }
    return this.#client;
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await this.#client?.destroy();
  }
}
