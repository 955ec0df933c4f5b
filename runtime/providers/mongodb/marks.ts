import { type Collection, MongoServerError } from 'mongodb';
import { type Position, positionOf, positionSequence, positionTimeMs, START } from '../../ports/position.ts';

export interface MarkAtRest {
  /** The partition's number. */
  readonly _id: string;
  /** Both halves at a fixed width, so that the database's order of texts is the order of positions. */
  readonly position: string;
}

export interface SettledValue {
  readonly _id: string;
  readonly value: string;
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

export async function readHighWater(marks: Collection<MarkAtRest>, partition: number): Promise<Position> {
  const mark = await marks.findOne({ _id: String(partition) });
  if (!mark) return START;
  return positionOf(Number(mark.position.slice(0, WIDTH)), Number(mark.position.slice(WIDTH + 1)));
}

export async function raiseHighWater(
  marks: Collection<MarkAtRest>,
  partition: number,
  position: Position,
): Promise<void> {
  const raise = () =>
    marks.updateOne({ _id: String(partition) }, { $max: { position: sortable(position) } }, { upsert: true });
  // Two first raises at once may both try to insert; by the second attempt the mark is there.
  await raise().catch((error: unknown) => (isDuplicate(error) ? raise() : Promise.reject(error)));
}

/** Resolves with the value that is durable under `name`: ours, or whose came first. */
export async function settleValue(
  settled: Collection<SettledValue>,
  name: string,
  value: string,
  signal: AbortSignal,
): Promise<string> {
  const before = await settled.findOne({ _id: name });
  if (before) return before.value;
  try {
    await settled.insertOne({ _id: name, value });
    return value;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  // The other's insert stands, but a majority may not have it yet.
  while (!signal.aborted) {
    const first = await settled.findOne({ _id: name });
    if (first) return first.value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the value of ${name} is not yet confirmed by a majority`);
}
