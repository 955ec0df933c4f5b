import { CURRENCY } from '../currency/currency.ts';
import type { Bid } from './bid-response.ts';
import { bidShape } from './bid-response-shape.ts';
import { type Fault, fault, isObject, MAX_ID } from './shape.ts';

/** The most bids on one request. A response with more is not read, which bounds its cost. */
export const MAX_BIDS = 500;
/** The characters of a currency code (ISO 4217). */
const CURRENCY_LENGTH = 3;
/** The fault of each bid of a seat whose name is too long to be repeated in records. */
const SEAT_TOO_LONG = fault(`is for a seat of more than ${MAX_ID} characters`);

/** A well-formed bid and the seat that made it. */
export interface OfferedBid {
  readonly bid: Bid;
  readonly seat: string | null;
  /** The index of its `seatbid` where that is all-or-nothing (`group: 1`), else null. */
  readonly group: number | null;
  /** The advertiser's domains, as far as the exchange knows them, of a bid that names none in `adomain`. */
  readonly knownAdvertisers?: readonly string[] | undefined;
}

/**
 * The seat of a bid as publishers are answered, and as they and deals allow or block it: a bid that names none is of
 * its demand source.
 */
export function seatOf({ seat }: Pick<OfferedBid, 'seat'>, dspId: string): string {
  return seat ?? dspId;
}

/** An element of `seatbid[].bid[]` that is not a bid. */
export interface MalformedBid {
  readonly seat: string | null;
  /** The place and the fault, as in `seatbid[0].bid[1].price: must be a number`. */
  readonly message: string;
  /** The id that the bid states, as far as it can be read. */
  readonly bidId: string | null;
  readonly impId: string | null;
  /** As in `OfferedBid`. */
  readonly group: number | null;
}

/** The result of reading a bidder's answer. */
export type BidResponseReading =
  | {
      readonly outcome: 'bids';
      readonly bidId: string | null;
      readonly currency: string;
      readonly bids: readonly OfferedBid[];
      readonly malformed: readonly MalformedBid[];
    }
  /** An empty object, no `seatbid`, or only empty ones: the standard's forms of a no-bid (§7.1). */
  | { readonly outcome: 'no-bid'; readonly nbr: number | null }
  | {
      readonly outcome: 'invalid';
      readonly reason: 'malformed-response' | 'wrong-request-id';
      readonly message: string;
    };

/**
 * Reads a bidder's answer (OpenRTB 2.6 §4.2). It never throws: an unusable part is named, and one malformed bid does
 * not affect the others. An empty `cur` or `seat` is none. `document` is the JSON value of the answer, `requestId` the
 * id of the request that it answers.
 */
export function parseBidResponse(document: unknown, requestId: string): BidResponseReading {
  if (!isObject(document)) return malformed('the response is not an object');
  const { id, seatbid, nbr } = document;
  if (seatbid === undefined || seatbid === null || (Array.isArray(seatbid) && seatbid.length === 0)) {
    return { outcome: 'no-bid', nbr: typeof nbr === 'number' ? nbr : null };
  }
  if (!Array.isArray(seatbid)) return malformed('seatbid must be an array');
  if (typeof id !== 'string') return malformed('id must be a string');
  if (id !== requestId) {
    return { outcome: 'invalid', reason: 'wrong-request-id', message: `the response answers ${id.slice(0, 100)}` };
  }
  const currency = document.cur === '' ? CURRENCY : (document.cur ?? CURRENCY);
  if (typeof currency !== 'string') return malformed('cur must be a string');
  if (currency.length > CURRENCY_LENGTH) return malformed('cur must be a currency code');

  const bids: OfferedBid[] = [];
  const broken: MalformedBid[] = [];
  for (let position = 0; position < seatbid.length; position++) {
    const seatBid: unknown = seatbid[position];
    if (!isObject(seatBid)) return malformed(`seatbid[${position}] must be an object`);
    if (!Array.isArray(seatBid.bid)) return malformed(`seatbid[${position}].bid must be an array`);
    if (bids.length + broken.length + seatBid.bid.length > MAX_BIDS) return malformed(`more than ${MAX_BIDS} bids`);
    const seat = typeof seatBid.seat === 'string' && seatBid.seat !== '' ? seatBid.seat : null;
    const group = seatBid.group === 1 ? position : null;
    for (let index = 0; index < seatBid.bid.length; index++) {
      const bid: unknown = seatBid.bid[index];
      const found = seat !== null && seat.length > MAX_ID ? SEAT_TOO_LONG : bidShape(bid);
      if (found === undefined) bids.push({ bid: bid as Bid, seat, group });
      else broken.push(malformedBid(bid, seat, group, `seatbid[${position}].bid[${index}]`, found));
    }
  }
  if (bids.length === 0 && broken.length === 0) {
    return { outcome: 'no-bid', nbr: typeof nbr === 'number' ? nbr : null };
  }
  const bidId = typeof document.bidid === 'string' ? document.bidid : null;
  if (bidId !== null && bidId.length > MAX_ID) return malformed(`bidid must have at most ${MAX_ID} characters`);
  return { outcome: 'bids', bidId, currency, bids, malformed: broken };
}

function malformed(message: string): BidResponseReading {
  return { outcome: 'invalid', reason: 'malformed-response', message };
}

function malformedBid(
  bid: unknown,
  seat: string | null,
  group: number | null,
  path: string,
  found: Fault,
): MalformedBid {
  const stated = isObject(bid) ? bid : {};
  return {
    seat: repeated(seat),
    group,
    message: `${path}${found.path === '' ? '' : `.${found.path}`}: ${found.message}`,
    bidId: repeated(stated.id),
    impId: repeated(stated.impid),
  };
}

/** The id of a malformed bid as records repeat it: at most `MAX_ID` characters. */
function repeated(id: unknown): string | null {
  return typeof id === 'string' ? id.slice(0, MAX_ID) : null;
}
