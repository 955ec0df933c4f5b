/** Of one process. */
export interface LiveSettings {
  /** WebSockets open at a time. */
  readonly maxSockets: number;
  /** Of one API key, or one session. */
  readonly maxSocketsPerCredential: number;
}

export const DEFAULT_LIVE_SETTINGS: LiveSettings = { maxSockets: 10_000, maxSocketsPerCredential: 1_000 };
