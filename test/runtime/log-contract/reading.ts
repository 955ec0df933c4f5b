import type { LogEntry, MessageLog } from '#runtime/ports/log';
import { type Position, START } from '#runtime/ports/position';

/** One read of one partition. */
export async function readOne(
  log: MessageLog,
  partition: number,
  after: Position = START,
  limit = 10_000,
  waitMs = 0,
): Promise<LogEntry[]> {
  const batches = await log.read(new Map([[partition, after]]), limit, waitMs);
  return batches.get(partition) ?? [];
}

/** Every payload of a partition, oldest first. */
export async function payloadsOf(log: MessageLog, partition: number, after: Position = START): Promise<string[]> {
  return (await readOne(log, partition, after)).map((entry) => entry.payload);
}
