import type { Context } from 'koa';
import type { SoldImp } from '#edge/auction/sold-imp';
import type { VastPlayer } from '#exchange/vast/player';
import { writePod } from '#exchange/vast/pod';
import { answerNoContent, answerText } from '../http/answer.ts';
import { setUntrustedDocumentHeaders } from '../http/untrusted-document.ts';
import type { TagFormat } from './imps.ts';
import { type NoFill, noFillComment, setNoFillHeaders } from './no-fill.ts';

/** Empty answer for a banner: a document that shows nothing. */
const EMPTY_HTML = '<!doctype html><title>no ad</title>';
const EMPTY_VAST = '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.0" xmlns="http://www.iab.com/VAST"/>\n';

/**
 * Beginning of a banner's document: standards mode, no margins, and links that leave the frame. The body begins with
 * the markup, and so with its hidden image.
 */
const BEFORE_MARKUP =
  '<!doctype html><html><head><meta charset="utf-8"><title>ad</title><base target="_blank">' +
  '<style>html,body{margin:0;overflow:hidden}</style></head><body>';
const AFTER_MARKUP = '</body></html>';

/** Headers for scripts: what the JS tag must know of an ad and would not find in its markup. */
export const TAG_HEADERS = {
  /**
   * Query of the ad's tracking URL: the token of `POST /track/view`. Absent for a pod, as all its ads' queries would
   * make a header of kilobytes.
   */
  tracking: 'X-Ad-Tracking',
  /** `300x250`: the size that was sold. */
  size: 'X-Ad-Size',
} as const;

/**
 * Answers a tag in its format, a pod with all sold ads. `noFill`: the reason why nothing was sold, for callers that may
 * know it. Answers must not be cached: each is its own sale.
 */
export function answerTag(
  ctx: Context,
  format: TagFormat,
  all: readonly SoldImp[],
  player: VastPlayer,
  gzipFromBytes: number,
  noFill: NoFill | null,
): void {
  const [sold] = all;
  ctx.set('Cache-Control', 'no-store');
  setUntrustedDocumentHeaders(ctx);
  if (noFill !== null) setNoFillHeaders(ctx, noFill);
  if (sold !== undefined && sold.podAd === undefined && isFetchedByScript(ctx)) setTagHeaders(ctx, format, sold);
  switch (format) {
    case 'native':
      if (sold) answerText(ctx, 'application/json', sold.adm, gzipFromBytes);
      else answerNoContent(ctx);
      return;
    case 'banner': {
      const html = sold ? `${BEFORE_MARKUP}${sold.adm}${AFTER_MARKUP}` : EMPTY_HTML + noFillCommentOf(noFill);
      answerText(ctx, 'text/html; charset=utf-8', html, gzipFromBytes);
      return;
    }
    case 'video':
    case 'audio':
      answerText(
        ctx,
        'application/xml; charset=utf-8',
        vastOf(all, player) ?? EMPTY_VAST + noFillCommentOf(noFill),
        gzipFromBytes,
      );
  }
}

function noFillCommentOf(noFill: NoFill | null): string {
  return noFill === null ? '' : noFillComment(noFill);
}

/** Null where nothing was sold. */
function vastOf(sold: readonly SoldImp[], player: VastPlayer): string | null {
  const pod = sold.flatMap(({ podAd }) => podAd ?? []);
  if (pod.length > 0) return writePod(pod, player);
  return sold[0]?.adm ?? null;
}

/**
 * Whether a script fetches the ad: only scripts can read the headers, and other callers should not pay for them. In a
 * GET to their own origin scripts send no `Origin`.
 */
function isFetchedByScript({ req: { headers } }: Context): boolean {
  return headers.origin !== undefined || headers['sec-fetch-mode'] === 'cors';
}

function setTagHeaders(ctx: Context, format: TagFormat, { trackingUrl, win }: SoldImp): void {
  ctx.set(TAG_HEADERS.tracking, trackingUrl.slice(trackingUrl.indexOf('?') + 1));
  const { w, h } = win.bid;
  if (format === 'banner' && w && h) ctx.set(TAG_HEADERS.size, `${w}x${h}`);
}
