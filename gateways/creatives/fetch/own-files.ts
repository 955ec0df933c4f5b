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
    const file = this.#fileOf(address);
    return file === null ? this.#web.get(address, trail, signal) : this.#open(file, new URL(address));
  };

  #fileOf(address: string): string | null {
    if (!URL.canParse(address)) return null;
    const { origin, pathname } = new URL(address);
    return this.#origins.has(origin) ? (FILE_PATH.exec(pathname)?.[1] ?? null) : null;
  }

  async #open(sha256: string, url: URL): Promise<FetchResponse> {
    const stored = await this.#storage.open(sha256);
    if (stored === null) throw new FetchFailed('names a file that the exchange does not host');
    return { url, contentType: stored.mimeType, header: () => '', body: await stored.read() };
  }
}
