import { BSON, type ClientSession, type Collection, type Document, type Filter, type FindOptions } from 'mongodb';
import { comparePositions, type Position } from '../../ports/position.ts';
import type { ActorDocument, FoundDocument } from '../../ports/store.ts';
import { type InSession, within } from './causal-times.ts';
import { type DocumentAtRest, documentFromRest } from './document-at-rest.ts';
import { withDeadline } from './with-deadline.ts';

/** The maximum number of ids in one command. */
const LOAD_IDS = 64;
const PAGE_DOCUMENTS = 200;
/** The page size for documents of which little is read. */
const HEADS = 2_000;
/** A page that is larger than this is followed by a smaller one, bytes. */
const PAGE_BYTES = 8 * 1_048_576;

/** The options of a read: those of each of its commands. */
export interface ReadOptions {
  /** The deadline of one command with its answer, ms. */
  readonly timeoutMs: number;
  /** Runs each command in a session of its own. */
  readonly inSession: InSession;
  readonly find?: FindOptions;
}

interface Batch {
  readonly documents: DocumentAtRest[];
  readonly bytes: number;
  /** False when the server has more than fits into one answer: 16 MB of documents. */
  readonly complete: boolean;
}

/**
 * Reads only the first answer to a `find`: `maxTimeMS` counts for all answers of a cursor together, so an answer with
 * its own deadline needs a command of its own.
 */
function firstBatch(
  what: string,
  collection: Collection<DocumentAtRest>,
  filter: Filter<DocumentAtRest>,
  { timeoutMs, inSession, find }: ReadOptions,
): Promise<Batch> {
  const read = async (session?: ClientSession): Promise<Batch> => {
    const options = { ...find, ...within(session), maxTimeMS: timeoutMs, raw: true } as const;
    const cursor = collection.find<Uint8Array>(filter as Document, options);
    try {
      await cursor.hasNext();
      const buffers = cursor.readBufferedDocuments() as unknown as Uint8Array[];
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
      const documents = buffers.map((buffer) => BSON.deserialize(buffer) as DocumentAtRest);
      return { documents, bytes, complete: cursor.id === undefined || cursor.id.isZero() };
    } finally {
      await cursor.close();
    }
  };
  return withDeadline(timeoutMs, what, () => inSession(read));
}

/** Loads documents by id, in chunks with a deadline each. */
export async function loadInParts(
  collection: Collection<DocumentAtRest>,
  kind: string,
  ids: readonly string[],
  options: ReadOptions,
): Promise<Map<string, ActorDocument>> {
  const found = new Map<string, ActorDocument>();
  for (let start = 0; start < ids.length; start += LOAD_IDS) {
    let wanted: readonly string[] = ids.slice(start, start + LOAD_IDS);
    while (wanted.length > 0) {
      const _id = wanted.length === 1 ? wanted[0]! : { $in: [...wanted] };
      const find = { ...options.find, batchSize: LOAD_IDS };
      const { documents, complete } = await firstBatch('load', collection, { _id }, { ...options, find });
      for (const stored of documents) found.set(stored._id, documentFromRest(kind, stored));
      wanted = complete ? [] : wanted.filter((id) => !found.has(id));
    }
  }
  return found;
}

/** The first `limit` documents that match after an id, in as many commands as their size requires. */
export async function readPage(
  collection: Collection<DocumentAtRest>,
  kind: string,
  filter: Document,
  { after, limit }: { readonly after: string; readonly limit: number },
  options: ReadOptions,
): Promise<ActorDocument[]> {
  const found: ActorDocument[] = [];
  for (let last = after; found.length < limit; ) {
    const most = Math.min(limit - found.length, PAGE_DOCUMENTS);
    const find = { ...options.find, sort: { _id: 1 }, limit: most, batchSize: most } as const;
    const behind = { ...filter, _id: { $gt: last } };
    const { documents, complete } = await firstBatch('page', collection, behind, { ...options, find });
    for (const stored of documents) found.push(documentFromRest(kind, stored));
    last = documents.at(-1)?._id ?? last;
    if (documents.length === 0 || (complete && documents.length < most)) break;
  }
  return found;
}

/**
 * All documents in pages by id, each with its own deadline. Documents inserted behind the current page are missed; a
 * caller that follows a log of changes has read its tail before (law 11).
 */
