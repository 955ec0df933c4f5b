import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { CappedImpression } from './sale.ts';

const CIPHER = 'aes-256-ctr';
const READABLE = /^([1-9]\d{0,3})\.(.*)$/s;

/**
 * Writes a capped viewing into a tracking URL so that nobody else reads it: a device key in the open would name the device to
 * every page that shows our ads. The tracking id, 128 random bits that are never used twice, is the counter block; that nobody
 * changes it is the business of the URL's MAC. A few microseconds.
 */
export class CapCipher {
  readonly #key: KeyObject;

  constructor(secretKey: string) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'tracking/cap/1', 32)));
  }

  /** URL-safe characters. */
  seal({ deviceKey, windowHours }: CappedImpression, trackingId: string): string {
    const cipher = createCipheriv(CIPHER, this.#key, Buffer.from(trackingId, 'base64url'));
    return cipher.update(`${windowHours}.${deviceKey}`, 'utf8', 'base64url') + cipher.final('base64url');
  }

  /** Null for what {@link seal} has not written. `trackingId` has 22 characters of base64url. */
  open(sealed: string, trackingId: string): CappedImpression | null {
    const decipher = createDecipheriv(CIPHER, this.#key, Buffer.from(trackingId, 'base64url'));
    const text = Buffer.concat([decipher.update(sealed, 'base64url'), decipher.final()]).toString('utf8');
    const [, hours, deviceKey] = READABLE.exec(text) ?? [];
    return deviceKey === undefined ? null : { deviceKey, windowHours: Number(hours) };
  }
}
