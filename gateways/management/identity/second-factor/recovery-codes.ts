import { Secret } from 'otpauth';
import { RECOVERY_CODES } from '#actors/user/second-factor';
import { credentialId } from '#gateways/http/credential-id';
import type { Random } from '#runtime/ports/random';

/** The size of a code: 80 bits, too many to find a code by its hash. */
const CODE_BYTES = 10;
const form = /^[a-z2-7]{16}$/;

/** Generates 10 codes such as `mzxw-6ytb-oi7d-k3q2`. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const bytes = Buffer.from(random.id(), 'base64url').subarray(0, CODE_BYTES);
    const characters = new Secret({ buffer: new Uint8Array(bytes).buffer }).base32.toLowerCase();
    return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4)).join('-');
  });
}

/**
 * The stored form of a recovery code, however it was typed: SHA-256, hex. Null for a text that cannot be a recovery
 * code.
 */
export function recoveryHashOf(code: string): string | null {
  const characters = code.replaceAll(/[\s-]/g, '').toLowerCase();
  return form.test(characters) ? credentialId(characters) : null;
}
