import type { Browser } from '../../gateways/edge/http/browser-of.ts';
import type { BrowserConnection } from '../../gateways/edge/openrtb/browser-device.ts';
import type { KeyHolder } from '../../gateways/edge/openrtb/callers.ts';
import type { AuctionOrder } from '../auction-context.ts';

/** What a caller sent. */
export interface SentRequest {
  readonly key: KeyHolder | null;
  /** Its cookies and Global Privacy Control: who sees the ad, and what may be known of them. */
  readonly browser: Browser;
  /** Of a page's call: it fills what `device` leaves out. Null for a server's. */
  readonly connection: BrowserConnection | null;
  /** Decompressed. */
  readonly body: Buffer;
}

interface UnderWay {
  readonly order: AuctionOrder;
  readonly sent: SentRequest;
  readonly answer: Promise<string | null>;
}

/**
 * The auctions of bid requests that are under way at this edge, by what names them. A caller that sends the same request again,
 * because a connection broke or a proxy tries again, joins the one that is under way: one sale, one reservation, the same answer for
 * both. There are never more of them than the gate for auctions lets in.
 */
export class AuctionsUnderWay {
  readonly #running = new Map<number, UnderWay>();

  /** The answer of the same request of the same caller, which rejects as it does; undefined when none is under way. */
  joined(name: number, order: AuctionOrder, sent: SentRequest): Promise<string | null> | undefined {
    const running = this.#running.get(name);
    if (running === undefined || !isSame(running, order, sent)) return undefined;
    return running.answer;
  }

  /** Resolves or rejects as `answer` does, which may be joined until then. */
  async run(
    name: number,
    order: AuctionOrder,
    sent: SentRequest,
    answer: Promise<string | null>,
  ): Promise<string | null> {
    this.#running.set(name, { order, sent, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(name);
    }
  }
}

/**
 * A name is short for what it names, and says nothing of the viewer: an answer goes to nobody for its likeness alone, nor to who
 * shows another key or other cookies, objects where the first did not, or writes of another device, user or consent.
 */
function isSame({ order, sent }: UnderWay, other: AuctionOrder, otherSent: SentRequest): boolean {
  return (
    order.publisher.id === other.publisher.id &&
    holderOf(sent.key) === holderOf(otherSent.key) &&
    sent.browser.cookies === otherSent.browser.cookies &&
    sent.browser.globalPrivacyControl === otherSent.browser.globalPrivacyControl &&
    sent.connection?.address === otherSent.connection?.address &&
    sent.connection?.userAgent === otherSent.connection?.userAgent &&
    sent.body.equals(otherSent.body)
  );
}

function holderOf(key: KeyHolder | null): string {
  if (key === null) return '';
  return key.kind === 'account' ? `account ${key.accountId}` : `publisher ${key.publisherId}`;
}
