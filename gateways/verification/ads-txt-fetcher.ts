import type { Readable } from 'node:stream';
import { followRedirect, startRedirectChain } from '../../exchange/ads-txt/redirect-chain.ts';
import { parseUrl } from '../../exchange/parse-url.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { AddressForbidden, namesForbiddenAddress } from '../http/address-guard.ts';
import { guardedConnect } from '../http/guarded-connect.ts';
import { type Answered, RedirectingClient } from '../http/redirecting-client.ts';
import { TimeLimit } from '../http/time-limit.ts';
import type { VerificationSettings } from './settings.ts';

/** The result of fetching one file. `unavailable`: the file may exist, and a later fetch may succeed. */
export type FetchResult =
  | { readonly kind: 'read'; readonly url: string; readonly text: string }
  | {
      readonly kind: 'absent';
      readonly url: string;
      readonly reason: 'file_not_found' | 'wrong_content_type' | 'file_too_large' | 'redirect_out_of_scope';
    }
  | { readonly kind: 'unavailable'; readonly url: string; readonly error: string };

const CONNECTIONS_PER_ORIGIN = 4;
const HEADERS = { accept: 'text/plain', 'user-agent': 'ad-exchange-verification/1.0' };

class TooLarge extends Error {}

/** A redirect leads out of the scope in which the file of this source may be. */
class OutOfScope extends Error {
  readonly url: URL;

  constructor(url: URL) {
    super('a redirect leads out of scope');
    this.url = url;
  }
}

/** Fetches ads.txt files (ads.txt 1.1 §3.1), from public addresses only unless the settings allow others. */
export class AdsTxtFetcher {
  readonly #settings: VerificationSettings;
  readonly #clock: Clock;
  readonly #client: RedirectingClient;

  constructor(settings: VerificationSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    const connect = settings.connect ?? guardedConnect(settings, settings.fetchMs);
    this.#client = new RedirectingClient({ connections: CONNECTIONS_PER_ORIGIN, connect }, HEADERS);
  }

  /**
   * Fetches a file by https, or by http when https has no file. When neither has one, the result of https counts,
   * except that a definite `absent` of http replaces an `unavailable` of https.
   */
  async fetch(host: string, path: string, stop: AbortSignal): Promise<FetchResult> {
    const secure = await this.#follow(new URL(`https://${host}${path}`), stop);
    if (secure.kind === 'read' || stop.aborted) return secure;
    const plain = await this.#follow(new URL(`http://${host}${path}`), stop);
    if (plain.kind === 'read') return plain;
    return secure.kind === 'unavailable' && plain.kind === 'absent' ? plain : secure;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #follow(first: URL, stop: AbortSignal): Promise<FetchResult> {
    const limit = new TimeLimit(this.#clock, this.#settings.fetchMs, 'answer', stop);
    let at = first;
    let chain = startRedirectChain(first.hostname);
    const judge = (location: string, from: URL): URL | null => {
      const next = parseUrl(location, from);
      if (next === null) return null;
      const nextChain = followRedirect(chain, next.hostname);
      if (nextChain === null) throw new OutOfScope(first);
      chain = nextChain;
      at = next;
      if (!/^https?:$/.test(next.protocol)) throw new OutOfScope(next);
      return this.#checkAddress(next);
    };
    try {
      return await this.#read(await this.#client.get(this.#checkAddress(first), judge, limit.signal));
    } catch (error) {
      if (error instanceof OutOfScope) return { kind: 'absent', url: error.url.href, reason: 'redirect_out_of_scope' };
      const late = limit.signal.aborted && !stop.aborted;
      return { kind: 'unavailable', url: at.href, error: this.#failureOf(error, late) };
    } finally {
      limit.end();
    }
  }

  /**
   * @throws AddressForbidden when the URL names an address that is not public, unless the settings allow such addresses
   */
  #checkAddress(url: URL): URL {
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) {
      throw new AddressForbidden(`${url.hostname} is no public address`);
    }
    return url;
  }

  /** Turns a response into a result. */
  async #read(answer: Answered): Promise<FetchResult> {
    const { url, status, contentType } = answer;
    if (status < 200 || status > 299) {
      answer.discard();
      const gone = status === 404 || status === 410;
      if (gone) return { kind: 'absent', url: url.href, reason: 'file_not_found' };
      return { kind: 'unavailable', url: url.href, error: `${url.host} answered ${status}` };
    }
    if (contentType !== '' && !/^\s*text\/plain\s*(;|$)/i.test(contentType)) {
      answer.discard();
      return { kind: 'absent', url: url.href, reason: 'wrong_content_type' };
    }
    const body = answer.read();
    try {
      return { kind: 'read', url: url.href, text: textOf(await this.#readAll(body)) };
    } catch (error) {
      body.destroy();
      if (error instanceof TooLarge) return { kind: 'absent', url: url.href, reason: 'file_too_large' };
      throw error;
    }
  }

  async #readAll(body: Readable): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > this.#settings.maxFileBytes) throw new TooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #failureOf(error: unknown, late: boolean): string {
    if (late) return `no answer within ${this.#settings.fetchMs / 1000} s`;
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof AddressForbidden || code === 'ADDRESS_FORBIDDEN') {
      return 'the domain leads to an address that is not of the public Internet';
    }
    return `the file could not be fetched: ${code ?? message}`.slice(0, 300);
  }
}

/** Decodes UTF-8, or UTF-16 when a byte-order mark says so. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
