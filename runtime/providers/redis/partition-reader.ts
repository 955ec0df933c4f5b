import type { LogEntry } from '../../ports/log.ts';
import { comparePositions, type Position } from '../../ports/position.ts';
import type { RawEntry } from './scripts.ts';

/** How the message log reads: see `MessageLog.read` and `MessageLog.wake`, which these are. */
export interface PartitionReader {
  read(after: ReadonlyMap<number, Position>, limit: number, waitMs: number): Promise<Map<number, LogEntry[]>>;
  wake(): void;
  close(): void;
}

/** @throws {Error} when Redis answered ids that do not ascend from `after`: everything above relies on it. */
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
