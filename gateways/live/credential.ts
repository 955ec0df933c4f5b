/** The credential that a WebSocket was opened with. The socket stays open while the credential is valid. */
export type LiveCredential =
  | { readonly kind: 'api-key'; readonly hash: string }
  | { readonly kind: 'session'; readonly sessionId: string; readonly userId: string };

/** The name of a credential, the same for all of its sockets. */
export function nameOfCredential(credential: LiveCredential): string {
  return credential.kind === 'api-key' ? `key/${credential.hash}` : `session/${credential.sessionId}`;
}
