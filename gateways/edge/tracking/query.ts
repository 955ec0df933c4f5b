import type { SoldImpression } from './sale.ts';

/**
 * What is signed: every field of a sale in a fixed order, each percent-encoded, so that no two sales read alike. It is
 * the URL's own query string, less the MAC. The parameters `id`, `pub`, `partner`, `dsp` and `price` are the
 * specification's (Endpoints on {rtb_url}); an absent one is left out.
 *
 * `noticeUrl` is the DSP's notice that a true call sets off, `winNoticeUrl` that of its win, which an impression sets off when nobody
 * has reported the win before; `cap` what only the exchange
 * reads, in URL-safe characters (see sealed.ts); `token` is `<issue time, base 36>.<tracking id>`.
 */
export function signedQuery(
  sale: SoldImpression,
  noticeUrl: string | null,
  cap: string | null,
  token: string,
  winNoticeUrl: string | null = null,
): string {
  let query = `id=${encode(sale.auctionId)}&pub=${encode(sale.publisherId)}`;
  if (sale.partnerId !== null) query += `&partner=${encode(sale.partnerId)}`;
  query += `&dsp=${encode(sale.dspId)}&price=${sale.priceCpmMicros}`;
  if (sale.campaignId !== null) query += `&campaign=${encode(sale.campaignId)}`;
  if (cap !== null) query += `&cap=${cap}`;
  if (sale.crid !== '') query += `&crid=${encode(sale.crid)}`;
  query += `&region=${encode(sale.region)}`;
  if (sale.sandbox) query += '&sandbox=true';
  if (sale.audio) query += '&audio=true';
  if (noticeUrl !== null) query += `&notice=${encode(noticeUrl)}`;
  if (winNoticeUrl !== null) query += `&won=${encode(winNoticeUrl)}`;
  return `${query}&t=${token}`;
}

/** Half a surrogate pair, which JSON can carry and a URL cannot, becomes the replacement character. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  }
}
