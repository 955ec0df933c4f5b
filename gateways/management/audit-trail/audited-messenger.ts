import { auditChain } from '#actors/audit-chain/audit-chain';
import { chainIdOf } from '#actors/audit-chain/chain-link';
import type { Requester } from '#actors/audit-entry/audit-entry';
import { entryId } from '#actors/audit-entry/entry-id';
import type { Messenger } from '#runtime/actor/messenger';
import { positionOf } from '#runtime/ports/position';
import { networkOf } from '../../http/network-of.ts';
import type { ManagementDeps } from '../deps.ts';
import type { AuditedCaller } from '../identity/caller.ts';
import type { AnyRoute } from '../routing/route.ts';

/** Whether a route makes changes that the audit trail records. */
export function isAudited({ method, access, trail }: Pick<AnyRoute, 'method' | 'access' | 'trail'>): boolean {
  return method !== 'GET' && access !== 'public' && trail !== 'none';
}

export function requesterOf(
  route: AnyRoute,
  { accountId, by }: AuditedCaller,
  requestId: string,
  address: string,
): Requester {
  return {
    requestId,
    actor: by.kind === 'session' ? `user/${by.userId}` : `api-key/${by.keyId}`,
    accountId,
    address: networkOf(address, { v4: 24, v6: 48 }),
    route: `${route.method} ${route.path}`,
  };
}

/** A messenger that states the requester with every ask, so that the changes leave entries in the audit trail. */
export function auditedMessenger(messenger: Messenger, by: Requester): Messenger {
  return {
    tell: (kind, id, type, body) => messenger.tell(kind, id, type, body),
    ask: (kind, id, type, body, options) => messenger.ask(kind, id, type, body, { by, ...options }),
  };
}

/**
 * Writes the audit entry of a change that no single actor makes, right before the change. A process that dies in
 * between leaves an entry of a change that did not happen, but never a change without an entry.
 */
export async function writeAuditEntry(
  { messenger, clock, random }: Pick<ManagementDeps, 'messenger' | 'clock' | 'random'>,
  by: Requester,
  { action, resource, after }: { readonly action: string; readonly resource: string; readonly after: object },
): Promise<void> {
  const atMs = clock.now();
  const key = `${entryId(positionOf(atMs, 0), resource)}.${random.id()}`;
  const entry = { key, atMs, by, action, resource, before: {}, after: { ...after } };
  await messenger.ask(auditChain, chainIdOf(entry), 'add', entry);
}
