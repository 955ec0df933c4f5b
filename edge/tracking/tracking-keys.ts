import { hkdfSync } from 'node:crypto';
import { CapCipher } from './cap-seal.ts';
import { IdPads } from './id-pad.ts';
import { OriginCipher } from './origin-seal.ts';
import { MacKey, type Purpose } from './signature.ts';

/** Characters of {@link TrackingKeys.id}. */
export const KEY_ID_LENGTH = 4;

/** The keys with which tracking URLs are signed and encrypted, derived from one master secret. */
export class TrackingKeys {
  /**
   * Id of the master secret in the URLs made with it: 24 bits of a separate HKDF output, which reveal nothing of the
   * secret.
   */
  readonly id: string;
  readonly of: Readonly<Record<Purpose, MacKey>>;
  readonly caps: CapCipher;
  readonly origins: OriginCipher;
  /**
   * Their key streams encrypt origins. Their proofs are sent in answers to bid requests only: a caller that shows one
   * has read that answer and not the markup alone. The URL's own MAC binds the rest of the URL to the id.
   */
  readonly pads: IdPads;

  constructor(secretKey: string) {
    this.id = derived(secretKey, 'key-id', 3).toString('base64url');
    const macKey = (purpose: Purpose) => new MacKey(derived(secretKey, purpose, 32));
    this.of = { impression: macKey('impression'), win: macKey('win') };
    this.caps = new CapCipher(secretKey);
    this.origins = new OriginCipher(derived(secretKey, 'origin', 8));
    this.pads = new IdPads(derived(secretKey, 'id-pad', 32));
  }
}

/**
 * Derives a key for one purpose (HKDF, RFC 5869), so that the master secret itself never signs or encrypts anything.
 */
function derived(secretKey: string, what: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `tracking/${what}/1`, bytes));
}
