/** Limits of WebSockets in one process. */
export interface LiveSettings {
  /** Open WebSockets at most. */
  readonly maxSockets: number;
  /** Open WebSockets of one API key or one session at most. */
  readonly maxSocketsPerCredential: number;
}

/**
 * Open WebSockets of all credentials of an account at most: an account can create any number of credentials, and must
 * leave room for others.
 */
export function maxSocketsPerAccount({ maxSockets, maxSocketsPerCredential }: LiveSettings): number {
  return Math.max(maxSocketsPerCredential, Math.floor(maxSockets / 4));
}

export const DEFAULT_LIVE_SETTINGS: LiveSettings = { maxSockets: 10_000, maxSocketsPerCredential: 1_000 };
