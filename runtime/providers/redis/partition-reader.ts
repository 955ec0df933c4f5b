import type { LogEntry } from '../../ports/log.ts';
import { comparePositions, type Position } from '../../ports/position.ts';
import type { RawEntry } from './scripts.ts';

/** The read side of the message log: `MessageLog.read` and `MessageLog.wake`. */
export interface PartitionReader {
  read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>>;
  wake(): void;
  close(): void;
}

/**
 * The entries of a reply.
 *
 * @throws {Error} when the ids do not ascend from `after`, on which every caller relies.
 */
export function entriesOf(raw: readonly RawEntry[], after: Position): LogEntry[] {
  const entries: LogEntry[] = new Array(raw.length);
  let previous = after;
  for (let at = 0; at < raw.length; at++) {
    const [position, fields] = raw[at]!;
    if (comparePositions(position, previous) <= 0) {
      throw new Error(`entries out of order: ${position} after ${previous}`);
    }
    previous = position;
    entries[at] = { position, payload: fields[1]! };
  }
  return entries;
}
