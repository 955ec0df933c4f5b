import { rootDomainOf } from './root-domain.ts';

/** The most redirects that are followed from a root to its file. */
const MAX_REDIRECTS = 5;

/** The redirects of one file: the root where they began, their number and the current host. */
export interface RedirectChain {
  readonly root: string;
  readonly redirects: number;
  /** Whether a redirect has left the root domain. */
  readonly outside: boolean;
}

export function startRedirectChain(host: string): RedirectChain {
  return { root: rootDomainOf(host), redirects: 0, outside: false };
}

/**
 * Follows a redirect to `host`, or returns null when it must not be followed (ads.txt 1.1 §3.1): redirects stay within
 * the root domain, may leave it once and then go no further, and are at most five.
 */
export function followRedirect(current: RedirectChain, host: string): RedirectChain | null {
  if (current.outside || current.redirects === MAX_REDIRECTS) return null;
  return { ...current, redirects: current.redirects + 1, outside: rootDomainOf(host) !== current.root };
}
