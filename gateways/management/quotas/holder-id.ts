import { createHash } from 'node:crypto';

/**
 * The name of a holder. It is short, since an account has tens of thousands of holders and one document names them all.
 */
export function quotaHolderId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16);
}
