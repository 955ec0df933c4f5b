import type { NativeAd } from './native.ts';
import type { NearestRegion } from './nearest-region.ts';

export interface Ad {
  /** Document of a banner. */
  readonly html: string;
  readonly native: NativeAd | null;
  /** Null where the exchange names no size. */
  readonly size: { readonly w: number; readonly h: number } | null;
  /** Token of the viewability beacon; empty where there is none. */
  readonly tracking: string;
  /** URL of the edge that sold it, with a slash at its end: all reports about the ad go there. */
  readonly edgeUrl: string;
}

/** A slot that stays empty, with the reason for the console of the page. */
export interface NoAd {
  readonly why: string;
}

/**
 * Requests one ad from the exchange, and has its regions measured afterwards. `mayStore`: whether what is measured may
 * be kept in the browser. Rejects when the exchange refuses or cannot be reached.
 */
export async function requestAd(
  regions: NearestRegion,
  parameters: URLSearchParams,
  mayStore: boolean,
): Promise<Ad | NoAd> {
  try {
    return await requestFrom(regions, parameters, mayStore);
  } finally {
    regions.measure(mayStore);
  }
}

async function requestFrom(regions: NearestRegion, parameters: URLSearchParams, mayStore: boolean): Promise<Ad | NoAd> {
  const format = parameters.get('format');
  if (format !== 'banner' && format !== 'native') throw new Error(`${format} is for players: use /vast or /ad`);
  const init: RequestInit = {
    credentials: 'include',
    // Advertisers buy pages, so the exchange gets the page's URL.
    referrerPolicy: 'no-referrer-when-downgrade',
  };
  const { response, edgeUrl } = await regions.fetch(`ad?${parameters}`, init, mayStore);
  if (!response.ok) throw new Error(`the exchange answered ${response.status}: ${await messageOf(response)}`);
  const tracking = response.headers.get('X-Ad-Tracking');
  // The answer of a sold ad names its sale; the document of an unsold one shows nothing.
  if (response.status === 204 || tracking === null) return { why: reasonOf(response) };
  const body = await response.text();
  const [w, h] = (response.headers.get('X-Ad-Size') ?? '').split('x').map(Number);
  const size = w && h ? { w, h } : null;
  return format === 'native'
    ? { html: '', native: JSON.parse(body), size, tracking, edgeUrl }
    : { html: body, native: null, size, tracking, edgeUrl };
}

/** The sandbox names the reason; in live traffic only a caller with a key gets it, and a page must not have one. */
function reasonOf({ headers }: Response): string {
  const reason = headers.get('X-No-Fill-Reason');
  return reason === null ? 'nobody bought it; GET /api/auctions says why' : `nobody bought it (${reason})`;
}

/** The message of an error of the exchange. */
async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return JSON.parse(text).error.message ?? text;
  } catch {
    return text;
  }
}
