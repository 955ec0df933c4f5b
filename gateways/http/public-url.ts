import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

const LOCAL_NAME = /(^|\.)(localhost|local|internal|test|home\.arpa)$/;

/** Whether a URL's host looks like one of the public Internet: not a private address and not a local name. */
export function isPublicUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}
