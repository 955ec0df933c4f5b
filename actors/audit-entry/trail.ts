import type { AuditedChange } from '../../runtime/actor/audit-trail.ts';
import type { Send } from '../../runtime/actor/context.ts';
import { auditChain } from '../audit-chain/audit-chain.ts';
import { chainIdOf } from '../audit-chain/chain-link.ts';
import type { AuditEntryContent, Requester } from './audit-entry.ts';
import { entryId } from './entry-id.ts';
import { changedFields } from './redact.ts';

/** The kinds whose every requested change is an entry. */
export const AUDITED_KINDS: ReadonlySet<string> = new Set([
  'account',
  'api-key',
  'campaign',
  'dsp',
  'invitation',
  'partner',
  'pool',
  'publisher',
  'strategy',
  'user',
  'webhook',
]);
/**
 * The messages of other kinds that are entries. Their entry holds the message instead of the states, which are
 * internal.
 */
export const AUDITED_MESSAGES: ReadonlySet<string> = new Set([
  'adjustment/book',
  'session/open',
  'session/end',
  'session/revoke',
  'job-lease/request',
  'webhook-lane/enqueue',
]);
/** A reset of the sandbox is one entry, made by the route, instead of one for each source. */
const AUDITED_BY_ROUTE = new Set(['flush-sandbox']);

/**
 * The kinds, and messages of the kinds above, that leave no entry, with the reason. Each kind of actor is in one of
 * these lists.
 */
export const UNAUDITED: Readonly<Record<string, string>> = {
  asset: 'is known by the hash of its bytes: what uses one is a change of its campaign',
  'auction-record': 'is written by auctions',
  'audit-chain': 'is the trail',
  'audit-entry': 'is the trail',
  'bidder-health': 'is written by auctions; resetting a breaker is a change of the demand source',
  budget: 'follows the settings of its holder, whose change is an entry',
  'creative-disk': 'counts the bytes of assets, a consequence of uploads',
  'feed-page': 'is written by auctions',
  'fill-rate-watch': 'is written by a job',
  job: 'notes the runs of jobs; asking for one is an entry of the lease',
  'job-lease/hold': 'is asked by processes',
  'job-lease/let-go': 'is asked by processes',
  ledger: 'adds up what was traded',
  name: 'is claimed for a resource, whose change is an entry',
  operators: 'counts operators, each of whom is a user whose change is an entry',
  quota: 'counts resources, whose change is an entry',
  'session/expire': 'ends by time alone',
  'session/touch': 'is the use of a session and changes nothing else',
  statement: 'is written by the end of a month',
  tally: 'adds up what was traded',
  verification: 'is written by whoever reads ads.txt; asking for it changes nothing that anybody set',
  watermark: 'is written by the books',
  'webhook-delivery': 'follows its lane, where sending it again is an entry',
  'webhook-lane/abandon': 'is a consequence of removing or disabling the webhook',
  'webhook-lane/attempted': 'is told by whoever delivers',
  'webhook-roll': 'lists webhooks, whose change is an entry',
};

/**
 * Makes the entry of a requested change. The entry leaves by the outbox of the changed actor, so that it is saved with
 * the change in one write, and it arrives exactly once by way of its chain. `publicId` names a resource that is known
 * by a credential's hash.
 */
export function auditTrail(publicId: (kind: string, id: string) => string): (change: AuditedChange) => readonly Send[] {
  return ({ kind, id, type, body, position, nowMs, before, after, by }) => {
    const whole = AUDITED_KINDS.has(kind) && !AUDITED_BY_ROUTE.has(type);
    if (!whole && !AUDITED_MESSAGES.has(`${kind}/${type}`)) return [];
    const resource = `${kind}/${publicId(kind, id)}`;
    const fields = whole ? changedFields(kind, before, after) : changedFields(kind, {}, body);
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
