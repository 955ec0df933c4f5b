import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { CappedImpression } from './sale.ts';

const CIPHER = 'aes-256-ctr';
const READABLE = /^([1-9]\d{0,3})\.(.*)$/s;

/**
 * Encrypts a capped impression for a tracking URL: a readable device key would identify the device to every page that
 * shows the exchange's ads. The tracking id, 128 random bits that are never used twice, is the counter block. The URL's
 * MAC protects it from changes. A few microseconds.
 */
export class CapCipher {
  readonly #key: KeyObject;

  constructor(secretKey: string) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', secretKey, '', 'tracking/cap/1', 32)));
  }

  /** Returns URL-safe characters. */
  seal({ deviceKey, windowHours }: CappedImpression, trackingId: string): string {
    const cipher = createCipheriv(CIPHER, this.#key, Buffer.from(trackingId, 'base64url'));
    return cipher.update(`${windowHours}.${deviceKey}`, 'utf8', 'base64url') + cipher.final('base64url');
  }

  /** Null for a text that {@link seal} did not write. `trackingId` has 22 characters of base64url. */
  open(sealed: string, trackingId: string): CappedImpression | null {
    const decipher = createDecipheriv(CIPHER, this.#key, Buffer.from(trackingId, 'base64url'));
    const text = Buffer.concat([decipher.update(sealed, 'base64url'), decipher.final()]).toString('utf8');
    const [, hours, deviceKey] = READABLE.exec(text) ?? [];
    return deviceKey === undefined ? null : { deviceKey, windowHours: Number(hours) };
  }
}
