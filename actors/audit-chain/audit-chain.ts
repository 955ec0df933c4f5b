import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { AuditEntryContent, auditEntry } from '../audit-entry/audit-entry.ts';
import { dayOfChain, linkHash } from './chain-link.ts';

/** So long a changed actor is remembered, ms: what one killed before it has cleared its outbox sends again comes at its next start. */
const REMEMBER_ACTORS_MS = 3_600_000;

export const AuditChain = Type.Object({
  /** UTC. '' while it has no entry. */
  day: Type.String({ maxLength: 10 }),
  /** How many entries it has had. */
  count: Type.Integer({ minimum: 0 }),
  /** The hash of the last of them: see chain-link.ts. */
  head: Type.String({ maxLength: 64 }),
});
export type AuditChain = Static<typeof AuditChain>;

/**
 * Puts the entries of one account and UTC day in an order in which none can be altered, removed, inserted or moved unseen: each
 * carries the hash of the one before it. Id: see chain-link.ts.
 *
 * An actor that it has forgotten may tell of its last changes again. These entries get a second place in the chain, which
 * harms nothing: see audit-entry.ts.
 */
export const auditChain = defineActor({
  kind: 'audit-chain',
  schemaVersion: 1,
  saving: 'eager',
  state: AuditChain,
  messages: { add: AuditEntryContent },
  initial: (): AuditChain => ({ day: '', count: 0, head: '' }),
  handlers: {
    add({ count, head }, body, { id }) {
      const hash = linkHash(count, head, body);
      const { key, ...told } = body;
      const recorded = { ...told, link: { index: count, previous: head, hash } };
      return {
        state: { day: dayOfChain(id), count: count + 1, head: hash },
        reply: null,
        sends: [{ to: `${auditEntry.kind}/${key}`, type: 'record', body: recorded }],
      };
    },
  },
  forgetActorsMs: REMEMBER_ACTORS_MS,
  indexes: ['day'],
});
