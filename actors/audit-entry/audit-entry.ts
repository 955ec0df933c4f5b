import Type, { type Static } from 'typebox';
import { defineActor } from '../../runtime/actor/define-actor.ts';
import { chainIdOf, linkHash } from '../audit-chain/chain-link.ts';

/** Who asked for a change: travels with the message that makes it. */
export const Requester = Type.Object({
  requestId: Type.String({ maxLength: 200 }),
  /** `user/<id>`, `api-key/<public id>`, or `command/<name>` for a command on the machine. */
  actor: Type.String({ maxLength: 200 }),
  accountId: Type.String({ maxLength: 100 }),
  /** The caller's network: a /24 or a /48; of a command the machine's user. */
  address: Type.String({ maxLength: 100 }),
  /** `PUT /api/fees/:source_id`. */
  route: Type.String({ maxLength: 200 }),
});
export type Requester = Static<typeof Requester>;

/** Fields of a resource by name: those that a change has altered, without what is secret. */
const Fields = Type.Record(Type.String(), Type.Unknown());

/** What an entry says, as the actor that was changed tells it. */
export const AuditEntryContent = Type.Object({
  /** Its place in the trail, which sorts by it: see entry-id.ts. '' while nothing was written. */
  key: Type.String({ maxLength: 400 }),
  /** By the log's clock, ms since the epoch. */
  atMs: Type.Integer({ minimum: 0 }),
  by: Requester,
  /** What was done: a message of the actor that was changed, `set-fee`. */
  action: Type.String({ maxLength: 100 }),
  /** `publisher/<id>`. */
  resource: Type.String({ maxLength: 400 }),
  before: Fields,
  after: Fields,
});
export type AuditEntryContent = Static<typeof AuditEntryContent>;

/** A place in a chain: see audit-chain/chain-link.ts. */
const Link = Type.Object({
  index: Type.Integer({ minimum: 0 }),
  /** The hash of the entry before it; '' of the first. */
  previous: Type.String({ maxLength: 64 }),
  hash: Type.String({ maxLength: 64 }),
});

export const AuditEntry = Type.Interface([AuditEntryContent], {
  /** Id of its chain. */
  chain: Type.String({ maxLength: 200 }),
  /** One, but of an entry that its chain was told twice. */
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
 * One entry of the audit trail. It is written once: no message changes or deletes what it says, and what is sent again under its
 * id is one more place in the chain if it is the same text, and else changes nothing. Id: its key.
 */
export const auditEntry = defineActor({
  kind: 'audit-entry',
  schemaVersion: 1,
  saving: 'eager',
  state: AuditEntry,
  messages: { record: Type.Interface([Type.Omit(AuditEntryContent, ['key'])], { link: Link }) },
  initial: () => emptyAuditEntry,
  handlers: {
    record(state, { link, ...told }, { id }) {
      const entry = state.key === '' ? { key: id, ...told, chain: '', links: [] } : state;
      // Of another text, or of another place, it is no link of a chain.
      if (link.hash !== linkHash(link.index, link.previous, entry)) return { reply: null };
      if (entry.links.some(({ index }) => index === link.index)) return { reply: null };
      return { state: { ...entry, chain: chainIdOf(entry), links: [...entry.links, link] }, reply: null };
    },
  },
  indexes: ['key', 'by.actor', 'resource', 'by.accountId', 'chain'],
});
