import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { ManagementDeps } from '../../deps.ts';

/**
 * A browser stays known for this many days after a login. A cookie identifies the browser, so that wrong passwords sent
 * from elsewhere do not lock it out (OWASP, "Blocking brute force attacks: device cookies"). The cookie grants no
 * access by itself: its holder still has to send the password, and has a count of wrong passwords of its own.
 */
export const KNOWN_DEVICE_DAYS = 180;
const form = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * The name of the cookie. Where browsers come over TLS, the prefix prevents neighbouring hosts from planting it (RFC
 * 6265bis §4.1.3).
 */
export function deviceCookieOf({ publicBaseUrl }: { readonly publicBaseUrl: string }): string {
  return publicBaseUrl.startsWith('https:') ? '__Host-exchange_device' : 'exchange_device';
}

type DeviceDeps = Pick<ManagementDeps, 'secretKey' | 'clock'>;

/** Creates the cookie for the email with this digest: `<22 random characters>.<when, Unix seconds>.<MAC>`. */
export function createDeviceCookie(emailDigest: string, deps: DeviceDeps & Pick<ManagementDeps, 'random'>): string {
  const [nonce, atS] = [deps.random.id(), Math.floor(deps.clock.now() / 1000)];
  return `${nonce}.${atS}.${macOf(emailDigest, nonce, atS, deps.secretKey).toString('base64url')}`;
}

/** The random part of a cookie that was created for this email and is not too old; null otherwise. */
export function readDeviceCookie(cookie: string | undefined, emailDigest: string, deps: DeviceDeps): string | null {
  const [, nonce, at, mac] = form.exec(cookie ?? '') ?? [];
  if (nonce === undefined || at === undefined || mac === undefined) return null;
  const age = deps.clock.now() - Number(at) * 1000;
  if (age > KNOWN_DEVICE_DAYS * 86_400_000) return null;
  const shown = Buffer.from(mac, 'base64url');
  const expected = macOf(emailDigest, nonce, Number(at), deps.secretKey);
  return shown.length === expected.length && timingSafeEqual(shown, expected) ? nonce : null;
}

function macOf(emailDigest: string, nonce: string, atS: number, secretKey: string): Buffer {
  const key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'known-device/1', 32));
  return createHmac('sha256', key).update(`${emailDigest}.${nonce}.${atS}`).digest();
}
