import { inTime } from '#async/in-time';
import type { Bid } from '#exchange/openrtb/bid-response';
import type { Clock } from '#runtime/ports/clock';
import type { ExpiringTexts } from '#runtime/ports/expiring-texts';
import type { Random } from '#runtime/ports/random';
import type { CachedBid } from './targeting.ts';

/** How long a bid can be fetched: from the auction until the ad server has answered and the creative renders. */
const KEPT_MS = 300_000;
const PATH = '/cache';

/** What one name leads to; its first character is the kind. */
const KINDS = { '{': 'application/json', '<': 'application/xml' } as const;

interface Written {
  readonly bytes: number;
  readonly endMs: number;
}

/** A cached text with its content type. */
export interface CachedText {
  readonly type: (typeof KINDS)[keyof typeof KINDS];
  readonly text: string;
}

export interface BidCacheOptions {
  readonly texts: ExpiringTexts;
  readonly clock: Clock;
  readonly random: Random;
  readonly publicEdgeUrl: string;
  /** Most bytes that this process has in the cache at once. */
  readonly maxBytes: number;
}

/**
 * The bids that creatives of an ad server fetch by the ids in their key values: all edges of a region share them. It is
 * best effort, as clients expect: a bid that finds no room, or no Redis in time, is answered without an id.
 */
export class BidCache {
  readonly #options: BidCacheOptions;
  readonly #host: string;
  readonly #path: string;
  readonly #written: Written[] = [];
  #bytes = 0;

  constructor(options: BidCacheOptions) {
    const { host, pathname } = new URL(options.publicEdgeUrl);
    this.#options = options;
    this.#host = host;
    this.#path = `${pathname === '/' ? '' : pathname}${PATH}`;
  }

  /**
   * Stores the bid as JSON, and the VAST of one that is played. Null where nothing of it could be stored within
   * `withinMs`.
   */
  async store(
    bid: Bid,
    wanted: { readonly bids: boolean; readonly vast: boolean },
    withinMs: number,
  ): Promise<CachedBid | null> {
    const isPlayed = bid.mtype === 2 || bid.mtype === 3;
    const vast = wanted.vast && isPlayed && bid.adm?.trimStart().startsWith('<') ? bid.adm.trimStart() : null;
    const [bidId, vastId] = await Promise.all([
      wanted.bids ? this.#put(JSON.stringify(bid), withinMs) : null,
      vast === null ? null : this.#put(vast, withinMs),
    ]);
    return bidId === null && vastId === null ? null : { host: this.#host, path: this.#path, bidId, vastId };
  }

  /** Null for a name that leads to nothing, or no longer. Rejects with `CountersUnavailable`. */
  async find(name: string): Promise<CachedText | null> {
    const text = await this.#options.texts.get(name);
    if (text === null) return null;
    return { type: text.startsWith('{') ? KINDS['{'] : KINDS['<'], text };
  }

  urlOf(id: string): string {
    return `${this.#options.publicEdgeUrl}${PATH}?uuid=${id}`;
  }

  async #put(text: string, withinMs: number): Promise<string | null> {
    const { texts, clock, random } = this.#options;
    if (!this.#takeRoom(Buffer.byteLength(text))) return null;
    const name = random.id();
    const putting = texts.put(name, text, KEPT_MS).then(() => name);
    return inTime(clock, withinMs, putting, null).catch(() => null);
  }

  #takeRoom(bytes: number): boolean {
    const { clock, maxBytes } = this.#options;
    const nowMs = clock.monotonic();
    while (this.#written.length > 0 && this.#written[0]!.endMs <= nowMs) this.#bytes -= this.#written.shift()!.bytes;
    if (this.#bytes + bytes > maxBytes) return false;
    this.#bytes += bytes;
    this.#written.push({ bytes, endMs: nowMs + KEPT_MS });
    return true;
  }
}
