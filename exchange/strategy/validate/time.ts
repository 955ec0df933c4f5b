import type { JsonObject } from '../../openrtb/shape.ts';
import { isTimezone, parseDays, parseHours } from '../schedule.ts';
import { join, type StrategyFault } from './fault.ts';

/** The faults of the hours, days and time zone of a schedule or a targeting. */
export function* timeFaults({ hours, days, timezone }: JsonObject, path: string): Generator<StrategyFault> {
  if (typeof hours === 'string' && parseHours(hours) === null) {
    yield { path: join(path, 'hours'), message: 'must name hours from 0 to 23, as in 18-23 or 9,12,18-23' };
  }
  if ((typeof days === 'string' || isListOfNames(days)) && parseDays(days) === null) {
    yield { path: join(path, 'days'), message: 'must name days of the week, as in mon,tue or mon-fri' };
  }
  if (typeof timezone === 'string' && !isTimezone(timezone)) {
    yield { path: join(path, 'timezone'), message: 'must be an IANA time zone, as in Europe/Berlin' };
  }
}

function isListOfNames(days: unknown): days is readonly string[] {
  return Array.isArray(days) && days.length > 0 && days.every((day) => typeof day === 'string');
}
