import { rootDomainOf } from './root-domain.ts';

/** Nobody needs more to come from a root to its file. */
const MAX_REDIRECTS = 5;

/** The way of one file: where it began, and how often and where it was sent on. */
export interface RedirectChain {
  readonly root: string;
  readonly redirects: number;
  /** Whether it has left its root domain. */
  readonly outside: boolean;
}

export function startRedirectChain(host: string): RedirectChain {
  return { root: rootDomainOf(host), redirects: 0, outside: false };
}

/**
 * The way after a redirect to `host`, or null when it must not be followed (ads.txt 1.1 §3.1): within the root domain, once out
 * of it, and from there no further; five times in all.
 */
export function followRedirect(way: RedirectChain, host: string): RedirectChain | null {
  if (way.outside || way.redirects === MAX_REDIRECTS) return null;
  return { ...way, redirects: way.redirects + 1, outside: rootDomainOf(host) !== way.root };
}
