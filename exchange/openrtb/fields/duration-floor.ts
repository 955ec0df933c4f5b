import { count, type Known, price, tableOf } from './field.ts';

const fields = {
  mindur: count,
  maxdur: count,
  bidfloor: price,
};

/** OpenRTB 2.6 §3.2.35: a floor (CPM) for creatives in this range of durations. */
export interface DurationFloor extends Known<typeof fields> {}

export const DURATION_FLOOR = tableOf<DurationFloor>(fields);
