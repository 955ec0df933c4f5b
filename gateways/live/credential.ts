/** What a WebSocket was opened with: it stays open for as long as that is valid. */
export type LiveCredential =
  | { readonly kind: 'api-key'; readonly hash: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly userId: string };

/** The same for all sockets of one credential. */
export function nameOfCredential(credential: LiveCredential): string {
  return credential.kind === 'api-key' ? `key/${credential.hash}` : `session/${credential.sessionId}`;
}
