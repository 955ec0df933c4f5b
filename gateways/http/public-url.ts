import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

const LOCAL_NAME = /(^|\.)(localhost|local|internal|test|home\.arpa)$/;

/** Whether a URL names a host of the public Internet, as far as its name tells: no address of a private network, no local name. */
export function isPublicUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}
