import Type, { type Static } from 'typebox';
import { Nullable, Timestamp } from '#actors/api-schemas';
import { type AuditEntry, auditEntry } from '#actors/audit-entry/audit-entry';
import { lowestEntryId } from '#actors/audit-entry/entry-id';
import { ApiError } from '#gateways/errors';
import type { Condition } from '#runtime/ports/store';
import { defineRoute } from '../../routing/route.ts';

const Fields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The fields that changed, as the exchange keeps them; secrets are `(withheld)`.',
});

const Entry = Type.Object(
  {
    position: Type.String({ description: 'Its place in the trail, which is in the order of changes.' }),
    at: Timestamp,
    actor: Type.String({ description: '`user/<id>` or `api-key/<id>`; `command/<name>`: a command on the machine.' }),
    account_id: Type.String({ description: 'The account on whose behalf the actor asked.' }),
    address: Type.String({ description: "The caller's network: a /24, or a /48 of IPv6." }),
    action: Type.String(),
    resource: Type.String({ description: '`<kind>/<id>`.' }),
    route: Type.String(),
    request_id: Type.String(),
    before: Fields,
    after: Fields,
    index: Type.Integer({ description: 'Its place in the chain of its account and UTC day, from 0.' }),
    previous_hash: Type.String({ description: 'The hash of the entry before it in the chain; empty of the first.' }),
    hash: Type.String({ description: 'SHA-256 over what the entry says, its index and the previous hash.' }),
  },
  { title: 'AuditEntry' },
);

const example: Static<typeof Entry> = {
  position: '1772357400000-00000000.publisher.7c1f',
  at: '2026-03-01T09:30:00.000Z',
  actor: 'user/0d8f2c1e-5b7a-4f57-9a63-2f1c9a4be001',
  account_id: '00000000-0000-4000-8000-000000000001',
  address: '198.51.100.0/24',
  action: 'set-fee',
  resource: 'publisher/7c1f2c1e-5b7a-4f57-9a63-2f1c9a4be002',
  route: 'PUT /api/fees/:source_id',
  request_id: 'b7b1f0b2',
  before: { feePpm: 100_000 },
  after: { feePpm: 125_000 },
  index: 0,
  previous_hash: '',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

export const listAuditTrail = defineRoute({
  method: 'GET',
  path: '/api/audit-trail',
  tag: 'Operators',
  operationId: 'listAuditEntries',
  summary: 'List who changed what, newest first',
  description:
    'Every change that the management API makes leaves one entry for each resource that it changed, saved with the change itself. Entries are written once: nothing changes or deletes them before ten years are over. The entries of an account and UTC day are a chain of hashes, which `npm run audit` recomputes.',
  access: 'operator',
  query: Type.Object({
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Entries at or after it.' })),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Entries before it.' })),
    actor: Type.Optional(Type.String({ maxLength: 200 })),
    resource: Type.Optional(Type.String({ maxLength: 400 })),
    account_id: Type.Optional(Type.String({ maxLength: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 500, description: '`next_cursor` of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  }),
  examples: { answer: { entries: [example], next_cursor: null } },
  answer: {
    status: 200,
    schema: Type.Object({
      entries: Type.Array(Entry),
      next_cursor: Nullable(Type.String({ description: 'Null on the last page.' })),
    }),
    headers: { 'Cache-Control': 'no-store' },
    csv: ({ entries }) => ({
      columns: Object.keys(example),
      rows: entries.map((entry) =>
        Object.values(entry).map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
      ),
    }),
  },
  async handle({ query: { from, until, actor, resource, account_id: accountId, cursor, limit = 50 }, parts }) {
    const untilKey = until === undefined ? undefined : lowestEntryId(Date.parse(until));
    const below = [cursor, untilKey].filter((key) => key !== undefined).sort()[0];
    const key = { gte: from === undefined ? lowestEntryId(0) : lowestEntryId(Date.parse(from)), lt: below ?? 'z' };
    if (key.gte > key.lt) throw new ApiError('INVALID_PARAMS', 'from is not before until.', 'from');
    const where: Record<string, Condition> = { key };
    if (actor !== undefined) where['by.actor'] = actor;
    if (resource !== undefined) where.resource = resource;
    if (accountId !== undefined) where['by.accountId'] = accountId;
    const options = { where, orderBy: 'key', descending: true, limit: limit + 1 };
    const { documents } = await parts.store.query(auditEntry.kind, options);
    const entries = documents.slice(0, limit).map(({ state }) => show(state as AuditEntry));
    return { entries, next_cursor: documents.length > limit ? entries.at(-1)!.position : null };
  },
});

function show({ key, atMs, by, action, resource, before, after, links }: AuditEntry): Static<typeof Entry> {
  const { actor, accountId, address, route, requestId } = by;
  const who = { actor, account_id: accountId, address };
  const at = new Date(atMs).toISOString();
  const [{ index, previous, hash }] = links as [AuditEntry['links'][number]];
  const place = { index, previous_hash: previous, hash };
  return { position: key, at, ...who, action, resource, route, request_id: requestId, before, after, ...place };
}
