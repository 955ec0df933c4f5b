import type { ExpiringMarks } from './expiring-marks.ts';
import type { ExpiringSums } from './expiring-sums.ts';

/** A provider of both kinds of expiring counters. */
export interface Counters {
  readonly marks: ExpiringMarks;
  readonly sums: ExpiringSums;
  /** Rejects the calls that wait, and every later call. */
  close(): Promise<void>;
}
