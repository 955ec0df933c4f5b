/** Of one process. */
export interface LiveSettings {
  /** WebSockets open at a time. */
  readonly maxSockets: number;
  /** Of one API key, or one session. */
  readonly maxSocketsPerCredential: number;
}

/** Of all credentials of an account together: it can make as many as it likes, and is not to take all others' room. */
export function maxSocketsPerAccount({ maxSockets, maxSocketsPerCredential }: LiveSettings): number {
  return Math.max(maxSocketsPerCredential, Math.floor(maxSockets / 4));
}

export const DEFAULT_LIVE_SETTINGS: LiveSettings = { maxSockets: 10_000, maxSocketsPerCredential: 1_000 };
