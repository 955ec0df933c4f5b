import type { SoldImpression } from './sale.ts';
import { TRACE_PARAMETER } from './trace-parameter.ts';

/** A query in the form of {@link TrackingMint}. The values are percent-encoded as they stand in it, and not verified. */
export interface MintedQuery {
  /** The signed text: the query up to the MAC, as `signedQuery` wrote it. */
  readonly signed: string;
  readonly mac: string;
  readonly issuedAtMs: number;
  /** `<issue time, base 36>.<tracking id>`. */
  readonly token: string;
  readonly trackingId: string;
  readonly cap: string;
  readonly auctionId: string;
  readonly publisherId: string;
  readonly partnerId: string | null;
  readonly dspId: string;
  readonly price: string;
  readonly campaignId: string | null;
  readonly crid: string;
  readonly region: string;
  readonly sandbox: string | null;
  readonly audio: string | null;
  readonly test: string | null;
  readonly notice: string | null;
  readonly won: string | null;
  readonly wonMac: string | null;
  readonly burl: string | null;
}

/** Characters of a tracking id, and of a MAC. */
const ID_LENGTH = 22;

/** Reads the parameters of a query one after the other. */
class QueryReader {
  readonly #query: string;
  /** Where the next parameter begins. */
  at = 0;

  constructor(query: string) {
    this.#query = query;
  }

  /** The value of the next parameter if that has this name (`<name>=`), which is then passed; else null. */
  take(name: string): string | null {
    if (!this.#query.startsWith(name, this.at)) return null;
    const from = this.at + name.length;
    const next = this.#query.indexOf('&', from);
    const end = next === -1 ? this.#query.length : next;
    this.at = end + 1;
    return this.#query.slice(from, end);
  }

  get isAtEnd(): boolean {
    return this.at > this.#query.length;
  }
}

/**
 * Reads a query whose parameters are exactly those of {@link TrackingMint}, in their order: nearly every caller leaves
 * the URL as it is. Null for any other form, which may be genuine all the same.
 *
 * The MAC covers the text that is read here and not what it says, so a genuine one proves that the exchange wrote it:
 * each value has one meaning then. It costs half of what it takes to read parameters in any form and write them anew.
 */
export function readMinted(query: string): MintedQuery | null {
  const reader = new QueryReader(query);
  const auctionId = reader.take('id=');
  const publisherId = reader.take('pub=');
  const partnerId = reader.take('partner=');
  const dspId = reader.take('dsp=');
  const price = reader.take('price=');
  const campaignId = reader.take('campaign=');
  const cap = reader.take('cap=');
  const crid = reader.take('crid=') ?? '';
  const region = reader.take('region=');
  const sandbox = reader.take('sandbox=');
  const audio = reader.take('audio=');
  const test = reader.take('test=');
  const notice = reader.take('notice=');
  const tokenFrom = reader.at + 't='.length;
  const signedToken = reader.take('t=');
  const won = reader.take('won=');
  const wonMac = reader.take('wonmac=');
  reader.take(`${TRACE_PARAMETER}=`);
  const burl = reader.take('burl=');
  if (auctionId === null || publisherId === null || dspId === null || price === null || cap === null) return null;
  if (region === null || signedToken === null || !reader.isAtEnd) return null;

  const macFrom = signedToken.length - ID_LENGTH;
  const idFrom = macFrom - 1 - ID_LENGTH;
  if (idFrom < 2 || signedToken[macFrom - 1] !== '.' || signedToken[idFrom - 1] !== '.') return null;
  const issuedAtMs = Number.parseInt(signedToken, 36);
  if (!Number.isSafeInteger(issuedAtMs)) return null;
  return {
    signed: query.slice(0, tokenFrom + macFrom - 1),
    mac: signedToken.slice(macFrom),
    issuedAtMs,
    token: signedToken.slice(0, macFrom - 1),
    trackingId: signedToken.slice(idFrom, macFrom - 1),
    cap,
    auctionId,
    publisherId,
    partnerId,
    dspId,
    price,
    campaignId,
    crid,
    region,
    sandbox,
    audio,
    test,
    notice,
    won,
    wonMac,
    burl,
  };
}

/** What the exchange wrote into a query whose MAC is genuine. The result lacks `capped`, which is encrypted. */
export function saleOf(minted: MintedQuery): SoldImpression {
  const sale: { -readonly [Field in keyof SoldImpression]: SoldImpression[Field] } = {
    auctionId: decoded(minted.auctionId),
    publisherId: decoded(minted.publisherId),
    partnerId: minted.partnerId === null ? null : decoded(minted.partnerId),
    dspId: decoded(minted.dspId),
    campaignId: minted.campaignId === null ? null : decoded(minted.campaignId),
    capped: null,
    crid: decoded(minted.crid),
    priceCpmMicros: Number(minted.price),
    region: decoded(minted.region),
    sandbox: minted.sandbox !== null,
    issuedAtMs: minted.issuedAtMs,
  };
  if (minted.audio !== null) sale.audio = true;
  if (minted.test !== null) sale.test = true;
  return sale;
}

/** A value that `encodeURIComponent` wrote. */
export function decoded(value: string): string {
  return value.includes('%') ? decodeURIComponent(value) : value;
}
