import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

/**
 * Whether only this machine or its private network can mean this URL's host: `localhost` and the names below it (RFC 6761 §6.3), and
 * address literals outside the public Internet. A name of a private network's own DNS is not one of them: nobody can tell by it.
 */
export function namesThisMachine(url: string): boolean {
  return isLocalName(new URL(url).hostname);
}

/** The same of the host itself, IPv6 addresses in brackets. */
export function isLocalName(hostname: string): boolean {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}
