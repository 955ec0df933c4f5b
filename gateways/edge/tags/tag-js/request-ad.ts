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

/** Asks the exchange for one ad; null when there is none. Rejects when the exchange refuses or cannot be reached. */
export async function requestAd(edgeUrl: string, parameters: URLSearchParams): Promise<Ad | null> {
  const format = parameters.get('format');
  if (format !== 'banner' && format !== 'native') throw new Error(`${format} is for players: use /vast or /ad`);
  const response = await fetch(`${edgeUrl}ad?${parameters}`, {
    credentials: 'include',
    // Advertisers buy pages: the exchange is told which one.
    referrerPolicy: 'no-referrer-when-downgrade',
  });
  if (!response.ok) throw new Error(`the exchange answered ${response.status}: ${await response.text()}`);
  const tracking = response.headers.get('X-Ad-Tracking');
  // A sold ad names its sale; the document of an unsold one shows nothing.
  if (response.status === 204 || tracking === null) return null;
  const body = await response.text();
  const [w, h] = (response.headers.get('X-Ad-Size') ?? '').split('x').map(Number);
  const size = w && h ? { w, h } : null;
  return format === 'native'
    ? { html: '', native: JSON.parse(body), size, tracking }
    : { html: body, native: null, size, tracking };
}
