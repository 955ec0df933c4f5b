import { type Collection, MongoBulkWriteError } from 'mongodb';
import type { DeadLetter, DiscardDecision } from '../../ports/store.ts';
import { type InSession, within } from './causal-times.ts';

export type DeadLetterAtRest = Omit<DeadLetter, 'id'> & { readonly _id: string };

const DUPLICATE_KEY = 11000;

export function deadLetterFromRest({ _id, ...deadLetter }: DeadLetterAtRest): DeadLetter {
  return { id: _id, ...deadLetter };
}

/** Inserts dead letters that do not exist yet and leaves existing ones unchanged. */
export async function insertDeadLetters(
  collection: Collection<DeadLetterAtRest>,
  parked: readonly DeadLetter[],
  writeBatch: number,
  inSession: InSession,
): Promise<void> {
  for (let start = 0; start < parked.length; start += writeBatch) {
    const batch = parked.slice(start, start + writeBatch).map(({ id, ...deadLetter }) => ({ _id: id, ...deadLetter }));
    try {
      await inSession((session) => collection.insertMany(batch, { ordered: false, ...within(session) }));
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const failures = [error.writeErrors].flat();
      if (failures.length === 0 || failures.some((failure) => failure.code !== DUPLICATE_KEY)) throw error;
    }
  }
}

export async function markReplayedAt(
  collection: Collection<DeadLetterAtRest>,
  id: string,
  atMs: number,
  inSession: InSession,
): Promise<void> {
  const replayed = { $set: { replayedAtMs: atMs } };
  await inSession((session) => collection.updateOne({ _id: id }, replayed, within(session)));
}

/** The first mark stands. */
export async function markDiscardedBy(
  collection: Collection<DeadLetterAtRest>,
  id: string,
  { atMs, by, why }: DiscardDecision,
  inSession: InSession,
): Promise<void> {
  const undiscarded = { _id: id, discarded: { $exists: false } };
  const discarded = { $set: { discarded: { atMs, by, why } } };
  await inSession((session) => collection.updateOne(undiscarded, discarded, within(session)));
}
