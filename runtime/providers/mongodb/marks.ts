import { type Collection, MongoServerError } from 'mongodb';
import { Withdrawn } from '../../ports/errors.ts';
import { markName } from '../../ports/mark-name.ts';
import { type Position, positionOf, positionSequence, positionTimeMs, START } from '../../ports/position.ts';
import type { HighWaterMark, MarkedPartition } from '../../ports/store.ts';
import { type InSession, within } from './causal-times.ts';

export interface MarkAtRest {
  /** See {@link markName}. */
  readonly _id: string;
  /** The position with both halves at a fixed width, so that the database's order of text is the order of positions. */
  readonly position: string;
}

export interface NamedValue {
  readonly _id: string;
  /**
   * The value; null when it was withdrawn. Releases that do not know withdrawal fail to start on it, and so sign
   * nothing with another value.
   */
  readonly value: string | null;
}

const DUPLICATE_KEY = 11000;
const WIDTH = 16;

function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

function sortable(position: Position): string {
  const halves = [positionTimeMs(position), positionSequence(position)];
  return halves.map((half) => String(half).padStart(WIDTH, '0')).join('-');
}

export async function readHighWater(
  marks: Collection<MarkAtRest>,
  partition: MarkedPartition,
  inSession: InSession,
): Promise<Position> {
  const mark = await inSession((session) => marks.findOne({ _id: markName(partition) }, within(session)));
  if (!mark) return START;
  return positionOf(Number(mark.position.slice(0, WIDTH)), Number(mark.position.slice(WIDTH + 1)));
}

export async function raiseHighWater(
  marks: Collection<MarkAtRest>,
  mark: HighWaterMark,
  inSession: InSession,
): Promise<void> {
  const raised = { $max: { position: sortable(mark.position) } };
  const raise = () =>
    inSession((session) => marks.updateOne({ _id: markName(mark) }, raised, { upsert: true, ...within(session) }));
  // Two concurrent first raises may both try to insert; at the second attempt the mark exists.
  await raise().catch((error: unknown) => (isDuplicate(error) ? raise() : Promise.reject(error)));
}

/** Resolves with the value that is durable under `name`: `value`, or that of an earlier writer. */
export async function putValueIfAbsent(
  settled: Collection<NamedValue>,
  name: string,
  value: string,
  inSession: InSession,
  signal: AbortSignal,
): Promise<string> {
  const before = await findValue(settled, name, inSession);
  if (before) return kept(before);
  try {
    await inSession((session) => settled.insertOne({ _id: name, value }, within(session)));
    return value;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  // The other writer's insert is visible, but a majority may not have it yet.
  while (!signal.aborted) {
    const first = await findValue(settled, name, inSession);
    if (first) return kept(first);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the value of ${name} is not yet confirmed by a majority`);
}

/** What stands under `name`, a withdrawn value included. */
export function findValue(
  settled: Collection<NamedValue>,
  name: string,
  inSession: InSession,
): Promise<NamedValue | null> {
  return inSession((session) => settled.findOne({ _id: name }, within(session)));
}

export async function withdrawValue(
  settled: Collection<NamedValue>,
  name: string,
  inSession: InSession,
): Promise<void> {
  const withdrawn = { $set: { value: null } };
  await inSession((session) => settled.updateOne({ _id: name }, withdrawn, { upsert: true, ...within(session) }));
}

function kept({ _id, value }: NamedValue): string {
  if (value === null) throw new Withdrawn(_id);
  return value;
}
