import { hash } from 'node:crypto';

/** Hexadecimal characters of a fingerprint and of a creative's id: 128 bits. */
const LENGTH = 32;

/** The fingerprint of a creative: 32 hexadecimal characters of the SHA-256 of its template. */
export function fingerprintOf(template: string): string {
  return hash('sha256', template).slice(0, LENGTH);
}

/** What a bidder calls a creative, and the fingerprint of its markup. */
export interface CreativeIdentity {
  readonly dspId: string;
  /** '' where the bid has none. */
  readonly crid: string;
  readonly fingerprint: string;
}

/**
 * The id of a creative: 32 hexadecimal characters. Other markup under the same `crid` is another creative, and so is
 * the same markup of another demand source.
 */
export function creativeId({ dspId, crid, fingerprint }: CreativeIdentity): string {
  return hash('sha256', `${dspId}\n${fingerprint}\n${crid}`).slice(0, LENGTH);
}
