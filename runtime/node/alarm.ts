import type { Alarm } from './metrics.ts';
import type { NodeDeps } from './node-deps.ts';

/** Tells the operator that acknowledged messages may be lost: a line in the log and a counter to alert on. */
export function raiseAlarm({ metrics, logger }: NodeDeps, partition: number, alarm: Alarm, message: string): void {
  metrics.alarms.inc({ alarm });
  logger.error({ alarm, partition }, `ALARM ${message}`);
}
