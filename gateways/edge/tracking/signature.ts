import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** 128 bits of HMAC-SHA-256 (RFC 2104 §5 allows half), in base64url. */
const MAC_LENGTH = 22;

/** What a signed URL is for. A MAC made for one purpose says nothing for another. */
export type Purpose = 'impression' | 'win';

/** The key of one purpose, derived from SECRET_KEY (HKDF, RFC 5869), so that no MAC is ever made with the master. */
export function trackingKey(secretKey: string, purpose: Purpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', `tracking/${purpose}/1`, 32)));
}

export function sign(key: KeyObject, text: string): string {
  return digest(key, text).slice(0, MAC_LENGTH);
}

/**
 * Two MACs of one text at the price of one: the beginning of the HMAC and its end. They share six bits; of the other 124 of the
 * second the first says nothing.
 */
export function signTwice(key: KeyObject, text: string): readonly [first: string, second: string] {
  const whole = digest(key, text);
  return [whole.slice(0, MAC_LENGTH), whole.slice(-MAC_LENGTH)];
}

/** 43 characters. */
function digest(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Takes the same time whatever `mac` is, once its length is right. */
export function isSameMac(expected: string, mac: string): boolean {
  if (mac.length !== MAC_LENGTH) return false;
  const given = Buffer.from(mac, 'utf8');
  // A character beyond ASCII makes the bytes longer than the text.
  return given.length === MAC_LENGTH && timingSafeEqual(given, Buffer.from(expected, 'latin1'));
}
