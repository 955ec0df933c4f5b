import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { chainIdOf, linkHash } from '../audit-chain/chain-link.ts';

/** The requester of a change; it travels with the message that makes the change. */
export const Requester = Type.Object({
  requestId: Type.String({ maxLength: 200 }),
  /** `user/<id>`, `api-key/<public id>`, or `command/<name>` for a command on the machine. */
  actor: Type.String({ maxLength: 200 }),
  accountId: Type.String({ maxLength: 100 }),
  /** The caller's network, a /24 or a /48; for a command, the machine's user. */
  address: Type.String({ maxLength: 100 }),
  /** For example `PUT /api/fees/:source_id`. */
  route: Type.String({ maxLength: 200 }),
});
export type Requester = Static<typeof Requester>;

/** The fields of a resource that a change has altered, by name, without secrets. */
const Fields = Type.Record(Type.String(), Type.Unknown());

/** The content of an entry, as the changed actor sends it. */
export const AuditEntryContent = Type.Object({
  /** The entry's key, by which the trail sorts: see entry-id.ts. '' while nothing was written. */
  key: Type.String({ maxLength: 400 }),
  /** The time of the change by the log's clock, ms since the epoch. */
  atMs: Type.Integer({ minimum: 0 }),
  by: Requester,
  /** The message of the actor that made the change, for example `set-fee`. */
  action: Type.String({ maxLength: 100 }),
  /** For example `publisher/<id>`. */
  resource: Type.String({ maxLength: 400 }),
  before: Fields,
  after: Fields,
});
export type AuditEntryContent = Static<typeof AuditEntryContent>;

/** A place in a chain: see audit-chain/chain-link.ts. */
const Link = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  /** The hash of the entry before it; '' for the first. */
  previous: Type.String({ maxLength: 64 }),
  hash: Type.String({ maxLength: 64 }),
});

export const AuditEntry = Type.Interface([AuditEntryContent], {
  /** The id of its chain. */
  chain: Type.String({ maxLength: 200 }),
  /** One place; more for an entry that its chain received twice. */
  links: Type.Array(Link),
});
export type AuditEntry = Static<typeof AuditEntry>;

const emptyAuditEntry: AuditEntry = {
  key: '',
  atMs: 0,
  by: { requestId: '', actor: '', accountId: '', address: '', route: '' },
  action: '',
  resource: '',
  before: {},
  after: {},
  chain: '',
  links: [],
};

/**
 * One entry of the audit trail. It is written once: no message changes or deletes its content. A second message under
 * its id adds one more place in the chain if it has the same text, and changes nothing otherwise. Id: its key.
 */
export const auditEntry = defineActor({
  kind: 'audit-entry',
  schemaVersion: 1,
  saving: 'eager',
  audit: { none: 'They are the trail.' },
  state: AuditEntry,
  messages: { record: Type.Interface([Type.Omit(AuditEntryContent, ['key'])], { link: Link }) },
  initial: () => emptyAuditEntry,
  handlers: {
    record(state, { link, ...told }, { id }) {
      const entry = state.key === '' ? { key: id, ...told, chain: '', links: [] } : state;
      // The link is no link of a chain when its hash belongs to another text or another place.
      if (link.hash !== linkHash(link.index, link.previous, entry)) return { reply: null };
      if (entry.links.some(({ index }) => index === link.index)) return { reply: null };
      return { state: { ...entry, chain: chainIdOf(entry), links: [...entry.links, link] }, reply: null };
    },
  },
  indexes: ['key', 'by.actor', 'resource', 'by.accountId', 'chain'],
});
