import { parse } from 'node:querystring';
import type { SignedChannel } from '../../exchange/invalid-traffic/invalid-call.ts';
import { decoded, readMinted, saleOf } from './minted-query.ts';
import { signedQuery, signedWon, wonParameter } from './query.ts';
import type { SignedOrigin } from './request-origin.ts';
import type { SoldImpression } from './sale.ts';
import { readSealed, type SealedParameter } from './sealed.ts';
import { isSameMac, type Purpose, sign, signTwice } from './signature.ts';
import { TrackingKeys } from './tracking-keys.ts';

export interface Verified {
  readonly ok: true;
  readonly trackingId: string;
  readonly sale: SoldImpression;
  /** The DSP's own notice that this call triggers: its `burl` or its `nurl`. */
  readonly noticeUrl: string | null;
  /**
   * For an impression: the DSP's `nurl`, which it triggers unless the win was reported before. Null where there is
   * none.
   */
  readonly winNoticeUrl: string | null;
  /** Null for URLs of release 0.4, which were the same for both channels. */
  readonly channel: SignedChannel | null;
  /** Origin of the ad request; null for URLs of release 0.4, and for wins. */
  readonly origin: SignedOrigin | null;
}

/**
 * `forged`: without a token, or with one that no exchange made. `altered`: with a well-formed token whose MAC does not
 * match the other parameters, or with that of another exchange. Whether a genuine URL is expired or repeated is decided
 * by the log.
 */
export type Verification = Verified | { readonly ok: false; readonly reason: 'forged' | 'altered' };

/** `<issue time, base 36>.<tracking id>.<MAC>`. */
const TOKEN = /^([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{22})$/;
/** Form of values that only the exchange writes: they need no percent-encoding, so that each has one form. */
const URL_SAFE = /^[\w~-]*$/;
const WHOLE_NUMBER = /^(0|[1-9]\d{0,15})$/;

const FORGED = { ok: false, reason: 'forged' } as const;
const ALTERED = { ok: false, reason: 'altered' } as const;

/**
 * Verifies the URLs that {@link TrackingMint} made. The MAC of an impression's query as it was minted is taken over
 * its text; that of any other over the parameters written anew. So a client may re-encode or reorder them and add its
 * own (a cache buster); none of the exchange's may change, be missing or appear twice.
 */
export class TrackingVerifier {
  /** Keys, the present ones first. */
  readonly #keys: readonly TrackingKeys[];

  /** `previousSecretKeys`: earlier master secrets, whose URLs are still valid. */
  constructor(options: { readonly secretKey: string; readonly previousSecretKeys?: readonly string[] }) {
    const { secretKey, previousSecretKeys = [] } = options;
    this.#keys = [secretKey, ...previousSecretKeys].map((secret) => new TrackingKeys(secret));
  }

  /** `query` is the URL's query string, without the question mark. */
  verify(purpose: Purpose, query: string): Verification {
    const asMinted = purpose === 'impression' ? this.#verifyAsMinted(query) : null;
    return asMinted ?? this.#verifyInAnyForm(purpose, query);
  }

  /** Null where the query is not as {@link TrackingMint} wrote it: it may be genuine all the same. */
  #verifyAsMinted(query: string): Verified | null {
    const minted = readMinted(query);
    const sealed = minted === null ? null : readSealed(minted.cap);
    if (minted === null || sealed === null) return null;
    const { signed, mac, token, trackingId, notice, won, wonMac, burl } = minted;
    const keys = this.#keys.find(({ id, of }) => sealed.keyId === id && isSameMac(sign(of.impression, signed), mac));
    if (keys === undefined || (won !== null && !isSignedWinNotice(keys, `won=${won}`, token, wonMac))) return null;
    const verification = accepted(keys, 'impression', sealed, {
      trackingId,
      sale: saleOf(minted),
      noticeUrl: notice === null ? null : decoded(notice),
      winNoticeUrl: won === null ? null : decoded(won),
      cap: minted.cap,
      burl: burl ?? undefined,
    });
    return verification.ok ? verification : null;
  }

  #verifyInAnyForm(purpose: Purpose, query: string): Verification {
    const parameters = parse(query);
    const parsedToken = typeof parameters.t === 'string' ? TOKEN.exec(parameters.t) : null;
    if (!parsedToken) return FORGED;
    const [, issued, trackingId, mac] = parsedToken as unknown as [string, string, string, string];
    const issuedAtMs = Number.parseInt(issued, 36);
    if (!Number.isSafeInteger(issuedAtMs)) return FORGED;

    const sale = readSale(parameters, issuedAtMs);
    if (!sale) return ALTERED;
    const noticeUrl = (parameters.notice as string | undefined) ?? null;
    const winNoticeUrl = (parameters.won as string | undefined) ?? null;
    const cap = (parameters.cap as string | undefined) ?? null;
    if (cap !== null && !URL_SAFE.test(cap)) return ALTERED;
    const sealed = readSealed(cap);
    const token = `${issued}.${trackingId}`;
    const signed = signedQuery(sale, noticeUrl, cap, token);
    const keys = this.#keys.find(
      (those) =>
        (sealed === null || sealed.keyId === those.id) && isSameMac(macOf(those, purpose, signed, noticeUrl), mac),
    );
    if (keys === undefined) return ALTERED;
    const { wonmac: wonMac, burl } = parameters;
    if (winNoticeUrl !== null && !isSignedWinNotice(keys, wonParameter(winNoticeUrl), token, wonMac)) return ALTERED;
    return accepted(keys, purpose, sealed, { trackingId, sale, noticeUrl, winNoticeUrl, cap, burl });
  }
}

