import { CURRENCY } from '../currency/currency.ts';
import type { CurrencyRates } from '../currency/currency-rates.ts';
import { type RequestCurrencies, readRequestCurrencies } from '../currency/request-currencies.ts';
import { MAX_CPM } from '../money/price.ts';
import type { BidRequest } from './bid-request.ts';
import { bidRequestShape } from './bid-request-shape.ts';
import { InvalidBidRequest, InvalidFloor } from './invalid-bid-request.ts';

/**
 * Reads an OpenRTB 2.5 or 2.6 bid request (2.6 §3.2). `document` is a JSON value and becomes the request: unknown
 * fields stay, and nulls of known fields are removed.
 *
 * Throws `InvalidBidRequest` for what the standard forbids and for nesting deeper than `MAX_DEPTH`, and `InvalidFloor`
 * for a request with an invalid floor that is otherwise valid. It throws nothing else, whatever the document is.
 */
export function parseBidRequest(document: unknown): BidRequest {
  return readBidRequest(document, null).request;
}

/** A bid request with its floors in US dollars. */
export interface ReadBidRequest {
  readonly request: BidRequest;
  /** Null where nothing can be converted. */
  readonly currencies: RequestCurrencies | null;
}

/**
 * Reads a bid request as {@link parseBidRequest} does, and converts its floors with the rates. Without rates a floor in
 * another currency than US dollars is invalid.
 */
export function readBidRequest(document: unknown, rates: CurrencyRates | null): ReadBidRequest {
  const fault = bidRequestShape(document);
  if (fault !== undefined) throw new InvalidBidRequest(fault.path, fault.message);
  const request = document as BidRequest;
  const currencies = rates === null ? null : readRequestCurrencies(request, rates);
  checkFloors(request);
  return { request, currencies };
}

function checkFloors(request: BidRequest): void {
  for (let index = 0; index < request.imp.length; index++) {
    const imp = request.imp[index]!;
    const path = `imp[${index}]`;
    if (imp.bidfloor !== undefined) checkFloor(imp.bidfloor, imp.bidfloorcur, path);
    for (const medium of ['video', 'audio'] as const) {
      const perSecond = imp[medium]?.mincpmpersec;
      if (perSecond !== undefined) checkFloor(perSecond, imp.bidfloorcur, `${path}.${medium}`, 'mincpmpersec');
      for (const [at, floor] of imp[medium]?.durfloors?.entries() ?? []) {
        checkFloor(floor.bidfloor ?? 0, imp.bidfloorcur, `${path}.${medium}.durfloors[${at}]`);
      }
    }
    for (const [at, deal] of imp.pmp?.deals?.entries() ?? []) {
      // A deal's currency is its own: it is not inherited from the imp (2.6 §3.2.12).
      const dealPath = `${path}.pmp.deals[${at}]`;
      checkFloor(deal.bidfloor ?? 0, deal.bidfloorcur, dealPath);
      checkFloor(deal.mincpmpersec ?? 0, deal.bidfloorcur, dealPath, 'mincpmpersec');
      for (const [position, floor] of deal.durfloors?.entries() ?? []) {
        checkFloor(floor.bidfloor ?? 0, deal.bidfloorcur, `${dealPath}.durfloors[${position}]`);
      }
    }
  }
}

/**
 * Checks a floor. Zero is no floor, in any currency; any other floor must be in the currency in which bids are
 * compared.
 */
function checkFloor(floorCpm: number, currency: string | undefined, path: string, field = 'bidfloor'): void {
  if (floorCpm === 0) return;
  // The condition is negated so that NaN fails too.
  if (!(floorCpm > 0 && floorCpm <= MAX_CPM)) {
    throw new InvalidFloor(`${path}.${field}`, `must be a CPM from 0 to ${MAX_CPM}`);
  }
  if (currency !== undefined && currency !== '' && currency.toUpperCase() !== CURRENCY) {
    throw new InvalidFloor(
      `${path}.bidfloorcur`,
      `must be ${CURRENCY}, in which floors are compared: no currency is converted`,
    );
  }
}
