import { type ActorDocument, MAX_DOCUMENT_BYTES } from '../../ports/store.ts';

/**
 * The length in characters from which the fields of a state are stored apart, so that some can be read without the
 * others.
 */
const APART_FROM_LENGTH = 16_384;

const DELETED = 1;
const VIEW_PENDING = 2;
const APART = 4;

/**
 * Encodes a document: a line `<version> <writer as JSON>` that a save can check without decoding the rest, then the
 * other fields as one JSON array, so that a state is read back exactly as JSON preserves it. For a large state the
 * array has null, and each of its fields follows on a line of its own, `"<name>":<JSON>`.
 */
function encodeDocument(document: ActorDocument): string {
  const { id, partition, version, writer, position, schema, deleted, state } = document;
  const { outbox, viewPending, received, replies, published } = document;
  const fields = fieldsOf(state);
  const apart = fields !== null && fields.reduce((length, field) => length + field.length, 0) >= APART_FROM_LENGTH;
  const text = apart ? 'null' : fields === null ? (JSON.stringify(state) ?? 'null') : `{${fields.join(',')}}`;
  const flags = (deleted ? DELETED : 0) + (viewPending ? VIEW_PENDING : 0) + (apart ? APART : 0);
  const before = JSON.stringify([id, partition, position, schema, flags, published]).slice(0, -1);
  const after = JSON.stringify([outbox, received, replies]).slice(1);
  const lines = [`${version} ${JSON.stringify(writer)}`, `${before},${text},${after}`, ...(apart ? fields : [])];
  return lines.join('\n');
}

/** The fields as `JSON.stringify` writes each; null when the state is not a plain object. */
function fieldsOf(state: unknown): string[] | null {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return null;
  if ('toJSON' in state && typeof state.toJSON === 'function') return null;
  return Object.entries(state).flatMap(([name, value]) => {
    const text = JSON.stringify(value);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
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
  const endOfArray = record.indexOf('\n', end + 1);
  const fields = JSON.parse(record.slice(end + 1, endOfArray === -1 ? undefined : endOfArray)) as Fields;
  // JSON contains only escaped line feeds.
  const apart = endOfArray === -1 ? null : `{${record.slice(endOfArray + 1).replaceAll('\n', ',')}}`;
  return documentOf(kind, decodeHead(record.slice(0, end)), fields, apart);
}

/** Decodes a document; a large state has only the wanted fields. */
export function decodeFields(kind: string, record: Buffer, wanted: readonly string[]): ActorDocument {
  const end = record.indexOf(NEWLINE);
  const endOfArray = record.indexOf(NEWLINE, end + 1);
  if (endOfArray === -1) return decodeDocument(kind, record.toString('utf8'));
  const prefixes = wanted.map((name) => Buffer.from(`${JSON.stringify(name)}:`));
  const found: string[] = [];
  for (let start = endOfArray + 1; start < record.length && found.length < wanted.length; ) {
    const next = record.indexOf(NEWLINE, start);
    const endOfField = next === -1 ? record.length : next;
    const isWanted = prefixes.some((prefix) => record.subarray(start, start + prefix.length).equals(prefix));
    if (isWanted) found.push(record.toString('utf8', start, endOfField));
    start = endOfField + 1;
  }
  const fields = JSON.parse(record.toString('utf8', end + 1, endOfArray)) as Fields;
  return documentOf(kind, decodeHead(record.toString('utf8', 0, end)), fields, `{${found.join(',')}}`);
}

function documentOf(kind: string, head: DocumentHead, fields: Fields, apart: string | null): ActorDocument {
  const { version, writer } = head;
  const [id, partition, position, schema, flags, published, state, outbox, received, replies] = fields;
  return {
    kind,
    id,
    partition,
    version,
    writer,
    position,
    schema,
    deleted: (flags & DELETED) !== 0,
    state: apart === null ? state : JSON.parse(apart),
    outbox,
    viewPending: (flags & VIEW_PENDING) !== 0,
    received,
    replies,
    published,
  };
}

/** The fields that compare and set checks. */
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

/** The id of a record, without decoding the rest. */
export function idOf(record: string): string {
  const [, id] = /^\[("(?:[^"\\]|\\.)*")/.exec(record.slice(record.indexOf('\n') + 1)) as unknown as [string, string];
  return JSON.parse(id) as string;
}

export function versionOf(record: string): number {
  return Number(record.slice(0, record.indexOf(' ')));
}

/**
 * Upper bound of the bytes of one UTF-16 unit in UTF-8: a text that is short enough by this bound need not be measured.
 */
const MOST_BYTES_OF_CHARACTER = 3;

/** The document as a record; null when it can never be stored. */
export function storable(document: ActorDocument): string | null {
  let record: string;
  try {
    record = encodeDocument(document);
  } catch {
    return null;
  }
  const fits = record.length * MOST_BYTES_OF_CHARACTER <= MAX_DOCUMENT_BYTES;
  return fits || Buffer.byteLength(record) <= MAX_DOCUMENT_BYTES ? record : null;
}
