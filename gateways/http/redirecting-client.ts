import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Agent } from 'undici';
import { LateClient } from './undici.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The body of a discarded response is read up to this many bytes, so that its connection can be used again. */
const DISCARDED_BYTES = 16_384;
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

/**
 * Returns the URL that a redirect leads to, or null to treat the response as no redirect. Throws when the redirect is
 * forbidden.
 */
export type JudgeRedirect = (location: string, from: URL) => URL | null;

/** The response of the last URL. The caller must read its body to the end, destroy it or discard it. */
export interface Answered {
  readonly url: URL;
  readonly status: number;
  /** The content type of the server; '' when there is none. */
  readonly contentType: string;
  /** A header of the answer by its name in lower case; '' when there is none. */
  header(name: string): string;
  /** The body without its content coding: some servers apply one without being asked. */
  read(): Readable;
  /** Discards the body. */
  discard(): void;
}

/**
 * Sends GET requests to URLs of third parties over kept-alive connections. Each redirect is checked before it is
 * followed.
 */
export class RedirectingClient {
  readonly #agent: LateClient<Agent>;
  readonly #headers: Readonly<Record<string, string>>;

  /** `options.connect` decides which addresses connections may lead to; `headers` are sent with each request. */
  constructor(options: Agent.Options, headers: Readonly<Record<string, string>>) {
    this.#agent = new LateClient(({ Agent }) => new Agent(options));
    this.#headers = headers;
  }

  /**
   * Resolves when a response begins that is not a redirect.
   * @throws the errors of `judge`, the reason of `signal`, and errors of the connection
   */
  async get(first: URL, judge: JudgeRedirect, signal: AbortSignal): Promise<Answered> {
    for (let url = first; ; ) {
      const { origin, pathname, search } = url;
      const request = { origin, path: pathname + search, method: 'GET', headers: this.#headers, signal } as const;
      const { statusCode: status, headers, body } = await this.#agent.get().request(request);
      const discard = () => void body.dump({ limit: DISCARDED_BYTES, signal }).catch(() => body.destroy());
      const location = firstOf(headers.location);
      if (!REDIRECTS.has(status) || location === '') return answered(url, status, headers, body, discard);
      let next: URL | null;
      try {
        next = judge(location, url);
      } catch (error) {
        discard();
        throw error;
      }
      if (next === null) return answered(url, status, headers, body, discard);
      discard();
      url = next;
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function answered(url: URL, status: number, headers: Headers, body: Readable, discard: () => void): Answered {
  const contentType = firstOf(headers['content-type']);
  const read = () => decoded(body, firstOf(headers['content-encoding']));
  return { url, status, contentType, header: (name) => firstOf(headers[name]), read, discard };
}

function firstOf(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

function decoded(body: Readable, coding: string): Readable {
  const decoder = DECODERS.get(coding.trim().toLowerCase())?.();
  // The reader of the stream gets the error.
  return decoder === undefined ? body : pipeline(body, decoder, () => undefined);
}
