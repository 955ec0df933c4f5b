import { type Dialect, writeBidRequest } from '../../../exchange/openrtb/dialect.ts';
import type { OutgoingRequest } from '../../bidders/fan-out.ts';
import type { AuctionOrder } from './order.ts';

/** Writes the request for bidders, each version of it once: dialects and time limits are few. */
export class OutgoingBidRequest implements OutgoingRequest {
  readonly #order: AuctionOrder;
  readonly #written: { readonly dialect: Dialect; readonly tmaxMs: number; readonly body: Buffer }[] = [];

  constructor(order: AuctionOrder) {
    this.#order = order;
  }

  body(dialect: Dialect, tmaxMs: number): Buffer {
    for (const version of this.#written) {
      if (version.dialect === dialect && version.tmaxMs === tmaxMs) return version.body;
    }
    const { request, publisher, pool } = this.#order;
    const text = writeBidRequest(request, dialect, {
      tmaxMs,
      blockedCategories: publisher.blockedCategories,
      blockedDomains: publisher.blockedDomains,
      contentGenre: publisher.contentGenre,
      floorCpmMicros: Math.max(publisher.floorCpmMicros, pool?.floorCpmMicros ?? 0),
    });
    const body = Buffer.from(text);
    this.#written.push({ dialect, tmaxMs, body });
    return body;
  }
}
