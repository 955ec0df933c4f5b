import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Agent } from 'undici';
import { beginWay, redirected } from '../../exchange/ads-txt/redirect-scope.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { AddressForbidden, namesForbiddenAddress } from '../http/address-guard.ts';
import { guardedConnect } from '../http/guarded-connect.ts';
import { TimeLimit } from '../http/time-limit.ts';
import type { VerificationSettings } from './settings.ts';

/** What asking for one file came to. */
export type Fetched =
  | { readonly kind: 'read'; readonly url: string; readonly text: string }
  | {
      readonly kind: 'absent';
      readonly url: string;
      readonly reason: 'file_not_found' | 'wrong_content_type' | 'file_too_large' | 'redirect_out_of_scope';
    }
  /** It may be there: another time will tell. */
  | { readonly kind: 'unavailable'; readonly url: string; readonly error: string };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CONNECTIONS_PER_ORIGIN = 4;

class TooLarge extends Error {}

/** Fetches ads.txt files by ads.txt 1.1 §3.1, from public addresses alone unless settings allow others. */
export class FileFetcher {
  readonly #settings: VerificationSettings;
  readonly #clock: Clock;
  readonly #agent: Agent;

  constructor(settings: VerificationSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      connect: settings.connect ?? guardedConnect(settings, settings.fetchMs),
    });
  }

  /** By https, and by http where that has no file. What https said stands when neither has. */
  async fetch(host: string, path: string, stop: AbortSignal): Promise<Fetched> {
    const secure = await this.#follow(new URL(`https://${host}${path}`), stop);
    if (secure.kind === 'read' || stop.aborted) return secure;
    const plain = await this.#follow(new URL(`http://${host}${path}`), stop);
    if (plain.kind === 'read') return plain;
    return secure.kind === 'unavailable' && plain.kind === 'absent' ? plain : secure;
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #follow(first: URL, stop: AbortSignal): Promise<Fetched> {
    const limit = new TimeLimit(this.#clock, this.#settings.fetchMs, 'answer', stop);
    let url = first;
    try {
      let way = beginWay(first.hostname);
      for (;;) {
        const fetched = await this.#get(url, limit.signal);
        if (!(fetched instanceof URL)) return fetched;
        const next = redirected(way, fetched.hostname);
        if (next === null) return { kind: 'absent', url: first.href, reason: 'redirect_out_of_scope' };
        way = next;
        url = fetched;
      }
    } catch (error) {
      return {
        kind: 'unavailable',
        url: url.href,
        error: this.#failureOf(error, limit.signal.aborted && !stop.aborted),
      };
    } finally {
      limit.end();
    }
  }

  /** Where it is redirected to, or what it came to. */
  async #get(url: URL, signal: AbortSignal): Promise<URL | Fetched> {
    if (!/^https?:$/.test(url.protocol)) return { kind: 'absent', url: url.href, reason: 'redirect_out_of_scope' };
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) {
      throw new AddressForbidden(`${url.hostname} is no public address`);
    }
    const headers = { accept: 'text/plain', 'user-agent': 'ad-exchange-verification/1.0' };
    const { origin, pathname, search } = url;
    const answer = await this.#agent.request({ origin, path: pathname + search, method: 'GET', headers, signal });
    const { statusCode: status, body } = answer;
    const dump = () => void body.dump({ limit: 16_384 }).catch(() => body.destroy());
    const location = one(answer.headers.location);
    if (REDIRECTS.has(status) && location !== '' && URL.canParse(location, url.href)) {
      dump();
      return new URL(location, url.href);
    }
    if (status < 200 || status > 299) {
      dump();
      const gone = status === 404 || status === 410;
      if (gone) return { kind: 'absent', url: url.href, reason: 'file_not_found' };
      return { kind: 'unavailable', url: url.href, error: `${url.host} answered ${status}` };
    }
    const contentType = one(answer.headers['content-type']);
    if (contentType !== '' && !/^\s*text\/plain\s*(;|$)/i.test(contentType)) {
      dump();
      return { kind: 'absent', url: url.href, reason: 'wrong_content_type' };
    }
    try {
      const bytes = await this.#readAll(decoded(body, one(answer.headers['content-encoding'])));
      return { kind: 'read', url: url.href, text: textOf(bytes) };
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

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

/** Without the content coding: some servers apply one though none was asked for. */
function decoded(body: Readable, coding: string): Readable {
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress };
  const decoder = decoders[coding.trim().toLowerCase() as keyof typeof decoders]?.();
  // Whoever reads it hears of the failure.
  return decoder === undefined ? body : pipeline(body, decoder, () => undefined);
}

/** UTF-8, or UTF-16 where a byte-order mark says so. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
