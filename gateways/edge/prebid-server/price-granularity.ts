import { isObject } from '#exchange/openrtb/shape';
import { ApiError } from '../../errors.ts';

/** A part of a price granularity: prices from `minMicros` to `maxMicros`, in steps. Micro-dollars of CPM. */
interface PriceRange {
  readonly minMicros: number;
  readonly maxMicros: number;
  readonly incrementMicros: number;
}

/** How prices are rounded for the line items of an ad server (Prebid Server, "Targeting"). */
export interface PriceGranularity {
  /** Digits after the point. */
  readonly precision: number;
  /** In ascending order. */
  readonly ranges: readonly PriceRange[];
}

const MICROS = 1_000_000;
const MOST_RANGES = 100;
const MOST_DIGITS = 6;
const HIGHEST_CPM = 1_000_000;

/** `[max, increment]` of each range; a range begins where the one before it ends. */
const NAMED: Readonly<Record<string, readonly (readonly [max: number, increment: number])[]>> = {
  low: [[5, 0.5]],
  med: [[20, 0.1]],
  medium: [[20, 0.1]],
  high: [[20, 0.01]],
  auto: [
    [5, 0.05],
    [10, 0.1],
    [20, 0.5],
  ],
  dense: [
    [3, 0.01],
    [8, 0.05],
    [20, 0.5],
  ],
};

export const MEDIUM: PriceGranularity = named('medium');

/**
 * A granularity as a request states it: a name, or `precision` and `ranges` of `max` and `increment`. Throws
 * VALIDATION_ERROR, with the path, for anything else.
 */
export function readPriceGranularity(stated: unknown, path: string): PriceGranularity {
  if (typeof stated === 'string' && Object.hasOwn(NAMED, stated)) return named(stated);
  if (!isObject(stated)) throw invalid(path, `must be one of ${Object.keys(NAMED).join(', ')}, or an object`);
  const { precision = 2, ranges } = stated;
  if (!Number.isInteger(precision) || (precision as number) < 0 || (precision as number) > MOST_DIGITS)
    throw invalid(`${path}.precision`, `must be a whole number from 0 to ${MOST_DIGITS}`);
  if (!Array.isArray(ranges) || ranges.length === 0 || ranges.length > MOST_RANGES)
    throw invalid(`${path}.ranges`, `must be a list of 1 to ${MOST_RANGES} ranges`);
  let minMicros = 0;
  const read: PriceRange[] = [];
  for (const [index, range] of ranges.entries()) {
    const at = `${path}.ranges[${index}]`;
    const { max, increment } = isObject(range) ? range : {};
    if (!isCpm(max) || Math.round(max * MICROS) <= minMicros)
      throw invalid(`${at}.max`, 'must be a CPM above that of the range before it');
    if (!isCpm(increment) || Math.round(increment * MICROS) <= 0)
      throw invalid(`${at}.increment`, 'must be a CPM above 0');
    const maxMicros = Math.round(max * MICROS);
    read.push({ minMicros, maxMicros, incrementMicros: Math.round(increment * MICROS) });
    minMicros = maxMicros;
  }
  return { precision: precision as number, ranges: read };
}

/** The price bucket of a CPM, rounded down in whole micro-dollars; above the last range it is that range's end. */
export function priceBucket(cpmMicros: number, { precision, ranges }: PriceGranularity): string {
  const highest = ranges[ranges.length - 1]!.maxMicros;
  const range = ranges.find(({ maxMicros }) => cpmMicros <= maxMicros);
  if (range === undefined) return (highest / MICROS).toFixed(precision);
  const { minMicros, incrementMicros } = range;
  const steps = Math.floor((cpmMicros - minMicros) / incrementMicros);
  return ((minMicros + steps * incrementMicros) / MICROS).toFixed(precision);
}

function named(name: string): PriceGranularity {
  let minMicros = 0;
  const ranges = NAMED[name]!.map(([max, increment]) => {
    const range = { minMicros, maxMicros: max * MICROS, incrementMicros: Math.round(increment * MICROS) };
    minMicros = range.maxMicros;
    return range;
  });
  return { precision: 2, ranges };
}

function isCpm(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= HIGHEST_CPM;
}

function invalid(path: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', `${path} ${message}.`, path);
}
