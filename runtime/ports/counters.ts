import type { Broadcasts } from './broadcasts.ts';
import type { ExpiringMarks } from './expiring-marks.ts';
import type { ExpiringSums } from './expiring-sums.ts';
import type { ExpiringTexts } from './expiring-texts.ts';

/** A provider of both kinds of expiring counters, of texts that expire, and of broadcasts. */
export interface Counters {
  readonly marks: ExpiringMarks;
  readonly sums: ExpiringSums;
  readonly texts: ExpiringTexts;
  readonly broadcasts: Broadcasts;
  /** Rejects the calls that wait, and every later call. */
  close(): Promise<void>;
}
