import type { ActorDocument } from '../../ports/store.ts';

/**
 * A document at rest: a line `<version> <writer as JSON>` that a save can check without decoding the rest, then the
 * other fields as one JSON array, so that a state comes back exactly as JSON would have it.
 */
export function encodeDocument(document: ActorDocument): string {
  const { id, partition, version, writer, position, schema, deleted, state } = document;
  const { outbox, viewPending, received, replies, published } = document;
  const flags = (deleted ? 1 : 0) + (viewPending ? 2 : 0);
  return `${version} ${JSON.stringify(writer)}\n${JSON.stringify([
    id,
    partition,
    position,
    schema,
    flags,
    published,
    state,
    outbox,
    received,
    replies,
  ])}`;
}

type Fields = [
  id: string,
  partition: number,
  position: string,
  schema: number,
  flags: number,
  published: string | null,
  state: unknown,
  outbox: ActorDocument['outbox'],
  received: ActorDocument['received'],
  replies: ActorDocument['replies'],
];

export function decodeDocument(kind: string, record: string): ActorDocument {
  const end = record.indexOf('\n');
  const { version, writer } = decodeHead(record.slice(0, end));
  const fields = JSON.parse(record.slice(end + 1)) as Fields;
  const [id, partition, position, schema, flags, published, state, outbox, received, replies] = fields;
  return {
    kind,
    id,
    partition,
    version,
    writer,
    position,
    schema,
    deleted: (flags & 1) !== 0,
    state,
    outbox,
    viewPending: (flags & 2) !== 0,
    received,
    replies,
    published,
  };
}

/** What compare-and-set looks at. */
export interface DocumentHead {
  readonly version: number;
  readonly writer: string;
}

const NEWLINE = 10;

export function headOf(record: Buffer): DocumentHead {
  return decodeHead(record.toString('utf8', 0, record.indexOf(NEWLINE)));
}

function decodeHead(line: string): DocumentHead {
  const space = line.indexOf(' ');
  return { version: Number(line.slice(0, space)), writer: JSON.parse(line.slice(space + 1)) as string };
}

/** Without decoding the rest. */
export function idOf(record: string): string {
  const [, id] = /^\[("(?:[^"\\]|\\.)*")/.exec(record.slice(record.indexOf('\n') + 1)) as unknown as [string, string];
  return JSON.parse(id) as string;
}

export function versionOf(record: string): number {
  return Number(record.slice(0, record.indexOf(' ')));
}
