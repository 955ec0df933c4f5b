import type { LogEntry } from '../../ports/log.ts';
import { positionOf } from '../../ports/position.ts';

/**
 * Consecutive entries of one millisecond in one record: the entries that a group commit appends to a partition cost one
 * put, however many there are.
 */
export interface EntryRun {
  readonly ms: number;
  /** The sequence of the first entry; the others follow without gaps. */
  readonly sequence: number;
  readonly count: number;
}

/**
 * The maximum number of entries of a run. A longer append becomes several runs, so that reading a few entries never
 * decodes megabytes.
 */
export const RUN_MAX_ENTRIES = 512;
/** The maximum number of payload characters of a run. */
export const RUN_MAX_CHARACTERS = 262_144;

/** `length,length,…\n` and the payloads end to end; lengths in UTF-16 units. */
export function encodeRun(payloads: readonly string[]): string {
  let record = '';
  for (let at = 0; at < payloads.length; at++) record += at === 0 ? payloads[at]!.length : `,${payloads[at]!.length}`;
  return `${record}\n${payloads.join('')}`;
}

export function countRun(record: string): number {
  let count = 1;
  for (let at = 0; record.charCodeAt(at) !== 10; at++) if (record.charCodeAt(at) === 44) count += 1;
  return count;
}

export function decodeRun(run: EntryRun, record: string): LogEntry[] {
  let from = record.indexOf('\n');
  const lengths = record.slice(0, from).split(',');
  from += 1;
  return lengths.map((length, at) => {
    const to = from + Number(length);
    const entry = { position: positionOf(run.ms, run.sequence + at), payload: record.slice(from, to) };
    from = to;
    return entry;
  });
}
