const CLOCK = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})(?:\.(\d{1,9}))?$/;
/** The longest time of the schemas, 1 ms less than a day. */
const MAX_DURATION_MS = 86_399_999;

/** Parses `hh:mm:ss(.mmm)` to ms; leading parts may be missing. Undefined for other text. */
export function parseDurationMs(clock: string | undefined): number | undefined {
  const match = CLOCK.exec(clock?.trim() ?? '');
  if (!match) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return Math.min(MAX_DURATION_MS, wholeSeconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3)));
}

/** Writes `hh:mm:ss`, with `.mmm` where the time is not a whole second. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return ms % 1000 === 0 ? clock : `${clock}.${String(ms % 1000).padStart(3, '0')}`;
}
