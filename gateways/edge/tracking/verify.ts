import type { KeyObject } from 'node:crypto';
import { parse } from 'node:querystring';
import { CapSeal } from './cap-seal.ts';
import { signedQuery } from './query.ts';
import type { SoldImpression } from './sale.ts';
import { isSameMac, type Purpose, sign, signTwice, trackingKey } from './signature.ts';

export interface Verified {
  readonly ok: true;
  readonly trackingId: string;
  readonly sale: SoldImpression;
  /** The DSP's own notice that this call sets off: its `burl` or its `nurl`. */
  readonly noticeUrl: string | null;
}

/**
 * `forged`: without a token, or with one that no exchange has made; `altered`: with a token of our shape whose MAC does
 * not fit the other parameters, or that of another exchange. Whether a true URL is expired or repeated, the log says.
 */
export type Verification = Verified | { readonly ok: false; readonly reason: 'forged' | 'altered' };

/** `<issue time, base 36>.<tracking id>.<MAC>`. */
const TOKEN = /^([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{22})$/;
const WHOLE_NUMBER = /^(0|[1-9]\d{0,15})$/;

const FORGED = { ok: false, reason: 'forged' } as const;
const ALTERED = { ok: false, reason: 'altered' } as const;

/**
 * Reads the URLs that {@link TrackingMint} made. The MAC is computed over the parameters written out anew, so a client
 * may re-encode or reorder them and add its own (a cache buster); none of ours may change, go missing or come twice.
 */
export class TrackingVerifier {
  readonly #keys: Readonly<Record<Purpose, KeyObject>>;
  readonly #seal: CapSeal;

  constructor(options: { readonly secretKey: string }) {
    const { secretKey } = options;
    this.#keys = { impression: trackingKey(secretKey, 'impression'), win: trackingKey(secretKey, 'win') };
    this.#seal = new CapSeal(secretKey);
  }

  /** `query` is the URL's query string, without the question mark. */
  verify(purpose: Purpose, query: string): Verification {
    const parameters = parse(query);
    const token = typeof parameters.t === 'string' ? TOKEN.exec(parameters.t) : null;
    if (!token) return FORGED;
    const [, issued, trackingId, mac] = token as unknown as [string, string, string, string];
    const issuedAtMs = Number.parseInt(issued, 36);
    if (!Number.isSafeInteger(issuedAtMs)) return FORGED;

    const sale = readSale(parameters, issuedAtMs);
    if (!sale) return ALTERED;
    const noticeUrl = (parameters.notice as string | undefined) ?? null;
    const cap = (parameters.cap as string | undefined) ?? null;
    const signed = signedQuery(sale, noticeUrl, cap, `${issued}.${trackingId}`);
    if (!isSameMac(this.#macOf(purpose, signed, noticeUrl), mac)) return ALTERED;
    if (cap === null) return { ok: true, trackingId, sale, noticeUrl };
    return { ok: true, trackingId, sale: { ...sale, capped: this.#seal.open(cap, trackingId) }, noticeUrl };
  }

  /** As {@link TrackingMint} makes it: of a win that nobody is told of it is the impression's second. */
  #macOf(purpose: Purpose, signed: string, noticeUrl: string | null): string {
    if (purpose === 'win' && noticeUrl === null) return signTwice(this.#keys.impression, signed)[1];
    return sign(this.#keys[purpose], signed);
  }
}

type Parameters = ReturnType<typeof parse>;

/** Null when one of ours is missing, comes twice or is not of its kind. Without `capped`, which is sealed. */
function readSale(parameters: Parameters, issuedAtMs: number): SoldImpression | null {
  const { id, pub, partner, dsp, price, campaign, cap, crid, region, sandbox, audio, notice } = parameters;
  if (typeof id !== 'string' || typeof pub !== 'string' || typeof dsp !== 'string') return null;
  if (typeof price !== 'string' || !WHOLE_NUMBER.test(price) || typeof region !== 'string') return null;
  if ([partner, campaign, cap, crid, notice].some(Array.isArray)) return null;
  if ((sandbox ?? 'true') !== 'true' || (audio ?? 'true') !== 'true') return null;
  return {
    auctionId: id,
    publisherId: pub,
    partnerId: (partner as string | undefined) ?? null,
    dspId: dsp,
    campaignId: (campaign as string | undefined) ?? null,
    capped: null,
    crid: (crid as string | undefined) ?? '',
    priceCpmMicros: Number(price),
    region,
    sandbox: sandbox === 'true',
    ...(audio === undefined ? {} : { audio: true }),
    issuedAtMs,
  };
}
