import type { SoldImpression } from './sale.ts';

/**
 * The text that is signed: every field of a sale in a fixed order, each percent-encoded, so that no two sales have the
 * same text. It is the URL's own query string, without the MAC. The parameters `id`, `pub`, `partner`, `dsp` and
 * `price` are the specification's (Endpoints on {rtb_url}); an absent one is left out.
 *
 * `noticeUrl` is the DSP's notice that a genuine call triggers; `cap` is the part that only the exchange reads, in
 * URL-safe characters (see sealed.ts); `token` is `<issue time, base 36>.<tracking id>`. The order stands in
 * minted-query.ts, too.
 */
export function signedQuery(sale: SoldImpression, noticeUrl: string | null, cap: string | null, token: string): string {
  let query = `id=${encodeWellFormed(sale.auctionId)}&pub=${encodeWellFormed(sale.publisherId)}`;
  if (sale.partnerId !== null) query += `&partner=${encodeWellFormed(sale.partnerId)}`;
  query += `&dsp=${encodeWellFormed(sale.dspId)}&price=${sale.priceCpmMicros}`;
  if (sale.campaignId !== null) query += `&campaign=${encodeWellFormed(sale.campaignId)}`;
  if (cap !== null) query += `&cap=${cap}`;
  if (sale.crid !== '') query += `&crid=${encodeWellFormed(sale.crid)}`;
  query += `&region=${encodeWellFormed(sale.region)}`;
  if (sale.sandbox) query += '&sandbox=true';
  if (sale.audio) query += '&audio=true';
  if (sale.test) query += '&test=true';
  if (noticeUrl !== null) query += `&notice=${encodeWellFormed(noticeUrl)}`;
  return `${query}&t=${token}`;
}

/**
 * The parameter `won`: the DSP's `nurl`, which an impression triggers unless the win was reported before. It is signed
 * separately, together with the token: edges of release 0.4, which do not know it, accept the rest of the URL
 * unchanged.
 */
export function wonParameter(winNoticeUrl: string): string {
  return `won=${encodeWellFormed(winNoticeUrl)}`;
}

/** The text that is signed for `won`. No other signed text begins like it. */
export function signedWon(won: string, token: string): string {
  return `${won}&t=${token}`;
}

/** Length of a text in a query, in characters. */
export function encodedLength(text: string): number {
  return encodeWellFormed(text).length;
}

/** Half a surrogate pair, which JSON can carry and a URL cannot, becomes the replacement character. */
function encodeWellFormed(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  }
}
