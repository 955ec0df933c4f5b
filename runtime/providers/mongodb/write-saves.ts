import {
  type AnyBulkWriteOperation,
  BSON,
  type Collection,
  MongoBulkWriteError,
  MongoInvalidArgumentError,
} from 'mongodb';
import { StoreUnavailable } from '../../ports/errors.ts';
import type { SaveOutcome } from '../../ports/store.ts';
import { type InSession, within } from './causal-times.ts';
import type { DocumentAtRest } from './document-at-rest.ts';
import type { PendingSave } from './save-queue.ts';
import { unavailable, withDeadline } from './with-deadline.ts';

const DUPLICATE_KEY = 11000;
/** BSONObjectTooLarge, its two likes, KeyTooLong: what the server refuses of a document whenever it comes. */
const UNSTORABLE: ReadonlySet<unknown> = new Set([10334, 17419, 17420, 17280]);

/** What a bulk command said. */
interface BulkOutcome {
  /** Saves that the server can never take. */
  readonly unstorable: readonly PendingSave[];
  /** Saves whose outcome the answer leaves open. */
  readonly open: readonly PendingSave[];
  /** Why one of them may yet take effect, or null when the server is done with all of them. */
  readonly trouble: unknown;
}

/** Law 3: each document is written only over the version before its own, in one atomic step of the database. */
function operation(document: DocumentAtRest): AnyBulkWriteOperation<DocumentAtRest> {
  if (document.version === 1) return { insertOne: { document } };
  const { _id, ...replacement } = document;
  return { replaceOne: { filter: { _id, version: document.version - 1 }, replacement } };
}

function readAnswer(saves: readonly PendingSave[], matched: number, error: MongoBulkWriteError | null): BulkOutcome {
  const failures = error === null ? [] : [error.writeErrors].flat();
  const failed = new Set(failures.map((failure) => failure.index));
  const refused = new Set(failures.filter(({ code }) => UNSTORABLE.has(code)).map(({ index }) => index));
  const unstorable = saves.filter((_, index) => refused.has(index));
  const updates = saves.filter((save, index) => save.document.version > 1 && !refused.has(index));
  const open = matched < updates.length ? updates : [];
  const rest = saves.filter((save, index) => failed.has(index) && !refused.has(index) && !open.includes(save));
  // Where statements failed, the client says of a write concern that failed too only in its result.
  const confirmed = error === null || (failures.length > 0 && error.result.getWriteConcernError() === undefined);
  if (confirmed && failures.every(({ code }) => code === DUPLICATE_KEY || UNSTORABLE.has(code)))
    return { unstorable, open: [...open, ...rest], trouble: null };
  // Not the documents were refused but their durability was not confirmed, or the server failed.
  return { unstorable: [], open: saves, trouble: error };
}

async function send(
  collection: Collection<DocumentAtRest>,
  saves: readonly PendingSave[],
  inSession: InSession,
): Promise<BulkOutcome> {
  const operations = saves.map((save) => operation(save.document));
  try {
    const { matchedCount } = await inSession((session) =>
      collection.bulkWrite(operations, { ordered: false, ...within(session) }),
    );
    return readAnswer(saves, matchedCount, null);
  } catch (error) {
    if (error instanceof MongoBulkWriteError) return readAnswer(saves, error.result.matchedCount, error);
    throw error;
  }
}

/** True when a document cannot even be sent, as one beyond the database's 16 MB; nothing was sent then. */
function isUnsendable(error: unknown): boolean {
  return error instanceof RangeError || error instanceof MongoInvalidArgumentError || error instanceof BSON.BSONError;
}

/** The outcome as the stored document tells it; null when it does not. */
function outcomeOf(wanted: DocumentAtRest, found: StoredVersion | undefined, trouble: unknown): SaveOutcome | null {
  const version = found?.version ?? 0;
  if (version === wanted.version && found?.writer === wanted.writer) return 'saved';
  // Versions only grow: what stands at or above the wanted one can never again be what this save expects.
  if (version >= wanted.version) return 'conflict';
  return trouble === null && version !== wanted.version - 1 ? 'conflict' : null;
}

type StoredVersion = Pick<DocumentAtRest, '_id' | 'version' | 'writer'>;

async function readBack(
  collection: Collection<DocumentAtRest>,
  answer: BulkOutcome,
  timeoutMs: number,
  inSession: InSession,
): Promise<void> {
  const filter = { _id: { $in: answer.open.map((save) => save.document._id) } };
  const options = { projection: { version: 1, writer: 1 }, maxTimeMS: timeoutMs };
  const stored = await inSession((session) => collection.find(filter, { ...options, ...within(session) }).toArray());
  const byId = new Map<string, StoredVersion>(stored.map((found) => [found._id, found]));
  for (const save of answer.open) {
    const outcome = outcomeOf(save.document, byId.get(save.document._id), answer.trouble);
    if (outcome) save.resolve(outcome);
    else save.reject(unavailable('save: outcome unknown', answer.trouble ?? new Error('not written, nor refused')));
  }
}

/**
 * Writes `saves` (no two of one document) and settles each of them; never rejects. Where the command's answer leaves a
 * save open, the document's version and writer are read back: our writer is there, or another's, or the outcome stays
 * unknown. All that takes `timeoutMs` at most. Tells whether the server answered.
 */
export async function writeSaves(
  collection: Collection<DocumentAtRest>,
  saves: readonly PendingSave[],
  timeoutMs: number,
  inSession: InSession,
): Promise<boolean> {
  const beganAtMs = performance.now();
  const answer = await withDeadline(timeoutMs, 'save', () => send(collection, saves, inSession)).catch(
    (trouble: unknown): BulkOutcome => ({ unstorable: [], open: saves, trouble }),
  );
  const reason = answer.trouble instanceof StoreUnavailable ? answer.trouble.cause : answer.trouble;
  if (isUnsendable(reason)) {
    if (saves.length === 1) saves[0]!.resolve('unstorable');
    else for (const save of saves) await writeSaves(collection, [save], timeoutMs, inSession);
    return true;
  }
  const open = new Set(answer.open);
  for (const save of answer.unstorable) save.resolve('unstorable');
  for (const save of saves) if (!open.has(save) && !answer.unstorable.includes(save)) save.resolve('saved');
  if (open.size === 0) return true;
  try {
    const leftMs = Math.floor(timeoutMs - (performance.now() - beganAtMs));
    if (leftMs <= 0) throw new Error('no time is left to read it back');
    await withDeadline(leftMs, 'save', () => readBack(collection, answer, leftMs, inSession));
    return true;
  } catch (error) {
    for (const save of answer.open) save.reject(unavailable('save: outcome unknown', answer.trouble ?? error));
    return false;
  }
}
