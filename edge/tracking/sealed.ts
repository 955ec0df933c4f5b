import { ORIGIN_LENGTH } from './origin-seal.ts';
import { KEY_ID_LENGTH } from './tracking-keys.ts';

/**
 * First character of the parameter `cap`: `~`, the id of the master secret that the URL was signed with, the sealed
 * origin of its request and, for a capped campaign, the sealed impression. URLs of release 0.4 have the sealed
 * impression alone, or no `cap`. Edges of that release sign `cap` as it stands, so that they accept these URLs as well.
 */
export const SEALED_PREFIX = '~';

export interface SealedParameter {
  readonly keyId: string;
  readonly origin: string;
  /** Null without a frequency cap. */
  readonly viewing: string | null;
}

const ORIGIN_AT = SEALED_PREFIX.length + KEY_ID_LENGTH;
const VIEWING_AT = ORIGIN_AT + ORIGIN_LENGTH;

/** Null for a `cap` of release 0.4, or none. */
export function readSealed(cap: string | null): SealedParameter | null {
  if (cap === null || !cap.startsWith(SEALED_PREFIX)) return null;
  const viewing = cap.length > VIEWING_AT ? cap.slice(VIEWING_AT) : null;
  return { keyId: cap.slice(SEALED_PREFIX.length, ORIGIN_AT), origin: cap.slice(ORIGIN_AT, VIEWING_AT), viewing };
}
