import { randomBytes } from 'node:crypto';

const PREFIX = 'withdrawn:';

/**
 * Makes the stored form of a value that was withdrawn. Release 0.4 takes it for the value itself: a random part, which
 * is known to nobody, keeps what it would sign from being forged.
 */
export function withdrawnValue(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Whether the stored text stands for a withdrawn value. Data of unreleased versions have the empty text. */
export function isWithdrawn(stored: string): boolean {
  return stored === '' || stored.startsWith(PREFIX);
}
