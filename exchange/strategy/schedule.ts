/** A time window as strategies write it. */
export interface TimeWindow {
  readonly hours?: string | readonly number[];
  readonly days?: string | readonly string[];
  /** An IANA time zone; UTC when absent. */
  readonly timezone?: string;
}

/** Days of the week, Monday first. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const LONG_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The hours 0 to 23 that a text lists; null when the text is no such list. */
export function parseHours(hours: string | readonly number[]): ReadonlySet<number> | null {
  if (typeof hours !== 'string') return parseList(hours.map(String), hourOf, 24);
  return parseList(hours.split(','), hourOf, 24);
}

/** The days 0 (Monday) to 6 that a text lists; null when the text is no such list. */
export function parseDays(days: string | readonly string[]): ReadonlySet<number> | null {
  return parseList(typeof days === 'string' ? days.split(',') : days, dayOf, 7);
}

function hourOf(text: string): number | null {
  return /^(?:[01]?\d|2[0-3])$/.test(text) ? Number(text) : null;
}

function dayOf(text: string): number | null {
  const name = text.toLowerCase();
  const index = Math.max(DAYS.indexOf(name), LONG_DAYS.indexOf(name));
  return index === -1 ? null : index;
}

/** Parses single entries and ranges. A range includes both ends, and may run over the end: `22-2`. */
function parseList(
  entries: readonly string[],
  entryOf: (text: string) => number | null,
  length: number,
): ReadonlySet<number> | null {
  const all = new Set<number>();
  for (const entry of entries) {
    const ends = entry.split('-').map((end) => entryOf(end.trim()));
    const [from, to = from] = ends;
    if (ends.length > 2 || from == null || to == null) return null;
    for (let value = from; ; value = (value + 1) % length) {
      all.add(value);
      if (value === to) break;
    }
  }
  return all.size === 0 ? null : all;
}

/**
 * Cached formatters, by time zone in lower case, because a formatter is expensive to make. A zone can be written in any
 * case: without the lower case, thousands of campaigns that each write it differently would each make one at every
 * auction. There are fewer than 1,000 zones.
 */
const clocks = new Map<string, Intl.DateTimeFormat>();
const MAX_CACHED_CLOCKS = 1000;

/** The formatter of a time zone; null for text that is none. */
function clockOf(timezone: string): Intl.DateTimeFormat | null {
  const zone = timezone.toLowerCase();
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  try {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      hour: 'numeric',
      weekday: 'short',
    });
    if (clocks.size >= MAX_CACHED_CLOCKS) clocks.clear();
    clocks.set(zone, clock);
    return clock;
  } catch {
    return null;
  }
}

export function isTimezone(timezone: string): boolean {
  return clockOf(timezone) !== null;
}

/** The hour 0 to 23 and the day 0 (Monday) to 6 in a time zone. Throws `RangeError` for text that is no time zone. */
export function localTime(atMs: number, timezone: string): { readonly hour: number; readonly day: number } {
  const clock = clockOf(timezone);
  if (clock === null) throw new RangeError(`not a time zone: ${timezone}`);
  let hour = 0;
  let day = 0;
  for (const { type, value } of clock.formatToParts(atMs)) {
    if (type === 'hour') hour = Number(value);
    if (type === 'weekday') day = DAYS.indexOf(value.toLowerCase());
  }
  return { hour, day };
}
