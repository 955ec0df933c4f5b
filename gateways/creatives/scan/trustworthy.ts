const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

/**
 * Whether browsers refuse to load the URL into a page of https: it is plain HTTP, and not of the viewer's own machine
 * (Secure Contexts §3.1, "potentially trustworthy").
 */
export function isPlainHttp({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

/** Markup without the addresses of the viewer's own machine that it loads over HTTP. */
export function withoutLoopback(markup: string): string {
  return markup.replace(/http:\/\/(?=(?:127(?:\.\d{1,3}){3}|localhost)[:/])/gi, 'https://');
}
