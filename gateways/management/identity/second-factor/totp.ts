import { Secret, TOTP } from 'otpauth';
import type { Random } from '#runtime/ports/random';

/** The size of a shared secret in bytes: 160 bits (RFC 4226 §4, R6). */
const SECRET_BYTES = 20;
/**
 * The steps before and after the present one whose codes are accepted, for clocks that differ and people who type
 * slowly (RFC 6238 §5.2).
 */
const STEPS_EITHER_WAY = 1;
/** The form that every authenticator app supports: HMAC-SHA-1, 6 digits, 30 s. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Generates a shared secret, in base32. */
export function newTotpSecret(random: Random): string {
  const bytes = Buffer.concat([random.id(), random.id()].map((id) => Buffer.from(id, 'base64url')));
  return new Secret({ buffer: new Uint8Array(bytes.subarray(0, SECRET_BYTES)).buffer }).base32;
}

/** The URL that an authenticator app reads from a QR code: `otpauth://totp/…`. */
export function otpauthUrl(secret: string, { issuer, label }: { readonly issuer: string; readonly label: string }) {
  return new TOTP({ ...FORM, issuer, label, secret: Secret.fromBase32(secret) }).toString();
}

/** The step (RFC 6238 §4.2) whose code this is, at `nowMs` since the epoch or next to it; null when there is none. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const totp = new TOTP({ ...FORM, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_EITHER_WAY });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
