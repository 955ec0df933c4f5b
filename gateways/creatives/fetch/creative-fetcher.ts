import type { Readable } from 'node:stream';
import { AddressForbidden } from '../../http/address-guard.ts';
import { guardedConnect } from '../../http/guarded-connect.ts';
import { RedirectingClient } from '../../http/redirecting-client.ts';
import type { CreativeSettings } from '../settings.ts';
import { CreativeStorageUnavailable } from '../storage/creative-storage.ts';
import { CreativeRefused, FetchFailed } from './failures.ts';
import type { RedirectTrail } from './redirect-trail.ts';

const KEEP_ALIVE_MS = 10_000;
/** More than are used at once: a load is not to spend its time waiting for another's connection. */
const CONNECTIONS_PER_ORIGIN = 256;
const HEADERS = { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'ad-exchange-creatives/1.0' };

/** A file that begins to arrive. */
export interface FetchResponse {
  /** Where the way ended. */
  readonly url: URL;
  /** As the server says, in lower case; '' where it does not. */
  readonly contentType: string;
  /** Decompressed. Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** GET of what creatives name, over kept-alive connections that lead to public addresses alone unless settings allow others. */
export class CreativeFetcher {
  readonly #client: RedirectingClient;

  constructor(settings: CreativeSettings) {
    const connect = guardedConnect(settings, settings.loadMs);
    const options = { connections: CONNECTIONS_PER_ORIGIN, keepAliveTimeout: KEEP_ALIVE_MS, connect };
    this.#client = new RedirectingClient(options, HEADERS);
  }

  /**
   * Follows redirects, each a step of the trail, until a file begins.
   * @throws CreativeRefused where the trail must not lead; FetchFailed for every other end, `signal`'s too
   */
  async get(address: string, trail: RedirectTrail, signal: AbortSignal): Promise<FetchResponse> {
    let at = trail.step(address);
    try {
      const answer = await this.#client.get(
        at,
        (location, from) => {
          at = trail.step(URL.canParse(location, from.href) ? new URL(location, from).href : location);
          return at;
        },
        signal,
      );
      const { url, status, contentType } = answer;
      if (status === 200) return { url, contentType: contentType.toLowerCase(), body: answer.read() };
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

/** What an error of the HTTP client, at any moment of a transfer, means for a creative. */
export function fetchErrorOf(error: unknown, url: URL, signal: AbortSignal): Error {
  if (error instanceof CreativeRefused || error instanceof FetchFailed) return error;
  if (error instanceof CreativeStorageUnavailable) return error;
  if (signal.reason instanceof FetchFailed) return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof AddressForbidden || code === 'ADDRESS_FORBIDDEN') {
    return new CreativeRefused('leads to an address that is not of the public Internet');
  }
  return new FetchFailed(`could not be fetched from ${shownUrlOf(url)}: ${code ?? message}`);
}

/** Which of the files of an ad, whose creative names but the first; without the query, which may hold what is nobody's business. */
function shownUrlOf({ host, pathname }: URL): string {
  return pathname === '/' ? host : host + pathname;
}
