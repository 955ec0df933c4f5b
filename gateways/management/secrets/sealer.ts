import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts text for storage, so that a reader of the store alone learns nothing. */
export interface Sealer {
  /** Returns `v1.<nonce, ciphertext and tag in base64url>`; sealing the same text twice gives two different results. */
  seal(text: string): string;
  /**
   * Returns the sealed text.
   * @throws SealBroken when the text was sealed under another key or for another purpose, or was altered
   */
  open(sealed: string): string;
  /**
   * Seals the same text under the present master secret; null when it is already sealed under it.
   * @throws SealBroken as `open` does
   */
  reseal(sealed: string): string | null;
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

const version = 'v1.';
const cipher = 'aes-256-gcm';
const keyBytes = 32;
/** NIST SP 800-38D §8.2.2: random nonces of 96 bits are safe for 2^32 texts under one key. */
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Seals by AES-256-GCM under a key derived (HKDF-SHA-256, RFC 5869) from the master secret for one purpose. Text sealed
 * for one purpose, such as `source-key`, cannot be opened for another, and the master secret itself encrypts nothing.
 * Text sealed under one of the `previous` master secrets can still be opened.
 */
export function sealer(secretKey: string, purpose: string, previous: readonly string[] = []): Sealer {
  const key = derived(secretKey, purpose);
  const earlier = previous.map((secret) => derived(secret, purpose));
  const open = (sealed: string) => {
    for (const one of [key, ...earlier]) {
      const text = unsealed(sealed, one);
      if (text !== null) return text;
    }
    throw new SealBroken('sealed under another key or for another purpose, or altered');
  };
  const seal = (text: string) => {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
    const encrypted = Buffer.concat([nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
    return version + encrypted.toString('base64url');
  };
  return { seal, open, reseal: (sealed) => (unsealed(sealed, key) === null ? seal(open(sealed)) : null) };
}

function derived(secretKey: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secretKey, '', `sealed:${purpose}`, keyBytes));
}

/** Opens a sealed text with this key; null when it was sealed under another key. */
function unsealed(sealed: string, key: Uint8Array): string | null {
  const bytes = sealed.startsWith(version) ? Buffer.from(sealed.slice(version.length), 'base64url') : null;
  if (bytes === null || bytes.length < nonceBytes + tagBytes) throw new SealBroken('not a sealed text');
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAuthTag(bytes.subarray(-tagBytes));
  const text = opening.update(bytes.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([text, opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}
