import type { NativeAd } from './native.ts';

export interface Ad {
  /** A document, of a banner. */
  readonly html: string;
  readonly native: NativeAd | null;
  /** Null where the exchange names none. */
  readonly size: { readonly w: number; readonly h: number } | null;
  /** The token of the view beacon; empty where there is none. */
  readonly tracking: string;
}

/** A slot that stays empty, and why, for whoever reads the console of the page. */
export interface NoAd {
  readonly why: string;
}

/** Asks the exchange for one ad. Rejects when the exchange refuses or cannot be reached. */
export async function requestAd(edgeUrl: string, parameters: URLSearchParams): Promise<Ad | NoAd> {
  const format = parameters.get('format');
  if (format !== 'banner' && format !== 'native') throw new Error(`${format} is for players: use /vast or /ad`);
  const response = await fetch(`${edgeUrl}ad?${parameters}`, {
    credentials: 'include',
    // Advertisers buy pages: the exchange is told which one.
    referrerPolicy: 'no-referrer-when-downgrade',
  });
  if (!response.ok) throw new Error(`the exchange answered ${response.status}: ${await messageOf(response)}`);
  const tracking = response.headers.get('X-Ad-Tracking');
  // A sold ad names its sale; the document of an unsold one shows nothing.
  if (response.status === 204 || tracking === null) return { why: reasonOf(response) };
  const body = await response.text();
  const [w, h] = (response.headers.get('X-Ad-Size') ?? '').split('x').map(Number);
  const size = w && h ? { w, h } : null;
  return format === 'native'
    ? { html: '', native: JSON.parse(body), size, tracking }
    : { html: body, native: null, size, tracking };
}

/** The sandbox says why; elsewhere it is told to who shows a key, which a page must not. */
function reasonOf({ headers }: Response): string {
  const reason = headers.get('X-No-Fill-Reason');
  return reason === null ? 'nobody bought it; GET /api/auctions says why' : `nobody bought it (${reason})`;
}

/** What an error of the exchange says to people. */
async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return JSON.parse(text).error.message ?? text;
  } catch {
    return text;
  }
}
