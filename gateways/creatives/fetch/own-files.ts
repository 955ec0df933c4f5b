import { parseUrl } from '#exchange/parse-url';
import type { CreativeStorage } from '../storage/creative-storage.ts';
import type { CreativeFetcher, FetchResponse } from './creative-fetcher.ts';
import { FetchFailed } from './failures.ts';

const FILE_PATH = /^\/creative\/([0-9a-f]{64})$/;

/**
 * Fetches what creatives name, and reads files that the exchange hosts itself from its storage, since nothing that is
 * fetched may lead to its own servers.
 */
export class OwnFilesFetcher {
  readonly #web: Pick<CreativeFetcher, 'get'>;
  readonly #storage: Pick<CreativeStorage, 'open'>;
  readonly #origins: ReadonlySet<string>;

  /** `ownUrls`: where viewers find hosted files. */
  constructor(web: Pick<CreativeFetcher, 'get'>, storage: Pick<CreativeStorage, 'open'>, ownUrls: readonly string[]) {
    this.#web = web;
    this.#storage = storage;
    this.#origins = new Set(ownUrls.map((url) => new URL(url).origin));
  }

  get: CreativeFetcher['get'] = async (address, trail, signal) => {
    const url = parseUrl(address);
    const sha256 = url !== null && this.#origins.has(url.origin) ? FILE_PATH.exec(url.pathname)?.[1] : undefined;
    return sha256 === undefined ? this.#web.get(address, trail, signal) : this.#open(sha256, url!);
  };

  async #open(sha256: string, url: URL): Promise<FetchResponse> {
    const stored = await this.#storage.open(sha256);
    if (stored === null) throw new FetchFailed('names a file that the exchange does not host');
    return { url, contentType: stored.mimeType, header: () => '', body: await stored.read() };
  }
}
