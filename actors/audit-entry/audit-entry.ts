import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';

/** Who asked for a change: travels with the message that makes it. */
export const AskedBy = Type.Object({
  requestId: Type.String({ maxLength: 200 }),
  /** `user/<id>` or `api-key/<public id>`. */
  actor: Type.String({ maxLength: 200 }),
  accountId: Type.String({ maxLength: 100 }),
  /** The caller's network: a /24 or a /48. */
  address: Type.String({ maxLength: 100 }),
  /** `PUT /api/fees/:source_id`. */
  route: Type.String({ maxLength: 200 }),
});
export type AskedBy = Static<typeof AskedBy>;

/** Fields of a resource by name: those that a change has altered, without what is secret. */
const Fields = Type.Record(Type.String(), Type.Unknown());

export const AuditEntry = Type.Object({
  /** Its place in the trail, which sorts by it: see entry-id.ts. '' while nothing was written. */
  key: Type.String({ maxLength: 400 }),
  /** By the log's clock, ms since the epoch. */
  atMs: Type.Integer({ minimum: 0 }),
  by: AskedBy,
  /** What was done: a message of the actor that was changed, `set-fee`. */
  action: Type.String({ maxLength: 100 }),
  /** `publisher/<id>`. */
  resource: Type.String({ maxLength: 400 }),
  before: Fields,
  after: Fields,
});
export type AuditEntry = Static<typeof AuditEntry>;

const none: AuditEntry = {
  key: '',
  atMs: 0,
  by: { requestId: '', actor: '', accountId: '', address: '', route: '' },
  action: '',
  resource: '',
  before: {},
  after: {},
};

/**
 * One entry of the audit trail. It is written once: there is no message that changes or deletes it, and what is sent again under its
 * id changes nothing. Id: its key.
 */
export const auditEntry = defineActor({
  kind: 'audit-entry',
  schemaVersion: 1,
  saving: 'eager',
  state: AuditEntry,
  messages: { record: Type.Omit(AuditEntry, ['key']) },
  initial: () => none,
  handle: (state, { body }, { id }) =>
    state.key === '' ? { state: { key: id, ...body }, reply: null } : { reply: null },
  indexes: ['key', 'by.actor', 'resource', 'by.accountId'],
});
