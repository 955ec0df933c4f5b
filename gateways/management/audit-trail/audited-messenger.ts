import { auditChain } from '../../../actors/audit-chain/audit-chain.ts';
import { chainIdOf } from '../../../actors/audit-chain/chain-link.ts';
import type { Requester } from '../../../actors/audit-entry/audit-entry.ts';
import { entryId } from '../../../actors/audit-entry/entry-id.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import { positionOf } from '../../../runtime/ports/position.ts';
import { networkOf } from '../../http/network-of.ts';
import type { ManagementDeps } from '../deps.ts';
import type { AuditedCaller } from '../identity/caller.ts';
import type { AnyRoute } from '../routing/route.ts';

/** Whether a route changes something that the audit trail tells of. */
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

/** A messenger whose every ask says who asked: what it changes leaves an entry in the audit trail. */
export function auditedMessenger(messenger: Messenger, by: Requester): Messenger {
  return {
    tell: (kind, id, type, body) => messenger.tell(kind, id, type, body),
    ask: (kind, id, type, body, options) => messenger.ask(kind, id, type, body, { by, ...options }),
  };
}

/**
 * Writes an entry of what no single actor does, right before it is done: a process that dies in between leaves an entry of what did
 * not happen, and never the other way round.
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
