/** An address of HTTP, written out; null for anything else, `javascript:` above all. */
export function safeUrl(text: unknown): string | null {
  try {
    const url = new URL(String(text));
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/** Calls a tracker once, also when the page is about to be left. */
export function track(url: unknown): void {
  const safe = safeUrl(url);
  if (safe === null) return;
  fetch(safe, { mode: 'no-cors', credentials: 'include', keepalive: true }).catch(() => undefined);
}

/** Where the exchange is told what was seen. */
export function reportUrl(edgeUrl: string): string {
  return `${edgeUrl}track/view?`;
}

/** Tells the exchange what was seen of an ad. */
export function report(edgeUrl: string, event: 'measurable' | 'viewable', tracking: string): void {
  navigator.sendBeacon(`${reportUrl(edgeUrl)}event=${event}&${tracking}`);
}
