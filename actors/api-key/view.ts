/** What every gateway knows of an API key; its id is the SHA-256 (hex) of the key, never the key. */
export interface ApiKeyView {
  readonly id: string;
  readonly accountId: string;
  readonly environment: 'live' | 'sandbox';
}
