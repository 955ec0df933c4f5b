/** A normalized HTTP URL; null for anything else, `javascript:` above all. */
export function safeUrl(text: unknown): string | null {
  try {
    const url = new URL(String(text));
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}

/** Calls a tracker once, also while the page is being left. */
export function track(url: unknown): void {
  const safe = safeUrl(url);
  if (safe === null) return;
  fetch(safe, { mode: 'no-cors', credentials: 'include', keepalive: true }).catch(() => undefined);
}

/** URL of the exchange's viewability reports. */
export function reportUrl(edgeUrl: string): string {
  return `${edgeUrl}track/view?`;
}

/** Reports an ad's viewability to the exchange. */
export function report(edgeUrl: string, event: 'measurable' | 'viewable', tracking: string): void {
  navigator.sendBeacon(`${reportUrl(edgeUrl)}event=${event}&${tracking}`);
}
