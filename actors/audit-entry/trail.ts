import type { AuditedChange } from '../../runtime/actor/audit-trail.ts';
import type { Send } from '../../runtime/actor/context.ts';
import { auditChain } from '../audit-chain/audit-chain.ts';
import { chainIdOf } from '../audit-chain/chain-link.ts';
import type { AuditEntryContent, Requester } from './audit-entry.ts';
import { entryId } from './entry-id.ts';
import { changedFields } from './redact.ts';

/**
 * Makes the entry of a requested change. The entry leaves by the outbox of the changed actor, so that it is saved with
 * the change in one write, and it arrives exactly once by way of its chain. `publicId` names a resource that is known
 * by a credential's hash.
 */
export function auditTrail(publicId: (kind: string, id: string) => string): (change: AuditedChange) => readonly Send[] {
  return ({ kind, id, type, body, position, nowMs, before, after, entry: holds, by }) => {
    const resource = `${kind}/${publicId(kind, id)}`;
    const fields = holds === 'message' ? changedFields(kind, {}, body) : changedFields(kind, before, after);
    const entry: AuditEntryContent = {
      key: entryId(position, resource),
      atMs: nowMs,
      by: by as Requester,
      action: type,
      resource,
      ...fields,
    };
    return [{ to: `${auditChain.kind}/${chainIdOf(entry)}`, type: 'add', body: entry }];
  };
}
