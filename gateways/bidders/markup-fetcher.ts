import type { Agent } from 'undici';
import type { MarkupSource } from '../../edge/auction/bidders.ts';
import { parseUrl } from '../../exchange/parse-url.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { namesForbiddenAddress } from '../http/address-guard.ts';
import { guardedConnect } from '../http/guarded-connect.ts';
import { LateClient } from '../http/undici.ts';
import type { BidderSettings } from './settings.ts';

/**
 * Upper bound of connections to one host. Beyond it, and beyond the bound of hosts, a fetch waits or fails, as its
 * auction's time allows.
 */
const CONNECTIONS_PER_HOST = 64;
const MAX_HOSTS = 512;

/**
 * Fetches a winner's markup from its win notice: the notice is a GET of its `nurl`, and where a bid has no `adm` the
 * answer is the markup (OpenRTB 2.6 §4.2.3, §7.5).
 */
export class MarkupFetcher implements MarkupSource {
  readonly #settings: BidderSettings;
  readonly #clock: Clock;
  readonly #agent: LateClient<Agent>;

  constructor(settings: BidderSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    const options = {
      connections: CONNECTIONS_PER_HOST,
      maxOrigins: MAX_HOSTS,
      pipelining: 1,
      keepAliveTimeout: settings.keepAliveMs,
      // The auction's own deadline ends a call.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: guardedConnect(settings, settings.connectTimeoutMs, {
        ...(settings.secureContext && { secureContext: settings.secureContext }),
      }),
    };
    this.#agent = new LateClient(({ Agent }) => new Agent(options));
  }

  /**
   * The answer's body. Null when there is none within `timeoutMs`: a status other than 200, an empty body, one larger
   * than bidders may answer, a redirect. Never rejects.
   */
  async fetch(url: string, timeoutMs: number): Promise<string | null> {
    const parsed = parseUrl(url);
    if (parsed === null) return null;
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null;
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(parsed)) return null;
    const abort = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => abort.abort());
    try {
      const { statusCode, headers, body } = await this.#agent.get().request({
        origin: parsed.origin,
        path: parsed.pathname + parsed.search,
        method: 'GET',
        signal: abort.signal,
      });
      const text = await this.#bounded(body);
      // The request offered no content coding.
      if (statusCode !== 200 || headers['content-encoding'] !== undefined) return null;
      return text?.trim() ? text : null;
    } catch {
      return null;
    } finally {
      cancel();
    }
  }

  /** Closes the connections; calls under way return null. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Reads the body. Null when it exceeds the bound; the connection is then closed. */
  async #bounded(body: AsyncIterable<Buffer>): Promise<string | null> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > this.#settings.maxResponseBytes) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }
}
