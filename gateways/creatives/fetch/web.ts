import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { AddressForbidden } from '../../http/address-guard.ts';
import { guardedConnect } from '../../http/guarded-connect.ts';
import type { CreativeSettings } from '../settings.ts';
import { CreativeStorageUnavailable } from '../storage/creative-storage.ts';
import { CreativeRefused, FetchFailed } from './failures.ts';
import type { Trail } from './trail.ts';

const KEEP_ALIVE_MS = 10_000;
/** More than are used at once: a load is not to spend its time waiting for another's connection. */
const CONNECTIONS_PER_ORIGIN = 256;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A file that begins to arrive. */
export interface Arriving {
  /** Where the way ended. */
  readonly url: URL;
  /** As the server says, in lower case; '' where it does not. */
  readonly contentType: string;
  /** Decompressed. Must be read to its end or destroyed. */
  readonly body: Readable;
}

/** GET of what creatives name, over kept-alive connections that lead to public addresses alone unless settings allow others. */
export class Web {
  readonly #agent: Agent;

  constructor(settings: CreativeSettings) {
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: guardedConnect(settings, settings.loadMs),
    });
  }

  /**
   * Follows redirects, each a step of the trail, until a file begins.
   * @throws CreativeRefused where the trail must not lead; FetchFailed for every other end, `signal`'s too
   */
  async get(address: string, trail: Trail, signal: AbortSignal): Promise<Arriving> {
    let url = trail.step(address);
    for (;;) {
      const { statusCode, headers, body } = await this.#request(url, signal);
      if (statusCode === 200) {
        const contentType = one(headers['content-type']).toLowerCase();
        return { url, contentType, body: decoded(body, one(headers['content-encoding'])) };
      }
      // What comes with a redirect or an error is of no interest; a long one costs the connection.
      void body.dump({ limit: 16_384, signal }).catch(() => body.destroy());
      const location = one(headers.location);
      if (!REDIRECTS.has(statusCode) || location === '') {
        throw new FetchFailed(`was answered ${statusCode} by ${placeOf(url)}`);
      }
      url = trail.step(URL.canParse(location, url.href) ? new URL(location, url).href : location);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #request(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    try {
      const headers = { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'ad-exchange-creatives/1.0' };
      const { origin, pathname, search } = url;
      return await this.#agent.request({ origin, path: pathname + search, method: 'GET', headers, signal });
    } catch (error) {
      throw failureOf(error, url, signal);
    }
  }
}

/** What an error of the HTTP client, at any moment of a transfer, means for a creative. */
export function failureOf(error: unknown, url: URL, signal: AbortSignal): Error {
  if (error instanceof CreativeRefused || error instanceof FetchFailed) return error;
  if (error instanceof CreativeStorageUnavailable) return error;
  if (signal.reason instanceof FetchFailed) return signal.reason;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof AddressForbidden || code === 'ADDRESS_FORBIDDEN') {
    return new CreativeRefused('leads to an address that is not of the public Internet');
  }
  return new FetchFailed(`could not be fetched from ${placeOf(url)}: ${code ?? message}`);
}

/** Which of the files of an ad, whose creative names but the first; without the query, which may hold what is nobody's business. */
function placeOf({ host, pathname }: URL): string {
  return pathname === '/' ? host : host + pathname;
}

/** Without the content coding: some servers apply one whether asked to or not. */
function decoded(body: Readable, coding: string): Readable {
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };
  const decoder = decoders[coding.trim().toLowerCase() as keyof typeof decoders]?.();
  // Whoever reads it hears of the failure.
  return decoder === undefined ? body : pipeline(body, decoder, () => undefined);
}

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}
