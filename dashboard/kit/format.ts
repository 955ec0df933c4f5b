const count = new Intl.NumberFormat('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A whole number, all of it. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** A large number where there is little room, `12.4K`; show the whole beside it or on hover. */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** 0..1 as a percentage of one decimal. */
export function formatRatio(value: number): string {
  return percent.format(value);
}

/** Cents as dollars, with as many decimals as the amount has and at least two: nothing is rounded away. */
export function formatCents(cents: number): string {
  return dollars(dollarsOf(cents), 2, 10);
}

/**
 * Cents as dollars and cents, marked by `≈` where there are more decimals. Less than a cent, which would look like
 * nothing, is written whole.
 */
export function formatCentsShort(cents: number): string {
  const exact = formatCents(cents);
  const short = dollars(dollarsOf(cents), 2, 2);
  if (exact === short) return short;
  return Math.abs(cents) < 1 ? exact : `≈ ${short}`;
}

/** How a line of a chart writes cents. Ticks of an axis are round, and written whole. */
export const CENTS_IN_CHART = { format: formatCentsShort, formatTick: formatCents } as const;

/** Dollars for a thousand impressions. */
export function formatCpm(cpm: number): string {
  return dollars(cpm, 2, 6);
}

/** The decimal point is moved: a quotient may be a neighbour of the number that is meant, and has other digits. */
function dollarsOf(cents: number): number {
  const [digits, exponent = '0'] = String(cents).split('e');
  return Number(`${digits}e${Number(exponent) - 2}`);
}

function dollars(value: number, least: number, most: number): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  })
    .format(value)
    .replace('-', '−');
}

export function formatMs(ms: number): string {
  return `${count.format(Math.round(ms * 10) / 10)} ms`;
}

const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `64 MiB`, with at most one decimal. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), BYTE_UNITS.length - 1);
  return `${count.format(Math.round((bytes / 1024 ** step) * 10) / 10)} ${BYTE_UNITS[step]}`;
}

/** `2026-11-23 14:05:09 UTC`. */
export function formatUtc(at: string | number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The same instant where the reader is. */
export function formatLocal(at: string | number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** `3 minutes ago`, `in 2 hours`. */
export function formatAgo(at: string | number, nowMs = Date.now()): string {
  const seconds = (new Date(at).getTime() - nowMs) / 1000;
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** `site-mismatch` as `Site mismatch`: for codes of the API that are shown as words. */
export function words(code: string): string {
  const plain = code.replaceAll(/[-_]/g, ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
