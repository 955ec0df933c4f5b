import { hkdfSync } from 'node:crypto';
import { CapCipher } from './cap-seal.ts';
import { IdPads } from './id-pad.ts';
import { OriginCipher } from './origin-seal.ts';
import { MacKey, type Purpose } from './signature.ts';

/** Characters of {@link TrackingKeys.id}. */
export const KEY_ID_LENGTH = 4;

/** All that tracking URLs are signed and sealed with, derived from one master secret. */
export class TrackingKeys {
  /** Names the master secret in the URLs made with it and says nothing of it: 24 bits of an HKDF output of its own. */
  readonly id: string;
  readonly of: Readonly<Record<Purpose, MacKey>>;
  readonly caps: CapCipher;
  readonly origins: OriginCipher;
  /**
   * Their streams seal origins. Their proofs are told by answers to bid requests alone: whoever shows one was told it by that answer,
   * and has not read the markup only. What else the URL says is bound to the id by the URL's own MAC.
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

/** A key of one purpose (HKDF, RFC 5869), so that nothing is ever signed or sealed with the master secret itself. */
function derived(secretKey: string, what: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `tracking/${what}/1`, bytes));
}
