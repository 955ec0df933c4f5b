import type { ExpiringMarks } from './expiring-marks.ts';
import type { ExpiringSums } from './expiring-sums.ts';

/** A provider of both kinds of expiring counters. */
export interface Counters {
  readonly marks: ExpiringMarks;
  readonly sums: ExpiringSums;
  /** What waits is rejected, and everything from then on. */
  close(): Promise<void>;
}
