import { job } from '#actors/job/job';
import type { JobState } from '#actors/job/reduce';
import { readAtWatermark } from '#actors/watermark/read-watermark';
import type { Logger } from '#runtime/actor/logger';
import type { StateStore } from '#runtime/ports/store';
import { firstKeptMs } from './delete-old-days.ts';
import type { Destination } from './destination/destination.ts';
import { HOUR_MS, type Hour, hourOf } from './hour.ts';
import { hourManifestName, hoursFolder } from './layout.ts';
import type { LogLevelMetrics } from './log-level-metrics.ts';
import type { ComparedSource } from './manifest.ts';
import { type WrittenHour, writeHour } from './write-hour.ts';

/** Hours older than this are not written any more: pages of feeds are kept for a little longer. */
const OLDEST_MS = 7 * 86_400_000;
/** An hour that differs from the ledgers is held for this long, so that dead letters can be replayed. */
const HELD_MS = 24 * HOUR_MS;
const NAMED = 5;

export interface WriteDueHoursDeps {
  readonly store: StateStore;
  readonly destination: Destination;
  readonly metrics: LogLevelMetrics;
  readonly logger: Logger;
  /** The name of the job that writes: hours from its first run on are written. */
  readonly jobName: string;
  /** The days for which files are kept, 0 for ever: older hours are not written again. */
  readonly keepDays: number;
}

/** Writes the hours that are due, and resolves with one line that says what was done. */
export type WriteDueHours = (nowMs: number, signal: AbortSignal) => Promise<string>;

/**
 * Creates the function that writes every hour that is over, whole since the job first ran, and not written yet, the
 * oldest first. What is written is known from the destination alone, which is asked at each run, so any process may go
 * on where another has stopped, and an hour whose manifest was deleted is written again. A run lists the manifests of
 * at most eight days, one call of the destination for each. An hour whose rows differ from the ledgers is an error in
 * the log; it is tried again at each run, holds up no other hour, and after a day is written as it is.
 */
export function createWriteDueHours(deps: WriteDueHoursDeps): WriteDueHours {
  const { store, destination, metrics, logger, jobName, keepDays } = deps;

  return async (nowMs, signal) => {
    const { throughMs, store: reads } = await readAtWatermark(store);
    const [document] = await store.load([{ kind: job.kind, id: jobName }]);
    const sinceMs = (document?.state as JobState | undefined)?.sinceMs ?? nowMs;
    const firstMs = Math.ceil(Math.max(sinceMs, nowMs - OLDEST_MS, firstKeptMs(keepDays, nowMs)) / HOUR_MS) * HOUR_MS;
    const outcomes: string[] = [];
    const hourUnderWayMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    let waitsSinceMs: number | null = null;
    let listed = { day: '', manifests: new Set<string>() };
    try {
      for (let startMs = firstMs; startMs + HOUR_MS <= nowMs; startMs += HOUR_MS) {
        signal.throwIfAborted();
        const hour = hourOf(startMs);
        if (hour.day !== listed.day) {
          listed = { day: hour.day, manifests: new Set(await destination.files(hoursFolder(hour))) };
        }
        if (listed.manifests.has(hourManifestName(hour))) continue;
        if (throughMs < hour.endMs) {
          waitsSinceMs ??= hour.endMs;
          break;
        }
        const evenIncomplete = nowMs - hour.endMs >= HELD_MS;
        const outcome = await writeHour({ store: reads, destination, hour, evenIncomplete, signal });
        outcomes.push(tell(hour, outcome));
        if (!outcome.written) waitsSinceMs ??= hour.endMs;
      }
    } catch (error) {
      // Which hours wait is unknown: those that an earlier run found, or else the last one that is over.
      if (!signal.aborted) metrics.waitsAtLeastSince(waitsSinceMs ?? hourUnderWayMs);
      throw error;
    }
    // The first hour that can wait is the one under way.
    if (!signal.aborted) metrics.waitsSince(waitsSinceMs ?? Math.max(firstMs, hourUnderWayMs) + HOUR_MS);
    return outcomes.join('; ') || 'nothing was due';
  };

  function tell({ day, hour }: Hour, { written, manifest, differing }: WrittenHour): string {
    const name = `${day}T${hour}`;
    const outcome = manifest.complete ? 'complete' : written ? 'incomplete' : 'held';
    metrics.hours.inc({ outcome });
    if (written) {
      for (const [event, rows] of Object.entries(manifest.rows))
        metrics.rows.inc({ event: event.split(' ')[0]! }, rows);
      metrics.bytes.inc(manifest.bytes);
    }
    if (!manifest.complete) {
      const { logged, ledger, parked } = manifest;
      const sources = differing.slice(0, NAMED).map(inWords);
      const of = { hour: name, logged, ledger, parked: parked.length, differing: differing.length, sources };
      logger.error(of, `log-level data and the ledgers differ: the hour is ${written ? 'written as it is' : 'held'}`);
    }
    const rows = Object.values(manifest.rows).reduce((sum, one) => sum + one, 0);
    return written ? `${name}: ${rows} rows, ${outcome}` : `${name}: held, ${differing.length} sources differ`;
  }
}

function inWords({ side, id, logged, ledger }: ComparedSource): string {
  return `${side} ${id}: ${logged.impressions} impressions of ${logged.grossNanos} in rows, ${ledger.impressions} of ${ledger.grossNanos} in the ledger`;
}
