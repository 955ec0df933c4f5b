import type { Readable } from 'node:stream';
import { parseUrl } from '#exchange/parse-url';
import { AddressForbidden } from '../../http/address-guard.ts';
import { guardedConnect } from '../../http/guarded-connect.ts';
import { RedirectingClient } from '../../http/redirecting-client.ts';
import type { CreativeSettings } from '../settings.ts';
import { CreativeStorageUnavailable } from '../storage/creative-storage.ts';
import { CreativeRefused, FetchFailed } from './failures.ts';
import type { RedirectTrail } from './redirect-trail.ts';

const KEEP_ALIVE_MS = 10_000;
/** More connections than are used at once, so that no load waits for the connection of another. */
const CONNECTIONS_PER_ORIGIN = 256;
const HEADERS = { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'ad-exchange-creatives/1.0' };

/** A response whose body begins to arrive. */
export interface FetchResponse {
  /** The last URL, after all redirects. */
  readonly url: URL;
  /** The content type of the server, in lower case; '' when there is none. */
  readonly contentType: string;
  /** A header of the answer by its name in lower case; '' when there is none. */
  header(name: string): string;
  /** The decompressed body. The caller must read it to its end or destroy it. */
  readonly body: Readable;
}

/**
 * Sends the GET requests for creatives over kept-alive connections. They lead to public addresses only, unless the
 * settings allow others.
 */
export class CreativeFetcher {
  readonly #client: RedirectingClient;

  constructor(settings: CreativeSettings) {
    const connect = guardedConnect(settings, settings.loadMs);
    const options = { connections: CONNECTIONS_PER_ORIGIN, keepAliveTimeout: KEEP_ALIVE_MS, connect };
    this.#client = new RedirectingClient(options, HEADERS);
  }

  /**
   * Follows redirects, each a step of the trail, until a body begins.
   * @throws CreativeRefused when the trail forbids a step; FetchFailed for any other failure, and when `signal` aborts
   */
  async get(address: string, trail: Pick<RedirectTrail, 'step'>, signal: AbortSignal): Promise<FetchResponse> {
    let at = trail.step(address);
    try {
      const answer = await this.#client.get(
        at,
        (location, from) => {
          at = trail.step(parseUrl(location, from)?.href ?? location);
          return at;
        },
        signal,
      );
      const { url, status, contentType, header } = answer;
      if (status === 200) return { url, contentType: contentType.toLowerCase(), header, body: answer.read() };
      answer.discard();
      throw new FetchFailed(`was answered ${status} by ${shownUrlOf(url)}`);
    } catch (error) {
      throw fetchErrorOf(error, at, signal);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/**
 * Turns an error of the HTTP client, at any moment of a transfer, into an error of a creative. `url`: null where the
 * creative names none.
 */
export function fetchErrorOf(error: unknown, url: URL | null, signal: AbortSignal): Error {
  if (error instanceof CreativeRefused || error instanceof FetchFailed) return error;
  if (error instanceof CreativeStorageUnavailable) return error;
  if (signal.reason instanceof FetchFailed) return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof AddressForbidden || code === 'ADDRESS_FORBIDDEN') {
    return new CreativeRefused('leads to an address that is not of the public Internet', 'address');
  }
  const from = url === null ? '' : ` from ${shownUrlOf(url)}`;
  return new FetchFailed(`could not be fetched${from}: ${code ?? message}`);
}

/**
 * The URL as messages show it. It tells the files of an ad apart, since the creative names only the first; the query is
 * left out because it may hold private values.
 */
function shownUrlOf({ host, pathname }: URL): string {
  return pathname === '/' ? host : host + pathname;
}
