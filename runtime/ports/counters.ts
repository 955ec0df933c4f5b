import type { ExpiringMarks } from './expiring-marks.ts';
import type { ExpiringSums } from './expiring-sums.ts';
import type { ExpiringTexts } from './expiring-texts.ts';

/** A provider of both kinds of expiring counters, and of texts that expire. */
export interface Counters {
  readonly marks: ExpiringMarks;
  readonly sums: ExpiringSums;
  readonly texts: ExpiringTexts;
  /** Rejects the calls that wait, and every later call. */
  close(): Promise<void>;
}
