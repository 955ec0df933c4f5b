import type { Send } from '../../runtime/actor/context.ts';
import type { Change } from '../../runtime/actor/trail.ts';
import type { AskedBy, AuditEntry } from './audit-entry.ts';
import { entryId } from './entry-id.ts';
import { changedFields } from './redact.ts';

/** Kinds whose every change that somebody asks for is an entry. */
const WHOLE = new Set([
  'account',
  'api-key',
  'campaign',
  'dsp',
  'partner',
  'pool',
  'publisher',
  'strategy',
  'user',
  'webhook',
]);
/** Of other kinds these messages alone are entries, with what they say instead of states, which are machinery. */
const NAMED = new Set(['adjustment/book', 'session/revoke', 'job-lease/request', 'webhook-lane/enqueue']);
/** A reset of the sandbox is one entry, made by the route, and not one of each source. */
const OF_ROUTE = new Set(['flush-sandbox']);

/**
 * The entry of a change that somebody asked for: it leaves by the outbox of the actor that was changed, so that it is saved with the
 * change in one write, and arrives exactly once. `publicId` names what is known by a credential's hash.
 */
export function auditTrail(publicId: (kind: string, id: string) => string): (change: Change) => readonly Send[] {
  return ({ kind, id, type, body, position, nowMs, before, after, by }) => {
    const whole = WHOLE.has(kind) && !OF_ROUTE.has(type);
    if (!whole && !NAMED.has(`${kind}/${type}`)) return [];
    const resource = `${kind}/${publicId(kind, id)}`;
    const fields = whole ? changedFields(kind, before, after) : changedFields(kind, {}, body);
    const entry: Omit<AuditEntry, 'key'> = { atMs: nowMs, by: by as AskedBy, action: type, resource, ...fields };
    return [{ to: `audit-entry/${entryId(position, resource)}`, type: 'record', body: entry }];
  };
}