export async function* scanByPages(
  collection: Collection<DocumentAtRest>,
  kind: string,
  options: ReadOptions,
): AsyncIterable<ActorDocument> {
  let filter: Filter<DocumentAtRest> = {};
  let limit = PAGE_DOCUMENTS;
  for (;;) {
    const find = { ...options.find, sort: { _id: 1 }, limit, batchSize: limit } as const;
    const { documents, bytes, complete } = await firstBatch('scan', collection, filter, { ...options, find });
    for (const stored of documents) yield documentFromRest(kind, stored);
    const last = documents.at(-1);
    if (last === undefined || (complete && documents.length < limit)) return;
    filter = { _id: { $gt: last._id } };
    const fitting = Math.floor((PAGE_BYTES / bytes) * documents.length);
    limit = Math.max(1, Math.min(PAGE_DOCUMENTS, fitting));
  }
}

/** What is read of each document where its content is not wanted. */
type Head = Pick<DocumentAtRest, '_id' | 'version'> & Partial<Pick<DocumentAtRest, 'deleted' | 'position'>>;

/** Some fields of all documents, in pages by id as {@link scanByPages} reads them. */
async function* headsByPages(
  what: string,
  collection: Collection<DocumentAtRest>,
  projection: Readonly<Record<string, 1>>,
  options: ReadOptions,
): AsyncIterable<readonly Head[]> {
  const find = { ...options.find, projection, sort: { _id: 1 }, limit: HEADS, batchSize: HEADS } as const;
  for (let filter: Filter<DocumentAtRest> = {}; ; ) {
    const { documents, complete } = await firstBatch(what, collection, filter, { ...options, find });
    yield documents;
    const last = documents.at(-1);
    if (last === undefined || (complete && documents.length < HEADS)) return;
    filter = { _id: { $gt: last._id } };
  }
}

/** Finds tombstones by reading the whole kind, in pages too, because no index is worth its cost for an hourly purge. */
export async function tombstonesByPages(
  collection: Collection<DocumentAtRest>,
  before: Position,
  limit: number,
  options: ReadOptions,
): Promise<FoundDocument[]> {
  const found: FoundDocument[] = [];
  const projection = { version: 1, deleted: 1, position: 1 } as const;
  for await (const heads of headsByPages('tombstones', collection, projection, options)) {
    for (const { _id, version, deleted, position } of heads) {
      if (deleted && comparePositions(position!, before) < 0) found.push({ id: _id, version });
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** The versions of all documents, in pages by id. */
export async function* versionsByPages(
  collection: Collection<DocumentAtRest>,
  options: ReadOptions,
): AsyncIterable<readonly FoundDocument[]> {
  for await (const heads of headsByPages('versions', collection, { version: 1 }, options)) yield heads.map(foundOf);
}

/** The same from one cursor, see {@link scanByCursor}. */
export async function* versionsByCursor(
  collection: Collection<DocumentAtRest>,
  options: ReadOptions,
): AsyncIterable<readonly FoundDocument[]> {
  const find = { ...options.find, projection: { version: 1 } };
  // Such a server reads whole documents for it: an answer with more of them may take longer than its deadline.
  const batches = batchesOf('versions', collection, PAGE_DOCUMENTS, { ...options, find });
  for await (const heads of batches) yield heads.map(foundOf);
}

function foundOf({ _id, version }: Head): FoundDocument {
  return { id: _id, version };
}

/**
 * All documents from one cursor: for servers on which each page costs the whole collection, and a cursor has no
 * deadline of its own. Such servers have no times, so the cursor needs no session that begins after one.
 */
export async function* scanByCursor(
  collection: Collection<DocumentAtRest>,
  kind: string,
  options: ReadOptions,
): AsyncIterable<ActorDocument> {
  for await (const batch of batchesOf('scan', collection, PAGE_DOCUMENTS, options)) {
    for (const stored of batch) yield documentFromRest(kind, stored);
  }
}

/** The answers of one cursor, each with its own deadline. */
async function* batchesOf(
  what: string,
  collection: Collection<DocumentAtRest>,
  batchSize: number,
  { timeoutMs, find }: ReadOptions,
): AsyncIterable<DocumentAtRest[]> {
  const cursor = collection.find({}, { ...find, batchSize });
  try {
    while (await withDeadline(timeoutMs, what, () => cursor.hasNext())) yield cursor.readBufferedDocuments();
  } finally {
    await withDeadline(timeoutMs, what, () => cursor.close()).catch(() => {});
  }
}
