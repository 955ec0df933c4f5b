/** The projection of an API key, which every gateway holds; its id is the SHA-256 (hex) of the key, never the key. */
export interface ApiKeyProjection {
  readonly id: string;
  readonly accountId: string;
  readonly environment: 'live' | 'sandbox';
  /** The key ends at this instant, ms since the epoch. Null: it does not expire. */
  readonly expiresAtMs: number | null;
}

export function hasExpired({ expiresAtMs }: Pick<ApiKeyProjection, 'expiresAtMs'>, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}
