/** What every gateway knows of an API key; its id is the SHA-256 (hex) of the key, never the key. */
export interface ApiKeyProjection {
  readonly id: string;
  readonly accountId: string;
  readonly environment: 'live' | 'sandbox';
  /** ms since the epoch: from then on it is no key any more. Null: it does not expire. */
  readonly expiresAtMs: number | null;
}

export function hasExpired({ expiresAtMs }: Pick<ApiKeyProjection, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}
