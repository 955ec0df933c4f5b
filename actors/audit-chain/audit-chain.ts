import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { AuditEntryContent, auditEntry } from '../audit-entry/audit-entry.ts';
import { dayOfChain, linkHash } from './chain-link.ts';

/**
 * A changed actor is remembered for this many ms, or until 10,000 others have changed. An actor that was killed before
 * it cleared its outbox sends again at its next start.
 */
const REMEMBER_ACTORS_MS = 3_600_000;

export const AuditChain = Type.Object({
  /** UTC. '' while the chain has no entry. */
  day: Type.String({ maxLength: 10 }),
  /** The number of entries that were added. */
  count: Type.Integer({ minimum: 0 }),
  /** The hash of the last entry: see chain-link.ts. */
  head: Type.String({ maxLength: 64 }),
});
export type AuditChain = Static<typeof AuditChain>;

/**
 * The audit chain orders the entries of one account and UTC day so that none can be altered, removed, inserted or moved
 * unnoticed: each carries the hash of the one before it. Id: see chain-link.ts.
 *
 * An actor that the chain has forgotten may send its last changes again. These entries get a second place in the chain,
 * which does no harm: see audit-entry.ts.
 */
export const auditChain = defineActor({
  kind: 'audit-chain',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are the trail.' },
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
