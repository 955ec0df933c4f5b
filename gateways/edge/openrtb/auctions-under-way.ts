import type { AuctionOrder } from '../auction/order.ts';
import type { KeyHolder } from './callers.ts';

interface UnderWay {
  readonly order: AuctionOrder;
  readonly key: KeyHolder | null;
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
  joined(name: number, order: AuctionOrder, key: KeyHolder | null): Promise<string | null> | undefined {
    const running = this.#running.get(name);
    if (running === undefined || !isSame(running, order, key)) return undefined;
    return running.answer;
  }

  /** Resolves or rejects as `answer` does, which may be joined until then. */
  async run(
    name: number,
    order: AuctionOrder,
    key: KeyHolder | null,
    answer: Promise<string | null>,
  ): Promise<string | null> {
    this.#running.set(name, { order, key, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(name);
    }
  }
}

/** A name is short for what it names: an answer goes to nobody for its likeness alone, nor to who shows another key. */
function isSame({ order, key }: UnderWay, other: AuctionOrder, otherKey: KeyHolder | null): boolean {
  return (
    order.request.id === other.request.id &&
    order.publisher.id === other.publisher.id &&
    holderOf(key) === holderOf(otherKey)
  );
}

function holderOf(key: KeyHolder | null): string {
  if (key === null) return '';
  return key.kind === 'account' ? `account ${key.accountId}` : `publisher ${key.publisherId}`;
}
