import type { Context, Middleware } from 'koa';
import type { PrebidServer, PrebidServerParts } from './prebid-server.ts';

/**
 * Serves the endpoints of Prebid Server, whose code is loaded with their first call: an edge that only servers call
 * does without.
 */
export class LazyPrebidServer {
  readonly #parts: PrebidServerParts;
  #server: Promise<PrebidServer> | null = null;

  constructor(parts: PrebidServerParts) {
    this.#parts = parts;
  }

  serving(answer: (server: PrebidServer, ctx: Context) => Promise<void> | void): Middleware {
    return async (ctx) => {
      this.#server ??= import('./prebid-server.ts').then(({ PrebidServer }) => new PrebidServer(this.#parts));
      await answer(await this.#server, ctx);
    };
  }
}