/** What a query says whose MACs are genuine; `burl`, the proof of its channel, is still to be compared. */
interface Claims {
  readonly trackingId: string;
  /** It lacks `capped`. */
  readonly sale: SoldImpression;
  readonly noticeUrl: string | null;
  readonly winNoticeUrl: string | null;
  readonly cap: string | null;
  readonly burl: string | string[] | undefined;
}

function accepted(keys: TrackingKeys, purpose: Purpose, sealed: SealedParameter | null, claims: Claims): Verification {
  const { trackingId, sale, noticeUrl, winNoticeUrl, cap, burl } = claims;
  const viewing = sealed === null ? cap : sealed.viewing;
  const capped = viewing === null ? null : keys.caps.open(viewing, trackingId);
  const sold = capped === null ? sale : { ...sale, capped };
  if (sealed === null || purpose === 'win') {
    return { ok: true, trackingId, sale: sold, noticeUrl, winNoticeUrl, channel: null, origin: null };
  }
  const pad = keys.pads.padOf(trackingId);
  if (burl !== undefined && !(typeof burl === 'string' && isSameMac(pad.proof, burl))) return ALTERED;
  const channel = burl === undefined ? 'client' : 'server';
  const origin = keys.origins.open(sealed.origin, pad.stream);
  return { ok: true, trackingId, sale: sold, noticeUrl, winNoticeUrl, channel, origin };
}

/**
 * The MAC as {@link TrackingMint} makes it: for a win without a DSP's `nurl` it is the second MAC of the impression.
 */
function macOf({ of }: TrackingKeys, purpose: Purpose, signed: string, noticeUrl: string | null): string {
  if (purpose === 'win' && noticeUrl === null) return signTwice(of.impression, signed)[1];
  return sign(of[purpose], signed);
}

/** `won`: the parameter as it is signed. */
function isSignedWinNotice(
  { of }: TrackingKeys,
  won: string,
  token: string,
  mac: string | string[] | null | undefined,
): boolean {
  return typeof mac === 'string' && isSameMac(sign(of.win, signedWon(won, token)), mac);
}

type Parameters = ReturnType<typeof parse>;

/**
 * Null when one of the exchange's parameters is missing, appears twice or has the wrong form. The result lacks
 * `capped`, which is encrypted.
 */
function readSale(parameters: Parameters, issuedAtMs: number): SoldImpression | null {
  const { id, pub, partner, dsp, price, campaign, cap, crid, region, sandbox, audio, test, notice, won } = parameters;
  if (typeof id !== 'string' || typeof pub !== 'string' || typeof dsp !== 'string') return null;
  if (typeof price !== 'string' || !WHOLE_NUMBER.test(price) || typeof region !== 'string') return null;
  if ([partner, campaign, cap, crid, notice, won].some(Array.isArray)) return null;
  if ([sandbox, audio, test].some((flag) => (flag ?? 'true') !== 'true')) return null;
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
    ...(test === undefined ? {} : { test: true }),
    issuedAtMs,
  };
}
