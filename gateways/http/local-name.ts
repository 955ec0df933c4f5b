import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

/**
 * Whether a URL's host can only mean this machine or its private network: `localhost` and the names below it (RFC 6761
 * §6.3), and address literals outside the public Internet. Names of a private DNS count as public, since the name alone
 * does not tell.
 */
export function namesThisMachine(url: string): boolean {
  return isLocalName(new URL(url).hostname);
}

/** Whether a host name, with brackets around IPv6 addresses, can only mean this machine or its private network. */
export function isLocalName(hostname: string): boolean {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}
