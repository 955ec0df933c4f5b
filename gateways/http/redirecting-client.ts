import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent } from 'undici';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What comes with an answer that is of no interest is read up to here, so that its connection can be used again. */
const DISCARDED_BYTES = 16_384;
const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };

/** Where a redirect leads. It throws where the way must not lead there; null: the answer is taken as no redirect. */
export type JudgeRedirect = (location: string, from: URL) => URL | null;

/** What the last URL of the way answered. Its body must be read to its end, destroyed or discarded. */
export interface Answered {
  readonly url: URL;
  readonly status: number;
  /** As the server says; '' where it does not. */
  readonly contentType: string;
  /** The body without its content coding: some servers apply one whether asked to or not. */
  read(): Readable;
  /** Gives the body up. */
  discard(): void;
}

/** GET of what others name, over kept-alive connections. Each redirect is judged before it is followed. */
export class RedirectingClient {
  readonly #agent: Agent;
  readonly #headers: Readonly<Record<string, string>>;

  /** `options.connect` decides which addresses connections may lead to; `headers` go with each request. */
  constructor(options: Agent.Options, headers: Readonly<Record<string, string>>) {
    this.#agent = new Agent(options);
    this.#headers = headers;
  }

  /**
   * Resolves when an answer that is no redirect begins.
   * @throws what `judge` throws, the reason of `signal`, and errors of the connection
   */
  async get(first: URL, judge: JudgeRedirect, signal: AbortSignal): Promise<Answered> {
    for (let url = first; ; ) {
      const { origin, pathname, search } = url;
      const request = { origin, path: pathname + search, method: 'GET', headers: this.#headers, signal } as const;
      const { statusCode: status, headers, body } = await this.#agent.request(request);
      const discard = () => void body.dump({ limit: DISCARDED_BYTES, signal }).catch(() => body.destroy());
      const location = one(headers.location);
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
  const contentType = one(headers['content-type']);
  const read = () => decoded(body, one(headers['content-encoding']));
  return { url, status, contentType, read, discard };
}

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

function decoded(body: Readable, coding: string): Readable {
  const decoder = DECODERS[coding.trim().toLowerCase() as keyof typeof DECODERS]?.();
  // What reads it hears of the failure.
  return decoder === undefined ? body : pipeline(body, decoder, () => undefined);
}
